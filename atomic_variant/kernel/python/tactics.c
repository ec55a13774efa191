/* The functions of tactics/_search.py: other threads run meanwhile, and Ctrl-C works. */

#include "batches.h"
#include "tactics.h"

/* What a search needs beside the position: (moves, nodes, stalemate_loses), of which nodes may be None. */
typedef struct {
    int moves;
    uint64_t nodes;
    bool stalemate_loses;
} Task;

static bool read_task(PyObject *const *args, Task *out)
{
    if (!to_number(args[0], 1, MAX_WIN_MOVES, &out->moves) || !PyBool_Check(args[2])) {
        return false;
    }
    out->stalemate_loses = args[2] == Py_True;
    out->nodes = UINT64_MAX;
    return args[1] == Py_None || to_bitboard(args[1], &out->nodes);
}

/* A solver on the heap; it and its table of proofs go with free_solver(). NULL with an exception. */
static Solver *new_solver(const Task *task, Interrupt *interrupt)
{
    Solver *solver = PyMem_RawCalloc(1, sizeof(Solver));
    if (!solver) {
        PyErr_NoMemory();
        return NULL;
    }
    solver->stalemate_loses = task->stalemate_loses;
    solver->node_limit = task->nodes;
    solver->interrupt = interrupt;
    if (task->moves > 2) { /* A shallower search meets few positions twice. */
        size_t size = (size_t)1 << (task->moves == 3 ? 11 : task->moves == 4 ? 15 : 18);
        solver->proofs = PyMem_RawCalloc(size, sizeof(Proof));
        if (!solver->proofs) {
            PyMem_RawFree(solver);
            PyErr_NoMemory();
            return NULL;
        }
        solver->proof_mask = size - 1;
    }
    return solver;
}

static void free_solver(Solver *solver)
{
    if (solver) {
        PyMem_RawFree(solver->proofs);
        PyMem_RawFree(solver);
    }
}

/*
 * solve(board, moves, nodes, stalemate_loses): (length, line), the length 0 if there is no win; (-n, []) if the
 * nodes ran out after a win within n - 1 was excluded.
 */
PyObject *handle_solve(Kernel *kernel, PyObject *const *args, Py_ssize_t count, PyObject *keywords)
{
    Position position;
    Task task;
    if (count != 4 || keywords || !read_task(args + 1, &task) || !read_board(kernel, args[0], PLAY, &position)) {
        return NULL;
    }
    PyThreadState *thread = NULL;
    Interrupt interrupt = {0, poll_signals, &thread, false};
    interrupt.until_poll = 1000; /* A short search polls nothing. */
    Solver *solver = new_solver(&task, &interrupt);
    if (!solver) {
        return NULL;
    }
    Move line[2 * MAX_WIN_MOVES];
    int length = 0, within = 0;
    thread = PyEval_SaveThread();
    while (!length && within < task.moves && solver->state == RUNNING) {
        within++;
        if (wins_within(solver, &position, within)) {
            length = within;
        }
    }
    if (length) {
        solver->node_limit = UINT64_MAX; /* It is proved; the line does not cost a caller the proof. */
        win_line(solver, &position, length, line);
    }
    PyEval_RestoreThread(thread);
    SolverState state = solver->state;
    free_solver(solver);
    if (state == INTERRUPTED) {
        return NULL;
    }
    if (state == OUT_OF_NODES) {
        length = -within;
    }
    PyObject *moves = PyList_New(0);
    for (int i = 0; moves && i < 2 * length - 1; i++) {
        if (!append_new(moves, shared_move(kernel, line[i]))) {
            Py_CLEAR(moves);
        }
    }
    return moves ? Py_BuildValue("iN", length, moves) : NULL;
}

/* What was proved of a move: in how many the mover wins with it, minus in how many the opponent wins after it, or 0. */
static int judge_move(Solver *mover, Solver *opponent, const Position *position, Move move, int moves)
{
    Position after = *position;
    make_move(&after, move);
    for (int within = 0; mover && within < moves; within++) {
        if (loses_within(mover, &after, within)) {
            return within + 1;
        }
    }
    return opponent ? -find_win(opponent, &after, moves) : 0;
}

/* Solvers for the sides that are asked about, under one budget. */
typedef struct {
    Solver *mover, *opponent;
} Solvers;

static SolverState share_budget(const Solvers *solvers, uint64_t nodes)
{
    Solver *const both[] = {solvers->mover, solvers->opponent};
    uint64_t used = 0;
    for (int i = 0; i < 2; i++) {
        if (both[i] && both[i]->state != RUNNING) {
            return both[i]->state;
        }
        used += both[i] ? both[i]->nodes : 0;
    }
    for (int i = 0; i < 2 && nodes != UINT64_MAX; i++) {
        if (both[i]) {
            both[i]->node_limit = both[i]->nodes + (used < nodes ? nodes - used : 0);
        }
    }
    return RUNNING;
}

