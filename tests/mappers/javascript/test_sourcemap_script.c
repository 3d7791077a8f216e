/* Tests of naming the functions of a generated script by its source map. */
#include "tests/mappers/javascript/sourcemap_build.h"

#include <framemap/frame.h>

#define NAMES_MOST 16

/* A map whose segments all lead to positions of one source. */
struct spec {
    char names[NAMES_MOST][32];
    unsigned name_count;
    char mappings[2048];
    size_t size;
};

static void put_number(struct spec *spec, int64_t number)
{
    static const char digits[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    uint64_t bits = number < 0 ? (uint64_t)-number << 1 | 1 : (uint64_t)number << 1;
    do {
        const uint64_t rest = bits >> 5;
        spec->mappings[spec->size++] = digits[(bits & 31) | (rest ? 32 : 0)];
        bits = rest;
    } while (bits);
}

static unsigned number_of(struct spec *spec, const char *name)
{
    unsigned i = 0;
    while (i < spec->name_count && strcmp(spec->names[i], name) != 0) i++;
    if (i == spec->name_count) snprintf(spec->names[spec->name_count++], sizeof *spec->names, "%s", name);
    return i;
}

/* Parses a list of "line:column" or "line:column=name", separated by blanks. */
static void read_spec(struct spec *spec, const char *text)
{
    unsigned line = 0, last_name = 0, line0, col0;
    int64_t last_col = 0;
    char piece[64], name[32];
    int used;
    for (; sscanf(text, " %63s%n", piece, &used) == 1; text += used) {
        const int found = sscanf(piece, "%u:%u=%31s", &line0, &col0, name);
        assert_true(found >= 2);
        if (line0 == line && spec->size > 0 && spec->mappings[spec->size - 1] != ';')
            spec->mappings[spec->size++] = ',';
        for (; line < line0; line++, last_col = 0) spec->mappings[spec->size++] = ';';
        put_number(spec, (int64_t)col0 - last_col);
        memcpy(spec->mappings + spec->size, "AAA", 3); /* the segment leads to the same position as the previous one */
        spec->size += 3;
        last_col = col0;
        if (found < 3) continue;
        const unsigned number = number_of(spec, name);
        put_number(spec, (int64_t)number - (int64_t)last_name);
        last_name = number;
    }
    spec->mappings[spec->size] = 0;
}

static void write_map(const char *segments, const char *more, char *out, size_t room)
{
    struct spec spec = {.size = 0};
    read_spec(&spec, segments);
    size_t at = (size_t)snprintf(out, room, "{\"version\":3,\"sources\":[\"a.js\"],\"names\":[");
    for (unsigned i = 0; i < spec.name_count; i++)
        at += (size_t)snprintf(out + at, room - at, "%s\"%s\"", i ? "," : "", spec.names[i]);
    snprintf(out + at, room - at, "],\"mappings\":\"%s\"%s}", spec.mappings, more);
}

/* Writes intervals as "line:column name", with "-" for no name, separated by commas. */
static void spell_intervals(const struct built_map *map, char *out, size_t room)
{
    struct fm_view_stretch stretch;
    size_t at = 0;
    out[0] = 0;
    for (uint64_t i = 0; fm_view_generated_stretch_at(map->view, i, &stretch); i++) {
        assert_int_equal(stretch.origin, FRAMEMAP_FUNCTION_TEXT);
        at += (size_t)snprintf(out + at, room - at, "%s%u:%u %.*s", i ? ", " : "", stretch.line0, stretch.col0,
                               stretch.function.size ? (int)stretch.function.size : 1,
                               stretch.function.size ? stretch.function.data : "-");
    }
}

/* text of 115 bytes without functions */
#define FAR                                                                                                            \
    "/*- - - - - - - - - - - - - - - - - - - - - - - - - - - - - - - - - - - - - - - - - - - - - - - - - - - - - - - " \
    "-"                                                                                                                \
    "*/"

struct row {
    const char *why, *script, *segments, *more, *stretches, *warning_text;
};

static const struct row rows[] = {
    {"the name on the identifier's segment", "function e(){}", "0:0 0:9=deepest 0:12", "", "0:0 deepest, 0:14 -", NULL},
    {"without a name it is unchanged", "function e(){}", "0:0 0:9 0:12", "", "0:0 e, 0:14 -", NULL},
    {"of several there the first that has a name", "function e(){}", "0:0 0:9 0:9=a 0:9=b", "", "0:0 a, 0:14 -", NULL},
    {"a column before it", "function e(){}", "0:0 0:8=deepest 0:12", "", "0:0 deepest, 0:14 -", NULL},
    {"but not if one is at it", "function e(){}", "0:0 0:8=blank 0:9=deepest", "", "0:0 deepest, 0:14 -", NULL},
    {"nor on the line before", "\nfunction e(){}f=1;g=1", "0:0=no 1:0 1:9=deepest 1:14 1:17 1:18", "",
     "1:0 deepest, 1:14 -", NULL},
    {"what is bound", "n=()=>{}", "0:0=run 0:2 0:4 0:6", "", "0:2 run, 0:8 -", NULL},
    {"a function inside another, and back", "function e(){t(()=>1);x}", "0:0 0:9=outer 0:13=call 0:15", "",
     "0:0 outer, 0:15 -, 0:20 outer, 0:24 -", NULL},
    {"neighbours of one name need no end between", "class A{b(){}}x={k(){},k(){}}", "0:0 0:6=Up 0:8 0:14 0:17", "",
     "0:0 Up, 0:5 -, 0:9 Up.b, 0:13 -, 0:18 k, 0:22 -, 0:24 k, 0:28 -", NULL},
    {"a class and its members", "class e{t(){}get n(){}#i(){}constructor(){}}", "0:0 0:6=Runner 0:8 0:22=#slow", "",
     "0:9 Runner.t, 0:13 -, 0:18 get n, 0:22 -, 0:24 #slow, 0:28 -, 0:39 Runner, 0:43 -", NULL},
    {"a property of a renamed object", "e.prototype.b=function(){}", "0:0=Deep 0:2 0:12 0:14", "",
     "0:14 Deep.b, 0:26 -", NULL},
    {"a property that was renamed", "class e{t(){}}x={k(){}}", "0:0 0:6=Cart 0:8=verify 0:14 0:17=run", "",
     "0:0 Cart, 0:5 -, 0:9 Cart.verify, 0:13 -, 0:18 run, 0:22 -", NULL},
    {"whose new name is at its function, as terser has it", "class e{t(){}}", "0:0 0:6=Cart 0:8 0:9=verify", "",
     "0:0 Cart, 0:5 -, 0:9 Cart.verify, 0:13 -", NULL},
    {"and whose modifiers have the segment, as terser has it", "class e{static t(){}get n(){}}",
     "0:0 0:6=Cart 0:8 0:16=verify 0:20 0:25=total", "",
     "0:0 Cart, 0:5 -, 0:16 Cart.verify, 0:20 -, 0:25 get total, 0:29 -", NULL},
    {"a property without a segment that another function follows", "class e{static t=()=>1}",
     "0:0 0:6=Cart 0:8 0:17=verify", "", "0:0 Cart, 0:5 -, 0:16 <static_initializer>, 0:17 Cart.t, 0:22 -", NULL},
    {"that the map says no other name of", "class e{t(){}}x={k(){}}", "0:0 0:6=Cart 0:8 0:14", "",
     "0:0 Cart, 0:5 -, 0:9 Cart.t, 0:13 -, 0:18 k, 0:22 -", NULL},
    {"a name a column before it is of something else", "e.prototype.b=function(){}", "0:0=Deep 0:11=deepest 0:14", "",
     "0:14 Deep.b, 0:26 -", NULL},
    {"a longer property is not renamed", "class e{take(){}}", "0:0 0:6=Cart 0:8=verify 0:14", "",
     "0:0 Cart, 0:5 -, 0:12 Cart.take, 0:16 -", NULL},
    {"the word before a member is not its name, as terser has it", "x={k:async()=>1}", "0:0 0:3=async 0:5", "",
     "0:5 k, 0:15 -", NULL},
    {"a description is no name", "class e{t(){}}", "0:0 0:6=Cart 0:8=Cart.t 0:14", "",
     "0:0 Cart, 0:5 -, 0:9 Cart.t, 0:13 -", NULL},
    {"an owner that leads to its member, as Closure Compiler writes them", "T.prototype.add=function(){};",
     "0:0 0:2 0:15", ",\"sourcesContent\":[\"add(){}\"]", "0:16 add, 0:28 -", NULL},
    {"a module's name before that of a function, as webpack joins modules", "function e(){}function t(){}",
     "0:0 0:9=closures_depth 0:12 0:23=src_a_depth_0", ",\"sourcesContent\":[\"depth\"]", "0:0 depth, 0:28 -", NULL},
    {"a declared function that a minifier calls where it is, with the segment at the parenthesis, as swc has it",
     "(function(){})()", "0:0 0:11", ",\"sourcesContent\":[\"async function deep(){}\"]", "0:1 deep, 0:13 -", NULL},
    {"what is called at once in the source has no name", "x=(function(){})()", "0:0 0:2 0:13",
     ",\"sourcesContent\":[\"(function(){})()\"]", "", NULL},
    {"a function in the place of its only call, as swc has it", "x=function(){}()", "0:0 0:2=run 0:13",
     ",\"sourcesContent\":[\"run()\"]", "0:2 run, 0:14 -", NULL},
    {"of which webpack changed the name", "x=function(){}()", "0:0 0:2=jobs_run 0:13",
     ",\"sourcesContent\":[\"run()\"]", "0:2 run, 0:14 -", NULL},
    {"another name at a function", "x=function(){}()", "0:0 0:2=go 0:13", ",\"sourcesContent\":[\"run()\"]", "", NULL},
    {"the parameter of an arrow function is not its name", "g(f,e=>1)", "0:0 0:4=run 0:7",
     ",\"sourcesContent\":[\"run=>1\"]", "", NULL},
    {"a name of the source with an underscore", "function e(){}", "0:0 0:9=my_depth 0:12",
     ",\"sourcesContent\":[\"my_depth\"]", "0:0 my_depth, 0:14 -", NULL},
    {"another word in the source", "function e(){}", "0:0 0:9=my_depth 0:12", ",\"sourcesContent\":[\"th\"]",
     "0:0 my_depth, 0:14 -", NULL},
    {"a constructor is recognised by a capital letter in the source", "function e(){this.b=()=>1}", "0:0 0:9=Deep 0:13",
     "", "0:0 Deep, 0:20 Deep.b, 0:25 Deep, 0:26 -", NULL},
    {"and others are no constructors", "function E(){this.b=()=>1}", "0:0 0:9=deep 0:13", "",
     "0:0 deep, 0:20 b, 0:25 deep, 0:26 -", NULL},
    {"no segment: not known where others were renamed", "function e(){}function t(){}function n(){}",
     "0:0 0:9=a 0:14 0:23=b 0:28", "", "0:0 a, 0:14 b, 0:28 -", NULL},
    {"but unchanged where none were", "function e(){}function t(){}function n(){}", "0:0 0:9 0:14 0:23 0:28", "",
     "0:0 e, 0:14 t, 0:28 n, 0:42 -", NULL},
    {"another script", "function abcdef(){}x=function(){},y=function(){}",
     "0:1 0:3 0:5=a 0:7 0:12 0:22 0:24 0:27 0:35 0:37 0:39", "", "", "does not belong"},
    {"another script, whose lines end before the places of the map", "function e(a,b){\n  return 1;\n}",
     "0:0 0:9=add 0:14 0:20 0:32 0:40=multiply 0:50", "", "", "does not belong"},
    {"another script, which has fewer lines", "function e(){}", "0:0 0:9=add 4:0 5:0", "", "", "does not belong"},
    {"the end of a line, and the empty line at the end", "function e(){}\n", "0:0 0:9=deepest 0:14 1:0", "",
     "0:0 deepest, 0:14 -", NULL},
    {"places inside of keywords, too, where swc moved the function",
     "function a(){}function b(){}function c(){}function d(){}function e(){}function f(){}function g(){}function h(){}",
     "0:0 0:2 0:9 0:14 0:16 0:23 0:28 0:30 0:37 0:42 0:44 0:51 0:56 0:58 0:65 0:70 0:72 0:79 0:84 0:86 0:93 0:98 0:100 "
     "0:107",
     "", "0:0 a, 0:14 b, 0:28 c, 0:42 d, 0:56 e, 0:70 f, 0:84 g, 0:98 h, 0:112 -", NULL},
    {"functions that a compiler put in front have no segments",
     "var h=function(a){};\nvar i=function(b){};\nvar j=function(c){};\nvar k=function(d){};\nfunction e(){}f=1,g=2",
     "4:0 4:9 4:10 4:14 4:15 4:16", "", "0:6 h, 0:19 -, 1:6 i, 1:19 -, 2:6 j, 2:19 -, 3:6 k, 3:19 -, 4:0 e, 4:14 -",
     NULL},
    {"functions that a bundler put in front on the same line, as Vite does",
     FAR "var h=()=>1,i=()=>2,j=()=>3,k=()=>4;function e(){}function t(){}", "0:151 0:160=a 0:163 0:165 0:174=b 0:177",
     "", "0:151 a, 0:165 b, 0:179 -", NULL},
    {"or after what is mapped", "function e(){}function t(){}" FAR "var h=()=>1,i=()=>2,j=()=>3,k=()=>4;",
     "0:0 0:9=a 0:12 0:14 0:23=b 0:26", "", "0:0 a, 0:14 b, 0:28 -", NULL},
    {"or between it", "function e(){}" FAR "var h=()=>1,i=()=>2,j=()=>3,k=()=>4;function t(){}",
     "0:0 0:9=a 0:12 0:165 0:174=b 0:177", "", "0:0 a, 0:14 -, 0:165 b, 0:179 -", NULL},
    {"a class whose name has none, as TypeScript maps them", "class Cart {\n    add(x) { return x; }\n}",
     "0:0 1:4 1:7 1:8 1:9 1:13 1:20 1:21 1:22", "", "0:0 Cart, 0:5 -, 1:7 Cart.add, 1:24 -", NULL},
    {"lines only, as cheap maps have them", "function e(){\nreturn function(){}}", "0:0 1:0", "",
     "0:0 e, 1:7 -, 1:19 e, 1:20 -", NULL},
    {"bytecode has addresses for columns", "function e(){}", "0:0 0:9=deepest",
     ",\"x_hermes_function_offsets\":{\"0\":[0]}", "", NULL},
    {"modules of a RAM bundle are no script", "function e(){}", "0:0 0:9=deepest", ",\"x_facebook_offsets\":[0]", "",
     NULL},
    {"scopes say more", "function e(){}", "0:0 0:9=deepest", ",\"scopes\":\"A\"", "", NULL},
    {"a nameless function before one that has a name, and two of one name", "t(()=>1);function e(){}n=[()=>1,()=>2]",
     "0:0=call 0:2 0:9 0:18=deepest 0:23=list", "", "0:9 deepest, 0:23 -, 0:26 list, 0:31 -, 0:32 list, 0:37 -", NULL},
    {"no function", "a=b", "0:0", "", "", NULL},
};

static void names_functions(void **state)
{
    char text[4096], got[1024];
    unsigned wrong = 0;
    (void)state;
    for (size_t i = 0; i < COUNT_OF(rows); i++) {
        struct built_map map;
        write_map(rows[i].segments, rows[i].more, text, sizeof text);
        build_map_of(&map, framemap_str_of(text), framemap_str_of(rows[i].script), 0, NULL);
        if (map.status != FRAMEMAP_OK) fail_msg("%s: %s", rows[i].why, map.error.message);
        spell_intervals(&map, got, sizeof got);
        if (strcmp(got, rows[i].stretches) != 0 && ++wrong)
            print_error("%s:\n     got %s\n  wanted %s\n", rows[i].why, got, rows[i].stretches);
        if (rows[i].warning_text == NULL && map.warnings > 0) fail_msg("%s: %s", rows[i].why, map.warning_text);
        if (rows[i].warning_text != NULL && strstr(map.warning_text, rows[i].warning_text) == NULL)
            fail_msg("%s: \"%s\"", rows[i].why, map.warning_text);
        free_map(&map);
    }
    assert_int_equal(wrong, 0);
}

/* Checks that in a map with sections, positions of functions are positions in the whole text. */
static void goes_through_sections(void **state)
{
    char first[1024], second[1024], text[4096], got[256];
    struct built_map map;
    (void)state;
    write_map("0:0 0:9=one 0:12", "", first, sizeof first);
    write_map("0:0 0:9=two 0:12", "", second, sizeof second);
    snprintf(text, sizeof text,
             "{\"version\":3,\"sections\":[{\"offset\":{\"line\":1,\"column\":2},\"map\":%s},{\"offset\":{\"line\":3,"
             "\"column\":0},\"map\":"
             "%s}]}",
             first, second);
    build_map_of(&map, framemap_str_of(text), FM_STR("//\n; function e(){}\n\nfunction e(){}"), 0, NULL);
    assert_int_equal(map.status, FRAMEMAP_OK);
    spell_intervals(&map, got, sizeof got);
    assert_string_equal(got, "1:2 one, 1:16 -, 3:0 two, 3:14 -");
    free_map(&map);
}

/* Checks a map that is inside a script: it is used with that script, even if another script is given. */
static void reads_the_script_around(void **state)
{
    static const char script[] =
        "function e(){}\n//# sourceMappingURL=data:application/json,{%22version%22:3,%22sources%22:[%22a.js%22],"
        "%22names%22:[%22inner%22],%22mappings%22:%22AAAA,SAAAA%22}";
    struct built_map map;
    char got[256];
    (void)state;
    build_map_of(&map, framemap_str_of(script), FM_STR("function other(){}"), 0, NULL);
    assert_int_equal(map.status, FRAMEMAP_OK);
    spell_intervals(&map, got, sizeof got);
    assert_string_equal(got, "0:0 inner, 0:14 -");
    free_map(&map);
}

/* Checks a script that cannot be read: the fault is reported, and the map is accepted anyway. */
static void does_without_a_bad_script(void **state)
{
    const size_t size = ((size_t)1 << 20) + 5;
    char *deep = malloc(size), text[512];
    struct built_map map;
    (void)state;
    assert_non_null(deep);
    memset(deep, '[', size);
    write_map("0:0", "", text, sizeof text);
    build_map_of(&map, framemap_str_of(text), fm_str(deep, size), 0, NULL);
    assert_int_equal(map.status, FRAMEMAP_OK);
    assert_non_null(strstr(map.warning_text, "nested deeper"));
    free_map(&map);
    free(deep);
}

static bool sweep_body(const framemap_allocator *allocator, void *context)
{
    struct built_map map;
    build_map_of(&map, framemap_str_of(context), FM_STR("class e{t(){}}x=function(){return()=>1};e.f=[()=>2]"), 0,
                 allocator);
    const framemap_status status = map.status;
    free_map(&map);
    if (status == FRAMEMAP_OK) return true;
    assert_int_equal(status, FRAMEMAP_E_MEMORY);
    return false;
}

static void survives_want_of_memory(void **state)
{
    char text[1024];
    (void)state;
    write_map("0:0 0:6=Runner 0:14=run 0:16 0:40=Runner", "", text, sizeof text);
    assert_true(sweep_allocations(sweep_body, text) > 8);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(names_functions),         cmocka_unit_test(goes_through_sections),
        cmocka_unit_test(reads_the_script_around), cmocka_unit_test(does_without_a_bad_script),
        cmocka_unit_test(survives_want_of_memory),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
