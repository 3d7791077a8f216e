#include "mappers/image/deflate.h"

#include <string.h>

/* An entry of a table: low five bits, how many bits of the code are taken here; the four from bit 8, how many extra bits follow, or (ENTRY_MORE) how many
 * index the table behind this one; from bit 16, a literal, the least length or distance, or where that table starts. */
#define ENTRY_LITERAL 0x8000u
#define ENTRY_MORE 0x4000u
#define ENTRY_OTHER 0x2000u /* the end of the block, and codes that mean nothing */
#define ENTRY_END 0x1000u

#define LONGEST_CODE 15
#define LONGEST_MATCH 258

/* While a stream is decoded: the next bit is the lowest of `bits`, of which `count` are counted; those above may be the stream's next ones, or 0. */
struct state {
    const unsigned char *in, *in_end;
    unsigned char *out, *out_begin, *out_end;
    uint64_t bits;
    unsigned count;
};

static inline uint64_t load64(const unsigned char *p)
{
    return (uint64_t)p[0] | (uint64_t)p[1] << 8 | (uint64_t)p[2] << 16 | (uint64_t)p[3] << 24 | (uint64_t)p[4] << 32 |
           (uint64_t)p[5] << 40 | (uint64_t)p[6] << 48 | (uint64_t)p[7] << 56;
}

static inline void copy8(unsigned char *to, const unsigned char *from) { memcpy(to, from, 8); }

/* At least 56 bits, of input that has eight bytes more. */
static inline void fill_quickly(struct state *s)
{
    s->bits |= load64(s->in) << s->count;
    s->in += (63 - s->count) >> 3;
    s->count |= 56;
}

/* As many as there are, up to 57. */
static void fill(struct state *s)
{
    if (s->in_end - s->in >= 8) {
        fill_quickly(s);
        return;
    }
    for (; s->count <= 56 && s->in < s->in_end; s->count += 8) s->bits |= (uint64_t)*s->in++ << s->count;
}

static inline void drop(struct state *s, unsigned count)
{
    s->bits >>= count;
    s->count -= count;
}

/* Up to 16 bits; false: the input ends. */
static bool take(struct state *s, unsigned count, unsigned *out)
{
    if (s->count < count) fill(s);
    if (s->count < count) return false;
    *out = (unsigned)(s->bits & ((1u << count) - 1));
    drop(s, count);
    return true;
}

/* --- tables --- */

static unsigned reversed(unsigned code, unsigned length)
{
    unsigned result = 0;

    for (unsigned i = 0; i < length; i++) result |= (code >> i & 1) << (length - 1 - i);
    return result;
}

/* While a table is made. */
struct draft {
    uint32_t *entries;
    size_t capacity, used;
    unsigned root;                     /* bits of the first table */
    unsigned counts[LONGEST_CODE + 1]; /* of codes that are not in yet */
};

/* A complete code has an entry for each place. Should one be left over, it means nothing. */
static void forget(uint32_t *entries, size_t count)
{
    for (size_t i = 0; i < count; i++) entries[i] = ENTRY_OTHER;
}

/* Room for the codes that begin as this one does, which is the first of them; false: there is none. */
static bool add_table(struct draft *draft, unsigned start, unsigned length)
{
    unsigned width = length - draft->root;
    int left = 1 << width;

    for (; width + draft->root < LONGEST_CODE; width++, left <<= 1) {
        left -= (int)draft->counts[width + draft->root];
        if (left <= 0) break;
    }
    if (draft->capacity - draft->used < (size_t)1 << width) return false;
    forget(draft->entries + draft->used, (size_t)1 << width);
    draft->entries[start] = (uint32_t)draft->used << 16 | ENTRY_MORE | width << 8 | draft->root;
    draft->used += (size_t)1 << width;
    return true;
}

