/* Prints specializations, thunks, key paths and derivatives. Called by swift_print.c. */
#include "resolve/demangle/swift/swift_operators.h"
#include "resolve/demangle/swift/swift_printer.h"

/* Names within names that are printed readable: a specialization names the function that was passed to it. */
#define MOST_NESTING 8u

/* --- names within names --- */

/* Demangles a name in the name that is printed. Returns NULL if the text is not a name. */
static struct fm_swift_node *read_nested(struct fm_swift_printer *p, framemap_str name)
{
    struct fm_swift_reader *r = fm_swift_alloc(p->pool, sizeof *r);
    if (r == NULL || !fm_swift_work(p->pool, sizeof *r / sizeof(void *) + name.size)) {
        p->bad = true;
        return NULL;
    }
    return fm_swift_reader_init(r, p->pool, name) ? fm_swift_read(r) : NULL;
}

/* Prints a name within the name: in full and without sugar, as Swift does; or as it is spelled. */
static void print_nested(struct fm_swift_printer *p, framemap_str name, unsigned depth)
{
    struct fm_swift_node *node = p->nesting < MOST_NESTING ? read_nested(p, name) : NULL;
    const size_t before = p->size;
    const bool has_sugar = p->has_sugar;
    if (node != NULL) {
        p->has_sugar = false;
        p->nesting++;
        fm_swift_print(p, node, depth + 1);
        p->nesting--;
        p->has_sugar = has_sugar;
    }
    if (p->size == before) fm_swift_put(p, name);
}

/* --- specializations --- */

static framemap_str change_words(uint64_t change)
{
    switch (change) {
    case FM_SWIFT_CONSTANT_FUNCTION: return FM_STR("Constant Propagated Function");
    case FM_SWIFT_CONSTANT_GLOBAL: return FM_STR("Constant Propagated Global");
    case FM_SWIFT_CONSTANT_INTEGER: return FM_STR("Constant Propagated Integer");
    case FM_SWIFT_CONSTANT_FLOAT: return FM_STR("Constant Propagated Float");
    case FM_SWIFT_CONSTANT_STRING: return FM_STR("Constant Propagated String");
    case FM_SWIFT_CONSTANT_KEY_PATH: return FM_STR("Constant Propagated KeyPath");
    case FM_SWIFT_CONSTANT_STRUCT: return FM_STR("Constant Propagated Struct");
    case FM_SWIFT_CLOSURE: return FM_STR("Closure Propagated");
    case FM_SWIFT_SAME_CLOSURE: return FM_STR("Same As Argument");
    case FM_SWIFT_BOX_TO_VALUE: return FM_STR("Value Promoted from Box");
    case FM_SWIFT_BOX_TO_STACK: return FM_STR("Stack Promoted from Box");
    case FM_SWIFT_INOUT_TO_OUT: return FM_STR("InOut Converted to Out");
    default: return (framemap_str){NULL, 0};
    }
}

static void print_change(struct fm_swift_printer *p, uint64_t change)
{
    static const struct {
        unsigned flag;
        framemap_str words;
    } flags[] = {{FM_SWIFT_EXISTENTIAL_TO_GENERIC, FM_STR_INIT("Existential To Protocol Constrained Generic")},
                 {FM_SWIFT_DEAD, FM_STR_INIT("Dead")},
                 {FM_SWIFT_OWNED_TO_GUARANTEED, FM_STR_INIT("Owned To Guaranteed")},
                 {FM_SWIFT_GUARANTEED_TO_OWNED, FM_STR_INIT("Guaranteed To Owned")},
                 {FM_SWIFT_EXPLODED, FM_STR_INIT("Exploded")}};
    bool is_first = true;
    fm_swift_put(p, change_words(change));
    for (size_t i = 0; i < sizeof flags / sizeof *flags && change >= FM_SWIFT_EXISTENTIAL_TO_GENERIC; i++) {
        if ((change & flags[i].flag) == 0) continue;
        if (!is_first) FM_SWIFT_PUT(p, " and ");
        fm_swift_put(p, flags[i].words);
        is_first = false;
    }
}

/* A specialized argument that is printed. Its children are the changes, and then what they refer to. */
struct argument {
    const struct fm_swift_node *node;
    uint32_t at;      /* the next change */
    uint32_t payload; /* the next name or type */
};

