/* Collects what parsers report: traces, frames, images and mentions. Called by all parsers and by dispatch.c. */
#include "formats/scan/document.h"
#include "core/checked.h"
#include "core/limits.h"
#include "formats/scan/exception_split.h"
#include "formats/scan/frame_decode.h"
#include "formats/scan/image_match.h"
#include "formats/scan/lines.h"

void *fm_document_alloc(struct fm_document *doc, size_t size)
{
    void *memory = fm_arena_alloc(doc->arena, size);
    if (!memory) doc->failed = true;
    return memory;
}

/* Makes room for one more element in an array of the arena. Extends the array in place by `least` elements if nothing
 * was allocated after it; otherwise doubles it in a new block, and the old one stays in the arena, so at most twice the
 * memory is used. New elements are not zeroed. */
static void *grown(struct fm_document *doc, void *array, size_t count, size_t *capacity, size_t size, size_t least)
{
    const size_t more = count ? count * 2 : least;
    size_t bytes;
    if (count < *capacity) return array;
    if (count && fm_arena_extend(doc->arena, array, count * size, (count + least) * size)) {
        *capacity += least;
        return array;
    }
    void *fresh = fm_mul_size(more, size, &bytes) ? fm_arena_alloc(doc->arena, bytes) : NULL;
    if (!fresh) {
        doc->failed = true;
        return NULL;
    }
    if (count) memcpy(fresh, array, count * size);
    *capacity = more;
    return fresh;
}

/* --- reports --- */

static bool has_report(const struct fm_document *doc) { return doc->trace_count > 0 || doc->image_count > 0; }

/* Whether the report lists its images before its traces. */
static bool lists_first(const struct fm_document *doc)
{
    return doc->image_count > 0 && doc->traces_above_images == 0 && !doc->report_is_whole;
}

/* Whether images that are still to come apply to the traces so far. */
static bool awaits_images(const struct fm_document *doc)
{
    return doc->report_is_whole || doc->expects_repeat || (doc->expects_images && doc->image_count == 0) ||
           doc->traces_above_images > 0;
}

/* Whether a stack or a list of images starts a new report. */
static bool begins_report(const struct fm_document *doc, const struct fm_line *line, bool of_images)
{
    if (doc->report_is_whole || !has_report(doc)) return false;
    if (line->number1 - doc->report_number1 > FM_REPORT_GAP) return true;
    if (doc->image_count == 0) return false;
    return of_images ? doc->trace_count > doc->traces_above_images || (lists_first(doc) && doc->has_number)
                     : doc->traces_above_images > 0;
}

static void keep_last(struct fm_document *doc);

/* Ends the current trace, with its format's last word on it. What a continuation repeats is copied at once: memory in
 * which the trace began may be freed when it is handed out. */
static void end_trace(struct fm_document *doc, framemap_closed_by why)
{
    if (!doc->open) return;
    const struct fm_parser *owner = doc->parsers ? &doc->parsers[doc->owner] : NULL;
    if (owner && owner->format->finish && !doc->is_rest) owner->format->finish(owner->state, doc);
    framemap_trace *trace = &doc->traces[doc->trace_count - 1];
    trace->closed_by = why;
    doc->last = *trace;
    doc->was_cut = why != FRAMEMAP_CLOSED_BY_END;
    if (doc->was_cut) keep_last(doc);
    doc->open = false;
    if (doc->is_rest) doc->trace_count--;
    doc->is_rest = false;
}

/* Matches each trace with the images that its own frames give. */
static void place_by_rows(struct fm_document *doc)
{
    for (size_t i = 0, next; i < doc->row_image_count; i = next) {
        framemap_trace *trace = &doc->traces[doc->row_image_traces[i]];
        for (next = i + 1; next < doc->row_image_count && doc->row_image_traces[next] == doc->row_image_traces[i];)
            next++;
        if (trace->image_count == 0) {
            trace->images = &doc->row_images[i];
            trace->image_count = next - i;
        }
        const bool lists = trace->lists_images;
        trace->lists_images = false; /* the frames name images by their positions in the report's list only */
        if (!fm_match_images(doc->arena, trace, 1, &doc->row_images[i], next - i)) doc->failed = true;
        trace->lists_images = lists;
    }
}

