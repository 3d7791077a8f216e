/* Fills a frame of the model from a Java frame line. Called by java_trace.c and formats/android. */
#ifndef FM_FORMATS_JAVA_JAVA_FRAME_H
#define FM_FORMATS_JAVA_JAVA_FRAME_H

#include "formats/java/java_row.h"

/* Fills a frame from a parsed row. id: the mapping id to set if the row prints none. The frame must be zero except
 * for its raw text and index. */
void fm_java_frame_fill(const struct fm_java_row *row, framemap_str id, framemap_frame *frame);

#endif
