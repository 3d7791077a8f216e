/* Ruby's stacks:
 *
 *     app.rb:2:in 'Shop#load': divided by 0 (ZeroDivisionError)
 *             from app.rb:9:in 'block in <main>'
 *              ... 10067 levels...
 *     app.rb:7:in `open': no such file (Errno::ENOENT)             the cause of the stack above
 *
 *     NoMethodError: undefined method 'f' for nil                  libraries
 *     NoMethodError (undefined):                                   Rails
 *     app/a.rb:4:in 'g'
 *     # ./app/a.rb:4:in 'g'                                        RSpec, below "NoMethodError:" and its message
 *
 * The innermost frame is first. On terminals, Ruby 2.5 to 2.7 print the outermost frame first, with numbers: "2:
 * from …". */
#include "formats/other/other_stack.h"
#include "formats/parsers.h"
#include "formats/row_parts.h"

static const char name[] = "ruby";

struct ruby_state {
    struct fm_other_stack stack;
};

/* Parses "FILE:LINE". */
static bool parse_place(framemap_str text, framemap_frame *frame)
{
    uint32_t column = 0;
    return fm_row_location(text, &frame->file, &frame->line, &column) && column == 0 && frame->line != 0;
}

/* Parses ": MESSAGE (TYPE)". */
static bool parse_message(framemap_str rest, struct fm_other_line *out)
{
    framemap_str group;
    if (!fm_str_starts(rest, FM_STR(": "))) return false;
    framemap_str text = fm_str_from(rest, 2);
    out->exception = text;
    if (fm_row_group(&text, &group)) {
        out->exception = text;
        out->type = group;
    } else if (fm_str_starts(text, FM_STR("unhandled exception"))) {
        out->type = FM_STR("RuntimeError");
    }
    return out->type.size != 0 && fm_other_is_name(out->type, ":");
}

/* Finds the exception in "NoMethodError: undefined method"; in "ActionView::Template::Error (undefined method):", which
 * Rails prints above rows without an error; or in "NoMethodError:" of RSpec, whose message is on the line below. */
static bool ruby_find_exception(framemap_str text, framemap_str *exception)
{
    const size_t colon = fm_str_find(text, FM_STR(": ")), open = fm_str_find(text, FM_STR(" ("));
    const bool grouped = open != FM_NOT_FOUND && fm_str_ends(text, FM_STR("):"));
    const bool above = text.size > 1 && text.data[text.size - 1] == ':' && fm_str_find_byte(text, ' ') == FM_NOT_FOUND;
    if (colon == FM_NOT_FOUND && !grouped && !above) return false;
    const size_t end = above ? text.size - 1 : colon;
    const framemap_str type = fm_str(text.data, grouped && open < end ? open : end);
    if (!fm_other_is_name(type, ":") ||
        (!fm_str_ends(type, FM_STR("Error")) && !fm_str_ends(type, FM_STR("Exception"))))
        return false;
    *exception = text;
    return true;
}

static enum fm_other_kind ruby_parse(framemap_str text, struct fm_other_line *out)
{
    struct fm_scan s = fm_scan_of(text);
    uint64_t number = 0;
    if (fm_str_starts(text, FM_STR("... ")) && fm_str_ends(text, FM_STR(" levels..."))) {
        out->marker = FRAMEMAP_MARKER_SKIPPED;
        out->count = fm_other_number(text);
        return FM_OTHER_MARK;
    }
    const bool numbered = fm_scan_dec(&s, &number, NULL) && fm_scan_text(&s, FM_STR(": from "));
    if (!numbered) s = fm_scan_of(text);
    fm_scan_text(&s, FM_STR("# ")); /* RSpec prints "# " before rows */
    const bool from = numbered || fm_scan_text(&s, FM_STR("from "));
    const framemap_str row = fm_scan_rest(&s);
    size_t in = fm_str_find(row, FM_STR(":in '"));
    const size_t old = fm_str_find(row, FM_STR(":in `"));
    if (in == FM_NOT_FOUND || (old != FM_NOT_FOUND && old < in)) in = old;
    if (numbered) out->frame.index = (int64_t)(number % 1000000000);
    if (in == FM_NOT_FOUND && !from && ruby_find_exception(text, &out->exception)) return FM_OTHER_END;
    if (in == FM_NOT_FOUND) return from && parse_place(row, &out->frame) ? FM_OTHER_ROW : FM_OTHER_NONE;
    if (!parse_place(fm_str(row.data, in), &out->frame)) return FM_OTHER_NONE;
    const framemap_str rest = fm_str_from(row, in + 5);
    const size_t quote = fm_str_find_byte(rest, '\'');
    if (quote == FM_NOT_FOUND || quote == 0) return FM_OTHER_NONE;
    out->frame.function = fm_str(rest.data, quote);
    const framemap_str after = fm_str_from(rest, quote + 1);
    if (after.size == 0) return FM_OTHER_SURE;
    if (from || !parse_message(after, out)) return FM_OTHER_NONE;
    out->starts = out->is_part = true;
    return FM_OTHER_SURE;
}

