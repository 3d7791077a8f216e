#include "tests/testing.h"

#include "cli/cli_io.h"

#include <fcntl.h>
#include <string.h>
#include <unistd.h>

/* Reads the output that was written so far, into `text` as a string. */
static void read_back(int fd, char *text, size_t room)
{
    ssize_t count = read(fd, text, room - 1);
    text[count > 0 ? count : 0] = '\0';
}

static void puts_json(void **state)
{
    (void)state;
    static const struct {
        const char *text, *wanted;
    } rows[] = {
        {"", "\"\""},
        {"a\"b\\c", "\"a\\\"b\\\\c\""},
        {"\b\f\n\r\t\x01\x1f\x7f", "\"\\b\\f\\n\\r\\t\\u0001\\u001f\\u007f\""},
        {"\xc2\x9b\xe2\x80\xa8\xe2\x80\xae\xe2\x81\xa9", "\"\\u009b\\u2028\\u202e\\u2069\""},
        {"\xc3\xa9 \xe2\x82\xac \xf0\x9f\x98\x80", "\"\xc3\xa9 \xe2\x82\xac \xf0\x9f\x98\x80\""},
        {"\xff", "\"\xef\xbf\xbd\""},
        {"\xc3", "\"\xef\xbf\xbd\""},
        {"\xc0\xaf", "\"\xef\xbf\xbd\xef\xbf\xbd\""},
        {"\xed\xa0\x80", "\"\xef\xbf\xbd\xef\xbf\xbd\xef\xbf\xbd\""},
        {"\xf4\x90\x80\x80", "\"\xef\xbf\xbd\xef\xbf\xbd\xef\xbf\xbd\xef\xbf\xbd\""},
    };
    static struct fm_out out;
    int ends[2];
    assert_int_equal(pipe(ends), 0);
    fm_out_init(&out, ends[1]);
    for (size_t i = 0; i < COUNT_OF(rows); i++) {
        char text[64];
        fm_put_json(&out, framemap_str_of(rows[i].text));
        assert_true(fm_out_flush(&out));
        read_back(ends[0], text, sizeof text);
        assert_string_equal(text, rows[i].wanted);
    }
    close(ends[0]);
    close(ends[1]);
}

static void puts_texts(void **state)
{
    (void)state;
    static struct fm_out out;
    char text[128];
    int ends[2];
    assert_int_equal(pipe(ends), 0);
    fm_out_init(&out, ends[1]);
    fm_put_str(&out, framemap_str_of("name\n\t\x1b[2J\xc2\x9b C:\\new"));
    fm_put_char(&out, '\n');
    fm_put_source(&out, framemap_str_of("\tint a;\t/*\r\x1b*/"));
    fm_put_source(&out, (framemap_str){NULL, 0});
    fm_put_char(&out, '\n');
    fm_put_raw(&out, framemap_str_of("of the report\t\x1b[0m"));
    assert_true(fm_out_flush(&out));
    read_back(ends[0], text, sizeof text);
    assert_string_equal(text, "name\\n\\t\\x1b[2J\\u009b C:\\new\n\tint a;\t/*\\r\\x1b*/\nof the report\t\x1b[0m");
    close(ends[0]);
    close(ends[1]);
}

static void puts_numbers(void **state)
{
    (void)state;
    static struct fm_out out;
    char text[128];
    int ends[2];
    assert_int_equal(pipe(ends), 0);
    fm_out_init(&out, ends[1]);
    fm_put_dec(&out, 0);
    fm_put_char(&out, ' ');
    fm_put_dec(&out, UINT64_MAX);
    fm_put_char(&out, ' ');
    fm_put_hex(&out, 0, 1);
    fm_put_char(&out, ' ');
    fm_put_hex(&out, 0xabc, 8);
    fm_put_char(&out, ' ');
    fm_put_hex(&out, UINT64_MAX, 16);
    fm_put_fill(&out, '-', 3);
    assert_int_equal(fm_put_count(&out), 1 + 1 + 20 + 1 + 1 + 1 + 8 + 1 + 16 + 3);
    assert_true(fm_out_flush(&out));
    assert_int_equal(fm_put_count(&out), 1 + 1 + 20 + 1 + 1 + 1 + 8 + 1 + 16 + 3);
    read_back(ends[0], text, sizeof text);
    assert_string_equal(text, "0 18446744073709551615 0 00000abc ffffffffffffffff---");
    close(ends[0]);
    close(ends[1]);
}

