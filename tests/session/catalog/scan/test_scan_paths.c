/* Tests the scan of symbol folders: how much memory the scan needs, and that other files in the folders do no harm. */
#include "tests/session/session_help.h"
#include <zlib.h>

#define PROGRAM FM_SOURCE_DIR "/corpus/demo/symbols/libdemo.so"

enum { CEILING = 24 << 20, LARGE = 96 << 20, PIECE = 1 << 20 };

static struct folder folder;

static int set_up(void **state)
{
    (void)state;
    folder_make(&folder);
    assert_int_equal(symlink(PROGRAM, in_folder(&folder, "libdemo.so")), 0);
    return 0;
}

static int tear_down(void **state)
{
    (void)state;
    remove_tree(folder.path);
    return 0;
}

/* Writes a compressed file, whose contents are `head` and many zeros. */
static void pack(const char *name, const void *head, unsigned size)
{
    static const char zeros[PIECE];
    gzFile file = gzopen(in_folder(&folder, name), "wb1");
    assert_non_null(file);
    assert_int_equal(gzwrite(file, head, size), size);
    for (unsigned i = 0; i < LARGE / PIECE; i++) assert_int_equal(gzwrite(file, zeros, PIECE), PIECE);
    assert_int_equal(gzclose(file), Z_OK);
}

/* Opens a session on the folder with little memory. The session must find the program. */
static void find_program(struct warnings *warnings)
{
    const char *path = folder.path;
    framemap_session *session = NULL;
    framemap_error error = {0};
    framemap_str out;
    const framemap_session_options options = {.size = sizeof options,
                                              .symbol_paths = &path,
                                              .symbol_path_count = 1,
                                              .cache_path = "",
                                              .max_memory = CEILING,
                                              .warning = keep_warning,
                                              .context = warnings};
    const framemap_image_query want = {.name = FM_STR("libdemo.so")};
    must_ok(framemap_session_open(&options, &session, &error), &error);
    must_ok(framemap_session_debug_file(session, &want, &out, &error), &error);
    assert_true(fm_str_ends(out, FM_STR("/libdemo.so")));
    framemap_session_close(session);
}

/* A log next to the symbols is not decompressed; its contents would be larger than the limit and the memory ceiling. */
static void other_compressed_files_are_passed_over(void **state)
{
    struct warnings warnings = {0};
    (void)state;
    pack("app.log.gz", "a line\n", 7);
    find_program(&warnings);
    assert_int_equal(warnings.count, 0);
}

/* A compressed symbol file that does not fit below the memory ceiling causes a warning, and the other files are
 * found. */
static void a_compressed_symbol_file_that_is_too_large_is_a_warning(void **state)
{
    struct warnings warnings = {0};
    char head[4096];
    FILE *file = fopen(PROGRAM, "rb");
    (void)state;
    assert_non_null(file);
    assert_int_equal(fread(head, 1, sizeof head, file), sizeof head);
    fclose(file);
    pack("large.so.gz", head, sizeof head);
    find_program(&warnings);
    assert_int_equal(warnings.count, 1);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(other_compressed_files_are_passed_over, set_up, tear_down),
        cmocka_unit_test_setup_teardown(a_compressed_symbol_file_that_is_too_large_is_a_warning, set_up, tear_down),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
