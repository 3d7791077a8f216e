/* Tests indexes of mappings: their dumps, and the values into which they are split. The value of a class must give the
 * same results as the whole index. */
#include "tests/session/dump/dump_help.h"

#include "api/index_handle.h"
#include "index/read/classes/class_view.h"
#include "tests/index/support/split_store.h"

/* --- dumps --- */

static const char as_text[] =
    "# kind r8\n# name mapping.txt\n# id 5cd4f7\n# classes 2, methods 2, ranges 5, fields 1, members 5\n"
    "\ncom.example.Main -> a.b:\n# source \"Main.kt\"\n    int count -> a\n    # c enters void run()\n"
    "    1:5:void run():50:54 -> c\n    6:8:void com.example.Util.check(int):12 -> c\n    6:8:void run():55 -> c\n"
    "    # c enters void log(), synthetic\n    9:9:void log():70 -> c\n    # d enters void log(java.lang.String)\n"
    "    void log(java.lang.String) -> d\n      # when this was thrown: a.c\n      # inner frames to remove: 1\n"
    "      # calls an outline La/c;a()I\n      # line 1 of it is line 4 here\n"
    "\ncom.example.Util -> a.c:\n# synthetic\n";
#define MAIN "{\"class\":\"com.example.Main\",\"name\":"
#define RUN MAIN "\"run\",\"type\":\"void\",\"arguments\":\"\"}"
#define LOG MAIN "\"log\",\"type\":\"void\",\"arguments\":\"\"}"
#define LOG_TEXT MAIN "\"log\",\"type\":\"void\",\"arguments\":\"java.lang.String\"}"
static const char as_json[] =
    "{\"class\":\"a.b\",\"original\":\"com.example.Main\",\"source\":\"Main.kt\"}\n"
    "{\"class\":\"a.b\",\"field\":\"a\",\"member\":" MAIN "\"count\",\"type\":\"int\"}}\n"
    "{\"class\":\"a.b\",\"method\":\"c\",\"part\":0,\"lines\":[1,5],\"original\":[50,54],\"member\":" RUN
    ",\"entry\":" RUN "}\n"
    "{\"class\":\"a.b\",\"method\":\"c\",\"part\":0,\"lines\":[6,8],\"original\":[12],\"member\":{\"class\":\"com."
    "example.Util\",\"name\":"
    "\"check\","
    "\"type\":\"void\",\"arguments\":\"int\"}}\n"
    "{\"class\":\"a.b\",\"method\":\"c\",\"part\":0,\"lines\":[6,8],\"original\":[55],\"member\":" RUN "}\n"
    "{\"class\":\"a.b\",\"method\":\"c\",\"part\":1,\"lines\":[9,9],\"original\":[70],\"member\":" LOG ",\"entry\":" LOG
    ",\"synthetic\":true}\n"
    "{\"class\":\"a.b\",\"method\":\"d\",\"part\":0,\"member\":" LOG_TEXT
    ",\"notes\":[{\"kind\":\"throws\",\"text\":\"a.c\"},{\"remove\":1},"
    "{\"kind\":\"outline\",\"text\":\"La/c;a()I\"},{\"from\":1,\"to\":4}],\"entry\":" LOG_TEXT "}\n"
    "{\"class\":\"a.c\",\"original\":\"com.example.Util\",\"synthetic\":true}\n";

static void dumps(void **state)
{
    (void)state;
    static const framemap_str keys[] = {FM_STR_INIT("fm1::java:5cd4f7:class:a.b\tRk1Y"),
                                        FM_STR_INIT("\nfm1::java:5cd4f7:class:com.example.Main\tRk1Y")};
    const framemap_index_info info =
        check_dumps(FM_SOURCE_DIR "/corpus/index/good-v1-mapping.fmx", as_text, as_json, keys);
    assert_true(info.class_count == 2 && info.scope_count == 2 && info.position_count == 5 && info.has_lines);
}

/* --- comparing a whole index with single values --- */

