/* Keeps the process alive when a file is truncated while it is mapped.
 * Reading a mapped page that the file no longer has raises SIGBUS. The guard's handler replaces the rest of that
 * mapping by zeroed memory and marks it as changed. The reader continues with zeros, and the caller that opened the
 * file checks fm_guard_changed.
 *
 * The registry and the handler are process-wide state, because a signal handler has no other. */
#ifndef FM_CORE_MAP_GUARD_H
#define FM_CORE_MAP_GUARD_H

#include <stdbool.h>
#include <stddef.h>

struct fm_guarded_map;

/* Installs the handler, once per process; SIGBUS at other addresses is passed to the previous handler. Any thread.
 * false: the system has no such signal, or refused. */
bool fm_guard_install(void);

/* Registers a mapping that starts on a page boundary. NULL: out of memory; the mapping is then not guarded. Any thread.
 */
struct fm_guarded_map *fm_guard_add(void *map, size_t size);
/* Removes a mapping from the registry; call it before unmapping. guarded may be NULL. Any thread. */
void fm_guard_remove(struct fm_guarded_map *guarded);
/* Whether lost pages of the mapping were read. NULL: false. Any thread. */
bool fm_guard_changed(const struct fm_guarded_map *guarded);

#endif