/* Hands the traces of the report over; its images stay. */
static void release_traces(struct fm_document *doc)
{
    framemap_trace *traces = doc->traces;
    const size_t count = doc->trace_count;
    struct fm_trace_sink *sink = doc->sink;
    for (size_t i = 0; i < count; i++) {
        fm_split_exception(&traces[i]);
        if (!fm_decode_frames(doc->arena, &traces[i])) doc->failed = true;
    }
    if (doc->image_count && count) {
        for (size_t i = 0; i < count; i++) {
            traces[i].images = doc->images;
            traces[i].image_count = doc->image_count;
            traces[i].lists_images = true;
        }
        if (!fm_match_images(doc->arena, traces, count, doc->images, doc->image_count)) doc->failed = true;
    }
    place_by_rows(doc);
    doc->row_images = NULL;
    doc->row_image_traces = NULL;
    doc->row_image_count = doc->row_image_capacity = doc->row_image_trace_capacity = 0;
    doc->begin = UINT64_MAX;
    if (sink == NULL) return;
    if (count && !FM_GROW(sink->heap, sink->traces, sink->capacity, sink->count + count)) {
        doc->failed = true;
        return;
    }
    if (count) memcpy(sink->traces + sink->count, traces, count * sizeof *traces);
    sink->count += count;
    doc->trace_count = 0;
}

static void end_report(struct fm_document *doc, framemap_closed_by why)
{
    if (doc->trace_count > 0) doc->expects_repeat = false;
    end_trace(doc, why);
    if (why != FRAMEMAP_CLOSED_BY_END)
        for (size_t i = 0; i < doc->trace_count; i++) doc->traces[i].closed_by = why;
    release_traces(doc);
    doc->images = NULL;
    doc->image_count = doc->image_capacity = doc->traces_above_images = 0;
    doc->expects_images = doc->has_number = doc->report_is_whole = false;
}

void fm_document_report_end(struct fm_document *doc) { end_report(doc, FRAMEMAP_CLOSED_BY_END); }

void fm_document_report_begin(struct fm_document *doc)
{
    fm_document_report_end(doc);
    doc->report_is_whole = true;
}

void fm_document_report_drop(struct fm_document *doc)
{
    if (doc->sink) doc->sink->next_trace -= doc->trace_count;
    if (doc->sink && doc->has_number) doc->sink->next_report--;
    doc->trace_count = 0;
    doc->open = false;
    fm_document_report_end(doc);
}

void fm_document_expect_images(struct fm_document *doc)
{
    if (!has_report(doc)) doc->report_number1 = doc->number1;
    doc->expects_images = true;
}

void fm_document_expect_repeat(struct fm_document *doc)
{
    fm_document_report_end(doc);
    doc->report_number1 = doc->number1;
    doc->expects_repeat = true;
}

void fm_document_may_begin(struct fm_document *doc, const struct fm_line *line, unsigned lines)
{
    if (line->offset < doc->pending_begin) doc->pending_begin = line->offset;
    if (line->number1 + lines > doc->pending_until1) doc->pending_until1 = line->number1 + lines;
}

uint64_t fm_document_begin(const struct fm_document *doc)
{
    return doc->begin < doc->pending_begin ? doc->begin : doc->pending_begin;
}

void fm_document_expire(struct fm_document *doc, uint64_t number1)
{
    if (doc->pending_begin != UINT64_MAX && number1 > doc->pending_until1) doc->pending_begin = UINT64_MAX;
    if (!has_report(doc) && !doc->expects_images && !doc->expects_repeat) return;
    if (doc->open && number1 > doc->open_until1) end_trace(doc, FRAMEMAP_CLOSED_BY_END);
    if (doc->expects_repeat && doc->pending_begin != UINT64_MAX) return; /* the document that repeats it */
    const bool lists_last = doc->traces_above_images > 0 && !doc->expects_repeat;
    const uint64_t gap = lists_last ? FM_LINES_AFTER : FM_REPORT_GAP;
    if (number1 - doc->report_number1 > gap && doc->trace_count == 0) doc->expects_repeat = false;
    if (!doc->open && (number1 - doc->report_number1 > gap || !(awaits_images(doc) || lists_first(doc))))
        fm_document_report_end(doc);
    else if (!doc->open && lists_first(doc) && doc->trace_count > 0)
        release_traces(doc);
}

