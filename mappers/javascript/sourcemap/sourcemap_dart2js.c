/* Reads the extension of Dart's compiler: minified names and inlined functions. See sourcemap_dart2js.h. */
#include "mappers/javascript/sourcemap/sourcemap_dart2js.h"

#include "core/error.h"
#include "core/text/scan.h"
#include "mappers/javascript/sourcemap/sourcemap_vlq.h"
#include <stdlib.h>

/* Returns a member of an object in x_org_dartlang_dart2js. If a name occurs twice, the last member counts. No data:
 * there is no such member. */
static struct fm_json_piece dart2js_member(const struct fm_json_piece *object, framemap_str name)
{
    struct fm_json_walk walk;
    struct fm_json_piece key, value, found = {.raw = {NULL, 0}};
    if (!fm_json_piece_is(object, FM_JSON_OBJECT)) return found;
    fm_json_walk_init(&walk, object->raw);
    if (!fm_json_walk_open(&walk, FM_JSON_OBJECT)) return found;
    while (fm_json_walk_next(&walk, &key, &value))
        if (fm_json_piece_equals(&key, name)) found = value;
    return found;
}

/* --- reading minified names --- */

struct minified_name {
    framemap_str minified;
    uint32_t name;   /* number of the original name in the builder */
    uint32_t number; /* position in the order of occurrence */
};
struct minified_names {
    struct fm_sourcemap_job *job;
    struct minified_name *list;
    size_t count, capacity;
};

static framemap_status add_pair(struct minified_names *pairs, framemap_str minified, uint64_t name, const char *where)
{
    const struct fm_sourcemap_job *job = pairs->job;
    bool good = name < job->name_count && minified.size > 0 && pairs->count < UINT32_MAX;
    for (size_t i = 0; i < minified.size && good; i++) good = minified.data[i] != '=' && minified.data[i] != '\n';
    if (!good) return fm_sourcemap_fault(job->faults, FM_SOURCEMAP_RULE_DART, where);
    if (!FM_GROW(job->heap, pairs->list, pairs->capacity, pairs->count + 1)) return fm_error_memory(job->error);
    const struct minified_name pair = {minified, job->name_base + (uint32_t)name, (uint32_t)pairs->count};
    pairs->list[pairs->count++] = pair;
    return FRAMEMAP_OK;
}

static framemap_str until_comma(framemap_str *text)
{
    const size_t comma = fm_str_find_byte(*text, ',');
    const framemap_str piece = fm_str_slice(*text, 0, comma == FM_NOT_FOUND ? text->size : comma);
    *text = comma == FM_NOT_FOUND ? fm_str(text->data + text->size, 0) : fm_str_from(*text, comma + 1);
    return piece;
}

/* Reads a list such as "a,12,b,13". */
static framemap_status dart2js_read_list(struct minified_names *pairs, const struct fm_json_piece *piece)
{
    framemap_str text;
    framemap_status status = FRAMEMAP_OK;
    if (!fm_json_piece_text(piece, &pairs->job->texts, &text)) return fm_error_memory(pairs->job->error);
    while (text.size > 0 && status == FRAMEMAP_OK) {
        const framemap_str minified = until_comma(&text);
        struct fm_scan number = fm_scan_of(until_comma(&text));
        uint64_t name;
        if (!fm_scan_dec(&number, &name, NULL) || !fm_scan_done(&number)) name = UINT64_MAX;
        status = add_pair(pairs, minified, name, piece->raw.data);
    }
    return status;
}

/* Reads {"a":12,"b":13}: the form that the compiler wrote before 2019. */
static framemap_status read_object(struct minified_names *pairs, const struct fm_json_piece *piece)
{
    struct fm_json_walk walk;
    struct fm_json_piece key, value;
    framemap_str minified;
    int64_t name;
    framemap_status status = FRAMEMAP_OK;
    fm_json_walk_init(&walk, piece->raw);
    if (!fm_json_walk_open(&walk, FM_JSON_OBJECT)) return FRAMEMAP_OK;
    while (status == FRAMEMAP_OK && fm_json_walk_next(&walk, &key, &value)) {
        if (!fm_json_piece_text(&key, &pairs->job->texts, &minified)) return fm_error_memory(pairs->job->error);
        if (!fm_json_piece_integer(&value, &name) || name < 0) name = INT64_MAX;
        status = add_pair(pairs, minified, (uint64_t)name, key.raw.data);
    }
    return status;
}

