/* Finds, checks and keeps abbreviation tables. dw_shape.c compiles the abbreviations. See dw_abbrev.h. */
#include "mappers/native/dwarf/dw_abbrev.h"

#include "mappers/native/dwarf/dw_abbrev_scan.h"
#include "mappers/native/dwarf/dw_shape.h"

/* Limit for the codes of a table, per abbreviation. All known producers number codes densely. Codes far above their
 * count are refused, because they would make a table indexed by code large, and the hash chains long in which libdwarf
 * stores abbreviations. */
#define CODES_PER_ABBREV 8
#define CODES_FLOOR 256

/* Limit for one table in bytes. Real tables have about 10 KB. */
#define LARGEST_TABLE ((uint64_t)1 << 28)

/* Limit for the size of a table that extends beyond the start of the next one: a multiple of the distance between their
 * starts, and a minimum. Real tables do not overlap; without a limit, each of a million units could refer to another
 * offset in one long table. */
#define OVERLAP 64
#define OVERLAP_FLOOR 1024

/* Maximum number of bytes of tables that are kept from unit to unit. */
#define KEPT_BYTES ((size_t)4 << 20)

void fm_dw_abbrevs_init(struct fm_dw_abbrevs *abbrevs, struct fm_heap *heap, const struct fm_dw_sections *sections)
{
    *abbrevs = (struct fm_dw_abbrevs){.sections = sections};
    fm_arena_init(&abbrevs->arena, heap);
    fm_table_init(&abbrevs->found, heap);
}

void fm_dw_abbrevs_free(struct fm_dw_abbrevs *abbrevs)
{
    struct fm_heap *heap = abbrevs->arena.heap;

    fm_heap_free(heap, abbrevs->tables, abbrevs->capacity * sizeof *abbrevs->tables);
    fm_dw_shapes_free(&abbrevs->shapes, heap);
    fm_table_free(&abbrevs->found);
    fm_arena_free(&abbrevs->arena);
}

void fm_dw_abbrevs_trim(struct fm_dw_abbrevs *abbrevs)
{
    struct fm_heap *heap = abbrevs->arena.heap;

    if (abbrevs->arena.total < KEPT_BYTES) return;
    fm_table_free(&abbrevs->found);
    fm_table_init(&abbrevs->found, heap);
    fm_arena_reset(&abbrevs->arena);
    abbrevs->count = 0;
}

/* --- reading one abbreviation --- */

static struct fm_dw_abbrev_scan scan_at(const struct fm_dw_sections *sections, uint64_t offset, uint64_t limit)
{
    const uint64_t left = sections->abbrev.size - offset;
    const unsigned char *at = (const unsigned char *)sections->abbrev.data + offset;
    return (struct fm_dw_abbrev_scan){.at = at, .end = at + (left < limit ? left : limit)};
}

const char *fm_dw_abbrev_find(const struct fm_dw_sections *sections, uint64_t offset, uint64_t code,
                              struct fm_dw_abbrev *out, uint64_t *scanned)
{
    uint64_t here;
    uint64_t attribute;
    uint64_t form;

    *scanned = 0;
    if (offset >= sections->abbrev.size) return "abbreviation table outside its section";
    struct fm_dw_abbrev_scan scan = scan_at(sections, offset, LARGEST_TABLE);
    const unsigned char *const begin = scan.at;
    while (fm_dw_abbrev_head(&scan, &here, &out->tag, &out->children)) {
        const unsigned char *specs = scan.at;
        while (fm_dw_abbrev_next_spec(&scan, &attribute, &form)) continue;
        if (scan.broken != NULL) break;
        *scanned = (uint64_t)(scan.at - begin);
        if (here != code) continue;
        out->specs = fm_byte_reader_of(sections->abbrev, false);
        fm_byte_reader_seek(&out->specs, offset + (uint64_t)(specs - begin));
        return NULL;
    }
    return scan.broken != NULL ? scan.broken : "unit entry with an abbreviation that its table does not have";
}

/* --- compiling a whole table --- */

/* Stores the compiled abbreviations by code. Returns false when out of memory. */
static bool store_shapes(struct fm_dw_abbrevs *abbrevs, struct fm_dw_abbrev_table *table)
{
    const uint64_t highest = abbrevs->shapes.highest;
    struct fm_dw_shape *shapes = FM_ARENA_ARRAY(&abbrevs->arena, struct fm_dw_shape, (size_t)highest + 1);
    uint8_t *steps = fm_arena_alloc(&abbrevs->arena, abbrevs->shapes.step_count);
    struct fm_dw_read *reads = fm_arena_alloc(&abbrevs->arena, abbrevs->shapes.read_count * sizeof *reads);

    if (shapes == NULL || steps == NULL || reads == NULL) return false;
    for (size_t i = 0; i < abbrevs->shapes.shape_count; i++) {
        const uint64_t code = abbrevs->shapes.codes[i];
        /* If two abbreviations have the same code, which is an error of the producer, the first one counts, as for
         * consumers that search the table. */
        if (shapes[code].flags != 0) {
            table->is_ambiguous = true;
            continue;
        }
        shapes[code] = abbrevs->shapes.shapes[i];
        if (shapes[code].tag == DW_TAG_subprogram) table->has_functions = true;
    }
    if (abbrevs->shapes.step_count > 0) memcpy(steps, abbrevs->shapes.steps, abbrevs->shapes.step_count);
    if (abbrevs->shapes.read_count > 0)
        memcpy(reads, abbrevs->shapes.reads, abbrevs->shapes.read_count * sizeof *reads);
    table->shapes = shapes;
    table->steps = steps;
    table->reads = reads;
    table->limit = highest + 1;
    return true;
}

