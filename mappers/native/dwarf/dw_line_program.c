/* The state machine of line number programs. See dw_line_program.h. */
#include "mappers/native/dwarf/dw_line_program.h"

#include "core/error.h"
#include "mappers/native/dwarf/dw_leb.h"

struct line_machine {
    struct fm_dw_lines *lines;
    bool (*rows)(void *context, const struct fm_dw_row *rows, size_t count);
    void *context;
    const unsigned char *at, *end;
    uint64_t address, mask;
    uint64_t file;        /* number of the file in the program */
    uint32_t file_number; /* number by which the visitor knows the file; valid if file_known is set */
    uint32_t line1, col1;
    uint32_t op_index;
    uint32_t row_count; /* rows not yet reported */
    bool file_known;
    bool is_stmt;
    bool broken;  /* the program ends within an instruction */
    bool stopped; /* the program was stopped by the visitor, or memory ran out */
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

/* Reports the rows that were collected so far. */
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

/* Converts a column to 32 bits; 0 (unknown) if it does not fit. */
static uint32_t narrow_column(uint64_t value) { return value > UINT32_MAX ? 0 : (uint32_t)value; }

static bool define_file(struct line_machine *m, struct fm_byte_reader *operand)
{
    framemap_str name = fm_read_cstr(operand);

    m->file_known = false;
    if (operand->bad || m->lines->version >= 5) return true;
    return fm_dw_lines_add_file(m->lines, operand, name) || stop(m);
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
        m->op_index = 0;
        /* the operand is an address: all that is left of the instruction, whatever address size the header states */
        if (length - 1 > 8) return break_off(m);
        m->address = fm_read_uint(&operand, (unsigned)(length - 1)) & m->mask;
        return true;
    case DW_LNE_define_file: return define_file(m, &operand);
    default: return true; /* ignores discriminators and vendor extensions */
    }
}

/* Reads the LEB128 operand of an instruction. */
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

/* Skips an opcode that is unknown except for the number of its operands, which the header states. */
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

/* Computes the table of special opcodes. Most programs of an image have the same table. */
static void fill_specials(struct fm_dw_lines *lines)
{
    const uint32_t key = (uint32_t)lines->line_range << 24 | (uint32_t)lines->opcode_base << 16 |
                         (uint32_t)lines->min_length << 8 | (uint8_t)lines->line_base;

    if (lines->specials_for == key) return; /* `key` is never 0, because line_range is not 0 */
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
        return fm_dw_lines_fault(lines, error, "line program breaks off in an instruction; its rows so far are kept");
    return FRAMEMAP_OK;
}
