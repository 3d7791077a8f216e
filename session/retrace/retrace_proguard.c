/* Restores lines as ProGuard's retrace does: finds the members that a line may refer to, and prints them. Called by
 * retrace.c. */
#include "session/retrace/retracer.h"

#include "core/error.h"
#include "formats/java/retrace/unicode_letters.h"

/* The values that replace the parts of a line. A value with data NULL is not known, and printed as "null". */
struct shown {
    framemap_str class_name, type, field, method, arguments;
    int32_t line;
};

/* --- printing a line as ProGuard does --- */

static void put_value(struct fm_buf *out, framemap_str text) { fm_buf_str(out, text.data ? text : FM_STR("null")); }

static void put_member(const struct framemap_retracer *retracer, const struct shown *shown, framemap_str name,
                       struct fm_buf *out)
{
    if (retracer->options.verbose) {
        put_value(out, shown->type);
        fm_buf_byte(out, ' ');
    }
    put_value(out, name);
}

static void put_class(const struct fm_retrace_piece *piece, framemap_str name, struct fm_buf *out)
{
    for (size_t i = 0; i < name.size; i++) fm_buf_byte(out, piece->slashes && name.data[i] == '.' ? '/' : name.data[i]);
}

static framemap_status put_source(struct framemap_retracer *retracer, const struct fm_retrace_sight *sight,
                                  const struct shown *shown, struct fm_buf *out, framemap_error *error)
{
    const struct fm_java_frame frame = {.class_name = shown->class_name};
    framemap_str source = fm_retrace_text(sight, FM_PART_SOURCE);
    framemap_status status =
        sight->view ? fm_java_source(sight->view, &frame, true, source, &retracer->arena, &source, error) : FRAMEMAP_OK;
    if (status == FRAMEMAP_OK) fm_buf_str(out, source);
    return status;
}

static framemap_status put_piece(struct framemap_retracer *retracer, const struct fm_retrace_sight *sight,
                                 const struct shown *shown, const struct fm_retrace_piece *piece, struct fm_buf *out,
                                 framemap_error *error)
{
    switch (piece->part) {
    case FM_PART_CLASS: put_class(piece, shown->class_name, out); break;
    case FM_PART_SOURCE: return put_source(retracer, sight, shown, out, error);
    case FM_PART_LINE: fm_buf_printf(out, "%d", (int)shown->line); break;
    case FM_PART_TYPE: put_value(out, shown->type); break;
    case FM_PART_FIELD: put_member(retracer, shown, shown->field, out); break;
    case FM_PART_ARGUMENTS: put_value(out, shown->arguments); break;
    default:
        put_member(retracer, shown, shown->method, out);
        if (!retracer->options.verbose) break;
        fm_buf_byte(out, '(');
        put_value(out, shown->arguments);
        fm_buf_byte(out, ')');
        break;
    }
    return FRAMEMAP_OK;
}

static framemap_status put_shown(struct framemap_retracer *retracer, const struct fm_retrace_sight *sight,
                                 const struct shown *shown, struct fm_buf *out, framemap_error *error)
{
    size_t at = 0;
    for (unsigned i = 0; i < sight->line.count; i++) {
        const struct fm_retrace_piece *piece = &sight->line.pieces[i];
        fm_buf_str(out, fm_str_slice(sight->text, at, piece->at));
        const size_t begin = out->size;
        framemap_status status = put_piece(retracer, sight, shown, piece, out, error);
        if (status != FRAMEMAP_OK) return status;
        fm_retrace_escape(sight, piece, out, begin);
        at = piece->end;
    }
    fm_buf_str(out, fm_str_from(sight->text, at));
    return out->failed ? fm_error_memory(error) : FRAMEMAP_OK;
}

/* --- printing the alternatives of a line without a line number: text that is equal to the start of the previous
 * alternative is printed as blanks --- */

/* Whether a character of Java may be part of a name. */
static bool is_name_part(uint32_t point)
{
    const bool control = point <= 8 || (point >= 0x0E && point <= 0x1B) || (point >= 0x7F && point <= 0x9F);
    return point == '_' || point == '$' || control || (point <= 0xFFFF && (fm_is_letter(point) || fm_is_mark(point)));
}

static size_t shared_size(framemap_str text, framemap_str before)
{
    size_t size = 0;
    while (size < text.size && size < before.size && text.data[size] == before.data[size]) size++;
    return size;
}

/* Returns the start of the name that contains the character at `at`. If the character is not a part of a name, returns
 * the end of the character. */
