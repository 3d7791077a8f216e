/* Parses Apple's crash reports as text (.crash, legacy .ips, KSCrash, PLCrashReporter): a header, threads, and the
 * images at the end.
 *
 *     Thread 0 name:  Dispatch queue: com.apple.main-thread
 *     Thread 0 Crashed:
 *     0   App   0x0000000102bca2a4 0x102bc4000 + 25252
 *     ...
 *     Binary Images:
 *     0x102bc4000 - 0x102bcbfff App arm64  <uuid> /path
 *
 * Printed addresses are return addresses, except in the top frame of a thread and in frames after _sigtramp. In a Last
 * Exception Backtrace, all addresses are return addresses. */
#include "formats/native/apple/apple.h"
#include "formats/native/apple/apple_crash_state.h"
#include "formats/native/native_parts.h"
#include "formats/parsers.h"
#include "formats/row_parts.h"

static const char name[] = "apple-crash";
#define CRASH_GAP 2 /* a blank line may be between two frames of one thread */

/* Handles a header line. If threads or images were read before, it is the header of another report. */
static void header_line(struct fm_apple_crash *state, struct fm_document *doc)
{
    if (state->header) return;
    fm_document_report_end(doc);
    *state = (struct fm_apple_crash){.format = state->format, .header = true};
}

static bool crash_read_header(struct fm_apple_crash *state, struct fm_document *doc, const struct fm_line *line,
                              framemap_str text)
{
    const bool begins = fm_str_starts(text, FM_STR("Incident Identifier:")) ||
                        fm_str_starts(text, FM_STR("CrashReporter Key:")) ||
                        fm_str_starts(text, FM_STR("Hardware Model:")) || fm_str_starts(text, FM_STR("Process:"));
    if (begins) header_line(state, doc);
    return fm_apple_header_line(&state->report, text, line) || begins;
}

void fm_apple_crash_enter(struct fm_apple_crash *state, enum fm_apple_section section, uint64_t number1)
{
    state->section = section;
    state->header = false;
    state->fresh = true;
    state->number1 = number1;
}

/* Whether titles of threads are accepted without a colon: after the line "Crashed Thread: 0" of a report of Sentry, or
 * after a thread. */
static bool in_threads(const struct fm_apple_crash *state)
{
    return state->report.crashed_number.size || state->section == FM_APPLE_THREAD;
}

/* Parses " NAME:" after the number of a thread, as Instabug prints it: " com.x.runtime.JavaScript:", " Unknown:".
 * Does not accept the title of registers, " crashed with ARM Thread State (64-bit):". */
static bool read_name_before_colon(struct fm_scan *s, bool in_threads, framemap_str *out)
{
    const framemap_str unknown = FM_STR(" Unknown:"), rest = fm_scan_rest(s);
    const bool is_unknown = fm_str_equal(rest, unknown);
    if (!is_unknown && (!in_threads || rest.size < 3 || rest.data[0] != ' ' || rest.data[rest.size - 1] != ':' ||
                        fm_str_find(rest, FM_STR(" Thread State")) != FM_NOT_FOUND))
        return false;
    *out = is_unknown ? (framemap_str){NULL, 0} : fm_str_slice(rest, 1, rest.size - 1);
    s->at = s->end - 1;
    return true;
}

/* Parses Instabug's " Queue 1: com.apple.main-thread (serial):" after the number of a thread. */
static bool read_queue_before_colon(struct fm_scan *s, framemap_str *out)
{
    struct fm_scan ahead = *s;
    uint64_t number;
    if (!fm_scan_text(&ahead, FM_STR(" Queue ")) || !fm_scan_dec(&ahead, &number, NULL) ||
        !fm_scan_text(&ahead, FM_STR(": ")) || !fm_str_ends(fm_scan_rest(&ahead), FM_STR("):")))
        return false;
    framemap_str rest = fm_scan_rest(&ahead), kind;
    rest.size--;
    if (!fm_row_group(&rest, &kind)) return false;
    *out = rest;
    s->at = s->end - 1;
    return true;
}

