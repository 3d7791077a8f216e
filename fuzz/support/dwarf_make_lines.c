#include "fuzz/support/dwarf_maker.h"

#include "mappers/native/dwarf/dw_constants.h"

struct line_unit {
    uint16_t version;
    uint8_t offset_size, address_size, opcode_base, max_ops;
    unsigned files;
};

static void make_tables_old(struct maker *m, struct line_unit *lines)
{
    struct made_section *to = section(m, DWARF_LINE);

    for (unsigned i = pick(m, 4); i > 0; i--) put_text(to, chance(m, 3) ? "/abs/dir" : "inc");
    put_byte(to, 0);
    for (lines->files = 0; lines->files < 1 + pick(m, 4); lines->files++) {
        put_text(to, chance(m, 4) ? "/abs/file.c" : lines->files == 0 ? "a.c" : "b.h");
        put_uleb(m, to, pick(m, 5));
        put_uleb(m, to, pick(m, 200));
        put_uleb(m, to, pick(m, 200));
    }
    put_byte(to, 0);
}

static void put_line_value(struct maker *m, const struct line_unit *lines, uint16_t form, uint64_t number)
{
    struct made_section *to = section(m, DWARF_LINE);

    switch (form) {
    case DW_FORM_string: put_text(to, chance(m, 2) ? "inline.c" : "/inline/abs"); break;
    case DW_FORM_strp: put(m, to, good_or_not(m, m->strings[pick(m, STRINGS)]), lines->offset_size); break;
    case DW_FORM_line_strp: put(m, to, good_or_not(m, m->line_strings[pick(m, STRINGS)]), lines->offset_size); break;
    case DW_FORM_strx: put_uleb(m, to, pick(m, INDEXED_STRINGS)); break;
    case DW_FORM_strx1: put_byte(to, pick(m, INDEXED_STRINGS)); break;
    case DW_FORM_udata: put_uleb(m, to, number); break;
    case DW_FORM_data1: put_byte(to, (unsigned)number); break;
    case DW_FORM_data2: put(m, to, number, 2); break;
    case DW_FORM_data4: put(m, to, number, 4); break;
    case DW_FORM_data8: put(m, to, number, 8); break;
    case DW_FORM_data16:
        for (unsigned i = 0; i < 16; i++) put_byte(to, choice(m));
        break;
    case DW_FORM_block:
        put_uleb(m, to, number % 8);
        for (unsigned i = 0; i < number % 8; i++) put_byte(to, i);
        break;
    default: break;
    }
}

/* Writes a table of folders or files in the form of version 5. Returns the number of its entries. */
static unsigned make_table_5(struct maker *m, const struct line_unit *lines)
{
    struct made_section *to = section(m, DWARF_LINE);
    struct spec formats[6];
    unsigned format_count = 0, count = 1 + pick(m, 4);

    formats[format_count++] =
        (struct spec){DW_LNCT_path, PICK(m, DW_FORM_line_strp, DW_FORM_line_strp, DW_FORM_string, DW_FORM_strp), 0};
    if (chance(m, 3))
        formats[format_count++] =
            (struct spec){3, PICK(m, DW_FORM_udata, DW_FORM_data4, DW_FORM_data8, DW_FORM_block), 0};
    if (!chance(m, 5))
        formats[format_count++] =
            (struct spec){DW_LNCT_directory_index, PICK(m, DW_FORM_udata, DW_FORM_data1, DW_FORM_data2), 0};
    if (chance(m, 3))
        formats[format_count++] =
            (struct spec){4, PICK(m, DW_FORM_udata, DW_FORM_data1, DW_FORM_data2, DW_FORM_data4, DW_FORM_data8), 0};
    if (chance(m, 3)) formats[format_count++] = (struct spec){5, DW_FORM_data16, 0};
    if (chance(m, 5)) formats[format_count++] = (struct spec){0x2001, PICK(m, DW_FORM_line_strp, DW_FORM_string), 0};
    if (break_it(m)) {
        struct spec *format = &formats[pick(m, format_count)];
        format->form = PICK(m, DW_FORM_strx, DW_FORM_strx1, DW_FORM_addr, DW_FORM_flag_present, 0x99, DW_FORM_indirect);
    }
    put_byte(to, format_count);
    for (unsigned i = 0; i < format_count; i++) {
        put_uleb(m, to, formats[i].attribute);
        put_uleb(m, to, formats[i].form);
    }
    put_uleb(m, to, good_or_not(m, count));
    for (unsigned i = 0; i < count; i++) {
        for (unsigned j = 0; j < format_count; j++)
            put_line_value(m, lines, formats[j].form, good_or_not(m, pick(m, 4)));
    }
    return count;
}

static void put_extended(struct maker *m, unsigned opcode, uint64_t operand, unsigned width)
{
    struct made_section *to = section(m, DWARF_LINE);

    put_byte(to, 0);
    put_uleb(m, to, good_or_not(m, width + 1));
    put_byte(to, opcode);
    put(m, to, operand, width);
}

