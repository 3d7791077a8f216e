/* Stacks of Clojure's exceptions as data, on one line or several:
 *
 *     #error {
 *      :cause "no cart"
 *      :via
 *      [{:type clojure.lang.ExceptionInfo
 *        :message "no cart"
 *        :at [shop.cart$add invokeStatic "cart.clj" 12]}]
 *      :trace
 *      [[shop.cart$add invokeStatic "cart.clj" 12]
 *       [shop.cart$add invoke "cart.clj" 11]]}
 *
 * The stack is that of the last exception of :via, the innermost frame first. */
#include "core/text/scan.h"
#include "formats/other/other_row.h"
#include "formats/parsers.h"

static const char name[] = "clojure";
#define CLOJURE_ABOVE 16 /* maximum number of lines above a stack that are searched for the exception */

struct clojure_state {
    uint64_t number1; /* number of the line of the title or the last row; 0: no stack is open */
    uint64_t until1;  /* number of the last line that is read, after a significant line or a line of a stack */
    bool fresh;       /* no row was read since the title */
};

static const framemap_str trace_key = FM_STR_INIT(" :trace"), type_key = FM_STR_INIT(":type "),
                          message_key = FM_STR_INIT(":message \""), cause_key = FM_STR_INIT(":cause \"");

/* Parses '[shop.cart$add invoke "cart.clj" 11]'; the file may be nil, and the line negative. */
static bool clojure_parse_row(struct fm_scan *s, framemap_frame *frame)
{
    struct fm_scan t = *s;
    uint32_t line;
    *frame = (framemap_frame){.kind = FRAMEMAP_KIND_OTHER, .status = FRAMEMAP_FRAME_NOT_NEEDED, .index = -1};
    if (!fm_scan_byte(&t, '[') || !fm_scan_word(&t, &frame->class_name) || !fm_scan_blanks1(&t) ||
        !fm_scan_word(&t, &frame->function) || !fm_scan_blanks1(&t))
        return false;
    if (frame->class_name.data[0] == '[' || frame->class_name.data[0] == '"' || frame->function.data[0] == '"')
        return false;
    if (fm_scan_byte(&t, '"')) {
        if (!fm_scan_until(&t, '"', &frame->file)) return false;
        t.at++;
    } else if (!fm_scan_text(&t, FM_STR("nil"))) {
        return false;
    }
    if (!fm_scan_blanks1(&t)) return false;
    const bool negative = fm_scan_byte(&t, '-');
    if (!fm_scan_dec32(&t, &line) || !fm_scan_byte(&t, ']')) return false;
    if (!negative) frame->line = line;
    *s = t;
    return true;
}

/* Returns the text after ":trace", the key of a stack: the first row, or nothing if the row is on the next line. data
 * is NULL if the text does not have the key. */
static framemap_str after_key(framemap_str text)
{
    framemap_frame frame;
    const size_t at = fm_str_find_last(text, trace_key);
    if (at == FM_NOT_FOUND) return fm_str(NULL, 0);
    const framemap_str rest = fm_str_trim(fm_str_from(text, at + trace_key.size));
    struct fm_scan s = fm_scan_of(rest);
    if (rest.size == 0) return rest;
    return fm_scan_byte(&s, '[') && clojure_parse_row(&s, &frame) ? rest : fm_str(NULL, 0);
}

/* Returns the value of the last occurrence of a key in the text: a string without its quotes, or a word. */
static framemap_str value_of(framemap_str text, framemap_str key)
{
    const size_t at = fm_str_find_last(text, key);
    if (at == FM_NOT_FOUND) return fm_str(NULL, 0);
    const framemap_str rest = fm_str_from(text, at + key.size);
    const bool quoted = key.data[key.size - 1] == '"';
    size_t end = 0;
    while (end < rest.size && (quoted ? rest.data[end] != '"'
                                      : !fm_is_blank(rest.data[end]) && rest.data[end] != ',' && rest.data[end] != '}'))
        end += quoted && rest.data[end] == '\\' && end + 1 < rest.size ? 2 : 1;
    return fm_str(rest.data, end);
}

/* Sets type and message from a line of the exception. The caller reads the nearest line first, since the stack belongs
 * to the last exception. */
static void read_exception(framemap_str text, framemap_trace *trace)
{
    framemap_str message = value_of(text, message_key);
    if (message.data == NULL) message = value_of(text, cause_key);
    if (trace->exception_message.data == NULL) trace->exception_message = message;
    if (trace->exception_type.size == 0) trace->exception_type = value_of(text, type_key);
}

