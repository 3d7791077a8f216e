/* random_readers [--write FOLDER] FIRST COUNT: debug info made at random (fuzz/dwarf_make.h) through two readers; COUNT of it, from number FIRST on.
 *
 * With --write what is sound is written as object files, FOLDER/NUMBER.elf, for readers of others (tests/oracle/compare_dwarfdump). Exit 1: a difference,
 * told in words, or what was made is too poor to prove something. */
#include "fuzz/dwarf_make.h"
#include "tests/debuginfo/dw_events.h"

#include <stdlib.h>
#include <string.h>

struct run {
    const struct fm_dw_reader *reader;
    const char *folder;
    size_t counts[DW_EVENT_KINDS];
    size_t inlined, ran_out, left_over, units, differences;
};

/* The choices of one number: flags of all sorts in turn, then what the number makes at random. */
static size_t choose(unsigned long number, uint8_t choices[10])
{
    static const uint8_t flags[] = {0, 1, 2, 3, 4, 5, 8, 9, 10, 16, 17, 18};

    choices[0] = (uint8_t)(flags[number % sizeof flags] | 32);
    for (int i = 0; i < 8; i++) choices[1 + i] = (uint8_t)(number >> 8 * i);
    choices[9] = (uint8_t)(number * 2654435761u >> 24);
    return 10;
}

static void note(struct run *run, const struct dw_events *told)
{
    for (size_t i = 0; i < DW_EVENT_KINDS; i++) run->counts[i] += told->counts[i];
    run->units += told->unit_count;
}

static void compare(struct run *run, unsigned long number, const struct made_dwarf *made)
{
    struct dw_events told[2] = {{.limit = 0}, {.limit = 0}};
    struct dwarf_image image;
    struct fm_heap heap;
    struct fm_arena arena;
    bool same = true;

    fm_heap_init(&heap, NULL, 0);
    fm_arena_init(&arena, &heap);
    const struct fm_mapper_host host = {.heap = &heap};
    if (!dwarf_image_made(made, &arena, &image)) abort();
    dw_events_record(&told[0], &fm_dw_libdwarf, &image.image, &host, false);
    dw_events_record(&told[1], run->reader, &image.image, &host, number % 2 != 0);
    for (int i = 0; i < 2; i++) same &= dw_events_sound(&told[i], i == 0 ? "libdwarf" : run->reader->name, stdout);
    if (dw_events_have_fault(&told[0], FRAMEMAP_E_LIMIT) || dw_events_have_fault(&told[1], FRAMEMAP_E_LIMIT)) run->ran_out++;
    else same &= dw_events_equal(&told[0], "libdwarf", &told[1], run->reader->name, stdout);
    if (!same) {
        printf("number %lu differs\n", number);
        run->differences++;
    }
    note(run, &told[0]);
    run->left_over += dw_events_left_over(&told[1]);
    dw_events_free(&told[0]);
    dw_events_free(&told[1]);
    fm_arena_free(&arena);
}

/* --- object files --- */

struct elf {
    FILE *file;
    bool is64, big_endian;
};

static void put(const struct elf *elf, uint64_t value, unsigned width)
{
    for (unsigned i = 0; i < width; i++) fputc((int)(value >> 8 * (elf->big_endian ? width - 1 - i : i) & 0xff), elf->file);
}

/* Addresses and sizes of the file's class. */
static void put_word(const struct elf *elf, uint64_t value) { put(elf, value, elf->is64 ? 8 : 4); }

static void put_header(const struct elf *elf, uint64_t table_at, unsigned sections)
{
    const unsigned char ident[16] = {0x7f, 'E', 'L', 'F', elf->is64 ? 2 : 1, elf->big_endian ? 2 : 1, 1};

    fwrite(ident, 1, sizeof ident, elf->file);
    put(elf, 2, 2); /* ET_EXEC */
    put(elf, elf->is64 ? (elf->big_endian ? 21 : 62) : (elf->big_endian ? 20 : 3), 2); /* PowerPC and x86 of that width */
    put(elf, 1, 4);
    put_word(elf, DWARF_TEXT_BASE);
    put_word(elf, 0);
    put_word(elf, table_at);
    put(elf, 0, 4);
    put(elf, elf->is64 ? 64 : 52, 2);
    put(elf, 0, 2), put(elf, 0, 2);
    put(elf, elf->is64 ? 64 : 40, 2);
    put(elf, sections, 2);
    put(elf, sections - 1, 2);
}

