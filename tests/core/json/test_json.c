/* Tests of the JSON documents of core/json/json.h. */
#include "core/json/json.h"
#include "core/limits.h"
#include "core/text/buffer.h"
#include "tests/testing.h"

static struct fm_json *parse(struct fm_heap *heap, const char *text)
{
    struct fm_json *json = NULL;
    framemap_error error;
    if (fm_json_parse(framemap_str_of(text), heap, &json, &error) != FRAMEMAP_OK)
        fail_msg("%s: %s", text, error.message);
    return json;
}

static void walking(void **state)
{
    (void)state;
    struct fm_heap heap;
    fm_heap_init(&heap, NULL, 0);
    struct fm_json *json = parse(&heap, "{\"n\":[1,[2,{\"x\":[]}],3],\"o\":{\"p\":true},\"s\":\"t\"}");
    assert_int_equal(fm_json_type(json, 0), FM_JSON_OBJECT);
    assert_int_equal(fm_json_count(json, 0), 3);
    assert_int_equal(fm_json_next(json, 0), -1);

    const int32_t n = fm_json_first(json, 0), o = fm_json_next(json, n), s = fm_json_next(json, o);
    assert_str(fm_json_raw(json, n), "n");
    assert_str(fm_json_raw(json, o), "o");
    assert_str(fm_json_raw(json, s), "s");
    assert_int_equal(fm_json_next(json, s), -1);
    assert_str(fm_json_raw(json, fm_json_value(json, s)), "t");
    /* fm_json_value takes a key; given a value, it returns none */
    assert_int_equal(fm_json_value(json, fm_json_value(json, s)), -1);

    const int32_t array = fm_json_value(json, n);
    assert_int_equal(fm_json_type(json, array), FM_JSON_ARRAY);
    assert_int_equal(fm_json_count(json, array), 3);
    const int32_t one = fm_json_first(json, array), two = fm_json_next(json, one), three = fm_json_next(json, two);
    assert_str(fm_json_raw(json, one), "1");
    assert_str(fm_json_raw(json, two), "[2,{\"x\":[]}]");
    assert_str(fm_json_raw(json, three), "3");
    assert_int_equal(fm_json_next(json, three), -1);
    assert_int_equal(fm_json_next(json, array), -1);
    assert_int_equal(fm_json_first(json, one), -1);
    const int32_t empty = fm_json_get(json, fm_json_next(json, fm_json_first(json, two)), "x");
    assert_int_equal(fm_json_type(json, empty), FM_JSON_ARRAY);
    assert_int_equal(fm_json_first(json, empty), -1);
    assert_int_equal(fm_json_count(json, empty), 0);
    fm_json_free(json);
    assert_int_equal(heap.used, 0);
}

static void none_answers_none(void **state)
{
    (void)state;
    struct fm_heap heap;
    struct fm_arena arena;
    fm_heap_init(&heap, NULL, 0);
    fm_arena_init(&arena, &heap);
    struct fm_json *json = parse(&heap, "[1]");
    static const int32_t nones[] = {-1, 2, INT32_MAX, INT32_MIN};
    for (size_t i = 0; i < COUNT_OF(nones); i++) {
        uint64_t u;
        int64_t s;
        framemap_str text;
        assert_int_equal(fm_json_type(json, nones[i]), FM_JSON_NULL);
        assert_true(fm_json_first(json, nones[i]) == -1 && fm_json_next(json, nones[i]) == -1 &&
                    fm_json_value(json, nones[i]) == -1);
        assert_true(fm_json_get(json, nones[i], "a") == -1 && fm_json_count(json, nones[i]) == 0);
        assert_true(fm_json_raw(json, nones[i]).data == NULL);
        assert_false(fm_json_is_true(json, nones[i]) || fm_json_u64(json, nones[i], &u) ||
                     fm_json_i64(json, nones[i], &s));
        assert_false(fm_json_string(json, nones[i], &arena, &text));
    }
    assert_int_equal(fm_json_get(json, 0, "a"), -1); /* an array has no members */
    fm_json_free(json);
    fm_json_free(NULL);
}

static void types_of_a_bare_root(void **state)
{
    (void)state;
    static const struct {
        const char *text;
        enum fm_json_type type;
        const char *raw;
    } rows[] = {{" 12 ", FM_JSON_NUMBER, "12"},     {"-1", FM_JSON_NUMBER, "-1"},   {"true", FM_JSON_BOOL, "true"},
                {"\nfalse", FM_JSON_BOOL, "false"}, {"null", FM_JSON_NULL, "null"}, {"\"a b\"", FM_JSON_STRING, "a b"},
                {"[]", FM_JSON_ARRAY, "[]"},        {"{} ", FM_JSON_OBJECT, "{}"}};
    struct fm_heap heap;
    fm_heap_init(&heap, NULL, 0);
    for (size_t i = 0; i < COUNT_OF(rows); i++) {
        struct fm_json *json = parse(&heap, rows[i].text);
        assert_int_equal(fm_json_type(json, 0), rows[i].type);
        assert_str(fm_json_raw(json, 0), rows[i].raw);
        assert_int_equal(fm_json_next(json, 0), -1);
        fm_json_free(json);
    }
}

