/* Frees the builder's data for the segment form. */
#include "index/write/model/segment_model.h"

void fm_segment_pieces_free(struct fm_segment_form *form, struct fm_heap *heap)
{
    for (size_t i = 0; i < form->piece_count; i++) fm_heap_free(heap, form->pieces[i].data, form->pieces[i].capacity);
    fm_heap_free(heap, form->pieces, form->piece_capacity * sizeof *form->pieces);
    form->pieces = NULL;
    form->piece_count = form->piece_capacity = 0;
}

void fm_segment_form_free(struct fm_segment_form *form, struct fm_heap *heap)
{
    fm_heap_free(heap, form->sources, form->source_capacity * sizeof *form->sources);
    fm_heap_free(heap, form->names, form->name_capacity * sizeof *form->names);
    fm_heap_free(heap, form->lines, form->line_capacity * sizeof *form->lines);
    fm_heap_free(heap, form->blocks, form->block_capacity * sizeof *form->blocks);
    fm_segment_pieces_free(form, heap);
    fm_heap_free(heap, form->seen, form->seen_capacity * sizeof *form->seen);
    fm_heap_free(heap, form->source_stretches, form->source_stretch_capacity * sizeof *form->source_stretches);
    fm_heap_free(heap, form->generated_stretches, form->generated_stretch_capacity * sizeof *form->generated_stretches);
    fm_heap_free(heap, form->lists, form->list_capacity * sizeof *form->lists);
    fm_heap_free(heap, form->offsets, form->offset_capacity * sizeof *form->offsets);
    fm_heap_free(heap, form->sites, form->site_capacity * sizeof *form->sites);
    fm_heap_free(heap, form->ranges, form->range_capacity * sizeof *form->ranges);
    *form = (struct fm_segment_form){.is_wanted = false};
}
