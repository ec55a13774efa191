#include <math.h>
#include <string.h>

#include "remarks.h"

const char *find_tag(const char *text, size_t length, const char *tag)
{
    const size_t size = strlen(tag);
    const char *const end = text + length;
    for (const char *at = text; (at = memchr(at, '[', (size_t)(end - at))); at++) {
        if ((size_t)(end - at) >= size && memcmp(at, tag, size) == 0) {
            return at;
        }
    }
    return NULL;
}

/* A number of up to *most* digits, at least one. */
static bool scan_number(const char **text, int most, long *out)
{
    const char *start = *text;
    *out = 0;
    while ('0' <= **text && **text <= '9' && *text - start < most) {
        *out = 10 * *out + (*(*text)++ - '0');
    }
    return *text > start;
}

static bool take(const char **text, char expected) { return **text == expected ? ++*text, true : false; }

bool scan_clock(const char *tag, double *out)
{
    long hours, minutes, seconds;
    if (strncmp(tag, "[%clk ", 6) != 0) {
        return false;
    }
    tag += 6;
    if (!scan_number(&tag, 6, &hours) || !take(&tag, ':') || !scan_number(&tag, 6, &minutes) || !take(&tag, ':')
        || !scan_number(&tag, 6, &seconds) || *tag != ']') {
        return false;
    }
    *out = 3600.0 * (double)hours + 60.0 * (double)minutes + (double)seconds;
    return true;
}

bool scan_evaluation(const char *tag, double *out)
{
    long whole, part;
    if (strncmp(tag, "[%eval ", 7) != 0) {
        return false;
    }
    tag += 7;
    const bool is_mate = take(&tag, '#');
    const bool is_negative = *tag == '-';
    tag += *tag == '-' || *tag == '+';
    if (!scan_number(&tag, 5, &whole)) {
        return false;
    }
    if (is_mate) {
        *out = (double)(MATE_SCORE - whole);
    } else {
        const char *const dot = tag;
        if (!take(&tag, '.') || !scan_number(&tag, 2, &part)) {
            return false;
        }
        *out = (double)(100 * whole + (tag - dot == 2 ? 10 * part : part));
    }
    if (is_negative && !(is_mate && whole == 0)) {
        *out = -*out;
    }
    return *tag == ']';
}

/* Hours and minutes may be missing. */
static bool scan_elapsed(const char *tag, double *out)
{
    long parts[3] = {0, 0, 0};
    int count = 0;
    tag += strlen("[%emt ");
    do {
        const char *const start = tag;
        if (!scan_number(&tag, 6, &parts[count++])) {
            return false;
        }
        if (*tag == ':' && tag - start > 4) {
            return false; /* Only seconds may have more digits. */
        }
    } while (count < 3 && take(&tag, ':'));
    double value = 0;
    for (int i = 0; i < count; i++) {
        value = 60 * value + (double)parts[i];
    }
    if (take(&tag, '.')) {
        long digits = 0;
        const char *const start = tag;
        if (scan_number(&tag, 6, &digits)) {
            double scale = 1;
            for (const char *at = start; at < tag; at++) {
                scale *= 10;
            }
            value += (double)digits / scale;
        }
    }
    *out = value;
    return *tag == ']';
}

double find_elapsed(const char *text, size_t length)
{
    const char *const end = text + length;
    const char *tag = text;
    while ((tag = find_tag(tag, (size_t)(end - tag), "[%emt "))) {
        double value;
        if (scan_elapsed(tag, &value)) {
            return value;
        }
        tag++;
    }
    return NAN;
}

bool read_remarks(const char *text, size_t length, Remarks *out)
{
    *out = (Remarks){NAN, NAN, NAN};
    if (!find_tag(text, length, "[%")) {
        return true;
    }
    const char *const clock = find_tag(text, length, "[%clk");
    const char *const evaluation = find_tag(text, length, "[%eval");
    out->elapsed = find_elapsed(text, length);
    return (!clock || scan_clock(clock, &out->clock)) && (!evaluation || scan_evaluation(evaluation, &out->evaluation));
}
