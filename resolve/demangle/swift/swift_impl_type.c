/* Reads types of functions in Swift's intermediate language, which have a convention for each parameter and result:
 * "@escaping @callee_guaranteed (@unowned Int) -> (@out ())". Called by swift_operators.c. */
#include "resolve/demangle/swift/swift_parts.h"

static const char *parameter_convention(char letter)
{
    switch (letter) {
    case 'i': return "@in";
    case 'c': return "@in_constant";
    case 'l': return "@inout";
    case 'b': return "@inout_aliasable";
    case 'n': return "@in_guaranteed";
    case 'X': return "@in_cxx";
    case 'x': return "@owned";
    case 'g': return "@guaranteed";
    case 'e': return "@deallocating";
    case 'y': return "@unowned";
    case 'v': return "@pack_owned";
    case 'p': return "@pack_guaranteed";
    case 'm': return "@pack_inout";
    default: return NULL;
    }
}

static const char *result_convention(char letter)
{
    switch (letter) {
    case 'r': return "@out";
    case 'o': return "@owned";
    case 'd': return "@unowned";
    case 'u': return "@unowned_inner_pointer";
    case 'a': return "@autoreleased";
    case 'k': return "@pack_out";
    case 'l': return "@guaranteed_address";
    case 'g': return "@guaranteed";
    case 'm': return "@inout";
    default: return NULL;
    }
}

static const char *callee_convention(char letter)
{
    switch (letter) {
    case 'y': return "@callee_unowned";
    case 'g': return "@callee_guaranteed";
    case 'x': return "@callee_owned";
    case 't': return "@convention(thin)";
    default: return NULL;
    }
}

static const char *representation(char letter)
{
    switch (letter) {
    case 'B': return "block";
    case 'C': return "c";
    case 'M': return "method";
    case 'O': return "objc_method";
    case 'K': return "closure";
    case 'W': return "witness_method";
    default: return NULL;
    }
}

static struct fm_swift_node *word(struct fm_swift_reader *r, const char *text)
{
    return fm_swift_text(r->pool, FM_SWIFT_IMPL_WORD, framemap_str_of(text));
}

/* Appends an attribute if its letter is next. */
static struct fm_swift_node *attribute(struct fm_swift_reader *r, struct fm_swift_node *type, char letter,
                                       const char *text)
{
    return fm_swift_take_if(r, letter) ? fm_swift_with(r, type, word(r, text)) : type;
}

/* Reads "s" and "I", the generic arguments of the type. */
static struct fm_swift_node *substitutions(struct fm_swift_reader *r, struct fm_swift_node *type,
                                           enum fm_swift_kind kind)
{
    struct fm_swift_node *levels, *conformances;
    if (!fm_swift_arguments(r, &levels, &conformances) || levels->count != 1) return NULL;
    struct fm_swift_node *node = fm_swift_make(r, kind);
    if (kind == FM_SWIFT_IMPL_PATTERN) node = fm_swift_with(r, node, fm_swift_pop(r, FM_SWIFT_SIGNATURE));
    node = fm_swift_with(r, node, fm_swift_child(levels, 0));
    return fm_swift_with(r, type, fm_swift_with_optional(r, node, conformances));
}

/* Reads "@convention(…)". A "z" before the letter means that a C type follows. */
static struct fm_swift_node *convention(struct fm_swift_reader *r, struct fm_swift_node *type)
{
    const char next = r->at + 1 < r->text.size ? r->text.data[r->at + 1] : (char)0;
    const bool has_clang_type = fm_swift_peek(r) == 'z' && (next == 'B' || next == 'C');
    if (has_clang_type) r->at++;
    const char *name = representation(fm_swift_peek(r));
    if (name == NULL) return type;
    r->at++;
    struct fm_swift_node *node = fm_swift_make1(r, FM_SWIFT_IMPL_CONVENTION, word(r, name));
    if (has_clang_type) node = fm_swift_with(r, node, fm_swift_clang_type(r));
    return fm_swift_with(r, type, node);
}

static struct fm_swift_node *coroutine(struct fm_swift_reader *r, struct fm_swift_node *type)
{
    switch (fm_swift_peek(r)) {
    case 'A': return attribute(r, type, 'A', "@yield_once");
    case 'I': return attribute(r, type, 'I', "@yield_once_2");
    default: return attribute(r, type, 'G', "@yield_many");
    }
}

