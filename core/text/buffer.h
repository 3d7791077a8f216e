/* A growing byte buffer with a size limit. */
#ifndef FM_CORE_TEXT_BUFFER_H
#define FM_CORE_TEXT_BUFFER_H

#include "core/heap.h"
#include "core/text/text.h"

/* A buffer. Zero-initialise the struct and set `heap`. A failed append sets `failed`, after which appends do nothing:
 * check it once at the end. limit: bytes; 0 means FM_LIMIT_BUFFER. */
struct fm_buf {
    struct fm_heap *heap;
    char *data;
    size_t size, capacity;
    size_t limit;
    bool failed;
    bool shows; /* fm_buf_str escapes control characters (core/text/escape.h), because its strings come from symbol
                   files. Line ends are appended by functions that do not escape */
};
void fm_buf_init(struct fm_buf *buf, struct fm_heap *heap);
void fm_buf_free(struct fm_buf *buf);
static inline void fm_buf_clear(struct fm_buf *buf)
{
    buf->size = 0;
    buf->failed = false;
}
bool fm_buf_add(struct fm_buf *buf, const void *data, size_t size);
bool fm_buf_str(struct fm_buf *buf, framemap_str text);
/* Appends strings one after the other, with the same result as fm_buf_str for each, but with one check of the room. */
bool fm_buf_strs(struct fm_buf *buf, const framemap_str *texts, size_t count);
bool fm_buf_byte(struct fm_buf *buf, char byte);
bool fm_buf_dec(struct fm_buf *buf, uint64_t value);
bool fm_buf_hex(struct fm_buf *buf, uint64_t value, unsigned min_digits); /* appends lower-case hexadecimal digits
                                                                             without a prefix */
bool fm_buf_printf(struct fm_buf *buf, const char *format, ...)
#if defined(__GNUC__)
    __attribute__((format(printf, 2, 3)))
#endif
    ;
/* Appends a JSON string with its quotes. Bytes that are not UTF-8 become U+FFFD. Characters that core/text/escape.h
 * lists are written as \u001b, so that a terminal does not interpret them. */
bool fm_buf_json(struct fm_buf *buf, framemap_str text);
/* Does the work of fm_buf_str for `before`, then of fm_buf_json for the text, faster than these two calls. */
bool fm_buf_json_after(struct fm_buf *buf, framemap_str before, framemap_str text);
static inline framemap_str fm_buf_view(const struct fm_buf *buf) { return fm_str(buf->data, buf->size); }
/* Appends a string with its control characters escaped (core/text/escape.h). */
bool fm_buf_escaped(struct fm_buf *buf, framemap_str text);
/* Replaces control characters in the contents from offset `at` on by escapes. */
bool fm_buf_escape_from(struct fm_buf *buf, size_t at);

#endif