/* A large piece of data is written without a copy to the buffer. It must come after the data that is in the buffer. */
static void puts_much(void **state)
{
    (void)state;
    static struct fm_out out;
    static char much[40000], text[50000], wanted[50000];
    static const size_t sizes[] = {1, sizeof out.data / 4 - 1, sizeof out.data / 4, sizeof much};
    for (size_t i = 0; i < COUNT_OF(sizes); i++) {
        int ends[2];
        assert_int_equal(pipe(ends), 0);
        fm_out_init(&out, ends[1]);
        memset(much, 'm', sizeof much);
        fm_put_text(&out, "before ");
        fm_put_raw(&out, (framemap_str){much, sizes[i]});
        fm_put_text(&out, " after");
        assert_int_equal(fm_put_count(&out), 7 + sizes[i] + 6);
        assert_true(fm_out_flush(&out));
        read_back(ends[0], text, sizeof text);
        snprintf(wanted, sizeof wanted, "before %.*s after", (int)sizes[i], much);
        assert_string_equal(text, wanted);
        close(ends[0]);
        close(ends[1]);
    }
}

/* Writes a text to a pipe in chunks of `step` bytes, and joins the lines that are read, with "|" between them. */
static void split(const char *text, size_t step, size_t limit, char *got)
{
    struct fm_in in;
    framemap_str line;
    int ends[2];
    size_t size = strlen(text);

    assert_int_equal(pipe(ends), 0);
    fm_in_init(&in, ends[0]);
    got[0] = '\0';
    for (size_t at = 0; at < size; at += step) {
        size_t count = size - at < step ? size - at : step;
        assert_int_equal(write(ends[1], text + at, count), count);
        /* the end of the line arrives with a later read */
        if (at == 0 && count < size) assert_true(fm_in_more(&in, NULL));
    }
    close(ends[1]);
    while (fm_in_line(&in, NULL, limit, &line)) {
        size_t used = strlen(got);
        snprintf(got + used, 256 - used, "%.*s|", (int)line.size, line.size ? line.data : "");
    }
    fm_in_free(&in);
    close(ends[0]);
}

static void reads_lines(void **state)
{
    (void)state;
    static const struct {
        const char *text;
        size_t limit;
        const char *wanted;
    } rows[] = {
        {"", 100, ""},
        {"\n", 100, "|"},
        {"a\nb\n", 100, "a|b|"},
        {"a\n\nb", 100, "a||b|"},
        {"a\r\n", 100, "a\r|"},
        {"abcdef\nxy\n", 4, "abcd|ef|xy|"},
        /* as with fgets, the line end is returned separately if the line has exactly `limit` bytes */
        {"abcd\nxy", 4, "abcd||xy|"},
    };
    for (size_t i = 0; i < COUNT_OF(rows); i++) {
        for (size_t step = 1; step <= 4; step++) {
            char got[256];
            split(rows[i].text, step, rows[i].limit, got);
            assert_string_equal(got, rows[i].wanted);
        }
    }
}

static void reads_long_lines(void **state)
{
    (void)state;
    enum { SIZE = 300000 };
    char path[] = "/tmp/framemap-test-XXXXXX";
    int fd = mkstemp(path);
    struct fm_in in;
    framemap_str line;
    char *text = malloc(SIZE);

    assert_true(fd >= 0);
    assert_non_null(text);
    unlink(path);
    memset(text, 'x', SIZE);
    text[SIZE - 2] = '\n';
    for (int i = 0; i < 3; i++) assert_int_equal(write(fd, text, SIZE), SIZE);
    lseek(fd, 0, SEEK_SET);
    fm_in_init(&in, fd);
    assert_true(fm_in_line(&in, NULL, FRAMEMAP_LONGEST_LINE, &line));
    assert_int_equal(line.size, SIZE - 2);
    for (int i = 0; i < 2; i++) {
        assert_true(fm_in_line(&in, NULL, FRAMEMAP_LONGEST_LINE, &line));
        assert_int_equal(line.size, SIZE - 1);
    }
    assert_true(fm_in_line(&in, NULL, FRAMEMAP_LONGEST_LINE, &line));
    assert_int_equal(line.size, 1);
    assert_false(fm_in_line(&in, NULL, FRAMEMAP_LONGEST_LINE, &line));
    fm_in_free(&in);
    close(fd);
    free(text);
}

static void tells_of_a_full_disk(void **state)
{
    (void)state;
    static struct fm_out out;
    int null = open("/dev/full", O_WRONLY);
    if (null < 0) skip();
    fm_out_init(&out, null);
    fm_put_text(&out, "x");
    assert_false(fm_out_flush(&out));
    assert_false(fm_out_write(&out, "y", 1));
    close(null);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(puts_json),        cmocka_unit_test(puts_texts),
                                       cmocka_unit_test(puts_numbers),     cmocka_unit_test(reads_lines),
                                       cmocka_unit_test(reads_long_lines), cmocka_unit_test(tells_of_a_full_disk),
                                       cmocka_unit_test(puts_much)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
