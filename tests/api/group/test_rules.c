/* Tests patterns, in-app rules and code owners. */
#include "api/group/app_rules.h"
#include "api/group/pattern.h"
#include "tests/testing.h"

static void patterns(void **state)
{
    (void)state;
    static const struct {
        const char *pattern, *text;
        bool by_folder, want;
    } rows[] = {
        {"", "", false, true},           {"", "a", false, false},
        {"a*c", "abbc", false, true},    {"a*c", "abbd", false, false},
        {"a?c", "abc", false, true},     {"*/x/*", "a/b/x/c", false, true},
        {"a*", "a/b", true, false},      {"a/*", "a/b", true, true},
        {"a/**", "a/b/c", true, true},   {"**/b", "b", true, true},
        {"**/b", "a/b", true, true},     {"**/b", "a/xb", true, false},
        {"a/**/b", "a/b", true, true},   {"a/**/b", "a/x/y/b", true, true},
        {"a/**/b", "a/xb", true, false}, {"a?b", "a/b", true, false},
        {"a/b", "a\\b", true, true},     {"*a*a*a*a*b", "aaaaaaaaaaaaaaaaaaaa", false, false},
    };
    for (size_t i = 0; i < COUNT_OF(rows); i++)
        assert_int_equal(
            fm_pattern_matches(framemap_str_of(rows[i].pattern), framemap_str_of(rows[i].text), rows[i].by_folder),
            rows[i].want);
}

static framemap_rules *open_rules(const char *in_app, const char *owners)
{
    const framemap_rules_options options = {
        .size = sizeof options, .in_app = framemap_str_of(in_app), .owners = framemap_str_of(owners)};
    framemap_rules *rules = NULL;
    assert_int_equal(framemap_rules_open(&options, &rules, NULL), FRAMEMAP_OK);
    return rules;
}

static void keep_message(void *context, const framemap_error *warning)
{
    snprintf(context, sizeof warning->message, "%d: %.200s", (int)warning->line, warning->message);
}

/* A rule with a mistyped kind is still read as a pattern, which matches nothing; in addition, the mistake is
 * reported. */
static void doubtful_rules(void **state)
{
    (void)state;
    static const struct {
        const char *rule, *words; /* words: part of the expected warning; NULL: no warning */
    } rows[] = {
        {"+pakage:com.a.", "'pakage:com.a.' has no kind of pattern: 'package:'"},
        {"+packages:com.a.", "'package:'"},
        {"+pacakge:com.a.", "'package:'"},
        {"-modul:liba.so", "'module:'"},
        {"-Path:x", "'path:'"},
        {"+class:com.a.", "'package:'"},
        {"+method:pay", "'function:'"},
        {"+package:com.a.", NULL},
        {"+file:src/a.js", NULL},
        {"+dart:core", NULL},
        {"+path://x", NULL},
        {"+paths://x", NULL}, /* "paths" is the scheme of a URL here, not an unknown kind of rule */
        {"+com.a.", NULL},
    };
    for (size_t i = 0; i < COUNT_OF(rows); i++) {
        char text[128], message[FRAMEMAP_ERROR_MESSAGE_SIZE] = "";
        snprintf(text, sizeof text, "# comment\n%s\n", rows[i].rule);
        const framemap_rules_options options = {
            .size = sizeof options, .in_app = framemap_str_of(text), .warning = keep_message, .context = message};
        framemap_rules *rules = NULL;
        assert_int_equal(framemap_rules_open(&options, &rules, NULL), FRAMEMAP_OK);
        framemap_rules_close(rules);
        if (rows[i].words ? !strstr(message, rows[i].words) || strncmp(message, "2: ", 3) != 0 : message[0] != '\0')
            fail_msg("%s: '%s'", rows[i].rule, message);
    }
}

