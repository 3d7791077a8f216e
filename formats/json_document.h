/* Reads JSON documents within a text of stacks: collects the lines of a document until its brackets balance, and parses
 * it. Called by the formats that are documents (Apple's .ips, MetricKit, profiles); it must not know what a document
 * means. A format keeps a struct fm_json_document in its state:
 *
 *     struct fm_line whole;
 *     if (!fm_json_document_line(&state->document, doc, line, &whole)) return state->role; // a piece of the last line
 *     if (state->document.open)
 *         step = fm_json_document_add(&state->document, doc, &whole);
 *     else if (fm_json_document_has_first(&whole) && has_my_key(&whole))
 *         step = fm_json_document_begin(&state->document, doc, &whole);
 *     if (step == FM_DOCUMENT_COMPLETE) json = fm_json_document_parse(&state->document, doc);
 *
 * The row of such a format sets keeps_state, so that it is offered all lines of an open document, reads_documents, so
 * that it is also offered lines longer than FM_LIMIT_LINE, and FM_JSON_FIRSTS. Its needles are keys that one of the
 * first lines of a document has: "\"callStackTree\"". Until a format is sure that the document is its own, it should
 * return NONE, since strings of the document may contain stacks of other formats. */
#ifndef FM_FORMATS_JSON_DOCUMENT_H
#define FM_FORMATS_JSON_DOCUMENT_H

#include "core/json/json.h"
#include "formats/trace_document.h"

enum fm_document_step {
    FM_DOCUMENT_NONE,    /* no document begins here, or it was not JSON or too large, and is dropped */
    FM_DOCUMENT_OPEN,    /* more lines will follow */
    FM_DOCUMENT_COMPLETE /* the document's brackets balance, so that it is complete */
};

struct fm_json_document {
    framemap_str text; /* text of the document from its first bracket to the last one, or to the end of the last line
                          that was added */
    uint64_t offset;   /* offset of the document's first byte in the whole text */
    uint64_t number1, text_number1; /* numbers of the line of that byte, as in fm_line */
    uint64_t seen1;                 /* the last physical line that was looked at */
    uint32_t depth;                 /* number of brackets that are open */
    bool open, in_string;
};

/* Gives the whole physical line that `line` is, or is a piece of (scan/lines.h): text and body up to its end, offset,
 * number1 and first. Returns false for further pieces of the line that the last call was about. */
bool fm_json_document_line(struct fm_json_document *document, struct fm_document *doc, const struct fm_line *line,
                           struct fm_line *whole);

/* The first bytes of the lines at which a parser of documents may begin, for `firsts` of its row. A line of a document
 * begins with another byte only if a line end precedes a number, true, false or null, where no writer puts one. A
 * parser must not begin at such a line: what it finds would depend on whether it is offered all lines. */
#define FM_JSON_FIRSTS "{[\",:}]"
bool fm_json_document_has_first(const struct fm_line *line);

/* Begins a document at a whole line: the outermost value that the line is part of and that begins with a bracket at the
 * start of this line, or at the start or end of one of the FM_LOOK_BACK_MOST lines above it. */
enum fm_document_step fm_json_document_begin(struct fm_json_document *document, struct fm_document *doc,
                                             const struct fm_line *whole);
/* Begins a document at a bracket within the line. */
enum fm_document_step fm_json_document_begin_at(struct fm_json_document *document, struct fm_document *doc,
                                                const struct fm_line *whole, const char *bracket);
/* Adds all text up to the end of the line. */
enum fm_document_step fm_json_document_add(struct fm_json_document *document, struct fm_document *doc,
                                           const struct fm_line *whole);

/* Parses a complete document; slices of the result point into the text. NULL: not well formed, or out of memory (the
 * document `doc` remembers). Freed by the caller with fm_json_free. */
struct fm_json *fm_json_document_parse(const struct fm_json_document *document, struct fm_document *doc);
/* Returns, for the slot `leads` of a format that is a JSON document, how many lines below the line a key may follow
 * that makes the line a part of a document. */
unsigned fm_json_document_leads(const struct fm_line *line, bool announced);

/* Returns a string without its escapes; empty if the value is not a string. In memory of `doc` if it has escapes. */
framemap_str fm_json_document_string(const struct fm_json *json, int32_t value, struct fm_document *doc);
/* Writes a number as a string into memory of `doc`. */
framemap_str fm_json_document_decimal(uint64_t number, struct fm_document *doc);

/* A cursor that finds the lines of parts of a document, in ascending order. */
struct fm_json_lines {
    const struct fm_json_document *document;
    const char *at;       /* start of a line, or of the document */
    const char *searched; /* no line ends from `at` to here, so that a long line is searched once */
    uint64_t lines;       /* number of lines from the document's first line to this one */
};
struct fm_json_lines fm_json_lines_of(const struct fm_json_document *document);
/* Makes a line with `part` as its body for fm_document_frame and the like. part: a slice of the document, not before
 * that of the last call. */
struct fm_line fm_json_lines_at(struct fm_json_lines *lines, framemap_str part);

#endif
