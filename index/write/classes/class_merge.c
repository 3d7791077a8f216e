/* Joins shards of the class form: adds the records of a shard's builder to the whole builder in the order of their
 * calls. Every kind of record is numbered by first occurrence, both in a shard and in the whole builder, so the result
 * is the same as if all records had been added to the whole builder one by one. */
#include "core/error.h"
#include "index/write/model/builder_model.h"

#define AHEAD ((size_t)8)       /* how many names or classes ahead of the current one are prefetched */
#define SPAN_BYTES ((size_t)18) /* a packed span usually has at most this many bytes */

/* The numbers that records of one kind have in the whole builder: of[n] belongs to record n of the shard, which is the
 * part of a mapping that one thread reads. */
struct shard_numbers {
    uint32_t *of;
    size_t capacity;
};
struct fm_class_shard {
    struct fm_heap *heap;
    struct fm_builder *whole, *own;
    struct shard_numbers strings, names, members, lists;
    uint64_t *hashes; /* hashes of the shard's strings, indexed by the number of the string */
    struct fm_note *notes;
    size_t hash_capacity, note_capacity;
    struct fm_class_part *part; /* the part of the whole builder that receives the packed spans of every join of this
                                   shard; NULL: none yet */
    uint32_t part_number;
};

framemap_status fm_class_shard_create(struct fm_builder *whole, struct fm_class_shard **out, framemap_error *error)
{
    struct fm_heap *heap = whole->heap;
    if (whole->sink != NULL) return fm_error_set(error, FRAMEMAP_E_ARGUMENT, "a receiver gets no shards");
    struct fm_class_shard *shard = fm_heap_zalloc(heap, 1, sizeof *shard);
    if (shard == NULL) return fm_error_memory(error);
    shard->heap = heap;
    shard->whole = whole;
    if (fm_builder_create(heap, &shard->own, error) != FRAMEMAP_OK) {
        fm_heap_free(heap, shard, sizeof *shard);
        return FRAMEMAP_E_MEMORY;
    }
    /* the string pools of the shard and of the whole builder use one key, so that hashes of the shard are valid in
     * both */
    shard->own->strings.key = whole->strings.key;
    shard->own->classes.apart = true;
    *out = shard;
    return FRAMEMAP_OK;
}

static void free_numbers(struct fm_class_shard *shard, struct shard_numbers *numbers)
{
    fm_heap_free(shard->heap, numbers->of, numbers->capacity * sizeof *numbers->of);
}

void fm_class_shard_free(struct fm_class_shard *shard)
{
    if (shard == NULL) return;
    struct fm_heap *heap = shard->heap;
    fm_builder_free(shard->own);
    free_numbers(shard, &shard->strings);
    free_numbers(shard, &shard->names);
    free_numbers(shard, &shard->members);
    free_numbers(shard, &shard->lists);
    fm_heap_free(heap, shard->hashes, shard->hash_capacity * sizeof *shard->hashes);
    fm_heap_free(heap, shard->notes, shard->note_capacity * sizeof *shard->notes);
    fm_heap_free(heap, shard, sizeof *shard);
}

struct fm_builder *fm_class_shard_builder(struct fm_class_shard *shard) { return shard->own; }

void fm_class_shard_clear(struct fm_class_shard *shard)
{
    struct fm_builder *own = shard->own;
    struct fm_class_form *form = &own->classes;
    fm_string_pool_clear(&own->strings);
    fm_table_clear(&form->name_table);
    fm_table_clear(&form->member_table);
    fm_table_clear(&form->list_table);
    fm_table_clear(&form->class_table);
    own->attribute_count = 0;
    form->name_count = form->member_count = form->note_count = form->list_count = form->class_count = form->raw_count =
        0;
    form->own.method_count = form->own.field_count = 0;
    form->open = form->owner = FM_NONE;
}

/* --- translating the shard's numbers --- */

static uint32_t number_of(const struct shard_numbers *numbers, uint32_t own)
{
    return own == FM_NONE ? FM_NONE : numbers->of[own];
}

static bool room(struct fm_class_shard *shard, struct shard_numbers *numbers, size_t count)
{
    return FM_GROW(shard->heap, numbers->of, numbers->capacity, count);
}

/* Prepares the join of a shard: collects the hash of each string from the slots of the string table. A slot has only
 * the upper half of a hash, which is all that tables compare. */
framemap_status fm_class_shard_ready(struct fm_class_shard *shard, framemap_error *error)
{
    const struct fm_string_pool *strings = &shard->own->strings;
    if (!FM_GROW(shard->heap, shard->hashes, shard->hash_capacity, strings->count)) return fm_error_memory(error);
    for (size_t i = 0; i < strings->table.capacity; i++) {
        const uint64_t slot = strings->table.slots[i];
        if (slot != 0) shard->hashes[(uint32_t)slot - 1] = slot >> 32 << 32;
    }
    return FRAMEMAP_OK;
}

static framemap_status join_strings(struct fm_class_shard *shard, framemap_error *error)
{
    const struct fm_string_pool *strings = &shard->own->strings;
    if (!room(shard, &shard->strings, strings->count)) return fm_error_memory(error);
    return fm_string_pool_add_pool(&shard->whole->strings, strings, shard->hashes, shard->strings.of, error);
}

