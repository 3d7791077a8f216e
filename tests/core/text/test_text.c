/* Tests of core/text/text.h, buffer.h and find_any.h. */
#include "core/cpu.h"
#include "core/limits.h"
#include "core/text/buffer.h"
#include "core/text/escape.h"
#include "core/text/find_any.h"
#include "core/text/utf8.h"
#include "tests/testing.h"

static framemap_str of(const char *text) { return framemap_str_of(text); }
static const framemap_str absent = {NULL, 0};

static void comparing(void **state)
{
    (void)state;
    assert_true(fm_str_equal(of("ab"), of("ab")) && !fm_str_equal(of("ab"), of("abc")) &&
                !fm_str_equal(of("ab"), of("ac")));
    assert_true(fm_str_equal(absent, of("")));
    assert_true(fm_str_compare(of("ab"), of("b")) < 0);
    assert_true(fm_str_compare(of("ab"), of("a")) > 0);
    assert_true(fm_str_compare(of("\xff"), of("a")) > 0); /* bytes are compared as unsigned numbers */
    assert_true(fm_str_compare(of("ab"), of("ab")) == 0 && fm_str_compare(absent, of("")) == 0 &&
                fm_str_compare(absent, of("a")) < 0);
    assert_true(fm_str_equal_nocase(of("aZ[\xC9"), of("Az[\xC9")) && !fm_str_equal_nocase(of("["), of("{")));
    assert_false(fm_str_equal_nocase(of("a"), of("ab")));
    assert_true(fm_str_starts(of("abc"), of("ab")) && fm_str_starts(of("abc"), absent) &&
                !fm_str_starts(of("a"), of("ab")));
    assert_true(fm_str_ends(of("abc"), of("bc")) && fm_str_ends(of("abc"), absent) && !fm_str_ends(of("c"), of("bc")));
}

/* Returns a block of exactly this size, so that sanitizers check its bounds. Not inlined: otherwise gcc 14 would unroll
 * the loops over sizes, and warn of out-of-bounds writes that do not happen. */
static FM_APART char *block_of(size_t size)
{
    char *block = malloc(size);
    assert_non_null(block);
    return block;
}

/* Each text is in a block of exactly its size, so that sanitizers detect a read past its end. The results must equal
 * the results of the C library's functions. */
static void without_a_call(void **state)
{
    (void)state;
    assert_true(fm_str_same((framemap_str){NULL, 0}, of("")));
    for (size_t size = 1; size <= 70; size++) {
        char *a = block_of(size + 1), *b = block_of(size + 1);
        for (size_t i = 0; i < size; i++) a[i] = (char)(i * 37 + 1);
        memset(b, 0x55, size + 1);
        char *from = memcpy(block_of(size), a, size);
        fm_str_copy(b, fm_str(from, size));
        assert_memory_equal(a, b, size);
        assert_int_equal(b[size], 0x55);
        assert_true(fm_str_same(fm_str(from, size), fm_str(b, size)) &&
                    !fm_str_same(fm_str(from, size), fm_str(b, size + 1)));
        for (size_t i = 0; i < size; i++) {
            b[i] ^= 1;
            assert_false(fm_str_same(fm_str(from, size), fm_str(b, size)));
            b[i] ^= 1;
        }
        free(from);
        free(a);
        free(b);
    }
}

/* Packs strings of each size into words: no two strings have the same word. */
static void short_texts_as_numbers(void **state)
{
    (void)state;
    assert_true(fm_str_word(absent) == 0 && fm_str_word(of("")) == 0 && fm_str_word(of("12345678")) == 0);
    for (size_t size = 1; size <= FM_STR_WORD_MOST; size++) {
        char *text = block_of(size);
        uint64_t wanted = (uint64_t)size << 56;
        for (size_t i = 0; i < size; i++) {
            text[i] = (char)(0xf1 - 3 * i);
            wanted |= (uint64_t)(unsigned char)text[i] << 8 * i;
        }
        assert_true(fm_str_word(fm_str(text, size)) == wanted);
        free(text);
    }
    assert_true(fm_str_word(fm_str("a", 1)) != fm_str_word(fm_str("a\0", 2)));
}

