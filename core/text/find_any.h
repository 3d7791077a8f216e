/* Finds the first of several bytes in a string. */
#ifndef FM_CORE_TEXT_FIND_ANY_H
#define FM_CORE_TEXT_FIND_ANY_H

#include "core/text/text.h"

#if defined(__SSE2__)
#include <emmintrin.h>

/* Returns a mask of 16 bits: bit i is set if byte i is one of `any`. */
static inline unsigned fm_any_of(const char *at, const char any[4])
{
    const __m128i bytes = _mm_loadu_si128((const __m128i *)(const void *)at);
    const __m128i one =
        _mm_or_si128(_mm_cmpeq_epi8(bytes, _mm_set1_epi8(any[0])), _mm_cmpeq_epi8(bytes, _mm_set1_epi8(any[1])));
    const __m128i other =
        _mm_or_si128(_mm_cmpeq_epi8(bytes, _mm_set1_epi8(any[2])), _mm_cmpeq_epi8(bytes, _mm_set1_epi8(any[3])));
    return (unsigned)_mm_movemask_epi8(_mm_or_si128(one, other));
}
#endif

/* Returns the offset, at or after `from`, of the first byte that is one of up to four (repeat one if fewer are needed);
 * the string's size if there is none. from: at most the string's size. Inline, so that the bytes are compile-time
 * constants. */
static inline size_t fm_str_find_any(framemap_str text, size_t from, const char any[4])
{
#if defined(__SSE2__)
    enum { BLOCK_OF_ANY = 16 };
    if (text.size >= BLOCK_OF_ANY) {
        unsigned places;
        for (; text.size - from >= BLOCK_OF_ANY; from += BLOCK_OF_ANY)
            if ((places = fm_any_of(text.data + from, any)) != 0) return from + fm_lowest_bit(places);
        places = fm_any_of(text.data + text.size - BLOCK_OF_ANY, any) >>
                 /* the last block ends with the text, so it overlaps the block before it */
                 (BLOCK_OF_ANY - (text.size - from));
        return places ? from + fm_lowest_bit(places) : text.size;
    }
#endif
    while (from < text.size && text.data[from] != any[0] && text.data[from] != any[1] && text.data[from] != any[2] &&
           text.data[from] != any[3])
        from++;
    return from;
}

#endif
