/* Tests which source map is chosen for a script in a stack. */
#include "session/catalog/js_file_name.h"
#include "session/catalog/js_map_choice.h"
#include "session/restore/js_map_finder.h"
#include "tests/session/catalog/script_help.h"

/* --- testing cases with one script --- */

#define NONE "!none of the given source maps"
#define NOT_GIVEN "!no source map was given"
#define SEVERAL "!several source maps fit"
#define OTHER_BUILD "!the source maps given for this script are of another build"
#define OTHER_ID "!the source maps given for this script have another debug id"

static const struct row {
    const char *why;
    const char *files[6];
    const char *file, *id; /* file and id in the frame; "0x" before the file: the frame has an address in bytecode */
    /* name of the map that must be found; or '!' and the start of the reason why no map is found */
    const char *wanted;
} rows[] = {
    /* names of scripts */
    {"the plain case", {"main.js.map", "other.js.map"}, "https://cdn.example/main.js", "", "main.js.map"},
    {"a name alone", {"main.js.map", "other.js.map"}, "main.js", "", "main.js.map"},
    {"one map, of another script: not taken here", {"other.js.map"}, "main.js", "", NONE},
    {"no maps at all", {"readme.js script"}, "main.js", "", NOT_GIVEN},
    {"a name is no beginning of another", {"main.js.map"}, "main.jsx", "", NONE},
    {"a name is no end of another", {"main.js.map"}, "domain.js", "", NONE},
    {"letters have their case", {"Main.js.map"}, "main.js", "", NONE},
    {"compressed", {"main.js.map.gz gz"}, "main.js", "", "main.js.map.gz"},
    {"compiled", {"main.js.map.fmx"}, "main.js", "", "main.js.map.fmx"},
    {"compiled under the script's name", {"main.js.fmx"}, "main.js", "", "main.js.fmx"},
    {"compiled under any name: the index tells of what",
     {"out.fmx of=main.js.map", "x.js.map"},
     "main.js",
     "",
     "out.fmx"},
    {"no ending at all", {"bundle.map"}, "bundle", "", "bundle.map"},
    {"the map of main.js is called main.map", {"main.map"}, "main.js", "", "main.map"},
    {"a better name is before main.map", {"main.map", "main.js.map"}, "main.js", "", "main.js.map"},
    {"modules", {"app.mjs.map", "app.cjs.map"}, "file:///srv/app.cjs", "", "app.cjs.map"},
    /* URLs of scripts */
    {"a query", {"main.js.map"}, "https://x/main.js?v=17", "", "main.js.map"},
    {"a fragment", {"main.js.map"}, "https://x/main.js#top", "", "main.js.map"},
    {"slashes in a query", {"main.js.map", "c.js.map"}, "https://x/main.js?u=/b/c.js", "", "main.js.map"},
    {"a file whose name has a question mark",
     {"main.js?v=2.map", "main.js.map"},
     "/srv/main.js?v=2",
     "",
     "main.js?v=2.map"},
    {"percent escapes", {"my+app.js.map", "a.js.map"}, "https://x/my%20app.js", "", "my+app.js.map"},
    {"percent escapes of folders", {"my+dir/a.js.map", "b/a.js.map"}, "https://x/my%20dir/a.js", "", "my+dir/a.js.map"},
    {"a broken escape stays", {"100%.js.map"}, "https://x/100%.js", "", "100%.js.map"},
    {"file address", {"main.js.map"}, "file:///srv/app/main.js", "", "main.js.map"},
    {"Windows", {"main.js.map"}, "C:\\inetpub\\app\\main.js", "", "main.js.map"},
    {"Windows as an address", {"main.js.map"}, "file:///C:/app/main.js", "", "main.js.map"},
    {"Windows: folders", {"v1/main.js.map", "v2/main.js.map"}, "D:\\x\\v2\\main.js", "", "v2/main.js.map"},
    {"app:///", {"main.jsbundle.map"}, "app:///main.jsbundle", "", "main.jsbundle.map"},
    {"the address of a root", {"main.js.map"}, "https://x/", "", "!the stack does not name the script"},
    {"no file", {"main.js.map"}, "", "", "!the stack does not name the script"},
    {"an extension of a browser", {"content.js.map"}, "chrome-extension://abcdefgh/content.js", "", "content.js.map"},
    {"code that webpack gave to eval is of no file",
     {"a.js.map", "src/a.js.map file=a.js"},
     "webpack-internal:///./src/a.js",
     "",
     "!this code was generated"},
    {"the map of a module tells its whole path",
     {"x.map file=./src/a.js", "y.map file=./lib/a.js"},
     "webpack-internal:///./src/a.js",
     "",
     "x.map"},
    {"and may be called so",
     {"a.js.map file=./src/a.js", "y.map file=./lib/a.js"},
     "webpack-internal:///./src/a.js",
     "",
     "a.js.map"},
    {"code given to eval says what it is called",
     {"e1.js inline at=webpack-internal:///./src/a.js", "e2.js inline at=webpack-internal:///./src/b.js"},
     "webpack-internal:///./src/b.js",
     "",
     "e2.js"},
    {"any code does", {"e1.js inline at=lodash.templateSources[0]", "e2.js"}, "lodash.templateSources[0]", "", "e1.js"},
    /* several deployments of one program */
    {"two deployments, told by a folder",
     {"v1/main.js.map", "v2/main.js.map"},
     "https://x/v2/main.js",
     "",
     "v2/main.js.map"},
    {"two deployments, not told", {"v1/main.js.map", "v2/main.js.map"}, "https://x/main.js", "", SEVERAL},
    {"two deployments, another one is told", {"v1/main.js.map", "v2/main.js.map"}, "https://x/v3/main.js", "", SEVERAL},
    {"deeper folders", {"a/js/main.js.map", "b/js/main.js.map"}, "https://x/b/js/main.js", "", "b/js/main.js.map"},
    {"the nearest folder counts first",
     {"b/js/main.js.map", "a/lib/main.js.map"},
     "https://x/a/js/main.js",
     "",
     "b/js/main.js.map"},
    {"a folder is no beginning of another",
     {"v1/main.js.map", "v12/main.js.map"},
     "https://x/v12/main.js",
     "",
     "v12/main.js.map"},
    {"hosts are folders",
     {"a.example/main.js.map", "b.example/main.js.map"},
     "https://b.example/main.js",
     "",
     "b.example/main.js.map"},
    {"dots in a path", {"v1/main.js.map", "v2/main.js.map"}, "https://x/v1/../v2/./main.js", "", "v2/main.js.map"},
    {"the folder given is where the program was put",
     {"index.js.map", "admin/index.js.map"},
     "https://x/index.js",
     "",
     "index.js.map"},
    {"and below it", {"index.js.map", "admin/index.js.map"}, "https://x/admin/index.js", "", "admin/index.js.map"},
    {"and below it, in a folder that it has twice",
     {"m/a/i.js.map", "a/i.js.map", "n/a/i.js.map"},
     "https://x/a/i.js",
     "",
     "a/i.js.map"},
    {"and the scripts say so",
     {"i.js url=p.map", "p.map", "b/i.js url=q.map", "b/q.map"},
     "https://x/i.js",
     "",
     "p.map"},
    {"the same content twice", {"v1/main.js.map as=one", "v2/main.js.map as=one"}, "https://x/main.js", "", "one"},
    {"the same content, once compressed",
     {"v1/main.js.map as=one", "v2/main.js.map.gz as=one gz"},
     "main.js",
     "",
     "one"},
    {"the same content, once compiled", {"v1/main.js.map as=one", "v2/main.js.fmx as=one"}, "main.js", "", "one"},
    {"the same debug id under two contents",
     {"v1/main.js.map id=" ID_A " as=one", "v2/main.js.map id=" ID_A " as=one"},
     "main.js",
     "",
     "one"},
    {"two of the same, and one other",
     {"a/main.js.map as=one", "b/main.js.map as=one", "c/main.js.map as=two"},
     "main.js",
     "",
     SEVERAL},
    /* maps that the scripts themselves name */
    {"the script names its map", {"main.js url=4f2a.map", "4f2a.map", "x.map"}, "https://x/main.js", "", "4f2a.map"},
    {"its word is before a name",
     {"main.js url=maps/real.map", "maps/real.map", "main.js.map"},
     "https://x/main.js",
     "",
     "maps/real.map"},
    {"up and down", {"js/main.js url=../maps/m.map", "maps/m.map", "js/m.map"}, "main.js", "", "maps/m.map"},
    {"an address of a server: its last part",
     {"main.js url=https://cdn/x/m.map", "m.map", "n.map"},
     "main.js",
     "",
     "m.map"},
    {"a root that is not known", {"main.js url=/assets/m.map", "m.map", "n.map"}, "main.js", "", "m.map"},
    {"a query after it", {"main.js url=m.map?h=1", "m.map", "n.map"}, "main.js", "", "m.map"},
    {"an escape in it", {"main.js url=m%20m.map", "m+m.map", "n.map"}, "main.js", "", "m+m.map"},
    {"the map it names stands elsewhere",
     {"js/main.js url=q7.map", "maps/q7.map", "n.map"},
     "main.js",
     "",
     "maps/q7.map"},
    {"the map it names is not there: by name", {"main.js url=gone.map", "main.js.map"}, "main.js", "", "main.js.map"},
    {"the map it names is not there, nor any other", {"main.js url=gone.map", "x.map"}, "main.js", "", NONE},
    {"a map inside", {"main.js inline", "x.js.map"}, "https://x/main.js", "", "main.js"},
    {"inside and beside, one build", {"main.js inline as=one", "main.js.map as=one"}, "main.js", "", "one"},
    {"scripts of two deployments",
     {"v1/main.js url=a.map", "v2/main.js url=a.map", "v1/a.map", "v2/a.map"},
     "https://x/v2/main.js",
     "",
     "v2/a.map"},
    {"a map that stands closer than any script",
     {"v1/main.js url=main.js.map", "v1/main.js.map", "v2/main.js.map"},
     "https://x/v2/main.js",
     "",
     "v2/main.js.map"},
    {"two scripts of the name, not told which",
     {"v1/main.js url=a.map", "v2/main.js url=b.map", "v1/a.map", "v2/b.map"},
     "main.js",
     "",
     SEVERAL},
    {"script and map by a debug id",
     {"main.js script id=" ID_A, "q.map id=" ID_A, "r.map id=" ID_B},
     "main.js",
     "",
     "q.map"},
    {"a map of another id, though the script names it",
     {"main.js url=main.js.map id=" ID_A, "main.js.map id=" ID_B, "x.map"},
     "main.js",
     "",
     OTHER_ID},
    {"the map of its id, though it names another",
     {"main.js url=main.js.map id=" ID_A, "main.js.map id=" ID_B, "x.map id=" ID_A},
     "main.js",
     "",
     "x.map"},
    {"the map says of which script it is",
     {"427psa.js.map file=2hwf8o.js", "x.map"},
     "https://x/2hwf8o.js",
     "",
     "427psa.js.map"},
    {"a name is before what a map says", {"a.js.map file=b.js", "b.js.map file=c.js"}, "b.js", "", "b.js.map"},
    {"the script it is of, with folders", {"x1.map file=js/app.js", "x2.map"}, "app.js", "", "x1.map"},
    /* debug ids */
    {"by debug id", {"a.map id=" ID_A, "b.map id=" ID_B}, "main.js", HEX_B, "b.map"},
    {"an id is before a name", {"main.js.map id=" ID_A, "b.map id=" ID_B}, "main.js", HEX_B, "b.map"},
    {"another id under the name is not taken", {"main.js.map id=" ID_A}, "main.js", HEX_B, OTHER_ID},
    {"a map without id under the name is", {"main.js.map"}, "main.js", HEX_B, "main.js.map"},
    {"an id without a file", {"a.map id=" ID_A, "b.map id=" ID_B}, "", HEX_A, "a.map"},
    {"the script tells the id, the map does not",
     {"s.js url=s7.map id=" ID_A, "s7.map", "t.map"},
     "main.js",
     HEX_A,
     "s7.map"},
    {"one id, code and bytecode", {"a.map id=" ID_A, "b.map id=" ID_A " hermes"}, "0xmain.js", HEX_A, "b.map"},
    {"one id, bytecode and code", {"a.map id=" ID_A, "b.map id=" ID_A " hermes"}, "main.js", HEX_A, "a.map"},
    /* content hashes in names */
    {"a hash in the name",
     {"whatever/main.f6b17586.chunk.js.map", "main.00aa11bb.chunk.js.map"},
     "https://x/main.f6b17586.chunk.js",
     "",
     "whatever/main.f6b17586.chunk.js.map"},
    {"a hash under any name",
     {"upload-f6b17586.map", "x.map"},
     "https://x/main.f6b17586.chunk.js",
     "",
     "upload-f6b17586.map"},
    {"a hash that a map of another script has",
     {"vendor.f6b17586.js.map file=vendor.f6b17586.js"},
     "main.f6b17586.js",
     "",
     NONE},
    {"the hash computed again when the map was written: webpack",
     {"main.f6b17586.js.map file=main.00aa11bb.js"},
     "main.f6b17586.js",
     "",
     "main.f6b17586.js.map"},
    {"that, under any name", {"up.f6b17586.map file=main.00aa11bb.js"}, "main.f6b17586.js", "", "up.f6b17586.map"},
    {"that, of another script", {"up.f6b17586.map file=vendor.00aa11bb.js"}, "main.f6b17586.js", "", NONE},
    {"the script's word on a map with a hash of its own",
     {"main.f6b17586.js url=main.00aa11bb.js.map", "main.00aa11bb.js.map"},
     "https://x/main.f6b17586.js",
     "",
     "main.00aa11bb.js.map"},
    {"another hash", {"main.00aa11bb.chunk.js.map"}, "https://x/main.f6b17586.chunk.js", "", OTHER_BUILD},
    {"another hash of another script", {"vendor.00aa11bb.js.map"}, "main.f6b17586.js", "", NONE},
    {"a map without any hash", {"main.chunk.js.map"}, "https://x/main.f6b17586.chunk.js", "", "main.chunk.js.map"},
    {"a map without one is before one of another",
     {"main.js.map", "main.00aa11bb.js.map"},
     "main.f6b17586.js",
     "",
     "main.js.map"},
    {"without one, but it says that it is of another",
     {"main.js.map file=main.00aa11bb.js"},
     "main.f6b17586.js",
     "",
     OTHER_BUILD},
    {"without one, and it says that it is of this",
     {"main.js.map file=main.f6b17586.js"},
     "main.f6b17586.js",
     "",
     "main.js.map"},
    {"Vite",
     {"assets/index-DhJ3x8_k.js.map", "index-C-_x2Qab.js.map"},
     "https://x/assets/index-C-_x2Qab.js",
     "",
     "index-C-_x2Qab.js.map"},
    {"Vite, another build", {"assets/index-DhJ3x8_k.js.map"}, "https://x/assets/index-C-_x2Qab.js", "", OTHER_BUILD},
    {"Vite, without a digit", {"assets/index-BxYkQzPa.js.map"}, "https://x/assets/index-BaRtTzQx.js", "", OTHER_BUILD},
    {"Vite, without a digit, the same",
     {"index-BxYkQzPa.js.map"},
     "https://x/assets/index-BxYkQzPa.js",
     "",
     "index-BxYkQzPa.js.map"},
    {"esbuild, without a digit", {"main-QXWYZZAB.js.map"}, "https://x/main-RTYUVACB.js", "", OTHER_BUILD},
    {"words of that length", {"app-settings.js.map"}, "app-overview.js", "", NONE},
    {"words of that length with a capital", {"app-Settings.js.map"}, "app-Overview.js", "", NONE},
    {"esbuild", {"main-5QWXZ7AB.js.map"}, "https://x/main-6RTYUV3C.js", "", OTHER_BUILD},
    {"words with numbers are no hashes", {"app-version2.js.map"}, "app-version3.js", "", NONE},
    {"nor do they lead to other scripts", {"other-es2015.js.map"}, "main-es2015.js", "", NONE},
    {"chunks that are nothing but hashes", {"8c3b1a2d.js.map"}, "4f3a2b1c.js", "", NONE},
    {"two hashes, one of them known",
     {"app~d0ae3f07.a1b2c3d4.js.map"},
     "app~d0ae3f07.e5f60718.js",
     "",
     "app~d0ae3f07.a1b2c3d4.js.map"},
    {"a hash at the beginning", {"f6b17586.main.js.map"}, "00aa11bb.main.js", "", OTHER_BUILD},
    {"a script without a hash takes no map with one", {"main.f6b17586.js.map"}, "main.js", "", NONE},
    /* bundles of React Native */
    {"Android", {"index.android.bundle.map"}, "index.android.bundle", "", "index.android.bundle.map"},
    {"Android, bytecode",
     {"index.android.bundle.map hermes", "index.android.bundle.packager.map"},
     "0xindex.android.bundle",
     "",
     "index.android.bundle.map"},
    {"bytecode and code under one name",
     {"a/index.android.bundle.map", "b/index.android.bundle.map hermes"},
     "0xindex.android.bundle",
     "",
     "b/index.android.bundle.map"},
    {"code and bytecode under one name",
     {"a/index.android.bundle.map", "b/index.android.bundle.map hermes"},
     "index.android.bundle",
     "",
     "a/index.android.bundle.map"},
    {"bytecode, compiled",
     {"a/index.android.bundle.map", "b/index.android.bundle.fmx hermes"},
     "0xindex.android.bundle",
     "",
     "b/index.android.bundle.fmx"},
    {"bytecode whose map does not say so",
     {"index.android.bundle.map"},
     "0xindex.android.bundle",
     "",
     "index.android.bundle.map"},
    {"a stack that lost the word address",
     {"index.android.bundle.map hermes"},
     "app:///index.android.bundle",
     "",
     "index.android.bundle.map"},
    {"Metro's server",
     {"index.android.bundle.map", "x.map"},
     "http://localhost:8081/index.bundle?platform=android&dev=false",
     "",
     "index.android.bundle.map"},
    {"Metro's server, under its own name",
     {"index.bundle.map", "index.android.bundle.map"},
     "http://10.0.2.2:8081/index.bundle?platform=android",
     "",
     "index.bundle.map"},
    {"JSC's safe addresses",
     {"index.ios.bundle.map", "index.android.bundle.map"},
     "http://localhost:8081/index.bundle//&platform=ios&dev=true",
     "",
     "index.ios.bundle.map"},
    {"iOS",
     {"main.jsbundle.map", "x.map"},
     "http://localhost:8081/index.bundle?platform=ios&dev=false",
     "",
     "main.jsbundle.map"},
    {"iOS, another entry",
     {"App.ios.bundle.map", "x.map"},
     "http://h:8081/node_modules/expo/App.bundle?platform=ios",
     "",
     "App.ios.bundle.map"},
    {"iOS on the device",
     {"main.jsbundle.map"},
     "/private/var/containers/Bundle/Application/0A1B2C3D-1111/App.app/main.jsbundle",
     "",
     "main.jsbundle.map"},
    {"iOS on the device, Metro's name",
     {"index.ios.bundle.map"},
     "/private/var/App.app/main.jsbundle",
     "",
     "index.ios.bundle.map"},
    {"another platform", {"index.ios.bundle.map"}, "http://localhost:8081/index.bundle?platform=android", "", NONE},
    {"Expo",
     {"entry-d41d8cd98f00b204.hbc.map hermes", "x.map"},
     "0x/data/entry-d41d8cd98f00b204.hbc",
     "",
     "entry-d41d8cd98f00b204.hbc.map"},
    {"Expo, named by its code",
     {"entry-d41d8cd98f00b204.js.map hermes"},
     "0xentry-d41d8cd98f00b204.hbc",
     "",
     "entry-d41d8cd98f00b204.js.map"},
    {"Expo's store",
     {"android-0e1f2a3b4c5d.map hermes", "x.map"},
     "0x/data/user/0/a.b/files/.expo-internal/0e1f2a3b4c5d",
     "",
     "android-0e1f2a3b4c5d.map"},
    {"Expo's store, not ours",
     {"index.android.bundle.map hermes"},
     "0x/data/user/0/a.b/files/.expo-internal/0e1f2a3b4c5d",
     "",
     NONE},
    /* files that are not scripts, so that no script's map may be used for them */
    {"a library is no script", {"main.js.map"}, "libapp.so", "", NONE},
    {"Node's own", {"main.js.map"}, "node:internal/modules/cjs/loader", "", NONE},
};

