/* Tests JavaScript frames whose source map is closed (session/restore/js_recall.c). The sessions keep no index open, so
 * when a text is restored the second time, cached answers are used. The result must be the same as with all indexes
 * open. */
#include "core/mapfile.h"
#include "tests/session/restore/recall_help.h"

#define AT(row) "    at " row "\n"
#define BUNDLES FM_SOURCE_DIR "/corpus/javascript/bundles/"
/* this file consists of a script, a NUL byte, and the script's map */
#define WEB FM_SOURCE_DIR "/corpus/fuzz/named/dart2js"

/* A map in which the function boom at a.ts:5 is called by run at a.ts:9, and run by the code at a.ts:14. Column 41 has
 * no source. */
static const char small[] =
    "{\"version\":3,\"sources\":[\"src/a.ts\",\"node_modules/b.js\"],\"names\":[\"boom\",\"run\",\"call\",\"lib\"],"
    "\"ignoreList\":[1],\"mappings\":\"AAAA,UAIQ,UAIJA,UAKFC,U,UAAOC,UCZTC\"}";
/* The generated text of the map `small`, in which the function at column 11 has no name. */
static const char small_script[] = "/********/(()=>{ 0})();function q(){boom()}run();call();lib();1234567890";
static const char renamed[] =
    "{\"version\":3,\"sources\":[\"src/new.ts\"],\"names\":[\"boom\",\"run\"],\"mappings\":\"AAAA,UAIQ,UAIJA,UAKFC\"}";
/* A map with a source that has the name of a script. */
static const char same_name[] = "{\"version\":3,\"sources\":[\"/srv/lib/x.js\"],\"names\":[],\"mappings\":\"AAAA\"}";
/* A bundle that consists of parts; its module 0 is at line 4. */
static const char parts[] = "{\"version\":3,\"sources\":[\"/app/index.js\"],\"names\":[],\"x_facebook_offsets\":[4],"
                            "\"mappings\":\"AAAA;;;;EAoGA\"}";

static const char first[] = AT("f (/app/other.js:1:1)");

/* Texts whose answers are all cached once the text was restored. */
static const char *const texts[] = {
    "Error: no\n" AT("t (https://x.org/main.js:1:11)") AT("e (https://x.org/main.js:1:21)")
        AT("https://x.org/main.js:1:31"),
    AT("t (main.js:1:11)") AT("e (main.js:1:21)") AT("u (main.js:1:11)") AT("lib (main.js:1:61)"),
    AT("Object.t [as go] (/app/main.js:1:11)") AT("new e (/app/main.js:1:21)") AT("u (/app/main.js:1:31)"),
    AT("t (/app/main.js:1:41)") AT("t (/app/main.js:7:41)") AT("t (/app/main.js:1)") AT("t (/app/main.js:1:16)"),
    AT("t (/app/main.js:1:11)") AT("e (/app/other.js:1:11)") AT("e (/app/third.js:1:11)"),
    AT("boom (src/a.ts:5:9)") AT("t (/app/main.js:1:11)") AT("src/a.ts:14:3"),
    AT("f (/srv/lib/x.js:1:1)") AT("t (/app/main.js:1:11)"),
    AT("t (/app/text.js:1:18)") AT("e (/app/text.js:1:21)") AT("u (/app/text.js:1:31)"),
    "t@https://x.org/main.js:1:11\n@https://x.org/main.js:1:21\nforEach@[native code]\n",
};

static char *corpus_texts[8];
static size_t corpus_text_count;

static framemap_str read_corpus(const char *name)
{
    struct fm_mapfile file;
    char path[512];
    snprintf(path, sizeof path, BUNDLES "%s", name);
    if (fm_mapfile_open(path, &file, NULL) != FRAMEMAP_OK) fail_msg("%s: can't be read", path);
    char *copy = malloc(file.bytes.size + 1);
    assert_non_null(copy);
    memcpy(copy, file.bytes.data, file.bytes.size);
    copy[file.bytes.size] = '\0';
    const framemap_str text = fm_str(copy, file.bytes.size);
    fm_mapfile_close(&file);
    return text;
}

