/* Retraces standard input as it arrives, line by line. */
#ifndef FM_CLI_FRONTS_RETRACE_STREAM_H
#define FM_CLI_FRONTS_RETRACE_STREAM_H

#include "cli/cli_io.h"
#include "cli/notice.h"

/* Retraces the text that is read from fd. plain: the bytes are not converted, as in ProGuard's retrace; otherwise
 * they are read as R8's retrace does, with struct fm_scanner. A line of more than FRAMEMAP_LONGEST_LINE bytes is
 * copied unchanged. words: parts of the message about an unreadable input. unchanged: the output filter; it has no
 * input text to compare the output with. Errors: those of framemap_retracer_text; IO if the input cannot be read,
 * which is reported. */
framemap_status fm_retrace_stream(framemap_retracer *retracer, int fd, bool plain, const struct fm_notice_words *words,
                                  struct fm_unchanged *unchanged, framemap_error *error);

#endif
