/* Parses call graphs of `sample` and of Activity Monitor, with their header, and call graphs of spindump and of hang
 * reports. A row is a node of a tree of calls: its indent gives its level, and callers precede their callees.
 *
 *     Call graph:
 *         2397 Thread_16614365   DispatchQueue_1: com.apple.main-thread  (serial)
 *         + 2397 start  (in dyld) + 462  [0x111e8b51e]
 *         +   2397 ???  (in App)  load address 0x10cd17000 + 0x3e30  [0x10cd1ae30]
 *         +   ! 3 main  (in App) + 294  [0x10e3817e6]  main.cc:276
 *
 *     Thread 0x3316    DispatchQueue "com.apple.main-thread"(1)    Thread name "main"    1000 samples (1-1000)
 *     1000  start + 1 (libdyld.dylib + 109769) [0x7fff73618cc9]
 *       997  main + 294 (main.cc:276,6 in App + 6118) [0x10e3817e6]
 *        *997  ipc_mqueue_receive_continue + 0 (kernel + 1020080) [0xffffff80002f90b0]
 *
 * Each path from a thread to a leaf is a trace. The address of a leaf is exact; all other addresses are return
 * addresses. Below "Heaviest stack for …", rows have no indent: each row calls the next. */
#include "formats/native/apple/apple_sample_row.h"
#include "formats/native/call_tree.h"
#include "formats/parsers.h"

static const char sample_name[] = "apple-sample", spindump_name[] = "apple-spindump";
#define SAMPLE_GAP 8 /* up to this many lines of other text may be within one tree */

struct sample_state {
    struct fm_call_tree tree;
    struct fm_sample_levels levels;
    uint64_t number1; /* line number of the last row or title */
    bool flat;        /* the rows form one stack, not a tree */
    framemap_str arch, os_version, process, thread, thread_id, thread_name, queue;
    bool has_pid;
    uint64_t pid;
};

/* --- headers --- */

static void begin_thread(struct sample_state *state, bool flat, uint64_t number1)
{
    state->tree = (struct fm_call_tree){.began = false};
    state->levels = (struct fm_sample_levels){.count = 0};
    state->thread = state->thread_id = state->thread_name = state->queue = (framemap_str){NULL, 0};
    state->flat = flat;
    state->number1 = number1;
}

static framemap_str value_of(framemap_str text)
{
    return fm_str_trim(fm_str_from(text, fm_str_find_byte(text, ':') + 1));
}

/* Parses "Slack [2252]". */
static void sample_read_process(struct sample_state *state, framemap_str value)
{
    const size_t open = fm_str_find_last(value, FM_STR(" ["));
    struct fm_scan s = fm_scan_of(fm_str_from(value, open == FM_NOT_FOUND ? value.size : open + 2));
    state->has_pid = fm_scan_dec(&s, &state->pid, NULL) && fm_scan_byte(&s, ']');
    state->process = fm_str_trim(fm_str_slice(value, 0, open));
}

/* Parses "Google Chrome [18956]", a process in a report of disk writes or wakeups; its call graph follows. */
static void read_powerstats(struct sample_state *state, framemap_str value)
{
    begin_thread(state, false, 0);
    sample_read_process(state, value);
}

static bool read_header(struct sample_state *state, framemap_str text)
{
    if (fm_str_begins(text, FM_STR("Process:")))
        sample_read_process(state, value_of(text));
    else if (fm_str_begins(text, FM_STR("Code Type:")))
        state->arch = fm_apple_arch(value_of(text));
    else if (fm_str_begins(text, FM_STR("Architecture:")))
        state->arch = value_of(text);
    else if (fm_str_begins(text, FM_STR("OS Version:")))
        state->os_version = value_of(text);
    else if (fm_str_begins(text, FM_STR("Command:")))
        state->process = value_of(text);
    else if (fm_str_begins(text, FM_STR("Powerstats for:")))
        read_powerstats(state, value_of(text));
    else
        return false;
    return true;
}

static framemap_trace known_of(const struct sample_state *state)
{
    return (framemap_trace){.arch = state->arch,
                            .os_version = state->os_version,
                            .process_name = state->process,
                            .has_process_id = state->has_pid,
                            .process_id = state->pid,
                            .thread = state->thread,
                            .thread_id = state->thread_id,
                            .thread_name = state->thread_name,
                            .thread_queue = state->queue,
                            .outermost_first = true};
}

/* --- rows --- */

static bool is_open(const struct sample_state *state, const struct fm_line *line)
{
    return state->number1 && line->number1 - state->number1 <= SAMPLE_GAP;
}