/* Searches strings of few different letters, which contain parts of the needle everywhere. */
static void finding_last(void **state)
{
    enum { TEXTS = 4096, LONGEST = 24 };
    uint32_t random = 1;
    (void)state;
    for (size_t i = 0; i < TEXTS; i++) {
        char text[LONGEST];
        const size_t size = i % LONGEST + 1, needle_size = 1 + i % 4;
        for (size_t at = 0; at < size; at++)
            text[at] = (char)('a' + ((random = random * 1664525 + 1013904223) >> 29) % 3);
        const framemap_str needle =
            fm_str(i % 3 ? text + size / 3 : "abca", i % 3 && needle_size > size - size / 3 ? 1 : needle_size);
        size_t wanted = FM_NOT_FOUND;
        for (size_t at = 0; at + needle.size <= size; at++)
            if (memcmp(text + at, needle.data, needle.size) == 0) wanted = at;
        assert_true(fm_str_find_last(fm_str(text, size), needle) == wanted);
    }
}

static void finding(void **state)
{
    (void)state;
    static const struct {
        const char *text, *needle;
        size_t first, last;
    } rows[] = {
        {"abcabc", "abc", 0, 3},
        {"abcabc", "c", 2, 5},
        {"abcabc", "bca", 1, 1},
        {"aaa", "aa", 0, 1},
        {"abc", "abcd", FM_NOT_FOUND, FM_NOT_FOUND},
        {"abab", "abb", FM_NOT_FOUND, FM_NOT_FOUND},
        {"", "a", FM_NOT_FOUND, FM_NOT_FOUND},
        {"abc", "", 0, 3},
    };
    for (size_t i = 0; i < COUNT_OF(rows); i++) {
        assert_int_equal(fm_str_find(of(rows[i].text), of(rows[i].needle)), rows[i].first);
        assert_int_equal(fm_str_find_last(of(rows[i].text), of(rows[i].needle)), rows[i].last);
    }
    assert_int_equal(fm_str_find_byte(of("a.b.c"), '.'), 1);
    assert_int_equal(fm_str_find_last_byte(of("a.b.c"), '.'), 3);
    assert_int_equal(fm_str_find_last_byte(of(".b./-..............\xAE"), '.'), 18);
    assert_int_equal(fm_str_find_last_byte(of(".b./-\xAE\xAE//-----"), '.'), 2);
    assert_true(fm_str_find_byte(absent, '.') == FM_NOT_FOUND && fm_str_find_last_byte(absent, '.') == FM_NOT_FOUND);
    assert_true(fm_str_count_byte(of("a.b.c"), '.') == 2 && fm_str_count_byte(absent, '.') == 0);
    assert_true(fm_str_find(absent, of("a")) == FM_NOT_FOUND && fm_str_find_last(absent, of("a")) == FM_NOT_FOUND);
}

/* Searches strings of each size, in an allocation of that size, with the byte at any two offsets or nowhere. */
static void finding_the_last_byte(void **state)
{
    (void)state;
    for (size_t size = 1; size < 40; size++) {
        char *text = malloc(size);
        for (size_t first = 0; first <= size; first++)
            for (size_t last = first; last <= size; last++) {
                memset(text, '.' + 1, size);
                if (first < size) text[first] = '.';
                if (last < size) text[last] = '.';
                const size_t wanted = last < size ? last : first < size ? first : FM_NOT_FOUND;
                assert_true(fm_str_find_last_byte(fm_str(text, size), '.') == wanted);
            }
        free(text);
    }
}

/* Cuts strings of each size, in an allocation of that size, with a dot at any offset or nowhere, another dot before it,
 * and '$' at any offset. */
static void cutting_out_the_last_part(void **state)
{
    (void)state;
    for (size_t size = 1; size < 70; size++) {
        char *text = malloc(size);
        for (size_t dot = 0; dot <= size; dot++)
            for (size_t dollar = 0; dollar <= size; dollar++) {
                memset(text, 'a', size);
                if (dot < size) text[dot / 2] = text[dot] = '.';
                if (dollar < size && dollar != dot) text[dollar] = '$';
                const size_t begin = dot < size ? dot + 1 : 0, end = dollar > dot || dot == size ? dollar : size;
                const framemap_str part = fm_str_last_part(fm_str(text, size), '.', '$');
                assert_true(part.data == text + begin && part.size == end - begin);
            }
        free(text);
    }
    assert_int_equal(fm_str_last_part(absent, '.', '$').size, 0);
}

