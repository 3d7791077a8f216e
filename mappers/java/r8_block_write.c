/* Passes a class block to the builder: methods in the order of their first lines, each split into parts, which are runs
 * of lines with the same outermost member. */
#include "mappers/java/r8_block_write.h"

#include "core/error.h"

static uint32_t flags_of(const struct fm_r8_span *span)
{
    uint32_t flags = 0;
    if (span->residual.numbers != FM_R8_NO_NUMBER) flags |= FM_SPAN_RESIDUAL;
    if (span->original.numbers != FM_R8_NO_NUMBER) flags |= FM_SPAN_ORIGINAL;
    if (span->original.numbers == FM_R8_TWO_NUMBERS) flags |= FM_SPAN_PAIR;
    return flags;
}

/* Returns the line after the unit that starts with this line: adjacent lines with equal residual ranges, which form one
 * inlined chain. *last: the unit's last line. */
static uint32_t unit_end(const struct fm_r8_block *b, uint32_t span, uint32_t *last)
{
    for (;;) {
        const uint32_t next = b->spans[span].next;
        *last = span;
        if (next == FM_NONE || b->spans[span].residual.numbers == FM_R8_NO_NUMBER ||
            !fm_r8_range_equal(b->spans[span].residual, b->spans[next].residual))
            return next;
        span = next;
    }
}

/* Returns the line after the part that starts with the line `span`. A part is a run of units with the same outermost
 * member. *last: the part's last line. */
static uint32_t part_end(const struct fm_r8_block *b, const struct fm_r8_name *name, uint32_t span, uint32_t *last)
{
    uint32_t unit_last, next = unit_end(b, span, last);
    const uint32_t signature = b->spans[*last].signature;
    if (span == name->first &&
        signature == b->spans[name->last].signature) { /* R8 ignores the lines between the first and the last */
        *last = name->last;
        return FM_NONE;
    }
    while (next != FM_NONE) {
        const uint32_t after = unit_end(b, next, &unit_last);
        if (b->spans[unit_last].signature != signature) return next;
        *last = unit_last;
        next = after;
    }
    return FM_NONE;
}

/* Sets the entry of a part: the member that answers for frames without a line number. It is the member that was
 * declared under the residual signature of the part's last line. *declared: whether there is such a member. first:
 * original signature of the part's first line, whose span is `out`. */
static framemap_status set_entry(struct fm_r8_block *b, uint32_t first, uint32_t last, struct fm_span *out,
                                 bool *declared, framemap_error *error)
{
    const struct fm_r8_span *span = &b->spans[last];
    uint32_t key = span->key != FM_NONE ? span->key : span->own_key;
    if (key == FM_NONE) key = fm_r8_block_own_key(b, span->name, span->signature, false);
    uint32_t signature = span->signature;
    *declared = key != FM_NONE && b->keys[key].signature != FM_NONE;
    if (*declared) {
        signature = b->keys[key].signature;
        if (b->keys[key].synthesized) out->flags |= FM_SPAN_SYNTHETIC;
        if (b->keys[key].outline) out->flags |= FM_SPAN_OUTLINE;
    }
    out->flags |= FM_SPAN_PART;
    if (signature == first) {
        out->entry = out->member;
        return FRAMEMAP_OK;
    }
    return fm_r8_signatures_member(b->signatures, signature, b->original, &out->entry, error);
}

static framemap_status set_span(struct fm_r8_block *b, uint32_t number, struct fm_span *out, framemap_error *error)
{
    const struct fm_r8_span *span = &b->spans[number];
    *out = (struct fm_span){.residual_from = span->residual.from,
                            .residual_to = span->residual.to,
                            .original_from = span->original.from,
                            .original_to = span->original.to,
                            .entry = FM_NONE,
                            .notes = span->notes,
                            .flags = flags_of(span)};
    return fm_r8_signatures_member(b->signatures, span->signature, b->original, &out->member, error);
}

/* Sets the notes of a part for which set_entry found no declared member. Each line's own marks then decide whether the
 * frame of that line is hidden. */
