/* Implements value_cache.h: a hash table, and a list in the order of last use. */
#include "session/cache/value_cache.h"

#include "core/error.h"
#include "core/hash/hash.h"
#include "core/text/text.h"
#include <time.h>

enum { BUDGET_USUAL = 256 << 20, BUCKETS_LEAST = 64 };

void fm_value_cache_init(struct fm_value_cache *cache, struct fm_heap *heap, const framemap_allocator *allocator,
                         uint64_t budget)
{
    *cache = (struct fm_value_cache){.heap = heap, .allocator = allocator, .budget = budget ? budget : BUDGET_USUAL};
    fm_mutex_init(&cache->lock);
}

/* --- opening and closing one value --- */

static void close_value(struct fm_value_cache *cache, struct fm_value *value)
{
    struct fm_heap *heap = &value->index.heap;
    if (value->index.view) fm_view_close(value->index.view);
    fm_heap_free(heap, (void *)(uintptr_t)value->build.data, value->build.size + value->field.size + value->bytes.size);
    fm_heap_free(cache->heap, value, sizeof *value);
}

/* Copies build, field and bytes into one allocation. */
static bool copy_parts(struct fm_value *value, framemap_str build, framemap_str field, framemap_str bytes)
{
    const size_t names = build.size + field.size;
    if (bytes.size > SIZE_MAX - names) return false;
    char *copy = fm_heap_resize(&value->index.heap, NULL, 0, names + bytes.size);
    if (copy == NULL) return false;
    memcpy(copy, build.data, build.size);
    memcpy(copy + build.size, field.data, field.size);
    if (bytes.size) memcpy(copy + names, bytes.data, bytes.size);
    value->build = fm_str(copy, build.size);
    value->field = fm_str(copy + build.size, field.size);
    value->bytes = fm_str(copy + names, bytes.size);
    return true;
}

static framemap_status open_value(struct fm_value_cache *cache, framemap_str build, framemap_str field,
                                  framemap_str bytes, struct fm_value **out, framemap_error *error)
{
    struct fm_value *value = fm_heap_zalloc(cache->heap, 1, sizeof *value);
    if (value == NULL) return fm_error_memory(error);
    fm_heap_init(&value->index.heap, cache->allocator, 0);
    value->index.is_value = true;
    framemap_status status = copy_parts(value, build, field, bytes) ? FRAMEMAP_OK : fm_error_memory(error);
    if (status == FRAMEMAP_OK) status = fm_view_open(value->bytes, &value->index.heap, &value->index.view, error);
    if (status == FRAMEMAP_OK) status = fm_view_check_sums(value->index.view, error);
    if (status != FRAMEMAP_OK) {
        close_value(cache, value);
        return status;
    }
    value->size = sizeof *value + (size_t)atomic_load(&value->index.heap.used);
    *out = value;
    return FRAMEMAP_OK;
}

/* --- listing idle values, which nobody holds --- */

static void wake(struct fm_value_cache *cache, struct fm_value *value)
{
    *(value->older ? &value->older->newer : &cache->oldest) = value->newer;
    *(value->newer ? &value->newer->older : &cache->newest) = value->older;
    value->older = value->newer = NULL;
}

static void rest(struct fm_value_cache *cache, struct fm_value *value)
{
    value->older = cache->newest;
    value->newer = NULL;
    *(cache->newest ? &cache->newest->newer : &cache->oldest) = value;
    cache->newest = value;
}

static struct fm_value **bucket_of(const struct fm_value_cache *cache, uint64_t hash)
{
    return &cache->buckets[hash & (cache->bucket_count - 1)];
}

/* Removes the values that were not used for the longest time, until the budget is kept. Returns them in a list. */
static struct fm_value *drop_over_budget(struct fm_value_cache *cache)
{
    struct fm_value *dropped = NULL;
    while (cache->bytes > cache->budget && cache->oldest) {
        struct fm_value *value = cache->oldest, **at = bucket_of(cache, value->hash);
        wake(cache, value);
        while (*at != value) at = &(*at)->next;
        *at = value->next;
        cache->count--;
        cache->bytes -= value->size;
        value->next = dropped;
        dropped = value;
    }
    return dropped;
}

static void close_all(struct fm_value_cache *cache, struct fm_value *values)
{
    while (values) {
        struct fm_value *value = values;
        values = value->next;
        close_value(cache, value);
    }
}

void fm_value_cache_free(struct fm_value_cache *cache)
{
    cache->budget = 0;
    close_all(cache, drop_over_budget(cache));
    fm_heap_free(cache->heap, cache->buckets, cache->bucket_count * sizeof *cache->buckets);
    fm_heap_free(cache->heap, cache->absent, cache->absent ? FM_ABSENT_SLOTS * sizeof *cache->absent : 0);
    fm_mutex_destroy(&cache->lock);
}

/* --- searching for a value in the cache --- */

static uint64_t hash_of(const struct fm_value_cache *cache, framemap_str build, framemap_str field)
{
    return fm_hash_text(field, fm_hash_text(build, fm_hash_key(cache)));
}

