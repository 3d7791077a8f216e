/* Tests sessions with real symbol files (corpus/native). */
#include "tests/session/session_help.h"

#define NATIVE FM_SOURCE_DIR "/corpus/native/"

static struct folder folder;

static int set_up(void **state)
{
    (void)state;
    folder_make(&folder);
    return 0;
}

static int tear_down(void **state)
{
    (void)state;
    remove_tree(folder.path);
    return 0;
}

static framemap_session *open_with(const char *path, const char *cache, struct warnings *warnings)
{
    framemap_session *session = NULL;
    framemap_error error = {0};
    const framemap_session_options options = {.size = sizeof options,
                                              .symbol_paths = &path,
                                              .symbol_path_count = path != NULL,
                                              .cache_path = cache,
                                              .warning = warnings ? keep_warning : NULL,
                                              .context = warnings};
    must_ok(framemap_session_open(&options, &session, &error), &error);
    return session;
}

static framemap_status describe(framemap_session *session, const framemap_image_query *want, framemap_index_info *info,
                                char id[65], framemap_error *error)
{
    const framemap_index *index = NULL;
    framemap_status status = framemap_session_index(session, want, &index, error);
    if (status != FRAMEMAP_OK) return status;
    framemap_index_describe(index, info);
    snprintf(id, 65, "%.*s", (int)info->id.size, info->id.data);
    framemap_session_release(session, index);
    return status;
}

/* Checks a library that Android loads from an APK: stacks contain the name of the APK and the offset of the library in
 * it. */
static void a_library_at_an_offset_of_an_apk(void **state)
{
    (void)state;
    static const struct {
        const char *name, *arch;
        uint64_t offset;
        framemap_status status;
        const char *why;
    } rows[] = {
        {"base.apk", "arm64", 0x1000, FRAMEMAP_OK, "where it begins"},
        {"/data/app/base.apk", "", 0x1004, FRAMEMAP_OK, "within it"},
        {"base.apk", "arm64", 0x1000 + 9544, FRAMEMAP_E_EMPTY, "after it"},
        {"base.apk", "arm64", 0xfff, FRAMEMAP_E_EMPTY, "before it"},
        {"base.apk", "arm64", 0, FRAMEMAP_E_EMPTY, "no offset"},
        {"split.apk", "arm64", 0x1000, FRAMEMAP_E_EMPTY, "another archive"},
        {"base.apk", "x86_64", 0x1000, FRAMEMAP_E_EMPTY, "another architecture"},
        {"app.aab", "arm64", 0x1000, FRAMEMAP_E_EMPTY, "compressed in it"},
    };
    framemap_session *session = open_with(FM_SOURCE_DIR "/corpus/archives/base.apk", "", NULL);
    framemap_error error = {0};
    must_ok(framemap_session_add(session, FM_SOURCE_DIR "/corpus/archives/app.aab", &error), &error);
    for (size_t i = 0; i < COUNT_OF(rows); i++) {
        const framemap_image_query want = {.name = framemap_str_of(rows[i].name),
                                           .arch = framemap_str_of(rows[i].arch),
                                           .file_offset = rows[i].offset};
        framemap_index_info info;
        char id[65] = "";
        const framemap_status status = describe(session, &want, &info, id, &error);
        if (status != rows[i].status) fail_msg("%s: %d %s", rows[i].why, status, error.message);
        if (status == FRAMEMAP_OK) assert_string_equal(id, "73461bc941eaa3203f2e8a1e602a57471b4727f2");
    }
    framemap_session_close(session);
}

static void slices_of_a_fat_file(void **state)
{
    (void)state;
    static const struct {
        const char *arch, *id;
        framemap_status status;
    } rows[] = {
        {"arm64", "", FRAMEMAP_OK},         {"aarch64", "", FRAMEMAP_OK},
        {"x86_64", "", FRAMEMAP_OK},        {"", "", FRAMEMAP_E_MISMATCH},
        {"ppc64", "", FRAMEMAP_E_MISMATCH}, {"", "4c4c447755553144a1cdacdd9702cfbc", FRAMEMAP_OK},
    };
    framemap_session *session = open_with(NULL, "", NULL);
    for (size_t i = 0; i < COUNT_OF(rows); i++) {
        framemap_index_info info;
        framemap_error error = {0};
        char id[65];
        const framemap_image_query want = {.path = FM_STR(NATIVE "macho-fat.dwarf"),
                                           .arch = framemap_str_of(rows[i].arch),
                                           .id = framemap_str_of(rows[i].id)};
        framemap_status status = describe(session, &want, &info, id, &error);
        if (status != rows[i].status) fail_msg("%s %s: %d %s", rows[i].arch, rows[i].id, (int)status, error.message);
        if (rows[i].id[0]) assert_string_equal(id, rows[i].id);
    }
    framemap_session_close(session);
}