static void set_alone(const struct fm_r8_block *b, uint32_t first, uint32_t end, struct fm_span *out)
{
    for (uint32_t at = first; at != end; at = b->spans[at].next, out++)
        if (b->spans[at].alone != FM_NONE) out->notes = b->spans[at].alone;
}

/* Appends the spans (line ranges) of one member name to those of earlier names. *made: how many spans there are. */
static framemap_status make_spans(struct fm_r8_block *b, const struct fm_r8_name *name, size_t *made,
                                  framemap_error *error)
{
    framemap_status status = FRAMEMAP_OK;
    size_t count = *made;
    for (uint32_t first = name->first; first != FM_NONE && status == FRAMEMAP_OK;) {
        uint32_t last;
        bool declared = true;
        const uint32_t end = part_end(b, name, first, &last);
        struct fm_span *head = &b->out[count];
        for (uint32_t at = first; at != end && status == FRAMEMAP_OK; at = b->spans[at].next)
            status = set_span(b, at, &b->out[count++], error);
        if (status == FRAMEMAP_OK) status = set_entry(b, b->spans[first].signature, last, head, &declared, error);
        if (!declared) set_alone(b, first, end, head);
        first = end;
    }
    *made = count;
    return status;
}

static framemap_status add_methods(struct fm_r8_block *b, size_t first, size_t end, framemap_error *error)
{
    framemap_status status = FRAMEMAP_OK;
    for (size_t i = first, at = 0; i < end && status == FRAMEMAP_OK; at += b->names[i++].count)
        if (b->names[i].count > 0)
            status = fm_builder_method(b->builder, b->names[i].text, &b->out[at], b->names[i].count, error);
    return status;
}

#define SPANS_AT_ONCE 64u

/* Writes the methods. The spans of several methods are made before the first of them is passed on, because reading
 * bytes that were just stored would stall (store forwarding). */
static framemap_status write_methods(struct fm_r8_block *b, framemap_error *error)
{
    framemap_status status = FRAMEMAP_OK;
    for (size_t first = 0, end = 0; first < b->name_count && status == FRAMEMAP_OK; first = end) {
        size_t made = 0;
        for (; end < b->name_count && made < SPANS_AT_ONCE && status == FRAMEMAP_OK; end++) {
            if (!FM_GROW(b->heap, b->out, b->out_capacity, made + b->names[end].count)) return fm_error_memory(error);
            status = make_spans(b, &b->names[end], &made, error);
        }
        if (status == FRAMEMAP_OK) status = add_methods(b, first, end, error);
    }
    return status;
}

static framemap_status write_field(struct fm_r8_block *b, uint32_t key, framemap_error *error)
{
    uint32_t member;
    framemap_status status =
        fm_r8_signatures_member(b->signatures, b->keys[key].signature, b->original, &member, error);
    return status == FRAMEMAP_OK ? fm_builder_field(b->builder, b->names[b->keys[key].name].text, member, error)
                                 : status;
}

/* Adds the members of all lines to the builder in batches. This is faster than adding each member when its line is
 * written. */
static framemap_status make_members(struct fm_r8_block *b, framemap_error *error)
{
    struct fm_r8_batch batch = {.set = b->signatures, .holder = b->original};
    framemap_status status = FRAMEMAP_OK;
    for (size_t i = 0; i < b->span_count && status == FRAMEMAP_OK; i++) {
        if (i > 0 && b->spans[i].signature == b->spans[i - 1].signature) continue;
        status = fm_r8_batch_add(&batch, b->spans[i].signature, error);
    }
    for (size_t i = 0; i < b->field_count && status == FRAMEMAP_OK; i++)
        status = fm_r8_batch_add(&batch, b->keys[b->fields[i]].signature, error);
    return status == FRAMEMAP_OK ? fm_r8_batch_end(&batch, error) : status;
}

framemap_status fm_r8_block_write(struct fm_r8_block *b, framemap_error *error)
{
    framemap_status status = fm_builder_class(b->builder, b->residual, b->original, b->flags, error);
    if (status == FRAMEMAP_OK) status = make_members(b, error);
    if (status == FRAMEMAP_OK) status = write_methods(b, error);
    for (size_t i = 0; i < b->field_count && status == FRAMEMAP_OK; i++) status = write_field(b, b->fields[i], error);
    return status;
}
