/* Tests R8's default regular expression for lines: which parts of a line it matches. Every case was checked with R8's
 * own expression under Java 17. */
#include "core/text/buffer.h"
#include "tests/testing.h"

#include "formats/java/retrace/retrace_line.h"

/* Writes a line with marks around the parts that were found: {class}, <method>, «source», ¦:line number¦. */
static void mark(framemap_str line, const struct fm_retrace_line *found, struct fm_buf *out)
{
    static const char *const opens[] = {"{", "<", "", "«", "¦", "", ""}, *const closes[] = {"}", ">", "", "»",
                                                                                            "¦", "",  ""};
    size_t at = 0;
    for (unsigned i = 0; i < found->count; i++) {
        const struct fm_retrace_piece *piece = &found->pieces[i];
        assert_true(piece->at >= at && piece->at <= piece->end && piece->end <= line.size);
        fm_buf_str(out, fm_str_slice(line, at, piece->at));
        fm_buf_printf(out, "%s", opens[piece->part]);
        fm_buf_str(out, fm_str_slice(line, piece->at, piece->end));
        fm_buf_printf(out, "%s", closes[piece->part]);
        at = piece->end;
    }
    fm_buf_str(out, fm_str_from(line, at));
}

struct row {
    const char *line, *want; /* want: the line with marks around its parts; NULL: no part is found */
    int32_t number;          /* expected line number */
    const char *why;
};

static void check(const struct row *rows, size_t count)
{
    struct fm_heap heap;
    struct fm_retrace_line found;
    fm_heap_init(&heap, NULL, 0);
    for (size_t i = 0; i < count; i++) {
        struct fm_buf out;
        framemap_str line = framemap_str_of(rows[i].line);
        fm_buf_init(&out, &heap);
        bool any = fm_retrace_line_parse(line, &found);
        mark(line, &found, &out);
        if (any != (rows[i].want != NULL) || (any && !fm_str_equal(fm_buf_view(&out), framemap_str_of(rows[i].want))))
            fail_msg("\"%s\" (%s): %s \"%.*s\"", rows[i].line, rows[i].why, any ? "gives" : "is echoed", (int)out.size,
                     out.data);
        if (found.last[FM_PART_METHOD] >= 0 && found.line_number != rows[i].number)
            fail_msg("\"%s\" (%s): line %d", rows[i].line, rows[i].why, (int)found.line_number);
        fm_buf_free(&out);
    }
}