void fm_document_close_early(struct fm_document *doc, framemap_closed_by why, uint64_t end)
{
    if (end > doc->released) doc->released = end;
    doc->pending_begin = UINT64_MAX;
    if (doc->trace_count == 0) return;
    if (lists_first(doc)) {
        end_trace(doc, why);
        release_traces(doc);
    } else {
        end_report(doc, why);
    }
}

void fm_document_stay_open(struct fm_document *doc, const struct fm_line *line)
{
    if (!doc->open || doc->owner != doc->parser) return;
    const struct fm_format *format = doc->parsers ? doc->parsers[doc->parser].format : NULL;
    const uint64_t gap = format && format->gap ? format->gap : FM_LINES_AFTER;
    uint64_t until = line->number1 + gap;
    if (doc->offer_until1 > until) until = doc->offer_until1;
    if (until > doc->open_until1) doc->open_until1 = until;
}

/* --- traces --- */

/* Starts a trace after all others of the report. */
static framemap_trace *new_trace(struct fm_document *doc, framemap_str format)
{
    framemap_trace *traces = grown(doc, doc->traces, doc->trace_count, &doc->trace_capacity, sizeof *traces, 8);
    if (!traces) return NULL;
    doc->traces = traces;
    framemap_trace *trace = &traces[doc->trace_count++];
    doc->mention_capacity = 0;
    *trace = (framemap_trace){.format = format, .frames = doc->spare};
    doc->open = true;
    doc->is_rest = doc->was_cut = false;
    doc->open_until1 = doc->number1 + FM_LINES_AFTER;
    doc->owner = doc->parser;
    return trace;
}

/* Gives a trace its numbers, when it is certain that it will stay. */
static void number_trace(struct fm_document *doc, framemap_trace *trace)
{
    struct fm_trace_sink *sink = doc->sink;
    if (sink && !doc->has_number) doc->report_number = sink->next_report++;
    doc->has_number = true;
    trace->number = sink ? sink->next_trace++ : doc->trace_count - 1;
    trace->report = doc->report_number;
}

/* Sets where a trace begins. */
static void begin_at(struct fm_document *doc, framemap_trace *trace, const struct fm_line *line)
{
    trace->line = line->text_number1;
    trace->line_count = 1;
    trace->offset = line->offset;
    trace->size = line->text.size;
    if (line->offset < doc->begin && line->offset >= doc->released) doc->begin = line->offset;
    fm_line_log(line, &trace->log);
}

framemap_trace *fm_document_trace(struct fm_document *doc, const char *format, const struct fm_line *line)
{
    if (doc->is_rest) end_trace(doc, FRAMEMAP_CLOSED_BY_END);
    const bool ends_other = doc->open;
    if (begins_report(doc, line, false)) fm_document_report_end(doc);
    end_trace(doc, FRAMEMAP_CLOSED_BY_END);
    if (doc->sink && doc->trace_count > 0 && !awaits_images(doc)) {
        if (lists_first(doc))
            release_traces(doc);
        else
            fm_document_report_end(doc);
    }
    framemap_trace *trace = new_trace(doc, fm_str(format, strlen(format)));
    if (!trace) return NULL;
    number_trace(doc, trace);
    doc->previous1 = ends_other ? doc->number1 : 0;
    doc->report_number1 = line->number1;
    begin_at(doc, trace, line);
    return trace;
}

