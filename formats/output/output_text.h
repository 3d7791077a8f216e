/* The output "text": restored frames in place, all else untouched. */
#ifndef FM_FORMATS_OUTPUT_OUTPUT_TEXT_H
#define FM_FORMATS_OUTPUT_OUTPUT_TEXT_H

#include "formats/format.h"

framemap_status fm_text_print(framemap_str text, const framemap_trace *traces, size_t count, struct fm_heap *heap,
                              framemap_write write, void *context, framemap_error *error);
const struct fm_format *fm_format_named_str(framemap_str name);

#endif
