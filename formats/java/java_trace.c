/* Parser of the stacks of Java, Kotlin and Android's managed code. java_row.h parses the rows, java_heading.h the
 * lines between them. A stack is recognized by its rows alone; at the first row, the parser looks back for the
 * exception and the thread. */
#include "formats/error_members.h"
#include "formats/java/java_above.h"
#include "formats/java/java_frame.h"
#include "formats/java/java_join.h"
#include "formats/java/java_line.h"
#include "formats/java/java_named.h"
#include "formats/java/java_part.h"
#include "formats/java/java_print.h"
#include "formats/java/java_row.h"
#include "formats/parsers.h"
#include "formats/row_gap.h"
#include "formats/row_writer.h"

static const char name[] = "java";
/* up to this many lines of other text may be within one stack: messages in a log, the state of a thread */
#define JAVA_GAP 8
/* maximum number of lines between the title of a thread and its first Java row: native frames of an ANR trace may come
 * first */
#define THREAD_GAP 96
/* greatest number of classes in one message that are recorded as mentions, so that they are restored there */
#define NAMES 4

struct java_state {
    /* the search for rows above a stack ends at this offset, because the text before it belongs to an earlier stack */
    uint64_t search_stop;
    bool open;        /* the current trace may continue */
    uint64_t number1; /* number of the last line of the stack */
    /* Number of the last line that is a single word with a message, "q: message". Such a word may be a renamed
     * exception. 0: there was no such line. */
    uint64_t word_number1;
    framemap_str thread;
    uint64_t thread_number1;
    bool thread_crashed,
        /* a stack has used this thread as the thread of its exception; the next exception's stack is in another
         * thread */
        thread_used;
    framemap_str id; /* the map id, from a line of the text */
    framemap_str thread_id, thread_state, process;
    uint64_t process_id;
    struct fm_java_parts parts;     /* parts of the current stack */
    struct fm_java_message message; /* message of the current trace */
    /* number of the last line that announced an exception within a message; 0: there was no such line */
    uint64_t nested1;
    bool has_composed; /* the next exception is an element of RxJava's list of exceptions */
    uint64_t composed_number1;
    uint64_t composed;               /* number of the trace that has RxJava's list of exceptions */
    struct fm_error_members members; /* state of reading the exception from members of JSON */
};

/* --- recording classes that are named outside of frames --- */

static bool java_mention(struct fm_document *doc, const struct fm_line *line, framemap_str text, bool exception)
{
    framemap_mention mention = {.exception = exception};
    mention.raw = fm_line_printed(line, text, &mention.raw_offset);
    return fm_document_mention(doc, &mention);
}

/* Records mentions of the exception's class, and of the classes that its message names. */
static void mention_exception(struct fm_document *doc, const struct fm_line *line, const struct fm_java_head *head)
{
    framemap_str found,
        message = fm_str_from(head->text, (size_t)(head->name.data + head->name.size - head->text.data));
    size_t at = 0;
    if (!java_mention(doc, line, head->name, true)) return;
    for (int i = 0; i < NAMES && fm_java_named(message, &at, &found); i++)
        if (!java_mention(doc, line, found, false)) return;
}

static void java_take_thread(struct java_state *state, const struct fm_line *line, const struct fm_java_head *head)
{
    if (head->thread.size == 0) return;
    state->thread = head->thread;
    state->thread_id = head->thread_id;
    state->thread_state = head->state;
    state->thread_crashed = head->crashed;
    state->thread_number1 = line->number1;
    state->thread_used = false;
}

/* Records that a line belongs to the stack, so that the stack may continue below it. */
static void stay_open(struct java_state *state, struct fm_document *doc, const struct fm_line *line)
{
    state->number1 = line->number1;
    state->search_stop = line->offset + 1;
    fm_document_offer_until(doc, line->number1 + JAVA_GAP);
}

static void take_other(struct java_state *state, const struct fm_java_head *head)
{
    if (head->kind == FM_JAVA_HEAD_MAP_ID) state->id = head->name;
    if (head->kind == FM_JAVA_HEAD_STATE) state->thread_state = head->state;
    if (head->kind != FM_JAVA_HEAD_PROCESS) return;
    state->process = head->process;
    state->process_id = head->number;
}

