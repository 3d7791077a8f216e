/* Tests which source file is found for a path in symbols, and which files are neither listed nor opened. */
#define _XOPEN_SOURCE 700 /* this declares mkdtemp() and symlink() */
#include "core/archive/member_file.h"
#include "session/catalog/path_text.h"
#include "session/sources/source_tree.h"
#include "tests/testing.h"

#include <stdio.h>
#include <sys/stat.h>
#include <unistd.h>

/* --- making a folder of sources --- */

static char folder[] = "/tmp/framemap-sources-XXXXXX";
static struct fm_heap heap;

/* Runs shell commands in the folder. */
static void run(const char *commands)
{
    char line[2048];
    snprintf(line, sizeof line, "cd %s && %s", folder, commands);
    assert_int_equal(system(line), 0);
}

static int make_folder(void **state)
{
    (void)state;
    if (mkdtemp(folder) == NULL) return -1;
    run("mkdir -p repo/src/util repo/lib/src repo/app/src/main/java/com/x repo/.git out repo/twice/a "
        "repo/twice/b && touch repo/main.c repo/src/main.c repo/src/util/x.c repo/app/src/main/java/com/x/Shop.java "
        "repo/lib/main.dart repo/lib/src/a.dart repo/.git/hidden.c out/secret.c repo/twice/a/same.c "
        "repo/twice/b/same.c repo/src/zmain.c && ln -s ../out repo/linked && ln -s ../out/secret.c repo/secret.c && "
        "mkfifo repo/pipe.c");
    fm_heap_init(&heap, NULL, 0);
    return 0;
}

static int remove_folder(void **state)
{
    (void)state;
    run("rm -r \"$PWD\"");
    return 0;
}

static void add(struct fm_source_tree *tree, const char *name)
{
    char path[FM_PATH_ROOM];
    assert_true(fm_path_make(path, "%s/%s", folder, name));
    assert_int_equal(fm_source_tree_add(tree, path, NULL), FRAMEMAP_OK);
}

/* --- tests --- */

static void paths(void **state)
{
    (void)state;
    static const struct {
        const char *path, *want, *why;
    } rows[] = {
        {"/home/ci/build/src/util/x.c", "src/util/x.c", "the machine of the build has other folders around it"},
        {"src/util/x.c", "src/util/x.c", "the path itself"},
        {"./src/util/x.c", "src/util/x.c", "./"},
        {"../../src/util/x.c", "src/util/x.c", "../"},
        {"C:\\build\\src\\util\\x.c", "src/util/x.c", "Windows"},
        {"/other/util/x.c", "src/util/x.c", "a folder and a name"},
        {"/other/x.c", "", "the name alone"},
        {"x.c", "src/util/x.c", "all of the path"},
        {"/home/ci/main.c", "main.c", "all of the file's path"},
        {"main.c", "main.c", "of several, the file with that path"},
        {"/home/ci/src/main.c", "src/main.c", "the longest"},
        {"/home/src/amain.c", "", "a part of a name"},
        {"com/x/Shop.java", "app/src/main/java/com/x/Shop.java", "Java"},
        {"com/y/Shop.java", "", "another package"},
        {"package:app/main.dart", "lib/main.dart", "a package of Dart"},
        {"package:app/src/a.dart", "lib/src/a.dart", "below its lib"},
        {"file:///home/ci/app/lib/main.dart", "lib/main.dart", "a scheme"},
        {"webpack:///./src/util/x.c?1a2b", "src/util/x.c", "a query"},
        {"same.c", "", "several"},
        {"/b/same.c", "twice/b/same.c", "the folder decides"},
        {"hidden.c", "", "below a folder with a dot"},
        {"/x/../repo/../out/secret.c", "", "outside"},
        {"../out/secret.c", "", "outside"},
        {"linked/secret.c", "", "a link to a folder"},
        {"secret.c", "", "a link to a file"},
        {"pipe.c", "", "no regular file"},
        {"", "", "no path"},
        {"/", "", "no name"},
        {"src/", "", "a folder"},
        {"://", "", "a scheme alone"},
    };
    struct fm_source_tree tree;
    fm_source_tree_init(&tree, &heap);
    add(&tree, "repo");
    for (size_t i = 0; i < COUNT_OF(rows); i++) {
        const uint32_t file = fm_source_tree_find(&tree, framemap_str_of(rows[i].path));
        const framemap_str path = file == FM_NO_SOURCE ? framemap_str_of("") : tree.files[file].path;
        if (!fm_str_equal(path, framemap_str_of(rows[i].want))) print_message("%s: %s\n", rows[i].path, rows[i].why);
        assert_str(path, rows[i].want);
    }
    fm_source_tree_free(&tree);
}

