/* Implements index_load.h: the inputs of an index, the cache on disk, and compiling. */
#include "session/cache/index_load.h"

#include "core/archive/member_file.h"
#include "core/error.h"
#include "core/mapfile.h"
#include "core/text/text.h"

static framemap_status check_id(const struct fm_entry *entry, framemap_index *index, framemap_error *error)
{
    framemap_index_info info;
    framemap_index_describe(index, &info);
    if (entry->id.size == 0 || info.id.size == 0 || fm_str_equal(info.id, entry->id)) return FRAMEMAP_OK;
    return fm_error_set(error, FRAMEMAP_E_MISMATCH, "the file has changed since it was listed");
}

static void consume_input(void *file, size_t offset) { fm_mapfile_consumed(file, offset); }
static void release_input_range(void *file, size_t offset, size_t size)
{
    fm_mapfile_release_range(file, offset, size);
}

/* The inputs of an index: a symbol file, for some source maps the script next to it, and for some native images the
 * files that contain a part of their debug info. */
struct inputs {
    const struct fm_entry *entry;
    struct fm_mapfile file, script;
    struct fm_stamp script_stamp;
    const char *script_path; /* path of the script; NULL: the symbol file has no script */
    struct fm_companion_files companions;
    bool one_thread; /* compile with one thread, which needs less memory */
};

/* Returns the name of the file; for a file in an archive, its name in the archive. */
static framemap_str file_name(const struct fm_entry *entry)
{
    const framemap_str name = fm_str_basename(framemap_str_of(entry->path));
    const size_t mark = entry->in_archive ? fm_str_find_last_byte(name, '!') : FM_NOT_FOUND;
    return mark == FM_NOT_FOUND ? name : fm_str_from(name, mark + 1);
}

/* The callback that receives the reports of a compilation, and the file that is compiled. */
struct reports {
    const framemap_build_options *to;
    const char *path;
};

static void warn_of_file(void *context, const framemap_error *warning)
{
    const struct reports *reports = context;
    framemap_error named = *warning;
    fm_error_in_file(&named, framemap_str_of(reports->path));
    reports->to->warning(reports->to->context, &named);
}

static bool report_progress(void *context, uint64_t done, uint64_t total)
{
    const struct reports *reports = context;
    return reports->to->progress(reports->to->context, done, total);
}

/* Compiles the inputs of an index. positions: the only addresses to compile for, as in framemap_build_options. */
static framemap_status compile_inputs(const struct fm_index_cache *cache, struct inputs *inputs,
                                      const uint64_t *positions, size_t position_count, framemap_bytes *built,
                                      framemap_error *error)
{
    const struct fm_entry *entry = inputs->entry;
    framemap_build_options options = cache->build;
    struct reports reports = {&cache->build, entry->path};
    options.size = sizeof options;
    options.context = &reports;
    if (options.warning) options.warning = warn_of_file;
    if (options.progress) options.progress = report_progress;
    if (inputs->one_thread) options.threads = 1;
    options.consumed = consume_input;
    options.release_range = release_input_range;
    options.input_context = &inputs->file;
    options.arch = entry->one_of_several ? entry->arch.data : NULL;
    options.script = inputs->script.bytes;
    if (cache->debug_files != NULL) options.companion = fm_companion_files_get;
    options.companion_context = &inputs->companions;
    options.positions = positions;
    options.position_count = position_count;
    framemap_status status = framemap_index_build(inputs->file.bytes, file_name(entry), &options, built, error);
    if (!fm_mapfile_changed(&inputs->file) && !fm_mapfile_changed(&inputs->script) &&
        !fm_companion_files_changed(&inputs->companions))
        return status;
    if (status == FRAMEMAP_OK) framemap_bytes_free(built);
    return fm_error_set(error, FRAMEMAP_E_MISMATCH,
                        "changed-while-read: the file was changed while it was read, and is not used");
}

static void init_companions(const struct fm_index_cache *cache, struct inputs *inputs)
{
    fm_companion_files_init(&inputs->companions, cache->heap, cache->lock, inputs->entry->home, cache->debug_files,
                            inputs->entry->path);
}

