/* Reads types that are not functions: built-in types, nominal types, tuples, existentials, references, boxes. Called by
 * swift_operators.c. */
#include "resolve/demangle/swift/swift_parts.h"

#define MOST_BITS 4096 /* maximum number of bits of a built-in number, and of elements of a vector, as in Swift */

/* Built-in types that are one letter, by the letter. */
static const char *builtin_name(char letter)
{
    switch (letter) {
    case 'A': return "ImplicitActor";
    case 'b': return "BridgeObject";
    case 'B': return "UnsafeValueBuffer";
    case 'c': return "RawUnsafeContinuation";
    case 'D': return "DefaultActorStorage";
    case 'd': return "NonDefaultDistributedActorStorage";
    case 'e': return "Executor";
    case 'I': return "IntLiteral";
    case 'j': return "Job";
    case 'O': return "UnknownObject";
    case 'o': return "NativeObject";
    case 'p': return "RawPointer";
    case 'P': return "PackIndex";
    case 't': return "SILToken";
    case 'w': return "Word";
    default: return NULL;
    }
}

/* Makes a built-in type whose name has a number: "Int64", "FPIEEE32", "Vec4xFPIEEE32". */
static struct fm_swift_node *sized_builtin(struct fm_swift_reader *r, framemap_str head, framemap_str tail)
{
    const int32_t size = fm_swift_index(r) - 1;
    if (size <= 0 || size > MOST_BITS) return NULL;
    char *text = fm_swift_alloc(r->pool, head.size + 4 + tail.size), digits[4];
    if (text == NULL) return NULL;
    size_t at = sizeof digits, count = head.size;
    for (int32_t rest = size; rest; rest /= 10) digits[--at] = (char)('0' + rest % 10);
    memcpy(text, head.data, head.size);
    memcpy(text + count, digits + at, sizeof digits - at);
    count += sizeof digits - at;
    if (tail.size) memcpy(text + count, tail.data, tail.size);
    return fm_swift_text(r->pool, FM_SWIFT_BUILTIN, fm_str(text, count + tail.size));
}

/* Reads a vector, whose element is the built-in type on the stack. */
static struct fm_swift_node *vector(struct fm_swift_reader *r)
{
    struct fm_swift_node *element = fm_swift_pop_type_child(r);
    if (!fm_swift_is(element, FM_SWIFT_BUILTIN)) return NULL;
    const framemap_str name = fm_swift_text_of(element);
    char *tail = fm_swift_alloc(r->pool, name.size + 1);
    if (tail == NULL) return NULL;
    tail[0] = 'x';
    memcpy(tail + 1, name.data, name.size);
    return sized_builtin(r, FM_STR("Vec"), fm_str(tail, name.size + 1));
}

struct fm_swift_node *fm_swift_builtin(struct fm_swift_reader *r)
{
    const char letter = fm_swift_take(r);
    struct fm_swift_node *size, *element;
    switch (letter) {
    case 'f': return fm_swift_type(r, sized_builtin(r, FM_STR("FPIEEE"), (framemap_str){NULL, 0}));
    case 'i': return fm_swift_type(r, sized_builtin(r, FM_STR("Int"), (framemap_str){NULL, 0}));
    case 'v': return fm_swift_type(r, vector(r));
    case 'V':
        element = fm_swift_pop_type(r);
        size = fm_swift_pop_type(r);
        return fm_swift_type(r, fm_swift_make2(r, FM_SWIFT_BUILTIN_ARRAY, size, element));
    case 'T': return fm_swift_type(r, fm_swift_make(r, FM_SWIFT_BUILTIN_TUPLE));
    default: break;
    }
    const char *name = builtin_name(letter);
    if (name == NULL) return NULL;
    return fm_swift_type(r, fm_swift_text(r->pool, FM_SWIFT_BUILTIN, framemap_str_of(name)));
}

struct fm_swift_node *fm_swift_nominal(struct fm_swift_reader *r, enum fm_swift_kind kind)
{
    struct fm_swift_node *name = fm_swift_pop_with(r, FM_SWIFT_IS_NAME);
    struct fm_swift_node *context = fm_swift_pop_context(r);
    return fm_swift_substitutable(r, fm_swift_type(r, fm_swift_make2(r, kind, context, name)));
}

