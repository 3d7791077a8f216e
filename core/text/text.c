/* Comparison and search in strings, with SSE2 where available. See text.h. */
#include "core/text/text.h"
#include "core/text/bits64.h"

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

static __m128i load_block(const char *at) { return _mm_loadu_si128((const __m128i *)(const void *)at); }

/* Returns a mask of 16 bits: bit i is set if byte i equals `byte`. */
static unsigned places_of(__m128i bytes, char byte)
{
    return (unsigned)_mm_movemask_epi8(_mm_cmpeq_epi8(bytes, _mm_set1_epi8(byte)));
}

static const char *find_in_block(const char *at, char byte)
{
    const unsigned places = places_of(load_block(at), byte);
    return places ? at + fm_lowest_bit(places) : NULL;
}

/* Searches data that is shorter than a block: tests its first and its last half, which may overlap. A loop would end in
 * a mispredicted branch. */
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
    /* maximum number of bytes that are searched here; for longer data a call of memchr takes less time */
    enum { LINE = 256 };
    if (size > LINE) return memchr(data, byte, size);
    if (size < BLOCK) return find_in_few(data, size, byte);
    const char *at = data, *end = data + size, *found = NULL;
    for (; found == NULL && end - at > BLOCK; at += BLOCK) found = find_in_block(at, byte);
    /* the last block ends with the data, so it overlaps the block before it */
    return found ? found : find_in_block(end - BLOCK, byte);
}

/* Finds a needle of at least two bytes in a text with at least 16 possible offsets: tests its first two bytes at 16
 * offsets at once. */
static size_t find_by_pairs(framemap_str text, framemap_str needle)
{
    const char *at = text.data, *last = at + text.size - needle.size + 1 - BLOCK;
    for (;; at = last - at > BLOCK ? at + BLOCK : last) {
        for (unsigned places =
                 places_of(load_block(at), needle.data[0]) & places_of(load_block(at + 1), needle.data[1]);
             places; places &= places - 1) {
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
    /* comparing the second byte rejects most candidates without a call */
    const char second = needle.data[needle.size > 1];
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
    /* the part of the text at whose bytes a match may start */
    framemap_str heads = fm_str(text.data, text.size - needle.size + 1);
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

size_t fm_str_count_byte(framemap_str text, char byte)
{
    size_t count = 0;
    for (size_t i = 0; i < text.size; i++) count += text.data[i] == byte;
    return count;
}

size_t fm_str_find_last_byte(framemap_str text, char byte)
{
    const uint64_t eightfold = UINT64_C(0x0101010101010101) * (unsigned char)byte;
    size_t at = text.size;
#if defined(__SSE2__)
    for (; at >= BLOCK; at -= BLOCK) {
        const unsigned places = places_of(load_block(text.data + at - BLOCK), byte);
        if (places) return at - BLOCK + fm_highest_bit(places);
    }
#endif
    for (; at >= 8; at -= 8) {
        const uint64_t places = fm_zero_bytes(fm_load64((const unsigned char *)text.data + at - 8) ^ eightfold);
        if (places) return at - 8 + fm_highest_bit(places) / 8;
    }
    /* reads the first eight bytes of the text; those bytes that were tested already are shifted out */
    if (at > 0 && text.size >= 8) {
        const uint64_t places = fm_zero_bytes(fm_load64((const unsigned char *)text.data) ^ eightfold) << (64 - 8 * at);
        return places ? fm_highest_bit(places) / 8 + at - 8 : FM_NOT_FOUND;
    }
    for (; at > 0; at--)
        if (text.data[at - 1] == byte) return at - 1;
    return FM_NOT_FOUND;
}

#if defined(__SSE2__)
/* Does what fm_str_last_part does if the last `before` is in the last 32 bytes, as it mostly is. false: it is not
 * there. */
static bool last_part_of_blocks(framemap_str text, char before, char after, framemap_str *out)
{
    enum { LAST = 2 * BLOCK };
    if (text.size < LAST) return false;
    const char *at = text.data + text.size - LAST;
    const uint32_t begins = places_of(load_block(at), before) | places_of(load_block(at + BLOCK), before) << BLOCK;
    if (begins == 0) return false;
    const unsigned begin = fm_highest_bit(begins) + 1;
    const uint64_t ends =
        places_of(load_block(at), after) | places_of(load_block(at + BLOCK), after) << BLOCK | UINT64_C(1) << LAST;
    *out = fm_str(at + begin, fm_lowest_bit(ends >> begin));
    return true;
}
#else
static bool last_part_of_blocks(framemap_str text, char before, char after, framemap_str *out)
{
    (void)text, (void)before, (void)after, (void)out;
    return false;
}
#endif

framemap_str fm_str_last_part(framemap_str text, char before, char after)
{
    framemap_str part;
    if (last_part_of_blocks(text, before, after, &part)) return part;
    const size_t last = fm_str_find_last_byte(text, before);
    part = last == FM_NOT_FOUND ? text : fm_str_from(text, last + 1);
    /* If `after` is not found, the slice is the whole part. */
    return fm_str_slice(part, 0, fm_str_find_byte(part, after));
}

framemap_str fm_str_basename(framemap_str path)
{
    size_t at = path.size;
    while (at > 0 && path.data[at - 1] != '/' && path.data[at - 1] != '\\') at--;
    return fm_str_from(path, at);
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
