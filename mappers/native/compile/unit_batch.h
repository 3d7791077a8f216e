/* The records of one unit with unit-local numbers, until they are merged into the builder. Equal strings, files,
 * functions and nodes are stored once; rows are grouped in runs of one scope. Filled by one thread, consumed in unit
 * order (batch_queue.h). The memory is reused. */
#ifndef FM_MAPPERS_NATIVE_COMPILE_UNIT_BATCH_H
#define FM_MAPPERS_NATIVE_COMPILE_UNIT_BATCH_H

#include "core/hash/hash.h"
#include "index/write/builder.h"
#include "mappers/native/dwarf/dw_visitor.h"

/* Until the builder has given numbers to its scopes (parts of an index with positions of their own), fm_batch_run.scope
 * has one of these values, or the index of a section of a relocatable file. */
#define FM_DW_SCOPE_IMAGE UINT32_MAX
#define FM_DW_SCOPE_DATA (UINT32_MAX - 1)
#define FM_DW_SCOPE_SPLIT (UINT32_MAX - 2)

/* The list of a node's children. Most nodes are found through these lists instead of the hash table. */
struct fm_unit_batch_children {
    uint32_t last; /* the last child in the list, or FM_NONE; only the first children are listed, later ones are in the
                      table */
    uint32_t before; /* the previous child of the same parent, or FM_NONE */
};

struct fm_unit_batch {
    struct fm_unit_batch *next; /* next batch in a list of the batch queue */
    struct fm_heap *heap;
    uint64_t key;          /* hash key of the builder */
    struct fm_arena paths; /* memory of the paths in `files` */
    framemap_str *strings; /* the strings, borrowed from the symbol file */
    uint64_t *hashes;      /* hashes of `strings`, by the same index */
    framemap_str *files;
    struct fm_function *functions;
    struct fm_batch_node *nodes;
    struct fm_batch_root *roots;
    struct fm_unit_batch_children *broods; /* children of each node */
    struct fm_batch_alias *aliases;
    struct fm_batch_row *rows;
    struct fm_batch_run *runs; /* runs of rows; their `scope` is FM_DW_SCOPE_… or a section index */
    framemap_error *faults;    /* faults that did not prevent the unit from being read further */
    size_t hash_capacity, brood_capacity;
    size_t string_count, string_capacity, file_count, file_capacity, function_count, function_capacity, node_count,
        node_capacity, root_count, root_capacity, alias_count, alias_capacity, row_count, row_capacity, run_count,
        run_capacity, fault_count, fault_capacity;
    struct fm_table string_table, file_table, function_table, node_table;
    framemap_str producer;  /* producer of the unit; borrowed from the symbol file */
    framemap_status status; /* OK, or why the whole compilation failed */
    bool unit_lost;         /* the unit is damaged: the records must be discarded */
    framemap_error error;   /* the reason if `status` is not OK or `unit_lost` is set */
};

/* Initialises an empty batch. key: fm_builder_key of the builder that will receive the batch. */
void fm_unit_batch_init(struct fm_unit_batch *batch, struct fm_heap *heap, uint64_t key);
void fm_unit_batch_free(struct fm_unit_batch *batch);
/* Removes all records, but keeps the memory. */
void fm_unit_batch_clear(struct fm_unit_batch *batch);

/* Reserves memory for about this many nodes and rows, so that a large batch is not copied repeatedly while it grows. */
bool fm_unit_batch_reserve(struct fm_unit_batch *batch, size_t nodes, size_t rows);
/* Frees the hash tables. Nothing may be added afterwards until the batch is cleared. */
void fm_unit_batch_seal(struct fm_unit_batch *batch);

/* Adds a string; *out is its number. This and the functions below return false when out of memory, and give equal
 * records the same number. */
bool fm_unit_batch_string(struct fm_unit_batch *batch, framemap_str text, uint32_t *out);
bool fm_unit_batch_hashed_string(struct fm_unit_batch *batch, framemap_str text, uint64_t hash,
                                 uint32_t *out); /* hash: fm_hash_text of `text` with the batch's key */
/* Adds a file; copies the path. */
bool fm_unit_batch_file(struct fm_unit_batch *batch, framemap_str path, uint32_t *out);
bool fm_unit_batch_function(struct fm_unit_batch *batch, const struct fm_function *function, uint32_t *out);
/* Adds a node. Members of `node` that the builder ignores for a node of its kind must be 0. */
bool fm_unit_batch_node(struct fm_unit_batch *batch, const struct fm_node *node, uint32_t *out);
bool fm_unit_batch_alias(struct fm_unit_batch *batch, uint32_t root, uint32_t name);
bool fm_unit_batch_fault(struct fm_unit_batch *batch, const framemap_error *fault);

/* Starts a run: the rows that follow belong to this scope and are at this position or after it. */
bool fm_unit_batch_start_run(struct fm_unit_batch *batch, uint32_t scope, uint64_t position);
/* Adds a row. Positions in a run must not descend. If two rows are at one position, the later one counts, except that
 * an end mark (node and file FM_NONE) does not replace a row. */
bool fm_unit_batch_row(struct fm_unit_batch *batch, uint64_t position, uint32_t node, uint32_t file, uint32_t line1,
                       uint32_t col1);
/* Adds a row whose position is greater than that of the previous row; faster than fm_unit_batch_row. */
static inline bool fm_unit_batch_next_row(struct fm_unit_batch *batch, uint64_t position, uint32_t node, uint32_t file,
                                          uint32_t line1, uint32_t col1)
{
    if (!FM_GROW(batch->heap, batch->rows, batch->row_capacity, batch->row_count + 1)) return false;
    struct fm_batch_row *row = &batch->rows[batch->row_count++];
    row->position = position;
    row->node = node;
    row->file = file;
    row->line1 = line1;
    row->col1 = col1;
    batch->runs[batch->run_count - 1].count++;
    return true;
}

/* Returns the number of bytes that the records use. */
size_t fm_unit_batch_bytes(const struct fm_unit_batch *batch);

/* Adds the records to the builder with the key that `batch` was initialised with. The scopes of runs must be those of
 * the builder. Errors: those of fm_builder_add_batch. */
framemap_status fm_unit_batch_add_to(const struct fm_unit_batch *batch, struct fm_builder *builder,
                                     framemap_error *error);

#endif
