/* What a format is: a way of writing stacks as text. The table is in format_registry.c; a format never learns where
 * symbols come from. */
#ifndef FM_FORMATS_FORMAT_H
#define FM_FORMATS_FORMAT_H

#include "core/heap.h"
#include "core/text/scan.h"
#include <framemap/trace.h>

/* What a line may be known to lack, so that nobody looks for it. */
enum fm_lacks {
    FM_LACKS_OPEN = 1,     /* '(' */
    FM_LACKS_NUMBER = 2,   /* '#' */
    FM_LACKS_SIGN = 4,     /* '@' */
    FM_LACKS_ERROR = 8,    /* "r:" as in "error:" */
    FM_LACKS_DOT = 16,     /* '.' */
    FM_LACKS_BRACKET = 32, /* '[' */
    FM_LACKS_SLASH = 64,   /* '\\': no strings with escaped line ends */
    FM_LACKS_COLOUR = 128, /* an escape character */
    FM_LACKS_BAR = 128     /* '|', told together with the one before: a line lacks both or may have either */
};

/* One line of the text, split once for all formats. */
struct fm_line {
    framemap_str text; /* without its end */
    framemap_str body; /* the part of text between a log prefix (logcat, kernel, syslog, quoting …) and closing colours
                          or blanks */
    uint64_t offset;   /* of text in the whole text */
    uint64_t number1;
    char first;    /* first byte of body that is no blank; 0: there is none */
    char last;     /* last byte of body; 0: there is none */
    uint8_t lacks; /* enum fm_lacks, of all of text; 0: it may have all */
    bool begins; /* the first line of a string with escaped line ends (lines.h) and several lines: nothing goes on from
                    above */
};

/* The document being read: formats add traces, frames and images to it. All memory is of the arena. */
struct fm_document;
/* size bytes of the document's memory, for what has to be spelled anew. NULL: out of memory (the doc remembers, and the
 * parse fails). */
void *fm_document_alloc(struct fm_document *doc, size_t size);
/* Begins a trace of a format; the frames added next are its own. NULL: out of memory (the doc remembers).
 * format: the name in the row of the format's own table entry; fm_document_open compares the pointer. */
framemap_trace *fm_document_trace(struct fm_document *doc, const char *format, const struct fm_line *line);
/* Adds a copy of a frame, with raw and raw_offset set to the line's body, to the current trace. NULL: out of memory.
 * Valid until the next call. */
framemap_frame *fm_document_frame(struct fm_document *doc, const struct fm_line *line, const framemap_frame *frame);
/* The same of a frame that is all zero but for raw, raw_offset and index, -1: to be filled in where it stands. */
framemap_frame *fm_document_new_frame(struct fm_document *doc, const struct fm_line *line);
/* Adds a copy of a mention to the current trace, of which there must be one: it stands before the frame that comes
 * next. false: out of memory. */
bool fm_document_mention(struct fm_document *doc, const framemap_mention *mention);
/* A report is the traces whose rows are placed by one list of images: from a header line on (fm_document_report_end),
 * or from the first row of a stack. It ends at the next header, at the first stack or list of images after its own
 * list, and where FM_REPORT_GAP lines have neither rows nor images of it. */
#define FM_REPORT_GAP 256
/* Adds a zeroed row to the images of the current report (shared by its traces), or of the next one where the line
 * begins it. Valid until the next call. NULL: out of memory. */
framemap_image *fm_document_image(struct fm_document *doc, const struct fm_line *line);
/* The same for an image whose place a row of the current trace gives: it places the rows of that trace alone. */
framemap_image *fm_document_row_image(struct fm_document *doc);
/* Ends the current report: its images are given to its traces and its frames placed in them; images added later belong
 * to the next. */
void fm_document_report_end(struct fm_document *doc);
/* Has the reader at work shown all lines up to and with a number: what it has begun may go on in lines that say nothing
 * by themselves. */
void fm_document_watch(struct fm_document *doc, uint64_t number1);
framemap_trace *fm_document_open(struct fm_document *doc,
                                 const char *format); /* the current trace where it is of that format, else NULL */
/* The traces of the current report so far, the current one last. */
framemap_trace *fm_document_report(struct fm_document *doc, size_t *count);
framemap_trace *fm_document_traces(struct fm_document *doc, size_t *count); /* all so far */

/* A frame with nothing known: index -1, native. */
#define FM_FRAME_INIT ((framemap_frame){.kind = FRAMEMAP_KIND_NATIVE, .index = -1})

#define FM_ABOVE 16  /* lines above the first frame of a stack that any reader looks at */
#define FM_WATCHED 8 /* lines that a reader is shown in any case behind one that said something to it */

/* A walk over the lines above one, nearest first. */
struct fm_above {
    struct fm_kept *kept;
    uint32_t hidden;
    unsigned left;
    uint64_t at, end, first_number1, floor;
};
/* The lines above `line`, which the reader at work is shown, or was shown a few lines ago: at most `most`, FM_ABOVE or
 * less, none of which is further away by its number. Those that begin in front of `floor`, an offset in the whole text,
 * are not among them. */
