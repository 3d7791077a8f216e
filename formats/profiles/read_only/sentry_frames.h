/* The frames of Sentry's profiles, and the images that their addresses and files are in. Called by sentry_samples.c and
 * sentry_events.c. */
#ifndef FM_FORMATS_PROFILES_READ_ONLY_SENTRY_FRAMES_H
#define FM_FORMATS_PROFILES_READ_ONLY_SENTRY_FRAMES_H

#include "core/text/merge_sort.h"
#include "formats/profiles/read_only/profile_documents.h"

struct fm_sentry_profile_image {
    uint64_t start, size;
    uint32_t path, id; /* strings of the set */
};

struct fm_sentry_profile_images {
    struct fm_sentry_profile_image *images;
    struct fm_sort_item *by_start, *by_path; /* images, sorted by start address, and by the number of their path */
    uint32_t count;
};

/* Reads `debug_meta` of a document. false: out of memory, which the document remembers. */
bool fm_sentry_profile_images_read(struct fm_profile_document *document, struct fm_sentry_profile_images *images);

/* Adds a frame to the set; returns its number. object: a frame of the document. caller: another frame was called from
 * it, so an address in it is a return address. */
uint32_t fm_sentry_frame(struct fm_profile_document *document, const struct fm_sentry_profile_images *images,
                         int32_t object, bool caller);

/* Adds a frame for a method of Java. class_name may be empty. */
uint32_t fm_sentry_method(framemap_sample_set *set, framemap_str class_name, framemap_str method,
                          struct fm_sample_frame frame);

/* Reads the samples of a document: `profile` of the versions 1 and 2. */
void fm_sentry_read_samples(struct fm_profile_document *document, int32_t profile);
/* Reads the events of a document: `profile` of Android. */
void fm_sentry_read_events(struct fm_profile_document *document, int32_t profile);

#endif
