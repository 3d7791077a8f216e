/* Reads declarations: functions, closures, initializers, variables, subscripts, macros, extensions. Called by
 * swift_operators.c. */
#include "resolve/demangle/swift/swift_parts.h"

struct fm_swift_node *fm_swift_extension(struct fm_swift_reader *r)
{
    struct fm_swift_node *signature = fm_swift_pop(r, FM_SWIFT_SIGNATURE);
    struct fm_swift_node *module = fm_swift_pop_module(r);
    struct fm_swift_node *extension = fm_swift_make2(r, FM_SWIFT_EXTENSION, module, fm_swift_pop_nominal(r));
    return fm_swift_with_optional(r, extension, signature);
}

struct fm_swift_node *fm_swift_type_mangling(struct fm_swift_reader *r)
{
    struct fm_swift_node *type = fm_swift_pop_type(r), *labels;
    if (!fm_swift_labels(r, type, &labels)) return NULL;
    struct fm_swift_node *node = fm_swift_make(r, FM_SWIFT_TYPE_MANGLING);
    return fm_swift_with(r, fm_swift_with_optional(r, node, labels), type);
}

/* Makes a declaration with a name: pops its labels, name and context, which precede the type. */
static struct fm_swift_node *declaration(struct fm_swift_reader *r, enum fm_swift_kind kind,
                                         struct fm_swift_node *labels, struct fm_swift_node *type)
{
    struct fm_swift_node *name = fm_swift_pop_with(r, FM_SWIFT_IS_NAME);
    struct fm_swift_node *node = fm_swift_make2(r, kind, fm_swift_pop_context(r), name);
    return fm_swift_with(r, fm_swift_with_optional(r, node, labels), type);
}

struct fm_swift_node *fm_swift_function(struct fm_swift_reader *r)
{
    struct fm_swift_node *signature = fm_swift_pop(r, FM_SWIFT_SIGNATURE), *labels;
    struct fm_swift_node *type = fm_swift_function_type(r, FM_SWIFT_FUNCTION_TYPE, false);
    if (!fm_swift_labels(r, type, &labels)) return NULL;
    if (signature != NULL) type = fm_swift_type(r, fm_swift_make2(r, FM_SWIFT_GENERIC_TYPE, signature, type));
    return declaration(r, FM_SWIFT_FUNCTION, labels, type);
}

static struct fm_swift_node *typed_declaration(struct fm_swift_reader *r, enum fm_swift_kind kind)
{
    struct fm_swift_node *type = fm_swift_pop_type(r), *labels;
    return fm_swift_labels(r, type, &labels) ? declaration(r, kind, labels, type) : NULL;
}

/* --- variables --- */

static enum fm_swift_kind addressor_kind(char letter, bool is_mutable)
{
    switch (letter) {
    case 'O': return is_mutable ? FM_SWIFT_OWNING_MUTABLE_ADDRESSOR : FM_SWIFT_OWNING_ADDRESSOR;
    case 'o': return is_mutable ? FM_SWIFT_NATIVE_OWNING_MUTABLE_ADDRESSOR : FM_SWIFT_NATIVE_OWNING_ADDRESSOR;
    case 'P': return is_mutable ? FM_SWIFT_NATIVE_PINNING_MUTABLE_ADDRESSOR : FM_SWIFT_KIND_COUNT;
    case 'p': return is_mutable ? FM_SWIFT_KIND_COUNT : FM_SWIFT_NATIVE_PINNING_ADDRESSOR;
    case 'u': return is_mutable ? FM_SWIFT_UNSAFE_MUTABLE_ADDRESSOR : FM_SWIFT_UNSAFE_ADDRESSOR;
    default: return FM_SWIFT_KIND_COUNT;
    }
}

