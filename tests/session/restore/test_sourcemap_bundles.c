/* Compares thousands of positions in maps of real bundles with the results of another implementation. Skipped if the
 * maps are missing. */
#include "tests/session/restore/sourcemap_help.h"

#include <dirent.h>
#include <stdarg.h>

/* Formats a text as snprintf does, but fails if the text does not fit. */
__attribute__((format(printf, 3, 4))) static void spell(char *out, size_t room, const char *format, ...)
{
    va_list list;
    va_start(list, format);
    const int size = vsnprintf(out, room, format, list);
    va_end(list);
    assert_between(size, 0, room - 1);
}

struct tally {
    size_t files, places, enclosing, bad;
};

/* State while the positions listed in one file are compared with the map of that file. */
struct places {
    const char *name;
    struct document row; /* the current line, parsed as JSON */
    struct opened_map map;
    size_t printed;
};

static bool number_is(struct places *places, const char *name, uint32_t got, int64_t first)
{
    const int64_t wanted = number_member(&places->row, 0, name);
    return wanted < 0 ? got == 0 : (int64_t)got == wanted + first;
}

static bool text_is(struct places *places, const char *name, framemap_str got)
{
    return same_text(got, text_member(&places->row, 0, name));
}

/* Compares one position with the map. In the file, lines count from 1 and columns from 0. */
static bool place_is_right(struct places *places, struct tally *tally)
{
    const framemap_frame frame =
        map_ask(&places->map, number_member(&places->row, 0, "line") - 1, number_member(&places->row, 0, "column"));
    tally->places++;
    if (fm_json_get(places->row.json, 0, "enclosing") >= 0) {
        tally->enclosing++;
        if (!text_is(places, "enclosing", frame.function)) return false;
    }
    return number_is(places, "orig_line", frame.line, 0) && number_is(places, "orig_column", frame.column, 1) &&
           text_is(places, "source", frame.file) && text_is(places, "name", frame.name);
}

static void check_place(struct places *places, framemap_str line, struct tally *tally)
{
    assert_int_equal(fm_json_parse(line, &places->row.heap, &places->row.json, NULL), FRAMEMAP_OK);
    if (!place_is_right(places, tally)) {
        tally->bad++;
        if (places->printed++ < 3) print_message("%s: not so: %.*s\n", places->name, (int)line.size, line.data);
    }
    fm_json_free(places->row.json);
    fm_arena_reset(&places->row.arena);
}

static void check_places(const char *path, const char *map_path, struct tally *tally)
{
    struct places places = {.name = strstr(path, "bundles/")};
    struct fm_mapfile file;
    framemap_error error;
    if (map_open(&places.map, map_path, true, &error) != FRAMEMAP_OK) fail_msg("%s: %s", map_path, error.message);
    assert_int_equal(fm_mapfile_open(path, &file, NULL), FRAMEMAP_OK);
    fm_heap_init(&places.row.heap, NULL, 0);
    fm_arena_init(&places.row.arena, &places.row.heap);
    for (framemap_str rest = file.bytes; rest.size;) {
        const size_t end = fm_str_find_byte(rest, '\n');
        const framemap_str line = fm_str_slice(rest, 0, end);
        rest = fm_str_from(rest, end == FM_NOT_FOUND ? rest.size : end + 1);
        if (line.size) check_place(&places, line, tally);
    }
    fm_arena_free(&places.row.arena);
    fm_mapfile_close(&file);
    map_close(&places.map);
    tally->files++;
}

static bool exists(const char *path)
{
    FILE *file = fopen(path, "rb");
    if (file) fclose(file);
    return file != NULL;
}

/* Finds the only map in a folder, or the only bundle that contains its map. */
static void lone_map(const char *folder, char *out, size_t room)
{
    DIR *dir = opendir(folder);
    spell(out, room, "%s/bundle.js", folder);
    for (struct dirent *entry; dir && (entry = readdir(dir));)
        if (fm_str_ends(framemap_str_of(entry->d_name), FM_STR(".map")))
            spell(out, room, "%s/%s", folder, entry->d_name);
    if (dir) closedir(dir);
    assert_true(exists(out));
}

/* Checks a file of positions. "positions.X.jsonl" is for the map "index.android.bundle.X.map", and "positions.jsonl"
 * for the only map in its folder. */
static void check_file(const char *folder, const char *name, struct tally *tally)
{
    char path[8192], map_path[8192];
    const framemap_str kind =
        fm_str_slice(framemap_str_of(name), sizeof "positions" - 1, strlen(name) - (sizeof ".jsonl" - 1));
    spell(path, sizeof path, "%s/%s", folder, name);
    if (kind.size)
        spell(map_path, sizeof map_path, "%s/index.android.bundle%.*s.map", folder, (int)kind.size, kind.data);
    else
        lone_map(folder, map_path, sizeof map_path);
    check_places(path, map_path, tally);
}

static void check_folder(const char *folder, struct tally *tally)
{
    DIR *dir = opendir(folder);
    for (struct dirent *entry; dir && (entry = readdir(dir));) {
        const framemap_str name = framemap_str_of(entry->d_name);
        if (fm_str_starts(name, FM_STR("positions")) && fm_str_ends(name, FM_STR(".jsonl")))
            check_file(folder, entry->d_name, tally);
    }
    if (dir) closedir(dir);
}

static void every_place(void **state)
{
    (void)state;
    struct tally tally = {.files = 0};
    char folder[8192];
    skip_without("bundles/INDEX.json");
    spell(folder, sizeof folder, "%s", case_path("bundles"));
    DIR *all = opendir(folder);
    for (struct dirent *entry; (entry = readdir(all));) {
        char below[8500];
        if (entry->d_name[0] == '.') continue;
        spell(below, sizeof below, "%s/%s", folder, entry->d_name);
        check_folder(below, &tally);
    }
    closedir(all);
    print_message("%zu files, %zu places, of %zu the function is known; %zu differ\n", tally.files, tally.places,
                  tally.enclosing, tally.bad);
    assert_true(tally.places > 0);
    assert_int_equal(tally.bad, 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(every_place)};
    return cmocka_run_group_tests_name("source map bundles", tests, NULL, NULL);
}
