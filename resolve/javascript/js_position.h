/* Where a row of a JavaScript stack is to be looked up in a source map: the line and column of the generated text as
 * the map counts them. */
#ifndef FM_RESOLVE_JAVASCRIPT_JS_POSITION_H
#define FM_RESOLVE_JAVASCRIPT_JS_POSITION_H

#include "index/read/view.h"
#include <framemap/index.h>

/* A row as it is printed. */
struct fm_printed_place {
    framemap_str file;
    uint32_t line1;
    uint32_t column1; /* 0: not told */
    bool bytecode;    /* it has an address instead of a column */
    uint64_t address;
};

/* Both from 0. */
struct fm_generated_place {
    uint32_t line0, col0;
};

/* React Native: files of which a bundle is one: "123.js", a module; "seg-3.js", a segment; "seg-3_5.js", a module of
 * it. Each has lines of its own, and the map of the bundle says where they stand in it. */
bool fm_script_is_part(framemap_str file);
/* Whether a map is of a bundle that comes in such parts. */
bool fm_script_has_parts(const struct fm_view *view);

/* Whether the columns of a map can be addresses: it knows the bytecode's functions, or has one line alone, as bytecode
 * has without further segments. */
bool fm_script_may_be_bytecode(const struct fm_view *view);

/* NULL: *out is the place. Else a static sentence that says why there is none. */
const char *fm_script_place(const struct fm_view *view, const struct fm_printed_place *row,
                            struct fm_generated_place *out);

/* Bytecode: a query whose scope is the number of a function, decimal, scope_number its segment and position the
 * distance in the function, to one of a place. Result as above; *out is written on success. */
const char *fm_script_function_place(const struct fm_view *view, const framemap_query *query, framemap_query *out);

#endif