/* Returns the next name or type that a change refers to; NULL: all were returned. */
static struct fm_swift_node *next_payload(struct argument *argument)
{
    while (argument->payload < argument->node->count) {
        struct fm_swift_node *child = fm_swift_child(argument->node, argument->payload++);
        if (child->kind != FM_SWIFT_SPEC_CHANGE && child->kind != FM_SWIFT_SPEC_PAYLOAD) return child;
    }
    return NULL;
}

static void print_payload(struct fm_swift_printer *p, struct argument *argument, unsigned depth)
{
    struct fm_swift_node *node = next_payload(argument);
    if (node != NULL) fm_swift_print(p, node, depth + 1);
}

/* Prints a constant string; an underscore before it only separates it from a digit. */
static void print_string(struct fm_swift_printer *p, struct argument *argument)
{
    const framemap_str text = fm_swift_text_of(next_payload(argument));
    fm_swift_put(p, text.size && text.data[0] == '_' ? fm_str_from(text, 1) : text);
}

/* Prints a closure and the types of what it captures. Like Swift, prints nothing between two types. */
static void print_closure(struct fm_swift_printer *p, struct argument *argument, unsigned depth)
{
    fm_swift_print(p, fm_swift_child(argument->node, argument->at++), depth + 1);
    FM_SWIFT_PUT(p, ", Argument Types : [");
    for (; fm_swift_is(fm_swift_child(argument->node, argument->at), FM_SWIFT_TYPE) && !p->bad; argument->at++)
        fm_swift_print(p, fm_swift_child(argument->node, argument->at), depth + 1);
}

/* Prints what is known about an argument whose change is not made of flags. */
static void print_known(struct fm_swift_printer *p, struct argument *argument, uint64_t change, unsigned depth)
{
    const struct fm_swift_node *own = fm_swift_child(argument->node, argument->at);
    FM_SWIFT_PUT(p, "[");
    print_change(p, change);
    fm_swift_put(p, change == FM_SWIFT_SAME_CLOSURE ? FM_STR(" ") : FM_STR(" : "));
    switch (change) {
    case FM_SWIFT_CONSTANT_FUNCTION:
    case FM_SWIFT_CONSTANT_GLOBAL: print_nested(p, fm_swift_text_of(next_payload(argument)), depth); break;
    case FM_SWIFT_CONSTANT_INTEGER:
    case FM_SWIFT_CONSTANT_FLOAT:
    case FM_SWIFT_CONSTANT_STRING:
    case FM_SWIFT_SAME_CLOSURE:
        if (own != NULL && own->content == FM_SWIFT_VALUE) fm_swift_put_number(p, own->is.number);
        if (own != NULL) fm_swift_put(p, fm_swift_text_of(own));
        argument->at++;
        if (change != FM_SWIFT_CONSTANT_STRING) break;
        FM_SWIFT_PUT(p, "'");
        print_string(p, argument);
        FM_SWIFT_PUT(p, "'");
        break;
    case FM_SWIFT_CONSTANT_KEY_PATH:
        print_payload(p, argument, depth);
        FM_SWIFT_PUT(p, "<");
        print_payload(p, argument, depth);
        FM_SWIFT_PUT(p, ",");
        print_payload(p, argument, depth);
        FM_SWIFT_PUT(p, ">");
        break;
    case FM_SWIFT_CLOSURE: print_closure(p, argument, depth); break;
    default: print_payload(p, argument, depth);
    }
    FM_SWIFT_PUT(p, "]");
}

static void print_argument(struct fm_swift_printer *p, const struct fm_swift_node *node, unsigned depth)
{
    struct argument argument = {node, 0, 0};
    while (argument.at < node->count && !p->bad) {
        const struct fm_swift_node *child = fm_swift_child(node, argument.at);
        if (child->kind != FM_SWIFT_SPEC_CHANGE) return;
        const uint64_t change = child->is.number;
        argument.at++;
        if (change < FM_SWIFT_BOX_TO_VALUE)
            print_known(p, &argument, change, depth);
        else
            print_change(p, change);
    }
}

/* Prints one part of a specialization. argument: the number of the argument that it may be. */
static void print_part(struct fm_swift_printer *p, struct fm_swift_node *part, uint32_t argument, unsigned depth)
{
    if (part->kind == FM_SWIFT_SPEC_ARGUMENT) {
        FM_SWIFT_PUT(p, "Arg[");
        fm_swift_put_number(p, argument);
        FM_SWIFT_PUT(p, "] = ");
        print_argument(p, part, depth);
    } else if (part->kind == FM_SWIFT_SPEC_RETURN) {
        FM_SWIFT_PUT(p, "Return = ");
        print_argument(p, part, depth);
    } else {
        fm_swift_print(p, part, depth + 1);
    }
}

