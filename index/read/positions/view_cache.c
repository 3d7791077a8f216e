/* Caches of paths and names, and the lifetime of all caches of a view. */
#include "index/read/positions/view_cache.h"
#include "core/text/text.h"
#include "index/read/table/lazy_table.h"
#include "index/read/table/string_decoder.h"
#include "index/read/table/tables.h"

#include <string.h>

/* The ceiling of the caches, in bytes for each byte of the index, and its minimum. Demangled C++ names are several
 * times as long as the mangled ones, which the index has compressed. A damaged or hostile index could claim far more.
 */
#define KEPT_RATIO 16u
#define KEPT_LEAST ((uint64_t)64 << 10)

struct kept_text {
    framemap_str text; /* in the index, or in `bytes` */
    char bytes[];
};

/* The ceiling of each cache by node, in bytes for each byte of the index, for when all nodes of an index are read. */
#define FRAMES_RATIO 6u

void fm_view_cache_open(struct fm_view *view)
{
    struct fm_view_cache *cache = view->cache;
    const uint64_t most = KEPT_LEAST + KEPT_RATIO * view->bytes.size,
                   frames_most = KEPT_LEAST + FRAMES_RATIO * view->bytes.size;
    atomic_init(&cache->heap_most, UINT64_MAX);
    fm_lazy_table_init(&cache->paths, view->heap, view->tables[FMX_FILES].count);
    fm_lazy_table_init(&cache->names, view->heap, view->tables[FMX_FUNCTIONS].count);
    fm_lazy_table_limit(&cache->paths, most);
    fm_lazy_table_limit(&cache->names, most);
    view->face.frames = &cache->frames;
    fm_frames_init(&cache->frames, view->heap, view->node_count, frames_most);
    fm_lazy_table_init(&cache->more, view->heap, view->node_count);
    fm_lazy_table_limit(&cache->more, frames_most);
    fm_lazy_table_init(&cache->aliases, view->heap, view->node_count);
    fm_lazy_table_limit(&cache->aliases, frames_most);
    fm_lazy_table_init(&cache->whole_names, view->heap, view->node_count);
    fm_lazy_table_limit(&cache->whole_names, frames_most);
}

void fm_view_cache_close(struct fm_view *view)
{
    struct fm_view_cache *cache = view->cache;
    fm_lazy_table_free(&cache->paths);
    fm_lazy_table_free(&cache->names);
    fm_frames_free(&cache->frames);
    fm_lazy_table_free(&cache->more);
    fm_lazy_table_free(&cache->aliases);
    fm_lazy_table_free(&cache->whole_names);
}

void fm_view_limit_kept(const struct fm_view *view, uint64_t heap_bytes)
{
    atomic_store_explicit(&view->cache->heap_most, heap_bytes, memory_order_relaxed);
}

void fm_view_share_names(struct fm_view *view, struct fm_text_memo *memo) { view->cache->shared = memo; }
struct fm_text_memo *fm_view_shared_names(const struct fm_view *view) { return view->cache->shared; }

/* Caches the concatenation of two strings for a row. false: the cache is full. */
static bool keep(struct fm_lazy_table *memo, uint64_t row, framemap_str first, framemap_str second, framemap_str *out)
{
    const size_t size = first.size + second.size;
    struct kept_text *made = fm_lazy_table_alloc(memo, sizeof *made + size);
    if (made == NULL) return false;
    if (first.size) memcpy(made->bytes, first.data, first.size);
    if (second.size) memcpy(made->bytes + first.size, second.data, second.size);
    made->text = fm_str(made->bytes, size);
    const struct kept_text *kept = fm_lazy_table_publish(memo, row, made);
    if (kept == NULL) {
        fm_lazy_table_give_back(memo, made);
        return false;
    }
    *out = kept->text;
    return true;
}

/* Concatenates in the arena, without caching. */
static framemap_status join(struct fm_arena *arena, framemap_str first, framemap_str second, framemap_str *out)
{
    char *bytes = fm_arena_alloc(arena, first.size + second.size);
    if (bytes == NULL) return FRAMEMAP_E_MEMORY;
    memcpy(bytes, first.data, first.size);
    if (second.size) memcpy(bytes + first.size, second.data, second.size);
    *out = fm_str(bytes, first.size + second.size);
    return FRAMEMAP_OK;
}

static framemap_status make_path(const struct fm_view *view, uint64_t file, struct fm_arena *arena, framemap_str *out)
{
    const struct fm_table_row row = fm_table_row_at(&view->tables[FMX_FILES], file);
    framemap_str folder = {NULL, 0}, name = {NULL, 0};
    framemap_status status = fm_record_text(view, row, FILE_FOLDER, &folder);
    if (status == FRAMEMAP_OK) status = fm_record_text(view, row, FILE_NAME, &name);
    if (status != FRAMEMAP_OK) return status;
    *out = name;
    if (folder.size == 0 || keep(&view->cache->paths, file, folder, name, out)) return FRAMEMAP_OK;
    return arena != NULL ? join(arena, folder, name, out) : FRAMEMAP_E_MEMORY;
}

framemap_status fm_view_path(const struct fm_view *view, uint64_t file, struct fm_arena *arena, framemap_str *out)
{
    *out = (framemap_str){NULL, 0};
    if (file >= view->tables[FMX_FILES].count) return FRAMEMAP_OK;
    const struct kept_text *kept = fm_lazy_table_get(&view->cache->paths, file);
    if (kept == NULL) return make_path(view, file, arena, out);
    *out = kept->text;
    return FRAMEMAP_OK;
}

bool fm_view_kept_name(const struct fm_view *view, uint64_t function, framemap_str *out)
{
    if (function >= view->tables[FMX_FUNCTIONS].count) return false;
    const struct kept_text *kept = fm_lazy_table_get(&view->cache->names, function);
    if (kept == NULL) return false;
    *out = kept->text;
    return true;
}

framemap_str fm_view_keep_name(const struct fm_view *view, uint64_t function, framemap_str text)
{
    framemap_str kept;
    if (function >= view->tables[FMX_FUNCTIONS].count || !fm_view_cache_has_room(view, text.size)) return text;
    return keep(&view->cache->names, function, text, (framemap_str){NULL, 0}, &kept) ? kept : text;
}

bool fm_view_kept_whole_name(const struct fm_view *view, uint32_t node, framemap_str *out)
{
    const struct kept_text *kept = node < view->node_count ? fm_lazy_table_get(&view->cache->whole_names, node) : NULL;
    if (kept == NULL) return false;
    *out = kept->text;
    return true;
}

framemap_str fm_view_keep_whole_name(const struct fm_view *view, uint32_t node, framemap_str text)
{
    framemap_str kept;
    if (node >= view->node_count || !fm_view_cache_has_room(view, text.size)) return text;
    return keep(&view->cache->whole_names, node, text, (framemap_str){NULL, 0}, &kept) ? kept : text;
}
