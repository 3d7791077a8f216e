/* The rules by which a source map is chosen for a script. It reads only the catalog, and opens no file. */
#include "session/catalog/js_map_choice.h"

#include "session/catalog/js_file_name.h"

static const char none_given[] = "no source map was given for this script";
static const char none_fits[] = "none of the given source maps belongs to this script";
static const char no_file[] = "the stack does not name the script";
static const char at_run_time[] =
    "this code was generated while the program ran, by a bundler's 'eval' devtool; no given source map belongs to it: "
    "build with devtool 'source-map'";
static const char other_id[] = "the source maps given for this script have another debug id";
static const char other_build[] = "the source maps given for this script are of another build";
static const char several[] = "several source maps fit this script, and the stack does not say which build it is of";

struct map_search {
    struct fm_catalog *catalog;
    struct fm_js_keys *keys;
    const struct fm_js_map_query *want;
    /* the debug id that the stack prints; if it prints none, the debug id of the script whose name the stack prints */
    framemap_str id;
    struct fm_arena *arena;
    struct fm_js_file_name file;
    framemap_str hashes[FM_JS_NAME_HASHES];
    unsigned hash_count;
    struct fm_js_map_choice *out;
    framemap_match step; /* the way in which the current step of the search finds maps */
    bool done, failed;   /* done: no further step is needed; failed: out of memory */
};

static bool going(const struct map_search *search) { return !search->done && !search->failed; }

static struct fm_js_key_run find_keys(struct map_search *search, enum fm_js_key_kind kind, bool bytecode,
                                      framemap_str name, framemap_str folders)
{
    struct fm_js_key_run run = {.count = 0};
    if (!fm_js_keys_find(search->keys, kind, bytecode, name, folders, &run)) search->failed = true;
    return run;
}

/* Finds maps of the kind that the frame needs (for bytecode or not); if there are none, finds maps of the other
 * kind. */
static struct fm_js_key_run find_maps(struct map_search *search, enum fm_js_key_kind kind, framemap_str name,
                                      framemap_str folders)
{
    const struct fm_js_key_run run = find_keys(search, kind, search->want->bytecode, name, folders);
    return run.count > 0 || search->failed ? run : find_keys(search, kind, !search->want->bytecode, name, folders);
}

/* --- deciding which maps are accepted --- */

static void give_up(struct map_search *search, const char *reason)
{
    search->out->count = 0;
    search->out->reason = reason;
    search->out->other = NULL;
    search->done = true;
}

static bool has_other_id(const struct map_search *search, const struct fm_entry *map)
{
    return search->id.size > 0 && map->id.size > 0 && !fm_str_equal(search->id, map->id);
}

static bool has_wanted_hash(const struct map_search *search, const framemap_str *hashes, unsigned count)
{
    for (unsigned i = 0; i < count; i++)
        for (unsigned k = 0; k < search->hash_count; k++)
            if (fm_str_equal(hashes[i], search->hashes[k])) return true;
    return false;
}

/* Whether the `file` member of a map names a script with a hash that the queried script does not have. The map's own
 * name is more reliable: webpack computes hashes again when it writes maps, and renames script and map, but leaves the
 * old name in the member. */
static bool has_other_hash(const struct map_search *search, const struct fm_entry *map)
{
    framemap_str inside[FM_JS_NAME_HASHES], named[FM_JS_NAME_HASHES];
    const unsigned count = fm_js_name_hashes(fm_str_basename(map->of_file), inside);
    if (count == 0 || search->hash_count == 0 || has_wanted_hash(search, inside, count)) return false;
    return !has_wanted_hash(search, named, fm_js_name_hashes(map->name, named));
}

static void refuse_maps(struct fm_js_map_choice *out, const char *reason, const struct fm_entry *map)
{
    out->reason = reason;
    out->other = map;
}

/* Adds a map to the choice. If the map has another id or hash than the script, it is refused. is_certain: the map was
 * found by its id, or because the script refers to it; hashes in file names are then not compared. */
