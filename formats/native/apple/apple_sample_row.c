/* Parses and prints rows of call graphs (apple_sample_row.h). Names may contain blanks and brackets, so a row is parsed
 * from the left up to the count, and from the right after it. */
#include "formats/native/apple/apple_sample_row.h"
#include "formats/row_parts.h"

static bool is_tree(char c) { return fm_is_blank(c) || c == '+' || c == '!' || c == ':' || c == '|'; }

framemap_str fm_sample_unindented(framemap_str body)
{
    size_t at = 0;
    while (at < body.size && is_tree(body.data[at])) at++;
    return fm_str_from(body, at);
}

/* Reads the number of samples at the start of a row; *rest is the text after it. */
static bool read_count(framemap_str body, bool star, struct fm_sample_row *row, framemap_str *rest)
{
    const framemap_str text = fm_sample_unindented(body);
    struct fm_scan s = fm_scan_of(text);
    if (star) fm_scan_byte(&s, '*');
    row->column = (size_t)(s.at - body.data);
    if (!fm_scan_dec(&s, &row->count, NULL) || !fm_scan_blanks1(&s)) return false;
    *rest = fm_str_trim(fm_scan_rest(&s));
    return rest->size != 0;
}

/* Cuts the last "[0x…" that has a blank before it off the text, and sets the frame's address from it. If a leaf lists
 * several addresses, "[0xa,0xb,...]", the first one is used. */
static bool cut_address(framemap_str *text, framemap_frame *frame, framemap_str *tail)
{
    const size_t at = fm_str_find_last(*text, FM_STR(" [0x"));
    if (at == FM_NOT_FOUND) return false;
    struct fm_scan s = fm_scan_of(fm_str_from(*text, at + 2));
    const enum fm_digits digits = fm_row_0xhex(&s, &frame->address);
    const framemap_str rest = fm_scan_rest(&s);
    const size_t close = fm_str_find_byte(rest, ']');
    if (digits == FM_DIGITS_NONE || close == FM_NOT_FOUND || (close && rest.data[0] != ',')) return false;
    frame->has_address = digits == FM_DIGITS_FIT;
    frame->address_kind = FRAMEMAP_ADDRESS_ABSOLUTE;
    if (digits == FM_DIGITS_LONG) fm_row_malformed(frame, FM_LONG_ADDRESS);
    *tail = fm_str_trim(fm_str_from(rest, close + 1));
    *text = fm_str_trim(fm_str_slice(*text, 0, at));
    return true;
}

static void set_name(framemap_frame *frame, framemap_str text)
{
    if (!fm_str_equal(text, FM_STR("???")) && !fm_str_equal(text, FM_STR("<redacted>"))) frame->function = text;
}

static void in_no_image(framemap_frame *frame)
{
    frame->module = FM_STR("???");
    if (frame->status != FRAMEMAP_FRAME_RAW) return;
    frame->status = FRAMEMAP_FRAME_UNKNOWN_IMAGE;
    frame->reason = "the row does not say which image the address is in";
}

/* Parses " + 12" or " + 12,34,..." at the end of the text. If there are several numbers, the first one is used. */
static bool read_offset(framemap_str text, uint64_t *offset)
{
    struct fm_scan s = fm_scan_of(text);
    fm_scan_blanks(&s);
    if (!fm_scan_byte(&s, '+')) return false;
    fm_scan_blanks(&s);
    return fm_scan_dec(&s, offset, NULL) && (fm_scan_done(&s) || *s.at == ',');
}

/* Parses "  load address 0x10cd17000 + 0x3e30". */
static bool read_load(framemap_str text, framemap_frame *frame)
{
    struct fm_scan s = fm_scan_of(text);
    fm_scan_blanks(&s);
    if (!fm_scan_text(&s, FM_STR("load address "))) return false;
    frame->has_load_address = fm_row_0xhex(&s, &frame->load_address) == FM_DIGITS_FIT;
    return frame->has_load_address;
}

