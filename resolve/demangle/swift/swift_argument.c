/* Reads generic parameters, and pops generic arguments. Called by the readers of types and of generics. */
#include "resolve/demangle/swift/swift_parts.h"

struct fm_swift_node *fm_swift_param(struct fm_swift_reader *r, uint32_t depth, uint32_t index)
{
    return fm_swift_number(r->pool, FM_SWIFT_GENERIC_PARAM, (uint64_t)depth << 32 | index);
}

struct fm_swift_node *fm_swift_generic_param(struct fm_swift_reader *r)
{
    int32_t depth = 0;
    if (fm_swift_take_if(r, 'z')) return fm_swift_param(r, 0, 0);
    if (fm_swift_take_if(r, 's')) return fm_swift_make(r, FM_SWIFT_EXISTENTIAL_SELF);
    const bool has_depth = fm_swift_take_if(r, 'd');
    if (has_depth && (depth = fm_swift_index(r)) < 0) return NULL;
    const int32_t index = fm_swift_index(r);
    if (index < 0 || (has_depth ? depth : index) == INT32_MAX) return NULL; /* one more is too large, as in Swift */
    return has_depth ? fm_swift_param(r, (uint32_t)depth + 1, (uint32_t)index)
                     : fm_swift_param(r, 0, (uint32_t)index + 1);
}

/* Pops the types of one level. */
static struct fm_swift_node *level(struct fm_swift_reader *r)
{
    struct fm_swift_node *list = fm_swift_make(r, FM_SWIFT_TYPE_LIST), *type;
    while ((type = fm_swift_pop_type(r)) != NULL) list = fm_swift_with(r, list, type);
    if (list != NULL) fm_swift_reverse(list, 0);
    return list;
}

/* Pops retroactive conformances. *list: NULL if there is no conformance. false: no memory. */
static bool pop_retroactive(struct fm_swift_reader *r, struct fm_swift_node **list)
{
    struct fm_swift_node *conformance;
    *list = NULL;
    while ((conformance = fm_swift_pop(r, FM_SWIFT_RETROACTIVE)) != NULL) {
        if (*list == NULL) *list = fm_swift_make(r, FM_SWIFT_TYPE_LIST);
        if (!fm_swift_add(r->pool, *list, conformance)) return false;
    }
    if (*list != NULL) fm_swift_reverse(*list, 0);
    return true;
}

bool fm_swift_arguments(struct fm_swift_reader *r, struct fm_swift_node **levels, struct fm_swift_node **conformances)
{
    *levels = fm_swift_make(r, FM_SWIFT_TYPE_LIST);
    if (!pop_retroactive(r, conformances)) return false;
    for (;;) {
        if (!fm_swift_add(r->pool, *levels, level(r))) return false;
        if (fm_swift_pop(r, FM_SWIFT_EMPTY_LIST)) return true;
        if (!fm_swift_pop(r, FM_SWIFT_FIRST_ELEMENT)) return false;
    }
}
