/* Reads types that depend on generic parameters: members, packs, and opaque types ("some P"). Called by
 * swift_operators.c. */
#include "resolve/demangle/swift/swift_parts.h"

struct fm_swift_node *fm_swift_pop_associated_name(struct fm_swift_reader *r)
{
    struct fm_swift_node *protocol = fm_swift_pop_type(r);
    if (protocol != NULL && !fm_swift_is(fm_swift_child(protocol, 0), FM_SWIFT_PROTOCOL)) return NULL;
    struct fm_swift_node *name = fm_swift_make1(r, FM_SWIFT_ASSOCIATED_NAME, fm_swift_pop(r, FM_SWIFT_IDENTIFIER));
    return fm_swift_with_optional(r, name, protocol);
}

struct fm_swift_node *fm_swift_pop_associated_path(struct fm_swift_reader *r)
{
    struct fm_swift_node *path = fm_swift_make(r, FM_SWIFT_ASSOCIATED_PATH);
    bool is_first;
    do {
        is_first = fm_swift_pop(r, FM_SWIFT_FIRST_ELEMENT) != NULL;
        path = fm_swift_with(r, path, fm_swift_pop_associated_name(r));
        if (path == NULL) return NULL;
    } while (!is_first);
    fm_swift_reverse(path, 0);
    return path;
}

struct fm_swift_node *fm_swift_member(struct fm_swift_reader *r, struct fm_swift_node *base)
{
    struct fm_swift_node *name = fm_swift_pop_associated_name(r);
    base = base == NULL ? fm_swift_pop_type(r) : fm_swift_type(r, base);
    return fm_swift_type(r, fm_swift_make2(r, FM_SWIFT_MEMBER_TYPE, base, name));
}

struct fm_swift_node *fm_swift_member_path(struct fm_swift_reader *r, struct fm_swift_node *base)
{
    const struct fm_swift_node *path = fm_swift_pop_associated_path(r);
    base = base == NULL ? fm_swift_pop_type(r) : fm_swift_type(r, base);
    for (uint32_t i = 0; path != NULL && i < path->count; i++)
        base = fm_swift_type(r, fm_swift_make2(r, FM_SWIFT_MEMBER_TYPE, base, fm_swift_child(path, i)));
    return path != NULL ? base : NULL;
}

/* Reads the opaque type of another declaration, with its arguments. */
static struct fm_swift_node *opaque_type(struct fm_swift_reader *r)
{
    struct fm_swift_node *index = fm_swift_index_node(r), *levels, *conformances;
    if (!fm_swift_arguments(r, &levels, &conformances)) return NULL;
    struct fm_swift_node *opaque = fm_swift_make2(r, FM_SWIFT_OPAQUE_TYPE, fm_swift_pop_any(r), index);
    fm_swift_reverse(levels, 0);
    opaque = fm_swift_with_optional(r, fm_swift_with(r, opaque, levels), conformances);
    return fm_swift_substitutable(r, fm_swift_type(r, opaque));
}

static struct fm_swift_node *pack_expansion(struct fm_swift_reader *r)
{
    struct fm_swift_node *count = fm_swift_pop_type_child(r);
    struct fm_swift_node *pattern = fm_swift_pop_type_child(r);
    return fm_swift_type(r, fm_swift_make2(r, FM_SWIFT_PACK_EXPANSION, pattern, count));
}

static struct fm_swift_node *pack_element(struct fm_swift_reader *r)
{
    struct fm_swift_node *pack = fm_swift_pop_type_child(r);
    return fm_swift_type(r, fm_swift_make2(r, FM_SWIFT_PACK_ELEMENT, pack, fm_swift_index_node(r)));
}

static struct fm_swift_node *sil_pack(struct fm_swift_reader *r)
{
    const char letter = fm_swift_take(r);
    if (letter != 'd' && letter != 'i') return NULL;
    return fm_swift_type(r, fm_swift_pop_list(r, letter == 'd' ? FM_SWIFT_SIL_PACK_DIRECT : FM_SWIFT_SIL_PACK_INDIRECT,
                                              fm_swift_pop_type));
}

/* Reads a member of a generic parameter: the first one, or the one that is written next. */
static struct fm_swift_node *member_of_parameter(struct fm_swift_reader *r, bool is_first, bool is_path)
{
    struct fm_swift_node *base = is_first ? fm_swift_param(r, 0, 0) : fm_swift_generic_param(r);
    if (base == NULL) return NULL;
    return fm_swift_substitutable(r, is_path ? fm_swift_member_path(r, base) : fm_swift_member(r, base));
}

static struct fm_swift_node *associated_type(struct fm_swift_reader *r)
{
    struct fm_swift_node *name = fm_swift_pop(r, FM_SWIFT_IDENTIFIER);
    struct fm_swift_node *base = fm_swift_pop_type_child(r);
    return fm_swift_substitutable(r, fm_swift_type(r, fm_swift_make2(r, FM_SWIFT_ASSOCIATED_TYPE, base, name)));
}

struct fm_swift_node *fm_swift_archetype(struct fm_swift_reader *r)
{
    const char letter = fm_swift_take(r);
    switch (letter) {
    case 'a': return associated_type(r);
    case 'O': return fm_swift_make1(r, FM_SWIFT_OPAQUE_RETURN_OF, fm_swift_pop_context(r));
    case 'o': return opaque_type(r);
    case 'R':
        if (fm_swift_index(r) < 0) return NULL;
        return fm_swift_type(r, fm_swift_make(r, FM_SWIFT_OPAQUE_RETURN));
    case 'r': return fm_swift_type(r, fm_swift_make(r, FM_SWIFT_OPAQUE_RETURN));
    case 'x': return fm_swift_substitutable(r, fm_swift_member(r, NULL));
    case 'X': return fm_swift_substitutable(r, fm_swift_member_path(r, NULL));
    case 'y':
    case 'Y': return member_of_parameter(r, false, letter == 'Y');
    case 'z':
    case 'Z': return member_of_parameter(r, true, letter == 'Z');
    case 'p': return pack_expansion(r);
    case 'e': return pack_element(r);
    case 'P': return fm_swift_type(r, fm_swift_pop_list(r, FM_SWIFT_PACK, fm_swift_pop_type));
    case 'S': return sil_pack(r);
    default: return NULL;
    }
}
