/* Tests that sessions and the decoder of Dart traces restore obfuscated and minified names, in the error and in frame
 * lines with names. */
#include "core/text/buffer.h"
#include "tests/session/session_help.h"

#include <framemap/dart.h>

#define PROGRAM FM_SOURCE_DIR "/corpus/dart/app.x64-3.13.symbols"
/* this file consists of a script, a NUL byte, and the script's map */
#define WEB FM_SOURCE_DIR "/corpus/fuzz/named/dart2js"
#define ROW "    #00 abs 0 virt 0 _kDartSnapshotText+0x61\n"
#define RESTORED "#0      Shapes.total (package:demo/shapes.dart:43:23)\n"
#define MAP "[\"MaterialApp\",\"ex\",\"Scaffold\",\"ey\",\"build\",\"fa\",\"Shapes\",\"total\"]"

struct bench {
    struct folder folder;
    struct warnings warnings;
};

static int set_up(void **state)
{
    static struct bench bench;
    memset(&bench, 0, sizeof bench);
    folder_make(&bench.folder);
    *state = &bench;
    return 0;
}

static int tear_down(void **state)
{
    struct bench *bench = *state;
    remove_tree(bench->folder.path);
    return 0;
}

/* Restores a text with a session on the test's folder and the Dart program of the corpus. */
static framemap_status restore(struct bench *bench, const char *text, const char *format,
                               const framemap_allocator *allocator, struct fm_buf *out)
{
    const char *paths[] = {bench->folder.path, PROGRAM};
    framemap_session *session = NULL;
    framemap_error error = {0};
    const framemap_session_options options = {.size = sizeof options,
                                              .allocator = allocator,
                                              .symbol_paths = paths,
                                              .symbol_path_count = allocator ? 1 : 2,
                                              .cache_path = "",
                                              .warning = keep_warning,
                                              .context = &bench->warnings};
    const framemap_restore_options how = {.size = sizeof how, .output = format};
    framemap_status status = framemap_session_open(&options, &session, &error);
    if (status == FRAMEMAP_OK)
        status = framemap_session_restore(session, framemap_str_of(text), &how, gather, out, NULL, &error);
    framemap_session_close(session);
    return status;
}

static const struct {
    const char *why, *text, *want;
} rows[] = {
    {"an object without a text of its own", "Unhandled exception:\nInstance of 'ex'\n" ROW,
     "Unhandled exception:\nInstance of 'MaterialApp'\n" RESTORED},
    {"a type and its message, in a log of Android",
     "E/flutter ( 3081): [ERROR:flutter/x.cc(41)] Unhandled Exception: ex: no 'ex', ey\nE/flutter ( 3081): #00 abs 0 "
     "_kDartSnapshotText+0x61\n",
     "E/flutter ( 3081): [ERROR:flutter/x.cc(41)] Unhandled Exception: MaterialApp: no 'ex', ey\nE/flutter ( "
     "3081): " RESTORED},
    {"several in one line", "type 'ex' is not a subtype of type 'ey<ex>' in type cast\n" ROW,
     "type 'MaterialApp' is not a subtype of type 'Scaffold<MaterialApp>' in type cast\n" RESTORED},
    {"as Flutter writes errors, lines above the stack",
     "══╡ EXCEPTION CAUGHT BY WIDGETS LIBRARY ╞══════\nThe following ex was thrown building ey(dirty):\nex: it "
     "went\n\nThe relevant "
     "error-causing "
     "widget was:\n  Other\n\nWhen the exception was thrown, this was the stack:\n" ROW,
     "══╡ EXCEPTION CAUGHT BY WIDGETS LIBRARY ╞══════\nThe following MaterialApp was thrown building "
     "Scaffold(dirty):\nMaterialApp: it "
     "went\n\nThe "
     "relevant error-causing widget was:\n  Other\n\nWhen the exception was thrown, this was the stack:\n" RESTORED},
    {"Crashlytics",
     "Fatal Exception: io.flutter.plugins.firebase.crashlytics.FlutterError: ex. Error thrown null.\n       at ." ROW,
     "Fatal Exception: io.flutter.plugins.firebase.crashlytics.FlutterError: MaterialApp. Error thrown null.\n       "
     "at . " RESTORED},
    {"a call that failed",
     "NoSuchMethodError: The method 'fa' was called on null.\nReceiver: null\nTried calling: fa(Instance of "
     "'ey')\n" ROW,
     "NoSuchMethodError: The method 'build' was called on null.\nReceiver: null\nTried calling: build(Instance of "
     "'Scaffold')\n" RESTORED},
    {"what is too far above is of something else", "Instance of 'ex'\n1\n2\n3\n4\n5\n6\n7\n8\n9\n10\n11\n12\n13\n" ROW,
     "Instance of 'ex'\n1\n2\n3\n4\n5\n6\n7\n8\n9\n10\n11\n12\n13\n" RESTORED},
    {"no stack, no names", "Unhandled exception:\nInstance of 'ex'\n", "Unhandled exception:\nInstance of 'ex'\n"},
    {"words are no names", "ex and ey\n" ROW, "ex and ey\n" RESTORED},
    {"rows that have names, obfuscated ones",
     "#0      ex.fa.<anonymous closure> (package:a/b.dart:1:2)\n#1      exe (package:a/b.dart:3)\n",
     "#0      MaterialApp.build.<anonymous closure> (package:a/b.dart:1:2)\n#1      exe (package:a/b.dart:3)\n"},
    {"rows whose names are right have short words, too",
     "#0      new Iterable.fa (package:a/b.dart:1:2)\n#1      State.show (package:a/b.dart:3)\n",
     "#0      new Iterable.fa (package:a/b.dart:1:2)\n#1      State.show (package:a/b.dart:3)\n"},
};

