/* Checks that the view returns, in the class form, what was added to the builder. */
#include "index/read/table/tables.h"
#include "tests/index/support/class_help.h"
#include "tests/index/support/split_store.h"

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

static const struct model_class *last_block(const struct model *m, framemap_str residual)
{
    for (size_t c = m->class_count; c > 0; c--)
        if (fm_str_equal(framemap_str_of(m->classes[c - 1].residual), residual)) return &m->classes[c - 1];
    return NULL;
}

static void check_values(const struct model *m, const struct fm_view *view, const struct split_store *store)
{
    const size_t front = sizeof "class:" - 1;
    struct fm_classes_about about;
    size_t sources = 0, classes = 0;
    assert_true(fm_view_classes(view, &about));
    for (size_t i = 0; i + 1 < store->count; i++) {
        struct fm_view_class class;
        const struct split_value *value = &store->values[i];
        framemap_str source, name = framemap_str_of(value->field + front);
        assert_memory_equal(value->field, "class:", front);
        assert_true(fm_head_has_class(split_store_head(store), name));
        if (fm_view_class(view, name, &class)) {
            check_class(m, value->view, last_block(m, class.residual));
            classes++;
        } else {
            assert_true(fm_view_source_of(value->view, name, &source));
            sources++;
        }
    }
    assert_false(fm_head_has_class(split_store_head(store), FM_STR("no.such.Class")));
    assert_int_equal(classes, about.class_count);
    for (int i = 0; i < MODEL_TEXTS; i++) sources -= m->sources[i] >= 0;
    assert_int_equal(sources, 0); /* no string of the model is a residual class */
}

static void split_form_answers_like_the_whole(void **state)
{
    (void)state;
    for (size_t i = 0; i < COUNT_OF(shapes); i++) {
        struct model *m = model_make(&shapes[i], 77);
        struct fm_heap heap;
        struct fm_built built;
        struct fm_view *view = NULL;
        struct split_store store;
        fm_heap_init(&heap, NULL, 0);
        assert_int_equal(model_build(m, &heap, &built, NULL), FRAMEMAP_OK);
        assert_int_equal(fm_view_open(fm_str(built.data, built.size), &heap, &view, NULL), FRAMEMAP_OK);
        assert_int_equal(split_store_fill(&store, view, &heap, NULL), FRAMEMAP_OK);
        check_values(m, view, &store);
        split_store_free(&store);
        fm_view_close(view);
        fm_heap_free(&heap, built.data, built.size);
        assert_int_equal(heap.used, 0);
        model_free(m);
    }
}

/* --- testing the order of names --- */

/* Returns name `i` of `count` names in no particular order; `far` of these names differ only after their first eight
 * bytes. */
static framemap_str name_of(size_t i, size_t count, size_t far, char *out, size_t room)
{
    const size_t number = i * 37 % count; /* gives every number below `count` once, since `count` is not a multiple of
                                             37 */
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

/* Sorts few and many names, some of which differ in their first eight bytes, others only later. */
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

/* Copies strings of all sizes up to the end of the section STRINGS, which is near the end of this index. */
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
            /* An empty string also has a pointer that is not NULL, since memcpy must not get NULL. */
            const framemap_str text = fm_str(all.data + at, sizes[i] < left ? sizes[i] : left);
            /* room for the text and no more than the extra bytes that the caller must provide */
            char *copy = malloc(text.size + FM_VIEW_ROOM);
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
