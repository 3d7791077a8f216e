/* Compares the reader with R8's retrace on a collection of mappings: whether each is accepted; if not, the message
 * with line and column; and the number of warnings. The test is skipped if there is no collection. */
#include "tests/mappers/java/r8_help.h"

#include "core/json/json.h"
#include "core/mapfile.h"
#include <dirent.h>

static const char *const folders[] = {"extra", "regex", "retrace"};

static void folder_path(char *out, size_t room, const char *folder)
{
    const char *named = getenv("FRAMEMAP_CASES");
    snprintf(out, room, "%s/r8/%s", named ? named : FM_SOURCE_DIR "/../shared/cases", folder);
}

struct wanted {
    framemap_str mapping, error;
    uint64_t warnings;
    bool is_refused;
};

static struct wanted read_wanted(const struct fm_json *json, struct fm_arena *arena)
{
    struct wanted w = {.warnings = 0};
    assert_true(fm_json_string(json, fm_json_get(json, 0, "mapping"), arena, &w.mapping));
    w.is_refused = fm_json_string(json, fm_json_get(json, 0, "error"), arena, &w.error);
    fm_json_u64(json, fm_json_get(json, 0, "warnings"), &w.warnings);
    return w;
}

/* Whether R8 reports a mapping's fault only when it restores a stack. This is so if a rewrite removes more frames than
 * there are. */
static bool warns_later(framemap_str mapping)
{
    return fm_str_find(mapping, FM_STR("removeInnerFrames")) != FM_NOT_FOUND;
}

static void check_case(const char *name, const struct wanted *w)
{
    static const char prefix[] = "ParseException: ";
    struct mapping m;
    read_mapping(&m, w->mapping, "r8", true, NULL);
    if ((m.status == FRAMEMAP_OK) == w->is_refused)
        fail_msg("%s: %s, but R8: %.*s", name, m.status ? m.error.message : "taken", (int)w->error.size, w->error.data);
    if (w->is_refused && fm_str_starts(w->error, framemap_str_of(prefix)) &&
        !fm_str_equal(framemap_str_of(m.error.message), fm_str_from(w->error, strlen(prefix))))
        fail_msg("%s: \"%s\", but R8: %.*s", name, m.error.message, (int)w->error.size, w->error.data);
    if (!w->is_refused && m.warnings != w->warnings && !(warns_later(w->mapping) && m.warnings < w->warnings))
        fail_msg("%s: %u warnings, but R8 %llu", name, m.warnings, (unsigned long long)w->warnings);
    free_mapping(&m);
}

static void read_case(const char *path, const char *name)
{
    struct fm_mapfile file;
    struct fm_heap heap;
    struct fm_arena arena;
    struct fm_json *json;
    fm_heap_init(&heap, NULL, 0);
    fm_arena_init(&arena, &heap);
    assert_int_equal(fm_mapfile_open(path, &file, NULL), FRAMEMAP_OK);
    assert_int_equal(fm_json_parse(file.bytes, &heap, &json, NULL), FRAMEMAP_OK);
    const struct wanted w = read_wanted(json, &arena);
    check_case(name, &w);
    fm_json_free(json);
    fm_arena_free(&arena);
    fm_mapfile_close(&file);
}

static unsigned read_folder(const char *name)
{
    char path[4096], file[8192];
    unsigned count = 0;
    folder_path(path, sizeof path, name);
    DIR *folder = opendir(path);
    if (folder == NULL) return 0;
    for (struct dirent *entry; (entry = readdir(folder)) != NULL;) {
        if (strstr(entry->d_name, ".json") == NULL) continue;
        snprintf(file, sizeof file, "%s/%s", path, entry->d_name);
        read_case(file, entry->d_name);
        count++;
    }
    closedir(folder);
    return count;
}

static void test_cases(void **state)
{
    unsigned count = 0;
    (void)state;
    for (size_t i = 0; i < COUNT_OF(folders); i++) count += read_folder(folders[i]);
    if (count == 0) {
        print_message("skipped: no cases here\n");
        skip();
    }
    print_message("%u mappings\n", count);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_cases)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
