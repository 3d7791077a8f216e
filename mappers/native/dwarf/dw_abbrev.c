/* Reads, checks and compiles abbreviation tables. See dw_abbrev.h. */
#include "mappers/native/dwarf/dw_abbrev.h"

#include "mappers/native/dwarf/dw_leb.h"

/* All known producers number codes densely. A table with codes far above their count is rejected: libdwarf stores
 * them in hash chains that such codes make long, and a direct table would be large. */
#define CODES_PER_ABBREV 8
#define CODES_FLOOR 256

/* Limit for one table in bytes. Real tables have about 10 KB. */
#define LARGEST_TABLE ((uint64_t)1 << 28)

/* Limit for how far a table may extend beyond the start of the next one: this many times the distance between them,
 * and a minimum. Producers' tables do not overlap; without a limit a million units could each refer to a different
 * offset in one long table. */
#define OVERLAP 64
#define OVERLAP_FLOOR 1024

/* Memory for tables that is kept from unit to unit. */
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
    fm_heap_free(heap, abbrevs->shapes, abbrevs->shape_capacity * sizeof *abbrevs->shapes);
    fm_heap_free(heap, abbrevs->codes, abbrevs->code_capacity * sizeof *abbrevs->codes);
    fm_heap_free(heap, abbrevs->steps, abbrevs->step_capacity);
    fm_heap_free(heap, abbrevs->reads, abbrevs->read_capacity * sizeof *abbrevs->reads);
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

/* --- one abbreviation --- */

/* State while a table is read. */
struct table_scan {
    const unsigned char *at, *end;
    int64_t implicit; /* of the last DW_FORM_implicit_const */
    const char *broken;
};

static bool stop(struct table_scan *scan, const char *why)
{
    scan->broken = why;
    return false;
}

static bool next_number(struct table_scan *scan, uint64_t *out)
{
    scan->at = fm_dw_uleb(scan->at, scan->end, out);
    return scan->at != NULL || stop(scan, "abbreviation table ends early");
}

/* Reads a code, a tag and the children flag. Returns false if the table is damaged, or (*code 0) at its end. */
static bool next_head(struct table_scan *scan, uint64_t *code, uint16_t *tag, bool *children)
{
    uint64_t number = 0;

    if (!next_number(scan, code) || *code == 0) return false;
    if (!next_number(scan, &number)) return false;
    if (number > DW_TAG_hi_user) return stop(scan, "abbreviation with an impossible tag");
    *tag = (uint16_t)number;
    if (scan->at == scan->end) return stop(scan, "abbreviation table ends early");
    *children = *scan->at++ != 0;
    return true;
}

/* Reads one attribute specification. Returns false if the table is damaged, or (*attribute 0) at the end of the list.
 */
static bool next_spec(struct table_scan *scan, uint64_t *attribute, uint64_t *form)
{
    if (!next_number(scan, attribute) || !next_number(scan, form)) return false;
    if (*attribute == 0 && *form == 0) return false;
    if (*attribute == 0 || *attribute > DW_AT_hi_user) return stop(scan, "abbreviation with an impossible attribute");
    if (*form == 0 || *form > 0xffff) return stop(scan, "abbreviation with an impossible form");
    if (*form != DW_FORM_implicit_const) return true;
    scan->at = fm_dw_sleb(scan->at, scan->end, &scan->implicit);
    return scan->at != NULL || stop(scan, "abbreviation table ends early");
}

/* As next_spec, for an attribute and a form of one byte each, which nearly all are. Returns false if they are not, or
 * at the end. */
static inline bool quick_spec(struct table_scan *scan, uint64_t *attribute, uint64_t *form)
{
    if (scan->end - scan->at < 2) return false;
    *attribute = scan->at[0];
    *form = scan->at[1];
    if (*attribute - 1 >= 0x7f || *form - 1 >= 0x7f || *form == DW_FORM_implicit_const) return false;
    scan->at += 2;
    return true;
}

static struct table_scan scan_at(const struct fm_dw_sections *sections, uint64_t offset, uint64_t limit)
{
    const uint64_t left = sections->abbrev.size - offset;
    const unsigned char *at = (const unsigned char *)sections->abbrev.data + offset;
    return (struct table_scan){.at = at, .end = at + (left < limit ? left : limit)};
}

const char *fm_dw_abbrev_find(const struct fm_dw_sections *sections, uint64_t offset, uint64_t code,
                              struct fm_dw_abbrev *out, uint64_t *scanned)
{
    uint64_t here;
    uint64_t attribute;
    uint64_t form;

