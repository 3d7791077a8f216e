/* Finds where traces and reports end, and finishes the traces of a report that has ended. Called by all parsers and
 * by dispatch.c. */
#include "formats/scan/document_report.h"
#include "formats/scan/exception_split.h"
#include "formats/scan/frame_decode.h"
#include "formats/scan/image_match.h"

static bool has_report(const struct fm_document *doc) { return doc->trace_count > 0 || doc->image_count > 0; }

/* Whether the report lists its images before its traces. */
static bool lists_first(const struct fm_document *doc)
{
    return doc->image_count > 0 && doc->traces_above_images == 0 && !doc->report_is_whole;
}

/* Whether the report may list further images, which then apply to its traces so far. */
static bool awaits_images(const struct fm_document *doc)
{
    return doc->report_is_whole || doc->expects_repeat || (doc->expects_images && doc->image_count == 0) ||
           doc->traces_above_images > 0;
}

/* Whether a stack that begins at a line starts a new report. of_images: a list of images begins there instead of a
 * stack. */
static bool begins_report(const struct fm_document *doc, const struct fm_line *line, bool of_images)
{
    if (doc->report_is_whole || !has_report(doc)) return false;
    if (line->number1 - doc->report_number1 > FM_REPORT_GAP) return true;
    if (doc->image_count == 0) return false;
    return of_images ? doc->trace_count > doc->traces_above_images || (lists_first(doc) && doc->has_number)
                     : doc->traces_above_images > 0;
}

void fm_document_end_trace(struct fm_document *doc, framemap_closed_by why)
{
    if (!doc->open) return;
    const struct fm_parser *owner = doc->parsers ? &doc->parsers[doc->owner] : NULL;
    if (owner && owner->format->finish && !doc->is_rest) owner->format->finish(owner->state, doc);
    framemap_trace *trace = &doc->traces[doc->trace_count - 1];
    if (doc->coded_run) {
        fm_split_exception(trace);
        if (!fm_decode_trace(doc->arena, trace, doc->coded_run, !doc->title_is_decoded)) doc->failed = true;
        doc->coded_run = 0;
    }
    trace->closed_by = why;
    doc->last = *trace;
    doc->was_cut = why != FRAMEMAP_CLOSED_BY_END;
    if (doc->was_cut) fm_document_keep_last(doc);
    doc->open = false;
    if (doc->is_rest) doc->trace_count--;
    doc->is_rest = false;
}

/* Matches the frames of each trace with the images whose load addresses are printed in these frames. */
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
        /* these images are not those of the report's list, so the frames get no position in that list */
        trace->lists_images = false;
        if (!fm_match_images(doc->arena, trace, 1, &doc->row_images[i], next - i)) doc->failed = true;
        trace->lists_images = lists;
    }
}

/* Passes the traces of the report to the sink; images stay in the document. */
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
    fm_document_end_trace(doc, why);
    if (why != FRAMEMAP_CLOSED_BY_END)
        for (size_t i = 0; i < doc->trace_count; i++) doc->traces[i].closed_by = why;
    release_traces(doc);
    doc->images = NULL;
    doc->image_count = doc->image_capacity = doc->image_bytes = doc->traces_above_images = 0;
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

void fm_document_expire_now(struct fm_document *doc, uint64_t number1)
{
    if (doc->pending_begin != UINT64_MAX && number1 > doc->pending_until1) doc->pending_begin = UINT64_MAX;
    if (!has_report(doc) && !doc->expects_images && !doc->expects_repeat) return;
    if (doc->open && number1 > doc->open_until1) fm_document_end_trace(doc, FRAMEMAP_CLOSED_BY_END);
    /* The report stays open while lines are pending, since they may be the JSON document that repeats it. */
    if (doc->expects_repeat && doc->pending_begin != UINT64_MAX) return;
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
        fm_document_end_trace(doc, why);
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

bool fm_document_end_before_trace(struct fm_document *doc, const struct fm_line *line)
{
    if (doc->is_rest) fm_document_end_trace(doc, FRAMEMAP_CLOSED_BY_END);
    const bool ends_other = doc->open;
    if (begins_report(doc, line, false)) fm_document_report_end(doc);
    fm_document_end_trace(doc, FRAMEMAP_CLOSED_BY_END);
    if (doc->sink && doc->trace_count > 0 && !awaits_images(doc)) {
        if (lists_first(doc))
            release_traces(doc);
        else
            fm_document_report_end(doc);
    }
    return ends_other;
}

void fm_document_end_before_image(struct fm_document *doc, const struct fm_line *line)
{
    if (begins_report(doc, line, true)) fm_document_report_end(doc);
}