/* Searches strings of each size for a needle at each offset, before text that only starts like the needle; each string
 * has an allocation of its own. */
static void finding_a_text(void **state)
{
    static const char needle[] = "abcde", before[] = "abaabcab", after[] = "bcdeabcabcd";
    (void)state;
    for (size_t needle_size = 1; needle_size < sizeof needle; needle_size++) {
        for (size_t size = needle_size; size < 60; size++) {
            char *text = malloc(size);
            assert_non_null(text);
            for (size_t at = 0; at + needle_size <= size; at++) {
                for (size_t i = 0; i < size; i++) text[i] = i < at ? before[i % 8] : after[i % 11];
                memcpy(text + at, needle, needle_size);
                size_t first = 0;
                while (memcmp(text + first, needle, needle_size) != 0) first++;
                assert_int_equal(fm_str_find(fm_str(text, size), fm_str(needle, needle_size)), first);
                assert_true(fm_str_find(fm_str(text, at + needle_size - 1), fm_str("abcdx", 5)) == FM_NOT_FOUND);
            }
            free(text);
        }
    }
}

/* Compares the search with memchr for strings of each size and each offset of the byte; each string has an allocation
 * of its own. */
static void finding_a_byte(void **state)
{
    (void)state;
    assert_null(fm_find(NULL, 0, 'x'));
    for (size_t size = 1; size < 300; size += size < 70 ? 1 : 23) {
        char *text = malloc(size);
        assert_non_null(text);
        memset(text, 'a', size);
        assert_null(fm_find(text, size, 'x'));
        /* the buffer is filled from its end, so bytes after `at` keep their values */
        for (size_t at = size; at-- > 0;) {
            text[at] = (char)0xFF;
            assert_ptr_equal(fm_find(text, size, (char)0xFF), memchr(text, 0xFF, size));
        }
        free(text);
    }
    assert_true(fm_str_begins(of("abc"), of("ab")) && !fm_str_begins(of("a"), of("ab")) &&
                !fm_str_begins(of("bb"), of("ab")) && !fm_str_begins(of("ac"), of("ab")));
    assert_false(fm_str_begins(absent, of("a")));
}

/* Searches for one of four bytes, from each start, at each offset of strings of all sizes that the vector code
 * handles. */
static void finding_any(void **state)
{
    enum { LONGEST = 40 };
    (void)state;
    for (size_t size = 0; size <= LONGEST; size++) {
        char *text = malloc(size + 1);
        assert_non_null(text);
        for (size_t place = 0; place <= size; place++) {
            memset(text, 'x', size);
            if (place < size) text[place] = "()>@"[place % 4];
            if (place < size) assert_int_equal(fm_str_find_last_byte(fm_str(text, size), text[place]), place);
            assert_true(fm_str_find_last_byte(fm_str(text, size), '[') == FM_NOT_FOUND);
            for (size_t from = 0; from <= size; from++) {
                assert_int_equal(fm_str_find_any(fm_str(text, size), from, "()>@"), place >= from ? place : size);
                assert_int_equal(fm_str_find_any(fm_str(text, size), from, "<<[["), size);
            }
        }
        free(text);
    }
    assert_int_equal(fm_str_find_any(fm_str(NULL, 0), 0, "()()"), 0);
}

static void slicing(void **state)
{
    (void)state;
    assert_str(fm_str_slice(of("abcdef"), 2, 4), "cd");
    assert_str(fm_str_slice(of("abcdef"), 4, 99), "ef");
    assert_str(fm_str_slice(of("abcdef"), 4, 2), "");
    assert_str(fm_str_slice(of("abcdef"), 99, 100), "");
    assert_str(fm_str_from(of("abcdef"), 4), "ef");
    assert_true(fm_str_slice(absent, 0, 5).size == 0);
    assert_str(fm_str_trim(of(" \t a b\t ")), "a b");
    assert_str(fm_str_trim(of(" \t ")), "");
    assert_str(fm_str_trim(absent), "");
    static const char *const paths[][2] = {
        {"/a/b.so", "b.so"}, {"b.so", "b.so"}, {"C:\\x\\y.dll", "y.dll"}, {"a/b\\c", "c"}, {"dir/", ""}, {"", ""},
    };
    for (size_t i = 0; i < COUNT_OF(paths); i++) assert_str(fm_str_basename(of(paths[i][0])), paths[i][1]);
}