static void members_by_name(void **state)
{
    (void)state;
    struct fm_heap heap;
    fm_heap_init(&heap, NULL, 0);
    struct fm_json *json =
        parse(&heap, "{\"a\":1,\"ab\":2,\"\\u0061\\n\":3,\"a\":4,\"\":5,\"\\ud83d\\ude00\":6,\"v\":\"a\"}");
    static const struct {
        const char *why, *name, *raw;
    } rows[] = {
        {"the last of two", "a", "4"},
        {"not a prefix", "ab", "2"},
        {"an escaped key", "a\n", "3"},
        {"the empty key", "", "5"},
        {"a surrogate pair", "\xF0\x9F\x98\x80", "6"},
        {"no such key", "b", NULL},
        {"a prefix of a key", "\xF0", NULL},
    };
    for (size_t i = 0; i < COUNT_OF(rows); i++) {
        const int32_t value = fm_json_get(json, 0, rows[i].name);
        if ((value == -1) != (rows[i].raw == NULL)) fail_msg("%s", rows[i].why);
        if (rows[i].raw) assert_str(fm_json_raw(json, value), rows[i].raw);
    }
    fm_json_free(json);
}

static void integers(void **state)
{
    (void)state;
    static const struct {
        const char *text;
        bool is_unsigned, is_signed;
        uint64_t u;
        int64_t s;
    } rows[] = {
        {"0", true, true, 0, 0},
        {"-0", false, true, 0, 0},
        {"42", true, true, 42, 42},
        {"-42", false, true, 0, -42},
        {"9223372036854775807", true, true, INT64_MAX, INT64_MAX},
        {"9223372036854775808", true, false, UINT64_C(1) << 63, 0},
        {"-9223372036854775808", false, true, 0, INT64_MIN},
        {"-9223372036854775809", false, false, 0, 0},
        {"18446744073709551615", true, false, UINT64_MAX, 0},
        {"18446744073709551616", false, false, 0, 0},
        {"1.0", false, false, 0, 0},
        {"1e2", false, false, 0, 0},
        {"\"1\"", false, false, 0, 0},
        {"true", false, false, 0, 0},
    };
    struct fm_heap heap;
    fm_heap_init(&heap, NULL, 0);
    for (size_t i = 0; i < COUNT_OF(rows); i++) {
        struct fm_json *json = parse(&heap, rows[i].text);
        uint64_t u = 0;
        int64_t s = 0;
        if (fm_json_u64(json, 0, &u) != rows[i].is_unsigned || u != rows[i].u) fail_msg("unsigned %s", rows[i].text);
        if (fm_json_i64(json, 0, &s) != rows[i].is_signed || s != rows[i].s) fail_msg("signed %s", rows[i].text);
        assert_int_equal(fm_json_is_true(json, 0), strcmp(rows[i].text, "true") == 0);
        fm_json_free(json);
    }
}

static void strings(void **state)
{
    (void)state;
#define BAD "\xEF\xBF\xBD"
    static const struct {
        const char *why, *text, *wanted;
    } rows[] = {
        {"no escape", "\"plain \xC3\xA9\"", "plain \xC3\xA9"},
        {"the short escapes", "\"\\\"\\\\\\/\\b\\f\\n\\r\\t\"", "\"\\/\b\f\n\r\t"},
        {"one, two and three bytes", "\"\\u0041\\u00e9\\u20AC\"", "A\xC3\xA9\xE2\x82\xAC"},
        {"the ends of each size", "\"\\u007f\\u0080\\u07ff\\u0800\\uffff\"",
         "\x7f\xC2\x80\xDF\xBF\xE0\xA0\x80\xEF\xBF\xBF"},
        {"pairs, first and last", "\"\\ud800\\udc00\\udbff\\udfff\"", "\xF0\x90\x80\x80\xF4\x8F\xBF\xBF"},
        {"a high half alone", "\"x\\ud800y\"", "x" BAD "y"},
        {"a high half at the end", "\"\\ud800\"", BAD},
        {"a low half alone", "\"\\udc00\"", BAD},
        {"halves the wrong way round", "\"\\udc00\\ud800\"", BAD BAD},
        {"a high half before another escape", "\"\\ud800\\n\\ud800\\u0041\"", BAD "\n" BAD "A"},
        {"two high halves and a low one", "\"\\ud83d\\ud83d\\ude00\"", BAD "\xF0\x9F\x98\x80"},
    };
    struct fm_heap heap;
    struct fm_arena arena;
    fm_heap_init(&heap, NULL, 0);
    fm_arena_init(&arena, &heap);
    for (size_t i = 0; i < COUNT_OF(rows); i++) {
        struct fm_json *json = parse(&heap, rows[i].text);
        framemap_str out;
        assert_true(fm_json_string(json, 0, &arena, &out));
        if (!fm_str_equal(out, framemap_str_of(rows[i].wanted)))
            fail_msg("%s: \"%.*s\"", rows[i].why, (int)out.size, out.data);
        fm_json_free(json);
    }
    struct fm_json *json = parse(&heap, "[\"a\\u0000b\",\"plain\",1]");
    framemap_str out;
    const int32_t first = fm_json_first(json, 0), second = fm_json_next(json, first);
    assert_true(fm_json_string(json, first, &arena, &out) && out.size == 3 && memcmp(out.data, "a\0b", 3) == 0);
    const size_t before = arena.total;
    assert_true(fm_json_string(json, second, &arena, &out) && out.data == fm_json_raw(json, second).data);
    assert_int_equal(arena.total, before); /* the string is borrowed from the text if nothing is escaped */
    assert_false(fm_json_string(json, fm_json_next(json, second), &arena, &out));
    fm_json_free(json);
    fm_arena_free(&arena);
}

