/* A frame as a JSON object of `-o json`: docs/json.md documents the members. Called by output_json.c. */
#ifndef FM_FORMATS_OUTPUT_JSON_FRAME_H
#define FM_FORMATS_OUTPUT_JSON_FRAME_H

#include "formats/output/json_members.h"
#include <framemap/frame.h>

/* Appends the object of a frame. number: its position in the trace, from 0. has_images: the images of the trace were
 * written, so that the frame may name one by its position. */
void fm_json_put_frame(struct fm_buf *out, const framemap_frame *frame, size_t number, bool has_images);
/* Writes the registers of a trace as the member "registers", if it has any. */
void fm_json_put_registers(struct fm_members *m, const framemap_trace *trace);

#endif
