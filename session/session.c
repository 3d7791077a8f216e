/* Implements the public calls that open and close a session, scan its paths, and list missing symbols. session_index.c
 * has the calls that find an index, session/restore/ the restore calls. */
#include "session/session_state.h"

#include "api/archive_walk.h"
#include "api/option_structs.h"
#include "core/error.h"
#include "core/limits.h"
#include "core/text/text.h"
#include "session/catalog/text_scope.h"

#include <string.h>

void fm_session_warn(void *context, const framemap_error *warning)
{
    framemap_session *session = context;
    framemap_error over = *warning;
    if (strcmp(over.message, "out of memory") == 0) fm_session_memory_fault(session, over.code, &over);
    fm_mutex_lock(&session->talk);
    if (session->warning) session->warning(session->context, &over);
    fm_mutex_unlock(&session->talk);
}

static bool report_progress(void *context, uint64_t done, uint64_t total)
{
    framemap_session *session = context;
    fm_mutex_lock(&session->talk);
    bool go_on = session->progress == NULL || session->progress(session->context, done, total);
    fm_mutex_unlock(&session->talk);
    return go_on;
}

/* --- opening and closing --- */

static void set_up(framemap_session *session, const framemap_session_options *options)
{
    session->progress = options->progress;
    session->warning = options->warning;
    session->context = options->context;
    fm_mutex_init(&session->lock);
    fm_mutex_init(&session->talk);
    fm_arena_init(&session->arena, &session->heap);
    fm_catalog_init(&session->catalog, &session->heap);
    if (!session->has_ceiling) session->catalog.kept.most = FM_LIMIT_KEPT_FILES;
    fm_source_tree_init(&session->sources, &session->heap);
    fm_missing_init(&session->missing, &session->heap);
    fm_same_builds_init(&session->same_builds, &session->heap, fm_session_warn, session);
    fm_call_memory_init(&session->call_memory, &session->heap, session->has_ceiling ? session->ceiling.most : 0);
    fm_parser_tables_init(&session->parser_tables, &session->heap);
    session->catalog.same_build = fm_same_build;
    session->catalog.same_build_context = &session->same_builds;
    fm_label_sets_init(&session->labels, &session->heap, &session->catalog);
    session->allow_outside = options->allow_outside;
    const struct fm_scan_host host = {&session->catalog, fm_session_warn, session, options->allow_outside, NULL};
    fm_debug_files_init(&session->debug_files, &host);
    fm_index_cache_init(&session->cache, &session->heap, &session->lock, options->max_index_bytes,
                        session->has_ceiling ? &session->ceiling : NULL);
    session->fetch = options->fetch;
    session->fetch_context = options->fetch_context;
    fm_value_cache_init(&session->values, &session->heap, &session->allocator, options->max_value_bytes);
    session->cache.catalog = &session->catalog;
    session->cache.debug_files = &session->debug_files;
    session->cache.disk.warning = fm_session_warn;
    session->cache.disk.context = session;
    session->cache.build = (framemap_build_options){.size = sizeof session->cache.build,
                                                    .allocator = &session->allocator,
                                                    .threads = options->threads,
                                                    .keep_sources = options->keep_sources,
                                                    .range_mappings = options->range_mappings,
                                                    .progress = report_progress,
                                                    .warning = fm_session_warn,
                                                    .context = session};
}

static framemap_status keep_debug_folders(framemap_session *session, const framemap_session_options *options,
                                          framemap_error *error)
{
    framemap_str package = {NULL, 0};
    if (options->package && !fm_arena_str(&session->arena, framemap_str_of(options->package), &package))
        return fm_error_memory(error);
    session->debug_files.package = package.data;
    if (options->debug_folders == NULL) return FRAMEMAP_OK;
    const char **folders = FM_ARENA_ARRAY(&session->arena, const char *, options->debug_folder_count);
    if (folders == NULL) return fm_error_memory(error);
    for (size_t i = 0; i < options->debug_folder_count; i++) {
        framemap_str copy;
        if (!fm_arena_str(&session->arena, framemap_str_of(options->debug_folders[i]), &copy))
            return fm_error_memory(error);
        folders[i] = copy.data;
    }
    session->debug_files.folders = folders;
    session->debug_files.folder_count = options->debug_folder_count;
    return FRAMEMAP_OK;
}