framemap_trace *fm_document_trace_like(struct fm_document *doc, const char *format, const struct fm_line *line,
                                       const framemap_trace *known)
{
    framemap_trace *trace = fm_document_trace(doc, format, line);
    if (trace == NULL) return NULL;
    const framemap_trace own = *trace;
    *trace = *known;
    trace->number = own.number;
    trace->report = own.report;
    trace->format = own.format;
    trace->line = own.line;
    trace->line_count = own.line_count;
    trace->offset = own.offset;
    trace->size = own.size;
    trace->frames = own.frames;
    return trace;
}

void fm_document_offer_until(struct fm_document *doc, uint64_t number1)
{
    if (number1 > doc->offer_until1) doc->offer_until1 = number1;
}

/* The rest of a trace that was closed early: it says the same, and gets the frames below. */
static framemap_trace *rest_of(struct fm_document *doc)
{
    const framemap_trace old = doc->last;
    framemap_trace *trace = new_trace(doc, old.format);
    if (!trace) return NULL;
    framemap_frame *frames = trace->frames;
    *trace = old;
    trace->frames = frames;
    trace->frame_count = trace->image_count = trace->mention_count = 0;
    trace->images = NULL;
    trace->lists_images = false;
    trace->mentions = NULL;
    trace->closed_by = FRAMEMAP_CLOSED_BY_END;
    trace->elided = 0;
    return trace;
}

framemap_trace *fm_document_open(struct fm_document *doc, const char *format)
{
    if (!doc->open && doc->was_cut && doc->last.format.data == format) {
        if (rest_of(doc)) doc->is_rest = true;
    }
    if (!doc->open) return NULL;
    framemap_trace *trace = &doc->traces[doc->trace_count - 1];
    return trace->format.data == format ? trace : NULL;
}

framemap_trace *fm_document_report(struct fm_document *doc, size_t *count)
{
    *count = doc->trace_count;
    return *count ? doc->traces : NULL;
}

framemap_trace *fm_document_previous(struct fm_document *doc)
{
    struct fm_trace_sink *sink = doc->sink;
    if (!doc->open || doc->previous1 != doc->number1) return NULL;
    if (doc->trace_count > 1) return &doc->traces[doc->trace_count - 2];
    return sink && sink->count ? &sink->traces[sink->count - 1] : NULL;
}

uint64_t fm_document_frames(const struct fm_document *doc) { return doc->frame_room - doc->spare_count; }

uint64_t fm_document_last_end(const struct fm_document *doc) { return doc->last_end; }

/* Allocates a block of frames and moves the frames of the current trace to its start, since they must be contiguous.
 * Blocks grow, so that most of the memory is in pages of 2 MB (core/heap.c). */
static bool new_block(struct fm_document *doc, framemap_trace *trace)
{
    enum { LEAST = 32, MOST = 65536 };
    size_t size = doc->frame_room;
    if (size < LEAST) size = LEAST;
    if (size > MOST) size = MOST;
    if (size < trace->frame_count * 2) size = trace->frame_count * 2;
    framemap_frame *block = fm_arena_alloc(doc->arena, size * sizeof *block);
    if (!block) {
        doc->failed = true;
        return false;
    }
    if (trace->frame_count) memcpy(block, trace->frames, trace->frame_count * sizeof *block);
    trace->frames = block;
    doc->frame_room += size;
    doc->spare = block + trace->frame_count;
    doc->spare_count = size - trace->frame_count;
    return true;
}

/* Continues a stack that reached the limit in a new trace: no frame is lost, and no trace grows without bound. */
static framemap_trace *continued(struct fm_document *doc)
{
    end_trace(doc, FRAMEMAP_CLOSED_BY_END);
    framemap_trace *trace = rest_of(doc);
    if (trace) doc->is_rest = true;
    return trace;
}

