/* The class form: what is given to the builder is what the view answers. */
#include "index/read/table/tables.h"
#include "tests/index/support/class_help.h"

static const struct model_shape shapes[] = {
    {.name = "small",
     .why = "no hash table",
     .classes = 3,
     .methods = 3,
     .spans = 4,
     .fields = 3,
     .members = 5,
     .lists = 2,
     .sorted = true,
     .parts = 20},
    {.name = "many classes",
     .why = "found by hash",
     .classes = 400,
     .methods = 5,
     .spans = 6,
     .fields = 4,
     .members = 200,
     .lists = 9,
     .sorted = true,
     .without = 3,
     .parts = 20},
    {.name = "classes again",
     .why = "the last block counts",
     .classes = 60,
     .methods = 6,
     .spans = 9,
     .fields = 4,
     .members = 30,
     .lists = 5,
     .lines = 40,
     .parts = 20,
     .again = true},
    {.name = "many spans in order",
     .why = "bisected",
     .classes = 3,
     .methods = 4,
     .spans = 3000,
     .fields = 1,
     .members = 90,
     .lists = 3,
     .sorted = true,
     .parts = 5},
    {.name = "many spans in any order",
     .why = "a tree",
     .classes = 3,
     .methods = 4,
     .spans = 900,
     .fields = 1,
     .members = 90,
     .lists = 3,
     .lines = 700,
     .without = 10,
     .parts = 30},
    {.name = "spans of any lines",
     .why = "negative lines, the greatest ones, wide fields",
     .classes = 4,
     .methods = 4,
     .spans = 400,
     .fields = 1,
     .members = 9,
     .lists = 3,
     .parts = 3},
    {.name = "no lines",
     .why = "overloads without ranges",
     .classes = 4,
     .methods = 4,
     .spans = 400,
     .fields = 1,
     .members = 900,
     .lists = 3,
     .without = 100,
     .parts = 90},
    {.name = "fields only",
     .why = "no method",
     .classes = 30,
     .methods = 0,
     .spans = 1,
     .fields = 60,
     .members = 50,
     .lists = 0},
    {.name = "names only", .why = "source files without a class", .classes = 0, .members = 1},
    {.name = "one of each",
     .why = "fields of no bits",
     .classes = 1,
     .methods = 1,
     .spans = 1,
     .fields = 1,
     .members = 1,
     .lists = 1},
};

static void answers_what_was_given(void **state)
{
    (void)state;
    for (size_t i = 0; i < COUNT_OF(shapes); i++)
        for (uint64_t seed = 1; seed <= 4; seed++) {
            struct model *m = model_make(&shapes[i], seed);
            struct fm_heap heap;
            struct fm_built built, again;
            struct fm_view *view = NULL;
            struct fm_classes_about about;
            fm_heap_init(&heap, NULL, 0);
            assert_int_equal(model_build(m, &heap, &built, NULL), FRAMEMAP_OK);
            assert_int_equal(model_build(m, &heap, &again, NULL), FRAMEMAP_OK);
            assert_true(built.size == again.size && memcmp(built.data, again.data, built.size) == 0);
            assert_int_equal(fm_view_open(fm_str(built.data, built.size), &heap, &view, NULL), FRAMEMAP_OK);
            assert_true(fm_view_classes(view, &about));
            check_model(m, view);
            assert_int_equal(fm_view_verify(view, NULL), FRAMEMAP_OK);
            fm_view_close(view);
            fm_heap_free(&heap, built.data, built.size);
            fm_heap_free(&heap, again.data, again.size);
            assert_int_equal(heap.used, 0);
            model_free(m);
        }
}

/* A value of the split form, opened; to be closed by the caller. */
static struct fm_view *open_value(const struct fm_view *view, uint64_t number, struct fm_arena *arena,
                                  framemap_str *key)
{
    struct fm_view *value = NULL;
    framemap_str bytes;
    assert_int_equal(fm_view_bucket(view, number, arena, key, &bytes, NULL), FRAMEMAP_OK);
    if (bytes.size == 0) return NULL;
    assert_int_equal(fm_view_open(bytes, arena->heap, &value, NULL), FRAMEMAP_OK);
    assert_int_equal(fm_view_verify(value, NULL), FRAMEMAP_OK);
    return value;
}

