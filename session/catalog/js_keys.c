/* The sorted list of keys of source maps and scripts, and its binary search. */
#include "session/catalog/js_keys.h"

#include "session/catalog/js_file_name.h"
#include "session/catalog/symbol_entry.h"

#include <stdlib.h>

void fm_js_keys_init(struct fm_js_keys *keys, struct fm_heap *heap)
{
    *keys = (struct fm_js_keys){.heap = heap};
    fm_arena_init(&keys->arena, heap);
    fm_arena_init(&keys->asked, heap);
}

void fm_js_keys_drop(struct fm_arena *arena)
{
    /* This is how many bytes of an arena are kept for the next search. File names are usually short; the memory for a
     * long one is freed. */
    enum { KEPT = 64 << 10 };
    if (arena->total > KEPT)
        fm_arena_free(arena);
    else
        fm_arena_reset(arena);
}

void fm_js_keys_free(struct fm_js_keys *keys)
{
    fm_heap_free(keys->heap, keys->rows, keys->capacity * sizeof *keys->rows);
    fm_arena_free(&keys->arena);
    fm_arena_free(&keys->asked);
}

/* --- making keys --- */

static bool key_text(struct fm_arena *arena, enum fm_js_key_kind kind, bool bytecode, framemap_str name,
                     framemap_str folders, framemap_str *out)
{
    char *to = fm_arena_alloc(arena, name.size + folders.size + 4);
    if (to == NULL) return false;
    to[0] = (char)kind;
    to[1] = bytecode ? 'b' : 'a';
    if (name.size > 0) memcpy(to + 2, name.data, name.size);
    to[2 + name.size] = 0;
    if (folders.size > 0) memcpy(to + 3 + name.size, folders.data, folders.size);
    *out = fm_str(to, 3 + name.size + folders.size);
    return true;
}

static bool add_key(struct fm_js_keys *keys, const struct fm_entry *entry, enum fm_js_key_kind kind, framemap_str name,
                    framemap_str folders)
{
    struct fm_js_key key = {.entry = entry};
    const bool of_map = strchr("nfihsx", (int)kind) != NULL;
    if (name.size == 0) return true;
    if (!FM_GROW(keys->heap, keys->rows, keys->capacity, keys->count + 1)) return false;
    if (!key_text(&keys->arena, kind, of_map && entry->of_bytecode, name, folders, &key.text)) return false;
    keys->rows[keys->count++] = key;
    return true;
}

static bool add_map(struct fm_js_keys *keys, const struct fm_entry *entry, framemap_str folders)
{
    framemap_str hashes[FM_JS_NAME_HASHES], bare, doubtful;
    const framemap_str inside = fm_str_basename(entry->of_file);
    const unsigned count = fm_js_name_hashes(entry->name, hashes);
    bool ok = fm_js_bare_name(entry->name, &keys->arena, &bare) &&
              fm_js_doubtful_name(entry->name, &keys->arena, &doubtful) &&
              add_key(keys, entry, FM_JS_KEY_BY_DOUBT, doubtful, folders) &&
              add_key(keys, entry, FM_JS_KEY_BY_ID, entry->id, folders) &&
              add_key(keys, entry, FM_JS_KEY_BY_NAME, entry->name, folders) &&
              add_key(keys, entry, FM_JS_KEY_BY_STEM, bare, folders);
    for (unsigned i = 0; i < count && ok; i++) ok = add_key(keys, entry, FM_JS_KEY_BY_HASH, hashes[i], folders);
    if (ok && !fm_str_equal(inside, entry->name)) ok = add_key(keys, entry, FM_JS_KEY_BY_MEMBER, inside, folders);
    return ok;
}

static bool add_script(struct fm_js_keys *keys, const struct fm_entry *entry, framemap_str folders)
{
    struct fm_js_file_name map;
    bool ok = add_key(keys, entry, FM_JS_KEY_SCRIPTS, entry->name, folders) &&
              add_key(keys, entry, FM_JS_KEY_SCRIPT_IDS, entry->id, folders) &&
              add_key(keys, entry, FM_JS_KEY_URLS, entry->source_url, folders);
    if (!ok || entry->map_path.size == 0) return ok;
    return fm_js_file_name_read(entry->map_path, &keys->arena, &map) &&
           add_key(keys, entry, FM_JS_KEY_COMPANIONS, fm_js_name_of_map(map.name), map.folders);
}

