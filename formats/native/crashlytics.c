/* Implements crashlytics.h: recognizes rows with an offset in the image in place of an address, and searches the lines
 * above a stack for Crashlytics' titles of threads and exceptions. */
#include "formats/native/crashlytics.h"

#include "formats/native/apple/apple.h"
#include "formats/row_parts.h"

/* maximum number of lines above a stack that are searched for its thread; a message of several lines may be between the
 * two */
#define CRASHLYTICS_ABOVE 4
/* largest offset that is accepted: seven digits, since the addresses of 32-bit programs are printed with eight */
#define MOST UINT64_C(0x0fffffff)
#define NAME_MOST 64                  /* maximum number of bytes of the name of a thread that did not crash */
#define BASE_64 UINT64_C(0x100000000) /* images of 64-bit programs are loaded at this address or above */

static const framemap_str fatal = FM_STR_INIT("Fatal Exception: "), recorded = FM_STR_INIT("Non-fatal Exception: "),
                          crashed = FM_STR_INIT("Crashed: "), mach = FM_STR_INIT("EXC_");

bool fm_crashlytics_offset(framemap_str body, framemap_frame *frame)
{
    if (!frame->has_address || frame->has_load_address || frame->module.size == 0 ||
        fm_str_equal(frame->module, FM_STR("???")))
        return false;
    if (frame->id.size ? frame->address >= BASE_64 : frame->address > MOST) return false;
    const size_t end = (size_t)(frame->module.data + frame->module.size - body.data);
    const framemap_str address = fm_str_trim(fm_str_from(body, end));
    if (!fm_str_starts(address, FM_STR("0x")) || address.size < 3 || address.data[2] == '0') return false;
    frame->address_kind = FRAMEMAP_ADDRESS_IMAGE;
    /* Where other formats print the offset in the function, Crashlytics repeats the line number. */
    if (frame->line && frame->function_offset == frame->line) frame->has_function_offset = false;
    return true;
}

bool fm_crashlytics_short_row(framemap_str body, struct fm_document *doc, framemap_frame *frame)
{
    struct fm_scan s = fm_scan_of(body);
    fm_scan_blanks(&s);
    if (!fm_row_index(&s, &frame->index) || !fm_scan_blanks1(&s)) return false;
    const framemap_str text = fm_scan_rest(&s);
    size_t at = fm_str_find(text, FM_STR("  0x"));
    const size_t tab = fm_str_find(text, FM_STR("\t0x"));
    if (at == FM_NOT_FOUND && tab == FM_NOT_FOUND) return false;
    at = at == FM_NOT_FOUND ? tab + 1 : at + 2;
    struct fm_scan t = fm_scan_of(fm_str_from(text, at));
    const char *start = t.at;
    if (fm_row_0xhex(&t, &frame->address) == FM_DIGITS_NONE || t.at - start < 4 || t.at - start > 6) return false;
    if (!fm_scan_done(&t) && !fm_is_blank(*t.at)) return false;
    frame->module = fm_str_trim(fm_str_slice(text, 0, at));
    if (frame->module.size == 0) return false;
    frame->has_address = true;
    frame->address_kind = FRAMEMAP_ADDRESS_ABSOLUTE;
    fm_apple_rest(fm_scan_rest(&t), doc, frame);
    return true;
}

/* Cuts a file with or without a line off the end of "NAME (FILE:12)", or a word in place of it: "(<unknown>)". */
static void cut_file(framemap_str *name, framemap_frame *frame)
{
    framemap_str head = *name, inside, file;
    uint32_t line = 0, column = 0;
    if (!fm_row_group(&head, &inside) || head.size == 0) return;
    const bool absent = fm_str_starts(inside, FM_STR("<")) && fm_str_ends(inside, FM_STR(">"));
    const bool placed = fm_row_location(inside, &file, &line, &column);
    if (!absent && !placed) {
        const size_t dot = fm_str_find_last_byte(inside, '.');
        if (dot == FM_NOT_FOUND || fm_str_find_byte(inside, ' ') != FM_NOT_FOUND) return;
        for (size_t i = dot + 1; i < inside.size; i++) /* an extension: the last part of a type begins with a capital */
            if (inside.data[i] < 'a' || inside.data[i] > 'z') return;
        file = inside;
    }
    *name = head;
    if (absent) return;
    frame->file = file;
    frame->line = line;
    frame->column = column;
}

