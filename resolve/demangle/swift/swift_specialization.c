/* Reads specializations: copies of a function for certain types, or for what the optimizer knows about the arguments.
 * Called by swift_thunk.c. */
#include "resolve/demangle/swift/swift_parts.h"

/* Reads the attributes of a specialization, and the digit of the compiler's pass that made it. */
static struct fm_swift_node *attributes(struct fm_swift_reader *r, enum fm_swift_kind kind)
{
    struct fm_swift_node *spec = fm_swift_make(r, kind);
    fm_swift_take_if(r, 'm'); /* parameters for metatypes are removed: not printed, and unknown to Swift 6.3 */
    if (fm_swift_take_if(r, 'q')) spec = fm_swift_with(r, spec, fm_swift_make(r, FM_SWIFT_SERIALIZED));
    if (fm_swift_take_if(r, 'a')) spec = fm_swift_with(r, spec, fm_swift_make(r, FM_SWIFT_ASYNC_REMOVED));
    if (fm_swift_take_if(r, 'r')) spec = fm_swift_with(r, spec, fm_swift_make(r, FM_SWIFT_REPRESENTATION_CHANGED));
    const char pass = fm_swift_take(r);
    if (!fm_is_digit(pass)) return NULL;
    return fm_swift_with(r, spec, fm_swift_number(r->pool, FM_SWIFT_SPEC_PASS, (uint64_t)(pass - '0')));
}

static struct fm_swift_node *generic(struct fm_swift_reader *r, enum fm_swift_kind kind)
{
    struct fm_swift_node *spec = attributes(r, kind);
    const struct fm_swift_node *types = fm_swift_pop_type_list(r);
    for (uint32_t i = 0; types != NULL && i < types->count; i++)
        spec = fm_swift_with(r, spec, fm_swift_make1(r, FM_SWIFT_SPEC_TYPE, fm_swift_child(types, i)));
    return types != NULL ? spec : NULL;
}

static struct fm_swift_node *partial(struct fm_swift_reader *r, enum fm_swift_kind kind)
{
    struct fm_swift_node *spec = attributes(r, kind);
    return fm_swift_with(r, spec, fm_swift_make1(r, FM_SWIFT_SPEC_TYPE, fm_swift_pop_type(r)));
}

/* --- arguments of functions --- */

static struct fm_swift_node *with_change(struct fm_swift_reader *r, struct fm_swift_node *argument, unsigned change)
{
    return fm_swift_with(r, argument, fm_swift_number(r->pool, FM_SWIFT_SPEC_CHANGE, change));
}

/* Appends a constant number, whose digits are in the name. */
static struct fm_swift_node *with_digits(struct fm_swift_reader *r, struct fm_swift_node *argument, unsigned change)
{
    const size_t begin = r->at;
    while (fm_is_digit(fm_swift_peek(r))) r->at++;
    if (r->at == begin) return NULL;
    argument = with_change(r, argument, change);
    const framemap_str digits = fm_str_slice(r->text, begin, r->at);
    return fm_swift_with(r, argument, fm_swift_text(r->pool, FM_SWIFT_SPEC_PAYLOAD, digits));
}

/* Appends a constant string, which is on the stack; the name has its encoding. */
static struct fm_swift_node *with_string(struct fm_swift_reader *r, struct fm_swift_node *argument)
{
    const char letter = fm_swift_take(r);
    const char *encoding = letter == 'b' ? "u8" : letter == 'w' ? "u16" : letter == 'c' ? "objc" : NULL;
    if (encoding == NULL) return NULL;
    argument = with_change(r, argument, FM_SWIFT_CONSTANT_STRING);
    return fm_swift_with(r, argument, fm_swift_text(r->pool, FM_SWIFT_SPEC_PAYLOAD, framemap_str_of(encoding)));
}

/* Reads the constants of an argument, up to a letter that is not of one. */
static struct fm_swift_node *constants(struct fm_swift_reader *r, struct fm_swift_node *argument)
{
    while (argument != NULL) {
        const char letter = fm_swift_peek(r);
        if (letter == 0 || strchr("Sfgkids", letter) == NULL) return argument;
        r->at++;
        switch (letter) {
        case 'S': argument = with_change(r, argument, FM_SWIFT_CONSTANT_STRUCT); break;
        case 'f': argument = with_change(r, argument, FM_SWIFT_CONSTANT_FUNCTION); break;
        case 'g': argument = with_change(r, argument, FM_SWIFT_CONSTANT_GLOBAL); break;
        case 'k': argument = with_change(r, argument, FM_SWIFT_CONSTANT_KEY_PATH); break;
        case 'i': argument = with_digits(r, argument, FM_SWIFT_CONSTANT_INTEGER); break;
        case 'd': argument = with_digits(r, argument, FM_SWIFT_CONSTANT_FLOAT); break;
        default: argument = with_string(r, argument);
        }
    }
    return NULL;
}

/* Reads the letters that may follow a flag, each of them in this order. */
static struct fm_swift_node *changes(struct fm_swift_reader *r, struct fm_swift_node *argument, unsigned change,
                                     const char *letters)
{
    for (; *letters; letters++) {
        if (!fm_swift_take_if(r, *letters)) continue;
        change |= *letters == 'D'   ? FM_SWIFT_DEAD
                  : *letters == 'G' ? FM_SWIFT_OWNED_TO_GUARANTEED
                  : *letters == 'O' ? FM_SWIFT_GUARANTEED_TO_OWNED
                                    : FM_SWIFT_EXPLODED;
    }
    return with_change(r, argument, change);
}

