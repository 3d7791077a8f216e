#include "fuzz/support/dwarf_maker.h"

#include "mappers/native/dwarf/dw_constants.h"

static void add_spec(struct maker *m, const struct unit *unit, struct abbrev *abbrev, uint16_t attribute)
{
    if (abbrev->count == SPECS_MOST) return;
    /* An attribute must not occur twice in an entry, because the standard does not define what that means. */
    for (unsigned i = 0; i < abbrev->count; i++) {
        if (abbrev->specs[i].attribute == attribute) return;
    }
    struct spec *spec = &abbrev->specs[abbrev->count++];
    *spec = (struct spec){attribute, dwarf_form_for(m, unit, attribute), 0};
    if (spec->form == DW_FORM_implicit_const) spec->implicit = (int64_t)dwarf_number_for(m, unit, attribute);
}

static void add_place(struct maker *m, const struct unit *unit, struct abbrev *abbrev)
{
    unsigned how = pick(m, 8);
    if (how == 0) return;
    if (how < 6) {
        add_spec(m, unit, abbrev, DW_AT_low_pc);
        add_spec(m, unit, abbrev, DW_AT_high_pc);
    }
    if ((how >= 6 && unit->version >= 3) || break_it(m)) add_spec(m, unit, abbrev, DW_AT_ranges);
    if (break_it(m)) add_spec(m, unit, abbrev, DW_AT_high_pc);
}

static void add_some(struct maker *m, const struct unit *unit, struct abbrev *abbrev, const uint16_t *attributes)
{
    for (; *attributes != 0; attributes++) {
        if (chance(m, 2)) add_spec(m, unit, abbrev, *attributes);
    }
}

/* Rotates the attributes of an abbreviation, because readers must not depend on their order. */
static void turn(struct maker *m, struct abbrev *abbrev)
{
    struct abbrev old = *abbrev;
    unsigned by = abbrev->count > 1 ? pick(m, abbrev->count) : 0;
    for (unsigned i = 0; i < abbrev->count; i++) abbrev->specs[i] = old.specs[(i + by) % abbrev->count];
}

static void fill_abbrev(struct maker *m, const struct unit *unit, struct abbrev *abbrev)
{
    static const uint16_t of_subprogram[] = {
        DW_AT_name, DW_AT_linkage_name, DW_AT_decl_file, DW_AT_decl_line, 0x3f, 0x40, 0x49, 0};
    static const uint16_t of_inlined[] = {DW_AT_abstract_origin, DW_AT_call_file, DW_AT_call_line, DW_AT_call_column,
                                          0};
    static const uint16_t of_rare[] = {
        DW_AT_abstract_origin, DW_AT_specification, DW_AT_artificial, 0x3c, 0x20, DW_AT_MIPS_linkage_name, 0x52, 0};
    static const uint16_t of_others[] = {DW_AT_name, 0x49, DW_AT_decl_file, DW_AT_decl_line, 0x0b, 0x02, 0x38, 0};
    const bool function = abbrev->tag == DW_TAG_subprogram || abbrev->tag == DW_TAG_inlined_subroutine;

    if (chance(m, 3)) add_spec(m, unit, abbrev, DW_AT_sibling);
    add_some(m, unit, abbrev, abbrev->tag == DW_TAG_subprogram ? of_subprogram : function ? of_inlined : of_others);
    if (function && chance(m, 3)) add_some(m, unit, abbrev, of_rare);
    if (function || abbrev->tag == 0x0b || break_it(m)) add_place(m, unit, abbrev);
    if (break_it(m)) add_spec(m, unit, abbrev, (uint16_t)any_number(m));
    turn(m, abbrev);
}

static void fill_root(struct maker *m, const struct unit *unit, struct abbrev *abbrev)
{
    static const uint16_t plain[] = {DW_AT_name, DW_AT_comp_dir, DW_AT_producer, DW_AT_language, 0};
    const bool bases = unit->version >= 5;

    add_some(m, unit, abbrev, plain);
    if (!chance(m, 5)) add_spec(m, unit, abbrev, DW_AT_stmt_list);
    add_place(m, unit, abbrev);
    if (!break_it(m) && bases) {
        add_spec(m, unit, abbrev, DW_AT_str_offsets_base);
        add_spec(m, unit, abbrev, DW_AT_addr_base);
        add_spec(m, unit, abbrev, DW_AT_rnglists_base);
    }
    if (unit->version == 4) add_spec(m, unit, abbrev, DW_AT_GNU_addr_base);
    if (unit->type == DW_UT_skeleton || break_it(m))
        add_spec(m, unit, abbrev, unit->version >= 5 ? DW_AT_dwo_name : DW_AT_GNU_dwo_name);
    turn(m, abbrev);
}

/* Returns the number of an abbreviation for an entry: an existing one with this tag, or a new one. If the table is
 * full, returns any of its abbreviations. */
static unsigned abbrev_for(struct maker *m, const struct unit *unit, uint16_t tag, bool children, bool root)
{
    struct table *table = &m->tables[unit->table];

    if (!root && chance(m, 2)) {
        for (unsigned i = 0; i < table->count; i++) {
            if (table->abbrevs[i].tag == tag && table->abbrevs[i].children == children) return i;
        }
    }
    if (table->count == ABBREVS_MOST) return pick(m, table->count);
    struct abbrev *abbrev = &table->abbrevs[table->count];
    *abbrev = (struct abbrev){.tag = tag, .children = children};
    if (root)
        fill_root(m, unit, abbrev);
    else
        fill_abbrev(m, unit, abbrev);
    return table->count++;
}