static const struct model_class *last_block(const struct model *m, framemap_str residual)
{
    for (size_t c = m->class_count; c > 0; c--)
        if (fm_str_equal(framemap_str_of(m->classes[c - 1].residual), residual)) return &m->classes[c - 1];
    return NULL;
}

static void check_values(const struct model *m, const struct fm_view *view, struct fm_arena *arena)
{
    struct fm_classes_about about;
    size_t sources = 0;
    assert_true(fm_view_classes(view, &about));
    for (uint64_t i = 0; i < fm_view_bucket_count(view); i++) {
        struct fm_view_class class;
        framemap_str key, wanted, source;
        fm_arena_reset(arena);
        struct fm_view *value = open_value(view, i, arena, &key);
        if (i < about.class_count) {
            assert_non_null(value);
            assert_true(fm_view_class_at(view, i, &class));
            assert_int_equal(fm_view_bucket_key(view, i, 0, arena, &wanted, NULL), FRAMEMAP_OK);
            assert_true(fm_str_equal(key, wanted) && fm_str_ends(key, class.residual) &&
                        fm_str_starts(key, FM_STR("r8:0123abcd:")));
            check_class(m, value, last_block(m, class.residual));
        } else if (value) {
            assert_true(fm_view_source_of(value, fm_str_from(key, 12), &source));
            sources++;
        }
        fm_view_close(value);
    }
    for (int i = 0; i < MODEL_TEXTS; i++) sources -= m->sources[i] >= 0;
    assert_int_equal(sources, 0); /* no text of the model is a residual class */
}

static void split_form_answers_like_the_whole(void **state)
{
    (void)state;
    for (size_t i = 0; i < COUNT_OF(shapes); i++) {
        struct model *m = model_make(&shapes[i], 77);
        struct fm_heap heap;
        struct fm_built built;
        struct fm_view *view = NULL;
        struct fm_arena arena;
        fm_heap_init(&heap, NULL, 0);
        fm_arena_init(&arena, &heap);
        assert_int_equal(model_build(m, &heap, &built, NULL), FRAMEMAP_OK);
        assert_int_equal(fm_view_open(fm_str(built.data, built.size), &heap, &view, NULL), FRAMEMAP_OK);
        check_values(m, view, &arena);
        fm_view_close(view);
        fm_arena_free(&arena);
        fm_heap_free(&heap, built.data, built.size);
        assert_int_equal(heap.used, 0);
        model_free(m);
    }
}

/* --- the order of names --- */

/* Number `i` of `count` names that come in no order; as many as `far` differ only behind their first eight bytes. */
static framemap_str name_of(size_t i, size_t count, size_t far, char *out, size_t room)
{
    const size_t number = i * 37 % count; /* count is no multiple of 37 */
    const int size = snprintf(out, room,
                              number < far ? "same_begin_%zu"
                              : number % 3 ? "%zu"
                                           : "m%zu_and_more",
                              number);
    return fm_str(out, (size_t)size);
}

