/* Tests of the public calls that need no session: names of enum values, building, opening, lookups, dumps. */
#include "core/text/buffer.h"
#include "tests/session/session_help.h"

#include "mappers/mapper.h"

static const struct made_image app = {
    .name = "libapp.so", .id = "0123456789abcdef", .arch = "arm64", .functions = {"_Z5outerv"}};

static void every_value_has_a_text(void **state)
{
    (void)state;
    static const framemap_status statuses[] = {
        FRAMEMAP_OK,         FRAMEMAP_E_ARGUMENT, FRAMEMAP_E_UNSUPPORTED, FRAMEMAP_E_MEMORY,  FRAMEMAP_E_LIMIT,
        FRAMEMAP_E_IO,       FRAMEMAP_E_FORMAT,   FRAMEMAP_E_TRUNCATED,   FRAMEMAP_E_CORRUPT, FRAMEMAP_E_VERSION,
        FRAMEMAP_E_MISMATCH, FRAMEMAP_E_EMPTY,    FRAMEMAP_E_INTERNAL};
    for (size_t i = 0; i < COUNT_OF(statuses); i++) {
        assert_string_not_equal(framemap_status_text(statuses[i]), framemap_status_text((framemap_status)-1000));
        for (size_t j = 0; j < i; j++)
            assert_string_not_equal(framemap_status_text(statuses[i]), framemap_status_text(statuses[j]));
    }
    /* The names in JSON output are part of the public interface. */
    static const char *const names[] = {"raw",      "ok",        "symbol",    "missing-symbols", "unknown-image",
                                        "no-match", "ambiguous", "malformed", "not-needed"};
    for (size_t i = 0; i < COUNT_OF(names); i++)
        assert_string_equal(framemap_frame_status_name((framemap_frame_status)i), names[i]);
    static const char *const kinds[] = {"unknown", "native", "java", "js", "dart", "other", "marker", "unknown"};
    for (size_t i = 0; i < COUNT_OF(kinds); i++) assert_string_equal(framemap_kind_name((framemap_kind)i), kinds[i]);
    assert_string_equal(framemap_version(), FRAMEMAP_VERSION_STRING);
    assert_str(framemap_str_of("ab"), "ab");
    assert_null(framemap_str_of(NULL).data);
}

static void lists_name_the_tables(void **state)
{
    (void)state;
    size_t mappers, rows, formats;
    const framemap_mapper_info *const *infos = framemap_mapper_list(&mappers);
    const framemap_mapper_info *const *table = fm_mapper_table(&rows);
    assert_int_equal(mappers, rows);
    for (size_t i = 0; i < rows; i++) assert_string_equal(infos[i]->name, table[i]->name);
    const framemap_format_info *const *format = framemap_format_list(&formats);
    assert_true(formats > 0 && format[0]->reads);
}

static void bytes_of_the_caller(void **state)
{
    (void)state;
    framemap_bytes bytes = {0};
    framemap_bytes_free(&bytes);
    framemap_bytes_free(NULL);
    bytes = make_index(&app);
    assert_true(framemap_bytes_str(&bytes).size == bytes.size);
    framemap_bytes_free(&bytes);
    assert_null(bytes.data);
    assert_int_equal(framemap_bytes_str(NULL).size, 0);
}

