/* The symbols that the native frames of one restore call need: each image is looked up once, and each position is
 * resolved once. Called by restore_native.c, which reads the frames. */
#ifndef FM_SESSION_RESTORE_NATIVE_SYMBOLS_H
#define FM_SESSION_RESTORE_NATIVE_SYMBOLS_H

#include "session/restore/restorer.h"

/* An image that frames of this call need, looked up once. */
struct fm_native_image {
    framemap_str name, id, arch;
    uint64_t file_offset; /* in the archive that `name` is; 0: it is none */
    struct fm_held_index held;
    const char *reason; /* why there is no index; lives as long as the traces */
    framemap_match matched_by;
    uint64_t frames; /* frames without symbols because of this image */
    /* Its index does not fit below the session's memory ceiling together with those held: its frames are left RAW for
     * a later pass. */
    bool later;
    unsigned pass; /* the last pass in which it was tried */
};

/* A position that was resolved. */
struct fm_native_answer {
    size_t image;
    framemap_address_kind kind;
    uint64_t address;
    bool return_address;
    framemap_frame answer;
    uint32_t companion; /* number of the image with more debug info for this position; UINT32_MAX: none */
};

struct fm_native_job {
    struct fm_native_image *images;
    size_t image_count, image_capacity;
    struct fm_table image_table;
    size_t images_held; /* images held at present */
    size_t waiting;     /* images that wait for the next pass */
    unsigned pass;      /* from 0 */
    /* Positions that were resolved already: a stack overflow repeats the same few a hundred thousand times. */
    struct fm_native_answer *answers;
    size_t answer_count, answer_capacity;
    struct fm_table answer_table;
};

/* Finds an image by its name, id, architecture and offset in an archive, and holds its index. *out: its number. An
 * image for which there is no room is marked `later`. Errors: MEMORY, those of the store. */
framemap_status fm_native_image_find(struct fm_restore_job *job, const struct fm_native_image *want, size_t *out,
                                     framemap_error *error);
/* Resolves a position in an image that is held. *out: borrowed until the next call. Errors: MEMORY, those of the store;
 * a damaged index is an answer. */
framemap_status fm_native_resolve(struct fm_restore_job *job, struct fm_native_answer *question,
                                  const framemap_frame **out, framemap_error *error);
/* Releases all indexes, so that those that wait have room, and starts the next pass. */
void fm_native_images_release(struct fm_restore_job *job);

/* For the row of the restorer (restorer.h): begin, missing and end. */
framemap_status fm_native_symbols_begin(struct fm_restore_job *job, framemap_error *error);
bool fm_native_symbols_missing(struct fm_restore_job *job);
void fm_native_symbols_end(struct fm_restore_job *job);

#endif