/* Parses "Thread 6 name:  TEXT", "Thread 6:", "Thread 6:: TEXT", "Thread 6 Crashed:"; not "Thread 6 crashed with ARM
 * Thread State". Sentry may print only "Thread 6", or only the line "Thread 6 name: …", also with " Crashed:" at its
 * end. */
static bool crash_read_thread(struct fm_apple_crash *state, framemap_str text, uint64_t number1)
{
    struct fm_scan s = fm_scan_of(text);
    int64_t index;
    if (!fm_scan_text(&s, FM_STR("Thread "))) return false;
    const char *digits = s.at;
    if (!fm_row_index(&s, &index)) return false;
    framemap_str number = fm_str(digits, (size_t)(s.at - digits));
    if (fm_scan_text(&s, FM_STR(" name:"))) {
        static const framemap_str mark = FM_STR_INIT(" Crashed:"); /* of Sentry, whose title is one line */
        state->thread = fm_str_trim(fm_scan_rest(&s));
        const bool marked = fm_str_ends(state->thread, mark);
        if (marked) state->thread.size -= mark.size;
        state->number = number;
        state->named1 = number1;
        if (!in_threads(state) && !marked) return true;
        state->crashed = marked || fm_str_equal(state->report.crashed_number, number);
        fm_apple_crash_enter(state, FM_APPLE_THREAD, number1);
        return true;
    }
    bool crashed = fm_scan_text(&s, FM_STR(" Crashed"));
    if (!crashed && !fm_scan_text(&s, FM_STR(" Highlighted"))) fm_scan_text(&s, FM_STR(" Attributed"));
    framemap_str named = {NULL, 0};
    if (!read_queue_before_colon(&s, &named)) (void)read_name_before_colon(&s, in_threads(state), &named);
    if (!fm_scan_byte(&s, ':') && !(fm_scan_done(&s) && in_threads(state))) return false;
    fm_scan_byte(&s, ':');
    if (!fm_str_equal(state->number, number)) state->thread = (framemap_str){NULL, 0};
    framemap_str title = named.size ? named : fm_str_trim(fm_scan_rest(&s));
    if (title.size) state->thread = title;
    if (state->thread.size == 0) state->thread = number;
    state->crashed =
        crashed || (state->report.crashed_number.size && fm_str_equal(state->report.crashed_number, number));
    state->number = number;
    fm_apple_crash_enter(state, FM_APPLE_THREAD, number1);
    return true;
}

static bool crash_read_title(struct fm_apple_crash *state, framemap_str text, uint64_t number1)
{
    if (crash_read_thread(state, text, number1)) return true;
    if (fm_str_starts(text, FM_STR("Last Exception Backtrace")) ||
        fm_str_starts(text, FM_STR("Application Specific Backtrace")) ||
        fm_str_starts(text, FM_STR("Exception Backtrace"))) {
        state->thread = fm_str_slice(text, 0, fm_str_find_byte(text, ':'));
        state->crashed = fm_str_starts(text, FM_STR("Last"));
        fm_apple_crash_enter(state, FM_APPLE_EXCEPTION, number1);
    } else if (fm_str_starts(text, FM_STR("Binary Images"))) {
        fm_apple_crash_enter(state, FM_APPLE_IMAGES, number1);
    } else if (fm_str_starts(text, FM_STR("Thread ")) && fm_str_find(text, FM_STR(" Thread State")) != FM_NOT_FOUND) {
        state->section = FM_APPLE_REGISTERS;
        state->number1 = number1;
    } else if (fm_str_starts(text, FM_STR("Thread ")) || fm_str_starts(text, FM_STR("VM Region")) ||
               fm_str_starts(text, FM_STR("External Mod"))) {
        state->section = FM_APPLE_OUTSIDE;
    } else {
        return false;
    }
    return true;
}

