/* Reads the tokens of a Rust v0 name (RFC 2603), which are numbers and identifiers, and prints text and lifetimes. Only
 * rust_v0.c uses this; it has the grammar and the limits. These functions are in a header because calls between files
 * make demangling slower by a sixth. */
#ifndef FM_RESOLVE_DEMANGLE_RUST_CURSOR_H
#define FM_RESOLVE_DEMANGLE_RUST_CURSOR_H

#include "core/checked.h"
#include "core/limits.h"
#include "core/text/text.h"
#include "resolve/demangle/punycode.h"

struct fm_rust_cursor {
    framemap_str input; /* the mangled name after "_R" */
    size_t at;
    /* the name is not valid, parsing takes too long, or memory is short: nothing more is read or printed */
    bool bad;
    bool silent; /* the name is parsed without printing */
    unsigned nesting;
    uint32_t steps;
    uint64_t lifetimes; /* number of lifetimes that the binders around the current position have bound */
    struct fm_arena *arena;
    char *text; /* the printed text, in the arena, so that a repeated lookup allocates no memory */
    size_t size, room;
};

struct fm_rust_identifier {
    framemap_str text;
    bool punycode;
};

/* --- reading tokens --- */

static inline char fm_rust_look(const struct fm_rust_cursor *r)
{
    return r->bad || r->at >= r->input.size ? 0 : r->input.data[r->at];
}

static inline char fm_rust_take(struct fm_rust_cursor *r)
{
    char c = fm_rust_look(r);
    if (c)
        r->at++;
    else
        r->bad = true;
    return c;
}

static inline bool fm_rust_take_if(struct fm_rust_cursor *r, char c)
{
    if (fm_rust_look(r) != c) return false;
    r->at++;
    return true;
}

static inline bool fm_rust_is_lower(char c) { return c >= 'a' && c <= 'z'; }
static inline bool fm_rust_is_upper(char c) { return c >= 'A' && c <= 'Z'; }
static inline bool fm_rust_is_digit(char c) { return c >= '0' && c <= '9'; }

static inline int fm_rust_digit62(char c)
{
    if (fm_rust_is_digit(c)) return c - '0';
    if (fm_rust_is_lower(c)) return c - 'a' + 10;
    return fm_rust_is_upper(c) ? c - 'A' + 36 : -1;
}

static inline uint64_t fm_rust_more_digits(struct fm_rust_cursor *r, uint64_t value, uint64_t base, int digit)
{
    if (digit < 0 || !fm_mul_u64(value, base, &value) || !fm_add_u64(value, (uint64_t)digit, &value)) r->bad = true;
    return value;
}

/* Reads a number in base 62 that ends with an underscore: "_" is 0, "0_" is 1. */
static inline uint64_t fm_rust_base62(struct fm_rust_cursor *r)
{
    uint64_t value = 0;
    if (fm_rust_take_if(r, '_')) return 0;
    while (!r->bad && !fm_rust_take_if(r, '_'))
        value = fm_rust_more_digits(r, value, 62, fm_rust_digit62(fm_rust_take(r)));
    if (!fm_add_u64(value, 1, &value)) r->bad = true;
    return value;
}

/* Reads a tag and a number in base 62. Returns 0 if the tag is absent, otherwise the number plus one. */
static inline uint64_t fm_rust_optional_base62(struct fm_rust_cursor *r, char tag)
{
    uint64_t value;
    if (!fm_rust_take_if(r, tag)) return 0;
    value = fm_rust_base62(r);
    if (!fm_add_u64(value, 1, &value)) r->bad = true;
    return value;
}

static inline uint64_t fm_rust_decimal(struct fm_rust_cursor *r)
{
    uint64_t value = 0;
    if (!fm_rust_is_digit(fm_rust_look(r))) r->bad = true;
    if (fm_rust_take_if(r, '0')) return 0;
    while (fm_rust_is_digit(fm_rust_look(r))) value = fm_rust_more_digits(r, value, 10, fm_rust_take(r) - '0');
    return value;
}