struct fm_swift_node *fm_swift_wrap(struct fm_swift_reader *r, enum fm_swift_kind kind, bool keeps_type)
{
    struct fm_swift_node *inner = keeps_type ? fm_swift_pop_type(r) : fm_swift_pop_type_child(r);
    return fm_swift_type(r, fm_swift_make1(r, kind, inner));
}

static struct fm_swift_node *tuple_element(struct fm_swift_reader *r)
{
    struct fm_swift_node *element = fm_swift_make(r, FM_SWIFT_TUPLE_ELEMENT);
    element = fm_swift_with_optional(r, element, fm_swift_pop(r, FM_SWIFT_VARIADIC));
    struct fm_swift_node *label = fm_swift_pop(r, FM_SWIFT_IDENTIFIER);
    element = fm_swift_with_optional(r, element, fm_swift_rename(r->pool, label, FM_SWIFT_TUPLE_LABEL));
    return fm_swift_with(r, element, fm_swift_pop_type(r));
}

struct fm_swift_node *fm_swift_tuple(struct fm_swift_reader *r)
{
    return fm_swift_type(r, fm_swift_pop_list(r, FM_SWIFT_TUPLE, tuple_element));
}

struct fm_swift_node *fm_swift_pop_type_list(struct fm_swift_reader *r)
{
    return fm_swift_pop_list(r, FM_SWIFT_TYPE_LIST, fm_swift_pop_type);
}

static struct fm_swift_node *pop_protocols(struct fm_swift_reader *r)
{
    return fm_swift_make1(r, FM_SWIFT_PROTOCOL_LIST, fm_swift_pop_list(r, FM_SWIFT_TYPE_LIST, fm_swift_pop_protocol));
}

struct fm_swift_node *fm_swift_protocol_list(struct fm_swift_reader *r) { return fm_swift_type(r, pop_protocols(r)); }

struct fm_swift_node *fm_swift_integer(struct fm_swift_reader *r)
{
    const bool is_negative = fm_swift_take_if(r, 'n');
    const int32_t value = fm_swift_index(r);
    if (value < 0) return NULL;
    const enum fm_swift_kind kind = is_negative && value > 0 ? FM_SWIFT_NEGATIVE_INTEGER : FM_SWIFT_INTEGER;
    return fm_swift_type(r, fm_swift_number(r->pool, kind, (uint64_t)value));
}

/* --- "X" --- */

/* Reads a metatype with the way it is represented: "@thick Int.Type". */
static struct fm_swift_node *represented_metatype(struct fm_swift_reader *r, enum fm_swift_kind kind)
{
    const char letter = fm_swift_take(r);
    const char *text = letter == 't' ? "@thin" : letter == 'T' ? "@thick" : letter == 'o' ? "@objc_metatype" : NULL;
    if (text == NULL) return NULL;
    struct fm_swift_node *representation =
        fm_swift_text(r->pool, FM_SWIFT_METATYPE_REPRESENTATION, framemap_str_of(text));
    return fm_swift_type(r, fm_swift_make2(r, kind, representation, fm_swift_pop_type(r)));
}

/* Makes the layout of a box: fields that the list has as inout are mutable. */
static struct fm_swift_node *box_fields(struct fm_swift_reader *r, const struct fm_swift_node *types)
{
    struct fm_swift_node *fields = fm_swift_make(r, FM_SWIFT_SIL_BOX_FIELDS);
    for (uint32_t i = 0; types != NULL && i < types->count; i++) {
        struct fm_swift_node *type = fm_swift_child(types, i), *inner = fm_swift_unwrap(type);
        const bool is_mutable = fm_swift_is(inner, FM_SWIFT_INOUT);
        if (is_mutable) type = fm_swift_child(inner, 0);
        fields =
            fm_swift_with(r, fields, fm_swift_make1(r, is_mutable ? FM_SWIFT_SIL_BOX_VAR : FM_SWIFT_SIL_BOX_LET, type));
    }
    return types != NULL ? fields : NULL;
}

