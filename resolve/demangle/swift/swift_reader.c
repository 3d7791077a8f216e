/* The operations that all readers of Swift names share: numbers, the stack, and making nodes. */
#include "resolve/demangle/swift/swift_reader.h"

/* Maximum number of entries of the stack, and of the table of substitutions: one operator can push 2,048. */
#define MOST_ENTRIES ((size_t)65536)

int32_t fm_swift_natural(struct fm_swift_reader *r)
{
    int64_t value = -1;
    for (; fm_is_digit(fm_swift_peek(r)); r->at++) {
        value = (value < 0 ? 0 : value * 10) + (fm_swift_peek(r) - '0');
        if (value > INT32_MAX) return -1;
    }
    return (int32_t)value;
}

int32_t fm_swift_index(struct fm_swift_reader *r)
{
    if (fm_swift_take_if(r, '_')) return 0;
    const int32_t value = fm_swift_natural(r);
    return value >= 0 && value < INT32_MAX && fm_swift_take_if(r, '_') ? value + 1 : -1;
}

struct fm_swift_node *fm_swift_index_node(struct fm_swift_reader *r)
{
    const int32_t index = fm_swift_index(r);
    return index >= 0 ? fm_swift_number(r->pool, FM_SWIFT_NUMBER, (uint64_t)index) : NULL;
}

void fm_swift_list_init(struct fm_swift_list *list)
{
    list->nodes = list->local;
    list->count = 0;
    list->room = FM_SWIFT_LOCAL_NODES;
}

bool fm_swift_list_add(struct fm_swift_pool *pool, struct fm_swift_list *list, struct fm_swift_node *node)
{
    if (list->count == list->room) {
        if (list->count >= MOST_ENTRIES) return false;
        struct fm_swift_node **more = fm_swift_alloc(pool, 2 * list->room * sizeof *more);
        if (more == NULL) return false;
        memcpy(more, list->nodes, list->count * sizeof *more);
        list->nodes = more;
        list->room *= 2;
    }
    list->nodes[list->count++] = node;
    return true;
}

struct fm_swift_node *fm_swift_pop_type(struct fm_swift_reader *r) { return fm_swift_pop(r, FM_SWIFT_TYPE); }

struct fm_swift_node *fm_swift_pop_type_child(struct fm_swift_reader *r)
{
    struct fm_swift_node *type = fm_swift_pop_type(r);
    return type != NULL ? fm_swift_child(type, 0) : NULL;
}

struct fm_swift_node *fm_swift_pop_nominal(struct fm_swift_reader *r)
{
    struct fm_swift_node *child = fm_swift_pop_type_child(r);
    return fm_swift_has(child, FM_SWIFT_IS_NOMINAL) ? child : NULL;
}

struct fm_swift_node *fm_swift_pop_module(struct fm_swift_reader *r)
{
    struct fm_swift_node *name = fm_swift_pop(r, FM_SWIFT_IDENTIFIER);
    return name != NULL ? fm_swift_rename(r->pool, name, FM_SWIFT_MODULE) : fm_swift_pop(r, FM_SWIFT_MODULE);
}

struct fm_swift_node *fm_swift_pop_context(struct fm_swift_reader *r)
{
    if (fm_swift_is(fm_swift_top(r), FM_SWIFT_IDENTIFIER)) return fm_swift_pop_module(r);
    if (!fm_swift_is(fm_swift_top(r), FM_SWIFT_TYPE)) return fm_swift_pop_with(r, FM_SWIFT_IS_CONTEXT);
    struct fm_swift_node *child = fm_swift_pop_type_child(r);
    return fm_swift_has(child, FM_SWIFT_IS_CONTEXT) ? child : NULL;
}

struct fm_swift_node *fm_swift_pop_entity(struct fm_swift_reader *r)
{
    struct fm_swift_node *type = fm_swift_pop_type(r);
    return type != NULL ? type : fm_swift_pop_with(r, FM_SWIFT_IS_CONTEXT);
}

struct fm_swift_node *fm_swift_pop_protocol(struct fm_swift_reader *r)
{
    if (fm_swift_is(fm_swift_top(r), FM_SWIFT_TYPE)) {
        struct fm_swift_node *type = fm_swift_pop_type(r);
        return fm_swift_is(fm_swift_child(type, 0), FM_SWIFT_PROTOCOL) ? type : NULL;
    }
    struct fm_swift_node *name = fm_swift_pop_with(r, FM_SWIFT_IS_NAME);
    return fm_swift_type(r, fm_swift_make2(r, FM_SWIFT_PROTOCOL, name ? fm_swift_pop_context(r) : NULL, name));
}

struct fm_swift_node *fm_swift_pop_list(struct fm_swift_reader *r, enum fm_swift_kind kind,
                                        struct fm_swift_node *(*pop)(struct fm_swift_reader *))
{
    struct fm_swift_node *list = fm_swift_make(r, kind);
    if (list == NULL || fm_swift_pop(r, FM_SWIFT_EMPTY_LIST)) return list;
    bool is_first;
    do {
        is_first = fm_swift_pop(r, FM_SWIFT_FIRST_ELEMENT) != NULL;
        if (!fm_swift_add(r->pool, list, pop(r))) return NULL;
    } while (!is_first);
    fm_swift_reverse(list, 0);
    return list;
}

struct fm_swift_node *fm_swift_make1(struct fm_swift_reader *r, enum fm_swift_kind kind, struct fm_swift_node *a)
{
    return a != NULL ? fm_swift_with(r, fm_swift_make(r, kind), a) : NULL;
}

struct fm_swift_node *fm_swift_make2(struct fm_swift_reader *r, enum fm_swift_kind kind, struct fm_swift_node *a,
                                     struct fm_swift_node *b)
{
    return b != NULL ? fm_swift_with(r, fm_swift_make1(r, kind, a), b) : NULL;
}

struct fm_swift_node *fm_swift_make3(struct fm_swift_reader *r, enum fm_swift_kind kind, struct fm_swift_node *a,
                                     struct fm_swift_node *b, struct fm_swift_node *c)
{
    return c != NULL ? fm_swift_with(r, fm_swift_make2(r, kind, a, b), c) : NULL;
}
