/* Tests of mappers/native/dwarf/dw_join.h: programs with split debug info. The companion is the right one, one of
 * another build, a damaged one, the program itself, or one of an endless series. */
#include "core/limits.h"
#include "mappers/native/dwarf/dw_constants.h"
#include "tests/mappers/native/companion_build.h"
#include "tests/mappers/native/dw_bytes.h"
#include "tests/mappers/native/dwarf_file.h"

static const char *const split[] = {"clang-19-dwo-4", "clang-19-dwo-5", "gcc-dwo-4", "gcc-dwo-5", "dwp-4", "dwp-5"};

static uint64_t scopes_with(const struct sample *sample, framemap_str companion, struct answering *answering)
{
    *answering = (struct answering){.bytes = companion, .attempts = 1};
    return scopes_of(sample->image, answering);
}

static void a_companion_adds_what_is_missing(void **state)
{
    (void)state;
    for (size_t i = 0; i < COUNT_OF(split); i++) {
        const struct sample sample = sample_read(split[i]);
        struct answering answering;
        const uint64_t all = scopes_with(&sample, sample.companion, &answering);
        assert_true(answering.requests > 0);
        if (answering.warnings > 0) fail_msg("%s: %s", split[i], answering.warning);
        const uint64_t few = scopes_with(&sample, (framemap_str){NULL, 0}, &answering);
        if (few <= all)
            fail_msg("%s: %llu scopes without, %llu with", split[i], (unsigned long long)few, (unsigned long long)all);
        if (strstr(answering.warning, ".dwo files, which were not found") == NULL) fail_msg("%s", answering.warning);
        corpus_free(sample.all);
    }
}

/* Checks a program that is given as its own companion: nothing is added, because it has the skeleton units, whose ids
 * are searched, but none of the split units. */
static void the_program_is_no_companion_of_itself(void **state)
{
    (void)state;
    for (size_t i = 0; i < COUNT_OF(split); i++) {
        const struct sample sample = sample_read(split[i]);
        struct answering answering;
        const uint64_t none = scopes_with(&sample, (framemap_str){NULL, 0}, &answering);
        if (scopes_with(&sample, sample.image, &answering) != none) fail_msg("%s", split[i]);
        corpus_free(sample.all);
    }
}

/* Checks files of other programs or of other kinds in place of the right companion. */
static void files_of_other_programs_are_not_used(void **state)
{
    (void)state;
    for (size_t i = 0; i < COUNT_OF(split); i++) {
        const struct sample sample = sample_read(split[i]);
        const struct sample other = sample_read(split[i] == split[0] ? "gcc-dwo-4" : "clang-19-dwo-4");
        struct answering answering;
        const uint64_t none = scopes_with(&sample, (framemap_str){NULL, 0}, &answering);
        const uint64_t got = scopes_with(&sample, other.companion, &answering);
        const uint64_t all = scopes_with(&sample, sample.companion, &answering);
        if (got != none && got != all) fail_msg("%s: %llu scopes", split[i], (unsigned long long)got);
        corpus_free(other.all);
        corpus_free(sample.all);
    }
}

static void put_attribute(struct bytes *table, uint64_t attribute, uint64_t form)
{
    put_uleb(table, attribute);
    put_uleb(table, form);
}

/* Writes the abbreviations of the test program: 1 and 3 are units, 2 is a function. */
static void put_table(struct bytes *table, bool addresses)
{
    PUT(table, 1, DW_TAG_compile_unit, 1, DW_AT_low_pc, DW_FORM_addr, DW_AT_high_pc, DW_FORM_data1, 0, 0);
    PUT(table, 2, DW_TAG_subprogram, 0, DW_AT_name, DW_FORM_string, DW_AT_low_pc, DW_FORM_addr, DW_AT_high_pc,
        DW_FORM_data1, 0, 0);
    PUT(table, 3, DW_TAG_compile_unit, 0);
    put_attribute(table, DW_AT_GNU_dwo_id, DW_FORM_data8);
    put_attribute(table, DW_AT_GNU_dwo_name, DW_FORM_string);
    if (addresses) PUT(table, DW_AT_low_pc, DW_FORM_addr, DW_AT_high_pc, DW_FORM_data1);
    PUT(table, 0, 0, 0);
}

static size_t begin_unit(struct bytes *info)
{
    const size_t from = reserve_length(info);
    put(info, 4, 2); /* DWARF version */
    put(info, 0, 4); /* offset of the abbreviations */
    put(info, 8, 1); /* size of an address */
    return from;
}

