/* The records of an index of renamed classes as the mapper gave them. */
#ifndef FM_API_PROOF_PROOF_CLASSES_H
#define FM_API_PROOF_PROOF_CLASSES_H

#include "api/proof/proof.h"
#include "core/text/merge_sort.h"
#include "index/read/classes/class_view.h"

struct fm_proof_class {
    uint32_t residual, original, flags; /* residual: number of a text; original: number of a name */
    size_t first_method, method_count, first_field, field_count;
};
struct fm_proof_method {
    uint32_t residual; /* number of the text with the residual name */
    size_t first_span, span_count;
};
struct fm_proof_field {
    uint32_t residual, member;
};
struct fm_proof_notes {
    size_t first, count;
};
/* Adjacent spans of one part with the same residual lines: one inline chain, innermost first. */
struct fm_proof_run {
    int32_t from, to;
    size_t first_span, span_count; /* spans of the run, counted from the first span of the method */
    size_t part;                   /* number of the method's part that has the run, counted from 0 */
    bool plain; /* only rules for line numbers apply to the run; it has no notes or flags of R8 that change frames */
    bool alone; /* no other run of the method covers a line of this run */
};

struct fm_proof_classes {
    struct fm_proof *proof;
    /* names: texts of original class names; numbers: texts of residual class names */
    struct fm_record_set names, numbers;
    uint32_t *sources;              /* for each of `names`: text of the source file, or FM_NONE */
    struct fm_proof_class *classes; /* classes by the number of the residual name */
    struct fm_proof_method *methods;
    struct fm_span *spans;
    struct fm_proof_field *fields;
    struct fm_member *members;
    struct fm_proof_notes *lists;
    struct fm_note *notes;
    uint32_t open; /* number of the class whose records come next */
    size_t source_capacity, class_capacity, method_count, method_capacity, span_count, span_capacity, field_count,
        field_capacity, member_count, member_capacity, list_count, list_capacity, note_count, note_capacity;
    /* State of the comparison of the mapping with the index. */
    struct fm_proof_run *runs; /* runs (adjacent spans with the same lines) of the method that is being compared */
    struct fm_sort_item *order;
    framemap_frame *frames;
    struct fm_arena arena; /* memory for the strings of one query */
    size_t run_count, run_capacity, order_capacity, frame_capacity;
};

/* Each of these functions adds records of one kind. class_builder.h has their contracts. */
framemap_status fm_proof_classes_name(struct fm_proof_classes *classes, framemap_str original, uint32_t *out,
                                      framemap_error *error);
framemap_status fm_proof_classes_name_source(struct fm_proof_classes *classes, uint32_t name, framemap_str source,
                                             framemap_error *error);
framemap_status fm_proof_classes_member(struct fm_proof_classes *classes, const struct fm_member *member, uint32_t *out,
                                        framemap_error *error);
framemap_status fm_proof_classes_notes(struct fm_proof_classes *classes, const struct fm_note *notes, size_t count,
                                       uint32_t *out, framemap_error *error);
framemap_status fm_proof_classes_class(struct fm_proof_classes *classes, framemap_str residual, uint32_t original,
                                       uint32_t flags, framemap_error *error);
framemap_status fm_proof_classes_method(struct fm_proof_classes *classes, framemap_str residual,
                                        const struct fm_span *spans, size_t count, framemap_error *error);
framemap_status fm_proof_classes_field(struct fm_proof_classes *classes, framemap_str residual, uint32_t member,
                                       framemap_error *error);

static inline framemap_str fm_proof_name(const struct fm_proof_classes *classes, uint32_t name)
{
    return fm_proof_text(classes->proof, *(const uint32_t *)fm_record_set_at(&classes->names, name));
}

/* Appends "a.b.c" (and ":12", if line is positive) to the place of a difference. */
void fm_proof_put_member(struct fm_proof_classes *classes, const struct fm_proof_class *owner, uint32_t member,
                         int64_t line);

/* proof_class_records.c: compares each record of a class with the record that the index has. found: the same class in
 * the index. */
framemap_status fm_proof_class_records(struct fm_proof_classes *classes, const struct fm_proof_class *owner,
                                       const struct fm_view_class *found);
/* proof_class_lines.c: queries a class, its members, and each line range of its methods. */
framemap_status fm_proof_class_lines(struct fm_proof_classes *classes, const struct fm_proof_class *owner);
/* proof_runs.c: lists the runs of a method by their first lines. Error: MEMORY. */
framemap_status fm_proof_list_runs(struct fm_proof_classes *classes, const struct fm_proof_method *method);

#endif
