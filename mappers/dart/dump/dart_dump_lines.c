/* Prints line number programs as the Dart package reads them: DWARF 2 and a few opcodes of DWARF 3. */
#include "mappers/dart/dump/dart_dump_lines.h"

#include "core/byte_reader.h"

#include <inttypes.h>
#include <stdio.h>

struct dart_line_program {
    struct fm_dart_dump *dump;
    struct fm_byte_reader r; /* the program including its header */
    uint32_t size;
    unsigned min_length, line_range, opcode_base;
    int line_base;
    bool default_statement;
};

struct dart_line_row {
    uint64_t address, file, line, column, isa;
    bool statement, block, end, prologue_end, epilogue_begin;
};

static bool lines_fail_truncated(struct dart_line_program *program)
{
    return fm_dart_dump_fault(program->dump, FRAMEMAP_E_TRUNCATED, "a line number program is cut short");
}
static bool lines_fail_corrupt(struct dart_line_program *program, const char *what)
{
    return fm_dart_dump_fault(program->dump, FRAMEMAP_E_CORRUPT, what);
}

/* --- printing the files of a line program --- */

struct dart_line_file {
    framemap_str name;
    uint64_t folder, time, size;
};

/* Reads the next file of a table. Returns false at the end of the table. */
static bool next_file(struct fm_byte_reader *r, struct dart_line_file *out)
{
    if (r->bad || r->at == r->size) return false;
    out->name = fm_read_cstr(r);
    if (r->bad || out->name.size == 0) return false;
    out->folder = fm_read_uleb(r), out->time = fm_read_uleb(r), out->size = fm_read_uleb(r);
    return !r->bad;
}

static void widen(int *width, uint64_t value)
{
    const int size = snprintf(NULL, 0, "%" PRId64, (int64_t)value);
    if (size > *width) *width = size;
}

static bool dump_files(struct dart_line_program *program)
{
    struct fm_dart_dump *dump = program->dump;
    struct fm_byte_reader r = program->r;
    int number = 5, folder = 3, time = 4, size = 4; /* widths of the headings "Entry", "Dir", "Time", "Size" */
    uint64_t count = 0;
    struct dart_line_file file;
    while (next_file(&r, &file))
        widen(&number, ++count), widen(&folder, file.folder), widen(&time, file.time), widen(&size, file.size);
    if (count == 0)
        fm_buf_str(&dump->out, FM_STR("No file information.\n"));
    else
        fm_buf_printf(&dump->out, "File information:\n %-*s %-*s %-*s %-*s Name\n", number, "Entry", folder, "Dir",
                      time, "Time", size, "Size");
    for (uint64_t i = 1; next_file(&program->r, &file); i++) {
        fm_buf_printf(&dump->out, " %-*" PRIu64 " %-*" PRId64 " %-*" PRId64 " %-*" PRId64 " ", number, i, folder,
                      (int64_t)file.folder, time, (int64_t)file.time, size, (int64_t)file.size);
        fm_dart_dump_latin(dump, file.name);
        fm_buf_byte(&dump->out, '\n');
        if (!fm_dart_dump_more(dump)) return false;
    }
    return true;
}

static bool dump_folders(struct dart_line_program *program)
{
    struct fm_dart_dump *dump = program->dump;
    struct fm_byte_reader *r = &program->r;
    framemap_str name = fm_read_cstr(r);
    fm_buf_str(&dump->out, name.size ? FM_STR("Include directories:\n") : FM_STR("No include directories.\n"));
    for (; name.size; name = fm_read_cstr(r)) {
        fm_buf_str(&dump->out, FM_STR("    "));
        fm_dart_dump_latin(dump, name);
        fm_buf_byte(&dump->out, '\n');
        if (!fm_dart_dump_more(dump)) return false;
    }
    return !r->bad || lines_fail_truncated(program);
}

/* --- printing the header of a line program --- */

static void dump_lengths(struct dart_line_program *program)
{
    struct fm_buf *out = &program->dump->out;
    fm_buf_str(out, FM_STR("Standard opcode lengths:\n"));
    for (unsigned i = 1; i < program->opcode_base; i++)
        fm_buf_printf(out, "    Opcode %u: %" PRId64 "\n", i, (int64_t)fm_read_uleb(&program->r));
}

static bool dump_header(struct dart_line_program *program)
{
    struct fm_byte_reader *r = &program->r;
    const unsigned version = fm_read_u16(r);
    const uint32_t length = fm_read_u32(r);
    const size_t begin = r->at;
    program->min_length = fm_read_u8(r);
    if (version == 4)
        /* the header has the number of operations per instruction, which the Dart package does not support: it stops
         * here */
        fm_read_u8(r);
    const unsigned statement = fm_read_u8(r);
    program->default_statement = statement == 1;
    program->line_base = (int8_t)fm_read_u8(r);
    program->line_range = fm_read_u8(r), program->opcode_base = fm_read_u8(r);
    if (r->bad) return lines_fail_truncated(program);
    if (version >= 5)
        return fm_dart_dump_fault(program->dump, FRAMEMAP_E_VERSION,
                                  "the line numbers are DWARF 5 or later, but Dart's compiler writes DWARF 2");
    if (statement > 1)
        return lines_fail_corrupt(
            program, "the line number program is of a version of DWARF that Dart's compiler does not write");
    fm_buf_printf(
        &program->dump->out,
        "  Size: %u\n  Version: %u\n  Header length: %u\n  Min instruction length: %u\n  Default value of is_stmt: %s\n"
        "  Line base: %d\n  Line range: %u\n  Opcode base: %u\n",
        (unsigned)program->size, version, (unsigned)length, program->min_length, statement ? "true" : "false",
        program->line_base, program->line_range, program->opcode_base);
    dump_lengths(program);
    if (!dump_folders(program) || !dump_files(program)) return false;
    if (r->bad) return lines_fail_truncated(program);
    return r->at == begin + length ||
           lines_fail_corrupt(program, "the header of a line number program does not have the length that it states");
}

