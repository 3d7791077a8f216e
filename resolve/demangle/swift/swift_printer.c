/* Collects the text of a Swift name. Called by the printers of this folder. */
#include "resolve/demangle/swift/swift_printer.h"

#include "core/limits.h"

void fm_swift_printer_init(struct fm_swift_printer *p, struct fm_swift_pool *pool, bool is_full,
                           fm_swift_print_node *print)
{
    p->print = print;
    p->pool = pool;
    p->is_full = p->shows_where = is_full;
    p->has_sugar = true;
    p->is_specialized = p->bad = false;
    p->nesting = 0;
    p->text = p->local;
    p->size = 0;
    p->room = sizeof p->local;
}

bool fm_swift_grow_text(struct fm_swift_printer *p, size_t more)
{
    const size_t room = 2 * (p->size + more);
    char *text = room <= 2 * FM_LIMIT_NAME ? fm_swift_alloc(p->pool, room) : NULL;
    if (text == NULL) return false;
    memcpy(text, p->text, p->size);
    p->text = text;
    p->room = room;
    return true;
}

void fm_swift_put_number(struct fm_swift_printer *p, uint64_t number)
{
    char digits[20];
    size_t at = sizeof digits;
    do digits[--at] = (char)('0' + (char)(number % 10));
    while (number /= 10);
    fm_swift_put(p, fm_str(digits + at, sizeof digits - at));
}

void fm_swift_print_children(struct fm_swift_printer *p, const struct fm_swift_node *node, uint32_t first, uint32_t end,
                             framemap_str separator, unsigned depth)
{
    for (uint32_t i = first; i < end && !p->bad; i++) {
        if (i > first) fm_swift_put(p, separator);
        fm_swift_print(p, fm_swift_child(node, i), depth + 1);
    }
}
