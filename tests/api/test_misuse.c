/* Tests mistakes of callers in the public calls: strings with a size and no data, option structs with a wrong size,
 * options of a nested struct whose own size is not set. Each returns ARGUMENT with a message that names the field; none
 * may read memory that is not the caller's. */
#include "tests/session/session_help.h"

static const struct made_image app = {
    .name = "libapp.so", .id = "0123456789abcdef", .arch = "arm64", .functions = {"_Z5outerv"}};

static const framemap_str bad = {NULL, 9};

static bool write_nowhere(void *context, const char *data, size_t size)
{
    (void)context, (void)data, (void)size;
    return true;
}

static bool put_nowhere(void *context, const framemap_value_key *key, framemap_str value)
{
    (void)context, (void)key, (void)value;
    return true;
}

struct given {
    framemap_bytes bytes;
    framemap_index *index;
    framemap_scratch *scratch;
    framemap_session *session;
    framemap_sample_set *samples;
    framemap_error error;
};

static void open_given(struct given *given)
{
    *given = (struct given){.bytes = make_index(&app)};
    must_ok(framemap_index_open(framemap_bytes_str(&given->bytes), NULL, &given->index, &given->error), &given->error);
    must_ok(framemap_scratch_create(NULL, &given->scratch, &given->error), &given->error);
    must_ok(framemap_session_open(NULL, &given->session, &given->error), &given->error);
    must_ok(framemap_sample_set_open(NULL, &given->samples, &given->error), &given->error);
}

static void close_given(struct given *given)
{
    framemap_sample_set_close(given->samples);
    framemap_session_close(given->session);
    framemap_scratch_free(given->scratch);
    framemap_index_close(given->index);
    framemap_bytes_free(&given->bytes);
}

/* Checks that a call failed with ARGUMENT and a message that contains the given words. */
static void assert_refused(struct given *given, framemap_status status, const char *words)
{
    assert_int_equal(status, FRAMEMAP_E_ARGUMENT);
    if (strstr(given->error.message, words) == NULL) fail_msg("'%s' lacks '%s'", given->error.message, words);
    given->error = (framemap_error){0};
}

static void strings_of_builds(void **state)
{
    (void)state;
    struct given given;
    framemap_bytes out = {0};
    framemap_build_options options = {.size = sizeof options, .script = bad};
    open_given(&given);
    const framemap_str text = FM_STR("{\"version\":3,\"sources\":[],\"names\":[],\"mappings\":\"\"}");
    assert_refused(&given, framemap_index_build(text, bad, NULL, &out, &given.error), "the name of the symbol file");
    assert_refused(&given, framemap_index_build(text, FM_STR("a.map"), &options, &out, &given.error), "script has a");
    framemap_split_options split = {.size = sizeof split, .id = bad};
    assert_refused(&given, framemap_index_split(given.index, &split, put_nowhere, NULL, &given.error), "id has a size");
    split = (framemap_split_options){.size = sizeof split, .tenant = bad};
    assert_refused(&given, framemap_index_split(given.index, &split, put_nowhere, NULL, &given.error), "tenant has a");
    close_given(&given);
}

static void strings_of_lookups(void **state)
{
    (void)state;
    struct given given;
    framemap_frame frame;
    framemap_location_list list;
    framemap_str path, id;
    const uint64_t positions[] = {0x10100, 0x10120};
    open_given(&given);
    for (int i = 0; i < 3; i++) {
        static const char *const words[] = {"scope has a", "printed_file has a", "java->exception has a"};
        framemap_java_state java = {.exception = bad};
        framemap_query query = FRAMEMAP_QUERY_INIT;
        if (i == 0) query.scope = bad;
        if (i == 1) query.printed_file = bad;
        if (i == 2) query.java = &java;
        assert_refused(&given, framemap_resolve(given.index, &query, given.scratch, &frame, &given.error), words[i]);
        for (size_t count = 1; count <= 2; count++)
            assert_refused(
                &given,
                framemap_index_lookup_many(given.index, &query, positions, count, given.scratch, &list, &given.error),
                words[i]);
        assert_false(framemap_missing_companion(given.index, &query, NULL, given.scratch, &path, &id));
    }
    assert_null(framemap_demangle_name(given.scratch, bad, FRAMEMAP_DEMANGLE_LLVM).data);
    close_given(&given);
}

static void strings_of_image_queries(void **state)
{
    (void)state;
    struct given given;
    const framemap_index *index = NULL;
    framemap_str path;
    open_given(&given);
    const struct {
        framemap_image_query query;
        const char *words;
    } rows[] = {{{.path = bad}, "path has a"},
                {{.name = bad}, "name has a"},
                {{.id = bad}, "id has a"},
                {{.name = FM_STR("a"), .arch = bad}, "arch has a"}};
    for (size_t i = 0; i < COUNT_OF(rows); i++) {
        const framemap_image_query *query = &rows[i].query;
        assert_refused(&given, framemap_session_index(given.session, query, &index, &given.error), rows[i].words);
        assert_refused(&given, framemap_session_debug_file(given.session, query, &path, &given.error), rows[i].words);
        if (query->path.size) continue;
        assert_refused(&given, framemap_session_prepare(given.session, NULL, query, 1, NULL, &given.error),
                       rows[i].words);
    }
    close_given(&given);
}