static framemap_trace *trace_of(struct fm_apple_crash *state, struct fm_document *doc, const struct fm_line *line)
{
    framemap_trace *trace = fm_document_open(doc, state->format);
    if (trace && !state->fresh) return trace;
    fm_document_expect_images(doc);
    trace = fm_document_trace(doc, state->format, line);
    if (!trace) return NULL;
    fm_apple_header_fill(&state->report, state->crashed, trace);
    trace->thread = state->thread;
    trace->crashed = state->crashed;
    if (state->section == FM_APPLE_THREAD) {
        trace->thread_id = state->number;
        if (!fm_str_equal(state->thread, state->number)) fm_apple_thread_title(state->thread, trace);
        if (state->crashed) state->crash_trace = trace->number + 1;
    }
    state->fresh = false;
    state->number = state->thread = (framemap_str){NULL, 0};
    return trace;
}

/* Whether a row continues on the next line, because a mail program wrapped it: the row ends after the address, after
 * the '+' of a distance, within parentheses, or before the position. */
static bool is_wrapped(const framemap_frame *frame, framemap_str next)
{
    const bool bare = frame->function.size == 0 && !frame->has_load_address && frame->line == 0;
    const bool open = fm_row_depth(frame->raw) > 0 ||
                      fm_str_count_byte(frame->function, '[') > fm_str_count_byte(frame->function, ']');
    return bare || open || fm_str_ends(frame->raw, FM_STR(" +")) ||
           (frame->line == 0 && next.data[0] == '(' && next.data[next.size - 1] == ')');
}

/* Reads the rest of a row that a mail program wrapped. Returns false if the line is not such a rest. */
static bool read_wrapped(struct fm_apple_crash *state, struct fm_document *doc, const struct fm_line *line)
{
    framemap_frame *last = fm_native_last(fm_document_open(doc, state->format)), whole = FM_FRAME_INIT;
    const framemap_str next = fm_str_trim(line->body);
    if (last == NULL || line->number1 != state->number1 + 1 || next.size == 0 || !is_wrapped(last, next)) return false;
    framemap_str raw = last->raw;
    char *joined = fm_line_extend(line, &raw) ? fm_document_alloc(doc, raw.size) : NULL;
    if (joined == NULL) return false;
    for (size_t i = 0; i < raw.size; i++) joined[i] = raw.data[i] == '\n' || raw.data[i] == '\r' ? ' ' : raw.data[i];
    if (!fm_apple_row(fm_str(joined, raw.size), false, doc, &whole)) return false;
    const bool says_more = (whole.has_load_address && !last->has_load_address) || (whole.line && !last->line) ||
                           (whole.has_function_offset && !last->has_function_offset);
    if (!says_more) return false;
    whole.arch = last->arch;
    whole.return_address = last->return_address;
    whole.raw = raw;
    whole.raw_offset = last->raw_offset;
    whole.raw_line = last->raw_line;
    *last = whole;
    state->number1 = line->number1;
    fm_document_span(doc, line);
    return true;
}

static enum fm_line_role crash_read_row(struct fm_apple_crash *state, struct fm_document *doc,
                                        const struct fm_line *line)
{
    if (line->number1 - state->number1 > CRASH_GAP) {
        state->section = FM_APPLE_OUTSIDE;
        return FM_ROLE_NONE;
    }
    framemap_frame frame = FM_FRAME_INIT;
    bool list = state->section == FM_APPLE_EXCEPTION && fm_apple_is_hex_list(line->body);
    if (!list && !fm_apple_row(line->body, state->section == FM_APPLE_EXCEPTION, doc, &frame)) return FM_ROLE_NONE;
    state->number1 = line->number1;
    framemap_trace *trace = trace_of(state, doc, line);
    if (!trace) return FM_ROLE_FRAME;
    if (list) {
        fm_apple_hex_list(doc, line, state->report.arch);
        return FM_ROLE_FRAME;
    }
    frame.arch = state->report.arch;
    const bool is_return = fm_apple_is_return(doc, trace, &frame, &state->after_sigtramp);
    frame.return_address = state->section == FM_APPLE_EXCEPTION || is_return;
    fm_document_frame(doc, line, &frame);
    return FM_ROLE_FRAME;
}

/* Turns stacks of the report that another parser began into threads of the report. They are stacks without a title that
 * precede the list of images and are not the call stack of an exception. */
