/* Small indexes filled by hand through the builder, one for each kind of stack. */
#ifndef FM_TESTS_INDEX_SUPPORT_BY_HAND_H
#define FM_TESTS_INDEX_SUPPORT_BY_HAND_H

#include "index/read/view.h"
#include "index/write/builder.h"
#include "tests/testing.h"

/* A builder for tests: if one of its calls fails, the test fails. */
struct hand {
    struct fm_heap *heap;
    struct fm_builder *builder;
};

static inline struct hand hand_open(struct fm_heap *heap, const struct fm_builder_about *about)
{
    struct hand h = {heap, NULL};
    assert_int_equal(fm_builder_create(heap, &h.builder, NULL), FRAMEMAP_OK);
    assert_int_equal(fm_builder_about(h.builder, about, NULL), FRAMEMAP_OK);
    return h;
}
static inline struct fm_built hand_close(struct hand *h)
{
    struct fm_built built = {NULL, 0};
    framemap_error error = {.message = ""};
    if (fm_builder_finish(h->builder, &built, &error) != FRAMEMAP_OK) fail_msg("%s", error.message);
    fm_builder_free(h->builder);
    return built;
}
/* Adds a string to the index; NULL gives FM_NONE. */
static inline uint32_t hand_string(struct hand *h, const char *text)
{
    uint32_t number = FM_NONE;
    if (text) assert_int_equal(fm_builder_string(h->builder, framemap_str_of(text), &number, NULL), FRAMEMAP_OK);
    return number;
}
static inline uint32_t hand_file(struct hand *h, const char *path)
{
    uint32_t number = FM_NONE;
    if (path) assert_int_equal(fm_builder_file(h->builder, framemap_str_of(path), &number, NULL), FRAMEMAP_OK);
    return number;
}
static inline uint32_t hand_function(struct hand *h, const char *class_name, const char *name, uint32_t file,
                                     uint32_t line1, uint8_t language)
{
    const struct fm_function function = {hand_string(h, name), hand_string(h, class_name), file, line1, language};
    uint32_t number;
    assert_int_equal(fm_builder_function(h->builder, &function, &number, NULL), FRAMEMAP_OK);
    return number;
}
static inline uint32_t hand_root(struct hand *h, uint32_t function, uint64_t start, uint64_t size, const char *symbol)
{
    const struct fm_node node = {.parent = FM_NONE,
                                 .function = function,
                                 .call_file = FM_NONE,
                                 .flags = size ? FM_NODE_HAS_START : 0,
                                 .start = start,
                                 .size = size,
                                 .symbol = hand_string(h, symbol)};
    uint32_t number;
    assert_int_equal(fm_builder_node(h->builder, &node, &number, NULL), FRAMEMAP_OK);
    return number;
}
static inline uint32_t hand_inline(struct hand *h, uint32_t parent, uint32_t function, uint32_t file, uint32_t line1,
                                   uint32_t col1)
{
    const struct fm_node node = {.parent = parent,
                                 .function = function,
                                 .call_file = file,
                                 .call_line1 = line1,
                                 .call_col1 = col1,
                                 .symbol = FM_NONE};
    uint32_t number;
    assert_int_equal(fm_builder_node(h->builder, &node, &number, NULL), FRAMEMAP_OK);
    return number;
}
static inline uint32_t hand_scope(struct hand *h, const char *key)
{
    uint32_t number;
    assert_int_equal(fm_builder_scope(h->builder, framemap_str_of(key), &number, NULL), FRAMEMAP_OK);
    return number;
}
static inline void hand_position(struct hand *h, uint32_t scope, uint64_t position, struct fm_place place)
{
    assert_int_equal(fm_builder_position(h->builder, scope, position, &place, 1, NULL), FRAMEMAP_OK);
}
static inline void hand_end(struct hand *h, uint32_t scope, uint64_t position)
{
    assert_int_equal(fm_builder_end(h->builder, scope, position, NULL), FRAMEMAP_OK);
}

