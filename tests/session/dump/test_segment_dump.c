/* Tests dumps of indexes that were made from source maps. */
#include "tests/session/dump/dump_help.h"

static const char as_text[] =
    "# kind sourcemap\n# name bundle.js.map\n# id 50a0c3\n# lines 3, segments 4, sources 2, names 1, functions 2\n"
    "source \"a.js\"\nsource \"b.js\" ignored\n"
    "1:1  a.js:1:1\n1:5  a.js:3:9 name run\n1:10  nothing\n3:2  b.js:6:1\n"
    "from a.js:3:1 function \"start\" of map\nfrom 1:1 function \"t\" of scopes\n"
    "offsets of modules, group 0: 0 - 2\n";
static const char as_json[] =
    "{\"source\":0,\"address\":\"a.js\"}\n{\"source\":1,\"address\":\"b.js\",\"ignored\":true}\n"
    "{\"line\":1,\"column\":1,\"original\":{\"source\":0,\"line\":1,\"column\":1}}\n"
    "{\"line\":1,\"column\":5,\"original\":{\"source\":0,\"line\":3,\"column\":9},\"name\":\"run\"}\n"
    "{\"line\":1,\"column\":10}\n"
    "{\"line\":3,\"column\":2,\"original\":{\"source\":1,\"line\":6,\"column\":1}}\n"
    "{\"from\":{\"source\":0,\"line\":3,\"column\":1},\"function\":\"start\",\"of\":\"map\"}\n"
    "{\"from\":{\"line\":1,\"column\":1},\"function\":\"t\",\"of\":\"scopes\"}\n"
    "{\"offsets\":\"modules\",\"group\":0,\"values\":[0,null,2]}\n";

static void dumps(void **state)
{
    (void)state;
    static const framemap_str keys[] = {FM_STR_INIT("fm1::javascript:50a0c3:page:0\tRk1Y"),
                                        FM_STR_INIT("\nfm1::javascript:50a0c3:head\tRk1Y")};
    const framemap_index_info info =
        check_dumps(FM_SOURCE_DIR "/corpus/index/good-v1-segments.fmx", as_text, as_json, keys);
    assert_true(info.is_source_map && info.scope_count == 3 && info.position_count == 4 && info.file_count == 2 &&
                info.function_range_count == 2);
}

/* Compiles a map and compares its dump with lines that it must have. */
static void check_lines(const char *map, const char *form, const char *const *wanted, size_t count)
{
    const framemap_build_options options = {
        .size = sizeof options, .strict = true, .range_mappings = FRAMEMAP_RANGES_FROM_1};
    framemap_bytes bytes = {.data = NULL};
    framemap_index *index;
    framemap_error error;
    struct fm_heap heap;
    struct fm_buf out;
    fm_heap_init(&heap, NULL, 0);
    fm_buf_init(&out, &heap);
    if (framemap_index_build(framemap_str_of(map), FM_STR("a.js.map"), &options, &bytes, &error) != FRAMEMAP_OK)
        fail_msg("%s", error.message);
    assert_int_equal(framemap_index_open(framemap_bytes_str(&bytes), NULL, &index, NULL), FRAMEMAP_OK);
    assert_int_equal(framemap_index_dump(index, form, take, &out, NULL), FRAMEMAP_OK);
    for (size_t i = 0; i < count; i++)
        if (fm_str_find(fm_buf_view(&out), framemap_str_of(wanted[i])) == FM_NOT_FOUND)
            fail_msg("no \"%s\" in:\n%.*s", wanted[i], (int)out.size, out.data);
    fm_buf_free(&out);
    framemap_index_close(index);
    framemap_bytes_free(&bytes);
}

/* Tests that the lists of a bundle in segments say whether their lines are starts or ends. */
static void dumps_segments_of_bundles(void **state)
{
    (void)state;
    static const char map[] = "{\"version\":3,\"sources\":[\"a.js\"],\"names\":[],\"mappings\":\"AAAA;AACA\","
                              "\"x_facebook_offsets\":[0,1],\"x_facebook_segments\":{\"1\":{\"version\":3,"
                              "\"sources\":[\"b.js\"],\"names\":[],\"mappings\":\"AAAA;AACA;AACA\"}}}";
    static const char *const lines[] = {"\noffsets of modules, group 0: 0 1\n", "\nstarts of segments: - 2\n",
                                        "\nends of segments: 2 5\n"};
    static const char *const objects[] = {"{\"offsets\":\"modules\",\"group\":0,\"values\":[0,1]}\n",
                                          "{\"offsets\":\"segment_starts\",\"values\":[null,2]}\n",
                                          "{\"offsets\":\"segment_ends\",\"values\":[2,5]}\n"};
    check_lines(map, "text", lines, COUNT_OF(lines));
    check_lines(map, "jsonl", objects, COUNT_OF(objects));
}

/* Tests that call sites, hidden functions and ranges are dumped. */
static void dumps_scopes_and_ranges(void **state)
{
    (void)state;
    static const char map[] = "{\"version\":3,\"sources\":[\"a.js\"],\"names\":[\"f\",\"g\"],\"mappings\":\"AAAA,"
                              "IAAI\",\"rangeMappings\":\"C\","
                              "\"scopes\":\"BAAA,BFBAA,CCA,BFDAC,CCA,CJA,EOAC,EGCA,ECAA,IAHC,ECAC,IAIC,FB,FC,FD,FE\"}";
    static const char *const wanted[] = {"inlined at call site 0", "inlined at call site 1", "hidden\n",
                                         "call site 1 a.js:9:3", "range 1:5\n"};
    static const char *const wanted_json[] = {",\"inlined_at\":0}",
                                              "{\"call_site\":1,\"source\":0,\"line\":9,\"column\":3",
                                              ",\"hidden\":true}", "{\"range\":{\"line\":1,\"column\":5}}\n"};
    check_lines(map, "text", wanted, COUNT_OF(wanted));
    check_lines(map, "jsonl", wanted_json, COUNT_OF(wanted_json));
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(dumps), cmocka_unit_test(dumps_segments_of_bundles),
                                       cmocka_unit_test(dumps_scopes_and_ranges)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