static void test_frames(void **state)
{
    static const struct row rows[] = {
        {"\tat a.b.c(SourceFile:12)", "\tat {a.b}.<c>(«SourceFile»¦:12¦)", 12, "the plain form"},
        {"at a.b(S)", "at {a}.<b>(«S»¦¦)", -1, "no line"},
        {"at a.b()", "at {a}.<b>(«»¦¦)", -1, "nothing at all"},
        {"at a.b(:)", "at {a}.<b>(«:»¦¦)", -1, "a colon without digits is of the source"},
        {"at a.b(1)", "at {a}.<b>(«1»¦¦)", -1, "digits without a colon are the source"},
        {"at a.b(:foo::bar:1)", "at {a}.<b>(«:foo::bar»¦:1¦)", 1, "the last colon"},
        {"at a.b(SourceFile:-1)", "at {a}.<b>(«SourceFile:-1»¦¦)", -1, "a sign is no digit"},
        {"at a.b(SourceFile:1:2)", "at {a}.<b>(«SourceFile:1»¦:2¦)", 2, "the last colon again"},
        {"at a.b(S:0)", "at {a}.<b>(«S»¦:0¦)", 0, "zero is a line"},
        {"at a.b(S:2147483647)", "at {a}.<b>(«S»¦:2147483647¦)", INT32_MAX, "the greatest"},
        {"at a.b(S:2147483648)", "at {a}.<b>(«S»¦:2147483648¦)", -1, "too many for 32 bits: none, but a piece"},
        {"at a.b(S:1234567890123456789012345678901234567890)",
         "at {a}.<b>(«S»¦:1234567890123456789012345678901234567890¦)", -1, "far too many"},
        {"at a.b(S:٣)", "at {a}.<b>(«S»¦:٣¦)", 3, "digits of any script"},
        {"at a.b(S:𝟑)", "at {a}.<b>(«S:𝟑»¦¦)", -1, "but for those that are two chars to Java"},
        {"E/Foo: at a.b(S:1)", "E/Foo: at {a}.<b>(«S»¦:1¦)", 1, "after any prefix"},
        {"that at a.b(S:1)", "that at {a}.<b>(«S»¦:1¦)", 1, "the first \"at\" that leads somewhere"},
        {"at at a.b(S:1)", "at at {a}.<b>(«S»¦:1¦)", 1, "the first one leads nowhere: no dot"},
        {"at app//a.b(S:1)", "at app//{a}.<b>(«S»¦:1¦)", 1, "class loader"},
        {"at loader/mod@9.0/a.b(S:1)", "at loader/mod@9.0/{a}.<b>(«S»¦:1¦)", 1, "module with a version"},
        {"at app/.m(x:1)", "at app/{}.<m>(«x»¦:1¦)", 1, "an empty class is one"},
        {"at a.b (S:1)", "at {a}.<b> («S»¦:1¦)", 1, "blanks before the parenthesis"},
        {"at a.<init>(S:1)", "at {a}.<<init>>(«S»¦:1¦)", 1, "a constructor"},
        {"at a.b.<clinit>(S:1)", "at {a.b}.<<clinit>>(«S»¦:1¦)", 1, "a class's initialiser"},
        {"at a.<foo>(S:1)", NULL, 0, "no other name has angle brackets"},
        {"at a.b.1c(S:1)", "at {a}.<b.1c>(«S»¦:1¦)", 1, "a method begins with no digit, so the split is a dot before"},
        {"at a.1(S:1)", NULL, 0, "and there may be none"},
        {"at 1.a(S:1)", NULL, 0, "nor does a class"},
        {"at .a.a(S:1)", "at {.a}.<a>(«S»¦:1¦)", 1, "a class may begin with a dot"},
        {"at a..a(S:1)", "at {a.}.<a>(«S»¦:1¦)", 1, "and end with one"},
        {"at a.b(S:1)  ", "at {a}.<b>(«S»¦:1¦)  ", 1, "blanks after it"},
        {"at a.b(S:1)\xC2\xA0", "at {a}.<b>(«S»¦:1¦)\xC2\xA0", 1, "also those that don't break"},
        {"at a.b(S:1)\t", NULL, 0, "but no tab"},
        {"at a.b(S:1) ~[x.jar:1]", "at {a}.<b>(«S»¦:1¦) ~[x.jar:1]", 1, "logback's package"},
        {"at a.b(S:1)~[x]", "at {a}.<b>(«S»¦:1¦)~[x]", 1, "close by"},
        {"at a.b(S:1) [x.jar:1]", NULL, 0, "but not log4j's"},
        {"at a.b(S:1) ~[x) ~[y]", "at {a}.<b>(«S:1) ~[x»¦¦) ~[y]", -1, "the last parenthesis that may end it"},
        {"at a.a(S:1)(S:2)", "at {a}.<a>(«S:1)(S»¦:2¦)", 2, "the same"},
        {"at a.a(()", "at {a}.<a>(«(»¦¦)", -1, "the first opening one"},
        {"at a.a())", "at {a}.<a>(«)»¦¦)", -1, "the last closing one"},
        {"at a.b(S:1) x", NULL, 0, "text after it"},
        {"xat a.b(S:1)", NULL, 0, "no word of its own"},
        {"_at a.b(S:1)", NULL, 0, "the same"},
        {"1at a.b(S:1)", NULL, 0, "the same"},
        {"éat a.b(S:1)", NULL, 0, "a letter of any script"},
        {"e\xCC\x81"
         "at a.b(S:1)",
         NULL, 0, "a mark takes its letter"},
        {"\xCC\x81"
         "at a.b(S:1)",
         "\xCC\x81"
         "at {a}.<b>(«S»¦:1¦)",
         1, "where it has one"},
        {"-at a.b(S:1)", "-at {a}.<b>(«S»¦:1¦)", 1, "a boundary"},
        {"😀at a.b(S:1)", "😀at {a}.<b>(«S»¦:1¦)", 1, "the same"},
        {"AT a.b(S:1)", NULL, 0, "as it is written"},
        {"at a.b", NULL, 0, "no parentheses"},
        {"at\xC2\xA0"
         "a.b(S:1)",
         NULL, 0, "that is no white space"},
        {"\xE2\x80\xA8"
         "at a.b(S:1)",
         NULL, 0, "a dot is no line separator"},
        {"at a.b(S\xC2\x85:1)", NULL, 0, "nor is one in the parentheses"},
        {"at a.b(S:1)\xE2\x80\xA8", "at {a}.<b>(«S»¦:1¦)\xE2\x80\xA8", 1, "but it may follow, as a separator"},
        {"at a.b(x)\xE2\x80\xA8~[ y )~[z]", "at {a}.<b>(«x»¦¦)\xE2\x80\xA8~[ y )~[z]", -1,
         "and sends the greedy one back"},
        {"at Suppressed.a(S:1)", NULL, 0, "that class is passed over, also here"},
    };
    (void)state;
    check(rows, COUNT_OF(rows));
}

