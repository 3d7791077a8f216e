/* Checks that the view returns, in the segment form, what was added to the builder. */
#include "index/write/class_builder.h"
#include "tests/index/support/segment_help.h"
#include "tests/index/support/split_store.h"

static const struct segment_shape shapes[] = {
    {.name = "empty", .why = "a map without segments", .each = 1},
    {.name = "one", .why = "one segment alone", .lines = 1, .each = 1, .sources = 1, .original_lines = 1},
    {.name = "no source",
     .why = "segments that lead nowhere",
     .lines = 5,
     .line_step = 1,
     .each = 9,
     .col_step = 3,
     .gaps = 100},
    {.name = "minified",
     .why = "one long line",
     .lines = 1,
     .each = 60000,
     .col_step = 12,
     .gaps = 3,
     .named = 30,
     .sources = 50,
     .names = 900,
     .original_lines = 3000},
    {.name = "short lines",
     .why = "a row for each line",
     .lines = 9000,
     .line_step = 2,
     .each = 6,
     .col_step = 9,
     .gaps = 5,
     .named = 40,
     .sources = 3,
     .names = 77,
     .original_lines = 9000},
    {.name = "rare lines",
     .why = "lines are bisected",
     .lines = 900,
     .line_step = 50,
     .each = 9,
     .col_step = 9,
     .gaps = 5,
     .named = 40,
     .sources = 30,
     .names = 77,
     .original_lines = 900},
    {.name = "ties",
     .why = "many segments at one column, over the ends of blocks",
     .lines = 40,
     .line_step = 3,
     .each = 900,
     .col_step = 1,
     .ties = 97,
     .gaps = 10,
     .named = 50,
     .sources = 9,
     .names = 9,
     .original_lines = 99},
    {.name = "one tie",
     .why = "all segments at one column",
     .lines = 3,
     .line_step = 1,
     .each = 400,
     .ties = 100,
     .sources = 2,
     .original_lines = 9},
    {.name = "far",
     .why = "wide fields, buckets without blocks",
     .lines = 200,
     .line_step = 3,
     .each = 50,
     .col_step = 9,
     .named = 50,
     .sources = 900,
     .names = 90000,
     .original_lines = UINT32_MAX,
     .far = 30},
    {.name = "stretches",
     .why = "functions and offsets",
     .lines = 90,
     .line_step = 2,
     .each = 20,
     .col_step = 9,
     .named = 50,
     .sources = 40,
     .names = 5,
     .original_lines = 60,
     .stretches = 400},
};

struct opened {
    struct fm_heap heap;
    struct fm_built built;
    struct fm_view *view;
};

static void open_model(struct opened *o, const struct segment_model *m, size_t piece)
{
    framemap_error error;
    fm_heap_init(&o->heap, NULL, 0);
    assert_int_equal(model_build(m, &o->heap, piece, &o->built), FRAMEMAP_OK);
    assert_int_equal(fm_view_open(fm_str(o->built.data, o->built.size), &o->heap, &o->view, &error), FRAMEMAP_OK);
    if (fm_view_verify(o->view, &error) != FRAMEMAP_OK) fail_msg("%s: %s", m->shape->name, error.message);
}

static void close_model(struct opened *o)
{
    fm_view_close(o->view);
    fm_heap_free(&o->heap, o->built.data, o->built.size);
    assert_int_equal(o->heap.used, 0);
}

static void check_around(const struct segment_model *m, const struct fm_view *view, uint32_t line0, uint32_t col0)
{
    check_place(m, view, line0, col0);
    if (col0 > 0) check_place(m, view, line0, col0 - 1);
    if (col0 < UINT32_MAX) check_place(m, view, line0, col0 + 1);
    check_place(m, view, line0 + 1, 0);
    check_place(m, view, line0 + 1, col0);
}

static void check_counts(const struct segment_model *m, const struct fm_view *view)
{
    struct fm_segments_about about;
    assert_true(fm_view_segments(view, &about));
    assert_int_equal(about.segment_count, m->count);
    assert_int_equal(about.source_count, m->shape->sources);
    assert_int_equal(about.name_count, m->shape->names);
    assert_int_equal(about.has_content, m->shape->sources > 0);
    assert_int_equal(about.line_count, m->count ? m->segments[m->count - 1].line0 + 1 : 0);
}