/* --- beginning and ending the parts of a stack --- */

/* Begins the trace of a cause or a suppressed exception of the stack above it. */
static void begin_part(struct java_state *state, struct fm_document *doc, const struct fm_line *line,
                       const struct fm_java_head *head, uint32_t indent)
{
    framemap_trace *trace = fm_document_trace(doc, name, line);
    if (!trace) return;
    framemap_trace *before = fm_document_previous(doc);
    if (before) {
        trace->thread = before->thread;
        trace->thread_id = before->thread_id;
        trace->thread_name = before->thread_name;
        trace->thread_state = before->thread_state;
        trace->process_name = before->process_name;
        trace->has_process_id = before->has_process_id;
        trace->process_id = before->process_id;
        trace->crashed = before->crashed;
    }
    const uint64_t owner = fm_java_parts_add(&state->parts, head->role, indent, trace->number);
    if (!head->wraps) {
        trace->role = head->role;
        trace->part_of = owner;
    } else if (before) {
        before->role = FRAMEMAP_ROLE_CAUSE;
        before->part_of = trace->number;
    }
    mention_exception(doc, line, head);
    fm_java_message_begin(&state->message, line, head, trace);
}

/* Reads the number in a line such as "... 12 more", and adds it to the trace's count of frames that were left out. */
static void leave_out(struct fm_document *doc, const struct fm_java_head *head)
{
    framemap_trace *trace = fm_document_open(doc, name);
    if (trace && head->number <= UINT64_MAX - trace->elided) trace->elided += head->number;
}

static void add_gap(struct fm_document *doc, const struct fm_line *line)
{
    framemap_frame *frame = fm_document_new_frame(doc, line);
    if (!frame) return;
    frame->kind = FRAMEMAP_KIND_MARKER;
    frame->marker = FRAMEMAP_MARKER_ASYNC_GAP;
    frame->status = FRAMEMAP_FRAME_NOT_NEEDED;
}

static void expect_composed(struct java_state *state, const struct fm_line *line)
{
    if (!state->has_composed && state->parts.count > 0) state->composed = state->parts.numbers[0];
    state->has_composed = true;
    state->composed_number1 = line->number1;
}

/* Handles a line between rows of a stack. */
static void java_between(struct java_state *state, struct fm_document *doc, const struct fm_line *line)
{
    struct fm_java_head head;
    if (fm_java_announces_nested(line)) state->nested1 = line->number1;
    if (line->first == '"' && line->last == '[') { /* another list of JSON begins, as in '"stack": [' */
        state->open = false;
        return;
    }
    fm_java_head_parse(line->body, &head);
    if (head.kind == FM_JAVA_HEAD_TITLE && state->nested1 && line->number1 - state->nested1 == 1) return;
    switch (head.kind) {
    case FM_JAVA_HEAD_CAUSE: begin_part(state, doc, line, &head, fm_java_indent(line->body)); break;
    case FM_JAVA_HEAD_MORE: leave_out(doc, &head); return;
    case FM_JAVA_HEAD_COMPOSED: expect_composed(state, line); return;
    case FM_JAVA_HEAD_GAP: add_gap(doc, line); break;
    case FM_JAVA_HEAD_CLASS: java_mention(doc, line, head.name, false); break;
    case FM_JAVA_HEAD_TITLE:
    case FM_JAVA_HEAD_THREAD: state->open = false; return;
    case FM_JAVA_HEAD_MAP_ID: take_other(state, &head); break;
    case FM_JAVA_HEAD_PROCESS:
    case FM_JAVA_HEAD_STATE: return;
    case FM_JAVA_HEAD_WORD:
        if (fm_str_find_byte(head.text, ':') != FM_NOT_FOUND) state->word_number1 = line->number1;
        return;
    case FM_JAVA_HEAD_NONE: return;
    }
    stay_open(state, doc, line);
}

/* --- beginning a stack --- */

