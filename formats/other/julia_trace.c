/* Stacks of Julia:
 *
 *     ERROR: BoundsError: attempt to access 3-element Vector{Int64} at index [5]
 *     Stacktrace:
 *       [1] getindex(A::Vector{Int64}, i1::Int64)
 *         @ Base ./essentials.jl:13 [inlined]
 *       [2] add(n::Int64) at /src/cart.jl:12 [inlined]             before Julia 1.6
 *      --- the above 2 lines are repeated 10 more times ---
 *     caused by: KeyError: key 3 not found
 *     Stacktrace:
 *       [1] top-level scope
 *         @ REPL[3]:1
 *
 * and stacks of signals:
 *
 *     [7] signal (11.1): Segmentation fault
 *     in expression starting at /src/cart.jl:3
 *     add at /src/cart.jl:12 [inlined]
 *     jl_apply at /lib/libjulia.so (unknown line)
 *     unknown function (ip: 0x7fc16ecb0d30)
 *
 * Rows are accepted only below their title. The innermost frame is first. */
#include "core/text/scan.h"
#include "formats/other/other_stack.h"
#include "formats/parsers.h"
#include "formats/row_parts.h"
#include "formats/signal_names.h"

static const char name[] = "julia";
/* maximum number of lines above a title that are searched for the exception: its message may have several lines */
#define JULIA_ABOVE 12

struct julia_state {
    struct fm_other_stack stack, dump; /* the open stack of an exception, and the open stack of a signal */
    uint64_t row1;                     /* number of the line of the last row */
    uint64_t whole;                    /* number of the trace that may have the next stack as its cause */
    bool has_whole;
};

static const framemap_str inlined = FM_STR_INIT(" [inlined]"), caused_by = FM_STR_INIT("caused by: "),
                          nested = FM_STR_INIT("nested task error: ");

/* Cuts " [inlined]" and " (repeats 3 times)" off the end of a row. */
static framemap_str cut_marks(framemap_str text, framemap_frame *frame)
{
    static const framemap_str repeats = FM_STR_INIT(" (repeats ");
    const size_t at = fm_str_find_last(text, repeats);
    if (at != FM_NOT_FOUND && fm_str_ends(text, FM_STR(" times)"))) text.size = at;
    if (!fm_str_ends(text, inlined)) return text;
    text.size -= inlined.size;
    frame->inlined = true;
    return text;
}

/* Returns the function in "add(n::Int64)". An anonymous function begins with a parenthesis: "(::var"#1#2")()". */
static framemap_str function_of(framemap_str text)
{
    const size_t open = fm_str_find_byte(text, '(');
    return open == FM_NOT_FOUND || open == 0 ? text : fm_str_trim(fm_str(text.data, open));
}

/* Parses "add(n::Int64) at /src/cart.jl:12", or the same with "/lib/libjulia.so (unknown line)" as the position. */
static bool read_site(framemap_str text, framemap_frame *frame)
{
    static const framemap_str mark = FM_STR_INIT(" at "), no_line = FM_STR_INIT(" (unknown line)");
    text = cut_marks(text, frame);
    const size_t at = fm_str_find_last(text, mark);
    if (at == FM_NOT_FOUND || at == 0) return false;
    framemap_str place = fm_str_from(text, at + mark.size);
    if (fm_str_ends(place, no_line))
        frame->file = fm_str_trim(fm_str(place.data, place.size - no_line.size));
    else if (!fm_row_location(place, &frame->file, &frame->line, &frame->column) || frame->column)
        return false;
    frame->function = function_of(fm_str(text.data, at));
    return true;
}

/* Parses "... (the above 2 lines are repeated 10 more times)" or " --- the above 2 lines are repeated 10 more times
 * ---". */
static bool parse_repeated(framemap_str text, struct fm_other_line *out)
{
    static const framemap_str above = FM_STR_INIT("the above "), repeated = FM_STR_INIT(" repeated ");
    const size_t at = fm_str_find(text, above), count = fm_str_find(text, repeated);
    if (at == FM_NOT_FOUND || count == FM_NOT_FOUND) return false;
    out->marker = FRAMEMAP_MARKER_REPEATED;
    out->count = fm_other_number(fm_str_from(text, count));
    return true;
}

