/* Records of the class form as plain arrays, added to a builder and compared with a view: the arrays are the oracle. */
#ifndef FM_TESTS_INDEX_SUPPORT_CLASS_HELP_H
#define FM_TESTS_INDEX_SUPPORT_CLASS_HELP_H

#include "tests/testing.h"

#include "index/read/classes/class_view.h"
#include "index/write/class_builder.h"

#define MODEL_TEXTS 40

struct model_note {
    uint32_t kind;
    int text; /* index of a string of the model; -1: none */
    int32_t from, to;
    int64_t count;
};
struct model_member {
    int holder, name, type, arguments; /* indexes of strings of the model; the last two may be -1: none */
};
struct model_span {
    struct fm_span span; /* the span's `member`, `entry` and `notes` are numbers of the model */
};
struct model_method {
    char residual[24];
    struct fm_span *spans;
    size_t count;
};
struct model_field {
    char residual[24];
    uint32_t member;
};
struct model_class {
    char residual[24];
    int original; /* original name: an index of `texts` of struct model */
    uint32_t flags;
    struct model_method *methods;
    struct model_field *fields;
    size_t method_count, field_count;
};
struct model {
    char texts[MODEL_TEXTS][24];
    int sources[MODEL_TEXTS]; /* for each name: index of its source file's string; -1: none */
    struct model_member *members;
    size_t member_count;
    struct model_note (*lists)[4];
    size_t *list_sizes, list_count;
    struct model_class *classes; /* classes in the order of calls; of classes with the same name, the last one counts */
    size_t class_count;
};

static inline framemap_str model_text(const struct model *m, int text)
{
    return text < 0 ? (framemap_str){NULL, 0} : framemap_str_of(m->texts[text]);
}

/* The numbers that a builder gave to the records of a model. */
struct model_numbers {
    uint32_t texts[MODEL_TEXTS], names[MODEL_TEXTS], *members, *lists;
};

static inline struct fm_note model_given(const struct model_numbers *n, const struct model_note *note)
{
    return (struct fm_note){note->kind, note->text < 0 ? FM_NONE : n->texts[note->text], note->from, note->to,
                            note->count};
}

static inline framemap_status give_records(const struct model *m, struct fm_builder *b, struct model_numbers *n,
                                           framemap_error *error)
{
    framemap_status status = FRAMEMAP_OK;
    for (int i = 0; i < MODEL_TEXTS && status == FRAMEMAP_OK; i++) {
        status = fm_builder_string(b, model_text(m, i), &n->texts[i], error);
        if (status == FRAMEMAP_OK) status = fm_builder_name(b, model_text(m, i), &n->names[i], error);
        if (status == FRAMEMAP_OK && m->sources[i] >= 0)
            status = fm_builder_name_source(b, n->names[i], model_text(m, m->sources[i]), error);
    }
    for (size_t i = 0; i < m->member_count && status == FRAMEMAP_OK; i++) {
        const struct model_member *from = &m->members[i];
        const struct fm_member member = {n->names[from->holder], n->texts[from->name],
                                         from->type < 0 ? FM_NONE : n->texts[from->type],
                                         from->arguments < 0 ? FM_NONE : n->texts[from->arguments]};
        status = fm_builder_member(b, &member, &n->members[i], error);
    }
    for (size_t i = 0; i < m->list_count && status == FRAMEMAP_OK; i++) {
        struct fm_note notes[4];
        size_t given = 0;
        /* The notes are added in descending rank, so that the builder has to sort them. */
        for (uint32_t rank = 3; rank-- > 0;)
            for (size_t k = 0; k < m->list_sizes[i]; k++)
                if (fm_note_rank(m->lists[i][k].kind) == rank) notes[given++] = model_given(n, &m->lists[i][k]);
        status = fm_builder_notes(b, notes, m->list_sizes[i], &n->lists[i], error);
    }
    return status;
}

static inline framemap_status give_method(const struct model_method *method, struct fm_builder *b,
                                          const struct model_numbers *n, framemap_error *error)
{
    struct fm_span *spans = malloc(method->count * sizeof *spans);
    assert_non_null(spans);
    for (size_t i = 0; i < method->count; i++) {
        spans[i] = method->spans[i];
        spans[i].member = n->members[spans[i].member];
        spans[i].entry = n->members[spans[i].entry];
        spans[i].notes = spans[i].notes == FM_NONE ? FM_NONE : n->lists[spans[i].notes];
    }
    const framemap_status status = fm_builder_method(b, framemap_str_of(method->residual), spans, method->count, error);
    free(spans);
    return status;
}