static void take_best_map(struct map_search *search, const struct fm_entry *map, bool is_certain)
{
    struct fm_js_map_choice *out = search->out;
    if (has_other_id(search, map) || (!is_certain && has_other_hash(search, map))) {
        refuse_maps(out, has_other_id(search, map) ? other_id : other_build, map);
        return;
    }
    for (size_t i = 0; i < out->count; i++)
        if (out->entries[i] == map) return;
    out->matched_by = search->step;
    if (out->count < FM_JS_MAPS_TIED)
        out->entries[out->count++] = map;
    else
        give_up(search, several);
}

static bool same_build(const struct fm_entry *a, const struct fm_entry *b)
{
    return (a->id.size > 0 && fm_str_equal(a->id, b->id)) ||
           (a->stamp.device == b->stamp.device && a->stamp.inode == b->stamp.inode);
}

/* Chooses among several maps that are equally good. The stack prints the path at which the script was deployed; a map
 * is returned if its path below the session's folder is the end of that path. NULL: no map has such a path, or maps of
 * several builds have one. */
static const struct fm_entry *whole_path_match(const struct fm_js_key_run *run)
{
    enum { LOOKED_AT = 4 * FM_JS_MAPS_TIED };
    const struct fm_entry *found = NULL;
    for (size_t i = 0; i < run->count && i < LOOKED_AT; i++) {
        if (run->rows[i].entry->depth > run->folders) continue;
        if (found && !same_build(found, run->rows[i].entry)) return NULL;
        if (found == NULL) found = run->rows[i].entry;
    }
    return run->count <= LOOKED_AT ? found : NULL;
}

/* Adds the maps of a run of equal keys to the choice. If the stack prints the whole path of just one map, adds that
 * map; otherwise adds one map of each build. */
static void take_run(struct map_search *search, const struct fm_js_key_run *run, bool is_certain)
{
    const struct fm_entry *whole = run->count > 1 && !run->of_one_build ? whole_path_match(run) : NULL;
    if (whole) take_best_map(search, whole, is_certain);
    for (size_t i = 0; i < run->count && whole == NULL && going(search);) {
        const size_t next = run->rows[i].same - (size_t)(run->rows - search->keys->rows);
        take_best_map(search, run->rows[i].entry, is_certain);
        i = run->of_one_build ? run->count : next;
    }
    if (search->out->count > 0) search->done = true;
}

/* --- finding maps that scripts name --- */

static const struct fm_entry *sole(const struct fm_js_key_run *run)
{
    return run->count > 0 && run->of_one_build ? run->rows[0].entry : NULL;
}

static bool ids_differ(const struct fm_entry *a, const struct fm_entry *b)
{
    return a->id.size > 0 && b->id.size > 0 && !fm_str_equal(a->id, b->id);
}

static const struct fm_entry *map_of_script(struct map_search *search, const struct fm_entry *script)
{
    struct fm_js_file_name path;
    if (script->is_source_map) return script;
    const struct fm_entry *map =
        script->map_path.size > 0 ? fm_catalog_at_path(search->catalog, script->map_path.data) : NULL;
    const bool stale = map && ids_differ(script, map);
    if (map && map->is_source_map && !stale) return map;
    struct fm_js_key_run run = find_maps(search, FM_JS_KEY_BY_ID, script->id, (framemap_str){NULL, 0});
    if (run.count > 0 || search->failed || stale || script->map_path.size == 0) return sole(&run);
    if (!fm_js_file_name_read(script->map_path, search->arena, &path)) {
        search->failed = true;
        return NULL;
    }
    run = find_maps(search, FM_JS_KEY_BY_NAME, fm_js_name_of_map(path.name), path.folders);
    return sole(&run);
}

/* Chooses among the maps that the scripts of a run of keys name. */
static void take_named(struct map_search *search, const struct fm_js_key_run *scripts)
{
    const struct fm_entry *whole = scripts->count > 1 ? whole_path_match(scripts) : NULL;
    if (whole == NULL && scripts->count > FM_JS_MAPS_TIED) {
        give_up(search, several);
        return;
    }
    for (size_t i = 0; i < scripts->count && going(search); i++) {
        if (whole && scripts->rows[i].entry != whole) continue;
        const struct fm_entry *script = scripts->rows[i].entry, *map = map_of_script(search, script);
        if (map) take_best_map(search, map, true);
        if (search->id.size == 0 && scripts->count == 1) search->id = script->id;
    }
    if (search->out->count > 0) search->done = true;
}

