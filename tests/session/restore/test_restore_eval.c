/* Restores positions in modules that a bundle passes to eval, with the maps in the bundle's strings. */
#include "tests/session/restore/restore_help.h"

#define AT(row) "    at " row "\n"
/* A percent-encoded map whose second line is line 6 of its source. */
#define MAP(source)                                                                                            \
    "//# sourceMappingURL=data:application/json;charset=utf-8,%7b%22version%22:3,%22file%22:%22./src/b.js%22," \
    "%22sources%22:[%22" source "%22],%22names%22:[],%22mappings%22:%22AAIA;AACA%22%7d"
#define MODULE(source, url) \
    "eval(\"{f();\\n//# sourceURL=[module]\\n" MAP(source) "\\n//# sourceURL=webpack-internal:///" url "\\n\\n}\");\n"
#define BEGIN "(() => { // webpackBootstrap\nvar __webpack_modules__ = {\n"
#define END "};\n})();\n"
#define BY_DEVTOOL "build with devtool 'source-map'"

/* main.js and other.js have modules of different builds under one name. */
static framemap_session *session_of(struct folder *folder, bool has_both)
{
    folder_make(folder);
    put_file(folder, "main.js",
             FM_STR(BEGIN MODULE("webpack:///a.ts?199c", "./src/a.ts") MODULE("webpack://app/./src/b.js", "./src/b.js")
                        END));
    if (has_both) put_file(folder, "other.js", FM_STR(BEGIN MODULE("webpack:///old.ts", "./src/a.ts") END));
    put_file(folder, "plain.js", FM_STR("//" BEGIN "// nothing\n" END));
    return session_on(folder->path);
}

static void one_bundle(void **state)
{
    static const struct restore_row rows[] = {
        {"modules, each with its map",
         AT("f (webpack-internal:///./src/a.ts:2:1)") AT("eval (webpack-internal:///./src/b.js:1:1)"),
         AT("f (webpack:///a.ts?199c:6:1)") AT("eval (webpack://app/src/b.js:5:1)"), 2, 2, NULL},
        {"in Deno", AT("f (webpack-internal:///./src/a.ts, <anonymous>:2:1)"), AT("f (webpack:///a.ts?199c:6:1)"), 1, 1,
         NULL},
        {"in Firefox", "f@webpack-internal:///./src/a.ts:2:1\n", "f@webpack:///a.ts?199c:6:1\n", 1, 1, NULL},
        {"another module", AT("f (webpack-internal:///./src/c.ts:2:1)"), NULL, 1, 0, BY_DEVTOOL},
        {"another module with the name of one", AT("f (webpack-internal:///./lib/b.js:2:1)"), NULL, 1, 0, BY_DEVTOOL},
        {"a script with the name of a module", AT("f (https://x.org/b.js:2:1)"), NULL, 1, 0,
         "none of the given source maps"},
        {"the bundle itself", AT("f (https://x.org/main.js:2:1)"), NULL, 1, 0, "none of the given source maps"},
        {"what was restored before", AT("f (webpack:///a.ts?199c:6:1)"), NULL, 0, 0, NULL},
    };
    struct folder folder;
    (void)state;
    framemap_session *session = session_of(&folder, false);
    check_all_restored(session, rows, COUNT_OF(rows));
    framemap_session_close(session);
    remove_tree(folder.path);
}

static void two_builds(void **state)
{
    static const struct restore_row rows[] = {
        {"both have the module", AT("f (webpack-internal:///./src/a.ts:2:1)"), NULL, 1, 0, "several source maps"},
        {"one has it", AT("f (webpack-internal:///./src/b.js:2:1)"), AT("f (webpack://app/src/b.js:6:1)"), 1, 1, NULL},
    };
    struct folder folder;
    (void)state;
    framemap_session *session = session_of(&folder, true);
    check_all_restored(session, rows, COUNT_OF(rows));
    framemap_session_close(session);
    remove_tree(folder.path);
}

/* The bundle itself has no map: the error names a module that has one. */
static void the_bundle_itself(void **state)
{
    static const struct {
        const char *file, *says;
    } rows[] = {{"main.js", "'FILE!webpack-internal:///./src/a.ts'"}, {"plain.js", "neither a mapping nor"}};
    struct folder folder;
    (void)state;
    framemap_session *session = session_of(&folder, false);
    for (size_t i = 0; i < COUNT_OF(rows); i++) {
        char path[512];
        framemap_error error = {0};
        const framemap_index *index = NULL;
        snprintf(path, sizeof path, "%s/%s", folder.path, rows[i].file);
        const framemap_image_query query = {.path = framemap_str_of(path)};
        assert_int_not_equal(framemap_session_index(session, &query, &index, &error), FRAMEMAP_OK);
        if (strstr(error.message, rows[i].says) == NULL) fail_msg("%s: %s", rows[i].file, error.message);
    }
    framemap_session_close(session);
    remove_tree(folder.path);
}

static bool restore_module(const framemap_allocator *allocator, void *context)
{
    static const char text[] = AT("f (webpack-internal:///./src/a.ts:2:1)");
    const struct folder *folder = context;
    struct fm_heap heap;
    struct fm_buf out;
    framemap_error error = {0};
    framemap_session *session = open_on(folder->path, allocator);
    if (session == NULL) return false;
    fm_heap_init(&heap, NULL, 0);
    fm_buf_init(&out, &heap);
    const framemap_status status =
        framemap_session_restore(session, framemap_str_of(text), NULL, gather, &out, NULL, &error);
    if (status != FRAMEMAP_OK) assert_int_equal(error.code, FRAMEMAP_E_MEMORY);
    fm_buf_free(&out);
    framemap_session_close(session);
    return status == FRAMEMAP_OK;
}

static void out_of_memory(void **state)
{
    struct folder folder;
    (void)state;
    framemap_session_close(session_of(&folder, true));
    sweep_allocations(restore_module, &folder);
    remove_tree(folder.path);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(one_bundle), cmocka_unit_test(two_builds),
                                       cmocka_unit_test(the_bundle_itself), cmocka_unit_test(out_of_memory)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
