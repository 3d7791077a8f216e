/* Collects the images of an event, each once: the images that the report lists, or, if it lists none, the images that
 * frames name. Called by output_sentry.c. */
#ifndef FM_FORMATS_OUTPUT_SENTRY_IMAGES_H
#define FM_FORMATS_OUTPUT_SENTRY_IMAGES_H

#include "formats/format.h"
#include "formats/output/json_members.h"

/* The images of an event. An image that only frames name is represented by the first frame that names it. Released by
 * fm_sentry_images_free. */
struct fm_sentry_images {
    struct fm_heap *heap;
    /* a trace of the report, if the report lists its images; NULL: the images are those that frames name */
    const framemap_trace *trace;
    const framemap_frame **named;
    size_t count, slots; /* slots: size of `table` */
    /* hash table: for the id of an image, the number of the image, counted from 1 */
    uint32_t *table;
    uint64_t key;
    enum fm_id_form id_form;
};

/* Collects the images of an event. Returns false if out of memory. */
bool fm_sentry_images_find(struct fm_sentry_images *images, const framemap_trace *traces, size_t count,
                           const struct fm_print_job *job);
void fm_sentry_images_free(struct fm_sentry_images *images);
/* Finds the index of a frame's image in the list that is written. Returns false if the frame has no image there. */
bool fm_sentry_images_at(const struct fm_sentry_images *images, const framemap_frame *frame, size_t *position);
/* Writes the member "debug_meta" with the images; nothing if there are none. */
void fm_sentry_put_images(struct fm_members *m, const struct fm_sentry_images *images);

#endif
