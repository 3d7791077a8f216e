/* Tests two tenants with folders next to each other. If a script names a file in the other tenant's folder, or above
 * both folders, the file is not opened. */
#include "session/restore/js_map_finder.h"
#include "tests/session/catalog/script_help.h"

#include <unistd.h>

struct row {
    const char *why, *files[4];
    const char *link_to, *link; /* link_to: target of a symbolic link; link: path of the link; NULL: there is no link */
    const char *given[2];       /* symbol paths */
    bool allow_outside;
    const char *wanted; /* tag of the map that must be found for app.js; NULL: no map must be found */
    size_t warnings;
};

static const struct row rows[] = {
    {.why = "a map of one's own",
     .files = {"a/app.js url=app.js.map", "a/app.js.map"},
     .given = {"a"},
     .wanted = "a/app.js.map"},
    {.why = "a map in a sister folder of one's own",
     .files = {"a/js/app.js url=../maps/x.map", "a/maps/x.map"},
     .given = {"a"},
     .wanted = "a/maps/x.map"},
    {.why = "the other tenant's map",
     .files = {"a/app.js url=../b/app.js.map", "b/app.js.map"},
     .given = {"a"},
     .warnings = 1},
    {.why = "the same, with escapes",
     .files = {"a/app.js url=%2e%2e%2fb%2fapp.js.map", "b/app.js.map"},
     .given = {"a"},
     .warnings = 1},
    {.why = "the same, through folders of one's own",
     .files = {"a/x/app.js url=../../b/app.js.map", "b/app.js.map"},
     .given = {"a"},
     .warnings = 1},
    {.why = "the same, from a script given by name",
     .files = {"a/app.js url=../b/app.js.map", "b/app.js.map"},
     .given = {"a/app.js"},
     .warnings = 1},
    {.why = "the same, allowed",
     .files = {"a/app.js url=../b/app.js.map", "b/app.js.map"},
     .given = {"a"},
     .allow_outside = true,
     .wanted = "b/app.js.map"},
    {.why = "a folder whose name only starts like the given one",
     .files = {"a/app.js url=../ab/app.js.map", "ab/app.js.map"},
     .given = {"a"},
     .warnings = 1},
    {.why = "a link in one's own folder that leads outside",
     .files = {"a/js/app.js url=../../out/x.map", "b/x.map"},
     .link = "out",
     .link_to = "b",
     .given = {"a"},
     .warnings = 1},
    {.why = "both folders are given: what is listed anyway is not opened by the script's word",
     .files = {"a/app.js url=../b/app.js.map", "b/app.js.map"},
     .given = {"b", "a"},
     .wanted = "b/app.js.map"},
};

static framemap_session *open_row(const struct folder *folder, const struct row *row, struct warnings *warnings)
{
    const char *paths[COUNT_OF(row->given)];
    char kept[COUNT_OF(row->given)][512];
    size_t count = 0;
    framemap_session *session = NULL;
    framemap_error error = {0};
    for (; count < COUNT_OF(row->given) && row->given[count]; count++) {
        snprintf(kept[count], sizeof kept[count], "%s", in_folder(folder, row->given[count]));
        paths[count] = kept[count];
    }
    const framemap_session_options options = {.size = sizeof options,
                                              .cache_path = "",
                                              .symbol_paths = paths,
                                              .symbol_path_count = count,
                                              .allow_outside = row->allow_outside,
                                              .warning = keep_warning,
                                              .context = warnings};
    must_ok(framemap_session_open(&options, &session, &error), &error);
    return session;
}

static void opens_what_is_inside_alone(void **state)
{
    (void)state;
    for (size_t i = 0; i < COUNT_OF(rows); i++) {
        const struct row *row = &rows[i];
        struct folder folder;
        struct warnings warnings = {0};
        struct fm_js_maps *maps = NULL;
        struct fm_held_index held = {.index = NULL};
        framemap_error error = {0};
        folder_make(&folder);
        for (size_t f = 0; f < COUNT_OF(row->files) && row->files[f]; f++) put_described(&folder, row->files[f]);
        if (row->link) {
            char target[512];
            snprintf(target, sizeof target, "%s", in_folder(&folder, row->link_to));
            assert_int_equal(symlink(target, in_folder(&folder, row->link)), 0);
        }
        framemap_session *session = open_row(&folder, row, &warnings);
        const struct fm_js_map_query want = {.file = FM_STR("https://x/app.js")};
        must_ok(fm_js_maps_open(session, &session->heap, &maps, &error), &error);
        must_ok(fm_js_maps_find(maps, &want, false, &held, NULL, &error), &error);
        if ((held.index != NULL) != (row->wanted != NULL))
            fail_msg("%s: %s", row->why, held.index ? tag_of(held.index) : held.reason);
        if (row->wanted) assert_string_equal(tag_of(held.index), row->wanted);
        if (warnings.count != row->warnings) fail_msg("%s: %u warnings", row->why, warnings.count);
        fm_js_maps_close(maps);
        framemap_session_close(session);
        remove_tree(folder.path);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(opens_what_is_inside_alone)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
