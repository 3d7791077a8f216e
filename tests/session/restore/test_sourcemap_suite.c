/* Runs the conformance tests of ECMA-426, which list maps that must be accepted or refused, and positions with their
 * results. Skipped if the tests are missing. */
#include "tests/session/restore/sourcemap_help.h"

#include "api/index_handle.h"
#include "index/read/segments/segment_view.h"

struct tally {
    size_t maps, mappings, transitive, ignored, bad;
};

struct suite {
    struct document document;
    const char *base; /* folder of the maps, relative to FRAMEMAP_CASES */
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

/* Whether the expected name was found. That no name is found is checked only for a single map: in a chain of maps, each
 * map may have a name. */
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
    const framemap_frame frame = map_ask(map, number_member(document, action, "generatedLine"),
                                         number_member(document, action, "generatedColumn"));
    suite->tally.mappings++;
    return is_expected(suite, action, &frame, true);
}

/* Checks a chain of maps: the position that one map returns is looked up in the next map. */
static bool check_transitive(struct suite *suite, int32_t action, const struct opened_map *map)
{
    struct document *document = &suite->document;
    const struct fm_json *json = document->json;
    framemap_frame frame = map_ask(map, number_member(document, action, "generatedLine"),
                                   number_member(document, action, "generatedColumn"));
    struct opened_map step = {.index = NULL};
    const int32_t steps = fm_json_get(json, action, "intermediateMaps");
    for (int32_t at = fm_json_first(json, steps); at >= 0; at = fm_json_next(json, at)) {
        framemap_error error;
        map_close(&step);
        if (frame.line == 0 || map_open(&step, map_path(suite, fm_json_raw(json, at)), true, &error) != FRAMEMAP_OK)
            return false;
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

/* Checks that the map ignores the sources that the test lists, and no others. */
static bool check_ignored(struct suite *suite, int32_t action, const struct opened_map *map)
{
    const struct fm_json *json = suite->document.json;
    const int32_t present = fm_json_get(json, action, "present");
    struct fm_view_source source;
    size_t flagged = 0;
    for (uint32_t i = 0; fm_view_source(map->index->view, i, &source); i++)
        flagged += source.flags & FM_SOURCE_IGNORED ? 1 : 0;
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
    for (int32_t at = fm_json_first(json, fm_json_get(json, test, "testActions")); at >= 0;
         at = fm_json_next(json, at)) {
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

/* Checks lenient mode. If a map is refused in strict mode, it must be refused in lenient mode, or a fault must be
 * reported. For a map without faults, no fault may be reported. */
static void check_lenient(struct suite *suite, int32_t test)
{
    const struct fm_json *json = suite->document.json;
    const char *path = map_path(suite, text_member(&suite->document, test, "sourceMapFile"));
    const bool valid = fm_json_is_true(json, fm_json_get(json, test, "sourceMapIsValid"));
    struct opened_map map;
    framemap_error error;
    const bool silent = map_open(&map, path, false, &error) == FRAMEMAP_OK && map.faults == 0;
    if (silent != valid) {
        complain(suite, test, valid ? "a fault is reported for a good map" : "no fault is reported");
        suite->tally.bad++;
    }
    map_close(&map);
}

/* Runs the tests of a list. open_questions: names of tests that are expected to fail, with NULL at the end. */
static void run_suite(const char *list, const char *base, const char *const *open_questions, struct tally *tally)
{
    struct suite suite = {.base = base};
    assert_true(document_open(&suite.document, case_path(list)));
    const struct fm_json *json = suite.document.json;
    for (int32_t test = fm_json_first(json, fm_json_get(json, 0, "tests")); test >= 0;
         test = fm_json_next(json, test)) {
        bool open_question = false;
        for (size_t i = 0; open_questions[i]; i++)
            open_question |=
                fm_str_equal(text_member(&suite.document, test, "name"), framemap_str_of(open_questions[i]));
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
    print_message("%zu maps, %zu mappings, %zu through several maps, %zu ignore lists; %zu tests differ\n", tally.maps,
                  tally.mappings, tally.transitive, tally.ignored, tally.bad);
    assert_true(tally.maps > 0 && tally.mappings > 0 && tally.transitive > 0 && tally.ignored > 0);
    assert_int_equal(tally.bad, 0);
}

static void ranges(void **state)
{
    (void)state;
    static const char *const none[] = {NULL};
    struct tally tally;
    skip_without("tc39/range-mappings-proposal-tests.json");
    run_suite("tc39/range-mappings-proposal-tests.json", "tc39/resources/proposals/range-mappings", none, &tally);
    print_message("%zu maps, %zu mappings; %zu tests differ\n", tally.maps, tally.mappings, tally.bad);
    assert_true(tally.maps == 13 && tally.mappings == 12);
    assert_int_equal(tally.bad, 0);
}

/* --- comparing decoded maps with their expected contents (goldens) --- */

/* Removes the comma that some files of the suite have before a closing brace, which is invalid in JSON. */
static framemap_str without_stray_commas(framemap_str text, char *out)
{
    size_t size = 0;
    for (size_t i = 0; i < text.size; i++) {
        size_t next = i + 1;
        while (next < text.size && strchr(" \r\n\t", text.data[next])) next++;
        if (text.data[i] != ',' || next == text.size || text.data[next] != '}') out[size++] = text.data[i];
    }
    return fm_str(out, size);
}

struct golden {
    struct opened_map map;
    struct document document;
    char map_text[1 << 14], text[1 << 14];
};

static framemap_str mend(const char *path, char *out, size_t room)
{
    struct fm_mapfile file;
    if (fm_mapfile_open(path, &file, NULL) != FRAMEMAP_OK) fail_msg("%s is not there", path);
    assert_true(file.bytes.size < room);
    const framemap_str text = without_stray_commas(file.bytes, out);
    fm_mapfile_close(&file);
    return text;
}

static void golden_open(struct golden *golden, const char *name)
{
    char path[300];
    framemap_error error = {0};
    snprintf(path, sizeof path, "tc39/decoding/%s.map", name);
    const framemap_str map = mend(case_path(path), golden->map_text, sizeof golden->map_text);
    if (map_make(&golden->map, map, FM_STR("golden.map"), false, &error) != FRAMEMAP_OK)
        fail_msg("%s: %s", name, error.message);
    snprintf(path, sizeof path, "tc39/decoding/%s.map.golden", name);
    fm_heap_init(&golden->document.heap, NULL, 0);
    fm_arena_init(&golden->document.arena, &golden->document.heap);
    const framemap_str text = mend(case_path(path), golden->text, sizeof golden->text);
    if (fm_json_parse(text, &golden->document.heap, &golden->document.json, &error) != FRAMEMAP_OK)
        fail_msg("%s: %s", name, error.message);
}

static void golden_close(struct golden *golden)
{
    fm_json_free(golden->document.json);
    fm_arena_free(&golden->document.arena);
    map_close(&golden->map);
}

/* Checks the debug id of each map, which framemap writes without dashes. If the expected contents have no id, the map
 * has its id in a member that framemap does not read. */
static void debug_ids(void **state)
{
    (void)state;
    static const char *const names[] = {"debug-id", "debug-id-index", "debug-id-index-section", "invalid-debug-id"};
    static struct golden golden;
    skip_without("tc39/decoding/debug-id/debug-id.map");
    for (size_t i = 0; i < COUNT_OF(names); i++) {
        char path[80], plain[40];
        size_t size = 0;
        framemap_index_info info;
        framemap_str id_text;
        snprintf(path, sizeof path, "debug-id/%s", names[i]);
        golden_open(&golden, path);
        const framemap_str id = text_member(&golden.document, 0, "debugId");
        for (size_t k = 0; k < id.size && size < sizeof plain - 1; k++)
            if (id.data[k] != '-') plain[size++] = id.data[k];
        framemap_index_describe(golden.map.index, &info);
        assert_int_equal(info.id.size, 32);
        if (size) assert_true(fm_str_equal(info.id, fm_str(plain, size)));
        assert_int_equal(fm_view_attribute(golden.map.index->view, FM_STR("debug_id"), &id_text), size > 0);
        golden_close(&golden);
    }
}

struct place {
    int64_t line, column;
};

static struct place read_place(const struct document *document, int32_t scope, const char *name)
{
    const int32_t object = fm_json_get(document->json, scope, name);
    return (struct place){number_member(document, object, "line"), number_member(document, object, "column")};
}

static bool at_or_before(struct place a, struct place b)
{
    return a.line != b.line ? a.line < b.line : a.column <= b.column;
}

/* Returns the name of the innermost function around a position in a source, according to the expected contents. */
static framemap_str function_at(struct document *document, int32_t scope, struct place place)
{
    framemap_str function = {NULL, 0};
    while (scope >= 0) {
        const struct fm_json *json = document->json;
        if (fm_json_is_true(json, fm_json_get(json, scope, "isStackFrame")))
            function = text_member(document, scope, "name");
        int32_t child = fm_json_first(json, fm_json_get(json, scope, "children"));
        while (child >= 0 && !(at_or_before(read_place(document, child, "start"), place) &&
                               !at_or_before(read_place(document, child, "end"), place)))
            child = fm_json_next(json, child);
        scope = child;
    }
    return function;
}

/* Checks lines 0 to 60 of a source, at several columns each. */
static size_t check_source(struct golden *golden, uint32_t source, int32_t scope)
{
    size_t known = 0;
    for (struct place at = {0, 0}; at.line < 60; at.column < 12 ? at.column++ : (at.line++, at.column = 0)) {
        struct fm_view_stretch stretch;
        const bool some =
            fm_view_source_stretch(golden->map.index->view, source, (uint32_t)at.line, (uint32_t)at.column, &stretch);
        const framemap_str wanted = function_at(&golden->document, scope, at);
        if (some && stretch.function.size) assert_int_equal(stretch.origin, FM_FUNCTION_SCOPES);
        if (!same_text(some ? stretch.function : (framemap_str){NULL, 0}, wanted))
            fail_msg("source %u, %d:%d: not in \"%.*s\"", source, (int)at.line, (int)at.column, (int)wanted.size,
                     wanted.data);
        known += wanted.size > 0;
    }
    return known;
}

static void scopes(void **state)
{
    (void)state;
    static const char *const names[] = {"close-start-end-position-scopes",
                                        "empty-scopes-field",
                                        "multiple-root-original-scopes-with-nil",
                                        "nested-scopes",
                                        "nil-scopes",
                                        "scope-variables",
                                        "sibling-scopes",
                                        "single-root-original-scope"};
    static struct golden golden;
    size_t known = 0;
    skip_without("tc39/decoding/scopes/nested-scopes.map");
    for (size_t i = 0; i < COUNT_OF(names); i++) {
        char path[80];
        uint32_t number = 0;
        snprintf(path, sizeof path, "scopes/%s", names[i]);
        golden_open(&golden, path);
        const struct fm_json *json = golden.document.json;
        for (int32_t at = fm_json_first(json, fm_json_get(json, 0, "sources")); at >= 0; at = fm_json_next(json, at)) {
            const int32_t scope = fm_json_get(json, at, "scope");
            known +=
                check_source(&golden, number++, scope >= 0 && fm_json_type(json, scope) == FM_JSON_OBJECT ? scope : -1);
        }
        golden_close(&golden);
    }
    print_message("%zu places in a function\n", known);
    assert_true(known > 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(standard), cmocka_unit_test(ranges),
                                       cmocka_unit_test(debug_ids), cmocka_unit_test(scopes)};
    return cmocka_run_group_tests_name("source map suite", tests, NULL, NULL);
}
