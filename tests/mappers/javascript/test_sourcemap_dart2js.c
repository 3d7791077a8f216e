/* Tests of maps of Dart's compiler to JavaScript: functions named at their start, inlined functions, and minified
 * names. */
#include "core/text/buffer.h"
#include "tests/mappers/javascript/sourcemap_build.h"

#include "mappers/javascript/sourcemap/sourcemap_dart2js.h"
#include "resolve/javascript/dart2js_names.h"
#include "resolve/javascript/js_resolve.h"

/* The generated text. Line 3 has a method in short form, which starts with its parenthesis. In line 4, a function is
 * inside another function, which the compiler made from it. Line 5 has a character of two UTF-16 units and a character
 * of one unit. Line 6 belongs to the compiler's library. */
static const char script[] = "var A={\n"
                             "f:function(a){var s\n"
                             "return a.b()},\r\n"
                             "g(b){return b.c()},\n"
                             "h:function(c){return P.w(function(d){return d})},\r"
                             "i:function(e){return \"\xF0\x9F\x98\x80\xC3\xA9\"+e.d()},\n"
                             "j:function(q){return 1}}\n";
static const char segments[] = "1:2=F 1:14 2:0 2:9 3:1=G 3:5 3:14 4:2=H.<anonymous~function> 4:21 4:37 5:2=I 5:26 5:30";
static const char names[] = "\"F\",\"G\",\"H.<anonymous function>\",\"I\",\"in1\",\"in2\",\"==\",\"\",\"x\\ny\"";
static const char *const name_list[] = {"F", "G", "H.<anonymous~function>", "I"};

