#include "formats/retrace_expression.h"

#include "core/fault.h"

framemap_status fm_retrace_expression_create(framemap_str text, struct fm_heap *heap, struct fm_retrace_expression **out,
                                             framemap_error *error)
{
    (void)text, (void)heap, (void)out;
    return fm_fault(error, FRAMEMAP_E_UNSUPPORTED, "expressions are not there yet");
}
void fm_retrace_expression_free(struct fm_retrace_expression *expression) { (void)expression; }
framemap_status fm_retrace_expression_match(struct fm_retrace_expression *expression, framemap_str line, struct fm_retrace_line *out,
                                            framemap_error *error)
{
    (void)expression, (void)line, (void)out;
    return fm_fault(error, FRAMEMAP_E_UNSUPPORTED, "expressions are not there yet");
}
