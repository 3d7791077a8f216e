/* Implements line_clean.h, and fm_line_printed of line.h. The line is processed in units: a unit is one character of
 * the cleaned text, with the bytes that the line has for it ("&lt;" for '<'), or bytes that are removed. */
#include "formats/scan/line_clean.h"
#include "core/cpu.h"
#include "core/text/find_any.h"
#include "core/text/unescape.h"
#include "formats/row_entity.h"

#include <string.h>

struct unit {
    size_t size;
    size_t width; /* number of bytes that the cleaned text has for the unit; 0: the unit is removed */
    char bytes[FM_CHARACTER_MOST];
};

static struct unit unit_of(size_t size, char character) { return (struct unit){size, 1, {character}}; }
static struct unit removed(size_t size) { return (struct unit){.size = size}; }

/* --- recognizing control sequences of terminals --- */

static bool is_final(char c) { return (c >= '@' && c <= 'Z') || (c >= 'a' && c <= 'z'); }

/* Returns the size of a terminal's control sequence without its escape character: "[31m", "[?25h", "(B", or "]8;;URL
 * BEL" of a link. 0: there is no control sequence. After "(", only '0', 'A' and 'B' are accepted, which select a
 * character set; any other letter may begin a name. */
static size_t sequence_after(framemap_str text, size_t at)
{
    size_t to = at + 1;
    if (at >= text.size) return 0;
    if (text.data[at] == '(') return at + 1 < text.size && memchr("0AB", text.data[at + 1], 3) ? 2 : 0;
    if (text.data[at] == ']') {
        while (to < text.size && text.data[to] != '\a' && text.data[to] != '\033') to++;
        if (to == text.size) return 0;
        return to + 1 - at + (text.data[to] == '\033' && to + 1 < text.size && text.data[to + 1] == '\\');
    }
    if (text.data[at] != '[') return 0;
    while (to < text.size && (fm_is_digit(text.data[to]) || text.data[to] == ';' || text.data[to] == '?')) to++;
    return to < text.size && is_final(text.data[to]) ? to + 1 - at : 0;
}

/* --- decoding escapes of strings --- */

/* Returns the unit of an escape of the string that the text is in. Colours and NUL characters that are spelled as
 * escapes are removed, and U+00A0 becomes a blank, as if they were not escaped. */
static struct unit escape_at(framemap_str text, size_t at, unsigned run)
{
    struct unit unit = {.size = 0};
    unit.size = fm_unescape_at(text, at, run, unit.bytes, &unit.width);
    if (unit.size == 0) return unit_of(1, '\\');
    if (unit.width == 2 && fm_is_hard_blank(fm_str(unit.bytes, unit.width), 0)) return unit_of(unit.size, ' ');
    if (unit.bytes[0] == '\0') return removed(unit.size);
    return unit.bytes[0] == '\033' ? removed(unit.size + sequence_after(text, at + unit.size)) : unit;
}

/* Returns the unit of an escape that is not necessary in a string, "\/" for '/' or "\u003c" for '<', or that begins a
 * colour code, "\u001b". Other escapes are kept. */
static struct unit spare_escape_at(framemap_str text, size_t at, unsigned run)
{
    enum { CODE = 6 }; /* size of "\u003c" */
    struct unit unit = escape_at(text, at, run);
    if (unit.width == 0) unit.size = fm_unescape_at(text, at, run, unit.bytes, &unit.width); /* a colour is kept */
    const char c = unit.bytes[0];
    if (unit.width != 1 || (c != '/' && unit.size < CODE)) return unit_of(1, '\\');
    return (c >= ' ' && c != '"' && c != '\\') || c == '\033' ? unit : unit_of(1, '\\');
}

/* --- blanks --- */

/* Returns the offset of the first U+00A0 (a no-break space) at or after `at`; if it is not found, the size of the
 * text. */
static size_t next_hard_blank(framemap_str text, size_t at)
{
    while (at < text.size) {
        const char *found = fm_find(text.data + at, text.size - at, '\xC2');
        if (found == NULL) return text.size;
        at = (size_t)(found - text.data);
        if (fm_is_hard_blank(text, at)) return at;
        at++;
    }
    return text.size;
}

/* --- cleaning a line unit by unit: a unit is a character of the cleaned text, or bytes that are removed --- */

/* Returns size and character of the unit at an offset: one byte, or several bytes that represent one character, such
 * as "&lt;". run: number of backslashes in an escaped line end of the string that the text is in, 0: no string;
 * keeps: enum fm_keeps. */
static struct unit unit_at(framemap_str text, size_t at, unsigned keeps, unsigned run)
{
    const char c = text.data[at];
    char letter;
    if (c == '\0') return removed(1);
    if (c == '\033' && keeps != FM_KEEPS_MARKS) {
        const size_t sequence = sequence_after(text, at + 1);
        if (sequence) return removed(sequence + 1);
    }
    if (c == '&' && keeps == FM_KEEPS_NOTHING) {
        const size_t entity = fm_row_entity(text, at, &letter);
        if (entity) return unit_of(entity, letter);
    }
    if (fm_is_hard_blank(text, at)) return unit_of(2, ' ');
    if (c == '\\' && run && keeps == FM_KEEPS_NOTHING) return escape_at(text, at, run);
    if (c == '\\' && run && keeps == FM_KEEPS_MARKS) return spare_escape_at(text, at, run);
    return unit_of(1, c);
}

/* The bytes with which a unit of several bytes can begin, besides the two bytes of U+00A0. Every other byte is a
 * unit by itself. */
static const char unit_bytes[4] = {'\0', '\033', '&', '\\'};

