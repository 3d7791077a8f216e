/* Tracebacks of IPython, which Jupyter, Colab and Databricks show:
 *
 *     ValueError                                Traceback (most recent call last)
 *     Cell In[3], line 4
 *           3 def load(x):
 *     ----> 4     return parse(x)
 *
 *     File ~/shop/cart.py:12, in parse(x, strict)
 *          11 def parse(x, strict=True):
 *     ---> 12     raise ValueError("bad")
 *
 *     ValueError: bad
 *
 * and those of versions before 8, which give the line only by the arrow:
 *
 *     <ipython-input-3-8a1f9a6e1b2c> in <module>
 *     ----> 4 load(1)
 *     ~/shop/cart.py in parse(x, strict)
 *     Input In [3], in load(x)                    8.0
 *
 * Rows and lines of source are accepted below the title only. The outermost frame is first. The names of frames have no
 * arguments. */
#include "formats/other/other_row.h"
#include "formats/other/python_sentence.h"
#include "formats/parsers.h"
#include "formats/row_parts.h"

static const char name[] = "ipython";
#define IPYTHON_GAP 4 /* maximum number of lines from a title, row or line of source to the next */

struct ipython_state {
    uint64_t number1;  /* number of the last line that belongs to the traceback; 0: none is open */
    framemap_str type; /* the exception's type in the title */
    bool has_trace;    /* a row was read below the title */
    bool needs_line;   /* the last row has no line: that of the arrow below it is the frame's */
    /* a traceback has ended in an exception; `last` is the number of its trace, `last1` that of its last line */
    bool has_last, links;
    uint64_t last, last1;
};

struct ipython_row {
    framemap_str file, function;
    uint32_t line;
};

/* Parses "ValueError           Traceback (most recent call last)". */
static bool read_title(framemap_str text, framemap_str *type)
{
    static const framemap_str mark = FM_STR_INIT("Traceback (most recent call last)");
    const size_t blank = fm_str_find_byte(text, ' ');
    if (blank == FM_NOT_FOUND || !fm_str_ends(text, mark) || !fm_other_is_name(fm_str(text.data, blank), "."))
        return false;
    *type = fm_str(text.data, blank);
    return fm_str_equal(fm_str_trim(fm_str_from(text, blank)), mark);
}

/* Returns the name in "parse(x, strict)", "<module>()" or "<cell line: 4>()". */
static framemap_str without_arguments(framemap_str text) { return fm_str_slice(text, 0, fm_str_find_byte(text, '(')); }

/* Parses "Cell In[3], line 4, in f(x)", "Cell In [3], line 4", "Input In [3], in f(x)". */
static bool read_cell(framemap_str text, struct ipython_row *row)
{
    struct fm_scan s = fm_scan_of(text);
    uint64_t number;
    if (!fm_scan_text(&s, FM_STR("Cell In")) && !fm_scan_text(&s, FM_STR("Input In"))) return false;
    fm_scan_byte(&s, ' ');
    if (!fm_scan_byte(&s, '[') || !fm_scan_dec(&s, &number, NULL) || !fm_scan_byte(&s, ']')) return false;
    row->file = fm_str(text.data, (size_t)(s.at - text.data));
    if (fm_scan_text(&s, FM_STR(", line ")) && !fm_scan_dec32(&s, &row->line)) return false;
    if (fm_scan_done(&s)) return row->line != 0;
    if (!fm_scan_text(&s, FM_STR(", in "))) return false;
    row->function = without_arguments(fm_scan_rest(&s));
    return row->function.size != 0;
}

/* Parses "File ~/shop/cart.py:12, in parse(x)", or without a function. */
static bool read_file(framemap_str text, struct ipython_row *row)
{
    static const framemap_str mark = FM_STR_INIT(", in ");
    struct fm_scan s = fm_scan_of(text);
    uint32_t column = 0;
    if (!fm_scan_text(&s, FM_STR("File "))) return false;
    framemap_str place = fm_scan_rest(&s);
    const size_t in = fm_str_find(place, mark);
    if (in != FM_NOT_FOUND) {
        row->function = without_arguments(fm_str_from(place, in + mark.size));
        place = fm_str(place.data, in);
    }
    return fm_row_location(place, &row->file, &row->line, &column) && column == 0;
}

/* Parses "<ipython-input-3-8a1f> in <module>", "~/shop/cart.py in parse(x)", "a/b.pyx in a.b.f()". */
static bool read_old(framemap_str text, struct ipython_row *row)
{
    static const framemap_str mark = FM_STR_INIT(" in ");
    const size_t in = fm_str_find(text, mark);
    if (in == FM_NOT_FOUND || in == 0) return false;
    row->file = fm_str(text.data, in);
    row->function = without_arguments(fm_str_from(text, in + mark.size));
    const bool is_cell = row->file.data[0] == '<' && row->file.data[in - 1] == '>';
    const bool is_source = fm_str_ends(row->file, FM_STR(".py")) || fm_str_ends(row->file, FM_STR(".pyx")) ||
                           fm_str_ends(row->file, FM_STR(".pxi")) || fm_str_ends(row->file, FM_STR(".pxd"));
    if (!is_cell && !is_source) return false;
    if (is_cell && fm_str_find_byte(row->file, ' ') != FM_NOT_FOUND) return false;
    const bool is_special = row->function.size > 2 && row->function.data[0] == '<';
    return is_special || fm_other_is_name(row->function, ".");
}