static inline framemap_status give_classes(const struct model *m, struct fm_builder *b, const struct model_numbers *n,
                                           framemap_error *error)
{
    framemap_status status = FRAMEMAP_OK;
    for (size_t c = 0; c < m->class_count && status == FRAMEMAP_OK; c++) {
        const struct model_class *class = &m->classes[c];
        status = fm_builder_class(b, framemap_str_of(class->residual), n->names[class->original], class->flags, error);
        for (size_t i = 0; i < class->method_count && status == FRAMEMAP_OK; i++)
            status = give_method(&class->methods[i], b, n, error);
        for (size_t i = 0; i < class->field_count && status == FRAMEMAP_OK; i++)
            status = fm_builder_field(b, framemap_str_of(class->fields[i].residual),
                                      n->members[class->fields[i].member], error);
    }
    return status;
}

static inline framemap_status model_build(const struct model *m, struct fm_heap *heap, struct fm_built *built,
                                          framemap_error *error)
{
    struct fm_builder *b = NULL;
    const struct fm_builder_about about = {
        .kind = FM_STR("r8"), .id = FM_STR("0123abcd"), .name = FM_STR("mapping.txt")};
    struct model_numbers n = {.members = calloc(m->member_count + 1, sizeof *n.members),
                              .lists = calloc(m->list_count + 1, sizeof *n.lists)};
    framemap_status status = fm_builder_create(heap, &b, error);
    if (status == FRAMEMAP_OK) status = fm_builder_about(b, &about, error);
    if (status == FRAMEMAP_OK) status = give_records(m, b, &n, error);
    if (status == FRAMEMAP_OK) status = give_classes(m, b, &n, error);
    if (status == FRAMEMAP_OK) status = fm_builder_finish(b, built, error);
    fm_builder_free(b);
    free(n.members);
    free(n.lists);
    return status;
}

/* --- querying an index and a model --- */

static inline void assert_same_text(framemap_str got, framemap_str wanted)
{
    if ((got.data == NULL) != (wanted.data == NULL) || !fm_str_equal(got, wanted))
        fail_msg("got \"%.*s\", wanted \"%.*s\"", (int)got.size, got.data ? got.data : "", (int)wanted.size,
                 wanted.data ? wanted.data : "");
}

static inline void check_member(const struct model *m, const struct fm_view *view, uint32_t number, uint32_t wanted)
{
    const struct model_member *member = &m->members[wanted];
    struct fm_view_member got;
    framemap_str source;
    assert_true(fm_view_member(view, number, &got));
    assert_same_text(got.holder, model_text(m, member->holder));
    assert_same_text(got.name, model_text(m, member->name));
    assert_same_text(got.type, model_text(m, member->type));
    assert_same_text(got.arguments, model_text(m, member->arguments));
    assert_int_equal(got.is_field, member->arguments < 0);
    assert_int_equal(fm_view_name_source(view, got.holder_name, &source), m->sources[member->holder] >= 0);
    if (m->sources[member->holder] >= 0) assert_same_text(source, model_text(m, m->sources[member->holder]));
    assert_same_text(got.source, model_text(m, m->sources[member->holder]));
}

static inline void check_notes(const struct model *m, const struct fm_view *view, uint32_t number, uint32_t wanted)
{
    struct fm_view_note got;
    if (wanted == FM_NONE || m->list_sizes[wanted] == 0) {
        assert_int_equal(number, FM_VIEW_NONE);
        return;
    }
    for (size_t i = 0; i < m->list_sizes[wanted]; i++) {
        const struct model_note *note = &m->lists[wanted][i];
        assert_true(fm_view_note(view, number, i, &got));
        assert_int_equal(got.kind, note->kind);
        assert_same_text(got.text, model_text(m, note->text));
        assert_int_equal(got.from, note->from);
        assert_int_equal(got.to, note->to);
        assert_true(got.count == note->count);
    }
    assert_false(fm_view_note(view, number, m->list_sizes[wanted], &got));
}

