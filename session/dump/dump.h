/* Dumps of a whole index: what their parts share. */
#ifndef FM_SESSION_DUMP_DUMP_H
#define FM_SESSION_DUMP_DUMP_H

#include "api/index_handle.h"
#include "core/text/buffer.h"
#include "index/read/classes/class_view.h"
#include "index/read/segments/segment_view.h"

#define FM_DUMP_FLUSH ((size_t)64 << 10) /* bytes that are handed on at once */

struct fm_dump {
    const framemap_index *index;
    struct fm_view_about about;
    struct fm_heap *heap;
    struct fm_arena arena; /* of the row at hand */
    struct fm_buf out; /* which shows what is appended by fm_buf_str: line ends are put by fm_dump_end or fm_buf_byte */
    framemap_write write;
    void *context;
    uint64_t left; /* bytes that may still be written: FM_LIMIT_INDEX_DUMP for each of the index */
};

/* Hands on what is written where it is at least so much. Errors: MEMORY, IO, LIMIT. */
framemap_status fm_dump_flush(struct fm_dump *dump, size_t least, framemap_error *error);

/* Ends a line with some words. */
void fm_dump_end(struct fm_buf *out, framemap_str words);

/* The rows of an index of renamed classes: for people as a mapping file reads, with what is not its text behind '#'; or
 * one JSON object for each class, each range of a method and each field. */
framemap_status fm_dump_classes(struct fm_dump *dump, bool json, framemap_error *error);

/* The rows of an index of a source map: for people one line a source, a segment, a function's begin and a list of
 * offsets; or one JSON object for each. Lines and columns from 1, as lookup takes them. */
framemap_status fm_dump_segments(struct fm_dump *dump, bool json, framemap_error *error);

#endif
