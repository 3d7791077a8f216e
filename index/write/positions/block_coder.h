/* Encodes one block of section BLOCKS after another: first the entries of a bucket (an interval of the axis of
 * positions), then their bits. Called by block_encoder.c, which divides the buckets among threads; both steps are
 * independent of threads. */
#ifndef FM_INDEX_WRITE_POSITIONS_BLOCK_CODER_H
#define FM_INDEX_WRITE_POSITIONS_BLOCK_CODER_H

#include "index/write/model/builder_model.h"

/* One entry of a block, with the numbers that records have in the file. */
struct fm_block_cell {
    uint64_t low; /* distance from the start of the bucket to the start of the entry */
    /* line; 0: none; if the entry is a group of alternatives: distance from the entry's start to the bucket's start */
    uint64_t line;
    /* `context` is FM_NONE for a gap; `name` is 0 if the entry has no name, n + 1 for name n of the block */
    uint32_t col, context, name;
};
enum fm_block_kind { FM_BLOCK_KIND_PLAIN, FM_BLOCK_KIND_FOLLOWS, FM_BLOCK_KIND_GROUP, FM_BLOCK_KIND_NAME };
/* Fields that several entries of a block share. */
struct fm_block_context {
    enum fm_block_kind kind;
    /* numbers of the builder; for a group of alternatives `node` is the number of the group, `file` 0 */
    uint32_t node, file;
    uint32_t node_code, file_code; /* node_code: 0 none, n + 1 is node n; groups follow the nodes */
    uint32_t decl_line;
    uint64_t least_line, greatest_line; /* range of the lines of the context; 0: no entry has a line */
};
struct fm_block_slot; /* a slot of a hash table; block_entries.c defines it */

/* State of one packing thread. */
struct fm_block_coder {
    const struct fm_plan *plan;
    unsigned node_width, text_width; /* widths in bits of a node number and of a name in this file */
    struct fm_block_cell *cells;
    struct fm_block_context *contexts;
    uint32_t *names; /* names in the entries of the block, as numbers of TEXTS */
    struct fm_block_slot *slots;
    unsigned char *bytes; /* the encoded blocks of a stretch, the adjacent buckets that one thread encodes */
    size_t cell_count, context_count, name_count, cell_capacity, context_capacity, name_capacity, slot_capacity, size,
        byte_capacity;
    uint32_t stamp;
    size_t last_at, last_size; /* offset in `bytes`, and size, of the block that was written last */
    /* the only entry of the previous block repeats an entry of an earlier bucket */
    bool alone;
    size_t piece, row;           /* the next row: the number of its piece, and the row's index in the piece */
    struct fm_row before;        /* the row before the next row */
    uint64_t before_axis_offset; /* offset on the axis of positions of the row `before` */
    /* unit of the scope of the row `before`: its positions are multiples of 2^unit */
    unsigned before_unit;
    uint32_t last_node, last_file, last_context; /* node, file and context of the previous row, if that is in this
                                                    block; else FM_NONE */
    uint32_t cols;                               /* the columns of all entries of the block, or-ed together */
    bool has_gap;                                /* some entry is a gap */
};

/* block_entries.c: reads the rows of the bucket that starts at offset `begin` of the axis of positions, from the
 * coder's next row on, as the entries of a new block. *carried: set if no row starts at the start of the bucket, so
 * that the first entry repeats the last row of an earlier bucket. false: out of memory. */
bool fm_block_read(struct fm_block_coder *c, uint64_t begin, bool *carried);
/* Frees everything that a coder owns. */
void fm_block_coder_free(struct fm_block_coder *c);

/* block_packer.c: packs the entries into c->bytes. *offset: where the block begins there. A block may have a single
 * entry, which repeats the last entry of an earlier bucket (`carried`); if it also equals the previous block, it is not
 * stored again. This is frequent inside large functions. false: out of memory. */
bool fm_block_write(struct fm_block_coder *c, bool carried, uint64_t *offset);

#endif