/*
 * judge(board, moves, nodes, stalemate_loses, winners, opponent): a list of (move, value) in the order of the legal moves;
 * None if the nodes ran out. See judge_move; *opponent* tells whether his wins are looked for, *winners* after how
 * many moves that win the list ends, and if it is 0, that no such are looked for.
 */
PyObject *handle_judge(Kernel *kernel, PyObject *const *args, Py_ssize_t count, PyObject *keywords)
{
    Position position;
    Task task;
    int winners;
    if (count != 6 || keywords || !to_number(args[4], 0, INT_MAX, &winners) || !PyBool_Check(args[5])
        || !read_task(args + 1, &task) || !read_board(kernel, args[0], PLAY, &position)) {
        return NULL;
    }
    Spans list;
    generate_spans(&position, BB_ALL, BB_ALL, &list);
    int total = count_moves(&list);
    PyThreadState *thread = NULL;
    Interrupt interrupt = {0, poll_signals, &thread, false};
    interrupt.until_poll = 1000;
    Solvers solvers = {NULL, NULL};
    PyObject *result = NULL;
    Move *moves = PyMem_RawMalloc((size_t)(total + 1) * sizeof(Move));
    int *values = PyMem_RawMalloc((size_t)(total + 1) * sizeof(int));
    if (!moves || !values) {
        PyErr_NoMemory();
        goto done;
    }
    if ((winners && !(solvers.mover = new_solver(&task, &interrupt)))
        || (args[5] == Py_True && !(solvers.opponent = new_solver(&task, &interrupt)))) {
        goto done;
    }
    write_moves(&list, moves);
    SolverState state = RUNNING;
    thread = PyEval_SaveThread();
    for (int i = 0; i < total && state == RUNNING; i++) {
        values[i] = judge_move(solvers.mover, solvers.opponent, &position, moves[i], task.moves);
        state = share_budget(&solvers, task.nodes);
        if (values[i] > 0 && --winners == 0) {
            total = i + 1;
        }
    }
    PyEval_RestoreThread(thread);
    if (state == OUT_OF_NODES) {
        result = Py_NewRef(Py_None);
    } else if (state == RUNNING) {
        result = PyList_New(0);
        for (int i = 0; result && i < total; i++) {
            PyObject *move = shared_move(kernel, moves[i]);
            if (!append_new(result, move ? Py_BuildValue("Ni", move, values[i]) : NULL)) {
                Py_CLEAR(result);
            }
        }
    }
done:
    free_solver(solvers.mover);
    free_solver(solvers.opponent);
    PyMem_RawFree(moves);
    PyMem_RawFree(values);
    return result;
}

/* Moves without a capture or pawn move after which the game is drawn, and positions that may have occurred four times. */
#define MAX_QUIET 150
#define LEAST_QUIET 12

/* Since the last capture or pawn move. */
typedef struct {
    int clock; /* The host's halfmove clock; negative where no such draw exists. */
    int length;
    Position positions[MAX_QUIET];
} History;

static bool is_same(const Position *a, const Position *b)
{
    return a->turn == b->turn && a->occupied_co[WHITE] == b->occupied_co[WHITE]
        && a->occupied_co[BLACK] == b->occupied_co[BLACK] && a->pawns == b->pawns && a->knights == b->knights
        && a->bishops == b->bishops && a->rooks == b->rooks && a->queens == b->queens && a->kings == b->kings;
}

/*
 * Whether an automatic draw by repetition or by moves without progress could come within *moves*. Castling
 * and en passant are not compared, so it may err on the safe side.
 */
static bool may_be_drawn(History *history, const Position *position, int moves)
{
    if (history->clock < 0) {
        return false;
    }
    if (history->clock + 2 * moves - 2 >= MAX_QUIET || history->length == MAX_QUIET) {
        return true;
    }
    int occurred = 1;
    for (int i = history->length - 4; i >= 0 && history->length >= LEAST_QUIET; i -= 2) {
        occurred += is_same(&history->positions[i], position);
    }
    history->positions[history->length++] = *position;
    return occurred >= 4;
}

/* Makes *move*; false if the game is over or the move cannot be played. */
static bool play(History *history, Position *position, Move move)
{
    if (is_variant_end(position) || !is_playable(position, move)) {
        return false;
    }
    const bool zeroing =
        BB(MOVE_FROM(move)) & position->pawns || BB(MOVE_TO(move)) & position->occupied_co[!position->turn];
    if (zeroing) {
        history->length = 0;
        history->clock = history->clock < 0 ? -1 : 0;
    } else if (history->clock >= 0) {
        history->clock++;
    }
    make_move(position, move);
    return true;
}

