/* Parses the grammar of RFC 2603 by recursive descent, and prints while it parses. Called by demangle.c; rust_cursor.h
 * reads the tokens and collects the text.
 *
 * Two properties make hostile names expensive: a name may refer back to any byte of itself, so that its text can double
 * with every few bytes; and a part that is parsed without output (the path of an impl) costs time without text.
 * Therefore the text, the number of parsed elements and the nesting are all limited. */
#include "resolve/demangle/rust_v0.h"

#include "resolve/demangle/rust_cursor.h"

#define MOST_NESTING 500 /* maximum number of levels of nesting, as in LLVM */
/* Most paths, types and constants of one name. A part to which the name refers back is counted again for each
 * reference. */
#define MOST_STEPS ((uint32_t)1 << 20)

enum where { IN_VALUE, IN_TYPE };

static bool path(struct fm_rust_cursor *r, enum where where, bool leave_open);
static void type(struct fm_rust_cursor *r);
static void constant(struct fm_rust_cursor *r);

static bool enter(struct fm_rust_cursor *r)
{
    if (++r->nesting > MOST_NESTING || ++r->steps > MOST_STEPS) r->bad = true;
    return !r->bad;
}

/* Follows a back reference "B", which repeats what is at an earlier byte of the name: the cursor moves to that byte.
 * *back: where to continue after the repetition. Returns false if the reference is not valid, or if printing is off. */
static bool go_back(struct fm_rust_cursor *r, size_t *back)
{
    const size_t here = r->at; /* a back reference "B" must lead to an offset before itself */
    const uint64_t target = fm_rust_base62(r);
    *back = r->at;
    if (!r->bad && target >= here) r->bad = true;
    if (r->bad || r->silent) return false;
    r->at = (size_t)target;
    return true;
}

static void impl_path(struct fm_rust_cursor *r, enum where where)
{
    const bool before = r->silent;
    r->silent = true;
    fm_rust_optional_base62(r, 's');
    path(r, where, false);
    r->silent = before;
}

/* Parses "N", a name in a path. Capital letters mark items that have no name in the source, such as closures. */
static void nested(struct fm_rust_cursor *r, enum where where)
{
    const char space = fm_rust_take(r);
    if (!fm_rust_is_lower(space) && !fm_rust_is_upper(space)) r->bad = true;
    path(r, where, false);
    const uint64_t number = fm_rust_optional_base62(r, 's');
    const struct fm_rust_identifier name = fm_rust_identifier(r);
    if (!fm_rust_is_upper(space)) {
        if (name.text.size) fm_rust_print(r, FM_STR("::"));
        fm_rust_print_identifier(r, name);
        return;
    }
    fm_rust_print(r, FM_STR("::{"));
    if (space == 'C')
        fm_rust_print(r, FM_STR("closure"));
    else if (space == 'S')
        fm_rust_print(r, FM_STR("shim"));
    else
        fm_rust_print(r, fm_str(&space, 1));
    if (name.text.size) fm_rust_print(r, FM_STR(":"));
    fm_rust_print_identifier(r, name);
    fm_rust_print(r, FM_STR("#"));
    fm_rust_print_number(r, number);
    fm_rust_print(r, FM_STR("}"));
}

static void generic_argument(struct fm_rust_cursor *r)
{
    if (fm_rust_take_if(r, 'L'))
        fm_rust_print_lifetime(r, fm_rust_base62(r));
    else if (fm_rust_take_if(r, 'K'))
        constant(r);
    else
        type(r);
}

/* Parses elements up to the closing "E". Returns their number. */
static size_t list(struct fm_rust_cursor *r, framemap_str between, void (*each)(struct fm_rust_cursor *))
{
    size_t count = 0;
    for (; !r->bad && !fm_rust_take_if(r, 'E'); count++) {
        if (count) fm_rust_print(r, between);
        each(r);
    }
    return count;
}

/* Reads a path. Returns true if the closing bracket of the generic arguments was not printed, so that the caller can
 * add arguments. */
static bool generic_path(struct fm_rust_cursor *r, enum where where, bool leave_open)
{
    path(r, where, false);
    if (where == IN_VALUE) fm_rust_print(r, FM_STR("::"));
    fm_rust_print(r, FM_STR("<"));
    list(r, FM_STR(", "), generic_argument);
    if (!leave_open) fm_rust_print(r, FM_STR(">"));
    return leave_open;
}

static void as_trait(struct fm_rust_cursor *r)
{
    fm_rust_print(r, FM_STR("<"));
    type(r);
    fm_rust_print(r, FM_STR(" as "));
    path(r, IN_TYPE, false);
    fm_rust_print(r, FM_STR(">"));
}

