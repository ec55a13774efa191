#include "scanner.h"

/* Beyond these, what is remembered is forgotten. */
#define MAX_STARTS 4096

/* --- Starting positions --------------------------------------------------- */

static void forget_starts(Scanner *self)
{
    for (size_t i = 0; i < self->start_count; i++) {
        PyMem_RawFree(self->starts[i].key);
        Py_XDECREF(self->starts[i].board);
        Py_XDECREF(self->starts[i].fields);
        Py_XDECREF(self->starts[i].endings);
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
    out->board = out->fields = out->endings = NULL;
    if (!found) {
        return false;
    }
    if (found != Py_None) {
        PyObject *board, *fields, *endings;
        Rules rules;
        Bitboard clock, number;
        if (!PyTuple_Check(found)) {
            PyErr_SetString(PyExc_TypeError, "expected a board, what a record says of it and a dictionary");
        }
        if (PyErr_Occurred() || !PyArg_ParseTuple(found, "OO!O!", &board, &PyTuple_Type, &fields, &PyDict_Type, &endings)) {
            Py_DECREF(found);
            return false;
        }
        const bool is_known = read_board(self->kernel, board, PLAY, &out->start.position)
            && read_bitboard(self->kernel, board, ATTR_HALFMOVE_CLOCK, &clock) && clock < 10000
            && read_bitboard(self->kernel, board, ATTR_FULLMOVE_NUMBER, &number) && number < 1000000;
        /* Without check a king may be captured itself, which the kernel does not tell from an explosion. */
        out->knows_notation = is_known && is_on_ground(self->kernel, Py_TYPE(board), ENDINGS, &rules);
        out->knows_endings = out->knows_notation && rules.has_checks;
        if (is_known && !PyErr_Occurred()) {
            out->status = FOUND_START;
            out->start.halfmove_clock = (uint32_t)clock;
            out->start.ply = 2 * ((int64_t)number - 1) + !out->start.position.turn;
            out->board = Py_NewRef(board);
            out->fields = Py_NewRef(fields);
            out->endings = Py_NewRef(endings);
        }
    }
    Py_DECREF(found);
    return !PyErr_Occurred();
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

/* Room for one more start. */
static bool make_room(Scanner *self)
{
    if (self->start_count < self->start_room) {
        return true;
    }
    const size_t room = 2 * self->start_room + 16;
    KnownStart *starts = PyMem_Realloc(self->starts, room * sizeof(KnownStart));
    if (!starts) {
        return false;
    }
    self->starts = starts;
    self->start_room = room;
    return true;
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
    KnownStart fresh = {.key = PyMem_RawMalloc(length), .key_length = length};
    PyEval_RestoreThread(self->thread);
    bool good = fresh.key && make_room(self);
    if (!good) {
        PyErr_NoMemory();
    } else {
        memcpy(fresh.key, key, length);
        good = ask_for_start(self, text, values, &fresh);
    }
    if (good) {
        *number = (uint32_t)self->start_count;
        *out = fresh.start;
        self->starts[self->start_count++] = fresh;
    } else {
        PyMem_RawFree(fresh.key);
    }
    self->thread = PyEval_SaveThread();
    return good ? fresh.status : FAILED_START;
}

/* --- The type ------------------------------------------------------------- */

typedef enum { RECORDS, COLUMNS, TREES, WRITTEN_GAMES, PLACES } Form;

static PyObject *make_list(Scanner *self, const char *text, Form form, Py_ssize_t number, Py_ssize_t line)
{
    PyObject *list = PyList_New(0);
    for (size_t i = 0; list && i < self->games.game_count; i++) {
        const Game *game = &self->games.games[i];
        PyObject *item = form == RECORDS
            ? make_record(self, text, game, number + (Py_ssize_t)i, line + (Py_ssize_t)game->line)
            : form == WRITTEN_GAMES
            ? make_written(self, text, game, number + (Py_ssize_t)i, line + (Py_ssize_t)game->line)
            : make_tree(self, text, game, line + (Py_ssize_t)game->line);
        if (!append_new(list, item)) {
            Py_CLEAR(list);
        }
    }
    return list;
}

static PyObject *run(Scanner *self, const char *text, Py_ssize_t length, Py_ssize_t position, Form form, int is_all,
    Py_ssize_t number, Py_ssize_t line, Py_ssize_t limit, Py_ssize_t until)
{
    Games *games = &self->games;
    games->game_count = games->header_count = games->move_count = games->event_count = 0;
    games->keep_events = form == TREES || form == WRITTEN_GAMES;
    if (self->start_count + (size_t)limit > MAX_STARTS) {
        forget_starts(self);
    }
    size_t end = (size_t)position;
    uint32_t lines = 0;
    self->thread = PyEval_SaveThread();
    Stop stop = read_games(games, text, (size_t)length, is_all, (size_t)limit, (size_t)until,
        find_start, self, &end, &lines);
    Columns *columns = form == COLUMNS ? sort_headers(games, text) : NULL;
    PyEval_RestoreThread(self->thread);
    PyObject *output = NULL;
    if (stop == STOPPED_NO_MEMORY) {
        PyErr_NoMemory();
    } else if (stop != STOPPED_FAILED) {
        output = form == PLACES ? Py_NewRef(Py_None)
            : form == COLUMNS   ? make_columns(self, text, line, columns) : make_list(self, text, form, number, line);
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
    Py_ssize_t position, number, line, limit, until = PY_SSIZE_T_MAX;
    const char *form_name;
    int is_all;
    if (!PyArg_ParseTuple(args, "Snspnnn|n:scan", &text, &position, &form_name, &is_all, &number, &line, &limit,
            &until)) {
        return NULL;
    }
    Form form;
    if (strcmp(form_name, "records") == 0) {
        form = RECORDS;
    } else if (strcmp(form_name, "columns") == 0) {
        form = COLUMNS;
    } else if (strcmp(form_name, "trees") == 0) {
        form = TREES;
    } else if (strcmp(form_name, "written") == 0) {
        form = WRITTEN_GAMES;
    } else if (strcmp(form_name, "places") == 0) {
        form = PLACES;
    } else {
        PyErr_Format(PyExc_ValueError, "expected records, columns, trees, written or places, but got %s", form_name);
        return NULL;
    }
    if (position < 0 || position > PyBytes_GET_SIZE(text) || limit < 1 || limit > MAX_STARTS || until < 0) {
        PyErr_SetString(PyExc_ValueError, "position or limit out of range");
        return NULL;
    }
    if (self->is_busy) {
        PyErr_SetString(PyExc_RuntimeError, "a scanner serves one thread at a time");
        return NULL;
    }
    self->is_busy = true;
    PyObject *result = run(
        self, PyBytes_AS_STRING(text), PyBytes_GET_SIZE(text), position, form, is_all, number, line, limit, until);
    self->is_busy = false;
    return result;
}

/* The module stays, as for functions. */
static int scanner_clear(PyObject *object)
{
    Scanner *self = (Scanner *)object;
    Py_CLEAR(self->find_start);
    Py_CLEAR(self->find_ending);
    Py_CLEAR(self->read_clock);
    Py_CLEAR(self->read_evaluation);
    Py_CLEAR(self->record_class);
    Py_CLEAR(self->source);
    for (int i = 0; i < NAME_CACHE; i++) {
        Py_CLEAR(self->names[i]);
    }
    for (int i = 0; i <= UNKNOWN_RESULT; i++) {
        Py_CLEAR(self->results[i]);
    }
    forget_starts(self);
    return 0;
}

static int scanner_traverse(PyObject *object, visitproc visit, void *arg)
{
    Scanner *self = (Scanner *)object;
    Py_VISIT(Py_TYPE(object));
    Py_VISIT(self->module);
    Py_VISIT(self->find_start);
    Py_VISIT(self->find_ending);
    Py_VISIT(self->read_clock);
    Py_VISIT(self->read_evaluation);
    Py_VISIT(self->record_class);
    Py_VISIT(self->source);
    if (!self->is_busy) { /* While it is, another thread may be adding to them. */
        for (size_t i = 0; i < self->start_count; i++) {
            Py_VISIT(self->starts[i].board);
            Py_VISIT(self->starts[i].fields);
            Py_VISIT(self->starts[i].endings);
        }
    }
    return 0;
}

static void scanner_dealloc(PyObject *object)
{
    Scanner *self = (Scanner *)object;
    PyTypeObject *type = Py_TYPE(object);
    PyObject_GC_UnTrack(object);
    scanner_clear(object);
    PyMem_Free(self->starts);
    clear_games(&self->games);
    Py_CLEAR(self->module);
    type->tp_free(object);
    Py_DECREF(type);
}

static PyObject *scanner_new(PyTypeObject *type, PyObject *args, PyObject *keywords)
{
    static char *names[] = {
        "find_start", "find_ending", "read_clock", "read_evaluation", "record_class", "source", "comments", "max_size",
        "max_depth", NULL,
    };
    PyObject *start, *ending, *clock, *evaluation, *record, *source;
    int comments;
    Py_ssize_t max_size, max_depth;
    PyObject *module = PyType_GetModule(type);
    if (!module
        || !PyArg_ParseTupleAndKeywords(args, keywords, "$OOOOO!Opnn:Scanner", names, &start, &ending, &clock,
            &evaluation, &PyType_Type, &record, &source, &comments, &max_size, &max_depth)
        || !has_our_fields(record)) {
        return NULL;
    }
    if (max_size < 0 || max_depth < 0 || max_depth > 1000) {
        PyErr_SetString(PyExc_ValueError, "limits out of range");
        return NULL;
    }
    Scanner *self = (Scanner *)type->tp_alloc(type, 0);
    if (!self) {
        return NULL;
    }
    self->module = Py_NewRef(module);
    self->kernel = PyModule_GetState(module);
    self->find_start = Py_NewRef(start);
    self->find_ending = Py_NewRef(ending);
    self->read_clock = Py_NewRef(clock);
    self->read_evaluation = Py_NewRef(evaluation);
    self->record_class = Py_NewRef(record);
    self->source = Py_NewRef(source);
    self->games.keep_comments = comments;
    self->games.max_size = (size_t)max_size;
    self->games.max_depth = (size_t)max_depth;
    for (int i = 0; i <= UNKNOWN_RESULT; i++) {
        if (!(self->results[i] = PyUnicode_InternFromString(RESULT_TEXTS[i]))) {
            Py_DECREF(self);
            return NULL;
        }
    }
    return (PyObject *)self;
}

PyDoc_STRVAR(scan_doc,
    "scan($self, text, position, form, is_all, number, line, limit, until=sys.maxsize, /)\n"
    "--\n"
    "\n"
    "Reads up to *limit* games from *position* of the bytes *text*, where a game may begin,\n"
    "and none that begins at *until* or later.\n"
    "\n"
    "*form* is \"records\", \"columns\", \"trees\", \"written\" (a record and the text of its moves where\n"
    "there are no variations, else a tree) or \"places\" (no games); *is_all* says that no text\n"
    "follows; *number* and *line* are those of the game at *position*. Returns the\n"
    "games, how many they are, where the next one begins, on which line, and\n"
    "whether it is one for Python. Other threads run meanwhile.\n"
    "\n"
    ":raises: :exc:`OverflowError` if the games have too many different headers\n"
    "    for columns; :exc:`RuntimeError` if another thread is reading; what a\n"
    "    function given to the scanner raises.");

static PyMethodDef scanner_methods[] = {
    {"scan", scanner_scan, METH_VARARGS, scan_doc},
    {NULL, NULL, 0, NULL},
};

PyDoc_STRVAR(scanner_doc,
    "Scanner(*, find_start, find_ending, read_clock, read_evaluation, record_class, source, comments, max_size, max_depth)\n"
    "--\n"
    "\n"
    "Reads games out of PGN in UTF-8.\n"
    "\n"
    "*find_start* gets the values of the headers Variant, FEN, Event and Site and\n"
    "returns the board, the fields ``variant`` to ``chess960`` of a record, and the\n"
    "dictionary that remembers endings on boards of this class, or ``None`` to leave\n"
    "the game to Python; *find_ending* gets a board, the moves played on it and the\n"
    "result, and returns the ending. *record_class* has the fields of\n"
    ":class:`atomic_variant.pgn.Record`, in their order. Games of more than\n"
    "*max_size* bytes and with variations nested deeper than *max_depth* are left\n"
    "to Python.");

static PyType_Slot scanner_slots[] = {
    {Py_tp_doc, (void *)scanner_doc},
    {Py_tp_new, scanner_new},
    {Py_tp_dealloc, scanner_dealloc},
    {Py_tp_traverse, scanner_traverse},
    {Py_tp_clear, scanner_clear},
    {Py_tp_methods, scanner_methods},
    {0, NULL},
};

PyType_Spec scanner_spec = {
    .name = "atomic_variant.kernel._kernel.Scanner",
    .basicsize = sizeof(Scanner),
    .flags = Py_TPFLAGS_DEFAULT | Py_TPFLAGS_HAVE_GC | Py_TPFLAGS_IMMUTABLETYPE,
    .slots = scanner_slots,
};
