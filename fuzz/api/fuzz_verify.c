/* Compares any bytes, as a symbol file, with the index made of them. Bytes 0 and 1 of the input state which bit of
 * the index is flipped (0: none). In byte 2, bit 0 corrects the checksums after the flip, and bit 1 selects the
 * other reader of debug info. The rest is the file. Properties: the index of a file does not differ from the file;
 * comparing a damaged index does not crash; the memory used stays below the limit, and all of it is freed. */
#include "fuzz/support/harness_help.h"
#include "fuzz/support/seal.h"

#include <stdio.h>
#include <string.h>

enum { CEILING = 128 << 20 };

struct seen {
    uint64_t differences;
    char first[512];
};

static bool see(void *context, const framemap_verify_difference *difference)
{
    struct seen *seen = context;
    must(difference->size == sizeof *difference && difference->what[0] != 0 && difference->field[0] != 0);
    must(difference->source.size == 0 || difference->source.data != NULL);
    must(difference->index.size == 0 || difference->index.data != NULL);
    if (seen->differences++ == 0)
        snprintf(seen->first, sizeof seen->first, "%s %.*s: %s: \"%.*s\", not \"%.*s\"", difference->what,
                 (int)(difference->place.size % 100), difference->place.data ? difference->place.data : "",
                 difference->field, (int)(difference->index.size % 150),
                 difference->index.data ? difference->index.data : "", (int)(difference->source.size % 150),
                 difference->source.data ? difference->source.data : "");
    return seen->differences < 100;
}

static void compare(const framemap_index *index, framemap_str file, const framemap_build_options *options, bool same)
{
    struct seen seen = {0};
    framemap_verify_counts counts = {0};
    framemap_error error = {0};
    const framemap_status status =
        framemap_index_verify_against(index, file, framemap_str_of("file"), options, see, &seen, &counts, &error);
    must(status == FRAMEMAP_OK || error.message[0] != 0);
    must(status == FRAMEMAP_OK || status == FRAMEMAP_E_MEMORY || status == FRAMEMAP_E_LIMIT);
    if (same && seen.differences > 0) fuzz_broken(seen.first, __FILE__, __LINE__);
    if (status == FRAMEMAP_OK) must(counts.differences == seen.differences && counts.questions > 0);
}

static void compare_damaged(framemap_str bytes, framemap_str file, const framemap_build_options *options, size_t at,
                            bool sealed)
{
    framemap_index *index;
    framemap_bytes copy = {.data = options->allocator->resize(options->allocator->context, NULL, 0, bytes.size),
                           .size = bytes.size,
                           .allocator = *options->allocator};
    must(copy.data != NULL);
    memcpy(copy.data, bytes.data, bytes.size);
    copy.data[at % bytes.size] ^= (unsigned char)(1u << (at / bytes.size % 8));
    if (sealed) fm_fuzz_seal(copy.data, copy.size, true);
    if (framemap_index_open(framemap_bytes_str(&copy), options->allocator, &index, NULL) == FRAMEMAP_OK) {
        compare(index, file, options, false);
        framemap_index_close(index);
    }
    framemap_bytes_free(&copy);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct fuzz_input input = {data, size};
    struct fuzz_memory memory;
    framemap_bytes built = {0};
    framemap_index *index;
    const size_t at = (size_t)fuzz_number(&input, 2);
    const unsigned choices = (unsigned)fuzz_number(&input, 1);
    const framemap_str file = fuzz_rest(&input);
    fuzz_memory_begin(&memory, CEILING);
    framemap_build_options options = {.size = sizeof options, .allocator = &memory.hook};
    options.reader = choices & 2 ? "libdwarf" : NULL;
    if (framemap_index_build(file, framemap_str_of("file"), &options, &built, NULL) == FRAMEMAP_OK) {
        must(framemap_index_open(framemap_bytes_str(&built), &memory.hook, &index, NULL) == FRAMEMAP_OK);
        compare(index, file, &options, true);
        framemap_index_close(index);
        if (at > 0) compare_damaged(framemap_bytes_str(&built), file, &options, at, (choices & 1) != 0);
    }
    framemap_bytes_free(&built);
    fuzz_memory_end(&memory);
    return 0;
}
