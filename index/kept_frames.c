/* What a node of a chain says whatever position was asked for, worked out once and lent from then on: a warm lookup of a chain is a few loads a frame. */
#include "index/tables.h"

/* As many bytes as this may be kept for each byte of the index, so that one of which all is asked stays within bounds. */
#define KEPT_RATIO 6u
#define KEPT_LEAST ((uint64_t)64 << 10)

void fm_kept_frames_open(struct fm_view *view)
{
    fm_memo_init(&view->kept->frames, view->heap, view->node_count);
    fm_memo_limit(&view->kept->frames, KEPT_LEAST + KEPT_RATIO * view->bytes.size);
}

void fm_kept_frames_close(struct fm_view *view) { fm_memo_free(&view->kept->frames); }

/* A path that stands as long as the view. false: it can't be kept, or is damaged. */
static bool lasting_path(const struct fm_view *view, uint64_t file, framemap_str *out)
{
    return fm_view_path(view, file, NULL, out) == FRAMEMAP_OK;
}

static bool describe_caller(const struct fm_view *view, struct fm_view_link link, struct fm_view_frame *out)
{
    if (link.parent == FM_VIEW_NONE) return true;
    if (fm_view_link_up(view, &link) != FRAMEMAP_OK) return false;
    out->call_line1 = link.line1;
    out->call_col1 = link.col1;
    return lasting_path(view, link.file, &out->call_path);
}

static bool describe_root(const struct fm_view *view, const struct fm_view_link *link, struct fm_view_frame *out)
{
    struct fm_view_root root;
    if (link->parent != FM_VIEW_NONE) return true;
    if (fm_view_link_root(view, link, &root) != FRAMEMAP_OK) return false;
    out->symbol = root.symbol;
    out->has_start = root.has_start;
    out->start = root.start;
    return true;
}

static bool describe(const struct fm_view *view, uint64_t node, struct fm_view_frame *out)
{
    const struct fm_hit hit = {.place_count = 1, .entry = {.node_code = (uint32_t)node + 1}};
    struct fm_view_link link;
    framemap_str class_name, none;
    if (fm_view_link_first(view, &hit, 0, &link, &none) != FRAMEMAP_OK) return false;
    *out = (struct fm_view_frame){.function = link.function, .parent = link.parent, .decl_line1 = link.decl_line1, .flags = link.flags};
    return fm_view_link_names(view, &link, &out->name, &class_name) == FRAMEMAP_OK && lasting_path(view, link.home, &out->home_path) &&
           describe_root(view, &link, out) && describe_caller(view, link, out);
}

const struct fm_view_frame *fm_view_frame(const struct fm_view *view, uint64_t node)
{
    if (node >= view->node_count) return NULL;
    struct fm_memo *memo = &view->kept->frames;
    const struct fm_view_frame *kept = fm_memo_get(memo, node);
    if (kept != NULL) return kept;
    struct fm_view_frame *made = fm_memo_alloc(memo, sizeof *made);
    if (made == NULL) return NULL;
    kept = describe(view, node, made) ? fm_memo_publish(memo, node, made) : NULL;
    if (kept == NULL) fm_memo_give_back(memo, made);
    return kept;
}

/* --- what will be read --- */

#define LEVELS_AHEAD 3u /* of a chain: most are no longer */

static void expect_blocks(struct fm_memo *memo, const uint32_t *nodes, size_t count)
{
    for (size_t i = 0; i < count; i++)
        if (nodes[i] != FM_VIEW_NONE) fm_prefetch(fm_memo_place(memo, nodes[i]));
    for (size_t i = 0; i < count; i++) {
        const char *block = nodes[i] != FM_VIEW_NONE ? fm_memo_get(memo, nodes[i]) : NULL;
        if (block == NULL) continue;
        fm_prefetch(block);
        fm_prefetch(block + sizeof(struct fm_view_frame) - 1);
    }
}

static uint32_t parent_of(struct fm_memo *memo, uint32_t node)
{
    const struct fm_view_frame *kept = node != FM_VIEW_NONE ? fm_memo_get(memo, node) : NULL;
    return kept != NULL ? kept->parent : FM_VIEW_NONE;
}

void fm_view_expect(const struct fm_view *view, const struct fm_hit *hits, size_t count)
{
    struct fm_memo *memo = &view->kept->frames;
    uint32_t nodes[FM_VIEW_BATCH];
    if (count > FM_VIEW_BATCH) count = FM_VIEW_BATCH;
    for (size_t i = 0; i < FM_VIEW_BATCH; i++)
        nodes[i] = i < count && fm_view_hit_plain(view, &hits[i]) ? (uint32_t)hits[i].entry.node_code - 1 : FM_VIEW_NONE;
    expect_blocks(memo, nodes, count);
    for (size_t i = 0; i < count; i++)
        if (hits[i].place_count > 0 && (nodes[i] == FM_VIEW_NONE || fm_memo_get(memo, nodes[i]) == NULL))
            fm_view_expect_links(view, &hits[i]);
    for (unsigned level = 1; level < LEVELS_AHEAD; level++) {
        for (size_t i = 0; i < count; i++) nodes[i] = parent_of(memo, nodes[i]);
        expect_blocks(memo, nodes, count);
    }
}

/* --- the place of a hit --- */

bool fm_view_hit_line(const struct fm_hit *hit, const struct fm_view_frame *frame, uint32_t *out)
{
    const int64_t line = hit->entry.has_line ? hit->entry.line + (int64_t)frame->decl_line1 : 0;
    *out = (uint32_t)line;
    return line >= 0 && line <= UINT32_MAX;
}

bool fm_view_hit_path(const struct fm_view *view, const struct fm_hit *hit, const struct fm_view_frame *frame, framemap_str *out)
{
    if (hit->entry.file_code == FMX_FILE_HOME) {
        *out = frame->home_path;
        return true;
    }
    const uint64_t file = hit->entry.file_code == FMX_FILE_UNKNOWN ? FM_VIEW_NO_ROW : (uint64_t)hit->entry.file_code - FMX_FILE_FIRST;
    return lasting_path(view, file, out);
}

bool fm_view_hit_plain(const struct fm_view *view, const struct fm_hit *hit)
{
    return hit->place_count == 1 && !hit->entry.follows && hit->entry.node_code > 0 && hit->entry.node_code <= view->node_count;
}
