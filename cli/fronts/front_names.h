/* Names made readable once and kept: a front prints the same few thousand names over and over. */
#ifndef FM_CLI_FRONTS_FRONT_NAMES_H
#define FM_CLI_FRONTS_FRONT_NAMES_H

#include <framemap/framemap.h>

struct fm_front_name {
    uint64_t hash;
    framemap_str symbol,
        shown; /* of one block, symbol first; shown may be symbol itself. symbol.data NULL: the row is free */
};

struct fm_front_names {
    framemap_scratch *scratch; /* of its own: a lookup's answer stays valid while its names are made readable */
    framemap_demangle style;
    struct fm_front_name
        *rows;          /* a name stands in the row that its hash says, or in one behind it with no free one between */
    size_t room, count; /* rows, a power of two; names in them, at most half as many */
    size_t bytes;       /* of the names */
    size_t made;        /* bytes that names of the answer at hand have beyond their symbols */
    bool over_limit;    /* some of them stay as they are spelled */
};

framemap_status fm_front_names_open(struct fm_front_names *names, framemap_demangle style, framemap_error *error);
void fm_front_names_close(struct fm_front_names *names);

/* An answer begins. Its names may have FM_FRONT_NAMES_MAX bytes beyond what the symbol file spells: 60 bytes of a
 * crafted one can stand for a megabyte. Those for which there is no room stay as they are spelled, and the end says so
 * on standard error. */
enum { FM_FRONT_NAMES_MAX = 4 << 20 };
void fm_front_names_begin(struct fm_front_names *names);
/* over_limit: something else of it was left out. */
void fm_front_names_end(const struct fm_front_names *names, bool over_limit);

/* The name as the style prints it. Valid until the next call. */
framemap_str fm_front_name_shown(struct fm_front_names *names, framemap_str symbol);

/* The readable name of frame i of an answer that was made without demangling; empty: unknown. The outermost frame is
 * called what the symbol table calls it, as LLVM does: answer->symbol, or the frame's own. Valid until the next call.
 */
framemap_str fm_front_frame_name(struct fm_front_names *names, const framemap_frame *answer, size_t i);

/* What DW_AT_name holds, from a readable name: without scopes, return type and parameters: "f<int>" of "void
 * ns::A::f<int>(int) const". */
framemap_str fm_front_name_short(framemap_str shown);

#endif
