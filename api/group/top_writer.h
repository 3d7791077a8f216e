/* Writes the tables of groups, functions and trees, as text or JSON. Called by groups_print.c and
 * weight_tree_print.c. */
#ifndef FM_API_GROUP_TOP_WRITER_H
#define FM_API_GROUP_TOP_WRITER_H

#include "core/text/buffer.h"
#include <framemap/index.h>

struct fm_top_writer {
    struct fm_buf out;
    framemap_write write;
    void *context;
    bool refused;
};

/* Opens a writer. *json: set to whether the format is "json"; texts are then escaped for it. Errors: ARGUMENT (the
 * format is neither "text" nor "json"). */
framemap_status fm_top_writer_open(struct fm_top_writer *writer, struct fm_heap *heap, const char *format, bool *json,
                                   framemap_error *error);
/* Passes the output that was written so far to the caller's function. */
void fm_top_hand_on(struct fm_top_writer *writer);
/* Frees the buffer. Errors: IO (write refused), MEMORY. */
framemap_status fm_top_writer_close(struct fm_top_writer *writer, framemap_error *error);

/* Writes the first line of the JSON output. */
void fm_top_put_head(struct fm_buf *out);
void fm_put_blanks(struct fm_buf *out, size_t count);
size_t fm_digits_of(uint64_t number);
/* Writes a number, aligned to the right in a column of `width` characters. */
void fm_put_right(struct fm_buf *out, uint64_t number, size_t width);

#endif
