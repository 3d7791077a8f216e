/* Tests of Dart's dump through the public call: files that are truncated or damaged, lack of memory, and writers that
 * refuse. tests/cli/check_dart_decode compares the output for good files. */
#include "tests/testing.h"

#include "core/text/text.h"
#include <framemap/framemap.h>

#define CORPUS FM_SOURCE_DIR "/corpus/dart/"
static const char *const files[] = {CORPUS "dump.x64.symbols", CORPUS "dump.arm.symbols",
                                    CORPUS "app.macos-3.13.symbols"};

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

/* Checks that nothing is written for a truncated file, and that the message has the reason. The last bytes of these
 * files are not debug info, so the dump does not need them. */
static void test_each_prefix(void **state)
{
    (void)state;
    for (size_t i = 0; i < COUNT_OF(files); i++) {
        const struct bytes bytes = content(files[i]);
        size_t whole, written, good = 0;
        assert_int_equal(dump(bytes.data, bytes.size, &whole, NULL), FRAMEMAP_OK);
        for (size_t size = 0; size < bytes.size; size += i < 2 ? 1 : 31) {
            framemap_error error = {0};
            char *copy =
                malloc(size + 1); /* an allocation of the exact size, so that a sanitizer detects a read past the end */
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

/* Changes each byte in two ways. Any result is allowed, but a second dump must give the same result as the first. */
static void test_each_byte(void **state)
{
    (void)state;
    static const unsigned char changes[] = {0xff, 0x01};
    for (size_t i = 0; i < 1; i++) {
        struct bytes bytes = content(files[i]);
        for (size_t at = 0; at < bytes.size; at += TEST_STEP) {
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
    const framemap_status status =
        framemap_dart_dump(fm_str(bytes->data, bytes->size), NULL, allocator, count, &written, &error);
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
    assert_true(whole > x64 + arm64); /* the dump of the fat file also has one more line for each of its images */
}

/* A small file that is made so that its dump would be endless. */
struct made {
    char data[1 << 18];
    size_t size;
    uint64_t sections;
    uint16_t count;
};

static struct made *begin_made(void)
{
    static struct made made;
    const struct bytes small = content(files[0]);
    memset(&made, 0, sizeof made);
    memcpy(made.data, small.data, small.size);
    made.size = small.size;
    memcpy(&made.sections, made.data + 0x28, sizeof made.sections);
    memcpy(&made.count, made.data + 0x3c, sizeof made.count);
    return &made;
}

static void must_be_limited(const struct made *made)
{
    framemap_error error = {0};
    size_t written;
    assert_int_equal(dump(made->data, made->size, &written, &error), FRAMEMAP_E_LIMIT);
    assert_int_equal(written, 0);
}

/* Tests a file with many string tables that all have the whole file as their bytes. */
static void test_shared_sections(void **state)
{
    (void)state;
    const uint64_t sections = 0x1000, size = 1 << 16;
    const uint16_t count_wanted = 700;
    const uint32_t strtab = 3;
    struct made *made = begin_made();
    memcpy(made->data + sections, made->data + made->sections, 64u * made->count);
    for (size_t i = made->count; i < count_wanted; i++) {
        memcpy(made->data + sections + 64 * i + 4, &strtab, sizeof strtab);
        memcpy(made->data + sections + 64 * i + 32, &size, sizeof size);
    }
    memcpy(made->data + 0x28, &sections, sizeof sections);
    memcpy(made->data + 0x3c, &count_wanted, sizeof count_wanted);
    made->size = (size_t)size;
    must_be_limited(made);
}

/* Replaces the contents of a section. */
static void put_section(struct made *made, const char *name, const void *data, uint64_t size)
{
    uint16_t names;
    uint64_t names_at;
    const uint64_t at = made->size;
    memcpy(&names, made->data + 0x3e, sizeof names);
    memcpy(&names_at, made->data + made->sections + 64u * names + 24, sizeof names_at);
    for (size_t i = 0; i < made->count; i++) {
        char *row = made->data + made->sections + 64 * i;
        uint32_t name_at;
        memcpy(&name_at, row, sizeof name_at);
        if (strcmp(made->data + names_at + name_at, name) != 0) continue;
        memcpy(row + 24, &at, sizeof at);
        memcpy(row + 32, &size, sizeof size);
    }
    memcpy(made->data + at, data, (size_t)size);
    made->size += (size_t)size;
}

/* Tests entries of one byte each, nested very deeply. Each line would be indented by thousands of blanks, and printed
 * once for each entry around it. */
static void test_deep_entries(void **state)
{
    (void)state;
    enum { DEEP = 4000, FLAT = 100000, HEADER = 11 };
    static const unsigned char abbreviations[] = {1, 0x11, 1, 0, 0, 2, 0x2e, 0, 0, 0, 0}, no_lines[4];
    static unsigned char info[HEADER + DEEP + FLAT];
    const uint32_t size = sizeof info - 4;
    struct made *made = begin_made();
    memcpy(info, &size, sizeof size);
    info[4] = 2, info[10] = 8;
    memset(info + HEADER, 1, DEEP);
    memset(info + HEADER + DEEP, 2, FLAT);
    put_section(made, ".debug_abbrev", abbreviations, sizeof abbreviations);
    put_section(made, ".debug_info", info, sizeof info);
    put_section(made, ".debug_line", no_lines, sizeof no_lines);
    must_be_limited(made);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_each_prefix), cmocka_unit_test(test_each_byte),       cmocka_unit_test(test_no_memory),
        cmocka_unit_test(test_arguments),   cmocka_unit_test(test_shared_sections), cmocka_unit_test(test_deep_entries),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
