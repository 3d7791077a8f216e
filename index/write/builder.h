/* Records to index bytes. The writer's model below is not the disk layout; docs/index-format.md is.
 *
 * An index is a set of scopes. A scope holds positions (addresses, lines, columns), each with one place or several
 * alternative ones; a place is a chain of source frames. A position's answer holds up to the next position of its
 * scope, or to its end mark.
 *
 *     string, file, function       interned: equal content gives the equal number
 *     node                         one function at one axis_offset of a chain, with the call site in its parent; NONE:
 * no function known place                        node + file, line, column of the innermost frame
 *
 * One thread per builder. After any failed call only fm_builder_free may follow. */
#ifndef FM_INDEX_WRITE_BUILDER_H
#define FM_INDEX_WRITE_BUILDER_H

#include "core/heap.h"
#include "index/format/flags.h"

#define FM_NONE UINT32_MAX

struct fm_builder;

enum fm_scope_keys {
    FM_SCOPE_NAMED = 0, /* scopes are byte strings; "" is the image itself */
    FM_SCOPE_NUMBERED = 1
};

/* What the index is about; strings are copied. */
struct fm_builder_about {
    framemap_str kind; /* mapper's name for it: "elf", "macho", "r8" … */
    framemap_str id;   /* lower-case hex */
    bool id_later;     /* only its size is known by now: fm_builder_id says it, before the builder is finished */
    framemap_str arch;
    framemap_str name; /* of the symbol file */
    uint64_t base;     /* preferred load address: positions of scope "" are address - base */
    unsigned address_bits;
    bool big_endian;
    enum fm_scope_keys keys;
};

framemap_status fm_builder_create(struct fm_heap *heap, struct fm_builder **out, framemap_error *error);
void fm_builder_free(struct fm_builder *builder);
/* Threads that fm_builder_finish may use, 0 is 1; before a call of it only one is used. The bytes are the same for any
 * number. */
void fm_builder_threads(struct fm_builder *builder, unsigned threads);
framemap_status fm_builder_about(struct fm_builder *builder, const struct fm_builder_about *about,
                                 framemap_error *error);
/* The id whose size fm_builder_about was told with id_later; called once. */
void fm_builder_id(struct fm_builder *builder, framemap_str id);
/* Free attributes kept in the index in the order of their keys: "producer", "pg_map_id", "debug_id" … A key set again
 * replaces. Keys that begin with a dot are the format's own (ARGUMENT). */
framemap_status fm_builder_attribute(struct fm_builder *builder, framemap_str key, framemap_str value,
                                     framemap_error *error);

/* All of these give a number through *out; text is copied. */
framemap_status fm_builder_string(struct fm_builder *builder, framemap_str text, uint32_t *out, framemap_error *error);
/* Several at once, which is faster: out[i] is the number of texts[i]. */
framemap_status fm_builder_strings(struct fm_builder *builder, const framemap_str *texts, size_t count, uint32_t *out,
                                   framemap_error *error);
/* path: whole, as it is to be shown, "/src/dir/a.c"; the builder keeps folders once. */
framemap_status fm_builder_file(struct fm_builder *builder, framemap_str path, uint32_t *out, framemap_error *error);

struct fm_function {
    uint32_t name;       /* string: as the symbol file spells it (linkage name), FM_NONE: unknown */
    uint32_t class_name; /* string or FM_NONE (Java) */
    uint32_t decl_file;  /* file or FM_NONE */
    uint32_t decl_line1; /* 0: unknown */
    uint8_t language;    /* FM_LANGUAGE_… */
};
framemap_status fm_builder_function(struct fm_builder *builder, const struct fm_function *function, uint32_t *out,
                                    framemap_error *error);

/* A node without a parent is a root: a function that has machine code (or a member) of its own. Equal nodes give the
 * equal number. */
struct fm_node {
    uint32_t parent;   /* node, or FM_NONE for a root */
    uint32_t function; /* FM_NONE: nothing known but what `symbol` says */
    /* Not a root: where the parent calls it. */
    uint32_t call_file;             /* FM_NONE unknown */
    uint32_t call_line1, call_col1; /* 0 unknown */
    uint32_t flags;                 /* FM_NODE_… */
    /* Roots only. */
    uint64_t start;  /* position where the function begins in its scope */
    uint64_t size;   /* 0 unknown */
    uint32_t symbol; /* string: the symbol table's name for it where that is not the function's name; FM_NONE */
};
framemap_status fm_builder_node(struct fm_builder *builder, const struct fm_node *node, uint32_t *out,
                                framemap_error *error);