/* Builds the worked example of docs/index-format.md. */
static inline struct fm_built build_documented(struct fm_heap *heap)
{
    const struct fm_builder_about about = {.kind = FM_STR("elf"),
                                           .id = FM_STR("c0ffee"),
                                           .arch = FM_STR("x86_64"),
                                           .name = FM_STR("a.out"),
                                           .base = 0x1000,
                                           .address_bits = 64};
    struct hand h = hand_open(heap, &about);
    const uint32_t image = hand_scope(&h, ""), file = hand_file(&h, "/src/a.c");
    const uint32_t root = hand_root(&h, hand_function(&h, NULL, "main", file, 10, FM_LANGUAGE_C), 0, 0x20, NULL);
    const uint32_t add = hand_inline(&h, root, hand_function(&h, NULL, "add", file, 3, FM_LANGUAGE_C), file, 12, 5);
    hand_position(&h, image, 0x00, (struct fm_place){root, file, 10, 0, FM_NONE, 0});
    hand_position(&h, image, 0x08, (struct fm_place){add, file, 4, 10, FM_NONE, 0});
    hand_position(&h, image, 0x10, (struct fm_place){root, file, 13, 0, FM_NONE, 0});
    hand_end(&h, image, 0x20);
    return hand_close(&h);
}

/* Builds an index of machine code: an inline chain over two files, a hole, a function known only from the symbol table,
 * padding with a line, data, aliases. */
static inline struct fm_built build_native(struct fm_heap *heap)
{
    const struct fm_builder_about about = {.kind = FM_STR("elf"),
                                           .id = FM_STR("0123456789abcdef"),
                                           .arch = FM_STR("arm64"),
                                           .name = FM_STR("libapp.so"),
                                           .base = 0x10000,
                                           .address_bits = 64,
                                           .big_endian = true};
    struct hand h = hand_open(heap, &about);
    const uint32_t image = hand_scope(&h, ""), data = hand_scope(&h, "data");
    const uint32_t a = hand_file(&h, "/src/a.cc"), b = hand_file(&h, "include/b.h"), c = hand_file(&h, "C:\\src\\c.cc");
    const uint32_t outer =
        hand_root(&h, hand_function(&h, NULL, "_Z5outerv", a, 20, FM_LANGUAGE_CXX), 0x1000, 0x100, "_Z5outerv.cold");
    const uint32_t middle =
        hand_inline(&h, outer, hand_function(&h, NULL, "_Z6middlei", b, 7, FM_LANGUAGE_CXX), a, 25, 9);
    const uint32_t inner =
        hand_inline(&h, middle, hand_function(&h, NULL, "_Z5inneri", b, 2, FM_LANGUAGE_CXX), c, 4000000000u, 70000);
    const uint32_t bare =
        hand_root(&h, hand_function(&h, NULL, "start", FM_NONE, 0, FM_LANGUAGE_UNKNOWN), 0x2000, 0x10, NULL);
    const uint32_t table =
        hand_root(&h, hand_function(&h, NULL, "table", FM_NONE, 0, FM_LANGUAGE_UNKNOWN), 0x900000, 8, NULL);
    hand_position(&h, image, 0x1000, (struct fm_place){outer, a, 21, 1, FM_NONE, 0});
    hand_position(&h, image, 0x1010, (struct fm_place){inner, b, 3, 12, FM_NONE, 0});
    hand_position(&h, image, 0x1018, (struct fm_place){middle, b, 0, 0, FM_NONE, 0});
    hand_position(&h, image, 0x1020, (struct fm_place){outer, c, 90, 2, FM_NONE, 0});
    hand_end(&h, image, 0x1100);
    hand_position(&h, image, 0x2000, (struct fm_place){bare, FM_NONE, 0, 0, FM_NONE, 0});
    hand_position(&h, image, 0x2010, (struct fm_place){FM_NONE, a, 30, 1, FM_NONE, 0});
    hand_end(&h, image, 0x2018);
    hand_position(&h, data, 0x900000, (struct fm_place){table, FM_NONE, 0, 0, FM_NONE, 0});
    hand_end(&h, data, 0x900008);
    assert_int_equal(fm_builder_alias(h.builder, bare, hand_string(&h, "_start"), NULL), FRAMEMAP_OK);
    assert_int_equal(fm_builder_alias(h.builder, bare, hand_string(&h, "__start"), NULL), FRAMEMAP_OK);
    assert_int_equal(fm_builder_alias(h.builder, bare, hand_string(&h, "_start"), NULL), FRAMEMAP_OK);
    assert_int_equal(fm_builder_attribute(h.builder, FM_STR("producer"), FM_STR("first"), NULL), FRAMEMAP_OK);
    assert_int_equal(fm_builder_attribute(h.builder, FM_STR("debug_id"), FM_STR("d1"), NULL), FRAMEMAP_OK);
    assert_int_equal(fm_builder_attribute(h.builder, FM_STR("producer"), FM_STR("cc 1.0"), NULL), FRAMEMAP_OK);
    return hand_close(&h);
}

