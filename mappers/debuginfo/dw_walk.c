/* The libdwarf reader: units, lines and functions to a visitor. */
#include "core/fault.h"
#include "core/limits.h"
#include "core/text.h"
#include "mappers/debuginfo/dw_aranges.h"
#include "mappers/debuginfo/dw_constants.h"
#include "mappers/debuginfo/dw_lines.h"
#include "mappers/debuginfo/dw_names.h"
#include "mappers/debuginfo/visitor.h"

/* A function or inlined subroutine on the way from the unit down to the current entry. */
struct level {
    uint64_t offset;
    uint32_t depth;   /* of the entry in the tree */
    uint32_t inlined; /* how many inlined subroutines deep it is; 0 for a function */
    bool tried;       /* it was read on behalf of an entry below */
    bool told;        /* the visitor was told of it, and is told when it ends */
};

/* An opened image: its sound units. */
struct fm_dw_debug {
    const struct fm_image *image;
    struct fm_heap *heap;
    struct fm_dw_sections sections;
    struct fm_dw_units units;
    const struct fm_dw_unit_data **claimed; /* units that claim something, by their numbers */
    size_t claimed_count, claimed_capacity;
};

struct fm_dw_worker {
    struct fm_dw_debug *debug;
    const struct fm_dw_visitor *visitor; /* of the walk that is on */
    struct fm_heap *heap;
    framemap_error *error;
    struct fm_dw_library *library;
    struct fm_dw_names names;
    struct fm_dw_lines lines;
    struct fm_dw_range_list ranges;
    struct level *levels;
    size_t level_count, level_capacity;
};

/* Passes a fault over to the visitor, unless it is one that stops the walk. */
static framemap_status pass(struct fm_dw_worker *walk, framemap_status status, const framemap_error *fault)
{
    if (status == FRAMEMAP_OK) return FRAMEMAP_OK;
    if (status == FRAMEMAP_E_MEMORY) return fm_fault_memory(walk->error);
    walk->visitor->fault(walk->visitor->context, fault);
    return FRAMEMAP_OK;
}

static framemap_status stopped(struct fm_dw_worker *walk) { return fm_fault_memory(walk->error); }

/* --- claims --- */

/* The sequences of a line program as ranges. */
struct sequence_ranges {
    struct fm_dw_range_list *list;
    uint64_t low;
    bool open;
};

static bool note_rows(void *context, const struct fm_dw_row *rows, size_t count)
{
    struct sequence_ranges *sequences = context;

    for (size_t i = 0; i < count; i++) {
        if (!sequences->open) sequences->low = rows[i].address;
        sequences->open = !rows[i].end_sequence;
        if (rows[i].end_sequence && !fm_dw_range_add(sequences->list, sequences->low, rows[i].address)) return false;
    }
    return true;
}

static bool claim_no_file(void *context, uint32_t number, framemap_str path)
{
    (void)context, (void)number, (void)path;
    return true;
}

/* Faults of the line program are told when the unit is walked. */
static framemap_status claim_by_lines(struct fm_dw_worker *walk, const struct fm_dw_unit_data *unit, framemap_error *error)
{
    const struct fm_dw_visitor quiet = {.file = claim_no_file};
    struct sequence_ranges sequences = {.list = &walk->ranges};
    framemap_error fault = {0};

    walk->lines.visitor = &quiet;
    framemap_status status = fm_dw_lines_open(&walk->lines, unit, &fault);
    if (status == FRAMEMAP_OK) status = fm_dw_lines_run(&walk->lines, note_rows, &sequences, &fault);
    walk->lines.visitor = NULL;
    return status == FRAMEMAP_E_MEMORY ? fm_fault_memory(error) : FRAMEMAP_OK;
}

static bool has_code(const struct fm_dw_unit_data *unit)
{
    return unit->unit_type == DW_UT_compile || unit->unit_type == DW_UT_partial || unit->unit_type == DW_UT_skeleton;
}

