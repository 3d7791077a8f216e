/* Prints types: functions, generics with their sugar ([Int], String?), metatypes, existentials, boxes. Called by
 * swift_print.c. */
#include "resolve/demangle/swift/swift_printer.h"

/* --- functions --- */

/* Prints the parameters of a function: with their types, or in the simplified form only the labels, "(_:to:)". */
static void print_parameters(struct fm_swift_printer *p, const struct fm_swift_node *labels,
                             const struct fm_swift_node *arguments, unsigned depth)
{
    struct fm_swift_node *parameters =
        fm_swift_is(arguments, FM_SWIFT_ARGUMENT_TUPLE) ? fm_swift_unwrap(fm_swift_child(arguments, 0)) : NULL;
    const bool has_labels = labels != NULL && labels->count > 0;
    if (parameters == NULL) {
        p->bad = true;
        return;
    }
    if (!fm_swift_is(parameters, FM_SWIFT_TUPLE)) {
        FM_SWIFT_PUT(p, "(");
        if (p->is_full)
            fm_swift_print(p, parameters, depth + 1);
        else
            FM_SWIFT_PUT(p, "_:");
        FM_SWIFT_PUT(p, ")");
        return;
    }
    if (has_labels && labels->count < parameters->count) p->bad = true;
    FM_SWIFT_PUT(p, "(");
    for (uint32_t i = 0; i < parameters->count && !p->bad; i++) {
        struct fm_swift_node *parameter = fm_swift_child(parameters, i);
        framemap_str label =
            fm_swift_text_of(has_labels ? fm_swift_child(labels, i) : fm_swift_find(parameter, FM_SWIFT_TUPLE_LABEL));
        if (label.size == 0) label = FM_STR("_");
        if (i > 0 && p->is_full) FM_SWIFT_PUT(p, ", ");
        if (has_labels || !p->is_full) {
            fm_swift_put(p, label);
            FM_SWIFT_PUT(p, ":");
        }
        if (!p->is_full) {
            fm_swift_count(p, 1);
            continue;
        }
        if (has_labels) FM_SWIFT_PUT(p, " ");
        fm_swift_print(p, parameter, depth + 1);
    }
    FM_SWIFT_PUT(p, ")");
}

/* Prints the words before a function's type. *at: the next child, which moves past a C type. */
static void print_convention(struct fm_swift_printer *p, const struct fm_swift_node *type, uint32_t *at, unsigned depth)
{
    fm_swift_put(p, framemap_str_of(fm_swift_words[type->kind]));
    if (type->kind != FM_SWIFT_C_FUNCTION && type->kind != FM_SWIFT_OBJC_BLOCK &&
        type->kind != FM_SWIFT_ESCAPING_OBJC_BLOCK)
        return;
    if (fm_swift_is(fm_swift_child(type, *at), FM_SWIFT_CLANG_TYPE)) {
        FM_SWIFT_PUT(p, ", mangledCType: \"");
        fm_swift_print(p, fm_swift_child(type, (*at)++), depth + 1);
        FM_SWIFT_PUT(p, "\"");
    }
    FM_SWIFT_PUT(p, ") ");
}

/* Returns the child at *at and moves on, if it is of a kind. */
static struct fm_swift_node *take(const struct fm_swift_node *type, uint32_t *at, enum fm_swift_kind kind)
{
    struct fm_swift_node *child = fm_swift_child(type, *at);
    if (!fm_swift_is(child, kind)) return NULL;
    ++*at;
    return child;
}

/* Prints a node that may be absent. */
static void print_optional(struct fm_swift_printer *p, struct fm_swift_node *node, unsigned depth)
{
    if (node != NULL) fm_swift_print(p, node, depth + 1);
}

