/* Tests of Dart's obfuscation maps: how they are recognised, what they contain, and the messages for those that are
 * refused. */
#include "core/text/buffer.h"
#include "tests/testing.h"

#include "index/read/classes/class_view.h"
#include "mappers/dart/dart_names.h"
#include "resolve/dart/dart_deobfuscate.h"

struct built {
    struct fm_heap heap;
    struct fm_built bytes;
    struct fm_view *view;
    framemap_status status;
    framemap_error error;
};

static void build(struct built *built, framemap_str text, const framemap_allocator *allocator)
{
    struct fm_builder *builder = NULL;
    *built = (struct built){.view = NULL};
    fm_heap_init(&built->heap, allocator, 0);
    const struct fm_mapper_host host = {.heap = &built->heap, .threads = 1};
    built->status = fm_builder_create(&built->heap, &builder, &built->error);
    if (built->status == FRAMEMAP_OK) {
        built->status = fm_dart_names_mapper.build(text, FM_STR("a/names.json"), &host, builder, &built->error);
        if (built->status == FRAMEMAP_OK) built->status = fm_builder_finish(builder, &built->bytes, &built->error);
        fm_builder_free(builder);
    }
    if (built->status == FRAMEMAP_OK)
        built->status =
            fm_view_open(fm_str(built->bytes.data, built->bytes.size), &built->heap, &built->view, &built->error);
    if (built->view) built->status = fm_view_verify(built->view, &built->error);
    assert_int_not_equal(built->status, FRAMEMAP_E_INTERNAL);
}

static void release(struct built *built)
{
    fm_view_close(built->view);
    fm_heap_free(&built->heap, built->bytes.data, built->bytes.size);
    assert_int_equal(atomic_load(&built->heap.used), 0);
}

/* want: the pairs that are read, as "obfuscated=original", sorted by obfuscated name; NULL: the map is refused, and
 * `fault` is part of the message. */
static const struct {
    const char *why, *text;
    int probe;
    const char *want, *fault;
} rows[] = {
    {"pairs side by side", "[\"MaterialApp\",\"ex\",\"Scaffold\",\"ey\"]", 60, "ex=MaterialApp ey=Scaffold", NULL},
    {"any white space", " [ \"A\" ,\n\t\"b\" ] \r\n", 60, "b=A", NULL},
    {"one that kept its name", "[\"main\",\"main\",\"A\",\"b\"]", 60, "b=A", NULL},
    {"of a name that occurs twice, the first counts", "[\"A\",\"b\",\"C\",\"b\"]", 60, "b=A", NULL},
    {"one original with two names", "[\"A\",\"b\",\"A\",\"c\"]", 60, "b=A c=A", NULL},
    {"a name that is another's original", "[\"a\",\"b\",\"b\",\"a\"]", 60, "a=b b=a", NULL},
    {"escapes", "[\"\\u0041\",\"b\\u0063\",\"d\\\"e\",\"f\"]", 60, "bc=A f=d\"e", NULL},
    {"escaped and not, one name", "[\"A\",\"b\",\"C\",\"\\u0062\"]", 60, "b=A", NULL},
    {"what the compiler calls by words", "[\"A\",\"b\",\"<optimized out>\",\"c\",\"D\",\"d\"]", 60,
     "b=A c=<optimized out> d=D", NULL},
    {"no pair", "[]", 0, "", NULL},
    {"cut off after a name", "[\"A\",\"b\",\"C\"]", 0, NULL, "no partner"},
    {"cut off within one", "[\"A\",\"b\",\"C", 0, NULL, "string"},
    {"cut off after a comma", "[\"A\",\"b\",", 0, NULL, "value"},
    {"something after it", "[\"A\",\"b\"] x", 0, NULL, "nothing after"},
    {"numbers", "[\"A\",1]", 0, NULL, "another value"},
    {"lists", "[\"A\",[\"b\"]]", 0, NULL, "another value"},
    {"an object", "{\"A\":\"b\"}", 0, NULL, "JSON array"},
    {"a string", "\"A\"", 0, NULL, "JSON array"},
    {"nothing", "", 0, NULL, "JSON array"},
    {"no JSON", "ELF", 0, NULL, "JSON array"},
    {"a list of sentences", "[\"this is\",\"a list\",\"of some\",\"words\"]", 0, "a list=this is words=of some", NULL},
};

static void describe(const struct built *built, struct fm_buf *out)
{
    struct fm_view_class found, again;
    for (uint64_t i = 0; fm_view_class_at(built->view, i, &found); i++) {
        fm_buf_printf(out, "%s%.*s=%.*s", i ? " " : "", (int)found.residual.size, found.residual.data,
                      (int)found.original.size, found.original.data);
        assert_true(fm_view_class(built->view, found.residual, &again) && again.number == i);
    }
}

static void test_rows(void **state)
{
    (void)state;
    for (size_t i = 0; i < COUNT_OF(rows); i++) {
        const framemap_str text = framemap_str_of(rows[i].text);
        struct built built;
        struct fm_buf got;
        if (fm_dart_names_mapper.probe(text, FM_STR("a.json")) != rows[i].probe)
            fail_msg("%s: probed as another", rows[i].why);
        build(&built, text, NULL);
        fm_buf_init(&got, &built.heap);
        if ((built.status == FRAMEMAP_OK) != (rows[i].want != NULL))
            fail_msg("%s: status %d %s", rows[i].why, built.status, built.error.message);
        if (built.status == FRAMEMAP_OK) {
            assert_true(fm_is_dart_names(built.view));
            describe(&built, &got);
            if (!fm_str_equal(fm_buf_view(&got), framemap_str_of(rows[i].want)))
                fail_msg("%s: got %.*s", rows[i].why, (int)got.size, got.data);
        } else if (strstr(built.error.message, rows[i].fault) == NULL) {
            fail_msg("%s: says \"%s\"", rows[i].why, built.error.message);
        }
        fm_buf_free(&got);
        release(&built);
    }
}

