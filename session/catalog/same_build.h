/* Whether two files are of one build where no build id says so. One thread at a time (the session's lock). */
#ifndef FM_SESSION_CATALOG_SAME_BUILD_H
#define FM_SESSION_CATALOG_SAME_BUILD_H

#include "core/mapfile.h"
#include "mappers/native/image/image.h"
#include "session/catalog/catalog.h"

/* An object file that is looked into. */
struct fm_looked {
    struct fm_mapfile file;
    struct fm_arena arena;
    struct fm_image image;
};
/* arch: the slice of a fat file, or NULL. false: it can't be read, or is no object file; nothing is to be closed then.
 */
bool fm_look_into(const char *path, const char *arch, struct fm_heap *heap, struct fm_looked *out);
void fm_look_away(struct fm_looked *looked);

/* Whether `other`, which is at the place or has the name that .gnu_debuglink of the image says, is its debug file: by
 * the build id where both have one (dwz and others change files after they were linked to), else by the checksum. why:
 * when it is not, room for FRAMEMAP_ERROR_MESSAGE_SIZE. */
bool fm_is_linked(const struct fm_image *image, const struct fm_looked *other, char *why);

/* What was found out, so that no pair of files is read twice. */
struct fm_same_builds {
    struct fm_heap *heap;
    framemap_warning warning; /* of a debug file that is of another build than the program that names it; may be NULL */
    void *context;
    struct fm_pair *pairs;
    size_t count, capacity;
    struct fm_table table;
};
void fm_same_builds_init(struct fm_same_builds *builds, struct fm_heap *heap, framemap_warning warning, void *context);
void fm_same_builds_free(struct fm_same_builds *builds);

/* Two entries, of which one at least has no id, are of one build when
 *   - the files are equal, byte for byte; or
 *   - one names the other in .gnu_debuglink and has its checksum (a name with another checksum is a no); or
 *   - both have the same code at the same addresses and, where both have debug info, the same debug info; or
 *   - one is an index with the other's name plus ".fmx", beside it and not older: what `framemap index` writes.
 * builds: struct fm_same_builds. As fm_catalog.same_build. */
bool fm_same_build(void *builds, const struct fm_entry *a, const struct fm_entry *b);

#endif
