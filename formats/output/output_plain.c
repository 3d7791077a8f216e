/* Output "plain": each stack with its thread, its exception, and rows "    at f (a.c:1:2)", whatever the format of the
 * stack in the input is. The text between stacks is omitted. A frame that is not restored is written as the row that it
 * has in the input. */
#include "formats/output/print_each.h"
#include "formats/output/trace_words.h"
#include "formats/parsers.h"

/* Writes "thread main (id 1), crashed". */
static void put_thread(struct fm_buf *out, const framemap_trace *trace)
{
    if (!fm_put_thread(out, trace)) return;
    if (trace->crashed) fm_buf_str(out, FM_STR(", crashed"));
    fm_buf_byte(out, '\n');
}

static void plain_stack(struct fm_buf *out, const struct fm_print_job *job, const framemap_trace *traces, size_t count)
{
    (void)job;
    put_thread(out, traces);
    fm_put_stack_rows(out, traces, count);
    fm_buf_byte(out, '\n');
}

static framemap_status print_plain(const struct fm_print_job *job, framemap_error *error)
{
    return fm_print_groups(job, fm_stack_parts, plain_stack, error);
}

static const struct fm_output plain_output = {
    .holds = FM_HOLDS_ROWS | FRAMEMAP_PART_THREADS,
    .keeps_rows = true,
    .path_or_module = true,
    .joins_stacks = true,
    .print = print_plain,
};

const struct fm_format fm_plain_output = {
    .info = {"plain", "every stack in one look: its thread, its exception, rows \"at f (a.c:1:2)\"", false, true},
    .output = &plain_output};
