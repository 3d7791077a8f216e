/* moduledata, the runtime's record of a Go program: golang src/runtime/symtab.go. It has addresses without which the
 * table of functions cannot be read completely. */
#ifndef FM_MAPPERS_NATIVE_GO_GO_MODULE_H
#define FM_MAPPERS_NATIVE_GO_GO_MODULE_H

#include "mappers/native/image/go_section.h"
#include "mappers/native/image/image.h"

struct fm_go_module {
    uint64_t text;        /* address that code offsets are relative to */
    uint64_t inline_data; /* address that offsets of inline trees are relative to */
};

/* Finds moduledata of a program whose table of functions, of version 1.18 or later, is at `table`, with its names at
 * `names`. Returns false if not found. */
bool fm_go_module_find(const struct fm_image *image, const struct fm_go_start *start, uint64_t table, uint64_t names,
                       struct fm_go_module *out);

#endif
