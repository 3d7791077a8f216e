/* Reads metadata ("M"), witnesses and outlined functions ("W"), and value witnesses ("w"). Called by
 * swift_operators.c. */
#include "resolve/demangle/swift/swift_parts.h"

/* What an operator takes from the stack. */
enum operand { TYPE, ANY, PROTOCOL, CONFORMANCE, ENTITY, CONTEXT, MODULE, NOMINAL };
struct operator_row {
    char letter;
    unsigned char operand;
    enum fm_swift_kind kind;
};

static struct fm_swift_node *pop_operand(struct fm_swift_reader *r, unsigned operand)
{
    switch ((enum operand)operand) {
    case TYPE: return fm_swift_pop_type(r);
    case ANY: return fm_swift_pop_any(r);
    case PROTOCOL: return fm_swift_pop_protocol(r);
    case CONFORMANCE: return fm_swift_pop_conformance(r);
    case ENTITY: return fm_swift_pop_entity(r);
    case CONTEXT: return fm_swift_pop_context(r);
    case MODULE: return fm_swift_pop_module(r);
    case NOMINAL: return fm_swift_pop_nominal(r);
    }
    return NULL;
}

/* Reads an operator by a table. NULL: the letter is not in it, too. */
static struct fm_swift_node *by_table(struct fm_swift_reader *r, const struct operator_row *rows, size_t count,
                                      char letter)
{
    for (size_t i = 0; i < count; i++)
        if (rows[i].letter == letter) return fm_swift_make1(r, rows[i].kind, pop_operand(r, rows[i].operand));
    return NULL;
}

/* --- "M" --- */

static struct fm_swift_node *context_descriptor(struct fm_swift_reader *r)
{
    struct fm_swift_node *first;
    switch (fm_swift_take(r)) {
    case 'E': return fm_swift_make1(r, FM_SWIFT_EXTENSION_DESCRIPTOR, fm_swift_pop_context(r));
    case 'M': return fm_swift_make1(r, FM_SWIFT_MODULE_DESCRIPTOR, fm_swift_pop_module(r));
    case 'Y':
        first = fm_swift_pop_any(r);
        return fm_swift_make2(r, FM_SWIFT_ANONYMOUS_DESCRIPTOR, first ? fm_swift_pop_context(r) : NULL, first);
    case 'X': return fm_swift_make1(r, FM_SWIFT_ANONYMOUS_DESCRIPTOR, fm_swift_pop_context(r));
    case 'A':
        first = fm_swift_pop_associated_path(r);
        return fm_swift_make2(r, FM_SWIFT_ASSOCIATED_PARAM_REFERENCE, fm_swift_pop_type(r), first);
    default: return NULL;
    }
}

struct fm_swift_node *fm_swift_metadata(struct fm_swift_reader *r)
{
    static const struct operator_row rows[] = {
        {'a', TYPE, FM_SWIFT_METADATA_ACCESSOR},
        {'A', CONFORMANCE, FM_SWIFT_REFLECTION_ASSOCIATED},
        {'b', TYPE, FM_SWIFT_CANONICAL_ACCESSOR},
        {'B', TYPE, FM_SWIFT_REFLECTION_BUILTIN},
        {'c', CONFORMANCE, FM_SWIFT_CONFORMANCE_DESCRIPTOR},
        {'C', NOMINAL, FM_SWIFT_REFLECTION_SUPERCLASS},
        {'D', TYPE, FM_SWIFT_DEMANGLING_CACHE},
        {'d', TYPE, FM_SWIFT_DEMANGLING_CACHE}, /* 'd' and 'R': only Xcode's compiler writes them */
        {'R', TYPE, FM_SWIFT_NAME_REFERENCE},
        {'f', TYPE, FM_SWIFT_FULL_METADATA},
        {'F', TYPE, FM_SWIFT_REFLECTION_FIELD},
        {'g', ANY, FM_SWIFT_OPAQUE_ACCESSOR},
        {'h', ANY, FM_SWIFT_OPAQUE_ACCESSOR_IMPL},
        {'i', TYPE, FM_SWIFT_INSTANTIATION_FUNCTION},
        {'I', TYPE, FM_SWIFT_INSTANTIATION_CACHE},
        {'j', ANY, FM_SWIFT_OPAQUE_ACCESSOR_KEY},
        {'J', ANY, FM_SWIFT_NONCANONICAL_CACHE},
        {'k', ANY, FM_SWIFT_OPAQUE_ACCESSOR_VAR},
        {'K', ANY, FM_SWIFT_METADATA_CACHE},
        {'l', TYPE, FM_SWIFT_SINGLETON_CACHE},
        {'L', TYPE, FM_SWIFT_LAZY_CACHE},
        {'m', TYPE, FM_SWIFT_METACLASS},
        {'M', TYPE, FM_SWIFT_CANONICAL_METACLASS},
        {'n', TYPE, FM_SWIFT_NOMINAL_DESCRIPTOR},
        {'N', TYPE, FM_SWIFT_NONCANONICAL_METADATA},
        {'o', TYPE, FM_SWIFT_BASE_OFFSET},
        {'p', PROTOCOL, FM_SWIFT_PROTOCOL_DESCRIPTOR},
        {'P', TYPE, FM_SWIFT_METADATA_PATTERN},
        {'q', ANY, FM_SWIFT_UNIQUABLE},
        {'Q', ANY, FM_SWIFT_OPAQUE_DESCRIPTOR},
        {'r', TYPE, FM_SWIFT_COMPLETION_FUNCTION},
        {'s', TYPE, FM_SWIFT_OBJC_STUB},
        {'S', PROTOCOL, FM_SWIFT_SELF_CONFORMANCE},
        {'t', TYPE, FM_SWIFT_FULL_OBJC_STUB},
        {'u', TYPE, FM_SWIFT_METHOD_LOOKUP},
        {'U', TYPE, FM_SWIFT_OBJC_UPDATE},
        {'V', ENTITY, FM_SWIFT_PROPERTY_DESCRIPTOR},
        {'z', TYPE, FM_SWIFT_CACHING_TOKEN},
    };
    const char letter = fm_swift_take(r);
    if (letter == 'X') return context_descriptor(r);
    return by_table(r, rows, sizeof rows / sizeof *rows, letter);
}

