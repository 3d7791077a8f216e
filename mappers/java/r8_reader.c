/* Reads a mapping line by line, reports faults, and passes classes to r8_block.c. See r8_reader.h. */
#include "mappers/java/r8_reader.h"

#include "core/error.h"

#include <stdio.h>

/* maximum number of faults that are reported one by one: in a file that is not a mapping every line is a fault */
#define FAULTS_REPORTED 20

/* --- reporting faults --- */

static void put_fault(const struct fm_r8_reader *r, const struct fm_r8_fault *fault, char *out, size_t room)
{
    char place[32] = "eol";
    if (!fault->at_end) snprintf(place, sizeof place, "%zu", fm_r8_utf16(r->line.data, fault->at) + fault->past);
    if (fault->message)
        snprintf(out, room, "Parse error [%llu:%s] %s", (unsigned long long)r->line1, place, fault->message);
    else
        snprintf(out, room, "Parse error [%llu:%s] Expected '%c'", (unsigned long long)r->line1, place, fault->wanted);
}

/* Handles a fault: in strict mode returns it as an error; otherwise reports a warning, and the line is skipped. */
static framemap_status report_fault(struct fm_r8_reader *r, const char *what)
{
    framemap_error warning = {0};
    if (r->host->strict) return fm_error_line(r->error, FRAMEMAP_E_CORRUPT, r->line1, "%s", what);
    if (r->faults++ >= FAULTS_REPORTED) return FRAMEMAP_OK;
    fm_error_line(&warning, FRAMEMAP_E_CORRUPT, r->line1, "this line is skipped: %s", what);
    fm_mapper_warn(r->host, &warning);
    return FRAMEMAP_OK;
}

static framemap_status report_fault_at(struct fm_r8_reader *r, const struct fm_r8_fault *fault)
{
    char what[160];
    put_fault(r, fault, what, sizeof what);
    return report_fault(r, what);
}

static void report_other_faults(const struct fm_r8_reader *r)
{
    framemap_error warning = {0};
    if (r->faults <= FAULTS_REPORTED) return;
    fm_error_set(&warning, FRAMEMAP_E_CORRUPT, "%llu more lines of the mapping are faulty and were skipped",
                 (unsigned long long)(r->faults - FAULTS_REPORTED));
    fm_mapper_warn(r->host, &warning);
}

/* Reports what R8 warns about without stopping. */
static void r8_warn(const struct fm_r8_reader *r, unsigned count, const char *what)
{
    for (; count > 0; count--) {
        framemap_error warning = {0};
        fm_error_line(&warning, FRAMEMAP_E_CORRUPT, r->line1, "%s", what);
        fm_mapper_warn(r->host, &warning);
    }
}

#define WRONG_KIND "the residual signature does not match the kind of its member and is ignored"

/* --- determining the identity of the mapping --- */

static void end_head(struct fm_r8_reader *r)
{
    const framemap_str id = fm_r8_head_id(&r->head);
    r->head_is_read = true;
    memcpy(r->id, id.data, id.size);
    r->id[id.size] = 0;
    r->hashes = id.size == 0;
    if (r->hashes) fm_sha256_begin(&r->hash);
}

static void hash_to(struct fm_r8_reader *r, const char *to)
{
    if (!r->hashes || to <= r->hashed) return;
    fm_sha256_add(&r->hash, r->hashed, (size_t)(to - r->hashed));
    r->hashed = to;
}

/* Ends the hash of the text. If the mapping states no id, the hash becomes its id. */
static void end_hash(struct fm_r8_reader *r)
{
    unsigned char digest[32];
    if (!r->hashes) return;
    hash_to(r, r->end);
    fm_sha256_end(&r->hash, digest);
    r->id[fm_r8_hash_id(digest, r->id).size] = 0;
}

/* --- reading comments --- */

static framemap_status name_files(struct fm_r8_reader *r, const struct fm_r8_info *info)
{
    framemap_str file;
    struct fm_r8_json *json = &r->infos.json;
    framemap_status status = FRAMEMAP_OK;
    for (uint32_t at = fm_r8_json_first(json, info->files); at && status == FRAMEMAP_OK;
         at = fm_r8_json_next(json, at)) {
        uint32_t name;
        status = fm_builder_name(r->builder, fm_r8_json_key(json, at), &name, r->error);
        if (status == FRAMEMAP_OK && fm_r8_json_text(json, at, &file))
            status = fm_builder_name_source(r->builder, name, file, r->error);
    }
    if (status == FRAMEMAP_OK && json->failed) return fm_error_memory(r->error);
    return status;
}

