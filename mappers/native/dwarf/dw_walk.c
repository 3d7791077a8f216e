/* The two DWARF backends: report units, lines and functions to a visitor. They share everything but the decoding of
 * attributes, which the fast one does itself and the other leaves to libdwarf. So if results differ, one of them
 * decodes attributes wrongly. */
#include "core/error.h"
#include "core/limits.h"
#include "core/text/text.h"
#include "mappers/native/dwarf/dw_aranges.h"
#include "mappers/native/dwarf/dw_companion.h"
#include "mappers/native/dwarf/dw_join.h"
#include "mappers/native/dwarf/dw_lines.h"
#include "mappers/native/dwarf/dw_names.h"
#include "mappers/native/dwarf/dw_scopes.h"
#include "mappers/native/dwarf/dw_visitor.h"

/* A function or inlined subroutine on the path from the unit entry to the current entry. */
struct level {
    uint64_t offset;
    uint32_t depth;   /* of the entry in the tree */
    uint32_t inlined; /* number of inlined subroutines from the function down to this one; 0 for a function */
    bool tried;       /* its attributes were decoded because of an entry below it */
    bool reported;    /* it was reported to the visitor, and so will its end be */
    bool unwanted;    /* the visitor does not need it, or anything inlined in it */
};

/* An opened image: its sound units. Workers only read it. */
struct fm_dw_debug {
    const struct fm_image *image;
    struct fm_heap *heap;
    bool library; /* libdwarf decodes the attributes */
    struct fm_dw_sections sections;
    struct fm_dw_units units;
    struct fm_dw_unit_data **claimed; /* units that claim addresses, by number */
    size_t claimed_count, claimed_capacity;
};

struct fm_dw_worker {
    struct fm_dw_debug *debug;
    const struct fm_dw_visitor *visitor; /* of the current walk, and what it walks */
    const struct fm_dw_unit_data *unit;
    const struct fm_dw_abbrev_table *table;
    struct fm_heap *heap;
    framemap_error *error;
    struct fm_dw_abbrevs abbrevs;
    struct fm_dw_library *library; /* NULL for the fast backend */
    struct fm_dw_names names;
    struct fm_dw_scopes scopes;
    struct fm_dw_lines lines;
    struct fm_dw_range_list ranges;
    struct level *levels;
    size_t level_count, level_capacity;
};

/* Reports a fault to the visitor, unless it ends the walk. */
static framemap_status pass_fault(struct fm_dw_worker *walk, framemap_status status, const framemap_error *fault)
{
    if (status == FRAMEMAP_OK) return FRAMEMAP_OK;
    if (status == FRAMEMAP_E_MEMORY) return fm_error_memory(walk->error);
    walk->visitor->fault(walk->visitor->context, fault);
    return FRAMEMAP_OK;
}

static framemap_status stopped(struct fm_dw_worker *walk) { return fm_error_memory(walk->error); }

/* --- claims --- */

/* Collects the sequences of a line program as ranges. */
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

/* Line programs are shared data with a budget: a unit may have its own program read unless the units before it used
 * the budget up. */
static void allow_lines(struct fm_dw_debug *debug, struct fm_dw_unit_data *unit)
{
    const uint64_t size = fm_dw_lines_size(&debug->sections, unit);
    if (size > 0 && !fm_dw_spend(&debug->sections, size)) unit->lines_refused = true;
}

/* Faults of the line program are reported when the unit is walked. */
static framemap_status claim_by_lines(struct fm_dw_worker *walk, struct fm_dw_unit_data *unit, framemap_error *error)
{
    const struct fm_dw_visitor quiet = {.file = claim_no_file};
    struct sequence_ranges sequences = {.list = &walk->ranges};
    framemap_error fault = {0};

    allow_lines(walk->debug, unit);
    walk->lines.visitor = &quiet;
    framemap_status status = fm_dw_lines_open(&walk->lines, unit, &fault);
    if (status == FRAMEMAP_OK) status = fm_dw_lines_run(&walk->lines, note_rows, &sequences, &fault);
    walk->lines.visitor = NULL;
    return status == FRAMEMAP_E_MEMORY ? fm_error_memory(error) : FRAMEMAP_OK;
}

