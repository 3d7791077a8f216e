/* Determines whether the only given source map may belong to a script; see js_map_fit.h. */
#include "session/restore/js_map_fit.h"

#include "core/text/scan.h"
#include "session/catalog/js_file_name.h"

static const char not_of_app[] = "this code belongs to a browser extension or a page, or was generated while the "
                                 "program ran; no given source map belongs to it";
static const char states_other[] = "the only source map given says that it belongs to another script";
static const char named_other[] = "the name of the only source map given is that of another script";
static const char of_bytecode[] = "the only source map given is for bytecode, and the frames are in a script's text";
static const char other_id[] = "the only source map given has another debug id than this script";

/* --- recognizing scripts of the app --- */

static framemap_str without_query(framemap_str file)
{
    const size_t safe = fm_str_find(file, FM_STR("//&")); /* JavaScriptCore writes "?" as "//&" in such names */
    size_t end = 0;
    while (end < file.size && end != safe && file.data[end] != '?' && file.data[end] != '#') end++;
    return fm_str_slice(file, 0, end);
}

static bool is_fetched(framemap_str file)
{
    return fm_str_starts(file, FM_STR("http:")) || fm_str_starts(file, FM_STR("https:"));
}

/* Whether a file has a URL scheme that shows that the code is not a file of the app. Apps choose schemes of their own
 * (app:, capacitor:, tauri:), so only the schemes of other code are listed. */
static bool has_foreign_scheme(framemap_str file)
{
    static const char *const schemes[] = {"blob:",       "data:",        "about:",
                                          "javascript:", "node:",        "wasm:",
                                          "resource:",   "chrome:",      "webpack-internal:",
                                          "devtools:",   "user-script:", "webkit-masked-url:",
                                          "pptr:",       "ng:",          "jar:"};
    const size_t colon = fm_str_find_byte(file, ':');
    for (size_t i = 0; i < sizeof schemes / sizeof *schemes; i++)
        if (fm_str_starts(file, framemap_str_of(schemes[i]))) return true;
    return colon != FM_NOT_FOUND && fm_str_ends(fm_str_slice(file, 0, colon), FM_STR("-extension"));
}

/* Whether a name is one of those that engines give to code that was a string: "<anonymous>", "evalmachine.<anonymous>",
 * "[eval]", "VM123", "debugger eval code". */
static bool is_engine_name(framemap_str file)
{
    const framemap_str vm = FM_STR("VM");
    size_t digits = vm.size;
    if (file.size == 0) return false;
    if (file.data[0] == '<' || file.data[0] == '[' || file.data[file.size - 1] == '>') return true;
    if (fm_str_starts(file, vm))
        while (digits < file.size && fm_is_digit(file.data[digits])) digits++;
    if (digits > vm.size && digits == file.size) return true;
    return fm_str_equal(file, FM_STR("eval")) || fm_str_equal(file, FM_STR("eval code")) ||
           fm_str_equal(file, FM_STR("debugger eval code"));
}

static bool has_ending_of(framemap_str name, const char *const *endings, size_t count)
{
    for (size_t i = 0; i < count; i++)
        if (fm_str_ends(name, framemap_str_of(endings[i]))) return true;
    return false;
}

/* Whether a name has the ending of a script that a server delivers. A development server also delivers modules in the
 * language in which they are written. */
static bool is_served_script(framemap_str name)
{
    static const char *const sources[] = {".ts", ".tsx", ".mts", ".cts", ".vue", ".svelte", ".hbc"};
    return fm_js_has_ending(name) || has_ending_of(name, sources, sizeof sources / sizeof *sources);
}

static bool is_page(framemap_str path)
{
    static const char *const pages[] = {".html", ".htm", ".xhtml"};
    const framemap_str name = fm_str_basename(path);
    return is_fetched(path) ? !is_served_script(name) : has_ending_of(name, pages, sizeof pages / sizeof *pages);
}

/* Whether a file in a stack can be a script of the app, judged by its name alone. */
static bool is_app_script(framemap_str file)
{
    const framemap_str path = without_query(file);
    return !has_foreign_scheme(file) && !is_engine_name(path) && !is_page(path);
}

/* --- comparing names by which one script is known --- */

struct fit {
    struct fm_catalog *catalog;
    const struct fm_js_map_query *want;
    struct fm_arena arena;
    struct fm_js_file_name file;
    bool failed; /* out of memory */
};

/* Returns "app.js" for "app.min.js": the map of minified code usually states the name of the minifier's input. */
static framemap_str without_min(struct fit *fit, framemap_str name)
{
    const framemap_str min = FM_STR(".min.");
    const size_t at = fm_str_find_last(name, min);
    if (at == FM_NOT_FOUND) return name;
    char *to = fm_arena_alloc(&fit->arena, name.size);
    if (to == NULL) {
        fit->failed = true;
        return name;
    }
    const size_t rest = name.size - at - (min.size - 1);
    memcpy(to, name.data, at);
    memcpy(to + at, name.data + at + min.size - 1, rest);
    return fm_str(to, at + rest);
}

/* Returns a file name without a hash and without ".min". */
static framemap_str bare_of(struct fit *fit, framemap_str name)
{
    framemap_str bare;
    if (!fm_js_bare_name(name, &fit->arena, &bare)) fit->failed = true;
    return without_min(fit, bare.size ? bare : name);
}

static bool has_hash(framemap_str name)
{
    framemap_str hashes[FM_JS_NAME_HASHES];
    return fm_js_name_hashes(name, hashes) > 0;
}

