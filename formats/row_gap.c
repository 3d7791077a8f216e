/* Implements row_gap.h: recognizes one separator at a time at the start or the end of a text (blank, escape, octal
 * escape, entity, tag, arrow), and repeats that until something else follows. */
#include "formats/row_gap.h"
#include "core/text/scan.h"

#define TAG_LIMIT 64   /* maximum number of bytes of a tag such as "</stack>", "<br class=\"x\"/>" */
#define ENTITY_LIMIT 8 /* maximum number of bytes of a character reference such as "&#x0a;", "&nbsp;" */

static bool is_hex4(const char *p) { return fm_is_hex(p[0]) && fm_is_hex(p[1]) && fm_is_hex(p[2]) && fm_is_hex(p[3]); }

/* Returns the size of an escape: "\n", "\t", "\r", "\u000a", or the backslashes of "\"". Each may have any number of
 * backslashes, as in nested strings. */
static size_t escape(const char *p, const char *end)
{
    const char *at = p;
    while (at < end && *at == '\\') at++;
    if (at == p || at == end) return (size_t)(at - p);
    if (*at == 'n' || *at == 't' || *at == 'r') return (size_t)(at - p) + 1;
    if (*at == '"' || *at == '/') return (size_t)(at - p);
    if (*at == 'u' && end - at > 4 && at[1] == '0' && at[2] == '0' && is_hex4(at + 1)) return (size_t)(at - p) + 5;
    return 0;
}

/* Returns the size of an octal escape such as "#011", which rsyslog and syslog-ng write for control characters; 0: the
 * text does not begin with such an escape. */
static size_t octal(const char *p, const char *end)
{
    return end - p > 3 && p[1] == '0' && fm_is_digit(p[2]) && fm_is_digit(p[3]) ? 4 : 0;
}

/* Returns the size of an entity such as "&#10;" or "&quot;"; 0: the text does not begin with an entity. */
static size_t entity(const char *p, const char *end)
{
    const char *at = p + 1, *stop = end - p > ENTITY_LIMIT ? p + ENTITY_LIMIT : end;
    while (at < stop && *at != ';' &&
           (*at == '#' || fm_is_digit(*at) || (*at >= 'A' && *at <= 'Z') || (*at >= 'a' && *at <= 'z')))
        at++;
    return at < stop && *at == ';' && at > p + 1 ? (size_t)(at - p) + 1 : 0;
}

/* Returns the size of a tag such as "</stack>" or "<br/>"; 0: the text does not begin with a tag. The '<' of an arrow
 * "<-" is not a tag but punctuation. */
static size_t tag(const char *p, const char *end)
{
    const char *stop = end - p > TAG_LIMIT ? p + TAG_LIMIT : end;
    if (end - p > 1 && (p[1] == '-' || p[1] == ' ')) return 1;
    for (const char *at = p + 1; at < stop && *at != '<'; at++)
        if (*at == '>') return (size_t)(at - p) + 1;
    return 0;
}

/* Returns the size of a character outside of ASCII that is a sign for a line end, an arrow, a bullet or a space. */
static size_t sign(const char *p, const char *end)
{
    const unsigned char *byte = (const unsigned char *)p;
    if (byte[0] == 0xC2) return end - p > 1 && (byte[1] == 0xA0 || byte[1] == 0xB6 || byte[1] == 0xB7) ? 2 : 0;
    if (byte[0] != 0xE2 || end - p < 3) return 0;
    const bool space = byte[1] == 0x80 && (byte[2] <= 0x8B || byte[2] == 0xA2 || byte[2] == 0xA8 || byte[2] == 0xA9);
    const bool arrow = byte[1] == 0x86 || byte[1] == 0x87;
    const bool line_end =
        (byte[1] == 0x8F && (byte[2] == 0x8E || byte[2] == 0xAF)) || (byte[1] == 0x90 && byte[2] <= 0xA6);
    return space || arrow || line_end ? 3 : 0;
}

static size_t one(const char *p, const char *end)
{
    switch (*p) {
    case ';':
    case ',':
    case '|':
    case '"':
    case '\'':
    case '`':
    case '/':
    case '-':
    case '=':
    case '>':
    case '[':
    case ']':
    case '{':
    case '}': return 1;
    case '\\': return escape(p, end);
    case '#': return octal(p, end);
    case '&': return entity(p, end);
    case '<': return tag(p, end);
    default: return (unsigned char)*p <= ' ' ? 1 : (unsigned char)*p >= 0x80 ? sign(p, end) : 0;
    }
}

size_t fm_row_gap(framemap_str text)
{
    const char *p = text.data, *end = p + text.size;
    for (size_t size; p < end && (size = one(p, end)) != 0;) p += size;
    return (size_t)(p - text.data);
}

bool fm_row_gap_escape_before(const char *start, const char *p)
{
    if (p - start >= 2 && p[-2] == '\\' && (p[-1] == 'n' || p[-1] == 't' || p[-1] == 'r')) return true;
    if (p - start >= 4 && p[-4] == '#' && octal(p - 4, p) != 0) return true;
    return p - start >= 6 && p[-6] == '\\' && escape(p - 6, p) == 6;
}

/* Returns the size of a tag such as "</message>" or "<frame>" at the end of the text, but not of a type as in
 * "List<String>". */
static size_t tag_at_end(framemap_str text)
{
    const char *end = text.data + text.size;
    for (size_t size = 3; size <= TAG_LIMIT && size <= text.size; size++) {
        const char *p = end - size;
        if (*p == '<') return (p[1] == '/' || (p[1] >= 'a' && p[1] <= 'z')) && tag(p, end) == size ? size : 0;
    }
    return 0;
}

/* Returns the size of the separator at the end of a text; 0: there is no separator. */
static size_t one_at_end(framemap_str text)
{
    const char *end = text.data + text.size;
    if (text.size == 0) return 0;
    for (size_t size = 2; size <= ENTITY_LIMIT && size <= text.size && end[-1] == ';'; size++)
        if (end[-(ptrdiff_t)size] == '&' && entity(end - size, end) == size) return size;
    if (end[-1] == '>') return tag_at_end(text);
    if (fm_row_gap_escape_before(text.data, end)) return end[-2] == '\\' ? 2 : text.size >= 4 && end[-4] == '#' ? 4 : 6;
    if (memchr(" \t\r\v\f;,|\"'`\\<[{", end[-1], 15)) return 1;
    for (size_t size = 2; size <= 3 && size <= text.size; size++)
        if ((unsigned char)end[-(ptrdiff_t)size] >= 0xC2 && sign(end - size, end) == size) return size;
    return 0;
}

framemap_str fm_row_gap_trim_end(framemap_str text)
{
    for (size_t size; (size = one_at_end(text)) != 0;) text.size -= size;
    return text;
}
