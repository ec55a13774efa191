/* Records and trees of games that have been read. */

#include "movetext.h"
#include "remarks.h"
#include "scanner.h"

/* --- Objects -------------------------------------------------------------- */

/* The name of a header: the same few come again and again. */
PyObject *make_name(Scanner *self, const char *text, Slice name)
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
    PyObject *list = new_hidden_list(game->move_count);
    for (uint32_t i = 0; list && i < game->move_count; i++) {
        PyObject *move = shared_move(self->kernel, self->games.moves[game->first_move + i]);
        if (move) {
            PyList_SET_ITEM(list, i, move);
        } else {
            Py_CLEAR(list);
        }
    }
    return show_list(list);
}

/* Has Python play the game to its end. */
static PyObject *ask_for_ending(const Scanner *self, const Game *game, PyObject *result)
{
    PyObject *moves = make_moves(self, game);
    PyObject *board = self->starts[game->start].board;
    PyObject *made = moves ? PyObject_CallFunctionObjArgs(self->find_ending, board, moves, result, NULL) : NULL;
    Py_XDECREF(moves);
    return made;
}

/* How the game ended. Games that end alike share what Python made of the first. */
PyObject *make_ending(Scanner *self, const Game *game, PyObject *result)
{
    const KnownStart *start = &self->starts[game->start];
    int ending = game->ending;
    if (ending == CLAIMABLE || ending == REPEATED) {
        const bool is_drawn = result == self->results[DRAW];
        ending = !is_drawn ? GOES_ON : ending == REPEATED ? REPEATED : OTHER_ENDING;
    }
    if (!start->knows_endings || ending == OTHER_ENDING) {
        return ask_for_ending(self, game, result);
    }
    PyObject *key = PyLong_FromLong(ending == GOES_ON ? 0 : (ending * 2 + game->turn) * 64 + game->king);
    PyObject *made = key ? Py_XNewRef(PyDict_GetItemWithError(start->endings, key)) : NULL;
    if (key && !made && !PyErr_Occurred()) {
        made = ask_for_ending(self, game, result);
        if (made && PyDict_SetItem(start->endings, key, made) < 0) {
            Py_CLEAR(made);
        }
    }
    Py_XDECREF(key);
    return made;
}

const char *const RESULT_TEXTS[] = {"", "1-0", "0-1", "1/2-1/2", "*"};

PyObject *join_comments(const Scanner *self, const char *text, uint32_t first, uint32_t end, uint32_t *next)
{
    const Event *events = self->games.events;
    size_t length = 0;
    uint32_t count = 0;
    for (*next = first; *next < end && events[*next].value == events[first].value; ++*next) {
        length += events[*next].text.length;
        count += events[*next].text.length != 0;
    }
    if (count < 2) {
        for (uint32_t i = first; i < *next; i++) {
            if (events[i].text.length) {
                return make_text(text, events[i].text);
            }
        }
        return PyUnicode_FromString("");
    }
    char *joined = PyMem_Malloc(length + count);
    if (!joined) {
        return PyErr_NoMemory();
    }
    char *to = joined;
    for (uint32_t i = first; i < *next; i++) {
        if (events[i].text.length) {
            if (to > joined) {
                *to++ = ' ';
            }
            memcpy(to, text + events[i].text.start, events[i].text.length);
            to += events[i].text.length;
        }
    }
    PyObject *made = PyUnicode_DecodeUTF8(joined, to - joined, "strict");
    PyMem_Free(joined);
    return made;
}

/* The texts of comments: before the first move and after each. All events of a record are comments, in their order. */
static PyObject *make_comments(const Scanner *self, const char *text, const Game *game)
{
    PyObject *list = new_hidden_list((Py_ssize_t)game->move_count + 1);
    uint32_t i = game->first_event;
    const uint32_t end = i + game->event_count;
    for (uint32_t ply = 0; list && ply <= game->move_count; ply++) {
        const bool is_commented = i < end && self->games.events[i].value == ply;
        PyObject *comment = is_commented ? join_comments(self, text, i, end, &i) : PyUnicode_FromStringAndSize("", 0);
        if (comment) {
            PyList_SET_ITEM(list, ply, comment);
        } else {
            Py_CLEAR(list);
        }
    }
    return show_list(list);
}

