/* framemap inject: writes debug ids into scripts and their source maps. */
#define _XOPEN_SOURCE 700 /* makes the system headers declare realpath() */
#include "cli/cli.h"
#include "cli/cli_io.h"
#include "cli/options.h"

#include <dirent.h>
#include <errno.h>
#include <search.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum { HELP = FM_OPTION_HELP, DRY_RUN };

static const struct fm_option table[] = {
    {DRY_RUN, 'n', "dry-run", FM_TAKES_NOTHING, NULL, "show what would be done, but change no file"},
    {HELP, 'h', "help", FM_TAKES_NOTHING, NULL, "show this help and exit"},
};
enum { ROWS = sizeof table / sizeof *table };

struct path_list {
    char **paths;
    size_t count, room;
};

struct inject_job {
    const char **operands; /* scripts and folders */
    size_t operand_count;
    bool dry_run, failed;
    struct fm_out out;
    struct path_list scripts;
    const char *given; /* the operand that is processed at present */
    char *root;        /* the folder below which source maps may be written */
    void *moved_maps;  /* a tree (tsearch) of the paths of maps whose mappings were moved with a script */
};

static int print_inject_help(void)
{
    struct fm_out out;
    fm_out_init(&out, STDOUT_FILENO);
    fm_put_text(&out, "usage: framemap inject [OPTION]... PATH...\n\n"
                      "Writes a debug id into each script (.js, .mjs, .cjs) and its source map, so that a stack of the "
                      "script names its map.\nPATH is a script, or a directory with scripts. The same files always get "
                      "the same id; files that have one keep it.\n\n");
    fm_options_help(&out, table, ROWS);
    return fm_out_flush(&out) ? FM_EXIT_DONE : FM_EXIT_FAILED;
}

/* --- finding files --- */

static void list_add(struct path_list *list, char *path)
{
    if (list->count == list->room) {
        list->room = list->room ? 2 * list->room : 64;
        list->paths = fm_cli_resize(list->paths, list->room * sizeof *list->paths);
    }
    list->paths[list->count++] = path;
}

static void list_free(struct path_list *list)
{
    for (size_t i = 0; i < list->count; i++) free(list->paths[i]);
    free(list->paths);
    *list = (struct path_list){.count = 0};
}

static char *join(framemap_str folder, framemap_str name)
{
    char *path = fm_cli_resize(NULL, folder.size + name.size + 2);
    const int size = snprintf(path, folder.size + name.size + 2, "%.*s%s%.*s", (int)folder.size, folder.data,
                              folder.size && folder.data[folder.size - 1] == '/' ? "" : "/", (int)name.size, name.data);
    path[size] = 0;
    return path;
}

static bool ends_in(const char *name, const char *const *ends, size_t count)
{
    const size_t size = strlen(name);
    for (size_t i = 0; i < count; i++)
        if (size > strlen(ends[i]) && strcmp(name + size - strlen(ends[i]), ends[i]) == 0) return true;
    return false;
}

/* Whether a file found in a directory is a script. Its name decides. */
static bool is_script(const char *name)
{
    static const char *const ends[] = {".js", ".mjs", ".cjs"};
    return ends_in(name, ends, sizeof ends / sizeof *ends);
}

/* Whether a file that the user named may be a script. Its name decides: bundles of React Native have other names than
 * scripts, and scripts of Node often have no extension. The content does not decide, because any text, such as a log,
 * could be a script. */
static bool may_be_script(const char *path)
{
    static const char *const ends[] = {".jsx", ".bundle", ".jsbundle"};
    const char *slash = strrchr(path, '/'), *name = slash ? slash + 1 : path;
    return !strchr(name, '.') || is_script(name) || ends_in(name, ends, sizeof ends / sizeof *ends);
}

static int compare_paths(const void *left, const void *right)
{
    return strcmp(*(char *const *)left, *(char *const *)right);
}

/* Adds the scripts of a folder to the list of scripts, and its subfolders to `folders`. Symbolic links are not
 * followed. */
