/* Declares the state of a dump, and the functions that the files of this folder share: dump.c (the driver, which
 * also dumps indexes of positions), dump_classes.c and dump_segments.c. */
#ifndef FM_SESSION_DUMP_DUMP_OUT_H
#define FM_SESSION_DUMP_DUMP_OUT_H

#include "api/index_handle.h"
#include "core/text/buffer.h"
#include "index/read/classes/class_view.h"
#include "index/read/segments/segment_view.h"

/* bytes that are passed to the caller's callback at once */
#define FM_DUMP_FLUSH ((size_t)64 << 10)

struct fm_dump {
    const framemap_index *index;
    struct fm_view_about about;
    struct fm_heap *heap;
    struct fm_arena arena; /* memory for the record that is being written; reused for the next record */
    /* the buffer: fm_buf_str escapes control characters that it appends; fm_dump_end_line or fm_buf_byte append line
     * ends */
    struct fm_buf out;
    framemap_write write;
    void *context;
    /* number of bytes that may still be written; at first FM_LIMIT_INDEX_DUMP for each byte of the index */
    uint64_t left;
};

/* Passes the buffered output to the caller's callback if it has at least `least` bytes. Errors: MEMORY, IO, LIMIT. */
framemap_status fm_dump_flush(struct fm_dump *dump, size_t least, framemap_error *error);

/* Appends words and a line end. */
void fm_dump_end_line(struct fm_buf *out, framemap_str words);

/* Writes an index of renamed classes. As text it reads like a mapping file, with additions after '#'; as JSON there is
 * one object for each class, line range of a method, and field. */
framemap_status fm_dump_classes(struct fm_dump *dump, bool json, framemap_error *error);

/* Writes an index of a source map. As text there is one line for each source, segment, start of a function and list of
 * offsets; as JSON one object for each of these. Lines and columns count from 1, as in the arguments of `framemap
 * lookup`. */
framemap_status fm_dump_segments(struct fm_dump *dump, bool json, framemap_error *error);

#endif
