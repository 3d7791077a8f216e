/* What backtrace_symbols, NSException and NSThread print on Apple's systems, and collectors that use them:
 *
 *     *** First throw call stack:
 *     (
 *         0   CoreFoundation   0x00007fff20421af6 __exceptionPreprocess + 242
 *         4   App              0x000000010210cccb App + 15563
 *     )
 *
 * and Kotlin/Native, with positions:
 *
 *     Uncaught Kotlin exception: kotlin.IllegalStateException: none left
 *         at 0   app.kexe   0x0000000104c2d1a7   kfun:#main(){} + 171 (/src/main.kt:3:11)
 *
 * The first row of Kotlin's stack may be on the line of the title, with the exception on the line above. Below the
 * stack follow the exception's causes, "Caused by: kotlin.Error: x", and the exceptions that were suppressed.
 *
 * All addresses are return addresses, except in the first line of stacks of sampling profilers ("0   App
 * 0x0000000107933b74 0x1078ec000+293748"), which is the current instruction. The text has no list of images, with
 * two exceptions: Datadog's JSON has one (json_images.h), and Umeng's footer ("dSYM UUID:", "Base Address:")
 * describes the app. Rows with an offset in the image give its load address. A bare list of addresses can only be
 * matched with the images of the report around it. */
#include "core/text/find_any.h"
#include "formats/error_members.h"
#include "formats/json_images.h"
#include "formats/native/apple/apple.h"
#include "formats/native/apple/cr4shed.h"
#include "formats/native/apple/kotlin_row.h"
#include "formats/native/check_failure.h"
#include "formats/parsers.h"
#include "formats/row_parts.h"

static const char name[] = "apple-symbols";
static const framemap_str kotlin_title = FM_STR_INIT("Uncaught Kotlin exception: ");
static const framemap_str old_kotlin_title = FM_STR_INIT("Uncaught exception from Kotlin's main: "); /* until 2019 */
/* maximum number of lines of other text within one stack, and between a title and its list of addresses */
#define SYMBOLS_GAP 3

/* title that Crashlytics prints for an error of React Native, and maximum number of lines from it to the native stack:
 * the message has the rows of JavaScript */
static const framemap_str react_title = FM_STR_INIT("Fatal Exception: RCTFatalException");
#define REACT_LINES 200

/* A stack of a Kotlin exception. Its `role` is the exception's relation to that of another stack, such as its cause. */
struct kotlin_part {
    uint64_t number; /* number of the trace made of this stack */
    framemap_role role;
    bool is_indented; /* the stack is indented, as are the parts of a suppressed exception */
};

struct symbols_state {
    framemap_str exception;
    bool fresh;       /* a title was read since the last frame */
    bool titled;      /* the title was "First throw call stack" */
    bool exact;       /* the first address of this stack is the current instruction */
    bool crashlytics; /* the last stack is one of Crashlytics, so its other threads may follow */
    bool plain;       /* the last frame was one of Kotlin's without a number */
    bool down;        /* the rows of this stack have descending numbers: the outermost function is first */
    int64_t index;    /* frame number of the last frame */
    uint64_t address;
    uint64_t number1;    /* number of the line with the last frame or title */
    framemap_str module; /* the image whose load address was given by a frame; `load` is that address */
    uint64_t load;
    framemap_image footer;
    struct kotlin_part above; /* the stack of Kotlin's runtime that was read last */
    framemap_str react;       /* the last line with react_title that no stack has used; `react1` is its number */
    uint64_t react1;
    uint64_t owner; /* number of the trace to which the next cause belongs */
    struct fm_json_images datadog;
};

static bool symbols_begins(struct symbols_state *state, framemap_trace *trace, const framemap_frame *frame,
                           const struct fm_line *line)
{
    if (!trace || state->fresh || line->number1 - state->number1 > SYMBOLS_GAP) return true;
    if (frame->index < 0) return state->index >= 0; /* Kotlin's rows without numbers */
    if (frame->index > state->index) return state->down;
    if (frame->index == 0 && state->crashlytics && line->number1 - state->number1 > 1) return true;
    if (frame->index == state->index) return !frame->has_address || frame->address != state->address;
    if (frame->index != state->index - 1 || (!state->down && trace->frame_count > 1)) return true;
    state->down = trace->outermost_first = true;
    return false;
}

