/* Finds the end and the last dot of class names, with SSE2 if available. Called by the parsers of formats/java. */
#include "formats/java/java_name.h"
#include "core/text/scan.h"

#if defined(__SSE2__)
#include <emmintrin.h>
#endif

const unsigned char fm_java_bytes[256] = {
    [' '] = FM_JAVA_ENDS,  ['\t'] = FM_JAVA_ENDS, ['\n'] = FM_JAVA_ENDS, ['\v'] = FM_JAVA_ENDS, ['\f'] = FM_JAVA_ENDS,
    ['\r'] = FM_JAVA_ENDS, ['['] = FM_JAVA_ENDS,  [']'] = FM_JAVA_ENDS,  [';'] = FM_JAVA_ENDS,  [':'] = FM_JAVA_ENDS,
    ['('] = FM_JAVA_ENDS,  [')'] = FM_JAVA_ENDS,  ['<'] = FM_JAVA_ENDS,  ['>'] = FM_JAVA_ENDS,  ['.'] = FM_JAVA_DOT,
    ['/'] = FM_JAVA_SLASH, ['\\'] = FM_JAVA_ODD,  ['&'] = FM_JAVA_ODD,   ['"'] = FM_JAVA_STOPS, [','] = FM_JAVA_STOPS,
};

static size_t run_end_plain(framemap_str text, size_t from)
{
    while (from < text.size && fm_java_bytes[(unsigned char)text.data[from]] <= FM_JAVA_DOT) from++;
    return from;
}

static struct fm_java_run run_plain(framemap_str text)
{
    struct fm_java_run run = {.dot = SIZE_MAX};
    for (; run.end < text.size && fm_java_bytes[(unsigned char)text.data[run.end]] <= FM_JAVA_SLASH; run.end++) {
        if (text.data[run.end] == '.') run.dot = run.end;
        run.slashed |= text.data[run.end] == '/';
    }
    return run;
}

#if defined(__SSE2__)
enum { BLOCK = 16 };

/* Returns a mask of the bytes that are in the ASCII range `first` to `last`. After `first` was subtracted, the
 * unsigned value of all other bytes is larger than the size of the range. */
static __m128i within(__m128i bytes, char first, char last)
{
    const __m128i above = _mm_sub_epi8(bytes, _mm_set1_epi8(first));
    return _mm_cmpeq_epi8(_mm_min_epu8(above, _mm_set1_epi8((char)(last - first))), above);
}

static __m128i load(const char *at) { return _mm_loadu_si128((const __m128i *)(const void *)at); }

static unsigned places_of(__m128i bytes, char byte)
{
    return (unsigned)_mm_movemask_epi8(_mm_cmpeq_epi8(bytes, _mm_set1_epi8(byte)));
}

/* Returns a bit mask of those of 16 bytes that are neither '/' nor common in names. */
static unsigned odd_places(__m128i bytes)
{
    const __m128i letters = within(_mm_or_si128(bytes, _mm_set1_epi8(0x20)), 'a', 'z'),
                  numbers = within(bytes, '-', '9');
    const __m128i signs =
        _mm_or_si128(_mm_cmpeq_epi8(bytes, _mm_set1_epi8('$')), _mm_cmpeq_epi8(bytes, _mm_set1_epi8('_')));
    return (unsigned)_mm_movemask_epi8(_mm_or_si128(_mm_or_si128(letters, numbers), signs)) ^ 0xFFFF;
}

static unsigned unusual(const char *at) { return odd_places(load(at)) | places_of(load(at), '/'); }

size_t fm_java_run_end(framemap_str text, size_t from)
{
    unsigned end;
    if (text.size < BLOCK) return run_end_plain(text, from);
    for (; text.size - from >= BLOCK; from += BLOCK)
        if ((end = unusual(text.data + from)) != 0) return from + fm_lowest_bit(end);
    /* the last block of bytes overlaps the block before it */
    end = unusual(text.data + text.size - BLOCK) >> (BLOCK - (text.size - from));
    return end ? from + fm_lowest_bit(end) : text.size;
}

/* Finds the run of name bytes at the start of a text, and its last dot, with bit masks. A branch per byte would be
 * slower, because the positions of dots are unpredictable. */
struct fm_java_run fm_java_run_of(framemap_str text)
{
    struct fm_java_run run = {.dot = SIZE_MAX};
    size_t from = 0; /* offset of the block being read; the last block overlaps the one before it */
    if (text.size < BLOCK) return run_plain(text);
    for (;; from = text.size - from < 2 * BLOCK ? text.size - BLOCK : from + BLOCK) {
        const __m128i bytes = load(text.data + from);
        const unsigned odd = odd_places(bytes),
                       /* This mask has a bit for each byte before the first one that cannot be part of a name. */
            before = (odd - 1) & ~odd & 0xFFFF;
        const unsigned dots = places_of(bytes, '.') & before;
        if (dots) run.dot = from + fm_highest_bit(dots);
        run.slashed |= (places_of(bytes, '/') & before) != 0;
        run.end = from + (odd ? fm_lowest_bit(odd) : BLOCK);
        if (odd || run.end == text.size) return run;
    }
}
#else
size_t fm_java_run_end(framemap_str text, size_t from) { return run_end_plain(text, from); }
struct fm_java_run fm_java_run_of(framemap_str text) { return run_plain(text); }
#endif

size_t fm_java_name(framemap_str text)
{
    if (text.size == 0 || fm_is_digit(text.data[0]) || text.data[0] == '.') return 0;
    size_t size = fm_java_run_end(text, 0);
    while (size < text.size && fm_java_bytes[(unsigned char)text.data[size]] < FM_JAVA_STOPS)
        size = fm_java_run_end(text, size + 1);
    return size;
}
