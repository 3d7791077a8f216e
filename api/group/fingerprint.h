/* Computes fingerprints as framemap_trace_fingerprint does, and keeps the memory from call to call. Called by
 * groups.c. */
#ifndef FM_API_GROUP_FINGERPRINT_H
#define FM_API_GROUP_FINGERPRINT_H

#include "api/group/stack_frames.h"
#include "core/text/buffer.h"

struct fm_fingerprint_work {
    struct fm_buf text, keys;
    struct fm_stack_frames frames;
    uint64_t *hashes;
    size_t *ends; /* end of each key in `keys` */
    size_t *ids;
    size_t hash_capacity, end_capacity, id_capacity;
};

void fm_fingerprint_init(struct fm_fingerprint_work *work, struct fm_heap *heap);
void fm_fingerprint_free(struct fm_fingerprint_work *work);
/* Computes the fingerprint of a stack. options: of this version's size (fm_options_read). Returns false if out of
 * memory. */
bool fm_fingerprint_of(struct fm_fingerprint_work *work, const framemap_trace *traces, size_t count,
                       const framemap_fingerprint_options *options, char out[FRAMEMAP_FINGERPRINT_SIZE]);

#endif