static framemap_str unquoted_text(framemap_str text)
{
    text = fm_str_trim(text);
    if (text.size < 2 || text.data[0] != '\'' || text.data[text.size - 1] != '\'') return text;
    return fm_str(text.data + 1, text.size - 2);
}

/* Returns the text without line ends at its start: if the exception's type is alone on its line, the message begins
 * after a line end. */
static framemap_str without_line_end(framemap_str text)
{
    while (text.size && (text.data[0] == '\n' || text.data[0] == '\r')) text = fm_str_from(text, 1);
    return text;
}

/* Sets type and message of a trace's exception from "'NSRangeException', reason: 'it is out of range'", or from
 * Kotlin's "TYPE: MESSAGE". */
void fm_apple_exception(framemap_str exception, framemap_trace *trace)
{
    const framemap_str mark = FM_STR(", reason: ");
    const size_t colon = fm_str_find(exception, FM_STR(": "));
    if (fm_str_find(exception, mark) == FM_NOT_FOUND && colon != FM_NOT_FOUND && exception.data[0] != '\'') {
        trace->exception_type = fm_str_slice(exception, 0, colon); /* Kotlin writes exceptions as "TYPE: MESSAGE" */
        trace->exception_message = without_line_end(fm_str_from(exception, colon + 2));
        return;
    }
    const size_t at = fm_str_find(exception, mark);
    trace->exception_type = unquoted_text(fm_str_slice(exception, 0, at));
    if (at == FM_NOT_FOUND) return;
    framemap_str message = unquoted_text(fm_str_from(exception, at + mark.size));
    if (message.size && message.data[0] == '\'' && !fm_str_ends(message, FM_STR("'")))
        message = fm_str_from(message, 1); /* the message has further lines, the last of which has the other quote */
    trace->exception_message = message;
}

/* Whether the text begins with a class in a package, as exceptions do: "kotlin.IllegalStateException: none",
 * "a.b.Failure". */
static bool is_kotlin_exception(framemap_str text)
{
    const size_t colon = fm_str_find(text, FM_STR(": "));
    const framemap_str class_name = fm_str_slice(text, 0, colon);
    const size_t dot = fm_str_find_last_byte(class_name, '.');
    if (dot == FM_NOT_FOUND || dot + 1 == class_name.size) return false;
    for (size_t i = 0; i < class_name.size; i++) {
        const char c = class_name.data[i];
        const bool letter = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_';
        if (!letter && (i == 0 || (!fm_is_digit(c) && c != '.' && c != '$'))) return false;
    }
    return class_name.data[dot + 1] >= 'A' && class_name.data[dot + 1] <= 'Z';
}

/* Returns the exception that Kotlin prints directly above a stack. Also returns whether that exception is a cause of
 * the one printed before it, or was suppressed there. */
static framemap_str kotlin_exception_above(struct fm_document *doc, const struct fm_line *line,
                                           struct kotlin_part *part)
{
    static const framemap_str cause = FM_STR_INIT("Caused by: "), suppressed = FM_STR_INIT("Suppressed: ");
    struct fm_look_back walk = fm_look_back_from(doc, line, fm_document_last_end(doc), 1);
    struct fm_line *above = fm_look_back_next(&walk);
    if (above == NULL || !fm_line_cut(above)) return (framemap_str){NULL, 0};
    framemap_str text = fm_str_trim(above->body);
    part->is_indented = above->body.size != 0 && fm_is_blank(above->body.data[0]);
    if (fm_str_starts(text, old_kotlin_title)) return fm_str_from(text, old_kotlin_title.size);
    if (fm_str_starts(text, cause)) {
        part->role = FRAMEMAP_ROLE_CAUSE;
        text = fm_str_from(text, cause.size);
    } else if (fm_str_starts(text, suppressed)) {
        part->role = FRAMEMAP_ROLE_SUPPRESSED;
        text = fm_str_from(text, suppressed.size);
    }
    return is_kotlin_exception(text) ? text : (framemap_str){NULL, 0};
}

/* Reads an exception of Kotlin, or a cause. A cause belongs to the exception or cause above it; an indented cause
 * belongs to the suppressed exception above it. */
