/* Reads types of functions, and the labels of arguments that precede them. Called by the readers of types and
 * declarations. */
#include "resolve/demangle/swift/swift_parts.h"

const char *fm_swift_differentiability(char letter)
{
    switch (letter) {
    case 'd': return "@differentiable";
    case 'l': return "@differentiable(_linear)";
    case 'f': return "@differentiable(_forward)";
    case 'r': return "@differentiable(reverse)";
    default: return NULL;
    }
}

struct fm_swift_node *fm_swift_clang_type(struct fm_swift_reader *r)
{
    const int32_t size = fm_swift_natural(r);
    if (size <= 0 || (size_t)size > r->text.size - r->at) return NULL;
    const framemap_str text = fm_str_slice(r->text, r->at, r->at + (size_t)size);
    r->at += (size_t)size;
    return fm_swift_text(r->pool, FM_SWIFT_CLANG_TYPE, text);
}

/* Pops the parameters or the result: a type, or the empty list. */
static struct fm_swift_node *pop_part(struct fm_swift_reader *r, enum fm_swift_kind kind)
{
    struct fm_swift_node *type = fm_swift_pop(r, FM_SWIFT_EMPTY_LIST)
                                     ? fm_swift_type(r, fm_swift_make(r, FM_SWIFT_TUPLE))
                                     : fm_swift_pop_type(r);
    return fm_swift_make1(r, kind, type);
}

struct fm_swift_node *fm_swift_function_type(struct fm_swift_reader *r, enum fm_swift_kind kind, bool has_clang_type)
{
    struct fm_swift_node *type = fm_swift_make(r, kind);
    if (has_clang_type) type = fm_swift_with(r, type, fm_swift_clang_type(r));
    /* the parts are on the stack in the order of the text; the printer relies on this order of the children */
    type = fm_swift_with_optional(r, type, fm_swift_pop(r, FM_SWIFT_SENDING_RESULT));
    type = fm_swift_with_optional(r, type, fm_swift_pop_with(r, FM_SWIFT_IS_ISOLATION));
    type = fm_swift_with_optional(r, type, fm_swift_pop(r, FM_SWIFT_DIFFERENTIABLE));
    type = fm_swift_with_optional(r, type, fm_swift_pop_with(r, FM_SWIFT_IS_THROWS));
    type = fm_swift_with_optional(r, type, fm_swift_pop(r, FM_SWIFT_SENDABLE));
    type = fm_swift_with_optional(r, type, fm_swift_pop(r, FM_SWIFT_ASYNC));
    type = fm_swift_with(r, type, pop_part(r, FM_SWIFT_ARGUMENT_TUPLE));
    type = fm_swift_with(r, type, pop_part(r, FM_SWIFT_RETURN_TYPE));
    return fm_swift_type(r, type);
}

/* Returns the parameters of a function type, a TUPLE or another type, and in *holder the TYPE that wraps them. NULL:
 * the type is not a function. */
static struct fm_swift_node *parameters_of(struct fm_swift_node *type, struct fm_swift_node **holder)
{
    if (!fm_swift_is(type, FM_SWIFT_TYPE)) return NULL;
    struct fm_swift_node *function = fm_swift_child(type, 0);
    if (fm_swift_is(function, FM_SWIFT_GENERIC_TYPE)) {
        type = fm_swift_child(function, 1);
        function = type != NULL ? fm_swift_child(type, 0) : NULL;
    }
    if (!fm_swift_is(function, FM_SWIFT_FUNCTION_TYPE) && !fm_swift_is(function, FM_SWIFT_NOESCAPE_FUNCTION))
        return NULL;
    const struct fm_swift_node *arguments = fm_swift_child(function, function->count - 2);
    *holder = arguments != NULL ? fm_swift_child(arguments, 0) : NULL;
    return fm_swift_unwrap(*holder);
}

/* Takes the label out of an element of a tuple. */
static struct fm_swift_node *take_label(struct fm_swift_reader *r, struct fm_swift_node *element)
{
    struct fm_swift_node *label = fm_swift_find(element, FM_SWIFT_TUPLE_LABEL);
    if (label == NULL) return fm_swift_make(r, FM_SWIFT_FIRST_ELEMENT);
    struct fm_swift_node *kept[2];
    uint32_t count = 0;
    for (uint32_t i = 0; i < element->count && count < 2; i++)
        if (fm_swift_child(element, i) != label) kept[count++] = fm_swift_child(element, i);
    memcpy(element->is.few, kept, count * sizeof *kept);
    element->count = count;
    return fm_swift_rename(r->pool, label, FM_SWIFT_IDENTIFIER);
}

/* Moves the labels of Swift 4.0, which are in the parameters, into a list. */
static struct fm_swift_node *old_labels(struct fm_swift_reader *r, const struct fm_swift_node *parameters)
{
    struct fm_swift_node *list = fm_swift_make(r, FM_SWIFT_LABEL_LIST);
    bool has_labels = false;
    if (!fm_swift_is(parameters, FM_SWIFT_TUPLE)) return list;
    for (uint32_t i = 0; i < parameters->count; i++) {
        struct fm_swift_node *label = take_label(r, fm_swift_child(parameters, i));
        has_labels = has_labels || fm_swift_is(label, FM_SWIFT_IDENTIFIER);
        list = fm_swift_with(r, list, label);
    }
    return has_labels ? list : fm_swift_make(r, FM_SWIFT_LABEL_LIST);
}

bool fm_swift_labels(struct fm_swift_reader *r, struct fm_swift_node *type, struct fm_swift_node **labels)
{
    struct fm_swift_node *holder = NULL;
    *labels = NULL;
    if (!r->has_old_functions && fm_swift_pop(r, FM_SWIFT_EMPTY_LIST)) {
        *labels = fm_swift_make(r, FM_SWIFT_LABEL_LIST);
        return *labels != NULL;
    }
    const struct fm_swift_node *parameters = parameters_of(type, &holder);
    const uint32_t count = parameters == NULL ? 0 : fm_swift_is(parameters, FM_SWIFT_TUPLE) ? parameters->count : 1;
    if (count == 0) return true;
    if (r->has_old_functions) {
        *labels = old_labels(r, parameters);
        return *labels != NULL;
    }
    struct fm_swift_node *list = fm_swift_make(r, FM_SWIFT_LABEL_LIST);
    bool has_labels = false;
    for (uint32_t i = 0; i < count; i++) {
        struct fm_swift_node *label = fm_swift_pop_any(r);
        if (!fm_swift_is(label, FM_SWIFT_IDENTIFIER) && !fm_swift_is(label, FM_SWIFT_FIRST_ELEMENT)) return true;
        has_labels = has_labels || fm_swift_is(label, FM_SWIFT_IDENTIFIER);
        if (!fm_swift_add(r->pool, list, label)) return false;
    }
    *labels = has_labels ? list : fm_swift_make(r, FM_SWIFT_LABEL_LIST);
    if (*labels == NULL) return false;
    fm_swift_reverse(*labels, 0);
    return true;
}