static bool add_entry(struct fm_js_keys *keys, const struct fm_entry *entry)
{
    struct fm_js_file_name file;
    if (!fm_js_file_name_read(framemap_str_of(entry->path), &keys->arena, &file)) return false;
    return (!entry->is_source_map || add_map(keys, entry, file.folders)) &&
           (!entry->is_script || add_script(keys, entry, file.folders));
}

/* --- sorting the keys --- */

static int compare_keys(const void *left, const void *right)
{
    const struct fm_js_key *a = left, *b = right;
    const int order = fm_str_compare(a->text, b->text);
    if (order != 0) return order;
    if (a->entry->rank != b->entry->rank) return a->entry->rank > b->entry->rank ? -1 : 1;
    return a->entry->order < b->entry->order ? -1 : a->entry->order > b->entry->order;
}

static bool surely_one_build(const struct fm_entry *a, const struct fm_entry *b)
{
    if (a->stamp.device == b->stamp.device && a->stamp.inode == b->stamp.inode) return true;
    return a->id.size > 0 && fm_str_equal(a->id, b->id);
}

static void order_rows(struct fm_js_keys *keys)
{
    if (keys->count > 1) qsort(keys->rows, keys->count, sizeof *keys->rows, compare_keys);
    for (size_t i = keys->count; i-- > 0;) {
        const bool on = i + 1 < keys->count && surely_one_build(keys->rows[i].entry, keys->rows[i + 1].entry);
        keys->rows[i].same = on ? keys->rows[i + 1].same : (uint32_t)i + 1;
    }
}

bool fm_js_keys_update(struct fm_js_keys *keys, const struct fm_entry *const *entries, size_t count)
{
    const size_t before = keys->count;
    bool ok = true;
    for (size_t i = keys->seen; i < count && ok; i++)
        if (entries[i]->is_source_map || entries[i]->is_script)
            ok = add_entry(keys, entries[i]) && keys->count < UINT32_MAX;
    if (!ok) {
        keys->count = before;
        return false;
    }
    for (size_t i = keys->seen; i < count; i++) keys->map_count += entries[i]->is_source_map;
    keys->seen = count;
    if (keys->count > before) order_rows(keys);
    return true;
}

/* --- searching for keys by file name --- */

/* Returns the index of the first key that is not below a text in the sort order. If `beyond` is set, keys that start
 * with the text count as below it. */
static size_t bound(struct fm_js_keys *keys, framemap_str text, bool beyond)
{
    size_t low = 0, high = keys->count;
    while (low < high) {
        const size_t middle = low + (high - low) / 2;
        const framemap_str have = keys->rows[middle].text;
        keys->looked_at++;
        if (fm_str_compare(have, text) < 0 || (beyond && fm_str_starts(have, text)))
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

/* Returns the size of the common start of two keys, cut at the end of a folder; 0 if the file names differ. */
static size_t shared(framemap_str a, framemap_str b, size_t name_end)
{
    const size_t most = a.size < b.size ? a.size : b.size;
    size_t whole = 0;
    for (size_t i = 0; i < most && a.data[i] == b.data[i]; i++)
        if (a.data[i] == 0 && i + 1 >= name_end) whole = i + 1;
    return whole;
}

static size_t count_folders(framemap_str text, size_t from)
{
    size_t count = 0;
    for (size_t i = from; i < text.size; i++) count += text.data[i] == 0;
    return count;
}

bool fm_js_keys_find(struct fm_js_keys *keys, enum fm_js_key_kind kind, bool bytecode, framemap_str name,
                     framemap_str folders, struct fm_js_key_run *out)
{
    framemap_str wanted;
    const size_t name_end = 3 + name.size;
    *out = (struct fm_js_key_run){.count = 0};
    if (name.size == 0 || keys->count == 0) return true;
    if (!key_text(&keys->asked, kind, bytecode, name, folders, &wanted)) return false;
    /* In the sorted list, the keys that have the longest start in common with a text are next to the position of that
     * text. */
    const size_t at = bound(keys, wanted, false);
    const size_t below = at > 0 ? shared(keys->rows[at - 1].text, wanted, name_end) : 0;
    const size_t above = at < keys->count ? shared(keys->rows[at].text, wanted, name_end) : 0;
    const framemap_str common = fm_str_slice(wanted, 0, below > above ? below : above);
    if (common.size > 0) {
        const size_t first = bound(keys, common, false), end = bound(keys, common, true);
        *out = (struct fm_js_key_run){.rows = keys->rows + first,
                                      .count = end - first,
                                      .folders = count_folders(common, name_end),
                                      .of_one_build = keys->rows[first].same >= end};
    }
    fm_js_keys_drop(&keys->asked);
    return true;
}
