/* Reads Android's profiles in Sentry's documents, which list the times at which methods begin and end.
 *
 *     {"profile":{"clock":"Dual","methods":[{"id":1,"class_name":"a.B","name":"run","source_file":"B.java",
 *      "source_line":7}],"events":[{"action":"Enter","thread_id":1,"method_id":1,"time":{"Monotonic":{"wall":{"secs":0,
 *      "nanos":9}}}}],"threads":[{"id":1,"name":"main"}]}}
 *
 * The weight of a stack is the time during which no other method of its thread began or ended. */
#include "formats/profiles/read_only/sentry_frames.h"

#include "core/error.h"

#define NANOS 9 /* decimal places by which seconds are scaled to nanoseconds */

struct method {
    uint64_t id;
    uint32_t first, count; /* range of the method's frames in `frames`, outermost first */
    uint32_t open;         /* how many calls of the method are in the current stack */
};

struct open_method {
    uint32_t method; /* number of the method in `methods` */
    uint32_t node;
};

struct event_reader {
    struct fm_profile_document *document;
    framemap_sample_set *set;
    struct method *methods;
    uint32_t method_count;
    struct fm_table by_id; /* hash table from the id of a method to its number */
    uint32_t *frames;
    size_t frame_count, frame_capacity;
    struct open_method *stack;
    /* depth: number of open calls in the stack; too_deep: number of open calls for which the stack has no room */
    size_t depth, too_deep;
    const char *clock; /* name of the member that has the time of an event */
    uint32_t column;
    const struct fm_sort_item *threads; /* the list of threads, sorted by id */
    const int32_t *thread_values;
    uint32_t thread_count;
};

static bool method_equal(const void *context, uint32_t id, const void *key)
{
    return ((const struct event_reader *)context)->methods[id].id == *(const uint64_t *)key;
}

static uint32_t find_method(const struct event_reader *reader, uint64_t id)
{
    return fm_table_find(&reader->by_id, fm_hash_word(id, reader->set->key), method_equal, reader, &id);
}

static void sentry_add_frame(struct event_reader *reader, int32_t object)
{
    const struct fm_json *json = reader->document->json;
    framemap_sample_set *set = reader->set;
    const struct fm_sample_frame frame = {
        .file = fm_profile_json_string(set, json, fm_json_get(json, object, "source_file")),
        .line1 = fm_profile_json_position(json, fm_json_get(json, object, "source_line"), 1)};
    const uint32_t class_name = fm_profile_json_string(set, json, fm_json_get(json, object, "class_name")),
                   name = fm_profile_json_string(set, json, fm_json_get(json, object, "name"));
    if (!FM_GROW(&set->heap, reader->frames, reader->frame_capacity, reader->frame_count + 1)) {
        fm_samples_fault(set, FRAMEMAP_E_MEMORY);
        return;
    }
    reader->frames[reader->frame_count++] =
        fm_sentry_method(set, fm_samples_text(set, class_name), fm_samples_text(set, name), frame);
}

/* Adds a method. object: its JSON object; -1 for a method that only events name. */
static void add_method(struct event_reader *reader, uint64_t id, int32_t object)
{
    const struct fm_json *json = reader->document->json;
    const int32_t inlined = fm_json_get(json, object, "inline_frames");
    struct method *method = &reader->methods[reader->method_count];
    *method = (struct method){.id = id, .first = (uint32_t)reader->frame_count};
    for (int32_t item = fm_json_first(json, inlined); item >= 0; item = fm_json_next(json, item))
        sentry_add_frame(reader, item);
    if (reader->frame_count == method->first) sentry_add_frame(reader, object);
    method->count = (uint32_t)reader->frame_count - method->first;
    if (!fm_table_reserve(&reader->by_id, 1) ||
        !fm_table_add(&reader->by_id, fm_hash_word(id, reader->set->key), reader->method_count))
        fm_samples_fault(reader->set, FRAMEMAP_E_MEMORY);
    else
        reader->method_count++;
}