/* Compares names for sorting. If several names are equal, the last one in the map counts, so it is sorted before the
 * others. */
static int dart2js_compare_pairs(const void *left, const void *right)
{
    const struct minified_name *a = left, *b = right;
    const int order = fm_str_compare(a->minified, b->minified);
    return order ? order : (a->number < b->number) - (a->number > b->number);
}

static framemap_status put_pairs(struct minified_names *pairs, framemap_str key)
{
    struct fm_sourcemap_job *job = pairs->job;
    struct fm_buf text;
    framemap_status status;
    if (pairs->count == 0) return FRAMEMAP_OK;
    qsort(pairs->list, pairs->count, sizeof *pairs->list, dart2js_compare_pairs);
    fm_buf_init(&text, job->heap);
    for (size_t i = 0; i < pairs->count; i++) {
        const framemap_str original = fm_builder_segment_name_text(job->builder, pairs->list[i].name);
        const bool again = i > 0 && fm_str_equal(pairs->list[i].minified, pairs->list[i - 1].minified);
        if (again || fm_str_find_byte(original, '\n') != FM_NOT_FOUND) continue;
        fm_buf_str(&text, pairs->list[i].minified);
        fm_buf_byte(&text, '=');
        fm_buf_str(&text, original);
        fm_buf_byte(&text, '\n');
    }
    status = text.failed ? fm_error_memory(job->error)
                         : fm_builder_attribute(job->builder, key, fm_buf_view(&text), job->error);
    fm_buf_free(&text);
    return status;
}

static framemap_status dart2js_read_names(struct fm_sourcemap_job *job, const struct fm_json_piece *piece,
                                          framemap_str key)
{
    struct minified_names pairs = {.job = job};
    framemap_status status = FRAMEMAP_OK;
    if (fm_json_piece_is(piece, FM_JSON_STRING)) status = dart2js_read_list(&pairs, piece);
    if (fm_json_piece_is(piece, FM_JSON_OBJECT)) status = read_object(&pairs, piece);
    if (status == FRAMEMAP_OK) status = put_pairs(&pairs, key);
    fm_heap_free(job->heap, pairs.list, pairs.capacity * sizeof *pairs.list);
    fm_sourcemap_job_reset_texts(job);
    return status;
}

static struct fm_json_piece frames_of(const struct fm_sourcemap_job *job)
{
    return dart2js_member(&job->members.at[FM_SOURCEMAP_MEMBER_DART2JS], FM_STR("frames"));
}

framemap_status fm_sourcemap_read_dart(struct fm_sourcemap_job *job)
{
    if (!fm_sourcemap_is_dart(&job->members) || job->begin.line0 > 0 || job->begin.col0 > 0) return FRAMEMAP_OK;
    const struct fm_json_piece names = dart2js_member(&job->members.at[FM_SOURCEMAP_MEMBER_DART2JS],
                                                      FM_STR("minified_names")),
                               frames = frames_of(job);
    const struct fm_json_piece global = dart2js_member(&names, FM_STR("global")),
                               instance = dart2js_member(&names, FM_STR("instance"));
    if (job->script == NULL && fm_json_piece_is(&frames, FM_JSON_STRING) && frames.raw.size > 0)
        fm_sourcemap_note(job->faults, "the script is not available: inlined functions of Dart's compiler are given as "
                                       "positions in it and are left out");
    const framemap_status status = dart2js_read_names(job, &global, FM_STR(FM_SOURCEMAP_DART_GLOBAL));
    return status == FRAMEMAP_OK ? dart2js_read_names(job, &instance, FM_STR(FM_SOURCEMAP_DART_INSTANCE)) : status;
}

/* --- converting names of functions --- */

framemap_status fm_sourcemap_dart_name(struct fm_sourcemap_job *job, uint32_t name, struct fm_buf *buffer,
                                       uint32_t *out)
{
    const framemap_str long_words = FM_STR("<anonymous function>");
    framemap_str rest = fm_builder_segment_name_text(job->builder, name);
    size_t at;
    *out = FM_NONE;
    fm_buf_clear(buffer);
    /* the map has "<anonymous function>" where engines print "<anonymous>" in stack traces */
    while ((at = fm_str_find(rest, long_words)) != FM_NOT_FOUND) {
        fm_buf_str(buffer, fm_str_slice(rest, 0, at));
        fm_buf_str(buffer, FM_STR("<anonymous>"));
        rest = fm_str_from(rest, at + long_words.size);
    }
    fm_buf_str(buffer, rest);
    if (buffer->failed) return fm_error_memory(job->error);
    return buffer->size ? fm_builder_string(job->builder, fm_buf_view(buffer), out, job->error) : FRAMEMAP_OK;
}

