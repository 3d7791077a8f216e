/* The list of symbol files, and the names of modules and architectures. It opens no file; scan_paths.c fills the list,
 * catalog_find.c searches it. */
#include "session/catalog/catalog.h"

#include "core/text/text.h"

void fm_catalog_init(struct fm_catalog *catalog, struct fm_heap *heap)
{
    *catalog = (struct fm_catalog){.heap = heap};
    fm_arena_init(&catalog->arena, heap);
    fm_arena_init(&catalog->search, heap);
    fm_table_init(&catalog->paths, heap);
    fm_js_keys_init(&catalog->scripts, heap);
    fm_kept_files_init(&catalog->kept, heap);
}

void fm_catalog_free(struct fm_catalog *catalog)
{
    const size_t size = sizeof(const struct fm_entry *);
    fm_heap_free(catalog->heap, catalog->entries, catalog->capacity * size);
    fm_heap_free(catalog->heap, catalog->by_id, catalog->by_id_capacity * size);
    fm_heap_free(catalog->heap, catalog->by_name, catalog->by_name_capacity * size);
    fm_heap_free(catalog->heap, catalog->mappings, catalog->mapping_capacity * size);
    fm_heap_free(catalog->heap, catalog->uuids, catalog->uuid_capacity * sizeof *catalog->uuids);
    fm_heap_free(catalog->heap, catalog->stored, catalog->stored_capacity * size);
    fm_table_free(&catalog->paths);
    fm_js_keys_free(&catalog->scripts);
    fm_kept_files_free(&catalog->kept);
    fm_arena_free(&catalog->search);
    fm_arena_free(&catalog->arena);
}

static bool path_equal(const void *context, uint32_t number, const void *key)
{
    const struct fm_catalog *catalog = context;
    return strcmp(catalog->entries[number]->path, key) == 0;
}

static uint32_t find_path(const struct fm_catalog *catalog, const char *path)
{
    return fm_table_find(&catalog->paths, fm_hash64(path, strlen(path), 0), path_equal, catalog, path);
}

bool fm_catalog_has_path(const struct fm_catalog *catalog, const char *path)
{
    return find_path(catalog, path) != UINT32_MAX;
}

const struct fm_entry *fm_catalog_at_path(const struct fm_catalog *catalog, const char *path)
{
    const uint32_t number = find_path(catalog, path);
    return number == UINT32_MAX ? NULL : catalog->entries[number];
}

static const struct fm_entry *copy_entry(struct fm_catalog *catalog, const struct fm_entry *entry, uint32_t order)
{
    struct fm_arena *arena = &catalog->arena;
    struct fm_entry *copy = FM_ARENA_NEW(arena, struct fm_entry);
    framemap_str path;
    if (copy == NULL || !fm_arena_str(arena, framemap_str_of(entry->path), &path)) return NULL;
    *copy = *entry;
    copy->path = path.data;
    copy->home = catalog;
    copy->order = order;
    if (!fm_arena_str(arena, entry->name, &copy->name) || !fm_arena_str(arena, entry->id, &copy->id) ||
        !fm_arena_str(arena, entry->arch, &copy->arch) || !fm_arena_str(arena, entry->code_id, &copy->code_id) ||
        !fm_arena_str(arena, entry->map_url, &copy->map_url) ||
        !fm_arena_str(arena, entry->map_path, &copy->map_path) ||
        !fm_arena_str(arena, entry->of_file, &copy->of_file) ||
        !fm_arena_str(arena, entry->source_url, &copy->source_url) ||
        !fm_arena_str(arena, entry->stated_file, &copy->stated_file))
        return NULL;
    return copy;
}

bool fm_catalog_add(struct fm_catalog *catalog, const struct fm_entry *entry)
{
    if (catalog->count >= UINT32_MAX - 1) return false;
    if (!FM_GROW(catalog->heap, catalog->entries, catalog->capacity, catalog->count + 1)) return false;
    uint32_t number = (uint32_t)catalog->count;
    const struct fm_entry *copy = copy_entry(catalog, entry, number);
    if (copy == NULL) return false;
    catalog->entries[number] = copy;
    if (entry->offset > 0) {
        if (!FM_GROW(catalog->heap, catalog->stored, catalog->stored_capacity, catalog->stored_count + 1)) return false;
        catalog->stored[catalog->stored_count++] = copy;
    }
    catalog->has_dart = catalog->has_dart || entry->is_dart;
    if (find_path(catalog, copy->path) == UINT32_MAX &&
        !fm_table_add(&catalog->paths, fm_hash64(copy->path, strlen(copy->path), 0), number))
        return false;
    if (catalog->added && !catalog->added(catalog->added_context, copy)) return false;
    catalog->count++;
    return true;
}

/* --- names --- */

bool fm_arch_matches(framemap_str a, framemap_str b)
{
    /* Each row lists the names that one architecture has in stacks, files and app bundles. */
    static const char *const same[][8] = {
        {"arm64", "aarch64", "arm64-v8a", "arm64e", "armv8", "ARM-64"},
        {"arm", "armv7", "armeabi-v7a", "armv7s", "armv7k", "armeabi", "thumbv7", "ARM"},
        {"i386", "x86", "i486", "i586", "i686", "X86"},
        {"x86_64", "x86-64", "amd64", "x64", "x86_64h", "X86-64"},
    };
    if (a.size == 0 || b.size == 0 || fm_str_equal(a, b)) return true;
    for (size_t row = 0; row < sizeof same / sizeof same[0]; row++) {
        bool has_a = false, has_b = false;
        for (size_t i = 0; i < 8 && same[row][i]; i++) {
            has_a = has_a || fm_str_equal(a, framemap_str_of(same[row][i]));
            has_b = has_b || fm_str_equal(b, framemap_str_of(same[row][i]));
        }
        if (has_a || has_b) return has_a && has_b;
    }
    return false;
}

/* Whether a path is the name of an archive. In a path such as "a.zip!b", '!' separates an archive from a file inside
 * it. The name of a program may contain '!' as well, but then the part before '!' is not the name of an archive. */
bool fm_is_archive_name(framemap_str path)
{
    static const char *const tails[] = {".apk", ".zip", ".jar", ".aab", ".aar", ".a"};
    for (size_t i = 0; i < sizeof tails / sizeof *tails; i++)
        if (fm_str_ends(path, framemap_str_of(tails[i]))) return true;
    return false;
}

framemap_str fm_module_name(framemap_str module)
{
    const framemap_str deleted = FM_STR(" (deleted)");
    if (fm_str_ends(module, deleted)) module = fm_str_slice(module, 0, module.size - deleted.size);
    size_t inside = fm_str_find_last_byte(module, '!');
    if (inside != FM_NOT_FOUND && fm_is_archive_name(fm_str_slice(module, 0, inside)))
        module = fm_str_from(module, inside + 1);
    return fm_str_basename(module);
}

bool fm_dart_program_name(framemap_str module)
{
    static const char *const names[] = {"App", "libapp.so", "app.so"};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        if (fm_str_equal(module, framemap_str_of(names[i]))) return true;
    return fm_str_ends(module, FM_STR(".snapshot")) || fm_str_ends(module, FM_STR(".aot"));
}
