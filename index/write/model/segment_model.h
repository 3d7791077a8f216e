/* The builder's data for the segment form: segments are packed block by block as they arrive. */
#ifndef FM_INDEX_WRITE_MODEL_SEGMENT_MODEL_H
#define FM_INDEX_WRITE_MODEL_SEGMENT_MODEL_H

#include "index/format/layout.h"
#include "index/write/segment_builder.h"

struct fm_source_record {
    /* numbers of strings; spelled FM_NONE: equal to `address`; content FM_NONE: not stored */
    uint32_t address, spelled, content;
    uint32_t flags;
};
struct fm_line_record { /* a line with segments; other lines have no record */
    uint32_t line0, last_col0;
};
struct fm_segment_block_record {
    uint64_t axis_offset; /* where the block's first segment starts on the axis of generated lines */
    uint64_t at;          /* offset of the block in bytes */
};
/* Packed blocks in pieces of limited size, so that none has to be moved, and each can be freed as soon as it was
 * written. */
struct fm_segment_piece {
    unsigned char *data;
    size_t size, capacity;
};
struct fm_stretch_record {
    uint32_t source; /* number of the source that has the interval; 0 for intervals of the generated text */
    uint32_t line0, col0, function, origin;
    uint32_t site, flags; /* call site and flags of generated intervals */
};
struct fm_range_record {
    uint32_t line0, col0;
};
struct fm_offset_list {
    uint32_t kind, group;
    size_t first, count;
};

struct fm_segment_form {
    bool is_wanted, has_lines; /* is_wanted: the caller selected this form; has_lines: some segment has a source */
    struct fm_source_record *sources;
    uint32_t *names; /* the names of the map, as numbers of strings */
    struct fm_line_record *lines;
    struct fm_segment_block_record *blocks;
    struct fm_segment_piece *pieces;
    struct fm_stretch_record *source_stretches, *generated_stretches;
    struct fm_offset_list *lists;
    uint32_t *offsets;
    struct fm_call_site *sites;
    struct fm_range_record *ranges;
    size_t source_count, source_capacity, name_count, name_capacity, line_count, line_capacity, block_count,
        block_capacity, byte_count, piece_count, piece_capacity, source_stretch_count, source_stretch_capacity,
        generated_stretch_count, generated_stretch_capacity, list_count, list_capacity, offset_count, offset_capacity,
        site_count, site_capacity, range_count, range_capacity;
    uint64_t line_axis_offset; /* where the current line starts on the axis of generated lines */
    uint64_t segment_count;
    /* The current block, not packed yet. */
    struct fm_segment pending[FMX_SEGMENTS_EACH];
    uint64_t axis_offsets[FMX_SEGMENTS_EACH];
    unsigned pending_count;
    /* Shows which names the current block has. Element 0 is for segments without a name, element n + 1 for name n. A
     * value of `mark` or more: the name is in the block (segment_block_encoder.c). */
    uint32_t *seen;
    size_t seen_capacity;
    uint32_t mark;
};

void fm_segment_form_free(struct fm_segment_form *form, struct fm_heap *heap);
void fm_segment_pieces_free(struct fm_segment_form *form, struct fm_heap *heap);

/* segment_block_encoder.c: packs a block, whose segments may be in the caller's memory, and empties the current block.
 * Errors: MEMORY, LIMIT. */
framemap_status fm_encode_segments(struct fm_builder *builder, const struct fm_segment *segments,
                                   framemap_error *error);

/* segment_encoder.c: does the work of fm_builder_finish for the segment form. */
framemap_status fm_finish_segments(struct fm_builder *builder, struct fm_built *out, framemap_error *error);

#endif
