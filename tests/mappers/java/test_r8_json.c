/* Tests of reading JSON as Gson's lenient reader does: what is accepted, and the resulting values. */
#include "tests/mappers/java/r8_help.h"

#include "mappers/java/r8_json.h"

/* Reads a copy of the text in memory of its exact size, so that a sanitizer detects a read past the end. */
static bool read(struct fm_r8_json *json, const char *text, size_t size, char **copy)
{
    bool good = false;
    *copy = malloc(size ? size : 1);
    memcpy(*copy, text, size);
    assert_int_equal(fm_r8_json_read(json, fm_str(*copy, size), &good, NULL), FRAMEMAP_OK);
    return good;
}

static void test_texts(void **state)
{
    static const struct {
        const char *json, *wanted, *why; /* wanted: the text of member "a"; NULL: the JSON is refused; "-": the member
                                            has no text */
    } rows[] = {
        {"{\"a\":\"b\"}", "b", "strict JSON"},
        {"{'a':'b'}", "b", "single quotes"},
        {"{a:b}", "b", "no quotes"},
        {"{a:b\"c'}", "b\"c'", "quotes within an unquoted text"},
        {"{a=b}", "b", "'=' for ':'"},
        {"{a=>b}", "b", "'=>' too"},
        {"{a = > b}", NULL, "but not in two parts"},
        {"{x:1;a:b}", "b", "';' for ','"},
        {"{ \t\r\n\"a\" : \"b\" } \t\r", "b", "blanks"},
        {"{/* c */a/* c */:/* c */b/* c */}", "b", "comments"},
        {"{/* c }", NULL, "one without an end"},
        {"{a:b//c}", NULL, "a comment up to the end of the line hides the brace"},
        {"{a:b#c}", NULL, "so does the other kind"},
        {"{a://c\rb}", "b", "a lone CR ends such a comment"},
        {"{a:b/c}", NULL, "a slash is neither a comment nor text"},
        {"{a:b}x", NULL, "text after the end"},
        {"{a:b}//c", NULL, "a comment after the end"},
        {"{a:b}}", NULL, "a second brace"},
        {"{a:b,}", NULL, "a comma at the end"},
        {"{a:b", NULL, "no end"},
        {"{a}", NULL, "a name without a value"},
        {"{:b}", NULL, "a value without a name"},
        {"{a:}", NULL, "a colon without a value"},
        {"{a:,b:c}", NULL, "a comma where the value should be"},
        {"{\"\":b,a:c}", "c", "an empty name"},
        {"{a:''}", "", "an empty text"},
        {"{a:b,a:c}", "c", "the last of a name counts"},
        {"{'\\u0061':b}", "b", "an escaped name is the same name"},
        {"{a:null}", "-", "null has no text"},
        {"{a:NULL}", "-", "in whatever letters"},
        {"{a:'null'}", "null", "quoted, it is a text"},
        {"{a:TrUe}", "true", "words are written in small letters"},
        {"{a:FALSE}", "false", "both"},
        {"{a:truex}", "truex", "unless they go on"},
        {"{a:2.20}", "2.20", "numbers as they are written"},
        {"{a:-0}", "-0", "also this one"},
        {"{a:1e5}", "1e5", "and with exponents"},
        {"{a:007}", "007", "which may be texts"},
        {"{a:[b]}", "b", "the only element of an array"},
        {"{a:[[[['b']]]]}", "b", "at any depth"},
        {"{a:[]}", "-", "none"},
        {"{a:[b,c]}", "-", "two"},
        {"{a:[b,]}", "-", "an element that is not written is null, and counts"},
        {"{a:[,]}", "-", "two of them"},
        {"{a:[b;c]}", "-", "';' in arrays"},
        {"{a:[b c]}", NULL, "no comma between elements"},
        {"{a:{}}", "-", "an object"},
        {"{x:{a:b},a:c}", "c", "names within objects are not those of the whole"},
        {"{x:[[[{a:{a:[{}]}}]]],a:c}", "c", "nor those further in"},
        {"{a:'\\t\\b\\n\\r\\f\\\\\\/\\'\\\"'}", "\t\b\n\r\f\\/'\"", "escapes"},
        {"{a:'\\x'}", NULL, "one that is none"},
        {"{a:'\\u00e9\\ud83d\\ude00'}", "\xc3\xa9\xf0\x9f\x98\x80", "characters by number"},
        {"{a:'\\u00E9\\u20AC'}", "\xc3\xa9\xe2\x82\xac", "in capitals"},
        {"{a:'\\ud83dx\\ude00'}", "?x?", "halves of pairs, as Java prints them"},
        {"{a:'\\u12g4'}", NULL, "no digit"},
        {"{a:'\\u123'}", NULL, "too few"},
        {"{a:'b", NULL, "no quote at the end"},
        {"{a:'b\\", NULL, "nothing after a backslash"},
        {"{a:'\xff\xc3\xa9'}", "\xef\xbf\xbd\xc3\xa9", "bytes that are no UTF-8"},
        {"{a:'\xed\xa0\x80'}", "\xef\xbf\xbd", "half a pair in UTF-8 is one bad character"},
        {"{a:'\xf0\x9f\x98'}", "\xef\xbf\xbd", "and so is the beginning of a character"},
        {"{a:'\xc0\x80'}", "\xef\xbf\xbd\xef\xbf\xbd", "a character in more bytes than it needs is two"},
        {"{}", "-", "nothing in it"},
        {"{", NULL, "only begun"},
    };
    struct fm_heap heap;
    struct fm_r8_json json;
    framemap_str text;
    char *copy;
    (void)state;
    fm_heap_init(&heap, NULL, 0);
    fm_r8_json_init(&json, &heap);
    for (size_t i = 0; i < COUNT_OF(rows); i++) {
        const bool good = read(&json, rows[i].json, strlen(rows[i].json), &copy);
        if (good != (rows[i].wanted != NULL))
            fail_msg("%s: %s is %s", rows[i].why, rows[i].json, good ? "taken" : "refused");
        if (good) {
            const bool has = fm_r8_json_text(&json, fm_r8_json_get(&json, 0, "a"), &text);
            if (!has) text = FM_STR("-");
            if (!fm_str_equal(text, framemap_str_of(rows[i].wanted)))
                fail_msg("%s: %s gives \"%.*s\"", rows[i].why, rows[i].json, (int)text.size, text.data);
        }
        /* reading a part of the JSON may give any result, but must end */
        for (size_t cut = strlen(rows[i].json); cut-- > 1;) {
            free(copy);
            read(&json, rows[i].json, cut, &copy);
        }
        free(copy);
    }
    fm_r8_json_free(&json);
    assert_int_equal(atomic_load(&heap.used), 0);
}

