/* Queries on a parsed JSON text: members, strings, numbers. */
#include "mappers/java/r8_json.h"

#include "core/text/scan.h"
#include "core/text/unicode_digits.h"
#include "mappers/java/r8_chars.h"

uint32_t fm_r8_json_first(const struct fm_r8_json *json, uint32_t value)
{
    return json->values[value].next > value + 1 ? value + 1 : 0;
}

uint32_t fm_r8_json_next(const struct fm_r8_json *json, uint32_t value)
{
    const uint32_t next = json->values[value].next;
    return next < json->count && json->values[next].depth == json->values[value].depth ? next : 0;
}

static void put_point(struct fm_buf *out, uint32_t point)
{
    char bytes[4];
    unsigned size = 0;
    if (point < 0x80) {
        bytes[size++] = (char)point;
    } else if (point < 0x800) {
        bytes[size++] = (char)(0xc0 | point >> 6);
    } else {
        if (point < 0x10000) {
            bytes[size++] = (char)(0xe0 | point >> 12);
        } else {
            bytes[size++] = (char)(0xf0 | point >> 18);
            bytes[size++] = (char)(0x80 | (point >> 12 & 0x3f));
        }
        bytes[size++] = (char)(0x80 | (point >> 6 & 0x3f));
    }
    if (point >= 0x80) bytes[size++] = (char)(0x80 | (point & 0x3f));
    fm_buf_add(out, bytes, size);
}

static uint32_t hex4(const char *at)
{
    uint32_t value = 0;
    for (unsigned i = 0; i < 4; i++) value = value << 4 | fm_hex_value(at[i]);
    return value;
}

/* Appends the character whose digits follow "\u". An unpaired surrogate becomes '?', as Java prints it. */
static const char *put_unicode(struct fm_buf *out, const char *at, const char *end)
{
    uint32_t point = hex4(at);
    at += 4;
    if (point >= 0xd800 && point < 0xdc00 && end - at >= 6 && at[0] == '\\' && at[1] == 'u') {
        const uint32_t low = hex4(at + 2);
        if (low >= 0xdc00 && low < 0xe000) {
            put_point(out, 0x10000 + ((point - 0xd800) << 10) + (low - 0xdc00));
            return at + 6;
        }
    }
    put_point(out, point >= 0xd800 && point < 0xe000 ? '?' : point);
    return at;
}

static const char *put_escape(struct fm_buf *out, const char *at, const char *end)
{
    const char byte = *at++;
    if (byte == 'u') return put_unicode(out, at, end);
    const char *which = memchr("tbnrf", byte, 5);
    fm_buf_byte(out, which ? "\t\b\n\r\f"[which - (const char *)memchr("tbnrf", 't', 5)] : byte);
    return at;
}

/* Resolves escapes and replaces malformed UTF-8. */
static framemap_str plain(struct fm_buf *out, framemap_str text)
{
    const char *at = text.data, *end = at + text.size;
    fm_buf_clear(out);
    while (at < end) {
        unsigned size;
        if (*at == '\\') {
            at = put_escape(out, at + 1, end);
        } else {
            put_point(out, fm_r8_decode(at, end, &size));
            at += size;
        }
    }
    return fm_buf_view(out);
}

static bool is_ascii(framemap_str text)
{
    uint64_t any = 0, word;
    size_t at = 0;
    for (; text.size - at >= sizeof word; at += sizeof word) {
        memcpy(&word, text.data + at, sizeof word);
        any |= word;
    }
    for (; at < text.size; at++) any |= (unsigned char)text.data[at];
    return (any & UINT64_C(0x8080808080808080)) == 0;
}

static framemap_str given(struct fm_r8_json *json, framemap_str text, bool escaped)
{
    if (!escaped && is_ascii(text)) return text;
    text = plain(&json->scratch, text);
    json->failed = json->failed || json->scratch.failed;
    return text;
}

framemap_str fm_r8_json_key(struct fm_r8_json *json, uint32_t value)
{
    return given(json, json->values[value].key, json->values[value].key_escaped);
}

