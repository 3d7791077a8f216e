/* Tests of reading whole source maps, strictly and leniently: which are accepted, and which are refused with which
 * message. */
#include "core/text/buffer.h"
#include "tests/mappers/javascript/sourcemap_build.h"

#define MAP(sources, names, mappings) \
    "{\"version\":3,\"sources\":" sources ",\"names\":" names ",\"mappings\":\"" mappings "\"}"
#define SECTION(line, column, map) "{\"offset\":{\"line\":" #line ",\"column\":" #column "},\"map\":" map "}"
#define INDEX(sections) "{\"version\":3,\"sections\":[" sections "]}"
#define A MAP("[\"a.js\"]", "[\"n\"]", "AAAA,EAACA;AACA")
#define B MAP("[\"b.js\"]", "[]", "AAAA")

static const struct {
    const char *name, *why, *text;
    const char *segments; /* the segments that lenient reading gives; NULL: the map is refused */
    const char *rule;     /* part of the message of strict reading; NULL: strict reading accepts the map too */
} rows[] = {
    {"plain", "four fields, five, and the next line", A, "0:0>a.js:0:0 0:2>a.js:0:1(n) 1:0>a.js:1:1", NULL},
    {"empty", "a map may say nothing", MAP("[]", "[]", ""), "", NULL},
    {"unmapped", "one field: nothing is there", MAP("[\"a.js\"]", "[]", "AAAA,C"), "0:0>a.js:0:0 0:1>-", NULL},
    {"escapes", "mappings may be escaped", MAP("[\"a.js\"]", "[]", "\\u0041AAA,EAA\\u0043"),
     "0:0>a.js:0:0 0:2>a.js:0:1", NULL},
    {"slash", "a slash is a digit and may be escaped", MAP("[\"a.js\"]", "[]", "+\\/B"), "0:1023>-", NULL},
    {"keys", "the last of a key counts, keys may be escaped",
     "{\"mappings\":\"A\",\"version\":3e0,\"sources\":[],\"m\\u0061ppings\":\"C\"}", "0:1>-", NULL},
    {"backwards", "columns may fall; they are sorted", MAP("[\"a.js\"]", "[]", "EAAA,DAAC,AAAC"),
     "0:1>a.js:0:1 0:1>a.js:0:2 0:2>a.js:0:0", NULL},
    {"long number", "digits that add nothing are allowed", MAP("[\"a.js\"]", "[]", "ggggggggggA"), "0:0>-", NULL},
    {"largest", "2^31 - 1", MAP("[\"a.js\"]", "[]", "+/////D"), "0:2147483647>-", NULL},
    {"sum", "columns may pass 2^31", MAP("[\"a.js\"]", "[]", "+/////D,+/////D"), "0:2147483647>- 0:4294967294>-", NULL},
    {"too far", "2^32 - 1 is kept for other things", MAP("[\"a.js\"]", "[]", "+/////D,+/////D,C"),
     "0:2147483647>- 0:4294967294>-", "2^32 - 1 or larger"},
    {"too large", "2^32", MAP("[\"a.js\"]", "[]", "ggggggE,C"), "0:1>-", "does not fit 32 bits"},
    {"minus zero", "means -2^31", MAP("[\"a.js\"]", "[]", "B"), "", "column in \"mappings\" is negative"},
    {"endless", "the number goes on", MAP("[\"a.js\"]", "[]", "AAAA,gg"), "0:0>a.js:0:0", "no last digit"},
    {"two fields", "1, 4 or 5", MAP("[\"a.js\"]", "[]", "AA,C"), "0:0>- 0:1>-", "not have 1, 4 or 5 fields"},
    {"six fields", "the first five count", MAP("[\"a.js\"]", "[\"n\"]", "AAAAAA"), "0:0>a.js:0:0(n)",
     "not have 1, 4 or 5 fields"},
    {"no fields", "a comma too many", MAP("[\"a.js\"]", "[]", "A,,C"), "0:0>- 0:1>-", "not have 1, 4 or 5 fields"},
    {"comma at the end", "the same", MAP("[\"a.js\"]", "[]", "A,"), "0:0>-", "not have 1, 4 or 5 fields"},
    {"alphabet", "an equals sign pads nothing", MAP("[\"a.js\"]", "[]", "A,A=,C"), "0:0>- 0:1>-", "not a base64 digit"},
    {"source past the end", "the segment is kept without it", MAP("[\"a.js\"]", "[]", "ACAA"), "0:0>-",
     "a source that the map does not have"},
    {"name past the end", "the segment is kept without it", MAP("[\"a.js\"]", "[]", "AAAAA"), "0:0>a.js:0:0",
     "a name that the map does not have"},
    {"negative line", "kept as unmapped", MAP("[\"a.js\"]", "[]", "AADA"), "0:0>-", "original line or column"},
    {"version", "as a text", "{\"version\":\"3\",\"sources\":[],\"mappings\":\"A\"}", "0:0>-",
     "\"version\" is not the number 3"},
    {"file", "null, as tools write it", "{\"version\":3,\"file\":null,\"sources\":[],\"mappings\":\"A\"}", "0:0>-",
     "\"file\""},
    {"no mappings", "there must be", "{\"version\":3,\"sources\":[]}", NULL, "\"mappings\" is missing"},
    {"no sources", "there must be", "{\"version\":3,\"mappings\":\"\"}", NULL, "\"sources\" is missing"},
    {"array", "no object", "[]", NULL, "not a JSON object"},
    {"no value", "the grammar holds in both ways", "{\"a\"}", NULL, "a colon after the key"},
    {"rest", "nothing may follow", "{\"version\":3,\"sources\":[],\"mappings\":\"\"} x", NULL, "nothing after"},
    {"content", "of another type", "{\"version\":3,\"sources\":[],\"sourcesContent\":[1],\"mappings\":\"A\"}", "0:0>-",
     "sourcesContent"},
    {"root", "before what is relative",
     "{\"version\":3,\"sourceRoot\":\"r\",\"sources\":[\"a/../b.js\"],\"mappings\":\"AAAA\"}", "0:0>r/b.js:0:0", NULL},
    {"after a negative column", "in the order of columns", MAP("[\"a.js\"]", "[]", "oBAAA,1BAAA,kBACA"),
     "0:12>a.js:1:0 0:20>a.js:0:0", "is negative"},
    {"sections", "columns are moved in the first line only", INDEX(SECTION(1, 4, A)),
     "1:4>a.js:0:0 1:6>a.js:0:1(n) 2:0>a.js:1:1", NULL},
    {"two sections", "numbers of the second are its own", INDEX(SECTION(0, 0, A) "," SECTION(7, 1, B)),
     "0:0>a.js:0:0 0:2>a.js:0:1(n) 1:0>a.js:1:1 7:1>b.js:0:0", NULL},
    {"nested", "offsets add up", INDEX(SECTION(2, 3, INDEX(SECTION(0, 1, B)))), "2:4>b.js:0:0", NULL},
    {"overrun", "a section ends where the next begins", INDEX(SECTION(0, 0, A) "," SECTION(0, 1, B)),
     "0:0>a.js:0:0 0:1>b.js:0:0", "reach into the next section"},
    {"order", "sorted where that is allowed", INDEX(SECTION(7, 0, A) "," SECTION(0, 0, B)),
     "0:0>b.js:0:0 7:0>a.js:0:0 7:2>a.js:0:1(n) 8:0>a.js:1:1", "starts before the previous"},
    {"same place", "the later one wins", INDEX(SECTION(0, 0, A) "," SECTION(0, 0, B)), "0:0>b.js:0:0",
     "start at the same position"},
    {"bad section", "left out where that is allowed", INDEX(SECTION(0, 0, "{}") "," SECTION(0, 0, B)), "0:0>b.js:0:0",
     "section"},
    {"no offset", "cannot be read", INDEX("{\"map\":" B "}"), NULL, "no \"offset\" object"},
    {"no map", "cannot be read", INDEX("{\"offset\":{\"line\":0,\"column\":0}}"), NULL, "no \"map\" object"},
    {"map elsewhere", "cannot be read", INDEX("{\"offset\":{\"line\":0,\"column\":0},\"url\":\"a.js.map\"}"), NULL,
     "names its map by \"url\""},
    {"both", "sections count", "{\"version\":3,\"sources\":[],\"mappings\":\"A\",\"sections\":[]}", "",
     "together with \"sections\""},
    {"far section", "after all places", INDEX(SECTION(4294967295, 0, B)), NULL, "2^32 - 1"},
};

