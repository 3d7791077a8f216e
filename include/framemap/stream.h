/* Restores a text as it arrives: for filters on a pipe.
 *
 * The output does not depend on where the text is cut, nor on pauses, unless framemap_stream_flush is called. Text
 * outside of stacks is written immediately; a stack is written when it has ended, which its own form or the lines after
 * it show. The process, thread and tag that a log prefix names are the origin of a line. Stacks of several origins may
 * alternate in one text.
 *
 * Memory is bounded, whatever arrives. A stream keeps:
 * - hold_bytes times about six for text, and the traces in that text;
 * - a JSON document (an .ips report, an event, a profile) of up to 64 times hold_bytes, but at most 64 MiB; about twice
 *   that while it arrives, and a multiple of it while it is parsed;
 * - the images of a report: a list of up to 16 times hold_bytes; images beyond that are not used;
 * - up to 64 origins of lines; if there are more, the one that has had no line for longest is closed;
 * - the last 256 lines, and the symbols.
 *
 * A line longer than hold_bytes is written as it is, unless it begins like JSON. */
#ifndef FRAMEMAP_STREAM_H
#define FRAMEMAP_STREAM_H

#include <framemap/session.h>

#ifdef __cplusplus
extern "C" {
#endif

/* A text that is being restored. */
typedef struct framemap_stream framemap_stream;

/* Options of framemap_stream_open. Zero the struct, set size to sizeof, then set what differs from the defaults. */
typedef struct framemap_stream_options {
    size_t size;
    /* options for the text; if their `size` is 0, the defaults are used, and no other member may be set (ARGUMENT). The
     * strings are borrowed for the call only */
    framemap_restore_options restore;
    uint64_t hold_bytes; /* bytes that an open stack may hold back, and that a line may have; 0: 256 KiB. A stack that
                            reaches it is restored as it is (FRAMEMAP_CLOSED_BY_SIZE), and its further frames as a trace
                            of their own; the bound for JSON documents is 64 times this. With max_memory no more than a
                            512th of that is used, and always at least 4 KiB */
} framemap_stream_options;

/* Opens a stream for one text. options: NULL for the defaults. write: receives the output in pieces, with `context`,
 * during the calls below only. out: written on success; close it with framemap_stream_close before the session. Errors:
 * those of framemap_session_restore. Any thread; the stream belongs to one thread at a time. */
FRAMEMAP_API framemap_status framemap_stream_open(framemap_session *session, const framemap_stream_options *options,
                                                  framemap_write write, void *context, framemap_stream **out,
                                                  framemap_error *error);

/* Adds a piece of the text, cut anywhere, and writes what is certain. text: borrowed for the call; as in
 * framemap_session_restore it may be compressed and in UTF-16. Errors: IO (write refused), MEMORY; the stream can then
 * only be closed. CORRUPT: compressed data is damaged; framemap_stream_close writes what precedes that. */
FRAMEMAP_API framemap_status framemap_stream_feed(framemap_stream *stream, framemap_str text, framemap_error *error);

/* Writes all that is held back, also the start of a line: for a caller that has had no input for some time, since the
 * library has no clock. Open stacks are restored as they are (FRAMEMAP_CLOSED_BY_DEADLINE). A build id, an exception, a
 * title and images that the text has given so far still apply to the text that follows. Further frames of the same
 * stack become a trace of their own. Without the flush more of them might be restored, but none differently, with two
 * exceptions. The address of the row directly above the flush may be looked up one byte off, if only the lines below
 * the row show whether it is a return address (sample, spindump, minidump_stackwalk, Apple's rows without a header). A
 * name that a console divided into two lines is cut (WinDbg). The frames of a JSON document that is not complete yet
 * are not restored at all (see framemap_stream_in_document).
 * Errors: as framemap_stream_feed. */
FRAMEMAP_API framemap_status framemap_stream_flush(framemap_stream *stream, framemap_error *error);

/* Whether text is held back, so that a flush would write something. */
FRAMEMAP_API bool framemap_stream_waits(const framemap_stream *stream);

/* Whether lines of other origins wait for a stack (or for a line that may begin one), since the order of lines is kept.
 * *last_line: the number of the last line so far from the origin of that stack, counted from 1; 0 if no stack is held
 * back. If this has been true with the same *last_line for longer than a process takes to write a stack, a caller with
 * a clock should flush: the process may write nothing more, and the lines of others should not wait for it. */
FRAMEMAP_API bool framemap_stream_others_wait(const framemap_stream *stream, uint64_t *last_line);

/* Whether what is held back begins with an incomplete JSON document, so that a flush would lose its frames. A caller
 * with a clock may wait longer then: documents come from files and networks, which pause, but which end. */
FRAMEMAP_API bool framemap_stream_in_document(const framemap_stream *stream);

/* Ends the text, writes the rest, and frees the stream, also if it fails. stream: may be NULL. summary: written on
 * success; may be NULL. error: NULL to discard the stream without writing more. Errors: those of framemap_stream_feed,
 * and the error of an earlier call. */
FRAMEMAP_API framemap_status framemap_stream_close(framemap_stream *stream, framemap_restore_summary *summary,
                                                   framemap_error *error);

#ifdef __cplusplus
}
#endif
#endif
