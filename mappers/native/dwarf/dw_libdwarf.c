/* The only file that uses libdwarf: it decodes the attributes of entries. Written for version 20210528 (Debian 12) and,
 * under `#ifdef`, for versions 0.x and 2.x.
 *
 * libdwarf is given one unit at a time: as .debug_info it gets the bytes of a single unit that dw_units.c has checked;
 * its other sections are only .debug_abbrev, the strings and the addresses. So damage in another unit cannot affect
 * libdwarf, and its search for the unit of an offset, which is linear in the number of units, is short. Its memory for
 * a unit is freed with the unit: a kernel with 2,351 units needs the memory of a few. Entries are read by offset, and
 * libdwarf is never asked for siblings or children, because it finds a sibling by walking over all entries in between.
 *
 * libdwarf's code for line programs, range lists, and tables of addresses and strings is not used: see dw_lines.c and
 * dw_ranges.c.
 *
 * libdwarf allocates with malloc and has no allocator hook. The most that a call can allocate is reserved in the heap
 * before the call (UNIT_BYTES and below). */
#include "mappers/native/dwarf/dw_libdwarf.h"

#include "core/error.h"
#include "core/text/text.h"
#include "mappers/native/dwarf/dw_constants.h"

#include <libdwarf.h>

/* Version 20210528 has no version macros; every version with version macros has the newer interface. */
#ifdef DW_LIBDWARF_VERSION_MAJOR
#define LATER_LIBDWARF 1
#else
#define LATER_LIBDWARF 0
#endif

/* Most units that are open at a time: entries of one unit often refer to a few other units (dwz, link-time
 * optimisation). */
#define OPEN_UNITS 32

/* Upper bounds in bytes of what libdwarf allocates. They are reserved in the heap until libdwarf frees that memory
 * (measured: docs/security.md, tests/hostile/hostile_ceiling.c). For an open unit: the unit's structures, and all
 * abbreviations of its table, each of which has at least five bytes in the section. For the current entry: its
 * attributes, each of which has two bytes or more there. */
#define UNIT_BYTES ((uint64_t)64 << 10)
#define UNIT_BYTES_EACH 24u  /* bytes of memory of an open unit, for each byte of its abbreviation table */
#define ENTRY_BYTES_EACH 64u /* bytes of memory of an entry, for each byte of the abbreviation table */

/* What libdwarf gets for a unit: an object file with these sections. libdwarf stores the struct's address. */
struct object {
    char mark; /* libdwarf reads the first byte to recognize objects of its own; none of them starts with this value */
    bool big_endian;
    uint8_t address_size, offset_size;
    struct {
        const char *name;
        framemap_str bytes;
    } sections[6];
};
enum { OBJECT_SECTIONS = 6 };

struct open_unit {
    const struct fm_dw_unit_data *unit; /* the open unit; NULL: there is none */
    Dwarf_Debug debug;
    uint64_t used;     /* time of the last use, by the library's counter */
    uint64_t reserved; /* bytes that are reserved in the heap for what libdwarf allocates for this unit */
    struct object object;
#if LATER_LIBDWARF
    Dwarf_Obj_Access_Interface_a access;
#else
    Dwarf_Obj_Access_Interface access;
#endif
};

struct fm_dw_library {
    struct fm_heap *heap;
    const struct fm_dw_sections *sections;
    uint64_t work_left; /* budget: bytes of abbreviation tables that may still be read; libdwarf reads a table again for
                           each unit that it opens */
    struct open_unit *last;
    uint64_t clock;
    uint64_t entry_reserved; /* bytes reserved in the heap for an entry */
    struct open_unit open[OPEN_UNITS];
};

/* --- providing the object file that libdwarf reads --- */

static Dwarf_Small offset_width(void *context) { return ((const struct object *)context)->offset_size; }
static Dwarf_Small address_width(void *context) { return ((const struct object *)context)->address_size; }
static Dwarf_Unsigned section_total(void *context)
{
    (void)context;
    return OBJECT_SECTIONS;
}

static int section_bytes(const struct object *object, uint64_t number, Dwarf_Small **out)
{
    if (number >= OBJECT_SECTIONS || object->sections[number].bytes.size == 0) return DW_DLV_NO_ENTRY;
    /* libdwarf's type has no const, but libdwarf does not write to sections that need no relocation */
    union {
        const char *from;
        Dwarf_Small *to;
    } pointer = {object->sections[number].bytes.data};
    *out = pointer.to;
    return DW_DLV_OK;
}

#if LATER_LIBDWARF
static Dwarf_Small byte_order(void *context)
{
    return ((const struct object *)context)->big_endian ? DW_END_big : DW_END_little;
}

