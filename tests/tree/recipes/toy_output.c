/* A toy output for check_recipes, which prints the number of frames of each trace. */
#include "formats/output/print_each.h"
#include "formats/parsers.h"

static void toy_trace(struct fm_buf *out, const framemap_trace *trace, void *state)
{
    (void)state;
    fm_buf_printf(out, "%zu frames\n", trace->frame_count);
}

static framemap_status print_toy(const struct fm_print_job *job, framemap_error *error)
{
    return fm_print_each(job, toy_trace, error);
}

static const struct fm_output toy_output = {
    .print = print_toy,
};

const struct fm_format fm_toy_output = {.info = {"toy-count", "the number of frames of each trace", false, true},
                                        .output = &toy_output};