static void test_ints(void **state)
{
    static const struct {
        const char *json, *why;
        bool good;
        int32_t wanted;
    } rows[] = {
        {"{a:12}", "a number", true, 12},
        {"{a:'12'}", "a text that is one", true, 12},
        {"{a:'+12'}", "with a sign", true, 12},
        {"{a:'1\xd9\xa3'}", "in digits of any script", true, 13},
        {"{a:'\xf0\x9d\x9f\x9b'}", "but those beyond U+FFFF", false, 0},
        {"{a:-2147483648}", "the least", true, INT32_MIN},
        {"{a:'2147483648'}", "a text beyond the greatest is none", false, 0},
        {"{a:2147483648}", "a number wraps around", true, INT32_MIN},
        {"{a:4294967301}", "all the way", true, 5},
        {"{a:-4294967301}", "below zero", true, -5},
        {"{a:1000000000000000000000000000007}", "thirty digits", true, 1073741831},
        {"{a:4.9}", "a fraction is cut", true, 4},
        {"{a:-4.9}", "towards zero", true, -4},
        {"{a:0.5e1}", "an exponent moves the point", true, 5},
        {"{a:125e-1}", "to the left, too", true, 12},
        {"{a:12e-3}", "beyond the first digit", true, 0},
        {"{a:1e100}", "a power of ten that 2^32 divides", true, 0},
        {"{a:1e999999999999999999999}", "an exponent without end", true, 0},
        {"{a:1e-999999999999999999999}", "and its like", true, 0},
        {"{a:'4.9'}", "not in a text", false, 0},
        {"{a:true}", "a word", false, 0},
        {"{a:''}", "nothing", false, 0},
        {"{a:'-'}", "a sign", false, 0},
        {"{a:[7]}", "the only element of an array", true, 7},
        {"{a:null}", "null", false, 0},
    };
    struct fm_heap heap;
    struct fm_r8_json json;
    char *copy;
    (void)state;
    fm_heap_init(&heap, NULL, 0);
    fm_r8_json_init(&json, &heap);
    for (size_t i = 0; i < COUNT_OF(rows); i++) {
        int32_t got = 0;
        assert_true(read(&json, rows[i].json, strlen(rows[i].json), &copy));
        const bool good = fm_r8_json_int(&json, fm_r8_json_get(&json, 0, "a"), &got);
        if (good != rows[i].good || (good && got != rows[i].wanted))
            fail_msg("%s: %s gives %d %d", rows[i].why, rows[i].json, good, got);
        free(copy);
    }
    fm_r8_json_free(&json);
}

/* Checks that nesting beyond the limit is refused, and that nesting below the limit is read without recursion. */
static void test_depth(void **state)
{
    enum { MOST = 1000000 };
    struct fm_heap heap;
    struct fm_r8_json json;
    char *text = malloc(2 * MOST + 10);
    bool good;
    (void)state;
    fm_heap_init(&heap, NULL, 0);
    fm_r8_json_init(&json, &heap);
    for (unsigned i = 0; i < 4; i++) {
        static const unsigned depths[] = {10, FM_R8_JSON_DEPTH - 1, FM_R8_JSON_DEPTH, MOST};
        const unsigned depth = depths[i];
        memcpy(text, "{a:", 3);
        memset(text + 3, '[', depth);
        memset(text + 3 + depth, ']', depth);
        text[3 + 2 * (size_t)depth] = '}';
        assert_int_equal(fm_r8_json_read(&json, fm_str(text, 4 + 2 * (size_t)depth), &good, NULL), FRAMEMAP_OK);
        assert_int_equal(good, depth < FM_R8_JSON_DEPTH);
    }
    free(text);
    fm_r8_json_free(&json);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_texts),
        cmocka_unit_test(test_ints),
        cmocka_unit_test(test_depth),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
