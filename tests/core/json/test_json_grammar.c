/* Tests of the grammar check of core/json/json_grammar.h. */
#include "core/json/json_grammar.h"
#include "core/limits.h"
#include "tests/testing.h"

#define TEXT(literal) literal, sizeof(literal) - 1

/* Tests valid texts; the number of values and keys in each is compared, too. */
static void accepts(void **state)
{
    (void)state;
    static const struct {
        const char *why, *text;
        size_t size;
        uint32_t count;
    } rows[] = {
        {"a bare number", TEXT("1"), 1},
        {"a bare word between blanks", TEXT(" \t\r\n true \n"), 1},
        {"a bare string", TEXT("\"\""), 1},
        {"empty containers", TEXT("[[],{}]"), 3},
        {"an object of all kinds", TEXT("{\"a\":1,\"b\":[true,false,null],\"c\":{\"\":\"\"}}"), 12},
        {"one key twice", TEXT("{\"a\":1,\"a\":2}"), 5},
        {"blanks everywhere", TEXT(" { \"a\" : [ 1 , 2 ] } "), 5},
        {"numbers", TEXT("[0,-0,10,-1.5,1e5,1E+5,1.25e-10,0e1,0.0]"), 10},
        {"a number beyond any type", TEXT("[123456789012345678901234567890.5e99999]"), 2},
        {"all escapes", TEXT("\"\\\"\\\\\\/\\b\\f\\n\\r\\t\\u00e9\\uD83D\\uDE00\""), 1},
        {"an escaped NUL", TEXT("\"\\u0000\""), 1},
        {"a lone surrogate: the grammar allows it", TEXT("\"\\ud800\""), 1},
        {"DEL and bytes above", TEXT("\"\x7f\xc3\xa9\xff\""), 1},
        {"brackets inside a string", TEXT("[\"]}[{\\\"\"]"), 2},
    };
    for (size_t i = 0; i < COUNT_OF(rows); i++) {
        framemap_error error;
        uint32_t count = 0;
        if (fm_json_check(fm_str(rows[i].text, rows[i].size), &count, &error) != FRAMEMAP_OK)
            fail_msg("%s: %s", rows[i].why, error.message);
        if (count != rows[i].count) fail_msg("%s: %u", rows[i].why, (unsigned)count);
    }
}

/* Tests invalid texts, each with the offset at which the error must be found. */
static void refuses(void **state)
{
    (void)state;
    static const struct {
        const char *why, *text;
        size_t size;
        uint64_t offset;
    } rows[] = {
        {"nothing", TEXT(""), 0},
        {"blanks only", TEXT("  "), 2},
        {"a byte order mark", TEXT("\xEF\xBB\xBF{}"), 0},
        {"a key without value", TEXT("{\"a\"}"), 4},
        {"a key without colon", TEXT("{\"a\" 1}"), 5},
        {"two colons", TEXT("{\"a\"::1}"), 5},
        {"a colon and no value", TEXT("{\"a\":}"), 5},
        {"a comma in the place of a colon", TEXT("{\"a\",1}"), 4},
        {"a key that is a number", TEXT("{1:1}"), 1},
        {"a key that is an array", TEXT("{[]:1}"), 1},
        {"a bare key", TEXT("{a:1}"), 1},
        {"a comma at an object's end", TEXT("{\"a\":1,}"), 7},
        {"a comma at an array's end", TEXT("[1,]"), 3},
        {"a comma at an array's begin", TEXT("[,1]"), 1},
        {"two commas", TEXT("[1,,3]"), 3},
        {"no comma", TEXT("[1 2]"), 3},
        {"no comma between strings", TEXT("[\"a\"\"b\"]"), 4},
        {"a colon in an array", TEXT("[\"a\":1]"), 4},
        {"an array closed as object", TEXT("[1}"), 2},
        {"an object closed as array", TEXT("{\"a\":1]"), 6},
        {"one close too many", TEXT("[1]]"), 3},
        {"a close alone", TEXT("]"), 0},
        {"two roots", TEXT("{}{}"), 2},
        {"two bare roots", TEXT("1 2"), 2},
        {"a comma after the root", TEXT("{},"), 2},
        {"a word almost", TEXT("[truu]"), 1},
        {"a word cut", TEXT("nul"), 0},
        {"a word too long", TEXT("truex"), 4},
        {"a word in capitals", TEXT("True"), 0},
        {"NaN", TEXT("NaN"), 0},
        {"Infinity", TEXT("-Infinity"), 1},
        {"a plus", TEXT("+1"), 0},
        {"a leading zero", TEXT("01"), 1},
        {"a negative leading zero", TEXT("[-012]"), 3},
        {"a minus alone", TEXT("-"), 1},
        {"no digit before the point", TEXT(".5"), 0},
        {"no digit after the point", TEXT("[1.]"), 3},
        {"no digit in the exponent", TEXT("[1e]"), 3},
        {"a sign in the exponent and no digit", TEXT("[1e+]"), 4},
        {"hexadecimal", TEXT("0x10"), 1},
        {"a digit of another script", TEXT("[\xEF\xBC\x91]"), 1},
        {"single quotes", TEXT("['a']"), 1},
        {"a string without end", TEXT("[\"abc"), 1},
        {"a string that ends in a backslash", TEXT("[\"a\\"), 3},
        {"an escaped closing quote", TEXT("\"a\\\""), 0},
        {"an escape that is none", TEXT("\"\\x41\""), 1},
        {"an escaped newline", TEXT("\"\\\n\""), 1},
        {"three digits", TEXT("\"\\u12\""), 1},
        {"a digit that is none", TEXT("\"\\u12G4\""), 1},
        {"a newline in a string", TEXT("\"a\nb\""), 2},
        {"a tab in a string", TEXT("\"\t\""), 1},
        {"a NUL in a string", TEXT("\"a\0b\""), 2},
        {"a NUL after the root", TEXT("{}\0"), 2},
        {"a NUL before the root", TEXT("\0{}"), 0},
        {"a NUL between elements", TEXT("[1,\0 2]"), 3},
        {"a comment", TEXT("[1 /* one */]"), 3},
        {"a form feed is not a blank", TEXT("[\f]"), 1},
        {"a no-break space is not a blank", TEXT("\xC2\xA0[]"), 0},
        {"an open array", TEXT("[1"), 2},
        {"an open object", TEXT("{\"a\":1"), 6},
        {"an array open after its comma", TEXT("[1,"), 3},
    };
    for (size_t i = 0; i < COUNT_OF(rows); i++) {
        framemap_error error;
        uint32_t count = 77;
        if (fm_json_check(fm_str(rows[i].text, rows[i].size), &count, &error) != FRAMEMAP_E_CORRUPT)
            fail_msg("accepted: %s", rows[i].why);
        if (!error.has_offset || error.offset != rows[i].offset)
            fail_msg("%s: byte %llu: %s", rows[i].why, (unsigned long long)error.offset, error.message);
        assert_int_equal(count, 77);
    }
}

