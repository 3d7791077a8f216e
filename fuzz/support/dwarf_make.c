#include "fuzz/support/dwarf_make.h"

#include "fuzz/support/dwarf_maker.h"
#include "mappers/native/dwarf/dw_constants.h"

#include <stdio.h>
#include <stdlib.h>

/* --- making strings --- */

static void make_strings(struct maker *m, unsigned which, uint64_t offsets[STRINGS])
{
    static const char *const stems[] = {"f",   "main", "_ZN1a1bEv", "a b",   "",         "/src/x.c",
                                        "inc", "x.h",  "/abs",      "C:\\w", "\xc3\xa9", "../up"};
    struct made_section *to = section(m, which);
    char text[64];

    for (unsigned i = 0; i < STRINGS; i++) {
        offsets[i] = to->size;
        snprintf(text, sizeof text, "%s%s", stems[pick(m, 12)],
                 i % 3 == 0   ? ""
                 : i % 3 == 1 ? "2"
                              : "_long_enough_to_be_told_from_others");
        put_text(to, text);
    }
    if (break_it(m)) put_byte(to, 'x');
}

/* --- making units --- */

/* Returns the abbreviation table for a unit: the table of an earlier unit, or a new table. */
static unsigned choose_table(struct maker *m, const struct unit *unit)
{
    const bool any = break_it(m);

    for (unsigned i = 0; i < m->table_count; i++) {
        const struct table *table = &m->tables[i];
        if ((any || (table->version == unit->version && table->offset_size == unit->offset_size)) && chance(m, 2))
            return i;
    }
    m->tables[m->table_count].version = unit->version;
    m->tables[m->table_count].offset_size = unit->offset_size;
    return m->table_count++;
}

static void choose_unit(struct maker *m, struct unit *unit)
{
    unit->version = (uint16_t)PICK(m, 5, 4, 5, 4, 3, 2);
    unit->offset_size = (uint8_t)(unit->version >= 3 && chance(m, 4) ? 8 : 4);
    unit->address_size = m->out->is64 ? 8 : 4;
    if (break_it(m)) unit->address_size = (uint8_t)PICK(m, 4, 8, 2);
    unit->type = (uint8_t)PICK(m, DW_UT_compile, DW_UT_compile, DW_UT_compile, DW_UT_compile, DW_UT_partial,
                               DW_UT_skeleton, DW_UT_type);
    if (unit->version < 5 && unit->type == DW_UT_type)
        /* type units are only made in version 5: before, they were in a section of their own */
        unit->type = DW_UT_compile;
    unit->table = choose_table(m, unit);
}

static void make_unit_header(struct maker *m, struct unit *unit)
{
    struct made_section *to = section(m, DWARF_INFO);

    put(m, to, good_or_not(m, unit->version), 2);
    if (unit->version >= 5) {
        put_byte(to, (unsigned)good_or_not(m, unit->type));
        put_byte(to, unit->address_size);
    }
    unit->abbrev_at = to->size;
    put(m, to, 0, unit->offset_size);
    if (unit->version < 5) put_byte(to, unit->address_size);
    if (unit->version >= 5 && unit->type != DW_UT_compile && unit->type != DW_UT_partial) put(m, to, any_number(m), 8);
    if (unit->version >= 5 && unit->type == DW_UT_type) put(m, to, 30, unit->offset_size);
}

static void make_unit(struct maker *m)
{
    struct made_section *to = section(m, DWARF_INFO);
    struct unit *unit = &m->units[m->unit_count++];

    choose_unit(m, unit);
    unit->offset = to->size;
    m->unit_first = m->entry_count;
    dwarf_make_addresses(m, unit);
    dwarf_make_string_offsets(m, unit);
    dwarf_make_range_lists(m, unit);
    dwarf_make_line_program(m, unit);
    if (chance(m, 3)) dwarf_make_address_set(m, unit);
    size_t at = begin_length(m, to, unit->offset_size);
    make_unit_header(m, unit);
    const uint16_t tags[] = {0, DW_TAG_compile_unit, DW_TAG_type_unit, DW_TAG_partial_unit,
                             (uint16_t)(unit->version >= 5 ? DW_TAG_skeleton_unit : DW_TAG_compile_unit)};
    dwarf_make_entries(m, unit, tags[unit->type]);
    if (chance(m, 8))
        for (unsigned i = pick(m, 6); i > 0; i--) put_byte(to, 0);
    end_length(m, to, at, unit->offset_size);
}

