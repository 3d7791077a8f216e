#include "index/text_symbols.h"
#include "core/hash.h"
#include "index/bits.h"
#include "index/sort.h"
#include <string.h>

#define ROUNDS 5      /* of learning: each joins what the one before has found */
#define PAIR_LEAST 3  /* a pair that is rarer makes no symbol */
#define LONE_WEIGHT 4 /* a symbol of one byte saves the byte that marks a plain one, and keeps others from being cut at it */

/* --- writing --- */

/* Up to 8 bytes, the first one lowest. */
static uint64_t load(const unsigned char *from, size_t left)
{
    uint64_t word = 0;
    if (left >= 8) return fm_load64(from);
    for (size_t i = 0; i < left; i++) word |= (uint64_t)from[i] << 8 * i;
    return word;
}

static unsigned slot_of(uint64_t word) { return (uint32_t)(word & UINT16_MAX) * UINT32_C(40503) >> 6 & (FM_SYMBOL_SLOTS - 1); }

/* The longest symbol that a text goes on with, FM_SYMBOL_PLAIN for none; *size: of what it stands for. left: bytes of the text, at least one. */
static inline unsigned match(const struct fm_symbol_finder *finder, uint64_t word, size_t left, size_t *size)
{
    const unsigned slot = slot_of(word);
    const struct fm_symbol_entry *end = &finder->entries[finder->first[slot + 1]];
    for (const struct fm_symbol_entry *entry = &finder->entries[finder->first[slot]]; entry < end; entry++) {
        if ((word & entry->mask) != entry->word || entry->size > left) continue;
        *size = entry->size;
        return entry->code;
    }
    *size = 1;
    return finder->single[word & UINT8_MAX];
}

size_t fm_symbols_write(const struct fm_symbol_finder *finder, framemap_str text, unsigned char *to)
{
    const unsigned char *from = (const unsigned char *)text.data;
    unsigned char *const begin = to;
    for (size_t at = 0, size; at < text.size; at += size) {
        const unsigned code = match(finder, load(from + at, text.size - at), text.size - at, &size);
        *to++ = (unsigned char)code;
        if (code == FM_SYMBOL_PLAIN) *to++ = from[at];
    }
    return (size_t)(to - begin);
}

void fm_symbols_finder(const struct fm_symbols *symbols, struct fm_symbol_finder *out)
{
    out->symbols = symbols;
    memset(out->first, 0, sizeof out->first);
    memset(out->single, FM_SYMBOL_PLAIN, sizeof out->single);
    for (unsigned code = 0; code < symbols->count; code++) {
        if (symbols->sizes[code] == 1)
            out->single[symbols->words[code]] = (uint8_t)code;
        else
            out->first[slot_of(symbols->words[code])]++;
    }
    /* Where each slot ends; entries are put before one another, so that they then tell where it begins. */
    for (unsigned slot = 0, end = 0; slot <= FM_SYMBOL_SLOTS; slot++) out->first[slot] = (uint16_t)(end += out->first[slot]);
    for (unsigned code = 0; code < symbols->count; code++) { /* they rise by size */
        const unsigned size = symbols->sizes[code];
        const struct fm_symbol_entry entry = {symbols->words[code], fm_bits_mask(8 * size), (uint8_t)size, (uint8_t)code};
        if (size > 1) out->entries[--out->first[slot_of(entry.word)]] = entry;
    }
}

/* --- learning --- */

/* A piece that may become a symbol, or be one. */
struct piece {
    uint64_t word;
    uint64_t gain; /* bytes that it stands for in the samples, by its weight */
    uint32_t count;
    uint8_t size; /* 0: an empty slot */
};
/* Two pieces that follow each other: how often. */
struct pair {
    uint32_t key; /* one more than the first's number × 512 + the second's; 0: an empty slot */
    uint32_t count;
};
struct learner {
    struct fm_heap *heap;
    struct fm_symbols *symbols;
    uint32_t counts[FM_SYMBOLS_MOST + 256]; /* of the symbols, then of plain bytes */
    struct pair *pairs;
    struct piece *pieces;
    struct fm_sort_item *items;
    size_t pair_slots, piece_slots; /* powers of two */
    size_t item_count;
};

static void count_pair(struct learner *l, unsigned first, unsigned second)
{
    const uint32_t key = (first << 9 | second) + 1;
    size_t at = (size_t)(key * UINT64_C(0x9E3779B97F4A7C15) >> 32) & (l->pair_slots - 1);
    while (l->pairs[at].key != 0 && l->pairs[at].key != key) at = (at + 1) & (l->pair_slots - 1);
    l->pairs[at].key = key;
    l->pairs[at].count++;
}

static void count_text(struct learner *l, const struct fm_symbol_finder *finder, framemap_str text)
{
    const unsigned char *from = (const unsigned char *)text.data;
    unsigned before = UINT32_MAX;
    for (size_t at = 0; at < text.size;) {
        size_t size;
        unsigned number = match(finder, load(from + at, text.size - at), text.size - at, &size);
        if (number == FM_SYMBOL_PLAIN) number = FM_SYMBOLS_MOST + from[at];
        l->counts[number]++;
        if (before != UINT32_MAX) count_pair(l, before, number);
        before = number;
        at += size;
    }
}

static uint64_t word_of(const struct fm_symbols *symbols, unsigned number)
{
    return number < FM_SYMBOLS_MOST ? symbols->words[number] : number - FM_SYMBOLS_MOST;
}
static unsigned size_of(const struct fm_symbols *symbols, unsigned number) { return number < FM_SYMBOLS_MOST ? symbols->sizes[number] : 1; }

