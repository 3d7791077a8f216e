/* Tests the library calls that decode Dart stacks and convert them to the form of Dart traces, with a lack of memory
 * and with invalid input. tests/cli/check_dart compares the output of the commands for whole texts. */
#include "core/text/buffer.h"
#include "tests/session/session_help.h"

#define CORPUS FM_SOURCE_DIR "/corpus/dart/"
#define STARS "*** *** *** *** *** *** *** *** *** *** *** *** *** *** *** ***\n"

struct text {
    char *data;
    size_t size;
};

static struct text content(const char *path)
{
    struct text text = {NULL, 0};
    FILE *file = fopen(path, "rb");
    if (file == NULL) fail_msg("%s is not there", path);
    fseek(file, 0, SEEK_END);
    text.size = (size_t)ftell(file);
    rewind(file);
    text.data = malloc(text.size + 1);
    assert_int_equal(fread(text.data, 1, text.size, file), text.size);
    fclose(file);
    return text;
}

struct program {
    framemap_bytes built;
    framemap_index *index;
};

static framemap_status open_program(const char *path, const framemap_allocator *allocator, struct program *out,
                                    framemap_error *error)
{
    const struct text bytes = content(path);
    const framemap_build_options options = {.size = sizeof options, .allocator = allocator};
    *out = (struct program){.index = NULL};
    framemap_status status = framemap_index_build(fm_str(bytes.data, bytes.size), framemap_str_of("app.symbols"),
                                                  &options, &out->built, error);
    if (status == FRAMEMAP_OK)
        status = framemap_index_open(framemap_bytes_str(&out->built), allocator, &out->index, error);
    free(bytes.data);
    return status;
}

static void close_program(struct program *program)
{
    framemap_index_close(program->index);
    framemap_bytes_free(&program->built);
}

static void open_good(const char *path, struct program *out)
{
    framemap_error error = {0};
    must_ok(open_program(path, NULL, out, &error), &error);
}

/* --- testing the index of a program --- */

static void test_texts(void **state)
{
    (void)state;
    static const struct {
        const char *path, *symbol;
        bool has_vm;
    } rows[] = {{CORPUS "app.x64-3.13.symbols", "_kDartSnapshotText", false},
                {CORPUS "app.arm64-3.13.symbols", "_kDartSnapshotText", false},
                {CORPUS "app.x64-3.10.symbols", "_kDartIsolateSnapshotInstructions", true},
                {CORPUS "app.arm-3.10.symbols", "_kDartIsolateSnapshotInstructions", true}};
    for (size_t i = 0; i < COUNT_OF(rows); i++) {
        struct program program;
        framemap_dart_texts texts;
        framemap_index_info info;
        open_good(rows[i].path, &program);
        framemap_index_describe(program.index, &info);
        assert_str(info.kind, "dart");
        assert_int_equal(info.id.size, 32);
        assert_true(framemap_dart_texts_of(program.index, &texts));
        assert_str(texts.symbol, rows[i].symbol);
        assert_int_equal(texts.has_vm_text, rows[i].has_vm);
        assert_true(texts.text < texts.text_end);
        if (rows[i].has_vm) assert_true(texts.vm_text < texts.text);
        close_program(&program);
    }
}

/* An index of an image that is not a Dart program is refused. */
static void test_other_images(void **state)
{
    (void)state;
    struct program program;
    framemap_dart_decoder *decoder = NULL;
    framemap_dart_texts texts;
    framemap_error error = {0};
    open_good(FM_SOURCE_DIR "/corpus/native/gcc-x86_64-O2.elf", &program);
    assert_false(framemap_dart_texts_of(program.index, &texts));
    assert_int_equal(framemap_dart_decoder_create(program.index, NULL, &decoder, &error), FRAMEMAP_E_ARGUMENT);
    assert_non_null(strstr(error.message, "Dart"));
    assert_int_equal(framemap_dart_decoder_create(NULL, NULL, &decoder, &error), FRAMEMAP_E_ARGUMENT);
    close_program(&program);
}

/* --- testing the decoder of traces --- */

static framemap_status decode(const struct program *program, const framemap_dart_options *options, const char *text,
                              struct fm_buf *out)
{
    framemap_dart_decoder *decoder = NULL;
    framemap_error error;
    framemap_status status = framemap_dart_decoder_create(program->index, options, &decoder, &error);
    if (status == FRAMEMAP_OK) status = framemap_dart_decoder_text(decoder, framemap_str_of(text), gather, out, &error);
    framemap_dart_decoder_free(decoder);
    return status;
}

