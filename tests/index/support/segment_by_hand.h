/* A small source map, filled by hand: the sample of the format's document. */
#ifndef FM_TESTS_INDEX_SUPPORT_SEGMENT_BY_HAND_H
#define FM_TESTS_INDEX_SUPPORT_SEGMENT_BY_HAND_H

#include "index/write/segment_builder.h"
#include "tests/index/support/by_hand.h"

static inline uint32_t hand_source(struct hand *h, const char *address, uint32_t flags)
{
    uint32_t number;
    assert_int_equal(fm_builder_source(h->builder, hand_string(h, address), FM_NONE, FM_NONE, flags, &number, NULL),
                     FRAMEMAP_OK);
    return number;
}

/* Builds the index. Its segments are 0:0 a.js 0:0; 0:4 a.js 2:8 run; 0:9 nowhere; 2:1 b.js 5:0. In a.js the function
 * `start` is around everything from 2:0 on. */
static inline struct fm_built build_segments(struct fm_heap *heap)
{
    const struct fm_builder_about about = {
        .kind = FM_STR("sourcemap"), .id = FM_STR("50a0c3"), .name = FM_STR("bundle.js.map")};
    static const uint32_t modules[] = {0, UINT32_MAX, 2};
    struct hand h = hand_open(heap, &about);
    const uint32_t a = hand_source(&h, "a.js", 0), b = hand_source(&h, "b.js", FM_SOURCE_IGNORED);
    uint32_t run;
    assert_int_equal(fm_builder_segment_name(h.builder, FM_STR("run"), &run, NULL), FRAMEMAP_OK);
    const struct fm_segment segments[] = {
        {0, 0, a, 0, 0, FM_NONE}, {0, 4, a, 2, 8, run}, {0, 9, FM_NONE, 0, 0, FM_NONE}, {2, 1, b, 5, 0, FM_NONE}};
    assert_int_equal(fm_builder_segments(h.builder, segments, 4, NULL), FRAMEMAP_OK);
    assert_int_equal(fm_builder_source_stretch(h.builder, a, 2, 0, hand_string(&h, "start"), FM_FUNCTION_MAP, NULL),
                     FRAMEMAP_OK);
    assert_int_equal(fm_builder_generated_stretch(h.builder, 0, 0, hand_string(&h, "t"), FM_FUNCTION_SCOPES, NULL),
                     FRAMEMAP_OK);
    assert_int_equal(fm_builder_offsets(h.builder, FM_OFFSETS_MODULES, 0, modules, 3, NULL), FRAMEMAP_OK);
    return hand_close(&h);
}

#endif
