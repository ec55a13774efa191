/*
 * Fuzzing of the kernel without Python: any bytes as PGN, any bytes as a board.
 *
 * Built by fuzz_kernel.py, with libFuzzer where there is clang, or else with a
 * simple driver of its own. Sanitizers and assertions find the errors.
 */

#include <assert.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "perft.h"
#include "columns.h"
#include "san.h"

int LLVMFuzzerInitialize(int *argc, char ***argv);
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static Position initial(void)
{
    Position position = {
        .occupied_co = {BB_RANK_7 | BB_RANK_8, BB_RANK_1 | BB_RANK_2},
        .pawns = BB_RANK_2 | BB_RANK_7,
        .knights = BB(1) | BB(6) | BB(57) | BB(62),
        .bishops = BB(2) | BB(5) | BB(58) | BB(61),
        .rooks = BB(A1) | BB(H1) | BB(A8) | BB(H8),
        .queens = BB(D1) | BB(59),
        .kings = BB(E1) | BB(E8),
        .castling_rights = BB(A1) | BB(H1) | BB(A8) | BB(H8),
        .rules = {true, true},
        .turn = WHITE,
    };
    return position;
}

static StartStatus find_start(void *context, const char *text, const Slice values[4], uint32_t *number, Start *out)
{
    (void)context;
    *number = 0;
    out->halfmove_clock = values[1].length;
    out->ply = 0;
    out->position = initial();
    /* Any value will do to choose another dialect, or to refuse. */
    unsigned char choice = values[0].length ? (unsigned char)text[values[0].start] : 'A';
    out->position.rules.has_checks = choice % 3 != 0;
    out->position.rules.touching_kings_immune = choice % 2 == 0;
    return choice == '?' ? UNUSUAL_START : FOUND_START;
}

/* Whether a slice lies within the text. */
static void check_slice(Slice part, size_t size)
{
    assert(part.start <= size && part.length <= size - part.start);
}

static void check_games(const Games *games, size_t size)
{
    for (size_t i = 0; i < games->game_count; i++) {
        const Game *game = &games->games[i];
        assert(game->first_move + game->move_count <= games->move_count);
        assert(game->first_header + game->header_count <= games->header_count);
        assert(game->first_event + game->event_count <= games->event_count);
        for (uint32_t j = 0; j < game->header_count; j++) {
            check_slice(games->headers[game->first_header + j].name, size);
            check_slice(games->headers[game->first_header + j].value, size);
        }
        for (uint32_t j = 0; j < game->event_count; j++) {
            const Event *event = &games->events[game->first_event + j];
            if (event->kind == EVENT_COMMENT) {
                check_slice(event->text, size);
                assert(event->value <= game->move_count);
            }
        }
        assert(game->turn <= 1 && game->king < 64 && game->ending <= OTHER_ENDING && game->result <= UNKNOWN_RESULT);
    }
}

/* The columns hold what the headers held. */
static void check_columns(const Games *games, const char *text)
{
    Columns *columns = sort_headers(games, text);
    assert(columns && !columns->has_no_memory);
    size_t values = 0;
    for (size_t i = 0; i < columns->count; i++) {
        const Column *column = &columns->columns[i];
        size_t size = 0;
        for (size_t j = 0; j < games->game_count; j++) {
            assert(column->lengths[j] >= -1);
            size += column->lengths[j] > 0 ? (size_t)column->lengths[j] : 0;
            values += column->lengths[j] >= 0;
        }
        assert(size == column->size && size <= column->room);
    }
    assert(columns->is_too_wide || values == games->header_count);
    free_columns(columns);
}