/* Reads what is written before the parameters. */
static struct fm_swift_node *attributes(struct fm_swift_reader *r)
{
    struct fm_swift_node *type = fm_swift_make(r, FM_SWIFT_IMPL_FUNCTION);
    if (fm_swift_take_if(r, 's')) type = substitutions(r, type, FM_SWIFT_IMPL_PATTERN);
    if (fm_swift_take_if(r, 'I')) type = substitutions(r, type, FM_SWIFT_IMPL_INVOCATION);
    struct fm_swift_node *signature = fm_swift_pop(r, FM_SWIFT_SIGNATURE);
    if (signature != NULL && fm_swift_take_if(r, 'P'))
        signature = fm_swift_rename(r->pool, signature, FM_SWIFT_PSEUDO_SIGNATURE);
    type = attribute(r, type, 'e', "@escaping");
    type = attribute(r, type, 'A', "@isolated(any)");
    const char *kind = fm_swift_differentiability(fm_swift_peek(r));
    if (kind != NULL) type = attribute(r, type, fm_swift_peek(r), kind);
    const char *callee = callee_convention(fm_swift_take(r));
    if (callee == NULL) return NULL;
    type = convention(r, fm_swift_with(r, type, word(r, callee)));
    type = coroutine(r, type);
    type = attribute(r, type, 'h', "@Sendable");
    type = attribute(r, type, 'H', "@async");
    if (fm_swift_take_if(r, 'T')) type = fm_swift_with(r, type, fm_swift_make(r, FM_SWIFT_IMPL_SENDING));
    return fm_swift_with_optional(r, type, signature);
}

/* Appends a parameter or result to the type: its convention, and the marks that follow the letter. */
static struct fm_swift_node *part(struct fm_swift_reader *r, struct fm_swift_node *type, enum fm_swift_kind kind,
                                  const char *convention_name)
{
    static const struct {
        char letter;
        const char *text;
    } marks[] = {{'T', "sending"}, {'I', "isolated"}, {'L', "sil_implicit_leading_param"}};
    struct fm_swift_node *node = fm_swift_make1(r, kind, word(r, convention_name));
    r->at++;
    if (kind == FM_SWIFT_IMPL_PARAMETER || kind == FM_SWIFT_IMPL_RESULT) {
        const char *derivative = fm_swift_take_if(r, 'w') ? "@noDerivative" : "";
        node = fm_swift_with(r, node, fm_swift_text(r->pool, FM_SWIFT_IMPL_MARK, framemap_str_of(derivative)));
    }
    for (size_t i = 0; kind == FM_SWIFT_IMPL_PARAMETER && i < sizeof marks / sizeof *marks; i++)
        if (fm_swift_take_if(r, marks[i].letter))
            node = fm_swift_with(r, node, fm_swift_text(r->pool, FM_SWIFT_IMPL_MARK, framemap_str_of(marks[i].text)));
    return fm_swift_with(r, type, node);
}

struct fm_swift_node *fm_swift_impl_function(struct fm_swift_reader *r)
{
    struct fm_swift_node *type = attributes(r);
    const char *name;
    if (type == NULL) return NULL;
    const uint32_t first = type->count;
    while (type != NULL && (name = parameter_convention(fm_swift_peek(r))) != NULL)
        type = part(r, type, FM_SWIFT_IMPL_PARAMETER, name);
    while (type != NULL && (name = result_convention(fm_swift_peek(r))) != NULL)
        type = part(r, type, FM_SWIFT_IMPL_RESULT, name);
    while (type != NULL && fm_swift_take_if(r, 'Y')) {
        name = parameter_convention(fm_swift_peek(r));
        type = name != NULL ? part(r, type, FM_SWIFT_IMPL_YIELD, name) : NULL;
    }
    if (type != NULL && fm_swift_take_if(r, 'z')) {
        name = result_convention(fm_swift_peek(r));
        type = name != NULL ? part(r, type, FM_SWIFT_IMPL_ERROR, name) : NULL;
    }
    if (type == NULL || !fm_swift_take_if(r, '_')) return NULL;
    for (uint32_t i = type->count; i > first; i--) /* the type of the last part is on top of the stack */
        if (!fm_swift_add(r->pool, fm_swift_child(type, i - 1), fm_swift_pop_type(r))) return NULL;
    return fm_swift_type(r, type);
}
