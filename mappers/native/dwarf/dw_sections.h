/* The debug sections of one image, and the budgets that bound the work on them. */
#ifndef FM_MAPPERS_NATIVE_DWARF_DW_SECTIONS_H
#define FM_MAPPERS_NATIVE_DWARF_DW_SECTIONS_H

#include "core/byte_reader.h"
#include "mappers/native/image/image.h"

/* The contents of the sections, decompressed and relocated. A section that is absent or damaged is empty. String
 * sections end with a NUL: bytes after their last NUL are cut off, so every offset in them is that of a terminated
 * string. */
struct fm_dw_sections {
    framemap_str info, abbrev, str, line_str, str_offsets, addr, line, ranges, rnglists, aranges;
    bool big_endian;
    /* Budgets, which are bytes of shared data (abbreviation tables, line programs, range lists) that may be decoded
     * through references. Real files decode each of these once or a few times; a hostile file can refer to one long
     * list from a million entries. Exceeding a budget is a fault of the unit, not of the file. `work` is the initial
     * budget, `work_left` what opening the image did not use. `list_work` is the budget of one unit for range lists, in
     * addition to what its size allows; it is the same for every unit, so results do not depend on the order of units
     * or on threads. */
    uint64_t work, work_left, list_work;
};

/* Sets how many units share the budget for range lists (list_work). */
void fm_dw_sections_share(struct fm_dw_sections *sections, size_t units);

/* Decompresses compressed debug sections with up to `threads` threads. Call before fm_dw_sections_load. */
void fm_dw_sections_inflate(struct fm_image *image, unsigned threads);

/* Loads the sections that exist. A section that cannot be read is reported to `fault` and left empty. A lack of memory
 * fails the call (MEMORY), so that the result never depends on the memory that is available. */
framemap_status fm_dw_sections_load(const struct fm_image *image, struct fm_dw_sections *out,
                                    void (*fault)(void *context, const framemap_error *fault), void *context,
                                    framemap_error *error);

/* Loads the sections of a file with split units, whose names end with ".dwo". fm_dw_sections_load does the same for
 * other files. */
framemap_status fm_dw_sections_load_split(const struct fm_image *image, struct fm_dw_sections *out,
                                          void (*fault)(void *context, const framemap_error *fault), void *context,
                                          framemap_error *error);

/* Computes the budgets from the sizes of the sections. */
void fm_dw_sections_set_work(struct fm_dw_sections *sections);

/* Takes `bytes` from work_left; returns false if work_left is too small. Only the thread that opens the image may call
 * this function. */
bool fm_dw_spend(struct fm_dw_sections *sections, uint64_t bytes);

/* Returns how many bytes of range lists may be decoded for the entries of a unit that has `unit_bytes` bytes. */
uint64_t fm_dw_list_work(const struct fm_dw_sections *sections, uint64_t unit_bytes);

/* Returns the string at an offset of a string section, or absent if the offset is outside. */
framemap_str fm_dw_string_at(framemap_str section, uint64_t offset);

#endif
