/* A growing byte buffer with a size limit. */
#ifndef FM_CORE_TEXT_BUFFER_H
#define FM_CORE_TEXT_BUFFER_H

#include "core/heap.h"
#include "core/text/text.h"

/* A growing byte buffer. Zero-initialise with heap set. A failed append sets `failed`, after which all appends do
 * nothing: test once at the end. limit 0: FM_LIMIT_BUFFER. */
struct fm_buf {
    struct fm_heap *heap;
    char *data;
    size_t size, capacity;
    size_t limit;
    bool failed;
    bool shows; /* what fm_buf_str appends is of symbol files: control characters are escaped (core/text/escape.h). Line
                   ends are put by the other calls */
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
bool fm_buf_byte(struct fm_buf *buf, char byte);
bool fm_buf_dec(struct fm_buf *buf, uint64_t value);
bool fm_buf_hex(struct fm_buf *buf, uint64_t value, unsigned min_digits); /* lower case, no prefix */
bool fm_buf_printf(struct fm_buf *buf, const char *format, ...)
#if defined(__GNUC__)
    __attribute__((format(printf, 2, 3)))
#endif
    ;
/* A JSON string with its quotes; bytes that are no UTF-8 become U+FFFD. What core/text/escape.h lists is spelled
 * \u001b, so that no terminal obeys it. */
bool fm_buf_json(struct fm_buf *buf, framemap_str text);
static inline framemap_str fm_buf_view(const struct fm_buf *buf) { return fm_str(buf->data, buf->size); }
/* Appends a text as it is shown. */
bool fm_buf_escaped(struct fm_buf *buf, framemap_str text);
/* Makes what stands in the buffer from `at` on as it is shown. */
bool fm_buf_escape_from(struct fm_buf *buf, size_t at);

#endif
