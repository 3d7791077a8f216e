/* Debug info that is in another file than the image: which answers that file would complete, and which file it is.
 * Called by the native resolver, and by restore, which reports the files that are missing. Nothing is opened here. */
#ifndef FM_RESOLVE_NATIVE_COMPANION_FILE_H
#define FM_RESOLVE_NATIVE_COMPANION_FILE_H

#include "core/heap.h"
#include "index/read/view.h"
#include <framemap/index.h>

/* Reasons of frames with the status FRAMEMAP_FRAME_SYMBOL; compared by address. */
extern const char fm_no_lines[];      /* the debug info of the code is in a .dwo file */
extern const char fm_no_object[];     /* the debug info of the code is in an object file that a Mach-O image names */
extern const char fm_no_names[];      /* names of functions are in a file that dwz made */
extern const char fm_not_relocated[]; /* no lines: the debug info of an object file has relocations of unsupported
                                         kinds. No other file has the lines */

/* Whether functions may have no name because it is in a file that was not read. */
bool fm_lacks_names(const struct fm_view *view);

/* Gets the path of the .dwo file or object file that has the debug info of a position of the image, in the arena or
 * borrowed from the view. false: none is recorded; *path is not valid then. */
bool fm_split_file(const struct fm_view *view, uint64_t scope, uint64_t position, struct fm_arena *arena,
                   framemap_str *path);

/* Finds the file that would complete the answer to a query whose frame has this reason: its path, and its id, which may
 * be absent; both in the arena or borrowed from the view. false: it is another reason, or no file is recorded. */
bool fm_resolve_companion(const struct fm_view *view, const framemap_query *query, const char *reason,
                          struct fm_arena *arena, framemap_str *path, framemap_str *id);

#endif