/* Returns a small number in place of the size of the sections. libdwarf 0.11 allocates a table of up to four times this
 * size for each open unit; the table grows when needed. */
static Dwarf_Unsigned file_size(void *context)
{
    (void)context;
    return 1;
}

static int section_info(void *context, Dwarf_Unsigned number, Dwarf_Obj_Access_Section_a *out, int *error)
{
    const struct object *object = context;
    (void)error;
    if (number >= OBJECT_SECTIONS) return DW_DLV_NO_ENTRY;
    *out = (Dwarf_Obj_Access_Section_a){.as_name = object->sections[number].name,
                                        .as_type = 1,
                                        .as_size = object->sections[number].bytes.size,
                                        .as_entrysize = 1};
    return DW_DLV_OK;
}

static int load_section(void *context, Dwarf_Unsigned number, Dwarf_Small **out, int *error)
{
    (void)error;
    return section_bytes(context, number, out);
}

static const Dwarf_Obj_Access_Methods_a methods = {.om_get_section_info = section_info,
                                                   .om_get_byte_order = byte_order,
                                                   .om_get_length_size = offset_width,
                                                   .om_get_pointer_size = address_width,
                                                   .om_get_filesize = file_size,
                                                   .om_get_section_count = section_total,
                                                   .om_load_section = load_section};

static void finish(Dwarf_Debug debug) { (void)dwarf_object_finish(debug); }
static void set_access(struct open_unit *open)
{
    open->access.ai_object = &open->object;
    open->access.ai_methods = &methods;
}
#else
static Dwarf_Endianness byte_order(void *context)
{
    return ((const struct object *)context)->big_endian ? DW_OBJECT_MSB : DW_OBJECT_LSB;
}

static int section_info(void *context, Dwarf_Half number, Dwarf_Obj_Access_Section *out, int *error)
{
    const struct object *object = context;
    (void)error;
    if (number >= OBJECT_SECTIONS) return DW_DLV_NO_ENTRY;
    *out = (Dwarf_Obj_Access_Section){
        .type = 1, .size = object->sections[number].bytes.size, .name = object->sections[number].name, .entrysize = 1};
    return DW_DLV_OK;
}

static int load_section(void *context, Dwarf_Half number, Dwarf_Small **out, int *error)
{
    (void)error;
    return section_bytes(context, number, out);
}

static const Dwarf_Obj_Access_Methods methods = {.get_section_info = section_info,
                                                 .get_byte_order = byte_order,
                                                 .get_length_size = offset_width,
                                                 .get_pointer_size = address_width,
                                                 .get_section_count = section_total,
                                                 .load_section = load_section};

static void finish(Dwarf_Debug debug)
{
    Dwarf_Error error = NULL;
    (void)dwarf_object_finish(debug, &error);
}
static void set_access(struct open_unit *open)
{
    open->access.object = &open->object;
    open->access.methods = &methods;
}
#endif

/* --- opening and closing units --- */

bool fm_dw_library_available(void) { return true; }

struct fm_dw_library *fm_dw_library_create(struct fm_heap *heap, const struct fm_dw_sections *sections)
{
    struct fm_dw_library *library = fm_heap_zalloc(heap, 1, sizeof *library);

    if (library == NULL) return NULL;
    library->heap = heap;
    library->sections = sections;
    library->work_left = sections->work;
    return library;
}

static void close_unit(struct fm_dw_library *library, struct open_unit *open)
{
    if (open->unit != NULL) finish(open->debug);
    fm_heap_unreserve(library->heap, open->reserved);
    open->unit = NULL;
    open->used = 0;
    open->reserved = 0;
}

void fm_dw_library_free(struct fm_dw_library *library)
{
    if (library == NULL) return;
    for (unsigned i = 0; i < OPEN_UNITS; i++) close_unit(library, &library->open[i]);
    fm_heap_unreserve(library->heap, library->entry_reserved);
    fm_heap_free(library->heap, library, sizeof *library);
}

/* Converts libdwarf's error to a framemap_error, and frees it. */
static framemap_status library_fault(Dwarf_Debug debug, Dwarf_Error refused, uint64_t offset, framemap_error *error)
{
    fm_error_at(error, FRAMEMAP_E_CORRUPT, offset, "libdwarf refuses an entry: %s",
                refused == NULL ? "no reason given" : dwarf_errmsg(refused));
    fm_error_where(error, FM_STR(".debug_info"));
    if (debug != NULL && refused != NULL) dwarf_dealloc_error(debug, refused);
    return FRAMEMAP_E_CORRUPT;
}

