#include "core/text/text.h"
#include "core/checked.h"
#include "core/limits.h"
#include "core/text/bits64.h"
#include "core/text/escape.h"
#include "core/text/utf8.h"
#include <stdarg.h>
#include <stdio.h>

#if defined(__SSE2__)
#include <emmintrin.h>
#endif

int fm_str_compare(framemap_str a, framemap_str b)
{
    size_t common = a.size < b.size ? a.size : b.size;
    int order = common ? memcmp(a.data, b.data, common) : 0;
    if (order != 0) return order;
    return (a.size > b.size) - (a.size < b.size);
}

static char lower(char c) { return c >= 'A' && c <= 'Z' ? (char)(c + 32) : c; }

bool fm_str_equal_nocase(framemap_str a, framemap_str b)
{
    if (a.size != b.size) return false;
    for (size_t i = 0; i < a.size; i++)
        if (lower(a.data[i]) != lower(b.data[i])) return false;
    return true;
}

#if defined(__SSE2__)
enum { BLOCK = 16 };

static __m128i load(const char *at) { return _mm_loadu_si128((const __m128i *)(const void *)at); }

/* A bit for each of 16 places that is the byte. */
static unsigned places_of(__m128i bytes, char byte)
{
    return (unsigned)_mm_movemask_epi8(_mm_cmpeq_epi8(bytes, _mm_set1_epi8(byte)));
}

static const char *find_in_block(const char *at, char byte)
{
    const unsigned places = places_of(load(at), byte);
    return places ? at + fm_lowest_bit(places) : NULL;
}

/* Less than a block: by its first half and its last, which have some bytes in common; a loop would end where nobody
 * guesses. */
static const char *find_in_few(const char *data, size_t size, char byte)
{
    uint64_t first = 0, last = 0;
    const size_t half = size >= 8 ? 8 : 4;
    if (size < 4) {
        for (size_t i = 0; i < size; i++)
            if (data[i] == byte) return data + i;
        return NULL;
    }
    memcpy(&first, data, half);
    memcpy(&last, data + size - half, half);
    const unsigned places = places_of(_mm_set_epi64x((int64_t)last, (int64_t)first), byte), mask = (1u << half) - 1;
    if (places & mask) return data + fm_lowest_bit(places & mask);
    return places >> 8 & mask ? data + size - half + fm_lowest_bit(places >> 8 & mask) : NULL;
}

const char *fm_find(const char *data, size_t size, char byte)
{
    enum { LINE = 256 }; /* what is longer is worth a call */
    if (size > LINE) return memchr(data, byte, size);
    if (size < BLOCK) return find_in_few(data, size, byte);
    const char *at = data, *end = data + size, *found = NULL;
    for (; found == NULL && end - at > BLOCK; at += BLOCK) found = find_in_block(at, byte);
    return found ? found : find_in_block(end - BLOCK, byte); /* looks at some of them once more */
}

/* A needle of two bytes or more that may begin at 16 places or more, by its first two bytes. */
static size_t find_by_pairs(framemap_str text, framemap_str needle)
{
    const char *at = text.data, *last = at + text.size - needle.size + 1 - BLOCK;
    for (;; at = last - at > BLOCK ? at + BLOCK : last) {
        for (unsigned places = places_of(load(at), needle.data[0]) & places_of(load(at + 1), needle.data[1]); places;
             places &= places - 1) {
            const char *head = at + fm_lowest_bit(places);
            if (needle.size == 2 || memcmp(head + 2, needle.data + 2, needle.size - 2) == 0)
                return (size_t)(head - text.data);
        }
        if (at == last) return FM_NOT_FOUND;
    }
}
#else
const char *fm_find(const char *data, size_t size, char byte) { return size ? memchr(data, byte, size) : NULL; }
#endif

size_t fm_str_find(framemap_str text, framemap_str needle)
{
    if (needle.size == 0) return 0;
#if defined(__SSE2__)
    if (needle.size > 1 && text.size >= needle.size - 1 + BLOCK) return find_by_pairs(text, needle);
#endif
    const char second = needle.data[needle.size > 1]; /* most places with the first byte end here, without a call */
    for (size_t at = 0; text.size - at >= needle.size; at++) {
        const char *head = fm_find(text.data + at, text.size - at - needle.size + 1, needle.data[0]);
        if (head == NULL) break;
        at = (size_t)(head - text.data);
        if (head[needle.size > 1] != second) continue;
        if (needle.size <= 2 || memcmp(head, needle.data, needle.size) == 0) return at;
    }
    return FM_NOT_FOUND;
}

size_t fm_str_find_last(framemap_str text, framemap_str needle)
{
    if (needle.size > text.size) return FM_NOT_FOUND;
    if (needle.size == 0) return text.size;
    const char second = needle.data[needle.size > 1];
    framemap_str heads = fm_str(text.data, text.size - needle.size + 1); /* where it may begin */
    while ((heads.size = fm_str_find_last_byte(heads, needle.data[0])) != FM_NOT_FOUND) {
        const char *head = text.data + heads.size;
        if (head[needle.size > 1] == second && (needle.size <= 2 || memcmp(head, needle.data, needle.size) == 0))
            return heads.size;
    }
    return FM_NOT_FOUND;
}

