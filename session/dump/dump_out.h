/* Declares the state of a dump, and the functions that the files of this folder share: dump.c (the driver, which
 * also dumps indexes of positions), dump_classes.c and dump_segments.c. */
#ifndef FM_SESSION_DUMP_DUMP_OUT_H
#define FM_SESSION_DUMP_DUMP_OUT_H

#include "api/index_handle.h"
#include "core/text/buffer.h"
#include "index/read/classes/class_view.h"
#include "index/read/segments/segment_view.h"

#define FM_DUMP_FLUSH ((size_t)64 << 10) /* bytes passed to the caller's callback at once */

struct fm_dump {
    const framemap_index *index;
    struct fm_view_about about;
    struct fm_heap *heap;
    struct fm_arena arena; /* memory for the record that is being written; reused for the next record */
    struct fm_buf out;     /* fm_buf_str escapes control characters in it; line ends are appended by fm_dump_end_line or
                              fm_buf_byte */
    framemap_write write;
    void *context;
    uint64_t left; /* bytes that may still be written; at first FM_LIMIT_INDEX_DUMP for each byte of the index */
};

/* Passes the buffered output to the caller's callback if it has at least `least` bytes. Errors: MEMORY, IO, LIMIT. */
framemap_status fm_dump_flush(struct fm_dump *dump, size_t least, framemap_error *error);

/* Appends words and a line end. */
void fm_dump_end_line(struct fm_buf *out, framemap_str words);

/* Writes an index of renamed classes: as text it reads like a mapping file, with additions after '#'; as JSON, one
 * object for each class, line range of a method, and field. */
framemap_status fm_dump_classes(struct fm_dump *dump, bool json, framemap_error *error);

/* Writes an index of a source map: as text one line for each source, segment, start of a function and list of offsets;
 * as JSON one object for each. Lines and columns count from 1, as `framemap lookup` takes them. */
framemap_status fm_dump_segments(struct fm_dump *dump, bool json, framemap_error *error);

#endif
