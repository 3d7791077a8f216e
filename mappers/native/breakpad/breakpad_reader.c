/* Implements breakpad_reader.h: recognizes the record of each line by its first byte, and parses it. Lines may end with
 * CR LF, and fields may be separated by several blanks. Unwind information (STACK) is most of many files and is skipped
 * by memchr. */
#include "mappers/native/breakpad/breakpad_reader.h"

#include "core/error.h"
#include "core/limits.h"
#include "mappers/native/breakpad/breakpad_scan.h"

#include <inttypes.h>

enum { STEP_BYTES = 1 << 20 }; /* progress is reported after this many bytes */
enum { REPORTED_FAULTS = 20 }; /* faults that are reported one by one; the others are counted */

struct breakpad_reader {
    struct fm_breakpad_records *out;
    const struct fm_mapper_host *host;
    framemap_error *error;
    const char *begin, *next_step;
    struct fm_scan s;
    uint64_t line1;
    size_t faults;
    size_t old_calls;  /* number of INLINE records of the old form */
    bool has_function; /* a FUNC record was read, to which rows belong */
    bool is_over;      /* what follows is not of this module */
};

/* --- reporting faults --- */

/* Reports that the current line is skipped. */
static framemap_status skip_line(struct breakpad_reader *r, const char *why)
{
    framemap_error warning = {0};
    (void)fm_breakpad_rest(&r->s);
    if (r->host->strict) return fm_error_line(r->error, FRAMEMAP_E_CORRUPT, r->line1, "%s", why);
    if (r->faults++ >= REPORTED_FAULTS) return FRAMEMAP_OK;
    fm_error_line(&warning, FRAMEMAP_E_CORRUPT, r->line1, "this line is skipped: %s", why);
    fm_mapper_warn(r->host, &warning);
    return FRAMEMAP_OK;
}

static void report_more_faults(const struct breakpad_reader *r)
{
    framemap_error warning = {0};
    if (r->faults <= REPORTED_FAULTS) return;
    fm_error_set(&warning, FRAMEMAP_E_CORRUPT, "%zu more lines were skipped", r->faults - REPORTED_FAULTS);
    fm_mapper_warn(r->host, &warning);
}

static framemap_status reader_memory(struct breakpad_reader *r) { return fm_error_memory(r->error); }

static bool is_full(size_t count) { return count >= UINT32_MAX - 2; }

static framemap_status too_many(struct breakpad_reader *r)
{
    return fm_error_line(r->error, FRAMEMAP_E_LIMIT, r->line1, "more than 4 billion records");
}

/* --- line records --- */

static inline bool read_row_fields(struct fm_scan *s, uint64_t *address, uint64_t *size, uint32_t *line, uint32_t *file)
{
    return fm_breakpad_hex(s, address) && fm_scan_blanks1(s) && fm_breakpad_hex(s, size) && fm_scan_blanks1(s) &&
           fm_breakpad_decimal(s, line) && fm_scan_blanks1(s) && fm_breakpad_decimal(s, file) &&
           fm_breakpad_line_end(s);
}

static framemap_status read_row(struct breakpad_reader *r)
{
    struct fm_breakpad_records *out = r->out;
    struct fm_scan s = r->s;
    uint64_t address, size;
    uint32_t line, file, id;
    if (!read_row_fields(&s, &address, &size, &line, &file)) return skip_line(r, "it is not a record");
    if (!r->has_function) return skip_line(r, "it is a line record that does not belong to a FUNC record");
    r->s = s;
    const uint64_t offset = address - out->functions[out->function_count - 1].address;
    /* dump_syms writes lines of size 0 for PDB files; lines that are 2 GB away are not of this function */
    if (size == 0 || offset + ((uint64_t)1 << 31) > UINT32_MAX) return FRAMEMAP_OK;
    if (!FM_GROW_BIG(out->heap, out->rows, out->row_capacity, out->row_count + 1) ||
        !fm_breakpad_names_id(&out->files, file, &id))
        return reader_memory(r);
    out->rows[out->row_count++] =
        (struct fm_breakpad_row){(int32_t)(int64_t)offset, size < UINT32_MAX ? (uint32_t)size : UINT32_MAX, line, id};
    return FRAMEMAP_OK;
}

/* --- FUNC and PUBLIC --- */

