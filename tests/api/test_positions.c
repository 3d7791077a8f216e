/* Checks that an index built for some addresses only gives the same answers for them as the complete index. Tested for
 * every address of the code of every native file of the corpus. */
#include "api/index_handle.h"
#include "core/mapfile.h"
#include "tests/testing.h"

#include <framemap/framemap.h>

#include <dirent.h>

#define AT_ONCE 64u
#define MOST 6000u /* most addresses of one file */

static bool same_text(framemap_str a, framemap_str b) { return fm_str_equal(a, b); }

static bool same_texts(const framemap_str *a, size_t a_count, const framemap_str *b, size_t b_count)
{
    if (a_count != b_count) return false;
    for (size_t i = 0; i < a_count; i++)
        if (!same_text(a[i], b[i])) return false;
    return true;
}

static bool same_frame(const framemap_frame *a, const framemap_frame *b)
{
    if ((a->reason == NULL) != (b->reason == NULL) || (a->reason != NULL && strcmp(a->reason, b->reason) != 0))
        return false;
    return a->status == b->status && same_text(a->function, b->function) && same_text(a->symbol, b->symbol) &&
           same_text(a->file, b->file) && a->line == b->line && a->column == b->column &&
           same_text(a->declared_file, b->declared_file) && a->declared_line == b->declared_line &&
           a->artificial == b->artificial && a->inlined == b->inlined && a->function_offset == b->function_offset &&
           a->has_function_offset == b->has_function_offset && a->function_size == b->function_size &&
           same_texts(a->aliases, a->alias_count, b->aliases, b->alias_count);
}

static bool same_list(const framemap_frame_list *a, const framemap_frame_list *b)
{
    if (a->count != b->count) return false;
    for (size_t i = 0; i < a->count; i++)
        if (!same_frame(&a->frames[i], &b->frames[i])) return false;
    return true;
}

static framemap_index *build(framemap_str bytes, const char *arch, const uint64_t *positions, size_t count)
{
    const framemap_build_options options = {
        .size = sizeof options, .arch = arch, .positions = positions, .position_count = count, .threads = 2};
    framemap_bytes built = {0};
    framemap_index *index = NULL;
    if (framemap_index_build(bytes, FM_STR("file"), &options, &built, NULL) != FRAMEMAP_OK) return NULL;
    assert_int_equal(fm_index_adopt(&built, NULL, &index, NULL), FRAMEMAP_OK);
    assert_int_equal(framemap_index_verify(index, NULL), FRAMEMAP_OK);
    return index;
}

static void compare(const char *name, const framemap_index *whole, const framemap_index *some,
                    const uint64_t *positions, size_t count, framemap_scratch *scratch[2])
{
    for (size_t i = 0; i < count; i++) {
        framemap_query query = FRAMEMAP_QUERY_INIT;
        framemap_frame want, got;
        query.position = positions[i];
        query.address_kind = FRAMEMAP_ADDRESS_LINKED;
        assert_int_equal(framemap_resolve(whole, &query, scratch[0], &want, NULL), FRAMEMAP_OK);
        assert_int_equal(framemap_resolve(some, &query, scratch[1], &got, NULL), FRAMEMAP_OK);
        if (!same_frame(&want, &got) || !same_list(&want.restored, &got.restored))
            fail_msg("%s: 0x%llx: %zu frames \"%.*s\" (%s) instead of %zu \"%.*s\" (%s)", name,
                     (unsigned long long)positions[i], got.restored.count,
                     got.restored.count ? (int)got.restored.frames[0].function.size : 0,
                     got.restored.count ? got.restored.frames[0].function.data : "", got.reason ? got.reason : "",
                     want.restored.count, want.restored.count ? (int)want.restored.frames[0].function.size : 0,
                     want.restored.count ? want.restored.frames[0].function.data : "", want.reason ? want.reason : "");
    }
}

/* Lists addresses in all sections, at a distance from each other if there are too many. */
static size_t list_addresses(framemap_str bytes, const char *arch, uint64_t *out)
{
    framemap_section_info sections[256];
    size_t count = 0, found = 0;
    uint64_t total = 0;
    assert_int_equal(framemap_file_sections(bytes, arch, sections, COUNT_OF(sections), &count, NULL), FRAMEMAP_OK);
    if (count > COUNT_OF(sections)) count = COUNT_OF(sections);
    for (size_t i = 0; i < count; i++) total += sections[i].code ? sections[i].size : sections[i].size / 8;
    const uint64_t step = total / MOST + 1;
    for (size_t i = 0; i < count; i++)
        for (uint64_t at = 0; at < sections[i].size && found < MOST; at += sections[i].code ? step : 8 * step)
            out[found++] = sections[i].address + at;
    return found;
}

