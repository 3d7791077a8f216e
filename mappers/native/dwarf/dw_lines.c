/* Line number programs are decoded here, not by libdwarf: version 20210528 allocates memory for each row and checks
 * the header's tables too late. */
#include "mappers/native/dwarf/dw_lines.h"

#include "core/error.h"
#include "core/limits.h"
#include "core/text/buffer.h"
#include "mappers/native/dwarf/dw_leb.h"

void fm_dw_lines_init(struct fm_dw_lines *lines, struct fm_heap *heap, const struct fm_dw_sections *sections,
                      const struct fm_dw_visitor *visitor)
{
    *lines = (struct fm_dw_lines){.heap = heap, .sections = sections, .visitor = visitor};
    fm_buf_init(&lines->path, heap);
    lines->path.limit = 4 * FM_LIMIT_PATH; /* the three parts are checked one by one */
}

void fm_dw_lines_free(struct fm_dw_lines *lines)
{
    fm_heap_free(lines->heap, lines->folders, lines->folder_capacity * sizeof *lines->folders);
    fm_heap_free(lines->heap, lines->files, lines->file_capacity * sizeof *lines->files);
    fm_buf_free(&lines->path);
}

/* --- the header --- */

static bool add_folder(struct fm_dw_lines *lines, const struct fm_dw_value *folder)
{
    if (!FM_GROW(lines->heap, lines->folders, lines->folder_capacity, lines->folder_count + 1)) return false;
    lines->folders[lines->folder_count++] = *folder;
    return true;
}

static bool add_file(struct fm_dw_lines *lines, const struct fm_dw_value *name, uint64_t folder)
{
    if (!FM_GROW(lines->heap, lines->files, lines->file_capacity, lines->file_count + 1)) return false;
    lines->files[lines->file_count++] = (struct fm_dw_line_file){*name, folder, FM_NONE};
    return true;
}

static struct fm_dw_value text_value(framemap_str text)
{
    return (struct fm_dw_value){FM_DW_TEXT, DW_FORM_string, 0, text};
}

static bool read_file_entry(struct fm_dw_lines *lines, struct fm_byte_reader *r, framemap_str name)
{
    const struct fm_dw_value value = text_value(name);
    uint64_t folder = fm_read_uleb(r);
    fm_read_uleb(r); /* time */
    fm_read_uleb(r); /* length */
    return r->bad || add_file(lines, &value, folder);
}

/* Versions 2 to 4: strings, ended by an empty one. Returns false when out of memory. */
static bool read_tables_old(struct fm_dw_lines *lines, struct fm_byte_reader *r)
{
    for (framemap_str folder; (folder = fm_read_cstr(r)).size > 0;) {
        const struct fm_dw_value value = text_value(folder);
        if (!add_folder(lines, &value)) return false;
    }
    for (framemap_str name; (name = fm_read_cstr(r)).size > 0;) {
        if (!read_file_entry(lines, r, name)) return false;
    }
    return true;
}

static struct fm_dw_encoding encoding_5(const struct fm_dw_lines *lines)
{
    return (struct fm_dw_encoding){.version = 5,
                                   .address_size = lines->address_size,
                                   .offset_size = lines->offset_size,
                                   .str_offsets_base = lines->unit->encoding.str_offsets_base,
                                   .str_start = lines->unit->encoding.str_start,
                                   .line_str_start = lines->unit->encoding.line_str_start,
                                   .has_alternate = lines->unit->encoding.has_alternate,
                                   .alternate_str = lines->unit->encoding.alternate_str};
}

/* The format of the entries of a version 5 table. */
struct entry_format {
    struct fm_dw_encoding encoding;
    uint8_t count;
    struct {
        uint64_t content;
        struct fm_dw_spec spec;
        struct fm_dw_form form;
    } fields[256];
};

static void read_format(const struct fm_dw_lines *lines, struct fm_byte_reader *r, struct entry_format *format)
{
    format->encoding = encoding_5(lines);
    format->count = fm_read_u8(r);
    for (uint8_t i = 0; i < format->count; i++) {
        format->fields[i].content = fm_read_uleb(r);
        const uint64_t form = fm_read_uleb(r);
        if (form > UINT16_MAX) r->bad = true;
        format->fields[i].spec = (struct fm_dw_spec){.form = (uint16_t)form};
        format->fields[i].form = fm_dw_form_of((uint16_t)form, &format->encoding);
    }
}

/* Reads one value: quickly if it has four bytes or is a LEB128 number, as nearly all. */
static bool read_value(struct fm_byte_reader *r, const struct entry_format *format, uint8_t field,
                       struct fm_dw_value *out)
{
    const struct fm_dw_form form = format->fields[field].form;
    const unsigned char *at = r->data + r->at;

