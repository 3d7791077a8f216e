/* Numbers the files of one unit of a Go program, and reports each to the visitor before its number is used. Called by
 * go_backend.c. */
#ifndef FM_MAPPERS_NATIVE_GO_GO_FILES_H
#define FM_MAPPERS_NATIVE_GO_GO_FILES_H

#include "core/hash/hash.h"
#include "mappers/native/dwarf/dw_visitor.h"
#include "mappers/native/go/go_function.h"

/* How many bytes of names and paths may still be reported for a unit. Without this limit, a hostile file in which all
 * functions share one long name would take too much memory. */
struct fm_go_budget {
    uint64_t left;
    bool is_cut; /* some text was left out */
};

/* Returns a text and counts its bytes; an empty text if it has more bytes than are left. */
framemap_str fm_go_budget_take(struct fm_go_budget *budget, framemap_str text);

struct fm_go_files {
    struct fm_heap *heap;
    const struct fm_go_table *table;
    const struct fm_dw_visitor *to;
    struct fm_go_budget *budget;
    struct fm_table numbers; /* file numbers by the offset of the path */
    uint32_t *offsets;       /* offset of the path of each file */
    size_t count, capacity;
};

void fm_go_files_begin(struct fm_go_files *files, struct fm_heap *heap, const struct fm_go_table *table,
                       const struct fm_dw_visitor *to, struct fm_go_budget *budget);
void fm_go_files_end(struct fm_go_files *files);

/* Gets the number of the file whose path is at an offset of the table; FM_NONE for FM_GO_NO_FILE. Returns false when
 * out of memory, or if the visitor stopped the walk. */
bool fm_go_files_number(struct fm_go_files *files, uint32_t offset, uint32_t *out);

#endif
