/* Stable merge sort of items by a 64-bit key. See sourcemap_sort.h. */
#include "mappers/javascript/sourcemap/sourcemap_sort.h"

#include <string.h>

/* Merges the adjacent runs [from, middle) and [middle, to). */
static void merge_runs(const struct fm_sourcemap_key *in, struct fm_sourcemap_key *out, size_t from, size_t middle,
                       size_t to)
{
    size_t left = from, right = middle;
    for (size_t i = from; i < to; i++) {
        const bool take_left = left < middle && (right == to || in[left].key <= in[right].key);
        out[i] = in[take_left ? left++ : right++];
    }
}

static bool is_sorted(const struct fm_sourcemap_key *keys, size_t count)
{
    for (size_t i = 1; i < count; i++)
        if (keys[i].key < keys[i - 1].key) return false;
    return true;
}

void fm_sourcemap_sort(struct fm_sourcemap_key *keys, struct fm_sourcemap_key *scratch, size_t count)
{
    struct fm_sourcemap_key *in = keys, *out = scratch;
    if (is_sorted(keys, count)) return;
    for (size_t run = 1; run < count; run *= 2) {
        for (size_t from = 0; from < count; from += 2 * run) {
            const size_t middle = run < count - from ? from + run : count;
            merge_runs(in, out, from, middle, run < count - middle ? middle + run : count);
        }
        struct fm_sourcemap_key *const swapped = in;
        in = out;
        out = swapped;
    }
    if (in != keys) memcpy(keys, in, count * sizeof *keys);
}
