/* Texts kept once, in the order of their bytes, in groups: each tells only what it has not in common with the one
 * before it. Written by string_encoder.c, read by string_decoder.c. docs/index-format.md has the layout. */
#ifndef FM_INDEX_READ_TABLE_STRING_DECODER_H
#define FM_INDEX_READ_TABLE_STRING_DECODER_H

#include "index/format/fsst.h"
#include "index/format/layout.h"
#include "index/read/table/lazy_table.h"

/* What an opened index keeps of its sorted texts: groups that were asked for, unpacked. */
struct fm_string_table {
    struct fm_lazy_table memo; /* by group: struct fm_sorted_group */
    struct fm_fsst_symbols symbols;
};
struct fm_sorted_group {
    uint32_t count;
    uint32_t ends[FM_SORTED_GROUP]; /* of each text in `bytes` */
    char bytes[];
};

#endif
