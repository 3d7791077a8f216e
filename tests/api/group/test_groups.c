/* Tests folding, fingerprints of whole texts, and groups. */
#include "api/group/fold.h"
#include "core/text/buffer.h"
#include "tests/testing.h"

#include <framemap/group.h>
#include <stdio.h>

static void folds(void **state)
{
    (void)state;
    static const struct {
        const char *keys, *want;
    } rows[] = {{"", ""},          {"abc", "abc"},      {"aaa", "a"},   {"mabababx", "mabx"},
                {"mababa", "mab"}, {"mabcabc", "mabc"}, {"abab", "ab"}, {"mabcabca", "mabc"},
                {"abcb", "abcb"},  {"xaabaab", "xab"}};
    for (size_t i = 0; i < COUNT_OF(rows); i++) {
        uint64_t keys[16];
        size_t ids[16], count = strlen(rows[i].keys);
        for (size_t k = 0; k < count; k++) {
            keys[k] = (uint64_t)rows[i].keys[k];
            ids[k] = k;
        }
        count = fm_fold(keys, ids, count);
        char got[17] = "";
        for (size_t k = 0; k < count; k++) got[k] = rows[i].keys[ids[k]];
        assert_string_equal(got, rows[i].want);
    }
}

static void fingerprint_of(const char *text, const framemap_fingerprint_options *options,
                           char out[FRAMEMAP_FINGERPRINT_SIZE])
{
    framemap_trace_list list = {NULL, 0, NULL};
    assert_int_equal(framemap_trace_parse(framemap_str_of(text), NULL, &list, NULL), FRAMEMAP_OK);
    assert_true(list.count > 0);
    assert_int_equal(framemap_trace_fingerprint(list.traces, list.count, options, out, NULL), FRAMEMAP_OK);
    framemap_trace_list_free(&list);
}

static const char java_stack[] = "java.lang.IllegalStateException: order 17\n"
                                 "\tat java.util.Objects.check(Objects.java:7)\n"
                                 "\tat com.example.Cart.pay(Cart.java:12)\n"
                                 "\tat com.example.Main.main(Main.java:3)\n";

/* The value of a fingerprint is part of the interface, since services store it. */
static void fingerprint_is_pinned(void **state)
{
    (void)state;
    char got[FRAMEMAP_FINGERPRINT_SIZE];
    fingerprint_of(java_stack, NULL, got);
    assert_string_equal(got, "78b09fa809af4e6ae4a0ba3ff044de82");
}

static void same_and_other_causes(void **state)
{
    (void)state;
    static const struct {
        const char *text;
        bool same;
        const char *why;
    } rows[] = {
        {"java.lang.IllegalStateException: order 18\n\tat java.util.Other.check(Objects.java:9)\n"
         "\tat com.example.Cart.pay(Cart.java:15)\n\tat com.example.Main.main(Main.java:4)\n",
         true, "another line, message and platform frame"},
        {"java.lang.IllegalStateException: order 18\n\tat com.example.Cart.pay(Cart.java:15)\n"
         "\tat com.example.Main.main(Main.java:4)\n\tat com.example.Main.main(Main.java:4)\n",
         true, "recursion"},
        {"java.lang.IllegalArgumentException: order 17\n\tat com.example.Cart.pay(Cart.java:12)\n"
         "\tat com.example.Main.main(Main.java:3)\n",
         false, "another exception"},
        {"java.lang.IllegalStateException: order 17\n\tat com.example.Cart.send(Cart.java:12)\n"
         "\tat com.example.Main.main(Main.java:3)\n",
         false, "another function"},
        {"java.lang.IllegalStateException: order 17\n\tat com.example.Cart.pay(Cart.java:12)\n"
         "\tat com.example.Main.main(Main.java:3)\nCaused by: java.io.IOException: x\n"
         "\tat com.example.Net.get(Net.java:3)\n",
         false, "a cause"},
    };
    framemap_rules *rules = NULL;
    assert_int_equal(framemap_rules_open(NULL, &rules, NULL), FRAMEMAP_OK);
    const framemap_fingerprint_options options = {.size = sizeof options, .rules = rules};
    char first[FRAMEMAP_FINGERPRINT_SIZE], other[FRAMEMAP_FINGERPRINT_SIZE];
    fingerprint_of(java_stack, &options, first);
    for (size_t i = 0; i < COUNT_OF(rows); i++) {
        fingerprint_of(rows[i].text, &options, other);
        if (rows[i].same)
            assert_string_equal(first, other);
        else
            assert_string_not_equal(first, other);
    }
    framemap_rules_close(rules);
}

