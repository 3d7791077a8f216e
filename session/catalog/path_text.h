/* Writes paths into buffers of fixed size, and determines which paths are outside of a folder (docs/security.md).
 * Called by the scan of symbol paths, debug_files.c, companion_candidates.c and sources/. */
#ifndef FM_SESSION_CATALOG_PATH_TEXT_H
#define FM_SESSION_CATALOG_PATH_TEXT_H

#include <framemap/base.h>

#define FM_PATH_ROOM 4096

/* Writes the path as printf does, with a NUL at the end. Returns false if the path is empty or does not fit. */
#if defined(__GNUC__)
__attribute__((format(printf, 2, 3)))
#endif
bool
fm_path_make(char out[FM_PATH_ROOM], const char *format, ...);

/* Whether a path is below a folder after all symbolic links are resolved. whole: the path, already resolved by
 * realpath. folder: the folder, not resolved; "" is the current folder. Returns false if the folder does not exist. */
bool fm_is_below(const char *folder, const char *whole);

/* Returns the folder of a file, with the final slash; empty if the path has no folder. Borrowed from the path. */
framemap_str fm_folder_of(const char *path);

#endif