static void check_order(struct fm_heap *heap, size_t count, size_t far)
{
    struct fm_builder *b = NULL;
    struct fm_built built;
    struct fm_view *view = NULL;
    struct fm_view_class class;
    struct fm_view_method method, before;
    uint32_t name, text;
    char room[40];
    assert_int_equal(fm_builder_create(heap, &b, NULL), FRAMEMAP_OK);
    assert_int_equal(fm_builder_name(b, FM_STR("o.C"), &name, NULL), FRAMEMAP_OK);
    assert_int_equal(fm_builder_class(b, FM_STR("a"), name, 0, NULL), FRAMEMAP_OK);
    for (size_t i = 0; i < count; i++) {
        struct fm_span span = {.notes = FM_NONE, .flags = FM_SPAN_PART};
        assert_int_equal(fm_builder_string(b, name_of(i, count, far, room, sizeof room), &text, NULL), FRAMEMAP_OK);
        const struct fm_member member = {name, text, FM_NONE, FM_NONE};
        assert_int_equal(fm_builder_member(b, &member, &span.member, NULL), FRAMEMAP_OK);
        span.entry = span.member;
        assert_int_equal(fm_builder_method(b, name_of(i, count, far, room, sizeof room), &span, 1, NULL), FRAMEMAP_OK);
        assert_int_equal(fm_builder_field(b, name_of(i, count, far, room, sizeof room), span.member, NULL),
                         FRAMEMAP_OK);
    }
    assert_int_equal(fm_builder_finish(b, &built, NULL), FRAMEMAP_OK);
    assert_int_equal(fm_view_open(fm_str(built.data, built.size), heap, &view, NULL), FRAMEMAP_OK);
    assert_true(fm_view_class(view, FM_STR("a"), &class));
    for (size_t i = 0; i < count; i++) {
        const framemap_str wanted = name_of(i, count, far, room, sizeof room);
        struct fm_view_span span;
        struct fm_view_member member;
        uint64_t first, fields;
        assert_true(fm_view_class_method(view, &class, wanted, &method));
        assert_true(fm_view_method_span(view, &method, method.first_span, &span));
        assert_true(fm_view_member(view, span.member, &member) && fm_str_equal(member.name, wanted));
        assert_true(fm_view_fields(view, &class, wanted, &first, &fields) && fields == 1);
        assert_true(fm_view_method_at(view, class.first_method + i, &method));
        if (i > 0) assert_true(fm_str_compare(before.residual, method.residual) < 0);
        before = method;
    }
    fm_view_close(view);
    fm_builder_free(b);
    fm_heap_free(heap, built.data, built.size);
}

/* Few and many, told apart by their first bytes and only behind these. */
static void names_are_put_in_order(void **state)
{
    static const size_t counts[] = {1, 2, 3, 31, 32, 33, 70};
    struct fm_heap heap;
    (void)state;
    fm_heap_init(&heap, NULL, 0);
    for (size_t i = 0; i < COUNT_OF(counts); i++)
        for (size_t far = 0; far < 4; far++) check_order(&heap, counts[i], far);
    assert_int_equal(heap.used, 0);
}

/* Up to the last byte of the strings, which is not far from the end of this index, and of any size. */
static void texts_are_copied(void **state)
{
    static const size_t sizes[] = {0, 1, 7, 31, 32, 33, 63, 64, 65, 200};
    struct model *m = model_make(&shapes[0], 5);
    struct fm_heap heap;
    struct fm_built built;
    struct fm_view *view;
    (void)state;
    fm_heap_init(&heap, NULL, 0);
    assert_int_equal(model_build(m, &heap, &built, NULL), FRAMEMAP_OK);
    assert_int_equal(fm_view_open((framemap_str){(const char *)built.data, built.size}, &heap, &view, NULL),
                     FRAMEMAP_OK);
    const struct fm_packed *strings = &view->tables[FMX_STRINGS];
    const framemap_str all = {(const char *)strings->data, (size_t)strings->size};
    for (size_t at = 0; at < all.size; at++)
        for (size_t i = 0; i < COUNT_OF(sizes); i++) {
            const size_t left = all.size - at;
            const framemap_str text =
                fm_str(all.data + at, sizes[i] < left ? sizes[i] : left); /* never NULL, as the copy wants it */
            char *copy = malloc(text.size + FM_VIEW_ROOM);                /* no more than is promised */
            assert_non_null(copy);
            assert_ptr_equal(fm_view_copy(view, text, copy), copy + text.size);
            assert_same_text((framemap_str){copy, text.size}, text);
            free(copy);
        }
    fm_view_close(view);
    fm_heap_free(&heap, built.data, built.size);
    model_free(m);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(answers_what_was_given),
                                       cmocka_unit_test(split_form_answers_like_the_whole),
                                       cmocka_unit_test(names_are_put_in_order), cmocka_unit_test(texts_are_copied)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