    if (form.width != 4 && form.width != FM_DW_WIDTH_ULEB)
        return fm_dw_form_read(r, &format->encoding, &format->fields[field].spec, out);
    *out = (struct fm_dw_value){.class = (enum fm_dw_class)form.class, .form = format->fields[field].spec.form};
    if (form.width == 4) {
        if (r->size - r->at < 4) return false;
        out->number = fm_dw_fixed(at, 4, r->big_endian);
        r->at += 4;
        return true;
    }
    at = fm_dw_uleb(at, r->data + r->size, &out->number);
    if (at == NULL) return false;
    r->at = (size_t)(at - r->data);
    return true;
}

static bool read_entry(struct fm_byte_reader *r, const struct entry_format *format, struct fm_dw_value *path,
                       uint64_t *folder)
{
    for (uint8_t i = 0; i < format->count; i++) {
        struct fm_dw_value value;
        if (!read_value(r, format, i, &value)) return false;
        if (format->fields[i].content == DW_LNCT_path) *path = value;
        if (format->fields[i].content == DW_LNCT_directory_index) *folder = value.number;
    }
    return true;
}

/* Version 5: a list of pairs (content, form), a count, and the entries. */
static framemap_status read_table_5(struct fm_dw_lines *lines, struct fm_byte_reader *r, bool files,
                                    framemap_error *error)
{
    struct entry_format format;

    read_format(lines, r, &format);
    uint64_t count = fm_read_uleb(r);
    if (r->bad) return FRAMEMAP_OK;
    for (uint64_t i = 0; i < count; i++) {
        struct fm_dw_value path = {.form = 0};
        uint64_t folder = 0;
        size_t from = r->at;
        if (!read_entry(r, &format, &path, &folder)) r->bad = true;
        /* Entries without bytes are rejected: a small header could claim billions. */
        if (!r->bad && r->at == from) r->bad = true;
        if (r->bad) return FRAMEMAP_OK;
        if (!(files ? add_file(lines, &path, folder) : add_folder(lines, &path))) return fm_error_memory(error);
    }
    return FRAMEMAP_OK;
}

static framemap_status header_fault(const struct fm_dw_lines *lines, framemap_error *error, const char *what)
{
    fm_error_at(error, FRAMEMAP_E_CORRUPT, lines->unit->lines, "%s", what);
    fm_error_where(error, FM_STR(".debug_line"));
    return FRAMEMAP_E_CORRUPT;
}

/* Reads the fixed fields. On entry r starts after the unit length and ends with the program; on return it ends with
 * the header. */
static const char *read_fixed(struct fm_dw_lines *lines, struct fm_byte_reader *r)
{
    lines->version = fm_read_u16(r);
    if (r->bad || lines->version < 2 || lines->version > 5) return "line program of a version that is not 2 to 5";
    lines->address_size = lines->unit->encoding.address_size;
    if (lines->version == 5) {
        lines->address_size = fm_read_u8(r);
        fm_read_u8(r); /* segment selector size */
    }
    uint64_t header_length = fm_read_uint(r, lines->offset_size);
    if (r->bad || header_length > fm_byte_reader_left(r)) return "line program header is longer than its program";
    lines->program = *r;
    lines->program.at += (size_t)header_length;
    r->size = r->at + (size_t)header_length;
    lines->min_length = fm_read_u8(r);
    lines->max_ops = lines->version >= 4 ? fm_read_u8(r) : 1;
    lines->default_is_stmt = fm_read_u8(r) != 0;
    lines->line_base = (int8_t)fm_read_u8(r);
    lines->line_range = fm_read_u8(r);
    lines->opcode_base = fm_read_u8(r);
    for (unsigned i = 1; i < lines->opcode_base; i++) lines->operand_counts[i] = fm_read_u8(r);
    if (r->bad) return "line program header ends early";
    if (lines->line_range == 0) return "line program with a line range of zero";
    if (lines->opcode_base == 0) return "line program with an opcode base of zero";
    if (lines->max_ops == 0) lines->max_ops = 1;
    if (lines->address_size != 4 && lines->address_size != 8)
        return "line program whose addresses are neither 4 nor 8 bytes";
    return NULL;
}

