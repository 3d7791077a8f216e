/* Converts a printed JavaScript position to the line and column of the generated text as its source map counts them.
 * Called by session/restore. */
#ifndef FM_RESOLVE_JAVASCRIPT_JS_POSITION_H
#define FM_RESOLVE_JAVASCRIPT_JS_POSITION_H

#include "index/read/view.h"
#include <framemap/index.h>

/* The position of a frame as it is printed in the stack. */
struct fm_printed_place {
    framemap_str file;
    uint32_t line1;
    uint32_t column1; /* column, counted from 1; 0: the stack has no column */
    bool bytecode;    /* the position has an address instead of a column */
    uint64_t address;
};

/* A line and column of the generated text, both from 0. */
struct fm_generated_place {
    uint32_t line0, col0;
};

/* Whether a file is part of a React Native bundle: "123.js", a module; "seg-3.js", a segment; "seg-3_5.js", a module of
 * a segment. Lines are counted from the start of the part, and the map of the bundle records where each part starts. */
bool fm_script_is_part(framemap_str file);
/* Whether a map belongs to a React Native bundle that is split into parts. */
bool fm_script_has_parts(const struct fm_view *view);

/* Whether the columns of a map can be addresses in bytecode of Hermes: the map lists the functions of the bytecode, or
 * the mapper concluded from the columns that they do not count characters. */
bool fm_script_may_be_bytecode(const struct fm_view *view);
/* Whether the columns of a map can be addresses in a module of WebAssembly: they can if the map has a single line. */
bool fm_script_may_be_wasm(const struct fm_view *view);

/* Converts a printed position to a generated one. Returns NULL and writes *out; otherwise returns a static sentence
 * that explains why there is no position. view: the map; NULL may be passed for a map without parts, because nothing is
 * read from it. */
const char *fm_js_map_position(const struct fm_view *view, const struct fm_printed_place *row,
                               struct fm_generated_place *out);

/* Converts a query for bytecode by function (scope: decimal number of the function; scope_number: its segment;
 * position: offset in the function) to a generated position. Returns NULL and writes *out; otherwise returns a static
 * sentence that explains why there is no position. */
const char *fm_js_function_position(const struct fm_view *view, const framemap_query *query, framemap_query *out);

#endif