/* Checks that each prefix of a good map is refused, and is not recognised as a map. Each prefix is in a block of its
 * exact size. */
static void test_prefixes(void **state)
{
    (void)state;
    static const char text[] = "[\"MaterialApp\",\"ex\",\"d\\\"\\u0065\",\"f\",\"main\",\"main\"]";
    for (size_t size = 0; size + 1 < sizeof text; size++) {
        struct built built;
        char *part = malloc(size + !size);
        memcpy(part, text, size);
        assert_int_equal(fm_dart_names_mapper.probe(fm_str(part, size), FM_STR("")), 0);
        build(&built, fm_str(part, size), NULL);
        assert_int_equal(built.status, FRAMEMAP_E_CORRUPT);
        release(&built);
        free(part);
    }
}

static char *long_map(size_t pairs, bool equal, size_t *size)
{
    char *text = malloc(pairs * 40 + 3);
    size_t at = 0;
    text[at++] = '[';
    for (size_t i = 0; i < pairs; i++)
        at += (size_t)sprintf(text + at, "%s\"Original%zu\",\"o%zu\"", i ? "," : "", i, equal ? (size_t)0 : i);
    text[at++] = ']';
    *size = at;
    return text;
}

/* Checks a map as large as the maps of apps: it is recognised by its first few thousand bytes, and read in linear time,
 * even if all names are equal. */
static void test_large(void **state)
{
    (void)state;
    enum { PAIRS = 50000 };
    for (unsigned equal = 0; equal < 2; equal++) {
        struct built built;
        framemap_str original = {NULL, 0};
        size_t size;
        char *text = long_map(PAIRS, equal, &size);
        assert_int_equal(fm_dart_names_mapper.probe(fm_str(text, size), FM_STR("")), 60);
        build(&built, fm_str(text, size), NULL);
        assert_int_equal(built.status, FRAMEMAP_OK);
        assert_true(fm_dart_original(built.view, equal ? FM_STR("o0") : FM_STR("o49999"), &original));
        assert_str(original, equal ? "Original0" : "Original49999");
        assert_false(fm_dart_original(built.view, FM_STR("Original0"), &original));
        release(&built);
        free(text);
    }
}

static bool build_once(const framemap_allocator *allocator, void *context)
{
    struct built built;
    build(&built, *(const framemap_str *)context, allocator);
    const framemap_status status = built.status;
    if (status != FRAMEMAP_OK) assert_int_equal(status, FRAMEMAP_E_MEMORY);
    release(&built);
    return status == FRAMEMAP_OK;
}

static void test_memory(void **state)
{
    (void)state;
    framemap_str text = FM_STR("[\"MaterialApp\",\"ex\",\"d\\\"\\u0065\",\"f\",\"main\",\"main\"]");
    assert_true(sweep_allocations(build_once, &text) > 5);
}

/* --- testing restored texts --- */

static bool words(framemap_str text, size_t *at, framemap_str *out)
{
    size_t from = *at, end;
    while (from < text.size && text.data[from] == ' ') from++;
    for (end = from; end < text.size && text.data[end] != ' ';) end++;
    *out = fm_str_slice(text, from, end);
    *at = end;
    return end > from;
}

struct renaming {
    struct built built;
    const char *text, *want;
};

static bool rename_once(const framemap_allocator *allocator, void *context)
{
    const struct renaming *renaming = context;
    struct fm_heap heap;
    struct fm_arena arena;
    framemap_str out = {NULL, 0};
    fm_heap_init(&heap, allocator, 0);
    fm_arena_init(&arena, &heap);
    const bool good = fm_dart_rename(renaming->built.view, words, framemap_str_of(renaming->text), &arena, &out);
    if (good) assert_str(out, renaming->want);
    fm_arena_free(&arena);
    return good;
}

static void test_rename(void **state)
{
    (void)state;
    static const char *const texts[][2] = {
        {"ex", "MaterialApp"},
        {"a ex b", "a MaterialApp b"},
        {"ex ex", "MaterialApp MaterialApp"},
        {"exe", "exe"},
        {"", ""},
        {" n ex", "  MaterialApp"}, /* an identifier of the map may be empty */
    };
    struct renaming renaming;
    build(&renaming.built, FM_STR("[\"MaterialApp\",\"ex\",\"\",\"n\"]"), NULL);
    assert_int_equal(renaming.built.status, FRAMEMAP_OK);
    for (size_t i = 0; i < COUNT_OF(texts); i++) {
        renaming.text = texts[i][0];
        renaming.want = texts[i][1];
        sweep_allocations(rename_once, &renaming);
    }
    release(&renaming.built);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_rows), cmocka_unit_test(test_prefixes),
                                       cmocka_unit_test(test_large), cmocka_unit_test(test_memory),
                                       cmocka_unit_test(test_rename)};
    return cmocka_run_group_tests_name("obfuscation maps of Dart", tests, NULL, NULL);
}
