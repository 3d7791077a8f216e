/* Tests how content hashes are found in the file names of scripts. */
#include "session/catalog/js_file_name.h"
#include "tests/testing.h"

static void hashes_in_names(void **state)
{
    (void)state;
    static const struct {
        /* hashes: the expected hashes, separated by blanks; bare: the name without them; "": no other part is left */
        const char *name, *hashes, *bare;
    } names[] = {
        {"main.js", "", ""},
        {"main.f6b17586.chunk.js", "f6b17586", "main.chunk.js"},
        {"main.f6b17.js", "", ""},  /* "f6b17" is too short for a hash */
        {"main.facade.js", "", ""}, /* "facade" consists of hexadecimal digits, but is a word */
        {"main.facade1.js", "facade1", "main.js"},
        {"f6b17586.main.js", "f6b17586", "main.js"},
        {"f6b17586.js", "f6b17586", ""},
        {"f6b17586", "f6b17586", ""},
        {"main-f6b17586", "f6b17586", "main"},
        {"app~d0ae3f07.a1b2c3d4.js", "d0ae3f07 a1b2c3d4", "app.js"},
        {"index-DhJ3x8_k.js", "DhJ3x8_k", "index.js"},
        {"index-C-_x2Qab.js", "C-_x2Qab", "index.js"},
        {"main-5QWXZ7AB.js", "5QWXZ7AB", "main.js"},
        {"2hwf8oodwnt_0.js", "2hwf8oodwnt", ""},
        {"12ay6odrnbt53.js", "12ay6odrnbt53", ""},
        {"jquery-3.7.1.min.js", "", ""},
        {"polyfills-es2015.js", "", ""},
        {"app-version2.js", "", ""},
        {"someWidget2.js", "", ""},
        {"bootstrap4.bundle.js", "", ""},
        {"web3modal.js", "", ""},
        {"app-h2Client.js", "", ""},
        {"app-base64Encoder.js", "", ""},
        {"app-i18nProvider.js", "", ""},
        {"main.Ab3dEfGhIj.js", "Ab3dEfGhIj", "main.js"},
        {"chunk-vendors.js", "", ""},
        {"entry-d41d8cd98f00b204e9800998ecf8427e.hbc", "d41d8cd98f00b204e9800998ecf8427e", "entry.hbc"},
        {"", "", ""},
        {".", "", ""},
        {"...", "", ""},
        {"-", "", ""},
        {"a1b2c3d4.a1b2c3d5.a1b2c3d6.a1b2c3d7.a1b2c3d8.js", "a1b2c3d4 a1b2c3d5 a1b2c3d6 a1b2c3d7", "a1b2c3d8.js"},
    };
    for (size_t i = 0; i < COUNT_OF(names); i++) {
        struct fm_heap heap;
        struct fm_arena arena;
        framemap_str hashes[FM_JS_NAME_HASHES], bare;
        char all[200] = "";
        fm_heap_init(&heap, NULL, 0);
        fm_arena_init(&arena, &heap);
        const unsigned count = fm_js_name_hashes(framemap_str_of(names[i].name), hashes);
        for (unsigned k = 0; k < count; k++)
            snprintf(all + strlen(all), sizeof all - strlen(all), "%s%.*s", k ? " " : "", (int)hashes[k].size,
                     hashes[k].data);
        assert_string_equal(all, names[i].hashes);
        assert_true(fm_js_bare_name(framemap_str_of(names[i].name), &arena, &bare));
        if (!fm_str_equal(bare, framemap_str_of(names[i].bare)))
            fail_msg("%s: \"%.*s\"", names[i].name, (int)bare.size, bare.data);
        fm_arena_free(&arena);
    }
}

