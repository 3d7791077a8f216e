/* Makes FSST symbol tables from sample texts, and encodes texts with them. See fsst.h. */
#include "index/format/fsst.h"
#include "core/hash/hash.h"
#include "core/text/merge_sort.h"
#include "index/format/bits.h"
#include <string.h>

#define ROUNDS 5     /* training rounds: each joins adjacent symbols that the previous round found */
#define PAIR_LEAST 3 /* a pair must occur this often to become a symbol */
/* Weight of a symbol of one byte. It is more than the size of the symbol, because a byte without a symbol needs an
 * escape, and also ends the match before it. */
#define LONE_WEIGHT 4

/* --- encoding strings --- */

/* Loads up to 8 bytes at an offset before the end, the first byte lowest, padded with zeros. */
static inline uint64_t load_tail(framemap_str text, size_t at)
{
    const unsigned char *from = (const unsigned char *)text.data;
    uint64_t word = 0;
    if (text.size - at >= 8) return fm_load64(from + at);
    if (text.size >= 8) return fm_load64(from + text.size - 8) >> 8 * (8 - (text.size - at));
    for (size_t i = at; i < text.size; i++) word |= (uint64_t)from[i] << 8 * (i - at);
    return word;
}

static inline unsigned fsst_slot_of(uint64_t word) { return (uint32_t)(word & 0xFFFFFF) * UINT32_C(2654435761) >> 22; }

/* Returns the code of the longest symbol that matches, or FM_FSST_ESCAPE. word: the next bytes; left: how many bytes
 * are left, at least one. */
static inline unsigned match(const struct fm_fsst_encoder *finder, uint64_t word, size_t left)
{
    const unsigned slot = fsst_slot_of(word);
    const struct fm_fsst_entry *end = &finder->entries[finder->first[slot + 1]];
    for (const struct fm_fsst_entry *entry = &finder->entries[finder->first[slot]]; entry < end; entry++)
        if ((word & entry->mask) == entry->word && entry->size <= left) return entry->code;
    return left > 1 ? finder->short_ones[word & UINT16_MAX] : finder->single[word & UINT8_MAX];
}

size_t fm_fsst_encode(const struct fm_fsst_encoder *finder, framemap_str text, unsigned char *to)
{
    unsigned char *const begin = to;
    for (size_t at = 0; at < text.size;) {
        const uint64_t word = load_tail(text, at);
        const unsigned code = match(finder, word, text.size - at);
        to[0] = (unsigned char)code;
        /* this second byte is part of the code only after FM_FSST_ESCAPE; after any other code, the next code
         * overwrites it */
        to[1] = (unsigned char)word;
        to += code == FM_FSST_ESCAPE ? 2 : 1;
        at += finder->sizes[code];
    }
    return (size_t)(to - begin);
}

/* Fills the table of pairs of bytes: first with the codes of the symbols for the first byte alone, then with the codes
 * of symbols of two bytes. */
static void find_short_ones(const struct fm_fsst_symbols *symbols, struct fm_fsst_encoder *out)
{
    memset(out->single, FM_FSST_ESCAPE, sizeof out->single);
    for (unsigned code = 0; code < symbols->count && symbols->sizes[code] == 1; code++)
        out->single[symbols->words[code]] = (uint8_t)code;
    for (unsigned second = 0; second < 256; second++)
        memcpy(out->short_ones + 256 * second, out->single, sizeof out->single);
    for (unsigned code = 0; code < symbols->count; code++)
        if (symbols->sizes[code] == 2) out->short_ones[symbols->words[code]] = (uint8_t)code;
}

void fm_fsst_encoder_init(const struct fm_fsst_symbols *symbols, struct fm_fsst_encoder *out)
{
    find_short_ones(symbols, out);
    memset(out->sizes, 1, sizeof out->sizes);
    memset(out->first, 0, sizeof out->first);
    memcpy(out->sizes, symbols->sizes, symbols->count);
    for (unsigned code = 0; code < symbols->count; code++)
        if (symbols->sizes[code] > 2) out->first[fsst_slot_of(symbols->words[code])]++;
    /* Sets first[slot] to the end of each slot. Inserting the entries backwards then moves it to the slot's start. */
    for (unsigned slot = 0, end = 0; slot <= FM_FSST_SLOTS; slot++)
        out->first[slot] = (uint16_t)(end += out->first[slot]);
    /* the symbols are sorted by size, so in each slot the longer ones come first */
    for (unsigned code = 0; code < symbols->count; code++) {
        const unsigned size = symbols->sizes[code];
        const struct fm_fsst_entry entry = {symbols->words[code], fm_bits_mask(8 * size), (uint8_t)size, (uint8_t)code};
        if (size > 2) out->entries[--out->first[fsst_slot_of(entry.word)]] = entry;
    }
}

