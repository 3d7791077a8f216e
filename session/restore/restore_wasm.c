/* Restores frames of WebAssembly in stacks of JavaScript. If the session has a module with its debug info or the names
 * of its functions, the module is queried like a native program. restore_javascript.c calls this for frames that have
 * no source map. */
#include "session/restore/restore_javascript_job.h"

#include "core/error.h"
#include "core/text/text.h"
#include "session/catalog/js_file_name.h"
#include "session/restore/native_symbols.h"

static const char several_modules[] =
    "several WebAssembly modules were given, and the stack does not say to which one it belongs: "
    "give only that one";

static const char none_given[] = "neither this WebAssembly module with its debug info nor its source map was given";

/* Reads the module's name from a file name in a stack; absent if V8 printed only the hash of the module's code
 * ("wasm://wasm/dab45e72"). */
static bool read_module_name(struct fm_restore_job *job, framemap_str file, framemap_str *out)
{
    struct fm_js_file_name name;
    if (!fm_js_file_name_read(file, job->arena, &name)) return false;
    *out = name.name;
    if (fm_js_is_code_hash(*out) || fm_js_is_unnamed_module(*out)) *out = (framemap_str){NULL, 0};
    return true;
}

/* Returns the name of the only module in the catalog. If the catalog has no modules, returns the name of the only
 * module after which a source map in the catalog is named. Absent if there is not exactly one. The caller holds the
 * session's lock. */
static framemap_str only_name(const struct fm_catalog *catalog)
{
    const struct fm_entry *module;
    framemap_str name = {NULL, 0};
    if (fm_catalog_find_wasm(catalog, name, &module) == FM_FOUND) return module->name;
    for (size_t i = 0; i < catalog->count; i++) {
        const struct fm_entry *entry = catalog->entries[i];
        const framemap_str own = fm_js_name_of_map(entry->name);
        if (!entry->is_source_map || !fm_str_ends(own, FM_STR(".wasm"))) continue;
        if (name.size && !fm_str_equal(own, name)) return (framemap_str){NULL, 0};
        name = own;
    }
    return name;
}

framemap_status fm_wasm_find_map(struct fm_restore_job *job, struct fm_js_printed_file *file, framemap_error *error)
{
    struct fm_js_map_query want = {.bytecode = file->want.bytecode};
    framemap_str name;
    if (!fm_js_is_wasm(&file->want)) return FRAMEMAP_OK;
    if (!read_module_name(job, file->want.file, &name)) return fm_error_memory(error);
    if (name.size) return FRAMEMAP_OK;
    fm_mutex_lock(&job->session->lock);
    want.file = only_name(&job->session->catalog);
    fm_mutex_unlock(&job->session->lock);
    if (want.file.size == 0) return FRAMEMAP_OK;
    const framemap_status status = fm_js_maps_find(job->js->maps, &want, false, &file->found, &file->found_by, error);
    if (file->found.index) file->found_by = FRAMEMAP_MATCH_ONLY_MAP;
    return status;
}

static framemap_status find_module(struct fm_restore_job *job, struct fm_js_printed_file *file, framemap_error *error)
{
    framemap_str name;
    if (file->module_known) return FRAMEMAP_OK;
    if (!read_module_name(job, file->want.file, &name)) return fm_error_memory(error);
    fm_mutex_lock(&job->session->lock);
    const enum fm_found found = fm_catalog_find_wasm(&job->session->catalog, name, &file->module);
    fm_mutex_unlock(&job->session->lock);
    file->module_by = name.size ? FRAMEMAP_MATCH_NAME : FRAMEMAP_MATCH_ONLY_MAP;
    if (found == FM_FOUND_SEVERAL) file->no_module = several_modules;
    if (found == FM_FOUND_NOTHING && file->held.other == NULL) file->no_module = none_given;
    file->module_known = true;
    return FRAMEMAP_OK;
}

framemap_status fm_wasm_frame(struct fm_restore_job *job, framemap_frame *frame, struct fm_js_printed_file *file,
                              bool *settled, framemap_error *error)
{
    struct fm_native_answer question = {.kind = FRAMEMAP_ADDRESS_LINKED, .address = frame->address};
    const framemap_frame *answer = NULL;
    *settled = false;
    if (!frame->has_address) return FRAMEMAP_OK;
    framemap_status status = find_module(job, file, error);
    if (status != FRAMEMAP_OK) return status;
    if (file->of_other && (file->module || file->found.index)) {
        file->no_module = file->of_other;
        return FRAMEMAP_OK;
    }
    if (file->module == NULL) return FRAMEMAP_OK;
    const struct fm_native_image want = {
        .name = file->module->name, .id = file->module->id, .arch = file->module->arch};
    status = fm_native_image_find(job, &want, &question.image, error);
    if (status != FRAMEMAP_OK) return status;
    if (fm_native_image_has_symbols(&job->native->images[question.image]))
        status = fm_native_resolve(job, &question, &answer, error);
    if (status != FRAMEMAP_OK) return status;
    if (answer == NULL) {
        file->no_module = job->native->images[question.image].reason;
        return FRAMEMAP_OK;
    }
    fm_restore_give(frame, answer);
    frame->matched_by = file->module_by;
    *settled = true;
    return FRAMEMAP_OK;
}
