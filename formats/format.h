/* What a format is: one row of the table in format_registry.c, defined in the format's own file. A format contains what
 * is known about the look of a stack text; it must not depend on where symbols come from. A format reads (it has
 * `offer`), writes (it has `print`), or both: then its rows are written by row_writer.h. */
#ifndef FM_FORMATS_FORMAT_H
#define FM_FORMATS_FORMAT_H

#include "formats/trace_document.h"
#include <framemap/convert.h>

/* A word that the prefilter (scan/prefilter.h) searches for. Each line that a parser finds significant contains one of
 * the parser's needles, unless it is one of the first lines of the text (FM_FIRST_LINES), or one of the shapes that the
 * prefilter always searches for: "at ", "@", "#1", "0x1", an ending ":1:2", a colour, an escaped line end. */
struct fm_needle {
    const char *word;
    uint8_t size;
    uint8_t probe; /* offset in the word of the three bytes that are searched for; the rest is compared on a hit */
    uint8_t bin;   /* 0 to 15: needles of one bin are searched for together. Any values are correct; good ones put words
                      with similar bytes in one bin and rare bytes in the probe: scripts/choose-needles chooses both */
};
#define FM_NEEDLE(word, probe, bin) {(word), sizeof(word) - 1, (probe), (bin)}
#define FM_NEEDLES(list) .needles = (list), .needle_count = sizeof(list) / sizeof *(list)

/* What a line of a format has, bits of a mask: a word, or a shape that the prefilter searches for. */
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
    FM_ROLE_NONE = 0,    /* the line is not part of the format's traces */
    FM_ROLE_CONTEXT = 1, /* a header, register line or image; offered to the other parsers too */
    FM_ROLE_FRAME = 2    /* a frame; not offered to parsers later in the table */
};

/* What the ids of the images that a format lists are. */
enum fm_id_form {
    FM_ID_BUILD_ID = 0, /* the bytes of an ELF file's note, in their order */
    FM_ID_UUID = 1,     /* the UUID of a Mach-O file */
    FM_ID_BREAKPAD = 2  /* a GUID and, as further digits, an age */
};

/* The parts of a line that a format requires, or removes itself; it is offered lines without the others
 * (scan/line_clean.h). */
enum fm_keeps {
    FM_KEEPS_NOTHING = 0, /* no colours, NUL bytes, entities, or escapes of the string that the line is in */
    FM_KEEPS_ESCAPES = 1, /* cleaning keeps entities and escapes */
    FM_KEEPS_MARKS = 2,   /* cleaning keeps colours, entities, and the escapes \" and \\, which names need */
    FM_KEEPS_ALL = 3      /* cleaning keeps all bytes */
};

struct fm_print_job;
struct fm_row_out;

struct fm_format {
    framemap_format_info info; /* name ("android-tombstone"), summary, reads, writes */

    /* --- which lines the format looks for --- */
    const struct fm_needle *needles; /* FM_NEEDLES(list); formats with one parser share a list */
    size_t needle_count;
    /* Bits of enum fm_mark. Each line that the parser finds significant has at least one of them, and so has each line
     * that the parser takes, unless keeps_state is set. Lines without any are not tested, which matters if there is no
     * other condition. 0: a line needs no mark. */
    uint8_t marks;
    /* The lines that may be its frames or headers: those whose first byte is in `firsts`, whose last byte is in
     * `lasts`, or that may have one of `any_of` (enum fm_has). NULL, NULL and 0: any line. Of these, the lines that may
     * have each of `all_of` and that pass `probe` (NULL: all). Other lines are not offered unless keeps_state is set.
     */
    const char *firsts, *lasts;
    uint8_t any_of, all_of;
    bool (*probe)(const struct fm_line *line);
    bool first_line_only; /* only the first line of a text may be significant to the format */
    /* Whether the line alone could start or belong to a trace when the parser has no trace open, or changes what a
     * frame more than FM_LOOK_BACK_MOST lines below means. Lines that are significant to no parser are not offered.
     * NULL: all lines that pass the conditions above. Pure. */
    bool (*is_significant)(const struct fm_line *line);
    /* An earlier row also parses all of this format; this row is used only if selected by name. */
    bool parsed_by_earlier;

    /* --- how the format takes a line --- */
    uint8_t keeps; /* enum fm_keeps */
    /* Bytes of parser state, zeroed at the start of a text. It may hold slices of the text and of what
     * fm_document_alloc returned as framemap_str, and no other pointers to them (scan/lanes.h). */
    size_t state_size;
    /* Parses a line. Lines are offered in order, to the parsers in the order of the table, until one returns FRAME. */
    enum fm_line_role (*offer)(void *state, struct fm_document *doc, const struct fm_line *line);
    /* offer() has state that later lines end or continue, whichever parser they belong to: the parser is offered
     * significant lines and the FM_LINES_AFTER lines after each, whatever they are. */
    bool keeps_state;
    /* offer() reads JSON documents (json_document.h): it is offered lines of any length that begin with a bracket. */
    bool reads_documents;
    /* Called when the current trace, which this parser began, gets no more frames: for decisions that depend on all of
     * them. May be NULL. */
    void (*finish)(void *state, struct fm_document *doc);
    /* Lines below the last frame, or below the last line that the parser took, on which a trace may continue: at least
     * as many as the parser itself allows. 0: FM_LINES_AFTER. */
    uint8_t gap;
    /* For lines that are text until a stack begins below them, such as a title with a class that is restored: within
     * how many further lines of the same lane (scan/lanes.h) that stack must begin. 0: the line stays text. A stream
     * holds the line back for so many lines. announced: FM_LEADS_NEXT was returned for the line above, or for the one
     * above that. leads is NULL if the format has no such lines. */
    unsigned (*leads)(const struct fm_line *line, bool announced);