static void java_name_thread(struct java_state *state, framemap_trace *trace, const struct fm_line *line,
                             bool has_exception)
{
    if ((has_exception && state->thread_used) || line->number1 - state->thread_number1 > THREAD_GAP)
        state->thread = fm_str(NULL, 0);
    if (state->thread.size == 0) return;
    trace->thread = trace->thread_name = state->thread;
    trace->thread_id = state->thread_id;
    trace->thread_state = state->thread_state;
    trace->crashed = state->thread_crashed;
    state->thread_used = has_exception;
}

static void java_name_process(struct java_state *state, framemap_trace *trace)
{
    if (state->process.size == 0 && state->process_id == 0) return;
    trace->process_name = state->process;
    trace->has_process_id = state->process_id != 0;
    trace->process_id = state->process_id;
    state->process = (framemap_str){NULL, 0};
    state->process_id = 0;
}

/* If the stack belongs to an element of RxJava's list of exceptions ("ComposedException 1 :"), makes it a part of
 * the stack with the list. */
static void java_take_composed(struct java_state *state, const struct fm_line *line, framemap_trace *trace)
{
    const bool is_element = state->has_composed && line->number1 - state->composed_number1 <= FM_JAVA_ABOVE;
    state->has_composed = is_element;
    if (!is_element) return;
    trace->role = FRAMEMAP_ROLE_CAUSE;
    trace->part_of = state->composed;
}

/* Reads the exception of a stack from the JSON members next to it, if the stack is a list of rows without "at", the
 * form in which AWS Lambda returns an error. An error that is the value of a member "cause" is made a part of the stack
 * of the enclosing error; returns true if that was done. */
static bool read_members(struct java_state *state, struct fm_document *doc, const struct fm_line *line,
                         framemap_trace *trace)
{
    const framemap_trace *const before = fm_document_previous(doc);
    fm_error_members_read(&state->members, doc, line, trace, &fm_error_rules_plain);
    if (!state->members.is_cause || before == NULL || before->format.data != name) return false;
    trace->role = FRAMEMAP_ROLE_CAUSE;
    trace->part_of = fm_java_parts_add(&state->parts, trace->role, 0, trace->number);
    return true;
}

/* Begins a stack. own: the exception on the line of the first frame; NULL: search for the exception on the lines
 * above. */
static void java_begin(struct java_state *state, struct fm_document *doc, const struct fm_line *line,
                       const struct fm_java_head *own)
{
    struct fm_java_lines_above above;
    framemap_trace *trace = fm_document_trace(doc, name, line);
    uint32_t indent = 0;
    if (!trace) return;
    fm_java_look_back(doc, line, state->search_stop, &above);
    state->message.open = false;
    for (size_t i = above.count; i-- > 0;) {
        const struct fm_line *before = above.lines[i];
        const struct fm_java_head *head = &above.heads[i];
        java_take_thread(state, before, head);
        take_other(state, head);
        if (head->kind == FM_JAVA_HEAD_CLASS) java_mention(doc, before, head->name, false);
        if (i != above.best || own) continue;
        mention_exception(doc, before, head);
        fm_java_message_begin(&state->message, before, head, trace);
        state->message.open = fm_java_has_message_only(&above);
        indent = fm_java_indent(before->body);
    }
    if (own) {
        mention_exception(doc, line, own);
        fm_java_message_begin(&state->message, line, own, trace);
    }
    if (above.count && above.heads[0].kind == FM_JAVA_HEAD_THREAD && above.heads[0].thread.size == 0)
        fm_java_name_member_thread(doc, line, trace);
    else
        java_name_thread(state, trace, line, own || above.best != SIZE_MAX);
    java_name_process(state, trace);
    state->members.lines_left = 0;
    if ((line->begins || line->first == '"') && read_members(state, doc, line, trace)) {
        state->open = true;
        return;
    }
    java_take_composed(state, line, trace);
    fm_java_parts_begin(&state->parts, trace->number, indent);
    state->open = true;
}

/* --- rows --- */

/* Whether a row continues the open stack. It does not if the line directly above is a single word with a message, such
 * as "q: message": that word is then the exception of a new stack. */
