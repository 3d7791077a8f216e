/* The functions of a script: where each starts and ends, and what its name is made of. Filled by js_functions.c; read
 * by the source map mapper. */
#ifndef FM_MAPPERS_JAVASCRIPT_FUNCTIONS_JS_FUNCTION_LIST_H
#define FM_MAPPERS_JAVASCRIPT_FUNCTIONS_JS_FUNCTION_LIST_H

#include "core/heap.h"
#include "core/text/text.h"

/* A position; line and column count from 0, columns in UTF-16 units. Lines end at LF, CR LF and CR. */
struct fm_js_text_position {
    uint32_t line0, col0;
};

/* A part of a name. A name is the concatenation of its parts: "A" "." "b", or "get " "x". */
struct fm_js_name_part {
    framemap_str text;             /* name as the script spells it; borrowed from the script, or static */
    struct fm_js_text_position at; /* position of the identifier; only if `renamed` or `is_key` */
    bool renamed; /* an identifier of the script, which a minifier may have renamed; other parts are the same in the
                     source */
    /* a property whose name is as short as minifiers' names. Unless the map states another name, it has this name in
     * the source, too, because minifiers rename properties only on request */
    bool is_key;
    /* this part and the next one belong to the name only if the text of this part starts with a capital letter in
     * the source */
    bool if_capital;
};

#define FM_JS_NONE UINT32_MAX

struct fm_js_function {
    /* begin: the first token (`function`, `async`, a parameter or the parenthesis before it; for a method its
     * parenthesis, for a field its equals sign). end: after the last token. The implicit constructor of a class spans
     * the word `class`, where engines report it. */
    struct fm_js_text_position begin, end;
    /* index of the enclosing function, which is smaller than the function's own; FM_JS_NONE: no function encloses it */
    uint32_t outer;
    /* range of the name's parts in the list of parts; 0 parts: the function has no name */
    uint32_t first_part, part_count;
    bool begins_with_word; /* the function begins with `function`, `async`, `class` or `static`, which have at
                              least five letters */
};

struct fm_js_functions {
    struct fm_heap *heap;
    struct fm_js_function *functions; /* sorted by begin; two functions are nested or disjoint */
    struct fm_js_name_part *parts;
    size_t function_count, function_capacity, part_count, part_capacity;
};

/* Frees the list, which may be empty. */
void fm_js_functions_free(struct fm_js_functions *script);

#endif