static void check_row(size_t i)
{
    struct built_map map;
    char got[2048];
    build_map(&map, framemap_str_of(rows[i].text), 0, NULL);
    if (rows[i].segments == NULL && map.status == FRAMEMAP_OK)
        fail_msg("%s: taken, though %s", rows[i].name, rows[i].why);
    if (rows[i].segments != NULL) {
        if (map.status != FRAMEMAP_OK)
            fail_msg("%s: refused (%s), though %s", rows[i].name, map.error.message, rows[i].why);
        map_segments(&map, got, sizeof got);
        if (strcmp(got, rows[i].segments) != 0)
            fail_msg("%s: got %s, wanted %s: %s", rows[i].name, got, rows[i].segments, rows[i].why);
        if ((map.warnings > 0) != (rows[i].rule != NULL))
            fail_msg("%s: %u warnings, \"%s\"", rows[i].name, map.warnings, map.warning_text);
    }
    free_map(&map);
    build_map(&map, framemap_str_of(rows[i].text), MAP_STRICT, NULL);
    if ((map.status == FRAMEMAP_OK) != (rows[i].rule == NULL))
        fail_msg("%s, strict: %d %s", rows[i].name, map.status, map.error.message);
    if (rows[i].rule != NULL && strstr(map.error.message, rows[i].rule) == NULL)
        fail_msg("%s, strict: \"%s\" does not say \"%s\"", rows[i].name, map.error.message, rows[i].rule);
    free_map(&map);
}

