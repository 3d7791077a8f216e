/* Implements chrome_events.h: makes stacks of events that have a duration. The events of a thread are sorted by time;
 * events with equal times remain in the order of the trace. Complete events with equal start times are nested by their
 * durations, with the longest outermost. The trace may have them in another order, since Chrome writes an event when it
 * ends, so that inner events come first. */
#include "formats/profiles/chrome_events.h"

#include "core/text/merge_sort.h"

#define NEVER INT64_MAX /* the end of an open event while that end is not known */
#define MOST_OPEN 4096  /* maximum number of events that are open at a time; events nested deeper are ignored */

struct open_event {
    const struct fm_chrome_event *event;
    int64_t end_ns;
    uint32_t node; /* number of a node in the sample set */
};

struct nesting {
    framemap_sample_set *set;
    uint32_t column;
    struct open_event open[MOST_OPEN]; /* the open events, outermost first */
    size_t depth;
    int64_t now_ns; /* the time at which the set of open events last changed */
};

/* Adds the time since the last change, up to `at_ns`, to the weight of the stack of open events. */
static void pass_time(struct nesting *job, int64_t at_ns)
{
    if (at_ns <= job->now_ns) return;
    if (job->depth > 0) {
        const struct open_event *top = &job->open[job->depth - 1];
        const struct fm_sample_entry row = {job->now_ns, top->node, top->event->set_thread, FM_NO_ID};
        fm_samples_one(job->set, &row, job->column, fm_samples_sum(at_ns, -job->now_ns));
    }
    job->now_ns = at_ns;
}

/* Closes the open events that end at `at_ns` or earlier. */
static void close_ended(struct nesting *job, int64_t at_ns)
{
    while (job->depth > 0 && job->open[job->depth - 1].end_ns <= at_ns) {
        pass_time(job, job->open[job->depth - 1].end_ns);
        job->depth--;
    }
}

static uint32_t node_below(framemap_sample_set *set, const struct fm_chrome_event *event, uint32_t parent)
{
    return event->stack != FM_NO_ID ? event->stack : fm_samples_node(set, parent, event->frame);
}

/* Begins an event. It ends no later than the event in which it is nested. */
static void begin_one(struct nesting *job, const struct fm_chrome_event *event)
{
    const struct open_event *outer = job->depth > 0 ? &job->open[job->depth - 1] : NULL;
    if (job->depth == MOST_OPEN) return;
    pass_time(job, event->at_ns);
    struct open_event one = {event, event->phase == 'X' ? event->end_ns : NEVER,
                             node_below(job->set, event, outer ? outer->node : FM_NO_ID)};
    if (outer && outer->end_ns < one.end_ns) one.end_ns = outer->end_ns;
    job->open[job->depth++] = one;
}

/* Ends the innermost open event with the name of `end`, or the innermost open event if `end` has no name. Events nested
 * in it end too. */
static void end_one(struct nesting *job, const struct fm_chrome_event *end)
{
    for (size_t i = job->depth; i-- > 0;) {
        const struct fm_chrome_event *event = job->open[i].event;
        if (event->phase != 'B' || (end->name && event->name != end->name)) continue;
        pass_time(job, end->at_ns);
        job->depth = i;
        return;
    }
}

static void nest_thread(struct nesting *job, const struct fm_chrome_event *events, const struct fm_sort_item *items,
                        size_t count)
{
    int64_t last = INT64_MIN;
    job->depth = 0;
    job->now_ns = events[items[0].id].at_ns;
    for (size_t i = 0; i < count && !job->set->fault; i++) {
        const struct fm_chrome_event *event = &events[items[i].id];
        close_ended(job, event->at_ns);
        if (event->phase == 'E')
            end_one(job, event);
        else
            begin_one(job, event);
        last = event->at_ns;
    }
    for (; job->depth > 0; job->depth--) /* an event without an end lasts until the last event of the thread */
        pass_time(job, job->open[job->depth - 1].end_ns == NEVER ? last : job->open[job->depth - 1].end_ns);
}

static void nest_all(const struct fm_chrome_events *events, struct nesting *job, const struct fm_sort_item *items)
{
    for (size_t from = 0, to; from < events->count; from = to) {
        for (to = from + 1; to < events->count && items[to].group == items[from].group;) to++;
        nest_thread(job, events->events, items + from, to - from);
    }
}

static bool begin_together(const struct fm_chrome_events *events, const struct fm_sort_item *a,
                           const struct fm_sort_item *b)
{
    const struct fm_chrome_event *one = &events->events[a->id], *two = &events->events[b->id];
    return one->phase == 'X' && two->phase == 'X' && a->group == b->group && one->at_ns == two->at_ns;
}

/* Sorts the events by thread and time, and then each run of complete events that begin at the same time by their
 * durations. */
static bool sort_events(const struct fm_chrome_events *events, struct fm_heap *heap, struct fm_sort_item *items)
{
    bool sorted = fm_sort(heap, items, events->count, NULL, NULL);
    for (size_t from = 0, to; from < events->count && sorted; from = to) {
        for (to = from + 1; to < events->count && begin_together(events, &items[from], &items[to]);) to++;
        if (to == from + 1) continue;
        for (size_t i = from; i < to; i++) items[i].key = UINT64_MAX - (uint64_t)events->events[items[i].id].end_ns;
        sorted = fm_sort(heap, items + from, to - from, NULL, NULL);
    }
    return sorted;
}

void fm_chrome_nest(const struct fm_chrome_events *events)
{
    struct fm_heap *heap = &events->set->heap;
    if (events->count == 0) return;
    struct fm_sort_item *items = fm_heap_zalloc(heap, events->count, sizeof *items);
    struct nesting *job = fm_heap_zalloc(heap, 1, sizeof *job);
    for (uint32_t i = 0; items && i < events->count; i++)
        items[i] =
            (struct fm_sort_item){(uint64_t)events->events[i].at_ns ^ (UINT64_C(1) << 63), events->events[i].thread, i};
    if (items && job && sort_events(events, heap, items)) {
        job->set = events->set;
        job->column = fm_samples_column(events->set, FM_STR("time"), FM_STR("nanoseconds"));
        nest_all(events, job, items);
    } else {
        fm_samples_fault(events->set, FRAMEMAP_E_MEMORY);
    }
    fm_heap_free(heap, items, events->count * sizeof *items);
    fm_heap_free(heap, job, sizeof *job);
}