/* Each piece is kept once, whatever pairs make it. */
static void add_piece(struct learner *l, uint64_t word, unsigned size, uint32_t count)
{
    const uint64_t weight = size == 1 ? LONE_WEIGHT : size;
    size_t at = (size_t)((word ^ size) * UINT64_C(0x9E3779B97F4A7C15) >> 32) & (l->piece_slots - 1);
    if (count == 0) return;
    while (l->pieces[at].size != 0 && (l->pieces[at].word != word || l->pieces[at].size != size)) at = (at + 1) & (l->piece_slots - 1);
    l->pieces[at].word = word;
    l->pieces[at].size = (uint8_t)size;
    l->pieces[at].gain += weight * count;
    l->pieces[at].count += count;
}

static void add_pairs(struct learner *l)
{
    const struct fm_symbols *symbols = l->symbols;
    for (size_t i = 0; i < l->pair_slots; i++) {
        if (l->pairs[i].count < PAIR_LEAST) continue;
        const unsigned first = (l->pairs[i].key - 1) >> 9, second = (l->pairs[i].key - 1) & 511, before = size_of(symbols, first);
        if (before == FM_SYMBOL_SIZE) continue;
        const unsigned size = before + size_of(symbols, second) < FM_SYMBOL_SIZE ? before + size_of(symbols, second) : FM_SYMBOL_SIZE;
        const uint64_t word = (word_of(symbols, first) | word_of(symbols, second) << 8 * before) & fm_bits_mask(8 * size);
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

/* What a piece saves is more than its own bytes take, by the whole of the texts. */
static bool pays(const struct piece *piece, uint64_t whole)
{
    const uint64_t saved = piece->size == 1 ? 1 : piece->size - 1u;
    return saved * piece->count * whole > piece->size + 1u;
}

/* The pieces that stand for most bytes become the symbols. */
static bool choose(struct learner *l, uint64_t whole)
{
    l->item_count = 0;
    for (size_t i = 0; i < l->piece_slots; i++)
        if (l->pieces[i].size != 0 && pays(&l->pieces[i], whole))
            l->items[l->item_count++] = (struct fm_sort_item){UINT64_MAX - l->pieces[i].gain, 0, (uint32_t)i};
    if (!fm_sort(l->heap, l->items, l->item_count, compare_pieces, l->pieces)) return false;
    if (l->item_count > FM_SYMBOLS_MOST) l->item_count = FM_SYMBOLS_MOST;
    for (size_t i = 0; i < l->item_count; i++) l->items[i].key = 0;
    if (!fm_sort(l->heap, l->items, l->item_count, compare_pieces, l->pieces)) return false;
    l->symbols->count = (unsigned)l->item_count;
    for (size_t i = 0; i < l->item_count; i++) {
        l->symbols->words[i] = l->pieces[l->items[i].id].word;
        l->symbols->sizes[i] = l->pieces[l->items[i].id].size;
    }
    return true;
}

static bool learn_round(struct learner *l, const framemap_str *samples, size_t count, bool last, uint64_t whole)
{
    struct fm_symbol_finder finder;
    memset(l->counts, 0, sizeof l->counts);
    memset(l->pairs, 0, l->pair_slots * sizeof *l->pairs);
    memset(l->pieces, 0, l->piece_slots * sizeof *l->pieces);
    fm_symbols_finder(l->symbols, &finder);
    for (size_t i = 0; i < count; i++) count_text(l, &finder, samples[i]);
    for (unsigned i = 0; i < l->symbols->count; i++) {
        add_piece(l, l->symbols->words[i], l->symbols->sizes[i], l->counts[i]);
        /* Its first byte alone may do as well, where longer ones take over the rest. */
        if (l->symbols->sizes[i] > 1 && !last) add_piece(l, l->symbols->words[i] & UINT8_MAX, 1, l->counts[i] / 8);
    }
    for (unsigned byte = 0; byte < 256; byte++) add_piece(l, byte, 1, l->counts[FM_SYMBOLS_MOST + byte]);
    if (!last) add_pairs(l);
    return choose(l, whole);
}

/* Slots of a table for so many things: at most three of four are taken. */
static size_t slots_for(size_t things)
{
    size_t slots = 64;
    while (slots < things + things / 3 + 1) slots *= 2;
    return slots;
}

bool fm_symbols_learn(struct fm_heap *heap, const framemap_str *samples, size_t count, uint64_t whole, struct fm_symbols *out)
{
    struct learner l = {.heap = heap, .symbols = out};
    size_t bytes = 0;
    for (size_t i = 0; i < count; i++) bytes += samples[i].size;
    /* At most as many pairs as bytes; pieces are those pairs that are not rare, symbols, bytes and first bytes of symbols. */
    l.pair_slots = slots_for(bytes);
    l.piece_slots = slots_for(bytes / PAIR_LEAST + 3 * 256);
    l.pairs = fm_heap_zalloc(heap, l.pair_slots, sizeof *l.pairs);
    l.pieces = fm_heap_zalloc(heap, l.piece_slots, sizeof *l.pieces);
    l.items = fm_heap_zalloc(heap, l.piece_slots, sizeof *l.items);
    bool ok = l.pairs && l.pieces && l.items;
    out->count = 0;
    for (unsigned round = 0; round <= ROUNDS && ok; round++) ok = learn_round(&l, samples, count, round == ROUNDS, whole);
    fm_heap_free(heap, l.pairs, l.pair_slots * sizeof *l.pairs);
    fm_heap_free(heap, l.pieces, l.piece_slots * sizeof *l.pieces);
    fm_heap_free(heap, l.items, l.piece_slots * sizeof *l.items);
    return ok;
}
