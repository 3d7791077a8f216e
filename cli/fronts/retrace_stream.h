/* Standard input through a retracer, as it comes: lines are retraced when they are whole. */
#ifndef FM_CLI_FRONTS_RETRACE_STREAM_H
#define FM_CLI_FRONTS_RETRACE_STREAM_H

#include "cli/cli_io.h"
#include "cli/notice.h"

/* plain: bytes are taken as they are, as ProGuard's retrace does; else as R8's, by struct fm_scanner. A line of more
 * than FRAMEMAP_LONGEST_LINE bytes is passed on as it is; words: of the notice about an input that is no text.
 * unchanged: where the result goes, without a text to compare with.
 * Errors: those of framemap_retracer_text; IO where the input can't be read (said). */
framemap_status fm_retrace_stream(framemap_retracer *retracer, int fd, bool plain, const struct fm_notice_words *words,
                                  struct fm_unchanged *unchanged, framemap_error *error);

#endif
