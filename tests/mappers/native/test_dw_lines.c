/* Tests of mappers/native/dwarf/dw_lines.h. */
#include "mappers/native/dwarf/dw_constants.h"
#include "mappers/native/dwarf/dw_line_program.h"
#include "tests/mappers/native/dw_bytes.h"

struct seen {
    char text[1024]; /* "address file:line:column" of each row, followed by a mark if the row ends a sequence */
    char paths[8][64];
    uint32_t path_count;
};

static bool on_file(void *context, uint32_t number, framemap_str path)
{
    struct seen *seen = context;
    assert_int_equal(number, seen->path_count);
    assert_true(number < COUNT_OF(seen->paths));
    snprintf(seen->paths[seen->path_count++], sizeof seen->paths[0], "%.*s", (int)path.size,
             path.data ? path.data : "");
    return true;
}

static void note_row(struct seen *seen, const struct fm_dw_row *row)
{
    char path[64] = "-", reported[160];
    if (row->file != FM_NONE) snprintf(path, sizeof path, "%s", seen->paths[row->file]);
    snprintf(reported, sizeof reported, "%llx %s:%u:%u%s ", (unsigned long long)row->address, path,
             (unsigned)row->line1, (unsigned)row->col1, row->end_sequence ? " end" : "");
    assert_true(strlen(seen->text) + strlen(reported) < sizeof seen->text);
    strcat(seen->text, reported);
}

static bool on_rows(void *context, const struct fm_dw_row *rows, size_t count)
{
    for (size_t i = 0; i < count; i++) note_row(context, &rows[i]);
    return true;
}

/* Puts a header of version 4 with folder "inc" and files "a.c" (in the unit's folder), "b.h" (in inc) and "/abs.c". */
static size_t put_header_4(struct bytes *to, unsigned line_range, unsigned opcode_base)
{
    const size_t from = reserve_length(to);
    put(to, 4, 2);
    const size_t header = reserve_length(to);
    PUT(to, 1, 1, 1, 0xfb, (uint16_t)line_range, (uint16_t)opcode_base);
    for (unsigned i = 1; i < opcode_base; i++)
        put(to, (const uint8_t[]){0, 0, 1, 1, 1, 1, 0, 0, 0, 1, 0, 0, 1}[i < 13 ? i : 1], 1);
    put_text(to, "inc");
    put(to, 0, 1);
    put_text(to, "a.c");
    PUT(to, 0, 0, 0);
    put_text(to, "b.h");
    PUT(to, 1, 0, 0);
    put_text(to, "/abs.c");
    PUT(to, 1, 0, 0);
    put(to, 0, 1);
    settle_length(to, header);
    return from;
}

static void put_address(struct bytes *to, uint64_t address)
{
    PUT(to, 0, 9, DW_LNE_set_address);
    put(to, address, 8);
}

static framemap_status run(const struct bytes *line, struct seen *seen, framemap_error *error)
{
    struct fm_heap heap;
    struct fm_dw_lines lines;
    struct fm_dw_sections sections = {.line = view_of(line), .line_str = {"/src\0dir\0c.c", 13}};
    const struct fm_dw_unit_data unit = {
        .encoding = {.version = 4, .address_size = 8, .offset_size = 4}, .has_lines = true, .folder = FM_STR("/w")};
    const struct fm_dw_visitor visitor = {.context = seen, .file = on_file};
    *seen = (struct seen){.path_count = 0};
    fm_heap_init(&heap, NULL, 0);
    fm_dw_lines_init(&lines, &heap, &sections, &visitor);
    framemap_status status = fm_dw_lines_open(&lines, &unit, error);
    if (status == FRAMEMAP_OK) status = fm_dw_lines_run(&lines, on_rows, seen, error);
    fm_dw_lines_free(&lines);
    assert_int_equal(heap.used, 0);
    return status;
}

