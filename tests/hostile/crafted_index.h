/* Small native indexes with an extreme amount of data for address 0x100: many alternatives, deep inline chains, many
 * aliases, long names. Used by hostile_indexes.c and by tests/session/restore/test_answer_limits.c. */
#ifndef TESTS_HOSTILE_CRAFTED_INDEX_H
#define TESTS_HOSTILE_CRAFTED_INDEX_H

#include <framemap/index.h>

#include <stdbool.h>
#include <stdint.h>

/* The contents of an index: one function at [0x100, 0x140), which is inlined into itself. */
struct crafted_index {
    const char *kind, *id;               /* kind of the index, and id of its image, which has the name libapp.so */
    framemap_str file, function;         /* file path and function name, used for every frame */
    bool has_declaration;                /* the function is declared in `file` */
    const char *alias_head, *alias_tail; /* an alias consists of alias_head, a number and alias_tail */
    uint32_t aliases;                    /* number of aliases of the outermost frame */
    /* number of frames of each chain, and of chains at each address; at least 1 each */
    uint32_t depth, alternatives;
    unsigned positions, step; /* number of addresses from 0x100 on, and the distance between them */
};

/* Builds an index, which the caller frees with framemap_bytes_free. Errors: those of the builder; MEMORY. */
framemap_status crafted_index_build(const struct crafted_index *what, framemap_bytes *out, framemap_error *error);

#endif
