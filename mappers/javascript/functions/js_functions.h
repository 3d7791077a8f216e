/* The functions of a script, read off its text: where each begins and ends and what its names are made of. A scanner of
 * tokens, brackets and the few forms in which JavaScript binds functions to names; no engine, no syntax check. Any text
 * is taken: of what it does not understand it tells less. Time and memory are linear in the text, nesting costs no
 * stack. */
#ifndef FM_MAPPERS_JAVASCRIPT_FUNCTIONS_JS_FUNCTIONS_H
#define FM_MAPPERS_JAVASCRIPT_FUNCTIONS_JS_FUNCTIONS_H

#include "core/heap.h"
#include "core/text/text.h"

/* Lines and columns count from 0, columns in UTF-16 units; lines end at LF, CR LF and CR. */
struct fm_script_place {
    uint32_t line0, col0;
};

/* A piece of a name: names are their parts one behind the other, "A" "." "b", "get " "x". */
struct fm_script_part {
    framemap_str text;         /* as the script spells it, borrowed from it, or static */
    struct fm_script_place at; /* where the identifier stands, for renamed ones */
    bool renamed; /* an identifier of the script, which a minifier may have renamed; else it is what the source has too
                   */
    bool if_capital; /* counts, with the part behind it, only if it begins with a capital letter in the source */
};

#define FM_SCRIPT_NONE UINT32_MAX

struct fm_script_function {
    /* From its first token (`function`, `async`, a parameter or the parenthesis before it; a method's parenthesis; a
     * field's equals sign) to behind its last one. A class without a constructor of its own has one as long as the word
     * `class`: there engines say that it runs. */
    struct fm_script_place begin, end;
    uint32_t outer; /* the function around it, a number of the list, always a smaller one; FM_SCRIPT_NONE: none */
    uint32_t first_part, part_count; /* 0 parts: it has no name */
    bool begins_with_word;           /* `function`, `async`, `class` or `static`: five letters at least */
};

struct fm_script {
    struct fm_heap *heap;
    struct fm_script_function *functions; /* by rising begin; each either inside another or apart from it */
    struct fm_script_part *parts;
    size_t function_count, function_capacity, part_count, part_capacity;
};

/* text: borrowed as long as the script. A byte order mark at its begin has no column. Errors: LIMIT (4 GB of text,
 * FM_LIMIT_SCRIPT_DEPTH), MEMORY. Free it in any case. */
framemap_status fm_script_read(framemap_str text, struct fm_heap *heap, struct fm_script *out, framemap_error *error);
void fm_script_free(struct fm_script *script);

#endif
