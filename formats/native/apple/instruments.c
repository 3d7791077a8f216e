/* Call trees as Instruments copies them ("Deep Copy"), in columns that tabs separate:
 *
 *     Weight  Self Weight             Symbol Name
 *     96.08 Gc  100.0%        -               Shop (40414)
 *     96.08 Gc  100.0%        -                start
 *     47.82 Gc   49.7%        404.75 Mc         main
 *
 * The indent of the last column gives the level; callers precede callees. The first row may be the process. Rows
 * print no addresses, only names, so no frame needs symbols. Each path from a root to a leaf is a trace. */
#include "formats/native/apple/apple_sample_row.h"
#include "formats/native/apple/instruments_row.h"
#include "formats/native/call_tree.h"
#include "formats/parsers.h"

static const char name[] = "instruments";

struct instruments_state {
    bool open; /* the title of a table was read, so its rows follow */
    uint64_t number1;
    struct fm_call_tree tree;
    struct fm_sample_levels levels;
    framemap_str process, thread;
    bool has_pid;
    uint64_t pid;
};

/* Begins a tree, at a process or a thread. */
static void begin_tree(struct instruments_state *state, const struct fm_instruments_row *row)
{
    const bool is_process = row->node == FM_INSTRUMENTS_PROCESS;
    state->tree = (struct fm_call_tree){.began = false};
    state->levels = (struct fm_sample_levels){.count = 0};
    state->thread = is_process ? (framemap_str){NULL, 0} : row->name;
    if (!is_process) return;
    state->process = row->name;
    state->has_pid = true;
    state->pid = row->pid;
}

static void instruments_add_row(struct instruments_state *state, struct fm_document *doc, const struct fm_line *line,
                                const struct fm_instruments_row *row)
{
    if (row->node != FM_INSTRUMENTS_FUNCTION) {
        begin_tree(state, row);
        return;
    }
    const framemap_trace known = {.process_name = state->process,
                                  .has_process_id = state->has_pid,
                                  .process_id = state->pid,
                                  .thread = state->thread,
                                  .outermost_first = true};
    const framemap_frame frame = {
        .kind = FRAMEMAP_KIND_OTHER, .status = FRAMEMAP_FRAME_NOT_NEEDED, .index = -1, .function = row->name};
    const size_t level = fm_sample_level(&state->levels, row->column);
    fm_call_tree_add(&state->tree, doc, name, &known, level, line, &frame);
}

static bool instruments_is_title(const struct fm_line *line)
{
    return fm_instruments_title(fm_str_trim(line->body)) != FM_INSTRUMENTS_NONE;
}

static enum fm_line_role instruments_offer(void *memory, struct fm_document *doc, const struct fm_line *line)
{
    struct instruments_state *state = memory;
    struct fm_instruments_row row;
    if (instruments_is_title(line)) {
        *state = (struct instruments_state){.open = true, .number1 = line->number1};
        return FM_ROLE_CONTEXT;
    }
    if (!state->open) return FM_ROLE_NONE;
    state->open = line->number1 - state->number1 <= 1 && fm_instruments_row(line->body, &row);
    if (state->open) instruments_add_row(state, doc, line, &row);
    state->number1 = line->number1;
    return state->open ? FM_ROLE_FRAME : FM_ROLE_NONE;
}

static bool instruments_is_significant(const struct fm_line *line) { return instruments_is_title(line); }

static const struct fm_needle instruments_needles[] = {
    FM_NEEDLE("\tSymbol Name", 5, 11),
};

const struct fm_format fm_instruments = {.info = {name, "call trees copied from Instruments", true, false},
                                         FM_NEEDLES(instruments_needles),
                                         .marks = FM_MARK_WORD,
                                         .state_size = sizeof(struct instruments_state),
                                         .firsts = "0123456789WRB",
                                         .offer = instruments_offer,
                                         .is_significant = instruments_is_significant,
                                         .keeps_state = true};