static bool has_code(const struct fm_dw_unit_data *unit)
{
    return unit->unit_type == DW_UT_compile || unit->unit_type == DW_UT_partial || unit->unit_type == DW_UT_skeleton;
}

/* State while the units of an image are listed: a worker, .debug_aranges, and the callbacks. */
struct unit_listing {
    struct fm_dw_worker *walk;
    struct fm_dw_aranges aranges;
    const struct fm_dw_open_callbacks *to;
    framemap_error *error;
};

static framemap_status claim_unit(struct unit_listing *survey, struct fm_dw_unit_data *unit, struct fm_dw_claim *claim)
{
    struct fm_dw_worker *walk = survey->walk;
    framemap_error fault = {0};
    walk->ranges.work_left = walk->debug->sections.work_left;
    framemap_status status =
        fm_dw_ranges_read(&walk->debug->sections, &unit->encoding, &unit->bounds, &walk->ranges, &fault);

    walk->debug->sections.work_left = walk->ranges.work_left;
    if (status == FRAMEMAP_E_MEMORY) return fm_error_memory(survey->error);
    if (status != FRAMEMAP_OK) survey->to->fault(survey->to->context, &fault);
    const size_t own_count = walk->ranges.count;
    if (!fm_dw_aranges_add(&survey->aranges, unit->offset, &walk->ranges)) return fm_error_memory(survey->error);
    claim->listed_count = walk->ranges.count - own_count;
    claim->offset = unit->offset;
    claim->end = unit->end;
    claim->weak = walk->ranges.count == 0;
    /* Partial units share the line program of the unit that they were taken from. */
    if (claim->weak && unit->has_lines && unit->unit_type != DW_UT_partial &&
        claim_by_lines(walk, unit, survey->error) != FRAMEMAP_OK) {
        return FRAMEMAP_E_MEMORY;
    }
    claim->ranges = walk->ranges.ranges;
    claim->range_count = walk->ranges.count;
    return FRAMEMAP_OK;
}

/* Whether a skeleton unit describes no functions. GCC and clang put no entries there; with -fsplit-dwarf-inlining
 * clang puts those functions there that have others inlined. */
static bool lacks_functions(const struct fm_dw_worker *walk, const struct fm_dw_unit_data *unit)
{
    return unit->unit_type == DW_UT_skeleton && unit->split_number == 0 &&
           (unit->second >= unit->end || walk->debug->sections.info.data[unit->second] == 0);
}

/* Warns once, with their number, of units whose debug info is in other files: a large program has thousands. */
static void warn_of_split_units(const struct unit_listing *survey)
{
    const struct fm_dw_units *units = &survey->walk->debug->units;
    const struct fm_dw_unit_data *first = NULL;
    framemap_error fault = {0};
    size_t count = 0;

    for (size_t i = 0; i < units->count; i++) {
        if (units->units[i].unit_type != DW_UT_skeleton || !lacks_functions(survey->walk, &units->units[i])) continue;
        if (count++ == 0) first = &units->units[i];
    }
    if (count == 0) return;
    char id[FM_DWO_ID_SIZE];
    fm_error_at(&fault, FRAMEMAP_E_UNSUPPORTED, first->offset,
                "the debug info of %zu unit%s is in .dwo files, which were not found: their code has no lines. The "
                "first is %.*s (id %s)",
                count, count > 1 ? "s" : "", (int)(first->dwo_name.size > 200 ? 200 : first->dwo_name.size),
                first->dwo_name.size > 0 ? first->dwo_name.data : "", fm_dwo_id(first->dwo_id, id));
    fm_error_where(&fault, FM_STR(".debug_info"));
    survey->to->fault(survey->to->context, &fault);
}

