#include "formats/lines.h"
#include "core/cpu.h"
#include "core/limits.h"

#if FM_CPU_HAS_AVX2
#include <immintrin.h>
#endif

/* Quoting of mails and diffs ("> ", "| ", "+"), colours, and a byte order mark: bytes before the line as it once was. */
static size_t wrapping(framemap_str text)
{
    size_t at = 0;
    if (text.size >= 3 && memcmp(text.data, "\xEF\xBB\xBF", 3) == 0) at = 3;
    while (at < text.size) {
        char c = text.data[at];
        if (c == '>' || c == '|') {
            at++;
            if (at < text.size && text.data[at] == ' ') at++;
        } else if (c == '+' && at == 0) {
            at++;
        } else if (c == '\033' && at + 1 < text.size && text.data[at + 1] == '[') {
            at += 2;
            while (at < text.size && (fm_is_digit(text.data[at]) || text.data[at] == ';')) at++;
            if (at < text.size) at++;
        } else {
            break;
        }
    }
    return at;
}

/* Closing colours and blanks. A colour ends in 'm', which few lines do. */
static size_t closing(framemap_str text)
{
    size_t size = text.size;
    for (;;) {
        while (size && (fm_is_blank(text.data[size - 1]) || text.data[size - 1] == '\r')) size--;
        if (size < 3 || text.data[size - 1] != 'm') return size;
        size_t at = size - 1;
        while (at && (fm_is_digit(text.data[at - 1]) || text.data[at - 1] == ';')) at--;
        if (at < 2 || text.data[at - 1] != '[' || text.data[at - 2] != '\033') return size;
        size = at - 2;
    }
}

size_t fm_line_prefix(framemap_str line)
{
    size_t wrapped = wrapping(line);
    return wrapped + fm_log_prefix(fm_str_from(line, wrapped));
}

static framemap_str body_of(framemap_str text)
{
    if (text.size > FM_LIMIT_LINE) return fm_str(text.data, 0);
    text.size = closing(text);
    return fm_str_from(text, fm_line_prefix(text));
}

static void set_line(framemap_str text, framemap_str body, unsigned lacks, struct fm_line *out)
{
    size_t blank = 0;
    out->lacks = (uint8_t)lacks;
    out->text = text;
    out->body = body;
    while (blank < body.size && fm_is_blank(body.data[blank])) blank++;
    out->first = blank < body.size ? body.data[blank] : '\0';
    out->last = blank < body.size ? body.data[body.size - 1] : '\0';
}

/* The next piece of the physical line at hand. */
static bool next_piece(struct fm_lines *lines, struct fm_line *out)
{
    framemap_str piece;
    if (!fm_pieces_next(&lines->pieces, &piece, &out->begins)) {
        lines->pieces.at = NULL;
        return false;
    }
    framemap_str body = body_of(piece);
    out->offset = (uint64_t)(piece.data - lines->text.data);
    out->number1 = lines->number1;
    set_line(piece, fm_str_from(body, fm_pieces_blanks(body)), 0, out);
    return true;
}

/* Bytes up to the line's end, or to the text's. */
static size_t to_line_end(const char *at, size_t left)
{
    const char *newline = memchr(at, '\n', left);
    return newline ? (size_t)(newline - at) : left;
}

#if FM_CPU_HAS_AVX2
enum { BLOCK = 32 };

FM_WITH_AVX2 static inline uint32_t where(__m256i bytes, char wanted)
{
    return (uint32_t)_mm256_movemask_epi8(_mm256_cmpeq_epi8(bytes, _mm256_set1_epi8(wanted)));
}

/* The same, and what the line lacks, looked for on the way. */
FM_WITH_AVX2 static size_t run_line(const char *from, size_t left, unsigned *lacks)
{
    uint32_t open = 0, number = 0, sign = 0, error = 0, carried = 0, within = 0;
    const char *at = from;
    *lacks = 0;
    for (; left >= BLOCK; at += BLOCK, left -= BLOCK) {
        const __m256i bytes = _mm256_loadu_si256((const __m256i *)(const void *)at);
        const uint32_t ends = where(bytes, '\n'), r = where(bytes, 'r');
        within = ends ? (ends & (0 - ends)) - 1 : UINT32_MAX; /* the bytes in front of the first line end */
        open |= where(bytes, '(') & within;
        number |= where(bytes, '#') & within;
        sign |= where(bytes, '@') & within;
        error |= where(bytes, ':') & (r << 1 | carried) & within;
        carried = r >> 31;
        if (ends == 0) continue;
        *lacks = (open ? 0 : FM_LACKS_OPEN) | (number ? 0 : FM_LACKS_NUMBER) | (sign ? 0 : FM_LACKS_SIGN) | (error ? 0 : FM_LACKS_ERROR);
        return (size_t)(at - from) + (unsigned)__builtin_ctz(ends);
    }
    return (size_t)(at - from) + to_line_end(at, left); /* by the text's end: not worth the looking */
}

static size_t line_size(const char *at, size_t left, unsigned *lacks)
{
    if (fm_cpu_avx2()) return run_line(at, left, lacks);
    *lacks = 0;
    return to_line_end(at, left);
}
#else
static size_t line_size(const char *at, size_t left, unsigned *lacks)
{
    *lacks = 0;
    return to_line_end(at, left);
}
#endif

/* Whether there is a backslash in [from, to): looked for once for many lines. */
static bool has_backslash(struct fm_lines *lines, size_t from, size_t to)
{
    enum { AHEAD = 512 }; /* more is lost where lines are passed over */
    if (lines->backslash < from || lines->searched < to) {
        const size_t left = lines->text.size - from, size = to - from > AHEAD ? to - from : AHEAD;
        lines->searched = from + (size < left ? size : left);
        const char *found = memchr(lines->text.data + from, '\\', lines->searched - from);
        lines->backslash = found ? (size_t)(found - lines->text.data) : lines->searched;
    }
    return lines->backslash < to;
}

void fm_lines_skip(struct fm_lines *lines, size_t at, uint64_t passed)
{
    lines->at = at;
    lines->number1 += passed;
}

bool fm_lines_next(struct fm_lines *lines, struct fm_line *out)
{
    if (lines->pieces.at && next_piece(lines, out)) return true;
    if (lines->at >= lines->text.size) return false;
    const char *start = lines->text.data + lines->at;
    size_t left = lines->text.size - lines->at;
    unsigned lacks;
    size_t size = line_size(start, left, &lacks);
    size_t offset = lines->at;
    lines->number1++;
    lines->at += size + (size < left ? 1 : 0);
    if (size && start[size - 1] == '\r') size--;
    framemap_str text = fm_str(start, size);
    if (has_backslash(lines, offset, offset + size) && fm_pieces_begin(text, &lines->pieces)) return next_piece(lines, out);
    out->begins = false;
    out->offset = offset;
    out->number1 = lines->number1;
    set_line(text, body_of(text), lacks, out);
    return true;
}
