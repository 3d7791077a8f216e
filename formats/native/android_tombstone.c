/* Android's native crash reports, as debuggerd, xCrash, Unity and ndk-stack write them: header lines, then one or more
 * lists of frames (android_row.c):
 *
 *     pid: 20099, tid: 20113, name: worker  >>> com.example <<<
 *     signal 11 (SIGSEGV), code 1 (SEGV_MAPERR), fault addr 0x0
 *         x0  0000000000000000  x1  000000775ba00cb0
 *     backtrace:
 *           #00 pc 00000000000092a0  /data/app/libapp.so (outer()+24)
 *     deallocated by thread 20114:
 *           #00 pc 00000000000092b4  /data/app/libapp.so (other()+8)
 *
 * Frames without a header are a stack as well. Listed in format_registry.c. */
#include "formats/native/android.h"
#include "formats/native/crashlytics.h"
#include "formats/native/native_parts.h"
#include "formats/native/tombstone_write.h"
#include "formats/parsers.h"

static const char name[] = "android-tombstone";
#define TOMBSTONE_GAP 8 /* up to this many lines of other text may be within one stack */
/* maximum number of lines between the signal and the backtrace: registers, causes, blank lines */
#define HEADER 96
#define BUILDS 2     /* maximum number of lines from the last frame to the title of the list of build ids */
#define ABORT 64     /* maximum number of lines of an abort message */
#define SOURCE 4     /* maximum number of lines from a frame to its position, which ndk-stack prints below it */
#define REGISTERS 72 /* maximum number of registers kept: arm64 has 33, and old reports add 32 for floating point */

/* maximum number of bytes of an abort message that is joined from lines with log prefixes */
enum { JOINED_MOST = 16384 };

struct tombstone_state {
    struct fm_android_head head;
    bool fresh;        /* a header was read after the last frame, so the next frame begins a stack */
    bool in_report;    /* header lines of a crash report were read */
    bool has_frames;   /* frames were read after the header lines */
    bool crashed;      /* the next stack is that of the thread that crashed */
    bool in_registers; /* the next lines may be registers */
    bool in_abort;     /* the next line may continue the abort message */
    bool of_message;   /* the last stack was printed within the abort message */
    bool in_source;    /* ndk-stack printed the last frame, so lines with its function and position may follow */
    bool has_main;     /* main_number has been set */
    bool in_guest;     /* the next stack is that of code for another CPU */
    uint64_t abort_number1, registers_number1;
    uint64_t builds_number1;      /* number of the last line of xCrash's list of build ids; 0: there was none */
    framemap_role role;           /* role of the next stack */
    struct fm_android_head above; /* head of the section before "--- --- ---", for the guest's stack of its thread */
    framemap_str thread;          /* thread of the next stack, if it differs from the thread in the report's header */
    framemap_str leak;            /* title of a stack of libmemunreachable */
    uint64_t main_number;         /* number of the trace of the crashed thread */
    int64_t index;                /* frame number of the last frame */
    uint64_t pc;
    uint64_t number1; /* number of the line with the last frame */
    framemap_str register_names[REGISTERS];
    uint64_t register_values[REGISTERS];
    size_t register_count;
};

/* --- beginning a stack --- */

static bool tombstone_begins(const struct tombstone_state *state, const struct fm_android_row *row,
                             const struct fm_line *line)
{
    if (state->fresh || line->number1 - state->number1 > TOMBSTONE_GAP) return true;
    /* A row with the number and the address of the row above it is an inlined frame of the same stack. Play Console
     * prints #00 for all frames, so an equal number alone does not begin a new stack. */
    if (row->index != state->index || row->pc == state->pc) return row->index < state->index;
    return row->index != 0 || line->number1 - state->number1 > 1;
}

