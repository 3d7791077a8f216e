/* Collects what parsers report: traces, frames, images and mentions. Called by all parsers and by dispatch.c. */
#include "formats/scan/document.h"
#include "core/checked.h"
#include "core/limits.h"
#include "formats/scan/exception_split.h"
#include "formats/scan/image_match.h"

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
    const size_t more = *capacity ? *capacity * 2 : least;
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

static bool has_report(const struct fm_document *doc)
{
    return doc->trace_count > doc->report_first || doc->image_count > 0;
}

/* Whether a stack or a list of images starts a new report. */
static bool begins_report(const struct fm_document *doc, const struct fm_line *line, bool of_images)
{
    if (doc->report_is_whole || !has_report(doc)) return false;
    if (line->number1 - doc->report_number1 > FM_REPORT_GAP) return true;
    if (doc->image_count == 0) return false;
    const bool is_list_over = doc->trace_count - doc->report_first > doc->traces_above_images;
    return of_images ? is_list_over : doc->traces_above_images > 0;
}

framemap_trace *fm_document_trace(struct fm_document *doc, const char *format, const struct fm_line *line)
{
    if (begins_report(doc, line, false)) fm_document_report_end(doc);
    framemap_trace *traces = grown(doc, doc->traces, doc->trace_count, &doc->trace_capacity, sizeof *traces, 8);
    if (!traces) return NULL;
    doc->traces = traces;
    framemap_trace *trace = &traces[doc->trace_count++];
    doc->mention_capacity = 0;
    *trace = (framemap_trace){.number = doc->trace_count - 1,
                              .report = doc->report_number,
                              .format = fm_str(format, strlen(format)),
                              .line = line->number1,
                              .line_count = 1,
                              .offset = line->offset,
                              .size = line->text.size,
                              .frames = doc->spare};
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

framemap_trace *fm_document_open(struct fm_document *doc, const char *format)
{
    if (doc->trace_count == 0) return NULL;
    framemap_trace *trace = &doc->traces[doc->trace_count - 1];
    return trace->format.data == format ? trace : NULL;
}

framemap_trace *fm_document_report(struct fm_document *doc, size_t *count)
{
    *count = doc->trace_count - doc->report_first;
    return *count ? doc->traces + doc->report_first : NULL;
}

framemap_trace *fm_document_traces(struct fm_document *doc, size_t *count)
{
    *count = doc->trace_count;
    return doc->traces;
}

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
static framemap_trace *continued(struct fm_document *doc, const struct fm_line *line)
{
    framemap_trace old = doc->traces[doc->trace_count - 1];
    framemap_trace *trace = fm_document_trace(doc, old.format.data, line);
    if (!trace) return NULL;
    trace->thread = old.thread;
    trace->exception = old.exception;
    trace->arch = old.arch;
    trace->crashed = old.crashed;
    return trace;
}

/* Room for one more frame of the current trace. */
static framemap_frame *next_frame(struct fm_document *doc, const struct fm_line *line)
{
    if (doc->trace_count == 0) return NULL;
    framemap_trace *trace = &doc->traces[doc->trace_count - 1];
    if (trace->frame_count >= FM_LIMIT_FRAMES && !(trace = continued(doc, line))) return NULL;
    if (doc->spare_count == 0 && !new_block(doc, trace)) return NULL;
    doc->spare_count--;
    doc->report_number1 = line->number1;
    trace->frame_count++;
    return doc->spare++;
}

/* Sets what the line says of the frame's place, and lets the span of its trace end there. */
static void set_raw(struct fm_document *doc, framemap_frame *frame, const struct fm_line *line)
{
    framemap_trace *trace = &doc->traces[doc->trace_count - 1];
    frame->raw = line->body;
    frame->raw_offset = line->offset + (uint64_t)(line->body.data - line->text.data);
    frame->raw_line = line->number1;
    trace->line_count = line->number1 - trace->line + 1;
    trace->size = line->offset + line->text.size - trace->offset;
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
    framemap_trace *trace = &doc->traces[doc->trace_count - 1];
    framemap_mention *mentions =
        grown(doc, trace->mentions, trace->mention_count, &doc->mention_capacity, sizeof *mentions, 2);
    if (!mentions) return false;
    trace->mentions = mentions;
    mentions[trace->mention_count] = *mention;
    mentions[trace->mention_count++].before_frame = trace->frame_count;
    return true;
}

framemap_image *fm_document_image(struct fm_document *doc, const struct fm_line *line)
{
    if (begins_report(doc, line, true)) fm_document_report_end(doc);
    framemap_image *images = grown(doc, doc->images, doc->image_count, &doc->image_capacity, sizeof *images, 8);
    if (!images) return NULL;
    if (doc->image_count == 0) doc->traces_above_images = doc->trace_count - doc->report_first;
    doc->images = images;
    doc->report_number1 = line->number1;
    framemap_image *image = &images[doc->image_count++];
    *image = (framemap_image){.name = {NULL, 0}};
    return image;
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

static void forget_images(struct fm_document *doc)
{
    doc->images = doc->row_images = NULL;
    doc->row_image_traces = NULL;
    doc->image_count = doc->image_capacity = doc->traces_above_images = 0;
    doc->row_image_count = doc->row_image_capacity = doc->row_image_trace_capacity = 0;
}

void fm_document_report_begin(struct fm_document *doc)
{
    fm_document_report_end(doc);
    doc->report_is_whole = true;
}

void fm_document_report_drop(struct fm_document *doc)
{
    doc->trace_count = doc->report_first;
    forget_images(doc);
}

void fm_document_report_end(struct fm_document *doc)
{
    size_t count = 0;
    framemap_trace *traces = fm_document_report(doc, &count);
    for (size_t i = 0; i < count; i++) fm_split_exception(&traces[i]);
    if (doc->image_count && count) {
        for (size_t i = 0; i < count; i++) {
            traces[i].images = doc->images;
            traces[i].image_count = doc->image_count;
            traces[i].lists_images = true;
        }
        if (!fm_match_images(doc->arena, traces, count, doc->images, doc->image_count)) doc->failed = true;
    }
    place_by_rows(doc);
    forget_images(doc);
    doc->report_is_whole = false;
    if (count) doc->report_number++;
    doc->report_first = doc->trace_count;
}
