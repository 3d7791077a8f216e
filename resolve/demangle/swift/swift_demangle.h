/* Demangles Swift's symbol names: "$s4main3AppV3runyyF" becomes "App.run()". */
#ifndef FM_RESOLVE_DEMANGLE_SWIFT_SWIFT_DEMANGLE_H
#define FM_RESOLVE_DEMANGLE_SWIFT_SWIFT_DEMANGLE_H

#include "core/heap.h"

/* Demangles a name of Swift 4 or newer, or the name that Swift gives a class at run time ("_TtC4main3App").
 * is_full: with modules and types, as swift-demangle prints it: "main.App.run() -> ()"; otherwise the simplified form
 * with argument labels, as Xcode and atos print it. *out: the text, in the arena. false: the name is not valid, it
 * exceeds the limits, or there is no memory. */
bool fm_swift_demangle(framemap_str name, bool is_full, struct fm_arena *arena, framemap_str *out);

#endif
