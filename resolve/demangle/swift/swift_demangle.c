/* Demangles one Swift name: reads it into nodes and prints them. Called by demangle.c. */
#include "resolve/demangle/swift/swift_demangle.h"

#include "resolve/demangle/swift/swift_old.h"
#include "resolve/demangle/swift/swift_operators.h"
#include "resolve/demangle/swift/swift_print.h"

/* Reads a name. NULL: it is not valid. */
static struct fm_swift_node *read_name(struct fm_swift_reader *r, struct fm_swift_pool *pool, framemap_str name)
{
    if (fm_str_starts(name, FM_STR("__T"))) name = fm_str_from(name, 1); /* Mach-O's underscore */
    if (fm_str_starts(name, FM_STR("_Tt"))) return fm_swift_old_read(r, pool, fm_str_from(name, 3));
    return fm_swift_reader_init(r, pool, name) ? fm_swift_read(r) : NULL;
}

bool fm_swift_demangle(framemap_str name, bool is_full, struct fm_arena *arena, framemap_str *out)
{
    struct fm_swift_pool pool;
    struct fm_swift_reader reader;
    struct fm_swift_printer printer;
    fm_swift_pool_init(&pool, arena->heap);
    struct fm_swift_node *node = read_name(&reader, &pool, name);
    bool done = false;
    if (node != NULL) {
        done = fm_swift_print_name(&printer, &pool, node, is_full) &&
               fm_arena_str(arena, fm_str(printer.text, printer.size), out);
    }
    arena->passing += pool.own.total;
    fm_arena_free(&pool.own);
    return done;
}