/* Room for one more frame of the current trace. */
static framemap_frame *next_frame(struct fm_document *doc, const struct fm_line *line)
{
    if (!doc->open || line->offset < doc->released) return NULL;
    framemap_trace *trace = &doc->traces[doc->trace_count - 1];
    if (trace->frame_count >= FM_LIMIT_FRAMES && !(trace = continued(doc))) return NULL;
    if (doc->spare_count == 0 && !new_block(doc, trace)) return NULL;
    if (trace->frame_count == 0) begin_at(doc, trace, line);
    if (doc->is_rest) number_trace(doc, trace);
    doc->is_rest = false;
    doc->spare_count--;
    doc->report_number1 = line->number1;
    if (line->number1 + FM_LINES_AFTER > doc->open_until1) doc->open_until1 = line->number1 + FM_LINES_AFTER;
    trace->frame_count++;
    return doc->spare++;
}

void fm_document_span(struct fm_document *doc, const struct fm_line *line)
{
    framemap_trace *trace = &doc->traces[doc->trace_count - 1];
    if (!doc->open) return;
    trace->line_count = line->text_number1 - trace->line + 1;
    trace->size = line->offset + line->text.size - trace->offset;
}

/* Sets what the line says of the frame's place, and lets the span of its trace end there. */
static void set_raw(struct fm_document *doc, framemap_frame *frame, const struct fm_line *line)
{
    if (line->printed.data) {
        frame->raw = fm_line_printed(line, line->body, &frame->raw_offset);
    } else {
        frame->raw = line->body;
        frame->raw_offset = line->offset + (uint64_t)(line->body.data - line->text.data);
    }
    frame->raw_line = line->text_number1;
    fm_document_span(doc, line);
    doc->last_end = frame->raw_offset + frame->raw.size;
}

framemap_frame *fm_document_frame(struct fm_document *doc, const struct fm_line *line, const framemap_frame *frame)
{
    framemap_frame *added = next_frame(doc, line);
    if (!added) return NULL;
    *added = *frame;
    set_raw(doc, added, line);
    return added;
}

framemap_frame *fm_document_new_frame(struct fm_document *doc, const struct fm_line *line)
{
    framemap_frame *added = next_frame(doc, line);
    if (!added) return NULL;
    memset(added, 0, sizeof *added);
    added->index = -1;
    set_raw(doc, added, line);
    return added;
}

framemap_frame_extra *fm_document_extra(struct fm_document *doc, framemap_frame *frame)
{
    framemap_frame_extra *extra = fm_document_alloc(doc, sizeof *extra);
    if (!extra) return NULL;
    *extra = (framemap_frame_extra){.trust = {NULL, 0}};
    if (frame->extra) *extra = *frame->extra;
    frame->extra = extra;
    return extra;
}

bool fm_document_mention(struct fm_document *doc, const framemap_mention *mention)
{
    framemap_trace *trace = doc->trace_count ? &doc->traces[doc->trace_count - 1] : NULL;
    if (!doc->open || mention->raw_offset < doc->released) return true;
    framemap_mention *mentions =
        grown(doc, trace->mentions, trace->mention_count, &doc->mention_capacity, sizeof *mentions, 2);
    if (!mentions) return false;
    trace->mentions = mentions;
    mentions[trace->mention_count] = *mention;
    mentions[trace->mention_count++].before_frame = trace->frame_count;
    if (mention->raw_offset < doc->begin) doc->begin = mention->raw_offset;
    return true;
}

framemap_image *fm_document_image(struct fm_document *doc, const struct fm_line *line)
{
    if (begins_report(doc, line, true)) fm_document_report_end(doc);
    framemap_image *images = grown(doc, doc->images, doc->image_count, &doc->image_capacity, sizeof *images, 8);
    if (!images) return NULL;
    if (doc->image_count == 0) doc->traces_above_images = doc->trace_count;
    doc->images = images;
    doc->report_number1 = line->number1;
    framemap_image *image = &images[doc->image_count++];
    *image = (framemap_image){.name = {NULL, 0}};
    return image;
}

framemap_image *fm_document_images(struct fm_document *doc, size_t *count)
{
    *count = doc->image_count;
    return doc->images;
}

