/* Tests frame lines that contain colours, NUL bytes, entities and escapes. It checks which frames are found, that the
 * text is printed unchanged, and that each frame is a slice of the text. */
#include "formats/scan/line_clean.h"
#include "tests/formats/native/native_help.h"

static const struct text_case texts[] = {
    {"colours", "of a terminal, around and within words; a link",
     "    #0 \033[1m0x55e0\033[m in \033[1;31mf\033[0moo \033[32m/src/a.cc\033[0m:\033[33m3\033[0m:4\n"
     "    #1 0x55e1 in bar \033]8;;file:///src/a.cc\033\\/src/a.cc:3:5\033]8;;\033\\\n",
     "sanitizer 1\n"
     "#0 absolute:0x55e0 f:foo at:/src/a.cc:3:4 not-needed\n"
     "#1 absolute:0x55e1 f:bar at:/src/a.cc:3:5 not-needed\n"},
    {"titles", "above the frames",
     "\033[31mException\033[0m in thread \033[33m\"main\"\033[0m a.b.\033[1mC\033[0m: no\n"
     "\tat a.b.\033[32mc\033[0m(SourceFile:\033[1m12\033[0m)\n",
     "java 2 named:main type:a.b.C message:no\n"
     "- c:a.b f:c at:SourceFile:12 kind:java\n"},
    {"Dart", "a row that is looked for anywhere in its line",
     "    #00 abs \033[1m0000007c90a6b2c7\033[0m virt 00000000001ab2c7 _kDartIsolateSnapshotInstructions+0xdb2c7\n",
     "dart 1\n"
     "#0 linked:0x1ab2c7 f:_kDartIsolateSnapshotInstructions+897735 abs:0x7c90a6b2c7 kind:dart\n"},
    {"entities", "in rows whose grammar they break",
     "Traceback (most recent call last):\n  File &quot;/app/x.py&quot;, line 3, in &lt;module&gt;\n",
     "python 2\n"
     "- f:<module> at:/app/x.py:3 not-needed kind:other\n"},
    {"escapes", "of a JSON string", "{\"m\":\"#0 \\/app\\/x.php(12): A-\\u003eb()\\n#1 {main}\\n\"}\n",
     "php 1\n"
     "#0 c:A f:b at:/app/x.php:12 not-needed kind:other\n"
     "#1 f:{main} not-needed kind:other\n"},
    {"colours in a string", "spelled as escapes",
     "{\"m\":\"  #0 0x55e0 in \\u001b[31mf\\u001b[0m \\/a.cc:3:4\\n  #1 0x55e1 in \\u0000g a.cc:3:5\\n\"}\n",
     "sanitizer 1\n"
     "#0 absolute:0x55e0 f:f at:/a.cc:3:4 not-needed\n"
     "#1 absolute:0x55e1 f:g at:a.cc:3:5 not-needed\n"},
    {"hard blanks", "of a page from which the text was copied; a cause needs its indent",
     "java.lang.Error: no\n\xC2\xA0\xC2\xA0\xC2\xA0 at a.b.c(SourceFile:12)\nCaused by: a.b.E: \xC3\xA9\n"
     "\xC2\xA0 \xC2\xA0 at a.b.d(SourceFile:3)\n",
     "java 2 type:java.lang.Error message:no\n- c:a.b f:c at:SourceFile:12 kind:java\n"
     "java 4 cause of 0 type:a.b.E message:\xC3\xA9\n- c:a.b f:d at:SourceFile:3 kind:java\n"},
    {"hard blanks within rows", "between the columns of a row",
     "backtrace:\n\xC2\xA0 \xC2\xA0 #00\xC2\xA0pc 00001344\xC2\xA0 /l/libdemo.so\xC2\xA0(f+12)\n",
     "android-tombstone 2\n#0 m:libdemo.so linked:0x1344 f:f+12 path:/l/libdemo.so\n"},
    {"hard blanks in a string", "spelled as escapes", "{\"m\":\"#0\\u00a0/app/x.php(12): b()\\n#1 {main}\\n\"}\n",
     "php 1\n"
     "#0 f:b at:/app/x.php:12 not-needed kind:other\n"
     "#1 f:{main} not-needed kind:other\n"},
    {"near misses", "an escape character without a sequence, and backslashes outside of strings, are bytes like others",
     "    #0 0x55e0 in f\033oo C:\\src\\/a.cc:3:4\n",
     "sanitizer 1\n"
     "#0 absolute:0x55e0 f:f\033oo at:C:\\src/a.cc:3:4 not-needed\n"},
};

