/* The address form of an index: the interface by which mappers give records to the index. The model below is not the
 * disk layout; docs/index-format.md is.
 *
 * An index is a set of scopes. A scope has positions (addresses, lines, columns), each with one location or several
 * alternative ones. A location leads to a chain of source frames. A position's locations are valid up to the next
 * position of its scope, or to an end mark.
 *
 * - string, file, function: interned; equal contents give equal numbers
 * - node: one function in an inline chain, with the call site in its parent; FM_NONE: no function known
 * - place: a location: node, and file, line and column of the innermost frame
 *
 * A builder is used by one thread at a time. After a failed call only fm_builder_free may follow. */
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

/* Identity and properties of the index; strings are copied. */
struct fm_builder_about {
    framemap_str kind; /* a name of the table in index/format/kinds.c: "elf", "macho", "wasm", "r8" … */
    framemap_str id;   /* id of the symbol file, lower-case hexadecimal */
    bool id_later;     /* only the id's size is known; fm_builder_id sets it before fm_builder_finish */
    framemap_str arch;
    framemap_str name; /* name of the symbol file */
    uint64_t base;     /* preferred load address: positions of scope "" are address - base */
    unsigned address_bits;
    bool big_endian;
    enum fm_scope_keys keys;
};

framemap_status fm_builder_create(struct fm_heap *heap, struct fm_builder **out, framemap_error *error);
void fm_builder_free(struct fm_builder *builder);
/* Sets the number of threads that fm_builder_finish may use (0 means 1); other calls use one thread. The bytes of the
 * index do not depend on the number. */
void fm_builder_threads(struct fm_builder *builder, unsigned threads);
framemap_status fm_builder_about(struct fm_builder *builder, const struct fm_builder_about *about,
                                 framemap_error *error);
/* Sets the id announced by id_later; called once, with the announced size. */
void fm_builder_id(struct fm_builder *builder, framemap_str id);
/* Sets an attribute: "producer", "pg_map_id", "debug_id" … Attributes are stored sorted by key; a later call with the
 * same key replaces the value. Keys that start with a dot are reserved (ARGUMENT). */
framemap_status fm_builder_attribute(struct fm_builder *builder, framemap_str key, framemap_str value,
                                     framemap_error *error);

/* Intern a string, which is copied; *out: its number. */
framemap_status fm_builder_string(struct fm_builder *builder, framemap_str text, uint32_t *out, framemap_error *error);
/* Interns several strings, which is faster: out[i] is the number of texts[i]. */
framemap_status fm_builder_strings(struct fm_builder *builder, const framemap_str *texts, size_t count, uint32_t *out,
                                   framemap_error *error);
/* Adds a file. path: the whole path to show, "/src/dir/a.c"; the builder stores folders once. */
framemap_status fm_builder_file(struct fm_builder *builder, framemap_str path, uint32_t *out, framemap_error *error);

struct fm_function {
    uint32_t name; /* number of a string: the name as the symbol file spells it (linkage name); FM_NONE: unknown */
    /* number of a string: the class, or in native code the scopes, around the function; FM_NONE: none */
    uint32_t class_name;
    uint32_t decl_file;  /* number of a file; FM_NONE: not known */
    uint32_t decl_line1; /* line of the declaration; 0: unknown */
    uint8_t language;    /* a value FM_LANGUAGE_… */
};
framemap_status fm_builder_function(struct fm_builder *builder, const struct fm_function *function, uint32_t *out,
                                    framemap_error *error);

/* A node without a parent is a root: an out-of-line function, with machine code of its own. Equal nodes give equal
 * numbers. */
struct fm_node {
    uint32_t parent;   /* number of a node; FM_NONE for a root */
    uint32_t function; /* the node's function; FM_NONE: nothing is known but `symbol` */
    /* For inlined functions only: the call site in the parent. */
    uint32_t call_file;             /* file of the call; FM_NONE: unknown */
    uint32_t call_line1, call_col1; /* position of the call; 0: unknown */
    uint32_t flags;                 /* bits FM_NODE_… */
    /* Members that are used for roots only: */
    uint64_t start; /* position in the function's scope where the function starts */
    uint64_t size;  /* size of the function; 0: unknown */
    /* number of a string: the name in the symbol table if it differs from the function's name; else FM_NONE */
    uint32_t symbol;
};
framemap_status fm_builder_node(struct fm_builder *builder, const struct fm_node *node, uint32_t *out,
                                framemap_error *error);