static struct fm_swift_node *same_closure(struct fm_swift_reader *r, struct fm_swift_node *argument)
{
    const int32_t index = fm_swift_natural(r);
    if (index < 0) return NULL;
    argument = with_change(r, argument, FM_SWIFT_SAME_CLOSURE);
    return fm_swift_with(r, argument, fm_swift_number(r->pool, FM_SWIFT_SPEC_PAYLOAD, (uint64_t)index));
}

/* Reads what was done with one argument or with the result. */
static struct fm_swift_node *argument_of(struct fm_swift_reader *r, enum fm_swift_kind kind)
{
    struct fm_swift_node *argument = fm_swift_make(r, kind);
    switch (fm_swift_take(r)) {
    case 'n': return argument;
    case 'c': return with_change(r, argument, FM_SWIFT_CLOSURE);
    case 'C': return same_closure(r, argument);
    case 'p': return constants(r, argument);
    case 'e': return changes(r, argument, FM_SWIFT_EXISTENTIAL_TO_GENERIC, "DGOX");
    case 'd': return changes(r, argument, FM_SWIFT_DEAD, "GOX");
    case 'g': return changes(r, argument, FM_SWIFT_OWNED_TO_GUARANTEED, "X");
    case 'o': return changes(r, argument, FM_SWIFT_GUARANTEED_TO_OWNED, "X");
    case 'x': return with_change(r, argument, FM_SWIFT_EXPLODED);
    case 'i': return with_change(r, argument, FM_SWIFT_BOX_TO_VALUE);
    case 's': return with_change(r, argument, FM_SWIFT_BOX_TO_STACK);
    case 'r': return with_change(r, argument, FM_SWIFT_INOUT_TO_OUT);
    default: return NULL;
    }
}

/* Pops what one change refers to: types, and a name. */
static bool pop_payload(struct fm_swift_reader *r, struct fm_swift_node *argument, uint64_t change)
{
    struct fm_swift_node *type;
    switch (change) {
    case FM_SWIFT_CLOSURE:
        while ((type = fm_swift_pop_type(r)) != NULL)
            if (!fm_swift_add(r->pool, argument, type)) return false;
        break;
    case FM_SWIFT_CONSTANT_KEY_PATH:
        if (!fm_swift_add(r->pool, argument, fm_swift_pop_type(r))) return false;
        if (!fm_swift_add(r->pool, argument, fm_swift_pop_type(r))) return false;
        break;
    case FM_SWIFT_CONSTANT_STRUCT: return fm_swift_add(r->pool, argument, fm_swift_pop_type(r));
    case FM_SWIFT_CONSTANT_FUNCTION:
    case FM_SWIFT_CONSTANT_GLOBAL:
    case FM_SWIFT_CONSTANT_STRING: break;
    default: return true;
    }
    return fm_swift_add(r->pool, argument, fm_swift_pop(r, FM_SWIFT_IDENTIFIER));
}

/* Hands the names and types on the stack to the arguments: the last ones are on top. */
static bool pop_payloads(struct fm_swift_reader *r, struct fm_swift_node *argument)
{
    const uint32_t own = argument->count;
    for (uint32_t i = own; i > 0; i--) {
        const struct fm_swift_node *change = fm_swift_child(argument, i - 1);
        if (change->kind == FM_SWIFT_SPEC_CHANGE && !pop_payload(r, argument, change->is.number)) return false;
    }
    fm_swift_reverse(argument, own);
    return true;
}

static struct fm_swift_node *signature(struct fm_swift_reader *r)
{
    struct fm_swift_node *spec = attributes(r, FM_SWIFT_SPEC_SIGNATURE);
    if (spec == NULL || fm_swift_is(fm_swift_child(spec, 0), FM_SWIFT_REPRESENTATION_CHANGED)) return spec;
    while (spec != NULL && !fm_swift_take_if(r, '_'))
        spec = fm_swift_with(r, spec, argument_of(r, FM_SWIFT_SPEC_ARGUMENT));
    if (!fm_swift_take_if(r, 'n')) spec = fm_swift_with(r, spec, argument_of(r, FM_SWIFT_SPEC_RETURN));
    if (spec == NULL) return NULL;
    for (uint32_t i = spec->count; i > 0; i--) {
        struct fm_swift_node *argument = fm_swift_child(spec, i - 1);
        if (argument->kind == FM_SWIFT_SPEC_ARGUMENT && !pop_payloads(r, argument)) return NULL;
    }
    return spec;
}

/* Reads a generic specialization without some of the arguments, which are not printed. */
static struct fm_swift_node *dropped(struct fm_swift_reader *r)
{
    do fm_swift_natural(r);
    while (fm_swift_take_if(r, 't'));
    switch (fm_swift_take(r)) {
    case 'g': return generic(r, FM_SWIFT_SPEC_GENERIC);
    case 'G': return generic(r, FM_SWIFT_SPEC_NOT_REABSTRACTED);
    case 'B': return generic(r, FM_SWIFT_SPEC_RESILIENT);
    default: return NULL;
    }
}

struct fm_swift_node *fm_swift_specialization(struct fm_swift_reader *r, char letter)
{
    switch (letter) {
    case 'g': return generic(r, FM_SWIFT_SPEC_GENERIC);
    case 'G': return generic(r, FM_SWIFT_SPEC_NOT_REABSTRACTED);
    case 'B': return generic(r, FM_SWIFT_SPEC_RESILIENT);
    case 's': return generic(r, FM_SWIFT_SPEC_PRESPECIALIZED);
    case 'i': return generic(r, FM_SWIFT_SPEC_INLINED);
    case 't': return dropped(r);
    case 'p': return partial(r, FM_SWIFT_SPEC_PARTIAL);
    case 'P': return partial(r, FM_SWIFT_SPEC_PARTIAL_NOT_REABSTRACTED);
    case 'f': return signature(r);
    default: return NULL;
    }
}