/* --- making all sections --- */

static void write_table(struct maker *m, struct table *table)
{
    struct made_section *to = section(m, DWARF_ABBREV);

    table->offset = to->size;
    for (unsigned i = 0; i < table->count; i++) {
        const struct abbrev *abbrev = &table->abbrevs[i];
        put_uleb(m, to, break_it(m) ? pick(m, 400) : i + 1);
        put_uleb(m, to, good_or_not(m, abbrev->tag));
        put_byte(to, abbrev->children);
        for (unsigned j = 0; j < abbrev->count; j++) {
            put_uleb(m, to, abbrev->specs[j].attribute);
            put_uleb(m, to, abbrev->specs[j].form);
            if (abbrev->specs[j].form == DW_FORM_implicit_const) put_sleb(to, abbrev->specs[j].implicit);
        }
        put_byte(to, 0);
        put_byte(to, 0);
    }
    if (!break_it(m)) put_byte(to, 0);
}

static void settle(struct maker *m)
{
    struct made_section *to = section(m, DWARF_INFO);

    for (unsigned i = 0; i < m->table_count; i++) write_table(m, &m->tables[i]);
    for (unsigned i = 0; i < m->unit_count; i++) {
        const struct unit *unit = &m->units[i];
        set_number(m, to, (size_t)unit->abbrev_at, good_or_not(m, m->tables[unit->table].offset), unit->offset_size);
    }
    for (unsigned i = 0; i < m->fix_count; i++) {
        const struct fix *fix = &m->fixes[i];
        const struct entry *entry = &m->entries[pick(m, m->entry_count)];
        if (fix->from_unit && entry->unit != fix->unit) continue;
        set_number(m, to, fix->at, fix->from_unit ? entry->offset - m->units[fix->unit].offset : entry->offset,
                   fix->width);
    }
}

static void damage(struct maker *m)
{
    m->out->broken = true;
    for (unsigned left = 1 + pick(m, 6); left > 0; left--) {
        struct made_section *to = section(m, chance(m, 2) ? DWARF_INFO : pick(m, DWARF_SECTIONS));
        if (to->size == 0) continue;
        size_t at = pick(m, 256);
        at = (at | (size_t)pick(m, 256) << 8) % to->size;
        if (chance(m, 12))
            to->size = at;
        else
            to->data[at] = (unsigned char)(chance(m, 2) ? choice(m) : to->data[at] ^ 1u << pick(m, 8));
    }
}

void dwarf_make(const uint8_t *choices, size_t size, struct made_dwarf *out)
{
    struct maker *m = calloc(1, sizeof *m);
    const uint8_t flags = size > 0 ? choices[0] : 0;

    if (m == NULL) abort();
    *out = (struct made_dwarf){.is64 = (flags & 2) == 0, .big_endian = (flags & 1) != 0};
    *m = (struct maker){.choices = choices,
                        .size = size,
                        .at = 1,
                        .random = 88172645463325252u,
                        .random_tail = (flags & 32) != 0,
                        .out = out};
    for (size_t i = 0; i < size; i++) m->random = (m->random ^ choices[i]) * 1099511628211u;
    m->wild = (flags & 4 ? 1 : 0) + (flags & 8 ? 4 : 0);
    out->broken = m->wild > 0;
    make_strings(m, DWARF_STR, m->strings);
    make_strings(m, DWARF_LINE_STR, m->line_strings);
    for (unsigned left = 1 + pick(m, UNITS_MOST); left > 0; left--) make_unit(m);
    settle(m);
    if (flags & 16) damage(m);
    free(m);
}

void dwarf_made_free(struct made_dwarf *made)
{
    for (unsigned i = 0; i < DWARF_SECTIONS; i++) free(made->sections[i].data);
    *made = (struct made_dwarf){.is64 = false};
}

bool dwarf_image_made(const struct made_dwarf *made, struct fm_arena *arena, struct dwarf_image *out)
{
    framemap_str contents[DWARF_SECTIONS];

    for (unsigned i = 0; i < DWARF_SECTIONS; i++) {
        contents[i] = (framemap_str){(const char *)made->sections[i].data, made->sections[i].size};
    }
    return dwarf_image_of(contents, made->is64, made->big_endian, arena, out);
}