static void wrong_calls(void **state)
{
    (void)state;
    framemap_bytes out = {0};
    framemap_error error = {0};
    framemap_index *index = NULL;
    framemap_scratch *scratch = NULL;
    framemap_frame frame;
    size_t count;
    framemap_str text = FM_STR("no symbol file at all, whoever reads it");
    framemap_build_options options = {.size = sizeof options, .mapper = "no-such-mapper"};
    assert_int_equal(framemap_index_build(text, text, &options, &out, &error), FRAMEMAP_E_ARGUMENT);
    options.mapper = NULL;
    assert_int_equal(framemap_index_build(text, FM_STR("a.txt"), &options, &out, &error), FRAMEMAP_E_FORMAT);
    assert_string_equal(error.where, "a.txt");
    options.size = 0;
    assert_int_equal(framemap_index_build(text, text, &options, &out, &error), FRAMEMAP_E_ARGUMENT);
    assert_int_equal(framemap_index_build(text, text, NULL, NULL, &error), FRAMEMAP_E_ARGUMENT);
    assert_int_equal(framemap_file_inspect(text, text, NULL, 0, &count, &error), FRAMEMAP_E_FORMAT);
    assert_int_equal(framemap_file_inspect((framemap_str){NULL, 0}, text, NULL, 0, &count, &error), FRAMEMAP_E_FORMAT);
    assert_int_equal(framemap_file_inspect(text, text, NULL, 1, &count, &error), FRAMEMAP_E_ARGUMENT);
    assert_int_equal(framemap_index_open(text, NULL, &index, &error), FRAMEMAP_E_FORMAT);
    assert_int_equal(framemap_index_open_file("/nonexistent/x.fmx", NULL, &index, &error), FRAMEMAP_E_IO);
    assert_int_equal(framemap_index_open_file("/tmp", NULL, &index, &error), FRAMEMAP_E_IO);
    assert_int_equal(framemap_index_verify(NULL, &error), FRAMEMAP_E_ARGUMENT);
    assert_int_equal(framemap_scratch_create(NULL, NULL, &error), FRAMEMAP_E_ARGUMENT);
    must_ok(framemap_scratch_create(NULL, &scratch, &error), &error);
    framemap_query query = FRAMEMAP_QUERY_INIT;
    assert_int_equal(framemap_resolve(NULL, &query, scratch, &frame, &error), FRAMEMAP_E_ARGUMENT);
    assert_int_equal(error.code, FRAMEMAP_E_ARGUMENT);
    framemap_scratch_free(scratch);
    framemap_scratch_free(NULL);
    framemap_index_close(NULL);
    assert_null(index);
}

static bool write_nowhere(void *context, const char *data, size_t size)
{
    (void)context, (void)data, (void)size;
    return true;
}

/* Tests values of enumerations that do not exist in this version: a later version, or an uninitialized variable of a
 * caller, may have them. */
static void unknown_values(void **state)
{
    (void)state;
    framemap_bytes bytes = make_index(&app), out = {0};
    framemap_error error = {0};
    framemap_index *index = NULL;
    framemap_scratch *scratch = NULL;
    framemap_session *session = NULL;
    framemap_trace_list list = {0};
    framemap_location_list brief;
    framemap_frame frame;
    const uint64_t positions[2] = {0x120, 0x121};
    must_ok(framemap_index_open(framemap_bytes_str(&bytes), NULL, &index, &error), &error);
    must_ok(framemap_scratch_create(NULL, &scratch, &error), &error);
    for (unsigned i = 0; i < 2; i++) {
        framemap_query query = FRAMEMAP_QUERY_INIT;
        query.position = positions[0];
        /* this query is valid, so the scratch was used before the refused query below */
        must_ok(framemap_resolve(index, &query, scratch, &frame, &error), &error);
        if (i == 0) query.address_kind = (framemap_address_kind)(FRAMEMAP_ADDRESS_FILE + 1);
        if (i == 1) query.demangle = (framemap_demangle)99;
        assert_int_equal(framemap_resolve(index, &query, scratch, &frame, &error), FRAMEMAP_E_ARGUMENT);
        const char *what =
            i == 0 ? "6 is not a value of framemap_address_kind" : "99 is not a value of framemap_demangle";
        assert_non_null(strstr(error.message, what));
        assert_int_equal(framemap_index_lookup_many(index, &query, positions, 1, scratch, &brief, &error),
                         FRAMEMAP_E_ARGUMENT);
        assert_int_equal(framemap_index_lookup_many(index, &query, positions, 2, scratch, &brief, &error),
                         FRAMEMAP_E_ARGUMENT);
    }
    assert_str(framemap_demangle_name(scratch, FM_STR("_Z5outerv"), (framemap_demangle)99), "_Z5outerv");

    framemap_build_options build = {.size = sizeof build, .range_mappings = (framemap_range_mappings)99};
    assert_int_equal(framemap_index_build(FM_STR("text"), FM_STR("x"), &build, &out, &error), FRAMEMAP_E_ARGUMENT);
    assert_non_null(strstr(error.message, "framemap_range_mappings"));
    build = (framemap_build_options){.size = sizeof build, .reader = "swift"};
    assert_int_equal(framemap_index_build(FM_STR("text"), FM_STR("x"), &build, &out, &error), FRAMEMAP_E_ARGUMENT);
    assert_non_null(strstr(error.message, "\"fast\" or \"libdwarf\""));
    build = (framemap_build_options){.size = sizeof build, .mapper = "r8-partitions"};
    /* the requested kind exists, but the file is of another kind */
    assert_int_equal(framemap_index_build(FM_STR("text"), FM_STR("x"), &build, &out, &error), FRAMEMAP_E_FORMAT);

    framemap_session_options options = {
        .size = sizeof options, .cache_path = "", .range_mappings = (framemap_range_mappings)99};
    assert_int_equal(framemap_session_open(&options, &session, &error), FRAMEMAP_E_ARGUMENT);
    must_ok(framemap_session_open(NULL, &session, &error), &error);
    must_ok(framemap_trace_parse(FM_STR("text"), NULL, &list, &error), &error);
    assert_int_equal(framemap_session_restore_traces(session, &list, (framemap_demangle)99, NULL, &error),
                     FRAMEMAP_E_ARGUMENT);
    framemap_trace_list_free(&list);
    framemap_restore_options restore = {.size = sizeof restore, .demangle = (framemap_demangle)99};
    assert_int_equal(framemap_session_restore(session, FM_STR("text"), &restore, write_nowhere, NULL, NULL, &error),
                     FRAMEMAP_E_ARGUMENT);
    framemap_session_close(session);
    framemap_scratch_free(scratch);
    framemap_index_close(index);
    framemap_bytes_free(&bytes);
}

