#include "tests/formats/native/native_help.h"

static const struct text_case texts[] = {
    {"window", "rows without a line above and below; an inlined call, an address, other lines between",
     "Exception thrown at 0x00007FF6A1DEE112 in shop.exe: 0xC0000005: Access violation reading location 0x00000000.\n\n"
     " \tucrtbased.dll!abort()\tUnknown\n>\tshop.exe!cart::add(int n=3, const char * s=\"a\") Line 12\tC++\n"
     " \t[Inline Frame] shop.exe!cart::run(std::function<void (int)>) Line 33 + 0x5 bytes\tC++\n"
     " \t[External Code]\t\n"
     " \t[Frames below may be incorrect and/or missing, no symbols loaded for ntdll.dll]\tUnknown\n"
     " \tntdll.dll!77c60466()\tUnknown\n \tShop.dll!Shop.Cart.Add(int n) Line 7\tC#\tSymbols loaded.\nBye!\n",
     "visual-studio 3 type:Access violation message:Exception thrown at 0x00007FF6A1DEE112 in shop.exe: "
     "0xC0000005: Access violation reading location 0x00000000. crashed\n"
     "- m:ucrtbased.dll f:abort not-needed\n- m:shop.exe f:cart::add:12 not-needed\n"
     "- m:shop.exe f:cart::run:33 not-needed inlined\n- m:ntdll.dll absolute:0x77c60466 unknown-image\n"
     "- m:Shop.dll f:Shop.Cart.Add:7 not-needed\n"},
    {"files", "on a line below the row",
     "shop.exe!cart::add(int n) Line 12\n\tat C:\\my src\\cart.cc(12)\n"
     "kernel32.dll!Thunk()\n\tat C:\\no\\row.cc(9)\n",
     "visual-studio 1\n- m:shop.exe f:cart::add at:C:\\my src\\cart.cc:12 not-needed\n"
     "- m:kernel32.dll f:Thunk not-needed\n"},
    {"files in the row", "as later versions copy; the number must be that of the line",
     "shop.dll!cart::`anonymous namespace'::add(int n) Line 12 at C:\\my src\\cart.cc(12)\n"
     "shop.dll!run() Line 13 at C:\\src\\run.cc(13)\tC++\n\n\n\n\nshop.dll!f() Line 13 at C:\\src\\run.cc(14)\n",
     "visual-studio 1\n- m:shop.dll f:cart::`anonymous namespace'::add at:C:\\my src\\cart.cc:12 not-needed\n"
     "- m:shop.dll f:run at:C:\\src\\run.cc:13 not-needed\n"},
    {"near misses", "no line, no module, no extension, blanks in the module, nothing after the mark",
     "ntdll.dll!Thunk()\tUnknown\nf(x) Line 12\nshop!f() Line 12\nsee a.exe!f() Line 12\na.exe!f() Line x\n"
     "hello.world!(x) Line 3\n",
     ""},
};

static void test_texts(void **state)
{
    (void)state;
    check_told(texts, sizeof texts / sizeof *texts);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_texts)};
    return cmocka_run_group_tests_name("formats visual_studio", tests, NULL, NULL);
}
