/* Splits the names of scripts, and derives other names of the same script. js_file_hash.c finds the hashes in them. */
#include "session/catalog/js_file_name.h"

#include "core/archive/archive_script.h"
#include "core/text/scan.h"

/* --- splitting a path --- */

/* Returns a copy of a path in which %XX is decoded and backslashes are slashes. A NUL becomes '?', because keys made
 * from paths use NUL between folders. */
static framemap_str plain_path(framemap_str text, struct fm_arena *arena)
{
    char *to = fm_arena_alloc(arena, text.size + 1);
    size_t size = 0;
    if (to == NULL) return (framemap_str){NULL, 0};
    for (size_t i = 0; i < text.size; i++) {
        char c = text.data[i];
        if (c == '%' && text.size - i > 2 && fm_is_hex(text.data[i + 1]) && fm_is_hex(text.data[i + 2])) {
            c = (char)(fm_hex_value(text.data[i + 1]) << 4 | fm_hex_value(text.data[i + 2]));
            i += 2;
        }
        to[size++] = c == '\\' ? '/' : c == 0 ? '?' : c;
    }
    to[size] = 0;
    return fm_str(to, size);
}

/* Returns the offset at which the query or the fragment starts. */
static size_t path_end(framemap_str text)
{
    const size_t safe = fm_str_find(text, FM_STR("//&"));
    for (size_t i = 0; i < text.size && i < safe; i++)
        if (text.data[i] == '?' || text.data[i] == '#') return i;
    return safe < text.size ? safe : text.size;
}

static framemap_str query_value(framemap_str query, framemap_str key)
{
    for (size_t at = 0; at < query.size;) {
        size_t end = at;
        while (end < query.size && query.data[end] != '&' && query.data[end] != '?' && query.data[end] != '#') end++;
        const framemap_str part = fm_str_slice(query, at, end);
        if (fm_str_starts(part, key)) return fm_str_from(part, key.size);
        at = end + 1;
    }
    return (framemap_str){NULL, 0};
}

/* Returns a URL without its scheme: "host/x" for "https://host/x". The letter of a drive ("C:") is kept and treated as
 * a folder. */
static framemap_str without_scheme(framemap_str text)
{
    const size_t mark = fm_str_find(text, FM_STR("://"));
    if (mark != FM_NOT_FOUND && fm_str_find_byte(text, '/') == mark + 1) return fm_str_from(text, mark + 3);
    return text;
}

static bool is_plain_part(framemap_str part) { return part.size > 0 && !fm_str_equal(part, FM_STR(".")); }

/* Splits a path into its folders, beginning with the folder nearest to the file. Since the path is read backwards, ".."
 * removes the next folder that is read. */
static bool read_folders(framemap_str path, struct fm_arena *arena, framemap_str *out)
{
    char *to = fm_arena_alloc(arena, path.size + 2);
    size_t size = 0, away = 0, end = path.size;
    if (to == NULL) return false;
    while (end > 0) {
        const framemap_str above = fm_str_slice(path, 0, end);
        const size_t slash = fm_str_find_last_byte(above, '/');
        const framemap_str part = slash == FM_NOT_FOUND ? above : fm_str_from(above, slash + 1);
        if (fm_str_equal(part, FM_STR(".."))) {
            away++;
        } else if (is_plain_part(part) && away > 0) {
            away--;
        } else if (is_plain_part(part)) {
            memcpy(to + size, part.data, part.size);
            size += part.size;
            to[size++] = 0;
        }
        end = slash == FM_NOT_FOUND ? 0 : slash;
    }
    *out = fm_str(to, size);
    return true;
}

/* Removes the hash of the code from the name that V8 makes for a WebAssembly module: "wasm://wasm/app.wasm-2ce17b2a"
 * becomes app.wasm. */
static framemap_str without_code_hash(framemap_str text, framemap_str name)
{
    enum { HASH = 8 };
    if (!fm_str_starts(text, FM_STR("wasm://")) || name.size < HASH + 2) return name;
    const framemap_str hash = fm_str_from(name, name.size - HASH);
    return fm_is_all_hex(hash) && hash.data[-1] == '-' ? fm_str_slice(name, 0, name.size - HASH - 1) : name;
}

/* Whether the query of a URL is the hash by which webpack distinguishes sources of equal names: "199c". */
static bool is_source_hash(framemap_str query)
{
    enum { DIGITS = 4 };
    return query.size == DIGITS && fm_is_all_hex(query);
}

framemap_str fm_js_evaluated_module(framemap_str text)
{
    const framemap_str none = {NULL, 0}, internal = FM_STR(FM_SCRIPT_MODULE), url = FM_STR("webpack://");
    if (fm_str_starts(text, internal)) return fm_str_from(text, internal.size);
    if (!fm_str_starts(text, url)) return none;
    const framemap_str rest = fm_str_from(text, url.size);
    const size_t slash = fm_str_find_byte(rest, '/'), query = fm_str_find_byte(rest, '?');
    if (slash == FM_NOT_FOUND || query == FM_NOT_FOUND || query < slash) return none;
    return is_source_hash(fm_str_from(rest, query + 1)) ? none : fm_str_slice(rest, slash + 1, query);
}

