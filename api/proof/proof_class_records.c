/* Compares the records of one class with the records in the index: every span and note of every method, every field. It
 * is not enough to compare frames, because R8's rules compute a frame from all records of a method and from the rest of
 * the stack. So each record must be the same. */
#include "api/proof/proof_classes.h"

#include "core/error.h"

#include <inttypes.h>

/* --- comparing members and notes --- */

static bool same_member(const struct fm_proof_classes *c, uint32_t said, uint32_t number)
{
    struct fm_view_member found;
    const struct fm_proof *proof = c->proof;
    if (!fm_view_member(fm_proof_view(proof), number, &found)) return false;
    const struct fm_member *member = &c->members[said];
    const uint32_t source = c->sources[member->holder];
    return fm_str_equal(fm_proof_name(c, member->holder), found.holder) &&
           fm_str_equal(fm_proof_text(proof, member->name), found.name) &&
           fm_str_equal(fm_proof_text(proof, member->type), found.type) &&
           fm_str_equal(fm_proof_text(proof, member->arguments), found.arguments) &&
           (member->arguments == FM_NONE) == found.is_field && (source == FM_NONE) == (found.source.data == NULL) &&
           fm_str_equal(fm_proof_text(proof, source), found.source);
}

static bool same_note(const struct fm_proof_classes *c, const struct fm_note *said, const struct fm_view_note *found)
{
    return said->kind == found->kind && said->from == found->from && said->to == found->to &&
           said->count == found->count && (said->text == FM_NONE) == (found->text.data == NULL) &&
           fm_str_equal(fm_proof_text(c->proof, said->text), found->text);
}

static bool same_notes(const struct fm_proof_classes *c, uint32_t said, uint32_t found)
{
    struct fm_view_note note;
    if (said == FM_NONE || found == FM_VIEW_NONE) return said == FM_NONE && found == FM_VIEW_NONE;
    const struct fm_proof_notes *list = &c->lists[said];
    for (size_t i = 0; i < list->count; i++)
        if (!fm_view_note(fm_proof_view(c->proof), found, i, &note) || !same_note(c, &c->notes[list->first + i], &note))
            return false;
    return !fm_view_note(fm_proof_view(c->proof), found, list->count, &note);
}

/* --- comparing spans --- */

/* Returns which part of a span differs; NULL: none. */
static const char *span_difference(const struct fm_proof_classes *c, const struct fm_span *said,
                                   const struct fm_view_span *found)
{
    const uint32_t flags = said->flags & (FM_SPAN_RESIDUAL | FM_SPAN_ORIGINAL | FM_SPAN_PAIR);
    if (flags != found->flags) return "kinds of lines";
    if ((flags & FM_SPAN_RESIDUAL) &&
        (said->residual_from != found->residual_from || said->residual_to != found->residual_to))
        return "residual lines";
    if ((flags & FM_SPAN_ORIGINAL) && said->original_from != found->original_from) return "original line";
    if ((flags & FM_SPAN_PAIR) && said->original_to != found->original_to) return "last original line";
    if (!same_member(c, said->member, found->member)) return "member";
    return same_notes(c, said->notes, found->notes) ? NULL : "additional information";
}

static void put_lines(struct fm_buf *out, bool known, int32_t from, bool pair, int32_t to)
{
    if (!known) return;
    fm_buf_printf(out, "%" PRId32, from);
    if (pair) fm_buf_printf(out, ":%" PRId32, to);
}

static void put_span(struct fm_buf *out, const struct fm_view_span *span, const struct fm_view_member *member)
{
    put_lines(out, (span->flags & FM_SPAN_RESIDUAL) != 0, span->residual_from, true, span->residual_to);
    fm_buf_str(out, FM_STR(" -> "));
    fm_buf_str(out, member->holder);
    fm_buf_byte(out, '.');
    fm_buf_str(out, member->name);
    fm_buf_byte(out, '(');
    fm_buf_str(out, member->arguments);
    fm_buf_str(out, FM_STR(") "));
    put_lines(out, (span->flags & FM_SPAN_ORIGINAL) != 0, span->original_from, (span->flags & FM_SPAN_PAIR) != 0,
              span->original_to);
}