/* Another function that shares the root's machine code (identical code folding, symbol aliases). Kept in the order of
 * names; repeats are dropped. */
framemap_status fm_builder_alias(struct fm_builder *builder, uint32_t root, uint32_t name_string,
                                 framemap_error *error);

/* key: name of the scope; *out: its number. */
framemap_status fm_builder_scope(struct fm_builder *builder, framemap_str key, uint32_t *out, framemap_error *error);
framemap_status fm_builder_scope_number(struct fm_builder *builder, uint64_t key, uint32_t *out, framemap_error *error);

struct fm_place {
    uint32_t node;        /* FM_NONE: no function known */
    uint32_t file;        /* FM_NONE unknown */
    uint32_t line1, col1; /* 0 unknown */
    uint32_t name;        /* string on the position itself (source maps), FM_NONE */
    uint32_t flags;       /* FM_PLACE_… */
};

/* One position, any order; of two at the same position the later call wins. count >= 1 alternatives, best first (more
 * than one: ambiguous). */
framemap_status fm_builder_position(struct fm_builder *builder, uint32_t scope, uint64_t position,
                                    const struct fm_place *places, size_t count, framemap_error *error);
/* Nothing is known from here to the next position. A position at the same axis_offset wins over the end mark, whichever
 * came first. */
framemap_status fm_builder_end(struct fm_builder *builder, uint32_t scope, uint64_t position, framemap_error *error);

/* Many records at once, under numbers of their own, which are their places in these lists; FM_NONE as in the single
 * calls. What one unit of debug info has to say, made by another thread. All is borrowed for the call. */
struct fm_batch_row {
    uint64_t position;
    uint32_t node, file, line1, col1; /* node and file FM_NONE: nothing is known from here on */
};
struct fm_batch_run { /* rows of one scope, by strictly rising position (others cost more) */
    uint32_t scope;   /* of the builder */
    size_t first, count;
};
struct fm_batch_alias {
    uint32_t root, name; /* node, string */
};
/* A node: there are many, and what only roots have stands apart. */
struct fm_batch_node {
    uint32_t parent, function;
    uint32_t call_file; /* of a root: its number in `roots` */
    uint32_t call_line1, call_col1, flags;
};
struct fm_batch_root {
    uint64_t start, size;
    uint32_t symbol;
};
struct fm_batch {
    const framemap_str *strings;
    const uint64_t *hashes;    /* of the strings, as fm_hash_text tells them by fm_builder_key; NULL: not told */
    const framemap_str *files; /* whole paths */
    const struct fm_function *functions;
    const struct fm_batch_node *nodes; /* parents before children; each once: those that are equal may be kept as two */
    const struct fm_batch_root *roots;
    const struct fm_batch_alias *aliases;
    const struct fm_batch_row *rows;
    const struct fm_batch_run *runs;
    size_t string_count, file_count, function_count, node_count, root_count, alias_count, row_count, run_count;
};
/* The same as the single calls: strings, files, functions, nodes, aliases, then rows, each list in its order. Errors:
 * as of those. */
framemap_status fm_builder_add_batch(struct fm_builder *builder, const struct fm_batch *pack, framemap_error *error);
/* For the hashes of packs; the same for the builder's whole life. May be called from any thread. */
uint64_t fm_builder_key(const struct fm_builder *builder);

/* Positions added so far, ends included. */
size_t fm_builder_count(const struct fm_builder *builder);

/* Writes the index, once: after it only fm_builder_free may follow. *out is of the builder's heap: fm_heap_free(heap,
 * out->data, out->size). Same calls give the same bytes, and so do the same records added in another order (but of two
 * calls at one position the later counts). Records that no position needs are left out, scopes excepted; so is a
 * position whose answer is that of the one before it. Errors: EMPTY (no position), ARGUMENT (scopes of the other kind
 * than fm_builder_about said), LIMIT, MEMORY. */
struct fm_built {
    unsigned char *data;
    size_t size;
};
framemap_status fm_builder_finish(struct fm_builder *builder, struct fm_built *out, framemap_error *error);

#endif
