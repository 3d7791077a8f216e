/* What a format is: a way of writing stacks as text. The table is in registry.c; a format never learns where symbols come from. */
#ifndef FM_FORMATS_FORMAT_H
#define FM_FORMATS_FORMAT_H

#include "core/heap.h"
#include "core/scan.h"
#include <framemap/trace.h>

/* One line of the text, split once for all formats. */
struct fm_line {
    framemap_str text;   /* without its end */
    uint64_t offset;     /* in the whole text */
    uint64_t number1;
    size_t end_size;     /* bytes of its line end: 0, 1 or 2 */
    size_t body;         /* offset in text where a log prefix (logcat, kernel, syslog …) ends; 0 without one */
};
static inline framemap_str fm_line_body(const struct fm_line *line) { return fm_str(line->text.data + line->body, line->text.size - line->body); }

/* The document being read: formats add traces, frames and images to it. All memory is of the arena. */
struct fm_doc;
struct fm_arena *fm_doc_arena(struct fm_doc *doc);
/* Begins a trace of a format; the frames added next are its own. NULL: out of memory (the doc remembers). */
framemap_trace *fm_doc_trace(struct fm_doc *doc, const char *format, const struct fm_line *line);
/* Adds a zeroed frame (index -1, raw and raw_offset of the line set) to the current trace. */
framemap_frame *fm_doc_frame(struct fm_doc *doc, const struct fm_line *line);
/* Adds a row to the images of the current report (shared by its traces). */
framemap_image *fm_doc_image(struct fm_doc *doc);
/* Ends the current report: images added later belong to the next one. */
void fm_doc_report_end(struct fm_doc *doc);
framemap_trace *fm_doc_current(struct fm_doc *doc); /* NULL when none is open */

/* What a line is to a reader. */
enum fm_line_role {
    FM_ROLE_NONE = 0,    /* not mine */
    FM_ROLE_CONTEXT = 1, /* mine, but no frame: header, register row, image row */
    FM_ROLE_FRAME = 2
};

struct fm_format {
    const char *name;    /* "android-tombstone" */
    const char *summary;
    bool reads, writes;
    size_t state_size;   /* bytes of reader state, zeroed at the start of a text */
    /* How sure it is that this line, standing alone, is one of its frames or headers: 0 no … 3 unmistakable. Must be cheap: the first
     * bytes decide for nearly every line. */
    int (*probe)(const struct fm_line *line);
    /* Offers a line, in order. The reader that owns the open trace is asked first. */
    enum fm_line_role (*line)(void *state, struct fm_doc *doc, const struct fm_line *line);
    /* The text is over: settle what only its end tells (load addresses, image lists). */
    void (*finish)(void *state, struct fm_doc *doc);
    /* Writes one restored frame in the report's own look: the lines that stand in place of frame->raw, each ended by `eol`
     * except the last. NULL: the default look. */
    bool (*print_frame)(struct fm_buf *out, const framemap_trace *trace, const framemap_frame *frame, framemap_str prefix, framemap_str eol);
    /* Writing whole traces (formats that are output only: json). NULL: restored text in place. */
    framemap_status (*print)(framemap_str text, const framemap_trace *traces, size_t count, framemap_write write, void *context,
                             framemap_error *error);
};

const struct fm_format *const *fm_format_table(size_t *count);
const struct fm_format *fm_format_named(const char *name);

framemap_status fm_formats_parse(framemap_str text, const char *format, struct fm_arena *arena, framemap_trace **traces, size_t *count,
                                 framemap_error *error);
framemap_status fm_formats_print(framemap_str text, const framemap_trace *traces, size_t count, const char *format, struct fm_heap *heap,
                                 framemap_write write, void *context, framemap_error *error);
/* As framemap_text_ready. */
size_t fm_formats_ready(framemap_str text);

/* Return-address rule and load addresses are the reader's: it sets frame->return_address, address_kind, load_address. */

#endif
