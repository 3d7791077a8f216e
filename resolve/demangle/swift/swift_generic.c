/* Reads generic types, signatures and requirements. Called by swift_operators.c and the readers of types. */
#include "resolve/demangle/swift/swift_parts.h"

/* --- arguments --- */

/* Whether a declaration takes a level of the arguments; variables and closures, for example, take no arguments. */
static bool takes_arguments(const struct fm_swift_node *node)
{
    switch (node->kind) {
    case FM_SWIFT_VARIABLE:
    case FM_SWIFT_SUBSCRIPT:
    case FM_SWIFT_EXPLICIT_CLOSURE:
    case FM_SWIFT_IMPLICIT_CLOSURE:
    case FM_SWIFT_DEFAULT_ARGUMENT:
    case FM_SWIFT_INITIALIZER:
    case FM_SWIFT_WRAPPER_BACKING:
    case FM_SWIFT_WRAPPER_FIELD_INIT:
    case FM_SWIFT_WRAPPER_PROJECTED:
    case FM_SWIFT_STATIC: return false;
    default: return true;
    }
}

/* Copies a declaration into another context. An extension between the two is copied, too. */
static struct fm_swift_node *move_into(struct fm_swift_reader *r, const struct fm_swift_node *node,
                                       struct fm_swift_node *context)
{
    const struct fm_swift_node *before = fm_swift_child(node, 0);
    if (fm_swift_is(before, FM_SWIFT_EXTENSION)) {
        context = fm_swift_make2(r, FM_SWIFT_EXTENSION, fm_swift_child(before, 0), context);
        context = fm_swift_with_optional(r, context, fm_swift_child(before, 2));
    }
    struct fm_swift_node *moved = fm_swift_make1(r, (enum fm_swift_kind)node->kind, context);
    for (uint32_t i = 1; i < node->count; i++) moved = fm_swift_with(r, moved, fm_swift_child(node, i));
    return moved;
}

/* Gives a declaration its arguments. */
static struct fm_swift_node *bind(struct fm_swift_reader *r, struct fm_swift_node *node,
                                  struct fm_swift_node *arguments)
{
    enum fm_swift_kind kind;
    if (node == NULL || arguments == NULL || arguments->count == 0) return arguments != NULL ? node : NULL;
    switch (node->kind) {
    case FM_SWIFT_CLASS: kind = FM_SWIFT_BOUND_CLASS; break;
    case FM_SWIFT_STRUCTURE: kind = FM_SWIFT_BOUND_STRUCTURE; break;
    case FM_SWIFT_ENUM: kind = FM_SWIFT_BOUND_ENUM; break;
    case FM_SWIFT_PROTOCOL: kind = FM_SWIFT_BOUND_PROTOCOL; break;
    case FM_SWIFT_OTHER_NOMINAL: kind = FM_SWIFT_BOUND_OTHER_NOMINAL; break;
    case FM_SWIFT_TYPE_ALIAS: kind = FM_SWIFT_BOUND_TYPE_ALIAS; break;
    case FM_SWIFT_FUNCTION:
    case FM_SWIFT_CONSTRUCTOR: return fm_swift_make2(r, FM_SWIFT_BOUND_FUNCTION, node, arguments);
    default: return NULL;
    }
    return fm_swift_make2(r, kind, fm_swift_type(r, node), arguments);
}

/* Lists a declaration and its contexts, as far out as there are levels of arguments. *used: the levels taken. */
static bool list_contexts(struct fm_swift_reader *r, struct fm_swift_node *node, uint32_t levels,
                          struct fm_swift_list *contexts, uint32_t *used)
{
    for (*used = 0;;) {
        if (node == NULL || node->count == 0 || !fm_swift_list_add(r->pool, contexts, node)) return false;
        if (takes_arguments(node)) ++*used;
        if (*used == levels) return true;
        node = fm_swift_child(node, 0);
        if (fm_swift_is(node, FM_SWIFT_EXTENSION)) node = fm_swift_child(node, 1);
    }
}

struct fm_swift_node *fm_swift_bound_generic(struct fm_swift_reader *r)
{
    struct fm_swift_node *levels, *conformances, *bound = NULL;
    struct fm_swift_list contexts;
    uint32_t used;
    if (!fm_swift_arguments(r, &levels, &conformances)) return NULL;
    fm_swift_list_init(&contexts);
    if (!list_contexts(r, fm_swift_pop_nominal(r), levels->count, &contexts, &used)) return NULL;
    for (size_t i = contexts.count; i-- > 0;) { /* from the outermost context inwards */
        struct fm_swift_node *node = contexts.nodes[i];
        const bool takes = takes_arguments(node);
        if (i + 1 < contexts.count) node = move_into(r, node, bound);
        bound = takes ? bind(r, node, fm_swift_child(levels, --used)) : node;
        if (bound == NULL) return NULL;
    }
    bound = fm_swift_with_optional(r, bound, conformances);
    return fm_swift_substitutable(r, fm_swift_type(r, bound));
}

/* --- signatures --- */