/* The text of the comments after the last move. */
static PyObject *make_last_comment(const Scanner *self, const char *text, const Game *game)
{
    const uint32_t end = game->first_event + game->event_count;
    uint32_t i = end;
    while (i > game->first_event && self->games.events[i - 1].kind == EVENT_COMMENT
        && self->games.events[i - 1].value == game->move_count) {
        i--;
    }
    return i < end ? join_comments(self, text, i, end, &i) : PyUnicode_FromString("");
}

static bool set_item(PyObject *list, Py_ssize_t index, PyObject *item)
{
    return item && PyList_SetItem(list, index, item) == 0;
}

/* The clock that a comment tells from *tag* on. */
static PyObject *make_clock(const Scanner *self, PyObject *comment, const char *tag)
{
    double seconds;
    return scan_clock(tag, &seconds) ? PyFloat_FromDouble(seconds) : PyObject_CallOneArg(self->read_clock, comment);
}

/* A list of None. */
static PyObject *make_nones(Py_ssize_t count)
{
    PyObject *list = new_hidden_list(count);
    for (Py_ssize_t i = 0; list && i < count; i++) {
        PyList_SET_ITEM(list, i, Py_NewRef(Py_None));
    }
    return show_list(list);
}

/*
 * Sets clocks and evaluations in lists of None. What is not of the usual form is
 * left to Python, which may do to the lists what it likes.
 */
static bool set_remarks(const Scanner *self, PyObject *comments, PyObject *clocks, PyObject *evaluations)
{
    for (Py_ssize_t i = 1; i < PyList_GET_SIZE(comments); i++) {
        if (PyUnicode_GetLength(PyList_GET_ITEM(comments, i)) == 0) {
            continue; /* Most games have few comments. */
        }
        PyObject *comment = Py_NewRef(PyList_GET_ITEM(comments, i));
        Py_ssize_t length;
        const char *text = PyUnicode_AsUTF8AndSize(comment, &length);
        const char *clock = text ? find_tag(text, (size_t)length, "[%clk") : NULL;
        const char *evaluation = text ? find_tag(text, (size_t)length, "[%eval") : NULL;
        bool good = text && (!clock || set_item(clocks, i - 1, make_clock(self, comment, clock)))
            && (!evaluation
                || set_item(evaluations, i - 1, PyObject_CallOneArg(self->read_evaluation, comment)));
        Py_DECREF(comment);
        if (!good) {
            return false;
        }
    }
    return true;
}

/* --- Records -------------------------------------------------------------- */

/* The fields of pgn.record.Record, in their order. */
#define RECORD_FIELDS(FIELD) \
    FIELD(NUMBER, "number") \
    FIELD(LINE, "line") \
    FIELD(HEADERS, "headers") \
    FIELD(VARIANT, "variant") \
    FIELD(VARIANT_SOURCE, "variant_source") \
    FIELD(FEN, "fen") \
    FIELD(CHESS960, "chess960") \
    FIELD(MOVES, "moves") \
    FIELD(RESULT, "result") \
    FIELD(ENDING, "ending") \
    FIELD(ERRORS, "errors") \
    FIELD(SOURCE, "source") \
    FIELD(LAST_COMMENT, "last_comment") \
    FIELD(COMMENTS, "comments") \
    FIELD(CLOCKS, "clocks") \
    FIELD(EVALUATIONS, "evaluations")

#define AS_NUMBER(upper, lower) FIELD_##upper,
#define AS_NAME(upper, lower) lower,

enum { RECORD_FIELDS(AS_NUMBER) FIELD_COUNT };

static const char *const FIELD_NAMES[] = {RECORD_FIELDS(AS_NAME)};

