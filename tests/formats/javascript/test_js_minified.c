/* Tests how names that were minified by Dart's compiler to JavaScript are found in the lines above a stack. */
#include "core/text/buffer.h"
#include "tests/formats/formats_help.h"

#include "formats/javascript/js_minified.h"
#include <stdlib.h>

static const struct {
    const char *why, *line;
    bool members;
    const char *want;
} rows[] = {
    {"a type", "Instance of 'minified:Bh'", false, "minified:Bh"},
    {"with arguments", "minified:Bh<minified:a, int>", false, "minified:Bh minified:a"},
    {"with a dollar", "minified:$_0", false, "minified:$_0"},
    {"nothing after the mark", "minified: a", false, ""},
    {"the end of another word", "unminified:Bh", false, ""},
    {"two marks", "minified:minified:a", false, "minified:minified"},
    {"a property that was read", "Cannot read property 'aB' of null", true, "aB"},
    {"as it is said today", "Cannot read properties of undefined (reading 'aB')", true, "aB"},
    {"set", "Cannot set properties of null (setting 'aB')", true, "aB"},
    {"called", "J.a(...).aB is not a function", true, "aB"},
    {"called, first in its line", "aB is not a function", true, "aB"},
    {"Dart's own words", "NoSuchMethodError: method not found: 'aB'", true, "aB"},
    {"in other scripts members are what they are",
     "Cannot read property 'aB' of null (reading 'c') d is not a function", false, ""},
    {"a key that is no name", "Cannot read property 'a b' of null", true, ""},
    {"an index", "Cannot read properties of null (reading '')", true, ""},
    {"a quotation without an end", "method not found: 'aB", true, ""},
    {"what is no member", "an 'aB' and (...) is not a function", true, ""},
    {"all kinds, in their order", "minified:a: b.c is not a function (reading 'd') minified:e", true,
     "minified:a c d minified:e"},
    {"nothing", "", true, ""},
};

static void walk(framemap_str line, bool members, struct fm_buf *out)
{
    framemap_str name;
    size_t at = 0, last = 0;
    while (fm_js_minified(line, members, &at, &name)) {
        const size_t from = (size_t)(name.data - line.data);
        assert_true(name.size > 0 && from >= last && from + name.size <= line.size);
        last = from + name.size;
        if (out->size) fm_buf_byte(out, ' ');
        fm_buf_str(out, name);
    }
}

static void test_names(void **state)
{
    (void)state;
    struct fm_heap heap;
    fm_heap_init(&heap, NULL, 0);
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
        /* each prefix of the line ends just before memory that cannot be read */
        for (size_t size = 0; size <= strlen(rows[i].line); size++) {
            struct fm_buf out;
            char *line = malloc(size + !size);
            memcpy(line, rows[i].line, size);
            fm_buf_init(&out, &heap);
            walk(fm_str(line, size), rows[i].members, &out);
            if (size == strlen(rows[i].line))
                same_text(rows[i].why, "what was told", fm_buf_view(&out), text_of(rows[i].want));
            fm_buf_free(&out);
            free(line);
        }
}

static const struct text_case texts[] = {
    {"a type above a stack", "what was thrown is marked, what is further up is not",
     "minified:a\nUncaught Error: minified:b<minified:c>\n    at f (https://x/main.dart.js:1:2)\n",
     "js-v8 3 exception:Error: minified:b<minified:c>\n- f:f at:https://x/main.dart.js:1:2\n! class:minified:a "
     "before:0\n! "
     "exception:minified:b before:0\n! "
     "exception:minified:c before:0\n"},
    {"colours", "what is named is at its place in the text",
     "\x1b[31mUncaught Error: \x1b[1mminified:b\x1b[0m<minified:c>\n    at f (https://x/main.dart.js:1:2)\n",
     "js-v8 2 exception:Error: minified:b<minified:c>\n- f:f at:https://x/main.dart.js:1:2\n! exception:minified:b "
     "before:0\n! exception:minified:c before:0\n"},
    {"one line, with colours", "each frame is at its place in the text",
     "\x1b[31mError: no at \x1b[36mf\x1b[0m (https://x/a.js:1:2) at g (https://x/\x1b[1ma.js:1:3)\x1b[0m\n",
     "js-one-line 1 exception:Error: no\n- f:f at:https://x/a.js:1:2\n- f:g at:https://x/a.js:1:3\n"},
    {"Firefox", "rows of another look", "Error: minified:b\nf@https://x/main.js:1:2\ng@https://x/main.js:1:3\n",
     "js-spidermonkey 2 exception:Error: minified:b\n- f:f at:https://x/main.js:1:2\n- f:g at:https://x/main.js:1:3\n! "
     "exception:minified:b before:0\n"},
    {"a member", "only of scripts that Dart's compiler wrote",
     "TypeError: a.b is not a function\n    at f (https://x/main.js:1:2)\n",
     "js-v8 2 exception:TypeError: a.b is not a function\n- f:f at:https://x/main.js:1:2\n"},
    {"of such", "the last word", "TypeError: a.b is not a function\n    at f (https://x/main.dart.js_1.part.js:1:2)\n",
     "js-v8 2 exception:TypeError: a.b is not a function\n- f:f at:https://x/main.dart.js_1.part.js:1:2\n! exception:b "
     "before:0\n"},
    {"too far above", "of something else",
     "minified:a\n1\n2\n3\n4\n5\n6\n7\n8\nError\n    at f (https://x/main.dart.js:1:2)\n",
     "js-v8 11 exception:Error\n- f:f at:https://x/main.dart.js:1:2\n"},
};

static void test_texts(void **state)
{
    (void)state;
    check_texts(texts, sizeof texts / sizeof *texts);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_names), cmocka_unit_test(test_texts)};
    return cmocka_run_group_tests_name("minified names", tests, NULL, NULL);
}
