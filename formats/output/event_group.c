/* Implements event_group.h: counts how many of the following stacks belong to one event of an error backend, by report,
 * by causes, and by process and thread; and finds the stack that the event is about. */
#include "formats/output/event_group.h"
#include "core/text/text.h"
#include "formats/output/trace_words.h"

/* Limits. LINES_BETWEEN: maximum number of lines between two threads of a dump. LINES_TO_PART: the same between a stack
 * and its part; a dump has some lines about a thread between its title and its frames. MOST_BYTES: an event is not
 * larger than the text that a stream can hold back for a stack. */
enum { LINES_BETWEEN = 64, LINES_TO_PART = 16, MOST_BYTES = 256 << 10 };

bool fm_event_has_thread(const framemap_trace *trace)
{
    return trace->thread.size || trace->thread_id.size || trace->thread_name.size;
}

bool fm_event_is_about(const framemap_trace *trace)
{
    return trace->role == FRAMEMAP_ROLE_NONE && (fm_has_exception(trace) || !fm_event_has_thread(trace));
}

/* Whether a trace is a part, such as a cause, of one of the traces that begin at `first`. The two may be in different
 * reports. */
static bool has_part(const framemap_trace *first, const framemap_trace *trace)
{
    return trace->role != FRAMEMAP_ROLE_NONE && trace->part_of >= first->number && trace->part_of < trace->number;
}

bool fm_event_precedes(const framemap_trace *trace, const framemap_trace *next)
{
    return trace->role == FRAMEMAP_ROLE_CAUSE && trace->part_of >= next->number && trace->number < next->number;
}

/* Returns how many traces of one report form one event. *about: whether the event is about one of them. */
static size_t report_size(const framemap_trace *traces, size_t count, bool *about)
{
    size_t size = 1;
    *about = fm_event_is_about(traces);
    for (; size < count; size++) {
        const bool belongs = traces[size].report == traces->report || has_part(traces, &traces[size]) ||
                             fm_event_precedes(&traces[size - 1], &traces[size]);
        if (!belongs) break;
        if (!fm_event_is_about(&traces[size])) continue;
        if (*about && !traces->lists_images) break;
        *about = true;
    }
    return size;
}

/* Whether a trace is a thread in a list of all threads of a process. */
static bool is_listed(const framemap_trace *trace)
{
    return trace->role == FRAMEMAP_ROLE_NONE && trace->has_process_id && trace->thread_id.size && !trace->lists_images;
}

/* Whether `next` is another thread of the dump that forms the event. If a thread occurs a second time, another dump has
 * begun. */
static bool continues(const framemap_trace *first, const framemap_trace *last, const framemap_trace *next)
{
    return is_listed(first) && is_listed(next) && first->process_id == next->process_id &&
           fm_str_equal(first->format, next->format) && fm_str_equal(first->process_name, next->process_name) &&
           !fm_str_equal(first->thread_id, next->thread_id) &&
           next->line - (last->line + last->line_count) <= LINES_BETWEEN && next->offset > last->offset &&
           next->offset + next->size - first->offset <= MOST_BYTES;
}

bool fm_event_continues(const framemap_trace *traces, size_t size, const framemap_trace *open)
{
    return has_part(traces, open) || fm_event_precedes(&traces[size - 1], open) ||
           continues(traces, &traces[size - 1], open);
}

size_t fm_event_size(const framemap_trace *traces, size_t count)
{
    bool about, other;
    size_t size = report_size(traces, count, &about);
    while (size < count && continues(traces, &traces[size - 1], &traces[size])) {
        const size_t more = report_size(&traces[size], count - size, &other);
        if (about && other) break;
        about = about || other;
        size += more;
    }
    return size;
}

size_t fm_event_subject(const framemap_trace *traces, size_t count)
{
    for (size_t i = 0; i < count; i++)
        if (fm_event_is_about(&traces[i])) return i;
    for (size_t i = 0; i < count; i++)
        if (traces[i].role == FRAMEMAP_ROLE_NONE && fm_str_equal(traces[i].thread_name, FM_STR("main"))) return i;
    return 0;
}

bool fm_event_next_other(const framemap_trace *traces, size_t count, size_t subject, size_t *at, size_t *parts)
{
    if (*at == subject) *at += fm_stack_parts(&traces[subject], count - subject);
    if (*at >= count) return false;
    *parts = fm_stack_parts(&traces[*at], count - *at);
    return true;
}

bool fm_event_may_grow(const framemap_trace *traces, size_t count, uint64_t line1, uint64_t end)
{
    const framemap_trace *last = &traces[count - 1];
    const bool listed = is_listed(traces) && is_listed(last);
    return line1 <= last->line + last->line_count + (listed ? LINES_BETWEEN : LINES_TO_PART) &&
           end - traces->offset <= MOST_BYTES;
}