static void read_kotlin_exception(struct symbols_state *state, struct fm_document *doc, const struct fm_line *line,
                                  framemap_trace *trace)
{
    struct kotlin_part part = {.number = trace->number};
    const bool near = state->number1 && line->number1 - state->number1 <= SYMBOLS_GAP;
    if (state->exception.size == 0) state->exception = kotlin_exception_above(doc, line, &part);
    if (near && part.role != FRAMEMAP_ROLE_NONE && state->exception.size != 0) {
        const bool inner = part.is_indented && state->above.role == FRAMEMAP_ROLE_SUPPRESSED;
        trace->role = part.role;
        trace->part_of = inner ? state->above.number : state->owner;
        if (part.role == FRAMEMAP_ROLE_CAUSE && !inner) state->owner = trace->number;
    } else {
        state->owner = trace->number;
    }
    state->above = part;
}

/* Adds the lines between the title and the first row of a stack to the exception's message. */
static void extend_kotlin_title(struct symbols_state *state, struct fm_document *doc, const struct fm_line *line)
{
    struct fm_line *lines[FM_LOOK_BACK_MOST];
    size_t count = 0;
    if (line->number1 - state->number1 > FM_LOOK_BACK_MOST) return;
    struct fm_look_back walk = fm_look_back_from(doc, line, fm_document_last_end(doc), FM_LOOK_BACK_MOST);
    while (count < FM_LOOK_BACK_MOST && (lines[count] = fm_look_back_next(&walk)) != NULL &&
           lines[count]->number1 > state->number1)
        count++;
    while (count > 0 && fm_line_extend(lines[count - 1], &state->exception)) count--;
}

/* Reads the lines of Crashlytics or Cr4shed above a stack into its trace. Returns the kind of stack. */
static enum fm_crashlytics_head head_above(struct fm_document *doc, const struct fm_line *line, framemap_trace *trace)
{
    const enum fm_crashlytics_head head = fm_crashlytics_above(doc, line, trace);
    return head == FM_CRASHLYTICS_NONE ? fm_cr4shed_above(doc, line, trace) : head;
}

/* Sets the exception from the title of React Native's error, which is further up than head_above looks. */
static void read_react_title(struct symbols_state *state, const struct fm_line *line, framemap_trace *trace)
{
    if (state->react.size && line->number1 - state->react1 <= REACT_LINES)
        trace->crashed = fm_crashlytics_exception(state->react, trace);
}

/* Sets the exception from "Fatal error: Index out of range: file a.swift, line 3" above Swift's "Current stack
 * trace:". */
static bool read_swift_error(struct fm_document *doc, const struct fm_line *line, framemap_trace *trace)
{
    static const framemap_str types[] = {FM_STR_INIT("Fatal error"), FM_STR_INIT("Assertion failed"),
                                         FM_STR_INIT("Precondition failed")};
    struct fm_look_back above = fm_look_back_from(doc, line, fm_document_last_end(doc), 2);
    struct fm_line *before = fm_look_back_next(&above);
    if (before == NULL || !fm_line_cut(before) ||
        !fm_str_equal(fm_str_trim(before->body), FM_STR("Current stack trace:")))
        return false;
    before = fm_look_back_next(&above);
    if (before == NULL || !fm_line_cut(before)) return false;
    const framemap_str text = fm_str_trim(before->body);
    for (size_t i = 0; i < sizeof types / sizeof *types; i++) {
        const size_t at = fm_str_find(text, types[i]), end = at + types[i].size;
        if (at == FM_NOT_FOUND || !fm_str_starts(fm_str_from(text, end), FM_STR(": "))) continue;
        trace->exception = fm_str_from(text, at);
        trace->exception_type = fm_str_slice(text, at, end);
        trace->exception_message = fm_str_from(text, end + 2);
        return trace->crashed = true;
    }
    return false;
}

/* Reads what is above a stack of Crashlytics or Cr4shed into its trace. offset: the stack's rows have offsets in place
 * of addresses. */
static enum fm_crashlytics_head read_head(struct symbols_state *state, struct fm_document *doc,
                                          const struct fm_line *line, bool offset, framemap_trace *trace)
{
    const bool near = state->number1 && line->number1 - state->number1 <= SYMBOLS_GAP;
    enum fm_crashlytics_head head = head_above(doc, line, trace);
    if (head == FM_CRASHLYTICS_NONE && (offset || (state->crashlytics && near)) &&
        fm_crashlytics_thread_above(doc, line, state->crashlytics, trace))
        head = FM_CRASHLYTICS_STOPPED;
    state->crashlytics = head != FM_CRASHLYTICS_NONE || (state->crashlytics && offset);
    return head;
}

