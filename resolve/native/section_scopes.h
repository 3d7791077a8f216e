/* Sections that a query names, where an index has no scope of just that name. */
#ifndef FM_RESOLVE_NATIVE_SECTION_SCOPES_H
#define FM_RESOLVE_NATIVE_SECTION_SCOPES_H

#include "core/heap.h"
#include "index/read/view.h"
#include <framemap/index.h>

/* The query for a section of an image whose scope has addresses: the same place as an address of the image. An object
 * file of Mach-O is such an image; its index has attributes that say where its sections are. false: the index has no
 * such section, and *out is not written. */
bool fm_section_query(const struct fm_view *view, const framemap_query *query, framemap_query *out);

/* A walk over the scopes of sections that share a name, which have the keys NAME@NUMBER, in the order of the file. */
struct fm_namesakes {
    framemap_str name;
    uint64_t first, count; /* of scopes: all of them are among these, and maybe others */
    uint64_t at;
};
struct fm_namesakes fm_namesakes_of(const struct fm_view *view, framemap_str name);
/* false: there is no further one. */
bool fm_namesakes_next(const struct fm_view *view, struct fm_namesakes *namesakes, uint64_t *scope, framemap_str *key);

/* Why an address has no answer where each section counts from 0, with a section to name; of the arena or static. */
const char *fm_say_sections(const struct fm_view *view, struct fm_arena *arena);

#endif