/* What an image is surveyed with: a worker, the table of address ranges, and who is told. */
struct survey {
    struct fm_dw_worker *walk;
    struct fm_dw_aranges aranges;
    const struct fm_dw_survey *to;
    framemap_error *error;
};

static framemap_status claim_unit(struct survey *survey, const struct fm_dw_unit_data *unit, struct fm_dw_claim *claim)
{
    struct fm_dw_worker *walk = survey->walk;
    framemap_error fault = {0};
    framemap_status status = fm_dw_ranges_read(&walk->debug->sections, &unit->encoding, &unit->bounds, &walk->ranges, &fault);

    if (status == FRAMEMAP_E_MEMORY) return fm_fault_memory(survey->error);
    if (status != FRAMEMAP_OK) survey->to->fault(survey->to->context, &fault);
    if (!fm_dw_aranges_add(&survey->aranges, unit->offset, &walk->ranges)) return fm_fault_memory(survey->error);
    claim->offset = unit->offset;
    claim->end = unit->end;
    claim->weak = walk->ranges.count == 0;
    /* Partial units share the line program of the unit that they were cut from. */
    if (claim->weak && unit->has_lines && unit->unit_type != DW_UT_partial && claim_by_lines(walk, unit, survey->error) != FRAMEMAP_OK) {
        return FRAMEMAP_E_MEMORY;
    }
    claim->ranges = walk->ranges.ranges;
    claim->range_count = walk->ranges.count;
    return FRAMEMAP_OK;
}

static framemap_status claim_all(struct survey *survey)
{
    struct fm_dw_debug *debug = survey->walk->debug;

    for (size_t i = 0; i < debug->units.count; i++) {
        const struct fm_dw_unit_data *unit = &debug->units.units[i];
        struct fm_dw_claim claim = {.number = (uint32_t)debug->claimed_count};
        if (!has_code(unit)) continue;
        if (claim_unit(survey, unit, &claim) != FRAMEMAP_OK) return FRAMEMAP_E_MEMORY;
        if (claim.range_count == 0) continue;
        if (!survey->to->claim(survey->to->context, &claim)) return fm_fault_memory(survey->error);
        if (!FM_GROW(debug->heap, debug->claimed, debug->claimed_capacity, debug->claimed_count + 1)) return fm_fault_memory(survey->error);
        debug->claimed[debug->claimed_count++] = unit;
    }
    return FRAMEMAP_OK;
}

/* --- functions --- */

static bool may_have_code(const struct fm_dw_abbrev *abbrev)
{
    for (uint32_t i = 0; i < abbrev->spec_count; i++) {
        if (abbrev->specs[i].attribute == DW_AT_low_pc || abbrev->specs[i].attribute == DW_AT_ranges) return true;
    }
    return false;
}

/* Ends the entries that an entry of this depth is not inside of. */
static bool leave_to(struct fm_dw_worker *walk, uint32_t depth)
{
    while (walk->level_count > 0 && walk->levels[walk->level_count - 1].depth >= depth) {
        if (walk->levels[--walk->level_count].told && !walk->visitor->leave(walk->visitor->context)) return false;
    }
    return true;
}

/* Numbers of files in the entry's own unit; another unit's line table is not open. */
static bool place_files(struct fm_dw_worker *walk, const struct fm_dw_unit_data *unit, const struct fm_dw_attributes *own,
                        const struct fm_dw_naming *naming, struct fm_dw_function *function)
{
    function->call_file = function->decl_file = FM_NONE;
    if (own->has_call_file && !fm_dw_lines_file(&walk->lines, own->call_file, &function->call_file)) return false;
    return naming->decl_unit != unit || fm_dw_lines_file(&walk->lines, naming->decl_file, &function->decl_file);
}

