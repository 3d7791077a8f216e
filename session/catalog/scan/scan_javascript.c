/* Recognizes source maps and scripts during a scan. Reads the first part of a map and the last lines of a script, and
 * compiles nothing. */
#include "session/catalog/scan/scan_javascript.h"

#include "api/index_handle.h"
#include "core/archive/archive_script.h"
#include "core/error.h"
#include "core/text/scan.h"
#include "core/text/text.h"
#include "mappers/javascript/sourcemap/document/sourcemap_comment.h"
#include "mappers/javascript/sourcemap/document/sourcemap_debug_id.h"
#include "mappers/javascript/sourcemap/document/sourcemap_document.h"
#include "mappers/javascript/sourcemap/document/sourcemap_gzip.h"
#include "mappers/javascript/sourcemap/sourcemap_mapper.h"
#include "session/catalog/js_file_name.h"

/* Ranks for choosing among the files of one build. The scale is that of other symbol files: a source map ranks as high
 * as a line table, and an index made from a map ranks higher than the map. */
enum { RANK_LINES = 4, RANK_INDEX = 15 };

/* --- reading the last lines of a script --- */

/* number of lines at the end of a script in which a debug id is searched; other tools search the same number */
enum { LAST_LINES = 5 };
/* Maximum number of bytes at the end of a script that are read. The line with the map's address may be long. */
#define TAIL_BYTES ((size_t)16 << 10)

/* Returns the whole lines in the last part of a text. */
static framemap_str tail_of(framemap_str text)
{
    if (text.size <= TAIL_BYTES) return text;
    const framemap_str tail = fm_str_from(text, text.size - TAIL_BYTES);
    const size_t line = fm_str_find_byte(tail, '\n');
    return line == FM_NOT_FOUND ? (framemap_str){NULL, 0} : fm_str_from(tail, line + 1);
}

/* The special comments in the last lines of a script, besides the URL of its map. */
struct script_comments {
    char id[FM_SOURCEMAP_ID_DIGITS + 1]; /* the debug id in "//# debugId=…"; empty if there is no such comment */
    framemap_str source_url;             /* the URL in the last "//# sourceURL=…"; absent if there is no such comment */
};

static void read_script_line(framemap_str line, struct script_comments *comments)
{
    const framemap_str id = FM_STR("//# debugId="), url = FM_STR("//# sourceURL=");
    if (line.size > 0 && line.data[line.size - 1] == '\r') line.size--;
    line = fm_str_trim(line);
    if (comments->id[0] == 0 && fm_str_starts(line, id) &&
        fm_sourcemap_id_read(fm_str_trim(fm_str_from(line, id.size)), false, comments->id))
        comments->id[FM_SOURCEMAP_ID_DIGITS] = 0;
    if (comments->source_url.size == 0 && fm_str_starts(line, url)) comments->source_url = fm_str_from(line, url.size);
}

static void read_last_lines(framemap_str tail, struct script_comments *comments)
{
    *comments = (struct script_comments){.id = ""};
    while (tail.size > 0 && tail.data[tail.size - 1] == '\n') tail.size--;
    for (unsigned lines = 0; lines < LAST_LINES; lines++) {
        const size_t end = fm_str_find_last_byte(tail, '\n');
        read_script_line(fm_str_from(tail, end == FM_NOT_FOUND ? 0 : end + 1), comments);
        if (end == FM_NOT_FOUND) return;
        tail.size = end;
    }
}

/* --- finding the map that a script names --- */

static framemap_str folder_of(framemap_str path)
{
    const size_t slash = fm_str_find_last_byte(path, '/');
    return fm_str_slice(path, 0, slash == FM_NOT_FOUND ? 0 : slash + 1);
}

/* Returns the path of a URL, without query and fragment. If the URL names a server or begins with a slash, returns only
 * the last part of the path, because the folder of this machine that is the server's root is not known. */