static bool path_by_tag(struct fm_rust_cursor *r, enum where where, bool leave_open)
{
    size_t back;
    bool open = false;
    switch (fm_rust_take(r)) {
    case 'C':
        fm_rust_optional_base62(r, 's');
        fm_rust_print_identifier(r, fm_rust_identifier(r));
        break;
    case 'M':
        impl_path(r, where);
        fm_rust_print(r, FM_STR("<"));
        type(r);
        fm_rust_print(r, FM_STR(">"));
        break;
    case 'X':
        impl_path(r, where);
        as_trait(r);
        break;
    case 'Y': as_trait(r); break;
    case 'N': nested(r, where); break;
    case 'I': return generic_path(r, where, leave_open);
    case 'B':
        if (go_back(r, &back)) {
            open = path(r, where, leave_open);
            r->at = back;
        }
        break;
    default: r->bad = true;
    }
    return open;
}

static bool path(struct fm_rust_cursor *r, enum where where, bool leave_open)
{
    const bool open = enter(r) && path_by_tag(r, where, leave_open);
    r->nesting--;
    return open;
}

static framemap_str basic_type(char tag)
{
    static const char names[26][6] = {"i8",    "bool", "char", "f64", "str",  "f32",  "",    "u8", "isize",
                                      "usize", "",     "i32",  "u32", "i128", "u128", "_",   "",   "",
                                      "i16",   "u16",  "()",   "...", "",     "i64",  "u64", "!"};
    return fm_rust_is_lower(tag) ? framemap_str_of(names[tag - 'a']) : (framemap_str){NULL, 0};
}

/* Prints "for<'a, 'b> ". A binder with more lifetimes than there is room for in the text is refused, as by LLVM. */
static void binder(struct fm_rust_cursor *r)
{
    const uint64_t count = fm_rust_optional_base62(r, 'G');
    if (r->bad || count == 0) return;
    if (count >= r->input.size - (r->lifetimes < r->input.size ? r->lifetimes : r->input.size)) {
        r->bad = true;
        return;
    }
    fm_rust_print(r, FM_STR("for<"));
    for (uint64_t i = 0; i < count; i++) {
        r->lifetimes++;
        if (i) fm_rust_print(r, FM_STR(", "));
        fm_rust_print_lifetime(r, 1);
    }
    fm_rust_print(r, FM_STR("> "));
}

static void abi(struct fm_rust_cursor *r)
{
    fm_rust_print(r, FM_STR("extern \""));
    if (fm_rust_take_if(r, 'C')) {
        fm_rust_print(r, FM_STR("C"));
    } else {
        const struct fm_rust_identifier name = fm_rust_identifier(r);
        if (name.punycode) r->bad = true;
        for (size_t i = 0; i < name.text.size; i++) /* Rust's symbols have '_' in place of '-' */
            fm_rust_print(r, name.text.data[i] == '_' ? FM_STR("-") : fm_str_slice(name.text, i, i + 1));
    }
    fm_rust_print(r, FM_STR("\" "));
}

static void function_type(struct fm_rust_cursor *r)
{
    const uint64_t lifetimes = r->lifetimes;
    binder(r);
    if (fm_rust_take_if(r, 'U')) fm_rust_print(r, FM_STR("unsafe "));
    if (fm_rust_take_if(r, 'K')) abi(r);
    fm_rust_print(r, FM_STR("fn("));
    list(r, FM_STR(", "), type);
    fm_rust_print(r, FM_STR(")"));
    if (!fm_rust_take_if(r, 'u')) { /* the return type "u", which is the unit type (), is not printed */
        fm_rust_print(r, FM_STR(" -> "));
        type(r);
    }
    r->lifetimes = lifetimes;
}

/* Prints a trait with its associated types: "Iterator<Item = u8>". */
static void dyn_trait(struct fm_rust_cursor *r)
{
    bool open = path(r, IN_TYPE, true);
    while (!r->bad && fm_rust_take_if(r, 'p')) {
        fm_rust_print(r, open ? FM_STR(", ") : FM_STR("<"));
        open = true;
        fm_rust_print(r, fm_rust_identifier(r).text);
        fm_rust_print(r, FM_STR(" = "));
        type(r);
    }
    if (open) fm_rust_print(r, FM_STR(">"));
}

static void dyn_type(struct fm_rust_cursor *r)
{
    const uint64_t lifetimes = r->lifetimes;
    fm_rust_print(r, FM_STR("dyn "));
    binder(r);
    list(r, FM_STR(" + "), dyn_trait);
    r->lifetimes = lifetimes;
    if (!fm_rust_take_if(r, 'L')) r->bad = true;
    const uint64_t lifetime = fm_rust_base62(r);
    if (lifetime == 0) return;
    fm_rust_print(r, FM_STR(" + "));
    fm_rust_print_lifetime(r, lifetime);
}

static void reference(struct fm_rust_cursor *r, bool is_mutable)
{
    fm_rust_print(r, FM_STR("&"));
    const uint64_t lifetime = fm_rust_take_if(r, 'L') ? fm_rust_base62(r) : 0;
    if (lifetime) {
        fm_rust_print_lifetime(r, lifetime);
        fm_rust_print(r, FM_STR(" "));
    }
    if (is_mutable) fm_rust_print(r, FM_STR("mut "));
    type(r);
}

