/* A position in a Rust v0 name (RFC 2603), and the text printed so far: numbers, identifiers and lifetimes. Used by
 * rust_v0.c alone, which has the grammar and the limits; nothing here knows what a token stands for. */
#ifndef FM_RESOLVE_DEMANGLE_RUST_CURSOR_H
#define FM_RESOLVE_DEMANGLE_RUST_CURSOR_H

#include "core/heap.h"
#include <framemap/base.h>

struct fm_rust_cursor {
    framemap_str input; /* after "_R" */
    size_t at;
    bool bad;    /* the name is not valid, too expensive, or out of memory; nothing is read or printed any more */
    bool silent; /* parse without printing */
    unsigned nesting;
    uint32_t steps;
    uint64_t lifetimes; /* number of lifetimes bound at this point */
    struct fm_arena *arena;
    char *text; /* in the arena, so that a repeated lookup allocates no memory */
    size_t size, room;
};

struct fm_rust_identifier {
    framemap_str text;
    bool punycode;
};

/* --- reading --- */

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

/* Base 62, ended by an underscore: "_" is 0, "0_" is 1. */
uint64_t fm_rust_base62(struct fm_rust_cursor *r);
/* A tag and a number in base 62. Returns 0 if the tag is absent, otherwise the number plus one. */
uint64_t fm_rust_optional_base62(struct fm_rust_cursor *r, char tag);
/* A name with its size before it. */
struct fm_rust_identifier fm_rust_identifier(struct fm_rust_cursor *r);
/* Lower-case hex up to an underscore, without leading zeros. Returns the digits; *value has the lowest 64 bits. */
framemap_str fm_rust_hex(struct fm_rust_cursor *r, uint64_t *value);

/* --- printing --- */

void fm_rust_print(struct fm_rust_cursor *r, framemap_str text);
void fm_rust_print_number(struct fm_rust_cursor *r, uint64_t value);
void fm_rust_print_identifier(struct fm_rust_cursor *r, struct fm_rust_identifier name);
/* Prints a lifetime by its distance from the innermost binder, from 1; 0: an erased one, "'_". Bound lifetimes are
 * named from the outermost on: 'a to 'z, then 'z1, 'z2. */
void fm_rust_print_lifetime(struct fm_rust_cursor *r, uint64_t index);

#endif
