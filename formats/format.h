/* What a format is: one row of the table in format_registry.c, defined in the format's own file. A format contains
 * what is known about the look of a stack text; it must not depend on where symbols come from. A format reads (it
 * has `offer`), writes (it has `output`), or does both. A format that does both writes its stacks row by row, with
 * row_writer.h. */
#ifndef FM_FORMATS_FORMAT_H
#define FM_FORMATS_FORMAT_H

#include "formats/trace_document.h"
#include <framemap/convert.h>

/* A word that the prefilter (scan/prefilter.h) searches for. A line that a parser finds significant contains one of the
 * parser's needles, with two exceptions. One is a line at the start of the text (FM_FIRST_LINES). The other is a line
 * with a shape that the prefilter always searches for: "at ", "@", "#1", "0x1", a position such as ":1:2" at its end, a
 * colour, an escaped line end. */
struct fm_needle {
    const char *word;
    uint8_t size;
    /* Offset of the probe in the word. The probe is the three bytes that the prefilter searches for, and the byte after
     * them if the word has one. Where the prefilter finds the probe, it compares the rest of the word. */
    uint8_t probe;
    /* Number of the needle's bin, 0 to 15. Needles of one bin are searched for together. Any number gives correct
     * results. The search is fast if the words of a bin have similar bytes and the probe has rare bytes;
     * scripts/choose-needles chooses probe and bin. */
    uint8_t bin;
};
#define FM_NEEDLE(word, probe, bin) {(word), sizeof(word) - 1, (probe), (bin)}
#define FM_NEEDLES(list) .needles = (list), .needle_count = sizeof(list) / sizeof *(list)

/* Signs by which the lines of a format are recognized quickly, as bits of a mask. Each sign is a word, or a shape
 * that the prefilter searches for. */
enum fm_mark {
    FM_MARK_WORD = 1,   /* the line has one of the format's needles */
    FM_MARK_AT = 2,     /* the line has "at " */
    FM_MARK_SIGN = 4,   /* the line has "@" */
    FM_MARK_NUMBER = 8, /* the line has '#' and a digit */
    FM_MARK_HEX = 16,   /* the line has "0x" and a digit */
    FM_MARK_END = 32    /* the line ends in a position such as ":1:2" */
};

/* What a line is to a parser. */
enum fm_line_role {
    FM_ROLE_NONE = 0, /* the line is not part of the format's traces */
    /* the line is a header, a register line or an image; the other parsers are offered it too */
    FM_ROLE_CONTEXT = 1,
    FM_ROLE_FRAME = 2 /* the line is a frame; parsers later in the table are not offered it */
};

/* The kind of ids that a format has for images. */
enum fm_id_form {
    FM_ID_BUILD_ID = 0, /* the bytes of an ELF file's note, in their order */
    FM_ID_UUID = 1,     /* the UUID of a Mach-O file */
    FM_ID_BREAKPAD = 2  /* a GUID followed by the digits of an age, as Breakpad writes it */
};

/* What cleaning leaves in the lines that a format is offered (scan/line_clean.h). Cleaning removes colours and NUL
 * bytes, and decodes entities such as "&lt;" and escapes such as \". Bytes that the format needs as they are, or
 * decodes itself, are left. */
enum fm_keeps {
    /* cleaning removes colours and NUL bytes, and decodes entities and the escapes of the string that the line is in */
    FM_KEEPS_NOTHING = 0,
    FM_KEEPS_ESCAPES = 1, /* cleaning keeps entities and escapes */
    FM_KEEPS_MARKS = 2,   /* cleaning keeps colours, entities, and the escapes \" and \\, which names need */
    FM_KEEPS_ALL = 3      /* cleaning keeps all bytes */
};

struct fm_output;

struct fm_format {
    framemap_format_info info; /* name ("android-tombstone"), summary, reads, writes */

    /* --- stating which lines the format looks for --- */
    /* the words of the format, set with FM_NEEDLES; formats that have one parser in common share a list */
    const struct fm_needle *needles;
    size_t needle_count;
    /* Bits of enum fm_mark. Each line that the parser finds significant has at least one of these marks, and so has
     * each line that the parser takes, unless keeps_state is set. Lines without any of the marks are not tested
     * further; that saves most time for formats without another condition. 0: a line needs none of these marks. A line
     * in which the prefilter finds nothing for any parser may still not be offered, unless the parser took one of the
     * FM_LINES_AFTER lines above it. */
    uint8_t marks;
    /* Conditions on the lines that are offered to the format. A line meets them if its first byte is in `firsts`, its
     * last byte is in `lasts`, or it may have one of the characters of `any_of` (enum fm_has). If none of these three
     * is set, every line meets them. In addition, the line must not be known to lack a character of `all_of`, and
     * `probe`, if not NULL, must return true. With keeps_state set, other lines may be offered too. */
    const char *firsts, *lasts;
    uint8_t any_of, all_of;
    bool (*probe)(const struct fm_line *line);
    bool first_line_only; /* only the first line of a text may be significant to the format */
    /* Returns whether a line is significant, judged from the line alone: it can start a trace, it can belong to a trace
     * although the parser has none open, or it changes the meaning of a frame more than FM_LOOK_BACK_MOST lines below
     * it. A line that is significant to no parser is not offered to any. NULL: every line that meets the conditions of
     * marks, firsts, lasts, any_of, all_of and probe is significant. The function has no side effects. */
    bool (*is_significant)(const struct fm_line *line);
    /* An earlier row of the table also parses every text of this format; the parser of this row is used only if the
     * caller selects the format by name. */
    bool parsed_by_earlier;