static inline void check_span(const struct model *m, const struct fm_view *view, const struct fm_view_method *method,
                              uint64_t number, const struct fm_span *wanted)
{
    struct fm_view_span got, same;
    assert_true(fm_view_span(view, number, &got));
    assert_true(fm_view_method_span(view, method, number, &same) && same.member == got.member);
    assert_int_equal(got.flags, wanted->flags & (FM_SPAN_RESIDUAL | FM_SPAN_ORIGINAL | FM_SPAN_PAIR));
    if (wanted->flags & FM_SPAN_RESIDUAL) {
        assert_int_equal(got.residual_from, wanted->residual_from);
        assert_int_equal(got.residual_to, wanted->residual_to);
    }
    if (wanted->flags & FM_SPAN_ORIGINAL) {
        assert_int_equal(got.original_from, wanted->original_from);
        assert_int_equal(got.original_to, wanted->flags & FM_SPAN_PAIR ? wanted->original_to : wanted->original_from);
    }
    check_member(m, view, got.member, wanted->member);
    check_notes(m, view, got.notes, wanted->notes);
}

/* Returns the index of the first span of [from, end) that has the line or, if with_line is false, that has no lines;
 * `count` of the method if there is none. */
static inline size_t model_find(const struct model_method *method, bool with_line, int32_t line, size_t from,
                                size_t end)
{
    for (size_t i = from; i < end; i++) {
        const struct fm_span *span = &method->spans[i];
        const bool has = (span->flags & FM_SPAN_RESIDUAL) != 0;
        if (with_line ? has && span->residual_from <= line && line <= span->residual_to : !has) return i;
    }
    return method->count;
}

static inline void check_found(const struct fm_view *view, const struct fm_view_method *got,
                               const struct model_method *method, int32_t line, size_t from, size_t end)
{
    uint64_t span = 0;
    const uint64_t first = got->first_span;
    const size_t at = model_find(method, true, line, from, end), without = model_find(method, false, 0, from, end);
    assert_int_equal(fm_view_span_at_line(view, got, line, first + from, first + end, &span), at < method->count);
    if (at < method->count) assert_true(span == first + at);
    assert_int_equal(fm_view_span_without_lines(view, got, first + from, first + end, &span), without < method->count);
    if (without < method->count) assert_true(span == first + without);
}

/* Compares fm_view_only_run with the general search. fm_view_only_run is fast, and finds the run that has a line only
 * if no later part has the line too. */
static inline void check_only(const struct fm_view *view, const struct fm_view_method *got,
                              const struct model_method *method, int32_t line)
{
    struct fm_view_part part;
    struct fm_view_run run;
    uint64_t span, number, other;
    const uint64_t end = got->first_span + got->span_count;
    bool wanted = fm_view_span_at_line(view, got, line, got->first_span, end, &span) &&
                  fm_view_part_of(view, got, span, &number) && fm_view_part(view, got, number, &part) &&
                  part.flags == 0;
    wanted = wanted && !fm_view_span_at_line(view, got, line, part.first_span + part.span_count, end, &other);
    assert_int_equal(fm_view_only_run(view, got, line, &run), wanted);
    if (!wanted) return;
    const struct fm_span *first = &method->spans[span - got->first_span], *next = first;
    const struct fm_span *after = first + (part.first_span + part.span_count - span);
    while (next < after && (next->flags & FM_SPAN_RESIDUAL) && next->residual_from == first->residual_from &&
           next->residual_to == first->residual_to)
        next++;
    assert_true(run.first_span == span && run.span_count == (uint64_t)(next - first));
}

/* Checks lines near the lines of some spans, in the whole method and in parts of it. */
static inline void check_lines(const struct fm_view *view, const struct fm_view_method *got,
                               const struct model_method *method)
{
    const size_t step = method->count / 40 + 1;
    for (size_t i = 0; i < method->count; i += step) {
        const struct fm_span *span = &method->spans[i];
        const int32_t lines[] = {span->residual_from,
                                 span->residual_to,
                                 (int32_t)((uint32_t)span->residual_from - 1),
                                 (int32_t)((uint32_t)span->residual_to + 1),
                                 0,
                                 INT32_MIN,
                                 INT32_MAX};
        for (size_t l = 0; l < COUNT_OF(lines); l++) {
            check_found(view, got, method, lines[l], 0, method->count);
            check_found(view, got, method, lines[l], i, method->count);
            check_found(view, got, method, lines[l], i / 2, i + 1);
            check_only(view, got, method, lines[l]);
        }
    }
}