static void building(void **state)
{
    (void)state;
    struct fm_heap heap;
    struct fm_buf buf;
    fm_heap_init(&heap, NULL, 0);
    fm_buf_init(&buf, &heap);
    fm_buf_str(&buf, of("a"));
    fm_buf_str(&buf, absent);
    fm_buf_byte(&buf, ' ');
    fm_buf_dec(&buf, 0);
    fm_buf_byte(&buf, ' ');
    fm_buf_dec(&buf, UINT64_MAX);
    fm_buf_byte(&buf, ' ');
    fm_buf_hex(&buf, 0, 0);
    fm_buf_hex(&buf, 0xABC, 8);
    fm_buf_hex(&buf, UINT64_MAX, 2);
    fm_buf_printf(&buf, "%s", "");
    assert_true(fm_buf_printf(&buf, "|%d|%s", -5, "x"));
    assert_str(fm_buf_view(&buf), "a 0 18446744073709551615 000000abcffffffffffffffff|-5|x");
    fm_buf_clear(&buf);
    assert_int_equal(buf.size, 0);
    for (size_t i = 0; i < 100000; i++) fm_buf_byte(&buf, (char)('a' + i % 26));
    assert_true(!buf.failed && buf.size == 100000 && buf.data[99999] == 'a' + 99999 % 26);
    fm_buf_free(&buf);
    assert_int_equal(heap.used, 0);
}

static void strings_together(void **state)
{
    (void)state;
    char many[100];
    struct fm_heap heap;
    struct fm_buf buf;
    memset(many, 'm', sizeof many);
    fm_heap_init(&heap, NULL, 0);
    fm_buf_init(&buf, &heap);
    const framemap_str texts[] = {of("at "), {NULL, 0}, of("a.b"), of("\n"), of("")};
    const framemap_str longer[] = {of("<"), fm_str(many, sizeof many), of(">")};
    assert_true(fm_buf_strs(&buf, texts, 5));
    assert_str(fm_buf_view(&buf), "at a.b\n");
    buf.shows = true;
    assert_true(fm_buf_strs(&buf, texts, 5)); /* `shows` is set: control characters of each text are escaped */
    assert_str(fm_buf_view(&buf), "at a.b\nat a.b\\n");
    buf.shows = false;
    fm_buf_clear(&buf);
    assert_true(fm_buf_strs(&buf, longer, 3));
    assert_int_equal(buf.size, sizeof many + 2);
    assert_int_equal(buf.data[sizeof many + 1], '>');
    fm_buf_clear(&buf);
    buf.limit = 6;
    /* the texts have seven bytes together, too many, so none of them is added */
    assert_false(fm_buf_strs(&buf, texts, 4));
    assert_int_equal(buf.size, 0);
    assert_true(buf.failed);
    fm_buf_clear(&buf);
    assert_true(fm_buf_strs(&buf, texts, 3));
    assert_false(fm_buf_strs(&buf, texts, 1)); /* the buffer keeps its earlier contents */
    assert_str(fm_buf_view(&buf), "at a.b");
    assert_false(fm_buf_strs(&buf, texts + 1, 1));
    fm_buf_free(&buf);
    /* texts are added to an empty buffer, and to one that has memory already */
    for (size_t size = 0; size <= sizeof many; size++) {
        const framemap_str parts[] = {fm_str(many, size), of("|"), fm_str(many, sizeof many - size)};
        assert_true(fm_buf_strs(&buf, parts, 3) && fm_buf_strs(&buf, parts, 3));
        assert_int_equal(buf.size, 2 * (sizeof many + 1));
        for (size_t i = 0; i < buf.size; i++) assert_int_equal(buf.data[i], i % (sizeof many + 1) == size ? '|' : 'm');
        fm_buf_free(&buf);
    }
    assert_int_equal(heap.used, 0);
}

