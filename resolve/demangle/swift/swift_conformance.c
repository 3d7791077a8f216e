/* Reads conformances of types to protocols. Called by swift_operators.c and by the readers of witnesses and thunks. */
#include "resolve/demangle/swift/swift_parts.h"

struct fm_swift_node *fm_swift_pop_conformance(struct fm_swift_reader *r)
{
    struct fm_swift_node *signature = fm_swift_pop(r, FM_SWIFT_SIGNATURE);
    struct fm_swift_node *module = fm_swift_pop_module(r);
    struct fm_swift_node *protocol = fm_swift_pop_protocol(r);
    struct fm_swift_node *type = fm_swift_pop_type(r), *name = NULL;
    if (type == NULL) { /* the storage of a property behavior, which has a name */
        name = fm_swift_pop(r, FM_SWIFT_IDENTIFIER);
        type = fm_swift_pop_type(r);
    }
    if (signature != NULL) type = fm_swift_type(r, fm_swift_make2(r, FM_SWIFT_GENERIC_TYPE, signature, type));
    return fm_swift_with_optional(r, fm_swift_make3(r, FM_SWIFT_PROTOCOL_CONFORMANCE, type, protocol, module), name);
}

static struct fm_swift_node *pop_run_time_conformance(struct fm_swift_reader *r)
{
    return fm_swift_pop_with(r, FM_SWIFT_IS_CONFORMANCE);
}

static struct fm_swift_node *pop_conformances(struct fm_swift_reader *r)
{
    return fm_swift_pop_list(r, FM_SWIFT_CONFORMANCE_LIST, pop_run_time_conformance);
}

struct fm_swift_node *fm_swift_retroactive(struct fm_swift_reader *r)
{
    struct fm_swift_node *index = fm_swift_index_node(r);
    return fm_swift_make2(r, FM_SWIFT_RETROACTIVE, index, pop_run_time_conformance(r));
}

static struct fm_swift_node *concrete(struct fm_swift_reader *r)
{
    struct fm_swift_node *conditions = pop_conformances(r);
    struct fm_swift_node *reference = fm_swift_pop(r, FM_SWIFT_REFERENCE_TYPE_MODULE);
    if (reference == NULL) reference = fm_swift_pop(r, FM_SWIFT_REFERENCE_PROTOCOL_MODULE);
    if (reference == NULL) {
        struct fm_swift_node *module = fm_swift_pop_module(r);
        reference = fm_swift_make2(r, FM_SWIFT_REFERENCE_OTHER_MODULE, fm_swift_pop_protocol(r), module);
    }
    return fm_swift_make3(r, FM_SWIFT_CONCRETE_CONFORMANCE, fm_swift_pop_type(r), reference, conditions);
}

/* Reads the place of a conformance among the requirements: 1 is unknown, 2 is the first one. */
static struct fm_swift_node *place(struct fm_swift_reader *r)
{
    const int32_t index = fm_swift_index(r);
    if (index <= 0) return NULL;
    if (index == 1) return fm_swift_make(r, FM_SWIFT_UNKNOWN_INDEX);
    return fm_swift_number(r->pool, FM_SWIFT_NUMBER, (uint64_t)index - 2);
}

/* Reads a conformance of a generic parameter, or one that follows from such a conformance. */
static struct fm_swift_node *dependent(struct fm_swift_reader *r, enum fm_swift_kind kind)
{
    struct fm_swift_node *index = place(r);
    struct fm_swift_node *to = fm_swift_pop_protocol(r), *from;
    if (kind == FM_SWIFT_CONFORMANCE_ASSOCIATED)
        to = fm_swift_make2(r, FM_SWIFT_ASSOCIATED_REFERENCE, fm_swift_pop_type(r), to);
    if (kind == FM_SWIFT_CONFORMANCE_ROOT)
        from = fm_swift_pop_type(r);
    else
        from = fm_swift_pop_with(r, FM_SWIFT_IS_DEPENDENT);
    return fm_swift_make3(r, kind, from, to, index);
}

static struct fm_swift_node *opaque(struct fm_swift_reader *r)
{
    struct fm_swift_node *type = fm_swift_pop_type(r);
    return fm_swift_make2(r, FM_SWIFT_CONFORMANCE_OPAQUE, fm_swift_pop_with(r, FM_SWIFT_IS_DEPENDENT), type);
}

struct fm_swift_node *fm_swift_run_time_conformance(struct fm_swift_reader *r)
{
    switch (fm_swift_take(r)) {
    case 'A': return dependent(r, FM_SWIFT_CONFORMANCE_ASSOCIATED);
    case 'C': return concrete(r);
    case 'D': return dependent(r, FM_SWIFT_CONFORMANCE_ROOT);
    case 'I': return dependent(r, FM_SWIFT_CONFORMANCE_INHERITED);
    case 'O': return opaque(r);
    case 'P': return fm_swift_make1(r, FM_SWIFT_REFERENCE_TYPE_MODULE, fm_swift_pop_protocol(r));
    case 'p': return fm_swift_make1(r, FM_SWIFT_REFERENCE_PROTOCOL_MODULE, fm_swift_pop_protocol(r));
    case 'X': return fm_swift_make1(r, FM_SWIFT_PACK_CONFORMANCE, pop_conformances(r));
    case 'c': return fm_swift_make1(r, FM_SWIFT_CONFORMANCE_RECORD, fm_swift_pop_conformance(r));
    case 'n': return fm_swift_make1(r, FM_SWIFT_NOMINAL_RECORD, fm_swift_pop_type(r));
    case 'o': return fm_swift_make1(r, FM_SWIFT_OPAQUE_RECORD, fm_swift_pop_any(r));
    case 'r': return fm_swift_make1(r, FM_SWIFT_PROTOCOL_RECORD, fm_swift_pop_protocol(r));
    case 'F': return fm_swift_make(r, FM_SWIFT_ACCESSIBLE_RECORD);
    default: return NULL;
    }
}
