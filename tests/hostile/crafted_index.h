/* Small native indexes that claim much for address 0x100: many alternatives, deep inline chains, many aliases, long
 * names. Used by hostile_indexes.c and by tests/session/restore/test_answer_limits.c. */
#ifndef TESTS_HOSTILE_CRAFTED_INDEX_H
#define TESTS_HOSTILE_CRAFTED_INDEX_H

#include <framemap/index.h>

#include <stdbool.h>
#include <stdint.h>

/* One function at [0x100, 0x140), inlined into itself. */
struct crafted_index {
    const char *kind, *id;               /* kind and id of the image, whose name is libapp.so */
    framemap_str file, function;         /* path and name, used for every frame */
    bool has_declaration;                /* the function is declared in `file` */
    const char *alias_head, *alias_tail; /* an alias is alias_head, a number, alias_tail */
    uint32_t aliases;                    /* aliases of the outermost frame */
    uint32_t depth, alternatives;        /* frames of each chain, and chains at each address; both at least 1 */
    unsigned positions, step;            /* number of addresses from 0x100 on, and the distance between them */
};

/* Builds an index, which the caller frees with framemap_bytes_free. Errors: the builder's; MEMORY. */
framemap_status crafted_index_build(const struct crafted_index *what, framemap_bytes *out, framemap_error *error);

#endif
