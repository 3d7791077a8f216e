/* FSST string compression: frequent pieces of 1 to 8 bytes ("symbols") are written as one-byte codes. The symbol table
 * is stored once for all strings of an index, so each string can be decoded alone.
 *
 * Reference: P. Boncz, T. Neumann, V. Leis, "FSST: Fast Random Access String Compression", 2020. */
#ifndef FM_INDEX_FORMAT_FSST_H
#define FM_INDEX_FORMAT_FSST_H

#include "core/heap.h"

#define FM_FSST_SYMBOLS_MOST 255u
#define FM_FSST_SYMBOL_SIZE 8u /* bytes of the longest symbol */
#define FM_FSST_ESCAPE 255u    /* escape code: the byte after it is literal */

struct fm_fsst_symbols {
    uint64_t words[FM_FSST_SYMBOLS_MOST]; /* bytes of each symbol, the first byte lowest, padded with zeros */
    uint8_t sizes[FM_FSST_SYMBOLS_MOST];
    /* number of symbols, which are sorted by size, then bytewise; 0: strings are stored without codes */
    unsigned count;
};

/* Encoder tables. Symbols of three bytes and more are found by a hash of their first three bytes; few slots have more
 * than one symbol. If none of them matches, the next two bytes select a symbol of two bytes, one byte, or the escape.
 * Too large for a thread's stack. */
#define FM_FSST_SLOTS 1024u
struct fm_fsst_entry {
    uint64_t word, mask; /* the symbol's bytes as a number, and a mask of as many bytes */
    uint8_t size, code;
};
struct fm_fsst_encoder {
    uint8_t short_ones[1u << 16]; /* code by two bytes, the first byte lowest */
    uint8_t sizes[256];           /* for each code: size of its symbol; 1 for FM_FSST_ESCAPE */
    /* for each byte: the code of the symbol that is this byte alone */
    uint8_t single[256];
    /* for each slot: index of its first entry; the entries of a slot end where the next slot begins */
    uint16_t first[FM_FSST_SLOTS + 1];
    /* entries in the order of slots; in a slot longer symbols come first */
    struct fm_fsst_entry entries[FM_FSST_SYMBOLS_MOST];
};

/* Chooses symbols that make the samples short. whole: the bytes of all strings divided by the bytes of the samples, at
 * least 1: the bytes saved in the samples count this many times against the bytes of the symbol table. The same samples
 * give the same symbols. false: out of memory. */
bool fm_fsst_train(struct fm_heap *heap, const framemap_str *samples, size_t count, uint64_t whole,
                   struct fm_fsst_symbols *out);
void fm_fsst_encoder_init(const struct fm_fsst_symbols *symbols, struct fm_fsst_encoder *out);
/* Encodes a string to `to`, which has room for twice its size plus one byte; returns the encoded size. */
size_t fm_fsst_encode(const struct fm_fsst_encoder *finder, framemap_str text, unsigned char *to);

#endif
