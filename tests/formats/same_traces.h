/* Compares the traces of two parses of the same text. */
#ifndef FM_TESTS_FORMATS_SAME_TRACES_H
#define FM_TESTS_FORMATS_SAME_TRACES_H

#include "core/text/text.h"
#include <framemap/frame.h>

static inline bool same_frame(const framemap_frame *a, const framemap_frame *b)
{
    return a->kind == b->kind && a->status == b->status && a->reason == b->reason && a->index == b->index &&
           a->raw.data == b->raw.data && a->raw.size == b->raw.size && a->raw_offset == b->raw_offset &&
           fm_str_equal(a->module, b->module) && fm_str_equal(a->id, b->id) && fm_str_equal(a->arch, b->arch) &&
           a->address_kind == b->address_kind && a->has_address == b->has_address &&
           a->has_load_address == b->has_load_address && a->maps_file == b->maps_file &&
           a->return_address == b->return_address && a->address == b->address && a->load_address == b->load_address &&
           a->file_offset == b->file_offset && fm_str_equal(a->class_name, b->class_name) &&
           fm_str_equal(a->function, b->function) && fm_str_equal(a->symbol, b->symbol) &&
           fm_str_equal(a->file, b->file) && a->line == b->line && a->column == b->column &&
           a->has_function_offset == b->has_function_offset && a->function_offset == b->function_offset;
}

static inline bool same_image(const framemap_image *a, const framemap_image *b)
{
    return fm_str_equal(a->name, b->name) && fm_str_equal(a->path, b->path) && fm_str_equal(a->id, b->id) &&
           fm_str_equal(a->arch, b->arch) && a->load_address == b->load_address && a->size == b->size;
}

static inline bool same_mention(const framemap_mention *a, const framemap_mention *b)
{
    return a->raw.data == b->raw.data && a->raw.size == b->raw.size && a->raw_offset == b->raw_offset &&
           a->before_frame == b->before_frame && a->exception == b->exception;
}

static inline bool same_trace(const framemap_trace *a, const framemap_trace *b)
{
    bool same = a->format.data == b->format.data && fm_str_equal(a->thread, b->thread) &&
                fm_str_equal(a->exception, b->exception) && fm_str_equal(a->arch, b->arch) &&
                fm_str_equal(a->os, b->os) && a->crashed == b->crashed && a->line == b->line &&
                a->frame_count == b->frame_count && a->image_count == b->image_count &&
                a->mention_count == b->mention_count;
    for (size_t i = 0; same && i < a->frame_count; i++) same = same_frame(&a->frames[i], &b->frames[i]);
    for (size_t i = 0; same && i < a->image_count; i++) same = same_image(&a->images[i], &b->images[i]);
    for (size_t i = 0; same && i < a->mention_count; i++) same = same_mention(&a->mentions[i], &b->mentions[i]);
    return same;
}

static inline bool same_traces(const framemap_trace *a, size_t a_count, const framemap_trace *b, size_t b_count)
{
    bool same = a_count == b_count;
    for (size_t i = 0; same && i < a_count; i++) same = same_trace(&a[i], &b[i]);
    return same;
}

#endif
