/* Where the debug info of an image is that was split from it: by build id or UUID, by .gnu_debuglink and its checksum,
 * as a dSYM. Called by session.c under its lock. */
#ifndef FM_SESSION_CATALOG_DEBUG_FILES_H
#define FM_SESSION_CATALOG_DEBUG_FILES_H

#include "session/catalog/same_build.h"
#include "session/catalog/scan_paths.h"

/* What a search for an entry's debug info found, kept for as long as the session lives. */
struct fm_debug_file {
    const struct fm_entry *of;
    const struct fm_entry *entry; /* the best file of this build: `of` itself where there is no better one */
    struct fm_stamp stamp;        /* of that file when it was checked */
    const char *refused_path; /* a file that .gnu_debuglink, or a bundle's name, leads to and that is of another build,
                                 and why; NULL: there is none */
    const char *refused;
    const char *wanted; /* what a user has to give: fm_image_describe_debug_file; NULL: there is debug info, or it is no
                           object file */
    const char *lack;   /* the same as a sentence about a stripped file; NULL: it is not stripped */
    size_t known;       /* entries in the catalog when it was searched */
};

struct fm_debug_files {
    struct fm_scan_host host;
    struct fm_arena arena;
    const char *const *folders; /* borrowed; as framemap_session_options.debug_folders */
    size_t folder_count;
    struct fm_debug_file *rows;
    size_t count, capacity;
    struct fm_table table;
};
void fm_debug_files_init(struct fm_debug_files *files, const struct fm_scan_host *host);
void fm_debug_files_free(struct fm_debug_files *files);

/* Searches, for an image that has no debug info: the catalog and each folder's .build-id tree by id; a dSYM beside it,
 * or beside the bundle that it is in; and for the name in .gnu_debuglink beside it, in .debug/ there, in the catalog,
 * and in each folder under the path of the image's own. A file that is found by the link has to have the link's
 * checksum, or the image's build id; one that has neither is warned of and not used. What is found is added to the
 * catalog. *out is valid until the next call. false: out of memory. */
bool fm_debug_files_find(struct fm_debug_files *files, const struct fm_entry *entry, const struct fm_debug_file **out);

#endif