static void files_taken_apart(void **state)
{
    (void)state;
    static const struct {
        /* folders: the expected folders, with '/' in place of each NUL */
        const char *file, *name, *raw_name, *folders, *platform;
    } files[] = {
        {"main.js", "main.js", "main.js", "", ""},
        {"https://x.example/a/b/main.js?v=1#f", "main.js", "main.js?v=1#f", "b/a/x.example/", ""},
        {"/a/./b/../c/main.js", "main.js", "main.js", "c/a/", ""},
        {"../../main.js", "main.js", "main.js", "", ""},
        {"C:\\a\\b.js", "b.js", "b.js", "a/C:/", ""},
        {"http://h:8081/index.bundle//&platform=ios&dev=true", "index.bundle", "index.bundle//&platform=ios&dev=true",
         "h:8081/", "ios"},
        {"http://h:8081/index.bundle?dev=true&platform=android#x", "index.bundle",
         "index.bundle?dev=true&platform=android#x", "h:8081/", "android"},
        {"a%2Fb%2fc.js", "c.js", "a%2Fb%2fc.js", "b/a/", ""},
        {"a%00b.js", "a?b.js", "a%00b.js", "", ""},
        {"%", "%", "%", "", ""},
        {"%4", "%4", "%4", "", ""},
        {"/", "", "", "", ""},
        {"?", "", "?", "", ""},
        {"//&", "", "//&", "", ""},
        {"", "", "", "", ""},
        {"x://", "", "", "", ""},
    };
    for (size_t i = 0; i < COUNT_OF(files); i++) {
        struct fm_heap heap;
        struct fm_arena arena;
        struct fm_js_file_name file;
        fm_heap_init(&heap, NULL, 0);
        fm_arena_init(&arena, &heap);
        assert_true(fm_js_file_name_read(framemap_str_of(files[i].file), &arena, &file));
        for (size_t k = 0; k < file.folders.size; k++)
            if (file.folders.data[k] == 0) ((char *)(uintptr_t)file.folders.data)[k] = '/';
        if (!fm_str_equal(file.name, framemap_str_of(files[i].name)) ||
            !fm_str_equal(file.raw_name, framemap_str_of(files[i].raw_name)) ||
            !fm_str_equal(file.folders, framemap_str_of(files[i].folders)) ||
            !fm_str_equal(file.platform, framemap_str_of(files[i].platform)))
            fail_msg("%s: \"%.*s\" \"%.*s\" \"%.*s\" \"%.*s\"", files[i].file, (int)file.name.size, file.name.data,
                     (int)file.raw_name.size, file.raw_name.data, (int)file.folders.size, file.folders.data,
                     (int)file.platform.size, file.platform.data);
        fm_arena_free(&arena);
    }
}

static void modules_of_webassembly(void **state)
{
    (void)state;
    static const struct {
        const char *printed, *name;
    } names[] = {
        {"wasm://wasm/app.wasm-2ce17b2a", "app.wasm"},
        {"wasm://wasm/my-app-2ce17b2a", "my-app"},
        {"wasm://wasm/2ce17b2a", "2ce17b2a"},
        {"wasm://wasm/-2ce17b2a", "-2ce17b2a"},
        {"wasm://wasm/app.wasm", "app.wasm"},
        {"wasm://wasm/app.wasm-2ce17b2", "app.wasm-2ce17b2"},
        {"wasm://wasm/app.wasm_2ce17b2a", "app.wasm_2ce17b2a"},
        {"https://x/app.wasm-2ce17b2a", "app.wasm-2ce17b2a"},
    };
    for (size_t i = 0; i < COUNT_OF(names); i++) {
        struct fm_heap heap;
        struct fm_arena arena;
        struct fm_js_file_name file;
        fm_heap_init(&heap, NULL, 0);
        fm_arena_init(&arena, &heap);
        assert_true(fm_js_file_name_read(framemap_str_of(names[i].printed), &arena, &file));
        if (!fm_str_equal(file.name, framemap_str_of(names[i].name)))
            fail_msg("%s: \"%.*s\"", names[i].printed, (int)file.name.size, file.name.data);
        fm_arena_free(&arena);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(hashes_in_names), cmocka_unit_test(modules_of_webassembly),
                                       cmocka_unit_test(files_taken_apart)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