void fm_swift_print_function(struct fm_swift_printer *p, const struct fm_swift_node *labels, struct fm_swift_node *type,
                             unsigned depth)
{
    uint32_t at = 0;
    if (!fm_swift_has(type, FM_SWIFT_IS_FUNCTION) || type->count < 2) {
        p->bad = true;
        return;
    }
    print_convention(p, type, &at, depth);
    const struct fm_swift_node *sending = take(type, &at, FM_SWIFT_SENDING_RESULT);
    print_optional(p, take(type, &at, FM_SWIFT_ISOLATED_ANY), depth);
    struct fm_swift_node *caller = take(type, &at, FM_SWIFT_NONISOLATED_CALLER);
    print_optional(p, take(type, &at, FM_SWIFT_GLOBAL_ACTOR), depth);
    print_optional(p, take(type, &at, FM_SWIFT_DIFFERENTIABLE), depth);
    struct fm_swift_node *throws = take(type, &at, FM_SWIFT_THROWS);
    if (throws == NULL) throws = take(type, &at, FM_SWIFT_TYPED_THROWS);
    print_optional(p, caller, depth);
    print_optional(p, take(type, &at, FM_SWIFT_SENDABLE), depth);
    struct fm_swift_node *async = take(type, &at, FM_SWIFT_ASYNC);
    print_parameters(p, labels, fm_swift_child(type, type->count - 2), depth);
    if (!p->is_full) return;
    print_optional(p, async, depth);
    print_optional(p, throws, depth);
    FM_SWIFT_PUT(p, " -> ");
    if (sending != NULL) FM_SWIFT_PUT(p, "sending ");
    fm_swift_print(p, fm_swift_last(type), depth + 1);
}

bool fm_swift_needs_space(const struct fm_swift_node *type)
{
    while (fm_swift_is(type, FM_SWIFT_TYPE)) type = fm_swift_child(type, 0);
    return !fm_swift_is(type, FM_SWIFT_FUNCTION_TYPE) && !fm_swift_is(type, FM_SWIFT_NOESCAPE_FUNCTION) &&
           !fm_swift_is(type, FM_SWIFT_UNCURRIED_FUNCTION) && !fm_swift_is(type, FM_SWIFT_GENERIC_TYPE);
}

/* Prints a type mangling; the labels of a function are its first child. */
static void print_type_mangling(struct fm_swift_printer *p, const struct fm_swift_node *node, unsigned depth)
{
    struct fm_swift_node *first = fm_swift_child(node, 0);
    if (fm_swift_is(first, FM_SWIFT_LABEL_LIST))
        fm_swift_print_function(p, first, fm_swift_unwrap(fm_swift_child(node, 1)), depth);
    else
        fm_swift_print(p, first, depth + 1);
}

/* --- generics --- */

/* Whether a type needs no parentheses before "?" and ".Type". */
static bool is_simple(const struct fm_swift_node *type)
{
    while (fm_swift_is(type, FM_SWIFT_TYPE)) type = fm_swift_child(type, 0);
    if (type == NULL || fm_swift_has(type, FM_SWIFT_IS_SIMPLE)) return true;
    const struct fm_swift_node *list = fm_swift_child(type, 0);
    if (type->kind == FM_SWIFT_PROTOCOL_LIST) return list == NULL || list->count <= 1;
    if (type->kind != FM_SWIFT_PROTOCOL_LIST_ANY_OBJECT || list == NULL) return false;
    list = fm_swift_child(list, 0);
    return list == NULL || list->count == 0;
}

static void print_with_parentheses(struct fm_swift_printer *p, struct fm_swift_node *type, unsigned depth)
{
    const bool is_open = !is_simple(type);
    if (is_open) FM_SWIFT_PUT(p, "(");
    fm_swift_print(p, type, depth + 1);
    if (is_open) FM_SWIFT_PUT(p, ")");
}

static void print_arguments(struct fm_swift_printer *p, const struct fm_swift_node *node, unsigned depth)
{
    fm_swift_print(p, fm_swift_child(node, 0), depth + 1);
    FM_SWIFT_PUT(p, "<");
    fm_swift_print_list(p, fm_swift_child(node, 1), FM_STR(", "), depth);
    FM_SWIFT_PUT(p, ">");
}

/* Whether a bound type is one of the module Swift with this name. */
static bool is_library_type(const struct fm_swift_node *bound, framemap_str name)
{
    const struct fm_swift_node *nominal = fm_swift_unwrap(fm_swift_child(bound, 0));
    if (nominal == NULL || nominal->count < 2) return false;
    const struct fm_swift_node *module = fm_swift_child(nominal, 0), *identifier = fm_swift_child(nominal, 1);
    return fm_swift_is(module, FM_SWIFT_MODULE) && fm_str_equal(fm_swift_text_of(module), FM_STR("Swift")) &&
           fm_swift_is(identifier, FM_SWIFT_IDENTIFIER) && fm_str_equal(fm_swift_text_of(identifier), name);
}

