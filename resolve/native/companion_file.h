/* Determines which answers are incomplete because part of the debug info is in another file than the image, and which
 * file this is. Called by the native resolver, and by session/restore, which reports the files that are missing. These
 * functions open no file. */
#ifndef FM_RESOLVE_NATIVE_COMPANION_FILE_H
#define FM_RESOLVE_NATIVE_COMPANION_FILE_H

#include "core/heap.h"
#include "index/read/view.h"
#include <framemap/index.h>

/* Reasons of frames with the status FRAMEMAP_FRAME_SYMBOL. Readers compare their addresses, not their texts. */
extern const char fm_no_lines[];      /* the debug info of the code is in a .dwo file */
extern const char fm_no_object[];     /* the debug info of the code is in an object file that a Mach-O image names */
extern const char fm_no_names[];      /* names of functions are in a file that dwz made */
extern const char fm_not_relocated[]; /* the debug info of an object file has relocations of unsupported kinds; no other
                                         file has the lines */

/* Whether functions may lack a name because the name is in a file that was not read. */
bool fm_lacks_names(const struct fm_view *view);

/* Gets the path of the .dwo file or object file that has the debug info of a position of the image; it is in the arena
 * or borrowed from the view. false: no file is recorded, and *path is not valid. */
bool fm_split_file(const struct fm_view *view, uint64_t scope, uint64_t position, struct fm_arena *arena,
                   framemap_str *path);

/* Gets the path and the id of the file that would complete the answer to a query whose frame has this reason. The id
 * may be absent; both are in the arena or borrowed from the view. false: no file can complete an answer with this
 * reason, or none is recorded. */
bool fm_resolve_companion(const struct fm_view *view, const framemap_query *query, const char *reason,
                          struct fm_arena *arena, framemap_str *path, framemap_str *id);

#endif
