/* Frames of the sanitizers (ASan, HWASan, TSan, MSan, LSan, UBSan, libFuzzer), as sanitizer_stacktrace_printer
 * prints them:
 *
 *     #1 0x55d0c5fe1a2b (/path/lib.so+0x1234) (BuildId: 77e6f9…)     not symbolised
 *     #0 0x55d0c5fe1a2b in inner(int) /src/a.cc:7:3                  symbolised: not restored
 *     #0 w /src/tsan.cc:3 (tsan+0x123f)                              TSan, without an address
 *     #2 0x100003f5c in w (libx.dylib:arm64+0x123f)                  Apple's systems
 *     #1 0x7ff611ce1424 in main C:\src\a.cc(7,3)                     with symbolize_vs_style
 *     #1 0x7c2a5e8c90 (libunity.so) DebugStringToFile(int) 0x214     Unity on Android, "? 0x0" if there is no symbol
 *     #1 0x000055d0c5fe1a2b in f(int) at /src/a.cc:7:3               cpptrace
 *     #2 (inlined)          in g() at /src/a.cc:7                    cpptrace, an inlined function
 *     #3 0x000055d0c5fe1a2c in _start at /usr/bin/app                cpptrace: the module, if there is no line
 *     record_addr:0x7f8a40 record:0x1ffaaaab20f8 (/lib.so+0x20f8)    HWASan: a function that used the stack before
 *
 * A mail may wrap a row after the function, or within its parentheses. The sanitizers print the addresses of calls,
 * not return addresses. The offset in MODULE+0xOFF counts from the module's first mapping, so for a file that is
 * linked at 0 it is the address as linked. Each stack of a report is a trace of its own; sanitizer_title.c parses
 * the lines between the stacks. */
#include "formats/native/check_failure.h"
#include "formats/native/native_parts.h"
#include "formats/native/sanitizer_title.h"
#include "formats/parsers.h"
#include "formats/row_writer.h"

static const char name[] = "sanitizer";
static const framemap_str inlined_mark = FM_STR_INIT("(inlined) ");
/* maximum number of lines of other text within one stack; Windows consoles add blank lines */
#define SANITIZER_GAP 4
#define TITLE_AHEAD 24 /* maximum number of lines between a headline and its stack */
#define ROW_MOST 4096  /* maximum number of bytes of a row that is joined from several lines */
/* Maximum number of lines between a line with "runtime error:" and its stack. The number is smaller than TITLE_AHEAD,
 * because such a line may have no stack. */
#define ERROR_AHEAD 8

struct sanitizer_state {
    struct fm_sanitizer_headline headline; /* the headline that was read, until a stack gets it */
    struct fm_sanitizer_section section;   /* title of the next stack, if one was read since the last frame */
    bool fresh;                            /* a title was read since the last frame */
    bool seen;      /* a headline or a frame with an address was read, so that frames without an address are accepted */
    bool has_main;  /* the report has a main stack; its further stacks are parts of the main stack */
    bool registers; /* the next lines are registers */
    uint64_t main;  /* number of the trace with the main stack */
    bool has_process_id; /* the headline of the main stack names the process */
    uint64_t process_id;
    int64_t index;
    bool has_address; /* the last frame has an address, stored in `address` */
    uint64_t address;
    uint64_t number1; /* number of the last line of the report */
    uint64_t frame1;  /* number of the line of the last frame */
    uint64_t headline1;
    framemap_str row; /* the last row, if the next line may continue it */
    uint64_t row1;    /* number of the last line of `row` */
};

/* Parses "#N", or "#N.M" of an inlined frame. */
static bool row_start(framemap_str body, int64_t *index, int64_t *part, framemap_str *rest)
{
    struct fm_scan s = fm_scan_of(body);
    *part = -1;
    fm_scan_blanks(&s);
    if (!fm_scan_byte(&s, '#') || !fm_row_index(&s, index)) return false;
    if (fm_scan_byte(&s, '.') && !fm_row_index(&s, part)) return false;
    if (!fm_scan_blanks1(&s)) return false;
    *rest = fm_str_trim(fm_scan_rest(&s));
    return true;
}

/* Parses "record_addr:0x7f8a40 record:0x1ffaaaab20f8 " in HWASan's list of functions that used a stack before. *record:
 * the second number. Its low bits are those of the function's address; the higher bits of that address are taken from
 * the address of the row's frame. */
static bool record_start(framemap_str body, uint64_t *record, framemap_str *rest)
{
    struct fm_scan s = fm_scan_of(body);
    uint64_t place;
    fm_scan_blanks(&s);
    if (!fm_scan_text(&s, FM_STR("record_addr:")) || fm_row_0xhex(&s, &place) != FM_DIGITS_FIT ||
        !fm_scan_text(&s, FM_STR(" record:")) || fm_row_0xhex(&s, record) != FM_DIGITS_FIT || !fm_scan_blanks1(&s))
        return false;
    *rest = fm_str_trim(fm_scan_rest(&s));
    return rest->size != 0;
}