static void takes_and_refuses(void **state)
{
    (void)state;
    for (size_t i = 0; i < COUNT_OF(rows); i++) check_row(i);
}

/* Checks members that are null: some tools write null if they have no value. Strict reading reports a fault, lenient
 * reading does not. */
static void takes_nulls(void **state)
{
    static const struct {
        const char *members, *rule;
    } nulls[] = {
        {"\"file\":null,", "\"file\" is not a string"},
        {"\"sourceRoot\":null,", "\"sourceRoot\" is not a string"},
        {"\"sourcesContent\":null,", "\"sourcesContent\" is not an array"},
        {"\"names\":null,", "\"names\" is not an array"},
        {"\"names\":[null,\"n\",null],", "an element of \"names\" is not a string"},
        {"\"ignoreList\":null,", "\"ignoreList\" is not an array"},
        {"\"debugId\":null,", "\"debugId\" is not a UUID"},
        {"\"scopes\":null,", "\"scopes\" is not a string"},
        {"\"rangeMappings\":null,", "\"rangeMappings\" is not a string"},
    };
    (void)state;
    for (size_t i = 0; i < COUNT_OF(nulls); i++) {
        char text[256], got[64];
        struct built_map map;
        snprintf(text, sizeof text, "{\"version\":3,%s\"sources\":[\"a.js\"],\"mappings\":\"AAAA\"}", nulls[i].members);
        build_map(&map, framemap_str_of(text), 0, NULL);
        assert_int_equal(map.status, FRAMEMAP_OK);
        map_segments(&map, got, sizeof got);
        assert_string_equal(got, "0:0>a.js:0:0");
        assert_int_equal(map.faults, 0);
        assert_int_equal(map.warnings, 1);
        if (strstr(map.warning_text, nulls[i].rule) == NULL ||
            strstr(map.warning_text, ": null, which is treated as absent") == NULL)
            fail_msg("%s: reported \"%s\"", nulls[i].members, map.warning_text);
        free_map(&map);
        build_map(&map, framemap_str_of(text), MAP_STRICT, NULL);
        assert_int_equal(map.status, FRAMEMAP_E_CORRUPT);
        if (strstr(map.error.message, nulls[i].rule) == NULL)
            fail_msg("%s: \"%s\"", nulls[i].members, map.error.message);
        free_map(&map);
    }
}