static void read_methods(struct event_reader *reader, int32_t list)
{
    const struct fm_json *json = reader->document->json;
    for (int32_t item = fm_json_first(json, list); item >= 0 && !reader->set->fault; item = fm_json_next(json, item)) {
        uint64_t id = 0;
        (void)fm_json_u64(json, fm_json_get(json, item, "id"), &id);
        if (find_method(reader, id) == FM_NO_ID) add_method(reader, id, item);
    }
}

/* --- events --- */

static int64_t time_of(const struct event_reader *reader, int32_t event)
{
    const struct fm_json *json = reader->document->json;
    const int32_t time = fm_json_get(json, event, "time"), global = fm_json_get(json, time, "global");
    const int32_t clock =
        reader->clock ? fm_json_get(json, fm_json_get(json, time, "Monotonic"), reader->clock) : global;
    int64_t seconds_ns = 0, nanos = 0;
    (void)fm_profile_json_decimal(json, fm_json_get(json, clock, "secs"), NANOS, &seconds_ns);
    (void)fm_profile_json_decimal(json, fm_json_get(json, clock, "nanos"), 0, &nanos);
    return fm_samples_sum(seconds_ns, nanos);
}

static void enter(struct event_reader *reader, uint32_t number)
{
    struct method *method = &reader->methods[number];
    uint32_t node = reader->depth ? reader->stack[reader->depth - 1].node : FM_NO_ID;
    if (reader->depth == FM_PROFILE_FRAMES) {
        reader->too_deep++;
        return;
    }
    for (uint32_t i = 0; i < method->count; i++)
        node = fm_samples_node(reader->set, node, reader->frames[method->first + i]);
    reader->stack[reader->depth++] = (struct open_method){number, node};
    method->open++;
}

/* Ends the innermost call of a method, and all calls within it. */
static void leave(struct event_reader *reader, uint32_t number)
{
    if (reader->too_deep) {
        reader->too_deep--;
        return;
    }
    if (reader->methods[number].open == 0) return;
    for (bool found = false; !found && reader->depth > 0;) {
        const uint32_t last = reader->stack[--reader->depth].method;
        reader->methods[last].open--;
        found = last == number;
    }
}

static void begin_thread(struct event_reader *reader)
{
    while (reader->depth > 0) reader->methods[reader->stack[--reader->depth].method].open--;
    reader->too_deep = 0;
}

/* Returns the thread with this id. *next: index in the sorted threads at which the search starts. Ids are requested in
 * ascending order, so the search advances *next. */
static uint32_t thread_of(const struct event_reader *reader, uint64_t id, uint32_t *next)
{
    const struct fm_json *json = reader->document->json;
    struct fm_sample_thread thread = {.has_thread = 1, .thread_id = id};
    while (*next < reader->thread_count && reader->threads[*next].key < id) ++*next;
    if (*next < reader->thread_count && reader->threads[*next].key == id)
        thread.name = fm_profile_json_string(
            reader->set, json, fm_json_get(json, reader->thread_values[reader->threads[*next].id], "name"));
    return fm_samples_thread(reader->set, &thread);
}

static void read_event(struct event_reader *reader, int32_t event, struct fm_sample_entry *row)
{
    const struct fm_json *json = reader->document->json;
    const bool enters = fm_str_equal(fm_json_raw(json, fm_json_get(json, event, "action")), FM_STR("Enter"));
    const int64_t at = time_of(reader, event);
    uint64_t id = 0;
    if (reader->depth && at > row->time_ns) {
        row->node = reader->stack[reader->depth - 1].node;
        fm_samples_one(reader->set, row, reader->column, fm_samples_sum(at, -row->time_ns));
    }
    if (at > row->time_ns) row->time_ns = at;
    (void)fm_json_u64(json, fm_json_get(json, event, "method_id"), &id);
    uint32_t number = find_method(reader, id);
    if (number == FM_NO_ID) {
        add_method(reader, id, -1);
        number = find_method(reader, id);
    }
    if (number == FM_NO_ID) return;
    if (enters)
        enter(reader, number);
    else
        leave(reader, number);
}

