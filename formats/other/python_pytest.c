/* Tracebacks of pytest, in its short and its long style:
 *
 *     tests/test_cart.py:12: in test_total          def test_total():
 *         assert total([1]) == 3                >       assert total([1]) == 3
 *     shop/cart.py:7: in total
 *         return sum(x.price for x in items)    tests/test_cart.py:12:
 *     E   AttributeError: no price              _ _ _ _ _ _ _ _ _ _ _ _ _ _ _ _ _ _ _
 *
 *                                                   def total(items):
 *                                               >       return sum(x.price for x in items)
 *                                               E       AttributeError: no price
 *
 *                                               shop/cart.py:7: AttributeError
 *
 * The outermost frame is first. In the long style a row follows the source of its function, and the last row has the
 * type of the exception. Between two tracebacks pytest prints the sentences of Python, which make the first the cause
 * of the second. */
#include "core/text/scan.h"
#include "formats/other/other_row.h"
#include "formats/other/python_sentence.h"
#include "formats/parsers.h"

static const char name[] = "pytest";
/* The next row is searched up to this many lines below a row: the source of a function is between two rows. */
#define PYTEST_GAP 128
/* An exception, or a sentence between two tracebacks, is at most this many lines below a row or an exception. */
#define PYTEST_NEAR 16

struct pytest_state {
    uint64_t number1; /* number of the line of the last row; 0: no stack is open */
    bool has_error;   /* the open stack has its exception, so the next row begins another stack */
    bool is_cause;    /* a sentence follows: the last traceback is the cause of the next one */
    bool has_last;
    uint64_t last; /* number of the last trace */
};

enum pytest_kind {
    PYTEST_NONE,
    PYTEST_SHORT, /* "a.py:12: in f" */
    PYTEST_LONG,  /* "a.py:12:", below the source of its function */
    PYTEST_LAST   /* "a.py:12: KeyError", below the exception */
};

struct pytest_row {
    framemap_str file, function, type;
    framemap_str error; /* for PYTEST_LAST: the exception above the row */
    uint32_t line;
};

static enum pytest_kind pytest_parse(framemap_str text, struct pytest_row *row)
{
    static const framemap_str mark = FM_STR_INIT(".py:");
    const size_t at = fm_str_find(text, mark);
    if (at == FM_NOT_FOUND || at == 0) return PYTEST_NONE;
    struct fm_scan s = fm_scan_of(fm_str_from(text, at + mark.size));
    *row = (struct pytest_row){.file = fm_str_slice(text, 0, at + mark.size - 1)};
    if (fm_str_find_byte(row->file, ' ') != FM_NOT_FOUND || fm_str_find_byte(row->file, '"') != FM_NOT_FOUND)
        return PYTEST_NONE;
    if (!fm_scan_dec32(&s, &row->line) || row->line == 0 || !fm_scan_byte(&s, ':')) return PYTEST_NONE;
    if (fm_scan_done(&s)) return PYTEST_LONG;
    if (fm_scan_text(&s, FM_STR(" in "))) {
        row->function = fm_scan_rest(&s);
        return fm_other_is_name(row->function, ".<>") ? PYTEST_SHORT : PYTEST_NONE;
    }
    if (!fm_scan_byte(&s, ' ')) return PYTEST_NONE;
    row->type = fm_scan_rest(&s);
    return fm_other_is_name(row->type, ".") ? PYTEST_LAST : PYTEST_NONE;
}

/* Whether a line begins with the sign of an exception, "E   ", and has text after it. */
static bool pytest_error(framemap_str body, framemap_str *error)
{
    if (!fm_str_starts(body, FM_STR("E   "))) return false;
    *error = fm_str_trim(fm_str_from(body, 1));
    return error->size != 0;
}

/* Sets the exception of a trace from the line with its sign: "KeyError: 'x'", "KeyError", "assert 1 == 2". */
static void set_error(framemap_trace *trace, framemap_str error)
{
    const size_t colon = fm_str_find(error, FM_STR(": "));
    const framemap_str type = fm_str_slice(error, 0, colon);
    if (fm_other_is_name(type, ".<>")) {
        fm_other_exception(trace, error);
    } else {
        trace->exception = trace->exception_message = error;
        trace->exception_type = fm_str(NULL, 0);
    }
}

/* Finds the exception above the last row of the long style: the first of the lines that begin with the sign "E   ". */
static bool find_error(struct fm_document *doc, const struct fm_line *line, framemap_str *error)
{
    struct fm_look_back above = fm_look_back_from(doc, line, 0, PYTEST_NEAR);
    bool found = false;
    for (struct fm_line *before; (before = fm_look_back_next(&above)) != NULL;) {
        if (!fm_line_cut(before)) continue;
        if (!pytest_error(before->body, error)) break;
        found = true;
    }
    return found;
}