/* Parses "MODULE+0xOFF", the text of a group in parentheses. */
static bool read_module(framemap_str text, framemap_frame *frame)
{
    framemap_str module;
    uint64_t offset = 0;
    size_t plus = fm_str_find_last(text, FM_STR("+0x"));
    if (plus == FM_NOT_FOUND || plus == 0) return false;
    struct fm_scan s = fm_scan_of(fm_str_from(text, plus + 1));
    enum fm_digits digits = fm_row_0xhex(&s, &offset);
    if (digits == FM_DIGITS_NONE || !fm_scan_done(&s)) return false;
    module = fm_str_slice(text, 0, plus);
    if (module.size > 2 && module.data[0] == '<' && module.data[module.size - 1] == '>')
        module = fm_str_slice(module, 1, module.size - 1);
    if (frame->has_address) {
        frame->has_absolute_address = true;
        frame->absolute_address = frame->address;
    }
    fm_native_set_module(frame, fm_native_cut_arch(module, frame));
    frame->has_address = true;
    frame->address = offset;
    frame->address_kind = FRAMEMAP_ADDRESS_LINKED;
    if (digits == FM_DIGITS_LONG) fm_row_malformed(frame, "the offset has more than 16 hexadecimal digits");
    return true;
}

/* Cuts the groups "(BuildId: …)" and "(MODULE+0xOFF)", or Fuchsia's "<MODULE>+0xOFF", off the end of a row. */
static void cut_module(framemap_str *text, struct fm_document *doc, framemap_frame *frame)
{
    framemap_str left = *text, group;
    if (fm_row_group(&left, &group) && fm_str_starts(group, FM_STR("BuildId: "))) {
        fm_row_id(fm_str_from(group, 9), doc, &frame->id);
        *text = left;
    }
    left = *text;
    if (text->size > 2 && text->data[0] == '(' && text->data[text->size - 1] == ')' &&
        read_module(fm_str_slice(*text, 1, text->size - 1), frame)) {
        text->size = 0;
    } else if (fm_row_group(&left, &group) && read_module(group, frame)) {
        *text = left;
    } else {
        size_t open = fm_str_find_last(*text, FM_STR(" <"));
        if (open != FM_NOT_FOUND && read_module(fm_str_from(*text, open + 1), frame))
            *text = fm_str_trim(fm_str_slice(*text, 0, open));
    }
}

/* Whether the text begins with an absolute path: "/…", "C:\\…". */
static bool is_absolute_path(framemap_str text)
{
    if (text.size > 1 && text.data[0] == '/') return !fm_is_blank(text.data[1]);
    return text.size > 3 && text.data[1] == ':' && (text.data[2] == '\\' || text.data[2] == '/') &&
           (text.data[0] | 0x20) >= 'a' && (text.data[0] | 0x20) <= 'z';
}

/* Returns the offset of the first absolute path outside of parentheses. */
static size_t path_start(framemap_str text)
{
    long depth = 0;
    for (size_t at = 0; at < text.size; at++) {
        const char c = text.data[at];
        depth += c == '(' ? 1 : c == ')' ? -1 : 0;
        if (depth == 0 && fm_is_blank(c) && is_absolute_path(fm_str_from(text, at + 1))) return at + 1;
    }
    return FM_NOT_FOUND;
}

/* Returns the offset at which the file at the end of a row starts: after the last blank that is neither within the path
 * nor within the function. */
static size_t file_start(framemap_str text)
{
    const size_t blank = fm_str_find_last_byte(text, ' '), path = path_start(text);
    if (blank == FM_NOT_FOUND) return 0;
    if (path != FM_NOT_FOUND) return path;
    if (fm_row_depth(fm_str_slice(text, 0, blank)) == 0) return blank + 1;
    const size_t slash = fm_str_find(text, FM_STR(" /"));
    return slash == FM_NOT_FOUND ? text.size : slash + 1;
}

/* Cuts the word " at", which cpptrace prints before a file, off the end of the text. Returns whether the word was
 * there. */
static bool cut_at(framemap_str *head)
{
    if (!fm_str_ends(*head, FM_STR(" at")) && !fm_str_equal(*head, FM_STR("at"))) return false;
    *head = fm_str_trim(fm_str(head->data, head->size - 2));
    return true;
}