/* Returns the signal and the abort message as one text. */
static framemap_str exception_of(const struct fm_android_head *head, struct fm_document *doc)
{
    const framemap_str signal = head->signal_text, message = head->abort_message;
    if (message.size == 0 || signal.size == 0) return signal.size ? signal : message;
    char *joined = fm_document_alloc(doc, signal.size + 2 + message.size);
    if (!joined) return signal;
    memcpy(joined, signal.data, signal.size);
    memcpy(joined + signal.size, ": ", 2);
    memcpy(joined + signal.size + 2, message.data, message.size);
    return fm_str(joined, signal.size + 2 + message.size);
}

static void give_registers(const struct tombstone_state *state, struct fm_document *doc, framemap_trace *trace)
{
    framemap_register *registers =
        state->register_count ? fm_document_alloc(doc, state->register_count * sizeof *registers) : NULL;
    if (!registers) return;
    for (size_t i = 0; i < state->register_count; i++)
        registers[i] = (framemap_register){state->register_names[i], state->register_values[i]};
    trace->registers = registers;
    trace->register_count = state->register_count;
}

static void give_crash(struct tombstone_state *state, struct fm_document *doc, framemap_trace *trace)
{
    const struct fm_android_head *head = &state->head;
    trace->exception = exception_of(head, doc);
    trace->exception_type = head->signal_name;
    trace->abort_message = head->abort_message;
    trace->signal = head->signal;
    trace->signal.name = head->signal_name;
    trace->signal.code_name = head->signal_code_name;
    trace->crashed = trace->exception.size != 0;
    state->crashed = false;
    state->has_main = true;
    state->main_number = trace->number;
}

/* Called when a stack ends. A stack within the abort message is not the stack of the crash, which follows the message.
 * But if the end of the message was not found, the stack counts as that of the crash. */
static void tombstone_finish(void *memory, struct fm_document *doc)
{
    struct tombstone_state *state = memory;
    framemap_trace *trace = state->of_message && state->in_abort ? fm_document_open(doc, name) : NULL;
    state->of_message = false;
    if (trace) state->in_abort = false;
    if (trace && state->crashed) give_crash(state, doc, trace);
}

/* Copies the values of the header that belong to a stack to its trace, which starts here. */
static void give_head(struct tombstone_state *state, struct fm_document *doc, framemap_trace *trace)
{
    if (state->in_report) fm_android_head_give(&state->head, trace);
    trace->arch = state->head.arch;
    state->fresh = false;
    state->of_message = state->in_abort && state->role == FRAMEMAP_ROLE_NONE;
    if (state->of_message) return;
    if (state->role != FRAMEMAP_ROLE_NONE) {
        trace->thread = trace->thread_id = state->thread;
        trace->thread_name = (framemap_str){NULL, 0};
        trace->exception = state->leak;
        trace->role = state->role;
        trace->part_of = state->has_main ? state->main_number : trace->number;
        state->role = FRAMEMAP_ROLE_NONE;
    } else {
        if (state->crashed) give_crash(state, doc, trace);
        give_registers(state, doc, trace);
    }
    state->register_count = 0;
    state->in_registers = false;
}

static framemap_trace *trace_for(struct tombstone_state *state, struct fm_document *doc, const struct fm_line *line,
                                 const struct fm_android_row *row)
{
    framemap_trace *trace = fm_document_open(doc, name);
    if (line->number1 - state->abort_number1 > ABORT) state->in_abort = false;
    if (trace && !tombstone_begins(state, row, line)) return trace;
    trace = fm_document_trace(doc, name, line);
    if (trace) give_head(state, doc, trace);
    if (trace && !state->in_report) fm_android_harmony_head(doc, line, trace);
    if (trace && !state->in_report) fm_crashlytics_android_above(doc, line, trace);
    if (trace && !trace->crashed && row->arch.size) fm_android_bugly_above(doc, line, trace);
    return trace;
}

/* Ends the abort message; registers and the stack of the crashed thread follow it. */
static void end_abort(struct tombstone_state *state, struct fm_document *doc, const struct fm_line *line)
{
    state->in_abort = state->has_frames = false;
    state->fresh = true;
    state->registers_number1 = line->number1;
    if (state->in_registers) fm_document_offer_until(doc, line->number1 + HEADER);
}