static void put_new_file(struct maker *m)
{
    struct made_section *to = section(m, DWARF_LINE);

    put_byte(to, 0);
    put_uleb(m, to, 1 + 6 + 3);
    put_byte(to, DW_LNE_define_file);
    put_text(to, "new.c");
    for (int i = 0; i < 3; i++) put_byte(to, pick(m, 4));
}

static void put_standard(struct maker *m, const struct line_unit *lines, unsigned opcode)
{
    struct made_section *to = section(m, DWARF_LINE);

    put_byte(to, opcode);
    switch (opcode) {
    case DW_LNS_advance_pc: put_uleb(m, to, good_or_not(m, pick(m, 40))); break;
    case DW_LNS_advance_line: put_sleb(to, break_it(m) ? (int64_t)any_number(m) : (int64_t)pick(m, 400) - 50); break;
    case DW_LNS_set_file: put_uleb(m, to, good_or_not(m, pick(m, lines->files + 2))); break;
    case DW_LNS_set_column: put_uleb(m, to, good_or_not(m, pick(m, 300))); break;
    case DW_LNS_fixed_advance_pc: put(m, to, pick(m, 300), 2); break;
    case DW_LNS_set_isa: put_uleb(m, to, pick(m, 4)); break;
    case 13:
        put_uleb(m, to, pick(m, 300)), put_uleb(m, to, pick(m, 300));
        break; /* the opcode is valid only if the header's opcode base is above 13 (see make_header) */
    default: break;
    }
}

static void make_instruction(struct maker *m, const struct line_unit *lines)
{
    switch (pick(m, 12)) {
    case 0:
    case 1:
    case 2: put_standard(m, lines, 1 + pick(m, lines->opcode_base - 1u)); break;
    case 3: {
        const uint16_t opcode = PICK(m, DW_LNE_set_discriminator, 0x80, 0x99);
        put_extended(m, opcode, pick(m, 20), 1);
        break;
    }
    case 4: put_extended(m, DW_LNE_set_address, any_address(m, lines->address_size), lines->address_size); break;
    case 5:
        if (lines->version < 5) put_new_file(m);
        break;
    case 6: put_extended(m, DW_LNE_end_sequence, 0, 0); break;
    default: put_byte(section(m, DWARF_LINE), lines->opcode_base + pick(m, 256u - lines->opcode_base)); break;
    }
}

/* Writes the header of a line program, from the version to the end of its tables. */
static void make_header(struct maker *m, struct line_unit *lines)
{
    static const uint8_t operands[13] = {0, 1, 1, 1, 1, 0, 0, 0, 1, 0, 0, 1, 2};
    struct made_section *to = section(m, DWARF_LINE);

    put(m, to, good_or_not(m, lines->version), 2);
    if (lines->version >= 5) {
        put_byte(to, (unsigned)good_or_not(m, lines->address_size));
        put_byte(to, 0);
    }
    size_t length_at = to->size;
    put(m, to, 0, lines->offset_size);
    put_byte(to, PICK(m, 1, 1, 1, 2, 4));
    if (lines->version >= 4) put_byte(to, lines->max_ops);
    put_byte(to, pick(m, 2));
    put_byte(to, (unsigned)(uint8_t)(-(int)pick(m, 10)));
    put_byte(to, (unsigned)good_or_not(m, 1 + pick(m, 20)));
    put_byte(to, (unsigned)good_or_not(m, lines->opcode_base));
    for (unsigned i = 0; i + 1 < lines->opcode_base; i++) put_byte(to, (unsigned)good_or_not(m, operands[i]));
    if (lines->version >= 5) {
        make_table_5(m, lines);
        lines->files = make_table_5(m, lines);
    } else {
        make_tables_old(m, lines);
    }
    /* This byte follows the known fields of the header. Readers must skip it, by the length that the header states. */
    if (chance(m, 10)) put_byte(to, 0x55);
    set_number(m, to, length_at, good_or_not(m, to->size - length_at - lines->offset_size), lines->offset_size);
}

void dwarf_make_line_program(struct maker *m, const struct unit *unit)
{
    struct made_section *to = section(m, DWARF_LINE);
    struct line_unit lines = {
        .version = unit->version, .offset_size = unit->offset_size, .address_size = unit->address_size};

    if (chance(m, 6)) lines.version = (uint16_t)(2 + pick(m, 4));
    if (chance(m, 8)) lines.offset_size = (uint8_t)PICK(m, 4, 8);
    lines.opcode_base = (uint8_t)PICK(m, 13, 13, 13, 10, 14, 4);
    lines.max_ops = (uint8_t)PICK(m, 1, 1, 1, 1, 4);
    size_t at = begin_length(m, to, lines.offset_size);
    m->line_programs[m->line_count++] = at;
    make_header(m, &lines);
    put_extended(m, DW_LNE_set_address, any_address(m, lines.address_size), lines.address_size);
    for (unsigned left = pick(m, ROWS_MOST); left > 0; left--) make_instruction(m, &lines);
    if (!break_it(m)) put_extended(m, DW_LNE_end_sequence, 0, 0);
    end_length(m, to, at, lines.offset_size);
}