/* --- training the symbol table --- */

/* A candidate: a piece that is or may become a symbol. */
struct piece {
    uint64_t word;
    uint64_t gain; /* weighted number of bytes that the piece replaces in the samples */
    uint32_t count;
    uint8_t size; /* bytes of the piece; 0: an empty slot */
};
/* How often two pieces are adjacent. */
struct pair {
    uint32_t key; /* first number × 512 + second number + 1; 0: an empty slot */
    uint32_t count;
};
struct trainer {
    struct fm_heap *heap;
    struct fm_fsst_symbols *symbols;
    struct fm_fsst_encoder *finder;
    uint32_t counts[FM_FSST_SYMBOLS_MOST + 256]; /* how often each symbol, then each literal byte, was used */
    struct pair *pairs;
    struct piece *pieces;
    struct fm_sort_item *items;
    size_t pair_slots, piece_slots; /* numbers of slots: powers of two */
    size_t item_count;
};

static void count_pair(struct trainer *l, unsigned first, unsigned second)
{
    const uint32_t key = (first << 9 | second) + 1;
    size_t at = (size_t)(key * UINT64_C(0x9E3779B97F4A7C15) >> 32) & (l->pair_slots - 1);
    while (l->pairs[at].key != 0 && l->pairs[at].key != key) at = (at + 1) & (l->pair_slots - 1);
    l->pairs[at].key = key;
    l->pairs[at].count++;
}

static void count_text(struct trainer *l, framemap_str text)
{
    unsigned before = UINT32_MAX;
    for (size_t at = 0; at < text.size;) {
        const uint64_t word = load_tail(text, at);
        unsigned number = match(l->finder, word, text.size - at);
        at += l->finder->sizes[number];
        if (number == FM_FSST_ESCAPE) number = FM_FSST_SYMBOLS_MOST + (unsigned)(word & UINT8_MAX);
        l->counts[number]++;
        if (before != UINT32_MAX) count_pair(l, before, number);
        before = number;
    }
}

static uint64_t piece_word_of(const struct fm_fsst_symbols *symbols, unsigned number)
{
    return number < FM_FSST_SYMBOLS_MOST ? symbols->words[number] : number - FM_FSST_SYMBOLS_MOST;
}
static unsigned size_of(const struct fm_fsst_symbols *symbols, unsigned number)
{
    return number < FM_FSST_SYMBOLS_MOST ? symbols->sizes[number] : 1;
}

/* Adds a candidate piece or, if an equal one is known, adds to its gain: each piece is kept once, even if several pairs
 * form it. */
static void add_piece(struct trainer *l, uint64_t word, unsigned size, uint32_t count)
{
    const uint64_t weight = size == 1 ? LONE_WEIGHT : size;
    size_t at = (size_t)((word ^ size) * UINT64_C(0x9E3779B97F4A7C15) >> 32) & (l->piece_slots - 1);
    if (count == 0) return;
    while (l->pieces[at].size != 0 && (l->pieces[at].word != word || l->pieces[at].size != size))
        at = (at + 1) & (l->piece_slots - 1);
    l->pieces[at].word = word;
    l->pieces[at].size = (uint8_t)size;
    l->pieces[at].gain += weight * count;
    l->pieces[at].count += count;
}

static void add_pairs(struct trainer *l)
{
    const struct fm_fsst_symbols *symbols = l->symbols;
    for (size_t i = 0; i < l->pair_slots; i++) {
        if (l->pairs[i].count < PAIR_LEAST) continue;
        const unsigned first = (l->pairs[i].key - 1) >> 9, second = (l->pairs[i].key - 1) & 511,
                       before = size_of(symbols, first);
        if (before == FM_FSST_SYMBOL_SIZE) continue;
        const unsigned size = before + size_of(symbols, second) < FM_FSST_SYMBOL_SIZE
                                  ? before + size_of(symbols, second)
                                  : FM_FSST_SYMBOL_SIZE;
        const uint64_t word =
            (piece_word_of(symbols, first) | piece_word_of(symbols, second) << 8 * before) & fm_bits_mask(8 * size);
        add_piece(l, word, size, l->pairs[i].count);
    }
}

static int compare_pieces(const void *context, uint32_t a, uint32_t b)
{
    const struct piece *x = (const struct piece *)context + a, *y = (const struct piece *)context + b;
    if (x->size != y->size) return x->size < y->size ? -1 : 1;
    const uint64_t p = x->word, q = y->word;
    for (unsigned i = 0; i < 64; i += 8)
        if ((p >> i & UINT8_MAX) != (q >> i & UINT8_MAX)) return (p >> i & UINT8_MAX) < (q >> i & UINT8_MAX) ? -1 : 1;
    return 0;
}

