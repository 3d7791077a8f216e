/* Prints declarations: "main.Store.add(item: main.Item) -> ()", "closure #1 in f()". Called by swift_print.c. */
#include "resolve/demangle/swift/swift_printer.h"

/* How the type of a declaration is printed: not at all, after a colon, or directly after the name. */
enum type_style { NO_TYPE, WITH_COLON, FUNCTION_STYLE };
/* How a declaration is printed. */
struct style {
    enum type_style type;
    bool has_name;      /* the second child is the name */
    framemap_str extra; /* is printed after the name: "getter"; or, if it has several words, before it */
    bool has_number;    /* the number is printed after `extra` */
    uint64_t number;
    framemap_str overwrite; /* is printed in place of the name: "subscript" */
};
/* The parts of a declaration that is printed. */
struct entity {
    struct fm_swift_node *node;
    struct fm_swift_node *arguments; /* the generic arguments of a bound function, or NULL */
    bool is_phrase;                  /* the name has several words, so that the context follows it */
};

static void print_extra(struct fm_swift_printer *p, const struct style *style)
{
    fm_swift_put(p, style->extra);
    if (style->has_number) fm_swift_put_number(p, style->number);
}

static void print_name(struct fm_swift_printer *p, const struct entity *entity, const struct style *style,
                       unsigned depth)
{
    if (!style->has_name && style->overwrite.size == 0) {
        print_extra(p, style);
        return;
    }
    const bool extra_first = style->extra.size > 0 && entity->is_phrase;
    if (extra_first) {
        print_extra(p, style);
        FM_SWIFT_PUT(p, " of ");
    }
    const size_t before = p->size;
    fm_swift_put(p, style->overwrite);
    if (style->overwrite.size == 0) {
        struct fm_swift_node *name = fm_swift_child(entity->node, 1);
        struct fm_swift_node *private_name = fm_swift_find(entity->node, FM_SWIFT_PRIVATE_NAME);
        if (!fm_swift_is(name, FM_SWIFT_PRIVATE_NAME)) fm_swift_print(p, name, depth + 1);
        if (private_name != NULL) fm_swift_print(p, private_name, depth + 1);
    }
    if (extra_first || style->extra.size == 0) return;
    if (p->size != before) FM_SWIFT_PUT(p, ".");
    print_extra(p, style);
}

/* Prints the type of a declaration, with the labels of its arguments. */
static void print_entity_type(struct fm_swift_printer *p, const struct entity *entity, struct fm_swift_node *type,
                              unsigned depth)
{
    const struct fm_swift_node *labels = fm_swift_find(entity->node, FM_SWIFT_LABEL_LIST);
    if (labels == NULL && entity->arguments == NULL) {
        fm_swift_print(p, type, depth + 1);
        return;
    }
    if (entity->arguments != NULL) {
        FM_SWIFT_PUT(p, "<");
        fm_swift_print_list(p, entity->arguments, FM_STR(", "), depth);
        FM_SWIFT_PUT(p, ">");
    }
    if (fm_swift_is(type, FM_SWIFT_GENERIC_TYPE)) {
        if (entity->arguments == NULL) fm_swift_print(p, fm_swift_child(type, 0), depth + 1);
        struct fm_swift_node *dependent = fm_swift_child(type, 1);
        if (fm_swift_needs_space(dependent)) FM_SWIFT_PUT(p, " ");
        type = fm_swift_unwrap(dependent);
    }
    fm_swift_print_function(p, labels, type, depth);
}

/* Whether a type, without its generic signature, is a function whose parameters can follow the name directly. */
static bool is_function(struct fm_swift_printer *p, const struct fm_swift_node *type)
{
    for (; fm_swift_is(type, FM_SWIFT_GENERIC_TYPE); type = fm_swift_unwrap(fm_swift_child(type, 1)))
        fm_swift_count(p, 1);
    return fm_swift_is(type, FM_SWIFT_FUNCTION_TYPE) || fm_swift_is(type, FM_SWIFT_NOESCAPE_FUNCTION) ||
           fm_swift_is(type, FM_SWIFT_UNCURRIED_FUNCTION) || fm_swift_is(type, FM_SWIFT_C_FUNCTION) ||
           fm_swift_is(type, FM_SWIFT_THIN_FUNCTION);
}

static void print_type(struct fm_swift_printer *p, const struct entity *entity, enum type_style style, unsigned depth)
{
    struct fm_swift_node *type = fm_swift_unwrap(fm_swift_find(entity->node, FM_SWIFT_TYPE));
    if (type == NULL) {
        p->bad = true;
        return;
    }
    if (style == FUNCTION_STYLE && !is_function(p, type)) style = WITH_COLON;
    if (style == WITH_COLON && !p->is_full) return;
    if (style == WITH_COLON)
        FM_SWIFT_PUT(p, " : ");
    else if (entity->is_phrase || fm_swift_needs_space(type))
        FM_SWIFT_PUT(p, " ");
    print_entity_type(p, entity, type, depth);
}

