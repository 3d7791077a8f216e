/* Copies one class of an opened index into a builder, with all records that its results need. Called by
 * split_classes.c. */
#include "core/error.h"
#include "index/read/classes/class_view.h"
#include "index/split/record_copy.h"
#include "index/write/class_builder.h"
#include <string.h>

struct copier {
    const struct fm_view *view;
    struct fm_builder *builder;
    struct fm_heap *heap;
    framemap_error *error;
    struct fm_span *spans; /* spans of the current method */
    struct fm_note *notes; /* notes of the current span */
    size_t span_capacity, note_capacity;
    /* numbers of the member that was copied last: its number in the index, and its number in the copy */
    uint32_t from_member, to_member;
};

static framemap_status damaged(const struct copier *c, const char *what)
{
    return fm_error_set(c->error, FRAMEMAP_E_CORRUPT, "the index is damaged: %s can't be read", what);
}

static framemap_status copy_text(struct copier *c, framemap_str text, uint32_t *out)
{
    *out = FM_NONE;
    return text.data == NULL ? FRAMEMAP_OK : fm_builder_string(c->builder, text, out, c->error);
}

/* Copies an original class name and its source file. */
static framemap_status copy_name(struct copier *c, uint32_t name, framemap_str text, uint32_t *out)
{
    framemap_str source;
    framemap_status status = fm_builder_name(c->builder, text, out, c->error);
    if (status == FRAMEMAP_OK && fm_view_name_source(c->view, name, &source))
        status = fm_builder_name_source(c->builder, *out, source, c->error);
    return status;
}

static framemap_status copy_member(struct copier *c, uint32_t number, uint32_t *out)
{
    struct fm_view_member from;
    struct fm_member member;
    *out = c->to_member;
    if (number == c->from_member) return FRAMEMAP_OK;
    if (!fm_view_member(c->view, number, &from)) return damaged(c, "a member");
    framemap_status status = copy_name(c, from.holder_name, from.holder, &member.holder);
    if (status == FRAMEMAP_OK) status = fm_builder_string(c->builder, from.name, &member.name, c->error);
    if (status == FRAMEMAP_OK) status = copy_text(c, from.type, &member.type);
    if (status == FRAMEMAP_OK) status = copy_text(c, from.arguments, &member.arguments);
    if (status == FRAMEMAP_OK) status = fm_builder_member(c->builder, &member, out, c->error);
    if (status != FRAMEMAP_OK) return status;
    c->from_member = number;
    c->to_member = *out;
    return FRAMEMAP_OK;
}

static framemap_status copy_notes(struct copier *c, uint32_t list, uint32_t *out)
{
    struct fm_view_note from;
    size_t count = 0;
    *out = FM_NONE;
    if (list == FM_VIEW_NONE) return FRAMEMAP_OK;
    for (; fm_view_note(c->view, list, count, &from); count++) {
        if (!FM_GROW(c->heap, c->notes, c->note_capacity, count + 1)) return fm_error_memory(c->error);
        c->notes[count] = (struct fm_note){.kind = from.kind, .from = from.from, .to = from.to, .count = from.count};
        if (from.kind < FM_NOTE_REWRITE || from.kind > FM_NOTE_HIDDEN) return damaged(c, "a note");
        framemap_status status = copy_text(c, from.text, &c->notes[count].text);
        if (status != FRAMEMAP_OK) return status;
    }
    return fm_builder_notes(c->builder, c->notes, count, out, c->error);
}

static framemap_status copy_span(struct copier *c, const struct fm_view_method *method, uint64_t number,
                                 struct fm_span *out)
{
    struct fm_view_span from;
    if (!fm_view_method_span(c->view, method, number, &from)) return damaged(c, "a span");
    *out = (struct fm_span){.residual_from = from.residual_from,
                            .residual_to = from.residual_to,
                            .original_from = from.original_from,
                            .original_to = from.original_to,
                            .flags = from.flags};
    if ((from.flags & FM_SPAN_RESIDUAL) != 0 && from.residual_from > from.residual_to) return damaged(c, "a span");
    if ((from.flags & FM_SPAN_PAIR) != 0 && (from.flags & FM_SPAN_ORIGINAL) == 0) return damaged(c, "a span");
    framemap_status status = copy_member(c, from.member, &out->member);
    return status == FRAMEMAP_OK ? copy_notes(c, from.notes, &out->notes) : status;
}