static const struct {
    const char *why, *text, *want;
} lines[] = {
    {"a symbol and an offset need no header", "x #00 abs 0 virt 0 _kDartSnapshotText+0x61\n",
     "x #0      Shapes.total (package:demo/shapes.dart:43:23)\n"},
    {"digits alone are decimal", "#00 abs 0 _kDartSnapshotText+97\n",
     "#0      Shapes.total (package:demo/shapes.dart:43:23)\n"},
    {"digits with letters are not", "#00 abs 0 _kDartSnapshotText+6b\n",
     "#0      Shapes.total (package:demo/shapes.dart)\n"},
    {"every kind of line end; each becomes one LF", "a\rb\r\nc\nd", "a\nb\nc\nd\n"},
    {"an empty line", "\n\n", "\n\n"},
    {"nothing known: the line stays, and takes no number",
     "#00 abs 0 _kDartSnapshotText+0xffffff\n#01 abs 0 _kDartSnapshotText+0x61\n",
     "#00 abs 0 _kDartSnapshotText+0xffffff\n#0      Shapes.total (package:demo/shapes.dart:43:23)\n"},
    {"between functions: the text's symbol, which is hidden as a stub is",
     "#00 abs 0 _kDartSnapshotText+0x0\n#01 abs 0 _kDartSnapshotText+0x61\n",
     "#0      Shapes.total (package:demo/shapes.dart:43:23)\n"},
    {"a header's line begins the count again",
     "#00 abs 0 _kDartSnapshotText+0x61\nos: linux arch: x64 comp: no sim: no\n#01 abs 0 _kDartSnapshotText+0x61\n",
     "#0      Shapes.total (package:demo/shapes.dart:43:23)\nos: linux arch: x64 comp: no sim: no\n#0      "
     "Shapes.total "
     "(package:demo/shapes.dart:43:23)\n"},
    {"a header cut in its middle has no start addresses: an address in memory can't be placed",
     STARS "isolate_instructions: 2000, vm_instr\n    #00 abs 2061 /a/b.so\n",
     STARS "isolate_instructions: 2000, vm_instr\n    #00 abs 2061 /a/b.so\n"},
    {"with the starts it can", "isolate_instructions: 2000, vm_instructions: 0\n    #00 abs 2061 /a/b.so\n",
     "isolate_instructions: 2000, vm_instructions: 0\n#0      Shapes.total (package:demo/shapes.dart:43:23)\n"},
    {"and a new header forgets them",
     "isolate_instructions: 2000, vm_instructions: 0\n" STARS "    #00 abs 2061 /a/b.so\n",
     "isolate_instructions: 2000, vm_instructions: 0\n" STARS "    #00 abs 2061 /a/b.so\n"},
    {"no units are given",
     "loading_unit: 2, dso_base: 1000, instructions: 2000\n    #00 abs 2061 unit 2 x\n    #01 abs 2061 unit 3 x\n",
     "loading_unit: 2, dso_base: 1000, instructions: 2000\n    #00 abs 2061 unit 2 x\n    #01 abs 2061 unit 3 x\n"},
    {"numbers that fit nothing",
     "#00 abs 123456789012345678901 _kDartSnapshotText+0x61\n#99999999999999999999999 abs 1 _kDartSnapshotText+0x61\n",
     "#00 abs 123456789012345678901 _kDartSnapshotText+0x61\n#99999999999999999999999 abs 1 _kDartSnapshotText+0x61\n"},
};

static void test_lines(void **state)
{
    (void)state;
    struct program program;
    struct fm_heap heap;
    fm_heap_init(&heap, NULL, 0);
    open_good(CORPUS "app.x64-3.13.symbols", &program);
    for (size_t i = 0; i < COUNT_OF(lines); i++) {
        struct fm_buf out;
        fm_buf_init(&out, &heap);
        assert_int_equal(decode(&program, NULL, lines[i].text, &out), FRAMEMAP_OK);
        if (!fm_str_equal(fm_buf_view(&out), framemap_str_of(lines[i].want)))
            fail_msg("%s: got\n%.*s, wanted\n%s", lines[i].why, (int)out.size, out.data, lines[i].want);
        fm_buf_free(&out);
    }
    close_program(&program);
}

/* --- testing builds and loading units --- */

struct counted {
    unsigned count;
    char last[FRAMEMAP_ERROR_MESSAGE_SIZE];
};

static void take_warning(void *context, const framemap_error *warning)
{
    struct counted *counted = context;
    counted->count++;
    memcpy(counted->last, warning->message, sizeof counted->last);
}

