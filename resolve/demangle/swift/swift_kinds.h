/* The kinds of nodes that a Swift name consists of, with their properties and the words that they are printed as. Used
 * by the readers and printers of this folder.
 *
 * Words: %0 to %3 print a child, %* prints all children without a separator, %, prints them separated by ", ", %t
 * prints the node's text and %n its number. A kind with the words "?" is printed by code (swift_print*.c). The words of
 * an accessor are the name that follows the dot: "getter". */
#ifndef FM_RESOLVE_DEMANGLE_SWIFT_SWIFT_KINDS_H
#define FM_RESOLVE_DEMANGLE_SWIFT_SWIFT_KINDS_H

#include <stdint.h>

/* Properties of kinds, combined by bitwise or. */
enum fm_swift_flag {
    FM_SWIFT_IS_CONTEXT = 1 << 0,     /* other declarations may be inside it */
    FM_SWIFT_IS_NAME = 1 << 1,        /* is the name of a declaration */
    FM_SWIFT_IS_NOMINAL = 1 << 2,     /* is a class, structure, enum, protocol, alias … */
    FM_SWIFT_IS_REQUIREMENT = 1 << 3, /* is a part of a where clause */
    FM_SWIFT_IS_ATTRIBUTE = 1 << 4,   /* follows a function in the name and is printed before it */
    FM_SWIFT_IS_SIMPLE = 1 << 5,      /* is a type that needs no parentheses before "?" */
    FM_SWIFT_IS_CONFORMANCE = 1 << 6, /* is a conformance that is passed at run time */
    FM_SWIFT_IS_DEPENDENT = 1 << 7,   /* is such a conformance of a generic parameter */
    FM_SWIFT_IS_EXPANSION = 1 << 8,   /* is the expansion of a macro that may contain another one */
    FM_SWIFT_IS_FUNCTION = 1 << 9,    /* is the type of a function, printed with parameters and a result */
    FM_SWIFT_IS_STORAGE = 1 << 10,    /* is an accessor of a variable or subscript */
    FM_SWIFT_IS_EXISTENTIAL = 1 << 11,
    FM_SWIFT_IS_ISOLATION = 1 << 12,
    FM_SWIFT_IS_SPECIALIZED = 1 << 13, /* is printed with a list of what was specialized */
    FM_SWIFT_IS_LONG_ONLY = 1 << 14,   /* the simplified form leaves it out */
    FM_SWIFT_IS_THROWS = 1 << 15
};

