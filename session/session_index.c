/* Finds the symbol file of an image in the catalog, and holds its index. Implements fm_session_hold of session_state.h,
 * and the public calls for one index or one debug file. */
#include "session/session_state.h"

#include "core/archive/archive_script.h"
#include "core/error.h"
#include "core/text/text.h"
#include "session/catalog/js_file_name.h"
#include "session/catalog/scoped_find.h"
#include "session/catalog/text_scope.h"

/* --- finding an image --- */

/* Finds the file that has the debug info of an image, if the image's own file has no debug info. If it is not found,
 * out->wanted describes it. The caller holds the lock. Returns false if out of memory. */
static bool find_debug_file(framemap_session *session, const struct fm_entry *entry, struct fm_debug_file *out)
{
    const struct fm_debug_file *found;
    *out = (struct fm_debug_file){.of = entry, .entry = entry};
    if (entry->is_source_map || entry->is_mapping || entry->is_names || entry->rank >= 8) return true;
    if (!fm_debug_files_find(&session->debug_files, entry, &found)) return false;
    *out = *found;
    return true;
}

/* Returns the file that a search refused; NULL: it refused no file. found, entry: the results of the search. */
static const struct fm_entry *refused_of(enum fm_found found, const struct fm_entry *entry)
{
    return found == FM_FOUND_OTHER_ID || found == FM_FOUND_NO_ID ? entry : NULL;
}

static const char not_labeled[] =
    "no symbols were given for this image: those given have labels that the scope of the text does not match";

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

static const char *reason_of_fault(framemap_status status, const struct fm_entry *entry)
{
    if (entry->is_source_map) return reason_of_map_fault(status);
    if (entry->is_mapping && status == FRAMEMAP_E_EMPTY) return "the mapping given for this stack has no classes";
    switch (status) {
    case FRAMEMAP_E_MEMORY:
        return "over-memory: the file given for this image needs more memory than max_memory allows";
    case FRAMEMAP_E_EMPTY: return "the file given for this image has neither debug info nor symbols: it is stripped";
    case FRAMEMAP_E_IO: return "the file given for this image can't be read";
    case FRAMEMAP_E_MISMATCH: return "changed-while-read: the file given for this image was changed after it was found";
    default: return "the file given for this image is damaged";
    }
}

/* Holds the index of the file with the debug info of an entry. debug_file: the result of find_debug_file. */
static framemap_status hold_debug_file(framemap_session *session, const struct fm_entry *entry,
                                       const struct fm_debug_file *debug_file, struct fm_held_index *out,
                                       framemap_error *error)
{
    framemap_error fault = {0};
    *out = (struct fm_held_index){.index = NULL};
    framemap_status status = fm_index_cache_hold(&session->cache, debug_file->entry, &out->index, &out->over, &fault);
    if (status == FRAMEMAP_OK) out->lack = debug_file->lack;
    if (status == FRAMEMAP_OK) return FRAMEMAP_OK;
    if (status == FRAMEMAP_E_MEMORY && out->over == FM_OVER_NOTHING) return fm_error_memory(error);
    if (out->over == FM_OVER_TOGETHER) atomic_fetch_add(&session->crowded, 1);
    out->index = NULL;
    out->reason = reason_of_fault(status, entry);
    if (status == FRAMEMAP_E_EMPTY && debug_file->lack) out->reason = debug_file->lack;
    /* An index that fits below the memory ceiling alone, but not together with others, causes no warning here: the
     * caller tries again when the others are released, or warns itself. */
    if (status != FRAMEMAP_E_EMPTY && out->over != FM_OVER_TOGETHER) fm_session_warn(session, &fault);
    return FRAMEMAP_OK;
}

/* Whether the index file of an entry may stay closed, because its answers may be in the cache of answers. The caller
 * holds the lock. */
static bool may_stay_closed(const framemap_session *session, const struct fm_entry *entry,
                            const struct fm_debug_file *debug_file)
{
    return debug_file->entry == entry && debug_file->lack == NULL && fm_index_cache_may_recall(&session->cache, entry);
}

/* Holds the index of an entry. may_recall: if answers of the index file may be in the session's cache of answers, the
 * file is not opened, and out->closed is set. */
static framemap_status hold_entry(framemap_session *session, const struct fm_entry *entry, bool may_recall,
                                  struct fm_held_index *out, framemap_error *error)
{
    struct fm_debug_file debug_file;
    fm_mutex_lock(&session->lock);
    const bool looked = find_debug_file(session, entry, &debug_file);
    const bool is_closed = may_recall && looked && may_stay_closed(session, entry, &debug_file);
    fm_mutex_unlock(&session->lock);
    if (!looked) return fm_error_memory(error);
    if (!is_closed) return hold_debug_file(session, entry, &debug_file, out, error);
    *out = (struct fm_held_index){.closed = entry};
    return FRAMEMAP_OK;
}

