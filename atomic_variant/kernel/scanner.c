/*
 * kernel.Scanner: reads games out of bytes, as records, as columns or as what
 * builds trees. While it reads, other threads run; then it makes the objects.
 */

#include "scanner.h"

#include <stddef.h>
#include <string.h>

#include "door.h"
#include "pgn.h"

/* Beyond these, what is remembered is forgotten. */
#define MAX_STARTS 4096
#define MAX_BATCH 65536

/* A starting position, by the headers that tell it. */
typedef struct {
    char *key;
    size_t key_length;
    StartStatus status;
    Start start;
    bool knows_endings;
    PyObject *board;
    PyObject *fields; /* What a record says of it. */
} KnownStart;

#define NAME_CACHE 64

typedef struct {
    PyObject_HEAD
    PyObject *find_start; /* (variant, fen, event, site) -> (board, fields) or None */
    PyObject *find_ending; /* (board, moves) -> (outcome, ending) */
    PyObject *read_clock; /* (comment) -> clock */
    PyObject *read_evaluation;
    PyObject *record_class;
    PyObject *source;
    Games games;
    KnownStart *starts;
    size_t start_count;
    PyObject *endings; /* A dictionary: pairs of outcome and words, by ending, turn and king. */
    PyObject *names[NAME_CACHE];            /* Of headers. */
    PyObject *results[UNKNOWN_RESULT + 1];
    bool is_busy;
    PyThreadState *thread; /* While other threads may run. */
} Scanner;

/* --- Starting positions --------------------------------------------------- */

static void forget_starts(Scanner *self)
{
    for (size_t i = 0; i < self->start_count; i++) {
        PyMem_RawFree(self->starts[i].key);
        Py_XDECREF(self->starts[i].board);
        Py_XDECREF(self->starts[i].fields);
    }
    self->start_count = 0;
}

/* A header value as Python sees it; None where there is none. A new reference. */
static PyObject *value_or_none(const char *text, Slice value)
{
    return value.start ? PyUnicode_DecodeUTF8(text + value.start, value.length, "strict") : Py_NewRef(Py_None);
}

/* Asks Python for the starting position. */
static bool ask_for_start(Scanner *self, const char *text, const Slice values[4], KnownStart *out)
{
    PyObject *args[4] = {NULL, NULL, NULL, NULL};
    PyObject *found = NULL;
    bool good = true;
    for (int i = 0; i < 4; i++) {
        args[i] = value_or_none(text, values[i]);
        good = good && args[i];
    }
    if (good) {
        found = PyObject_Vectorcall(self->find_start, args, 4, NULL);
    }
    for (int i = 0; i < 4; i++) {
        Py_XDECREF(args[i]);
    }
    out->status = UNUSUAL_START;
    out->board = out->fields = NULL;
    if (!found) {
        return false;
    }
    if (found != Py_None) {
        PyObject *board, *fields;
        Rules rules;
        Bitboard clock;
        if (!PyTuple_Check(found)) {
            PyErr_SetString(PyExc_TypeError, "expected a board and what a record says of it");
        }
        if (PyErr_Occurred() || !PyArg_ParseTuple(found, "OO!", &board, &PyTuple_Type, &fields)) {
            Py_DECREF(found);
            return false;
        }
        if (read_board(board, PLAY, &out->start.position) && read_bitboard(board, ATTR_HALFMOVE_CLOCK, &clock)
            && clock < 10000) {
            out->status = FOUND_START;
            out->start.halfmove_clock = (uint32_t)clock;
            out->knows_endings = is_on_ground(Py_TYPE(board), ENDINGS, &rules);
            out->board = Py_NewRef(board);
            out->fields = Py_NewRef(fields);
        }
    }
    Py_DECREF(found);
    return true;
}

/* The Variant header decides alone, if it says something: see pgn.game.Headers. */
static bool names_variant(const char *text, Slice variant)
{
    for (uint32_t i = 0; variant.start && i < variant.length; i++) {
        if (!strchr(" \t?-", text[variant.start + i])) {
            return true;
        }
    }
    return false;
}

