/* Implements text_memo.h: divides the memory into parts, each with a lock, a ring buffer of texts and a set-associative
 * table that refers to it. The first thread that needs the cache allocates it. */
#include "core/text_memo.h"

#include "core/hash/hash.h"

#include <string.h>

enum { SETS = 64, WAYS = 8, ENTRY_ALIGNED = 8 };
#define RING_BYTES (FM_TEXT_MEMO_PART - (SETS * WAYS + 1) * sizeof(uint64_t))
#define ENTRY_MOST (RING_BYTES / 16)

/* A cell refers to an entry: the lower bits of the cell are the entry's offset, the upper bits a part of the hash of
 * its key. So a lookup reads hardly any entry but the right one. Offsets count all bytes that were ever added, so they
 * also show which entries have been overwritten. */
#define OFFSET_BITS 48u
#define OFFSET_MASK ((UINT64_C(1) << OFFSET_BITS) - 1)

struct fm_text_ring {
    uint64_t head; /* offset of the next entry, counted without wrapping at the ring's end */
    /* A set-associative table: the hash chooses a set, whose cells fill one line of the CPU's cache. 0: no entry. */
    uint64_t cells[SETS][WAYS];
    unsigned char bytes[RING_BYTES];
};
_Static_assert(sizeof(struct fm_text_ring) == FM_TEXT_MEMO_PART, "a ring fills its part");

struct entry {
    uint32_t key_size, value_size, tag, unused; /* The bytes of the key and of the value follow this struct. */
};

void fm_text_memo_init(struct fm_text_memo *memo, struct fm_heap *heap, uint64_t most)
{
    const uint64_t parts = most / FM_TEXT_MEMO_PART;
    memo->heap = heap;
    memo->part_count = (unsigned)(parts < FM_TEXT_MEMO_PARTS ? parts : FM_TEXT_MEMO_PARTS);
    atomic_init(&memo->used, 0);
    atomic_init(&memo->parts, NULL);
}

static void free_parts(struct fm_text_memo *memo, struct fm_text_memo_part *parts)
{
    for (unsigned i = 0; i < memo->part_count; i++) {
        fm_heap_free(memo->heap, parts[i].ring, sizeof *parts[i].ring);
        fm_mutex_destroy(&parts[i].lock);
    }
    fm_heap_free(memo->heap, parts, memo->part_count * sizeof *parts);
}

void fm_text_memo_free(struct fm_text_memo *memo)
{
    struct fm_text_memo_part *parts = atomic_load_explicit(&memo->parts, memory_order_acquire);
    if (parts) free_parts(memo, parts);
    atomic_store_explicit(&memo->parts, NULL, memory_order_release);
}

/* Returns the parts; the first thread that needs them allocates and publishes them. NULL: out of memory. */
static struct fm_text_memo_part *need_parts(struct fm_text_memo *memo)
{
    struct fm_text_memo_part *there = atomic_load_explicit(&memo->parts, memory_order_acquire), *made;
    if (there) return there;
    made = fm_heap_zalloc(memo->heap, memo->part_count, sizeof *made);
    if (made == NULL) return NULL;
    for (unsigned i = 0; i < memo->part_count; i++) fm_mutex_init(&made[i].lock);
    if (atomic_compare_exchange_strong_explicit(&memo->parts, &there, made, memory_order_acq_rel, memory_order_acquire))
        return made;
    free_parts(memo, made);
    return there;
}

static uint64_t hash_of(const struct fm_text_memo *memo, framemap_str key, unsigned tag)
{
    return fm_hash_text(key, fm_hash_key(memo) ^ tag);
}

static struct fm_text_memo_part *part_of(const struct fm_text_memo *memo, struct fm_text_memo_part *parts,
                                         uint64_t hash)
{
    return &parts[(uint32_t)hash % memo->part_count];
}

static unsigned set_of(uint64_t hash) { return (unsigned)(hash >> 32) % SETS; }

/* Returns the value of the entry that a cell refers to if the entry has this key, else NULL. */
static const unsigned char *value_at(const struct fm_text_ring *ring, uint64_t at, framemap_str key, unsigned tag,
                                     struct entry *entry)
{
    const unsigned char *bytes = ring->bytes + (size_t)(at % RING_BYTES);
    memcpy(entry, bytes, sizeof *entry);
    bytes += sizeof *entry;
    const bool same = entry->tag == tag && entry->key_size == key.size && memcmp(bytes, key.data, key.size) == 0;
    return same ? bytes + key.size : NULL;
}

