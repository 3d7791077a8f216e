#include "tests/debuginfo/plain_reader.h"

#include "core/limits.h"
#include "core/reader.h"
#include "core/text.h"
#include "mappers/debuginfo/dw_constants.h"

#include <stdlib.h>

/* --- what is read --- */

enum kind { ABSENT, NOTHING, NUMBER, ADDRESS, TEXT, UNIT_REF, INFO_REF, LIST_INDEX };
struct value {
    enum kind kind;
    uint64_t number;
    framemap_str text;
};

/* Attributes that matter; the last of each in an entry counts. */
enum slot {
    NAME, LINKAGE, LOW, HIGH, RANGES, DECL_FILE, CALL_FILE, DECL_LINE, CALL_LINE, CALL_COLUMN, ARTIFICIAL, ORIGIN, SPECIFICATION, FOLDER, PRODUCER,
    LANGUAGE, LINES, STR_BASE, ADDR_BASE, LIST_BASE, DWO_NAME, SLOTS
};

struct entry {
    uint64_t offset;
    uint64_t tag;
    bool children, placed; /* placed: it has a low address or ranges, whatever they say */
    struct value slots[SLOTS];
};

struct unit {
    uint64_t offset, end, first, abbrevs;
    uint64_t version, type, str_base, addr_base, list_base, low;
    unsigned address_size, offset_size;
    struct entry root;
};

enum { INFO, ABBREV, STR, LINE_STR, LINE, PAIRS, LISTS, ADDR, STR_OFFSETS, ARANGES, SECTIONS };

struct range_list {
    struct fm_dw_range *items;
    size_t count;
};

struct fm_dw_debug {
    const struct fm_image *image;
    framemap_str sections[SECTIONS];
    struct unit *units;
    size_t unit_count;
    size_t claimed[1 << 16];
    uint32_t claimed_count;
};

struct file {
    framemap_str name;
    uint64_t folder;
    uint32_t number; /* FM_NONE: not announced */
};

struct fm_dw_worker {
    struct fm_dw_debug *debug;
    const struct unit *unit;
    const struct fm_dw_visitor *visitor;
    uint64_t line_version;
    framemap_str *folders;
    struct file *files;
    size_t folder_count, file_count;
    uint32_t announced;
};

static void *more(void *items, size_t count, size_t width)
{
    /* Powers of two. */
    if ((count & (count - 1)) != 0) return items;
    void *moved = realloc(items, (count == 0 ? 1 : 2 * count) * width);
    if (moved == NULL) abort();
    return moved;
}
#define ADD(items, count) ((items) = more((items), (count), sizeof *(items)), &(items)[(count)++])

static struct fm_reader section_at(const struct fm_dw_debug *debug, unsigned which, uint64_t at)
{
    struct fm_reader r = fm_reader_of(debug->sections[which], debug->image->big_endian);
    fm_reader_seek(&r, at);
    return r;
}

static framemap_str string_at(const struct fm_dw_debug *debug, unsigned which, uint64_t at)
{
    struct fm_reader r = section_at(debug, which, at);
    return fm_read_cstr(&r);
}

/* --- forms --- */

static struct value indexed_string(const struct fm_dw_debug *debug, const struct unit *unit, uint64_t index)
{
    struct fm_reader r = section_at(debug, STR_OFFSETS, unit->str_base + index * unit->offset_size);
    return (struct value){TEXT, 0, string_at(debug, STR, fm_read_uint(&r, unit->offset_size))};
}

static struct value indexed_address(const struct fm_dw_debug *debug, const struct unit *unit, uint64_t index)
{
    struct fm_reader r = section_at(debug, ADDR, unit->addr_base + index * unit->address_size);
    return (struct value){ADDRESS, fm_read_uint(&r, unit->address_size), {NULL, 0}};
}

static struct value text(framemap_str string) { return (struct value){TEXT, 0, string}; }
static struct value number(uint64_t n) { return (struct value){NUMBER, n, {NULL, 0}}; }
static struct value of_kind(enum kind kind, uint64_t n) { return (struct value){kind, n, {NULL, 0}}; }

static struct value skipped(struct fm_reader *r, uint64_t count)
{
    fm_reader_skip(r, count);
    return of_kind(NOTHING, 0);
}

static struct value read_form(const struct fm_dw_debug *debug, const struct unit *unit, struct fm_reader *r, uint64_t form, int64_t implicit)
{
    const unsigned width = unit->offset_size;

