/* Prints generic signatures and their requirements, conformances, and function types of the intermediate language.
 * Called by swift_print.c. */
#include "resolve/demangle/swift/swift_printer.h"

/* Maximum number of parameters of one level that are printed, as in Swift: a few bytes can count millions. */
#define MOST_PARAMETERS 128u

/* Prints the name of a parameter: its index in letters, the least significant first, and its depth. */
static void print_parameter(struct fm_swift_printer *p, uint64_t depth, uint64_t index)
{
    do {
        const char letter = (char)('A' + (char)(index % 26));
        fm_swift_put(p, fm_str(&letter, 1));
    } while (index /= 26);
    if (depth) fm_swift_put_number(p, depth);
}

/* Whether a parameter has a marker of a kind. Like Swift, compares the depth with the parameter's index and the other
 * way round. */
static bool has_marker(struct fm_swift_printer *p, const struct fm_swift_node *signature, uint32_t first, uint32_t end,
                       enum fm_swift_kind kind, uint64_t parameter)
{
    fm_swift_count(p, end - first);
    for (uint32_t i = first; i < end && !p->bad; i++) {
        const struct fm_swift_node *row = fm_swift_child(signature, i);
        const struct fm_swift_node *type = row->kind == kind ? fm_swift_unwrap(fm_swift_child(row, 0)) : NULL;
        if (fm_swift_is(type, FM_SWIFT_GENERIC_PARAM) && type->is.number == parameter) return true;
    }
    return false;
}

static bool is_marker(const struct fm_swift_node *node)
{
    return node->kind == FM_SWIFT_PACK_MARKER || node->kind == FM_SWIFT_VALUE_MARKER;
}

/* Prints the parameters of one level: "A, each B, let C". The markers are the children from `first` to `end`. */
static void print_level(struct fm_swift_printer *p, const struct fm_swift_node *signature, uint32_t level,
                        uint32_t first, uint32_t end)
{
    const uint64_t count = fm_swift_child(signature, level)->is.number;
    for (uint64_t i = 0; i < count && !p->bad; i++) {
        if (i > 0) FM_SWIFT_PUT(p, ", ");
        if (i >= MOST_PARAMETERS) {
            FM_SWIFT_PUT(p, "...");
            return;
        }
        const uint64_t parameter = i << 32 | level;
        if (has_marker(p, signature, first, end, FM_SWIFT_PACK_MARKER, parameter)) FM_SWIFT_PUT(p, "each ");
        if (has_marker(p, signature, first, end, FM_SWIFT_VALUE_MARKER, parameter)) FM_SWIFT_PUT(p, "let ");
        print_parameter(p, level, i);
    }
}

static void print_signature(struct fm_swift_printer *p, const struct fm_swift_node *node, unsigned depth)
{
    uint32_t levels = 0;
    while (levels < node->count && fm_swift_child(node, levels)->kind == FM_SWIFT_PARAM_COUNT) levels++;
    uint32_t where = levels;
    while (where < node->count && is_marker(fm_swift_child(node, where))) where++;
    fm_swift_count(p, where);
    FM_SWIFT_PUT(p, "<");
    for (uint32_t i = 0; i < levels && !p->bad; i++) {
        if (i > 0) FM_SWIFT_PUT(p, "><");
        print_level(p, node, i, levels, where);
    }
    if (where < node->count && p->shows_where) {
        FM_SWIFT_PUT(p, " where ");
        fm_swift_print_children(p, node, where, node->count, FM_STR(", "), depth);
    }
    FM_SWIFT_PUT(p, ">");
}

static framemap_str layout_name(char letter)
{
    switch (letter) {
    case 'U': return FM_STR("_UnknownLayout");
    case 'R': return FM_STR("_RefCountedObject");
    case 'N': return FM_STR("_NativeRefCountedObject");
    case 'C': return FM_STR("AnyObject");
    case 'D': return FM_STR("_NativeClass");
    case 'T':
    case 'E':
    case 'e': return FM_STR("_Trivial");
    case 'M':
    case 'm': return FM_STR("_TrivialAtMost");
    default: return (framemap_str){NULL, 0};
    }
}