static size_t make_key(char *key, const char *text, const Slice values[4], int count)
{
    size_t length = 0;
    for (int i = 0; i < count; i++) {
        key[length++] = values[i].start ? '=' : '-';
        memcpy(key + length, text + values[i].start, values[i].length);
        length += values[i].length;
        key[length++] = '\n'; /* Stands in no value. */
    }
    return length;
}

/* Called while other threads run. */
static StartStatus find_start(void *context, const char *text, const Slice values[4], uint32_t *number, Start *out)
{
    Scanner *self = context;
    const int count = names_variant(text, values[0]) ? 2 : 4;
    char key[1024];
    size_t length = 0;
    for (int i = 0; i < count; i++) {
        length += values[i].length + 2;
    }
    if (length > sizeof(key)) {
        return UNUSUAL_START;
    }
    make_key(key, text, values, count);

    /* Mostly that of the game before. */
    for (size_t i = self->start_count; i-- > 0;) {
        const KnownStart *known = &self->starts[i];
        if (known->key_length == length && memcmp(known->key, key, length) == 0) {
            *number = (uint32_t)i;
            *out = known->start;
            return known->status;
        }
        if (self->start_count - i >= 64) {
            break; /* Asking again is as fast as looking further. */
        }
    }
    if (self->start_count == MAX_STARTS) {
        return FAILED_START; /* Cannot be: a batch has fewer games. */
    }
    KnownStart *fresh = &self->starts[self->start_count];
    fresh->key = PyMem_RawMalloc(length);
    PyEval_RestoreThread(self->thread);
    bool good = true;
    if (!fresh->key) {
        PyErr_NoMemory();
        good = false;
    } else {
        memcpy(fresh->key, key, length);
        fresh->key_length = length;
        good = ask_for_start(self, text, values, fresh);
    }
    if (!good) {
        PyMem_RawFree(fresh->key);
    }
    self->thread = PyEval_SaveThread();
    if (!good) {
        return FAILED_START;
    }
    *number = (uint32_t)self->start_count++;
    *out = fresh->start;
    return fresh->status;
}

/* --- Objects -------------------------------------------------------------- */

static PyObject *make_text(const char *text, Slice part)
{
    return PyUnicode_DecodeUTF8(text + part.start, part.length, "strict");
}

static uint32_t hash_text(const char *text, Slice part)
{
    uint32_t hash = part.length;
    for (uint32_t i = 0; i < part.length; i++) {
        hash = hash * 31 + (unsigned char)text[part.start + i];
    }
    return hash;
}

/* The name of a header: the same few come again and again. */
static PyObject *make_name(Scanner *self, const char *text, Slice name)
{
    PyObject **known = &self->names[hash_text(text, name) % NAME_CACHE];
    if (*known && (size_t)PyUnicode_GET_LENGTH(*known) == name.length
        && memcmp(PyUnicode_1BYTE_DATA(*known), text + name.start, name.length) == 0) {
        return Py_NewRef(*known);
    }
    PyObject *made = make_text(text, name); /* Is ASCII. */
    if (made) {
        Py_XSETREF(*known, Py_NewRef(made));
    }
    return made;
}

static PyObject *make_headers(Scanner *self, const char *text, const Game *game)
{
    PyObject *headers = PyDict_New();
    for (uint32_t i = 0; headers && i < game->header_count; i++) {
        const Header *header = &self->games.headers[game->first_header + i];
        PyObject *name = make_name(self, text, header->name);
        PyObject *value = name ? make_text(text, header->value) : NULL;
        if (!value || PyDict_SetItem(headers, name, value) < 0) {
            Py_CLEAR(headers);
        }
        Py_XDECREF(name);
        Py_XDECREF(value);
    }
    return headers;
}

static PyObject *make_moves(const Scanner *self, const Game *game)
{
    PyObject *list = PyList_New(game->move_count);
    for (uint32_t i = 0; list && i < game->move_count; i++) {
        PyObject *move = shared_move(self->games.moves[game->first_move + i]);
        if (move) {
            PyList_SET_ITEM(list, i, move);
        } else {
            Py_CLEAR(list);
        }
    }
    return list;
}

