/* What identifies an object file that a Mach-O image names in its debug map: its path, "libx.a(x.o)" in a static
 * archive, and when it was last modified. Called by companion_files.c. */
#ifndef FM_SESSION_CATALOG_OBJECT_FILES_H
#define FM_SESSION_CATALOG_OBJECT_FILES_H

#include "core/archive/archive.h"

/* Splits "libx.a(x.o)" into the path of a static archive and the name of a file in it. Another name is left alone. */
void fm_object_path_split(framemap_str name, framemap_str *path, framemap_str *member);

/* How many bytes two paths have in common at their ends. */
size_t fm_object_common_end(framemap_str path, framemap_str stated);

/* Whether a file was modified at a time: seconds since 1970 as decimal digits; absent: at any. */
bool fm_object_is_of_time(const char *path, framemap_str time);

/* The next file of a name in an open archive that was modified at that time. false: there is none. */
bool fm_object_member_next(struct fm_archive *archive, framemap_str name, framemap_str time, framemap_str *out);

#endif
