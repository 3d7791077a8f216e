/* Reports of Dr. Memory. On a console each line begins with a mark, "~~Dr.M~~"; in a file it does not:
 *
 *     ~~Dr.M~~ Error #1: UNADDRESSABLE ACCESS: reading 0x00ee82a3-0x00ee82a4 1 byte(s)
 *     ~~Dr.M~~ # 0 shop.exe!cart::add       [c:\src\cart.cc:12]
 *     ~~Dr.M~~ # 1 KERNEL32.dll!BaseThreadInitThunk
 *     ~~Dr.M~~ Note: @0:00:00.188 in thread 3300
 *     ~~Dr.M~~ Note: 0x00ee82a3-0x00ee82a4 overlaps memory 0x00ee82a0-0x00ee82b8 that was freed here:
 *     ~~Dr.M~~ Note: # 0 replace_free       [/src/alloc_replace.c:2706]
 *
 * Nothing is looked up: the rows have names. */
#include "formats/native/native_parts.h"
#include "formats/parsers.h"

static const char name[] = "drmemory";
#define DRMEMORY_GAP 4 /* up to this many lines of other text may be within one stack */

struct drmemory_state {
    framemap_str error;   /* title of the last error, until a stack gets it */
    framemap_str process; /* the program that was checked */
    /* pid: id of the program's process; number1: number of the last line that is a title or a row, 0 if there
     * was none */
    uint64_t pid, number1;
    uint64_t main;      /* number of the error's trace */
    framemap_role role; /* role of the next stack */
    bool has_pid, has_trace;
};

/* Cuts off the mark "~~Dr.M~~" and the blanks around it. */
static framemap_str without_mark(framemap_str text)
{
    static const framemap_str mark = FM_STR_INIT("~~Dr.M~~");
    text = fm_str_trim(text);
    return fm_str_starts(text, mark) ? fm_str_trim(fm_str_from(text, mark.size)) : text;
}

/* Returns the body of a line, including the "# " before it. A row begins with "# " like a quoted line, so these two
 * bytes were taken for a mark of quoting. */
static framemap_str whole_body(const struct fm_line *line)
{
    const framemap_str body = line->body;
    const bool cut = line->printed.data == NULL && body.data >= line->text.data + 2 && body.data[-2] == '#';
    return cut ? fm_str(body.data - 2, body.size + 2) : body;
}

/* Parses "Error #1: UNADDRESSABLE ACCESS: …". */
static bool read_error(framemap_str text, framemap_str *error)
{
    struct fm_scan s = fm_scan_of(text);
    uint64_t number;
    if (!fm_scan_text(&s, FM_STR("Error #")) || !fm_scan_dec(&s, &number, NULL) || !fm_scan_text(&s, FM_STR(": ")))
        return false;
    *error = fm_scan_rest(&s);
    return true;
}

/* Parses "Dr. Memory results for pid 3452: "shop.exe"". */
static bool drmemory_read_process(framemap_str text, uint64_t *pid, framemap_str *process)
{
    struct fm_scan s = fm_scan_of(text);
    if (!fm_scan_text(&s, FM_STR("Dr. Memory results for pid ")) || !fm_scan_dec(&s, pid, NULL) ||
        !fm_scan_text(&s, FM_STR(": \"")))
        return false;
    return fm_scan_until(&s, '"', process);
}

/* Returns the type of an error: "UNADDRESSABLE ACCESS" for "UNADDRESSABLE ACCESS: reading …", "LEAK" for "LEAK 15
 * direct bytes …". */
static framemap_str type_of(framemap_str error)
{
    const size_t colon = fm_str_find_byte(error, ':');
    framemap_str type = fm_str_slice(error, 0, colon);
    for (size_t i = 1; i < type.size; i++)
        if (type.data[i - 1] == ' ' && fm_is_digit(type.data[i])) type.size = i - 1;
    return type;
}

/* Parses "# 0 shop.exe!cart::add   [c:\src\cart.cc:12]", "# 1 <not in a module> (0x00000000)". */
static bool drmemory_parse_row(framemap_str text, framemap_frame *frame)
{
    struct fm_scan s = fm_scan_of(text);
    *frame = FM_FRAME_INIT;
    if (!fm_scan_byte(&s, '#')) return false;
    fm_scan_blanks(&s);
    if (!fm_row_index(&s, &frame->index) || !fm_scan_blanks1(&s)) return false;
    framemap_str rest = fm_str_trim(fm_scan_rest(&s)), group;
    frame->status = FRAMEMAP_FRAME_NOT_NEEDED;
    const size_t open = fm_str_find_last(rest, FM_STR(" ["));
    if (open != FM_NOT_FOUND && rest.data[rest.size - 1] == ']' &&
        fm_row_location(fm_str_slice(rest, open + 2, rest.size - 1), &frame->file, &frame->line, &frame->column))
        rest = fm_str_trim(fm_str(rest.data, open));
    if (fm_str_starts(rest, FM_STR("<not in a module>"))) {
        framemap_str left = rest;
        if (!fm_row_group(&left, &group)) return true;
        struct fm_scan digits = fm_scan_of(group);
        frame->has_address = fm_row_0xhex(&digits, &frame->address) == FM_DIGITS_FIT;
        if (frame->has_address) frame->address_kind = FRAMEMAP_ADDRESS_ABSOLUTE;
        frame->status = FRAMEMAP_FRAME_UNKNOWN_IMAGE;
        frame->reason = "the address is in no module";
        return true;
    }
    const size_t bang = fm_str_find_byte(rest, '!');
    if (bang != FM_NOT_FOUND && bang > 0 && fm_str_find_byte(fm_str(rest.data, bang), ' ') == FM_NOT_FOUND) {
        fm_native_set_module(frame, fm_str(rest.data, bang));
        rest = fm_str_from(rest, bang + 1);
    }
    framemap_str left = rest; /* the text after the name may be "+0x12   (0x00401012 <shop.exe+0x1012>)" */
    if (fm_row_group(&left, &group) && fm_str_starts(group, FM_STR("0x"))) {
        struct fm_scan digits = fm_scan_of(group);
        frame->has_address = fm_row_0xhex(&digits, &frame->address) == FM_DIGITS_FIT;
        if (frame->has_address) frame->address_kind = FRAMEMAP_ADDRESS_ABSOLUTE;
        rest = fm_str_trim(left);
    }
    const size_t plus = fm_str_find_last(rest, FM_STR(" +0x"));
    if (plus != FM_NOT_FOUND) {
        struct fm_scan digits = fm_scan_of(fm_str_from(rest, plus + 2));
        frame->has_function_offset = fm_row_0xhex(&digits, &frame->function_offset) == FM_DIGITS_FIT;
        rest = fm_str_trim(fm_str(rest.data, plus));
    }
    if (!fm_str_equal(rest, FM_STR("?"))) frame->function = rest;
    if (frame->function.size == 0) {
        frame->status = FRAMEMAP_FRAME_UNKNOWN_IMAGE;
        frame->reason = "the report does not say which build of the module it is";
    }
    return rest.size != 0;
}