static bool read_folder(struct inject_job *job, const char *path, struct path_list *folders)
{
    DIR *folder = opendir(path);
    const struct dirent *entry;
    if (!folder) return false;
    for (errno = 0; (entry = readdir(folder)) != NULL; errno = 0) {
        struct stat about;
        if (strcmp(entry->d_name, ".") == 0 || strcmp(entry->d_name, "..") == 0) continue;
        char *inside = join(framemap_str_of(path), framemap_str_of(entry->d_name));
        const bool known = lstat(inside, &about) == 0;
        if (known && S_ISDIR(about.st_mode))
            list_add(folders, inside);
        else if (known && S_ISREG(about.st_mode) && is_script(entry->d_name))
            list_add(&job->scripts, inside);
        else
            free(inside);
    }
    const bool whole = errno == 0;
    closedir(folder);
    return whole;
}

/* Lists the scripts of an operand, in the order of their paths. */
static bool list_scripts(struct inject_job *job, const char *path)
{
    struct path_list folders = {.count = 0};
    struct stat about;
    bool good = stat(path, &about) == 0;
    if (good && !S_ISDIR(about.st_mode)) {
        list_add(&job->scripts, fm_cli_copy(path, strlen(path)));
        return true;
    }
    if (good) list_add(&folders, fm_cli_copy(path, strlen(path)));
    for (size_t i = 0; i < folders.count; i++) good = read_folder(job, folders.paths[i], &folders) && good;
    list_free(&folders);
    if (job->scripts.count > 1)
        qsort(job->scripts.paths, job->scripts.count, sizeof *job->scripts.paths, compare_paths);
    return good;
}

static framemap_str folder_of(const char *path)
{
    const char *slash = strrchr(path, '/');
    return slash ? (framemap_str){path, (size_t)(slash + 1 - path)} : (framemap_str){"./", 2};
}

/* Whether a file exists and is below the root, once symbolic links are resolved. */
static bool is_below_root(const struct inject_job *job, const char *path)
{
    char *real = realpath(path, NULL);
    const size_t size = strlen(job->root);
    const bool below = real && strncmp(real, job->root, size) == 0 && (real[size] == '/' || job->root[size - 1] == '/');
    free(real);
    return below;
}

/* Returns the path of the source map that a script names, or that is next to the script; NULL: neither exists. */
static char *find_map(const struct inject_job *job, const char *script, framemap_str url)
{
    const framemap_str folder = folder_of(script);
    while (url.size && memchr("?#", url.data[url.size - 1], 2)) url.size--;
    const bool is_remote =
        url.size > 8 && (strncmp(url.data, "http://", 7) == 0 || strncmp(url.data, "https://", 8) == 0);
    char *path = NULL;
    if (url.size) path = join(folder, is_remote ? fm_base_name(url) : url);
    if (path && is_below_root(job, path)) return path;
    free(path);
    path = fm_cli_resize(NULL, strlen(script) + 5);
    snprintf(path, strlen(script) + 5, "%s.map", script);
    if (is_below_root(job, path)) return path;
    free(path);
    return NULL;
}

/* --- remembering which maps were changed --- */

static int compare_names(const void *left, const void *right) { return strcmp(left, right); }

/* Records that a map's mappings were moved to fit a changed script. The map then no longer fits another copy of the
 * script. */
static void remember_moved(struct inject_job *job, const char *map)
{
    char *real = realpath(map, NULL);
    char *const *kept = real ? tsearch(real, &job->moved_maps, compare_names) : NULL;
    if (!kept || *kept != real) free(real);
}

static bool was_moved(const struct inject_job *job, const char *map)
{
    char *real = realpath(map, NULL);
    const bool moved = real && tfind(real, &job->moved_maps, compare_names) != NULL;
    free(real);
    return moved;
}

static void forget_moved(struct inject_job *job)
{
    while (job->moved_maps) {
        char *path = *(char **)job->moved_maps; /* the first member of a tree node is its key */
        tdelete(path, &job->moved_maps, compare_names);
        free(path);
    }
}

/* --- changing one script and its map --- */