static void several_folders(void **state)
{
    (void)state;
    char path[FM_PATH_ROOM], wanted[FM_PATH_ROOM];
    struct fm_source_tree tree;
    fm_source_tree_init(&tree, &heap);
    add(&tree, "repo/twice/b");
    add(&tree, "repo/twice/a");
    const uint32_t file = fm_source_tree_find(&tree, framemap_str_of("/home/ci/same.c"));
    assert_int_not_equal(file, FM_NO_SOURCE);
    assert_true(fm_source_tree_path(&tree, file, path));
    assert_true(fm_path_make(wanted, "%s/repo/twice/b/same.c", folder));
    /* if the file is in two folders, the one in the folder that was added first is used */
    assert_string_equal(path, wanted);
    fm_source_tree_free(&tree);
}

/* A file that is replaced by a symbolic link after it was listed is not opened. */
static void replaced_by_a_link(void **state)
{
    (void)state;
    char path[FM_PATH_ROOM];
    struct fm_source_tree tree;
    fm_source_tree_init(&tree, &heap);
    run("mkdir late && touch late/secret.c");
    add(&tree, "late");
    const uint32_t file = fm_source_tree_find(&tree, framemap_str_of("secret.c"));
    assert_true(fm_source_tree_path(&tree, file, path));
    run("ln -sf ../out/secret.c late/secret.c");
    assert_false(fm_source_tree_path(&tree, file, path));
    run("rm -r late");
    assert_false(fm_source_tree_path(&tree, file, path));
    fm_source_tree_free(&tree);
}

static void missing_folder(void **state)
{
    (void)state;
    framemap_error error = {0};
    struct fm_source_tree tree;
    fm_source_tree_init(&tree, &heap);
    assert_int_equal(fm_source_tree_add(&tree, "/no/such/folder", &error), FRAMEMAP_E_IO);
    assert_string_equal(error.where, "/no/such/folder");
    assert_int_equal(fm_source_tree_find(&tree, framemap_str_of("main.c")), FM_NO_SOURCE);
    fm_source_tree_free(&tree);
}

/* Tests source files in archives: a zip archive, and source bundles whose manifest is compressed or not. For each path,
 * the correct file must be found, and its text be read. */
