/* Python's tracebacks, and those of its faulthandler:
 *
 *    Traceback (most recent call last):                    Fatal Python error: Segmentation fault
 *      File "/app/a.py", line 7, in run
 *        load(x)                                           Current thread 0x00007f01 (most recent call first):
 *        ^^^^^^^                                             File "/app/a.py", line 7 in run
 *      [Previous line repeated 9 more times]
 *    ValueError: bad x
 *
 * The lines of an exception group begin with a bar ("  | "). Rows without a title, as traceback.print_stack() prints
 * them, are accepted if they are indented by two blanks and at least two follow each other, or if they are a string or
 * a list of strings in JSON, as AWS Lambda returns an error. Only a traceback ends in
 * an exception. A syntax error may come without a title, and its row has no function. The frames of a traceback are
 * in the order of the text, the innermost last; those of faulthandler begin with the innermost.
 *
 * "The above exception was the direct cause" between two tracebacks makes the first the cause of the second. The
 * tracebacks of the exceptions in a group, whose bars are indented further, are causes of the group. */
#include "formats/error_members.h"
#include "formats/other/other_row.h"
#include "formats/other/python_sentence.h"
#include "formats/parsers.h"

static const char name[] = "python";
#define PYTHON_GAP 8 /* maximum number of lines from one row to the next */
/* maximum depth of nested exception groups: the exceptions of deeper groups are not linked to their group */
#define LEVELS 16

enum python_link { LINK_NONE, LINK_CAUSE };

struct python_state {
    uint64_t number1; /* number of the line of the last title or row; 0: no stack is open */
    uint64_t row1;    /* number of the line of the last row */
    uint64_t string1; /* number of the last line with an escaped string */
    bool has_trace;   /* the last title was followed by a frame */
    bool dump;        /* faulthandler printed the last title */
    bool plain;    /* the open title is "Stack (most recent call last):", whose rows are not followed by an exception */
    bool untitled; /* the open stack has no title */
    uint64_t untitled1; /* number of the line of the last row that may begin a stack without a title */
    bool syntax;   /* a row without a function, and without a title above it, was read: a syntax error may follow */
    size_t indent; /* indent of the last row */
    framemap_str fatal; /* "Fatal Python error: ..." */
    framemap_str title; /* the title of the open stack, if it is faulthandler's */
    framemap_str above; /* an exception directly above the title of a traceback: some handlers print it there */
    struct fm_error_members members; /* state of reading the error from members after a stack in JSON */
    enum python_link link;
    /* a traceback has ended in an exception; `last` is the number of its trace, `last1` the number of its last line */
    bool has_last;
    uint64_t last, last1;
    size_t last_level;
    bool group;         /* the open title is "Exception Group Traceback (most recent call last):" */
    size_t level;       /* number of groups around the open traceback */
    size_t bar;         /* indent of the bars of the outermost group */
    size_t group_count; /* number of groups around the next line; `groups` has the numbers of their traces */
    bool closed;        /* the last rail was the one below the last exception of a group */
    uint64_t groups[LEVELS];
};

struct python_row {
    framemap_str file, function;
    uint64_t line, column;
    bool has_comma; /* the row has a comma before "in", as tracebacks have: "line 7, in f" */
};

/* Returns the body without the bar that precedes lines of an exception group: "  | ", "  + ", "  +-". */
static framemap_str off_rail(framemap_str body)
{
    framemap_str text = body;
    for (; text.size && fm_is_blank(text.data[0]); text.size--) text.data++;
    if (text.size < 2 || (text.data[0] != '|' && text.data[0] != '+') || text.data == body.data) return body;
    return text.data[1] == ' ' ? fm_str_from(text, 2) : body;
}

/* Reads a rail of an exception group: "+---- 2 ----" above an exception, "+----" below the last one. */
static void read_rail(struct python_state *state, framemap_str trimmed)
{
    size_t at = 1;
    if (!fm_str_starts(trimmed, FM_STR("+-"))) return;
    while (at < trimmed.size && trimmed.data[at] == '-') at++;
    state->closed = at == trimmed.size;
}

static size_t indent_of(framemap_str text)
{
    size_t at = 0;
    while (at < text.size && fm_is_blank(text.data[at])) at++;
    return at;
}