/* Parses a line of an exception's stack: the title, "[1] add(n::Int64)", or "[1] add(::Int64) at /src/cart.jl:12". */
static enum fm_other_kind parse_stack(framemap_str text, struct fm_other_line *out)
{
    struct fm_scan s = fm_scan_of(text);
    if (fm_str_equal(text, FM_STR("Stacktrace:"))) return FM_OTHER_TITLE;
    if (parse_repeated(text, out)) return FM_OTHER_MARK;
    if (!fm_scan_byte(&s, '[') || !fm_row_index(&s, &out->frame.index) || !fm_scan_text(&s, FM_STR("] ")))
        return FM_OTHER_NONE;
    const framemap_str row = fm_str_trim(fm_scan_rest(&s));
    if (row.size == 0) return FM_OTHER_NONE;
    if (!read_site(row, &out->frame)) out->frame.function = function_of(cut_marks(row, &out->frame));
    out->starts = out->adjacent = out->frame.index == 1;
    return FM_OTHER_ROW;
}

/* Parses a line of a signal's stack: the line directly above the rows, "add at /src/cart.jl:12", or "unknown function
 * (ip: 0x1)". */
static enum fm_other_kind parse_dump(framemap_str text, struct fm_other_line *out)
{
    static const framemap_str unknown = FM_STR_INIT("unknown function");
    if (fm_str_starts(text, FM_STR("in expression starting ")) || fm_str_starts(text, FM_STR("while loading ")))
        return fm_str_find(text, FM_STR("in expression starting ")) == FM_NOT_FOUND ? FM_OTHER_NONE : FM_OTHER_TITLE;
    if (fm_str_starts(text, FM_STR("Allocations: "))) return FM_OTHER_END;
    out->adjacent = true;
    if (fm_str_starts(text, unknown)) {
        struct fm_scan s = fm_scan_of(fm_str_from(text, unknown.size));
        if (!fm_scan_text(&s, FM_STR(" (ip: ")) || fm_row_0xhex(&s, &out->frame.address) != FM_DIGITS_FIT)
            return FM_OTHER_NONE;
        out->frame.function = unknown;
        out->frame.has_address = true;
        out->frame.address_kind = FRAMEMAP_ADDRESS_ABSOLUTE;
        return FM_OTHER_ROW;
    }
    return read_site(text, &out->frame) ? FM_OTHER_ROW : FM_OTHER_NONE;
}

/* Finds the exception in "ERROR: LoadError: KeyError: key 3 not found", "caused by: …", "┌ Error: …" or "exception =
 * …". */
static bool julia_find_exception(framemap_str text, framemap_str *exception)
{
    const framemap_str marks[] = {FM_STR("ERROR: "), caused_by, nested, FM_STR("exception = ")};
    for (size_t i = 0; i < sizeof marks / sizeof *marks; i++) {
        if (!fm_str_starts(text, marks[i])) continue;
        *exception = text;
        return true;
    }
    return fm_other_find_exception(text, exception) && exception->data == text.data;
}

static bool find_signal(framemap_str text, framemap_str *exception)
{
    const size_t at = fm_str_find(text, FM_STR("signal "));
    if (at == FM_NOT_FOUND || fm_str_find(text, FM_STR("): ")) == FM_NOT_FOUND) return false;
    *exception = fm_str_from(text, at);
    return fm_other_number(*exception) != 0;
}

static const struct fm_other_rules stack_rules = {
    .name = name, .parse = parse_stack, .find_exception = julia_find_exception, .above = JULIA_ABOVE};
static const struct fm_other_rules dump_rules = {
    .name = name, .parse = parse_dump, .find_exception = find_signal, .above = 2};

/* Sets type and message from "ERROR: LoadError: KeyError: key 3 not found". Returns whether the exception is a cause
 * ("caused by: "). */
static bool split_exception(framemap_trace *trace)
{
    static const framemap_str outer[] = {FM_STR_INIT("ERROR: "), FM_STR_INIT("exception = "),
                                         FM_STR_INIT("LoadError: "), FM_STR_INIT("InitError: ")};
    framemap_str text = trace->exception;
    const bool cause = fm_str_starts(text, caused_by), task = fm_str_starts(text, nested);
    if (cause || task) text = fm_str_from(text, cause ? caused_by.size : nested.size);
    for (size_t i = 0; i < sizeof outer / sizeof *outer; i++)
        if (fm_str_starts(text, outer[i])) text = fm_str_from(text, outer[i].size);
    const size_t colon = fm_str_find(text, FM_STR(": "));
    const framemap_str type = fm_str_slice(text, 0, colon);
    trace->exception = trace->exception_message = text;
    trace->exception_type = fm_str(NULL, 0);
    if (!fm_other_is_name(type, ".") ||
        (!fm_str_ends(type, FM_STR("Error")) && !fm_str_ends(type, FM_STR("Exception"))))
        return cause || task;
    trace->exception_type = type;
    trace->exception_message = colon == FM_NOT_FOUND ? fm_str(NULL, 0) : fm_str_from(text, colon + 2);
    return cause || task;
}

