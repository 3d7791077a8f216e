/* Reads Sentry's profiles as SDKs send them and as Sentry returns them: documents, items of envelopes, and one
 * document per line (https://develop.sentry.dev/sdk/telemetry/profiles).
 *
 *     {"version":"1","platform":"node","debug_meta":{"images":[{"type":"macho","image_addr":"0x1000","image_size":64,
 *      "code_file":"/a/App","debug_id":"…"}]},"profile":{"samples":[{"stack_id":0,"thread_id":"1",
 *      "elapsed_since_start_ns":"5"}],"stacks":[[1,0]],"frames":[{"function":"main"},{"function":"f","lineno":7}],
 *      "thread_metadata":{"1":{"name":"main"}}}}
 *     {"version":"2","chunk_id":"…","profile":{"samples":[{"stack_id":0,"thread_id":"1","timestamp":1724777211.5}],…}}
 *
 * The innermost frame of a stack is first. A sample lasts until the next one of its thread. Android's profiles have
 * events instead (sentry_events.c). */
#include "formats/profiles/read_only/sentry_frames.h"

#include "core/error.h"

#define DIGITS_OF_TIMESTAMP 9 /* decimal places by which seconds are scaled to nanoseconds */
#define NOT_READ (FM_NO_ID - 1)

struct sample_reader {
    struct fm_profile_document *document;
    struct fm_sentry_profile_images images;
    struct fm_profile_items stacks, frames;
    struct fm_profile_members threads, queues;
    uint32_t *nodes; /* for each stack: its node in the sample set, or NOT_READ */
    /* for each frame its two numbers in the sample set, as an innermost frame and as a caller, or NOT_READ */
    uint32_t *set_frames;
    uint32_t *innermost_first; /* frames of the current stack, innermost first */
    uint32_t columns[2];
};

/* Returns the number in the sample set of a frame; FM_NO_ID if the value is not the number of a frame. value: the
 * frame's number in the document. caller: the frame called another function. */
static uint32_t frame_at(struct sample_reader *reader, int32_t value, bool caller)
{
    uint64_t number = 0;
    if (!fm_json_u64(reader->document->json, value, &number) || number >= reader->frames.count) {
        fm_profile_document_wrong(reader->document, value, "a stack has a frame that is not in 'frames'");
        return FM_NO_ID;
    }
    uint32_t *known = &reader->set_frames[2 * number + caller];
    if (*known == NOT_READ)
        *known = fm_sentry_frame(reader->document, &reader->images, reader->frames.values[number], caller);
    return *known;
}

/* Returns the node of a stack. If the stack is too deep, its innermost frames are dropped. */
static uint32_t make_node(struct sample_reader *reader, int32_t stack)
{
    const struct fm_json *json = reader->document->json;
    const uint32_t count = fm_json_count(json, stack),
                   skipped = count > FM_PROFILE_FRAMES ? count - FM_PROFILE_FRAMES : 0;
    uint32_t node = FM_NO_ID, depth = 0, seen = 0;
    for (int32_t item = fm_json_first(json, stack); item >= 0; item = fm_json_next(json, item), seen++)
        if (seen >= skipped) reader->innermost_first[depth++] = frame_at(reader, item, seen > 0);
    while (depth-- > 0 && !reader->document->set->fault && reader->document->status == FRAMEMAP_OK)
        node = fm_samples_node(reader->document->set, node, reader->innermost_first[depth]);
    return node;
}

static uint32_t node_of(struct sample_reader *reader, int32_t sample)
{
    const struct fm_json *json = reader->document->json;
    const int32_t value = fm_json_get(json, sample, "stack_id");
    uint64_t number = 0;
    if (!fm_json_u64(json, value, &number) || number >= reader->stacks.count) {
        fm_profile_document_wrong(reader->document, value >= 0 ? value : sample,
                                  "a sample has a stack that is not in 'stacks'");
        return FM_NO_ID;
    }
    if (reader->nodes[number] == NOT_READ) reader->nodes[number] = make_node(reader, reader->stacks.values[number]);
    return reader->nodes[number];
}

/* Returns the name of a thread; if the thread has no name, the name of the dispatch queue (Apple) that it served. */
static uint32_t thread_name(const struct sample_reader *reader, framemap_str id, int32_t sample)
{
    const struct fm_json *json = reader->document->json;
    framemap_sample_set *set = reader->document->set;
    const uint32_t name =
        fm_profile_json_string(set, json, fm_json_get(json, fm_profile_member(&reader->threads, id), "name"));
    const framemap_str queue = fm_json_raw(json, fm_json_get(json, sample, "queue_address"));
    if (name || queue.size == 0) return name;
    return fm_profile_json_string(set, json, fm_json_get(json, fm_profile_member(&reader->queues, queue), "label"));
}

