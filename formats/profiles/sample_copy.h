/* Copies a sample set; each frame becomes one or several frames in the copy. Called by the writers and by session/. */
#ifndef FM_FORMATS_PROFILES_SAMPLE_COPY_H
#define FM_FORMATS_PROFILES_SAMPLE_COPY_H

#include "formats/profiles/sample_set.h"

struct fm_sample_copy {
    const framemap_sample_set *from;
    framemap_sample_set *to;
    /* for each frame of `from`: where its new frames start in `chains`; one more element marks the end */
    size_t *starts;
    uint32_t *chains; /* frames of `to`; the frames made from one frame of `from` are adjacent, innermost first */
    size_t chain_count, chain_capacity;
    uint32_t *nodes, *threads, *labels; /* for each node, thread and set of labels in `from`: its number in `to` */
    uint32_t columns;                   /* number of columns of weights that are copied */
    bool not_negative;                  /* negative weights are replaced by zero */
};

/* Begins a copy. to: an empty set, whose fault is set if something fails. Call fm_sample_copy_close even after a
 * failure. */
bool fm_sample_copy_open(struct fm_sample_copy *job, const framemap_sample_set *from, framemap_sample_set *to);
void fm_sample_copy_close(struct fm_sample_copy *job);
/* Begins the copy of a frame. Called for each frame of `from` in their order; after the call, the frames that replace
 * it (at least one) are added. */
void fm_sample_copy_begin(struct fm_sample_copy *job, uint32_t number);
void fm_sample_copy_add(struct fm_sample_copy *job, const struct fm_sample_frame *frame);
/* Returns a frame of `from`, with its strings added to `to`. */
struct fm_sample_frame fm_sample_copy_frame(const struct fm_sample_copy *job, uint32_t number);
/* Called after the last frame: copies nodes, threads, labels and weights. */
void fm_sample_copy_rest(struct fm_sample_copy *job);

/* Makes a copy of a set without the parts that are not in `holds`. to: not initialised before the call. The caller
 * frees it; its fault is set if something fails. */
void fm_samples_lessen(const framemap_sample_set *from, framemap_sample_set *to, unsigned holds);

#endif