/* Returns what was done to the files, or would be done without --dry-run, as a word for the report. */
static const char *deed_of(const framemap_injected *injected, bool dry_run)
{
    if (injected->script.size) return dry_run ? "  would inject  " : "  injected  ";
    if (injected->map.size) return dry_run ? "  would map     " : "  map       ";
    return dry_run ? "  has it        " : "  had it    ";
}

static void put_result(struct inject_job *job, const framemap_injected *injected, const char *script, const char *map)
{
    fm_put_text(&job->out, injected->debug_id);
    fm_put_text(&job->out, deed_of(injected, job->dry_run));
    fm_put_str(&job->out, framemap_str_of(script));
    if (map) {
        fm_put_text(&job->out, "  ");
        fm_put_str(&job->out, framemap_str_of(map));
    }
    fm_put_char(&job->out, '\n');
}

/* Writes the changed files: script and map together, since each fits only the new version of the other. */
static framemap_status write_both(const struct inject_job *job, const framemap_injected *injected, const char *script,
                                  const char *map, framemap_error *error)
{
    framemap_status status = FRAMEMAP_OK;
    if (job->dry_run) return status;
    if (injected->map.size && injected->script.size)
        return fm_file_write_pair(map, framemap_bytes_str(&injected->map), script,
                                  framemap_bytes_str(&injected->script), error);
    if (injected->map.size) status = fm_file_write(map, framemap_bytes_str(&injected->map), error);
    if (!status && injected->script.size) status = fm_file_write(script, framemap_bytes_str(&injected->script), error);
    return status;
}

/* Whether a debug id can be injected into a script and this map. id: set to the debug id, which is the map's own if it
 * has one. */
static bool find_id(framemap_str script, const char *map_path, char id[40])
{
    struct fm_file map;
    framemap_injected injected;
    if (fm_file_open_beside(map_path, &map, NULL) != FRAMEMAP_OK) return false;
    const bool found = framemap_inject(script, map.bytes, NULL, &injected, NULL) == FRAMEMAP_OK;
    fm_file_close(&map);
    if (!found) return false;
    memcpy(id, injected.debug_id, sizeof injected.debug_id);
    framemap_bytes_free(&injected.script);
    framemap_bytes_free(&injected.map);
    return true;
}

/* Brings the original of a map back if an earlier run was killed after it wrote the new map, but before it wrote the
 * script. The id in the new map is made from the bytes of the script and of the original map. So it shows whether the
 * original belongs to this script; after another build it does not, and the original is of no use. */
static framemap_status recover_map(framemap_str script, bool has_id, const char *map_path, framemap_error *error)
{
    char *kept = fm_file_kept_of(map_path), id[40], id_before[40];
    if (!kept) return FRAMEMAP_OK;
    const bool is_halfway =
        !has_id && find_id(script, map_path, id) && find_id(script, kept, id_before) && strcmp(id, id_before) == 0;
    const framemap_status status = fm_file_end_pair(map_path, kept, is_halfway, error);
    free(kept);
    return status;
}

/* Injects a debug id into a script and its map, and writes both files. has_id: the script already has a debug id. */
static framemap_status inject_files(struct inject_job *job, const char *path, framemap_str script, bool has_id,
                                    const char *map_path, framemap_error *error)
{
    struct fm_file map = {.bytes = {NULL, 0}};
    framemap_injected injected = {.debug_id = ""};
    framemap_status status = FRAMEMAP_OK;
    if (map_path && !job->dry_run) status = recover_map(script, has_id, map_path, error);
    if (map_path && !status) status = fm_file_open_beside(map_path, &map, error);
    if (status) return status;
    status = framemap_inject(script, map.bytes, NULL, &injected, error);
    if (map_path) fm_file_close(&map);
    if (!status) status = write_both(job, &injected, path, map_path, error);
    if (!status && map_path && injected.map.size && injected.script.size) remember_moved(job, map_path);
    if (!status) put_result(job, &injected, path, map_path);
    framemap_bytes_free(&injected.script);
    framemap_bytes_free(&injected.map);
    return status;
}

/* Reports a script that is not changed because its map is elsewhere: the added statement would move the script's code,
 * so that the map would no longer fit. */