static inline void check_parts(const struct model *m, const struct fm_view *view, const struct fm_view_method *got,
                               const struct model_method *method)
{
    uint64_t at = 0;
    for (uint64_t p = got->first_part; p < got->first_part + got->part_count; p++) {
        struct fm_view_part part;
        uint64_t found;
        assert_true(fm_view_part(view, got, p, &part));
        assert_true(part.first_span == got->first_span + at);
        check_member(m, view, part.entry, method->spans[at].entry);
        assert_int_equal(part.flags, method->spans[at].flags & (FM_SPAN_SYNTHETIC | FM_SPAN_OUTLINE));
        for (uint64_t i = 0; i < part.span_count; i++, at++) {
            assert_int_equal(i == 0 && at > 0, at > 0 && (method->spans[at].flags & FM_SPAN_PART) != 0);
            assert_true(fm_view_part_of(view, got, got->first_span + at, &found) && found == p);
        }
    }
    assert_int_equal(at, method->count);
}

static inline void check_method(const struct model *m, const struct fm_view *view, const struct fm_view_class *owner,
                                const struct model_method *method)
{
    struct fm_view_method got, same;
    assert_true(fm_view_class_method(view, owner, framemap_str_of(method->residual), &got));
    assert_true(fm_view_method_of(view, owner->number, framemap_str_of(method->residual), &same) &&
                same.first_span == got.first_span);
    assert_str(got.residual, method->residual);
    assert_int_equal(got.span_count, method->count);
    for (size_t i = 0; i < method->count; i++) check_span(m, view, &got, got.first_span + i, &method->spans[i]);
    check_parts(m, view, &got, method);
    check_lines(view, &got, method);
}

/* Checks that the fields with a name are in the order of the calls that added them. */
static inline void check_field(const struct model *m, const struct fm_view *view, const struct fm_view_class *owner,
                               const struct model_class *class, const char *residual)
{
    uint64_t first, count, at = 0;
    assert_true(fm_view_fields(view, owner, framemap_str_of(residual), &first, &count));
    for (size_t i = 0; i < class->field_count; i++) {
        framemap_str name;
        uint32_t member;
        if (strcmp(class->fields[i].residual, residual) != 0) continue;
        assert_true(fm_view_field_at(view, first + at++, &name, &member));
        assert_str(name, residual);
        check_member(m, view, member, class->fields[i].member);
    }
    assert_int_equal(count, at);
}

static inline bool replaced(const struct model *m, size_t c)
{
    for (size_t i = c + 1; i < m->class_count; i++)
        if (strcmp(m->classes[i].residual, m->classes[c].residual) == 0) return true;
    return false;
}

static inline void check_class(const struct model *m, const struct fm_view *view, const struct model_class *class)
{
    struct fm_view_class got, same;
    struct fm_view_method none;
    uint64_t first, count, number;
    assert_true(fm_view_class(view, framemap_str_of(class->residual), &got));
    assert_true(fm_view_class_number(view, framemap_str_of(class->residual), &number) && number == got.number);
    assert_str(got.residual, class->residual);
    assert_same_text(got.original, model_text(m, class->original));
    assert_int_equal(got.flags, class->flags);
    assert_int_equal(got.method_count, class->method_count);
    assert_int_equal(got.field_count, class->field_count);
    assert_true(fm_view_class_at(view, got.number, &same) && same.first_method == got.first_method);
    for (size_t i = 0; i < class->method_count; i++) check_method(m, view, &got, &class->methods[i]);
    for (size_t i = 0; i < class->field_count; i++) check_field(m, view, &got, class, class->fields[i].residual);
    assert_false(fm_view_class_method(view, &got, FM_STR("no such"), &none));
    assert_false(fm_view_fields(view, &got, FM_STR("no such"), &first, &count));
}

