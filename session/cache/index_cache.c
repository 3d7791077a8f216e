/* The indexes that a session keeps open: compiles or loads each once, counts its holders, and drops idle ones by last
 * use (LRU) to keep the budget. cache_ceiling.c has the rules under a memory ceiling. */
#include "session/cache/index_cache.h"

#include "core/archive/member_file.h"
#include "core/error.h"
#include "core/mapfile.h"
#include "core/text/text.h"
#include "session/cache/cache_ceiling.h"
#include "session/catalog/js_map_choice.h"
#include "session/catalog/scan_paths.h"

#define DEFAULT_BUDGET ((uint64_t)1 << 30)

static bool make_cache_room(void *context, uint64_t bytes);

void fm_index_cache_init(struct fm_index_cache *cache, struct fm_heap *heap, fm_mutex *lock, uint64_t budget,
                         struct fm_ceiling *ceiling)
{
    *cache = (struct fm_index_cache){
        .heap = heap, .lock = lock, .budget = budget ? budget : DEFAULT_BUDGET, .ceiling = ceiling};
    fm_condition_init(&cache->changed);
    if (ceiling == NULL) return;
    const uint64_t most = budget ? ceiling->most : ceiling->most / 2;
    if (cache->budget > most) cache->budget = most;
    ceiling->context = cache;
    ceiling->make_room = make_cache_room;
}

void fm_index_cache_free(struct fm_index_cache *cache)
{
    if (cache->ceiling) cache->ceiling->make_room = NULL;
    for (size_t i = 0; i < cache->bucket_count; i++) {
        for (struct fm_cache_slot *slot = cache->buckets[i], *next; slot; slot = next) {
            next = slot->next;
            framemap_index_close(slot->index);
            fm_heap_free(cache->heap, slot, sizeof *slot);
        }
    }
    fm_heap_free(cache->heap, cache->buckets, cache->bucket_count * sizeof(struct fm_cache_slot *));
    fm_condition_destroy(&cache->changed);
}

/* --- compiling, without the lock --- */

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
 * files with a part of their debug info. */
struct inputs {
    const struct fm_entry *entry;
    struct fm_mapfile file, script;
    struct fm_stamp script_stamp;
    const char *script_path; /* NULL: none */
    struct fm_companion_files companions;
    bool one_thread; /* compile with one thread, which needs less memory */
};

/* The name of the file, in its archive if it is in one. */
static framemap_str file_name(const struct fm_entry *entry)
{
    const framemap_str name = fm_str_basename(framemap_str_of(entry->path));
    const size_t mark = entry->in_archive ? fm_str_find_last_byte(name, '!') : FM_NOT_FOUND;
    return mark == FM_NOT_FOUND ? name : fm_str_from(name, mark + 1);
}

