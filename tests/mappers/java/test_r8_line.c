/* Tests of the grammar of class lines and member lines: what R8 accepts, the parts of a line, and where R8 stops.
 * Messages and columns are those that R8's retrace prints. */
#include "core/text/buffer.h"
#include "tests/mappers/java/r8_help.h"

#include "mappers/java/r8_line_fast.h"

static void put_fault(const struct fm_r8_cursor *cursor, const char *line, char *out, size_t room)
{
    char column[24] = "eol";
    if (!cursor->fault.at_end)
        snprintf(column, sizeof column, "%zu", fm_r8_utf16(line, cursor->fault.at) + cursor->fault.past);
    if (cursor->fault.message)
        snprintf(out, room, "[%s] %s", column, cursor->fault.message);
    else
        snprintf(out, room, "[%s] Expected '%c'", column, cursor->fault.wanted);
}

static struct fm_r8_cursor cursor_of(const char *line)
{
    return (struct fm_r8_cursor){.at = line, .end = line + strlen(line)};
}

/* Writes a class line as "original|residual", or the fault in the line. */
static void class_as_text(const char *line, char *out, size_t room)
{
    framemap_str original, residual;
    struct fm_r8_cursor cursor = cursor_of(line);
    if (fm_r8_class_line(&cursor, &original, &residual))
        snprintf(out, room, "%.*s|%.*s", (int)original.size, original.data, (int)residual.size, residual.data);
    else
        put_fault(&cursor, line, out, room);
}

static void test_class_lines(void **state)
{
    static const struct {
        const char *line, *wanted, *why;
    } rows[] = {
        {"o.C -> a:", "o.C|a", "as R8 writes it"},
        {"o.C -> a.b.c:", "o.C|a.b.c", "packages"},
        {"a->b:", "a|b", "a dash is part of a name, but not before '>'"},
        {"a- >b:", "a|b", "nor with a blank between"},
        {"a-b->c-d:", "a-b|c-d", "dashes within names stay"},
        {"a -> b-:", "a|b-", "also at the end of the other name"},
        {"o.C a:", "o.C|a", "the arrow may be missing"},
        {"o.C  \t->   a  :  ", "o.C|a", "blanks anywhere, also after the colon"},
        {"  o.C -> a:", "o.C|a", "blanks before"},
        {"\xef\xbb\xbfo.C -> a:", "o.C|a", "a byte order mark is a blank"},
        {"o.C\xe2\x80\x83->\xe3\x80\x80"
         "a:",
         "o.C|a", "so are the blanks of Unicode"},
        {"\xc3\xa9.\xe6\x97\xa5$1 -> \xf0\x9f\x98\x80:", "\xc3\xa9.\xe6\x97\xa5$1|\xf0\x9f\x98\x80",
         "letters of all kinds"},
        {"?a -> ?:", "?a|?", "what old ProGuard writes for letters it cannot print"},
        {"1o.2C -> 3:", "1o.2C|3", "digits may begin a name"},
        {".C -> a:", ".C|a", "and so may a dot"},
        {"a..b -> a:", "a..b|a", "also after another"},
        {"o.package-info -> a:", "o.package-info|a", "package-info has a dash"},
        {"-> a:", "|a", "nothing before the arrow"},
        {"o.C -> a", "[eol] Expected ':'", "no colon"},
        {"o.C -> a b:", "[10] Expected ':'", "two names"},
        {"o.C -> a: b", "[10] Expected end of line", "text after"},
        {"o.C -> a:#", "[9] Expected end of line", "a comment after"},
        {"C[] -> a:", "[1] Identifier expected", "no arrays: the bracket is where the other name should be"},
        {"hello", "[5] Identifier expected", "one word"},
        {"a. -> b:", "[2] Identifier expected", "a dot at the end"},
        {"a... -> b:", "[4] Identifier expected", "of three dots the second is a name"},
        {"<a> -> b:", "[0] Identifier expected", "no angle brackets in class names"},
        {"a\xc2\xa0-> b:", "[1] Identifier expected", "a no-break space is neither blank nor letter"},
        {"\xff -> a:", "[0] Identifier expected", "a byte that is not UTF-8"},
        {"\xf0\x9f\x98\x80 -> \xf0\x9f\x98\x80;", "[9] Expected ':'", "columns are in UTF-16 units"},
    };
    char got[200];
    (void)state;
    for (size_t i = 0; i < COUNT_OF(rows); i++) {
        class_as_text(rows[i].line, got, sizeof got);
        if (strcmp(got, rows[i].wanted) != 0)
            fail_msg("%s: \"%s\" gives %s, not %s", rows[i].why, rows[i].line, got, rows[i].wanted);
    }
}