static void answers_are_those_given(void **state)
{
    (void)state;
    for (size_t i = 0; i < COUNT_OF(shapes); i++) {
        struct segment_model m;
        struct opened o;
        uint64_t seed = 99 + i;
        model_make(&m, &shapes[i], i + 1);
        open_model(&o, &m, 1 + i * 100);
        check_counts(&m, o.view);
        for (size_t s = 0; s < m.count; s += 1 + m.count / 5000) {
            struct fm_view_segment got;
            assert_true(fm_view_segment(o.view, s, &got));
            check_segment(&m, s, &got);
            check_around(&m, o.view, m.segments[s].line0, m.segments[s].col0);
        }
        struct fm_view_segment got;
        assert_false(fm_view_segment(o.view, m.count, &got));
        for (unsigned r = 0; r < 2000; r++)
            check_place(&m, o.view, random_up_to(&seed, 2000), random_up_to(&seed, 70000));
        check_place(&m, o.view, UINT32_MAX, UINT32_MAX);
        check_place(&m, o.view, 0, UINT32_MAX);
        close_model(&o);
        model_free(&m);
    }
}

static void many_at_once(void **state)
{
    (void)state;
    enum { MANY = 3000 };
    uint32_t *lines = calloc(MANY, sizeof *lines), *cols = calloc(MANY, sizeof *cols);
    struct fm_view_segment *got = calloc(MANY, sizeof *got);
    bool *found = calloc(MANY, sizeof *found);
    for (size_t i = 0; i < COUNT_OF(shapes); i++) {
        struct segment_model m;
        struct opened o;
        uint64_t seed = i;
        model_make(&m, &shapes[i], i + 1);
        open_model(&o, &m, 500);
        for (size_t q = 0; q < MANY; q++)
            lines[q] = random_up_to(&seed, shapes[i].lines + 2), cols[q] = random_up_to(&seed, 3000);
        fm_view_segments_at(o.view, lines, cols, MANY, got, found);
        for (size_t q = 0; q < MANY; q++) {
            const size_t wanted = model_at(&m, lines[q], cols[q]);
            assert_int_equal(found[q], wanted < m.count);
            if (!found[q]) continue;
            assert_int_equal(got[q].number, wanted);
            check_segment(&m, wanted, &got[q]);
        }
        close_model(&o);
        model_free(&m);
    }
    free(found);
    free(got);
    free(cols);
    free(lines);
}

/* --- testing sources, names, ranges of functions, and offsets --- */

static void check_stretch(const struct stretch *stretches, size_t count, const struct fm_view *view, bool generated,
                          uint32_t source, uint32_t line0, uint32_t col0)
{
    const struct stretch *wanted = NULL;
    struct fm_view_stretch got;
    for (size_t i = 0; i < count; i++) {
        const struct stretch *s = &stretches[i];
        if ((generated || s->source == source) && (s->line0 < line0 || (s->line0 == line0 && s->col0 <= col0)))
            wanted = s;
    }
    const bool found = generated ? fm_view_generated_stretch(view, line0, col0, &got)
                                 : fm_view_source_stretch(view, source, line0, col0, &got);
    const bool called = wanted && generated && (wanted->site != FM_NONE || wanted->hidden);
    assert_int_equal(found, wanted != NULL && (wanted->function >= 0 || called));
    if (!found) return;
    assert_int_equal(got.site, generated ? wanted->site : FM_VIEW_NONE);
    assert_int_equal(got.hidden, wanted->hidden);
    if (wanted->function < 0) {
        assert_null(got.function.data);
        return;
    }
    char buffer[40];
    assert_true(fm_str_equal(got.function, model_text(buffer, sizeof buffer, "f", (uint32_t)wanted->function)));
    assert_int_equal(got.origin, wanted->origin);
}

static void functions_are_found(void **state)
{
    (void)state;
    struct segment_model m;
    struct opened o;
    uint64_t seed = 5;
    model_make(&m, &shapes[COUNT_OF(shapes) - 1], 8);
    open_model(&o, &m, 64);
    for (unsigned i = 0; i < 4000; i++) {
        const uint32_t source = random_up_to(&seed, 41), line0 = random_up_to(&seed, 300),
                       col0 = random_up_to(&seed, 60);
        check_stretch(m.source_stretches, m.source_stretch_count, o.view, false, source, line0, col0);
        check_stretch(m.generated_stretches, m.generated_stretch_count, o.view, true, 0, line0, col0);
    }
    close_model(&o);
    model_free(&m);
}

