#include "dwarf_shapes.h"

#include "dwarf_writer.h"
#include "mappers/native/dwarf/dw_constants.h"

/* --- writing one long object to which many others refer --- */

static void one_list(struct made_dwarf *made, size_t n)
{
    made_begin_shape(made);
    made_put_lines(made, 10);
    uint64_t list = made_put_list(made, n);
    size_t unit = made_begin_unit(made);
    uint64_t origin = made_put_abstract(made, 0);
    made_put_function(made, FUNCTION, 0, 0, DWARF_TEXT_SIZE);
    for (size_t i = 0; i < n; i++) made_put_scattered(made, origin, list);
    made_put(made, DWARF_INFO, 0, 1);
    made_end_unit(made, unit);
}

/* Writes one DWARF 5 range list that many functions share; each range takes three bytes. */
static void one_short_list(struct made_dwarf *made, size_t n)
{
    made_begin_shape(made);
    made_put_lines(made, 10);
    for (size_t i = 0; i < 4 * n; i++) made_put(made, DWARF_RNGLISTS, DW_RLE_offset_pair | 1 << 8 | 2 << 16, 3);
    made_put(made, DWARF_RNGLISTS, DW_RLE_end_of_list, 1);
    size_t unit = made_begin_length(made, DWARF_INFO);
    made_put(made, DWARF_INFO, 5, 2);
    made_put(made, DWARF_INFO, DW_UT_compile | 8 << 8, 2);
    made_put(made, DWARF_INFO, 0, 4);
    made_put(made, DWARF_INFO, UNIT, 1);
    made_put(made, DWARF_INFO, SECTION_BASE, 8);
    made_put(made, DWARF_INFO, DWARF_TEXT_SIZE, 4);
    made_put(made, DWARF_INFO, 0, 4);
    uint64_t origin = made_put_abstract(made, 0);
    made_put_function(made, FUNCTION, 0, 0, DWARF_TEXT_SIZE);
    for (size_t i = 0; i < n; i++) made_put_scattered(made, origin, 0);
    made_put(made, DWARF_INFO, 0, 1);
    made_end_unit(made, unit);
}

static void units_of_one_list(struct made_dwarf *made, size_t n)
{
    made_begin_shape(made);
    made_put_lines(made, 10);
    uint64_t list = made_put_list(made, n);
    for (size_t i = 0; i < n; i++) {
        size_t unit = made_begin_unit_of(made, 0);
        made_put(made, DWARF_INFO, UNIT_RANGES, 1);
        made_put(made, DWARF_INFO, list, 4);
        made_put(made, DWARF_INFO, 0, 4);
        made_end_unit(made, unit);
    }
}

static void units_of_one_program(struct made_dwarf *made, size_t n)
{
    made_begin_shape(made);
    made_put_lines(made, n);
    for (size_t i = 0; i < n; i++) made_end_unit(made, made_begin_unit(made));
}

static void weak_units_of_one_program(struct made_dwarf *made, size_t n)
{
    made_begin_shape(made);
    made_put_lines(made, n);
    for (size_t i = 0; i < n; i++) {
        size_t unit = made_begin_unit_of(made, 0);
        made_put(made, DWARF_INFO, UNIT_WEAK, 1);
        made_put(made, DWARF_INFO, 0, 4);
        made_end_unit(made, unit);
    }
}

/* Writes abbreviation tables that overlap: all are parts of one long list of abbreviations, and the table of each unit
 * starts one abbreviation later in the list. */
static void tables_in_each_other(struct made_dwarf *made, size_t n)
{
    *made = (struct made_dwarf){.is64 = true};
    made_put_text(made, DWARF_STR, "f");
    for (size_t i = 0; i < n; i++) {
        made_put_uleb(made, DWARF_ABBREV, 1);
        made_put(made, DWARF_ABBREV, DW_TAG_compile_unit, 1);
        made_put(made, DWARF_ABBREV, 0, 3);
    }
    made_put(made, DWARF_ABBREV, 0, 1);
    for (size_t i = 0; i < n; i++) {
        size_t unit = made_begin_unit_of(made, 5 * i);
        made_put(made, DWARF_INFO, 1, 1);
        made_end_length(made, DWARF_INFO, unit);
    }
}