static enum fm_line_role tombstone_add(struct tombstone_state *state, struct fm_document *doc,
                                       const struct fm_line *line, const struct fm_android_row *row,
                                       const framemap_frame *frame)
{
    if (!trace_for(state, doc, line, row)) return FM_ROLE_FRAME;
    fm_document_frame(doc, line, frame);
    if (state->in_abort) state->abort_number1 = line->number1;
    if (state->in_abort) fm_document_offer_until(doc, line->number1 + ABORT);
    if (state->in_report) fm_document_offer_until(doc, line->number1 + BUILDS);
    state->index = row->index;
    state->pc = row->pc;
    state->number1 = line->number1;
    state->has_frames = true;
    return FM_ROLE_FRAME;
}

/* --- parsing other frame lines of reports --- */

/* Parses "#0 0x00084fe6 in tgkill /bionic/tgkill.S:20", a row of a report that another tool restored. The address is
 * the pc that the report had. */
static bool parse_symbolized(framemap_str body, struct fm_android_row *row, framemap_frame *frame)
{
    struct fm_scan s = fm_scan_of(fm_str_trim(body));
    framemap_str text;
    if (!fm_scan_byte(&s, '#') || !fm_row_index(&s, &row->index) || !fm_scan_blanks1(&s)) return false;
    row->digits = fm_row_0xhex(&s, &row->pc);
    if (row->digits != FM_DIGITS_FIT || !fm_scan_blanks1(&s) || !fm_scan_text(&s, FM_STR("in"))) return false;
    if (!fm_scan_done(&s) && !fm_scan_blanks1(&s)) return false;
    text = fm_scan_rest(&s);
    if (fm_str_ends(text, FM_STR(")")) && fm_str_find(text, FM_STR("+0x")) != FM_NOT_FOUND) return false;
    *frame = FM_FRAME_INIT;
    frame->index = row->index;
    frame->has_address = true;
    frame->address = row->pc;
    frame->address_kind = FRAMEMAP_ADDRESS_LINKED;
    frame->function = text;
    const size_t blank = fm_str_find_last_byte(text, ' ');
    if (blank != FM_NOT_FOUND &&
        fm_row_location(fm_str_from(text, blank + 1), &frame->file, &frame->line, &frame->column))
        frame->function = fm_str(text.data, blank);
    fm_row_mark_complete(frame);
    if (frame->status == FRAMEMAP_FRAME_RAW) {
        frame->status = FRAMEMAP_FRAME_UNKNOWN_IMAGE;
        frame->reason = "the report does not say in which image the address is";
    }
    return true;
}

/* Reads the lines that ndk-stack prints after a frame: the function, then its position "src/foo.c:12:5". */
static void read_source(struct tombstone_state *state, struct fm_document *doc, framemap_str text)
{
    framemap_trace *trace = fm_document_open(doc, name);
    if (trace == NULL || trace->frame_count == 0) return;
    framemap_frame *frame = &trace->frames[trace->frame_count - 1];
    if (fm_row_location(text, &frame->file, &frame->line, &frame->column)) {
        state->in_source = false;
        fm_row_mark_complete(frame);
    } else if (!frame->has_function_offset) {
        frame->function = text;
    }
}

/* --- reading the header lines of a report --- */

/* Reads xCrash's list of build ids, which is below the frames of the thread that crashed, and gives the ids to these
 * frames: "build id:", and below it "    /l/a.so (BuildId: 2a666e. FileSize: 12. …)" for each image. */