static framemap_status claim_all(struct unit_listing *survey)
{
    struct fm_dw_debug *debug = survey->walk->debug;

    for (size_t i = 0; i < debug->units.count; i++) {
        struct fm_dw_unit_data *unit = &debug->units.units[i];
        struct fm_dw_claim claim = {.number = (uint32_t)debug->claimed_count};
        if (!has_code(unit)) continue;
        if (claim_unit(survey, unit, &claim) != FRAMEMAP_OK) return FRAMEMAP_E_MEMORY;
        if (claim.range_count == 0) continue;
        if (!survey->to->claim(survey->to->context, &claim)) return fm_error_memory(survey->error);
        if (!FM_GROW(debug->heap, debug->claimed, debug->claimed_capacity, debug->claimed_count + 1))
            return fm_error_memory(survey->error);
        debug->claimed[debug->claimed_count++] = unit;
        allow_lines(debug, unit);
    }
    return FRAMEMAP_OK;
}

/* --- functions --- */

/* Ends the levels that do not contain an entry of this depth. */
static bool leave_to(struct fm_dw_worker *walk, uint32_t depth)
{
    while (walk->level_count > 0 && walk->levels[walk->level_count - 1].depth >= depth) {
        if (walk->levels[--walk->level_count].reported && !walk->visitor->leave(walk->visitor->context)) return false;
    }
    return true;
}

/* Maps file numbers of the entry's own unit. Numbers of another unit are unknown, since its line table is not open. */
static bool map_files(struct fm_dw_worker *walk, const struct fm_dw_attributes *own, const struct fm_dw_naming *naming,
                      struct fm_dw_function *function)
{
    if (own->has_call_file && !fm_dw_lines_file(&walk->lines, own->call_file, &function->call_file)) return false;
    return naming->decl_unit != walk->unit || fm_dw_lines_file(&walk->lines, naming->decl_file, &function->decl_file);
}

/* A child of the unit entry has no scope. */
static uint64_t home_of(const struct level *level, const struct fm_dw_naming *naming)
{
    if (naming->offset != UINT64_MAX) return naming->last;
    return level->depth > 1 ? level->offset : 0;
}

static bool enter(struct fm_dw_worker *walk, const struct level *level, const struct fm_dw_attributes *own,
                  const struct fm_dw_naming *naming)
{
    struct fm_dw_function function = {
        .offset = level->offset,
        .origin = naming->offset == UINT64_MAX ? level->offset : naming->offset,
        .linkage_name = naming->linkage_name,
        .name = naming->name,
        .home = home_of(level, naming),
        .decl_file = FM_NONE,
        .decl_line1 = naming->decl_line1,
        .artificial = naming->artificial,
        .identity = naming->identity,
        .ranges = walk->ranges.ranges,
        .range_count = walk->ranges.count,
        .call_file = FM_NONE,
        .call_line1 = own->call_line1,
        .call_col1 = own->call_col1,
        .depth = level->inlined,
    };
    return map_files(walk, own, naming, &function) && walk->visitor->enter(walk->visitor->context, &function);
}

/* In the libdwarf backend, replaces the decoded attributes by libdwarf's. */
static framemap_status decode_by_libdwarf(struct fm_dw_worker *walk, uint64_t offset, struct fm_dw_attributes *own)
{
    if (walk->library == NULL) return FRAMEMAP_OK;
    return fm_dw_library_read_attributes(walk->library, walk->unit, walk->table, offset, own, walk->error);
}

/* Reads the live ranges of an entry. */
static framemap_status read_ranges(struct fm_dw_worker *walk, const struct fm_dw_attributes *own)
{
    framemap_error fault; /* set only on a fault: clearing it for each entry took longer than most lists */
    return pass_fault(
        walk, fm_dw_ranges_read(&walk->debug->sections, &walk->unit->encoding, &own->bounds, &walk->ranges, &fault),
        &fault);
}

/* Reports a level to the visitor, with the ranges that were read last. */
static inline framemap_status report_level(struct fm_dw_worker *walk, struct level *level,
                                           const struct fm_dw_attributes *own)
{
    const struct fm_dw_naming *naming;

    if (fm_dw_names_resolve(&walk->names, own, &naming, walk->error) != FRAMEMAP_OK) return FRAMEMAP_E_MEMORY;
    if (!enter(walk, level, own, naming)) return stopped(walk);
    level->reported = true;
    return FRAMEMAP_OK;
}

