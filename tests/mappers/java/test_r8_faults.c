/* Tests of mappings that are damaged or hostile, and of files that are not mappings. Some are refused; in others parts
 * are skipped and reported. All must be read in linear time. */
#include "core/text/buffer.h"
#include "tests/mappers/java/r8_help.h"

#include "mappers/java/r8_head.h"

#define V22 "# {\"id\":\"com.android.tools.r8.mapping\",\"version\":\"2.2\"}\n"
#define SYNTHESIZED "# {\"id\":\"com.android.tools.r8.synthesized\"}\n"

static const char whole[] =
    "# compiler: R8\n" V22 "# pg_map_id: 0a1b2c3\n"
    "o.C -> a:\n"
    "# {\"id\":\"sourceFile\",\"fileName\":\"C\xc3\xa9.kt\"}\n"
    "    int f -> f\n"
    "    1:1:void q.I.i(o.C[]):5:5 -> a\n"
    "    1:1:void m( int ):7 -> a\n"
    "      # {id:com.android.tools.r8.rewriteFrame,conditions:['throws(Lx/E;)'],actions:['removeInnerFrames(1)']}\n"
    "    void n() -> a\n" SYNTHESIZED "    2:4:void o():9:11 -> b\n"
    "      # {id:com.android.tools.r8.outlineCallsite,positions:{1:2},outline:'La;b()V'}\n"
    "# {id:com.android.tools.r8.residualsignature,signature:'(Lx/D;)V'}\n"
    "o.D -> d:\n"
    "    void <init>() -> <init>\n";

/* --- testing single faults --- */

static void test_lenient(void **state)
{
    static const struct {
        const char *mapping, *wanted, *why;
        unsigned warnings;
        uint64_t line; /* line of the last warning */
    } rows[] = {
        {"o.C -> a:\n void m( -> a\n" SYNTHESIZED " void n() -> b\n",
         "o.C -> a\n  b\n    = void o.C.n()\n      - void o.C.n() -\n", "a member that is none, with its comment", 1,
         2},
        {V22 "o.C -> a:\n void m() -> a\n void n( -> b\n" SYNTHESIZED " void o() -> a\n" SYNTHESIZED,
         "o.C -> a\n  a\n    = void o.C.m() S\n      - void o.C.m() -\n    = void o.C.m() S\n      - void o.C.o() -\n",
         "the comment is not the member's before", 1, 4},
        {"o.C -> a\n void m() -> a\n# {id:sourceFile,fileName:X}\no.D -> b:\n", "o.D -> b\n",
         "a class that is none, with all below it", 1, 1},
        {"o.A -> x:\no.C -> a\n void m() -> a\no.D -> b:\n", "o.D -> b\no.A -> x\n", "they are not the class's before",
         1, 2},
        {"o.C -> a:\n void m() -> a\nhello\n void n() -> b\n",
         "o.C -> a\n  a\n    = void o.C.m()\n      - void o.C.m() -\n  b\n    = void o.C.n()\n      - void o.C.n() -\n",
         "a line that is nothing at all ends no class", 1, 3},
        {" void m() -> a\no.C -> a:\n", "o.C -> a\n", "a member before any class", 1, 1},
        {"o.C -> a:\n# {id:sourceFile,fileName:A}\n# {id:null}\n", "o.C -> a\no.C in A\n",
         "a comment that R8 gives up on", 1, 3},
        {"\xef\xbb\xbf# {\"id\":\"com.android.tools.r8.mapping\",\"version\":\"2.2\"}\no.C -> a:\n" SYNTHESIZED,
         "o.C -> a S\n", "a byte order mark before metadata, which R8 refuses", 0, 0},
        {"o.C -> a:\n void \xff() -> a\n void n() -> b", "o.C -> a\n  b\n    = void o.C.n()\n      - void o.C.n() -\n",
         "no UTF-8", 1, 2},
    };
    (void)state;
    for (size_t i = 0; i < COUNT_OF(rows); i++) {
        struct mapping m;
        struct fm_buf text;
        read_mapping(&m, framemap_str_of(rows[i].mapping), "r8", false, NULL);
        if (m.status != FRAMEMAP_OK) fail_msg("%s: %s", rows[i].why, m.error.message);
        fm_buf_init(&text, &m.heap);
        put_mapping(&m, &text);
        if (!fm_str_equal(fm_buf_view(&text), framemap_str_of(rows[i].wanted)))
            fail_msg("%s: got\n%.*swanted\n%s", rows[i].why, (int)text.size, text.data, rows[i].wanted);
        if (m.warnings != rows[i].warnings || m.warned_line != rows[i].line)
            fail_msg("%s: %u warnings, line %llu: %s", rows[i].why, m.warnings, (unsigned long long)m.warned_line,
                     m.said);
        fm_buf_free(&text);
        free_mapping(&m);
        read_mapping(&m, framemap_str_of(rows[i].mapping), "r8", true, NULL);
        if (m.status != FRAMEMAP_E_CORRUPT && i != 0) fail_msg("%s: R8 refuses it", rows[i].why);
        free_mapping(&m);
    }
}