static bool read_builds(struct tombstone_state *state, struct fm_document *doc, const struct fm_line *line,
                        framemap_str text)
{
    static const framemap_str mark = FM_STR_INIT(" (BuildId: ");
    const size_t at = fm_str_find(text, mark);
    const bool continues = state->builds_number1 && state->builds_number1 + 1 == line->number1;
    if (!(continues && at != FM_NOT_FOUND) && !fm_str_equal(text, FM_STR("build id:"))) return false;
    framemap_trace *trace = fm_document_open(doc, name);
    if (trace == NULL) return false;
    state->builds_number1 = line->number1;
    fm_document_offer_until(doc, line->number1 + 1);
    if (!continues) return true;
    const framemap_str rest = fm_str_from(text, at + mark.size), path = fm_str(text.data, at);
    const size_t end = fm_str_find_byte(rest, '.');
    framemap_str id;
    if (!fm_row_id(fm_str_slice(rest, 0, end), doc, &id)) return true; /* "unknown" */
    for (size_t i = 0; i < trace->frame_count; i++)
        if (trace->frames[i].id.size == 0 && fm_str_equal(trace->frames[i].module_path, path)) trace->frames[i].id = id;
    return true;
}

static void begin_report(struct tombstone_state *state, struct fm_document *doc)
{
    tombstone_finish(state, doc);
    *state = (struct tombstone_state){.fresh = true, .number1 = state->number1};
}

/* Parses "    x0  0000000000000000  x1  000000775ba00cb0": pairs of names and numbers of 8 or 16 digits. */
static bool read_registers(struct tombstone_state *state, framemap_str text)
{
    enum { NAME_MOST = 8 };
    struct fm_scan s = fm_scan_of(text);
    const size_t before = state->register_count;
    framemap_str word;
    while (!fm_scan_done(&s) && state->register_count < REGISTERS) {
        uint64_t value;
        if (!fm_scan_word(&s, &word) || word.size > NAME_MOST || fm_is_digit(*word.data) || !fm_scan_blanks1(&s)) break;
        const char *digits = s.at;
        if (fm_row_hex(&s, &value) != FM_DIGITS_FIT || (s.at - digits != 8 && s.at - digits != 16)) break;
        state->register_names[state->register_count] = word;
        state->register_values[state->register_count++] = value;
        fm_scan_blanks(&s);
    }
    if (!fm_scan_done(&s)) state->register_count = before;
    return state->register_count != before;
}

static void take_abort(struct tombstone_state *state, struct fm_document *doc, const struct fm_line *line,
                       framemap_str text)
{
    const framemap_str quoted = fm_str_trim(fm_str_from(text, 15));
    state->in_abort = quoted.size && quoted.data[0] == '\'' && (quoted.size == 1 || !fm_str_ends(quoted, FM_STR("'")));
    if (state->in_abort) state->head.abort_message = fm_str_from(quoted, 1);
    state->abort_number1 = line->number1;
    if (state->in_abort) fm_document_offer_until(doc, line->number1 + ABORT);
}

/* Appends a line to the abort message. If the lines have no prefix, the message is one slice of the text. */
static void extend_abort(struct tombstone_state *state, struct fm_document *doc, const struct fm_line *line)
{
    framemap_str *message = &state->head.abort_message, part = line->body;
    const bool ends = fm_str_ends(part, FM_STR("'"));
    if (ends) part.size--;
    if (ends) end_abort(state, doc, line);
    if (state->of_message) return; /* lines of the abort message after a stack in the message are omitted */
    if (fm_line_extend(line, message)) {
        if (ends) message->size--;
        return;
    }
    if (message->size + part.size >= JOINED_MOST) return;
    char *joined = fm_document_alloc(doc, message->size + 1 + part.size);
    if (!joined) return;
    if (message->size) memcpy(joined, message->data, message->size);
    joined[message->size] = '\n';
    if (part.size) memcpy(joined + message->size + 1, part.data, part.size);
    *message = fm_str(joined, message->size + 1 + part.size);
}

