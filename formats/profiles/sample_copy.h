/* Copies of a set of samples in which each frame becomes one or more others. Called by the writers and by session/. */
#ifndef FM_FORMATS_PROFILES_SAMPLE_COPY_H
#define FM_FORMATS_PROFILES_SAMPLE_COPY_H

#include "formats/profiles/sample_set.h"

struct fm_sample_copy {
    const framemap_sample_set *from;
    framemap_sample_set *to;
    size_t *starts;   /* start of each frame's chain in `chains`; one more than there are frames */
    uint32_t *chains; /* frames of `to`, innermost first */
    size_t chain_count, chain_capacity;
    uint32_t *nodes, *threads, *labels; /* nodes, threads and labels of `from`: their numbers in `to` */
    uint32_t columns;                   /* columns that are copied */
    bool not_negative;                  /* weights less than zero become zero */
};

/* Opens a copy. to: an empty set, whose fault says what fails. Close the copy also after a failure. */
bool fm_sample_copy_open(struct fm_sample_copy *job, const framemap_sample_set *from, framemap_sample_set *to);
void fm_sample_copy_close(struct fm_sample_copy *job);
/* Copies frames: for each frame of `from`, in their order, begin its chain, then add one frame or more. */
void fm_sample_copy_begin(struct fm_sample_copy *job, uint32_t number);
void fm_sample_copy_add(struct fm_sample_copy *job, const struct fm_sample_frame *frame);
/* Returns a frame of `from` in the strings of `to`. */
struct fm_sample_frame fm_sample_copy_frame(const struct fm_sample_copy *job, uint32_t number);
/* Called after the last frame: copies nodes, threads, labels and weights. */
void fm_sample_copy_rest(struct fm_sample_copy *job);

/* Makes a set without the parts that are not in `holds`. to: not initialised; to be freed, its fault says what fails.
 */
void fm_samples_lessen(const framemap_sample_set *from, framemap_sample_set *to, unsigned holds);

#endif