static framemap_status take_version(struct fm_r8_reader *r, const struct fm_r8_info *info)
{
    framemap_error warning = {0};
    r->version = info->version;
    r->has_version = true;
    framemap_status status = fm_builder_attribute(r->builder, FM_STR("map_version"), info->text, r->error);
    if (info->version != FM_R8_VERSION_UNKNOWN) return status;
    fm_error_line(
        &warning, FRAMEMAP_E_VERSION, r->line1,
        "map version '%.*s' is unknown or newer than this reader: its comments are ignored, except those on source "
        "files",
        info->text.size < 40 ? (int)info->text.size : 40, info->text.data);
    fm_mapper_warn(r->host, &warning);
    return status;
}

framemap_status fm_r8_reader_close(struct fm_r8_reader *r)
{
    unsigned warnings = 0;
    r->in_class = false;
    framemap_status status = fm_r8_block_close(&r->block, &warnings, r->error);
    r8_warn(r, warnings, WRONG_KIND);
    return status;
}

static framemap_status take_info(struct fm_r8_reader *r, const struct fm_r8_info *info)
{
    unsigned warnings = 0;
    if (info->kind == FM_R8_INFO_NOTHING) return FRAMEMAP_OK;
    if (info->kind == FM_R8_INFO_VERSION) { /* a version comment in the middle starts the next of several concatenated
                                               mappings */
        framemap_status status = fm_r8_reader_close(r);
        return status == FRAMEMAP_OK ? take_version(r, info) : status;
    }
    if (!r->in_class) return info->kind == FM_R8_INFO_PARTITION ? name_files(r, info) : FRAMEMAP_OK;
    framemap_status status = fm_r8_block_info(&r->block, info, &warnings, r->error);
    r8_warn(r, warnings, "a comment contradicts or repeats an earlier one for the same line and is ignored");
    return status;
}

static framemap_status read_comment(struct fm_r8_reader *r, framemap_str json)
{
    struct fm_r8_info info;
    framemap_error fault = {0};
    const framemap_status status = fm_r8_info_read(&r->infos, json, r->version, r->line1, &info, &fault);
    if (status == FRAMEMAP_E_CORRUPT) return report_fault(r, fault.message);
    if (status != FRAMEMAP_OK) {
        if (r->error) *r->error = fault;
        return status;
    }
    if ((r->lost_member || r->lost_class) && info.kind != FM_R8_INFO_VERSION) return FRAMEMAP_OK;
    return take_info(r, &info);
}

/* --- reading classes and members --- */

/* Whether a line that is not a valid class line was meant to be one. If so, the lines that follow do not belong to the
 * class before it. */
static bool was_meant_as_class(framemap_str line)
{
    return fm_str_find(line, FM_STR("->")) != FM_NOT_FOUND || fm_str_ends(fm_str_trim(line), FM_STR(":"));
}

static framemap_status refuse_class(struct fm_r8_reader *r, const struct fm_r8_fault *fault, bool was_in_class)
{
    framemap_status status = report_fault_at(r, fault);
    if (status != FRAMEMAP_OK) return status;
    if (was_in_class && !was_meant_as_class(r->line)) return FRAMEMAP_OK;
    r->lost_class = true;
    return fm_r8_reader_close(r);
}

static framemap_status read_class(struct fm_r8_reader *r)
{
    framemap_str original, residual;
    struct fm_r8_cursor cursor = {.at = r->line.data, .end = r->line.data + r->line.size};
    if (!r->head_is_read) end_head(r);
    if (!fm_r8_class_line(&cursor, &original, &residual)) return refuse_class(r, &cursor.fault, r->in_class);
    framemap_status status = fm_r8_reader_close(r);
    if (status != FRAMEMAP_OK) return status;
    r->in_class = true;
    r->lost_class = r->lost_member = false;
    r->classes++;
    r->class_line = r->line.data;
    fm_r8_signatures_trim(&r->signatures);
    return fm_r8_block_open(&r->block, original, residual, r->error);
}

