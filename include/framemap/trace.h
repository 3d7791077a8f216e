/* Stack texts to traces and back. */
#ifndef FRAMEMAP_TRACE_H
#define FRAMEMAP_TRACE_H

#include <framemap/index.h>

#ifdef __cplusplus
extern "C" {
#endif

/* The stacks found in one text, in the order of the text. Owns all that its traces borrow, except the text itself. */
typedef struct framemap_trace_list {
    framemap_trace *traces;
    size_t count;
    void *owner; /* of the library */
} framemap_trace_list;

typedef struct framemap_parse_options {
    size_t size;
    const framemap_allocator *allocator;
    uint64_t max_memory; /* 0: no ceiling */
    const char *format;  /* read as this format only; NULL: every one that is known */
    unsigned threads;    /* to read a text of half a megabyte and more with, the caller's own among them; 0: that one
                            alone. Any number gives the same traces */
} framemap_parse_options;

/* Finds every stack in a text. text is borrowed until framemap_trace_list_free (frames hold slices of it).
 * A text without stacks gives an empty list. A line that breaks its format's rules becomes a frame with status
 * MALFORMED. Errors: ARGUMENT (unknown format), MEMORY, LIMIT. Any thread. */
FRAMEMAP_API framemap_status framemap_trace_parse(framemap_str text, const framemap_parse_options *options,
                                                  framemap_trace_list *out, framemap_error *error);

/* NULL and a zeroed list are allowed. */
FRAMEMAP_API void framemap_trace_list_free(framemap_trace_list *list);

/* Writes traces in a format that can write ("text": the report's own look, "json": one object a trace and line).
 * text: what the traces were parsed from, needed for "text"; all that is no frame is copied from it byte for byte.
 * Errors: ARGUMENT, UNSUPPORTED (a format that cannot write), IO, MEMORY. */
FRAMEMAP_API framemap_status framemap_trace_print(framemap_str text, const framemap_trace *traces, size_t count,
                                                  const char *format, framemap_write write, void *context,
                                                  framemap_error *error);

/* One row of the table of formats. Static memory. */
typedef struct framemap_format_info {
    const char *name;
    const char *summary;
    bool reads, writes;
} framemap_format_info;

/* Pointers to the rows, in the order in which formats are tried. Static memory; any thread may call it. */
FRAMEMAP_API const framemap_format_info *const *framemap_format_list(size_t *count);

#ifdef __cplusplus
}
#endif
#endif