/* Returns the thread of a sample. An id that is not a number becomes the name of the thread if the thread has no other
 * name. */
static uint32_t thread_of(const struct sample_reader *reader, int32_t sample)
{
    const struct fm_json *json = reader->document->json;
    const int32_t value = fm_json_get(json, sample, "thread_id");
    const framemap_str id = fm_json_raw(json, value);
    struct fm_sample_thread thread = {.name = thread_name(reader, id, sample)};
    struct fm_scan s = fm_scan_of(id);
    uint64_t number = 0;
    if ((fm_scan_0xhex(&s, &number, NULL) || fm_scan_dec(&s, &number, NULL)) && fm_scan_done(&s)) {
        thread.has_thread = 1;
        thread.thread_id = number;
    } else if (!thread.name) {
        thread.name = fm_profile_json_string(reader->document->set, json, value);
    }
    return fm_samples_thread(reader->document->set, &thread);
}

/* Returns the time of a sample in nanoseconds; FM_NO_TIME: the sample has no time. */
static int64_t time_of(const struct fm_json *json, int32_t sample)
{
    const int32_t elapsed = fm_json_get(json, sample, "elapsed_since_start_ns");
    int64_t time_ns = 0;
    const bool known = elapsed >= 0 ? fm_profile_json_decimal(json, elapsed, 0, &time_ns)
                                    : fm_profile_json_decimal(json, fm_json_get(json, sample, "timestamp"),
                                                              DIGITS_OF_TIMESTAMP, &time_ns);
    return known && time_ns > FM_NO_TIME ? time_ns : FM_NO_TIME;
}

/* A sample whose duration is not known yet. */
struct pending {
    struct fm_sample_entry row;
};

/* Adds the samples, sorted by thread and time. Each lasts until the next sample of its thread. */
static void add_samples(struct sample_reader *reader, const struct pending *samples, const struct fm_sort_item *order,
                        uint32_t count)
{
    for (uint32_t i = 0; i < count && !reader->document->set->fault; i++) {
        const struct fm_sample_entry *row = &samples[order[i].id].row,
                                     *next = i + 1 < count ? &samples[order[i + 1].id].row : NULL;
        const bool lasts = next && next->thread == row->thread && row->time_ns != FM_NO_TIME;
        const int64_t values[] = {1, lasts ? fm_samples_sum(next->time_ns, -row->time_ns) : 0};
        fm_samples_add(reader->document->set, row, reader->columns, values, 2);
    }
}

static void read_samples(struct sample_reader *reader, const struct fm_profile_items *items)
{
    struct fm_profile_document *document = reader->document;
    framemap_sample_set *set = document->set;
    struct pending *samples = FM_ARENA_ARRAY(document->arena, struct pending, (size_t)items->count + 1);
    struct fm_sort_item *order = FM_ARENA_ARRAY(document->arena, struct fm_sort_item, (size_t)items->count + 1);
    if (samples == NULL || order == NULL) {
        fm_samples_fault(set, FRAMEMAP_E_MEMORY);
        return;
    }
    for (uint32_t i = 0; i < items->count; i++) {
        const int32_t sample = items->values[i];
        samples[i].row = (struct fm_sample_entry){time_of(document->json, sample), node_of(reader, sample),
                                                  thread_of(reader, sample), FM_NO_ID};
        /* the sign bit is flipped, so that sorting by unsigned numbers puts signed times in the right order */
        order[i] =
            (struct fm_sort_item){(uint64_t)samples[i].row.time_ns ^ (UINT64_C(1) << 63), samples[i].row.thread, i};
        if (set->fault || document->status != FRAMEMAP_OK) return;
    }
    if (fm_sort(&set->heap, order, items->count, NULL, NULL))
        add_samples(reader, samples, order, items->count);
    else
        fm_samples_fault(set, FRAMEMAP_E_MEMORY);
}

/* Allocates an array of `count` numbers, all set to NOT_READ. */
static uint32_t *numbers(struct fm_profile_document *document, size_t count)
{
    uint32_t *values = fm_arena_alloc(document->arena, (count + 1) * sizeof *values);
    if (values == NULL) fm_samples_fault(document->set, FRAMEMAP_E_MEMORY);
    for (size_t i = 0; i < count && values; i++) values[i] = NOT_READ;
    return values;
}

