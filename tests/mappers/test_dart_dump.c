/* Dart's dump as a call: files that are cut or damaged, memory that runs out, writers that refuse. What it prints of good files, tests/cli/check_dart_decode compares. */
#include "tests/testing.h"

#include "core/text.h"
#include <framemap/framemap.h>

#define CORPUS FM_SOURCE_DIR "/corpus/dart/"
static const char *const files[] = {CORPUS "dump.x64.symbols", CORPUS "dump.arm.symbols", CORPUS "app.macos-3.13.symbols"};

struct bytes {
    char data[1 << 16];
    size_t size;
};

static struct bytes content(const char *path)
{
    struct bytes bytes = {.size = 0};
    FILE *file = fopen(path, "rb");
    if (file == NULL) fail_msg("%s is not there", path);
    bytes.size = fread(bytes.data, 1, sizeof bytes.data, file);
    fclose(file);
    assert_true(bytes.size > 0 && bytes.size < sizeof bytes.data);
    return bytes;
}

static bool count(void *context, const char *data, size_t size)
{
    (void)data;
    *(size_t *)context += size;
    return true;
}

static framemap_status dump(const char *data, size_t size, size_t *written, framemap_error *error)
{
    *written = 0;
    return framemap_dart_dump(fm_str(data, size), NULL, NULL, count, written, error);
}

/* Of a file that is cut nothing is written, and why is said. Debug info stands at the end of none of these files, so the last bytes may be missed by nobody. */
static void test_each_prefix(void **state)
{
    (void)state;
    for (size_t i = 0; i < COUNT_OF(files); i++) {
        const struct bytes bytes = content(files[i]);
        size_t whole, written, good = 0;
        assert_int_equal(dump(bytes.data, bytes.size, &whole, NULL), FRAMEMAP_OK);
        for (size_t size = 0; size < bytes.size; size += i < 2 ? 1 : 31) {
            framemap_error error = {0};
            char *copy = malloc(size + 1); /* of its own, so that a sanitizer sees what is read behind it */
            memcpy(copy, bytes.data, size);
            char *exact = realloc(copy, size ? size : 1);
            const framemap_status status = dump(exact, size, &written, &error);
            free(exact);
            if (status == FRAMEMAP_OK) {
                good++;
                continue;
            }
            assert_int_equal(written, 0);
            assert_int_equal(error.code, status);
            assert_true(error.message[0] != '\0');
        }
        assert_true(good < bytes.size / 2);
    }
}

/* Each byte changed in two ways: any answer, but one. */
static void test_each_byte(void **state)
{
    (void)state;
    static const unsigned char changes[] = {0xff, 0x01};
    for (size_t i = 0; i < 1; i++) {
        struct bytes bytes = content(files[i]);
        for (size_t at = 0; at < bytes.size; at++) {
            const char before = bytes.data[at];
            for (size_t change = 0; change < COUNT_OF(changes); change++) {
                size_t written;
                bytes.data[at] = (char)((unsigned char)before ^ changes[change]);
                const framemap_status status = dump(bytes.data, bytes.size, &written, NULL);
                assert_true((status == FRAMEMAP_OK) == (written != 0));
            }
            bytes.data[at] = before;
        }
    }
}

static bool dump_all(const framemap_allocator *allocator, void *context)
{
    const struct bytes *bytes = context;
    size_t written = 0;
    framemap_error error = {0};
    const framemap_status status = framemap_dart_dump(fm_str(bytes->data, bytes->size), NULL, allocator, count, &written, &error);
    if (status != FRAMEMAP_OK && status != FRAMEMAP_E_MEMORY) fail_msg("status %d: %s", (int)status, error.message);
    return status == FRAMEMAP_OK;
}

static void test_no_memory(void **state)
{
    (void)state;
    for (size_t i = 0; i < COUNT_OF(files); i++) {
        struct bytes bytes = content(files[i]);
        assert_true(sweep_allocations(dump_all, &bytes) > 3);
    }
}

static bool refuse(void *context, const char *data, size_t size)
{
    (void)context, (void)data, (void)size;
    return false;
}

static void test_arguments(void **state)
{
    (void)state;
    const struct bytes fat = content(files[2]);
    const framemap_str bytes = fm_str(fat.data, fat.size), text = FM_STR("no object file at all");
    size_t whole, x64 = 0, arm64 = 0;
    framemap_error error = {0};
    assert_int_equal(framemap_dart_dump(bytes, NULL, NULL, refuse, NULL, &error), FRAMEMAP_E_IO);
    assert_int_equal(framemap_dart_dump(bytes, NULL, NULL, NULL, NULL, &error), FRAMEMAP_E_ARGUMENT);
    assert_int_equal(framemap_dart_dump(text, NULL, NULL, refuse, NULL, &error), FRAMEMAP_E_FORMAT);
    assert_int_equal(framemap_dart_dump(bytes, "ppc", NULL, refuse, NULL, &error), FRAMEMAP_E_MISMATCH);
    assert_int_equal(framemap_dart_dump(bytes, "x86_64", NULL, count, &x64, &error), FRAMEMAP_OK);
    assert_int_equal(framemap_dart_dump(bytes, "arm64", NULL, count, &arm64, &error), FRAMEMAP_OK);
    assert_int_equal(dump(fat.data, fat.size, &whole, &error), FRAMEMAP_OK);
    assert_true(whole > x64 + arm64); /* and the words around them */
}

/* A million names of one long text would be a terabyte. */
static void test_limit(void **state)
{
    (void)state;
    static char data[1 << 16];
    struct fm_reader_free {
        size_t at;
    } r = {0};
    const struct bytes small = content(files[0]);
    framemap_error error = {0};
    size_t written;
    /* The file's own bytes, then a section header of string tables that are all the whole file. */
    memcpy(data, small.data, small.size);
    const uint64_t sections = 0x1000;
    const uint16_t number = 700;
    uint64_t old;
    uint16_t old_count;
    memcpy(&old, data + 0x28, 8);
    memcpy(&old_count, data + 0x3c, 2);
    memcpy(data + sections, data + old, 64u * old_count);
    for (r.at = old_count; r.at < number; r.at++) {
        char *row = data + sections + 64 * r.at;
        const uint32_t strtab = 3;
        const uint64_t size = sizeof data;
        memcpy(row + 4, &strtab, 4);
        memcpy(row + 32, &size, 8);
    }
    memcpy(data + 0x28, &sections, 8);
    memcpy(data + 0x3c, &number, 2);
    assert_int_equal(dump(data, sizeof data, &written, &error), FRAMEMAP_E_LIMIT);
    assert_int_equal(written, 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_each_prefix), cmocka_unit_test(test_each_byte), cmocka_unit_test(test_no_memory),
        cmocka_unit_test(test_arguments),   cmocka_unit_test(test_limit),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