    switch (form) {
    case DW_FORM_addr: return of_kind(ADDRESS, fm_read_uint(r, unit->address_size));
    case DW_FORM_addrx: case DW_FORM_GNU_addr_index: return indexed_address(debug, unit, fm_read_uleb(r));
    case DW_FORM_addrx1: return indexed_address(debug, unit, fm_read_u8(r));
    case DW_FORM_addrx2: return indexed_address(debug, unit, fm_read_uint(r, 2));
    case DW_FORM_addrx3: return indexed_address(debug, unit, fm_read_uint(r, 3));
    case DW_FORM_addrx4: return indexed_address(debug, unit, fm_read_uint(r, 4));
    case DW_FORM_string: return text(fm_read_cstr(r));
    case DW_FORM_strp: return text(string_at(debug, STR, fm_read_uint(r, width)));
    case DW_FORM_line_strp: return text(string_at(debug, LINE_STR, fm_read_uint(r, width)));
    case DW_FORM_strx: case DW_FORM_GNU_str_index: return indexed_string(debug, unit, fm_read_uleb(r));
    case DW_FORM_strx1: return indexed_string(debug, unit, fm_read_u8(r));
    case DW_FORM_strx2: return indexed_string(debug, unit, fm_read_uint(r, 2));
    case DW_FORM_strx3: return indexed_string(debug, unit, fm_read_uint(r, 3));
    case DW_FORM_strx4: return indexed_string(debug, unit, fm_read_uint(r, 4));
    case DW_FORM_data1: case DW_FORM_flag: return number(fm_read_u8(r));
    case DW_FORM_data2: return number(fm_read_uint(r, 2));
    case DW_FORM_data4: return number(fm_read_uint(r, 4));
    case DW_FORM_data8: return number(fm_read_uint(r, 8));
    case DW_FORM_udata: return number(fm_read_uleb(r));
    case DW_FORM_sdata: return number((uint64_t)fm_read_sleb(r));
    case DW_FORM_sec_offset: return number(fm_read_uint(r, width));
    case DW_FORM_flag_present: return number(1);
    case DW_FORM_implicit_const: return number((uint64_t)implicit);
    case DW_FORM_rnglistx: return of_kind(LIST_INDEX, fm_read_uleb(r));
    case DW_FORM_loclistx: fm_read_uleb(r); return of_kind(NOTHING, 0);
    case DW_FORM_ref1: return of_kind(UNIT_REF, fm_read_u8(r));
    case DW_FORM_ref2: return of_kind(UNIT_REF, fm_read_uint(r, 2));
    case DW_FORM_ref4: return of_kind(UNIT_REF, fm_read_uint(r, 4));
    case DW_FORM_ref8: return of_kind(UNIT_REF, fm_read_uint(r, 8));
    case DW_FORM_ref_udata: return of_kind(UNIT_REF, fm_read_uleb(r));
    case DW_FORM_ref_addr: return of_kind(INFO_REF, fm_read_uint(r, unit->version == 2 ? unit->address_size : width));
    case DW_FORM_block: case DW_FORM_exprloc: return skipped(r, fm_read_uleb(r));
    case DW_FORM_block1: return skipped(r, fm_read_u8(r));
    case DW_FORM_block2: return skipped(r, fm_read_uint(r, 2));
    case DW_FORM_block4: return skipped(r, fm_read_uint(r, 4));
    case DW_FORM_data16: return skipped(r, 16);
    case DW_FORM_ref_sig8: case DW_FORM_ref_sup8: return skipped(r, 8);
    case DW_FORM_ref_sup4: return skipped(r, 4);
    case DW_FORM_strp_sup: case DW_FORM_GNU_ref_alt: case DW_FORM_GNU_strp_alt: return skipped(r, width);
    case DW_FORM_indirect: return read_form(debug, unit, r, fm_read_uleb(r), 0);
    default: r->bad = true; return of_kind(NOTHING, 0);
    }
}

/* --- entries --- */

static enum slot slot_of(uint64_t attribute)
{
    static const struct {
        uint64_t attribute;
        enum slot slot;
    } slots[] = {
        {DW_AT_name, NAME}, {DW_AT_linkage_name, LINKAGE}, {DW_AT_MIPS_linkage_name, LINKAGE}, {DW_AT_low_pc, LOW}, {DW_AT_high_pc, HIGH},
        {DW_AT_ranges, RANGES}, {DW_AT_decl_file, DECL_FILE}, {DW_AT_call_file, CALL_FILE}, {DW_AT_decl_line, DECL_LINE}, {DW_AT_call_line, CALL_LINE},
        {DW_AT_call_column, CALL_COLUMN}, {DW_AT_artificial, ARTIFICIAL}, {DW_AT_abstract_origin, ORIGIN}, {DW_AT_specification, SPECIFICATION},
        {DW_AT_comp_dir, FOLDER}, {DW_AT_producer, PRODUCER}, {DW_AT_language, LANGUAGE}, {DW_AT_stmt_list, LINES}, {DW_AT_str_offsets_base, STR_BASE},
        {DW_AT_addr_base, ADDR_BASE}, {DW_AT_GNU_addr_base, ADDR_BASE}, {DW_AT_rnglists_base, LIST_BASE}, {DW_AT_dwo_name, DWO_NAME},
        {DW_AT_GNU_dwo_name, DWO_NAME},
    };
    for (size_t i = 0; i < sizeof slots / sizeof *slots; i++) {
        if (slots[i].attribute == attribute) return slots[i].slot;
    }
    return SLOTS;
}