/* Returns the limit for the end of a table that starts at this offset. */
static uint64_t table_limit(const struct fm_dw_abbrevs *abbrevs, uint64_t offset)
{
    size_t low = 0;
    size_t high = abbrevs->begin_count;

    while (low < high) {
        size_t middle = low + (high - low) / 2;
        if (abbrevs->begins[middle] <= offset)
            low = middle + 1;
        else
            high = middle;
    }
    if (low == abbrevs->begin_count) return LARGEST_TABLE;
    const uint64_t between = abbrevs->begins[low] - offset;
    return between > LARGEST_TABLE / OVERLAP ? LARGEST_TABLE : between * OVERLAP + OVERLAP_FLOOR;
}

static const struct fm_dw_form *forms_of(struct fm_dw_abbrevs *abbrevs, const struct fm_dw_encoding *encoding,
                                         uint64_t kind)
{
    struct fm_dw_form *forms = abbrevs->forms[kind];

    if (forms[DW_FORM_addr].width != 0) return forms;
    for (uint16_t form = 0; form < FM_DW_FORM_COUNT; form++) forms[form] = fm_dw_form_of(form, encoding);
    return forms;
}

/* Compiles the table at an offset. Returns false when out of memory. */
static bool compile_table(struct fm_dw_abbrevs *abbrevs, struct fm_dw_abbrev_table *table,
                          const struct fm_dw_encoding *encoding)
{
    const struct fm_dw_sections *sections = abbrevs->sections;

    if (table->offset >= sections->abbrev.size) {
        table->broken = "abbreviation table outside its section";
        return true;
    }
    const uint64_t limit = table_limit(abbrevs, table->offset);
    struct fm_dw_abbrev_scan scan = scan_at(sections, table->offset, limit);
    const unsigned char *const begin = scan.at;
    const bool cut = limit < sections->abbrev.size - table->offset;
    if (!fm_dw_shapes_compile(&abbrevs->shapes, abbrevs->arena.heap, encoding, table->forms, &scan)) return false;
    table->broken = scan.broken;
    if (table->broken != NULL && scan.at == NULL && cut) table->broken = "too much work: abbreviation tables overlap";
    if (table->broken == NULL && abbrevs->shapes.highest > abbrevs->shapes.shape_count * CODES_PER_ABBREV + CODES_FLOOR)
        table->broken = "abbreviation codes are scattered";
    if (table->broken != NULL) return true;
    table->size = (uint64_t)(scan.at - begin);
    return store_shapes(abbrevs, table);
}

static bool same_key(const void *context, uint32_t id, const void *key)
{
    const struct fm_dw_abbrevs *abbrevs = context;
    return abbrevs->tables[id]->key == *(const uint64_t *)key;
}

/* Returns a small number for the properties of an encoding that affect the sizes of forms. */
static uint64_t kind_of(const struct fm_dw_encoding *encoding)
{
    return (encoding->address_size == 8 ? 1u : 0u) | (encoding->offset_size == 8 ? 2u : 0u) |
           (encoding->version == 2 ? 4u : 0u);
}

const struct fm_dw_abbrev_table *fm_dw_abbrevs_at(struct fm_dw_abbrevs *abbrevs, uint64_t offset,
                                                  const struct fm_dw_encoding *encoding)
{
    const uint64_t kind = kind_of(encoding);
    /* all offsets that are outside of the section get the same key */
    const uint64_t key =
        (offset < abbrevs->sections->abbrev.size ? offset : abbrevs->sections->abbrev.size) << 3 | kind;
    const uint64_t hash = fm_hash64(&key, sizeof key, 0);
    uint32_t id = fm_table_find(&abbrevs->found, hash, same_key, abbrevs, &key);

    if (id != UINT32_MAX) return abbrevs->tables[id];
    if (!FM_GROW(abbrevs->arena.heap, abbrevs->tables, abbrevs->capacity, abbrevs->count + 1)) return NULL;
    struct fm_dw_abbrev_table *table = FM_ARENA_NEW(&abbrevs->arena, struct fm_dw_abbrev_table);
    if (table == NULL) return NULL;
    table->key = key;
    table->offset = offset;
    table->forms = forms_of(abbrevs, encoding, kind);
    if (!compile_table(abbrevs, table, encoding)) return NULL;
    abbrevs->tables[abbrevs->count] = table;
    if (!fm_table_add(&abbrevs->found, hash, (uint32_t)abbrevs->count)) return NULL;
    abbrevs->count++;
    return table;
}