/* Whether a row certainly belongs to a call graph. A row such as "3 ??? [0x10]" is certain only if a graph is open. */
static bool convinces(const struct sample_state *state, const struct fm_line *line, const struct fm_sample_row *row)
{
    return is_open(state, line) || !fm_str_equal(row->frame.module, FM_STR("???"));
}

static enum fm_line_role sample_add_row(struct sample_state *state, struct fm_document *doc, const struct fm_line *line,
                                        const char *format, const struct fm_sample_row *row)
{
    if (!is_open(state, line)) begin_thread(state, false, line->number1);
    const framemap_trace known = known_of(state);
    const size_t level = state->flat ? state->levels.count++ : fm_sample_level(&state->levels, row->column);
    framemap_frame frame = row->frame;
    state->number1 = line->number1;
    if (frame.arch.size == 0) frame.arch = state->arch;
    fm_call_tree_calls(&state->tree, doc, format, level, &frame);
    framemap_frame *added = fm_call_tree_add(&state->tree, doc, format, &known, level, line, &frame);
    framemap_frame_extra *extra = added ? fm_document_extra(doc, added) : NULL;
    if (extra == NULL) return FM_ROLE_FRAME;
    extra->has_count = true;
    extra->count = row->count;
    return FM_ROLE_FRAME;
}

/* --- sample --- */

/* Parses the title of a thread: "2397 Thread_16614365   DispatchQueue_1: com.apple.main-thread  (serial)", "2433
 * Thread_13376: worker". */
static bool read_sample_thread(struct sample_state *state, const struct fm_line *line)
{
    struct fm_scan s = fm_scan_of(fm_sample_unindented(line->body));
    uint64_t count;
    framemap_str id;
    if (!fm_scan_dec(&s, &count, NULL) || !fm_scan_blanks1(&s) || !fm_scan_text(&s, FM_STR("Thread_"))) return false;
    if (!fm_scan_word(&s, &id)) return false;
    begin_thread(state, false, line->number1);
    framemap_str rest = fm_str_trim(fm_scan_rest(&s));
    if (id.data[id.size - 1] == ':') {
        id.size--;
        state->thread_name = rest;
    } else if (fm_str_starts(rest, FM_STR("DispatchQueue_"))) {
        state->queue = value_of(rest);
        const size_t kind = fm_str_find_last(state->queue, FM_STR("  ("));
        if (kind != FM_NOT_FOUND) state->queue = fm_str_trim(fm_str_slice(state->queue, 0, kind));
    } else {
        state->thread_name = rest;
    }
    state->thread_id = id;
    state->thread = state->thread_name.size ? state->thread_name : state->queue.size ? state->queue : id;
    return true;
}

static enum fm_line_role sample_offer(void *memory, struct fm_document *doc, const struct fm_line *line)
{
    struct sample_state *state = memory;
    struct fm_sample_row row;
    if (line->first >= 'A' && line->first <= 'Z')
        return read_header(state, fm_str_trim(line->body)) ? FM_ROLE_CONTEXT : FM_ROLE_NONE;
    if (read_sample_thread(state, line)) return FM_ROLE_CONTEXT;
    if (!fm_sample_row(line->body, doc, &row) || !convinces(state, line, &row)) return FM_ROLE_NONE;
    return sample_add_row(state, doc, line, sample_name, &row);
}

static bool sample_is_significant(const struct fm_line *line)
{
    if (line->first >= 'A' && line->first <= 'Z')
        return fm_str_begins(line->body, FM_STR("Process:")) || fm_str_begins(line->body, FM_STR("Code Type:")) ||
               fm_str_begins(line->body, FM_STR("OS Version:"));
    if (fm_str_find(line->body, FM_STR(" Thread_")) != FM_NOT_FOUND) return true;
    return fm_str_find(line->body, FM_STR("  (in ")) != FM_NOT_FOUND &&
           fm_str_find(line->body, FM_STR("[0x")) != FM_NOT_FOUND;
}

/* --- parsing the titles of spindump --- */

/* Returns the text between quotes after a word. */
static framemap_str quoted(framemap_str text, framemap_str word)
{
    const size_t at = fm_str_find(text, word);
    if (at == FM_NOT_FOUND) return (framemap_str){NULL, 0};
    const framemap_str rest = fm_str_from(text, at + word.size);
    return fm_str_slice(rest, 0, fm_str_find_byte(rest, '"'));
}

