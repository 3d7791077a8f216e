/* Implements other_stack.h: stacks whose rows have one line each. */
#include "formats/other/other_stack.h"
#include "core/text/scan.h"

static void look_above(const struct fm_other_rules *rules, struct fm_document *doc, const struct fm_line *line,
                       framemap_str *exception)
{
    struct fm_look_back back = fm_look_back_from(doc, line, 0, rules->above);
    for (struct fm_line *before; (before = fm_look_back_next(&back)) != NULL;)
        if (fm_line_cut(before) && rules->find_exception(fm_str_trim(before->body), exception)) return;
}

static void set_exception(framemap_trace *trace, framemap_str exception, framemap_str type)
{
    if (exception.size == 0) return;
    fm_other_exception(trace, exception);
    if (type.size == 0) return;
    trace->exception_type = type;
    trace->exception_message = exception;
}

/* Forgets what the last title contains. */
static void clear_title(struct fm_other_stack *state)
{
    state->exception = state->thread = fm_str(NULL, 0);
    state->crashed = state->goes_on = state->rethrows = false;
}

/* Returns the lines between the title and `line`, the nearest first; blank lines are left out. */
static size_t lines_of_message(const struct fm_other_stack *state, struct fm_document *doc, const struct fm_line *line,
                               struct fm_line **lines)
{
    struct fm_look_back back = fm_look_back_from(doc, line, 0, FM_OTHER_GAP);
    size_t count = 0;
    while (count < FM_OTHER_GAP && (lines[count] = fm_look_back_next(&back)) != NULL &&
           lines[count]->number1 > state->number1)
        count++;
    return count;
}

/* Adds the lines directly below the title to the message. */
static void extend_message(struct fm_other_stack *state, struct fm_document *doc, const struct fm_line *line)
{
    struct fm_line *lines[FM_OTHER_GAP];
    if (line->number1 - state->number1 > FM_OTHER_GAP) return;
    size_t count = lines_of_message(state, doc, line, lines);
    while (count > 0 && fm_line_extend(lines[count - 1], &state->exception)) count--;
}

/* Whether a row that is accepted next to others only is at its place: directly below a row or below the title with at
 * most one blank line between them, or below the blank line that ends the title's message. */
static bool is_next(const struct fm_other_stack *state, struct fm_document *doc, const struct fm_line *line)
{
    struct fm_line *lines[FM_OTHER_GAP];
    const uint64_t distance = line->number1 - state->number1;
    if (state->has_trace || !state->goes_on) return distance <= (state->has_trace ? 1 : 2);
    if (distance < 2 || distance > FM_OTHER_GAP) return false;
    const size_t count = lines_of_message(state, doc, line, lines);
    return count + 2 == distance && (count == 0 || lines[0]->number1 + 2 == line->number1);
}

static framemap_trace *start_trace(const struct fm_other_rules *rules, struct fm_other_stack *state,
                                   struct fm_document *doc, const struct fm_line *line)
{
    framemap_trace *trace = fm_document_trace(doc, rules->name, line);
    framemap_str exception = state->exception;
    if (trace == NULL) return NULL;
    if (state->goes_on && exception.size) {
        extend_message(state, doc, line);
        exception = state->exception;
    }
    if (exception.size == 0 && rules->find_exception) look_above(rules, doc, line, &exception);
    set_exception(trace, exception, fm_str(NULL, 0));
    if (exception.size == 0 && line->run)
        fm_error_members_read(&state->members, doc, line, trace, &fm_error_rules_plain);
    if (state->thread.size) trace->thread = trace->thread_id = state->thread;
    trace->crashed = state->crashed;
    if (state->rethrows) fm_other_link_cause(doc, rules->name, state->cause, trace);
    clear_title(state);
    state->has_trace = true;
    return trace;
}

/* Makes the new stack a part, such as the cause, of the stack above it. */
static void link_part(framemap_trace *trace, const framemap_trace *above)
{
    trace->role = FRAMEMAP_ROLE_CAUSE;
    trace->part_of = above->role == FRAMEMAP_ROLE_CAUSE ? above->part_of : above->number;
}

