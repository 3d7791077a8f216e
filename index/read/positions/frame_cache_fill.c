/* Fills the frame cache: decodes the frame of a node and publishes it. */
#include "core/limits.h"
#include "core/text/text.h"
#include "index/read/positions/view_cache.h"
#include "index/read/table/lazy_table.h"
#include "index/read/table/tables.h"

#include <string.h>

/* --- publishing --- */

static uint32_t outward(uint64_t node, uint64_t parent)
{
    return parent < node && parent >> FM_FRAMES_BITS == node >> FM_FRAMES_BITS ? (uint32_t)(node - parent) : 0;
}

/* Publishes a frame. NULL: the cache is full, or another thread is writing the same frame. */
static const struct fm_view_frame *keep(struct fm_frames *frames, uint64_t node, const struct fm_view_frame *frame)
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

/* --- decoding --- */

/* A frame while it is decoded. */
struct draft {
    const struct fm_view *view;
    struct fm_arena *arena;
    struct fm_view_frame *frame;
    bool lasts; /* all its strings live as long as the view, so that it can be cached */
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

static framemap_status describe_caller(struct draft *draft, struct fm_view_link link)
{
    struct fm_view_frame *frame = draft->frame;
    framemap_str path;
    framemap_status status = fm_view_link_up(draft->view, &link);
    frame->where.call.line1 = link.line1;
    frame->where.call.col1 = link.col1;
    if (status == FRAMEMAP_OK) status = path_of(draft, link.file, &path);
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

/* Whether a name may be mangled: all mangled names start with one of these characters. */
static bool is_marked(framemap_str name)
{
    return name.size > 0 && (name.data[0] == '_' || name.data[0] == '.' || name.data[0] == '$');
}

static framemap_status describe_function(struct draft *draft, const struct fm_view_link *link)
{
    struct fm_view_frame *frame = draft->frame;
    framemap_str name, class_name, home;
    framemap_status status = fm_view_link_names(draft->view, link, &name, &class_name);
    if (status == FRAMEMAP_OK) status = put_text(name, &frame->name_at, &frame->name_size);
    if (status == FRAMEMAP_OK) status = path_of(draft, link->home, &home);
    if (status == FRAMEMAP_OK) status = put_text(home, &frame->home_at, &frame->home_size);
    if (status == FRAMEMAP_OK && class_name.size > 0) frame->flags |= FM_FRAME_MORE | FM_FRAME_CLASS;
    if (status == FRAMEMAP_OK && is_marked(name)) frame->flags |= FM_FRAME_MARKED;
    return status;
}

static framemap_status describe(struct draft *draft, uint64_t node)
{
    struct fm_view_frame *frame = draft->frame;
    struct fm_view_link link;
    framemap_status status = fm_view_link_node(draft->view, node, &link);
    if (status != FRAMEMAP_OK) return status;
    memset(frame, 0, sizeof *frame);
    frame->parent = link.parent;
    frame->function = link.function < UINT32_MAX ? (uint32_t)link.function : UINT32_MAX;
    frame->decl_line1 = link.decl_line1;
    frame->flags = (link.flags & FM_NODE_ARTIFICIAL) | (link.declared ? FM_FRAME_DECLARED : 0u);
    status = describe_function(draft, &link);
    if (status != FRAMEMAP_OK) return status;
    return link.parent == FM_VIEW_NONE ? describe_root(draft, &link) : describe_caller(draft, link);
}

/* Whether a node has a slot, or may get one. */
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
    *out = draft.lasts && has_place(view, node) ? keep(&view->cache->frames, node, own) : NULL;
    if (*out == NULL) *out = own;
    return FRAMEMAP_OK;
}

/* --- the rare parts --- */

static size_t more_size(uint32_t alias_count)
{
    return sizeof(struct fm_view_more) + alias_count * sizeof(framemap_str);
}

static framemap_status fill_more(const struct fm_view *view, uint32_t node, const struct fm_view_more *head,
                                 struct fm_view_more *more)
{
    framemap_status status = FRAMEMAP_OK;
    *more = *head;
    for (uint32_t i = 0; i < more->alias_count && status == FRAMEMAP_OK; i++)
        status = fm_view_alias(view, node, i, &more->aliases[i]);
    return status;
}

/* *out stays NULL when the cache is full. */
static framemap_status keep_more(const struct fm_view *view, uint32_t node, const struct fm_view_more *head,
                                 const struct fm_view_more **out)
{
    struct fm_lazy_table *memo = &view->cache->more;
    if (!fm_view_cache_has_room(view, more_size(head->alias_count))) return FRAMEMAP_OK;
    struct fm_view_more *made = fm_lazy_table_alloc(memo, more_size(head->alias_count));
    if (made == NULL) return FRAMEMAP_OK;
    const framemap_status status = fill_more(view, node, head, made);
    if (status == FRAMEMAP_OK) *out = fm_lazy_table_publish(memo, node, made);
    if (*out == NULL) fm_lazy_table_give_back(memo, made);
    return status;
}

framemap_status fm_view_more(const struct fm_view *view, uint32_t node, struct fm_arena *arena,
                             const struct fm_view_more **out)
{
    struct fm_view_more head = {.alias_count = 0};
    struct fm_view_link link;
    struct fm_view_root root = {.size = 0};
    framemap_str name;
    *out = node < view->cache->more.count ? fm_lazy_table_get(&view->cache->more, node) : NULL;
    if (*out != NULL) return FRAMEMAP_OK;
    framemap_status status = fm_view_link_node(view, node, &link);
    if (status == FRAMEMAP_OK) status = fm_view_link_names(view, &link, &name, &head.class_name);
    if (status == FRAMEMAP_OK && link.parent == FM_VIEW_NONE) status = fm_view_link_root(view, &link, &root);
    if (status != FRAMEMAP_OK) return status;
    head.size = root.size;
    head.alias_count = root.alias_count < FM_LIMIT_ALTERNATIVES ? root.alias_count : FM_LIMIT_ALTERNATIVES;
    status = keep_more(view, node, &head, out);
    if (status != FRAMEMAP_OK || *out != NULL) return status;
    struct fm_view_more *more = fm_arena_alloc(arena, more_size(head.alias_count));
    *out = more;
    return more != NULL ? fill_more(view, node, &head, more) : FRAMEMAP_E_MEMORY;
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
    for (uint32_t i = 0; i < count; i++) size += aliases[i].size; /* cannot overflow: all strings are in memory */
    framemap_str *made = fm_view_cache_has_room(view, size) ? fm_lazy_table_alloc(memo, size) : NULL;
    if (made == NULL) return aliases;
    char *text = (char *)(made + count);
    for (uint32_t i = 0; i < count; i++) {
        made[i] = fm_str(text, aliases[i].size);
        if (aliases[i].size > 0) memcpy(text, aliases[i].data, aliases[i].size);
        text += aliases[i].size;
    }
    const framemap_str *kept = fm_lazy_table_publish(memo, node, made);
    if (kept == NULL) fm_lazy_table_give_back(memo, made);
    return kept != NULL ? kept : aliases;
}

framemap_status fm_view_hit_path(const struct fm_view *view, const struct fm_hit *hit, struct fm_arena *arena,
                                 framemap_str *out)
{
    const uint32_t code = hit->entry.file_code;
    return fm_view_path(view, code < FMX_FILE_FIRST ? FM_VIEW_NO_ROW : (uint64_t)code - FMX_FILE_FIRST, arena, out);
}
