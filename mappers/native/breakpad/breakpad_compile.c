/* Implements breakpad_compile.h: one walk over functions and one over symbols, both sorted by address. */
#include "mappers/native/breakpad/breakpad_compile.h"

#include "core/error.h"
#include "mappers/native/breakpad/breakpad_inlines.h"

/* Maximum number of bytes of the last symbol, whose end is not known. */
#define MOST_UNBOUNDED UINT64_C(65536)

struct key_list {
    struct fm_key *keys;
    size_t count, capacity, at;
};

struct breakpad_job {
    struct fm_breakpad_records *records;
    framemap_error *error;
    struct fm_breakpad_batch batch;
    struct fm_breakpad_inlines inlines;
    struct key_list functions, symbols; /* indexes in records->functions, sorted by address */
    struct key_list rows;               /* rows of one function whose rows are not in order */
    uint64_t last_start, covered;       /* start and end of the last function that was added; covered: 0: none */
    size_t dropped;                     /* functions that overlap others */
    uint64_t dropped_line1;             /* where the first of them is in the text */
};

/* --- sorting --- */

/* Orders functions that start at one address: the shortest first, as the crate does. Symbols have no size. */
static int compare_functions(const void *context, uint32_t a, uint32_t b)
{
    const struct fm_breakpad_records *records = context;
    const uint64_t x = records->functions[a].size, y = records->functions[b].size;
    return x < y ? -1 : x > y;
}

static int compare_rows(const void *context, uint32_t a, uint32_t b)
{
    const struct fm_breakpad_row *rows = context;
    return rows[a].size < rows[b].size ? -1 : rows[a].size > rows[b].size;
}

static bool list_functions(struct breakpad_job *job, bool symbols, struct key_list *list)
{
    const struct fm_breakpad_records *records = job->records;
    for (size_t i = 0; i < records->function_count; i++) {
        if (records->functions[i].is_symbol != symbols) continue;
        if (!FM_GROW(records->heap, list->keys, list->capacity, list->count + 1)) return false;
        list->keys[list->count++] = (struct fm_key){records->functions[i].address, (uint32_t)i};
    }
    return fm_keys_sort(records->heap, list->keys, list->count, compare_functions, records);
}

static struct fm_breakpad_function *function_at(const struct breakpad_job *job, const struct key_list *list, size_t at)
{
    return &job->records->functions[list->keys[at].number];
}

/* --- writing one function --- */

/* A cursor over the rows of a function, in the order of their addresses. */
struct row_cursor {
    const struct fm_breakpad_row *rows;
    const struct fm_key *order; /* NULL: the rows are in order */
    size_t at, count;
    uint64_t start; /* of the function */
};

static const struct fm_breakpad_row *cursor_row(const struct row_cursor *cursor)
{
    return &cursor->rows[cursor->order != NULL ? cursor->order[cursor->at].number : cursor->at];
}

/* Gets a cursor over the rows [first, end) of the records. */
static bool start_rows(struct breakpad_job *job, const struct fm_breakpad_function *function, struct row_cursor *cursor)
{
    struct key_list *list = &job->rows;
    *cursor = (struct row_cursor){.count = function[1].row - function->row, .start = function->address};
    if (cursor->count == 0) return true; /* there may be no array of rows */
    cursor->rows = job->records->rows + function->row;
    size_t in_order = 1;
    while (in_order < cursor->count && cursor->rows[in_order - 1].offset < cursor->rows[in_order].offset) in_order++;
    if (in_order >= cursor->count) return true;
    if (cursor->count > UINT32_MAX || !FM_GROW(job->records->heap, list->keys, list->capacity, cursor->count))
        return false;
    for (size_t i = 0; i < cursor->count; i++)
        list->keys[i] = (struct fm_key){(uint64_t)cursor->rows[i].offset + ((uint64_t)1 << 63), (uint32_t)i};
    cursor->order = list->keys;
    return fm_keys_sort(job->records->heap, list->keys, cursor->count, compare_rows, cursor->rows);
}

/* Returns the row at an address, or NULL. If that changes at an address before *next, sets *next to it. A row counts up
 * to its end; rows that start before that count after it. */