/* --- printing the rows of a line program --- */

static void reset(const struct dart_line_program *program, struct dart_line_row *row)
{
    *row = (struct dart_line_row){.file = 1, .line = 1, .statement = program->default_statement};
}

static bool put_line_row(struct dart_line_program *program, struct dart_line_row *row)
{
    struct fm_dart_dump *dump = program->dump;
    fm_buf_str(&dump->out, FM_STR("Current line number state machine registers:\n"));
    fm_dart_dump_hex_line(dump, "  Address: ", row->address, 0);
    fm_buf_printf(&dump->out,
                  "  Op index: 0\n  File index: %" PRId64 "\n  Line number: %" PRId64 "\n  Column number: %" PRId64
                  "\n  Is %sa statement.\n"
                  "  Is %sat the beginning of a basic block.\n  Is %sjust after the end of a sequence.\n  Is %sat a "
                  "function entry breakpoint.\n"
                  "  Is %sat a function exit breakpoint.\n  Applicable instruction set architecture: %" PRId64 "\n"
                  /* the spelling "discrimator" is not a mistake of ours: the Dart package prints it */
                  "  Block discrimator: 0\n\n",
                  (int64_t)row->file, (int64_t)row->line, (int64_t)row->column, row->statement ? "" : "not ",
                  row->block ? "" : "not ", row->end ? "" : "not ", row->prologue_end ? "" : "not ",
                  row->epilogue_begin ? "" : "not ", (int64_t)row->isa);
    row->block = row->prologue_end = row->epilogue_begin = false;
    return fm_dart_dump_more(dump);
}

static bool run_special(struct dart_line_program *program, struct dart_line_row *row, unsigned opcode)
{
    const unsigned adjusted = opcode - program->opcode_base;
    if (program->line_range == 0) return lines_fail_corrupt(program, "a line number program with a line range of 0");
    row->address += (uint64_t)(adjusted / program->line_range) * program->min_length;
    row->line += (uint64_t)((int64_t)program->line_base + (int64_t)(adjusted % program->line_range));
    return put_line_row(program, row);
}

static bool run_extended(struct dart_line_program *program, struct dart_line_row *row)
{
    struct fm_byte_reader *r = &program->r;
    const unsigned size = fm_read_u8(r), opcode = fm_read_u8(r);
    if (r->bad) return lines_fail_truncated(program);
    if (opcode == 1) {
        row->end = true;
        if (!put_line_row(program, row)) return false;
        reset(program, row);
        return true;
    }
    if (opcode != 2 || size < 2 || size > 9)
        return lines_fail_corrupt(program, "a line number program has an opcode that Dart's compiler does not write");
    row->address = fm_read_uint(r, size - 1);
    return true;
}

static bool run_standard(struct dart_line_program *program, struct dart_line_row *row, unsigned opcode)
{
    struct fm_byte_reader *r = &program->r;
    switch (opcode) {
    case 0: return run_extended(program, row);
    case 1: return put_line_row(program, row);
    case 2: row->address += program->min_length * fm_read_uleb(r); return true;
    case 3: row->line += (uint64_t)fm_read_sleb(r); return true;
    case 4: row->file = fm_read_uleb(r); return true;
    case 5: row->column = fm_read_uleb(r); return true;
    case 6: row->statement = !row->statement; return true;
    case 7: row->block = true; return true;
    case 8:
        if (program->line_range == 0)
            return lines_fail_corrupt(program, "a line number program with a line range of 0");
        row->address += (uint64_t)((255 - program->opcode_base) / program->line_range) * program->min_length;
        return true;
    case 9: row->address += fm_read_u16(r); return true;
    case 10: row->prologue_end = true; return true;
    case 11: row->epilogue_begin = true; return true;
    case 12: row->isa = fm_read_uleb(r); return true;
    default:
        return lines_fail_corrupt(program, "a line number program has an opcode that Dart's compiler does not write");
    }
}

static bool dump_program(struct dart_line_program *program)
{
    struct fm_byte_reader *r = &program->r;
    struct dart_line_row row;
    if (!dump_header(program)) return false;
    fm_buf_str(&program->dump->out, FM_STR("Results of line number program:\n"));
    reset(program, &row);
    while (!r->bad && r->at < r->size) {
        const unsigned opcode = fm_read_u8(r);
        if (!(opcode >= program->opcode_base ? run_special(program, &row, opcode)
                                             : run_standard(program, &row, opcode)))
            return false;
    }
    return !r->bad || lines_fail_truncated(program);
}

bool fm_dart_dump_lines(struct fm_dart_dump *dump, framemap_str section, bool big_endian)
{
    struct fm_byte_reader r = fm_byte_reader_of(section, big_endian);
    while (r.at < r.size) {
        struct dart_line_program program = {.dump = dump};
        const size_t at = r.at;
        program.size = fm_read_u32(&r);
        if (r.bad) return lines_fail_truncated(&program);
        if (program.size == 0) break;
        if (program.size > 0xfffffff0u)
            return lines_fail_corrupt(&program, "64-bit DWARF, which Dart's compiler does not write");
        program.r = fm_byte_reader_sub(&r, r.at, program.size);
        if (program.r.bad) return lines_fail_truncated(&program);
        fm_dart_dump_hex_line(dump, "Line number program @ 0x", at, 0);
        if (!dump_program(&program)) return false;
        fm_byte_reader_skip(&r, program.size);
    }
    return true;
}
