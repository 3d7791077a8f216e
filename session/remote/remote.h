/* Symbols from a store for one restore call: which values its stacks need, requested together, and the indexes that
 * these values form. One thread. Called by restore.c and the restorers. */
#ifndef FM_SESSION_REMOTE_REMOTE_H
#define FM_SESSION_REMOTE_REMOTE_H

#include "session/session_state.h"

struct fm_remote;

/* Prepares to fetch values from the session's store. *out NULL: the session has no store. Errors: MEMORY. */
framemap_status fm_remote_open(framemap_session *session, struct fm_heap *heap, struct fm_remote **out,
                               framemap_error *error);
/* Releases everything. NULL is allowed. */
void fm_remote_close(struct fm_remote *remote);
/* Releases all values, and forgets which ones the store did not have, so that those are requested again. Called
 * between two batches. NULL is allowed. */
void fm_remote_forget(struct fm_remote *remote);

/* Returns the number of a build, from 1: the values with that tenant, family (api/value_keys.h) and id. Its head is
 * requested with the next fetch. Errors: MEMORY. */
framemap_status fm_remote_build(struct fm_remote *remote, framemap_str tenant, const char *family, framemap_str id,
                                uint32_t *out, framemap_error *error);
/* Requests a value with the next fetch. Errors: MEMORY. */
framemap_status fm_remote_want_page(struct fm_remote *remote, uint32_t build, uint64_t page, framemap_error *error);
framemap_status fm_remote_want_class(struct fm_remote *remote, uint32_t build, framemap_str name,
                                     framemap_error *error);
/* Requests all values that are wanted and not known yet from the store, in one call. A store that does not answer is
 * not an error. Errors: MEMORY. */
framemap_status fm_remote_fetch(struct fm_remote *remote, framemap_error *error);

/* Returns the head of a build: an index without entries. It is released with `remote`. *reason: why there is none;
 * NULL: the store does not have the build. The head is fetched if it is not known yet. Errors: MEMORY. */
framemap_status fm_remote_head(struct fm_remote *remote, uint32_t build, framemap_index **out, const char **reason,
                               framemap_error *error);
/* Returns the value that answers for a page or a class of a build that has a head. *out NULL: *reason says why the
 * value is missing; *reason NULL: the index has nothing there. The value is fetched if it is not known yet. Errors:
 * MEMORY. */
framemap_status fm_remote_page(struct fm_remote *remote, uint32_t build, uint64_t page, const struct fm_view **out,
                               const char **reason, framemap_error *error);
framemap_status fm_remote_class(struct fm_remote *remote, uint32_t build, framemap_str name, const struct fm_view **out,
                                const char **reason, framemap_error *error);

#endif
