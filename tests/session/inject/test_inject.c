/* Tests that debug ids are added to scripts and maps: which files are refused, which id is used, and where the
 * statement is inserted. tests/cli/check_inject tests that the positions in the map are moved. */
#include "tests/testing.h"

#include "core/text/text.h"
#include <framemap/framemap.h>

#define ID_A "11111111-2222-5333-8444-555555555555"
#define ID_B "aaaaaaaa-2222-5333-8444-555555555555"
#define MAP(members) "{\"version\":3,\"sources\":[\"a\"],\"names\":[]," members "}"

struct row {
    const char *why, *script, *map;
    framemap_status status;
    const char *says; /* if an error is expected: a part of its message */
    /* if a result is expected: before: the text before the statement; map_after: the map, without the id */
    const char *before, *map_after;
};

static const struct row rows[] = {
    {"a script alone", "a();\n", "", FRAMEMAP_OK, NULL, "", NULL},
    {"an empty script", "", "", FRAMEMAP_OK, NULL, "", NULL},
    {"a hashbang", "#!/bin/node\na()", MAP("\"mappings\":\"AAAA;AACA\""), FRAMEMAP_OK, NULL, "#!/bin/node\n",
     MAP("\"mappings\":\"AAAA;;AACA\"")},
    {"a byte order mark",
     "\xef\xbb\xbf"
     "a()",
     MAP("\"mappings\":\"AAAA\""), FRAMEMAP_OK, NULL, "\xef\xbb\xbf", MAP("\"mappings\":\";AAAA\"")},
    {"directives", "'a';\"use strict\"\n;b()", MAP("\"mappings\":\"AAAA;AACA,CAAC\""), FRAMEMAP_OK, NULL,
     "'a';\"use strict\"\n;\n", MAP("\"mappings\":\"AAAA;AACA;;AAAC\"")},
    {"a segment that spans the place goes on after it", "'a';b()", MAP("\"mappings\":\"AAAA\""), FRAMEMAP_OK, NULL,
     "'a';\n", MAP("\"mappings\":\"AAAA;;AAAA\"")},
    {"a string is no directive if its expression goes on", "'a'\n.b()", "", FRAMEMAP_OK, NULL, "", NULL},
    {"nor if an operator follows", "'a'+b", "", FRAMEMAP_OK, NULL, "", NULL},
    {"nor if it is not closed", "'a\nb", "", FRAMEMAP_OK, NULL, "", NULL},
    {"sections move", "a()",
     "{\"sections\":[{\"offset\":{\"line\":0,\"column\":0},\"map\":{}},{\"offset\":{\"column\":3,\"line\":2},\"map\":{}"
     "}]}",
     FRAMEMAP_OK, NULL, "",
     "{\"sections\":[{\"offset\":{\"line\":1,\"column\":0},\"map\":{}},{\"offset\":{\"column\":3,\"line\":3},\"map\":{}"
     "}]}"},
    {"not a map", "a()", "[]", FRAMEMAP_E_CORRUPT, "not a JSON object", NULL, NULL},
    {"no mappings", "a()", "{\"version\":3}", FRAMEMAP_E_CORRUPT, "no mappings", NULL, NULL},
    {"damaged mappings", "'a';b", MAP("\"mappings\":\"!\""), FRAMEMAP_E_CORRUPT, "damaged", NULL, NULL},
    {"scopes move with the code", "a()", MAP("\"mappings\":\"AAAA\",\"scopes\":\"BEAA,CBA,EEAA,GA,FD\""), FRAMEMAP_OK,
     NULL, "", MAP("\"mappings\":\";AAAA\",\"scopes\":\"BEAA,CBA,EFBAA,GA,FD\"")},
    {"those before it stay", "'a';\nb()", MAP("\"mappings\":\"AAAA;AACA\",\"scopes\":\"A,EAA,FE,EBBB,FBBC\""),
     FRAMEMAP_OK, NULL, "'a';\n", MAP("\"mappings\":\"AAAA;;AACA\",\"scopes\":\"A,EAA,FE,EBCB,FBBC\"")},
    {"in a divided line columns begin anew", "'a';b()", MAP("\"mappings\":\"\",\"scopes\":\"A,EAA,EAF,FB,FBA\""),
     FRAMEMAP_OK, NULL, "'a';\n", MAP("\"mappings\":\";;\",\"scopes\":\"A,EAA,EBCB,FB,FBA\"")},
    {"parts of a scope that spans the place", "'a';b()", MAP("\"mappings\":\"\",\"scopes\":\"A,EAA,HAAAA,FI\""),
     FRAMEMAP_E_UNSUPPORTED, "scopes", NULL, NULL},
    {"ranges of the first draft", "a()", MAP("\"mappings\":\"\",\"generatedRanges\":\"\""), FRAMEMAP_E_UNSUPPORTED,
     "ranges", NULL, NULL},
    {"range mappings move with the code", "a()", MAP("\"mappings\":\"AAAA,CAAC\",\"rangeMappings\":\"AB;B\""),
     FRAMEMAP_OK, NULL, "", MAP("\"mappings\":\";AAAA,CAAC\",\"rangeMappings\":\";AB;B\"")},
    {"those of later lines too", "'a';\n'b';c()", MAP("\"mappings\":\"\",\"rangeMappings\":\";;B\""), FRAMEMAP_OK, NULL,
     "'a';\n'b';\n", MAP("\"mappings\":\"\",\"rangeMappings\":\";;;;B\"")},
    {"range mappings that may span the place", "'a';\nb()", MAP("\"mappings\":\"AAAA\",\"rangeMappings\":\"A\""),
     FRAMEMAP_E_UNSUPPORTED, "range", NULL, NULL},
    {"a map inside, and another one", "a()\n//# sourceMappingURL=data:application/json,{}", MAP("\"mappings\":\"\""),
     FRAMEMAP_E_UNSUPPORTED, "inside", NULL, NULL},
    {"a map inside that is not one", "a()\n//# sourceMappingURL=data:application/json,[]", "", FRAMEMAP_E_CORRUPT,
     "not a JSON object", NULL, NULL},
    {"an empty map inside", "a()\n//# sourceMappingURL=data:application/json,", "", FRAMEMAP_E_CORRUPT, "empty", NULL,
     NULL},
    {"a map inside that is not base64", "a()\n//# sourceMappingURL=data:application/json;base64,!", "",
     FRAMEMAP_E_CORRUPT, "base64", NULL, NULL},
    {"a source map in the place of the script", MAP("\"mappings\":\"AAAA\""), "", FRAMEMAP_E_FORMAT, "JSON", NULL,
     NULL},
    {"with blanks", " \n{ // comment\n 'version' /**/\n: 3}", "", FRAMEMAP_E_FORMAT, "JSON", NULL, NULL},
    {"with what keeps pages from running it", ")]}'\n{\"version\":3}", "", FRAMEMAP_E_FORMAT, "JSON", NULL, NULL},
    {"a block is no JSON", "{'use strict';a()}", "", FRAMEMAP_OK, NULL, "", NULL},
    {"nor is a label in a block", "{a:b()}", "", FRAMEMAP_OK, NULL, "", NULL},
    {"a page", "\xef\xbb\xbf<!DOCTYPE html>\n", "", FRAMEMAP_E_FORMAT, "HTML", NULL, NULL},
    {"a comment that scripts may begin with", "<!-- a\nb()", "", FRAMEMAP_OK, NULL, "", NULL},
    {"two ids", "a()\n//# debugId=" ID_B "\n", MAP("\"mappings\":\"\",\"debugId\":\"" ID_A "\""), FRAMEMAP_E_MISMATCH,
     ID_B, NULL, NULL},
    {"an invalid id", "a()\n//# debugId=x\n", "", FRAMEMAP_E_CORRUPT, "not a UUID", NULL, NULL},
};