struct fm_above fm_above_of(struct fm_document *doc, const struct fm_line *line, uint64_t floor, unsigned most);
/* The next one; NULL: there are no more. Left out are blank lines, those that this reader answered CONTEXT to, and
 * frames, its own and those of readers above it in the table. Of a line its text, offset and number are known, the rest
 * once it is cut. Valid while the line at hand is read. */
struct fm_line *fm_above_next(struct fm_above *above);
/* Cuts it, where that wasn't done before. false: it is blank but for what a logger put in front. */
bool fm_line_cut(struct fm_line *line);

/* What a line is to a reader. */
enum fm_line_role {
    FM_ROLE_NONE = 0,    /* not mine */
    FM_ROLE_CONTEXT = 1, /* mine, but no frame: header, register row, image row; others may want it too */
    FM_ROLE_FRAME = 2    /* mine alone */
};

struct fm_format {
    const char *name;  /* "android-tombstone" */
    size_t state_size; /* bytes of reader state, zeroed at the start of a text */
    /* Which lines, standing alone, may be its frames or headers: those whose first byte is one of `firsts`, whose last
     * is one of `lasts`, or that may have one of `has` (enum fm_lacks). NULL and 0 all three: any. Of these, those that
     * pass the probe; NULL: all. No reader is called for the others, which are most lines of every text, but for one
     * that `follows`, behind a line that said something to it. */
    const char *firsts, *lasts;
    uint8_t has;
    uint8_t needs; /* enum fm_lacks: a line that lacks any of these is none of its own, whatever its other bytes are */
    bool (*probe)(const struct fm_line *line);
    /* Offers such a line, in order; formats are asked in the order of the table until one answers FRAME. NULL: the
     * format does not read. */
    enum fm_line_role (*line)(void *state, struct fm_document *doc, const struct fm_line *line);
    /* Whether a line says something by itself to a reader that has nothing open: it is one of its frames, a header, a
     * title, or what a frame of the next lines would depend on from more than FM_ABOVE lines above. Such a line has one
     * of the marks of prefilter_words.h. Where no reader says so the lines are passed over: they are not offered. NULL:
     * each line that may be its own. Pure. */
    bool (*tells)(const struct fm_line *line);
    /* Its line() has a state that lines end or go on with, whoever else these may be for: it is shown the lines that
     * tell it something and FM_WATCHED behind them, whatever they say. What stands above those it asks for
     * (fm_above_of). */
    bool follows;
    bool read_by_another; /* all that it reads is read by a row of the table above it, so that it is asked only when
                             asked for by name */
    /* The text is over: settle what only its end tells. May be NULL. */
    void (*finish)(void *state, struct fm_document *doc);
    /* Writes one frame in the report's own look: the lines that stand in place of frame->raw, the first without
     * `prefix`, the others each after `eol` and `prefix`. The frame has been restored, except where several frames
     * share a line, which then becomes a list. */
    void (*print_frame)(struct fm_buf *out, const framemap_frame *frame, framemap_str prefix, framemap_str eol);
    /* Output-only formats: writes one trace. NULL: restored text in place. */
    void (*print_trace)(struct fm_buf *out, const framemap_trace *trace);
};

const struct fm_format *const *fm_format_table(size_t *count);
/* The same rows for people, in the same order. */
const framemap_format_info *fm_format_infos(size_t *count);
const struct fm_format *fm_format_named(const char *name);

/* Checks that `format` is read and `output` is written; NULL stands for the default of each. Errors: ARGUMENT,
 * UNSUPPORTED. */
framemap_status fm_formats_check(const char *format, const char *output, framemap_error *error);

/* Finds every stack of a text. Lines that say nothing are passed over (prefilter.h). format NULL: any. threads: 0 is 1;
 * a long text is read by so many, with the same answers. Everything is of the arena or borrowed from text. Errors:
 * ARGUMENT (unknown format, or one that does not read), MEMORY. */
framemap_status fm_formats_parse(framemap_str text, const char *format, unsigned threads, struct fm_arena *arena,
                                 framemap_trace **traces, size_t *count, framemap_error *error);
/* The same, said for tests how many bytes a thread takes at once. */
framemap_status fm_formats_parse_pieces(framemap_str text, const char *format, unsigned threads, size_t piece,
                                        struct fm_arena *arena, framemap_trace **traces, size_t *count,
                                        framemap_error *error);
/* The same, said for tests whether lines are passed over: the answers are equal. */
enum fm_passing { FM_PASS_WHERE_IT_PAYS, FM_PASS_NEVER, FM_PASS_ALWAYS };
framemap_status fm_formats_parse_passing(framemap_str text, const char *format, enum fm_passing passing,
                                         struct fm_arena *arena, framemap_trace **traces, size_t *count,
                                         framemap_error *error);
/* As framemap_trace_print. */
framemap_status fm_formats_print(framemap_str text, const framemap_trace *traces, size_t count, const char *format,
                                 struct fm_heap *heap, framemap_write write, void *context, framemap_error *error);
/* As framemap_text_ready. */
size_t fm_formats_ready(framemap_str text);
/* The same, said for tests whether lines are passed over: the answers are equal. */
size_t fm_formats_ready_passing(framemap_str text, enum fm_passing passing);

/* Return-address rule and load addresses are the reader's: it sets frame->return_address, address_kind, load_address.
 * module is the last part of a printed path ("libapp.so"); the path itself is in raw. */

#endif
