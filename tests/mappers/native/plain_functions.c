/* The simple DWARF reader: functions and inlined subroutines. See plain_inner.h. */
#include "tests/mappers/native/plain_inner.h"

#include "core/limits.h"
#include "mappers/native/dwarf/dw_constants.h"

struct naming {
    framemap_str linkage, name;
    const struct unit *decl_unit;
    uint64_t decl_file;
    uint32_t decl_line;
    uint64_t last; /* offset of the last entry in the chain of origins; 0: there is no chain */
    bool artificial;
};

static uint32_t narrow(const struct value *value)
{
    return value->kind != NUMBER || value->number > UINT32_MAX ? 0 : (uint32_t)value->number;
}

static void merge(struct naming *to, const struct unit *unit, const struct entry *from)
{
    if (to->linkage.size == 0) to->linkage = from->slots[LINKAGE].text;
    if (to->name.size == 0) to->name = from->slots[NAME].text;
    if (to->decl_unit == NULL && from->slots[DECL_FILE].kind == NUMBER) {
        to->decl_unit = unit;
        to->decl_file = from->slots[DECL_FILE].number;
    }
    if (to->decl_line == 0) to->decl_line = narrow(&from->slots[DECL_LINE]);
    to->artificial |= from->slots[ARTIFICIAL].number != 0;
}

/* Returns the offset of the origin of an entry; UINT64_MAX: the entry has no origin. */
uint64_t plain_origin_of(const struct unit *unit, const struct entry *entry)
{
    for (int slot = ORIGIN; slot <= SPECIFICATION; slot++) {
        const struct value *value = &entry->slots[slot];
        if (value->kind == INFO_REF) return value->number;
        if (value->kind == UNIT_REF && value->number < unit->end - unit->offset) return unit->offset + value->number;
    }
    return UINT64_MAX;
}

static void follow(const struct fm_dw_debug *debug, uint64_t at, struct naming *to)
{
    for (unsigned hops = 0; at != UINT64_MAX && hops < FM_LIMIT_ORIGIN_HOPS; hops++) {
        const struct unit *unit = plain_unit_of(debug, at);
        struct entry entry;
        if (unit == NULL) return;
        struct fm_byte_reader r = plain_unit_bytes(debug, unit, at);
        if (!plain_read_entry(debug, unit, &r, &entry)) return;
        merge(to, unit, &entry);
        to->last = at;
        const uint64_t next = plain_origin_of(unit, &entry);
        if (next == at) return;
        at = next;
    }
}

/* A function or inlined subroutine whose end has not been reached. */
struct level {
    struct entry entry;
    uint32_t depth, inlined;
    bool tried, reported;
};
struct levels {
    struct level *items;
    size_t count;
    struct range_list ranges;
};

static bool tell(struct fm_dw_worker *w, struct level *level, const struct range_list *ranges)
{
    const struct entry *entry = &level->entry;
    const uint64_t origin = plain_origin_of(w->unit, entry);
    struct naming naming = {.decl_unit = NULL};
    uint32_t call_file = FM_NONE, decl_file = FM_NONE;

    merge(&naming, w->unit, entry);
    follow(w->debug, origin, &naming);
    if (entry->slots[CALL_FILE].kind == NUMBER && !plain_file_number(w, entry->slots[CALL_FILE].number, &call_file))
        return false;
    if (naming.decl_unit == w->unit && !plain_file_number(w, naming.decl_file, &decl_file)) return false;
    const struct fm_dw_function function = {.offset = entry->offset,
                                            .origin = origin == UINT64_MAX ? entry->offset : origin,
                                            .linkage_name = naming.linkage,
                                            .name = naming.name,
                                            .home = origin != UINT64_MAX ? naming.last
                                                    : level->depth > 1   ? entry->offset
                                                                         : 0,
                                            .decl_file = decl_file,
                                            .decl_line1 = naming.decl_line,
                                            .artificial = naming.artificial,
                                            .ranges = ranges->items,
                                            .range_count = ranges->count,
                                            .call_file = call_file,
                                            .call_line1 = narrow(&entry->slots[CALL_LINE]),
                                            .call_col1 = narrow(&entry->slots[CALL_COLUMN]),
                                            .depth = level->inlined};
    level->reported = true;
    return w->visitor->enter(w->visitor->context, &function);
}

/* Reports the innermost level if it has code. First reports those enclosing levels that were not reported yet because
 * they have no code of their own. */
static bool tell_innermost(struct fm_dw_worker *w, struct levels *levels)
{
    struct level *last = &levels->items[levels->count - 1], *first = last;
    static struct range_list above;

    plain_read_ranges(w->debug, w->unit, &last->entry, &levels->ranges);
    if (levels->ranges.count == 0) return true;
    while (first->inlined > 0 && !first[-1].reported && !first[-1].tried) first--;
    for (; first < last; first++) {
        first->tried = true;
        plain_read_ranges(w->debug, w->unit, &first->entry, &above);
        if (!tell(w, first, &above)) return false;
    }
    return tell(w, last, &levels->ranges);
}

static bool leave_to(struct fm_dw_worker *w, struct levels *levels, uint32_t depth)
{
    while (levels->count > 0 && levels->items[levels->count - 1].depth >= depth) {
        if (levels->items[--levels->count].reported && !w->visitor->leave(w->visitor->context)) return false;
    }
    return true;
}

static bool enter_entry(struct fm_dw_worker *w, struct levels *levels, const struct entry *entry, uint32_t depth)
{
    const bool inlined = entry->tag == DW_TAG_inlined_subroutine;

    if (!leave_to(w, levels, depth)) return false;
    if (!inlined && entry->tag != DW_TAG_subprogram) return true;
    const uint32_t deep = inlined && levels->count > 0 ? levels->items[levels->count - 1].inlined + 1 : 0;
    if (deep > FM_LIMIT_INLINE_DEPTH) return true;
    *ADD(levels->items, levels->count) = (struct level){*entry, depth, deep, false, false};
    return !entry->placed || tell_innermost(w, levels);
}

static bool run_levels(struct fm_dw_worker *w, struct levels *levels)
{
    struct fm_byte_reader r = plain_unit_bytes(w->debug, w->unit, w->unit->first);
    struct entry entry;
    uint32_t depth = 0;

    do {
        if (plain_read_entry(w->debug, w->unit, &r, &entry)) {
            if (!enter_entry(w, levels, &entry, depth)) return false;
            depth += entry.children;
        } else {
            depth--;
        }
    } while (!r.bad && depth > 0 && r.at < r.size);
    return leave_to(w, levels, 0);
}

bool plain_run_functions(struct fm_dw_worker *w)
{
    struct levels levels = {NULL, 0, {NULL, 0}};
    const bool good = run_levels(w, &levels);

    free(levels.items);
    free(levels.ranges.items);
    return good;
}