/* To the tag of the abbreviation of a code; bad: there is none. */
static struct fm_reader find_abbrev(const struct fm_dw_debug *debug, const struct unit *unit, uint64_t code)
{
    struct fm_reader r = section_at(debug, ABBREV, unit->abbrevs);

    for (uint64_t at = fm_read_uleb(&r); !r.bad && at != code; at = fm_read_uleb(&r)) {
        if (at == 0) r.bad = true;
        fm_read_uleb(&r);
        fm_read_u8(&r);
        for (uint64_t attribute = 1, form = 1; !r.bad && (attribute != 0 || form != 0);) {
            attribute = fm_read_uleb(&r);
            form = fm_read_uleb(&r);
            if (form == DW_FORM_implicit_const) fm_read_sleb(&r);
        }
    }
    return r;
}

/* Reads an entry and moves behind its attributes; false: there is none (a mark that closes a list, or nothing sound). */
static bool read_entry(const struct fm_dw_debug *debug, const struct unit *unit, struct fm_reader *r, struct entry *out)
{
    *out = (struct entry){.offset = r->at};
    const uint64_t code = fm_read_uleb(r);
    if (r->bad || code == 0) return false;
    struct fm_reader abbrev = find_abbrev(debug, unit, code);
    out->tag = fm_read_uleb(&abbrev);
    out->children = fm_read_u8(&abbrev) != 0;
    for (;;) {
        const uint64_t attribute = fm_read_uleb(&abbrev), form = fm_read_uleb(&abbrev);
        if (abbrev.bad || (attribute == 0 && form == 0)) break;
        const int64_t implicit = form == DW_FORM_implicit_const ? fm_read_sleb(&abbrev) : 0;
        const struct value value = read_form(debug, unit, r, form, implicit);
        if (slot_of(attribute) != SLOTS) out->slots[slot_of(attribute)] = value;
    }
    out->placed = out->slots[LOW].kind != ABSENT || out->slots[RANGES].kind != ABSENT;
    return !abbrev.bad && !r->bad;
}

static struct fm_reader unit_bytes(const struct fm_dw_debug *debug, const struct unit *unit, uint64_t at)
{
    struct fm_reader r = fm_reader_of(fm_str(debug->sections[INFO].data, (size_t)unit->end), debug->image->big_endian);
    fm_reader_seek(&r, at);
    return r;
}

/* --- ranges --- */

/* Only what begins in code counts, and ends with its section. */
static void add_range(const struct fm_dw_debug *debug, struct range_list *list, uint64_t low, uint64_t high)
{
    const uint32_t number_of = fm_image_section_at(debug->image, low);

    if (low >= high || number_of == UINT32_MAX) return;
    const struct fm_section *section = &debug->image->sections[number_of];
    if ((section->flags & FM_SECTION_EXEC) == 0) return;
    if (high > section->address + section->size) high = section->address + section->size;
    *ADD(list->items, list->count) = (struct fm_dw_range){low, high};
}

static uint64_t highest(const struct unit *unit) { return unit->address_size == 8 ? UINT64_MAX : UINT32_MAX; }

/* A range counted from a base; bases of discarded code are the two highest addresses. */
static void add_from(const struct fm_dw_debug *debug, const struct unit *unit, struct range_list *list, uint64_t base, uint64_t low, uint64_t high)
{
    if (base < highest(unit) - 1) add_range(debug, list, (base + low) & highest(unit), (base + high) & highest(unit));
}

static void read_pairs(const struct fm_dw_debug *debug, const struct unit *unit, uint64_t at, struct range_list *list)
{
    struct fm_reader r = section_at(debug, PAIRS, at);

    for (uint64_t base = unit->low;;) {
        const uint64_t low = fm_read_uint(&r, unit->address_size), high = fm_read_uint(&r, unit->address_size);
        if (r.bad || (low == 0 && high == 0)) return;
        if (low == highest(unit)) base = high;
        else add_from(debug, unit, list, base, low, high);
    }
}

static void read_list(const struct fm_dw_debug *debug, const struct unit *unit, uint64_t at, struct range_list *list)
{
    struct fm_reader r = section_at(debug, LISTS, at);

    for (uint64_t base = unit->low, a, b; !r.bad;) {
        switch (fm_read_u8(&r)) {
        case DW_RLE_base_addressx: base = indexed_address(debug, unit, fm_read_uleb(&r)).number; continue;
        case DW_RLE_base_address: base = fm_read_uint(&r, unit->address_size); continue;
        case DW_RLE_offset_pair:
            a = fm_read_uleb(&r);
            b = fm_read_uleb(&r);
            add_from(debug, unit, list, base, a, b);
            continue;
        case DW_RLE_startx_endx:
            a = indexed_address(debug, unit, fm_read_uleb(&r)).number;
            b = indexed_address(debug, unit, fm_read_uleb(&r)).number;
            break;
        case DW_RLE_startx_length:
            a = indexed_address(debug, unit, fm_read_uleb(&r)).number;
            b = a + fm_read_uleb(&r);
            break;
        case DW_RLE_start_end:
            a = fm_read_uint(&r, unit->address_size);
            b = fm_read_uint(&r, unit->address_size);
            break;
        case DW_RLE_start_length:
            a = fm_read_uint(&r, unit->address_size);
            b = a + fm_read_uleb(&r);
            break;
        default: return;
        }
        if (!r.bad) add_range(debug, list, a, b);
    }
}

