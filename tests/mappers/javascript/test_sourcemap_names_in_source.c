/* Tests of function names that are taken from a map's source texts because the map has no names: at positions of a
 * text, and of functions in whole maps. */
#include "core/text/buffer.h"
#include "tests/testing.h"

#include "mappers/javascript/sourcemap/sourcemap_names_in_source.h"
#include <framemap/framemap.h>

/* --- testing names at positions of a text --- */

static void words_at_places(void **state)
{
    static const struct {
        const char *why, *text; /* the position is after the '|' in the text */
        bool function;
        const char *word;
    } rows[] = {
        {"an identifier", "a = |depth(n)", false, "depth"},
        {"at the end", "|x", false, "x"},
        {"a private name", "  |#primary(): Node {", false, "#primary"},
        {"letters beyond ASCII",
         "|gr\xC3\xB6\xC3\x9F"
         "e(",
         false,
         "gr\xC3\xB6\xC3\x9F"
         "e"},
        {"digits within", "|a1$_ =", false, "a1$_"},
        {"a number is none", "|12", false, ""},
        {"nor is a sign", "|(a)", false, ""},
        {"nor is nothing", "|", false, ""},
        {"a lone hash", "|# a", false, ""},
        {"an escape within", "|a\\u0062c", false, ""},
        {"a word of the language", "|class A {", false, ""},
        {"a modifier", "|static of() {", false, ""},
        {"a modifier of a private name", "|static #of() {", false, ""},
        {"a modifier over lines", "|async\n  run() {", false, ""},
        {"a function called as a modifier is", "|get(object, path) {", false, "get"},
        {"a variable called so", "|set = 5", false, "set"},
        {"a function", "x = |function cell(rows) {", true, "cell"},
        {"a generator", "|function* pages() {", true, "pages"},
        {"a generator with its star elsewhere", "|function *pages() {", true, "pages"},
        {"and without blanks", "|function*pages() {", true, "pages"},
        {"async", "|async function first() {", true, "first"},
        {"exported", "|export default async function first() {", true, "first"},
        {"over lines", "|function\n    cell\n(", true, "cell"},
        {"without a name", "|function (a) {", true, ""},
        {"another word that begins so", "|functional(a)", true, ""},
        {"an arrow", "|(a) => a", true, ""},
        {"a constant's value", "const add = |(a) => a", true, "add"},
        {"a variable's", "let add =\n  |async (a) => a", true, "add"},
        {"the name after `function` is before", "var add = |function plus() {}", true, "plus"},
        {"of a declared type", "const add: Adder = |(a) => a", true, ""},
        {"an assignment", "add = |(a) => a", true, ""},
        {"of a member", "const x = 1; a.add = |(a) => a", true, ""},
        {"a comparison", "const a == |(b)", true, ""},
        {"an argument", "const a = f(|(b) => b)", true, ""},
        {"a default", "function f(a = |() => 1) {", true, ""},
        {"a word that ends so", "myconst add = |() => 1", true, ""},
        {"at the begin of the text", "= |() => 1", true, ""},
    };
    (void)state;
    for (size_t i = 0; i < COUNT_OF(rows); i++) {
        const framemap_str marked = framemap_str_of(rows[i].text);
        const size_t at = fm_str_find_byte(marked, '|');
        char text[128];
        snprintf(text, sizeof text, "%.*s%s", (int)at, rows[i].text, rows[i].text + at + 1);
        const framemap_str word = fm_sourcemap_name_at(
            framemap_str_of(text), at, rows[i].function ? FM_SOURCEMAP_QUERY_FUNCTION : FM_SOURCEMAP_QUERY_IDENTIFIER);
        if (!fm_str_equal(word, framemap_str_of(rows[i].word)))
            fail_msg("%s: \"%.*s\"", rows[i].why, (int)word.size, word.data);
    }
}

