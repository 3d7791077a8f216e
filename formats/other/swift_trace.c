/* Backtraces of Swift's runtime, from 5.9 on:
 *
 *     *** Program crashed: Illegal instruction at 0x00007f01 ***
 *     Thread 0 "main" crashed:
 *     0                    0x00007f01 load() + 31 in shop at /app/cart.swift:2:15
 *     1 [ra] [inlined]     0x00007f02 run() in shop at /app/shop.swift:7
 *     2 [ra] [system]      0x00007f03 start + 2431 in dyld
 *     3 [async]            0x00007f04 in shop
 *
 * Rows without a function have the image alone. The innermost frame is first. */
#include "formats/other/other_stack.h"
#include "formats/parsers.h"
#include "formats/row_parts.h"

static const char name[] = "swift";
#define THREADS 32 /* lines after a row, of source or of nothing, within which the next thread is looked for */

struct swift_state {
    struct fm_other_stack stack;
    framemap_str crash; /* "Program crashed: ..." */
    framemap_str thread;
    bool crashed;
};

/* "load() + 31 in shop at FILE:2:15" */
static bool parse_symbol(framemap_str text, framemap_frame *frame)
{
    const size_t at = fm_str_find_last(text, FM_STR(" at "));
    if (at != FM_NOT_FOUND && fm_row_location(fm_str_from(text, at + 4), &frame->file, &frame->line, &frame->column))
        text.size = at;
    const size_t in = fm_str_find_last(text, FM_STR(" in "));
    if (fm_str_starts(text, FM_STR("in "))) {
        frame->module = fm_str_from(text, 3);
        return frame->module.size != 0;
    }
    if (in == FM_NOT_FOUND || in == 0) return false;
    frame->module = fm_str_from(text, in + 4);
    text.size = in;
    if (fm_str_equal(text, FM_STR("<unknown>"))) return frame->module.size != 0;
    if (fm_row_distance(text, false, &frame->function, &frame->function_offset))
        frame->has_function_offset = true;
    else
        frame->function = text;
    return frame->module.size != 0;
}

static enum fm_other_kind swift_parse(framemap_str text, struct fm_other_line *out)
{
    struct fm_scan s = fm_scan_of(text);
    framemap_str tag;
    if (fm_str_starts(text, FM_STR("Thread ")) && fm_str_ends(text, FM_STR(" crashed:"))) return FM_OTHER_TITLE;
    if (fm_str_equal(text, FM_STR("..."))) {
        out->marker = FRAMEMAP_MARKER_SKIPPED;
        return FM_OTHER_MARK;
    }
    if (fm_str_equal(text, FM_STR("Registers:")) || fm_str_starts(text, FM_STR("Images ("))) return FM_OTHER_END;
    if (!fm_row_index(&s, &out->frame.index) || !fm_scan_blanks1(&s)) return FM_OTHER_NONE;
    while (fm_scan_byte(&s, '[')) {
        if (!fm_scan_until(&s, ']', &tag) || !fm_scan_byte(&s, ']')) return FM_OTHER_NONE;
        if (fm_str_equal(tag, FM_STR("inlined"))) out->frame.inlined = true;
        if (fm_str_equal(tag, FM_STR("async"))) out->frame.is_async = true;
        fm_scan_blanks(&s);
    }
    if (fm_row_0xhex(&s, &out->frame.address) != FM_DIGITS_FIT || !fm_scan_blanks1(&s)) return FM_OTHER_NONE;
    out->frame.has_address = true;
    out->frame.address_kind = FRAMEMAP_ADDRESS_ABSOLUTE;
    out->starts = out->frame.index == 0;
    return parse_symbol(fm_scan_rest(&s), &out->frame) ? FM_OTHER_ROW : FM_OTHER_NONE;
}

static const struct fm_other_rules rules = {.name = name, .parse = swift_parse};