/* Prints an optional, an array or a dictionary with its sugar. Returns false for other types. */
static bool print_sugar(struct fm_swift_printer *p, const struct fm_swift_node *node, unsigned depth)
{
    const struct fm_swift_node *arguments = fm_swift_child(node, 1);
    struct fm_swift_node *first = fm_swift_child(arguments, 0), *second = fm_swift_child(arguments, 1);
    const bool is_enum = node->kind == FM_SWIFT_BOUND_ENUM, is_structure = node->kind == FM_SWIFT_BOUND_STRUCTURE;
    if (is_enum && arguments->count == 1) {
        const bool is_implicit = is_library_type(node, FM_STR("ImplicitlyUnwrappedOptional"));
        if (!is_implicit && !is_library_type(node, FM_STR("Optional"))) return false;
        print_with_parentheses(p, first, depth);
        fm_swift_put(p, is_implicit ? FM_STR("!") : FM_STR("?"));
        return true;
    }
    const bool is_dictionary = is_structure && arguments->count == 2 && is_library_type(node, FM_STR("Dictionary"));
    if (!is_dictionary && !(is_structure && arguments->count == 1 && is_library_type(node, FM_STR("Array"))))
        return false;
    FM_SWIFT_PUT(p, "[");
    fm_swift_print(p, first, depth + 1);
    if (is_dictionary) {
        FM_SWIFT_PUT(p, " : ");
        fm_swift_print(p, second, depth + 1);
    }
    FM_SWIFT_PUT(p, "]");
    return true;
}

static void print_bound(struct fm_swift_printer *p, const struct fm_swift_node *node, unsigned depth)
{
    if (node->count == 2 && p->has_sugar && node->kind == FM_SWIFT_BOUND_PROTOCOL) {
        fm_swift_print_list(p, fm_swift_child(node, 1), (framemap_str){NULL, 0}, depth);
        FM_SWIFT_PUT(p, " as ");
        fm_swift_print(p, fm_swift_child(node, 0), depth + 1);
        return;
    }
    if (node->count != 2 || !p->has_sugar || !print_sugar(p, node, depth)) print_arguments(p, node, depth);
}

/* --- metatypes and existentials --- */

static void print_metatype(struct fm_swift_printer *p, const struct fm_swift_node *node, unsigned depth)
{
    struct fm_swift_node *type = fm_swift_last(node);
    if (node->count == 2) {
        fm_swift_print(p, fm_swift_child(node, 0), depth + 1);
        FM_SWIFT_PUT(p, " ");
    }
    if (node->kind == FM_SWIFT_EXISTENTIAL_METATYPE) {
        fm_swift_print(p, type, depth + 1);
        FM_SWIFT_PUT(p, ".Type");
        return;
    }
    type = fm_swift_unwrap(type);
    print_with_parentheses(p, type, depth);
    fm_swift_put(p, fm_swift_has(type, FM_SWIFT_IS_EXISTENTIAL) ? FM_STR(".Protocol") : FM_STR(".Type"));
}

/* Prints protocols joined by "&", with a superclass or AnyObject. */
static void print_protocols(struct fm_swift_printer *p, const struct fm_swift_node *node, unsigned depth)
{
    const struct fm_swift_node *list = node;
    if (node->kind != FM_SWIFT_PROTOCOL_LIST) list = fm_swift_child(node, 0);
    list = list != NULL ? fm_swift_child(list, 0) : NULL;
    if (list == NULL) {
        p->bad = true;
        return;
    }
    if (node->kind == FM_SWIFT_PROTOCOL_LIST && list->count == 0) FM_SWIFT_PUT(p, "Any");
    if (node->kind == FM_SWIFT_PROTOCOL_LIST_CLASS) {
        fm_swift_print(p, fm_swift_child(node, 1), depth + 1);
        FM_SWIFT_PUT(p, " & ");
    }
    fm_swift_print_list(p, list, FM_STR(" & "), depth);
    if (node->kind != FM_SWIFT_PROTOCOL_LIST_ANY_OBJECT) return;
    if (list->count > 0) FM_SWIFT_PUT(p, " & ");
    FM_SWIFT_PUT(p, "Swift.AnyObject");
}

