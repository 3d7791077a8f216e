/* Verifies the spans (line ranges) of methods of the class form. Called by verify_classes.c. */
#include "core/error.h"
#include "index/format/line_tree.h"
#include "index/read/classes/span_decoder.h"
#include "index/verify/verify_parts.h"

struct span_checker {
    const struct fm_checker *checker;
    uint64_t method;
    struct fm_spans spans;
};

static bool fails(const struct span_checker *c, const char *what)
{
    return fm_check_fails(c->checker, FMX_METHODS, c->method, what);
}

static bool check_members(const struct span_checker *c)
{
    for (uint64_t i = 0; i < c->spans.members; i++)
        if (fm_spans_member(c->checker->view, &c->spans, i) == FM_VIEW_NONE)
            return fails(c, "a member that does not exist");
    return true;
}

/* Checks that parts start at span 0 and cover all spans in order. */
static bool check_parts(const struct span_checker *c)
{
    struct fm_view_method method;
    struct fm_view_part part;
    uint64_t expected = FM_SPAN_NUMBER(c->method, 0);
    if (!fm_view_method_at(c->checker->view, c->method, &method)) return fails(c, "invalid spans");
    for (uint64_t i = 0; i < c->spans.parts; i++) {
        if (!fm_view_part(c->checker->view, &method, i, &part) || part.first_span != expected)
            return fails(c, "an invalid part");
        expected += part.span_count;
    }
    return true;
}

/* Checks that fields without their flag are 0. */
static bool sound_row(const struct fm_spans *spans, const struct fm_view_span *span)
{
    if ((span->flags & ~(uint32_t)spans->shape) != 0 || span->member == FM_VIEW_NONE) return false;
    if ((span->flags & FM_SPAN_PAIR) != 0 && (span->flags & FM_SPAN_ORIGINAL) == 0) return false;
    if ((span->flags & FM_SPAN_PAIR) == 0 && span->original_from != span->original_to) return false;
    if ((span->flags & FM_SPAN_ORIGINAL) == 0 && span->original_from != 0) return false;
    return (span->flags & FM_SPAN_RESIDUAL) != 0 ? span->residual_from <= span->residual_to
                                                 : span->residual_from == 0 && span->residual_to == 0;
}

static bool rises(const struct fm_view_span *before, const struct fm_view_span *span)
{
    if ((before->flags & span->flags & FM_SPAN_RESIDUAL) == 0) return false;
    return span->residual_from > before->residual_to ||
           (span->residual_from == before->residual_from && span->residual_to == before->residual_to);
}

/* Checks every row. copies: room for all spans if the method has a segment tree, else NULL. */
static bool check_rows(const struct span_checker *c, struct fm_span *copies)
{
    const uint64_t lists = c->checker->view->tables[FMX_NOTE_LISTS].count;
    struct fm_view_span span = {.flags = 0}, before;
    uint32_t any = 0;
    bool sorted = c->spans.count > 1;
    for (uint64_t i = 0; i < c->spans.count; i++) {
        before = span;
        fm_spans_row(c->checker->view, &c->spans, i, &span);
        if (!sound_row(&c->spans, &span)) return fails(c, "an invalid span");
        if (span.notes != FM_VIEW_NONE && span.notes + UINT64_C(1) >= lists)
            return fails(c, "a list that does not exist");
        sorted = sorted && (i == 0 || rises(&before, &span));
        any |= span.flags;
        if (copies)
            copies[i] = (struct fm_span){
                .residual_from = span.residual_from, .residual_to = span.residual_to, .flags = span.flags};
    }
    if (sorted != ((c->spans.flags & FMX_SPANS_SORTED) != 0))
        return fails(c, "a sorted flag that does not match its spans");
    return any == c->spans.shape || fails(c, "a shape that does not match its spans");
}

/* --- checking that the segment tree equals the tree that a builder makes --- */