/* Reports entries without code of their own that contain one with code: in DWARF 2 a function cannot have two ranges.
 */
static framemap_status report_ancestors(struct fm_dw_worker *walk, size_t index)
{
    struct fm_dw_attributes own;
    size_t first = index;

    while (walk->levels[first].inlined > 0 && !walk->levels[first - 1].reported && !walk->levels[first - 1].tried)
        first--;
    for (; first < index; first++) {
        struct level *level = &walk->levels[first];
        level->tried = true;
        if (!fm_dw_attributes_at(&walk->debug->sections, walk->unit, walk->table, level->offset, &own)) continue;
        if (decode_by_libdwarf(walk, level->offset, &own) != FRAMEMAP_OK || read_ranges(walk, &own) != FRAMEMAP_OK ||
            report_level(walk, level, &own) != FRAMEMAP_OK)
            return FRAMEMAP_E_MEMORY;
    }
    return FRAMEMAP_OK;
}

/* Reports the innermost level if it has live code. `own`: its attributes. */
static framemap_status report_innermost(struct fm_dw_worker *walk, struct fm_dw_attributes *own)
{
    const size_t index = walk->level_count - 1;
    struct level *level = &walk->levels[index];

    if (decode_by_libdwarf(walk, level->offset, own) != FRAMEMAP_OK || read_ranges(walk, own) != FRAMEMAP_OK)
        return FRAMEMAP_E_MEMORY;
    if (walk->ranges.count == 0) return FRAMEMAP_OK;
    if (level->inlined == 0 && walk->visitor->needs_function != NULL) {
        level->unwanted =
            !walk->visitor->needs_function(walk->visitor->context, walk->ranges.ranges, walk->ranges.count);
        if (level->unwanted) return FRAMEMAP_OK;
    }
    if (level->inlined > 0 && !walk->levels[index - 1].reported) {
        if (report_ancestors(walk, index) != FRAMEMAP_OK || read_ranges(walk, own) != FRAMEMAP_OK)
            return FRAMEMAP_E_MEMORY;
    }
    return report_level(walk, level, own);
}

/* Adds a level for the entry, unless it is nested too deeply in inlined subroutines. */
static bool add_level(struct fm_dw_worker *walk, const struct fm_dw_entry *entry, bool *added)
{
    const struct level *above = walk->level_count > 0 ? &walk->levels[walk->level_count - 1] : NULL;
    const bool inlined = entry->shape->tag == DW_TAG_inlined_subroutine;
    const struct level level = {.offset = entry->offset,
                                .depth = entry->depth,
                                .inlined = inlined && above != NULL ? above->inlined + 1 : 0,
                                .unwanted = inlined && above != NULL && above->unwanted};

    *added = level.inlined <= FM_LIMIT_INLINE_DEPTH;
    if (!*added) return true;
    if (!FM_GROW(walk->heap, walk->levels, walk->level_capacity, walk->level_count + 1)) return false;
    walk->levels[walk->level_count++] = level;
    return true;
}

static framemap_status walk_entry(struct fm_dw_worker *walk, struct fm_dw_entries *entries,
                                  const struct fm_dw_entry *entry)
{
    struct fm_dw_attributes own;
    bool added;

    if (!leave_to(walk, entry->lowest)) return stopped(walk);
    if (!add_level(walk, entry, &added)) return fm_error_memory(walk->error);
    if ((entry->shape->flags & FM_DW_SHAPE_CODE) == 0 || (added && walk->levels[walk->level_count - 1].unwanted))
        return FRAMEMAP_OK;
    const unsigned char *end =
        fm_dw_attributes_read(&walk->debug->sections, walk->unit, walk->table, entry->shape, entry->attributes, &own);
    if (end == NULL) {
        entries->broken = "entry with a form that is unknown or leaves its unit";
        return FRAMEMAP_OK;
    }
    fm_dw_entries_passed(entries, end);
    fm_dw_names_hint(&walk->names, &own);
    return added ? report_innermost(walk, &own) : FRAMEMAP_OK;
}

