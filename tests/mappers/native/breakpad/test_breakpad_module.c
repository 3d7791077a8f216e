/* Tests of breakpad_module.c: ids, architecture and name of the module that a file describes. */
#include "mappers/native/breakpad/breakpad_module.h"
#include "tests/testing.h"

#define GUID "BBA6FA10B8AAB33D0000000000000000"
#define LONG "C91B4673EA4120A33F2E8A1E602A5747"
#define LONG_CODE "73461bc941eaa3203f2e8a1e602a57471b4727f2"
#define ZERO "00000000000000000000000000000000"

static const struct {
    const char *why, *text;
    const char *id, *debug_id, *code_id, *arch, *name;
    unsigned bits;
} rows[] = {
    {"ELF: the start of the build id", "MODULE Linux arm64 " LONG "0 libdemo.so\n", "73461bc941eaa3203f2e8a1e602a5747",
     "c91b4673-ea41-20a3-3f2e-8a1e602a5747", "", "arm64", "libdemo.so", 64},
    {"the whole build id",
     "MODULE Linux arm64 " LONG "0 libdemo.so\nINFO CODE_ID 73461BC941EAA3203F2E8A1E602A57471B4727F2\n", LONG_CODE,
     "c91b4673-ea41-20a3-3f2e-8a1e602a5747", LONG_CODE, "arm64", "libdemo.so", 64},
    {"with a name",
     "MODULE Android arm " LONG "0 libdemo.so\nINFO CODE_ID 73461bc941eaa3203f2e8a1e602a57471b4727f2 x.so\n", LONG_CODE,
     "c91b4673-ea41-20a3-3f2e-8a1e602a5747", LONG_CODE, "arm", "libdemo.so", 32},
    {"a short build id", "MODULE Linux x86_64 " GUID "0 app\nINFO CODE_ID 10FAA6BBAAB83DB3\n", "10faa6bbaab83db3",
     "bba6fa10-b8aa-b33d-0000-000000000000", "10faa6bbaab83db3", "x86_64", "app", 64},
    {"a short build id without CODE_ID", "MODULE Linux x86_64 " GUID "0 app\n", "10faa6bbaab83db30000000000000000",
     "bba6fa10-b8aa-b33d-0000-000000000000", "", "x86_64", "app", 64},
    {"CODE_ID of another file", "MODULE Linux x86_64 " GUID "0 app\nINFO CODE_ID 20FAA6BBAAB83DB3\n",
     "10faa6bbaab83db30000000000000000", "bba6fa10-b8aa-b33d-0000-000000000000", "20faa6bbaab83db3", "x86_64", "app",
     64},
    {"CODE_ID longer than what MODULE has", "MODULE Linux x86_64 " GUID "0 app\nINFO CODE_ID 10FAA6BBAAB83DB301\n",
     "10faa6bbaab83db30000000000000000", "bba6fa10-b8aa-b33d-0000-000000000000", "10faa6bbaab83db301", "x86_64", "app",
     64},
    {"CODE_ID after other INFO", "MODULE Linux x86_64 " GUID "0 app\nINFO URL x\nINFO CODE_ID 10FAA6BBAAB83DB3\n",
     "10faa6bbaab83db3", "bba6fa10-b8aa-b33d-0000-000000000000", "10faa6bbaab83db3", "x86_64", "app", 64},
    {"no id", "MODULE Linux x86_64 " ZERO "0 app\n", "", "", "", "x86_64", "app", 64},
    {"a build id that MODULE lacks", "MODULE Linux x86_64 " ZERO "0 app\nINFO CODE_ID 10FAA6BBAAB83DB3\n",
     "10faa6bbaab83db3", "", "10faa6bbaab83db3", "x86_64", "app", 64},
    {"Mach-O", "MODULE mac arm64 67E9247C814E392BA027DBDE6748FCBF0 My App\n", "67e9247c814e392ba027dbde6748fcbf",
     "67e9247c-814e-392b-a027-dbde6748fcbf", "67e9247c814e392ba027dbde6748fcbf", "arm64", "My App", 64},
    {"iOS", "MODULE iOS arm64e 67E9247C814E392BA027DBDE6748FCBF0 App\n", "67e9247c814e392ba027dbde6748fcbf",
     "67e9247c-814e-392b-a027-dbde6748fcbf", "67e9247c814e392ba027dbde6748fcbf", "arm64e", "App", 64},
    {"Windows", "MODULE windows x86 5A9832E5287241C1838ED98914E9B7FF1 test_app.pdb\n",
     "5a9832e5287241c1838ed98914e9b7ff1", "5a9832e5-2872-41c1-838e-d98914e9b7ff-1", "", "i386", "test_app.pdb", 32},
    {"an age of several digits", "MODULE windows x86_64 5A9832E5287241C1838ED98914E9B7FF01A2 a.pdb\r\n",
     "5a9832e5287241c1838ed98914e9b7ff1a2", "5a9832e5-2872-41c1-838e-d98914e9b7ff-1a2", "", "x86_64", "a.pdb", 64},
    {"an age of 0", "MODULE windows x86_64 5A9832E5287241C1838ED98914E9B7FF0 a.pdb\n",
     "5a9832e5287241c1838ed98914e9b7ff0", "5a9832e5-2872-41c1-838e-d98914e9b7ff", "", "x86_64", "a.pdb", 64},
    {"the program of a PDB",
     "MODULE windows x86_64 5A9832E5287241C1838ED98914E9B7FF1 xul.pdb\nINFO CODE_ID 5C8A1B2F5000 xul.dll\n",
     "5a9832e5287241c1838ed98914e9b7ff1", "5a9832e5-2872-41c1-838e-d98914e9b7ff-1", "5c8a1b2f5000", "x86_64", "xul.dll",
     64},
    {"words that are not known", "MODULE Haiku vax " LONG "0 app\n", "73461bc941eaa3203f2e8a1e602a5747",
     "c91b4673-ea41-20a3-3f2e-8a1e602a5747", "", "vax", "app", 64},
    {"an architecture that is not known to dump_syms", "MODULE Linux unknown " LONG "0 app\n",
     "73461bc941eaa3203f2e8a1e602a5747", "c91b4673-ea41-20a3-3f2e-8a1e602a5747", "", "", "app", 64},
    {"no name", "MODULE Linux x86_64 " LONG "0\n", "73461bc941eaa3203f2e8a1e602a5747",
     "c91b4673-ea41-20a3-3f2e-8a1e602a5747", "", "x86_64", "", 64},
    {"a path", "MODULE Linux x86_64 " LONG "0 /usr/lib/libx.so\n", "73461bc941eaa3203f2e8a1e602a5747",
     "c91b4673-ea41-20a3-3f2e-8a1e602a5747", "", "x86_64", "libx.so", 64},
};