static framemap_status add_function(struct breakpad_reader *r, struct fm_breakpad_function *function)
{
    struct fm_breakpad_records *out = r->out;
    if (is_full(out->function_count)) return too_many(r);
    if (!FM_GROW_BIG(out->heap, out->functions, out->function_capacity, out->function_count + 2))
        return reader_memory(r);
    function->line1 = r->line1;
    function->row = out->row_count;
    function->range = out->range_count;
    if (function->size > UINT64_MAX - function->address) function->size = UINT64_MAX - function->address;
    if (function->name.size > FM_LIMIT_NAME) function->name.size = 0;
    out->functions[out->function_count++] = *function;
    return FRAMEMAP_OK;
}

/* Skips the field "m", which says that several symbols have this code. Addresses are hexadecimal, so that it cannot be
 * one. */
static void skip_multiple(struct fm_scan *s) { (void)fm_breakpad_word(s, FM_STR("m")); }

/* Parses the size of the parameters, which is not used, and the name, which may have blanks or be absent. */
static bool read_function_name(struct fm_scan *s, framemap_str *name)
{
    uint64_t parameters;
    if (!fm_breakpad_hex(s, &parameters)) return false;
    const bool separated = fm_scan_done(s) || fm_is_blank(*s->at) || *s->at == '\r' || *s->at == '\n';
    (void)fm_scan_blanks1(s);
    *name = fm_breakpad_rest(s);
    return separated;
}

static framemap_status read_func(struct breakpad_reader *r)
{
    struct fm_breakpad_function function = {.size = 0};
    struct fm_scan s = r->s;
    skip_multiple(&s);
    if (!fm_breakpad_hex(&s, &function.address) || !fm_scan_blanks1(&s) || !fm_breakpad_hex(&s, &function.size) ||
        !fm_scan_blanks1(&s) || !read_function_name(&s, &function.name))
        return skip_line(r, "it is not a FUNC record with address, size, parameter size and name");
    r->s = s;
    r->has_function = true;
    function.is_symbol = function.size == 0;
    return add_function(r, &function);
}

static framemap_status read_public(struct breakpad_reader *r)
{
    struct fm_breakpad_function function = {.is_symbol = true};
    struct fm_scan s = r->s;
    skip_multiple(&s);
    if (!fm_breakpad_hex(&s, &function.address) || !fm_scan_blanks1(&s) || !read_function_name(&s, &function.name))
        return skip_line(r, "it is not a PUBLIC record with address, parameter size and name");
    r->s = s;
    r->has_function = false;
    /* The start of an image is not code; PDB files have symbols there whose address is not known. */
    return function.address == 0 ? FRAMEMAP_OK : add_function(r, &function);
}

/* --- FILE, INLINE_ORIGIN and INLINE --- */

static framemap_status read_name(struct breakpad_reader *r, struct fm_breakpad_names *names, size_t most,
                                 const char *what)
{
    struct fm_scan s = r->s;
    uint32_t number;
    if (!fm_breakpad_decimal(&s, &number) ||
        !(fm_scan_done(&s) || fm_is_blank(*s.at) || *s.at == '\r' || *s.at == '\n'))
        return skip_line(r, what);
    (void)fm_scan_blanks1(&s);
    framemap_str text = fm_breakpad_rest(&s);
    if (text.size > most) text.size = 0;
    r->s = s;
    return fm_breakpad_names_declare(names, number, text) ? FRAMEMAP_OK : reader_memory(r);
}

/* The fields of an INLINE record before its ranges, with numbers as the file has them. */
struct call_fields {
    uint32_t level, line, file, origin;
    bool has_file;
};

/* Parses the number of the file that has the call. -1: the file is not known. */
static bool read_call_file(struct fm_scan *s, struct call_fields *call)
{
    call->has_file = !fm_scan_text(s, FM_STR("-1"));
    return (!call->has_file || fm_breakpad_decimal(s, &call->file)) && fm_scan_blanks1(s);
}

/* Parses level, line and, unless the form is old, file of the call, and the origin. */
static bool read_call_fields(struct fm_scan *s, bool is_old, struct call_fields *call)
{
    *call = (struct call_fields){.level = 0};
    return fm_breakpad_decimal(s, &call->level) && call->level < FM_LIMIT_INLINE_DEPTH - 1 && fm_scan_blanks1(s) &&
           fm_breakpad_decimal(s, &call->line) && fm_scan_blanks1(s) && (is_old || read_call_file(s, call)) &&
           fm_breakpad_decimal(s, &call->origin);
}

