/* Receives the classes of a mapping. */
#include "api/proof/proof_classes.h"

#include "core/error.h"

struct fm_proof_classes *fm_proof_classes_new(struct fm_proof *proof)
{
    struct fm_proof_classes *classes = fm_heap_zalloc(proof->heap, 1, sizeof *classes);
    if (classes == NULL) return NULL;
    classes->proof = proof;
    fm_record_set_init(&classes->names, proof->heap, sizeof(uint32_t));
    fm_record_set_init(&classes->numbers, proof->heap, sizeof(uint32_t));
    fm_arena_init(&classes->arena, proof->heap);
    return classes;
}

void fm_proof_classes_free(struct fm_proof_classes *c)
{
    if (c == NULL) return;
    struct fm_heap *heap = c->proof->heap;
    fm_record_set_free(&c->names);
    fm_record_set_free(&c->numbers);
    fm_heap_free(heap, c->sources, c->source_capacity * sizeof *c->sources);
    fm_heap_free(heap, c->classes, c->class_capacity * sizeof *c->classes);
    fm_heap_free(heap, c->methods, c->method_capacity * sizeof *c->methods);
    fm_heap_free(heap, c->spans, c->span_capacity * sizeof *c->spans);
    fm_heap_free(heap, c->fields, c->field_capacity * sizeof *c->fields);
    fm_heap_free(heap, c->members, c->member_capacity * sizeof *c->members);
    fm_heap_free(heap, c->lists, c->list_capacity * sizeof *c->lists);
    fm_heap_free(heap, c->notes, c->note_capacity * sizeof *c->notes);
    fm_heap_free(heap, c->runs, c->run_capacity * sizeof *c->runs);
    fm_heap_free(heap, c->order, c->order_capacity * sizeof *c->order);
    fm_heap_free(heap, c->frames, c->frame_capacity * sizeof *c->frames);
    fm_arena_free(&c->arena);
    fm_heap_free(heap, c, sizeof *c);
}

static bool is_full(size_t count) { return count >= UINT32_MAX - 2; }

/* --- adding names, members and notes --- */

framemap_status fm_proof_classes_name(struct fm_proof_classes *c, framemap_str original, uint32_t *out,
                                      framemap_error *error)
{
    uint32_t text;
    const size_t before = c->names.count;
    const framemap_status status = fm_proof_intern(c->proof, original, &text, error);
    if (status != FRAMEMAP_OK) return status;
    if (!fm_record_set_add(&c->names, &text, out) ||
        !FM_GROW(c->proof->heap, c->sources, c->source_capacity, c->names.count))
        return fm_error_memory(error);
    if (c->names.count > before) c->sources[*out] = FM_NONE;
    return FRAMEMAP_OK;
}

framemap_status fm_proof_classes_name_source(struct fm_proof_classes *c, uint32_t name, framemap_str source,
                                             framemap_error *error)
{
    return fm_proof_intern(c->proof, source, &c->sources[name], error);
}

framemap_status fm_proof_classes_member(struct fm_proof_classes *c, const struct fm_member *member, uint32_t *out,
                                        framemap_error *error)
{
    if (is_full(c->member_count) || !FM_GROW_SOME(c->proof->heap, c->members, c->member_capacity, c->member_count + 1))
        return fm_error_memory(error);
    *out = (uint32_t)c->member_count;
    c->members[c->member_count++] = *member;
    return FRAMEMAP_OK;
}

framemap_status fm_proof_classes_notes(struct fm_proof_classes *c, const struct fm_note *notes, size_t count,
                                       uint32_t *out, framemap_error *error)
{
    *out = FM_NONE;
    if (count == 0) return FRAMEMAP_OK;
    if (is_full(c->list_count) || !FM_GROW(c->proof->heap, c->lists, c->list_capacity, c->list_count + 1) ||
        !FM_GROW(c->proof->heap, c->notes, c->note_capacity, c->note_count + count))
        return fm_error_memory(error);
    *out = (uint32_t)c->list_count;
    c->lists[c->list_count++] = (struct fm_proof_notes){c->note_count, count};
    memcpy(c->notes + c->note_count, notes, count * sizeof *notes);
    c->note_count += count;
    return FRAMEMAP_OK;
}

/* --- adding class blocks --- */

framemap_status fm_proof_classes_class(struct fm_proof_classes *c, framemap_str residual, uint32_t original,
                                       uint32_t flags, framemap_error *error)
{
    uint32_t text;
    const framemap_status status = fm_proof_intern(c->proof, residual, &text, error);
    if (status != FRAMEMAP_OK) return status;
    if (!fm_record_set_add(&c->numbers, &text, &c->open) ||
        !FM_GROW(c->proof->heap, c->classes, c->class_capacity, c->numbers.count))
        return fm_error_memory(error);
    /* if the mapping has several blocks for a class, the last one replaces the earlier ones */
    c->classes[c->open] = (struct fm_proof_class){.residual = text,
                                                  .original = original,
                                                  .flags = flags,
                                                  .first_method = c->method_count,
                                                  .first_field = c->field_count};
    return FRAMEMAP_OK;
}

framemap_status fm_proof_classes_method(struct fm_proof_classes *c, framemap_str residual, const struct fm_span *spans,
                                        size_t count, framemap_error *error)
{
    uint32_t text;
    const framemap_status status = fm_proof_intern(c->proof, residual, &text, error);
    if (status != FRAMEMAP_OK) return status;
    if (!FM_GROW_SOME(c->proof->heap, c->methods, c->method_capacity, c->method_count + 1) ||
        !FM_GROW_SOME(c->proof->heap, c->spans, c->span_capacity, c->span_count + count))
        return fm_error_memory(error);
    c->methods[c->method_count++] = (struct fm_proof_method){text, c->span_count, count};
    memcpy(c->spans + c->span_count, spans, count * sizeof *spans);
    c->span_count += count;
    c->classes[c->open].method_count++;
    return FRAMEMAP_OK;
}

framemap_status fm_proof_classes_field(struct fm_proof_classes *c, framemap_str residual, uint32_t member,
                                       framemap_error *error)
{
    uint32_t text;
    const framemap_status status = fm_proof_intern(c->proof, residual, &text, error);
    if (status != FRAMEMAP_OK) return status;
    if (!FM_GROW_SOME(c->proof->heap, c->fields, c->field_capacity, c->field_count + 1)) return fm_error_memory(error);
    c->fields[c->field_count++] = (struct fm_proof_field){text, member};
    c->classes[c->open].field_count++;
    return FRAMEMAP_OK;
}

/* --- writing the texts of messages --- */

void fm_proof_put_member(struct fm_proof_classes *c, const struct fm_proof_class *owner, uint32_t member, int64_t line)
{
    struct fm_buf *place = &c->proof->place;
    fm_buf_str(place, fm_proof_text(c->proof, owner->residual));
    if (member != FM_NONE) {
        fm_buf_byte(place, '.');
        fm_buf_str(place, fm_proof_text(c->proof, member));
    }
    if (line > 0) {
        fm_buf_byte(place, ':');
        fm_buf_dec(place, (uint64_t)line);
    }
}