static void print_layout(struct fm_swift_printer *p, const struct fm_swift_node *node, unsigned depth)
{
    const framemap_str letter = fm_swift_text_of(fm_swift_child(node, 1));
    fm_swift_print(p, fm_swift_child(node, 0), depth + 1);
    FM_SWIFT_PUT(p, ": ");
    fm_swift_put(p, layout_name(letter.size ? letter.data[0] : (char)0));
    if (node->count <= 2) return;
    FM_SWIFT_PUT(p, "(");
    fm_swift_print_children(p, node, 2, node->count, FM_STR(", "), depth);
    FM_SWIFT_PUT(p, ")");
}

/* Prints the absence of a conformance, "A: ~Swift.Copyable". */
static void print_inverse(struct fm_swift_printer *p, const struct fm_swift_node *node, unsigned depth)
{
    const uint64_t bit = fm_swift_child(node, 1)->is.number;
    fm_swift_print(p, fm_swift_child(node, 0), depth + 1);
    FM_SWIFT_PUT(p, ": ~Swift.");
    if (bit <= 1) {
        fm_swift_put(p, bit ? FM_STR("Escapable") : FM_STR("Copyable"));
        return;
    }
    FM_SWIFT_PUT(p, "<bit ");
    fm_swift_put_number(p, bit);
    FM_SWIFT_PUT(p, ">");
}

static void print_generic_type(struct fm_swift_printer *p, const struct fm_swift_node *node, unsigned depth)
{
    struct fm_swift_node *type = fm_swift_child(node, 1);
    fm_swift_print(p, fm_swift_child(node, 0), depth + 1);
    if (fm_swift_needs_space(type)) FM_SWIFT_PUT(p, " ");
    fm_swift_print(p, type, depth + 1);
}

/* Prints the name of an associated type, after the protocol that declares it, if the name has that. */
static void print_associated_name(struct fm_swift_printer *p, const struct fm_swift_node *node, unsigned depth)
{
    if (node->count > 1) {
        fm_swift_print(p, fm_swift_child(node, 1), depth + 1);
        FM_SWIFT_PUT(p, ".");
    }
    fm_swift_print(p, fm_swift_child(node, 0), depth + 1);
}

/* --- conformances --- */

static void print_conformance(struct fm_swift_printer *p, const struct fm_swift_node *node, unsigned depth)
{
    struct fm_swift_node *type = fm_swift_child(node, 0), *protocol = fm_swift_child(node, 1),
                         *module = fm_swift_child(node, 2);
    if (node->count == 4) {
        FM_SWIFT_PUT(p, "property behavior storage of ");
        fm_swift_print(p, module, depth + 1);
        FM_SWIFT_PUT(p, " in ");
    }
    fm_swift_print(p, type, depth + 1);
    if (node->count != 4 && !p->is_full) return;
    FM_SWIFT_PUT(p, " : ");
    fm_swift_print(p, protocol, depth + 1);
    if (node->count == 4) return;
    FM_SWIFT_PUT(p, " in ");
    fm_swift_print(p, module, depth + 1);
}

static void print_conformance_list(struct fm_swift_printer *p, const struct fm_swift_node *node, unsigned depth)
{
    if (node->count == 0) return;
    FM_SWIFT_PUT(p, "(");
    fm_swift_print_list(p, node, FM_STR(", "), depth);
    FM_SWIFT_PUT(p, ")");
}

static void print_concrete(struct fm_swift_printer *p, const struct fm_swift_node *node, unsigned depth)
{
    struct fm_swift_node *conditions = fm_swift_child(node, 2);
    FM_SWIFT_PUT(p, "concrete protocol conformance ");
    fm_swift_print(p, fm_swift_child(node, 0), depth + 1);
    FM_SWIFT_PUT(p, " to ");
    fm_swift_print(p, fm_swift_child(node, 1), depth + 1);
    if (conditions == NULL || conditions->count == 0) return;
    FM_SWIFT_PUT(p, " with conditional requirements: ");
    fm_swift_print(p, conditions, depth + 1);
}

