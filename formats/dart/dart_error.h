/* What Dart says of an error before its trace, for names in it that were obfuscated: identifiers stand where it prints
 * types and members,
 *
 *     Instance of 'ex'        type 'ex' is not a subtype of type 'ey<ez>'        Tried calling: fa(null)        ex: it
 * went wrong
 */
#ifndef FM_FORMATS_DART_DART_ERROR_H
#define FM_FORMATS_DART_DART_ERROR_H

#include "formats/format.h"

/* Whether a line, without what a logger put before it, announces an error: *error is the error's text as far as it
 * stands there, empty where it begins with the next line. */
bool fm_dart_announces(framemap_str line, framemap_str *error);

/* A walk over the names of one line. */
struct fm_dart_names {
    framemap_str line;
    bool leads;    /* the line begins with the error itself: a name at its begin is the error's type */
    size_t at;     /* behind the name that was told last */
    size_t end;    /* of the stretch of names that it stands in; 0: it stands in none */
    bool is_error; /* the name told last is the type of what was thrown */
};
/* The next name, a slice of the line; false: there is none. Linear over all calls. */
bool fm_dart_names_next(struct fm_dart_names *names, framemap_str *out);

/* An identifier within "new C.named.<anonymous closure>"; at: begins at 0. false: there is none behind. */
bool fm_dart_identifier(framemap_str function, size_t *at, framemap_str *out);

#endif
