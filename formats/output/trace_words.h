/* Texts about a trace that several outputs write in the same words: its thread, its exception, and the stack in rows.
 * Called by the outputs; they must not know formats. */
#ifndef FM_FORMATS_OUTPUT_TRACE_WORDS_H
#define FM_FORMATS_OUTPUT_TRACE_WORDS_H

#include "core/text/buffer.h"
#include <framemap/frame.h>

/* Returns the number of traces, from the first on, that are one stack: a trace and the parts of it that directly
 * follow. At least 1. */
size_t fm_stack_parts(const framemap_trace *traces, size_t count);

struct fm_thread_words {
    framemap_str id, name;
};
/* Returns the id and the name of a trace's thread. A format that does not distinguish the two sets only the trace's
 * `thread`: a number, or a name. */
struct fm_thread_words fm_thread_words(const framemap_trace *trace);

/* Appends "thread main (id 1)". false: the thread is not known, and nothing is appended. */
bool fm_put_thread(struct fm_buf *out, const framemap_trace *trace);

bool fm_is_number(framemap_str text); /* decimal digits only */
/* Whether an exception, a signal or a message is known. */
bool fm_has_exception(const framemap_trace *trace);
/* Writes " [one of 3]" if a frame has several answers: without a line, a renamed method can be one of several. */
void fm_put_answer_count(struct fm_buf *out, const framemap_frame *frame);
/* Returns the number of the first restored frame that outputs with one answer show: the outermost one if the frame has
 * no line and several answers, else the innermost one. */
size_t fm_first_shown(const framemap_frame *frame);
/* Whether no source corresponds to the frame; it is not shown. */
bool fm_frame_is_hidden(const framemap_frame *frame);
/* Returns the name of the kind of all frames (framemap_kind_name), or "mixed". Markers do not count, because they have
 * no kind. */
const char *fm_family_name(const framemap_trace *trace);

/* Appends a part of the exception with the names of its renamed classes. The other bytes are not looked at. */
void fm_put_renamed(struct fm_buf *out, framemap_str part, const framemap_trace *trace);
/* Append the type of the exception, or the name of its signal; its message; both as a title. Appends nothing if it is
 * not known. */
void fm_put_exception_type(struct fm_buf *out, const framemap_trace *trace);
void fm_put_exception_message(struct fm_buf *out, const framemap_trace *trace);
void fm_put_exception_title(struct fm_buf *out, const framemap_trace *trace);

/* Appends the title of a trace as lines: "Caused by: a.Error: message"; nothing if it is not known. */
void fm_put_title_row(struct fm_buf *out, const framemap_trace *trace);
/* Appends a stack as rows "    at f (a.c:1:2)" under its title; a frame that is not restored is the row of the text.
 * Control characters are escaped; each row ends with a line end. */
void fm_put_stack_rows(struct fm_buf *out, const framemap_trace *traces, size_t count);

#endif