static void claim_rows(struct fm_document *doc)
{
    size_t count = 0;
    framemap_trace *traces = fm_document_report(doc, &count);
    for (size_t t = 0; t < count; t++) {
        framemap_trace *trace = &traces[t];
        if (trace->format.data != fm_apple_symbols.info.name || trace->exception.size || trace->frame_count == 0 ||
            trace->frames[0].index != 0)
            continue;
        trace->format = fm_str(name, sizeof name - 1);
        for (size_t f = 0; f < trace->frame_count; f++)
            trace->frames[f].return_address = f && !fm_str_equal(trace->frames[f - 1].function, FM_STR("_sigtramp"));
    }
}

static enum fm_line_role crash_read_image(struct fm_apple_crash *state, struct fm_document *doc,
                                          const struct fm_line *line)
{
    framemap_image row;
    bool titled = state->section == FM_APPLE_IMAGES && line->number1 - state->number1 <= CRASH_GAP;
    if (!fm_apple_image(line->body, titled, doc, &row)) return FM_ROLE_NONE;
    if (row.arch.size == 0) row.arch = state->report.arch;
    framemap_image *image = fm_document_image(doc, line);
    if (image) *image = row;
    if (!state->has_images)
        /* The rows above that had no title are a thread of the report to which this image belongs. */
        claim_rows(doc);
    state->has_images = true;
    fm_apple_crash_enter(state, FM_APPLE_IMAGES, line->number1);
    return FM_ROLE_CONTEXT;
}

/* Reads a row of the registers of the crashed thread. */
static enum fm_line_role crash_read_registers(struct fm_apple_crash *state, struct fm_document *doc,
                                              const struct fm_line *line)
{
    size_t count = 0;
    framemap_trace *traces = fm_document_report(doc, &count);
    const uint64_t number = state->crash_trace - 1, first = count ? traces[0].number : 0;
    const bool is_there = state->crash_trace && count && number >= first && number - first < count;
    const bool near = line->number1 - state->number1 <= CRASH_GAP;
    if (!near || !is_there || !fm_apple_registers(line->body, doc, &traces[number - first])) {
        state->section = FM_APPLE_OUTSIDE;
        return FM_ROLE_NONE;
    }
    state->number1 = line->number1;
    return FM_ROLE_CONTEXT;
}

/* Whether a byte can begin a title or a header line. If a line begins with a capital letter that cannot, it is the rest
 * of a wrapped row. */
static bool begins_head(char first)
{
    static const char heads[] = "TLABIPHCEVO";
    uint32_t letters = 0;
    for (size_t i = 0; i + 1 < sizeof heads; i++) letters |= UINT32_C(1) << (heads[i] - 'A');
    return first >= 'A' && first <= 'Z' && (letters >> (first - 'A') & 1) != 0;
}

/* Whether the line is a title, a header line, or an image line. Frame lines are significant only after a title. */
static bool crash_is_significant(const struct fm_line *line)
{
    static const framemap_str heads[] = {FM_STR_INIT("Thread "),
                                         FM_STR_INIT("Last Exception Backtrace"),
                                         FM_STR_INIT("Application Specific Backtrace"),
                                         FM_STR_INIT("Exception Backtrace"),
                                         FM_STR_INIT("Binary Images"),
                                         FM_STR_INIT("VM Region"),
                                         FM_STR_INIT("External Mod"),
                                         FM_STR_INIT("Incident Identifier:"),
                                         FM_STR_INIT("CrashReporter Key:"),
                                         FM_STR_INIT("Hardware Model:"),
                                         FM_STR_INIT("Process:"),
                                         FM_STR_INIT("Code Type:"),
                                         FM_STR_INIT("OS Version:"),
                                         FM_STR_INIT("Exception Type:"),
                                         FM_STR_INIT("Exception Subtype:"),
                                         FM_STR_INIT("Exception Codes:"),
                                         FM_STR_INIT("Termination Reason:"),
                                         FM_STR_INIT("Termination Description:"),
                                         FM_STR_INIT("Application Specific Information:"),
                                         FM_STR_INIT("Application main thread deadlocked"),
                                         FM_STR_INIT("Triggered by Thread:"),
                                         FM_STR_INIT("Crashed Thread:")};
    if (fm_is_digit(line->first) || line->first == '(') return line->first == '0' && fm_apple_is_range(line->body);
    if (!begins_head(line->first)) return false;
    const framemap_str text = fm_str_trim(line->body);
    for (size_t i = 0; i < sizeof heads / sizeof *heads; i++)
        if (fm_str_begins(text, heads[i])) return true;
    return false;
}

