/* One unit while it is compiled: its function instances and rows as the reader told them, then by address. Memory is
 * reused from unit to unit. */
#ifndef FM_MAPPERS_NATIVE_COMPILE_UNIT_MODEL_H
#define FM_MAPPERS_NATIVE_COMPILE_UNIT_MODEL_H

#include "core/hash/hash.h"
#include "mappers/native/dwarf/dw_address_spans.h"
#include "mappers/native/dwarf/dw_visitor.h"
#include "mappers/native/image/sorted_keys.h"

/* What a function is, wherever it stands. Numbers of files, functions and nodes are those of the unit's batch. */
struct fm_dw_identity {
    framemap_str name; /* the linkage name, where there is one */
    uint64_t hash;     /* of the name: told while that is near, it stands anywhere in megabytes of texts */
    uint32_t decl_file, decl_line1;
    uint32_t function; /* FM_NONE until it is needed */
    bool artificial;
    bool wants_scope;   /* its scope is to be shown */
    uint64_t home;      /* as of struct fm_dw_function, where its name says nothing of scopes; else 0 */
    framemap_str scope; /* the namespaces and classes around it, once they are read */
};

/* A function or inlined subroutine at one place. There are many: what few of them need stands apart. */
struct fm_dw_instance {
    uint32_t identity; /* number of what it is */
    uint32_t parent;   /* instance that this one is inlined into; FM_NONE for a function of its own */
    uint32_t extent;   /* number of where it stands; FM_NONE where that is not asked for */
    uint32_t call_file, call_line1, call_col1;
    uint32_t node, node_symbol; /* and the symbol that its root was made with; FM_NONE until it is needed */
};
struct fm_dw_extent {
    uint64_t low, size; /* of the first range */
    bool one_range;     /* there is no other */
};

/* What shows from an address on, up to the next part. */
struct fm_dw_part {
    uint64_t low;
    uint64_t start; /* where the range of the instance starts that shows */
    uint32_t instance;
};

struct fm_dw_model_row {
    uint64_t address;
    uint32_t file, line1, col1; /* file FM_NONE: nothing is known from here on */
};

struct fm_unit_model {
    struct fm_heap *heap;
    const struct fm_image *image;
    uint64_t key; /* of hashes of names: the batch's */
    uint8_t language;
    bool inlined_inside; /* FM_DEBUGINFO_INLINED_INSIDE */
    /* Places that rise: rows of sequences without one of them are not kept. NULL: all are. Borrowed from who begins the
     * unit. */
    const struct fm_address_segment *wanted;
    size_t wanted_count;
    uint32_t *files; /* the batch's numbers by the reader's; FM_NONE: a file without a name */
    size_t file_count, file_capacity;
    bool has_homes; /* some identity has one */
    struct fm_dw_identity *identities;
    size_t identity_count, identity_capacity;
    uint32_t *shared; /* number of the identity, by the reader's less 1; FM_NONE */
    size_t shared_count, shared_capacity;
    struct fm_dw_instance *instances;
    size_t instance_count, instance_capacity;
    struct fm_dw_extent *extents; /* of functions of their own; with inlined_inside of all */
    size_t extent_count, extent_capacity;
    uint32_t *open; /* instances that were entered and not left, the innermost last */
    size_t open_count, open_capacity;
    struct fm_dw_model_row *rows;
    size_t row_count, row_capacity;
    size_t sequence_first;         /* row that the open sequence starts with */
    bool falls;                    /* some row stands below the one before it in its sequence */
    struct fm_address_spans spans; /* ranges of the function at hand and of all that is in it; rank: the instance */
    struct fm_address_spans scratch;
    uint32_t *stack; /* of spans while they are settled */
    size_t stack_capacity;
    struct fm_dw_model_row *scratch_rows;
    size_t scratch_row_capacity;
    /* What shows, in stretches without holes: parts by rising address, and one more that tells the end. */
    struct fm_dw_part *parts;
    size_t part_count, part_capacity;
    struct fm_address_spans stretches; /* low, high: addresses; id, rank: the first part, and the one that tells the
                                  end. Settled: in order, apart from each other */
    /* Rows of a sequence by rising address, and one more at its end. low: where it ends; id, high: the first row, and
     * the one at the end. Settled: in the order of their ends; where two overlap, the one that ends first counts. */
    struct fm_address_spans sequences;
};

void fm_unit_model_init(struct fm_unit_model *model, struct fm_heap *heap, const struct fm_image *image);
void fm_unit_model_free(struct fm_unit_model *model);
void fm_unit_model_begin(struct fm_unit_model *model, uint8_t language);

/* All return false when out of memory. */
/* size_bytes: of the unit's debug info. Has room for what a big one is likely to hold, so that this is not moved again
 * and again while it grows. */
bool fm_unit_model_reserve(struct fm_unit_model *model, uint64_t size_bytes);
/* file: the batch's number of the next file that the reader counts. */
bool fm_unit_model_file(struct fm_unit_model *model, uint32_t file);
/* The batch's number of a file of the reader's. */
static inline uint32_t fm_unit_model_file_of(const struct fm_unit_model *model, uint32_t number)
{
    return number < model->file_count ? model->files[number] : UINT32_MAX;
}
bool fm_unit_model_rows(struct fm_unit_model *model, const struct fm_dw_row *rows, size_t count);
/* What the reader says that a function is; once for functions that it gives one number. */
bool fm_unit_model_identity(struct fm_unit_model *model, const struct fm_dw_function *function, uint32_t *out);
bool fm_unit_model_enter(struct fm_unit_model *model, const struct fm_dw_instance *instance, bool inlined,
                         const struct fm_dw_range *ranges, size_t count);
bool fm_unit_model_leave(struct fm_unit_model *model);

/* Puts stretches and sequences in order. The rules are LLVM's, so that answers are equal where debug info contradicts
 * itself: of instances that overlap, the one that starts last shows, then the later entry; of rows at one address, the
 * last; of sequences that overlap, the one that ends first. A row whose file is not in the table says nothing. */
bool fm_unit_model_sort(struct fm_unit_model *model);
/* The unit is done with: the memory of a big one is given back. */
void fm_unit_model_end(struct fm_unit_model *model);

#endif
