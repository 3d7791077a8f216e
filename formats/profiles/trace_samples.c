/* Reads the stacks of a text in any format of formats/ as samples. The weight of a sample is the count that the text
 * has for the stack, or 1. */
#include "formats/profiles/profile_format.h"

#include "formats/format_registry.h"
#include "formats/output/trace_words.h"
#include "formats/text_stream.h"
#include <framemap/frame.h>

void fm_samples_put_name(struct fm_buf *out, const framemap_frame *frame, const framemap_frame *source)
{
    fm_buf_str(out, source->class_name);
    if (source->class_name.size && source->function.size) fm_buf_byte(out, '.');
    fm_buf_str(out, source->function);
    fm_put_answer_count(out, frame);
}

uint32_t fm_samples_name(framemap_sample_set *set, const framemap_frame *frame, const framemap_frame *source,
                         framemap_str mark)
{
    struct fm_buf buf;
    const bool one_word = source->class_name.size == 0 || source->function.size == 0;
    if (one_word && frame->alternative_count == 0 && mark.size == 0)
        return fm_samples_string(set, source->function.size ? source->function : source->class_name);
    fm_buf_init(&buf, &set->heap);
    fm_samples_put_name(&buf, frame, source);
    fm_buf_str(&buf, mark);
    const uint32_t name = fm_samples_string(set, fm_buf_view(&buf));
    if (buf.failed) fm_samples_fault(set, FRAMEMAP_E_MEMORY);
    fm_buf_free(&buf);
    return name;
}

size_t fm_samples_first_shown(const framemap_frame *frame) { return fm_first_shown(frame); }

/* Sets function, file and position of a frame in the set from a frame of a trace. of: the original frame; source: a
 * frame that it was restored to, or `of` itself. */
static void set_frame(framemap_sample_set *set, const framemap_frame *of, const framemap_frame *source,
                      struct fm_sample_frame *frame)
{
    frame->function = fm_samples_name(set, of, source, (framemap_str){NULL, 0});
    frame->file = fm_samples_string(set, source->file);
    frame->line1 = source->line;
    frame->column1 = source->column;
}

static struct fm_sample_frame printed_frame(framemap_sample_set *set, const framemap_frame *frame)
{
    struct fm_sample_frame out = {
        .module = fm_samples_string(set, frame->module_path.size ? frame->module_path : frame->module),
        .build_id = fm_samples_string(set, frame->id),
        .flags = (frame->inlined ? FM_FRAME_INLINED : 0u) | (set->restore ? FM_FRAME_RESTORED : 0u)};
    if (frame->has_address) {
        out.flags |= FM_FRAME_ADDRESS | (frame->return_address ? FM_FRAME_RETURN : 0u);
        out.address = frame->address;
        out.address_kind = (uint32_t)frame->address_kind;
    }
    if (frame->has_load_address) {
        out.flags |= FM_FRAME_LOAD | (frame->maps_file ? FM_FRAME_MAPS_FILE : 0u);
        out.load_address = frame->load_address;
    }
    return out;
}

static uint32_t traces_add_frame(framemap_sample_set *set, uint32_t node, const framemap_frame *frame)
{
    struct fm_sample_frame printed = printed_frame(set, frame);
    if (frame->kind == FRAMEMAP_KIND_MARKER) return node;
    if (frame->restored.count == 0 && frame->status == FRAMEMAP_FRAME_OK)
        return node; /* the frame has no source, because a compiler generated it */
    if (frame->restored.count == 0) {
        set_frame(set, frame, frame, &printed);
        return fm_samples_node(set, node, fm_samples_frame(set, &printed));
    }
    for (size_t i = frame->restored.count; i-- > fm_first_shown(frame);) {
        struct fm_sample_frame one = printed;
        set_frame(set, frame, &frame->restored.frames[i], &one);
        one.flags =
            (printed.flags & ~(uint32_t)FM_FRAME_INLINED) | (frame->restored.frames[i].inlined ? FM_FRAME_INLINED : 0u);
        node = fm_samples_node(set, node, fm_samples_frame(set, &one));
    }
    return node;
}