static void test_classes(void **state)
{
    static const struct row rows[] = {
        {"a.b.c", "{a.b.c}", 0, "alone"},
        {"a.b.c:", "{a.b.c}:", 0, "with a colon"},
        {"a.b.c: any text", "{a.b.c}: any text", 0, "with a message"},
        {"a.b.c:x", "{a.b.c}:x", 0, "without a blank"},
        {"a.b.c]", "{a.b.c}]", 0, "the end of a bracket"},
        {"Caused by: a.b.c", "Caused by: {a.b.c}", 0, "a cause"},
        {"Caused by: a.b.c: two words", "Caused by: {a.b.c}: two words", 0, "with a message"},
        {"Caused by: a.b.c: oneword", "Caused by: a.b.c: {oneword}", 0, "R8's quirk: the longest prefix"},
        {"Caused by: a.b.c: x:y", "Caused by: a.b.c: {x}:y", 0, "the same"},
        {"\tSuppressed: a.b.c: two words", "\tSuppressed: {a.b.c}: two words", 0, "suppressed"},
        {"Suppressed: a.b.c", "Suppressed: {a.b.c}", 0, "that word is no class"},
        {"Suppressed", NULL, 0, "not even alone"},
        {"Suppressed: Suppressed", NULL, 0, "nor twice"},
        {"Exception in thread \"main\" a.b.c: two words", "Exception in thread \"main\" {a.b.c}: two words", 0,
         "a thread"},
        {"Exception in thread \"main\" a.b.c: oneword", "Exception in thread \"main\" a.b.c: {oneword}", 0,
         "the quirk"},
        {"  [CIRCULAR REFERENCE: a.b.c]", "  [CIRCULAR REFERENCE: {a.b.c}]", 0, "a circle"},
        {"[CIRCULAR REFERENCE: a.b.c", "[CIRCULAR REFERENCE: {a.b.c}", 0, "open"},
        {"[CIRCULAR REFERENCE:a.b.c]", NULL, 0, "no blank"},
        {"java.lang.E: a.b.c: foo", "{java.lang.E}: a.b.c: foo", 0, "a prefix that is a class is the class"},
        {"foo: a.b.c", "{foo}: a.b.c", 0, "the same"},
        {"a.b.c: oneword", "{a.b.c}: oneword", 0, "the same"},
        {"E/AndroidRuntime: Caused by: a.b.c: two words", "E/AndroidRuntime: Caused by: {a.b.c}: two words", 0,
         "in a log"},
        {"W/System.err: a.b.c: two words", "W/{System.err}: a.b.c: two words", 0, "the tag is a class"},
        {"\"x\" a.b.c: y z", "{\"x}\" a.b.c: y z", 0, "a quote is a letter of names"},
        {"\"a", "{\"a}", 0, "the same"},
        {"word", "{word}", 0, "any word"},
        {"app//a.a: x y", "app//{a.a}: x y", 0, "class loader"},
        {"  a.b.c", NULL, 0, "blanks before"},
        {"... 7 more", NULL, 0, "no class"},
        {"a.b.c; x", NULL, 0, "no end of a class"},
        {"x a.b.c: y z", NULL, 0, "a prefix needs its mark"},
        {"1a: b", "1a: {b}", 0, "no class begins with a digit"},
        {"", NULL, 0, "nothing"},
        {"a\xC2\x85", "{a\xC2\x85}", 0, "separators are letters of names"},
        {"a: x\xC2\x85y z", NULL, 0, "but end what a dot matches"},
        {"x: a\xE2\x80\xA8", "{x}: a\xE2\x80\xA8", 0, "the second class would be all of it"},
    };
    (void)state;
    check(rows, COUNT_OF(rows));
}

/* Tests lines on which a regular expression would backtrack: ten million bytes of such lines must take little time. */
static void test_long_lines(void **state)
{
    static const char *const pieces[] = {
        "at ", "at a.b(",   "at at at (((",         ":::: ",    ": ", "\" ", ")", "~[", ") ~[", "a.",
        "(",   "at a.b() ", "\xE2\x80\xA8 at a.b(", "e\xCC\x81"};
    enum { SIZE = (10 << 20) / TEST_STEP };
    struct fm_retrace_line found;
    char *line = malloc(SIZE);
    (void)state;
    assert_non_null(line);
    for (size_t i = 0; i < COUNT_OF(pieces); i++) {
        size_t size = strlen(pieces[i]);
        for (size_t at = 0; at < SIZE; at++) line[at] = pieces[i][at % size];
        fm_retrace_line_parse(fm_str(line, SIZE), &found);
        line[SIZE - 1] = ']';
        fm_retrace_line_parse(fm_str(line, SIZE), &found);
    }
    free(line);
}

/* Tests every prefix of a line, in a memory block of exactly its size. */
static void test_prefixes(void **state)
{
    static const char line[] = "é\xCC\x81 x at app//a.b.<init>(S\xE2\x80\xA8:1٣)\xC2\xA0~[x)]: \"y\" Suppressed: z]";
    struct fm_retrace_line found;
    (void)state;
    for (size_t size = 0; size < sizeof line; size++) {
        char *copy = malloc(size ? size : 1);
        assert_non_null(copy);
        memcpy(copy, line, size);
        fm_retrace_line_parse(fm_str(copy, size), &found);
        free(copy);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_frames), cmocka_unit_test(test_classes),
                                       cmocka_unit_test(test_long_lines), cmocka_unit_test(test_prefixes)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