static void put_range(struct fm_r8_range range, struct fm_buf *out)
{
    if (range.numbers == FM_R8_NO_NUMBER) fm_buf_byte(out, '-');
    if (range.numbers == FM_R8_ONE_NUMBER) fm_buf_printf(out, "%d", range.from);
    if (range.numbers == FM_R8_TWO_NUMBERS) fm_buf_printf(out, "%d:%d", range.from, range.to);
}

static void put_member_end(struct fm_r8_range original, framemap_str name, struct fm_buf *out)
{
    fm_buf_byte(out, '|');
    put_range(original, out);
    fm_buf_printf(out, "|%.*s", (int)name.size, name.data);
}

/* Writes a member line as "residual lines|signature without superfluous blanks|original lines|name", or the fault in
 * the line. */
static void member_as_text(const char *line, struct fm_buf *out)
{
    struct fm_r8_range residual, original;
    struct fm_r8_signature_parts parts;
    framemap_str name = {NULL, 0};
    struct fm_r8_cursor cursor = cursor_of(line);
    fm_buf_clear(out);
    if (fm_r8_member_begin(&cursor, &residual)) {
        put_range(residual, out);
        fm_buf_byte(out, '|');
        if (fm_r8_signature(&cursor, &parts, out) && fm_r8_member_end(&cursor, &original, &name)) {
            put_member_end(original, name, out);
            return;
        }
    }
    char fault[100];
    put_fault(&cursor, line, fault, sizeof fault);
    fm_buf_clear(out);
    fm_buf_str(out, framemap_str_of(fault));
}