static void strings_of_samples(void **state)
{
    (void)state;
    struct given given;
    const int64_t value = 1;
    framemap_sample_counts counts;
    open_given(&given);
    for (int i = 0; i < 11; i++) {
        framemap_sample_type type = {FM_STR("cpu"), FM_STR("count")};
        framemap_sample_frame frame = {.function = FM_STR("f")};
        framemap_sample_label label = {.key = FM_STR("k")};
        framemap_sample sample = {.frames = &frame,
                                  .frame_count = 1,
                                  .values = &value,
                                  .value_count = 1,
                                  .labels = &label,
                                  .label_count = 1,
                                  .has_thread = true};
        framemap_str *const strings[] = {
            &type.type, &type.unit,  &frame.function, &frame.module,          &frame.build_id,    &frame.file,
            &label.key, &label.text, &label.unit,     &sample.thread.process, &sample.thread.name};
        *strings[i] = bad;
        assert_refused(&given, framemap_sample_set_add(given.samples, &type, &sample, &given.error), "string of the");
    }
    framemap_sample_set_counts(given.samples, &counts);
    assert_int_equal(counts.samples + counts.frames + counts.types, 0);
    close_given(&given);
}

static void strings_of_scripts(void **state)
{
    (void)state;
    framemap_script_info info = {.has_inline_map = true};
    framemap_script_inspect(bad, &info);
    assert_false(info.has_inline_map || info.map_url.size || info.debug_id.size);
    framemap_script_inspect(FM_STR("f()"), NULL); /* a call with NULL has no effect */
}

/* Tests sizes that no version of an options struct has: not set, smaller than the size field itself, an
 * uninitialized variable. */
static void sizes_of_options(void **state)
{
    (void)state;
    static const struct {
        size_t size;
        const char *words;
    } rows[] = {{0, "is not set: set it to the sizeof"},
                {3, "is 3, which is not the sizeof"},
                {(size_t)-1, "which is not the sizeof"},
                {(size_t)1 << 20, "is 1048576, which is not the sizeof"}};
    struct given given;
    framemap_session *session = NULL;
    framemap_trace_list list = {0};
    open_given(&given);
    for (size_t i = 0; i < COUNT_OF(rows); i++) {
        const framemap_session_options options = {.size = rows[i].size};
        const framemap_parse_options parse = {.size = rows[i].size};
        assert_refused(&given, framemap_session_open(&options, &session, &given.error), rows[i].words);
        assert_refused(&given, framemap_trace_parse(FM_STR("text"), &parse, &list, &given.error), rows[i].words);
    }
    struct {
        framemap_parse_options options;
        char later[64];
    } newer = {.options.size = sizeof newer};
    must_ok(framemap_trace_parse(FM_STR("text"), &newer.options, &list, &given.error), &given.error);
    framemap_trace_list_free(&list);
    newer.later[9] = 1;
    assert_refused(&given, framemap_trace_parse(FM_STR("text"), &newer.options, &list, &given.error), "does not know");
    close_given(&given);
}

/* A nested struct of options with a size of 0 selects the defaults. If anything else is set in it, that would be
 * ignored, so the call is refused. */
static void nested_options_without_a_size(void **state)
{
    (void)state;
    struct given given;
    framemap_stream *stream = NULL;
    framemap_rows *rows = NULL;
    open_given(&given);
    framemap_stream_options stream_options = {.size = sizeof stream_options, .restore.output = "json"};
    assert_refused(&given,
                   framemap_stream_open(given.session, &stream_options, write_nowhere, NULL, &stream, &given.error),
                   "restore has options, but its size");
    framemap_rows_options row_options = {.size = sizeof row_options, .format = "tsv", .restore.context = 2};
    assert_refused(&given, framemap_rows_open(given.session, &row_options, write_nowhere, NULL, &rows, &given.error),
                   "restore has options, but its size");
    stream_options.restore.output = NULL;
    must_ok(framemap_stream_open(given.session, &stream_options, write_nowhere, NULL, &stream, &given.error),
            &given.error);
    must_ok(framemap_stream_close(stream, NULL, &given.error), &given.error);
    close_given(&given);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(strings_of_builds),
                                       cmocka_unit_test(strings_of_lookups),
                                       cmocka_unit_test(strings_of_image_queries),
                                       cmocka_unit_test(strings_of_samples),
                                       cmocka_unit_test(strings_of_scripts),
                                       cmocka_unit_test(sizes_of_options),
                                       cmocka_unit_test(nested_options_without_a_size)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