/* Running out of memory has one status, but two messages: the memory limit is too low, or the allocator failed. */
static void says_which_memory_was_short(void **state)
{
    (void)state;
    static const char mapping[] = "com.example.Main -> a.a:\n    1:1:void main():5:5 -> a\n";
    framemap_bytes out = {0};
    framemap_error error = {0};
    framemap_trace_list list = {0};
    struct failing failing = {.fail_at = 3};
    const framemap_allocator allocator = failing_allocator(&failing);
    framemap_build_options options = {.size = sizeof options, .mapper = "r8", .max_memory = 100};
    assert_int_equal(framemap_index_build(framemap_str_of(mapping), FM_STR("m"), &options, &out, &error),
                     FRAMEMAP_E_MEMORY);
    assert_string_equal(error.message, "over-memory: needs more than --max-memory 100 (max_memory): raise it");
    options.max_memory = 0;
    options.allocator = &allocator;
    assert_int_equal(framemap_index_build(framemap_str_of(mapping), FM_STR("m"), &options, &out, &error),
                     FRAMEMAP_E_MEMORY);
    assert_string_equal(error.message, "out of memory");
    framemap_parse_options parse = {.size = sizeof parse, .max_memory = 100};
    assert_int_equal(framemap_trace_parse(FM_STR("    at a.b.c(Main.java:1)\n"), &parse, &list, &error),
                     FRAMEMAP_E_MEMORY);
    assert_non_null(strstr(error.message, "over-memory: needs more than --max-memory 100 "));
}

static void an_index_tells_what_it_is(void **state)
{
    (void)state;
    framemap_bytes bytes = make_index(&app);
    framemap_error error = {0};
    framemap_index *index = NULL;
    framemap_image_info image;
    framemap_index_info info;
    size_t count = 0;
    must_ok(framemap_file_inspect(framemap_bytes_str(&bytes), FM_STR("x.fmx"), NULL, 0, &count, &error), &error);
    assert_int_equal(count, 1);
    must_ok(framemap_file_inspect(framemap_bytes_str(&bytes), FM_STR("x.fmx"), &image, 1, &count, &error), &error);
    assert_string_equal(image.kind, "fmx");
    assert_string_equal(image.id, app.id);
    assert_string_equal(image.arch, app.arch);
    assert_true(image.has_debug_info && image.base == MADE_BASE);
    assert_true(image.is_index && image.index_kind == FRAMEMAP_INDEX_ELF);
    must_ok(framemap_index_open(framemap_bytes_str(&bytes), NULL, &index, &error), &error);
    must_ok(framemap_index_verify(index, &error), &error);
    framemap_index_describe(index, &info);
    assert_str(info.id, app.id);
    assert_str(info.kind, "elf");
    assert_true(info.kind_code == FRAMEMAP_INDEX_ELF && info.family == FRAMEMAP_KIND_NATIVE &&
                info.queried_by == FRAMEMAP_QUERIED_BY_ADDRESS);
    assert_str(info.name, app.name);
    assert_true(info.base == MADE_BASE && info.has_lines && info.scope_count == 1 && info.size_bytes == bytes.size);
    framemap_index_close(index);
    framemap_bytes_free(&bytes);
}