static void read_ranges(const struct fm_dw_debug *debug, const struct unit *unit, const struct entry *entry, struct range_list *list)
{
    const struct value *low = &entry->slots[LOW], *high = &entry->slots[HIGH], *ranges = &entry->slots[RANGES];

    list->count = 0;
    if (low->kind == ADDRESS && (high->kind == ADDRESS || high->kind == NUMBER)) {
        add_range(debug, list, low->number, high->kind == ADDRESS ? high->number : low->number + high->number);
    } else if (ranges->kind == NUMBER && unit->version < 5) {
        read_pairs(debug, unit, ranges->number, list);
    } else if (ranges->kind == NUMBER) {
        read_list(debug, unit, ranges->number, list);
    } else if (ranges->kind == LIST_INDEX) {
        struct fm_reader r = section_at(debug, LISTS, unit->list_base + ranges->number * unit->offset_size);
        read_list(debug, unit, unit->list_base + fm_read_uint(&r, unit->offset_size), list);
    }
}

/* --- units --- */

static uint64_t read_length(struct fm_reader *r, unsigned *offset_size)
{
    const uint64_t length = fm_read_u32(r);
    *offset_size = length == 0xffffffff ? 8 : 4;
    return length == 0xffffffff ? fm_read_u64(r) : length;
}

static void read_header(struct fm_reader *r, struct unit *unit)
{
    unit->version = fm_read_u16(r);
    if (unit->version >= 5) {
        unit->type = fm_read_u8(r);
        unit->address_size = fm_read_u8(r);
        unit->abbrevs = fm_read_uint(r, unit->offset_size);
        if (unit->type != DW_UT_compile && unit->type != DW_UT_partial) fm_reader_skip(r, 8);
        if (unit->type == DW_UT_type || unit->type == DW_UT_split_type) fm_reader_skip(r, unit->offset_size);
    } else {
        unit->abbrevs = fm_read_uint(r, unit->offset_size);
        unit->address_size = fm_read_u8(r);
    }
    unit->first = r->at;
}

/* Twice: the bases may stand behind what needs them. */
static bool read_root(const struct fm_dw_debug *debug, struct unit *unit)
{
    for (int i = 0; i < 2; i++) {
        struct fm_reader r = unit_bytes(debug, unit, unit->first);
        if (!read_entry(debug, unit, &r, &unit->root)) return false;
        unit->str_base = unit->root.slots[STR_BASE].number;
        unit->addr_base = unit->root.slots[ADDR_BASE].number;
        unit->list_base = unit->root.slots[LIST_BASE].number;
    }
    unit->low = unit->root.slots[LOW].kind == ADDRESS ? unit->root.slots[LOW].number : 0;
    if (unit->version < 5) {
        unit->type = unit->root.tag == DW_TAG_partial_unit ? DW_UT_partial : unit->root.tag == DW_TAG_type_unit ? DW_UT_type : DW_UT_compile;
        if (unit->root.slots[DWO_NAME].text.size > 0) unit->type = DW_UT_skeleton;
    }
    return true;
}

static void scan_units(struct fm_dw_debug *debug)
{
    struct fm_reader r = section_at(debug, INFO, 0);

    while (!r.bad && r.at < r.size) {
        struct unit unit = {.offset = r.at};
        const uint64_t length = read_length(&r, &unit.offset_size);
        unit.end = r.at + length;
        read_header(&r, &unit);
        if (r.bad || unit.end > r.size) return;
        if (read_root(debug, &unit)) *ADD(debug->units, debug->unit_count) = unit;
        fm_reader_seek(&r, unit.end);
    }
}

static const struct unit *unit_of(const struct fm_dw_debug *debug, uint64_t offset)
{
    for (size_t i = 0; i < debug->unit_count; i++) {
        if (debug->units[i].first <= offset && offset < debug->units[i].end) return &debug->units[i];
    }
    return NULL;
}

/* --- lines --- */

static bool absolute(framemap_str path) { return path.size > 0 && (path.data[0] == '/' || path.data[0] == '\\' || (path.size > 2 && path.data[1] == ':' && (path.data[2] == '\\' || path.data[2] == '/'))); }

