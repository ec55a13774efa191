#include "perft.h"

/* So many positions take some milliseconds. */
#define POLL_INTERVAL 100000

uint64_t perft(const Position *position, int depth, Interrupt *interrupt)
{
    if (interrupt->until_poll-- == 0) {
        interrupt->until_poll = POLL_INTERVAL;
        interrupt->stopped = interrupt->stopped || interrupt->poll(interrupt->context);
    }
    Spans list;
    generate_spans(position, BB_ALL, BB_ALL, &list);
    if (depth == 1) {
        return (uint64_t)count_moves(&list); /* The last move is only counted. */
    }
    uint64_t nodes = 0;
    for (int i = 0; i < list.length; i++) {
        Move moves[MAX_SPAN_MOVES];
        Move *end = write_span(&list.spans[i], moves);
        for (const Move *move = moves; move < end && !interrupt->stopped; move++) {
            Position child = *position;
            make_move(&child, *move);
            nodes += perft(&child, depth - 1, interrupt);
        }
    }
    return nodes;
}
