/* Parses the output of "pprof -traces": stacks between separators, with their labels and the value of their samples:
 *
 *     -----------+-------------------------------------------------------
 *           key1:  tag1
 *            10ms   main.run (inline)
 *                   main.main /app/main.go:12
 *     -----------+-------------------------------------------------------
 *
 * The innermost frame is first. A row may have an address before the function, a position after it, or both. */
#include "formats/other/other_row.h"
#include "formats/parsers.h"
#include "formats/row_parts.h"

static const char name[] = "pprof-traces";
#define PPROF_GAP 8 /* maximum number of lines from a separator or a row to the next row */

struct pprof_state {
    uint64_t number1; /* number of the line of the last separator or row; 0: no stack is open */
    bool has_trace;   /* a row of the stack was read */
    size_t column;    /* column at which the functions begin */
};

static bool is_separator(framemap_str text)
{
    static const framemap_str start = FM_STR_INIT("-----------+---");
    if (!fm_str_starts(text, start)) return false;
    for (size_t i = start.size; i < text.size; i++)
        if (text.data[i] != '-') return false;
    return true;
}

static bool pprof_is_significant(const struct fm_line *line)
{
    return line->first == '-' && is_separator(fm_str_trim(line->body));
}

/* Whether a word is a value: "10ms", "1.50MB", "12". */
static bool is_value(framemap_str word)
{
    size_t at = 0;
    if (at < word.size && word.data[at] == '-') at++;
    const size_t digits = at;
    while (at < word.size && (fm_is_digit(word.data[at]) || word.data[at] == '.')) at++;
    if (at == digits) return false;
    return word.size - at <= 10 && (at == word.size || fm_other_is_name(fm_str_from(word, at), "/%"));
}

/* Sets the function of a frame, and also the address, the position and the mark "(inline)" that the row has around the
 * function. */
static void fill_row(framemap_frame *frame, framemap_str text)
{
    static const framemap_str inlined = FM_STR_INIT(" (inline)");
    uint64_t address = 0;
    unsigned digits = 0;
    uint32_t line = 0, column = 0;
    framemap_str file;
    frame->inlined = fm_str_ends(text, inlined);
    if (frame->inlined) text.size -= inlined.size;
    struct fm_scan s = fm_scan_of(text);
    if (fm_scan_hex(&s, &address, &digits, NULL) && digits == 16 && fm_scan_byte(&s, ' ')) {
        frame->has_address = true;
        frame->address = address;
        frame->address_kind = FRAMEMAP_ADDRESS_ABSOLUTE;
        text = fm_scan_rest(&s);
    }
    const size_t blank = fm_str_find_last_byte(text, ' ');
    if (blank != FM_NOT_FOUND && fm_row_location(fm_str_from(text, blank + 1), &file, &line, &column)) {
        frame->file = file;
        frame->line = line;
        frame->column = column;
        text.size = blank;
    }
    frame->function = fm_str_trim(text);
}

static bool pprof_add_row(struct pprof_state *state, struct fm_document *doc, const struct fm_line *line,
                          framemap_str text, framemap_str value)
{
    if (!state->has_trace && fm_document_trace(doc, name, line) == NULL) return true;
    framemap_frame *frame = fm_other_frame(doc, line);
    if (frame) fill_row(frame, text);
    struct fm_scan s = fm_scan_of(value);
    uint64_t count = 0;
    if (frame == NULL || !fm_scan_dec(&s, &count, NULL) || !fm_scan_done(&s)) return true;
    framemap_frame_extra *extra = fm_document_extra(doc, frame);
    if (extra == NULL) return true;
    extra->has_count = true;
    extra->count = count;
    return true;
}

/* Parses the first row of a stack, "   10ms   main.run", which shows in which column the functions of further rows
 * begin. */
static bool take_first(struct pprof_state *state, struct fm_document *doc, const struct fm_line *line)
{
    struct fm_scan s = fm_scan_of(line->body);
    framemap_str value;
    fm_scan_blanks(&s);
    if (!fm_scan_word(&s, &value) || !is_value(value) || !fm_scan_blanks1(&s) || fm_scan_done(&s)) return false;
    state->column = (size_t)(s.at - line->body.data);
    return pprof_add_row(state, doc, line, fm_scan_rest(&s), value);
}

static bool take_next(struct pprof_state *state, struct fm_document *doc, const struct fm_line *line)
{
    struct fm_scan s = fm_scan_of(line->body);
    fm_scan_blanks(&s);
    if ((size_t)(s.at - line->body.data) != state->column || fm_scan_done(&s)) return false;
    return pprof_add_row(state, doc, line, fm_scan_rest(&s), fm_str(NULL, 0));
}

static enum fm_line_role pprof_offer(void *memory, struct fm_document *doc, const struct fm_line *line)
{
    struct pprof_state *state = memory;
    if (pprof_is_significant(line)) {
        *state = (struct pprof_state){.number1 = line->number1};
        return FM_ROLE_CONTEXT;
    }
    if (state->number1 == 0 || line->number1 - state->number1 > PPROF_GAP) return FM_ROLE_NONE;
    if (state->has_trace && fm_document_open(doc, name) == NULL) return FM_ROLE_NONE;
    if (!(state->has_trace ? take_next(state, doc, line) : take_first(state, doc, line))) {
        /* a line that is neither a row nor a label ends the stack */
        if (fm_str_find_byte(line->body, ':') == FM_NOT_FOUND) state->number1 = 0;
        return FM_ROLE_NONE;
    }
    state->has_trace = true;
    state->number1 = line->number1;
    return FM_ROLE_FRAME;
}

static const struct fm_needle pprof_needles[] = {FM_NEEDLE("-----------+---", 9, 0)};

const struct fm_format fm_pprof_traces = {
    .info = {name, "stacks of samples as \"pprof -traces\" prints them", true, false},
    FM_NEEDLES(pprof_needles),
    .marks = FM_MARK_WORD,
    .firsts = "-",
    .state_size = sizeof(struct pprof_state),
    .offer = pprof_offer,
    .is_significant = pprof_is_significant,
    .keeps_state = true};