/* Whether a piece is worth being a symbol: over all strings it must save more bytes than the symbol table needs for
 * it. */
static bool pays(const struct piece *piece, uint64_t whole)
{
    const uint64_t saved = piece->size == 1 ? 1 : piece->size - 1u;
    return saved * piece->count * whole > piece->size + 1u;
}

/* Chooses the symbols: the pieces that replace the most bytes. */
static bool choose_symbols(struct trainer *l, uint64_t whole)
{
    l->item_count = 0;
    for (size_t i = 0; i < l->piece_slots; i++)
        if (l->pieces[i].size != 0 && pays(&l->pieces[i], whole))
            l->items[l->item_count++] = (struct fm_sort_item){UINT64_MAX - l->pieces[i].gain, 0, (uint32_t)i};
    if (!fm_sort(l->heap, l->items, l->item_count, compare_pieces, l->pieces)) return false;
    if (l->item_count > FM_FSST_SYMBOLS_MOST) l->item_count = FM_FSST_SYMBOLS_MOST;
    for (size_t i = 0; i < l->item_count; i++) l->items[i].key = 0;
    if (!fm_sort(l->heap, l->items, l->item_count, compare_pieces, l->pieces)) return false;
    l->symbols->count = (unsigned)l->item_count;
    for (size_t i = 0; i < l->item_count; i++) {
        l->symbols->words[i] = l->pieces[l->items[i].id].word;
        l->symbols->sizes[i] = l->pieces[l->items[i].id].size;
    }
    return true;
}

static bool train_round(struct trainer *l, const framemap_str *samples, size_t count, bool last, uint64_t whole)
{
    memset(l->counts, 0, sizeof l->counts);
    memset(l->pairs, 0, l->pair_slots * sizeof *l->pairs);
    memset(l->pieces, 0, l->piece_slots * sizeof *l->pieces);
    fm_fsst_encoder_init(l->symbols, l->finder);
    for (size_t i = 0; i < count; i++) count_text(l, samples[i]);
    for (unsigned i = 0; i < l->symbols->count; i++) {
        add_piece(l, l->symbols->words[i], l->symbols->sizes[i], l->counts[i]);
        /* The first byte of a symbol is a candidate too, because longer symbols may cover the other bytes. */
        if (l->symbols->sizes[i] > 1 && !last) add_piece(l, l->symbols->words[i] & UINT8_MAX, 1, l->counts[i] / 8);
    }
    for (unsigned byte = 0; byte < 256; byte++) add_piece(l, byte, 1, l->counts[FM_FSST_SYMBOLS_MOST + byte]);
    if (!last) add_pairs(l);
    return choose_symbols(l, whole);
}

/* Returns the number of slots for this many entries, so that at most three quarters are full. */
static size_t slots_for(size_t things)
{
    size_t slots = 64;
    while (slots < things + things / 3 + 1) slots *= 2;
    return slots;
}

bool fm_fsst_train(struct fm_heap *heap, const framemap_str *samples, size_t count, uint64_t whole,
                   struct fm_fsst_symbols *out)
{
    struct trainer l = {.heap = heap, .symbols = out};
    size_t bytes = 0;
    for (size_t i = 0; i < count; i++) bytes += samples[i].size;
    /* There are at most as many pairs as bytes. Pieces are the frequent pairs, the symbols, the bytes, and first bytes
     * of symbols. */
    l.pair_slots = slots_for(bytes);
    l.piece_slots = slots_for(bytes / PAIR_LEAST + 3 * 256);
    l.pairs = fm_heap_zalloc(heap, l.pair_slots, sizeof *l.pairs);
    l.pieces = fm_heap_zalloc(heap, l.piece_slots, sizeof *l.pieces);
    l.items = fm_heap_zalloc(heap, l.piece_slots, sizeof *l.items);
    l.finder = fm_heap_zalloc(heap, 1, sizeof *l.finder);
    bool ok = l.pairs && l.pieces && l.items && l.finder;
    out->count = 0;
    for (unsigned round = 0; round <= ROUNDS && ok; round++)
        ok = train_round(&l, samples, count, round == ROUNDS, whole);
    fm_heap_free(heap, l.pairs, l.pair_slots * sizeof *l.pairs);
    fm_heap_free(heap, l.pieces, l.piece_slots * sizeof *l.pieces);
    fm_heap_free(heap, l.items, l.piece_slots * sizeof *l.items);
    fm_heap_free(heap, l.finder, sizeof *l.finder);
    return ok;
}