static void call_sites_are_found(void **state)
{
    (void)state;
    struct segment_model m;
    struct opened o;
    struct fm_view_call_site got;
    model_make(&m, &shapes[COUNT_OF(shapes) - 1], 8);
    open_model(&o, &m, 64);
    assert_true(m.site_count > 90);
    for (uint32_t i = 0; i < m.site_count; i++) {
        const struct fm_call_site *s = &m.sites[i];
        char buffer[40];
        assert_true(fm_view_call_site(o.view, i, &got));
        assert_true(got.source == s->source && got.line0 == s->line0 && got.col0 == s->col0 && got.hidden == s->hidden);
        assert_int_equal(got.caller, s->caller);
        assert_true(fm_str_equal(got.function, s->function == FM_NONE
                                                   ? (framemap_str){NULL, 0}
                                                   : model_text(buffer, sizeof buffer, "f", s->function)));
    }
    assert_false(fm_view_call_site(o.view, m.site_count, &got));
    assert_false(fm_view_call_site(o.view, FM_VIEW_NONE, &got));
    close_model(&o);
    model_free(&m);
}

static void sources_and_names(void **state)
{
    (void)state;
    struct segment_model m;
    struct opened o;
    struct fm_view_source source;
    framemap_str name;
    model_make(&m, &shapes[COUNT_OF(shapes) - 1], 8);
    open_model(&o, &m, 64);
    assert_true(fm_view_source(o.view, 0, &source));
    assert_str(source.address, "/src/0");
    assert_str(source.spelled, "/src/0");
    assert_str(source.content, "text of 0");
    assert_int_equal(source.flags, FM_SOURCE_IGNORED);
    assert_true(fm_view_source(o.view, 7, &source));
    assert_str(source.spelled, "../7");
    assert_null(source.content.data);
    assert_int_equal(source.flags, 0);
    assert_false(fm_view_source(o.view, 40, &source));
    assert_true(fm_view_segment_name(o.view, 3, &name));
    assert_str(name, "name1");
    assert_false(fm_view_segment_name(o.view, 5, &name));
    close_model(&o);
    model_free(&m);
}

static void offsets_are_found(void **state)
{
    (void)state;
    static const struct {
        uint32_t kind, group;
        uint64_t which;
        bool found;
        uint32_t value;
    } rows[] = {
        {FM_OFFSETS_MODULES, 1, 0, true, 0},
        {FM_OFFSETS_MODULES, 1, 1, true, 7},
        {FM_OFFSETS_MODULES, 1, 2, false, 0},
        {FM_OFFSETS_MODULES, 1, 3, true, 30},
        {FM_OFFSETS_MODULES, 1, 4, false, 0},
        {FM_OFFSETS_MODULES, 0, 0, false, 0},
        {FM_OFFSETS_MODULES, 2, 0, false, 0},
        {FM_OFFSETS_FUNCTIONS, 3, 0, true, 12},
        {FM_OFFSETS_FUNCTIONS, 3, 1, true, UINT32_MAX - 2},
        {FM_OFFSETS_FUNCTIONS, 3, 2, false, 0},
        {FM_OFFSETS_FUNCTIONS, 0, 0, false, 0},
        {0, 0, 0, false, 0},
        {FM_OFFSETS_MODULES, 1, UINT64_MAX, false, 0},
        {9, 0, 0, false, 0},
    };
    struct segment_model m;
    struct opened o;
    model_make(&m, &shapes[COUNT_OF(shapes) - 1], 8);
    open_model(&o, &m, 64);
    for (size_t i = 0; i < COUNT_OF(rows); i++) {
        uint32_t value;
        assert_int_equal(fm_view_offset(o.view, rows[i].kind, rows[i].group, rows[i].which, &value), rows[i].found);
        if (rows[i].found) assert_int_equal(value, rows[i].value);
    }
    close_model(&o);
    model_free(&m);
}

/* --- looking up in a split index --- */