/* Adds a path of symbols. If listing its files needs more memory than the ceiling allows, the path is skipped with a
 * warning. */
static framemap_status add_path(framemap_session *session, const char *path, const framemap_scope *labels,
                                framemap_error *error)
{
    framemap_error warning = {0};
    const framemap_status status = framemap_session_add_labeled(session, path, labels, error);
    if (status != FRAMEMAP_E_MEMORY || !session->has_ceiling || !atomic_load(&session->ceiling.over)) return status;
    fm_error_over_memory(&warning, session->ceiling.most);
    fm_error_where(&warning, framemap_str_of(path));
    fm_session_warn(session, &warning);
    return FRAMEMAP_OK;
}

/* Counts the session's own struct in the memory ceiling. The struct was allocated before the ceiling existed, which
 * counts only memory that is allocated through it. */
static void put_under_ceiling(framemap_session *session, const framemap_allocator *allocator, uint64_t most)
{
    fm_ceiling_init(&session->ceiling, fm_heap_hook(allocator), most);
    /* The result is ignored: if the ceiling has no room for the struct, it refuses all later allocations as well. */
    (void)fm_ceiling_take(&session->ceiling, sizeof *session);
    session->allocator = fm_ceiling_allocator(&session->ceiling);
    session->has_ceiling = true;
}

framemap_status framemap_session_open(const framemap_session_options *options, framemap_session **out,
                                      framemap_error *error)
{
    framemap_session_options given;
    framemap_status status = fm_options_read(options, &given, sizeof given, error);
    if (status != FRAMEMAP_OK) return status;
    if (out == NULL || (given.symbol_paths == NULL && given.symbol_path_count) ||
        (given.source_folders == NULL && given.source_folder_count))
        return fm_error_set(error, FRAMEMAP_E_ARGUMENT, "a required argument is NULL");
    status = fm_ranges_check(given.range_mappings, error);
    if (status != FRAMEMAP_OK) return status;
    struct fm_heap heap;
    fm_heap_init(&heap, given.allocator, 0);
    framemap_session *session = fm_heap_zalloc(&heap, 1, sizeof *session);
    if (session == NULL) return fm_error_memory(error);
    if (given.allocator) session->allocator = *given.allocator;
    if (given.max_memory > 0) put_under_ceiling(session, given.allocator, given.max_memory);
    fm_heap_init(&session->heap, &session->allocator, 0);
    set_up(session, &given);
    /* Only indexes with the default interpretation of ranges of lines are in the disk cache, because the keys of the
     * cache do not include that interpretation. */
    const char *folder = given.range_mappings == FRAMEMAP_RANGES_AUTO ? given.cache_path : "";
    if (!fm_disk_cache_init(&session->cache.disk, folder, given.cache_bytes, &session->arena))
        status = fm_error_memory(error);
    if (status == FRAMEMAP_OK) status = keep_debug_folders(session, &given, error);
    for (size_t i = 0; i < given.source_folder_count && status == FRAMEMAP_OK; i++)
        status = fm_source_tree_add(&session->sources, given.source_folders[i], error);
    for (size_t i = 0; i < given.symbol_path_count && status == FRAMEMAP_OK; i++)
        status = add_path(session, given.symbol_paths[i], given.symbol_labels ? given.symbol_labels[i] : NULL, error);
    if (status == FRAMEMAP_OK) {
        *out = session;
        return status;
    }
    fm_session_memory_fault(session, status, error);
    framemap_session_close(session);
    return status;
}

framemap_status fm_session_memory_fault(const framemap_session *session, framemap_status status, framemap_error *error)
{
    if (status == FRAMEMAP_E_MEMORY && session->has_ceiling && atomic_load(&session->ceiling.over) && error != NULL)
        fm_error_over_memory(error, session->ceiling.most);
    return status;
}

