/* The functions of a script: where each starts and ends, and what its name is made of. Filled by js_functions.c; read
 * by the source map mapper. */
#ifndef FM_MAPPERS_JAVASCRIPT_FUNCTIONS_JS_FUNCTION_LIST_H
#define FM_MAPPERS_JAVASCRIPT_FUNCTIONS_JS_FUNCTION_LIST_H

#include "core/heap.h"
#include "core/text/text.h"

/* Lines and columns count from 0, columns in UTF-16 units; lines end at LF, CR LF and CR. */
struct fm_js_text_position {
    uint32_t line0, col0;
};

/* A piece of a name: names are their parts one behind the other, "A" "." "b", "get " "x". */
struct fm_js_name_part {
    framemap_str text;             /* as the script spells it, borrowed from it, or static */
    struct fm_js_text_position at; /* where the identifier stands, for renamed ones */
    bool renamed; /* an identifier of the script, which a minifier may have renamed; else it is what the source has too
                   */
    bool if_capital; /* counts, with the part behind it, only if it begins with a capital letter in the source */
};

#define FM_JS_NONE UINT32_MAX

struct fm_js_function {
    /* From its first token (`function`, `async`, a parameter or the parenthesis before it; a method's parenthesis; a
     * field's equals sign) to behind its last one. A class without a constructor of its own has one as long as the word
     * `class`: there engines say that it runs. */
    struct fm_js_text_position begin, end;
    uint32_t outer; /* the function around it, a number of the list, always a smaller one; FM_JS_NONE: none */
    uint32_t first_part, part_count; /* 0 parts: it has no name */
    bool begins_with_word;           /* `function`, `async`, `class` or `static`: five letters at least */
};

struct fm_js_functions {
    struct fm_heap *heap;
    struct fm_js_function *functions; /* by rising begin; each either inside another or apart from it */
    struct fm_js_name_part *parts;
    size_t function_count, function_capacity, part_count, part_capacity;
};

void fm_js_functions_free(struct fm_js_functions *script);

#endif
