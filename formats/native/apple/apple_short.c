/* Apple frame lines without an index or without a module, as collectors within apps write them:
 *
 *     App  0x00000001079b59d3 0x1079b3000 + 10707 [8c17697f-2e84-39e5-b491-fcf5169106ff]
 *
 * and, after a title "Backtrace of Thread 1803:", those of BSBacktraceLogger:
 *
 *     App                 0x10b831f4c -[ViewController bar] + 12
 *
 * and, after a title "Native Stack:" or "Native stack trace:", those that WebKit prints for NativeScript:
 *
 *     1   0x10b831f4c -[ViewController bar]
 *
 * or those of Titanium, in the form of BSBacktraceLogger's. */
#include "formats/native/apple/apple.h"
#include "formats/parsers.h"
#include "formats/row_parts.h"
#include "formats/signal_names.h"

static const char name[] = "apple-short";
#define ID_SIZE 34        /* minimum size of "[UUID]" */
#define APPLE_SHORT_GAP 3 /* up to this many lines of other text may be within one stack */

struct apple_short_state {
    bool fresh;  /* a title was read since the last frame */
    bool titled; /* a title was read: frames without a UUID are accepted */
    bool webkit; /* the title was that of WebKit's rows */
    framemap_str thread;
    uint64_t number1;    /* line of the last frame or title */
    bool after_sigtramp; /* the last frame was _sigtramp */
};

/* Cuts "[UUID]" off the end of the text. The UUID is the id of the image. */
static bool cut_uuid(framemap_str *text, struct fm_document *doc, framemap_str *id)
{
    if (text->size < ID_SIZE || text->data[text->size - 1] != ']') return false;
    size_t open = fm_str_find_last_byte(*text, '[');
    if (open == FM_NOT_FOUND || text->size - open < ID_SIZE) return false;
    if (!fm_row_id(fm_str_slice(*text, open + 1, text->size - 1), doc, id)) return false;
    *text = fm_str_trim(fm_str(text->data, open));
    return true;
}

static bool apple_short_parse_row(framemap_str body, bool titled, struct fm_document *doc, framemap_frame *frame)
{
    framemap_str text = fm_str_trim(body), rest;
    bool has_uuid = cut_uuid(&text, doc, &frame->id);
    if ((!has_uuid && !titled) || !fm_apple_columns(text, frame, &rest)) return false;
    fm_apple_rest(rest, doc, frame);
    return has_uuid || frame->has_function_offset || frame->has_load_address || frame->line;
}

/* Parses "12  0x10b831f4c NAME" or "3   0xc". */
static bool webkit_parse_row(framemap_str body, struct fm_document *doc, framemap_frame *frame)
{
    struct fm_scan s = fm_scan_of(body);
    fm_scan_blanks(&s);
    if (!fm_row_index(&s, &frame->index) || !fm_scan_blanks1(&s)) return false;
    const enum fm_digits digits = fm_row_0xhex(&s, &frame->address);
    if (digits == FM_DIGITS_NONE || !(fm_scan_done(&s) || fm_is_blank(*s.at))) return false;
    frame->has_address = true;
    frame->address_kind = FRAMEMAP_ADDRESS_ABSOLUTE;
    fm_apple_rest(fm_str_trim(fm_scan_rest(&s)), doc, frame);
    if (digits == FM_DIGITS_LONG) fm_row_malformed(frame, FM_LONG_ADDRESS);
    return true;
}

/* Parses a row below "Native Stack:": one of NativeScript, or of Titanium, which has a module and no number. */
static bool native_parse_row(const struct fm_line *line, struct fm_document *doc, framemap_frame *frame)
{
    if (fm_is_digit(line->first)) return webkit_parse_row(line->body, doc, frame);
    return apple_short_parse_row(line->body, true, doc, frame);
}

static bool is_webkit_title(framemap_str body)
{
    return fm_str_ends(body, FM_STR("Native Stack:")) || fm_str_ends(body, FM_STR("Native stack trace:"));
}

/* Sets the signal from "NativeScript caught signal 11.", which is above the title of a stack. */
static void read_webkit_signal(struct fm_document *doc, const struct fm_line *line, framemap_trace *trace)
{
    struct fm_look_back above = fm_look_back_from(doc, line, fm_document_last_end(doc), APPLE_SHORT_GAP);
    struct fm_line *before = fm_look_back_next(&above);
    uint64_t number;
    if (before == NULL || !fm_line_cut(before)) return;
    struct fm_scan s = fm_scan_of(fm_str_trim(before->body));
    if (!fm_scan_text(&s, FM_STR("NativeScript caught signal ")) || !fm_scan_dec(&s, &number, NULL) || number > 64)
        return;
    trace->crashed = true;
    trace->signal.has_number = true;
    trace->signal.number = (int32_t)number;
    trace->exception = trace->exception_type = trace->signal.name = fm_signal_name(number, FM_SIGNALS_OF_APPLE);
}

