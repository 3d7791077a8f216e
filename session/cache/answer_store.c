/* Implements answer_store.h. An item is a text or a record: its size as a varint, its bytes, and a NUL. */
#include "session/cache/answer_store.h"

#include "core/hash/hash.h"

enum {
    ITEM_MOST = FM_ANSWER_CHUNK / 4, /* maximum number of bytes of an item; longer items are not worth their memory */
    ITEM_TYPICAL = 96                /* assumed average size of an item: the tables have one cell for this many bytes */
};

static uint64_t hash_of(const struct fm_answer_store *store, const struct fm_answer_key *key)
{
    const uint64_t rest = fm_hash_word(key->address, store->seed) + key->tag;
    return fm_hash_text(fm_str((const char *)&key->stamp, sizeof key->stamp), rest);
}

struct fm_answer_store *fm_answer_store_new(struct fm_heap *heap, uint64_t most, uint64_t seed)
{
    struct fm_answer_store *store = fm_heap_zalloc(heap, 1, sizeof *store);
    if (store == NULL) return NULL;
    *store = (struct fm_answer_store){.heap = heap, .seed = seed, .capacity = 1};
    store->most =
        most < (uint64_t)FM_ANSWER_CHUNK * FM_ANSWER_CHUNKS ? (size_t)most : (size_t)FM_ANSWER_CHUNK * FM_ANSWER_CHUNKS;
    while (store->capacity < store->most / ITEM_TYPICAL) store->capacity *= 2;
    store->cells = fm_heap_zalloc(heap, store->capacity, sizeof *store->cells);
    store->texts = fm_heap_zalloc(heap, store->capacity, sizeof *store->texts);
    store->used = sizeof *store + store->capacity * (sizeof *store->cells + sizeof *store->texts);
    if (store->cells && store->texts) return store;
    fm_answer_store_free(store);
    return NULL;
}

void fm_answer_store_free(struct fm_answer_store *store)
{
    if (store == NULL) return;
    for (size_t i = 0; i < store->chunk_count; i++) fm_heap_free(store->heap, store->chunks[i], FM_ANSWER_CHUNK);
    if (store->cells)
        fm_heap_free(store->heap, (uint64_t *)(uintptr_t)store->cells, store->capacity * sizeof *store->cells);
    if (store->texts) fm_heap_free(store->heap, store->texts, store->capacity * sizeof *store->texts);
    fm_heap_free(store->heap, store, sizeof *store);
}

/* --- adding items, which are texts and records --- */

static framemap_str item_at(const struct fm_answer_store *store, uint32_t number)
{
    const unsigned char *at = store->chunks[number / FM_ANSWER_CHUNK] + number % FM_ANSWER_CHUNK;
    struct fm_wire wire = {at, at + FM_VARINT_MOST, false};
    uint64_t size = 0;
    fm_wire_varint(&wire, &size);
    return fm_str((const char *)wire.at, (size_t)size);
}

static bool add_chunk(struct fm_answer_store *store)
{
    if (store->chunk_count == FM_ANSWER_CHUNKS || store->most - store->used < FM_ANSWER_CHUNK) return false;
    unsigned char *chunk = fm_heap_resize(store->heap, NULL, 0, FM_ANSWER_CHUNK);
    if (chunk == NULL) return false;
    /* the first byte stays unused: items are numbered by offset, and number 0 means that there is no item */
    store->next = store->chunk_count == 0;
    store->chunks[store->chunk_count++] = chunk;
    store->used += FM_ANSWER_CHUNK;
    return true;
}

