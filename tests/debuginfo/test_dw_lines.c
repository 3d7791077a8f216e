#include "mappers/debuginfo/dw_constants.h"
#include "mappers/debuginfo/dw_lines.h"
#include "tests/debuginfo/dw_bytes.h"

struct seen {
    char text[1024]; /* "address file:line:column" of each row, then its end mark */
    char paths[8][64];
    uint32_t path_count;
};

static bool on_file(void *context, uint32_t number, framemap_str path)
{
    struct seen *seen = context;
    assert_int_equal(number, seen->path_count);
    assert_true(number < COUNT_OF(seen->paths));
    snprintf(seen->paths[seen->path_count++], sizeof seen->paths[0], "%.*s", (int)path.size, path.data ? path.data : "");
    return true;
}

static void note_row(struct seen *seen, const struct fm_dw_row *row)
{
    char path[64] = "-", told[160];
    if (row->file != FM_NONE) snprintf(path, sizeof path, "%s", seen->paths[row->file]);
    snprintf(told, sizeof told, "%llx %s:%u:%u%s ", (unsigned long long)row->address, path, (unsigned)row->line1, (unsigned)row->col1,
             row->end_sequence ? " end" : "");
    assert_true(strlen(seen->text) + strlen(told) < sizeof seen->text);
    strcat(seen->text, told);
}

static bool on_rows(void *context, const struct fm_dw_row *rows, size_t count)
{
    for (size_t i = 0; i < count; i++) note_row(context, &rows[i]);
    return true;
}

/* A header of version 4 with folder "inc" and files "a.c" (unit's folder), "b.h" (inc), "/abs.c". */
static size_t put_header_4(struct bytes *to, unsigned line_range, unsigned opcode_base)
{
    const size_t from = reserve_length(to);
    put(to, 4, 2);
    const size_t header = reserve_length(to);
    PUT(to, 1, 1, 1, 0xfb, (uint16_t)line_range, (uint16_t)opcode_base);
    for (unsigned i = 1; i < opcode_base; i++) put(to, (const uint8_t[]){0, 0, 1, 1, 1, 1, 0, 0, 0, 1, 0, 0, 1}[i < 13 ? i : 1], 1);
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
    const struct fm_dw_unit_data unit = {.encoding = {.version = 4, .address_size = 8, .offset_size = 4}, .has_lines = true, .folder = FM_STR("/w")};
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
    PUT(&line, DW_LNS_copy);                                                      /* 1000 a.c:1 */
    PUT(&line, DW_LNS_advance_line, 9, DW_LNS_set_column, 7, 13 + 5 + 14 * 2);    /* +2 bytes, +9 lines */
    PUT(&line, DW_LNS_set_file, 2, DW_LNS_advance_pc, 3, DW_LNS_copy);            /* +3 */
    PUT(&line, DW_LNS_set_file, 3, DW_LNS_const_add_pc, DW_LNS_copy);             /* +17 */
    PUT(&line, DW_LNS_set_file, 9, DW_LNS_fixed_advance_pc, 1, 0, DW_LNS_copy);   /* no such file */
    PUT(&line, DW_LNS_advance_line, 0x76, DW_LNS_negate_stmt, DW_LNS_set_isa, 1, DW_LNS_copy); /* line 0 */
    PUT(&line, 0, 2, DW_LNE_set_discriminator, 1, 0, 1, DW_LNE_end_sequence);
    settle_length(&line, from);
    assert_int_equal(run(&line, &seen, &error), FRAMEMAP_OK);
    assert_string_equal(seen.text, "1000 /w/a.c:1:0 1002 /w/a.c:10:7 1005 /w/inc/b.h:10:7 1016 /abs.c:10:7 1017 -:10:7 1017 -:0:7 "
                                   "1017 -:0:7 end ");
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
    PUT(&line, 1 + 5 + 14 * 1, 0, 1, DW_LNE_end_sequence); /* opcode base 1: all opcodes are special */
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
        /* The same with a length that fits what is left: rows so far, or a fault, and never more. */
        if (cut < 4) continue;
        settle_length(&line, from);
        const framemap_status status = run(&line, &seen, &error);
        assert_true(status == FRAMEMAP_OK || status == FRAMEMAP_E_CORRUPT);
        line.size = whole;
        settle_length(&line, from);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_program_of_version_4),
        cmocka_unit_test(a_program_of_version_5),
        cmocka_unit_test(headers_that_are_refused),
        cmocka_unit_test(every_prefix_of_a_program),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
