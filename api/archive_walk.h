/* Walks over the symbol files in an archive: what framemap_archive_symbols does, with the caller's heap. */
#ifndef FM_API_ARCHIVE_WALK_H
#define FM_API_ARCHIVE_WALK_H

#include "core/heap.h"
#include <framemap/file.h>

/* Advice for an archive of Xcode that has no dSYMs. */
#define FM_ADVICE_FOR_XCODE "archive again with the Debug Information Format \"DWARF with dSYM File\""

/* Callback that may take over the bytes that framemap_archive_options.each has just received. The bytes are a block of
 * the walk's heap. context: framemap_archive_options.context. Returns false if it does not take them over; the walk
 * then frees them. */
typedef bool fm_archive_keep(void *context, framemap_str block);
/* Does what framemap_archive_symbols does, but allocates from the given heap. options: defaults must be set already.
 * keep: NULL if the caller takes over no bytes. */
framemap_status fm_archive_symbols_kept(framemap_str bytes, const framemap_archive_options *options,
                                        fm_archive_keep *keep, struct fm_heap *heap, framemap_error *error);

#endif
