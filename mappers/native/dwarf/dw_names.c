/* Follows the chains of origins of functions and combines their values. See dw_names.h. */
#include "mappers/native/dwarf/dw_names.h"

#include "core/error.h"
#include "core/limits.h"

static uint64_t hash_of(const struct fm_dw_names *names, uint64_t offset) { return fm_hash_word(offset, names->key); }

void fm_dw_names_init(struct fm_dw_names *names, struct fm_heap *heap, const struct fm_dw_units *units,
                      struct fm_dw_abbrevs *abbrevs, struct fm_dw_library *library)
{
    *names = (struct fm_dw_names){.heap = heap,
                                  .sections = units->sections,
                                  .units = units,
                                  .abbrevs = abbrevs,
                                  .library = library,
                                  .key = fm_hash_key(names)};
    names->hinted_hash = hash_of(names, names->hinted);
    fm_table_init(&names->found, heap);
}

void fm_dw_names_free(struct fm_dw_names *names)
{
    fm_table_free(&names->found);
    fm_heap_free(names->heap, names->chains, names->capacity * sizeof *names->chains);
}

void fm_dw_names_begin(struct fm_dw_names *names, const struct fm_dw_unit_data *unit,
                       const struct fm_dw_abbrev_table *table, bool one_name)
{
    names->one_name = one_name;
    names->unit = unit;
    names->table = table;
    names->count = names->identities = 0;
    fm_table_clear(&names->found);
}

/* Adds the values of an entry to those of the nearer entries of its chain: where both have a value, that of the nearest
 * entry counts. LLVM and elfutils search the whole chain for a linkage name before they use the name. */
static void merge_entry(const struct fm_dw_names *names, struct fm_dw_naming *to, const struct fm_dw_unit_data *unit,
                        const struct fm_dw_attributes *from)
{
    if (to->linkage_name.size == 0) to->linkage_name = from->linkage_name;
    if (to->name.size == 0 && !(names->one_name && to->linkage_name.size > 0))
        to->name = fm_dw_value_string(names->sections, &unit->encoding, &from->name);
    if (to->decl_unit == NULL && from->has_decl_file) {
        to->decl_unit = unit;
        to->decl_file = from->decl_file;
    }
    if (to->decl_line1 == 0) to->decl_line1 = from->decl_line1;
    to->artificial |= from->artificial;
}

/* Decodes the entry at an offset. *good: whether it is a valid entry. Errors: MEMORY. */
static framemap_status read_entry(struct fm_dw_names *names, const struct fm_dw_unit_data *unit, uint64_t offset,
                                  struct fm_dw_attributes *out, bool *good, framemap_error *error)
{
    const struct fm_dw_abbrev_table *table =
        unit == names->unit ? names->table : fm_dw_abbrevs_at(names->abbrevs, unit->abbrevs, &unit->encoding);

    if (table == NULL) return fm_error_memory(error);
    *good = table->broken == NULL && fm_dw_attributes_at(names->sections, unit, table, offset, out);
    if (!*good || names->library == NULL) return FRAMEMAP_OK;
    return fm_dw_library_read_attributes(names->library, unit, table, offset, out, error);
}

static const struct fm_dw_unit_data *find_unit(const struct fm_dw_names *names, uint64_t offset)
{
    return offset >= names->unit->first && offset < names->unit->end ? names->unit
                                                                     : fm_dw_units_find(names->units, offset);
}

static framemap_status follow_chain(struct fm_dw_names *names, uint64_t offset, struct fm_dw_naming *out,
                                    framemap_error *error)
{
    *out = (struct fm_dw_naming){.offset = offset, .last = offset};
    for (uint32_t hops = 0; hops < FM_LIMIT_ORIGIN_HOPS; hops++) {
        struct fm_dw_attributes attributes;
        bool good = false;
        const struct fm_dw_unit_data *unit = find_unit(names, offset);
        if (unit == NULL) break;
        if (read_entry(names, unit, offset, &attributes, &good, error) != FRAMEMAP_OK) return FRAMEMAP_E_MEMORY;
        if (!good) break;
        merge_entry(names, out, unit, &attributes);
        out->last = offset;
        if (!attributes.has_origin || attributes.origin == offset) break;
        offset = attributes.origin;
    }
    return FRAMEMAP_OK;
}

static bool starts_at(const void *context, uint32_t id, const void *key)
{
    const struct fm_dw_naming *chains = context;
    return chains[id].offset == *(const uint64_t *)key;
}

void fm_dw_names_hint(struct fm_dw_names *names, const struct fm_dw_attributes *own)
{
    if (!own->has_origin) return;
    names->hinted = own->origin;
    names->hinted_hash = hash_of(names, own->origin);
    fm_table_hint(&names->found, names->hinted_hash);
}

/* Gets the chain that starts at an offset. If the chain is not known yet, the links are followed from entry to entry.
 * Errors: MEMORY. */
static framemap_status find_chain(struct fm_dw_names *names, uint64_t offset, struct fm_dw_naming **out,
                                  framemap_error *error)
{
    const uint64_t hash = offset == names->hinted ? names->hinted_hash : hash_of(names, offset);
    uint32_t id = fm_table_find(&names->found, hash, starts_at, names->chains, &offset);

    if (id == UINT32_MAX) {
        if (!FM_GROW(names->heap, names->chains, names->capacity, names->count + 1)) return fm_error_memory(error);
        if (follow_chain(names, offset, &names->chains[names->count], error) != FRAMEMAP_OK) return FRAMEMAP_E_MEMORY;
        id = (uint32_t)names->count++;
        if (!fm_table_add(&names->found, hash, id)) return fm_error_memory(error);
    }
    *out = &names->chains[id];
    return FRAMEMAP_OK;
}

/* Whether an entry adds nothing to its chain. */
static bool adds_nothing(const struct fm_dw_attributes *own)
{
    return own->linkage_name.size == 0 && own->name.class == FM_DW_NONE && !own->has_decl_file &&
           own->decl_line1 == 0 && !own->artificial;
}

/* Combines an entry with its chain: where both have a value, the entry's value counts. chain: NULL if the entry has no
 * chain. */
static void combine_with_chain(const struct fm_dw_names *names, struct fm_dw_naming *out,
                               const struct fm_dw_attributes *own, const struct fm_dw_naming *chain)
{
    *out = (struct fm_dw_naming){.offset = UINT64_MAX};
    merge_entry(names, out, names->unit, own);
    if (chain == NULL) return;
    out->offset = chain->offset;
    out->last = chain->last;
    if (out->linkage_name.size == 0) out->linkage_name = chain->linkage_name;
    if (out->name.size == 0) out->name = chain->name;
    if (out->decl_unit == NULL) {
        out->decl_unit = chain->decl_unit;
        out->decl_file = chain->decl_file;
    }
    if (out->decl_line1 == 0) out->decl_line1 = chain->decl_line1;
    out->artificial |= chain->artificial;
}

framemap_status fm_dw_names_resolve(struct fm_dw_names *names, const struct fm_dw_attributes *own,
                                    const struct fm_dw_naming **out, framemap_error *error)
{
    struct fm_dw_naming *chain = NULL;

    if (own->has_origin && find_chain(names, own->origin, &chain, error) != FRAMEMAP_OK) return FRAMEMAP_E_MEMORY;
    if (chain != NULL && adds_nothing(own)) {
        if (chain->identity == 0) chain->identity = ++names->identities;
        *out = chain;
        return FRAMEMAP_OK;
    }
    combine_with_chain(names, &names->merged, own, chain);
    *out = &names->merged;
    return FRAMEMAP_OK;
}