/* Whether what a declaration is part of is linked by "of" instead of "in". */
static bool is_linked_by_of(const struct fm_swift_node *node)
{
    switch (node->kind) {
    case FM_SWIFT_DEFAULT_ARGUMENT:
    case FM_SWIFT_INITIALIZER:
    case FM_SWIFT_WRAPPER_BACKING:
    case FM_SWIFT_WRAPPER_FIELD_INIT:
    case FM_SWIFT_WRAPPER_PROJECTED: return true;
    default: return false;
    }
}

/* Prints a declaration: the context before the name if both are single words, otherwise after the type. */
static struct fm_swift_node *print_styled(struct fm_swift_printer *p, struct fm_swift_node *node,
                                          const struct style *style, unsigned depth, bool is_prefix)
{
    struct entity entity = {node, NULL, false};
    if (node->kind == FM_SWIFT_BOUND_FUNCTION) {
        entity.node = fm_swift_child(node, 0);
        entity.arguments = fm_swift_child(node, 1);
    }
    struct fm_swift_node *context = fm_swift_child(entity.node, 0), *after = NULL;
    if (context == NULL) {
        p->bad = true;
        return NULL;
    }
    entity.is_phrase = fm_str_find_byte(style->extra, ' ') != FM_NOT_FOUND ||
                       (style->has_name && fm_swift_is(fm_swift_child(entity.node, 1), FM_SWIFT_LOCAL_NAME));
    if (is_prefix && (style->type != NO_TYPE || entity.is_phrase)) return entity.node;
    if (entity.is_phrase) {
        after = context;
    } else {
        const size_t before = p->size;
        after = p->print(p, context, depth + 1, true);
        if (p->size != before) FM_SWIFT_PUT(p, ".");
    }
    print_name(p, &entity, style, depth);
    if (style->type != NO_TYPE) print_type(p, &entity, style->type, depth);
    if (is_prefix || after == NULL || p->bad) return after;
    fm_swift_put(p, is_linked_by_of(entity.node) ? FM_STR(" of ") : FM_STR(" in "));
    fm_swift_print(p, after, depth + 1);
    return NULL;
}

/* Prints an accessor of a variable or subscript. */
static struct fm_swift_node *print_storage(struct fm_swift_printer *p, const struct fm_swift_node *node, unsigned depth,
                                           bool is_prefix)
{
    struct fm_swift_node *storage = fm_swift_child(node, 0);
    struct style style = {.type = WITH_COLON, .extra = framemap_str_of(fm_swift_words[node->kind])};
    if (fm_swift_is(storage, FM_SWIFT_VARIABLE)) {
        style.has_name = true;
    } else if (fm_swift_is(storage, FM_SWIFT_SUBSCRIPT)) {
        style.overwrite = FM_STR("subscript");
    } else {
        p->bad = true;
        return NULL;
    }
    return print_styled(p, storage, &style, depth, is_prefix);
}

/* Sets the number of a style from a child, which counts from `base`. false: there is no such child. */
static bool number_from(struct style *style, const struct fm_swift_node *number, uint64_t base)
{
    if (number == NULL || number->content != FM_SWIFT_VALUE) return false;
    style->has_number = true;
    style->number = number->is.number + base;
    return true;
}

/* Prints the expansion of a macro that is attached to a declaration. */
static struct fm_swift_node *print_attached(struct fm_swift_printer *p, struct fm_swift_node *node, unsigned depth,
                                            bool is_prefix)
{
    const framemap_str role = framemap_str_of(fm_swift_words[node->kind]), head = FM_STR(" macro @"),
                       macro = fm_swift_text_of(fm_swift_child(node, 2)), tail = FM_STR(" expansion #");
    const framemap_str pieces[] = {role, head, macro, tail};
    struct style style = {.has_name = true};
    char *text = fm_swift_alloc(p->pool, role.size + head.size + macro.size + tail.size);
    if (text == NULL || !number_from(&style, fm_swift_child(node, 3), 1)) {
        p->bad = true;
        return NULL;
    }
    style.extra.data = text;
    for (size_t i = 0; i < sizeof pieces / sizeof *pieces; i++) {
        if (pieces[i].size) memcpy(text + style.extra.size, pieces[i].data, pieces[i].size);
        style.extra.size += pieces[i].size;
    }
    return print_styled(p, node, &style, depth, is_prefix);
}

static bool is_class(const struct fm_swift_node *node) { return fm_swift_is(node, FM_SWIFT_CLASS); }

/* Sets the style of functions, initializers and closures. Returns false if the node is of another kind, or
 * malformed. */