/* Compares two call sites and everything that they refer to. */
static void check_same_sites(const struct fm_view *whole, uint32_t a, const struct fm_view *value, uint32_t b)
{
    struct fm_view_call_site x, y;
    while (a != FM_VIEW_NONE && b != FM_VIEW_NONE) {
        struct fm_view_source s, t;
        struct fm_view_stretch f, g;
        assert_true(fm_view_call_site(whole, a, &x) && fm_view_call_site(value, b, &y));
        assert_true(fm_view_source(whole, x.source, &s) && fm_view_source(value, y.source, &t) &&
                    fm_str_equal(s.address, t.address));
        assert_true(x.line0 == y.line0 && x.col0 == y.col0 && x.hidden == y.hidden &&
                    fm_str_equal(x.function, y.function));
        const bool known = fm_view_source_stretch(whole, x.source, x.line0, x.col0, &f);
        assert_int_equal(fm_view_source_stretch(value, y.source, y.line0, y.col0, &g), known);
        if (known) assert_true(fm_str_equal(f.function, g.function));
        a = x.caller;
        b = y.caller;
    }
    assert_int_equal(a, b);
}

/* Checks that a value found by the page of a position answers like the whole index. */
static void check_split_place(const struct fm_view *whole, const struct split_store *store, uint32_t line0,
                              uint32_t col0)
{
    struct fm_view_segment wanted, got;
    bool lost;
    const bool found = fm_view_segment_at(whole, line0, col0, &wanted);
    const struct fm_view *value = split_store_page(store, fm_page_of_segment(line0, col0), &lost);
    assert_false(lost);
    if (value == NULL) {
        assert_false(found);
        return;
    }
    assert_int_equal(fm_view_segment_at(value, line0, col0, &got), found);
    if (found) {
        struct fm_view_source a, b;
        struct fm_view_stretch f, g;
        framemap_str n = {NULL, 0}, o = {NULL, 0};
        assert_int_equal(got.col0, wanted.col0);
        assert_int_equal(got.original_line0, wanted.original_line0);
        assert_int_equal(got.original_col0, wanted.original_col0);
        assert_int_equal(fm_view_source(whole, wanted.source, &a), fm_view_source(value, got.source, &b));
        if (wanted.source != FM_VIEW_NONE) {
            assert_true(fm_str_equal(a.address, b.address) && fm_str_equal(a.spelled, b.spelled) &&
                        fm_str_equal(a.content, b.content));
            assert_int_equal(a.flags, b.flags);
            const bool known =
                fm_view_source_stretch(whole, wanted.source, wanted.original_line0, wanted.original_col0, &f);
            assert_int_equal(fm_view_source_stretch(value, got.source, wanted.original_line0, wanted.original_col0, &g),
                             known);
            if (known) assert_true(fm_str_equal(f.function, g.function) && f.origin == g.origin);
        }
        assert_int_equal(fm_view_segment_name(whole, wanted.name, &n), fm_view_segment_name(value, got.name, &o));
        assert_true(fm_str_equal(n, o));
        const bool known = fm_view_generated_stretch(whole, line0, col0, &f);
        assert_int_equal(fm_view_generated_stretch(value, line0, col0, &g), known);
        if (known) assert_true(fm_str_equal(f.function, g.function) && f.origin == g.origin && f.hidden == g.hidden);
        if (known) check_same_sites(whole, f.site, value, g.site);
    }
    const bool ranged = fm_view_range_at(whole, line0, col0, &wanted);
    assert_int_equal(fm_view_range_at(value, line0, col0, &got), ranged);
    if (ranged)
        assert_true(got.line0 == wanted.line0 && got.col0 == wanted.col0 &&
                    got.original_line0 == wanted.original_line0);
}

static void check_split(const struct segment_model *m, struct opened *o)
{
    struct split_store store;
    framemap_error error = {0};
    if (split_store_fill(&store, o->view, &o->heap, &error) != FRAMEMAP_OK)
        fail_msg("%s: value %zu: %s", m->shape->name, store.count, error.message);
    for (size_t s = 0; s < m->count; s += 1 + m->count / 700) {
        const struct fm_segment *at = &m->segments[s];
        check_split_place(o->view, &store, at->line0, at->col0);
        if (at->col0 > 0) check_split_place(o->view, &store, at->line0, at->col0 - 1);
        check_split_place(o->view, &store, at->line0, at->col0 + 5);
        check_split_place(o->view, &store, at->line0, at->col0 + 5000);
        check_split_place(o->view, &store, at->line0 + 1, at->col0);
        check_split_place(o->view, &store, at->line0 + 17, 0);
        check_split_place(o->view, &store, at->line0, 0);
    }
    split_store_free(&store);
}