/* "*** Program crashed: ... ***", "*** Swift runtime ..." */
static bool is_crash(framemap_str text)
{
    return fm_str_starts(text, FM_STR("*** Program crashed: ")) || fm_str_starts(text, FM_STR("*** Swift runtime")) ||
           fm_str_find(text, FM_STR(" Program crashed: ")) != FM_NOT_FOUND;
}

/* "Thread 0 "main" crashed:", "Thread 1:", "Thread 1 "worker":" */
static bool is_thread(framemap_str text)
{
    return fm_str_starts(text, FM_STR("Thread ")) && fm_is_digit(text.size > 7 ? text.data[7] : ' ') &&
           fm_str_ends(text, FM_STR(":"));
}

static bool take_title(struct swift_state *state, const struct fm_line *line, framemap_str text)
{
    if (is_crash(text)) {
        state->crash = text;
        state->stack.number1 = line->number1;
        state->stack.has_trace = false;
        return true;
    }
    const bool crashed = fm_str_ends(text, FM_STR(" crashed:"));
    const bool inside = state->stack.number1 && line->number1 - state->stack.number1 <= THREADS;
    if (!is_thread(text) || !(crashed || (inside && state->crash.size))) return false;
    state->thread = text;
    state->crashed = crashed;
    state->stack.number1 = line->number1;
    state->stack.has_trace = false;
    return true;
}

static void name_trace(struct swift_state *state, framemap_trace *trace)
{
    struct fm_scan s = fm_scan_of(fm_str_from(state->thread, 7));
    uint64_t number = 0;
    const char *start = s.at;
    trace->crashed = state->crashed;
    if (state->crash.size && state->crashed) {
        const size_t at = fm_str_find(state->crash, FM_STR("Program crashed"));
        framemap_str title = fm_str_from(state->crash, at == FM_NOT_FOUND ? 0 : at);
        if (fm_str_ends(title, FM_STR(" ***"))) title.size -= 4;
        fm_other_exception(trace, title);
    }
    if (state->thread.size == 0 || !fm_scan_dec(&s, &number, NULL)) return;
    trace->thread = trace->thread_id = fm_str(start, (size_t)(s.at - start));
    fm_scan_blanks(&s);
    if (fm_scan_byte(&s, '"') && fm_scan_until(&s, '"', &trace->thread_name)) trace->thread = trace->thread_name;
}

static enum fm_line_role swift_offer(void *memory, struct fm_document *doc, const struct fm_line *line)
{
    struct swift_state *state = memory;
    if (take_title(state, line, fm_str_trim(line->body))) {
        fm_document_offer_until(doc, line->number1 + THREADS);
        return FM_ROLE_CONTEXT;
    }
    if (state->stack.number1 == 0) return FM_ROLE_NONE;
    const enum fm_line_role role = fm_other_stack_offer(&rules, &state->stack, doc, line);
    framemap_trace *trace = role == FM_ROLE_FRAME ? fm_document_open(doc, name) : NULL;
    if (trace && trace->frame_count == 1) name_trace(state, trace);
    if (role == FM_ROLE_FRAME) fm_document_offer_until(doc, line->number1 + THREADS);
    return role;
}

static bool swift_is_significant(const struct fm_line *line)
{
    const framemap_str text = fm_str_trim(line->body);
    return is_crash(text) || (is_thread(text) && fm_str_ends(text, FM_STR(" crashed:")));
}

static const struct fm_needle swift_needles[] = {FM_NEEDLE(" Program crashed: ", 1, 3),
                                                 FM_NEEDLE("Swift runtime", 0, 3), FM_NEEDLE(" crashed:", 5, 11)};

const struct fm_format fm_swift = {.info = {name, "backtraces of Swift's runtime", true, false},
                                   FM_NEEDLES(swift_needles),
                                   .marks = FM_MARK_WORD,
                                   .state_size = sizeof(struct swift_state),
                                   .gap = THREADS,
                                   .offer = swift_offer,
                                   .is_significant = swift_is_significant,
                                   .keeps_state = true};
