/* Parses short rows of Android, one frame per line, as crash collectors, GrapheneOS and Datadog write them:
 *
 *     pc 0x000000000004f0c4 libapp.so [arm64-v8a::77e6f9…]
 *     /data/app/base.apk!libapp.so (outer()+24, pc 4f0c4)
 *     1  pc 0004f0c4  /data/app/base.apk!/lib/arm64-v8a/libapp.so (outer()+24)
 *
 * In the first two forms the pc is relative to the file, and has already been moved back from the return address to the
 * call, as libunwindstack does. In Datadog's form, the third, the pc is relative to the address at which the file is
 * loaded, and is a return address in all rows but the first. */
#include "formats/native/android.h"
#include "formats/parsers.h"
#include "formats/row_parts.h"

static const char name[] = "android-short";
#define ANDROID_SHORT_GAP 3 /* up to this many lines of other text may be within one stack */

struct android_short_state {
    uint64_t number1; /* number of the line with the last frame */
    int64_t index;    /* number of the last frame, as Datadog prints it */
};

struct android_short_row {
    enum fm_digits digits;
    uint64_t pc;
    framemap_str module, arch, id;
    framemap_str head; /* text of the row up to and including the bracket */
    framemap_str tail; /* the text after the bracket, which framemap printed when it restored the row */
};

static bool android_short_parse_row(framemap_str body, struct android_short_row *row)
{
    struct fm_scan s = fm_scan_of(body);
    framemap_str printed, middle;
    fm_scan_blanks(&s);
    if (!fm_scan_text(&s, FM_STR("pc")) || !fm_scan_blanks1(&s)) return false;
    row->digits = fm_row_0xhex(&s, &row->pc);
    if (row->digits == FM_DIGITS_NONE || !fm_scan_blanks1(&s)) return false;
    const char *start = s.at;
    if (!fm_scan_until(&s, ']', &middle)) return false;
    s.at++;
    middle = fm_str(start, (size_t)(s.at - start));
    if (!fm_android_bracket(&middle, &row->arch, &row->id, &printed) || middle.size == 0 || row->id.data == NULL)
        return false;
    row->module = middle;
    row->head = fm_str(body.data, (size_t)(s.at - body.data));
    row->tail = fm_scan_rest(&s);
    return true;
}

/* --- parsing and printing rows of GrapheneOS --- */

/* Parses "MAP (NAME+24, pc 4f0c4)" or "MAP (pc 4f0c4)", and the position that framemap printed after it when it
 * restored the row. row->head ends with MAP. */
static bool parse_mapped(framemap_str body, struct fm_android_row *row)
{
    framemap_str text = fm_str_trim(body), group, file;
    if (text.size < 12 || (text.data[0] != '/' && text.data[0] != '<' && text.data[0] != '[')) return false;
    if (text.data[text.size - 1] != ')') {
        const size_t end = fm_str_find_last(text, FM_STR(") "));
        uint32_t line, column;
        if (end == FM_NOT_FOUND || !fm_row_location(fm_str_from(text, end + 2), &file, &line, &column)) return false;
        row->place = fm_str_from(text, end + 2);
        text.size = end + 1;
    }
    if (!fm_row_group(&text, &group)) return false;
    const size_t pc = fm_str_find_last(group, FM_STR("pc "));
    if (pc == FM_NOT_FOUND || pc == 1 || (pc > 1 && !fm_str_equal(fm_str_slice(group, pc - 2, pc), FM_STR(", "))))
        return false;
    struct fm_scan s = fm_scan_of(fm_str_from(group, pc + 3));
    row->digits = fm_row_hex(&s, &row->pc);
    if (row->digits == FM_DIGITS_NONE || !fm_scan_done(&s)) return false;
    row->has_function = pc > 1;
    if (pc > 1) row->function = fm_str(group.data, pc - 2);
    row->build = fm_str_from(group, pc);
    row->map = text;
    row->head = fm_str(body.data, (size_t)(text.data + text.size - body.data));
    return true;
}