static void values_answer_as_the_whole(void **state)
{
    (void)state;
    for (size_t i = 0; i < COUNT_OF(shapes); i++) {
        struct segment_model m;
        struct opened o;
        model_make(&m, &shapes[i], i + 20);
        open_model(&o, &m, 999);
        check_split(&m, &o);
        close_model(&o);
        model_free(&m);
    }
}

/* --- testing calls that must be rejected --- */

static void wrong_calls_are_refused(void **state)
{
    (void)state;
    static const struct {
        const char *name;
        struct fm_segment segments[2];
        size_t count;
    } rows[] = {
        {"a line that falls", {{2, 0, 0, 0, 0, FM_NONE}, {1, 0, 0, 0, 0, FM_NONE}}, 2},
        {"a column that falls", {{1, 5, 0, 0, 0, FM_NONE}, {1, 4, 0, 0, 0, FM_NONE}}, 2},
        {"a source that is not there", {{1, 5, 1, 0, 0, FM_NONE}}, 1},
        {"a name that is not there", {{1, 5, 0, 0, 0, 1}}, 1},
    };
    for (size_t i = 0; i < COUNT_OF(rows); i++) {
        struct fm_heap heap;
        struct fm_builder *b;
        uint32_t number;
        fm_heap_init(&heap, NULL, 0);
        assert_int_equal(fm_builder_create(&heap, &b, NULL), FRAMEMAP_OK);
        assert_int_equal(fm_builder_string(b, FM_STR("a"), &number, NULL), FRAMEMAP_OK);
        assert_int_equal(fm_builder_source(b, number, FM_NONE, FM_NONE, 0, &number, NULL), FRAMEMAP_OK);
        assert_int_equal(fm_builder_segment_name(b, FM_STR("n"), &number, NULL), FRAMEMAP_OK);
        assert_int_equal(fm_builder_segments(b, rows[i].segments, rows[i].count, NULL), FRAMEMAP_E_ARGUMENT);
        fm_builder_free(b);
    }
}

static void wrong_parts_are_refused(void **state)
{
    (void)state;
    struct fm_heap heap;
    struct fm_builder *b;
    uint32_t number;
    fm_heap_init(&heap, NULL, 0);
    assert_int_equal(fm_builder_create(&heap, &b, NULL), FRAMEMAP_OK);
    assert_int_equal(fm_builder_string(b, FM_STR("a"), &number, NULL), FRAMEMAP_OK);
    assert_int_equal(fm_builder_source(b, number, FM_NONE, FM_NONE, 0, &number, NULL), FRAMEMAP_OK);
    static const struct fm_call_site sites[] = {
        {1, 0, 0, FM_NONE, FM_NONE, false}, {0, 0, 0, 9, FM_NONE, false}, {0, 0, 0, FM_NONE, 0, false}};
    for (size_t i = 0; i < COUNT_OF(sites); i++)
        assert_int_equal(fm_builder_call_site(b, &sites[i], &number, NULL), FRAMEMAP_E_ARGUMENT);
    const struct fm_generated_stretch stretch = {0, 0, FM_NONE, FM_FUNCTION_SCOPES, 0, false};
    assert_int_equal(fm_builder_inlined_stretch(b, &stretch, NULL), FRAMEMAP_E_ARGUMENT);
    assert_int_equal(fm_builder_segment_range(b, 2, 5, NULL), FRAMEMAP_OK);
    assert_int_equal(fm_builder_segment_range(b, 2, 5, NULL), FRAMEMAP_E_ARGUMENT);
    assert_int_equal(fm_builder_segment_range(b, 1, 9, NULL), FRAMEMAP_E_ARGUMENT);
    fm_builder_free(b);
    assert_int_equal(heap.used, 0);
}

/* Builds the same index several times, each time with one wrong step that fm_builder_finish has to reject. */
static void finish_refuses(void **state)
{
    (void)state;
    for (unsigned i = 0; i < 4; i++) {
        struct fm_heap heap;
        struct fm_builder *b;
        struct fm_built built;
        uint32_t number;
        fm_heap_init(&heap, NULL, 0);
        assert_int_equal(fm_builder_create(&heap, &b, NULL), FRAMEMAP_OK);
        fm_builder_segments_form(b);
        if (i == 0) assert_int_equal(fm_builder_scope(b, FM_STR("scope"), &number, NULL), FRAMEMAP_OK);
        if (i == 1) fm_builder_classes(b);
        for (uint32_t line = 3; i == 2 && line > 1; line--)
            assert_int_equal(fm_builder_generated_stretch(b, line, 0, FM_NONE, FM_FUNCTION_MAP, NULL), FRAMEMAP_OK);
        for (unsigned twice = 0; i == 3 && twice < 2; twice++)
            assert_int_equal(fm_builder_offsets(b, FM_OFFSETS_MODULES, 0, &number, 0, NULL), FRAMEMAP_OK);
        assert_int_equal(fm_builder_finish(b, &built, NULL), FRAMEMAP_E_ARGUMENT);
        fm_builder_free(b);
        assert_int_equal(heap.used, 0);
    }
}

