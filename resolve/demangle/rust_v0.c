/* Recursive-descent parser of the grammar of RFC 2603 that prints while it parses. Called by demangle.c.
 *
 * Two properties make hostile names expensive: a name may refer back to any byte of itself, so that its text can double
 * with every few bytes; and a part that is parsed without output (the path of an impl) costs time without text. So the
 * text, the steps and the nesting are all limited. */
#include "resolve/demangle/rust_v0.h"

#include "core/checked.h"
#include "core/limits.h"
#include "core/text/text.h"
#include "resolve/demangle/punycode.h"

#define MOST_NESTING 500 /* as LLVM */
/* Paths, types and constants of one name; repeated ones are counted each time. */
#define MOST_STEPS ((uint32_t)1 << 20)

struct rust {
    framemap_str input; /* after "_R" */
    size_t at;
    bool bad;
    bool silent; /* parse without printing */
    unsigned nesting;
    uint32_t steps;
    uint64_t lifetimes; /* number of lifetimes bound at this point */
    struct fm_arena *arena;
    char *text; /* in the arena, so that a repeated lookup allocates no memory */
    size_t size, room;
};

struct identifier {
    framemap_str text;
    bool punycode;
};

/* --- reading --- */

static char look(const struct rust *r) { return r->bad || r->at >= r->input.size ? 0 : r->input.data[r->at]; }

static char take(struct rust *r)
{
    char c = look(r);
    if (c)
        r->at++;
    else
        r->bad = true;
    return c;
}

static bool take_if(struct rust *r, char c)
{
    if (look(r) != c) return false;
    r->at++;
    return true;
}

static bool is_lower(char c) { return c >= 'a' && c <= 'z'; }
static bool is_upper(char c) { return c >= 'A' && c <= 'Z'; }
static bool is_digit(char c) { return c >= '0' && c <= '9'; }

static int base62_digit(char c)
{
    if (is_digit(c)) return c - '0';
    if (is_lower(c)) return c - 'a' + 10;
    return is_upper(c) ? c - 'A' + 36 : -1;
}

static uint64_t more_digits(struct rust *r, uint64_t value, uint64_t base, int digit)
{
    if (digit < 0 || !fm_mul_u64(value, base, &value) || !fm_add_u64(value, (uint64_t)digit, &value)) r->bad = true;
    return value;
}

/* "_" is 0, "0_" is 1. */
static uint64_t base62(struct rust *r)
{
    uint64_t value = 0;
    if (take_if(r, '_')) return 0;
    while (!r->bad && !take_if(r, '_')) value = more_digits(r, value, 62, base62_digit(take(r)));
    if (!fm_add_u64(value, 1, &value)) r->bad = true;
    return value;
}

/* 0 if the tag is absent, otherwise the number plus one. */
static uint64_t optional_base62(struct rust *r, char tag)
{
    uint64_t value;
    if (!take_if(r, tag)) return 0;
    value = base62(r);
    if (!fm_add_u64(value, 1, &value)) r->bad = true;
    return value;
}

static uint64_t decimal(struct rust *r)
{
    uint64_t value = 0;
    if (!is_digit(look(r))) r->bad = true;
    if (take_if(r, '0')) return 0;
    while (is_digit(look(r))) value = more_digits(r, value, 10, take(r) - '0');
    return value;
}

static struct identifier identifier(struct rust *r)
{
    struct identifier found = {{NULL, 0}, take_if(r, 'u')};
    uint64_t size = decimal(r);
    take_if(r, '_'); /* separates the size from a name that starts with a digit or an underscore */
    if (r->bad || size > r->input.size - r->at) {
        r->bad = true;
        return found;
    }
    found.text = fm_str_slice(r->input, r->at, r->at + (size_t)size);
    r->at += (size_t)size;
    for (size_t i = 0; i < found.text.size; i++)
        if (base62_digit(found.text.data[i]) < 0 && found.text.data[i] != '_') r->bad = true;
    return found;
}