static void put_number(struct fm_buf *out, int64_t number)
{
    static const char digits[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    uint64_t bits = number < 0 ? (uint64_t)-number << 1 | 1 : (uint64_t)number << 1;
    do {
        const uint64_t rest = bits >> 5;
        fm_buf_byte(out, digits[(bits & 31) | (rest ? 32 : 0)]);
        bits = rest;
    } while (bits);
}

/* Writes mappings for a list of positions "line:column" or "line:column=name", separated by blanks. Each segment
 * leads to the same position in the first source. */
static void put_mappings(struct fm_buf *out)
{
    unsigned line = 0, line0, col0;
    int64_t last_col = 0, source_line = 0, source_col = 0, last_name = 0;
    char piece[64], name[40];
    int used;
    bool first = true;
    for (const char *text = segments; sscanf(text, " %63s%n", piece, &used) == 1; text += used) {
        const int found = sscanf(piece, "%u:%u=%39s", &line0, &col0, name);
        if (!first && line0 == line) fm_buf_byte(out, ',');
        for (; line < line0; line++, last_col = 0) fm_buf_byte(out, ';');
        put_number(out, (int64_t)col0 - last_col);
        put_number(out, 0);
        put_number(out, (int64_t)line0 - source_line);
        put_number(out, (int64_t)col0 - source_col);
        last_col = source_col = col0;
        source_line = line0;
        first = false;
        for (int64_t i = 0; found == 3 && i < 4; i++)
            if (strcmp(name_list[i], name) == 0) {
                put_number(out, i - last_name);
                last_name = i;
            }
    }
}

/* Returns the number of characters before a position of the script. */
static int64_t offset_of(unsigned line0, unsigned col0)
{
    static const unsigned begins[] = {0, 8, 28, 44, 64, 114, 149};
    return begins[line0] + col0;
}

/* Encodes inlined frames, such as "2:9+0:4:5=4 2:12- 2:13;": at 2:9 an inlined body starts, whose call is at the
 * given position; at 2:12 it ends; at 2:13 all inlined bodies end. */
static void put_frames(struct fm_buf *out, const char *text)
{
    unsigned line0, col0, at[4];
    int64_t last[5] = {0};
    char piece[64], what;
    int used, read;
    for (; sscanf(text, " %63s%n", piece, &used) == 1; text += used) {
        assert_int_equal(sscanf(piece, "%u:%u%c%n", &line0, &col0, &what, &read), 3);
        put_number(out, offset_of(line0, col0) - last[4]);
        last[4] = offset_of(line0, col0);
        if (what == '+') {
            assert_int_equal(sscanf(piece + read, "%u:%u:%u=%u", &at[0], &at[1], &at[2], &at[3]), 4);
            for (unsigned i = 0; i < 4; i++) {
                put_number(out, (int64_t)at[i] - last[i]);
                last[i] = at[i];
            }
        } else {
            fm_buf_byte(out, what == '-' ? ',' : ';');
        }
    }
}

static void write_map(struct fm_buf *out, const char *minified, const char *frames, const char *raw_frames)
{
    fm_buf_printf(out,
                  "{\"version\":3,\"engine\":\"v2\",\"sources\":[\"a.dart\",\"b.dart\"],\"names\":[%s],\"mappings\":\"",
                  names);
    put_mappings(out);
    fm_buf_printf(out, "\",\"x_org_dartlang_dart2js\":{\"minified_names\":{%s},\"frames\":\"", minified);
    put_frames(out, frames);
    fm_buf_printf(out, "%s\"}}", raw_frames);
}

/* Writes the frames of a position as "in1 a.dart:3:2 < F b.dart:5:6"; lines and columns count from 1. */
static void spell(const struct built_map *map, unsigned line0, unsigned col0, struct fm_buf *out)
{
    struct fm_heap heap;
    struct fm_arena arena;
    framemap_query query = FRAMEMAP_QUERY_INIT;
    framemap_frame frame;
    framemap_error error;
    fm_heap_init(&heap, NULL, 0);
    fm_arena_init(&arena, &heap);
    query.scope_number = line0;
    query.position = col0;
    assert_int_equal(fm_resolve_js(map->view, &query, &arena, &frame, &error), FRAMEMAP_OK);
    for (size_t i = 0; i < frame.restored.count; i++) {
        const framemap_frame *f = &frame.restored.frames[i];
        fm_buf_printf(out, "%s%.*s %.*s:%u:%u", i ? " < " : "", (int)f->function.size, f->function.data,
                      (int)f->file.size, f->file.data, f->line, f->column);
        assert_int_equal(f->inlined, i + 1 < frame.restored.count);
    }
    fm_arena_free(&arena);
}

static const struct {
    const char *why, *frames, *raw;
    unsigned line0, col0;
    const char *want;
    unsigned warnings;
} places[] = {
    {"a function is named by the segment at its begin", "", "", 1, 14, "F a.dart:2:15", 0},
    {"a method in the short form", "", "", 3, 14, "G a.dart:4:15", 0},
    {"one without a segment is of the one around it, and an anonymous one is called so in one word", "", "", 4, 37,
     "H.<anonymous> a.dart:5:38", 0},
    {"inlined: the body's place, then where it was called", "2:9+1:6:4=4 2:12-", "", 2, 9,
     "in1 a.dart:3:10 < F b.dart:7:5", 0},
    {"before its begin it is not", "2:9+1:6:4=4 2:12-", "", 2, 8, "F a.dart:3:1", 0},
    {"nor after its end", "2:9+1:6:4=4 2:12-", "", 2, 12, "F a.dart:3:10", 0},
    {"one in another", "2:0+1:6:4=4 2:9+0:1:2=5 2:12- 2:12-", "", 2, 10,
     "in2 a.dart:3:10 < in1 a.dart:2:3 < F b.dart:7:5", 0},
    {"two that begin at one place", "2:9+1:6:4=4 2:9+0:1:2=5 2:12;", "", 2, 10,
     "in2 a.dart:3:10 < in1 a.dart:2:3 < F b.dart:7:5", 0},
    {"the end of all", "2:0+1:6:4=4 2:9+0:1:2=5 2:10;", "", 2, 10, "F a.dart:3:10", 0},
    {"one after the other at one position", "2:0+1:6:4=4 2:9- 2:9+1:8:4=5 2:12;", "", 2, 9,
     "in2 a.dart:3:10 < F b.dart:9:5", 0},
    {"an end of what did not begin", "2:0- 2:9+1:6:4=4 2:12;", "", 2, 9, "in1 a.dart:3:10 < F b.dart:7:5", 0},
    {"of another function in another line, after a CR LF", "2:0; 3:5+1:6:4=4 3:10;", "", 3, 6,
     "in1 a.dart:4:6 < G b.dart:7:5", 0},
    {"after a CR and a character of two units", "5:26+1:6:4=4 5:28;", "", 5, 26, "in1 a.dart:6:27 < I b.dart:7:5", 0},
    {"and ends", "5:26+1:6:4=4 5:28;", "", 5, 28, "I a.dart:6:27", 0},
    {"one without a name", "2:9+1:6:4=7 2:12;", "", 2, 9, " a.dart:3:10 < F b.dart:7:5", 0},
    {"one that nothing ends stays", "2:9+1:6:4=4", "", 5, 30, "in1 a.dart:6:31 < F b.dart:7:5", 0},
    {"a source that is not there: what precedes it counts", "2:0+1:6:4=4 2:9+2:6:4=4", "", 2, 0,
     "in1 a.dart:3:1 < F b.dart:7:5", 1},
    {"a name that is not there", "2:9+1:6:4=99", "", 2, 9, "F a.dart:3:10", 1},
    {"offsets fall", "2:9; 2:0+1:6:4=4", "", 2, 9, "F a.dart:3:10", 1},
    {"after the script's end", "", "+/////D;", 2, 9, "F a.dart:3:10", 1},
    {"no base64", "", "!", 2, 9, "F a.dart:3:10", 1},
    {"an offset and nothing", "", "gB", 2, 9, "F a.dart:3:10", 1},
    {"a number too few", "", "gBCCC", 2, 9, "F a.dart:3:10", 1},
    {"a number that does not end", "", "gBCCCg", 2, 9, "F a.dart:3:10", 1},
};

static void test_places(void **state)
{
    (void)state;
    for (size_t i = 0; i < COUNT_OF(places); i++) {
        struct built_map map;
        struct fm_heap heap;
        struct fm_buf text, got;
        fm_heap_init(&heap, NULL, 0);
        fm_buf_init(&text, &heap);
        fm_buf_init(&got, &heap);
        write_map(&text, "", places[i].frames, places[i].raw);
        build_map_of(&map, fm_buf_view(&text), framemap_str_of(script), 0, NULL);
        if (map.status != FRAMEMAP_OK) fail_msg("%s: %s", places[i].why, map.error.message);
        spell(&map, places[i].line0, places[i].col0, &got);
        if (!fm_str_equal(fm_buf_view(&got), framemap_str_of(places[i].want)))
            fail_msg("%s: got %.*s", places[i].why, (int)got.size, got.data);
        if (map.warnings != places[i].warnings || map.faults)
            fail_msg("%s: %u warnings: %s", places[i].why, map.warnings, map.warning_text);
        free_map(&map);
        fm_buf_free(&text);
        fm_buf_free(&got);
    }
}

/* Checks that no inlining is reported if the given script does not belong to the map. This holds for the compiler's
 * library, which has no segments, and anywhere else. */
static void test_other_script(void **state)
{
    (void)state;
    static const char other[] = "function a(){}\nfunction b(){}\nfunction c(){}\nfunction d(){return function(){}}\n";
    struct built_map map;
    struct fm_heap heap;
    struct fm_buf text, got;
    fm_heap_init(&heap, NULL, 0);
    fm_buf_init(&text, &heap);
    fm_buf_init(&got, &heap);
    write_map(&text, "", "2:9+1:6:4=4 2:12;", "");
    build_map_of(&map, fm_buf_view(&text), framemap_str_of(other), 0, NULL);
    assert_int_equal(map.status, FRAMEMAP_OK);
    assert_int_equal(map.warnings, 1);
    assert_non_null(strstr(map.warning_text, "does not belong"));
    spell(&map, 2, 9, &got);
    assert_str(fm_buf_view(&got), " a.dart:3:10");
    free_map(&map);
    fm_buf_clear(&got);
    build_map(&map, fm_buf_view(&text), 0, NULL); /* without the script, a note reports that it is not available */
    assert_int_equal(map.warnings, 1);
    assert_non_null(strstr(map.warning_text, "not available"));
    spell(&map, 2, 9, &got);
    assert_str(fm_buf_view(&got), " a.dart:3:10");
    free_map(&map);
    fm_buf_free(&text);
    fm_buf_free(&got);
}

/* want: the lines of the index's attribute, separated by blanks; NULL: the index does not have the attribute. */
static const struct {
    const char *why, *minified, *global, *instance;
    unsigned warnings;
} tables[] = {
    {"pairs, sorted", "\"global\":\"b,1,a,0,B,3\",\"instance\":\"z,4\"", "B=I a=F b=G", "z=in1", 0},
    {"none", "\"global\":\"\",\"instance\":\"\"", NULL, NULL, 0},
    {"absent", "", NULL, NULL, 0},
    {"of a name that occurs twice, the last counts", "\"global\":\"a,0,a,1\"", "a=G", NULL, 0},
    {"objects, as it was before", "\"global\":{\"b\":1,\"a\":0},\"instance\":{\"z\":4.0}", "a=F b=G", "z=in1", 0},
    {"names with signs in them", "\"instance\":\"$0,6,_$,0\"", NULL, "$0=== _$=F", 0},
    {"a name of several lines is left out", "\"global\":\"a,8,b,0\"", "b=F", NULL, 0},
    {"a name that is not there", "\"global\":\"a,9,b,0\"", "b=F", NULL, 1},
    {"no number", "\"global\":\"a,x,b,0\"", "b=F", NULL, 1},
    {"no partner", "\"global\":\"b,0,a\"", "b=F", NULL, 1},
    {"no name", "\"global\":\",1,b,0\"", "b=F", NULL, 1},
    {"a number of 30 digits", "\"global\":\"a,111111111111111111111111111111,b,0\"", "b=F", NULL, 1},
    {"a sign that would part a line", "\"global\":\"a=,1,b,0\"", "b=F", NULL, 1},
    {"something else", "\"global\":[1],\"instance\":7", NULL, NULL, 0},
    {"numbers below none", "\"global\":{\"a\":-1,\"b\":0}", "b=F", NULL, 1},
};

static void check_attribute(const char *why, const struct built_map *map, const char *key, const char *want)
{
    framemap_str text, original;
    const bool found = fm_view_attribute(map->view, framemap_str_of(key), &text);
    if (found != (want != NULL)) fail_msg("%s: %s %s", why, key, found ? "is there" : "is not there");
    char line[64];
    int used;
    for (size_t at = 0; found && sscanf(want, " %63s%n", line, &used) == 1; want += used) {
        char *sign = strchr(line, '='), printed[80];
        const framemap_str rest = fm_str_from(text, at);
        if (!fm_str_starts(rest, framemap_str_of(line)) || rest.data[strlen(line)] != '\n')
            fail_msg("%s: %.*s", why, (int)text.size, text.data);
        at += strlen(line) + 1;
        *sign = '\0';
        snprintf(printed, sizeof printed, "%s%s", strcmp(key, FM_SOURCEMAP_DART_GLOBAL) == 0 ? "minified:" : "", line);
        assert_true(fm_minified_original(map->view, framemap_str_of(printed), &original));
        assert_str(original, sign + 1);
        if (want[used] == '\0' && at != text.size) fail_msg("%s: %.*s", why, (int)text.size, text.data);
    }
}

static void test_tables(void **state)
{
    (void)state;
    for (size_t i = 0; i < COUNT_OF(tables); i++) {
        struct built_map map;
        struct fm_heap heap;
        struct fm_buf text;
        framemap_str original;
        fm_heap_init(&heap, NULL, 0);
        fm_buf_init(&text, &heap);
        write_map(&text, tables[i].minified, "", "");
        build_map(&map, fm_buf_view(&text), 0, NULL);
        assert_int_equal(map.status, FRAMEMAP_OK);
        if (map.warnings != tables[i].warnings || map.faults)
            fail_msg("%s: %u warnings: %s", tables[i].why, map.warnings, map.warning_text);
        check_attribute(tables[i].why, &map, FM_SOURCEMAP_DART_GLOBAL, tables[i].global);
        check_attribute(tables[i].why, &map, FM_SOURCEMAP_DART_INSTANCE, tables[i].instance);
        assert_int_equal(fm_has_minified(map.view), tables[i].global || tables[i].instance);
        static const char *const others[] = {"minified:", "", "minified:zz", "A", "zz", "minified:A", "=", "\n", "a=F"};
        for (size_t o = 0; o < COUNT_OF(others); o++)
            assert_false(fm_minified_original(map.view, framemap_str_of(others[o]), &original));
        free_map(&map);
        fm_buf_free(&text);
    }
}

#define MINIFIED "\"global\":\"b,1,a,0\",\"instance\":{\"z\":4}"
#define FRAMES "2:0+1:6:4=4 2:9+0:1:2=5 2:12- 3:5; 5:26+1:6:4=4 5:28;"

static bool build_once(const framemap_allocator *allocator, void *context)
{
    struct built_map map;
    build_map_of(&map, *(const framemap_str *)context, framemap_str_of(script), 0, allocator);
    const framemap_status status = map.status;
    if (status != FRAMEMAP_OK) assert_int_equal(status, FRAMEMAP_E_MEMORY);
    free_map(&map);
    return status == FRAMEMAP_OK;
}

/* Checks that compiling fails cleanly if memory is short, and that no prefix of the script or of the compiler's
 * extension does harm. */
static void test_hostile(void **state)
{
    (void)state;
    struct fm_heap heap;
    struct fm_buf text;
    struct built_map map;
    fm_heap_init(&heap, NULL, 0);
    fm_buf_init(&text, &heap);
    write_map(&text, MINIFIED, FRAMES, "");
    framemap_str whole = fm_buf_view(&text);
    assert_true(sweep_allocations(build_once, &whole) > 20);
    for (size_t size = 0; size < sizeof script; size++) {
        char *part = malloc(size + !size);
        memcpy(part, script, size);
        build_map_of(&map, whole, fm_str(part, size), 0, NULL);
        assert_int_equal(map.status, FRAMEMAP_OK);
        free_map(&map);
        free(part);
    }
    for (size_t size = 0; size < whole.size; size++) {
        build_map_of(&map, fm_str_slice(whole, 0, size), framemap_str_of(script), 0, NULL);
        assert_int_not_equal(map.status, FRAMEMAP_OK);
        free_map(&map);
    }
    fm_buf_free(&text);
}

/* Checks a hundred thousand nested inlined bodies: they are read in linear time, and a lookup shows as many as the
 * limit on inline depth allows. */
static void test_deep(void **state)
{
    (void)state;
    enum { DEPTH = 100000 };
    struct fm_heap heap;
    struct fm_buf text, got, frames;
    struct built_map map;
    fm_heap_init(&heap, NULL, 0);
    fm_buf_init(&text, &heap);
    fm_buf_init(&got, &heap);
    fm_buf_init(&frames, &heap);
    for (unsigned i = 0; i < DEPTH; i++) fm_buf_str(&frames, i ? FM_STR("AAAAA") : FM_STR("gCAAAI"));
    fm_buf_byte(&frames, '\0');
    write_map(&text, "", "", frames.data);
    build_map_of(&map, fm_buf_view(&text), framemap_str_of(script), 0, NULL);
    assert_int_equal(map.status, FRAMEMAP_OK);
    spell(&map, 2, 9, &got);
    assert_true(got.size > 100);
    free_map(&map);
    fm_buf_free(&frames);
    fm_buf_free(&text);
    fm_buf_free(&got);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_places), cmocka_unit_test(test_other_script),
                                       cmocka_unit_test(test_tables), cmocka_unit_test(test_hostile),
                                       cmocka_unit_test(test_deep)};
    return cmocka_run_group_tests_name("maps of Dart's compiler to JavaScript", tests, NULL, NULL);
}
