/* Tests that names in frame lines are decoded if the lines were escaped for HTML or JSON. */
#include "tests/formats/native/native_help.h"

static const struct text_case texts[] = {
    {"entities", "rows of pages; a reference in C++ is not an entity",
     "    #0 0x55e0 in foo&lt;int&gt;(bar&, a&amp;) /src/a.cc:3:4\n"
     "    #1 0x55e1 in operator&& /src/a.cc:3:5 (/l/a.so+0x1)\n",
     "sanitizer 1\n#0 absolute:0x55e0 f:foo<int>(bar&, a&) at:/src/a.cc:3:4 not-needed\n"
     "#1 m:a.so linked:0x1 f:operator&& at:/src/a.cc:3:5 not-needed path:/l/a.so abs:0x55e1\n"},
    {"escapes", "in a JSON string, where slashes and brackets need none",
     "{\"log\":\"  #0 0x55e0 in foo\\u003cint\\u003E(int) \\/src\\/a.cc:3:4\\n  #1 0x55e1 in b /a.cc:1:2\\n\"}\n",
     "sanitizer 1\n#0 absolute:0x55e0 f:foo<int>(int) at:/src/a.cc:3:4 not-needed\n"
     "#1 absolute:0x55e1 f:b at:/a.cc:1:2 not-needed\n"},
    {"other escapes", "backslashes of paths and namespaces stay", "    #0 0x55e0 in f C:\\src\\a.cc:3:4\n",
     "sanitizer 1\n#0 absolute:0x55e0 f:f at:C:\\src\\a.cc:3:4 not-needed\n"},
    {"images", "the id of an image",
     "Thread 0 Crashed:\n0   App   0x0000000100e4c1b4 0x100e48000 + 16820\n\nBinary Images:\n"
     "0x100e48000 - 0x100e53fff App arm64  &lt;4c4c444355553144a11e42e74ae5843a&gt; /App\n",
     "apple-crash 2 thread:0 crashed\n"
     "#0 m:App absolute:0x100e4c1b4 load:0x100e48000 id:4c4c444355553144a11e42e74ae5843a arch:arm64 path:/App\n"},
};

static void test_texts(void **state)
{
    (void)state;
    check_told(texts, sizeof texts / sizeof *texts);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_texts)};
    return cmocka_run_group_tests_name("formats frame decode", tests, NULL, NULL);
}