struct fm_swift_node *fm_swift_signature(struct fm_swift_reader *r, bool has_counts)
{
    struct fm_swift_node *signature = fm_swift_make(r, FM_SWIFT_SIGNATURE), *requirement;
    uint64_t count = 1;
    if (!has_counts) signature = fm_swift_with(r, signature, fm_swift_number(r->pool, FM_SWIFT_PARAM_COUNT, count));
    while (has_counts && !fm_swift_take_if(r, 'l')) {
        const bool is_empty = fm_swift_take_if(r, 'z');
        const int32_t index = is_empty ? 0 : fm_swift_index(r);
        if (index < 0) return NULL;
        count = is_empty ? 0 : (uint64_t)index + 1;
        signature = fm_swift_with(r, signature, fm_swift_number(r->pool, FM_SWIFT_PARAM_COUNT, count));
        if (signature == NULL) return NULL;
    }
    if (signature == NULL) return NULL;
    const uint32_t counts = signature->count;
    while ((requirement = fm_swift_pop_with(r, FM_SWIFT_IS_REQUIREMENT)) != NULL)
        if (!fm_swift_add(r->pool, signature, requirement)) return NULL;
    fm_swift_reverse(signature, counts);
    return signature;
}

struct fm_swift_node *fm_swift_generic_type(struct fm_swift_reader *r)
{
    struct fm_swift_node *signature = fm_swift_pop(r, FM_SWIFT_SIGNATURE);
    return fm_swift_type(r, fm_swift_make2(r, FM_SWIFT_GENERIC_TYPE, signature, fm_swift_pop_type(r)));
}

/* --- requirements --- */

/* What a requirement is about: a parameter, a member of one, a member of a member, or a type on the stack. */
enum subject { PARAMETER, MEMBER, MEMBER_PATH, ON_STACK };
enum constraint { PROTOCOL, BASE_CLASS, SAME_TYPE, SAME_SHAPE, LAYOUT, PACK, VALUE, INVERSE };
struct requirement_row {
    char letter;
    unsigned char constraint, subject;
};

static struct fm_swift_node *subject_of(struct fm_swift_reader *r, unsigned subject)
{
    if (subject == ON_STACK) return fm_swift_pop_type(r);
    struct fm_swift_node *parameter = fm_swift_generic_param(r);
    if (parameter == NULL || subject == PARAMETER) return fm_swift_type(r, parameter);
    return fm_swift_substitutable(r, subject == MEMBER ? fm_swift_member(r, parameter)
                                                       : fm_swift_member_path(r, parameter));
}

/* Reads a constraint on the memory layout: a letter, and for some letters a size and an alignment. */
static struct fm_swift_node *layout(struct fm_swift_reader *r, struct fm_swift_node *type)
{
    const char letter = fm_swift_peek(r);
    if (letter == 0 || strchr("URNCDTBEeMmS", letter) == NULL) return NULL;
    struct fm_swift_node *name = fm_swift_text(r->pool, FM_SWIFT_IDENTIFIER, fm_str_slice(r->text, r->at, r->at + 1));
    r->at++;
    struct fm_swift_node *node = fm_swift_make2(r, FM_SWIFT_LAYOUT, type, name);
    if (strchr("EeMmS", letter)) node = fm_swift_with(r, node, fm_swift_index_node(r));
    if (letter == 'E' || letter == 'M') node = fm_swift_with_optional(r, node, fm_swift_index_node(r));
    return node;
}

struct fm_swift_node *fm_swift_requirement(struct fm_swift_reader *r)
{
    static const struct requirement_row rows[] = {
        {'p', PROTOCOL, MEMBER},       {'P', PROTOCOL, MEMBER_PATH}, {'Q', PROTOCOL, ON_STACK},
        {'b', BASE_CLASS, PARAMETER},  {'c', BASE_CLASS, MEMBER},    {'C', BASE_CLASS, MEMBER_PATH},
        {'B', BASE_CLASS, ON_STACK},   {'s', SAME_TYPE, PARAMETER},  {'t', SAME_TYPE, MEMBER},
        {'T', SAME_TYPE, MEMBER_PATH}, {'S', SAME_TYPE, ON_STACK},   {'h', SAME_SHAPE, PARAMETER},
        {'l', LAYOUT, PARAMETER},      {'m', LAYOUT, MEMBER},        {'M', LAYOUT, MEMBER_PATH},
        {'L', LAYOUT, ON_STACK},       {'v', PACK, PARAMETER},       {'V', VALUE, PARAMETER},
        {'i', INVERSE, PARAMETER},     {'I', INVERSE, ON_STACK}};
    struct requirement_row row = {0, PROTOCOL, PARAMETER};
    struct fm_swift_node *number = NULL;
    for (size_t i = 0; i < sizeof rows / sizeof *rows && row.letter == 0; i++)
        if (rows[i].letter == fm_swift_peek(r)) row = rows[i];
    if (row.letter) r->at++;
    if (row.constraint == INVERSE && (number = fm_swift_index_node(r)) == NULL) return NULL;
    struct fm_swift_node *subject = subject_of(r, row.subject);
    switch ((enum constraint)row.constraint) {
    case PROTOCOL: return fm_swift_make2(r, FM_SWIFT_CONFORMS, subject, fm_swift_pop_protocol(r));
    case BASE_CLASS: return fm_swift_make2(r, FM_SWIFT_CONFORMS, subject, fm_swift_pop_type(r));
    case SAME_TYPE: return fm_swift_make2(r, FM_SWIFT_SAME_TYPE, subject, fm_swift_pop_type(r));
    case SAME_SHAPE: return fm_swift_make2(r, FM_SWIFT_SAME_SHAPE, subject, fm_swift_pop_type(r));
    case LAYOUT: return layout(r, subject);
    case PACK: return fm_swift_make1(r, FM_SWIFT_PACK_MARKER, subject);
    case VALUE: return fm_swift_make2(r, FM_SWIFT_VALUE_MARKER, subject, fm_swift_pop_type(r));
    case INVERSE: return fm_swift_make2(r, FM_SWIFT_INVERSE, subject, number);
    }
    return NULL;
}