static void print_shape(struct fm_swift_printer *p, const struct fm_swift_node *node, unsigned depth)
{
    const bool shows_where = p->shows_where;
    p->shows_where = true; /* the signature is of no use without it */
    FM_SWIFT_PUT(p, "existential shape for ");
    if (node->count == 2) {
        fm_swift_print(p, fm_swift_child(node, 0), depth + 1);
        FM_SWIFT_PUT(p, " ");
    }
    if (!fm_swift_is(fm_swift_unwrap(fm_swift_last(node)), FM_SWIFT_CONSTRAINED_EXISTENTIAL)) FM_SWIFT_PUT(p, "any ");
    fm_swift_print(p, fm_swift_last(node), depth + 1);
    p->shows_where = shows_where;
}

/* --- others --- */

static void print_tuple_element(struct fm_swift_printer *p, const struct fm_swift_node *node, unsigned depth)
{
    const struct fm_swift_node *label = fm_swift_find(node, FM_SWIFT_TUPLE_LABEL);
    if (label != NULL) {
        fm_swift_put(p, fm_swift_text_of(label));
        FM_SWIFT_PUT(p, ": ");
    }
    fm_swift_print(p, fm_swift_find(node, FM_SWIFT_TYPE), depth + 1);
    if (fm_swift_find(node, FM_SWIFT_VARIADIC) != NULL) FM_SWIFT_PUT(p, "...");
}

/* Prints a box: its generic signature, its fields, and its generic arguments. */
static void print_box(struct fm_swift_printer *p, const struct fm_swift_node *node, unsigned depth)
{
    const bool is_generic = node->count == 3;
    if (is_generic) {
        fm_swift_print(p, fm_swift_child(node, 1), depth + 1);
        FM_SWIFT_PUT(p, " ");
    }
    fm_swift_print(p, fm_swift_child(node, 0), depth + 1);
    if (!is_generic) return;
    FM_SWIFT_PUT(p, " <");
    fm_swift_print_list(p, fm_swift_child(node, 2), FM_STR(", "), depth);
    FM_SWIFT_PUT(p, ">");
}

static void print_box_fields(struct fm_swift_printer *p, const struct fm_swift_node *node, unsigned depth)
{
    FM_SWIFT_PUT(p, "{");
    if (node->count > 0) FM_SWIFT_PUT(p, " ");
    fm_swift_print_list(p, node, FM_STR(", "), depth);
    FM_SWIFT_PUT(p, " }");
}

bool fm_swift_print_type(struct fm_swift_printer *p, struct fm_swift_node *node, unsigned depth)
{
    if (fm_swift_has(node, FM_SWIFT_IS_FUNCTION)) {
        fm_swift_print_function(p, NULL, node, depth);
        return true;
    }
    switch (node->kind) {
    case FM_SWIFT_BOUND_CLASS:
    case FM_SWIFT_BOUND_STRUCTURE:
    case FM_SWIFT_BOUND_ENUM:
    case FM_SWIFT_BOUND_PROTOCOL:
    case FM_SWIFT_BOUND_OTHER_NOMINAL:
    case FM_SWIFT_BOUND_TYPE_ALIAS: print_bound(p, node, depth); break;
    case FM_SWIFT_TYPE_MANGLING: print_type_mangling(p, node, depth); break;
    case FM_SWIFT_ARGUMENT_TUPLE: print_parameters(p, NULL, node, depth); break;
    case FM_SWIFT_TUPLE_ELEMENT: print_tuple_element(p, node, depth); break;
    case FM_SWIFT_METATYPE:
    case FM_SWIFT_EXISTENTIAL_METATYPE: print_metatype(p, node, depth); break;
    case FM_SWIFT_PROTOCOL_LIST:
    case FM_SWIFT_PROTOCOL_LIST_CLASS:
    case FM_SWIFT_PROTOCOL_LIST_ANY_OBJECT: print_protocols(p, node, depth); break;
    case FM_SWIFT_EXISTENTIAL_SHAPE: print_shape(p, node, depth); break;
    case FM_SWIFT_SUGARED_OPTIONAL:
        print_with_parentheses(p, fm_swift_child(node, 0), depth);
        FM_SWIFT_PUT(p, "?");
        break;
    case FM_SWIFT_SIL_BOX_LAYOUT: print_box(p, node, depth); break;
    case FM_SWIFT_SIL_BOX_FIELDS: print_box_fields(p, node, depth); break;
    default: return false;
    }
    return true;
}