static void report_lost_map(struct inject_job *job, const char *script, framemap_str url)
{
    fm_out_flush(&job->out);
    fm_message("%s: left as it is: its source map %.*s is not below %s", script, (int)url.size, url.data, job->given);
    job->failed = true;
}

/* Reports a script that is not changed because its map was already changed together with another script. The map now
 * fits that script; if it were moved once more, it would fit neither script. */
static void report_shared_map(struct inject_job *job, const char *script, const char *map)
{
    fm_out_flush(&job->out);
    fm_message(
        "%s: left as it is: its source map %s was changed with another script; give each script a map of its own",
        script, map);
    job->failed = true;
}

static void inject_script(struct inject_job *job, const char *path)
{
    struct fm_file script;
    framemap_script_info about;
    framemap_error error;
    char *map = NULL;
    framemap_status status = fm_file_open(path, &script, &error);
    if (!status) {
        framemap_script_inspect(script.bytes, &about);
        if (!about.has_inline_map) map = find_map(job, path, about.map_url);
        if (about.map_url.size && !about.has_inline_map && !map)
            report_lost_map(job, path, about.map_url);
        else if (map && about.debug_id.size == 0 && was_moved(job, map))
            report_shared_map(job, path, map);
        else
            status = inject_files(job, path, script.bytes, about.debug_id.size > 0, map, &error);
        fm_file_close(&script);
    }
    free(map);
    if (!status) return;
    fm_out_flush(&job->out);
    fm_message_error(path, &error);
    job->failed = true;
}

static void inject_operand(struct inject_job *job, const char *path)
{
    struct stat about = {.st_mode = 0};
    const framemap_str folder = folder_of(path);
    char *holder = fm_cli_copy(folder.data, folder.size);
    const bool exists = stat(path, &about) == 0, is_folder = exists && S_ISDIR(about.st_mode);
    const int failed_by = exists ? EACCES : errno;
    job->given = path;
    job->root = realpath(is_folder ? path : holder, NULL);
    free(holder);
    if (job->root && S_ISREG(about.st_mode) && !may_be_script(path)) {
        fm_message("%s: left as it is: it is not named like a script (.js, .mjs, .cjs, .jsx, .bundle, .jsbundle)",
                   path);
        job->failed = true;
    } else if (!job->root || !list_scripts(job, path)) {
        fm_message("%s: %s", path, strerror(failed_by));
        job->failed = true;
    } else {
        if (job->scripts.count == 0) fm_message("%s: there is no script (.js, .mjs, .cjs) in this directory", path);
        for (size_t i = 0; i < job->scripts.count; i++) inject_script(job, job->scripts.paths[i]);
    }
    list_free(&job->scripts);
    free(job->root);
}

static int run_inject(struct inject_job *job)
{
    if (job->operand_count == 0) {
        fm_message("inject needs a script or a directory");
        return fm_message_usage("inject");
    }
    for (size_t i = 0; i < job->operand_count; i++) inject_operand(job, job->operands[i]);
    return fm_out_flush(&job->out) && !job->failed ? FM_EXIT_DONE : FM_EXIT_FAILED;
}

static bool take_inject_option(void *context, int id, const char *value)
{
    struct inject_job *job = context;
    if (id == DRY_RUN)
        job->dry_run = true;
    else
        job->operands[job->operand_count++] = value;
    return true;
}

static const struct fm_command_line command_line = {"inject", table, ROWS, print_inject_help, take_inject_option};

int fm_cmd_inject(int argc, char **argv)
{
    struct inject_job *job = fm_cli_resize(NULL, sizeof *job); /* the struct is too large for the stack */
    memset(job, 0, sizeof *job);
    job->operands = fm_cli_resize(NULL, (size_t)argc * sizeof *job->operands);
    fm_out_init(&job->out, STDOUT_FILENO);
    int code = fm_command_line_take(&command_line, argc, argv, job);
    if (code < 0) code = run_inject(job);
    forget_moved(job);
    free(job->operands);
    free(job);
    return code;
}