static const struct {
    const char *line, *wanted, *why;
} members[] = {
    {"    1:2:void m():3:4 -> a", "1:2|void m()|3:4|a", "as R8 writes it"},
    {" void m() -> a", "-|void m()|-|a", "no lines"},
    {" 1:2:void m() -> a", "1:2|void m()|-|a", "residual lines only"},
    {" void m():42 -> a", "-|void m()|42|a", "an original line only"},
    {" 1:2:void m():42 -> a", "1:2|void m()|42|a", "one original line"},
    {" 1:1:void o.C.m(int,o.D[][]):3:3 -> a", "1:1|void o.C.m(int,o.D[][])|3:3|a", "a holder, arrays"},
    {" int f -> a", "-|int f|-|a", "a field"},
    {" 1:2:int o.C.f:3 -> a", "1:2|int o.C.f|3|a", "a field may have lines"},
    {" void <init>() -> <init>", "-|void <init>()|-|<init>", "a constructor"},
    {" void o.C.<clinit>() -> b.c.d", "-|void o.C.<clinit>()|-|b.c.d",
     "of another class; the residual name is any name"},
    {" void <clinit>$x() -> a", "-|void <clinit>$x()|-|a", "text after the angle bracket"},
    {" void <a>.b() -> a", "-|void <a>.b()|-|a", "and a name after that"},
    {" 1 : 2 : void  m( int , long , o.D[]) : 3 : 4->a", "1:2|void m(int,long,o.D[])|3:4|a",
     "blanks where R8 takes them"},
    {" void m( int ) -> a", "-|void m(int)|-|a", "also after an only argument"},
    {" void m( ) -> a", "-|void m()|-|a", "and between the parentheses"},
    {" void m (int) -> a", "-|void m(int)|-|a", "and before them"},
    {" int f-> a", "[8] Expected '-'", "the dash belongs to the field's name"},
    {" int f ->a", "-|int f|-|a", "no blank after the arrow"},
    {" void m(int , long ) -> a", "[20] Expected ','", "but no blank after a last argument of several"},
    {" 5:3:void m():9:7 -> a", "3:5|void m()|7:9|a", "ranges upside down are turned"},
    {" 5:0:void m():9:0 -> a", "5:5|void m()|9:9|a", "an end of 0 is not an end"},
    {" 0:0:void m():0:0 -> a", "0:0|void m()|0:0|a", "all zeros stay"},
    {" 4294967299:4294967300:void m() -> a", "3:4|void m()|-|a", "numbers wrap around at 32 bits"},
    {" 2147483648:1:void m() -> a", "-2147483648:1|void m()|-|a", "and may become negative"},
    {" 0000000000000000000000000000000000000001:2:void m() -> a", "1:2|void m()|-|a", "forty digits"},
    {" 8t 9f():7 -> b", "-|8t 9f()|7|b", "digits without a colon begin a type"},
    {" 1:1:3p.4T 5m(6q.7U):5:5 -> a", "1:1|3p.4T 5m(6q.7U)|5:5|a", "also after a range"},
    {" 3:void m() -> a", "[3] Number expected", "one residual number"},
    {" 3 :void m() -> a", "[4] Number expected", "with a blank"},
    {" 1:2 void m() -> a", "[6] Expected ':'", "no colon after the range"},
    {" -1:1:void m() -> a", "[eol] Expected whitespace", "negative numbers: the dash begins a type"},
    {" 1:2:void m():-3:4 -> a", "[14] No number follows the colon after the method signature.",
     "also on the other side"},
    {" void m():3:-4 -> a", "[12] Number expected", "and after the second colon"},
    {" void m():1:2:3 -> a", "[14] Expected '-'", "three original numbers"},
    {" void m(): -> a", "[11] No number follows the colon after the method signature.", "none after the colon"},
    {" java.util.List<T> m() -> a", "[eol] Expected whitespace", "generic types"},
    {" void m(int...) -> a", "[14] Identifier expected", "three dots: the last of them wants a name"},
    {" void m(int;long) -> a", "[12] Expected ','", "another mark between arguments"},
    {" void m(int,) -> a", "[12] Identifier expected", "a comma after the last"},
    {" void m(int -> a", "[13] Expected ','", "no end of arguments"},
    {" void m(int", "[eol] Expected ','", "the line ends there"},
    {" int[ f -> a", "[6] Expected ']'", "half of an array"},
    {" void[]x -> a", "[eol] Expected whitespace", "no blank between type and name"},
    {" void\xef\xbb\xbfm() -> a", "[eol] Expected whitespace", "a byte order mark is not enough of one"},
    {" void \xef\xbb\xbfm() -> a", "-|void m()|-|a", "beside a blank it does no harm"},
    {" void <init() -> a", "[12] Expected '>'", "no end of the angle bracket"},
    {" void <>() -> a", "[7] Identifier expected", "nothing in it"},
    {" void m() > a", "[11] Expected '-'", "half an arrow"},
    {" void m() - > a", "[12] Expected '>'", "an arrow in two parts"},
    {" void m() ->", "[12] Identifier expected", "nothing after it"},
    {" void m() -> a ", "[14] Expected end of line", "a blank at the end"},
    {" void m() -> a # c", "[14] Expected end of line", "a comment at the end"},
    {" void m() -> a:", "[14] Expected end of line", "a colon at the end"},
    {" ", "[1] Identifier expected", "nothing"},
};

static void test_member_lines(void **state)
{
    struct fm_heap heap;
    struct fm_buf got;
    (void)state;
    fm_heap_init(&heap, NULL, 0);
    fm_buf_init(&got, &heap);
    for (size_t i = 0; i < COUNT_OF(members); i++) {
        member_as_text(members[i].line, &got);
        if (!fm_str_equal(fm_buf_view(&got), framemap_str_of(members[i].wanted)))
            fail_msg("%s: \"%s\" gives %.*s, not %s", members[i].why, members[i].line, (int)got.size, got.data,
                     members[i].wanted);
    }
    fm_buf_free(&got);
}

/* Checks that a line truncated anywhere is refused or is valid, and that nothing is read after its end. */
static void test_every_prefix(void **state)
{
    struct fm_heap heap;
    struct fm_buf got;
    (void)state;
    fm_heap_init(&heap, NULL, 0);
    fm_buf_init(&got, &heap);
    for (size_t i = 0; i < COUNT_OF(members); i++) {
        for (size_t size = strlen(members[i].line); size > 0; size--) {
            char *cut = malloc(size + 1),
                 text[200]; /* an allocation of the exact size, so that a sanitizer detects a read past the end */
            memcpy(cut, members[i].line, size);
            cut[size] = 0;
            member_as_text(cut, &got);
            class_as_text(cut, text, sizeof text);
            free(cut);
        }
    }
    fm_buf_free(&got);
}

