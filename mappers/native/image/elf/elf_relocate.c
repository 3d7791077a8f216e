/* Applies relocations to debug sections of ELF object files, so that they read as if linked at the addresses that
 * were assigned to the sections. */
#include "mappers/native/image/elf/elf_image.h"

#include "mappers/native/image/image_values.h"
#include "mappers/native/image/relocation_kinds.h"

struct elf_relocation {
    uint64_t offset, symbol, addend;
    uint32_t type;
    bool has_addend; /* if false, the addend is in the contents (REL) */
};

/* State while one section is relocated. */
struct elf_relocation_job {
    const struct fm_image *image;
    struct fm_elf_symbol_table symbols;
    uint64_t address; /* address of the section */
    unsigned char *contents;
    size_t size;
    /* Cache of the last type: sections use one or two types. */
    uint32_t known_type;
    struct fm_relocation_kind known;
};

static bool relocates(const struct fm_image *image, uint32_t number, uint32_t section)
{
    const uint32_t type = image->sections[number].type;
    return (type == ELF_REL || type == ELF_RELA) && image->inner->elf->sections[number].info == section;
}

bool fm_elf_has_relocations(const struct fm_image *image, uint32_t section)
{
    if (!image->relocatable) return false;
    for (uint32_t i = 0; i < image->section_count; i++) {
        if (relocates(image, i, section)) return true;
    }
    return false;
}

static void read_relocation(struct fm_byte_reader *r, const struct fm_image *image, bool has_addend,
                            struct elf_relocation *out)
{
    const unsigned width = image->is64 ? 8 : 4;
    const uint64_t offset = fm_read_uint(r, width);
    const uint64_t info = fm_read_uint(r, width);

    *out = (struct elf_relocation){.offset = offset, .has_addend = has_addend};
    if (!image->is64) {
        out->symbol = info >> 8;
        out->type = info & 0xff;
    } else if (image->machine == ELF_MIPS && !image->big_endian) {
        /* 64-bit little-endian MIPS stores the fields of r_info separately: symbol, special symbol, third, second and
         * first type. */
        out->symbol = info & 0xffffffff;
        out->type = (uint32_t)(info >> 56);
    } else if (image->machine == ELF_MIPS) {
        out->symbol = info >> 32;
        out->type = info & 0xff;
    } else {
        out->symbol = info >> 32;
        out->type = info & 0xffffffff;
        /* SPARC V9 stores other data in the upper bits of the type, for relocations of type R_SPARC_OLO10 */
        if (image->machine == ELF_SPARCV9) out->type &= 0xff;
    }
    if (!has_addend) return;
    out->addend = fm_read_uint(r, width);
    if (width == 4 && (out->addend & 0x80000000u)) out->addend |= ~UINT64_C(0xffffffff);
}

/* Gets the address of a symbol. An undefined symbol is at 0, as linkers treat missing weak symbols. */
static bool symbol_value(const struct elf_relocation_job *job, uint64_t index, uint64_t *out)
{
    const struct fm_image *image = job->image;
    const unsigned row = fm_elf_symbol_bytes(image->is64);
    struct fm_byte_reader r = fm_byte_reader_of(job->symbols.rows, image->big_endian);
    struct fm_elf_symbol symbol = {0};

    *out = 0;
    if (index == 0) return true;
    fm_byte_reader_seek(&r, index * row);
    fm_elf_read_symbol(&r, image->is64, &symbol);
    if (r.bad) return false;
    if (symbol.section == 0) return true;
    const uint32_t section = fm_elf_symbol_section(image, &job->symbols, index, symbol.section);
    if (section != UINT32_MAX)
        *out = image->sections[section].address + symbol.value;
    else if (symbol.section == ELF_SHN_ABS)
        *out = symbol.value;
    return true;
}

