/* Opens files by paths that may lead into archives, and into archives in these: "app.aab!base/lib/arm64-v8a/libx.so",
 * "all.zip!app.aab!base/lib/arm64-v8a/libx.so". Compressed files are decompressed. The calls of the session and
 * of the public API that open symbol files use it. */
#ifndef FM_CORE_ARCHIVE_MEMBER_FILE_H
#define FM_CORE_ARCHIVE_MEMBER_FILE_H

#include "core/mapfile.h"

/* As fm_mapfile_open_small. If there is no such file and the path has a '!' after the path of an archive, opens the
 * file in the archive that is named after it, with or without a leading '/'. Bytes stored as they are stay mapped;
 * others are decompressed into memory of the heap. A file compressed with gzip, zstd or xz is decompressed, unless it
 * has JSON in it: source maps are, by their own mapper. Errors: also those of fm_member_inflate, with the path in
 * error->where. */
framemap_status fm_member_file_open(const char *path, size_t read_up_to, struct fm_heap *heap, struct fm_mapfile *out,
                                    framemap_error *error);

/* Whether a file of this name is wanted that begins with these bytes, up to 4096. */
typedef bool fm_member_wanted(framemap_str head, framemap_str name);
/* As fm_member_file_open, but of a file compressed with gzip, zstd or xz only the head is decompressed if it is not
 * wanted. Errors: also FORMAT (it is not wanted). */
framemap_status fm_member_file_open_wanted(const char *path, fm_member_wanted *wanted, struct fm_heap *heap,
                                           struct fm_mapfile *out, framemap_error *error);

/* Returns the size of the archive's own path at the start of a path that leads into the archive; 0 if the path does
 * not. Makes system calls. */
size_t fm_archive_path_size(const char *path);

/* As fm_stamp_of, also for a path into an archive: then it is the archive's, with an inode of its own for each name.
 * Whether the archive has that file is not checked. */
bool fm_member_stamp_of(const char *path, struct fm_stamp *out);

#endif