static framemap_trace *clojure_begin(struct fm_document *doc, const struct fm_line *line)
{
    framemap_trace *trace = fm_document_trace(doc, name, line);
    if (trace == NULL) return NULL;
    read_exception(line->body, trace);
    struct fm_look_back back = fm_look_back_from(doc, line, fm_document_last_end(doc), CLOJURE_ABOVE);
    for (struct fm_line *before; trace->exception_type.size == 0 && (before = fm_look_back_next(&back)) != NULL;)
        if (fm_line_cut(before)) read_exception(before->body, trace);
    trace->exception = trace->exception_type.size ? trace->exception_type : trace->exception_message;
    return trace;
}

/* Adds the rows of a line. rows: where the first row begins. Returns whether there is a row. */
static bool add_rows(struct clojure_state *state, struct fm_document *doc, const struct fm_line *line,
                     framemap_str rows)
{
    struct fm_scan s = fm_scan_of(rows);
    framemap_frame row;
    bool any = false, closed = false;
    if (state->fresh) (void)fm_scan_byte(&s, '[');
    while (!closed) {
        const char *start = s.at;
        if (!clojure_parse_row(&s, &row)) break;
        framemap_trace *trace = state->fresh ? NULL : fm_document_open(doc, name);
        if (trace == NULL) trace = clojure_begin(doc, line);
        state->fresh = false;
        any = true;
        framemap_frame *frame = trace ? fm_document_frame(doc, line, &row) : NULL;
        if (frame == NULL) break;
        fm_other_narrow(frame, fm_str(start, (size_t)(s.at - start)));
        closed = fm_scan_byte(&s, ']');
        while (s.at < s.end && (fm_is_blank(*s.at) || *s.at == ',')) s.at++;
    }
    state->number1 = any && !closed ? line->number1 : 0;
    return any;
}

/* Whether a line has a word that precedes the key of a stack: ":via", which each exception has, or ":at", before the
 * first row of the stack. The key ":trace" itself is not a needle, because a search for it would be slow in ordinary
 * text. */
static bool clojure_is_significant(const struct fm_line *line)
{
    static const framemap_str words[] = {FM_STR_INIT(" :via"), FM_STR_INIT("[clojure."),
                                         FM_STR_INIT(" invokeStatic \"")};
    for (size_t i = 0; i < sizeof words / sizeof *words; i++)
        if (fm_str_find(line->body, words[i]) != FM_NOT_FOUND) return true;
    return false;
}

static enum fm_line_role clojure_take(struct clojure_state *state, struct fm_document *doc, const struct fm_line *line)
{
    const framemap_str rows = after_key(line->body);
    if (rows.data) {
        state->number1 = line->number1;
        state->fresh = true;
        if (rows.size == 0) return FM_ROLE_CONTEXT;
        return add_rows(state, doc, line, rows) ? FM_ROLE_FRAME : FM_ROLE_NONE;
    }
    if (state->number1 == 0 || line->number1 - state->number1 != 1) return FM_ROLE_NONE;
    return add_rows(state, doc, line, fm_str_trim(line->body)) ? FM_ROLE_FRAME : FM_ROLE_NONE;
}

/* Reads only lines near a significant one. The parser is offered no others, except in tests, which compare the stacks
 * with those of a run in which every line is offered. */
static enum fm_line_role clojure_offer(void *memory, struct fm_document *doc, const struct fm_line *line)
{
    struct clojure_state *state = memory;
    if (clojure_is_significant(line)) state->until1 = line->number1 + FM_LINES_AFTER;
    if (line->number1 > state->until1) return FM_ROLE_NONE;
    const enum fm_line_role role = clojure_take(state, doc, line);
    if (role != FM_ROLE_NONE) state->until1 = line->number1 + FM_LINES_AFTER;
    return role;
}

static const struct fm_needle clojure_needles[] = {FM_NEEDLE(" :via", 1, 1), FM_NEEDLE("[clojure.", 4, 5),
                                                   FM_NEEDLE(" invokeStatic \"", 4, 12)};

const struct fm_format fm_clojure = {
    .info = {name, "exceptions of Clojure as data (:trace [[a b \"c\" 1]])", true, false},
    FM_NEEDLES(clojure_needles),
    .marks = FM_MARK_WORD,
    .state_size = sizeof(struct clojure_state),
    .offer = clojure_offer,
    .is_significant = clojure_is_significant,
    .keeps_state = true};
