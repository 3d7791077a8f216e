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
    /* no document begins on this line, or the document that began on it was dropped because it is not JSON or
     * too large */
    FM_DOCUMENT_NONE,
    FM_DOCUMENT_OPEN,    /* more lines will follow */
    FM_DOCUMENT_COMPLETE /* the document's brackets balance, so that it is complete */
};

struct fm_json_document {
    framemap_str text; /* text of the document from its first bracket to the last one, or to the end of the last line
                          that was added */
    uint64_t offset;   /* offset of the document's first byte in the whole text */
    /* number1 and text_number1 (struct fm_line) of the line in which the document begins */
    uint64_t number1, text_number1;
    uint64_t seen1; /* the last physical line that was looked at */
    uint32_t depth; /* number of brackets that are open */
    bool open, in_string;
};

/* Sets *whole to the physical line that contains `line`. This is the line itself, or, if it is a piece of an escaped
 * string (scan/lines.h), the complete line with the string. Text, body, offset, number1 and first of *whole are set.
 * Returns false if the last call already returned this physical line. */
bool fm_json_document_line(struct fm_json_document *document, struct fm_document *doc, const struct fm_line *line,
                           struct fm_line *whole);

/* The first bytes of lines at which a parser of documents may begin, for `firsts` of its row. Other lines of a document
 * begin with a number, true, false or null, before which no writer puts a line end. A parser must not begin at such a
 * line, because the lines above it may not have been offered. */
#define FM_JSON_FIRSTS "{[\",:}]"
bool fm_json_document_has_first(const struct fm_line *line);

/* Begins the document that contains the line `whole`, the outermost JSON value around it. The document's opening
 * bracket must be at the start of this line, or at the start or end of one of the FM_LOOK_BACK_MOST lines above. */
enum fm_document_step fm_json_document_begin(struct fm_json_document *document, struct fm_document *doc,
                                             const struct fm_line *whole);
/* Begins a document at a bracket within the line. */
enum fm_document_step fm_json_document_begin_at(struct fm_json_document *document, struct fm_document *doc,
                                                const struct fm_line *whole, const char *bracket);
/* Adds all text up to the end of the line. */
enum fm_document_step fm_json_document_add(struct fm_json_document *document, struct fm_document *doc,
                                           const struct fm_line *whole);

/* Parses a complete document; strings in the result are slices of the text. Returns NULL if it is not valid JSON, or
 * if out of memory (`doc` then records the failure). The caller frees the result with fm_json_free. */
struct fm_json *fm_json_document_parse(const struct fm_json_document *document, struct fm_document *doc);
/* Implements `leads` of struct fm_format for formats that are JSON documents. If the line may begin a document, returns
 * within how many lines below it a key of the format must follow; 0: the line cannot begin a document. */
unsigned fm_json_document_leads(const struct fm_line *line, bool announced);

/* Returns a string without its escapes; empty if the value is not a string. If the string has escapes, the result is in
 * memory of `doc`. */
framemap_str fm_json_document_string(const struct fm_json *json, int32_t value, struct fm_document *doc);

/* A cursor that finds the lines of parts of a document, in ascending order. */
struct fm_json_lines {
    const struct fm_json_document *document;
    const char *at; /* start of a line, or of the document */
    /* there is no line end between `at` and this byte; the next search begins here, so that a long line is searched
     * only once */
    const char *searched;
    uint64_t lines; /* number of lines before the line at `at`, counted from the document's first line */
};
struct fm_json_lines fm_json_lines_of(const struct fm_json_document *document);
/* Makes a line with `part` as its body, for fm_document_frame and similar calls. part: a slice of the document that
 * does not begin before the part of the previous call. */
struct fm_line fm_json_lines_at(struct fm_json_lines *lines, framemap_str part);

#endif