static struct fm_swift_node *box(struct fm_swift_reader *r, bool is_generic)
{
    struct fm_swift_node *signature = is_generic ? fm_swift_pop(r, FM_SWIFT_SIGNATURE) : NULL;
    if (is_generic && signature == NULL) return NULL;
    struct fm_swift_node *arguments = is_generic ? fm_swift_pop_type_list(r) : NULL;
    struct fm_swift_node *fields = box_fields(r, fm_swift_pop_type_list(r));
    if (!is_generic) return fm_swift_type(r, fm_swift_make1(r, FM_SWIFT_SIL_BOX_LAYOUT, fields));
    return fm_swift_type(r, fm_swift_make3(r, FM_SWIFT_SIL_BOX_LAYOUT, fields, signature, arguments));
}

static struct fm_swift_node *sugared(struct fm_swift_reader *r)
{
    struct fm_swift_node *first, *second;
    const char letter = fm_swift_take(r);
    switch (letter) {
    case 'q': return fm_swift_wrap(r, FM_SWIFT_SUGARED_OPTIONAL, true);
    case 'a': return fm_swift_wrap(r, FM_SWIFT_SUGARED_ARRAY, true);
    case 'p': return fm_swift_wrap(r, FM_SWIFT_SUGARED_PAREN, true);
    case 'A':
    case 'D':
        second = fm_swift_pop_type(r);
        first = fm_swift_pop_type(r);
        return fm_swift_type(
            r, fm_swift_make2(r, letter == 'A' ? FM_SWIFT_SUGARED_INLINE_ARRAY : FM_SWIFT_SUGARED_DICTIONARY, first,
                              second));
    default: return NULL;
    }
}

static struct fm_swift_node *pop_requirement(struct fm_swift_reader *r)
{
    return fm_swift_pop_with(r, FM_SWIFT_IS_REQUIREMENT);
}

static struct fm_swift_node *constrained_existential(struct fm_swift_reader *r)
{
    struct fm_swift_node *requirements = fm_swift_pop_list(r, FM_SWIFT_EXISTENTIAL_REQUIREMENTS, pop_requirement);
    return fm_swift_type(r, fm_swift_make2(r, FM_SWIFT_CONSTRAINED_EXISTENTIAL, fm_swift_pop_type(r), requirements));
}

static struct fm_swift_node *existential_shape(struct fm_swift_reader *r, bool has_signature)
{
    struct fm_swift_node *type = fm_swift_pop_type(r);
    struct fm_swift_node *signature = has_signature ? fm_swift_pop(r, FM_SWIFT_SIGNATURE) : NULL;
    struct fm_swift_node *shape = fm_swift_make(r, FM_SWIFT_EXISTENTIAL_SHAPE);
    return fm_swift_with(r, fm_swift_with_optional(r, shape, signature), type);
}

/* Reads a context that the name gives only a label: "(unknown context at $1234)". */
static struct fm_swift_node *anonymous_context(struct fm_swift_reader *r)
{
    struct fm_swift_node *types = fm_swift_pop_type_list(r);
    struct fm_swift_node *name = fm_swift_pop(r, FM_SWIFT_IDENTIFIER);
    return fm_swift_make3(r, FM_SWIFT_ANONYMOUS_CONTEXT, name, fm_swift_pop_context(r), types);
}

static struct fm_swift_node *class_existential(struct fm_swift_reader *r)
{
    struct fm_swift_node *superclass = fm_swift_pop_type(r);
    return fm_swift_type(r, fm_swift_make2(r, FM_SWIFT_PROTOCOL_LIST_CLASS, pop_protocols(r), superclass));
}

/* Reads the function types of "X". NULL: the letter is of another type, *is_function is false. */
static struct fm_swift_node *special_function(struct fm_swift_reader *r, char letter, bool *is_function)
{
    *is_function = true;
    switch (letter) {
    case 'E': return fm_swift_function_type(r, FM_SWIFT_NOESCAPE_FUNCTION, false);
    case 'A': return fm_swift_function_type(r, FM_SWIFT_ESCAPING_AUTOCLOSURE, false);
    case 'f': return fm_swift_function_type(r, FM_SWIFT_THIN_FUNCTION, false);
    case 'K': return fm_swift_function_type(r, FM_SWIFT_AUTOCLOSURE, false);
    case 'U': return fm_swift_function_type(r, FM_SWIFT_UNCURRIED_FUNCTION, false);
    case 'L': return fm_swift_function_type(r, FM_SWIFT_ESCAPING_OBJC_BLOCK, false);
    case 'B': return fm_swift_function_type(r, FM_SWIFT_OBJC_BLOCK, false);
    case 'C': return fm_swift_function_type(r, FM_SWIFT_C_FUNCTION, false);
    case 'z':
        if (fm_swift_take_if(r, 'B')) return fm_swift_function_type(r, FM_SWIFT_OBJC_BLOCK, true);
        return fm_swift_take_if(r, 'C') ? fm_swift_function_type(r, FM_SWIFT_C_FUNCTION, true) : NULL;
    default: *is_function = false; return NULL;
    }
}

