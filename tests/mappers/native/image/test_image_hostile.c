/* Passes real files, truncated at every length or with header bytes changed, to the harness of
 * fuzz/mappers/native/fuzz_image.c, which checks what must hold for any file. Each changed file is in a block of its
 * exact size. */
#include "core/mapfile.h"
#include "tests/testing.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

/* Files of every format, width and byte order, with each kind of contents. */
static const char *const files[] = {
    "clang-arm-thumb-android-O2.so",
    "gcc-i386-O2.o",
    "gcc-ppc64be-O2.o",
    "gcc-ppc64be-O2.elf",
    "gcc-x86_64-O2-stripped.elf",
    "gcc-x86_64-O2-zdebug.elf",
    "gcc-x86_64-O2-zlib.elf",
    "gcc-x86_64-O2-zstd.elf",
    "macho-arm64.o",
    "macho-arm64-symtab.dylib",
    "macho-fat.dylib",
    "wasm/trap.debug.wasm",
    "wasm/stripped.wasm",
};
enum { HEAD = 256, TAIL = 512, CUTS = 100 };

static void run(const unsigned char *data, size_t size)
{
    unsigned char *block = malloc(size ? size : 1);
    assert_non_null(block);
    if (size > 0) memcpy(block, data, size);
    LLVMFuzzerTestOneInput(block, size);
    free(block);
}

/* Cuts the file at every length within its headers, and at some hundred lengths in the rest. */
static void cut(const unsigned char *data, size_t size)
{
    const size_t step = size / CUTS + 1;
    for (size_t length = 0; length < size; length += length < HEAD ? 1 : step) run(data, length);
}

/* Changes each byte in a range, one at a time, in two ways each. */
static void flip(unsigned char *data, size_t size, size_t from, size_t to)
{
    static const unsigned char patterns[] = {0x01, 0xff};
    for (size_t at = from; at < to; at += TEST_STEP) {
        for (size_t i = 0; i < COUNT_OF(patterns); i++) {
            data[at] ^= patterns[i];
            run(data, size);
            data[at] ^= patterns[i];
        }
    }
}

static void damaged_files(void **state)
{
    size_t found = 0;
    (void)state;
    for (size_t i = 0; i < COUNT_OF(files); i++) {
        struct fm_mapfile file;
        char path[1024];
        snprintf(path, sizeof path, "%s/corpus/native/%s", FM_SOURCE_DIR, files[i]);
        if (fm_mapfile_open(path, &file, NULL) != FRAMEMAP_OK) continue;
        const size_t size = file.bytes.size, head = size < HEAD ? size : HEAD,
                     tail = size - head < TAIL ? size - head : TAIL;
        unsigned char *copy = malloc(size);
        assert_non_null(copy);
        memcpy(copy, file.bytes.data, size);
        cut(copy, size);
        flip(copy, size, 0, head);
        flip(copy, size, size - tail, size); /* the section table is at the end */
        free(copy);
        fm_mapfile_close(&file);
        found++;
    }
    if (found == 0) skip();
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(damaged_files)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