/* Reports a script that exists but cannot be opened. */
static void warn_of_script(const struct fm_index_cache *cache, const char *path, const framemap_error *error)
{
    framemap_error fault = {0};
    if (cache->build.warning == NULL) return;
    fm_error_set(&fault, error->code, "%s; names of functions are not read from it", error->message);
    fm_error_where(&fault, framemap_str_of(path));
    cache->build.warning(cache->build.context, &fault);
}

/* Opens the script of a map. The script only improves the index: without it, the map is compiled nevertheless. */
static void open_script(const struct fm_index_cache *cache, struct inputs *inputs)
{
    enum { HEAD = 4096 };
    framemap_error error = {0};
    if (inputs->script_path == NULL) return;
    if (fm_mapfile_open(inputs->script_path, &inputs->script, &error) != FRAMEMAP_OK) {
        warn_of_script(cache, inputs->script_path, &error);
        inputs->script = (struct fm_mapfile){.map = NULL};
        inputs->script_path = NULL;
        return;
    }
    const framemap_str head = fm_str_slice(inputs->script.bytes, 0, HEAD);
    const bool is_text = head.size > 0 && memchr(head.data, 0, head.size) == NULL;
    if (is_text && fm_stamp_of(inputs->script_path, &inputs->script_stamp)) return;
    fm_mapfile_close(&inputs->script);
    inputs->script = (struct fm_mapfile){.map = NULL};
    inputs->script_path = NULL;
}

static bool find_key(const struct fm_index_cache *cache, const struct inputs *inputs, char key[FM_CACHE_KEY_SIZE])
{
    const struct fm_entry *entry = inputs->entry;
    struct fm_stamp stamp = entry->stamp;
    if (cache->disk.folder == NULL || !fm_member_stamp_of(entry->path, &stamp)) return false;
    const struct fm_cache_input main = {entry->path, &stamp, inputs->file.bytes};
    const struct fm_cache_input script = {inputs->script_path, &inputs->script_stamp, inputs->script.bytes};
    fm_disk_cache_key(&cache->disk, entry, &main, inputs->script_path ? &script : NULL,
                      entry->is_source_map && cache->build.keep_sources, key);
    return true;
}

/* Computes the key of an index that is compiled with companions. Returns false if the symbol file requests no
 * companions. index: the latest index of the file. Its list of requested companions is read; all indexes of the file
 * have the same list. */
static bool find_joined_key(struct inputs *inputs, const framemap_index *index, const char *key,
                            char joined[FM_CACHE_KEY_SIZE])
{
    framemap_str recorded;
    if (!fm_view_attribute(index->view, FM_STR(FM_ATTRIBUTE_COMPANIONS), &recorded)) return false;
    fm_companion_files_key(&inputs->companions, recorded, key, joined);
    return true;
}

static bool load_from_disk(const struct fm_index_cache *cache, struct inputs *inputs, const char *key,
                           framemap_index **out)
{
    const framemap_allocator *allocator = cache->build.allocator;
    char joined[FM_CACHE_KEY_SIZE];
    framemap_index *last;
    if (!fm_disk_cache_load(&cache->disk, key, inputs->entry, allocator, &last)) return false;
    if (!find_joined_key(inputs, last, key, joined)) {
        *out = last;
        return true;
    }
    framemap_index_close(last);
    return fm_disk_cache_load(&cache->disk, joined, inputs->entry, allocator, out);
}

