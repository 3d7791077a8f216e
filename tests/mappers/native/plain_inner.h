/* Declarations that the plain_*.c files of the simple DWARF reader share. Their memory comes from malloc, and the
 * program ends if there is none. */
#ifndef FM_TESTS_MAPPERS_NATIVE_PLAIN_INNER_H
#define FM_TESTS_MAPPERS_NATIVE_PLAIN_INNER_H

#include "core/byte_reader.h"
#include "core/text/text.h"
#include "mappers/native/dwarf/dw_visitor.h"

#include <stdlib.h>

enum kind { ABSENT, NOTHING, NUMBER, ADDRESS, TEXT, UNIT_REF, INFO_REF, LIST_INDEX };
struct value {
    enum kind kind;
    uint64_t number;
    framemap_str text;
};

/* The attributes that the reader uses. If an attribute occurs twice in an entry, the last one counts. */
enum slot {
    NAME,
    LINKAGE,
    LOW,
    HIGH,
    RANGES,
    DECL_FILE,
    CALL_FILE,
    DECL_LINE,
    CALL_LINE,
    CALL_COLUMN,
    ARTIFICIAL,
    ORIGIN,
    SPECIFICATION,
    FOLDER,
    PRODUCER,
    LANGUAGE,
    LINES,
    STR_BASE,
    ADDR_BASE,
    LIST_BASE,
    DWO_NAME,
    SLOTS
};

struct entry {
    uint64_t offset;
    uint64_t tag;
    bool children, placed; /* placed: the entry has a low address or ranges, even if these are empty */
    struct value slots[SLOTS];
};

struct unit {
    uint64_t offset, end, first, abbrevs;
    uint64_t version, type, str_base, addr_base, list_base, low;
    unsigned address_size, offset_size;
    struct entry root;
};

enum { INFO, ABBREV, STR, LINE_STR, LINE, PAIRS, LISTS, ADDR, STR_OFFSETS, ARANGES, SECTIONS };

struct range_list {
    struct fm_dw_range *items;
    size_t count;
};

struct fm_dw_debug {
    const struct fm_image *image;
    framemap_str sections[SECTIONS];
    struct unit *units;
    size_t unit_count;
    size_t claimed[1 << 16];
    uint32_t claimed_count;
};

struct file {
    framemap_str name;
    uint64_t folder;
    uint32_t number; /* the visitor's number of the file; FM_NONE: not reported */
};

struct fm_dw_worker {
    struct fm_dw_debug *debug;
    const struct unit *unit;
    const struct fm_dw_visitor *visitor;
    uint64_t line_version;
    framemap_str *folders;
    struct file *files;
    size_t folder_count, file_count;
    uint32_t announced;
};

/* Makes room for one more element at the end of an array. */
static inline void *more(void *items, size_t count, size_t width)
{
    /* The capacity of the array is the smallest power of two that suffices, so it is full only at a power of two. */
    if ((count & (count - 1)) != 0) return items;
    void *moved = realloc(items, (count == 0 ? 1 : 2 * count) * width);
    if (moved == NULL) abort();
    return moved;
}
#define ADD(items, count) ((items) = more((items), (count), sizeof *(items)), &(items)[(count)++])

/* --- declaring the functions of the plain_*.c files --- */

/* Returns a reader that starts at an offset of a section. This function and those below are in plain_entries.c. */
struct fm_byte_reader plain_section_at(const struct fm_dw_debug *debug, unsigned which, uint64_t at);
/* Returns a reader from an offset of .debug_info to the end of the unit. */
struct fm_byte_reader plain_unit_bytes(const struct fm_dw_debug *debug, const struct unit *unit, uint64_t at);
struct value plain_indexed_address(const struct fm_dw_debug *debug, const struct unit *unit, uint64_t index);
/* Reads a value. `implicit` is the value of DW_FORM_implicit_const. */
struct value plain_read_form(const struct fm_dw_debug *debug, const struct unit *unit, struct fm_byte_reader *r,
                             uint64_t form, int64_t implicit);
/* Reads an entry and its attributes. Returns false if there is no entry: a null entry, or damage. */
bool plain_read_entry(const struct fm_dw_debug *debug, const struct unit *unit, struct fm_byte_reader *r,
                      struct entry *out);

/* Adds a range if it starts in code, and cuts it at the end of the section. This function and the next are in
 * plain_ranges.c. */
void plain_add_range(const struct fm_dw_debug *debug, struct range_list *list, uint64_t low, uint64_t high);
/* Replaces the list by the ranges of an entry. */
void plain_read_ranges(const struct fm_dw_debug *debug, const struct unit *unit, const struct entry *entry,
                       struct range_list *list);

/* Reads the length of a unit, which determines the size of offsets in the unit. This function and the next are in
 * plain_units.c. */
uint64_t plain_read_length(struct fm_byte_reader *r, unsigned *offset_size);
void plain_scan_units(struct fm_dw_debug *debug);
/* Returns the unit that contains an entry, or NULL. */
const struct unit *plain_unit_of(const struct fm_dw_debug *debug, uint64_t offset);

/* Reads the unit's files and reports its rows. Returns false if the visitor stopped. Sets the worker's unit. This
 * function and the next are in plain_lines.c. */
bool plain_run_lines(struct fm_dw_worker *w, const struct unit *unit);
/* Returns the visitor's number of a file in the unit's table, and reports the file at its first use. */
bool plain_file_number(struct fm_dw_worker *w, uint64_t wanted, uint32_t *out);

/* Implements `scopes` of a backend; in plain_scopes.c. */
framemap_status plain_scopes(struct fm_dw_worker *w, uint32_t number, const uint64_t *entries, size_t count,
                             struct fm_arena *arena, framemap_str *out, framemap_error *error);

/* Returns the offset of the origin of an entry; UINT64_MAX: the entry has no origin. This function and the next are in
 * plain_functions.c. */
uint64_t plain_origin_of(const struct unit *unit, const struct entry *entry);
/* Reports the functions of the worker's unit. Returns false if the visitor stopped. */
bool plain_run_functions(struct fm_dw_worker *w);

#endif