/* Has Python play the game to its end. */
static PyObject *ask_for_ending(const Scanner *self, const Game *game)
{
    PyObject *moves = make_moves(self, game);
    PyObject *made =
        moves ? PyObject_CallFunctionObjArgs(self->find_ending, self->starts[game->start].board, moves, NULL) : NULL;
    Py_XDECREF(moves);
    if (made && (!PyTuple_Check(made) || PyTuple_GET_SIZE(made) != 2)) {
        PyErr_SetString(PyExc_TypeError, "expected a pair of outcome and ending");
        Py_CLEAR(made);
    }
    return made;
}

/* How the game ended: a pair of outcome and words. */
static PyObject *make_ending(Scanner *self, const Game *game)
{
    const KnownStart *start = &self->starts[game->start];
    const bool is_known = start->knows_endings && game->ending != OTHER_ENDING;
    if (is_known && game->ending == GOES_ON) {
        return PyTuple_Pack(2, Py_None, Py_None);
    }
    /* Games that end alike end in the same words. */
    PyObject *key = PyLong_FromLong((game->ending * 2 + game->turn) * 64 + game->king);
    PyObject *made = key && is_known ? Py_XNewRef(PyDict_GetItemWithError(self->endings, key)) : NULL;
    if (key && !made && !PyErr_Occurred()) {
        made = ask_for_ending(self, game);
        if (made && is_known && PyDict_SetItem(self->endings, key, made) < 0) {
            Py_CLEAR(made);
        }
    }
    Py_XDECREF(key);
    return made;
}

static const char *const RESULTS[] = {"Result", "1-0", "0-1", "1/2-1/2", "*"}; /* By Result. */

/* The Result header, unless it says nothing. */
static PyObject *make_result(const Scanner *self, const char *text, const Game *game)
{
    int result = game->result ? game->result : UNKNOWN_RESULT;
    for (uint32_t i = 0; i < game->header_count; i++) {
        const Header *header = &self->games.headers[game->first_header + i];
        if (header->name.length != 6 || memcmp(text + header->name.start, RESULTS[0], 6) != 0
            || (header->value.length == 1 && text[header->value.start] == '*')) {
            continue;
        }
        for (result = DRAW; result; result--) {
            if (header->value.length == strlen(RESULTS[result])
                && memcmp(text + header->value.start, RESULTS[result], header->value.length) == 0) {
                break;
            }
        }
        if (!result) {
            return make_text(text, header->value);
        }
    }
    return Py_NewRef(self->results[result]);
}

/* The texts of comments, joined where several follow a move: before the first move and after each. */
static PyObject *make_comments(const Scanner *self, const char *text, const Game *game)
{
    PyObject *list = PyList_New(game->move_count + 1);
    PyObject *empty = PyUnicode_FromString("");
    for (uint32_t i = 0; list && i <= game->move_count; i++) {
        PyList_SET_ITEM(list, i, Py_XNewRef(empty));
    }
    for (uint32_t i = 0; list && i < game->event_count; i++) {
        const Event *event = &self->games.events[game->first_event + i];
        if (event->kind != EVENT_COMMENT || !event->text.length) {
            continue;
        }
        PyObject *before = PyList_GET_ITEM(list, event->value);
        PyObject *comment = make_text(text, event->text);
        if (comment && PyUnicode_GET_LENGTH(before)) {
            Py_SETREF(comment, PyUnicode_FromFormat("%U %U", before, comment));
        }
        if (!comment || PyList_SetItem(list, event->value, comment) < 0) {
            Py_CLEAR(list);
        }
    }
    Py_XDECREF(empty);
    return list;
}

/* A number of up to six digits. */
static bool scan_number(const char **text, long *out)
{
    const char *start = *text;
    *out = 0;
    while ('0' <= **text && **text <= '9' && *text - start < 6) {
        *out = 10 * *out + (*(*text)++ - '0');
    }
    return *text > start;
}

/* As record._clock for its usual form, [%clk 0:02:59]. False for any other. */
static bool scan_clock(const char *text, double *out)
{
    long hours, minutes, seconds;
    if (strncmp(text, "[%clk ", 6) != 0) {
        return false;
    }
    text += 6;
    if (!scan_number(&text, &hours) || *text++ != ':' || !scan_number(&text, &minutes) || *text++ != ':'
        || !scan_number(&text, &seconds) || *text != ']') {
        return false;
    }
    *out = (double)(3600 * hours + 60 * minutes + seconds);
    return true;
}