    *scanned = 0;
    if (offset >= sections->abbrev.size) return "abbreviation table outside its section";
    struct table_scan scan = scan_at(sections, offset, LARGEST_TABLE);
    const unsigned char *const begin = scan.at;
    while (next_head(&scan, &here, &out->tag, &out->children)) {
        const unsigned char *specs = scan.at;
        while (quick_spec(&scan, &attribute, &form) || next_spec(&scan, &attribute, &form)) continue;
        if (scan.broken != NULL) break;
        *scanned = (uint64_t)(scan.at - begin);
        if (here != code) continue;
        out->specs = fm_byte_reader_of(sections->abbrev, false);
        fm_byte_reader_seek(&out->specs, offset + (uint64_t)(specs - begin));
        return NULL;
    }
    return scan.broken != NULL ? scan.broken : "unit entry with an abbreviation that its table does not have";
}

/* --- a whole table --- */

/* State while one abbreviation is compiled. */
struct shape_builder {
    struct fm_dw_abbrevs *abbrevs;
    const struct fm_dw_encoding *encoding;
    const struct fm_dw_form *forms;
    struct fm_dw_shape *shape;
    uint32_t run;  /* bytes of fixed size since the last step */
    bool stepped;  /* it has steps */
    bool declared; /* DW_AT_declaration */
    bool has_sibling;
    size_t first_read; /* index of this abbreviation's first element in `reads` */
    bool reads;        /* its attributes may be needed, and all so far can be decoded by `reads` */
    bool memory;       /* false when out of memory */
};

static void add_step(struct shape_builder *draft, enum fm_dw_step step, unsigned operand)
{
    struct fm_dw_abbrevs *abbrevs = draft->abbrevs;

    if (!FM_GROW(abbrevs->arena.heap, abbrevs->steps, abbrevs->step_capacity, abbrevs->step_count + 2)) {
        draft->memory = true;
        return;
    }
    abbrevs->steps[abbrevs->step_count++] = (uint8_t)step;
    if (step == FM_DW_STEP_BYTES || step == FM_DW_STEP_SIBLING || step == FM_DW_STEP_BLOCK)
        abbrevs->steps[abbrevs->step_count++] = (uint8_t)operand;
}

static void end_run(struct shape_builder *draft)
{
    for (; draft->run > 255 && !draft->memory; draft->run -= 255) add_step(draft, FM_DW_STEP_BYTES, 255);
    if (draft->run > 0) add_step(draft, FM_DW_STEP_BYTES, draft->run);
    draft->run = 0;
}

static bool is_reference(uint64_t form) { return form >= DW_FORM_ref1 && form <= DW_FORM_ref8; }

static void note_fixed(struct shape_builder *draft, uint64_t attribute, uint64_t form, uint8_t width)
{
    if (attribute == DW_AT_sibling && is_reference(form) && !draft->has_sibling) {
        draft->has_sibling = true;
        if (draft->stepped) {
            end_run(draft);
            add_step(draft, FM_DW_STEP_SIBLING, width);
            return;
        }
        if (draft->run < FM_DW_NO_PLACE)
            draft->shape->sibling = (uint16_t)draft->run;
        else
            draft->has_sibling = false;
        draft->shape->sibling_width = width;
    }
    draft->run += width;
}

static void note_stepped(struct shape_builder *draft, uint8_t width)
{
    static const uint8_t steps[] = {FM_DW_STEP_LEB,       FM_DW_STEP_LEB,      FM_DW_STEP_TEXT,
                                    FM_DW_STEP_BLOCK,     FM_DW_STEP_BLOCK,    FM_DW_STEP_BLOCK,
                                    FM_DW_STEP_BLOCK_LEB, FM_DW_STEP_INDIRECT, FM_DW_STEP_UNKNOWN};
    const unsigned operand = width == FM_DW_WIDTH_BLOCK1 ? 1 : width == FM_DW_WIDTH_BLOCK2 ? 2 : 4;

    if (!draft->stepped) draft->shape->size = (uint32_t)draft->abbrevs->step_count;
    draft->stepped = true;
    end_run(draft);
    add_step(draft, (enum fm_dw_step)steps[width - FM_DW_WIDTH_ULEB], operand);
}

static uint8_t width_of(const struct shape_builder *draft, uint64_t form)
{
    return form < FM_DW_FORM_COUNT ? draft->forms[form].width : fm_dw_form_of((uint16_t)form, draft->encoding).width;
}

