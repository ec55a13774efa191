/* What programs write into comments: clocks, times and evaluations. */

#ifndef ATOMIC_VARIANT_REMARKS_H
#define ATOMIC_VARIANT_REMARKS_H

#include <stdbool.h>
#include <stddef.h>

/* Each NaN where there is none. */
typedef struct {
    double clock;      /* In seconds. */
    double elapsed;    /* By this move, in seconds. */
    double evaluation; /* In centipawns for White; mate in k is MATE_SCORE - k. */
} Remarks;

#define MATE_SCORE 100000 /* As positions._games.MATE_SCORE. */

/* Where in the text a tag such as "[%clk" stands first, or NULL. */
const char *find_tag(const char *text, size_t length, const char *tag);

/*
 * These read a tag in its usual form, [%clk 0:02:59], [%eval -0.35] or [%eval #3].
 * False for any other. A comment ends in a character that is part of no tag.
 */
bool scan_clock(const char *tag, double *out);
bool scan_evaluation(const char *tag, double *out);

/* As _remarks.elapsed_time: all forms of [%emt 2.5]. */
double find_elapsed(const char *text, size_t length);

/* All remarks of one comment. False if a tag is not of the usual form: Python knows. */
bool read_remarks(const char *text, size_t length, Remarks *out);

#endif