static bool apple_short_read_title(struct apple_short_state *state, const struct fm_line *line)
{
    size_t at = fm_str_find(line->body, FM_STR("Backtrace of "));
    state->webkit = line->last == ':' && is_webkit_title(fm_str_trim(line->body));
    if (state->webkit) {
        state->fresh = state->titled = true;
        state->thread = (framemap_str){NULL, 0};
        state->number1 = line->number1;
        return true;
    }
    if (at == FM_NOT_FOUND || line->last != ':') {
        bool rule = line->first == '=' && state->titled && line->number1 - state->number1 <= APPLE_SHORT_GAP;
        if (rule) state->number1 = line->number1;
        return rule;
    }
    state->fresh = state->titled = true;
    state->thread = fm_str_slice(line->body, at + 13, line->body.size - 1);
    state->number1 = line->number1;
    return true;
}

static enum fm_line_role apple_short_add(struct apple_short_state *state, struct fm_document *doc,
                                         const struct fm_line *line, framemap_frame *frame)
{
    framemap_trace *trace = fm_document_open(doc, name);
    bool begins = !trace || state->fresh || line->number1 - state->number1 > APPLE_SHORT_GAP;
    if (begins) trace = fm_document_trace(doc, name, line);
    if (!trace) return FM_ROLE_FRAME;
    if (begins && state->fresh) trace->thread = state->thread;
    if (begins && state->webkit) read_webkit_signal(doc, line, trace);
    const bool interrupted = state->webkit && state->after_sigtramp;
    /* The top frame of a collector has the current instruction, but that of BSBacktraceLogger the return address of
     * its own call. */
    const bool is_return = fm_apple_is_return(doc, trace, frame, &state->after_sigtramp);
    frame->return_address = (state->titled && !interrupted) || is_return;
    state->fresh = false;
    state->number1 = line->number1;
    fm_document_frame(doc, line, frame);
    return FM_ROLE_FRAME;
}

static enum fm_line_role apple_short_offer(void *memory, struct fm_document *doc, const struct fm_line *line)
{
    struct apple_short_state *state = memory;
    if (line->last == ':' || line->first == '=')
        return apple_short_read_title(state, line) ? FM_ROLE_CONTEXT : FM_ROLE_NONE;
    if (state->titled && line->number1 - state->number1 > APPLE_SHORT_GAP) state->titled = false;
    if (!state->titled && line->last != ']') return FM_ROLE_NONE;
    framemap_frame frame = FM_FRAME_INIT;
    if (state->titled && state->webkit) {
        if (!native_parse_row(line, doc, &frame)) return FM_ROLE_NONE;
        fm_document_offer_until(doc, line->number1 + APPLE_SHORT_GAP);
        return apple_short_add(state, doc, line, &frame);
    }
    if (!apple_short_parse_row(line->body, state->titled, doc, &frame)) return FM_ROLE_NONE;
    return apple_short_add(state, doc, line, &frame);
}

static bool apple_short_is_significant(const struct fm_line *line)
{
    if (line->last == ':')
        return fm_str_find(line->body, FM_STR("Backtrace of ")) != FM_NOT_FOUND ||
               is_webkit_title(fm_str_trim(line->body));
    const size_t open = line->last == ']' ? fm_str_find_last_byte(line->body, '[') : FM_NOT_FOUND;
    return open != FM_NOT_FOUND && line->body.size - open >= ID_SIZE;
}

static void apple_short_print_frame(struct fm_buf *out, const framemap_frame *frame, framemap_str prefix,
                                    framemap_str eol)
{
    size_t open = frame->raw.size && frame->raw.data[frame->raw.size - 1] == ']'
                      ? fm_str_find_last_byte(frame->raw, '[')
                      : FM_NOT_FOUND;
    framemap_frame one = *frame;
    for (size_t i = 0; i < frame->restored.count; i++) {
        one.restored = (framemap_frame_list){&frame->restored.frames[i], 1};
        if (i) fm_row_begin_line(out, prefix, eol);
        fm_apple_print_frame(out, &one, prefix, eol);
        if (open == FM_NOT_FOUND) continue;
        fm_buf_byte(out, ' ');
        fm_buf_str(out, fm_str_from(frame->raw, open));
    }
}

static const struct fm_needle short_needles[] = {
    FM_NEEDLE("Backtrace", 1, 8),
    FM_NEEDLE("Native Stack:", 7, 1),
    FM_NEEDLE("Native stack trace:", 0, 3),
};

const struct fm_format fm_apple_short = {
    .info = {name, "Apple frames without an index (App 0x… 0x… + 12 [UUID])", true, false},
    .id_form = FM_ID_UUID,
    FM_NEEDLES(short_needles),
    .state_size = sizeof(struct apple_short_state),
    .firsts = "=",
    .lasts = "]:)0123456789",
    .offer = apple_short_offer,
    .is_significant = apple_short_is_significant,
    .keeps_state = true,
    .print_frame = apple_short_print_frame};
