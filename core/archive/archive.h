/* Files inside of archives: zip (apk, aab, aar, jar), and ar with GNU's and BSD's names (.a). Also compressed files
 * (gzip, zstd, xz) and kernels (bzImage), as archives of one member without a name. Everything is read in memory;
 * nothing is written. Knows nothing of what the members are. Called by member_file.c, by api/ and session/, and by the
 * mapper of R8's mappings. */
#ifndef FM_CORE_ARCHIVE_ARCHIVE_H
#define FM_CORE_ARCHIVE_ARCHIVE_H

#include "core/archive/archive_types.h"
#include "core/heap.h"

/* Opens bytes that begin like an archive or a compressed file and are not a foreign archive (fm_archive_foreign).
 * Errors: FORMAT (they are neither); CORRUPT if the directory is damaged; LIMIT. */
framemap_status fm_archive_open(framemap_str bytes, struct fm_archive *out, framemap_error *error);
/* Opens a script as an archive whose members are the source maps of the modules that the script passes to eval; it may
 * have no members. The members are stored, not compressed, and named by the modules' URLs:
 * "webpack-internal:///./src/a.js". */
void fm_archive_open_script(framemap_str bytes, struct fm_archive *out);
/* Explains why bytes that have the form of an archive are not a file of symbols (a Debian package, a Kotlin library):
 * returns the end of the sentence "this is …", which names the kind of file and says what to give instead. Returns NULL
 * for any other bytes. */
const char *fm_archive_foreign(framemap_str bytes);
/* Returns the next member. *more: false after the last one. Errors: CORRUPT (a record is damaged, members overlap);
 * LIMIT. */
framemap_status fm_archive_next(struct fm_archive *archive, struct fm_archive_member *out, bool *more,
                                framemap_error *error);
/* Finds the first member that has this name. *found: whether the archive has such a member. */
framemap_status fm_archive_find(framemap_str bytes, framemap_str name, struct fm_archive_member *out, bool *found,
                                framemap_error *error);

/* Writes the first bytes of a member to `room`; fewer if it is smaller. Errors: CORRUPT, UNSUPPORTED, MEMORY. */
framemap_status fm_member_head(const struct fm_archive_member *member, struct fm_heap *heap, char *room, size_t size,
                               size_t *got, framemap_error *error);
/* Decompresses a member into memory of the heap, which the caller frees. The member must be a compressed one. most:
 * bytes that it may inflate to. Errors: CORRUPT (damaged, or another size or checksum than is stated), TRUNCATED,
 * UNSUPPORTED, LIMIT, MEMORY. */
framemap_status fm_member_inflate(const struct fm_archive_member *member, struct fm_heap *heap, uint64_t most,
                                  framemap_str *out, framemap_error *error);

#endif