/* Whether the text is the name of a source file in a language that the sanitizers are used with. */
static bool is_source_name(framemap_str text)
{
    static const framemap_str ends[] = {
        FM_STR_INIT("c"),   FM_STR_INIT("cc"),    FM_STR_INIT("cpp"), FM_STR_INIT("cxx"), FM_STR_INIT("c++"),
        FM_STR_INIT("C"),   FM_STR_INIT("h"),     FM_STR_INIT("hh"),  FM_STR_INIT("hpp"), FM_STR_INIT("hxx"),
        FM_STR_INIT("inc"), FM_STR_INIT("ipp"),   FM_STR_INIT("m"),   FM_STR_INIT("mm"),  FM_STR_INIT("S"),
        FM_STR_INIT("s"),   FM_STR_INIT("swift"), FM_STR_INIT("rs"),  FM_STR_INIT("go"),  FM_STR_INIT("tcc")};
    const size_t dot = fm_str_find_last_byte(text, '.');
    if (dot == FM_NOT_FOUND || dot == 0) return false;
    for (size_t i = 0; i < sizeof ends / sizeof *ends; i++)
        if (fm_str_equal(fm_str_from(text, dot + 1), ends[i])) return true;
    return false;
}

/* Parses "C:\src\a.cc(7,3)" and "C:\src\a.cc(7)", as the option symbolize_vs_style has positions printed. */
static bool read_vs_location(framemap_str text, framemap_frame *frame)
{
    const size_t open = fm_str_find_last_byte(text, '(');
    uint64_t line = 0, column = 0;
    if (open == FM_NOT_FOUND || !is_absolute_path(text)) return false;
    struct fm_scan s = fm_scan_of(fm_str_from(text, open + 1));
    if (!fm_scan_dec(&s, &line, NULL) || (fm_scan_byte(&s, ',') && !fm_scan_dec(&s, &column, NULL))) return false;
    if (!fm_scan_byte(&s, ')') || !fm_scan_done(&s) || line == 0 || line > UINT32_MAX || column > UINT32_MAX)
        return false;
    frame->file = fm_str(text.data, open);
    frame->line = (uint32_t)line;
    frame->column = (uint32_t)column;
    return true;
}

/* Parses the text after the address in a row of Unity on Android, "(libunity.so) DebugStringToFile(int) 0x214": the
 * distance from the function's start is at the end. "? 0x0" has neither. Returns false if the text has another form. */
static bool read_unity(framemap_str text, framemap_frame *frame)
{
    struct fm_scan s = fm_scan_of(text);
    framemap_str module;
    uint64_t distance;
    if (!fm_scan_byte(&s, '(') || !fm_scan_until(&s, ')', &module) || !fm_scan_text(&s, FM_STR(") "))) return false;
    if (!fm_str_ends(module, FM_STR(".so")) || fm_str_find_byte(module, ' ') != FM_NOT_FOUND) return false;
    const framemap_str rest = fm_scan_rest(&s);
    const size_t blank = fm_str_find_last_byte(rest, ' ');
    if (blank == FM_NOT_FOUND || blank == 0) return false;
    struct fm_scan t = fm_scan_of(fm_str_from(rest, blank + 1));
    if (fm_row_0xhex(&t, &distance) != FM_DIGITS_FIT || !fm_scan_done(&t)) return false;
    fm_native_set_module(frame, module);
    const framemap_str function = fm_str_trim(fm_str_slice(rest, 0, blank));
    if (fm_str_equal(function, FM_STR("?"))) return true;
    frame->function = function;
    frame->function_offset = distance;
    frame->has_function_offset = true;
    return true;
}

/* Parses the text after the address: "FUNCTION FILE:LINE:COLUMN", "FUNCTION+0x1f", "FUNCTION FILE", "FUNCTION <null>",
 * or cpptrace's "FUNCTION at FILE:LINE:COLUMN" and "FUNCTION at MODULE". */
