/* Native stacks that Chromium, Node and WebKit print of themselves:
 *
 *     Backtrace:
 *             base::debug::StackTrace::StackTrace [0x61C20814+20] (base\debug\stack_trace_win.cc:215)
 *             (No symbol) [0x00007FF6A1DEE112]                   Chromium on Windows, also below errors of Selenium
 *
 *     FATAL ERROR: Reached heap limit Allocation failed - JavaScript heap out of memory
 *      1: 0xb09980 node::Abort() [node]                          Node; V8 prints only the address or only the name
 *      2: 0xeaf465  [node]
 *      1: 00007FF7C9A2052F napi_wrap+109311                      Node on Windows; or "f+137 [C:\a\b.h]:L37"
 *
 *     ==== C stack trace ===============================
 *      [0x7f6b13882bf1]                                          V8 without symbols
 *
 *     ASSERTION FAILED: m_isolate
 *     ../dom/Node.cpp(270) : void WebCore::Node::f(int)
 *     1   0x7f161a913b13 WTFReportBacktrace(int)                 WebKit
 *     2   0x7f162ddcf256
 *
 * All addresses are return addresses. Nothing is looked up, because rows do not name an image with its id. */
#include "formats/native/check_failure.h"
#include "formats/native/linux/stack_rows.h"
#include "formats/parsers.h"

static const char name[] = "chromium";
#define CHROMIUM_ABOVE 4 /* maximum number of lines above a stack that may name the error */

/* Parses a row of Chromium on Windows: "f [0x61C20814+20] (a.cc:215)", "(No symbol) [0x00007FF6A1DEE112]". */
static bool read_windows(framemap_str text, struct fm_stack_row *row)
{
    static const framemap_str mark = FM_STR_INIT(" [0x"), unknown = FM_STR_INIT("(No symbol)");
    const size_t open = fm_str_find_last(text, mark);
    uint64_t offset = 0;
    if (open == FM_NOT_FOUND || open == 0) return false;
    struct fm_scan s = fm_scan_of(fm_str_from(text, open + 2));
    const enum fm_digits digits = fm_row_0xhex(&s, &row->address);
    row->function = fm_str_trim(fm_str(text.data, open));
    const bool is_unknown = fm_str_equal(row->function, unknown);
    row->has_function_offset = !is_unknown && fm_scan_byte(&s, '+') && fm_scan_dec(&s, &offset, NULL);
    if (digits == FM_DIGITS_NONE || (!is_unknown && !row->has_function_offset) || !fm_scan_byte(&s, ']')) return false;
    row->function_offset = offset;
    row->has_address = true;
    row->too_long = digits == FM_DIGITS_LONG;
    if (is_unknown) row->function.size = 0;
    if (fm_scan_done(&s)) return true;
    const framemap_str place = fm_str_trim(fm_scan_rest(&s));
    return place.size > 2 && place.data[0] == '(' && place.data[place.size - 1] == ')' &&
           fm_row_location(fm_str_slice(place, 1, place.size - 1), &row->file, &row->line, &row->column);
}

/* Cuts the last "[PATH]" off the end of the text. */
static void cut_path(framemap_str *text, struct fm_stack_row *row)
{
    const size_t open = fm_str_find_last_byte(*text, '[');
    if (open == FM_NOT_FOUND || open + 2 >= text->size || text->data[text->size - 1] != ']') return;
    /* brackets that are part of a name such as "operator delete[]" */
    if (open > 0 && text->data[open - 1] != ' ') return;
    row->path = fm_str_slice(*text, open + 1, text->size - 1);
    *text = fm_str_trim(fm_str(text->data, open));
}

/* Cuts the position off the end of "f+137 [C:\a\b.h]:L37". */
static void cut_windows_place(framemap_str *text, struct fm_stack_row *row)
{
    static const framemap_str mark = FM_STR_INIT("]:L");
    const size_t close = fm_str_find_last(*text, mark), open = fm_str_find_last(*text, FM_STR(" ["));
    uint32_t line1;
    if (close == FM_NOT_FOUND || open == FM_NOT_FOUND || open > close) return;
    struct fm_scan s = fm_scan_of(fm_str_from(*text, close + mark.size));
    if (!fm_scan_dec32(&s, &line1) || !fm_scan_done(&s)) return;
    row->file = fm_str_slice(*text, open + 2, close);
    row->line = line1;
    text->size = open;
}

/* Reads "00007FF7C9A2052F napi_wrap+109311" of Node on Windows. Below such a row, an address alone is accepted as
 * well. */