static void a_program_of_version_4(void **state)
{
    (void)state;
    struct bytes line = {.size = 0};
    struct seen seen;
    framemap_error error = {0};
    const size_t from = put_header_4(&line, 14, 13);
    put_address(&line, 0x1000);
    PUT(&line, DW_LNS_copy); /* row 1000 a.c:1 */
    /* The special opcode at the end advances by 2 bytes, after the line was advanced by 9. */
    PUT(&line, DW_LNS_advance_line, 9, DW_LNS_set_column, 7, 13 + 5 + 14 * 2);
    PUT(&line, DW_LNS_set_file, 2, DW_LNS_advance_pc, 3, DW_LNS_copy); /* advances by 3 bytes */
    /* DW_LNS_const_add_pc advances by 17 bytes */
    PUT(&line, DW_LNS_set_file, 3, DW_LNS_const_add_pc, DW_LNS_copy);
    PUT(&line, DW_LNS_set_file, 9, DW_LNS_fixed_advance_pc, 1, 0, DW_LNS_copy); /* file 9 does not exist */
    /* subtracts 10 from the line, which is 0 then */
    PUT(&line, DW_LNS_advance_line, 0x76, DW_LNS_negate_stmt, DW_LNS_set_isa, 1, DW_LNS_copy);
    PUT(&line, 0, 2, DW_LNE_set_discriminator, 1, 0, 1, DW_LNE_end_sequence);
    settle_length(&line, from);
    assert_int_equal(run(&line, &seen, &error), FRAMEMAP_OK);
    assert_string_equal(seen.text,
                        "1000 /w/a.c:1:0 1002 /w/a.c:10:7 1005 /w/inc/b.h:10:7 1016 /abs.c:10:7 1017 -:10:7 1017 -:0:7 "
                        "1017 -:0:7 end ");
}

/* Checks that a folder is joined to the folder of the unit unless it is absolute. As in LLVM, a path counts as absolute
 * if it has a scheme, or if it is absolute on any system. */
static void folders_that_are_absolute(void **state)
{
    (void)state;
    static const struct {
        const char *why, *folder, *path;
    } rows[] = {
        {"a relative folder", "inc", "/w/inc/a.c"},
        {"of Unix", "/inc", "/inc/a.c"},
        {"of Windows", "C:\\inc", "C:\\inc/a.c"},
        {"of Windows, with slashes", "C:/inc", "C:/inc/a.c"},
        {"of a network", "\\\\host\\inc", "\\\\host\\inc/a.c"},
        {"with a scheme, as -ffile-prefix-map writes it", "sdk://v30.0/inc", "sdk://v30.0/inc/a.c"},
        {"a drive without a root", "C:inc", "/w/C:inc/a.c"},
        {"a colon in a later part", "a/b:/inc", "/w/a/b:/inc/a.c"},
    };
    for (size_t i = 0; i < COUNT_OF(rows); i++) {
        struct bytes line = {.size = 0};
        struct seen seen;
        framemap_error error = {0};
        const size_t from = reserve_length(&line);
        put(&line, 4, 2);
        const size_t header = reserve_length(&line);
        PUT(&line, 1, 1, 1, 0xfb, 14, 1);
        put_text(&line, rows[i].folder);
        put(&line, 0, 1);
        put_text(&line, "a.c");
        PUT(&line, 1, 0, 0, 0);
        settle_length(&line, header);
        put_address(&line, 0x1000);
        PUT(&line, 1, 0, 1, DW_LNE_end_sequence);
        settle_length(&line, from);
        assert_int_equal(run(&line, &seen, &error), FRAMEMAP_OK);
        if (seen.path_count != 1 || strcmp(seen.paths[0], rows[i].path) != 0)
            fail_msg("%s: %s, not %s", rows[i].why, seen.paths[0], rows[i].path);
    }
}

static void a_program_of_version_5(void **state)
{
    (void)state;
    struct bytes line = {.size = 0};
    struct seen seen;
    framemap_error error = {0};
    const size_t from = reserve_length(&line);
    put(&line, 5, 2);
    PUT(&line, 8, 0);
    const size_t header = reserve_length(&line);
    PUT(&line, 1, 1, 1, 0xfb, 14, 1);
    PUT(&line, 1, DW_LNCT_path, DW_FORM_line_strp, 2);
    put(&line, 0, 4);
    put(&line, 5, 4);
    PUT(&line, 2, DW_LNCT_path, DW_FORM_line_strp, DW_LNCT_directory_index, DW_FORM_udata, 2);
    put(&line, 9, 4);
    PUT(&line, 0);
    put(&line, 9, 4);
    PUT(&line, 1);
    settle_length(&line, header);
    put_address(&line, 0x1000);
    PUT(&line, 1 + 5 + 14 * 1, 0, 1, DW_LNE_end_sequence); /* with opcode base 1, there are only special opcodes */
    settle_length(&line, from);
    assert_int_equal(run(&line, &seen, &error), FRAMEMAP_OK);
    assert_string_equal(seen.text, "1001 /w/dir/c.c:1:0 1001 /w/dir/c.c:1:0 end ");
}