framemap_status fm_session_hold_entry(framemap_session *session, const struct fm_entry *entry,
                                      struct fm_held_index *out, framemap_error *error)
{
    return hold_entry(session, entry, false, out, error);
}

framemap_status fm_session_find_entry(framemap_session *session, const struct fm_entry *entry,
                                      struct fm_held_index *out, framemap_error *error)
{
    return hold_entry(session, entry, true, out, error);
}

/* Finds an image and holds its index. may_recall: if answers of the index file may be in the session's cache of
 * answers, the file is not opened, and out->closed is set. */
static framemap_status find_image(framemap_session *session, const framemap_scope *scope,
                                  const framemap_image_query *want, bool may_recall, struct fm_held_index *out,
                                  framemap_match *matched_by, framemap_error *error)
{
    const struct fm_entry *entry = NULL;
    struct fm_debug_file debug_file;
    fm_mutex_lock(&session->lock);
    enum fm_found found = fm_scoped_find(&session->labels, scope, want, &entry, matched_by);
    if (found == FM_FOUND && !find_debug_file(session, entry, &debug_file)) found = FM_FOUND_NO_MEMORY;
    const bool is_other =
        want->id.size == 0 && found == FM_FOUND_NOTHING && fm_scoped_is_other(&session->labels, scope);
    const bool is_closed = may_recall && found == FM_FOUND && may_stay_closed(session, entry, &debug_file);
    fm_mutex_unlock(&session->lock);
    if (found == FM_FOUND_NO_MEMORY) return fm_error_memory(error);
    if (found == FM_FOUND && !is_closed) return hold_debug_file(session, entry, &debug_file, out, error);
    *out = (struct fm_held_index){.closed = entry};
    if (found == FM_FOUND) return FRAMEMAP_OK;
    *out =
        (struct fm_held_index){.reason = is_other ? not_labeled : reason_of(found), .other = refused_of(found, entry)};
    return FRAMEMAP_OK;
}

framemap_status fm_session_hold(framemap_session *session, const framemap_scope *scope,
                                const framemap_image_query *want, struct fm_held_index *out, framemap_match *matched_by,
                                framemap_error *error)
{
    return find_image(session, scope, want, false, out, matched_by, error);
}

static framemap_status find_module(framemap_session *session, const framemap_scope *scope,
                                   const framemap_image_query *want, bool may_recall, struct fm_held_index *out,
                                   framemap_match *matched_by, framemap_error *error)
{
    const struct fm_entry *entry;
    framemap_status status = find_image(session, scope, want, may_recall, out, matched_by, error);
    if (status != FRAMEMAP_OK || out->index || out->closed || want->id.size) return status;
    if (want->name.size && !fm_dart_program_name(want->name)) return status;
    fm_mutex_lock(&session->lock);
    const enum fm_found found = fm_scoped_find_dart(&session->labels, scope, want->id, want->arch, &entry, matched_by);
    fm_mutex_unlock(&session->lock);
    return found == FM_FOUND ? fm_session_hold_entry(session, entry, out, error) : FRAMEMAP_OK;
}

framemap_status fm_session_hold_module(framemap_session *session, const framemap_scope *scope,
                                       const framemap_image_query *want, struct fm_held_index *out,
                                       framemap_match *matched_by, framemap_error *error)
{
    return find_module(session, scope, want, false, out, matched_by, error);
}

framemap_status fm_session_find_module(framemap_session *session, const framemap_scope *scope,
                                       const framemap_image_query *want, struct fm_held_index *out,
                                       framemap_match *matched_by, framemap_error *error)
{
    return find_module(session, scope, want, true, out, matched_by, error);
}

/* --- implementing the public calls --- */

/* number of bytes of an id that are shown in a message, since an id in a stack can have any length */
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

/* Makes the error for an image that was not found. entry: the file that was refused; NULL: no file was refused.
 * module: URL of a module whose map is in the given script; NULL: the script has no such map. */
static framemap_status not_found(enum fm_found found, const framemap_image_query *want, const struct fm_entry *entry,
                                 const char *module, framemap_error *error)
{
    framemap_status status;
    const framemap_str wanted = want->id, given = entry ? entry->id : (framemap_str){NULL, 0};
    switch (found) {
    case FM_FOUND_NO_MEMORY: return fm_error_memory(error);
    case FM_FOUND_OTHER_ID:
        status = fm_error_set(error, FRAMEMAP_E_MISMATCH,
                              "the file has another build id than the requested one: %.*s, not %.*s",
                              FM_ID_SHOWN(given), FM_ID_SHOWN(wanted));
        break;
    case FM_FOUND_NO_ID:
        status = fm_error_set(error, FRAMEMAP_E_MISMATCH,
                              "the file has no build id to compare with the requested one: %.*s", FM_ID_SHOWN(wanted));
        break;
    case FM_FOUND_OTHER_ARCH:
        status = fm_error_set(error, FRAMEMAP_E_MISMATCH, "the file has no part for %.*s", (int)want->arch.size,
                              want->arch.data);
        break;
    case FM_FOUND_SEVERAL:
        status = fm_error_set(error, FRAMEMAP_E_MISMATCH,
                              "there are several images to choose from: say which architecture or id is meant");
        break;
    default:
        status = module ? fm_script_refuse(FRAMEMAP_E_EMPTY, framemap_str_of(module), error)
                 : want->path.size || want->name.size || want->id.size
                     ? fm_error_set(error, FRAMEMAP_E_EMPTY, "%s", nothing_at(want->path))
                     : fm_error_set(error, FRAMEMAP_E_EMPTY, "the query has neither path, name nor id");
        break;
    }
    const framemap_str place = want->name.size ? want->name : want->id;
    fm_error_where(error, want->path.size ? want->path : entry ? framemap_str_of(entry->path) : place);
    return status;
}