enum fm_dw_field fm_dw_field_of(uint64_t attribute)
{
    switch (attribute) {
    case DW_AT_name: return FM_DW_FIELD_NAME;
    case DW_AT_linkage_name:
    case DW_AT_MIPS_linkage_name: return FM_DW_FIELD_LINKAGE_NAME;
    case DW_AT_low_pc: return FM_DW_FIELD_LOW;
    case DW_AT_high_pc: return FM_DW_FIELD_HIGH;
    case DW_AT_ranges: return FM_DW_FIELD_RANGES;
    case DW_AT_decl_file: return FM_DW_FIELD_DECL_FILE;
    case DW_AT_decl_line: return FM_DW_FIELD_DECL_LINE;
    case DW_AT_call_file: return FM_DW_FIELD_CALL_FILE;
    case DW_AT_call_line: return FM_DW_FIELD_CALL_LINE;
    case DW_AT_call_column: return FM_DW_FIELD_CALL_COLUMN;
    case DW_AT_artificial: return FM_DW_FIELD_ARTIFICIAL;
    case DW_AT_abstract_origin: return FM_DW_FIELD_ORIGIN;
    case DW_AT_specification: return FM_DW_FIELD_SPECIFICATION;
    default: return FM_DW_FIELD_NONE;
    }
}

static void add_read(struct shape_builder *draft, const struct fm_dw_read *read)
{
    struct fm_dw_abbrevs *abbrevs = draft->abbrevs;

    if (FM_GROW(abbrevs->arena.heap, abbrevs->reads, abbrevs->read_capacity, abbrevs->read_count + 1))
        abbrevs->reads[abbrevs->read_count++] = *read;
    else
        draft->memory = true;
}

/* The forms of dwz are frequent in the files that have them. */
static struct fm_dw_form rare_form(const struct shape_builder *draft, uint64_t form)
{
    if (form == DW_FORM_GNU_ref_alt || form == DW_FORM_GNU_strp_alt)
        return fm_dw_form_of((uint16_t)form, draft->encoding);
    return (struct fm_dw_form){FM_DW_NONE, FM_DW_WIDTH_UNKNOWN};
}

/* Adds an element of `reads`. `implicit`: the value of a form without bytes. Entries with rare forms, or with values
 * that do not fit, are decoded attribute by attribute (dw_attributes.c, read_any). */
static void note_read(struct shape_builder *draft, uint64_t attribute, uint64_t form, int64_t implicit)
{
    struct fm_dw_abbrevs *abbrevs = draft->abbrevs;
    const struct fm_dw_form known = form < FM_DW_FORM_COUNT ? draft->forms[form] : rare_form(draft, form);
    struct fm_dw_read read = {
        .width = known.width, .class = known.class, .form = (uint8_t)form, .field = (uint8_t)fm_dw_field_of(attribute)};
    struct fm_dw_read *last = abbrevs->read_count > draft->first_read ? &abbrevs->reads[abbrevs->read_count - 1] : NULL;

    if (known.width >= FM_DW_WIDTH_INDIRECT || (known.width == 16 && read.field != FM_DW_FIELD_NONE) ||
        implicit < INT32_MIN || implicit > INT32_MAX) {
        draft->reads = false;
        return;
    }
    if (known.width == 0) read.number = (int32_t)implicit;
    if (known.width <= 16 && known.width != 3 && read.field == FM_DW_FIELD_NONE) {
        if (last != NULL && last->width == FM_DW_READ_SKIP && last->number < INT32_MAX - 16) {
            last->number += known.width;
            return;
        }
        read = (struct fm_dw_read){.number = known.width, .width = FM_DW_READ_SKIP};
    }
    if (known.width == 3) read.width = FM_DW_READ_THREE;
    add_read(draft, &read);
}

static void note_spec(struct shape_builder *draft, uint64_t attribute, uint64_t form, int64_t implicit)
{
    const uint8_t width = width_of(draft, form);

    if (draft->reads) note_read(draft, attribute, form, form == DW_FORM_implicit_const ? implicit : 1);
    switch (attribute) {
    case DW_AT_low_pc:
    case DW_AT_ranges: draft->shape->flags |= FM_DW_SHAPE_CODE; break;
    case DW_AT_declaration: draft->declared = true; break;
    default: break;
    }
    if (width <= 16)
        note_fixed(draft, attribute, form, width);
    else
        note_stepped(draft, width);
}