static void test_texts(void **state)
{
    (void)state;
    check_told(texts, sizeof texts / sizeof *texts);
}

/* Tests NUL bytes in frame lines, and that each frame is the correct slice of the text. */
static void test_bytes(void **state)
{
    (void)state;
    static const char text[] =
        "  #0 0x55e0 in f\0oo \0/a.cc:3:4\0\n  #1 0x55e1 in \033[1mb\033[0m /a.cc:\0003:5\033[0m\n";
    static const framemap_str raws[] = {FM_STR_INIT("  #0 0x55e0 in f\0oo \0/a.cc:3:4"),
                                        FM_STR_INIT("  #1 0x55e1 in \033[1mb\033[0m /a.cc:\0003:5")};
    static const framemap_str functions[] = {FM_STR_INIT("foo"), FM_STR_INIT("b")};
    const framemap_str whole = fm_str(text, sizeof text - 1);
    struct parsed parsed;
    parse(&parsed, whole);
    assert_int_equal(parsed.count, 1);
    assert_int_equal(parsed.traces[0].frame_count, 2);
    for (size_t i = 0; i < 2; i++) {
        const framemap_frame *frame = &parsed.traces[0].frames[i];
        same_text("NUL", "raw", frame->raw, raws[i]);
        same_text("NUL", "the place",
                  fm_str_slice(whole, (size_t)frame->raw_offset, (size_t)frame->raw_offset + raws[i].size), raws[i]);
        same_text("NUL", "function", frame->function, functions[i]);
    }
    parsed_free(&parsed);
}

/* Text in UTF-32 is not parsed as a stack, even if its characters are those of a stack. */
static void test_mostly_nuls(void **state)
{
    (void)state;
    static const char row[] = "  #0 0x55e0 in foo /a.cc:3:4\n  #1 0x55e1 in bar /a.cc:3:5\n";
    char text[4 * sizeof row] = {0};
    struct parsed parsed;
    for (size_t i = 0; i < sizeof row - 1; i++) text[4 * i] = row[i];
    parse(&parsed, fm_str(text, 4 * (sizeof row - 1)));
    assert_int_equal(parsed.count, 0);
    parsed_free(&parsed);
}

/* A restored frame is printed without the colours that were within the frame, but with those before and after it. */
static void test_restored(void **state)
{
    (void)state;
    static const char text[] = "\033[2m#00 pc \033[1m0000000000001344\033[0m\033[2m  /l/a.so\033[0m\n";
    const framemap_frame source = {.function = FM_STR_INIT("f"), .file = FM_STR_INIT("a.c"), .line = 7};
    struct parsed parsed;
    struct fm_buf out;
    parse(&parsed, text_of(text));
    assert_int_equal(parsed.count, 1);
    framemap_frame *frame = (framemap_frame *)(uintptr_t)parsed.traces[0].frames;
    frame->restored = (framemap_frame_list){&source, 1};
    frame->status = FRAMEMAP_FRAME_OK;
    assert_int_equal(print_as(&parsed, text_of(text), "text", &out), FRAMEMAP_OK);
    same_text("restored", "text", fm_buf_view(&out),
              text_of("\033[2m#00 pc 0000000000001344  /l/a.so (f) a.c:7\033[0m\n"));
    fm_buf_free(&out);
    parsed_free(&parsed);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_texts), cmocka_unit_test(test_bytes),
                                       cmocka_unit_test(test_mostly_nuls), cmocka_unit_test(test_restored)};
    return cmocka_run_group_tests_name("formats line clean", tests, NULL, NULL);
}
