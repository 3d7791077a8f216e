/* Stores the lines, names and residual signatures of one class block, and finds them by hash. See r8_block_model.h. */
#include "mappers/java/r8_block_model.h"

#include "core/hash/hash.h"

#define FIRST_SLOTS ((size_t)256)

void fm_r8_block_init(struct fm_r8_block *block, struct fm_heap *heap, struct fm_builder *builder,
                      struct fm_r8_signatures *signatures)
{
    *block =
        (struct fm_r8_block){.heap = heap, .builder = builder, .signatures = signatures, .key = fm_hash_key(block)};
}

void fm_r8_block_free(struct fm_r8_block *b)
{
    fm_heap_free(b->heap, b->spans, b->span_capacity * sizeof *b->spans);
    fm_heap_free(b->heap, b->names, b->name_capacity * sizeof *b->names);
    fm_heap_free(b->heap, b->keys, b->key_capacity * sizeof *b->keys);
    fm_heap_free(b->heap, b->fields, b->field_capacity * sizeof *b->fields);
    fm_heap_free(b->heap, b->out, b->out_capacity * sizeof *b->out);
    fm_heap_free(b->heap, b->notes, b->note_capacity * sizeof *b->notes);
    fm_heap_free(b->heap, b->name_index.slots, b->name_index.capacity * sizeof *b->name_index.slots);
    fm_heap_free(b->heap, b->key_index.slots, b->key_index.capacity * sizeof *b->key_index.slots);
}

/* --- finding names and residual signatures by hash --- */

static void index_put(struct fm_r8_index *index, uint32_t stamp, uint64_t hash, uint32_t number)
{
    size_t at = (size_t)hash;
    while (index->slots[at & (index->count - 1)].stamp == stamp) at++;
    index->slots[at & (index->count - 1)] = (struct fm_r8_slot){stamp, number};
}

/* Hashes a name. Most names fit one word, which is hashed faster. */
static uint64_t name_hash(const struct fm_r8_block *b, framemap_str text, uint64_t word)
{
    return word != 0 ? fm_hash_word(word, b->key) : fm_hash_text(text, b->key);
}

static uint64_t key_hash(const struct fm_r8_block *b, const struct fm_r8_key *key)
{
    uint64_t hash = (((uint64_t)key->type << 32 | key->arguments) ^ b->key) * UINT64_C(0x9E3779B185EBCA87) + key->name;
    hash = (hash ^ hash >> 29) * UINT64_C(0xC2B2AE3D27D4EB4F);
    return hash ^ hash >> 32;
}

/* Gives a table `count` slots, all empty. */
static bool empty_slots(struct fm_heap *heap, struct fm_r8_index *index, size_t count)
{
    if (count <= index->capacity) {
        memset(index->slots, 0, count * sizeof *index->slots);
        index->count = count;
        return true;
    }
    struct fm_r8_slot *fresh = fm_heap_zalloc(heap, count, sizeof *fresh);
    if (fresh == NULL) return false;
    fm_heap_free(heap, index->slots, index->capacity * sizeof *index->slots);
    *index = (struct fm_r8_index){fresh, count, count};
    return true;
}

static bool make_index_room(struct fm_r8_block *b, struct fm_r8_index *index, size_t used)
{
    if (!empty_slots(b->heap, index, index->count ? index->count * 2 : FIRST_SLOTS)) return false;
    for (size_t i = 0; i < used; i++) {
        const uint64_t hash =
            index == &b->name_index ? name_hash(b, b->names[i].text, b->names[i].word) : key_hash(b, &b->keys[i]);
        index_put(index, b->stamp, hash, (uint32_t)i);
    }
    return true;
}

static inline bool index_room(struct fm_r8_block *b, struct fm_r8_index *index, size_t used)
{
    return (used + 1) * 2 <= index->count || make_index_room(b, index, used);
}

static inline bool is_name(const struct fm_r8_name *name, framemap_str text, uint64_t word)
{
    return name->word == word && (word != 0 || fm_str_equal(name->text, text));
}

uint32_t fm_r8_block_find_name(struct fm_r8_block *b, framemap_str text)
{
    const uint32_t last = b->previous.there ? b->previous.name : FM_NONE;
    const uint64_t word = fm_str_word(text);
    if (last != FM_NONE && is_name(&b->names[last], text, word)) return last;
    const uint64_t hash = name_hash(b, text, word);
    if (!index_room(b, &b->name_index, b->name_count)) return FM_NONE;
    for (size_t at = (size_t)hash;; at++) {
        const struct fm_r8_slot *slot = &b->name_index.slots[at & (b->name_index.count - 1)];
        if (slot->stamp != b->stamp) break;
        if (is_name(&b->names[slot->number], text, word)) return slot->number;
    }
    if (b->name_count >= FM_NONE || !FM_GROW(b->heap, b->names, b->name_capacity, b->name_count + 1)) return FM_NONE;
    b->names[b->name_count] = (struct fm_r8_name){text, word, FM_NONE, FM_NONE, 0};
    index_put(&b->name_index, b->stamp, hash, (uint32_t)b->name_count);
    return (uint32_t)b->name_count++;
}

uint32_t fm_r8_block_key(struct fm_r8_block *b, uint32_t name, uint32_t type, uint32_t arguments, bool add)
{
    const struct fm_r8_key key = {name, type, arguments, FM_NONE, false, false};
    const uint64_t hash = key_hash(b, &key);
    if (add && !index_room(b, &b->key_index, b->key_count)) return FM_NONE;
    if (b->key_index.count == 0) return FM_NONE;
    for (size_t at = (size_t)hash;; at++) {
        const struct fm_r8_slot *slot = &b->key_index.slots[at & (b->key_index.count - 1)];
        if (slot->stamp != b->stamp) break;
        const struct fm_r8_key *known = &b->keys[slot->number];
        if (known->name == name && known->type == type && known->arguments == arguments) return slot->number;
    }
    if (!add || b->key_count >= FM_NONE || !FM_GROW(b->heap, b->keys, b->key_capacity, b->key_count + 1))
        return FM_NONE;
    b->keys[b->key_count] = key;
    index_put(&b->key_index, b->stamp, hash, (uint32_t)b->key_count);
    return (uint32_t)b->key_count++;
}

uint32_t fm_r8_block_own_key(struct fm_r8_block *b, uint32_t name, uint32_t signature, bool add)
{
    const struct fm_r8_signature *s = &b->signatures->all[signature];
    return fm_r8_block_key(b, name, s->type, s->arguments, add);
}

/* Starts a block with a new stamp. When all 2^32 stamps are used up, the tables are cleared. */
static void new_stamp(struct fm_r8_block *b)
{
    if (b->name_index.capacity > 0) b->name_index.count = FIRST_SLOTS;
    if (b->key_index.capacity > 0) b->key_index.count = FIRST_SLOTS;
    if (++b->stamp != 0) return;
    if (b->name_index.capacity) memset(b->name_index.slots, 0, b->name_index.capacity * sizeof *b->name_index.slots);
    if (b->key_index.capacity) memset(b->key_index.slots, 0, b->key_index.capacity * sizeof *b->key_index.slots);
    b->stamp = 1;
}

void fm_r8_block_clear(struct fm_r8_block *b)
{
    new_stamp(b);
    b->span_count = b->name_count = b->key_count = b->field_count = b->note_count = 0;
}
