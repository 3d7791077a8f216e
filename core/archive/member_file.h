/* Opens files by paths that may lead into archives, and into archives inside of archives:
 * "app.aab!base/lib/arm64-v8a/libx.so", "all.zip!app.aab!base/lib/arm64-v8a/libx.so". A path may also lead to a source
 * map in a script: "main.js!webpack-internal:///./src/a.js"; with "main.js!@1234!webpack-internal:///./src/a.js" the
 * search for it starts at offset 1234 of the script. Compressed files are decompressed. The calls of the session and of
 * the public API that open symbol files use it. */
#ifndef FM_CORE_ARCHIVE_MEMBER_FILE_H
#define FM_CORE_ARCHIVE_MEMBER_FILE_H

#include "core/mapfile.h"

/* Opens a file as fm_mapfile_open_small does. If there is no such file, the path may be the path of an archive, a '!',
 * and a name with or without a leading '/': then the file of this name in the archive is opened. A file that the
 * archive stores uncompressed stays mapped; other files are decompressed into memory of the heap. A file compressed
 * with gzip, zstd or xz is decompressed, unless it has JSON in it: the mapper of source maps decompresses those itself.
 * Errors: also those of fm_member_inflate, with the path in error->where. */
framemap_status fm_member_file_open(const char *path, size_t read_up_to, struct fm_heap *heap, struct fm_mapfile *out,
                                    framemap_error *error);

/* Callback: whether the caller wants a file of this name that begins with these bytes, at most 4096. */
typedef bool fm_member_wanted(framemap_str head, framemap_str name);
/* Opens a file as fm_member_file_open does, but calls `wanted` first. If a file is compressed with gzip, zstd or xz and
 * is not wanted, only its head is decompressed. Errors: also FORMAT (it is not wanted). */
framemap_status fm_member_file_open_wanted(const char *path, fm_member_wanted *wanted, struct fm_heap *heap,
                                           struct fm_mapfile *out, framemap_error *error);

/* Returns the size of the archive's own path at the start of a path that leads into the archive; 0 for any other path.
 * Makes system calls. */
size_t fm_archive_path_size(const char *path);

/* Gets a file's stamp as fm_stamp_of does. For a path into an archive it is the archive's stamp with another inode
 * number for each name; whether the archive has that file is not checked. */
bool fm_member_stamp_of(const char *path, struct fm_stamp *out);

#endif