/* Prints a conformance of a generic parameter, with its number if that is known. */
static void print_dependent(struct fm_swift_printer *p, const struct fm_swift_node *node, unsigned depth)
{
    const struct fm_swift_node *index = fm_swift_child(node, 2);
    fm_swift_put(p, framemap_str_of(fm_swift_words[node->kind]));
    if (fm_swift_is(index, FM_SWIFT_NUMBER)) {
        FM_SWIFT_PUT(p, "#");
        fm_swift_put_number(p, index->is.number);
        FM_SWIFT_PUT(p, " ");
    }
    fm_swift_print(p, fm_swift_child(node, 0), depth + 1);
    FM_SWIFT_PUT(p, " to ");
    fm_swift_print(p, fm_swift_child(node, 1), depth + 1);
}

/* --- types of the intermediate language --- */

/* The parts of a function's type, in the order of the children. */
enum impl_part { ATTRIBUTES, PARAMETERS, RESULTS };

static enum impl_part part_of(const struct fm_swift_node *node)
{
    switch (node->kind) {
    case FM_SWIFT_IMPL_PARAMETER: return PARAMETERS;
    case FM_SWIFT_IMPL_RESULT:
    case FM_SWIFT_IMPL_YIELD:
    case FM_SWIFT_IMPL_ERROR: return RESULTS;
    default: return ATTRIBUTES;
    }
}

/* Prints what separates the part that was printed last from the next one. */
static void begin_part(struct fm_swift_printer *p, const struct fm_swift_node *function, enum impl_part last,
                       enum impl_part next, unsigned depth)
{
    const struct fm_swift_node *pattern = fm_swift_find(function, FM_SWIFT_IMPL_PATTERN);
    if (last == ATTRIBUTES && next != ATTRIBUTES) {
        if (pattern != NULL) {
            FM_SWIFT_PUT(p, "@substituted ");
            fm_swift_print(p, fm_swift_child(pattern, 0), depth + 1);
            FM_SWIFT_PUT(p, " ");
        }
        FM_SWIFT_PUT(p, "(");
    }
    if (last == RESULTS || next != RESULTS) return;
    FM_SWIFT_PUT(p, ") -> ");
    if (fm_swift_find(function, FM_SWIFT_IMPL_SENDING) != NULL) FM_SWIFT_PUT(p, "sending ");
    FM_SWIFT_PUT(p, "(");
}

/* Prints the generic arguments of a function type. */
static void print_substitutions(struct fm_swift_printer *p, const struct fm_swift_node *types, unsigned depth)
{
    FM_SWIFT_PUT(p, " for <");
    fm_swift_print_list(p, types, (framemap_str){NULL, 0}, depth);
    FM_SWIFT_PUT(p, ">");
}

static void print_impl_function(struct fm_swift_printer *p, const struct fm_swift_node *node, unsigned depth)
{
    const struct fm_swift_node *pattern = fm_swift_find(node, FM_SWIFT_IMPL_PATTERN);
    const struct fm_swift_node *invocation = fm_swift_find(node, FM_SWIFT_IMPL_INVOCATION);
    enum impl_part last = ATTRIBUTES;
    for (uint32_t i = 0; i < node->count && !p->bad; i++) {
        struct fm_swift_node *child = fm_swift_child(node, i);
        const enum impl_part part = part_of(child);
        if (child == pattern || child == invocation || child->kind == FM_SWIFT_IMPL_SENDING) continue;
        if (part != ATTRIBUTES && part == last) FM_SWIFT_PUT(p, ", ");
        if (part != last) begin_part(p, node, last, part, depth);
        last = part;
        fm_swift_print(p, child, depth + 1);
        if (part == ATTRIBUTES) FM_SWIFT_PUT(p, " ");
    }
    begin_part(p, node, last, RESULTS, depth);
    FM_SWIFT_PUT(p, ")");
    if (pattern != NULL) print_substitutions(p, fm_swift_child(pattern, 1), depth);
    if (invocation != NULL) print_substitutions(p, fm_swift_child(invocation, 0), depth);
}

