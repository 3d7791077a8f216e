/* Tests of the names of public codes (core/public_names.c). */
#include "tests/testing.h"
#include <framemap/framemap.h>
#include <string.h>

static void version_is_the_headers(void **state)
{
    (void)state;
    char wanted[32];
    snprintf(wanted, sizeof wanted, "%d.%d.%d", FRAMEMAP_VERSION_MAJOR, FRAMEMAP_VERSION_MINOR, FRAMEMAP_VERSION_PATCH);
    assert_string_equal(framemap_version(), wanted);
    assert_string_equal(FRAMEMAP_VERSION_STRING, wanted);
}

/* These names are part of the JSON output and never change. */
static void names_of_frame_statuses_and_kinds(void **state)
{
    (void)state;
    static const char *const statuses[] = {"raw",      "ok",        "symbol",    "missing-symbols", "unknown-image",
                                           "no-match", "ambiguous", "malformed", "not-needed",      "unknown"};
    static const char *const kinds[] = {"unknown", "native", "java", "js", "dart", "other", "marker", "unknown"};
    for (size_t i = 0; i < COUNT_OF(statuses); i++)
        assert_string_equal(framemap_frame_status_name((framemap_frame_status)i), statuses[i]);
    for (size_t i = 0; i < COUNT_OF(kinds); i++) assert_string_equal(framemap_kind_name((framemap_kind)i), kinds[i]);
}

static void names_of_what_a_text_says(void **state)
{
    (void)state;
    static const char *const markers[] = {"",         "async-gap", "skipped",   "elided",
                                          "repeated", "invalid",   "inner-end", "unknown"};
    static const char *const roles[] = {"",         "cause",        "suppressed",     "circular",
                                        "freed-by", "allocated-by", "thread-created", "previous-access",
                                        "leak",     "unknown"};
    static const char *const whys[] = {"",
                                       "no-symbols",
                                       "other-id",
                                       "no-image",
                                       "anonymous-memory",
                                       "no-entry",
                                       "no-lines",
                                       "several-fit",
                                       "malformed",
                                       "changed-while-read",
                                       "over-memory",
                                       "over-limit",
                                       "other-labels",
                                       "unknown"};
    static const char *const ends[] = {"end", "deadline", "size", "unknown"};
    static const char *const symbols[] = {"not-needed", "found", "missing", "mismatch", "unknown"};
    for (size_t i = 0; i < COUNT_OF(markers); i++)
        assert_string_equal(framemap_marker_name((framemap_marker)i), markers[i]);
    for (size_t i = 0; i < COUNT_OF(roles); i++) assert_string_equal(framemap_role_name((framemap_role)i), roles[i]);
    for (size_t i = 0; i < COUNT_OF(whys); i++) assert_string_equal(framemap_why_name((framemap_why)i), whys[i]);
    for (size_t i = 0; i < COUNT_OF(ends); i++)
        assert_string_equal(framemap_closed_by_name((framemap_closed_by)i), ends[i]);
    for (size_t i = 0; i < COUNT_OF(symbols); i++)
        assert_string_equal(framemap_image_symbols_name((framemap_image_symbols)i), symbols[i]);
}

static void every_status_has_words_of_its_own(void **state)
{
    (void)state;
    static const int codes[] = {0, -1, -2, -16, -17, -18, -32, -33, -34, -35, -36, -37, -64};
    for (size_t i = 0; i < COUNT_OF(codes); i++) {
        const char *words = framemap_status_text((framemap_status)codes[i]);
        assert_string_not_equal(words, "unknown status");
        for (size_t k = 0; k < i; k++) assert_string_not_equal(words, framemap_status_text((framemap_status)codes[k]));
    }
    assert_string_equal(framemap_status_text((framemap_status)-3), "unknown status");
}

static void strings_of_c_strings(void **state)
{
    (void)state;
    assert_true(framemap_str_of(NULL).data == NULL && framemap_str_of(NULL).size == 0);
    assert_true(framemap_str_of("").data != NULL && framemap_str_of("").size == 0);
    assert_int_equal(framemap_str_of("abc").size, 3);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(version_is_the_headers),    cmocka_unit_test(names_of_frame_statuses_and_kinds),
        cmocka_unit_test(names_of_what_a_text_says), cmocka_unit_test(every_status_has_words_of_its_own),
        cmocka_unit_test(strings_of_c_strings),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
