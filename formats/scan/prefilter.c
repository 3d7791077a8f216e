#include "core/text/bits64.h"
#include "formats/scan/prefilter_simd.h"

/* --- the tables --- */

static bool is_word_byte(char c)
{
    return fm_is_digit(c) || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_';
}
static bool is_closing(char c) { return fm_is_blank(c) || c == '\r'; }
static bool is_x(char c) { return (c | 0x20) == 'x'; }

static void allow(struct fm_prefilter *skim, enum fm_prefilter_set set, unsigned place, int byte)
{
    skim->of_byte[place][byte] |= (uint16_t)(1u << set);
}

/* The shapes that are no words. */
static void make_shapes(struct fm_prefilter *skim)
{
    for (int byte = 0; byte < 256; byte++) {
        const char c = (char)byte;
        const bool digit = fm_is_digit(c);
        if (fm_is_blank(c)) allow(skim, FM_PREFILTER_AT, 2, byte);
        if (digit || is_closing(c)) allow(skim, FM_PREFILTER_END, 0, byte);
        if (digit) allow(skim, FM_PREFILTER_NUMBER, 1, byte);
        if (fm_is_hex(c)) allow(skim, FM_PREFILTER_HEX, 2, byte);
        if (is_x(c)) allow(skim, FM_PREFILTER_HEX, 1, byte);
        allow(skim, FM_PREFILTER_SIGN, 1, byte);
        allow(skim, FM_PREFILTER_SIGN, 2, byte);
        allow(skim, FM_PREFILTER_NUMBER, 2, byte);
        allow(skim, FM_PREFILTER_END, 2, byte);
        allow(skim, FM_PREFILTER_COLOUR, 2, byte);
        allow(skim, FM_PREFILTER_ESCAPE, 2, byte);
    }
    allow(skim, FM_PREFILTER_AT, 0, 'a');
    allow(skim, FM_PREFILTER_AT, 1, 't');
    allow(skim, FM_PREFILTER_SIGN, 0, '@');
    allow(skim, FM_PREFILTER_NUMBER, 0, '#');
    allow(skim, FM_PREFILTER_HEX, 0, '0');
    allow(skim, FM_PREFILTER_END, 1, '\n');
    allow(skim, FM_PREFILTER_END, 1, '\r');
    allow(skim, FM_PREFILTER_COLOUR, 0, '\033');
    allow(skim, FM_PREFILTER_COLOUR, 1, '[');
    allow(skim, FM_PREFILTER_ESCAPE, 0, '\\');
    allow(skim, FM_PREFILTER_ESCAPE, 1, 'n');
}

static void make_words(struct fm_prefilter *skim)
{
    size_t count;
    const struct fm_prefilter_word *words = fm_prefilter_words(&count);
    skim->words = words;
    for (size_t i = 0; i < FM_PREFILTER_PROBES; i++) skim->of_print[i] = (1u << FM_PREFILTER_FIRST_WORD) - 1;
    for (size_t i = 0; i < count; i++) {
        const char *print = words[i].word.data + words[i].print;
        const unsigned hash = fm_prefilter_probe_hash(print[0], print[1], print[2]);
        uint8_t *first = &skim->by_print[hash];
        skim->of_print[hash] |= (uint16_t)(1u << words[i].set);
        for (unsigned place = 0; place < FM_PREFILTER_PROBE; place++)
            allow(skim, words[i].set, place, (unsigned char)print[place]);
        skim->next[i] = *first;
        *first = (uint8_t)(i + 1);
    }
}

/* The bins of all sets of shapes: each as those of its lowest one and of the rest. */
static void list_bins(uint8_t bins[1 << FM_PREFILTER_FIRST_WORD])
{
    bins[0] = 0;
    for (unsigned sets = 1; sets < 1u << FM_PREFILTER_FIRST_WORD; sets++)
        bins[sets] = (uint8_t)(bins[sets & (sets - 1)] | 1u << fm_prefilter_bins[fm_lowest_bit(sets)]);
}

