/* Implements the prefilter (prefilter.h): checks the candidates that prefilter_simd.c finds, and walks over the
 * lines without a hit. */
#include "formats/scan/prefilter.h"
#include "core/text/bits64.h"
#include "core/text/scan.h"
#include "formats/row_entity.h"

static bool is_word_byte(char c)
{
    return fm_is_digit(c) || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_';
}
static bool is_closing(char c) { return fm_is_blank(c) || c == '\r'; }

/* --- checking whether a needle or a shape really is at a candidate --- */

/* Whether a byte may follow the name in "at NAME": one of the brackets "([<", the colon of a location, or a line
 * end. */
static bool ends_name(char c)
{
    enum { LEAST = '(' };
    const uint64_t marks = UINT64_C(1) << ('(' - LEAST) | UINT64_C(1) << (':' - LEAST) | UINT64_C(1) << ('<' - LEAST) |
                           UINT64_C(1) << ('[' - LEAST);
    const unsigned at = (unsigned)(unsigned char)c - LEAST;
    return c == '\n' || (at < 64 && (marks >> at & 1) != 0);
}

/* Whether the text at p, which follows "at ", can belong to a frame row. Most rows have a parenthesis or a location;
 * the others have "native", "index 0", "unknown location", "async …". Only the first bytes are checked, so that no
 * line is searched repeatedly. */
static bool may_be_row(const char *p, const char *end)
{
    enum { FEW = 128 };
    while (p < end && fm_is_blank(*p)) p++;
    if (p == end || *p == 'n' || *p == 'i' || *p == 'u' || *p == 'a') return true;
    const char *to = end - p > FEW ? p + FEW : end;
    while (p < to && !ends_name(*p)) p++;
    return p < to ? *p != '\n' : to < end;
}

/* Whether a word may begin at p: at the start of a line, or after a byte that cannot be in a word. Also after an
 * escaped tab, "\t", whose 't' is not part of the word. */
static inline bool begins_word(const char *begin, const char *p)
{
    return p == begin || !is_word_byte(p[-1]) || (p - begin > 1 && p[-1] == 't' && p[-2] == '\\');
}

/* Whether the word "at" and a blank are at p. At least three bytes can be read there. */
static inline bool is_at(const char *begin, const char *p, const char *end)
{
    return *p == 'a' && p[1] == 't' && fm_is_blank(p[2]) && begins_word(begin, p) && may_be_row(p + 3, end);
}

/* Whether the text before `to` ends in ":1:2", or in ":1" after a URL. */
static bool ends_in_place(const char *begin, const char *to)
{
    const char *p = to;
    while (p > begin && fm_is_digit(p[-1])) p--;
    if (p == to || p == begin || p[-1] != ':') return false;
    const char *colon = --p;
    while (p > begin && fm_is_digit(p[-1])) p--;
    if (p < colon && p > begin && p[-1] == ':') return true;
    for (p = colon; p > begin && p[-1] != '\n'; p--)
        if (*p == '/' && p[-1] == ':') return true;
    return false;
}

/* Whether p is at the end of a line, or at the blanks that end it. */
static bool is_end(const char *begin, const char *p, const char *end)
{
    const char *after = p + 1, *to = p + 1;
    while (after < end && is_closing(*after)) after++;
    if (after < end && *after != '\n') return false;
    while (to > begin && is_closing(to[-1])) to--;
    return ends_in_place(begin, to);
}

/* Whether the needle is in the text at such a place that its probe (the three of its bytes that are searched for) is
 * at p. Four bytes are compared first, because most places with the probe do not have the needle. */
static inline bool prefilter_is_word(const struct fm_prefilter_word *word, const char *begin, const char *p,
                                     const char *end)
{
    if ((size_t)(p - begin) < word->probe || (size_t)(end - p) < (size_t)(word->size - word->probe)) return false;
    const char *at = p - word->probe;
    if (word->size >= sizeof word->four && memcmp(at + word->first, word->four, sizeof word->four) != 0) return false;
    return memcmp(at, word->needle->word, word->size) == 0;
}

