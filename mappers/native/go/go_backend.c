/* Reports the functions of a Go program to a visitor. See go_backend.h. */
#include "mappers/native/go/go_backend.h"

#include "core/error.h"
#include "core/limits.h"
#include "mappers/native/go/go_files.h"
#include "mappers/native/go/go_inlining.h"

#include <stdatomic.h>

#define UNIT_FUNCTIONS 256u /* number of functions in one unit, which have some 100 KB of code together */

struct go_debug {
    struct fm_heap *heap;
    struct fm_go_table table;
    uint32_t *units; /* number of the first function of each unit */
    size_t unit_count, unit_capacity;
    /* faults that were reported already; a fault is reported for one unit only, since other units have the same
     * fault */
    atomic_bool damage_reported, cut_reported;
};

struct go_worker {
    struct go_debug *debug;
    struct fm_go_runs runs;
    struct fm_go_calls calls;
    /* State of a walk: */
    const struct fm_dw_visitor *to;
    struct fm_go_files files;
    struct fm_go_budget budget;
    bool is_damaged; /* some function has a damaged inline tree */
};

/* Casts the opaque structs of the backend interface to those of this backend. */
static struct fm_dw_debug *as_debug(struct go_debug *debug) { return (struct fm_dw_debug *)(void *)debug; }
static struct go_debug *debug_of(struct fm_dw_debug *debug) { return (struct go_debug *)(void *)debug; }
static struct fm_dw_worker *as_worker(struct go_worker *worker) { return (struct fm_dw_worker *)(void *)worker; }
static struct go_worker *worker_of(struct fm_dw_worker *worker) { return (struct go_worker *)(void *)worker; }

/* --- reporting rows --- */

enum { ROWS_TOGETHER = 64 };

/* Reports the runs of a function as a sequence of rows. */
static bool report_rows(struct go_worker *worker)
{
    const struct fm_go_runs *runs = &worker->runs;
    struct fm_dw_row rows[ROWS_TOGETHER];
    size_t count = 0;

    for (size_t i = 0; i < runs->count; i++) {
        const struct fm_go_run *run = &runs->items[i];
        rows[count] = (struct fm_dw_row){.address = run->low, .line1 = run->line1, .is_stmt = true};
        if (!fm_go_files_number(&worker->files, run->file, &rows[count].file)) return false;
        if (++count < ROWS_TOGETHER) continue;
        if (!worker->to->rows(worker->to->context, rows, count)) return false;
        count = 0;
    }
    rows[count++] = (struct fm_dw_row){.address = runs->end, .file = FM_NONE, .end_sequence = true};
    return worker->to->rows(worker->to->context, rows, count);
}

/* --- reporting functions and inlined calls --- */

static bool enter_call(struct go_worker *worker, const struct fm_go_call *call, uint32_t depth)
{
    struct fm_dw_function function = {.name = fm_go_budget_take(&worker->budget, call->name),
                                      .decl_file = FM_NONE,
                                      .decl_line1 = call->start_line1,
                                      .ranges = worker->calls.ranges + call->first_range,
                                      .range_count = call->range_count,
                                      .call_line1 = call->call_line1,
                                      .depth = depth};

    return fm_go_files_number(&worker->files, call->call_file, &function.call_file) &&
           worker->to->enter(worker->to->context, &function);
}

/* Reports the inlined calls, each after the call that it is inlined into. */
static bool report_calls(struct go_worker *worker)
{
    const struct fm_go_call *calls = worker->calls.items;
    uint32_t depth = 1;
    uint32_t at = worker->calls.first;

    while (at != FM_NONE) {
        if (!enter_call(worker, &calls[at], depth)) return false;
        if (calls[at].first_inner != FM_NONE && depth < FM_LIMIT_INLINE_DEPTH) {
            at = calls[at].first_inner;
            depth++;
            continue;
        }
        while (at != FM_NONE) {
            if (!worker->to->leave(worker->to->context)) return false;
            const uint32_t next = calls[at].next;
            at = next != FM_NONE ? next : calls[at].parent;
            if (next != FM_NONE) break;
            depth--;
        }
    }
    return true;
}