bool fm_crashlytics_named_row(framemap_str body, framemap_frame *frame)
{
    struct fm_scan s = fm_scan_of(body);
    uint64_t line;
    fm_scan_blanks(&s);
    if (!fm_row_index(&s, &frame->index) || !fm_scan_blanks1(&s) || !fm_scan_text(&s, FM_STR("???")) ||
        !fm_scan_blanks1(&s) || !fm_scan_text(&s, FM_STR("0x0 ")))
        return false;
    (void)fm_scan_text(&s, FM_STR("(null)."));
    framemap_str name = fm_str_trim(fm_scan_rest(&s));
    cut_file(&name, frame);
    if (frame->line) (void)fm_row_distance(name, false, &name, &line); /* the number after '+' is the line again */
    if (name.size == 0 || name.data[0] == '+' || fm_str_starts(name, FM_STR("0x"))) return false;
    frame->function = name;
    frame->kind = FRAMEMAP_KIND_OTHER;
    frame->status = FRAMEMAP_FRAME_NOT_NEEDED;
    return true;
}

/* Parses the title of a stack: "Crashed: com.apple.main-thread"; in a downloaded report "#0. Crashed: …" for the
 * crashed thread and "#1. com.apple.uikit.eventfetch" for another thread. */
static bool crashlytics_read_thread(framemap_str text, framemap_trace *trace)
{
    struct fm_scan s = fm_scan_of(text);
    uint64_t number;
    /* the '#' is missing in copies where Markdown took it for the mark of a heading */
    const bool hash = fm_scan_byte(&s, '#');
    const bool numbered = fm_scan_dec(&s, &number, NULL) && fm_scan_text(&s, FM_STR(". "));
    const framemap_str title = numbered ? fm_scan_rest(&s) : text;
    const bool is_crashed = fm_str_starts(title, crashed);
    if (!(numbered && hash) && !is_crashed) return false;
    trace->thread = trace->thread_name = fm_str_trim(fm_str_from(title, is_crashed ? crashed.size : 0));
    trace->crashed = trace->crashed || is_crashed;
    return true;
}

/* Whether the text is a signal with its code and an address, "SIGABRT ABORT 0x0000000199ea2d88". */
static bool is_signal(framemap_str text)
{
    struct fm_scan s = fm_scan_of(text);
    framemap_str name, code;
    uint64_t address;
    return fm_str_starts(text, FM_STR("SIG")) && fm_scan_word(&s, &name) && fm_scan_byte(&s, ' ') &&
           fm_scan_word(&s, &code) && fm_scan_byte(&s, ' ') && fm_row_0xhex(&s, &address) == FM_DIGITS_FIT &&
           fm_scan_done(&s);
}

/* Parses "Fatal Exception: NSRangeException", "Non-fatal Exception: System.Exception: x", "EXC_BREAKPOINT
 * 0x0000000104218738", "SIGABRT ABORT 0x0000000199ea2d88". */
bool fm_crashlytics_exception(framemap_str text, framemap_trace *trace)
{
    size_t at = fm_str_find(text, fatal);
    if (at == FM_NOT_FOUND && fm_str_starts(text, recorded)) at = recorded.size - fatal.size;
    if (at == FM_NOT_FOUND && !fm_str_starts(text, mach) && !is_signal(text)) return false;
    trace->exception = at == FM_NOT_FOUND ? text : fm_str_trim(fm_str_from(text, at + fatal.size));
    const size_t blank = fm_str_find_byte(trace->exception, ' ');
    trace->exception_type = fm_str_slice(trace->exception, 0, blank);
    if (blank != FM_NOT_FOUND) trace->exception_message = fm_str_from(trace->exception, blank + 1);
    if (fm_str_ends(trace->exception_type, FM_STR(":"))) trace->exception_type.size--;
    if (at == FM_NOT_FOUND && fm_str_starts(text, FM_STR("SIG"))) trace->signal.name = trace->exception_type;
    return true;
}