/* clang-format off */
#define FM_SWIFT_KINDS(X) \
    /* names and contexts */ \
    X(IDENTIFIER, FM_SWIFT_IS_NAME, "%t") \
    X(LOCAL_NAME, FM_SWIFT_IS_NAME, "?") \
    X(PRIVATE_NAME, FM_SWIFT_IS_NAME, "?") \
    X(RELATED_NAME, FM_SWIFT_IS_NAME, "related decl '%0' for %1") \
    X(PREFIX_OPERATOR, FM_SWIFT_IS_NAME, "%t prefix") \
    X(POSTFIX_OPERATOR, FM_SWIFT_IS_NAME, "%t postfix") \
    X(INFIX_OPERATOR, FM_SWIFT_IS_NAME, "%t infix") \
    X(MODULE, FM_SWIFT_IS_CONTEXT | FM_SWIFT_IS_SIMPLE, "?") \
    X(ANONYMOUS_CONTEXT, FM_SWIFT_IS_CONTEXT, "?") \
    X(EXTENSION, FM_SWIFT_IS_CONTEXT, "?") \
    X(CLASS, FM_SWIFT_IS_CONTEXT | FM_SWIFT_IS_NOMINAL | FM_SWIFT_IS_SIMPLE, "?") \
    X(STRUCTURE, FM_SWIFT_IS_CONTEXT | FM_SWIFT_IS_NOMINAL | FM_SWIFT_IS_SIMPLE, "?") \
    X(ENUM, FM_SWIFT_IS_CONTEXT | FM_SWIFT_IS_NOMINAL | FM_SWIFT_IS_SIMPLE, "?") \
    X(PROTOCOL, FM_SWIFT_IS_CONTEXT | FM_SWIFT_IS_NOMINAL | FM_SWIFT_IS_SIMPLE, "?") \
    X(TYPE_ALIAS, FM_SWIFT_IS_CONTEXT | FM_SWIFT_IS_NOMINAL | FM_SWIFT_IS_SIMPLE, "?") \
    X(OTHER_NOMINAL, FM_SWIFT_IS_CONTEXT | FM_SWIFT_IS_NOMINAL | FM_SWIFT_IS_SIMPLE, "?") \
    X(BUILTIN_TUPLE, FM_SWIFT_IS_CONTEXT | FM_SWIFT_IS_NOMINAL | FM_SWIFT_IS_SIMPLE, "Builtin.TheTupleType") \
    X(OPAQUE_RETURN_OF, FM_SWIFT_IS_CONTEXT, "<<opaque return type of %*>>") \
    /* functions, variables and what belongs to them */ \
    X(FUNCTION, FM_SWIFT_IS_CONTEXT, "?") \
    X(BOUND_FUNCTION, FM_SWIFT_IS_SIMPLE, "?") \
    X(VARIABLE, FM_SWIFT_IS_CONTEXT, "?") \
    X(SUBSCRIPT, FM_SWIFT_IS_CONTEXT, "?") \
    X(MACRO, 0, "?") \
    X(GENERIC_PARAM_DECL, 0, "?") \
    X(CONSTRUCTOR, FM_SWIFT_IS_CONTEXT, "?") \
    X(ALLOCATOR, FM_SWIFT_IS_CONTEXT, "?") \
    X(DESTRUCTOR, FM_SWIFT_IS_CONTEXT, "?") \
    X(DEALLOCATOR, FM_SWIFT_IS_CONTEXT, "?") \
    X(ISOLATED_DEALLOCATOR, FM_SWIFT_IS_CONTEXT, "?") \
    X(IVAR_DESTROYER, FM_SWIFT_IS_CONTEXT, "?") \
    X(IVAR_INITIALIZER, FM_SWIFT_IS_CONTEXT, "?") \
    X(EXPLICIT_CLOSURE, FM_SWIFT_IS_CONTEXT, "?") \
    X(IMPLICIT_CLOSURE, FM_SWIFT_IS_CONTEXT, "?") \
    X(DEFAULT_ARGUMENT, FM_SWIFT_IS_CONTEXT, "?") \
    X(INITIALIZER, FM_SWIFT_IS_CONTEXT, "?") \
    X(WRAPPER_BACKING, FM_SWIFT_IS_CONTEXT, "?") \
    X(WRAPPER_FIELD_INIT, FM_SWIFT_IS_CONTEXT, "?") \
    X(WRAPPER_PROJECTED, FM_SWIFT_IS_CONTEXT, "?") \
    X(STATIC, FM_SWIFT_IS_CONTEXT, "static %0") \
    X(GETTER, FM_SWIFT_IS_CONTEXT | FM_SWIFT_IS_STORAGE, "getter") \
    X(SETTER, FM_SWIFT_IS_CONTEXT | FM_SWIFT_IS_STORAGE, "setter") \
    X(MATERIALIZE_FOR_SET, FM_SWIFT_IS_CONTEXT | FM_SWIFT_IS_STORAGE, "materializeForSet") \
    X(WILL_SET, FM_SWIFT_IS_CONTEXT | FM_SWIFT_IS_STORAGE, "willset") \
    X(DID_SET, FM_SWIFT_IS_CONTEXT | FM_SWIFT_IS_STORAGE, "didset") \
    X(READ_ACCESSOR, FM_SWIFT_IS_CONTEXT | FM_SWIFT_IS_STORAGE, "read") \
    X(READ2_ACCESSOR, FM_SWIFT_IS_CONTEXT | FM_SWIFT_IS_STORAGE, "read2") \
    X(MODIFY_ACCESSOR, FM_SWIFT_IS_CONTEXT | FM_SWIFT_IS_STORAGE, "modify") \
    X(MODIFY2_ACCESSOR, FM_SWIFT_IS_CONTEXT | FM_SWIFT_IS_STORAGE, "modify2") \
    X(INIT_ACCESSOR, FM_SWIFT_IS_CONTEXT | FM_SWIFT_IS_STORAGE, "init") \
    X(BORROW_ACCESSOR, FM_SWIFT_IS_CONTEXT | FM_SWIFT_IS_STORAGE, "borrow") \
    X(MUTATE_ACCESSOR, FM_SWIFT_IS_CONTEXT | FM_SWIFT_IS_STORAGE, "mutate") \
    X(OWNING_ADDRESSOR, FM_SWIFT_IS_CONTEXT | FM_SWIFT_IS_STORAGE, "owningAddressor") \
    X(OWNING_MUTABLE_ADDRESSOR, FM_SWIFT_IS_CONTEXT | FM_SWIFT_IS_STORAGE, "owningMutableAddressor") \
    X(NATIVE_OWNING_ADDRESSOR, FM_SWIFT_IS_CONTEXT | FM_SWIFT_IS_STORAGE, "nativeOwningAddressor") \
    X(NATIVE_OWNING_MUTABLE_ADDRESSOR, FM_SWIFT_IS_CONTEXT | FM_SWIFT_IS_STORAGE, "nativeOwningMutableAddressor") \
    X(NATIVE_PINNING_ADDRESSOR, FM_SWIFT_IS_CONTEXT | FM_SWIFT_IS_STORAGE, "nativePinningAddressor") \
    X(NATIVE_PINNING_MUTABLE_ADDRESSOR, FM_SWIFT_IS_CONTEXT | FM_SWIFT_IS_STORAGE, "nativePinningMutableAddressor") \
    X(UNSAFE_ADDRESSOR, FM_SWIFT_IS_CONTEXT | FM_SWIFT_IS_STORAGE, "unsafeAddressor") \
    X(UNSAFE_MUTABLE_ADDRESSOR, FM_SWIFT_IS_CONTEXT | FM_SWIFT_IS_STORAGE, "unsafeMutableAddressor") \
    /* expansions of macros: the words are the role */ \
    X(ACCESSOR_EXPANSION, FM_SWIFT_IS_EXPANSION, "accessor") \
    X(ATTRIBUTE_EXPANSION, FM_SWIFT_IS_EXPANSION, "memberAttribute") \
    X(MEMBER_EXPANSION, FM_SWIFT_IS_EXPANSION, "member") \
    X(PEER_EXPANSION, FM_SWIFT_IS_EXPANSION, "peer") \
    X(CONFORMANCE_EXPANSION, FM_SWIFT_IS_EXPANSION, "conformance") \
    X(EXTENSION_EXPANSION, FM_SWIFT_IS_EXPANSION, "extension") \
    X(PREAMBLE_EXPANSION, 0, "preamble") \
    X(BODY_EXPANSION, 0, "body") \
    X(FREESTANDING_EXPANSION, FM_SWIFT_IS_EXPANSION, "?") \
    X(UNIQUE_NAME, 0, "?") \
    X(EXPANSION_LOCATION, FM_SWIFT_IS_EXPANSION, "module %0 file %1 line %2 column %3") \
    /* lists, numbers and marks */ \
    X(GLOBAL, 0, "%*") \
    X(SUFFIX, 0, "?") \
    X(NUMBER, 0, "%n") \
    X(UNKNOWN_INDEX, 0, "unknown index") \
    X(TYPE_LIST, FM_SWIFT_IS_SIMPLE, "%*") \
    X(LABEL_LIST, FM_SWIFT_IS_SIMPLE, "") \
    X(EMPTY_LIST, 0, " empty-list ") \
    X(FIRST_ELEMENT, 0, " first-element-marker ") \
    X(VARIADIC, 0, " variadic-marker ") \
    X(ASSOCIATED_PATH, 0, "?") \
    X(ONCE_LIST, 0, "?") \
    /* types */ \
    X(TYPE, 0, "%0") \
    X(TYPE_MANGLING, 0, "?") \
    X(BUILTIN, FM_SWIFT_IS_SIMPLE, "Builtin.%t") \
    X(BUILTIN_ARRAY, FM_SWIFT_IS_SIMPLE, "Builtin.FixedArray<%0, %1>") \
    X(INTEGER, FM_SWIFT_IS_SIMPLE, "%n") \
    X(NEGATIVE_INTEGER, FM_SWIFT_IS_SIMPLE, "-%n") \
    X(BOUND_CLASS, FM_SWIFT_IS_SIMPLE, "?") \
    X(BOUND_STRUCTURE, FM_SWIFT_IS_SIMPLE, "?") \
    X(BOUND_ENUM, FM_SWIFT_IS_SIMPLE, "?") \
    X(BOUND_PROTOCOL, FM_SWIFT_IS_SIMPLE, "?") \
    X(BOUND_OTHER_NOMINAL, FM_SWIFT_IS_SIMPLE, "?") \
    X(BOUND_TYPE_ALIAS, FM_SWIFT_IS_SIMPLE, "?") \
    X(FUNCTION_TYPE, FM_SWIFT_IS_FUNCTION, "") \
    X(NOESCAPE_FUNCTION, FM_SWIFT_IS_FUNCTION, "") \
    X(UNCURRIED_FUNCTION, FM_SWIFT_IS_FUNCTION, "") \
    X(AUTOCLOSURE, FM_SWIFT_IS_FUNCTION, "@autoclosure ") \
    X(ESCAPING_AUTOCLOSURE, FM_SWIFT_IS_FUNCTION, "@autoclosure ") \
    X(THIN_FUNCTION, FM_SWIFT_IS_FUNCTION, "@convention(thin) ") \
    X(C_FUNCTION, FM_SWIFT_IS_FUNCTION, "@convention(c") \
    X(OBJC_BLOCK, FM_SWIFT_IS_FUNCTION, "@convention(block") \
    X(ESCAPING_OBJC_BLOCK, FM_SWIFT_IS_FUNCTION, "@escaping @convention(block") \
    X(CLANG_TYPE, 0, "%t") \
    X(ARGUMENT_TUPLE, 0, "?") \
    X(RETURN_TYPE, FM_SWIFT_IS_SIMPLE, "%*") \
    X(SENDING_RESULT, 0, "sending ") \
    X(GLOBAL_ACTOR, FM_SWIFT_IS_ISOLATION, "@%0 ") \
    X(ISOLATED_ANY, FM_SWIFT_IS_ISOLATION, "@isolated(any) ") \
    X(NONISOLATED_CALLER, FM_SWIFT_IS_ISOLATION, "nonisolated(nonsending) ") \
    X(DIFFERENTIABLE, 0, "%t ") \
    X(THROWS, FM_SWIFT_IS_THROWS, " throws") \
    X(TYPED_THROWS, FM_SWIFT_IS_THROWS, " throws(%0)") \
    X(SENDABLE, 0, "@Sendable ") \
    X(ASYNC, 0, " async") \
    X(TUPLE, FM_SWIFT_IS_SIMPLE, "(%,)") \
    X(TUPLE_ELEMENT, 0, "?") \
    X(TUPLE_LABEL, FM_SWIFT_IS_SIMPLE, "%t: ") \
    X(PACK, FM_SWIFT_IS_SIMPLE, "Pack{%,}") \
    X(SIL_PACK_DIRECT, FM_SWIFT_IS_SIMPLE, "@direct Pack{%,}") \
    X(SIL_PACK_INDIRECT, FM_SWIFT_IS_SIMPLE, "@indirect Pack{%,}") \
    X(PACK_EXPANSION, 0, "repeat %0") \
    X(PACK_ELEMENT, 0, "/* level: %1 */ each %0") \
    X(INOUT, 0, "inout %0") \
    X(ISOLATED, 0, "isolated %0") \
    X(SENDING, 0, "sending %0") \
    X(COMPILE_TIME, 0, "_const %0") \
    X(CONST_VALUE, 0, "@const %0") \
    X(SHARED, 0, "__shared %0") \
    X(OWNED, 0, "__owned %0") \
    X(NO_DERIVATIVE, 0, "@noDerivative %0") \
    X(UNOWNED, 0, "unowned %0") \
    X(UNMANAGED, 0, "unowned(unsafe) %0") \
    X(WEAK, 0, "weak %0") \
    X(DYNAMIC_SELF, FM_SWIFT_IS_SIMPLE, "Self") \
    X(SIL_BOX, FM_SWIFT_IS_SIMPLE, "@box %0") \
    X(SIL_BOX_LAYOUT, FM_SWIFT_IS_SIMPLE, "?") \
    X(SIL_BOX_FIELDS, 0, "?") \
    X(SIL_BOX_LET, 0, "let %0") \
    X(SIL_BOX_VAR, 0, "var %0") \
    X(METATYPE, FM_SWIFT_IS_SIMPLE, "?") \
    X(EXISTENTIAL_METATYPE, FM_SWIFT_IS_SIMPLE | FM_SWIFT_IS_EXISTENTIAL, "?") \
    X(METATYPE_REPRESENTATION, FM_SWIFT_IS_SIMPLE, "%t") \
    X(PROTOCOL_LIST, FM_SWIFT_IS_EXISTENTIAL, "?") \
    X(PROTOCOL_LIST_CLASS, FM_SWIFT_IS_EXISTENTIAL, "?") \
    X(PROTOCOL_LIST_ANY_OBJECT, FM_SWIFT_IS_EXISTENTIAL, "?") \
    X(CONSTRAINED_EXISTENTIAL, 0, "any %0<%1>") \
    X(EXISTENTIAL_REQUIREMENTS, FM_SWIFT_IS_SIMPLE, "%,") \
    X(EXISTENTIAL_SELF, FM_SWIFT_IS_SIMPLE, "Self") \
    X(EXISTENTIAL_SHAPE, 0, "?") \
    X(ERROR_TYPE, FM_SWIFT_IS_SIMPLE, "<ERROR TYPE>") \
    X(SUGARED_OPTIONAL, FM_SWIFT_IS_SIMPLE, "?") \
    X(SUGARED_ARRAY, FM_SWIFT_IS_SIMPLE, "[%0]") \
    X(SUGARED_INLINE_ARRAY, FM_SWIFT_IS_SIMPLE, "[%0 of %1]") \
    X(SUGARED_DICTIONARY, FM_SWIFT_IS_SIMPLE, "[%0 : %1]") \
    X(SUGARED_PAREN, FM_SWIFT_IS_SIMPLE, "(%0)") \
    X(OPAQUE_RETURN, 0, "some") \
    X(OPAQUE_TYPE, 0, "%0.%1") \
    /* generics */ \
    X(GENERIC_PARAM, FM_SWIFT_IS_SIMPLE, "?") \
    X(GENERIC_TYPE, FM_SWIFT_IS_SIMPLE, "?") \
    X(MEMBER_TYPE, FM_SWIFT_IS_SIMPLE, "%0.%1") \
    X(ASSOCIATED_TYPE, FM_SWIFT_IS_SIMPLE, "%0.%1") \
    X(ASSOCIATED_NAME, 0, "?") \
    X(SIGNATURE, 0, "?") \
    X(PSEUDO_SIGNATURE, 0, "?") \
    X(PARAM_COUNT, 0, "") \
    X(PACK_MARKER, FM_SWIFT_IS_REQUIREMENT, "") \
    X(VALUE_MARKER, FM_SWIFT_IS_REQUIREMENT, "") \
    X(SAME_TYPE, FM_SWIFT_IS_REQUIREMENT, "%0 == %1") \
    X(SAME_SHAPE, FM_SWIFT_IS_REQUIREMENT, "%0.shape == %1.shape") \
    X(LAYOUT, FM_SWIFT_IS_REQUIREMENT, "?") \
    X(CONFORMS, FM_SWIFT_IS_REQUIREMENT, "%0: %1") \
    X(INVERSE, FM_SWIFT_IS_REQUIREMENT, "?") \
    X(PROTOCOL_CONFORMANCE, 0, "?") \
    X(RETROACTIVE, 0, "retroactive @ %0%1") \
    X(CONFORMANCE_LIST, 0, "?") \
    X(CONCRETE_CONFORMANCE, FM_SWIFT_IS_CONFORMANCE, "?") \
    X(PACK_CONFORMANCE, FM_SWIFT_IS_CONFORMANCE, "pack protocol conformance %*") \
    X(ASSOCIATED_REFERENCE, 0, "dependent associated conformance %*") \
    X(CONFORMANCE_ASSOCIATED, FM_SWIFT_IS_CONFORMANCE | FM_SWIFT_IS_DEPENDENT, "dependent associated protocol conformance ") \
    X(CONFORMANCE_INHERITED, FM_SWIFT_IS_CONFORMANCE | FM_SWIFT_IS_DEPENDENT, "dependent inherited protocol conformance ") \
    X(CONFORMANCE_ROOT, FM_SWIFT_IS_CONFORMANCE | FM_SWIFT_IS_DEPENDENT, "dependent root protocol conformance ") \
    X(CONFORMANCE_OPAQUE, FM_SWIFT_IS_CONFORMANCE, "opaque result conformance %0 of %1") \
    X(REFERENCE_TYPE_MODULE, 0, "protocol conformance ref (type's module) %*") \
    X(REFERENCE_PROTOCOL_MODULE, 0, "protocol conformance ref (protocol's module) %*") \
    X(REFERENCE_OTHER_MODULE, 0, "protocol conformance ref (retroactive) %*") \
    /* function types as the intermediate language has them */ \
    X(IMPL_FUNCTION, 0, "?") \
    X(IMPL_WORD, 0, "%t") \
    X(IMPL_CONVENTION, 0, "?") \
    X(IMPL_PARAMETER, 0, "?") \
    X(IMPL_RESULT, 0, "?") \
    X(IMPL_YIELD, 0, "?") \
    X(IMPL_ERROR, 0, "?") \
    X(IMPL_MARK, 0, "?") \
    X(IMPL_SENDING, 0, "sending") \
    X(IMPL_PATTERN, 0, "?") \
    X(IMPL_INVOCATION, 0, "?") \
    /* attributes of functions */ \
    X(OBJC, FM_SWIFT_IS_ATTRIBUTE, "@objc ") \
    X(NON_OBJC, FM_SWIFT_IS_ATTRIBUTE, "@nonobjc ") \
    X(DYNAMIC, FM_SWIFT_IS_ATTRIBUTE, "dynamic ") \
    X(DIRECT_METHOD, FM_SWIFT_IS_ATTRIBUTE, "super ") \
    X(PARTIAL_APPLY, FM_SWIFT_IS_ATTRIBUTE, "?") \
    X(PARTIAL_APPLY_OBJC, FM_SWIFT_IS_ATTRIBUTE, "?") \
    X(OUTLINED_VARIABLE, FM_SWIFT_IS_ATTRIBUTE, "outlined variable #%n of ") \
    X(OUTLINED_OBJECT, FM_SWIFT_IS_ATTRIBUTE, "outlined read-only object #%n of ") \
    X(OUTLINED_METHOD, FM_SWIFT_IS_ATTRIBUTE, "outlined bridged method (%t) of ") \
    X(MERGED, FM_SWIFT_IS_ATTRIBUTE | FM_SWIFT_IS_LONG_ONLY, "merged ") \
    X(DISTRIBUTED_THUNK, FM_SWIFT_IS_ATTRIBUTE | FM_SWIFT_IS_LONG_ONLY, "distributed thunk ") \
    X(DISTRIBUTED_ACCESSOR, FM_SWIFT_IS_ATTRIBUTE | FM_SWIFT_IS_LONG_ONLY, "distributed accessor for ") \
    X(REPLACEABLE_IMPL, FM_SWIFT_IS_ATTRIBUTE | FM_SWIFT_IS_LONG_ONLY, "dynamically replaceable thunk for ") \
    X(REPLACEABLE_KEY, FM_SWIFT_IS_ATTRIBUTE | FM_SWIFT_IS_LONG_ONLY, "dynamically replaceable key for ") \
    X(REPLACEABLE_VAR, FM_SWIFT_IS_ATTRIBUTE | FM_SWIFT_IS_LONG_ONLY, "dynamically replaceable variable for ") \
    X(ACCESSIBLE_RECORD, FM_SWIFT_IS_ATTRIBUTE | FM_SWIFT_IS_LONG_ONLY, "accessible function runtime record for ") \
    X(BACK_DEPLOYMENT_THUNK, FM_SWIFT_IS_ATTRIBUTE | FM_SWIFT_IS_LONG_ONLY, "back deployment thunk for ") \
    X(BACK_DEPLOYMENT_FALLBACK, FM_SWIFT_IS_ATTRIBUTE, "back deployment fallback for ") \
    X(ASYNC_POINTER, FM_SWIFT_IS_ATTRIBUTE, "async function pointer to ") \
    X(ASYNC_AWAIT, FM_SWIFT_IS_ATTRIBUTE | FM_SWIFT_IS_LONG_ONLY, "(%0) await resume partial function for ") \
    X(ASYNC_SUSPEND, FM_SWIFT_IS_ATTRIBUTE | FM_SWIFT_IS_LONG_ONLY, "(%0) suspend resume partial function for ") \
    X(CORO_POINTER, FM_SWIFT_IS_ATTRIBUTE, "coro function pointer to ") \
    X(DEFAULT_OVERRIDE, FM_SWIFT_IS_ATTRIBUTE, "default override of ") \
    X(HAS_SYMBOL, FM_SWIFT_IS_ATTRIBUTE, "#_hasSymbol query for ") \
    X(SPEC_SIGNATURE, FM_SWIFT_IS_ATTRIBUTE | FM_SWIFT_IS_SPECIALIZED, "function signature specialization") \
    X(SPEC_GENERIC, FM_SWIFT_IS_ATTRIBUTE | FM_SWIFT_IS_SPECIALIZED, "generic specialization") \
    X(SPEC_RESILIENT, FM_SWIFT_IS_ATTRIBUTE | FM_SWIFT_IS_SPECIALIZED, "generic specialization") \
    X(SPEC_PRESPECIALIZED, FM_SWIFT_IS_ATTRIBUTE | FM_SWIFT_IS_SPECIALIZED, "generic pre-specialization") \
    X(SPEC_NOT_REABSTRACTED, FM_SWIFT_IS_ATTRIBUTE | FM_SWIFT_IS_SPECIALIZED, "generic not re-abstracted specialization") \
    X(SPEC_PARTIAL, FM_SWIFT_IS_ATTRIBUTE | FM_SWIFT_IS_SPECIALIZED, "generic partial specialization") \
    X(SPEC_PARTIAL_NOT_REABSTRACTED, FM_SWIFT_IS_ATTRIBUTE | FM_SWIFT_IS_SPECIALIZED, \
      "generic not-reabstracted partial specialization") \
    X(SPEC_INLINED, FM_SWIFT_IS_ATTRIBUTE | FM_SWIFT_IS_SPECIALIZED, "inlined generic function") \
    X(SPEC_TYPE, 0, "%0") \
    X(SPEC_ARGUMENT, 0, "?") \
    X(SPEC_RETURN, 0, "?") \
    X(SPEC_CHANGE, 0, "?") \
    X(SPEC_PAYLOAD, 0, "?") \
    X(SPEC_PASS, 0, "%n") \
    X(SERIALIZED, 0, "serialized") \
    X(ASYNC_REMOVED, 0, "") \
    X(REPRESENTATION_CHANGED, 0, "") \
    /* thunks */ \
    X(CURRY_THUNK, 0, "curry thunk of %0") \
    X(IDENTITY_THUNK, 0, "identity thunk of %0") \
    X(DISPATCH_THUNK, 0, "dispatch thunk of %0") \
    X(METHOD_DESCRIPTOR, 0, "method descriptor for %0") \
    X(COROUTINE_PROTOTYPE, 0, "coroutine continuation prototype for %0") \
    X(COMPLETION_HANDLER, 0, "@objc completion handler block implementation for ") \
    X(CHECKED_COMPLETION_HANDLER, 0, "checked @objc completion handler block implementation for ") \
    X(VTABLE_THUNK, 0, "vtable thunk for %1 dispatching to %0") \
    X(PROTOCOL_WITNESS, 0, "protocol witness for %1 in conformance %0") \
    X(SELF_WITNESS, 0, "protocol self-conformance witness for %0") \
    X(REABSTRACTION_THUNK, 0, "reabstraction thunk ") \
    X(REABSTRACTION_HELPER, 0, "reabstraction thunk helper ") \
    X(REABSTRACTION_SELF, 0, "reabstraction thunk ") \
    X(REABSTRACTION_ACTOR, 0, "%0 with global actor constraint %1") \
    X(KEY_PATH_GETTER, 0, "key path getter for ") \
    X(KEY_PATH_SETTER, 0, "key path setter for ") \
    X(KEY_PATH_UNAPPLIED, 0, "key path unapplied method ") \
    X(KEY_PATH_APPLIED, 0, "key path applied method ") \
    X(KEY_PATH_EQUALS, 0, "key path index equality operator for ") \
    X(KEY_PATH_HASH, 0, "key path index hash operator for ") \
    X(ASSOCIATED_TYPE_DESCRIPTOR, 0, "associated type descriptor for %0") \
    X(REQUIREMENTS_BASE, 0, "protocol requirements base descriptor for %0") \
    X(DEFAULT_ASSOCIATED_ACCESSOR, 0, "default associated type metadata accessor for %0") \
    X(ASSOCIATED_CONFORMANCE, 0, "associated conformance descriptor for %0.%1: %2") \
    X(DEFAULT_CONFORMANCE_ACCESSOR, 0, "default associated conformance accessor for %0.%1: %2") \
    X(BASE_CONFORMANCE, 0, "base conformance descriptor for %0: %1") \
    X(AUTODIFF_FUNCTION, FM_SWIFT_IS_CONTEXT, "?") \
    X(AUTODIFF_VTABLE, 0, "?") \
    X(AUTODIFF_SUBSET, 0, "?") \
    X(AUTODIFF_REORDERING, 0, "?") \
    X(AUTODIFF_KIND, 0, "%t") \
    X(AUTODIFF_WITNESS, 0, "?") \
    X(INDEX_SUBSET, 0, "?") \
    /* metadata and witnesses */ \
    X(METADATA, 0, "type metadata for %0") \
    X(METADATA_ACCESSOR, 0, "type metadata accessor for %0") \
    X(REFLECTION_ASSOCIATED, 0, "reflection metadata associated type descriptor %0") \
    X(CANONICAL_ACCESSOR, 0, "canonical specialized generic type metadata accessor for %0") \
    X(REFLECTION_BUILTIN, 0, "reflection metadata builtin descriptor %0") \
    X(CONFORMANCE_DESCRIPTOR, 0, "protocol conformance descriptor for %0") \
    X(REFLECTION_SUPERCLASS, 0, "reflection metadata superclass descriptor %0") \
    X(DEMANGLING_CACHE, 0, "demangling cache variable for type metadata for %0") \
    X(NAME_REFERENCE, 0, "mangled name ref for type metadata for %0") \
    X(FULL_METADATA, 0, "full type metadata for %0") \
    X(REFLECTION_FIELD, 0, "reflection metadata field descriptor %0") \
    X(OPAQUE_ACCESSOR, 0, "opaque type descriptor accessor for %0") \
    X(OPAQUE_ACCESSOR_IMPL, 0, "opaque type descriptor accessor impl for %0") \
    X(OPAQUE_ACCESSOR_KEY, 0, "opaque type descriptor accessor key for %0") \
    X(OPAQUE_ACCESSOR_VAR, 0, "opaque type descriptor accessor var for %0") \
    X(INSTANTIATION_FUNCTION, 0, "type metadata instantiation function for %0") \
    X(INSTANTIATION_CACHE, 0, "type metadata instantiation cache for %0") \
    X(NONCANONICAL_CACHE, 0, "cache variable for noncanonical specialized generic type metadata for %0") \
    X(METADATA_CACHE, 0, "metadata instantiation cache for %0") \
    X(SINGLETON_CACHE, 0, "type metadata singleton initialization cache for %0") \
    X(LAZY_CACHE, 0, "lazy cache variable for type metadata for %0") \
    X(METACLASS, 0, "metaclass for %0") \
    X(CANONICAL_METACLASS, 0, "specialized generic metaclass for %0") \
    X(NOMINAL_DESCRIPTOR, 0, "nominal type descriptor for %0") \
    X(NONCANONICAL_METADATA, 0, "noncanonical specialized generic type metadata for %0") \
    X(BASE_OFFSET, 0, "class metadata base offset for %0") \
    X(PROTOCOL_DESCRIPTOR, 0, "protocol descriptor for %0") \
    X(METADATA_PATTERN, 0, "generic type metadata pattern for %0") \
    X(UNIQUABLE, 0, "uniquable %0") \
    X(OPAQUE_DESCRIPTOR, 0, "opaque type descriptor for %0") \
    X(COMPLETION_FUNCTION, 0, "type metadata completion function for %0") \
    X(OBJC_STUB, 0, "ObjC resilient class stub for %0") \
    X(FULL_OBJC_STUB, 0, "full ObjC resilient class stub for %0") \
    X(SELF_CONFORMANCE, 0, "protocol self-conformance descriptor for %0") \
    X(METHOD_LOOKUP, 0, "method lookup function for %0") \
    X(OBJC_UPDATE, 0, "ObjC metadata update function for %0") \
    X(PROPERTY_DESCRIPTOR, 0, "property descriptor for %0") \
    X(CACHING_TOKEN, 0, "flag for loading of canonical specialized generic type metadata for %0") \
    X(EXTENSION_DESCRIPTOR, 0, "extension descriptor %0") \
    X(MODULE_DESCRIPTOR, 0, "module descriptor %0") \
    X(ANONYMOUS_DESCRIPTOR, 0, "anonymous descriptor %0") \
    X(ASSOCIATED_PARAM_REFERENCE, 0, "generic parameter reference for associated type %*") \
    X(CONFORMANCE_RECORD, 0, "protocol conformance descriptor runtime record for %0") \
    X(NOMINAL_RECORD, 0, "nominal type descriptor runtime record for %0") \
    X(OPAQUE_RECORD, 0, "opaque type descriptor runtime record for %0") \
    X(PROTOCOL_RECORD, 0, "protocol descriptor runtime record for %0") \
    X(ENUM_CASE, 0, "enum case for %0") \
    X(VALUE_WITNESS_TABLE, 0, "value witness table for %0") \
    X(VALUE_WITNESS, 0, "?") \
    X(DIRECT_FIELD_OFFSET, 0, "direct field offset for %0") \
    X(INDIRECT_FIELD_OFFSET, 0, "indirect field offset for %0") \
    X(SELF_WITNESS_TABLE, 0, "protocol self-conformance witness table for %0") \
    X(WITNESS_TABLE, 0, "protocol witness table for %0") \
    X(WITNESS_TABLE_PATTERN, 0, "protocol witness table pattern for %0") \
    X(GENERIC_WITNESS_TABLE, 0, "generic protocol witness table for %0") \
    X(WITNESS_TABLE_INSTANTIATION, 0, "instantiation function for generic protocol witness table for %0") \
    X(RESILIENT_WITNESS_TABLE, 0, "resilient protocol witness table for %0") \
    X(LAZY_WITNESS_ACCESSOR, 0, "lazy protocol witness table accessor for type %0 and conformance %1") \
    X(LAZY_WITNESS_CACHE, 0, "lazy protocol witness table cache variable for type %0 and conformance %1") \
    X(WITNESS_TABLE_ACCESSOR, 0, "protocol witness table accessor for %0") \
    X(ASSOCIATED_METADATA_ACCESSOR, 0, "associated type metadata accessor for %1 in %0") \
    X(ASSOCIATED_WITNESS_ACCESSOR, 0, "associated type witness table accessor for %1 : %2 in %0") \
    X(BASE_WITNESS_ACCESSOR, 0, "base witness table accessor for %1 in %0") \
    X(OUTLINED_COPY, 0, "outlined copy of %*") \
    X(OUTLINED_CONSUME, 0, "outlined consume of %*") \
    X(OUTLINED_RETAIN, 0, "outlined retain of %0") \
    X(OUTLINED_RELEASE, 0, "outlined release of %0") \
    X(OUTLINED_INIT_TAKE, 0, "outlined init with take of %0") \
    X(OUTLINED_INIT_COPY, 0, "outlined init with copy of %0") \
    X(OUTLINED_ASSIGN_TAKE, 0, "outlined assign with take of %0") \
    X(OUTLINED_ASSIGN_COPY, 0, "outlined assign with copy of %0") \
    X(OUTLINED_DESTROY, 0, "outlined destroy of %0") \
    X(OUTLINED_GET_TAG, 0, "outlined enum get tag of %0") \
    X(OUTLINED_TAG_STORE, 0, "outlined enum tag store of %0") \
    X(OUTLINED_PROJECT, 0, "outlined enum project data for load of %0") \
    X(ONCE_TOKEN, 0, "one-time initialization token for %1") \
    X(ONCE_FUNCTION, 0, "one-time initialization function for %1")
