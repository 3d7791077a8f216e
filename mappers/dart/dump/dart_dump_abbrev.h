/* The abbreviation tables of an image's .debug_abbrev. Used by dart_dump_dwarf.c. */
#ifndef FM_MAPPERS_DART_DUMP_DART_DUMP_ABBREV_H
#define FM_MAPPERS_DART_DUMP_DART_DUMP_ABBREV_H

#include "core/byte_reader.h"
#include "mappers/dart/dump/dart_dump_out.h"

struct fm_dart_dump_attribute {
    uint64_t name, form;
    int64_t constant; /* value of DW_FORM_implicit_const */
};

struct fm_dart_dump_abbreviation {
    uint64_t code, tag;
    bool children;
    /* the abbreviation's range in `attributes`: index of its first element, and number of elements */
    uint32_t first, count;
};

struct fm_dart_dump_table {
    uint64_t offset;
    uint32_t first, count; /* the table's range in `all`, where its abbreviations are sorted by code */
};

/* The tables of an image. Zero-initialise the struct and set `dump`. */
struct fm_dart_dump_abbrevs {
    struct fm_dart_dump *dump;
    struct fm_dart_dump_attribute *attributes;
    struct fm_dart_dump_abbreviation *all;
    struct fm_dart_dump_table *tables; /* the tables of the section, sorted by offset */
    size_t attribute_count, attribute_room, count, room, table_count, table_room;
};

/* Reads .debug_abbrev. false: an error, as from fm_dart_dump_more. */
bool fm_dart_dump_abbrevs_read(struct fm_dart_dump_abbrevs *abbrevs, struct fm_byte_reader *r);
void fm_dart_dump_abbrevs_free(struct fm_dart_dump_abbrevs *abbrevs);
bool fm_dart_dump_abbrevs_print(struct fm_dart_dump_abbrevs *abbrevs);

/* Returns the table at an offset; NULL: no table starts there. */
const struct fm_dart_dump_table *fm_dart_dump_table_at(const struct fm_dart_dump_abbrevs *abbrevs, uint64_t offset);
const struct fm_dart_dump_abbreviation *fm_dart_dump_abbreviation(const struct fm_dart_dump_abbrevs *abbrevs,
                                                                  const struct fm_dart_dump_table *table,
                                                                  uint64_t code);

/* Prints "PREFIX_name", or, if name is NULL, a text that says that the code is unknown. */
void fm_dart_dump_word(struct fm_dart_dump *dump, const char *prefix, const char *name);

#endif