/* --- "W" --- */

/* Reads "WO", an outlined operation on a type, whose generic signature may follow the type. Operations on one case of
 * an enum have the number of the case. */
static struct fm_swift_node *outlined(struct fm_swift_reader *r)
{
    enum fm_swift_kind kind;
    struct fm_swift_node *number = NULL;
    bool has_number = false;
    switch (fm_swift_take(r)) {
    case 'y': kind = FM_SWIFT_OUTLINED_COPY; break;
    case 'e': kind = FM_SWIFT_OUTLINED_CONSUME; break;
    case 'r': kind = FM_SWIFT_OUTLINED_RETAIN; break;
    case 's': kind = FM_SWIFT_OUTLINED_RELEASE; break;
    case 'b':
    case 'B': kind = FM_SWIFT_OUTLINED_INIT_TAKE; break;
    case 'c':
    case 'C': kind = FM_SWIFT_OUTLINED_INIT_COPY; break;
    case 'd':
    case 'D': kind = FM_SWIFT_OUTLINED_ASSIGN_TAKE; break;
    case 'f':
    case 'F': kind = FM_SWIFT_OUTLINED_ASSIGN_COPY; break;
    case 'h':
    case 'H': kind = FM_SWIFT_OUTLINED_DESTROY; break;
    case 'g': kind = FM_SWIFT_OUTLINED_GET_TAG; break;
    case 'i':
        kind = FM_SWIFT_OUTLINED_TAG_STORE;
        has_number = true;
        break;
    case 'j':
        kind = FM_SWIFT_OUTLINED_PROJECT;
        has_number = true;
        break;
    default: return NULL;
    }
    if (has_number && (number = fm_swift_index_node(r)) == NULL) return NULL;
    struct fm_swift_node *signature = fm_swift_pop(r, FM_SWIFT_SIGNATURE);
    struct fm_swift_node *node = fm_swift_make1(r, kind, fm_swift_pop_type(r));
    return fm_swift_with_optional(r, fm_swift_with_optional(r, node, signature), number);
}

/* Reads the initializer of global variables, which may initialise several at once. */
static struct fm_swift_node *once(struct fm_swift_reader *r, enum fm_swift_kind kind)
{
    struct fm_swift_node *names = fm_swift_make(r, FM_SWIFT_ONCE_LIST);
    while (names != NULL && fm_swift_pop(r, FM_SWIFT_FIRST_ELEMENT))
        names = fm_swift_with(r, names, fm_swift_pop_with(r, FM_SWIFT_IS_NAME));
    if (names == NULL) return NULL;
    fm_swift_reverse(names, 0);
    return fm_swift_make2(r, kind, fm_swift_pop_context(r), names);
}

/* Reads a witness table that is made lazily, of a type and a conformance. */
static struct fm_swift_node *lazy_table(struct fm_swift_reader *r, enum fm_swift_kind kind)
{
    struct fm_swift_node *conformance = fm_swift_pop_conformance(r);
    return fm_swift_make2(r, kind, fm_swift_pop_type(r), conformance);
}

