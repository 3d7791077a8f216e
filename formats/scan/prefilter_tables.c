/* Builds the prefilter's tables from the needles of the parsers in use. Called by the owners of the tables. */
#include "formats/scan/prefilter_tables.h"
#include "core/text/bits64.h"
#include "core/text/scan.h"

static bool is_closing(char c) { return fm_is_blank(c) || c == '\r'; }
static bool is_x(char c) { return (c | 0x20) == 'x'; }

static void allow(struct fm_prefilter *prefilter, unsigned set, unsigned position, int byte)
{
    prefilter->of_byte[position][byte] |= 1u << set;
}

static void add_shapes(struct fm_prefilter *prefilter)
{
    for (int byte = 0; byte < 256; byte++) {
        const char c = (char)byte;
        const bool digit = fm_is_digit(c);
        if (fm_is_blank(c)) allow(prefilter, FM_PREFILTER_AT, 2, byte);
        if (digit || is_closing(c)) allow(prefilter, FM_PREFILTER_END, 0, byte);
        if (digit) allow(prefilter, FM_PREFILTER_NUMBER, 1, byte);
        if (fm_is_hex(c)) allow(prefilter, FM_PREFILTER_HEX, 2, byte);
        if (is_x(c)) allow(prefilter, FM_PREFILTER_HEX, 1, byte);
        allow(prefilter, FM_PREFILTER_SIGN, 1, byte);
        allow(prefilter, FM_PREFILTER_SIGN, 2, byte);
        allow(prefilter, FM_PREFILTER_NUMBER, 2, byte);
        allow(prefilter, FM_PREFILTER_END, 2, byte);
        allow(prefilter, FM_PREFILTER_COLOUR, 2, byte);
        allow(prefilter, FM_PREFILTER_ESCAPE, 2, byte);
    }
    allow(prefilter, FM_PREFILTER_AT, 0, 'a');
    allow(prefilter, FM_PREFILTER_AT, 1, 't');
    allow(prefilter, FM_PREFILTER_SIGN, 0, '@');
    allow(prefilter, FM_PREFILTER_NUMBER, 0, '#');
    allow(prefilter, FM_PREFILTER_HEX, 0, '0');
    allow(prefilter, FM_PREFILTER_END, 1, '\n');
    allow(prefilter, FM_PREFILTER_END, 1, '\r');
    allow(prefilter, FM_PREFILTER_COLOUR, 0, '\033');
    allow(prefilter, FM_PREFILTER_COLOUR, 1, '[');
    allow(prefilter, FM_PREFILTER_ESCAPE, 0, '\\');
    allow(prefilter, FM_PREFILTER_ESCAPE, 1, 'n');
}

void fm_prefilter_init(struct fm_prefilter *prefilter)
{
    *prefilter = (struct fm_prefilter){.count = 0};
    memset(prefilter->not_low, 0xFF, sizeof prefilter->not_low);
    memset(prefilter->not_high, 0xFF, sizeof prefilter->not_high);
    for (size_t i = 0; i < FM_PREFILTER_HASHES; i++) prefilter->of_hash[i] = (1u << FM_PREFILTER_FIRST_NEEDLE) - 1;
    add_shapes(prefilter);
}

/* One more than the number of a needle that was added before; 0: it was not. */
static unsigned added(const struct fm_prefilter *prefilter, const struct fm_needle *needle, unsigned hash)
{
    for (unsigned i = prefilter->first[hash]; i; i = prefilter->next[i - 1]) {
        const struct fm_needle *other = prefilter->needles[i - 1];
        if (other == needle || (other->size == needle->size && other->probe == needle->probe &&
                                memcmp(other->word, needle->word, needle->size) == 0))
            return i;
    }
    return 0;
}

