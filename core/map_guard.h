/* Keeps the process alive when a file is cut short while it is mapped.
 *
 * Reading a page of a mapping after the file lost it raises SIGBUS. The guard's handler puts zeroed memory in place of
 * the rest of that mapping and marks it as changed, so that the reader goes on, with zeros, and whoever opened the file
 * learns of it by fm_guard_changed.
 *
 * The registry and the handler are state of the whole process: a signal handler can be handed no other. */
#ifndef FM_CORE_MAP_GUARD_H
#define FM_CORE_MAP_GUARD_H

#include <stdbool.h>
#include <stddef.h>

struct fm_guarded_map;

/* Installs the handler, once for the process; SIGBUS at other addresses goes to the handler that was there before. Any
 * thread. false: the system has no such signal or refused. */
bool fm_guard_install(void);

/* Registers a mapping that begins at a page. NULL: there is no memory for its row; the mapping is then not guarded. Any
 * thread. */
struct fm_guarded_map *fm_guard_add(void *map, size_t size);
/* Before the mapping goes. NULL is allowed. Any thread. */
void fm_guard_remove(struct fm_guarded_map *guarded);
/* Whether pages of it were lost and read. NULL: false. Any thread. */
bool fm_guard_changed(const struct fm_guarded_map *guarded);

#endif