/* Reads the title of a further stack: "deallocated by thread 20114:", "24 bytes unreachable at 71d37787d0". */
static bool read_section(struct tombstone_state *state, framemap_str text)
{
    static const struct {
        framemap_str word;
        framemap_role role;
    } sections[] = {{FM_STR_INIT("allocated by thread "), FRAMEMAP_ROLE_ALLOCATED_BY},
                    {FM_STR_INIT("deallocated by thread "), FRAMEMAP_ROLE_FREED_BY}};
    for (size_t i = 0; i < sizeof sections / sizeof *sections; i++) {
        if (!fm_str_begins(text, sections[i].word)) continue;
        framemap_str thread = fm_str_from(text, sections[i].word.size);
        if (fm_str_ends(thread, FM_STR(":"))) thread.size--;
        state->fresh = true;
        state->role = sections[i].role;
        state->thread = thread;
        state->leak = (framemap_str){NULL, 0};
        return true;
    }
    if (text.size == 0 || !fm_is_digit(*text.data) || fm_str_find(text, FM_STR(" unreachable at ")) == FM_NOT_FOUND)
        return false;
    state->fresh = true;
    state->role = FRAMEMAP_ROLE_LEAK;
    state->leak = text;
    state->thread = (framemap_str){NULL, 0};
    return true;
}

/* Begins the stack of the code for another CPU that a thread ran. Its title has the thread only; the section above has
 * the rest. */
static void begin_guest(struct tombstone_state *state)
{
    const framemap_str id = state->head.thread_id;
    const bool same = fm_str_equal(id, state->above.thread_id);
    state->head.process = state->above.process;
    state->head.has_process_id = state->above.has_process_id;
    state->head.process_id = state->above.process_id;
    state->head.thread_name = same ? state->above.thread_name : (framemap_str){NULL, 0};
    state->head.arch = state->above.guest_arch;
    state->in_guest = true;
}

/* Updates the state for a header line. After the lines of the thread and the signal, registers may follow. */
static void take_head(struct tombstone_state *state, struct fm_document *doc, const struct fm_line *line,
                      framemap_str text, enum fm_android_head_kind kind)
{
    state->in_report = true;
    if (kind == FM_ANDROID_HEAD_GUEST) begin_guest(state);
    if (kind == FM_ANDROID_HEAD_THREAD || kind == FM_ANDROID_HEAD_GUEST) state->fresh = true;
    if (kind == FM_ANDROID_HEAD_SIGNAL) state->crashed = true;
    if (kind == FM_ANDROID_HEAD_ABORT) {
        state->crashed = true;
        take_abort(state, doc, line, text);
    }
    if (kind != FM_ANDROID_HEAD_THREAD && kind != FM_ANDROID_HEAD_SIGNAL && kind != FM_ANDROID_HEAD_GUEST) return;
    state->in_registers = true;
    state->registers_number1 = line->number1;
    state->register_count = 0;
    fm_document_offer_until(doc, line->number1 + HEADER);
}

/* Whether a header line begins another report: frames were read since the last header line. */
static bool is_other_report(const struct tombstone_state *state) { return state->in_report && state->has_frames; }

/* Parses a title of an ANR trace, "\"main\" prio=5 tid=1 Native", for texts that have only the native frames of the
 * threads. The format android-anr reads other ANR traces. */
static bool read_anr_thread(struct tombstone_state *state, struct fm_document *doc, framemap_str text)
{
    size_t end = fm_str_find(text, FM_STR("\" "));
    if (end == FM_NOT_FOUND || end == 0) return false;
    framemap_str rest = fm_str_from(text, end + 2);
    if (fm_str_find(rest, FM_STR("tid=")) == FM_NOT_FOUND && fm_str_find(rest, FM_STR("sysTid=")) == FM_NOT_FOUND)
        return false;
    begin_report(state, doc);
    state->in_report = true;
    state->head.thread_name = fm_str_slice(text, 1, end);
    return true;
}

/* Begins another report. If its only header line names a thread, it gets the build from the previous report. */
static void begin_other(struct tombstone_state *state, struct fm_document *doc, enum fm_android_head_kind kind,
                        const struct fm_android_head *next)
{
    const struct fm_android_head old = state->head;
    begin_report(state, doc);
    state->head = *next;
    if (kind != FM_ANDROID_HEAD_THREAD) return;
    state->head.arch = old.arch;
    state->head.os_version = old.os_version;
}

/* Whether the report so far consists of its signal line. In reports of Unity until 2017 this line comes first; the line
 * of stars, with which other reports begin, follows it. */