/* Copies process, signal and system version from the lines above a stack to its trace. */
static void give_head(struct fm_document *doc, const struct fm_line *line, framemap_trace *trace)
{
    struct fm_android_head head = {.has_process_id = false};
    struct fm_look_back walk = fm_look_back_from(doc, line, 0, FM_LOOK_BACK_MOST);
    struct fm_line *above = fm_look_back_next(&walk);
    if (above == NULL || !fm_line_cut(above) || !fm_str_equal(fm_str_trim(above->body), FM_STR("backtrace:"))) return;
    while ((above = fm_look_back_next(&walk)) != NULL)
        if (fm_line_cut(above) && !fm_android_short_head_read(fm_str_trim(above->body), &head)) break;
    fm_android_head_give(&head, trace);
    if (head.signal_text.size == 0) return;
    trace->crashed = true;
    trace->exception = head.signal_text;
    trace->exception_type = head.signal_name;
    trace->abort_message = head.abort_message;
    trace->signal = head.signal;
    trace->signal.name = head.signal_name;
    trace->signal.code_name = head.signal_code_name;
}

static void print_mapped(struct fm_buf *out, const framemap_frame *frame, const struct fm_android_row *row,
                         framemap_str prefix, framemap_str eol)
{
    for (size_t i = 0; i < frame->restored.count; i++) {
        const framemap_frame *source = &frame->restored.frames[i];
        if (i) fm_row_begin_line(out, prefix, eol);
        fm_buf_str(out, row->head);
        fm_buf_str(out, FM_STR(" ("));
        fm_buf_str(out, fm_row_name(source));
        if (source->has_function_offset && !source->inlined) {
            fm_buf_byte(out, '+');
            fm_buf_dec(out, source->function_offset);
        }
        fm_buf_str(out, FM_STR(", "));
        fm_buf_str(out, row->build);
        fm_buf_byte(out, ')');
        if (source->file.size) fm_buf_byte(out, ' ');
        fm_row_put_location(out, source);
    }
}

/* --- parsing rows of Datadog --- */

/* Whether a row such as "1  pc 0004f0c4  /data/app/libapp.so" may begin a stack: its file is an absolute path or
 * ends in ".so". */
static bool is_counted(framemap_str body)
{
    struct fm_android_row row = {0};
    return fm_android_row_parse_counted(body, &row) && row.map.size &&
           (row.map.data[0] == '/' || fm_str_ends(row.map, FM_STR(".so")));
}

/* --- offering rows of all forms to the parser --- */

static bool android_short_probe(const struct fm_line *line)
{
    if (fm_is_digit(line->first)) return fm_str_find(line->body, FM_STR("  pc ")) != FM_NOT_FOUND;
    return line->body.size > 12 && (line->first == 'p' || (line->has & FM_HAS_PARENTHESIS) != 0);
}

static bool android_short_is_significant(const struct fm_line *line)
{
    struct android_short_row row = {0};
    struct fm_android_row mapped = {0};
    if (fm_is_digit(line->first)) return is_counted(line->body);
    return line->first == 'p' ? android_short_parse_row(line->body, &row) : parse_mapped(line->body, &mapped);
}

static framemap_trace *trace_for(const struct android_short_state *state, struct fm_document *doc,
                                 const struct fm_line *line, bool has_head)
{
    framemap_trace *trace = fm_document_open(doc, name);
    if (trace && line->number1 - state->number1 <= ANDROID_SHORT_GAP) return trace;
    trace = fm_document_trace(doc, name, line);
    if (trace && has_head) give_head(doc, line, trace);
    return trace;
}

static enum fm_line_role offer_mapped(struct android_short_state *state, struct fm_document *doc,
                                      const struct fm_line *line)
{
    struct fm_android_row row = {0};
    framemap_frame frame = FM_FRAME_INIT;
    if (!parse_mapped(line->body, &row)) return FM_ROLE_NONE;
    const framemap_trace *trace = trace_for(state, doc, line, true);
    if (!trace) return FM_ROLE_FRAME;
    fm_android_row_fill(&row, trace->arch, doc, &frame);
    frame.index = -1;
    fm_document_frame(doc, line, &frame);
    state->number1 = line->number1;
    return FM_ROLE_FRAME;
}

