/* Records the events of DWARF backends. See dw_events.h. */
#include "tests/mappers/native/dw_events.h"

#include "core/text/text.h"
#include "tests/mappers/native/dw_event_stream.h"

#include <stdlib.h>
#include <string.h>

static void begin(struct dw_events *events, struct dw_stream *stream, enum dw_event_kind kind)
{
    dw_stream_put(stream, kind);
    events->counts[kind]++;
}

static bool goes_on(struct dw_events *events)
{
    if (events->limit != 0 && events->claims.count + events->bodies.count > events->limit) events->full = true;
    return !events->full;
}

static void break_promise(struct dw_events *events, const char *why)
{
    if (events->unsound == NULL) events->unsound = why;
}

static bool on_claim(void *context, const struct fm_dw_claim *claim)
{
    struct dw_events *events = context;

    if (claim->number != events->unit_count) break_promise(events, "a claim out of order");
    events->units =
        dw_events_grow(events->units, &events->unit_capacity, events->unit_count + 1, sizeof *events->units);
    events->units[events->unit_count++] =
        (struct dw_recorded_unit){.offset = claim->offset, .end = claim->end, .claim = events->claims.count};
    begin(events, &events->claims, DW_EVENT_CLAIM);
    dw_stream_put(&events->claims, claim->offset);
    dw_stream_put(&events->claims, claim->end);
    dw_stream_put(&events->claims, claim->weak);
    dw_stream_put(&events->claims, claim->listed_count);
    dw_stream_put_ranges(&events->claims, claim->ranges, claim->range_count);
    return goes_on(events);
}

static bool on_unit(void *context, const struct fm_dw_unit *unit)
{
    struct dw_events *events = context;
    struct dw_stream *to = &events->bodies;

    if (unit->number != events->number) break_promise(events, "a unit does not have the requested number");
    begin(events, to, DW_EVENT_UNIT);
    dw_stream_put(to, unit->offset);
    dw_stream_put(to, unit->version);
    dw_stream_put(to, unit->language);
    dw_stream_put_text(to, unit->name);
    dw_stream_put_text(to, unit->folder);
    dw_stream_put_text(to, unit->producer);
    return goes_on(events);
}

static void check_file(struct dw_events *events, uint32_t file)
{
    if (file != FM_NONE && file >= events->announced) break_promise(events, "a file that was not announced");
}

static bool on_file(void *context, uint32_t number, framemap_str path)
{
    struct dw_events *events = context;

    if (number != events->announced++) break_promise(events, "a file out of order");
    begin(events, &events->files, DW_EVENT_FILE);
    dw_stream_put(&events->files, number);
    dw_stream_put_text(&events->files, path);
    return goes_on(events);
}

static void put_row(struct dw_events *events, const struct fm_dw_row *row)
{
    struct dw_stream *to = &events->bodies;

    check_file(events, row->file);
    begin(events, to, DW_EVENT_ROW);
    dw_stream_put(to, row->address);
    dw_stream_put(to, row->file);
    dw_stream_put(to, row->line1);
    dw_stream_put(to, row->col1);
    dw_stream_put(to, row->is_stmt);
    dw_stream_put(to, row->end_sequence);
}

static bool on_rows(void *context, const struct fm_dw_row *rows, size_t count)
{
    if (count == 0) break_promise(context, "rows that are none");
    for (size_t i = 0; i < count; i++) put_row(context, &rows[i]);
    return goes_on(context);
}

static bool on_enter(void *context, const struct fm_dw_function *function)
{
    struct dw_events *events = context;
    struct dw_stream *to = &events->bodies;

    check_file(events, function->decl_file);
    check_file(events, function->call_file);
    begin(events, to, DW_EVENT_ENTER);
    dw_stream_put(to, function->offset);
    dw_stream_put(to, function->origin);
    dw_stream_put_text(to, function->linkage_name);
    dw_stream_put_text(to, function->name);
    dw_stream_put(to, function->decl_file);
    dw_stream_put(to, function->decl_line1);
    dw_stream_put(to, function->artificial);
    dw_stream_put(to, function->call_file);
    dw_stream_put(to, function->call_line1);
    dw_stream_put(to, function->call_col1);
    dw_stream_put(to, function->depth);
    dw_stream_put_ranges(to, function->ranges, function->range_count);
    return goes_on(events);
}

static bool on_leave(void *context)
{
    struct dw_events *events = context;

    begin(events, &events->bodies, DW_EVENT_LEAVE);
    return goes_on(events);
}

static bool on_unit_end(void *context)
{
    struct dw_events *events = context;

    begin(events, &events->bodies, DW_EVENT_UNIT_END);
    return goes_on(events);
}

static void put_fault(struct dw_events *events, struct dw_stream *to, enum dw_event_kind kind, framemap_status code,
                      const framemap_error *fault)
{
    begin(events, to, kind);
    dw_stream_put(to, (uint64_t)(int64_t)code);
    dw_stream_put(to, fault->has_offset ? fault->offset : 0);
    dw_stream_put_text(to, framemap_str_of(fault->where));
    dw_stream_put_text(to, framemap_str_of(fault->message));
}

static void on_fault(void *context, const framemap_error *fault)
{
    struct dw_events *events = context;
    if (!events->silent) put_fault(events, events->to, DW_EVENT_FAULT, fault->code, fault);
}

static void put_done(struct dw_events *events, struct dw_stream *to, framemap_status status,
                     const framemap_error *error)
{
    const framemap_error none = {0};
    put_fault(events, to, DW_EVENT_DONE, status, status == FRAMEMAP_OK ? &none : error);
}

