/* Dumps an index of renamed classes. Called by dump.c. */
#include "session/dump/dump_out.h"

#include "core/error.h"

static framemap_status classes_damaged(framemap_error *error, const char *what)
{
    return fm_error_set(error, FRAMEMAP_E_CORRUPT, "the index is damaged: %s can't be read", what);
}

/* One range of lines of a class, with the member that it belongs to and all other values that a record of the dump
 * contains. */
struct class_record {
    const struct fm_view_class *class;
    framemap_str residual; /* name of the method or field */
    struct fm_view_span span;
    struct fm_view_member member;
    const struct fm_view_part *part;
    uint64_t part_number;
    bool begins_part;
};

/* --- writing classes as text --- */

static void text_range(struct fm_buf *out, int32_t from, int32_t to)
{
    fm_buf_printf(out, "%ld:%ld", (long)from, (long)to);
}

static void text_member(struct fm_buf *out, const struct fm_view_class *class, const struct fm_view_member *member)
{
    fm_buf_str(out, member->type.data ? member->type : FM_STR("?"));
    fm_buf_byte(out, ' ');
    if (!fm_str_equal(member->holder, class->original)) {
        fm_buf_str(out, member->holder);
        fm_buf_byte(out, '.');
    }
    fm_buf_str(out, member->name);
    if (member->is_field) return;
    fm_buf_byte(out, '(');
    fm_buf_str(out, member->arguments);
    fm_buf_byte(out, ')');
}

static void text_class(struct fm_dump *dump, const struct fm_view_class *class)
{
    struct fm_buf *out = &dump->out;
    framemap_str source;
    fm_buf_byte(out, '\n');
    fm_buf_str(out, class->original);
    fm_buf_str(out, FM_STR(" -> "));
    fm_buf_str(out, class->residual);
    fm_dump_end_line(out, FM_STR(":"));
    if (fm_view_name_source(dump->index->view, class->original_name, &source)) {
        fm_buf_str(out, FM_STR("# source "));
        fm_buf_json(out, source);
        fm_buf_byte(out, '\n');
    }
    if (class->flags & FM_CLASS_SYNTHETIC) fm_dump_end_line(out, FM_STR("# synthetic"));
}

static void text_part(struct fm_dump *dump, const struct class_record *row)
{
    struct fm_buf *out = &dump->out;
    struct fm_view_member entry;
    if (!fm_view_member(dump->index->view, row->part->entry, &entry)) return;
    fm_buf_str(out, FM_STR("    # "));
    fm_buf_str(out, row->residual);
    fm_buf_str(out, FM_STR(" enters "));
    text_member(out, row->class, &entry);
    if (row->part->flags & FM_SPAN_SYNTHETIC) fm_buf_str(out, FM_STR(", synthetic"));
    if (row->part->flags & FM_SPAN_OUTLINE) fm_buf_str(out, FM_STR(", outline"));
    fm_buf_byte(out, '\n');
}

static void text_note(struct fm_buf *out, const struct fm_view_note *note)
{
    fm_buf_str(out, FM_STR("      # "));
    switch (note->kind) {
    case FM_NOTE_REWRITE: fm_buf_printf(out, "inner frames to remove: %lld", (long long)note->count); break;
    case FM_NOTE_THROWS: fm_buf_str(out, FM_STR("when this was thrown: ")); break;
    case FM_NOTE_OUTLINE: fm_buf_str(out, FM_STR("calls an outline ")); break;
    case FM_NOTE_POSITION:
        fm_buf_printf(out, "line %ld of it is line %ld here", (long)note->from, (long)note->to);
        break;
    case FM_NOTE_HIDDEN: fm_buf_str(out, FM_STR("its frame is hidden")); break;
    default: fm_buf_str(out, FM_STR("not known"));
    }
    fm_buf_str(out, note->text);
    fm_buf_byte(out, '\n');
}

static framemap_status text_span(struct fm_dump *dump, const struct class_record *row, framemap_error *error)
{
    struct fm_buf *out = &dump->out;
    const struct fm_view_span *span = &row->span;
    framemap_status status = FRAMEMAP_OK;
    struct fm_view_note note;
    if (row->begins_part) text_part(dump, row);
    fm_buf_str(out, FM_STR("    "));
    if (span->flags & FM_SPAN_RESIDUAL) {
        text_range(out, span->residual_from, span->residual_to);
        fm_buf_byte(out, ':');
    }
    text_member(out, row->class, &row->member);
    if (span->flags & FM_SPAN_ORIGINAL) fm_buf_printf(out, ":%ld", (long)span->original_from);
    if (span->flags & FM_SPAN_PAIR) fm_buf_printf(out, ":%ld", (long)span->original_to);
    fm_buf_str(out, FM_STR(" -> "));
    fm_buf_str(out, row->residual);
    fm_buf_byte(out, '\n');
    for (uint64_t i = 0; status == FRAMEMAP_OK && fm_view_note(dump->index->view, span->notes, i, &note); i++) {
        text_note(out, &note);
        /* A list of notes may be as long as the index, so the buffer is written whenever it is full. */
        status = fm_dump_flush(dump, FM_DUMP_FLUSH, error);
    }
    return status;
}