/* Where a text that ends in NUL has a tag such as "[%clk", or NULL. */
static const char *find_tag(const char *text, const char *tag)
{
    while (text && (text[1] != '%' || text[2] != tag[2] || strncmp(text, tag, strlen(tag)) != 0)) {
        text = strchr(text + 1, '[');
    }
    return text;
}

/* Fills lists of clocks and evaluations. What is not of the usual form, or not there, is left to Python. */
static bool fill_remarks(const Scanner *self, PyObject *comments, PyObject *clocks, PyObject *evaluations)
{
    for (Py_ssize_t i = 1; i < PyList_GET_SIZE(comments); i++) {
        PyObject *comment = PyList_GET_ITEM(comments, i);
        const char *text = PyUnicode_AsUTF8(comment);
        if (!text) {
            return false;
        }
        const char *tags = strchr(text, '[');
        const char *clock = find_tag(tags, "[%clk");
        double seconds;
        PyObject *made = !clock                  ? Py_NewRef(Py_None)
            : scan_clock(clock, &seconds)        ? PyFloat_FromDouble(seconds)
                                                 : PyObject_CallOneArg(self->read_clock, comment);
        PyObject *evaluation = !made         ? NULL
            : find_tag(tags, "[%eval")       ? PyObject_CallOneArg(self->read_evaluation, comment)
                                             : Py_NewRef(Py_None);
        if (!evaluation) {
            Py_XDECREF(made);
            return false;
        }
        PyList_SET_ITEM(clocks, i - 1, made);
        PyList_SET_ITEM(evaluations, i - 1, evaluation);
    }
    return true;
}

/* --- Records -------------------------------------------------------------- */

/* The order of the fields of pgn.record.Record. */
enum {
    FIELD_NUMBER,
    FIELD_LINE,
    FIELD_HEADERS,
    FIELD_VARIANT,
    FIELD_VARIANT_SOURCE,
    FIELD_FEN,
    FIELD_CHESS960,
    FIELD_MOVES,
    FIELD_RESULT,
    FIELD_OUTCOME,
    FIELD_ENDING,
    FIELD_ERRORS,
    FIELD_SOURCE,
    FIELD_COMMENTS,
    FIELD_CLOCKS,
    FIELD_EVALUATIONS,
    FIELD_COUNT
};

static bool fill_fields(
    Scanner *self, const char *text, const Game *game, Py_ssize_t number, Py_ssize_t line, PyObject **fields)
{
    PyObject *start = self->starts[game->start].fields;
    if (PyTuple_GET_SIZE(start) != FIELD_CHESS960 - FIELD_VARIANT + 1) {
        PyErr_SetString(PyExc_TypeError, "expected variant, variant source, FEN and chess960");
        return false;
    }
    for (int i = 0; i < PyTuple_GET_SIZE(start); i++) {
        fields[FIELD_VARIANT + i] = Py_NewRef(PyTuple_GET_ITEM(start, i));
    }
    if (!(fields[FIELD_NUMBER] = PyLong_FromSsize_t(number)) || !(fields[FIELD_LINE] = PyLong_FromSsize_t(line))
        || !(fields[FIELD_HEADERS] = make_headers(self, text, game)) || !(fields[FIELD_MOVES] = make_moves(self, game))
        || !(fields[FIELD_RESULT] = make_result(self, text, game))
        || !(fields[FIELD_ERRORS] = PyList_New(0))) {
        return false;
    }
    PyObject *ending = make_ending(self, game);
    if (!ending) {
        return false;
    }
    fields[FIELD_SOURCE] = Py_NewRef(self->source);
    fields[FIELD_OUTCOME] = Py_NewRef(PyTuple_GET_ITEM(ending, 0));
    fields[FIELD_ENDING] = Py_NewRef(PyTuple_GET_ITEM(ending, 1));
    Py_DECREF(ending);
    if (!self->games.keep_comments) {
        return true;
    }
    return (fields[FIELD_COMMENTS] = make_comments(self, text, game))
        && (fields[FIELD_CLOCKS] = PyList_New(game->move_count))
        && (fields[FIELD_EVALUATIONS] = PyList_New(game->move_count))
        && fill_remarks(self, fields[FIELD_COMMENTS], fields[FIELD_CLOCKS], fields[FIELD_EVALUATIONS]);
}