static bool is_inside(const struct java_state *state, struct fm_document *doc, const struct fm_line *line)
{
    return state->open && (state->word_number1 == 0 || line->number1 - state->word_number1 != 1) &&
           line->number1 - state->number1 <= JAVA_GAP && fm_document_open(doc, name) != NULL;
}

/* Called at the first frame of a part: ends the message of its exception, and moves the start of its trace to this
 * line. */
static void end_message(struct java_state *state, struct fm_document *doc, const struct fm_line *line)
{
    framemap_trace *trace = fm_document_open(doc, name);
    if (!trace || trace->frame_count != 1) return;
    trace->line = line->text_number1;
    trace->line_count = 1;
    trace->offset = line->offset;
    trace->size = line->text.size;
    fm_java_message_end(&state->message, doc, line, trace);
}

static void java_add_frame(struct java_state *state, struct fm_document *doc, const struct fm_line *line,
                           const struct fm_java_row *row)
{
    framemap_frame *frame = fm_document_new_frame(doc, line);
    if (frame) fm_java_frame_fill(row, state->id, frame);
    if (frame && state->message.open) end_message(state, doc, line);
    stay_open(state, doc, line);
    if (state->thread.size) state->thread_number1 = line->number1;
}

/* --- reading lines with several frames, or with other text than a frame --- */

/* Handles the text between two frames of one line, or after the last frame: "... 2 more Caused by: a.b: message". */
static void read_between(struct java_state *state, struct fm_document *doc, const struct fm_line *line,
                         framemap_str text)
{
    struct fm_java_head head;
    const size_t dots = fm_str_find(text, FM_STR("... "));
    if (dots != FM_NOT_FOUND) {
        fm_java_head_parse(fm_str_from(text, dots), &head);
        if (head.kind == FM_JAVA_HEAD_MORE) leave_out(doc, &head);
    }
    for (size_t at = 0; fm_java_line_cause(text, &at, &head);) begin_part(state, doc, line, &head, 0);
}

/* Sets the thread of a stack from the text before its first frame, "\"main\" tid=1 Native". */
static void read_thread_before(struct java_state *state, struct fm_document *doc, const struct fm_line *line,
                               framemap_str before)
{
    struct fm_java_head title;
    framemap_trace *trace = fm_document_open(doc, name);
    const framemap_str text = fm_str_trim(before);
    if (trace == NULL || text.size == 0 || text.data[0] != '"') return;
    fm_java_head_parse(text, &title);
    if (title.kind != FM_JAVA_HEAD_THREAD || title.thread.size == 0) return;
    java_take_thread(state, line, &title);
    java_name_thread(state, trace, line, false);
}

/* Handles the text before the first frame on a line. The line begins a new stack, unless this text continues the open
 * stack ("Caused by: …"). */
static void read_before(struct java_state *state, struct fm_document *doc, const struct fm_line *line,
                        framemap_str before, const struct fm_java_head *head, bool inside)
{
    const bool has_exception = head->kind != FM_JAVA_HEAD_NONE;
    if (inside && (head->kind == FM_JAVA_HEAD_CAUSE || fm_row_gap(before) == before.size)) {
        if (has_exception) begin_part(state, doc, line, head, fm_java_indent(before));
    } else {
        java_begin(state, doc, line, has_exception ? head : NULL);
        if (!has_exception) read_thread_before(state, doc, line, before);
    }
}

/* Adds all frames of one line. */
static void add_rows(struct java_state *state, struct fm_document *doc, const struct fm_line *line,
                     const struct fm_java_row *first)
{
    const char *line_end = line->body.data + line->body.size;
    struct fm_java_row row = *first;
    for (bool more = true; more;) {
        const char *end = fm_java_row_end(&row);
        const framemap_str rest = fm_str(end, (size_t)(line_end - end));
        struct fm_line part = *line;
        part.body = fm_str(row.from, (size_t)(end - row.from));
        row.tail.size = (size_t)(end - row.tail.data);
        java_add_frame(state, doc, &part, &row);
        more = fm_java_row_next(rest, &row);
        read_between(state, doc, line, more ? fm_str(end, (size_t)(row.from - end)) : rest);
    }
}