static void print_specialization(struct fm_swift_printer *p, const struct fm_swift_node *node, unsigned depth)
{
    const bool is_partial = node->kind == FM_SWIFT_SPEC_PARTIAL || node->kind == FM_SWIFT_SPEC_PARTIAL_NOT_REABSTRACTED;
    if (!p->is_full) { /* several specializations of one function are printed as one */
        if (!p->is_specialized) FM_SWIFT_PUT(p, "specialized ");
        p->is_specialized = true;
        return;
    }
    if (fm_swift_is(fm_swift_child(node, 0), FM_SWIFT_REPRESENTATION_CHANGED)) {
        FM_SWIFT_PUT(p, "representation changed of ");
        return;
    }
    fm_swift_put(p, framemap_str_of(fm_swift_words[node->kind]));
    FM_SWIFT_PUT(p, " <");
    fm_swift_count(p, node->count);
    bool is_first = true;
    uint32_t argument = 0;
    for (uint32_t i = 0; i < node->count && !p->bad; i++) {
        struct fm_swift_node *part = fm_swift_child(node, i);
        const bool is_serialized = part->kind == FM_SWIFT_SERIALIZED;
        if (part->kind == FM_SWIFT_SPEC_PASS) continue;
        if (is_serialized || part->count > 0) {
            if (!is_first) FM_SWIFT_PUT(p, ", ");
            if (is_partial && !is_serialized) FM_SWIFT_PUT(p, "Signature = ");
            is_first = false;
            print_part(p, part, argument, depth);
        }
        if (!is_serialized) argument++;
    }
    FM_SWIFT_PUT(p, "> of ");
}

/* --- thunks --- */

static void print_partial_apply(struct fm_swift_printer *p, struct fm_swift_node *node, unsigned depth)
{
    fm_swift_put(p, !p->is_full                                 ? FM_STR("partial apply")
                    : node->kind == FM_SWIFT_PARTIAL_APPLY_OBJC ? FM_STR("partial apply ObjC forwarder")
                                                                : FM_STR("partial apply forwarder"));
    if (node->count == 0) return;
    FM_SWIFT_PUT(p, " for ");
    fm_swift_print_list(p, node, (framemap_str){NULL, 0}, depth);
}

/* Prints a reabstraction thunk. Its last child is the function that it wraps. */
static void print_reabstraction(struct fm_swift_printer *p, const struct fm_swift_node *node, unsigned depth)
{
    const bool has_self = node->kind == FM_SWIFT_REABSTRACTION_SELF;
    const uint32_t types = has_self ? 3 : 2, first = node->count > types ? 1 : 0;
    if (!p->is_full && !has_self) {
        FM_SWIFT_PUT(p, "thunk for ");
        fm_swift_print(p, fm_swift_last(node), depth + 1);
        return;
    }
    fm_swift_put(p, framemap_str_of(fm_swift_words[node->kind]));
    if (first) {
        fm_swift_print(p, fm_swift_child(node, 0), depth + 1);
        FM_SWIFT_PUT(p, " ");
    }
    FM_SWIFT_PUT(p, "from ");
    fm_swift_print(p, fm_swift_child(node, first + types - 1), depth + 1);
    FM_SWIFT_PUT(p, " to ");
    fm_swift_print(p, fm_swift_child(node, first + types - 2), depth + 1);
    if (!has_self) return;
    FM_SWIFT_PUT(p, " self ");
    fm_swift_print(p, fm_swift_child(node, first), depth + 1);
}

static void print_key_path(struct fm_swift_printer *p, const struct fm_swift_node *node, unsigned depth)
{
    fm_swift_put(p, framemap_str_of(fm_swift_words[node->kind]));
    fm_swift_print(p, fm_swift_child(node, 0), depth + 1);
    FM_SWIFT_PUT(p, " : ");
    for (uint32_t i = 1; i < node->count && !p->bad; i++) {
        if (fm_swift_is(fm_swift_child(node, i), FM_SWIFT_SERIALIZED)) FM_SWIFT_PUT(p, ", ");
        fm_swift_print(p, fm_swift_child(node, i), depth + 1);
    }
}

