/* Compares tables of packed rows with the same fields packed one by one. */
#include "index/write/table_writer.h"
#include "tests/index/support/oracle.h"
#include "tests/testing.h"

#define MOST_ROWS 200

struct table {
    uint64_t count, requested;
    uint64_t rows[MOST_ROWS][FMX_FIELDS];
};

static void table_row(void *context, uint64_t i, uint64_t fields[FMX_FIELDS])
{
    struct table *table = context;
    assert_true(i < table->count);
    assert_true(i == 0 || i == table->requested + 1); /* rows are requested in order */
    table->requested = i;
    memcpy(fields, table->rows[i], sizeof table->rows[i]);
}
FM_OUTPUT_ROWS(table)

/* Returns the width of a field: most have few bits, some none, some all. */
static unsigned any_width(struct oracle_random *random)
{
    static const unsigned widths[] = {0, 0, 1, 7, 12, 20, 30, 33, 55, 56, 57, 64};
    return widths[oracle_below(random, COUNT_OF(widths))];
}

static void fill(struct table *table, struct oracle_random *random)
{
    for (unsigned f = 0; f < FMX_FIELDS; f++) {
        const unsigned width = any_width(random);
        const uint64_t mask = width == 64 ? UINT64_MAX : (UINT64_C(1) << width) - 1;
        for (uint64_t i = 0; i < table->count; i++) table->rows[i][f] = oracle_below(random, UINT64_MAX) & mask;
    }
}

static void pack_plainly(const struct table *table, struct fm_bit_buffer *out, uint8_t widths[FMX_FIELDS])
{
    unsigned sum = 0;
    for (unsigned f = 0; f < FMX_FIELDS; f++) {
        for (uint64_t i = 0; i < table->count; i++)
            while (widths[f] < 64 && table->rows[i][f] >> widths[f] != 0) widths[f]++;
        sum += widths[f];
    }
    if (sum == 0) widths[0] = 1;
    for (uint64_t i = 0; i < table->count; i++)
        for (unsigned f = 0; f < FMX_FIELDS; f++) fm_bit_buffer_put(out, table->rows[i][f], widths[f]);
}

static void packed_as_one_by_one(void **state)
{
    (void)state;
    static const uint64_t counts[] = {
        1, 2, FM_ROWS_AT_ONCE - 1, FM_ROWS_AT_ONCE, FM_ROWS_AT_ONCE + 1, 3 * FM_ROWS_AT_ONCE + 5, MOST_ROWS};
    struct oracle_random random = {11};
    struct fm_heap heap;
    fm_heap_init(&heap, NULL, 0);
    for (unsigned test = 0; test < 700; test++) {
        static struct table table;
        struct fm_bit_buffer plain = {.heap = &heap};
        struct fm_output_section output = {.bits.heap = &heap};
        uint8_t widths[FMX_FIELDS] = {0};
        table.count = counts[test % COUNT_OF(counts)];
        fill(&table, &random);
        pack_plainly(&table, &plain, widths);
        assert_true(fm_output_section_write(&output, table.count, table_rows, &table));
        assert_int_equal(output.count, table.count);
        assert_memory_equal(output.widths, widths, sizeof widths);
        assert_int_equal(output.bits.bits, plain.bits);
        assert_memory_equal(output.bits.data, plain.data, (size_t)fm_bit_buffer_bytes(&plain));
        fm_bit_buffer_free(&output.bits);
        fm_bit_buffer_free(&plain);
    }
    assert_int_equal(atomic_load(&heap.used), 0);
}

/* Checks that nothing is written after the last row, where another section may begin. */
static void not_behind_the_rows(void **state)
{
    (void)state;
    struct oracle_random random = {12};
    for (unsigned test = 0; test < 300; test++) {
        static struct table table;
        static unsigned char bytes[MOST_ROWS * FMX_FIELDS * 8 + 16];
        struct fm_output_section output = {.bits.data = NULL};
        table.count = 1 + oracle_below(&random, MOST_ROWS);
        fill(&table, &random);
        fm_output_section_plan(&output, table.count, table_rows, &table);
        const size_t size = (size_t)fm_bit_buffer_bytes(&output.bits);
        memset(bytes, 0xa5, sizeof bytes);
        output.fill(output.context, &output, bytes);
        for (size_t i = size; i < sizeof bytes; i++) assert_int_equal(bytes[i], 0xa5);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(packed_as_one_by_one), cmocka_unit_test(not_behind_the_rows)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
