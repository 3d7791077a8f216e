/* The symbols that the native frames of one restore call need: each image is looked up once, and each position is
 * resolved once. Called by restore_native.c, which reads the frames. */
#ifndef FM_SESSION_RESTORE_NATIVE_SYMBOLS_H
#define FM_SESSION_RESTORE_NATIVE_SYMBOLS_H

#include "session/restore/native_state.h"

/* Finds an image by its name, id, architecture and offset in an archive, and holds its index. *out: number of the
 * image. If memory has no room for the index, the image is marked `later`. Errors: MEMORY, those of the store. */
framemap_status fm_native_image_find(struct fm_restore_job *job, const struct fm_native_image *want, size_t *out,
                                     framemap_error *error);
/* Resolves a position in an image that is held, or whose index file is closed. *out: borrowed until the next call;
 * NULL: the closed file can no longer be opened, and image->reason states why. Errors: MEMORY, those of the store. A
 * damaged index is not an error, but a status of the answer. */
framemap_status fm_native_resolve(struct fm_restore_job *job, struct fm_native_answer *question,
                                  const framemap_frame **out, framemap_error *error);
/* Releases all indexes, so that there is room for the images that wait, and begins the next pass. */
void fm_native_images_release(struct fm_restore_job *job);

/* These are the functions `begin`, `missing` and `end` of the native restorer's row (restorer.h). */
framemap_status fm_native_symbols_begin(struct fm_restore_job *job, framemap_error *error);
bool fm_native_symbols_missing(struct fm_restore_job *job);
void fm_native_symbols_end(struct fm_restore_job *job);

#endif