static void put_said(struct fm_proof_classes *c, const struct fm_span *said)
{
    const struct fm_member *given = &c->members[said->member];
    const struct fm_view_span span = {.residual_from = said->residual_from,
                                      .residual_to = said->residual_to,
                                      .original_from = said->original_from,
                                      .original_to = said->original_to,
                                      .flags = said->flags};
    const struct fm_view_member member = {.holder = fm_proof_name(c, given->holder),
                                          .name = fm_proof_text(c->proof, given->name),
                                          .arguments = fm_proof_text(c->proof, given->arguments)};
    put_span(&c->proof->said, &span, &member);
}

static framemap_status span_differs(struct fm_proof_classes *c, const struct fm_proof_class *owner,
                                    const struct fm_proof_method *method, const struct fm_span *said,
                                    const struct fm_view_span *found, const char *differs)
{
    struct fm_view_member member = {.is_field = false};
    fm_proof_put_member(c, owner, method->residual, (said->flags & FM_SPAN_RESIDUAL) ? said->residual_from : 0);
    put_said(c, said);
    if (found != NULL && fm_view_member(fm_proof_view(c->proof), found->member, &member))
        put_span(&c->proof->found, found, &member);
    return fm_proof_differs(c->proof, "line", differs);
}

static framemap_status compare_spans(struct fm_proof_classes *c, const struct fm_proof_class *owner,
                                     const struct fm_proof_method *method, const struct fm_view_method *found)
{
    framemap_status status = FRAMEMAP_OK;
    for (size_t i = 0; i < method->span_count && i < found->span_count && status == FRAMEMAP_OK; i++) {
        const struct fm_span *said = &c->spans[method->first_span + i];
        struct fm_view_span span;
        const bool there = fm_view_method_span(fm_proof_view(c->proof), found, found->first_span + i, &span);
        const char *differs = there ? span_difference(c, said, &span) : "answer";
        c->proof->counts.questions++;
        if (differs) status = span_differs(c, owner, method, said, there ? &span : NULL, differs);
    }
    return status;
}

/* --- comparing parts --- */

/* Returns the end of the part of a method that starts with a span: the number of the first span after the part. */
static size_t part_end(const struct fm_proof_classes *c, const struct fm_proof_method *method, size_t first)
{
    size_t end = first + 1;
    while (end < method->span_count && (c->spans[method->first_span + end].flags & FM_SPAN_PART) == 0) end++;
    return end;
}

static framemap_status compare_parts(struct fm_proof_classes *c, const struct fm_proof_class *owner,
                                     const struct fm_proof_method *method, const struct fm_view_method *found)
{
    framemap_status status = FRAMEMAP_OK;
    size_t parts = 0;
    for (size_t at = 0, end; at < method->span_count && status == FRAMEMAP_OK; at = end, parts++) {
        const struct fm_span *said = &c->spans[method->first_span + at];
        const uint32_t flags = said->flags & (FM_SPAN_SYNTHETIC | FM_SPAN_OUTLINE);
        struct fm_view_part part;
        end = part_end(c, method, at);
        const bool there = fm_view_part(fm_proof_view(c->proof), found, found->first_part + parts, &part);
        c->proof->counts.questions++;
        if (there && part.first_span == found->first_span + at && part.span_count == end - at && part.flags == flags &&
            same_member(c, said->entry, part.entry))
            continue;
        status = span_differs(c, owner, method, said, NULL, "part of the method");
    }
    if (status != FRAMEMAP_OK || parts == found->part_count) return status;
    fm_proof_put_member(c, owner, method->residual, 0);
    fm_buf_dec(&c->proof->said, parts);
    fm_buf_dec(&c->proof->found, found->part_count);
    return fm_proof_differs(c->proof, "method", "number of parts");
}

/* --- comparing methods and fields --- */