/* Whether code can be below an entry with this tag. Tags that are not listed can have code. */
static unsigned jump_of(uint16_t tag)
{
    switch (tag) {
    case DW_TAG_array_type:
    case DW_TAG_subroutine_type:
    case DW_TAG_call_site:
    case DW_TAG_GNU_call_site:
    case DW_TAG_GNU_template_parameter_pack:
    case DW_TAG_GNU_formal_parameter_pack: return FM_DW_SHAPE_JUMP | FM_DW_SHAPE_JUMP_C;
    case DW_TAG_enumeration_type:
    case DW_TAG_structure_type:
    case DW_TAG_union_type: return FM_DW_SHAPE_JUMP_C;
    default: return 0;
    }
}

static void judge(struct shape_builder *draft, bool children)
{
    struct fm_dw_shape *shape = draft->shape;
    const bool function = shape->tag == DW_TAG_subprogram || shape->tag == DW_TAG_inlined_subroutine;
    const bool coded = (shape->flags & FM_DW_SHAPE_CODE) != 0;

    if (children) shape->flags |= FM_DW_SHAPE_CHILDREN;
    if (function && (coded || children)) shape->flags |= FM_DW_SHAPE_FUNCTION;
    if (children && draft->has_sibling) {
        unsigned jump = jump_of(shape->tag);
        /* An abstract instance should not have code below it (DWARF 5 section 3.3.8), but it can: GCC leaves there
         * what could not be inlined with it, such as nested functions in C and methods of local classes. */
        if (shape->tag == DW_TAG_subprogram && !coded && draft->declared) jump = FM_DW_SHAPE_JUMP_C;
        shape->flags |= (uint8_t)jump;
    }
    if ((shape->flags & (FM_DW_SHAPE_FIXED | FM_DW_SHAPE_CHILDREN | FM_DW_SHAPE_FUNCTION)) == FM_DW_SHAPE_FIXED)
        shape->flags |= FM_DW_SHAPE_PLAIN;
}

/* Attributes are needed of functions and inlined subroutines only. */
static void begin_reads(struct shape_builder *draft)
{
    draft->first_read = draft->abbrevs->read_count;
    draft->reads = draft->shape->tag == DW_TAG_subprogram || draft->shape->tag == DW_TAG_inlined_subroutine;
}

static void end_reads(struct shape_builder *draft)
{
    if (draft->reads && draft->first_read < FM_DW_NO_READS) {
        add_read(draft, &(struct fm_dw_read){.width = FM_DW_READ_END});
        draft->shape->reads = (uint16_t)draft->first_read;
    } else {
        draft->shape->reads = FM_DW_NO_READS;
        draft->abbrevs->read_count = draft->first_read;
    }
}

/* Compiles one abbreviation after its code and tag. Returns false if the table is damaged, or when out of memory
 * (*memory). */
static bool compile_one(struct shape_builder draft, struct table_scan *scan, struct fm_dw_shape *shape, bool children,
                        bool *memory)
{
    uint64_t attribute = 0;
    uint64_t form = 0;

    draft.shape = shape;
    begin_reads(&draft);
    while (quick_spec(scan, &attribute, &form) || next_spec(scan, &attribute, &form))
        note_spec(&draft, attribute, form, scan->implicit);
    end_reads(&draft);
    if (scan->broken != NULL) return false;
    if (draft.stepped) {
        end_run(&draft);
        add_step(&draft, FM_DW_STEP_END, 0);
    } else {
        shape->flags |= FM_DW_SHAPE_FIXED;
        shape->size = draft.run;
    }
    *memory = draft.memory;
    judge(&draft, children);
    return !draft.memory;
}

/* Compiles all abbreviations in the order of the section. Returns false when out of memory. */
static bool compile_all(const struct shape_builder *draft, struct table_scan *scan, uint64_t *highest)
{
    struct fm_dw_abbrevs *abbrevs = draft->abbrevs;
    const unsigned char *const begin = scan->at;
    struct fm_heap *heap = abbrevs->arena.heap;
    uint64_t code = 0;
    uint16_t tag = 0;
    bool children = false;
    bool memory = false;

    abbrevs->shape_count = abbrevs->step_count = abbrevs->read_count = 0;
    *highest = 0;
    while (next_head(scan, &code, &tag, &children)) {
        if (!FM_GROW(heap, abbrevs->shapes, abbrevs->shape_capacity, abbrevs->shape_count + 1)) return false;
        if (!FM_GROW(heap, abbrevs->codes, abbrevs->code_capacity, abbrevs->shape_count + 1)) return false;
        struct fm_dw_shape *shape = &abbrevs->shapes[abbrevs->shape_count];
        *shape = (struct fm_dw_shape){
            .specs = (uint32_t)(scan->at - begin), .tag = tag, .sibling = FM_DW_NO_PLACE, .flags = FM_DW_SHAPE_KNOWN};
        abbrevs->codes[abbrevs->shape_count++] = code;
        if (code > *highest) *highest = code;
        if (!compile_one(*draft, scan, shape, children, &memory)) return !memory;
    }
    return true;
}

