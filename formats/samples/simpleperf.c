/* Parses the output of Android's simpleperf. "simpleperf report" has a row for each function:
 *
 *     Overhead  Command   Pid   Tid   Shared Object               Symbol
 *     83.54%    Thread-2  6885  6900  /data/app/lib/libdemo.so    libdemo.so[+1344]
 *            |
 *            -- libdemo.so[+1344]
 *               |--50.00%-- outer(int)
 *               |           main
 *
 * "simpleperf report-sample" has three lines for each frame:
 *
 *     sample:
 *       thread_id: 6900
 *       thread_name: Thread-2
 *       vaddr_in_file: 1344
 *       file: /data/app/lib/libdemo.so
 *       symbol: libdemo.so[+1344]
 *       callchain:
 *         vaddr_in_file: 13d0
 *         ...
 *
 * Addresses are addresses in the file, and those of calls. A function without a name is printed as a file with an
 * address. Each row, each branch of a tree and each sample is a trace, innermost frame first. */
#include "formats/native/native_parts.h"
#include "formats/parsers.h"

static const char name[] = "simpleperf";
#define SIMPLEPERF_GAP 8 /* maximum number of lines from a row to the next row */
enum { COLUMNS = 12, INDENT = 7 /* INDENT is the column at which trees begin */ };

enum section { OUTSIDE, ROWS, SAMPLES };

struct simpleperf_state {
    enum section section;
    uint64_t number1;         /* number of the last line of the current section */
    uint32_t starts[COLUMNS]; /* for each column of a row: the offset where it begins */
    uint8_t kinds[COLUMNS];   /* for each column of a row: its kind, a value of enum column */
    size_t columns;
    framemap_str comm, pid, tid; /* process and thread of the current row or sample */
    framemap_str address, file;  /* address and file of the next frame, which precede its symbol */
    bool fresh;                  /* the next frame begins a stack */
};

static bool is_sample(const struct fm_line *line) { return fm_str_equal(fm_str_trim(line->body), FM_STR("sample:")); }

/* Parses "KEY: VALUE". */
static bool value_of(const struct fm_line *line, framemap_str key, framemap_str *value)
{
    const framemap_str text = fm_str_trim(line->body);
    if (!fm_str_starts(text, key)) return false;
    *value = fm_str_trim(fm_str_from(text, key.size));
    return true;
}

/* --- frames --- */

/* Parses a symbol such as "f(int)". The symbol of a frame that framemap restored has a position: "f(int)
 * (src/a.cc:7:3)". */
static void read_symbol(framemap_str symbol, framemap_frame *frame)
{
    framemap_str group;
    frame->function = symbol;
    if (!fm_row_group(&symbol, &group) || symbol.size == 0) return;
    if (fm_row_location(group, &frame->file, &frame->line, &frame->column)) frame->function = symbol;
}

static uint64_t number_in(framemap_str text)
{
    struct fm_scan s = fm_scan_of(text);
    uint64_t number = 0;
    return fm_scan_dec(&s, &number, NULL) && fm_scan_done(&s) ? number : 0;
}

/* Reads the members of a sample that are above its first address. */
static void look_above(struct simpleperf_state *state, struct fm_document *doc, const struct fm_line *line)
{
    struct fm_look_back back = fm_look_back_from(doc, line, fm_document_last_end(doc), SIMPLEPERF_GAP);
    for (struct fm_line *before; (before = fm_look_back_next(&back)) != NULL;) {
        if (!fm_line_cut(before) || is_sample(before)) return;
        if (!value_of(before, FM_STR("thread_id:"), &state->tid))
            (void)value_of(before, FM_STR("thread_name:"), &state->comm);
    }
}

static framemap_trace *begin_stack(struct simpleperf_state *state, struct fm_document *doc, const struct fm_line *line)
{
    framemap_trace *trace = fm_document_trace(doc, name, line);
    if (trace == NULL) return NULL;
    if (state->section == SAMPLES && state->tid.size == 0) look_above(state, doc, line);
    trace->thread = trace->thread_name = state->comm;
    trace->thread_id = state->tid;
    trace->process_id = number_in(state->pid);
    trace->has_process_id = trace->process_id != 0;
    state->fresh = false;
    return trace;
}

/* Whether a frame has a file. For kernel symbols and bytecode there is no file with symbols. */
static bool has_file(framemap_str path) { return path.size && path.data[0] != '['; }

