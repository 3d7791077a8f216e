/* Sorts records of the class form by their strings. */
#include "index/write/model/builder_model.h"

static uint32_t record_string(const struct fm_keyed *keyed, size_t record)
{
    uint32_t string;
    memcpy(&string, (const char *)keyed->records + record * keyed->size + keyed->key_at, sizeof string);
    return string;
}

static framemap_str record_key(const struct fm_keyed *keyed, size_t record)
{
    return fm_string_pool_text(keyed->strings, record_string(keyed, record));
}

static int compare_record_keys(const void *context, uint32_t a, uint32_t b)
{
    return fm_str_compare(record_key(context, a), record_key(context, b));
}

/* Sorts records stably. *out: their `count` indexes in sorted order, allocated from the heap, to be freed by the
 * caller. */
static bool order_records(struct fm_heap *heap, const struct fm_keyed *keyed, size_t count, struct fm_sort_item **out)
{
    *out = fm_heap_zalloc(heap, count, sizeof **out);
    if (*out == NULL) return false;
    for (size_t i = 0; i < count; i++)
        (*out)[i] = (struct fm_sort_item){fm_sort_prefix(record_key(keyed, i)), 0, (uint32_t)i};
    return fm_sort(heap, *out, count, compare_record_keys, keyed);
}

uint32_t *fm_order_by_text(struct fm_heap *heap, const struct fm_keyed *keyed, size_t count)
{
    const size_t strings = keyed->strings->count;
    struct fm_sort_item *items = fm_heap_zalloc(heap, count, sizeof *items);
    uint32_t *order = fm_heap_zalloc(heap, count, sizeof *order),
             *records = fm_heap_resize(heap, NULL, 0, (strings + 1) * sizeof *records);
    bool ok = items != NULL && order != NULL && records != NULL;
    for (size_t i = 0; ok && i < count; i++) {
        items[i].id = record_string(keyed, i);
        records[items[i].id] = (uint32_t)i;
    }
    ok = ok && fm_sort_strings(heap, keyed->strings, items, count);
    for (size_t i = 0; ok && i < count; i++) order[i] = records[items[i].id];
    fm_heap_free(heap, items, count * sizeof *items);
    fm_heap_free(heap, records, (strings + 1) * sizeof *records);
    if (ok) return order;
    fm_heap_free(heap, order, count * sizeof *order);
    return NULL;
}

/* Whether records are sorted already, as in most classes. once: records with equal strings do not count as sorted. */
static bool are_in_order(const struct fm_keyed *keyed, size_t count, bool once)
{
    uint64_t before = count > 0 ? fm_sort_prefix(record_key(keyed, 0)) : 0;
    for (size_t i = 1; i < count; i++) {
        const uint64_t key = fm_sort_prefix(record_key(keyed, i));
        if (key < before) return false;
        if (key == before && compare_record_keys(keyed, (uint32_t)i - 1, (uint32_t)i) >= (once ? 0 : 1)) return false;
        before = key;
    }
    return true;
}

/* Copies a record of a few words without a call. */
static inline void copy_record(void *to, const void *from, size_t size)
{
    for (size_t at = 0; at < size; at += sizeof(uint64_t))
        memcpy((char *)to + at, (const char *)from + at, sizeof(uint64_t));
}
_Static_assert(sizeof(struct fm_method_record) % 8 == 0 && sizeof(struct fm_field_record) % 8 == 0, "records of words");

#define FEW 32u /* maximum number of records that are sorted by insertion */

/* Sorts a few records in place if their strings differ in the first eight bytes, as short names do. false: nothing was
 * moved, because two strings have the same first eight bytes or there are too many records. */
static bool sort_few(void *records, size_t count, const struct fm_keyed *keyed)
{
    uint64_t keys[FEW];
    unsigned char order[FEW], copy[FEW * sizeof(struct fm_method_record)];
    if (count > FEW || keyed->size > sizeof(struct fm_method_record)) return false;
    for (size_t i = 0; i < count; i++) {
        const uint64_t key = fm_sort_prefix(record_key(keyed, i));
        size_t at = i;
        for (; at > 0 && keys[at - 1] > key; at--) {
            keys[at] = keys[at - 1];
            order[at] = order[at - 1];
        }
        if (at > 0 && keys[at - 1] == key) return false;
        keys[at] = key;
        order[at] = (unsigned char)i;
    }
    memcpy(copy, records, count * keyed->size);
    for (size_t i = 0; i < count; i++)
        copy_record((char *)records + i * keyed->size, copy + order[i] * keyed->size, keyed->size);
    return true;
}

/* Sorts a class's methods or fields in place. Error: ARGUMENT for a duplicate key if `once`. */
static framemap_status sort_records(struct fm_heap *heap, void *records, size_t count, const struct fm_keyed *keyed,
                                    bool once)
{
    struct fm_sort_item *items;
    char *copy = NULL;
    if (are_in_order(keyed, count, once) || sort_few(records, count, keyed)) return FRAMEMAP_OK;
    framemap_status status = FRAMEMAP_OK;
    if (!order_records(heap, keyed, count, &items) ||
        (copy = fm_heap_resize(heap, NULL, 0, count * keyed->size)) == NULL)
        status = FRAMEMAP_E_MEMORY;
    for (size_t i = 1; once && status == FRAMEMAP_OK && i < count; i++)
        if (items[i].key == items[i - 1].key && compare_record_keys(keyed, items[i - 1].id, items[i].id) == 0)
            status = FRAMEMAP_E_ARGUMENT;
    if (status == FRAMEMAP_OK) {
        memcpy(copy, records, count * keyed->size);
        for (size_t i = 0; i < count; i++)
            copy_record((char *)records + i * keyed->size, copy + items[i].id * keyed->size, keyed->size);
    }
    fm_heap_free(heap, copy, count * keyed->size);
    fm_heap_free(heap, items, count * sizeof *items);
    return status;
}

framemap_status fm_sort_class(struct fm_heap *heap, const struct fm_string_pool *strings,
                              const struct fm_class_part *part, const struct fm_class_record *class)
{
    struct fm_method_record *methods = class->method_count ? part->methods + class->first_method : NULL;
    struct fm_field_record *fields = class->field_count ? part->fields + class->first_field : NULL;
    const struct fm_keyed method_keys = {strings, methods, sizeof *methods, offsetof(struct fm_method_record, name)},
                          field_keys = {strings, fields, sizeof *fields, offsetof(struct fm_field_record, name)};
    framemap_status status = sort_records(heap, methods, class->method_count, &method_keys, true);
    return status == FRAMEMAP_OK ? sort_records(heap, fields, class->field_count, &field_keys, false) : status;
}
