/* The caches of a view: creates and frees them; caches paths and names, and frames, which are decoded on first use. */
#include "index/read/positions/view_cache.h"
#include "core/limits.h"
#include "core/text/mangled.h"
#include "core/text/text.h"
#include "index/read/table/lazy_table.h"
#include "index/read/table/string_decoder.h"
#include "index/read/table/tables.h"

#include <string.h>

/* The ceiling of the caches: KEPT_LEAST, and KEPT_RATIO bytes for each byte of the index. A valid index may need
 * several bytes for each of its own, since it stores C++ names mangled and compressed, and demangled names are several
 * times as long. A damaged or hostile index could claim far more. */
#define KEPT_RATIO 16u
#define KEPT_LEAST ((uint64_t)64 << 10)

struct kept_text {
    framemap_str text; /* text in the index, or in `bytes` */
    char bytes[];
};

/* The ceiling of each cache that is indexed by node: KEPT_LEAST, and this many bytes for each byte of the index. It is
 * reached only if most nodes of an index are read. */
#define FRAMES_RATIO 6u

/* The first frames of a view are not cached, because caching does not pay for an index that answers one stack and is
 * closed again: about as many frames as two stacks have, and fewer if the view has few nodes, like a value of a
 * store. */
#define UNKEPT_MOST 128u
#define UNKEPT_SHARE 64u /* at most one node in 64 is left uncached */

static uint32_t first_unkept(const struct fm_view *view)
{
    const uint64_t share = view->node_count / UNKEPT_SHARE;
    return share < UNKEPT_MOST ? (uint32_t)share : UNKEPT_MOST;
}

/* Counts a frame that was decoded. Two threads may count their frames as one; then caching begins a little later. */
static void note_decoded(struct fm_view_cache *cache)
{
    const uint32_t left = atomic_load_explicit(&cache->unkept, memory_order_relaxed);
    if (left > 0) atomic_store_explicit(&cache->unkept, left - 1, memory_order_relaxed);
}