static struct fm_held_index ask(struct fm_js_maps *maps, const struct row *row)
{
    framemap_error error = {0};
    struct fm_held_index held = {.index = NULL};
    const framemap_str file = framemap_str_of(row->file);
    const bool bytecode = fm_str_starts(file, FM_STR("0x"));
    const struct fm_js_map_query want = {
        .file = bytecode ? fm_str_from(file, 2) : file, .id = framemap_str_of(row->id), .bytecode = bytecode};
    must_ok(fm_js_maps_find(maps, &want, false, &held, NULL, &error), &error);
    return held;
}

/* Whether other rules may still choose a map if the search ended with this reason. */
static bool is_open(const char *wanted)
{
    return strcmp(wanted, NONE) == 0 || strcmp(wanted, NOT_GIVEN) == 0 ||
           strstr(wanted, "stack does not name the script");
}

/* Returns a text that states why the map that was found is wrong; "": it is correct. */
static const char *fault_of(const struct row *row, const struct fm_held_index *held)
{
    static char fault[400];
    const bool none = row->wanted[0] == '!';
    fault[0] = 0;
    if (held->index == NULL && (!none || strncmp(held->reason, row->wanted + 1, strlen(row->wanted + 1)) != 0))
        snprintf(fault, sizeof fault, "%s: %s", row->why, held->reason);
    if (held->index != NULL && (none || strcmp(tag_of(held->index), row->wanted) != 0))
        snprintf(fault, sizeof fault, "%s: took %s", row->why, tag_of(held->index));
    return fault;
}