/* --- reading inlined functions --- */

struct inlined_body { /* an inlined function and its call site */
    uint32_t function, site;
};

struct inlining {
    struct fm_sourcemap_job *job;
    const struct fm_sourcemap_intervals *functions;
    size_t next;     /* index in `functions` of the next function that starts or ends */
    uint32_t around; /* the function of the generated text at the current position */
    struct inlined_body *open;
    size_t open_count, open_capacity;
    struct fm_buf buffer;
    /* The position in the script, after `offset` characters. */
    const char *script, *script_end;
    int64_t offset;
    uint32_t line0, col0;
    /* The position of a change that is not written yet, because another change may be at the same position. Then the
     * state that was written last. */
    uint32_t due_line0, due_col0;
    bool due;
    struct inlined_body written;
    /* The text of `frames` from the current position on, and the values to which its numbers are relative: */
    const char *at, *end;
    int64_t source, line, col, name;
};

/* Moves to the next character. Lines end at LF, CR LF and CR; columns are UTF-16 units, of which a code point above
 * U+FFFF has two. */
static void dart2js_next_char(struct inlining *s)
{
    const unsigned char c = (unsigned char)*s->script++;
    const unsigned units = c >= 0xF0 ? 2 : 1;
    while (c >= 0xC0 && s->script < s->script_end && ((unsigned char)*s->script & 0xC0) == 0x80) s->script++;
    s->offset += units;
    s->col0 += units;
    if (c == '\n' || (c == '\r' && (s->script == s->script_end || *s->script != '\n'))) {
        s->line0++;
        s->col0 = 0;
    }
}

static struct inlined_body innermost(const struct inlining *s)
{
    const struct inlined_body function = {s->around, FM_NONE};
    return s->open_count > 0 ? s->open[s->open_count - 1] : function;
}

static framemap_status write_due(struct inlining *s)
{
    const struct inlined_body body = innermost(s);
    const struct fm_generated_stretch interval = {s->due_line0,    s->due_col0, body.function,
                                                  FM_FUNCTION_MAP, body.site,   false};
    const bool same = body.function == s->written.function && body.site == s->written.site;
    if (!s->due || same) return FRAMEMAP_OK;
    s->written = body;
    s->due = false;
    return fm_builder_inlined_stretch(s->job->builder, &interval, s->job->error);
}

/* Records that the function or its call sites change at a position, which is not before the previous one. */
static framemap_status change(struct inlining *s, uint32_t line0, uint32_t col0)
{
    framemap_status status = FRAMEMAP_OK;
    if (line0 != s->due_line0 || col0 != s->due_col0) status = write_due(s);
    s->due_line0 = line0;
    s->due_col0 = col0;
    s->due = true;
    return status;
}

/* Updates `around` for the functions of the generated text that start or end at or before a position, and records these
 * changes. */
static framemap_status pass_functions(struct inlining *s, uint32_t line0, uint32_t col0)
{
    framemap_status status = FRAMEMAP_OK;
    while (status == FRAMEMAP_OK && s->next < s->functions->count) {
        const struct fm_sourcemap_interval *function = &s->functions->list[s->next];
        if (function->line0 > line0 || (function->line0 == line0 && function->col0 > col0)) break;
        status = change(s, function->line0, function->col0);
        s->around = function->function;
        s->next++;
    }
    return status;
}

/* --- decoding the text of `frames` --- */

static bool dart2js_read_number(struct inlining *s, int64_t *to)
{
    int64_t delta;
    if (fm_sourcemap_vlq(&s->at, s->end, &delta) != FM_SOURCEMAP_RULES) return false;
    *to += delta;
    return true;
}

