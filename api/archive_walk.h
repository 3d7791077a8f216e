/* Walks over the symbol files in an archive: what framemap_archive_symbols does, with the caller's heap. */
#ifndef FM_API_ARCHIVE_WALK_H
#define FM_API_ARCHIVE_WALK_H

#include "core/heap.h"
#include <framemap/file.h>

/* heap: of what is decompressed. options: with defaults already set. Errors: as framemap_archive_symbols. */
framemap_status fm_archive_symbols(framemap_str bytes, const framemap_archive_options *options, struct fm_heap *heap,
                                   framemap_error *error);

#endif
