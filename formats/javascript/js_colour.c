/* Handles terminal colours in rows of stacks: Deno and Bun colour names, files and numbers; Node colours the folders of
 * packages. Rows are parsed without colours, and printed with the colours that are outside of the restored parts. */
#include "formats/javascript/js_colour.h"
#include "core/text/find_any.h"
#include "formats/row_parts.h"

/* An arrow to the left and a bracket. Old consoles of Windows show these two in place of an escape character and the
 * bracket after it. */
static const framemap_str arrow = FM_STR_INIT("\xE2\x86\x90[");

/* Returns the size of the escape sequence at `at`, such as "ESC [ 1 ; 31 m"; 0: there is no escape sequence. */
static size_t sequence(const char *at, const char *end)
{
    const char *p = at;
    if (end - p < 3) return 0;
    if (fm_str_starts(fm_str(at, (size_t)(end - at)), arrow))
        p += arrow.size;
    else if (p[0] == '\033' && p[1] == '[')
        p += 2;
    else
        return 0;
    for (; p < end && (fm_is_digit(*p) || *p == ';'); p++);
    return p < end && ((*p >= 'a' && *p <= 'z') || (*p >= 'A' && *p <= 'Z')) ? (size_t)(p + 1 - at) : 0;
}

static bool has_arrow(framemap_str text) { return fm_str_find(text, arrow) != FM_NOT_FOUND; }

bool fm_js_is_coloured(framemap_str text)
{
    char letter;
    if (fm_find(text.data, text.size, '\033') || has_arrow(text)) return true;
    const char *end = text.data + text.size;
    for (const char *p = text.data; (p = fm_find(p, (size_t)(end - p), '&')); p++)
        if (fm_row_entity(text, (size_t)(p - text.data), &letter)) return true;
    return false;
}

/* Returns the size of the character at an offset, and writes the character to *out. An HTML entity is one character. */
static size_t character(framemap_str text, size_t at, char *out)
{
    const size_t entity = fm_row_entity(text, at, out);
    if (entity == 0) *out = text.data[at];
    return entity ? entity : 1;
}

size_t fm_js_uncolour(framemap_str text, char *out)
{
    static const char coded[4] = {'\033', '&', '\xE2', '&'};
    const char *end = text.data + text.size;
    size_t size = 0;
    for (size_t at = 0; at < text.size;) {
        const size_t next = fm_str_find_any(text, at, coded);
        memcpy(out + size, text.data + at, next - at);
        size += next - at;
        at = next;
        if (at == text.size) break;
        const size_t skip = sequence(text.data + at, end);
        /* an escape character that does not begin a colour is copied like any other character */
        at += skip ? skip : character(text, at, &out[size++]);
    }
    return size;
}

size_t fm_js_coloured_at(framemap_str text, size_t at)
{
    const char *end = text.data + text.size;
    size_t offset = 0;
    char letter;
    for (;;) {
        const size_t skip = offset < text.size ? sequence(text.data + offset, end) : 0;
        if (skip) {
            offset += skip;
            continue;
        }
        if (at == 0 || offset == text.size) return offset;
        offset += character(text, offset, &letter);
        at--;
    }
}

size_t fm_js_coloured_after(framemap_str text, size_t at)
{
    char letter;
    if (at == 0) return 0;
    const size_t last = fm_js_coloured_at(text, at - 1);
    return last < text.size ? last + character(text, last, &letter) : last;
}

bool fm_js_line_is_coloured(const struct fm_line *line)
{
    if ((line->has & (FM_HAS_COLOUR | FM_HAS_CODED)) != 0) return fm_js_is_coloured(line->body);
    return (line->has & FM_HAS_BRACKET) != 0 && has_arrow(line->body);
}

framemap_str fm_js_plain(struct fm_document *doc, const struct fm_line *line)
{
    const framemap_str body = line->body;
    if (!fm_js_line_is_coloured(line)) return body;
    char *copy = fm_document_alloc(doc, body.size);
    return copy ? fm_str(copy, fm_js_uncolour(body, copy)) : fm_str(body.data, 0);
}