static void headers_that_are_refused(void **state)
{
    (void)state;
    static const struct {
        const char *name, *message;
        unsigned line_range, opcode_base, version;
    } rows[] = {
        {"a line range of zero divides", "line program with a line range of zero", 0, 13, 4},
        {"opcodes count from 1", "line program with an opcode base of zero", 14, 0, 4},
        {"version 1", "line program of a version that is not 2 to 5", 14, 13, 1},
        {"version 6", "line program of a version that is not 2 to 5", 14, 13, 6},
    };
    for (size_t i = 0; i < COUNT_OF(rows); i++) {
        struct bytes line = {.size = 0};
        struct seen seen;
        framemap_error error = {0};
        const size_t from = put_header_4(&line, rows[i].line_range, rows[i].opcode_base);
        line.data[from] = (unsigned char)rows[i].version;
        settle_length(&line, from);
        assert_int_equal(run(&line, &seen, &error), FRAMEMAP_E_CORRUPT);
        assert_string_equal(error.where, ".debug_line");
        if (strcmp(error.message, rows[i].message) != 0) fail_msg("%s: %s", rows[i].name, error.message);
    }
}

static void every_prefix_of_a_program(void **state)
{
    (void)state;
    struct bytes line = {.size = 0};
    struct seen seen;
    const size_t from = put_header_4(&line, 14, 13);
    put_address(&line, 0x1000);
    PUT(&line, DW_LNS_copy, 0, 1, DW_LNE_end_sequence);
    settle_length(&line, from);
    const size_t whole = line.size;
    for (size_t cut = 0; cut < whole; cut++) {
        framemap_error error = {0};
        line.size = cut;
        assert_int_equal(run(&line, &seen, &error), FRAMEMAP_E_CORRUPT);
        /* A program that is cut short, with its length corrected, gives some rows or a fault. */
        if (cut < 4) continue;
        settle_length(&line, from);
        const framemap_status status = run(&line, &seen, &error);
        assert_true(status == FRAMEMAP_OK || status == FRAMEMAP_E_CORRUPT);
        line.size = whole;
        settle_length(&line, from);
    }
}

/* --- testing random programs, compared with a literal implementation of the standard's state machine (DWARF 5 section
 * 6.2.2) --- */

#define RANDOM_ROWS 4000
#define RANDOM_BYTES 3000

struct collected {
    struct fm_dw_row rows[RANDOM_ROWS];
    size_t count;
    uint32_t files; /* number of files that the reader has reported */
};

static bool collect_file(void *context, uint32_t number, framemap_str path)
{
    struct collected *to = context;
    (void)path;
    assert_int_equal(number, to->files++);
    return true;
}

static bool collect_rows(void *context, const struct fm_dw_row *rows, size_t count)
{
    struct collected *to = context;
    for (size_t i = 0; i < count && to->count < RANDOM_ROWS; i++) to->rows[to->count++] = rows[i];
    return true;
}

/* The state machine, implemented literally by the standard. */
struct plain {
    unsigned min_length, max_ops, opcode_base, file_count;
    uint64_t address, file, op_index;
    uint32_t line, column;
    bool is_stmt;
    uint32_t announced[64]; /* for each file, the number under which it was reported, plus 1; 0: not reported yet */
    struct collected reported;
};

static void plain_reset(struct plain *m)
{
    m->address = m->op_index = 0;
    m->file = m->line = 1;
    m->column = 0;
    m->is_stmt = true;
}

static void plain_row(struct plain *m, bool end)
{
    uint32_t file = FM_NONE;
    if (m->file >= 1 && m->file <= m->file_count) {
        if (m->announced[m->file] == 0) m->announced[m->file] = ++m->reported.files;
        file = m->announced[m->file] - 1;
    }
    if (m->reported.count < RANDOM_ROWS)
        m->reported.rows[m->reported.count++] =
            (struct fm_dw_row){m->address, file, m->line, m->column, m->is_stmt, end};
}

static void plain_advance(struct plain *m, uint64_t by)
{
    m->address += m->min_length * ((m->op_index + by) / m->max_ops);
    m->op_index = (m->op_index + by) % m->max_ops;
}

/* Executes DW_LNE_define_file. Damaged programs may have this instruction by chance, in the bytes of an operand. */
static void plain_define_file(struct plain *m, struct fm_byte_reader operand)
{
    fm_read_cstr(&operand);
    for (int i = 0; i < 3; i++) fm_read_uleb(&operand);
    if (operand.bad) return;
    m->file_count++;
    assert_true(m->file_count < COUNT_OF(m->announced));
}