static void read_function(framemap_str text, framemap_frame *frame)
{
    static const framemap_str generated = FM_STR_INIT(" <compiler-generated>"); /* of Swift; not a file */
    /* Unity prints further text after a method of Mono, which is cut off here: "Cart:Add (int) {0x7fd9} + 0x5d (0x15
     * 0x16) [0x13 - Unity Domain]". */
    text = fm_str_slice(text, 0, fm_str_find(text, FM_STR(" {0x")));
    if (fm_str_equal(text, FM_STR("(Unknown)"))) return;
    if (text.size && text.data[0] == '(' && frame->module.size == 0 && read_unity(text, frame)) return;
    if (fm_str_ends(text, FM_STR("<null>:0"))) text.size -= 2; /* TSan of LLVM up to 3.5 */
    while (fm_str_ends(text, FM_STR("<null>"))) text = fm_str_trim(fm_str_slice(text, 0, text.size - 6));
    if (fm_str_ends(text, generated)) text = fm_str_trim(fm_str_slice(text, 0, text.size - generated.size));
    size_t start = file_start(text);
    framemap_str file = fm_str_from(text, start);
    framemap_str head = fm_str_trim(fm_str_slice(text, 0, start));
    const bool at = cut_at(&head);
    if (fm_row_location(file, &frame->file, &frame->line, &frame->column) || read_vs_location(file, frame)) {
        text = head;
    } else if (file.size && (at || (head.size == 0 && is_absolute_path(file)))) {
        if (frame->module.size == 0) fm_native_set_module(frame, file);
        text = head;
    } else if (head.size && file.size && (file.data[0] == '/' || is_source_name(file))) {
        frame->file = file;
        text = head;
    } else if (fm_str_starts(file, FM_STR("??:"))) {
        text = head;
    }
    if (text.size == 0 || fm_str_equal(text, FM_STR("<unknown>")) || fm_str_equal(text, FM_STR("???")) ||
        fm_str_equal(text, FM_STR("(<unknown module>)")) || fm_str_equal(text, FM_STR("(unknown)")))
        return;
    if (fm_row_distance(text, true, &frame->function, &frame->function_offset))
        frame->has_function_offset = true;
    else
        frame->function = text;
}

/* Parses an address: "0x55…", or hex digits without "0x" if " in " follows them. */
static enum fm_digits read_address(struct fm_scan *s, uint64_t *address)
{
    enum fm_digits digits = fm_row_0xhex(s, address);
    if (digits != FM_DIGITS_NONE) return fm_scan_done(s) || fm_is_blank(*s->at) ? digits : FM_DIGITS_NONE;
    struct fm_scan t = *s;
    digits = fm_row_hex(&t, address);
    if (digits == FM_DIGITS_NONE || t.at - s->at < 5 || !fm_str_starts(fm_scan_rest(&t), FM_STR(" in ")))
        return FM_DIGITS_NONE;
    *s = t;
    return digits;
}

/* Sets the number M of an inlined frame that is printed as "#N.M". */
static void put_part(int64_t part, struct fm_document *doc, framemap_frame *frame)
{
    framemap_frame_extra *extra = part >= 0 ? fm_document_extra(doc, frame) : NULL;
    if (extra == NULL) return;
    frame->inlined = true;
    extra->has_sub_index = true;
    extra->sub_index = (uint32_t)part;
}

static bool sanitizer_parse_row(framemap_str body, bool believed, struct fm_document *doc, framemap_frame *frame)
{
    framemap_str rest;
    int64_t part;
    if (!row_start(body, &frame->index, &part, &rest)) return false;
    struct fm_scan s = fm_scan_of(rest);
    enum fm_digits digits = read_address(&s, &frame->address);
    if (digits == FM_DIGITS_NONE && !believed) return false;
    if (digits != FM_DIGITS_NONE) {
        frame->has_address = true;
        frame->address_kind = FRAMEMAP_ADDRESS_ABSOLUTE;
        rest = fm_str_trim(fm_scan_rest(&s));
    }
    if (digits == FM_DIGITS_LONG) fm_row_malformed(frame, FM_LONG_ADDRESS);
    if (fm_str_equal(rest, FM_STR("in"))) rest.size = 0;
    if (digits == FM_DIGITS_NONE && fm_str_starts(rest, inlined_mark)) {
        rest = fm_str_trim(fm_str_from(rest, inlined_mark.size));
        frame->inlined = true;
    }
    if (fm_str_starts(rest, FM_STR("in ")) || (digits != FM_DIGITS_NONE && fm_str_starts(rest, FM_STR("at "))))
        rest = fm_str_trim(fm_str_from(rest, 3)); /* the kernel of FreeBSD prints "at" in place of "in" */
    if (digits != FM_DIGITS_LONG) cut_module(&rest, doc, frame);
    read_function(rest, frame);
    fm_row_mark_complete(frame);
    if (digits == FM_DIGITS_NONE && !frame->module.size && !frame->line) return false;
    put_part(part, doc, frame);
    return true;
}

static bool record_parse_row(framemap_str body, struct fm_document *doc, framemap_frame *frame)
{
    framemap_str rest;
    if (!record_start(body, &frame->address, &rest)) return false;
    frame->address &= UINT64_MAX >> 16;
    frame->has_address = true;
    frame->address_kind = FRAMEMAP_ADDRESS_ABSOLUTE;
    if (fm_str_starts(rest, FM_STR("in "))) rest = fm_str_trim(fm_str_from(rest, 3));
    cut_module(&rest, doc, frame);
    read_function(rest, frame);
    fm_row_mark_complete(frame);
    return true;
}

/* --- beginning the stacks of a report --- */

