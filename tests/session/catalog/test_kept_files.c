/* Tests session/catalog/kept_files.h, which keeps the contents of files between two uses. A kept file is returned once,
 * and is not returned if the file was changed. */
#include "session/catalog/kept_files.h"
#include "session/session_state.h"
#include "tests/session/session_help.h"

static struct folder folder;

static int set_up(void **state)
{
    (void)state;
    folder_make(&folder);
    return 0;
}

static int tear_down(void **state)
{
    (void)state;
    remove_tree(folder.path);
    return 0;
}

static void write_file(const char *text)
{
    FILE *file = fopen(in_folder(&folder, "a.gz"), "wb");
    assert_non_null(file);
    assert_int_equal(fwrite(text, 1, strlen(text), file), strlen(text));
    assert_int_equal(fclose(file), 0);
}

static framemap_str block_of(struct fm_heap *heap, framemap_str text)
{
    char *block = fm_heap_resize(heap, NULL, 0, text.size);
    assert_non_null(block);
    memcpy(block, text.data, text.size);
    return fm_str(block, text.size);
}

static void free_block(struct fm_heap *heap, framemap_str block)
{
    fm_heap_free(heap, (char *)(uintptr_t)block.data, block.size);
}

static void given_out_once(void **state)
{
    struct fm_heap heap;
    struct fm_kept_files kept;
    struct fm_mapfile file;
    (void)state;
    fm_heap_init(&heap, NULL, 0);
    fm_kept_files_init(&kept, &heap);
    kept.most = 8;
    write_file("packed");
    const char *const path = in_folder(&folder, "a.gz");
    assert_true(fm_kept_files_add(&kept, path, block_of(&heap, FM_STR("text"))));
    const framemap_str large = block_of(&heap, FM_STR("more than the rest"));
    assert_false(fm_kept_files_add(&kept, path, large));
    free_block(&heap, large);
    assert_true(fm_kept_files_take(&kept, path, &file));
    assert_str(file.bytes, "text");
    fm_mapfile_close(&file);
    assert_false(fm_kept_files_take(&kept, path, &file));
    fm_kept_files_free(&kept);
    assert_int_equal(heap.used, 0);
}

static void a_changed_file_is_not(void **state)
{
    struct fm_heap heap;
    struct fm_kept_files kept;
    struct fm_mapfile file;
    (void)state;
    fm_heap_init(&heap, NULL, 0);
    fm_kept_files_init(&kept, &heap);
    kept.most = 100;
    write_file("packed");
    assert_true(fm_kept_files_add(&kept, in_folder(&folder, "a.gz"), block_of(&heap, FM_STR("text"))));
    write_file("another one");
    assert_false(fm_kept_files_take(&kept, in_folder(&folder, "a.gz"), &file));
    write_file("a third");
    assert_true(fm_kept_files_add(&kept, in_folder(&folder, "a.gz"), block_of(&heap, FM_STR("text"))));
    fm_kept_files_free(&kept); /* the kept files are freed while one of them was not returned */
    assert_int_equal(heap.used, 0);
}

/* A session without a memory ceiling keeps the contents that it decompressed during the scan; a session with a ceiling
 * does not. */
static void sessions_keep_where_memory_allows(void **state)
{
    (void)state;
    for (unsigned i = 0; i < 2; i++) {
        const framemap_session_options options = {
            .size = sizeof options, .cache_path = "", .max_memory = i == 0 ? 0 : (uint64_t)256 << 20};
        framemap_session *session;
        framemap_error error = {0};
        struct fm_mapfile file = {.map = NULL};
        must_ok(framemap_session_open(&options, &session, &error), &error);
        must_ok(framemap_session_add(session, FM_SOURCE_DIR "/corpus/archives/app.aab", &error), &error);
        const bool is_kept = fm_kept_files_take(
            &session->catalog.kept, FM_SOURCE_DIR "/corpus/archives/app.aab!base/lib/arm64-v8a/libdemo.so", &file);
        assert_int_equal(is_kept, i == 0);
        fm_mapfile_close(&file);
        framemap_session_close(session);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(given_out_once, set_up, tear_down),
        cmocka_unit_test_setup_teardown(a_changed_file_is_not, set_up, tear_down),
        cmocka_unit_test(sessions_keep_where_memory_allows),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