static void test_builds(void **state)
{
    (void)state;
    static const char text[] = STARS "build_id: '00000000000000000000000000000000'\n    #00 abs 0 "
                                     "_kDartSnapshotText+0x61\n    #01 abs 0 _kDartSnapshotText+0x61\n";
    struct program program;
    struct counted counted = {0};
    struct fm_heap heap;
    struct fm_buf out;
    fm_heap_init(&heap, NULL, 0);
    fm_buf_init(&out, &heap);
    open_good(CORPUS "app.x64-3.13.symbols", &program);
    framemap_dart_options options = {.size = sizeof options, .warning = take_warning, .context = &counted};
    assert_int_equal(decode(&program, &options, text, &out), FRAMEMAP_OK);
    assert_str(fm_buf_view(&out), text);
    assert_int_equal(counted.count, 1); /* each build causes one warning, although several lines refer to it */
    assert_non_null(strstr(counted.last, "00000000000000000000000000000000"));
    fm_buf_clear(&out);
    options.any_build = true;
    assert_int_equal(decode(&program, &options, text, &out), FRAMEMAP_OK);
    assert_int_not_equal(fm_str_find(fm_buf_view(&out), FM_STR("#1      Shapes.total")), FM_NOT_FOUND);
    fm_buf_free(&out);
    close_program(&program);
}

static const framemap_index *find_unit(void *context, uint64_t unit, framemap_str build_id, framemap_str arch)
{
    const struct program *program = context;
    (void)build_id, (void)arch;
    return unit == 2 ? program->index : NULL;
}

static void test_units(void **state)
{
    (void)state;
    struct program program, part;
    struct fm_heap heap;
    struct fm_buf out;
    fm_heap_init(&heap, NULL, 0);
    fm_buf_init(&out, &heap);
    open_good(CORPUS "app.x64-3.13.symbols", &program);
    open_good(CORPUS "app.x64-3.10.symbols", &part);
    const framemap_dart_options options = {.size = sizeof options, .find_unit = find_unit, .find_context = &part};
    assert_int_equal(decode(&program, &options,
                            "loading_unit: 2, dso_base: 10000, instructions: 20000\nloading_unit: 3, dso_base: 30000, "
                            "instructions: 40000\n"
                            "isolate_instructions: 2000, vm_instructions: 0\n#00 abs 20041 unit 2 x\n#01 abs 40041 "
                            "unit 3 x\n#02 abs 2061 "
                            "unit 1 x\n#03 abs 2061 x\n",
                            &out),
                     FRAMEMAP_OK);
    assert_str(
        fm_buf_view(&out),
        "loading_unit: 2, dso_base: 10000, instructions: 20000\nloading_unit: 3, dso_base: 30000, instructions: 40000\n"
        "isolate_instructions: 2000, vm_instructions: 0\n#0      Shapes.total (package:demo/shapes.dart:43:23)\n"
        "#01 abs 40041 unit 3 x\n#02 abs 2061 unit 1 x\n#1      Shapes.total (package:demo/shapes.dart:43:23)\n");
    fm_buf_free(&out);
    close_program(&part);
    close_program(&program);
}

/* --- testing lack of memory, the output limit, and truncated traces --- */

#define DECODED "#0      Shapes.total (package:demo/shapes.dart:44:13)\n"
static bool decode_all(const framemap_allocator *allocator, void *context)
{
    const char *text = context;
    struct program program;
    struct fm_heap heap;
    struct fm_buf out;
    framemap_error error;
    fm_heap_init(&heap, NULL, 0);
    fm_buf_init(&out, &heap);
    const framemap_dart_options options = {.size = sizeof options, .allocator = allocator};
    framemap_status status = open_program(CORPUS "app.x64-3.10.symbols", allocator, &program, &error);
    if (status == FRAMEMAP_OK) status = decode(&program, &options, text, &out);
    if (status == FRAMEMAP_OK)
        assert_str(fm_buf_view(&out), DECODED);
    else
        assert_int_equal(status, FRAMEMAP_E_MEMORY);
    close_program(&program);
    fm_buf_free(&out);
    return status == FRAMEMAP_OK;
}

static void test_memory(void **state)
{
    (void)state;
    static char text[] =
        "#00 abs 0 _kDartIsolateSnapshotInstructions+0x61\n#01 abs 0 _kDartVmSnapshotInstructions+0x49\n";
    assert_true(sweep_keeping_allocations(decode_all, text) > 3);
}

static bool refuse(void *context, const char *data, size_t size)
{
    (void)context, (void)data, (void)size;
    return false;
}