/* positions: as framemap_build_options. */
static framemap_status compile_inputs(const struct fm_index_cache *cache, struct inputs *inputs,
                                      const uint64_t *positions, size_t position_count, framemap_bytes *built,
                                      framemap_error *error)
{
    const struct fm_entry *entry = inputs->entry;
    framemap_build_options options = cache->build;
    options.size = sizeof options;
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

/* The script is a help: without it the map is compiled all the same. */
static void open_script(struct inputs *inputs)
{
    enum { HEAD = 4096 };
    if (inputs->script_path == NULL || fm_mapfile_open(inputs->script_path, &inputs->script, NULL) != FRAMEMAP_OK) {
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

/* Which companions a file requests depends on the file alone, as far as they are not found; so the key of an index that
 * requested some follows from the index that was made of the file last. false: it requested none. */
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

/* As the scan decompressed it, if that was kept. */
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
    open_script(&inputs);
    init_companions(cache, &inputs);
    status = load_inputs(cache, &inputs, out, error);
    fm_companion_files_free(&inputs.companions);
    fm_mapfile_close(&inputs.script);
    fm_mapfile_close(&inputs.file);
    return status;
}

static framemap_status load_index(const struct fm_index_cache *cache, const struct fm_entry *entry, const char *script,
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

/* --- slots, under the lock --- */

static bool same_image(const struct fm_entry *a, const struct fm_entry *b)
{
    return a == b || (memcmp(&a->stamp, &b->stamp, sizeof a->stamp) == 0 && fm_str_equal(a->arch, b->arch) &&
                      fm_str_equal(a->id, b->id) && fm_str_equal(a->name, b->name));
}

static struct fm_cache_slot **bucket_of(const struct fm_index_cache *cache, const struct fm_entry *entry)
{
    return &cache->buckets[fm_hash64(&entry->stamp, sizeof entry->stamp, 0) & (cache->bucket_count - 1)];
}

static struct fm_cache_slot *find_slot(const struct fm_index_cache *cache, const struct fm_entry *entry)
{
    struct fm_cache_slot *slot = cache->bucket_count ? *bucket_of(cache, entry) : NULL;
    while (slot && !same_image(slot->entry, entry)) slot = slot->next;
    return slot;
}

/* --- idle indexes: those without holders --- */

static void rest_slot(struct fm_index_cache *cache, struct fm_cache_slot *slot)
{
    slot->older = cache->newest;
    slot->newer = NULL;
    *(cache->newest ? &cache->newest->newer : &cache->oldest) = slot;
    cache->newest = slot;
}

static void wake_slot(struct fm_index_cache *cache, struct fm_cache_slot *slot)
{
    *(slot->older ? &slot->older->newer : &cache->oldest) = slot->newer;
    *(slot->newer ? &slot->newer->older : &cache->newest) = slot->older;
}

static bool is_mapped(const struct fm_cache_slot *slot)
{
    return slot->state == FM_CACHE_SLOT_READY && slot->index->file.has_descriptor;
}

static void unlist_mapped(struct fm_index_cache *cache, struct fm_cache_slot *slot)
{
    *(slot->before_mapped ? &slot->before_mapped->next_mapped : &cache->mapped) = slot->next_mapped;
    if (slot->next_mapped) slot->next_mapped->before_mapped = slot->before_mapped;
    slot->before_mapped = slot->next_mapped = NULL;
}

static void list_mapped(struct fm_index_cache *cache, struct fm_cache_slot *slot)
{
    slot->next_mapped = cache->mapped;
    if (cache->mapped) cache->mapped->before_mapped = slot;
    cache->mapped = slot;
}

/* Notes that a slot is held now, so that a change of its file is looked for when the call ends. */
static void note_held(struct fm_index_cache *cache, struct fm_cache_slot *slot)
{
    slot->held_at = atomic_load(&cache->clock);
    if (!is_mapped(slot) || cache->mapped == slot) return;
    unlist_mapped(cache, slot);
    list_mapped(cache, slot);
}

/* Takes a slot out of all lists. Its index is closed by unlock_cache. */
static void drop_slot(struct fm_index_cache *cache, struct fm_cache_slot *slot)
{
    if (is_mapped(slot)) unlist_mapped(cache, slot);
    struct fm_cache_slot **link = bucket_of(cache, slot->entry);
    while (*link != slot) link = &(*link)->next;
    *link = slot->next;
    cache->slot_count--;
    cache->bytes -= slot->bytes;
    slot->next = cache->dropped;
    cache->dropped = slot;
}

static void close_slots(struct fm_index_cache *cache, struct fm_cache_slot *slots)
{
    while (slots) {
        struct fm_cache_slot *slot = slots;
        slots = slot->next;
        framemap_index_close(slot->index);
        fm_heap_free(cache->heap, slot, sizeof *slot);
    }
}

/* Closes what was dropped at once: under a ceiling, its memory is needed. */
static void close_dropped(struct fm_index_cache *cache)
{
    struct fm_cache_slot *slots = cache->dropped;
    cache->dropped = NULL;
    close_slots(cache, slots);
}

static void unlock_cache(struct fm_index_cache *cache)
{
    struct fm_cache_slot *slots = cache->dropped;
    cache->dropped = NULL;
    fm_mutex_unlock(cache->lock);
    close_slots(cache, slots);
}

/* Drops idle indexes, the least recently used first, until the others fit into the budget. */
static void keep_budget(struct fm_index_cache *cache)
{
    while (cache->bytes > cache->budget && cache->oldest) {
        struct fm_cache_slot *slot = cache->oldest;
        wake_slot(cache, slot);
        drop_slot(cache, slot);
    }
}

/* --- under a ceiling --- */

/* Drops idle indexes, the least recently used first, until `bytes` fit below the ceiling. Returns whether any was
 * dropped. */
static bool drop_idle(struct fm_index_cache *cache, uint64_t bytes)
{
    bool any = false;
    while (cache->oldest && fm_ceiling_left(cache->ceiling) < bytes) {
        struct fm_cache_slot *slot = cache->oldest;
        wake_slot(cache, slot);
        drop_slot(cache, slot);
        close_dropped(cache);
        any = true;
    }
    return any;
}

/* Called by the ceiling wherever memory is allocated. If this thread holds the lock itself, nothing can be dropped: the
 * allocation fails, and fm_index_cache_drop_idle is called before the next attempt. */
static bool make_cache_room(void *context, uint64_t bytes)
{
    struct fm_index_cache *cache = context;
    if (!fm_mutex_try(cache->lock)) return false;
    const bool any = drop_idle(cache, bytes);
    fm_mutex_unlock(cache->lock);
    return any;
}

bool fm_index_cache_drop_idle(struct fm_index_cache *cache)
{
    fm_mutex_lock(cache->lock);
    const bool any = cache->ceiling && drop_idle(cache, UINT64_MAX);
    fm_mutex_unlock(cache->lock);
    return any;
}

/* Updates the size of an index: the paths, names and frames that it has cached count, too. */
static void count_kept(struct fm_index_cache *cache, struct fm_cache_slot *slot)
{
    const uint64_t used = atomic_load(&slot->index->heap.used),
                   kept = used > slot->opened_used ? used - slot->opened_used : 0;
    cache->bytes += slot->opened_bytes + kept - slot->bytes;
    slot->bytes = slot->opened_bytes + kept;
}

/* --- indexes whose file was changed --- */

static void forget_index(struct fm_index_cache *cache, struct fm_cache_slot *slot)
{
    framemap_index_close(slot->index);
    slot->index = NULL;
    cache->bytes -= slot->bytes;
    slot->bytes = 0;
}

static void retire(struct fm_index_cache *cache, struct fm_cache_slot *slot)
{
    slot->state = FM_CACHE_SLOT_FAILED;
    slot->fault = (framemap_error){0};
    fm_error_set(&slot->fault, FRAMEMAP_E_MISMATCH,
                 "changed-while-read: the index was changed while it was read, and is not used");
    fm_error_where(&slot->fault, framemap_str_of(slot->entry->path));
    if (slot->holders > 0) return; /* the last one to release it forgets it */
    wake_slot(cache, slot);
    forget_index(cache, slot);
}

uint64_t fm_index_cache_begin(struct fm_index_cache *cache) { return atomic_fetch_add(&cache->clock, 1) + 1; }

size_t fm_index_cache_retire_changed(struct fm_index_cache *cache, uint64_t since)
{
    size_t count = 0;
    fm_mutex_lock(cache->lock);
    for (struct fm_cache_slot *slot = cache->mapped, *next; slot && slot->held_at >= since; slot = next) {
        next = slot->next_mapped;
        if (!framemap_index_changed(slot->index)) continue;
        unlist_mapped(cache, slot);
        retire(cache, slot);
        count++;
    }
    unlock_cache(cache);
    return count;
}

/* Doubles the number of buckets. If memory for them is missing, the chains of the present ones grow instead. */
static void grow_buckets(struct fm_index_cache *cache)
{
    enum { FIRST = 16 };
    struct fm_cache_slot **old = cache->buckets;
    const size_t old_count = cache->bucket_count, count = old_count ? old_count * 2 : FIRST;
    struct fm_cache_slot **buckets = fm_heap_zalloc(cache->heap, count, sizeof *buckets);
    if (buckets == NULL) return;
    cache->buckets = buckets;
    cache->bucket_count = count;
    for (size_t i = 0; i < old_count; i++) {
        for (struct fm_cache_slot *slot = old[i], *next; slot; slot = next) {
            struct fm_cache_slot **head = bucket_of(cache, slot->entry);
            next = slot->next;
            slot->next = *head;
            *head = slot;
        }
    }
    fm_heap_free(cache->heap, old, old_count * sizeof(struct fm_cache_slot *));
}

static struct fm_cache_slot *new_slot(struct fm_index_cache *cache, const struct fm_entry *entry)
{
    if (cache->slot_count >= cache->bucket_count) grow_buckets(cache);
    struct fm_cache_slot *slot = cache->bucket_count ? fm_heap_zalloc(cache->heap, 1, sizeof *slot) : NULL;
    if (slot == NULL) return NULL;
    struct fm_cache_slot **head = bucket_of(cache, entry);
    slot->entry = entry;
    slot->state = FM_CACHE_SLOT_COMPILING;
    slot->next = *head;
    *head = slot;
    cache->slot_count++;
    return slot;
}

/* Loads an index. If the ceiling refuses that, it tries once more with all memory that can be freed: idle indexes are
 * dropped, and only one thread is used. */
static framemap_status load_under_ceiling(struct fm_index_cache *cache, struct fm_cache_slot *slot, const char *script,
                                          framemap_index **out, framemap_error *error)
{
    struct fm_ceiling *ceiling = cache->ceiling;
    const uint64_t refused = ceiling ? atomic_load(&ceiling->refused) : 0;
    framemap_status status = load_index(cache, slot->entry, script, false, out, error);
    slot->over = FM_OVER_NOTHING;
    if (status != FRAMEMAP_E_MEMORY || ceiling == NULL || atomic_load(&ceiling->refused) == refused ||
        !atomic_load(&ceiling->over))
        return status;
    const bool any = fm_index_cache_drop_idle(cache);
    const uint64_t left = fm_ceiling_left(ceiling);
    if (any || cache->build.threads > 1) status = load_index(cache, slot->entry, script, true, out, error);
    if (status != FRAMEMAP_E_MEMORY || !atomic_load(&ceiling->over)) return status;
    slot->left_then = left;
    slot->over = FM_OVER_ALONE;
    return fm_error_over_memory(error, ceiling->most);
}

static void fill_slot(struct fm_index_cache *cache, struct fm_cache_slot *slot)
{
    framemap_index *index = NULL;
    framemap_error fault = {0};
    framemap_str script = {NULL, 0};
    struct fm_arena arena;
    fm_arena_init(&arena, cache->heap);
    const bool ok = cache->catalog == NULL || fm_js_script_of_map(slot->entry->home, slot->entry, &arena, &script);
    unlock_cache(cache);
    framemap_status status =
        ok ? load_under_ceiling(cache, slot, script.data, &index, &fault) : fm_error_memory(&fault);
    fm_arena_free(&arena);
    fm_mutex_lock(cache->lock);
    if (slot->over != FM_OVER_NOTHING) slot->over = fm_cache_why_over(cache, slot);
    if (status == FRAMEMAP_OK) {
        framemap_index_info info;
        framemap_index_describe(index, &info);
        index->owner = slot;
        slot->index = index;
        slot->bytes = slot->opened_bytes = info.size_bytes;
        slot->opened_used = atomic_load(&index->heap.used);
        slot->state = FM_CACHE_SLOT_READY;
        if (is_mapped(slot)) list_mapped(cache, slot);
        cache->bytes += slot->bytes;
        keep_budget(cache);
    } else {
        fault.code = status;
        fault.where[0] = 0;
        fm_error_where(&fault, framemap_str_of(slot->entry->path));
        slot->fault = fault;
        slot->state = FM_CACHE_SLOT_FAILED;
    }
    fm_condition_wake_all(&cache->changed);
}

/* Whether a failure may be temporary: out of memory, or an error of the system. An index that exceeded the ceiling is
 * not retried here; that happens when more memory is free. */
static bool may_pass(const struct fm_cache_slot *slot)
{
    return slot->over == FM_OVER_NOTHING &&
           (slot->fault.code == FRAMEMAP_E_MEMORY || slot->fault.code == FRAMEMAP_E_IO);
}

static framemap_status settle_hold(struct fm_index_cache *cache, struct fm_cache_slot *slot, framemap_index **out,
                                   enum fm_over *over, framemap_error *error)
{
    if (over) *over = slot->over;
    if (slot->state == FM_CACHE_SLOT_READY) {
        note_held(cache, slot);
        *out = slot->index;
        return FRAMEMAP_OK;
    }
    framemap_status status = slot->fault.code;
    if (error) *error = slot->fault;
    if (--slot->holders > 0) return status;
    cache->held--;
    if (may_pass(slot)) drop_slot(cache, slot);
    return status;
}

framemap_status fm_index_cache_hold(struct fm_index_cache *cache, const struct fm_entry *entry, framemap_index **out,
                                    enum fm_over *over, framemap_error *error)
{
    if (over) *over = FM_OVER_NOTHING;
    fm_mutex_lock(cache->lock);
    struct fm_cache_slot *slot = find_slot(cache, entry);
    bool mine = slot == NULL;
    if (mine) slot = new_slot(cache, entry);
    framemap_status status = FRAMEMAP_E_MEMORY;
    if (slot) {
        if (slot->state == FM_CACHE_SLOT_READY && slot->holders == 0) wake_slot(cache, slot);
        if (fm_cache_may_fit_now(cache, slot)) {
            slot->state = FM_CACHE_SLOT_COMPILING;
            mine = true;
        }
        if (slot->holders++ == 0) cache->held++; /* before any wait, so that it is not dropped meanwhile */
        if (mine) fill_slot(cache, slot);
        while (slot->state == FM_CACHE_SLOT_COMPILING) fm_condition_wait(&cache->changed, cache->lock);
        status = settle_hold(cache, slot, out, over, error);
    } else {
        fm_error_memory(error);
    }
    unlock_cache(cache);
    return status;
}

/* --- some addresses --- */

/* Whether the complete index is open, being compiled, or on disk. */
static bool is_at_hand(const struct fm_index_cache *cache, const struct fm_entry *entry)
{
    char key[FM_CACHE_KEY_SIZE];
    struct fm_stamp stamp;
    framemap_index *index;
    fm_mutex_lock(cache->lock);
    const bool has_slot = find_slot(cache, entry) != NULL;
    fm_mutex_unlock(cache->lock);
    if (has_slot || entry->is_index) return true;
    if (cache->disk.folder == NULL || !fm_member_stamp_of(entry->path, &stamp)) return false;
    if (!fm_disk_cache_known_key(&cache->disk, entry, &stamp, key)) return false;
    if (!fm_disk_cache_load(&cache->disk, key, entry, cache->build.allocator, &index)) return false;
    framemap_index_close(index);
    return true;
}

void fm_index_cache_hold_some(struct fm_index_cache *cache, const struct fm_entry *entry, const uint64_t *positions,
                              size_t count, framemap_index **out)
{
    struct inputs inputs = {.entry = entry};
    framemap_bytes built = {0};
    framemap_index *index = NULL;
    *out = NULL;
    if (entry->is_source_map || is_at_hand(cache, entry) ||
        open_symbols(cache, entry, &inputs.file, NULL) != FRAMEMAP_OK)
        return;
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

void fm_index_cache_release(struct fm_index_cache *cache, const framemap_index *index)
{
    if (index->owner == NULL) { /* made for some addresses */
        framemap_index_close((framemap_index *)(uintptr_t)index);
        return;
    }
    fm_mutex_lock(cache->lock);
    struct fm_cache_slot *slot = index->owner;
    count_kept(cache, slot);
    if (--slot->holders == 0) {
        cache->held--;
        if (slot->state == FM_CACHE_SLOT_READY)
            rest_slot(cache, slot);
        else
            forget_index(cache, slot);
    }
    keep_budget(cache);
    unlock_cache(cache);
}