/* Checks webpack's cheap maps of a minified script, and maps that only resemble them. */
static void cheap_maps(void **state)
{
    (void)state;
    static const struct {
        const char *mappings;
        unsigned warnings;
    } maps[] = {{"AAAA", 1},      {";;AAAA", 1}, {"AAAA;AACA;ACAA", 1}, {"AAAA;A;A;A;A;A;A;A", 0},
                {"AAAA,IAAA", 0}, {"", 0}};
    for (size_t i = 0; i < COUNT_OF(maps); i++) {
        char text[200];
        struct built_map map;
        snprintf(text, sizeof text,
                 "{\"version\":3,\"sources\":[\"a\",\"b\",\"c\",\"d\",\"e\",\"f\",\"g\",\"h\"],\"mappings\":\"%s\"}",
                 maps[i].mappings);
        build_map(&map, framemap_str_of(text), 0, NULL);
        assert_int_equal(map.status, FRAMEMAP_OK);
        if (map.warnings != maps[i].warnings) fail_msg("\"%s\": %u warnings", maps[i].mappings, map.warnings);
        if (map.warnings > 0 && strstr(map.warning_text, "\"cheap\"") == NULL) fail_msg("%s", map.warning_text);
        free_map(&map);
    }
}

/* Checks ids without dashes, as Bun writes them: lenient reading accepts them without a warning, and strict reading
 * refuses them. */
static void takes_an_id_without_dashes(void **state)
{
    static const char text[] = "{\"version\":3,\"debugId\":\"676E487FB987FF4C64756E2164756E21\",\"sources\":[\"a.js\"],"
                               "\"mappings\":\"AAAA\"}";
    struct built_map map;
    framemap_str id;
    (void)state;
    build_map(&map, framemap_str_of(text), 0, NULL);
    assert_int_equal(map.status, FRAMEMAP_OK);
    assert_int_equal(map.warnings, 0);
    assert_true(fm_view_attribute(map.view, FM_STR("debug_id"), &id));
    assert_true(fm_str_equal(id, FM_STR("676e487fb987ff4c64756e2164756e21")));
    free_map(&map);
    build_map(&map, framemap_str_of(text), MAP_STRICT, NULL);
    assert_int_equal(map.status, FRAMEMAP_E_CORRUPT);
    assert_non_null(strstr(map.error.message, "\"debugId\" is not a UUID"));
    free_map(&map);
}

/* Checks that a decreasing column is noticed wherever it is in the text, and in whichever digit it differs. Otherwise
 * the builder would refuse the order of the segments. */