/* Returns a document of `depth` levels, alternating arrays and objects. */
static framemap_str nested(char *text, size_t depth)
{
    size_t size = 0;
    for (size_t i = 0; i < depth; i++) {
        memcpy(text + size, i % 2 ? "{\"\":" : "[", i % 2 ? 4 : 1);
        size += i % 2 ? 4 : 1;
    }
    text[size++] = '0';
    for (size_t i = depth; i > 0; i--) text[size++] = (i - 1) % 2 ? '}' : ']';
    return fm_str(text, size);
}

static void depth_has_a_limit(void **state)
{
    (void)state;
    char text[6 * (FM_LIMIT_JSON_DEPTH + 2)];
    framemap_error error;
    uint32_t count;
    assert_int_equal(fm_json_check(nested(text, FM_LIMIT_JSON_DEPTH), &count, &error), FRAMEMAP_OK);
    assert_int_equal(count, FM_LIMIT_JSON_DEPTH + FM_LIMIT_JSON_DEPTH / 2 + 1);
    assert_int_equal(fm_json_check(nested(text, FM_LIMIT_JSON_DEPTH + 1), &count, &error), FRAMEMAP_E_LIMIT);
}

static void size_has_a_limit(void **state)
{
    (void)state;
    framemap_error error;
    uint32_t count;
    /* The size is checked before the bytes are. */
    assert_int_equal(fm_json_check(fm_str("", (size_t)INT32_MAX + 1), &count, &error), FRAMEMAP_E_LIMIT);
}

/* Each proper prefix of a valid text is rejected. */
static void no_prefix_is_a_document(void **state)
{
    (void)state;
    static const char text[] = " {\"a\":[1,-2.5e+3,\"x\\u00e9\\n\",{\"b\":null}],\"c\":true,\"d\":false}";
    uint32_t count;
    for (size_t size = 0; size + 1 < sizeof text; size++) {
        /* the copy is in a block of its own, so that sanitizers detect a read past its end */
        char *copy = malloc(size ? size : 1);
        assert_non_null(copy);
        memcpy(copy, text, size);
        assert_int_equal(fm_json_check(fm_str(copy, size), &count, NULL), FRAMEMAP_E_CORRUPT);
        free(copy);
    }
    assert_int_equal(fm_json_check(fm_str(text, sizeof text - 1), &count, NULL), FRAMEMAP_OK);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(accepts),
        cmocka_unit_test(refuses),
        cmocka_unit_test(depth_has_a_limit),
        cmocka_unit_test(size_has_a_limit),
        cmocka_unit_test(no_prefix_is_a_document),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