static bool enter(struct fm_dw_worker *walk, const struct fm_dw_unit_data *unit, const struct level *level, const struct fm_dw_attributes *own,
                  const struct fm_dw_naming *naming)
{
    struct fm_dw_function function = {
        .offset = level->offset,
        .origin = naming->offset == UINT64_MAX ? level->offset : naming->offset,
        .linkage_name = naming->linkage_name,
        .name = naming->name,
        .decl_line1 = naming->decl_line1,
        .artificial = naming->artificial,
        .ranges = walk->ranges.ranges,
        .range_count = walk->ranges.count,
        .call_line1 = own->call_line1,
        .call_col1 = own->call_col1,
        .depth = level->inlined,
    };
    return place_files(walk, unit, own, naming, &function) && walk->visitor->enter(walk->visitor->context, &function);
}

/* Reads an entry and its live ranges. *good: it could be read. */
static framemap_status read_level(struct fm_dw_worker *walk, const struct fm_dw_unit_data *unit, const struct level *level,
                                  struct fm_dw_attributes *own, bool *good)
{
    framemap_error fault = {0};
    framemap_status status = fm_dw_library_read(walk->library, unit, level->offset, own, &fault);

    *good = status == FRAMEMAP_OK;
    walk->ranges.count = 0;
    if (*good) status = fm_dw_ranges_read(&walk->debug->sections, &unit->encoding, &own->bounds, &walk->ranges, &fault);
    return pass(walk, status, &fault);
}

/* Tells of an entry that has no code of its own but is above one that has: DWARF 2 has no way to say that a function has two parts. */
static framemap_status tell_above(struct fm_dw_worker *walk, const struct fm_dw_unit_data *unit, size_t index)
{
    struct fm_dw_attributes own;
    struct fm_dw_naming naming;
    bool good;
    size_t first = index;

    while (walk->levels[first].inlined > 0 && !walk->levels[first - 1].told && !walk->levels[first - 1].tried) first--;
    for (; first < index; first++) {
        struct level *level = &walk->levels[first];
        level->tried = true;
        if (read_level(walk, unit, level, &own, &good) != FRAMEMAP_OK) return FRAMEMAP_E_MEMORY;
        if (!good) continue;
        if (fm_dw_names_resolve(&walk->names, unit, &own, &naming, walk->error) != FRAMEMAP_OK) return FRAMEMAP_E_MEMORY;
        if (!enter(walk, unit, level, &own, &naming)) return stopped(walk);
        level->told = true;
    }
    return FRAMEMAP_OK;
}

/* Tells of the innermost level if it has live code. */
static framemap_status tell_innermost(struct fm_dw_worker *walk, const struct fm_dw_unit_data *unit)
{
    size_t index = walk->level_count - 1;
    struct level *level = &walk->levels[index];
    struct fm_dw_attributes own;
    struct fm_dw_naming naming;
    bool good;

    if (read_level(walk, unit, level, &own, &good) != FRAMEMAP_OK) return FRAMEMAP_E_MEMORY;
    if (!good || walk->ranges.count == 0) return FRAMEMAP_OK;
    if (level->inlined > 0 && !walk->levels[index - 1].told) {
        if (tell_above(walk, unit, index) != FRAMEMAP_OK) return FRAMEMAP_E_MEMORY;
        if (read_level(walk, unit, level, &own, &good) != FRAMEMAP_OK) return FRAMEMAP_E_MEMORY;
    }
    if (fm_dw_names_resolve(&walk->names, unit, &own, &naming, walk->error) != FRAMEMAP_OK) return FRAMEMAP_E_MEMORY;
    if (!enter(walk, unit, level, &own, &naming)) return stopped(walk);
    level->told = true;
    return FRAMEMAP_OK;
}