static bool is_near(const struct sanitizer_state *state, const struct fm_line *line)
{
    return state->number1 && line->number1 - state->number1 <= FM_LINES_AFTER;
}

/* Gives the headline to the trace that starts at `line`, unless the headline is too far above. */
static void take_headline(struct sanitizer_state *state, framemap_trace *trace, const struct fm_line *line)
{
    const struct fm_sanitizer_headline headline = state->headline;
    const uint64_t most = headline.is_error ? ERROR_AHEAD : TITLE_AHEAD;
    state->headline = (struct fm_sanitizer_headline){.text = {NULL, 0}};
    if (headline.text.size == 0 || line->number1 - state->headline1 > most) return;
    if (headline.needs_main && state->section.role != FRAMEMAP_ROLE_NONE && state->section.role != FRAMEMAP_ROLE_LEAK)
        /* The error belongs to another stack: this one only shows where the memory was freed or allocated, or the
         * like. */
        return;
    fm_sanitizer_put_headline(&headline, trace);
    trace->crashed = true;
    if (state->section.thread_id.size == 0) trace->thread = trace->thread_id = headline.thread;
}

/* Sets the exception from the line above the first row, if gfortran's runtime printed it: "Program received signal
 * SIGSEGV: …", "Fortran runtime error: …". */
static bool read_fortran(struct fm_document *doc, const struct fm_line *line, framemap_trace *trace)
{
    static const framemap_str signal = FM_STR_INIT("Program received signal "),
                              error = FM_STR_INIT("Fortran runtime error: ");
    struct fm_look_back above = fm_look_back_from(doc, line, fm_document_last_end(doc), ERROR_AHEAD);
    for (struct fm_line *before; (before = fm_look_back_next(&above)) != NULL;) {
        if (!fm_line_cut(before)) continue;
        const framemap_str text = fm_str_trim(before->body);
        const size_t colon = fm_str_find(text, FM_STR(": "));
        const bool is_signal = fm_str_starts(text, signal) && colon != FM_NOT_FOUND && colon > signal.size;
        if (!is_signal && !fm_str_starts(text, error)) continue;
        trace->exception = text;
        trace->exception_type = fm_str_slice(text, is_signal ? signal.size : 0, is_signal ? colon : error.size - 2);
        trace->exception_message = fm_str_from(text, is_signal ? colon + 2 : error.size);
        if (is_signal) trace->signal.name = trace->exception_type;
        return trace->crashed = true;
    }
    return false;
}

/* Sets the exception from the line directly above the first row, if that line is a headline without "==12==":
 * "AddressSanitizer: CHECK failed: x.cpp:12 …". */
static bool read_bare_headline(struct fm_document *doc, const struct fm_line *line, framemap_trace *trace)
{
    struct fm_look_back above = fm_look_back_from(doc, line, fm_document_last_end(doc), 1);
    struct fm_line *before = fm_look_back_next(&above);
    struct fm_sanitizer_headline headline;
    if (before == NULL || !fm_line_cut(before)) return false;
    const framemap_str text = fm_str_trim(before->body), tool = fm_str_slice(text, 0, fm_str_find_byte(text, ' '));
    if (!fm_str_ends(tool, FM_STR("Sanitizer:")) || !fm_sanitizer_read_headline(text, &headline)) return false;
    fm_sanitizer_put_headline(&headline, trace);
    return trace->crashed = true;
}

static framemap_trace *sanitizer_trace(struct sanitizer_state *state, struct fm_document *doc,
                                       const struct fm_line *line)
{
    framemap_trace *trace = fm_document_trace(doc, name, line);
    if (!trace) return NULL;
    const struct fm_sanitizer_section section = state->section;
    take_headline(state, trace, line);
    if (!trace->crashed && section.role == FRAMEMAP_ROLE_NONE && !read_bare_headline(doc, line, trace) &&
        !read_fortran(doc, line, trace))
        fm_check_failure_above(doc, line, fm_document_last_end(doc), trace);
    if (section.thread_id.size) {
        trace->thread = trace->thread_id = section.thread_id;
        trace->thread_name = section.thread_name;
    }
    if (trace->crashed || !state->has_main) {
        state->main = trace->number;
        state->has_process_id = trace->has_process_id;
        state->process_id = trace->process_id;
    }
    if (section.role != FRAMEMAP_ROLE_NONE && (state->has_main || section.role == FRAMEMAP_ROLE_LEAK)) {
        trace->role = section.role;
        trace->part_of = state->main;
        trace->has_process_id = state->has_process_id;
        trace->process_id = state->process_id;
        if (section.role == FRAMEMAP_ROLE_LEAK) trace->exception_message = section.title;
    }
    state->has_main = true;
    state->section = (struct fm_sanitizer_section){.role = FRAMEMAP_ROLE_NONE};
    state->fresh = state->registers = false;
    return trace;
}