static bool read_node_windows(struct fm_scan s, struct fm_stack_row *row)
{
    enum { DIGITS = 16 };
    const char *digits = s.at;
    if (fm_row_hex(&s, &row->address) != FM_DIGITS_FIT || s.at - digits != DIGITS) return false;
    row->has_address = true;
    if (fm_scan_done(&s)) return true;
    if (!fm_scan_blanks1(&s)) return false;
    framemap_str text = fm_str_trim(fm_scan_rest(&s));
    cut_windows_place(&text, row);
    row->sure = fm_row_distance(text, false, &row->function, &row->function_offset);
    row->has_function_offset = row->sure;
    if (!row->sure) row->function = text;
    return true;
}

/* Reads a row that is accepted below another row or a title: "2: 0xeaf465", "3: f(int)". Sets `sure` for rows such as
 * "1: 0xb09980 node::Abort() [node]" and "1   0x7f16 WTFx", which are accepted anywhere. */
static bool read_numbered(framemap_str text, struct fm_stack_row *row)
{
    struct fm_scan s = fm_scan_of(text);
    if (!fm_row_index(&s, &row->index)) return false;
    const bool has_colon = fm_scan_byte(&s, ':');
    if (!fm_scan_blanks1(&s)) return false;
    if (has_colon && read_node_windows(s, row)) return true;
    const enum fm_digits digits = fm_row_0xhex(&s, &row->address);
    row->has_address = digits != FM_DIGITS_NONE;
    row->too_long = digits == FM_DIGITS_LONG;
    if (!row->has_address && !has_colon) return false;
    if (row->has_address && !fm_scan_done(&s) && !fm_scan_blanks1(&s)) return false;
    framemap_str rest = fm_str_trim(fm_scan_rest(&s));
    if (fm_str_starts(rest, FM_STR("- "))) return false; /* a row such as "1: - …" is printed by Rust */
    if (has_colon) cut_path(&rest, row);
    row->function = rest;
    row->sure = row->has_address && (has_colon ? row->path.size != 0 : fm_str_starts(rest, FM_STR("WTF")));
    return row->has_address || rest.size;
}

/* Parses a text that consists of "[0x7f6b13882bf1]". */
static bool read_bare(framemap_str text, struct fm_stack_row *row)
{
    struct fm_scan s = fm_scan_of(text);
    *row = (struct fm_stack_row){.index = -1, .has_address = true};
    if (!fm_scan_byte(&s, '[')) return false;
    const enum fm_digits digits = fm_row_0xhex(&s, &row->address);
    row->too_long = digits == FM_DIGITS_LONG;
    return digits != FM_DIGITS_NONE && fm_scan_byte(&s, ']') && fm_scan_done(&s);
}

static bool chromium_parse_row(const struct fm_line *line, struct fm_stack_row *row)
{
    const framemap_str text = fm_str_trim(line->body);
    *row = (struct fm_stack_row){.index = -1};
    if (fm_is_digit(line->first)) return read_numbered(text, row);
    const bool may_be = (line->has & FM_HAS_BRACKET) != 0 && (line->last == ']' || line->last == ')');
    return row->sure = may_be && read_windows(text, row);
}

/* Parses "==== C stack trace ====". */
static bool chromium_read_title(framemap_str text) { return fm_str_starts(text, FM_STR("==== C stack trace ==")); }

/* Whether the line announces rows of Chromium on Windows, which contain nothing that the prefilter searches for. */
static bool announces(framemap_str text)
{
    return fm_str_starts(text, FM_STR("FATAL ERROR: ")) || fm_str_starts(text, FM_STR("#FailureMessage Object: ")) ||
           fm_str_starts(text, FM_STR("----- Native stack trace -"));
}

/* Parses "Received signal 11 SEGV_MAPERR 7f6b0c580000". */
static bool read_signal(framemap_str text, framemap_trace *trace)
{
    struct fm_scan s = fm_scan_of(text);
    uint64_t number;
    framemap_str code = {NULL, 0};
    if (!fm_scan_text(&s, FM_STR("Received signal ")) || !fm_scan_dec(&s, &number, NULL) || number > 64) return false;
    trace->signal.has_number = true;
    trace->signal.number = (int32_t)number;
    fm_scan_blanks(&s);
    if (fm_scan_word(&s, &code)) trace->signal.code_name = code;
    trace->exception = trace->exception_message = text;
    trace->exception_type = code.size ? code : text;
    return trace->crashed = true;
}

/* Sets the exception from "FATAL ERROR: …", "ASSERTION FAILED: …" or a failed check above the first frame. floor: the
 * offset at which the previous stack ends. */
