/* The text of an error that Dart prints before its trace, and the names in it that may be obfuscated: identifiers where
 * it prints types and members. Called by dart_above.c and dart_terse.c.
 *
 *     Instance of 'ex'
 *     type 'ex' is not a subtype of type 'ey<ez>'
 *     Tried calling: fa(null)
 *     ex: it went wrong
 */
#ifndef FM_FORMATS_DART_DART_ERROR_H
#define FM_FORMATS_DART_DART_ERROR_H

#include "formats/format.h"

/* Whether a line, without its log prefix, announces an error. *error is the part of the error's text on this line,
 * empty if the text starts on the next line. */
bool fm_dart_announces(framemap_str line, framemap_str *error);

/* An iterator over the names of one line. */
struct fm_dart_names {
    framemap_str line;
    bool leads;    /* the line begins with the error itself, so a name at its start is the type of the error */
    size_t at;     /* offset after the last name returned */
    size_t end;    /* end of the part of the line that is searched for names now; 0: no part has been found */
    bool is_error; /* the last name returned is the type of the error */
};
/* Returns the next name, a slice of the line; false if there is none. All calls together take time linear in the
 * line. */
bool fm_dart_names_next(struct fm_dart_names *names, framemap_str *out);

/* Returns the next identifier in "new C.named.<anonymous closure>". *at starts at 0. Returns false if there is none
 * left. */
bool fm_dart_identifier(framemap_str function, size_t *at, framemap_str *out);

/* Splits "ex: it went wrong" into the type and the message; "Instance of 'ex'" has only a type, "Bad state: x" only a
 * message. Takes linear time. */
void fm_dart_error_parts(framemap_str error, framemap_str *type, framemap_str *message);

/* A box that Flutter prints around an error:
 *
 *     The following ex was thrown building Foo(dirty):
 *     the message, of one or more lines
 *
 *     When the exception was thrown, this was the stack:
 *
 * It can be far above the frames, so it is remembered. Zeroed: there is none. */
#define FM_DART_BOX_LINES 8 /* most lines of a message that are kept */
struct fm_dart_box {
    framemap_str title, type, lines[FM_DART_BOX_LINES];
    unsigned count;
    long depth; /* open parentheses in the title of the box */
    bool in_title, in_message;
    uint64_t number1; /* number of the box's last line */
};
/* Whether the line begins a box. */
bool fm_dart_box_begins(framemap_str body);
/* Updates the box with the next line of the text. */
void fm_dart_box_line(struct fm_dart_box *box, struct fm_document *doc, const struct fm_line *line);
/* Gives the error of the box to the trace, if there is one not too far above the line, and clears the box. */
void fm_dart_box_use(struct fm_dart_box *box, struct fm_document *doc, const struct fm_line *line,
                     framemap_trace *trace);

#endif