static uint64_t printed_address(const framemap_frame *frame)
{
    return frame->has_absolute_address ? frame->absolute_address : frame->address;
}

/* Whether a row repeats the number 0 of the row above it and so begins another stack. Functions inlined into one frame
 * repeat its number, too; they have the same address, or a number such as "#0.1". */
static bool is_again(const struct sanitizer_state *state, const struct fm_line *line, const framemap_frame *frame)
{
    if (frame->index != 0 || state->index != 0 || frame->inlined) return false;
    if (!frame->has_address && !state->has_address) return line->number1 != state->frame1 + 1;
    return frame->has_address != state->has_address || printed_address(frame) != state->address;
}

static enum fm_line_role sanitizer_add(struct sanitizer_state *state, struct fm_document *doc,
                                       const struct fm_line *line, const framemap_frame *frame)
{
    if (!is_near(state, line) || line->begins) {
        state->has_main = false;
        state->section = (struct fm_sanitizer_section){.role = FRAMEMAP_ROLE_NONE};
    }
    const bool back = frame->index < state->index && (frame->index == 0 || line->number1 != state->frame1 + 1);
    /* If the number of the frame is the next one of the stack, lines of source may be between its row and the
     * last row. */
    const bool next = frame->index == state->index + 1 && is_near(state, line);
    const bool far = line->number1 - state->frame1 > SANITIZER_GAP && !next;
    const bool ended = state->fresh || back || is_again(state, line, frame) || far;
    if ((ended || !fm_document_open(doc, name)) && !sanitizer_trace(state, doc, line)) return FM_ROLE_FRAME;
    fm_document_frame(doc, line, frame);
    state->index = frame->index;
    state->has_address = frame->has_address;
    state->address = printed_address(frame);
    state->number1 = state->frame1 = line->number1;
    state->seen = true;
    return FM_ROLE_FRAME;
}

/* Adds a row of HWASan's list of functions that used a stack before. All rows below one title are one trace. */
static enum fm_line_role add_record(struct sanitizer_state *state, struct fm_document *doc, const struct fm_line *line,
                                    const framemap_frame *frame)
{
    const bool ended = state->fresh || !is_near(state, line);
    if ((ended || !fm_document_open(doc, name)) && !sanitizer_trace(state, doc, line)) return FM_ROLE_FRAME;
    fm_document_frame(doc, line, frame);
    state->index = 0;
    state->has_address = false;
    state->number1 = state->frame1 = line->number1;
    return FM_ROLE_FRAME;
}

static bool is_placed(const framemap_frame *frame) { return frame->module.size != 0 || frame->line != 0; }

/* Keeps a row for continue_row() if the row may continue on the next line. */
static void keep_row(struct sanitizer_state *state, const struct fm_line *line, framemap_str row,
                     const framemap_frame *frame)
{
    const bool whole = frame->line != 0 || frame->id.size != 0 || line->printed.data != NULL || row.size > ROW_MOST;
    state->row = whole && fm_row_depth(row) <= 0 ? (framemap_str){NULL, 0} : row;
    state->row1 = line->number1;
}

/* Whether a line may be the end of a wrapped row: the rest of its parentheses, a position, or a group. */
static bool may_continue(framemap_str row, framemap_str text, bool placed)
{
    if (text.size == 0 || row.size + text.size > ROW_MOST) return false;
    if (fm_row_depth(row) > 0) return true;
    if (!placed && fm_str_starts(text, FM_STR("at ")))
        return true; /* libbacktrace prints the position on the next line */
    if (placed) return fm_str_starts(text, FM_STR("(BuildId:"));
    return text.data[0] == '(' || fm_str_find_byte(text, ' ') == FM_NOT_FOUND;
}

/* If a line continues the row above it, joins the two lines and parses the frame again. */
static bool continue_row(struct sanitizer_state *state, struct fm_document *doc, const struct fm_line *line)
{
    framemap_frame *frame = state->row.size ? fm_native_last(fm_document_open(doc, name)) : NULL, fresh = FM_FRAME_INIT;
    const framemap_str text = fm_str_trim(line->body), row = state->row;
    state->row = (framemap_str){NULL, 0};
    if (frame == NULL || line->number1 != state->row1 + 1 || line->begins || line->printed.data ||
        !may_continue(row, text, is_placed(frame)))
        return false;
    const framemap_str whole = fm_native_join(doc, fm_native_join(doc, row, FM_STR(" ")), text);
    if (!sanitizer_parse_row(whole, true, doc, &fresh)) return false;
    const bool better = is_placed(frame) ? fresh.id.size > frame->id.size : is_placed(&fresh);
    if (!better) {
        if (fm_row_depth(whole) > 0 || fm_row_depth(row) > 0) state->row = whole;
        state->row1 = line->number1;
        return false;
    }
    fresh.raw = frame->raw;
    fresh.raw_offset = frame->raw_offset;
    fresh.raw_line = frame->raw_line;
    if (text.data > frame->raw.data && (size_t)(text.data - frame->raw.data) < 2 * ROW_MOST)
        fresh.raw.size = (size_t)(text.data + text.size - frame->raw.data);
    *frame = fresh;
    fm_document_span(doc, line);
    keep_row(state, line, whole, &fresh);
    state->number1 = state->frame1 = line->number1;
    return true;
}

