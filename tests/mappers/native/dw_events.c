/* Records and compares the events of DWARF backends. See dw_events.h. */
#include "tests/mappers/native/dw_events.h"

#include "core/text/text.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

/* --- the fields of each kind of event --- */

enum shape {
    END,
    NUMBER,      /* one word */
    HEX,         /* one word, shown in hexadecimal: an address or offset */
    FILE_NUMBER, /* one word; FM_NONE is shown as none */
    TEXT,        /* two words: offset and size in texts */
    RANGES       /* one word, their number; then two words for each */
};
struct field {
    const char *name;
    enum shape shape;
};
#define FIELDS_MOST 13
static const struct {
    const char *name;
    struct field fields[FIELDS_MOST + 1];
} kinds[DW_EVENT_KINDS] = {
    [DW_EVENT_CLAIM] = {"claim",
                        {{"offset", HEX}, {"end", HEX}, {"weak", NUMBER}, {"listed", NUMBER}, {"ranges", RANGES}}},
    [DW_EVENT_UNIT] = {"unit",
                       {{"offset", HEX},
                        {"version", NUMBER},
                        {"language", NUMBER},
                        {"name", TEXT},
                        {"folder", TEXT},
                        {"producer", TEXT}}},
    [DW_EVENT_FILE] = {"file", {{"number", NUMBER}, {"path", TEXT}}},
    [DW_EVENT_ROW] = {"row",
                      {{"address", HEX},
                       {"file", FILE_NUMBER},
                       {"line", NUMBER},
                       {"column", NUMBER},
                       {"is_stmt", NUMBER},
                       {"end_sequence", NUMBER}}},
    [DW_EVENT_ENTER] = {"enter",
                        {{"offset", HEX},
                         {"origin", HEX},
                         {"linkage_name", TEXT},
                         {"name", TEXT},
                         {"decl_file", FILE_NUMBER},
                         {"decl_line", NUMBER},
                         {"artificial", NUMBER},
                         {"call_file", FILE_NUMBER},
                         {"call_line", NUMBER},
                         {"call_column", NUMBER},
                         {"depth", NUMBER},
                         {"ranges", RANGES}}},
    [DW_EVENT_LEAVE] = {"leave", {{NULL, END}}},
    [DW_EVENT_UNIT_END] = {"unit_end", {{NULL, END}}},
    [DW_EVENT_FAULT] = {"fault", {{"code", NUMBER}, {"offset", HEX}, {"where", TEXT}, {"message", TEXT}}},
    [DW_EVENT_DONE] = {"done", {{"status", NUMBER}, {"offset", HEX}, {"where", TEXT}, {"message", TEXT}}},
};

/* --- streams --- */

static void *grow(void *data, size_t *capacity, size_t want, size_t width)
{
    if (want <= *capacity) return data;
    *capacity = want + want / 2 + 256;
    void *moved = realloc(data, *capacity * width);
    if (moved == NULL) {
        fputs("dw_events: the test itself is out of memory\n", stderr);
        abort();
    }
    return moved;
}

static void put(struct dw_stream *stream, uint64_t word)
{
    stream->words = grow(stream->words, &stream->capacity, stream->count + 1, sizeof *stream->words);
    stream->words[stream->count++] = word;
}

static void put_text(struct dw_stream *stream, framemap_str text)
{
    stream->texts = grow(stream->texts, &stream->text_capacity, stream->text_size + text.size, 1);
    if (text.size > 0) memcpy(stream->texts + stream->text_size, text.data, text.size);
    put(stream, stream->text_size);
    put(stream, text.size);
    stream->text_size += text.size;
}

static void put_ranges(struct dw_stream *stream, const struct fm_dw_range *ranges, size_t count)
{
    put(stream, count);
    for (size_t i = 0; i < count; i++) {
        put(stream, ranges[i].low);
        put(stream, ranges[i].high);
    }
}

/* Number of words of the field that starts at `at`. */
static size_t field_words(const struct dw_stream *stream, size_t at, enum shape shape)
{
    switch (shape) {
    case END: return 0;
    case TEXT: return 2;
    case RANGES: return 1 + 2 * (size_t)stream->words[at];
    default: return 1;
    }
}