static void units_of_one_table(struct made_dwarf *made, size_t n)
{
    made_begin_shape(made);
    made->sections[DWARF_ABBREV].size--;
    for (size_t i = 0; i < n; i++) {
        made_put_uleb(made, DWARF_ABBREV, CODES + i);
        made_put(made, DWARF_ABBREV, 0x34, 1);
        made_put(made, DWARF_ABBREV, 0, 3);
    }
    made_put(made, DWARF_ABBREV, 0, 1);
    made_put_lines(made, 10);
    for (size_t i = 0; i < n; i++) made_end_unit(made, made_begin_unit(made));
}

/* Writes an abbreviation with n attributes that take no bytes, and n entries of one byte that use it. */
static void wide_of(struct made_dwarf *made, size_t n, uint16_t tag, uint16_t attribute)
{
    made_begin_shape(made);
    made->sections[DWARF_ABBREV].size--;
    made_put_uleb(made, DWARF_ABBREV, CODES);
    made_put_uleb(made, DWARF_ABBREV, tag);
    made_put(made, DWARF_ABBREV, 0, 1);
    for (size_t i = 0; i < n; i++) {
        made_put(made, DWARF_ABBREV, attribute, 1);
        made_put(made, DWARF_ABBREV, DW_FORM_flag_present, 1);
    }
    made_put(made, DWARF_ABBREV, 0, 3);
    made_put_lines(made, 10);
    size_t unit = made_begin_unit(made);
    made_put_function(made, LEAF, 0, 0, DWARF_TEXT_SIZE);
    made_fill(made, DWARF_INFO, CODES, n);
    made_end_unit(made, unit);
}
static void wide_abbreviation(struct made_dwarf *made, size_t n) { wide_of(made, n, 0x34, 0x3f); }
static void wide_function(struct made_dwarf *made, size_t n) { wide_of(made, n, DW_TAG_subprogram, DW_AT_low_pc); }

static void one_long_name(struct made_dwarf *made, size_t n)
{
    made_begin_shape(made);
    made_fill(made, DWARF_STR, 'x', 16 * n);
    made_put(made, DWARF_STR, 0, 1);
    made_put_lines(made, 10);
    size_t unit = made_begin_unit(made);
    for (size_t i = 0; i < n; i++) made_put_function(made, LEAF, 2, 8 * i % DWARF_TEXT_SIZE, 8);
    made_end_unit(made, unit);
}

/* Writes names that are all suffixes of one long name, and therefore all different. */
static void names_in_each_other(struct made_dwarf *made, size_t n)
{
    made_begin_shape(made);
    made_fill(made, DWARF_STR, 'x', n);
    made_put(made, DWARF_STR, 0, 1);
    made_put_lines(made, 10);
    size_t unit = made_begin_unit(made);
    for (size_t i = 0; i < n; i++) made_put_function(made, LEAF, 2 + i, i % DWARF_TEXT_SIZE, 1);
    made_end_unit(made, unit);
}

/* --- writing references between entries --- */

static void origins_in_a_chain(struct made_dwarf *made, size_t n)
{
    made_begin_shape(made);
    made_put_lines(made, 10);
    size_t unit = made_begin_unit(made);
    uint64_t last = made_put_abstract(made, 0);
    for (size_t i = 0; i < n; i++) {
        uint64_t at = made_size_of(made, DWARF_INFO);
        made_put(made, DWARF_INFO, LINK, 1);
        made_put(made, DWARF_INFO, last, 4);
        last = at;
    }
    made_put_function(made, FUNCTION, 0, 0, DWARF_TEXT_SIZE);
    for (size_t i = 0; i < n; i++) made_put_inlined(made, INLINED, last - 5 * i, i % DWARF_TEXT_SIZE, 1, (uint64_t)i);
    made_put(made, DWARF_INFO, 0, 1);
    made_end_unit(made, unit);
}

