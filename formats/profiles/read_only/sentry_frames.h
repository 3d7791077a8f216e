/* Reads the frames of Sentry's profiles, and the images that contain their addresses and files. Called by
 * sentry_samples.c and sentry_events.c. */
#ifndef FM_FORMATS_PROFILES_READ_ONLY_SENTRY_FRAMES_H
#define FM_FORMATS_PROFILES_READ_ONLY_SENTRY_FRAMES_H

#include "core/text/merge_sort.h"
#include "formats/profiles/read_only/profile_documents.h"

struct fm_sentry_profile_image {
    uint64_t start, size;
    uint32_t path, id; /* numbers of strings in the sample set */
};

struct fm_sentry_profile_images {
    struct fm_sentry_profile_image *images;
    /* by_start: the images, sorted by start address; by_path: the images, sorted by the number of their path */
    struct fm_sort_item *by_start, *by_path;
    uint32_t count;
};

/* Reads the images in `debug_meta` of a document. Returns false if out of memory, which the document records. */
bool fm_sentry_profile_images_read(struct fm_profile_document *document, struct fm_sentry_profile_images *images);

/* Adds a frame to the set, and returns its number. object: the JSON object of the frame. caller: the frame called
 * another function, so its address is a return address. */
uint32_t fm_sentry_frame(struct fm_profile_document *document, const struct fm_sentry_profile_images *images,
                         int32_t object, bool caller);

/* Adds a frame for a Java method to the set, and returns its number. class_name may be empty. */
uint32_t fm_sentry_method(framemap_sample_set *set, framemap_str class_name, framemap_str method,
                          struct fm_sample_frame frame);

/* Reads the samples of a document in version 1 or 2. profile: its member `profile`. */
void fm_sentry_read_samples(struct fm_profile_document *document, int32_t profile);
/* Reads the events of a document from Android. profile: its member `profile`. */
void fm_sentry_read_events(struct fm_profile_document *document, int32_t profile);

#endif