/* Adds a call, after its ranges. Returns false when out of memory. */
static bool add_call(struct fm_breakpad_records *out, const struct call_fields *fields, bool is_old)
{
    struct fm_breakpad_call call = {.level = fields->level, .file = UINT32_MAX, .line = fields->line, .is_old = is_old};
    if (!FM_GROW_BIG(out->heap, out->calls, out->call_capacity, out->call_count + 1) ||
        (fields->has_file && !fm_breakpad_names_id(&out->files, fields->file, &call.file)) ||
        !fm_breakpad_names_id(&out->origins, fields->origin, &call.origin))
        return false;
    out->calls[out->call_count++] = call;
    return true;
}

/* Adds the ranges of a call. Returns false if the rest of the line is not a list of ranges, or when out of memory. */
static bool read_ranges(struct breakpad_reader *r, struct fm_scan *s, bool *memory)
{
    struct fm_breakpad_records *out = r->out;
    struct fm_breakpad_range range = {.call = (uint32_t)out->call_count};
    do {
        if (!fm_scan_blanks1(s) || !fm_breakpad_hex(s, &range.address) || !fm_scan_blanks1(s) ||
            !fm_breakpad_hex(s, &range.size))
            return false;
        if (range.size > UINT64_MAX - range.address) range.size = UINT64_MAX - range.address;
        *memory = FM_GROW_BIG(out->heap, out->ranges, out->range_capacity, out->range_count + 1);
        if (!*memory) return false;
        if (range.size > 0) out->ranges[out->range_count++] = range;
    } while (!fm_breakpad_line_end(s));
    return true;
}

/* Parses an INLINE record of one form. *s is moved on success only. */
static bool read_call(struct breakpad_reader *r, struct fm_scan *s, bool is_old, bool *memory)
{
    struct fm_breakpad_records *out = r->out;
    const size_t ranges = out->range_count;
    struct call_fields fields;
    struct fm_scan t = *s;
    if (!read_call_fields(&t, is_old, &fields) || !read_ranges(r, &t, memory)) {
        out->range_count = ranges;
        return false;
    }
    *memory = add_call(out, &fields, is_old);
    *s = t;
    return *memory;
}

static framemap_status read_inline(struct breakpad_reader *r)
{
    bool memory = true;
    if (!r->has_function) return skip_line(r, "it is an INLINE record that does not belong to a FUNC record");
    if (is_full(r->out->call_count)) return too_many(r);
    /* The two forms have an even and an odd number of fields, so a line is never of both. */
    if (read_call(r, &r->s, false, &memory)) return FRAMEMAP_OK;
    const bool is_old = memory && read_call(r, &r->s, true, &memory);
    r->old_calls += is_old;
    if (is_old) return FRAMEMAP_OK;
    return memory ? skip_line(r, "it is not an INLINE record with level, line, file, function and ranges")
                  : reader_memory(r);
}

/* --- the two forms of INLINE and INLINE_ORIGIN --- */

/* Removes the file numbers from the names of inlined functions: "0 f()". */
static void strip_files(struct fm_breakpad_names *origins)
{
    for (size_t i = 0; i < origins->count; i++) {
        struct fm_scan s = fm_scan_of(origins->items[i].text);
        uint32_t number;
        (void)fm_scan_byte(&s, '-');
        if (fm_breakpad_decimal(&s, &number) && (fm_scan_done(&s) || fm_scan_blanks1(&s)))
            origins->items[i].text = fm_scan_rest(&s);
    }
}

/* Decides which form the file has. In the old form, INLINE_ORIGIN has a file number that means nothing, and INLINE
 * lacks the file of the call. A single record INLINE_ORIGIN may be of either form ("0 0 f()"), so the form is that of
 * most INLINE records. Others lack a field; their ranges are emptied. */
static framemap_status settle_form(struct breakpad_reader *r)
{
    struct fm_breakpad_records *out = r->out;
    const bool is_old = r->old_calls > out->call_count - r->old_calls;
    const size_t others = is_old ? out->call_count - r->old_calls : r->old_calls;
    framemap_error warning = {0};
    if (is_old) strip_files(&out->origins);
    if (others == 0) return FRAMEMAP_OK;
    for (size_t i = 0; i < out->range_count; i++)
        if (out->calls[out->ranges[i].call].is_old != is_old) out->ranges[i].size = 0;
    fm_error_set(r->host->strict ? r->error : &warning, FRAMEMAP_E_CORRUPT,
                 "INLINE records that lack a field were skipped, %zu in all", others);
    if (r->host->strict) return FRAMEMAP_E_CORRUPT;
    fm_mapper_warn(r->host, &warning);
    return FRAMEMAP_OK;
}

/* --- reading all lines --- */