uint32_t fm_r8_json_get(struct fm_r8_json *json, uint32_t object, const char *name)
{
    const framemap_str wanted = framemap_str_of(name);
    uint32_t found = 0;
    for (uint32_t at = fm_r8_json_first(json, object); at; at = fm_r8_json_next(json, at))
        if (fm_str_equal(json->values[at].key, wanted) ||
            (json->values[at].key_escaped && fm_str_equal(fm_r8_json_key(json, at), wanted)))
            found = at;
    return found;
}

/* Returns the value itself, or, if it is an array, its only element. 0: the array does not have exactly one element. */
static uint32_t single(const struct fm_r8_json *json, uint32_t value)
{
    while (value && json->values[value].type == FM_R8_JSON_ARRAY) {
        const uint32_t first = fm_r8_json_first(json, value);
        if (first == 0 || fm_r8_json_next(json, first)) return 0;
        value = first;
    }
    return value;
}

bool fm_r8_json_text(struct fm_r8_json *json, uint32_t value, framemap_str *out)
{
    const struct fm_r8_json_value *v = &json->values[single(json, value)];
    if (v->type != FM_R8_JSON_TEXT && v->type != FM_R8_JSON_NUMBER && v->type != FM_R8_JSON_BOOL) return false;
    if (v->type == FM_R8_JSON_BOOL) /* Gson accepts "true" and "false" in any letter case */
        *out = v->text.size == 4 ? FM_STR("true") : FM_STR("false");
    else
        *out = given(json, v->text, v->text_escaped);
    return true;
}

/* --- reading numbers --- */

bool fm_r8_parse_int(framemap_str text, int32_t *out)
{
    const char *at = text.data, *const end = text.data + text.size;
    const bool negative = text.size > 0 && *at == '-';
    int64_t value = 0;
    if (text.size > 0 && (*at == '-' || *at == '+')) at++;
    if (at == end) return false;
    while (at < end) {
        unsigned size;
        const int digit = fm_digit(fm_r8_decode(at, end, &size));
        if (digit < 0) return false;
        value = value * 10 + digit;
        if (value > (int64_t)INT32_MAX + 1) return false;
        at += size;
    }
    if (negative) value = -value;
    if (value > INT32_MAX) return false;
    *out = (int32_t)value;
    return true;
}

/* Returns the exponent of a JSON number, clamped to the range that matters; *mantissa: the text before it. */
static int64_t exponent(framemap_str text, framemap_str *mantissa)
{
    size_t e = 0;
    while (e < text.size && (text.data[e] | 0x20) != 'e') e++;
    *mantissa = fm_str_slice(text, 0, e);
    int64_t value = 0;
    const bool negative = e + 1 < text.size && text.data[e + 1] == '-';
    for (size_t i = e + 1; i < text.size; i++)
        if (text.data[i] >= '0' && text.data[i] <= '9' && value < INT64_C(1) << 40)
            value = value * 10 + (text.data[i] - '0');
    return negative ? -value : value;
}

/* Returns the lowest 32 bits of a number's integer part, as Java's BigDecimal.intValue does. */
static int32_t wrapped(framemap_str text)
{
    framemap_str mantissa;
    uint32_t value = 0;
    const int64_t power = exponent(text, &mantissa);
    const size_t dot = fm_str_find_byte(mantissa, '.');
    /* number of digits of the integer part that were not read yet */
    int64_t left = (int64_t)(dot == FM_NOT_FOUND ? mantissa.size : dot) + power;
    const bool negative = mantissa.size > 0 && mantissa.data[0] == '-';
    if (negative) left--;
    for (size_t i = negative; i < mantissa.size && left > 0; i++) {
        if (mantissa.data[i] == '.') continue;
        value = value * 10 + (uint32_t)(mantissa.data[i] - '0');
        left--;
    }
    for (unsigned i = 0; left > 0 && i < 32; i++, left--)
        value *= 10; /* after 32 multiplications by ten the lowest 32 bits of the value are zero, so the loop can end */
    return (int32_t)(negative ? 0 - value : value);
}

bool fm_r8_json_int(struct fm_r8_json *json, uint32_t value, int32_t *out)
{
    framemap_str text;
    const uint32_t one = single(json, value);
    if (!fm_r8_json_text(json, value, &text)) return false;
    if (fm_r8_parse_int(text, out)) return true;
    if (json->values[one].type != FM_R8_JSON_NUMBER) return false;
    *out = wrapped(text);
    return true;
}