static inline void check_model(const struct model *m, const struct fm_view *view)
{
    struct fm_view_class none;
    framemap_str source;
    for (size_t c = 0; c < m->class_count; c++)
        if (!replaced(m, c)) check_class(m, view, &m->classes[c]);
    for (int i = 0; i < MODEL_TEXTS; i++) {
        assert_int_equal(fm_view_source_of(view, model_text(m, i), &source), m->sources[i] >= 0);
        if (m->sources[i] >= 0) assert_same_text(source, model_text(m, m->sources[i]));
    }
    assert_false(fm_view_class(view, FM_STR("no such class"), &none));
}

/* --- making random models --- */

static inline uint64_t model_next(uint64_t *random)
{
    *random ^= *random << 13;
    *random ^= *random >> 7;
    *random ^= *random << 17;
    return *random;
}
static inline uint32_t model_below(uint64_t *random, uint64_t n)
{
    return n == 0 ? 0 : (uint32_t)(model_next(random) % n);
}

struct model_shape {
    const char *name, *why;
    /* greatest numbers: of classes; methods and fields per class; spans per method; members; lists of notes */
    size_t classes, methods, spans, fields, members, lists;
    bool sorted;      /* whether residual lines ascend */
    unsigned lines;   /* residual lines are less than this number; 0: they are any 32-bit numbers */
    unsigned without; /* percentage of spans without lines */
    unsigned parts;   /* percentage of spans that start a part */
    bool again;       /* whether some classes are added twice */
};

static inline struct fm_span model_span(const struct model_shape *shape, const struct model *m, uint64_t *random,
                                        int32_t *last)
{
    struct fm_span s = {.member = model_below(random, m->member_count),
                        .entry = model_below(random, m->member_count),
                        .notes = FM_NONE};
    if (model_below(random, 10) == 0 && m->list_count > 0) s.notes = model_below(random, m->list_count);
    if (model_below(random, 100) < shape->parts) s.flags |= FM_SPAN_PART | (model_below(random, 4) << 4);
    if (model_below(random, 100) >= shape->without) {
        s.flags |= FM_SPAN_RESIDUAL;
        if (shape->sorted) {
            s.residual_from = *last + 1 + (int32_t)model_below(random, 3);
            s.residual_to = *last = s.residual_from + (int32_t)model_below(random, 3);
        } else {
            s.residual_from = shape->lines ? (int32_t)model_below(random, shape->lines) : (int32_t)model_next(random);
            s.residual_to =
                shape->lines ? s.residual_from + (int32_t)model_below(random, 5) : (int32_t)model_next(random);
            if (s.residual_from > s.residual_to) {
                const int32_t swap = s.residual_from;
                s.residual_from = s.residual_to;
                s.residual_to = swap;
            }
        }
    }
    if (model_below(random, 10) > 0) {
        s.flags |= FM_SPAN_ORIGINAL;
        s.original_from =
            model_below(random, 50) == 0 ? (int32_t)model_next(random) : (int32_t)model_below(random, 2000);
        if (model_below(random, 3) > 0) s.flags |= FM_SPAN_PAIR;
        const uint32_t kind = model_below(random, 3);
        s.original_to = kind == 0 ? s.original_from
                        : kind == 1
                            ? (int32_t)((uint32_t)s.original_from + (uint32_t)s.residual_to - (uint32_t)s.residual_from)
                            : (int32_t)model_next(random);
    }
    return s;
}

static inline void model_make_method(struct model_method *method, size_t number, const struct model_shape *shape,
                                     const struct model *m, uint64_t *random)
{
    int32_t last = 0;
    snprintf(method->residual, sizeof method->residual, "%.*s%zu", (int)(number % 3), "ab", number);
    method->count = 1 + model_below(random, shape->spans);
    method->spans = calloc(method->count, sizeof *method->spans);
    assert_non_null(method->spans);
    for (size_t i = 0; i < method->count; i++) {
        /* Sometimes repeats the residual lines of the previous span, which makes an inline chain. */
        method->spans[i] = model_span(shape, m, random, &last);
        if (i > 0 && model_below(random, 4) == 0 &&
            (method->spans[i].flags & method->spans[i - 1].flags & FM_SPAN_RESIDUAL) != 0) {
            method->spans[i].residual_from = method->spans[i - 1].residual_from;
            method->spans[i].residual_to = last = method->spans[i - 1].residual_to;
        }
    }
}

