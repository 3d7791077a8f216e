/* The conformance tests of ECMA-426: each map accepted or refused as they say, each position where they say. Skipped where they are not there. */
#include "sourcemap_help.h"

#include "index/segments_view.h"
#include "session/opened.h"

struct tally {
    size_t maps, mappings, transitive, ignored, bad;
};

struct suite {
    struct document document;
    const char *base; /* folder of the maps, below the cases */
    struct tally tally;
};

static const char *map_path(const struct suite *suite, framemap_str name)
{
    char below[1024];
    snprintf(below, sizeof below, "%s/%.*s", suite->base, (int)name.size, name.data);
    return case_path(below);
}

static bool complain(struct suite *suite, int32_t test, const char *what)
{
    const framemap_str name = text_member(&suite->document, test, "name");
    print_message("%.*s: %s\n", (int)name.size, name.data, what);
    return false;
}

/* A name that is expected to be absent is compared for one map only: the steps of several have names of their own. */
static bool is_expected(struct suite *suite, int32_t action, const framemap_frame *frame, bool one_map)
{
    struct document *document = &suite->document;
    const framemap_str name = text_member(document, action, "mappedName");
    if ((int64_t)frame->line - 1 != number_member(document, action, "originalLine")) return false;
    if ((int64_t)frame->column - 1 != number_member(document, action, "originalColumn")) return false;
    if (!same_text(frame->file, text_member(document, action, "originalSource"))) return false;
    return same_text(frame->name, name) || (!one_map && name.size == 0);
}

static bool check_mapping(struct suite *suite, int32_t action, const struct opened_map *map)
{
    const struct document *document = &suite->document;
    const framemap_frame frame =
        map_ask(map, number_member(document, action, "generatedLine"), number_member(document, action, "generatedColumn"));
    suite->tally.mappings++;
    return is_expected(suite, action, &frame, true);
}

/* Where one map leads is where the next one is asked. */
static bool check_transitive(struct suite *suite, int32_t action, const struct opened_map *map)
{
    struct document *document = &suite->document;
    const struct fm_json *json = document->json;
    framemap_frame frame =
        map_ask(map, number_member(document, action, "generatedLine"), number_member(document, action, "generatedColumn"));
    struct opened_map step = {.index = NULL};
    const int32_t steps = fm_json_get(json, action, "intermediateMaps");
    for (int32_t at = fm_json_first(json, steps); at >= 0; at = fm_json_next(json, at)) {
        framemap_error error;
        map_close(&step);
        if (frame.line == 0 || map_open(&step, map_path(suite, fm_json_raw(json, at)), true, &error) != FRAMEMAP_OK) return false;
        frame = map_ask(&step, (int64_t)frame.line - 1, (int64_t)frame.column - 1);
    }
    const bool good = is_expected(suite, action, &frame, false);
    map_close(&step);
    suite->tally.transitive++;
    return good;
}

static bool source_is_ignored(const struct opened_map *map, framemap_str wanted)
{
    struct fm_view_source source;
    for (uint32_t i = 0; fm_view_source(map->index->view, i, &source); i++)
        if (fm_str_equal(source.address, wanted)) return source.flags & FM_SOURCE_IGNORED;
    return false;
}

/* Exactly those that are named. */
static bool check_ignored(struct suite *suite, int32_t action, const struct opened_map *map)
{
    const struct fm_json *json = suite->document.json;
    const int32_t present = fm_json_get(json, action, "present");
    struct fm_view_source source;
    size_t flagged = 0;
    for (uint32_t i = 0; fm_view_source(map->index->view, i, &source); i++) flagged += source.flags & FM_SOURCE_IGNORED ? 1 : 0;
    for (int32_t at = fm_json_first(json, present); at >= 0; at = fm_json_next(json, at))
        if (!source_is_ignored(map, fm_json_raw(json, at))) return false;
    suite->tally.ignored++;
    return flagged == fm_json_count(json, present);
}