    enum fm_id_form id_form; /* form of the ids of the format's images */

    /* --- how the format prints --- */
    /* Prints one restored frame in the style of the report: the lines that replace frame->raw, the first without
     * `prefix`, each other after `eol` and `prefix`. The frame has restored frames, unless several frames share a line,
     * which then becomes a list. NULL: its frames are never restored. */
    void (*print_frame)(struct fm_buf *out, const framemap_frame *frame, framemap_str prefix, framemap_str eol);
    /* Writes the traces of one part of a text, and for some outputs the text between them. Only outputs have it.
     * Errors: IO, MEMORY. */
    framemap_status (*print)(const struct fm_print_job *job, framemap_error *error);
    /* Write what comes before the first part and after the last one (job->totals). NULL: nothing. Errors: IO, MEMORY.
     */
    framemap_status (*print_begin)(const struct fm_print_job *job, framemap_error *error);
    framemap_status (*print_end)(const struct fm_print_job *job, framemap_error *error);
    /* --- how stacks of other formats are written in the format's rows: FM_WRITES_ROWS --- */
    /* Write one row, without a line end (row_writer.h), and the lines before and after the rows of a stack, with their
     * line ends. */
    void (*put_row)(struct fm_buf *out, const struct fm_row_out *row);
    void (*put_head)(struct fm_buf *out,
                     const framemap_trace *trace); /* writes what precedes the rows; NULL: nothing */
    void (*put_tail)(struct fm_buf *out, const framemap_trace *trace); /* writes what follows the rows; NULL: nothing */
    bool rows_outermost_first;
    bool addresses_in_image; /* addresses count from the start of an image; else they are those of the process */
    bool places_by_id;       /* addresses that count from an image are written only if the image has an id */
    bool path_or_module;     /* only a row without a file names the image; `holds` has no FRAMEMAP_PART_MODULES */

    uint32_t holds;          /* FRAMEMAP_PART_ bits of what the format's rows can contain */
    bool keeps_rows;         /* the format writes the rows of frames that are not restored unchanged */
    bool joins_stacks;       /* the format writes stacks that belong together differently from single ones: a stack with
                                its causes, or the threads of one dump. It gets an event (event_group.h) in one part */
    size_t print_state_size; /* bytes of job->state, zeroed before print_begin */
};

/* Sets the members of a format that writes rows. parts: FRAMEMAP_PART_ bits of what its rows can contain. */
#define FM_WRITES_ROWS(row, parts) .print = fm_print_rows, .put_row = (row), .holds = (parts)
#define FM_HOLDS_ALL UINT32_MAX
/* The parts that fm_put_stack_rows (output/trace_words.h) writes. */
#define FM_HOLDS_ROWS                                                                               \
    (FRAMEMAP_PART_FILES | FRAMEMAP_PART_LINES | FRAMEMAP_PART_COLUMNS | FRAMEMAP_PART_EXCEPTIONS | \
     FRAMEMAP_PART_CAUSES | FRAMEMAP_PART_MARKERS)
#define FM_LEADS_NEXT 0x100u /* in a result of `leads`: the line announces that the next lines are a title */
#define FM_FIRST_LINES 4     /* number of lines at the start of a text that need no needle to be offered to a parser */
#define FM_LINES_AFTER 8 /* number of lines offered to a keeps_state parser after a line that was significant to it */

/* The row of that name, or NULL. */
typedef const struct fm_format *fm_format_finder(framemap_str name);

/* An image or script without symbols. */
struct fm_print_missing {
    framemap_str name, id, arch;
    framemap_kind kind; /* kind of the frames */
    uint64_t frames;
    framemap_why why;
    const char *reason;
};

/* Counts over all parts of a text. */
struct fm_print_totals {
    uint64_t bytes, lines;             /* bytes and lines of the text */
    uint64_t traces, frames, restored; /* frames: only those that can need symbols */
    const struct fm_print_missing *missing;
    size_t missing_count;
    bool truncated; /* a part of the text was not restored */
};

/* The input of an output format. */
struct fm_print_job {
    framemap_str text; /* the part that the traces were parsed from */
    uint64_t offset;   /* offset of `text` in the whole text: raw_offset counts from the start of the whole */
    const framemap_trace *traces;
    size_t count;
    const struct fm_print_totals *totals; /* totals for print_end; else NULL */
    const struct fm_format *format;       /* the format that is written */
    void *state;                          /* state of the output, over all parts */
    struct fm_buf *out;                   /* buffer, empty between parts: its memory serves the next one */
    /* Finds a format by its name, so that each frame is printed by the format of its trace. */
    fm_format_finder *format_named;
    struct fm_heap *heap;
    framemap_write write;
    void *context; /* context of `write` */
};

#endif