bool has_our_fields(PyObject *record_class)
{
    PyObject *names = PyObject_GetAttrString(record_class, "__match_args__");
    bool good = names && PyTuple_Check(names) && PyTuple_GET_SIZE(names) >= FIELD_COUNT;
    for (int i = 0; good && i < FIELD_COUNT; i++) {
        PyObject *name = PyTuple_GET_ITEM(names, i);
        good = PyUnicode_Check(name) && PyUnicode_CompareWithASCIIString(name, FIELD_NAMES[i]) == 0;
    }
    Py_XDECREF(names);
    if (!good && !PyErr_Occurred()) {
        PyErr_SetString(PyExc_TypeError, "expected a class with the fields of a record");
    }
    return good;
}

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
        || !(fields[FIELD_ERRORS] = PyList_New(0))) {
        return false;
    }
    fields[FIELD_RESULT] = Py_NewRef(self->results[game->result]);
    if (!(fields[FIELD_ENDING] = make_ending(self, game, fields[FIELD_RESULT]))) {
        return false;
    }
    fields[FIELD_SOURCE] = Py_NewRef(self->source);
    if (!(fields[FIELD_LAST_COMMENT] = make_last_comment(self, text, game))) {
        return false;
    }
    if (!self->games.keep_comments) {
        return true;
    }
    return (fields[FIELD_COMMENTS] = make_comments(self, text, game))
        && (fields[FIELD_CLOCKS] = make_nones(game->move_count))
        && (fields[FIELD_EVALUATIONS] = make_nones(game->move_count))
        && set_remarks(self, fields[FIELD_COMMENTS], fields[FIELD_CLOCKS], fields[FIELD_EVALUATIONS]);
}

PyObject *make_record(Scanner *self, const char *text, const Game *game, Py_ssize_t number, Py_ssize_t line)
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

/* --- Trees ---------------------------------------------------------------- */

/*
 * What stands in the moves: moves, texts of comments, numbers of signs, True and
 * False where a variation begins and ends.
 */
static PyObject *make_events(const Scanner *self, const char *text, const Game *game)
{
    PyObject *list = new_hidden_list(game->event_count);
    for (uint32_t i = 0; list && i < game->event_count; i++) {
        const Event *event = &self->games.events[game->first_event + i];
        PyObject *item = event->kind == EVENT_MOVE ? shared_move(self->kernel, (Move)event->value)
            : event->kind == EVENT_COMMENT         ? make_text(text, event->text)
            : event->kind == EVENT_SIGN            ? PyLong_FromLong((long)event->value)
                                                   : PyBool_FromLong(event->kind == EVENT_OPEN);
        if (item) {
            PyList_SET_ITEM(list, i, item);
        } else {
            Py_CLEAR(list);
        }
    }
    return show_list(list);
}

/* (line, headers, events, result after the moves or None) */
PyObject *make_tree(Scanner *self, const char *text, const Game *game, Py_ssize_t line)
{
    PyObject *headers = make_headers(self, text, game);
    PyObject *events = headers ? make_events(self, text, game) : NULL;
    PyObject *tree = events
        ? Py_BuildValue("(nOOO)", line, headers, events, game->marker ? self->results[game->marker] : Py_None)
        : NULL;
    Py_XDECREF(headers);
    Py_XDECREF(events);
    return tree;
}

/* A record and the text of its moves, or what make_tree() gives where that is for Python. */
PyObject *make_written(Scanner *self, const char *text, const Game *game, Py_ssize_t number, Py_ssize_t line)
{
    const KnownStart *start = &self->starts[game->start];
    char *moves;
    size_t length;
    const Writing writing =
        start->knows_notation ? write_movetext(&self->games, game, &start->start, text, &moves, &length) : FOR_PYTHON;
    if (writing == NO_ROOM) {
        return PyErr_NoMemory();
    }
    if (writing == FOR_PYTHON) {
        return make_tree(self, text, game, line);
    }
    PyObject *written = PyUnicode_DecodeUTF8(moves, (Py_ssize_t)length, "strict");
    free(moves);
    PyObject *record = written ? make_record(self, text, game, number, line) : NULL;
    PyObject *made = record ? PyTuple_Pack(2, record, written) : NULL;
    Py_XDECREF(record);
    Py_XDECREF(written);
    return made;
}