static PyObject *make_record(Scanner *self, const char *text, const Game *game, Py_ssize_t number, Py_ssize_t line)
{
    PyObject *fields[FIELD_COUNT] = {NULL};
    PyObject *record = NULL;
    if (fill_fields(self, text, game, number, line, fields)) {
        const size_t count = self->games.keep_comments ? FIELD_COUNT : FIELD_COMMENTS;
        record = PyObject_Vectorcall(self->record_class, fields, count, NULL);
    }
    for (int i = 0; i < FIELD_COUNT; i++) {
        Py_XDECREF(fields[i]);
    }
    return record;
}

/* --- Columns -------------------------------------------------------------- */

/* Makes bytes of one number per game. */
#define COLUMN(type, expression)                                                    \
    PyObject *column = PyBytes_FromStringAndSize(NULL, (Py_ssize_t)(count * sizeof(type))); \
    for (size_t i = 0; column && i < count; i++) {                                  \
        const Game *game = &self->games.games[i];                                   \
        ((type *)PyBytes_AS_STRING(column))[i] = (type)(expression);                \
    }                                                                               \
    return column

static PyObject *line_column(const Scanner *self, size_t count, Py_ssize_t line)
{
    COLUMN(int64_t, line + (Py_ssize_t)game->line);
}

static PyObject *length_column(const Scanner *self, size_t count)
{
    COLUMN(int64_t, game->move_count);
}

/*
 * The values of one header in all games, one after the other, with their
 * lengths; -1 where a game has no such header.
 */
typedef struct {
    Slice name;
    char *data;
    int32_t *lengths;
    size_t size, room;
} Column;

/* More names than these make tables that are too wide. */
#define MAX_COLUMNS 512
#define COLUMN_SLOTS 2048

typedef struct {
    Column columns[MAX_COLUMNS];
    size_t count;
    bool is_too_wide, has_no_memory;
    uint16_t slots[COLUMN_SLOTS]; /* The number of a column, from 1, by the hash of its name. */
} Columns;

/* The column of a name, made if there is none. NULL if that cannot be. */
static Column *find_column(Columns *all, const char *text, Slice name, size_t game_count)
{
    uint32_t slot = hash_text(text, name) % COLUMN_SLOTS;
    for (; all->slots[slot]; slot = (slot + 1) % COLUMN_SLOTS) {
        Column *column = &all->columns[all->slots[slot] - 1];
        if (column->name.length == name.length
            && memcmp(text + column->name.start, text + name.start, name.length) == 0) {
            return column;
        }
    }
    if (all->count == MAX_COLUMNS) {
        all->is_too_wide = true;
        return NULL;
    }
    Column *column = &all->columns[all->count];
    column->lengths = PyMem_RawMalloc(game_count * sizeof(int32_t));
    if (!column->lengths) {
        all->has_no_memory = true;
        return NULL;
    }
    memset(column->lengths, 0xff, game_count * sizeof(int32_t));
    column->name = name;
    all->slots[slot] = (uint16_t)++all->count;
    return column;
}

static bool append(Column *column, const char *value, uint32_t length)
{
    if (column->room - column->size < length) {
        size_t room = 2 * column->room + length + 256;
        char *data = PyMem_RawRealloc(column->data, room);
        if (!data) {
            return false;
        }
        column->data = data;
        column->room = room;
    }
    memcpy(column->data + column->size, value, length);
    column->size += length;
    return true;
}

/* Sorts the headers of all games into columns. Called while other threads run. */
static Columns *sort_headers(const Games *games, const char *text)
{
    Columns *all = PyMem_RawCalloc(1, sizeof(Columns));
    for (size_t i = 0; all && i < games->game_count; i++) {
        const Game *game = &games->games[i];
        for (uint32_t j = 0; j < game->header_count; j++) {
            const Header *header = &games->headers[game->first_header + j];
            Column *column = find_column(all, text, header->name, games->game_count);
            if (!column) {
                return all;
            }
            if (!append(column, text + header->value.start, header->value.length)) {
                all->has_no_memory = true;
                return all;
            }
            column->lengths[i] = (int32_t)header->value.length;
        }
    }
    return all;
}

