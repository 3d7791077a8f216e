/* The state of printing a Swift name, and the functions that print groups of nodes. */
#ifndef FM_RESOLVE_DEMANGLE_SWIFT_SWIFT_PRINTER_H
#define FM_RESOLVE_DEMANGLE_SWIFT_SWIFT_PRINTER_H

#include "resolve/demangle/swift/swift_node.h"

#define FM_SWIFT_LOCAL_TEXT 2048 /* bytes of text that need no memory; the longest of 141,000 real names has 1,709 */

struct fm_swift_printer;
/* Prints a node of any kind. depth: number of nodes around it. node NULL: the name is malformed. is_prefix: the node is
 * the context before another name, "Outer" in "Outer.name"; returns the context that can only be printed after that
 * name, as in "closure #1 in f()"; NULL: there is no such context. */
typedef struct fm_swift_node *fm_swift_print_node(struct fm_swift_printer *p, struct fm_swift_node *node,
                                                  unsigned depth, bool is_prefix);

struct fm_swift_printer {
    struct fm_swift_pool *pool;
    fm_swift_print_node *print; /* calls the printer of the node's kind */
    bool is_full;               /* modules, types, specializations …; otherwise the simplified form */
    bool has_sugar;             /* prints [T], [K : V] and T? */
    bool shows_where;           /* prints the requirements of generic signatures */
    bool is_specialized;        /* the simplified form has printed "specialized" */
    /* a node is malformed, or a limit was exceeded: nothing more is printed and the name is left mangled */
    bool bad;
    unsigned nesting; /* number of names that this one is nested in */
    char *text;
    size_t size, room;
    char local[FM_SWIFT_LOCAL_TEXT];
};

void fm_swift_printer_init(struct fm_swift_printer *p, struct fm_swift_pool *pool, bool is_full,
                           fm_swift_print_node *print);

/* Counts steps, of loops that print nothing for a part. Too many: the name is left mangled. */
static inline void fm_swift_count(struct fm_swift_printer *p, size_t steps)
{
    if (!fm_swift_work(p->pool, steps)) p->bad = true;
}
/* Grows the text; false: it is longer than a name may be, or there is no memory. */
bool fm_swift_grow_text(struct fm_swift_printer *p, size_t more);
/* Append text, or a number. */
static inline void fm_swift_put(struct fm_swift_printer *p, framemap_str text)
{
    if (p->bad) return;
    if (text.size > p->room - p->size && !fm_swift_grow_text(p, text.size)) {
        p->bad = true;
        return;
    }
    fm_str_copy(p->text + p->size, text);
    p->size += text.size;
}
void fm_swift_put_number(struct fm_swift_printer *p, uint64_t number);
/* Appends a node. */
static inline void fm_swift_print(struct fm_swift_printer *p, struct fm_swift_node *node, unsigned depth)
{
    p->print(p, node, depth, false);
}
/* Prints the children from `first` up to `end`. */
void fm_swift_print_children(struct fm_swift_printer *p, const struct fm_swift_node *node, uint32_t first, uint32_t end,
                             framemap_str separator, unsigned depth);
static inline void fm_swift_print_list(struct fm_swift_printer *p, const struct fm_swift_node *node,
                                       framemap_str separator, unsigned depth)
{
    if (node != NULL) fm_swift_print_children(p, node, 0, node->count, separator, depth);
}
#define FM_SWIFT_PUT(p, literal) fm_swift_put((p), FM_STR(literal))

/* swift_print_entity.c: prints a declaration. is_prefix, result: as fm_swift_print_node. *is_entity: false if the
 * node is not a declaration; nothing is printed then. */
struct fm_swift_node *fm_swift_print_entity(struct fm_swift_printer *p, struct fm_swift_node *node, unsigned depth,
                                            bool is_prefix, bool *is_entity);
/* swift_print_type.c: prints a type that is not described by words. Returns false if the node is of another kind. */
bool fm_swift_print_type(struct fm_swift_printer *p, struct fm_swift_node *node, unsigned depth);
/* Prints a function's type. labels: the labels of its arguments; NULL: there are no labels. */
void fm_swift_print_function(struct fm_swift_printer *p, const struct fm_swift_node *labels, struct fm_swift_node *type,
                             unsigned depth);
/* Whether a space precedes a type that follows a name: it does not before parentheses and angle brackets. */
bool fm_swift_needs_space(const struct fm_swift_node *type);
/* swift_print_generic.c: prints signatures, requirements, conformances, and types of the intermediate language. Returns
 * false if the node is of another kind. */
bool fm_swift_print_generic(struct fm_swift_printer *p, struct fm_swift_node *node, unsigned depth);
/* swift_print_special.c: prints specializations, thunks and derivatives. Returns false if the node is of another
 * kind. */
bool fm_swift_print_special(struct fm_swift_printer *p, struct fm_swift_node *node, unsigned depth);

#endif
