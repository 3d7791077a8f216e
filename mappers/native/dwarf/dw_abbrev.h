/* Abbreviation tables (DWARF 5 section 7.5.3), compiled to what the iteration needs for each entry: the distance to the
 * next entry, and whether the entry is of interest. A table is compiled once, and kept while the cache of tables has
 * room. An abbreviation takes 16 bytes; one of a function, whose attributes are decoded, takes 8 more for each
 * attribute. */
#ifndef FM_MAPPERS_NATIVE_DWARF_DW_ABBREV_H
#define FM_MAPPERS_NATIVE_DWARF_DW_ABBREV_H

#include "core/hash/hash.h"
#include "mappers/native/dwarf/dw_shape.h"

struct fm_dw_abbrev_table {
    uint64_t key;                     /* key of the table: its offset and the encoding it was compiled for */
    uint64_t offset;                  /* offset of the table in .debug_abbrev */
    uint64_t size;                    /* size of the table in bytes */
    const struct fm_dw_shape *shapes; /* indexed by code, which must be less than limit */
    uint64_t limit;
    const uint8_t *steps;
    const struct fm_dw_read *reads;
    const struct fm_dw_form *forms; /* forms with numbers below FM_DW_FORM_COUNT, in this encoding */
    bool has_functions;
    bool is_ambiguous;  /* a code is defined twice */
    const char *broken; /* why the table cannot be used; NULL if it is sound */
};

/* The tables that one worker has compiled, sorted by offset. A worker's tables are used by one thread. */
struct fm_dw_abbrevs {
    const struct fm_dw_sections *sections;
    /* Offsets of the tables that units refer to, ascending. The bytes between two of them mostly belong to one table.
     * NULL: not known. */
    const uint64_t *begins;
    size_t begin_count;
    struct fm_arena arena;
    struct fm_table found;
    struct fm_dw_abbrev_table **tables;
    size_t count, capacity;
    struct fm_dw_shapes shapes;                   /* shapes of the table that is being compiled */
    struct fm_dw_form forms[8][FM_DW_FORM_COUNT]; /* forms by kind of encoding; all zero: not filled yet */
};

void fm_dw_abbrevs_init(struct fm_dw_abbrevs *abbrevs, struct fm_heap *heap, const struct fm_dw_sections *sections);
void fm_dw_abbrevs_free(struct fm_dw_abbrevs *abbrevs);

/* Frees all tables if they take much memory. Results of fm_dw_abbrevs_at are then no longer valid. */
void fm_dw_abbrevs_trim(struct fm_dw_abbrevs *abbrevs);

/* Returns the table at an offset, compiled for units of an encoding at its first use. A damaged table is not an error
 * here: it is returned with `broken` set. NULL: out of memory. */
const struct fm_dw_abbrev_table *fm_dw_abbrevs_at(struct fm_dw_abbrevs *abbrevs, uint64_t offset,
                                                  const struct fm_dw_encoding *encoding);

static inline const struct fm_dw_shape *fm_dw_shape_find(const struct fm_dw_abbrev_table *table, uint64_t code)
{
    return code < table->limit && (table->shapes[code].flags & FM_DW_SHAPE_KNOWN) != 0 ? &table->shapes[code] : NULL;
}

/* One abbreviation, read by its code without compiling the table. Used while a file is opened. */
struct fm_dw_abbrev {
    uint16_t tag;
    bool children;
    struct fm_byte_reader specs; /* a reader at the abbreviation's attribute specifications, which were checked */
};
/* Finds an abbreviation by its code. Returns NULL and fills *out, or returns the reason why it cannot be read.
 * *scanned: bytes of the table that were read. */
const char *fm_dw_abbrev_find(const struct fm_dw_sections *sections, uint64_t offset, uint64_t code,
                              struct fm_dw_abbrev *out, uint64_t *scanned);

/* Reads the next attribute specification, which was checked. Returns false at the end of the list. */
static inline bool fm_dw_spec_next(struct fm_byte_reader *specs, struct fm_dw_spec *out)
{
    out->attribute = (uint16_t)fm_read_uleb(specs);
    out->form = (uint16_t)fm_read_uleb(specs);
    out->implicit = out->form == DW_FORM_implicit_const ? fm_read_sleb(specs) : 0;
    return out->attribute != 0;
}

#endif
