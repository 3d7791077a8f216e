/* Determines whether two files come from one build if no build id says so. The caller holds the session's lock.
 */
#ifndef FM_SESSION_CATALOG_SAME_BUILD_H
#define FM_SESSION_CATALOG_SAME_BUILD_H

#include "core/mapfile.h"
#include "mappers/native/image/image.h"
#include "session/catalog/catalog.h"

/* An open object file. */
struct fm_looked {
    struct fm_mapfile file;
    struct fm_arena arena;
    struct fm_image image;
};
/* Opens an object file. arch: the slice of a fat file, or NULL. Returns false if the file cannot be read or is not an
 * object file; nothing has to be closed then. */
bool fm_look_into(const char *path, const char *arch, struct fm_heap *heap, struct fm_looked *out);
void fm_look_away(struct fm_looked *looked);

/* Whether `other`, the file that .gnu_debuglink of the image names, is the debug file of the image. If both files have
 * a build id, the ids decide, because dwz and other tools change a file after the link to it was made. Otherwise the
 * checksum decides. why: room for FRAMEMAP_ERROR_MESSAGE_SIZE bytes; written if the result is false. */
bool fm_is_linked(const struct fm_image *image, const struct fm_looked *other, char *why);

/* Stores the results so far, so that no pair of files is read twice. */
struct fm_same_builds {
    struct fm_heap *heap;
    /* reports a debug file that belongs to another build than the program that names it; may be NULL */
    framemap_warning warning;
    void *context;
    struct fm_pair *pairs;
    size_t count, capacity;
    struct fm_table table;
};
void fm_same_builds_init(struct fm_same_builds *builds, struct fm_heap *heap, framemap_warning warning, void *context);
void fm_same_builds_free(struct fm_same_builds *builds);

/* Whether two entries, of which at least one has no id, are of one build. This is so if
 *   - the files are equal, byte for byte; or
 *   - one names the other in .gnu_debuglink, with the right checksum (with a wrong checksum they are not of one build);
 * or
 *   - both have the same code at the same addresses and, if both have debug info, the same debug info; or
 *   - one is an index, named as the other file plus ".fmx", next to that file and not older than it: the output of
 * `framemap index`. builds: struct fm_same_builds. Used as fm_catalog.same_build. */
bool fm_same_build(void *builds, const struct fm_entry *a, const struct fm_entry *b);

#endif