/* Reads an identifier: its size, then its bytes. */
static inline struct fm_rust_identifier fm_rust_identifier(struct fm_rust_cursor *r)
{
    struct fm_rust_identifier found = {{NULL, 0}, fm_rust_take_if(r, 'u')};
    uint64_t size = fm_rust_decimal(r);
    /* Skips the underscore between the size and a name that starts with a digit or an underscore. */
    fm_rust_take_if(r, '_');
    if (r->bad || size > r->input.size - r->at) {
        r->bad = true;
        return found;
    }
    found.text = fm_str_slice(r->input, r->at, r->at + (size_t)size);
    r->at += (size_t)size;
    for (size_t i = 0; i < found.text.size; i++)
        if (fm_rust_digit62(found.text.data[i]) < 0 && found.text.data[i] != '_') r->bad = true;
    return found;
}

/* Reads lower-case hexadecimal digits up to an underscore, without leading zeros. Returns the digits; *value has the
 * lowest 64 bits. */
static inline framemap_str fm_rust_hex(struct fm_rust_cursor *r, uint64_t *value)
{
    size_t begin = r->at;
    *value = 0;
    if (fm_rust_take_if(r, '0')) {
        if (!fm_rust_take_if(r, '_')) r->bad = true;
        return fm_str_slice(r->input, begin, begin + 1);
    }
    if (fm_rust_look(r) == '_') r->bad = true;
    while (!r->bad && !fm_rust_take_if(r, '_')) {
        int digit = fm_rust_digit62(fm_rust_take(r));
        if (digit < 0 || digit > 15)
            r->bad = true;
        else
            *value = *value << 4 | (uint64_t)digit;
    }
    return r->bad ? (framemap_str){NULL, 0} : fm_str_slice(r->input, begin, r->at - 1);
}

/* --- printing text --- */

static inline bool fm_rust_make_room(struct fm_rust_cursor *r, size_t more)
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

static inline void fm_rust_print(struct fm_rust_cursor *r, framemap_str text)
{
    if (r->silent || r->bad || text.size == 0) return;
    if (!fm_rust_make_room(r, text.size)) {
        r->bad = true;
        return;
    }
    memcpy(r->text + r->size, text.data, text.size);
    r->size += text.size;
}

static inline void fm_rust_print_number(struct fm_rust_cursor *r, uint64_t value)
{
    char digits[20];
    size_t at = sizeof digits;
    do digits[--at] = (char)('0' + (char)(value % 10));
    while (value /= 10);
    fm_rust_print(r, fm_str(digits + at, sizeof digits - at));
}

static inline void fm_rust_print_identifier(struct fm_rust_cursor *r, struct fm_rust_identifier name)
{
    if (r->silent || r->bad || name.text.size == 0) return;
    if (!name.punycode) {
        fm_rust_print(r, name.text);
        return;
    }
    char text[FM_PUNYCODE_ROOM];
    const size_t size = fm_punycode(name.text, FM_PUNYCODE_RUST, text);
    if (size == 0) r->bad = true;
    fm_rust_print(r, fm_str(text, size));
}

/* Prints a lifetime that is given by its distance from the innermost binder, counted from 1; 0 is an erased lifetime,
 * "'_". Bound lifetimes are named from the outermost on: 'a to 'z, then 'z1, 'z2. */
static inline void fm_rust_print_lifetime(struct fm_rust_cursor *r, uint64_t index)
{
    if (index > r->lifetimes) r->bad = true;
    if (r->bad) return;
    if (index == 0) {
        fm_rust_print(r, FM_STR("'_"));
        return;
    }
    const uint64_t depth = r->lifetimes - index;
    const char name[2] = {'\'', depth < 26 ? (char)('a' + (char)depth) : 'z'};
    fm_rust_print(r, fm_str(name, 2));
    if (depth >= 26) fm_rust_print_number(r, depth - 25);
}

#endif
