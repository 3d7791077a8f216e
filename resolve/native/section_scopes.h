/* Answers queries by section name if the index has no scope of exactly that name. */
#ifndef FM_RESOLVE_NATIVE_SECTION_SCOPES_H
#define FM_RESOLVE_NATIVE_SECTION_SCOPES_H

#include "core/heap.h"
#include "index/read/view.h"
#include <framemap/index.h>

/* Converts an offset in a section of a Mach-O object file to an address of the image. The sections of these files have
 * addresses, which the index has as attributes. false: the index has no such section, and *out is not written. */
bool fm_section_query(const struct fm_view *view, const framemap_query *query, framemap_query *out);

/* A walk over the scopes of sections that share a name, in the order of the file. Their keys are NAME@NUMBER. */
struct fm_namesakes {
    framemap_str name;
    uint64_t first, count; /* a range of scopes that includes all sections of the name, and possibly others */
    uint64_t at;
};
struct fm_namesakes fm_namesakes_of(const struct fm_view *view, framemap_str name);
/* Finds the next section with the name. Returns false if there are no more. */
bool fm_namesakes_next(const struct fm_view *view, struct fm_namesakes *namesakes, uint64_t *scope, framemap_str *key);

/* Returns the reason for a query by address if all sections of the index start at 0: it suggests to name a section. The
 * text is in the arena or static. */
const char *fm_say_sections(const struct fm_view *view, struct fm_arena *arena);

#endif