/* Adds another name for the root's machine code (identical code folding, symbol aliases). The index has the names of a
 * root sorted and without duplicates. */
framemap_status fm_builder_alias(struct fm_builder *builder, uint32_t root, uint32_t name_string,
                                 framemap_error *error);

/* Adds a scope, or finds it. key: name of the scope; *out: its number. */
framemap_status fm_builder_scope(struct fm_builder *builder, framemap_str key, uint32_t *out, framemap_error *error);
framemap_status fm_builder_scope_number(struct fm_builder *builder, uint64_t key, uint32_t *out, framemap_error *error);

struct fm_place {
    uint32_t node;        /* node of the function; FM_NONE: no function is known */
    uint32_t file;        /* file of the location; FM_NONE: unknown */
    uint32_t line1, col1; /* line and column of the location; 0: unknown */
    uint32_t name;        /* number of a string: name recorded for the position itself (source maps); FM_NONE: none */
    uint32_t flags;       /* bits FM_PLACE_… */
};

/* Adds a position; positions may come in any order. A later call for the same position replaces it. count: at least 1;
 * several alternatives (best first) mean that the position is ambiguous. */
framemap_status fm_builder_position(struct fm_builder *builder, uint32_t scope, uint64_t position,
                                    const struct fm_place *places, size_t count, framemap_error *error);
/* Adds an end mark: from this position up to the next one of the scope, nothing is known. If the scope also has a
 * position at the same place, that takes precedence, regardless of the order of calls. */
framemap_status fm_builder_end(struct fm_builder *builder, uint32_t scope, uint64_t position, framemap_error *error);

/* A batch is many records that are added in one call. Records refer to each other by their indexes in the batch's
 * lists; FM_NONE has the same meaning as in the single calls. Worker threads make one batch for each unit of debug
 * info. All memory is borrowed for the call. */
struct fm_batch_row {
    uint64_t position;
    uint32_t node, file, line1, col1; /* if both node and file are FM_NONE, the row is an end mark */
};
struct fm_batch_run { /* rows of one scope; fastest if strictly ascending by position */
    uint32_t scope;   /* the builder's number of the scope */
    size_t first, count;
};
struct fm_batch_alias {
    uint32_t root, name; /* numbers of a node and a string */
};
/* A node of a batch. There are many, so fields that only roots have are separate. */
struct fm_batch_node {
    uint32_t parent, function;
    uint32_t call_file; /* for a root: its index in `roots` */
    uint32_t call_line1, call_col1, flags;
};
struct fm_batch_root {
    uint64_t start, size;
    uint32_t symbol;
};
struct fm_batch {
    const framemap_str *strings;
    const uint64_t *hashes;    /* fm_hash_text of each string, with fm_builder_key as the key; NULL: not computed */
    const framemap_str *files; /* the files, given by their whole paths */
    const struct fm_function *functions;
    const struct fm_batch_node *nodes; /* parents before children; if two nodes are equal, the builder may store both */
    const struct fm_batch_root *roots;
    const struct fm_batch_alias *aliases;
    const struct fm_batch_row *rows;
    const struct fm_batch_run *runs;
    size_t string_count, file_count, function_count, node_count, root_count, alias_count, row_count, run_count;
};
/* Adds a batch. Result and errors are those of single calls for its strings, files, functions, nodes, aliases and rows,
 * list after list in this order. */
framemap_status fm_builder_add_batch(struct fm_builder *builder, const struct fm_batch *pack, framemap_error *error);
/* Returns the key for the hashes of batches, which never changes for a builder. Any thread. */
uint64_t fm_builder_key(const struct fm_builder *builder);

/* Returns the number of positions added, end marks included. */
size_t fm_builder_count(const struct fm_builder *builder);

/* The bytes of a finished index. */
struct fm_built {
    unsigned char *data;
    size_t size;
};
/* Writes the index; after it only fm_builder_free may follow. Free *out with fm_heap_free(heap, out->data, out->size).
 * The same calls give the same bytes, and so do the same records in another order (but of two calls for one position
 * the later one counts). Records that no position needs are left out, except scopes; a position that equals the
 * previous one is left out too. Errors: EMPTY (no position), ARGUMENT (the scopes' kind differs from fm_builder_about),
 * LIMIT, MEMORY. */
framemap_status fm_builder_finish(struct fm_builder *builder, struct fm_built *out, framemap_error *error);

#endif