static void test_rows(void **state)
{
    struct bench *bench = *state;
    struct fm_heap heap;
    put_file(&bench->folder, "names.json", FM_STR(MAP));
    fm_heap_init(&heap, NULL, 0);
    for (size_t i = 0; i < COUNT_OF(rows); i++) {
        struct fm_buf out;
        fm_buf_init(&out, &heap);
        assert_int_equal(restore(bench, rows[i].text, "text", NULL, &out), FRAMEMAP_OK);
        if (!fm_str_equal(fm_buf_view(&out), framemap_str_of(rows[i].want)))
            fail_msg("%s: got\n%.*s, wanted\n%s", rows[i].why, (int)out.size, out.data, rows[i].want);
        fm_buf_free(&out);
    }
}

static void must_have(struct fm_buf *out, const char *words)
{
    if (fm_str_find(fm_buf_view(out), framemap_str_of(words)) == FM_NOT_FOUND)
        fail_msg("no %s in\n%.*s", words, (int)out->size, out->data);
}

static void test_json(void **state)
{
    struct bench *bench = *state;
    struct fm_heap heap;
    struct fm_buf out;
    put_file(&bench->folder, "names.json", FM_STR(MAP));
    fm_heap_init(&heap, NULL, 0);
    fm_buf_init(&out, &heap);
    assert_int_equal(restore(bench, "Unhandled exception:\nex: no 'ex' type 'ey'\n" ROW, "json", NULL, &out),
                     FRAMEMAP_OK);
    must_have(&out, "\"type\":\"MaterialApp\",\"type_raw\":\"ex\",\"message\":\"no 'ex' type 'Scaffold'\"");
    must_have(&out, "{\"before\":0,\"printed\":\"ex\",\"class\":\"MaterialApp\",\"exception\":true}");
    must_have(&out, "{\"before\":0,\"printed\":\"ey\",\"class\":\"Scaffold\"}");
    fm_buf_free(&out);
}

/* Tests two obfuscation maps, which contradict each other, and a truncated map. No name is restored with them, but the
 * stack is restored. */
static void test_doubtful(void **state)
{
    struct bench *bench = *state;
    static const char text[] = "Unhandled exception:\nInstance of 'ex'\n" ROW,
                      want[] = "Unhandled exception:\nInstance of 'ex'\n" RESTORED;
    struct fm_heap heap;
    struct fm_buf out;
    put_file(&bench->folder, "names.json", FM_STR(MAP));
    put_file(&bench->folder, "other.json", FM_STR("[\"Other\",\"ex\"]"));
    fm_heap_init(&heap, NULL, 0);
    fm_buf_init(&out, &heap);
    assert_int_equal(restore(bench, text, "text", NULL, &out), FRAMEMAP_OK);
    assert_str(fm_buf_view(&out), want);
    assert_int_equal(bench->warnings.count, 1);
    fm_buf_clear(&out);
    remove_tree(bench->folder.path);
    folder_make(&bench->folder);
    char *cut = malloc(8192);
    size_t at = (size_t)sprintf(cut, "[\"A\",\"b\"");
    while (at < 8000) at += (size_t)sprintf(cut + at, ",\"Name%zu\",\"n%zu\"", at, at);
    /* the truncated file still begins like an obfuscation map */
    put_file(&bench->folder, "names.json", fm_str(cut, at));
    assert_int_equal(restore(bench, text, "text", NULL, &out), FRAMEMAP_OK);
    assert_str(fm_buf_view(&out), want);
    free(cut);
    fm_buf_free(&out);
}

