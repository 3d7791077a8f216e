/* The public calls of a session except restore: opens and closes it, scans its paths, and finds and holds indexes.
 * Calls catalog/ and cache/. */
#include "session/session_state.h"

#include "api/option_structs.h"
#include "core/error.h"
#include "core/limits.h"
#include "core/text/text.h"
#include "session/catalog/js_file_name.h"
#include "session/catalog/scoped_find.h"
#include "session/catalog/text_scope.h"

void fm_session_warn(void *context, const framemap_error *warning)
{
    framemap_session *session = context;
    fm_mutex_lock(&session->talk);
    if (session->warning) session->warning(session->context, warning);
    fm_mutex_unlock(&session->talk);
}

static bool tell_progress(void *context, uint64_t done, uint64_t total)
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
    session->catalog.same_build = fm_same_build;
    session->catalog.same_build_context = &session->same_builds;
    fm_label_sets_init(&session->labels, &session->heap, &session->catalog);
    session->allow_outside = options->allow_outside;
    const struct fm_scan_host host = {&session->catalog, fm_session_warn, session, options->allow_outside};
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
                                                    .progress = tell_progress,
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

/* A path whose files can't even be listed below the ceiling is given up as a file would be that can't be read there. */
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

/* The ceiling counts only what is allocated through it, so the session's own struct, allocated before, is added here.
 */
