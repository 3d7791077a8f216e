/* Byte strings: comparison and search. A framemap_str is borrowed, needs no NUL at its end, and can hold any bytes. */
#ifndef FM_CORE_TEXT_TEXT_H
#define FM_CORE_TEXT_TEXT_H

#include "core/text/bits64.h"
#include <framemap/base.h>
#include <string.h>

#define FM_STR(literal) ((framemap_str){(literal), sizeof(literal) - 1})
#define FM_STR_INIT(literal) {(literal), sizeof(literal) - 1} /* initialises a string in a static table */

static inline framemap_str fm_str(const void *data, size_t size) { return (framemap_str){(const char *)data, size}; }
static inline bool fm_str_equal(framemap_str a, framemap_str b)
{
    return a.size == b.size && (a.size == 0 || memcmp(a.data, b.data, a.size) == 0);
}
/* Compares two texts as fm_str_equal does, but without a call. It is for short strings such as names that are mostly
 * equal. */
static inline bool fm_str_same(framemap_str a, framemap_str b)
{
    const unsigned char *p = (const unsigned char *)a.data, *q = (const unsigned char *)b.data;
    const size_t size = a.size;
    if (size != b.size) return false;
    if (size >= 8) {
        for (size_t at = 0; at + 8 < size; at += 8)
            if (fm_load64(p + at) != fm_load64(q + at)) return false;
        /* compares the last eight bytes, which may overlap the bytes compared before */
        return fm_load64(p + size - 8) == fm_load64(q + size - 8);
    }
    if (size >= 4) return fm_load32(p) == fm_load32(q) && fm_load32(p + size - 4) == fm_load32(q + size - 4);
    return size == 0 || (p[0] == q[0] && p[size / 2] == q[size / 2] && p[size - 1] == q[size - 1]);
}
/* Copies a string without a call; it is for short strings such as names. */
static inline void fm_str_copy(char *to, framemap_str text)
{
    const char *from = text.data;
    const size_t size = text.size;
    if (size >= 16) {
        for (size_t at = 0; at + 16 < size; at += 16) memcpy(to + at, from + at, 16);
        /* copies the last 16 bytes, which may overlap the bytes copied before */
        memcpy(to + size - 16, from + size - 16, 16);
    } else if (size >= 8) {
        memcpy(to, from, 8);
        memcpy(to + size - 8, from + size - 8, 8);
    } else if (size >= 4) {
        memcpy(to, from, 4);
        memcpy(to + size - 4, from + size - 4, 4);
    } else if (size > 0) {
        to[0] = from[0];
        to[size / 2] = from[size / 2];
        to[size - 1] = from[size - 1];
    }
}
#define FM_STR_WORD_MOST 7u
/* Packs a string of one to seven bytes into a word: the bytes, the first lowest, and the size in the highest byte.
 * Returns 0 for other sizes. */
static inline uint64_t fm_str_word(framemap_str text)
{
    const unsigned char *p = (const unsigned char *)text.data;
    const size_t size = text.size, last = size - 1;
    if (last >= FM_STR_WORD_MOST) return 0;
    uint64_t word = (uint64_t)size << 56;
    if (size < 4) return word | p[0] | (uint64_t)p[size / 2] << 8 * (size / 2) | (uint64_t)p[last] << 8 * last;
    for (size_t i = 0; i < 4; i++)
        word |= (uint64_t)p[i] << 8 * i | (uint64_t)p[size - 4 + i]
                                              /* packs the first and the last four bytes, which may overlap */
                                              << 8 * (size - 4 + i);
    return word;
}
/* Compares two strings bytewise; a string sorts before all longer strings that begin with it. */
int fm_str_compare(framemap_str a, framemap_str b);
/* Whether `text` starts with `prefix`. Inline, so that a comparison with a literal needs no call. */
static inline bool fm_str_starts(framemap_str text, framemap_str prefix)
{
    return text.size >= prefix.size && (prefix.size == 0 || memcmp(text.data, prefix.data, prefix.size) == 0);
}
static inline bool fm_str_ends(framemap_str text, framemap_str suffix)
{
    return text.size >= suffix.size &&
           (suffix.size == 0 || memcmp(text.data + text.size - suffix.size, suffix.data, suffix.size) == 0);
}
/* Compares two texts, without regard to the case of ASCII letters. */
bool fm_str_equal_nocase(framemap_str a, framemap_str b);
/* Returns what fm_str_starts does, for callers that try several prefixes of at least one byte: the first byte decides
 * most cases without a call. */
static inline bool fm_str_begins(framemap_str text, framemap_str prefix)
{
    return text.size >= prefix.size && text.data[0] == prefix.data[0] &&
           memcmp(text.data, prefix.data, prefix.size) == 0;
}
/* Does the same as memchr, but is meant for data as short as a line: with SSE2, it scans short data itself, because the
 * C library's memchr is an indirect call, which costs more than scanning a line on systems that keep CPUs from
 * speculating over such calls. size may be 0. */
const char *fm_find(const char *data, size_t size, char byte);
#define FM_NOT_FOUND SIZE_MAX
size_t fm_str_find(framemap_str text, framemap_str needle); /* offset of the first occurrence, or FM_NOT_FOUND */
size_t fm_str_find_last(framemap_str text, framemap_str needle);
size_t fm_str_find_byte(framemap_str text, char byte);
size_t fm_str_find_last_byte(framemap_str text, char byte);
size_t fm_str_count_byte(framemap_str text, char byte);
/* Returns the part after the last `before` (the whole string if there is none), up to the first `after` in it: "Outer"
 * in "a.b.Outer$Inner" for '.' and '$'. */
framemap_str fm_str_last_part(framemap_str text, char before, char after);
/* Returns the bytes [from, to). Both offsets are clamped to the string; from > to gives an empty string. */
static inline framemap_str fm_str_slice(framemap_str text, size_t from, size_t to)
{
    if (to > text.size) to = text.size;
    if (from > to) from = to;
    return fm_str(text.data ? text.data + from : NULL, to - from);
}
/* Whether a slice is a part of another slice, which means that its bytes are in the same memory. */
static inline bool fm_str_is_within(framemap_str part, framemap_str whole)
{
    const uintptr_t begin = (uintptr_t)whole.data, at = (uintptr_t)part.data;
    return part.data != NULL && at >= begin && at + part.size <= begin + whole.size;
}
static inline framemap_str fm_str_from(framemap_str text, size_t from) { return fm_str_slice(text, from, text.size); }
static inline bool fm_is_blank(char c) { return c == ' ' || c == '\t'; }
/* Removes blanks and tabs at both ends. */
static inline framemap_str fm_str_trim(framemap_str text)
{
    for (; text.size && fm_is_blank(text.data[0]); text.size--) text.data++;
    while (text.size && fm_is_blank(text.data[text.size - 1])) text.size--;
    return text;
}
framemap_str fm_str_basename(framemap_str path); /* the part after the last '/' or '\\' */

/* Writes bytes as lower-case hexadecimal digits without a NUL. out: room for 2 * count. */
void fm_hex_put(const void *bytes, size_t count, char *out);

#endif
