/* Tests of where code is in an ELF file (elf_code_offsets.c): in programs as linkers write them, and in debug files
 * with program headers that a tool recomputed. */
#include "tests/mappers/native/image/image_build.h"

#include "core/text/buffer.h"

enum { R = 4, W = 2, X = 1, CODE = F_ALLOC | F_EXEC };

struct load {
    unsigned rights;
    uint64_t offset, address, file_size, memory_size, align;
};

static const struct row {
    const char *why;
    uint16_t type;
    bool split_off; /* the code has no bytes in the file, as in a debug file */
    struct load loads[4];
    const char *wanted;
} rows[] = {
    {"lld: code is at another page, after the constants of the file",
     E_DYN,
     false,
     {{R, 0, 0, 0x6d8, 0x6d8, 0x1000},
      {R | X, 0x6e0, 0x16e0, 0x270, 0x270, 0x1000},
      {R | W, 0x950, 0x2950, 0x1d8, 0x6b0, 0x1000}},
     "6e0+270=16e0"},
    {"a program that is linked to one place: positions count from its base",
     E_EXEC,
     false,
     {{R, 0, 0x200000, 0x628, 0x628, 0x1000}, {R | X, 0x630, 0x201630, 0x260, 0x260, 0x1000}},
     "630+260=1630"},
    {"code at the same distance in file and memory",
     E_DYN,
     false,
     {{R, 0, 0, 0x650, 0x650, 0x1000}, {R | X, 0x1000, 0x1000, 0x269, 0x269, 0x1000}},
     ""},
    {"code in the first segment, data at another distance",
     E_DYN,
     false,
     {{R | X, 0, 0, 0x910, 0x910, 0x1000}, {R | W, 0x910, 0x1910, 0x1d8, 0x6f0, 0x1000}},
     ""},
    {"two segments of code, one at the same distance: both are listed",
     E_DYN,
     false,
     {{R | X, 0, 0, 0x500, 0x500, 0x1000}, {R | X, 0x500, 0x1500, 0x80, 0x80, 0x1000}},
     "0+500=0 500+80=1500"},
    {"a segment without bytes in the file is not code",
     E_DYN,
     false,
     {{R | X, 0, 0, 0x500, 0x500, 0x1000}, {R | X, 0x500, 0x1500, 0, 0x80, 0x1000}},
     ""},
    {"an object file has no segments that are loaded", E_REL, false, {{R | X, 0x40, 0x1000, 0x80, 0x80, 0x1000}}, ""},
    {"an end beyond all offsets", E_DYN, false, {{R | X, UINT64_MAX - 1, 0x1000, 0x80, 0x80, 0x1000}}, ""},
    {"objcopy: code takes the next offset that fits, as in the program",
     E_DYN,
     true,
     {{R, 0, 0, 0x308, 0x6d8, 0x1000},
      {R | X, 0x310, 0x16e0, 0, 0x270, 0x1000},
      {R | W, 0x310, 0x2950, 0, 0x6b0, 0x1000}},
     "6e0+270=16e0"},
    {"objcopy: offsets of code that the program has at the same distance",
     E_DYN,
     true,
     {{R, 0, 0, 0x39c, 0x650, 0x1000}, {R | X, 0, 0x1000, 0, 0x269, 0x1000}, {R, 0, 0x2000, 0, 0x160, 0x1000}},
     ""},
    {"great pages",
     E_DYN,
     true,
     {{R, 0, 0, 0x308, 0x6d8, 0x10000}, {R | X, 0x310, 0x106e0, 0, 0x270, 0x10000}},
     "6e0+270=106e0"},
    {"elfutils keeps the program's headers",
     E_DYN,
     true,
     {{R, 0, 0, 0x6d8, 0x6d8, 0x1000}, {R | X, 0x2710, 0x9710, 0x270, 0x270, 0x1000}},
     "2710+270=9710"},
    {"the headers of the file are not in its first segment",
     E_EXEC,
     true,
     {{R | X, 0x1000, 0x10000, 0, 0x500, 0x1000}},
     "1000+500=0"},
    {"after data of unknown size in the file",
     E_DYN,
     true,
     {{R, 0, 0, 0x308, 0x6d8, 0x1000},
      {R | W, 0x310, 0x2950, 0, 0x6b0, 0x1000},
      {R | X, 0x310, 0x46e0, 0, 0x80, 0x1000}},
     ""},
    {"an alignment that is not a power of two",
     E_DYN,
     true,
     {{R, 0, 0, 0x308, 0x6d8, 0x1000}, {R | X, 0x310, 0x16e0, 0, 0x270, 24}},
     "6d8+270=16e0"},
};