/* Finds the program's bytes: sets r to the part from after the length to the end of the program. */
static const char *find_program(const struct fm_dw_sections *sections, uint64_t offset, uint8_t *offset_size,
                                struct fm_byte_reader *r)
{
    *r = fm_byte_reader_of(sections->line, sections->big_endian);
    fm_byte_reader_seek(r, offset);
    uint64_t length = fm_read_u32(r);
    *offset_size = 4;
    if (length == 0xffffffff) {
        *offset_size = 8;
        length = fm_read_u64(r);
    } else if (length >= 0xfffffff0) {
        return "line program with a reserved length";
    }
    if (r->bad || length > fm_byte_reader_left(r)) return "line program is longer than its section";
    r->size = r->at + (size_t)length;
    return NULL;
}

uint64_t fm_dw_lines_size(const struct fm_dw_sections *sections, const struct fm_dw_unit_data *unit)
{
    struct fm_byte_reader r;
    uint8_t offset_size;

    if (!unit->has_lines || find_program(sections, unit->lines, &offset_size, &r) != NULL) return 0;
    return r.size - unit->lines;
}

framemap_status fm_dw_lines_open(struct fm_dw_lines *lines, const struct fm_dw_unit_data *unit, framemap_error *error)
{
    struct fm_byte_reader r;
    framemap_status status = FRAMEMAP_OK;

    lines->unit = unit;
    lines->folder_count = lines->file_count = 0;
    lines->announced_count = 0;
    lines->program = fm_byte_reader_of((framemap_str){NULL, 0}, false);
    if (!unit->has_lines) return FRAMEMAP_OK;
    const char *why = find_program(lines->sections, unit->lines, &lines->offset_size, &r);
    if (why == NULL) why = read_fixed(lines, &r);
    if (why != NULL) {
        lines->program = fm_byte_reader_of((framemap_str){NULL, 0}, false);
        return header_fault(lines, error, why);
    }
    if (unit->lines_refused) {
        lines->program.at = lines->program.size;
        return fm_error_at(error, FRAMEMAP_E_LIMIT, unit->lines, "line programs are read too many times");
    }
    if (lines->version < 5) {
        if (!read_tables_old(lines, &r)) status = fm_error_memory(error);
    } else {
        status = read_table_5(lines, &r, false, error);
        if (status == FRAMEMAP_OK) status = read_table_5(lines, &r, true, error);
    }
    if (status == FRAMEMAP_OK && r.bad) return header_fault(lines, error, "file table leaves the line program header");
    return status;
}

/* --- files --- */

static bool is_absolute(framemap_str path)
{
    if (path.size > 0 && (path.data[0] == '/' || path.data[0] == '\\')) return true;
    return path.size > 2 && path.data[1] == ':' && (path.data[2] == '\\' || path.data[2] == '/');
}

/* Appends a part of a path, with one separator between parts; an empty part adds nothing. */
static void append_part(struct fm_buf *path, framemap_str part)
{
    if (part.size == 0) return;
    if (path->size > 0) {
        if (path->data[path->size - 1] != '/') fm_buf_byte(path, '/');
        while (part.size > 0 && part.data[0] == '/') part = fm_str_from(part, 1);
    }
    fm_buf_str(path, part);
}

static framemap_str string_of(const struct fm_dw_lines *lines, const struct fm_dw_value *value)
{
    const struct fm_dw_encoding encoding = encoding_5(lines);
    return fm_dw_value_string(lines->sections, &encoding, value);
}

/* Joins directory and name by LLVM's rules: the last absolute part and those after it count; a relative directory is
 * relative to the unit's own, except for directory 0 of version 5, which is the unit's own. */
static void make_path(struct fm_dw_lines *lines, const struct fm_dw_line_file *file)
{
    bool five = lines->version >= 5;
    const framemap_str name = string_of(lines, &file->name);
    framemap_str folder = {NULL, 0};
    framemap_str unit_folder = {NULL, 0};

    fm_buf_clear(&lines->path);
    if (!is_absolute(name)) {
        const uint64_t number =
            five ? file->folder : file->folder - 1; /* before version 5, number 0 becomes greater than any count */
        if (number < lines->folder_count) folder = string_of(lines, &lines->folders[number]);
        if ((!five || file->folder != 0) && !is_absolute(folder)) unit_folder = lines->unit->folder;
    }
    /* A path over the limit counts as damaged, and stays empty. */
    if (unit_folder.size > FM_LIMIT_PATH || folder.size > FM_LIMIT_PATH || name.size > FM_LIMIT_PATH) return;
    append_part(&lines->path, unit_folder);
    append_part(&lines->path, folder);
    append_part(&lines->path, name);
}

