/* Reads "T": thunks, attributes of functions, descriptors of requirements, key paths. Called by swift_operators.c. */
#include "resolve/demangle/swift/swift_parts.h"

/* Returns the kind of an attribute that is one letter; FM_SWIFT_KIND_COUNT: it is not one. */
static enum fm_swift_kind attribute_kind(char letter)
{
    switch (letter) {
    case 'o': return FM_SWIFT_OBJC;
    case 'O': return FM_SWIFT_NON_OBJC;
    case 'D': return FM_SWIFT_DYNAMIC;
    case 'd': return FM_SWIFT_DIRECT_METHOD;
    case 'E': return FM_SWIFT_DISTRIBUTED_THUNK;
    case 'F': return FM_SWIFT_DISTRIBUTED_ACCESSOR;
    case 'a': return FM_SWIFT_PARTIAL_APPLY_OBJC;
    case 'A': return FM_SWIFT_PARTIAL_APPLY;
    case 'm': return FM_SWIFT_MERGED;
    case 'X': return FM_SWIFT_REPLACEABLE_VAR;
    case 'x': return FM_SWIFT_REPLACEABLE_KEY;
    case 'I': return FM_SWIFT_REPLACEABLE_IMPL;
    case 'u': return FM_SWIFT_ASYNC_POINTER;
    default: return FM_SWIFT_KIND_COUNT;
    }
}

static struct fm_swift_node *two_letter_attribute(struct fm_swift_reader *r)
{
    switch (fm_swift_take(r)) {
    case 'b': return fm_swift_make(r, FM_SWIFT_BACK_DEPLOYMENT_THUNK);
    case 'B': return fm_swift_make(r, FM_SWIFT_BACK_DEPLOYMENT_FALLBACK);
    case 'c': return fm_swift_make(r, FM_SWIFT_CORO_POINTER);
    case 'd': return fm_swift_make(r, FM_SWIFT_DEFAULT_OVERRIDE);
    case 'S': return fm_swift_make(r, FM_SWIFT_HAS_SYMBOL);
    default: return NULL;
    }
}

static struct fm_swift_node *outlined_variable(struct fm_swift_reader *r)
{
    const int32_t index = fm_swift_index(r);
    if (index < 0) return NULL;
    const enum fm_swift_kind kind = fm_swift_take_if(r, 'r') ? FM_SWIFT_OUTLINED_OBJECT : FM_SWIFT_OUTLINED_VARIABLE;
    return fm_swift_number(r->pool, kind, (uint64_t)index);
}

/* Reads the parameters of a bridged method: a letter for the method, one for each argument, and an underscore. */
static struct fm_swift_node *outlined_method(struct fm_swift_reader *r)
{
    const size_t begin = r->at;
    const char method = fm_swift_take(r);
    if (method != 'o' && method != 'p' && method != 'a' && method != 'm') return NULL;
    while (fm_swift_peek(r) == 'n' || fm_swift_peek(r) == 'b' || fm_swift_peek(r) == 'g') r->at++;
    const framemap_str text = fm_str_slice(r->text, begin, r->at);
    return fm_swift_take_if(r, '_') ? fm_swift_text(r->pool, FM_SWIFT_OUTLINED_METHOD, text) : NULL;
}

static struct fm_swift_node *completion_handler(struct fm_swift_reader *r, enum fm_swift_kind kind)
{
    struct fm_swift_node *mode = fm_swift_index_node(r);
    struct fm_swift_node *signature = fm_swift_pop(r, FM_SWIFT_SIGNATURE);
    struct fm_swift_node *result = fm_swift_pop_type(r), *block = fm_swift_pop_type(r);
    return fm_swift_with_optional(r, fm_swift_make3(r, kind, block, result, mode), signature);
}

/* Reads a thunk that converts a function to another way of passing arguments. Its children are the signature, the type
 * of self, and the types of both functions, those in the order of the stack. */