static size_t name_begin(framemap_str text, size_t at)
{
    size_t size;
    while (at > 0 && ((unsigned char)text.data[at] & 0xC0) == 0x80) at--;
    uint32_t point = fm_point_at(text.data + at, text.data + text.size, &size);
    if (!is_name_part(point)) return at + size;
    while (at > 0 && is_name_part(fm_point_before(text.data, text.data + at, &size))) at -= size;
    return at;
}

static framemap_status put_rest(struct framemap_retracer *retracer, framemap_str text, framemap_str before,
                                framemap_error *error)
{
    size_t shared = shared_size(text, before), size;
    if (shared == text.size) return FRAMEMAP_OK;
    size_t end = name_begin(text, shared);
    for (size_t at = 0; at < end; at += size) {
        uint32_t point = fm_point_at(text.data + at, text.data + text.size, &size);
        const bool white =
            (point >= '\t' && point <= '\r') || (point >= 0x1C && point <= 0x20) ||
            (point >= 0x80 && fm_is_separator(point) && point != 0xA0 && point != 0x2007 && point != 0x202F);
        fm_buf_str(&retracer->out, white            ? fm_str_slice(text, at, at + size)
                                   : point > 0xFFFF ? FM_STR("  ")
                                                    : FM_STR(" "));
    }
    return fm_retrace_put_line(retracer, fm_str_from(text, end), error);
}

static framemap_status put_all(struct framemap_retracer *retracer, const struct fm_retrace_sight *sight,
                               const struct shown *shown, size_t count, framemap_error *error)
{
    struct fm_buf *text = &retracer->texts, *before = &retracer->before;
    for (size_t i = 0; i < count; i++) {
        fm_buf_clear(text);
        framemap_status status = put_shown(retracer, sight, &shown[i], text, error);
        if (status != FRAMEMAP_OK) return status;
        if (i == 0 || sight->line.line_number != 0)
            status = fm_retrace_put_line(retracer, fm_buf_view(text), error);
        else
            status = put_rest(retracer, fm_buf_view(text), fm_buf_view(before), error);
        if (status != FRAMEMAP_OK) return status;
        struct fm_buf swap = *text;
        *text = *before;
        *before = swap;
    }
    return FRAMEMAP_OK;
}

/* --- members --- */

/* The values in a line that a search for members uses. */
struct proguard_query {
    /* original types, with commas without blanks between arguments; data NULL: the line does not contain the value */
    framemap_str class_name, type, arguments;
};

static framemap_str type_of_line(const struct fm_retrace_sight *sight, framemap_str type, struct fm_arena *arena)
{
    framemap_str original = type;
    return sight->view && fm_java_type(sight->view, type, arena, &original, NULL) == FRAMEMAP_OK ? original : type;
}

static framemap_str trimmed(framemap_str text)
{
    while (text.size && (unsigned char)text.data[0] <= ' ') text = fm_str_from(text, 1);
    while (text.size && (unsigned char)text.data[text.size - 1] <= ' ') text.size--;
    return text;
}

static framemap_status restore_arguments(struct framemap_retracer *retracer, const struct fm_retrace_sight *sight,
                                         framemap_str text, framemap_str *out, framemap_error *error)
{
    struct fm_buf *buf = &retracer->texts;
    fm_buf_clear(buf);
    for (size_t at = 0; at <= text.size;) {
        framemap_str rest = fm_str_from(text, at), type = fm_str_slice(rest, 0, fm_str_find_byte(rest, ','));
        fm_buf_str(buf, type_of_line(sight, trimmed(type), &retracer->arena));
        at += type.size + 1;
        if (at <= text.size) fm_buf_byte(buf, ',');
    }
    if (buf->failed || !fm_arena_str(&retracer->arena, fm_buf_view(buf), out)) return fm_error_memory(error);
    return FRAMEMAP_OK;
}

static framemap_status read_asked(struct framemap_retracer *retracer, const struct fm_retrace_sight *sight,
                                  struct proguard_query *asked, framemap_error *error)
{
    framemap_str type = fm_retrace_text(sight, FM_PART_TYPE), arguments = fm_retrace_text(sight, FM_PART_ARGUMENTS);
    asked->type = type.data ? type_of_line(sight, type, &retracer->arena) : type;
    asked->arguments = arguments;
    return arguments.data ? restore_arguments(retracer, sight, arguments, &asked->arguments, error) : FRAMEMAP_OK;
}