/* Where the value of a DW_AT_sibling is. It is written later, when the offset of the sibling is known. */
struct sibling {
    size_t at;
    unsigned width;
    bool whole;
};

static struct sibling put_values(struct maker *m, const struct unit *unit, const struct abbrev *abbrev)
{
    struct made_section *to = section(m, DWARF_INFO);
    struct sibling sibling = {0, 0, false};

    for (unsigned i = 0; i < abbrev->count; i++) {
        const struct spec *spec = &abbrev->specs[i];
        size_t at = to->size;
        dwarf_put_value(m, unit, spec);
        if (spec->attribute != DW_AT_sibling || spec->form == DW_FORM_indirect) continue;
        bool fixed = spec->form == DW_FORM_ref2 || spec->form == DW_FORM_ref4 || spec->form == DW_FORM_ref8 ||
                     spec->form == DW_FORM_ref_addr;
        if (fixed) sibling = (struct sibling){at, (unsigned)(to->size - at), spec->form == DW_FORM_ref_addr};
    }
    return sibling;
}

static void settle_sibling(struct maker *m, const struct unit *unit, struct sibling sibling)
{
    struct made_section *to = section(m, DWARF_INFO);

    /* the entry has no sibling attribute, or its value is to be left invalid */
    if (sibling.width == 0 || break_it(m)) return;
    set_number(m, to, sibling.at, sibling.whole ? to->size : to->size - unit->offset, sibling.width);
    if (break_it(m)) set_number(m, to, sibling.at, to->size - unit->offset + pick(m, 40) - 20, sibling.width);
}

static void make_children(struct maker *m, const struct unit *unit, const struct abbrev *above);

static void make_entry(struct maker *m, const struct unit *unit, uint16_t tag, bool root)
{
    struct made_section *to = section(m, DWARF_INFO);
    bool children = root || (m->depth < DEPTH_MOST &&
                             (tag == DW_TAG_subprogram || tag == DW_TAG_inlined_subroutine || tag == 0x0b || tag == 0x39
                                  ? !chance(m, 3)
                                  : chance(m, 4)));
    unsigned number = abbrev_for(m, unit, tag, children, root);
    const struct abbrev *abbrev = &m->tables[unit->table].abbrevs[number];

    if (m->entry_count < ENTRIES_MOST) m->entries[m->entry_count++] = (struct entry){to->size, m->unit_count - 1, tag};
    put_uleb(m, to, break_it(m) ? pick(m, 300) : number + 1);
    struct sibling sibling = put_values(m, unit, abbrev);
    if (!abbrev->children) return;
    m->depth++;
    make_children(m, unit, abbrev);
    m->depth--;
    if (!break_it(m)) put_byte(to, 0);
    settle_sibling(m, unit, sibling);
}

/* Whether functions and inlined code may be below an entry. A declaration or an abstract instance has no code, so they
 * must not be below it. */
static bool may_hold_code(const struct abbrev *abbrev)
{
    for (unsigned i = 0; i < abbrev->count; i++) {
        if (abbrev->specs[i].attribute == 0x20 || abbrev->specs[i].attribute == 0x3c) return false;
    }
    switch (abbrev->tag) {
    case DW_TAG_compile_unit:
    case DW_TAG_partial_unit:
    case DW_TAG_skeleton_unit:
    case DW_TAG_type_unit:
    case DW_TAG_subprogram:
    case DW_TAG_inlined_subroutine:
    case 0x0b:
    case 0x39: return true;
    default: return false;
    }
}

static uint16_t child_tag(struct maker *m, const struct abbrev *above)
{
    if (m->wild == 0 && !may_hold_code(above)) return PICK(m, 0x05, 0x34, 0x24, 0x0d, 0x18, 0x28);
    if (above->tag == DW_TAG_subprogram || above->tag == DW_TAG_inlined_subroutine || above->tag == 0x0b) {
        return PICK(m, DW_TAG_inlined_subroutine, DW_TAG_inlined_subroutine, DW_TAG_inlined_subroutine, 0x0b, 0x0b,
                    0x34, 0x05, 0x48, 0x0a, DW_TAG_subprogram);
    }
    /* an inlined subroutine is invalid outside of a function, so it is made only if the output may be invalid */
    return PICK(m, DW_TAG_subprogram, DW_TAG_subprogram, DW_TAG_subprogram, 0x39, 0x13, 0x02, 0x34, 0x24, 0x0f,
                m->wild == 0 ? 0x16 : DW_TAG_inlined_subroutine);
}

static void make_children(struct maker *m, const struct unit *unit, const struct abbrev *above)
{
    /* the table of entries grows while children are made; growing does not move its elements */
    for (unsigned left = pick(m, m->depth < 4 ? 8 : 3); left > 0 && m->entry_count < ENTRIES_MOST; left--)
        make_entry(m, unit, child_tag(m, above), false);
}

void dwarf_make_entries(struct maker *m, const struct unit *unit, uint16_t tag) { make_entry(m, unit, tag, true); }