static framemap_str local_part(framemap_str url)
{
    for (size_t i = 0; i < url.size; i++)
        if (url.data[i] == '?' || url.data[i] == '#') url.size = i;
    if (fm_str_find(url, FM_STR("://")) != FM_NOT_FOUND || fm_str_starts(url, FM_STR("/"))) url = fm_str_basename(url);
    while (fm_str_starts(url, FM_STR("./"))) url = fm_str_from(url, 2);
    return url;
}

/* Removes leading "../" from a URL, and for each of them one folder from the end of the script's folder. */
static void go_up(framemap_str *folder, framemap_str *url)
{
    while (fm_str_starts(*url, FM_STR("../")) && folder->size > 1) {
        const framemap_str inner = fm_str_slice(*folder, 0, folder->size - 1), above = folder_of(inner);
        const framemap_str last = fm_str_from(inner, above.size);
        if (fm_str_equal(last, FM_STR("..")) || fm_str_equal(last, FM_STR("."))) return;
        *folder = above;
        *url = fm_str_from(*url, 3);
    }
}

static bool resolve(framemap_str script, framemap_str url, struct fm_arena *arena, framemap_str *out)
{
    framemap_str folder = folder_of(script);
    *out = (framemap_str){NULL, 0};
    url = local_part(url);
    if (url.size == 0) return true;
    go_up(&folder, &url);
    char *to = fm_arena_alloc(arena, folder.size + url.size + 1);
    if (to == NULL) return false;
    size_t size = folder.size;
    if (size > 0) memcpy(to, folder.data, size);
    for (size_t i = 0; i < url.size; i++) {
        const bool escape =
            url.data[i] == '%' && url.size - i > 2 && fm_is_hex(url.data[i + 1]) && fm_is_hex(url.data[i + 2]);
        const char c =
            escape ? (char)(fm_hex_value(url.data[i + 1]) << 4 | fm_hex_value(url.data[i + 2])) : url.data[i];
        if (c == 0) return true; /* a URL with an encoded NUL is rejected, since a file name cannot contain a NUL */
        to[size++] = c;
        i += escape ? 2 : 0;
    }
    to[size] = 0;
    *out = fm_str(to, size);
    return true;
}

/* Returns the map beside a script: "main.js.map" beside "main.js", if it exists. */
static bool map_beside(const char *script, struct fm_arena *arena, framemap_str *out)
{
    struct fm_stamp stamp;
    const size_t size = strlen(script);
    char *path = fm_arena_alloc(arena, size + sizeof ".map");
    if (path == NULL) return false;
    memcpy(path, script, size);
    memcpy(path + size, ".map", sizeof ".map");
    *out = fm_stamp_of(path, &stamp) ? fm_str(path, size + 4) : (framemap_str){NULL, 0};
    return true;
}

/* --- adding entries to the catalog --- */

static framemap_str base_name(const struct fm_scanned *file) { return fm_str_basename(framemap_str_of(file->path)); }

bool fm_scan_has_modules(const struct fm_scanned *file)
{
    enum { HEAD = 4096 };
    const framemap_str head = fm_str_slice(file->bytes, 0, file->bytes.size < HEAD ? file->bytes.size : HEAD);
    if (!file->given && !fm_js_has_ending(base_name(file))) return false;
    return fm_str_find(head, FM_STR("webpack")) != FM_NOT_FOUND;
}

bool fm_scan_is_source_map(const struct fm_scanned *file)
{
    return fm_mapper_for(file->bytes, base_name(file), NULL) == &fm_sourcemap_mapper;
}

/* Whether the file is the map of a module that a script passes to eval: "main.js!webpack-internal:///./src/a.js". */
static bool is_module(const struct fm_scanned *file)
{
    return file->name_at > 0 && fm_str_starts(framemap_str_of(file->path + file->name_at), FM_STR(FM_SCRIPT_MODULE));
}

static bool is_inside_script(framemap_str bytes)
{
    return !fm_sourcemap_is_gzip(bytes) && !fm_sourcemap_document_is_json(fm_sourcemap_document_strip(bytes));
}