static bool add_code(struct draft *draft, unsigned code, unsigned length, uint32_t entry)
{
    const unsigned place = reversed(code, length);
    const unsigned start = place & ((1u << draft->root) - 1);

    if (length <= draft->root) {
        for (unsigned i = place; i < 1u << draft->root; i += 1u << length) draft->entries[i] = entry | length;
    } else {
        if ((draft->entries[start] & ENTRY_MORE) == 0 && !add_table(draft, start, length)) return false;
        const unsigned more = length - draft->root;
        const unsigned width = draft->entries[start] >> 8 & 15;
        uint32_t *table = draft->entries + (draft->entries[start] >> 16);
        if (more > width) return false;
        for (unsigned i = place >> draft->root; i < 1u << width; i += 1u << more) table[i] = entry | more;
    }
    draft->counts[length]--;
    return true;
}

/* The table of a code whose lengths are given. false: the code is not complete, or has too many long ones. */
static bool make_table(uint32_t *entries, size_t capacity, unsigned root, const uint8_t *lengths, unsigned symbols,
                       uint32_t (*entry_of)(unsigned symbol))
{
    struct draft draft = {.entries = entries, .capacity = capacity, .used = (size_t)1 << root, .root = root};
    unsigned first[LONGEST_CODE + 2] = {0};
    unsigned room = 0;
    uint16_t sorted[288];
    unsigned code = 0;

    for (unsigned i = 0; i < symbols; i++) draft.counts[lengths[i]]++;
    for (unsigned length = 1; length <= LONGEST_CODE; length++) {
        room += draft.counts[length] << (LONGEST_CODE - length);
        first[length + 1] = first[length] + draft.counts[length];
    }
    if (room != 1u << LONGEST_CODE) return false;
    const unsigned used = first[LONGEST_CODE + 1];
    for (unsigned i = 0; i < symbols; i++) {
        if (lengths[i] != 0) sorted[first[lengths[i]]++] = (uint16_t)i;
    }
    forget(entries, (size_t)1 << root);
    for (unsigned i = 0, length = lengths[sorted[0]]; i < used; i++, code++) {
        for (; length < lengths[sorted[i]]; length++) code <<= 1;
        if (!add_code(&draft, code, length, entry_of(sorted[i]))) return false;
    }
    return true;
}

static uint32_t literal_entry(unsigned symbol)
{
    static const uint16_t least[] = {3,  4,  5,  6,  7,  8,  9,  10, 11,  13,  15,  17,  19,  23, 27,
                                     31, 35, 43, 51, 59, 67, 83, 99, 115, 131, 163, 195, 227, 258};
    static const uint8_t extra[] = {0, 0, 0, 0, 0, 0, 0, 0, 1, 1, 1, 1, 2, 2, 2, 2, 3, 3, 3, 3, 4, 4, 4, 4, 5, 5, 5, 5, 0};

    if (symbol < 256) return symbol << 16 | ENTRY_LITERAL;
    if (symbol == 256) return ENTRY_OTHER | ENTRY_END;
    return symbol < 286 ? (uint32_t)least[symbol - 257] << 16 | (uint32_t)extra[symbol - 257] << 8 : ENTRY_OTHER;
}

static uint32_t distance_entry(unsigned symbol)
{
    if (symbol < 4) return (symbol + 1) << 16;
    if (symbol >= 30) return ENTRY_OTHER;
    const unsigned extra = symbol / 2 - 1;
    return (((2 + symbol % 2) << extra) + 1) << 16 | extra << 8;
}

static uint32_t length_entry(unsigned symbol) { return symbol << 16; }

static bool make_tables(struct fm_deflate *tables, unsigned literals, unsigned distances)
{
    return make_table(tables->literals, FM_DEFLATE_LITERAL_ENTRIES, FM_DEFLATE_LITERAL_BITS, tables->code_lengths, literals,
                      literal_entry) &&
           make_table(tables->distances, FM_DEFLATE_DISTANCE_ENTRIES, FM_DEFLATE_DISTANCE_BITS, tables->code_lengths + literals, distances,
                      distance_entry);
}

static bool fixed_tables(struct fm_deflate *tables)
{
    memset(tables->code_lengths, 8, 144);
    memset(tables->code_lengths + 144, 9, 112);
    memset(tables->code_lengths + 256, 7, 24);
    memset(tables->code_lengths + 280, 8, 8);
    memset(tables->code_lengths + 288, 5, 32);
    return make_tables(tables, 288, 32);
}