static bool has_signal_only(const struct tombstone_state *state)
{
    const struct fm_android_head *head = &state->head;
    return state->in_report && !state->has_frames && fm_str_starts(head->signal_text, FM_STR("signal ")) &&
           !head->has_process_id && head->os_version.size == 0 && head->arch.size == 0;
}

static bool begins_section(struct tombstone_state *state, struct fm_document *doc, framemap_str text)
{
    if (fm_str_starts(text, FM_STR("*** *** ***")) || fm_str_starts(text, FM_STR("********** Crash dump:"))) {
        if (has_signal_only(state)) return true;
        begin_report(state, doc);
        state->in_report = text.data[3] == '*';
    } else if (fm_str_starts(text, FM_STR("--- --- ---"))) {
        const struct fm_android_head above = state->in_guest ? state->above : state->head;
        begin_report(state, doc);
        state->head = (struct fm_android_head){
            .arch = above.arch, .guest_arch = above.guest_arch, .os_version = above.os_version};
        state->above = above;
    } else if (fm_str_starts(text, FM_STR("backtrace:"))) {
        state->fresh = true;
        state->role = FRAMEMAP_ROLE_NONE;
        if (!state->in_abort) state->in_registers = false;
    } else {
        return false;
    }
    return true;
}

static enum fm_line_role context(struct tombstone_state *state, struct fm_document *doc, const struct fm_line *line)
{
    const framemap_str text = fm_str_trim(line->body);
    struct fm_android_head next = {.has_process_id = false};
    if (begins_section(state, doc, text) || read_section(state, text)) return FM_ROLE_CONTEXT;
    if (state->has_frames && read_builds(state, doc, line, text)) return FM_ROLE_CONTEXT;
    if (text.size && text.data[0] == '"') return read_anr_thread(state, doc, text) ? FM_ROLE_CONTEXT : FM_ROLE_NONE;
    const bool is_other = is_other_report(state);
    const enum fm_android_head_kind kind = fm_android_head_read(text, is_other ? &next : &state->head);
    if (kind != FM_ANDROID_HEAD_NONE && is_other) begin_other(state, doc, kind, &next);
    if (kind != FM_ANDROID_HEAD_NONE) {
        take_head(state, doc, line, text, kind);
        return FM_ROLE_CONTEXT;
    }
    if (state->in_abort && line->number1 - state->abort_number1 <= ABORT)
        extend_abort(state, doc, line);
    else if (state->in_registers && line->number1 - state->registers_number1 <= HEADER)
        read_registers(state, text);
    else if (state->in_source && line->number1 - state->number1 <= SOURCE && !read_registers(state, text))
        read_source(state, doc, text);
    return FM_ROLE_NONE;
}

static enum fm_line_role offer_row(struct tombstone_state *state, struct fm_document *doc, const struct fm_line *line)
{
    struct fm_android_row row = {0};
    framemap_frame frame = FM_FRAME_INIT;
    const bool follows = line->number1 == state->number1 + 1 && fm_document_open(doc, name);
    if (fm_android_row_parse(line->body, state->in_report, &row) ||
        (follows && fm_android_row_parse(line->body, true, &row) && row.index == state->index + 1)) {
        /* A quotation mark shows that the row is in a string which ends on this line. */
        if (fm_str_find_byte(row.map, '"') != FM_NOT_FOUND) return FM_ROLE_NONE;
        fm_android_row_fill(&row, state->head.arch, doc, &frame);
        state->in_source = state->in_report && row.map.size && !row.has_relative &&
                           fm_str_find(row.head, FM_STR("pc ")) == FM_NOT_FOUND;
        /* a row of JavaScript may follow, which is significant only within a stack */
        if (row.glued) fm_document_offer_until(doc, line->number1 + 1);
        return tombstone_add(state, doc, line, &row, &frame);
    }
    if (follows && fm_android_script_parse(line->body, &frame) && frame.index == state->index + 1) {
        fm_document_offer_until(doc, line->number1 + 1);
        row = (struct fm_android_row){.index = frame.index};
        return tombstone_add(state, doc, line, &row, &frame);
    }
    if (state->in_report && parse_symbolized(line->body, &row, &frame)) {
        state->in_source = false;
        return tombstone_add(state, doc, line, &row, &frame);
    }
    return FM_ROLE_NONE;
}

