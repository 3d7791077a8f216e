/* Reads a Swift name, operator by operator. Called by swift_demangle.c and, for names within names, by the printers. */
#include "resolve/demangle/swift/swift_operators.h"

#include "resolve/demangle/swift/swift_parts.h"

/* Reads one operator and returns its node. */
static struct fm_swift_node *operator_node(struct fm_swift_reader *r)
{
    if (fm_is_digit(fm_swift_peek(r))) return fm_swift_identifier(r);
    switch (fm_swift_take(r)) {
    case 'A': return fm_swift_substitution(r);
    case 'B': return fm_swift_builtin(r);
    case 'C': return fm_swift_nominal(r, FM_SWIFT_CLASS);
    case 'D': return fm_swift_type_mangling(r);
    case 'E': return fm_swift_extension(r);
    case 'F': return fm_swift_function(r);
    case 'G': return fm_swift_bound_generic(r);
    case 'H': return fm_swift_run_time_conformance(r);
    case 'I': return fm_swift_impl_function(r);
    case 'K': return fm_swift_make(r, FM_SWIFT_THROWS);
    case 'L': return fm_swift_local_name(r);
    case 'M': return fm_swift_metadata(r);
    case 'N': return fm_swift_make1(r, FM_SWIFT_METADATA, fm_swift_pop_type(r));
    case 'O': return fm_swift_nominal(r, FM_SWIFT_ENUM);
    case 'P': return fm_swift_nominal(r, FM_SWIFT_PROTOCOL);
    case 'Q': return fm_swift_archetype(r);
    case 'R': return fm_swift_requirement(r);
    case 'S': return fm_swift_standard(r);
    case 'T': return fm_swift_thunk(r);
    case 'V': return fm_swift_nominal(r, FM_SWIFT_STRUCTURE);
    case 'W': return fm_swift_witness(r);
    case 'X': return fm_swift_special_type(r);
    case 'Y': return fm_swift_annotation(r);
    case 'Z': return fm_swift_make1(r, FM_SWIFT_STATIC, fm_swift_pop_entity(r));
    case 'a': return fm_swift_nominal(r, FM_SWIFT_TYPE_ALIAS);
    case 'c': return fm_swift_function_type(r, FM_SWIFT_FUNCTION_TYPE, false);
    case 'd': return fm_swift_make(r, FM_SWIFT_VARIADIC);
    case 'f': return fm_swift_function_like(r);
    case 'g': return fm_swift_retroactive(r);
    case 'h': return fm_swift_wrap(r, FM_SWIFT_SHARED, false);
    case 'i': return fm_swift_subscript(r);
    case 'l': return fm_swift_signature(r, false);
    case 'm': return fm_swift_wrap(r, FM_SWIFT_METATYPE, true);
    case 'n': return fm_swift_wrap(r, FM_SWIFT_OWNED, false);
    case 'o': return fm_swift_operator_name(r);
    case 'p': return fm_swift_protocol_list(r);
    case 'q': return fm_swift_type(r, fm_swift_generic_param(r));
    case 'r': return fm_swift_signature(r, true);
    case 's': return fm_swift_text(r->pool, FM_SWIFT_MODULE, FM_STR("Swift"));
    case 't': return fm_swift_tuple(r);
    case 'u': return fm_swift_generic_type(r);
    case 'v': return fm_swift_variable(r);
    case 'w': return fm_swift_value_witness(r);
    case 'x': return fm_swift_type(r, fm_swift_param(r, 0, 0));
    case 'y': return fm_swift_make(r, FM_SWIFT_EMPTY_LIST);
    case 'z': return fm_swift_wrap(r, FM_SWIFT_INOUT, false);
    case '_': return fm_swift_make(r, FM_SWIFT_FIRST_ELEMENT);
    case '$': return fm_swift_integer(r);
    default: return NULL;
    }
}

/* Reads all operators. From a dot on, the text is a suffix that LLVM added. */
static bool read_operators(struct fm_swift_reader *r)
{
    while (r->at < r->text.size) {
        struct fm_swift_node *node;
        if (fm_swift_peek(r) == '.') {
            node = fm_swift_text(r->pool, FM_SWIFT_SUFFIX, fm_str_from(r->text, r->at));
            r->at = r->text.size;
        } else {
            node = operator_node(r);
        }
        if (node == NULL || !fm_swift_push(r, node)) return false;
    }
    return true;
}

bool fm_swift_reader_init(struct fm_swift_reader *r, struct fm_swift_pool *pool, framemap_str name)
{
    static const framemap_str prefixes[] = {
        FM_STR_INIT("$s"), FM_STR_INIT("_$s"), FM_STR_INIT("$S"),  FM_STR_INIT("_$S"),
        FM_STR_INIT("$e"), FM_STR_INIT("_$e"), FM_STR_INIT("_T0"), FM_STR_INIT("@__swiftmacro_")};
    size_t i = 0;
    while (i < sizeof prefixes / sizeof *prefixes && !fm_str_starts(name, prefixes[i])) i++;
    if (i == sizeof prefixes / sizeof *prefixes) return false;
    r->text = fm_str_from(name, prefixes[i].size);
    r->at = 0;
    r->has_old_functions = name.data[1] == 'T';
    r->pool = pool;
    r->word_count = 0;
    fm_swift_list_init(&r->stack);
    fm_swift_list_init(&r->substitutions);
    return true;
}

struct fm_swift_node *fm_swift_read(struct fm_swift_reader *r)
{
    if (!read_operators(r)) return NULL;
    struct fm_swift_node *global = fm_swift_make(r, FM_SWIFT_GLOBAL), *parent = global, *attribute;
    struct fm_swift_node *suffix = fm_swift_pop(r, FM_SWIFT_SUFFIX);
    while ((attribute = fm_swift_pop_with(r, FM_SWIFT_IS_ATTRIBUTE)) != NULL) {
        if (!fm_swift_add(r->pool, parent, attribute)) return NULL;
        if (attribute->kind == FM_SWIFT_PARTIAL_APPLY || attribute->kind == FM_SWIFT_PARTIAL_APPLY_OBJC)
            parent = attribute;
    }
    for (size_t i = 0; i < r->stack.count; i++)
        if (!fm_swift_add(r->pool, parent, fm_swift_unwrap(r->stack.nodes[i]))) return NULL;
    return fm_swift_with_optional(r, global, suffix);
}