static void check_result(const struct row *row, const framemap_injected *injected)
{
    const framemap_str script = framemap_bytes_str(&injected->script), before = framemap_str_of(row->before);
    if (!fm_str_starts(script, before) || !fm_str_starts(fm_str_from(script, before.size), FM_STR(";(function(){")))
        fail_msg("%s: %.*s", row->why, (int)script.size, script.data);
    if (row->map_after == NULL) return;
    char wanted[512];
    snprintf(wanted, sizeof wanted, "%.*s,\"debugId\":\"%s\",\"debug_id\":\"%s\"}", (int)strlen(row->map_after) - 1,
             row->map_after, injected->debug_id, injected->debug_id);
    const framemap_str map = framemap_bytes_str(&injected->map);
    if (!fm_str_equal(map, framemap_str_of(wanted))) fail_msg("%s: %.*s", row->why, (int)map.size, map.data);
}

static void what_is_written(void **state)
{
    (void)state;
    for (size_t i = 0; i < COUNT_OF(rows); i++) {
        framemap_injected injected = {.debug_id = ""};
        framemap_error error = {0};
        const framemap_status status =
            framemap_inject(framemap_str_of(rows[i].script), framemap_str_of(rows[i].map), NULL, &injected, &error);
        if (status != rows[i].status) fail_msg("%s: status %d: %s", rows[i].why, (int)status, error.message);
        if (status == FRAMEMAP_OK)
            check_result(&rows[i], &injected);
        else if (!strstr(error.message, rows[i].says))
            fail_msg("%s: %s", rows[i].why, error.message);
        framemap_bytes_free(&injected.script);
        framemap_bytes_free(&injected.map);
    }
}

