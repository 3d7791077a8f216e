#include "tests/formats/formats_help.h"

static const struct text_case texts[] = {
    {"rows", "the UUID is the key; the top row is exact",
     "My App  0x00000001079b59d3 0x1079b3000 + 10707 [8C17697F-2e84-39e5-b491-fcf5169106ff]\nlibobjc.A.dylib "
     "0x00007fff20193ff5 0x7fff20174000 + 131061 [8c17697f2e8439e5b491fcf5169106ff]\n",
     "apple-short 1\n- m:My App absolute:0x1079b59d3 load:0x1079b3000 id:8c17697f2e8439e5b491fcf5169106ff\n"
     "- m:libobjc.A.dylib absolute:0x7fff20193ff5 load:0x7fff20174000 return id:8c17697f2e8439e5b491fcf5169106ff\n"},
    {"titled", "BSBacktraceLogger's rows have no UUID",
     "x Backtrace of Thread 1803:\n======\nApp      0x10b831f4c -[VC bar] + 12\n\nother\ntext\nmore\nApp      "
     "0x10b831f4c -[VC bar] + 12\n",
     "apple-short 3 thread:Thread 1803\n- m:App absolute:0x10b831f4c return f:-[VC bar]+12\n"},
    {"NativeScript", "WebKit's rows have no module; the row after _sigtramp is where the signal came",
     "NativeScript caught signal 11.\nNative Stack:\n1   0x107388ff1 sig_handler(int)\n2   0x10bbe0f5a _sigtramp\n"
     "3   0xc\n4   0x10b29f865 -[NSArray initWithArray:range:copyItems:]\nJS Stack:\n1   0x107388ff2 f\n",
     "apple-short 3 exception:SIGSEGV crashed\n#1 absolute:0x107388ff1 return f:sig_handler(int)\n"
     "#2 absolute:0x10bbe0f5a return f:_sigtramp\n#3 absolute:0xc\n"
     "#4 absolute:0x10b29f865 return f:-[NSArray initWithArray:range:copyItems:]\n"},
    {"NativeScript, an error", "the older title; prose below it is none of it",
     "x shop[81]: Native stack trace:\n1   0x82ca2 NS::report(JSC::ExecState*)\n2   0xc29172\nNative stack trace:\n"
     "1   apple 0x82ca2\n",
     "apple-short 2\n#1 absolute:0x82ca2 return f:NS::report(JSC::ExecState*)\n#2 absolute:0xc29172 return\n"},
    {"Titanium", "rows with a module and without numbers below the same title; prose is none of them",
     "[ERROR] Native Stack:\n[ERROR]     TitaniumKit 0x0000000100dffb77 -[TiError description] + 1127\n"
     "[ERROR]     Core Kit 0x00007fff20862a33 __f + 82\n[ERROR]     see 0x123456 of it\n",
     "apple-short 2\n"
     "- m:TitaniumKit absolute:0x100dffb77 return f:-[TiError description]+1127\n"
     "- m:Core Kit absolute:0x7fff20862a33 return f:__f+82\n"},
    {"untitled", "such rows alone are not believed", "App      0x10b831f4c -[VC bar] + 12\n", ""},
    {"long", "17 digits", "App  0x000000001079b59d3 0x1079b3000 + 10707 [8c17697f2e8439e5b491fcf5169106ff]\n",
     "apple-short 1\n- m:App id:8c17697f2e8439e5b491fcf5169106ff malformed\n"},
    {"near misses", "brackets of other kinds", "App 0x12345678 0x12345000 + 1656 [8c17]\narr[1]\n", ""},
};
static const struct text_case looks[] = {
    {"chain", "the UUID stays", "App  0x00000001079b59d3 0x1079b3000 + 10707 [8c17697f2e8439e5b491fcf5169106ff]\n",
     "App  0x00000001079b59d3 inner(int) (a.cc:7) [8c17697f2e8439e5b491fcf5169106ff]\nApp  0x00000001079b59d3 outer() "
     "(a.cc:21) [8c17697f2e8439e5b491fcf5169106ff]\n"},
    {"NativeScript", "a row without a module", "Native Stack:\n1   0x1079b59d3 f\n",
     "Native Stack:\n1   0x1079b59d3 inner(int) (a.cc:7)\n1   0x1079b59d3 outer() (a.cc:21)\n"},
};
static const struct text_case symbol_looks[] = {
    {"NativeScript", "a name without a module", "Native Stack:\n1   0x00000001079b59d3 f\n",
     "Native Stack:\n1   0x00000001079b59d3 outer() + 24\n"},
    {"symbol", "distance in decimal",
     "App  0x00000001079b59d3 0x1079b3000 + 10707 [8c17697f2e8439e5b491fcf5169106ff]\n",
     "App  0x00000001079b59d3 outer() + 24 [8c17697f2e8439e5b491fcf5169106ff]\n"},
};

static void test_texts(void **state)
{
    (void)state;
    check_texts(texts, sizeof texts / sizeof *texts);
}
static void test_looks(void **state)
{
    (void)state;
    check_looks(looks, sizeof looks / sizeof *looks, fm_test_chain, 2);
    check_looks(symbol_looks, sizeof symbol_looks / sizeof *symbol_looks, fm_test_symbol, 1);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_texts), cmocka_unit_test(test_looks)};
    return cmocka_run_group_tests_name("formats apple-short", tests, NULL, NULL);
}