static framemap_status copy_part(struct copier *c, const struct fm_view_method *method, uint64_t number)
{
    struct fm_view_part part;
    if (!fm_view_part(c->view, method, number, &part)) return damaged(c, "a part");
    framemap_status status = FRAMEMAP_OK;
    struct fm_span *first = &c->spans[part.first_span - method->first_span];
    for (uint64_t i = 0; i < part.span_count && status == FRAMEMAP_OK; i++)
        status = copy_span(c, method, part.first_span + i, first + i);
    first->flags |= FM_SPAN_PART | part.flags;
    return status == FRAMEMAP_OK ? copy_member(c, part.entry, &first->entry) : status;
}

static framemap_status copy_method(struct copier *c, uint64_t number)
{
    struct fm_view_method method;
    if (!fm_view_method_at(c->view, number, &method)) return damaged(c, "a method");
    if (!FM_GROW(c->heap, c->spans, c->span_capacity, (size_t)method.span_count)) return fm_error_memory(c->error);
    /* spans that are not copied below stay zero: in a damaged index, the parts of a method may not cover all of its
     * spans */
    memset(c->spans, 0, (size_t)method.span_count * sizeof *c->spans);
    framemap_status status = FRAMEMAP_OK;
    for (uint64_t i = 0; i < method.part_count && status == FRAMEMAP_OK; i++)
        status = copy_part(c, &method, method.first_part + i);
    if (status != FRAMEMAP_OK) return status;
    return fm_builder_method(c->builder, method.residual, c->spans, (size_t)method.span_count, c->error);
}

static framemap_status copy_field(struct copier *c, uint64_t number)
{
    framemap_str residual;
    uint32_t from, member;
    if (!fm_view_field_at(c->view, number, &residual, &from)) return damaged(c, "a field");
    framemap_status status = copy_member(c, from, &member);
    return status == FRAMEMAP_OK ? fm_builder_field(c->builder, residual, member, c->error) : status;
}

/* Copies the source file of an original class that has this name, because a stack may also have the original name of a
 * class that was not renamed. */
static framemap_status copy_own_source(struct copier *c, framemap_str residual)
{
    framemap_str source;
    uint32_t name;
    if (!fm_view_source_of(c->view, residual, &source)) return FRAMEMAP_OK;
    framemap_status status = fm_builder_name(c->builder, residual, &name, c->error);
    return status == FRAMEMAP_OK ? fm_builder_name_source(c->builder, name, source, c->error) : status;
}

static framemap_status copy_class(struct copier *c, uint64_t number)
{
    struct fm_view_class class;
    uint32_t name;
    if (!fm_view_class_at(c->view, number, &class)) return damaged(c, "a class");
    framemap_status status = copy_own_source(c, class.residual);
    if (status == FRAMEMAP_OK) status = copy_name(c, class.original_name, class.original, &name);
    if (status == FRAMEMAP_OK)
        status = fm_builder_class(c->builder, class.residual, name, class.flags & FM_CLASS_SYNTHETIC, c->error);
    for (uint64_t i = 0; i < class.method_count && status == FRAMEMAP_OK; i++)
        status = copy_method(c, class.first_method + i);
    for (uint64_t i = 0; i < class.field_count && status == FRAMEMAP_OK; i++)
        status = copy_field(c, class.first_field + i);
    return status;
}

framemap_status fm_copy_class(const struct fm_view *view, uint64_t number, struct fm_builder *builder,
                              struct fm_heap *heap, framemap_error *error)
{
    struct copier c = {.view = view, .builder = builder, .heap = heap, .error = error, .from_member = FM_VIEW_NONE};
    framemap_status status = fm_copy_about(view, builder, error);
    if (status == FRAMEMAP_OK) status = copy_class(&c, number);
    fm_heap_free(heap, c.spans, c.span_capacity * sizeof *c.spans);
    fm_heap_free(heap, c.notes, c.note_capacity * sizeof *c.notes);
    return status;
}

framemap_status fm_copy_source(const struct fm_view *view, uint32_t name, struct fm_builder *builder,
                               framemap_error *error)
{
    const framemap_str text = fm_text_field(view, &view->tables[FMX_NAMES], name, NAME_TEXT);
    struct copier c = {.view = view, .builder = builder, .error = error, .from_member = FM_VIEW_NONE};
    uint32_t number;
    framemap_status status = fm_copy_about(view, builder, error);
    return status == FRAMEMAP_OK ? copy_name(&c, name, text, &number) : status;
}