static bool check_action(struct suite *suite, int32_t action, const struct opened_map *map)
{
    const framemap_str type = text_member(&suite->document, action, "actionType");
    if (fm_str_equal(type, FM_STR("checkMapping"))) return check_mapping(suite, action, map);
    if (fm_str_equal(type, FM_STR("checkMappingTransitive"))) return check_transitive(suite, action, map);
    return fm_str_equal(type, FM_STR("checkIgnoreList")) && check_ignored(suite, action, map);
}

static bool check_actions(struct suite *suite, int32_t test, const struct opened_map *map)
{
    const struct fm_json *json = suite->document.json;
    bool good = true;
    size_t number = 0;
    for (int32_t at = fm_json_first(json, fm_json_get(json, test, "testActions")); at >= 0; at = fm_json_next(json, at)) {
        char what[80];
        snprintf(what, sizeof what, "action %zu is not as expected", number++);
        if (!check_action(suite, at, map)) good = complain(suite, test, what);
    }
    return good;
}

static bool check_test(struct suite *suite, int32_t test)
{
    const struct fm_json *json = suite->document.json;
    const char *path = map_path(suite, text_member(&suite->document, test, "sourceMapFile"));
    const bool valid = fm_json_is_true(json, fm_json_get(json, test, "sourceMapIsValid"));
    struct opened_map map;
    framemap_error error = {0};
    const framemap_status status = map_open(&map, path, true, &error);
    bool good = (status == FRAMEMAP_OK) == valid;
    if (!good) complain(suite, test, valid ? error.message : "is taken and should be refused");
    if (status != FRAMEMAP_OK && error.message[0] == '\0') good = complain(suite, test, "is refused without a reason");
    if (status == FRAMEMAP_OK && valid) good = check_actions(suite, test, &map) && good;
    map_close(&map);
    suite->tally.maps++;
    return good;
}

/* What strict reading refuses is refused by lenient reading, too, or told; nothing is said of a map without faults. */
static void check_lenient(struct suite *suite, int32_t test)
{
    const struct fm_json *json = suite->document.json;
    const char *path = map_path(suite, text_member(&suite->document, test, "sourceMapFile"));
    const bool valid = fm_json_is_true(json, fm_json_get(json, test, "sourceMapIsValid"));
    struct opened_map map;
    framemap_error error;
    const bool silent = map_open(&map, path, false, &error) == FRAMEMAP_OK && map.faults == 0;
    if (silent != valid) {
        complain(suite, test, valid ? "a fault is told of a good map" : "no fault is told");
        suite->tally.bad++;
    }
    map_close(&map);
}

/* names of tests that are not expected to pass, ended by NULL */
static void run_suite(const char *list, const char *base, const char *const *open_questions, struct tally *tally)
{
    struct suite suite = {.base = base};
    assert_true(document_open(&suite.document, case_path(list)));
    const struct fm_json *json = suite.document.json;
    for (int32_t test = fm_json_first(json, fm_json_get(json, 0, "tests")); test >= 0; test = fm_json_next(json, test)) {
        bool open_question = false;
        for (size_t i = 0; open_questions[i]; i++)
            open_question |= fm_str_equal(text_member(&suite.document, test, "name"), framemap_str_of(open_questions[i]));
        if (open_question) continue;
        if (!check_test(&suite, test)) suite.tally.bad++;
        check_lenient(&suite, test);
    }
    document_close(&suite.document);
    *tally = suite.tally;
}

static void standard(void **state)
{
    (void)state;
    static const char *const none[] = {NULL};
    struct tally tally;
    skip_without("tc39/source-map-spec-tests.json");
    run_suite("tc39/source-map-spec-tests.json", "tc39/resources", none, &tally);
    print_message("%zu maps, %zu mappings, %zu through several maps, %zu ignore lists; %zu tests differ\n", tally.maps, tally.mappings,
                  tally.transitive, tally.ignored, tally.bad);
    assert_true(tally.maps > 0 && tally.mappings > 0 && tally.transitive > 0 && tally.ignored > 0);
    assert_int_equal(tally.bad, 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(standard)};
    return cmocka_run_group_tests_name("source map suite", tests, NULL, NULL);
}