void fm_prefilter_make(struct fm_prefilter *skim)
{
    enum { SHAPES = (1 << FM_PREFILTER_FIRST_WORD) - 1 };
    uint8_t of_shapes[SHAPES + 1];
    *skim = (struct fm_prefilter){.words = NULL};
    memset(skim->not_low, 0xFF, sizeof skim->not_low);
    memset(skim->not_high, 0xFF, sizeof skim->not_high);
    make_shapes(skim);
    make_words(skim);
    list_bins(of_shapes);
    for (unsigned place = 0; place < FM_PREFILTER_PROBE; place++) {
        for (unsigned byte = 0; byte < 256; byte++) {
            const unsigned sets = skim->of_byte[place][byte];
            const uint8_t bins = (uint8_t)(sets >> FM_PREFILTER_FIRST_WORD | of_shapes[sets & SHAPES]);
            skim->not_low[place][byte & 15] &= (uint8_t)~bins;
            skim->not_high[place][byte >> 4] &= (uint8_t)~bins;
        }
    }
}

/* --- what a fingerprint stands for --- */

/* Whether a row may go on behind its "at ". Most have a parenthesis or a place; those that have neither are "native",
 * "index 0", "unknown location", "async …". A row's first bytes alone are looked at, so that no line is gone through
 * again and again. */
static bool may_be_row(const char *p, const char *end)
{
    enum { FEW = 128 };
    while (p < end && fm_is_blank(*p)) p++;
    if (p == end || *p == 'n' || *p == 'i' || *p == 'u' || *p == 'a') return true;
    const char *to = end - p > FEW ? p + FEW : end;
    for (; p < to && *p != '\n'; p++)
        if (*p == '(' || *p == ':' || *p == '<' || *p == '[') return true;
    return p == to && to < end;
}

/* Behind what is no word, and in front of a blank. */
static bool is_at(const char *begin, const char *p, const char *end)
{
    return end - p > 2 && fm_is_blank(p[2]) && (p == begin || !is_word_byte(p[-1])) && may_be_row(p + 3, end);
}

/* ":1:2" or, behind an address of the web, ":1" in front of `to`. */
static bool ends_in_place(const char *begin, const char *to)
{
    const char *p = to;
    while (p > begin && fm_is_digit(p[-1])) p--;
    if (p == to || p == begin || p[-1] != ':') return false;
    const char *behind = --p;
    while (p > begin && fm_is_digit(p[-1])) p--;
    if (p < behind && p > begin && p[-1] == ':') return true;
    for (p = behind; p > begin && p[-1] != '\n'; p--)
        if (*p == '/' && p[-1] == ':') return true;
    return false;
}

/* A line's end at or behind p. */
static bool is_end(const char *begin, const char *p, const char *end)
{
    const char *behind = p + 1, *to = p + 1;
    while (behind < end && is_closing(*behind)) behind++;
    if (behind < end && *behind != '\n') return false;
    while (to > begin && is_closing(to[-1])) to--;
    return ends_in_place(begin, to);
}

static bool is_word(const struct fm_prefilter *skim, const char *begin, const char *p, const char *end)
{
    for (unsigned i = skim->by_print[fm_prefilter_probe_hash(p[0], p[1], p[2])]; i; i = skim->next[i - 1]) {
        const struct fm_prefilter_word *word = &skim->words[i - 1];
        if ((size_t)(p - begin) < word->print || (size_t)(end - p) < word->word.size - word->print) continue;
        if (fm_str_begins(fm_str(p - word->print, word->word.size), word->word)) return true;
    }
    return false;
}

static inline bool has(unsigned sets, enum fm_prefilter_set set) { return (sets >> set & 1) != 0; }