bool fm_dw_lines_new_file(struct fm_dw_lines *lines, uint64_t number, uint32_t *out)
{
    uint64_t first = lines->version >= 5 ? 0 : 1;

    *out = FM_NONE;
    if (number < first || number - first >= lines->file_count) return true;
    struct fm_dw_line_file *file = &lines->files[number - first];
    if (file->announced == FM_NONE) {
        make_path(lines, file);
        if (lines->path.failed) return false;
        if (!lines->visitor->file(lines->visitor->context, lines->announced_count, fm_buf_view(&lines->path)))
            return false;
        file->announced = lines->announced_count++;
    }
    *out = file->announced;
    return true;
}

/* --- running the program --- */

struct line_machine {
    struct fm_dw_lines *lines;
    bool (*rows)(void *context, const struct fm_dw_row *rows, size_t count);
    void *context;
    const unsigned char *at, *end;
    uint64_t address, mask;
    uint64_t file;        /* number in the program */
    uint32_t file_number; /* number given to the visitor, if `file_known` */
    uint32_t line1, col1;
    uint32_t op_index;
    uint32_t row_count; /* rows not yet reported */
    bool file_known;
    bool is_stmt;
    bool broken;  /* an instruction is incomplete */
    bool stopped; /* by the visitor, or when out of memory */
    const struct fm_dw_special *specials;
};

static void reset(struct line_machine *m)
{
    m->address = 0;
    m->op_index = 0;
    m->file = 1;
    m->file_known = false;
    m->line1 = 1;
    m->col1 = 0;
    m->is_stmt = m->lines->default_is_stmt;
}

static void advance(struct line_machine *m, uint64_t operations)
{
    uint64_t max_ops = m->lines->max_ops;
    if (max_ops > 1) {
        uint64_t total = m->op_index + operations;
        operations = total / max_ops;
        m->op_index = (uint32_t)(total % max_ops);
    }
    m->address = (m->address + operations * m->lines->min_length) & m->mask;
}

static bool stop(struct line_machine *m)
{
    m->stopped = true;
    return false;
}

static bool break_off(struct line_machine *m)
{
    m->broken = true;
    return false;
}

/* Reports the collected rows. */
static bool report_rows(struct line_machine *m)
{
    const uint32_t count = m->row_count;

    m->row_count = 0;
    return count == 0 || m->rows(m->context, m->lines->rows, count) || stop(m);
}

static bool find_file(struct line_machine *m)
{
    m->file_known = true;
    return fm_dw_lines_file(m->lines, m->file, &m->file_number) || stop(m);
}

static inline bool emit(struct line_machine *m, bool end)
{
    if (!m->file_known && !find_file(m)) return false;
    m->lines->rows[m->row_count++] = (struct fm_dw_row){m->address, m->file_number, m->line1, m->col1, m->is_stmt, end};
    return m->row_count < FM_DW_ROW_BATCH || report_rows(m);
}

/* Columns that do not fit are unknown. */
static uint32_t narrow_column(uint64_t value) { return value > UINT32_MAX ? 0 : (uint32_t)value; }

static bool define_file(struct line_machine *m, struct fm_byte_reader *operand)
{
    framemap_str name = fm_read_cstr(operand);

    m->file_known = false;
    if (operand->bad || m->lines->version >= 5) return true;
    return read_file_entry(m->lines, operand, name) || stop(m);
}

static bool run_extended(struct line_machine *m)
{
    uint64_t length = 0;

    m->at = fm_dw_uleb(m->at, m->end, &length);
    if (m->at == NULL || length == 0 || length > (uint64_t)(m->end - m->at)) return break_off(m);
    struct fm_byte_reader operand = {.data = m->at, .size = (size_t)length, .big_endian = m->lines->program.big_endian};
    m->at += length;
    switch (fm_read_u8(&operand)) {
    case DW_LNE_end_sequence:
        if (!emit(m, true)) return false;
        reset(m);
        return true;
    case DW_LNE_set_address:
        /* The size of the operand is what is left, whatever address size the header has. */
        m->op_index = 0;
        if (length - 1 > 8) return break_off(m);
        m->address = fm_read_uint(&operand, (unsigned)(length - 1)) & m->mask;
        return true;
    case DW_LNE_define_file: return define_file(m, &operand);
    default: return true; /* discriminators and vendor extensions */
    }
}

/* Reads a LEB128 operand. */
static inline bool operand(struct line_machine *m, uint64_t *out)
{
    m->at = fm_dw_uleb(m->at, m->end, out);
    return m->at != NULL || break_off(m);
}

static bool advance_line(struct line_machine *m)
{
    int64_t by = 0;

    m->at = fm_dw_sleb(m->at, m->end, &by);
    m->line1 = (uint32_t)(m->line1 + (uint64_t)by);
    return m->at != NULL || break_off(m);
}

