/* Stores the events of a recording as words, reads and prints them; a table has the fields of each kind of event.
 * Called by dw_events.c, which records, and dw_events_compare.c. Nothing here depends on what an event means. */
#ifndef FM_TESTS_DW_EVENT_STREAM_H
#define FM_TESTS_DW_EVENT_STREAM_H

#include "tests/mappers/native/dw_events.h"

enum dw_shape {
    DW_SHAPE_END,
    DW_SHAPE_NUMBER,      /* the field is stored as one word */
    DW_SHAPE_HEX,         /* one word, printed in hexadecimal: an address or offset */
    DW_SHAPE_FILE_NUMBER, /* one word with a file number; FM_NONE is printed as none */
    DW_SHAPE_TEXT,        /* two words: offset and size of the text in `texts` */
    DW_SHAPE_RANGES       /* one word with the number of ranges, then two words for each range */
};
struct dw_field {
    const char *name;
    enum dw_shape shape;
};
#define DW_FIELDS_MOST 13
struct dw_event_row {
    const char *name;
    /* the fields of the event; a field of the shape END follows the last one */
    struct dw_field fields[DW_FIELDS_MOST + 1];
};
extern const struct dw_event_row dw_event_table[DW_EVENT_KINDS];

/* Grows an array of elements of `width` bytes to at least `want`. Ends the program if there is no memory. */
void *dw_events_grow(void *data, size_t *capacity, size_t want, size_t width);
void dw_stream_put(struct dw_stream *stream, uint64_t word);
void dw_stream_put_text(struct dw_stream *stream, framemap_str text);
void dw_stream_put_ranges(struct dw_stream *stream, const struct fm_dw_range *ranges, size_t count);
void dw_stream_free(struct dw_stream *stream);

/* Returns the number of words of the field that starts at `at`. */
size_t dw_field_words(const struct dw_stream *stream, size_t at, enum dw_shape shape);
/* Returns the number of words of the event that starts at `at`. */
size_t dw_event_words(const struct dw_stream *stream, size_t at);
framemap_str dw_stream_text(const struct dw_stream *stream, size_t at);

void dw_print_field(const struct dw_stream *stream, size_t at, enum dw_shape shape, FILE *to);
/* Prints an event as a line. name: name of the backend that reported the event. */
void dw_print_event(const struct dw_stream *stream, size_t at, const char *name, FILE *to);

#endif