static void archives(void **state)
{
    (void)state;
    static const char maker[] =
        "python3 - <<'END'\n"
        "import io, json, zipfile\n"
        "zipfile.ZipFile('plain.zip', 'w').writestr('src/util/x.c', 'plain')\n"
        "files = {'files/_/_/a/x.c': {'type': 'source', 'path': '/ci/src/util/x.c', 'url': ''},\n"
        "         'files/_/_/Shop.jvm': {'type': 'source', 'url': '~/com/x/Shop.jvm'},\n"
        "         'files/_/_/app.js': {'type': 'minified_source', 'path': '/ci/app.js'},\n"
        "         'files/_/_/lost': {'type': 'source'}, 'files/_/_/odd': 7}\n"
        "for name, packing in ('stored', zipfile.ZIP_STORED), ('deflated', zipfile.ZIP_DEFLATED):\n"
        "    with open(name + '.bundle', 'wb') as out:\n"
        "        out.write(b'SYSB\\2\\0\\0\\0')\n"
        "        with zipfile.ZipFile(out, 'a', packing) as bundle:\n"
        "            for key in files: bundle.writestr(key, key)\n"
        "            bundle.writestr('manifest.json', json.dumps({'files': files}))\n"
        "END";
    static const struct {
        const char *archive, *path, *text;
    } rows[] = {
        {"plain.zip", "/home/ci/src/util/x.c", "plain"},
        {"plain.zip", "/home/x.c", NULL},
        {"stored.bundle", "/ci/src/util/x.c", "files/_/_/a/x.c"},
        {"stored.bundle", "com/x/Shop.kt", "files/_/_/Shop.jvm"},
        {"stored.bundle", "com/x/Shop.java", "files/_/_/Shop.jvm"},
        {"stored.bundle", "/ci/app.js", NULL},
        {"stored.bundle", "files/_/_/a/x.c", NULL},
        {"deflated.bundle", "util/x.c", "files/_/_/a/x.c"},
    };
    run(maker);
    for (size_t i = 0; i < COUNT_OF(rows); i++) {
        struct fm_source_tree tree;
        struct fm_mapfile file = {0};
        char path[FM_PATH_ROOM];
        fm_source_tree_init(&tree, &heap);
        add(&tree, rows[i].archive);
        const uint32_t found = fm_source_tree_find(&tree, framemap_str_of(rows[i].path));
        if ((found == FM_NO_SOURCE) != (rows[i].text == NULL)) fail_msg("%s: %s", rows[i].archive, rows[i].path);
        if (rows[i].text) {
            assert_true(fm_source_tree_path(&tree, found, path));
            assert_int_equal(fm_member_file_open(path, SIZE_MAX, &heap, &file, NULL), FRAMEMAP_OK);
            assert_str(file.bytes, rows[i].text);
        }
        fm_mapfile_close(&file);
        fm_source_tree_free(&tree);
    }
}

/* Tests files that are not archives, and bundles with a damaged manifest. */
static void bad_archives(void **state)
{
    (void)state;
    static const struct {
        const char *name, *make;
        framemap_status status;
    } rows[] = {
        {"text.txt", "echo text > text.txt", FRAMEMAP_E_FORMAT},
        {"cut.zip", "head -c 40 plain.zip > cut.zip", FRAMEMAP_E_TRUNCATED},
        {"bad.bundle", "sed 's/{\"files\"/[\"files\"/' stored.bundle > bad.bundle", FRAMEMAP_E_CORRUPT},
    };
    for (size_t i = 0; i < COUNT_OF(rows); i++) {
        char path[FM_PATH_ROOM];
        framemap_error error = {0};
        struct fm_source_tree tree;
        run(rows[i].make);
        assert_true(fm_path_make(path, "%s/%s", folder, rows[i].name));
        fm_source_tree_init(&tree, &heap);
        assert_int_equal(fm_source_tree_add(&tree, path, &error), rows[i].status);
        assert_string_equal(error.where, path);
        fm_source_tree_free(&tree);
    }
}

static bool add_within(const framemap_allocator *allocator, void *context)
{
    struct fm_heap own;
    struct fm_source_tree tree;
    fm_heap_init(&own, allocator, 0);
    fm_source_tree_init(&tree, &own);
    framemap_status status = FRAMEMAP_OK;
    for (int i = 0; i < 2 && !status; i++) status = fm_source_tree_add(&tree, context, NULL);
    assert_true(status == FRAMEMAP_OK || status == FRAMEMAP_E_MEMORY);
    fm_source_tree_free(&tree);
    return status == FRAMEMAP_OK;
}

static void memory(void **state)
{
    (void)state;
    assert_between(sweep_allocations(add_within, folder), 5, 200);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(paths),          cmocka_unit_test(several_folders), cmocka_unit_test(replaced_by_a_link),
        cmocka_unit_test(missing_folder), cmocka_unit_test(archives),        cmocka_unit_test(bad_archives),
        cmocka_unit_test(memory)};
    return cmocka_run_group_tests(tests, make_folder, remove_folder);
}