/* Sets the error of a stack in a string of JSON from the members next to the string, as Datadog writes them. */
static void read_members(struct fm_document *doc, const struct fm_line *line, framemap_trace *trace)
{
    struct fm_error_members members;
    fm_error_members_read(&members, doc, line, trace, &fm_error_rules_plain);
}

/* offset: the rows have offsets in their images in place of addresses. */
static framemap_trace *symbols_begin(struct symbols_state *state, struct fm_document *doc, const struct fm_line *line,
                                     bool offset)
{
    fm_json_images_begin(&state->datadog, doc, line);
    framemap_trace *trace = fm_document_trace(doc, name, line);
    if (!trace) return NULL;
    if (line->first == 'a' && state->exception.size) extend_kotlin_title(state, doc, line);
    if (line->first == 'a') read_kotlin_exception(state, doc, line, trace);
    trace->exception = state->exception;
    fm_apple_exception(state->exception, trace);
    trace->crashed = state->exception.size != 0;
    state->exception = (framemap_str){NULL, 0};
    state->titled = state->titled && state->fresh; /* the title of an earlier stack does not apply to this one */
    state->fresh = state->down = false;
    if (trace->exception.size == 0 && line->begins) read_members(doc, line, trace);
    const bool unnamed = trace->exception.size == 0;
    if (unnamed && !read_swift_error(doc, line, trace))
        fm_check_failure_above(doc, line, fm_document_last_end(doc), trace);
    const enum fm_crashlytics_head head = unnamed ? read_head(state, doc, line, offset, trace) : FM_CRASHLYTICS_THROWN;
    state->exact = head == FM_CRASHLYTICS_STOPPED;
    if (head == FM_CRASHLYTICS_NONE && trace->exception.size == 0) read_react_title(state, line, trace);
    state->react = (framemap_str){NULL, 0};
    /* The load address of an image in an earlier stack is forgotten: the images may belong to another process. */
    state->load = 0;
    return trace;
}

/* Records the load address of an image that a row prints, for the other rows of the stack in that image. */
static void learn_image(struct symbols_state *state, struct fm_document *doc, const framemap_frame *frame)
{
    if (!frame->has_load_address || fm_str_equal(frame->module, FM_STR("???"))) return;
    if (state->load == frame->load_address && fm_str_equal(state->module, frame->module)) return;
    framemap_image *image = fm_document_row_image(doc);
    if (!image) return;
    image->name = state->module = frame->module;
    image->load_address = state->load = frame->load_address;
    image->id = frame->id;
}

/* Whether a line is accepted as a frame even if no row is above or below it. The text after the address must be one
 * that only rows have. A row with an address of up to four digits is accepted only for a library, because other texts
 * contain such numbers too. */
static bool convinces(const framemap_frame *frame, bool offset)
{
    if (offset && frame->id.size) return true;
    if (offset && frame->address <= 0xffff)
        return frame->has_function_offset && fm_str_ends(frame->module, FM_STR(".dylib"));
    return frame->has_load_address || frame->has_function_offset || frame->line || frame->status != FRAMEMAP_FRAME_RAW;
}

/* Whether a line above shows that a stack of Crashlytics or Cr4shed follows. */
static bool is_announced(struct fm_document *doc, const struct fm_line *line)
{
    framemap_trace unused = {0};
    return head_above(doc, line, &unused) != FM_CRASHLYTICS_NONE;
}

/* Returns the line without quotes or "at": the rows of a printed NSArray are in quotes, "0   App …", and Kotlin
 * prints "at" before rows. */
static struct fm_line unquoted(const struct fm_line *line)
{
    struct fm_line row = *line;
    framemap_str text = fm_str_trim(line->body);
    if (line->first == 'a') {
        row.body = fm_str_from(text, 3);
        return row;
    }
    if (text.size && text.data[text.size - 1] == ',') text.size--;
    if (text.size > 2 && text.data[0] == '"' && text.data[text.size - 1] == '"')
        row.body = fm_str(text.data + 1, text.size - 2);
    return row;
}