static framemap_status read_keyword(struct breakpad_reader *r)
{
    struct fm_scan *s = &r->s;
    if (fm_breakpad_word(s, FM_STR("FUNC"))) return read_func(r);
    if (fm_breakpad_word(s, FM_STR("FILE")))
        return read_name(r, &r->out->files, FM_LIMIT_PATH, "it is not a FILE record with number and name");
    if (fm_breakpad_word(s, FM_STR("PUBLIC"))) return read_public(r);
    if (fm_breakpad_word(s, FM_STR("INLINE"))) return read_inline(r);
    if (fm_breakpad_word(s, FM_STR("INLINE_ORIGIN")))
        return read_name(r, &r->out->origins, FM_LIMIT_NAME, "it is not an INLINE_ORIGIN record with number and name");
    if (fm_breakpad_word(s, FM_STR("MODULE"))) {
        r->is_over = true;
        return skip_line(r, "it is a second MODULE record, and what follows describes another module");
    }
    return fm_is_hex(*s->at) ? read_row(r) : skip_line(r, "it is not a record");
}

static framemap_status read_line(struct breakpad_reader *r)
{
    const char first = *r->s.at;
    if (fm_is_hex(first) && first != 'F') return read_row(r);
    if (first == 'S' && fm_breakpad_word(&r->s, FM_STR("STACK"))) return (void)fm_breakpad_rest(&r->s), FRAMEMAP_OK;
    if (first == 'I' && fm_breakpad_word(&r->s, FM_STR("INFO"))) return (void)fm_breakpad_rest(&r->s), FRAMEMAP_OK;
    if (fm_breakpad_line_end(&r->s)) return FRAMEMAP_OK;
    return read_keyword(r);
}

static framemap_status report_step(struct breakpad_reader *r)
{
    const struct fm_mapper_host *host = r->host;
    const uint64_t done = (uint64_t)(r->s.at - r->begin), total = (uint64_t)(r->s.end - r->begin);
    r->next_step = r->s.end - r->s.at > STEP_BYTES ? r->s.at + STEP_BYTES : r->s.end;
    if (host->progress == NULL || host->progress(host->context, done, total)) return FRAMEMAP_OK;
    return fm_error_set(r->error, FRAMEMAP_E_LIMIT, "stopped");
}

/* Reports numbers that are used without a name. */
static void report_missing(const struct breakpad_reader *r, const struct fm_breakpad_names *names, const char *what)
{
    framemap_error warning = {0};
    const size_t missing = fm_breakpad_names_missing(names);
    if (missing == 0) return;
    fm_error_set(&warning, FRAMEMAP_E_CORRUPT, "numbers that have no %s record are in use, %zu in all", what, missing);
    fm_mapper_warn(r->host, &warning);
}

framemap_status fm_breakpad_read(framemap_str text, size_t body, const struct fm_mapper_host *host,
                                 struct fm_breakpad_records *out, framemap_error *error)
{
    struct breakpad_reader r = {.out = out, .host = host, .error = error, .begin = text.data, .line1 = 1};
    framemap_status status = FRAMEMAP_OK;
    *out = (struct fm_breakpad_records){.heap = host->heap};
    fm_breakpad_names_init(&out->files, host->heap);
    fm_breakpad_names_init(&out->origins, host->heap);
    r.s = fm_scan_of(fm_str_from(text, body));
    r.next_step = r.s.at;
    while (!fm_scan_done(&r.s) && !r.is_over && status == FRAMEMAP_OK) {
        r.line1++;
        if (r.s.at >= r.next_step) status = report_step(&r);
        if (status == FRAMEMAP_OK) status = read_line(&r);
    }
    if (status != FRAMEMAP_OK) return status;
    if (out->function_count > 0)
        out->functions[out->function_count] =
            (struct fm_breakpad_function){.row = out->row_count, .range = out->range_count};
    report_more_faults(&r);
    status = settle_form(&r);
    report_missing(&r, &out->files, "FILE");
    report_missing(&r, &out->origins, "INLINE_ORIGIN");
    return status;
}

void fm_breakpad_records_free(struct fm_breakpad_records *records)
{
    struct fm_heap *heap = records->heap;
    fm_heap_free_big(heap, records->rows, records->row_capacity * sizeof *records->rows);
    fm_heap_free_big(heap, records->calls, records->call_capacity * sizeof *records->calls);
    fm_heap_free_big(heap, records->ranges, records->range_capacity * sizeof *records->ranges);
    fm_heap_free_big(heap, records->functions, records->function_capacity * sizeof *records->functions);
    fm_breakpad_names_free(&records->files);
    fm_breakpad_names_free(&records->origins);
}
