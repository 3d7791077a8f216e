#include "mappers/debuginfo/dw_names.h"

#include "core/fault.h"
#include "core/limits.h"

/* Chains kept before all are forgotten: a bound on memory, high above what the functions of one unit need. */
#define KEPT ((size_t)1 << 17)

void fm_dw_names_init(struct fm_dw_names *names, struct fm_heap *heap, const struct fm_dw_units *units, struct fm_dw_library *library)
{
    *names = (struct fm_dw_names){.heap = heap, .units = units, .library = library};
    fm_table_init(&names->found, heap);
}

void fm_dw_names_free(struct fm_dw_names *names)
{
    fm_heap_free(names->heap, names->namings, names->capacity * sizeof *names->namings);
    fm_table_free(&names->found);
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

static bool same_start(const void *context, uint32_t id, const void *key)
{
    const struct fm_dw_names *names = context;
    return names->namings[id].offset == *(const uint64_t *)key;
}

/* An entry stands where a reference says only when a walk over its unit meets it there; libdwarf must see no other. */
static bool is_entry(const struct fm_dw_names *names, const struct fm_dw_unit_data *unit, uint64_t offset)
{
    struct fm_dw_cursor cursor = fm_dw_cursor_at(names->units->sections, unit);
    struct fm_dw_entry entry;

    fm_reader_seek(&cursor.r, offset);
    cursor.depth = 1; /* of what does not matter here */
    return fm_dw_cursor_next(&cursor, &entry) && entry.offset == offset;
}

static framemap_status follow(struct fm_dw_names *names, uint64_t offset, struct fm_dw_naming *out, framemap_error *error)
{
    *out = (struct fm_dw_naming){.offset = offset};
    for (uint32_t hops = 0; hops < FM_LIMIT_ORIGIN_HOPS; hops++) {
        struct fm_dw_attributes attributes;
        const struct fm_dw_unit_data *unit = fm_dw_units_find(names->units, offset);
        if (unit == NULL || !is_entry(names, unit, offset)) break;
        framemap_status status = fm_dw_library_read(names->library, unit, offset, &attributes, error);
        if (status == FRAMEMAP_E_MEMORY) return status;
        if (status != FRAMEMAP_OK) break;
        merge(out, unit, &attributes);
        if (!attributes.has_origin || attributes.origin == offset) break;
        offset = attributes.origin;
    }
    return FRAMEMAP_OK;
}

static framemap_status look_up(struct fm_dw_names *names, uint64_t offset, struct fm_dw_naming *out, framemap_error *error)
{
    uint64_t hash = fm_hash64(&offset, sizeof offset, 0);
    uint32_t id = fm_table_find(&names->found, hash, same_start, names, &offset);

    if (id != UINT32_MAX) {
        *out = names->namings[id];
        return FRAMEMAP_OK;
    }
    framemap_status status = follow(names, offset, out, error);
    if (status != FRAMEMAP_OK) return status;
    if (names->count == KEPT) {
        fm_table_free(&names->found);
        fm_table_init(&names->found, names->heap);
        names->count = 0;
    }
    if (!FM_GROW(names->heap, names->namings, names->capacity, names->count + 1)) return fm_fault_memory(error);
    names->namings[names->count] = *out;
    if (!fm_table_add(&names->found, hash, (uint32_t)names->count)) return fm_fault_memory(error);
    names->count++;
    return FRAMEMAP_OK;
}

framemap_status fm_dw_names_resolve(struct fm_dw_names *names, const struct fm_dw_unit_data *unit, const struct fm_dw_attributes *own,
                                    struct fm_dw_naming *out, framemap_error *error)
{
    struct fm_dw_naming chain = {.offset = 0};

    *out = (struct fm_dw_naming){.offset = UINT64_MAX};
    merge(out, unit, own);
    if (!own->has_origin) return FRAMEMAP_OK;
    framemap_status status = look_up(names, own->origin, &chain, error);
    if (status != FRAMEMAP_OK) return status;
    out->offset = chain.offset;
    if (out->linkage_name.size == 0) out->linkage_name = chain.linkage_name;
    if (out->name.size == 0) out->name = chain.name;
    if (out->decl_unit == NULL) {
        out->decl_unit = chain.decl_unit;
        out->decl_file = chain.decl_file;
    }
    if (out->decl_line1 == 0) out->decl_line1 = chain.decl_line1;
    out->artificial |= chain.artificial;
    return FRAMEMAP_OK;
}
