/* Parses stack texts to traces and prints traces. */
#ifndef FRAMEMAP_TRACE_H
#define FRAMEMAP_TRACE_H

#include <framemap/index.h>

#ifdef __cplusplus
extern "C" {
#endif

/* The stacks of one text, in the order of the text. Owns everything that its traces borrow, except the text itself.
 * Free it with framemap_trace_list_free. */
typedef struct framemap_trace_list {
    framemap_trace *traces;
    size_t count;
    void *owner; /* private to the library */
} framemap_trace_list;

/* Options of framemap_trace_parse. Zero the struct, set size to sizeof, then set what differs from the defaults. */
typedef struct framemap_parse_options {
    size_t size;
    const framemap_allocator *allocator; /* copied; NULL: the allocator of the C library */
    uint64_t max_memory;                 /* ceiling on memory for the list, bytes; 0: no ceiling */
    const char *format; /* parse this format only, by its name in framemap_format_list; NULL: all formats */
} framemap_parse_options;

/* Finds every stack in a text. A text without stacks gives an empty list. A line that breaks the rules of its format
 * becomes a frame with status MALFORMED.
 * text: borrowed until framemap_trace_list_free, since frames hold slices of it. options: NULL for the defaults. out:
 * written on success, owned by the caller.
 * Errors: ARGUMENT (also an unknown format), MEMORY, LIMIT. Any thread. */
FRAMEMAP_API framemap_status framemap_trace_parse(framemap_str text, const framemap_parse_options *options,
                                                  framemap_trace_list *out, framemap_error *error);

/* Frees the list and zeroes it. NULL and a zeroed list are allowed. */
FRAMEMAP_API void framemap_trace_list_free(framemap_trace_list *list);

/* Writes traces in an output format: "text" (the report's own look), "json" (lines of JSON, docs/json.md), or another
 * format whose framemap_format_info.writes is set. NULL: "text".
 * text: the text that the traces were parsed from; "text" copies everything that is not a frame from it, byte for byte.
 * traces: `count` of them; NULL only with 0. write: receives the output in pieces, with `context`.
 * Errors: ARGUMENT, UNSUPPORTED (the format cannot be written), IO (write refused), MEMORY. Any thread. */
FRAMEMAP_API framemap_status framemap_trace_print(framemap_str text, const framemap_trace *traces, size_t count,
                                                  const char *format, framemap_write write, void *context,
                                                  framemap_error *error);

/* A stack format. Static memory. */
typedef struct framemap_format_info {
    const char *name;
    const char *summary;
    bool reads, writes; /* whether the format can be parsed, and whether it can be written */
} framemap_format_info;

/* Returns the formats of stacks of this build, in the order in which they are tried; *count is their number. Static
 * memory. Any thread.
 */
FRAMEMAP_API const framemap_format_info *const *framemap_format_list(size_t *count);

#ifdef __cplusplus
}
#endif
#endif
