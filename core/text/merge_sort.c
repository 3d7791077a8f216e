/* Natural merge sort, and LSD radix sort for many items without a tie-break. See merge_sort.h. */
#include "core/text/merge_sort.h"
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

static void merge_two_runs(const struct sorter *sorter, const struct fm_sort_item *from, size_t a, size_t middle,
                           size_t end, struct fm_sort_item *to)
{
    size_t b = middle, at = a;
    while (a < middle && b < end) to[at++] = less(sorter, &from[b], &from[a]) ? from[b++] : from[a++];
    memcpy(to + at, from + a, (middle - a) * sizeof *to);
    at += middle - a;
    memcpy(to + at, from + b, (end - b) * sizeof *to);
}

/* Merges adjacent runs from one array into the other; returns the number of remaining runs. */
static size_t merge_runs(const struct sorter *sorter, const struct fm_sort_item *from, size_t count,
                         struct fm_sort_item *to)
{
    size_t runs = 0;
    for (size_t a = 0; a < count; runs++) {
        size_t middle = run_end(sorter, from, a, count);
        size_t end = middle < count ? run_end(sorter, from, middle, count) : count;
        merge_two_runs(sorter, from, a, middle, end, to);
        a = end;
    }
    return runs;
}

/* --- sorting by the bytes of the keys, least significant first (radix sort); a byte that is equal in all keys is
 * skipped --- */

#define BYTES_FROM 512 /* least number of items for which the counting pass saves time */

enum { KEY_BYTES = 8, ITEM_BYTES = 12 };
struct counts {
    uint32_t of[ITEM_BYTES][256];
};

static unsigned byte_of(const struct fm_sort_item *item, unsigned byte)
{
    return (byte < KEY_BYTES ? (unsigned)(item->key >> 8 * byte) : item->group >> 8 * (byte - KEY_BYTES)) & UINT8_MAX;
}

static void count_bytes(const struct fm_sort_item *items, size_t count, struct counts *counts)
{
    memset(counts, 0, sizeof *counts);
    for (size_t i = 0; i < count; i++)
        for (unsigned byte = 0; byte < ITEM_BYTES; byte++) counts->of[byte][byte_of(&items[i], byte)]++;
}

/* Moves items to the other array by one byte of their keys; stable. */
static void move_by(const struct fm_sort_item *from, size_t count, unsigned byte, uint32_t places[256],
                    struct fm_sort_item *to)
{
    for (uint32_t value = 0, at = 0; value < 256; value++) {
        const uint32_t here = places[value];
        places[value] = at;
        at += here;
    }
    for (size_t i = 0; i < count; i++) to[places[byte_of(&from[i], byte)]++] = from[i];
}

/* Sorts items by the bytes of their keys. Returns whichever of the two arrays has the result. */
static struct fm_sort_item *sort_bytes(struct fm_sort_item *items, size_t count, struct fm_sort_item *spare)
{
    struct counts counts;
    struct fm_sort_item *from = items, *to = spare;
    count_bytes(items, count, &counts);
    for (unsigned byte = 0; byte < ITEM_BYTES; byte++) {
        if (counts.of[byte][byte_of(&items[0], byte)] == count) continue;
        move_by(from, count, byte, counts.of[byte], to);
        struct fm_sort_item *swap = from;
        from = to;
        to = swap;
    }
    return from;
}

static struct fm_sort_item *sort_runs(const struct sorter *sorter, struct fm_sort_item *items, size_t count,
                                      struct fm_sort_item *spare)
{
    struct fm_sort_item *from = items, *to = spare;
    for (size_t runs = 2; runs > 1;) {
        runs = merge_runs(sorter, from, count, to);
        struct fm_sort_item *swap = from;
        from = to;
        to = swap;
    }
    return from;
}

bool fm_sort(struct fm_heap *heap, struct fm_sort_item *items, size_t count, fm_sort_tie tie, const void *context)
{
    const struct sorter sorter = {tie, context};
    if (count < 2 || run_end(&sorter, items, 0, count) == count) return true;
    if (count > SIZE_MAX / sizeof *items) return false;
    struct fm_sort_item *spare = fm_heap_resize(heap, NULL, 0, count * sizeof *items);
    if (spare == NULL) return false;
    const bool by_bytes = tie == NULL && count >= BYTES_FROM && count <= UINT32_MAX;
    const struct fm_sort_item *sorted =
        by_bytes ? sort_bytes(items, count, spare) : sort_runs(&sorter, items, count, spare);
    if (sorted != items) memcpy(items, sorted, count * sizeof *items);
    fm_heap_free(heap, spare, count * sizeof *items);
    return true;
}
