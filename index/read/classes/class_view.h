/* Reads the class form of an index, made from Java mappings; class_builder.h describes the records. Called by resolve/,
 * api/, session/, index/split and index/verify. As with view.h, no call allocates memory and no byte is trusted: every
 * number is checked before it is used, and a damaged index gives wrong results or none. Strings live as long as the
 * view. */
#ifndef FM_INDEX_READ_CLASSES_CLASS_VIEW_H
#define FM_INDEX_READ_CLASSES_CLASS_VIEW_H

#include "index/read/view.h"

struct fm_classes_about {
    uint64_t class_count, method_count, field_count, span_count, member_count, name_count;
};
/* Gets the sizes of the tables. false: the index has another form. */
bool fm_view_classes(const struct fm_view *view, struct fm_classes_about *out);

struct fm_view_class {
    uint32_t number;               /* number of the class, less than class_count, in the order of residual names */
    framemap_str residual;         /* class name as stacks print it: "a.b" */
    framemap_str original;         /* class name in the source: "com.example.Main" */
    uint32_t original_name, flags; /* flags: bits FM_CLASS_… */
    uint64_t first_method, method_count, first_field, field_count; /* methods and fields, in the order of residual
                                                                      names */
};
bool fm_view_class(const struct fm_view *view, framemap_str residual, struct fm_view_class *out);
bool fm_view_class_at(const struct fm_view *view, uint64_t number, struct fm_view_class *out);
/* Looks up a class and gets only its number, without reading its record. */
bool fm_view_class_number(const struct fm_view *view, framemap_str residual, uint64_t *number);

struct fm_spans { /* the decoded head of a method's spans (line ranges); private to the view */
    const unsigned char *data;
    uint64_t parts_at, rows_at, tree_at; /* offsets in bits from `data` */
    uint32_t members_at, count, members, parts;
    /* flags: FMX_SPANS_…; shape: the fields that all rows have, or, if FMX_SPANS_VARY is set, the fields that at
     * least one row has */
    uint8_t flags, shape;
    uint8_t row_bits, shape_bits, part_bits, count_bits, local_bits;
    uint8_t width[9]; /* widths of SPANS_FROM and the fields after it */
};
struct fm_view_method {
    framemap_str residual;
    uint64_t first_span, span_count, first_part, part_count;
    struct fm_spans spans; /* decoded head, shared by all queries of the method */
};
bool fm_view_class_method(const struct fm_view *view, const struct fm_view_class *owner, framemap_str residual,
                          struct fm_view_method *out);
bool fm_view_method_at(const struct fm_view *view, uint64_t number, struct fm_view_method *out);
/* Looks up a method as fm_view_method_at does, in a class given by its number. */
bool fm_view_method_of(const struct fm_view *view, uint64_t class_number, framemap_str residual,
                       struct fm_view_method *out);

/* The spans of a method are first_span .. first_span + span_count - 1; spans of other methods have other numbers. Parts
 * of a method: first_part .. first_part + part_count - 1; together they hold all its spans in order. */
struct fm_view_part {
    uint64_t first_span, span_count;
    uint32_t entry; /* number of the member that answers for a frame without a line number */
    uint32_t flags; /* bits FM_SPAN_SYNTHETIC and FM_SPAN_OUTLINE */
};
bool fm_view_part(const struct fm_view *view, const struct fm_view_method *method, uint64_t part,
                  struct fm_view_part *out);
/* Returns the part of the method to which a span belongs. */
bool fm_view_part_of(const struct fm_view *view, const struct fm_view_method *method, uint64_t span, uint64_t *part);

struct fm_view_span { /* A decoded span. Line numbers whose flag is not set are meaningless. */
    int32_t residual_from, residual_to, original_from, original_to;
    uint32_t member;
    uint32_t notes; /* list of notes; FM_VIEW_NONE: the span has none */
    uint32_t flags; /* FM_SPAN_RESIDUAL, FM_SPAN_ORIGINAL, FM_SPAN_PAIR; struct fm_view_part has the other flags */
};
bool fm_view_span(const struct fm_view *view, uint64_t span, struct fm_view_span *out);
/* Reads a span as fm_view_span does, but faster, because the method is known. */
bool fm_view_method_span(const struct fm_view *view, const struct fm_view_method *method, uint64_t span,
                         struct fm_view_span *out);

/* Find a span among the spans [from, end) of the method: fm_view_span_at_line the first one whose residual lines
 * include `line`, fm_view_span_without_lines the first one without residual lines. false: not found. The time is far
 * less than linear in the number of spans, whatever their order. */
bool fm_view_span_at_line(const struct fm_view *view, const struct fm_view_method *method, int32_t line, uint64_t from,
                          uint64_t end, uint64_t *span);
bool fm_view_span_without_lines(const struct fm_view *view, const struct fm_view_method *method, uint64_t from,
                                uint64_t end, uint64_t *span);

/* Consecutive spans (line ranges) of a method. */
struct fm_view_run {
    uint64_t first_span, span_count;
};
/* Finds the result of a method for a line, if there is exactly one and it is simple: consecutive spans with the same
 * residual lines, all in one part of the method (struct fm_view_part) without flags, and no other part covers the line.
 * false: otherwise, or the index is damaged. */
bool fm_view_only_run(const struct fm_view *view, const struct fm_view_method *method, int32_t line,
                      struct fm_view_run *out);

struct fm_view_member {
    framemap_str holder, name, type, arguments;
    framemap_str source; /* source file of the holder; absent: unknown */
    uint32_t holder_name;
    bool is_field;
};
bool fm_view_member(const struct fm_view *view, uint32_t member, struct fm_view_member *out);

/* Gets the fields of a class with this residual name, which are adjacent: rows [*first, *first + *count). false: there
 * is none. */
bool fm_view_fields(const struct fm_view *view, const struct fm_view_class *owner, framemap_str residual,
                    uint64_t *first, uint64_t *count);
bool fm_view_field_at(const struct fm_view *view, uint64_t number, framemap_str *residual, uint32_t *member);

/* Finds the source file of an original class, by the number of its name or by the name. false: unknown. */
bool fm_view_name_source(const struct fm_view *view, uint32_t name, framemap_str *source);
bool fm_view_source_of(const struct fm_view *view, framemap_str original, framemap_str *source);

/* A note of a span; flags.h lists the kinds. `text` is absent if the note has none. */
struct fm_view_note {
    uint32_t kind;
    framemap_str text;
    int32_t from, to;
    int64_t count;
};
/* Reads a note of a list by the number of the note in the list, from 0. */
bool fm_view_note(const struct fm_view *view, uint32_t notes, uint64_t which,
                  struct fm_view_note *out); /* returns false for a number after the last one */
/* Replaces *line, a line of an outline, by the line that the notes of a call site give for it; *line is unchanged if
 * they give none. false: the notes are not those of a call site. Binary search. */
bool fm_view_outline_line(const struct fm_view *view, uint32_t notes, int32_t *line);

#endif
