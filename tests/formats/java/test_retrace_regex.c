/* Tests regular expressions that a caller passes to retrace: their placeholders, and the syntax of Java where PCRE2
 * differs. The expected results are those of R8's own parser under Java 17. */
#include "core/text/buffer.h"
#include "tests/testing.h"

#include "formats/java/retrace/retrace_regex.h"

struct row {
    const char *expression, *line;
    /* the parts that are found, each as its letter, its text and a blank; "": no match; NULL: the expression or the
     * line is refused */
    const char *want;
    const char *why;
};

static void gather(framemap_str line, const struct fm_retrace_line *found, struct fm_buf *out)
{
    for (unsigned i = 0; i < found->count; i++) {
        fm_buf_byte(out, "cmfslta"[found->pieces[i].part]);
        fm_buf_str(out, fm_str_slice(line, found->pieces[i].at, found->pieces[i].end));
        fm_buf_byte(out, ' ');
    }
    if (out->size) out->size--;
}

static framemap_status find(const struct row *row, bool proguard, struct fm_heap *heap, struct fm_buf *out,
                            framemap_error *error)
{
    struct fm_retrace_expression *expression = NULL;
    struct fm_retrace_line found;
    framemap_status status =
        fm_retrace_expression_create(framemap_str_of(row->expression), proguard, heap, &expression, error);
    if (status == FRAMEMAP_OK)
        status = fm_retrace_expression_match(expression, framemap_str_of(row->line), &found, error);
    if (status == FRAMEMAP_OK) gather(framemap_str_of(row->line), &found, out);
    fm_retrace_expression_free(expression);
    return status;
}

static void check(const struct row *rows, size_t count, bool proguard)
{
    struct fm_heap heap;
    framemap_error error;
    fm_heap_init(&heap, NULL, 0);
    for (size_t i = 0; i < count; i++) {
        struct fm_buf out;
        fm_buf_init(&out, &heap);
        framemap_status status = find(&rows[i], proguard, &heap, &out, &error);
        const char *want = rows[i].want ? rows[i].want : "";
        if ((status == FRAMEMAP_OK) != (rows[i].want != NULL) ||
            !fm_str_equal(fm_buf_view(&out), framemap_str_of(want)))
            fail_msg("%s on \"%s\" (%s): \"%.*s\" %s", rows[i].expression, rows[i].line, rows[i].why, (int)out.size,
                     out.data ? out.data : "", status ? error.message : "");
        fm_buf_free(&out);
    }
    assert_int_equal(atomic_load(&heap.used), 0);
}

static void test_placeholders(void **state)
{
    static const struct row rows[] = {
        {"%c", "a.b", "ca.b", "a class"},
        {"%c", "app//a.b", "ca.b", "after its loader"},
        {"%C", "app/a/b", "capp/a/b", "slashes are its own"},
        {"%c\\.%m", "a.b.c", "ca.b mc", "the last dot parts them"},
        {"%c\\.%m\\(%s:%l\\)", "a.b(S:3)", "ca mb sS l:3", "the colon goes with the line"},
        {"%c\\.%m %l", "a.b 3", "ca mb l3", "where there is one"},
        {"%c\\.%m\\(%s:%l\\)", "a.b(S:)", "ca mb sS l:", "no digits"},
        {"%c\\.%m\\(%S\\)", "a.b(S:1:2)", "ca mb sS:1 l:2", "source and line in one"},
        {"%c\\.%f", "a.b", "ca fb", "a field"},
        {"%t %c", "a[][] b", "ta[][] cb", "a type"},
        {"%c\\(%a\\)", "a(b,  c.d[],int)", "ca ab,  c.d[],int", "arguments"},
        {"%c\\(%a\\)", "a()", "ca a", "none of them"},
        {"%c\\(%a\\)", "a( b)", "", "no blank before the first"},
        {"%s:%l", "a:b:3", "sa:b l:3", "a source may have colons"},
        {"%s:%l", "a::3", "", "but none before a digit"},
        {"(?:%c x|%c y)", "a y", "ca", "the one that took part"},
        {"%c %c", "a b", "ca", "the first one"},
        {"%c %c", "Suppressed b", "cb", "but for that word"},
        {"\\%c %c", "%c a", "ca", "an escaped percent sign"},
        {"\\\\%c", "\\a", "ca", "an escaped backslash"},
        {"%c%", "a%", "ca", "a percent sign at the end"},
        {"%q", "a", NULL, "no such placeholder"},
        {"%%", "%", NULL, "nor this"},
        {"[%c]", "a", NULL, "no group can be there"},
        {"\\Q%c", "a", "", "nor there, which a line that does not match never asks"},
        {"(?<captureGroup0>x)%c", "xa", NULL, "the name is taken"},
        {"(%c) \\1", "a a", "ca", "groups of one's own keep their numbers"},
        {"%c \\1", "a a", "ca", "placeholders are groups too"},
        {"(?=.*%m) *%c.*", "a.a", NULL, "pieces that overlap"},
        {"%c", "a b", "", "the line as a whole"},
        {"", "", "", "nothing"},
    };
    (void)state;
    check(rows, COUNT_OF(rows), false);
}

