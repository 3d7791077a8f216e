/* Reads call trees as Instruments copies them (formats/native/apple/instruments_row.h). Each row that has a weight
 * of its own, without its callees, is a stack. Times are converted to nanoseconds, and cycles and allocated bytes to
 * whole numbers, with the precision that Instruments prints. */
#include "formats/native/apple/apple_sample_row.h"
#include "formats/native/apple/instruments_row.h"
#include "formats/profiles/profile_format.h"

#define LEVELS FM_SAMPLE_LEVELS

struct instruments_samples {
    enum fm_instruments_table table; /* kind of the table; FM_INSTRUMENTS_NONE: no title was read yet */
    struct fm_sample_levels levels;
    size_t depth;    /* number of rows on the current path of the tree */
    uint32_t column; /* column of the sample set for the weights; FM_NO_ID: no row with a known unit was read yet */
    uint32_t thread;
    struct fm_sample_thread process;
    struct path_row {
        uint32_t node;
        int64_t own; /* weight of the row without its callees */
    } path[LEVELS];
};

/* --- weights --- */

struct weight_kind {
    framemap_str type, unit;
};
static const struct weight_kind kinds[] = {{FM_STR_INIT("time"), FM_STR_INIT("nanoseconds")},
                                           {FM_STR_INIT("cycles"), FM_STR_INIT("count")},
                                           {FM_STR_INIT("space"), FM_STR_INIT("bytes")},
                                           {FM_STR_INIT("samples"), FM_STR_INIT("count")}};
enum { TIME, CYCLES, SPACE, SAMPLES };

static const struct weight_unit {
    framemap_str name;
    unsigned kind;
    int64_t factor;
} units[] = {{FM_STR_INIT("ns"), TIME, 1},
             {FM_STR_INIT("us"), TIME, 1000},
             {FM_STR_INIT("\xC2\xB5s"), TIME, 1000},
             {FM_STR_INIT("ms"), TIME, 1000000},
             {FM_STR_INIT("s"), TIME, 1000000000},
             {FM_STR_INIT("min"), TIME, INT64_C(60000000000)},
             {FM_STR_INIT("h"), TIME, INT64_C(3600000000000)},
             {FM_STR_INIT("c"), CYCLES, 1},
             {FM_STR_INIT("Kc"), CYCLES, 1000},
             {FM_STR_INIT("Mc"), CYCLES, 1000000},
             {FM_STR_INIT("Gc"), CYCLES, 1000000000},
             {FM_STR_INIT("Tc"), CYCLES, INT64_C(1000000000000)},
             {FM_STR_INIT("Bytes"), SPACE, 1},
             {FM_STR_INIT("KB"), SPACE, 1 << 10},
             {FM_STR_INIT("MB"), SPACE, 1 << 20},
             {FM_STR_INIT("GB"), SPACE, 1 << 30},
             {FM_STR_INIT("KiB"), SPACE, 1 << 10},
             {FM_STR_INIT("MiB"), SPACE, 1 << 20},
             {FM_STR_INIT("GiB"), SPACE, 1 << 30}};
static const struct weight_unit no_unit = {.kind = SAMPLES, .factor = 1};

static const struct weight_unit *unit_named(framemap_str name)
{
    for (size_t i = 0; i < sizeof units / sizeof *units; i++)
        if (fm_str_equal(units[i].name, name)) return &units[i];
    return NULL;
}

/* Returns the unit of a column. none: the unit to return if the column has no unit. NULL: the unit is not known. */
static const struct weight_unit *unit_of(const struct fm_instruments_weight *weight, const struct weight_unit *none)
{
    return weight->unit.size ? unit_named(weight->unit) : none;
}

/* Returns the value of a column, in the smallest units of its kind (such as nanoseconds); 0 if the column has no
 * value. */
static int64_t amount(const struct fm_instruments_weight *weight, const struct weight_unit *unit)
{
    enum { DIGITS = 3, PARTS = 1000 };
    int64_t parts;
    if (unit == NULL || !fm_profile_decimal(weight->number, DIGITS, &parts)) return 0;
    return parts <= INT64_MAX / unit->factor ? parts * unit->factor / PARTS : INT64_MAX;
}

/* --- the tree --- */

