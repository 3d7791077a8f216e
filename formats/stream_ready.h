/* How much of a growing text, as a pipe delivers it, can be restored at once. Called by api/. */
#ifndef FM_FORMATS_STREAM_READY_H
#define FM_FORMATS_STREAM_READY_H

#include "formats/scan/prefilter_use.h"

/* As framemap_text_ready: bytes from the start of `text`. */
size_t fm_formats_ready(framemap_str text);
/* For tests: with the use of the prefilter given. The result is the same. */
size_t fm_formats_ready_prefiltered(framemap_str text, enum fm_prefilter_use use);

#endif
