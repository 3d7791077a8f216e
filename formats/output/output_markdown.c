/* Output "markdown", for issue trackers: each event (event_group.h) is a heading, and a code block for each of its
 * stacks. Text from the input and the symbols is only put in code spans and code blocks. Their fences have more
 * backticks than any run of backticks in the text, so the text cannot end them, mention people or become HTML. */
#include "formats/output/event_group.h"
#include "formats/output/print_each.h"
#include "formats/output/trace_words.h"
#include "formats/parsers.h"

/* Returns the length of the longest run of backticks in the text. */
static size_t backticks(framemap_str text)
{
    size_t most = 0, run = 0;
    for (size_t i = 0; i < text.size; i++) {
        run = text.data[i] == '`' ? run + 1 : 0;
        if (run > most) most = run;
    }
    return most;
}

static void put_fence(struct fm_buf *out, size_t count)
{
    for (size_t i = 0; i < count; i++) fm_buf_byte(out, '`');
}

/* Writes a code span on one line. The fence is followed by a space, so that the text may begin with a backtick. */
static void put_span(struct fm_buf *out, framemap_str text)
{
    const size_t fence = backticks(text) + 1, pad = fence > 1;
    put_fence(out, fence);
    if (pad) fm_buf_byte(out, ' ');
    fm_buf_escaped(out, text);
    if (pad) fm_buf_byte(out, ' ');
    put_fence(out, fence);
}

static void put_heading(struct fm_buf *out, const framemap_trace *trace)
{
    struct fm_buf title;
    fm_buf_init(&title, out->heap);
    fm_put_exception_title(&title, trace);
    const framemap_str text = fm_str_trim(fm_buf_view(&title));
    /* the title has further lines, which are written in the code block */
    const size_t end = fm_str_find_byte(text, '\n');
    fm_buf_str(out, FM_STR("### "));
    if (text.size)
        put_span(out, fm_str_trim(fm_str_slice(text, 0, end)));
    else
        fm_buf_str(out, FM_STR("Stack"));
    fm_buf_str(out, FM_STR("\n\n"));
    if (title.failed) out->failed = true;
    fm_buf_free(&title);
}

static void put_word(struct fm_buf *out, bool *any, framemap_str label, framemap_str text)
{
    if (text.size == 0) return;
    if (*any) fm_buf_str(out, FM_STR(", "));
    *any = true;
    fm_buf_str(out, label);
    put_span(out, text);
}

/* Writes a thread such as "thread `main` (crashed)". Returns whether the thread is known. */
static bool put_thread(struct fm_buf *out, const framemap_trace *trace)
{
    const struct fm_thread_words thread = fm_thread_words(trace);
    bool any = false;
    put_word(out, &any, FM_STR("thread "), thread.name.size ? thread.name : thread.id);
    if (any && trace->crashed) fm_buf_str(out, FM_STR(" (crashed)"));
    return any;
}

/* Writes the origin of a stack: "thread `main` (crashed), process `com.x`, …". */
static void put_origin(struct fm_buf *out, const framemap_trace *trace)
{
    bool any = put_thread(out, trace);
    put_word(out, &any, FM_STR("process "), trace->process_name);
    put_word(out, &any, FM_STR(""), trace->os);
    put_word(out, &any, FM_STR(""), trace->arch);
    put_word(out, &any, FM_STR("logged "), trace->log.time);
    if (any) fm_buf_str(out, FM_STR("\n\n"));
}

static void put_block(struct fm_buf *out, const framemap_trace *traces, size_t count)
{
    struct fm_buf rows;
    fm_buf_init(&rows, out->heap);
    fm_put_stack_rows(&rows, traces, count);
    const size_t run = backticks(fm_buf_view(&rows)), fence = run < 3 ? 3 : run + 1;
    put_fence(out, fence);
    fm_buf_str(out, FM_STR("text\n"));
    fm_buf_str(out, fm_buf_view(&rows));
    put_fence(out, fence);
    fm_buf_str(out, FM_STR("\n\n"));
    if (rows.failed) out->failed = true;
    fm_buf_free(&rows);
}

static void markdown_event(struct fm_buf *out, const struct fm_print_job *job, const framemap_trace *traces,
                           size_t count)
{
    (void)job;
    const size_t subject = fm_event_subject(traces, count);
    put_heading(out, &traces[subject]);
    put_origin(out, &traces[subject]);
    put_block(out, &traces[subject], fm_stack_parts(&traces[subject], count - subject));
    for (size_t at = 0, parts; fm_event_next_other(traces, count, subject, &at, &parts); at += parts) {
        if (put_thread(out, &traces[at])) fm_buf_str(out, FM_STR("\n\n"));
        put_block(out, &traces[at], parts);
    }
}

static framemap_status print_markdown(const struct fm_print_job *job, framemap_error *error)
{
    return fm_print_groups(job, fm_event_size, markdown_event, error);
}

static void put_missing(struct fm_buf *out, const struct fm_print_missing *missing)
{
    bool any = false;
    fm_buf_str(out, FM_STR("- "));
    put_word(out, &any, FM_STR(""), missing->name);
    put_word(out, &any, FM_STR(""), missing->id);
    put_word(out, &any, FM_STR(""), missing->arch);
    if (any) fm_buf_str(out, FM_STR(": "));
    fm_buf_dec(out, missing->frames);
    fm_buf_str(out, missing->frames == 1 ? FM_STR(" frame\n") : FM_STR(" frames\n"));
}

static void put_end(struct fm_buf *out, const struct fm_print_job *job)
{
    if (job->totals->missing_count == 0) return;
    fm_buf_str(out, FM_STR("### Symbols that are missing\n\n"));
    for (size_t i = 0; i < job->totals->missing_count; i++) put_missing(out, &job->totals->missing[i]);
}

static framemap_status print_markdown_end(const struct fm_print_job *job, framemap_error *error)
{
    return fm_print_once(job, put_end, error);
}

static const struct fm_output markdown_output = {
    .holds = FM_HOLDS_ROWS | FRAMEMAP_PART_THREADS | FRAMEMAP_PART_PROCESSES,
    .keeps_rows = true,
    .path_or_module = true,
    .joins_stacks = true,
    .print = print_markdown,
    .print_end = print_markdown_end,
};

const struct fm_format fm_markdown_output = {
    .info = {"markdown", "for issue trackers: a heading for each report, thread dump or stack, and code blocks", false,
             true},
    .output = &markdown_output};