static void test_syntax(void **state)
{
    static const struct row rows[] = {
        {"[a-z&&[^b]]+ %c", "acz a", "ca", "an intersection"},
        {"[a-z&&[^b]]+ %c", "abz a", "", "which leaves something out"},
        {"[a-c[x-z]]+ %c", "axbz a", "ca", "a union"},
        {"[^a-c[x-z]]+ %c", "ax a", "", "and what is not in it"},
        {"[]a]+ %c", "]a a", "ca", "a bracket that comes first"},
        {"[\\Qa-b\\E]+ %c", "a-b a", "ca", "a quotation in a class"},
        {"[[:alpha:]]+ %c", "la: a", "ca", "no name of a class: its letters"},
        {"\\Qat.\\E%c", "at.a", "ca", "a quotation"},
        {"\\p{Alpha}+ %c", "xx a", "ca", "ASCII's letters"},
        {"\\p{javaLetterOrDigit}+ %c", "é1 a", "ca", "Java's own"},
        {"[^\\p{Lu}\\d]+ %c", "XX1 a", "", "properties in a class"},
        {"\\p{Foo}%c", "a", NULL, "no such property"},
        {"\\h%c", "\ta", "ca", "horizontal blanks"},
        {"\\d%c", "٣a", "", "ASCII's digits"},
        {".%c", "\va", "ca", "any character"},
        {".%c",
         "\xC2\x85"
         "a",
         "", "but the ends of lines"},
        {"(?s).%c",
         "\xC2\x85"
         "a",
         "ca", "unless they are asked for"},
        {".*\\bat %c", "éat a", "", "boundaries know all letters"},
        {"(?i)AT %c", "at a", "ca", "without regard to case"},
        {"(?i)é %c", "É a", "", "of ASCII"},
        {"(?iu)é %c", "É a", "ca", "or of all"},
        {"(?x) a # text\n t\\ %c", "at a", "ca", "with comments"},
        {"\\u0041\\x42\\x{43}\\0104 %c", "ABCD a", "ca", "numbers of characters"},
        {"\\ud83d\\ude00 %c", "😀 a", "ca", "two halves of one"},
        {"\\ud83d %c", "a", NULL, "half of one"},
        {"(a)\\11 %c", "aa1 a", "ca", "the first group, and a 1"},
        {"\\3%c", "a", "", "no such group never matches"},
        {"a{1,2}+%c", "aaa", "ca", "possessive"},
        {"{1,2}%c", "a", "ca", "nothing, repeated"},
        {"{%c", "{a", NULL, "no repetition"},
        {"*%c", "a", NULL, "nothing to repeat"},
        {"^*%c$", "a", "ca", "an anchor, repeated"},
        {"(*UTF8)%c", "a", NULL, "verbs are not Java's"},
        {"(?#x)%c", "a", NULL, "nor are such comments"},
        {"\\y%c", "a", NULL, "letters that mean nothing"},
        {"a\\", "a", NULL, "a backslash at the end"},
        {"(%c", "a", NULL, "an open group"},
        {"%c)", "a", NULL, "a closed one"},
        {"[a", "a", NULL, "an open class"},
        {"[b-a]", "a", NULL, "a range backwards"},
        {"[a&&]%c", "aa", "ca", "no second operand"},
        {"%c\xFF", "a", "", "what is no UTF-8 is U+FFFD"},
    };
    (void)state;
    check(rows, COUNT_OF(rows), false);
}