static framemap_injected inject(const char *script, const char *map)
{
    framemap_injected injected;
    assert_int_equal(framemap_inject(framemap_str_of(script), framemap_str_of(map), NULL, &injected, NULL),
                     FRAMEMAP_OK);
    return injected;
}

static void which_id(void **state)
{
    static const char map[] = MAP("\"mappings\":\"AAAA\"");
    (void)state;
    framemap_injected of_map = inject(
                          "a()", MAP("\"mappings\":\"AAAA\",\"debug_id\":\"AAAAAAAA-22225333-8444-555555555555\"")),
                      of_script = inject("a()\n//# debugId=" ID_A "\n//# sourceMappingURL=x\n", map),
                      one = inject("a()", map), again = inject("a()", map), other = inject("b()", map),
                      other_map = inject("a()", MAP("\"mappings\":\"AAAC\""));
    assert_string_equal(of_map.debug_id, ID_B);
    assert_string_equal(of_script.debug_id, ID_A);
    assert_int_equal(of_script.script.size, 0);
    /* the mappings are unchanged */
    assert_true(fm_str_find(framemap_bytes_str(&of_script.map), FM_STR("\"AAAA\"")) != FM_NOT_FOUND);
    assert_string_equal(one.debug_id, again.debug_id);
    assert_string_not_equal(one.debug_id, other.debug_id);
    assert_string_not_equal(one.debug_id, other_map.debug_id);
    framemap_injected *const all[] = {&of_map, &of_script, &one, &again, &other, &other_map};
    for (size_t i = 0; i < COUNT_OF(all); i++) {
        framemap_bytes_free(&all[i]->script);
        framemap_bytes_free(&all[i]->map);
    }
}

static void memory_may_end(void **state)
{
    (void)state;
    bool done = false;
    for (uint64_t most = 1; !done; most += 16) {
        const framemap_inject_options options = {.size = sizeof options, .max_memory = most};
        framemap_injected injected = {.debug_id = ""};
        const framemap_status status =
            framemap_inject(FM_STR("'a';b()"), FM_STR(MAP("\"mappings\":\"AAAA\"")), &options, &injected, NULL);
        done = status == FRAMEMAP_OK;
        assert_true(done || status == FRAMEMAP_E_MEMORY);
        framemap_bytes_free(&injected.script);
        framemap_bytes_free(&injected.map);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(what_is_written), cmocka_unit_test(which_id),
                                       cmocka_unit_test(memory_may_end)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
