/* Tests what a scan records about scripts and source maps, and how scripts and maps are assigned to each other. */
#include "session/catalog/js_map_choice.h"
#include "session/catalog/scan/scan_javascript.h"
#include "session/restore/js_map_finder.h"
#include "tests/session/catalog/script_help.h"

/* --- testing a file that the call names --- */

static framemap_session *open_nothing(void)
{
    framemap_session *session = NULL;
    framemap_error error = {0};
    const framemap_session_options options = {.size = sizeof options, .cache_path = ""};
    must_ok(framemap_session_open(&options, &session, &error), &error);
    return session;
}

static void scripts_by_path(void **state)
{
    (void)state;
    static const struct {
        const char *why, *files[4], *path;
        framemap_status status;
        const char *wanted; /* tag of the map that must be found; if no map must be found, a part of the message */
    } paths[] = {
        {"a script beside its map, which it names", {"main.js url=m.map", "m.map"}, "main.js", FRAMEMAP_OK, "m.map"},
        {"in a folder below", {"js/main.js url=m/x.map", "js/m/x.map"}, "js/main.js", FRAMEMAP_OK, "js/m/x.map"},
        {"in another folder",
         {"js/main.js url=../m/x.map", "m/x.map"},
         "js/main.js",
         FRAMEMAP_E_EMPTY,
         "outside of the given folder"},
        {"it names none: the one called so", {"main.js script", "main.js.map"}, "main.js", FRAMEMAP_OK, "main.js.map"},
        {"the map is inside", {"main.js inline"}, "main.js", FRAMEMAP_OK, "main.js"},
        {"the map itself, with the script beside",
         {"main.js url=main.js.map", "main.js.map"},
         "main.js.map",
         FRAMEMAP_OK,
         "main.js.map"},
        {"a folder with one map", {"d/main.js url=main.js.map", "d/main.js.map"}, "d", FRAMEMAP_OK, "d/main.js.map"},
        {"the map is not there", {"main.js url=m.map"}, "main.js", FRAMEMAP_E_EMPTY, "is not there"},
        {"what it names is not a map",
         {"main.js url=other.js", "other.js script"},
         "main.js",
         FRAMEMAP_E_EMPTY,
         "is not there"},
        {"it names itself", {"main.js url=main.js"}, "main.js", FRAMEMAP_E_EMPTY, "is not there"},
        {"a script without a map", {"main.js script"}, "main.js", FRAMEMAP_E_FORMAT, ""},
        {"a text of another ending that names its map",
         {"main.txt url=m.map", "m.map"},
         "main.txt",
         FRAMEMAP_OK,
         "m.map"},
        {"one that does not, with a map that may be a linker's",
         {"main.txt script", "main.txt.map"},
         "main.txt",
         FRAMEMAP_E_FORMAT,
         ""},
    };
    for (size_t i = 0; i < COUNT_OF(paths); i++) {
        struct folder folder;
        framemap_error error = {0};
        const framemap_index *index = NULL;
        folder_make(&folder);
        for (size_t f = 0; f < COUNT_OF(paths[i].files) && paths[i].files[f]; f++)
            put_described(&folder, paths[i].files[f]);
        framemap_session *session = open_nothing();
        const framemap_image_query want = {.path = framemap_str_of(in_folder(&folder, paths[i].path))};
        const framemap_status status = framemap_session_index(session, &want, &index, &error);
        if (status != paths[i].status) fail_msg("%s: status %d: %s", paths[i].why, (int)status, error.message);
        if (status == FRAMEMAP_OK) assert_string_equal(tag_of(index), paths[i].wanted);
        if (status != FRAMEMAP_OK && strstr(error.message, paths[i].wanted) == NULL)
            fail_msg("%s: %s", paths[i].why, error.message);
        framemap_session_release(session, index);
        framemap_session_close(session);
        remove_tree(folder.path);
    }
}

