/* Tests of the segment form with damaged or truncated bytes. */
#include "tests/index/support/damage.h"
#include "tests/index/support/segment_help.h"

static const struct segment_shape shapes[] = {
    {.name = "dense",
     .lines = 14,
     .line_step = 2,
     .each = 12,
     .col_step = 9,
     .ties = 20,
     .gaps = 9,
     .named = 40,
     .sources = 4,
     .names = 9,
     .original_lines = 90,
     .stretches = 12},
    {.name = "sparse",
     .lines = 8,
     .line_step = 40,
     .each = 20,
     .col_step = 99,
     .gaps = 9,
     .named = 40,
     .sources = 90,
     .names = 9,
     .original_lines = UINT32_MAX,
     .far = 40},
};

static uint64_t use_segment(const struct fm_view *view, uint64_t number)
{
    struct fm_view_segment segment = {.line0 = 1, .col0 = 9};
    struct fm_view_source source;
    struct fm_view_stretch stretch;
    framemap_str name;
    uint64_t sum = fm_view_segment(view, number, &segment);
    sum += fm_view_segment_at(view, segment.line0, segment.col0, &segment) +
           fm_view_segment_at(view, segment.line0, UINT32_MAX, &segment);
    sum += fm_view_source(view, segment.source, &source) + fm_view_segment_name(view, segment.name, &name);
    sum += fm_view_source_stretch(view, segment.source, segment.original_line0, segment.original_col0, &stretch);
    struct fm_view_call_site site;
    if (!fm_view_generated_stretch(view, segment.line0, segment.col0, &stretch)) stretch.site = FM_VIEW_NONE;
    for (; fm_view_call_site(view, stretch.site, &site); stretch.site = site.caller) sum++;
    return sum + fm_view_range_at(view, segment.line0 + 1, segment.col0, &segment);
}

static uint64_t use_all(const struct fm_view *view)
{
    struct fm_segments_about about;
    struct fm_view_stretch stretch;
    struct fm_view_offsets list;
    struct fm_view_source source;
    uint64_t sum = 0;
    uint32_t value;
    if (!fm_view_segments(view, &about)) return 0;
    for (uint64_t i = 0; i < about.segment_count && i < 400; i++) sum += use_segment(view, i);
    for (uint32_t i = 0; i < 90 && fm_view_source(view, i, &source); i++) sum += source.flags;
    for (uint64_t i = 0; i < 90 && fm_view_source_stretch_at(view, i, &stretch); i++) sum += stretch.origin;
    for (uint64_t i = 0; i < 90 && fm_view_generated_stretch_at(view, i, &stretch); i++) sum += stretch.origin;
    for (uint64_t i = 0; i < 9 && fm_view_offsets_at(view, i, &list); i++)
        for (uint64_t n = 0; n < 9; n++) sum += fm_view_offset(view, list.kind, list.group, n, &value);
    return sum;
}

static void damage_does_no_harm(void **state)
{
    (void)state;
    for (size_t s = 0; s < COUNT_OF(shapes); s++) {
        struct segment_model m;
        struct fm_heap heap;
        struct fm_built built;
        unsigned sound = 0, tried = 0;
        model_make(&m, &shapes[s], 9);
        fm_heap_init(&heap, NULL, (uint64_t)512 << 20);
        assert_int_equal(model_build(&m, &heap, 9, &built), FRAMEMAP_OK);
        unsigned char *data = malloc(built.size);
        assert_non_null(data);
        for (size_t at = FMX_AT_BASE; at < built.size; at++)
            for (unsigned bit = at < 600 ? 0 : at % 8; bit < 8; bit += at < 600 ? 1 : 8, tried++) {
                memcpy(data, built.data, built.size);
                flip_and_seal(data, built.size, at, bit);
                try_damaged(data, built.size, &heap, use_all, &sound);
            }
        /* A changed string, line or column may be valid too, so not all damage can be detected. */
        if (sound * 5 > tried * 4) fail_msg("%s: %u of %u are sound", shapes[s].name, sound, tried);
        free(data);
        fm_heap_free(&heap, built.data, built.size);
        assert_int_equal(heap.used, 0);
        model_free(&m);
    }
}

static void cut_short(void **state)
{
    (void)state;
    struct segment_model m;
    struct fm_heap heap;
    struct fm_built built;
    model_make(&m, &shapes[0], 2);
    fm_heap_init(&heap, NULL, 0);
    assert_int_equal(model_build(&m, &heap, 9, &built), FRAMEMAP_OK);
    for (size_t size = 0; size < built.size; size++) {
        struct fm_view *view;
        assert_int_not_equal(fm_view_open(fm_str(built.data, size), &heap, &view, NULL), FRAMEMAP_OK);
    }
    fm_heap_free(&heap, built.data, built.size);
    model_free(&m);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(damage_does_no_harm), cmocka_unit_test(cut_short)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