static void array_or_slice(struct fm_rust_cursor *r, bool is_array)
{
    fm_rust_print(r, FM_STR("["));
    type(r);
    if (is_array) {
        fm_rust_print(r, FM_STR("; "));
        constant(r);
    }
    fm_rust_print(r, FM_STR("]"));
}

static void tuple(struct fm_rust_cursor *r)
{
    fm_rust_print(r, FM_STR("("));
    if (list(r, FM_STR(", "), type) == 1) fm_rust_print(r, FM_STR(","));
    fm_rust_print(r, FM_STR(")"));
}

static void pointer(struct fm_rust_cursor *r, framemap_str kind)
{
    fm_rust_print(r, kind);
    type(r);
}

static void type_by_tag(struct fm_rust_cursor *r)
{
    size_t back;
    const size_t begin = r->at;
    const char tag = fm_rust_take(r);
    const framemap_str basic = basic_type(tag);
    if (basic.size) {
        fm_rust_print(r, basic);
        return;
    }
    switch (tag) {
    case 'A': array_or_slice(r, true); break;
    case 'S': array_or_slice(r, false); break;
    case 'T': tuple(r); break;
    case 'R': reference(r, false); break;
    case 'Q': reference(r, true); break;
    case 'P': pointer(r, FM_STR("*const ")); break;
    case 'O': pointer(r, FM_STR("*mut ")); break;
    case 'F': function_type(r); break;
    case 'D': dyn_type(r); break;
    case 'B':
        if (go_back(r, &back)) {
            type(r);
            r->at = back;
        }
        break;
    default: r->at = begin; path(r, IN_TYPE, false);
    }
}

static void type(struct fm_rust_cursor *r)
{
    if (enter(r)) type_by_tag(r);
    r->nesting--;
}

/* --- parsing and printing constants --- */

static void integer(struct fm_rust_cursor *r)
{
    uint64_t value;
    if (fm_rust_take_if(r, 'n')) fm_rust_print(r, FM_STR("-"));
    const framemap_str digits = fm_rust_hex(r, &value);
    if (digits.size <= 16) {
        fm_rust_print_number(r, value);
    } else {
        fm_rust_print(r, FM_STR("0x"));
        fm_rust_print(r, digits);
    }
}

static void boolean(struct fm_rust_cursor *r)
{
    uint64_t value;
    const framemap_str digits = fm_rust_hex(r, &value);
    if (digits.size != 1 || value > 1) r->bad = true;
    fm_rust_print(r, value ? FM_STR("true") : FM_STR("false"));
}

static void character(struct fm_rust_cursor *r)
{
    uint64_t value;
    const framemap_str digits = fm_rust_hex(r, &value);
    if (digits.size > 6) r->bad = true;
    const char plain = value >= ' ' && value <= '~' ? (char)value : 0;
    fm_rust_print(r, FM_STR("'"));
    if (value == '\t')
        fm_rust_print(r, FM_STR("\\t"));
    else if (value == '\r')
        fm_rust_print(r, FM_STR("\\r"));
    else if (value == '\n')
        fm_rust_print(r, FM_STR("\\n"));
    else if (plain == '\'')
        fm_rust_print(r, FM_STR("\\'"));
    else if (plain == '\\')
        fm_rust_print(r, FM_STR("\\\\"));
    else if (plain)
        fm_rust_print(r, fm_str(&plain, 1));
    else {
        fm_rust_print(r, FM_STR("\\u{"));
        fm_rust_print(r, digits);
        fm_rust_print(r, FM_STR("}"));
    }
    fm_rust_print(r, FM_STR("'"));
}

static void constant_by_tag(struct fm_rust_cursor *r)
{
    size_t back;
    const char tag = fm_rust_take(r);
    if (r->bad) return;
    if (tag == 'B') {
        if (!go_back(r, &back)) return;
        constant(r);
        r->at = back;
    } else if (strchr("ahstlmxynoij", tag)) {
        integer(r);
    } else if (tag == 'b') {
        boolean(r);
    } else if (tag == 'c') {
        character(r);
    } else if (tag == 'p') {
        fm_rust_print(r, FM_STR("_"));
    } else {
        r->bad = true;
    }
}

static void constant(struct fm_rust_cursor *r)
{
    if (enter(r)) constant_by_tag(r);
    r->nesting--;
}

/* Prints a path, and skips the path of the crate that instantiated it. */
static void symbol(struct fm_rust_cursor *r)
{
    path(r, IN_VALUE, false);
    if (r->bad || r->at == r->input.size) return;
    r->silent = true;
    path(r, IN_VALUE, false);
    if (r->at != r->input.size) r->bad = true;
}

bool fm_rust_v0(framemap_str name, struct fm_arena *arena, framemap_str *out)
{
    if (!fm_str_starts(name, FM_STR("_R"))) return false;
    struct fm_rust_cursor r = {.input = fm_str_from(name, 2), .arena = arena};
    symbol(&r);
    if (r.bad || r.size == 0) return false;
    *out = fm_str(r.text, r.size);
    return true;
}
