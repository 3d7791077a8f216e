/* The debug sections of one image, and how much work may be spent on them. */
#ifndef FM_MAPPERS_NATIVE_DWARF_DW_SECTIONS_H
#define FM_MAPPERS_NATIVE_DWARF_DW_SECTIONS_H

#include "core/byte_reader.h"
#include "mappers/native/image/image.h"

/* Contents, inflated and relocated; an absent or broken section is empty. String sections end with a NUL: what stood
 * after their last NUL is cut off, so that every offset inside them is the offset of a terminated string. */
struct fm_dw_sections {
    framemap_str info, abbrev, str, line_str, str_offsets, addr, line, ranges, rnglists, aranges;
    bool big_endian;
    /* Bytes of shared data (abbreviation tables, line programs, range lists) that may be decoded through pointers to
     * them. Real files read each of them once or a few times; a hostile one points a million entries at one long list.
     * Reaching the end is a fault of the unit, not of the file. work: what there was at first. work_left: what opening
     * the image left over. list_work: bytes of range lists for the entries of one unit, whichever thread reads it,
     * beside what its own size allows; so that what is answered does not depend on the order of units. */
    uint64_t work, work_left, list_work;
};

/* Says how many units share list_work. */
void fm_dw_sections_share(struct fm_dw_sections *sections, size_t units);

/* Has the sections inflated that are compressed, by up to so many threads, before they are loaded. */
void fm_dw_sections_inflate(struct fm_image *image, unsigned threads);

/* Loads what is there. A section that can't be read is told to `fault` and left empty. Errors: MEMORY, so that what is
 * made never depends on how much there was. */
framemap_status fm_dw_sections_load(const struct fm_image *image, struct fm_dw_sections *out,
                                    void (*fault)(void *context, const framemap_error *fault), void *context,
                                    framemap_error *error);

/* Takes `bytes` from the work that is left; false: there is not so much. While the image is opened: one thread. */
bool fm_dw_spend(struct fm_dw_sections *sections, uint64_t bytes);

/* Bytes of range lists that entries of a unit of so many bytes may have decoded. */
uint64_t fm_dw_list_work(const struct fm_dw_sections *sections, uint64_t unit_bytes);

/* The string at an offset of a string section; absent when it lies outside. */
framemap_str fm_dw_string_at(framemap_str section, uint64_t offset);

#endif