/* Reads the registers that a report prints after the stack of the thread that crashed. */
static bool read_registers(struct sanitizer_state *state, struct fm_document *doc, framemap_str text)
{
    framemap_trace *trace = fm_document_open(doc, name);
    if (trace && trace->number == state->main && fm_str_ends(text, FM_STR("==Register values:")))
        return state->registers = true;
    return state->registers && trace && fm_register_line(doc, trace, text) > 0;
}

static bool sanitizer_probe(const struct fm_line *line)
{
    if (line->first == '#' || line->first == 'r') return true;
    if (line->first == '=' || line->first == 'W' || line->first == 'E' || line->first == 'R') return true;
    return line->last != '\0' && line->body.size > 24 && (line->has & FM_HAS_ERROR) != 0 &&
           fm_str_find(line->body, FM_STR(": runtime error: ")) != FM_NOT_FOUND;
}

/* Returns a line without the "## " at its start. Markdown tools make a heading, "## ERROR: …", of a line such as
 * "==12==ERROR: …". */
static framemap_str without_heading(framemap_str body)
{
    const framemap_str text = fm_str_trim(body);
    size_t marks = 0;
    while (marks < text.size && text.data[marks] == '#') marks++;
    return marks && marks < text.size && text.data[marks] == ' ' ? fm_str_trim(fm_str_from(text, marks)) : text;
}

static enum fm_line_role sanitizer_read_title(struct sanitizer_state *state, struct fm_document *doc,
                                              const struct fm_line *line)
{
    const framemap_str text = without_heading(line->body);
    struct fm_sanitizer_section section;
    /* The line is read as a headline only if it has one of the marks that the prefilter searches for. */
    if (sanitizer_probe(line) && fm_sanitizer_read_headline(text, &state->headline)) {
        state->headline1 = line->number1;
        state->has_main = false;
        state->section = (struct fm_sanitizer_section){.role = FRAMEMAP_ROLE_NONE};
        state->fresh = state->seen = true;
    } else if (!is_near(state, line)) {
        return FM_ROLE_NONE;
    } else if (fm_sanitizer_read_section(text, &section)) {
        state->section = section;
        state->fresh = true;
    } else if (!read_registers(state, doc, text)) {
        return FM_ROLE_NONE;
    }
    state->number1 = line->number1;
    return FM_ROLE_CONTEXT;
}

static bool sanitizer_is_significant(const struct fm_line *line)
{
    int64_t index, part;
    framemap_str rest;
    uint64_t record;
    if (line->first == '#' && row_start(line->body, &index, &part, &rest)) return true;
    if (line->first == 'r' && record_start(line->body, &record, &rest)) return true;
    return fm_sanitizer_is_headline(without_heading(line->body));
}

static enum fm_line_role sanitizer_offer(void *memory, struct fm_document *doc, const struct fm_line *line)
{
    struct sanitizer_state *state = memory;
    if (line->first != '#' && continue_row(state, doc, line)) return FM_ROLE_FRAME;
    framemap_frame frame = FM_FRAME_INIT;
    if (line->first == 'r' && record_parse_row(line->body, doc, &frame)) return add_record(state, doc, line, &frame);
    if (line->first != '#') return sanitizer_read_title(state, doc, line);
    if (!sanitizer_parse_row(line->body, state->seen, doc, &frame)) return sanitizer_read_title(state, doc, line);
    const enum fm_line_role role = sanitizer_add(state, doc, line, &frame);
    keep_row(state, line, line->body, &frame);
    return role;
}

/* Returns the start of a row, up to and including its address, or its index if it has no address. */
static framemap_str columns(framemap_str raw, bool *has_address)
{
    int64_t index, part;
    framemap_str rest;
    uint64_t address;
    framemap_str head;
    if (record_start(raw, &address, &rest)) {
        *has_address = true;
        head = fm_str(raw.data, (size_t)(rest.data - raw.data));
    } else {
        if (!row_start(raw, &index, &part, &rest)) return raw;
        struct fm_scan s = fm_scan_of(rest);
        *has_address = read_address(&s, &address) != FM_DIGITS_NONE;
        head = fm_str(raw.data, (size_t)(s.at - raw.data));
    }
    while (head.size && fm_is_blank(head.data[head.size - 1])) head.size--;
    return head;
}