static size_t join(char *path, size_t size, framemap_str part)
{
    if (part.size == 0) return size;
    if (size > 0 && path[size - 1] != '/') path[size++] = '/';
    while (size > 0 && part.size > 0 && part.data[0] == '/') part = fm_str_from(part, 1);
    if (part.size > 0) memcpy(path + size, part.data, part.size);
    return size + part.size;
}

/* The visitor's number of a file of the table; announced when it is new. */
static bool number_of(struct fm_dw_worker *w, uint64_t wanted, uint32_t *out)
{
    static char path[1 << 18];
    framemap_str folder = {NULL, 0}, above = {NULL, 0};
    const bool five = w->line_version >= 5;
    const uint64_t index = five ? wanted : wanted - 1;
    size_t size = 0;

    *out = FM_NONE;
    if (index >= w->file_count) return true;
    struct file *file = &w->files[index];
    *out = file->number;
    if (file->number != FM_NONE) return true;
    if (!absolute(file->name)) {
        const uint64_t at = five ? file->folder : file->folder - 1;
        if (at < w->folder_count) folder = w->folders[at];
        if (!(five && file->folder == 0) && !absolute(folder)) above = w->unit->root.slots[FOLDER].text;
    }
    size = join(path, size, above);
    size = join(path, size, folder);
    size = join(path, size, file->name);
    *out = file->number = w->announced++;
    return w->visitor->file(w->visitor->context, file->number, fm_str(path, size));
}

static void add_file(struct fm_dw_worker *w, framemap_str name, uint64_t folder)
{
    *ADD(w->files, w->file_count) = (struct file){name, folder, FM_NONE};
}

static void read_tables_old(struct fm_dw_worker *w, struct fm_reader *r)
{
    for (framemap_str name; (name = fm_read_cstr(r)).size > 0;) *ADD(w->folders, w->folder_count) = name;
    for (framemap_str name; (name = fm_read_cstr(r)).size > 0;) {
        add_file(w, name, fm_read_uleb(r));
        fm_read_uleb(r);
        fm_read_uleb(r);
    }
}

static void read_table_5(struct fm_dw_worker *w, struct fm_reader *r, const struct unit *as, bool files)
{
    struct fm_reader formats = *r;
    const unsigned count = fm_read_u8(r);

    for (unsigned i = 0; i < 2 * count; i++) fm_read_uleb(r);
    for (uint64_t left = fm_read_uleb(r); left > 0 && !r->bad; left--) {
        struct fm_reader format = formats;
        framemap_str name = {NULL, 0};
        uint64_t folder = 0;
        fm_read_u8(&format);
        for (unsigned i = 0; i < count; i++) {
            const uint64_t content = fm_read_uleb(&format);
            const struct value value = read_form(w->debug, as, r, fm_read_uleb(&format), 0);
            if (content == DW_LNCT_path) name = value.text;
            if (content == DW_LNCT_directory_index) folder = value.number;
        }
        if (files) add_file(w, name, folder);
        else *ADD(w->folders, w->folder_count) = name;
    }
}

struct state {
    uint64_t address, file, line, column, index;
    bool is_stmt;
};

struct program {
    struct fm_reader r;
    unsigned min_length, max_ops, line_range, opcode_base, operands[256], address_size;
    bool default_is_stmt;
    int line_base;
    struct state s;
};

static bool emit(struct fm_dw_worker *w, const struct program *p, bool end)
{
    struct fm_dw_row row = {p->s.address, FM_NONE, (uint32_t)p->s.line, p->s.column > UINT32_MAX ? 0 : (uint32_t)p->s.column, p->s.is_stmt, end};
    return number_of(w, p->s.file, &row.file) && w->visitor->rows(w->visitor->context, &row, 1);
}

static void advance(struct program *p, uint64_t operations)
{
    p->s.address += (p->s.index + operations) / p->max_ops * p->min_length;
    p->s.index = (p->s.index + operations) % p->max_ops;
    if (p->address_size == 4) p->s.address &= UINT32_MAX;
}

static void reset(struct program *p) { p->s = (struct state){0, 1, 1, 0, 0, p->default_is_stmt}; }

static bool run_extended(struct fm_dw_worker *w, struct program *p)
{
    const uint64_t length = fm_read_uleb(&p->r);
    struct fm_reader r = fm_reader_sub(&p->r, p->r.at, length);
    bool good = true;

    fm_reader_skip(&p->r, length);
    switch (fm_read_u8(&r)) {
    case DW_LNE_end_sequence:
        good = emit(w, p, true);
        reset(p);
        break;
    case DW_LNE_set_address:
        p->s.address = fm_read_uint(&r, (unsigned)length - 1);
        p->s.index = 0;
        break;
    case DW_LNE_define_file:
        if (w->line_version < 5) {
            const framemap_str name = fm_read_cstr(&r);
            add_file(w, name, fm_read_uleb(&r));
        }
        break;
    default: break;
    }
    return good;
}