static inline bool is_needle(const struct fm_prefilter *prefilter, const char *begin, const char *p, const char *end)
{
    for (unsigned i = prefilter->first[fm_prefilter_hash(p[0], p[1], p[2])]; i; i = prefilter->words[i - 1].next)
        if (prefilter_is_word(&prefilter->words[i - 1], begin, p, end)) return true;
    return false;
}

/* Adds the parsers of each needle that is in the text at such a place that its probe (the three of its bytes that
 * are searched for) is at p. */
static void add_of_needles(const struct fm_prefilter *prefilter, const char *begin, const char *p, const char *end,
                           struct fm_parser_set *parsers)
{
    for (unsigned i = prefilter->first[fm_prefilter_hash(p[0], p[1], p[2])]; i; i = prefilter->words[i - 1].next)
        if (prefilter_is_word(&prefilter->words[i - 1], begin, p, end))
            fm_parsers_include(parsers, prefilter->of_needle[i - 1]);
}

static inline bool has(unsigned pairs, enum fm_prefilter_shape pair) { return (pairs >> pair & 1) != 0; }

/* Returns the shapes that may be at p, judged by the two bytes there: bits by enum fm_prefilter_shape. */
static inline unsigned pairs_at(const struct fm_prefilter *prefilter, const char *p, const char *end)
{
    return fm_prefilter_pairs(prefilter, *p, end - p > 1 ? p[1] : '\n');
}
static bool is_hex_number(const char *p) { return *p == '0' && (p[1] | 0x20) == 'x' && fm_is_hex(p[2]); }

static bool is_entity(const char *p, const char *end)
{
    char letter;
    return fm_row_entity(fm_str(p, (size_t)(end - p)), 0, &letter) > 0;
}

/* Whether at least one of the given shapes is at p as a whole. pairs: the shapes, as bits; their first two bytes are
 * at p. At least two bytes can be read at p. */
static bool is_shape(unsigned pairs, const char *p, const char *begin, const char *end)
{
    return has(pairs, FM_PREFILTER_NUMBER) || has(pairs, FM_PREFILTER_COLOUR) || has(pairs, FM_PREFILTER_ESCAPE) ||
           has(pairs, FM_PREFILTER_NUL) || (has(pairs, FM_PREFILTER_END) && is_end(begin, p, end)) ||
           (has(pairs, FM_PREFILTER_ENTITY) && is_entity(p, end));
}

/* Whether a needle or a shape is at p as a whole. The scan has compared only two or three of the bytes. */
static inline bool is_hit(const struct fm_prefilter *prefilter, const char *p, const char *begin, const char *end)
{
    const unsigned pairs = pairs_at(prefilter, p, end);
    if (has(pairs, FM_PREFILTER_SIGN)) return true;
    /* At the last byte of a text that does not end with a line end, only FM_PREFILTER_END is left to be checked. */
    if (end - p < 2) return has(pairs, FM_PREFILTER_END) && is_end(begin, p, end);
    if (pairs && is_shape(pairs, p, begin, end)) return true;
    if (end - p < FM_PREFILTER_PROBE) return false;
    return is_needle(prefilter, begin, p, end) || is_at(begin, p, end) || is_hex_number(p);
}