static void test_proguard(void **state)
{
    static const struct row rows[] = {
        {FM_RETRACE_OF_PROGUARD, "\tat a.b.c(S:12)", "ca.b mc sS l12", "the default one"},
        {FM_RETRACE_OF_PROGUARD, "Caused by: a.b: oneword", "ca.b", "the shortest prefix"},
        {FM_RETRACE_OF_PROGUARD, "... 3 more", "", "no class"},
        {FM_RETRACE_OF_PROGUARD, "at a.b(S:99999999999)", NULL, "too big a number"},
        {"%c\\.%m:%l", "a.b:-3", "ca mb l-3", "a sign"},
        {"%z%c", "a", "ca", "a letter that means nothing"},
        {"(x)%c", "xa", "cx", "the first group, whoever made it"},
        {"%c %c", "a b", "ca cb", "every one that took part"},
    };
    (void)state;
    check(rows, COUNT_OF(rows), true);
}

/* Matching that would take too long ends with an error; R8's own expressions are fast. */
static void test_steps(void **state)
{
    struct fm_heap heap;
    framemap_error error;
    char line[4096];
    struct fm_retrace_expression *expression = NULL;
    struct fm_retrace_line found;
    (void)state;
    fm_heap_init(&heap, NULL, 0);
    memset(line, 'a', sizeof line);
    assert_int_equal(fm_retrace_expression_create(FM_STR("(?:a|a)*[^a]%c"), false, &heap, &expression, &error),
                     FRAMEMAP_OK);
    assert_int_equal(fm_retrace_expression_match(expression, fm_str(line, sizeof line), &found, &error),
                     FRAMEMAP_E_LIMIT);
    fm_retrace_expression_free(expression);
    for (size_t i = 1; i < sizeof line; i += 2) line[i] = '.';
    assert_int_equal(fm_retrace_expression_create(FM_STR("(?:%c|%s|%a|%t)!"), false, &heap, &expression, &error),
                     FRAMEMAP_OK);
    assert_int_equal(fm_retrace_expression_match(expression, fm_str(line, sizeof line), &found, &error), FRAMEMAP_OK);
    assert_int_equal(found.count, 0);
    fm_retrace_expression_free(expression);
}

static void test_depth(void **state)
{
    static const char *const openers[] = {"(", "[", "[^", "(?:", "[a&&"};
    struct fm_heap heap;
    framemap_error error;
    (void)state;
    fm_heap_init(&heap, NULL, 0);
    for (size_t i = 0; i < COUNT_OF(openers); i++) {
        struct fm_buf text;
        struct fm_retrace_expression *expression = NULL;
        fm_buf_init(&text, &heap);
        for (int k = 0; k < 10000; k++) fm_buf_printf(&text, "%s", openers[i]);
        assert_int_equal(fm_retrace_expression_create(fm_buf_view(&text), false, &heap, &expression, &error),
                         FRAMEMAP_E_ARGUMENT);
        fm_buf_free(&text);
    }
}

static bool body(const framemap_allocator *allocator, void *context)
{
    const struct row row = {"[a-z&&[^b]]%c\\.%m(?i:x\\p{Alpha})?", "ca.b", "", ""};
    struct fm_heap heap;
    struct fm_buf out;
    framemap_error error;
    (void)context;
    fm_heap_init(&heap, allocator, 0);
    fm_buf_init(&out, &heap);
    framemap_status status = find(&row, false, &heap, &out, &error);
    if (status != FRAMEMAP_OK) assert_int_equal(status, FRAMEMAP_E_MEMORY);
    const bool done = status == FRAMEMAP_OK && !out.failed;
    if (done) assert_str(fm_buf_view(&out), "ca mb");
    fm_buf_free(&out);
    return done;
}

static void test_memory(void **state)
{
    (void)state;
    assert_true(sweep_allocations(body, NULL) > 4);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_placeholders), cmocka_unit_test(test_syntax),
                                       cmocka_unit_test(test_proguard),     cmocka_unit_test(test_steps),
                                       cmocka_unit_test(test_depth),        cmocka_unit_test(test_memory)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
