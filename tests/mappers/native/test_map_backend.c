/* Tests of mappers/native/debug_map: Mach-O programs whose debug info is in an object file. The object file may be
 * missing, of another build, damaged, or offered repeatedly. */
#include "core/limits.h"
#include "tests/mappers/native/companion_build.h"

static const char *const maps[] = {"macho-map-x86_64", "macho-map-arm64"};

static uint64_t scopes_with(const struct sample *sample, framemap_str companion, struct answering *answering)
{
    *answering = (struct answering){.bytes = companion, .attempts = 1};
    return scopes_of(sample->image, answering);
}

static void an_object_file_adds_what_is_missing(void **state)
{
    (void)state;
    for (size_t i = 0; i < COUNT_OF(maps); i++) {
        const struct sample sample = sample_read(maps[i]);
        struct answering answering;
        const uint64_t all = scopes_with(&sample, sample.companion, &answering);
        assert_int_equal(answering.requests, 1);
        assert_int_equal(answering.kind, FRAMEMAP_COMPANION_OBJECT);
        assert_string_equal(answering.name, "a.o");
        assert_string_equal(answering.id, ""); /* the program does not record the modification time of a.o */
        if (answering.warnings > 0) fail_msg("%s: %s", maps[i], answering.warning);
        assert_true(all < scopes_with(&sample, (framemap_str){NULL, 0}, &answering));
        if (strstr(answering.warning, "1 of 1 were not found, or were changed since") == NULL ||
            strstr(answering.warning, "The first is a.o") == NULL)
            fail_msg("%s", answering.warning);
        corpus_free(sample.all);
    }
}

/* Checks other files in place of the object file: the program itself, an object file for another processor, one for
 * another system, and a text. */
static void other_files_are_not_used(void **state)
{
    const struct sample sample = sample_read(maps[0]), other = sample_read(maps[1]), elf = sample_read("gcc-dwo-4");
    const framemap_str wrong[] = {sample.image, other.companion, elf.companion, FM_STR("text")};
    struct answering answering;
    const uint64_t none = scopes_with(&sample, (framemap_str){NULL, 0}, &answering);
    (void)state;
    for (size_t i = 0; i < COUNT_OF(wrong); i++) {
        assert_int_equal(scopes_with(&sample, wrong[i], &answering), none);
        /* One warning says why the offered file is not used, another one that the object file is missing. */
        assert_int_equal(answering.warnings, 2);
    }
    answering = (struct answering){.bytes = sample.image, .attempts = UINT32_MAX};
    assert_int_equal(scopes_of(sample.image, &answering), none);
    assert_int_equal(answering.requests, FM_LIMIT_COMPANION_TRIES);
    corpus_free(elf.all);
    corpus_free(other.all);
    corpus_free(sample.all);
}

/* Changes each byte of the image (of_image) or of its object file; with `cut`, cuts the file there instead. */
static void change(const struct sample *sample, bool of_image, bool cut)
{
    const framemap_str whole = of_image ? sample->image : sample->companion;
    unsigned char *copy = malloc(whole.size);
    assert_non_null(copy);
    for (size_t at = 0; at < whole.size; at += of_image ? 11 : 3) {
        struct answering answering = {.bytes = sample->companion, .attempts = 1};
        memcpy(copy, whole.data, whole.size);
        copy[at] ^= 0xff;
        const framemap_str changed = fm_str(copy, cut ? at : whole.size);
        framemap_bytes built = {0};
        if (!of_image) answering.bytes = changed;
        const framemap_status status = build_answering(of_image ? changed : sample->image, &answering, NULL, &built);
        assert_int_not_equal(status, FRAMEMAP_E_INTERNAL);
        if (!of_image) assert_int_equal(status, FRAMEMAP_OK);
        framemap_bytes_free(&built);
    }
    free(copy);
}

static void damaged_files(void **state)
{
    (void)state;
    for (unsigned i = 0; i < 4; i++) {
        const struct sample sample = sample_read(maps[0]);
        change(&sample, i & 1, i & 2);
        corpus_free(sample.all);
    }
}

static bool builds(const framemap_allocator *allocator, void *context)
{
    const struct sample *sample = context;
    struct answering answering = {.bytes = sample->companion, .attempts = 1};
    framemap_bytes built = {0};
    const framemap_status status = build_answering(sample->image, &answering, allocator, &built);
    framemap_bytes_free(&built);
    assert_true(status == FRAMEMAP_OK || status == FRAMEMAP_E_MEMORY);
    return status == FRAMEMAP_OK;
}

static void memory_that_runs_out_is_reported(void **state)
{
    struct sample sample = sample_read(maps[0]);
    (void)state;
    assert_true(sweep_allocations(builds, &sample) > 10);
    corpus_free(sample.all);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(an_object_file_adds_what_is_missing),
        cmocka_unit_test(other_files_are_not_used),
        cmocka_unit_test(damaged_files),
        cmocka_unit_test(memory_that_runs_out_is_reported),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