static framemap_status load_inputs(const struct fm_index_cache *cache, struct inputs *inputs, framemap_index **out,
                                   framemap_error *error)
{
    char key[FM_CACHE_KEY_SIZE], joined[FM_CACHE_KEY_SIZE];
    framemap_bytes built = {0};
    const bool on_disk = find_key(cache, inputs, key);
    if (on_disk && load_from_disk(cache, inputs, key, out)) return FRAMEMAP_OK;
    framemap_status status = compile_inputs(cache, inputs, NULL, 0, &built, error);
    if (status == FRAMEMAP_OK && on_disk) fm_disk_cache_store(&cache->disk, key, framemap_bytes_str(&built));
    const framemap_str bytes = framemap_bytes_str(&built);
    if (status == FRAMEMAP_OK) status = fm_index_adopt(&built, cache->build.allocator, out, error);
    if (status == FRAMEMAP_OK && on_disk && find_joined_key(inputs, *out, key, joined))
        fm_disk_cache_store(&cache->disk, joined, bytes);
    framemap_bytes_free(&built);
    return status;
}

/* Opens the symbol file of an entry. If the bytes that the scan decompressed were kept, these are used. */
static framemap_status open_symbols(const struct fm_index_cache *cache, const struct fm_entry *entry,
                                    struct fm_mapfile *out, framemap_error *error)
{
    fm_mutex_lock(cache->lock);
    const bool is_kept = fm_kept_files_take(&entry->home->kept, entry->path, out);
    fm_mutex_unlock(cache->lock);
    return is_kept ? FRAMEMAP_OK : fm_member_file_open(entry->path, 0, cache->heap, out, error);
}

static framemap_status load_symbols(const struct fm_index_cache *cache, const struct fm_entry *entry,
                                    const char *script, bool one_thread, framemap_index **out, framemap_error *error)
{
    struct inputs inputs = {.entry = entry, .script_path = script, .one_thread = one_thread};
    framemap_status status = open_symbols(cache, entry, &inputs.file, error);
    if (status != FRAMEMAP_OK) return status;
    open_script(cache, &inputs);
    init_companions(cache, &inputs);
    status = load_inputs(cache, &inputs, out, error);
    fm_companion_files_free(&inputs.companions);
    fm_mapfile_close(&inputs.script);
    fm_mapfile_close(&inputs.file);
    return status;
}

framemap_status fm_index_load(const struct fm_index_cache *cache, const struct fm_entry *entry, const char *script,
                              bool one_thread, framemap_index **out, framemap_error *error)
{
    framemap_index *index = NULL;
    framemap_status status = entry->is_index
                                 ? framemap_index_open_file(entry->path, cache->build.allocator, &index, error)
                                 : load_symbols(cache, entry, script, one_thread, &index, error);
    if (status == FRAMEMAP_OK) status = check_id(entry, index, error);
    if (status == FRAMEMAP_OK)
        *out = index;
    else
        framemap_index_close(index);
    return status;
}
bool fm_index_is_on_disk(const struct fm_index_cache *cache, const struct fm_entry *entry)
{
    char key[FM_CACHE_KEY_SIZE];
    struct fm_stamp stamp;
    framemap_index *index;
    if (cache->disk.folder == NULL || !fm_member_stamp_of(entry->path, &stamp)) return false;
    if (!fm_disk_cache_known_key(&cache->disk, entry, &stamp, key)) return false;
    if (!fm_disk_cache_load(&cache->disk, key, entry, cache->build.allocator, &index)) return false;
    framemap_index_close(index);
    return true;
}

void fm_index_load_some(const struct fm_index_cache *cache, const struct fm_entry *entry, const uint64_t *positions,
                        size_t count, framemap_index **out)
{
    struct inputs inputs = {.entry = entry};
    framemap_bytes built = {0};
    framemap_index *index = NULL;
    *out = NULL;
    if (open_symbols(cache, entry, &inputs.file, NULL) != FRAMEMAP_OK) return;
    init_companions(cache, &inputs);
    framemap_status status = compile_inputs(cache, &inputs, positions, count, &built, NULL);
    fm_companion_files_free(&inputs.companions);
    fm_mapfile_close(&inputs.file);
    if (status == FRAMEMAP_OK) status = fm_index_adopt(&built, cache->build.allocator, &index, NULL);
    framemap_bytes_free(&built);
    if (status == FRAMEMAP_OK && check_id(entry, index, NULL) == FRAMEMAP_OK)
        *out = index;
    else
        framemap_index_close(index);
}