/* Compares one batch of addresses, which are taken from all over the file. Returns how many were compared. */
static size_t compare_slice(const char *name, framemap_str bytes, const char *arch, framemap_scratch *scratch[2])
{
    static uint64_t all[MOST + AT_ONCE];
    uint64_t batch[AT_ONCE];
    framemap_index *whole = build(bytes, arch, NULL, 0);
    size_t compared = 0;
    if (whole == NULL) return 0;
    const size_t count = list_addresses(bytes, arch, all), batches = (count + AT_ONCE - 1) / AT_ONCE;
    for (size_t i = 0; i < batches; i += TEST_STEP) {
        size_t size = 0;
        for (size_t at = i; at < count && size < AT_ONCE; at += batches) batch[size++] = all[at];
        framemap_index *some = build(bytes, arch, batch, size);
        if (some == NULL) continue; /* no index: no function is at or below any of the addresses */
        compare(name, whole, some, batch, size, scratch);
        framemap_index_close(some);
        compared += size;
    }
    framemap_index_close(whole);
    return compared;
}

static size_t compare_file(const char *folder, const char *name, framemap_scratch *scratch[2])
{
    char path[1400];
    struct fm_mapfile file;
    framemap_image_info images[4];
    size_t count = 0, compared = 0;
    snprintf(path, sizeof path, "%s/%s", folder, name);
    if (fm_mapfile_open(path, &file, NULL) != FRAMEMAP_OK) return 0;
    if (framemap_file_inspect(file.bytes, framemap_str_of(name), images, COUNT_OF(images), &count, NULL) == FRAMEMAP_OK)
        for (size_t i = 0; i < count && i < COUNT_OF(images); i++)
            if (strcmp(images[i].type, "object") != 0 && strcmp(images[i].type, "kernel module") != 0)
                compared += compare_slice(name, file.bytes, images[i].arch, scratch);
    fm_mapfile_close(&file);
    return compared;
}

static void every_file_of_the_corpus(void **state)
{
    (void)state;
    char folder[1024];
    framemap_scratch *scratch[2];
    size_t files = 0;
    for (size_t i = 0; i < 2; i++) assert_int_equal(framemap_scratch_create(NULL, &scratch[i], NULL), FRAMEMAP_OK);
    snprintf(folder, sizeof folder, "%s/corpus/native", FM_SOURCE_DIR);
    DIR *list = opendir(folder);
    assert_non_null(list);
    for (struct dirent *entry; (entry = readdir(list)) != NULL;)
        if (compare_file(folder, entry->d_name, scratch) * TEST_STEP > 100) files++;
    closedir(list);
    assert_true(files > 30);
    for (size_t i = 0; i < 2; i++) framemap_scratch_free(scratch[i]);
}

/* A relocatable file has no addresses, so it is compiled as a whole. */
static void objects_are_whole(void **state)
{
    (void)state;
    static const uint64_t somewhere[] = {0x10};
    char path[1024];
    struct fm_mapfile file;
    framemap_bytes built[2] = {{0}};
    framemap_build_options options = {.size = sizeof options};
    snprintf(path, sizeof path, "%s/corpus/native/gcc-x86_64-O2.o", FM_SOURCE_DIR);
    assert_int_equal(fm_mapfile_open(path, &file, NULL), FRAMEMAP_OK);
    for (size_t i = 0; i < 2; i++) {
        assert_int_equal(framemap_index_build(file.bytes, FM_STR("o"), &options, &built[i], NULL), FRAMEMAP_OK);
        options.positions = somewhere;
        options.position_count = 1;
    }
    assert_int_equal(built[0].size, built[1].size);
    assert_memory_equal(built[0].data, built[1].data, built[0].size);
    for (size_t i = 0; i < 2; i++) framemap_bytes_free(&built[i]);
    fm_mapfile_close(&file);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(every_file_of_the_corpus), cmocka_unit_test(objects_are_whole)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