/* Sets how many groups are around the traceback that a title starts. body: the line of the title. */
static void set_level(struct python_state *state, framemap_str body)
{
    const framemap_str text = off_rail(body);
    const bool railed = text.data != body.data;
    const size_t bar = railed ? indent_of(body) : 0;
    state->group = railed && fm_str_starts(text, FM_STR("Exception Group "));
    if (!railed || (state->group && body.data[bar] == '+')) state->bar = bar;
    state->level = bar > state->bar ? (bar - state->bar + 1) / 2 : 0;
    if (state->group_count > state->level) state->group_count = state->level;
    if (state->closed) state->group_count = 0;
    state->closed = false;
}

/* Parses 'File "PATH", line 7, in f', 'File "PATH", line 7 in f', or 'File "PATH", line 7'; also Starlark's 'File
 * "PATH", line 7, column 3, in f'. */
static bool python_parse_row(framemap_str text, struct python_row *row)
{
    struct fm_scan s = fm_scan_of(fm_str_trim(text));
    const framemap_str mark = FM_STR("\", line ");
    if (!fm_scan_text(&s, FM_STR("File "))) return false;
    while (fm_scan_byte(&s, '\\')) continue; /* in a string of JSON, backslashes precede the quotes */
    if (!fm_scan_byte(&s, '"')) return false;
    const framemap_str rest = fm_scan_rest(&s);
    const size_t quote = fm_str_find(rest, mark);
    if (quote == FM_NOT_FOUND) return false;
    *row = (struct python_row){.file = fm_str(rest.data, quote)};
    while (row->file.size && row->file.data[row->file.size - 1] == '\\') row->file.size--;
    s.at += quote + mark.size;
    if (!fm_scan_dec(&s, &row->line, NULL)) return fm_scan_text(&s, FM_STR("???"));
    if (fm_scan_done(&s)) return true;
    row->has_comma = fm_scan_byte(&s, ',');
    if (fm_scan_text(&s, FM_STR(" column ")) && (!fm_scan_dec(&s, &row->column, NULL) || !fm_scan_byte(&s, ',')))
        return false;
    if (!fm_scan_text(&s, FM_STR(" in "))) return false;
    row->function = fm_scan_rest(&s);
    return row->function.size != 0;
}

/* Whether the row begins a stack without a title. */
static bool begins_untitled(framemap_str text, const struct python_row *row)
{
    return row->has_comma && row->function.size && fm_str_starts(text, FM_STR("  File \""));
}

static bool python_is_title(framemap_str text)
{
    return fm_str_ends(text, FM_STR("(most recent call last):")) ||
           fm_str_ends(text, FM_STR("(most recent call first):"));
}

/* Whether the text is an exception: a name that is alone, "a.b.Error", or before a message, "ValueError: x". */
static bool is_exception(framemap_str text, bool strict)
{
    static const framemap_str ends[] = {FM_STR_INIT("Error"),     FM_STR_INIT("Exception"), FM_STR_INIT("Warning"),
                                        FM_STR_INIT("Exit"),      FM_STR_INIT("Interrupt"), FM_STR_INIT("Group"),
                                        FM_STR_INIT("Iteration"), FM_STR_INIT("Timeout"),   FM_STR_INIT("Fault")};
    const size_t colon = fm_str_find_byte(text, ':');
    framemap_str type = colon == FM_NOT_FOUND ? text : fm_str(text.data, colon);
    if (colon != FM_NOT_FOUND && colon + 1 < text.size && text.data[colon + 1] != ' ') return false;
    if (!fm_other_is_name(type, ".<>")) return false;
    for (size_t i = 0; i < sizeof ends / sizeof *ends; i++)
        if (fm_str_ends(type, ends[i])) return true;
    bool lower = false; /* a name without a lower-case letter is not an exception: "INFO: x" is a line of a log */
    for (size_t i = 0; i < type.size; i++) lower = lower || (type.data[i] >= 'a' && type.data[i] <= 'z');
    return !strict && lower;
}

static bool python_is_significant(const struct fm_line *line)
{
    const framemap_str text = off_rail(line->body);
    struct python_row row;
    if (python_is_title(text) || fm_str_starts(text, FM_STR("Fatal Python error"))) return true;
    if (line->last == ')' || !python_parse_row(text, &row)) return false;
    return row.function.size == 0 || begins_untitled(text, &row);
}

static void start_title(struct python_state *state, struct fm_document *doc, const struct fm_line *line,
                        framemap_str text)
{
    set_level(state, line->body);
    struct fm_look_back back = fm_look_back_from(doc, line, 0, 1);
    struct fm_line *before = fm_look_back_next(&back);
    state->above = fm_str(NULL, 0);
    if (before && fm_line_cut(before) && is_exception(fm_str_trim(before->body), true))
        state->above = fm_str_trim(before->body);
    state->number1 = line->number1;
    state->has_trace = state->syntax = state->untitled = false;
    state->plain = !fm_str_ends(text, FM_STR("Traceback (most recent call last):"));
    state->dump = fm_str_ends(text, FM_STR("first):"));
    state->title = state->dump ? fm_str_trim(text) : fm_str(NULL, 0);
}