static size_t event_words(const struct dw_stream *stream, size_t at)
{
    size_t next = at + 1;
    for (const struct field *field = kinds[stream->words[at]].fields; field->shape != END; field++) {
        next += field_words(stream, next, field->shape);
    }
    return next - at;
}

static framemap_str text_at(const struct dw_stream *stream, size_t at)
{
    return (framemap_str){stream->texts == NULL ? "" : stream->texts + stream->words[at],
                          (size_t)stream->words[at + 1]};
}

static void free_stream(struct dw_stream *stream)
{
    free(stream->words);
    free(stream->texts);
    *stream = (struct dw_stream){.count = 0};
}

/* --- recording --- */

static void begin(struct dw_events *events, struct dw_stream *stream, enum dw_event_kind kind)
{
    put(stream, kind);
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
    events->units = grow(events->units, &events->unit_capacity, events->unit_count + 1, sizeof *events->units);
    events->units[events->unit_count++] =
        (struct dw_recorded_unit){.offset = claim->offset, .end = claim->end, .claim = events->claims.count};
    begin(events, &events->claims, DW_EVENT_CLAIM);
    put(&events->claims, claim->offset);
    put(&events->claims, claim->end);
    put(&events->claims, claim->weak);
    put(&events->claims, claim->listed_count);
    put_ranges(&events->claims, claim->ranges, claim->range_count);
    return goes_on(events);
}

static bool on_unit(void *context, const struct fm_dw_unit *unit)
{
    struct dw_events *events = context;
    struct dw_stream *to = &events->bodies;

    if (unit->number != events->number) break_promise(events, "a unit does not have the requested number");
    begin(events, to, DW_EVENT_UNIT);
    put(to, unit->offset);
    put(to, unit->version);
    put(to, unit->language);
    put_text(to, unit->name);
    put_text(to, unit->folder);
    put_text(to, unit->producer);
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
    put(&events->files, number);
    put_text(&events->files, path);
    return goes_on(events);
}

static void put_row(struct dw_events *events, const struct fm_dw_row *row)
{
    struct dw_stream *to = &events->bodies;

    check_file(events, row->file);
    begin(events, to, DW_EVENT_ROW);
    put(to, row->address);
    put(to, row->file);
    put(to, row->line1);
    put(to, row->col1);
    put(to, row->is_stmt);
    put(to, row->end_sequence);
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
    put(to, function->offset);
    put(to, function->origin);
    put_text(to, function->linkage_name);
    put_text(to, function->name);
    put(to, function->decl_file);
    put(to, function->decl_line1);
    put(to, function->artificial);
    put(to, function->call_file);
    put(to, function->call_line1);
    put(to, function->call_col1);
    put(to, function->depth);
    put_ranges(to, function->ranges, function->range_count);
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
    put(to, (uint64_t)(int64_t)code);
    put(to, fault->has_offset ? fault->offset : 0);
    put_text(to, framemap_str_of(fault->where));
    put_text(to, framemap_str_of(fault->message));
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

static bool refused(framemap_status status) { return status == FRAMEMAP_E_CORRUPT || status == FRAMEMAP_E_UNSUPPORTED; }

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
    if (refused(unit->status)) {
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
    /* A backend must not be given a number that it did not report. */
    if (status == FRAMEMAP_OK && events->unsound == NULL) {
        for (size_t i = 0; i < events->unit_count; i++) {
            walk_unit(events, reader, worker, (uint32_t)(backwards ? events->unit_count - 1 - i : i));
        }
    }
    reader->worker_free(worker);
}

/* --- sorting faults whose order does not matter --- */

/* qsort passes no context. */
struct placed {
    const struct dw_stream *stream;
    size_t at;
};

static int compare_text(const struct dw_stream *stream, size_t a, size_t b)
{
    framemap_str x = text_at(stream, a), y = text_at(stream, b);
    int order = memcmp(x.data, y.data, x.size < y.size ? x.size : y.size);
    return order != 0 ? order : (x.size > y.size) - (x.size < y.size);
}

/* By position, then code and message. An element has kind, code, offset, and two texts of two words each. */
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

/* --- a whole recording --- */

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
    free_stream(&events->faults);
    free_stream(&events->claims);
    free_stream(&events->files);
    free_stream(&events->bodies);
    free(events->units);
    *events = (struct dw_events){.limit = events->limit, .silent = events->silent};
}