static bool function_style(const struct fm_swift_printer *p, const struct fm_swift_node *node, struct style *style)
{
    const struct fm_swift_node *context = fm_swift_child(node, 0);
    style->type = FUNCTION_STYLE;
    switch (node->kind) {
    case FM_SWIFT_FUNCTION:
    case FM_SWIFT_BOUND_FUNCTION: style->has_name = true; return true;
    case FM_SWIFT_SUBSCRIPT: style->overwrite = FM_STR("subscript"); return true;
    case FM_SWIFT_ALLOCATOR:
        style->extra = is_class(context) ? FM_STR("__allocating_init") : FM_STR("init");
        return true;
    case FM_SWIFT_CONSTRUCTOR:
        style->extra = FM_STR("init");
        style->has_name = node->count > 2;
        return true;
    case FM_SWIFT_EXPLICIT_CLOSURE:
    case FM_SWIFT_IMPLICIT_CLOSURE:
        style->extra = node->kind == FM_SWIFT_EXPLICIT_CLOSURE ? FM_STR("closure #") : FM_STR("implicit closure #");
        if (!p->is_full) style->type = NO_TYPE;
        return number_from(style, fm_swift_child(node, 1), 1);
    default: return false;
    }
}

/* Sets the style of declarations without a type. Returns false if the node is of another kind, or malformed. */
static bool plain_style(const struct fm_swift_node *node, struct style *style)
{
    const struct fm_swift_node *context = fm_swift_child(node, 0);
    style->type = NO_TYPE;
    switch (node->kind) {
    case FM_SWIFT_DESTRUCTOR: style->extra = FM_STR("deinit"); return true;
    case FM_SWIFT_DEALLOCATOR:
        style->extra = is_class(context) ? FM_STR("__deallocating_deinit") : FM_STR("deinit");
        return true;
    case FM_SWIFT_ISOLATED_DEALLOCATOR:
        style->extra = is_class(context) ? FM_STR("__isolated_deallocating_deinit") : FM_STR("deinit");
        return true;
    case FM_SWIFT_IVAR_INITIALIZER: style->extra = FM_STR("__ivar_initializer"); return true;
    case FM_SWIFT_IVAR_DESTROYER: style->extra = FM_STR("__ivar_destroyer"); return true;
    case FM_SWIFT_INITIALIZER: style->extra = FM_STR("variable initialization expression"); return true;
    case FM_SWIFT_WRAPPER_BACKING: style->extra = FM_STR("property wrapper backing initializer"); return true;
    case FM_SWIFT_WRAPPER_FIELD_INIT: style->extra = FM_STR("property wrapped field init accessor"); return true;
    case FM_SWIFT_WRAPPER_PROJECTED: style->extra = FM_STR("property wrapper init from projected value"); return true;
    case FM_SWIFT_DEFAULT_ARGUMENT:
        style->extra = FM_STR("default argument ");
        return number_from(style, fm_swift_child(node, 1), 0);
    case FM_SWIFT_FREESTANDING_EXPANSION:
        style->has_name = true;
        style->extra = FM_STR("freestanding macro expansion #");
        return number_from(style, fm_swift_child(node, 2), 1);
    case FM_SWIFT_UNIQUE_NAME:
        style->has_name = true;
        style->extra = FM_STR("unique name #");
        return number_from(style, fm_swift_child(node, 2), 1);
    default: return false;
    }
}

struct fm_swift_node *fm_swift_print_entity(struct fm_swift_printer *p, struct fm_swift_node *node, unsigned depth,
                                            bool is_prefix, bool *is_entity)
{
    struct style style = {.has_name = true};
    *is_entity = true;
    switch (node->kind) {
    case FM_SWIFT_CLASS:
    case FM_SWIFT_STRUCTURE:
    case FM_SWIFT_ENUM:
    case FM_SWIFT_PROTOCOL:
    case FM_SWIFT_TYPE_ALIAS:
    case FM_SWIFT_OTHER_NOMINAL:
    case FM_SWIFT_GENERIC_PARAM_DECL: return print_styled(p, node, &style, depth, is_prefix);
    case FM_SWIFT_VARIABLE: style.type = WITH_COLON; return print_styled(p, node, &style, depth, is_prefix);
    case FM_SWIFT_MACRO:
        style.type = node->count == 3 ? WITH_COLON : FUNCTION_STYLE;
        return print_styled(p, node, &style, depth, is_prefix);
    case FM_SWIFT_ACCESSOR_EXPANSION:
    case FM_SWIFT_ATTRIBUTE_EXPANSION:
    case FM_SWIFT_MEMBER_EXPANSION:
    case FM_SWIFT_PEER_EXPANSION:
    case FM_SWIFT_CONFORMANCE_EXPANSION:
    case FM_SWIFT_EXTENSION_EXPANSION:
    case FM_SWIFT_PREAMBLE_EXPANSION:
    case FM_SWIFT_BODY_EXPANSION: return print_attached(p, node, depth, is_prefix);
    default: break;
    }
    if (fm_swift_has(node, FM_SWIFT_IS_STORAGE)) return print_storage(p, node, depth, is_prefix);
    style.has_name = false;
    if (function_style(p, node, &style) || plain_style(node, &style))
        return print_styled(p, node, &style, depth, is_prefix);
    *is_entity = false;
    return NULL;
}