/*
 * scan_wins(board, game, moves, stalemate_loses, clock): for *board* and the position after each move of the list
 * *game*, in how many moves the side to move wins, or 0; negative if the move that *game* goes on with keeps no win.
 * *clock* is the halfmove clock, or -1 where moves without progress and repetition never draw.
 */
PyObject *handle_scan(Kernel *kernel, PyObject *const *args, Py_ssize_t count, PyObject *keywords)
{
    Position position;
    Task task;
    if (count != 5 || keywords || !PyList_CheckExact(args[1])
        || !read_board(kernel, args[0], PLAY, &position)) {
        return NULL;
    }
    PyObject *const rest[] = {args[2], Py_None, args[3]};
    int clock;
    if (!read_task(rest, &task) || !to_number(args[4], -1, MAX_QUIET, &clock)) {
        return NULL;
    }
    PyObject *given = PyList_AsTuple(args[1]); /* Reading a move may run Python, which may change the list. */
    if (!given) {
        return NULL;
    }
    const Py_ssize_t total = PyTuple_GET_SIZE(given);
    Move *game = PyMem_RawMalloc((size_t)(total + 1) * sizeof(Move));
    int *values = PyMem_RawMalloc((size_t)(total + 1) * sizeof(int));
    History *history = PyMem_RawMalloc(sizeof(History));
    PyThreadState *thread = NULL;
    Interrupt interrupt = {0, poll_signals, &thread, false};
    interrupt.until_poll = 1000;
    Solver *solver = NULL;
    PyObject *result = NULL;
    if (!game || !values || !history) {
        PyErr_NoMemory();
        goto done;
    }
    for (Py_ssize_t i = 0; i < total; i++) {
        if (!read_move(kernel, PyTuple_GET_ITEM(given, i), &game[i])) {
            goto done;
        }
    }
    solver = new_solver(&task, &interrupt);
    if (!solver) {
        goto done;
    }
    history->clock = (int)clock;
    history->length = 0;
    bool playable = true;
    thread = PyEval_SaveThread();
    for (Py_ssize_t i = 0; i <= total && playable && solver->state == RUNNING; i++) {
        playable = !may_be_drawn(history, &position, task.moves);
        values[i] = playable ? find_win(solver, &position, task.moves) : 0;
        if (i < total && playable) {
            playable = play(history, &position, game[i]);
            if (values[i] && playable && !loses_within(solver, &position, task.moves)) {
                values[i] = -values[i];
            }
        }
    }
    PyEval_RestoreThread(thread);
    if (playable && solver->state == RUNNING) {
        result = PyList_New(0);
        for (Py_ssize_t i = 0; result && i <= total; i++) {
            if (!append_new(result, PyLong_FromLong(values[i]))) {
                Py_CLEAR(result);
            }
        }
    }
done:
    free_solver(solver);
    PyMem_RawFree(game);
    PyMem_RawFree(values);
    PyMem_RawFree(history);
    Py_DECREF(given);
    return result;
}

/* search_wins(..., moves, stalemate_loses, found): in how many moves the side to move wins, 0 if it does not. */
PyObject *handle_search_wins(Kernel *kernel, PyObject *const *args, Py_ssize_t count, PyObject *keywords)
{
    Call call;
    uint8_t *found;
    bool good = false;
    if (count != BATCH_ARGS + 3 || keywords) {
        return NULL;
    }
    PyObject *const task_args[3] = {args[BATCH_ARGS], Py_None, args[BATCH_ARGS + 1]};
    Task task;
    if (!read_task(task_args, &task)) {
        return NULL;
    }
    if (open_call(kernel, args, PLAY, &call)
        && (found = open_array(&call, args[BATCH_ARGS + 2], 1, call.batch.count, true))) {
        PyThreadState *thread = NULL;
        Interrupt interrupt = {1000, poll_signals, &thread, false};
        Solver *solver = new_solver(&task, &interrupt);
        if (solver) {
            Position position;
            thread = PyEval_SaveThread();
            good = true;
            for (size_t row = 0; row < call.batch.count && good; row++) {
                good = load_position(&call.batch, row, &position);
                found[row] = good ? (uint8_t)find_win(solver, &position, task.moves) : 0;
                good = good && solver->state == RUNNING;
            }
            PyEval_RestoreThread(thread);
            free_solver(solver);
        }
    }
    close_call(&call);
    return good ? Py_NewRef(Py_None) : NULL;
}