size_t dw_events_total(const struct dw_events *events)
{
    size_t total = 0;
    for (size_t kind = 0; kind < DW_EVENT_DONE; kind++) total += events->counts[kind];
    return total;
}

size_t dw_events_left_over(const struct dw_events *events)
{
    size_t count = 0;
    for (size_t i = 0; i < events->unit_count; i++) count += events->units[i].status == FRAMEMAP_E_UNSUPPORTED;
    return count;
}

static bool has_fault(const struct dw_stream *stream, framemap_status code)
{
    for (size_t at = 0; at < stream->count; at += event_words(stream, at)) {
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

/* --- descriptions --- */

static void print_field(const struct dw_stream *stream, size_t at, enum shape shape, FILE *to)
{
    uint64_t word = stream->words[at];
    framemap_str text;

    switch (shape) {
    case END: break;
    case NUMBER: fprintf(to, "%" PRId64, (int64_t)word); break;
    case HEX: fprintf(to, "0x%" PRIx64, word); break;
    case FILE_NUMBER:
        if (word == FM_NONE)
            fputs("none", to);
        else
            fprintf(to, "%" PRIu64, word);
        break;
    case TEXT:
        text = text_at(stream, at);
        fprintf(to, "\"%.*s\"", (int)(text.size > 300 ? 300 : text.size), text.data);
        break;
    case RANGES:
        fprintf(to, "%" PRIu64 ":", word);
        for (uint64_t i = 0; i < word && i < 8; i++) {
            fprintf(to, " [0x%" PRIx64 ", 0x%" PRIx64 ")", stream->words[at + 1 + 2 * i],
                    stream->words[at + 2 + 2 * i]);
        }
        if (word > 8) fputs(" ...", to);
        break;
    }
}

static void print_event(const struct dw_stream *stream, size_t at, const char *name, FILE *to)
{
    const uint64_t kind = stream->words[at++];

    fprintf(to, "  %s: %s", name, kinds[kind].name);
    for (const struct field *field = kinds[kind].fields; field->shape != END; field++) {
        fprintf(to, " %s=", field->name);
        print_field(stream, at, field->shape, to);
        at += field_words(stream, at, field->shape);
    }
    fputc('\n', to);
}

/* --- comparing --- */

/* Positions in the two streams, in words. */
struct pair {
    const char *what; /* which streams these are */
    const struct dw_stream *streams[2];
    const char *names[2];
    size_t at[2], end[2];
    uint64_t unit;  /* offset of the unit; UINT64_MAX: none */
    uint64_t entry; /* offset of the entry entered last; UINT64_MAX: none */
    FILE *to;
};

static bool same_field(const struct pair *pair, size_t a, size_t b, enum shape shape)
{
    if (shape == TEXT) return fm_str_equal(text_at(pair->streams[0], a), text_at(pair->streams[1], b));
    size_t words = field_words(pair->streams[0], a, shape);
    if (words != field_words(pair->streams[1], b, shape)) return false;
    return memcmp(pair->streams[0]->words + a, pair->streams[1]->words + b, words * sizeof(uint64_t)) == 0;
}

static void print_place(const struct pair *pair)
{
    fputs(pair->what, pair->to);
    if (pair->unit != UINT64_MAX) fprintf(pair->to, ", unit at 0x%" PRIx64, pair->unit);
    if (pair->entry != UINT64_MAX) fprintf(pair->to, ", entry 0x%" PRIx64, pair->entry);
    fputs(": ", pair->to);
}

static void print_both(const struct pair *pair)
{
    for (int i = 0; i < 2; i++) {
        if (pair->at[i] < pair->end[i]) print_event(pair->streams[i], pair->at[i], pair->names[i], pair->to);
    }
}

static bool differ_in_kind(const struct pair *pair)
{
    if (pair->to == NULL) return false;
    print_place(pair);
    for (int i = 0; i < 2; i++) {
        const bool more = pair->at[i] < pair->end[i];
        fprintf(pair->to, "%s reports %s%s", pair->names[i],
                more ? kinds[pair->streams[i]->words[pair->at[i]]].name : "nothing more", i == 0 ? " where " : "\n");
    }
    print_both(pair);
    return false;
}

static bool differ_in_field(const struct pair *pair, const struct field *field, size_t a, size_t b)
{
    if (pair->to == NULL) return false;
    print_place(pair);
    fprintf(pair->to, "%s of %s is ", field->name, kinds[pair->streams[0]->words[pair->at[0]]].name);
    print_field(pair->streams[0], a, field->shape, pair->to);
    fprintf(pair->to, " by %s and ", pair->names[0]);
    print_field(pair->streams[1], b, field->shape, pair->to);
    fprintf(pair->to, " by %s\n", pair->names[1]);
    print_both(pair);
    return false;
}

static bool same_event(const struct pair *pair)
{
    size_t a = pair->at[0], b = pair->at[1];
    const uint64_t kind = pair->streams[0]->words[a];

    if (kind != pair->streams[1]->words[b]) return differ_in_kind(pair);
    a++, b++;
    for (const struct field *field = kinds[kind].fields; field->shape != END; field++) {
        if (!same_field(pair, a, b, field->shape)) return differ_in_field(pair, field, a, b);
        a += field_words(pair->streams[0], a, field->shape);
        b += field_words(pair->streams[1], b, field->shape);
    }
    return true;
}

static bool same_streams(struct pair *pair)
{
    while (pair->at[0] < pair->end[0] && pair->at[1] < pair->end[1]) {
        if (!same_event(pair)) return false;
        const uint64_t *words = pair->streams[0]->words + pair->at[0];
        if (words[0] == DW_EVENT_ENTER) pair->entry = words[1];
        for (int i = 0; i < 2; i++) pair->at[i] += event_words(pair->streams[i], pair->at[i]);
        if (words[0] == DW_EVENT_DONE) return true; /* end of this unit */
    }
    return (pair->at[0] == pair->end[0] && pair->at[1] == pair->end[1]) || differ_in_kind(pair);
}

static size_t next_unit(const struct dw_events *events, size_t number)
{
    while (number < events->unit_count && events->units[number].status == FRAMEMAP_E_CORRUPT) number++;
    return number;
}

/* The claim of a unit, or DONE after the last claim. */
static size_t claim_at(const struct dw_events *events, size_t number)
{
    if (number < events->unit_count) return events->units[number].claim;
    size_t at = 0;
    while (at < events->claims.count && events->claims.words[at] != DW_EVENT_DONE)
        at += event_words(&events->claims, at);
    return at;
}

static bool same_unit(const struct dw_events *a, size_t i, const struct dw_events *b, size_t j, struct pair pair)
{
    pair.what = "claims";
    pair.streams[0] = &a->claims, pair.streams[1] = &b->claims;
    pair.at[0] = claim_at(a, i), pair.at[1] = claim_at(b, j);
    pair.end[0] = a->claims.count, pair.end[1] = b->claims.count;
    if (!same_event(&pair)) return false;
    if (i == a->unit_count || a->units[i].status == FRAMEMAP_E_UNSUPPORTED ||
        b->units[j].status == FRAMEMAP_E_UNSUPPORTED)
        return true;
    pair.what = "files";
    pair.unit = a->units[i].offset;
    pair.streams[0] = &a->files, pair.streams[1] = &b->files;
    pair.at[0] = a->units[i].files_from, pair.at[1] = b->units[j].files_from;
    pair.end[0] = a->files.count, pair.end[1] = b->files.count;
    if (!same_streams(&pair)) return false;
    pair.what = "units";
    pair.streams[0] = &a->bodies, pair.streams[1] = &b->bodies;
    pair.at[0] = a->units[i].from, pair.at[1] = b->units[j].from;
    pair.end[0] = a->bodies.count, pair.end[1] = b->bodies.count;
    return same_streams(&pair);
}

bool dw_events_equal(const struct dw_events *a, const char *a_name, const struct dw_events *b, const char *b_name,
                     FILE *to)
{
    struct pair pair = {.names = {a_name, b_name}, .unit = UINT64_MAX, .entry = UINT64_MAX, .to = to};
    struct pair faults = pair;
    size_t i = next_unit(a, 0), j = next_unit(b, 0);

    for (;; i = next_unit(a, i + 1), j = next_unit(b, j + 1)) {
        if (!same_unit(a, i, b, j, pair)) return false;
        if (i == a->unit_count || j == b->unit_count) break; /* end of both, or the claims differ in kind */
    }
    faults.what = "faults of the opening";
    faults.streams[0] = &a->faults, faults.streams[1] = &b->faults;
    faults.end[0] = a->faults.count, faults.end[1] = b->faults.count;
    return same_streams(&faults);
}

/* --- the rules of dw_visitor.h --- */

struct promise {
    const struct dw_stream *stream;
    uint64_t depth;
    bool begun, ended;
};

/* Why the event at a position breaks a rule, or NULL. */
static const char *check_ranges(const struct dw_stream *stream, size_t at)
{
    for (uint64_t i = 0; i < stream->words[at]; i++) {
        if (stream->words[at + 1 + 2 * i] >= stream->words[at + 2 + 2 * i]) return "a range is empty or reversed";
    }
    return NULL;
}

static const char *check_event(struct promise *promise, size_t at)
{
    const uint64_t *words = promise->stream->words + at;
    const bool begun = promise->begun;

    switch ((enum dw_event_kind)words[0]) {
    case DW_EVENT_UNIT: promise->begun = true; return begun ? "a unit that begins twice" : NULL;
    case DW_EVENT_ROW: return begun ? NULL : "a row outside of units";
    case DW_EVENT_ENTER:
        promise->depth++;
        return begun ? check_ranges(promise->stream, at + 14)
                     : "a function outside of units"; /* after offset, origin, two texts, seven numbers */
    case DW_EVENT_LEAVE: return promise->depth-- > 0 ? NULL : "more is left than was entered";
    case DW_EVENT_UNIT_END:
        promise->ended = true;
        return begun && promise->depth == 0 ? NULL : "a unit ends inside of a function";
    case DW_EVENT_DONE: return words[1] != FRAMEMAP_OK || promise->ended ? NULL : "a unit without an end";
    case DW_EVENT_CLAIM: return words[5] == 0 ? "a claim of nothing" : check_ranges(promise->stream, at + 5);
    case DW_EVENT_FILE:
    case DW_EVENT_FAULT:
    case DW_EVENT_KINDS: break;
    }
    return NULL;
}

static bool broken(const struct dw_stream *stream, size_t at, const char *name, const char *why, FILE *to)
{
    if (to == NULL) return false;
    fprintf(to, "%s breaks a promise of visitor.h: %s\n", name, why);
    if (stream != NULL) print_event(stream, at, name, to);
    return false;
}

static bool sound_stream(const struct dw_stream *stream, const char *name, FILE *to)
{
    struct promise promise = {.stream = stream, .ended = true};

    for (size_t at = 0; at < stream->count; at += event_words(stream, at)) {
        if (!promise.begun && stream->words[at] == DW_EVENT_UNIT) promise.ended = false;
        const char *why = check_event(&promise, at);
        if (why != NULL) return broken(stream, at, name, why, to);
        if (stream->words[at] == DW_EVENT_DONE) promise = (struct promise){.stream = stream, .ended = true};
    }
    return true;
}

static bool in_order(const struct dw_events *events)
{
    for (size_t i = 0; i < events->unit_count; i++) {
        if (events->units[i].offset >= events->units[i].end) return false;
        if (i > 0 && events->units[i].offset < events->units[i - 1].end) return false;
    }
    return true;
}

bool dw_events_sound(const struct dw_events *events, const char *name, FILE *to)
{
    if (events->unsound != NULL) return broken(NULL, 0, name, events->unsound, to);
    if (!in_order(events)) return broken(NULL, 0, name, "units that are not in order", to);
    return sound_stream(&events->claims, name, to) && sound_stream(&events->bodies, name, to);
}
