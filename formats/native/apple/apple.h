/* Parses and prints frame lines, and parses image lines, for all Apple formats. */
#ifndef FM_FORMATS_NATIVE_APPLE_H
#define FM_FORMATS_NATIVE_APPLE_H

#include "core/text/buffer.h"
#include "formats/format.h"

/* Parses "0   App   0x0000000107933b74 0x107930000 + 15220" into a frame; apple_row.c lists the accepted forms of the
 * text after the address. The caller sets return_address and arch. loose: also accepts lines without an address or
 * without a module, for reports whose titles announce frame lines. Strings are slices of the body where possible, else
 * in memory of the document. */
bool fm_apple_row(framemap_str body, bool loose, struct fm_document *doc, framemap_frame *frame);
/* Parses "MODULE 0xADDRESS REST": sets module and address of the frame, and *rest. */
bool fm_apple_columns(framemap_str text, framemap_frame *frame, framemap_str *rest);
/* Parses the text after the address of a row, for formats with other columns before it. The frame must have its
 * module already and, if the row prints one, its address. */
void fm_apple_rest(framemap_str rest, struct fm_document *doc, framemap_frame *frame);

/* Parses "   0x1000 -    0x1fff App arm64  <uuid> /path" into an image. bare: also accepts lines without a UUID. */
bool fm_apple_image(framemap_str body, bool bare, struct fm_document *doc, framemap_image *image);
/* Whether a body begins with an address range such as "0x1000 - 0x1fff". */
bool fm_apple_is_range(framemap_str body);

/* Returns "arm64" for a name such as "ARM-64 (Native)". The result is borrowed or static. */
framemap_str fm_apple_arch(framemap_str code_type);

/* Whether the body consists of a list of hex numbers, with or without parentheses: "(0x182e6422c 0x194b300e4 …)". Such
 * a list may continue on the next lines. */
bool fm_apple_is_hex_list(framemap_str body);
/* Adds each address of a list of hex numbers as a frame to the current trace. */
void fm_apple_hex_list(struct fm_document *doc, const struct fm_line *line, framemap_str arch);

/* Whether a frame about to be added to the trace of a thread has a return address. All frames have one except the top
 * frame, and a frame after _sigtramp, which a signal interrupted. *after_sigtramp is part of the parser's state,
 * because the frame above may have left the document already. */
bool fm_apple_is_return(const struct fm_document *doc, const framemap_trace *trace, const framemap_frame *frame,
                        bool *after_sigtramp);

/* Sets the exception of a trace from "'NSRangeException', reason: 'it is out of range'", or from Kotlin's "TYPE:
 * MESSAGE". */
void fm_apple_exception(framemap_str exception, framemap_trace *trace);

/* Returns the last part of a path. In a path that begins with '/', a backslash does not separate parts: it belongs
 * to a name or an escape. */
framemap_str fm_apple_file_name(framemap_str path);
/* Prints a restored frame: its row up to the address, then "function (file.m:12)" or "function + 12". */
void fm_apple_print_frame(struct fm_buf *out, const framemap_frame *frame, framemap_str prefix, framemap_str eol);

#endif