size_t fm_str_find_byte(framemap_str text, char byte)
{
    const char *found = fm_find(text.data, text.size, byte);
    return found ? (size_t)(found - text.data) : FM_NOT_FOUND;
}

size_t fm_str_find_last_byte(framemap_str text, char byte)
{
    const uint64_t eightfold = UINT64_C(0x0101010101010101) * (unsigned char)byte;
    size_t at = text.size;
#if defined(__SSE2__)
    for (; at >= BLOCK; at -= BLOCK) {
        const unsigned places = places_of(load(text.data + at - BLOCK), byte);
        if (places) return at - BLOCK + fm_highest_bit(places);
    }
#endif
    for (; at >= 8; at -= 8) {
        const uint64_t places = fm_zero_bytes(fm_load64((const unsigned char *)text.data + at - 8) ^ eightfold);
        if (places) return at - 8 + fm_highest_bit(places) / 8;
    }
    if (at > 0 && text.size >= 8) { /* the first eight: what of them was looked at before is shifted out */
        const uint64_t places = fm_zero_bytes(fm_load64((const unsigned char *)text.data) ^ eightfold) << (64 - 8 * at);
        return places ? fm_highest_bit(places) / 8 + at - 8 : FM_NOT_FOUND;
    }
    for (; at > 0; at--)
        if (text.data[at - 1] == byte) return at - 1;
    return FM_NOT_FOUND;
}

#if defined(__SSE2__)
/* The same from the last 32 bytes alone, where it mostly stands. false: it does not. */
static bool last_part_of_blocks(framemap_str text, char before, char behind, framemap_str *out)
{
    enum { LAST = 2 * BLOCK };
    if (text.size < LAST) return false;
    const char *at = text.data + text.size - LAST;
    const uint32_t begins = places_of(load(at), before) | places_of(load(at + BLOCK), before) << BLOCK;
    if (begins == 0) return false;
    const unsigned begin = fm_highest_bit(begins) + 1;
    const uint64_t ends =
        places_of(load(at), behind) | places_of(load(at + BLOCK), behind) << BLOCK | UINT64_C(1) << LAST;
    *out = fm_str(at + begin, fm_lowest_bit(ends >> begin));
    return true;
}
#else
static bool last_part_of_blocks(framemap_str text, char before, char behind, framemap_str *out)
{
    (void)text, (void)before, (void)behind, (void)out;
    return false;
}
#endif

framemap_str fm_str_last_part(framemap_str text, char before, char behind)
{
    framemap_str part;
    if (last_part_of_blocks(text, before, behind, &part)) return part;
    const size_t last = fm_str_find_last_byte(text, before);
    part = last == FM_NOT_FOUND ? text : fm_str_from(text, last + 1);
    return fm_str_slice(part, 0, fm_str_find_byte(part, behind)); /* not found: all of it */
}

framemap_str fm_str_basename(framemap_str path)
{
    size_t at = path.size;
    while (at > 0 && path.data[at - 1] != '/' && path.data[at - 1] != '\\') at--;
    return fm_str_from(path, at);
}

void fm_buf_init(struct fm_buf *buf, struct fm_heap *heap) { *buf = (struct fm_buf){.heap = heap}; }

void fm_buf_free(struct fm_buf *buf)
{
    if (buf->data) fm_heap_free(buf->heap, buf->data, buf->capacity);
    fm_buf_init(buf, buf->heap);
}

/* Room for `more` bytes, which count, and `spare` ones behind them, which do not. */
static bool buf_room(struct fm_buf *buf, size_t more, size_t spare)
{
    const size_t limit = buf->limit ? buf->limit : FM_LIMIT_BUFFER;
    buf->failed = buf->failed || more > limit || buf->size > limit - more;
    if (buf->failed) return false;
    if (more + spare <= buf->capacity - buf->size) return true;
    buf->failed = !FM_GROW(buf->heap, buf->data, buf->capacity, buf->size + more + spare);
    return !buf->failed;
}

bool fm_buf_add(struct fm_buf *buf, const void *data, size_t size)
{
    enum { SHORT = 64 }; /* as most of what is written: names, numbers, marks */
    if (!buf_room(buf, size, 0)) return false;
    if (size == 0) return true; /* there may be neither a block nor a text */
    if (size <= SHORT)
        fm_str_copy(buf->data + buf->size, fm_str(data, size));
    else
        memcpy(buf->data + buf->size, data, size);
    buf->size += size;
    return true;
}

bool fm_buf_str(struct fm_buf *buf, framemap_str text)
{
    return buf->shows ? fm_buf_escaped(buf, text) : fm_buf_add(buf, text.data, text.size);
}

bool fm_buf_byte(struct fm_buf *buf, char byte)
{
    if (!buf_room(buf, 1, 0)) return false;
    buf->data[buf->size++] = byte;
    return true;
}