/* --- reading several rows on one line --- */

/* Reads the title of a stack that precedes its first row on the same line: "… deallocated by thread 20114:
 * backtrace:". */
static bool read_section_within(struct tombstone_state *state, framemap_str text)
{
    size_t at = fm_str_find_last(text, FM_STR("allocated by thread "));
    if (at == FM_NOT_FOUND) return false;
    if (at >= 2 && fm_str_starts(fm_str_from(text, at - 2), FM_STR("de"))) at -= 2;
    const size_t size = fm_str_find_byte(fm_str_from(text, at), ':');
    return read_section(state, fm_str_slice(text, at, size == FM_NOT_FOUND ? size : at + size));
}

/* Reads the header of a stack from the text before a row on the same line. restarts: the row begins a new stack, to
 * which the header of an earlier stack on the line does not apply. */
static void read_before(struct tombstone_state *state, struct fm_document *doc, framemap_str text, bool restarts)
{
    struct fm_android_head head = {.arch = state->head.arch, .os_version = state->head.os_version};
    bool crashed;
    const bool has_head = fm_android_head_within(text, &head, &crashed), in_report = state->in_report;
    if (!has_head && read_section_within(state, text)) return;
    if (fm_str_find(text, FM_STR("backtrace:")) != FM_NOT_FOUND) state->fresh = true;
    if (!has_head && !restarts) return;
    begin_report(state, doc);
    state->in_report = has_head || in_report;
    state->head = head;
    state->crashed = crashed;
}

static void add_of_line(struct tombstone_state *state, struct fm_document *doc, const struct fm_line *line,
                        const struct fm_android_row *row, framemap_str text)
{
    framemap_frame frame = FM_FRAME_INIT, *added;
    fm_android_row_fill(row, state->head.arch, doc, &frame);
    (void)tombstone_add(state, doc, line, row, &frame);
    if ((added = fm_native_last(fm_document_open(doc, name))) != NULL)
        added->raw = fm_line_printed(line, text, &added->raw_offset);
}

static enum fm_line_role offer_rows(struct tombstone_state *state, struct fm_document *doc, const struct fm_line *line)
{
    struct fm_android_rows rows = fm_android_rows_of(line->body);
    framemap_str before, text;
    for (bool first = true; fm_android_rows_next(&rows, &before, &text); first = false) {
        struct fm_android_row row = {0};
        if (!fm_android_row_parse(text, false, &row)) continue;
        read_before(state, doc, before, !first && row.index < state->index);
        add_of_line(state, doc, line, &row, text);
    }
    state->in_source = false;
    return FM_ROLE_FRAME;
}

static enum fm_line_role tombstone_offer(void *memory, struct fm_document *doc, const struct fm_line *line)
{
    struct tombstone_state *state = memory;
    struct fm_line row = *line;
    if ((line->has & FM_HAS_HASH) == 0) return context(state, doc, line);
    const bool ends = state->in_abort && fm_str_ends(line->body, FM_STR("'"));
    /* the row is the last line of the abort message, so its last byte is the message's closing quote */
    if (ends) row.body.size--;
    if (offer_row(state, doc, &row) == FM_ROLE_NONE)
        return fm_android_is_one_line(line->body) ? offer_rows(state, doc, line) : context(state, doc, line);
    if (ends) end_abort(state, doc, line);
    return FM_ROLE_FRAME;
}

/* --- deciding which lines are significant --- */

static bool tombstone_probe(const struct fm_line *line)
{
    switch (line->first) {
    case '*':
    case '-':
    case 'p':
    case 'A':
    case 'B':
    case 'C':
    case 'G':
    case 'O':
    case 's':
    case 'a':
    case 'b':
    case 'd':
    case '"': return true;
    default: return line->body.size > 8;
    }
}

