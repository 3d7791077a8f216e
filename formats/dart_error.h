/* What Dart says of an error before its trace, for names in it that were obfuscated: identifiers stand where it prints types and members,
 *
 *     Instance of 'ex'        type 'ex' is not a subtype of type 'ey<ez>'        method 'fa' was called        ex: it went wrong
 */
#ifndef FM_FORMATS_DART_ERROR_H
#define FM_FORMATS_DART_ERROR_H

#include "formats/format.h"

/* A walk over the names of one line. */
struct fm_dart_names {
    framemap_str line;
    bool leads;    /* the line begins with the error itself: a name at its begin is the error's type. Becomes false */
    size_t at;     /* behind the name that was told last */
    size_t quoted; /* where the quotation that it stands in ends; 0: it stands in none */
};
/* The next name, a slice of the line; false: there is none. Linear over all calls. */
bool fm_dart_names_next(struct fm_dart_names *names, framemap_str *out);

/* An identifier within "new C.named.<anonymous closure>"; at: begins at 0. false: there is none behind. */
bool fm_dart_identifier(framemap_str function, size_t *at, framemap_str *out);

#endif