/* Tests files that are texts, and the indexes that are compiled from them. ELF and Mach-O files are in
 * tests/mappers. */
static void kinds_of_files(void **state)
{
    (void)state;
    static const struct {
        const char *text, *name, *mapper;
        framemap_index_kind code;
        framemap_kind family;
        unsigned queried_by;
    } rows[] = {
        {"a.b.C -> c:\n    void m() -> a\n", "mapping.txt", "r8", FRAMEMAP_INDEX_R8, FRAMEMAP_KIND_JAVA,
         FRAMEMAP_QUERIED_BY_MEMBER},
        {"a.b.C -> c:\n    void m() -> a\n", "mapping.txt", "proguard", FRAMEMAP_INDEX_PROGUARD, FRAMEMAP_KIND_JAVA,
         FRAMEMAP_QUERIED_BY_MEMBER},
        {"{\"version\":3,\"sources\":[\"a.js\"],\"names\":[],\"mappings\":\"AAAA\"}", "b.js.map", NULL,
         FRAMEMAP_INDEX_SOURCEMAP, FRAMEMAP_KIND_JS, FRAMEMAP_QUERIED_BY_LINE},
        {"[\"MaterialApp\",\"ex\",\"Scaffold\",\"ey\"]", "names.json", NULL, FRAMEMAP_INDEX_DART_NAMES,
         FRAMEMAP_KIND_DART, FRAMEMAP_QUERIED_BY_MEMBER},
    };
    for (size_t i = 0; i < COUNT_OF(rows); i++) {
        const framemap_build_options options = {.size = sizeof options, .mapper = rows[i].mapper};
        const framemap_str text = framemap_str_of(rows[i].text), name = framemap_str_of(rows[i].name);
        framemap_error error = {0};
        framemap_image_info image;
        framemap_index_info info;
        framemap_index *index = NULL;
        framemap_bytes bytes;
        size_t count = 0;
        memset(&image, 255, sizeof image);
        must_ok(framemap_file_inspect(text, name, &image, 1, &count, &error), &error);
        assert_false(image.is_index);
        if (rows[i].code != FRAMEMAP_INDEX_PROGUARD) assert_int_equal(image.index_kind, rows[i].code);
        must_ok(framemap_index_build(text, name, &options, &bytes, &error), &error);
        must_ok(framemap_index_open(framemap_bytes_str(&bytes), NULL, &index, &error), &error);
        framemap_index_describe(index, &info);
        if (info.kind_code != rows[i].code || info.family != rows[i].family || info.queried_by != rows[i].queried_by)
            fail_msg("row %zu: kind %d, family %d, queried by %u", i, (int)info.kind_code, (int)info.family,
                     info.queried_by);
        must_ok(framemap_file_inspect(framemap_bytes_str(&bytes), name, &image, 1, &count, &error), &error);
        assert_true(image.is_index && image.index_kind == rows[i].code);
        framemap_index_close(index);
        framemap_bytes_free(&bytes);
    }
}

