/* Tests of the mapper of Breakpad's symbol files through the public calls: which record answers for an address, the
 * forms that records have, and lines that are skipped with a warning. */
#include "tests/mappers/native/breakpad/breakpad_build.h"

#define FILES "FILE 0 a.c\nFILE 1 b.c\n"
#define ORIGINS "INLINE_ORIGIN 0 inner\nINLINE_ORIGIN 1 outer\n"
#define MAIN MODULE FILES "FUNC 1000 100 0 main\n1000 10 1 0\n1010 f0 2 0\n"
#define NESTED                                    \
    MODULE FILES ORIGINS "FUNC 1000 100 0 main\n" \
                         "INLINE 0 7 0 1 1010 40 1080 10\nINLINE 1 8 1 0 1020 10 1084 4\n1000 100 9 1\n"

static const struct {
    const char *why, *text;
    uint64_t address;
    const char *answer; /* as answer_text writes it */
} rows[] = {
    /* FUNC, line records and PUBLIC */
    {"a line", MAIN, 0x1000, "main a.c:1"},
    {"the last byte of a line", MAIN, 0x100f, "main a.c:1"},
    {"the next line", MAIN, 0x1010, "main a.c:2"},
    {"before the function", MAIN, 0xfff, ""},
    {"after the function", MAIN, 0x1100, ""},
    {"a function without lines", MODULE "FUNC 1000 10 0 f\n", 0x1004, "f"},
    {"a part without a line", MODULE FILES "FUNC 1000 10 0 f\n1008 4 1 0\n", 0x1004, "f"},
    {"after the last line of a function", MODULE FILES "FUNC 1000 10 0 f\n1008 4 1 0\n", 0x100c, "f"},
    {"line 0 is no line", MODULE FILES "FUNC 1000 10 0 f\n1000 10 0 1\n", 0x1000, "f b.c:0"},
    {"a line of size 0", MODULE FILES "FUNC 1000 10 0 f\n1000 0 1 0\n1000 10 2 0\n", 0x1000, "f a.c:2"},
    {"a file that no record declares", MODULE "FUNC 1000 10 0 f\n1000 10 2 7\n", 0x1000, "f"},
    {"FILE after its use", MODULE "FUNC 1000 10 0 f\n1000 10 2 7\nFILE 7 late.c\n", 0x1000, "f late.c:2"},
    {"the last FILE of a number counts", MODULE "FILE 7 x.c\nFILE 7 y.c\nFUNC 1000 10 0 f\n1000 10 2 7\n", 0x1000,
     "f y.c:2"},
    {"the greatest number", MODULE "FILE 4294967295 x.c\nFUNC 1000 10 0 f\n1000 10 2 4294967295\n", 0x1000, "f x.c:2"},
    {"numbers that share a place in the cache",
     MODULE "FILE 1 x.c\nFILE 65 y.c\nFUNC 1000 10 0 f\n1000 8 2 1\n1008 4 3 65\n100c 4 4 1\n", 0x100c, "f x.c:4"},
    {"a path of Mozilla's", MODULE "FILE 0 hg:hg.mozilla.org/x:a/b c.cpp:0123abc\nFUNC 1000 10 0 f\n1000 10 2 0\n",
     0x1000, "f hg:hg.mozilla.org/x:a/b c.cpp:0123abc:2"},
    {"a name with blanks", MODULE "FUNC 1000 10 0 std::map<int, char const*>::find(int) const\n", 0x1000,
     "std::map<int, char const*>::find(int) const"},
    {"no name", MODULE "FUNC 1000 10 0 \n", 0x1000, ""},
    {"no name and no blank", MODULE "FUNC 1000 10 0\nFUNC 2000 10 0 g\n", 0x2000, "g"},
    {"an omitted name", MODULE "FUNC 1000 10 0 <name omitted>\n", 0x1000, "<name omitted>"},
    {"a mangled name", MODULE "FUNC 1000 10 0 _ZN4shop4loadEi\n", 0x1000, "shop::load(int)"},
    {"several symbols have the code", MODULE "FUNC m 1000 10 0 f\n", 0x1000, "f"},
    {"a function of the name m", MODULE "FUNC 1000 10 0 m\n", 0x1000, "m"},
    {"PUBLIC m", MODULE "PUBLIC m 1000 0 f\n", 0x1000, "f"},
    {"upper-case digits", MODULE FILES "FUNC F000 10 0 f\nF000 10 2 0\n", 0xf000, "f a.c:2"},
    {"several blanks", MODULE FILES "FUNC  1000   10  0  f\n1000  10   2 0 \n", 0x1000, "f a.c:2"},
    {"CR LF", "MODULE windows x86 " GUID "1 app.pdb\r\nFILE 0 c:\\a b.c\r\nFUNC 1000 10 0 f\r\n1000 10 2 0\r\n", 0x1000,
     "f c:\\a b.c:2"},
    {"a byte order mark", "\xef\xbb\xbf" MAIN, 0x1000, "main a.c:1"},
    {"the last line has no end", MODULE FILES "FUNC 1000 10 0 f\n1000 10 2 0", 0x1000, "f a.c:2"},
    {"an empty line", MODULE FILES "\n\r\nFUNC 1000 10 0 f\n\n1000 10 2 0\n", 0x1000, "f a.c:2"},
    {"unwind information and other INFO",
     MODULE "INFO URL https://a/b\nINFO GENERATOR dump_syms 2\nSTACK WIN 4 1000 10 0 0 0 0 0 0 1 $eip\n"
            "FUNC 1000 10 0 f\nSTACK CFI INIT 1000 10 .cfa: $rsp 8 +\nSTACK CFI 1001 .cfa: $rsp 16 +\n",
     0x1000, "f"},
    {"FILE and INLINE_ORIGIN between lines",
     MODULE "FUNC 1000 10 0 f\n1000 8 1 0\nFILE 0 a.c\nINLINE_ORIGIN 0 g\n1008 8 2 0\n", 0x1008, "f a.c:2"},
    {"functions in any order", MODULE FILES "FUNC 2000 10 0 g\n2000 10 2 1\nFUNC 1000 10 0 f\n1000 10 1 0\n", 0x1000,
     "f a.c:1"},
    {"lines in any order", MODULE FILES "FUNC 1000 10 0 f\n1008 8 2 0\n1000 8 1 0\n", 0x1004, "f a.c:1"},
    {"a line that starts before its function", MODULE FILES "FUNC 1000 10 0 f\nff0 20 1 0\n", 0x1004, "f a.c:1"},
    {"no function is there", MODULE FILES "FUNC 1000 10 0 f\nff0 20 1 0\n", 0xff8, ""},
    {"a line goes on after its function", MODULE FILES "FUNC 1000 10 0 f\n1000 20 1 0\n", 0x1010, ""},
    {"of lines that overlap, the first by address counts", MODULE FILES "FUNC 1000 10 0 f\n1000 8 1 0\n1004 8 2 0\n",
     0x1004, "f a.c:1"},
    {"the rest of the other one", MODULE FILES "FUNC 1000 10 0 f\n1000 8 1 0\n1004 8 2 0\n", 0x1009, "f a.c:2"},
    {"of functions that overlap, the first by address counts", MODULE "FUNC 1008 10 0 g\nFUNC 1000 10 0 f\n", 0x1008,
     "f"},
    {"nothing of the other one is left", MODULE "FUNC 1008 10 0 g\nFUNC 1000 10 0 f\n", 0x1014, ""},
    {"of functions at one address, the shortest counts", MODULE "FUNC 1000 20 0 g\nFUNC 1000 10 0 f\n", 0x1000, "f"},
    {"functions of one range are names of one code", MODULE "FUNC 1000 10 0 f\nFUNC 1000 10 0 g\nFUNC 1000 10 0 f\n",
     0x1000, "f =g"},
    {"a function without a size is a symbol", MODULE "FUNC 1000 0 0 f\nFUNC 1040 10 0 g\n", 0x1020, "f"},
    {"a symbol", MODULE "PUBLIC 1000 0 f\nPUBLIC 1040 8 g\n", 0x103f, "f"},
    {"the last symbol ends somewhere", MODULE "PUBLIC 1000 0 f\n", 0x1000 + 65536, ""},
    {"a function ends a symbol", MODULE "PUBLIC 1000 0 f\nFUNC 1010 10 0 g\n", 0x1010, "g"},
    {"a symbol does not go on after a function", MODULE "PUBLIC 1000 0 f\nFUNC 1010 10 0 g\n", 0x1020, ""},
    {"a symbol in a function loses", MODULE "FUNC 1000 10 0 f\nPUBLIC 1008 0 g\n", 0x1008, "f"},
    {"it goes on after the function", MODULE "FUNC 1000 10 0 f\nPUBLIC 1008 0 g\n", 0x1010, "g"},
    {"a symbol at the start of a function does not", MODULE "FUNC 1000 10 0 f\nPUBLIC 1000 0 g\n", 0x1010, ""},
    {"a symbol after a function", MODULE "FUNC 1000 10 0 f\nPUBLIC 1020 0 g\n", 0x1020, "g"},
    {"between them", MODULE "FUNC 1000 10 0 f\nPUBLIC 1020 0 g\n", 0x1010, ""},
    {"symbols of one address", MODULE "PUBLIC 1000 0 f\nPUBLIC 1000 0 g\n", 0x1000, "f =g"},
    {"symbols at address 0 are not code", MODULE "PUBLIC 0 0 _CIlog\nPUBLIC 1000 0 f\n", 0x10, ""},
    {"a function at address 0", MODULE "FUNC 0 10 0 f\n", 0, "f"},
    {"the end of all addresses", MODULE "FUNC fffffffffffffff0 20 0 f\n", 0xfffffffffffffff8, "f"},

    /* INLINE */
    {"around the calls", NESTED, 0x1000, "main b.c:9"},
    {"a call", NESTED, 0x1010, "outer b.c:9, main a.c:7"},
    {"a call in a call", NESTED, 0x1020, "inner b.c:9, outer b.c:8, main a.c:7"},
    {"after the inner call", NESTED, 0x1030, "outer b.c:9, main a.c:7"},
    {"after the outer call", NESTED, 0x1050, "main b.c:9"},
    {"the second range", NESTED, 0x1080, "outer b.c:9, main a.c:7"},
    {"the second range of the inner call", NESTED, 0x1087, "inner b.c:9, outer b.c:8, main a.c:7"},
    {"calls without a line record", MODULE FILES ORIGINS "FUNC 1000 10 0 main\nINLINE 0 7 0 0 1000 10\n", 0x1000,
     "inner, main a.c:7"},
    {"INLINE after the lines", MODULE FILES ORIGINS "FUNC 1000 10 0 main\n1000 10 9 1\nINLINE 0 7 0 0 1000 10\n",
     0x1000, "inner b.c:9, main a.c:7"},
    {"INLINE_ORIGIN after its use", MODULE FILES "FUNC 1000 10 0 main\nINLINE 0 7 0 0 1000 10\nINLINE_ORIGIN 0 late\n",
     0x1000, "late, main a.c:7"},
    {"INLINE_ORIGIN without a name", MODULE FILES "INLINE_ORIGIN 0\nFUNC 1000 10 0 main\nINLINE 0 7 0 0 1000 10\n",
     0x1000, ", main a.c:7"},
    {"the file of the call is not known", MODULE FILES ORIGINS "FUNC 1000 10 0 main\nINLINE 0 7 -1 0 1000 10\n", 0x1000,
     "inner, main"},
    {"a new form, whose name starts with a number",
     MODULE FILES "INLINE_ORIGIN 0 0 f()\nFUNC 1000 10 0 main\nINLINE 0 7 0 0 1000 10\n", 0x1000, "0 f(), main a.c:7"},
    {"the old form", MODULE FILES "INLINE_ORIGIN 0 0 f()\nFUNC 1000 10 0 main\nINLINE 0 7 0 1000 10\n", 0x1000,
     "f(), main"},
    {"the old form without a file", MODULE FILES "INLINE_ORIGIN 0 -1 f()\nFUNC 1000 10 0 main\nINLINE 0 7 0 1000 10\n",
     0x1000, "f(), main"},
    {"the old form without a name", MODULE FILES "INLINE_ORIGIN 0 5\nFUNC 1000 10 0 main\nINLINE 0 7 0 1000 10\n",
     0x1000, ", main"},
    {"a first INLINE that is cut off does not change the form",
     MODULE FILES "INLINE_ORIGIN 0 0 f()\nFUNC 1000 10 0 main\nINLINE 0 7 0 0 1000\nINLINE 0 7 0 0 1000 10\n"
                  "INLINE 0 8 0 0 1008 8\n",
     0x1000, "0 f(), main a.c:7"},
    {"a level without the one around it is not shown",
     MODULE FILES ORIGINS "FUNC 1000 10 0 main\n1000 10 9 1\nINLINE 1 7 0 0 1000 10\n", 0x1000, "main b.c:9"},
    {"a range of size 0", MODULE FILES ORIGINS "FUNC 1000 10 0 main\nINLINE 0 7 0 0 1000 0 1004 4\n", 0x1000, "main"},
    {"a call goes on after its function", MODULE FILES ORIGINS "FUNC 1000 10 0 main\nINLINE 0 7 0 0 1008 20\n", 0x1010,
     ""},
    {"a call starts before its function", MODULE FILES ORIGINS "FUNC 1000 10 0 main\nINLINE 0 7 0 0 ff0 20\n", 0x1000,
     "inner, main a.c:7"},
    {"an inner call goes on over the end of the outer one, in the next",
     MODULE FILES ORIGINS "FUNC 1000 20 0 main\nINLINE 0 1 0 1 1000 10\nINLINE 1 2 0 0 1008 10\n"
                          "INLINE 0 3 0 1 1010 10\n",
     0x1010, "inner, outer a.c:2, main a.c:3"},
    {"of ranges of one level that overlap, the one that starts last counts",
     MODULE FILES ORIGINS "FUNC 1000 20 0 main\nINLINE 0 1 0 1 1000 20\nINLINE 0 2 0 0 1008 8\n", 0x1008,
     "inner, main a.c:2"},
    {"two functions have calls of their own",
     MODULE FILES ORIGINS "FUNC 1000 10 0 f\nINLINE 0 1 0 0 1000 10\nFUNC 1010 10 0 g\nINLINE 0 2 0 1 1010 10\n",
     0x1010, "outer, g a.c:2"},
};

