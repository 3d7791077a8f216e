/* A cache of demangled names for the fronts: they print the same few thousand names many times. */
#ifndef FM_CLI_FRONTS_FRONT_NAMES_H
#define FM_CLI_FRONTS_FRONT_NAMES_H

#include <framemap/framemap.h>

struct fm_front_name {
    uint64_t hash;
    framemap_str symbol,
        /* symbol and shown are in one memory block, in this order; shown may equal symbol. symbol.data NULL: the row
         * is free. */
        shown;
};

struct fm_front_names {
    framemap_scratch
        *scratch; /* not the scratch of lookups, whose answers must stay valid while their names are demangled */
    framemap_demangle style;
    struct fm_front_name *rows; /* hash table with linear probing */
    size_t room, count;         /* room: number of rows, a power of two; count: number of names, at most room / 2 */
    size_t bytes;               /* bytes of all names */
    /* number of bytes by which the demangled names of the current answer are longer than their symbols */
    size_t made;
    bool over_limit; /* some names of the current answer were not demangled */
};

framemap_status fm_front_names_open(struct fm_front_names *names, framemap_demangle style, framemap_error *error);
void fm_front_names_close(struct fm_front_names *names);

/* Starts an answer. In total, its demangled names may be FM_FRONT_NAMES_MAX bytes longer than their symbols, since 60
 * bytes of a crafted symbol can expand to a megabyte. Names beyond that limit are not demangled, which
 * fm_front_names_end reports on stderr. */
enum { FM_FRONT_NAMES_MAX = 4 << 20 };
void fm_front_names_begin(struct fm_front_names *names);
/* Ends an answer. over_limit: other parts of the answer were omitted. */
void fm_front_names_end(const struct fm_front_names *names, bool over_limit);

/* Returns the symbol demangled in the cache's style. Names of Swift are demangled in the default style only: LLVM's
 * tools and binutils print them as they are spelled. Valid until the next call. */
framemap_str fm_front_name_shown(struct fm_front_names *names, framemap_str symbol);
/* Whether a name begins like one of Swift. */
bool fm_front_is_swift(framemap_str symbol);

/* Returns the demangled name of frame i of an answer without demangled names; empty: unknown. As in LLVM, the outermost
 * frame has the name of the symbol table (answer->symbol) if there is one. Valid until the next call. */
framemap_str fm_front_frame_name(struct fm_front_names *names, const framemap_frame *answer, size_t i);

/* Reduces a demangled name to what DW_AT_name holds, without scopes, return type and parameters: "f<int>" for "void
 * ns::A::f<int>(int) const". */
framemap_str fm_front_name_short(framemap_str shown);

#endif
