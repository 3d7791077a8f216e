/* Looks up source maps by arbitrary names of maps, scripts and files in stack traces. Properties: the parts of a
 * name are slices of it; each query is answered with a map of the catalog or with a reason, and in the same way a
 * second time; the search in the sorted list finds what a scan of all keys finds. Each line of the input is "m MAP",
 * "b MAP" for a map of bytecode, "s SCRIPT" (with its map next to it), or otherwise a file to look up. */
#include "session/catalog/js_file_name.h"
#include "session/catalog/js_map_choice.h"
#include <stdlib.h>

enum { LINES_MOST = 300 };

static void must(bool holds)
{
    if (!holds) abort();
}

static bool inside(framemap_str part, framemap_str text)
{
    return part.data >= text.data && part.data + part.size <= text.data + text.size;
}

static void check_name(framemap_str name, struct fm_arena *arena)
{
    framemap_str hashes[FM_JS_NAME_HASHES], bare;
    const unsigned count = fm_js_name_hashes(name, hashes);
    size_t size = 0;
    must(count <= FM_JS_NAME_HASHES && inside(fm_js_name_of_map(name), name));
    for (unsigned i = 0; i < count; i++) {
        must(inside(hashes[i], name) && (i == 0 || hashes[i].data >= hashes[i - 1].data + hashes[i - 1].size));
        size += hashes[i].size;
    }
    must(fm_js_bare_name(name, arena, &bare) && bare.size <= name.size - size);
    must(count > 0 || bare.size == 0);
    must(fm_js_doubtful_name(name, arena, &bare) && (bare.size == 0 || bare.size + 8 == name.size));
}

static void check_file(framemap_str text, struct fm_arena *arena)
{
    struct fm_js_file_name file;
    framemap_str alias = {" ", 1};
    must(fm_js_file_name_read(text, arena, &file));
    must(file.name.size <= text.size && file.folders.size <= text.size + 1 && file.module.size <= text.size);
    must(file.folders.size == 0 || file.folders.data[file.folders.size - 1] == 0);
    check_name(file.name, arena);
    for (unsigned number = 0; alias.size > 0; number++)
        must(number < 8 && fm_js_name_alias(&file, number, arena, &alias));
}

static void add(struct fm_catalog *catalog, framemap_str line, struct fm_arena *arena)
{
    framemap_str path, map = {NULL, 0};
    if (memchr(line.data, 0, line.size)) return;
    must(fm_arena_str(arena, fm_str_from(line, 1), &path));
    const bool script = line.data[0] == 's';
    if (script) {
        char *to = fm_arena_alloc(arena, path.size + 5);
        must(to != NULL);
        memcpy(to, path.data, path.size);
        memcpy(to + path.size, ".map", 5);
        map = fm_str(to, path.size + 4);
    }
    const struct fm_entry entry = {.path = path.data,
                                   .name = script ? fm_str_basename(path) : fm_js_name_of_map(fm_str_basename(path)),
                                   .map_path = map,
                                   .stamp = {1, catalog->count, 1, 1, 1},
                                   .is_script = script,
                                   .is_source_map = !script,
                                   .of_bytecode = line.data[0] == 'b'};
    must(fm_catalog_add(catalog, &entry));
}

/* Returns the number of leading folders that two paths have in common. */
static size_t common(framemap_str a, framemap_str b)
{
    size_t folders = 0;
    for (size_t i = 0; i < a.size && i < b.size && a.data[i] == b.data[i]; i++) folders += a.data[i] == 0;
    return folders;
}

/* Checks that the search by name finds what a scan of all keys finds. */
static void check_search(struct fm_catalog *catalog, framemap_str text, struct fm_arena *arena)
{
    struct fm_js_file_name file, other;
    struct fm_js_key_run run;
    size_t most = 0, count = 0;
    must(fm_js_file_name_read(text, arena, &file) && file.name.size <= text.size);
    must(fm_js_keys_find(&catalog->scripts, FM_JS_KEY_BY_NAME, false, file.name, file.folders, &run));
    for (size_t i = 0; i < catalog->count; i++) {
        const struct fm_entry *entry = catalog->entries[i];
        if (!entry->is_source_map || entry->of_bytecode || entry->name.size == 0 ||
            !fm_str_equal(entry->name, file.name))
            continue;
        must(fm_js_file_name_read(framemap_str_of(entry->path), arena, &other));
        const size_t folders = common(file.folders, other.folders);
        if (count == 0 || folders > most) count = 0;
        if (count == 0) most = folders;
        count += folders == most;
    }
    must(run.count == count && (count == 0 || run.folders == most));
}

static void ask(struct fm_catalog *catalog, framemap_str file, struct fm_arena *arena)
{
    for (unsigned bytecode = 0; bytecode < 2; bytecode++) {
        const struct fm_js_map_query want = {.file = file, .bytecode = bytecode};
        struct fm_js_map_choice choice, again;
        must(fm_js_map_choose(catalog, &want, &choice) && fm_js_map_choose(catalog, &want, &again));
        must(choice.count <= FM_JS_MAPS_TIED && choice.count == again.count &&
             (choice.count > 0 || choice.reason == again.reason));
        must(choice.count > 0 || choice.reason != NULL);
        for (size_t i = 0; i < choice.count; i++)
            must(choice.entries[i]->is_source_map && choice.entries[i] == again.entries[i]);
    }
    check_search(catalog, file, arena);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct fm_heap heap;
    struct fm_arena arena;
    struct fm_catalog catalog;
    framemap_str text = fm_str(data, size);
    fm_heap_init(&heap, NULL, 0);
    fm_arena_init(&arena, &heap);
    fm_catalog_init(&catalog, &heap);
    for (unsigned lines = 0; text.size > 0 && lines < LINES_MOST; lines++) {
        const size_t end = fm_str_find_byte(text, '\n');
        const framemap_str line = fm_str_slice(text, 0, end == FM_NOT_FOUND ? text.size : end);
        text = fm_str_from(text, line.size + (end != FM_NOT_FOUND));
        check_file(line, &arena);
        check_name(line, &arena);
        if (line.size > 0 && memchr("mbs", line.data[0], 3))
            add(&catalog, line, &arena);
        else
            ask(&catalog, line, &arena);
    }
    fm_catalog_free(&catalog);
    fm_arena_free(&arena);
    must(heap.used == 0);
    return 0;
}