/* If the stripped file of a build and its file with debug info are both given, the file with debug info is used. */
static void the_better_file_of_one_build(void **state)
{
    (void)state;
    framemap_bytes stripped = get_file(NATIVE "gcc-x86_64-O2-stripped.elf"),
                   full = get_file(NATIVE "gcc-x86_64-O2.elf");
    put_file(&folder, "both/app", framemap_bytes_str(&stripped));
    put_file(&folder, "both/symbols/other-name", framemap_bytes_str(&full));
    put_file(&folder, "poor/app", framemap_bytes_str(&stripped));
    framemap_bytes_free(&stripped);
    framemap_bytes_free(&full);
    framemap_index_info info;
    framemap_error error = {0};
    char id[65];

    framemap_session *session = open_with(in_folder(&folder, "both"), "", NULL);
    framemap_image_query want = {.path = framemap_str_of(in_folder(&folder, "both/app"))};
    must_ok(describe(session, &want, &info, id, &error), &error);
    framemap_session_close(session);

    session = open_with(in_folder(&folder, "poor"), "", NULL);
    const framemap_image_query poor = {.name = FM_STR("app")};
    assert_int_equal(describe(session, &poor, &info, id, &error), FRAMEMAP_E_EMPTY);
    assert_non_null(strstr(error.message, "stripped"));
    assert_non_null(strstr(error.where, "poor/app"));

    char text[200];
    framemap_trace_list list;
    snprintf(text, sizeof text, "#00 pc 0000000000400660  /data/app (BuildId: %s)\n",
             "1e4baeab7b0f31c47cb0555be70cf091f88f342a");
    must_ok(framemap_trace_parse(framemap_str_of(text), NULL, &list, &error), &error);
    must_ok(framemap_session_restore_traces(session, &list, FRAMEMAP_DEMANGLE_DEFAULT, NULL, &error), &error);
    const framemap_frame *frame = &list.traces[0].frames[0];
    assert_int_equal(frame->status, FRAMEMAP_FRAME_MISSING_SYMBOLS);
    assert_non_null(strstr(frame->reason, "stripped"));
    framemap_trace_list_free(&list);
    framemap_session_close(session);
}

static void damaged_files_are_warnings(void **state)
{
    (void)state;
    struct warnings warnings = {0};
    framemap_bytes whole = get_file(NATIVE "gcc-x86_64-O2.elf");
    put_file(&folder, "mixed/whole", framemap_bytes_str(&whole));
    put_file(&folder, "mixed/cut", fm_str(whole.data, 40));
    framemap_bytes_free(&whole);
    framemap_session *session = open_with(in_folder(&folder, "mixed"), "", &warnings);
    assert_int_equal(warnings.count, 1);
    assert_non_null(strstr(warnings.last.where, "mixed/cut"));
    framemap_index_info info;
    framemap_error error = {0};
    char id[65];
    const framemap_image_query want = {.name = FM_STR("whole")};
    must_ok(describe(session, &want, &info, id, &error), &error);
    framemap_session_close(session);
}

static framemap_status compile_with_cache(const char *cache, const char *file, uint64_t *positions)
{
    framemap_index_info info;
    framemap_error error = {0};
    char id[65];
    framemap_session *session = open_with(NULL, cache, NULL);
    const framemap_image_query want = {.path = framemap_str_of(file)};
    framemap_status status = describe(session, &want, &info, id, &error);
    if (status == FRAMEMAP_OK) *positions = info.position_count;
    framemap_session_close(session);
    return status;
}

/* An index that one session has stored on disk is used by the next session, even if the symbol file is at another path.
 * It is not used after the file was changed. */
static void the_cache_on_disk(void **state)
{
    (void)state;
    framemap_bytes one = get_file(NATIVE "gcc-x86_64-O2.elf"), other = get_file(NATIVE "gcc-x86_64-O3.elf");
    char cache[512], file[512];
    uint64_t first, second, third;
    strcpy(cache, in_folder(&folder, "cache"));
    put_file(&folder, "here/app", framemap_bytes_str(&one));
    put_file(&folder, "there/app", framemap_bytes_str(&one));
    strcpy(file, in_folder(&folder, "here/app"));
    assert_int_equal(compile_with_cache(cache, file, &first), FRAMEMAP_OK);
    assert_int_equal(count_files(cache, ".fmx"), 1);
    assert_int_equal(compile_with_cache(cache, file, &second), FRAMEMAP_OK);
    assert_int_equal(compile_with_cache(cache, in_folder(&folder, "there/app"), &second), FRAMEMAP_OK);
    assert_int_equal(count_files(cache, ".fmx"), 1);
    assert_true(first == second);
    put_file(&folder, "here/app", framemap_bytes_str(&other));
    assert_int_equal(compile_with_cache(cache, file, &third), FRAMEMAP_OK);
    assert_int_equal(count_files(cache, ".fmx"), 2);
    assert_true(first != third);
    framemap_bytes_free(&one);
    framemap_bytes_free(&other);
}

static void sections(void **state)
{
    (void)state;
    framemap_bytes bytes = get_file(NATIVE "gcc-x86_64-O2.elf");
    framemap_section_info rows[64];
    framemap_error error = {0};
    size_t count = 0, code = 0;
    must_ok(framemap_file_sections(framemap_bytes_str(&bytes), NULL, rows, COUNT_OF(rows), &count, &error), &error);
    assert_true(count > 0 && count <= COUNT_OF(rows));
    for (size_t i = 0; i < count; i++) {
        if (rows[i].code) code++;
        if (fm_str_equal(rows[i].name, FM_STR(".text")))
            assert_true(rows[i].code && rows[i].address >= 0x400000 && rows[i].size > 0);
    }
    assert_true(code >= 1);
    must_ok(framemap_file_sections(FM_STR("no object"), NULL, rows, COUNT_OF(rows), &count, &error), &error);
    assert_int_equal(count, 0);
    framemap_bytes_free(&bytes);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_library_at_an_offset_of_an_apk),
        cmocka_unit_test(slices_of_a_fat_file),
        cmocka_unit_test(the_better_file_of_one_build),
        cmocka_unit_test(damaged_files_are_warnings),
        cmocka_unit_test(the_cache_on_disk),
        cmocka_unit_test(sections),
    };
    return cmocka_run_group_tests(tests, set_up, tear_down);
}
