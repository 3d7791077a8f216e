/* Stable merge sort and binary search of keys. See sorted_keys.h. */
#include "mappers/native/image/sorted_keys.h"

#include "core/checked.h"
#include <string.h>

typedef int compare_ties(const void *context, uint32_t a, uint32_t b);

static bool after(struct fm_key a, struct fm_key b, compare_ties *tie, const void *context)
{
    if (a.key != b.key) return a.key > b.key;
    return tie != NULL && tie(context, a.number, b.number) > 0;
}

static void merge(struct fm_key *to, const struct fm_key *from, size_t middle, size_t end, compare_ties *tie,
                  const void *context)
{
    size_t left = 0, right = middle, at = 0;

    while (left < middle && right < end)
        to[at++] = after(from[left], from[right], tie, context) ? from[right++] : from[left++];
    memcpy(to + at, from + left, (middle - left) * sizeof *to);
    memcpy(to + at + (middle - left), from + right, (end - right) * sizeof *to);
}

bool fm_keys_sort(struct fm_heap *heap, struct fm_key *keys, size_t count, compare_ties *tie, const void *context)
{
    size_t bytes;
    if (count < 2) return true;
    if (!fm_mul_size(count, sizeof *keys, &bytes)) return false;
    struct fm_key *spare = fm_heap_resize(heap, NULL, 0, bytes);
    if (spare == NULL) return false;

    struct fm_key *from = keys, *to = spare;
    for (size_t run = 1; run<count; run = run> count / 2 ? count : run * 2) {
        for (size_t at = 0; at < count; at += run * 2) {
            const size_t middle = count - at < run ? count - at : run;
            const size_t end = count - at - middle < run ? count - at : middle + run;
            /* two runs that are in order need no merge, which is frequent because most tables are sorted already */
            if (middle == end || !after(from[at + middle - 1], from[at + middle], tie, context))
                memcpy(to + at, from + at, end * sizeof *to);
            else
                merge(to + at, from + at, middle, end, tie, context);
            if (end < run * 2) break;
        }
        struct fm_key *swap = from;
        from = to;
        to = swap;
    }
    if (from != keys) memcpy(keys, from, bytes);
    fm_heap_free(heap, spare, bytes);
    return true;
}

size_t fm_keys_lower(const struct fm_key *keys, size_t count, uint64_t key)
{
    size_t low = 0;
    while (count > 0) {
        const size_t half = count / 2;
        if (keys[low + half].key < key) {
            low += half + 1;
            count -= half + 1;
        } else
            count = half;
    }
    return low;
}