static bool check_row(framemap_session *session, const struct row *row)
{
    struct fm_js_maps *maps = NULL;
    struct fm_heap heap;
    framemap_error error = {0};
    fm_heap_init(&heap, NULL, 0);
    must_ok(fm_js_maps_open(session, &heap, &maps, &error), &error);
    const struct fm_held_index held = ask(maps, row), again = ask(maps, row);
    assert_ptr_equal(held.index, again.index);
    assert_true((held.index == NULL) == (held.reason != NULL));
    if (held.index == NULL) assert_true(fm_js_maps_refuses(held.reason) != is_open(row->wanted));
    const char *fault = fault_of(row, &held);
    if (fault[0]) print_error("%s\n", fault);
    fm_js_maps_close(maps);
    assert_true(heap.used == 0);
    return fault[0] == 0;
}

static void put_row(const struct folder *folder, const struct row *row)
{
    for (size_t i = 0; i < COUNT_OF(row->files) && row->files[i]; i++) put_described(folder, row->files[i]);
}

static void every_row(void **state)
{
    (void)state;
    size_t wrong = 0;
    for (size_t i = 0; i < COUNT_OF(rows); i++) {
        struct folder folder;
        struct warnings warnings = {0};
        folder_make(&folder);
        put_row(&folder, &rows[i]);
        framemap_session *session = open_folder(folder.path, NULL, &warnings);
        /* a folder without any map causes a warning */
        const bool empty = strcmp(rows[i].wanted, NOT_GIVEN) == 0;
        if (warnings.count != empty) fail_msg("%s: %s", rows[i].why, warnings.last.message);
        wrong += !check_row(session, &rows[i]);
        framemap_session_close(session);
        remove_tree(folder.path);
    }
    assert_int_equal(wrong, 0);
}