/* Adds the parsers that have a needle (text to search for) or a shape (pattern such as an address) at p. */
static void add_parsers_at(const struct fm_prefilter *prefilter, const char *p, const char *begin, const char *end,
                           struct fm_parser_set *parsers)
{
    const unsigned pairs = pairs_at(prefilter, p, end);
    const struct fm_parser_set *of_shape = prefilter->of_shape;
    if (has(pairs, FM_PREFILTER_SIGN)) fm_parsers_include(parsers, of_shape[FM_PREFILTER_SIGN]);
    if (has(pairs, FM_PREFILTER_END) && is_end(begin, p, end)) fm_parsers_include(parsers, of_shape[FM_PREFILTER_END]);
    if (end - p < 2) return;
    if (has(pairs, FM_PREFILTER_NUMBER)) fm_parsers_include(parsers, of_shape[FM_PREFILTER_NUMBER]);
    if (has(pairs, FM_PREFILTER_COLOUR)) fm_parsers_include(parsers, of_shape[FM_PREFILTER_COLOUR]);
    if (has(pairs, FM_PREFILTER_ESCAPE)) fm_parsers_include(parsers, of_shape[FM_PREFILTER_ESCAPE]);
    if (end - p < FM_PREFILTER_PROBE) return;
    add_of_needles(prefilter, begin, p, end, parsers);
    if (is_at(begin, p, end)) fm_parsers_include(parsers, of_shape[FM_PREFILTER_AT]);
    if (is_hex_number(p)) fm_parsers_include(parsers, of_shape[FM_PREFILTER_HEX]);
}

/* --- walking over the text --- */

/* Size of the first run, the bytes that are scanned at once. It is small, since a short text often is a stack, in
 * which no line can be skipped. */
#define SHORT_RUN ((size_t)512)

void fm_prefilter_start(struct fm_prefilter_walk *walk, const struct fm_prefilter *prefilter, framemap_str text)
{
    walk->prefilter = prefilter;
    walk->scan = fm_prefilter_best_scan(0);
    walk->text = text;
    walk->reach = SHORT_RUN;
    walk->begin = walk->end = 0;
    walk->next = walk->run.count = 0;
    walk->line = FM_NOT_FOUND;
}

/* Scans the run of at most `most` bytes that begins at `at`, which is within the text. */
static void scan_run(struct fm_prefilter_walk *walk, size_t at, size_t most)
{
    const size_t left = walk->text.size - at, size = left < most ? left : most;
    walk->scan(walk->prefilter, walk->text.data + at, size, left, &walk->run);
    walk->begin = at;
    walk->end = at + size;
    walk->next = 0;
}

/* Scans the next bytes of a walk that goes over all lines. Each scan is twice as long as the one before, up to
 * FM_PREFILTER_RUN bytes. */
static void scan_next(struct fm_prefilter_walk *walk, size_t at)
{
    scan_run(walk, at, walk->reach);
    if (walk->reach < FM_PREFILTER_RUN) walk->reach *= 2;
}

/* Returns the offset of the next needle or shape in the current run, at or after offset `from`; the end of the run
 * if not found. */
static size_t next_hit(struct fm_prefilter_walk *walk, size_t from)
{
    const char *text = walk->text.data, *end = text + walk->text.size;
    while (walk->next < walk->run.count) {
        const size_t at = walk->begin + walk->run.at[walk->next++];
        if (at >= from && is_hit(walk->prefilter, text + at, text, end)) return at;
    }
    return walk->end;
}

/* Returns the number of line ends in [from, to), which must be within the current run. */
static uint64_t count_lines(const struct fm_prefilter_walk *walk, size_t from, size_t to)
{
    const size_t first = from - walk->begin, after = to - walk->begin;
    uint64_t count = 0;
    if (from == walk->begin && to == walk->end) return walk->run.lines;
    for (size_t word = first / 64; word * 64 < after; word++) {
        uint64_t bits = walk->run.ends[word];
        if (word == first / 64) bits &= ~UINT64_C(0) << first % 64;
        if (word == after / 64) bits &= ~(~UINT64_C(0) << after % 64);
        count += fm_count_bits(bits);
    }
    return count;
}

/* Returns the start of the line that contains `to`, a position in the current run or its end. Returns `line` if that
 * line starts before the run. */