/* Checks that after some warnings, further faults are counted but not reported one by one. */
static void test_many_faults(void **state)
{
    struct mapping m;
    char text[4000] = "o.C -> a:\n";
    (void)state;
    for (unsigned i = 0; i < 300; i++) strcat(text, " bad\n");
    read_mapping(&m, framemap_str_of(text), "r8", false, NULL);
    assert_int_equal(m.status, FRAMEMAP_OK);
    assert_int_equal(m.warnings, 21);
    assert_string_equal(m.said, "280 more lines of the mapping are faulty and were skipped");
    free_mapping(&m);
}

/* Checks that the error of strict reading has the message, line and column that R8 reports. */
static void test_strict_message(void **state)
{
    struct mapping m;
    (void)state;
    read_mapping(&m, FM_STR("# c\r\n\no.C -> a:\n void m(int;x) -> a\n hello\n"), "r8", true, NULL);
    assert_int_equal(m.status, FRAMEMAP_E_CORRUPT);
    assert_int_equal(m.error.line, 4);
    assert_string_equal(m.error.message, "Parse error [4:12] Expected ','");
    assert_int_equal(m.warnings, 0);
    free_mapping(&m);
}

/* --- testing files that are not mappings --- */

static void test_empty(void **state)
{
    static const struct {
        const char *text, *why;
        bool broken;
    } rows[] = {{"", "nothing", false},
                {"\n  \r\n", "blanks", false},
                {"# compiler: R8\n# {\"id\":\"x\"}\n", "comments", false},
                {"hello\n", "a text", true}};
    struct fm_classes_about about;
    (void)state;
    for (size_t i = 0; i < COUNT_OF(rows); i++) {
        struct mapping m;
        read_mapping(&m, framemap_str_of(rows[i].text), "r8", false, NULL);
        if (m.status != FRAMEMAP_E_EMPTY) fail_msg("%s: is not empty", rows[i].why);
        free_mapping(&m);
        read_mapping(&m, framemap_str_of(rows[i].text), "r8", true,
                     NULL); /* R8 accepts an empty file as a mapping that renames nothing */
        if ((m.status == FRAMEMAP_OK) == rows[i].broken) fail_msg("%s: %s", rows[i].why, m.error.message);
        if (m.view) assert_true(fm_view_classes(m.view, &about) && about.class_count == 0);
        free_mapping(&m);
    }
}

static void test_probe(void **state)
{
    static const struct {
        const char *text, *why;
        bool wanted;
    } rows[] = {
        {"o.C -> a:\n", "a class line", true},
        {"# a licence\n\n# {\"id\":\"x\"}\no.C -> a:\n    int f -> a\n", "after comments", true},
        {"\xef\xbb\xbfo.C -> a:\r\n", "after a byte order mark", true},
        {"# compiler: R8\n", "R8's comments", true},
        {"# pg_map_id: 1234567\n", "its id", true},
        {"# {\"id\":\"com.android.tools.r8.mapping\",\"version\":\"2.2\"}\n", "its version", true},
        {"# compiler: R8\n???\n", "a mapping that is damaged after its head", true},
        {"damaged\n    lost -> b\no.C -> a:\n    int f -> a\n", "a mapping that is damaged at its begin", true},
        {"", "nothing", false},
        {"a -> b -> c:\n  d -> e\n", "arrows of another kind", false},
        {"# just a comment\n", "any comment", false},
        {"key: value:\n", "a list of keys", false},
        {"word:\n", "a word and a colon", false},
        {"o.C a:\n", "two words and a colon, which R8 takes", false},
        {"java.lang.Error: a -> b\n\tat a.b(C:1)\n", "a stack", false},
        {"{\"a\":1}", "JSON", false},
        {"a->b;\n", "C", false},
        {"o.C -> a:\0", "not after it", true},
    };
    (void)state;
    for (size_t i = 0; i < COUNT_OF(rows); i++)
        if ((fm_mapper_for(framemap_str_of(rows[i].text), FM_STR("f"), NULL) != NULL) != rows[i].wanted)
            fail_msg("%s: %s", rows[i].why, rows[i].text);
    assert_null(fm_mapper_for(fm_str("o.C\0 -> a:\n", 11), FM_STR("f"), NULL)); /* a text does not contain NUL bytes */
}

