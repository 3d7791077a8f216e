/* Implements unescape.h: counts the backslashes of a run, of which all that are in pairs of the innermost level are
 * characters, and the rest escapes the byte after it. */
#include "core/text/unescape.h"
#include "core/text/scan.h"

#include <string.h>

#define NO_CODE UINT32_MAX

static size_t slashes_at(framemap_str text, size_t at)
{
    size_t count = 0;
    while (at + count < text.size && text.data[at + count] == '\\') count++;
    return count;
}

/* Returns the value of the four hexadecimal digits after a 'u' at an offset. */
static uint32_t unit_at(framemap_str text, size_t at)
{
    enum { DIGITS = 4 };
    uint32_t value = 0;
    if (at >= text.size || text.data[at] != 'u' || text.size - at <= DIGITS) return NO_CODE;
    for (size_t i = at + 1; i <= at + DIGITS; i++) {
        if (!fm_is_hex(text.data[i])) return NO_CODE;
        value = value << 4 | fm_hex_value(text.data[i]);
    }
    return value;
}

static bool is_high(uint32_t unit) { return unit >= 0xD800 && unit < 0xDC00; }
static bool is_low(uint32_t unit) { return unit >= 0xDC00 && unit < 0xE000; }

/* Reads "u00e9", or "ud83d\ude00", whose backslashes are as many as `slashes`. Returns its size; 0: that is not
 * there, or half of a surrogate pair is. */
static size_t code_at(framemap_str text, size_t at, size_t slashes, uint32_t *code)
{
    enum { UNIT = 5 }; /* size of "u00e9" */
    const uint32_t unit = unit_at(text, at);
    if (unit == NO_CODE || is_low(unit)) return 0;
    *code = unit;
    if (!is_high(unit)) return UNIT;
    const uint32_t low = slashes_at(text, at + UNIT) == slashes ? unit_at(text, at + UNIT + slashes) : NO_CODE;
    if (low == NO_CODE || !is_low(low)) return 0;
    *code = 0x10000 + ((unit - 0xD800) << 10 | (low - 0xDC00));
    return UNIT + slashes + UNIT;
}

/* Returns the character that a letter after a backslash means; '\0': it means none. */
static char letter_of(char c)
{
    static const char letters[] = "\"\"//''n\nt\tr\rb\bf\f";
    for (size_t i = 0; letters[i]; i += 2)
        if (letters[i] == c) return letters[i + 1];
    return '\0';
}

size_t fm_unescape_at(framemap_str text, size_t at, unsigned run, char out[FM_CHARACTER_MOST], size_t *width)
{
    const size_t slashes = slashes_at(text, at), pair = (size_t)2 * run;
    const size_t after = at + slashes;
    *width = 1;
    out[0] = '\\';
    if (run == 0 || slashes == 0) return 0;
    if (slashes >= pair) return pair;
    if (after == text.size) return 0;
    const char c = text.data[after];
    out[0] = letter_of(c);
    /* a quote of an inner level has more backslashes than a line end of that level */
    if (out[0] == '"' || out[0] == '/') return slashes + 1;
    if (slashes > run) return 0;
    if (out[0]) return slashes + 1;
    uint32_t code;
    const size_t size = code_at(text, after, slashes, &code);
    if (size) *width = fm_utf8_put(code, out);
    return size ? slashes + size : 0;
}

size_t fm_unescape(framemap_str text, unsigned run, char *out)
{
    size_t size = 0;
    for (size_t at = 0; at < text.size;) {
        const char *found = memchr(text.data + at, '\\', text.size - at);
        const size_t next = found ? (size_t)(found - text.data) : text.size;
        char character[FM_CHARACTER_MOST];
        size_t width;
        memcpy(out + size, text.data + at, next - at);
        size += next - at;
        at = next;
        if (at == text.size) break;
        const size_t escape = fm_unescape_at(text, at, run, character, &width);
        if (escape) {
            memcpy(out + size, character, width);
            size += width;
            at += escape;
            continue;
        }
        /* the backslashes and the byte after them are no escape */
        const size_t plain = slashes_at(text, at);
        memcpy(out + size, text.data + at, plain);
        size += plain;
        at += plain;
    }
    return size;
}