static void put_map(const struct folder *folder, const char *file, framemap_str map, const char *name,
                    framemap_str script)
{
    const framemap_build_options options = {.size = sizeof options, .script = script, .keep_sources = true};
    framemap_bytes bytes = {.data = NULL};
    framemap_error error = {0};
    must_ok(framemap_index_build(map, framemap_str_of(name), &options, &bytes, &error), &error);
    put_file(folder, file, framemap_bytes_str(&bytes));
    framemap_bytes_free(&bytes);
}

static void put_small(const struct folder *folder, const char *file, const char *map, const char *name)
{
    put_map(folder, file, framemap_str_of(map), name, (framemap_str){NULL, 0});
}

/* Copies a bundle of the corpus into the folder, and adds its stacks to the texts. script: NULL if the stacks need only
 * the map. */
static void put_bundle(const struct folder *folder, const char *script, const char *map, const char *stack)
{
    const framemap_str text = script ? read_corpus(script) : (framemap_str){NULL, 0}, bytes = read_corpus(map);
    char file[64];
    snprintf(file, sizeof file, "bundle%zu.fmx", corpus_text_count);
    put_map(folder, file, bytes, strrchr(map, '/') + 1, text);
    corpus_texts[corpus_text_count++] = (char *)(uintptr_t)read_corpus(stack).data;
    free((char *)(uintptr_t)text.data);
    free((char *)(uintptr_t)bytes.data);
}

static void put_web(const struct folder *folder)
{
    struct fm_mapfile file;
    assert_int_equal(fm_mapfile_open(WEB, &file, NULL), FRAMEMAP_OK);
    const size_t end = fm_str_find_byte(file.bytes, '\0');
    put_map(folder, "web.fmx", fm_str_from(file.bytes, end + 1), "main.dart.js.map", fm_str_slice(file.bytes, 0, end));
    fm_mapfile_close(&file);
}

static int set_up(void **state)
{
    static struct folder folder;
    folder_make(&folder);
    put_small(&folder, "main.fmx", small, "main.js.map");
    put_small(&folder, "other.fmx", small, "other.js.map");
    put_small(&folder, "x.fmx", same_name, "x.js.map");
    put_small(&folder, "parts.fmx", parts, "index.jsbundle.map");
    put_map(&folder, "text.fmx", framemap_str_of(small), "text.js.map", FM_STR(small_script));
    put_web(&folder);
    put_bundle(&folder, "webpack/main.43299563.cjs", "webpack/main.43299563.cjs.map", "webpack/stack.txt");
    put_bundle(&folder, NULL, "hermes/index.android.bundle.map", "hermes/stack.txt");
    *state = &folder;
    return 0;
}

static int tear_down(void **state)
{
    const struct folder *folder = *state;
    remove_tree(folder->path);
    for (size_t i = 0; i < corpus_text_count; i++) free(corpus_texts[i]);
    return 0;
}

static void answers_outlive_their_map(void **state)
{
    const struct folder *folder = *state;
    static const framemap_demangle styles[] = {FRAMEMAP_DEMANGLE_DEFAULT};
    check_recalled(folder->path, first, texts, COUNT_OF(texts), styles, COUNT_OF(styles));
    check_recalled(folder->path, first, (const char *const *)corpus_texts, corpus_text_count, styles, COUNT_OF(styles));
}

/* The answers for some frames of a stack are cached; the map is opened for the other frames. A map that has parts or
 * minified names is opened each time. */