/* --- testing the id of a mapping --- */

static void test_ids(void **state)
{
    static const char hash[] = "0123456789abcdef0123456789abcdef0123456789abcdef0123456789abcdef";
    static const struct {
        const char *head, *id, *why;
    } rows[] = {
        {"# pg_map_id: 7f3a\n# pg_map_hash: SHA-256 %s\n", "7f3a", "the map's id"},
        {"# pg_map_hash: SHA-256 %s\n", "0123456789abcdef0123456789abcdef0123456789abcdef0123456789abcdef", "its hash"},
        {"#pg_map_id:  a-B_c  \r\n", "a-B_c", "any text without blanks, as it is written"},
        {"# pg_map_id: a b\n# pg_map_hash: SHA-256 %s\n",
         "0123456789abcdef0123456789abcdef0123456789abcdef0123456789abcdef", "not one with a blank"},
        {"# pg_map_id: a\n# pg_map_id: b\n", "a", "the first counts"},
    };
    char text[400];
    struct fm_view_about about;
    framemap_image_info image;
    size_t count;
    (void)state;
    for (size_t i = 0; i < COUNT_OF(rows); i++) {
        struct mapping m;
        const char *mark = strstr(rows[i].head, "%s");
        snprintf(text, sizeof text, "%.*s%s%so.C -> a:\n",
                 mark ? (int)(mark - rows[i].head) : (int)strlen(rows[i].head), rows[i].head, mark ? hash : "",
                 mark ? mark + 2 : "");
        read_mapping(&m, framemap_str_of(text), "r8", false, NULL);
        assert_int_equal(m.status, FRAMEMAP_OK);
        fm_view_about(m.view, &about);
        if (!fm_str_equal(about.id, framemap_str_of(rows[i].id)))
            fail_msg("%s: %.*s", rows[i].why, (int)about.id.size, about.id.data);
        assert_str(about.kind, "r8");
        assert_str(about.name, "mapping.txt");
        const struct fm_mapper *mapper = fm_mapper_for(framemap_str_of(text), FM_STR("f"), NULL);
        assert_int_equal(mapper->inspect(framemap_str_of(text), FM_STR("f"), &m.heap, &image, 1, &count, NULL),
                         FRAMEMAP_OK);
        assert_string_equal(image.id, rows[i].id);
        assert_string_equal(image.kind, "r8");
        assert_string_equal(image.type, "mapping");
        free_mapping(&m);
    }
}

/* Checks the id of a mapping that states no id: the first digits of the SHA-256 of the mapping's text, however the text
 * was divided for hashing. */
static void test_content_id(void **state)
{
    enum { SIZE = 3 << 20 };
    char *text = malloc(SIZE), digits[FM_R8_CONTENT_ID_SIZE];
    struct fm_view_about about;
    (void)state;
    memset(text, '#', SIZE);
    for (size_t at = 0; at + 40 < SIZE; at += 40) memcpy(text + at, "o.C -> a:\n    int some.long.name -> abc\n", 40);
    text[SIZE / 40 * 40 - 1] = '\n';
    for (unsigned i = 0; i < 3; i++) {
        const size_t size = (size_t)SIZE / 40 * 40 - i * 40;
        struct mapping m;
        read_mapping(&m, fm_str(text, size), i == 2 ? "proguard" : "r8", true, NULL);
        if (m.status != FRAMEMAP_OK) fail_msg("%s", m.error.message);
        fm_view_about(m.view, &about);
        assert_true(fm_str_equal(about.id, fm_r8_content_id(fm_str(text, size), digits)));
        free_mapping(&m);
    }
    free(text);
}