enum fm_line_role fm_apple_crash_offer(struct fm_apple_crash *state, struct fm_document *doc,
                                       const struct fm_line *line)
{
    if (fm_is_digit(line->first) || line->first == '(') {
        if (state->section == FM_APPLE_OUTSIDE && state->named1 && line->number1 == state->named1 + 1)
            fm_apple_crash_enter(state, FM_APPLE_THREAD, line->number1);
        if (state->section == FM_APPLE_THREAD || state->section == FM_APPLE_EXCEPTION) {
            enum fm_line_role role = crash_read_row(state, doc, line);
            if (role != FM_ROLE_NONE) return role;
            if (read_wrapped(state, doc, line)) return FM_ROLE_FRAME;
        }
        return line->first == '0' ? crash_read_image(state, doc, line) : FM_ROLE_NONE;
    }
    const bool capital = begins_head(line->first);
    const framemap_str text = fm_str_trim(line->body);
    if (capital && crash_read_title(state, text, line->number1)) return FM_ROLE_CONTEXT;
    if (fm_apple_header_information(&state->report, line)) return FM_ROLE_CONTEXT;
    const bool in_rows = state->section == FM_APPLE_THREAD || state->section == FM_APPLE_EXCEPTION;
    if (in_rows && read_wrapped(state, doc, line)) return FM_ROLE_FRAME;
    if (!capital) return state->section == FM_APPLE_REGISTERS ? crash_read_registers(state, doc, line) : FM_ROLE_NONE;
    return crash_read_header(state, doc, line, text) ? FM_ROLE_CONTEXT : FM_ROLE_NONE;
}

static enum fm_line_role crash_offer(void *memory, struct fm_document *doc, const struct fm_line *line)
{
    struct fm_apple_crash *state = memory;
    state->format = name;
    const enum fm_line_role role = fm_apple_crash_offer(state, doc, line);
    if (fm_apple_header_goes_on(&state->report, line)) fm_document_offer_until(doc, line->number1 + 1);
    return role;
}

static const struct fm_needle crash_needles[] = {
    FM_NEEDLE("Thread ", 0, 4),
    FM_NEEDLE("Backtrace", 1, 8),
    FM_NEEDLE("Binary Image", 0, 14),
    FM_NEEDLE("VM Region", 0, 0),
    FM_NEEDLE("External Mod", 6, 11),
    FM_NEEDLE("Incident Identifier:", 16, 9),
    FM_NEEDLE("CrashReporter Key:", 14, 15),
    FM_NEEDLE("Hardware Model:", 6, 11),
    FM_NEEDLE("Process:", 4, 9),
    FM_NEEDLE(" Type:", 2, 9),
    FM_NEEDLE("OS Version:", 0, 1),
    FM_NEEDLE("Exception Subtype:", 7, 9),
    FM_NEEDLE("Exception Codes:", 7, 9),
    FM_NEEDLE("Termination Reason:", 12, 13),
    FM_NEEDLE("Application Specific Information:", 9, 9),
    FM_NEEDLE(" Thread:", 4, 9),
    FM_NEEDLE("thread deadlocked", 10, 4),
};

const struct fm_format fm_apple_crash = {
    .info = {name, "Apple crash reports as text (.crash, .ips up to iOS 14, KSCrash)", true, false},
    .id_form = FM_ID_UUID,
    FM_NEEDLES(crash_needles),
    .state_size = sizeof(struct fm_apple_crash),
    .firsts = "0123456789TLABIPHCEVOUGN(abcdefghijklmnopqrstuvwxyz*-_+",
    .offer = crash_offer,
    .is_significant = crash_is_significant,
    .print_frame = fm_apple_print_frame};
