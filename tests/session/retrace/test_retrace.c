/* Tests the retrace call: its output, the state between lines, mappings that are found by class, and errors. */
#include "core/text/buffer.h"
#include "tests/testing.h"

#include <framemap/framemap.h>

#define VERSION "# {\"id\":\"com.android.tools.r8.mapping\",\"version\":\"2.2\"}\n"
static const char mapping[] = VERSION
    "o.p.Cls -> a:\n"
    "    1:5:void m():10:14 -> a\n"
    "    int field -> f\n"
    "    void n(int) -> b\n"
    "    int e() -> b\n"
    "    1:1:void q.In.inner():7 -> c\n"
    "    1:1:void outer():9 -> c\n"
    "    1:5:void fan():20:22 -> d\n"
    "    1:1:int out():1 -> g\n"
    "      # {\"id\":\"com.android.tools.r8.outline\"}\n"
    "    3:3:int call():50 -> h\n"
    "    4:4:int call():60 -> h\n"
    "      # {\"id\":\"com.android.tools.r8.outlineCallsite\",\"positions\":{\"1\":3},\"outline\":\"La;g()I\"}\n"
    "    0:0:void q.In.inner():5:5 -> k\n"
    "    0:0:void f():7 -> k\n"
    "    1:1:void f():9 -> k\n"
    "    0:0:void q.In.inner():5:5 -> k\n"
    "    0:0:void g():8 -> k\n"
    "o.p.MainKt -> x.y:\n"
    "    1:1:void r():1 -> a\n"
    "      # {\"id\":\"com.android.tools.r8.rewriteFrame\",\"conditions\":[\"throws(Lx/y;)\"],"
    "\"actions\":[\"removeInnerFrames(9)\"]}\n";

struct row {
    const char *text, *want, *expression;
    bool verbose;
    const char *why;
};

static bool gather(void *context, const char *data, size_t size) { return fm_buf_add(context, data, size); }

static framemap_status open_mapping(const char *text, const char *mapper, const framemap_allocator *allocator,
                                    framemap_bytes *bytes, framemap_index **index, framemap_error *error)
{
    framemap_build_options options = {.size = sizeof options, .allocator = allocator, .mapper = mapper, .strict = true};
    framemap_status status =
        framemap_index_build(framemap_str_of(text), framemap_str_of("mapping.txt"), &options, bytes, error);
    return status == FRAMEMAP_OK ? framemap_index_open(framemap_bytes_str(bytes), allocator, index, error) : status;
}

struct opened {
    framemap_bytes bytes;
    framemap_index *index;
};

static void open_good(struct opened *opened, const char *text, const char *mapper)
{
    framemap_error error = {0};
    memset(opened, 0, sizeof *opened);
    if (open_mapping(text, mapper, NULL, &opened->bytes, &opened->index, &error)) fail_msg("%s", error.message);
}

static void close_opened(struct opened *opened)
{
    framemap_index_close(opened->index);
    framemap_bytes_free(&opened->bytes);
}

static void check(const framemap_index *index, const struct row *rows, size_t count)
{
    struct fm_heap heap;
    fm_heap_init(&heap, NULL, 0);
    for (size_t i = 0; i < count; i++) {
        framemap_retracer *retracer = NULL;
        framemap_error error = {0};
        framemap_retrace_options options = {
            .size = sizeof options, .expression = rows[i].expression, .verbose = rows[i].verbose};
        struct fm_buf out;
        fm_buf_init(&out, &heap);
        if (framemap_retracer_create(index, &options, &retracer, &error) ||
            framemap_retracer_text(retracer, framemap_str_of(rows[i].text), gather, &out, &error))
            fail_msg("%s: %s", rows[i].why, error.message);
        if (!fm_str_equal(fm_buf_view(&out), framemap_str_of(rows[i].want)))
            fail_msg("%s:\n%.*swanted:\n%s", rows[i].why, (int)out.size, out.data ? out.data : "", rows[i].want);
        framemap_retracer_free(retracer);
        fm_buf_free(&out);
    }
}

