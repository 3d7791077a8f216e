/* Tests of core/json/json_walk.h: a walk accepts the same grammar as fm_json_check, and returns strings unchanged until
 * they are requested unescaped. */
#include "tests/testing.h"

#include "core/json/json_walk.h"

static const struct {
    const char *name, *text;
    const char *members; /* the expected members as "key=raw", separated by blanks; NULL: the text is rejected */
} objects[] = {
    {"empty", "{}", ""},
    {"blanks", " \n{ \"a\" : 1 ,\t\"b\" : [ ] } ", "a=1 b=[ ]"},
    {"nested", "{\"a\":{\"b\":[1,{\"c\":\"}\"}]},\"d\":null}", "a={\"b\":[1,{\"c\":\"}\"}]} d=null"},
    {"escapes", "{\"a\\\"\":\"\\\\\",\"b\":\"a long text before \\u00e9\"}", "a\\\"=\\\\ b=a long text before \\u00e9"},
    {"no value", "{\"a\"}", NULL},
    {"comma at the end", "{\"a\":1,}", NULL},
    {"no comma", "{\"a\":1 \"b\":2}", NULL},
    {"no key", "{1:2}", NULL},
    {"control character", "{\"a\":\"0123456789\n\"}", NULL},
    {"bad escape", "{\"a\":\"01234567\\x\"}", NULL},
    {"short escape", "{\"a\":\"\\u12\"}", NULL},
    {"open", "{\"a\":1", NULL},
    {"open string", "{\"a\":\"b", NULL},
    {"bad word", "{\"a\":truu}", NULL},
    {"rest", "{\"a\":1} 2", NULL},
    {"other bracket", "{\"a\":[1}", NULL},
    {"array", "[]", NULL},
};

static bool walk_all(framemap_str text, char *out, size_t room, framemap_error *error)
{
    struct fm_json_walk walk;
    struct fm_json_piece key, value;
    size_t at = 0;
    out[0] = 0;
    fm_json_walk_init(&walk, text);
    if (!fm_json_walk_open(&walk, FM_JSON_OBJECT)) return false;
    while (fm_json_walk_next(&walk, &key, &value))
        at += (size_t)snprintf(out + at, room - at, "%s%.*s=%.*s", at > 0 ? " " : "", (int)key.raw.size, key.raw.data,
                               (int)value.raw.size, value.raw.data);
    if (!walk.failed && fm_json_walk_done(&walk)) return true;
    assert_int_not_equal(fm_json_walk_fault(&walk, error), FRAMEMAP_OK);
    assert_int_not_equal(error->message[0], 0);
    return false;
}

static void walks_objects(void **state)
{
    char got[512];
    framemap_error error;
    (void)state;
    for (size_t i = 0; i < COUNT_OF(objects); i++) {
        const bool good = walk_all(framemap_str_of(objects[i].text), got, sizeof got, &error);
        if (good != (objects[i].members != NULL)) fail_msg("%s: %s", objects[i].name, good ? got : error.message);
        if (good) assert_string_equal(got, objects[i].members);
    }
}

/* Every proper prefix is rejected, and nothing after it is read. */
static void refuses_prefixes(void **state)
{
    static const char whole[] = "{\"a\":[1,{\"b\":\"0123456789\\u0041\"}],\"c\":{\"d\":null}}";
    char got[512];
    framemap_error error;
    (void)state;
    for (size_t size = 0; size < sizeof whole - 1; size++) {
        char *cut = malloc(size > 0 ? size : 1);
        memcpy(cut, whole, size);
        assert_false(walk_all(fm_str(cut, size), got, sizeof got, &error));
        free(cut);
    }
    assert_true(walk_all(FM_STR(whole), got, sizeof got, &error));
}

/* A quote, a backslash or a control character is found at each offset within an eight-byte word. */
static void sees_each_place(void **state)
{
    char text[64], got[128];
    framemap_error error;
    (void)state;
    for (size_t at = 0; at < 24; at++)
        for (int byte = 1; byte < 256; byte++) {
            const int size = snprintf(text, sizeof text, "{\"a\":\"%.*sX%.*s\"}", (int)at,
                                      "\xFF\x7F\x80!#[]abcdefghijklmnopqrstuvwxyz", (int)(24 - at),
                                      "\xFF\x7F\x80!#[]abcdefghijklmnopqrstuvwxyz");
            text[6 + at] = (char)byte;
            const bool plain = byte >= 0x20 && byte != '"' && byte != '\\';
            if (byte == '\\' || walk_all(fm_str(text, (size_t)size), got, sizeof got, &error) == plain) continue;
            fail_msg("byte %d at %zu", byte, at);
        }
}

static void walks_inside(void **state)
{
    struct fm_json_walk walk, inner;
    struct fm_json_piece key, value, element;
    unsigned count = 0;
    (void)state;
    fm_json_walk_init(&walk, FM_STR("{\"a\": [1,\"x\"] ,\"b\":2}"));
    assert_true(fm_json_walk_open(&walk, FM_JSON_OBJECT));
    assert_true(fm_json_walk_key(&walk, &key));
    assert_false(fm_json_walk_enter(&walk, FM_JSON_OBJECT, &inner));
    assert_true(fm_json_walk_enter(&walk, FM_JSON_ARRAY, &inner));
    while (fm_json_walk_next(&inner, NULL, &element)) count++;
    assert_int_equal(count, 2);
    assert_true(fm_json_walk_leave(&walk, &inner, &value));
    assert_str(value.raw, "[1,\"x\"]");
    assert_true(fm_json_walk_key(&walk, &key));
    assert_str(key.raw, "b");
    assert_true(fm_json_walk_value(&walk, &value));
    assert_str(value.raw, "2");
    assert_false(fm_json_walk_key(&walk, &key));
    assert_false(walk.failed);
}

static const struct {
    const char *text;
    bool good;
    int64_t value;
} integers[] = {
    {"3", true, 3},
    {"3.0", true, 3},
    {"3e0", true, 3},
    {"30e-1", true, 3},
    {"0.3e1", true, 3},
    {"-0", true, 0},
    {"-7", true, -7},
    {"0.5", false, 0},
    {"1e15", true, 1000000000000000},
    {"1e99", false, 0},
    {"9007199254740992", true, INT64_C(9007199254740992)},
    {"9007199254740993", false, 0},
    {"1e99999999999999999999", false, 0},
    {"0e5", true, 0},
    {"\"3\"", false, 0},
    {"null", false, 0},
    {"10000000000000000000000", false, 0},
};

static void reads_integers(void **state)
{
    (void)state;
    for (size_t i = 0; i < COUNT_OF(integers); i++) {
        char text[64];
        struct fm_json_walk walk;
        struct fm_json_piece element;
        int64_t value = 0;
        snprintf(text, sizeof text, "[%s]", integers[i].text);
        fm_json_walk_init(&walk, framemap_str_of(text));
        assert_true(fm_json_walk_open(&walk, FM_JSON_ARRAY));
        assert_true(fm_json_walk_next(&walk, NULL, &element));
        if (fm_json_piece_integer(&element, &value) != integers[i].good || value != integers[i].value)
            fail_msg("%s: %lld", integers[i].text, (long long)value);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(walks_objects), cmocka_unit_test(refuses_prefixes), cmocka_unit_test(sees_each_place),
        cmocka_unit_test(walks_inside),  cmocka_unit_test(reads_integers),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
