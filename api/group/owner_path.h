/* Completes the source path of a frame, to look up code owners and to find the source file. Called by example.c, mark.c
 * and session/. */
#ifndef FM_API_GROUP_OWNER_PATH_H
#define FM_API_GROUP_OWNER_PATH_H

#include "core/text/buffer.h"
#include <framemap/frame.h>

/* Returns the path of the source file. Symbols of Java have only the name of the file, so the folders of the class's
 * package are put before it; other paths are returned as symbols have them. kind: kind of the frame that was restored
 * to `source`. The result is in `words`, whose contents are replaced, or borrowed from `source`. */
framemap_str fm_source_path(struct fm_buf *words, framemap_kind kind, const framemap_frame *source);

#endif