/* Where the next unit of several bytes may begin, found by one search for each kind of unit. A search continues
 * where its last one ended. */
struct ahead {
    size_t byte, blank;
};

static struct ahead look_ahead(framemap_str text)
{
    return (struct ahead){fm_str_find_any(text, 0, unit_bytes), next_hard_blank(text, 0)};
}

static size_t next_unit(framemap_str text, struct ahead *ahead, size_t at)
{
    if (ahead->byte < at) ahead->byte = fm_str_find_any(text, at, unit_bytes);
    if (ahead->blank < at) ahead->blank = next_hard_blank(text, at);
    return ahead->byte < ahead->blank ? ahead->byte : ahead->blank;
}

static size_t clean(framemap_str text, unsigned keeps, unsigned run, char *out)
{
    size_t size = 0;
    struct ahead ahead = look_ahead(text);
    for (size_t at = 0; at < text.size;) {
        const size_t next = next_unit(text, &ahead, at);
        memcpy(out + size, text.data + at, next - at);
        size += next - at;
        at = next;
        if (at == text.size) break;
        const struct unit unit = unit_at(text, at, keeps, run);
        memcpy(out + size, unit.bytes, unit.width);
        size += unit.width;
        at += unit.size;
    }
    return size;
}

/* --- cleaning a line --- */

static bool has_entity(framemap_str text)
{
    const char *end = text.data + text.size;
    char letter;
    for (const char *p = text.data; (p = fm_find(p, (size_t)(end - p), '&')) != NULL; p++)
        if (fm_row_entity(text, (size_t)(p - text.data), &letter)) return true;
    return false;
}

bool fm_text_has_hard_blank(framemap_str text) { return next_hard_blank(text, 0) < text.size; }

size_t fm_text_clean(framemap_str text, unsigned keeps, unsigned run, char *out)
{
    return clean(text, keeps, run, out);
}

/* Whether a text has some NUL bytes. A text that is mostly NUL bytes is in UTF-16 or UTF-32 that was not recognized,
 * and has no lines of a stack. */
static bool has_some_nuls(framemap_str text)
{
    const char *end = text.data + text.size;
    size_t count = 0;
    for (const char *p = text.data; (p = fm_find(p, (size_t)(end - p), '\0')) != NULL; p++) count++;
    return count > 0 && count <= text.size / 4;
}

static FM_APART bool is_coloured_or_coded(framemap_str body)
{
    return fm_find(body.data, body.size, '\033') || has_some_nuls(body) || has_entity(body) ||
           fm_text_has_hard_blank(body);
}

bool fm_line_is_dirty(const struct fm_line *line)
{
    const framemap_str body = line->body;
    if (body.size == 0 || body.size > FM_CLEAN_MOST) return false;
    if (line->run && fm_find(body.data, body.size, '\\')) return true;
    return (line->has & (FM_HAS_COLOUR | FM_HAS_CODED)) != 0 && is_coloured_or_coded(body);
}

const struct fm_line *fm_line_clean(const struct fm_line *line, unsigned keeps, char *room, struct fm_line *out)
{
    if (keeps == FM_KEEPS_ALL) return line;
    const size_t size = clean(line->body, keeps, line->run, room);
    if (size == line->body.size) return line;
    *out = *line;
    out->printed = line->body;
    out->keeps = (uint8_t)keeps;
    out->body = fm_str(room, size);
    out->cleaned = out->body;
    while (out->body.size && fm_is_blank(out->body.data[out->body.size - 1])) out->body.size--;
    size_t blank = 0;
    while (blank < out->body.size && fm_is_blank(out->body.data[blank])) blank++;
    out->has = FM_HAS_ANY;
    out->first = blank < out->body.size ? out->body.data[blank] : '\0';
    out->last = out->body.size ? out->body.data[out->body.size - 1] : '\0';
    return out;
}

void fm_line_views_fill(const struct fm_line *line, char *room, struct fm_line_views *out)
{
    for (unsigned keeps = 0; keeps < FM_KEEPS_ALL; keeps++)
        out->of[keeps] = fm_line_clean(line, keeps, room + keeps * line->body.size, &out->cleaned[keeps]);
    out->of[FM_KEEPS_ALL] = line;
}

/* --- finding the bytes of the text from which a cleaned line was made --- */

/* Returns the offset in `text` of a character of its cleaned copy. */
static size_t printed_at(const struct fm_line *line, size_t at)
{
    const framemap_str text = line->printed;
    struct ahead ahead = look_ahead(text);
    for (size_t offset = 0; offset < text.size;) {
        const size_t next = next_unit(text, &ahead, offset);
        if (at < next - offset) return offset + at;
        at -= next - offset;
        offset = next;
        if (offset == text.size) break;
        const struct unit unit = unit_at(text, offset, line->keeps, line->run);
        if (at < unit.width) return offset;
        at -= unit.width;
        offset += unit.size;
    }
    return text.size;
}

framemap_str fm_line_printed(const struct fm_line *line, framemap_str slice, uint64_t *offset)
{
    framemap_str found = slice;
    if (line->printed.data) {
        const framemap_str text = line->printed;
        const size_t from = (size_t)(slice.data - line->cleaned.data), size = slice.size;
        const size_t begin = printed_at(line, from), last = size ? printed_at(line, from + size - 1) : begin;
        const size_t end = size && last < text.size ? last + unit_at(text, last, line->keeps, line->run).size : last;
        found = fm_str_slice(text, begin, end);
    }
    *offset = line->offset + (uint64_t)(found.data - line->text.data);
    return found;
}