static void default_rules(void **state)
{
    (void)state;
    static const struct {
        framemap_frame frame;
        bool want;
    } rows[] = {
        {{.class_name = {"com.example.Shop", 16}, .function = {"pay", 3}}, true},
        {{.class_name = {"java.util.ArrayList", 19}, .function = {"get", 3}}, false},
        {{.class_name = {"javafish.Tank", 13}, .function = {"fill", 4}}, true},
        {{.kind = FRAMEMAP_KIND_NATIVE, .module = {"libc.so", 7}, .function = {"abort", 5}}, false},
        {{.kind = FRAMEMAP_KIND_NATIVE, .module = {"libshop.so", 10}}, true},
        {{.kind = FRAMEMAP_KIND_NATIVE, .module = {"Shop", 4}, .module_path = {"/System/Library/Shop", 20}}, false},
        {{.kind = FRAMEMAP_KIND_JS, .file = {"webpack:///node_modules/react/index.js", 38}}, false},
        {{.kind = FRAMEMAP_KIND_JS, .file = {"src/cart.js", 11}}, true},
        {{.kind = FRAMEMAP_KIND_JS, .file = {"src/cart.js", 11}, .ignored = true}, false},
        {{.kind = FRAMEMAP_KIND_DART, .file = {"package:flutter/src/widgets/framework.dart", 42}}, false},
        {{.kind = FRAMEMAP_KIND_DART, .file = {"package:shop/cart.dart", 22}}, true},
        {{.kind = FRAMEMAP_KIND_NATIVE}, false},
    };
    framemap_rules *rules = open_rules(NULL, NULL);
    for (size_t i = 0; i < COUNT_OF(rows); i++)
        assert_int_equal(framemap_rules_in_app(rules, NULL, &rows[i].frame, &rows[i].frame), rows[i].want);
    framemap_rules_close(rules);
}

static void rules_of_the_user(void **state)
{
    (void)state;
    const framemap_frame vendor = {.class_name = {"com.vendor.Ads", 14}, .function = {"show", 4}};
    const framemap_frame java = {.class_name = {"java.util.Mine", 14}};
    const framemap_frame native = {.kind = FRAMEMAP_KIND_NATIVE, .module = {"libads.so", 9}, .function = {"show", 4}};
    const framemap_frame file = {.kind = FRAMEMAP_KIND_JS, .file = {"src\\gen\\a.js", 12}};
    framemap_rules *rules =
        open_rules("# ours\n-com.vendor.\n+package:java.util.Mine\n- module:lib*s.so\r\n-path:*/gen/*", NULL);
    assert_false(framemap_rules_in_app(rules, NULL, &vendor, &vendor));
    assert_true(framemap_rules_in_app(rules, NULL, &java, &java));
    assert_false(framemap_rules_in_app(rules, NULL, &native, &native));
    assert_false(framemap_rules_in_app(rules, NULL, &file, &file));
    framemap_rules_close(rules);
}

static void bad_rules(void **state)
{
    (void)state;
    static const struct {
        const char *text;
        uint64_t line;
    } rows[] = {{"com.example.", 1}, {"+a\n\n*b", 3}, {"# a\n+", 2}, {"-package: ", 1}};
    framemap_rules *rules = NULL;
    for (size_t i = 0; i < COUNT_OF(rows); i++) {
        framemap_error error = {0};
        const framemap_rules_options options = {.size = sizeof options, .in_app = framemap_str_of(rows[i].text)};
        assert_int_equal(framemap_rules_open(&options, &rules, &error), FRAMEMAP_E_FORMAT);
        assert_int_equal(error.line, rows[i].line);
        assert_null(rules);
    }
    framemap_rules_close(NULL);
}

static void owners(void **state)
{
    (void)state;
    static const char text[] = "*       @ann @bob\n"
                               "*.js    @web # scripts\n"
                               "*.go go@shop.example\n"
                               "\n# folders\n"
                               "/out/log/ @ops\n"
                               "notes/* notes@shop.example\n"
                               "mobile/ @phone\n"
                               "/tools/ @ops @ann\n"
                               "**/log @logger\n"
                               "/own/ @own\n"
                               "/own/none\n"
                               "with\\ space/ @space\n"
                               "!x @no\n"
                               "[ab].c @no\n";
    static const struct {
        const char *path, *want, *why;
    } rows[] = {
        {"README.md", "@ann @bob", "the default"},
        {"src/a.js", "@web", "a comment after the owners"},
        {"a/b.go", "go@shop.example", "an address"},
        {"out/log/x.c", "@logger", "the last pattern counts"},
        {"notes/one.md", "notes@shop.example", "a file of the folder"},
        {"notes/old/one.md", "@ann @bob", "not one below it"},
        {"src/mobile/x/y.c", "@phone", "a folder at any depth"},
        {"mobile", "@ann @bob", "a file of the name of a folder"},
        {"tools/deep/x.c", "@ops @ann", "from the root"},
        {"src/tools/x.c", "@ann @bob", "not below it"},
        {"a/b/log/x.txt", "@logger", "over folders"},
        {"own/x.c", "@own", "a folder"},
        {"own/none/x.c", "", "without owners"},
        {"with space/x.c", "@space", "an escaped space"},
        {"/home/ci/build/tools/x.c", "@ops @ann", "a path on the machine of the build"},
        {"webpack:///./tools/x.c", "@ops @ann", "a scheme"},
        {"tools\\x.c", "@ops @ann", "Windows"},
        {"a.c", "@ann @bob", "a line that is skipped"},
        {"", "", "no path"},
    };
    framemap_rules *rules = open_rules(NULL, text);
    for (size_t i = 0; i < COUNT_OF(rows); i++)
        assert_str(framemap_rules_owner(rules, framemap_str_of(rows[i].path)), rows[i].want);
    framemap_rules_close(rules);
}

