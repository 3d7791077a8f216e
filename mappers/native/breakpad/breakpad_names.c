/* Gives ids to numbers, by a hash table, and by an array for low numbers. See breakpad_names.h. */
#include "mappers/native/breakpad/breakpad_names.h"

void fm_breakpad_names_init(struct fm_breakpad_names *names, struct fm_heap *heap)
{
    *names = (struct fm_breakpad_names){.heap = heap, .key = fm_hash_key(names)};
    fm_table_init(&names->table, heap);
}

void fm_breakpad_names_free(struct fm_breakpad_names *names)
{
    fm_heap_free(names->heap, names->items, names->capacity * sizeof *names->items);
    fm_heap_free(names->heap, names->direct, names->direct_capacity * sizeof *names->direct);
    fm_table_free(&names->table);
}

static bool number_equal(const void *context, uint32_t id, const void *key)
{
    const struct fm_breakpad_name *items = context;
    const uint32_t *number = key;
    return items[id].number == *number;
}

/* Adds a number that is not in the table, and makes room in `direct` for twice as many numbers as there are. */
static bool add_number(struct fm_breakpad_names *names, uint32_t number, uint64_t hash, uint32_t *id)
{
    enum { LEAST = 256 };
    if (names->count >= UINT32_MAX - 1 || !FM_GROW(names->heap, names->items, names->capacity, names->count + 1))
        return false;
    const size_t wanted = 2 * names->count + LEAST;
    if (!FM_GROW(names->heap, names->direct, names->direct_capacity, wanted)) return false;
    while (names->direct_count < names->direct_capacity) names->direct[names->direct_count++] = 0;
    *id = (uint32_t)names->count;
    names->items[names->count++] = (struct fm_breakpad_name){.number = number, .batch = UINT32_MAX};
    return fm_table_add(&names->table, hash, *id);
}

bool fm_breakpad_names_find(struct fm_breakpad_names *names, uint32_t number, uint32_t *id)
{
    const uint64_t hash = fm_hash_word(number, names->key);
    *id = fm_table_find(&names->table, hash, number_equal, names->items, &number);
    if (*id == UINT32_MAX && !add_number(names, number, hash, id)) return false;
    if (number < names->direct_count) names->direct[number] = *id + 1;
    return true;
}

bool fm_breakpad_names_declare(struct fm_breakpad_names *names, uint32_t number, framemap_str text)
{
    uint32_t id;
    if (!fm_breakpad_names_id(names, number, &id)) return false;
    names->items[id].declared = true;
    names->items[id].text = text;
    return true;
}

size_t fm_breakpad_names_missing(const struct fm_breakpad_names *names)
{
    size_t missing = 0;
    for (size_t i = 0; i < names->count; i++) missing += !names->items[i].declared;
    return missing;
}