static struct fm_swift_node *reabstraction(struct fm_swift_reader *r, char letter)
{
    const enum fm_swift_kind kind = letter == 'R'   ? FM_SWIFT_REABSTRACTION_HELPER
                                    : letter == 'y' ? FM_SWIFT_REABSTRACTION_SELF
                                                    : FM_SWIFT_REABSTRACTION_THUNK;
    struct fm_swift_node *thunk = fm_swift_make(r, kind);
    thunk = fm_swift_with_optional(r, thunk, fm_swift_pop(r, FM_SWIFT_SIGNATURE));
    if (letter == 'y') thunk = fm_swift_with(r, thunk, fm_swift_pop_type(r));
    thunk = fm_swift_with(r, thunk, fm_swift_pop_type(r));
    return fm_swift_with(r, thunk, fm_swift_pop_type(r));
}

/* Pops types and appends them to a node in the order of the name. */
static struct fm_swift_node *with_types(struct fm_swift_reader *r, struct fm_swift_node *node)
{
    struct fm_swift_node *type;
    if (node == NULL) return NULL;
    const uint32_t first = node->count;
    while ((type = fm_swift_pop_type(r)) != NULL)
        if (!fm_swift_add(r->pool, node, type)) return NULL;
    fm_swift_reverse(node, first);
    return node;
}

/* Reads "K" and "k": the getter or setter of a component, or a method that is applied or not. */
static struct fm_swift_node *key_path(struct fm_swift_reader *r, char letter)
{
    enum fm_swift_kind kind = letter == 'K' ? FM_SWIFT_KEY_PATH_GETTER : FM_SWIFT_KEY_PATH_SETTER;
    const framemap_str rest = fm_str_from(r->text, r->at);
    if (fm_str_starts(rest, FM_STR("mu"))) kind = FM_SWIFT_KEY_PATH_UNAPPLIED;
    if (fm_str_starts(rest, FM_STR("MA"))) kind = FM_SWIFT_KEY_PATH_APPLIED;
    if (kind == FM_SWIFT_KEY_PATH_UNAPPLIED || kind == FM_SWIFT_KEY_PATH_APPLIED) r->at += 2;
    const bool is_serialized = fm_swift_take_if(r, 'q');
    struct fm_swift_node *types = with_types(r, fm_swift_make(r, FM_SWIFT_TYPE_LIST));
    if (types == NULL || types->count == 0) return NULL;
    struct fm_swift_node *signature = fm_swift_pop(r, FM_SWIFT_SIGNATURE);
    struct fm_swift_node *node = fm_swift_with_optional(r, fm_swift_make1(r, kind, fm_swift_pop_any(r)), signature);
    for (uint32_t i = 0; i < types->count; i++) node = fm_swift_with(r, node, fm_swift_child(types, i));
    return is_serialized ? fm_swift_with(r, node, fm_swift_make(r, FM_SWIFT_SERIALIZED)) : node;
}

/* Reads "H" and "h", the comparison and the hash of the indexes of a key path: their types, and a signature. */
static struct fm_swift_node *key_path_index(struct fm_swift_reader *r, enum fm_swift_kind kind)
{
    const bool is_serialized = fm_swift_take_if(r, 'q');
    if (fm_swift_top(r) == NULL) return NULL;
    struct fm_swift_node *signature = fm_swift_pop(r, FM_SWIFT_SIGNATURE);
    struct fm_swift_node *node = fm_swift_with_optional(r, with_types(r, fm_swift_make(r, kind)), signature);
    if (fm_swift_top(r) != NULL) return NULL;
    return is_serialized ? fm_swift_with(r, node, fm_swift_make(r, FM_SWIFT_SERIALIZED)) : node;
}

/* Reads the conformance of an associated type that a protocol requires, or provides by default. */
static struct fm_swift_node *associated_conformance(struct fm_swift_reader *r, enum fm_swift_kind kind)
{
    struct fm_swift_node *requirement = fm_swift_pop_protocol(r);
    struct fm_swift_node *path = fm_swift_pop_associated_path(r);
    return fm_swift_make3(r, kind, fm_swift_pop_type(r), path, requirement);
}

