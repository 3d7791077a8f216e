/* One unit while it is compiled: its function instances and rows as the visitor told them, then as segments. Memory is reused from unit to unit. */
#ifndef FM_DW_UNIT_MODEL_H
#define FM_DW_UNIT_MODEL_H

#include "mappers/debuginfo/dw_paint.h"
#include "mappers/debuginfo/visitor.h"

/* A function or inlined subroutine at one place. Files are numbers of the builder. */
struct fm_dw_instance {
    framemap_str linkage_name, name;
    uint64_t low, size; /* of the first range */
    bool one_range;     /* there is no other */
    uint32_t parent;    /* instance that this one is inlined into; FM_NONE for a function of its own */
    uint32_t around;    /* instance that was open when this one was entered; FM_NONE */
    uint32_t decl_file, decl_line1;
    uint32_t call_file, call_line1, call_col1;
    uint32_t function;             /* number of the builder, FM_NONE until it is needed */
    uint32_t node, node_symbol;    /* node of the builder, and the symbol that its root was made with; FM_NONE until it is needed */
    bool artificial;
};

struct fm_dw_model_row {
    uint64_t address;
    uint32_t file, line1, col1;
};

struct fm_dw_unit_model {
    struct fm_heap *heap;
    const struct fm_image *image;
    uint8_t language;
    bool inlined_inside; /* FM_DEBUGINFO_INLINED_INSIDE */
    struct fm_dw_instance *instances;
    size_t instance_count, instance_capacity;
    uint32_t open; /* the instance that was entered and not left; FM_NONE */
    struct fm_dw_model_row *rows;
    size_t row_count, row_capacity;
    size_t sequence_first;       /* row that the open sequence starts with */
    struct fm_spans spans;       /* ranges of instances */
    struct fm_spans sequences;   /* low: where a sequence ends (they are sorted by that); high: its last row; id: its first row */
    struct fm_spans scratch;
    struct fm_segments functions; /* ids: instances */
    struct fm_segments lines;     /* ids: rows */
};

void fm_dw_unit_model_init(struct fm_dw_unit_model *model, struct fm_heap *heap, const struct fm_image *image);
void fm_dw_unit_model_free(struct fm_dw_unit_model *model);
void fm_dw_unit_model_begin(struct fm_dw_unit_model *model, uint8_t language);

/* All return false when out of memory. */
bool fm_dw_unit_model_row(struct fm_dw_unit_model *model, const struct fm_dw_model_row *row, bool end_sequence);
bool fm_dw_unit_model_enter(struct fm_dw_unit_model *model, const struct fm_dw_instance *instance, bool inlined,
                            const struct fm_dw_range *ranges, size_t count);
void fm_dw_unit_model_leave(struct fm_dw_unit_model *model);

/* Fills `functions` and `lines`. The rules are LLVM's, so that answers are equal where debug info contradicts itself: of instances that overlap, the
 * one that starts last shows, then the later entry; of rows at one address, the last; of sequences that overlap, the one that ends first. */
bool fm_dw_unit_model_settle(struct fm_dw_unit_model *model);

#endif