static void describe(struct object *object, const struct fm_dw_sections *sections, const struct fm_dw_unit_data *unit)
{
    *object = (struct object){.mark = 'f',
                              .big_endian = sections->big_endian,
                              .address_size = unit->encoding.address_size,
                              .offset_size = unit->encoding.offset_size};
    /* libdwarf skips section 0, as in ELF. */
    object->sections[0].name = "";
    object->sections[1].name = ".debug_info";
    object->sections[1].bytes = fm_str(sections->info.data + unit->offset, (size_t)(unit->end - unit->offset));
    object->sections[2].name = ".debug_abbrev";
    object->sections[2].bytes = sections->abbrev;
    object->sections[3].name = ".debug_str";
    object->sections[3].bytes = sections->str;
    object->sections[4].name = ".debug_line_str";
    object->sections[4].bytes = sections->line_str;
    /* Section .debug_addr is passed only because libdwarf always reads the unit's own low address. */
    object->sections[5].name = ".debug_addr";
    object->sections[5].bytes = sections->addr;
}

/* Reserves what libdwarf may allocate; closes open units if there is not enough. */
static bool reserve(struct fm_dw_library *library, uint64_t bytes)
{
    for (unsigned i = 0; !fm_heap_reserve(library->heap, bytes); i++) {
        if (i == OPEN_UNITS) return false;
        close_unit(library, &library->open[i]);
    }
    return true;
}

static bool reserve_unit(struct fm_dw_library *library, struct open_unit *open, uint64_t table_bytes)
{
    const uint64_t for_unit = UNIT_BYTES + table_bytes * UNIT_BYTES_EACH, for_entry = table_bytes * ENTRY_BYTES_EACH;
    if (for_entry > library->entry_reserved) {
        if (!reserve(library, for_entry - library->entry_reserved)) return false;
        library->entry_reserved = for_entry;
    }
    if (!reserve(library, for_unit)) return false;
    open->reserved = for_unit;
    return true;
}

static framemap_status open_unit(struct fm_dw_library *library, const struct fm_dw_unit_data *unit,
                                 const struct fm_dw_abbrev_table *table, struct open_unit **out, framemap_error *error)
{
    const uint64_t work = table->size + 256;
    struct open_unit *oldest = &library->open[0];
    Dwarf_Error refused = NULL;

    for (unsigned i = 0; i < OPEN_UNITS; i++) {
        if (library->open[i].unit == unit) {
            *out = &library->open[i];
            return FRAMEMAP_OK;
        }
        if (library->open[i].used < oldest->used) oldest = &library->open[i];
    }
    close_unit(library, oldest);
    if (work > library->work_left) {
        return fm_error_at(error, FRAMEMAP_E_LIMIT, unit->offset,
                           "units are opened too many times for references between them");
    }
    library->work_left -= work;
    if (!reserve_unit(library, oldest, table->size)) return fm_error_memory(error);
    describe(&oldest->object, library->sections, unit);
    set_access(oldest);
    oldest->debug = NULL;
    if (dwarf_object_init_b(&oldest->access, NULL, NULL, DW_GROUPNUMBER_ANY, &oldest->debug, &refused) != DW_DLV_OK) {
        close_unit(library, oldest);
        return library_fault(NULL, refused, unit->offset, error);
    }
    oldest->unit = unit;
    *out = oldest;
    return FRAMEMAP_OK;
}

/* --- decoding attributes --- */

/* State while one attribute is decoded. */
struct libdwarf_attribute {
    Dwarf_Debug debug;
    Dwarf_Attribute attribute;
    const struct fm_dw_unit_data *unit;
    bool refused; /* libdwarf did not return a value */
};

/* Whether libdwarf returned a value; frees its error if not. */
static bool has_value(struct libdwarf_attribute *reading, int result, Dwarf_Error error)
{
    if (result == DW_DLV_ERROR && error != NULL) dwarf_dealloc_error(reading->debug, error);
    if (result != DW_DLV_OK) reading->refused = true;
    return result == DW_DLV_OK;
}

static enum fm_dw_class class_of(const struct libdwarf_attribute *reading, Dwarf_Half form)
{
    return (enum fm_dw_class)fm_dw_form_of(form, &reading->unit->encoding).class;
}

/* Reads an attribute as a number, if the standard defines its form as one. libdwarf returns numbers for some other
 * forms, too; these are refused. */