/* Whether a row ends in "0xBASE+DISTANCE" without blanks, as sampling profilers print it. */
static bool is_sampled(framemap_str body)
{
    const size_t plus = fm_str_find_last_byte(body, '+');
    return plus != FM_NOT_FOUND && plus > 0 && fm_is_hex(body.data[plus - 1]);
}

/* Whether a line begins with the index, module and address of a frame line, "0   App   0x…", possibly in quotes, or
 * like a row of Kotlin's, "at 0   ???   7ff7…", "at kfun:". */
static bool may_be_row(framemap_str body)
{
    struct fm_scan s = fm_scan_of(body);
    int64_t index;
    fm_scan_blanks(&s);
    const bool kotlin = !fm_scan_byte(&s, '"') && fm_scan_text(&s, FM_STR("at "));
    fm_scan_blanks(&s);
    if (kotlin && fm_scan_text(&s, FM_STR("kfun:"))) return true;
    if (!fm_row_index(&s, &index) || !fm_scan_blanks1(&s)) return false;
    if (kotlin && fm_is_blank(s.at[-2])) return true;
    const framemap_str rest = fm_scan_rest(&s);
    for (size_t at = 0; (at = fm_str_find_any(rest, at, "xXxX")) < rest.size; at++)
        if (at && rest.data[at - 1] == '0' && at + 1 < rest.size && fm_is_hex(rest.data[at + 1])) return true;
    return false;
}

/* A row of a stack, and what was found in it. */
struct symbols_row {
    struct fm_line line; /* the line without quotes or "at" */
    framemap_frame frame;
    bool named;  /* Crashlytics' row without an address */
    bool plain;  /* Kotlin's row without a number */
    bool offset; /* Crashlytics' row with an offset in the image in place of an address */
};

/* Reads a row of Kotlin/Native. in_stack: directly below another one of its stack. */
static bool read_kotlin_row(struct fm_document *doc, bool in_stack, struct symbols_row *row)
{
    if (fm_kotlin_row(row->line.body, doc, &row->frame)) return true;
    row->frame = FM_FRAME_INIT;
    row->plain = fm_kotlin_named_row(row->line.body, in_stack, &row->frame);
    return row->plain;
}

/* in_stack: directly below a row of Kotlin's without a number. */
static bool read_row(struct fm_document *doc, const struct fm_line *line, bool in_stack, struct symbols_row *row)
{
    *row = (struct symbols_row){.line = line->first == '"' || line->first == 'a' ? unquoted(line) : *line,
                                .frame = FM_FRAME_INIT};
    if (line->first == 'a') return read_kotlin_row(doc, in_stack, row);
    const framemap_str body = row->line.body;
    const bool apple = fm_apple_row(body, false, doc, &row->frame);
    if (!apple) row->frame = FM_FRAME_INIT;
    row->named = !apple && fm_crashlytics_named_row(body, &row->frame);
    if (!apple && !row->named) row->frame = FM_FRAME_INIT;
    if (!apple && !row->named && !fm_crashlytics_short_row(body, doc, &row->frame)) return false;
    row->offset = fm_crashlytics_offset(body, &row->frame);
    return apple || row->named || row->offset;
}

static void add_row(struct symbols_state *state, struct fm_document *doc, struct symbols_row *row)
{
    framemap_frame *frame = &row->frame;
    frame->return_address =
        !row->named && (frame->index != 0 ||
                        (!state->exact && (state->titled || !frame->has_load_address || !is_sampled(row->line.body))));
    learn_image(state, doc, frame);
    fm_document_frame(doc, &row->line, frame);
    state->index = frame->index;
    state->address = frame->address;
    state->number1 = row->line.number1;
    state->plain = row->plain;
    if (row->plain) fm_document_offer_until(doc, row->line.number1 + 1);
}

/* Finds the rows directly above a row, with the numbers from 0 up to its own, the nearest first. They have nothing
 * that only rows have, so none of them began a stack. Returns 0 if one is missing. */
