/* The simple DWARF reader: line number programs. See plain_inner.h. */
#include "tests/mappers/native/plain_inner.h"

#include "mappers/native/dwarf/dw_constants.h"

static bool absolute(framemap_str path)
{
    for (size_t i = 0; i < path.size; i++)
        if (path.data[i] == '/' || path.data[i] == '\\') return i == 0 || path.data[i - 1] == ':';
    return false;
}

static size_t join(char *path, size_t size, framemap_str part)
{
    if (part.size == 0) return size;
    if (size > 0 && path[size - 1] != '/') path[size++] = '/';
    while (size > 0 && part.size > 0 && part.data[0] == '/') part = fm_str_from(part, 1);
    if (part.size > 0) memcpy(path + size, part.data, part.size);
    return size + part.size;
}

/* Returns the visitor's number of a file in the unit's table, and reports the file at its first use. */
bool plain_file_number(struct fm_dw_worker *w, uint64_t wanted, uint32_t *out)
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

static void read_tables_old(struct fm_dw_worker *w, struct fm_byte_reader *r)
{
    for (framemap_str name; (name = fm_read_cstr(r)).size > 0;) *ADD(w->folders, w->folder_count) = name;
    for (framemap_str name; (name = fm_read_cstr(r)).size > 0;) {
        add_file(w, name, fm_read_uleb(r));
        fm_read_uleb(r);
        fm_read_uleb(r);
    }
}

static void read_table_5(struct fm_dw_worker *w, struct fm_byte_reader *r, const struct unit *as, bool files)
{
    struct fm_byte_reader formats = *r;
    const unsigned count = fm_read_u8(r);

    for (unsigned i = 0; i < 2 * count; i++) fm_read_uleb(r);
    for (uint64_t left = fm_read_uleb(r); left > 0 && !r->bad; left--) {
        struct fm_byte_reader format = formats;
        framemap_str name = {NULL, 0};
        uint64_t folder = 0;
        fm_read_u8(&format);
        for (unsigned i = 0; i < count; i++) {
            const uint64_t content = fm_read_uleb(&format);
            const struct value value = plain_read_form(w->debug, as, r, fm_read_uleb(&format), 0);
            if (content == DW_LNCT_path) name = value.text;
            if (content == DW_LNCT_directory_index) folder = value.number;
        }
        if (files)
            add_file(w, name, folder);
        else
            *ADD(w->folders, w->folder_count) = name;
    }
}

struct state {
    uint64_t address, file, line, column, index;
    bool is_stmt;
};

struct program {
    struct fm_byte_reader r;
    unsigned min_length, max_ops, line_range, opcode_base, operands[256], address_size;
    bool default_is_stmt;
    int line_base;
    struct state s;
};

static bool emit(struct fm_dw_worker *w, const struct program *p, bool end)
{
    struct fm_dw_row row = {p->s.address,        FM_NONE,
                            (uint32_t)p->s.line, p->s.column > UINT32_MAX ? 0 : (uint32_t)p->s.column,
                            p->s.is_stmt,        end};
    return plain_file_number(w, p->s.file, &row.file) && w->visitor->rows(w->visitor->context, &row, 1);
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
    struct fm_byte_reader r = fm_byte_reader_sub(&p->r, p->r.at, length);
    bool good = true;

    fm_byte_reader_skip(&p->r, length);
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
    case DW_LNS_set_basic_block:
    case DW_LNS_set_prologue_end:
    case DW_LNS_set_epilogue_begin: return true;
    case DW_LNS_set_isa: fm_read_uleb(&p->r); return true;
    default:
        for (unsigned i = 0; i < p->operands[opcode]; i++) fm_read_uleb(&p->r);
        return true;
    }
}

/* Reads the header and the tables of a line program. After that, the program can be run. */
static void open_lines(struct fm_dw_worker *w, const struct unit *unit, struct program *p)
{
    struct unit as = *unit;
    struct fm_byte_reader r = plain_section_at(w->debug, LINE, unit->root.slots[LINES].number);

    *p = (struct program){.address_size = unit->address_size};
    w->unit = unit;
    w->folder_count = w->file_count = 0;
    w->announced = 0;
    w->line_version = 0;
    if (unit->root.slots[LINES].kind != NUMBER) return;
    const uint64_t length = plain_read_length(&r, &as.offset_size);
    const size_t end = r.at + (size_t)length;
    w->line_version = as.version = fm_read_u16(&r);
    if (as.version >= 5) {
        p->address_size = as.address_size = fm_read_u8(&r);
        fm_read_u8(&r);
    }
    const uint64_t header = fm_read_uint(&r, as.offset_size);
    p->r = r;
    p->r.size = end;
    fm_byte_reader_skip(&p->r, header);
    p->min_length = fm_read_u8(&r);
    p->max_ops = as.version >= 4 ? fm_read_u8(&r) : 1;
    p->default_is_stmt = fm_read_u8(&r) != 0;
    p->line_base = (int8_t)fm_read_u8(&r);
    p->line_range = fm_read_u8(&r);
    p->opcode_base = fm_read_u8(&r);
    for (unsigned i = 1; i < p->opcode_base; i++) p->operands[i] = fm_read_u8(&r);
    if (as.version < 5)
        read_tables_old(w, &r);
    else
        read_table_5(w, &r, &as, false), read_table_5(w, &r, &as, true);
    reset(p);
}

bool plain_run_lines(struct fm_dw_worker *w, const struct unit *unit)
{
    struct program p;

    open_lines(w, unit, &p);
    if (unit->type == DW_UT_partial) return true;
    while (p.r.at < p.r.size && !p.r.bad) {
        if (!run_one(w, &p)) return false;
    }
    return true;
}