static bool names_one_script(struct fit *fit, framemap_str printed, framemap_str stated)
{
    if (fm_str_equal(printed, stated)) return true;
    if (has_hash(printed) && has_hash(stated))
        /* the names have different hashes, so they belong to two builds; with equal hashes, the map would have been
         * found by its hash */
        return false;
    return fm_str_equal(bare_of(fit, printed), bare_of(fit, stated));
}

/* Whether a name, or another name of the same script, is the name of the script in the stack. */
static bool is_called(struct fit *fit, framemap_str stated)
{
    framemap_str name = fit->file.name;
    bool same = names_one_script(fit, name, stated);
    for (unsigned number = 0; !same && name.size > 0 && !fit->failed; number++) {
        if (!fm_js_name_alias(&fit->file, number, &fit->arena, &name)) fit->failed = true;
        same = name.size > 0 && names_one_script(fit, name, stated);
    }
    return same;
}

/* --- testing one map --- */

/* Returns the script name that the map states; if it states none, the name of the script through which the map was
 * found; absent: there is no such name. Tools that do not know the name of their output write a text such as
 * "<stdout>". */
static framemap_str stated_name(struct fit *fit, const struct fm_entry *map)
{
    framemap_str script, file = fm_str_basename(map->stated_file);
    const size_t dot = fm_str_find_last_byte(file, '.');
    if (map->is_script) return map->name;
    if (dot != FM_NOT_FOUND && dot > 0 && dot + 1 < file.size && !is_engine_name(file)) return file;
    if (!fm_js_script_of_map(fit->catalog, map, &fit->arena, &script)) fit->failed = true;
    return fm_str_basename(script);
}

/* Returns the script name that is derived from the map's own name; absent for names such as "app.map" and
 * "source.json", which contain no script name. */
static framemap_str script_of_name(const struct fm_entry *map)
{
    static const char *const others[] = {".hbc", ".css"};
    const framemap_str name = map->is_index && map->of_file.size ? map->of_file : map->name;
    return fm_js_has_ending(name) || has_ending_of(name, others, sizeof others / sizeof *others)
               ? name
               : (framemap_str){NULL, 0};
}

/* Returns a letter for the platform in the name of a React Native bundle; 0: the name has no platform. */
static char platform_of(framemap_str name)
{
    if (fm_str_find(name, FM_STR("android.bundle")) != FM_NOT_FOUND) return 'a';
    return fm_str_find(name, FM_STR("ios.bundle")) != FM_NOT_FOUND || fm_str_ends(name, FM_STR(".jsbundle")) ? 'i' : 0;
}

static bool is_other_platform(const struct fit *fit, framemap_str named)
{
    const char of_map = platform_of(named), *const platform = fit->file.platform.data;
    const char of_script = fit->file.platform.size ? platform[0] : platform_of(fit->file.name);
    return of_map && of_script && of_map != of_script;
}

/* Whether a script of this kind always has the name that its map's file name contains (`named`). */
static bool is_named_strictly(const struct fit *fit, framemap_str named)
{
    return is_fetched(fit->want->file) || has_hash(fit->file.name) || has_hash(named) ||
           is_other_platform(fit, named) || fm_str_find(fit->want->file, FM_STR("/node_modules/")) != FM_NOT_FOUND;
}

/* Whether a name belongs to a bundle that is compiled to bytecode. For such a bundle, crash reporters print addresses
 * as columns, too. */
static bool is_bundle(framemap_str name)
{
    static const char *const endings[] = {".bundle", ".jsbundle", ".hbc"};
    return has_ending_of(name, endings, sizeof endings / sizeof *endings);
}

static struct fm_js_map_fit fit_of(struct fit *fit, const struct fm_entry *map)
{
    if (fit->want->id.size && map->id.size && !fm_str_equal(fit->want->id, map->id))
        return (struct fm_js_map_fit){.reason = other_id};
    const framemap_str stated = stated_name(fit, map), named = script_of_name(map);
    const framemap_str name = stated.size ? stated : named;
    if (name.size && is_called(fit, name)) return (struct fm_js_map_fit){.agrees = true};
    if (stated.size) return (struct fm_js_map_fit){.reason = states_other};
    if (map->of_bytecode && !fit->want->bytecode && !is_bundle(fit->file.name))
        return (struct fm_js_map_fit){.reason = of_bytecode};
    if (name.size == 0) return (struct fm_js_map_fit){.reason = NULL};
    return (struct fm_js_map_fit){.reason = is_named_strictly(fit, named) ? named_other : NULL};
}

/* Combines the results for two maps of one build. If one of the maps shows that it does not belong to the script,
 * neither map fits. Otherwise one map with a matching name is enough, since the maps have different names. */
static void merge_fits(struct fm_js_map_fit *all, const struct fm_js_map_fit *one)
{
    const bool all_final = all->reason == states_other || all->reason == other_id;
    const bool one_final = one->reason == states_other || one->reason == other_id;
    if (all_final || (!one_final && (all->agrees || one->reason != NULL))) return;
    *all = *one;
}

bool fm_js_map_fit(struct fm_catalog *catalog, struct fm_heap *heap, const struct fm_js_map_choice *choice,
                   const struct fm_js_map_query *want, struct fm_js_map_fit *out)
{
    struct fit fit = {.catalog = catalog, .want = want};
    *out = (struct fm_js_map_fit){.reason = is_app_script(want->file) ? NULL : not_of_app};
    if (out->reason) return true;
    fm_arena_init(&fit.arena, heap);
    fit.failed = !fm_js_file_name_read(want->file, &fit.arena, &fit.file);
    for (size_t i = 0; i < choice->count && !fit.failed; i++) {
        const struct fm_js_map_fit one = fit_of(&fit, choice->entries[i]);
        if (i == 0)
            *out = one;
        else
            merge_fits(out, &one);
    }
    fm_arena_free(&fit.arena);
    return !fit.failed;
}