/* If a script is given as a symbol path, its map is also used to restore stacks. */
static void a_given_script_brings_its_map(void **state)
{
    (void)state;
    struct folder folder;
    struct warnings warnings = {0};
    struct fm_js_maps *maps = NULL;
    struct fm_held_index held = {.index = NULL};
    framemap_error error = {0};
    folder_make(&folder);
    put_described(&folder, "js/main.js url=maps/m.map");
    put_described(&folder, "js/maps/m.map");
    framemap_session *session = open_folder(in_folder(&folder, "js/main.js"), NULL, &warnings);
    const struct fm_js_map_query want = {.file = FM_STR("https://x/main.js")};
    must_ok(fm_js_maps_open(session, &session->heap, &maps, &error), &error);
    must_ok(fm_js_maps_find(maps, &want, false, &held, NULL, &error), &error);
    assert_non_null(held.index);
    assert_string_equal(tag_of(held.index), "js/maps/m.map");
    assert_int_equal(warnings.count, 0);
    fm_js_maps_close(maps);
    framemap_session_close(session);
    remove_tree(folder.path);
}

/* A source map or a script is never returned as the image of a program, whatever its name is. */
static void no_image_is_a_source_map(void **state)
{
    (void)state;
    static const struct made_image app = {
        .name = "libapp.so", .id = "0123456789abcdef", .arch = "arm64", .functions = {"_Z1av"}};
    struct folder folder;
    struct warnings warnings = {0};
    struct fm_held_index held;
    framemap_error error = {0};
    folder_make(&folder);
    put_index(&folder, "arm/libapp.so.fmx", &app);
    put_described(&folder, "web/libapp.so.map");
    put_described(&folder, "web/libother.so.map id=" ID_A);
    put_described(&folder, "web/libmine.so.fmx as=x");
    framemap_session *session = open_folder(folder.path, NULL, &warnings);
    static const struct {
        const char *name, *id;
        bool found;
    } images[] = {{"libapp.so", "", true},
                  {"libother.so", "", false},
                  {"libmine.so", "", false},
                  {"libother.so", HEX_A, false},
                  {"", HEX_A, false}};
    for (size_t i = 0; i < COUNT_OF(images); i++) {
        const framemap_image_query want = {.name = framemap_str_of(images[i].name),
                                           .id = framemap_str_of(images[i].id)};
        framemap_match matched_by;
        must_ok(fm_session_hold(session, NULL, &want, &held, &matched_by, &error), &error);
        if ((held.index != NULL) != images[i].found) fail_msg("%s %s", images[i].name, images[i].id);
        framemap_session_release(session, held.index);
    }
    /* framemap_session_index finds the map by its id, since it also searches for source maps */
    const framemap_index *index = NULL;
    const framemap_image_query by_id = {.id = FM_STR(HEX_A)};
    must_ok(framemap_session_index(session, &by_id, &index, &error), &error);
    assert_string_equal(tag_of(index), "web/libother.so.map");
    framemap_session_release(session, index);
    framemap_session_close(session);
    remove_tree(folder.path);
}

