/* Implements parse_ahead.h. The parsing thread puts the batches into a ring; the calling thread passes them to the
 * stream's callback in the same order. The parsing thread waits while the ring is full.
 *
 * The callback changes traces and images that it gets. The parsers still use both, so a batch has copies of them. The
 * memory that a batch refers to (frames, strings) belongs to generations of the stream, which are freed once the
 * callback has returned. */
#include "formats/parse_ahead.h"
#include "core/error.h"
#include "core/thread.h"

/* Batches in the ring. More of them would not save time, but would take more of the processor's caches. */
#define RING 4u

struct batch {
    framemap_str text;
    uint64_t offset;
    framemap_trace *traces;
    size_t count, capacity;
    framemap_image *images; /* images of all traces; those of successive traces of one report are there once */
    size_t image_capacity;
};

struct ahead {
    struct fm_text_stream *stream;
    framemap_str text;
    fm_stream_batch *batch; /* the callback of the stream's owner, and its context */
    void *context;
    struct batch ring[RING];
    fm_mutex lock; /* for the members below, except status and error */
    fm_condition put_one, took_one;
    uint64_t put, taken; /* numbers of batches put into the ring and taken out of it; batch i is at i % RING */
    uint64_t taken_to;   /* the callback has returned for all text before this offset */
    bool ended, stopped; /* all text was parsed, or parsing failed; the callback failed */
    framemap_status status;
    framemap_error error; /* error of the parsing thread */
};

/* --- the parsing thread --- */

/* Waits until there is room in the ring. Returns false if the callback failed. */
static bool wait_for_room(struct ahead *ahead)
{
    fm_mutex_lock(&ahead->lock);
    while (ahead->put - ahead->taken == RING && !ahead->stopped) fm_condition_wait(&ahead->took_one, &ahead->lock);
    const bool goes_on = !ahead->stopped;
    fm_mutex_unlock(&ahead->lock);
    return goes_on;
}

/* Whether a trace has the list of images of the trace before it. */
static bool shares_images(const framemap_trace *traces, size_t number)
{
    return number > 0 && traces[number].images == traces[number - 1].images &&
           traces[number].image_count == traces[number - 1].image_count;
}

static bool copy_traces(struct fm_heap *heap, struct batch *batch, const framemap_trace *traces, size_t count)
{
    size_t images = 0, next = 0;
    for (size_t i = 0; i < count; i++)
        if (!shares_images(traces, i)) images += traces[i].image_count;
    if (!FM_GROW(heap, batch->traces, batch->capacity, count)) return false;
    if (!FM_GROW(heap, batch->images, batch->image_capacity, images)) return false;
    if (count) memcpy(batch->traces, traces, count * sizeof *traces);
    batch->count = count;
    for (size_t i = 0; i < count; i++) {
        framemap_trace *trace = &batch->traces[i];
        if (shares_images(traces, i)) {
            trace->images = batch->traces[i - 1].images;
        } else if (trace->image_count) {
            memcpy(&batch->images[next], traces[i].images, trace->image_count * sizeof *batch->images);
            trace->images = &batch->images[next];
            next += trace->image_count;
        }
    }
    return true;
}

/* A callback of type fm_stream_batch, which puts a batch into the ring. */
static framemap_status put_batch(void *context, framemap_str text, uint64_t offset, framemap_trace *traces,
                                 size_t count, framemap_error *error)
{
    struct ahead *ahead = context;
    if (!wait_for_room(ahead)) return FRAMEMAP_E_IO; /* fm_parse_ahead returns the status of the callback instead */
    struct batch *batch = &ahead->ring[ahead->put % RING];
    batch->text = text;
    batch->offset = offset;
    if (!copy_traces(ahead->stream->heap, batch, traces, count)) return fm_error_memory(error);
    fm_mutex_lock(&ahead->lock);
    ahead->put++;
    fm_condition_wake(&ahead->put_one);
    fm_mutex_unlock(&ahead->lock);
    return FRAMEMAP_OK;
}

/* A callback of type fm_stream_taken. */
static uint64_t taken_to(void *context)
{
    struct ahead *ahead = context;
    fm_mutex_lock(&ahead->lock);
    const uint64_t to = ahead->taken_to;
    fm_mutex_unlock(&ahead->lock);
    return to;
}

static void *parse(void *context)
{
    struct ahead *ahead = context;
    ahead->status = fm_text_stream_whole(ahead->stream, ahead->text, &ahead->error);
    fm_mutex_lock(&ahead->lock);
    ahead->ended = true;
    fm_condition_wake(&ahead->put_one);
    fm_mutex_unlock(&ahead->lock);
    return NULL;
}

/* --- the calling thread --- */

/* Returns the next batch; NULL: there is no further one. */
static const struct batch *wait_for_batch(struct ahead *ahead)
{
    fm_mutex_lock(&ahead->lock);
    while (ahead->put == ahead->taken && !ahead->ended) fm_condition_wait(&ahead->put_one, &ahead->lock);
    const struct batch *batch = ahead->put > ahead->taken ? &ahead->ring[ahead->taken % RING] : NULL;
    fm_mutex_unlock(&ahead->lock);
    return batch;
}

/* Takes all batches out of the ring. */
static framemap_status take_batches(struct ahead *ahead, framemap_error *error)
{
    framemap_status status = FRAMEMAP_OK;
    const struct batch *batch;
    while (status == FRAMEMAP_OK && (batch = wait_for_batch(ahead)) != NULL) {
        status = ahead->batch(ahead->context, batch->text, batch->offset, batch->traces, batch->count, error);
        fm_mutex_lock(&ahead->lock);
        ahead->taken++;
        ahead->taken_to = batch->offset + batch->text.size;
        ahead->stopped = status != FRAMEMAP_OK;
        /* A thread that waits is woken only when the ring is half empty, since waking it takes time. */
        if (ahead->put - ahead->taken <= RING / 2 || ahead->stopped) fm_condition_wake(&ahead->took_one);
        fm_mutex_unlock(&ahead->lock);
    }
    return status;
}

framemap_status fm_parse_ahead(struct fm_text_stream *stream, framemap_str text, framemap_error *error)
{
    struct ahead ahead = {.stream = stream, .text = text, .batch = stream->batch, .context = stream->context};
    fm_thread thread;
    fm_mutex_init(&ahead.lock);
    fm_condition_init(&ahead.put_one);
    fm_condition_init(&ahead.took_one);
    stream->batch = put_batch;
    stream->context = &ahead;
    stream->taken = taken_to;
    const bool started = fm_thread_start(&thread, parse, &ahead, 0);
    framemap_status status = started ? take_batches(&ahead, error) : FRAMEMAP_OK;
    if (started) fm_thread_join(thread);
    stream->batch = ahead.batch;
    stream->context = ahead.context;
    stream->taken = NULL;
    fm_condition_destroy(&ahead.took_one);
    fm_condition_destroy(&ahead.put_one);
    fm_mutex_destroy(&ahead.lock);
    for (size_t i = 0; i < RING; i++) {
        fm_heap_free(stream->heap, ahead.ring[i].traces, ahead.ring[i].capacity * sizeof *ahead.ring[i].traces);
        fm_heap_free(stream->heap, ahead.ring[i].images, ahead.ring[i].image_capacity * sizeof *ahead.ring[i].images);
    }
    if (!started) return fm_text_stream_whole(stream, text, error);
    if (status == FRAMEMAP_OK && ahead.status != FRAMEMAP_OK) {
        status = ahead.status;
        if (error) *error = ahead.error;
    }
    return status;
}