/* Reads the call site and the name of an inlined function whose body starts. */
static bool dart2js_open_body(struct inlining *s, framemap_status *status)
{
    struct fm_sourcemap_job *job = s->job;
    if (!dart2js_read_number(s, &s->source) || !dart2js_read_number(s, &s->line) || !dart2js_read_number(s, &s->col) ||
        !dart2js_read_number(s, &s->name))
        return false;
    const bool good = s->source >= 0 && s->source < job->source_count && s->line >= 0 &&
                      s->line <= FM_SOURCEMAP_POSITION_MAX && s->col >= 0 && s->col <= FM_SOURCEMAP_POSITION_MAX &&
                      s->name >= 0 && s->name < job->name_count;
    if (!good) return false;
    const struct inlined_body caller = innermost(s);
    const struct fm_call_site site = {job->source_base + (uint32_t)s->source,
                                      (uint32_t)s->line,
                                      (uint32_t)s->col,
                                      caller.function,
                                      caller.site,
                                      false};
    struct inlined_body body;
    *status = fm_sourcemap_dart_name(job, job->name_base + (uint32_t)s->name, &s->buffer, &body.function);
    if (*status == FRAMEMAP_OK) *status = fm_builder_call_site(job->builder, &site, &body.site, job->error);
    if (*status == FRAMEMAP_OK && !FM_GROW(job->heap, s->open, s->open_capacity, s->open_count + 1))
        *status = fm_error_memory(job->error);
    if (*status == FRAMEMAP_OK) s->open[s->open_count++] = body;
    return *status == FRAMEMAP_OK;
}

/* Moves to the position of the next change. Returns false if the offset decreases or is after the script's end. */
static bool dart2js_move_to_entry(struct inlining *s, framemap_status *status)
{
    int64_t offset = s->offset, delta = 0;
    if (!dart2js_read_number(s, &delta) || delta < 0) return false;
    offset += delta;
    while (s->offset < offset && s->script < s->script_end) dart2js_next_char(s);
    if (s->offset != offset) return false;
    *status = pass_functions(s, s->line0, s->col0);
    if (*status == FRAMEMAP_OK) *status = change(s, s->line0, s->col0);
    return *status == FRAMEMAP_OK;
}

static bool dart2js_read_entry(struct inlining *s, framemap_status *status)
{
    if (!dart2js_move_to_entry(s, status) || s->at == s->end) return false;
    switch (*s->at) {
    case ';':
        s->open_count = 0;
        s->at++;
        return true;
    case ',':
        s->open_count -= s->open_count > 0;
        s->at++;
        return true;
    default: return dart2js_open_body(s, status);
    }
}

/* Reads the text of `frames`. After a fault the rest is dropped, because its numbers are relative to the numbers before
 * the fault. */
static framemap_status dart2js_read_frames(struct inlining *s, const struct fm_json_piece *piece)
{
    framemap_str text;
    framemap_status status = FRAMEMAP_OK;
    if (!fm_json_piece_is(piece, FM_JSON_STRING)) return FRAMEMAP_OK;
    if (!fm_json_piece_text(piece, &s->job->texts, &text)) return fm_error_memory(s->job->error);
    s->at = text.data;
    s->end = text.data + text.size;
    while (s->at < s->end)
        if (!dart2js_read_entry(s, &status)) {
            s->open_count = 0;
            return status == FRAMEMAP_OK ? fm_sourcemap_fault(s->job->faults, FM_SOURCEMAP_RULE_DART, piece->raw.data)
                                         : status;
        }
    return FRAMEMAP_OK;
}

framemap_status fm_sourcemap_dart_write_intervals(struct fm_sourcemap_job *job, framemap_str script,
                                                  const struct fm_sourcemap_intervals *functions)
{
    const struct fm_json_piece frames = frames_of(job);
    const bool mark = fm_str_starts(script, FM_STR("\xEF\xBB\xBF"));
    struct inlining s = {.job = job,
                         .functions = functions,
                         .around = FM_NONE,
                         .script = script.data + (mark ? 3 : 0),
                         .script_end = script.data + script.size,
                         .written = {FM_NONE, FM_NONE}};
    fm_buf_init(&s.buffer, job->heap);
    framemap_status status = dart2js_read_frames(&s, &frames);
    if (status == FRAMEMAP_OK) status = pass_functions(&s, UINT32_MAX, UINT32_MAX);
    if (status == FRAMEMAP_OK) status = write_due(&s);
    fm_heap_free(job->heap, s.open, s.open_capacity * sizeof *s.open);
    fm_buf_free(&s.buffer);
    fm_sourcemap_job_reset_texts(job);
    return status;
}
