/* Walks a unit and reports its lines, functions and inlined subroutines to a visitor. Both backends share this; only
 * the attributes of an entry are decoded in two ways (decode_by_libdwarf). */
#include "mappers/native/dwarf/backend/dw_walk.h"

#include "core/error.h"
#include "core/limits.h"
#include "mappers/native/dwarf/backend/dw_claims.h"
#include "mappers/native/dwarf/dw_line_program.h"

/* Reports a fault to the visitor, so that the walk continues. Only a lack of memory is returned, which ends the
 * walk. */
static framemap_status pass_fault(struct fm_dw_worker *walk, framemap_status status, const framemap_error *fault)
{
    if (status == FRAMEMAP_OK) return FRAMEMAP_OK;
    if (status == FRAMEMAP_E_MEMORY) return fm_error_memory(walk->error);
    walk->visitor->fault(walk->visitor->context, fault);
    return FRAMEMAP_OK;
}

static framemap_status stopped(struct fm_dw_worker *walk) { return fm_error_memory(walk->error); }

/* --- reporting functions --- */

/* Ends all open levels (functions and inlined subroutines) that do not enclose an entry of this depth. */
static bool leave_to(struct fm_dw_worker *walk, uint32_t depth)
{
    while (walk->level_count > 0 && walk->levels[walk->level_count - 1].depth >= depth) {
        if (walk->levels[--walk->level_count].reported && !walk->visitor->leave(walk->visitor->context)) return false;
    }
    return true;
}

/* Converts the file numbers of an entry to those of the visitor. Numbers that count in the line table of another unit
 * become unknown, because that table is not open. */
static bool map_files(struct fm_dw_worker *walk, const struct fm_dw_attributes *own, const struct fm_dw_naming *naming,
                      struct fm_dw_function *function)
{
    if (own->has_call_file && !fm_dw_lines_file(&walk->lines, own->call_file, &function->call_file)) return false;
    return naming->decl_unit != walk->unit || fm_dw_lines_file(&walk->lines, naming->decl_file, &function->decl_file);
}

/* Returns a function's home, the offset of the entry by which its enclosing scopes are found; 0: a child of the unit
 * entry has no enclosing scopes. */
static uint64_t home_of(const struct fm_dw_level *level, const struct fm_dw_naming *naming)
{
    if (naming->offset != UINT64_MAX) return naming->last;
    return level->depth > 1 ? level->offset : 0;
}

static bool enter(struct fm_dw_worker *walk, const struct fm_dw_level *level, const struct fm_dw_attributes *own,
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
    framemap_error fault; /* set only on a fault: clearing it for each entry took longer than reading most lists */
    return pass_fault(
        walk, fm_dw_ranges_read(&walk->debug->sections, &walk->unit->encoding, &own->bounds, &walk->ranges, &fault),
        &fault);
}

/* Reports a level (a function or inlined subroutine) to the visitor, with the ranges that were read last. */
static inline framemap_status report_level(struct fm_dw_worker *walk, struct fm_dw_level *level,
                                           const struct fm_dw_attributes *own)
{
    const struct fm_dw_naming *naming;

    if (fm_dw_names_resolve(&walk->names, own, &naming, walk->error) != FRAMEMAP_OK) return FRAMEMAP_E_MEMORY;
    if (!enter(walk, level, own, naming)) return stopped(walk);
    level->reported = true;
    return FRAMEMAP_OK;
}

/* Reports the entries without code of their own that contain an entry with code. DWARF 2 has such entries for functions
 * with two ranges, which it cannot describe. */
static framemap_status report_ancestors(struct fm_dw_worker *walk, size_t index)
{
    struct fm_dw_attributes own;
    size_t first = index;

    while (walk->levels[first].inlined > 0 && !walk->levels[first - 1].reported && !walk->levels[first - 1].tried)
        first--;
    for (; first < index; first++) {
        struct fm_dw_level *level = &walk->levels[first];
        level->tried = true;
        if (!fm_dw_attributes_at(&walk->debug->sections, walk->unit, walk->table, level->offset, &own)) continue;
        if (decode_by_libdwarf(walk, level->offset, &own) != FRAMEMAP_OK || read_ranges(walk, &own) != FRAMEMAP_OK ||
            report_level(walk, level, &own) != FRAMEMAP_OK)
            return FRAMEMAP_E_MEMORY;
    }
    return FRAMEMAP_OK;
}

/* Reports the innermost level (function or inlined subroutine) if it has live code. own: the attributes of the entry of
 * that level. */
static framemap_status report_innermost(struct fm_dw_worker *walk, struct fm_dw_attributes *own)
{
    const size_t index = walk->level_count - 1;
    struct fm_dw_level *level = &walk->levels[index];

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

/* Adds a level for the entry of a function or inlined subroutine, unless too many inlined subroutines are nested. */
static bool add_level(struct fm_dw_worker *walk, const struct fm_dw_entry *entry, bool *added)
{
    const struct fm_dw_level *above = walk->level_count > 0 ? &walk->levels[walk->level_count - 1] : NULL;
    const bool inlined = entry->shape->tag == DW_TAG_inlined_subroutine;
    const struct fm_dw_level level = {.offset = entry->offset,
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

/* --- walking units --- */

static framemap_status walk_lines(struct fm_dw_worker *walk, const struct fm_dw_unit_data *unit)
{
    framemap_error fault = {0};
    framemap_status status = fm_dw_lines_open(&walk->lines, unit, &fault);

    /* partial units have a file table but no rows */
    if (status == FRAMEMAP_OK && walk->visitor->rows != NULL && unit->unit_type != DW_UT_partial) {
        status = fm_dw_lines_run(&walk->lines, walk->visitor->rows, walk->visitor->context, &fault);
    }
    return pass_fault(walk, status, &fault);
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
    const struct fm_dw_unit_data *entries = fm_dw_entries_unit(walk->debug, unit);
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
    reported.lacks_functions = fm_dw_lacks_functions(walk->debug, unit);
    reported.has_functions = walk->table->has_functions;
    if (unit->unit_type == DW_UT_skeleton) reported.split_file = unit->dwo_name;
    if (!walk->visitor->unit(walk->visitor->context, &reported)) return stopped(walk);
    status = walk_lines(walk, unit);
    if (status == FRAMEMAP_OK && walk->table->has_functions && walk->visitor->enter != NULL)
        status = walk_functions(walk);
    if (status == FRAMEMAP_OK && !walk->visitor->unit_end(walk->visitor->context)) status = stopped(walk);
    return status;
}

framemap_status fm_dw_walk_unit(struct fm_dw_worker *walk, uint32_t number, const struct fm_dw_visitor *visitor,
                                framemap_error *error)
{
    walk->visitor = walk->lines.visitor = visitor;
    walk->error = error;
    return walk_unit(walk, walk->debug->claimed[number], number);
}