/* A repeated lookup allocates nothing. */
static void warm_lookups(void **state)
{
    (void)state;
    framemap_bytes bytes = make_index(&app);
    framemap_error error = {0};
    framemap_index *index = NULL;
    framemap_scratch *scratch = NULL;
    struct failing failing = {.fail_at = SIZE_MAX};
    const framemap_allocator allocator = failing_allocator(&failing);
    must_ok(framemap_index_open(framemap_bytes_str(&bytes), NULL, &index, &error), &error);
    must_ok(framemap_scratch_create(&allocator, &scratch, &error), &error);
    framemap_query query = FRAMEMAP_QUERY_INIT;
    framemap_frame frame;
    query.position = 0x120;
    must_ok(framemap_resolve(index, &query, scratch, &frame, &error), &error);
    size_t cold = failing.requests;
    for (unsigned i = 0; i < 100; i++) {
        query.position = 0x100 + i % 0x40;
        must_ok(framemap_resolve(index, &query, scratch, &frame, &error), &error);
    }
    assert_int_equal(failing.requests, cold);
    assert_str(framemap_demangle_name(scratch, FM_STR("_Z5outerv"), FRAMEMAP_DEMANGLE_LLVM), "outer()");
    assert_int_equal(failing.requests, cold);
    assert_str(framemap_demangle_name(NULL, FM_STR("_Z5outerv"), FRAMEMAP_DEMANGLE_LLVM), "_Z5outerv");
    framemap_scratch_free(scratch);
    framemap_index_close(index);
    framemap_bytes_free(&bytes);
    assert_int_equal(failing.blocks, 0);
}

/* --- dumping indexes --- */

struct limited {
    struct fm_buf buf;
    bool refuse;
};

static bool take(void *context, const char *data, size_t size)
{
    struct limited *out = context;
    return !out->refuse && fm_buf_add(&out->buf, data, size);
}

static void dumps(void **state)
{
    (void)state;
    static const struct {
        const char *format, *wanted;
    } rows[] = {
        {"text", "# kind elf\n# name libapp.so\n# id 0123456789abcdef\n# arch arm64\n# base 0x10000\n# scopes 1, "
                 "positions 3, functions 2, "
                 "files 1\n"
                 "\nscope \"\"\n0x100-0x120  outer() at src/libapp.so.c:10:1\n"
                 "0x120-0x140  inner(int) at src/libapp.so.c:7:9\n    inlined into outer() at src/libapp.so.c:10:3\n"},
        {"jsonl",
         "{\"scope\":\"\",\"start\":\"0x100\",\"end\":\"0x120\",\"answers\":[[{\"function\":\"outer()\",\"symbol\":\"_"
         "Z5outerv\","
         "\"file\":\"src/libapp.so.c\",\"line\":10,\"column\":1}]]}\n"
         "{\"scope\":\"\",\"start\":\"0x120\",\"end\":\"0x140\",\"answers\":[[{\"function\":\"inner(int)\",\"symbol\":"
         "\"_Z5inneri\","
         "\"file\":\"src/"
         "libapp.so.c\",\"line\":7,\"column\":9,\"inlined\":true},{\"function\":\"outer()\",\"symbol\":\"_Z5outerv\","
         "\"file\":\"src/libapp.so.c\",\"line\":10,\"column\":3}]]}\n"},
    };
    framemap_bytes bytes = make_index(&app);
    framemap_error error = {0};
    framemap_index *index = NULL;
    struct fm_heap heap;
    struct limited out = {.refuse = false};
    fm_heap_init(&heap, NULL, 0);
    fm_buf_init(&out.buf, &heap);
    must_ok(framemap_index_open(framemap_bytes_str(&bytes), NULL, &index, &error), &error);
    for (size_t i = 0; i < COUNT_OF(rows); i++) {
        fm_buf_clear(&out.buf);
        must_ok(framemap_index_dump(index, rows[i].format, take, &out, &error), &error);
        framemap_str got = fm_buf_view(&out.buf);
        /* The dump may go on with the code after the last function, which may or may not be listed. */
        if (!fm_str_starts(got, framemap_str_of(rows[i].wanted))) fail_msg("%.*s", (int)got.size, got.data);
    }
    assert_int_equal(framemap_index_dump(index, "xml", take, &out, &error), FRAMEMAP_E_ARGUMENT);
    out.refuse = true;
    assert_int_equal(framemap_index_dump(index, "text", take, &out, &error), FRAMEMAP_E_IO);
    fm_buf_free(&out.buf);
    framemap_index_close(index);
    framemap_bytes_free(&bytes);
}