/* Lower-case hex up to an underscore, without leading zeros. */
static framemap_str hex(struct rust *r, uint64_t *value)
{
    size_t begin = r->at;
    *value = 0;
    if (take_if(r, '0')) {
        if (!take_if(r, '_')) r->bad = true;
        return fm_str_slice(r->input, begin, begin + 1);
    }
    if (look(r) == '_') r->bad = true;
    while (!r->bad && !take_if(r, '_')) {
        int digit = base62_digit(take(r));
        if (digit < 0 || digit > 15)
            r->bad = true;
        else
            *value = *value << 4 | (uint64_t)digit;
    }
    return r->bad ? (framemap_str){NULL, 0} : fm_str_slice(r->input, begin, r->at - 1);
}

/* --- printing --- */

static bool make_room(struct rust *r, size_t more)
{
    if (more <= r->room - r->size) return true;
    const size_t room = (r->size + more) * 2;
    char *text = room <= 2 * FM_LIMIT_NAME ? fm_arena_alloc(r->arena, room) : NULL;
    if (text == NULL) return false;
    if (r->size) memcpy(text, r->text, r->size);
    r->text = text;
    r->room = room;
    return true;
}

static void print(struct rust *r, framemap_str text)
{
    if (r->silent || r->bad || text.size == 0) return;
    if (!make_room(r, text.size)) {
        r->bad = true;
        return;
    }
    memcpy(r->text + r->size, text.data, text.size);
    r->size += text.size;
}

static void print_number(struct rust *r, uint64_t value)
{
    char digits[20];
    size_t at = sizeof digits;
    do digits[--at] = (char)('0' + (char)(value % 10));
    while (value /= 10);
    print(r, fm_str(digits + at, sizeof digits - at));
}

static void print_identifier(struct rust *r, struct identifier name)
{
    if (r->silent || r->bad || name.text.size == 0) return;
    if (!name.punycode) {
        print(r, name.text);
        return;
    }
    char text[FM_PUNYCODE_ROOM];
    const size_t size = fm_punycode(name.text, text);
    if (size == 0) r->bad = true;
    print(r, fm_str(text, size));
}

/* Bound lifetimes are named from the outermost on: 'a to 'z, then 'z1, 'z2. */
static void print_lifetime(struct rust *r, uint64_t index)
{
    if (index > r->lifetimes) r->bad = true;
    if (r->bad) return;
    if (index == 0) {
        print(r, FM_STR("'_"));
        return;
    }
    const uint64_t depth = r->lifetimes - index;
    const char name[2] = {'\'', depth < 26 ? (char)('a' + (char)depth) : 'z'};
    print(r, fm_str(name, 2));
    if (depth >= 26) print_number(r, depth - 25);
}

/* --- the grammar --- */

enum where { IN_VALUE, IN_TYPE };

static bool path(struct rust *r, enum where where, bool leave_open);
static void type(struct rust *r);
static void constant(struct rust *r);

static bool enter(struct rust *r)
{
    if (++r->nesting > MOST_NESTING || ++r->steps > MOST_STEPS) r->bad = true;
    return !r->bad;
}

/* "B": repeats what is at an earlier byte. Not followed while printing is off. false: there is nothing to follow. */
static bool go_back(struct rust *r, size_t *back)
{
    const size_t here = r->at; /* the target must be before its own "B" */
    const uint64_t target = base62(r);
    *back = r->at;
    if (!r->bad && target >= here) r->bad = true;
    if (r->bad || r->silent) return false;
    r->at = (size_t)target;
    return true;
}

static void impl_path(struct rust *r, enum where where)
{
    const bool before = r->silent;
    r->silent = true;
    optional_base62(r, 's');
    path(r, where, false);
    r->silent = before;
}

/* "N": a name in a path. Capital letters mark items without a name of their own in the source. */
static void nested(struct rust *r, enum where where)
{
    const char space = take(r);
    if (!is_lower(space) && !is_upper(space)) r->bad = true;
    path(r, where, false);
    const uint64_t number = optional_base62(r, 's');
    const struct identifier name = identifier(r);
    if (!is_upper(space)) {
        if (name.text.size) print(r, FM_STR("::"));
        print_identifier(r, name);
        return;
    }
    print(r, FM_STR("::{"));
    if (space == 'C')
        print(r, FM_STR("closure"));
    else if (space == 'S')
        print(r, FM_STR("shim"));
    else
        print(r, fm_str(&space, 1));
    if (name.text.size) print(r, FM_STR(":"));
    print_identifier(r, name);
    print(r, FM_STR("#"));
    print_number(r, number);
    print(r, FM_STR("}"));
}