static enum fm_line_role simpleperf_add_frame(struct simpleperf_state *state, struct fm_document *doc,
                                              const struct fm_line *line, framemap_str symbol)
{
    framemap_frame frame = FM_FRAME_INIT;
    struct fm_line part = *line;
    framemap_str file = {NULL, 0};
    state->number1 = line->number1;
    const bool named = !fm_row_place_in_file(symbol, &file, &frame.address);
    if (state->file.size) file = state->file;
    if (file.size) fm_native_set_module(&frame, file);
    if (named) read_symbol(symbol, &frame);
    struct fm_scan s = fm_scan_of(state->address);
    frame.has_address = !named || (state->address.size && fm_row_hex(&s, &frame.address) == FM_DIGITS_FIT);
    if (frame.has_address) frame.address_kind = FRAMEMAP_ADDRESS_LINKED;
    fm_native_mark_named(&frame);
    if (!has_file(file)) frame.status = FRAMEMAP_FRAME_NOT_NEEDED;
    state->address = state->file = fm_str(NULL, 0);
    if ((state->fresh || fm_document_open(doc, name) == NULL) && begin_stack(state, doc, line) == NULL)
        return FM_ROLE_FRAME;
    part.body = symbol;
    fm_document_frame(doc, &part, &frame);
    return FM_ROLE_FRAME;
}

/* --- rows --- */

enum column { COLUMN_OTHER, COLUMN_COMM, COLUMN_PID, COLUMN_TID, COLUMN_FILE, COLUMN_SYMBOL };

static enum column column_of(framemap_str title)
{
    static const struct {
        framemap_str title;
        enum column column;
    } titles[] = {{FM_STR_INIT("Command"), COLUMN_COMM},
                  {FM_STR_INIT("Pid"), COLUMN_PID},
                  {FM_STR_INIT("Tid"), COLUMN_TID},
                  {FM_STR_INIT("Shared Object"), COLUMN_FILE},
                  {FM_STR_INIT("Symbol"), COLUMN_SYMBOL}};
    for (size_t i = 0; i < sizeof titles / sizeof *titles; i++)
        if (fm_str_equal(title, titles[i].title)) return titles[i].column;
    return COLUMN_OTHER;
}

/* Parses the row of titles, "Overhead  Command  Pid  ...  Symbol". Titles are separated by at least two blanks; the
 * last one is the title of the symbols. */
static bool read_titles(framemap_str text, struct simpleperf_state *state)
{
    if (!fm_str_starts(text, FM_STR("Overhead  ")) && !fm_str_starts(text, FM_STR("Children  "))) return false;
    state->columns = 0;
    for (size_t at = 0; at < text.size && state->columns < COLUMNS;) {
        const framemap_str rest = fm_str_from(text, at);
        const size_t gap = fm_str_find(rest, FM_STR("  "));
        state->starts[state->columns] = (uint32_t)at;
        state->kinds[state->columns++] = (uint8_t)column_of(fm_str_slice(rest, 0, gap));
        if (gap == FM_NOT_FOUND) break;
        for (at += gap; at < text.size && text.data[at] == ' ';) at++;
    }
    return state->columns > 2 && state->kinds[state->columns - 1] == COLUMN_SYMBOL;
}

static bool is_percentage(framemap_str word)
{
    return word.size > 2 && fm_is_digit(word.data[0]) && word.data[word.size - 1] == '%';
}

static framemap_str column_text(const struct simpleperf_state *state, framemap_str text, size_t column)
{
    const size_t from = state->starts[column];
    const size_t to = column + 1 < state->columns ? state->starts[column + 1] : text.size;
    return from < text.size ? fm_str_trim(fm_str_slice(text, from, to < text.size ? to : text.size)) : fm_str(NULL, 0);
}

static enum fm_line_role take_row(struct simpleperf_state *state, struct fm_document *doc, const struct fm_line *line,
                                  framemap_str text)
{
    if (!is_percentage(column_text(state, text, 0))) return FM_ROLE_NONE;
    framemap_str *const fields[] = {[COLUMN_COMM] = &state->comm,
                                    [COLUMN_PID] = &state->pid,
                                    [COLUMN_TID] = &state->tid,
                                    [COLUMN_FILE] = &state->file};
    for (size_t i = 0; i + 1 < state->columns; i++)
        if (state->kinds[i] != COLUMN_OTHER) *fields[state->kinds[i]] = column_text(state, text, i);
    const framemap_str symbol = column_text(state, text, state->columns - 1);
    if (symbol.size == 0) return FM_ROLE_NONE;
    state->fresh = true;
    return simpleperf_add_frame(state, doc, line, symbol);
}

/* Handles a line of the tree below a row: "|--50.00%-- f", "-- f", "| f". The first line of a tree repeats the
 * function of the row above it. */
