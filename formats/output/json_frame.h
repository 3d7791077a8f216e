/* Writes a frame as a JSON object for `-o json`; docs/json.md documents the members. Called by output_json.c. */
#ifndef FM_FORMATS_OUTPUT_JSON_FRAME_H
#define FM_FORMATS_OUTPUT_JSON_FRAME_H

#include "formats/output/json_members.h"
#include <framemap/frame.h>

/* Appends the JSON object of a frame. number: its index in the trace, from 0. has_images: the images of the trace
 * were written, so the frame may refer to one by its index. */
void fm_json_put_frame(struct fm_buf *out, const framemap_frame *frame, size_t number, bool has_images);
/* Writes the registers of a trace as the member "registers", if it has any. */
void fm_json_put_registers(struct fm_members *m, const framemap_trace *trace);

#endif
