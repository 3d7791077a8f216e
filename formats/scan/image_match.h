/* Finds the image that each address of a report is in. Called by document_report.c at the end of a report. */
#ifndef FM_FORMATS_SCAN_IMAGE_MATCH_H
#define FM_FORMATS_SCAN_IMAGE_MATCH_H

#include "core/heap.h"
#include <framemap/trace.h>

/* Finds the image that covers the address of each native frame that has an address but no image. Sets the frame's
 * module, path, id, architecture and load address from that image; also the image's position in the list, if the list
 * is that of the trace. Takes time linear in the frames, and n log n in the images. Returns false if out of memory. */
bool fm_match_images(struct fm_arena *arena, framemap_trace *traces, size_t count, const framemap_image *images,
                     size_t image_count);

#endif