/* Whether the line may be the title of a crash report, another of its header lines, or a line of registers. */
static bool tombstone_is_significant(const struct fm_line *line)
{
    static const framemap_str heads[] = {
        FM_STR_INIT("*** *** ***"), FM_STR_INIT("--- --- ---"),          FM_STR_INIT("********** Crash dump:"),
        FM_STR_INIT("backtrace:"),  FM_STR_INIT("allocated by thread "), FM_STR_INIT("deallocated by thread ")};
    struct fm_android_row row = {0};
    const framemap_str text = fm_str_trim(line->body);
    framemap_frame frame;
    if ((line->has & FM_HAS_HASH) != 0 &&
        (fm_android_row_parse(line->body, true, &row) || parse_symbolized(line->body, &row, &frame) ||
         fm_android_is_one_line(line->body)))
        return true;
    for (size_t i = 0; i < sizeof heads / sizeof *heads; i++)
        if (fm_str_begins(text, heads[i])) return true;
    if (fm_is_digit(line->first)) return fm_str_find(text, FM_STR(" unreachable at ")) != FM_NOT_FOUND;
    /* the lines about a guest directly follow other header lines, and are offered with them */
    if (line->first == 'G') return false;
    if (fm_android_head_read(text, NULL) != FM_ANDROID_HEAD_NONE) return true;
    return line->first == '"' &&
           (fm_str_find(text, FM_STR("tid=")) != FM_NOT_FOUND || fm_str_find(text, FM_STR("sysTid=")) != FM_NOT_FOUND);
}

static const struct fm_needle tombstone_needles[] = {
    FM_NEEDLE("*** ***", 1, 12),
    FM_NEEDLE("--- ---", 1, 0),
    FM_NEEDLE("pid: ", 0, 2),
    FM_NEEDLE("ABI: ", 0, 9),
    FM_NEEDLE("signal ", 1, 14),
    FM_NEEDLE("Abort message: ", 10, 10),
    FM_NEEDLE("backtrace:", 1, 8),
    FM_NEEDLE("tid=", 0, 2),
    FM_NEEDLE("Tid=", 0, 2),
    FM_NEEDLE("fingerprint: ", 8, 9),
    FM_NEEDLE("OS version: ", 0, 1),
    FM_NEEDLE("Cmdline: ", 0, 2),
    FM_NEEDLE("Cmd line: ", 0, 2),
    FM_NEEDLE("Crash dump:", 4, 12),
    FM_NEEDLE("located by thread ", 6, 12),
    FM_NEEDLE(" unreachable at ", 0, 5),
};

static const struct fm_output android_tombstone_output = {
    .print = fm_print_rows,
    .put_row = fm_tombstone_put_row,
    .put_head = fm_tombstone_put_head,
    .addresses_in_image = true,
    .holds = FRAMEMAP_PART_FILES | FRAMEMAP_PART_LINES | FRAMEMAP_PART_COLUMNS | FRAMEMAP_PART_MODULES |
             FRAMEMAP_PART_ADDRESSES | FRAMEMAP_PART_OFFSETS | FRAMEMAP_PART_IDS | FRAMEMAP_PART_THREADS,
};

const struct fm_format fm_android_tombstone = {
    .info = {name, "Android native frames: tombstones, logcat, ndk-stack (#00 pc …)", true, true},
    FM_NEEDLES(tombstone_needles),
    .marks = FM_MARK_WORD | FM_MARK_NUMBER,
    .state_size = sizeof(struct tombstone_state),
    .firsts = "*-pABCGOsabd\"0123456789",
    .any_of = FM_HAS_HASH,
    .probe = tombstone_probe,
    .offer = tombstone_offer,
    .is_significant = tombstone_is_significant,
    .keeps_state = true,
    .finish = tombstone_finish,
    .print_frame = fm_android_print_frame,
    .output = &android_tombstone_output};
