/* Reads the text of an error that Dart prints before its trace, and finds the names in it that may be obfuscated:
 * identifiers where Dart prints types and members. Called by dart_above.c and dart_terse.c.
 *
 *     Instance of 'ex'
 *     type 'ex' is not a subtype of type 'ey<ez>'
 *     Tried calling: fa(null)
 *     ex: it went wrong */
#ifndef FM_FORMATS_DART_DART_ERROR_H
#define FM_FORMATS_DART_DART_ERROR_H

#include "formats/format.h"

/* Whether a line, without its log prefix, announces an error. *error: the part of the error's text on this line;
 * empty if the text starts on the next line. */
bool fm_dart_announces(framemap_str line, framemap_str *error);
/* Whether a line announces the error in a crash report of Flutter's tool (flutter_01.log). The error, after a blank
 * line, repeats its type: "PathNotFoundException: PathNotFoundException: Deletion failed". */
bool fm_dart_announces_crash(framemap_str line);

/* An iterator over the names in one line of an error. */
struct fm_dart_names {
    framemap_str line;
    bool leads;    /* the line begins with the error itself, so a name at its start is the error's type */
    size_t at;     /* offset after the name returned last */
    size_t end;    /* end of the part of the line in which names are searched now; 0: no part was found yet */
    bool is_error; /* the last name returned is the type of the error */
};
/* Returns the next name, a slice of the line. Returns false if there is no further name. All calls together take
 * time linear in the line. */
bool fm_dart_names_next(struct fm_dart_names *names, framemap_str *out);

/* Returns the next identifier in a function's name: "C", then "named" in "new C.named.<anonymous closure>". *at: 0
 * at first. Returns false if no name is left. */
bool fm_dart_identifier(framemap_str function, size_t *at, framemap_str *out);

/* Splits "ex: it went wrong" into the type and the message; "Instance of 'ex'" has only a type, "Bad state: x" only a
 * message. Takes linear time. */
void fm_dart_error_parts(framemap_str error, framemap_str *type, framemap_str *message);

/* The error in a box that Flutter prints:
 *
 *     The following ex was thrown building Foo(dirty):
 *     the message, of one or more lines
 *
 *     When the exception was thrown, this was the stack:
 *
 * The box may be far above the frames, so its error is kept until a trace begins. An object with all members zero keeps
 * no error. */
#define FM_DART_BOX_LINES 8 /* maximum number of lines of the message that are kept */
struct fm_dart_box {
    framemap_str title, type, lines[FM_DART_BOX_LINES];
    unsigned count;
    long depth; /* number of parentheses that are open in the title of the box */
    bool in_title, in_message;
    uint64_t number1; /* number of the box's last line */
};
/* Whether the line is the title of a box. */
bool fm_dart_box_begins(framemap_str body);
/* Reads the next line of the text, which may belong to the box. */
void fm_dart_box_line(struct fm_dart_box *box, struct fm_document *doc, const struct fm_line *line);
/* Sets the error of the trace from the box, if the box is not too far above the line, and clears the box. */
void fm_dart_box_use(struct fm_dart_box *box, struct fm_document *doc, const struct fm_line *line,
                     framemap_trace *trace);

#endif