static void test_hash(void **state)
{
    static const struct {
        const char *text, *why;
        framemap_status wanted;
    } rows[] = {
        {"# pg_map_hash: SHA-256 e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855\n", "of nothing",
         FRAMEMAP_OK},
        {"# a\n\n  # pg_map_hash: SHA-256  ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad \r\nabc",
         "of what follows", FRAMEMAP_OK},
        {"# pg_map_hash: SHA-256 ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad\nabd",
         "of another text", FRAMEMAP_E_MISMATCH},
        {"# pg_map_hash: SHA-256 "
         "b4a28c035825d38fe119bb60fe87846351c39443b8669da02c41edbfc3dd3349\nm\xFF\xF1\x80\x80z\xED\xA0\x80",
         "of text that is none: each piece counts as U+FFFD", FRAMEMAP_OK},
        {"# pg_map_hash: SHA-256 be6dcbc567ba9512f5210398a5eb58806b3addf9e5c7921333aeac853c3619a6\nlong enough "
         "\xE1\x80",
         "and a character that is cut off", FRAMEMAP_OK},
        {"# pg_map_hash: SHA-256 BA7816BF8F01CFEA414140DE5DAE2223B00361A396177A9CB410FF61F20015AD\nabc", "in capitals",
         FRAMEMAP_E_MISMATCH},
        {"# pg_map_hash: SHA-256 \nabc", "cut off: the blank after the name is gone", FRAMEMAP_E_UNSUPPORTED},
        {"# pg_map_hash: MD5 900150983cd24fb0d6963f7d28e17f72\nabc", "another kind", FRAMEMAP_E_UNSUPPORTED},
        {"o.C -> a:\n# pg_map_hash: SHA-256 00\n", "after the head", FRAMEMAP_E_EMPTY},
        {"# compiler: R8\n", "none", FRAMEMAP_E_EMPTY},
        {"# pg_map_hash: SHA-256 00", "in a line without an end", FRAMEMAP_E_EMPTY},
        {"", "nothing at all", FRAMEMAP_E_EMPTY},
    };
    (void)state;
    for (size_t i = 0; i < COUNT_OF(rows); i++) {
        framemap_error error = {0};
        const framemap_status status = fm_r8_check_hash(framemap_str_of(rows[i].text), &error);
        if (status != rows[i].wanted) fail_msg("%s: %s", rows[i].why, error.message);
    }
}

/* --- testing every prefix of a mapping, and lack of memory --- */

static void test_every_prefix(void **state)
{
    (void)state;
    for (size_t size = 0; size < sizeof whole; size++) {
        char *cut =
            malloc(size + 1); /* an allocation of the exact size, so that a sanitizer detects a read past the end */
        struct mapping strict, lenient;
        memcpy(cut, whole, size);
        read_mapping(&strict, fm_str(cut, size), "r8", true, NULL);
        read_mapping(&lenient, fm_str(cut, size), "r8", false, NULL);
        assert_true(strict.status == FRAMEMAP_OK || strict.status == FRAMEMAP_E_CORRUPT);
        assert_true(lenient.status == FRAMEMAP_OK || lenient.status == FRAMEMAP_E_EMPTY);
        /* cutting the text makes at most one line faulty */
        assert_true(strict.status == FRAMEMAP_OK || lenient.warnings == 1);
        if (strict.status == FRAMEMAP_OK && lenient.status == FRAMEMAP_OK)
            assert_memory_equal(strict.built.data, lenient.built.data, strict.built.size);
        free_mapping(&strict);
        free_mapping(&lenient);
        free(cut);
    }
}

static bool read_with(const framemap_allocator *allocator, void *mapper)
{
    struct mapping m;
    read_mapping(&m, FM_STR(whole), mapper, true, allocator);
    assert_true(m.status == FRAMEMAP_OK || m.status == FRAMEMAP_E_MEMORY);
    free_mapping(&m);
    return m.status == FRAMEMAP_OK;
}

static void test_want_of_memory(void **state)
{
    char r8[] = "r8", proguard[] = "proguard";
    (void)state;
    assert_true(sweep_allocations(read_with, r8) > 20);
    assert_true(sweep_allocations(read_with, proguard) > 20);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_lenient),        cmocka_unit_test(test_many_faults),
        cmocka_unit_test(test_strict_message), cmocka_unit_test(test_empty),
        cmocka_unit_test(test_probe),          cmocka_unit_test(test_ids),
        cmocka_unit_test(test_content_id),     cmocka_unit_test(test_hash),
        cmocka_unit_test(test_every_prefix),   cmocka_unit_test(test_want_of_memory),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