/* Returns the kind of an accessor, or FM_SWIFT_KIND_COUNT if the letter is not one. */
static enum fm_swift_kind accessor_kind(struct fm_swift_reader *r)
{
    switch (fm_swift_take(r)) {
    case 'm': return FM_SWIFT_MATERIALIZE_FOR_SET;
    case 's': return FM_SWIFT_SETTER;
    case 'g':
    case 'G': return FM_SWIFT_GETTER;
    case 'w': return FM_SWIFT_WILL_SET;
    case 'W': return FM_SWIFT_DID_SET;
    case 'r': return FM_SWIFT_READ_ACCESSOR;
    case 'y': return FM_SWIFT_READ2_ACCESSOR;
    case 'M': return FM_SWIFT_MODIFY_ACCESSOR;
    case 'x': return FM_SWIFT_MODIFY2_ACCESSOR;
    case 'i': return FM_SWIFT_INIT_ACCESSOR;
    case 'b': return FM_SWIFT_BORROW_ACCESSOR;
    case 'z': return FM_SWIFT_MUTATE_ACCESSOR;
    case 'a': return addressor_kind(fm_swift_take(r), true);
    case 'l': return addressor_kind(fm_swift_take(r), false);
    default: return FM_SWIFT_KIND_COUNT;
    }
}

/* Reads the accessor of a variable or subscript; "p" is the variable itself. */
static struct fm_swift_node *accessor(struct fm_swift_reader *r, struct fm_swift_node *storage)
{
    if (fm_swift_take_if(r, 'p')) return storage;
    const enum fm_swift_kind kind = accessor_kind(r);
    return kind != FM_SWIFT_KIND_COUNT ? fm_swift_make1(r, kind, storage) : NULL;
}

struct fm_swift_node *fm_swift_variable(struct fm_swift_reader *r)
{
    return accessor(r, typed_declaration(r, FM_SWIFT_VARIABLE));
}

struct fm_swift_node *fm_swift_subscript(struct fm_swift_reader *r)
{
    struct fm_swift_node *private_name = fm_swift_pop(r, FM_SWIFT_PRIVATE_NAME);
    struct fm_swift_node *type = fm_swift_pop_type(r), *labels;
    if (!fm_swift_labels(r, type, &labels)) return NULL;
    struct fm_swift_node *node = fm_swift_make1(r, FM_SWIFT_SUBSCRIPT, fm_swift_pop_context(r));
    node = fm_swift_with(r, fm_swift_with_optional(r, node, labels), type);
    return accessor(r, fm_swift_with_optional(r, node, private_name));
}

/* --- macros --- */

static enum fm_swift_kind expansion_kind(char letter)
{
    switch (letter) {
    case 'a': return FM_SWIFT_ACCESSOR_EXPANSION;
    case 'r': return FM_SWIFT_ATTRIBUTE_EXPANSION;
    case 'm': return FM_SWIFT_MEMBER_EXPANSION;
    case 'p': return FM_SWIFT_PEER_EXPANSION;
    case 'c': return FM_SWIFT_CONFORMANCE_EXPANSION;
    case 'e': return FM_SWIFT_EXTENSION_EXPANSION;
    case 'q': return FM_SWIFT_PREAMBLE_EXPANSION;
    case 'b': return FM_SWIFT_BODY_EXPANSION;
    case 'f': return FM_SWIFT_FREESTANDING_EXPANSION;
    case 'u': return FM_SWIFT_UNIQUE_NAME;
    default: return FM_SWIFT_KIND_COUNT;
    }
}

/* Reads the position of an expansion in a source file: module, file, line and column. */
static struct fm_swift_node *expansion_location(struct fm_swift_reader *r)
{
    struct fm_swift_node *line = fm_swift_index_node(r), *column = fm_swift_index_node(r);
    struct fm_swift_node *file = fm_swift_pop(r, FM_SWIFT_IDENTIFIER);
    struct fm_swift_node *module = fm_swift_pop(r, FM_SWIFT_IDENTIFIER);
    return fm_swift_with(r, fm_swift_make3(r, FM_SWIFT_EXPANSION_LOCATION, module, file, line), column);
}

/* Reads the expansion of a macro. Its children are the context, the name of what it is attached to (if any), the name
 * of the macro, and the number of the expansion. */