static framemap_status unit_fault(const struct fm_dw_unit_data *unit, const char *why, framemap_error *error)
{
    fm_error_at(error, FRAMEMAP_E_CORRUPT, unit->offset, "%s", why);
    fm_error_where(error, FM_STR(".debug_info"));
    return FRAMEMAP_E_CORRUPT;
}

static framemap_status walk_functions(struct fm_dw_worker *walk)
{
    struct fm_dw_entries entries = fm_dw_entries_of(&walk->debug->sections, walk->unit, walk->table);
    struct fm_dw_entry entry;
    framemap_status status = FRAMEMAP_OK;

    walk->level_count = 0;
    fm_dw_names_begin(&walk->names, walk->unit, walk->table, walk->visitor->one_name);
    walk->ranges.work_left = fm_dw_list_work(&walk->debug->sections, walk->unit->end - walk->unit->offset);
    while (status == FRAMEMAP_OK && entries.broken == NULL && fm_dw_entries_next(&entries, &entry))
        status = walk_entry(walk, &entries, &entry);
    if (status == FRAMEMAP_OK && entries.broken != NULL) return unit_fault(walk->unit, entries.broken, walk->error);
    if (status == FRAMEMAP_OK && !leave_to(walk, 0)) return stopped(walk);
    return status;
}

/* --- units --- */

static framemap_status walk_lines(struct fm_dw_worker *walk, const struct fm_dw_unit_data *unit)
{
    framemap_error fault = {0};
    framemap_status status = fm_dw_lines_open(&walk->lines, unit, &fault);

    /* Partial units have a file table, but no rows of their own. */
    if (status == FRAMEMAP_OK && walk->visitor->rows != NULL && unit->unit_type != DW_UT_partial) {
        status = fm_dw_lines_run(&walk->lines, walk->visitor->rows, walk->visitor->context, &fault);
    }
    return pass_fault(walk, status, &fault);
}

/* The unit with the entries of a claimed unit: the split unit of a skeleton unit, if it was found, else itself. */
static const struct fm_dw_unit_data *entries_of(const struct fm_dw_debug *debug, const struct fm_dw_unit_data *unit)
{
    return unit->split_number > 0 ? &debug->units.units[unit->split_number - 1] : unit;
}

static framemap_status open_table(struct fm_dw_worker *walk, const struct fm_dw_unit_data *unit)
{
    fm_dw_abbrevs_trim(&walk->abbrevs);
    walk->unit = unit;
    walk->table = fm_dw_abbrevs_at(&walk->abbrevs, unit->abbrevs, &unit->encoding);
    if (walk->table == NULL) return fm_error_memory(walk->error);
    return walk->table->broken != NULL ? unit_fault(unit, walk->table->broken, walk->error) : FRAMEMAP_OK;
}

static framemap_status walk_unit(struct fm_dw_worker *walk, const struct fm_dw_unit_data *unit, uint32_t number)
{
    const struct fm_dw_unit_data *entries = entries_of(walk->debug, unit);
    struct fm_dw_unit reported = {.number = number,
                                  .offset = unit->offset,
                                  .end = unit->end,
                                  .version = unit->encoding.version,
                                  .language = fm_dw_unit_language(entries),
                                  .name = entries->name,
                                  .folder = entries->folder,
                                  .producer = entries->producer};
    framemap_status status = open_table(walk, entries);

    if (status != FRAMEMAP_OK) return status;
    reported.lacks_functions = lacks_functions(walk, unit);
    reported.has_functions = walk->table->has_functions;
    if (unit->unit_type == DW_UT_skeleton) reported.split_file = unit->dwo_name;
    if (!walk->visitor->unit(walk->visitor->context, &reported)) return stopped(walk);
    status = walk_lines(walk, unit);
    if (status == FRAMEMAP_OK && walk->table->has_functions && walk->visitor->enter != NULL)
        status = walk_functions(walk);
    if (status == FRAMEMAP_OK && !walk->visitor->unit_end(walk->visitor->context)) status = stopped(walk);
    return status;
}