static void generic_argument(struct rust *r)
{
    if (take_if(r, 'L'))
        print_lifetime(r, base62(r));
    else if (take_if(r, 'K'))
        constant(r);
    else
        type(r);
}

/* Parses elements up to the closing "E". Returns their number. */
static size_t list(struct rust *r, framemap_str between, void (*each)(struct rust *))
{
    size_t count = 0;
    for (; !r->bad && !take_if(r, 'E'); count++) {
        if (count) print(r, between);
        each(r);
    }
    return count;
}

/* true: the list of generic arguments was left open, so that the caller can add to it. */
static bool generic_path(struct rust *r, enum where where, bool leave_open)
{
    path(r, where, false);
    if (where == IN_VALUE) print(r, FM_STR("::"));
    print(r, FM_STR("<"));
    list(r, FM_STR(", "), generic_argument);
    if (!leave_open) print(r, FM_STR(">"));
    return leave_open;
}

static void as_trait(struct rust *r)
{
    print(r, FM_STR("<"));
    type(r);
    print(r, FM_STR(" as "));
    path(r, IN_TYPE, false);
    print(r, FM_STR(">"));
}

static bool path_by_tag(struct rust *r, enum where where, bool leave_open)
{
    size_t back;
    bool open = false;
    switch (take(r)) {
    case 'C':
        optional_base62(r, 's');
        print_identifier(r, identifier(r));
        break;
    case 'M':
        impl_path(r, where);
        print(r, FM_STR("<"));
        type(r);
        print(r, FM_STR(">"));
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

static bool path(struct rust *r, enum where where, bool leave_open)
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
    return is_lower(tag) ? framemap_str_of(names[tag - 'a']) : (framemap_str){NULL, 0};
}

/* "for<'a, 'b> ". Each lifetime costs text, so a binder of more lifetimes than there is room for is refused, as LLVM
 * does. */
static void binder(struct rust *r)
{
    const uint64_t count = optional_base62(r, 'G');
    if (r->bad || count == 0) return;
    if (count >= r->input.size - (r->lifetimes < r->input.size ? r->lifetimes : r->input.size)) {
        r->bad = true;
        return;
    }
    print(r, FM_STR("for<"));
    for (uint64_t i = 0; i < count; i++) {
        r->lifetimes++;
        if (i) print(r, FM_STR(", "));
        print_lifetime(r, 1);
    }
    print(r, FM_STR("> "));
}

static void abi(struct rust *r)
{
    print(r, FM_STR("extern \""));
    if (take_if(r, 'C')) {
        print(r, FM_STR("C"));
    } else {
        const struct identifier name = identifier(r);
        if (name.punycode) r->bad = true;
        for (size_t i = 0; i < name.text.size; i++) /* symbols cannot contain a dash */
            print(r, name.text.data[i] == '_' ? FM_STR("-") : fm_str_slice(name.text, i, i + 1));
    }
    print(r, FM_STR("\" "));
}

static void function_type(struct rust *r)
{
    const uint64_t lifetimes = r->lifetimes;
    binder(r);
    if (take_if(r, 'U')) print(r, FM_STR("unsafe "));
    if (take_if(r, 'K')) abi(r);
    print(r, FM_STR("fn("));
    list(r, FM_STR(", "), type);
    print(r, FM_STR(")"));
    if (!take_if(r, 'u')) { /* a unit return type is not printed */
        print(r, FM_STR(" -> "));
        type(r);
    }
    r->lifetimes = lifetimes;
}

/* A trait with its associated types: "Iterator<Item = u8>". */
static void dyn_trait(struct rust *r)
{
    bool open = path(r, IN_TYPE, true);
    while (!r->bad && take_if(r, 'p')) {
        print(r, open ? FM_STR(", ") : FM_STR("<"));
        open = true;
        print(r, identifier(r).text);
        print(r, FM_STR(" = "));
        type(r);
    }
    if (open) print(r, FM_STR(">"));
}

static void dyn_type(struct rust *r)
{
    const uint64_t lifetimes = r->lifetimes;
    print(r, FM_STR("dyn "));
    binder(r);
    list(r, FM_STR(" + "), dyn_trait);
    r->lifetimes = lifetimes;
    if (!take_if(r, 'L')) r->bad = true;
    const uint64_t lifetime = base62(r);
    if (lifetime == 0) return;
    print(r, FM_STR(" + "));
    print_lifetime(r, lifetime);
}

static void reference(struct rust *r, bool is_mutable)
{
    print(r, FM_STR("&"));
    const uint64_t lifetime = take_if(r, 'L') ? base62(r) : 0;
    if (lifetime) {
        print_lifetime(r, lifetime);
        print(r, FM_STR(" "));
    }
    if (is_mutable) print(r, FM_STR("mut "));
    type(r);
}

static void array_or_slice(struct rust *r, bool is_array)
{
    print(r, FM_STR("["));
    type(r);
    if (is_array) {
        print(r, FM_STR("; "));
        constant(r);
    }
    print(r, FM_STR("]"));
}

static void tuple(struct rust *r)
{
    print(r, FM_STR("("));
    if (list(r, FM_STR(", "), type) == 1) print(r, FM_STR(","));
    print(r, FM_STR(")"));
}

static void pointer(struct rust *r, framemap_str kind)
{
    print(r, kind);
    type(r);
}

static void type_by_tag(struct rust *r)
{
    size_t back;
    const size_t begin = r->at;
    const char tag = take(r);
    const framemap_str basic = basic_type(tag);
    if (basic.size) {
        print(r, basic);
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

static void type(struct rust *r)
{
    if (enter(r)) type_by_tag(r);
    r->nesting--;
}

/* --- constants --- */

static void integer(struct rust *r)
{
    uint64_t value;
    if (take_if(r, 'n')) print(r, FM_STR("-"));
    const framemap_str digits = hex(r, &value);
    if (digits.size <= 16) {
        print_number(r, value);
    } else {
        print(r, FM_STR("0x"));
        print(r, digits);
    }
}

static void boolean(struct rust *r)
{
    uint64_t value;
    const framemap_str digits = hex(r, &value);
    if (digits.size != 1 || value > 1) r->bad = true;
    print(r, value ? FM_STR("true") : FM_STR("false"));
}

static void character(struct rust *r)
{
    uint64_t value;
    const framemap_str digits = hex(r, &value);
    if (digits.size > 6) r->bad = true;
    const char plain = value >= ' ' && value <= '~' ? (char)value : 0;
    print(r, FM_STR("'"));
    if (value == '\t')
        print(r, FM_STR("\\t"));
    else if (value == '\r')
        print(r, FM_STR("\\r"));
    else if (value == '\n')
        print(r, FM_STR("\\n"));
    else if (plain == '\'')
        print(r, FM_STR("\\'"));
    else if (plain == '\\')
        print(r, FM_STR("\\\\"));
    else if (plain)
        print(r, fm_str(&plain, 1));
    else {
        print(r, FM_STR("\\u{"));
        print(r, digits);
        print(r, FM_STR("}"));
    }
    print(r, FM_STR("'"));
}

static void constant_by_tag(struct rust *r)
{
    size_t back;
    const char tag = take(r);
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
        print(r, FM_STR("_"));
    } else {
        r->bad = true;
    }
}

static void constant(struct rust *r)
{
    if (enter(r)) constant_by_tag(r);
    r->nesting--;
}

/* A path, followed by the path of the crate that instantiated it, which is not printed. */
static void symbol(struct rust *r)
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
    struct rust r = {.input = fm_str_from(name, 2), .arena = arena};
    symbol(&r);
    if (r.bad || r.size == 0) return false;
    *out = fm_str(r.text, r.size);
    return true;
}
