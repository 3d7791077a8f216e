/* Implements java_regex_parts.h: reads one code point, escape or quotation of a Java regular expression, writes a code
 * point in PCRE2's syntax, and skips white space and comments in the mode that allows them. */
#include "formats/java/retrace/java_regex_parts.h"
#include "core/error.h"
#include "core/text/scan.h"
#include "formats/java/retrace/unicode_letters.h"

bool fm_regex_fault(struct fm_regex *regex, const char *words)
{
    if (regex->status == FRAMEMAP_OK)
        regex->status = fm_error_at(regex->error, FRAMEMAP_E_ARGUMENT, (uint64_t)(regex->at - regex->begin),
                                    "the expression %s", words);
    return false;
}

bool fm_regex_take(struct fm_regex *regex, const char *word)
{
    size_t size = strlen(word);
    if ((size_t)(regex->end - regex->at) < size || memcmp(regex->at, word, size) != 0) return false;
    regex->at += size;
    return true;
}

uint32_t fm_regex_take_point(struct fm_regex *regex)
{
    size_t size;
    uint32_t point = fm_point_at(regex->at, regex->end, &size);
    regex->at += size;
    return point;
}

void fm_regex_put_point(struct fm_buf *out, uint32_t point)
{
    if (point < 0x80 && fm_is_letter(point))
        fm_buf_byte(out, (char)point);
    else
        fm_buf_printf(out, "\\x{%x}", (unsigned)point);
}

static bool is_white(char byte) { return byte == ' ' || (byte >= '\t' && byte <= '\r'); }

void fm_regex_pass_comments(struct fm_regex *regex)
{
    if (!(regex->flags & FM_REGEX_COMMENTS)) return;
    while (!fm_regex_at_end(regex) && (is_white(*regex->at) || *regex->at == '#')) {
        bool comment = *regex->at++ == '#';
        while (comment && !fm_regex_at_end(regex) && *regex->at != '\n' && *regex->at != '\r') regex->at++;
    }
}

/* --- escapes --- */

static bool take_hex(struct fm_regex *regex, unsigned digits, uint32_t *out)
{
    uint32_t value = 0;
    for (unsigned i = 0; i < digits; i++) {
        if (fm_regex_at_end(regex) || !fm_is_hex(*regex->at))
            return fm_regex_fault(regex, "has an escape with too few hexadecimal digits");
        value = value << 4 | fm_hex_value(*regex->at++);
    }
    *out = value;
    return true;
}

static bool take_braced_hex(struct fm_regex *regex, uint32_t *out)
{
    uint32_t value = 0;
    const char *begin = regex->at;
    for (; !fm_regex_at_end(regex) && fm_is_hex(*regex->at) && value <= 0x10FFFF; regex->at++)
        value = value << 4 | fm_hex_value(*regex->at);
    if (regex->at == begin || value > 0x10FFFF || !fm_regex_take(regex, "}"))
        return fm_regex_fault(regex, "has an escape of no character");
    *out = value;
    return true;
}

/* Parses the escape of a character. A surrogate pair such as "\uD83D\uDE00" is one character. */
static bool take_unicode(struct fm_regex *regex, uint32_t *out)
{
    uint32_t low;
    if (!take_hex(regex, 4, out)) return false;
    if (*out < 0xD800 || *out > 0xDFFF) return true;
    if (*out < 0xDC00 && fm_regex_take(regex, "\\u") && take_hex(regex, 4, &low) && low >= 0xDC00 && low <= 0xDFFF) {
        *out = 0x10000 + ((*out - 0xD800) << 10) + (low - 0xDC00);
        return true;
    }
    return fm_regex_fault(regex, "has half of a surrogate pair in an escape");
}

static bool take_octal(struct fm_regex *regex, uint32_t *out)
{
    uint32_t value = 0;
    unsigned digits = 0;
    for (; digits < 3 && !fm_regex_at_end(regex) && *regex->at >= '0' && *regex->at <= '7' && value * 8 <= 0377;
         digits++)
        value = value * 8 + (uint32_t)(*regex->at++ - '0');
    if (digits == 0) return fm_regex_fault(regex, "has an octal escape without digits");
    *out = value;
    return true;
}

bool fm_regex_escape(struct fm_regex *regex, uint32_t *point, char *kind)
{
    static const char letters[] = "aefnrt", values[] = "\a\033\f\n\r\t";
    *kind = '\0';
    if (fm_regex_at_end(regex)) return fm_regex_fault(regex, "ends with a backslash");
    *point = fm_regex_take_point(regex);
    const char letter = *point < 0x80 ? (char)*point : '\0';
    const char *simple = letter ? strchr(letters, letter) : NULL;
    if (simple) {
        *point = (unsigned char)values[simple - letters];
        return true;
    }
    switch (letter) {
    case 'x': return fm_regex_take(regex, "{") ? take_braced_hex(regex, point) : take_hex(regex, 2, point);
    case 'u': return take_unicode(regex, point);
    case '0': return take_octal(regex, point);
    case 'c':
        if (fm_regex_at_end(regex)) return fm_regex_fault(regex, "has a control escape without a letter");
        *point = fm_regex_take_point(regex) ^ 64;
        return true;
    default: break;
    }
    if (letter == '\0' || !fm_is_letter(*point)) return true;
    *kind = letter;
    return false;
}

const char *fm_regex_class_of(const struct fm_regex *regex, char kind)
{
    const bool unicode = (regex->flags & FM_REGEX_UNICODE) != 0;
    switch (kind) {
    case 'd': return unicode ? "\\p{Nd}" : "[0-9]";
    case 'D': return unicode ? "\\P{Nd}" : "[^0-9]";
    case 's': return unicode ? "[\\p{Z}\\t-\\r\\x{85}]" : "[ \\t-\\r]";
    case 'S': return unicode ? "[^\\p{Z}\\t-\\r\\x{85}]" : "[^ \\t-\\r]";
    case 'w': return unicode ? "[\\p{L}\\p{M}\\p{Nd}\\p{Nl}\\p{Pc}\\x{200c}\\x{200d}]" : "[0-9A-Za-z_]";
    case 'W': return unicode ? "[^\\p{L}\\p{M}\\p{Nd}\\p{Nl}\\p{Pc}\\x{200c}\\x{200d}]" : "[^0-9A-Za-z_]";
    case 'h': return "\\h";
    case 'H': return "\\H";
    case 'v': return "\\v";
    case 'V': return "\\V";
    default: return NULL;
    }
}

bool fm_regex_quoted(struct fm_regex *regex, uint32_t *point)
{
    if (fm_regex_at_end(regex) || fm_regex_take(regex, "\\E")) return false;
    *point = fm_regex_take_point(regex);
    return true;
}
