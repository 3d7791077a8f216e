/* Folds recursion in the frames of a stack. Called by fingerprint.c; it must not know what a frame is. */
#ifndef FM_API_GROUP_FOLD_H
#define FM_API_GROUP_FOLD_H

#include <stddef.h>
#include <stdint.h>

/* greatest period: the number of functions in a recursion where each function calls the next, and the last calls the
 * first */
#define FM_FOLD_PERIOD 16u

/* Folds runs of up to FM_FOLD_PERIOD keys that directly repeat, in place. One copy of each run stays; a partial copy
 * after the last whole one is removed, too. keys: equal for equal frames, in the order of calls, the outermost first.
 * ids: numbers of the same frames, moved along with the keys. Returns the number of keys that are left. */
size_t fm_fold(uint64_t *keys, size_t *ids, size_t count);

#endif
