/* Implements dart_named.h: parses frames of Dart with function, file and position, which begin at the first '#' of the
 * line, and the lines for async gaps and left-out frames, which become markers (frames without code) in the stack. */
#include "formats/dart/dart_named.h"
#include "formats/row_parts.h"

framemap_str fm_dart_untagged(framemap_str body)
{
    static const framemap_str tags[] = {FM_STR_INIT("flutter:"), FM_STR_INIT("I/flutter:"), FM_STR_INIT("unparsed ")};
    framemap_str text = fm_str_trim(body);
    for (size_t i = 0; i < sizeof tags / sizeof *tags; i++)
        if (fm_str_starts(text, tags[i])) return fm_str_trim(fm_str_from(text, tags[i].size));
    return text;
}

bool fm_dart_is_source(framemap_str file)
{
    static const framemap_str begins[] = {FM_STR_INIT("package:"), FM_STR_INIT("dart:"), FM_STR_INIT("file:/"),
                                          FM_STR_INIT("org-dartlang-"), FM_STR_INIT("third_party/dart/")};
    for (size_t i = 0; i < sizeof begins / sizeof *begins; i++)
        if (fm_str_starts(file, begins[i])) return true;
    return fm_str_ends(file, FM_STR(".dart"));
}

/* --- parsing lines with frames --- */

/* Whether a logger may have written the text before '#'. */
static bool is_head(framemap_str head)
{
    const framemap_str words = fm_str_trim(head);
    if (words.size == 0) return true;
    if (!fm_is_blank(head.data[head.size - 1])) return false;
    const char last = words.data[words.size - 1];
    return last == ':' || last == '|' || fm_str_equal(words, FM_STR("unparsed")) ||
           /* the bullet before the first row of a stack in a list of flutter doctor */
           fm_str_equal(words, FM_STR("\xE2\x80\xA2")) ||
           /* words that Crashlytics writes before '#' */
           fm_str_equal(words, FM_STR("at .")) || fm_str_ends(words, FM_STR("0x0 (null)."));
}

/* Parses "#0      NAME". Only the first '#' of the line can begin a row. */
static bool parse_head(framemap_str text, struct fm_dart_named *row)
{
    const size_t at = fm_str_find_byte(text, '#');
    if (at == FM_NOT_FOUND || !is_head(fm_str_slice(text, 0, at))) return false;
    struct fm_scan s = fm_scan_of(fm_str_from(text, at + 1));
    if (!fm_row_index(&s, &row->index) || !fm_scan_blanks1(&s)) return false;
    row->from = at;
    row->function = fm_str_trim(fm_scan_rest(&s));
    return row->function.size != 0;
}

bool fm_dart_named_parse(framemap_str body, struct fm_dart_named *row)
{
    framemap_str text = body, inside;
    while (text.size && fm_is_blank(text.data[text.size - 1])) text.size--;
    if (text.size == 0 || text.data[text.size - 1] != ')' || !fm_row_group(&text, &inside) || inside.size < 6)
        return false;
    const bool may_be = strchr("dpfot", inside.data[0]) || fm_str_find(inside, FM_STR(".dart")) != FM_NOT_FOUND;
    /* This test rejects most rows of other formats: the text in their parentheses neither begins with one of these
     * letters nor contains ".dart". */
    if (!may_be) return false;
    row->file = inside;
    row->line = row->column = 0;
    (void)fm_row_location(inside, &row->file, &row->line, &row->column);
    return fm_dart_is_source(row->file) && parse_head(text, row);
}

/* --- markers --- */

/* Parses "(elided 12 frames from …)", "(elided one frame from …)". */
static bool elided(framemap_str text, struct fm_dart_marker *out)
{
    struct fm_scan s = fm_scan_of(text);
    if (!fm_scan_text(&s, FM_STR("(elided ")) || text.data[text.size - 1] != ')') return false;
    *out = (struct fm_dart_marker){.marker = FRAMEMAP_MARKER_ELIDED, .has_count = true, .count = 1};
    if (fm_scan_text(&s, FM_STR("one "))) return true;
    return fm_scan_dec(&s, &out->count, NULL) && fm_scan_byte(&s, ' ');
}

/* Parses "...     Normal element mounting (125 frames)", and "..." alone, which the VM prints in a stack overflow. */
static bool dots(framemap_str text, struct fm_dart_marker *out)
{
    if (!fm_str_starts(text, FM_STR("..."))) return false;
    framemap_str rest = fm_str_trim(fm_str_from(text, 3)), inside;
    *out = (struct fm_dart_marker){.marker = FRAMEMAP_MARKER_SKIPPED};
    if (rest.size == 0) return true;
    if (!fm_is_blank(text.data[3]) || !fm_row_group(&rest, &inside)) return false;
    struct fm_scan s = fm_scan_of(inside);
    *out = (struct fm_dart_marker){.marker = FRAMEMAP_MARKER_ELIDED, .has_count = true};
    return fm_scan_dec(&s, &out->count, NULL) &&
           (fm_scan_text(&s, FM_STR(" frames")) || fm_scan_text(&s, FM_STR(" frame"))) && fm_scan_done(&s);
}

/* Parses "===== asynchronous gap ===========================" of package:stack_trace. */
static bool gap(framemap_str text, struct fm_dart_marker *out)
{
    if (!fm_str_starts(text, FM_STR("===== asynchronous gap ==="))) return false;
    *out = (struct fm_dart_marker){.marker = FRAMEMAP_MARKER_ASYNC_GAP, .restarts = true};
    return true;
}

/* Parses "#01 … <invalid Dart instruction address>". */
static bool invalid(framemap_str text, struct fm_dart_marker *out)
{
    const size_t words = fm_str_find(text, FM_STR("invalid Dart instruction address")),
                 hash = fm_str_find_byte(text, '#');
    if (words == FM_NOT_FOUND || hash == FM_NOT_FOUND || hash > words) return false;
    struct fm_scan s = fm_scan_of(fm_str_from(text, hash + 1));
    *out = (struct fm_dart_marker){.marker = FRAMEMAP_MARKER_INVALID, .has_index = true};
    return fm_row_index(&s, &out->index) && fm_scan_blanks1(&s);
}

bool fm_dart_marker_parse(framemap_str body, struct fm_dart_marker *out)
{
    const framemap_str text = fm_dart_untagged(body);
    switch (text.size ? text.data[0] : 0) {
    case '<':
        *out = (struct fm_dart_marker){.marker = FRAMEMAP_MARKER_ASYNC_GAP};
        return fm_str_equal(text, FM_STR("<asynchronous suspension>"));
    case '&':
        *out = (struct fm_dart_marker){.marker = FRAMEMAP_MARKER_ASYNC_GAP};
        return fm_str_equal(text, FM_STR("&lt;asynchronous suspension&gt;"));
    case '(': return elided(text, out);
    case '.': return dots(text, out);
    case '=': return gap(text, out);
    default: return invalid(text, out);
    }
}

void fm_dart_marker_add(struct fm_document *doc, const struct fm_line *line, const struct fm_dart_marker *marker)
{
    framemap_frame *frame = fm_document_new_frame(doc, line);
    if (frame == NULL) return;
    frame->kind = FRAMEMAP_KIND_MARKER;
    frame->status = FRAMEMAP_FRAME_NOT_NEEDED;
    frame->marker = marker->marker;
    if (marker->has_index) frame->index = marker->index;
    framemap_frame_extra *extra = marker->has_count ? fm_document_extra(doc, frame) : NULL;
    if (extra == NULL) return;
    extra->has_count = true;
    extra->count = marker->count;
}