/* Reads the accessor of a part of a conformance: of an associated type, its witness table, or a base protocol's. */
static struct fm_swift_node *part_accessor(struct fm_swift_reader *r, char letter)
{
    struct fm_swift_node *protocol, *part;
    if (letter == 't') {
        part = fm_swift_pop_with(r, FM_SWIFT_IS_NAME);
        return fm_swift_make2(r, FM_SWIFT_ASSOCIATED_METADATA_ACCESSOR, fm_swift_pop_conformance(r), part);
    }
    protocol = fm_swift_pop_type(r);
    if (letter == 'b') return fm_swift_make2(r, FM_SWIFT_BASE_WITNESS_ACCESSOR, fm_swift_pop_conformance(r), protocol);
    part = fm_swift_pop_associated_path(r);
    return fm_swift_make3(r, FM_SWIFT_ASSOCIATED_WITNESS_ACCESSOR, fm_swift_pop_conformance(r), part, protocol);
}

struct fm_swift_node *fm_swift_witness(struct fm_swift_reader *r)
{
    static const struct operator_row rows[] = {
        {'C', ENTITY, FM_SWIFT_ENUM_CASE},
        {'V', TYPE, FM_SWIFT_VALUE_WITNESS_TABLE},
        {'S', PROTOCOL, FM_SWIFT_SELF_WITNESS_TABLE},
        {'P', CONFORMANCE, FM_SWIFT_WITNESS_TABLE},
        {'p', CONFORMANCE, FM_SWIFT_WITNESS_TABLE_PATTERN},
        {'G', CONFORMANCE, FM_SWIFT_GENERIC_WITNESS_TABLE},
        {'I', CONFORMANCE, FM_SWIFT_WITNESS_TABLE_INSTANTIATION},
        {'r', CONFORMANCE, FM_SWIFT_RESILIENT_WITNESS_TABLE},
        {'a', CONFORMANCE, FM_SWIFT_WITNESS_TABLE_ACCESSOR},
    };
    const char letter = fm_swift_take(r);
    switch (letter) {
    case 'v':
        if (fm_swift_take_if(r, 'd')) return fm_swift_make1(r, FM_SWIFT_DIRECT_FIELD_OFFSET, fm_swift_pop_entity(r));
        if (!fm_swift_take_if(r, 'i')) return NULL;
        return fm_swift_make1(r, FM_SWIFT_INDIRECT_FIELD_OFFSET, fm_swift_pop_entity(r));
    case 'l': return lazy_table(r, FM_SWIFT_LAZY_WITNESS_ACCESSOR);
    case 'L': return lazy_table(r, FM_SWIFT_LAZY_WITNESS_CACHE);
    case 't':
    case 'T':
    case 'b': return part_accessor(r, letter);
    case 'O': return outlined(r);
    case 'Z': return once(r, FM_SWIFT_ONCE_FUNCTION);
    case 'z': return once(r, FM_SWIFT_ONCE_TOKEN);
    case 'J': return fm_swift_autodiff_witness(r);
    default: return by_table(r, rows, sizeof rows / sizeof *rows, letter);
    }
}

/* --- "w" --- */

struct fm_swift_node *fm_swift_value_witness(struct fm_swift_reader *r)
{
    static const struct {
        char letters[3];
        const char *name;
    } rows[] = {
        {"al", "allocateBuffer"},
        {"ca", "assignWithCopy"},
        {"ta", "assignWithTake"},
        {"de", "deallocateBuffer"},
        {"xx", "destroy"},
        {"XX", "destroyBuffer"},
        {"Xx", "destroyArray"},
        {"CP", "initializeBufferWithCopyOfBuffer"},
        {"Cp", "initializeBufferWithCopy"},
        {"cp", "initializeWithCopy"},
        {"TK", "initializeBufferWithTakeOfBuffer"},
        {"Tk", "initializeBufferWithTake"},
        {"tk", "initializeWithTake"},
        {"pr", "projectBuffer"},
        {"Cc", "initializeArrayWithCopy"},
        {"Tt", "initializeArrayWithTakeFrontToBack"},
        {"tT", "initializeArrayWithTakeBackToFront"},
        {"xs", "storeExtraInhabitant"},
        {"xg", "getExtraInhabitantIndex"},
        {"ug", "getEnumTag"},
        {"up", "destructiveProjectEnumData"},
        {"ui", "destructiveInjectEnumTag"},
        {"et", "getEnumTagSinglePayload"},
        {"st", "storeEnumTagSinglePayload"},
    };
    const char first = fm_swift_take(r), second = fm_swift_take(r);
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        if (rows[i].letters[0] != first || rows[i].letters[1] != second) continue;
        struct fm_swift_node *name = fm_swift_text(r->pool, FM_SWIFT_IDENTIFIER, framemap_str_of(rows[i].name));
        return fm_swift_make2(r, FM_SWIFT_VALUE_WITNESS, name, fm_swift_pop_type(r));
    }
    return NULL;
}
