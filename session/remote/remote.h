/* Symbols from a store for one restore call: determines which values its stacks need, requests them together, and
 * provides the indexes that these values form. Used by one thread only. Called by restore.c and the restorers. */
#ifndef FM_SESSION_REMOTE_REMOTE_H
#define FM_SESSION_REMOTE_REMOTE_H

#include "session/session_state.h"

struct fm_remote;

/* Prepares to fetch values from the session's store. *out is NULL if the session has no store. Errors: MEMORY. */
framemap_status fm_remote_open(framemap_session *session, struct fm_heap *heap, struct fm_remote **out,
                               framemap_error *error);
/* Releases everything. NULL is allowed. */
void fm_remote_close(struct fm_remote *remote);
/* Releases all values, and forgets which values the store lacked, so that they are requested again. Called between two
 * batches. NULL is allowed. */
void fm_remote_forget(struct fm_remote *remote);

/* Returns the number of a build, counted from 1. The tenant, the family (api/value_keys.h) and the id identify the
 * values of the build. Its head is requested with the next fetch. Errors: MEMORY. */
framemap_status fm_remote_build(struct fm_remote *remote, framemap_str tenant, const char *family, framemap_str id,
                                uint32_t *out, framemap_error *error);
/* Adds a value to the next fetch. Errors: MEMORY. */
framemap_status fm_remote_want_page(struct fm_remote *remote, uint32_t build, uint64_t page, framemap_error *error);
framemap_status fm_remote_want_class(struct fm_remote *remote, uint32_t build, framemap_str name,
                                     framemap_error *error);
/* Requests all values that are wanted and not known yet from the store, in one call. A store that does not answer is
 * not an error. Errors: MEMORY. */
framemap_status fm_remote_fetch(struct fm_remote *remote, framemap_error *error);

/* Returns the head of a build: an index without entries, which is released with `remote`. Fetches the head if it is not
 * known yet. If *out is NULL, *reason states why the head is missing; *reason NULL: the store does not have the build.
 * Errors: MEMORY. */
framemap_status fm_remote_head(struct fm_remote *remote, uint32_t build, framemap_index **out, const char **reason,
                               framemap_error *error);
/* Returns the value that has the answers for a page or a class of a build that has a head. Fetches the value if it is
 * not known yet. If *out is NULL, *reason states why the value is missing; *reason NULL: the index has no entries for
 * the page or class. Errors: MEMORY. */
framemap_status fm_remote_page(struct fm_remote *remote, uint32_t build, uint64_t page, const struct fm_view **out,
                               const char **reason, framemap_error *error);
framemap_status fm_remote_class(struct fm_remote *remote, uint32_t build, framemap_str name, const struct fm_view **out,
                                const char **reason, framemap_error *error);

#endif