/* Writes units whose functions refer to each other in a cycle. */
static void origins_in_a_ring(struct made_dwarf *made, size_t n)
{
    made_begin_shape(made);
    made_put_lines(made, 10);
    uint64_t first = 0, last = 0;
    for (size_t i = 0; i < n; i++) {
        size_t unit = made_begin_unit(made);
        uint64_t at = made_size_of(made, DWARF_INFO);
        made_put(made, DWARF_INFO, LINK, 1);
        made_put(made, DWARF_INFO, last, 4);
        made_put_function(made, FUNCTION, 0, i * 16 % DWARF_TEXT_SIZE, 16);
        made_put_inlined(made, INLINED, at, i * 16 % DWARF_TEXT_SIZE, 8, (uint64_t)i);
        made_put(made, DWARF_INFO, 0, 1);
        made_end_unit(made, unit);
        if (first == 0) first = at;
        last = at;
    }
    made_set4(made, DWARF_INFO, (size_t)first + 1, last);
}

/* Writes inlined functions that each have their origin in another unit. */
static void origins_everywhere(struct made_dwarf *made, size_t n)
{
    made_begin_shape(made);
    made_put_lines(made, 10);
    uint64_t first = 0, step = 0;
    for (size_t i = 0; i < n; i++) {
        size_t unit = made_begin_unit(made);
        uint64_t at = made_put_abstract(made, 0);
        made_end_unit(made, unit);
        if (i == 0) first = at;
        if (i == 1) step = at - first;
    }
    size_t unit = made_begin_unit(made);
    made_put_function(made, FUNCTION, 0, 0, DWARF_TEXT_SIZE);
    for (size_t i = 0; i < n; i++)
        made_put_inlined(made, INLINED, first + step * (i * 7919 % n), i % DWARF_TEXT_SIZE, 1, (uint64_t)i);
    made_put(made, DWARF_INFO, 0, 1);
    made_end_unit(made, unit);
}

static void origins_inside_entries(struct made_dwarf *made, size_t n)
{
    made_begin_shape(made);
    made_put_lines(made, 10);
    size_t unit = made_begin_unit(made);
    uint64_t first = made_size_of(made, DWARF_INFO);
    made_put_function(made, FUNCTION, 0, 0, DWARF_TEXT_SIZE);
    for (size_t i = 0; i < n; i++) made_put_inlined(made, INLINED, first + i, i % DWARF_TEXT_SIZE, 1, (uint64_t)i);
    made_put(made, DWARF_INFO, 0, 1);
    made_end_unit(made, unit);
}

/* --- writing nested entries and siblings --- */

static void inlined_in_each_other(struct made_dwarf *made, size_t n)
{
    made_begin_shape(made);
    made_put_lines(made, 8000);
    size_t unit = made_begin_unit(made);
    uint64_t origin = made_put_abstract(made, 0);
    for (size_t done = 0; done < n; done += 1000) {
        made_put_function(made, FUNCTION, 0, done * 4 % DWARF_TEXT_SIZE, 4000);
        for (size_t i = 0; i < 1000; i++)
            made_put_inlined(made, INLINED_DEEP, origin, done * 4 % DWARF_TEXT_SIZE + i, 4000 - i, (uint64_t)i);
        made_fill(made, DWARF_INFO, 0, 1001);
    }
    made_end_unit(made, unit);
}

static void nested_too_deep(struct made_dwarf *made, size_t n)
{
    made_begin_shape(made);
    made_put_lines(made, 10);
    size_t unit = made_begin_unit(made);
    made_put_function(made, LEAF, 0, 0, 16);
    made_fill(made, DWARF_INFO, INNER, n);
    made_fill(made, DWARF_INFO, 0, n);
    made_end_unit(made, unit);
}