/* Reads what belongs to the requirements of protocols. */
static struct fm_swift_node *requirement(struct fm_swift_reader *r, char letter)
{
    struct fm_swift_node *protocol;
    switch (letter) {
    case 'l': return fm_swift_make1(r, FM_SWIFT_ASSOCIATED_TYPE_DESCRIPTOR, fm_swift_pop_associated_name(r));
    case 'L': return fm_swift_make1(r, FM_SWIFT_REQUIREMENTS_BASE, fm_swift_pop_protocol(r));
    case 'M': return fm_swift_make1(r, FM_SWIFT_DEFAULT_ASSOCIATED_ACCESSOR, fm_swift_pop_associated_name(r));
    case 'n': return associated_conformance(r, FM_SWIFT_ASSOCIATED_CONFORMANCE);
    case 'N': return associated_conformance(r, FM_SWIFT_DEFAULT_CONFORMANCE_ACCESSOR);
    case 'b':
        protocol = fm_swift_pop_protocol(r);
        return fm_swift_make2(r, FM_SWIFT_BASE_CONFORMANCE, fm_swift_pop_type(r), protocol);
    default: return NULL;
    }
}

/* Reads thunks of functions: dispatch, witnesses, vtables. */
static struct fm_swift_node *function_thunk(struct fm_swift_reader *r, char letter)
{
    struct fm_swift_node *first;
    switch (letter) {
    case 'c': return fm_swift_make1(r, FM_SWIFT_CURRY_THUNK, fm_swift_pop_entity(r));
    case 'j': return fm_swift_make1(r, FM_SWIFT_DISPATCH_THUNK, fm_swift_pop_entity(r));
    case 'q': return fm_swift_make1(r, FM_SWIFT_METHOD_DESCRIPTOR, fm_swift_pop_entity(r));
    case 'S': return fm_swift_make1(r, FM_SWIFT_SELF_WITNESS, fm_swift_pop_entity(r));
    case 'C': return fm_swift_make1(r, FM_SWIFT_COROUTINE_PROTOTYPE, fm_swift_pop_type(r));
    case 'T':
        return fm_swift_take_if(r, 'I') ? fm_swift_make1(r, FM_SWIFT_IDENTITY_THUNK, fm_swift_pop_entity(r)) : NULL;
    case 'V':
        first = fm_swift_pop_entity(r);
        return fm_swift_make2(r, FM_SWIFT_VTABLE_THUNK, fm_swift_pop_entity(r), first);
    case 'W':
        first = fm_swift_pop_entity(r);
        return fm_swift_make2(r, FM_SWIFT_PROTOCOL_WITNESS, fm_swift_pop_conformance(r), first);
    case 'U':
        first = fm_swift_pop_type(r);
        return fm_swift_make2(r, FM_SWIFT_REABSTRACTION_ACTOR, first ? fm_swift_pop_any(r) : NULL, first);
    default: return NULL;
    }
}

struct fm_swift_node *fm_swift_thunk(struct fm_swift_reader *r)
{
    const char letter = fm_swift_take(r);
    const enum fm_swift_kind attribute = attribute_kind(letter);
    if (attribute != FM_SWIFT_KIND_COUNT) return fm_swift_make(r, attribute);
    switch (letter) {
    case 'Q': return fm_swift_make1(r, FM_SWIFT_ASYNC_AWAIT, fm_swift_index_node(r));
    case 'Y': return fm_swift_make1(r, FM_SWIFT_ASYNC_SUSPEND, fm_swift_index_node(r));
    case 'w': return two_letter_attribute(r);
    case 'v': return outlined_variable(r);
    case 'e': return outlined_method(r);
    case 'z': return completion_handler(r, FM_SWIFT_COMPLETION_HANDLER);
    case 'Z': return completion_handler(r, FM_SWIFT_CHECKED_COMPLETION_HANDLER);
    case 'R':
    case 'r':
    case 'y': return reabstraction(r, letter);
    case 'K':
    case 'k': return key_path(r, letter);
    case 'H': return key_path_index(r, FM_SWIFT_KEY_PATH_EQUALS);
    case 'h': return key_path_index(r, FM_SWIFT_KEY_PATH_HASH);
    case 'J': return fm_swift_autodiff(r);
    case 'g':
    case 'G':
    case 'B':
    case 't':
    case 's':
    case 'i':
    case 'p':
    case 'P':
    case 'f': return fm_swift_specialization(r, letter);
    case 'l':
    case 'L':
    case 'M':
    case 'n':
    case 'N':
    case 'b': return requirement(r, letter);
    default: return function_thunk(r, letter);
    }
}
