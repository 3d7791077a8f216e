/* One unit while it is compiled: first its functions, inlined subroutines and rows in the order in which the DWARF
 * backend reports them, then sorted by address. Filled by unit_worker.c, read by unit_output.c. The memory is reused
 * from unit to unit. */
#ifndef FM_MAPPERS_NATIVE_COMPILE_UNIT_MODEL_H
#define FM_MAPPERS_NATIVE_COMPILE_UNIT_MODEL_H

#include "core/hash/hash.h"
#include "mappers/native/dwarf/dw_address_spans.h"
#include "mappers/native/dwarf/dw_visitor.h"
#include "mappers/native/image/sorted_keys.h"

/* What all instances of one function have in common. Numbers of files, functions and nodes are those of the unit's
 * batch. */
struct fm_dw_identity {
    framemap_str name; /* the linkage name, or else the plain name */
    uint64_t hash; /* hash of the name; computed while the name is in the CPU cache, because names are scattered over a
                      large section */
    uint32_t decl_file, decl_line1;
    uint32_t function; /* number of the function's record; FM_NONE until it has been made */
    bool artificial;
    bool wants_scope; /* the function's enclosing scopes must become part of its name */
    /* offset of the entry by which the enclosing scopes are found; 0: `name` already includes them */
    uint64_t home;
    framemap_str scope; /* the enclosing namespaces and classes, once they have been read */
};

/* A function or one inlined instance of a function. A unit has many instances, so members that only a few instances
 * need are in other arrays. */
struct fm_dw_instance {
    uint32_t identity; /* index in `identities` of the function that this is an instance of */
    /* index of the instance into which this one is inlined; FM_NONE: it is an out-of-line function */
    uint32_t parent;
    uint32_t extent; /* index in `extents`; FM_NONE: the instance needs no extent */
    uint32_t call_file, call_line1, call_col1;
    /* number of this instance's node in the batch, and the symbol that covers the out-of-line function around it;
     * FM_NONE until the node is needed */
    uint32_t node, node_symbol;
};
struct fm_dw_extent {
    /* start and size of the first range; for an inlined subroutine of several ranges, those of the function around it
     */
    uint64_t low, size;
    bool one_range; /* the instance has no code outside of this range */
    bool end_lost;  /* the end is that of the function around it, because the debug info has lost its own */
};

/* A range of addresses (up to the start of the next part) with the function or inlined subroutine that is innermost
 * there. */
struct fm_dw_part {
    uint64_t low;
    uint64_t start; /* start of that range of the instance in which the part is */
    uint32_t instance;
};

struct fm_dw_model_row {
    uint64_t address;
    uint32_t file, line1, col1; /* file FM_NONE: the location is unknown from this address on */
};