static framemap_status walk_functions(struct fm_dw_worker *walk, const struct fm_dw_unit_data *unit)
{
    struct fm_dw_cursor cursor = fm_dw_cursor_at(&walk->debug->sections, unit);
    struct fm_dw_entry entry;
    framemap_status status = FRAMEMAP_OK;

    walk->level_count = 0;
    while (status == FRAMEMAP_OK && fm_dw_cursor_next(&cursor, &entry)) {
        bool inlined = entry.abbrev->tag == DW_TAG_inlined_subroutine;
        if (!leave_to(walk, entry.depth)) return stopped(walk);
        if (!inlined && entry.abbrev->tag != DW_TAG_subprogram) continue;
        const struct level *above = walk->level_count > 0 ? &walk->levels[walk->level_count - 1] : NULL;
        struct level level = {.offset = entry.offset, .depth = entry.depth, .inlined = inlined && above != NULL ? above->inlined + 1 : 0};
        if (level.inlined > FM_LIMIT_INLINE_DEPTH) continue;
        if (!FM_GROW(walk->heap, walk->levels, walk->level_capacity, walk->level_count + 1)) return fm_fault_memory(walk->error);
        walk->levels[walk->level_count++] = level;
        if (may_have_code(entry.abbrev)) status = tell_innermost(walk, unit);
    }
    if (status == FRAMEMAP_OK && !leave_to(walk, 0)) return stopped(walk);
    return status;
}

/* --- units --- */

static uint8_t language_of(uint16_t dwarf)
{
    switch (dwarf) {
    case 0x01: case 0x02: case 0x0c: case 0x1d: case 0x2c: return FM_LANGUAGE_C;
    case 0x04: case 0x1a: case 0x21: case 0x2b: return FM_LANGUAGE_CXX;
    case 0x10: case 0x11: return FM_LANGUAGE_OBJC;
    case 0x1c: return FM_LANGUAGE_RUST;
    case 0x1e: return FM_LANGUAGE_SWIFT;
    case 0x00: return FM_LANGUAGE_UNKNOWN;
    default: return FM_LANGUAGE_OTHER;
    }
}

static void tell_split(struct fm_dw_worker *walk, const struct fm_dw_unit_data *unit)
{
    framemap_error fault = {0};

    fm_fault_at(&fault, FRAMEMAP_E_UNSUPPORTED, unit->offset, "functions of this unit are in a file of their own that was not given: %.*s",
                (int)(unit->dwo_name.size > 200 ? 200 : unit->dwo_name.size), unit->dwo_name.size > 0 ? unit->dwo_name.data : "");
    fm_fault_where(&fault, FM_STR(".debug_info"));
    walk->visitor->fault(walk->visitor->context, &fault);
}

static framemap_status walk_lines(struct fm_dw_worker *walk, const struct fm_dw_unit_data *unit)
{
    framemap_error fault = {0};
    framemap_status status = fm_dw_lines_open(&walk->lines, unit, &fault);

    /* Partial units have files to count in, and no rows of their own. */
    if (status == FRAMEMAP_OK && unit->unit_type != DW_UT_partial) {
        status = fm_dw_lines_run(&walk->lines, walk->visitor->rows, walk->visitor->context, &fault);
    }
    return pass(walk, status, &fault);
}

static framemap_status walk_unit(struct fm_dw_worker *walk, const struct fm_dw_unit_data *unit, uint32_t number)
{
    struct fm_dw_unit told = {.number = number,
                              .offset = unit->offset,
                              .version = unit->encoding.version,
                              .language = language_of(unit->language),
                              .name = unit->name,
                              .folder = unit->folder,
                              .producer = unit->producer};
    framemap_status status;

    if (unit->unit_type == DW_UT_skeleton) tell_split(walk, unit);
    if (!walk->visitor->unit(walk->visitor->context, &told)) return stopped(walk);
    status = walk_lines(walk, unit);
    if (status == FRAMEMAP_OK && unit->has_functions) status = walk_functions(walk, unit);
    if (status == FRAMEMAP_OK && !walk->visitor->unit_end(walk->visitor->context)) status = stopped(walk);
    return status;
}

/* --- the reader --- */