bool fm_sample_row(framemap_str body, struct fm_document *doc, struct fm_sample_row *row)
{
    framemap_str text, tail;
    framemap_frame *frame = &row->frame;
    (void)doc;
    row->frame = FM_FRAME_INIT;
    if (!read_count(body, false, row, &text) || !cut_address(&text, frame, &tail)) return false;
    const size_t in = fm_str_find_last(text, FM_STR("  (in "));
    if (in == FM_NOT_FOUND) {
        /* "??? [0x1234]" is a frame that is not in an image; the bracket has been cut off already. */
        if (!fm_str_equal(text, FM_STR("???"))) return false;
        in_no_image(frame);
        return true;
    }
    const framemap_str rest = fm_str_from(text, in + 6);
    /* the image's name may contain parentheses, but the text after it does not: the last one closes "(in App)" */
    const size_t close = fm_str_find_last_byte(rest, ')');
    if (close == FM_NOT_FOUND) return false;
    frame->module = fm_str_slice(rest, 0, close);
    set_name(frame, fm_str_trim(fm_str_slice(text, 0, in)));
    const framemap_str where = fm_str_from(rest, close + 1);
    if (!read_load(where, frame))
        frame->has_function_offset = frame->function.size && read_offset(where, &frame->function_offset);
    if (tail.size) fm_row_location(tail, &frame->file, &frame->line, &frame->column);
    fm_row_mark_complete(frame);
    return true;
}

/* Reads image, offset and position from "main.cc:276,6 in App + 6118", "App + 6118", "App"; Mac OS X 10.6 prints "in
 * App + 6118". */
static void read_image(framemap_str text, framemap_frame *frame)
{
    uint64_t offset = 0;
    if (fm_str_starts(text, FM_STR("in "))) text = fm_str_from(text, 3);
    framemap_str module = text;
    if (fm_row_distance(text, true, &module, &offset)) {
        if (!frame->has_address && frame->status == FRAMEMAP_FRAME_RAW) {
            frame->has_address = true;
            frame->address = offset;
            frame->address_kind = FRAMEMAP_ADDRESS_IMAGE;
        } else if (offset <= frame->address) {
            frame->has_load_address = frame->has_address;
            frame->load_address = frame->address - offset;
        }
    }
    const size_t in = fm_str_find(module, FM_STR(" in "));
    const size_t colon = in == FM_NOT_FOUND ? FM_NOT_FOUND : fm_str_find_last_byte(fm_str_slice(module, 0, in), ':');
    if (colon != FM_NOT_FOUND) {
        struct fm_scan s = fm_scan_of(fm_str_slice(module, colon + 1, in));
        if (fm_scan_dec32(&s, &frame->line)) {
            frame->file = fm_str_slice(module, 0, colon);
            if (fm_scan_byte(&s, ',')) (void)fm_scan_dec32(&s, &frame->column);
            module = fm_str_from(module, in + 4);
        }
    }
    frame->module = module;
}

bool fm_spindump_row(framemap_str body, bool open, struct fm_document *doc, struct fm_sample_row *row)
{
    framemap_str text, tail, group, name;
    framemap_frame *frame = &row->frame;
    uint64_t offset;
    (void)doc;
    row->frame = FM_FRAME_INIT;
    if (!read_count(body, true, row, &text)) return false;
    if (!cut_address(&text, frame, &tail) && !(open && text.data[text.size - 1] == ')')) return false;
    if (fm_row_group(&text, &group))
        read_image(group, frame);
    else if (!fm_str_equal(text, FM_STR("???")))
        return false; /* the row is "???  [0x1234]", a frame that is not in an image */
    if (fm_row_distance(text, false, &name, &offset)) {
        frame->has_function_offset = true;
        frame->function_offset = offset;
        text = name;
    }
    set_name(frame, text);
    if (frame->function.size == 0) frame->has_function_offset = false;
    fm_row_mark_complete(frame);
    if (frame->module.size == 0) in_no_image(frame);
    return frame->has_address || frame->status != FRAMEMAP_FRAME_RAW;
}

size_t fm_sample_level(struct fm_sample_levels *levels, size_t column)
{
    const uint16_t at = column < UINT16_MAX ? (uint16_t)column : UINT16_MAX;
    while (levels->count && levels->columns[levels->count - 1] >= at) levels->count--;
    const size_t level = levels->count;
    if (level < FM_SAMPLE_LEVELS) levels->columns[levels->count++] = at;
    return level;
}

/* --- printing restored rows of call graphs --- */

/* Cuts a row into three parts: *head ends with the count of samples, *middle is the function and image, *end begins
 * with the address. */