static bool open_reader(struct sample_reader *reader, int32_t profile)
{
    struct fm_profile_document *document = reader->document;
    const struct fm_json *json = document->json;
    /* both tables are made even if the first one fails, since both are freed at the end */
    const bool threads =
                   fm_profile_members_of(document, fm_json_get(json, profile, "thread_metadata"), &reader->threads),
               queues = fm_profile_members_of(document, fm_json_get(json, profile, "queue_metadata"), &reader->queues);
    if (!threads || !queues || !fm_sentry_profile_images_read(document, &reader->images) ||
        !fm_profile_items_of(document, fm_json_get(json, profile, "stacks"), &reader->stacks) ||
        !fm_profile_items_of(document, fm_json_get(json, profile, "frames"), &reader->frames))
        return false;
    reader->nodes = numbers(document, reader->stacks.count);
    reader->set_frames = numbers(document, 2 * (size_t)reader->frames.count);
    reader->innermost_first = numbers(document, FM_PROFILE_FRAMES);
    reader->columns[0] = fm_samples_column(document->set, FM_STR("samples"), FM_STR("count"));
    reader->columns[1] = fm_samples_column(document->set, FM_STR("time"), FM_STR("nanoseconds"));
    return !document->set->fault;
}

void fm_sentry_read_samples(struct fm_profile_document *document, int32_t profile)
{
    struct sample_reader reader = {.document = document};
    struct fm_profile_items samples;
    if (open_reader(&reader, profile) &&
        fm_profile_items_of(document, fm_json_get(document->json, profile, "samples"), &samples))
        read_samples(&reader, &samples);
    fm_profile_members_free(&reader.threads);
    fm_profile_members_free(&reader.queues);
}

static bool has_samples(const struct fm_json *json, int32_t profile)
{
    return fm_json_type(json, fm_json_get(json, profile, "stacks")) == FM_JSON_ARRAY &&
           fm_json_type(json, fm_json_get(json, profile, "samples")) == FM_JSON_ARRAY;
}

/* Reads a document. A document of React Native on Android has both events of Java and samples of JavaScript. */
static bool read_document(struct fm_profile_document *document)
{
    const struct fm_json *json = document->json;
    const int32_t profile = fm_json_get(json, 0, "profile"), scripts = fm_json_get(json, 0, "js_profile"),
                  inner = fm_json_get(json, scripts, "profile");
    const bool samples = has_samples(json, profile),
               events = !samples && fm_json_type(json, fm_json_get(json, profile, "methods")) == FM_JSON_ARRAY;
    if (samples) fm_sentry_read_samples(document, profile);
    if (events) fm_sentry_read_events(document, profile);
    if (events && has_samples(json, inner >= 0 ? inner : scripts))
        fm_sentry_read_samples(document, inner >= 0 ? inner : scripts);
    return samples || events;
}

static framemap_status read_sentry(framemap_sample_set *set, framemap_str text, framemap_error *error)
{
    return fm_profile_read_documents(set, text, read_document, "a profile of Sentry", error);
}

static bool has(framemap_str head, framemap_str word) { return fm_str_find(head, word) != FM_NOT_FOUND; }

/* Whether the head contains the member "profile", and members of its samples or methods. */
static bool is_sentry(framemap_str head)
{
    return fm_profile_json_begins(head, '{') && has(head, FM_STR("\"profile\"")) &&
           (has(head, FM_STR("\"stack_id\"")) ||
            (has(head, FM_STR("\"method_id\"")) && has(head, FM_STR("\"action\""))) ||
            (has(head, FM_STR("\"class_name\"")) && has(head, FM_STR("\"methods\""))));
}

const struct fm_profile_format fm_profile_sentry = {
    .info = {"sentry-profile", "profiles of Sentry: samples, chunks, and Android's events", true, false,
             FRAMEMAP_PART_FILES | FRAMEMAP_PART_LINES | FRAMEMAP_PART_COLUMNS | FRAMEMAP_PART_MODULES |
                 FRAMEMAP_PART_ADDRESSES | FRAMEMAP_PART_TIMES | FRAMEMAP_PART_THREADS | FRAMEMAP_PART_VALUES},
    .looks = is_sentry,
    .read = read_sentry};
