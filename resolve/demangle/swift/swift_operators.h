/* Reads a Swift name: its operators, one after the other. Called by swift_demangle.c and, for names within names, by
 * swift_print_special.c. */
#ifndef FM_RESOLVE_DEMANGLE_SWIFT_SWIFT_OPERATORS_H
#define FM_RESOLVE_DEMANGLE_SWIFT_SWIFT_OPERATORS_H

#include "resolve/demangle/swift/swift_reader.h"

/* Initialises a reader for a name with its prefix. false: the prefix is not one of Swift's. */
bool fm_swift_reader_init(struct fm_swift_reader *r, struct fm_swift_pool *pool, framemap_str name);
/* Reads the whole name. Returns the node GLOBAL. */
struct fm_swift_node *fm_swift_read(struct fm_swift_reader *r);

#endif