static bool split(framemap_str raw, framemap_str *head, framemap_str *middle, framemap_str *end)
{
    struct fm_sample_row row;
    framemap_str rest;
    const size_t at = fm_str_find_last(raw, FM_STR(" [0x"));
    if (!read_count(raw, true, &row, &rest)) return false;
    *head = fm_str_slice(raw, 0, (size_t)(rest.data - raw.data));
    *middle = fm_str_trim(fm_str_slice(raw, head->size, at));
    *end = at == FM_NOT_FOUND ? fm_str(raw.data, 0) : fm_str_from(raw, at + 1);
    return true;
}

/* Returns the address in brackets, "[0x10e3817e6]", at the start of the text. */
static framemap_str bracket_of(framemap_str end) { return fm_str_slice(end, 0, fm_str_find_byte(end, ']') + 1); }

static void put_distance(struct fm_buf *out, const framemap_frame *source)
{
    if (!source->has_function_offset) return;
    fm_buf_str(out, FM_STR(" + "));
    fm_buf_dec(out, source->function_offset);
}

static void put_sample(struct fm_buf *out, const framemap_frame *source, framemap_str middle, framemap_str end)
{
    const size_t in = fm_str_find_last(middle, FM_STR("  (in "));
    const framemap_str image = in == FM_NOT_FOUND ? (framemap_str){NULL, 0} : fm_str_from(middle, in);
    fm_buf_str(out, fm_row_name(source));
    fm_buf_str(out, fm_str_slice(image, 0, fm_str_find_last_byte(image, ')') + 1));
    put_distance(out, source);
    fm_buf_str(out, FM_STR("  "));
    fm_buf_str(out, bracket_of(end));
    if (source->file.size == 0 || source->line == 0) return;
    fm_buf_str(out, FM_STR("  "));
    fm_buf_str(out, fm_apple_file_name(source->file));
    fm_buf_byte(out, ':');
    fm_buf_dec(out, source->line);
}

static void put_spindump(struct fm_buf *out, const framemap_frame *source, framemap_str middle, framemap_str end)
{
    framemap_str text = middle, group = {NULL, 0};
    const bool has_image = fm_row_group(&text, &group);
    const size_t in = fm_str_find(group, FM_STR(" in "));
    if (in != FM_NOT_FOUND && fm_str_find_byte(fm_str_slice(group, 0, in), ':') != FM_NOT_FOUND)
        group = fm_str_from(group, in + 4);
    fm_buf_str(out, fm_row_name(source));
    put_distance(out, source);
    if (has_image) {
        fm_buf_str(out, FM_STR(" ("));
        if (source->file.size && source->line) {
            fm_buf_str(out, fm_apple_file_name(source->file));
            fm_buf_byte(out, ':');
            fm_buf_dec(out, source->line);
            if (source->column) fm_buf_byte(out, ',');
            if (source->column) fm_buf_dec(out, source->column);
            fm_buf_str(out, FM_STR(" in "));
        }
        fm_buf_str(out, group);
        fm_buf_byte(out, ')');
    }
    if (end.size) fm_buf_byte(out, ' ');
    fm_buf_str(out, end);
}

typedef void put_row(struct fm_buf *out, const framemap_frame *source, framemap_str middle, framemap_str end);

static void print_rows(struct fm_buf *out, const framemap_frame *frame, framemap_str prefix, framemap_str eol,
                       put_row *put)
{
    framemap_str head, middle, end;
    if (!split(frame->raw, &head, &middle, &end)) {
        fm_buf_str(out, frame->raw);
        return;
    }
    for (size_t i = frame->restored.count; i > 0; i--) {
        if (i < frame->restored.count) fm_row_begin_line(out, prefix, eol);
        fm_buf_str(out, head);
        put(out, &frame->restored.frames[i - 1], middle, end);
    }
}

void fm_sample_print_frame(struct fm_buf *out, const framemap_frame *frame, framemap_str prefix, framemap_str eol)
{
    print_rows(out, frame, prefix, eol, put_sample);
}

void fm_spindump_print_frame(struct fm_buf *out, const framemap_frame *frame, framemap_str prefix, framemap_str eol)
{
    print_rows(out, frame, prefix, eol, put_spindump);
}
