/* Parses a long text on a thread of its own, while the calling thread restores and prints what was parsed. The output
 * is the same as with one thread. Called by session/restore/restore_text.c. */
#ifndef FM_FORMATS_PARSE_AHEAD_H
#define FM_FORMATS_PARSE_AHEAD_H

#include "formats/text_stream.h"

/* A shorter text is parsed by the calling thread, since it is restored before a second thread would save much time. */
#define FM_PARSE_AHEAD_LEAST ((size_t)1 << 20)

/* Does the work of fm_text_stream_whole. The stream's callback `batch` is called on the calling thread only. The
 * stream's heap is used by the parsing thread, so the callback must not use it. If no thread can be started, all work
 * is done on the calling thread. The stream has to be closed before its context is freed, and cannot be used again.
 * Errors: those of fm_text_stream_feed. */
framemap_status fm_parse_ahead(struct fm_text_stream *stream, framemap_str text, framemap_error *error);

#endif