/* Reads the events, all events of one thread before those of the next. order: the events, sorted by thread. */
static void read_by_thread(struct event_reader *reader, const int32_t *events, const struct fm_sort_item *order,
                           uint32_t count)
{
    uint32_t next_thread = 0;
    struct fm_sample_entry row = {FM_NO_TIME, FM_NO_ID, FM_NO_ID, FM_NO_ID};
    for (uint32_t i = 0; i < count && !reader->set->fault; i++) {
        if (i == 0 || order[i].key != order[i - 1].key) {
            begin_thread(reader);
            row =
                (struct fm_sample_entry){FM_NO_TIME, FM_NO_ID, thread_of(reader, order[i].key, &next_thread), FM_NO_ID};
        }
        read_event(reader, events[order[i].id], &row);
    }
}

/* Returns the objects of a list, sorted by a number that each of them has. NULL: out of memory. */
static struct fm_sort_item *sort_by(const struct event_reader *reader, const struct fm_profile_items *items,
                                    const char *member)
{
    const struct fm_json *json = reader->document->json;
    struct fm_sort_item *order = FM_ARENA_ARRAY(reader->document->arena, struct fm_sort_item, (size_t)items->count + 1);
    for (uint32_t i = 0; i < items->count && order; i++) {
        order[i] = (struct fm_sort_item){.id = i};
        (void)fm_json_u64(json, fm_json_get(json, items->values[i], member), &order[i].key);
    }
    return order && fm_sort(&reader->set->heap, order, items->count, NULL, NULL) ? order : NULL;
}

static void read_events(struct event_reader *reader, const struct fm_profile_items *events,
                        const struct fm_profile_items *threads)
{
    const struct fm_sort_item *order = sort_by(reader, events, "thread_id");
    reader->threads = sort_by(reader, threads, "id");
    reader->thread_values = threads->values;
    reader->thread_count = threads->count;
    if (order && reader->threads)
        read_by_thread(reader, events->values, order, events->count);
    else
        fm_samples_fault(reader->set, FRAMEMAP_E_MEMORY);
}

void fm_sentry_read_events(struct fm_profile_document *document, int32_t profile)
{
    const struct fm_json *json = document->json;
    const int32_t methods = fm_json_get(json, profile, "methods");
    const framemap_str clock = fm_json_raw(json, fm_json_get(json, profile, "clock"));
    struct event_reader reader = {.document = document, .set = document->set};
    struct fm_profile_items events, threads;
    reader.clock = fm_str_equal(clock, FM_STR("Global")) ? NULL : fm_str_equal(clock, FM_STR("Cpu")) ? "cpu" : "wall";
    if (!fm_profile_items_of(document, fm_json_get(json, profile, "events"), &events) ||
        !fm_profile_items_of(document, fm_json_get(json, profile, "threads"), &threads))
        return;
    const size_t most = (size_t)fm_json_count(json, methods) + events.count + 1;
    fm_table_init(&reader.by_id, &document->set->heap);
    reader.methods = FM_ARENA_ARRAY(document->arena, struct method, most);
    reader.stack = FM_ARENA_ARRAY(document->arena, struct open_method, FM_PROFILE_FRAMES);
    reader.column = fm_samples_column(document->set, FM_STR("time"), FM_STR("nanoseconds"));
    if (reader.methods == NULL || reader.stack == NULL) fm_samples_fault(document->set, FRAMEMAP_E_MEMORY);
    if (!document->set->fault) read_methods(&reader, methods);
    if (!document->set->fault) read_events(&reader, &events, &threads);
    fm_heap_free(&document->set->heap, reader.frames, reader.frame_capacity * sizeof *reader.frames);
    fm_table_free(&reader.by_id);
}
