/* The short Android form of crash collectors: one frame per line, without a frame number:
 *
 *     pc 0x000000000004f0c4 libapp.so [arm64-v8a::77e6f9…]
 *
 * The pc is relative to the file and already stepped back, as libunwindstack does. */
#include "formats/native/android.h"
#include "formats/parsers.h"
#include "formats/row_parts.h"

static const char name[] = "android-short";
#define GAP 3 /* lines of other text that do not end a stack */

struct android_short_state {
    uint64_t number1; /* line of the last frame */
};

static bool is_abi(framemap_str text)
{
    static const framemap_str abis[] = {FM_STR_INIT("arm64-v8a"), FM_STR_INIT("armeabi-v7a"), FM_STR_INIT("armeabi"),
                                        FM_STR_INIT("x86"), FM_STR_INIT("x86_64")};
    for (size_t i = 0; i < sizeof abis / sizeof *abis; i++)
        if (fm_str_equal(text, abis[i])) return true;
    return false;
}

bool fm_android_bracket(framemap_str *text, framemap_str *arch, framemap_str *id, framemap_str *printed)
{
    if (text->size < 6 || text->data[text->size - 1] != ']') return false;
    size_t open = fm_str_find_last_byte(*text, '[');
    if (open == FM_NOT_FOUND) return false;
    framemap_str inside = fm_str_slice(*text, open + 1, text->size - 1);
    size_t colons = fm_str_find(inside, FM_STR("::"));
    if (colons == FM_NOT_FOUND && !is_abi(inside)) return false;
    *arch = fm_str_slice(inside, 0, colons);
    if (colons != FM_NOT_FOUND) *id = fm_str_from(inside, colons + 2);
    *printed = fm_str_from(*text, open);
    *text = fm_str_trim(fm_str(text->data, open));
    return true;
}

struct android_short_row {
    enum fm_digits digits;
    uint64_t pc;
    framemap_str module, arch, id;
    framemap_str head; /* up to and with the bracket */
    framemap_str tail; /* what framemap printed after it */
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

static bool android_short_probe(const struct fm_line *line) { return line->first == 'p' && line->body.size > 12; }

static bool android_short_is_significant(const struct fm_line *line)
{
    struct android_short_row row = {0};
    return android_short_parse_row(line->body, &row);
}

static enum fm_line_role android_short_offer(void *memory, struct fm_document *doc, const struct fm_line *line)
{
    struct android_short_state *state = memory;
    struct android_short_row row = {0};
    if (!android_short_parse_row(line->body, &row)) return FM_ROLE_NONE;
    framemap_trace *trace = fm_document_open(doc, name);
    if (!trace || line->number1 - state->number1 > GAP) trace = fm_document_trace(doc, name, line);
    if (!trace) return FM_ROLE_FRAME;
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
    if (!android_short_parse_row(frame->raw, &row)) return;
    for (size_t i = 0; i < frame->restored.count; i++) {
        if (i) {
            fm_buf_str(out, eol);
            fm_buf_str(out, prefix);
        }
        fm_buf_str(out, row.head);
        fm_buf_byte(out, ' ');
        fm_row_put_at(out, &frame->restored.frames[i]);
    }
}

const struct fm_format fm_android_short = {
    .info = {name, "Android native frames in short form (pc 0x… libapp.so [arm64-v8a::ID])", true, false},
    .state_size = sizeof(struct android_short_state),
    .firsts = "p",
    .probe = android_short_probe,
    .offer = android_short_offer,
    .is_significant = android_short_is_significant,
    .print_frame = android_short_print_frame};