/* The lengths of both codes, run-length coded by a code of their own. */
static bool read_lengths(struct state *s, struct fm_deflate *tables, unsigned total)
{
    static const uint8_t runs[3][2] = {{2, 3}, {3, 3}, {7, 11}}; /* extra bits and least length of 16, 17 and 18 */
    unsigned at = 0;

    while (at < total) {
        unsigned run = 0;
        if (s->count < 7) fill(s);
        const uint32_t entry = tables->lengths[s->bits & 127];
        const unsigned symbol = entry >> 16;
        if ((entry & 31) > s->count) return false;
        drop(s, entry & 31);
        if (symbol < 16) {
            tables->code_lengths[at++] = (uint8_t)symbol;
            continue;
        }
        if ((symbol == 16 && at == 0) || !take(s, runs[symbol - 16][0], &run)) return false;
        run += runs[symbol - 16][1];
        if (run > total - at) return false;
        memset(tables->code_lengths + at, symbol == 16 ? tables->code_lengths[at - 1] : 0, run);
        at += run;
    }
    return true;
}

static bool read_tables(struct state *s, struct fm_deflate *tables)
{
    static const uint8_t order[19] = {16, 17, 18, 0, 8, 7, 9, 6, 10, 5, 11, 4, 12, 3, 13, 2, 14, 1, 15};
    uint8_t lengths[19] = {0};
    unsigned literals, distances, count;

    if (!take(s, 5, &literals) || !take(s, 5, &distances) || !take(s, 4, &count)) return false;
    literals += 257;
    distances += 1;
    if (literals > 286 || distances > 30) return false;
    for (unsigned i = 0, length; i < count + 4; i++) {
        if (!take(s, 3, &length)) return false;
        lengths[order[i]] = (uint8_t)length;
    }
    if (!make_table(tables->lengths, 128, 7, lengths, 19, length_entry)) return false;
    return read_lengths(s, tables, literals + distances) && tables->code_lengths[256] != 0 && make_tables(tables, literals, distances);
}

/* --- blocks --- */

static bool stored_block(struct state *s)
{
    unsigned length, complement;

    drop(s, s->count & 7);
    if (!take(s, 16, &length) || !take(s, 16, &complement) || (length ^ complement) != 0xffff) return false;
    s->in -= s->count >> 3; /* whole bytes that were not taken */
    s->bits = s->count = 0;
    if (length > (size_t)(s->in_end - s->in) || length > (size_t)(s->out_end - s->out)) return false;
    if (length > 0) memcpy(s->out, s->in, length);
    s->in += length;
    s->out += length;
    return true;
}

/* The entry of the code that the lowest bits are, by the first table alone. */
static inline uint32_t first_entry(const struct state *s, const uint32_t *table, unsigned root)
{
    return table[s->bits & ((1u << root) - 1)];
}

/* The entry in the table behind one that says so. */
static inline uint32_t second_entry(struct state *s, const uint32_t *table, unsigned root, uint32_t entry)
{
    drop(s, root);
    return table[(entry >> 16) + (s->bits & ((1u << (entry >> 8 & 15)) - 1))];
}

/* The value of an entry with extra bits, which are there; all are dropped. */
static inline unsigned value_of(struct state *s, uint32_t entry)
{
    const unsigned code = entry & 31, extra = entry >> 8 & 15;
    const unsigned value = (entry >> 16) + (unsigned)(s->bits >> code & ((1u << extra) - 1));

    drop(s, code + extra);
    return value;
}

static inline void put_literal(struct state *s, uint32_t entry)
{
    *s->out++ = (unsigned char)(entry >> 16);
    drop(s, entry & 31);
}

/* Repeats what stands `distance` before; there is room for sixteen bytes more than the length. */
static inline void repeat(unsigned char *to, unsigned distance, unsigned length)
{
    const unsigned char *from = to - distance;
    unsigned char *const end = to + length;

    if (distance == 1) {
        memset(to, *from, length);
        return;
    }
    /* What is written beyond a near distance is written again by the next step. */
    const unsigned step = distance < 8 ? distance : 8;
    do {
        copy8(to, from);
        to += step;
        from += step;
    } while (to < end);
}