/* Sets the thread from the title "Current thread 0x00007f01 [name] (most recent call first):". */
static void name_thread(framemap_trace *trace, const struct python_state *state)
{
    framemap_str text = state->title;
    trace->crashed = fm_str_starts(text, FM_STR("Current thread "));
    if (state->fatal.size) fm_other_exception(trace, state->fatal);
    const size_t at = fm_str_find(text, FM_STR("hread 0x"));
    if (at == FM_NOT_FOUND) return;
    struct fm_scan s = fm_scan_of(fm_str_from(text, at + 6));
    if (!fm_scan_word(&s, &trace->thread_id)) return;
    trace->thread = trace->thread_id;
    fm_scan_blanks(&s);
    if (fm_scan_byte(&s, '[') && fm_scan_until(&s, ']', &trace->thread_name)) trace->thread = trace->thread_name;
}

/* Makes the traceback that starts here a cause of the group around it. */
static void link_group(const struct python_state *state, framemap_trace *trace)
{
    if (state->level == 0 || state->group_count != state->level) return;
    trace->role = FRAMEMAP_ROLE_CAUSE;
    trace->part_of = state->groups[state->level - 1];
}

/* Makes the traceback above the cause of the traceback that starts here. */
static void link_cause(struct python_state *state, struct fm_document *doc, const framemap_trace *trace)
{
    framemap_trace *before = fm_document_previous(doc);
    const bool links = state->link == LINK_CAUSE && state->has_last && before && state->last_level == state->level;
    state->link = LINK_NONE;
    state->has_last = false;
    if (!links || before->number != state->last || before->format.data != name) return;
    before->role = FRAMEMAP_ROLE_CAUSE;
    before->part_of = trace->number;
}

static bool ensure_trace(struct python_state *state, struct fm_document *doc, const struct fm_line *line)
{
    if (state->has_trace && fm_document_open(doc, name) != NULL) return true;
    framemap_trace *trace = fm_document_trace(doc, name, line);
    if (trace == NULL) return false;
    trace->outermost_first = !state->dump;
    if (state->dump)
        name_thread(trace, state);
    else
        link_cause(state, doc, trace);
    if (!state->dump) link_group(state, trace);
    if (!state->dump && state->above.size) fm_other_exception(trace, state->above);
    state->has_trace = true;
    return true;
}

static void python_add_row(struct python_state *state, struct fm_document *doc, const struct fm_line *line,
                           const struct python_row *row)
{
    framemap_frame *frame = ensure_trace(state, doc, line) ? fm_other_frame(doc, line) : NULL;
    state->number1 = state->row1 = line->number1;
    state->indent = indent_of(off_rail(line->body));
    if (frame == NULL) return;
    frame->file = row->file;
    frame->function = row->function;
    if (row->line <= UINT32_MAX) frame->line = (uint32_t)row->line;
    if (row->column <= UINT32_MAX) frame->column = (uint32_t)row->column;
}

/* Adds a marker for "[Previous line repeated 3 more times]", or for "...", which faulthandler prints after 100
 * frames. */
static bool add_marker(struct python_state *state, struct fm_document *doc, const struct fm_line *line,
                       framemap_str text)
{
    const bool repeated = fm_str_starts(text, FM_STR("[Previous line repeated "));
    const bool cut = state->dump && fm_str_equal(text, FM_STR("..."));
    const bool none = state->dump && fm_str_equal(text, FM_STR("<no Python frame>"));
    if (!repeated && !cut && !none) return false;
    if (!state->has_trace || fm_document_open(doc, name) == NULL) {
        if (!none || !ensure_trace(state, doc, line)) return false;
    }
    fm_other_marker(doc, line,
                    repeated ? FRAMEMAP_MARKER_REPEATED
                    : cut    ? FRAMEMAP_MARKER_SKIPPED
                             : FRAMEMAP_MARKER_INVALID,
                    repeated ? fm_other_number(text) : 0);
    state->number1 = line->number1;
    return true;
}

