/* Finds the dynamic symbol table of a file without a section table as a loader does: through PT_DYNAMIC (gABI, chapter
 * 5). */
#include "mappers/native/image/elf/elf_image.h"

enum { DT_HASH = 4, DT_STRTAB = 5, DT_SYMTAB = 6, DT_STRSZ = 10, DT_GNU_HASH = 0x6ffffef5 };

struct dynamic {
    uint64_t hash, names, rows, names_size, gnu_hash;
};

/* Returns the loaded bytes from an address to the end of its segment. */
static framemap_str bytes_at(const struct fm_image *image, uint64_t address)
{
    const struct fm_elf *elf = image->inner->elf;

    for (uint32_t i = 0; i < elf->header.segment_count; i++) {
        const struct fm_elf_segment *segment = &elf->segments[i];
        if (segment->type != ELF_PT_LOAD || address < segment->address ||
            address - segment->address >= segment->file_size)
            continue;
        const framemap_str whole = fm_elf_bytes(image, segment->offset, segment->file_size);
        const uint64_t skip = address - segment->address;
        if (skip < whole.size) return (framemap_str){whole.data + skip, whole.size - (size_t)skip};
    }
    return (framemap_str){NULL, 0};
}

static bool read_dynamic(const struct fm_image *image, struct dynamic *out)
{
    const struct fm_elf *elf = image->inner->elf;
    const unsigned width = image->is64 ? 8 : 4;

    for (uint32_t i = 0; i < elf->header.segment_count; i++) {
        const struct fm_elf_segment *segment = &elf->segments[i];
        if (segment->type != ELF_PT_DYNAMIC) continue;
        struct fm_byte_reader r =
            fm_byte_reader_of(fm_elf_bytes(image, segment->offset, segment->file_size), image->big_endian);
        while (fm_byte_reader_left(&r) >= 2 * width) {
            const uint64_t tag = fm_read_uint(&r, width), value = fm_read_uint(&r, width);
            if (tag == 0) break;
            if (tag == DT_HASH) out->hash = value;
            if (tag == DT_STRTAB) out->names = value;
            if (tag == DT_SYMTAB) out->rows = value;
            if (tag == DT_STRSZ) out->names_size = value;
            if (tag == DT_GNU_HASH) out->gnu_hash = value;
        }
        return out->rows != 0 && out->names != 0;
    }
    return false;
}

/* Counts the symbols through the GNU hash table, which lists them by bucket: the last symbol ends the chain of the
 * highest bucket. */
static uint64_t count_by_gnu_hash(const struct fm_image *image, uint64_t address)
{
    struct fm_byte_reader r = fm_byte_reader_of(bytes_at(image, address), image->big_endian);
    const uint32_t buckets = fm_read_u32(&r), first = fm_read_u32(&r), bloom = fm_read_u32(&r);
    uint32_t last = 0;

    fm_read_u32(&r); /* the bloom shift is skipped */
    fm_byte_reader_skip(&r, (uint64_t)bloom * (image->is64 ? 8 : 4));
    for (uint32_t i = 0; i < buckets && !r.bad; i++) {
        const uint32_t start = fm_read_u32(&r);
        if (start > last) last = start;
    }
    if (r.bad || last < first) return first;
    fm_byte_reader_skip(&r, (uint64_t)(last - first) * 4);
    for (uint64_t number = last; !r.bad; number++) {
        if (fm_read_u32(&r) & 1) return number + 1;
    }
    return first;
}

static uint64_t count_symbols(const struct fm_image *image, const struct dynamic *dynamic)
{
    if (dynamic->hash != 0) {
        struct fm_byte_reader r = fm_byte_reader_of(bytes_at(image, dynamic->hash), image->big_endian);
        fm_read_u32(&r); /* the number of buckets is skipped */
        const uint32_t chains = fm_read_u32(&r);
        if (chains != 0) return chains;
    }
    if (dynamic->gnu_hash != 0) return count_by_gnu_hash(image, dynamic->gnu_hash);
    return 0;
}

bool fm_elf_dynamic_table(const struct fm_image *image, struct fm_elf_symbol_table *out)
{
    struct dynamic dynamic = {0};

    if (!read_dynamic(image, &dynamic)) return false;
    const uint64_t count = count_symbols(image, &dynamic);
    framemap_str rows = bytes_at(image, dynamic.rows), names = bytes_at(image, dynamic.names);
    if (rows.size / fm_elf_symbol_bytes(image->is64) > count)
        rows.size = (size_t)count * fm_elf_symbol_bytes(image->is64);
    if (names.size > dynamic.names_size) names.size = (size_t)dynamic.names_size;
    *out = (struct fm_elf_symbol_table){.rows = rows, .names = names, .dynamic = true};
    return rows.size > fm_elf_symbol_bytes(image->is64);
}