/* Returns the end of a row as printed, "(MODULE+0xOFF) (BuildId: …)". A restored row keeps it if no source file is
 * known. */
static framemap_str module_group(framemap_str raw)
{
    framemap_str left = raw, group;
    while (fm_row_group(&left, &group)) {
        if (fm_str_find(group, FM_STR("+0x")) != FM_NOT_FOUND)
            return fm_str(group.data - 1, (size_t)(raw.data + raw.size - group.data) + 1);
    }
    return (framemap_str){NULL, 0};
}

/* Whether a row has "at" before its file or module, as cpptrace prints it. */
static bool says_at(const framemap_frame *frame)
{
    return frame->module.size && fm_str_find(frame->raw, FM_STR(" at ")) != FM_NOT_FOUND &&
           module_group(frame->raw).size == 0;
}

static void sanitizer_print_frame(struct fm_buf *out, const framemap_frame *frame, framemap_str prefix,
                                  framemap_str eol)
{
    bool has_address = false;
    framemap_str head = columns(frame->raw, &has_address);
    for (size_t i = 0; i < frame->restored.count; i++) {
        const framemap_frame *source = &frame->restored.frames[i];
        if (i) fm_row_begin_line(out, prefix, eol);
        fm_buf_str(out, head);
        fm_buf_str(out, has_address ? FM_STR(" in ") : FM_STR(" "));
        fm_buf_str(out, fm_row_name(source));
        if (source->file.size) {
            fm_buf_str(out, says_at(frame) ? FM_STR(" at ") : FM_STR(" "));
            fm_row_put_location(out, source);
        } else {
            framemap_str module = module_group(frame->raw);
            if (module.size) fm_buf_byte(out, ' ');
            fm_buf_str(out, module);
        }
    }
}

static const struct fm_needle sanitizer_needles[] = {
    FM_NEEDLE("Sanitizer: ", 0, 15),      FM_NEEDLE("runtime error: ", 5, 11), FM_NEEDLE("libFuzzer: ", 6, 9),
    FM_NEEDLE("Received signal ", 0, 13), FM_NEEDLE("record_addr:", 3, 8),
};

/* Writes "    #0 0x55d0c5fe1a2b in f a.c:7:3", "    #0 0x55d0c5fe1a2b in f (/lib.so+0x1234) (BuildId: …)". */
static void sanitizer_put_row(struct fm_buf *out, const struct fm_row_out *row)
{
    const framemap_frame *frame = row->frame;
    const framemap_str module = fm_row_module(frame);
    fm_buf_str(out, FM_STR("    #"));
    fm_buf_dec(out, row->number);
    fm_buf_byte(out, ' ');
    fm_row_put_pc(out, row);
    fm_buf_str(out, FM_STR(" in "));
    fm_buf_str(out, row->name);
    if (frame->file.size) {
        fm_buf_byte(out, ' ');
        fm_row_put_location(out, frame);
    }
    if (module.size == 0) return;
    fm_buf_str(out, FM_STR(" ("));
    fm_buf_str(out, module);
    fm_buf_str(out, FM_STR("+0x"));
    fm_buf_hex(out, row->has_relative ? row->relative : 0, 1);
    fm_buf_byte(out, ')');
    if (frame->id.size == 0) return;
    fm_buf_str(out, FM_STR(" (BuildId: "));
    fm_buf_str(out, frame->id);
    fm_buf_byte(out, ')');
}

static const struct fm_output sanitizer_output = {
    .print = fm_print_rows,
    .put_row = sanitizer_put_row,
    .addresses_in_image = true,
    .holds = FRAMEMAP_PART_FILES | FRAMEMAP_PART_LINES | FRAMEMAP_PART_COLUMNS | FRAMEMAP_PART_MODULES |
             FRAMEMAP_PART_ADDRESSES | FRAMEMAP_PART_IDS,
};

const struct fm_format fm_sanitizer = {.info = {name, "sanitizer reports (#0 0x… (lib.so+0x12))", true, true},
                                       FM_NEEDLES(sanitizer_needles),
                                       .marks = FM_MARK_WORD | FM_MARK_NUMBER,
                                       .state_size = sizeof(struct sanitizer_state),
                                       .firsts = "#=WERr",
                                       .any_of = FM_HAS_ERROR,
                                       .keeps_state = true,
                                       .probe = sanitizer_probe,
                                       .offer = sanitizer_offer,
                                       .is_significant = sanitizer_is_significant,
                                       .print_frame = sanitizer_print_frame,
                                       .output = &sanitizer_output};