static enum fm_line_role offer_counted(struct android_short_state *state, struct fm_document *doc,
                                       const struct fm_line *line)
{
    struct fm_android_row row = {0};
    framemap_frame frame = FM_FRAME_INIT;
    framemap_trace *trace = fm_document_open(doc, name);
    if (!fm_android_row_parse_counted(line->body, &row)) return FM_ROLE_NONE;
    const bool follows = trace && line->number1 - state->number1 <= ANDROID_SHORT_GAP && row.index == state->index + 1;
    if (!follows && !is_counted(line->body)) return FM_ROLE_NONE;
    if (!follows && !fm_document_trace(doc, name, line)) return FM_ROLE_FRAME;
    fm_android_row_fill(&row, (framemap_str){NULL, 0}, doc, &frame);
    frame.address_kind = row.map.size ? FRAMEMAP_ADDRESS_IMAGE : FRAMEMAP_ADDRESS_ABSOLUTE;
    frame.return_address = row.index > 0;
    fm_document_frame(doc, line, &frame);
    state->number1 = line->number1;
    state->index = row.index;
    return FM_ROLE_FRAME;
}

static enum fm_line_role android_short_offer(void *memory, struct fm_document *doc, const struct fm_line *line)
{
    struct android_short_state *state = memory;
    struct android_short_row row = {0};
    if (fm_is_digit(line->first)) return offer_counted(state, doc, line);
    if (line->first != 'p') return offer_mapped(state, doc, line);
    if (!android_short_parse_row(line->body, &row)) return FM_ROLE_NONE;
    if (!trace_for(state, doc, line, false)) return FM_ROLE_FRAME;
    framemap_frame frame = FM_FRAME_INIT;
    frame.module = fm_str_basename(row.module);
    frame.arch = row.arch;
    fm_row_id(row.id, doc, &frame.id);
    frame.has_address = true;
    frame.address = row.pc;
    frame.address_kind = FRAMEMAP_ADDRESS_LINKED;
    if (row.digits == FM_DIGITS_LONG) fm_row_malformed(&frame, FM_LONG_ADDRESS);
    fm_row_function_at(row.tail, &frame);
    fm_document_frame(doc, line, &frame);
    state->number1 = line->number1;
    return FM_ROLE_FRAME;
}

static void android_short_print_frame(struct fm_buf *out, const framemap_frame *frame, framemap_str prefix,
                                      framemap_str eol)
{
    struct android_short_row row = {0};
    struct fm_android_row mapped = {0};
    if (parse_mapped(frame->raw, &mapped)) print_mapped(out, frame, &mapped, prefix, eol);
    if (fm_android_row_parse_counted(frame->raw, &mapped)) fm_android_print_frame(out, frame, prefix, eol);
    if (!android_short_parse_row(frame->raw, &row)) return;
    for (size_t i = 0; i < frame->restored.count; i++) {
        if (i) fm_row_begin_line(out, prefix, eol);
        fm_buf_str(out, row.head);
        fm_buf_byte(out, ' ');
        fm_row_put_at(out, &frame->restored.frames[i]);
    }
}

static const struct fm_needle short_needles[] = {
    FM_NEEDLE("pc ", 0, 2),
};

const struct fm_format fm_android_short = {
    .info = {name, "Android native frames in short form (pc 0x… libapp.so [arm64-v8a::ID]), also of Datadog", true,
             false},
    FM_NEEDLES(short_needles),
    .marks = FM_MARK_WORD | FM_MARK_HEX,
    .state_size = sizeof(struct android_short_state),
    .firsts = "p/<[0123456789",
    .probe = android_short_probe,
    .offer = android_short_offer,
    .is_significant = android_short_is_significant,
    .print_frame = android_short_print_frame};
