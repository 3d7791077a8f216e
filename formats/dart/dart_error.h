/* What Dart says of an error before its trace, for names in it that were obfuscated: identifiers stand where it prints
 * types and members,
 *
 *     Instance of 'ex'        type 'ex' is not a subtype of type 'ey<ez>'        Tried calling: fa(null)        ex: it
 * went wrong
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
    size_t at;     /* after the last name returned */
    size_t end;    /* end of the span that contains names; 0: not in one */
    bool is_error; /* the last name returned is the type of the error */
};
/* Returns the next name, a slice of the line; false if there is none. Linear over all calls. */
bool fm_dart_names_next(struct fm_dart_names *names, framemap_str *out);

/* Returns the next identifier in "new C.named.<anonymous closure>". *at starts at 0. Returns false if there is none
 * left. */
bool fm_dart_identifier(framemap_str function, size_t *at, framemap_str *out);

#endif