/* Checks that lines so long that their axis offsets would overflow are refused. */
static void too_long_lines_are_refused(void **state)
{
    (void)state;
    struct fm_heap heap;
    struct fm_builder *b;
    framemap_status status = FRAMEMAP_OK;
    fm_heap_init(&heap, NULL, 0);
    assert_int_equal(fm_builder_create(&heap, &b, NULL), FRAMEMAP_OK);
    uint32_t line = 0;
    for (; line < (1u << 24) + 9 && status == FRAMEMAP_OK; line++) {
        const struct fm_segment segment = {line, UINT32_MAX, FM_NONE, 0, 0, FM_NONE};
        status = fm_builder_segments(b, &segment, 1, NULL);
    }
    assert_int_equal(status, FRAMEMAP_E_LIMIT);
    assert_between(line, (1u << 24) - 2, (1u << 24) + 2);
    fm_builder_free(b);
    assert_int_equal(heap.used, 0);
}

/* --- testing allocations that fail, and the size of indexes --- */

static bool build_once(const framemap_allocator *allocator, void *context)
{
    struct fm_heap heap;
    struct fm_built built;
    fm_heap_init(&heap, allocator, 0);
    const framemap_status status = model_build(context, &heap, 7, &built);
    if (status == FRAMEMAP_OK) fm_heap_free(&heap, built.data, built.size);
    assert_true(status == FRAMEMAP_OK || status == FRAMEMAP_E_MEMORY);
    return status == FRAMEMAP_OK;
}

static void lack_of_memory_is_reported(void **state)
{
    (void)state;
    struct segment_model m;
    model_make(&m, &shapes[COUNT_OF(shapes) - 1], 3);
    assert_true(sweep_allocations(build_once, &m) > 10);
    model_free(&m);
}

static void same_calls_same_bytes(void **state)
{
    (void)state;
    struct segment_model m;
    struct opened a, b;
    model_make(&m, &shapes[4], 3);
    open_model(&a, &m, 1);
    open_model(&b, &m, 10000);
    assert_int_equal(a.built.size, b.built.size);
    assert_memory_equal(a.built.data, b.built.data, a.built.size);
    close_model(&b);
    close_model(&a);
    model_free(&m);
}

/* Checks that a segment on a line far below takes no memory for the empty lines above it. */
static void empty_lines_cost_nothing(void **state)
{
    (void)state;
    struct fm_heap heap;
    struct fm_builder *b;
    struct fm_built built;
    static const struct fm_segment segments[] = {{0, 0, FM_NONE, 0, 0, FM_NONE},
                                                 {UINT32_MAX - 1, UINT32_MAX, FM_NONE, 0, 0, FM_NONE}};
    fm_heap_init(&heap, NULL, 0);
    assert_int_equal(fm_builder_create(&heap, &b, NULL), FRAMEMAP_OK);
    assert_int_equal(fm_builder_segments(b, segments, 2, NULL), FRAMEMAP_OK);
    assert_int_equal(fm_builder_finish(b, &built, NULL), FRAMEMAP_OK);
    assert_true(built.size < 400);
    fm_builder_free(b);
    fm_heap_free(&heap, built.data, built.size);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(answers_are_those_given),    cmocka_unit_test(many_at_once),
        cmocka_unit_test(values_answer_as_the_whole), cmocka_unit_test(functions_are_found),
        cmocka_unit_test(call_sites_are_found),       cmocka_unit_test(sources_and_names),
        cmocka_unit_test(offsets_are_found),          cmocka_unit_test(wrong_parts_are_refused),
        cmocka_unit_test(wrong_calls_are_refused),    cmocka_unit_test(finish_refuses),
        cmocka_unit_test(too_long_lines_are_refused), cmocka_unit_test(lack_of_memory_is_reported),
        cmocka_unit_test(same_calls_same_bytes),      cmocka_unit_test(empty_lines_cost_nothing),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
