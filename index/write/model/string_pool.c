/* Interning of strings, in batches where possible. See string_pool.h. */
#include "index/write/model/string_pool.h"
#include "core/cpu.h"
#include "core/error.h"

void fm_string_pool_init(struct fm_string_pool *pool, struct fm_heap *heap)
{
    *pool = (struct fm_string_pool){.key = fm_hash_key(pool)};
    fm_table_init(&pool->table, heap);
}

void fm_string_pool_drop_bytes(struct fm_string_pool *pool)
{
    (pool->becomes_big ? fm_heap_free_big : fm_heap_free)(pool->table.heap, pool->bytes, pool->bytes_capacity);
    pool->bytes = NULL;
    pool->bytes_capacity = 0;
}

void fm_string_pool_free(struct fm_string_pool *pool)
{
    struct fm_heap *heap = pool->table.heap;
    fm_heap_free(heap, pool->ends, pool->capacity * sizeof *pool->ends);
    fm_string_pool_drop_bytes(pool);
    fm_table_free(&pool->table);
    fm_string_pool_init(pool, heap);
}

void fm_string_pool_clear(struct fm_string_pool *pool)
{
    fm_table_clear(&pool->table);
    pool->size = pool->count = 0;
}

static bool equal(const void *context, uint32_t id, const void *key)
{
    const framemap_str *text = key;
    return fm_str_same(fm_string_pool_text(context, id), *text);
}

#define STEP ((size_t)16) /* bytes copied in one step; this many are reserved after the last string */

static bool pool_reserve(struct fm_string_pool *pool, size_t size, size_t count)
{
    struct fm_heap *heap = pool->table.heap;
    if (size > SIZE_MAX / 4 || pool->size > SIZE_MAX / 4) return false;
    const size_t bytes = pool->size + size + 1 + STEP;
    return (pool->becomes_big ? FM_GROW_BIG(heap, pool->bytes, pool->bytes_capacity, bytes)
                              : FM_GROW_SOME(heap, pool->bytes, pool->bytes_capacity, bytes)) &&
           FM_GROW_SOME(heap, pool->ends, pool->capacity, pool->count + count);
}

static framemap_status too_many_strings(framemap_error *error)
{
    return fm_error_set(error, FRAMEMAP_E_LIMIT, "more than 4 billion different texts");
}

/* Appends a string. text.data NULL: appends zeros. */
static framemap_status append(struct fm_string_pool *pool, framemap_str text, uint32_t *out, framemap_error *error)
{
    if (pool->count >= UINT32_MAX - 2) return too_many_strings(error);
    if (!pool_reserve(pool, text.size, 1)) return fm_error_memory(error);
    /* the pool begins with a NUL, because offset 0 means that there is no string */
    if (pool->size == 0) pool->bytes[pool->size++] = 0;
    if (text.data == NULL)
        memset(pool->bytes + pool->size, 0, text.size);
    else
        fm_str_copy(pool->bytes + pool->size, text);
    pool->size += text.size;
    pool->ends[pool->count] = pool->size;
    *out = (uint32_t)pool->count++;
    return FRAMEMAP_OK;
}

static framemap_status pool_add(struct fm_string_pool *pool, framemap_str text, uint64_t hash, uint32_t *out,
                                framemap_error *error)
{
    const uint32_t known = fm_table_find(&pool->table, hash, equal, pool, &text);
    if (known != UINT32_MAX) {
        *out = known;
        return FRAMEMAP_OK;
    }
    const framemap_status status = append(pool, text, out, error);
    if (status != FRAMEMAP_OK) return status;
    return fm_table_add(&pool->table, hash, *out) ? FRAMEMAP_OK : fm_error_memory(error);
}

framemap_status fm_string_pool_reserve(struct fm_string_pool *pool, size_t size, uint32_t *out, framemap_error *error)
{
    return append(pool, (framemap_str){NULL, size}, out, error);
}

void fm_string_pool_fill(struct fm_string_pool *pool, uint32_t id, framemap_str text)
{
    memcpy(pool->bytes + fm_string_pool_at(pool, id), text.data, text.size);
}

framemap_status fm_string_pool_add(struct fm_string_pool *pool, framemap_str text, uint32_t *out, framemap_error *error)
{
    return pool_add(pool, text, fm_hash_text(text, pool->key), out, error);
}

#define AT_ONCE 16 /* number of lookups whose memory accesses overlap */

/* Prefetches for a batch of lookups. A lookup makes three dependent memory accesses: table slot, end offset, string.
 * All lookups of a batch make each step together, so that cache misses overlap. */
static void hint(const struct fm_string_pool *pool, const uint64_t *hashes, size_t count)
{
    uint32_t ids[AT_ONCE];
    for (size_t i = 0; i < count; i++) {
        ids[i] = fm_table_guess(&pool->table, hashes[i]);
        if (ids[i] != UINT32_MAX) fm_prefetch(&pool->ends[ids[i]]);
    }
    for (size_t i = 0; i < count; i++)
        if (ids[i] != UINT32_MAX) fm_prefetch(pool->bytes + fm_string_pool_at(pool, ids[i]));
}