enum fm_crashlytics_head fm_crashlytics_above(struct fm_document *doc, const struct fm_line *line,
                                              framemap_trace *trace)
{
    struct fm_look_back above = fm_look_back_from(doc, line, fm_document_last_end(doc), CRASHLYTICS_ABOVE);
    enum fm_crashlytics_head head = FM_CRASHLYTICS_NONE;
    bool threaded = false;
    for (struct fm_line *before; (before = fm_look_back_next(&above)) != NULL;) {
        if (!fm_line_cut(before)) continue;
        const framemap_str text = fm_str_trim(before->body);
        if (threaded) { /* an exception of C++ is above the thread that it ended */
            if (!fm_str_starts(text, fatal)) continue;
            (void)fm_crashlytics_exception(text, trace);
            break;
        }
        const bool exception = head == FM_CRASHLYTICS_NONE && fm_crashlytics_exception(text, trace);
        /* If the exception is a signal, its thread is on the line above it, so the search continues. */
        const bool signal = exception && (fm_str_starts(text, mach) || is_signal(text));
        if (!exception && !crashlytics_read_thread(text, trace)) continue;
        trace->crashed = trace->crashed || exception;
        head = exception && !signal ? FM_CRASHLYTICS_THROWN : FM_CRASHLYTICS_STOPPED;
        threaded = !exception && trace->crashed && trace->exception.size == 0;
        if (!signal && !threaded) break;
    }
    return head;
}

/* Whether the text is the name of a queue in reverse order of domains: "com.apple.main-thread". */
static bool is_queue(framemap_str text)
{
    size_t dots = 0;
    for (size_t i = 0; i < text.size; i++) {
        const char c = text.data[i];
        const bool letter = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_';
        if (!letter && (i == 0 || (!fm_is_digit(c) && c != '.' && c != '-'))) return false;
        dots += c == '.';
    }
    return dots > 1;
}

bool fm_crashlytics_thread_above(struct fm_document *doc, const struct fm_line *line, bool known, framemap_trace *trace)
{
    struct fm_look_back above = fm_look_back_from(doc, line, fm_document_last_end(doc), 2);
    const struct fm_line *before = fm_look_back_next(&above);
    if (before == NULL || before->number1 + 1 != line->number1) return false;
    const framemap_str text = fm_str_trim(before->body);
    const uint64_t number1 = before->number1;
    if (text.size > NAME_MOST || !(known || is_queue(text))) return false;
    before = fm_look_back_next(&above);
    if (before && before->number1 + 1 == number1) return false; /* a paragraph */
    if (!fm_str_equal(text, FM_STR("Thread"))) trace->thread = trace->thread_name = text;
    return true;
}

void fm_crashlytics_android_above(struct fm_document *doc, const struct fm_line *line, framemap_trace *trace)
{
    static const framemap_str mark = FM_STR_INIT(": SIG");
    struct fm_look_back above = fm_look_back_from(doc, line, fm_document_last_end(doc), 1);
    struct fm_line *before = fm_look_back_next(&above);
    if (before == NULL || !fm_line_cut(before)) return;
    const framemap_str text = fm_str_trim(before->body);
    const size_t at = fm_str_starts(text, crashed) ? fm_str_find_last(text, mark) : FM_NOT_FOUND;
    if (at == FM_NOT_FOUND || at < crashed.size) return;
    const framemap_str thread = fm_str_trim(fm_str_slice(text, crashed.size, at));
    trace->exception = fm_str_from(text, at + 2);
    const size_t blank = fm_str_find_byte(trace->exception, ' ');
    trace->exception_type = trace->signal.name = fm_str_slice(trace->exception, 0, blank);
    struct fm_scan s =
        fm_scan_of(blank == FM_NOT_FOUND ? (framemap_str){NULL, 0} : fm_str_from(trace->exception, blank));
    fm_scan_blanks(&s);
    trace->signal.has_address = fm_row_0xhex(&s, &trace->signal.address) == FM_DIGITS_FIT && fm_scan_done(&s);
    if (!fm_str_equal(thread, FM_STR("Thread"))) trace->thread = trace->thread_name = thread;
    trace->crashed = true;
}
