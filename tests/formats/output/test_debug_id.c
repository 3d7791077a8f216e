/* The ids of images as event backends write them. */
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

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_rows)};
    return cmocka_run_group_tests_name("formats debug id", tests, NULL, NULL);
}
