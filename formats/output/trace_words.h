/* Writes texts about a trace that several outputs have in the same words: its thread, its exception, and its stack
 * as rows. Called by the outputs; must not know formats. */
#ifndef FM_FORMATS_OUTPUT_TRACE_WORDS_H
#define FM_FORMATS_OUTPUT_TRACE_WORDS_H

#include "core/text/buffer.h"
#include <framemap/frame.h>

/* Returns how many of the traces, from the first on, form one stack: a trace, and the parts of it that directly
 * follow it. At least 1. */
size_t fm_stack_parts(const framemap_trace *traces, size_t count);

struct fm_thread_words {
    framemap_str id, name;
};
/* Returns the id and the name of a trace's thread. Formats that do not distinguish the two set only `thread` of the
 * trace: it is taken for the id if it is a number, else for the name. */
struct fm_thread_words fm_thread_words(const framemap_trace *trace);

/* Appends "thread main (id 1)". Returns false, with nothing appended, if the thread is not known. */
bool fm_put_thread(struct fm_buf *out, const framemap_trace *trace);

bool fm_is_number(framemap_str text); /* whether a text consists of decimal digits */
/* Whether an exception, a signal or a message of the trace is known. */
bool fm_has_exception(const framemap_trace *trace);
/* Writes " [one of 3]" if several original frames are possible for a frame: a renamed method without a line number
 * can be one of several. */
void fm_put_answer_count(struct fm_buf *out, const framemap_frame *frame);
/* Returns the index of the first restored frame that is shown by outputs which show only one possible answer. It is
 * the outermost frame if the row has no line and there are several answers; otherwise the innermost. */
size_t fm_first_shown(const framemap_frame *frame);
/* Whether the frame has no source, since a compiler generated it. Such a frame is not shown. */
bool fm_frame_is_hidden(const framemap_frame *frame);
/* Returns the name of the kind that all frames of a trace have (framemap_kind_name), or "mixed". Markers are
 * ignored, because they have no kind. */
const char *fm_family_name(const framemap_trace *trace);

/* Appends a part of a trace's exception, with renamed classes in it replaced by their original names. part: a slice
 * of the exception; its other bytes are copied unchanged. */
void fm_put_renamed(struct fm_buf *out, framemap_str part, const framemap_trace *trace);
/* These three functions append a trace's exception: its type, or the name of its signal; its message; or both as a
 * title. Nothing is appended for what is not known. */
void fm_put_exception_type(struct fm_buf *out, const framemap_trace *trace);
void fm_put_exception_message(struct fm_buf *out, const framemap_trace *trace);
void fm_put_exception_title(struct fm_buf *out, const framemap_trace *trace);

/* Appends the title of a trace as lines, "Caused by: a.Error: message". Appends nothing if there is no exception. */
void fm_put_title_row(struct fm_buf *out, const framemap_trace *trace);
/* Appends a stack under its title as rows "    at f (a.c:1:2)". A frame that is not restored is appended as the row
 * that the text has. Control characters are escaped. Each row ends with a line end. */
void fm_put_stack_rows(struct fm_buf *out, const framemap_trace *traces, size_t count);

#endif