static void fuzz_pgn(const uint8_t *data, size_t size)
{
    /* A copy of the exact size, so that reading beyond it is noticed. */
    char *text = malloc(size ? size : 1);
    assert(text);
    if (size) {
        memcpy(text, data, size);
    }
    Games games = {.max_size = 5000, .max_depth = 6};
    for (int mode = 0; mode < 4; mode++) {
        games.game_count = games.header_count = games.move_count = games.event_count = 0;
        games.keep_comments = mode & 1;
        games.keep_events = mode & 2;
        size_t position = 0;
        uint32_t line = 0;
        for (;;) {
            const size_t before = position;
            const size_t count = games.game_count;
            Stop stop = read_games(&games, text, size, mode < 3, 100 + count, mode == 1 ? size / 2 : SIZE_MAX, find_start, NULL, &position, &line);
            assert(before <= position && position <= size);
            assert(stop != STOPPED_NO_MEMORY && stop != STOPPED_FAILED);
            if (stop == STOPPED_AT_END || position >= size) {
                break;
            }
            if (stop == STOPPED_UNUSUAL) { /* Go on at the next line. */
                const char *end = memchr(text + position, '\n', size - position);
                if (!end) {
                    break;
                }
                position = (size_t)(end - text) + 1;
            }
        }
        check_games(&games, size);
        check_columns(&games, text);
    }
    clear_games(&games);
    free(text);
}

/* A board of arbitrary men, with at most one king of each color: what door.c lets in. */
static bool make_position(const uint8_t *data, size_t size, Position *out)
{
    uint64_t words[12] = {0};
    if (size < sizeof(words)) {
        return false;
    }
    memcpy(words, data, sizeof(words));
    memset(out, 0, sizeof(*out));
    const Bitboard white_king = BB(words[0] & 63);
    const Bitboard black_king = BB(words[0] >> 8 & 63) & ~white_king;
    out->kings = (words[0] >> 16 & 15 ? white_king : 0) | (words[0] >> 20 & 15 ? black_king : 0);
    out->occupied_co[WHITE] = (words[1] & ~black_king) | (white_king & out->kings);
    out->occupied_co[BLACK] = (words[2] & ~out->occupied_co[WHITE]) | (black_king & out->kings);
    const Bitboard men = occupied(out) & ~out->kings;
    /* Overlapping kinds, and men of none, are wrong, but nothing forbids them. */
    out->pawns = words[3] & men;
    out->knights = words[4] & men;
    out->bishops = words[5] & men;
    out->rooks = words[6] & men;
    out->queens = words[7] & men;
    out->castling_rights = words[8];
    out->turn = words[0] >> 24 & 1;
    out->chess960 = words[0] >> 25 & 1;
    out->rules.has_checks = words[0] >> 26 & 3;
    out->rules.touching_kings_immune = words[0] >> 28 & 1;
    const Square ep_square = words[0] >> 32 & 63;
    out->ep_square = BB(ep_square) & (BB_RANK_3 | BB_RANK_6) ? (int8_t)ep_square : 0;
    if (words[0] >> 29 & 1) {
        out->castling_rights = clean_castling_rights(out, out->castling_rights);
    }
    return true;
}

static bool never(void *context) { return *(int *)context < 0; }

static void fuzz_position(const uint8_t *data, size_t size)
{
    Position position;
    if (!make_position(data, size, &position)) {
        return;
    }
    Spans list;
    generate_spans(&position, BB_ALL, BB_ALL, &list);
    assert(list.length <= MAX_SPANS);
    const int count = count_moves(&list);
    Move *moves = malloc((size_t)(count ? count : 1) * sizeof(Move));
    assert(moves && write_moves(&list, moves) == moves + count);
    for (int i = 0; i < count; i++) {
        Position after = position;
        make_move(&after, moves[i]);
        check_mask(&after, WHITE);
        check_mask(&after, BLACK);
        has_insufficient_material(&after, WHITE);
        assert(!(after.occupied_co[WHITE] & after.occupied_co[BLACK]));
    }
    for (int move = 0; move < 1 << 15; move += 37) {
        is_legal(&position, (Move)move);
        Position after = position;
        make_move(&after, (Move)move);
    }
    int context = 0;
    Interrupt interrupt = {0, never, &context, false};
    if (count < 100) {
        perft(&position, 2, &interrupt);
    }
    for (size_t start = 0; start < size && start < 64; start += 4) {
        San san;
        Move move;
        read_san((const char *)data + start, size - start < 8 ? size - start : 1 + start % 8, &san);
        resolve_san(&position, &san, &move);
    }
    generate_spans(&position, position.pawns, ~position.knights, &list);
    free(moves);
}

