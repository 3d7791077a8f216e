/* Call trees as Instruments copies them ("Deep Copy"), in columns that tabs separate:
 *
 *     Weight  Self Weight             Symbol Name
 *     96.08 Gc  100.0%        -               Shop (40414)
 *     96.08 Gc  100.0%        -                start
 *     47.82 Gc   49.7%        404.75 Mc         main
 *
 * The indent of the last column gives the level, callers first; the first row may be the process. There are names only,
 * so no frame needs symbols. Each path from a root to a leaf is a trace. */
#include "formats/native/apple_sample_row.h"
#include "formats/native/call_tree.h"
#include "formats/parsers.h"

static const char name[] = "instruments";

struct instruments_state {
    bool open; /* rows follow the title */
    uint64_t number1;
    struct fm_call_tree tree;
    struct fm_sample_levels levels;
    framemap_str process, thread;
    bool has_pid;
    uint64_t pid;
};

static bool is_title(framemap_str text)
{
    return fm_str_ends(text, FM_STR("Symbol Name")) &&
           (fm_str_begins(text, FM_STR("Weight\t")) || fm_str_begins(text, FM_STR("Running Time\t")));
}

/* "Shop (40414)" */
static bool read_process(struct instruments_state *state, framemap_str text)
{
    const size_t at = fm_str_find_last(text, FM_STR(" ("));
    struct fm_scan s = fm_scan_of(fm_str_from(text, at == FM_NOT_FOUND ? text.size : at + 2));
    state->has_pid = fm_scan_dec(&s, &state->pid, NULL) && fm_scan_byte(&s, ')');
    state->process = state->has_pid ? fm_str_slice(text, 0, at) : (framemap_str){NULL, 0};
    return state->has_pid;
}

static bool is_thread(framemap_str text)
{
    const size_t at = fm_str_find_last(text, FM_STR("  0x"));
    return at != FM_NOT_FOUND && fm_str_find_byte(fm_str_from(text, at + 2), ' ') == FM_NOT_FOUND;
}

/* Adds a node; text: the last column. */
static bool add_row(struct instruments_state *state, struct fm_document *doc, const struct fm_line *line,
                    framemap_str text)
{
    size_t column = 0;
    while (column < text.size && text.data[column] == ' ') column++;
    text = fm_str_trim(text);
    if (text.size == 0) return false;
    const bool is_process = column == 0 && read_process(state, text);
    if (is_process || is_thread(text)) {
        state->tree = (struct fm_call_tree){.began = false};
        state->levels = (struct fm_sample_levels){.count = 0};
        state->thread = is_process ? (framemap_str){NULL, 0} : text;
        return true;
    }
    const framemap_trace known = {.process_name = state->process,
                                  .has_process_id = state->has_pid,
                                  .process_id = state->has_pid ? state->pid : 0,
                                  .thread = state->thread,
                                  .outermost_first = true};
    const framemap_frame frame = {
        .kind = FRAMEMAP_KIND_OTHER, .status = FRAMEMAP_FRAME_NOT_NEEDED, .index = -1, .function = text};
    const size_t level = fm_sample_level(&state->levels, column);
    fm_call_tree_add(&state->tree, doc, name, &known, level, line, &frame);
    return true;
}

static enum fm_line_role instruments_offer(void *memory, struct fm_document *doc, const struct fm_line *line)
{
    struct instruments_state *state = memory;
    if (is_title(fm_str_trim(line->body))) {
        *state = (struct instruments_state){.open = true, .number1 = line->number1};
        return FM_ROLE_CONTEXT;
    }
    if (!state->open) return FM_ROLE_NONE;
    const size_t tab = fm_str_find_last_byte(line->body, '\t');
    state->open = line->number1 - state->number1 <= 1 && tab != FM_NOT_FOUND && fm_is_digit(line->first) &&
                  add_row(state, doc, line, fm_str_from(line->body, tab + 1));
    state->number1 = line->number1;
    return state->open ? FM_ROLE_FRAME : FM_ROLE_NONE;
}

static bool instruments_is_significant(const struct fm_line *line) { return is_title(fm_str_trim(line->body)); }

static const struct fm_needle instruments_needles[] = {
    FM_NEEDLE("\tSymbol Name", 0, 15),
};

const struct fm_format fm_instruments = {.info = {name, "call trees copied from Instruments", true, false},
                                         FM_NEEDLES(instruments_needles),
                                         .state_size = sizeof(struct instruments_state),
                                         .firsts = "0123456789WR",
                                         .offer = instruments_offer,
                                         .is_significant = instruments_is_significant,
                                         .keeps_state = true};
