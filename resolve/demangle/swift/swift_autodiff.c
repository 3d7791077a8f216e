/* Reads derivatives of functions: "TJ" functions and thunks, "WJ" witnesses. Called by the readers of thunks and
 * witnesses. */
#include "resolve/demangle/swift/swift_parts.h"

/* Moves all nodes of the stack into a node, in the order of the name. */
static struct fm_swift_node *take_all(struct fm_swift_reader *r, enum fm_swift_kind kind)
{
    struct fm_swift_node *node = fm_swift_make(r, kind), *part;
    while ((part = fm_swift_pop_any(r)) != NULL) node = fm_swift_with(r, node, part);
    if (node != NULL) fm_swift_reverse(node, 0);
    return node;
}

static struct fm_swift_node *kind_node(struct fm_swift_reader *r)
{
    const char *words = NULL;
    switch (fm_swift_take(r)) {
    case 'f': words = "forward-mode derivative"; break;
    case 'r': words = "reverse-mode derivative"; break;
    case 'd': words = "differential"; break;
    case 'p': words = "pullback"; break;
    default: return NULL;
    }
    return fm_swift_text(r->pool, FM_SWIFT_AUTODIFF_KIND, framemap_str_of(words));
}

/* Reads a set of indexes, a letter for each: "S" is in the set, "U" is not. */
static struct fm_swift_node *subset(struct fm_swift_reader *r)
{
    const size_t begin = r->at;
    while (fm_swift_peek(r) == 'S' || fm_swift_peek(r) == 'U') r->at++;
    if (r->at == begin) return NULL;
    return fm_swift_text(r->pool, FM_SWIFT_INDEX_SUBSET, fm_str_slice(r->text, begin, r->at));
}

/* Appends a subset that ends with a letter. */
static struct fm_swift_node *with_subset(struct fm_swift_reader *r, struct fm_swift_node *node, char end)
{
    node = fm_swift_with(r, node, subset(r));
    return node != NULL && fm_swift_take_if(r, end) ? node : NULL;
}

static struct fm_swift_node *with_subsets(struct fm_swift_reader *r, struct fm_swift_node *node)
{
    return with_subset(r, with_subset(r, node, 'p'), 'r');
}

static struct fm_swift_node *reordering_thunk(struct fm_swift_reader *r)
{
    struct fm_swift_node *signature = fm_swift_pop(r, FM_SWIFT_SIGNATURE);
    struct fm_swift_node *to = fm_swift_pop_type(r), *from = fm_swift_pop_type(r);
    struct fm_swift_node *node = fm_swift_make2(r, FM_SWIFT_AUTODIFF_REORDERING, from, to);
    return fm_swift_with(r, fm_swift_with_optional(r, node, signature), kind_node(r));
}

struct fm_swift_node *fm_swift_autodiff(struct fm_swift_reader *r)
{
    struct fm_swift_node *node;
    if (fm_swift_take_if(r, 'O')) return reordering_thunk(r);
    if (fm_swift_take_if(r, 'S')) {
        node = take_all(r, FM_SWIFT_AUTODIFF_SUBSET);
        return with_subset(r, with_subsets(r, fm_swift_with(r, node, kind_node(r))), 'P');
    }
    node = take_all(r, fm_swift_take_if(r, 'V') ? FM_SWIFT_AUTODIFF_VTABLE : FM_SWIFT_AUTODIFF_FUNCTION);
    return with_subsets(r, fm_swift_with(r, node, kind_node(r)));
}

struct fm_swift_node *fm_swift_autodiff_witness(struct fm_swift_reader *r)
{
    struct fm_swift_node *signature = fm_swift_pop(r, FM_SWIFT_SIGNATURE);
    struct fm_swift_node *node = take_all(r, FM_SWIFT_AUTODIFF_WITNESS);
    const char *words = NULL;
    switch (fm_swift_take(r)) {
    case 'f': words = "forward-mode"; break;
    case 'r': words = "reverse-mode"; break;
    case 'd': words = "normal"; break;
    case 'l': words = "linear"; break;
    default: return NULL;
    }
    node = fm_swift_with(r, node, fm_swift_text(r->pool, FM_SWIFT_AUTODIFF_KIND, framemap_str_of(words)));
    return fm_swift_with_optional(r, with_subsets(r, node), signature);
}