/* --- the backends --- */

static void free_worker(struct fm_dw_worker *walk)
{
    if (walk == NULL) return;
    struct fm_heap *heap = walk->heap;

    fm_heap_free(heap, walk->levels, walk->level_capacity * sizeof *walk->levels);
    fm_dw_scopes_free(&walk->scopes);
    fm_dw_names_free(&walk->names);
    fm_dw_library_free(walk->library);
    fm_dw_range_list_free(&walk->ranges);
    fm_dw_lines_free(&walk->lines);
    fm_dw_abbrevs_free(&walk->abbrevs);
    fm_heap_free(heap, walk, sizeof *walk);
}

static framemap_status make_worker(struct fm_dw_debug *debug, struct fm_dw_worker **out, framemap_error *error)
{
    struct fm_dw_worker *walk = fm_heap_zalloc(debug->heap, 1, sizeof *walk);

    *out = walk;
    if (walk == NULL) return fm_error_memory(error);
    walk->debug = debug;
    walk->heap = debug->heap;
    walk->ranges = (struct fm_dw_range_list){.image = debug->image, .heap = debug->heap};
    fm_dw_lines_init(&walk->lines, debug->heap, &debug->sections, NULL);
    fm_dw_abbrevs_init(&walk->abbrevs, debug->heap, &debug->sections);
    walk->abbrevs.begins = debug->units.tables;
    walk->abbrevs.begin_count = debug->units.table_count;
    if (debug->library) walk->library = fm_dw_library_create(debug->heap, &debug->sections);
    fm_dw_names_init(&walk->names, debug->heap, &debug->units, &walk->abbrevs, walk->library);
    fm_dw_scopes_init(&walk->scopes, debug->heap, &debug->units, &walk->abbrevs, walk->library);
    if (walk->library != NULL || !debug->library) return FRAMEMAP_OK;
    free_worker(walk);
    *out = NULL;
    return fm_error_memory(error);
}

static framemap_status walk_numbered(struct fm_dw_worker *walk, uint32_t number, const struct fm_dw_visitor *visitor,
                                     framemap_error *error)
{
    walk->visitor = walk->lines.visitor = visitor;
    walk->error = error;
    return walk_unit(walk, walk->debug->claimed[number], number);
}

static framemap_status read_scopes(struct fm_dw_worker *walk, uint32_t number, const uint64_t *entries, size_t count,
                                   struct fm_arena *arena, framemap_str *out, framemap_error *error)
{
    const struct fm_dw_unit_data *unit = entries_of(walk->debug, walk->debug->claimed[number]);
    const uint64_t work = fm_dw_list_work(&walk->debug->sections, unit->end - unit->offset);

    return fm_dw_scopes_read(&walk->scopes, work, entries, count, arena, out, error);
}

static void close_image(struct fm_dw_debug *debug)
{
    if (debug == NULL) return;
    fm_heap_free(debug->heap, debug->claimed, debug->claimed_capacity * sizeof *debug->claimed);
    fm_dw_units_free(&debug->units);
    fm_heap_free(debug->heap, debug, sizeof *debug);
}

static framemap_status survey_image(struct fm_dw_debug *debug, const struct fm_mapper_host *host,
                                    const struct fm_dw_open_callbacks *to, framemap_error *error)
{
    struct unit_listing survey = {.aranges = {.spans = {.heap = debug->heap}}, .to = to, .error = error};
    framemap_status status = fm_dw_units_scan(&debug->units, to->fault, to->context, error);

    if (status == FRAMEMAP_OK)
        status = fm_dw_join(debug->image, host, &debug->sections, &debug->units, to->fault, to->context, error);
    fm_dw_sections_share(&debug->sections, debug->units.count);
    if (status == FRAMEMAP_OK) status = make_worker(debug, &survey.walk, error);
    if (status == FRAMEMAP_OK &&
        !fm_dw_aranges_load(&survey.aranges, debug->heap, &debug->sections, to->fault, to->context)) {
        status = fm_error_memory(error);
    }
    if (status == FRAMEMAP_OK) warn_of_split_units(&survey);
    if (status == FRAMEMAP_OK) status = claim_all(&survey);
    fm_dw_aranges_free(&survey.aranges);
    free_worker(survey.walk);
    return status;
}