static void answers(void **state)
{
    (void)state;
    for (size_t i = 0; i < COUNT_OF(rows); i++) {
        struct said said;
        framemap_bytes built = {0};
        framemap_index *index = NULL;
        framemap_error error = {0};
        char got[512];
        if (build_text(framemap_str_of(rows[i].text), false, &said, &built, &error) != FRAMEMAP_OK)
            fail_msg("%s: %s", rows[i].why, error.message);
        assert_int_equal(framemap_index_open(framemap_bytes_str(&built), NULL, &index, NULL), FRAMEMAP_OK);
        assert_int_equal(framemap_index_verify(index, NULL), FRAMEMAP_OK);
        answer_text(index, rows[i].address, got, sizeof got);
        if (strcmp(got, rows[i].answer) != 0) fail_msg("%s: \"%s\", not \"%s\"", rows[i].why, got, rows[i].answer);
        framemap_index_close(index);
        framemap_bytes_free(&built);
    }
}

/* Lines that are not sound. Each text has in addition a function that must be found. */
static void skipped_lines(void **state)
{
    (void)state;
    static const struct {
        const char *line;
        bool needs_function;
        const char *says; /* part of the warning */
    } lines[] = {
        {"FUNC 1000 10\n", false, "it is not a FUNC record"},
        {"FUNC 1000 x 0 f\n", false, "it is not a FUNC record"},
        {"FUNC 1000 10 0f g\n", false, NULL},
        {"FUNC 1000 10 0x4 g\n", false, "it is not a FUNC record"},
        {"FUNC 10000000000000000 10 0 f\n", false, "it is not a FUNC record"},
        {"PUBLIC xyz 0 f\n", false, "it is not a PUBLIC record"},
        {"PUBLIC 1000\n", false, "it is not a PUBLIC record"},
        {"FILE x a.c\n", false, "it is not a FILE record"},
        {"FILE 4294967296 a.c\n", false, "it is not a FILE record"},
        {"FILE 1a a.c\n", false, "it is not a FILE record"},
        {"INLINE_ORIGIN f\n", false, "it is not an INLINE_ORIGIN record"},
        {"1000 10 1 0\n", false, "does not belong to a FUNC record"},
        {"PUBLIC 9000 0 p\n1000 10 1 0\n", false, "does not belong to a FUNC record"},
        {"INLINE 0 1 0 0 1000 10\n", false, "does not belong to a FUNC record"},
        {"INLINE 0 1 0 0 1000 10\nINLINE 0 1 0 0 1000\n", true, "INLINE records that lack a field"},
        {"INLINE 0 1 0 0\n", true, "it is not an INLINE record"},
        {"INLINE\n", true, "it is not a record"},
        {"INLINE 0 1 0 0 1000 10 x 10\n", true, "it is not an INLINE record"},
        {"INLINE 0 -1 0 0 1000 10\n", true, "it is not an INLINE record"},
        {"INLINE 1023 1 0 0 1000 10\n", true, "it is not an INLINE record"},
        {"INLINE 0 1 0 1000 10\nINLINE 0 1 0 1000 10\nINLINE 0 1 0 0 1000 10\n", true, "that lack a field"},
        {"1000 10 1\n", true, "it is not a record"},
        {"1000 10 1 0 0\n", true, "it is not a record"},
        {"1000 10 -1 0\n", true, "it is not a record"},
        {"1000 10 4294967296 0\n", true, "it is not a record"},
        {"FUNCX 1000 10 0 f\n", false, "it is not a record"},
        {"what is this\n", false, "it is not a record"},
    };
    for (size_t i = 0; i < COUNT_OF(lines); i++) {
        char text[512], got[64];
        struct said said;
        framemap_bytes built = {0};
        framemap_index *index = NULL;
        framemap_error error = {0};
        const int before = snprintf(text, sizeof text, "%sFILE 0 a.c\nINLINE_ORIGIN 0 i\n%s", MODULE,
                                    lines[i].needs_function ? "FUNC 1000 100 0 f\n" : "");
        snprintf(text + before, sizeof text - (size_t)before, "%sFUNC 5000 10 0 sound\n5000 10 3 0\n", lines[i].line);
        assert_int_equal(build_text(framemap_str_of(text), false, &said, &built, &error), FRAMEMAP_OK);
        assert_int_equal(framemap_index_open(framemap_bytes_str(&built), NULL, &index, NULL), FRAMEMAP_OK);
        answer_text(index, 0x5000, got, sizeof got);
        assert_string_equal(got, "sound a.c:3");
        framemap_index_close(index);
        framemap_bytes_free(&built);
        if (lines[i].says == NULL) {
            assert_int_equal(said.count, 0);
            continue;
        }
        if (said.count != 1 || strstr(said.first, lines[i].says) == NULL ||
            (said.line < 4 && strstr(said.first, "this line") != NULL))
            fail_msg("%s: %zu warnings, line %u: %s", lines[i].line, said.count, (unsigned)said.line, said.first);
        assert_int_equal(build_text(framemap_str_of(text), true, &said, &built, &error), FRAMEMAP_E_CORRUPT);
        assert_non_null(strstr(error.message, lines[i].says));
    }
}