static void test_refused(void **state)
{
    (void)state;
    struct program program;
    framemap_dart_decoder *decoder = NULL;
    framemap_error error = {0};
    open_good(CORPUS "app.x64-3.13.symbols", &program);
    must_ok(framemap_dart_decoder_create(program.index, NULL, &decoder, &error), &error);
    assert_int_equal(framemap_dart_decoder_text(decoder, FM_STR("a\n"), refuse, NULL, &error), FRAMEMAP_E_IO);
    assert_int_equal(framemap_dart_decoder_text(decoder, FM_STR("a\n"), NULL, NULL, &error), FRAMEMAP_E_ARGUMENT);
    framemap_dart_decoder_free(decoder);
    framemap_dart_decoder_free(NULL);
    close_program(&program);
}

/* Tests each prefix of a trace: complete lines are decoded, and an incomplete line is output unchanged. */
static void test_prefixes(void **state)
{
    (void)state;
    struct program program;
    struct fm_heap heap;
    const struct text text = content(CORPUS "x64-3.10.trace.txt"), whole = content(CORPUS "x64-3.10.translated.txt");
    fm_heap_init(&heap, NULL, 0);
    open_good(CORPUS "app.x64-3.10.symbols", &program);
    for (size_t size = 0; size <= text.size; size++) {
        struct fm_buf out;
        char *part = malloc(size + 1);
        memcpy(part, text.data, size);
        part[size] = '\0';
        fm_buf_init(&out, &heap);
        assert_int_equal(decode(&program, NULL, part, &out), FRAMEMAP_OK);
        const bool ends = size && text.data[size - 1] == '\n';
        if (ends && (out.size > whole.size || memcmp(out.data, whole.data, out.size) != 0))
            fail_msg("the first %zu bytes are decoded otherwise", size);
        fm_buf_free(&out);
        free(part);
    }
    free(text.data);
    free(whole.data);
    close_program(&program);
}

/* --- testing the conversion to Dart's format --- */

static void test_convert(void **state)
{
    (void)state;
    static const char *const paths[] = {CORPUS "app.x64-3.10.symbols"};
    const framemap_session_options options = {
        .size = sizeof options, .symbol_paths = paths, .symbol_path_count = 1, .cache_path = ""};
    framemap_session *session = NULL;
    framemap_trace_list list = {NULL, 0, NULL};
    framemap_error error = {0};
    struct fm_heap heap;
    struct fm_buf out;
    uint64_t dropped = 0;
    fm_heap_init(&heap, NULL, 0);
    fm_buf_init(&out, &heap);
    must_ok(framemap_session_open(&options, &session, &error), &error);
    must_ok(
        framemap_trace_parse(
            FM_STR("0   App    0x0000000107933501 0x107932000+5377\n1   UIKit  0x0000000207933501 0x207932000+5377\n"
                   "2   App    0x0000000107933502 0x107932000+5378\n"),
            NULL, &list, &error),
        &error);
    must_ok(framemap_session_write_dart(session, &list, gather, &out, &dropped, &error), &error);
    assert_int_equal(dropped, 1);
    const framemap_str got = fm_buf_view(&out);
    assert_int_not_equal(fm_str_find(got, FM_STR("isolate_dso_base: 107932000, vm_dso_base: 107932000\n")),
                         FM_NOT_FOUND);
    /* The current instruction is looked up at its own address. For a return address, the byte before it is
     * looked up. */
    assert_int_not_equal(
        fm_str_find(got,
                    FM_STR("    #00 abs 0000000107933501 virt 0000000000001501 _kDartIsolateSnapshotInstructions+0x")),
        FM_NOT_FOUND);
    assert_int_not_equal(
        fm_str_find(got,
                    FM_STR("    #01 abs 0000000107933501 virt 0000000000001501 _kDartIsolateSnapshotInstructions+0x")),
        FM_NOT_FOUND);
    assert_int_equal(framemap_session_write_dart(session, &list, refuse, NULL, NULL, &error), FRAMEMAP_E_IO);
    framemap_trace_list_free(&list);
    framemap_session_close(session);
    fm_buf_free(&out);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_texts),   cmocka_unit_test(test_other_images), cmocka_unit_test(test_lines),
        cmocka_unit_test(test_builds),  cmocka_unit_test(test_units),        cmocka_unit_test(test_memory),
        cmocka_unit_test(test_refused), cmocka_unit_test(test_prefixes),     cmocka_unit_test(test_convert)};
    return cmocka_run_group_tests_name("session dart", tests, NULL, NULL);
}