void fm_view_cache_open(struct fm_view *view)
{
    struct fm_view_cache *cache = view->cache;
    const uint64_t most = KEPT_LEAST + KEPT_RATIO * view->bytes.size,
                   frames_most = KEPT_LEAST + FRAMES_RATIO * view->bytes.size;
    atomic_init(&cache->heap_most, UINT64_MAX);
    atomic_init(&cache->unkept, first_unkept(view));
    fm_lazy_table_init(&cache->paths, view->heap, view->tables[FMX_FILES].count);
    fm_lazy_table_init(&cache->names, view->heap, view->tables[FMX_FUNCTIONS].count);
    fm_lazy_table_limit(&cache->paths, most);
    fm_lazy_table_page_size(&cache->names, FM_LAZY_TABLE_TINY_BITS);
    fm_lazy_table_limit(&cache->names, most);
    view->face.frames = &cache->frames;
    fm_frames_init(&cache->frames, view->heap, view->node_count, frames_most);
    fm_lazy_table_init(&cache->more, view->heap, view->node_count);
    fm_lazy_table_page_size(&cache->more, FM_LAZY_TABLE_SMALL_BITS);
    fm_lazy_table_limit(&cache->more, frames_most);
    fm_lazy_table_init(&cache->aliases, view->heap, view->node_count);
    fm_lazy_table_page_size(&cache->aliases, FM_LAZY_TABLE_SMALL_BITS);
    fm_lazy_table_limit(&cache->aliases, frames_most);
    fm_lazy_table_init(&cache->whole_names, view->heap, view->node_count);
    fm_lazy_table_page_size(&cache->whole_names, FM_LAZY_TABLE_SMALL_BITS);
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

/* --- caching paths and names --- */

/* Caches the concatenation of two strings for a row. false: the cache is full. */
static bool keep_text(struct fm_lazy_table *memo, uint64_t row, framemap_str first, framemap_str second,
                      framemap_str *out)
{
    const size_t size = first.size + second.size;
    struct kept_text *made = fm_lazy_table_alloc(memo, sizeof *made + size);
    if (made == NULL) return false;
    if (first.size) memcpy(made->bytes, first.data, first.size);
    if (second.size) memcpy(made->bytes + first.size, second.data, second.size);
    made->text = fm_str(made->bytes, size);
    const struct kept_text *kept = fm_lazy_table_publish(memo, row, made, sizeof *made + size);
    if (kept == NULL) {
        fm_lazy_table_give_back(memo, made, sizeof *made + size);
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
    if (folder.size == 0 || keep_text(&view->cache->paths, file, folder, name, out)) return FRAMEMAP_OK;
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

framemap_status fm_view_hit_path(const struct fm_view *view, const struct fm_hit *hit, struct fm_arena *arena,
                                 framemap_str *out)
{
    const uint32_t code = hit->entry.file_code;
    return fm_view_path(view, code < FMX_FILE_FIRST ? FM_VIEW_NO_ROW : (uint64_t)code - FMX_FILE_FIRST, arena, out);
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
    return keep_text(&view->cache->names, function, text, (framemap_str){NULL, 0}, &kept) ? kept : text;
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
    return keep_text(&view->cache->whole_names, node, text, (framemap_str){NULL, 0}, &kept) ? kept : text;
}

/* --- publishing a frame --- */

static uint32_t outward(uint64_t node, uint64_t parent)
{
    return parent < node && parent >> FM_FRAMES_BITS == node >> FM_FRAMES_BITS ? (uint32_t)(node - parent) : 0;
}

/* Publishes a frame. NULL: the cache is full, or another thread is writing the same frame. */
static const struct fm_view_frame *keep_frame(struct fm_frames *frames, uint64_t node,
                                              const struct fm_view_frame *frame)
{
    struct fm_view_frame *place = fm_frames_make_place(frames, node);
    uint_least16_t state = FM_FRAME_EMPTY;
    if (place == NULL) return NULL;
    if (!atomic_compare_exchange_strong_explicit(&place->state, &state, FM_FRAME_BUSY, memory_order_acq_rel,
                                                 memory_order_acquire))
        return state == FM_FRAME_READY ? place : NULL;
    memcpy(place, frame, offsetof(struct fm_view_frame, state));
    if (frame->parent != FM_VIEW_NONE) place->outward = outward(node, frame->parent);
    atomic_store_explicit(&place->state, FM_FRAME_READY, memory_order_release);
    return place;
}

/* --- decoding a frame --- */

/* A frame while it is decoded. */
struct draft {
    const struct fm_view *view;
    struct fm_arena *arena;
    struct fm_view_frame *frame;
    bool lasts; /* all strings of the frame live as long as the view, so that it can be cached */
};

static framemap_status path_of(struct draft *draft, uint64_t file, framemap_str *out)
{
    framemap_status status = fm_view_path(draft->view, file, NULL, out);
    if (status != FRAMEMAP_E_MEMORY) return status;
    draft->lasts = false;
    return fm_view_path(draft->view, file, draft->arena, out);
}

/* Stores a string in a frame. CORRUPT: its size has more than 32 bits, which only a damaged index has. */
static framemap_status put_text(framemap_str text, const char **at, uint32_t *size)
{
    *at = text.data;
    *size = (uint32_t)text.size;
    return text.size <= UINT32_MAX ? FRAMEMAP_OK : FRAMEMAP_E_CORRUPT;
}

static framemap_status describe_call(struct draft *draft, const struct fm_view_link *caller)
{
    struct fm_view_frame *frame = draft->frame;
    framemap_str path;
    frame->where.call.line1 = caller->line1;
    frame->where.call.col1 = caller->col1;
    const framemap_status status = path_of(draft, caller->file, &path);
    return status == FRAMEMAP_OK ? put_text(path, &frame->more_at, &frame->more_size) : status;
}

static framemap_status describe_root(struct draft *draft, const struct fm_view_link *link)
{
    struct fm_view_frame *frame = draft->frame;
    struct fm_view_root root;
    const framemap_status status = fm_view_link_root(draft->view, link, &root);
    if (status != FRAMEMAP_OK) return status;
    frame->where.start = root.start;
    frame->size = (uint32_t)root.size;
    if (root.has_start) frame->flags |= FM_NODE_HAS_START;
    if (root.alias_count > 0 || root.size > UINT32_MAX) frame->flags |= FM_FRAME_MORE;
    if (root.symbol.size > 0) frame->flags |= FM_FRAME_SYMBOL;
    return put_text(root.symbol, &frame->more_at, &frame->more_size);
}

static framemap_status describe_function(struct draft *draft, const struct fm_view_link *link)
{
    struct fm_view_frame *frame = draft->frame;
    framemap_str name, class_name, home;
    framemap_status status = fm_view_link_class(draft->view, link, &class_name);
    if (status == FRAMEMAP_OK) status = fm_view_link_name(draft->view, link, &name);
    if (status == FRAMEMAP_OK) status = put_text(name, &frame->name_at, &frame->name_size);
    if (status == FRAMEMAP_OK) status = path_of(draft, link->home, &home);
    if (status == FRAMEMAP_OK) status = put_text(home, &frame->home_at, &frame->home_size);
    if (status == FRAMEMAP_OK && class_name.size > 0) frame->flags |= FM_FRAME_MORE | FM_FRAME_CLASS;
    if (status == FRAMEMAP_OK && fm_may_be_mangled(name)) frame->flags |= FM_FRAME_MARKED;
    return status;
}

/* Reads the numbers of a frame first, from its node and its caller's, and then the strings that they stand for. */
static framemap_status describe(struct draft *draft, uint64_t node)
{
    struct fm_view_frame *frame = draft->frame;
    struct fm_view_link link, caller;
    framemap_status status = fm_view_link_node(draft->view, node, &link);
    if (status != FRAMEMAP_OK) return status;
    const bool inlined = link.parent != FM_VIEW_NONE;
    caller = link;
    if (inlined) status = fm_view_link_up(draft->view, &caller);
    if (status != FRAMEMAP_OK) return status;
    memset(frame, 0, sizeof *frame);
    frame->parent = link.parent;
    frame->function = link.function < UINT32_MAX ? (uint32_t)link.function : UINT32_MAX;
    frame->decl_line1 = link.decl_line1;
    frame->flags = (link.flags & FM_NODE_ARTIFICIAL) | (link.declared ? FM_FRAME_DECLARED : 0u);
    status = describe_function(draft, &link);
    if (status != FRAMEMAP_OK) return status;
    return inlined ? describe_call(draft, &caller) : describe_root(draft, &link);
}

/* Whether a node has a slot in the frame cache, or may get one. */
static bool has_place(const struct fm_view *view, uint64_t node)
{
    return fm_view_cache_has_room(view, FM_FRAMES_TOGETHER * FM_FRAME_BYTES) ||
           fm_frames_place(&view->cache->frames, node) != NULL;
}

framemap_status fm_view_node_frame(const struct fm_view *view, uint64_t node, struct fm_arena *arena,
                                   struct fm_view_frame *own, const struct fm_view_frame **out)
{
    struct draft draft = {view, arena, own, true};
    *out = fm_frames_get(&view->cache->frames, node);
    if (*out != NULL) return FRAMEMAP_OK;
    const framemap_status status = describe(&draft, node);
    if (status != FRAMEMAP_OK) return status;
    note_decoded(view->cache);
    *out = draft.lasts && has_place(view, node) ? keep_frame(&view->cache->frames, node, own) : NULL;
    if (*out == NULL) *out = own;
    return FRAMEMAP_OK;
}

/* --- reading and caching the parts that few frames have: struct fm_view_more --- */

static size_t more_size(uint32_t alias_count)
{
    return sizeof(struct fm_view_more) + alias_count * sizeof(framemap_str);
}

/* Holds the parts of a frame that only few frames have, while these parts are read. */
struct rare_parts {
    struct fm_view_link link;
    struct fm_view_root root; /* zeroed for an inlined function */
    framemap_str class_name;
    uint32_t alias_count; /* number of aliases, within the limit */
};

static framemap_status read_rare(const struct fm_view *view, uint32_t node, struct rare_parts *out)
{
    out->root = (struct fm_view_root){.size = 0};
    framemap_status status = fm_view_link_node(view, node, &out->link);
    if (status == FRAMEMAP_OK) status = fm_view_link_class(view, &out->link, &out->class_name);
    if (status == FRAMEMAP_OK && out->link.parent == FM_VIEW_NONE)
        status = fm_view_link_root(view, &out->link, &out->root);
    out->alias_count = out->root.alias_count < FM_LIMIT_ALTERNATIVES ? out->root.alias_count : FM_LIMIT_ALTERNATIVES;
    return status;
}

static framemap_status fill_more(const struct fm_view *view, const struct rare_parts *rare, struct fm_view_more *more)
{
    more->class_name = rare->class_name;
    more->size = rare->root.size;
    more->alias_count = rare->alias_count;
    return fm_view_aliases(view, &rare->link, &rare->root, more->aliases, more->alias_count);
}

/* Adds the parts that only few frames have to the cache, for one node. *out stays NULL when the cache is full. */
static framemap_status keep_more(const struct fm_view *view, uint32_t node, const struct rare_parts *rare,
                                 const struct fm_view_more **out)
{
    struct fm_lazy_table *memo = &view->cache->more;
    const size_t size = more_size(rare->alias_count);
    struct fm_view_more *made = fm_view_cache_has_room(view, size) ? fm_lazy_table_alloc(memo, size) : NULL;
    if (made == NULL) return FRAMEMAP_OK;
    const framemap_status status = fill_more(view, rare, made);
    if (status == FRAMEMAP_OK) *out = fm_lazy_table_publish(memo, node, made, size);
    if (*out == NULL) fm_lazy_table_give_back(memo, made, size);
    return status;
}

framemap_status fm_view_more(const struct fm_view *view, uint32_t node, struct fm_arena *arena,
                             const struct fm_view_more **out)
{
    struct rare_parts rare;
    *out = node < view->cache->more.count ? fm_lazy_table_get(&view->cache->more, node) : NULL;
    if (*out != NULL) return FRAMEMAP_OK;
    framemap_status status = read_rare(view, node, &rare);
    if (status == FRAMEMAP_OK) status = keep_more(view, node, &rare, out);
    if (status != FRAMEMAP_OK || *out != NULL) return status;
    struct fm_view_more *more = fm_arena_alloc(arena, more_size(rare.alias_count));
    *out = more;
    return more != NULL ? fill_more(view, &rare, more) : FRAMEMAP_E_MEMORY;
}

const framemap_str *fm_view_kept_aliases(const struct fm_view *view, uint32_t node)
{
    return fm_lazy_table_get(&view->cache->aliases, node);
}

const framemap_str *fm_view_keep_aliases(const struct fm_view *view, uint32_t node, const framemap_str *aliases,
                                         uint32_t count)
{
    struct fm_lazy_table *memo = &view->cache->aliases;
    size_t size = count * sizeof *aliases;
    /* the total size cannot overflow, because all strings are in memory */
    for (uint32_t i = 0; i < count; i++) size += aliases[i].size;
    framemap_str *made = fm_view_cache_has_room(view, size) ? fm_lazy_table_alloc(memo, size) : NULL;
    if (made == NULL) return aliases;
    char *text = (char *)(made + count);
    for (uint32_t i = 0; i < count; i++) {
        made[i] = fm_str(text, aliases[i].size);
        if (aliases[i].size > 0) memcpy(text, aliases[i].data, aliases[i].size);
        text += aliases[i].size;
    }
    const framemap_str *kept = fm_lazy_table_publish(memo, node, made, size);
    if (kept == NULL) fm_lazy_table_give_back(memo, made, size);
    return kept != NULL ? kept : aliases;
}