static void ids(void **state)
{
    (void)state;
    for (size_t i = 0; i < COUNT_OF(rows); i++) {
        struct fm_breakpad_module module;
        framemap_image_info info;
        if (!fm_breakpad_module_read(framemap_str_of(rows[i].text), &module)) fail_msg("%s", rows[i].why);
        fm_breakpad_describe(&module, &info);
        if (strcmp(info.id, rows[i].id) != 0 || strcmp(info.debug_id, rows[i].debug_id) != 0 ||
            strcmp(info.code_id, rows[i].code_id) != 0 || strcmp(info.arch, rows[i].arch) != 0 ||
            info.address_bits != rows[i].bits)
            fail_msg("%s: id %s, debug id %s, code id %s, arch %s, %u bits", rows[i].why, info.id, info.debug_id,
                     info.code_id, info.arch, info.address_bits);
        assert_str(fm_breakpad_image_name(&module), rows[i].name);
    }
}

static void files_are_noticed(void **state)
{
    (void)state;
    static const struct {
        const char *text;
        bool has_files;
    } texts[] = {
        {"MODULE Linux x86_64 " LONG "0 app\nFILE 0 a.c\n", true},
        {"MODULE Linux x86_64 " LONG "0 app\nINFO URL FILE 0\nINLINE_ORIGIN 0 f\nFILE 0 a.c\n", true},
        {"MODULE Linux x86_64 " LONG "0 app\nPUBLIC 1000 0 f\n", false},
        {"MODULE Linux x86_64 " LONG "0 app\nFILENAME\n", false},
        {"MODULE Linux x86_64 " LONG "0 app", false},
    };
    for (size_t i = 0; i < COUNT_OF(texts); i++) {
        struct fm_breakpad_module module;
        assert_true(fm_breakpad_module_read(framemap_str_of(texts[i].text), &module));
        assert_int_equal(module.has_files, texts[i].has_files);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(ids), cmocka_unit_test(files_are_noticed)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