static int digit64(char c)
{
    static const char digits[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    const char *at = c ? strchr(digits, c) : NULL;
    return at ? (int)(at - digits) : -1;
}

static framemap_str decode64(framemap_str text, unsigned char *out)
{
    size_t size = 0;
    uint32_t bits = 0;
    for (size_t i = 0; i < text.size; i++) {
        if (text.data[i] == '=') break;
        assert_true(digit64(text.data[i]) >= 0);
        bits = bits << 6 | (uint32_t)digit64(text.data[i]);
        if (i % 4 == 1)
            out[size++] = (unsigned char)(bits >> 4);
        else if (i % 4 == 2)
            out[size++] = (unsigned char)(bits >> 2);
        else if (i % 4 == 3)
            out[size++] = (unsigned char)bits;
    }
    assert_int_equal(text.size % 4, 0);
    return fm_str(out, size);
}

/* Every value of the key-value form is an index. It has the same answers as the whole index, for its part of it. */
static void values_are_indexes(void **state)
{
    (void)state;
    framemap_bytes bytes = make_index(&app);
    framemap_error error = {0};
    framemap_index *index = NULL, *part = NULL;
    framemap_scratch *scratch = NULL;
    struct fm_heap heap;
    struct limited out = {.refuse = false};
    unsigned lines = 0, answers = 0;
    fm_heap_init(&heap, NULL, 0);
    fm_buf_init(&out.buf, &heap);
    must_ok(framemap_index_open(framemap_bytes_str(&bytes), NULL, &index, &error), &error);
    must_ok(framemap_scratch_create(NULL, &scratch, &error), &error);
    must_ok(framemap_index_dump(index, "kv", take, &out, &error), &error);
    for (framemap_str rest = fm_buf_view(&out.buf); rest.size; lines++) {
        size_t tab = fm_str_find_byte(rest, '\t'), end = fm_str_find_byte(rest, '\n');
        assert_true(tab != FM_NOT_FOUND && end != FM_NOT_FOUND && tab < end);
        unsigned char *room = malloc(end - tab);
        framemap_str value = decode64(fm_str_slice(rest, tab + 1, end), room);
        must_ok(framemap_index_open(value, NULL, &part, &error), &error);
        framemap_query query = FRAMEMAP_QUERY_INIT;
        framemap_frame frame;
        query.position = 0x120;
        must_ok(framemap_resolve(part, &query, scratch, &frame, &error), &error);
        if (frame.restored.count == 2) answers++;
        framemap_index_close(part);
        free(room);
        rest = fm_str_from(rest, end + 1);
    }
    assert_true(lines >= 1 && answers >= 1);
    framemap_scratch_free(scratch);
    framemap_index_close(index);
    fm_buf_free(&out.buf);
    framemap_bytes_free(&bytes);
}

static bool dump_once(const framemap_allocator *allocator, void *context)
{
    framemap_index *index = NULL;
    framemap_error error = {0};
    struct fm_heap heap;
    struct limited out = {.refuse = false};
    fm_heap_init(&heap, NULL, 0);
    fm_buf_init(&out.buf, &heap);
    framemap_status status = framemap_index_open(framemap_bytes_str(context), allocator, &index, &error);
    if (status == FRAMEMAP_OK) status = framemap_index_dump(index, "kv", take, &out, &error);
    framemap_index_close(index);
    fm_buf_free(&out.buf);
    if (status != FRAMEMAP_OK) assert_int_equal(error.code, FRAMEMAP_E_MEMORY);
    return status == FRAMEMAP_OK;
}

static void out_of_memory(void **state)
{
    (void)state;
    framemap_bytes bytes = make_index(&app);
    sweep_allocations(dump_once, &bytes);
    framemap_bytes_free(&bytes);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_value_has_a_text),
        cmocka_unit_test(lists_name_the_tables),
        cmocka_unit_test(bytes_of_the_caller),
        cmocka_unit_test(wrong_calls),
        cmocka_unit_test(unknown_values),
        cmocka_unit_test(says_which_memory_was_short),
        cmocka_unit_test(an_index_tells_what_it_is),
        cmocka_unit_test(kinds_of_files),
        cmocka_unit_test(warm_lookups),
        cmocka_unit_test(dumps),
        cmocka_unit_test(values_are_indexes),
        cmocka_unit_test(out_of_memory),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