static bool report_function(struct go_worker *worker, const struct fm_go_function *of)
{
    const struct fm_dw_visitor *to = worker->to;
    const struct fm_dw_range range = {of->start, worker->runs.end};
    struct fm_dw_function function = {
        .decl_file = FM_NONE, .decl_line1 = of->start_line1, .ranges = &range, .range_count = 1, .call_file = FM_NONE};

    if (range.high == range.low) return true;
    if (to->needs_function != NULL && !to->needs_function(to->context, &range, 1)) return true;
    if (!fm_go_calls_read(&worker->debug->table, of, &worker->runs, &worker->calls)) return false;
    worker->is_damaged |= worker->calls.damaged;
    function.name = fm_go_budget_take(&worker->budget, of->name);
    return to->enter(to->context, &function) && report_calls(worker) && to->leave(to->context);
}

/* --- walking units --- */

/* Returns the number of the first function after a unit. */
static uint32_t end_of_unit(const struct go_debug *debug, uint32_t first)
{
    const uint32_t left = debug->table.function_count - first;
    return first + (left < UNIT_FUNCTIONS ? left : UNIT_FUNCTIONS);
}

/* Reports all rows of a unit, or all functions of a unit. */
static bool report_each(struct go_worker *worker, uint32_t number,
                        bool (*report)(struct go_worker *worker, const struct fm_go_function *function))
{
    const struct go_debug *debug = worker->debug;
    const uint32_t first = debug->units[number], after = end_of_unit(debug, first);

    for (uint32_t i = first; i < after; i++) {
        struct fm_go_function function;
        if (!fm_go_function_read(&debug->table, i, &function)) continue;
        if (!fm_go_runs_read(&debug->table, &function, &worker->runs)) return false;
        if (!report(worker, &function)) return false;
    }
    return true;
}

static bool report_function_rows(struct go_worker *worker, const struct fm_go_function *function)
{
    (void)function;
    return worker->runs.count == 0 || report_rows(worker);
}

/* Reports a fault, unless it was reported already for another unit. */
static void report_once(const struct go_worker *worker, atomic_bool *reported, framemap_status code, const char *what)
{
    framemap_error fault = {0};

    if (atomic_exchange(reported, true)) return;
    fm_error_set(&fault, code, "%s", what);
    worker->to->fault(worker->to->context, &fault);
}

static void report_faults(const struct go_worker *worker)
{
    if (worker->is_damaged)
        report_once(worker, &worker->debug->damage_reported, FRAMEMAP_E_CORRUPT,
                    "the inlined calls of some functions of Go are damaged, and are left out");
    if (worker->budget.is_cut)
        report_once(worker, &worker->debug->cut_reported, FRAMEMAP_E_LIMIT,
                    "names of Go's functions or files are too long for the code; some are left out");
}

/* Limit for the bytes of names and paths that are reported for a unit: a minimum, and TEXT_RATIO bytes for each byte of
 * its code. Programs have some 50 bytes of names for each function or inlined call, and most of these have more than 50
 * / TEXT_RATIO bytes of code. */
#define TEXT_LEAST ((uint64_t)256 << 10)
#define TEXT_RATIO ((uint64_t)16)

static uint64_t text_most(const struct go_debug *debug, uint32_t number)
{
    const uint32_t first = debug->units[number], after = end_of_unit(debug, first);

    return TEXT_LEAST +
           TEXT_RATIO * (fm_go_table_start(&debug->table, after) - fm_go_table_start(&debug->table, first));
}

static bool report_unit(struct go_worker *worker, uint32_t number)
{
    const struct fm_dw_visitor *to = worker->to;
    const struct fm_dw_unit unit = {.number = number, .language = FM_LANGUAGE_OTHER, .has_functions = true};

    if (!to->unit(to->context, &unit)) return false;
    if (to->rows != NULL && !report_each(worker, number, report_function_rows)) return false;
    if (to->enter != NULL && !report_each(worker, number, report_function)) return false;
    report_faults(worker);
    return to->unit_end(to->context);
}

