/* Queries by section name, where the index has no scope of exactly that name. */
#ifndef FM_RESOLVE_NATIVE_SECTION_SCOPES_H
#define FM_RESOLVE_NATIVE_SECTION_SCOPES_H

#include "core/heap.h"
#include "index/read/view.h"
#include <framemap/index.h>

/* Converts an offset in a section to an address of the image. For Mach-O object files: their sections have addresses,
 * which the index has as attributes. false: the index has no such section; *out is not written. */
bool fm_section_query(const struct fm_view *view, const framemap_query *query, framemap_query *out);

/* A walk over the scopes of sections that share a name. Their keys are NAME@NUMBER; the order is that of the file. */
struct fm_namesakes {
    framemap_str name;
    uint64_t first, count; /* a range of scopes that includes all sections of the name, and possibly others */
    uint64_t at;
};
struct fm_namesakes fm_namesakes_of(const struct fm_view *view, framemap_str name);
/* Finds the next section with the name. Returns false if there are no more. */
bool fm_namesakes_next(const struct fm_view *view, struct fm_namesakes *namesakes, uint64_t *scope, framemap_str *key);

/* Returns the reason for a query by address on an index whose sections each start at 0: it suggests a section. In the
 * arena or static. */
const char *fm_say_sections(const struct fm_view *view, struct fm_arena *arena);

#endif
