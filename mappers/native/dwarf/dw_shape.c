/* Compiles abbreviations: the sizes of the attributes, how to skip and to read them, and whether the entries can have
 * code. See dw_shape.h. */
#include "mappers/native/dwarf/dw_shape.h"

#include "mappers/native/dwarf/dw_abbrev_scan.h"

/* State while one abbreviation is compiled. */
struct shape_builder {
    struct fm_heap *heap;
    struct fm_dw_shapes *shapes;
    const struct fm_dw_encoding *encoding;
    const struct fm_dw_form *forms;
    struct fm_dw_shape *shape;
    uint32_t run;  /* bytes of fixed size since the last step */
    bool stepped;  /* the abbreviation has steps */
    bool declared; /* the abbreviation has DW_AT_declaration */
    bool has_sibling;
    size_t first_read; /* index of this abbreviation's first element in `reads` */
    /* the abbreviation's attributes may be needed, and `reads` can describe all that were read so far */
    bool reads;
    bool memory; /* set if out of memory */
};

static void add_step(struct shape_builder *builder, enum fm_dw_step step, unsigned operand)
{
    struct fm_dw_shapes *shapes = builder->shapes;

    if (!FM_GROW(builder->heap, shapes->steps, shapes->step_capacity, shapes->step_count + 2)) {
        builder->memory = true;
        return;
    }
    shapes->steps[shapes->step_count++] = (uint8_t)step;
    if (step == FM_DW_STEP_BYTES || step == FM_DW_STEP_SIBLING || step == FM_DW_STEP_BLOCK)
        shapes->steps[shapes->step_count++] = (uint8_t)operand;
}

static void end_run(struct shape_builder *builder)
{
    for (; builder->run > 255 && !builder->memory; builder->run -= 255) add_step(builder, FM_DW_STEP_BYTES, 255);
    if (builder->run > 0) add_step(builder, FM_DW_STEP_BYTES, builder->run);
    builder->run = 0;
}

static bool is_reference(uint64_t form) { return form >= DW_FORM_ref1 && form <= DW_FORM_ref8; }

static void note_fixed(struct shape_builder *builder, uint64_t attribute, uint64_t form, uint8_t width)
{
    if (attribute == DW_AT_sibling && is_reference(form) && !builder->has_sibling) {
        builder->has_sibling = true;
        if (builder->stepped) {
            end_run(builder);
            add_step(builder, FM_DW_STEP_SIBLING, width);
            return;
        }
        if (builder->run < FM_DW_NO_PLACE)
            builder->shape->sibling = (uint16_t)builder->run;
        else
            builder->has_sibling = false;
        builder->shape->sibling_width = width;
    }
    builder->run += width;
}

static void note_stepped(struct shape_builder *builder, uint8_t width)
{
    static const uint8_t steps[] = {FM_DW_STEP_LEB,       FM_DW_STEP_LEB,      FM_DW_STEP_TEXT,
                                    FM_DW_STEP_BLOCK,     FM_DW_STEP_BLOCK,    FM_DW_STEP_BLOCK,
                                    FM_DW_STEP_BLOCK_LEB, FM_DW_STEP_INDIRECT, FM_DW_STEP_UNKNOWN};
    const unsigned operand = width == FM_DW_WIDTH_BLOCK1 ? 1 : width == FM_DW_WIDTH_BLOCK2 ? 2 : 4;

    if (!builder->stepped) builder->shape->size = (uint32_t)builder->shapes->step_count;
    builder->stepped = true;
    end_run(builder);
    add_step(builder, (enum fm_dw_step)steps[width - FM_DW_WIDTH_ULEB], operand);
}

