/* Builds the prefilter's tables from the needles of the parsers in use. Called by the owners of the tables. */
#include "formats/scan/prefilter_tables.h"
#include "core/text/scan.h"
#include "formats/row_entity.h"

static bool is_closing(char c) { return fm_is_blank(c) || c == '\r'; }

static void allow(struct fm_prefilter *prefilter, unsigned pair, unsigned position, int byte)
{
    prefilter->of_pair[position][byte] |= (uint8_t)(1u << pair);
}

static void add_pairs(struct fm_prefilter *prefilter)
{
    for (int byte = 0; byte < 256; byte++) {
        const char c = (char)byte;
        const bool digit = fm_is_digit(c);
        if (digit || is_closing(c)) allow(prefilter, FM_PREFILTER_END, 0, byte);
        if (digit) allow(prefilter, FM_PREFILTER_NUMBER, 1, byte);
        allow(prefilter, FM_PREFILTER_SIGN, 1, byte);
        allow(prefilter, FM_PREFILTER_COLOUR, 1, byte);
        allow(prefilter, FM_PREFILTER_NUL, 1, byte);
        if (fm_row_begins_entity(c)) allow(prefilter, FM_PREFILTER_ENTITY, 1, byte);
    }
    allow(prefilter, FM_PREFILTER_SIGN, 0, '@');
    allow(prefilter, FM_PREFILTER_NUMBER, 0, '#');
    allow(prefilter, FM_PREFILTER_END, 1, '\n');
    allow(prefilter, FM_PREFILTER_COLOUR, 0, '\033');
    allow(prefilter, FM_PREFILTER_NUL, 0, '\0');
    allow(prefilter, FM_PREFILTER_ENTITY, 0, '&');
    allow(prefilter, FM_PREFILTER_ESCAPE, 0, '\\');
    allow(prefilter, FM_PREFILTER_ESCAPE, 1, 'n');
}

/* Records that the probes of these bins of a bank may have this byte at this position. */
static void admit(struct fm_prefilter *prefilter, unsigned bank, unsigned position, unsigned byte, unsigned bins)
{
    prefilter->not_low[bank][position][byte & 15] &= (uint8_t)~bins;
    prefilter->not_high[bank][position][byte >> 4] &= (uint8_t)~bins;
    prefilter->not_byte[bank][position][byte % FM_PREFILTER_BYTES] &= (uint8_t)~bins;
}

/* Records that the probes of these bins of a bank may have any byte at this position. */
static void admit_any(struct fm_prefilter *prefilter, unsigned bank, unsigned position, unsigned bins)
{
    for (unsigned byte = 0; byte < FM_PREFILTER_BYTES; byte++)
        prefilter->not_byte[bank][position][byte] &= (uint8_t)~bins;
    for (unsigned half = 0; half < 16; half++) {
        prefilter->not_low[bank][position][half] &= (uint8_t)~bins;
        prefilter->not_high[bank][position][half] &= (uint8_t)~bins;
    }
}

/* Adds a probe, three bytes to search for. bin: one of 16 bins (sets of probes), eight in each of two banks. next: the
 * byte that follows the probe; NULL: it may be any. */
static void add_probe(struct fm_prefilter *prefilter, const char probe[FM_PREFILTER_PROBE], const char *next,
                      unsigned bin)
{
    const unsigned hash = fm_prefilter_hash(probe[0], probe[1], probe[2]), bank = bin / 8, bins = 1u << bin % 8;
    for (unsigned i = 0; i < FM_PREFILTER_PROBE; i++) admit(prefilter, bank, i, (unsigned char)probe[i], bins);
    if (next) admit(prefilter, bank, FM_PREFILTER_PROBE, (unsigned char)*next, bins);
    if (!next) admit_any(prefilter, bank, FM_PREFILTER_PROBE, bins);
    prefilter->of_hash[hash] |= (uint8_t)(next ? 1u << (*next & 7) : 0xFF);
}

/* The bins (sets of probes) of two shapes that are searched for like needles, "at " and "0x1"; needles are in these
 * bins too. */
static const uint8_t bin_of_shape[FM_PREFILTER_SHAPES] = {[FM_PREFILTER_AT] = 0, [FM_PREFILTER_HEX] = 1};

static void add_shapes(struct fm_prefilter *prefilter)
{
    static const char digits[] = "0123456789abcdefABCDEF";
    add_probe(prefilter, "at ", NULL, bin_of_shape[FM_PREFILTER_AT]);
    add_probe(prefilter, "at\t", NULL, bin_of_shape[FM_PREFILTER_AT]);
    for (const char *digit = digits; *digit; digit++) {
        add_probe(prefilter, (const char[]){'0', 'x', *digit}, NULL, bin_of_shape[FM_PREFILTER_HEX]);
        add_probe(prefilter, (const char[]){'0', 'X', *digit}, NULL, bin_of_shape[FM_PREFILTER_HEX]);
    }
}

