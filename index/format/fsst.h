/* Symbols: frequent pieces of 1 to 8 bytes, each written as one byte, a code. Which they are is told once for all texts
 * of an index, so that a text can be written and read alone. (The idea is that of FSST: P. Boncz, T. Neumann, V. Leis,
 * "FSST: Fast Random Access String Compression", 2020.) */
#ifndef FM_INDEX_FORMAT_FSST_H
#define FM_INDEX_FORMAT_FSST_H

#include "core/heap.h"

#define FM_FSST_SYMBOLS_MOST 255u
#define FM_FSST_SYMBOL_SIZE 8u /* bytes of the longest */
#define FM_FSST_ESCAPE 255u    /* the code of a byte that stands as it is, behind the code */

struct fm_fsst_symbols {
    uint64_t words[FM_FSST_SYMBOLS_MOST]; /* bytes of each, the first one lowest; zeros behind the end */
    uint8_t sizes[FM_FSST_SYMBOLS_MOST];
    unsigned count; /* by rising size, then bytewise; 0: texts stand as they are, without codes */
};

/* How symbols are found in a text: those of three bytes and more by a slot that their first three bytes tell; few slots
 * have several. Where none of them fits, the next two bytes tell what is left: a symbol of two bytes, of one, or none.
 * It is big: not for the stack of a thread. */
#define FM_FSST_SLOTS 1024u
struct fm_fsst_entry {
    uint64_t word, mask; /* of its bytes */
    uint8_t size, code;
};
struct fm_fsst_encoder {
    uint8_t short_ones[1u << 16];      /* by two bytes, the first one lowest: a code */
    uint8_t sizes[256];                /* by code; 1 of FM_FSST_ESCAPE */
    uint8_t single[256];               /* by byte: a code */
    uint16_t first[FM_FSST_SLOTS + 1]; /* of a slot's entries; they end where those of the next begin */
    struct fm_fsst_entry entries[FM_FSST_SYMBOLS_MOST]; /* of a slot: longer ones before */
};

/* Symbols that make the samples short. whole: how many bytes there are for each of the samples, at least 1: how much a
 * symbol's own bytes weigh. The same samples give the same symbols. false: out of memory. */
bool fm_fsst_train(struct fm_heap *heap, const framemap_str *samples, size_t count, uint64_t whole,
                   struct fm_fsst_symbols *out);
void fm_fsst_encoder_init(const struct fm_fsst_symbols *symbols, struct fm_fsst_encoder *out);
/* Writes a text as codes to `to`, which has room for twice its size and a byte; returns how many bytes. */
size_t fm_fsst_encode(const struct fm_fsst_encoder *finder, framemap_str text, unsigned char *to);

#endif