/* --- testing one map for all scripts --- */

static void the_only_map(void **state)
{
    (void)state;
    static const struct {
        const char *why, *files[5];
        bool bytecode;
        const char *wanted; /* name of the map that must be chosen; or '!' and the start of the reason */
    } only[] = {
        {"one", {"a.map"}, false, "a.map"},
        {"one, of code, for bytecode", {"a.map"}, true, "a.map"},
        {"one, inside a script", {"a.js inline"}, false, "a.js"},
        {"none", {"a.js script"}, false, "!no source map was given"},
        {"two", {"a.map", "b.map"}, false, "!several source maps were given"},
        {"two of one content", {"x/a.map as=one", "y/b.map as=one"}, false, "one"},
        {"two of one id", {"a.map id=" ID_A " as=one", "b.map id=" ID_A " as=one"}, false, "one"},
        {"a script and its map are one", {"main.js url=main.js.map", "main.js.map"}, false, "main.js.map"},
        {"a map and its index are one", {"main.js.map as=one", "m.fmx as=one"}, false, "one"},
        {"code and bytecode: bytecode is asked for", {"packager.map", "app.map hermes"}, true, "app.map"},
        {"code and bytecode: code is asked for", {"packager.map", "app.map hermes"}, false, "packager.map"},
        {"two of bytecode",
         {"compiler.map hermes", "app.map hermes", "packager.map"},
         true,
         "!several source maps were given"},
    };
    for (size_t i = 0; i < COUNT_OF(only); i++) {
        struct folder folder;
        struct warnings warnings = {0};
        struct fm_heap heap;
        struct fm_js_maps *maps = NULL;
        struct fm_held_index held = {.index = NULL}, again = {.index = NULL};
        framemap_error error = {0};
        folder_make(&folder);
        for (size_t f = 0; f < COUNT_OF(only[i].files) && only[i].files[f]; f++)
            put_described(&folder, only[i].files[f]);
        framemap_session *session = open_folder(folder.path, NULL, &warnings);
        fm_heap_init(&heap, NULL, 0);
        must_ok(fm_js_maps_open(session, &heap, &maps, &error), &error);
        must_ok(fm_js_maps_only(maps, only[i].bytecode, &held, NULL, &error), &error);
        must_ok(fm_js_maps_only(maps, only[i].bytecode, &again, NULL, &error), &error);
        const struct row row = {.why = only[i].why, .wanted = only[i].wanted};
        if (fault_of(&row, &held)[0]) fail_msg("%s", fault_of(&row, &held));
        assert_ptr_equal(held.index, again.index);
        fm_js_maps_close(maps);
        framemap_session_close(session);
        remove_tree(folder.path);
    }
}