static void text_field(struct fm_dump *dump, const struct class_record *row)
{
    fm_buf_str(&dump->out, FM_STR("    "));
    text_member(&dump->out, row->class, &row->member);
    fm_buf_str(&dump->out, FM_STR(" -> "));
    fm_buf_str(&dump->out, row->residual);
    fm_buf_byte(&dump->out, '\n');
}

/* --- writing classes as JSON lines --- */

static void json_text(struct fm_buf *out, const char *name, framemap_str value)
{
    if (value.data == NULL) return;
    fm_buf_printf(out, ",\"%s\":", name);
    fm_buf_json(out, value);
}

static void json_begin(struct fm_buf *out, const struct fm_view_class *class)
{
    fm_buf_str(out, FM_STR("{\"class\":"));
    fm_buf_json(out, class->residual);
}

static void json_class(struct fm_dump *dump, const struct fm_view_class *class)
{
    struct fm_buf *out = &dump->out;
    framemap_str source;
    json_begin(out, class);
    json_text(out, "original", class->original);
    if (fm_view_name_source(dump->index->view, class->original_name, &source)) json_text(out, "source", source);
    if (class->flags & FM_CLASS_SYNTHETIC) fm_buf_str(out, FM_STR(",\"synthetic\":true"));
    fm_dump_end_line(out, FM_STR("}"));
}

static void json_member(struct fm_buf *out, const char *key, const struct fm_view_member *member)
{
    fm_buf_printf(out, ",\"%s\":{\"class\":", key);
    fm_buf_json(out, member->holder);
    json_text(out, "name", member->name);
    json_text(out, "type", member->type);
    json_text(out, "arguments", member->arguments);
    fm_buf_byte(out, '}');
}

static void json_note(struct fm_buf *out, const struct fm_view_note *note)
{
    switch (note->kind) {
    case FM_NOTE_REWRITE: fm_buf_printf(out, "{\"remove\":%lld", (long long)note->count); break;
    case FM_NOTE_THROWS: fm_buf_str(out, FM_STR("{\"kind\":\"throws\"")); break;
    case FM_NOTE_OUTLINE: fm_buf_str(out, FM_STR("{\"kind\":\"outline\"")); break;
    case FM_NOTE_POSITION: fm_buf_printf(out, "{\"from\":%ld,\"to\":%ld", (long)note->from, (long)note->to); break;
    case FM_NOTE_HIDDEN: fm_buf_str(out, FM_STR("{\"kind\":\"hidden\"")); break;
    default: fm_buf_printf(out, "{\"kind\":%lu", (unsigned long)note->kind);
    }
    json_text(out, "text", note->text);
    fm_buf_byte(out, '}');
}

static framemap_status json_notes(struct fm_dump *dump, uint32_t notes, framemap_error *error)
{
    struct fm_buf *out = &dump->out;
    framemap_status status = FRAMEMAP_OK;
    struct fm_view_note note;
    for (uint64_t i = 0; status == FRAMEMAP_OK && fm_view_note(dump->index->view, notes, i, &note); i++) {
        fm_buf_str(out, i ? FM_STR(",") : FM_STR(",\"notes\":["));
        json_note(out, &note);
        status = fm_dump_flush(dump, FM_DUMP_FLUSH, error);
    }
    if (notes != FM_VIEW_NONE) fm_buf_byte(out, ']');
    return status;
}

static framemap_status json_span(struct fm_dump *dump, const struct class_record *row, framemap_error *error)
{
    struct fm_buf *out = &dump->out;
    const struct fm_view_span *span = &row->span;
    struct fm_view_member entry;
    json_begin(out, row->class);
    json_text(out, "method", row->residual);
    fm_buf_printf(out, ",\"part\":%llu", (unsigned long long)row->part_number);
    if (span->flags & FM_SPAN_RESIDUAL)
        fm_buf_printf(out, ",\"lines\":[%ld,%ld]", (long)span->residual_from, (long)span->residual_to);
    if (span->flags & FM_SPAN_ORIGINAL) fm_buf_printf(out, ",\"original\":[%ld", (long)span->original_from);
    if (span->flags & FM_SPAN_PAIR) fm_buf_printf(out, ",%ld", (long)span->original_to);
    if (span->flags & FM_SPAN_ORIGINAL) fm_buf_byte(out, ']');
    json_member(out, "member", &row->member);
    const framemap_status status = json_notes(dump, span->notes, error);
    if (row->begins_part && fm_view_member(dump->index->view, row->part->entry, &entry)) {
        json_member(out, "entry", &entry);
        if (row->part->flags & FM_SPAN_SYNTHETIC) fm_buf_str(out, FM_STR(",\"synthetic\":true"));
        if (row->part->flags & FM_SPAN_OUTLINE) fm_buf_str(out, FM_STR(",\"outline\":true"));
    }
    fm_dump_end_line(out, FM_STR("}"));
    return status;
}