static bool same_tree(const struct fm_spans *s, const struct fm_spans_tree *got, const struct fm_span_tree *made)
{
    if (got->boundaries != made->boundary_count || got->entries != made->entry_count) return false;
    for (uint64_t i = 0; i < got->boundaries; i++)
        if (got->base + (int64_t)fm_bits_get(s->data, got->boundaries_at + i * got->width, got->width) !=
            made->boundaries[i])
            return false;
    for (uint64_t i = 0; i <= got->nodes; i++)
        if (fm_bits_get(s->data, got->offsets_at + i * got->offset_bits, got->offset_bits) != made->offsets[i])
            return false;
    for (uint64_t i = 0; i < got->entries; i++)
        if (fm_bits_get(s->data, got->entries_at + i * s->count_bits, s->count_bits) != made->entries[i]) return false;
    return true;
}

static bool out_of_memory(const struct span_checker *c)
{
    *c->checker->status = fm_error_memory(c->checker->error);
    return false;
}

static bool check_tree(const struct span_checker *c, const struct fm_span *copies)
{
    struct fm_heap *heap = c->checker->view->heap;
    struct fm_spans_tree got;
    struct fm_span_tree made = {.boundaries = NULL};
    if ((c->spans.shape & FM_SPAN_RESIDUAL) == 0) return fails(c, "a segment tree without line ranges");
    if (!fm_spans_tree(c->checker->view, &c->spans, &got)) return fails(c, "an invalid segment tree");
    const framemap_status status = fm_span_tree_make(heap, copies, c->spans.count, &made, NULL);
    bool sound = status == FRAMEMAP_OK;
    if (status == FRAMEMAP_E_MEMORY)
        out_of_memory(c);
    else if (!sound || !same_tree(&c->spans, &got, &made))
        sound = fails(c, "an invalid segment tree");
    fm_span_tree_free(heap, &made);
    return sound;
}

static bool check_rows_and_tree(const struct span_checker *c)
{
    struct fm_heap *heap = c->checker->view->heap;
    if ((c->spans.flags & FMX_SPANS_TREE) == 0) return check_rows(c, NULL);
    if (c->spans.count <= FMX_SPANS_SCAN || (c->spans.flags & FMX_SPANS_SORTED) != 0)
        return fails(c, "a segment tree that its spans do not need");
    struct fm_span *copies = fm_heap_zalloc(heap, c->spans.count, sizeof *copies);
    if (copies == NULL) return out_of_memory(c);
    const bool sound = check_rows(c, copies) && check_tree(c, copies);
    fm_heap_free(heap, copies, c->spans.count * sizeof *copies);
    return sound;
}

/* Checks that bits [from, to) of the spans are 0. */
static bool zeros(const struct fm_spans *s, uint64_t from, uint64_t to)
{
    for (; from < to; from++)
        if (fm_bits_get(s->data, from, 1) != 0) return false;
    return true;
}

bool fm_check_spans(const struct fm_checker *checker, uint64_t method, uint64_t *at, uint64_t *spans)
{
    struct span_checker c = {.checker = checker, .method = method};
    const struct fm_view *view = checker->view;
    struct fm_spans_tree tree;
    if (!fm_spans_open(view, method, &c.spans) || fm_field(&view->tables[FMX_METHODS], method, METHOD_SPANS) != *at)
        return fails(&c, "spans at an unexpected offset");
    if (!check_members(&c) || !check_parts(&c) || !check_rows_and_tree(&c)) return false;
    uint64_t end = c.spans.tree_at;
    if ((c.spans.flags & FMX_SPANS_TREE) != 0 && fm_spans_tree(view, &c.spans, &tree)) end = tree.end;
    if ((c.spans.flags & 0x80) != 0 || !zeros(&c.spans, end, (end + 7) / 8 * 8))
        return fails(&c, "reserved bits that are not zero");
    if ((c.spans.flags & FMX_SPANS_LONG) != 0 && !zeros(&c.spans, FMX_SPANS_LONG_BITS - 4, FMX_SPANS_LONG_BITS))
        return fails(&c, "reserved bits that are not zero");
    *at += (end + 7) / 8;
    *spans += c.spans.count;
    return true;
}