static size_t rows_above(struct fm_document *doc, const struct symbols_row *row, struct fm_line **lines)
{
    const int64_t index = row->frame.index;
    struct fm_look_back above = fm_look_back_from(doc, &row->line, fm_document_last_end(doc), FM_LOOK_BACK_MOST);
    struct symbols_row found;
    if (index <= 0 || index > FM_LOOK_BACK_MOST || row->named) return 0;
    for (int64_t i = 0; i < index; i++) {
        struct fm_line *before = fm_look_back_next(&above);
        if (before == NULL || !fm_line_cut(before) || row->line.number1 - before->number1 != (uint64_t)i + 1) return 0;
        if (!may_be_row(before->body) || !read_row(doc, before, false, &found) || found.frame.index != index - 1 - i)
            return 0;
        lines[i] = before;
    }
    return (size_t)index;
}

static enum fm_line_role symbols_read_row(struct symbols_state *state, struct fm_document *doc,
                                          const struct fm_line *line)
{
    struct fm_line *above[FM_LOOK_BACK_MOST];
    framemap_trace *trace = fm_document_open(doc, name);
    const bool below_plain = trace && state->plain && line->first == 'a' && line->number1 - state->number1 == 1;
    if (!below_plain && !may_be_row(line->body))
        /* Initializing a frame costs time, so most lines that begin with a digit are rejected before that. */
        return FM_ROLE_NONE;
    struct symbols_row row, first;
    if (!read_row(doc, line, below_plain, &row)) return FM_ROLE_NONE;
    const bool near = trace && line->number1 - state->number1 <= SYMBOLS_GAP;
    const bool convincing = row.named ? row.frame.index == 0 : convinces(&row.frame, row.offset);
    if (!near && !convincing && !is_announced(doc, line)) return FM_ROLE_NONE;
    const size_t count = near ? 0 : rows_above(doc, &row, above);
    if (symbols_begins(state, trace, &row.frame, line) &&
        !symbols_begin(state, doc, count ? above[count - 1] : line, row.offset))
        return FM_ROLE_FRAME;
    for (size_t i = count; i-- > 0;)
        if (read_row(doc, above[i], false, &first)) add_row(state, doc, &first);
    add_row(state, doc, &row);
    return FM_ROLE_FRAME;
}

static enum fm_line_role symbols_read_list(struct symbols_state *state, struct fm_document *doc,
                                           const struct fm_line *line)
{
    if (!state->titled || line->number1 - state->number1 > SYMBOLS_GAP || !fm_apple_is_hex_list(line->body))
        return FM_ROLE_NONE;
    if ((state->fresh || !fm_document_open(doc, name)) && !symbols_begin(state, doc, line, false)) return FM_ROLE_FRAME;
    fm_apple_hex_list(doc, line, (framemap_str){NULL, 0});
    state->number1 = line->number1;
    return FM_ROLE_FRAME;
}

static void title(struct symbols_state *state, const struct fm_line *line)
{
    state->fresh = state->titled = true;
    state->number1 = line->number1;
}

static enum fm_line_role symbols_read_title(struct symbols_state *state, struct fm_document *doc,
                                            const struct fm_line *line, framemap_str text)
{
    size_t thrown = fm_str_find(text, FM_STR("due to uncaught exception "));
    if (fm_str_starts(text, kotlin_title)) {
        const framemap_str rest = fm_str_trim(fm_str_from(text, kotlin_title.size));
        struct fm_line row = *line;
        row.body = rest;
        row.first = 'a';
        state->exception = (framemap_str){NULL, 0};
        state->fresh = true;
        if (fm_str_starts(rest, FM_STR("at ")) && symbols_read_row(state, doc, &row) == FM_ROLE_FRAME)
            return FM_ROLE_FRAME;
        state->exception = rest;
        state->number1 = line->number1;
        return FM_ROLE_CONTEXT;
    }
    if (fm_str_starts(text, react_title)) {
        state->react = text;
        state->react1 = line->number1;
        return FM_ROLE_NONE; /* it stays visible to fm_crashlytics_above */
    }
    if (thrown != FM_NOT_FOUND) {
        state->exception = fm_str_from(text, thrown + 26);
        return FM_ROLE_CONTEXT;
    }
    size_t stack = fm_str_find(text, FM_STR("irst throw call stack"));
    if (stack == FM_NOT_FOUND) return FM_ROLE_NONE;
    title(state, line);
    size_t open = fm_str_find_byte(fm_str_from(text, stack), '(');
    if (open == FM_NOT_FOUND) return FM_ROLE_CONTEXT;
    struct fm_line list = *line;
    list.body = fm_str_from(text, stack + open);
    return symbols_read_list(state, doc, &list) == FM_ROLE_FRAME ? FM_ROLE_FRAME : FM_ROLE_CONTEXT;
}

