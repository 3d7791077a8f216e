/* What one unit has to say, under numbers of its own, until the builder takes it: records kept once by content, rows in
 * runs. Memory is reused. */
#ifndef FM_MAPPERS_NATIVE_COMPILE_UNIT_BATCH_H
#define FM_MAPPERS_NATIVE_COMPILE_UNIT_BATCH_H

#include "core/hash/hash.h"
#include "index/write/builder.h"
#include "mappers/native/dwarf/dw_visitor.h"

/* Which scope a run is of, until the builder's number is known: a section of a relocatable file, or one of these. */
#define FM_DW_SCOPE_IMAGE UINT32_MAX
#define FM_DW_SCOPE_DATA (UINT32_MAX - 1)
#define FM_DW_SCOPE_SPLIT (UINT32_MAX - 2)

/* The first children of a node, by which most nodes are found without a table. */
struct fm_dw_brood {
    uint32_t last;   /* child; FM_NONE. Only some are listed: those that come later are in the table */
    uint32_t before; /* the child of the same parent that came before this node; FM_NONE */
};

struct fm_unit_batch {
    struct fm_unit_batch *next; /* of the relay's */
    struct fm_heap *heap;
    uint64_t key;          /* of hashes: the builder's */
    struct fm_arena paths; /* texts of the files */
    framemap_str *strings; /* borrowed from the symbol file */
    uint64_t *hashes;      /* of the strings */
    framemap_str *files;
    struct fm_function *functions;
    struct fm_batch_node *nodes;
    struct fm_batch_root *roots;
    struct fm_dw_brood *broods; /* of the nodes, beside them */
    struct fm_batch_alias *aliases;
    struct fm_batch_row *rows;
    struct fm_batch_run *runs; /* scope: FM_DW_SCOPE_… or a section */
    framemap_error *faults;    /* that were passed over */
    size_t hash_capacity, brood_capacity;
    size_t string_count, string_capacity, file_count, file_capacity, function_count, function_capacity, node_count,
        node_capacity, root_count, root_capacity, alias_count, alias_capacity, row_count, row_capacity, run_count,
        run_capacity, fault_count, fault_capacity;
    struct fm_table string_table, file_table, function_table, node_table;
    framemap_str producer;  /* of the unit; borrowed */
    framemap_status status; /* not OK: the compile has failed */
    bool unit_lost;         /* the unit can't be trusted: what the pack holds is to be thrown away */
    framemap_error error;   /* of either */
};

/* key: fm_builder_key of the builder that takes it. */
void fm_unit_batch_init(struct fm_unit_batch *pack, struct fm_heap *heap, uint64_t key);
void fm_unit_batch_free(struct fm_unit_batch *pack);
/* Empties it. */
void fm_unit_batch_clear(struct fm_unit_batch *pack);

/* Has room for about so many nodes and rows, so that a large pack is not moved again and again while it grows. */
bool fm_unit_batch_expect(struct fm_unit_batch *pack, size_t nodes, size_t rows);
/* Nothing is added any more before it is emptied: gives back what equal records were found by. */
void fm_unit_batch_end(struct fm_unit_batch *pack);

/* All of these return false when out of memory. Equal content gives the equal number. */
bool fm_unit_batch_string(struct fm_unit_batch *pack, framemap_str text, uint32_t *out);
bool fm_unit_batch_hashed_string(struct fm_unit_batch *pack, framemap_str text, uint64_t hash,
                                 uint32_t *out); /* hash: fm_hash_text by the pack's key */
bool fm_unit_batch_file(struct fm_unit_batch *pack, framemap_str path, uint32_t *out); /* path: copied */
bool fm_unit_batch_function(struct fm_unit_batch *pack, const struct fm_function *function, uint32_t *out);
/* node: nothing is set that the builder would leave out of account. */
bool fm_unit_batch_node(struct fm_unit_batch *pack, const struct fm_node *node, uint32_t *out);
bool fm_unit_batch_alias(struct fm_unit_batch *pack, uint32_t root, uint32_t name);
bool fm_unit_batch_fault(struct fm_unit_batch *pack, const framemap_error *fault);

/* The rows that follow are of this scope, at this position or behind it. */
bool fm_unit_batch_aim(struct fm_unit_batch *pack, uint32_t scope, uint64_t position);
/* Rows of one scope come by rising position; of two at one position the later counts, but an end mark (node and file
 * FM_NONE) yields. */
bool fm_unit_batch_row(struct fm_unit_batch *pack, uint64_t position, uint32_t node, uint32_t file, uint32_t line1,
                       uint32_t col1);
/* The same, of a position that is above that of the row before. */
static inline bool fm_unit_batch_next_row(struct fm_unit_batch *pack, uint64_t position, uint32_t node, uint32_t file,
                                          uint32_t line1, uint32_t col1)
{
    if (!FM_GROW(pack->heap, pack->rows, pack->row_capacity, pack->row_count + 1)) return false;
    struct fm_batch_row *row = &pack->rows[pack->row_count++];
    row->position = position;
    row->node = node;
    row->file = file;
    row->line1 = line1;
    row->col1 = col1;
    pack->runs[pack->run_count - 1].count++;
    return true;
}

/* Bytes that its records take. */
size_t fm_unit_batch_bytes(const struct fm_unit_batch *pack);

#endif