/* Tries each byte at each position of a long name, because names are scanned several bytes at a time. */
static void test_every_byte(void **state)
{
    enum { NAME = 40 };
    (void)state;
    for (unsigned byte = 1; byte < 256; byte++)
        for (size_t place = 1; place < NAME - 1; place++) {
            char line[] = "aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa name(int,java.lang.String):10:20 -> residual_name";
            struct fm_r8_cursor cursor = cursor_of(line);
            struct fm_r8_signature_parts parts;
            line[place] = (char)byte;
            const bool good = fm_r8_signature(&cursor, &parts, NULL);
            if (fm_r8_classes[byte] & (FM_R8_NAME_CHAR | FM_R8_DOT)) {
                assert_true(good);
                assert_int_equal(parts.type.size, NAME);
            } else if (fm_r8_classes[byte] & FM_R8_BLANK) {
                assert_int_equal(parts.type.size, place);
            } else {
                assert_false(good);
                assert_ptr_equal(cursor.fault.at, line + place + (byte == '['));
            }
        }
}

/* --- comparing the fast path with the grammar --- */

/* Writes the first line of the text as member_as_text does, and returns where it ends; NULL: the fast path refuses the
 * line. */
static const char *fast_line_as_text(framemap_str text, framemap_str before, struct fm_buf *out)
{
    struct fm_r8_fast_line line = {.known = 0};
    struct fm_r8_range residual, original;
    struct fm_r8_signature_parts parts;
    framemap_str name = before;
    fm_buf_clear(out);
    fm_r8_fast_line_start(&line, text.data, text.data + text.size);
    if (!fm_r8_fast_line_range(&line, &residual) || !fm_r8_fast_line_signature(&line, &parts)) return NULL;
    put_range(residual, out);
    fm_buf_printf(out, "|%.*s %.*s", (int)parts.type.size, parts.type.data, (int)parts.name.size, parts.name.data);
    if (parts.is_method) fm_buf_printf(out, "(%.*s)", (int)parts.arguments.size, parts.arguments.data);
    if (!fm_r8_fast_line_end(&line, &original, &name)) return NULL;
    put_member_end(original, name, out);
    return line.at;
}

/* Checks that a line which the fast path accepts is also valid by the grammar, with the same parts and the same end.
 * Returns whether the fast path accepted the line. */
static bool check_fast_line(framemap_str text, struct fm_buf *got, struct fm_buf *wanted)
{
    char line[400];
    char *own = malloc(text.size); /* an allocation of the exact size, so that a sanitizer detects a read past the
                                      end */
    memcpy(own, text.data, text.size);
    const char *lf = memchr(own, '\n', text.size),
               *end = fast_line_as_text(fm_str(own, text.size), framemap_str_of("a"), got);
    if (end != NULL) {
        size_t size = (size_t)(lf - own);
        assert_non_null(lf);
        assert_ptr_equal(end, lf + 1);
        if (size > 0 && own[size - 1] == '\r') size--;
        snprintf(line, sizeof line, "%.*s", (int)size, own);
        member_as_text(line, wanted);
        if (!fm_str_equal(fm_buf_view(got), fm_buf_view(wanted)))
            fail_msg("\"%s\" gives %.*s, not %.*s", line, (int)got->size, got->data, (int)wanted->size, wanted->data);
    }
    free(own);
    return end != NULL;
}

static const char *const usual[] = {
    "    1:2:void m():3:4 -> a\n",
    "    10:2000000:void o.C.m(int,o.D[][]):1999999:2000000 -> a\r\n",
    "    void m() -> a\n",
    "    int f -> b_2\n",
    "    o.D[] o.C.f -> a\n",
    "    1:1:void m():42 -> a\n",
    "    void m():42:43 -> abcdefghijk\n",
    "    1:1:void <init>():3:3 -> <init>\n",
    "    1:1:void a.b.D$1.<clinit>():3:3 -> <clinit>\n",
    ("    1:6:java.lang.Object "
     "a_very_long_name_of_a_method_that_is_much_longer_than_sixtyfour_bytes(java.util.function.BiFunction,"
     "java.util.concurrent.ConcurrentHashMap$ForwardingNode[],int):7:12 -> some_name_that_is_kept\n"),
};
static const char more_text[] =
    "    1:1:void another():1:1 -> another_name_behind_it_that_is_long_enough_for_all_that_is_read_at_once\n";

