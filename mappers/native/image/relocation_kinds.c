/* The table of relocation types that occur in debug sections, by machine, from the psABI documents. Thread-local
 * offsets (DTPREL, LDO) are treated as S + A: they occur only in locations of variables, and these are not read. */
#include "mappers/native/image/relocation_kinds.h"

#include "mappers/native/image/elf/elf_format.h"

struct relocation_row {
    uint16_t machine, type;
    struct fm_relocation_kind kind;
};

#define NOTHING {FM_RELOCATE_NOTHING, 0}
#define SET(width) {FM_RELOCATE_SET, (width)}
#define RELATIVE(width) {FM_RELOCATE_SET_RELATIVE, (width)}
#define ADD(width) {FM_RELOCATE_ADD, (width)}
#define SUB(width) {FM_RELOCATE_SUB, (width)}

static const struct relocation_row relocation_rows[] = {
    {ELF_X86_64, 0, NOTHING},
    {ELF_X86_64, 1, SET(8)},
    {ELF_X86_64, 2, RELATIVE(4)},
    {ELF_X86_64, 10, SET(4)},
    {ELF_X86_64, 11, SET(4)},
    {ELF_X86_64, 12, SET(2)},
    {ELF_X86_64, 13, RELATIVE(2)},
    {ELF_X86_64, 14, SET(1)},
    {ELF_X86_64, 15, RELATIVE(1)},
    {ELF_X86_64, 17, SET(8)},
    {ELF_X86_64, 21, SET(4)},
    {ELF_X86_64, 24, RELATIVE(8)},

    {ELF_386, 0, NOTHING},
    {ELF_386, 1, SET(4)},
    {ELF_386, 2, RELATIVE(4)},
    {ELF_386, 20, SET(2)},
    {ELF_386, 21, RELATIVE(2)},
    {ELF_386, 22, SET(1)},
    {ELF_386, 23, RELATIVE(1)},
    {ELF_386, 32, SET(4)},

    {ELF_AARCH64, 0, NOTHING},
    {ELF_AARCH64, 256, NOTHING},
    {ELF_AARCH64, 257, SET(8)},
    {ELF_AARCH64, 258, SET(4)},
    {ELF_AARCH64, 259, SET(2)},
    {ELF_AARCH64, 260, RELATIVE(8)},
    {ELF_AARCH64, 261, RELATIVE(4)},
    {ELF_AARCH64, 262, RELATIVE(2)},
    {ELF_AARCH64, 1029, SET(8)},

    {ELF_ARM, 0, NOTHING},
    {ELF_ARM, 2, SET(4)},
    {ELF_ARM, 3, RELATIVE(4)},
    {ELF_ARM, 5, SET(2)},
    {ELF_ARM, 8, SET(1)},
    {ELF_ARM, 38, SET(4)},
    {ELF_ARM, 106, SET(4)},

    {ELF_PPC64, 0, NOTHING},
    {ELF_PPC64, 1, SET(4)},
    {ELF_PPC64, 3, SET(2)},
    {ELF_PPC64, 24, SET(4)},
    {ELF_PPC64, 26, RELATIVE(4)},
    {ELF_PPC64, 38, SET(8)},
    {ELF_PPC64, 43, SET(8)},
    {ELF_PPC64, 44, RELATIVE(8)},
    {ELF_PPC64, 51, NOTHING /* R_PPC64_TOC, the TOC pointer, occurs in .opd */},
    {ELF_PPC64, 78, SET(8)},

    {ELF_PPC, 0, NOTHING},
    {ELF_PPC, 1, SET(4)},
    {ELF_PPC, 3, SET(2)},
    {ELF_PPC, 24, SET(4)},
    {ELF_PPC, 26, RELATIVE(4)},
    {ELF_PPC, 78, SET(4)},

    {ELF_MIPS, 0, NOTHING},
    {ELF_MIPS, 1, SET(2)},
    {ELF_MIPS, 2, SET(4)},
    {ELF_MIPS, 18, SET(8)},
    {ELF_MIPS, 39, SET(4)},
    {ELF_MIPS, 41, SET(8)},
    {ELF_MIPS, 248, RELATIVE(4)},

    {ELF_RISCV, 0, NOTHING},
    {ELF_RISCV, 1, SET(4)},
    {ELF_RISCV, 2, SET(8)},
    {ELF_RISCV, 8, SET(4)},
    {ELF_RISCV, 9, SET(8)},
    {ELF_RISCV, 33, ADD(1)},
    {ELF_RISCV, 34, ADD(2)},
    {ELF_RISCV, 35, ADD(4)},
    {ELF_RISCV, 36, ADD(8)},
    {ELF_RISCV, 37, SUB(1)},
    {ELF_RISCV, 38, SUB(2)},
    {ELF_RISCV, 39, SUB(4)},
    {ELF_RISCV, 40, SUB(8)},
    {ELF_RISCV, 43, NOTHING /* the type R_RISCV_ALIGN */},
    {ELF_RISCV, 51, NOTHING /* the type R_RISCV_RELAX */},
    {ELF_RISCV, 52, {FM_RELOCATE_SUB6, 1}},
    {ELF_RISCV, 53, {FM_RELOCATE_SET6, 1}},
    {ELF_RISCV, 54, SET(1)},
    {ELF_RISCV, 55, SET(2)},
    {ELF_RISCV, 56, SET(4)},
    {ELF_RISCV, 57, RELATIVE(4)},
    {ELF_RISCV, 60, {FM_RELOCATE_SET_ULEB, 0}},
    {ELF_RISCV, 61, {FM_RELOCATE_SUB_ULEB, 0}},

    {ELF_S390, 0, NOTHING},
    {ELF_S390, 1, SET(1)},
    {ELF_S390, 3, SET(2)},
    {ELF_S390, 4, SET(4)},
    {ELF_S390, 5, RELATIVE(4)},
    {ELF_S390, 16, RELATIVE(2)},
    {ELF_S390, 22, SET(8)},
    {ELF_S390, 23, RELATIVE(8)},
    {ELF_S390, 52, SET(4)},
    {ELF_S390, 53, SET(8)},

    {ELF_LOONGARCH, 0, NOTHING},
    {ELF_LOONGARCH, 1, SET(4)},
    {ELF_LOONGARCH, 2, SET(8)},
    {ELF_LOONGARCH, 8, SET(4)},
    {ELF_LOONGARCH, 9, SET(8)},
    {ELF_LOONGARCH, 47, ADD(1)},
    {ELF_LOONGARCH, 48, ADD(2)},
    {ELF_LOONGARCH, 49, ADD(3)},
    {ELF_LOONGARCH, 50, ADD(4)},
    {ELF_LOONGARCH, 51, ADD(8)},
    {ELF_LOONGARCH, 52, SUB(1)},
    {ELF_LOONGARCH, 53, SUB(2)},
    {ELF_LOONGARCH, 54, SUB(3)},
    {ELF_LOONGARCH, 55, SUB(4)},
    {ELF_LOONGARCH, 56, SUB(8)},
    {ELF_LOONGARCH, 99, RELATIVE(4)},
    {ELF_LOONGARCH, 100, NOTHING /* the type R_LARCH_RELAX */},
    {ELF_LOONGARCH, 102, NOTHING /* the type R_LARCH_ALIGN */},
    {ELF_LOONGARCH, 105, {FM_RELOCATE_ADD6, 1}},
    {ELF_LOONGARCH, 106, {FM_RELOCATE_SUB6, 1}},
    {ELF_LOONGARCH, 107, {FM_RELOCATE_ADD_ULEB, 0}},
    {ELF_LOONGARCH, 108, {FM_RELOCATE_SUB_ULEB, 0}},
    {ELF_LOONGARCH, 109, RELATIVE(8)},

    {ELF_SPARC, 0, NOTHING},
    {ELF_SPARC, 1, SET(1)},
    {ELF_SPARC, 2, SET(2)},
    {ELF_SPARC, 3, SET(4)},
    {ELF_SPARC, 6, RELATIVE(4)},
    {ELF_SPARC, 23, SET(4)},
    {ELF_SPARC, 55, SET(2)},
    {ELF_SPARC, 76, SET(4)},
    {ELF_SPARCV9, 0, NOTHING},
    {ELF_SPARCV9, 1, SET(1)},
    {ELF_SPARCV9, 2, SET(2)},
    {ELF_SPARCV9, 3, SET(4)},
    {ELF_SPARCV9, 6, RELATIVE(4)},
    {ELF_SPARCV9, 23, SET(4)},
    {ELF_SPARCV9, 32, SET(8)},
    {ELF_SPARCV9, 46, RELATIVE(8)},
    {ELF_SPARCV9, 54, SET(8)},
    {ELF_SPARCV9, 55, SET(2)},
    {ELF_SPARCV9, 77, SET(8)},

    {ELF_68K, 0, NOTHING},
    {ELF_68K, 1, SET(4)},
    {ELF_68K, 2, SET(2)},
    {ELF_68K, 3, SET(1)},
    {ELF_68K, 4, RELATIVE(4)},

    {ELF_PARISC, 0, NOTHING},
    {ELF_PARISC, 1, SET(4)},
    {ELF_PARISC, 9, RELATIVE(4)},
    {ELF_PARISC, 65, SET(4)},
    {ELF_PARISC, 80, SET(8)},

    {ELF_SH, 0, NOTHING},
    {ELF_SH, 1, ADD(4) /* the addends in the relocation and in the contents are both added, as Linux and binutils
                          do */},

    {ELF_AVR, 0, NOTHING},
    {ELF_AVR, 1, SET(4)},
    {ELF_AVR, 4, SET(2)},
    {ELF_AVR, 26, SET(1)},
    {ELF_AVR, 30, NOTHING /* differences of symbols, which the assembler has already stored in the contents */},
    {ELF_AVR, 31, NOTHING},
    {ELF_AVR, 32, NOTHING},

    {ELF_OR1K, 0, NOTHING},
    {ELF_OR1K, 1, SET(4)},
    {ELF_OR1K, 2, SET(2)},
    {ELF_OR1K, 3, SET(1)},

    {ELF_XTENSA, 0, NOTHING},
    {ELF_XTENSA, 1, ADD(4) /* the addends in the relocation and in the contents are both added, as for SH */},
    /* differences of symbols, which are already in the contents; types 57 to 62 are such differences, too */
    {ELF_XTENSA, 17, NOTHING},
    {ELF_XTENSA, 18, NOTHING},
    {ELF_XTENSA, 19, NOTHING},
    {ELF_XTENSA, 57, NOTHING},
    {ELF_XTENSA, 58, NOTHING},
    {ELF_XTENSA, 59, NOTHING},
    {ELF_XTENSA, 60, NOTHING},
    {ELF_XTENSA, 61, NOTHING},
    {ELF_XTENSA, 62, NOTHING},

    {ELF_MSP430, 0, NOTHING},
    {ELF_MSP430, 1, SET(4)},
    {ELF_MSP430, 3, SET(2)},
    {ELF_MSP430, 5, SET(2)},

    {ELF_HEXAGON, 0, NOTHING},
    {ELF_HEXAGON, 6, SET(4)},
    {ELF_HEXAGON, 7, SET(2)},
    {ELF_HEXAGON, 8, SET(1)},
    {ELF_HEXAGON, 31, RELATIVE(4)},

    {ELF_ARC, 0, NOTHING},
    {ELF_ARC, 1, SET(1)},
    {ELF_ARC, 2, SET(2)},
    {ELF_ARC, 4, SET(4)},
    {ELF_ARC, 49, RELATIVE(4)},

    {ELF_AMDGPU, 0, NOTHING},
    {ELF_AMDGPU, 3, SET(8)},
    {ELF_AMDGPU, 4, RELATIVE(4)},
    {ELF_AMDGPU, 5, RELATIVE(8)},
    {ELF_AMDGPU, 6, SET(4)},

    {ELF_BPF, 0, NOTHING},
    {ELF_BPF, 2, SET(8)},
    {ELF_BPF, 3, SET(4)},
    {ELF_BPF, 4, SET(4)},
    {ELF_BPF, 11, SET(4) /* numbers of binutils before 2.41; LLVM does not use them */},
    {ELF_BPF, 12, SET(8)},

    {ELF_CSKY, 0, NOTHING},
    {ELF_CSKY, 1, SET(4)},
    {ELF_CSKY, 5, RELATIVE(4)},

    {ELF_ALPHA, 0, NOTHING},
    {ELF_ALPHA, 1, SET(4)},
    {ELF_ALPHA, 2, SET(8)},
    {ELF_ALPHA, 10, RELATIVE(4)},
    {ELF_ALPHA, 11, RELATIVE(8)},
};

struct fm_relocation_kind fm_relocation_kind(uint32_t elf_machine, uint32_t type)
{
    for (size_t i = 0; i < sizeof relocation_rows / sizeof *relocation_rows; i++) {
        if (relocation_rows[i].machine == elf_machine && relocation_rows[i].type == type)
            return relocation_rows[i].kind;
    }
    return (struct fm_relocation_kind){FM_RELOCATE_UNKNOWN, 0};
}