/* --- testing many maps --- */

static void add_many(struct fm_catalog *catalog, size_t count, bool deployments)
{
    for (size_t i = 0; i < count; i++) {
        char path[80], id[40];
        if (deployments)
            snprintf(path, sizeof path, "/maps/v%zu/main.js.map", i);
        else
            snprintf(path, sizeof path, "/maps/all/chunk%zu.%08zx.js.map", i, i);
        snprintf(id, sizeof id, "%032zx", i);
        const struct fm_entry entry = {.path = path,
                                       .name = fm_js_name_of_map(fm_str_basename(framemap_str_of(path))),
                                       .id = framemap_str_of(id),
                                       .stamp = {1, i, 100, 1, 1},
                                       .is_source_map = true};
        assert_true(fm_catalog_add(catalog, &entry));
    }
}

/* Even among a hundred thousand maps, a search must compare only a few keys. The maps are those of many deployments of
 * one script, or of many scripts in one deployment. */
static void a_hundred_thousand_maps(void **state)
{
    (void)state;
    enum { EACH = 50000, ASKED = 20000, KEYS_MOST = 400 };
    struct fm_heap heap;
    struct fm_catalog catalog;
    struct fm_js_map_choice choice;
    fm_heap_init(&heap, NULL, 0);
    fm_catalog_init(&catalog, &heap);
    add_many(&catalog, EACH, true);
    add_many(&catalog, EACH, false);
    static const size_t found[] = {1, 0, 1, 0, 0};
    for (size_t i = 0; i < ASKED; i++) {
        char file[80];
        const size_t shape = i % COUNT_OF(found);
        switch (shape) {
        case 0: snprintf(file, sizeof file, "https://x/v%zu/main.js", i); break;
        case 1: snprintf(file, sizeof file, "https://x/w%zu/main.js", i); break;
        case 2: snprintf(file, sizeof file, "https://x/all/chunk%zu.%08zx.js", i, i); break;
        case 3: snprintf(file, sizeof file, "https://x/all/chunk%zu.ab%06zx.js", i, i); break;
        default: snprintf(file, sizeof file, "https://x/all/absent%zu.js", i);
        }
        const struct fm_js_map_query want = {.file = framemap_str_of(file)};
        assert_true(fm_js_map_choose(&catalog, &want, &choice));
        if (choice.count != found[shape]) fail_msg("%s: %zu", file, choice.count);
        if (choice.count == 1) assert_true(choice.entries[0]->stamp.inode == i);
    }
    const uint64_t each = catalog.scripts.looked_at / ASKED;
    if (each > KEYS_MOST) fail_msg("%llu keys for each question", (unsigned long long)each);
    fm_catalog_free(&catalog);
    assert_true(heap.used == 0);
}