/* Ends a syntax error. It has no title; its only row is a few lines above the exception. */
static enum fm_line_role end_syntax_error(struct python_state *state, struct fm_document *doc,
                                          const struct fm_line *line, framemap_str text)
{
    struct fm_look_back above = fm_look_back_from(doc, line, 0, PYTHON_GAP);
    struct python_row row;
    state->syntax = false;
    for (struct fm_line *before; (before = fm_look_back_next(&above)) != NULL;) {
        if (!fm_line_cut(before) || !python_parse_row(before->body, &row)) continue;
        state->has_trace = false;
        state->dump = false;
        state->level = 0;
        python_add_row(state, doc, before, &row);
        framemap_trace *trace = fm_document_open(doc, name);
        if (trace) fm_other_exception(trace, text);
        state->number1 = 0;
        return FM_ROLE_CONTEXT;
    }
    return FM_ROLE_NONE;
}

static bool is_syntax_error(framemap_str text)
{
    return fm_str_starts(text, FM_STR("SyntaxError")) || fm_str_starts(text, FM_STR("IndentationError")) ||
           fm_str_starts(text, FM_STR("TabError"));
}

static enum fm_line_role end_traceback(struct python_state *state, struct fm_document *doc, const struct fm_line *line,
                                       framemap_str text)
{
    framemap_trace *trace = state->has_trace ? fm_document_open(doc, name) : NULL;
    state->number1 = 0;
    if (trace == NULL) return FM_ROLE_CONTEXT;
    fm_other_exception(trace, text);
    state->has_last = true;
    state->last = trace->number;
    state->last1 = line->number1;
    state->last_level = state->level;
    if (state->group && state->group_count == state->level && state->level < LEVELS)
        state->groups[state->group_count++] = trace->number;
    return FM_ROLE_CONTEXT;
}

/* Reads a sentence that is between two tracebacks, or above a traceback of faulthandler. */
static bool take_sentence(struct python_state *state, const struct fm_line *line, framemap_str text)
{
    if (fm_python_is_cause(text)) state->closed = false;
    if (state->has_last && line->number1 - state->last1 <= PYTHON_GAP && fm_python_is_cause(text)) {
        state->link = LINK_CAUSE;
        return true;
    }
    if (!fm_str_starts(text, FM_STR("Fatal Python error"))) return false;
    state->fatal = text;
    return true;
}

/* Handles a line below a title that is not a row: source, carets, or the exception that ends the traceback. Source
 * is indented further than its row, unless pasted text lost the indents. */
static enum fm_line_role take_other(struct python_state *state, struct fm_document *doc, const struct fm_line *line,
                                    framemap_str text)
{
    const size_t indent = indent_of(text);
    const framemap_str trimmed = fm_str_trim(text);
    const bool flat = state->indent == 0;
    /* This line is in a string, but the rows above it are not. */
    const bool quoted = line->number1 == state->string1 && state->number1 != line->number1;
    if (state->untitled && (fm_str_starts(trimmed, FM_STR("]")) || fm_str_starts(trimmed, FM_STR("\"]")))) {
        state->number1 = 0; /* a "]" ends the JSON list of strings that has the rows */
        return FM_ROLE_NONE;
    }
    if (state->dump || !state->has_trace || indent > state->indent || quoted) return FM_ROLE_NONE;
    /* the line ends a string of a JSON list, or is a member of a JSON object */
    if (state->untitled && line->first == '"') return FM_ROLE_NONE;
    if (state->plain) {
        if (!flat) state->number1 = 0;
        return FM_ROLE_NONE;
    }
    if (flat ? !is_exception(trimmed, true) : indent == state->indent && state->indent > 0) return FM_ROLE_NONE;
    if (state->untitled && trimmed.size && indent < state->indent && !is_exception(trimmed, true)) {
        state->number1 = 0;
        return FM_ROLE_NONE;
    }
    if (!is_exception(trimmed, flat) || line->number1 - state->row1 > PYTHON_GAP) return FM_ROLE_NONE;
    return end_traceback(state, doc, line, trimmed);
}

/* Whether the line opens a list of the lines of a stack: ""stackTrace": [". */
static bool opens_list(framemap_str body)
{
    struct fm_scan s = fm_scan_of(body);
    framemap_str member;
    fm_scan_blanks(&s);
    if (!fm_scan_byte(&s, '"') || !fm_scan_until(&s, '"', &member)) return false;
    s.at++;
    fm_scan_blanks(&s);
    if (!fm_scan_byte(&s, ':')) return false;
    fm_scan_blanks(&s);
    return fm_scan_byte(&s, '[') && fm_scan_done(&s) &&
           (fm_str_ends(member, FM_STR("stack")) || fm_str_ends(member, FM_STR("race")));
}

