/* Sorts the positions of functions in a source and writes them to the builder. See sourcemap_intervals.h. */
#include "mappers/javascript/sourcemap/sourcemap_intervals.h"

#include "core/error.h"
#include "mappers/javascript/sourcemap/sourcemap_sort.h"

static uint64_t interval_position(const struct fm_sourcemap_interval *interval)
{
    return (uint64_t)interval->line0 << 32 | interval->col0;
}

bool fm_sourcemap_intervals_add(struct fm_sourcemap_intervals *s, struct fm_sourcemap_interval interval)
{
    if (s->count > 0) {
        const uint64_t last = interval_position(&s->list[s->count - 1]);
        if (last == interval_position(&interval)) s->count--;
        if (last > interval_position(&interval)) s->unordered = true;
    }
    if (!FM_GROW(s->heap, s->list, s->capacity, s->count + 1)) return false;
    s->list[s->count++] = interval;
    return true;
}

/* Sorts the entries by position. false: out of memory. */
static bool sort_intervals(struct fm_sourcemap_intervals *s)
{
    if (!s->unordered) return true;
    const size_t count = s->count, list_size = s->capacity * sizeof *s->list;
    struct fm_sourcemap_key *keys = fm_heap_zalloc(s->heap, 2 * count, sizeof *keys);
    struct fm_sourcemap_interval *sorted = fm_heap_resize(s->heap, NULL, 0, list_size);
    const bool good = keys != NULL && sorted != NULL;
    if (good) {
        struct fm_sourcemap_intervals again = {.heap = s->heap, .list = sorted, .capacity = s->capacity};
        for (size_t i = 0; i < count; i++)
            keys[i] = (struct fm_sourcemap_key){interval_position(&s->list[i]), (uint32_t)i};
        fm_sourcemap_sort(keys, keys + count, count);
        for (size_t i = 0; i < count; i++) /* Adding cannot fail, because there is room. */
            (void)fm_sourcemap_intervals_add(&again, s->list[keys[i].which]);
        sorted = s->list;
        *s = again;
    }
    fm_heap_free(s->heap, keys, 2 * count * sizeof *keys);
    fm_heap_free(s->heap, sorted, list_size);
    return good;
}

framemap_status fm_sourcemap_intervals_write(struct fm_sourcemap_intervals *s, struct fm_sourcemap_job *job,
                                             uint32_t source, enum fm_function_origin origin)
{
    framemap_status status = sort_intervals(s) ? FRAMEMAP_OK : fm_error_memory(job->error);
    for (size_t i = 0; status == FRAMEMAP_OK && i < s->count; i++) {
        const struct fm_sourcemap_interval *interval = &s->list[i];
        status = fm_builder_source_stretch(job->builder, source, interval->line0, interval->col0, interval->function,
                                           origin, job->error);
    }
    s->count = 0;
    s->unordered = false;
    return status;
}

void fm_sourcemap_intervals_free(struct fm_sourcemap_intervals *s)
{
    fm_heap_free(s->heap, s->list, s->capacity * sizeof *s->list);
}
