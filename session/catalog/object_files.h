/* A Mach-O image names object files in its debug map. They are recognized by two properties, which are compared here:
 * the path, such as "libx.a(x.o)" in a static archive, and the time of the last modification. Called by
 * companion_files.c. */
#ifndef FM_SESSION_CATALOG_OBJECT_FILES_H
#define FM_SESSION_CATALOG_OBJECT_FILES_H

#include "core/archive/archive.h"
#include "core/hash/hash.h"

/* Splits "libx.a(x.o)" into the path of a static archive and the name of a file in it. A name of another form is
 * returned unchanged in *path. */
void fm_object_path_split(framemap_str name, framemap_str *path, framemap_str *member);

/* Returns how many bytes two paths have in common at their ends. */
size_t fm_object_common_end(framemap_str path, framemap_str stated);

/* Whether a file was modified at a time. time: seconds since 1970 as decimal digits; if it is absent, any time is
 * accepted. */
bool fm_object_is_of_time(const char *path, framemap_str time);

/* The files in a static archive by their names. Initialise it with zeros. A program may have thousands of object files
 * in one archive, so the archive is read only once. */
struct fm_object_members {
    struct fm_heap *heap; /* heap of the rows; NULL: the archive was not read */
    struct fm_object_member *rows;
    size_t count, capacity;
    struct fm_table table; /* the first file of each name */
};

/* Reads the archive up to the first damage. If the bytes are not an archive, there are no files. Returns false if out
 * of memory. */
bool fm_object_members_read(struct fm_object_members *members, struct fm_heap *heap, framemap_str bytes);
void fm_object_members_free(struct fm_object_members *members);

/* Finds the next file that has the given name and modification time, in the order of the archive. *at: 0 for the first
 * call with a name; further calls with this name use the value that the last call left. Returns false if not found. */
bool fm_object_members_next(const struct fm_object_members *members, framemap_str name, framemap_str time, size_t *at,
                            framemap_str *out);

#endif