/* If the prefix of the repository's paths is given, patterns are matched only against the part of a path after the
 * prefix. */
static void prefix_of_paths(void **state)
{
    (void)state;
    static const struct {
        const char *prefix, *path, *want, *why;
    } rows[] = {
        {NULL, "/home/ci/src/app/lib/a.c", "@src", "without a prefix any folder may be the root"},
        {"/home/ci/src/app", "/home/ci/src/app/lib/a.c", "@lib", "below it"},
        {"/home/ci/src/app/", "/home/ci/src/app/src/a.c", "@src", "a slash at its end"},
        {"/home/ci/src/app", "/home/ci/src/apple/lib/a.c", "@src", "not below it"},
        {"/home/ci/src/app", "lib/a.c", "@lib", "a relative path"},
        {"C:\\ci\\app", "C:/ci/app/lib/a.c", "@lib", "Windows"},
        {"/home/ci/src/app", "/home/ci/src/app", "@src", "the folder itself"},
    };
    for (size_t i = 0; i < COUNT_OF(rows); i++) {
        const framemap_rules_options options = {.size = sizeof options,
                                                .owners = framemap_str_of("/lib/ @lib\n/src/ @src\n"),
                                                .path_prefix = framemap_str_of(rows[i].prefix)};
        framemap_rules *rules;
        assert_int_equal(framemap_rules_open(&options, &rules, NULL), FRAMEMAP_OK);
        assert_str(framemap_rules_owner(rules, framemap_str_of(rows[i].path)), rows[i].want);
        framemap_rules_close(rules);
    }
}

/* --- marking frames --- */

static const char java_text[] =
    "java.lang.Error: x\n\tat com.x.Cart.pay(Cart.java:3)\n\tat java.util.List.of(List.java)\n"
    "Caused by: java.lang.Error\n\tat com.x.Main.main(Main.java:1)\n";

static bool mark(const framemap_allocator *allocator, void *context)
{
    const framemap_parse_options options = {.size = sizeof options, .allocator = allocator};
    framemap_trace_list list = {0};
    char wanted[FRAMEMAP_FINGERPRINT_SIZE];
    const framemap_fingerprint_options by = {.size = sizeof by, .rules = context};
    framemap_status status = framemap_trace_parse(framemap_str_of(java_text), &options, &list, NULL);
    if (!status) status = framemap_trace_list_mark(&list, context, NULL);
    if (!status) {
        assert_int_equal(list.count, 2);
        const framemap_frame *frames = list.traces[0].frames;
        assert_true(frames[0].has_in_app && frames[0].in_app && frames[1].has_in_app && !frames[1].in_app);
        assert_str(frames[0].owner, "@cart");
        assert_int_equal(framemap_trace_fingerprint(list.traces, 2, &by, wanted, NULL), FRAMEMAP_OK);
        assert_str(list.traces[0].fingerprint, wanted);
        assert_int_equal(list.traces[1].fingerprint.size, 0);
    }
    framemap_trace_list_free(&list);
    return status == FRAMEMAP_OK;
}

static void marks(void **state)
{
    (void)state;
    framemap_rules *rules = open_rules(NULL, "/com/x/Cart.java @cart\n");
    framemap_trace_list none = {0};
    assert_true(sweep_allocations(mark, rules) > 3);
    assert_int_equal(framemap_trace_list_mark(&none, rules, NULL), FRAMEMAP_OK);
    assert_int_equal(framemap_trace_list_mark(NULL, rules, NULL), FRAMEMAP_E_ARGUMENT);
    assert_int_equal(framemap_trace_list_mark(&none, NULL, NULL), FRAMEMAP_E_ARGUMENT);
    framemap_rules_close(rules);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(patterns),        cmocka_unit_test(doubtful_rules),
                                       cmocka_unit_test(default_rules),   cmocka_unit_test(rules_of_the_user),
                                       cmocka_unit_test(bad_rules),       cmocka_unit_test(owners),
                                       cmocka_unit_test(prefix_of_paths), cmocka_unit_test(marks)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
