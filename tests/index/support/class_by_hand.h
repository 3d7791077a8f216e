/* A small mapping of renamed classes, filled by hand: the sample of the format's document. */
#ifndef FM_TESTS_INDEX_SUPPORT_CLASS_BY_HAND_H
#define FM_TESTS_INDEX_SUPPORT_CLASS_BY_HAND_H

#include "index/write/class_builder.h"
#include "tests/index/support/by_hand.h"

static inline uint32_t hand_name(struct hand *h, const char *text, const char *source)
{
    uint32_t number;
    assert_int_equal(fm_builder_name(h->builder, framemap_str_of(text), &number, NULL), FRAMEMAP_OK);
    if (source)
        assert_int_equal(fm_builder_name_source(h->builder, number, framemap_str_of(source), NULL), FRAMEMAP_OK);
    return number;
}
/* Adds a member. arguments NULL: it is a field. */
static inline uint32_t hand_member(struct hand *h, uint32_t holder, const char *type, const char *name,
                                   const char *arguments)
{
    const struct fm_member member = {holder, hand_string(h, name), hand_string(h, type), hand_string(h, arguments)};
    uint32_t number;
    assert_int_equal(fm_builder_member(h->builder, &member, &number, NULL), FRAMEMAP_OK);
    return number;
}
static inline void hand_class(struct hand *h, const char *residual, uint32_t name, uint32_t flags)
{
    assert_int_equal(fm_builder_class(h->builder, framemap_str_of(residual), name, flags, NULL), FRAMEMAP_OK);
}
static inline void hand_method(struct hand *h, const char *residual, const struct fm_span *spans, size_t count)
{
    assert_int_equal(fm_builder_method(h->builder, framemap_str_of(residual), spans, count, NULL), FRAMEMAP_OK);
}

/* Builds the index of this mapping; the text in parentheses says what else the records have:
 *
 * com.example.Main -> a.b:
 *     int count -> a
 *     1:5:void run():50:54 -> c
 *     6:8:void com.example.Util.check(int):12 -> c
 *     6:8:void run():55 -> c
 *     9:9:void log():70 -> c              (a part of its own, synthetic)
 *     void log(java.lang.String) -> d     (no lines; throws(a.c) removes 1 inner frame; an outline is called)
 * com.example.Util -> a.c:                (made by the compiler) */
static inline struct fm_built build_mapping(struct fm_heap *heap)
{
    const struct fm_builder_about about = {.kind = FM_STR("r8"), .id = FM_STR("5cd4f7"), .name = FM_STR("mapping.txt")};
    const uint32_t none = FM_NONE, both = FM_SPAN_RESIDUAL | FM_SPAN_ORIGINAL;
    struct hand h = hand_open(heap, &about);
    const uint32_t main_name = hand_name(&h, "com.example.Main", "Main.kt"),
                   util_name = hand_name(&h, "com.example.Util", NULL);
    const uint32_t count = hand_member(&h, main_name, "int", "count", NULL),
                   run = hand_member(&h, main_name, "void", "run", ""),
                   check = hand_member(&h, util_name, "void", "check", "int"),
                   log = hand_member(&h, main_name, "void", "log", ""),
                   log_text = hand_member(&h, main_name, "void", "log", "java.lang.String");
    const struct fm_note notes[] = {{FM_NOTE_THROWS, hand_string(&h, "a.c"), 0, 0, 0},
                                    {FM_NOTE_REWRITE, none, 0, 0, 1},
                                    {FM_NOTE_OUTLINE, hand_string(&h, "La/c;a()I"), 0, 0, 0},
                                    {FM_NOTE_POSITION, none, 1, 4, 0}};
    uint32_t list;
    assert_int_equal(fm_builder_notes(h.builder, notes, 4, &list, NULL), FRAMEMAP_OK);
    const struct fm_span c[] = {{1, 5, 50, 54, run, run, none, both | FM_SPAN_PAIR},
                                {6, 8, 12, 12, check, run, none, both},
                                {6, 8, 55, 55, run, run, none, both},
                                {9, 9, 70, 70, log, log, none, both | FM_SPAN_PART | FM_SPAN_SYNTHETIC}};
    const struct fm_span d = {0, 0, 0, 0, log_text, log_text, list, 0};
    hand_class(&h, "a.c", util_name, FM_CLASS_SYNTHETIC);
    hand_class(&h, "a.b", main_name, 0);
    hand_method(&h, "d", &d, 1);
    hand_method(&h, "c", c, 4);
    assert_int_equal(fm_builder_field(h.builder, FM_STR("a"), count, NULL), FRAMEMAP_OK);
    assert_int_equal(fm_builder_attribute(h.builder, FM_STR("pg_map_id"), FM_STR("5cd4f7"), NULL), FRAMEMAP_OK);
    return hand_close(&h);
}

#endif