/* Scans a file that the caller named by its path. The path need not be below the session's paths. */
static framemap_status look_into(framemap_session *session, framemap_str path, framemap_error *error)
{
    framemap_str text;
    struct fm_arena arena;
    const struct fm_scan_host host = {&session->catalog, fm_session_warn, session, session->allow_outside, NULL};
    fm_arena_init(&arena, &session->heap);
    const bool ok = fm_arena_str(&arena, path, &text);
    framemap_status status = ok ? fm_scan_path(&host, text.data, true, error) : fm_error_memory(error);
    fm_arena_free(&arena);
    return status;
}

/* Returns the URL of the first module that the script at `path` passes to eval with a map; NULL: not found. */
static const char *module_within(const struct fm_catalog *catalog, framemap_str path)
{
    for (size_t i = 0; i < catalog->count; i++) {
        const char *entry = catalog->entries[i]->path;
        if (fm_str_starts(framemap_str_of(entry), path) && entry[path.size] == '!') {
            const char *module = strstr(entry + path.size, "!" FM_SCRIPT_MODULE);
            if (module != NULL) return module + 1;
        }
    }
    return NULL;
}

/* Finds the map of a script that the caller named by its path. */
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

/* Called when no image matches: searches for a source map, by the path of its script, by a name that only scripts have,
 * or by a debug id. */
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

/* Finds the entry of an image. A path in the query is searched in the session's catalog, to which look_into has added
 * it; otherwise the id or name is searched in the catalogs of the scope. */
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
    framemap_status status = fm_image_query_check(want, error);
    if (status != FRAMEMAP_OK) return status;
    fm_mutex_lock(&session->lock);
    if (want->path.size) status = look_into(session, want->path, error);
    enum fm_found found = status == FRAMEMAP_OK ? find_asked(session, want, &entry) : FM_FOUND_NOTHING;
    if (found == FM_FOUND_NOTHING && status == FRAMEMAP_OK) found = find_map(session, want, &entry);
    struct fm_debug_file debug_file = {.entry = entry};
    if (found == FM_FOUND && !want->exact && !find_debug_file(session, entry, &debug_file)) found = FM_FOUND_NO_MEMORY;
    const struct fm_entry *refused = refused_of(found, entry);
    const bool has_nothing = found == FM_FOUND_NOTHING && want->path.size;
    const char *module = has_nothing ? module_within(&session->catalog, want->path) : NULL;
    entry = debug_file.entry;
    fm_mutex_unlock(&session->lock);
    if (status == FRAMEMAP_OK && found != FM_FOUND) status = not_found(found, want, refused, module, error);
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
    if (session->companions.candidates.path == NULL)
        fm_companion_files_init(&session->companions, &session->heap, &session->lock, NULL, &session->debug_files,
                                path.data);
    session->companions.candidates.path = path.data;
    return fm_companion_files_get(&session->companions, wanted, bytes);
}

framemap_status framemap_session_debug_file(framemap_session *session, const framemap_image_query *want,
                                            framemap_str *out, framemap_error *error)
{
    const struct fm_entry *entry = NULL;
    struct fm_debug_file debug_file = {.entry = NULL};
    if (session == NULL || want == NULL || out == NULL)
        return fm_error_set(error, FRAMEMAP_E_ARGUMENT, "a required argument is NULL");
    framemap_status status = fm_image_query_check(want, error);
    if (status != FRAMEMAP_OK) return status;
    fm_mutex_lock(&session->lock);
    if (want->path.size) status = look_into(session, want->path, error);
    enum fm_found found = status == FRAMEMAP_OK ? find_asked(session, want, &entry) : FM_FOUND_NOTHING;
    if (found == FM_FOUND && !find_debug_file(session, entry, &debug_file)) found = FM_FOUND_NO_MEMORY;
    fm_mutex_unlock(&session->lock);
    if (status == FRAMEMAP_OK && found != FM_FOUND)
        status = not_found(found, want, refused_of(found, entry), NULL, error);
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
