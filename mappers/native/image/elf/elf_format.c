/* Decodes ELF records of both widths and byte orders. See elf_format.h. */
#include "mappers/native/image/elf/elf_format.h"

#include "core/checked.h"
#include "mappers/native/image/image_values.h"
#include <stdio.h>

static uint64_t read_word(struct fm_byte_reader *r, bool is64) { return fm_read_uint(r, is64 ? 8 : 4); }

void fm_elf_read_header(struct fm_byte_reader *r, bool is64, struct fm_elf_header *out)
{
    fm_byte_reader_seek(r, 16); /* e_ident is skipped */
    out->type = fm_read_u16(r);
    out->machine = fm_read_u16(r);
    fm_read_u32(r);     /* e_version is skipped */
    read_word(r, is64); /* e_entry is skipped */
    out->segments_offset = read_word(r, is64);
    out->sections_offset = read_word(r, is64);
    fm_read_u32(r); /* e_flags is skipped */
    fm_read_u16(r); /* e_ehsize is skipped */
    out->segment_size = fm_read_u16(r);
    out->segment_count = fm_read_u16(r);
    out->section_size = fm_read_u16(r);
    out->section_count = fm_read_u16(r);
    out->names_section = fm_read_u16(r);
}

void fm_elf_read_section(struct fm_byte_reader *r, bool is64, struct fm_elf_section *out)
{
    out->name = fm_read_u32(r);
    out->type = fm_read_u32(r);
    out->flags = read_word(r, is64);
    out->address = read_word(r, is64);
    out->offset = read_word(r, is64);
    out->size = read_word(r, is64);
    out->link = fm_read_u32(r);
    out->info = fm_read_u32(r);
    out->align = read_word(r, is64);
    out->entry_size = read_word(r, is64);
}

void fm_elf_read_segment(struct fm_byte_reader *r, bool is64, struct fm_elf_segment *out)
{
    out->type = fm_read_u32(r);
    if (is64) out->flags = fm_read_u32(r);
    out->offset = read_word(r, is64);
    out->address = read_word(r, is64);
    read_word(r, is64); /* p_paddr is skipped */
    out->file_size = read_word(r, is64);
    out->memory_size = read_word(r, is64);
    if (!is64) out->flags = fm_read_u32(r);
    out->align = read_word(r, is64);
}

void fm_elf_read_symbol(struct fm_byte_reader *r, bool is64, struct fm_elf_symbol *out)
{
    uint8_t info;

    out->name = fm_read_u32(r);
    if (!is64) {
        out->value = fm_read_u32(r);
        out->size = fm_read_u32(r);
    }
    info = fm_read_u8(r);
    fm_read_u8(r); /* st_other is skipped */
    out->section = fm_read_u16(r);
    if (is64) {
        out->value = fm_read_u64(r);
        out->size = fm_read_u64(r);
    }
    out->type = info & 15;
    out->binding = info >> 4;
}

framemap_str fm_elf_bytes(const struct fm_image *image, uint64_t offset, uint64_t size)
{
    if (!fm_range_fits(offset, size, image->bytes.size)) return (framemap_str){NULL, 0};
    return (framemap_str){image->bytes.data + offset, (size_t)size};
}

void fm_elf_arch(const struct fm_image *image, char out[16])
{
    static const struct {
        uint32_t machine;
        char little32[12], little64[12], big32[12], big64[12];
    } rows[] = {
        {ELF_X86_64, "x86_64", "x86_64", "x86_64", "x86_64"},
        {ELF_AARCH64, "arm64", "arm64", "arm64", "arm64_be"},
        {ELF_ARM, "arm", "arm", "armeb", "armeb"},
        {ELF_386, "i386", "i386", "i386", "i386"},
        {ELF_PPC64, "ppc64le", "ppc64le", "ppc64", "ppc64"},
        {ELF_PPC, "ppcle", "ppcle", "ppc", "ppc"},
        {ELF_MIPS, "mipsel", "mips64el", "mips", "mips64"},
        {ELF_RISCV, "riscv32", "riscv64", "riscv32be", "riscv64be"},
        {ELF_S390, "s390", "s390x", "s390", "s390x"},
        {ELF_LOONGARCH, "loongarch32", "loongarch64", "loongarch32", "loongarch64"},
        {ELF_SPARC, "sparc", "sparc", "sparc", "sparc"},
        {ELF_SPARCV9, "sparc64", "sparc64", "sparc64", "sparc64"},
        {ELF_68K, "m68k", "m68k", "m68k", "m68k"},
        {ELF_PARISC, "hppa", "hppa64", "hppa", "hppa64"},
        {ELF_SH, "sh", "sh", "sheb", "sheb"},
        {ELF_AVR, "avr", "avr", "avr", "avr"},
        {ELF_OR1K, "or1k", "or1k", "or1k", "or1k"},
        {ELF_XTENSA, "xtensa", "xtensa", "xtensaeb", "xtensaeb"},
        {ELF_MSP430, "msp430", "msp430", "msp430", "msp430"},
        {ELF_HEXAGON, "hexagon", "hexagon", "hexagon", "hexagon"},
        {ELF_ARC, "arc", "arc", "arceb", "arceb"},
        {ELF_AMDGPU, "amdgpu", "amdgpu", "amdgpu", "amdgpu"},
        {ELF_BPF, "bpf", "bpf", "bpfeb", "bpfeb"},
        {ELF_CSKY, "csky", "csky", "csky", "csky"},
        {ELF_ALPHA, "alpha", "alpha", "alpha", "alpha"},
    };

    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        if (rows[i].machine != image->machine) continue;
        if (image->big_endian)
            fm_copy_name(out, 16, image->is64 ? rows[i].big64 : rows[i].big32);
        else
            fm_copy_name(out, 16, image->is64 ? rows[i].little64 : rows[i].little32);
        return;
    }
    snprintf(out, 16, "elf-%u", (unsigned)image->machine);
}