static void free_columns(Columns *all)
{
    for (size_t i = 0; all && i < all->count; i++) {
        PyMem_RawFree(all->columns[i].data);
        PyMem_RawFree(all->columns[i].lengths);
    }
    PyMem_RawFree(all);
}

/* {name: (values, lengths)} */
static PyObject *header_columns(Scanner *self, const char *text, const Columns *all)
{
    if (!all || all->has_no_memory) {
        return PyErr_NoMemory();
    }
    if (all->is_too_wide) {
        PyErr_SetString(PyExc_OverflowError, "too many different headers");
        return NULL;
    }
    PyObject *result = PyDict_New();
    for (size_t i = 0; result && i < all->count; i++) {
        const Column *column = &all->columns[i];
        PyObject *name = make_name(self, text, column->name);
        PyObject *pair = name ? Py_BuildValue("(y#y#)", column->data ? column->data : "", (Py_ssize_t)column->size,
                                    (const char *)column->lengths, (Py_ssize_t)(self->games.game_count * sizeof(int32_t)))
                              : NULL;
        if (!pair || PyDict_SetItem(result, name, pair) < 0) {
            Py_CLEAR(result);
        }
        Py_XDECREF(name);
        Py_XDECREF(pair);
    }
    return result;
}

/* Lists of what each game has from its starting position, its ending and its result. */
static bool fill_lists(Scanner *self, const char *text, size_t count, PyObject *starts, PyObject *outcomes,
    PyObject *endings, PyObject *results)
{
    for (size_t i = 0; i < count; i++) {
        const Game *game = &self->games.games[i];
        const KnownStart *start = &self->starts[game->start];
        PyObject *ending = make_ending(self, game);
        if (!ending) {
            return false;
        }
        PyList_SET_ITEM(outcomes, (Py_ssize_t)i, Py_NewRef(PyTuple_GET_ITEM(ending, 0)));
        PyList_SET_ITEM(endings, (Py_ssize_t)i, Py_NewRef(PyTuple_GET_ITEM(ending, 1)));
        PyList_SET_ITEM(starts, (Py_ssize_t)i, Py_NewRef(start->fields));
        Py_DECREF(ending);
        PyObject *result = make_result(self, text, game);
        if (!result) {
            return false;
        }
        PyList_SET_ITEM(results, (Py_ssize_t)i, result);
    }
    return true;
}

/* (lines, lengths, moves, headers, starts, outcomes, endings, results) */
static PyObject *make_columns(Scanner *self, const char *text, Py_ssize_t line, const Columns *columns)
{
    const size_t count = self->games.game_count;
    PyObject *parts[8] = {NULL};
    PyObject *result = NULL;
    for (int i = 4; i < 8; i++) {
        if (!(parts[i] = PyList_New((Py_ssize_t)count))) {
            goto done;
        }
    }
    if ((parts[0] = line_column(self, count, line)) && (parts[1] = length_column(self, count))
        && (parts[2] = PyBytes_FromStringAndSize(
                (const char *)self->games.moves, (Py_ssize_t)(self->games.move_count * sizeof(Move))))
        && (parts[3] = header_columns(self, text, columns))
        && fill_lists(self, text, count, parts[4], parts[5], parts[6], parts[7])) {
        result = PyTuple_New(8);
        for (int i = 0; result && i < 8; i++) {
            PyTuple_SET_ITEM(result, i, Py_NewRef(parts[i]));
        }
    }
done:
    for (int i = 0; i < 8; i++) {
        Py_XDECREF(parts[i]);
    }
    return result;
}

/* --- Trees ---------------------------------------------------------------- */

/*
 * What stands in the moves: moves, texts of comments, numbers of signs, True and
 * False where a variation begins and ends.
 */