/* Reads a note below a stack: it names the thread of this stack, or states that the next stack is the one that freed or
 * allocated the memory. */
static void read_note(struct drmemory_state *state, struct fm_document *doc, framemap_str note, uint64_t number1)
{
    static const framemap_str thread = FM_STR_INIT(" in thread ");
    framemap_trace *trace = fm_document_open(doc, name);
    const size_t at = fm_str_find(note, thread);
    if (fm_str_starts(note, FM_STR("@")) && at != FM_NOT_FOUND && trace && trace->thread.size == 0)
        trace->thread = trace->thread_id = fm_str_from(note, at + thread.size);
    if (fm_str_ends(note, FM_STR("freed here:")))
        state->role = FRAMEMAP_ROLE_FREED_BY;
    else if (fm_str_ends(note, FM_STR("allocated here:")))
        state->role = FRAMEMAP_ROLE_ALLOCATED_BY;
    else
        return;
    state->number1 = number1;
    state->has_trace = false;
}

static framemap_trace *drmemory_begin(struct drmemory_state *state, struct fm_document *doc, const struct fm_line *line)
{
    framemap_trace *trace = fm_document_trace(doc, name, line);
    if (trace == NULL) return NULL;
    trace->has_process_id = state->has_pid;
    trace->process_id = state->pid;
    trace->process_name = state->process;
    trace->role = state->role;
    if (state->role != FRAMEMAP_ROLE_NONE) {
        trace->part_of = state->main;
    } else {
        state->main = trace->number;
        trace->exception = trace->exception_message = state->error;
        trace->exception_type = type_of(state->error);
    }
    state->has_trace = true;
    state->role = FRAMEMAP_ROLE_NONE;
    return trace;
}

static bool drmemory_is_significant(const struct fm_line *line)
{
    framemap_str text, ignored;
    uint64_t pid;
    text = without_mark(line->body);
    return read_error(text, &ignored) || drmemory_read_process(text, &pid, &ignored);
}

static enum fm_line_role drmemory_offer(void *memory, struct fm_document *doc, const struct fm_line *line)
{
    struct drmemory_state *state = memory;
    static const framemap_str note = FM_STR_INIT("Note: ");
    framemap_frame frame;
    framemap_str text = without_mark(whole_body(line));
    if (drmemory_read_process(text, &state->pid, &state->process)) {
        state->has_pid = true;
        return FM_ROLE_CONTEXT;
    }
    if (read_error(text, &state->error)) {
        state->number1 = line->number1;
        state->has_trace = false;
        state->role = FRAMEMAP_ROLE_NONE;
        return FM_ROLE_CONTEXT;
    }
    if (state->number1 == 0 || line->number1 - state->number1 > DRMEMORY_GAP || line->begins) return FM_ROLE_NONE;
    const bool is_note = fm_str_starts(text, note);
    if (is_note) text = fm_str_trim(fm_str_from(text, note.size));
    if (!drmemory_parse_row(text, &frame)) {
        if (is_note) read_note(state, doc, text, line->number1);
        return FM_ROLE_NONE;
    }
    framemap_trace *trace = state->has_trace ? fm_document_open(doc, name) : NULL;
    if (trace == NULL) trace = drmemory_begin(state, doc, line);
    if (trace == NULL) return FM_ROLE_FRAME;
    fm_document_frame(doc, line, &frame);
    state->number1 = line->number1;
    return FM_ROLE_FRAME;
}

static const struct fm_needle drmemory_needles[] = {FM_NEEDLE("Dr. Memory results for pid ", 23, 2),
                                                    FM_NEEDLE("Error #", 3, 9)};

const struct fm_format fm_drmemory = {.info = {name, "reports of Dr. Memory (# 0 app!f [a.c:7])", true, false},
                                      FM_NEEDLES(drmemory_needles),
                                      .marks = FM_MARK_WORD,
                                      .firsts = "~ED",
                                      .state_size = sizeof(struct drmemory_state),
                                      .keeps_state = true,
                                      .offer = drmemory_offer,
                                      .is_significant = drmemory_is_significant};
