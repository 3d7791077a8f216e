/* Escapes of control characters in strings. See escape.h. */
#include "core/text/escape.h"
#include "core/text/bits64.h"
#include "core/text/utf8.h"

/* Sets the highest bit of each byte that is an ASCII control character or not ASCII. No carry passes from one byte to
 * the next. */
static uint64_t unplain(uint64_t word)
{
    const uint64_t ones = UINT64_C(0x0101010101010101), high = ones << 7, low = word & ~high;
    /* marks bytes below 0x20, the byte 0x7F, and bytes from 0x80 on */
    return (~(low + ones * (0x80 - 0x20)) | (low + ones) | word) & high;
}

enum {
    BLOCK = 16,
    CHUNK = 16 * BLOCK
}; /* CHUNK: most bytes scanned ahead at a time, so that the time stays linear in a string with many escapes */

/* For each offset in a block, keeps the greatest value of byte - 0x20 over all blocks. Control characters wrap around
 * to the greatest values. Compilers vectorise this to three instructions. */
static inline void note_block(unsigned char *most, const unsigned char *p)
{
    for (size_t i = 0; i < BLOCK; i++) {
        const unsigned char distance = (unsigned char)(p[i] - 0x20);
        most[i] = distance > most[i] ? distance : most[i];
    }
}

/* Whether all bytes are ASCII without control characters. size: at least one block. */
static inline bool all_plain_ascii(const unsigned char *p, size_t size)
{
    unsigned char most[BLOCK] = {0};
    uint64_t halves[BLOCK / 8];
    const unsigned char *last = p + size - BLOCK; /* the last block may overlap the block before it */
    for (; p < last; p += BLOCK) note_block(most, p);
    note_block(most, last);
    for (size_t i = 0; i < BLOCK; i++) most[i] = most[i] > 0x7E - 0x20;
    memcpy(halves, most, BLOCK);
    return (halves[0] | halves[1]) == 0;
}

/* Returns the length of the prefix of ASCII bytes without control characters. */
static size_t plain_ascii(const unsigned char *p, size_t size)
{
    size_t at = 0;
    while (size - at >= BLOCK) {
        const size_t ahead = size - at < CHUNK ? size - at : CHUNK;
        if (!all_plain_ascii(p + at, ahead)) break;
        at += ahead;
    }
    for (; size - at >= 8; at += 8) {
        const uint64_t found = unplain(fm_load64(p + at));
        if (found) return at + fm_lowest_bit(found) / 8;
    }
    if (at == size) return size;
    if (size >= 8) { /* tests the last eight bytes, which may overlap the eight bytes before them */
        const uint64_t found = unplain(fm_load64(p + size - 8));
        return found ? size - 8 + fm_lowest_bit(found) / 8 : size;
    }
    while (at < size && p[at] >= 0x20 && p[at] < 0x7F) at++;
    return at;
}

uint32_t fm_control_point(const unsigned char *character, size_t size)
{
    if (size == 2) return character[0] == 0xC2 && character[1] < 0xA0 ? character[1] : 0;
    if (size != 3 || character[0] != 0xE2) return 0;
    const uint32_t point = 0x2000u | (character[1] & 0x3Fu) << 6 | (character[2] & 0x3Fu);
    return (point >= 0x2028 && point <= 0x202E) || (point >= 0x2066 && point <= 0x2069) ? point : 0;
}

size_t fm_plain_size(framemap_str text)
{
    const unsigned char *p = (const unsigned char *)text.data;
    size_t at = plain_ascii(p, text.size);
    while (at < text.size && p[at] >= 0x80) {
        const size_t size = fm_character_size(p + at, text.size - at);
        if (size == 0 ? p[at] < 0xA0 : fm_control_point(p + at, size) != 0) break;
        at += size ? size : 1;
        at += plain_ascii(p + at, text.size - at);
    }
    return at;
}

/* Writes the escape of the first character of a string; returns its size. */
static size_t escape_of(framemap_str text, char *out, size_t *taken)
{
    const unsigned char *p = (const unsigned char *)text.data;
    const size_t size = fm_character_size(p, text.size);
    const char letter = p[0] == '\n' ? 'n' : p[0] == '\r' ? 'r' : p[0] == '\t' ? 't' : '\0';
    *taken = size ? size : 1;
    out[0] = '\\';
    if (letter) {
        out[1] = letter;
        return 2;
    }
    if (size < 2) {
        out[1] = 'x';
        fm_hex_put(p, 1, out + 2);
        return 4;
    }
    const uint32_t point = fm_control_point(p, size);
    const unsigned char bytes[] = {(unsigned char)(point >> 8), (unsigned char)point};
    out[1] = 'u';
    fm_hex_put(bytes, 2, out + 2);
    return 6;
}

bool fm_escape_next(framemap_str *rest, char escape[FM_ESCAPE_ROOM], framemap_str *piece)
{
    size_t taken = fm_plain_size(*rest);
    if (rest->size == 0) return false;
    *piece = taken ? fm_str(rest->data, taken) : fm_str(escape, escape_of(*rest, escape, &taken));
    *rest = fm_str_from(*rest, taken);
    return true;
}
