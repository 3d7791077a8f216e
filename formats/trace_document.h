/* What a parser adds its findings to: traces, frames, images and mentions, all allocated in one arena, and the lines
 * above the current one. Called by the parsers of all formats; implemented in scan/document.c and scan/look_back.c. */
#ifndef FM_FORMATS_TRACE_DOCUMENT_H
#define FM_FORMATS_TRACE_DOCUMENT_H

#include "core/heap.h"
#include "formats/line.h"
#include <framemap/trace.h>

struct fm_document;

/* Allocates `size` bytes that live as long as the document, for text that has to be spelled anew. Returns NULL if out
 * of memory; the document remembers that, and the parse fails. */
void *fm_document_alloc(struct fm_document *doc, size_t size);
/* Starts a trace; frames added after this call belong to it. Returns NULL if out of memory (the document remembers).
 * format: the name pointer of the caller's own row; fm_document_open compares pointers. */
framemap_trace *fm_document_trace(struct fm_document *doc, const char *format, const struct fm_line *line);
/* The same for a stack of which more is known: thread, process, exception, registers and the like are taken from
 * `known`. */
framemap_trace *fm_document_trace_like(struct fm_document *doc, const char *format, const struct fm_line *line,
                                       const framemap_trace *known);
/* Adds a copy of a frame to the current trace, with raw and raw_offset set to the line's body. The result is valid
 * until the next call. Returns NULL if out of memory. */
framemap_frame *fm_document_frame(struct fm_document *doc, const struct fm_line *line, const framemap_frame *frame);
/* Adds a frame that is all zero but for raw, raw_offset and index (-1), to be filled in by the caller. */
framemap_frame *fm_document_new_frame(struct fm_document *doc, const struct fm_line *line);
/* Gives a frame an `extra` of its own, a copy of the one that it has, to be filled in by the caller. Returns NULL if
 * out of memory. */
framemap_frame_extra *fm_document_extra(struct fm_document *doc, framemap_frame *frame);
/* Adds a copy of a mention to the current trace, which must exist, before the next frame. Returns false if out of
 * memory. */
bool fm_document_mention(struct fm_document *doc, const framemap_mention *mention);

/* A report is a group of traces whose addresses are resolved against one list of images. It starts at a header line
 * (after fm_document_report_end) or at the first frame of a stack. It ends at the next header, at the first stack or
 * list of images after its own list, and after FM_REPORT_GAP lines without frames or images. */
#define FM_REPORT_GAP 256
/* Adds a zeroed image to the current report (shared by its traces), or to a new one if the line starts it. The result
 * is valid until the next call. Returns NULL if out of memory. */
framemap_image *fm_document_image(struct fm_document *doc, const struct fm_line *line);
/* Adds an image whose load address a frame of the current trace gives; it applies to the frames of that trace only. */
framemap_image *fm_document_row_image(struct fm_document *doc);
/* Ends the current report: attaches its images to its traces and matches frames with images. */
void fm_document_report_end(struct fm_document *doc);

/* Asks the dispatcher to offer every line up to and including `number1` to the current parser, because its open trace
 * may continue on lines that are not significant by themselves. */
void fm_document_offer_until(struct fm_document *doc, uint64_t number1);
/* The current trace if it is of the given format (compared by pointer), else NULL. */
framemap_trace *fm_document_open(struct fm_document *doc, const char *format);
/* Ends the current report and begins one that holds all traces and images up to fm_document_report_end, however far
 * apart their lines are: for formats that know where a report ends. */
void fm_document_report_begin(struct fm_document *doc);
/* Removes the traces and images of the current report: the text reports the same again. */
void fm_document_report_drop(struct fm_document *doc);
/* The traces of the current report so far, the current one last. */
framemap_trace *fm_document_report(struct fm_document *doc, size_t *count);
/* All traces so far. */
framemap_trace *fm_document_traces(struct fm_document *doc, size_t *count);

/* A native frame with index -1 and nothing else known. A parser sets return_address, address_kind and load_address by
 * the rules of its format; module is the last part of the printed path ("libapp.so"), the path itself is in raw. */
#define FM_FRAME_INIT ((framemap_frame){.kind = FRAMEMAP_KIND_NATIVE, .index = -1})

/* --- looking back: the lines above a stack, which name its exception and thread --- */

#define FM_LOOK_BACK_MOST 16 /* lines above the first frame that any parser may look at */

/* An iterator over the lines above a line, nearest first. */
struct fm_look_back {
    struct fm_line_ring *ring;
    uint64_t parser;
    unsigned left;
    uint64_t at, end, first_number1, floor;
};
/* Starts at `line`, which the current parser is offered, or was offered a few lines ago. Visits at most `most` lines
 * (FM_LOOK_BACK_MOST or less), none of them further away than that by number, and none that starts before `floor`, an
 * offset in the whole text. */
struct fm_look_back fm_look_back_from(struct fm_document *doc, const struct fm_line *line, uint64_t floor,
                                      unsigned most);
/* The next line up; NULL at the end. Skips blank lines, lines for which this parser returned CONTEXT, and frames of
 * this parser and of parsers earlier in the table. Only text, offset and number1 of the line are set unless it was
 * offered before: call fm_line_cut. Valid while the current line is parsed. */
struct fm_line *fm_look_back_next(struct fm_look_back *look_back);

#endif