static bool ipython_parse_row(framemap_str text, struct ipython_row *row)
{
    *row = (struct ipython_row){.line = 0};
    return read_cell(text, row) || read_file(text, row) || read_old(text, row);
}

/* Whether a line shows source, "      3 def load(x):" or "----> 4     return parse(x)". *line: the line of an arrow;
 * else 0. */
static bool read_source(framemap_str text, uint32_t *line)
{
    struct fm_scan s = fm_scan_of(text);
    uint32_t number;
    bool arrow = false;
    *line = 0;
    while (fm_scan_byte(&s, '-')) arrow = true;
    if (arrow && (!fm_scan_byte(&s, '>') || !fm_scan_byte(&s, ' '))) return false;
    if (!fm_scan_dec32(&s, &number) || !(fm_scan_done(&s) || *s.at == ' ')) return false;
    if (arrow) *line = number;
    return true;
}

static bool ipython_is_significant(const struct fm_line *line)
{
    framemap_str type;
    return read_title(fm_str_trim(line->body), &type);
}

static void ipython_add_row(struct ipython_state *state, struct fm_document *doc, const struct fm_line *line,
                            const struct ipython_row *row)
{
    framemap_trace *trace = state->has_trace ? fm_document_open(doc, name) : NULL;
    if (trace == NULL) {
        trace = fm_document_trace(doc, name, line);
        if (trace == NULL) return;
        trace->outermost_first = true;
        fm_other_exception(trace, state->type);
        if (state->links) fm_other_link_cause(doc, name, state->last, trace);
        state->has_last = state->links = false;
        state->has_trace = true;
    }
    framemap_frame *frame = fm_other_frame(doc, line);
    if (frame == NULL) return;
    frame->file = row->file;
    frame->function = row->function;
    frame->line = row->line;
    state->needs_line = row->line == 0;
}

/* Ends the traceback if the line is its exception, "ValueError: bad", or the type alone. */
static bool end_exception(struct ipython_state *state, struct fm_document *doc, const struct fm_line *line,
                          framemap_str text)
{
    framemap_trace *trace = state->has_trace ? fm_document_open(doc, name) : NULL;
    if (trace == NULL || !fm_str_starts(text, state->type)) return false;
    if (text.size > state->type.size && text.data[state->type.size] != ':') return false;
    fm_other_exception(trace, text);
    state->has_last = true;
    state->last = trace->number;
    state->last1 = line->number1;
    state->number1 = 0;
    return true;
}

static enum fm_line_role ipython_offer(void *memory, struct fm_document *doc, const struct fm_line *line)
{
    struct ipython_state *state = memory;
    const framemap_str text = fm_str_trim(line->body);
    struct ipython_row row;
    framemap_str type;
    uint32_t arrow;
    if (read_title(text, &type)) {
        state->type = type;
        state->number1 = line->number1;
        state->has_trace = state->needs_line = false;
        return FM_ROLE_CONTEXT;
    }
    if (state->has_last && line->number1 - state->last1 <= FM_LINES_AFTER && fm_python_is_cause(text)) {
        state->links = true;
        return FM_ROLE_CONTEXT;
    }
    if (state->number1 == 0 || line->number1 - state->number1 > IPYTHON_GAP) {
        state->number1 = 0;
        return FM_ROLE_NONE;
    }
    if (end_exception(state, doc, line, text)) return FM_ROLE_CONTEXT;
    if (ipython_parse_row(text, &row)) {
        state->number1 = line->number1;
        ipython_add_row(state, doc, line, &row);
        return FM_ROLE_FRAME;
    }
    framemap_trace *trace = state->has_trace ? fm_document_open(doc, name) : NULL;
    framemap_frame *last = trace ? fm_other_last(trace) : NULL;
    if (trace == NULL || !read_source(text, &arrow)) return FM_ROLE_NONE;
    /* without a frame, the trace is the rest of one that a stream has written */
    if (last && state->needs_line && arrow) {
        last->line = arrow;
        state->needs_line = false;
    }
    state->number1 = line->number1;
    return FM_ROLE_CONTEXT;
}

static const struct fm_needle ipython_needles[] = {FM_NEEDLE("(most recent call ", 0, 13)};

const struct fm_format fm_ipython = {
    .info = {name, "tracebacks of IPython and Jupyter (File ~/a.py:12, in f(x))", true, false},
    FM_NEEDLES(ipython_needles),
    .marks = FM_MARK_WORD,
    .state_size = sizeof(struct ipython_state),
    .offer = ipython_offer,
    .is_significant = ipython_is_significant,
    .keeps_state = true};
