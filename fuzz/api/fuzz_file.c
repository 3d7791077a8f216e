/* Passes any bytes as a symbol file to the public functions, in the order in which a command calls them: open from
 * disk, inspect, list the sections, compile, then verify and query the index. The first byte of the input selects
 * the name of the file and the slice; the rest is the file. */
#include "fuzz/support/harness_help.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_LISTED = 64, CEILING = 512 << 20, MOST_OUTPUT = 1 << 20 };

static const char *const names[] = {"liba.so", "mapping.txt", "main.js.map", "main.js",
                                    "a.fmx",   "App",         "a.symbols",   NULL};
static const char *const arches[] = {NULL, "arm64", "x86_64", "nothing"};

static void check_image(const framemap_image_info *image, size_t size)
{
    must(memchr(image->kind, 0, sizeof image->kind) && memchr(image->arch, 0, sizeof image->arch) &&
         memchr(image->id, 0, sizeof image->id));
    must(memchr(image->type, 0, sizeof image->type) && memchr(image->alternate_id, 0, sizeof image->alternate_id));
    must(memchr(image->debug_id, 0, sizeof image->debug_id) && memchr(image->code_id, 0, sizeof image->code_id));
    must(image->offset <= size && image->size <= size - image->offset);
    must(image->debug_link.size == 0 || image->debug_link.data != NULL);
}

static void inspect(framemap_str bytes, framemap_str name)
{
    framemap_image_info images[4];
    framemap_error error = {0};
    size_t count = 0, again = 0;
    const framemap_status counted = framemap_file_inspect(bytes, name, NULL, 0, &count, &error);
    must(counted == FRAMEMAP_OK || error.message[0] != 0);
    const framemap_status status = framemap_file_inspect(bytes, name, images, 4, &again, NULL);
    /* the first call, which counts images, reads only the start of a text, so it does not find errors further down */
    must(status == counted || counted == FRAMEMAP_OK);
    if (status != FRAMEMAP_OK) {
        images[0] = (framemap_image_info){.size = 0};
        if (framemap_file_identify(bytes, &images[0], NULL) == FRAMEMAP_OK) check_image(&images[0], bytes.size);
        return;
    }
    must(count == again);
    for (size_t i = 0; i < count && i < 4; i++) {
        must(framemap_file_identify(bytes, &images[i], NULL) == FRAMEMAP_OK);
        check_image(&images[i], bytes.size);
    }
}

static void list_sections(framemap_str bytes, const char *arch)
{
    framemap_section_info *sections = calloc(MOST_LISTED, sizeof *sections);
    size_t count = 0, again = 0;
    const framemap_status status = framemap_file_sections(bytes, arch, NULL, 0, &count, NULL);
    if (sections == NULL) return;
    must(framemap_file_sections(bytes, arch, sections, MOST_LISTED, &again, NULL) == status);
    must(status != FRAMEMAP_OK || count == again);
    size_t total = 0;
    for (size_t i = 0; status == FRAMEMAP_OK && i < count && i < MOST_LISTED; i++)
        for (size_t k = 0; k < sections[i].name.size; k++) total += (unsigned char)sections[i].name.data[k];
    must(total < SIZE_MAX);
    free(sections);
}

static void ask(const framemap_index *index, uint64_t position)
{
    framemap_scratch *scratch = NULL;
    framemap_query query = FRAMEMAP_QUERY_INIT;
    framemap_frame frame;
    struct fuzz_output output = {.most = MOST_OUTPUT};
    query.position = position;
    must(framemap_index_verify(index, NULL) == FRAMEMAP_OK);
    if (framemap_scratch_create(NULL, &scratch, NULL) != FRAMEMAP_OK) return;
    framemap_status status = framemap_resolve(index, &query, scratch, &frame, NULL);
    must(status != FRAMEMAP_E_CORRUPT);
    framemap_str path = {NULL, 0}, id = {NULL, 0};
    if (status == FRAMEMAP_OK && framemap_missing_companion(index, &query, &frame, scratch, &path, &id))
        must(path.size > 0);
    status = framemap_index_dump(index, "jsonl", fuzz_write, &output, NULL);
    must(status == FRAMEMAP_OK || status == FRAMEMAP_E_IO);
    framemap_scratch_free(scratch);
}

static void build(framemap_file *file, framemap_str name, const char *arch)
{
    struct fuzz_memory memory;
    framemap_bytes built = {0};
    framemap_index *index = NULL;
    framemap_error error = {0};
    fuzz_memory_begin(&memory, CEILING);
    const framemap_build_options options = {.size = sizeof options,
                                            .allocator = &memory.hook,
                                            .arch = arch,
                                            .consumed = framemap_file_consumed,
                                            .release_range = framemap_file_release_range,
                                            .input_context = file};
    const framemap_status status = framemap_index_build(framemap_file_bytes(file), name, &options, &built, &error);
    must(status == FRAMEMAP_OK || error.message[0] != 0);
    must(status != FRAMEMAP_E_INTERNAL);
    if (status == FRAMEMAP_OK) {
        must(framemap_index_open(framemap_bytes_str(&built), &memory.hook, &index, NULL) == FRAMEMAP_OK);
        ask(index, name.size);
        framemap_index_close(index);
    }
    framemap_bytes_free(&built);
    fuzz_memory_end(&memory);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct fuzz_input input = {data, size};
    const unsigned choice = (unsigned)fuzz_number(&input, 1);
    const framemap_str name = framemap_str_of(names[choice % 8]), bytes = fuzz_rest(&input);
    const char *arch = arches[choice / 8 % 4];
    char path[128];
    framemap_file *file = NULL;
    framemap_error error = {0};
    size_t count;
    snprintf(path, sizeof path, "%s/file", fuzz_folder());
    must(fuzz_put(path, bytes));
    must(framemap_file_open(path, NULL, &file, &error) == FRAMEMAP_OK);
    must(framemap_file_bytes(file).size == bytes.size &&
         memcmp(framemap_file_bytes(file).data, bytes.data, bytes.size) == 0);
    inspect(bytes, name);
    list_sections(bytes, arch);
    const framemap_status hash = framemap_mapping_check_hash(bytes, NULL);
    must(hash == FRAMEMAP_OK || hash == FRAMEMAP_E_EMPTY || hash == FRAMEMAP_E_MISMATCH ||
         hash == FRAMEMAP_E_UNSUPPORTED || hash == FRAMEMAP_E_MEMORY);
    build(file, name, arch);
    must(framemap_mapper_list(&count) != NULL && count > 0);
    must(!framemap_file_changed(file));
    framemap_file_close(file);
    return 0;
}
