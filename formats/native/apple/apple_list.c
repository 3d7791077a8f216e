/* Lists of bare return addresses, "(0x182e6422c 0x194b300e4 …)", and the printing of restored Apple frames. Called by
 * the Apple formats. */
#include "formats/native/apple/apple.h"
#include "formats/row_parts.h"

/* Reads the next "0x…" word. Words are separated by blanks or commas; parentheses around the list are skipped. */
static bool next_word(struct fm_scan *s, framemap_str *word, uint64_t *address, enum fm_digits *digits)
{
    while (s->at != s->end && (fm_is_blank(*s->at) || *s->at == '(' || *s->at == ',')) s->at++;
    const char *start = s->at;
    *digits = fm_row_0xhex(s, address);
    if (*digits == FM_DIGITS_NONE) return false;
    if (s->at != s->end && !fm_is_blank(*s->at) && *s->at != ')' && *s->at != ',') return false;
    *word = fm_str(start, (size_t)(s->at - start));
    return true;
}

bool fm_apple_is_hex_list(framemap_str body)
{
    struct fm_scan s = fm_scan_of(body);
    framemap_str word;
    uint64_t address = 0;
    enum fm_digits digits;
    size_t count = 0;
    while (next_word(&s, &word, &address, &digits)) count++;
    fm_scan_byte(&s, ')');
    fm_scan_blanks(&s);
    return count && fm_scan_done(&s);
}

void fm_apple_hex_list(struct fm_document *doc, const struct fm_line *line, framemap_str arch)
{
    struct fm_scan s = fm_scan_of(line->body);
    enum fm_digits digits;
    framemap_frame frame = FM_FRAME_INIT;
    struct fm_line word = *line;
    frame.return_address = true;
    frame.arch = arch;
    size_t count = 0;
    framemap_trace *traces = fm_document_report(doc, &count);
    frame.index = count ? (int64_t)traces[count - 1].frame_count : 0;
    while (next_word(&s, &word.body, &frame.address, &digits)) {
        frame.has_address = true;
        frame.address_kind = FRAMEMAP_ADDRESS_ABSOLUTE;
        frame.status = FRAMEMAP_FRAME_UNKNOWN_IMAGE;
        frame.reason = "the text lists no image that the address is in";
        if (digits == FM_DIGITS_LONG) fm_row_malformed(&frame, FM_LONG_ADDRESS);
        if (!fm_document_frame(doc, &word, &frame)) return;
        frame.index++;
    }
}

framemap_str fm_apple_file_name(framemap_str path)
{
    if (path.size == 0 || path.data[0] != '/') return fm_str_basename(path);
    return fm_str_from(path, fm_str_find_last_byte(path, '/') + 1);
}

/* Prints "function (file.m:12)" or "function + 12". */
static void put_function(struct fm_buf *out, const framemap_frame *source)
{
    fm_buf_str(out, fm_row_name(source));
    if (source->file.size && source->line) {
        fm_buf_str(out, FM_STR(" ("));
        fm_buf_str(out, fm_apple_file_name(source->file));
        fm_buf_byte(out, ':');
        fm_buf_dec(out, source->line);
        fm_buf_byte(out, ')');
    } else if (source->has_function_offset) {
        fm_buf_str(out, FM_STR(" + "));
        fm_buf_dec(out, source->function_offset);
    }
}

static void pad(struct fm_buf *out, size_t from, size_t width)
{
    do fm_buf_byte(out, ' ');
    while (++from < width);
}

/* Prints an element of a list of bare addresses in the form of a row of backtrace_symbols. */
static void put_list_row(struct fm_buf *out, const framemap_frame *frame)
{
    framemap_str module = frame->module.size ? frame->module : FM_STR("???");
    size_t before = out->size;
    fm_buf_dec(out, (uint64_t)frame->index);
    pad(out, out->size - before, 4);
    fm_buf_str(out, module);
    pad(out, module.size, 35);
    fm_buf_byte(out, ' ');
    fm_buf_str(out, FM_STR("0x"));
    fm_buf_hex(out, frame->address, 16);
}

/* Returns the start of a frame's row, up to and including its address. */
static framemap_str columns(const framemap_frame *frame)
{
    framemap_str raw = frame->raw;
    for (size_t at = 1; at + 2 < raw.size; at++) {
        if (raw.data[at] != '0' || raw.data[at + 1] != 'x' || !fm_is_blank(raw.data[at - 1])) continue;
        struct fm_scan s = fm_scan_of(fm_str_from(raw, at));
        uint64_t address = 0;
        if (fm_row_0xhex(&s, &address) == FM_DIGITS_NONE) continue;
        if (address == frame->address) return fm_str(raw.data, (size_t)(s.at - raw.data));
    }
    size_t module = frame->module.size ? fm_str_find(raw, frame->module) : FM_NOT_FOUND;
    return module == FM_NOT_FOUND ? raw : fm_str_slice(raw, 0, module + frame->module.size);
}

void fm_apple_print_frame(struct fm_buf *out, const framemap_frame *frame, framemap_str prefix, framemap_str eol)
{
    bool list = fm_str_starts(frame->raw, FM_STR("0x"));
    if (list && frame->restored.count == 0) put_list_row(out, frame);
    for (size_t i = 0; i < frame->restored.count; i++) {
        if (i) fm_row_begin_line(out, prefix, eol);
        if (list)
            put_list_row(out, frame);
        else
            fm_buf_str(out, columns(frame));
        fm_buf_byte(out, ' ');
        put_function(out, &frame->restored.frames[i]);
    }
}
