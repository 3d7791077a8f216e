/* The document: parsers add to it the traces, frames, images and mentions (of classes outside of frames) that they
 * find, and read the lines above the current one through it. All results are allocated in one arena. Called by the
 * parsers of all formats; implemented by the files scan/document*.c and scan/look_back.c. */
#ifndef FM_FORMATS_TRACE_DOCUMENT_H
#define FM_FORMATS_TRACE_DOCUMENT_H

#include "core/heap.h"
#include "formats/line.h"
#include <framemap/trace.h>

struct fm_document;

/* Allocates `size` bytes that live as long as the document, for strings that are not slices of the text, such as a
 * decoded name. Returns NULL if out of memory; the document records that, and the parse fails. */
void *fm_document_alloc(struct fm_document *doc, size_t size);
/* Returns a number in decimal digits, in memory of the document; absent if out of memory. */
framemap_str fm_document_decimal(struct fm_document *doc, uint64_t number);
/* Starts a trace; frames added after this call belong to it. Returns NULL if out of memory, which the document records.
 * format: the format's name, as a pointer to the name in the caller's row, since fm_document_open compares the
 * pointers. */
framemap_trace *fm_document_trace(struct fm_document *doc, const char *format, const struct fm_line *line);
/* Starts a trace as fm_document_trace does, for a stack of which more is known: the trace gets thread, process,
 * exception, registers and the like from `known`. */
framemap_trace *fm_document_trace_like(struct fm_document *doc, const char *format, const struct fm_line *line,
                                       const framemap_trace *known);
/* Adds a copy of a frame to the current trace, with raw and raw_offset set to the line's body. The result is valid
 * until the next call. Returns NULL if out of memory. */
framemap_frame *fm_document_frame(struct fm_document *doc, const struct fm_line *line, const framemap_frame *frame);
/* Adds a frame whose members are zero except raw, raw_offset and index (-1); the caller fills it. */
framemap_frame *fm_document_new_frame(struct fm_document *doc, const struct fm_line *line);
/* Makes a separate copy of a frame's `extra`, which the caller then changes. Returns NULL if out of memory. */
framemap_frame_extra *fm_document_extra(struct fm_document *doc, framemap_frame *frame);
/* Adds a copy of a mention (a renamed class that the text names outside of a frame) to the current trace, which must
 * exist. Call it before the next frame is added. Returns false if out of memory. */
bool fm_document_mention(struct fm_document *doc, const framemap_mention *mention);
/* Adds a register to a trace of the current report. Returns false if out of memory. */
bool fm_document_register(struct fm_document *doc, framemap_trace *trace, framemap_str name, uint64_t value);

/* A report is a group of traces whose addresses are resolved against one list of images. It starts at a header line
 * (after fm_document_report_end), at the first image, or at the first frame of a stack. It ends at the next header,
 * or when a stack or another list of images follows its own list, or after FM_REPORT_GAP lines without frames or
 * images. A report that expects no images (fm_document_expect_images) ends with its stack. */
#define FM_REPORT_GAP 256
/* Adds a zeroed image to the current report, whose traces share it; begins a report if the image is the first of a new
 * list. The result is valid until the next call. Images for which there is no room (fm_document_image_limit) are not
 * kept. Returns NULL if out of memory. */
framemap_image *fm_document_image(struct fm_document *doc, const struct fm_line *line);
/* Returns how many bytes of images are kept: FM_LIMIT_IMAGES, or less if only little text may be held back. */
size_t fm_document_image_limit(const struct fm_document *doc);
/* Returns how many bytes one image counts toward fm_document_image_limit. */
static inline size_t fm_document_image_bytes(const framemap_image *image)
{
    return sizeof *image + image->name.size + image->path.size + image->id.size + image->arch.size;
}
/* Returns the images of the current report so far, which may still be changed; NULL: the report has no images so far.
 * Valid until the next call. */
framemap_image *fm_document_images(struct fm_document *doc, size_t *count);
/* Adds an image whose load address is printed in a frame of the current trace; it applies to the frames of that
 * trace only. */
framemap_image *fm_document_row_image(struct fm_document *doc);
/* Ends the current report: attaches its images to its traces and matches frames with images. */
void fm_document_report_end(struct fm_document *doc);
/* Declares that the current report, or the one that begins here, lists its images after its traces. The traces are then
 * kept until the list has ended. Without this call, a report ends with its first trace, unless images precede that
 * trace or are directly below it. */
void fm_document_expect_images(struct fm_document *doc);

/* Has the dispatcher offer every line up to and including `number1` to the current parser. Used if its open trace may
 * continue on lines that are not significant by themselves. */
void fm_document_offer_until(struct fm_document *doc, uint64_t number1);
/* Declares that one of the next `lines` lines may show that this line is a frame or another part of a stack. A
 * stream holds the line back until then. */
void fm_document_may_begin(struct fm_document *doc, const struct fm_line *line, unsigned lines);
/* Whether a line above the current one was written early (framemap_stream_flush), so that no frame can begin at it. */
bool fm_document_is_written(const struct fm_document *doc, const struct fm_line *line);
/* States that the exception of the open trace was set without the escapes of the string that the trace is in. The
 * exceptions of parsers that get their lines with escapes are otherwise decoded when the trace ends. */