/* What a turn of the quick loop may take: three times up to eight bytes of input, and room for three literals and a match that is written by eights. */
#define QUICK_IN 24
#define QUICK_OUT (3 + LONGEST_MATCH + 16)

enum turn { TURN_ON, TURN_END, TURN_BAD };

/* As long as neither input nor output are near their ends. Each time that bits are filled up there are 56: three literals by the first table take 33 of them,
 * two and a length 22 and 20, a distance 28. The next entry is looked up before the match is written, so that it is there in time. */
static enum turn quick_block(struct state *state, const struct fm_deflate *tables)
{
    const uint32_t *const literals = tables->literals, *const distances = tables->distances;
    struct state s = *state; /* in registers */
    enum turn turn = TURN_ON;
    uint32_t entry;

    if (s.in_end - s.in < QUICK_IN || s.out_end - s.out < QUICK_OUT) return TURN_ON;
    fill_quickly(&s);
    entry = first_entry(&s, literals, FM_DEFLATE_LITERAL_BITS);
    do {
        if ((entry & ENTRY_LITERAL) != 0) {
            put_literal(&s, entry);
            entry = first_entry(&s, literals, FM_DEFLATE_LITERAL_BITS);
            if ((entry & ENTRY_LITERAL) != 0) {
                put_literal(&s, entry);
                entry = first_entry(&s, literals, FM_DEFLATE_LITERAL_BITS);
                if ((entry & ENTRY_LITERAL) != 0) {
                    put_literal(&s, entry);
                    fill_quickly(&s);
                    entry = first_entry(&s, literals, FM_DEFLATE_LITERAL_BITS);
                    continue;
                }
            }
        }
        if ((entry & (ENTRY_MORE | ENTRY_OTHER)) != 0) {
            if ((entry & ENTRY_MORE) != 0) entry = second_entry(&s, literals, FM_DEFLATE_LITERAL_BITS, entry);
            if ((entry & ENTRY_LITERAL) != 0) {
                put_literal(&s, entry);
                fill_quickly(&s);
                entry = first_entry(&s, literals, FM_DEFLATE_LITERAL_BITS);
                continue;
            }
            if ((entry & ENTRY_OTHER) != 0) {
                drop(&s, entry & 31);
                turn = (entry & ENTRY_END) != 0 ? TURN_END : TURN_BAD;
                break;
            }
        }
        const unsigned length = value_of(&s, entry);
        fill_quickly(&s);
        entry = first_entry(&s, distances, FM_DEFLATE_DISTANCE_BITS);
        if ((entry & ENTRY_MORE) != 0) entry = second_entry(&s, distances, FM_DEFLATE_DISTANCE_BITS, entry);
        const unsigned distance = value_of(&s, entry);
        if ((entry & ENTRY_OTHER) != 0 || distance > (size_t)(s.out - s.out_begin)) {
            turn = TURN_BAD;
            break;
        }
        fill_quickly(&s);
        entry = first_entry(&s, literals, FM_DEFLATE_LITERAL_BITS);
        repeat(s.out, distance, length);
        s.out += length;
    } while (s.in_end - s.in >= QUICK_IN && s.out_end - s.out >= QUICK_OUT);
    *state = s;
    return turn;
}

/* The entry of the next code, of which all bits are there, the extra ones included. false: the input ends. */
static bool next_entry(struct state *s, const uint32_t *table, unsigned root, uint32_t *entry)
{
    fill(s);
    *entry = first_entry(s, table, root);
    if ((*entry & 31) > s->count) return false;
    if ((*entry & ENTRY_MORE) != 0) *entry = second_entry(s, table, root, *entry);
    return (*entry & 31) + (*entry >> 8 & 15) <= s->count;
}

/* One code at a time. */
static enum turn careful_turn(struct state *s, const struct fm_deflate *tables)
{
    uint32_t entry;