static framemap_status join_names(struct fm_class_shard *shard, framemap_error *error)
{
    const struct fm_class_form *form = &shard->own->classes;
    framemap_status status = FRAMEMAP_OK;
    if (!room(shard, &shard->names, form->name_count)) return fm_error_memory(error);
    for (size_t i = 0; i < form->name_count && status == FRAMEMAP_OK; i++) {
        const struct fm_name_record *name = &form->names[i];
        if (i + AHEAD < form->name_count)
            fm_class_name_hint(&shard->whole->classes, shard->strings.of[name[AHEAD].text]);
        status = fm_class_name(shard->whole, shard->strings.of[name->text], &shard->names.of[i], error);
        if (status == FRAMEMAP_OK && name->source != FM_NONE)
            shard->whole->classes.names[shard->names.of[i]].source = shard->strings.of[name->source];
    }
    return status;
}

static framemap_status join_members(struct fm_class_shard *shard, framemap_error *error)
{
    const struct fm_class_form *form = &shard->own->classes;
    struct fm_member members[FM_MEMBERS_MOST];
    framemap_status status = FRAMEMAP_OK;
    shard->whole->classes.owner = FM_NONE;
    if (!room(shard, &shard->members, form->member_count)) return fm_error_memory(error);
    for (size_t at = 0; at < form->member_count && status == FRAMEMAP_OK; at += FM_MEMBERS_MOST) {
        const size_t count = form->member_count - at < FM_MEMBERS_MOST ? form->member_count - at : FM_MEMBERS_MOST;
        uint64_t own = 0;
        for (size_t i = 0; i < count; i++) {
            const struct fm_member *member = &form->members[at + i];
            const struct fm_name_record *holder = &form->names[member->holder];
            own |= (uint64_t)(at + i >= holder->first && at + i < holder->end) << i;
            members[i] = (struct fm_member){shard->names.of[member->holder], shard->strings.of[member->name],
                                            number_of(&shard->strings, member->type),
                                            number_of(&shard->strings, member->arguments)};
        }
        status = fm_builder_members(shard->whole, members, count, own, shard->members.of + at, error);
    }
    return status;
}

static framemap_status join_lists(struct fm_class_shard *shard, framemap_error *error)
{
    const struct fm_class_form *form = &shard->own->classes;
    framemap_status status = FRAMEMAP_OK;
    if (!room(shard, &shard->lists, form->list_count)) return fm_error_memory(error);
    for (size_t i = 0; i < form->list_count && status == FRAMEMAP_OK; i++) {
        const struct fm_list_record *list = &form->lists[i];
        if (!FM_GROW(shard->heap, shard->notes, shard->note_capacity, list->count)) return fm_error_memory(error);
        memcpy(shard->notes, form->notes + list->first, list->count * sizeof *shard->notes);
        for (size_t n = 0; n < list->count; n++)
            shard->notes[n].text = number_of(&shard->strings, shard->notes[n].text);
        status = fm_builder_notes(shard->whole, shard->notes, list->count, &shard->lists.of[i], error);
    }
    return status;
}

/* --- joining the classes of a shard --- */

/* Adds a part to the whole index for the packed spans of this shard, unless the shard has one already. A shard may be
 * filled and joined several times, and keeps its part: a new block of memory would cost about as much as filling it. */
static framemap_status add_shard_part(struct fm_class_shard *shard, framemap_error *error)
{
    struct fm_class_form *form = &shard->whole->classes;
    if (shard->part != NULL) return FRAMEMAP_OK;
    if (!FM_GROW(shard->heap, form->parts, form->part_capacity, form->part_count + 1)) return fm_error_memory(error);
    shard->part = fm_heap_zalloc(shard->heap, 1, sizeof *shard->part);
    if (shard->part == NULL) return fm_error_memory(error);
    form->parts[form->part_count++] = shard->part;
    shard->part_number = (uint32_t)form->part_count;
    return form->part_count < UINT32_MAX ? FRAMEMAP_OK
                                         : fm_error_set(error, FRAMEMAP_E_LIMIT, "more than 4 billion shards");
}

static framemap_status join_classes(struct fm_class_shard *shard, framemap_error *error)
{
    const struct fm_class_form *own = &shard->own->classes;
    struct fm_class_form *form = &shard->whole->classes;
    const struct fm_class_part *part = shard->part;
    framemap_status status = FRAMEMAP_OK;
    if (own->own.method_count >= UINT32_MAX - part->method_count ||
        own->own.field_count >= UINT32_MAX - part->field_count)
        return fm_error_set(error, FRAMEMAP_E_LIMIT, "more than 4 billion methods or fields");
    for (size_t i = 0; i < own->class_count && status == FRAMEMAP_OK; i++) {
        struct fm_class_record class = own->classes[i];
        uint32_t number;
        if (i + AHEAD < own->class_count)
            fm_class_number_hint(form, shard->strings.of[own->classes[i + AHEAD].residual]);
        class.residual = shard->strings.of[class.residual];
        class.name = shard->names.of[class.name];
        class.part = shard->part_number;
        /* when the shard is packed, its methods are appended to those of its earlier joins, whose number is therefore
         * added to the index of the class's first method */
        class.first_method += (uint32_t)part->method_count;
        class.first_field += (uint32_t)part->field_count;
        /* counts as sorted at first; packing the methods of the class clears this flag if they are not sorted */
        class.is_sorted = true;
        status = fm_class_number(shard->whole, class.residual, &number, error);
        if (status == FRAMEMAP_OK) form->classes[number] = class;
    }
    form->open = FM_NONE;
    return status;
}