/* --- running the steps of the search --- */

static void by_id(struct map_search *search)
{
    const struct fm_js_key_run maps = find_maps(search, FM_JS_KEY_BY_ID, search->want->id, search->file.folders);
    if (going(search)) take_run(search, &maps, true);
    if (!going(search)) return;
    const struct fm_js_key_run scripts =
        find_keys(search, FM_JS_KEY_SCRIPT_IDS, false, search->want->id, search->file.folders);
    for (size_t i = 0; i < scripts.count && going(search) && search->out->count == 0; i++) {
        const struct fm_entry *map = map_of_script(search, scripts.rows[i].entry);
        /* The map has no id of its own, but the script that names it has one, which is taken as the id of the map. */
        if (map && map->id.size == 0) take_best_map(search, map, true);
        if (i >= FM_JS_MAPS_TIED) break;
    }
    if (search->out->count > 0) search->done = true;
}

/* Searches by name. A script of this name determines the map, unless a map shares more folders with the query than the
 * script does. */
static void by_name(struct map_search *search, framemap_str name)
{
    if (!going(search) || name.size == 0) return;
    const struct fm_js_key_run maps = find_maps(search, FM_JS_KEY_BY_NAME, name, search->file.folders);
    const struct fm_js_key_run scripts = find_keys(search, FM_JS_KEY_SCRIPTS, false, name, search->file.folders);
    const bool of_bytecode = search->want->bytecode && maps.count > 0 && maps.rows[0].entry->of_bytecode;
    if (going(search) && !of_bytecode && (maps.count == 0 || scripts.folders >= maps.folders))
        take_named(search, &scripts);
    if (going(search)) take_run(search, &maps, false);
}

static void by_member(struct map_search *search)
{
    if (!going(search)) return;
    const struct fm_js_key_run maps = find_maps(search, FM_JS_KEY_BY_MEMBER, search->file.name, search->file.folders);
    if (going(search)) take_run(search, &maps, true);
}

static void by_aliases(struct map_search *search)
{
    framemap_str name = FM_STR(" ");
    for (unsigned number = 0; name.size > 0 && going(search); number++) {
        if (!fm_js_name_alias(&search->file, number, search->arena, &name)) search->failed = true;
        by_name(search, name);
    }
}

/* Whether the `file` member of a map names another script than the given one. The hashes in both names are removed
 * before the names are compared, since the hash in the member may be outdated. */
static bool is_of_other(struct map_search *search, const struct fm_entry *map)
{
    framemap_str bare, other;
    const framemap_str inside = fm_str_basename(map->of_file), name = search->file.name;
    if (inside.size == 0 || fm_str_equal(inside, name)) return false;
    if (!fm_js_bare_name(name, search->arena, &bare) || !fm_js_bare_name(inside, search->arena, &other))
        search->failed = true;
    return !fm_str_equal(bare.size ? bare : name, other.size ? other : inside);
}

static void by_hashes(struct map_search *search)
{
    for (unsigned i = search->hash_count; i-- > 0 && going(search);) {
        const struct fm_js_key_run maps = find_maps(search, FM_JS_KEY_BY_HASH, search->hashes[i], search->file.folders);
        if (maps.count > FM_JS_MAPS_TIED && !maps.of_one_build)
            continue; /* This hash identifies a whole build, so all scripts of that build have it. */
        for (size_t k = 0; k < maps.count && going(search); k++)
            if (!is_of_other(search, maps.rows[k].entry) && !search->failed)
                take_best_map(search, maps.rows[k].entry, false);
        if (search->out->count > 0) search->done = true;
    }
}

static void by_bare_name(struct map_search *search)
{
    framemap_str bare;
    if (!going(search) || search->hash_count == 0) return;
    if (!fm_js_bare_name(search->file.name, search->arena, &bare)) search->failed = true;
    by_name(search, bare);
    if (!going(search)) return;
    /* bundlers write `file` before they put a hash into the name */
    const struct fm_js_key_run stated = find_maps(search, FM_JS_KEY_BY_MEMBER, bare, search->file.folders);
    if (going(search)) take_run(search, &stated, false);
    if (!going(search)) return;
    const struct fm_js_key_run maps = find_maps(search, FM_JS_KEY_BY_STEM, bare, search->file.folders);
    if (maps.count > 0 && search->out->reason == none_fits) refuse_maps(search->out, other_build, maps.rows[0].entry);
}

