/* Declares a replacement for the character table of GNU's demangler of Rust names; see demangle_ctype.c. */
#ifndef FM_RESOLVE_DEMANGLE_DEMANGLE_CTYPE_H
#define FM_RESOLVE_DEMANGLE_DEMANGLE_CTYPE_H

/* The classes of each byte, as bits of libiberty's safe-ctype.h. Only the demangler reads this table. */
extern const unsigned short fm_vendor_ctype[256];

#endif