static void test_lines(void **state)
{
    static const struct row rows[] = {
        {"\tat a.a(S:3)\n", "\tat o.p.Cls.m(Cls.java:12)\n", NULL, false, "a frame"},
        {"\tat a.a(S:3)", "\tat o.p.Cls.m(Cls.java:12)\n", NULL, false, "the last line gets its end"},
        {"x\r\n\r\ry\n", "x\n\n\ny\n", NULL, false, "lines end at CR LF and CR, and are printed with LF"},
        {"", "", NULL, false, "nothing"},
        {"\n", "\n", NULL, false, "an empty line"},
        {"  at z.z(Unknown Source:0)\n", "  at z.z(Unknown Source)\n", NULL, false,
         "line 0 goes, also of classes that are not known"},
        {"  at z.z(S:007)\n", "  at z.z(S:7)\n", NULL, false, "zeros before the number go"},
        {"  at a.zz(S:9)\n", "  at o.p.Cls.zz(Cls.java:9)\n", NULL, false, "the class alone"},
        {"  at a.c(S:1) ~[x]\n", "  at q.In.inner(In.java:7) ~[x]\n  at o.p.Cls.outer(Cls.java:9) ~[x]\n", NULL, false,
         "an inline chain"},
        {"  at a.b(S)\n", "  at o.p.Cls.e(Cls.java)\n  <OR> at o.p.Cls.n(Cls.java)\n", NULL, false, "alternatives"},
        {"that at a.b(S)\n", "that at o.p.Cls.e(Cls.java)\nth<OR> at at o.p.Cls.n(Cls.java)\n", NULL, false,
         "the first \"at \" of the line"},
        {"  at a.d(S:2)\n",
         "  at o.p.Cls.fan(Cls.java:20)\n  <OR> at o.p.Cls.fan(Cls.java:21)\n  <OR> at o.p.Cls.fan(Cls.java:22)\n",
         NULL, false, "one line for more"},
        {"  at a.b(S)\n", "  at o.p.Cls.int e()(Cls.java)\n  <OR> at o.p.Cls.void n(int)(Cls.java)\n", NULL, true,
         "verbose"},
        {"Caused by: a: x y\n", "Caused by: o.p.Cls: x y\n", NULL, false, "a class"},
        {"  at a.g(S:1)\n  at a.h(S:4)\n", "  at o.p.Cls.call(Cls.java:50)\n", NULL, false,
         "an outline determines the next line"},
        {"  at a.g(S:1)\nsome text\n  at a.h(S:4)\n", "some text\n  at o.p.Cls.call(Cls.java:50)\n", NULL, false,
         "over text between"},
        {"  at a.h(S:4)\n", "  at o.p.Cls.call(Cls.java:60)\n", NULL, false, "which is nothing without it"},
    };
    struct opened opened;
    (void)state;
    open_good(&opened, mapping, "r8");
    check(opened.index, rows, COUNT_OF(rows));
    close_opened(&opened);
}

static void test_expressions(void **state)
{
    static const struct row rows[] = {
        {"a.a 3\n", "o.p.Cls.m 12\n", "%c\\.%m %l", false, "no colon before the number"},
        {"a.a 0\n", "o.p.Cls.m \n", "%c\\.%m %l", false, "no number at all"},
        {"a.a\n", "o.p.Cls.m\n", "%c\\.%m", false, "no place for a line"},
        {"x/y!\n", "o/p/MainKt!\n", "%C!", false, "slashes"},
        {"x.z\n", "x.z\n", "%C", false, "as it was"},
        {"q/r.s\n", "q/r.s\n", "%C\\.%f", false, "slashes stay where the class is not known"},
        {"q/r[] x\n", "q.r[] x\n", "%t x", false, "but not in types, known or not"},
        {"x/y x\n", "o.p.MainKt x\n", "%t x", false, "which are found as well"},
        {"a.f S\n", "o.p.Cls.field Cls.java\n", "%c\\.%f %s", false, "a field's file"},
        {"a.zz S\n", "o.p.Cls.zz S\n", "%c\\.%f %s", false, "none where the field is not known, though the class is"},
        {"a.f\n", "o.p.Cls.field\n", "%c\\.%f", false, "a field"},
        {"a.f\n", "o.p.Cls.int field\n", "%c\\.%f", true, "with its type"},
        {"a.zz\n", "o.p.Cls.zz\n", "%c\\.%f", true, "one that is not known"},
        {"a[] x.y\n", "o.p.Cls[] o.p.MainKt\n", "%t %c", false, "a type"},
        {"(a,\t int,x/y[])\n", "(o.p.Cls,  int,o.p.MainKt[])\n", "\\(%a\\)", false, "arguments keep their distances"},
        {"a.k\n", "q.In.inner\no.p.Cls.f\n", "%c\\.%m", false, "alternatives that begin alike are one"},
        {"a.k()\n", "q.In.inner()\no.p.Cls.f()\n<OR> o.p.Cls.g()\n", "%c\\.%m\\(%a\\)", false,
         "but not those of lines with arguments"},
        {"a f\n", "a f\n", "%m %f", false, "members without a class"},
        {"x.y S\n", "o.p.MainKt Main.kt\n", "%c %s", false, "a source by its class"},
    };
    struct opened opened;
    (void)state;
    open_good(&opened, mapping, "r8");
    check(opened.index, rows, COUNT_OF(rows));
    close_opened(&opened);
}

