/* Finds the separate debug file of an image: by build id or UUID, by .gnu_debuglink and its checksum, or as a dSYM.
 * Called by session.c under its lock. */
#ifndef FM_SESSION_CATALOG_DEBUG_FILES_H
#define FM_SESSION_CATALOG_DEBUG_FILES_H

#include "session/catalog/same_build.h"
#include "session/catalog/scan/scan_paths.h"

/* The result of a search for the debug info of an entry. It is stored as long as the session lives. */
struct fm_debug_file {
    const struct fm_entry *of;
    /* the file with the most debug info for the build of `of`; `of` itself if no other file has more */
    const struct fm_entry *entry;
    struct fm_stamp stamp; /* stamp of the file of `entry` at the time when the file was checked */
    /* path of a file that .gnu_debuglink or the name of a bundle leads to, but that belongs to another build; NULL:
     * there is no such file */
    const char *refused_path;
    const char *refused;
    /* text that states which file the user has to provide (fm_image_describe_debug_file); NULL: there is debug info, or
     * the image is not an object file */
    const char *wanted;
    const char *lack; /* the reason, as a sentence about a stripped file; NULL: the image is not stripped */
    size_t known;     /* number of entries in the catalog at the time of the search */
};

struct fm_debug_files {
    struct fm_scan_host host;
    struct fm_arena arena;
    const char *const *folders; /* framemap_session_options.debug_folders, borrowed */
    size_t folder_count;
    const char *package; /* name of the package, as in framemap_session_options */
    struct fm_debug_file *rows;
    size_t count, capacity;
    struct fm_table table;
};
void fm_debug_files_init(struct fm_debug_files *files, const struct fm_scan_host *host);
void fm_debug_files_free(struct fm_debug_files *files);

/* Searches for the debug info of an image that has none itself:
 * - by id, in the catalog and in the .build-id tree of each folder of debug files;
 * - for a dSYM, next to the image or next to the bundle that contains the image;
 * - by the name in .gnu_debuglink, next to the image, in .debug/ below the image's folder, in the catalog, and below
 *   each folder of debug files under the image's own path.
 *
 * A file that was found by its name must have the checksum in the link or the build id of the image. Otherwise a
 * warning is reported, and the file is not used. Files that are found are added to the catalog. *out is valid until the
 * next call. Returns false if out of memory. */
bool fm_debug_files_find(struct fm_debug_files *files, const struct fm_entry *entry, const struct fm_debug_file **out);

#endif
