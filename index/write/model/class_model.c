/* Initialises and frees the builder's data for the class form. */
#include "index/write/model/class_model.h"

void fm_class_form_init(struct fm_class_form *form, struct fm_heap *heap)
{
    *form = (struct fm_class_form){.open = FM_NONE, .owner = FM_NONE};
    fm_table_init(&form->name_table, heap);
    fm_table_init(&form->member_table, heap);
    fm_table_init(&form->list_table, heap);
    fm_table_init(&form->class_table, heap);
}

static void free_part(struct fm_class_part *part, struct fm_heap *heap)
{
    fm_heap_free_big(heap, part->methods, part->method_capacity * sizeof *part->methods);
    fm_heap_free_big(heap, part->fields, part->field_capacity * sizeof *part->fields);
    fm_heap_free_big(heap, part->span_bytes, part->span_capacity);
    *part = (struct fm_class_part){.methods = NULL};
}

static void free_parts(struct fm_class_form *form, struct fm_heap *heap)
{
    free_part(&form->own, heap);
    for (size_t i = 0; i < form->part_count; i++) {
        free_part(form->parts[i], heap);
        fm_heap_free(heap, form->parts[i], sizeof *form->parts[i]);
    }
    fm_heap_free(heap, form->parts, form->part_capacity * sizeof *form->parts);
}

void fm_class_form_free(struct fm_class_form *form, struct fm_heap *heap)
{
    fm_table_free(&form->name_table);
    fm_table_free(&form->member_table);
    fm_table_free(&form->list_table);
    fm_table_free(&form->class_table);
    fm_heap_free(heap, form->names, form->name_capacity * sizeof *form->names);
    fm_heap_free_big(heap, form->members, form->member_capacity * sizeof *form->members);
    fm_heap_free(heap, form->notes, form->note_capacity * sizeof *form->notes);
    fm_heap_free(heap, form->lists, form->list_capacity * sizeof *form->lists);
    fm_heap_free(heap, form->classes, form->class_capacity * sizeof *form->classes);
    free_parts(form, heap);
    fm_heap_free(heap, form->raw, form->raw_capacity * sizeof *form->raw);
    fm_heap_free(heap, form->local, form->local_capacity * sizeof *form->local);
    fm_class_form_init(form, heap);
}