static bool is_asked(framemap_str asked, framemap_str text) { return asked.data == NULL || fm_str_equal(asked, text); }

static struct shown as_printed(const struct fm_retrace_sight *sight, framemap_str class_name)
{
    return (struct shown){.class_name = class_name,
                          .type = fm_retrace_text(sight, FM_PART_TYPE),
                          .field = fm_retrace_text(sight, FM_PART_FIELD),
                          .method = fm_retrace_text(sight, FM_PART_METHOD),
                          .arguments = fm_retrace_text(sight, FM_PART_ARGUMENTS),
                          .line = sight->line.line_number};
}

static size_t add_fields(const struct fm_retrace_sight *sight, const struct proguard_query *asked,
                         const struct fm_java_member *members, size_t count, struct shown *out)
{
    size_t kept = 0;
    for (size_t i = 0; i < count; i++) {
        if (!is_asked(asked->type, members[i].type)) continue;
        out[kept] = as_printed(sight, members[i].class_name);
        out[kept].type = members[i].type;
        out[kept++].field = members[i].name;
    }
    return kept;
}

static size_t add_methods(const struct fm_retrace_sight *sight, const struct proguard_query *asked,
                          const struct fm_java_answer *answer, struct shown *out)
{
    size_t kept = 0;
    for (size_t i = 0; i < answer->chain_count; i++)
        for (size_t k = 0; k < answer->chains[i].count; k++) {
            const struct fm_java_frame *frame = &answer->chains[i].frames[k];
            if (!frame->found || !is_asked(asked->type, frame->type) || !is_asked(asked->arguments, frame->arguments))
                continue;
            out[kept] = as_printed(sight, frame->class_name);
            out[kept].type = frame->type;
            out[kept].method = frame->method;
            out[kept].arguments = frame->arguments;
            out[kept++].line = frame->line;
        }
    return kept;
}

static size_t frames_of(const struct fm_java_answer *answer)
{
    size_t count = 0;
    for (size_t i = 0; i < answer->chain_count; i++) count += answer->chains[i].count;
    return count;
}

static framemap_status find_members(struct framemap_retracer *retracer, const struct fm_retrace_sight *sight,
                                    framemap_str class_name, struct fm_java_answer *answer,
                                    const struct fm_java_member **fields, size_t *field_count, framemap_error *error)
{
    framemap_str field = fm_retrace_text(sight, FM_PART_FIELD), method = fm_retrace_text(sight, FM_PART_METHOD);
    framemap_status status = FRAMEMAP_OK;
    if (sight->view && field.data)
        status = fm_java_fields(sight->view, class_name, field, &retracer->arena, fields, field_count, error);
    if (status != FRAMEMAP_OK || sight->view == NULL || method.data == NULL) return status;
    const struct fm_java_query query = {.class_name = class_name,
                                        .method = method,
                                        .has_line = sight->line.line_number != 0,
                                        .line = sight->line.line_number,
                                        .verbose = true};
    return fm_java_resolve(sight->view, &query, &retracer->arena, answer, error);
}

framemap_status fm_retrace_as_proguard(struct framemap_retracer *retracer, struct fm_retrace_sight *sight,
                                       framemap_error *error)
{
    struct proguard_query asked = {.class_name = {NULL, 0}};
    struct fm_java_answer answer = {.chain_count = 0};
    const struct fm_java_member *fields = NULL;
    size_t field_count = 0;
    framemap_str class_name = fm_retrace_text(sight, FM_PART_CLASS), original;
    if (class_name.data == NULL) return fm_retrace_put_line(retracer, sight->text, error);
    framemap_status status = fm_retrace_with_dots(retracer, &class_name, error);
    if (status != FRAMEMAP_OK) return status;
    sight->view = fm_retrace_view(retracer, class_name);
    original = class_name;
    if (sight->view) fm_java_class(sight->view, class_name, &original);
    status = read_asked(retracer, sight, &asked, error);
    if (status == FRAMEMAP_OK)
        status = find_members(retracer, sight, class_name, &answer, &fields, &field_count, error);
    if (status != FRAMEMAP_OK) return status;
    struct shown *shown = FM_ARENA_ARRAY(&retracer->arena, struct shown, field_count + frames_of(&answer) + 1);
    if (shown == NULL) return fm_error_memory(error);
    size_t count = add_fields(sight, &asked, fields, field_count, shown);
    count += add_methods(sight, &asked, &answer, shown + count);
    if (count == 0) shown[count++] = as_printed(sight, original);
    return put_all(retracer, sight, shown, count, error);
}
