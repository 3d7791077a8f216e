/* Caches the results that native frames get from the index of an image, through recall.h. Called by
 * native_symbols.c. */
#ifndef FM_SESSION_RESTORE_NATIVE_RECALL_H
#define FM_SESSION_RESTORE_NATIVE_RECALL_H

#include "session/restore/native_state.h"

/* Sets the facts about an image that were cached while its index file was open. Returns false if no facts are cached
 * and the file has to be opened. */
bool fm_native_recall_image(struct fm_restore_job *job, struct fm_native_image *image);
/* Sets question->answer for an image whose index file is closed, from the cache. Returns false if the cache does not
 * have the answer and the file has to be opened. */
bool fm_native_recall(struct fm_restore_job *job, const struct fm_native_image *image,
                      struct fm_native_answer *question);

/* Called when the index of an image was opened or is open already. Determines the facts about the image that
 * native_recall.c needs; caches them if answers of the image are cached. */
void fm_native_note_image(struct fm_restore_job *job, struct fm_native_image *image);
/* Caches an answer of an image that is held, if its file has `remembers` set. */
void fm_native_remember(struct fm_restore_job *job, const struct fm_native_image *image,
                        const struct fm_native_answer *question);

#endif