/* Writes many blocks nested up to the limit, each time with a function in the innermost block. */
static void nested_deep(struct made_dwarf *made, size_t n)
{
    made_begin_shape(made);
    made_put_lines(made, 10);
    size_t unit = made_begin_unit(made);
    for (size_t done = 0; done < n; done += 4000) {
        made_fill(made, DWARF_INFO, INNER, 4000);
        made_put_function(made, LEAF, 0, done % DWARF_TEXT_SIZE, 16);
        made_fill(made, DWARF_INFO, 0, 4000);
    }
    made_end_unit(made, unit);
}

static void overlapping(struct made_dwarf *made, size_t n)
{
    made_begin_shape(made);
    made_put_lines(made, 8000);
    size_t unit = made_begin_unit(made);
    uint64_t origin = made_put_abstract(made, 0);
    made_put_function(made, FUNCTION, 0, 0, DWARF_TEXT_SIZE);
    for (size_t i = 0; i < n; i++)
        made_put_inlined(made, INLINED, origin, i % (DWARF_TEXT_SIZE / 2), DWARF_TEXT_SIZE / 2, (uint64_t)i);
    made_put(made, DWARF_INFO, 0, 1);
    made_end_unit(made, unit);
}

static void overlapping_functions(struct made_dwarf *made, size_t n)
{
    made_begin_shape(made);
    made_put_lines(made, 8000);
    size_t unit = made_begin_unit(made);
    for (size_t i = 0; i < n; i++) made_put_function(made, LEAF, 0, i * 5 % (DWARF_TEXT_SIZE / 2), DWARF_TEXT_SIZE / 2);
    made_end_unit(made, unit);
}

static void overlapping_units(struct made_dwarf *made, size_t n)
{
    made_begin_shape(made);
    made_put_lines(made, 10);
    for (size_t i = 0; i < n; i++) {
        size_t unit = made_begin_unit_of(made, 0);
        made_put(made, DWARF_INFO, UNIT, 1);
        made_put_code(made, i * 5 % (DWARF_TEXT_SIZE / 2), DWARF_TEXT_SIZE / 2);
        made_put(made, DWARF_INFO, 0, 4);
        made_put_function(made, LEAF, 0, i % DWARF_TEXT_SIZE, 16);
        made_end_unit(made, unit);
    }
}

/* Writes blocks with a sibling attribute. `to` selects where the attribute points: 0 to the block itself, 1 to the
 * first block, 2 far beyond the unit, 3 to the last block. */
static void siblings(struct made_dwarf *made, size_t n, int to)
{
    made_begin_shape(made);
    made_put_lines(made, 10);
    size_t unit = made_begin_unit(made);
    size_t start = unit - 4, first = made_size_of(made, DWARF_INFO);
    for (size_t i = 0; i < n; i++) {
        size_t at = made_size_of(made, DWARF_INFO);
        made_put(made, DWARF_INFO, INNER_NEXT, 1);
        made_put(made, DWARF_INFO,
                 to == 0   ? at - start
                 : to == 1 ? first - start
                 : to == 2 ? 0xfffffff0
                           : first - start + (n - 1) * (5 + 17 + 1),
                 4);
        made_put_function(made, LEAF, 0, i % DWARF_TEXT_SIZE, 4);
        made_put(made, DWARF_INFO, 0, 1);
    }
    made_end_unit(made, unit);
}
static void siblings_of_themselves(struct made_dwarf *made, size_t n) { siblings(made, n, 0); }
static void siblings_back(struct made_dwarf *made, size_t n) { siblings(made, n, 1); }
static void siblings_outside(struct made_dwarf *made, size_t n) { siblings(made, n, 2); }
static void siblings_at_the_end(struct made_dwarf *made, size_t n) { siblings(made, n, 3); }