static uint8_t width_of(const struct shape_builder *builder, uint64_t form)
{
    return form < FM_DW_FORM_COUNT ? builder->forms[form].width
                                   : fm_dw_form_of((uint16_t)form, builder->encoding).width;
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

static void add_read(struct shape_builder *builder, const struct fm_dw_read *read)
{
    struct fm_dw_shapes *shapes = builder->shapes;

    if (FM_GROW(builder->heap, shapes->reads, shapes->read_capacity, shapes->read_count + 1))
        shapes->reads[shapes->read_count++] = *read;
    else
        builder->memory = true;
}

/* Returns the properties of a form that is not in the table of forms. Forms of dwz are tested first, because they are
 * frequent in the files that dwz wrote. */
static struct fm_dw_form rare_form(const struct shape_builder *builder, uint64_t form)
{
    if (form == DW_FORM_GNU_ref_alt || form == DW_FORM_GNU_strp_alt)
        return fm_dw_form_of((uint16_t)form, builder->encoding);
    return (struct fm_dw_form){FM_DW_NONE, FM_DW_WIDTH_UNKNOWN};
}

/* Adds an element of `reads`. `implicit`: the value of a form that takes no bytes. Entries whose forms or values do not
 * fit an element are decoded attribute by attribute (dw_attributes.c, read_any). */
static void note_read(struct shape_builder *builder, uint64_t attribute, uint64_t form, int64_t implicit)
{
    struct fm_dw_shapes *shapes = builder->shapes;
    const struct fm_dw_form known = form < FM_DW_FORM_COUNT ? builder->forms[form] : rare_form(builder, form);
    struct fm_dw_read read = {
        .width = known.width, .class = known.class, .form = (uint8_t)form, .field = (uint8_t)fm_dw_field_of(attribute)};
    struct fm_dw_read *last = shapes->read_count > builder->first_read ? &shapes->reads[shapes->read_count - 1] : NULL;

    if (known.width >= FM_DW_WIDTH_INDIRECT || (known.width == 16 && read.field != FM_DW_FIELD_NONE) ||
        implicit < INT32_MIN || implicit > INT32_MAX) {
        builder->reads = false;
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
    add_read(builder, &read);
}

static void note_spec(struct shape_builder *builder, uint64_t attribute, uint64_t form, int64_t implicit)
{
    const uint8_t width = width_of(builder, form);

    if (builder->reads) note_read(builder, attribute, form, form == DW_FORM_implicit_const ? implicit : 1);
    switch (attribute) {
    case DW_AT_low_pc:
    case DW_AT_ranges: builder->shape->flags |= FM_DW_SHAPE_CODE; break;
    case DW_AT_declaration: builder->declared = true; break;
    default: break;
    }
    if (width <= 16)
        note_fixed(builder, attribute, form, width);
    else
        note_stepped(builder, width);
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

static void judge(struct shape_builder *builder, bool children)
{
    struct fm_dw_shape *shape = builder->shape;
    const bool function = shape->tag == DW_TAG_subprogram || shape->tag == DW_TAG_inlined_subroutine;
    const bool coded = (shape->flags & FM_DW_SHAPE_CODE) != 0;

    if (children) shape->flags |= FM_DW_SHAPE_CHILDREN;
    if (function && (coded || children)) shape->flags |= FM_DW_SHAPE_FUNCTION;
    if (children && builder->has_sibling) {
        unsigned jump = jump_of(shape->tag);
        /* An abstract instance should not have code below it (DWARF 5 section 3.3.8). But GCC leaves there what could
         * not be inlined with it, such as nested functions in C and methods of local classes, so code below it is
         * possible. */
        if (shape->tag == DW_TAG_subprogram && !coded && builder->declared) jump = FM_DW_SHAPE_JUMP_C;
        shape->flags |= (uint8_t)jump;
    }
    if ((shape->flags & (FM_DW_SHAPE_FIXED | FM_DW_SHAPE_CHILDREN | FM_DW_SHAPE_FUNCTION)) == FM_DW_SHAPE_FIXED)
        shape->flags |= FM_DW_SHAPE_PLAIN;
}

/* Starts the list of `reads`. Only the attributes of functions and inlined subroutines are needed. */
static void begin_reads(struct shape_builder *builder)
{
    builder->first_read = builder->shapes->read_count;
    builder->reads = builder->shape->tag == DW_TAG_subprogram || builder->shape->tag == DW_TAG_inlined_subroutine;
}

static void end_reads(struct shape_builder *builder)
{
    if (builder->reads && builder->first_read < FM_DW_NO_READS) {
        add_read(builder, &(struct fm_dw_read){.width = FM_DW_READ_END});
        builder->shape->reads = (uint16_t)builder->first_read;
    } else {
        builder->shape->reads = FM_DW_NO_READS;
        builder->shapes->read_count = builder->first_read;
    }
}

/* Compiles one abbreviation, whose code and tag were read before. Returns false if the table is damaged, or when out of
 * memory (*memory). */
static bool compile_one(struct shape_builder builder, struct fm_dw_abbrev_scan *scan, struct fm_dw_shape *shape,
                        bool children, bool *memory)
{
    uint64_t attribute = 0;
    uint64_t form = 0;

    builder.shape = shape;
    begin_reads(&builder);
    while (fm_dw_abbrev_next_spec(scan, &attribute, &form)) note_spec(&builder, attribute, form, scan->implicit);
    end_reads(&builder);
    if (scan->broken != NULL) return false;
    if (builder.stepped) {
        end_run(&builder);
        add_step(&builder, FM_DW_STEP_END, 0);
    } else {
        shape->flags |= FM_DW_SHAPE_FIXED;
        shape->size = builder.run;
    }
    *memory = builder.memory;
    judge(&builder, children);
    return !builder.memory;
}

bool fm_dw_shapes_compile(struct fm_dw_shapes *shapes, struct fm_heap *heap, const struct fm_dw_encoding *encoding,
                          const struct fm_dw_form *forms, struct fm_dw_abbrev_scan *scan)
{
    const struct shape_builder builder = {.heap = heap, .shapes = shapes, .encoding = encoding, .forms = forms};
    const unsigned char *const begin = scan->at;
    uint64_t code = 0;
    uint16_t tag = 0;
    bool children = false;
    bool memory = false;

    shapes->shape_count = shapes->step_count = shapes->read_count = 0;
    shapes->highest = 0;
    while (fm_dw_abbrev_head(scan, &code, &tag, &children)) {
        if (!FM_GROW(heap, shapes->shapes, shapes->shape_capacity, shapes->shape_count + 1)) return false;
        if (!FM_GROW(heap, shapes->codes, shapes->code_capacity, shapes->shape_count + 1)) return false;
        struct fm_dw_shape *shape = &shapes->shapes[shapes->shape_count];
        *shape = (struct fm_dw_shape){
            .specs = (uint32_t)(scan->at - begin), .tag = tag, .sibling = FM_DW_NO_PLACE, .flags = FM_DW_SHAPE_KNOWN};
        shapes->codes[shapes->shape_count++] = code;
        if (code > shapes->highest) shapes->highest = code;
        if (!compile_one(builder, scan, shape, children, &memory)) return !memory;
    }
    return true;
}

void fm_dw_shapes_free(struct fm_dw_shapes *shapes, struct fm_heap *heap)
{
    fm_heap_free(heap, shapes->shapes, shapes->shape_capacity * sizeof *shapes->shapes);
    fm_heap_free(heap, shapes->codes, shapes->code_capacity * sizeof *shapes->codes);
    fm_heap_free(heap, shapes->steps, shapes->step_capacity);
    fm_heap_free(heap, shapes->reads, shapes->read_capacity * sizeof *shapes->reads);
}