/* Changes a LEB128 number without changing its length, since the bytes around it cannot move. */
static bool patch_uleb(const struct elf_relocation_job *job, uint64_t offset, uint8_t action, uint64_t value)
{
    uint64_t old = 0;
    size_t length = 0;

    while (offset + length < job->size && length < 10) {
        const unsigned char byte = job->contents[offset + length];
        if (length * 7 < 64) old |= (uint64_t)(byte & 0x7f) << (length * 7);
        length++;
        if (byte < 0x80) break;
    }
    if (length == 0 || job->contents[offset + length - 1] >= 0x80) return false;
    if (action == FM_RELOCATE_ADD_ULEB) value = old + value;
    if (action == FM_RELOCATE_SUB_ULEB) value = old - value;
    for (size_t i = 0; i < length; i++, value >>= 7) {
        job->contents[offset + i] = (unsigned char)((value & 0x7f) | (i + 1 < length ? 0x80u : 0u));
    }
    return true;
}

static bool patch_fixed(const struct elf_relocation_job *job, const struct elf_relocation *relocation,
                        struct fm_relocation_kind kind, uint64_t value)
{
    unsigned char *at = job->contents + relocation->offset;
    const bool big = job->image->big_endian;

    if (kind.width > job->size - relocation->offset) return false;
    const uint64_t old = fm_bytes_get(at, kind.width, big);
    const uint64_t low6 = old & 0x3f, high2 = old & 0xc0;
    switch (kind.action) {
    case FM_RELOCATE_SET: break;
    case FM_RELOCATE_SET_RELATIVE: value -= job->address + relocation->offset; break;
    case FM_RELOCATE_ADD: value = old + value; break;
    case FM_RELOCATE_SUB: value = old - value; break;
    case FM_RELOCATE_SET6: value = high2 | (value & 0x3f); break;
    case FM_RELOCATE_ADD6: value = high2 | ((low6 + value) & 0x3f); break;
    case FM_RELOCATE_SUB6: value = high2 | ((low6 - value) & 0x3f); break;
    default: return false;
    }
    /* REL: the addend is in the bytes that the result replaces. */
    if (!relocation->has_addend && (kind.action == FM_RELOCATE_SET || kind.action == FM_RELOCATE_SET_RELATIVE))
        value += old;
    fm_bytes_put(at, kind.width, big, value);
    return true;
}

static bool apply_relocation(struct elf_relocation_job *job, const struct elf_relocation *relocation)
{
    uint64_t value;

    if (relocation->type != job->known_type) {
        job->known_type = relocation->type;
        job->known = fm_relocation_kind(job->image->machine, relocation->type);
    }
    if (job->known.action == FM_RELOCATE_NOTHING) return true;
    if (job->known.action == FM_RELOCATE_UNKNOWN || relocation->offset >= job->size) return false;
    if (!symbol_value(job, relocation->symbol, &value)) return false;
    value += relocation->addend;
    if (job->known.width == 0) return patch_uleb(job, relocation->offset, job->known.action, value);
    return patch_fixed(job, relocation, job->known, value);
}

static void apply_all(struct elf_relocation_job *job, uint32_t section, uint32_t number)
{
    const struct fm_image *image = job->image;
    const bool has_addend = image->sections[number].type == ELF_RELA;
    const size_t row = (has_addend ? 3u : 2u) * (image->is64 ? 8u : 4u);
    struct fm_byte_reader r = fm_byte_reader_of(image->sections[number].stored, image->big_endian);

    if (!fm_elf_find_symbol_table(image, image->inner->elf->sections[number].link, &job->symbols))
        job->symbols = (struct fm_elf_symbol_table){0};
    while (fm_byte_reader_left(&r) >= row) {
        struct elf_relocation relocation;
        read_relocation(&r, image, has_addend, &relocation);
        if (!apply_relocation(job, &relocation)) image->sections[section].unapplied++;
    }
}

void fm_elf_relocate(const struct fm_image *image, uint32_t section, unsigned char *contents, size_t size)
{
    struct elf_relocation_job job = {.image = image,
                                     .contents = contents,
                                     .size = size,
                                     .address = image->sections[section].address,
                                     .known_type = UINT32_MAX};
    bool done_rel = false, done_rela = false;

    image->sections[section].unapplied = 0;
    for (uint32_t i = 0; i < image->section_count; i++) {
        if (!relocates(image, i, section)) continue;
        bool *done = image->sections[i].type == ELF_RELA ? &done_rela : &done_rel;
        /* only one table of each type is applied: no tool writes two for a section, but a hostile file could have a
         * million */
        if (*done)
            image->sections[section].unapplied++;
        else
            apply_all(&job, section, i);
        *done = true;
    }
}