static const struct fm_other_rules rules = {
    .name = name, .parse = ruby_parse, .find_exception = ruby_find_exception, .above = 8};

/* Splits "NoMethodError (undefined method):", the form of Rails, into type and message. */
static void split_grouped(framemap_trace *trace)
{
    const framemap_str text = trace->exception;
    const size_t open = fm_str_find(text, FM_STR(" ("));
    if (open == FM_NOT_FOUND || !fm_str_ends(text, FM_STR("):")) || !fm_other_is_name(fm_str(text.data, open), ":"))
        return;
    trace->exception_type = fm_str(text.data, open);
    trace->exception_message = fm_str_slice(text, open + 2, text.size - 2);
}

/* Cuts the type off the end of a detailed message of Ruby: "bad URI (URI::InvalidURIError)". */
static void cut_type(framemap_trace *trace)
{
    framemap_str group, text = trace->exception_message;
    if (fm_row_group(&text, &group) && fm_str_equal(group, trace->exception_type)) trace->exception_message = text;
}

/* Makes a stack that Rake prints below "Caused by:" the cause of the stack above it. */
static void link_cause(struct fm_document *doc, const struct fm_line *line)
{
    framemap_trace *trace = fm_document_open(doc, name);
    const framemap_trace *above = fm_document_previous(doc);
    struct fm_look_back back = fm_look_back_from(doc, line, 0, rules.above);
    if (above == NULL || above->format.data != name) return;
    for (struct fm_line *before; (before = fm_look_back_next(&back)) != NULL;) {
        if (!fm_line_cut(before) || !fm_str_equal(fm_str_trim(before->body), FM_STR("Caused by:"))) continue;
        trace->role = FRAMEMAP_ROLE_CAUSE;
        trace->part_of = above->role == FRAMEMAP_ROLE_CAUSE ? above->part_of : above->number;
        return;
    }
}

/* Parses a line. If the rows above are numbered, a row with a message is the innermost frame of the same stack. */
static enum fm_line_role ruby_offer(void *memory, struct fm_document *doc, const struct fm_line *line)
{
    struct ruby_state *state = memory;
    framemap_trace *trace = fm_document_open(doc, name);
    const framemap_frame *last = trace ? fm_other_last(trace) : NULL;
    struct fm_other_line row = {.frame = {.index = -1}};
    if (last && last->index == 1 && state->stack.has_trace &&
        ruby_parse(fm_str_trim(line->body), &row) == FM_OTHER_SURE && row.starts &&
        line->number1 - state->stack.number1 <= 1) {
        framemap_frame *frame = fm_other_frame(doc, line);
        state->stack.number1 = line->number1;
        if (frame == NULL) return FM_ROLE_FRAME;
        trace = fm_document_open(doc, name);
        trace->exception = trace->exception_message = row.exception;
        trace->exception_type = row.type;
        frame->function = row.frame.function;
        frame->file = row.frame.file;
        frame->line = row.frame.line;
        return FM_ROLE_FRAME;
    }
    const enum fm_line_role role = fm_other_stack_offer(&rules, &state->stack, doc, line);
    trace = role == FM_ROLE_FRAME ? fm_document_open(doc, name) : NULL;
    last = trace ? fm_other_last(trace) : NULL;
    if (last && trace->frame_count == 1) {
        split_grouped(trace);
        cut_type(trace);
        if (trace->role == FRAMEMAP_ROLE_NONE) link_cause(doc, line);
    }
    /* the numbers of this stack descend, so the innermost frame is last */
    if (last && last->index > 0) trace->outermost_first = true;
    return role;
}

static bool ruby_is_significant(const struct fm_line *line) { return fm_other_stack_is_significant(&rules, line); }

static const struct fm_needle ruby_needles[] = {FM_NEEDLE(":in '", 1, 7), FM_NEEDLE(":in `", 1, 7)};

const struct fm_format fm_ruby = {.info = {name, "stacks of Ruby", true, false},
                                  FM_NEEDLES(ruby_needles),
                                  .marks = FM_MARK_WORD,
                                  .state_size = sizeof(struct ruby_state),
                                  .offer = ruby_offer,
                                  .is_significant = ruby_is_significant,
                                  .keeps_state = true};