/* Whether a mark begins with the fingerprint at p, or what looks like one. */
static bool is_mark(const struct fm_prefilter *skim, const char *p, const char *begin, const char *end)
{
    const char two = end - p > 1 ? p[1] : '\n', three = end - p > 2 ? p[2] : '\n';
    const unsigned sets = fm_prefilter_sets(skim, *p, two, three);
    if (sets >> FM_PREFILTER_FIRST_WORD != 0 && end - p >= FM_PREFILTER_PROBE && is_word(skim, begin, p, end))
        return true;
    if (has(sets, FM_PREFILTER_AT) && is_at(begin, p, end)) return true;
    if (has(sets, FM_PREFILTER_SIGN)) return true;
    if (end - p < 2) return false;
    if (has(sets, FM_PREFILTER_NUMBER) || has(sets, FM_PREFILTER_COLOUR) || has(sets, FM_PREFILTER_ESCAPE)) return true;
    if (has(sets, FM_PREFILTER_HEX) && end - p > 2) return true;
    return has(sets, FM_PREFILTER_END) && is_end(begin, p, end);
}

/* --- the walk --- */

void fm_prefilter_start(struct fm_prefilter_walk *walk, const struct fm_prefilter *skim, framemap_str text)
{
    *walk = (struct fm_prefilter_walk){.skim = skim, .look = fm_prefilter_best_look(0), .text = text};
}

/* Looks at the run that begins at `at`, which is within the text. */
static void look_at(struct fm_prefilter_walk *walk, size_t at)
{
    const size_t left = walk->text.size - at, size = left < FM_PREFILTER_RUN ? left : FM_PREFILTER_RUN;
    walk->look(walk->skim, walk->text.data + at, size, left, &walk->run);
    walk->begin = at;
    walk->end = at + size;
    walk->next = 0;
}

/* Where the next mark is in the run, not before `from`; the run's end where there is none. */
static size_t next_mark(struct fm_prefilter_walk *walk, size_t from)
{
    const char *text = walk->text.data, *end = text + walk->text.size;
    while (walk->next < walk->run.count) {
        const size_t at = walk->begin + walk->run.at[walk->next++];
        if (at >= from && is_mark(walk->skim, text + at, text, end)) return at;
    }
    return walk->end;
}

/* How many line ends [from, to) has, both of the run. */
static uint64_t count_lines(const struct fm_prefilter_walk *walk, size_t from, size_t to)
{
    const size_t first = from - walk->begin, behind = to - walk->begin;
    uint64_t count = 0;
    if (from == walk->begin && to == walk->end) return walk->run.lines;
    for (size_t word = first / 64; word * 64 < behind; word++) {
        uint64_t bits = walk->run.ends[word];
        if (word == first / 64) bits &= ~UINT64_C(0) << first % 64;
        if (word == behind / 64) bits &= ~(~UINT64_C(0) << behind % 64);
        count += fm_count_bits(bits);
    }
    return count;
}

/* Where the line begins that `to` is in, which is of the run or its end; `line` where that is before the run. */
static size_t line_of(const struct fm_prefilter_walk *walk, size_t to, size_t line)
{
    const size_t behind = to - walk->begin;
    size_t word = behind / 64;
    uint64_t bits = behind % 64 ? walk->run.ends[word] & ~(~UINT64_C(0) << behind % 64) : 0;
    while (bits == 0 && word > 0) bits = walk->run.ends[--word];
    return bits ? walk->begin + word * 64 + fm_highest_bit(bits) + 1 : line;
}

struct fm_prefilter_line fm_prefilter_next(struct fm_prefilter_walk *walk, size_t from)
{
    struct fm_prefilter_line out = {from, 0};
    for (size_t at = from; at < walk->text.size; at = walk->end) {
        if (at < walk->begin || at >= walk->end) look_at(walk, at);
        const size_t mark = next_mark(walk, at);
        out.lines += count_lines(walk, at, mark);
        out.at = line_of(walk, mark, out.at);
        if (mark < walk->end) break;
    }
    return out;
}
