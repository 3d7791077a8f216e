/* Frees the list of functions, which js_functions_finish.c fills. */
#include "mappers/javascript/functions/js_function_list.h"

void fm_js_functions_free(struct fm_js_functions *script)
{
    fm_heap_free(script->heap, script->functions, script->function_capacity * sizeof *script->functions);
    fm_heap_free(script->heap, script->parts, script->part_capacity * sizeof *script->parts);
}
