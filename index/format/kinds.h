/* The kinds of indexes: the attribute "kind" of an index by its name, and the properties of each kind that other code
 * depends on. The table in kinds.c is the only place that compares these names; all other code uses the codes, families
 * and flags of the kinds. */
#ifndef FM_INDEX_FORMAT_KINDS_H
#define FM_INDEX_FORMAT_KINDS_H

#include "core/text/text.h"
#include <framemap/index.h>

enum {
    /* the class of a function consists of the scopes around the function, which are part of its full name */
    FM_KIND_CLASS_IS_SCOPE = 1u << 0,
    FM_KIND_NO_THUMB = 1u << 1 /* bit 0 is part of a code address, and not the Thumb bit of 32-bit ARM */
};

struct fm_kind {
    /* The name of the kind in the index and in framemap_image_info.kind; NULL in the row for names that are not
     * listed. */
    const char *name;
    framemap_index_kind code;
    framemap_kind family; /* family whose frames the index restores */
    unsigned queried_by;  /* FRAMEMAP_QUERIED_BY_…; 0: the form of the index decides */
    unsigned flags;       /* bits FM_KIND_… */
};

/* Returns the row of the table for the name of a kind. For a name that is not listed, this is the row with
 * FRAMEMAP_INDEX_OTHER. The result is never NULL. Any thread. */
const struct fm_kind *fm_kind_named(framemap_str name);

#endif
