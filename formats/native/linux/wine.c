/* Backtraces of winedbg, which Wine starts when a program crashes:
 *
 *     Unhandled exception: page fault on read access to 0x00000000 in 64-bit code (0x000140001591).
 *     Register dump:
 *     …
 *     Backtrace:
 *     =>0 0x000140001591 add+0x21(n=0x3) [Z:\src\cart.c:12] in shop (0x00000011fe30)
 *       1 0x00006ffff9e7e734 DbgBreakPoint+0x4() in ntdll (0x00000011fe60)
 *       2 0x00000001400012ab in shop (+0x12ab) (0x00000011fe90)
 *       3 0x00000003 (0x00905a4d)
 *
 * "bt all" prints a title before the stack of each thread. Nothing is looked up: the rows have names. */
#include "formats/native/native_parts.h"
#include "formats/parsers.h"

static const char name[] = "wine";
#define WINE_GAP 3 /* up to this many lines of other text may be within one stack */
/* maximum number of lines between the exception and the first row: registers and a dump of the stack */
#define FAR 200

struct wine_state {
    /* exception, thread and process, read above a stack and kept until the stack begins */
    framemap_str exception, thread, process;
    /* exception1: number of the line with the exception; thread1: number of the line with the thread */
    uint64_t exception1, thread1;
    uint64_t number1; /* line number of the last row; 0: there was no row */
};

/* Reads " in MODULE" at the end of a row whose groups in parentheses were cut off. Returns the text before it. */
static framemap_str cut_module(framemap_str text, framemap_frame *frame)
{
    static const framemap_str in = FM_STR_INIT(" in ");
    const size_t at = fm_str_find_last(text, in);
    const bool alone = at == FM_NOT_FOUND && fm_str_starts(text, FM_STR("in "));
    if (at == FM_NOT_FOUND && !alone) return text;
    fm_native_set_module(frame, fm_str_trim(fm_str_from(text, alone ? 3 : at + in.size)));
    return fm_str(text.data, alone ? 0 : at);
}

/* Parses " in shop (+0x12ab)". */
static bool read_offset(framemap_str text, framemap_frame *frame)
{
    framemap_str rest = text, group;
    uint64_t offset;
    if (!fm_row_group(&rest, &group)) return false;
    struct fm_scan s = fm_scan_of(group);
    if (!fm_scan_byte(&s, '+') || fm_row_0xhex(&s, &offset) != FM_DIGITS_FIT || !fm_scan_done(&s)) return false;
    (void)cut_module(rest, frame);
    frame->has_absolute_address = true;
    frame->absolute_address = frame->address;
    frame->address = offset;
    frame->address_kind = FRAMEMAP_ADDRESS_IMAGE;
    return frame->module.size != 0;
}

/* Parses "add+0x21(n=0x3) [Z:\src\cart.c:12] in shop". */
static void read_function(framemap_str text, framemap_frame *frame)
{
    text = fm_str_trim(cut_module(text, frame));
    const size_t open = fm_str_find_last(text, FM_STR(" ["));
    if (open != FM_NOT_FOUND && text.data[text.size - 1] == ']') {
        (void)fm_row_location(fm_str_slice(text, open + 2, text.size - 1), &frame->file, &frame->line, &frame->column);
        text = fm_str_trim(fm_str(text.data, open));
    }
    size_t arguments;
    if (fm_row_open(text, &arguments)) text = fm_str_trim(fm_str(text.data, arguments));
    if (!fm_row_distance(text, true, &frame->function, &frame->function_offset))
        frame->function = text;
    else
        frame->has_function_offset = true;
}

/* Parses a row. *first: the row begins with "=>", which marks the current frame. */
static bool wine_parse_row(framemap_str text, framemap_frame *frame, bool *first)
{
    struct fm_scan s = fm_scan_of(text);
    framemap_str group;
    *frame = FM_FRAME_INIT;
    *first = fm_scan_text(&s, FM_STR("=>"));
    if (!fm_row_index(&s, &frame->index) || !fm_scan_blanks1(&s)) return false;
    const enum fm_digits digits = fm_row_0xhex(&s, &frame->address);
    if (digits == FM_DIGITS_NONE || !fm_scan_blanks1(&s)) return false;
    frame->has_address = true;
    frame->address_kind = FRAMEMAP_ADDRESS_ABSOLUTE;
    framemap_str rest = fm_scan_rest(&s), left = rest;
    /* The last group of a row is the frame pointer, unless it is an offset such as "(+0x12ab)". */
    if (fm_row_group(&left, &group) && !fm_str_starts(group, FM_STR("+0x"))) rest = left;
    if (!read_offset(rest, frame) && fm_str_trim(rest).size) read_function(rest, frame);
    frame->status = FRAMEMAP_FRAME_NOT_NEEDED;
    if (frame->function.size == 0) {
        frame->status = FRAMEMAP_FRAME_UNKNOWN_IMAGE;
        frame->reason = "the stack does not say which build of the module it is";
    }
    if (digits == FM_DIGITS_LONG) fm_row_malformed(frame, FM_LONG_ADDRESS);
    return true;
}