static uint32_t thread_of(framemap_sample_set *set, const framemap_trace *trace)
{
    struct fm_sample_thread thread = {.process = fm_samples_string(set, trace->process_name),
                                      .name = fm_samples_string(set, trace->thread_name)};
    struct fm_scan s = fm_scan_of(trace->thread_id);
    uint64_t number = 0;
    if (trace->thread_id.size && fm_scan_dec(&s, &number, NULL) && fm_scan_done(&s)) {
        thread.has_thread = 1;
        thread.thread_id = number;
    }
    if (trace->has_process_id) {
        thread.has_process = 1;
        thread.process_id = trace->process_id;
    }
    if (!thread.process && !thread.name && !thread.has_thread && !thread.has_process) return FM_NO_ID;
    return fm_samples_thread(set, &thread);
}

static int64_t count_of(const framemap_frame_extra *extra)
{
    return extra->count < INT64_MAX ? (int64_t)extra->count : INT64_MAX;
}

/* Returns the count of a stack, which one of its frames has; 1 if no frame has a count. In a tree of calls, only the
 * innermost frame of a path has the count. */
static int64_t weight_of(const framemap_trace *trace)
{
    for (size_t i = 0; i < trace->frame_count; i++) {
        const size_t at = trace->outermost_first ? trace->frame_count - 1 - i : i;
        const framemap_frame_extra *extra = trace->frames[at].extra;
        if (extra && extra->has_count && trace->frames[at].kind != FRAMEMAP_KIND_MARKER) return count_of(extra);
    }
    return 1;
}

static void add_sample(framemap_sample_set *set, uint32_t node, uint32_t thread, int64_t weight)
{
    const uint32_t column = fm_samples_column(set, FM_STR("samples"), FM_STR("count"));
    const struct fm_sample_entry row = {FM_NO_TIME, node, thread, FM_NO_ID};
    if (node != FM_NO_ID) fm_samples_one(set, &row, column, weight);
}

void fm_samples_add_trace(framemap_sample_set *set, const framemap_trace *trace)
{
    uint32_t node = FM_NO_ID;
    for (size_t i = 0; i < trace->frame_count; i++)
        node = traces_add_frame(set, node, &trace->frames[trace->outermost_first ? i : trace->frame_count - 1 - i]);
    add_sample(set, node, thread_of(set, trace), weight_of(trace));
}

/* --- converting trees of calls to samples --- */

/* A node on the current path of a call tree, in which each node has the number of samples in itself and the nodes
 * below it. */
struct tree_level {
    /* offset in the text of the node's row, by which nodes are compared: paths share rows
     * (formats/native/call_tree.h) */
    uint64_t offset;
    uint32_t node;
    /* count: number of samples in the node and in all nodes below it; below: sum of `count` over the nodes that it
     * calls */
    int64_t count, below;
};

struct tree_walk {
    struct tree_level *levels;
    size_t depth, capacity;
    uint32_t thread;
};

static bool is_path(const framemap_trace *trace)
{
    for (size_t i = 0; i < trace->frame_count; i++)
        if (trace->frames[i].extra == NULL || !trace->frames[i].extra->has_count) return false;
    return trace->outermost_first && trace->frame_count > 0;
}

/* Ends the nodes of the path at depth `depth` and below. Those samples of a node that are not in the nodes below it are
 * added to the set. */
static void leave_levels(framemap_sample_set *set, struct tree_walk *walk, size_t depth)
{
    while (walk->depth > depth) {
        const struct tree_level *level = &walk->levels[--walk->depth];
        if (level->count > level->below) add_sample(set, level->node, walk->thread, level->count - level->below);
    }
}

