/* Decompresses input that arrives in pieces: gzip with any number of members, zstd with any number of frames, including
 * frames without data, xz with any number of streams. Called by the other files of this folder, by api/ and session/,
 * by the readers of profiles, and by the reader of ELF's compressed symbol tables. */
#ifndef FM_CORE_ARCHIVE_INFLATE_INPUT_H
#define FM_CORE_ARCHIVE_INFLATE_INPUT_H

#include "core/heap.h"
#include "core/text/buffer.h"

#define FM_COMPRESSED_HEAD ((size_t)6) /* bytes at the start of an input that show whether it is compressed */
/* Whether an input is compressed in a way that this file can decompress. */
bool fm_is_compressed(framemap_str head);
/* Whether `head` is too short for fm_is_compressed to decide: with more bytes the input may prove to be compressed. */
bool fm_may_be_compressed(framemap_str head);

struct fm_inflater;
/* Creates an inflater for the kind of data that `head` begins with. The inflater does not keep `head`: the caller feeds
 * the input from its first byte. Errors: MEMORY; UNSUPPORTED: xz, in a build without liblzma. */
framemap_status fm_inflater_open(framemap_str head, struct fm_heap *heap, struct fm_inflater **out,
                                 framemap_error *error);
/* Creates an inflater as fm_inflater_open does, but for deflate data without a header, as a zip archive has it. */
framemap_status fm_inflater_open_raw(struct fm_heap *heap, struct fm_inflater **out, framemap_error *error);
void fm_inflater_free(struct fm_inflater *inflater);

/* Returns the checksum of gzip and zip (ISO 3309). */
uint32_t fm_crc32(framemap_str bytes);

/* Callback that receives decompressed bytes. */
typedef framemap_status fm_inflated(void *context, framemap_str text, framemap_error *error);
/* Decompresses a piece, and passes on the output in pieces of at most 64 KiB, also the output before damage. Errors:
 * CORRUPT, with the offset in the input; MEMORY; the errors that the callback `taken` returns. */
framemap_status fm_inflater_feed(struct fm_inflater *inflater, framemap_str piece, fm_inflated *taken, void *context,
                                 framemap_error *error);
/* Reports that the input has ended. Errors: TRUNCATED (inside a member, frame or stream). */
framemap_status fm_inflater_end(const struct fm_inflater *inflater, framemap_error *error);

/* Appends all that compressed data hold, up to `most` bytes. Errors: CORRUPT, TRUNCATED, LIMIT, MEMORY. */
framemap_status fm_inflate_whole(framemap_str data, uint64_t most, struct fm_buf *out, framemap_error *error);

#endif