/* Appends an item and returns its number; 0: there is no room for it. */
static uint32_t add_item(struct fm_answer_store *store, framemap_str bytes)
{
    const size_t most = FM_VARINT_MOST + bytes.size + 1;
    if (bytes.size > ITEM_MOST) return 0;
    if ((store->chunk_count == 0 || FM_ANSWER_CHUNK - store->next < most) && !add_chunk(store)) {
        store->is_full = true;
        return 0;
    }
    unsigned char *const chunk = store->chunks[store->chunk_count - 1];
    const size_t begin = store->next;
    store->next += fm_wire_varint_bytes(bytes.size, chunk + store->next);
    memcpy(chunk + store->next, bytes.data, bytes.size);
    store->next += bytes.size;
    chunk[store->next++] = '\0';
    return (uint32_t)((store->chunk_count - 1) * FM_ANSWER_CHUNK + begin);
}

/* Whether a table with this many items can take another item and still be searched in few steps. */
static bool has_room(struct fm_answer_store *store, size_t count)
{
    if (count >= store->capacity / 4 * 3) store->is_full = true;
    return !store->is_full;
}

uint32_t fm_answer_store_text(struct fm_answer_store *store, framemap_str text)
{
    if (text.size == 0) return 0;
    size_t at = (size_t)fm_hash_text(text, store->seed) & (store->capacity - 1);
    for (; store->texts[at] != 0; at = (at + 1) & (store->capacity - 1))
        if (fm_str_equal(item_at(store, store->texts[at]), text)) return store->texts[at];
    if (!has_room(store, store->text_count)) return 0;
    const uint32_t number = add_item(store, text);
    if (number) {
        store->texts[at] = number;
        store->text_count++;
    }
    return number;
}

framemap_str fm_answer_store_text_at(const struct fm_answer_store *store, uint64_t number)
{
    return number ? item_at(store, (uint32_t)number) : (framemap_str){NULL, 0};
}

/* --- records --- */

void fm_answer_store_begin(struct fm_answer_store *store, const struct fm_answer_key *key, struct fm_buf *bytes)
{
    const uint32_t file = fm_answer_store_text(store, fm_str((const char *)&key->stamp, sizeof key->stamp));
    if (file == 0) bytes->failed = true;
    fm_wire_put_varint(bytes, file);
    fm_wire_put_varint(bytes, key->address);
    fm_wire_put_varint(bytes, key->tag);
}

void fm_answer_store_add(struct fm_answer_store *store, const struct fm_answer_key *key, const struct fm_buf *bytes)
{
    const uint64_t hash = hash_of(store, key);
    size_t at = (size_t)hash & (store->capacity - 1);
    if (bytes->failed || !has_room(store, store->record_count)) return;
    const uint32_t number = add_item(store, fm_buf_view(bytes));
    if (number == 0) return;
    while (atomic_load_explicit(&store->cells[at], memory_order_relaxed) != 0) at = (at + 1) & (store->capacity - 1);
    atomic_store_explicit(&store->cells[at], hash >> 32 << 32 | number, memory_order_release);
    store->record_count++;
}

/* Whether a record belongs to the key. *out: the bytes of the record after its key. */
static bool is_for(const struct fm_answer_store *store, uint32_t number, const struct fm_answer_key *key,
                   struct fm_wire *out)
{
    uint64_t file, address, tag;
    *out = fm_wire_of(item_at(store, number));
    if (!fm_wire_varint(out, &file) || !fm_wire_varint(out, &address) || !fm_wire_varint(out, &tag)) return false;
    if (address != key->address || tag != key->tag) return false;
    return fm_str_equal(item_at(store, (uint32_t)file), fm_str((const char *)&key->stamp, sizeof key->stamp));
}

bool fm_answer_store_find(const struct fm_answer_store *store, const struct fm_answer_key *key, struct fm_wire *out)
{
    const uint64_t hash = hash_of(store, key);
    for (size_t at = (size_t)hash & (store->capacity - 1);; at = (at + 1) & (store->capacity - 1)) {
        const uint64_t cell = atomic_load_explicit(&store->cells[at], memory_order_acquire);
        if (cell == 0) return false;
        if ((cell ^ hash) >> 32 == 0 && is_for(store, (uint32_t)cell, key, out)) return true;
    }
}