bool fm_buf_dec(struct fm_buf *buf, uint64_t value)
{
    char digits[20];
    size_t at = sizeof digits;
    do {
        digits[--at] = (char)('0' + value % 10);
        value /= 10;
    } while (value);
    return fm_buf_add(buf, digits + at, sizeof digits - at);
}

bool fm_buf_hex(struct fm_buf *buf, uint64_t value, unsigned min_digits)
{
    char digits[64];
    size_t at = sizeof digits;
    if (min_digits > sizeof digits) min_digits = sizeof digits;
    do {
        digits[--at] = "0123456789abcdef"[value & 15];
        value >>= 4;
    } while (value);
    while (sizeof digits - at < min_digits) digits[--at] = '0';
    return fm_buf_add(buf, digits + at, sizeof digits - at);
}

bool fm_buf_printf(struct fm_buf *buf, const char *format, ...)
{
    va_list args, again;
    va_start(args, format);
    va_copy(again, args);
    int wanted = vsnprintf(NULL, 0, format, args);
    va_end(args);
    bool ok = wanted >= 0 && buf_room(buf, (size_t)wanted, 1); /* vsnprintf ends with a NUL */
    if (ok) {
        vsnprintf(buf->data + buf->size, (size_t)wanted + 1, format, again);
        buf->size += (size_t)wanted;
    }
    va_end(again);
    if (!ok) buf->failed = true;
    return ok;
}

static bool json_escape(struct fm_buf *buf, unsigned char c)
{
    static const char names[][2] = {{'"', '"'},  {'\\', '\\'}, {'\b', 'b'}, {'\f', 'f'},
                                    {'\n', 'n'}, {'\r', 'r'},  {'\t', 't'}};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        if ((unsigned char)names[i][0] == c) return fm_buf_byte(buf, '\\') && fm_buf_byte(buf, names[i][1]);
    return fm_buf_add(buf, "\\u", 2) && fm_buf_hex(buf, c, 4);
}

/* What is no ASCII and does not stand in a JSON string as it is: a character, or bytes that are none. Returns how many
 * bytes it takes. */
static size_t json_escape_wide(struct fm_buf *buf, const unsigned char *p, size_t left)
{
    const size_t size = fm_character_size(p, left);
    if (size == 0) {
        fm_buf_add(buf, "\xEF\xBF\xBD", 3);
        return 1;
    }
    fm_buf_add(buf, "\\u", 2);
    fm_buf_hex(buf, fm_control_point(p, size), 4);
    return size;
}

/* The bytes of a word that do not stand in a JSON string as they are, or are not ASCII: of each its highest bit. No sum
 * carries into the next byte. */
static uint64_t json_special(uint64_t word)
{
    const uint64_t ones = UINT64_C(0x0101010101010101), high = ones << 7, low = word & ~high;
    const uint64_t control = ~(low + ones * (0x80 - 0x20)) | (low + ones); /* below 0x20, or 0x7F */
    return ((control | word) & high) | fm_zero_bytes(word ^ ones * '"') | fm_zero_bytes(word ^ ones * '\\');
}

/* How many bytes stand in a JSON string as they are, before one that does not or is not ASCII. */
static size_t json_ascii(const unsigned char *p, size_t size)
{
    size_t at = 0;
    for (; size - at >= 8; at += 8) {
        const uint64_t special = json_special(fm_load64(p + at));
        if (special) return at + fm_lowest_bit(special) / 8;
    }
    while (at < size && (json_special(p[at]) & 0x80) == 0) at++;
    return at;
}

/* The same before one that does not. */
static size_t json_plain(const unsigned char *p, size_t size)
{
    size_t at = json_ascii(p, size);
    while (at < size && p[at] >= 0x80) {
        const size_t character = fm_character_size(p + at, size - at);
        if (character == 0 || fm_control_point(p + at, character)) break;
        at += character;
        at += json_ascii(p + at, size - at);
    }
    return at;
}

bool fm_buf_json(struct fm_buf *buf, framemap_str text)
{
    const unsigned char *p = (const unsigned char *)text.data;
    fm_buf_byte(buf, '"');
    for (size_t at = 0; at < text.size;) {
        const size_t plain = json_plain(p + at, text.size - at);
        fm_buf_add(buf, text.data + at, plain);
        at += plain;
        if (at == text.size) break;
        if (p[at] >= 0x80)
            at += json_escape_wide(buf, p + at, text.size - at);
        else
            json_escape(buf, p[at++]);
    }
    fm_buf_byte(buf, '"');
    return !buf->failed;
}

void fm_hex_put(const void *bytes, size_t count, char *out)
{
    static const char digits[] = "0123456789abcdef";
    for (size_t i = 0; i < count; i++) {
        const unsigned char byte = ((const unsigned char *)bytes)[i];
        out[2 * i] = digits[byte >> 4];
        out[2 * i + 1] = digits[byte & 15];
    }
}