static void json_field(struct fm_dump *dump, const struct class_record *row)
{
    json_begin(&dump->out, row->class);
    json_text(&dump->out, "field", row->residual);
    json_member(&dump->out, "member", &row->member);
    fm_dump_end_line(&dump->out, FM_STR("}"));
}

/* --- walking over the index --- */

static framemap_status dump_part(struct fm_dump *dump, struct class_record *row, bool json, framemap_error *error)
{
    framemap_status status = FRAMEMAP_OK;
    for (uint64_t i = 0; i < row->part->span_count && status == FRAMEMAP_OK; i++) {
        row->begins_part = i == 0;
        if (!fm_view_span(dump->index->view, row->part->first_span + i, &row->span) ||
            !fm_view_member(dump->index->view, row->span.member, &row->member))
            return classes_damaged(error, "a span");
        status = json ? json_span(dump, row, error) : text_span(dump, row, error);
        if (status == FRAMEMAP_OK) status = fm_dump_flush(dump, FM_DUMP_FLUSH, error);
    }
    return status;
}

static framemap_status dump_method(struct fm_dump *dump, const struct fm_view_class *class, uint64_t number, bool json,
                                   framemap_error *error)
{
    struct fm_view_method method;
    struct fm_view_part part;
    framemap_status status = FRAMEMAP_OK;
    if (!fm_view_method_at(dump->index->view, number, &method)) return classes_damaged(error, "a method");
    struct class_record row = {.class = class, .residual = method.residual, .part = &part};
    for (uint64_t i = 0; i < method.part_count && status == FRAMEMAP_OK; i++) {
        if (!fm_view_part(dump->index->view, &method, method.first_part + i, &part))
            return classes_damaged(error, "a part");
        row.part_number = i;
        status = dump_part(dump, &row, json, error);
    }
    return status;
}

static framemap_status dump_field(struct fm_dump *dump, const struct fm_view_class *class, uint64_t number, bool json,
                                  framemap_error *error)
{
    struct class_record row = {.class = class};
    uint32_t member;
    if (!fm_view_field_at(dump->index->view, number, &row.residual, &member) ||
        !fm_view_member(dump->index->view, member, &row.member))
        return classes_damaged(error, "a field");
    if (json)
        json_field(dump, &row);
    else
        text_field(dump, &row);
    return fm_dump_flush(dump, FM_DUMP_FLUSH, error);
}

static framemap_status dump_class(struct fm_dump *dump, uint64_t number, bool json, framemap_error *error)
{
    struct fm_view_class class;
    framemap_status status = FRAMEMAP_OK;
    if (!fm_view_class_at(dump->index->view, number, &class)) return classes_damaged(error, "a class");
    if (json)
        json_class(dump, &class);
    else
        text_class(dump, &class);
    for (uint64_t i = 0; i < class.field_count && status == FRAMEMAP_OK; i++)
        status = dump_field(dump, &class, class.first_field + i, json, error);
    for (uint64_t i = 0; i < class.method_count && status == FRAMEMAP_OK; i++)
        status = dump_method(dump, &class, class.first_method + i, json, error);
    return status;
}

/* Writes the summary of classes at the head of a text dump. */
static void dump_counts(struct fm_dump *dump, const struct fm_classes_about *about)
{
    fm_buf_printf(&dump->out, "# classes %llu, methods %llu, ranges %llu, fields %llu, members %llu\n",
                  (unsigned long long)about->class_count, (unsigned long long)about->method_count,
                  (unsigned long long)about->span_count, (unsigned long long)about->field_count,
                  (unsigned long long)about->member_count);
}

framemap_status fm_dump_classes(struct fm_dump *dump, bool json, framemap_error *error)
{
    struct fm_classes_about about;
    framemap_status status = FRAMEMAP_OK;
    if (!fm_view_classes(dump->index->view, &about)) return classes_damaged(error, "a class");
    if (!json) dump_counts(dump, &about);
    for (uint64_t i = 0; i < about.class_count && status == FRAMEMAP_OK; i++) status = dump_class(dump, i, json, error);
    return status;
}