int LLVMFuzzerInitialize(int *argc, char ***argv)
{
    (void)argc;
    (void)argv;
    init_tables();
    return 0;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    if (size) {
        if (data[0] % 4 == 1) {
            fuzz_position(data + 1, size - 1);
        } else {
            fuzz_pgn(data + (data[0] % 4 == 2), size - (data[0] % 4 == 2));
        }
    }
    return 0;
}

#ifdef STANDALONE

/* Mutates the files given as arguments: fuzz_kernel SECONDS SEED FILE... */

#define MAX_SIZE 6000

static uint64_t state;

static uint64_t next_random(void)
{
    state ^= state << 13;
    state ^= state >> 7;
    state ^= state << 17;
    return state;
}

static size_t below(size_t limit) { return limit ? next_random() % limit : 0; }

static size_t insert(uint8_t *data, size_t size, size_t at, const void *what, size_t length)
{
    if (size + length > MAX_SIZE) {
        return size;
    }
    memmove(data + at + length, data + at, size - at);
    memcpy(data + at, what, length);
    return size + length;
}

static size_t mutate(uint8_t *data, size_t size)
{
    static const char *const FRAGMENTS[] = {
        "\n", "\n\n", "\r\n", "\r", "{", "}", "(", ")", ";", "%", "$1", "$", "!?", "*", "1-0", "0-1", "1/2-1/2",
        "[Event \"x\"]\n", "[", "]", "\"", " ", "\t", "\xff", "\xc3\xa9", "\xe2\x80", "1.", "...", "e4", "O-O", "--",
        "Nf3", "[Variant \"?\"]\n", "\n\n[White \"y\"]\n\n1. e4", "e8=Q", "Kxe8", "0-0-0#", "a1a1", "\xf4\x90",
    };
    uint8_t piece[64];
    for (size_t times = below(6); times > 0 && size > 0; times--) {
        size_t at = below(size);
        switch (below(5)) {
        case 0:
        case 1: {
            const char *fragment = FRAGMENTS[below(sizeof(FRAGMENTS) / sizeof(FRAGMENTS[0]))];
            size = insert(data, size, at, fragment, strlen(fragment));
            break;
        }
        case 2: {
            size_t length = 1 + below(20);
            length = length < size - at ? length : size - at;
            memmove(data + at, data + at + length, size - at - length);
            size -= length;
            break;
        }
        case 3:
            data[at] = (uint8_t)next_random();
            break;
        default: {
            size_t from = below(size);
            size_t length = 1 + below(sizeof(piece) - 1);
            length = length < size - from ? length : size - from;
            memcpy(piece, data + from, length);
            size = insert(data, size, at, piece, length);
        }
        }
    }
    return size;
}

int main(int argc, char **argv)
{
    static uint8_t data[MAX_SIZE];
    LLVMFuzzerInitialize(&argc, &argv);
    const double seconds = argc > 1 ? atof(argv[1]) : 10;
    state = argc > 2 ? strtoull(argv[2], NULL, 10) * 2 + 1 : 1;
    unsigned long runs = 0;
    const time_t end = time(NULL) + (time_t)seconds;
    while (time(NULL) < end) {
        for (int i = 0; i < 100; i++, runs++) {
            size_t size = 0;
            FILE *file = argc > 3 && below(4) ? fopen(argv[3 + below((size_t)argc - 3)], "rb") : NULL;
            if (file) {
                fseek(file, 0, SEEK_END);
                const long length = ftell(file);
                fseek(file, (long)below((size_t)(length > 0 ? length : 1)), SEEK_SET);
                size = fread(data, 1, 500 + below(3000), file);
                fclose(file);
                /* Begin where a game begins. */
                for (size_t j = 0; j + 2 < size; j++) {
                    if (data[j] == '\n' && data[j + 1] == '[') {
                        size -= j + 1;
                        memmove(data, data + j + 1, size);
                        break;
                    }
                }
            } else {
                for (size = 0; size < 98; size++) {
                    data[size] = (uint8_t)(next_random() & (size % 16 < 8 ? next_random() : 255));
                }
                data[0] = 1;
            }
            size = mutate(data, size);
            LLVMFuzzerTestOneInput(data, size);
        }
    }
    printf("%lu inputs\n", runs);
    return 0;
}

#endif
