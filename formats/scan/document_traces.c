/* Adds what parsers report to a document: traces, frames, images and mentions. Called by all parsers. */
#include "core/limits.h"
#include "formats/scan/document_report.h"
#include "formats/scan/lines.h"

/* --- adding stacks to the document --- */

/* Adds a trace after all others of the current report. */
static framemap_trace *new_trace(struct fm_document *doc, framemap_str format)
{
    framemap_trace *traces =
        fm_document_grown(doc, doc->traces, doc->trace_count, &doc->trace_capacity, sizeof *traces, 8);
    if (!traces) return NULL;
    doc->traces = traces;
    framemap_trace *trace = &traces[doc->trace_count++];
    doc->mention_capacity = 0;
    *trace = (framemap_trace){.format = format, .frames = doc->spare};
    doc->open = true;
    doc->is_rest = doc->continues = doc->was_cut = doc->title_is_decoded = false;
    doc->coded_run = 0;
    doc->open_until1 = doc->number1 + FM_LINES_AFTER;
    doc->owner = doc->parser;
    return trace;
}

/* Gives a trace its numbers, once it is certain that the trace stays. */
static void number_trace(struct fm_document *doc, framemap_trace *trace)
{
    struct fm_trace_sink *sink = doc->sink;
    if (sink && !doc->has_number) doc->report_number = sink->next_report++;
    doc->has_number = true;
    trace->number = sink ? sink->next_trace++ : doc->trace_count - 1;
    trace->report = doc->report_number;
}

/* Whether the parser of the current trace gets its lines with the escapes of a string, and does not decode them: those
 * that keep all bytes read JSON themselves. */
static bool leaves_escapes(const struct fm_document *doc)
{
    const unsigned keeps = doc->parsers ? doc->parsers[doc->owner].format->keeps : FM_KEEPS_ALL;
    return keeps == FM_KEEPS_ESCAPES || keeps == FM_KEEPS_MARKS;
}

/* Sets the offset and line at which a trace begins. */
static void begin_at(struct fm_document *doc, framemap_trace *trace, const struct fm_line *line)
{
    trace->line = line->text_number1;
    trace->line_count = 1;
    trace->offset = line->offset;
    trace->size = line->text.size;
    if (line->offset < doc->begin && line->offset >= doc->released) doc->begin = line->offset;
    doc->coded_run = leaves_escapes(doc) ? line->run : 0;
    fm_line_log(line, &trace->log);
}

framemap_trace *fm_document_trace(struct fm_document *doc, const char *format, const struct fm_line *line)
{
    const bool ends_other = fm_document_end_before_trace(doc, line);
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

/* Starts a trace that continues one which was closed early: it has the same thread, exception and so on, and gets
 * the frames that follow. */
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
    doc->continues = doc->title_is_decoded = true;
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

void fm_document_title_is_decoded(struct fm_document *doc) { doc->title_is_decoded = true; }

bool fm_document_is_written(const struct fm_document *doc, const struct fm_line *line)
{
    return line->offset < doc->released;
}

size_t fm_document_depth(const struct fm_document *doc, const framemap_trace *trace)
{
    return trace->frame_count + (doc->continues ? 1 : 0);
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
 * Each block is larger than the one before, so that most of the memory is in pages of 2 MB (core/heap.c). */
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

/* Starts a new trace that continues a stack with too many frames, so that all frames are kept and the size of a trace
 * is bounded. */
static framemap_trace *continued(struct fm_document *doc)
{
    fm_document_end_trace(doc, FRAMEMAP_CLOSED_BY_END);
    framemap_trace *trace = rest_of(doc);
    if (trace) doc->is_rest = true;
    return trace;
}

/* Returns room for one more frame of the current trace; NULL: the trace has been released, or out of memory. */
static framemap_frame *next_frame(struct fm_document *doc, const struct fm_line *line)
{
    if (!doc->open || fm_document_is_written(doc, line)) return NULL;
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

/* Sets raw and raw_offset of a frame from its line, and extends the trace to the end of that line. */
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
        fm_document_grown(doc, trace->mentions, trace->mention_count, &doc->mention_capacity, sizeof *mentions, 2);
    if (!mentions) return false;
    trace->mentions = mentions;
    mentions[trace->mention_count] = *mention;
    mentions[trace->mention_count++].before_frame = trace->frame_count;
    if (mention->raw_offset < doc->begin) doc->begin = mention->raw_offset;
    return true;
}

bool fm_document_register(struct fm_document *doc, framemap_trace *trace, framemap_str name, uint64_t value)
{
    enum { LEAST = 16 };
    const size_t count = trace->register_count;
    framemap_register *registers;
    /* The array was allocated for the document, so it may be changed although the member is const. An array that was
     * copied (fm_document_keep_last) has no room for more. */
    memcpy(&registers, &trace->registers, sizeof registers);
    size_t capacity = registers && registers == doc->registers ? doc->register_capacity : count;
    registers = fm_document_grown(doc, registers, count, &capacity, sizeof *registers, LEAST);
    if (!registers) return false;
    registers[count] = (framemap_register){name, value};
    trace->registers = doc->registers = registers;
    trace->register_count = count + 1;
    doc->register_capacity = capacity;
    return true;
}

size_t fm_document_image_limit(const struct fm_document *doc)
{
    return doc->image_limit ? doc->image_limit : FM_LIMIT_IMAGES;
}

/* Whether the images of the report have reached the limit. The size of the last image is added only now, since it
 * was still empty when that image was added. */
static bool has_enough_images(struct fm_document *doc)
{
    const framemap_image *last = doc->image_count ? &doc->images[doc->image_count - 1] : NULL;
    const size_t most = fm_document_image_limit(doc);
    if (last && doc->image_bytes < most) doc->image_bytes += fm_document_image_bytes(last);
    return doc->image_bytes >= most;
}

framemap_image *fm_document_image(struct fm_document *doc, const struct fm_line *line)
{
    fm_document_end_before_image(doc, line);
    if (has_enough_images(doc)) {
        doc->report_number1 = line->number1;
        doc->image_above = (framemap_image){.name = {NULL, 0}};
        return &doc->image_above;
    }
    framemap_image *images =
        fm_document_grown(doc, doc->images, doc->image_count, &doc->image_capacity, sizeof *images, 8);
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
    framemap_image *images =
        fm_document_grown(doc, doc->row_images, count, &doc->row_image_capacity, sizeof *images, 4);
    size_t *traces =
        images ? fm_document_grown(doc, doc->row_image_traces, count, &doc->row_image_trace_capacity, sizeof *traces, 4)
               : NULL;
    if (!traces) return NULL;
    doc->row_images = images;
    doc->row_image_traces = traces;
    traces[count] = doc->trace_count - 1;
    images[count] = (framemap_image){.name = {NULL, 0}};
    doc->row_image_count++;
    return &images[count];
}