static framemap_status add_some(struct fm_string_pool *pool, const framemap_str *texts, const uint64_t *known,
                                size_t count, uint32_t *out, framemap_error *error)
{
    uint64_t hashes[AT_ONCE];
    framemap_status status = FRAMEMAP_OK;
    for (size_t i = 0; i < count; i++) {
        hashes[i] = known ? known[i] : fm_hash_text(texts[i], pool->key);
        fm_table_hint(&pool->table, hashes[i]);
    }
    hint(pool, hashes, count);
    for (size_t i = 0; i < count && status == FRAMEMAP_OK; i++)
        status = pool_add(pool, texts[i], hashes[i], &out[i], error);
    return status;
}

framemap_status fm_string_pool_add_all(struct fm_string_pool *pool, const framemap_str *texts, const uint64_t *hashes,
                                       size_t count, uint32_t *out, framemap_error *error)
{
    framemap_status status = FRAMEMAP_OK;
    for (size_t at = 0; at < count && status == FRAMEMAP_OK; at += AT_ONCE)
        status = add_some(pool, texts + at, hashes ? hashes + at : NULL, count - at < AT_ONCE ? count - at : AT_ONCE,
                          out + at, error);
    return status;
}

/* --- adding all strings of another pool --- */

bool fm_string_pool_room(struct fm_string_pool *pool, size_t size, size_t count)
{
    return pool_reserve(pool, size, count) && fm_table_reserve(&pool->table, count);
}

/* Adds one string of another pool; there must be room. */
static void pool_copy_string(struct fm_string_pool *pool, framemap_str text)
{
    char *to = pool->bytes + pool->size;
    for (size_t at = 0; at < text.size; at += STEP) memcpy(to + at, text.data + at, STEP);
    pool->size += text.size;
    pool->ends[pool->count++] = pool->size;
}

/* A lookup makes three dependent memory accesses (table slot, end offset, string), which are pipelined here: each
 * string makes its first steps while earlier ones make later steps. */
#define STRIDE ((size_t)8)
#define AHEAD (4 * STRIDE) /* size of the ring of guessed ids (fm_table_guess) */

static void step_ahead(const struct fm_string_pool *pool, const uint64_t *hashes, size_t count, size_t at,
                       uint32_t guesses[AHEAD])
{
    const size_t slot = at + 3 * STRIDE, end = at + 2 * STRIDE, text = at + STRIDE;
    if (slot < count) fm_table_hint(&pool->table, hashes[slot]);
    if (end < count) {
        const uint32_t guess = guesses[end % AHEAD] = fm_table_guess(&pool->table, hashes[end]);
        if (guess != UINT32_MAX) fm_prefetch(&pool->ends[guess]);
    }
    if (text < count && guesses[text % AHEAD] != UINT32_MAX)
        fm_prefetch(pool->bytes + fm_string_pool_at(pool, guesses[text % AHEAD]));
}

/* Reserves room for the strings of `other` that are added until the next call: AHEAD of them from number `at` on, or
 * all that are left. */
static framemap_status pool_make_room(struct fm_string_pool *pool, const struct fm_string_pool *other, size_t at,
                                      framemap_error *error)
{
    const size_t count = other->count - at < AHEAD ? other->count - at : AHEAD;
    const size_t size = count > 0 ? other->ends[at + count - 1] - fm_string_pool_at(other, at) : 0;
    if (pool->count + count >= UINT32_MAX - 2) return too_many_strings(error);
    return fm_string_pool_room(pool, size, count) ? FRAMEMAP_OK : fm_error_memory(error);
}

framemap_status fm_string_pool_add_pool(struct fm_string_pool *pool, const struct fm_string_pool *other,
                                        const uint64_t *hashes, uint32_t *out, framemap_error *error)
{
    uint32_t guesses[AHEAD];
    framemap_status status = pool_make_room(pool, other, 0, error);
    if (status != FRAMEMAP_OK || other->count == 0) return status;
    if (pool->size == 0) pool->bytes[pool->size++] = 0;
    for (size_t i = 0; i < AHEAD; i++) guesses[i] = UINT32_MAX;
    for (size_t i = 0; i < other->count; i++) {
        if (i % AHEAD == 0 && (status = pool_make_room(pool, other, i, error)) != FRAMEMAP_OK) return status;
        step_ahead(pool, hashes, other->count, i, guesses);
        const framemap_str text = fm_string_pool_text(other, i);
        out[i] = fm_table_find_or_put(&pool->table, hashes[i], equal, pool, &text, (uint32_t)pool->count);
        if (out[i] == pool->count) pool_copy_string(pool, text);
    }
    return status;
}