/* Adds the frames of a line with more text than most: more than a prefix before the first frame, or more than packaging
 * data after it. */
static void add_line(struct java_state *state, struct fm_document *doc, const struct fm_line *line,
                     const struct fm_java_row *row, bool inside)
{
    const char *end = fm_java_row_end(row);
    const framemap_str rest = fm_str(end, (size_t)(line->body.data + line->body.size - end));
    const framemap_str before = fm_str(line->body.data, (size_t)(row->from - line->body.data));
    const bool repeats = rest.size == 0 || fm_java_line_repeats(before, rest);
    struct fm_java_row next;
    struct fm_java_head head = {.kind = FM_JAVA_HEAD_NONE};
    if (fm_str_trim(before).size != 0) fm_java_line_head(before, &head);
    if ((!repeats && fm_java_row_next(rest, &next)) || fm_java_line_is_own(before, &head)) {
        read_before(state, doc, line, before, &head, inside);
        add_rows(state, doc, line, row);
        return;
    }
    struct fm_line part = *line;
    if (!repeats) part.body.size = (size_t)(end - line->body.data);
    if (!inside) java_begin(state, doc, line, NULL);
    java_add_frame(state, doc, &part, row);
}

/* If this row and the native rows above it belong to the same thread, adds the row to their stack. */
static bool add_to_thread(struct java_state *state, struct fm_document *doc, const struct fm_line *line,
                          const struct fm_java_row *row)
{
    if (line->first != 'a' || row->tail.size > 1 || !fm_java_joins_thread(doc, line)) return false;
    framemap_frame *frame = fm_document_new_frame(doc, line);
    if (frame) fm_java_frame_fill(row, (framemap_str){NULL, 0}, frame);
    stay_open(state, doc, line);
    return true;
}

/* In a thread with native and Java rows, records a mention of the class of a lock: "- locked <0x0cd03f02> (a bl.q)". */
static void add_lock(const struct java_state *state, struct fm_document *doc, const struct fm_line *line)
{
    struct fm_java_head head;
    if (line->first != '-' || state->number1 == 0 || line->number1 - state->number1 > 1) return;
    if (fm_document_open(doc, fm_android_anr_name) == NULL) return;
    fm_java_head_parse(line->body, &head);
    if (head.kind == FM_JAVA_HEAD_CLASS) java_mention(doc, line, head.name, false);
}

/* Adds the frames of a line; most lines have one frame. */
static void java_add_row(struct java_state *state, struct fm_document *doc, const struct fm_line *line,
                         const struct fm_java_row *row, bool inside)
{
    if (line->first != 'a' || row->tail.size > 1) {
        add_line(state, doc, line, row, inside);
        return;
    }
    if (!inside) java_begin(state, doc, line, NULL);
    java_add_frame(state, doc, line, row);
}

static enum fm_line_role java_offer(void *memory, struct fm_document *doc, const struct fm_line *line)
{
    struct java_state *state = memory;
    struct fm_java_row row;
    fm_error_members_below(&state->members, doc, line, name);
    if (line->begins) {
        state->open = false;
        state->search_stop = line->offset;
    }
    const bool inside = is_inside(state, doc, line);
    /* Within a stack, a row such as "at a.b" may be without parentheses. */
    const bool may_be = (line->has & FM_HAS_PARENTHESIS) != 0 || (inside && line->first == 'a');
    if (may_be && fm_java_row_parse(line->body, inside ? FM_JAVA_IN_STACK : FM_JAVA_ALONE, &row)) {
        if (inside || !add_to_thread(state, doc, line, &row)) java_add_row(state, doc, line, &row, inside);
        return FM_ROLE_FRAME;
    }
    if (inside)
        java_between(state, doc, line);
    else
        add_lock(state, doc, line);
    return FM_ROLE_NONE;
}

static bool java_is_significant(const struct fm_line *line)
{
    struct fm_java_row row;
    return (line->has & FM_HAS_PARENTHESIS) != 0 && fm_java_row_parse(line->body, FM_JAVA_ALONE, &row);
}

