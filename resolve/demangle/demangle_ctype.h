/* Replacement for the character table of GNU's demangler of Rust names; see demangle_ctype.c. */
#ifndef FM_RESOLVE_DEMANGLE_DEMANGLE_CTYPE_H
#define FM_RESOLVE_DEMANGLE_DEMANGLE_CTYPE_H

/* Classes of each byte, as bits of libiberty's safe-ctype.h. Read by the demangler alone. */
extern const unsigned short fm_vendor_ctype[256];

#endif