/* Prints the convention, marks and type of a parameter or result. Like Swift, leaves out three and more marks. */
static void print_impl_part(struct fm_swift_printer *p, const struct fm_swift_node *node, unsigned depth)
{
    fm_swift_print(p, fm_swift_child(node, 0), depth + 1);
    FM_SWIFT_PUT(p, " ");
    if (node->count == 3 || node->count == 4)
        fm_swift_print_children(p, node, 1, node->count - 1, (framemap_str){NULL, 0}, depth);
    fm_swift_print(p, fm_swift_last(node), depth + 1);
}

static void print_impl_convention(struct fm_swift_printer *p, const struct fm_swift_node *node, unsigned depth)
{
    FM_SWIFT_PUT(p, "@convention(");
    fm_swift_print(p, fm_swift_child(node, 0), depth + 1);
    if (node->count == 2) {
        FM_SWIFT_PUT(p, ", mangledCType: \"");
        fm_swift_print(p, fm_swift_child(node, 1), depth + 1);
        FM_SWIFT_PUT(p, "\"");
    }
    FM_SWIFT_PUT(p, ")");
}

static bool print_impl(struct fm_swift_printer *p, struct fm_swift_node *node, unsigned depth)
{
    switch (node->kind) {
    case FM_SWIFT_IMPL_FUNCTION: print_impl_function(p, node, depth); break;
    case FM_SWIFT_IMPL_CONVENTION: print_impl_convention(p, node, depth); break;
    case FM_SWIFT_IMPL_PARAMETER:
    case FM_SWIFT_IMPL_RESULT: print_impl_part(p, node, depth); break;
    case FM_SWIFT_IMPL_YIELD:
    case FM_SWIFT_IMPL_ERROR:
        fm_swift_put(p, node->kind == FM_SWIFT_IMPL_YIELD ? FM_STR("@yields ") : FM_STR("@error "));
        fm_swift_print_list(p, node, FM_STR(" "), depth);
        break;
    case FM_SWIFT_IMPL_MARK:
        fm_swift_put(p, fm_swift_text_of(node));
        if (fm_swift_text_of(node).size) FM_SWIFT_PUT(p, " ");
        break;
    default: return false;
    }
    return true;
}

bool fm_swift_print_generic(struct fm_swift_printer *p, struct fm_swift_node *node, unsigned depth)
{
    switch (node->kind) {
    case FM_SWIFT_GENERIC_PARAM: print_parameter(p, node->is.number >> 32, node->is.number & UINT32_MAX); break;
    case FM_SWIFT_GENERIC_TYPE: print_generic_type(p, node, depth); break;
    case FM_SWIFT_ASSOCIATED_NAME: print_associated_name(p, node, depth); break;
    case FM_SWIFT_SIGNATURE:
    case FM_SWIFT_PSEUDO_SIGNATURE: print_signature(p, node, depth); break;
    case FM_SWIFT_LAYOUT: print_layout(p, node, depth); break;
    case FM_SWIFT_INVERSE: print_inverse(p, node, depth); break;
    case FM_SWIFT_PROTOCOL_CONFORMANCE: print_conformance(p, node, depth); break;
    case FM_SWIFT_CONFORMANCE_LIST: print_conformance_list(p, node, depth); break;
    case FM_SWIFT_CONCRETE_CONFORMANCE: print_concrete(p, node, depth); break;
    case FM_SWIFT_CONFORMANCE_ASSOCIATED:
    case FM_SWIFT_CONFORMANCE_INHERITED:
    case FM_SWIFT_CONFORMANCE_ROOT: print_dependent(p, node, depth); break;
    default: return print_impl(p, node, depth);
    }
    return true;
}
