/* The memory of a document: arrays in its arena, and the move to another arena. Called by the files that fill the
 * document (document_traces.c, document_report.c) and by dispatch.c. */
#include "formats/scan/document.h"
#include "core/checked.h"

void *fm_document_alloc(struct fm_document *doc, size_t size)
{
    void *memory = fm_arena_alloc(doc->arena, size);
    if (!memory) doc->failed = true;
    return memory;
}

framemap_str fm_document_decimal(struct fm_document *doc, uint64_t number)
{
    char digits[20];
    size_t at = sizeof digits;
    do digits[--at] = (char)('0' + number % 10);
    while ((number /= 10) != 0);
    char *out = fm_document_alloc(doc, sizeof digits - at);
    if (out == NULL) return (framemap_str){NULL, 0};
    memcpy(out, digits + at, sizeof digits - at);
    return fm_str(out, sizeof digits - at);
}

void *fm_document_grow(struct fm_document *doc, void *array, size_t count, size_t *capacity, size_t size, size_t least)
{
    const size_t more = count ? count * 2 : least;
    size_t bytes;
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

/* Copies the strings and registers of a trace into the document's arena; not its frames and images. */
static void keep_trace(struct fm_document *doc, framemap_trace *trace)
{
    framemap_str *const texts[] = {&trace->thread,
                                   &trace->exception,
                                   &trace->arch,
                                   &trace->os,
                                   &trace->thread_id,
                                   &trace->thread_name,
                                   &trace->thread_queue,
                                   &trace->thread_state,
                                   &trace->exception_type,
                                   &trace->exception_message,
                                   &trace->abort_message,
                                   &trace->mach_type,
                                   &trace->mach_codes,
                                   &trace->signal.name,
                                   &trace->signal.code_name,
                                   &trace->process_name,
                                   &trace->os_version,
                                   &trace->log.time,
                                   &trace->log.tag,
                                   &trace->log.level,
                                   &trace->log.process};
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) fm_document_keep(doc, texts[i]);
    framemap_register *registers = moved(doc, trace->registers, trace->register_count, sizeof *registers);
    if (registers == NULL) trace->register_count = 0;
    for (size_t i = 0; i < trace->register_count; i++) fm_document_keep(doc, &registers[i].name);
    trace->registers = registers;
}

void fm_document_keep_last(struct fm_document *doc) { keep_trace(doc, &doc->last); }

/* Forgets the current report, because there was no memory to copy it. */
static void drop_all(struct fm_document *doc)
{
    doc->traces = NULL;
    doc->images = doc->row_images = NULL;
    doc->row_image_traces = NULL;
    doc->trace_count = doc->image_count = doc->image_bytes = doc->row_image_count = 0;
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
    doc->mention_capacity = doc->register_capacity = 0;
    doc->registers = NULL;
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
    if (doc->was_cut) fm_document_keep_last(doc);
    /* A trace may continue one that was closed early. Without a frame, such a trace holds back no text, so the memory
     * of its strings may be freed before it ends. The strings are therefore copied. */
    if (doc->is_rest) keep_trace(doc, &doc->traces[doc->trace_count - 1]);
    if (!doc->was_cut) doc->last = (framemap_trace){.number = 0};
}