static void add_needle(struct fm_prefilter *prefilter, const struct fm_needle *needle, uint64_t parser)
{
    const char *probe = needle->word + needle->probe;
    const unsigned hash = fm_prefilter_hash(probe[0], probe[1], probe[2]),
                   set = FM_PREFILTER_FIRST_NEEDLE + needle->bin;
    const unsigned before = added(prefilter, needle, hash);
    if (before) prefilter->of_needle[before - 1] |= parser;
    if (before || prefilter->count == FM_PREFILTER_NEEDLES) return;
    prefilter->of_needle[prefilter->count] = parser;
    prefilter->of_hash[hash] |= 1u << set;
    for (unsigned i = 0; i < FM_PREFILTER_PROBE; i++) allow(prefilter, set, i, (unsigned char)probe[i]);
    prefilter->needles[prefilter->count] = needle;
    prefilter->next[prefilter->count++] = prefilter->first[hash];
    prefilter->first[hash] = (uint16_t)prefilter->count;
}

static const uint8_t mark_of_shape[FM_PREFILTER_FIRST_NEEDLE] = {[FM_PREFILTER_AT] = FM_MARK_AT,
                                                                 [FM_PREFILTER_SIGN] = FM_MARK_SIGN,
                                                                 [FM_PREFILTER_NUMBER] = FM_MARK_NUMBER,
                                                                 [FM_PREFILTER_HEX] = FM_MARK_HEX,
                                                                 [FM_PREFILTER_END] = FM_MARK_END};

void fm_prefilter_add(struct fm_prefilter *prefilter, const struct fm_format *format, unsigned parser)
{
    const uint64_t bit = UINT64_C(1) << parser;
    for (size_t i = 0; i < format->needle_count; i++) add_needle(prefilter, &format->needles[i], bit);
    if (format->marks == 0) prefilter->of_all |= bit;
    for (unsigned shape = 0; shape < FM_PREFILTER_FIRST_NEEDLE; shape++)
        if (format->marks & mark_of_shape[shape]) prefilter->of_shape[shape] |= bit;
}

/* For each shape, the bin that it shares with needles. */
static const uint8_t bin_of_shape[FM_PREFILTER_FIRST_NEEDLE] = {
    [FM_PREFILTER_AT] = 3,  [FM_PREFILTER_SIGN] = 1,   [FM_PREFILTER_NUMBER] = 2, [FM_PREFILTER_HEX] = 4,
    [FM_PREFILTER_END] = 0, [FM_PREFILTER_COLOUR] = 2, [FM_PREFILTER_ESCAPE] = 1};

/* The bins of each combination of shapes, from those of its lowest shape and of the rest. */
static void list_bins(uint16_t bins[1 << FM_PREFILTER_FIRST_NEEDLE])
{
    bins[0] = 0;
    for (unsigned sets = 1; sets < 1u << FM_PREFILTER_FIRST_NEEDLE; sets++)
        bins[sets] = (uint16_t)(bins[sets & (sets - 1)] | 1u << bin_of_shape[fm_lowest_bit(sets)]);
}

void fm_prefilter_finish(struct fm_prefilter *prefilter)
{
    enum { SHAPES = (1 << FM_PREFILTER_FIRST_NEEDLE) - 1 };
    uint16_t of_shapes[SHAPES + 1];
    list_bins(of_shapes);
    for (unsigned i = 0; i < FM_PREFILTER_PROBE; i++) {
        for (unsigned byte = 0; byte < 256; byte++) {
            const uint32_t sets = prefilter->of_byte[i][byte];
            const uint32_t bins = sets >> FM_PREFILTER_FIRST_NEEDLE | of_shapes[sets & SHAPES];
            for (unsigned bank = 0; bank < FM_PREFILTER_BANKS; bank++) {
                prefilter->not_low[bank][i][byte & 15] &= (uint8_t)~(bins >> 8 * bank);
                prefilter->not_high[bank][i][byte >> 4] &= (uint8_t)~(bins >> 8 * bank);
            }
        }
    }
}
