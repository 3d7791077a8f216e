/* One ceiling over several heaps. See memory_ceiling.h. */
#include "core/memory_ceiling.h"

void fm_ceiling_init(struct fm_ceiling *ceiling, framemap_allocator inner, uint64_t most)
{
    ceiling->inner = inner;
    ceiling->most = most;
    ceiling->make_room = NULL;
    ceiling->context = NULL;
    atomic_init(&ceiling->used, 0);
    atomic_init(&ceiling->refused, 0);
    atomic_init(&ceiling->over, false);
}

/* Counts bytes that will be allocated. It adds before it compares, so that two threads cannot both pass the ceiling. */
static bool ceiling_count(struct fm_ceiling *ceiling, uint64_t bytes)
{
    const uint64_t before = atomic_fetch_add(&ceiling->used, bytes);
    if (before <= ceiling->most && bytes <= ceiling->most - before) return true;
    atomic_fetch_sub(&ceiling->used, bytes);
    return false;
}

bool fm_ceiling_take(struct fm_ceiling *ceiling, uint64_t bytes)
{
    if (bytes == 0 || ceiling_count(ceiling, bytes)) return true;
    const bool made = bytes <= ceiling->most && ceiling->make_room && ceiling->make_room(ceiling->context, bytes);
    if (made && ceiling_count(ceiling, bytes)) return true;
    atomic_fetch_add(&ceiling->refused, 1);
    atomic_store(&ceiling->over, true);
    return false;
}

void fm_ceiling_give_back(struct fm_ceiling *ceiling, uint64_t bytes) { atomic_fetch_sub(&ceiling->used, bytes); }

uint64_t fm_ceiling_left(const struct fm_ceiling *ceiling)
{
    const uint64_t used = atomic_load(&ceiling->used);
    return used < ceiling->most ? ceiling->most - used : 0;
}

static void *ceiling_resize(void *context, void *ptr, size_t old_size, size_t new_size)
{
    struct fm_ceiling *ceiling = context;
    if (ptr == NULL) old_size = 0;
    const size_t more = new_size > old_size ? new_size - old_size : 0;
    if (!fm_ceiling_take(ceiling, more)) return NULL;
    void *result = ceiling->inner.resize(ceiling->inner.context, ptr, old_size, new_size);
    if (result == NULL && new_size > 0) {
        fm_ceiling_give_back(ceiling, more);
        atomic_store(&ceiling->over, false);
    } else if (new_size < old_size) {
        fm_ceiling_give_back(ceiling, old_size - new_size);
    }
    return result;
}

framemap_allocator fm_ceiling_allocator(struct fm_ceiling *ceiling)
{
    return (framemap_allocator){ceiling_resize, ceiling};
}

struct fm_ceiling *fm_ceiling_of(const framemap_allocator *allocator)
{
    return allocator->resize == ceiling_resize ? (struct fm_ceiling *)allocator->context : NULL;
}
