/* Tests how the ids of images are written for services that collect events, such as Sentry. */
#include "formats/output/debug_id.h"
#include "tests/formats/formats_help.h"

static const struct {
    const char *why;
    enum fm_id_form form;
    const char *id, *arch, *want;
} rows[] = {
    {"20 bytes: the first 16, as a little-endian GUID", FM_ID_BUILD_ID, "00112233445566778899aabbccddeeff01020304", "",
     "33221100-5544-7766-8899-aabbccddeeff"},
    {"big-endian", FM_ID_BUILD_ID, "00112233445566778899aabbccddeeff", "s390x", "00112233-4455-6677-8899-aabbccddeeff"},
    {"little-endian MIPS", FM_ID_BUILD_ID, "00112233445566778899aabbccddeeff", "mipsel",
     "33221100-5544-7766-8899-aabbccddeeff"},
    {"8 bytes are filled with zeros", FM_ID_BUILD_ID, "0011223344556677", "arm64",
     "33221100-5544-7766-0000-000000000000"},
    {"half a byte", FM_ID_BUILD_ID, "001", "", ""},
    {"Mach-O", FM_ID_UUID, "8c17697f2e8439e5b491fcf5169106ff", "arm64", "8c17697f-2e84-39e5-b491-fcf5169106ff"},
    {"no UUID", FM_ID_UUID, "8c17697f2e8439e5b491fcf5169106ff1", "", ""},
    {"PE: GUID and age", FM_ID_BREAKPAD, "5a9832e5287241c1838ed98914e9b7ff1f", "",
     "5a9832e5-2872-41c1-838e-d98914e9b7ff-1f"},
    {"no age", FM_ID_BREAKPAD, "5a9832e5287241c1838ed98914e9b7ff0", "", "5a9832e5-2872-41c1-838e-d98914e9b7ff"},
    {"the longest age", FM_ID_BREAKPAD, "5a9832e5287241c1838ed98914e9b7ffffffffff", "",
     "5a9832e5-2872-41c1-838e-d98914e9b7ff-ffffffff"},
    {"too long", FM_ID_BREAKPAD, "5a9832e5287241c1838ed98914e9b7ff111111111", "", ""},
    {"too short", FM_ID_BREAKPAD, "5a9832e5", "", ""},
    {"a mapping's name", FM_ID_BUILD_ID, "release-12", "", ""},
    {"none", FM_ID_UUID, "", "", ""},
};

static void test_rows(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        char out[FM_DEBUG_ID_MOST] = "";
        const size_t size = fm_debug_id(text_of(rows[i].id), rows[i].form, text_of(rows[i].arch), out);
        same_text(rows[i].why, "debug id", fm_str(out, size), text_of(rows[i].want));
    }
}

static void ids_of_apple_are_uuids(void **state)
{
    (void)state;
    static const struct fm_format elf = {.id_form = FM_ID_BUILD_ID}, breakpad = {.id_form = FM_ID_BREAKPAD};
    static const struct {
        const char *os, *path;
        enum fm_id_form want;
    } systems[] = {{"iOS", "", FM_ID_UUID},
                   {"iPhone OS 17.1", "", FM_ID_UUID},
                   {"macOS", "/usr/bin/app", FM_ID_UUID},
                   {"", "/usr/lib/libobjc.A.dylib", FM_ID_UUID},
                   {"", "/var/App.app/App", FM_ID_UUID},
                   {"", "/System/Library/Frameworks/UIKit.framework/UIKit", FM_ID_UUID},
                   {"Linux", "/usr/lib/swift/linux/libswiftCore.so", FM_ID_BUILD_ID},
                   {"Android", "/data/app/libapp.so", FM_ID_BUILD_ID},
                   {"", "", FM_ID_BUILD_ID}};
    for (size_t i = 0; i < sizeof systems / sizeof *systems; i++) {
        framemap_image image = {.path = text_of(systems[i].path)};
        const framemap_trace trace = {.os = text_of(systems[i].os), .images = &image, .image_count = 1};
        assert_int_equal(fm_id_form_of(&elf, &trace), systems[i].want);
        assert_int_equal(fm_id_form_of(NULL, &trace), systems[i].want);
        assert_int_equal(fm_id_form_of(&breakpad, &trace), FM_ID_BREAKPAD);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_rows), cmocka_unit_test(ids_of_apple_are_uuids)};
    return cmocka_run_group_tests_name("formats debug id", tests, NULL, NULL);
}