static void plain_extended(struct plain *m, struct fm_byte_reader *r)
{
    const uint64_t length = fm_read_uleb(r);
    if (r->bad || length == 0 || length > fm_byte_reader_left(r)) {
        r->bad = true;
        return;
    }
    const size_t after = r->at + (size_t)length;
    const uint8_t code = fm_read_u8(r);
    if (code == DW_LNE_end_sequence) plain_row(m, true), plain_reset(m);
    if (code == DW_LNE_set_address && length > 9) r->bad = true;
    if (code == DW_LNE_set_address && length <= 9) m->address = fm_read_uint(r, (unsigned)length - 1), m->op_index = 0;
    if (code == DW_LNE_define_file) plain_define_file(m, fm_byte_reader_sub(r, r->at, length - 1));
    if (!r->bad) r->at = after;
}

static void plain_step(struct plain *m, struct fm_byte_reader *r)
{
    static const uint8_t operands[] = {0, 0, 1, 1, 1, 1, 0, 0, 0, 1, 0, 0, 1};
    const uint8_t opcode = fm_read_u8(r);
    uint64_t number;
    if (opcode >= m->opcode_base) {
        plain_advance(m, (opcode - m->opcode_base) / 14);
        m->line += (uint32_t)(-5 + (int)(opcode - m->opcode_base) % 14);
        plain_row(m, false);
        return;
    }
    switch (opcode) {
    case 0: plain_extended(m, r); break;
    case DW_LNS_copy: plain_row(m, false); break;
    case DW_LNS_advance_pc:
        number = fm_read_uleb(r);
        if (!r->bad) plain_advance(m, number);
        break;
    case DW_LNS_advance_line: m->line += (uint32_t)fm_read_sleb(r); break;
    case DW_LNS_set_file: m->file = fm_read_uleb(r); break;
    case DW_LNS_set_column:
        number = fm_read_uleb(r);
        m->column = number > UINT32_MAX ? 0 : (uint32_t)number;
        break;
    case DW_LNS_negate_stmt: m->is_stmt = !m->is_stmt; break;
    case DW_LNS_const_add_pc: plain_advance(m, (255 - m->opcode_base) / 14); break;
    case DW_LNS_fixed_advance_pc: m->address += fm_read_u16(r), m->op_index = 0; break;
    default:
        for (unsigned i = 0; i < operands[opcode]; i++) fm_read_uleb(r);
        break;
    }
}

static uint32_t next_random(uint64_t *seed)
{
    *seed = *seed * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
    return (uint32_t)(*seed >> 33);
}

/* Makes a program that mixes instructions as compilers do, with some that are damaged or unusual. */
static size_t random_program(uint64_t *seed, unsigned char *out, size_t most)
{
    size_t size = 0;
    while (size + 16 < most) {
        switch (next_random(seed) % 34) {
        case 0: out[size++] = DW_LNS_copy; break;
        case 1: out[size++] = DW_LNS_negate_stmt; break;
        case 2: out[size++] = DW_LNS_const_add_pc; break;
        case 3:
        case 4: out[size++] = DW_LNS_set_column, out[size++] = (unsigned char)(next_random(seed) % 0x80); break;
        case 5: out[size++] = DW_LNS_set_column, out[size++] = 0x80 | 5, out[size++] = 3; break;
        case 6:
        case 7: out[size++] = DW_LNS_advance_line, out[size++] = (unsigned char)(next_random(seed) % 0x80); break;
        case 8: out[size++] = DW_LNS_advance_line, out[size++] = 0x81, out[size++] = 0x7f; break;
        case 9: out[size++] = DW_LNS_advance_pc, out[size++] = (unsigned char)(next_random(seed) % 0x80); break;
        case 10:
        case 11: out[size++] = DW_LNS_set_file, out[size++] = (unsigned char)(next_random(seed) % 6); break;
        case 12: out[size++] = 0, out[size++] = 2, out[size++] = DW_LNE_set_discriminator, out[size++] = 1; break;
        case 13:
            out[size++] = 0, out[size++] = 9, out[size++] = DW_LNE_set_address;
            for (int i = 0; i < 8; i++) out[size++] = (unsigned char)(i < 3 ? next_random(seed) : 0);
            break;
        case 14:
            if (next_random(seed) % 8 == 0) out[size++] = 0, out[size++] = 1, out[size++] = DW_LNE_end_sequence;
            break;
        case 15:
            if (next_random(seed) % 50 == 0) out[size++] = (unsigned char)next_random(seed);
            break;
        case 16:
            out[size++] = DW_LNS_set_file, out[size++] = (unsigned char)(0x80 | next_random(seed) % 6),
            out[size++] = next_random(seed) % 4 == 0;
            break;
        case 17:
            out[size++] = DW_LNS_advance_line, out[size++] = (unsigned char)(0x80 | next_random(seed));
            out[size++] = (unsigned char)(next_random(seed) % 0x88);
            if (out[size - 1] >= 0x80) out[size++] = (unsigned char)(next_random(seed) % 0x80);
            break;
        case 18:
            out[size++] = (unsigned char[]){DW_LNS_set_basic_block, DW_LNS_set_prologue_end,
                                            DW_LNS_set_epilogue_begin}[next_random(seed) % 3];
            break;
        case 19: out[size++] = DW_LNS_set_column, out[size++] = 5, out[size++] = DW_LNS_negate_stmt; break;
        default: out[size++] = (unsigned char)(20 + next_random(seed) % 236); break;
        }
    }
    return size;
}