/* Returns the value that is stored for a key; NULL: there is none. The caller holds the lock. */
static const unsigned char *find(const struct fm_text_ring *ring, uint64_t hash, framemap_str key, unsigned tag,
                                 struct entry *entry)
{
    const uint64_t *cells = ring->cells[set_of(hash)];
    for (unsigned i = 0; i < WAYS; i++) {
        const uint64_t at = cells[i] & OFFSET_MASK;
        /* skips a cell of a key with another hash, and a cell whose entry was overwritten */
        if ((cells[i] ^ hash) >> OFFSET_BITS != 0 || at < ring->head - RING_BYTES) continue;
        const unsigned char *value = value_at(ring, at, key, tag, entry);
        if (value) return value;
    }
    return NULL;
}

/* Returns the cell of a set whose entry was added first; entries that have been overwritten are older than all
 * others. */
static uint64_t *oldest_cell(struct fm_text_ring *ring, uint64_t hash)
{
    uint64_t *cells = ring->cells[set_of(hash)], *oldest = cells;
    for (unsigned i = 1; i < WAYS; i++)
        if ((cells[i] & OFFSET_MASK) < (*oldest & OFFSET_MASK)) oldest = &cells[i];
    return oldest;
}

bool fm_text_memo_get(struct fm_text_memo *memo, framemap_str key, unsigned tag, struct fm_arena *arena,
                      framemap_str *out)
{
    struct entry entry;
    char *copy = NULL;
    struct fm_text_memo_part *parts = memo ? atomic_load_explicit(&memo->parts, memory_order_acquire) : NULL;
    if (parts == NULL || key.size == 0) return false;
    const uint64_t hash = hash_of(memo, key, tag);
    struct fm_text_memo_part *part = part_of(memo, parts, hash);
    fm_mutex_lock(&part->lock);
    const unsigned char *value = part->ring ? find(part->ring, hash, key, tag, &entry) : NULL;
    if (value) copy = fm_arena_alloc(arena, entry.value_size);
    if (copy) memcpy(copy, value, entry.value_size);
    fm_mutex_unlock(&part->lock);
    if (copy) *out = (framemap_str){copy, entry.value_size};
    return copy != NULL;
}

static struct fm_text_ring *new_ring(struct fm_text_memo *memo)
{
    struct fm_text_ring *ring = fm_heap_resize(memo->heap, NULL, 0, sizeof *ring);
    if (ring == NULL) return NULL;
    memset(ring->cells, 0, sizeof ring->cells);
    /* an empty cell has the offset 0, which is so far below this head that it counts as overwritten */
    ring->head = 2 * RING_BYTES;
    atomic_fetch_add_explicit(&memo->used, sizeof *ring, memory_order_relaxed);
    return ring;
}

static void add(struct fm_text_ring *ring, uint64_t hash, const struct entry *entry, framemap_str key,
                framemap_str value)
{
    const size_t size = (sizeof *entry + key.size + value.size + ENTRY_ALIGNED - 1) & ~(size_t)(ENTRY_ALIGNED - 1);
    const size_t left = RING_BYTES - (size_t)(ring->head % RING_BYTES);
    /* an entry does not wrap around the ring's end: the rest of the ring is skipped */
    if (size > left) ring->head += left;
    unsigned char *to = ring->bytes + (size_t)(ring->head % RING_BYTES);
    memcpy(to, entry, sizeof *entry);
    memcpy(to + sizeof *entry, key.data, key.size);
    if (value.size) memcpy(to + sizeof *entry + key.size, value.data, value.size);
    *oldest_cell(ring, hash) = (hash & ~OFFSET_MASK) | ring->head;
    ring->head += size;
}

void fm_text_memo_put(struct fm_text_memo *memo, framemap_str key, unsigned tag, framemap_str value)
{
    struct entry there;
    if (memo == NULL || memo->part_count == 0 || key.size == 0) return;
    if (key.size > ENTRY_MOST || value.size > ENTRY_MOST) return;
    const struct entry entry = {(uint32_t)key.size, (uint32_t)value.size, tag, 0};
    struct fm_text_memo_part *parts = need_parts(memo);
    if (parts == NULL) return;
    const uint64_t hash = hash_of(memo, key, tag);
    struct fm_text_memo_part *part = part_of(memo, parts, hash);
    fm_mutex_lock(&part->lock);
    if (part->ring == NULL) part->ring = new_ring(memo);
    if (part->ring && find(part->ring, hash, key, tag, &there) == NULL) add(part->ring, hash, &entry, key, value);
    fm_mutex_unlock(&part->lock);
}