/* Implements `leads` of struct fm_format. Titles and the classes in them are restored if a stack follows within a few
 * lines. A single word without dots is restored only directly above a stack. */
static unsigned java_leads(const struct fm_line *line, bool announced)
{
    struct fm_java_head head;
    fm_java_head_parse(line->body, &head);
    switch (head.kind) {
    case FM_JAVA_HEAD_TITLE:
    case FM_JAVA_HEAD_CAUSE:
    case FM_JAVA_HEAD_CLASS: return FM_JAVA_ABOVE;
    case FM_JAVA_HEAD_WORD: return announced ? FM_JAVA_ABOVE : 1;
    case FM_JAVA_HEAD_THREAD: return head.crashed ? FM_LEADS_NEXT : 0;
    default: return 0;
    }
}

static const struct fm_needle java_needles[] = {
    FM_NEEDLE("(SourceFile", 1, 13),
    FM_NEEDLE("(Unknown ", 0, 5),
    FM_NEEDLE("(PG", 0, 2),
    FM_NEEDLE("(Pro", 0, 13),
    FM_NEEDLE("(?:?", 0, 7),
    FM_NEEDLE("(R8$$", 0, 5),
    FM_NEEDLE("(D8$$", 0, 15),
    FM_NEEDLE("(<generated>", 8, 11),
    FM_NEEDLE("(<Unknown>", 1, 5),
    FM_NEEDLE("(:com.google", 1, 4),
    FM_NEEDLE("(unavailable", 0, 5),
    FM_NEEDLE("(r8-map-id-", 0, 5),
    FM_NEEDLE("(Native ", 0, 5),
    FM_NEEDLE("(Coroutine ", 0, 13),
    FM_NEEDLE("(Compiled ", 0, 13),
    FM_NEEDLE("(Inlined ", 0, 13),
    FM_NEEDLE(".java)", 2, 9),
    FM_NEEDLE(".java:", 2, 9),
    FM_NEEDLE(".kt)", 0, 3),
    FM_NEEDLE(".kt:", 0, 3),
    FM_NEEDLE(".kts)", 0, 3),
    FM_NEEDLE(".kts:", 0, 3),
    FM_NEEDLE(".scala)", 3, 14),
    FM_NEEDLE(".scala:", 3, 14),
    FM_NEEDLE(".groovy)", 4, 9),
    FM_NEEDLE(".groovy:", 4, 9),
    FM_NEEDLE(".clj)", 1, 14),
    FM_NEEDLE(".clj:", 1, 10),
    FM_NEEDLE(".jav)", 1, 9),
    FM_NEEDLE(".jav:", 1, 9),
    FM_NEEDLE(".aj)", 0, 15),
    FM_NEEDLE(".aj:", 0, 15),
    FM_NEEDLE(".Kt)", 0, 3),
    FM_NEEDLE(".Kt:", 0, 3),
    FM_NEEDLE("(go/retraceme ", 8, 10),
};

static const struct fm_output java_output = {
    .print = fm_print_rows,
    .put_row = fm_java_put_row,
    .put_head = fm_java_put_head,
    .put_tail = fm_java_put_tail,
    .joins_stacks = true,
    .holds = FRAMEMAP_PART_FILES | FRAMEMAP_PART_LINES | FRAMEMAP_PART_EXCEPTIONS | FRAMEMAP_PART_CAUSES |
             FRAMEMAP_PART_MARKERS,
};

const struct fm_format fm_java = {
    .info = {name, "Java and Kotlin stacks, also within other text (at a.b.c(SourceFile:12))", true, true},
    .keeps = FM_KEEPS_ESCAPES,
    FM_NEEDLES(java_needles),
    .state_size = sizeof(struct java_state),
    .any_of = FM_HAS_PARENTHESIS,
    .offer = java_offer,
    .is_significant = java_is_significant,
    .keeps_state = true,
    .leads = java_leads,
    .print_frame = fm_java_print,
    .output = &java_output};