static enum fm_line_role take_branch(struct simpleperf_state *state, struct fm_document *doc,
                                     const struct fm_line *line, framemap_str text)
{
    size_t at = 0;
    while (at < text.size && (text.data[at] == ' ' || text.data[at] == '|')) at++;
    framemap_str rest = fm_str_from(text, at);
    const bool is_head = fm_str_starts(rest, FM_STR("--"));
    const size_t end = is_head ? fm_str_find(rest, FM_STR("-- ")) : 0;
    if (end == FM_NOT_FOUND || end > 10) return FM_ROLE_NONE;
    /* number1 is changed only by lines that belong to the section, so that other lines end the section */
    state->number1 = line->number1;
    if (rest.size == 0) return FM_ROLE_CONTEXT;
    if (is_head) {
        if (at == INDENT) return FM_ROLE_CONTEXT;
        /* A percentage shows that this line begins a branch for one of several callers, so another stack begins. */
        if (end > 0) state->fresh = true;
        rest = fm_str_from(rest, end + 3);
    }
    return simpleperf_add_frame(state, doc, line, rest);
}

static enum fm_line_role take_line(struct simpleperf_state *state, struct fm_document *doc, const struct fm_line *line)
{
    const framemap_str text = line->body;
    if (text.size && !fm_is_blank(text.data[0])) return take_row(state, doc, line, text);
    return text.size > INDENT && fm_str_trim(fm_str(text.data, INDENT)).size == 0 ? take_branch(state, doc, line, text)
                                                                                  : FM_ROLE_NONE;
}

/* --- samples --- */

static enum fm_line_role take_member(struct simpleperf_state *state, struct fm_document *doc,
                                     const struct fm_line *line)
{
    framemap_str symbol, ignored;
    if (value_of(line, FM_STR("symbol: "), &symbol) && symbol.size)
        return simpleperf_add_frame(state, doc, line, symbol);
    if (!value_of(line, FM_STR("thread_id:"), &state->tid) && !value_of(line, FM_STR("thread_name:"), &state->comm) &&
        !value_of(line, FM_STR("vaddr_in_file:"), &state->address) && !value_of(line, FM_STR("file:"), &state->file) &&
        !value_of(line, FM_STR("event_type:"), &ignored) && !value_of(line, FM_STR("time:"), &ignored) &&
        !value_of(line, FM_STR("event_count:"), &ignored) && !value_of(line, FM_STR("callchain:"), &ignored))
        return FM_ROLE_NONE;
    state->number1 = line->number1;
    return FM_ROLE_CONTEXT;
}

/* --- offering lines to the parser --- */

static bool is_address(const struct fm_line *line)
{
    return fm_str_starts(fm_str_trim(line->body), FM_STR("vaddr_in_file: "));
}

static bool simpleperf_is_significant(const struct fm_line *line)
{
    struct simpleperf_state ignored;
    return is_address(line) || read_titles(line->body, &ignored);
}

static enum fm_line_role simpleperf_offer(void *memory, struct fm_document *doc, const struct fm_line *line)
{
    struct simpleperf_state *state = memory, titles = {.section = ROWS, .number1 = line->number1};
    if (read_titles(line->body, &titles)) {
        *state = titles;
        return FM_ROLE_CONTEXT;
    }
    if (line->number1 - state->number1 > SIMPLEPERF_GAP || line->begins)
        *state = (struct simpleperf_state){.fresh = true};
    if (is_address(line)) state->section = SAMPLES;
    if (state->section == OUTSIDE) return FM_ROLE_NONE;
    if (!is_sample(line)) return state->section == ROWS ? take_line(state, doc, line) : take_member(state, doc, line);
    *state = (struct simpleperf_state){.section = SAMPLES, .number1 = line->number1, .fresh = true};
    return FM_ROLE_CONTEXT;
}

/* --- printing rows of frames --- */

static void simpleperf_print_frame(struct fm_buf *out, const framemap_frame *frame, framemap_str prefix,
                                   framemap_str eol)
{
    for (size_t i = 0; i < frame->restored.count; i++) {
        const framemap_frame *source = &frame->restored.frames[i];
        if (i) fm_row_begin_line(out, prefix, eol);
        fm_buf_str(out, fm_row_name(source));
        if (source->file.size == 0) continue;
        fm_buf_str(out, FM_STR(" ("));
        fm_row_put_location(out, source);
        fm_buf_byte(out, ')');
    }
}

static const struct fm_needle simpleperf_needles[] = {FM_NEEDLE("vaddr_in_file: ", 1, 14),
                                                      FM_NEEDLE("Overhead  ", 0, 1), FM_NEEDLE("Children  ", 2, 14)};

const struct fm_format fm_simpleperf = {.info = {name, "reports and samples of Android's simpleperf", true, false},
                                        FM_NEEDLES(simpleperf_needles),
                                        .marks = FM_MARK_WORD,
                                        .state_size = sizeof(struct simpleperf_state),
                                        .firsts = "vOC",
                                        .keeps_state = true,
                                        .offer = simpleperf_offer,
                                        .is_significant = simpleperf_is_significant,
                                        .print_frame = simpleperf_print_frame};