/* Reports a doubtful map, which is not used. A map is doubtful if its name differs from the name of the script only in
 * a part that may be a hash: the map then belongs to another build or to another script. */
static void doubt(struct map_search *search)
{
    framemap_str name;
    if (!going(search) || search->out->reason != none_fits) return;
    if (!fm_js_doubtful_name(search->file.name, search->arena, &name)) search->failed = true;
    const struct fm_js_key_run maps = find_maps(search, FM_JS_KEY_BY_DOUBT, name, search->file.folders);
    if (maps.count > 0) refuse_maps(search->out, other_build, maps.rows[0].entry);
}

/* Searches by the address in a sourceURL comment, which the stack prints as the file of code that was passed to
 * eval. */
static void by_address(struct map_search *search)
{
    const framemap_str nowhere = {NULL, 0};
    if (!going(search)) return;
    const struct fm_js_key_run scripts = find_keys(search, FM_JS_KEY_URLS, false, search->want->file, nowhere);
    if (going(search)) take_named(search, &scripts);
}

/* Searches for the map of a module that webpack passed to eval. Maps of such modules name them by their whole paths,
 * since another file with the same base name is another module. */
static void by_module(struct map_search *search)
{
    static const enum fm_js_key_kind kinds[] = {FM_JS_KEY_BY_MEMBER, FM_JS_KEY_BY_NAME};
    for (unsigned i = 0; i < 2 && going(search); i++) {
        const struct fm_js_key_run maps =
            find_keys(search, kinds[i], false, fm_str_basename(search->file.module), search->file.folders);
        for (size_t k = 0; k < maps.count && k < FM_JS_MAPS_TIED && going(search); k++)
            if (fm_str_equal(maps.rows[k].entry->of_file, search->file.module))
                take_best_map(search, maps.rows[k].entry, true);
        if (search->out->count > 0) search->done = true;
    }
    if (going(search)) give_up(search, at_run_time);
}

static void run_steps(struct map_search *search)
{
    search->step = FRAMEMAP_MATCH_DEBUG_ID;
    if (search->want->id.size > 0) by_id(search);
    search->step = FRAMEMAP_MATCH_CONTENT;
    by_address(search);
    search->step = FRAMEMAP_MATCH_NAME;
    if (search->file.module.size > 0) by_module(search);
    if (search->file.name.size == 0 && going(search)) give_up(search, no_file);
    if (!fm_str_equal(search->file.raw_name, search->file.name)) by_name(search, search->file.raw_name);
    by_name(search, search->file.name);
    by_member(search);
    by_aliases(search);
    by_hashes(search);
    by_bare_name(search);
    doubt(search);
}

bool fm_js_map_choose(struct fm_catalog *catalog, const struct fm_js_map_query *want, struct fm_js_map_choice *out)
{
    struct map_search search = {.catalog = catalog,
                                .keys = &catalog->scripts,
                                .want = want,
                                .id = want->id,
                                .arena = &catalog->search,
                                .out = out};
    if (!fm_js_keys_update(&catalog->scripts, catalog->entries, catalog->count)) return false;
    *out = (struct fm_js_map_choice){.reason = catalog->scripts.map_count > 0 ? none_fits : none_given};
    search.failed = !fm_js_file_name_read(want->file, search.arena, &search.file);
    if (!search.failed) {
        search.hash_count = fm_js_name_hashes(search.file.name, search.hashes);
        run_steps(&search);
    }
    fm_js_keys_drop(search.arena);
    return !search.failed;
}

bool fm_js_map_choice_is_empty(const struct fm_js_map_choice *choice)
{
    return choice->count == 0 && choice->reason == none_given;
}

bool fm_js_map_choice_refuses(const char *reason)
{
    return reason == other_id || reason == other_build || reason == at_run_time || reason == several;
}