struct pair {
    const struct fm_view *whole, *value;
};

static void same_text(framemap_str a, framemap_str b)
{
    assert_true((a.data == NULL) == (b.data == NULL) && fm_str_equal(a, b));
}

static void same_source(const struct pair *p, framemap_str name)
{
    framemap_str a = {NULL, 0}, b = {NULL, 0};
    assert_int_equal(fm_view_source_of(p->whole, name, &a), fm_view_source_of(p->value, name, &b));
    same_text(a, b);
}

static void same_member(const struct pair *p, uint32_t whole, uint32_t value)
{
    struct fm_view_member a, b;
    assert_true(fm_view_member(p->whole, whole, &a) && fm_view_member(p->value, value, &b));
    same_text(a.holder, b.holder);
    same_text(a.name, b.name);
    same_text(a.type, b.type);
    same_text(a.arguments, b.arguments);
    same_source(p, a.holder);
}

static void same_notes(const struct pair *p, uint32_t whole, uint32_t value)
{
    struct fm_view_note a, b;
    uint64_t i = 0;
    for (; fm_view_note(p->whole, whole, i, &a); i++) {
        assert_true(fm_view_note(p->value, value, i, &b));
        same_text(a.text, b.text);
        assert_true(a.kind == b.kind && a.from == b.from && a.to == b.to && a.count == b.count);
    }
    assert_false(fm_view_note(p->value, value, i, &b));
}

static void same_find(const struct pair *p, const struct fm_view_method *a, const struct fm_view_method *b,
                      int32_t line, uint64_t from)
{
    uint64_t x = 0, y = 0;
    const bool there = fm_view_span_at_line(p->whole, a, line, a->first_span + from, a->first_span + a->span_count, &x);
    assert_int_equal(there,
                     fm_view_span_at_line(p->value, b, line, b->first_span + from, b->first_span + b->span_count, &y));
    assert_true(!there || x - a->first_span == y - b->first_span);
    const bool bare = fm_view_span_without_lines(p->whole, a, a->first_span + from, a->first_span + a->span_count, &x);
    assert_int_equal(bare,
                     fm_view_span_without_lines(p->value, b, b->first_span + from, b->first_span + b->span_count, &y));
    assert_true(!bare || x - a->first_span == y - b->first_span);
}

static void same_spans(const struct pair *p, const struct fm_view_method *a, const struct fm_view_method *b)
{
    for (uint64_t i = 0; i < a->span_count; i++) {
        struct fm_view_span x, y;
        uint64_t part = 0, same = 0;
        assert_true(fm_view_span(p->whole, a->first_span + i, &x) && fm_view_span(p->value, b->first_span + i, &y));
        assert_true(x.flags == y.flags && x.residual_from == y.residual_from && x.residual_to == y.residual_to &&
                    x.original_from == y.original_from && x.original_to == y.original_to);
        assert_true(fm_view_part_of(p->whole, a, a->first_span + i, &part) &&
                    fm_view_part_of(p->value, b, b->first_span + i, &same));
        assert_true(part == same);
        same_member(p, x.member, y.member);
        same_notes(p, x.notes, y.notes);
        same_find(p, a, b, x.residual_from, 0);
        same_find(p, a, b, x.residual_to, i);
    }
}

static void same_method(const struct pair *p, const struct fm_view_class *value, uint64_t number)
{
    struct fm_view_method a, b;
    assert_true(fm_view_method_at(p->whole, number, &a) && fm_view_class_method(p->value, value, a.residual, &b));
    assert_true(a.span_count == b.span_count && a.part_count == b.part_count);
    same_spans(p, &a, &b);
    for (uint64_t i = 0; i < a.part_count; i++) {
        struct fm_view_part x, y;
        assert_true(fm_view_part(p->whole, &a, i, &x) && fm_view_part(p->value, &b, i, &y));
        assert_true(x.span_count == y.span_count && x.flags == y.flags);
        same_member(p, x.entry, y.entry);
    }
}