/* Stores the compiled abbreviations by code. Returns false when out of memory. */
static bool store_shapes(struct fm_dw_abbrevs *abbrevs, struct fm_dw_abbrev_table *table, uint64_t highest)
{
    struct fm_dw_shape *shapes = FM_ARENA_ARRAY(&abbrevs->arena, struct fm_dw_shape, (size_t)highest + 1);
    uint8_t *steps = fm_arena_alloc(&abbrevs->arena, abbrevs->step_count);
    struct fm_dw_read *reads = fm_arena_alloc(&abbrevs->arena, abbrevs->read_count * sizeof *reads);

    if (shapes == NULL || steps == NULL || reads == NULL) return false;
    for (size_t i = 0; i < abbrevs->shape_count; i++) {
        const uint64_t code = abbrevs->codes[i];
        /* A duplicate code is an error of the producer. Consumers that search the table use the first one, and so
         * does this. */
        if (shapes[code].flags != 0) continue;
        shapes[code] = abbrevs->shapes[i];
        if (shapes[code].tag == DW_TAG_subprogram) table->has_functions = true;
    }
    if (abbrevs->step_count > 0) memcpy(steps, abbrevs->steps, abbrevs->step_count);
    if (abbrevs->read_count > 0) memcpy(reads, abbrevs->reads, abbrevs->read_count * sizeof *reads);
    table->shapes = shapes;
    table->steps = steps;
    table->reads = reads;
    table->limit = highest + 1;
    return true;
}

/* The limit for the end of a table that starts at this offset. */
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

/* Returns false when out of memory. */
static bool compile_table(struct fm_dw_abbrevs *abbrevs, struct fm_dw_abbrev_table *table,
                          const struct fm_dw_encoding *encoding)
{
    const struct shape_builder draft = {.abbrevs = abbrevs, .encoding = encoding, .forms = table->forms};
    const struct fm_dw_sections *sections = abbrevs->sections;
    uint64_t highest = 0;

    if (table->offset >= sections->abbrev.size) {
        table->broken = "abbreviation table outside its section";
        return true;
    }
    const uint64_t limit = table_limit(abbrevs, table->offset);
    struct table_scan scan = scan_at(sections, table->offset, limit);
    const unsigned char *const begin = scan.at;
    const bool cut = limit < sections->abbrev.size - table->offset;
    if (!compile_all(&draft, &scan, &highest)) return false;
    table->broken = scan.broken;
    if (table->broken != NULL && scan.at == NULL && cut) table->broken = "too much work: abbreviation tables overlap";
    if (table->broken == NULL && highest > abbrevs->shape_count * CODES_PER_ABBREV + CODES_FLOOR)
        table->broken = "abbreviation codes are scattered";
    if (table->broken != NULL) return true;
    table->size = (uint64_t)(scan.at - begin);
    return store_shapes(abbrevs, table, highest);
}

static bool same_key(const void *context, uint32_t id, const void *key)
{
    const struct fm_dw_abbrevs *abbrevs = context;
    return abbrevs->tables[id]->key == *(const uint64_t *)key;
}

/* The properties of an encoding that affect the sizes of forms, as a small number. */
static uint64_t kind_of(const struct fm_dw_encoding *encoding)
{
    return (encoding->address_size == 8 ? 1u : 0u) | (encoding->offset_size == 8 ? 2u : 0u) |
           (encoding->version == 2 ? 4u : 0u);
}

const struct fm_dw_abbrev_table *fm_dw_abbrevs_at(struct fm_dw_abbrevs *abbrevs, uint64_t offset,
                                                  const struct fm_dw_encoding *encoding)
{
    const uint64_t kind = kind_of(encoding);
    /* All offsets beyond the section are equivalent. */
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
