#include "mappers/debuginfo/dw_names.h"

#include "core/fault.h"
#include "core/limits.h"

/* Chains that are kept: more than the functions of most units have, and half a second-level cache. A power of two. */
#define KEPT ((size_t)1 << 12)

bool fm_dw_names_init(struct fm_dw_names *names, struct fm_heap *heap, const struct fm_dw_units *units, struct fm_dw_abbrevs *abbrevs,
                      struct fm_dw_library *library)
{
    *names = (struct fm_dw_names){.heap = heap, .sections = units->sections, .units = units, .abbrevs = abbrevs, .library = library};
    names->kept = fm_heap_resize(heap, NULL, 0, KEPT * sizeof *names->kept);
    for (size_t i = 0; names->kept != NULL && i < KEPT; i++) names->kept[i].offset = UINT64_MAX;
    return names->kept != NULL;
}

void fm_dw_names_free(struct fm_dw_names *names)
{
    if (names->kept != NULL) fm_heap_free(names->heap, names->kept, KEPT * sizeof *names->kept);
}

/* The nearest entry of the chain that says a thing is right; LLVM and elfutils look for the linkage name along the whole chain before the name. */
static void merge(struct fm_dw_naming *to, const struct fm_dw_unit_data *unit, const struct fm_dw_attributes *from)
{
    if (to->linkage_name.size == 0) to->linkage_name = from->linkage_name;
    if (to->name.size == 0) to->name = from->name;
    if (to->decl_unit == NULL && from->has_decl_file) {
        to->decl_unit = unit;
        to->decl_file = from->decl_file;
    }
    if (to->decl_line1 == 0) to->decl_line1 = from->decl_line1;
    to->artificial |= from->artificial;
}

/* What the entry at an offset says. *good: there is one that can be read. Errors: MEMORY. */
static framemap_status read_entry(struct fm_dw_names *names, const struct fm_dw_unit_data *unit, uint64_t offset, struct fm_dw_attributes *out,
                                  bool *good, framemap_error *error)
{
    const struct fm_dw_abbrev_table *table = fm_dw_abbrevs_at(names->abbrevs, unit->abbrevs, &unit->encoding);

    if (table == NULL) return fm_fault_memory(error);
    *good = table->broken == NULL && fm_dw_attributes_at(names->sections, unit, table, offset, out);
    if (!*good || names->library == NULL) return FRAMEMAP_OK;
    return fm_dw_library_replace(names->library, unit, table, offset, out, error);
}

static framemap_status follow(struct fm_dw_names *names, uint64_t offset, struct fm_dw_naming *out, framemap_error *error)
{
    *out = (struct fm_dw_naming){.offset = offset};
    for (uint32_t hops = 0; hops < FM_LIMIT_ORIGIN_HOPS; hops++) {
        struct fm_dw_attributes attributes;
        bool good = false;
        const struct fm_dw_unit_data *unit = fm_dw_units_find(names->units, offset);
        if (unit == NULL) break;
        if (read_entry(names, unit, offset, &attributes, &good, error) != FRAMEMAP_OK) return FRAMEMAP_E_MEMORY;
        if (!good) break;
        merge(out, unit, &attributes);
        if (!attributes.has_origin || attributes.origin == offset) break;
        offset = attributes.origin;
    }
    return FRAMEMAP_OK;
}

/* Entries are a few bytes apart or more, and those of one unit near each other. */
static struct fm_dw_naming *place_of(const struct fm_dw_names *names, uint64_t offset)
{
    return &names->kept[(offset ^ offset >> 12) & (KEPT - 1)];
}

/* The chain that starts at an offset. Errors: MEMORY. */
static framemap_status look_up(struct fm_dw_names *names, uint64_t offset, const struct fm_dw_naming **out, framemap_error *error)
{
    struct fm_dw_naming *kept = place_of(names, offset);

    *out = kept;
    /* An impossible offset is the mark of a free place. */
    if (kept->offset == offset && offset != UINT64_MAX) return FRAMEMAP_OK;
    const framemap_status status = follow(names, offset, kept, error);
    if (status != FRAMEMAP_OK) kept->offset = UINT64_MAX;
    return status;
}

framemap_status fm_dw_names_resolve(struct fm_dw_names *names, const struct fm_dw_unit_data *unit, const struct fm_dw_attributes *own,
                                    struct fm_dw_naming *out, framemap_error *error)
{
    const struct fm_dw_naming *chain;

    *out = (struct fm_dw_naming){.offset = UINT64_MAX};
    merge(out, unit, own);
    if (!own->has_origin) return FRAMEMAP_OK;
    const framemap_status status = look_up(names, own->origin, &chain, error);
    if (status != FRAMEMAP_OK) return status;
    out->offset = chain->offset;
    if (out->linkage_name.size == 0) out->linkage_name = chain->linkage_name;
    if (out->name.size == 0) out->name = chain->name;
    if (out->decl_unit == NULL) {
        out->decl_unit = chain->decl_unit;
        out->decl_file = chain->decl_file;
    }
    if (out->decl_line1 == 0) out->decl_line1 = chain->decl_line1;
    out->artificial |= chain->artificial;
    return FRAMEMAP_OK;
}