/* --- testing lack of memory --- */

struct sweep {
    const char *path;
    const struct row *row;
};

static bool open_and_find(const framemap_allocator *allocator, void *context)
{
    const struct sweep *sweep = context;
    struct fm_js_maps *maps = NULL;
    struct fm_heap heap;
    struct fm_held_index held = {.index = NULL};
    framemap_error error = {0};
    struct warnings warnings = {0};
    framemap_session *session = open_folder(sweep->path, allocator, &warnings);
    if (session == NULL) return false;
    fm_heap_init(&heap, allocator, 0);
    const framemap_str file = framemap_str_of(sweep->row->file);
    const struct fm_js_map_query want = {.file = file, .id = framemap_str_of(sweep->row->id)};
    framemap_status status = fm_js_maps_open(session, &heap, &maps, &error);
    if (status == FRAMEMAP_OK) status = fm_js_maps_find(maps, &want, false, &held, NULL, &error);
    if (status == FRAMEMAP_OK) status = fm_js_maps_find(maps, &want, false, &held, NULL, &error);
    if (status != FRAMEMAP_OK) assert_int_equal(status, FRAMEMAP_E_MEMORY);
    if (status == FRAMEMAP_OK) assert_string_equal(fault_of(sweep->row, &held), "");
    fm_js_maps_close(maps);
    framemap_session_close(session);
    return status == FRAMEMAP_OK;
}