static struct fm_swift_node *macro_expansion(struct fm_swift_reader *r)
{
    if (fm_swift_take_if(r, 'X')) return expansion_location(r);
    const enum fm_swift_kind kind = expansion_kind(fm_swift_take(r));
    if (kind == FM_SWIFT_KIND_COUNT) return NULL;
    const bool is_freestanding = kind == FM_SWIFT_FREESTANDING_EXPANSION;
    struct fm_swift_node *macro = fm_swift_pop(r, FM_SWIFT_IDENTIFIER), *attached = NULL, *private_name = NULL;
    if (is_freestanding)
        private_name = fm_swift_pop(r, FM_SWIFT_PRIVATE_NAME);
    else if (kind != FM_SWIFT_UNIQUE_NAME)
        attached = fm_swift_pop_with(r, FM_SWIFT_IS_NAME);
    struct fm_swift_node *context = fm_swift_pop_with(r, FM_SWIFT_IS_EXPANSION);
    if (context == NULL) context = fm_swift_pop_context(r);
    struct fm_swift_node *node = fm_swift_with_optional(r, fm_swift_make1(r, kind, context), attached);
    node = fm_swift_with(r, fm_swift_with(r, node, macro), fm_swift_index_node(r));
    return fm_swift_with_optional(r, node, private_name);
}

/* --- "f" --- */

/* Reads an initializer: pops its private name, type, labels and context. */
static struct fm_swift_node *initializer(struct fm_swift_reader *r, enum fm_swift_kind kind)
{
    struct fm_swift_node *private_name = fm_swift_pop(r, FM_SWIFT_PRIVATE_NAME);
    struct fm_swift_node *type = fm_swift_pop_type(r), *labels;
    if (!fm_swift_labels(r, type, &labels)) return NULL;
    struct fm_swift_node *node = fm_swift_make1(r, kind, fm_swift_pop_context(r));
    node = fm_swift_with(r, fm_swift_with_optional(r, node, labels), type);
    return fm_swift_with_optional(r, node, private_name);
}

static struct fm_swift_node *closure(struct fm_swift_reader *r, enum fm_swift_kind kind)
{
    struct fm_swift_node *index = fm_swift_index_node(r);
    struct fm_swift_node *type = fm_swift_pop_type(r);
    return fm_swift_make3(r, kind, fm_swift_pop_context(r), index, type);
}

static struct fm_swift_node *default_argument(struct fm_swift_reader *r)
{
    struct fm_swift_node *index = fm_swift_index_node(r);
    return fm_swift_make2(r, FM_SWIFT_DEFAULT_ARGUMENT, fm_swift_pop_context(r), index);
}

static struct fm_swift_node *in_context(struct fm_swift_reader *r, enum fm_swift_kind kind)
{
    return fm_swift_make1(r, kind, fm_swift_pop_context(r));
}

struct fm_swift_node *fm_swift_function_like(struct fm_swift_reader *r)
{
    switch (fm_swift_take(r)) {
    case 'D': return in_context(r, FM_SWIFT_DEALLOCATOR);
    case 'd': return in_context(r, FM_SWIFT_DESTRUCTOR);
    case 'Z': return in_context(r, FM_SWIFT_ISOLATED_DEALLOCATOR);
    case 'E': return in_context(r, FM_SWIFT_IVAR_DESTROYER);
    case 'e': return in_context(r, FM_SWIFT_IVAR_INITIALIZER);
    case 'i': return in_context(r, FM_SWIFT_INITIALIZER);
    case 'P': return in_context(r, FM_SWIFT_WRAPPER_BACKING);
    case 'F': return in_context(r, FM_SWIFT_WRAPPER_FIELD_INIT);
    case 'W': return in_context(r, FM_SWIFT_WRAPPER_PROJECTED);
    case 'C': return initializer(r, FM_SWIFT_ALLOCATOR);
    case 'c': return initializer(r, FM_SWIFT_CONSTRUCTOR);
    case 'U': return closure(r, FM_SWIFT_EXPLICIT_CLOSURE);
    case 'u': return closure(r, FM_SWIFT_IMPLICIT_CLOSURE);
    case 'A': return default_argument(r);
    case 'm': return typed_declaration(r, FM_SWIFT_MACRO);
    case 'p': return typed_declaration(r, FM_SWIFT_GENERIC_PARAM_DECL);
    case 'M': return macro_expansion(r);
    default: return NULL;
    }
}
