/* The state of a comparison of an index with its source, and the functions that the comparisons of the three forms of
 * index (addresses, classes, segments) share: querying, comparing, reporting.
 *
 * The mapper of the source is run again. In place of the index builder, a receiver (index/write/builder_sink.h) gets
 * the records and keeps them. Then the index is queried for each record through framemap_resolve, and the answer is
 * compared with the record. Of index/write, only the declarations of the records are used here. */
#ifndef FM_API_PROOF_PROOF_H
#define FM_API_PROOF_PROOF_H

#include "api/index_handle.h"
#include "api/proof/record_set.h"
#include "core/text/buffer.h"
#include "index/write/builder_sink.h"
#include <framemap/verify.h>

struct fm_proof {
    struct fm_heap *heap;
    const framemap_index *index;
    framemap_scratch *scratch;
    framemap_verify_report report;
    void *report_context;
    framemap_progress progress;
    void *progress_context;
    uint64_t done, total; /* progress of the queries, in records */
    framemap_verify_counts counts;
    struct fm_text_set texts;
    /* texts of the next difference: the place, what the source has, what the index has */
    struct fm_buf place, said, found;
    bool stopped; /* a callback returned false */
    framemap_error *error;
};

static inline const struct fm_view *fm_proof_view(const struct fm_proof *proof) { return proof->index->view; }
static inline framemap_str fm_proof_text(const struct fm_proof *proof, uint32_t number)
{
    return fm_text_set_at(&proof->texts, number);
}
/* Stores a text once, and returns its number. */
framemap_status fm_proof_intern(struct fm_proof *proof, framemap_str text, uint32_t *out, framemap_error *error);

/* --- reporting differences (implemented in proof_report.c) --- */

/* Reports a difference whose texts are in proof->place, proof->said and proof->found, and clears these buffers. what:
 * kind of the record; field: its member that differs. */
framemap_status fm_proof_differs(struct fm_proof *proof, const char *what, const char *field);
/* Compares one text of a record, and reports a difference. place: where the record is, as the report shows it;
 * borrowed. */
framemap_status fm_proof_compare_text(struct fm_proof *proof, const char *what, const char *field, framemap_str place,
                                      framemap_str said, framemap_str found);
framemap_status fm_proof_compare_number(struct fm_proof *proof, const char *what, const char *field, framemap_str place,
                                        uint64_t said, uint64_t found);
/* Counts `records` that were queried, and reports progress. Returns LIMIT if a callback stopped the comparison. */
framemap_status fm_proof_step(struct fm_proof *proof, uint64_t records);

/* --- querying and comparing chains of frames (implemented in proof_frames.c) --- */

/* Queries the index. Error: MEMORY. If the index is damaged, that is a difference: *out is then zeroed, with the status
 * MALFORMED. */
framemap_status fm_proof_ask(struct fm_proof *proof, const framemap_query *query, framemap_frame *out);
/* Returns which member of two chains differs first; NULL: none. said: the chain from the source, frame by frame. */
const char *fm_proof_chain_difference(framemap_frame_list said, framemap_frame_list found);
/* Appends a chain as text, for people. */
void fm_proof_put_chain(struct fm_buf *out, framemap_frame_list chain);
/* Writes the place of a query as text, for people. */
typedef void fm_proof_put_place(struct fm_buf *out, const framemap_query *query);
/* Queries the index, compares the restored chain with the chain of the source, and reports a difference. */
framemap_status fm_proof_compare_chain(struct fm_proof *proof, const char *what, const framemap_query *query,
                                       fm_proof_put_place *put_place, framemap_frame_list said);

/* --- receiving the records of the source, and querying the index for them: one receiver for each form of index --- */

struct fm_proof_positions *fm_proof_positions_new(struct fm_proof *proof);
void fm_proof_positions_free(struct fm_proof_positions *positions);
framemap_status fm_proof_positions_scope(struct fm_proof_positions *positions, framemap_str key, uint32_t *out,
                                         framemap_error *error);
framemap_status fm_proof_positions_batch(struct fm_proof_positions *positions, const struct fm_batch *batch,
                                         framemap_error *error);
framemap_status fm_proof_positions_function(struct fm_proof_positions *positions, const struct fm_function *function,
                                            uint32_t *out, framemap_error *error);
framemap_status fm_proof_positions_node(struct fm_proof_positions *positions, const struct fm_node *node, uint32_t *out,
                                        framemap_error *error);
framemap_status fm_proof_positions_alias(struct fm_proof_positions *positions, uint32_t root, uint32_t name,
                                         framemap_error *error);
framemap_status fm_proof_positions_place(struct fm_proof_positions *positions, uint32_t scope, uint64_t position,
                                         const struct fm_place *place, framemap_error *error);
framemap_status fm_proof_positions_ask(struct fm_proof_positions *positions);

struct fm_proof_classes *fm_proof_classes_new(struct fm_proof *proof);
void fm_proof_classes_free(struct fm_proof_classes *classes);
framemap_status fm_proof_classes_ask(struct fm_proof_classes *classes);

struct fm_proof_segments *fm_proof_segments_new(struct fm_proof *proof);
void fm_proof_segments_free(struct fm_proof_segments *segments);
framemap_status fm_proof_segments_ask(struct fm_proof_segments *segments);

#endif
