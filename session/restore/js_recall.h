/* Caches the results that JavaScript frames get from source maps, through recall.h. Called by restore_javascript.c and
 * restore_javascript_files.c.
 *
 * A map is not opened if it was found by name or id, and only its answers are needed. This is the case if it has no
 * parts (of a React Native bundle) and no minified names of Dart, and no source lines are requested. */
#ifndef FM_SESSION_RESTORE_JS_RECALL_H
#define FM_SESSION_RESTORE_JS_RECALL_H

#include "session/restore/restore_javascript_job.h"

/* Sets file->found and file->found_by: the map that was found by name or id. Its index is held, or its file is closed.
 * Errors: MEMORY. */
framemap_status fm_js_find_map(struct fm_restore_job *job, struct fm_js_printed_file *file, framemap_error *error);
/* Opens a map that was not opened so far, because its cached answers do not suffice. If that fails, found.index and
 * held.index are NULL. Errors: MEMORY. */
framemap_status fm_js_open_closed(struct fm_restore_job *job, struct fm_js_printed_file *file, framemap_error *error);

/* Whether the columns of a closed map can be addresses in bytecode. */
bool fm_js_recalls_bytecode(const struct fm_js_printed_file *file);

/* Looks up in the cache whether a closed map names the file as one of its sources, and sets *is_source accordingly.
 * Returns false if the cache does not have the answer and the map has to be opened. */
bool fm_js_recall_source(struct fm_restore_job *job, const struct fm_js_printed_file *file, bool *is_source);
void fm_js_remember_source(struct fm_restore_job *job, const struct fm_js_printed_file *file);

/* Sets the answer for a position in a closed map, from the cache. Returns false if the cache does not have the answer
 * and the map has to be opened. */
bool fm_js_recall(struct fm_restore_job *job, struct fm_js_printed_file *file, struct fm_js_answer *question);
/* Caches an answer of a map that is held, if its file has `remembers` set. */
void fm_js_remember(struct fm_restore_job *job, const struct fm_js_printed_file *file,
                    const struct fm_js_answer *question);

#endif