static bool restore_once(const framemap_allocator *allocator, void *context)
{
    struct bench *bench = context;
    struct fm_heap heap;
    struct fm_buf out;
    fm_heap_init(&heap, NULL, 0);
    fm_buf_init(&out, &heap);
    const framemap_status status = restore(
        bench, "Unhandled exception:\nex: type 'ey'\n#0  ex.fa (package:a/b.dart:1)\n", "text", allocator, &out);
    if (status == FRAMEMAP_OK) must_have(&out, "MaterialApp: type 'Scaffold'\n#0  ");
    if (status != FRAMEMAP_OK) assert_int_equal(status, FRAMEMAP_E_MEMORY);
    fm_buf_free(&out);
    return status == FRAMEMAP_OK;
}

static void test_memory(void **state)
{
    struct bench *bench = *state;
    put_file(&bench->folder, "names.json", FM_STR(MAP));
    assert_true(sweep_allocations(restore_once, bench) > 20);
}

/* --- testing the decoder with the option --obfuscation-map of `symbolize` --- */

static void decode(const framemap_index *program, const framemap_index *names, const char *text, struct fm_buf *out)
{
    const framemap_dart_options options = {.size = sizeof options, .names = names};
    framemap_dart_decoder *decoder = NULL;
    framemap_error error = {0};
    must_ok(framemap_dart_decoder_create(program, &options, &decoder, &error), &error);
    must_ok(framemap_dart_decoder_text(decoder, framemap_str_of(text), gather, out, &error), &error);
    framemap_dart_decoder_free(decoder);
}

static const struct {
    const char *why, *text, *want;
} decoded[] = {
    {"the error in the next line", "Unhandled exception:\nex: it went\n",
     "Unhandled exception:\nMaterialApp: it went\n"},
    {"after a logger's words, too", "E/flutter ( 12): Unhandled Exception:\nE/flutter ( 12): ex: it went\n",
     "E/flutter ( 12): Unhandled Exception:\nE/flutter ( 12): MaterialApp: it went\n"},
    {"but not the next line", "Unhandled exception:\n\nex: it went\n", "Unhandled exception:\n\nex: it went\n"},
    {"of a log without a stack", "I/flutter ( 12): Another exception was thrown: Instance of 'ex'\n",
     "I/flutter ( 12): Another exception was thrown: Instance of 'MaterialApp'\n"},
    {"of a row out of symbols a part is a renamed name by chance", ROW, RESTORED},
};

static void test_decoder(void **state)
{
    struct bench *bench = *state;
    const char *paths[] = {PROGRAM, bench->folder.path};
    char path[600], all[600];
    const framemap_session_options options = {
        .size = sizeof options, .symbol_paths = paths, .symbol_path_count = 2, .cache_path = ""};
    framemap_session *session = NULL;
    const framemap_index *program, *names;
    framemap_dart_decoder *decoder;
    framemap_error error = {0};
    struct fm_heap heap;
    put_file(&bench->folder, "names.json", FM_STR(MAP));
    snprintf(path, sizeof path, "%s/names.json", bench->folder.path);
    snprintf(all, sizeof all, "%s/all.json", bench->folder.path);
    fm_heap_init(&heap, NULL, 0);
    must_ok(framemap_session_open(&options, &session, &error), &error);
    const framemap_image_query want_program = {.path = FM_STR(PROGRAM)}, want_names = {.path = framemap_str_of(path)},
                               want_all = {.path = framemap_str_of(all)};
    must_ok(framemap_session_index(session, &want_program, &program, &error), &error);
    must_ok(framemap_session_index(session, &want_names, &names, &error), &error);
    for (size_t i = 0; i < COUNT_OF(decoded); i++) {
        struct fm_buf out;
        fm_buf_init(&out, &heap);
        decode(program, names, decoded[i].text, &out);
        if (!fm_str_equal(fm_buf_view(&out), framemap_str_of(decoded[i].want)))
            fail_msg("%s: got\n%.*s", decoded[i].why, (int)out.size, out.data);
        fm_buf_free(&out);
    }
    framemap_session_release(session, names);
    put_file(&bench->folder, "all.json", FM_STR("[\"A\",\"Shapes\",\"b\",\"total\"]"));
    must_ok(framemap_session_index(session, &want_all, &names, &error), &error);
    struct fm_buf out;
    fm_buf_init(&out, &heap);
    /* the compiler was old, and did not correct the position in the frame line */
    decode(program, names, ROW, &out);
    assert_str(fm_buf_view(&out), "#0      A.b (package:demo/shapes.dart:43:23)\n");
    fm_buf_free(&out);
    const framemap_dart_options wrong = {.size = sizeof wrong, .names = program};
    assert_int_equal(framemap_dart_decoder_create(program, &wrong, &decoder, &error), FRAMEMAP_E_ARGUMENT);
    framemap_session_release(session, program);
    framemap_session_release(session, names);
    framemap_session_close(session);
}

/* --- testing stacks of Flutter on the web --- */