static void arguments_of_calls(void **state)
{
    static const struct {
        const char *why, *text; /* the position is after the '|' in the text */
        bool argument;
    } rows[] = {
        {"the first of a call", "f(|(a) => a)", true},
        {"over lines", "f(\n  |async (b) => b)", true},
        {"after a comma it may be an array's element", "f(a, |(b) => b)", false},
        {"of a parameter alone", "f(|a => a)", true},
        {"a function", "new f( |function (a) {})", true},
        {"of a call of what was called", "f()(|() => 1)", true},
        {"of an element", "a[0](|() => 1)", true},
        {"in parentheses alone", "x = (|() => 1)", false},
        {"a value", "x = |() => 1", false},
        {"a property", "{ a: |() => 1 }", false},
        {"a method's parenthesis", "{ a, b|() {} }", false},
        {"a parameter", "f((|a) => a)", false},
        {"an argument that is not a function", "f(|a, () => 1)", false},
        {"the begin of the text", "|() => 1", false},
    };
    (void)state;
    for (size_t i = 0; i < COUNT_OF(rows); i++) {
        const framemap_str marked = framemap_str_of(rows[i].text);
        const size_t at = fm_str_find_byte(marked, '|');
        char text[128];
        snprintf(text, sizeof text, "%.*s%s", (int)at, rows[i].text, rows[i].text + at + 1);
        if (fm_sourcemap_is_argument_at(framemap_str_of(text), at) != rows[i].argument) fail_msg("%s", rows[i].why);
    }
}

/* Tries arbitrary texts and arbitrary positions. */
static void any_place(void **state)
{
    static const char text[] = "const a = async function*\n  b\\u{3}#c() { get = #; } let \xF0\x9F\x98\x80 = (";
    (void)state;
    for (size_t size = 0; size < sizeof text; size++) {
        char *copy = malloc(size + 1); /* a block of the exact size, so that a sanitizer detects a read past the end */
        memcpy(copy, text, size);
        for (size_t at = 0; at <= size; at++)
            for (int kind = FM_SOURCEMAP_QUERY_IDENTIFIER; kind <= FM_SOURCEMAP_QUERY_FUNCTION; kind++) {
                const framemap_str word =
                    fm_sourcemap_name_at(fm_str(copy, size), at, (enum fm_sourcemap_name_query_kind)kind);
                (void)fm_sourcemap_is_argument_at(fm_str(copy, size), at);
                assert_true(word.size == 0 || (word.data >= copy && word.data + word.size <= copy + size));
            }
        free(copy);
    }
}

/* --- testing names of functions in whole maps --- */

struct segment {
    int col, source, line, source_col, name; /* name: index of a name in the map; -1: the segment has no name */
};