static bool same_row(const struct fm_dw_row *a, const struct fm_dw_row *b)
{
    return a->address == b->address && a->file == b->file && a->line1 == b->line1 && a->col1 == b->col1 &&
           a->is_stmt == b->is_stmt && a->end_sequence == b->end_sequence;
}

static void random_programs(void **state)
{
    (void)state;
    static struct collected reported;
    static struct plain plain;
    static unsigned char program[RANDOM_BYTES];
    static struct fm_dw_lines lines;
    for (unsigned round = 0; round < 400; round++) {
        uint64_t seed = round;
        framemap_error error = {0};
        struct bytes line = {.size = 0};
        struct fm_heap heap;
        memset(&plain, 0, sizeof plain);
        memset(&reported, 0, sizeof reported);
        plain.min_length = round % 3 == 0 ? 4 : 1;
        plain.max_ops = round % 5 == 0 ? 3 : 1;
        plain.opcode_base = (const unsigned[]){5, 2, 6, 13, 13, 13, 13}[round % 7];
        plain.file_count = 3;
        plain_reset(&plain);
        const size_t from = put_header_4(&line, 14, plain.opcode_base);
        line.data[from + 6] = (unsigned char)plain.min_length;
        line.data[from + 7] = (unsigned char)plain.max_ops;
        /* The end of a short program may be inside of any instruction. */
        const size_t size =
            random_program(&seed, program, round % 2 ? RANDOM_BYTES : 16 + round % 60) - (round % 4 == 2 ? 1 : 0);
        assert_true(line.size + size <= sizeof line.data);
        memcpy(line.data + line.size, program, size);
        line.size += size;
        settle_length(&line, from);
        struct fm_byte_reader r = fm_byte_reader_of(fm_str(program, size), false);
        while (!r.bad && r.at < r.size) plain_step(&plain, &r);

        char *copy = malloc(line.size); /* a copy, so that a sanitizer detects reads past its end */
        assert_non_null(copy);
        memcpy(copy, line.data, line.size);
        const struct fm_dw_sections sections = {.line = {copy, line.size}};
        const struct fm_dw_unit_data unit = {.encoding = {.version = 4, .address_size = 8, .offset_size = 4},
                                             .has_lines = true};
        const struct fm_dw_visitor visitor = {.context = &reported, .file = collect_file};
        fm_heap_init(&heap, NULL, 0);
        fm_dw_lines_init(&lines, &heap, &sections, &visitor);
        assert_int_equal(fm_dw_lines_open(&lines, &unit, &error), FRAMEMAP_OK);
        const framemap_status status = fm_dw_lines_run(&lines, collect_rows, &reported, &error);
        fm_dw_lines_free(&lines);
        free(copy);
        if (status != (r.bad ? FRAMEMAP_E_CORRUPT : FRAMEMAP_OK)) fail_msg("program %u: status %d", round, (int)status);
        for (size_t i = 0; i < reported.count && i < plain.reported.count; i++) {
            if (!same_row(&reported.rows[i], &plain.reported.rows[i]))
                fail_msg("program %u: row %zu differs", round, i);
        }
        if (reported.count != plain.reported.count)
            fail_msg("program %u: %zu rows, not %zu", round, reported.count, plain.reported.count);
        if (size > 2000 && plain.opcode_base == 13 && !r.bad) assert_true(reported.count > 500);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_program_of_version_4),    cmocka_unit_test(folders_that_are_absolute),
        cmocka_unit_test(a_program_of_version_5),    cmocka_unit_test(headers_that_are_refused),
        cmocka_unit_test(every_prefix_of_a_program), cmocka_unit_test(random_programs),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