void fm_document_title_is_decoded(struct fm_document *doc);
/* Returns the current trace if it is open and of the given format (compared by pointer), else NULL. */
framemap_trace *fm_document_open(struct fm_document *doc, const char *format);
/* Returns the number of frames that the current trace has so far, plus one if it continues a trace that was closed
 * early. Used by formats in which only the first address of a stack is exact. */
size_t fm_document_depth(const struct fm_document *doc, const framemap_trace *trace);
/* Ends the current report and begins one that holds all traces and images up to the call of fm_document_report_end,
 * however far apart their lines are. Used by formats that recognize the end of a report. */
void fm_document_report_begin(struct fm_document *doc);
/* Declares that the report that begins here may be dropped later: a JSON document further down may repeat it. The
 * report is kept until such a document ends, or for FM_REPORT_GAP lines. */
void fm_document_expect_repeat(struct fm_document *doc);
/* Removes the traces and images of the current report, because the text repeats that report. */
void fm_document_report_drop(struct fm_document *doc);
/* Returns the traces of the current report so far; the last of them is the current one. */
framemap_trace *fm_document_report(struct fm_document *doc, size_t *count);
/* Returns the trace before the current one, if the current line ended that trace and began the current one.
 * Otherwise NULL, since a trace that ended earlier may have been printed already. Valid until the next call. */
framemap_trace *fm_document_previous(struct fm_document *doc);
/* Extends the current trace to the end of a line below its last frame. */
void fm_document_span(struct fm_document *doc, const struct fm_line *line);
/* Returns the offset after the last frame of any format in this lane (the lines of one thread in a log,
 * scan/lanes.h); 0: there was no frame. */
uint64_t fm_document_last_end(const struct fm_document *doc);
/* Returns how many frames the document has in memory, for the lines of one process and thread (scan/lanes.h): those of
 * the whole text, or of the current part of a stream. */
uint64_t fm_document_frames(const struct fm_document *doc);

/* Initial value of a native frame: its index is -1, and nothing else is known. A parser sets return_address,
 * address_kind and load_address by the rules of its format; module is the last part of the printed path ("libapp.so"),
 * the path itself is in raw. */
#define FM_FRAME_INIT ((framemap_frame){.kind = FRAMEMAP_KIND_NATIVE, .index = -1})

/* --- looking back: the lines above a stack, which name its exception and thread --- */

/* Number of lines above a stack's first frame that a parser may examine. Only lines of the same process and thread are
 * counted (scan/lanes.h), and they must be within 200 lines and 64 KiB of the whole text. */
#define FM_LOOK_BACK_MOST 16

/* An iterator over the lines above a line, nearest first. */
struct fm_look_back {
    struct fm_document *doc;
    struct fm_line_ring *ring;
    unsigned parser; /* number of the parser that looks back */
    uint64_t lane;
    /* If the walk starts at a line without a log prefix: origin (process and thread) of the line with a prefix that
     * begins the same message, once the walk has found that line; otherwise 0. */
    uint64_t head;
    unsigned left, lines;
    /* number1: number of the line visited last, counted among the lines of its process and thread; below1: number in
     * the text of the line below that line; first1: number in the text of the first line that may be visited */
    uint64_t number1, below1, first1;
    uint64_t at, end, floor;
    uint64_t skipped, next1;
    size_t next;
    /* set by the caller: frames of any parser directly above the start are skipped, and a frame further up ends the
     * walk */
    bool skips_frames;
    bool has_passed; /* the walk has visited a line that is not skipped */
};
/* Starts a walk at `line`, which is offered to the current parser or was offered a few lines ago. The walk visits at
 * most `most` lines (FM_LOOK_BACK_MOST or less). All of them are within `most` lines by number, and start at or after
 * the offset `floor` of the whole text. */
struct fm_look_back fm_look_back_from(struct fm_document *doc, const struct fm_line *line, uint64_t floor,
                                      unsigned most);
/* Returns the next line up; NULL at the end. Skips blank lines, lines for which this parser returned FM_ROLE_CONTEXT,
 * and frames of this parser and of parsers earlier in the table. The body of the result is computed (fm_line_cut).
 * Results are valid while the current line is parsed; if there are more than 64, only the last 64 are. */
struct fm_line *fm_look_back_next(struct fm_look_back *look_back);
/* Returns the text around `line`: the physical line of which `line` is a whole or a piece, and whole lines above that.
 * The result begins at most `most` bytes before `line`. *at: offset of `line` in the result. */
framemap_str fm_document_around(struct fm_document *doc, const struct fm_line *line, size_t most, size_t *at);
/* Returns the physical line that contains `line`, a piece of an escaped string. Absent if `line` begins `most` bytes or
 * more after the start of that line. */
framemap_str fm_document_physical_line(struct fm_document *doc, const struct fm_line *line, size_t most);

#endif