static void nothing_is_written_on_failure(void **state)
{
    (void)state;
    struct fm_heap heap;
    struct fm_json *json = NULL;
    framemap_error error;
    fm_heap_init(&heap, NULL, 0);
    assert_int_equal(fm_json_parse(FM_STR("[1,,3]"), &heap, &json, &error), FRAMEMAP_E_CORRUPT);
    assert_true(json == NULL && error.has_offset && error.offset == 3);
    assert_int_equal(heap.used, 0);
}

static bool parse_and_read(const framemap_allocator *allocator, void *context)
{
    (void)context;
    struct fm_heap heap;
    struct fm_arena arena;
    struct fm_json *json = NULL;
    framemap_error error;
    framemap_str out;
    fm_heap_init(&heap, allocator, 0);
    fm_arena_init(&arena, &heap);
    const framemap_status status = fm_json_parse(FM_STR("{\"a\":\"\\n\"}"), &heap, &json, &error);
    if (status != FRAMEMAP_OK) assert_int_equal(status, FRAMEMAP_E_MEMORY);
    const bool done = status == FRAMEMAP_OK && fm_json_string(json, fm_json_get(json, 0, "a"), &arena, &out);
    fm_json_free(json);
    fm_arena_free(&arena);
    return done;
}

static void survives_want_of_memory(void **state)
{
    (void)state;
    assert_int_equal(sweep_allocations(parse_and_read, NULL), 3);
}

/* Every value of a deep, wide tree is reached once through first, next and value, in the order of the text. */
static uint32_t walk(const struct fm_json *json, int32_t value, int32_t *expected)
{
    uint32_t seen = 1;
    assert_int_equal(value, (*expected)++);
    for (int32_t child = fm_json_first(json, value); child != -1; child = fm_json_next(json, child)) {
        if (fm_json_type(json, value) == FM_JSON_ARRAY) {
            seen += walk(json, child, expected);
            continue;
        }
        assert_int_equal(child, (*expected)++);
        seen += 1 + walk(json, fm_json_value(json, child), expected);
    }
    return seen;
}

static void walks_each_value_once(void **state)
{
    (void)state;
    struct fm_heap heap;
    struct fm_buf text;
    fm_heap_init(&heap, NULL, 0);
    fm_buf_init(&text, &heap);
    /* Each of the pieces that are nested has two levels. */
    const size_t levels = FM_LIMIT_JSON_DEPTH - 2;
    for (size_t i = 0; i < levels; i++)
        fm_buf_str(&text, i % 2 ? FM_STR("{\"a\":[],\"b\":{\"c\":[1,\"2\"]},\"d\":") : FM_STR("[[[]],0,"));
    fm_buf_str(&text, FM_STR("null"));
    for (size_t i = levels; i > 0; i--) fm_buf_str(&text, (i - 1) % 2 ? FM_STR(",\"e\":{}}") : FM_STR(",[]]"));
    struct fm_json *json = NULL;
    framemap_error error;
    if (fm_json_parse(fm_buf_view(&text), &heap, &json, &error) != FRAMEMAP_OK) fail_msg("%s", error.message);
    int32_t expected = 0;
    const uint32_t seen = walk(json, 0, &expected);
    assert_int_equal(seen, levels / 2 * 5 + levels / 2 * 12 + 1);
    fm_json_free(json);
    fm_buf_free(&text);
    assert_int_equal(heap.used, 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(walking),
        cmocka_unit_test(none_answers_none),
        cmocka_unit_test(types_of_a_bare_root),
        cmocka_unit_test(members_by_name),
        cmocka_unit_test(integers),
        cmocka_unit_test(strings),
        cmocka_unit_test(nothing_is_written_on_failure),
        cmocka_unit_test(survives_want_of_memory),
        cmocka_unit_test(walks_each_value_once),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