/* Tests which comments are found in the last lines of a script, and which path of the map results from them. */
static void last_lines(void **state)
{
    (void)state;
    static const struct {
        /* map, id, source_url: what is recorded about the script; map: NULL if the script is not recorded */
        const char *why, *path, *text, *map, *id, *source_url;
    } texts[] = {
        {"the comment", "d/a.js", "x\n//# sourceMappingURL=a.js.map", "d/a.js.map", "", ""},
        {"an old comment", "d/a.js", "x\n//@ sourceMappingURL=a.js.map\n", "d/a.js.map", "", ""},
        {"the last one counts", "a.js", "//# sourceMappingURL=1\n//# sourceMappingURL=2\n", "2", "", ""},
        {"code after it", "a.js", "//# sourceMappingURL=1\ncode()\n", NULL, "", ""},
        {"in a text", "a.js", "x='\\n//# sourceMappingURL=1'\n", NULL, "", ""},
        {"no ending of scripts", "a.txt", "//# sourceMappingURL=1\n", NULL, "", ""},
        {"nothing", "a.js", "", NULL, "", ""},
        {"lines of Windows", "d/a.js", "x\r\n//# debugId=" ID_A "\r\n//# sourceMappingURL=b.map\r\n", "d/b.map", HEX_A,
         ""},
        {"an id alone", "d/a.js", "x\n//# debugId=" ID_A "\n", "", HEX_A, ""},
        {"an id as Bun writes it", "d/a.js", "x\n//# debugId=676E487FB987FF4C64756E2164756E21\n", "",
         "676e487fb987ff4c64756e2164756e21", ""},
        {"an id that is none", "d/a.js", "x\n//# debugId=1234\n", NULL, "", ""},
        {"an id too far up", "d/a.js", "//# debugId=" ID_A "\n\n\n\n\n//# sourceMappingURL=b.map", "d/b.map", "", ""},
        {"an id on the fifth line", "d/a.js", "//# debugId=" ID_A "\n\n\n\n//# sourceMappingURL=b.map\n\n", "d/b.map",
         HEX_A, ""},
        {"an address", "d/a.js", "//# sourceMappingURL=b.map\n//# sourceURL=webpack://x\n", "d/b.map", "",
         "webpack://x"},
        {"two addresses: the last", "d/a.js", "//# sourceMappingURL=b.map\n//# sourceURL=1\n//# sourceURL=2\n",
         "d/b.map", "", "2"},
        {"up", "/r/d/e/a.js", "//# sourceMappingURL=../../m/b.map", "/r/m/b.map", "", ""},
        {"up beyond the given path", "d/a.js", "//# sourceMappingURL=../../b.map", "../b.map", "", ""},
        {"up from dots", "../a.js", "//# sourceMappingURL=../b.map", "../../b.map", "", ""},
        {"dots in front", "d/a.js", "//# sourceMappingURL=././b.map", "d/b.map", "", ""},
        {"no folder", "a.js", "//# sourceMappingURL=../b.map", "../b.map", "", ""},
        {"a server", "d/a.js", "//# sourceMappingURL=https://x/y/b.map?q=/z", "d/b.map", "", ""},
        {"a server without a name", "d/a.js", "//# sourceMappingURL=//cdn/b.map", "d/b.map", "", ""},
        {"a file", "d/a.js", "//# sourceMappingURL=file:///home/u/b.map", "d/b.map", "", ""},
        {"escapes", "d/a.js", "//# sourceMappingURL=b%20c%2Fd.map", "d/b c/d.map", "", ""},
        {"an escape that no name has", "d/a.js", "//# sourceMappingURL=b%00.map", NULL, "", ""},
        {"a query alone", "d/a.js", "//# sourceMappingURL=?x", NULL, "", ""},
    };
    for (size_t i = 0; i < COUNT_OF(texts); i++) {
        const size_t whole = strlen(texts[i].text);
        for (size_t size = 0; size <= whole; size++) {
            struct fm_heap heap;
            struct fm_catalog catalog;
            struct fm_arena arena;
            framemap_str map;
            framemap_error error = {0};
            bool listed;
            /* a block of exactly the text's size, so that sanitizers detect a read past its end */
            char *text = malloc(size ? size : 1);
            const struct fm_stamp stamp = {1, 1, size, 1, 1};
            memcpy(text, texts[i].text, size);
            fm_heap_init(&heap, NULL, 0);
            fm_arena_init(&arena, &heap);
            fm_catalog_init(&catalog, &heap);
            const struct fm_scan_host host = {.catalog = &catalog};
            const struct fm_scanned file = {.path = texts[i].path, .stamp = &stamp, .bytes = fm_str(text, size)};
            must_ok(fm_scan_script(&host, &file, &arena, &map, &listed, &error), &error);
            assert_int_equal(catalog.count, listed ? 1 : 0);
            if (size == whole) {
                if (listed != (texts[i].map != NULL)) fail_msg("%s: listed %d", texts[i].why, listed);
                if (!fm_str_equal(map, framemap_str_of(texts[i].map)))
                    fail_msg("%s: \"%.*s\"", texts[i].why, (int)map.size, map.data);
                if (listed) assert_str(catalog.entries[0]->id, texts[i].id);
                if (listed) assert_str(catalog.entries[0]->source_url, texts[i].source_url);
                if (listed) assert_str(catalog.entries[0]->map_path, texts[i].map);
            }
            fm_catalog_free(&catalog);
            fm_arena_free(&arena);
            free(text);
            assert_true(heap.used == 0);
        }
    }
}

/* Checks that only the end of a long script is searched for comments, beginning at the first line that starts there. A
 * last line that is longer than this end is not taken for a sourceMappingURL comment. */
