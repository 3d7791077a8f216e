#include "mappers/debuginfo/dw_abbrev.h"

#include "mappers/debuginfo/dw_constants.h"

/* Codes are numbered densely by every producer. A table with codes far above their count is refused: libdwarf keeps them in chains that such
 * codes make long, and a direct table of ours would be big. */
#define CODES_PER_ABBREV 8
#define CODES_FLOOR 256

void fm_dw_abbrevs_init(struct fm_dw_abbrevs *abbrevs, struct fm_heap *heap)
{
    *abbrevs = (struct fm_dw_abbrevs){0};
    fm_arena_init(&abbrevs->arena, heap);
    fm_table_init(&abbrevs->found, heap);
}

void fm_dw_abbrevs_free(struct fm_dw_abbrevs *abbrevs)
{
    fm_heap_free(abbrevs->arena.heap, abbrevs->tables, abbrevs->capacity * sizeof *abbrevs->tables);
    fm_table_free(&abbrevs->found);
    fm_arena_free(&abbrevs->arena);
}

/* What a first pass over a table finds out, so that the second can fill arrays of the right size. */
struct extent {
    uint64_t count, specs, highest;
    size_t end;
    const char *broken;
};

static const char *skip_specs(struct fm_reader *r, uint64_t *specs)
{
    for (;;) {
        uint64_t attribute = fm_read_uleb(r);
        uint64_t form = fm_read_uleb(r);

        if (r->bad) return "abbreviation table ends early";
        if (attribute == 0 && form == 0) return NULL;
        if (attribute == 0 || attribute > DW_AT_hi_user) return "abbreviation with an impossible attribute";
        if (form == 0 || form > 0xffff) return "abbreviation with an impossible form";
        if (form == DW_FORM_implicit_const) fm_read_sleb(r);
        (*specs)++;
    }
}

static struct extent measure(struct fm_reader r)
{
    struct extent extent = {0};

    for (;;) {
        uint64_t code = fm_read_uleb(&r);
        if (r.bad) extent.broken = "abbreviation table ends early";
        if (r.bad || code == 0) break;
        if (fm_read_uleb(&r) > DW_TAG_hi_user) extent.broken = "abbreviation with an impossible tag";
        fm_read_u8(&r);
        if (code > extent.highest) extent.highest = code;
        extent.count++;
        if (extent.broken == NULL) extent.broken = skip_specs(&r, &extent.specs);
        if (extent.broken != NULL) break;
    }
    extent.end = r.at;
    if (extent.broken == NULL && extent.highest > extent.count * CODES_PER_ABBREV + CODES_FLOOR) {
        extent.broken = "abbreviation codes are scattered";
    }
    return extent;
}

static void fill(struct fm_reader r, struct fm_dw_abbrev_table *table, struct fm_dw_spec *specs)
{
    for (uint64_t code; (code = fm_read_uleb(&r)) != 0;) {
        struct fm_dw_abbrev abbrev = {.code = code, .specs = specs};

        abbrev.tag = (uint16_t)fm_read_uleb(&r);
        abbrev.children = fm_read_u8(&r) != 0;
        for (;;) {
            struct fm_dw_spec spec = {0};
            spec.attribute = (uint16_t)fm_read_uleb(&r);
            spec.form = (uint16_t)fm_read_uleb(&r);
            if (spec.attribute == 0) break;
            if (spec.form == DW_FORM_implicit_const) spec.implicit = fm_read_sleb(&r);
            *specs++ = spec;
            abbrev.spec_count++;
        }
        /* A repeated code is an error of the producer: readers that stop at the first one found see the first, and so do we. */
        if (table->by_code[code].code == 0) table->by_code[code] = abbrev;
    }
}

static struct fm_dw_abbrev_table *parse(struct fm_arena *arena, struct fm_dw_sections *sections, uint64_t offset)
{
    struct fm_dw_abbrev_table *table = FM_ARENA_NEW(arena, struct fm_dw_abbrev_table);
    struct fm_reader whole = fm_reader_of(sections->abbrev, sections->big_endian);

    if (table == NULL) return NULL;
    table->offset = offset;
    if (offset >= sections->abbrev.size) {
        table->broken = "abbreviation table outside its section";
        return table;
    }
    struct fm_reader r = fm_reader_sub(&whole, offset, sections->abbrev.size - offset);
    struct extent extent = measure(r);
    table->broken = extent.broken;
    table->size = extent.end;
    if (!fm_dw_spend(sections, table->size)) table->broken = "too much work: abbreviation tables overlap";
    if (table->broken != NULL) return table;
    struct fm_dw_spec *specs = FM_ARENA_ARRAY(arena, struct fm_dw_spec, (size_t)extent.specs + 1);
    table->by_code = FM_ARENA_ARRAY(arena, struct fm_dw_abbrev, (size_t)extent.highest + 1);
    table->limit = extent.highest + 1;
    if (specs == NULL || table->by_code == NULL) return NULL;
    fill(r, table, specs);
    return table;
}

static bool same_offset(const void *context, uint32_t id, const void *key)
{
    const struct fm_dw_abbrevs *abbrevs = context;
    return abbrevs->tables[id]->offset == *(const uint64_t *)key;
}

const struct fm_dw_abbrev_table *fm_dw_abbrevs_at(struct fm_dw_abbrevs *abbrevs, struct fm_dw_sections *sections, uint64_t offset)
{
    uint64_t hash = fm_hash64(&offset, sizeof offset, 0);
    uint32_t id = fm_table_find(&abbrevs->found, hash, same_offset, abbrevs, &offset);

    if (id != UINT32_MAX) return abbrevs->tables[id];
    if (!FM_GROW(abbrevs->arena.heap, abbrevs->tables, abbrevs->capacity, abbrevs->count + 1)) return NULL;
    struct fm_dw_abbrev_table *table = parse(&abbrevs->arena, sections, offset);
    if (table == NULL) return NULL;
    abbrevs->tables[abbrevs->count] = table;
    if (!fm_table_add(&abbrevs->found, hash, (uint32_t)abbrevs->count)) return NULL;
    abbrevs->count++;
    return table;
}
