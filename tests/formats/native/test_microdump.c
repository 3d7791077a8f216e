#include "tests/formats/native/native_help.h"

#define ZEROS_32 "00000000000000000000000000000000"
#define ZEROS_128 ZEROS_32 ZEROS_32 ZEROS_32 ZEROS_32

static const struct text_case texts[] = {
    {"arm64", "system, signal, registers and images; the program counter is a frame",
     "W/google-breakpad(26491): -----BEGIN BREAKPAD MICRODUMP-----\n"
     "W/google-breakpad(26491): V WebView:45.0.2454.95\n"
     "W/google-breakpad(26491): O A arm64 08 aarch64 google/angler:7.1.1\n"
     "W/google-breakpad(26491): R 0000000B SIGSEGV 0000000000000010\n"
     "W/google-breakpad(26491): S 0 0000007FDBB3F000 0000007FDBB3E000 00002000\n"
     "W/google-breakpad(26491): C " ZEROS_128 ZEROS_128 ZEROS_128 ZEROS_128 "00F0B3DB7F000000"
     "4413010000000000\n"
     "W/google-breakpad(26491): M 0000000000010000 0000000000000000 0000000000010000 "
     "C91B4673EA4120A33F2E8A1E602A57470 libdemo.so\n"
     "W/google-breakpad(26491): -----END BREAKPAD MICRODUMP-----\n",
     "microdump 6 type:SIGSEGV signal:SIGSEGV fault:0x10 arch:arm64 os:Android version:aarch64 google/angler:7.1.1 "
     "crashed pc=0x11344 sp=0x7fdbb3f000\n"
     "#0 m:libdemo.so absolute:0x11344 load:0x10000 id:c91b4673ea4120a33f2e8a1e602a57470\n"},
    {"unknown", "an architecture that is not known has no frames",
     "-----BEGIN BREAKPAD MICRODUMP-----\nO L mips 01 mips\nC 00112233\n-----END BREAKPAD MICRODUMP-----\n", ""},
    {"cut", "registers that are cut off", "-----BEGIN BREAKPAD MICRODUMP-----\nO A arm 01 armv7l\nC 0011\nM 1 2\n", ""},
};

static const struct text_case looks[] = {
    {"microdump", "the line stays, the frame is below it",
     "-----BEGIN BREAKPAD MICRODUMP-----\nO A arm 01 armv7l\nC " ZEROS_128 "10000000\n",
     "-----BEGIN BREAKPAD MICRODUMP-----\nO A arm 01 armv7l\nC " ZEROS_128 "10000000\n"
     " 0  !inner(int) [src/a.cc : 7]\n 0  !outer() [src/a.cc : 21]\n"},
};

static void test_texts(void **state)
{
    (void)state;
    check_told(texts, sizeof texts / sizeof *texts);
}
static void test_looks(void **state)
{
    (void)state;
    check_looks(looks, sizeof looks / sizeof *looks, fm_test_chain, 2);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_texts), cmocka_unit_test(test_looks)};
    return cmocka_run_group_tests_name("formats microdump", tests, NULL, NULL);
}