static void long_scripts(void **state)
{
    (void)state;
    enum { SIZE = 100000 };
    static const struct {
        const char *tail;
        bool listed;
    } tails[] = {{"\n//# sourceMappingURL=m.map\n", true}, {"//# sourceMappingURL=m.map\n", false}, {"\n\n\n", false}};
    struct folder folder;
    struct warnings warnings = {0};
    folder_make(&folder);
    put_described(&folder, "m.map");
    for (size_t i = 0; i < COUNT_OF(tails); i++) {
        char *text = malloc(SIZE + 100);
        memset(text, 'x', SIZE);
        memcpy(text + SIZE, tails[i].tail, strlen(tails[i].tail));
        put_file(&folder, "long.js", fm_str(text, SIZE + strlen(tails[i].tail)));
        free(text);
        framemap_session *session = open_folder(folder.path, NULL, &warnings);
        assert_int_equal(session->catalog.count, tails[i].listed ? 2 : 1);
        framemap_session_close(session);
    }
    assert_int_equal(warnings.count, 0);
    remove_tree(folder.path);
}

/* --- testing which script belongs to a map --- */

static void companions(void **state)
{
    (void)state;
    static const struct {
        /* wanted: the script that must be found for the map; "": no script */
        const char *why, *files[5], *map, *wanted;
    } pairs[] = {
        {"the script that names it", {"a.js url=q.map", "q.map"}, "q.map", "a.js"},
        {"before one that is called so",
         {"a.js url=main.js.map", "main.js script", "main.js.map"},
         "main.js.map",
         "a.js"},
        {"the one called so", {"main.js script", "main.js.map"}, "main.js.map", "main.js"},
        {"called so, the map compressed", {"main.js script", "main.js.map.gz gz"}, "main.js.map.gz", "main.js"},
        {"the one that the map names", {"app.js script", "q.map file=app.js"}, "q.map", "app.js"},
        {"the one that the map names, in another folder then",
         {"app.js script", "q.map file=dist/app.js"},
         "q.map",
         "app.js"},
        {"of two deployments its own",
         {"v1/a.js url=q.map", "v2/a.js url=q.map", "v1/q.map", "v2/q.map"},
         "v2/q.map",
         "v2/a.js"},
        {"one that names it and is elsewhere", {"js/a.js url=q.map", "maps/q.map"}, "maps/q.map", "js/a.js"},
        {"two elsewhere", {"1/a.js url=q.map", "2/b.js url=q.map", "maps/q.map"}, "maps/q.map", ""},
        {"another debug id", {"a.js url=q.map id=" ID_A, "q.map id=" ID_B}, "q.map", ""},
        {"another debug id, though it is called so",
         {"q.js url=q.js.map id=" ID_A, "q.js.map id=" ID_B},
         "q.js.map",
         ""},
        {"none", {"q.map", "other.js script"}, "q.map", ""},
        {"bytecode has no text", {"main.js script", "main.js.map hermes"}, "main.js.map", ""},
        {"a script with its map inside has itself", {"main.js inline"}, "main.js", ""},
        {"a map that says that it is of itself", {"q.map file=q.map"}, "q.map", ""},
        {"up and away", {"q.map file=../../etc/passwd"}, "q.map", ""},
    };
    for (size_t i = 0; i < COUNT_OF(pairs); i++) {
        struct folder folder;
        struct warnings warnings = {0};
        struct fm_arena arena;
        framemap_str found;
        folder_make(&folder);
        for (size_t f = 0; f < COUNT_OF(pairs[i].files) && pairs[i].files[f]; f++)
            put_described(&folder, pairs[i].files[f]);
        framemap_session *session = open_folder(folder.path, NULL, &warnings);
        fm_arena_init(&arena, &session->heap);
        const struct fm_entry *map = fm_catalog_at_path(&session->catalog, in_folder(&folder, pairs[i].map));
        assert_non_null(map);
        assert_true(fm_js_script_of_map(&session->catalog, map, &arena, &found));
        const char *wanted = pairs[i].wanted[0] ? in_folder(&folder, pairs[i].wanted) : "";
        if (!fm_str_equal(found, framemap_str_of(wanted)))
            fail_msg("%s: \"%.*s\"", pairs[i].why, (int)found.size, found.data ? found.data : "");
        fm_arena_free(&arena);
        framemap_session_close(session);
        remove_tree(folder.path);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(scripts_by_path),
        cmocka_unit_test(a_given_script_brings_its_map),
        cmocka_unit_test(no_image_is_a_source_map),
        cmocka_unit_test(last_lines),
        cmocka_unit_test(long_scripts),
        cmocka_unit_test(companions),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