static void put_usual(const char *line, bool with_more, struct fm_buf *out)
{
    fm_buf_clear(out);
    fm_buf_str(out, framemap_str_of(line));
    if (with_more) fm_buf_str(out, framemap_str_of(more_text));
}

/* Checks that the fast path accepts lines in the form that compilers write. If a byte is changed, removed or inserted,
 * or the line is cut, the fast path must accept it with the right parts, or refuse it. */
static void test_fast_lines(void **state)
{
    static const char bytes[] = " \t\r\n:;.,-<>()[]#/_$?09aZ\xc3\xa9\x80\xff";
    struct fm_heap heap;
    struct fm_buf text, got, wanted;
    size_t taken = 0;
    (void)state;
    fm_heap_init(&heap, NULL, 0);
    fm_buf_init(&text, &heap);
    fm_buf_init(&got, &heap);
    fm_buf_init(&wanted, &heap);
    for (size_t i = 0; i < COUNT_OF(usual); i++) {
        put_usual(usual[i], true, &text);
        if (!check_fast_line(fm_buf_view(&text), &got, &wanted)) fail_msg("not usual: %s", usual[i]);
        for (size_t size = 1; size <= text.size; size++) check_fast_line(fm_str(text.data, size), &got, &wanted);
        for (unsigned more = 0; more < 2; more++)
            for (size_t at = 0; at < strlen(usual[i]); at++)
                for (size_t b = 0; b <= sizeof bytes; b++) {
                    put_usual(usual[i], more, &text);
                    if (b < sizeof bytes) text.data[at] = bytes[b];
                    if (b == sizeof bytes) memmove(text.data + at, text.data + at + 1, text.size-- - at - 1);
                    taken += check_fast_line(fm_buf_view(&text), &got, &wanted);
                    if (b == sizeof bytes) continue;
                    put_usual(usual[i], more, &text);
                    assert_true(fm_buf_byte(&text, 0));
                    memmove(text.data + at + 1, text.data + at, text.size - at - 1);
                    text.data[at] = bytes[b];
                    taken += check_fast_line(fm_buf_view(&text), &got, &wanted);
                }
    }
    assert_true(taken > 1000);
    fm_buf_free(&text);
    fm_buf_free(&got);
    fm_buf_free(&wanted);
}

/* Passes all lines of the grammar's tests, valid or not, through the fast path. */
static void test_fast_as_the_grammar(void **state)
{
    struct fm_heap heap;
    struct fm_buf text, got, wanted;
    (void)state;
    fm_heap_init(&heap, NULL, 0);
    fm_buf_init(&text, &heap);
    fm_buf_init(&got, &heap);
    fm_buf_init(&wanted, &heap);
    for (size_t i = 0; i < COUNT_OF(members); i++)
        for (unsigned ends = 0; ends < 3; ends++) {
            fm_buf_clear(&text);
            fm_buf_printf(&text, "    %s%s%s", members[i].line + (members[i].line[0] == ' '), ends == 2 ? "\r\n" : "\n",
                          ends ? more_text : "");
            check_fast_line(fm_buf_view(&text), &got, &wanted);
        }
    fm_buf_free(&text);
    fm_buf_free(&got);
    fm_buf_free(&wanted);
}

#if FM_R8_HAS_NAME_ENDS
/* Tries each byte at each position of a line, since any byte may end a name. */
static void test_name_ends(void **state)
{
    (void)state;
    for (unsigned byte = 0; byte < 256; byte++) {
        const bool goes_on = (fm_r8_classes[byte] & (FM_R8_NAME_CHAR | FM_R8_DOT)) != 0;
        for (unsigned at = 0; at < 64; at++) {
            char text[64];
            memset(text, goes_on ? '(' : 'a', sizeof text);
            text[at] = (char)byte;
            const uint64_t wanted = goes_on ? ~(UINT64_C(1) << at) : UINT64_C(1) << at;
            assert_true(fm_r8_name_ends(text) == wanted);
        }
    }
}
#endif

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_every_byte),   cmocka_unit_test(test_class_lines),
        cmocka_unit_test(test_member_lines), cmocka_unit_test(test_every_prefix),
        cmocka_unit_test(test_fast_lines),   cmocka_unit_test(test_fast_as_the_grammar),
#if FM_R8_HAS_NAME_ENDS
        cmocka_unit_test(test_name_ends),
#endif
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