static bool run_one(struct fm_dw_worker *w, struct program *p)
{
    const unsigned opcode = fm_read_u8(&p->r);

    if (opcode >= p->opcode_base) {
        advance(p, (opcode - p->opcode_base) / p->line_range);
        p->s.line += (uint64_t)(int64_t)(p->line_base + (int)((opcode - p->opcode_base) % p->line_range));
        return emit(w, p, false);
    }
    switch (opcode) {
    case 0: return run_extended(w, p);
    case DW_LNS_copy: return emit(w, p, false);
    case DW_LNS_advance_pc: advance(p, fm_read_uleb(&p->r)); return true;
    case DW_LNS_advance_line: p->s.line += (uint64_t)fm_read_sleb(&p->r); return true;
    case DW_LNS_set_file: p->s.file = fm_read_uleb(&p->r); return true;
    case DW_LNS_set_column: p->s.column = fm_read_uleb(&p->r); return true;
    case DW_LNS_negate_stmt: p->s.is_stmt = !p->s.is_stmt; return true;
    case DW_LNS_const_add_pc: advance(p, (255 - p->opcode_base) / p->line_range); return true;
    case DW_LNS_fixed_advance_pc:
        p->s.address += fm_read_u16(&p->r);
        p->s.index = 0;
        if (p->address_size == 4) p->s.address &= UINT32_MAX;
        return true;
    case DW_LNS_set_basic_block: case DW_LNS_set_prologue_end: case DW_LNS_set_epilogue_begin: return true;
    case DW_LNS_set_isa: fm_read_uleb(&p->r); return true;
    default:
        for (unsigned i = 0; i < p->operands[opcode]; i++) fm_read_uleb(&p->r);
        return true;
    }
}

/* Header and tables; the program is left to be run. */
static void open_lines(struct fm_dw_worker *w, const struct unit *unit, struct program *p)
{
    struct unit as = *unit;
    struct fm_reader r = section_at(w->debug, LINE, unit->root.slots[LINES].number);

    *p = (struct program){.address_size = unit->address_size};
    w->unit = unit;
    w->folder_count = w->file_count = 0;
    w->announced = 0;
    w->line_version = 0;
    if (unit->root.slots[LINES].kind != NUMBER) return;
    const uint64_t length = read_length(&r, &as.offset_size);
    const size_t end = r.at + (size_t)length;
    w->line_version = as.version = fm_read_u16(&r);
    if (as.version >= 5) {
        p->address_size = as.address_size = fm_read_u8(&r);
        fm_read_u8(&r);
    }
    const uint64_t header = fm_read_uint(&r, as.offset_size);
    p->r = r;
    p->r.size = end;
    fm_reader_skip(&p->r, header);
    p->min_length = fm_read_u8(&r);
    p->max_ops = as.version >= 4 ? fm_read_u8(&r) : 1;
    p->default_is_stmt = fm_read_u8(&r) != 0;
    p->line_base = (int8_t)fm_read_u8(&r);
    p->line_range = fm_read_u8(&r);
    p->opcode_base = fm_read_u8(&r);
    for (unsigned i = 1; i < p->opcode_base; i++) p->operands[i] = fm_read_u8(&r);
    if (as.version < 5) read_tables_old(w, &r);
    else read_table_5(w, &r, &as, false), read_table_5(w, &r, &as, true);
    reset(p);
}

static bool run_lines(struct fm_dw_worker *w, const struct unit *unit)
{
    struct program p;

    open_lines(w, unit, &p);
    if (unit->type == DW_UT_partial) return true;
    while (p.r.at < p.r.size && !p.r.bad) {
        if (!run_one(w, &p)) return false;
    }
    return true;
}

/* --- functions --- */

struct naming {
    framemap_str linkage, name;
    const struct unit *decl_unit;
    uint64_t decl_file;
    uint32_t decl_line;
    bool artificial;
};

static uint32_t narrow(const struct value *value) { return value->kind != NUMBER || value->number > UINT32_MAX ? 0 : (uint32_t)value->number; }

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

/* Where the origin of an entry is; UINT64_MAX: it has none. */
static uint64_t origin_of(const struct unit *unit, const struct entry *entry)
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
        const struct unit *unit = unit_of(debug, at);
        struct entry entry;
        if (unit == NULL) return;
        struct fm_reader r = unit_bytes(debug, unit, at);
        if (!read_entry(debug, unit, &r, &entry)) return;
        merge(to, unit, &entry);
        const uint64_t next = origin_of(unit, &entry);
        if (next == at) return;
        at = next;
    }
}

/* An open function or inlined subroutine. */
struct level {
    struct entry entry;
    uint32_t depth, inlined;
    bool tried, told;
};
struct levels {
    struct level *items;
    size_t count;
    struct range_list ranges;
};