static framemap_status compare_method(struct fm_proof_classes *c, const struct fm_proof_class *owner,
                                      const struct fm_view_class *in, const struct fm_proof_method *method)
{
    struct fm_view_method found;
    const framemap_str residual = fm_proof_text(c->proof, method->residual);
    const bool there = fm_view_class_method(fm_proof_view(c->proof), in, residual, &found);
    c->proof->counts.questions++;
    if (there && found.span_count == method->span_count) {
        const framemap_status status = compare_spans(c, owner, method, &found);
        return status == FRAMEMAP_OK ? compare_parts(c, owner, method, &found) : status;
    }
    fm_proof_put_member(c, owner, method->residual, 0);
    fm_buf_printf(&c->proof->said, "%zu lines", method->span_count);
    if (there) fm_buf_printf(&c->proof->found, "%" PRIu64 " lines", found.span_count);
    return fm_proof_differs(c->proof, "method", "lines");
}

static void put_field(struct fm_proof_classes *c, uint32_t number)
{
    const struct fm_member *member = &c->members[number];
    fm_buf_str(&c->proof->said, fm_proof_text(c->proof, member->type));
    fm_buf_byte(&c->proof->said, ' ');
    fm_buf_str(&c->proof->said, fm_proof_name(c, member->holder));
    fm_buf_byte(&c->proof->said, '.');
    fm_buf_str(&c->proof->said, fm_proof_text(c->proof, member->name));
}

/* Compares a field. which: its index among the fields with this name, from 0. */
static framemap_status compare_field(struct fm_proof_classes *c, const struct fm_proof_class *owner,
                                     const struct fm_view_class *in, const struct fm_proof_field *field, size_t which)
{
    uint64_t first, count;
    uint32_t member;
    framemap_str residual = fm_proof_text(c->proof, field->residual), found;
    const struct fm_view *view = fm_proof_view(c->proof);
    c->proof->counts.questions++;
    if (fm_view_fields(view, in, residual, &first, &count) && which < count &&
        fm_view_field_at(view, first + which, &found, &member) && same_member(c, field->member, member))
        return FRAMEMAP_OK;
    fm_proof_put_member(c, owner, field->residual, 0);
    put_field(c, field->member);
    return fm_proof_differs(c->proof, "field", "member");
}

/* Compares the fields of a class. Fields that have one name are compared in the order of the mapping. */
static framemap_status compare_fields(struct fm_proof_classes *c, const struct fm_proof_class *owner,
                                      const struct fm_view_class *found)
{
    const size_t count = owner->field_count;
    if (count == 0) return FRAMEMAP_OK;
    if (!FM_GROW(c->proof->heap, c->order, c->order_capacity, count)) return fm_error_memory(c->proof->error);
    for (size_t i = 0; i < count; i++)
        c->order[i] = (struct fm_sort_item){.key = c->fields[owner->first_field + i].residual, .id = (uint32_t)i};
    if (!fm_sort(c->proof->heap, c->order, count, NULL, NULL)) return fm_error_memory(c->proof->error);
    framemap_status status = FRAMEMAP_OK;
    for (size_t i = 0, which = 0; i < count && status == FRAMEMAP_OK; i++) {
        which = i > 0 && c->order[i].key == c->order[i - 1].key ? which + 1 : 0;
        status = compare_field(c, owner, found, &c->fields[owner->first_field + c->order[i].id], which);
    }
    return status;
}

framemap_status fm_proof_class_records(struct fm_proof_classes *c, const struct fm_proof_class *owner,
                                       const struct fm_view_class *found)
{
    struct fm_proof *proof = c->proof;
    const framemap_str residual = fm_proof_text(proof, owner->residual);
    framemap_status status = fm_proof_compare_text(proof, "class", "original name", residual,
                                                   fm_proof_name(c, owner->original), found->original);
    if (status == FRAMEMAP_OK)
        status = fm_proof_compare_number(proof, "class", "flags", residual, owner->flags, found->flags);
    if (status == FRAMEMAP_OK)
        status = fm_proof_compare_number(proof, "class", "number of methods", residual, owner->method_count,
                                         found->method_count);
    if (status == FRAMEMAP_OK)
        status = fm_proof_compare_number(proof, "class", "number of fields", residual, owner->field_count,
                                         found->field_count);
    for (size_t i = 0; i < owner->method_count && status == FRAMEMAP_OK; i++)
        status = compare_method(c, owner, found, &c->methods[owner->first_method + i]);
    return status == FRAMEMAP_OK ? compare_fields(c, owner, found) : status;
}