void framemap_session_close(framemap_session *session)
{
    if (session == NULL) return;
    if (session->companions.candidates.path != NULL) fm_companion_files_free(&session->companions);
    fm_index_cache_free(&session->cache);
    fm_value_cache_free(&session->values);
    fm_call_memory_free(&session->call_memory);
    fm_parser_tables_free(&session->parser_tables);
    fm_missing_free(&session->missing);
    fm_debug_files_free(&session->debug_files);
    fm_same_builds_free(&session->same_builds);
    fm_label_sets_free(&session->labels);
    fm_catalog_free(&session->catalog);
    fm_source_tree_free(&session->sources);
    fm_arena_free(&session->arena);
    fm_mutex_destroy(&session->talk);
    fm_mutex_destroy(&session->lock);
    struct fm_heap heap;
    fm_heap_init(&heap, session->has_ceiling ? &session->ceiling.inner : &session->heap.hook, 0);
    fm_heap_free(&heap, session, sizeof *session);
}

/* Passes on the warnings of a scan, and counts them. */
struct counted_scan {
    framemap_session *session;
    uint64_t warnings;
};

static void count_warning(void *context, const framemap_error *warning)
{
    struct counted_scan *scan = context;
    scan->warnings++;
    fm_session_warn(scan->session, warning);
}

static bool is_xcode_archive(const char *path)
{
    framemap_str name = framemap_str_of(path);
    while (name.size > 0 && name.data[name.size - 1] == '/') name.size--;
    return fm_str_ends(name, FM_STR(".xcarchive"));
}

/* Warns that a folder has no symbol file. passed: the error of a file in the folder that the user may have taken for a
 * symbol file; code OK: there is no such file. */
static void warn_of_nothing(framemap_session *session, const char *path, const framemap_error *passed)
{
    framemap_error nothing = {0};
    const framemap_str name = fm_str_basename(framemap_str_of(passed->where));
    if (passed->code == FRAMEMAP_OK && is_xcode_archive(path))
        fm_error_set(&nothing, FRAMEMAP_E_EMPTY, "there is no symbol file in this folder: " FM_ADVICE_FOR_XCODE);
    else if (passed->code == FRAMEMAP_OK)
        fm_error_set(&nothing, FRAMEMAP_E_EMPTY, "there is no symbol file in this folder");
    else
        fm_error_set(&nothing, FRAMEMAP_E_EMPTY, "there is no symbol file in this folder; %.*s: %s", (int)name.size,
                     name.data, passed->message);
    fm_error_where(&nothing, framemap_str_of(path));
    fm_session_warn(session, &nothing);
}

framemap_status framemap_session_add(framemap_session *session, const char *path, framemap_error *error)
{
    return framemap_session_add_labeled(session, path, NULL, error);
}

framemap_status framemap_session_add_labeled(framemap_session *session, const char *path, const framemap_scope *labels,
                                             framemap_error *error)
{
    framemap_error passed = {0};
    framemap_scope given;
    if (session == NULL || path == NULL) return fm_error_set(error, FRAMEMAP_E_ARGUMENT, "a required argument is NULL");
    if (path[0] == '\0') return fm_error_set(error, FRAMEMAP_E_ARGUMENT, "a path of symbols is empty");
    framemap_status status = fm_text_scope_read(labels, true, &given, error);
    if (status != FRAMEMAP_OK) return status;
    struct counted_scan scan = {session, 0};
    fm_mutex_lock(&session->lock);
    struct fm_catalog *catalog = fm_label_sets_open(&session->labels, &given);
    const struct fm_scan_host host = {catalog, count_warning, &scan, session->allow_outside, &passed};
    status = catalog ? fm_scan_path(&host, path, false, error) : fm_error_memory(error);
    const bool empty =
        status == FRAMEMAP_OK && scan.warnings == 0 && fm_is_folder(path) && !fm_catalog_has_under(catalog, path);
    fm_mutex_unlock(&session->lock);
    if (!empty) return fm_session_memory_fault(session, status, error);
    warn_of_nothing(session, path, &passed);
    return status;
}

void framemap_session_missing(framemap_session *session, void (*visit)(void *context, const framemap_missing *missing),
                              void *context)
{
    if (session == NULL) return;
    fm_mutex_lock(&session->lock);
    fm_missing_visit(&session->missing, visit, context);
    fm_mutex_unlock(&session->lock);
}