static void out_of_memory(void **state)
{
    (void)state;
    static const struct row sweeps[] = {
        {"through the script",
         {"v1/main.js url=../m/a.map", "m/a.map", "v2/main.js url=b.map", "v2/b.map"},
         "https://x/v1/main.js",
         "",
         "m/a.map"},
        {"through a hash",
         {"up-f6b17586.map", "x.map file=y.js", "main.00aa11bb.js.map"},
         "main.f6b17586.js",
         "",
         "up-f6b17586.map"},
        {"another build", {"main.00aa11bb.js.map"}, "https://x/main.f6b17586.js", "", OTHER_BUILD},
        {"an alias", {"main.jsbundle.map", "x.map"}, "http://h/index.bundle?platform=ios", "", "main.jsbundle.map"},
        {"the same content", {"v1/main.js.map as=one", "v2/main.js.map as=one"}, "main.js", "", "one"},
        {"an id", {"a.js script id=" ID_A, "a.js.map", "b.map id=" ID_A}, "a.js", HEX_A, "b.map"},
    };
    for (size_t i = 0; i < COUNT_OF(sweeps); i++) {
        struct folder folder;
        folder_make(&folder);
        put_row(&folder, &sweeps[i]);
        struct sweep sweep = {folder.path, &sweeps[i]};
        assert_true(sweep_allocations(open_and_find, &sweep) > 10);
        remove_tree(folder.path);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_row),
        cmocka_unit_test(the_only_map),
        cmocka_unit_test(a_hundred_thousand_maps),
        cmocka_unit_test(out_of_memory),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