static bool tell(struct fm_dw_worker *w, struct level *level, const struct range_list *ranges)
{
    const struct entry *entry = &level->entry;
    const uint64_t origin = origin_of(w->unit, entry);
    struct naming naming = {.decl_unit = NULL};
    uint32_t call_file = FM_NONE, decl_file = FM_NONE;

    merge(&naming, w->unit, entry);
    follow(w->debug, origin, &naming);
    if (entry->slots[CALL_FILE].kind == NUMBER && !number_of(w, entry->slots[CALL_FILE].number, &call_file)) return false;
    if (naming.decl_unit == w->unit && !number_of(w, naming.decl_file, &decl_file)) return false;
    const struct fm_dw_function function = {.offset = entry->offset, .origin = origin == UINT64_MAX ? entry->offset : origin, .linkage_name = naming.linkage,
                                            .name = naming.name, .decl_file = decl_file, .decl_line1 = naming.decl_line, .artificial = naming.artificial,
                                            .ranges = ranges->items, .range_count = ranges->count, .call_file = call_file,
                                            .call_line1 = narrow(&entry->slots[CALL_LINE]), .call_col1 = narrow(&entry->slots[CALL_COLUMN]), .depth = level->inlined};
    level->told = true;
    return w->visitor->enter(w->visitor->context, &function);
}

/* Tells of the innermost level if it has code, and before it of those above it that were not told because they have none themselves. */
static bool tell_innermost(struct fm_dw_worker *w, struct levels *levels)
{
    struct level *last = &levels->items[levels->count - 1], *first = last;
    static struct range_list above;

    read_ranges(w->debug, w->unit, &last->entry, &levels->ranges);
    if (levels->ranges.count == 0) return true;
    while (first->inlined > 0 && !first[-1].told && !first[-1].tried) first--;
    for (; first < last; first++) {
        first->tried = true;
        read_ranges(w->debug, w->unit, &first->entry, &above);
        if (!tell(w, first, &above)) return false;
    }
    return tell(w, last, &levels->ranges);
}