/* Whether a row begins a JSON string that has all lines of a stack, or is the first string of a JSON list that has one
 * string for each line. */
static bool begins_string(struct fm_document *doc, const struct fm_line *line)
{
    if (line->run == 0 || line->begins) return line->begins;
    struct fm_look_back above = fm_look_back_from(doc, line, 0, 1);
    struct fm_line *before = fm_look_back_next(&above);
    return before && fm_line_cut(before) && opens_list(before->body);
}

/* Begins a stack without a title that is in JSON. The members next to it name the exception. */
static void begin_in_json(struct python_state *state, struct fm_document *doc, const struct fm_line *line,
                          const struct python_row *row)
{
    state->has_trace = state->dump = state->plain = false;
    state->level = 0;
    state->untitled = true;
    python_add_row(state, doc, line, row);
    framemap_trace *trace = fm_document_open(doc, name);
    if (trace) fm_error_members_read(&state->members, doc, line, trace, &fm_error_rules_plain);
}

/* Begins a stack without a title if two rows are close to each other. A single row is accepted only in JSON. */
static enum fm_line_role begin_untitled(struct python_state *state, struct fm_document *doc, const struct fm_line *line,
                                        const struct python_row *row)
{
    /* maximum number of lines from one row to the next: one line of source and one of carets are between them */
    enum { CLOSE = 3 };
    struct fm_look_back above = fm_look_back_from(doc, line, 0, CLOSE);
    const uint64_t before1 = state->untitled1;
    struct python_row first;
    if (begins_string(doc, line)) {
        begin_in_json(state, doc, line, row);
        return FM_ROLE_FRAME;
    }
    state->untitled1 = line->number1;
    if (before1 == 0 || line->number1 - before1 > CLOSE) return FM_ROLE_NONE;
    for (struct fm_line *before; (before = fm_look_back_next(&above)) != NULL;) {
        if (!fm_line_cut(before)) continue;
        const framemap_str text = off_rail(before->body);
        if (!python_parse_row(text, &first) || !begins_untitled(text, &first)) continue;
        state->has_trace = state->dump = state->plain = false;
        state->level = 0;
        state->untitled = true;
        python_add_row(state, doc, before, &first);
        python_add_row(state, doc, line, row);
        return FM_ROLE_FRAME;
    }
    return FM_ROLE_NONE;
}

static enum fm_line_role python_offer(void *memory, struct fm_document *doc, const struct fm_line *line)
{
    struct python_state *state = memory;
    const framemap_str text = off_rail(line->body), trimmed = fm_str_trim(text);
    struct python_row row;
    fm_error_members_below(&state->members, doc, line, name);
    read_rail(state, fm_str_trim(line->body));
    if (line->begins) {
        state->string1 = line->number1;
        state->untitled1 = 0;
        if (state->untitled) state->number1 = 0;
    }
    if (python_is_title(trimmed)) {
        start_title(state, doc, line, trimmed);
        return FM_ROLE_CONTEXT;
    }
    if (take_sentence(state, line, trimmed)) return FM_ROLE_CONTEXT;
    if (state->number1 && line->number1 - state->number1 > PYTHON_GAP) state->number1 = 0;
    if (python_parse_row(trimmed, &row)) {
        const bool leaves = line->number1 == state->string1 && state->number1 != line->number1;
        state->syntax = row.function.size == 0;
        if (state->number1 == 0 && line->last != ')' && begins_untitled(text, &row))
            return begin_untitled(state, doc, line, &row);
        if (state->number1 == 0 || leaves || (row.function.size && row.has_comma == state->dump)) return FM_ROLE_NONE;
        python_add_row(state, doc, line, &row);
        return FM_ROLE_FRAME;
    }
    if (state->number1 == 0)
        return state->syntax && is_syntax_error(trimmed) ? end_syntax_error(state, doc, line, trimmed) : FM_ROLE_NONE;
    if (add_marker(state, doc, line, trimmed)) return FM_ROLE_FRAME;
    return take_other(state, doc, line, text);
}

static const struct fm_needle python_needles[] = {
    FM_NEEDLE("(most recent call ", 0, 13),
    FM_NEEDLE("Fatal Python error", 6, 1),
    FM_NEEDLE("\", line ", 0, 0),
};

const struct fm_format fm_python = {
    .info = {name, "tracebacks of Python, its exception groups and faulthandler", true, false},
    FM_NEEDLES(python_needles),
    .marks = FM_MARK_WORD,
    .state_size = sizeof(struct python_state),
    .offer = python_offer,
    .is_significant = python_is_significant,
    .keeps_state = true};
