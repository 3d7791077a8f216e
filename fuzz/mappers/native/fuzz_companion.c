/* Builds an index of an image with a companion file (a .dwo file, a .dwp file, or the file into which dwz moves debug
 * info). Every request is answered with the same companion. The input has the size of the image in four bytes, the
 * image, and the companion. */
#include "fuzz/support/harness_help.h"
#include <framemap/index.h>

enum { CEILING = 64 << 20 };

struct answer {
    framemap_str bytes;
    unsigned requests;
};

static bool give(void *context, const framemap_companion_request *wanted, framemap_str *bytes)
{
    struct answer *answer = context;
    must(wanted->size == sizeof *wanted && wanted->kind != 0);
    must(wanted->name.size == 0 || wanted->name.data != NULL);
    answer->requests++;
    if (wanted->attempt > 1) return false;
    *bytes = answer->bytes;
    return true;
}

static void build(framemap_str image, framemap_str companion, const char *reader)
{
    struct fuzz_memory memory;
    struct answer answer = {companion, 0};
    framemap_bytes built = {0};
    framemap_index *index = NULL;
    framemap_error error = {0};
    fuzz_memory_begin(&memory, CEILING);
    const framemap_build_options options = {.size = sizeof options,
                                            .allocator = &memory.hook,
                                            .reader = reader,
                                            .companion = give,
                                            .companion_context = &answer};
    const framemap_status status = framemap_index_build(image, framemap_str_of("app"), &options, &built, &error);
    must(status == FRAMEMAP_OK || error.message[0] != 0);
    must(status != FRAMEMAP_E_INTERNAL);
    if (status == FRAMEMAP_OK) {
        must(framemap_index_open(framemap_bytes_str(&built), &memory.hook, &index, NULL) == FRAMEMAP_OK);
        must(framemap_index_verify(index, NULL) == FRAMEMAP_OK);
        framemap_index_close(index);
    }
    framemap_bytes_free(&built);
    fuzz_memory_end(&memory);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct fuzz_input input = {data, size};
    const size_t wanted = (size_t)fuzz_number(&input, 4);
    framemap_str image = fuzz_rest(&input), companion = image;
    if (image.size > wanted) image.size = wanted;
    companion.data += image.size;
    companion.size -= image.size;
    build(image, companion, NULL);
    return 0;
}