static inline void model_make_class(struct model_class *class, size_t number, const struct model_shape *shape,
                                    const struct model *m, uint64_t *random)
{
    snprintf(class->residual, sizeof class->residual, "%c.%zu", (char)('a' + number % 5),
             shape->again ? number / 2 : number);
    class->original = (int)model_below(random, MODEL_TEXTS);
    class->flags = model_below(random, 2);
    class->method_count = model_below(random, shape->methods + 1);
    class->field_count = model_below(random, shape->fields + 1);
    class->methods = calloc(class->method_count + 1, sizeof *class->methods);
    class->fields = calloc(class->field_count + 1, sizeof *class->fields);
    assert_true(class->methods && class->fields);
    for (size_t i = 0; i < class->method_count; i++)
        model_make_method(&class->methods[i], class->method_count - i, shape, m, random);
    for (size_t i = 0; i < class->field_count; i++) {
        snprintf(class->fields[i].residual, sizeof class->fields[i].residual, "f%u",
                 model_below(random, shape->fields));
        class->fields[i].member = model_below(random, m->member_count);
    }
}

static inline bool model_sorts_after(const struct model_note *a, const struct model_note *b)
{
    const uint32_t rank = fm_note_rank(a->kind), other = fm_note_rank(b->kind);
    return rank != other ? rank > other : rank == 2 && a->from > b->from;
}

static inline void model_order_notes(struct model_note *notes, size_t count)
{
    for (size_t i = 1; i < count; i++)
        for (size_t k = i; k > 0 && model_sorts_after(&notes[k - 1], &notes[k]); k--) {
            const struct model_note swap = notes[k];
            notes[k] = notes[k - 1];
            notes[k - 1] = swap;
        }
}

static inline struct model *model_make(const struct model_shape *shape, uint64_t seed)
{
    struct model *m = calloc(1, sizeof *m);
    uint64_t random = seed * 0x9E3779B97F4A7C15u + 1;
    assert_non_null(m);
    for (int i = 0; i < MODEL_TEXTS; i++) {
        /* String 0 stays the empty string. */
        if (i > 0) snprintf(m->texts[i], sizeof m->texts[i], "text.%c%d", 'z' - i % 20, i);
        m->sources[i] = model_below(&random, 2) ? (int)model_below(&random, MODEL_TEXTS) : -1;
    }
    m->member_count = shape->members;
    m->members = calloc(m->member_count, sizeof *m->members);
    m->list_count = shape->lists;
    m->lists = calloc(m->list_count + 1, sizeof *m->lists);
    m->list_sizes = calloc(m->list_count + 1, sizeof *m->list_sizes);
    m->class_count = shape->classes;
    m->classes = calloc(m->class_count + 1, sizeof *m->classes);
    assert_true(m->members && m->lists && m->list_sizes && m->classes);
    for (size_t i = 0; i < m->member_count; i++)
        m->members[i] = (struct model_member){
            (int)model_below(&random, MODEL_TEXTS), (int)model_below(&random, MODEL_TEXTS),
            (int)model_below(&random, MODEL_TEXTS + 1) - 1, (int)model_below(&random, MODEL_TEXTS + 1) - 1};
    for (size_t i = 0; i < m->list_count; i++) {
        m->list_sizes[i] = model_below(&random, 5);
        for (size_t k = 0; k < m->list_sizes[i]; k++)
            m->lists[i][k] = (struct model_note){
                1 + model_below(&random, FM_NOTE_HIDDEN), (int)model_below(&random, MODEL_TEXTS + 1) - 1,
                (int32_t)model_next(&random), (int32_t)model_below(&random, 100),
                model_below(&random, 5) ? (int64_t)model_below(&random, 9) : (int64_t)model_next(&random)};
    }
    for (size_t i = 0; i < m->list_count; i++) model_order_notes(m->lists[i], m->list_sizes[i]);
    for (size_t i = 0; i < m->class_count; i++) model_make_class(&m->classes[i], i, shape, m, &random);
    return m;
}

static inline void model_free(struct model *m)
{
    for (size_t c = 0; c < m->class_count; c++) {
        for (size_t i = 0; i < m->classes[c].method_count; i++) free(m->classes[c].methods[i].spans);
        free(m->classes[c].methods);
        free(m->classes[c].fields);
    }
    free(m->members);
    free(m->lists);
    free(m->list_sizes);
    free(m->classes);
    free(m);
}

#endif