bool fm_js_is_bundler_source(framemap_str text)
{
    return (fm_str_starts(text, FM_STR("webpack://")) && fm_js_evaluated_module(text).size == 0) ||
           fm_str_starts(text, FM_STR("turbopack://"));
}

bool fm_js_file_name_read(framemap_str text, struct fm_arena *arena, struct fm_js_file_name *out)
{
    const size_t end = path_end(text);
    const framemap_str printed = fm_str_slice(text, 0, end);
    const framemap_str path = plain_path(without_scheme(printed), arena);
    if (path.data == NULL) return false;
    const size_t slash = fm_str_find_last_byte(path, '/');
    *out = (struct fm_js_file_name){.name = slash == FM_NOT_FOUND ? path : fm_str_from(path, slash + 1),
                                    .raw_name = fm_str_from(text, end - fm_str_basename(printed).size),
                                    .platform = query_value(fm_str_from(text, end), FM_STR("platform="))};
    if (out->platform.size == 0 && end < text.size)
        out->platform = query_value(fm_str_from(text, end + 1), FM_STR("platform="));
    out->name = without_code_hash(text, out->name);
    out->module = fm_js_evaluated_module(text);
    return read_folders(slash == FM_NOT_FOUND ? (framemap_str){NULL, 0} : fm_str_slice(path, 0, slash), arena,
                        &out->folders);
}

framemap_str fm_js_name_of_map(framemap_str name)
{
    static const char *const tails[] = {".gz", ".fmx", ".map"};
    for (size_t i = 0; i < sizeof tails / sizeof tails[0]; i++) {
        const framemap_str tail = framemap_str_of(tails[i]);
        if (name.size > tail.size && fm_str_ends(name, tail)) name = fm_str_slice(name, 0, name.size - tail.size);
    }
    return name;
}

bool fm_js_has_ending(framemap_str name)
{
    static const char *const endings[] = {".js", ".mjs", ".cjs", ".jsx", ".bundle", ".jsbundle"};
    for (size_t i = 0; i < sizeof endings / sizeof endings[0]; i++)
        if (fm_str_ends(name, framemap_str_of(endings[i]))) return true;
    return false;
}

/* --- listing other names of the same script --- */

static bool joined(struct fm_arena *arena, framemap_str out[1], framemap_str stem, framemap_str middle,
                   framemap_str ending)
{
    const size_t size = stem.size + middle.size + ending.size;
    char *to = fm_arena_alloc(arena, size + 1);
    if (to == NULL) return false;
    if (stem.size > 0) memcpy(to, stem.data, stem.size);
    if (middle.size > 0) memcpy(to + stem.size, middle.data, middle.size);
    memcpy(to + stem.size + middle.size, ending.data, ending.size);
    to[size] = 0;
    *out = fm_str(to, size);
    return true;
}

/* Returns other names of one of Metro's bundles: "index.bundle?platform=ios" is also "index.ios.bundle", and is
 * "main.jsbundle" in apps. */
static bool metro_alias(const struct fm_js_file_name *file, unsigned number, struct fm_arena *arena, framemap_str *out)
{
    const framemap_str bundle = FM_STR(".bundle"), held = FM_STR("main.jsbundle"), ios = FM_STR("ios");
    if (fm_str_equal(file->name, held)) {
        if (number < 2) *out = number == 0 ? FM_STR("index.ios.bundle") : FM_STR("main.ios.bundle");
        return true;
    }
    if (!fm_str_ends(file->name, bundle) || file->platform.size == 0) return true;
    const framemap_str stem = fm_str_slice(file->name, 0, file->name.size - bundle.size);
    const bool names_platform = stem.size > file->platform.size && fm_str_ends(stem, file->platform) &&
                                stem.data[stem.size - file->platform.size - 1] == '.';
    if (number == 0 && !names_platform) {
        framemap_str platform;
        return joined(arena, &platform, FM_STR("."), file->platform, FM_STR("")) &&
               joined(arena, out, stem, platform, bundle);
    }
    if (number == (names_platform ? 0 : 1) && fm_str_equal(file->platform, ios)) *out = held;
    return true;
}

bool fm_js_name_alias(const struct fm_js_file_name *file, unsigned number, struct fm_arena *arena, framemap_str *out)
{
    static const struct {
        const char *ending, *others[4];
    } rows[] = {
        {".hbc", {"", ".js", ".bundle"}}, /* a file of bytecode has the name of the script from which it was compiled */
        {".js", {""}},                    /* the map of "main.js" may be "main.map" */
        {".mjs", {""}},
        {".cjs", {""}},
    };
    *out = (framemap_str){NULL, 0};
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        const framemap_str ending = framemap_str_of(rows[i].ending);
        if (file->name.size <= ending.size || !fm_str_ends(file->name, ending)) continue;
        if (number >= 4 || rows[i].others[number] == NULL) return true;
        return joined(arena, out, fm_str_slice(file->name, 0, file->name.size - ending.size),
                      framemap_str_of(rows[i].others[number]), FM_STR(""));
    }
    return metro_alias(file, number, arena, out);
}