static uint64_t read_number(struct libdwarf_attribute *reading, Dwarf_Half form)
{
    if (class_of(reading, form) != FM_DW_NUMBER) {
        reading->refused = true;
        return 0;
    }
    Dwarf_Error error = NULL;
    Dwarf_Unsigned number = 0;
    Dwarf_Signed negative = 0;
    Dwarf_Bool flag = 0;
    Dwarf_Off offset = 0;

    switch (form) {
    case DW_FORM_flag:
    case DW_FORM_flag_present:
        return has_value(reading, dwarf_formflag(reading->attribute, &flag, &error), error) ? (uint64_t)flag : 0;
    case DW_FORM_sdata:
    case DW_FORM_implicit_const:
        return has_value(reading, dwarf_formsdata(reading->attribute, &negative, &error), error) ? (uint64_t)negative
                                                                                                 : 0;
    case DW_FORM_sec_offset:
        return has_value(reading, dwarf_global_formref(reading->attribute, &offset, &error), error) ? offset : 0;
    default: return has_value(reading, dwarf_formudata(reading->attribute, &number, &error), error) ? number : 0;
    }
}

/* Reads an address, or the index of an address. */
static struct fm_dw_value libdwarf_read_place(struct libdwarf_attribute *reading, Dwarf_Half form)
{
    struct fm_dw_value value = {.class = FM_DW_NUMBER, .form = form};
    Dwarf_Error error = NULL;
    Dwarf_Addr address = 0;
    Dwarf_Unsigned index = 0;

    switch (form) {
    case DW_FORM_addr:
        value.class = FM_DW_ADDRESS;
        if (has_value(reading, dwarf_formaddr(reading->attribute, &address, &error), error)) value.number = address;
        break;
    case DW_FORM_addrx:
    case DW_FORM_addrx1:
    case DW_FORM_addrx2:
    case DW_FORM_addrx3:
    case DW_FORM_addrx4:
    case DW_FORM_GNU_addr_index:
        value.class = FM_DW_ADDRESS_INDEX;
        if (has_value(reading, dwarf_get_debug_addr_index(reading->attribute, &index, &error), error))
            value.number = index;
        break;
    case DW_FORM_rnglistx:
        value.class = FM_DW_LIST_INDEX;
        if (has_value(reading, dwarf_formudata(reading->attribute, &index, &error), error)) value.number = index;
        break;
    default: value.number = read_number(reading, form); break;
    }
    if (reading->refused) value.form = 0;
    return value;
}

static framemap_str read_string(struct libdwarf_attribute *reading, const struct fm_dw_sections *sections,
                                Dwarf_Half form)
{
    Dwarf_Error error = NULL;
    Dwarf_Unsigned index = 0;
    char *text = NULL;

    switch (form) {
    case DW_FORM_string:
    case DW_FORM_strp:
    case DW_FORM_line_strp:
        return has_value(reading, dwarf_formstring(reading->attribute, &text, &error), error) ? framemap_str_of(text)
                                                                                              : (framemap_str){NULL, 0};
    case DW_FORM_strx:
    case DW_FORM_strx1:
    case DW_FORM_strx2:
    case DW_FORM_strx3:
    case DW_FORM_strx4:
    case DW_FORM_GNU_str_index:
        if (!has_value(reading, dwarf_get_debug_str_index(reading->attribute, &index, &error), error)) break;
        return fm_dw_string_index(sections, &reading->unit->encoding, index);
    default: break; /* the string is in another file (the supplementary one), so libdwarf cannot return it */
    }
    return (framemap_str){NULL, 0};
}

/* Returns the target of a reference as an offset in .debug_info. Returns false if it refers to another file, or to a
 * type by signature. */
static bool read_reference(struct libdwarf_attribute *reading, Dwarf_Half form, uint64_t *out)
{
    Dwarf_Error error = NULL;
    Dwarf_Off offset = 0;

    const enum fm_dw_class class = class_of(reading, form);
    if (class != FM_DW_UNIT_REF && class != FM_DW_INFO_REF) return false;
    if (!has_value(reading, dwarf_global_formref(reading->attribute, &offset, &error), error)) return false;
    /* libdwarf was given only this unit, so for libdwarf the unit starts at offset 0 */
    *out = form == DW_FORM_ref_addr ? offset : offset + reading->unit->offset;
    return true;
}

/* Converts a line or column to 32 bits; 0 (unknown) if it does not fit. */
static uint32_t narrow_line(uint64_t number) { return number > UINT32_MAX ? 0 : (uint32_t)number; }

