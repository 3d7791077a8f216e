/* Parses and prints a line of a crash dump of Dart's VM. See dart_crash_line.h. */
#include "formats/dart/dart_crash_line.h"

#include "formats/row_parts.h"

/* "sp 0x7f… [Optimized] ". */
static bool skip_kind(struct fm_scan *s, bool *is_stub)
{
    struct fm_scan at = *s;
    framemap_str kind;
    uint64_t sp;
    if (!fm_scan_text(&at, FM_STR("sp ")) || !fm_scan_0xhex(&at, &sp, NULL) || !fm_scan_text(&at, FM_STR(" [")))
        return false;
    if (!fm_scan_until(&at, ']', &kind)) return false;
    at.at++;
    if (!fm_scan_byte(&at, ' ')) return false;
    *is_stub = fm_str_equal(kind, FM_STR("Stub"));
    *s = at;
    return true;
}

bool fm_dart_crash_row_parse(framemap_str body, struct fm_dart_crash_row *row)
{
    struct fm_scan s = fm_scan_of(body);
    uint64_t fp;
    fm_scan_blanks(&s);
    if (!fm_scan_text(&s, FM_STR("pc ")) || !fm_scan_0xhex(&s, &row->pc, NULL)) return false;
    if (!fm_scan_text(&s, FM_STR(" fp ")) || !fm_scan_0xhex(&s, &fp, NULL) || !fm_scan_byte(&s, ' ')) return false;
    row->named = skip_kind(&s, &row->is_stub);
    row->head = fm_str(body.data, (size_t)(s.at - body.data));
    if (fm_row_distance(fm_scan_rest(&s), true, &row->symbol, &row->offset)) return true;
    row->symbol = fm_scan_rest(&s);
    row->offset = 0;
    return row->named && row->is_stub;
}

void fm_dart_print_crash(struct fm_buf *out, const framemap_frame *frame, framemap_str prefix, framemap_str eol)
{
    struct fm_dart_crash_row row = {.named = false};
    if (!fm_dart_crash_row_parse(frame->raw, &row)) return;
    for (size_t i = 0; i < frame->restored.count; i++) {
        if (i) {
            fm_buf_str(out, eol);
            fm_buf_str(out, prefix);
        }
        fm_buf_str(out, row.head);
        fm_row_put_at(out, &frame->restored.frames[i]);
    }
}