static size_t line_of(const struct fm_prefilter_walk *walk, size_t to, size_t line)
{
    const size_t after = to - walk->begin;
    size_t word = after / 64;
    uint64_t bits = after % 64 ? walk->run.ends[word] & ~(~UINT64_C(0) << after % 64) : 0;
    while (bits == 0 && word > 0) bits = walk->run.ends[--word];
    return bits ? walk->begin + word * 64 + fm_highest_bit(bits) + 1 : line;
}

struct fm_prefilter_line fm_prefilter_next(struct fm_prefilter_walk *walk, size_t from)
{
    struct fm_prefilter_line out = {from, 0};
    for (size_t at = from; at < walk->text.size; at = walk->end) {
        if (at < walk->begin || at >= walk->end) scan_next(walk, at);
        const size_t hit = next_hit(walk, at);
        out.lines += count_lines(walk, at, hit);
        out.at = line_of(walk, hit, out.at);
        if (hit < walk->end) break;
    }
    return out;
}

/* Makes the walk continue, further back or ahead, at the first candidate (a place that may have a needle or shape)
 * at or after `from`, which must be within the current run. */
static void seek(struct fm_prefilter_walk *walk, size_t from)
{
    const size_t at = from - walk->begin;
    while (walk->next > 0 && walk->run.at[walk->next - 1] >= at) walk->next--;
    while (walk->next < walk->run.count && walk->run.at[walk->next] < at) walk->next++;
}

/* Returns how many bytes are scanned for a line of a given size: the vector code scans 64 bytes at a time, and the
 * bytes that are left one by one. */
static size_t whole_steps(size_t size)
{
    enum { STEP = 64 };
    const size_t whole = (size + STEP - 1) / STEP * STEP;
    return whole < FM_PREFILTER_RUN ? whole : FM_PREFILTER_RUN;
}

/* Returns how many bytes after a line are scanned with it, for the lines that follow: none, unless the last run ended
 * close before it, since the caller may not need the next lines. */
static size_t ahead_of(const struct fm_prefilter_walk *walk, size_t at)
{
    enum { NEAR = 64, AHEAD = 512 };
    return at >= walk->end && at - walk->end < NEAR ? AHEAD : 0;
}

struct fm_parser_set fm_prefilter_parsers(struct fm_prefilter_walk *walk, size_t from, size_t to)
{
    const char *text = walk->text.data, *end = text + walk->text.size;
    if (walk->line == from) return walk->parsers;
    walk->line = from;
    walk->parsers = FM_PARSERS_NONE;
    for (size_t at = from; at < to; at = walk->end) {
        if (at < walk->begin || at >= walk->end) scan_run(walk, at, whole_steps(to - at + ahead_of(walk, at)));
        seek(walk, at);
        for (; walk->next < walk->run.count && walk->begin + walk->run.at[walk->next] < to; walk->next++)
            add_parsers_at(walk->prefilter, text + walk->begin + walk->run.at[walk->next], text, end, &walk->parsers);
    }
    return walk->parsers;
}

struct fm_parser_set fm_prefilter_parsers_in(const struct fm_prefilter_walk *walk, framemap_str line, size_t left)
{
    const char *end = line.data + line.size;
    struct fm_prefilter_run run;
    struct fm_parser_set parsers = FM_PARSERS_NONE;
    for (size_t at = 0; at < line.size; at += FM_PREFILTER_RUN) {
        const size_t whole = whole_steps(line.size - at), most = left - at;
        walk->scan(walk->prefilter, line.data + at, whole < most ? whole : most, most, &run);
        for (unsigned i = 0; i < run.count && at + run.at[i] < line.size; i++)
            add_parsers_at(walk->prefilter, line.data + at + run.at[i], line.data, end, &parsers);
    }
    /* The scan did not see a line end after this text, so its last byte is checked here for shapes at the end of a
     * line. */
    if (line.size) add_parsers_at(walk->prefilter, end - 1, line.data, end, &parsers);
    return parsers;
}