/* Returns the function whose source is above a row of the long style; absent if its first line is too far away. */
static framemap_str function_above(struct fm_document *doc, const struct fm_line *line)
{
    static const framemap_str starts[] = {FM_STR_INIT("    def "), FM_STR_INIT("    async def ")};
    struct fm_look_back above = fm_look_back_from(doc, line, 0, FM_LOOK_BACK_MOST);
    for (struct fm_line *before; (before = fm_look_back_next(&above)) != NULL;) {
        if (!fm_line_cut(before)) continue;
        if (fm_str_starts(before->body, FM_STR("_ _ _ "))) break;
        for (size_t i = 0; i < sizeof starts / sizeof *starts; i++) {
            if (!fm_str_starts(before->body, starts[i])) continue;
            const framemap_str rest = fm_str_from(before->body, starts[i].size);
            const size_t open = fm_str_find_byte(rest, '(');
            return fm_str_slice(rest, 0, open == FM_NOT_FOUND ? 0 : open);
        }
    }
    return fm_str(NULL, 0);
}

static framemap_trace *begin_trace(struct pytest_state *state, struct fm_document *doc, const struct fm_line *line)
{
    framemap_trace *trace = fm_document_trace(doc, name, line);
    if (trace == NULL) return NULL;
    trace->outermost_first = true;
    framemap_trace *before = fm_document_previous(doc);
    if (state->is_cause && state->has_last && before && before->number == state->last && before->format.data == name) {
        before->role = FRAMEMAP_ROLE_CAUSE;
        before->part_of = trace->number;
    }
    state->is_cause = state->has_error = false;
    state->has_last = true;
    state->last = trace->number;
    return trace;
}

static void pytest_add_row(struct pytest_state *state, struct fm_document *doc, const struct fm_line *line,
                           const struct pytest_row *row, enum pytest_kind kind)
{
    /* A row after the exception begins another stack; but a row such as "a.py:12: KeyError" is printed below the
     * exception of its own stack. */
    const bool ends = state->has_error && (kind != PYTEST_LAST || state->is_cause);
    framemap_trace *trace = state->number1 && !ends ? fm_document_open(doc, name) : NULL;
    if (trace == NULL) trace = begin_trace(state, doc, line);
    state->number1 = line->number1;
    if (trace == NULL) return;
    if (kind == PYTEST_LAST) {
        set_error(trace, row->error);
        trace->exception_type = row->type;
        if (trace->exception.size == 0) trace->exception = row->type;
        state->has_error = true;
    }
    framemap_frame *frame = fm_other_frame(doc, line);
    if (frame == NULL) return;
    frame->file = row->file;
    frame->line = row->line;
    frame->function = row->function;
    fm_document_offer_until(doc, line->number1 + PYTEST_NEAR);
}

/* Whether the line is the title of a test, "____ test_total ____", below which another stack begins. */
static bool is_test_title(framemap_str text)
{
    return fm_str_starts(text, FM_STR("___")) && fm_str_ends(text, FM_STR("___")) &&
           fm_str_find_byte(text, ' ') != FM_NOT_FOUND;
}

/* Handles a line below a row that is not a row. */
static void pytest_between(struct pytest_state *state, struct fm_document *doc, const struct fm_line *line)
{
    framemap_str error;
    if (is_test_title(line->body)) {
        state->number1 = 0;
    } else if (fm_python_is_cause(line->body)) {
        state->is_cause = true;
    } else if (!state->has_error && line->number1 - state->number1 <= PYTEST_NEAR && pytest_error(line->body, &error)) {
        framemap_trace *trace = fm_document_open(doc, name);
        if (trace) set_error(trace, error);
        state->has_error = true;
        fm_document_offer_until(doc, line->number1 + PYTEST_NEAR);
    }
}

static enum fm_line_role pytest_offer(void *memory, struct fm_document *doc, const struct fm_line *line)
{
    struct pytest_state *state = memory;
    struct pytest_row row;
    if (state->number1 && line->number1 - state->number1 > PYTEST_GAP) *state = (struct pytest_state){.number1 = 0};
    const enum pytest_kind kind = pytest_parse(line->body, &row);
    if (kind == PYTEST_NONE) {
        if (state->number1) pytest_between(state, doc, line);
        return FM_ROLE_NONE;
    }
    if (kind == PYTEST_LAST && !find_error(doc, line, &row.error)) return FM_ROLE_NONE;
    if (kind != PYTEST_SHORT) row.function = function_above(doc, line);
    if (kind == PYTEST_LONG && row.function.size == 0 && !state->number1) return FM_ROLE_NONE;
    pytest_add_row(state, doc, line, &row, kind);
    return FM_ROLE_FRAME;
}

static bool pytest_is_significant(const struct fm_line *line)
{
    struct pytest_row row;
    return pytest_parse(line->body, &row) != PYTEST_NONE;
}

static const struct fm_needle pytest_needles[] = {FM_NEEDLE(".py:", 0, 15)};

const struct fm_format fm_pytest = {.info = {name, "tracebacks of pytest", true, false},
                                    FM_NEEDLES(pytest_needles),
                                    .marks = FM_MARK_WORD,
                                    .state_size = sizeof(struct pytest_state),
                                    .offer = pytest_offer,
                                    .is_significant = pytest_is_significant,
                                    .keeps_state = true,
                                    .gap = PYTEST_GAP};