static bool leave_to(struct fm_dw_worker *w, struct levels *levels, uint32_t depth)
{
    while (levels->count > 0 && levels->items[levels->count - 1].depth >= depth) {
        if (levels->items[--levels->count].told && !w->visitor->leave(w->visitor->context)) return false;
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

static bool run_functions(struct fm_dw_worker *w, struct levels *levels)
{
    struct fm_reader r = unit_bytes(w->debug, w->unit, w->unit->first);
    struct entry entry;
    uint32_t depth = 0;

    do {
        if (read_entry(w->debug, w->unit, &r, &entry)) {
            if (!enter_entry(w, levels, &entry, depth)) return false;
            depth += entry.children;
        } else {
            depth--;
        }
    } while (!r.bad && depth > 0 && r.at < r.size);
    return leave_to(w, levels, 0);
}

/* --- the reader --- */

/* By rising begins; of equal ones as they came. */
static void sort_ranges(struct range_list *list)
{
    for (size_t i = 1; i < list->count; i++) {
        const struct fm_dw_range range = list->items[i];
        size_t at = i;
        for (; at > 0 && list->items[at - 1].low > range.low; at--) list->items[at] = list->items[at - 1];
        list->items[at] = range;
    }
}

/* What .debug_aranges says of a unit, by rising addresses. */
static void add_address_sets(const struct fm_dw_debug *debug, const struct unit *unit, struct range_list *list)
{
    struct fm_reader r = section_at(debug, ARANGES, 0);
    struct range_list found = {NULL, 0};

    while (!r.bad && r.at < r.size) {
        const size_t from = r.at;
        unsigned offset_size;
        const uint64_t length = read_length(&r, &offset_size);
        const size_t end = r.at + (size_t)length;
        fm_read_u16(&r);
        const bool mine = fm_read_uint(&r, offset_size) == unit->offset;
        const unsigned width = fm_read_u8(&r);
        fm_read_u8(&r);
        while ((r.at - from) % (2 * width) != 0) r.at++;
        while (!r.bad && r.at + 2 * width <= end) {
            const uint64_t low = fm_read_uint(&r, width), size = fm_read_uint(&r, width);
            if (mine && size > 0) *ADD(found.items, found.count) = (struct fm_dw_range){low, low + size};
        }
        fm_reader_seek(&r, end);
    }
    sort_ranges(&found);
    for (size_t i = 0; i < found.count; i++) add_range(debug, list, found.items[i].low, found.items[i].high);
    free(found.items);
}

/* The sequences of the unit's rows. */
struct sequences {
    const struct fm_dw_debug *debug;
    struct range_list *list;
    uint64_t low;
    bool open;
};
static bool note_rows(void *context, const struct fm_dw_row *rows, size_t count)
{
    struct sequences *s = context;
    for (size_t i = 0; i < count; i++) {
        if (!s->open) s->low = rows[i].address;
        s->open = !rows[i].end_sequence;
        if (rows[i].end_sequence) add_range(s->debug, s->list, s->low, rows[i].address);
    }
    return true;
}
static bool no_file(void *context, uint32_t number_of_file, framemap_str path)
{
    (void)context, (void)number_of_file, (void)path;
    return true;
}

static bool claim(struct fm_dw_debug *debug, size_t index, struct range_list *list, const struct fm_dw_survey *survey)
{
    const struct unit *unit = &debug->units[index];
    struct fm_dw_claim told = {.number = debug->claimed_count, .offset = unit->offset, .end = unit->end};

    if (unit->type != DW_UT_compile && unit->type != DW_UT_partial && unit->type != DW_UT_skeleton) return true;
    read_ranges(debug, unit, &unit->root, list);
    add_address_sets(debug, unit, list);
    told.weak = list->count == 0;
    if (told.weak && unit->type != DW_UT_partial) {
        struct sequences sequences = {debug, list, 0, false};
        const struct fm_dw_visitor quiet = {.context = &sequences, .file = no_file, .rows = note_rows};
        struct fm_dw_worker worker = {.debug = debug, .visitor = &quiet};
        run_lines(&worker, unit);
        free(worker.folders);
        free(worker.files);
    }
    told.ranges = list->items;
    told.range_count = list->count;
    if (list->count == 0) return true;
    if (debug->claimed_count == sizeof debug->claimed / sizeof *debug->claimed) abort();
    debug->claimed[debug->claimed_count++] = index;
    return survey->claim(survey->context, &told);
}

static framemap_status open_image(const struct fm_image *image, const struct fm_mapper_host *host, const struct fm_dw_survey *survey,
                                  struct fm_dw_debug **out, framemap_error *error)
{
    static const char *const names[SECTIONS] = {".debug_info", ".debug_abbrev", ".debug_str", ".debug_line_str", ".debug_line", ".debug_ranges",
                                                ".debug_rnglists", ".debug_addr", ".debug_str_offsets", ".debug_aranges"};
    struct fm_dw_debug *debug = calloc(1, sizeof *debug);
    struct range_list list = {NULL, 0};
    bool good = true;

    (void)host;
    if (debug == NULL) abort();
    debug->image = image;
    for (unsigned i = 0; i < SECTIONS; i++) {
        const uint32_t number_of_section = fm_image_section(image, framemap_str_of(names[i]));
        if (number_of_section != UINT32_MAX) fm_image_contents(image, number_of_section, &debug->sections[i], error);
    }
    scan_units(debug);
    for (size_t i = 0; i < debug->unit_count && good; i++) good = claim(debug, i, &list, survey);
    free(list.items);
    *out = debug;
    return good ? FRAMEMAP_OK : FRAMEMAP_E_MEMORY;
}

static void close_image(struct fm_dw_debug *debug)
{
    if (debug == NULL) return;
    free(debug->units);
    free(debug);
}

static framemap_status make_worker(struct fm_dw_debug *debug, struct fm_dw_worker **out, framemap_error *error)
{
    (void)error;
    *out = calloc(1, sizeof **out);
    if (*out == NULL) abort();
    (*out)->debug = debug;
    return FRAMEMAP_OK;
}

static void free_worker(struct fm_dw_worker *w)
{
    if (w == NULL) return;
    free(w->folders);
    free(w->files);
    free(w);
}

static uint8_t language_of(uint64_t dwarf)
{
    switch (dwarf) {
    case 0: return FM_LANGUAGE_UNKNOWN;
    case 0x01: case 0x02: case 0x0c: case 0x1d: case 0x2c: return FM_LANGUAGE_C;
    case 0x04: case 0x1a: case 0x21: case 0x2b: return FM_LANGUAGE_CXX;
    case 0x10: case 0x11: return FM_LANGUAGE_OBJC;
    case 0x1c: return FM_LANGUAGE_RUST;
    case 0x1e: return FM_LANGUAGE_SWIFT;
    default: return FM_LANGUAGE_OTHER;
    }
}

static framemap_status walk(struct fm_dw_worker *w, uint32_t number_of_unit, const struct fm_dw_visitor *visitor, framemap_error *error)
{
    const struct unit *unit = &w->debug->units[w->debug->claimed[number_of_unit]];
    const struct fm_dw_unit told = {.number = number_of_unit, .offset = unit->offset, .version = (uint16_t)unit->version,
                                    .language = language_of(unit->root.slots[LANGUAGE].number), .name = unit->root.slots[NAME].text,
                                    .folder = unit->root.slots[FOLDER].text, .producer = unit->root.slots[PRODUCER].text};
    struct levels levels = {NULL, 0, {NULL, 0}};

    (void)error;
    w->visitor = visitor;
    bool good = visitor->unit(visitor->context, &told) && run_lines(w, unit) && run_functions(w, &levels) && visitor->unit_end(visitor->context);
    free(levels.items);
    free(levels.ranges.items);
    return good ? FRAMEMAP_OK : FRAMEMAP_E_MEMORY;
}

const struct fm_dw_reader plain_reader = {.name = "plain", .threads = false, .open = open_image, .close = close_image, .worker = make_worker,
                                          .worker_free = free_worker, .walk = walk};
