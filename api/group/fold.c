/* Implements fold.h: reduces a run of keys that repeats, such as a b a b a b, to one period, in one pass over the keys.
 * For each key, every period up to a small limit is tried, so the time is linear. */
#include "api/group/fold.h"

#include <stdbool.h>
#include <string.h>

/* Whether the last `period` keys equal the `period` keys before them. */
static bool repeats(const uint64_t *keys, size_t count, size_t period)
{
    return count >= 2 * period && memcmp(keys + count - period, keys + count - 2 * period, period * sizeof *keys) == 0;
}

/* Whether a partial copy follows a run of `period` keys that ends at `begin`: the keys from `begin` on are fewer than
 * `period`, and equal the start of the run. */
static bool begins_again(const uint64_t *keys, size_t count, size_t begin, size_t period)
{
    return count - begin < period && memcmp(keys + begin, keys + begin - period, (count - begin) * sizeof *keys) == 0;
}

size_t fm_fold(uint64_t *keys, size_t *ids, size_t count)
{
    /* run: period of the run that was folded last, whose remaining copy ends at run_end. 0: there is no such run, or
     * too many keys follow run_end to be a partial copy of it. */
    size_t kept = 0, run_end = 0, run = 0;
    for (size_t i = 0; i < count; i++) {
        keys[kept] = keys[i];
        ids[kept++] = ids[i];
        if (run && kept - run_end > run) run = 0;
        for (size_t period = 1; period <= FM_FOLD_PERIOD; period++) {
            if (!repeats(keys, kept, period)) continue;
            kept -= period;
            run_end = kept;
            run = period;
            break;
        }
    }
    if (run && run_end >= run && begins_again(keys, kept, run_end, run)) kept = run_end;
    return kept;
}
