/* Lists the source files in an archive: a zip or jar of sources, or a source bundle of Sentry. Called by
 * source_tree.c. */
#ifndef FM_SESSION_SOURCES_SOURCE_ARCHIVE_H
#define FM_SESSION_SOURCES_SOURCE_ARCHIVE_H

#include "core/heap.h"

/* Receives a source file. path: the name that symbols have for the file; stored: its name in the archive. Both are
 * borrowed for the call. Returns false if out of memory. */
typedef bool fm_keep_source(void *context, framemap_str path, framemap_str stored);

/* Passes the files of an archive to `keep`. A source bundle is an archive with a file manifest.json:
 *
 *     {"files": {NAME: {"type": "source", "path": PATH, "url": URL}}}
 *
 * NAME is the name of a file in the archive. In symbols, the file is named by PATH, or by URL if there is no PATH. Only
 * files of the type "source" are added. A URL that ends with ".jvm" names a class in Java or Kotlin, without stating in
 * which of the two. So the file is added under two names, one with ".java" and one with ".kt". Errors: IO, those of
 * fm_archive_open, CORRUPT (the manifest is not JSON), MEMORY. */
framemap_status fm_source_archive_list(const char *path, struct fm_heap *heap, fm_keep_source *keep, void *context,
                                       framemap_error *error);

#endif