static const struct fm_breakpad_row *row_at(struct row_cursor *cursor, uint64_t address, uint64_t *next)
{
    const int64_t offset = (int64_t)(address - cursor->start);
    for (; cursor->at < cursor->count; cursor->at++) {
        const struct fm_breakpad_row *row = cursor_row(cursor);
        const int64_t end = (int64_t)row->offset + row->size;
        if (end <= offset) continue;
        const bool covers = row->offset <= offset;
        const uint64_t left = (uint64_t)((covers ? end : row->offset) - offset);
        if (left < *next - address) *next = address + left;
        return covers ? row : NULL;
    }
    return NULL;
}

static bool write_rows(struct breakpad_job *job, const struct fm_breakpad_function *function)
{
    const uint64_t end = function->address + function->size;
    struct row_cursor cursor;
    if (!start_rows(job, function, &cursor)) return false;
    for (uint64_t at = function->address, next; at < end; at = next) {
        uint32_t node, file = FM_NONE, line1 = 0;
        next = end;
        if (!fm_breakpad_inlines_at(&job->inlines, at, &node, &next)) return false;
        const struct fm_breakpad_row *row = row_at(&cursor, at, &next);
        if (row != NULL && !fm_breakpad_batch_file(&job->batch, row->file, &file)) return false;
        if (file != FM_NONE) line1 = row->line1;
        if (!fm_unit_batch_row(&job->batch.unit, at, node, file, line1, 0)) return false;
    }
    return true;
}

/* Adds the names of functions with the same range, which come next in the order. */
static bool add_twins(struct breakpad_job *job, const struct fm_breakpad_function *function, uint32_t root)
{
    for (size_t i = job->functions.at; i < job->functions.count; i++) {
        const struct fm_breakpad_function *twin = function_at(job, &job->functions, i);
        if (twin->address != function->address || twin->size != function->size) break;
        job->functions.at = i + 1;
        if (!fm_str_equal(twin->name, function->name) && !fm_breakpad_batch_alias(&job->batch, root, twin->name))
            return false;
    }
    return true;
}

static bool write_function(struct breakpad_job *job, const struct fm_breakpad_function *function)
{
    uint32_t root;
    job->last_start = function->address;
    job->covered = function->address + function->size;
    return fm_unit_batch_start_run(&job->batch.unit, job->batch.scope, function->address) &&
           fm_breakpad_batch_root(&job->batch, function, function->size, &root) && add_twins(job, function, root) &&
           fm_breakpad_inlines_start(&job->inlines, root, function->range, function[1].range) &&
           write_rows(job, function);
}

/* --- writing the symbols between functions --- */

/* Writes the symbols [at, end) of the list, which start at one address, for the code [from, to). The first of them
 * names it. */
static bool write_symbol(struct breakpad_job *job, size_t at, size_t end, uint64_t from, uint64_t to)
{
    const struct fm_breakpad_function *symbol = function_at(job, &job->symbols, at);
    uint32_t root;
    if (from >= to) return true;
    if (!fm_unit_batch_start_run(&job->batch.unit, job->batch.scope, from) ||
        !fm_breakpad_batch_root(&job->batch, symbol, to - symbol->address, &root) ||
        !fm_unit_batch_row(&job->batch.unit, from, root, FM_NONE, 0, 0))
        return false;
    for (size_t i = at + 1; i < end; i++) {
        const framemap_str name = function_at(job, &job->symbols, i)->name;
        if (!fm_str_equal(name, symbol->name) && !fm_breakpad_batch_alias(&job->batch, root, name)) return false;
    }
    return true;
}

/* Returns the index of the first symbol that starts after the symbols at `at`. */
static size_t after_symbols(const struct key_list *list, size_t at)
{
    const uint64_t address = list->keys[at].key;
    while (at < list->count && list->keys[at].key == address) at++;
    return at;
}

static bool write_end(struct breakpad_job *job, uint64_t at)
{
    return fm_unit_batch_start_run(&job->batch.unit, job->batch.scope, at) &&
           fm_unit_batch_row(&job->batch.unit, at, FM_NONE, FM_NONE, 0, 0);
}

