/* The readers of groups of operators: each reads what follows the operator's first letter and returns the node. NULL:
 * the name is not valid. Called by swift_operators.c, and some by each other. */
#ifndef FM_RESOLVE_DEMANGLE_SWIFT_SWIFT_PARTS_H
#define FM_RESOLVE_DEMANGLE_SWIFT_SWIFT_PARTS_H

#include "resolve/demangle/swift/swift_reader.h"

/* swift_identifier.c: a literal, word-substituted or Punycode identifier; "o" operators; "L" local and private names */
struct fm_swift_node *fm_swift_identifier(struct fm_swift_reader *r);
struct fm_swift_node *fm_swift_operator_name(struct fm_swift_reader *r);
struct fm_swift_node *fm_swift_local_name(struct fm_swift_reader *r);

/* swift_substitution.c: "A" earlier parts of the name; "S" types of the standard library */
struct fm_swift_node *fm_swift_substitution(struct fm_swift_reader *r);
struct fm_swift_node *fm_swift_standard(struct fm_swift_reader *r);
/* Returns a type of the module Swift. */
struct fm_swift_node *fm_swift_library_type(struct fm_swift_reader *r, enum fm_swift_kind kind, framemap_str name);

/* swift_type.c: "B" built-in types, "C" "O" "V" "P" "a" nominal types, "t" tuples, "X" and "Y", "p" protocol lists, "$"
 * integers */
struct fm_swift_node *fm_swift_builtin(struct fm_swift_reader *r);
struct fm_swift_node *fm_swift_nominal(struct fm_swift_reader *r, enum fm_swift_kind kind);
struct fm_swift_node *fm_swift_tuple(struct fm_swift_reader *r);
struct fm_swift_node *fm_swift_special_type(struct fm_swift_reader *r);
struct fm_swift_node *fm_swift_annotation(struct fm_swift_reader *r);
struct fm_swift_node *fm_swift_protocol_list(struct fm_swift_reader *r);
struct fm_swift_node *fm_swift_integer(struct fm_swift_reader *r);
/* Wraps the type on the stack in a node of `kind`, and that in a TYPE. keeps_type: the child is the TYPE, not what it
 * wraps. */
struct fm_swift_node *fm_swift_wrap(struct fm_swift_reader *r, enum fm_swift_kind kind, bool keeps_type);
struct fm_swift_node *fm_swift_pop_type_list(struct fm_swift_reader *r);

/* swift_function_type.c: the parts of a function's type; the labels of arguments, which precede the type */
struct fm_swift_node *fm_swift_function_type(struct fm_swift_reader *r, enum fm_swift_kind kind, bool has_clang_type);
/* Pops the labels of the parameters of `type`. *labels: NULL if it has no labels. false: the labels are not valid. */
bool fm_swift_labels(struct fm_swift_reader *r, struct fm_swift_node *type, struct fm_swift_node **labels);
/* Returns the words for a kind of derivative, by its letter; NULL: the letter is not one of them. */
const char *fm_swift_differentiability(char letter);
/* Reads the length-prefixed text of a C type. */
struct fm_swift_node *fm_swift_clang_type(struct fm_swift_reader *r);

/* swift_impl_type.c: "I…_" types of functions in the intermediate language */
struct fm_swift_node *fm_swift_impl_function(struct fm_swift_reader *r);

/* swift_argument.c: "q" generic parameters, and the generic arguments of a type */
struct fm_swift_node *fm_swift_generic_param(struct fm_swift_reader *r);
struct fm_swift_node *fm_swift_param(struct fm_swift_reader *r, uint32_t depth, uint32_t index);
/* Pops the generic arguments of all levels, innermost first, as children of *levels. *conformances: the retroactive
 * conformances after them, or NULL. */
bool fm_swift_arguments(struct fm_swift_reader *r, struct fm_swift_node **levels, struct fm_swift_node **conformances);

/* swift_generic.c: "G" bound generics, "l" and "r" signatures, "R" requirements, "u" generic types */
struct fm_swift_node *fm_swift_bound_generic(struct fm_swift_reader *r);
struct fm_swift_node *fm_swift_signature(struct fm_swift_reader *r, bool has_counts);
struct fm_swift_node *fm_swift_requirement(struct fm_swift_reader *r);
struct fm_swift_node *fm_swift_generic_type(struct fm_swift_reader *r);

/* swift_archetype.c: "Q" associated and opaque types and packs */
struct fm_swift_node *fm_swift_archetype(struct fm_swift_reader *r);
/* Pop the name of an associated type, or a path of names ("Element.Index"), and return the associated type. base: the
 * type that has it; NULL: that type is on the stack below the names. */
struct fm_swift_node *fm_swift_member(struct fm_swift_reader *r, struct fm_swift_node *base);
struct fm_swift_node *fm_swift_member_path(struct fm_swift_reader *r, struct fm_swift_node *base);
struct fm_swift_node *fm_swift_pop_associated_name(struct fm_swift_reader *r);
struct fm_swift_node *fm_swift_pop_associated_path(struct fm_swift_reader *r);

/* swift_conformance.c: "H" conformances as run-time arguments, "g" retroactive conformances */
struct fm_swift_node *fm_swift_run_time_conformance(struct fm_swift_reader *r);
struct fm_swift_node *fm_swift_retroactive(struct fm_swift_reader *r);
struct fm_swift_node *fm_swift_pop_conformance(struct fm_swift_reader *r);

/* swift_entity.c: "F" functions, "f" function-like entities, "v" variables, "i" subscripts, "E" extensions */
struct fm_swift_node *fm_swift_function(struct fm_swift_reader *r);
struct fm_swift_node *fm_swift_function_like(struct fm_swift_reader *r);
struct fm_swift_node *fm_swift_variable(struct fm_swift_reader *r);
struct fm_swift_node *fm_swift_subscript(struct fm_swift_reader *r);
struct fm_swift_node *fm_swift_extension(struct fm_swift_reader *r);
struct fm_swift_node *fm_swift_type_mangling(struct fm_swift_reader *r);

/* swift_metadata.c: "M" metadata, "W" witnesses and outlined functions, "w" value witnesses */
struct fm_swift_node *fm_swift_metadata(struct fm_swift_reader *r);
struct fm_swift_node *fm_swift_witness(struct fm_swift_reader *r);
struct fm_swift_node *fm_swift_value_witness(struct fm_swift_reader *r);

/* swift_thunk.c: "T" thunks and specializations; swift_specialization.c: the specializations among them */
struct fm_swift_node *fm_swift_thunk(struct fm_swift_reader *r);
struct fm_swift_node *fm_swift_specialization(struct fm_swift_reader *r, char letter);

/* swift_autodiff.c: "TJ" and "WJ", derivatives of functions */
struct fm_swift_node *fm_swift_autodiff(struct fm_swift_reader *r);
struct fm_swift_node *fm_swift_autodiff_witness(struct fm_swift_reader *r);

#endif