framemap_image *fm_document_row_image(struct fm_document *doc)
{
    const size_t count = doc->row_image_count;
    framemap_image *images = grown(doc, doc->row_images, count, &doc->row_image_capacity, sizeof *images, 4);
    size_t *traces =
        images ? grown(doc, doc->row_image_traces, count, &doc->row_image_trace_capacity, sizeof *traces, 4) : NULL;
    if (!traces) return NULL;
    doc->row_images = images;
    doc->row_image_traces = traces;
    traces[count] = doc->trace_count - 1;
    images[count] = (framemap_image){.name = {NULL, 0}};
    doc->row_image_count++;
    return &images[count];
}

/* --- moving to another arena --- */

void fm_document_keep(struct fm_document *doc, framemap_str *text)
{
    char *copy = text->size ? fm_document_alloc(doc, text->size) : NULL;
    if (text->size == 0) return;
    if (copy) memcpy(copy, text->data, text->size);
    *text = copy ? fm_str(copy, text->size) : (framemap_str){NULL, 0};
}

static void *moved(struct fm_document *doc, const void *array, size_t count, size_t size)
{
    void *copy = count ? fm_document_alloc(doc, count * size) : NULL;
    if (copy) memcpy(copy, array, count * size);
    return copy;
}

/* Copies what a continuation of the last trace repeats from it: strings, but not frames. */
static void keep_last(struct fm_document *doc)
{
    framemap_trace *last = &doc->last;
    framemap_str *const texts[] = {&last->thread,
                                   &last->exception,
                                   &last->arch,
                                   &last->os,
                                   &last->thread_id,
                                   &last->thread_name,
                                   &last->thread_queue,
                                   &last->thread_state,
                                   &last->exception_type,
                                   &last->exception_message,
                                   &last->abort_message,
                                   &last->mach_type,
                                   &last->mach_codes,
                                   &last->signal.name,
                                   &last->signal.code_name,
                                   &last->process_name,
                                   &last->os_version,
                                   &last->log.time,
                                   &last->log.tag,
                                   &last->log.level,
                                   &last->log.process};
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) fm_document_keep(doc, texts[i]);
    framemap_register *registers = moved(doc, last->registers, last->register_count, sizeof *registers);
    if (registers == NULL) last->register_count = 0;
    for (size_t i = 0; i < last->register_count; i++) fm_document_keep(doc, &registers[i].name);
    last->registers = registers;
}

/* Forgets a report whose memory is lost. */
static void drop_all(struct fm_document *doc)
{
    doc->traces = NULL;
    doc->images = doc->row_images = NULL;
    doc->row_image_traces = NULL;
    doc->trace_count = doc->image_count = doc->row_image_count = 0;
    doc->trace_capacity = doc->image_capacity = doc->row_image_capacity = doc->row_image_trace_capacity = 0;
    doc->open = doc->is_rest = doc->was_cut = false;
    doc->last = (framemap_trace){.number = 0};
}

void fm_document_move(struct fm_document *doc, struct fm_arena *arena)
{
    doc->arena = arena;
    doc->traces = moved(doc, doc->traces, doc->trace_count, sizeof *doc->traces);
    doc->images = moved(doc, doc->images, doc->image_count, sizeof *doc->images);
    doc->row_images = moved(doc, doc->row_images, doc->row_image_count, sizeof *doc->row_images);
    doc->row_image_traces = moved(doc, doc->row_image_traces, doc->row_image_count, sizeof *doc->row_image_traces);
    doc->trace_capacity = doc->trace_count;
    doc->image_capacity = doc->image_count;
    doc->row_image_capacity = doc->row_image_trace_capacity = doc->row_image_count;
    doc->mention_capacity = 0;
    doc->spare = NULL;
    doc->spare_count = doc->frame_room = 0;
    if (doc->failed) {
        drop_all(doc);
        return;
    }
    for (size_t i = 0; i < doc->image_count; i++) {
        fm_document_keep(doc, &doc->images[i].name);
        fm_document_keep(doc, &doc->images[i].path);
        fm_document_keep(doc, &doc->images[i].id);
        fm_document_keep(doc, &doc->images[i].arch);
    }
    if (doc->was_cut) keep_last(doc);
    if (!doc->was_cut) doc->last = (framemap_trace){.number = 0};
}
