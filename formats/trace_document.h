/* What a parser adds its findings to: traces, frames, images and mentions, all allocated in one arena, and the lines
 * above the current one. Called by the parsers of all formats; implemented by the files scan/document*.c and
 * scan/look_back.c. */
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
/* Starts a trace like fm_document_trace, for a stack of which more is known: the trace gets thread, process, exception,
 * registers and the like from `known`. */
framemap_trace *fm_document_trace_like(struct fm_document *doc, const char *format, const struct fm_line *line,
                                       const framemap_trace *known);
/* Adds a copy of a frame to the current trace, with raw and raw_offset set to the line's body. The result is valid
 * until the next call. Returns NULL if out of memory. */
framemap_frame *fm_document_frame(struct fm_document *doc, const struct fm_line *line, const framemap_frame *frame);
/* Adds a frame that is all zero except raw, raw_offset and index (-1), to be filled in by the caller. */
framemap_frame *fm_document_new_frame(struct fm_document *doc, const struct fm_line *line);
/* Gives a frame an `extra` of its own, a copy of the one that it has, to be filled in by the caller. Returns NULL if
 * out of memory. */
framemap_frame_extra *fm_document_extra(struct fm_document *doc, framemap_frame *frame);
/* Adds a copy of a mention to the current trace, which must exist, before the next frame. Returns false if out of
 * memory. */
bool fm_document_mention(struct fm_document *doc, const framemap_mention *mention);

/* A report is a group of traces whose addresses are resolved against one list of images. It starts at a header line
 * (after fm_document_report_end), at the first image or at the first frame of a stack. It ends at the next header, at
 * the first stack or list of images after its own list, and after FM_REPORT_GAP lines without frames or images; one
 * that awaits no images (fm_document_expect_images) with its stack. */
#define FM_REPORT_GAP 256
/* Adds a zeroed image to the current report (shared by its traces), or to a new one if the line starts it. The result
 * is valid until the next call. Images beyond fm_document_image_limit are not kept. Returns NULL if out of memory. */
framemap_image *fm_document_image(struct fm_document *doc, const struct fm_line *line);
/* Returns how many bytes of images are kept: FM_LIMIT_IMAGES, or less if little text may be held back. */
size_t fm_document_image_limit(const struct fm_document *doc);
/* Returns how many of these bytes an image takes. */
static inline size_t fm_document_image_bytes(const framemap_image *image)
{
    return sizeof *image + image->name.size + image->path.size + image->id.size + image->arch.size;
}
/* Returns the images of the current report so far, which may still be changed; NULL: none. Valid until the next
 * call. */
framemap_image *fm_document_images(struct fm_document *doc, size_t *count);
/* Adds an image whose load address a frame of the current trace gives; it applies to the frames of that trace only. */
framemap_image *fm_document_row_image(struct fm_document *doc);
/* Ends the current report: attaches its images to its traces and matches frames with images. */
void fm_document_report_end(struct fm_document *doc);
/* Declares that the current report, or the one that begins here, lists its images after its traces: the traces are kept
 * until the list has ended. Without this call a report ends with its first trace, unless its images come first or
 * directly below. */
void fm_document_expect_images(struct fm_document *doc);

/* Asks the dispatcher to offer every line up to and including `number1` to the current parser, because its open trace
 * may continue on lines that are not significant by themselves. */
void fm_document_offer_until(struct fm_document *doc, uint64_t number1);
/* Declares that one of the next `lines` lines may show that this line is a frame, or otherwise more than text: a stream
 * holds it back until then. */
void fm_document_may_begin(struct fm_document *doc, const struct fm_line *line, unsigned lines);
/* Returns the current trace if it is open and of the given format (compared by pointer), else NULL. */
framemap_trace *fm_document_open(struct fm_document *doc, const char *format);
/* Returns the number of frames that the current trace has so far, one more if it continues a trace that was closed
 * early: for formats in which only the first address of a stack is exact. */
size_t fm_document_depth(const struct fm_document *doc, const framemap_trace *trace);
/* Ends the current report and begins one that holds all traces and images up to fm_document_report_end, however far
 * apart their lines are: for formats that know where a report ends. */
void fm_document_report_begin(struct fm_document *doc);
/* Declares that the report that begins here may be dropped later: it is kept until a document below ends that repeats
 * it, or for FM_REPORT_GAP lines. */
void fm_document_expect_repeat(struct fm_document *doc);
/* Removes the traces and images of the current report: the text reports the same again. */
void fm_document_report_drop(struct fm_document *doc);
/* Returns the traces of the current report so far, the current one last. */
framemap_trace *fm_document_report(struct fm_document *doc, size_t *count);
/* Returns the trace before the current one, if it was open until this line began the current one; else NULL, since the
 * trace may have been printed already. Valid until the next call. */
framemap_trace *fm_document_previous(struct fm_document *doc);
/* Lets the current trace span all of a line below its last frame. */
void fm_document_span(struct fm_document *doc, const struct fm_line *line);
/* Returns the offset after the last frame of the lane, of any format; 0: there was none. */
uint64_t fm_document_last_end(const struct fm_document *doc);
/* Returns the number of frames that the lane holds in memory: of the whole text, or of the current part of a stream. */
uint64_t fm_document_frames(const struct fm_document *doc);

/* A native frame with index -1 and nothing else known. A parser sets return_address, address_kind and load_address by
 * the rules of its format; module is the last part of the printed path ("libapp.so"), the path itself is in raw. */
#define FM_FRAME_INIT ((framemap_frame){.kind = FRAMEMAP_KIND_NATIVE, .index = -1})

/* --- looking back: the lines above a stack, which name its exception and thread --- */

/* Lines of the lane above the first frame that any parser may look at. They are also within 200 lines and 64 KiB of the
 * whole text. */
#define FM_LOOK_BACK_MOST 16

/* An iterator over the lines above a line, nearest first. */
struct fm_look_back {
    struct fm_document *doc;
    struct fm_line_ring *ring;
    unsigned parser; /* number of the current parser */
    uint64_t lane;
    uint64_t head; /* the origin of the message that lines without a prefix belong to; 0: none was found */
    unsigned left, lines;
    uint64_t number1, below1, first1; /* numbers of the lane's line, of the line below, and of the first line that may
                                         be looked at */
    uint64_t at, end, floor;
    uint64_t skipped, next1;
    size_t next;
    bool skips_frames; /* frames of any parser are skipped directly above, and end the walk above another line; set by
                          the caller */
    bool has_passed;   /* a line that is not skipped was passed */
};
/* Starts at `line`, which the current parser is offered, or was offered a few lines ago. Visits at most `most` lines
 * (FM_LOOK_BACK_MOST or less), none of them further away than that by number, and none that starts before `floor`, an
 * offset in the whole text. */
struct fm_look_back fm_look_back_from(struct fm_document *doc, const struct fm_line *line, uint64_t floor,
                                      unsigned most);
/* Returns the next line up; NULL at the end. Skips blank lines, lines for which this parser returned CONTEXT, and
 * frames of this parser and of parsers earlier in the table. The line is cut. Valid while the current line is parsed;
 * at most 64 are at once. */
struct fm_line *fm_look_back_next(struct fm_look_back *look_back);
/* Returns the text around the current line, which may be a piece of an escaped string: whole lines that begin at most
 * `most` bytes before it, and its physical line, of which at most `most` bytes before it. *at: where the line begins in
 * it. */
framemap_str fm_document_around(struct fm_document *doc, const struct fm_line *line, size_t most, size_t *at);

#endif
