/* Decodes Punycode (RFC 3492), as symbol names of Rust and Swift use it. Called by rust_cursor.h and
 * swift_identifier.c. */
#include "resolve/demangle/punycode.h"

#include "core/checked.h"

/* The parameters of RFC 3492, section 5. */
enum {
    BASE = 36,
    FIRST_THRESHOLD = 1,
    LAST_THRESHOLD = 26,
    SKEW = 38,
    DAMP = 700,
    FIRST_BIAS = 72,
    FIRST_CODE_POINT = 0x80
};
/* Swift adds the first to ASCII characters that cannot be in a symbol. */
enum { FIRST_SURROGATE = 0xd800, AFTER_ASCII = 0xd880, LAST_SURROGATE = 0xdfff };

static int digit_of(char c, enum fm_punycode_language language)
{
    const char zero = language == FM_PUNYCODE_SWIFT ? 'A' : '0';
    if (c >= 'a' && c <= 'z') return c - 'a';
    return c >= zero && c <= zero + 9 ? c - zero + 26 : -1;
}

/* Returns the new bias, which decides how many digits the next number has (RFC 3492, section 6.1). */
static uint32_t adapt(uint64_t delta, uint64_t points, bool is_first)
{
    uint32_t bias = 0;
    delta = is_first ? delta / DAMP : delta / 2;
    delta += delta / points;
    for (; delta > (BASE - FIRST_THRESHOLD) * LAST_THRESHOLD / 2; bias += BASE) delta /= BASE - FIRST_THRESHOLD;
    return bias + (uint32_t)((BASE - FIRST_THRESHOLD + 1) * delta / (delta + SKEW));
}

/* Reads a generalized variable-length integer (RFC 3492, section 3.3), whose last digit is recognised by its value. */
static bool variable_number(framemap_str text, enum fm_punycode_language language, size_t *at, uint32_t bias,
                            uint64_t *out)
{
    uint64_t value = 0, weight = 1, part;
    for (uint32_t place = BASE;; place += BASE) {
        const int digit = *at < text.size ? digit_of(text.data[(*at)++], language) : -1;
        if (digit < 0 || !fm_mul_u64((uint64_t)digit, weight, &part) || !fm_add_u64(value, part, &value)) return false;
        const uint32_t threshold = place <= bias                    ? FIRST_THRESHOLD
                                   : place >= bias + LAST_THRESHOLD ? LAST_THRESHOLD
                                                                    : place - bias;
        if ((uint32_t)digit < threshold) break;
        if (!fm_mul_u64(weight, BASE - threshold, &weight)) return false;
    }
    *out = value;
    return true;
}

static size_t write_utf8(uint32_t point, char *out)
{
    if (point < 0x80) {
        out[0] = (char)point;
        return 1;
    }
    const size_t size = point < 0x800 ? 2 : point < 0x10000 ? 3 : 4;
    static const unsigned char heads[] = {0xc0, 0xe0, 0xf0};
    for (size_t i = size - 1; i > 0; i--, point >>= 6) out[i] = (char)(0x80 | (point & 63));
    out[0] = (char)(heads[size - 2] | point);
    return size;
}

/* Inserts all code points. Each number of the encoded name gives the distance, in positions and code points, from one
 * insertion to the next. */
static bool insert_all(framemap_str text, enum fm_punycode_language language, uint32_t *points, size_t *count)
{
    uint64_t point = FIRST_CODE_POINT, place = 0, delta;
    uint32_t bias = FIRST_BIAS;
    bool is_first = true;
    for (size_t at = 0; at < text.size; is_first = false) {
        const uint64_t room = *count + 1;
        if (*count == FM_PUNYCODE_POINTS || !variable_number(text, language, &at, bias, &delta) ||
            !fm_add_u64(place, delta, &place))
            return false;
        bias = adapt(delta, room, is_first);
        point += place / room;
        place %= room;
        const uint64_t least = language == FM_PUNYCODE_SWIFT ? AFTER_ASCII : FIRST_SURROGATE;
        if (point > 0x10ffff || (point >= least && point <= LAST_SURROGATE)) return false;
        memmove(points + place + 1, points + place, (*count - (size_t)place) * sizeof *points);
        points[place++] = (uint32_t)point;
        ++*count;
    }
    return true;
}

size_t fm_punycode(framemap_str text, enum fm_punycode_language language, char out[FM_PUNYCODE_ROOM])
{
    uint32_t points[FM_PUNYCODE_POINTS];
    size_t count = 0, size = 0;
    const size_t delimiter = fm_str_find_last_byte(text, '_');
    const framemap_str plain = delimiter == FM_NOT_FOUND ? (framemap_str){NULL, 0} : fm_str_slice(text, 0, delimiter);
    if (plain.size > FM_PUNYCODE_POINTS) return 0;
    for (; count < plain.size; count++) points[count] = (unsigned char)plain.data[count];
    if (!insert_all(delimiter == FM_NOT_FOUND ? text : fm_str_from(text, delimiter + 1), language, points, &count))
        return 0;
    for (size_t i = 0; i < count; i++) {
        const bool is_ascii = points[i] >= FIRST_SURROGATE && points[i] < AFTER_ASCII;
        size += write_utf8(is_ascii ? points[i] - FIRST_SURROGATE : points[i], out + size);
    }
    return size;
}