    if (!next_entry(s, tables->literals, FM_DEFLATE_LITERAL_BITS, &entry)) return TURN_BAD;
    if ((entry & ENTRY_LITERAL) != 0) {
        if (s->out == s->out_end) return TURN_BAD;
        put_literal(s, entry);
        return TURN_ON;
    }
    if ((entry & ENTRY_OTHER) != 0) {
        drop(s, entry & 31);
        return (entry & ENTRY_END) != 0 ? TURN_END : TURN_BAD;
    }
    const unsigned length = value_of(s, entry);
    if (!next_entry(s, tables->distances, FM_DEFLATE_DISTANCE_BITS, &entry) || (entry & ENTRY_OTHER) != 0) return TURN_BAD;
    const unsigned distance = value_of(s, entry);
    if (distance > (size_t)(s->out - s->out_begin) || length > (size_t)(s->out_end - s->out)) return TURN_BAD;
    for (unsigned i = 0; i < length; i++, s->out++) *s->out = s->out[-(ptrdiff_t)distance];
    return TURN_ON;
}

static bool coded_block(struct state *s, const struct fm_deflate *tables)
{
    enum turn turn = quick_block(s, tables);

    while (turn == TURN_ON) turn = careful_turn(s, tables);
    return turn == TURN_END;
}

static bool all_blocks(struct state *s, struct fm_deflate *tables)
{
    unsigned last = 0, kind = 0;

    while (last == 0) {
        if (!take(s, 1, &last) || !take(s, 2, &kind)) return false;
        if (kind == 0) {
            if (!stored_block(s)) return false;
            continue;
        }
        if (kind == 3 || !(kind == 1 ? fixed_tables(tables) : read_tables(s, tables)) || !coded_block(s, tables)) return false;
    }
    return s->out == s->out_end;
}

/* --- the frame --- */

#define ADLER_PRIME 65521u
#define ADLER_LANES 16
#define ADLER_BLOCK ((size_t)ADLER_LANES * 256)

/* Sums by lanes, so that compilers work on all of them at once: of the bytes, and of the sums before each row. Neither passes 32 bits within a block. */
static uint32_t adler32_of(const unsigned char *data, size_t size)
{
    uint32_t a = 1, b = 0;

    for (; size >= ADLER_LANES;) {
        const size_t block = size < ADLER_BLOCK ? size / ADLER_LANES * ADLER_LANES : ADLER_BLOCK;
        uint32_t sums[ADLER_LANES] = {0}, before[ADLER_LANES] = {0};
        uint64_t sum = 0, weighed = 0;
        for (size_t row = 0; row < block; row += ADLER_LANES) {
            for (unsigned i = 0; i < ADLER_LANES; i++) {
                before[i] += sums[i];
                sums[i] += data[row + i];
            }
        }
        for (unsigned i = 0; i < ADLER_LANES; i++) {
            sum += sums[i];
            weighed += (uint64_t)before[i] * ADLER_LANES + (uint64_t)sums[i] * (ADLER_LANES - i);
        }
        b = (uint32_t)((b + (uint64_t)a * block + weighed) % ADLER_PRIME);
        a = (uint32_t)((a + sum) % ADLER_PRIME);
        data += block;
        size -= block;
    }
    for (; size > 0; size--) {
        a = (a + *data++) % ADLER_PRIME;
        b = (b + a) % ADLER_PRIME;
    }
    return b << 16 | a;
}

bool fm_deflate_zlib(struct fm_deflate *tables, const unsigned char *in, size_t in_size, unsigned char *out, size_t size)
{
    struct state s = {.out = out, .out_begin = out, .out_end = out + size};
    uint32_t sum = 0;

    /* Method 8, a window of up to 32 KB, a header that is a multiple of 31, no dictionary. */
    if (in_size < 2 || (in[0] & 15) != 8 || in[0] >> 4 > 7 || ((unsigned)in[0] << 8 | in[1]) % 31 != 0 || (in[1] & 32) != 0) return false;
    s.in = in + 2;
    s.in_end = in + in_size;
    if (!all_blocks(&s, tables)) return false;
    s.in -= s.count >> 3;
    if (s.in_end - s.in < 4) return false;
    for (unsigned i = 0; i < 4; i++) sum = sum << 8 | s.in[i];
    return sum == adler32_of(out, size);
}
