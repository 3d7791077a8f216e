/* Writes the frames of a stack trace for a Sentry event. Called by output_sentry.c. */
#ifndef FM_FORMATS_OUTPUT_SENTRY_FRAME_H
#define FM_FORMATS_OUTPUT_SENTRY_FRAME_H

#include "formats/output/sentry_images.h"

/* Writes the member "stacktrace" with the frames of a trace, oldest first. A restored frame is written as the frames
 * that it was restored to; another frame is written with the values in its row. platform: platform of the event; a
 * frame of another platform gets a member that names its platform. */
void fm_sentry_put_stacktrace(struct fm_members *m, const framemap_trace *trace, const struct fm_sentry_images *images,
                              framemap_str platform);
/* Returns Sentry's name of the platform for a kind of frames. */
framemap_str fm_sentry_platform(framemap_kind kind);

#endif