static void options_of_fingerprints(void **state)
{
    (void)state;
    framemap_rules *rules = NULL;
    assert_int_equal(framemap_rules_open(NULL, &rules, NULL), FRAMEMAP_OK);
    const framemap_fingerprint_options plain = {.size = sizeof plain, .rules = rules},
                                       all = {.size = sizeof all, .rules = rules, .all_frames = true},
                                       message = {.size = sizeof message, .rules = rules, .message = true};
    char of_plain[FRAMEMAP_FINGERPRINT_SIZE], of_all[FRAMEMAP_FINGERPRINT_SIZE], of_none[FRAMEMAP_FINGERPRINT_SIZE],
        of_message[FRAMEMAP_FINGERPRINT_SIZE];
    fingerprint_of(java_stack, &plain, of_plain);
    fingerprint_of(java_stack, &all, of_all);
    fingerprint_of(java_stack, NULL, of_none);
    fingerprint_of(java_stack, &message, of_message);
    assert_string_not_equal(of_plain, of_all);
    assert_string_equal(of_all, of_none);
    assert_string_not_equal(of_plain, of_message);
    framemap_rules_close(rules);
    assert_int_equal(framemap_trace_fingerprint(NULL, 0, NULL, of_plain, NULL), FRAMEMAP_E_ARGUMENT);
}

static bool gather(void *context, const char *data, size_t size) { return fm_buf_add(context, data, size); }

static void add(framemap_groups *groups, const char *text)
{
    framemap_trace_list list = {NULL, 0, NULL};
    assert_int_equal(framemap_trace_parse(framemap_str_of(text), NULL, &list, NULL), FRAMEMAP_OK);
    assert_int_equal(framemap_groups_add(groups, framemap_str_of("a.log"), list.traces, list.count, NULL), FRAMEMAP_OK);
    framemap_trace_list_free(&list);
}

static void counts_groups(void **state)
{
    (void)state;
    framemap_groups *groups = NULL;
    framemap_group group;
    assert_int_equal(framemap_groups_open(NULL, &groups, NULL), FRAMEMAP_OK);
    add(groups, "Error: x\n    at one (a.js:1:2)\n");
    for (int i = 0; i < 3; i++) add(groups, java_stack);
    assert_true(framemap_groups_get(groups, 0, &group));
    assert_int_equal(group.count, 3);
    assert_str(group.title, "java.lang.IllegalStateException: order 17");
    assert_int_equal(group.frame_count, 3);
    assert_str(group.frames[1], "com.example.Cart.pay (Cart.java:12)");
    assert_str(group.file, "a.log");
    assert_true(framemap_groups_get(groups, 1, &group));
    assert_int_equal(group.count, 1);
    assert_false(framemap_groups_get(groups, 2, &group));
    assert_int_equal(framemap_groups_count(groups).stacks, 4);
    framemap_groups_close(groups);
}

/* If there are more groups than the limit, the rarest ones are merged into one; the counts of frequent ones stay
 * exact. */
static void memory_is_bounded(void **state)
{
    (void)state;
    const framemap_groups_options options = {.size = sizeof options, .max_groups = 16};
    framemap_groups *groups = NULL;
    framemap_group group;
    char text[128];
    assert_int_equal(framemap_groups_open(&options, &groups, NULL), FRAMEMAP_OK);
    for (int i = 0; i < 500; i++) {
        snprintf(text, sizeof text, "Error: x\n    at f%cx%cx%c (a.js:1:2)\n", 'a' + i % 26, 'a' + i / 26 % 26,
                 'a' + i / 676);
        add(groups, text);
        if (i % 5 == 0) add(groups, java_stack);
    }
    const framemap_groups_totals totals = framemap_groups_count(groups);
    assert_true(totals.groups <= 16 && totals.merged > 400);
    assert_true(framemap_groups_get(groups, 0, &group));
    assert_int_equal(group.count, 100);
    uint64_t sum = totals.others;
    for (uint64_t i = 0; framemap_groups_get(groups, i, &group); i++) sum += group.count;
    assert_int_equal(sum, totals.stacks);
    framemap_groups_close(groups);
}

static void prints_groups(void **state)
{
    (void)state;
    struct fm_heap heap;
    struct fm_buf out;
    framemap_groups *groups = NULL;
    fm_heap_init(&heap, NULL, 0);
    fm_buf_init(&out, &heap);
    assert_int_equal(framemap_groups_open(NULL, &groups, NULL), FRAMEMAP_OK);
    assert_int_equal(framemap_groups_print(groups, "text", 0, gather, &out, NULL), FRAMEMAP_OK);
    assert_str(fm_buf_view(&out), "0 stacks in 0 groups\n");
    assert_int_equal(framemap_groups_print(groups, "xml", 0, gather, &out, NULL), FRAMEMAP_E_ARGUMENT);
    framemap_groups_close(groups);
    fm_buf_free(&out);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(folds),
                                       cmocka_unit_test(fingerprint_is_pinned),
                                       cmocka_unit_test(same_and_other_causes),
                                       cmocka_unit_test(options_of_fingerprints),
                                       cmocka_unit_test(counts_groups),
                                       cmocka_unit_test(memory_is_bounded),
                                       cmocka_unit_test(prints_groups)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