struct fm_swift_node *fm_swift_special_type(struct fm_swift_reader *r)
{
    bool is_function;
    const char letter = fm_swift_take(r);
    struct fm_swift_node *function = special_function(r, letter, &is_function);
    if (is_function) return function;
    switch (letter) {
    case 'o': return fm_swift_wrap(r, FM_SWIFT_UNOWNED, true);
    case 'u': return fm_swift_wrap(r, FM_SWIFT_UNMANAGED, true);
    case 'w': return fm_swift_wrap(r, FM_SWIFT_WEAK, true);
    case 'b': return fm_swift_wrap(r, FM_SWIFT_SIL_BOX, true);
    case 'D': return fm_swift_wrap(r, FM_SWIFT_DYNAMIC_SELF, true);
    case 'p': return fm_swift_wrap(r, FM_SWIFT_EXISTENTIAL_METATYPE, true);
    case 'M': return represented_metatype(r, FM_SWIFT_METATYPE);
    case 'm': return represented_metatype(r, FM_SWIFT_EXISTENTIAL_METATYPE);
    case 'P': return constrained_existential(r);
    case 'c': return class_existential(r);
    case 'l': return fm_swift_type(r, fm_swift_make1(r, FM_SWIFT_PROTOCOL_LIST_ANY_OBJECT, pop_protocols(r)));
    case 'X':
    case 'x': return box(r, letter == 'X');
    case 'Y': return fm_swift_nominal(r, FM_SWIFT_OTHER_NOMINAL);
    case 'Z': return anonymous_context(r);
    case 'e': return fm_swift_type(r, fm_swift_make(r, FM_SWIFT_ERROR_TYPE));
    case 'S': return sugared(r);
    case 'g':
    case 'G': return existential_shape(r, letter == 'G');
    default: return NULL;
    }
}

/* --- "Y" --- */

struct fm_swift_node *fm_swift_annotation(struct fm_swift_reader *r)
{
    const char *words;
    switch (fm_swift_take(r)) {
    case 'a': return fm_swift_make(r, FM_SWIFT_ASYNC);
    case 'A': return fm_swift_make(r, FM_SWIFT_ISOLATED_ANY);
    case 'b': return fm_swift_make(r, FM_SWIFT_SENDABLE);
    case 'c': return fm_swift_make1(r, FM_SWIFT_GLOBAL_ACTOR, fm_swift_pop_type_child(r));
    case 'C': return fm_swift_make(r, FM_SWIFT_NONISOLATED_CALLER);
    case 'i': return fm_swift_wrap(r, FM_SWIFT_ISOLATED, false);
    case 'j':
        words = fm_swift_differentiability(fm_swift_take(r));
        return words != NULL ? fm_swift_text(r->pool, FM_SWIFT_DIFFERENTIABLE, framemap_str_of(words)) : NULL;
    case 'k': return fm_swift_wrap(r, FM_SWIFT_NO_DERIVATIVE, false);
    case 'K': return fm_swift_make1(r, FM_SWIFT_TYPED_THROWS, fm_swift_pop_type_child(r));
    case 't': return fm_swift_wrap(r, FM_SWIFT_COMPILE_TIME, false);
    case 'g': return fm_swift_wrap(r, FM_SWIFT_CONST_VALUE, false);
    case 'T': return fm_swift_make(r, FM_SWIFT_SENDING_RESULT);
    case 'u': return fm_swift_wrap(r, FM_SWIFT_SENDING, false);
    default: return NULL;
    }
}
