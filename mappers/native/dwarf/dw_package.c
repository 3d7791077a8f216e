/* Reads the unit index of .dwp files. See dw_package.h. */
#include "mappers/native/dwarf/dw_package.h"

#include "core/byte_reader.h"
#include "core/checked.h"

/* Numbers of the kinds of sections in the unit index (DWARF 5 section 7.3.5.3). Version 2 uses the same numbers for the
 * sections that are read here, but has no range lists. */
enum { SECTION_INFO = 1, SECTION_ABBREV = 3, SECTION_STR_OFFSETS = 6, SECTION_RNGLISTS = 8 };
enum { CELL = 4, SIGNATURE = 8 };

/* Reads the head of the unit index. The hash table of signatures is skipped, since units are found by their offsets. */
static bool read_head(struct fm_dw_package *package, struct fm_byte_reader *r)
{
    uint64_t version = fm_read_u32(r), slots, cells;

    if (version != 2) { /* in version 5 the version number has two bytes, and two bytes of padding follow it */
        fm_byte_reader_seek(r, 0);
        version = fm_read_u16(r);
        fm_read_u16(r);
    }
    package->columns = fm_read_u32(r);
    package->units = fm_read_u32(r);
    slots = fm_read_u32(r);
    fm_byte_reader_skip(r, slots * (SIGNATURE + CELL));
    if (r->bad || (version != 2 && version != 5)) return false;
    for (uint32_t i = 0; i < package->columns && !r->bad; i++) {
        const uint32_t section = fm_read_u32(r);
        if (section == SECTION_INFO) package->info = i;
        if (section == SECTION_ABBREV) package->abbrev = i;
        if (section == SECTION_STR_OFFSETS) package->str_offsets = i;
        if (section == SECTION_RNGLISTS && version == 5) package->rnglists = i;
    }
    package->offsets = r->at;
    return !r->bad && fm_mul_u64(package->columns, package->units, &cells) &&
           cells <= fm_byte_reader_left(r) / (2 * CELL) && package->info != UINT32_MAX;
}

/* Returns the number in a cell of one of the index's two tables (offsets and sizes); 0 if the column is absent. */
static uint64_t cell(const struct fm_dw_package *package, uint64_t table, uint32_t row, uint32_t column)
{
    struct fm_byte_reader r = fm_byte_reader_of(package->index, package->big_endian);

    if (column == UINT32_MAX) return 0;
    fm_byte_reader_seek(&r, table + CELL * ((uint64_t)row * package->columns + column));
    return fm_read_u32(&r);
}

const char *fm_dw_package_open(struct fm_dw_package *package, struct fm_heap *heap, framemap_str index, bool big_endian,
                               bool *memory)
{
    struct fm_byte_reader r = fm_byte_reader_of(index, big_endian);

    *package = (struct fm_dw_package){.heap = heap,
                                      .index = index,
                                      .big_endian = big_endian,
                                      .info = UINT32_MAX,
                                      .abbrev = UINT32_MAX,
                                      .str_offsets = UINT32_MAX,
                                      .rnglists = UINT32_MAX};
    *memory = true;
    if (!read_head(package, &r)) {
        package->units = 0;
        return "its unit index is damaged or of an unknown version";
    }
    package->sizes = package->offsets + (uint64_t)CELL * package->columns * package->units;
    if (package->units == 0) return NULL;
    package->rows = fm_heap_zalloc(heap, package->units, sizeof *package->rows);
    for (uint32_t i = 0; package->rows != NULL && i < package->units; i++)
        package->rows[i] = (struct fm_key){cell(package, package->offsets, i, package->info), i};
    *memory = package->rows != NULL && fm_keys_sort(heap, package->rows, package->units, NULL, NULL);
    return NULL;
}

void fm_dw_package_free(struct fm_dw_package *package)
{
    if (package->rows != NULL) fm_heap_free(package->heap, package->rows, package->units * sizeof *package->rows);
    package->rows = NULL;
}

bool fm_dw_package_starts(const struct fm_dw_package *package, uint64_t offset, struct fm_dw_place *starts)
{
    const size_t after = fm_keys_lower(package->rows, package->units, offset + 1);

    if (after == 0) return false;
    const struct fm_key *row = &package->rows[after - 1];
    if (offset - row->key >= cell(package, package->sizes, row->number, package->info)) return false;
    starts->abbrev += cell(package, package->offsets, row->number, package->abbrev);
    starts->str_offsets += cell(package, package->offsets, row->number, package->str_offsets);
    starts->rnglists += cell(package, package->offsets, row->number, package->rnglists);
    return true;
}