/* Builds a program with a unit that has a function, and with a skeleton unit. Returns how many warnings building its
 * index gives. */
static unsigned warnings_of_skeleton(bool addresses)
{
    struct bytes info = {.size = 0}, table = {.size = 0};
    struct answering answering = {.attempts = 0};
    struct made_dwarf made = {.is64 = true};
    size_t size = 0;
    put_table(&table, addresses);
    const size_t first = begin_unit(&info);
    put(&info, 1, 1), put(&info, DWARF_TEXT_BASE, 8), put(&info, 16, 1);
    put(&info, 2, 1), put_text(&info, "run"), put(&info, DWARF_TEXT_BASE, 8), put(&info, 16, 1);
    put(&info, 0, 1);
    settle_length(&info, first);
    const size_t second = begin_unit(&info);
    put(&info, 3, 1), put(&info, 0x1122, 8), put_text(&info, "/cache/Shims.pcm");
    if (addresses) put(&info, DWARF_TEXT_BASE + 16, 8), put(&info, 16, 1);
    settle_length(&info, second);
    made.sections[DWARF_INFO] = (struct made_section){info.data, info.size, info.size};
    made.sections[DWARF_ABBREV] = (struct made_section){table.data, table.size, table.size};
    unsigned char *file = dwarf_file_of(&made, &size);
    assert_non_null(file);
    assert_true(scopes_of(fm_str(file, size), &answering) > 0);
    free(file);
    return answering.warnings;
}

/* Checks skeleton units without addresses. Swift and clang use them to name the modules that a program imports, so they
 * do not mean that debug info is missing. */
static void a_module_without_code_is_not_missed(void **state)
{
    (void)state;
    assert_int_equal(warnings_of_skeleton(false), 0);
    assert_int_equal(warnings_of_skeleton(true), 1);
}

static void an_endless_answer_ends(void **state)
{
    const struct sample sample = sample_read("clang-19-dwo-5");
    struct answering answering = {.bytes = sample.image, .attempts = UINT32_MAX};
    (void)state;
    assert_true(scopes_of(sample.image, &answering) > 0);
    /* one request is for a package, and one for the file of each unit */
    assert_between(answering.requests, 2, 8 * FM_LIMIT_COMPANION_TRIES);
    corpus_free(sample.all);
}

static void every_prefix_of_a_companion(void **state)
{
    static const char *const names[] = {"clang-19-dwo-5", "gcc-dwo-4", "dwp-5"};
    (void)state;
    for (size_t i = 0; i < COUNT_OF(names); i++) {
        const struct sample sample = sample_read(names[i]);
        struct answering answering;
        for (size_t size = 0; size < sample.companion.size; size += 7)
            assert_true(scopes_with(&sample, fm_str_slice(sample.companion, 0, size), &answering) > 0);
        corpus_free(sample.all);
    }
}

/* Changes each byte of a companion: whatever is read from the companion, the index must be valid. */
static void every_byte_of_a_companion(void **state)
{
    static const char *const names[] = {"clang-19-dwo-4", "gcc-dwo-5", "dwp-4", "dwp-5"};
    (void)state;
    for (size_t i = 0; i < COUNT_OF(names); i++) {
        const struct sample sample = sample_read(names[i]);
        struct answering answering;
        unsigned char *copy = malloc(sample.companion.size);
        assert_non_null(copy);
        for (size_t at = i; at < sample.companion.size; at += 5) {
            memcpy(copy, sample.companion.data, sample.companion.size);
            copy[at] ^= 0xff;
            assert_true(scopes_with(&sample, fm_str(copy, sample.companion.size), &answering) > 0);
        }
        free(copy);
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
    static const char *const names[] = {"clang-19-dwo-5", "dwp-4"};
    (void)state;
    for (size_t i = 0; i < COUNT_OF(names); i++) {
        struct sample sample = sample_read(names[i]);
        assert_true(sweep_allocations(builds, &sample) > 10);
        corpus_free(sample.all);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_companion_adds_what_is_missing),     cmocka_unit_test(the_program_is_no_companion_of_itself),
        cmocka_unit_test(files_of_other_programs_are_not_used), cmocka_unit_test(an_endless_answer_ends),
        cmocka_unit_test(every_prefix_of_a_companion),          cmocka_unit_test(every_byte_of_a_companion),
        cmocka_unit_test(memory_that_runs_out_is_reported),     cmocka_unit_test(a_module_without_code_is_not_missed),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