    /* --- parsing the lines that the format is offered --- */
    /* a value of enum fm_keeps: what cleaning leaves in the lines that the format is offered */
    uint8_t keeps;
    /* Size of the parser's state in bytes; the state is zeroed at the start of a text. Only members of type
     * framemap_str may point into the text or into memory from fm_document_alloc: lanes.h corrects these, and no
     * others, when that memory moves. */
    size_t state_size;
    /* Parses a line. Each line is offered to the parsers in the order of the table, until one of them returns
     * FM_ROLE_FRAME. */
    enum fm_line_role (*offer)(void *state, struct fm_document *doc, const struct fm_line *line);
    /* Whether the parser keeps state that a later line may continue or end, even a line of another format. Such a
     * parser is offered its significant lines, and the next FM_LINES_AFTER lines after each of them, whatever these
     * are. */
    bool keeps_state;
    /* Whether the parser reads JSON documents (json_document.h): it is then offered lines of any length that begin
     * with a bracket. */
    bool reads_documents;
    /* Called when the current trace, which this parser began, gets no more frames. Makes decisions that depend on all
     * frames of the trace. May be NULL. */
    void (*finish)(void *state, struct fm_document *doc);
    /* A trace may continue on this many lines below its last frame, or below the last line that the parser took. The
     * number is at least that which the parser itself allows. 0 means FM_LINES_AFTER. */
    uint8_t gap;
    /* Returns within how many further lines a stack must begin for this line to become part of it; 0: the line is
     * ordinary text. Such a line is, for example, a title whose class is restored. Only lines of the same lane (one
     * process and thread of a log, scan/lanes.h) are counted; a stream holds the line back for that many. announced:
     * the call for one of the two lines above returned FM_LEADS_NEXT. NULL: the format has no such lines. */
    unsigned (*leads)(const struct fm_line *line, bool announced);

    enum fm_id_form id_form; /* form of the ids of the format's images */

    /* --- printing the frames of the format --- */
    /* Prints one restored frame in the style of the report: the lines that replace frame->raw. The first line is
     * written without `prefix`, each further line after `eol` and `prefix`. Called for a frame without restored frames
     * only if several frames share one line of text, which is then printed as a list of rows. NULL: frames of this
     * format are never restored. */
    void (*print_frame)(struct fm_buf *out, const framemap_frame *frame, framemap_str prefix, framemap_str eol);
    /* How the format writes stacks, including stacks that were read from other formats (format_output.h). NULL: the
     * format only reads stacks. */
    const struct fm_output *output;
};

/* a bit in a result of `leads`: the line announces that one of the next lines is a title */
#define FM_LEADS_NEXT 0x100u
/* this many lines at the start of a text are offered to parsers even if they contain no needle */
#define FM_FIRST_LINES 4
/* this many lines are offered to a keeps_state parser after each line that is significant to it */
#define FM_LINES_AFTER 8

/* Returns the format with the given name, or NULL. */
typedef const struct fm_format *fm_format_finder(framemap_str name);

/* An image or script without symbols. */
struct fm_print_missing {
    framemap_str name, id, arch;
    framemap_kind kind; /* kind of the frames that need the image or script */
    uint64_t frames;
    framemap_why why;
    const char *reason;
};

/* Counts over all parts of a text. */
struct fm_print_totals {
    uint64_t bytes, lines; /* size of the text in bytes, and its number of lines */
    /* numbers of traces and frames; `frames` counts only frames that can need symbols */
    uint64_t traces, frames, restored;
    const struct fm_print_missing *missing;
    size_t missing_count;
    bool truncated; /* a part of the text was not restored */
};

/* The input of an output format. */
struct fm_print_job {
    framemap_str text; /* the part that the traces were parsed from */
    /* offset of `text` in the whole text; raw_offset of a frame counts from the start of the whole text */
    uint64_t offset;
    const framemap_trace *traces;
    size_t count;
    const struct fm_print_totals *totals; /* set only for the call of print_end; else NULL */
    const struct fm_format *format;       /* the format that is written */
    void *state;                          /* state that the output keeps from part to part */
    struct fm_buf *out; /* output buffer; it is empty at the start of each part, and its memory is reused */
    /* Finds a format by its name, so that each frame is printed by the format of its trace. */
    fm_format_finder *format_named;
    struct fm_heap *heap;
    framemap_write write;
    void *context; /* context of `write` */
};

#endif