static void free_worker(struct fm_dw_worker *walk)
{
    if (walk == NULL) return;
    struct fm_heap *heap = walk->heap;

    fm_heap_free(heap, walk->levels, walk->level_capacity * sizeof *walk->levels);
    fm_dw_names_free(&walk->names);
    fm_dw_library_free(walk->library);
    fm_dw_range_list_free(&walk->ranges);
    fm_dw_lines_free(&walk->lines);
    fm_heap_free(heap, walk, sizeof *walk);
}

static framemap_status make_worker(struct fm_dw_debug *debug, struct fm_dw_worker **out, framemap_error *error)
{
    struct fm_dw_worker *walk = fm_heap_zalloc(debug->heap, 1, sizeof *walk);

    *out = walk;
    if (walk == NULL) return fm_fault_memory(error);
    walk->debug = debug;
    walk->heap = debug->heap;
    walk->ranges = (struct fm_dw_range_list){.image = debug->image, .heap = debug->heap};
    fm_dw_lines_init(&walk->lines, debug->heap, &debug->sections, NULL);
    walk->library = fm_dw_library_create(debug->heap, &debug->sections);
    fm_dw_names_init(&walk->names, debug->heap, &debug->units, walk->library);
    if (walk->library != NULL) return FRAMEMAP_OK;
    free_worker(walk);
    *out = NULL;
    return fm_fault_memory(error);
}

static framemap_status walk_numbered(struct fm_dw_worker *walk, uint32_t number, const struct fm_dw_visitor *visitor, framemap_error *error)
{
    walk->visitor = walk->lines.visitor = visitor;
    walk->error = error;
    return walk_unit(walk, walk->debug->claimed[number], number);
}

static void close_image(struct fm_dw_debug *debug)
{
    if (debug == NULL) return;
    fm_heap_free(debug->heap, debug->claimed, debug->claimed_capacity * sizeof *debug->claimed);
    fm_dw_units_free(&debug->units);
    fm_heap_free(debug->heap, debug, sizeof *debug);
}

static framemap_status survey_image(struct fm_dw_debug *debug, const struct fm_dw_survey *to, framemap_error *error)
{
    struct survey survey = {.aranges = {.spans = {.heap = debug->heap}}, .to = to, .error = error};
    framemap_status status = make_worker(debug, &survey.walk, error);

    if (status == FRAMEMAP_OK) status = fm_dw_units_scan(&debug->units, to->fault, to->context, error);
    if (status == FRAMEMAP_OK && !fm_dw_aranges_load(&survey.aranges, debug->heap, &debug->sections, to->fault, to->context)) {
        status = fm_fault_memory(error);
    }
    if (status == FRAMEMAP_OK) status = claim_all(&survey);
    fm_dw_aranges_free(&survey.aranges);
    free_worker(survey.walk);
    return status;
}

static framemap_status open_image(const struct fm_image *image, const struct fm_mapper_host *host, const struct fm_dw_survey *survey,
                                  struct fm_dw_debug **out, framemap_error *error)
{
    struct fm_dw_debug *debug = fm_heap_zalloc(host->heap, 1, sizeof *debug);

    *out = NULL;
    if (debug == NULL) return fm_fault_memory(error);
    debug->image = image;
    debug->heap = host->heap;
    fm_dw_sections_load(image, &debug->sections, survey->fault, survey->context);
    fm_dw_units_init(&debug->units, debug->heap, &debug->sections);
    framemap_status status = survey_image(debug, survey, error);
    if (status == FRAMEMAP_OK) *out = debug;
    else close_image(debug);
    return status;
}

const struct fm_dw_reader fm_dw_libdwarf = {.name = "libdwarf",
                                             .threads = false,
                                             .open = open_image,
                                             .close = close_image,
                                             .worker = make_worker,
                                             .worker_free = free_worker,
                                             .walk = walk_numbered};

const struct fm_dw_reader *fm_dw_reader_named(const char *name)
{
    return name == NULL || strcmp(name, fm_dw_libdwarf.name) == 0 ? &fm_dw_libdwarf : NULL;
}
