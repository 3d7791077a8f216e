/* Writes stacks of other formats as an Android tombstone. Called by android_tombstone.c, the format that reads
 * tombstones. */
#ifndef FM_FORMATS_NATIVE_TOMBSTONE_WRITE_H
#define FM_FORMATS_NATIVE_TOMBSTONE_WRITE_H

#include "formats/row_writer.h"

/* Implements put_head of struct fm_format: writes the lines from the stars to "backtrace:". */
void fm_tombstone_put_head(struct fm_buf *out, const framemap_trace *trace);
/* Implements put_row of struct fm_format: writes "    #00 pc 0000000000001344  /data/libapp.so (f+12) (BuildId: …)
 * src/a.cc:7:3". */
void fm_tombstone_put_row(struct fm_buf *out, const struct fm_row_out *row);

#endif