static void test_proguard(void **state)
{
    static const struct row rows[] = {
        {"  at a.a(S:3)\n", "  at o.p.Cls.m(Cls.java:12)\n", NULL, false, "a frame"},
        {"  at a.b(S)\n", "  at o.p.Cls.n(Cls.java)\n             e(Cls.java)\n", NULL, false,
         "what alternatives share is blank"},
        {"  at a.zz(S:0)\n", "  at o.p.Cls.null zz(null)(Cls.java:0)\n", NULL, true, "what is not known"},
        {"x y\n", "x y\n", NULL, false, "text"},
        {"a.b()\n", "o.p.Cls.e()\n", "%c\\.%m\\(%a\\)", false, "arguments choose"},
        {"int a.b\n", "int o.p.Cls.e\n", "%t %c\\.%m", false, "types do"},
        {"a.f\n", "o.p.Cls.field\n", "%c\\.%f", false, "a field"},
    };
    struct opened opened;
    (void)state;
    open_good(&opened, mapping, "proguard");
    check(opened.index, rows, COUNT_OF(rows));
    close_opened(&opened);
}

static void count_warning(void *context, const framemap_error *warning)
{
    assert_int_equal(warning->line, 2);
    ++*(size_t *)context;
}

/* A text may be passed in parts, and the state is kept from one part to the next. framemap_retracer_reset clears the
 * state. */
static void test_parts(void **state)
{
    struct opened opened;
    struct fm_heap heap;
    struct fm_buf out;
    framemap_retracer *retracer = NULL;
    framemap_error error;
    size_t warnings = 0;
    (void)state;
    open_good(&opened, mapping, "r8");
    fm_heap_init(&heap, NULL, 0);
    fm_buf_init(&out, &heap);
    framemap_retrace_options options = {.size = sizeof options, .warning = count_warning, .context = &warnings};
    assert_int_equal(framemap_retracer_create(opened.index, &options, &retracer, &error), FRAMEMAP_OK);
    char exception[] = "x.y: z\n";
    assert_int_equal(framemap_retracer_text(retracer, framemap_str_of(exception), gather, &out, &error), FRAMEMAP_OK);
    /* overwrites the caller's buffer, which the retracer must not use any more */
    memset(exception, '#', sizeof exception - 1);
    assert_int_equal(framemap_retracer_text(retracer, FM_STR("at x.y.a(S:1)\n"), gather, &out, &error), FRAMEMAP_OK);
    assert_int_equal(warnings, 1);
    assert_str(fm_buf_view(&out), "o.p.MainKt: z\nat o.p.MainKt.r(Main.kt:1)\n");
    fm_buf_clear(&out);
    assert_int_equal(framemap_retracer_text(retracer, FM_STR("at a.g(S:1)\n"), gather, &out, &error), FRAMEMAP_OK);
    framemap_retracer_reset(retracer);
    assert_int_equal(framemap_retracer_text(retracer, FM_STR("at a.h(S:4)\n"), gather, &out, &error), FRAMEMAP_OK);
    assert_str(fm_buf_view(&out), "at o.p.Cls.call(Cls.java:60)\n");
    framemap_retracer_free(retracer);
    fm_buf_free(&out);
    close_opened(&opened);
}

struct requests {
    const framemap_index *index;
    char names[200];
};

static const framemap_index *find(void *context, framemap_str class_name)
{
    struct requests *requests = context;
    strncat(requests->names, class_name.data, class_name.size);
    strcat(requests->names, " ");
    return fm_str_equal(class_name, FM_STR("a")) ? requests->index : NULL;
}

static void test_finder(void **state)
{
    struct opened opened;
    struct fm_heap heap;
    struct fm_buf out;
    framemap_retracer *retracer = NULL;
    framemap_error error;
    (void)state;
    open_good(&opened, mapping, "r8");
    fm_heap_init(&heap, NULL, 0);
    fm_buf_init(&out, &heap);
    struct requests requests = {.index = opened.index, .names = ""};
    framemap_retrace_options options = {.size = sizeof options, .find = find, .find_context = &requests};
    assert_int_equal(framemap_retracer_create(NULL, &options, &retracer, &error), FRAMEMAP_OK);
    assert_int_equal(
        framemap_retracer_text(retracer, FM_STR("x.y: z y\nat app//a.a(S:3)\nat b.c(S:04)\n"), gather, &out, &error),
        FRAMEMAP_OK);
    assert_str(fm_buf_view(&out), "x.y: z y\nat app//o.p.Cls.m(Cls.java:12)\nat b.c(S:4)\n");
    assert_string_equal(requests.names, "x.y a b ");
    framemap_retracer_free(retracer);
    fm_buf_free(&out);
    close_opened(&opened);
}

