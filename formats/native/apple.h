/* The rows that all Apple reports share: frames and images. */
#ifndef FM_FORMATS_NATIVE_APPLE_H
#define FM_FORMATS_NATIVE_APPLE_H

#include "core/text/buffer.h"
#include "formats/format.h"

/* "0   App   0x0000000107933b74 0x107930000 + 15220" and all that may stand behind the address (see the table in
 * apple_row.c) into a frame, all but return_address and arch. loose: rows without an address or without a module are
 * taken too, where the report says that rows follow. Borrowed from body, but for what has to be spelled anew. */
bool fm_apple_row(framemap_str body, bool loose, struct fm_document *doc, framemap_frame *frame);
/* "MODULE 0xADDRESS REST": the first two into the frame. */
bool fm_apple_columns(framemap_str text, framemap_frame *frame, framemap_str *rest);
/* What stands behind the address, for forms with other columns before it. frame has its module and, where there is one,
 * its address. */
void fm_apple_rest(framemap_str rest, struct fm_document *doc, framemap_frame *frame);

/* "   0x1000 -    0x1fff App arm64  <uuid> /path" into an image. bare: rows without an UUID are taken too. */
bool fm_apple_image(framemap_str body, bool bare, struct fm_document *doc, framemap_image *image);
/* Whether a body begins with such a range. */
bool fm_apple_is_range(framemap_str body);

/* "ARM-64 (Native)" to "arm64"; borrowed or static. */
framemap_str fm_apple_arch(framemap_str code_type);

/* Whether all of body is a hex list, "(0x182e6422c 0x194b300e4 …)" or a bare row of addresses: such a list may go on
 * over lines. */
bool fm_apple_is_hex_list(framemap_str body);
/* The addresses of one as a frame each, added to the current trace. */
void fm_apple_hex_list(struct fm_document *doc, const struct fm_line *line, framemap_str arch);

/* Whether the next row of a crash report's thread holds a return address: all do but the top one and those that a
 * signal interrupted, which stand right behind _sigtramp. */
bool fm_apple_is_return(const framemap_trace *trace);

/* The look of all of them: the row's columns up to the address, then "function (file.m:12)", or "function + 12". */
void fm_apple_print_frame(struct fm_buf *out, const framemap_frame *frame, framemap_str prefix, framemap_str eol);
/* "function (file.m:12)" or "function + 12" alone. */
void fm_apple_put_function(struct fm_buf *out, const framemap_frame *source);

#endif
