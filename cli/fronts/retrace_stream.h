/* Retraces standard input as it arrives, once lines are complete. */
#ifndef FM_CLI_FRONTS_RETRACE_STREAM_H
#define FM_CLI_FRONTS_RETRACE_STREAM_H

#include "cli/cli_io.h"
#include "cli/notice.h"

/* Retraces what is read from fd. plain: bytes are read unchanged, as ProGuard's retrace does; otherwise as R8's does,
 * with struct fm_scanner. A line of more than FRAMEMAP_LONGEST_LINE bytes is copied unchanged. words: parts of the
 * message about an unreadable input. unchanged: receives the output; it has no text to compare with. Errors: those of
 * framemap_retracer_text; IO if the input cannot be read, which is reported. */
framemap_status fm_retrace_stream(framemap_retracer *retracer, int fd, bool plain, const struct fm_notice_words *words,
                                  struct fm_unchanged *unchanged, framemap_error *error);

#endif