static void same_class(const struct pair *p, uint64_t number)
{
    struct fm_view_class a, b;
    assert_true(fm_view_class_at(p->whole, number, &a) && fm_view_class(p->value, a.residual, &b));
    same_text(a.original, b.original);
    same_source(p, a.original);
    same_source(p, a.residual);
    assert_true(a.flags == b.flags && a.method_count == b.method_count && a.field_count == b.field_count);
    for (uint64_t i = 0; i < a.method_count; i++) same_method(p, &b, a.first_method + i);
    for (uint64_t i = 0; i < a.field_count; i++) {
        framemap_str x, y;
        uint32_t of_whole, of_value;
        assert_true(fm_view_field_at(p->whole, a.first_field + i, &x, &of_whole));
        assert_true(fm_view_field_at(p->value, b.first_field + i, &y, &of_value));
        same_text(x, y);
        same_member(p, of_whole, of_value);
    }
}

/* Compares the value of each class with the whole index. Returns the total size of the values in bytes. */
static size_t check_values(const struct fm_view *whole, struct fm_heap *heap)
{
    struct fm_classes_about about;
    struct split_store store;
    size_t bytes = 0;
    assert_true(fm_view_classes(whole, &about));
    assert_int_equal(split_store_fill(&store, whole, heap, NULL), FRAMEMAP_OK);
    for (size_t i = 0; i < store.count; i++) {
        const struct pair pair = {whole, store.values[i].view};
        bytes += store.values[i].bytes.size;
        if (i < about.class_count) same_class(&pair, i);
    }
    split_store_free(&store);
    return bytes;
}

static void check_mapping(const char *path, framemap_str text)
{
    framemap_bytes built = {NULL, 0, {NULL, NULL}};
    framemap_error error = {.message = ""};
    struct fm_heap heap;
    struct fm_view *view;
    fm_heap_init(&heap, NULL, 0);
    if (framemap_index_build(text, framemap_str_of("mapping.txt"), NULL, &built, &error) != FRAMEMAP_OK)
        fail_msg("%s: %s", path, error.message);
    assert_int_equal(fm_view_open(framemap_bytes_str(&built), &heap, &view, NULL), FRAMEMAP_OK);
    assert_int_equal(fm_view_verify(view, NULL), FRAMEMAP_OK);
    /* The values may be larger than the index, since each contains a header and the strings that several classes have
     * in common. */
    const size_t values = check_values(view, &heap);
    if (values > built.size * 8 + 4096) fail_msg("%s: %zu bytes of values for %zu", path, values, built.size);
    fm_view_close(view);
    assert_int_equal(heap.used, 0);
    framemap_bytes_free(&built);
}

static void values_answer_like_the_whole(void **state)
{
    (void)state;
    static const char *const names[] = {"r8/inline",   "r8/outline",       "r8/synthesized",
                                        "r8/prefixes", "proguard/renamed", "proguard/optimized"};
    for (size_t i = 0; i < COUNT_OF(names); i++) {
        char path[512];
        snprintf(path, sizeof path, FM_SOURCE_DIR "/corpus/java/%s/mapping.txt", names[i]);
        const framemap_str text = read_whole(path);
        if (text.data == NULL) fail_msg("%s can't be read", path);
        check_mapping(path, text);
        free((void *)(uintptr_t)text.data);
    }
}

static void values_of_a_big_mapping(void **state)
{
    (void)state;
    char path[512];
    const char *named = getenv("FRAMEMAP_CASES");
    snprintf(path, sizeof path, "%s/r8/big/mapping-small.txt", named ? named : FM_SOURCE_DIR "/../shared/cases");
    const framemap_str text = read_whole(path);
    if (text.data == NULL) {
        print_message("skipped: no %s\n", path);
        skip();
    }
    check_mapping(path, text);
    free((void *)(uintptr_t)text.data);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(dumps), cmocka_unit_test(values_answer_like_the_whole),
                                       cmocka_unit_test(values_of_a_big_mapping)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