/* Called when the first frame of a stack was added: splits the stack's exception into type and message. If the
 * exception is a cause ("caused by: "), makes the stack a cause of the stack before it. */
static void begin_stack(struct julia_state *state, framemap_trace *trace)
{
    const bool is_cause = trace->exception.size && split_exception(trace) && state->has_whole;
    if (is_cause) {
        trace->role = FRAMEMAP_ROLE_CAUSE;
        trace->part_of = state->whole;
        return;
    }
    state->has_whole = true;
    state->whole = trace->number;
}

static void begin_dump(framemap_trace *trace)
{
    if (trace->exception.size == 0) return;
    const uint64_t number = fm_other_number(trace->exception);
    trace->exception_type = trace->signal.name = fm_signal_name(number, FM_SIGNALS_OF_ANY);
    trace->exception_message = trace->exception;
    trace->crashed = true;
    if (number > INT32_MAX) return;
    trace->signal.has_number = true;
    trace->signal.number = (int32_t)number;
}

/* Parses the line below a row, "@ Base ./essentials.jl:13 [inlined]", and sets file and line of the row's frame. */
static bool julia_read_place(framemap_str text, framemap_frame *frame)
{
    framemap_frame place = FM_FRAME_INIT;
    if (!fm_str_starts(text, FM_STR("@ ")) || frame == NULL || frame->file.size) return false;
    text = cut_marks(fm_str_trim(fm_str_from(text, 2)), &place);
    const size_t blank = fm_str_find_byte(text, ' ');
    if (blank != FM_NOT_FOUND && fm_other_is_name(fm_str(text.data, blank), ".!")) {
        place.module = fm_str(text.data, blank);
        text = fm_str_trim(fm_str_from(text, blank));
    }
    if (!fm_row_location(text, &place.file, &place.line, &place.column) || place.column) return false;
    frame->module = place.module;
    frame->file = place.file;
    frame->line = place.line;
    frame->inlined = place.inlined;
    return true;
}

static enum fm_line_role julia_offer(void *memory, struct fm_document *doc, const struct fm_line *line)
{
    struct julia_state *state = memory;
    framemap_trace *trace = fm_document_open(doc, name);
    framemap_frame *last = trace ? fm_other_last(trace) : NULL;
    if (state->row1 && line->number1 - state->row1 == 1 && julia_read_place(fm_str_trim(line->body), last)) {
        fm_other_continue(doc, last, line);
        state->stack.number1 = line->number1;
        return FM_ROLE_FRAME;
    }
    enum fm_line_role role = fm_other_stack_offer(&stack_rules, &state->stack, doc, line);
    const bool is_dump = role == FM_ROLE_NONE;
    if (is_dump) role = fm_other_stack_offer(&dump_rules, &state->dump, doc, line);
    if (role != FM_ROLE_FRAME) return role;
    trace = fm_document_open(doc, name);
    state->row1 = is_dump ? 0 : line->number1;
    if (trace == NULL || trace->frame_count != 1) return role;
    if (is_dump)
        begin_dump(trace);
    else
        begin_stack(state, trace);
    return role;
}

static bool julia_is_significant(const struct fm_line *line)
{
    return fm_other_stack_is_significant(line->first == 'S' ? &stack_rules : &dump_rules, line);
}

static const struct fm_needle julia_needles[] = {FM_NEEDLE("Stacktrace:", 0, 1),
                                                 FM_NEEDLE("in expression starting ", 1, 12)};

const struct fm_format fm_julia = {.info = {name, "stacks of Julia", true, false},
                                   FM_NEEDLES(julia_needles),
                                   .marks = FM_MARK_WORD,
                                   .state_size = sizeof(struct julia_state),
                                   .offer = julia_offer,
                                   .is_significant = julia_is_significant,
                                   .keeps_state = true};