/* Parses "Thread 0x3316    DispatchQueue "com.apple.main-thread"(1)    Thread name "main"    1000 samples …". */
static bool read_spindump_title(struct sample_state *state, framemap_str text, uint64_t number1)
{
    struct fm_scan s = fm_scan_of(text);
    if (fm_str_begins(text, FM_STR("Heaviest stack"))) {
        begin_thread(state, true, number1);
        state->thread = fm_str_slice(text, 0, fm_str_find_byte(text, ':'));
        return true;
    }
    if (!fm_str_begins(text, FM_STR("Thread 0x")) || !fm_scan_text(&s, FM_STR("Thread "))) return false;
    begin_thread(state, false, number1);
    fm_scan_word(&s, &state->thread_id);
    state->queue = quoted(text, FM_STR("DispatchQueue \""));
    state->thread_name = quoted(text, FM_STR("Thread name \""));
    state->thread = state->thread_name.size ? state->thread_name : state->queue.size ? state->queue : state->thread_id;
    return true;
}

static enum fm_line_role spindump_offer(void *memory, struct fm_document *doc, const struct fm_line *line)
{
    struct sample_state *state = memory;
    struct fm_sample_row row;
    if (line->first >= 'A' && line->first <= 'Z') {
        const framemap_str text = fm_str_trim(line->body);
        return read_spindump_title(state, text, line->number1) || read_header(state, text) ? FM_ROLE_CONTEXT
                                                                                           : FM_ROLE_NONE;
    }
    if (!fm_spindump_row(line->body, is_open(state, line), doc, &row)) return FM_ROLE_NONE;
    if (!convinces(state, line, &row)) return FM_ROLE_NONE;
    return sample_add_row(state, doc, line, spindump_name, &row);
}

static bool spindump_is_significant(const struct fm_line *line)
{
    if (line->first >= 'A' && line->first <= 'Z')
        return fm_str_begins(fm_str_trim(line->body), FM_STR("Thread 0x")) ||
               fm_str_begins(line->body, FM_STR("Heaviest stack")) || fm_str_begins(line->body, FM_STR("Process:")) ||
               fm_str_begins(line->body, FM_STR("OS Version:")) || fm_str_begins(line->body, FM_STR("Architecture:"));
    return fm_str_find(line->body, FM_STR(") [0x")) != FM_NOT_FOUND;
}

/* --- offering lines to one parser for both kinds of reports, each with a state of its own --- */

#define SAMPLE_FIRSTS "0123456789+!:|PCO"
#define SPINDUMP_FIRSTS "0123456789*PHTOAC"

struct graphs_state {
    struct sample_state sample, spindump;
};

static bool is_one_of(const char *firsts, char first) { return first != '\0' && strchr(firsts, first) != NULL; }

static enum fm_line_role graphs_offer(void *memory, struct fm_document *doc, const struct fm_line *line)
{
    struct graphs_state *state = memory;
    enum fm_line_role role = FM_ROLE_NONE;
    if (is_one_of(SAMPLE_FIRSTS, line->first)) role = sample_offer(&state->sample, doc, line);
    if (role == FM_ROLE_FRAME || !is_one_of(SPINDUMP_FIRSTS, line->first)) return role;
    const enum fm_line_role other = spindump_offer(&state->spindump, doc, line);
    return other == FM_ROLE_NONE ? role : other;
}

static bool graphs_is_significant(const struct fm_line *line)
{
    return (is_one_of(SAMPLE_FIRSTS, line->first) && sample_is_significant(line)) ||
           (is_one_of(SPINDUMP_FIRSTS, line->first) && spindump_is_significant(line));
}

static const struct fm_needle graphs_needles[] = {
    FM_NEEDLE("Process:", 4, 9), FM_NEEDLE("Code Type:", 6, 9),       FM_NEEDLE("OS Version:", 0, 1),
    FM_NEEDLE(" Thread_", 1, 4), FM_NEEDLE("Heaviest stack", 4, 8),   FM_NEEDLE("Architecture:", 9, 9),
    FM_NEEDLE("Command:", 4, 9), FM_NEEDLE("Powerstats for:", 11, 9),
};

const struct fm_format fm_apple_sample = {
    .info = {sample_name, "call graphs of Apple's sample tool and Activity Monitor", true, false},
    FM_NEEDLES(graphs_needles),
    .id_form = FM_ID_UUID,
    .state_size = sizeof(struct graphs_state),
    .firsts = SAMPLE_FIRSTS SPINDUMP_FIRSTS,
    .offer = graphs_offer,
    .is_significant = graphs_is_significant,
    .print_frame = fm_sample_print_frame};

const struct fm_format fm_apple_spindump = {
    .info = {spindump_name, "call graphs of Apple's spindump: hangs, CPU and disk reports", true, false},
    FM_NEEDLES(graphs_needles),
    .id_form = FM_ID_UUID,
    .state_size = sizeof(struct sample_state),
    .firsts = SPINDUMP_FIRSTS,
    .parsed_by_earlier = true,
    .offer = spindump_offer,
    .is_significant = spindump_is_significant,
    .print_frame = fm_spindump_print_frame};
