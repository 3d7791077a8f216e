/* Implements the rules of the index cache under a memory ceiling; see cache_ceiling.h. Only reads the cache. */
#include "session/cache/cache_ceiling.h"

/* Returns the bytes that would be free below the ceiling if every idle index were dropped. */
static uint64_t could_be_left(const struct fm_index_cache *cache)
{
    uint64_t left = fm_ceiling_left(cache->ceiling);
    for (const struct fm_cache_slot *slot = cache->oldest; slot; slot = slot->newer)
        if (!slot->index->file.has_descriptor) left += slot->bytes;
    return left;
}

enum fm_over fm_cache_why_over(const struct fm_index_cache *cache, const struct fm_cache_slot *slot)
{
    const uint64_t most = cache->ceiling->most;
    return cache->held > 1 || slot->left_then < most - most / 4 ? FM_OVER_TOGETHER : FM_OVER_ALONE;
}

bool fm_cache_may_fit_now(const struct fm_index_cache *cache, const struct fm_cache_slot *slot)
{
    if (slot->state != FM_CACHE_SLOT_FAILED || slot->over == FM_OVER_NOTHING || slot->holders > 0) return false;
    const uint64_t left = could_be_left(cache);
    return left > slot->left_then && left - slot->left_then > cache->ceiling->most / 16;
}