/* Removes the rows at depth `depth` and below from the current path, and adds their weights to the sample set. */
static void leave(struct instruments_samples *state, framemap_sample_set *set, size_t depth)
{
    while (state->depth > depth) {
        const struct path_row *left = &state->path[--state->depth];
        const struct fm_sample_entry sample = {FM_NO_TIME, left->node, state->thread, FM_NO_ID};
        if (left->own > 0 && state->column != FM_NO_ID) fm_samples_one(set, &sample, state->column, left->own);
    }
}

static void begin_tree(struct instruments_samples *state, framemap_sample_set *set,
                       const struct fm_instruments_row *row)
{
    struct fm_sample_thread thread;
    leave(state, set, 0);
    state->levels.count = 0;
    if (row->node == FM_INSTRUMENTS_PROCESS)
        state->process = (struct fm_sample_thread){
            .process = fm_samples_string(set, row->name), .has_process = 1, .process_id = row->pid};
    thread = state->process;
    if (row->node == FM_INSTRUMENTS_THREAD) thread.name = fm_samples_string(set, row->name);
    state->thread = fm_samples_thread(set, &thread);
}

/* Returns the weight of a row without its callees. For allocations, the table has only weights that include the
 * callees; such a weight is returned, and the rows of the callees subtract their own weights later. */
static int64_t own_weight(const struct instruments_samples *state, const struct fm_instruments_row *row,
                          int64_t with_callees)
{
    static const struct weight_unit milliseconds = {.kind = TIME, .factor = 1000000};
    if (state->table == FM_INSTRUMENTS_BYTES) return with_callees;
    const bool is_old = state->table == FM_INSTRUMENTS_MILLISECONDS;
    return amount(&row->second, unit_of(&row->second, is_old ? &milliseconds : &no_unit));
}

static void instruments_samples_add_row(struct instruments_samples *state, framemap_sample_set *set,
                                        const struct fm_instruments_row *row)
{
    const struct weight_unit *unit = unit_of(&row->weight, &no_unit);
    const int64_t with_callees = amount(&row->weight, unit);
    const size_t level = fm_sample_level(&state->levels, row->column);
    leave(state, set, level < LEVELS ? level : LEVELS - 1);
    if (unit) state->column = fm_samples_column(set, kinds[unit->kind].type, kinds[unit->kind].unit);
    struct path_row *caller = state->depth ? &state->path[state->depth - 1] : NULL;
    if (caller && state->table == FM_INSTRUMENTS_BYTES)
        caller->own -= with_callees < caller->own ? with_callees : caller->own;
    const struct fm_sample_frame frame = {.function = fm_samples_string(set, row->name)};
    struct path_row *added = &state->path[state->depth++];
    added->node = fm_samples_node(set, caller ? caller->node : FM_NO_ID, fm_samples_frame(set, &frame));
    added->own = own_weight(state, row, with_callees);
}

static void instruments_line(void *memory, framemap_sample_set *set, framemap_str line)
{
    struct instruments_samples *state = memory;
    struct fm_instruments_row row;
    const enum fm_instruments_table table = fm_instruments_title(fm_str_trim(line));
    if (table != FM_INSTRUMENTS_NONE) {
        leave(state, set, 0);
        *state = (struct instruments_samples){.table = table, .column = FM_NO_ID, .thread = FM_NO_ID};
    } else if (state->table != FM_INSTRUMENTS_NONE && fm_instruments_row(line, &row)) {
        if (row.node == FM_INSTRUMENTS_FUNCTION)
            instruments_samples_add_row(state, set, &row);
        else
            begin_tree(state, set, &row);
    }
}

static void instruments_end(void *memory, framemap_sample_set *set) { leave(memory, set, 0); }

static bool instruments_looks(framemap_str head)
{
    struct fm_scan s = fm_scan_of(head);
    framemap_str line;
    while (fm_scan_line(&s, &line))
        if (fm_str_trim(line).size) return fm_instruments_title(fm_str_trim(line)) != FM_INSTRUMENTS_NONE;
    return false;
}

const struct fm_profile_format fm_profile_instruments = {
    .info = {"instruments", "call trees copied from Instruments", true, false, FRAMEMAP_PART_THREADS},
    .looks = instruments_looks,
    .state_size = sizeof(struct instruments_samples),
    .line = instruments_line,
    .end = instruments_end};