static void put_vlq(struct fm_buf *out, int value)
{
    static const char digits[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    unsigned rest = value < 0 ? (unsigned)-value << 1 | 1 : (unsigned)value << 1;
    do {
        const unsigned digit = rest & 31;
        rest >>= 5;
        (void)fm_buf_byte(out, digits[digit | (rest ? 32 : 0)]);
    } while (rest);
}

static void put_mappings(struct fm_buf *out, const struct segment *segments, size_t count)
{
    struct segment last = {0, 0, 0, 0, 0};
    for (size_t i = 0; i < count; i++) {
        const struct segment *s = &segments[i];
        if (i > 0) (void)fm_buf_byte(out, ',');
        put_vlq(out, s->col - last.col);
        put_vlq(out, s->source - last.source);
        put_vlq(out, s->line - last.line);
        put_vlq(out, s->source_col - last.source_col);
        if (s->name >= 0) put_vlq(out, s->name - last.name);
        const int name = s->name >= 0 ? s->name : last.name;
        last = *s;
        last.name = name;
    }
}

/* Writes the name of the function at a column of the generated line; "" for none. */
static void function_at(const framemap_index *index, framemap_scratch *scratch, uint64_t col0, char *out, size_t room)
{
    framemap_query query = FRAMEMAP_QUERY_INIT;
    framemap_frame frame;
    framemap_error error;
    query.position = col0;
    assert_int_equal(framemap_resolve(index, &query, scratch, &frame, &error), FRAMEMAP_OK);
    assert_int_equal(frame.restored.count, 1);
    const framemap_str function = frame.restored.frames[0].function;
    snprintf(out, room, "%.*s", (int)function.size, function.data ? function.data : "");
}

struct whole {
    const char *why, *script, *sources[2]; /* sources: the texts in sourcesContent; NULL: the member is null */
    struct segment segments[8];
    size_t count;
    unsigned col0;
    const char *function;
};

static const struct whole wholes[] = {
    {"a name that the map does not tell",
     "function a(b){throw b}",
     {"// a\nfunction depth(n) {\n  throw n;\n}\n"},
     {{0, 0, 1, 0, -1}, {9, 0, 1, 9, -1}, {14, 0, 2, 2, -1}},
     3,
     15,
     "depth"},
    {"one that the map has is not read",
     "function a(b){throw b}",
     {"// a\nfunction depth(n) {\n  throw n;\n}\n"},
     {{0, 0, 1, 0, -1}, {9, 0, 1, 9, 0}, {14, 0, 2, 2, -1}},
     3,
     15,
     "told"},
    {"a function that lost its name",
     "x(function(b){throw b})",
     {"\r\nx(function cell(n) {\r\n  throw n;\r\n})"},
     {{0, 0, 1, 0, -1}, {2, 0, 1, 2, -1}, {14, 0, 2, 2, -1}},
     3,
     15,
     "cell"},
    {"one that had none",
     "x(function(b){throw b})",
     {"\nx(function (n) {\n  throw n;\n})"},
     {{0, 0, 1, 0, -1}, {2, 0, 1, 2, -1}, {14, 0, 2, 2, -1}},
     3,
     15,
     ""},
    {"put where it was called: the second of two segments is its own",
     "x+function(b){throw b}()",
     {"x + cell();\nfunction cell(n) { throw n; }"},
     {{0, 0, 0, 0, -1}, {2, 0, 0, 4, 0}, {2, 0, 1, 0, -1}, {14, 0, 1, 19, -1}},
     4,
     15,
     "cell"},
    {"named by a property, with a name of its own",
     "x={get:function(b){throw b}}",
     {"x = { get: function rank(n) { throw n; } }"},
     {{0, 0, 0, 0, -1}, {7, 0, 0, 11, -1}, {19, 0, 0, 30, -1}},
     3,
     20,
     "rank"},
    {"a private method",
     "class A{#b(){throw 1}}",
     {"class Parser {\n  #primary() { throw 1; }\n}"},
     {{0, 0, 0, 0, -1}, {6, 0, 0, 6, -1}, {8, 0, 1, 2, -1}, {13, 0, 1, 15, -1}},
     4,
     14,
     "#primary"},
    {"an argument that became a variable",
     "{let b=c=>{throw c};b()}",
     {"twice((value) => {\n  throw value;\n})"},
     {{0, 0, 0, 0, -1}, {5, 0, 0, 0, 0}, {7, 0, 0, 6, -1}, {11, 0, 1, 2, -1}, {20, 0, 2, 0, -1}},
     5,
     12,
     "<anonymous>"},
    {"columns are UTF-16 units",
     "x(function(b){throw b})",
     {"/* \xF0\x9F\x98\x80\xC3\xA9\xE2\x82\xAC */ x(function cell(n) { throw n; })"},
     {{0, 0, 0, 11, -1}, {2, 0, 0, 13, -1}, {14, 0, 0, 32, -1}},
     3,
     15,
     "cell"},
    {"the second source, the first has no text",
     "function a(b){throw b}",
     {NULL, "function second(n) { throw n; }"},
     {{0, 1, 0, 0, -1}, {9, 1, 0, 9, -1}, {14, 1, 0, 21, -1}},
     3,
     15,
     "second"},
    {"no text: the name is unchanged",
     "function a(b){throw b}",
     {NULL, NULL},
     {{0, 0, 0, 0, -1}, {9, 0, 0, 9, -1}, {14, 0, 0, 21, -1}},
     3,
     15,
     "a"},
    {"places that the text does not have",
     "function a(b){throw b}",
     {"function x"},
     {{0, 0, 0, 0, -1}, {9, 0, 0, 90, -1}, {14, 0, 9, 2, -1}},
     3,
     15,
     "a"},
};

static void put_source(struct fm_buf *out, const char *source)
{
    if (source)
        (void)fm_buf_json(out, framemap_str_of(source));
    else
        (void)fm_buf_str(out, FM_STR("null"));
}

static framemap_str write_map(struct fm_buf *out, const struct whole *whole)
{
    (void)fm_buf_str(
        out, FM_STR("{\"version\":3,\"sources\":[\"a.ts\",\"b.ts\"],\"names\":[\"told\"],\"sourcesContent\":["));
    put_source(out, whole->sources[0]);
    (void)fm_buf_byte(out, ',');
    put_source(out, whole->sources[1]);
    (void)fm_buf_str(out, FM_STR("],\"mappings\":\""));
    put_mappings(out, whole->segments, whole->count);
    (void)fm_buf_str(out, FM_STR("\"}"));
    assert_false(out->failed);
    return fm_buf_view(out);
}

static framemap_status build_whole(const struct whole *whole, const framemap_allocator *allocator,
                                   framemap_bytes *bytes, framemap_error *error)
{
    struct fm_heap heap;
    struct fm_buf text;
    fm_heap_init(&heap, NULL, 0);
    fm_buf_init(&text, &heap);
    const framemap_build_options options = {
        .size = sizeof options, .script = framemap_str_of(whole->script), .allocator = allocator, .strict = true};
    const framemap_str map = write_map(&text, whole);
    *bytes = (framemap_bytes){.data = NULL};
    const framemap_status status = framemap_index_build(map, FM_STR("a.js.map"), &options, bytes, error);
    fm_buf_free(&text);
    return status;
}

static void functions_of_maps(void **state)
{
    (void)state;
    for (size_t i = 0; i < COUNT_OF(wholes); i++) {
        framemap_bytes bytes;
        framemap_error error;
        framemap_index *index = NULL;
        framemap_scratch *scratch = NULL;
        char function[64];
        if (build_whole(&wholes[i], NULL, &bytes, &error) != FRAMEMAP_OK)
            fail_msg("%s: %s", wholes[i].why, error.message);
        assert_int_equal(framemap_index_open(framemap_bytes_str(&bytes), NULL, &index, &error), FRAMEMAP_OK);
        assert_int_equal(framemap_scratch_create(NULL, &scratch, &error), FRAMEMAP_OK);
        function_at(index, scratch, wholes[i].col0, function, sizeof function);
        if (strcmp(function, wholes[i].function) != 0) fail_msg("%s: \"%s\"", wholes[i].why, function);
        framemap_scratch_free(scratch);
        framemap_index_close(index);
        framemap_bytes_free(&bytes);
    }
}

static bool build_with(const framemap_allocator *allocator, void *context)
{
    const struct whole *whole = context;
    framemap_bytes bytes;
    framemap_error error;
    const framemap_status status = build_whole(whole, allocator, &bytes, &error);
    if (status != FRAMEMAP_OK) assert_int_equal(status, FRAMEMAP_E_MEMORY);
    framemap_bytes_free(&bytes);
    return status == FRAMEMAP_OK;
}

static void want_of_memory(void **state)
{
    (void)state;
    for (size_t i = 0; i < COUNT_OF(wholes); i++) {
        struct whole whole = wholes[i];
        assert_true(sweep_allocations(build_with, &whole) > 10);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(words_at_places),   cmocka_unit_test(arguments_of_calls), cmocka_unit_test(any_place),
        cmocka_unit_test(functions_of_maps), cmocka_unit_test(want_of_memory),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
