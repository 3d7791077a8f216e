/* Reads the names that Swift gives classes and protocols at run time, "_TtC4main3App": the only names of Swift 1 to 3
 * that are still made. */
#ifndef FM_RESOLVE_DEMANGLE_SWIFT_SWIFT_OLD_H
#define FM_RESOLVE_DEMANGLE_SWIFT_SWIFT_OLD_H

#include "resolve/demangle/swift/swift_reader.h"

/* Reads the text after "_Tt". Returns the node GLOBAL; NULL: the name is not one of a class, structure, enum, protocol
 * list or generic type, or a limit was exceeded. */
struct fm_swift_node *fm_swift_old_read(struct fm_swift_reader *r, struct fm_swift_pool *pool, framemap_str text);

#endif
