/* Stacks of programs that GraalVM compiled ahead of time (native-image), in the log of a crash:
 *
 *     siginfo: si_signo: 11, si_code: 1, si_addr: 0x0000000000000010
 *     …
 *     Stacktrace for the failing thread 0x00007f0102030000 (A=AOT compiled, …, i=inlined):
 *       A  SP 0x00007ffe64e4f080 IP 0x00005605dca90f60 size=32    com.example.Cart.total(Cart.java:12)
 *       i  SP 0x00007ffe64e4f0a0 IP 0x00005605dca91000 size=48    com.example.Cart.add(Cart.java:7)
 *
 * Older versions print "SP 00007f8b9bff3790 IP 0000000000c1eb60  [image code] a.b.c(X.java:1)", below "Stacktrace Stage
 * 2:"; the stages before it print the same stack without names and are not read. The innermost frame is first. */
#include "core/text/scan.h"
#include "formats/other/other_stack.h"
#include "formats/parsers.h"
#include "formats/row_parts.h"
#include "formats/signal_names.h"

static const char name[] = "native-image";

struct native_image_state {
    struct fm_other_stack stack;
    framemap_signal signal; /* the last signal that was printed; it is that of the next stack */
    framemap_str thread;    /* the thread that the last title names */
};

/* Parses "SP 0x7ffe64e4f080" or, if `word` is "IP ", "IP 5605dca90f60"; also with an R before it, as in versions that
 * name registers. Moves on success. */
static bool scan_pointer(struct fm_scan *s, framemap_str word, uint64_t *out)
{
    struct fm_scan t = *s;
    (void)fm_scan_byte(&t, 'R');
    if (!fm_scan_text(&t, word)) return false;
    if (fm_row_0xhex(&t, out) != FM_DIGITS_FIT && fm_row_hex(&t, out) != FM_DIGITS_FIT) return false;
    if (!fm_scan_blanks1(&t)) return false;
    *s = t;
    return true;
}

/* Parses "a.b.Cart.total(Cart.java:12)". */
static bool read_method(framemap_str text, framemap_frame *frame)
{
    const size_t open = fm_str_find_byte(text, '(');
    uint64_t line;
    if (open == FM_NOT_FOUND || open == 0 || !fm_str_ends(text, FM_STR(")"))) return false;
    frame->function = fm_str_slice(text, 0, open);
    framemap_str file = fm_str_slice(text, open + 1, text.size - 1);
    if (fm_str_find_byte(frame->function, ' ') != FM_NOT_FOUND ||
        fm_str_find_byte(frame->function, '.') == FM_NOT_FOUND)
        return false;
    const size_t colon = fm_str_find_last_byte(file, ':');
    if (colon != FM_NOT_FOUND) {
        struct fm_scan s = fm_scan_of(fm_str_from(file, colon + 1));
        if (!fm_scan_dec(&s, &line, NULL) || !fm_scan_done(&s)) return false;
        if (line <= UINT32_MAX) frame->line = (uint32_t)line;
        file = fm_str_slice(file, 0, colon);
    }
    frame->is_native = fm_str_equal(file, FM_STR("Native Method"));
    if (!frame->is_native && !fm_str_equal(file, FM_STR("Unknown Source"))) frame->file = file;
    return true;
}

static enum fm_other_kind native_image_parse(framemap_str text, struct fm_other_line *out)
{
    struct fm_scan s = fm_scan_of(text);
    framemap_str group;
    uint64_t size;
    if (fm_str_starts(text, FM_STR("Stacktrace for the failing thread ")) ||
        fm_str_starts(text, FM_STR("Stacktrace Stage ")))
        return FM_OTHER_TITLE;
    if (s.at + 2 < s.end && s.at[1] == ' ' && *s.at != '\0' && strchr("AJDiC", *s.at)) {
        out->frame.inlined = *s.at == 'i';
        s.at++;
        fm_scan_blanks(&s);
    }
    if (!scan_pointer(&s, FM_STR("SP "), &size) || !scan_pointer(&s, FM_STR("IP "), &out->frame.address))
        return FM_OTHER_NONE;
    if (fm_scan_text(&s, FM_STR("size=")) && (!fm_scan_dec(&s, &size, NULL) || !fm_scan_blanks1(&s)))
        return FM_OTHER_NONE;
    if (fm_scan_byte(&s, '[')) { /* skips "[image code]", "[deoptimized frame]" or a similar text */
        if (!fm_scan_until(&s, ']', &group)) return FM_OTHER_NONE;
        s.at++;
        fm_scan_blanks(&s);
    }
    if (!read_method(fm_scan_rest(&s), &out->frame)) return FM_OTHER_NONE;
    out->frame.has_address = true;
    out->frame.address_kind = FRAMEMAP_ADDRESS_ABSOLUTE;
    out->frame.kind = FRAMEMAP_KIND_OTHER;
    out->frame.status = FRAMEMAP_FRAME_NOT_NEEDED;
    return FM_OTHER_SURE;
}

