#include "tests/formats/formats_help.h"

static const struct text_case texts[] = {
    {"objects", "classes, arrays, and other trees",
     "\xE2\x94\xAC\xE2\x94\x80\xE2\x94\x80\xE2\x94\x80\n"
     "\xE2\x94\x82 GC Root: System class\n"
     "\xE2\x94\x82\n"
     "\xE2\x94\x9C\xE2\x94\x80 android.provider.FontsContract class\n"
     "\xE2\x94\x82    Leaking: NO (a.c\xE2\x86\x93 is not leaking and a class is never leaking)\n"
     "\xE2\x94\x82    \xE2\x86\x93 static FontsContract.sContext\n"
     "\xE2\x94\x9C\xE2\x94\x80 a.c instance\n"
     "\xE2\x94\x82    \xE2\x86\x93 c.b\n"
     "\xE2\x94\x82        ~\n"
     "\xE2\x94\x9C\xE2\x94\x80 java.lang.Object[] array\n"
     "\xE2\x94\x82    \xE2\x86\x93 Object[0]\n"
     "\xE2\x95\xB0\xE2\x86\x92 a.a$b instance\n"
     "\xE2\x80\x8B     Leaking: YES (ObjectWatcher was watching this because x)\n"
     "\xE2\x94\x9C\xE2\x94\x80 x.y.z\n"
     "\xE2\x94\x9C\xE2\x94\x80\xE2\x94\x80 a.b instance\n",
     "leak-trace 4\n- c:android.provider.FontsContract not-needed\n- c:a.c\n- c:java.lang.Object not-needed\n"
     "- c:a.a$b\n"},
};

static const framemap_frame source = {.class_name = {"com.example.Cart", 16}};
static const struct text_case looks[] = {
    {"leak-trace", "only the class is replaced", "\xE2\x94\x9C\xE2\x94\x80 a.c instance\n",
     "\xE2\x94\x9C\xE2\x94\x80 com.example.Cart instance\n"},
};

static void test_texts(void **state)
{
    (void)state;
    check_texts(texts, sizeof texts / sizeof *texts);
}
static void test_looks(void **state)
{
    (void)state;
    check_looks(looks, sizeof looks / sizeof *looks, &source, 1);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_texts), cmocka_unit_test(test_looks)};
    return cmocka_run_group_tests_name("formats leak trace", tests, NULL, NULL);
}