static void walk_unit(struct dw_events *events, const struct fm_dw_backend *reader, struct fm_dw_worker *worker,
                      uint32_t number)
{
    const struct fm_dw_visitor visitor = {events,   on_unit,     on_file,  on_rows,          on_enter,
                                          on_leave, on_unit_end, on_fault, .one_name = false};
    struct dw_recorded_unit *unit = &events->units[number];
    framemap_error error = {0};

    events->number = number;
    events->announced = 0;
    events->to = &events->bodies;
    unit->from = events->bodies.count;
    unit->files_from = events->files.count;
    unit->status = reader->walk(worker, number, &visitor, &error);
    if (unit->status == FRAMEMAP_E_CORRUPT) {
        events->bodies.count = unit->from;
        events->files.count = unit->files_from;
    }
    if (unit->status == FRAMEMAP_E_CORRUPT) put_fault(events, &events->faults, DW_EVENT_FAULT, unit->status, &error);
    put_done(events, &events->files, unit->status, &error);
    put_done(events, &events->bodies, unit->status, &error);
}

static void walk_units(struct dw_events *events, const struct fm_dw_backend *reader, struct fm_dw_debug *debug,
                       bool backwards)
{
    struct fm_dw_worker *worker = NULL;
    framemap_error error = {0};
    framemap_status status = reader->worker(debug, &worker, &error);

    put_done(events, &events->claims, status, &error);
    /* A unit that was not reported must not be requested from the backend. */
    if (status == FRAMEMAP_OK && events->unsound == NULL) {
        for (size_t i = 0; i < events->unit_count; i++) {
            walk_unit(events, reader, worker, (uint32_t)(backwards ? events->unit_count - 1 - i : i));
        }
    }
    reader->worker_free(worker);
}

/* --- sorting faults whose order does not matter --- */

/* An element for qsort, which passes no context to the comparison, so each element points to its stream. */
struct placed {
    const struct dw_stream *stream;
    size_t at;
};

static int compare_text(const struct dw_stream *stream, size_t a, size_t b)
{
    framemap_str x = dw_stream_text(stream, a), y = dw_stream_text(stream, b);
    int order = memcmp(x.data, y.data, x.size < y.size ? x.size : y.size);
    return order != 0 ? order : (x.size > y.size) - (x.size < y.size);
}

/* Compares faults by position, then code and message. An element has kind, code, offset, and two texts of two words
 * each. */
static int compare_faults(const void *left, const void *right)
{
    const struct placed *a = left, *b = right;
    const uint64_t *x = a->stream->words + a->at, *y = a->stream->words + b->at;
    int order = compare_text(a->stream, a->at + 3, b->at + 3);

    if (order == 0) order = (x[2] > y[2]) - (x[2] < y[2]);
    if (order == 0) order = (x[1] > y[1]) - (x[1] < y[1]);
    return order != 0 ? order : compare_text(a->stream, a->at + 5, b->at + 5);
}

enum { FAULT_WORDS = 7 };

static void sort_faults(struct dw_stream *faults)
{
    const size_t count = faults->count / FAULT_WORDS;
    struct placed *order = calloc(count + 1, sizeof *order);
    uint64_t *words = calloc(faults->count + 1, sizeof *words);

    if (order == NULL || words == NULL) abort();
    for (size_t i = 0; i < count; i++) order[i] = (struct placed){faults, i * FAULT_WORDS};
    qsort(order, count, sizeof *order, compare_faults);
    for (size_t i = 0; i < count; i++)
        memcpy(words + i * FAULT_WORDS, faults->words + order[i].at, FAULT_WORDS * sizeof *words);
    if (faults->count > 0) memcpy(faults->words, words, faults->count * sizeof *words);
    free(words);
    free(order);
}

/* --- making a whole recording --- */

void dw_events_record(struct dw_events *events, const struct fm_dw_backend *reader, const struct fm_image *image,
                      const struct fm_mapper_host *host, bool backwards)
{
    const struct fm_dw_open_callbacks survey = {events, on_claim, on_fault};
    struct fm_dw_debug *debug = NULL;
    framemap_error error = {0};

    *events = (struct dw_events){.limit = events->limit, .silent = events->silent};
    events->to = &events->faults;
    framemap_status status = reader->open(image, host, &survey, &debug, &error);
    if (status == FRAMEMAP_OK)
        walk_units(events, reader, debug, backwards);
    else
        put_done(events, &events->claims, status, &error);
    reader->close(debug);
    sort_faults(&events->faults);
}

void dw_events_free(struct dw_events *events)
{
    dw_stream_free(&events->faults);
    dw_stream_free(&events->claims);
    dw_stream_free(&events->files);
    dw_stream_free(&events->bodies);
    free(events->units);
    *events = (struct dw_events){.limit = events->limit, .silent = events->silent};
}

size_t dw_events_total(const struct dw_events *events)
{
    size_t total = 0;
    for (size_t kind = 0; kind < DW_EVENT_DONE; kind++) total += events->counts[kind];
    return total;
}

static bool has_fault(const struct dw_stream *stream, framemap_status code)
{
    for (size_t at = 0; at < stream->count; at += dw_event_words(stream, at)) {
        const uint64_t kind = stream->words[at];
        if ((kind == DW_EVENT_FAULT || kind == DW_EVENT_DONE) && stream->words[at + 1] == (uint64_t)(int64_t)code)
            return true;
    }
    return false;
}

bool dw_events_have_fault(const struct dw_events *events, framemap_status code)
{
    return has_fault(&events->faults, code) || has_fault(&events->claims, code) || has_fault(&events->bodies, code);
}