static void other_warnings(void **state)
{
    (void)state;
    static const struct {
        const char *text;
        uint64_t line;
        size_t count;
        const char *says;
    } texts[] = {
        {MODULE "FUNC 1000 10 0 f\nFUNC 1008 10 0 g\nFUNC 100c 10 0 h\n", 3, 1, "another function were skipped, 2 in"},
        {MODULE "FUNC 1000 10 0 f\n1000 4 1 7\n1004 4 2 7\n1008 4 2 8\n", 0, 1, "no FILE record are in use, 2 in all"},
        {MODULE "FILE 0 a\nFUNC 1000 10 0 f\nINLINE 0 1 0 3 1000 10\n", 0, 1, "no INLINE_ORIGIN record are in use, 1"},
        {MODULE "FUNC 1000 10 0 f\n" MODULE "FUNC 1000 8 0 other\n1000 4 1 7\n", 3, 1, "a second MODULE record"},
    };
    for (size_t i = 0; i < COUNT_OF(texts); i++) {
        struct said said;
        framemap_bytes built = {0};
        assert_int_equal(build_text(framemap_str_of(texts[i].text), false, &said, &built, NULL), FRAMEMAP_OK);
        framemap_bytes_free(&built);
        if (said.count != texts[i].count || said.line != texts[i].line || strstr(said.first, texts[i].says) == NULL)
            fail_msg("%zu: %zu warnings, line %u: %s", i, said.count, (unsigned)said.line, said.first);
    }
}