static void store_libdwarf_value(struct libdwarf_attribute *reading, const struct fm_dw_sections *sections,
                                 Dwarf_Half name, Dwarf_Half form, struct fm_dw_attributes *out)
{
    switch (name) {
    case DW_AT_name:
        out->name = (struct fm_dw_value){FM_DW_TEXT, DW_FORM_string, 0, read_string(reading, sections, form)};
        break;
    case DW_AT_linkage_name:
    case DW_AT_MIPS_linkage_name: out->linkage_name = read_string(reading, sections, form); break;
    case DW_AT_low_pc: out->bounds.low = libdwarf_read_place(reading, form); break;
    case DW_AT_high_pc: out->bounds.high = libdwarf_read_place(reading, form); break;
    case DW_AT_ranges: out->bounds.ranges = libdwarf_read_place(reading, form); break;
    case DW_AT_decl_file:
        out->decl_file = read_number(reading, form);
        out->has_decl_file = !reading->refused;
        break;
    case DW_AT_call_file:
        out->call_file = read_number(reading, form);
        out->has_call_file = !reading->refused;
        break;
    case DW_AT_decl_line: out->decl_line1 = narrow_line(read_number(reading, form)); break;
    case DW_AT_call_line: out->call_line1 = narrow_line(read_number(reading, form)); break;
    case DW_AT_call_column: out->call_col1 = narrow_line(read_number(reading, form)); break;
    case DW_AT_artificial: out->artificial = read_number(reading, form) != 0; break;
    case DW_AT_abstract_origin: out->has_origin = read_reference(reading, form, &out->origin); break;
    case DW_AT_specification:
        if (!out->has_origin) out->has_origin = read_reference(reading, form, &out->origin);
        break;
    default: break;
    }
}

static framemap_status read_all(struct fm_dw_library *library, const struct open_unit *open, Dwarf_Die die,
                                uint64_t offset, struct fm_dw_attributes *out, framemap_error *error)
{
    Dwarf_Error refused = NULL;
    Dwarf_Attribute *list = NULL;
    Dwarf_Signed count = 0;
    int result = dwarf_attrlist(die, &list, &count, &refused);

    if (result == DW_DLV_NO_ENTRY) return FRAMEMAP_OK;
    if (result != DW_DLV_OK) return library_fault(open->debug, refused, offset, error);
    for (Dwarf_Signed i = 0; i < count; i++) {
        struct libdwarf_attribute reading = {open->debug, list[i], open->unit, false};
        Dwarf_Half name = 0;
        Dwarf_Half form = 0;
        refused = NULL;
        if (has_value(&reading, dwarf_whatattr(list[i], &name, &refused), refused) &&
            has_value(&reading, dwarf_whatform(list[i], &form, &refused), refused)) {
            store_libdwarf_value(&reading, library->sections, name, form, out);
        }
        dwarf_dealloc_attribute(list[i]);
    }
    dwarf_dealloc(open->debug, list, DW_DLA_LIST);
    return FRAMEMAP_OK;
}

static framemap_status read_entry(struct fm_dw_library *library, const struct fm_dw_unit_data *unit,
                                  const struct fm_dw_abbrev_table *table, uint64_t offset, struct fm_dw_attributes *out,
                                  framemap_error *error)
{
    struct open_unit *open = library->last;
    framemap_status status = FRAMEMAP_OK;
    Dwarf_Error refused = NULL;
    Dwarf_Die die = NULL;

    *out = (struct fm_dw_attributes){.origin = 0};
    if (open == NULL || open->unit != unit) status = open_unit(library, unit, table, &open, error);
    if (status != FRAMEMAP_OK) return status;
    library->last = open;
    open->used = ++library->clock;
    int result = dwarf_offdie_b(open->debug, offset - unit->offset, 1, &die, &refused);
    if (result != DW_DLV_OK) return library_fault(open->debug, result == DW_DLV_ERROR ? refused : NULL, offset, error);
    status = read_all(library, open, die, offset, out, error);
    dwarf_dealloc_die(die);
    return status;
}

framemap_status fm_dw_library_read_attributes(struct fm_dw_library *library, const struct fm_dw_unit_data *unit,
                                              const struct fm_dw_abbrev_table *table, uint64_t offset,
                                              struct fm_dw_attributes *own, framemap_error *error)
{
    struct fm_dw_attributes other;
    framemap_error refused;

    /* In a table with duplicate codes, libdwarf uses the abbreviation that it read last, so libdwarf is not used for
     * units with such a table. */
    if (unit->foreign || unit->three_bytes || own->three_bytes || table->is_ambiguous) return FRAMEMAP_OK;
    const framemap_status status = read_entry(library, unit, table, offset, &other, &refused);
    if (status == FRAMEMAP_E_MEMORY) return fm_error_memory(error);
    if (status == FRAMEMAP_OK) *own = other;
    return FRAMEMAP_OK;
}