/* Prints the comparison or hash of a key path's indexes: the generic signature, then the types in parentheses. */
static void print_key_path_index(struct fm_swift_printer *p, const struct fm_swift_node *node, unsigned depth)
{
    uint32_t end = node->count;
    fm_swift_put(p, framemap_str_of(fm_swift_words[node->kind]));
    if (end > 0 && fm_swift_is(fm_swift_child(node, end - 1), FM_SWIFT_SERIALIZED)) end--;
    if (end > 0 && fm_swift_is(fm_swift_child(node, end - 1), FM_SWIFT_SIGNATURE))
        fm_swift_print(p, fm_swift_child(node, --end), depth + 1);
    FM_SWIFT_PUT(p, "(");
    fm_swift_print_children(p, node, 0, end, FM_STR(", "), depth);
    FM_SWIFT_PUT(p, ")");
}

static void print_completion_handler(struct fm_swift_printer *p, const struct fm_swift_node *node, unsigned depth)
{
    const struct fm_swift_node *mode = fm_swift_child(node, 2);
    fm_swift_put(p, framemap_str_of(fm_swift_words[node->kind]));
    if (node->count > 3) fm_swift_print(p, fm_swift_child(node, 3), depth + 1);
    fm_swift_print(p, fm_swift_child(node, 0), depth + 1);
    FM_SWIFT_PUT(p, " with result type ");
    fm_swift_print(p, fm_swift_child(node, 1), depth + 1);
    switch (mode->is.number) {
    case 0: break;
    case 1: FM_SWIFT_PUT(p, " nonzero on error"); break;
    case 2: FM_SWIFT_PUT(p, " zero on error"); break;
    default: FM_SWIFT_PUT(p, " <invalid error flag>");
    }
}

/* --- derivatives --- */

static void print_subset(struct fm_swift_printer *p, const struct fm_swift_node *node)
{
    const framemap_str text = fm_swift_text_of(node);
    bool is_first = true;
    fm_swift_count(p, text.size);
    FM_SWIFT_PUT(p, "{");
    for (size_t i = 0; i < text.size && !p->bad; i++) {
        if (text.data[i] != 'S') continue;
        if (!is_first) FM_SWIFT_PUT(p, ", ");
        fm_swift_put_number(p, i);
        is_first = false;
    }
    FM_SWIFT_PUT(p, "}");
}

/* Prints which parameters and results a derivative is about: the children from `at` on. */
static void print_respects(struct fm_swift_printer *p, const struct fm_swift_node *node, uint32_t at, unsigned depth)
{
    FM_SWIFT_PUT(p, " with respect to parameters ");
    fm_swift_print(p, fm_swift_child(node, at), depth + 1);
    FM_SWIFT_PUT(p, " and results ");
    fm_swift_print(p, fm_swift_child(node, at + 1), depth + 1);
}

/* Returns the number of children before the kind of the derivative. */
static uint32_t derivative_kind(const struct fm_swift_node *node)
{
    uint32_t at = 0;
    while (at < node->count && fm_swift_child(node, at)->kind != FM_SWIFT_AUTODIFF_KIND) at++;
    return at;
}

static void print_autodiff_function(struct fm_swift_printer *p, const struct fm_swift_node *node, unsigned depth)
{
    const uint32_t kind = derivative_kind(node);
    struct fm_swift_node *last = kind > 0 ? fm_swift_child(node, kind - 1) : NULL;
    const bool has_signature = fm_swift_is(last, FM_SWIFT_SIGNATURE);
    if (node->kind == FM_SWIFT_AUTODIFF_VTABLE) FM_SWIFT_PUT(p, "vtable thunk for ");
    fm_swift_print(p, fm_swift_child(node, kind), depth + 1);
    FM_SWIFT_PUT(p, " of ");
    fm_swift_print_children(p, node, 0, kind - (has_signature ? 1 : 0), (framemap_str){NULL, 0}, depth);
    if (!p->is_full) return;
    print_respects(p, node, kind + 1, depth);
    if (!has_signature) return;
    FM_SWIFT_PUT(p, " with ");
    fm_swift_print(p, last, depth + 1);
}