/* Parses lines above a stack: "Unhandled exception: …", "wine: Unhandled … (thread 0024), starting debugger",
 * "Backtracing for thread 0009 in process 0008 (Z:\app.exe):". */
static bool read_title(struct wine_state *state, framemap_str text, uint64_t number1)
{
    static const framemap_str unhandled = FM_STR_INIT("Unhandled exception: "), start = FM_STR_INIT("wine: Unhandled "),
                              thread = FM_STR_INIT("(thread "), dump = FM_STR_INIT("Backtracing for thread "),
                              process = FM_STR_INIT(" in process ");
    framemap_str group;
    struct fm_scan s;
    if (fm_str_starts(text, unhandled)) {
        const framemap_str what = fm_str_from(text, unhandled.size);
        const size_t code = fm_str_find(what, FM_STR("-bit code"));
        if (code == FM_NOT_FOUND) return false;
        state->exception = what;
        state->exception1 = number1;
        return true;
    }
    const size_t at = fm_str_find(text, fm_str_starts(text, start) ? thread : process);
    if (at == FM_NOT_FOUND) return false;
    if (fm_str_starts(text, start)) {
        s = fm_scan_of(fm_str_from(text, at + thread.size));
        if (!fm_scan_until(&s, ')', &state->thread)) return false;
    } else {
        if (!fm_str_starts(text, dump) || at < dump.size) return false;
        state->thread = fm_str_slice(text, dump.size, at);
        state->exception = (framemap_str){NULL, 0};
        framemap_str rest = fm_str_ends(text, FM_STR(":")) ? fm_str(text.data, text.size - 1) : text;
        state->process = fm_row_group(&rest, &group) ? group : (framemap_str){NULL, 0};
    }
    state->thread1 = number1;
    return true;
}

/* Returns the type of an exception: "page fault" for "page fault on read access to 0x00000000 in 32-bit code
 * (0x01fc9328).". */
static framemap_str type_of(framemap_str exception)
{
    static const framemap_str ends[] = {FM_STR_INIT(" on "), FM_STR_INIT(" in "), FM_STR_INIT("("),
                                        FM_STR_INIT(" called")};
    for (size_t i = 0; i < sizeof ends / sizeof *ends; i++) {
        const size_t at = fm_str_find(exception, ends[i]);
        if (at != FM_NOT_FOUND && at > 0) exception.size = at;
    }
    return exception;
}

static framemap_trace *wine_begin(struct wine_state *state, struct fm_document *doc, const struct fm_line *line)
{
    framemap_trace *trace = fm_document_trace(doc, name, line);
    if (trace && state->exception.size && line->number1 - state->exception1 <= FAR) {
        trace->exception = trace->exception_message = state->exception;
        trace->exception_type = type_of(state->exception);
        trace->crashed = true;
    }
    if (trace && state->thread.size && line->number1 - state->thread1 <= FAR) {
        trace->thread = trace->thread_id = state->thread;
        trace->process_name = state->process;
    }
    *state = (struct wine_state){.number1 = line->number1};
    return trace;
}

static bool wine_is_significant(const struct fm_line *line)
{
    struct wine_state ignored;
    framemap_frame frame;
    bool first;
    const framemap_str text = fm_str_trim(line->body);
    if (line->first == '=') return wine_parse_row(text, &frame, &first) && first;
    return (line->first == 'U' || line->first == 'w' || line->first == 'B') && read_title(&ignored, text, 0);
}

static enum fm_line_role wine_offer(void *memory, struct fm_document *doc, const struct fm_line *line)
{
    struct wine_state *state = memory;
    framemap_frame frame;
    bool first;
    const framemap_str text = fm_str_trim(line->body);
    if (read_title(state, text, line->number1)) return FM_ROLE_CONTEXT;
    if (!wine_parse_row(text, &frame, &first)) return FM_ROLE_NONE;
    const bool near = state->number1 && line->number1 - state->number1 <= WINE_GAP && !line->begins;
    framemap_trace *trace = near && !first ? fm_document_open(doc, name) : NULL;
    if (!first && trace == NULL) return FM_ROLE_NONE;
    if (trace == NULL) trace = wine_begin(state, doc, line);
    if (trace == NULL) return FM_ROLE_FRAME;
    fm_document_frame(doc, line, &frame);
    state->number1 = line->number1;
    return FM_ROLE_FRAME;
}

static const struct fm_needle wine_needles[] = {FM_NEEDLE("Unhandled exception: ", 5, 10),
                                                FM_NEEDLE("wine: Unhandled ", 5, 5),
                                                FM_NEEDLE("Backtracing for thread ", 6, 10)};

const struct fm_format fm_wine = {.info = {name, "Wine's debugger (=>0 0x… f+0x1 in app)", true, false},
                                  FM_NEEDLES(wine_needles),
                                  .marks = FM_MARK_HEX | FM_MARK_WORD,
                                  .state_size = sizeof(struct wine_state),
                                  .firsts = "=UwB",
                                  .keeps_state = true,
                                  .offer = wine_offer,
                                  .is_significant = wine_is_significant};