/* Reading the first bytes of all units loads most pages of a mapped section, so pages are released on the way. */
struct page_release {
    const struct fm_image *image;
    const struct fm_mapper_host *host;
    uint32_t section;
};

static void release_pages_before(void *context, uint64_t offset)
{
    const struct page_release *passing = context;
    const uint64_t stored = passing->image->sections[passing->section].stored.size;

    passing->host->release_range(passing->host->input_context,
                                 (size_t)fm_image_stored_at(passing->image, passing->section),
                                 (size_t)(offset < stored ? offset : stored));
}

static framemap_status open_image(const struct fm_image *image, const struct fm_mapper_host *host,
                                  const struct fm_dw_open_callbacks *survey, bool library, struct fm_dw_debug **out,
                                  framemap_error *error)
{
    struct fm_dw_debug *debug = fm_heap_zalloc(host->heap, 1, sizeof *debug);

    *out = NULL;
    if (debug == NULL) return fm_error_memory(error);
    debug->image = image;
    debug->heap = host->heap;
    debug->library = library;
    framemap_status status = fm_dw_sections_load(image, &debug->sections, survey->fault, survey->context, error);
    fm_dw_units_init(&debug->units, debug->heap, &debug->sections);
    struct page_release passing = {image, host, fm_image_section(image, FM_STR(".debug_info"))};
    if (host->release_range != NULL && passing.section != UINT32_MAX &&
        fm_image_stored_at(image, passing.section) > 0) {
        debug->units.passed = release_pages_before;
        debug->units.passed_context = &passing;
    }
    if (status == FRAMEMAP_OK) status = survey_image(debug, host, survey, error);
    debug->units.passed = NULL;
    if (status == FRAMEMAP_OK)
        *out = debug;
    else
        close_image(debug);
    return status;
}

static framemap_status open_fast(const struct fm_image *image, const struct fm_mapper_host *host,
                                 const struct fm_dw_open_callbacks *survey, struct fm_dw_debug **out,
                                 framemap_error *error)
{
    return open_image(image, host, survey, false, out, error);
}

static framemap_status open_libdwarf(const struct fm_image *image, const struct fm_mapper_host *host,
                                     const struct fm_dw_open_callbacks *survey, struct fm_dw_debug **out,
                                     framemap_error *error)
{
    *out = NULL;
    if (!fm_dw_library_available())
        return fm_error_set(error, FRAMEMAP_E_UNSUPPORTED,
                            "this framemap was built without libdwarf: choose the reader \"%s\", which is the default",
                            fm_dw_fast.name);
    return open_image(image, host, survey, true, out, error);
}

const struct fm_dw_backend fm_dw_fast = {.name = "fast",
                                         .threads = true,
                                         .open = open_fast,
                                         .close = close_image,
                                         .worker = make_worker,
                                         .worker_free = free_worker,
                                         .walk = walk_numbered,
                                         .scopes = read_scopes};

const struct fm_dw_backend fm_dw_libdwarf = {.name = "libdwarf",
                                             .threads = false,
                                             .open = open_libdwarf,
                                             .close = close_image,
                                             .worker = make_worker,
                                             .worker_free = free_worker,
                                             .walk = walk_numbered,
                                             .scopes = read_scopes};

const struct fm_dw_backend *fm_dw_backend_named(const char *name)
{
    if (name == NULL || strcmp(name, fm_dw_fast.name) == 0) return &fm_dw_fast;
    return strcmp(name, fm_dw_libdwarf.name) == 0 ? &fm_dw_libdwarf : NULL;
}
