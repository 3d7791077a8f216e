/* Parts that the crash texts of several native producers share: registers, modules of a report, rows of inlined
 * functions. Called by the native parsers; must not know any single format. */
#ifndef FM_FORMATS_NATIVE_NATIVE_PARTS_H
#define FM_FORMATS_NATIVE_NATIVE_PARTS_H

#include "formats/row_parts.h"

/* Parses the next "NAME = 0x1f" or "NAME: 1f" of a line of registers, and the blanks around it. Moves on success. */
bool fm_register_next(struct fm_scan *s, framemap_str *name, uint64_t *value);
/* Whether a register with the given name holds the program counter. */
bool fm_register_is_pc(framemap_str name);
/* If a line consists of registers only, adds them all to a trace. Returns the number of added registers. */
size_t fm_register_line(struct fm_document *doc, framemap_trace *trace, framemap_str text);

/* Marks a frame as not needing symbols if it has function, file and line, or a function and no address to look up. */
void fm_native_mark_named(framemap_frame *frame);
/* Sets module and module_path from the text that a row prints for the image. module_path is set only if the text is a
 * path, and not only a name. */
void fm_native_set_module(framemap_frame *frame, framemap_str path);

/* Returns the last frame of a trace; NULL if the trace has no frames. */
framemap_frame *fm_native_last(framemap_trace *trace);

/* Prints one restored frame of a row without its line end. */
typedef void fm_native_put(struct fm_buf *out, const framemap_frame *raw, const framemap_frame *restored);
void fm_native_put_chain(struct fm_buf *out, const framemap_frame *frame, framemap_str prefix, framemap_str eol,
                         fm_native_put *put);

/* Writes a row for fm_native_put_chain: the first `words` words of the raw row, the restored frame, and the row's
 * last group, which names the image: "ADDRESS f at a.c:7 (/usr/bin/app)". */
void fm_native_put_before_group(struct fm_buf *out, const framemap_frame *raw, const framemap_frame *restored,
                                unsigned words);
/* Sets file and line of the last frame of a trace from "a.c:7" on a line below its row, and marks the frame as
 * complete. Returns false if the text is not a position, or if the frame has a line already. trace: may be NULL. */
bool fm_native_read_position(framemap_trace *trace, framemap_str text);

/* Joins two pieces of text in memory of the document. Returns an empty string if out of memory. */
framemap_str fm_native_join(struct fm_document *doc, framemap_str first, framemap_str second);

/* Cuts the architecture off an image such as "libx.dylib:arm64e", the form that sanitizers print on Apple's systems,
 * and sets it in the frame. Returns the image, "libx.dylib". */
framemap_str fm_native_cut_arch(framemap_str module, framemap_frame *frame);

#endif