static void refused_texts(void **state)
{
    (void)state;
    static const struct {
        const char *text;
        framemap_status status;
    } texts[] = {
        {"", FRAMEMAP_E_FORMAT},
        {"FILE 0 a.c\nFUNC 1000 10 0 f\n", FRAMEMAP_E_FORMAT},
        {"MODULE\n", FRAMEMAP_E_FORMAT},
        {"MODULE Linux x86_64 0123 app\n", FRAMEMAP_E_FORMAT},
        {"MODULE shapes\n  REAL :: area\nEND MODULE\n", FRAMEMAP_E_FORMAT},
        {"\n" MODULE "FUNC 1000 10 0 f\n", FRAMEMAP_E_FORMAT},
        {MODULE, FRAMEMAP_E_EMPTY},
        {MODULE "FILE 0 a.c\nPUBLIC 0 0 f\nSTACK CFI INIT 1000 10 .cfa: $rsp 8 +\n", FRAMEMAP_E_EMPTY},
    };
    for (size_t i = 0; i < COUNT_OF(texts); i++) {
        struct said said;
        framemap_bytes built = {0};
        framemap_error error = {0};
        const framemap_status status = build_text(framemap_str_of(texts[i].text), false, &said, &built, &error);
        if (status != texts[i].status) fail_msg("%zu: %d: %s", i, status, error.message);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(answers), cmocka_unit_test(skipped_lines),
                                       cmocka_unit_test(other_warnings), cmocka_unit_test(refused_texts)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
