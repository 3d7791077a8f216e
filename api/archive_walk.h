/* Walks over the symbol files in an archive: what framemap_archive_symbols does, with the caller's heap. */
#ifndef FM_API_ARCHIVE_WALK_H
#define FM_API_ARCHIVE_WALK_H

#include "core/heap.h"
#include <framemap/file.h>

/* Advice for an archive of Xcode that has no dSYMs. */
#define FM_ADVICE_FOR_XCODE "archive again with the Debug Information Format \"DWARF with dSYM File\""

/* Takes ownership of the bytes that `each` was called with last, a block of the heap. context: that of the options.
 * false: the walk keeps them, and frees them. */
typedef bool fm_archive_keep(void *context, framemap_str block);
/* Does what framemap_archive_symbols does, with memory of the caller's. options: with defaults already set. keep: NULL
 * if nothing is taken over. heap: memory for what is decompressed. */
framemap_status fm_archive_symbols_kept(framemap_str bytes, const framemap_archive_options *options,
                                        fm_archive_keep *keep, struct fm_heap *heap, framemap_error *error);

#endif
