/* Abbreviation tables (DWARF 5 section 7.5.3): parsed once per offset and kept. */
#ifndef FM_DW_ABBREV_H
#define FM_DW_ABBREV_H

#include "core/hash.h"
#include "mappers/debuginfo/dw_sections.h"

struct fm_dw_spec {
    uint16_t attribute, form;
    int64_t implicit; /* DW_FORM_implicit_const */
};

struct fm_dw_abbrev {
    uint64_t code; /* 0: no such abbreviation */
    uint16_t tag;
    bool children;
    uint32_t spec_count;
    const struct fm_dw_spec *specs;
};

struct fm_dw_abbrev_table {
    uint64_t offset; /* in .debug_abbrev */
    uint64_t size;   /* bytes of it */
    struct fm_dw_abbrev *by_code; /* abbreviation of code c at [c]; limit entries */
    uint64_t limit;
    const char *broken; /* why the table can't be used; NULL: it is sound */
};

/* All tables of an image, found by offset. */
struct fm_dw_abbrevs {
    struct fm_arena arena;
    struct fm_table found;
    struct fm_dw_abbrev_table **tables;
    size_t count, capacity;
};

void fm_dw_abbrevs_init(struct fm_dw_abbrevs *abbrevs, struct fm_heap *heap);
void fm_dw_abbrevs_free(struct fm_dw_abbrevs *abbrevs);

/* The table at an offset, parsed at first need; NULL: out of memory. It may be broken, which is no error here. */
const struct fm_dw_abbrev_table *fm_dw_abbrevs_at(struct fm_dw_abbrevs *abbrevs, struct fm_dw_sections *sections, uint64_t offset);

static inline const struct fm_dw_abbrev *fm_dw_abbrev_find(const struct fm_dw_abbrev_table *table, uint64_t code)
{
    return code < table->limit && table->by_code[code].code != 0 ? &table->by_code[code] : NULL;
}

#endif