static const struct fm_other_rules rules = {.name = name, .parse = native_image_parse};

/* Parses "siginfo: si_signo: 11, si_code: 1, si_addr: 0x0000000000000010"; the address may be missing. */
static bool scan_signal(framemap_str text, framemap_signal *signal)
{
    struct fm_scan s = fm_scan_of(text);
    uint64_t number, code, address;
    if (!fm_scan_text(&s, FM_STR("siginfo: si_signo: ")) || !fm_scan_dec(&s, &number, NULL) || number > INT32_MAX)
        return false;
    *signal = (framemap_signal){.has_number = true, .number = (int32_t)number};
    if (fm_scan_text(&s, FM_STR(", si_code: ")) && fm_scan_dec(&s, &code, NULL) && code <= INT32_MAX) {
        signal->has_code = true;
        signal->code = (int32_t)code;
    }
    signal->has_address = fm_scan_text(&s, FM_STR(", si_addr: ")) && fm_scan_0xhex(&s, &address, NULL);
    if (signal->has_address) signal->address = address;
    return true;
}

static void native_image_complete(struct native_image_state *state, framemap_trace *trace)
{
    trace->thread = trace->thread_id = state->thread;
    trace->crashed = true;
    if (!state->signal.has_number) return;
    trace->signal = state->signal;
    trace->signal.name = fm_signal_name((uint64_t)state->signal.number, FM_SIGNALS_OF_ANY);
    trace->exception = trace->exception_type = trace->signal.name;
    state->signal = (framemap_signal){.has_number = false};
}

static enum fm_line_role native_image_offer(void *memory, struct fm_document *doc, const struct fm_line *line)
{
    struct native_image_state *state = memory;
    const framemap_str text = fm_str_trim(line->body);
    if (scan_signal(text, &state->signal)) return FM_ROLE_CONTEXT;
    const enum fm_line_role role = fm_other_stack_offer(&rules, &state->stack, doc, line);
    if (role == FM_ROLE_CONTEXT) {
        const size_t at = fm_str_find(text, FM_STR(" thread 0x"));
        struct fm_scan s = fm_scan_of(fm_str_from(text, at == FM_NOT_FOUND ? text.size : at + 8));
        state->thread = fm_str(NULL, 0);
        if (fm_scan_word(&s, &state->thread) && fm_str_ends(state->thread, FM_STR(":"))) state->thread.size--;
    }
    framemap_trace *trace = role == FM_ROLE_FRAME ? fm_document_open(doc, name) : NULL;
    if (trace && trace->frame_count == 1) native_image_complete(state, trace);
    return role;
}

static bool native_image_is_significant(const struct fm_line *line)
{
    framemap_signal signal;
    return scan_signal(fm_str_trim(line->body), &signal) || fm_other_stack_is_significant(&rules, line);
}

static const struct fm_needle native_image_needles[] = {FM_NEEDLE("Stacktrace for the failing", 0, 1),
                                                        FM_NEEDLE("Stacktrace Stage ", 0, 1), FM_NEEDLE("SP 0", 0, 2),
                                                        FM_NEEDLE("siginfo: si_signo: ", 11, 1)};

const struct fm_format fm_native_image = {.info = {name, "stacks of GraalVM's native images", true, false},
                                          FM_NEEDLES(native_image_needles),
                                          .marks = FM_MARK_WORD,
                                          .state_size = sizeof(struct native_image_state),
                                          .offer = native_image_offer,
                                          .is_significant = native_image_is_significant,
                                          .keeps_state = true};