static struct fm_value *hold_known(struct fm_value_cache *cache, uint64_t hash, framemap_str build, framemap_str field)
{
    struct fm_value *value = cache->bucket_count ? *bucket_of(cache, hash) : NULL;
    while (value && !(value->hash == hash && fm_str_equal(value->field, field) && fm_str_equal(value->build, build)))
        value = value->next;
    if (value && value->holders++ == 0) wake(cache, value);
    return value;
}

struct fm_value *fm_value_cache_find(struct fm_value_cache *cache, framemap_str build, framemap_str field)
{
    const uint64_t hash = hash_of(cache, build, field);
    fm_mutex_lock(&cache->lock);
    struct fm_value *value = hold_known(cache, hash, build, field);
    fm_mutex_unlock(&cache->lock);
    return value;
}

/* Makes room for one more value. Returns false if out of memory. */
static bool grow(struct fm_value_cache *cache)
{
    if (cache->count < cache->bucket_count) return true;
    const size_t count = cache->bucket_count ? 2 * cache->bucket_count : BUCKETS_LEAST;
    struct fm_value **buckets = fm_heap_zalloc(cache->heap, count, sizeof *buckets);
    if (buckets == NULL) return false;
    struct fm_value_cache grown = *cache;
    grown.buckets = buckets;
    grown.bucket_count = count;
    for (size_t i = 0; i < cache->bucket_count; i++)
        for (struct fm_value *value = cache->buckets[i], *next; value; value = next) {
            struct fm_value **at = bucket_of(&grown, value->hash);
            next = value->next;
            value->next = *at;
            *at = value;
        }
    fm_heap_free(cache->heap, cache->buckets, cache->bucket_count * sizeof *buckets);
    cache->buckets = buckets;
    cache->bucket_count = count;
    return true;
}

framemap_status fm_value_cache_add(struct fm_value_cache *cache, framemap_str build, framemap_str field,
                                   framemap_str bytes, struct fm_value **out, framemap_error *error)
{
    struct fm_value *value = NULL, *dropped = NULL;
    framemap_status status = open_value(cache, build, field, bytes, &value, error);
    if (status != FRAMEMAP_OK) return status;
    value->hash = hash_of(cache, build, field);
    fm_mutex_lock(&cache->lock);
    *out = hold_known(cache, value->hash, build, field);
    if (*out == NULL && grow(cache)) {
        struct fm_value **at = bucket_of(cache, value->hash);
        value->next = *at;
        *at = *out = value;
        value->holders = 1;
        cache->count++;
        cache->bytes += value->size;
        dropped = drop_over_budget(cache);
    }
    fm_mutex_unlock(&cache->lock);
    if (*out != value) close_value(cache, value);
    close_all(cache, dropped);
    return *out ? FRAMEMAP_OK : fm_error_memory(error);
}

void fm_value_release(struct fm_value_cache *cache, struct fm_value *value)
{
    struct fm_value *dropped = NULL;
    /* The heap's size includes the names that were decoded so far. */
    const size_t size = sizeof *value + (size_t)atomic_load(&value->index.heap.used);
    fm_mutex_lock(&cache->lock);
    cache->bytes += size - value->size;
    value->size = size;
    if (--value->holders == 0) rest(cache, value);
    dropped = drop_over_budget(cache);
    fm_mutex_unlock(&cache->lock);
    close_all(cache, dropped);
}

/* --- remembering builds that the store does not have --- */

static int64_t seconds_now(void)
{
    struct timespec now = {0, 0};
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (int64_t)now.tv_sec + 1; /* one is added because 0 marks an empty slot */
}

/* Returns the slot for a build: the slot that has the build already, else an empty slot, else the slot that expires
 * first. */
static struct fm_absent_build *absent_slot(const struct fm_value_cache *cache, uint64_t hash)
{
    struct fm_absent_build *first = NULL;
    for (size_t i = 0; i < FM_ABSENT_RUN; i++) {
        struct fm_absent_build *slot = &cache->absent[(hash + i) % FM_ABSENT_SLOTS];
        if (slot->hash == hash || slot->until == 0) return slot;
        if (first == NULL || slot->until < first->until) first = slot;
    }
    return first;
}

void fm_value_cache_note_absent(struct fm_value_cache *cache, framemap_str build)
{
    const struct fm_absent_build row = {fm_hash_text(build, fm_hash_key(cache)), seconds_now() + FM_ABSENT_SECONDS};
    fm_mutex_lock(&cache->lock);
    if (cache->absent == NULL) cache->absent = fm_heap_zalloc(cache->heap, FM_ABSENT_SLOTS, sizeof *cache->absent);
    if (cache->absent) *absent_slot(cache, row.hash) = row;
    fm_mutex_unlock(&cache->lock);
}

bool fm_value_cache_is_absent(struct fm_value_cache *cache, framemap_str build)
{
    const uint64_t hash = fm_hash_text(build, fm_hash_key(cache));
    struct fm_absent_build row = {0, 0};
    fm_mutex_lock(&cache->lock);
    if (cache->absent) row = *absent_slot(cache, hash);
    fm_mutex_unlock(&cache->lock);
    return row.until > 0 && row.hash == hash && row.until > seconds_now();
}
