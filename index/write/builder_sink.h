/* A receiver that gets a mapper's records instead of an index. A builder that is made with a receiver passes on every
 * call of builder.h, class_builder.h and segment_builder.h, and keeps nothing. So the receiver gets the records before
 * any code of the index has numbered, joined, sorted or packed them. api/proof uses a receiver to compare an index with
 * its source. A receiver has no members for shards, since such a builder has one thread, nor for numbered scopes, which
 * no mapper makes. */
#ifndef FM_INDEX_WRITE_BUILDER_SINK_H
#define FM_INDEX_WRITE_BUILDER_SINK_H

#include "index/write/class_builder.h"
#include "index/write/segment_builder.h"

/* Each member has the contract of the builder's call of the same name, with `context` in place of the builder. Numbers
 * that a member returns are the receiver's own; equal strings, names and scopes must have equal numbers. A file is
 * given as the string of its path. */
struct fm_builder_sink {
    framemap_status (*about)(void *context, const struct fm_builder_about *about, framemap_error *error);
    void (*id)(void *context, framemap_str id);
    framemap_status (*attribute)(void *context, framemap_str key, framemap_str value, framemap_error *error);
    framemap_status (*string)(void *context, framemap_str text, uint32_t *out, framemap_error *error);
    framemap_status (*scope)(void *context, framemap_str key, uint32_t *out, framemap_error *error);
    framemap_status (*batch)(void *context, const struct fm_batch *batch, framemap_error *error);
    framemap_status (*function)(void *context, const struct fm_function *function, uint32_t *out,
                                framemap_error *error);
    framemap_status (*node)(void *context, const struct fm_node *node, uint32_t *out, framemap_error *error);
    framemap_status (*alias)(void *context, uint32_t root, uint32_t name, framemap_error *error);
    /* Receives a row whose location has no name, flags or alternatives; other positions are refused (UNSUPPORTED). If
     * the location has neither node nor file, the row is an end mark. */
    framemap_status (*position)(void *context, uint32_t scope, uint64_t position, const struct fm_place *place,
                                framemap_error *error);

    framemap_status (*name)(void *context, framemap_str original, uint32_t *out, framemap_error *error);
    framemap_status (*name_source)(void *context, uint32_t name, framemap_str source, framemap_error *error);
    framemap_status (*member)(void *context, const struct fm_member *member, uint32_t *out, framemap_error *error);
    framemap_status (*notes)(void *context, const struct fm_note *notes, size_t count, uint32_t *out,
                             framemap_error *error);
    framemap_status (*class_block)(void *context, framemap_str residual, uint32_t original_name, uint32_t flags,
                                   framemap_error *error);
    framemap_status (*method)(void *context, framemap_str residual, const struct fm_span *spans, size_t count,
                              framemap_error *error);
    framemap_status (*field)(void *context, framemap_str residual, uint32_t member, framemap_error *error);

    framemap_status (*source)(void *context, uint32_t address, uint32_t spelled, uint32_t content, uint32_t flags,
                              uint32_t *out, framemap_error *error);
    framemap_status (*segment_name)(void *context, framemap_str name, uint32_t *out, framemap_error *error);
    framemap_str (*segment_name_text)(void *context, uint32_t name);
    framemap_status (*segments)(void *context, const struct fm_segment *segments, size_t count, framemap_error *error);
    framemap_status (*source_stretch)(void *context, uint32_t source, uint32_t line0, uint32_t col0, uint32_t function,
                                      enum fm_function_origin origin, framemap_error *error);
    /* Receive stretches, which are intervals with one enclosing function, of sources and of the generated text. */
    framemap_status (*inlined_stretch)(void *context, const struct fm_generated_stretch *stretch,
                                       framemap_error *error);
    framemap_status (*call_site)(void *context, const struct fm_call_site *site, uint32_t *out, framemap_error *error);
    framemap_status (*segment_range)(void *context, uint32_t line0, uint32_t col0, framemap_error *error);
    framemap_status (*offsets)(void *context, enum fm_offsets_kind kind, uint32_t group, const uint32_t *values,
                               size_t count, framemap_error *error);
};

/* Makes a builder that passes its calls to `sink` with `context`; both must outlive it. It must not be finished. Error:
 * MEMORY. */
framemap_status fm_builder_create_for(const struct fm_builder_sink *sink, void *context, struct fm_heap *heap,
                                      struct fm_builder **out, framemap_error *error);

#endif