static void a_stack_may_be_known_in_part(void **state)
{
    const struct folder *folder = *state;
    static const char *const more[] = {
        "f@0.js:1:3\ng@/var/x/index.jsbundle:1:1\n",
        "g@/var/x/index.jsbundle:1:1\nf@0.js:1:3\n",
        AT("g (address at /var/x/index.jsbundle:1:3)"),
        AT("g (address at /app/main.js:1:10)") AT("g (address at /app/main.js:1:99999999999)"),
        "Uncaught Error: Instance of 'minified:b'\n" AT("f (https://x/main.dart.js:3:11)"),
        AT("t (/app/main.js:1:11)") AT("e (/app/main.js:1:12)") AT("e (/app/main.js:1:21)"),
        AT("t (/app/unknown.js:1:11)") AT("t (wasm://wasm/main-33df18de:wasm-function[1]:0x14)"),
    };
    const char *all[COUNT_OF(texts) + COUNT_OF(more)];
    for (size_t i = 0; i < COUNT_OF(texts); i++) all[i] = texts[i];
    for (size_t i = 0; i < COUNT_OF(more); i++) all[COUNT_OF(texts) + i] = more[i];
    check_in_turn(folder->path, all, COUNT_OF(all));
}

/* The only map of a session is found by the name of its script. It is not used for other scripts, even while its index
 * is closed. */
static void the_only_map(void **state)
{
    (void)state;
    static const char *const all[] = {"backtrace:\n      #00 pc 0000000000010104  /data/app/libapp.so\n",
                                      AT("t (/app/main.js:1:11)") AT("e (src/lib.js:1:21)")};
    static const struct made_image image = {.name = "libapp.so", .id = "", .arch = "arm64", .functions = {"main"}};
    struct folder folder;
    folder_make(&folder);
    put_small(&folder, "main.fmx", small, "main.js.map");
    put_index(&folder, "libapp.so.fmx", &image);
    check_in_turn(folder.path, all, COUNT_OF(all));
    remove_tree(folder.path);
}

/* A module that was found by its hash is not used for frames of other modules, even if the session has only this
 * module. */
static void the_only_module(void **state)
{
    (void)state;
    static const char *const all[] = {
        AT("f (wasm://wasm/dab45e72:wasm-function[1]:0x14)"), AT("g (wasm://wasm/aab45e73:wasm-function[1]:0x10104)"),
        "Error: one\n" AT("f (wasm://wasm/dab45e72:wasm-function[1]:0x14)") "\nError: two\n" AT(
            "g (wasm://wasm/aab45e73:wasm-function[1]:0x10104)"),
        AT("f (wasm://wasm/dab45e72:wasm-function[1]:0x14)") AT("g (wasm://wasm/aab45e73:wasm-function[1]:0x10104)")};
    static const struct made_image module = {
        .name = "trap.wasm", .kind = "wasm", .id = "", .arch = "wasm32", .functions = {"_Z4trapv"}};
    struct folder folder;
    folder_make(&folder);
    put_small(&folder, "map.fmx", small, "dab45e72.map");
    put_index(&folder, "trap.wasm.fmx", &module);
    check_in_turn(folder.path, all, COUNT_OF(all));
    remove_tree(folder.path);
}

/* The source lines around a frame are not cached, but read from the map, so the map is opened. */
static void context_needs_the_map(void **state)
{
    const struct folder *folder = *state;
    const framemap_restore_options options = {.size = sizeof options, .output = "json", .context = 2};
    const framemap_str text = framemap_str_of(corpus_texts[0]);
    framemap_session *plain = session_on(folder->path), *session = forgetful_on(folder->path, NULL);
    struct fm_heap heap;
    struct fm_buf got, want;
    framemap_error error = {0};
    framemap_restore_summary summary;
    fm_heap_init(&heap, NULL, 0);
    fm_buf_init(&got, &heap);
    fm_buf_init(&want, &heap);
    restore(session, first, &got);
    for (size_t round = 0; round < 2; round++) restore(session, corpus_texts[0], &got);
    fm_buf_clear(&got);
    must_ok(framemap_session_restore(session, text, &options, gather, &got, &summary, &error), &error);
    must_ok(framemap_session_restore(plain, text, &options, gather, &want, &summary, &error), &error);
    assert_true(fm_str_find(fm_buf_view(&want), FM_STR("\"context\"")) != FM_NOT_FOUND);
    assert_same(&got, &want, corpus_texts[0]);
    restore(session, corpus_texts[0], &got);
    restore(plain, corpus_texts[0], &want);
    assert_same(&got, &want, corpus_texts[0]);
    framemap_session_close(session);
    framemap_session_close(plain);
    fm_buf_free(&got);
    fm_buf_free(&want);
}