static framemap_status refuse_member(struct fm_r8_reader *r, const struct fm_r8_fault *fault)
{
    r->lost_member = true;
    return report_fault_at(r, fault);
}

static framemap_status take_member(struct fm_r8_reader *r, const struct fm_r8_member *member)
{
    unsigned warnings = 0;
    r->lost_member = false;
    framemap_status status = fm_r8_block_member(&r->block, member, &warnings, r->error);
    if (warnings > 0) r8_warn(r, warnings, WRONG_KIND);
    return status;
}

static framemap_status r8_read_member(struct fm_r8_reader *r, const char *first)
{
    struct fm_r8_member member;
    bool good;
    struct fm_r8_cursor cursor = {.at = first, .end = r->line.data + r->line.size};
    if (!fm_r8_member_begin(&cursor, &member.residual)) return refuse_member(r, &cursor.fault);
    framemap_status status = fm_r8_signatures_read(&r->signatures, &cursor, &good, &member.signature, r->error);
    if (status != FRAMEMAP_OK) return status;
    member.name = fm_r8_block_last_name(&r->block);
    if (!good || !fm_r8_member_end(&cursor, &member.original, &member.name)) return refuse_member(r, &cursor.fault);
    return take_member(r, &member);
}

/* Reads a member line by the fast path. If it returns false and *status is OK, the line does not have the form of the
 * fast path, and nothing was consumed. */
static bool read_fast_line(struct fm_r8_reader *r, framemap_status *status)
{
    struct fm_r8_member member;
    *status = FRAMEMAP_OK;
    if (!r->in_class) return false;
    struct fm_r8_fast_line *line = &r->fast_line;
    fm_r8_fast_line_start(line, r->at, r->end);
    if (!fm_r8_fast_line_range(line, &member.residual)) return false;
    if (!fm_r8_signatures_read_fast(&r->signatures, line, &member.signature, status, r->error)) return false;
    member.name = fm_r8_block_last_name(&r->block);
    if (!fm_r8_fast_line_end(line, &member.original, &member.name)) return false;
    r->at = line->at;
    r->line1++;
    *status = take_member(r, &member);
    return true;
}

/* --- reading lines --- */

enum shape { SHAPE_NOTHING, SHAPE_COMMENT, SHAPE_OTHER };

/* Whether the text after the '#' of a comment is metadata. A byte order mark is not a blank here. */
static bool is_metadata(const char *at, const char *end)
{
    bool is_mark;
    for (unsigned size; (size = fm_r8_blank(at, end, &is_mark)) != 0 && !is_mark;) at += size;
    return at < end && *at == '{';
}

/* Determines what a line is. first: the first character that is not a blank. */
static enum shape r8_line_shape(const struct fm_r8_reader *r, const char **first)
{
    const char *at = r->line.data, *end = at + r->line.size;
    bool is_mark, marked = false;
    while (at < end && *at == ' ') at++; /* the usual indentation is skipped */
    if (at < end && (fm_r8_classes[(unsigned char)*at] & (FM_R8_BLANK | FM_R8_WIDE)))
        for (unsigned size; (size = fm_r8_blank(at, end, &is_mark)) != 0; at += size) marked = marked || is_mark;
    *first = at;
    if (at == end) return SHAPE_NOTHING;
    if (*at != '#') return SHAPE_OTHER;
    if (!is_metadata(at + 1, end)) return SHAPE_NOTHING;
    /* Strict reading follows R8, which does not recognise a line with a byte order mark before the '#' as a comment. */
    return marked && r->host->strict ? SHAPE_OTHER : SHAPE_COMMENT;
}

static framemap_status r8_read_line(struct fm_r8_reader *r)
{
    const char *first;
    switch (r8_line_shape(r, &first)) {
    case SHAPE_NOTHING:
        if (!r->head_is_read) fm_r8_head_line(&r->head, r->line);
        return FRAMEMAP_OK;
    case SHAPE_COMMENT: return read_comment(r, fm_str_from(r->line, fm_str_find_byte(r->line, '{')));
    case SHAPE_OTHER: break;
    }
    const bool indented = first > r->line.data;
    if (indented && r->in_class) return r8_read_member(r, first);
    if (indented && r->lost_class) return FRAMEMAP_OK;
    return read_class(r);
}

