#include "index/sort.h"
#include <string.h>

struct sorter {
    fm_sort_tie tie;
    const void *context;
};

static bool less(const struct sorter *sorter, const struct fm_sort_item *a, const struct fm_sort_item *b)
{
    if (a->group != b->group) return a->group < b->group;
    if (a->key != b->key) return a->key < b->key;
    return sorter->tie != NULL && sorter->tie(sorter->context, a->id, b->id) < 0;
}

static size_t run_end(const struct sorter *sorter, const struct fm_sort_item *items, size_t from, size_t count)
{
    size_t at = from + 1;
    while (at < count && !less(sorter, &items[at], &items[at - 1])) at++;
    return at < count ? at : count;
}

static void merge(const struct sorter *sorter, const struct fm_sort_item *from, size_t a, size_t middle, size_t end,
                  struct fm_sort_item *to)
{
    size_t b = middle, at = a;
    while (a < middle && b < end) to[at++] = less(sorter, &from[b], &from[a]) ? from[b++] : from[a++];
    memcpy(to + at, from + a, (middle - a) * sizeof *to);
    at += middle - a;
    memcpy(to + at, from + b, (end - b) * sizeof *to);
}

/* Merges neighbouring runs from one array into the other; returns how many runs are left. */
static size_t merge_runs(const struct sorter *sorter, const struct fm_sort_item *from, size_t count, struct fm_sort_item *to)
{
    size_t runs = 0;
    for (size_t a = 0; a < count; runs++) {
        size_t middle = run_end(sorter, from, a, count);
        size_t end = middle < count ? run_end(sorter, from, middle, count) : count;
        merge(sorter, from, a, middle, end, to);
        a = end;
    }
    return runs;
}

bool fm_sort(struct fm_heap *heap, struct fm_sort_item *items, size_t count, fm_sort_tie tie, const void *context)
{
    const struct sorter sorter = {tie, context};
    if (count < 2 || run_end(&sorter, items, 0, count) == count) return true;
    if (count > SIZE_MAX / sizeof *items) return false;
    struct fm_sort_item *spare = fm_heap_resize(heap, NULL, 0, count * sizeof *items), *from = items, *to = spare;
    if (spare == NULL) return false;
    for (size_t runs = 2; runs > 1;) {
        runs = merge_runs(&sorter, from, count, to);
        struct fm_sort_item *swap = from;
        from = to;
        to = swap;
    }
    if (from != items) memcpy(items, from, count * sizeof *items);
    fm_heap_free(heap, spare, count * sizeof *items);
    return true;
}