static void where_code_is(void **state)
{
    (void)state;
    for (size_t i = 0; i < COUNT_OF(rows) * COUNT_OF(layouts); i++) {
        const struct row *row = &rows[i / COUNT_OF(layouts)];
        const struct layout *layout = &layouts[i % COUNT_OF(layouts)];
        static const char bytes[4];
        const struct elf_section text = {
            ".text", row->split_off ? S_NOBITS : S_PROGBITS, CODE, 0x1000, bytes, sizeof bytes, 0, 0, 1};
        struct elf_segment segments[COUNT_OF(row->loads)];
        size_t count = 0;
        struct file file;
        struct opened opened;
        struct fm_heap heap;
        struct fm_buf out;
        /* the offset does not fit into a 32-bit file */
        if (!layout->is64 && row->loads[0].offset > UINT32_MAX) continue;
        for (; count < COUNT_OF(row->loads) && row->loads[count].align > 0; count++) {
            const struct load *load = &row->loads[count];
            segments[count] = (struct elf_segment){
                1, load->rights, load->offset, load->address, load->file_size, load->memory_size, load->align};
        }
        const struct elf_spec spec = {.is64 = layout->is64,
                                      .big = layout->big,
                                      .type = row->type,
                                      .machine = M_PPC64,
                                      .sections = &text,
                                      .section_count = 1,
                                      .segments = segments,
                                      .segment_count = count};
        elf_build(&file, &spec);
        open_file(&opened, file_view(&file), NULL);
        if (opened.status != FRAMEMAP_OK) fail_msg("%s, %s: %s", row->why, layout->name, opened.error.message);
        fm_heap_init(&heap, NULL, 0);
        fm_buf_init(&out, &heap);
        fm_image_code_offsets(&opened.image, &out);
        if (!fm_str_equal(fm_buf_view(&out), framemap_str_of(row->wanted)))
            fail_msg("%s, %s: %.*s", row->why, layout->name, (int)out.size, out.size ? out.data : "");
        fm_buf_free(&out);
        close_file(&opened);
    }
}

/* A file may claim many segments; the list ends after 64. */
static void many_segments(void **state)
{
    (void)state;
    enum { MANY = 200, LISTED = 64 };
    static struct elf_segment segments[MANY];
    struct file file;
    struct opened opened;
    struct fm_heap heap;
    struct fm_buf out;
    size_t parts = 0;
    for (size_t i = 0; i < MANY; i++)
        segments[i] = (struct elf_segment){1, R | X, 16 * i, 0x1000 + 16 * i, 16, 16, 0x10};
    const struct elf_spec spec = {.is64 = true,
                                  .type = E_DYN,
                                  .machine = M_X86_64,
                                  .segments = segments,
                                  .segment_count = MANY,
                                  .no_section_table = true};
    elf_build(&file, &spec);
    open_file(&opened, file_view(&file), NULL);
    if (opened.status != FRAMEMAP_OK) fail_msg("%s", opened.error.message);
    fm_heap_init(&heap, NULL, 0);
    fm_buf_init(&out, &heap);
    opened.image.base = 0;
    fm_image_code_offsets(&opened.image, &out);
    for (size_t i = 0; i < out.size; i++) parts += out.data[i] == '=';
    assert_int_equal(parts, LISTED);
    fm_buf_free(&out);
    close_file(&opened);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(where_code_is), cmocka_unit_test(many_segments)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