framemap_status fm_r8_reader_report_progress(struct fm_r8_reader *r, const char *at, const char *needed,
                                             framemap_error *error)
{
    const struct fm_mapper_host *host = r->host;
    const uint64_t done = (uint64_t)(at - r->begin), total = (uint64_t)(r->end - r->begin);
    if (at < r->next_step) return FRAMEMAP_OK;
    r->next_step = (size_t)(r->end - at) > FM_R8_STEP_BYTES ? at + FM_R8_STEP_BYTES : r->end;
    if (r->head_is_read) {
        hash_to(r, at);
        if (host->consumed != NULL) host->consumed(host->input_context, (size_t)(needed - r->begin));
    }
    if (host->progress != NULL && !host->progress(host->context, done, total))
        return fm_error_set(error, FRAMEMAP_E_LIMIT, "stopped");
    return FRAMEMAP_OK;
}

void fm_r8_reader_estimate(struct fm_r8_reader *r, const char *at)
{
    if (r->expects) return;
    r->expects = true;
    fm_builder_expect(r->builder, (size_t)(r->end - r->begin) / (size_t)(at - r->begin));
}

static framemap_status r8_report_progress(struct fm_r8_reader *r)
{
    if (r->reports_elsewhere || r->at < r->next_step) return FRAMEMAP_OK;
    fm_r8_reader_estimate(r, r->at);
    return fm_r8_reader_report_progress(r, r->at, fm_r8_reader_needed(r), r->error);
}

/* Moves to the next line. Only LF ends a line; one CR before it, or at the end of the text, is removed. */
static void r8_next_line(struct fm_r8_reader *r)
{
    const char *from = r->at, *found = memchr(from, '\n', (size_t)(r->end - from)), *line_end = found ? found : r->end;
    r->at = found ? found + 1 : r->end;
    if (line_end > from && line_end[-1] == '\r') line_end--;
    r->line = fm_str(from, (size_t)(line_end - from));
    r->line1++;
}

framemap_status fm_r8_reader_lines(struct fm_r8_reader *r, const char *to)
{
    framemap_status status = FRAMEMAP_OK;
    while (status == FRAMEMAP_OK && r->at < to && !r->gives_up) {
        if (!read_fast_line(r, &status) && status == FRAMEMAP_OK) {
            r8_next_line(r);
            status = r8_read_line(r);
        }
        if (status == FRAMEMAP_OK) status = r8_report_progress(r);
    }
    return status;
}

/* Reads up to the first line that is neither empty nor a comment. */
static framemap_status r8_read_head_lines(struct fm_r8_reader *r)
{
    framemap_status status = FRAMEMAP_OK;
    while (status == FRAMEMAP_OK && r->at < r->end) {
        const char *first, *line = r->at;
        r8_next_line(r);
        if (r8_line_shape(r, &first) == SHAPE_OTHER) {
            r->at = line;
            r->line1--;
            break;
        }
        status = r8_read_line(r);
        if (status == FRAMEMAP_OK) status = r8_report_progress(r);
    }
    return status;
}

framemap_status fm_r8_reader_head(struct fm_r8_reader *r)
{
    const framemap_status status = r8_read_head_lines(r);
    if (!r->head_is_read) end_head(r);
    return status;
}

void fm_r8_reader_end(struct fm_r8_reader *r)
{
    end_hash(r);
    report_other_faults(r);
}

void fm_r8_reader_init(struct fm_r8_reader *r, const struct fm_mapper_host *host, struct fm_builder *builder,
                       framemap_error *error)
{
    *r = (struct fm_r8_reader){.host = host, .builder = builder, .error = error, .version = FM_R8_VERSION_NONE};
    fm_r8_signatures_init(&r->signatures, host->heap, builder);
    fm_r8_infos_init(&r->infos, host, builder);
    fm_r8_block_init(&r->block, host->heap, builder, &r->signatures);
}

void fm_r8_reader_free(struct fm_r8_reader *r)
{
    fm_r8_block_free(&r->block);
    fm_r8_infos_free(&r->infos);
    fm_r8_signatures_free(&r->signatures);
}