static framemap_status walk_unit(struct fm_dw_worker *opaque, uint32_t number, const struct fm_dw_visitor *visitor,
                                 framemap_error *error)
{
    struct go_worker *worker = worker_of(opaque);

    worker->to = visitor;
    worker->is_damaged = false;
    worker->budget = (struct fm_go_budget){.left = text_most(worker->debug, number)};
    fm_go_files_begin(&worker->files, worker->debug->heap, &worker->debug->table, visitor, &worker->budget);
    const bool good = report_unit(worker, number);
    fm_go_files_end(&worker->files);
    return good ? FRAMEMAP_OK : fm_error_memory(error);
}

static void free_worker(struct fm_dw_worker *opaque)
{
    struct go_worker *worker = worker_of(opaque);

    if (worker == NULL) return;
    fm_go_runs_free(&worker->runs);
    fm_go_calls_free(&worker->calls);
    fm_heap_free(worker->debug->heap, worker, sizeof *worker);
}

static framemap_status make_worker(struct fm_dw_debug *opaque, struct fm_dw_worker **out, framemap_error *error)
{
    struct go_debug *debug = debug_of(opaque);
    struct go_worker *worker = fm_heap_zalloc(debug->heap, 1, sizeof *worker);

    *out = as_worker(worker);
    if (worker == NULL) return fm_error_memory(error);
    worker->debug = debug;
    worker->runs.heap = worker->calls.heap = debug->heap;
    return FRAMEMAP_OK;
}

/* --- opening the table and claiming the units --- */

/* Makes a unit of the functions from `first` on, if they have code. */
static bool claim_unit(struct go_debug *debug, uint32_t first, const struct fm_dw_open_callbacks *survey)
{
    const uint32_t after = end_of_unit(debug, first);
    const struct fm_dw_range range = {fm_go_table_start(&debug->table, first), fm_go_table_start(&debug->table, after)};
    const uint32_t number = (uint32_t)debug->unit_count;
    const struct fm_dw_claim claim = {
        .number = number, .offset = number, .end = number + 1u, .ranges = &range, .range_count = 1};

    if (range.low == range.high) return true;
    if (!FM_GROW(debug->heap, debug->units, debug->unit_capacity, debug->unit_count + 1)) return false;
    debug->units[debug->unit_count++] = first;
    return survey->claim(survey->context, &claim);
}

static void close_table(struct fm_dw_debug *opaque)
{
    struct go_debug *debug = debug_of(opaque);

    if (debug == NULL) return;
    fm_heap_free(debug->heap, debug->units, debug->unit_capacity * sizeof *debug->units);
    fm_heap_free(debug->heap, debug, sizeof *debug);
}

static framemap_status open_table(const struct fm_image *image, const struct fm_mapper_host *host,
                                  const struct fm_dw_open_callbacks *survey, struct fm_dw_debug **out,
                                  framemap_error *error)
{
    struct go_debug *debug = fm_heap_zalloc(host->heap, 1, sizeof *debug);
    framemap_error fault;
    bool good = true;

    *out = as_debug(debug);
    if (debug == NULL) return fm_error_memory(error);
    debug->heap = host->heap;
    (void)fm_go_table_open(image, &debug->table, &fault);
    if (fault.code != FRAMEMAP_OK) survey->fault(survey->context, &fault);
    for (uint32_t i = 0; i < debug->table.function_count && good; i += UNIT_FUNCTIONS)
        good = claim_unit(debug, i, survey);
    if (good) return FRAMEMAP_OK;
    close_table(*out);
    *out = NULL;
    return fm_error_memory(error);
}

static const struct fm_dw_backend go_backend = {.name = "go",
                                                .threads = true,
                                                .open = open_table,
                                                .close = close_table,
                                                .worker = make_worker,
                                                .worker_free = free_worker,
                                                .walk = walk_unit};

const struct fm_dw_backend *fm_go_backend_for(const struct fm_image *image, const struct fm_dw_backend *reader)
{
    return image->has_go_table && !image->has_debug_info && !fm_image_has_debug_map(image) ? &go_backend : reader;
}
