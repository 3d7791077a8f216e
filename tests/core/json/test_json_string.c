#define _DEFAULT_SOURCE /* makes the system headers declare MAP_ANONYMOUS */
/* Compares the vector version of the string scanner with the portable version, and both with a byte-by-byte reading
 * by RFC 8259, section 7. */
#include "core/cpu.h"
#include "core/json/json_string.h"
#include "tests/testing.h"

#include <sys/mman.h>
#include <unistd.h>

enum { ROOM = 700, ROUNDS = 30000 };

static const char *by_the_book(const char *at, const char *end, bool *escaped)
{
    for (; at < end && (unsigned char)*at >= 0x20 && *at != '"'; at++) {
        if (*at != '\\') continue;
        *escaped = true;
        if (at + 1 == end || at[1] == 0 || strchr("\"\\/bfnrt", at[1]) == NULL) return at;
        at++;
    }
    return at;
}

static void check(const char *text, size_t size)
{
    bool wanted_escaped = false, escaped = false, plain_escaped = false;
    const char *const end = text + size, *const wanted = by_the_book(text, end, &wanted_escaped);
    const char *const got = fm_json_string_run(text, end, &escaped), *const plain = fm_json_string_run_plain(
                                                                         text, end, &plain_escaped);
    if (got != wanted || escaped != wanted_escaped)
        fail_msg("%zu bytes: stopped at %td (%d), wanted %td (%d)", size, got - text, escaped, wanted - text,
                 wanted_escaped);
    if (plain != wanted || plain_escaped != wanted_escaped)
        fail_msg("%zu bytes, plainly: stopped at %td (%d), wanted %td (%d)", size, plain - text, plain_escaped,
                 wanted - text, wanted_escaped);
}

static uint64_t next_random(uint64_t *state)
{
    uint64_t z = *state += 0x9e3779b97f4a7c15u;
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
    return z ^ (z >> 31);
}

/* Memory before an inaccessible page, so that a read past the end crashes. */
struct room {
    char *pages, *end;
    size_t size;
};
static struct room room_at_page_end(void)
{
    const size_t page = (size_t)sysconf(_SC_PAGESIZE);
    struct room room = {.size = 2 * page};
    room.pages = mmap(NULL, room.size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    assert_true(room.pages != MAP_FAILED);
    assert_int_equal(mprotect(room.pages + page, page, PROT_NONE), 0);
    room.end = room.pages + page;
    assert_true(page >= ROOM);
    return room;
}

/* Tests random texts of special bytes, some frequent and some rare, of any length and at any distance from the page's
 * end. */
static void random_texts(void **state)
{
    (void)state;
    static const char *const alphabets[] = {"aaaaaaaaaaaaaaaaaaaaaaaaaaa\\n", "\\\\\\\\n\"",
                                            "\\\\\\\\\\\\\\\\\\\\\\\\\\\\\\n", "abc\\\\nnnrrttbbff//",
                                            "abcdefghijklmnopqrstuvwxyz\xC3\xA9\xFF\x7F\\\\\\nu\" "};
    struct room room = room_at_page_end();
    uint64_t random = 7;
    for (unsigned i = 0; i < ROUNDS; i++) {
        const char *alphabet = alphabets[i % COUNT_OF(alphabets)];
        const size_t size = (size_t)(next_random(&random) % ROOM), letters = strlen(alphabet);
        char *const text = room.end - size;
        for (size_t at = 0; at < size; at++) text[at] = alphabet[next_random(&random) % letters];
        if (i % 7 == 0 && size > 0) text[next_random(&random) % size] = (char)(next_random(&random) % 0x21);
        check(text, size);
    }
    munmap(room.pages, room.size);
}

/* Tests each byte at each offset of the first blocks, alone and after a backslash. */
static void each_byte_at_each_place(void **state)
{
    (void)state;
    struct room room = room_at_page_end();
    enum { SIZE = 200 };
    char *const text = room.end - SIZE;
    for (unsigned byte = 0; byte < 256; byte++)
        for (size_t at = 0; at < 135; at++) {
            memset(text, 'x', SIZE);
            text[at] = (char)byte;
            check(text, SIZE);
            if (at == 0) continue;
            text[at - 1] = '\\';
            check(text, SIZE);
        }
    munmap(room.pages, room.size);
}

/* Tests runs of backslashes of each length, starting at each offset around the block boundaries. The byte after the run
 * is one that may follow a backslash, or one that may not. */
static void runs_of_backslashes(void **state)
{
    (void)state;
    struct room room = room_at_page_end();
    enum { SIZE = 300 };
    char *const text = room.end - SIZE;
    for (size_t from = 50; from < 80; from++)
        for (size_t count = 0; count < 140; count++)
            for (const char *last = "\"nuq\n"; *last; last++) {
                memset(text, 'x', SIZE);
                memset(text + from, '\\', count);
                text[from + count] = *last;
                check(text, SIZE);
                /* the run ends the text, and the blocks start at other offsets */
                check(text + SIZE - from - count, from + count);
            }
    munmap(room.pages, room.size);
}

static void says_which_way(void **state)
{
    (void)state;
    print_message("strings are run through %s\n", fm_cpu_avx2() ? "by AVX2" : "plainly");
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(random_texts), cmocka_unit_test(each_byte_at_each_place),
                                       cmocka_unit_test(runs_of_backslashes), cmocka_unit_test(says_which_way)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