/* Writes the code from the end of the last function up to `limit`, where the next function starts. is_last: there is no
 * next function. */
static bool write_gap(struct breakpad_job *job, uint64_t limit, bool is_last)
{
    struct key_list *list = &job->symbols;
    uint64_t end = job->covered;
    if (job->covered > 0 && job->covered < limit && !write_end(job, job->covered)) return false;
    while (list->at < list->count && list->keys[list->at].key < limit) {
        const size_t first = list->at, next = after_symbols(list, first);
        const uint64_t address = list->keys[first].key, from = address > job->covered ? address : job->covered;
        const bool bounded = next < list->count && list->keys[next].key < limit;
        list->at = next;
        if (job->covered > 0 && address <= job->last_start) continue;
        end = bounded ? list->keys[next].key : limit;
        if (is_last && !bounded) end = from > UINT64_MAX - MOST_UNBOUNDED ? UINT64_MAX : from + MOST_UNBOUNDED;
        if (!write_symbol(job, first, next, from, end)) return false;
    }
    return !is_last || end == job->covered || write_end(job, end);
}

/* --- writing all --- */

static void report_dropped(const struct breakpad_job *job, const struct fm_mapper_host *host)
{
    framemap_error warning = {0};
    if (job->dropped == 0) return;
    fm_error_line(&warning, FRAMEMAP_E_CORRUPT, job->dropped_line1,
                  "FUNC records that overlap another function were skipped, %zu in all; this line has the first",
                  job->dropped);
    fm_mapper_warn(host, &warning);
}

/* Writes the next function with the symbols before it, unless the function overlaps the last one. */
static bool write_next(struct breakpad_job *job)
{
    const struct fm_breakpad_function *function = function_at(job, &job->functions, job->functions.at++);
    if (function->address >= job->covered)
        return write_gap(job, function->address, false) && write_function(job, function);
    if (job->dropped == 0 || function->line1 < job->dropped_line1) job->dropped_line1 = function->line1;
    job->dropped++;
    return true;
}

static framemap_status write_all(struct breakpad_job *job)
{
    framemap_status status = FRAMEMAP_OK;
    if (!list_functions(job, false, &job->functions) || !list_functions(job, true, &job->symbols))
        return fm_error_memory(job->error);
    while (job->functions.at < job->functions.count && status == FRAMEMAP_OK) {
        if (!write_next(job)) return fm_error_memory(job->error);
        status = fm_breakpad_batch_pass(&job->batch, false, job->error);
    }
    if (status == FRAMEMAP_OK && !write_gap(job, UINT64_MAX, true)) return fm_error_memory(job->error);
    return status == FRAMEMAP_OK ? fm_breakpad_batch_pass(&job->batch, true, job->error) : status;
}

static void free_list(struct fm_heap *heap, struct key_list *list)
{
    fm_heap_free(heap, list->keys, list->capacity * sizeof *list->keys);
}

static framemap_status compile_job(struct breakpad_job *job, struct fm_builder *builder)
{
    uint32_t scope;
    framemap_status status = fm_builder_scope(builder, (framemap_str){"", 0}, &scope, job->error);
    if (status != FRAMEMAP_OK) return status;
    fm_breakpad_batch_init(&job->batch, job->records, builder, scope);
    fm_breakpad_inlines_init(&job->inlines, &job->batch);
    status = write_all(job);
    fm_breakpad_inlines_free(&job->inlines);
    fm_breakpad_batch_free(&job->batch);
    free_list(job->records->heap, &job->functions);
    free_list(job->records->heap, &job->symbols);
    free_list(job->records->heap, &job->rows);
    return status;
}

framemap_status fm_breakpad_compile(struct fm_breakpad_records *records, const struct fm_mapper_host *host,
                                    struct fm_builder *builder, framemap_error *error)
{
    struct breakpad_job *job = fm_heap_zalloc(records->heap, 1, sizeof *job);
    if (job == NULL) return fm_error_memory(error);
    job->records = records;
    job->error = error;
    const framemap_status status = compile_job(job, builder);
    if (status == FRAMEMAP_OK) report_dropped(job, host);
    fm_heap_free(records->heap, job, sizeof *job);
    return status;
}