framemap_status fm_scan_source_map(const struct fm_scan_host *host, const struct fm_scanned *file,
                                   framemap_error *error)
{
    struct fm_arena arena;
    struct fm_sourcemap_about about;
    struct script_comments comments = {.id = ""};
    fm_arena_init(&arena, host->catalog->heap);
    framemap_status status = fm_sourcemap_about(file->bytes, &arena, &about, error);
    if (status == FRAMEMAP_OK) {
        const bool inside = is_inside_script(file->bytes);
        if (inside) read_last_lines(tail_of(file->bytes), &comments);
        /* A module that is passed to eval is found only by its whole URL, not by the last part of its path. */
        const framemap_str url = framemap_str_of(file->path + file->name_at), none = {NULL, 0};
        const framemap_str name = inside ? base_name(file) : fm_js_name_of_map(base_name(file));
        const bool module = is_module(file);
        const framemap_str of_file = module ? none : about.file;
        const struct fm_entry entry = {.path = file->path,
                                       .name = module ? url : name,
                                       .id = framemap_str_of(about.id),
                                       .of_file = of_file,
                                       .stated_file = of_file,
                                       .source_url = module ? url : comments.source_url,
                                       .stamp = *file->stamp,
                                       .depth = file->depth,
                                       .rank = RANK_LINES,
                                       .is_source_map = true,
                                       .is_script = inside,
                                       .of_bytecode = about.of_bytecode};
        if (!fm_catalog_add(host->catalog, &entry)) status = fm_error_memory(error);
    }
    fm_arena_free(&arena);
    return status;
}

framemap_status fm_scan_map_index(const struct fm_scan_host *host, const struct fm_scanned *file, framemap_str id,
                                  bool *listed, framemap_error *error)
{
    struct fm_index_map map;
    *listed = fm_index_is_map(file->bytes, &map);
    if (!*listed) return FRAMEMAP_OK;
    const struct fm_entry entry = {.path = file->path,
                                   .name = fm_js_name_of_map(base_name(file)),
                                   .id = id,
                                   .of_file = fm_js_name_of_map(framemap_str_of(map.name)),
                                   .stated_file = framemap_str_of(map.file),
                                   .stamp = *file->stamp,
                                   .depth = file->depth,
                                   .rank = RANK_INDEX,
                                   .is_index = true,
                                   .is_source_map = true,
                                   .of_bytecode = map.of_bytecode};
    return fm_catalog_add(host->catalog, &entry) ? FRAMEMAP_OK : fm_error_memory(error);
}

framemap_status fm_scan_script(const struct fm_scan_host *host, const struct fm_scanned *file, struct fm_arena *arena,
                               framemap_str *map, bool *listed, framemap_error *error)
{
    struct script_comments comments;
    *map = (framemap_str){NULL, 0};
    *listed = false;
    const bool is_called_so = fm_js_has_ending(base_name(file));
    if (!is_called_so && !file->given) return FRAMEMAP_OK;
    const framemap_str tail = tail_of(file->bytes);
    const framemap_str url = fm_sourcemap_comment_url(tail);
    read_last_lines(tail, &comments);
    if (url.size > 0 && !fm_sourcemap_is_data_url(url) && !resolve(framemap_str_of(file->path), url, arena, map))
        return fm_error_memory(error);
    if (map->size == 0 && file->given && is_called_so && !map_beside(file->path, arena, map))
        return fm_error_memory(error);
    if (map->size == 0 && comments.id[0] == 0) return FRAMEMAP_OK;
    const struct fm_entry entry = {.path = file->path,
                                   .name = base_name(file),
                                   .id = framemap_str_of(comments.id),
                                   .source_url = comments.source_url,
                                   .map_url = url,
                                   .map_path = *map,
                                   .stamp = *file->stamp,
                                   .depth = file->depth,
                                   .is_script = true};
    *listed = true;
    return fm_catalog_add(host->catalog, &entry) ? FRAMEMAP_OK : fm_error_memory(error);
}