/* Builds an index of shrunk Java, where a scope is a class and member, and a position is a line: an inline group, a
 * range of lines, alternatives without lines. */
static inline struct fm_built build_java(struct fm_heap *heap)
{
    const struct fm_builder_about about = {.kind = FM_STR("r8"), .id = FM_STR("5cd4f7"), .name = FM_STR("mapping.txt")};
    struct hand h = hand_open(heap, &about);
    const uint32_t ab = hand_scope(&h, "a.b.c"), over = hand_scope(&h, "a.b.d");
    const uint32_t main_file = hand_file(&h, "Main.kt"), util_file = hand_file(&h, "Util.java");
    const uint32_t run =
        hand_root(&h, hand_function(&h, "com.example.Main", "run", main_file, 0, FM_LANGUAGE_KOTLIN), 0, 0, NULL);
    const uint32_t check = hand_inline(
        &h, run, hand_function(&h, "com.example.Util", "check", util_file, 0, FM_LANGUAGE_JAVA), main_file, 55, 0);
    hand_position(&h, ab, 1, (struct fm_place){run, main_file, 50, 0, FM_NONE, FM_PLACE_LINE_FOLLOWS});
    hand_position(&h, ab, 6, (struct fm_place){check, util_file, 12, 0, FM_NONE, FM_PLACE_LINE_FOLLOWS});
    hand_end(&h, ab, 9);
    const struct fm_place overloads[] = {
        {hand_root(&h, hand_function(&h, "com.example.Util", "log(int)", util_file, 0, FM_LANGUAGE_JAVA), 0, 0, NULL),
         util_file, 30, 0, FM_NONE, 0},
        {hand_root(&h, hand_function(&h, "com.example.Util", "log(java.lang.String)", util_file, 0, FM_LANGUAGE_JAVA),
                   0, 0, NULL),
         util_file, 40, 0, FM_NONE, FM_PLACE_LINE_FOLLOWS},
    };
    assert_int_equal(fm_builder_position(h.builder, over, 0, overloads, 2, NULL), FRAMEMAP_OK);
    assert_int_equal(fm_builder_attribute(h.builder, FM_STR("pg_map_id"), FM_STR("5cd4f7"), NULL), FRAMEMAP_OK);
    return hand_close(&h);
}

/* Builds an index of a source map, where a scope is a generated line, and a position is a column: names on segments, a
 * segment without a source. */
static inline struct fm_built build_source_map(struct fm_heap *heap)
{
    const struct fm_builder_about about = {.kind = FM_STR("sourcemap"),
                                           .id = FM_STR("85314830-023f-4cf1-a267-535f4e37bb17"),
                                           .name = FM_STR("bundle.js.map"),
                                           .keys = FM_SCOPE_NUMBERED};
    struct hand h = hand_open(heap, &about);
    uint32_t line0, line2, line9;
    assert_int_equal(fm_builder_scope_number(h.builder, 2, &line2, NULL), FRAMEMAP_OK);
    assert_int_equal(fm_builder_scope_number(h.builder, 0, &line0, NULL), FRAMEMAP_OK);
    assert_int_equal(fm_builder_scope_number(h.builder, UINT64_C(1) << 40, &line9, NULL), FRAMEMAP_OK);
    const uint32_t a = hand_file(&h, "webpack://app/src/index.ts"), b = hand_file(&h, "webpack://app/src/util.ts"),
                   name = hand_string(&h, "render");
    hand_position(&h, line0, 0, (struct fm_place){FM_NONE, a, 1, 1, FM_NONE, 0});
    hand_position(&h, line0, 17, (struct fm_place){FM_NONE, a, 1, 8, name, 0});
    hand_position(&h, line0, 24, (struct fm_place){FM_NONE, FM_NONE, 0, 0, FM_NONE, 0});
    hand_end(&h, line0, 30);
    hand_position(&h, line2, 4, (struct fm_place){FM_NONE, b, 120, 3, hand_string(&h, "x"), 0});
    hand_position(&h, line2, 12345678, (struct fm_place){FM_NONE, b, 121, 5, name, 0});
    hand_position(&h, line9, 0, (struct fm_place){FM_NONE, a, 7, 2, FM_NONE, 0});
    return hand_close(&h);
}

#endif