/* The map is replaced at each point during a call. The answers for all frames must come from the same file, or one of
 * the frames is refused. */
static void answers_of_two_files_never_mix(void **state)
{
    const struct folder *folder = *state;
    static const char known[] = AT("t (/app/main.js:1:11)"),
                      both[] = AT("t (/app/main.js:1:11)") AT("t (/app/main.js:1:21)") AT("t (main.js:1:12)");
    struct folder other;
    struct fm_heap heap;
    struct fm_buf out;
    size_t of_old = 0;
    folder_make(&other);
    fm_heap_init(&heap, NULL, 0);
    fm_buf_init(&out, &heap);
    for (size_t at = 0, last = 1; at < last; at++) {
        struct replacing replacing = {SIZE_MAX, 0, in_folder(folder, "main.fmx"), in_folder(&other, "new")};
        const framemap_allocator allocator = {replacing_resize, &replacing};
        put_small(folder, "main.fmx", small, "main.js.map");
        put_small(&other, "new", renamed, "main.js.map");
        framemap_session *session = forgetful_on(folder->path, &allocator);
        for (size_t round = 0; round < 2; round++) restore(session, known, &out);
        replacing.requests = 0;
        replacing.at = at;
        restore(session, both, &out);
        last = replacing.requests;
        const bool has_old = fm_str_find(fm_buf_view(&out), FM_STR("a.ts\"")) != FM_NOT_FOUND;
        const bool has_new = fm_str_find(fm_buf_view(&out), FM_STR("new.ts\"")) != FM_NOT_FOUND;
        if (has_old && has_new) fail_msg("replaced at request %zu: mixed\n%.*s", at, (int)out.size, out.data);
        of_old += has_old;
        framemap_session_close(session);
    }
    assert_true(of_old > 0);
    remove_tree(other.path);
    fm_buf_free(&out);
    put_small(folder, "main.fmx", small, "main.js.map");
}

/* A stream restores its traces in batches. The map that was found for a script in one batch is used in the next
 * ones. */
static void batches_of_a_stream(void **state)
{
    enum { TRACES = 3000 };
    const struct folder *folder = *state;
    framemap_session *plain = session_on(folder->path), *session = forgetful_on(folder->path, NULL);
    struct fm_heap heap;
    struct fm_buf text, got, want;
    fm_heap_init(&heap, NULL, 0);
    fm_buf_init(&text, &heap);
    fm_buf_init(&got, &heap);
    fm_buf_init(&want, &heap);
    for (unsigned i = 0; i < TRACES; i++)
        fm_buf_printf(&text, "Error: no\n" AT("t (https://x.org/main.js:1:%u)") AT("e (/app/other.js:1:%u)") "\n",
                      i % 70 + 1, i % 60 + 1);
    fm_buf_byte(&text, '\0');
    restore(session, texts[4], &got);
    for (size_t round = 0; round < 2; round++) {
        restore(session, text.data, &got);
        restore(plain, text.data, &want);
        assert_same(&got, &want, "a long text");
    }
    framemap_session_close(session);
    framemap_session_close(plain);
    fm_buf_free(&text);
    fm_buf_free(&got);
    fm_buf_free(&want);
}

static void memory_may_be_short(void **state)
{
    const struct folder *folder = *state;
    check_short_memory(&(struct recalled_text){folder->path, texts[0], "\"boom\""});
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(answers_outlive_their_map), cmocka_unit_test(the_only_map),
        cmocka_unit_test(the_only_module),           cmocka_unit_test(a_stack_may_be_known_in_part),
        cmocka_unit_test(context_needs_the_map),     cmocka_unit_test(answers_of_two_files_never_mix),
        cmocka_unit_test(batches_of_a_stream),       cmocka_unit_test(memory_may_be_short),
    };
    return cmocka_run_group_tests(tests, set_up, tear_down);
}
