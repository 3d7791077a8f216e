/* Prints a Swift name that was read. Called by swift_demangle.c. */
#ifndef FM_RESOLVE_DEMANGLE_SWIFT_SWIFT_PRINT_H
#define FM_RESOLVE_DEMANGLE_SWIFT_SWIFT_PRINT_H

#include "resolve/demangle/swift/swift_printer.h"

/* Initialises the printer and prints a name into p->text, p->size bytes. is_full: as for fm_swift_demangle. false: the
 * name is malformed, has no text, or exceeds a limit. */
bool fm_swift_print_name(struct fm_swift_printer *p, struct fm_swift_pool *pool, struct fm_swift_node *name,
                         bool is_full);

#endif