static void a_limit_is_kept_to_the_byte(void **state)
{
    (void)state;
    struct fm_heap heap;
    struct fm_buf buf;
    fm_heap_init(&heap, NULL, 0);
    fm_buf_init(&buf, &heap);
    buf.limit = 10;
    assert_true(fm_buf_add(&buf, "0123456789", 10));
    assert_false(fm_buf_byte(&buf, 'x'));
    assert_true(buf.failed && buf.size == 10);
    assert_false(fm_buf_add(&buf, "", 0)); /* after a failure nothing is added */
    fm_buf_clear(&buf);
    assert_false(fm_buf_add(&buf, "0123456789x", 11));
    fm_buf_clear(&buf);
    assert_true(fm_buf_printf(&buf, "%s", "01234567"));
    assert_true(fm_buf_printf(&buf, "%s", "89")); /* the NUL that vsnprintf adds does not count */
    fm_buf_clear(&buf);
    assert_false(fm_buf_add(&buf, "x", SIZE_MAX));
    fm_buf_free(&buf);
}

static void json_strings(void **state)
{
    (void)state;
#define BAD "\xEF\xBF\xBD"
    static const struct {
        const char *why, *text, *json;
    } rows[] = {
        {"plain", "a b", "\"a b\""},
        {"empty", "", "\"\""},
        {"quote, backslash, slash", "\"\\/", "\"\\\"\\\\/\""},
        {"short escapes", "\b\f\n\r\t", "\"\\b\\f\\n\\r\\t\""},
        {"other controls", "\x01\x1f\x7f", "\"\\u0001\\u001f\\u007f\""},
        {"UTF-8 of each size", "\xC3\xA9\xE2\x82\xAC\xF0\x9F\x98\x80", "\"\xC3\xA9\xE2\x82\xAC\xF0\x9F\x98\x80\""},
        {"first and last of each size", "\xC2\xA0\xDF\xBF\xE0\xA0\x80\xEF\xBF\xBF\xF0\x90\x80\x80\xF4\x8F\xBF\xBF",
         "\"\xC2\xA0\xDF\xBF\xE0\xA0\x80\xEF\xBF\xBF\xF0\x90\x80\x80\xF4\x8F\xBF\xBF\""},
        {"what terminals obey, and what turns the direction of text",
         "\xC2\x80\xC2\x9B\xE2\x80\xA8\xE2\x80\xAE\xE2\x81\xA6", "\"\\u0080\\u009b\\u2028\\u202e\\u2066\""},
        {"a lone continuation", "a\x80z", "\"a" BAD "z\""},
        {"overlong slash", "\xC0\xAF", "\"" BAD BAD "\""},
        {"overlong in three", "\xE0\x9F\xBF", "\"" BAD BAD BAD "\""},
        {"a surrogate", "\xED\xA0\x80", "\"" BAD BAD BAD "\""},
        {"past Unicode", "\xF4\x90\x80\x80", "\"" BAD BAD BAD BAD "\""},
        {"cut off", "\xE2\x82", "\"" BAD BAD "\""},
        {"byte that never occurs",
         "\xFF"
         "a",
         "\"" BAD "a\""},
    };
    struct fm_heap heap;
    struct fm_buf buf;
    fm_heap_init(&heap, NULL, 0);
    fm_buf_init(&buf, &heap);
    for (size_t i = 0; i < COUNT_OF(rows); i++) {
        fm_buf_clear(&buf);
        assert_true(fm_buf_json(&buf, of(rows[i].text)));
        if (!fm_str_equal(fm_buf_view(&buf), of(rows[i].json)))
            fail_msg("%s: %.*s", rows[i].why, (int)buf.size, buf.data);
    }
    fm_buf_clear(&buf);
    assert_true(fm_buf_json(&buf, fm_str("a\0b", 3)));
    assert_str(fm_buf_view(&buf), "\"a\\u0000b\"");
    fm_buf_free(&buf);
}

/* Returns how a byte of a JSON string must be written; NULL: unchanged. `size`: bytes consumed, more than one for a
 * character that is not ASCII. */