/* --- writing unusual numbers and headers --- */

static void long_numbers(struct made_dwarf *made, size_t n)
{
    made_begin_shape(made);
    made_put_lines(made, 10);
    size_t unit = made_begin_unit(made);
    made_put_function(made, LEAF, 0, 0, 16);
    for (size_t i = 0; i < n; i++) {
        made_put(made, DWARF_INFO, LEAF | 0x80, 1);
        made_fill(made, DWARF_INFO, 0x80, 40);
        made_put(made, DWARF_INFO, 0, 1);
        made_put(made, DWARF_INFO, 0, 4);
        made_put_code(made, i % DWARF_TEXT_SIZE, 4);
    }
    made_end_unit(made, unit);
}

static void units_of_nothing(struct made_dwarf *made, size_t n)
{
    made_begin_shape(made);
    made_put_lines(made, 10);
    made_one_unit(made);
    for (size_t i = 0; i < n; i++) made_put(made, DWARF_INFO, 0, 4);
}

static void bad_units(struct made_dwarf *made, size_t n)
{
    made_begin_shape(made);
    made_put_lines(made, 10);
    made_one_unit(made);
    for (size_t i = 0; i < n; i++) {
        size_t unit = made_begin_unit(made);
        made_put(made, DWARF_INFO, 0x70, 1);
        made_end_length(made, DWARF_INFO, unit);
    }
}

static const struct dwarf_shape shapes[] = {
    {"one list of ranges for many entries", "reads it for each", one_list, 1000},
    {"one list of short ranges for many entries", "keeps all of them", one_short_list, 1000},
    {"one list of ranges for many units", "reads it for each", units_of_one_list, 1000},
    {"one line program for many units", "runs it for each", units_of_one_program, 1000},
    {"one line program for many units without ranges", "runs it for each, twice", weak_units_of_one_program, 1000},
    {"abbreviation tables in each other", "parses each to the common end", tables_in_each_other, 1000},
    {"one abbreviation table for many units", "parses it for each", units_of_one_table, 1000},
    {"an abbreviation of many attributes", "goes through all of them for each byte", wide_abbreviation, 2000},
    {"a function's abbreviation of many attributes", "reads all of them for each byte", wide_function, 500},
    {"one long name", "measures it for each entry", one_long_name, 1000},
    {"names in each other", "keeps each whole", names_in_each_other, 1000},
    {"origins in a chain", "follows it to its end for each", origins_in_a_chain, 4000},
    {"origins in a ring", "follows it for ever", origins_in_a_ring, 2000},
    {"origins in all units", "opens a unit for each", origins_everywhere, 1000},
    {"origins inside of entries", "looks for their begin", origins_inside_entries, 10000},
    {"inlined in each other", "paints each over all others", inlined_in_each_other, 8000},
    {"nested too deep", "recurses", nested_too_deep, 100000},
    {"nested as deep as is allowed", "looks upwards from each", nested_deep, 100000},
    {"inlined over each other", "compares each with each", overlapping, 4000},
    {"functions over each other", "compares each with each", overlapping_functions, 4000},
    {"units over each other", "compares each with each", overlapping_units, 1000},
    {"siblings of themselves", "jumps for ever", siblings_of_themselves, 4000},
    {"siblings that lead back", "jumps for ever", siblings_back, 4000},
    {"siblings outside", "jumps out of the unit", siblings_outside, 4000},
    {"siblings at the end", "jumps over functions", siblings_at_the_end, 4000},
    {"numbers of many bytes", "rescans them", long_numbers, 10000},
    {"units of nothing", "a reader that does not advance loops", units_of_nothing, 50000},
    {"bad units", "tells of each at length", bad_units, 10000},
};

const struct dwarf_shape *dwarf_shapes_of_entries(size_t *count)
{
    *count = sizeof shapes / sizeof *shapes;
    return shapes;
}
