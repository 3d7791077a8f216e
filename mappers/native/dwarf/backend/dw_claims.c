/* Lists the units of an image with their claims: the ranges in a unit's entry, in .debug_aranges, or in the unit's line
 * program. Functions are not read. */
#include "mappers/native/dwarf/backend/dw_claims.h"

#include "core/error.h"
#include "mappers/native/dwarf/dw_aranges.h"
#include "mappers/native/dwarf/dw_companion.h"
#include "mappers/native/dwarf/dw_join.h"
#include "mappers/native/dwarf/dw_line_program.h"

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

/* Decides whether a unit's line program may be read. There is a budget for reading data that units share, as line
 * programs are, and earlier units may have used it up. */
static void allow_lines(struct fm_dw_debug *debug, struct fm_dw_unit_data *unit)
{
    const uint64_t size = fm_dw_lines_size(&debug->sections, unit);
    if (size > 0 && !fm_dw_spend(&debug->sections, size)) unit->lines_refused = true;
}

/* Sets a unit's claim to the sequences of its line program. Faults of the program are not reported here, but when the
 * unit is walked. */
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
    /* partial units are left out, since they share the line program of the unit that they were taken from */
    if (claim->weak && unit->has_lines && unit->unit_type != DW_UT_partial &&
        claim_by_lines(walk, unit, survey->error) != FRAMEMAP_OK) {
        return FRAMEMAP_E_MEMORY;
    }
    claim->ranges = walk->ranges.ranges;
    claim->range_count = walk->ranges.count;
    return FRAMEMAP_OK;
}

bool fm_dw_lacks_functions(const struct fm_dw_debug *debug, const struct fm_dw_unit_data *unit)
{
    return unit->unit_type == DW_UT_skeleton && unit->split_number == 0 &&
           (unit->second >= unit->end || debug->sections.info.data[unit->second] == 0);
}

/* Whether a unit entry states addresses. The skeleton units that clang and Swift write for imported modules do not,
 * because the files that these units name (.pcm) describe only types. */
static bool states_addresses(const struct fm_dw_unit_data *unit)
{
    return unit->bounds.low.form != 0 || unit->bounds.ranges.form != 0;
}

/* Warns of units whose debug info is in other files: one warning with the number of these units, because a large
 * program has thousands. */
static void warn_of_split_units(const struct unit_listing *survey)
{
    const struct fm_dw_units *units = &survey->walk->debug->units;
    const struct fm_dw_unit_data *first = NULL;
    framemap_error fault = {0};
    size_t count = 0;

    for (size_t i = 0; i < units->count; i++) {
        if (!fm_dw_lacks_functions(survey->walk->debug, &units->units[i]) || !states_addresses(&units->units[i]))
            continue;
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

framemap_status fm_dw_claims_list(struct fm_dw_debug *debug, const struct fm_mapper_host *host,
                                  const struct fm_dw_open_callbacks *to, framemap_error *error)
{
    struct unit_listing survey = {.aranges = {.spans = {.heap = debug->heap}}, .to = to, .error = error};
    framemap_status status = fm_dw_units_scan(&debug->units, to->fault, to->context, error);

    if (status == FRAMEMAP_OK)
        status = fm_dw_join(debug->image, host, &debug->sections, &debug->units, to->fault, to->context, error);
    fm_dw_sections_share(&debug->sections, debug->units.count);
    if (status == FRAMEMAP_OK) status = fm_dw_worker_make(debug, &survey.walk, error);
    if (status == FRAMEMAP_OK &&
        !fm_dw_aranges_load(&survey.aranges, debug->heap, &debug->sections, to->fault, to->context)) {
        status = fm_error_memory(error);
    }
    if (status == FRAMEMAP_OK) warn_of_split_units(&survey);
    if (status == FRAMEMAP_OK) status = claim_all(&survey);
    fm_dw_aranges_free(&survey.aranges);
    fm_dw_worker_free(survey.walk);
    return status;
}