/* clang-format on */

/* What the optimizer did with one argument of a function: one of the first, or several of the flags. */
enum fm_swift_change {
    FM_SWIFT_CONSTANT_FUNCTION,
    FM_SWIFT_CONSTANT_GLOBAL,
    FM_SWIFT_CONSTANT_INTEGER,
    FM_SWIFT_CONSTANT_FLOAT,
    FM_SWIFT_CONSTANT_STRING,
    FM_SWIFT_CONSTANT_KEY_PATH,
    FM_SWIFT_CONSTANT_STRUCT,
    FM_SWIFT_CLOSURE,
    FM_SWIFT_SAME_CLOSURE,
    FM_SWIFT_BOX_TO_VALUE,
    FM_SWIFT_BOX_TO_STACK,
    FM_SWIFT_INOUT_TO_OUT,
    FM_SWIFT_EXISTENTIAL_TO_GENERIC = 1 << 4,
    FM_SWIFT_DEAD = 1 << 5,
    FM_SWIFT_OWNED_TO_GUARANTEED = 1 << 6,
    FM_SWIFT_GUARANTEED_TO_OWNED = 1 << 7,
    FM_SWIFT_EXPLODED = 1 << 8
};

#define FM_SWIFT_ENUM(name, flags, words) FM_SWIFT_##name,
enum fm_swift_kind { FM_SWIFT_KINDS(FM_SWIFT_ENUM) FM_SWIFT_KIND_COUNT };
#undef FM_SWIFT_ENUM

/* The rows of FM_SWIFT_KINDS, by kind. */
extern const uint16_t fm_swift_flags[FM_SWIFT_KIND_COUNT];
extern const char *const fm_swift_words[FM_SWIFT_KIND_COUNT];

#endif
