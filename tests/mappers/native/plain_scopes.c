/* Finds the scopes that enclose an entry. To do so, it reads the unit from its first entry on, again for each entry. */
#include "tests/mappers/native/plain_inner.h"

#include "core/limits.h"
#include "mappers/native/dwarf/dw_constants.h"

struct ancestors {
    struct entry *items;
    size_t count;
};

/* Finds the entries that enclose the entry at an offset. Returns false if no entry starts there. */
static bool find_ancestors(const struct fm_dw_debug *debug, uint64_t at, struct ancestors *out)
{
    const struct unit *unit = plain_unit_of(debug, at);
    struct entry entry;

    out->count = 0;
    if (unit == NULL) return false;
    struct fm_byte_reader r = plain_unit_bytes(debug, unit, unit->first);
    do {
        if (r.at == at) return true;
        if (!plain_read_entry(debug, unit, &r, &entry))
            out->count--;
        else if (entry.children)
            *ADD(out->items, out->count) = entry;
    } while (!r.bad && out->count > 0 && r.at < r.size);
    return false;
}

/* Finds the first name along the chain of origins of an entry; *last is the end of the chain. */
static framemap_str name_along(const struct fm_dw_debug *debug, uint64_t at, uint64_t *last)
{
    framemap_str name = {NULL, 0};

    for (unsigned hops = 0; hops < FM_LIMIT_ORIGIN_HOPS; hops++) {
        const struct unit *unit = plain_unit_of(debug, at);
        struct entry entry;
        if (unit == NULL) break;
        struct fm_byte_reader r = plain_unit_bytes(debug, unit, at);
        if (!plain_read_entry(debug, unit, &r, &entry)) break;
        *last = at;
        if (name.size == 0) name = entry.slots[NAME].text;
        const uint64_t next = plain_origin_of(unit, &entry);
        if (next == UINT64_MAX || next == at) break;
        at = next;
    }
    return name;
}

static const char *nameless(uint64_t tag)
{
    switch (tag) {
    case DW_TAG_namespace: return "(anonymous namespace)";
    case DW_TAG_class_type: return "(anonymous class)";
    case DW_TAG_structure_type: return "(anonymous struct)";
    case DW_TAG_union_type: return "(anonymous union)";
    default: return "";
    }
}

static bool is_scope(uint64_t tag)
{
    return tag == DW_TAG_namespace || tag == DW_TAG_module || tag == DW_TAG_class_type ||
           tag == DW_TAG_structure_type || tag == DW_TAG_union_type || tag == DW_TAG_interface_type ||
           tag == DW_TAG_enumeration_type || tag == DW_TAG_subprogram || tag == DW_TAG_inlined_subroutine;
}

/* Returns the text with a scope prepended. */
static framemap_str prepend(struct fm_arena *arena, framemap_str name, framemap_str text)
{
    const bool both = name.size > 0 && text.size > 0;
    char *made = fm_arena_alloc(arena, name.size + 2 + text.size);
    if (made == NULL) abort();
    if (name.size > 0) memcpy(made, name.data, name.size);
    if (both) memcpy(made + name.size, "::", 2);
    if (text.size > 0) memcpy(made + name.size + (both ? 2 : 0), text.data, text.size);
    return fm_str(made, name.size + (both ? 2 : 0) + text.size);
}

static framemap_str scopes_of(const struct fm_dw_debug *debug, uint64_t entry, struct fm_arena *arena)
{
    struct ancestors around = {NULL, 0};
    framemap_str text = {NULL, 0};
    uint64_t last = entry;
    const framemap_str own = name_along(debug, entry, &last);
    bool first = true;

    for (bool found = find_ancestors(debug, entry, &around); found && around.count > 0;) {
        const struct entry *at = &around.items[--around.count];
        const bool class = at->tag == DW_TAG_structure_type || at->tag == DW_TAG_class_type;
        if (!is_scope(at->tag)) continue;
        last = at->offset;
        framemap_str name = name_along(debug, at->offset, &last);
        if (name.size == 0)
            name = first && class && fm_str_starts(own, FM_STR("operator()")) ? FM_STR("{lambda}")
                                                                              : framemap_str_of(nameless(at->tag));
        if (name.size > 0) text = prepend(arena, name, text);
        if (last != at->offset) found = find_ancestors(debug, last, &around);
        first = false;
    }
    free(around.items);
    return text;
}

framemap_status plain_scopes(struct fm_dw_worker *w, uint32_t number, const uint64_t *entries, size_t count,
                             struct fm_arena *arena, framemap_str *out, framemap_error *error)
{
    (void)number, (void)error;
    for (size_t i = 0; i < count; i++) out[i] = scopes_of(w->debug, entries[i], arena);
    return FRAMEMAP_OK;
}