/* Reads a line of Umeng's footer, which has in this order: "dSYM UUID: …", "CPU Type: arm64", "Slide Address: …",
 * "Binary Image: App", "Base Address: 0x…". */
static enum fm_line_role read_footer(struct symbols_state *state, struct fm_document *doc, const struct fm_line *line,
                                     framemap_str text)
{
    size_t colon = fm_str_find_byte(text, ':');
    framemap_str key = fm_str_slice(text, 0, colon),
                 value = fm_str_trim(fm_str_from(text, colon == FM_NOT_FOUND ? text.size : colon + 1));
    if (fm_str_equal(key, FM_STR("dSYM UUID"))) {
        state->footer = (framemap_image){0};
        fm_row_id(value, doc, &state->footer.id);
    } else if (fm_str_equal(key, FM_STR("CPU Type"))) {
        state->footer.arch = value;
    } else if (fm_str_equal(key, FM_STR("Binary Image"))) {
        state->footer.name = value;
    } else if (fm_str_equal(key, FM_STR("Base Address")) && state->footer.id.size) {
        struct fm_scan s = fm_scan_of(value);
        framemap_image *image = NULL;
        if (fm_row_0xhex(&s, &state->footer.load_address) == FM_DIGITS_FIT) image = fm_document_image(doc, line);
        if (image) *image = state->footer;
        state->footer = (framemap_image){0};
    } else {
        return FM_ROLE_NONE;
    }
    return FM_ROLE_CONTEXT;
}

static bool symbols_is_significant(const struct fm_line *line)
{
    const framemap_str text = fm_str_trim(line->body);
    switch (line->first) {
    case '*':
    case 'F':
    case 'T':
    case 'U':
        return fm_str_starts(text, kotlin_title) || fm_str_starts(text, react_title) ||
               fm_str_find(text, FM_STR("due to uncaught exception ")) != FM_NOT_FOUND ||
               fm_str_find(text, FM_STR("irst throw call stack")) != FM_NOT_FOUND;
    case 'd': return fm_str_starts(text, FM_STR("dSYM UUID"));
    case 'C': return fm_str_starts(text, FM_STR("CPU Type"));
    case 'B': return fm_str_starts(text, FM_STR("Binary Image")) || fm_str_starts(text, FM_STR("Base Address"));
    case '(': return false; /* a list of addresses is significant only after a title */
    default: return may_be_row(line->body);
    }
}

static enum fm_line_role symbols_offer(void *memory, struct fm_document *doc, const struct fm_line *line)
{
    struct symbols_state *state = memory;
    framemap_str text = fm_str_trim(line->body);
    switch (line->first) {
    case '*':
    case 'F':
    case 'T':
    case 'U': return symbols_read_title(state, doc, line, text);
    case 'd':
    case 'C':
    case 'B': return read_footer(state, doc, line, text);
    case '(': return symbols_read_list(state, doc, line);
    default: {
        enum fm_line_role role = symbols_read_row(state, doc, line);
        return role == FM_ROLE_NONE && line->first == '0' ? symbols_read_list(state, doc, line) : role;
    }
    }
}

static const struct fm_needle symbols_needles[] = {
    FM_NEEDLE("irst throw call stack", 0, 8),
    FM_NEEDLE("due to uncaught exception ", 12, 4),
    FM_NEEDLE("Kotlin exception: ", 5, 12),
    FM_NEEDLE("RCTFatalException", 0, 4),
    FM_NEEDLE("dSYM UUID", 0, 4),
    FM_NEEDLE("Base Address", 5, 14),
    FM_NEEDLE("Binary Image", 0, 14),
    FM_NEEDLE("CPU Type", 1, 1),
};

const struct fm_format fm_apple_symbols = {
    .info = {name, "Apple call stack symbols (0   App   0x… App + 12), First throw call stack", true, false},
    .id_form = FM_ID_UUID,
    FM_NEEDLES(symbols_needles),
    .state_size = sizeof(struct symbols_state),
    .firsts = "0123456789*(\"dCBFTUa",
    .offer = symbols_offer,
    .is_significant = symbols_is_significant,
    .print_frame = fm_apple_print_frame};