struct fm_unit_model {
    struct fm_heap *heap;
    const struct fm_image *image;
    uint64_t key; /* the batch's key for the hashes of names */
    uint8_t language;
    /* an inlined subroutine ends where the function around it ends (FM_DEBUGINFO_INLINED_INSIDE) */
    bool inlined_inside;
    bool ends_lost; /* see FM_DEBUGINFO_ENDS_LOST */
    /* Ascending segments. If a sequence contains no address of these, its rows are not stored. NULL: all rows are
     * stored. Borrowed until the end of the unit. */
    const struct fm_address_segment *wanted;
    size_t wanted_count;
    /* number of each file in the batch, indexed by the backend's number; FM_NONE: the file has no name */
    uint32_t *files;
    size_t file_count, file_capacity;
    bool has_homes; /* some function's enclosing scopes must be read */
    struct fm_dw_identity *identities;
    size_t identity_count, identity_capacity;
    /* index in `identities`, by the backend's identity number minus 1; FM_NONE: the number did not occur yet */
    uint32_t *shared;
    size_t shared_count, shared_capacity;
    struct fm_dw_instance *instances;
    size_t instance_count, instance_capacity;
    struct fm_dw_extent *extents; /* extents of out-of-line functions; if inlined_inside is set, of all instances */
    size_t extent_count, extent_capacity;
    uint32_t *open; /* stack of entered instances, the innermost last */
    size_t open_count, open_capacity;
    struct fm_dw_model_row *rows;
    size_t row_count, row_capacity;
    size_t sequence_first;         /* index of the first row of the current sequence */
    bool falls;                    /* some row has a lower address than the one before it in its sequence */
    struct fm_address_spans spans; /* ranges of the current out-of-line function and of everything inlined in it; rank:
                                      index of the instance */
    struct fm_address_spans scratch;
    uint32_t *stack; /* stack of spans, while these are sorted */
    size_t stack_capacity;
    struct fm_dw_model_row *scratch_rows;
    size_t scratch_row_capacity;
    /* The result: parts by ascending address, in stretches without gaps. After the last part of each stretch there is
     * one more part, which marks the end of the stretch. */
    struct fm_dw_part *parts;
    size_t part_count, part_capacity;
    /* The stretches: runs of adjacent `parts`. In each of these spans, low is the first address of the stretch, and
     * high the address after it; id is the index in `parts` of the stretch's first part, and rank that of the part
     * which marks its end. After fm_unit_model_sort the spans are in order and disjoint. */
    struct fm_address_spans stretches;
    /* Rows of a sequence by ascending address, and one more row that marks the end. In a span, low is the end address;
     * id and high are the indexes of the first row and of the end mark. After fm_unit_model_sort the sequences are
     * sorted by end; where two sequences overlap, the one that ends first counts. */
    struct fm_address_spans sequences;
};

void fm_unit_model_init(struct fm_unit_model *model, struct fm_heap *heap, const struct fm_image *image);
void fm_unit_model_free(struct fm_unit_model *model);
void fm_unit_model_begin(struct fm_unit_model *model, uint8_t language);

/* Whether the end of an inlined subroutine is not known (FM_DEBUGINFO_ENDS_LOST). */
static inline bool fm_unit_model_end_lost(const struct fm_unit_model *model, uint32_t instance)
{
    return model->ends_lost && model->extents[model->instances[instance].extent].end_lost;
}

/* All functions below return false when out of memory. */
/* Reserves memory for what a unit of size_bytes of debug info is likely to contain, so that a large unit is not
 * copied repeatedly while it grows. */
bool fm_unit_model_reserve(struct fm_unit_model *model, uint64_t size_bytes);
/* Adds the next file of the backend. file: the number of that file in the batch. */
bool fm_unit_model_file(struct fm_unit_model *model, uint32_t file);
/* Returns the number in the batch of a file of the backend. */
static inline uint32_t fm_unit_model_file_of(const struct fm_unit_model *model, uint32_t number)
{
    return number < model->file_count ? model->files[number] : UINT32_MAX;
}
bool fm_unit_model_rows(struct fm_unit_model *model, const struct fm_dw_row *rows, size_t count);
/* Finds or adds the identity of a function, which is what all its inlined instances have in common. Functions with the
 * same identity number are compared once. */
bool fm_unit_model_identity(struct fm_unit_model *model, const struct fm_dw_function *function, uint32_t *out);
bool fm_unit_model_enter(struct fm_unit_model *model, const struct fm_dw_instance *instance, bool inlined,
                         const struct fm_dw_range *ranges, size_t count);
bool fm_unit_model_leave(struct fm_unit_model *model);

/* Sorts the unit by address. Where debug info contradicts itself, the rules are those of LLVM, so that answers equal
 * LLVM's. Where instances overlap, the one that starts last counts; if they start at one address, the one whose entry
 * is later. If several rows are at one address, the last one counts. Where sequences overlap, the one that ends first
 * counts. A row whose file is not in the table gives no location. */
bool fm_unit_model_sort(struct fm_unit_model *model);
/* Ends the unit; frees the memory if the unit was large. */
void fm_unit_model_end(struct fm_unit_model *model);

#endif