static bool refuse(void *context, const char *data, size_t size)
{
    (void)context, (void)data, (void)size;
    return false;
}

static void test_refusals(void **state)
{
    struct opened opened;
    framemap_retracer *retracer = NULL;
    framemap_error error;
    (void)state;
    open_good(&opened, mapping, "r8");
    framemap_retrace_options options = {.size = sizeof options, .expression = "%q"};
    assert_int_equal(framemap_retracer_create(opened.index, &options, &retracer, &error), FRAMEMAP_E_ARGUMENT);
    options.expression = NULL;
    assert_int_equal(framemap_retracer_create(NULL, &options, &retracer, &error), FRAMEMAP_E_ARGUMENT);
    assert_int_equal(framemap_retracer_create(opened.index, &options, NULL, &error), FRAMEMAP_E_ARGUMENT);
    assert_int_equal(framemap_retracer_create(opened.index, &options, &retracer, &error), FRAMEMAP_OK);
    assert_int_equal(framemap_retracer_text(retracer, FM_STR("x\n"), refuse, NULL, &error), FRAMEMAP_E_IO);
    assert_int_equal(framemap_retracer_text(retracer, FM_STR("x\n"), NULL, NULL, &error), FRAMEMAP_E_ARGUMENT);
    framemap_retracer_free(retracer);
    framemap_retracer_free(NULL);
    close_opened(&opened);
}

static void test_hash(void **state)
{
    static const char good[] =
        "# pg_map_id: x\n# pg_map_hash: SHA-256 e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855\n";
    framemap_error error;
    (void)state;
    assert_int_equal(framemap_mapping_check_hash(framemap_str_of(good), &error), FRAMEMAP_OK);
    assert_int_equal(framemap_mapping_check_hash(FM_STR("# x\na -> b:\n"), &error), FRAMEMAP_E_EMPTY);
    assert_int_equal(framemap_mapping_check_hash(FM_STR("# pg_map_hash: SHA-256 00\n"), &error), FRAMEMAP_E_MISMATCH);
    assert_int_equal(framemap_mapping_check_hash(FM_STR("# pg_map_hash: MD5 00\n"), &error), FRAMEMAP_E_UNSUPPORTED);
}

/* Fails each allocation once. The failure must be reported, and no memory may leak. */
static bool body(const framemap_allocator *allocator, void *context)
{
    static const char text[] = "x.y: z\nat a.b(S)\nat a.d(S:1)\nat a.c(S:1)\nat a.g(S:1)\nat a.h(S:4)\n";
    const char *const *how = context;
    framemap_bytes bytes = {0};
    framemap_index *index = NULL;
    framemap_retracer *retracer = NULL;
    framemap_error error;
    struct fm_heap heap;
    struct fm_buf out;
    fm_heap_init(&heap, NULL, 0);
    fm_buf_init(&out, &heap);
    framemap_retrace_options options = {
        .size = sizeof options, .allocator = allocator, .expression = how[1], .verbose = true};
    framemap_status status = open_mapping(mapping, how[0], allocator, &bytes, &index, &error);
    if (status == FRAMEMAP_OK) status = framemap_retracer_create(index, &options, &retracer, &error);
    if (status == FRAMEMAP_OK) status = framemap_retracer_text(retracer, framemap_str_of(text), gather, &out, &error);
    if (status != FRAMEMAP_OK) assert_int_equal(status, FRAMEMAP_E_MEMORY);
    framemap_retracer_free(retracer);
    framemap_index_close(index);
    framemap_bytes_free(&bytes);
    fm_buf_free(&out);
    return status == FRAMEMAP_OK;
}

static void test_memory(void **state)
{
    static const char *const ways[][2] = {{"r8", NULL}, {"proguard", NULL}, {"r8", "at %c\\.%m\\(%S\\)|%c: %a"}};
    (void)state;
    for (size_t i = 0; i < COUNT_OF(ways); i++) assert_true(sweep_allocations(body, (void *)(uintptr_t)ways[i]) > 4);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_lines),    cmocka_unit_test(test_expressions),
                                       cmocka_unit_test(test_proguard), cmocka_unit_test(test_parts),
                                       cmocka_unit_test(test_finder),   cmocka_unit_test(test_refusals),
                                       cmocka_unit_test(test_hash),     cmocka_unit_test(test_memory)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