static const char *written_as(const unsigned char *p, size_t left, size_t *size, char escape[8])
{
    static const char named[] = "\"\\\b\f\n\r\t", names[] = "\"\\bfnrt";
    *size = fm_character_size(p, left);
    const char *name = *p ? strchr(named, *p) : NULL;
    if (*size == 0) {
        *size = 1;
        return "\xEF\xBF\xBD";
    }
    if (*size > 1 && fm_control_point(p, *size)) {
        snprintf(escape, 8, "\\u%04x", (unsigned)fm_control_point(p, *size));
        return escape;
    }
    if (name)
        snprintf(escape, 8, "\\%c", names[name - named]);
    else
        snprintf(escape, 8, "\\u%04x", *p);
    return name || *p < 0x20 || *p == 0x7F ? escape : NULL;
}

static void write_json(struct fm_buf *out, framemap_str text)
{
    const unsigned char *p = (const unsigned char *)text.data;
    fm_buf_byte(out, '"');
    for (size_t at = 0, size; at < text.size; at += size) {
        char escape[8];
        const char *written = written_as(p + at, text.size - at, &size, escape);
        fm_buf_str(out, written ? of(written) : fm_str(text.data + at, size));
    }
    fm_buf_byte(out, '"');
}

/* Compares the escaping of JSON strings with written_as. Strings are scanned in words of eight bytes, so each byte is
 * tested at each offset, alone and next to another special byte. */
static void json_at_every_place(void **state)
{
    (void)state;
    static const char *const others[] = {"",         "\"",           "\\",   "\x7F", "\x1F", "\xC3\xA9", "\xE2\x82\xAC",
                                         "\xC2\x9B", "\xE2\x80\xAE", "\x80", "\xFF"};
    struct fm_heap heap;
    struct fm_buf buf, plain;
    fm_heap_init(&heap, NULL, 0);
    fm_buf_init(&buf, &heap);
    fm_buf_init(&plain, &heap);
    for (size_t other = 0; other < COUNT_OF(others); other++)
        for (unsigned byte = 0; byte < 256; byte++)
            for (size_t size = 1; size < 19; size++)
                for (size_t at = 0; at < size; at++) {
                    char text[32];
                    const size_t after = strlen(others[other]);
                    memset(text, 'a' + (int)at % 20, size);
                    text[at] = (char)byte;
                    memcpy(text + size, others[other], after);
                    fm_buf_clear(&buf);
                    fm_buf_clear(&plain);
                    write_json(&plain, fm_str(text, size + after));
                    assert_true(fm_buf_json(&buf, fm_str(text, size + after)));
                    if (!fm_str_equal(fm_buf_view(&buf), fm_buf_view(&plain)))
                        fail_msg("byte %u at %zu of %zu, before '%s'", byte, at, size, others[other]);
                }
    fm_buf_free(&buf);
    fm_buf_free(&plain);
}

static bool build_text(const framemap_allocator *allocator, void *context)
{
    (void)context;
    struct fm_heap heap;
    struct fm_buf buf;
    fm_heap_init(&heap, allocator, 0);
    fm_buf_init(&buf, &heap);
    for (unsigned i = 0; i < 50; i++) {
        fm_buf_printf(&buf, "%u", i);
        fm_buf_json(&buf, of("a\nb"));
        fm_buf_dec(&buf, i);
        fm_buf_hex(&buf, i, 4);
    }
    const bool done = !buf.failed;
    fm_buf_free(&buf);
    return done;
}

static void survives_want_of_memory(void **state)
{
    (void)state;
    assert_true(sweep_allocations(build_text, NULL) >= 5);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(comparing),
        cmocka_unit_test(without_a_call),
        cmocka_unit_test(short_texts_as_numbers),
        cmocka_unit_test(finding),
        cmocka_unit_test(finding_last),
        cmocka_unit_test(finding_the_last_byte),
        cmocka_unit_test(cutting_out_the_last_part),
        cmocka_unit_test(finding_a_text),
        cmocka_unit_test(finding_a_byte),
        cmocka_unit_test(finding_any),
        cmocka_unit_test(slicing),
        cmocka_unit_test(building),
        cmocka_unit_test(json_strings),
        cmocka_unit_test(json_at_every_place),
        cmocka_unit_test(strings_together),
        cmocka_unit_test(a_limit_is_kept_to_the_byte),
        cmocka_unit_test(survives_want_of_memory),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