static void other_add_row(const struct fm_other_rules *rules, struct fm_other_stack *state, struct fm_document *doc,
                          const struct fm_line *line, const struct fm_other_line *row, enum fm_other_kind kind)
{
    framemap_trace *trace = state->has_trace ? fm_document_open(doc, rules->name) : NULL;
    if (trace == NULL || row->starts) {
        const framemap_trace above = trace ? *trace : (framemap_trace){.number = 0};
        const bool is_part = trace != NULL && row->is_part;
        trace = start_trace(rules, state, doc, line);
        if (trace && is_part) link_part(trace, &above);
    }
    state->number1 = line->number1;
    state->index = row->frame.index;
    if (trace == NULL) return;
    set_exception(trace, row->exception, row->type);
    if (kind == FM_OTHER_MARK) {
        fm_other_marker(doc, line, row->marker, row->count);
        return;
    }
    framemap_frame *frame = fm_other_frame(doc, line);
    if (frame == NULL) return;
    framemap_frame filled = row->frame;
    if (filled.kind == FRAMEMAP_KIND_UNKNOWN) {
        filled.kind = frame->kind;
        filled.status = frame->status;
    }
    if (rules->returns && filled.kind == FRAMEMAP_KIND_NATIVE)
        filled.return_address = fm_document_depth(doc, trace) > 1;
    filled.raw = frame->raw;
    filled.raw_offset = frame->raw_offset;
    filled.raw_line = frame->raw_line;
    *frame = filled;
}

/* Whether the line is directly below a row. */
static bool follows(const struct fm_other_stack *state, const struct fm_line *line)
{
    return state->has_trace && line->number1 - state->number1 == 1;
}

enum fm_line_role fm_other_stack_offer(const struct fm_other_rules *rules, struct fm_other_stack *state,
                                       struct fm_document *doc, const struct fm_line *line)
{
    struct fm_other_line row = {.frame = {.index = -1}};
    fm_error_members_below(&state->members, doc, line, rules->name);
    if (line->begins) state->string1 = line->number1;
    const enum fm_other_kind kind = rules->parse(fm_str_trim(line->body), &row);
    const bool leaves = line->number1 == state->string1 && state->number1 != line->number1;
    const bool inside = state->number1 && !leaves && line->number1 - state->number1 <= FM_OTHER_GAP;
    if (!inside) state->has_trace = false;
    const framemap_trace *above = row.rethrows && state->has_trace ? fm_document_open(doc, rules->name) : NULL;
    switch (kind) {
    case FM_OTHER_TITLE:
        if (row.rethrows && above == NULL) return FM_ROLE_NONE;
        state->number1 = line->number1;
        state->has_trace = false;
        state->exception = row.exception;
        state->thread = row.thread;
        state->crashed = row.crashed;
        state->goes_on = row.goes_on;
        state->rethrows = row.rethrows;
        if (above) state->cause = above->number;
        if (row.goes_on) /* up to the line end, for fm_line_extend */
            state->exception.size = (size_t)(line->body.data + line->body.size - row.exception.data);
        return FM_ROLE_CONTEXT;
    case FM_OTHER_END: state->number1 = 0; return FM_ROLE_NONE;
    case FM_OTHER_NONE: return FM_ROLE_NONE;
    case FM_OTHER_MARK:
    case FM_OTHER_ROW:
        if (row.adjacent && !is_next(state, doc, line)) return FM_ROLE_NONE;
        if (row.counts_up && (!follows(state, line) || row.frame.index != state->index + 1)) return FM_ROLE_NONE;
        if (!inside || (kind == FM_OTHER_MARK && (!state->has_trace || !fm_document_open(doc, rules->name))))
            return FM_ROLE_NONE;
        break;
    case FM_OTHER_SURE:
        if (!inside) clear_title(state);
        break;
    }
    other_add_row(rules, state, doc, line, &row, kind);
    return FM_ROLE_FRAME;
}

bool fm_other_stack_is_significant(const struct fm_other_rules *rules, const struct fm_line *line)
{
    struct fm_other_line row = {.frame = {.index = -1}};
    const enum fm_other_kind kind = rules->parse(fm_str_trim(line->body), &row);
    return kind == FM_OTHER_TITLE || kind == FM_OTHER_SURE;
}

static bool is_type(framemap_str word)
{
    return fm_other_is_name(word, ".+:\\/") &&
           (fm_str_ends(word, FM_STR("Exception")) || fm_str_ends(word, FM_STR("Error")));
}

bool fm_other_find_exception(framemap_str text, framemap_str *exception)
{
    framemap_str rest = text;
    for (;;) {
        const size_t colon = fm_str_find(rest, FM_STR(": "));
        const framemap_str type = colon == FM_NOT_FOUND ? rest : fm_str(rest.data, colon);
        const size_t blank = fm_str_find_last_byte(type, ' ');
        const framemap_str word = blank == FM_NOT_FOUND ? type : fm_str_from(type, blank + 1);
        if (is_type(word)) {
            *exception = fm_str_from(rest, (size_t)(word.data - rest.data));
            return true;
        }
        if (colon == FM_NOT_FOUND) return false;
        rest = fm_str_from(rest, colon + 2);
    }
}
