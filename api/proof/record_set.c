/* Sets of records and of texts. See record_set.h. */
#include "api/proof/record_set.h"

static bool is_full(size_t count) { return count >= UINT32_MAX - 2; }

/* --- numbering records --- */

void fm_record_set_init(struct fm_record_set *set, struct fm_heap *heap, size_t size)
{
    *set = (struct fm_record_set){.size = size, .key = fm_hash_key(set)};
    fm_table_init(&set->table, heap);
}

void fm_record_set_free(struct fm_record_set *set)
{
    struct fm_heap *heap = set->table.heap;
    fm_heap_free(heap, set->records, set->capacity * set->size);
    fm_table_free(&set->table);
}

static bool record_equal(const void *context, uint32_t id, const void *key)
{
    const struct fm_record_set *set = context;
    return memcmp(fm_record_set_at(set, id), key, set->size) == 0;
}

bool fm_record_set_add(struct fm_record_set *set, const void *record, uint32_t *out)
{
    const uint64_t hash = fm_hash_text(fm_str(record, set->size), set->key);
    *out = fm_table_find(&set->table, hash, record_equal, set, record);
    if (*out != UINT32_MAX) return true;
    if (is_full(set->count)) return false;
    if (set->count == set->capacity &&
        !fm_heap_grow_some(set->table.heap, &set->records, &set->capacity, set->count + 1, set->size))
        return false;
    if (!fm_table_add(&set->table, hash, (uint32_t)set->count)) return false;
    memcpy(set->records + set->count * set->size, record, set->size);
    *out = (uint32_t)set->count++;
    return true;
}

/* --- numbering texts --- */

void fm_text_set_init(struct fm_text_set *set, struct fm_heap *heap)
{
    *set = (struct fm_text_set){.key = fm_hash_key(set)};
    fm_table_init(&set->table, heap);
}

void fm_text_set_free(struct fm_text_set *set)
{
    struct fm_heap *heap = set->table.heap;
    fm_heap_free(heap, set->bytes, set->bytes_capacity);
    fm_heap_free(heap, set->ends, set->capacity * sizeof *set->ends);
    fm_table_free(&set->table);
}

framemap_str fm_text_set_at(const struct fm_text_set *set, uint32_t number)
{
    if (number == UINT32_MAX) return (framemap_str){NULL, 0};
    const size_t from = number == 0 ? 0 : set->ends[number - 1];
    return fm_str(set->bytes + from, set->ends[number] - from);
}

static bool text_equal(const void *context, uint32_t id, const void *key)
{
    return fm_str_equal(fm_text_set_at(context, id), *(const framemap_str *)key);
}

bool fm_text_set_add(struct fm_text_set *set, framemap_str text, uint32_t *out)
{
    struct fm_heap *heap = set->table.heap;
    const uint64_t hash = fm_hash_text(text, set->key);
    *out = fm_table_find(&set->table, hash, text_equal, set, &text);
    if (*out != UINT32_MAX) return true;
    if (is_full(set->count) || text.size > SIZE_MAX / 2 - set->used) return false;
    if (!FM_GROW(heap, set->ends, set->capacity, set->count + 1) ||
        !FM_GROW_SOME(heap, set->bytes, set->bytes_capacity, set->used + text.size + 1) ||
        !fm_table_add(&set->table, hash, (uint32_t)set->count))
        return false;
    if (text.size > 0) memcpy(set->bytes + set->used, text.data, text.size);
    set->used += text.size;
    set->ends[set->count] = set->used;
    *out = (uint32_t)set->count++;
    return true;
}