static void enter_level(framemap_sample_set *set, struct tree_walk *walk, const framemap_frame *frame)
{
    if (!FM_GROW(&set->heap, walk->levels, walk->capacity, walk->depth + 1)) {
        fm_samples_fault(set, FRAMEMAP_E_MEMORY);
        return;
    }
    struct tree_level *level = &walk->levels[walk->depth], *caller = walk->depth ? level - 1 : NULL;
    const int64_t count = count_of(frame->extra);
    *level = (struct tree_level){frame->raw_offset, traces_add_frame(set, caller ? caller->node : FM_NO_ID, frame),
                                 count, 0};
    if (caller) caller->below = fm_samples_sum(caller->below, count);
    walk->depth++;
}

/* Adds the next path of a tree, beginning at the node at which it differs from the previous path. */
static void walk_path(framemap_sample_set *set, struct tree_walk *walk, const framemap_trace *trace)
{
    size_t shared = 0;
    while (shared < walk->depth && shared < trace->frame_count &&
           walk->levels[shared].offset == trace->frames[shared].raw_offset)
        shared++;
    leave_levels(set, walk, shared);
    if (shared == 0) walk->thread = thread_of(set, trace);
    for (size_t i = shared; i < trace->frame_count && set->fault == FRAMEMAP_OK; i++)
        enter_level(set, walk, &trace->frames[i]);
}

/* State while the traces of a text are added part by part, because all traces of a text together would take a hundred
 * times its size. */
struct traces_reading {
    framemap_sample_set *set;
    struct tree_walk walk;
};

static framemap_status take_traces(void *context, framemap_str text, uint64_t offset, framemap_trace *traces,
                                   size_t count, framemap_error *error)
{
    struct traces_reading *reading = context;
    framemap_sample_set *set = reading->set;
    struct tree_walk *walk = &reading->walk;
    struct fm_arena answers;
    (void)text;
    (void)offset;
    if (count == 0) return FRAMEMAP_OK;
    fm_arena_init(&answers, &set->heap);
    const framemap_status status = set->restore ? set->restore(set, &answers, traces, count, error) : FRAMEMAP_OK;
    for (size_t i = 0; i < count && status == FRAMEMAP_OK && set->fault == FRAMEMAP_OK; i++) {
        if (is_path(&traces[i])) {
            walk_path(set, walk, &traces[i]);
            continue;
        }
        leave_levels(set, walk, 0);
        fm_samples_add_trace(set, &traces[i]);
    }
    fm_arena_free(&answers);
    return status;
}

static framemap_status traces_read(framemap_sample_set *set, framemap_str text, framemap_error *error)
{
    struct traces_reading reading = {.set = set};
    struct fm_parser_table *parsers = NULL;
    struct fm_text_stream stream = {.heap = &set->heap};
    framemap_status status = fm_formats_open(NULL, &set->heap, &parsers, error);
    if (status != FRAMEMAP_OK) return status;
    status = fm_text_stream_open(&stream, &set->heap, parsers, FM_TEXT_HOLD, take_traces, &reading, error);
    if (status == FRAMEMAP_OK) status = fm_text_stream_whole(&stream, text, error);
    leave_levels(set, &reading.walk, 0);
    fm_heap_free(&set->heap, reading.walk.levels, reading.walk.capacity * sizeof *reading.walk.levels);
    fm_text_stream_close(&stream);
    fm_formats_close(&set->heap, parsers);
    return status;
}

const struct fm_profile_format fm_profile_traces = {
    .info = {"traces", "the stacks of any other text that is read, one sample each", true, false,
             FRAMEMAP_PART_FILES | FRAMEMAP_PART_LINES | FRAMEMAP_PART_COLUMNS | FRAMEMAP_PART_MODULES |
                 FRAMEMAP_PART_ADDRESSES | FRAMEMAP_PART_INLINED | FRAMEMAP_PART_THREADS},
    .read = traces_read};