static void print_autodiff_reordering(struct fm_swift_printer *p, const struct fm_swift_node *node, unsigned depth)
{
    FM_SWIFT_PUT(p, "autodiff self-reordering reabstraction thunk for ");
    if (!p->is_full) {
        fm_swift_print(p, fm_swift_child(node, 0), depth + 1);
        return;
    }
    fm_swift_print(p, fm_swift_last(node), depth + 1);
    if (node->count == 4) {
        fm_swift_print(p, fm_swift_child(node, 2), depth + 1);
        FM_SWIFT_PUT(p, " ");
    }
    FM_SWIFT_PUT(p, " from ");
    fm_swift_print(p, fm_swift_child(node, 0), depth + 1);
    FM_SWIFT_PUT(p, " to ");
    fm_swift_print(p, fm_swift_child(node, 1), depth + 1);
}

/* Prints a thunk for a derivative of fewer parameters. Before the kind of the derivative are the function and the type
 * of the thunk, or only a type. */
static void print_autodiff_subset(struct fm_swift_printer *p, const struct fm_swift_node *node, unsigned depth)
{
    if (node->count < 5) {
        p->bad = true;
        return;
    }
    const uint32_t kind = node->count - 4, last = kind - 1;
    FM_SWIFT_PUT(p, "autodiff subset parameters thunk for ");
    fm_swift_print(p, fm_swift_child(node, kind), depth + 1);
    FM_SWIFT_PUT(p, " from ");
    fm_swift_print_children(p, node, 0, last == 0 ? 1 : last, (framemap_str){NULL, 0}, depth);
    if (!p->is_full) return;
    print_respects(p, node, kind + 1, depth);
    FM_SWIFT_PUT(p, " to parameters ");
    fm_swift_print(p, fm_swift_child(node, kind + 3), depth + 1);
    if (last == 0) return;
    FM_SWIFT_PUT(p, " of type ");
    fm_swift_print(p, fm_swift_child(node, last), depth + 1);
}

static void print_autodiff_witness(struct fm_swift_printer *p, const struct fm_swift_node *node, unsigned depth)
{
    const uint32_t kind = derivative_kind(node);
    fm_swift_print(p, fm_swift_child(node, kind), depth + 1);
    FM_SWIFT_PUT(p, " differentiability witness for ");
    fm_swift_print_children(p, node, 0, kind, (framemap_str){NULL, 0}, depth);
    print_respects(p, node, kind + 1, depth);
    if (kind + 3 >= node->count) return;
    FM_SWIFT_PUT(p, " with ");
    fm_swift_print(p, fm_swift_child(node, kind + 3), depth + 1);
}

static bool print_autodiff(struct fm_swift_printer *p, struct fm_swift_node *node, unsigned depth)
{
    switch (node->kind) {
    case FM_SWIFT_AUTODIFF_FUNCTION:
    case FM_SWIFT_AUTODIFF_VTABLE: print_autodiff_function(p, node, depth); break;
    case FM_SWIFT_AUTODIFF_REORDERING: print_autodiff_reordering(p, node, depth); break;
    case FM_SWIFT_AUTODIFF_SUBSET: print_autodiff_subset(p, node, depth); break;
    case FM_SWIFT_AUTODIFF_WITNESS: print_autodiff_witness(p, node, depth); break;
    case FM_SWIFT_INDEX_SUBSET: print_subset(p, node); break;
    default: return false;
    }
    return true;
}

bool fm_swift_print_special(struct fm_swift_printer *p, struct fm_swift_node *node, unsigned depth)
{
    if (fm_swift_has(node, FM_SWIFT_IS_SPECIALIZED)) {
        print_specialization(p, node, depth);
        return true;
    }
    switch (node->kind) {
    case FM_SWIFT_PARTIAL_APPLY:
    case FM_SWIFT_PARTIAL_APPLY_OBJC: print_partial_apply(p, node, depth); break;
    case FM_SWIFT_REABSTRACTION_THUNK:
    case FM_SWIFT_REABSTRACTION_HELPER:
    case FM_SWIFT_REABSTRACTION_SELF: print_reabstraction(p, node, depth); break;
    case FM_SWIFT_KEY_PATH_GETTER:
    case FM_SWIFT_KEY_PATH_SETTER:
    case FM_SWIFT_KEY_PATH_UNAPPLIED:
    case FM_SWIFT_KEY_PATH_APPLIED: print_key_path(p, node, depth); break;
    case FM_SWIFT_KEY_PATH_EQUALS:
    case FM_SWIFT_KEY_PATH_HASH: print_key_path_index(p, node, depth); break;
    case FM_SWIFT_COMPLETION_HANDLER:
    case FM_SWIFT_CHECKED_COMPLETION_HANDLER: print_completion_handler(p, node, depth); break;
    default: return print_autodiff(p, node, depth);
    }
    return true;
}
