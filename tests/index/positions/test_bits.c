/* Tests of fields that start at any bit. */
#include "index/format/bits.h"
#include "tests/testing.h"

static void fields_of_every_width_at_every_bit(void **state)
{
    (void)state;
    unsigned char bytes[40];
    for (unsigned width = 0; width <= 64; width++)
        for (unsigned bit = 0; bit < 80; bit++) {
            const uint64_t value = UINT64_C(0xA5C3F1E2D4B69788) & fm_bits_mask(width);
            memset(bytes, 0xFF, sizeof bytes);
            for (unsigned i = 0; i < width; i++)
                if ((value >> i & 1) == 0) bytes[(bit + i) / 8] &= (unsigned char)~(1u << (bit + i) % 8);
            assert_true(fm_bits_get_wide(bytes, bit, width) == value);
            if (width <= 57) assert_true(fm_bits_get(bytes, bit, width) == value);
        }
    for (int64_t v = -1000; v <= 1000; v++) assert_true(fm_unzigzag(fm_zigzag(v)) == v && fm_zigzag(v) <= 2000);
    assert_true(fm_unzigzag(fm_zigzag(INT64_MIN)) == INT64_MIN && fm_unzigzag(fm_zigzag(INT64_MAX)) == INT64_MAX);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(fields_of_every_width_at_every_bit),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
