/* What the files of plain_reader.c share. Memory is malloc's, and where there is none the program ends. */
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

/* Attributes that matter; the last of each in an entry counts. */
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
    bool children, placed; /* placed: it has a low address or ranges, whatever they say */
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
    uint32_t number; /* FM_NONE: not announced */
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

/* Room for one more at the end of a list. */
static inline void *more(void *items, size_t count, size_t width)
{
    /* Powers of two. */
    if ((count & (count - 1)) != 0) return items;
    void *moved = realloc(items, (count == 0 ? 1 : 2 * count) * width);
    if (moved == NULL) abort();
    return moved;
}
#define ADD(items, count) ((items) = more((items), (count), sizeof *(items)), &(items)[(count)++])

/* --- the parts --- */

/* plain_entries.c: from a place of a section on. */
struct fm_byte_reader plain_section_at(const struct fm_dw_debug *debug, unsigned which, uint64_t at);
/* From a place of .debug_info on, to the end of its unit. */
struct fm_byte_reader plain_unit_bytes(const struct fm_dw_debug *debug, const struct unit *unit, uint64_t at);
struct value plain_indexed_address(const struct fm_dw_debug *debug, const struct unit *unit, uint64_t index);
/* Reads a value and moves behind it. `implicit` is that of DW_FORM_implicit_const. */
struct value plain_read_form(const struct fm_dw_debug *debug, const struct unit *unit, struct fm_byte_reader *r,
                             uint64_t form, int64_t implicit);
/* Reads an entry and moves behind its attributes; false: there is none (a mark that closes a list, or nothing sound).
 */
bool plain_read_entry(const struct fm_dw_debug *debug, const struct unit *unit, struct fm_byte_reader *r,
                      struct entry *out);

/* plain_ranges.c: only what begins in code counts, and ends with its section. */
void plain_add_range(const struct fm_dw_debug *debug, struct range_list *list, uint64_t low, uint64_t high);
/* What an entry says of its code, in place of what the list had. */
void plain_read_ranges(const struct fm_dw_debug *debug, const struct unit *unit, const struct entry *entry,
                       struct range_list *list);

/* plain_units.c: the length before a unit, which says how wide its offsets are. */
uint64_t plain_read_length(struct fm_byte_reader *r, unsigned *offset_size);
void plain_scan_units(struct fm_dw_debug *debug);
/* The unit that an entry is in; NULL: none. */
const struct unit *plain_unit_of(const struct fm_dw_debug *debug, uint64_t offset);

/* plain_lines.c: reads the unit's files and tells its rows; false: the visitor stopped. The unit becomes the worker's.
 */
bool plain_run_lines(struct fm_dw_worker *w, const struct unit *unit);
/* The visitor's number of a file of the table; announced when it is new. */
bool plain_file_number(struct fm_dw_worker *w, uint64_t wanted, uint32_t *out);

/* plain_scopes.c: as `scopes` of a reader. */
framemap_status plain_scopes(struct fm_dw_worker *w, uint32_t number, const uint64_t *entries, size_t count,
                             struct fm_arena *arena, framemap_str *out, framemap_error *error);

/* plain_functions.c: where the origin of an entry is; UINT64_MAX: it has none. */
uint64_t plain_origin_of(const struct unit *unit, const struct entry *entry);
/* Tells the functions of the worker's unit; false: the visitor stopped. */
bool plain_run_functions(struct fm_dw_worker *w);

#endif