static void take_exception(struct fm_document *doc, const struct fm_line *line, uint64_t floor, framemap_trace *trace)
{
    static const framemap_str errors[] = {FM_STR_INIT("FATAL ERROR: "), FM_STR_INIT("ASSERTION FAILED: ")};
    struct fm_look_back above = fm_look_back_from(doc, line, floor, CHROMIUM_ABOVE);
    for (struct fm_line *before; (before = fm_look_back_next(&above)) != NULL;) {
        if (!fm_line_cut(before)) continue;
        const framemap_str text = fm_str_trim(before->body);
        for (size_t i = 0; i < sizeof errors / sizeof *errors; i++) {
            if (!fm_str_starts(text, errors[i])) continue;
            trace->exception = text;
            trace->exception_type = fm_str(text.data, errors[i].size - 2);
            trace->exception_message = fm_str_from(text, errors[i].size);
            trace->crashed = true;
            return;
        }
        if (read_signal(text, trace)) return;
    }
    fm_check_failure_above(doc, line, floor, trace);
}

static bool chromium_is_significant(const struct fm_line *line)
{
    struct fm_stack_row row;
    if (chromium_parse_row(line, &row) && row.sure) return true;
    if (line->first != '=' && line->first != 'F' && line->first != '#' && line->first != '-') return false;
    const framemap_str text = fm_str_trim(line->body);
    return chromium_read_title(text) || announces(text);
}

/* Adds a row that consists of an address, "[0x7f6b13882bf1]", if it is directly below V8's title or another such row.
 * Below rows of glibc, such a row belongs to glibc's stack. */
static enum fm_line_role offer_bare(struct fm_stack_rows *rows, struct fm_document *doc, const struct fm_line *line,
                                    const struct fm_stack_row *row)
{
    framemap_trace *open = fm_document_open(doc, name);
    const framemap_frame *last = fm_native_last(open);
    if (!fm_stack_rows_near(rows, line)) return FM_ROLE_NONE;
    const bool starts = rows->fresh;
    if (starts) {
        struct fm_look_back back = fm_look_back_from(doc, line, 0, 1);
        const struct fm_line *above = fm_look_back_next(&back);
        if (above && above->number1 > rows->number1) return FM_ROLE_NONE;
    } else if (open == NULL || (last ? last->function.size != 0 : rows->index >= 0)) {
        return FM_ROLE_NONE; /* without a frame, the trace is the rest of one that a stream has written */
    }
    const uint64_t other = fm_document_last_end(doc);
    const enum fm_line_role role = fm_stack_rows_add(rows, doc, line, row, true);
    framemap_trace *trace = fm_document_open(doc, name);
    if (starts && trace) take_exception(doc, line, other, trace);
    return role;
}

static enum fm_line_role chromium_offer(void *memory, struct fm_document *doc, const struct fm_line *line)
{
    struct fm_stack_rows *rows = memory;
    struct fm_stack_row row;
    rows->name = name;
    if (chromium_parse_row(line, &row)) {
        const bool follows = fm_stack_rows_near(rows, line) && row.index == (rows->fresh ? 1 : rows->index + 1);
        if (!row.sure && !follows) return FM_ROLE_NONE;
        if (row.index == 1 && rows->index >= 1) rows->fresh = true;
        const uint64_t other = fm_document_last_end(doc);
        const enum fm_line_role role = fm_stack_rows_add(rows, doc, line, &row, true);
        framemap_trace *trace = fm_document_open(doc, name);
        framemap_frame *frame = fm_native_last(trace);
        if (frame && trace->frame_count == 1) take_exception(doc, line, other, trace);
        if (frame && frame->function.size && frame->status == FRAMEMAP_FRAME_RAW)
            frame->status = FRAMEMAP_FRAME_NOT_NEEDED;
        return role;
    }
    if (line->first == '[' && fm_str_equal(fm_str_trim(line->body), FM_STR("[end of stack trace]"))) {
        rows->open = false;
        return FM_ROLE_NONE;
    }
    if (line->first == '[' && read_bare(fm_str_trim(line->body), &row)) return offer_bare(rows, doc, line, &row);
    if (!chromium_read_title(fm_str_trim(line->body))) return FM_ROLE_NONE;
    fm_stack_rows_title(rows, line);
    return FM_ROLE_CONTEXT;
}

static const struct fm_needle chromium_needles[] = {
    FM_NEEDLE("==== C stack", 2, 11),
    FM_NEEDLE("FATAL ERROR: ", 3, 11),
    FM_NEEDLE("#FailureMessage", 6, 11),
    FM_NEEDLE("- Native stack", 1, 5),
};

const struct fm_format fm_chromium = {
    .info = {name, "native stacks of Chromium, Node and WebKit (f [0x12+3] (a.cc:7), 1: 0x12 f [node])", true, false},
    FM_NEEDLES(chromium_needles),
    .state_size = sizeof(struct fm_stack_rows),
    .keeps_state = true,
    .offer = chromium_offer,
    .is_significant = chromium_is_significant};
