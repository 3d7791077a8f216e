/* The frames of a stack trace of a Sentry event. Called by output_sentry.c. */
#ifndef FM_FORMATS_OUTPUT_SENTRY_FRAME_H
#define FM_FORMATS_OUTPUT_SENTRY_FRAME_H

#include "formats/output/sentry_images.h"

/* Writes "stacktrace" with the frames of a trace, oldest first. A restored frame is written as the source frames that
 * it was restored to, another one as the text has it. platform: the event's platform; frames of another platform name
 * theirs. */
void fm_sentry_put_stacktrace(struct fm_members *m, const framemap_trace *trace, const struct fm_sentry_images *images,
                              framemap_str platform);
/* Returns the platform of a frame, by its kind. */
framemap_str fm_sentry_platform(framemap_kind kind);

#endif
