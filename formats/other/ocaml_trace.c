/* Backtraces of OCaml:
 *
 *     Fatal error: exception Failure("no cart")
 *     Raised at Stdlib.failwith in file "stdlib.ml", line 29, characters 17-33
 *     Called from Cart.add in file "cart.ml" (inlined), line 12, characters 4-9
 *     Re-raised at Cart.load in file "cart.ml", lines 20-23, characters 2-5
 *     Raised by primitive operation at file "cart.ml", line 3, characters 2-5        before OCaml 4.11
 *     Called from unknown location
 *     (backtrace ("Raised at Cart.f in file \"cart.ml\", line 3, characters 2-5"     in an S-expression
 *
 * The innermost frame is first; columns count from 0. */
#include "core/text/scan.h"
#include "formats/other/other_stack.h"
#include "formats/parsers.h"

static const char name[] = "ocaml";

/* Parses the position after the opening quote: 'cart.ml" (inlined), line 12, characters 4-9'. Only the part with the
 * characters may be missing. */
static bool ocaml_read_place(struct fm_scan *s, framemap_frame *frame)
{
    uint64_t column, end;
    uint32_t line;
    if (!fm_scan_until(s, '"', &frame->file)) return false;
    s->at++;
    /* in a string of an S-expression, a backslash precedes the closing quote */
    if (fm_str_ends(frame->file, FM_STR("\\"))) frame->file.size--;
    if (frame->file.size == 0) return false;
    frame->inlined = fm_scan_text(s, FM_STR(" (inlined)"));
    if (!fm_scan_text(s, FM_STR(", line"))) return false;
    const bool several = fm_scan_byte(s, 's');
    if (!fm_scan_byte(s, ' ') || !fm_scan_dec32(s, &line)) return false;
    if (several && (!fm_scan_byte(s, '-') || !fm_scan_dec(s, &end, NULL))) return false;
    if (!fm_scan_text(s, FM_STR(", characters ")) || !fm_scan_dec(s, &column, NULL) || column >= UINT32_MAX)
        return false;
    frame->line = line;
    frame->column = (uint32_t)column + 1;
    return true;
}

/* Returns a scan of the row in '(backtrace ("Raised at …', an S-expression that programs with the library Core
 * print. */
static struct fm_scan after_quotes(framemap_str text)
{
    struct fm_scan s = fm_scan_of(text);
    while (fm_scan_byte(&s, '(') || fm_scan_byte(&s, '"') || fm_scan_blanks1(&s) ||
           fm_scan_text(&s, FM_STR("backtrace")))
        continue;
    return s;
}

static enum fm_other_kind ocaml_parse(framemap_str text, struct fm_other_line *out)
{
    static const framemap_str raises[] = {FM_STR_INIT("Raised at "), FM_STR_INIT("Raised by primitive operation at ")},
                              calls[] = {FM_STR_INIT("Called from "), FM_STR_INIT("Re-raised at ")};
    static const framemap_str in = FM_STR_INIT(" in file ");
    struct fm_scan s = after_quotes(text);
    out->starts = fm_scan_text(&s, raises[0]) || fm_scan_text(&s, raises[1]);
    if (!out->starts && !fm_scan_text(&s, calls[0]) && !fm_scan_text(&s, calls[1])) return FM_OTHER_NONE;
    const framemap_str rest = fm_scan_rest(&s);
    if (fm_str_starts(rest, FM_STR("unknown location"))) {
        out->marker = FRAMEMAP_MARKER_ELIDED;
        return FM_OTHER_MARK;
    }
    if (!fm_scan_text(&s, FM_STR("file "))) {
        const size_t at = fm_str_find(rest, in);
        if (at == FM_NOT_FOUND || at == 0) return FM_OTHER_NONE;
        out->frame.function = fm_str(rest.data, at);
        s.at += at + in.size;
    }
    (void)fm_scan_byte(&s, '\\');
    return fm_scan_byte(&s, '"') && ocaml_read_place(&s, &out->frame) ? FM_OTHER_SURE : FM_OTHER_NONE;
}

/* Finds the exception in "Fatal error: exception Failure("x")", in "Thread 1 killed on uncaught exception
 * Failure("x")", or in the toplevel's "Exception: Failure "x".". */
static bool ocaml_find_exception(framemap_str text, framemap_str *exception)
{
    static const framemap_str marks[] = {FM_STR_INIT("Fatal error: exception "), FM_STR_INIT("uncaught exception "),
                                         FM_STR_INIT("Exception: ")};
    for (size_t i = 0; i < sizeof marks / sizeof *marks; i++) {
        const size_t at = fm_str_find(text, marks[i]);
        if (at == FM_NOT_FOUND) continue;
        *exception = fm_str_from(text, at + marks[i].size);
        return exception->size != 0;
    }
    return false;
}

static const struct fm_other_rules rules = {
    .name = name, .parse = ocaml_parse, .find_exception = ocaml_find_exception, .above = 3};

/* Splits the exception 'Failure("no cart")', 'Failure "no cart".' or 'Cart.Empty' into type and message. The exception
 * of a failed assertion has the assertion's position in place of a message. */
static void split_exception(framemap_trace *trace)
{
    const framemap_str text = trace->exception;
    size_t end = 0;
    while (end < text.size && text.data[end] != '(' && text.data[end] != ' ') end++;
    const framemap_str type = fm_str(text.data, end);
    trace->exception_type = fm_str(NULL, 0);
    trace->exception_message = text;
    if (!fm_other_is_name(type, ".'") || fm_str_starts(text, FM_STR("File \""))) return;
    trace->exception_type = type;
    trace->exception_message = fm_str_trim(fm_str_from(text, end));
}

static enum fm_line_role ocaml_offer(void *memory, struct fm_document *doc, const struct fm_line *line)
{
    const enum fm_line_role role = fm_other_stack_offer(&rules, memory, doc, line);
    framemap_trace *trace = role == FM_ROLE_FRAME ? fm_document_open(doc, name) : NULL;
    if (trace && trace->frame_count == 1 && trace->exception.size) split_exception(trace);
    return role;
}

static bool ocaml_is_significant(const struct fm_line *line) { return fm_other_stack_is_significant(&rules, line); }

static const struct fm_needle ocaml_needles[] = {FM_NEEDLE(", characters ", 0, 13)};

const struct fm_format fm_ocaml = {.info = {name, "backtraces of OCaml", true, false},
                                   FM_NEEDLES(ocaml_needles),
                                   .marks = FM_MARK_WORD,
                                   .firsts = "RC(\"",
                                   .state_size = sizeof(struct fm_other_stack),
                                   .offer = ocaml_offer,
                                   .is_significant = ocaml_is_significant,
                                   .keeps_state = true};