bool fm_js_map_choose_named(struct fm_catalog *catalog, const struct fm_entry *script, const struct fm_entry **out)
{
    const struct fm_js_map_query want = {.bytecode = false};
    struct map_search search = {
        .catalog = catalog, .keys = &catalog->scripts, .want = &want, .arena = &catalog->search};
    *out = NULL;
    if (!fm_js_keys_update(&catalog->scripts, catalog->entries, catalog->count)) return false;
    *out = map_of_script(&search, script);
    fm_js_keys_drop(search.arena);
    return !search.failed;
}

/* --- choosing any map --- */

static void gather(const struct fm_catalog *catalog, bool bytecode, struct fm_js_map_choice *out)
{
    for (size_t i = 0; i < catalog->count; i++) {
        const struct fm_entry *entry = catalog->entries[i];
        size_t k = 0;
        if (!entry->is_source_map || entry->of_bytecode != bytecode) continue;
        while (k < out->count && !same_build(out->entries[k], entry)) k++;
        if (k < out->count) continue;
        if (out->count == FM_JS_MAPS_TIED) {
            *out = (struct fm_js_map_choice){.reason = several};
            return;
        }
        out->entries[out->count++] = entry;
    }
}

void fm_js_map_choose_any(const struct fm_catalog *catalog, bool bytecode, struct fm_js_map_choice *out)
{
    *out = (struct fm_js_map_choice){.reason = none_given};
    gather(catalog, bytecode, out);
    if (out->count == 0 && out->reason == none_given) gather(catalog, !bytecode, out);
}

/* --- finding the script of a map --- */

/* Finds the script that names exactly this map file. A script in another folder is accepted only if no other script can
 * mean the file. */
static const struct fm_entry *naming_script(struct fm_catalog *catalog, const struct fm_entry *map,
                                            const struct fm_js_file_name *file, bool *ok)
{
    struct fm_js_key_run run;
    *ok = fm_js_keys_update(&catalog->scripts, catalog->entries, catalog->count) &&
          fm_js_keys_find(&catalog->scripts, FM_JS_KEY_COMPANIONS, false, map->name, file->folders, &run);
    for (size_t i = 0; *ok && i < run.count && i < FM_JS_MAPS_TIED; i++) {
        const struct fm_entry *script = run.rows[i].entry;
        if (ids_differ(script, map)) continue;
        if (fm_str_equal(script->map_path, framemap_str_of(map->path))) return script;
        if (run.count == 1 && fm_catalog_at_path(catalog, script->map_path.data) == NULL) return script;
    }
    return NULL;
}

/* Finds the file in the folder of a map that has the given name, unless the file is known to belong to another
 * build. */
static bool beside(const struct fm_catalog *catalog, const struct fm_entry *map, framemap_str name,
                   struct fm_arena *arena, framemap_str *out)
{
    struct fm_stamp stamp;
    const framemap_str all = framemap_str_of(map->path), base = fm_str_basename(all);
    const size_t folder = all.size - base.size;
    *out = (framemap_str){NULL, 0};
    if (name.size == 0 || fm_str_equal(name, base) || memchr(name.data, 0, name.size) != NULL) return true;
    char *to = fm_arena_alloc(arena, folder + name.size + 1);
    if (to == NULL) return false;
    memcpy(to, map->path, folder);
    memcpy(to + folder, name.data, name.size);
    to[folder + name.size] = 0;
    const struct fm_entry *known = fm_catalog_at_path(catalog, to);
    if (known ? !ids_differ(known, map) : fm_stamp_of(to, &stamp)) *out = fm_str(to, folder + name.size);
    return true;
}

bool fm_js_script_of_map(struct fm_catalog *catalog, const struct fm_entry *map, struct fm_arena *arena,
                         framemap_str *out)
{
    struct fm_js_file_name file;
    bool ok;
    *out = (framemap_str){NULL, 0};
    if (!map->is_source_map || map->is_script || map->is_index || map->of_bytecode) return true;
    if (!fm_js_file_name_read(framemap_str_of(map->path), arena, &file)) return false;
    const struct fm_entry *script = naming_script(catalog, map, &file, &ok);
    if (script) *out = framemap_str_of(script->path);
    if (!ok || script) return ok;
    if (!beside(catalog, map, map->name, arena, out)) return false;
    return out->size > 0 || beside(catalog, map, fm_str_basename(map->of_file), arena, out);
}