void fm_prefilter_init(struct fm_prefilter *prefilter)
{
    *prefilter = (struct fm_prefilter){.count = 0};
    memset(prefilter->not_low, 0xFF, sizeof prefilter->not_low);
    memset(prefilter->not_high, 0xFF, sizeof prefilter->not_high);
    memset(prefilter->not_byte, 0xFF, sizeof prefilter->not_byte);
    add_pairs(prefilter);
    add_shapes(prefilter);
}

/* Returns one more than the number of this needle if it was added before; 0: it was not. */
static unsigned added(const struct fm_prefilter *prefilter, const struct fm_needle *needle, unsigned hash)
{
    for (unsigned i = prefilter->first[hash]; i; i = prefilter->words[i - 1].next) {
        const struct fm_prefilter_word *other = &prefilter->words[i - 1];
        if (other->size == needle->size && other->probe == needle->probe &&
            memcmp(other->needle->word, needle->word, needle->size) == 0)
            return i;
    }
    return 0;
}

/* Returns the offset in the needle of the four bytes that are compared first: after the probe, before it, or at the
 * end of the needle. */
static unsigned first_compared(unsigned size, unsigned probe)
{
    enum { FOUR = 4 };
    const unsigned after = probe + FM_PREFILTER_PROBE;
    if (size < FOUR) return 0;
    if (after + FOUR <= size) return after;
    if (probe >= FOUR) return probe - FOUR;
    return size - after > probe ? size - FOUR : 0;
}

static void put_word(struct fm_prefilter_word *word, const struct fm_needle *needle)
{
    word->needle = needle;
    word->size = needle->size;
    word->probe = needle->probe;
    word->first = (uint8_t)first_compared(needle->size, needle->probe);
    if (needle->size >= sizeof word->four) memcpy(word->four, needle->word + word->first, sizeof word->four);
}

static void add_needle(struct fm_prefilter *prefilter, const struct fm_needle *needle, unsigned parser)
{
    const char *probe = needle->word + needle->probe;
    const unsigned hash = fm_prefilter_hash(probe[0], probe[1], probe[2]);
    const unsigned before = added(prefilter, needle, hash);
    if (before) fm_parsers_add(&prefilter->of_needle[before - 1], parser);
    if (before || prefilter->count == FM_PREFILTER_NEEDLES) return;
    fm_parsers_add(&prefilter->of_needle[prefilter->count], parser);
    const bool has_next = needle->probe + FM_PREFILTER_PROBE < needle->size;
    add_probe(prefilter, probe, has_next ? &probe[FM_PREFILTER_PROBE] : NULL, needle->bin);
    put_word(&prefilter->words[prefilter->count], needle);
    prefilter->words[prefilter->count++].next = prefilter->first[hash];
    prefilter->first[hash] = (uint16_t)prefilter->count;
}

static const uint8_t mark_of_shape[FM_PREFILTER_SHAPES] = {[FM_PREFILTER_AT] = FM_MARK_AT,
                                                           [FM_PREFILTER_SIGN] = FM_MARK_SIGN,
                                                           [FM_PREFILTER_NUMBER] = FM_MARK_NUMBER,
                                                           [FM_PREFILTER_HEX] = FM_MARK_HEX,
                                                           [FM_PREFILTER_END] = FM_MARK_END};

void fm_prefilter_add(struct fm_prefilter *prefilter, const struct fm_format *format, unsigned parser)
{
    for (size_t i = 0; i < format->needle_count; i++) add_needle(prefilter, &format->needles[i], parser);
    if (format->marks == 0) fm_parsers_add(&prefilter->of_all, parser);
    for (unsigned shape = 0; shape < FM_PREFILTER_SHAPES; shape++)
        if (format->marks & mark_of_shape[shape]) fm_parsers_add(&prefilter->of_shape[shape], parser);
}

void fm_prefilter_finish(struct fm_prefilter *prefilter)
{
    for (unsigned i = 0; i < prefilter->count; i++) fm_parsers_include(&prefilter->of_needle[i], prefilter->of_all);
    for (unsigned shape = 0; shape < FM_PREFILTER_SHAPES; shape++)
        fm_parsers_include(&prefilter->of_shape[shape], prefilter->of_all);
    for (unsigned byte = 0; byte < 256; byte++) {
        for (unsigned i = 0; i < 2; i++) admit(prefilter, FM_PREFILTER_PAIR_BANK, i, byte, prefilter->of_pair[i][byte]);
    }
    for (unsigned i = 2; i < FM_PREFILTER_SPAN; i++) admit_any(prefilter, FM_PREFILTER_PAIR_BANK, i, 0xFF);
}