static PyObject *make_events(const Scanner *self, const char *text, const Game *game)
{
    PyObject *list = PyList_New(game->event_count);
    for (uint32_t i = 0; list && i < game->event_count; i++) {
        const Event *event = &self->games.events[game->first_event + i];
        PyObject *item = event->kind == EVENT_MOVE ? shared_move((Move)event->value)
            : event->kind == EVENT_COMMENT         ? make_text(text, event->text)
            : event->kind == EVENT_SIGN            ? PyLong_FromLong((long)event->value)
                                                   : PyBool_FromLong(event->kind == EVENT_OPEN);
        if (item) {
            PyList_SET_ITEM(list, i, item);
        } else {
            Py_CLEAR(list);
        }
    }
    return list;
}

/* (line, headers, events, result after the moves or None) */
static PyObject *make_tree(Scanner *self, const char *text, const Game *game, Py_ssize_t line)
{
    PyObject *headers = make_headers(self, text, game);
    PyObject *events = headers ? make_events(self, text, game) : NULL;
    PyObject *tree = events
        ? Py_BuildValue("(nOOO)", line, headers, events, game->result ? self->results[game->result] : Py_None)
        : NULL;
    Py_XDECREF(headers);
    Py_XDECREF(events);
    return tree;
}

/* --- The type ------------------------------------------------------------- */

typedef enum { RECORDS, COLUMNS, TREES } Form;

static PyObject *make_list(Scanner *self, const char *text, Form form, Py_ssize_t number, Py_ssize_t line)
{
    PyObject *list = PyList_New((Py_ssize_t)self->games.game_count);
    for (size_t i = 0; list && i < self->games.game_count; i++) {
        const Game *game = &self->games.games[i];
        PyObject *item = form == RECORDS
            ? make_record(self, text, game, number + (Py_ssize_t)i, line + (Py_ssize_t)game->line)
            : make_tree(self, text, game, line + (Py_ssize_t)game->line);
        if (item) {
            PyList_SET_ITEM(list, (Py_ssize_t)i, item);
        } else {
            Py_CLEAR(list);
        }
    }
    return list;
}

static PyObject *run(Scanner *self, const char *text, Py_ssize_t length, Py_ssize_t position, Form form, int is_all,
    Py_ssize_t number, Py_ssize_t line, Py_ssize_t limit)
{
    Games *games = &self->games;
    games->game_count = games->header_count = games->move_count = games->event_count = 0;
    games->keep_events = form == TREES;
    if (self->start_count + (size_t)limit > MAX_STARTS) {
        forget_starts(self);
    }
    size_t end = (size_t)position;
    uint32_t lines = 0;
    self->thread = PyEval_SaveThread();
    Stop stop = read_games(games, text, (size_t)length, is_all, (size_t)limit, find_start, self, &end, &lines);
    Columns *columns = form == COLUMNS ? sort_headers(games, text) : NULL;
    PyEval_RestoreThread(self->thread);
    PyObject *output = NULL;
    if (stop == STOPPED_NO_MEMORY) {
        PyErr_NoMemory();
    } else if (stop != STOPPED_FAILED) {
        output = form == COLUMNS ? make_columns(self, text, line, columns) : make_list(self, text, form, number, line);
    }
    free_columns(columns);
    const Py_ssize_t count = (Py_ssize_t)games->game_count;
    return output
        ? Py_BuildValue("(NnnnO)", output, count, (Py_ssize_t)end, line + (Py_ssize_t)lines,
              stop == STOPPED_UNUSUAL ? Py_True : Py_False)
        : NULL;
}

static PyObject *scanner_scan(PyObject *object, PyObject *args)
{
    Scanner *self = (Scanner *)object;
    PyObject *text;
    Py_ssize_t position, number, line, limit;
    const char *form_name;
    int is_all;
    if (!PyArg_ParseTuple(args, "Snspnnn:scan", &text, &position, &form_name, &is_all, &number, &line, &limit)) {
        return NULL;
    }
    Form form = strcmp(form_name, "records") == 0 ? RECORDS : strcmp(form_name, "columns") == 0 ? COLUMNS : TREES;
    if (position < 0 || position > PyBytes_GET_SIZE(text) || limit < 1 || limit > MAX_STARTS) {
        PyErr_SetString(PyExc_ValueError, "position or limit out of range");
        return NULL;
    }
    if (self->is_busy) {
        PyErr_SetString(PyExc_RuntimeError, "a scanner serves one thread at a time");
        return NULL;
    }
    self->is_busy = true;
    PyObject *result = run(
        self, PyBytes_AS_STRING(text), PyBytes_GET_SIZE(text), position, form, is_all, number, line, limit);
    self->is_busy = false;
    return result;
}