struct row {
    uint64_t name, type, flags, address, offset, size;
};

static void put_row(const struct elf *elf, const struct row *row)
{
    put(elf, row->name, 4);
    put(elf, row->type, 4);
    put_word(elf, row->flags);
    put_word(elf, row->address);
    put_word(elf, row->offset);
    put_word(elf, row->size);
    put(elf, 0, 4), put(elf, 0, 4);
    put_word(elf, 1), put_word(elf, 0);
}

/* Header, sections, names, table: null, .text, the debug sections, the names. */
static void put_file(const struct elf *elf, const struct made_dwarf *made)
{
    static const char names[] = "\0.text\0.debug_info\0.debug_abbrev\0.debug_str\0.debug_line_str\0.debug_line\0.debug_ranges\0.debug_rnglists\0.debug_addr\0"
                                ".debug_str_offsets\0.debug_aranges\0.shstrtab";
    enum { SECTIONS = DWARF_SECTIONS + 3, NOBITS = 8, PROGBITS = 1, STRTAB = 3 };
    struct row rows[SECTIONS] = {{0}, {1, NOBITS, 6, DWARF_TEXT_BASE, 0, DWARF_TEXT_SIZE}};
    uint64_t at = elf->is64 ? 64 : 52, name = 7;

    for (unsigned i = 0; i < DWARF_SECTIONS; i++) {
        rows[2 + i] = (struct row){name, PROGBITS, 0, 0, at, made->sections[i].size};
        at += made->sections[i].size;
        name += strlen(dwarf_section_names[i]) + 1;
    }
    rows[SECTIONS - 1] = (struct row){name, STRTAB, 0, 0, at, sizeof names};
    put_header(elf, at + sizeof names, SECTIONS);
    for (unsigned i = 0; i < DWARF_SECTIONS; i++) {
        if (made->sections[i].size > 0) fwrite(made->sections[i].data, 1, made->sections[i].size, elf->file);
    }
    fwrite(names, 1, sizeof names, elf->file);
    for (unsigned i = 0; i < SECTIONS; i++) put_row(elf, &rows[i]);
}

static void write_file(const struct run *run, unsigned long number, const struct made_dwarf *made)
{
    char path[4096];

    snprintf(path, sizeof path, "%s/%lu.elf", run->folder, number);
    const struct elf elf = {fopen(path, "wb"), made->is64, made->big_endian};
    if (elf.file == NULL) {
        fprintf(stderr, "random_readers: %s can't be written\n", path);
        exit(2);
    }
    put_file(&elf, made);
    fclose(elf.file);
}

int main(int argc, char **argv)
{
    struct run run = {.reader = fm_dw_reader_named(NULL)};
    int first = 1;

    if (argc > 2 && strcmp(argv[1], "--write") == 0) {
        run.folder = argv[2];
        first = 3;
    }
    if (argc != first + 2) {
        fprintf(stderr, "usage: random_readers [--write FOLDER] FIRST COUNT\n");
        return 2;
    }
    const unsigned long from = strtoul(argv[first], NULL, 0), count = strtoul(argv[first + 1], NULL, 0);
    for (unsigned long number = from; number < from + count; number++) {
        struct made_dwarf made;
        uint8_t choices[10];
        dwarf_make(choices, choose(number, choices), &made);
        compare(&run, number, &made);
        if (run.folder != NULL && !made.broken) write_file(&run, number, &made);
        dwarf_made_free(&made);
    }
    printf("libdwarf and %s: %lu programs, %zu units, %zu files, %zu rows, %zu functions, %zu faults, %zu units left over, %zu out of work, %zu differ\n",
           run.reader->name, count, run.units, run.counts[DW_EVENT_FILE], run.counts[DW_EVENT_ROW], run.counts[DW_EVENT_ENTER],
           run.counts[DW_EVENT_FAULT], run.left_over, run.ran_out, run.differences);
    const bool poor = run.units < count / 2 || run.counts[DW_EVENT_ROW] < count || run.counts[DW_EVENT_ENTER] < count || run.ran_out > count / 100;
    if (poor) printf("what was made has too little in it to prove something\n");
    return run.differences > 0 || poor ? 1 : 0;
}
