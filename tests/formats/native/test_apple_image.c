#include "tests/formats/formats_help.h"

#include "formats/native/apple/apple.h"
#include "formats/scan/document.h"

static const struct {
    const char *name, *row, *image, *arch, *id, *path; /* image NULL: the line does not list an image */
    uint64_t load, size;
    bool bare;
} rows[] = {
    {"ios",
     "       0x10211c000 -        0x1024b3fff App Name arm64  <debeff4e26534f38e59bc9de7b8daade> /private/a b/App Name",
     "App Name", "arm64", "debeff4e26534f38e59bc9de7b8daade", "/private/a b/App Name", 0x10211c000, 0x398000, false},
    {"macos", "0x10e30e000 - 0x10e311fff +com.b.App (1.0 - 42) <01D2A9D5-1f8a-35c8-9228-7c7cca13c5fc> /U/App",
     "com.b.App", "", "01d2a9d51f8a35c892287c7cca13c5fc", "/U/App", 0x10e30e000, 0x4000, false},
    {"end after", "0x1000 - 0x2000 a (*) <01d2a9d51f8a35c892287c7cca13c5fc> /a", "a", "",
     "01d2a9d51f8a35c892287c7cca13c5fc", "/a", 0x1000, 0x1000, false},
    {"no end", "0x1000 - ??? a (\?\?\?) <01d2a9d51f8a35c892287c7cca13c5fc>", "a", "",
     "01d2a9d51f8a35c892287c7cca13c5fc", "", 0x1000, 0, false},
    {"backwards", "0x2000 - 0x1000 a <01d2a9d51f8a35c892287c7cca13c5fc>", "a", "", "01d2a9d51f8a35c892287c7cca13c5fc",
     "", 0x2000, 0, false},
    {"everything", "0x0 - 0xffffffffffffffff ??? (*) <00000000-0000-0000-0000-000000000000> ???", "???", "",
     "00000000000000000000000000000000", "???", 0, UINT64_MAX, false},
    {"name from path", "0x1000 - 0x1fff <01d2a9d51f8a35c892287c7cca13c5fc> /x/y", "y", "",
     "01d2a9d51f8a35c892287c7cca13c5fc", "/x/y", 0x1000, 0x1000, false},
    {"angles in a name", "0x1000 - 0x1fff a <b> arm64e <01d2a9d51f8a35c892287c7cca13c5fc> /x", "a <b>", "arm64e",
     "01d2a9d51f8a35c892287c7cca13c5fc", "/x", 0x1000, 0x1000, false},
    {"no id", "0x1000 - 0x1fff a armv7 /x/a b", "a", "armv7", "", "/x/a b", 0x1000, 0x1000, true},
    {"no id, unexpected", "0x1000 - 0x1fff a /x/a", NULL, "", "", "", 0, 0, false},
    {"long", "0x11111111111111111 - 0x1fff a <01d2a9d51f8a35c892287c7cca13c5fc>", NULL, "", "", "", 0, 0, false},
    {"region", "0x1000-0x2000 rw-", NULL, "", "", "", 0, 0, false},
};

static void test_rows(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        struct parsed parsed;
        framemap_image image = {0};
        parse(&parsed, (framemap_str){NULL, 0});
        struct fm_document doc = {.arena = &parsed.arena};
        bool taken = fm_apple_image(text_of(rows[i].row), rows[i].bare, &doc, &image);
        if (taken != (rows[i].image != NULL)) fail_msg("%s: taken %d", rows[i].name, taken);
        if (taken) {
            same_text(rows[i].name, "name", image.name, text_of(rows[i].image));
            same_text(rows[i].name, "arch", image.arch, text_of(rows[i].arch));
            same_text(rows[i].name, "id", image.id, text_of(rows[i].id));
            same_text(rows[i].name, "path", image.path, text_of(rows[i].path));
            same_number(rows[i].name, "load address", image.load_address, rows[i].load);
            same_number(rows[i].name, "size", image.size, rows[i].size);
        }
        parsed_free(&parsed);
    }
}

static void test_arch(void **state)
{
    static const char *const names[][2] = {{"ARM-64 (Native)", "arm64"},
                                           {"X86-64 (Translated)", "x86_64"},
                                           {"ARM", "arm"},
                                           {"X86 (Native)", "i386"},
                                           {"PPC", ""}};
    (void)state;
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        same_text(names[i][0], "arch", fm_apple_arch(text_of(names[i][0])), text_of(names[i][1]));
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_rows), cmocka_unit_test(test_arch)};
    return cmocka_run_group_tests_name("formats apple images", tests, NULL, NULL);
}