static void put_web(struct bench *bench)
{
    static char bytes[4096];
    FILE *file = fopen(WEB, "rb");
    assert_non_null(file);
    const size_t size = fread(bytes, 1, sizeof bytes, file), end = strlen(bytes);
    fclose(file);
    assert_true(end + 1 < size);
    put_file(&bench->folder, "main.dart.js", fm_str(bytes, end));
    put_file(&bench->folder, "main.dart.js.map", fm_str(bytes + end + 1, size - end - 1));
}

#define WEB_ROW "    at f (https://x/main.dart.js:3:11)\n"
#define WEB_RESTORED "    at in2 (a.dart:3:10)\n    at in1 (a.dart:2:3)\n    at F (b.dart:7:5)\n"
static const struct {
    const char *why, *text, *want;
} web[] = {
    {"a type", "Uncaught Error: Instance of 'minified:b'\n" WEB_ROW, "Uncaught Error: Instance of 'G'\n" WEB_RESTORED},
    {"with its arguments", "Error: minified:b<minified:a, minified:zz>\n" WEB_ROW,
     "Error: G<F, minified:zz>\n" WEB_RESTORED},
    {"a member", "TypeError: Cannot read property 'z' of null\n" WEB_ROW,
     "TypeError: Cannot read property 'in1' of null\n" WEB_RESTORED},
    {"a member, as it is said today", "TypeError: Cannot read properties of null (reading 'z')\n" WEB_ROW,
     "TypeError: Cannot read properties of null (reading 'in1')\n" WEB_RESTORED},
    {"a member that is called", "TypeError: J.x(...).z is not a function\n" WEB_ROW,
     "TypeError: J.x(...).in1 is not a function\n" WEB_RESTORED},
    {"a member of Dart's own words", "NoSuchMethodError: method not found: 'z' on null\n" WEB_ROW,
     "NoSuchMethodError: method not found: 'in1' on null\n" WEB_RESTORED},
    {"part of a word is no name", "Error: unminified:b 'z' z\n" WEB_ROW, "Error: unminified:b 'z' z\n" WEB_RESTORED},
};

static void test_web(void **state)
{
    struct bench *bench = *state;
    struct fm_heap heap;
    put_web(bench);
    fm_heap_init(&heap, NULL, 0);
    for (size_t i = 0; i < COUNT_OF(web); i++) {
        struct fm_buf out;
        fm_buf_init(&out, &heap);
        assert_int_equal(restore(bench, web[i].text, "text", NULL, &out), FRAMEMAP_OK);
        if (!fm_str_equal(fm_buf_view(&out), framemap_str_of(web[i].want)))
            fail_msg("%s: got\n%.*s", web[i].why, (int)out.size, out.data);
        fm_buf_free(&out);
    }
}

/* Adds a line that is longer than all blocks that the parser and the restorer have freed, so that the printer must
 * request memory. The text must be printed even if the request fails. */
static void add_line(struct fm_buf *text, const char *start)
{
    enum { LINE = 20000 };
    fm_buf_str(text, framemap_str_of(start));
    for (size_t i = 0; i < LINE; i++) fm_buf_byte(text, 'x');
    fm_buf_add(text, "\n\0", 2);
}

static bool restore_web(const framemap_allocator *allocator, void *context)
{
    struct fm_heap heap;
    struct fm_buf text, want, out;
    fm_heap_init(&heap, NULL, 0);
    fm_buf_init(&text, &heap);
    fm_buf_init(&want, &heap);
    fm_buf_init(&out, &heap);
    add_line(&text, "Error: minified:b z\n" WEB_ROW);
    add_line(&want, "Error: G z\n" WEB_RESTORED);
    const framemap_status status = restore(context, text.data, "text", allocator, &out);
    if (status == FRAMEMAP_OK) assert_str(fm_buf_view(&out), want.data);
    if (status != FRAMEMAP_OK) assert_int_equal(status, FRAMEMAP_E_MEMORY);
    fm_buf_free(&text);
    fm_buf_free(&want);
    fm_buf_free(&out);
    return status == FRAMEMAP_OK;
}

static void test_web_memory(void **state)
{
    struct bench *bench = *state;
    put_web(bench);
    assert_true(sweep_keeping_allocations(restore_web, bench) > 20);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test_setup_teardown(test_rows, set_up, tear_down),
                                       cmocka_unit_test_setup_teardown(test_json, set_up, tear_down),
                                       cmocka_unit_test_setup_teardown(test_doubtful, set_up, tear_down),
                                       cmocka_unit_test_setup_teardown(test_memory, set_up, tear_down),
                                       cmocka_unit_test_setup_teardown(test_decoder, set_up, tear_down),
                                       cmocka_unit_test_setup_teardown(test_web, set_up, tear_down),
                                       cmocka_unit_test_setup_teardown(test_web_memory, set_up, tear_down)};
    return cmocka_run_group_tests_name("names of Dart restored", tests, NULL, NULL);
}