static void sees_each_fall(void **state)
{
    static const char digits[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    char text[256];
    struct built_map map;
    (void)state;
    for (int before = 0; before < 20; before++)
        for (size_t i = 0; i < 64; i++) {
            snprintf(text, sizeof text, "{\"version\":3,\"sources\":[],\"mappings\":\"gggB,%.*s%c%s,E,C\"}", 2 * before,
                     "C,C,C,C,C,C,C,C,C,C,C,C,C,C,C,C,C,C,C,C,", digits[i], i >= 32 ? "B" : "");
            build_map(&map, framemap_str_of(text), 0, NULL);
            if (map.status != FRAMEMAP_OK) fail_msg("%s: %s", text, map.error.message);
            free_map(&map);
        }
}

/* --- testing members other than `mappings` --- */

static const char full[] =
    "{\"version\":3,\"file\":\"out.js\",\"sourceRoot\":\"\",\"sources\":[\"./a.js\",null,\"x/../"
    "c.js\"],\"sourcesContent\":[\"one\\n\",null],"
    "\"names\":[\"f\",\"\\u0067\"],\"mappings\":\"AAAAA,CCAAC,CCAA;EAEA\",\"ignoreList\":[2],\"debugId\":\"85314830-"
    "023F-4CF1-A267-535F4E37BB17\","
    "\"x_facebook_sources\":[[{\"names\":[\"<global>\",\"inner\"],\"mappings\":\"AAA;ECC,CD\"}],null],"
    "\"x_hermes_function_offsets\":{\"0\":[0,12,null],\"51\":[7]},\"x_facebook_offsets\":[null,4]}";

static void keeps_sources(void **state)
{
    struct built_map map;
    struct fm_view_source source;
    (void)state;
    build_map(&map, FM_STR(full), MAP_STRICT | MAP_KEEPS_SOURCES, NULL);
    assert_int_equal(map.status, FRAMEMAP_OK);
    assert_true(fm_view_source(map.view, 0, &source));
    assert_str(source.address, "./a.js");
    assert_str(source.content, "one\n");
    assert_int_equal(source.flags, 0);
    assert_true(fm_view_source(map.view, 1, &source));
    assert_int_equal(source.flags, FM_SOURCE_UNKNOWN);
    assert_null(source.content.data);
    assert_true(fm_view_source(map.view, 2, &source));
    assert_str(source.address, "c.js");
    assert_str(source.spelled, "x/../c.js");
    assert_int_equal(source.flags, FM_SOURCE_IGNORED);
    free_map(&map);
    build_map(&map, FM_STR(full), MAP_STRICT, NULL);
    assert_true(fm_view_source(map.view, 0, &source));
    assert_null(source.content.data);
    free_map(&map);
}

static void keeps_functions_and_offsets(void **state)
{
    struct built_map map;
    struct fm_view_stretch stretch;
    uint32_t value;
    (void)state;
    build_map(&map, FM_STR(full), MAP_STRICT, NULL);
    assert_int_equal(map.status, FRAMEMAP_OK);
    assert_true(fm_view_source_stretch(map.view, 0, 0, 9, &stretch));
    assert_str(stretch.function, "<global>");
    assert_int_equal(stretch.origin, FM_FUNCTION_MAP);
    assert_true(fm_view_source_stretch(map.view, 0, 1, 2, &stretch));
    assert_str(stretch.function, "inner");
    assert_true(fm_view_source_stretch(map.view, 0, 1, 3, &stretch));
    assert_str(stretch.function, "<global>");
    assert_false(fm_view_source_stretch(map.view, 2, 1, 3, &stretch));
    assert_true(fm_view_offset(map.view, FM_OFFSETS_FUNCTIONS, 0, 1, &value));
    assert_int_equal(value, 12);
    assert_false(fm_view_offset(map.view, FM_OFFSETS_FUNCTIONS, 0, 2, &value));
    assert_true(fm_view_offset(map.view, FM_OFFSETS_FUNCTIONS, 51, 0, &value));
    assert_int_equal(value, 7);
    assert_false(fm_view_offset(map.view, FM_OFFSETS_MODULES, 0, 0, &value));
    assert_true(fm_view_offset(map.view, FM_OFFSETS_MODULES, 0, 1, &value));
    assert_int_equal(value, 4);
    free_map(&map);
}

/* Checks a function map without semicolons: in such a map, columns are relative to the previous entry even if that
 * is on another line. Here, f begins at 2:4, and the global code continues at 4:1. */
static void function_map_of_one_line(void **state)
{
    static const char text[] =
        "{\"version\":3,\"sources\":[\"a\"],\"names\":[],\"mappings\":\"AAAA\",\"x_facebook_sources\":"
        "[[{\"names\":[\"<global>\",\"f\"],\"mappings\":\"AAA,ICC,HDE\"}]]}";
    static const struct {
        uint32_t line0, col0;
        const char *function;
    } places[] = {{0, 9, "<global>"}, {1, 3, "<global>"}, {1, 4, "f"}, {2, 0, "f"}, {3, 0, "f"}, {3, 1, "<global>"}};
    struct built_map map;
    struct fm_view_stretch stretch;
    (void)state;
    build_map(&map, FM_STR(text), MAP_STRICT, NULL);
    if (map.status != FRAMEMAP_OK) fail_msg("%s", map.error.message);
    for (size_t i = 0; i < COUNT_OF(places); i++) {
        assert_true(fm_view_source_stretch(map.view, 0, places[i].line0, places[i].col0, &stretch));
        assert_str(stretch.function, places[i].function);
    }
    free_map(&map);
}

/* Checks that the lines of a bundle's further segments come after all other lines, and that the modules in these
 * segments are found there. */
static void keeps_further_segments(void **state)
{
    static const char text[] = "{\"version\":3,\"x_facebook_offsets\":[0,1],\"sections\":[" SECTION(
        0, 0, A) "],"
                 "\"x_facebook_segments\":{\"3\":{\"version\":3,\"x_facebook_offsets\":[null,1],\"sections\":[" SECTION(
                     1, 0, B) "]},"
                              "\"1\":" B ",\"x\":7,\"0\":" B "}}";
    struct built_map map;
    char got[512];
    uint32_t value;
    (void)state;
    build_map(&map, FM_STR(text), MAP_STRICT, NULL);
    if (map.status != FRAMEMAP_OK) fail_msg("%s", map.error.message);
    map_segments(&map, got, sizeof got);
    assert_string_equal(got, "0:0>a.js:0:0 0:2>a.js:0:1(n) 1:0>a.js:1:1 3:0>b.js:0:0 4:0>b.js:0:0");
    assert_int_equal(map.warnings, 2);
    assert_true(fm_view_offset(map.view, FM_OFFSETS_SEGMENTS, 0, 3, &value));
    assert_int_equal(value, 2);
    assert_true(fm_view_offset(map.view, FM_OFFSETS_SEGMENTS, 0, 1, &value));
    assert_int_equal(value, 4);
    assert_false(fm_view_offset(map.view, FM_OFFSETS_SEGMENTS, 0, 2, &value));
    static const uint32_t ends0[] = {2, 5, UINT32_MAX, 4};
    for (size_t i = 0; i < COUNT_OF(ends0); i++) {
        if (!fm_view_offset(map.view, FM_OFFSETS_SEGMENTS, FM_OFFSETS_ENDS, i, &value)) value = UINT32_MAX;
        if (value != ends0[i]) fail_msg("segment %zu: %u", i, (unsigned)value);
    }
    assert_true(fm_view_offset(map.view, FM_OFFSETS_MODULES, 0, 1, &value));
    assert_int_equal(value, 1);
    assert_true(fm_view_offset(map.view, FM_OFFSETS_MODULES, 3, 1, &value));
    assert_int_equal(value, 3);
    free_map(&map);
}

/* Checks scopes: f from 1:0 to 5:0 with g from 2:2 to 3:0 inside, then a range of g's code at 0:4 to 0:9. */
static void keeps_scopes(void **state)
{
    static const char text[] =
        "{\"version\":3,\"sources\":[\"a.js\",\"b.js\"],\"names\":[\"f\",\"g\"],\"mappings\":\"AAAA\","
        "\"scopes\":\"BFBAA,BFBCC,CBA,CCA,A,EGEC,FF\"}";
    struct built_map map;
    struct fm_view_stretch stretch;
    (void)state;
    build_map(&map, FM_STR(text), MAP_STRICT, NULL);
    if (map.status != FRAMEMAP_OK) fail_msg("%s", map.error.message);
    assert_false(fm_view_source_stretch(map.view, 0, 0, 9, &stretch));
    assert_true(fm_view_source_stretch(map.view, 0, 1, 0, &stretch));
    assert_str(stretch.function, "f");
    assert_int_equal(stretch.origin, FM_FUNCTION_SCOPES);
    assert_true(fm_view_source_stretch(map.view, 0, 2, 9, &stretch));
    assert_str(stretch.function, "g");
    assert_true(fm_view_source_stretch(map.view, 0, 3, 0, &stretch));
    assert_str(stretch.function, "f");
    assert_false(fm_view_source_stretch(map.view, 0, 5, 0, &stretch));
    assert_false(fm_view_source_stretch(map.view, 1, 0, 0, &stretch));
    assert_false(fm_view_generated_stretch(map.view, 0, 3, &stretch));
    assert_true(fm_view_generated_stretch(map.view, 0, 4, &stretch));
    assert_str(stretch.function, "g");
    assert_false(fm_view_generated_stretch(map.view, 0, 9, &stretch));
    free_map(&map);
}

/* --- testing truncated and damaged maps, and lack of memory --- */

static void each_prefix(void **state)
{
    struct built_map map;
    (void)state;
    for (size_t size = 0; size < sizeof full - 1; size++) {
        char *exact = malloc(size + 1); /* a block of the exact size, so that a sanitizer detects a read past the end */
        memcpy(exact, full, size);
        char *text = realloc(exact, size > 0 ? size : 1);
        build_map(&map, fm_str(text, size), 0, NULL);
        assert_int_not_equal(map.status, FRAMEMAP_OK);
        assert_int_not_equal(map.error.message[0], 0);
        free_map(&map);
        free(text);
    }
}

static bool build_once(const framemap_allocator *allocator, void *context)
{
    struct built_map map;
    const char *text = context;
    build_map(&map, framemap_str_of(text), MAP_KEEPS_SOURCES, allocator);
    const framemap_status status = map.status;
    assert_true(status == FRAMEMAP_OK || status == FRAMEMAP_E_MEMORY);
    free_map(&map);
    return status == FRAMEMAP_OK;
}

static void each_allocation(void **state)
{
    static char ordered[] = INDEX(SECTION(7, 0, A) "," SECTION(0, 0, MAP("[\"a.js\"]", "[]", "EAAA,D\\u0041AC")));
    static char scopes[] = "{\"version\":3,\"sources\":[\"a.js\"],\"names\":[\"f\"],\"mappings\":\"AAAA\",\"scopes\":"
                           "\"BFBAA,CCA,EGEA,FF\"}";
    static char inlined[] = "{\"version\":3,\"sources\":[\"a.js\"],\"names\":[\"f\"],\"mappings\":\"EAAA,DAAC,GAAC\","
                            "\"rangeMappings\":\"BB\","
                            "\"scopes\":\"BFBAA,CCA,EGAA,ECBA,IAAA,ECBA,IABC,FB,FB,FB\"}";
    char copy[sizeof full];
    (void)state;
    assert_true(sweep_allocations(build_once, inlined) > 8);
    memcpy(copy, full, sizeof full);
    assert_true(sweep_allocations(build_once, copy) > 4);
    assert_true(sweep_allocations(build_once, ordered) > 4);
    assert_true(sweep_allocations(build_once, scopes) > 4);
}

static void repeat(struct fm_buf *text, const char *part, size_t times)
{
    for (size_t i = 0; i < times; i++) fm_buf_str(text, framemap_str_of(part));
}

static const struct {
    const char *name, *before, *part, *after;
    size_t times;
    framemap_status status;
} hostile[] = {
    {"many sections", "{\"version\":3,\"sections\":[", SECTION(0, 0, "{\"sources\":[],\"mappings\":\"\"}") ",",
     SECTION(0, 0, "{\"sources\":[],\"mappings\":\"A\"}") "]}", 200000, FRAMEMAP_OK},
    {"deep sections", "{\"sections\":", "[{\"offset\":{\"line\":0,\"column\":0},\"map\":{\"sections\":", "0", 1000,
     FRAMEMAP_E_LIMIT},
    {"deep values", "{\"version\":3,\"x\":", "[", "0", 1000000, FRAMEMAP_E_LIMIT},
    {"endless number", "{\"version\":3,\"sources\":[],\"mappings\":\"A,", "g", "\"}", 1000000, FRAMEMAP_OK},
    {"a long number", "{\"version\":3,\"sources\":[],\"mappings\":\"A,", "g", "A\"}", 1000000, FRAMEMAP_OK},
    {"many bad segments", "{\"version\":3,\"sources\":[],\"mappings\":\"", "ACAAA,AA,,=,", "A\"}", 200000, FRAMEMAP_OK},
    {"falling columns", "{\"version\":3,\"sources\":[],\"mappings\":\"+/////B,", "D,", "D\"}", 500000, FRAMEMAP_OK},
    {"lines", "{\"version\":3,\"sources\":[],\"mappings\":\"", ";", "A\"}", 2000000, FRAMEMAP_OK},
};

static void stays_bounded(void **state)
{
    struct built_map map;
    struct fm_heap heap;
    (void)state;
    fm_heap_init(&heap, NULL, 0);
    for (size_t i = 0; i < COUNT_OF(hostile); i++) {
        struct fm_buf text;
        fm_buf_init(&text, &heap);
        repeat(&text, hostile[i].before, 1);
        repeat(&text, hostile[i].part, hostile[i].times);
        repeat(&text, hostile[i].after, 1);
        assert_false(text.failed);
        build_map(&map, fm_buf_view(&text), 0, NULL);
        if (map.status != hostile[i].status) fail_msg("%s: %d %s", hostile[i].name, map.status, map.error.message);
        assert_true(map.warnings < 20);
        free_map(&map);
        fm_buf_free(&text);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(takes_and_refuses),
        cmocka_unit_test(sees_each_fall),
        cmocka_unit_test(keeps_sources),
        cmocka_unit_test(keeps_functions_and_offsets),
        cmocka_unit_test(function_map_of_one_line),
        cmocka_unit_test(keeps_further_segments),
        cmocka_unit_test(keeps_scopes),
        cmocka_unit_test(takes_nulls),
        cmocka_unit_test(cheap_maps),
        cmocka_unit_test(takes_an_id_without_dashes),
        cmocka_unit_test(each_prefix),
        cmocka_unit_test(each_allocation),
        cmocka_unit_test(stays_bounded),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
