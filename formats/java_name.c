#include "formats/java_name.h"
#include "core/scan.h"

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

#if defined(__SSE2__)
enum { BLOCK = 16 };

/* Which bytes are in a range of ASCII: the others wrap around to above its size, or are that already. */
static __m128i within(__m128i bytes, char first, char last)
{
    const __m128i above = _mm_sub_epi8(bytes, _mm_set1_epi8(first));
    return _mm_cmpeq_epi8(_mm_min_epu8(above, _mm_set1_epi8((char)(last - first))), above);
}

/* Of 16 bytes a bit for each that is not such as nearly all names are of. */
static unsigned unusual(const char *at)
{
    const __m128i bytes = _mm_loadu_si128((const __m128i *)(const void *)at);
    const __m128i letters = within(_mm_or_si128(bytes, _mm_set1_epi8(0x20)), 'a', 'z'), numbers = within(bytes, '-', '9');
    const __m128i signs = _mm_or_si128(_mm_cmpeq_epi8(bytes, _mm_set1_epi8('$')), _mm_cmpeq_epi8(bytes, _mm_set1_epi8('_')));
    const __m128i usual = _mm_andnot_si128(_mm_cmpeq_epi8(bytes, _mm_set1_epi8('/')), _mm_or_si128(_mm_or_si128(letters, numbers), signs));
    return (unsigned)_mm_movemask_epi8(usual) ^ 0xFFFF;
}

size_t fm_java_run_end(framemap_str text, size_t from)
{
    unsigned end;
    if (text.size < BLOCK) return run_end_plain(text, from);
    for (; text.size - from >= BLOCK; from += BLOCK)
        if ((end = unusual(text.data + from)) != 0) return from + fm_lowest_bit(end);
    end = unusual(text.data + text.size - BLOCK) >> (BLOCK - (text.size - from)); /* some of them once more */
    return end ? from + fm_lowest_bit(end) : text.size;
}
#else
size_t fm_java_run_end(framemap_str text, size_t from) { return run_end_plain(text, from); }
#endif

size_t fm_java_name(framemap_str text)
{
    if (text.size == 0 || fm_is_digit(text.data[0]) || text.data[0] == '.') return 0;
    size_t size = fm_java_run_end(text, 0);
    while (size < text.size && fm_java_bytes[(unsigned char)text.data[size]] < FM_JAVA_STOPS) size = fm_java_run_end(text, size + 1);
    return size;
}