static bool advance_fixed(struct line_machine *m)
{
    if (m->end - m->at < 2) return break_off(m);
    m->address = (m->address + fm_dw_fixed(m->at, 2, m->lines->program.big_endian)) & m->mask;
    m->op_index = 0;
    m->at += 2;
    return true;
}

static bool set_file(struct line_machine *m)
{
    const uint64_t before = m->file;

    if (!operand(m, &m->file)) return false;
    m->file_known = m->file_known && m->file == before;
    return true;
}

/* Skips an opcode whose header entry gives only its number of operands. */
static bool run_unknown(struct line_machine *m, uint8_t opcode)
{
    uint64_t any;

    for (uint8_t i = 0; i < m->lines->operand_counts[opcode]; i++) {
        if (!operand(m, &any)) return false;
    }
    return true;
}

static bool run_standard(struct line_machine *m, uint8_t opcode)
{
    const struct fm_dw_lines *lines = m->lines;
    uint64_t number = 0;

    switch (opcode) {
    case 0: return run_extended(m);
    case DW_LNS_copy: return emit(m, false);
    case DW_LNS_advance_pc:
        if (!operand(m, &number)) return false;
        advance(m, number);
        return true;
    case DW_LNS_advance_line: return advance_line(m);
    case DW_LNS_set_file: return set_file(m);
    case DW_LNS_set_column:
        if (!operand(m, &number)) return false;
        m->col1 = narrow_column(number);
        return true;
    case DW_LNS_negate_stmt: m->is_stmt = !m->is_stmt; return true;
    case DW_LNS_const_add_pc: advance(m, (255u - lines->opcode_base) / lines->line_range); return true;
    case DW_LNS_fixed_advance_pc: return advance_fixed(m);
    case DW_LNS_set_basic_block:
    case DW_LNS_set_prologue_end:
    case DW_LNS_set_epilogue_begin: return true;
    case DW_LNS_set_isa: return operand(m, &number);
    default: return run_unknown(m, opcode);
    }
}

/* Computes the table of special opcodes. Most programs of an image share it. */
static void fill_specials(struct fm_dw_lines *lines)
{
    const uint32_t key = (uint32_t)lines->line_range << 24 | (uint32_t)lines->opcode_base << 16 |
                         (uint32_t)lines->min_length << 8 | (uint8_t)lines->line_base;

    if (lines->specials_for == key) return; /* line_range is never 0 */
    for (unsigned opcode = lines->opcode_base; opcode < 256; opcode++) {
        const unsigned adjusted = opcode - lines->opcode_base;
        lines->specials[opcode].addresses = adjusted / lines->line_range * lines->min_length;
        lines->specials[opcode].lines = lines->line_base + (int32_t)(adjusted % lines->line_range);
    }
    lines->specials_for = key;
}

static bool run_special(struct line_machine *m, uint8_t opcode)
{
    const struct fm_dw_special *special = &m->specials[opcode];

    if (m->lines->max_ops > 1)
        advance(m, ((unsigned)opcode - m->lines->opcode_base) / m->lines->line_range);
    else
        m->address = (m->address + special->addresses) & m->mask;
    m->line1 += (uint32_t)special->lines;
    return emit(m, false);
}

static bool run_one(struct line_machine *m)
{
    const uint8_t opcode = *m->at++;
    return opcode >= m->lines->opcode_base ? run_special(m, opcode) : run_standard(m, opcode);
}

framemap_status fm_dw_lines_run(struct fm_dw_lines *lines,
                                bool (*rows)(void *context, const struct fm_dw_row *rows, size_t count), void *context,
                                framemap_error *error)
{
    struct line_machine m;

    if (lines->program.size == 0) return FRAMEMAP_OK;
    m.lines = lines;
    m.rows = rows;
    m.context = context;
    m.at = lines->program.data + lines->program.at;
    m.end = lines->program.data + lines->program.size;
    m.mask = lines->address_size == 8 ? UINT64_MAX : UINT32_MAX;
    m.file_number = FM_NONE;
    m.row_count = 0;
    m.broken = m.stopped = false;
    fill_specials(lines);
    m.specials = lines->specials;
    reset(&m);
    for (bool good = true; good && m.at < m.end;) good = run_one(&m);
    if (m.stopped || !report_rows(&m)) return fm_error_memory(error);
    if (m.broken)
        return header_fault(lines, error, "line program breaks off in an instruction; its rows so far are kept");
    return FRAMEMAP_OK;
}