framemap_status fm_class_shard_join(struct fm_class_shard *shard, framemap_error *error)
{
    framemap_status status = join_strings(shard, error);
    if (status == FRAMEMAP_OK) status = join_names(shard, error);
    if (status == FRAMEMAP_OK) status = join_members(shard, error);
    if (status == FRAMEMAP_OK) status = join_lists(shard, error);
    if (status == FRAMEMAP_OK) status = add_shard_part(shard, error);
    return status == FRAMEMAP_OK ? join_classes(shard, error) : status;
}

/* --- packing the spans of a shard --- */

static framemap_status pack_method(struct fm_class_shard *shard, struct fm_method_record *method, framemap_error *error)
{
    struct fm_span *spans = shard->own->classes.raw + method->at;
    const size_t count = method->size, at = shard->part->span_size;
    for (size_t i = 0; i < count; i++) {
        struct fm_span *span = &spans[i];
        span->member = shard->members.of[span->member];
        if (i == 0 || (span->flags & FM_SPAN_PART) != 0) span->entry = shard->members.of[span->entry];
        span->notes = number_of(&shard->lists, span->notes);
    }
    framemap_status status = fm_encode_spans(shard->own, shard->part, spans, count, error);
    *method = (struct fm_method_record){at, (uint32_t)(shard->part->span_size - at), shard->strings.of[method->name]};
    return status;
}

/* Reserves room for all that will be packed from this shard, estimated from its first contents. If memory is short now,
 * it is requested again when it is needed. */
static void expect_packed(struct fm_class_shard *shard)
{
    const struct fm_class_part *own = &shard->own->classes.own;
    struct fm_class_part *part = shard->part;
    const size_t times = shard->whole->classes.expected_parts / shard->whole->threads + 1,
                 span_bytes = shard->own->classes.raw_count * SPAN_BYTES;
    if (part->method_capacity > 0 || part->field_capacity > 0) return;
    if (fm_class_may_expect(shard->heap, own->method_count, sizeof *part->methods, times))
        (void)FM_GROW_BIG(shard->heap, part->methods, part->method_capacity, own->method_count * times);
    if (fm_class_may_expect(shard->heap, own->field_count, sizeof *part->fields, times))
        (void)FM_GROW_BIG(shard->heap, part->fields, part->field_capacity, own->field_count * times);
    if (fm_class_may_expect(shard->heap, span_bytes, 1, times))
        (void)FM_GROW_BIG(shard->heap, part->span_bytes, part->span_capacity, span_bytes * times);
}

/* Appends the methods and fields that the shard has now to those of its earlier joins. */
static framemap_status hand_over(struct fm_class_shard *shard, framemap_error *error)
{
    const struct fm_class_part *own = &shard->own->classes.own;
    struct fm_class_part *part = shard->part;
    if (!FM_GROW_BIG(shard->heap, part->methods, part->method_capacity, part->method_count + own->method_count) ||
        !FM_GROW_BIG(shard->heap, part->fields, part->field_capacity, part->field_count + own->field_count))
        return fm_error_memory(error);
    if (own->method_count > 0)
        memcpy(part->methods + part->method_count, own->methods, own->method_count * sizeof *part->methods);
    if (own->field_count > 0)
        memcpy(part->fields + part->field_count, own->fields, own->field_count * sizeof *part->fields);
    part->method_count += own->method_count;
    part->field_count += own->field_count;
    return FRAMEMAP_OK;
}

framemap_status fm_class_shard_pack(struct fm_class_shard *shard, framemap_error *error)
{
    const struct fm_class_form *form = &shard->own->classes;
    struct fm_class_part *own = &shard->own->classes.own;
    framemap_status status = FRAMEMAP_OK;
    expect_packed(shard);
    for (size_t i = 0; i < form->class_count && status == FRAMEMAP_OK; i++)
        status = fm_sort_class(shard->heap, &shard->own->strings, own, &form->classes[i]);
    if (status == FRAMEMAP_E_ARGUMENT) return fm_error_set(error, status, FM_METHOD_TWICE);
    if (status != FRAMEMAP_OK) return fm_error_memory(error);
    for (size_t i = 0; i < own->method_count && status == FRAMEMAP_OK; i++)
        status = pack_method(shard, &own->methods[i], error);
    for (size_t i = 0; i < own->field_count; i++) {
        own->fields[i].name = shard->strings.of[own->fields[i].name];
        own->fields[i].member = shard->members.of[own->fields[i].member];
    }
    return status == FRAMEMAP_OK ? hand_over(shard, error) : status;
}