static void put_under_ceiling(framemap_session *session, const framemap_allocator *allocator, uint64_t most)
{
    fm_ceiling_init(&session->ceiling, fm_heap_hook(allocator), most);
    (void)fm_ceiling_take(&session->ceiling, sizeof *session); /* refused: then so is all that comes */
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
    const char *folder = given.range_mappings == FRAMEMAP_RANGES_AUTO
                             ? given.cache_path
                             : ""; /* the keys of the cache do not include how ranges are read */
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
    if (session->companions.path != NULL) fm_companion_files_free(&session->companions);
    fm_index_cache_free(&session->cache);
    fm_value_cache_free(&session->values);
    fm_call_memory_free(&session->call_memory);
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

/* Counts what a scan has warned of. */
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

framemap_status framemap_session_add(framemap_session *session, const char *path, framemap_error *error)
{
    return framemap_session_add_labeled(session, path, NULL, error);
}

framemap_status framemap_session_add_labeled(framemap_session *session, const char *path, const framemap_scope *labels,
                                             framemap_error *error)
{
    framemap_error nothing = {0};
    framemap_scope given;
    if (session == NULL || path == NULL) return fm_error_set(error, FRAMEMAP_E_ARGUMENT, "a required argument is NULL");
    if (path[0] == '\0') return fm_error_set(error, FRAMEMAP_E_ARGUMENT, "a path of symbols is empty");
    framemap_status status = fm_text_scope_read(labels, true, &given, error);
    if (status != FRAMEMAP_OK) return status;
    struct counted_scan scan = {session, 0};
    fm_mutex_lock(&session->lock);
    struct fm_catalog *catalog = fm_label_sets_open(&session->labels, &given);
    const struct fm_scan_host host = {catalog, count_warning, &scan, session->allow_outside};
    status = catalog ? fm_scan_path(&host, path, false, error) : fm_error_memory(error);
    const bool empty =
        status == FRAMEMAP_OK && scan.warnings == 0 && fm_is_folder(path) && !fm_catalog_has_under(catalog, path);
    fm_mutex_unlock(&session->lock);
    if (!empty) return fm_session_memory_fault(session, status, error);
    fm_error_set(&nothing, FRAMEMAP_E_EMPTY, "there is no symbol file in this folder");
    fm_error_where(&nothing, framemap_str_of(path));
    fm_session_warn(session, &nothing);
    return status;
}

/* --- finding an image --- */

/* The file with the debug info of an image whose own file has none; out->wanted says what to give if there is none.
 * Under the lock. false: out of memory. */
static bool find_debug_file(framemap_session *session, const struct fm_entry *entry, struct fm_debug_file *out)
{
    const struct fm_debug_file *found;
    *out = (struct fm_debug_file){.of = entry, .entry = entry};
    if (entry->is_source_map || entry->is_mapping || entry->is_names || entry->rank >= 8) return true;
    if (!fm_debug_files_find(&session->debug_files, entry, &found)) return false;
    *out = *found;
    return true;
}

/* The file that a search has refused, of what it has written. */
static const struct fm_entry *refused_of(enum fm_found found, const struct fm_entry *entry)
{
    return found == FM_FOUND_OTHER_ID || found == FM_FOUND_NO_ID ? entry : NULL;
}

static const char *reason_of(enum fm_found found)
{
    switch (found) {
    case FM_FOUND_OTHER_ID: return "the symbols given for this image have another build id";
    case FM_FOUND_NO_ID: return "the file given for this image has no build id to compare with the one in the stack";
    case FM_FOUND_OTHER_ARCH: return "the symbols given for this image are for another architecture";
    case FM_FOUND_SEVERAL: return "several files fit this image, and the stack does not say which build it is of";
    case FM_FOUND:
    case FM_FOUND_NOTHING:
    case FM_FOUND_NO_MEMORY: break;
    }
    return "no symbols were given for this image";
}

static const char *reason_of_map_fault(framemap_status status)
{
    switch (status) {
    case FRAMEMAP_E_MEMORY:
        return "over-memory: the source map given for this script needs more memory than max_memory allows";
    case FRAMEMAP_E_EMPTY: return "the source map given for this script has nothing in it";
    case FRAMEMAP_E_IO: return "the source map given for this script can't be read";
    case FRAMEMAP_E_MISMATCH:
        return "changed-while-read: the source map given for this script was changed after it was found";
    default: return "the source map given for this script is damaged";
    }
}

static const char *reason_of_fault(framemap_status status)
{
    switch (status) {
    case FRAMEMAP_E_MEMORY:
        return "over-memory: the file given for this image needs more memory than max_memory allows";
    case FRAMEMAP_E_EMPTY: return "the file given for this image has neither debug info nor symbols: it is stripped";
    case FRAMEMAP_E_IO: return "the file given for this image can't be read";
    case FRAMEMAP_E_MISMATCH: return "changed-while-read: the file given for this image was changed after it was found";
    default: return "the file given for this image is damaged";
    }
}

framemap_status fm_session_hold_entry(framemap_session *session, const struct fm_entry *entry,
                                      struct fm_held_index *out, framemap_error *error)
{
    framemap_error fault = {0};
    struct fm_debug_file debug_file;
    *out = (struct fm_held_index){.index = NULL};
    fm_mutex_lock(&session->lock);
    const bool looked = find_debug_file(session, entry, &debug_file);
    fm_mutex_unlock(&session->lock);
    if (!looked) return fm_error_memory(error);
    framemap_status status = fm_index_cache_hold(&session->cache, debug_file.entry, &out->index, &out->over, &fault);
    if (status == FRAMEMAP_OK) return FRAMEMAP_OK;
    if (status == FRAMEMAP_E_MEMORY && out->over == FM_OVER_NOTHING) return fm_error_memory(error);
    if (out->over == FM_OVER_TOGETHER) atomic_fetch_add(&session->crowded, 1);
    out->index = NULL;
    out->reason = entry->is_source_map ? reason_of_map_fault(status) : reason_of_fault(status);
    if (status == FRAMEMAP_E_EMPTY && debug_file.lack) out->reason = debug_file.lack;
    /* An index that does not fit together with others is tried again without them. */
    if (status != FRAMEMAP_E_EMPTY && out->over != FM_OVER_TOGETHER) fm_session_warn(session, &fault);
    return FRAMEMAP_OK;
}

framemap_status fm_session_hold(framemap_session *session, const framemap_scope *scope,
                                const framemap_image_query *want, struct fm_held_index *out, framemap_match *matched_by,
                                framemap_error *error)
{
    const struct fm_entry *entry = NULL;
    fm_mutex_lock(&session->lock);
    const enum fm_found found = fm_scoped_find(&session->labels, scope, want, &entry, matched_by);
    fm_mutex_unlock(&session->lock);
    if (found == FM_FOUND_NO_MEMORY) return fm_error_memory(error);
    if (found == FM_FOUND) return fm_session_hold_entry(session, entry, out, error);
    *out = (struct fm_held_index){.reason = reason_of(found), .other = refused_of(found, entry)};
    return FRAMEMAP_OK;
}

framemap_status fm_session_hold_module(framemap_session *session, const framemap_scope *scope,
                                       const framemap_image_query *want, struct fm_held_index *out,
                                       framemap_match *matched_by, framemap_error *error)
{
    const struct fm_entry *entry;
    framemap_status status = fm_session_hold(session, scope, want, out, matched_by, error);
    if (status != FRAMEMAP_OK || out->index || want->id.size) return status;
    if (want->name.size && !fm_dart_program_name(want->name)) return status;
    fm_mutex_lock(&session->lock);
    const enum fm_found found = fm_scoped_find_dart(&session->labels, scope, want->id, want->arch, &entry, matched_by);
    fm_mutex_unlock(&session->lock);
    return found == FM_FOUND ? fm_session_hold_entry(session, entry, out, error) : FRAMEMAP_OK;
}

/* --- the public calls --- */

/* An id in a message: ids that a stack prints can be of any length. */
enum { ID_SHOWN = 64 };
#define FM_ID_SHOWN(id) (int)((id).size < ID_SHOWN ? (id).size : ID_SHOWN), (id).data ? (id).data : ""

static const char no_map_there[] = "the source map that the script names is not there, or outside of the given folder: "
                                   "put it beside the script, or give the map itself";

static const char *nothing_at(framemap_str path)
{
    char text[4096];
    if (fm_js_has_ending(path)) return no_map_there;
    if (path.size == 0 || path.size >= sizeof text) return "no symbols were found for it";
    memcpy(text, path.data, path.size);
    text[path.size] = '\0';
    return fm_is_folder(text) ? "there is no symbol file in this folder" : "no symbols were found for it";
}

/* entry: the file that was refused; NULL where the finding is another. */
static framemap_status not_found(enum fm_found found, const framemap_image_query *want, const struct fm_entry *entry,
                                 framemap_error *error)
{
    framemap_status status;
    const framemap_str wanted = want->id, given = entry ? entry->id : (framemap_str){NULL, 0};
    switch (found) {
    case FM_FOUND_NO_MEMORY: return fm_error_memory(error);
    case FM_FOUND_OTHER_ID:
        status = fm_error_set(error, FRAMEMAP_E_MISMATCH,
                              "the file has another build id than the one asked for: %.*s, not %.*s",
                              FM_ID_SHOWN(given), FM_ID_SHOWN(wanted));
        break;
    case FM_FOUND_NO_ID:
        status = fm_error_set(error, FRAMEMAP_E_MISMATCH,
                              "the file has no build id to compare with the one asked for: %.*s", FM_ID_SHOWN(wanted));
        break;
    case FM_FOUND_OTHER_ARCH:
        status = fm_error_set(error, FRAMEMAP_E_MISMATCH, "the file has no part for %.*s", (int)want->arch.size,
                              want->arch.data);
        break;
    case FM_FOUND_SEVERAL:
        status = fm_error_set(error, FRAMEMAP_E_MISMATCH,
                              "there are several images to choose from: say which architecture or id is meant");
        break;
    default: status = fm_error_set(error, FRAMEMAP_E_EMPTY, "%s", nothing_at(want->path)); break;
    }
    const framemap_str place = want->name.size ? want->name : want->id;
    fm_error_where(error, want->path.size ? want->path : entry ? framemap_str_of(entry->path) : place);
    return status;
}

/* Scans a file that is named by its path, which need not be under the session's paths. */
static framemap_status look_into(framemap_session *session, framemap_str path, framemap_error *error)
{
    framemap_str text;
    struct fm_arena arena;
    const struct fm_scan_host host = {&session->catalog, fm_session_warn, session, session->allow_outside};
    fm_arena_init(&arena, &session->heap);
    const bool ok = fm_arena_str(&arena, path, &text);
    framemap_status status = ok ? fm_scan_path(&host, text.data, true, error) : fm_error_memory(error);
    fm_arena_free(&arena);
    return status;
}

/* The map of a script that was named by its path. */
static enum fm_found find_map_of_script(framemap_session *session, framemap_str path, const struct fm_entry **out)
{
    framemap_str text;
    struct fm_arena arena;
    fm_arena_init(&arena, &session->heap);
    bool ok = fm_arena_str(&arena, path, &text);
    const struct fm_entry *script = ok ? fm_catalog_at_path(&session->catalog, text.data) : NULL;
    *out = NULL;
    if (script && script->is_script) ok = fm_js_map_choose_named(&session->catalog, script, out);
    fm_arena_free(&arena);
    return !ok ? FM_FOUND_NO_MEMORY : *out ? FM_FOUND : FM_FOUND_NOTHING;
}

/* If no image matches, searches a script: by its path, by a name that only scripts have, or by a debug id. */
static enum fm_found find_map(framemap_session *session, const framemap_image_query *want, const struct fm_entry **out)
{
    struct fm_js_map_choice choice;
    const struct fm_js_map_query script = {.file = fm_js_name_of_map(want->name), .id = want->id};
    if (want->path.size) return want->id.size ? FM_FOUND_NOTHING : find_map_of_script(session, want->path, out);
    if (script.file.size ? !fm_js_has_ending(script.file) : script.id.size == 0) return FM_FOUND_NOTHING;
    if (!fm_scoped_map(&session->labels, NULL, &script, &choice)) return FM_FOUND_NO_MEMORY;
    if (choice.count == 1) *out = choice.entries[0];
    return choice.count == 0 ? FM_FOUND_NOTHING : choice.count == 1 ? FM_FOUND : FM_FOUND_SEVERAL;
}

/* A path is searched where look_into has listed it. */
static enum fm_found find_asked(framemap_session *session, const framemap_image_query *want,
                                const struct fm_entry **entry)
{
    framemap_match matched_by;
    if (want->path.size) return fm_catalog_find(&session->catalog, want, entry);
    return fm_scoped_find(&session->labels, NULL, want, entry, &matched_by);
}

framemap_status framemap_session_index(framemap_session *session, const framemap_image_query *want,
                                       const framemap_index **out, framemap_error *error)
{
    const struct fm_entry *entry = NULL;
    framemap_index *index = NULL;
    if (session == NULL || want == NULL || out == NULL)
        return fm_error_set(error, FRAMEMAP_E_ARGUMENT, "a required argument is NULL");
    fm_mutex_lock(&session->lock);
    framemap_status status = want->path.size ? look_into(session, want->path, error) : FRAMEMAP_OK;
    enum fm_found found = status == FRAMEMAP_OK ? find_asked(session, want, &entry) : FM_FOUND_NOTHING;
    if (found == FM_FOUND_NOTHING && status == FRAMEMAP_OK) found = find_map(session, want, &entry);
    struct fm_debug_file debug_file = {.entry = entry};
    if (found == FM_FOUND && !want->exact && !find_debug_file(session, entry, &debug_file)) found = FM_FOUND_NO_MEMORY;
    const struct fm_entry *refused = refused_of(found, entry);
    entry = debug_file.entry;
    fm_mutex_unlock(&session->lock);
    if (status == FRAMEMAP_OK && found != FM_FOUND) status = not_found(found, want, refused, error);
    if (status != FRAMEMAP_OK) return fm_session_memory_fault(session, status, error);
    if (want->positions)
        fm_index_cache_hold_some(&session->cache, entry, want->positions, want->position_count, &index);
    if (index == NULL) status = fm_index_cache_hold(&session->cache, entry, &index, NULL, error);
    if (status == FRAMEMAP_OK) *out = index;
    return status;
}

bool framemap_session_companion(framemap_session *session, const char *symbol_file,
                                const framemap_companion_request *wanted, framemap_str *bytes)
{
    framemap_str path;

    if (session == NULL || symbol_file == NULL || wanted == NULL || bytes == NULL) return false;
    if (!fm_arena_str(&session->arena, framemap_str_of(symbol_file), &path)) return false;
    if (session->companions.path == NULL)
        fm_companion_files_init(&session->companions, &session->heap, &session->lock, NULL, &session->debug_files,
                                path.data);
    session->companions.path = path.data;
    return fm_companion_files_get(&session->companions, wanted, bytes);
}

framemap_status framemap_session_debug_file(framemap_session *session, const framemap_image_query *want,
                                            framemap_str *out, framemap_error *error)
{
    const struct fm_entry *entry = NULL;
    struct fm_debug_file debug_file = {.entry = NULL};
    if (session == NULL || want == NULL || out == NULL)
        return fm_error_set(error, FRAMEMAP_E_ARGUMENT, "a required argument is NULL");
    fm_mutex_lock(&session->lock);
    framemap_status status = want->path.size ? look_into(session, want->path, error) : FRAMEMAP_OK;
    enum fm_found found = status == FRAMEMAP_OK ? find_asked(session, want, &entry) : FM_FOUND_NOTHING;
    if (found == FM_FOUND && !find_debug_file(session, entry, &debug_file)) found = FM_FOUND_NO_MEMORY;
    fm_mutex_unlock(&session->lock);
    if (status == FRAMEMAP_OK && found != FM_FOUND) status = not_found(found, want, refused_of(found, entry), error);
    if (status != FRAMEMAP_OK) return fm_session_memory_fault(session, status, error);
    if (debug_file.entry->rank >= 8) {
        *out = framemap_str_of(debug_file.entry->path);
        return FRAMEMAP_OK;
    }
    if (debug_file.refused) {
        status = fm_error_set(error, FRAMEMAP_E_MISMATCH, "%s", debug_file.refused);
        fm_error_where(error, framemap_str_of(debug_file.refused_path));
        return status;
    }
    status = fm_error_set(error, FRAMEMAP_E_EMPTY, "it %s%s%s", debug_file.lack ? "is stripped" : "has no debug info",
                          debug_file.wanted ? ": " : "", debug_file.wanted ? debug_file.wanted : "");
    fm_error_where(error, framemap_str_of(entry->path));
    return status;
}

void framemap_session_release(framemap_session *session, const framemap_index *index)
{
    if (session && index && !index->is_value) fm_index_cache_release(&session->cache, index);
}

void framemap_session_missing(framemap_session *session, void (*visit)(void *context, const framemap_missing *missing),
                              void *context)
{
    if (session == NULL) return;
    fm_mutex_lock(&session->lock);
    fm_missing_visit(&session->missing, visit, context);
    fm_mutex_unlock(&session->lock);
}
