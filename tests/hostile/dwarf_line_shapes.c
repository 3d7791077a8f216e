#include "dwarf_shapes.h"

#include "dwarf_writer.h"
#include "mappers/native/dwarf/dw_constants.h"

/* --- writing line programs --- */

static void begin_program(struct made_dwarf *made, size_t *from, size_t *header)
{
    static const uint8_t fixed[] = {1, 1, 1, 0xfb, 14, 13, 0, 1, 1, 1, 1, 0, 0, 0, 1, 0, 0, 1};
    *from = made_begin_length(made, DWARF_LINE);
    made_put(made, DWARF_LINE, 4, 2);
    *header = made_begin_length(made, DWARF_LINE);
    for (size_t i = 0; i < sizeof fixed; i++) made_put(made, DWARF_LINE, fixed[i], 1);
}

/* Writes n files in a folder with the longest name allowed, each of them used. */
static void files_in_a_long_folder(struct made_dwarf *made, size_t n)
{
    size_t from, header;
    made_begin_shape(made);
    begin_program(made, &from, &header);
    made_fill(made, DWARF_LINE, 'd', 60000);
    made_put(made, DWARF_LINE, 0, 2);
    for (size_t i = 0; i < n; i++) {
        made_fill(made, DWARF_LINE, 'a' + (unsigned)(i % 26), 1);
        made_put(made, DWARF_LINE, 0x100, 2);
        made_put(made, DWARF_LINE, 0, 2);
    }
    made_put(made, DWARF_LINE, 0, 1);
    made_end_length(made, DWARF_LINE, header);
    made_put(made, DWARF_LINE, 0x020900, 3);
    made_put(made, DWARF_LINE, SECTION_BASE, 8);
    for (size_t i = 0; i < n; i++) {
        made_put(made, DWARF_LINE, DW_LNS_set_file, 1);
        made_put_uleb(made, DWARF_LINE, i + 1);
        made_put(made, DWARF_LINE, 13 + 14 + 6, 1);
    }
    made_put(made, DWARF_LINE, 0x010100, 3);
    made_end_length(made, DWARF_LINE, from);
    made_one_unit(made);
}

static void rows_of_one_address(struct made_dwarf *made, size_t n)
{
    size_t from, header;
    made_begin_shape(made);
    begin_program(made, &from, &header);
    made_put(made, DWARF_LINE, 0, 2);
    made_end_length(made, DWARF_LINE, header);
    made_put(made, DWARF_LINE, 0x020900, 3);
    made_put(made, DWARF_LINE, SECTION_BASE, 8);
    made_fill(made, DWARF_LINE, DW_LNS_copy, n);
    made_put(made, DWARF_LINE, 13 + 14 + 6, 1);
    made_put(made, DWARF_LINE, 0x010100, 3);
    made_end_length(made, DWARF_LINE, from);
    made_one_unit(made);
}

/* Writes sequences of one row each, in descending order of address. */
static void sequences_downwards(struct made_dwarf *made, size_t n)
{
    size_t from, header;
    made_begin_shape(made);
    begin_program(made, &from, &header);
    made_put(made, DWARF_LINE, 0, 2);
    made_end_length(made, DWARF_LINE, header);
    for (size_t i = 0; i < n; i++) {
        made_put(made, DWARF_LINE, 0x020900, 3);
        made_put(made, DWARF_LINE, SECTION_BASE + (n - i) % (DWARF_TEXT_SIZE - 8), 8);
        made_put(made, DWARF_LINE, DW_LNS_copy, 1);
        made_put(made, DWARF_LINE, 13 + 14 + 6, 1);
        made_put(made, DWARF_LINE, 0x010100, 3);
    }
    made_end_length(made, DWARF_LINE, from);
    made_one_unit(made);
}

static void sequences_over_each_other(struct made_dwarf *made, size_t n)
{
    size_t from, header;
    made_begin_shape(made);
    begin_program(made, &from, &header);
    made_put(made, DWARF_LINE, 0, 2);
    made_end_length(made, DWARF_LINE, header);
    for (size_t i = 0; i < n; i++) {
        made_put(made, DWARF_LINE, 0x020900, 3);
        made_put(made, DWARF_LINE, SECTION_BASE + i * 3 % (DWARF_TEXT_SIZE / 2), 8);
        made_put(made, DWARF_LINE, DW_LNS_copy, 1);
        made_put(made, DWARF_LINE, DW_LNS_advance_pc, 1);
        made_put_uleb(made, DWARF_LINE, DWARF_TEXT_SIZE / 2);
        made_put(made, DWARF_LINE, 0x010100, 3);
    }
    made_end_length(made, DWARF_LINE, from);
    made_one_unit(made);
}

/* --- writing tables of addresses --- */

static void address_sets(struct made_dwarf *made, size_t n)
{
    made_begin_shape(made);
    made_put_lines(made, 10);
    made_end_unit(made, made_begin_unit(made));
    for (size_t i = 0; i < n; i++) {
        size_t from = made_begin_length(made, DWARF_ARANGES);
        made_put(made, DWARF_ARANGES, 2, 2);
        made_put(made, DWARF_ARANGES, 0, 4);
        made_put(made, DWARF_ARANGES, 8, 2);
        made_put(made, DWARF_ARANGES, 0, 4);
        made_put(made, DWARF_ARANGES, SECTION_BASE + i % DWARF_TEXT_SIZE, 8);
        made_put(made, DWARF_ARANGES, 1 + i % 100, 8);
        made_end_length(made, DWARF_ARANGES, from);
    }
}

static const struct dwarf_shape shapes[] = {
    {"files in a long folder", "joins each path", files_in_a_long_folder, 500},
    {"rows of one address", "sorts them badly", rows_of_one_address, 100000},
    {"sequences downwards", "inserts each before all others", sequences_downwards, 10000},
    {"sequences over each other", "compares each with each", sequences_over_each_other, 4000},
    {"tables of addresses for one unit", "looks through all for each", address_sets, 10000},
};

const struct dwarf_shape *dwarf_shapes_of_lines(size_t *count)
{
    *count = sizeof shapes / sizeof *shapes;
    return shapes;
}