static int scanner_clear(PyObject *object)
{
    Scanner *self = (Scanner *)object;
    Py_CLEAR(self->find_start);
    Py_CLEAR(self->find_ending);
    Py_CLEAR(self->read_clock);
    Py_CLEAR(self->read_evaluation);
    Py_CLEAR(self->record_class);
    Py_CLEAR(self->source);
    Py_CLEAR(self->endings);
    for (int i = 0; i < NAME_CACHE; i++) {
        Py_CLEAR(self->names[i]);
    }
    for (int i = 0; i <= UNKNOWN_RESULT; i++) {
        Py_CLEAR(self->results[i]);
    }
    if (self->starts) {
        forget_starts(self);
    }
    return 0;
}

static int scanner_traverse(PyObject *object, visitproc visit, void *arg)
{
    Scanner *self = (Scanner *)object;
    Py_VISIT(self->find_start);
    Py_VISIT(self->find_ending);
    Py_VISIT(self->read_clock);
    Py_VISIT(self->read_evaluation);
    Py_VISIT(self->record_class);
    Py_VISIT(self->endings);
    if (!self->is_busy) {
        for (size_t i = 0; i < self->start_count; i++) {
            Py_VISIT(self->starts[i].board);
            Py_VISIT(self->starts[i].fields);
        }
    }
    return 0;
}

static void scanner_dealloc(PyObject *object)
{
    Scanner *self = (Scanner *)object;
    PyObject_GC_UnTrack(object);
    scanner_clear(object);
    PyMem_Free(self->starts);
    clear_games(&self->games);
    Py_TYPE(object)->tp_free(object);
}

static PyObject *scanner_new(PyTypeObject *type, PyObject *args, PyObject *Py_UNUSED(keywords))
{
    PyObject *start, *ending, *clock, *evaluation, *record, *source, *endings;
    int comments;
    if (!PyArg_ParseTuple(args, "OOOOOOO!p:Scanner", &start, &ending, &clock, &evaluation, &record, &source,
            &PyDict_Type, &endings, &comments)) {
        return NULL;
    }
    Scanner *self = (Scanner *)type->tp_alloc(type, 0);
    if (!self) {
        return NULL;
    }
    self->find_start = Py_NewRef(start);
    self->find_ending = Py_NewRef(ending);
    self->read_clock = Py_NewRef(clock);
    self->read_evaluation = Py_NewRef(evaluation);
    self->record_class = Py_NewRef(record);
    self->source = Py_NewRef(source);
    self->endings = Py_NewRef(endings);
    self->games.keep_comments = comments;
    for (int i = 0; i <= UNKNOWN_RESULT; i++) {
        if (!(self->results[i] = PyUnicode_InternFromString(RESULTS[i]))) {
            Py_DECREF(self);
            return NULL;
        }
    }
    self->starts = PyMem_New(KnownStart, MAX_STARTS);
    if (!self->starts) {
        Py_DECREF(self);
        return PyErr_NoMemory();
    }
    return (PyObject *)self;
}

static PyMethodDef scanner_methods[] = {
    {"scan", scanner_scan, METH_VARARGS, NULL},
    {NULL, NULL, 0, NULL},
};

PyTypeObject ScannerType = {
    PyVarObject_HEAD_INIT(NULL, 0)
    .tp_name = "atomic_variant._kernel.Scanner",
    .tp_basicsize = sizeof(Scanner),
    .tp_flags = Py_TPFLAGS_DEFAULT | Py_TPFLAGS_HAVE_GC,
    .tp_new = scanner_new,
    .tp_dealloc = scanner_dealloc,
    .tp_traverse = scanner_traverse,
    .tp_clear = scanner_clear,
    .tp_methods = scanner_methods,
};
