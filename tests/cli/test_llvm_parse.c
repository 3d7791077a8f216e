#include "tests/testing.h"

#include "cli/fronts/llvm.h"

/* The expected result of each row is what llvm-symbolizer 19 (or llvm-addr2line 19) does. */
static void reads_questions(void **state)
{
    (void)state;
    static const struct {
        const char *text, *object;
        bool addr2line;
        const char *wrong; /* error message for the line; NULL: the line is a valid request */
        enum fm_llvm_command command;
        const char *module;
        uint64_t address;
        const char *symbol; /* name of the requested symbol; NULL: the request is for an address */
    } rows[] = {
        {"CODE \"/a b\" 0x10", NULL, false, NULL, FM_LLVM_CODE, "/a b", 0x10, NULL},
        {"CODE 'a\"b' 0x10", NULL, false, NULL, FM_LLVM_CODE, "a\"b", 0x10, NULL},
        {"DATA a 16", NULL, false, NULL, FM_LLVM_DATA, "a", 16, NULL},
        {"FRAME a 0x10", NULL, false, NULL, FM_LLVM_FRAME, "a", 16, NULL},
        {" CODE a 0x10", NULL, false, NULL, FM_LLVM_CODE, "CODE", 0, "a"},
        {"a 010", NULL, false, NULL, FM_LLVM_CODE, "a", 8, NULL},
        {"a 0b11", NULL, false, NULL, FM_LLVM_CODE, "a", 3, NULL},
        {"a 0o17", NULL, false, NULL, FM_LLVM_CODE, "a", 15, NULL},
        {"a 0", NULL, false, NULL, FM_LLVM_CODE, "a", 0, NULL},
        {"a 0x11 junk", NULL, false, NULL, FM_LLVM_CODE, "a", 0x11, NULL},
        {"a main", NULL, false, NULL, FM_LLVM_CODE, "a", 0, "main"},
        {"a main+4", NULL, false, NULL, FM_LLVM_CODE, "a", 0, "main"},
        {"a main+", NULL, false, NULL, FM_LLVM_CODE, "a", 0, "main+"},
        {"a operator+x", NULL, false, NULL, FM_LLVM_CODE, "a", 0, "operator+x"},
        {"FILE:a 0x10", NULL, false, NULL, FM_LLVM_CODE, "a", 0x10, NULL},
        {"FILE: a 0x10", NULL, false, NULL, FM_LLVM_CODE, "a", 0x10, NULL},
        {"BUILDID:abcd 0x10", NULL, false, NULL, FM_LLVM_CODE, "abcd", 0x10, NULL},
        {"0x10", "o", false, NULL, FM_LLVM_CODE, "o", 0x10, NULL},
        {"CODE 0x10", "o", false, NULL, FM_LLVM_CODE, "o", 0x10, NULL},
        {"a 0x10", "o", false, NULL, FM_LLVM_CODE, "o", 0, "a"},
        {"10", "o", true, NULL, FM_LLVM_CODE, "o", 0x10, NULL},
        {"0x10", "o", true, NULL, FM_LLVM_CODE, "o", 0x10, NULL},
        {"0XfF", "o", true, NULL, FM_LLVM_CODE, "o", 0xff, NULL},
        {",", "o", true, NULL, FM_LLVM_CODE, "o", 0, ","},
        {"zz", "o", true, NULL, FM_LLVM_CODE, "o", 0, "zz"},
        {"foo", NULL, false, "no module offset has been specified", 0, NULL, 0, NULL},
        {"\"a 0x", NULL, false, "no input filename has been specified", 0, NULL, 0, NULL},
        {"a 0xzz", NULL, false, "expected a number as module offset", 0, NULL, 0, NULL},
        {"a 99999999999999999999", NULL, false, "expected a number as module offset", 0, NULL, 0, NULL},
        {"0x", "o", true, "expected a number as module offset", 0, NULL, 0, NULL},
        {"FILE:a 0x10", "o", false, "input file has already been specified", 0, NULL, 0, NULL},
        {"FILE:FILE:a 1", NULL, false, "duplicate input file specification prefix", 0, NULL, 0, NULL},
        {"FILE:", NULL, false, "must be followed by an input file", 0, NULL, 0, NULL},
        {"BUILDID:", NULL, false, "must be followed by a hash", 0, NULL, 0, NULL},
        {"BUILDID:xy 1", NULL, false, "wrong format of build-id", 0, NULL, 0, NULL},
        {"FILE:\"a 1", NULL, false, "unbalanced quotes in input file name", 0, NULL, 0, NULL},
    };
    struct fm_llvm *llvm = calloc(1, sizeof *llvm);
    assert_non_null(llvm);
    for (size_t i = 0; i < COUNT_OF(rows); i++) {
        struct fm_llvm_request request;
        llvm->object = rows[i].object;
        llvm->addr2line = rows[i].addr2line;
        const char *wrong = fm_llvm_parse(llvm, framemap_str_of(rows[i].text), &request);
        if (rows[i].wrong) {
            if (!wrong || strcmp(wrong, rows[i].wrong) != 0)
                fail_msg("\"%s\": %s", rows[i].text, wrong ? wrong : "taken");
            continue;
        }
        if (wrong) fail_msg("\"%s\": %s", rows[i].text, wrong);
        assert_int_equal(request.command, rows[i].command);
        assert_str(request.module, rows[i].module);
        assert_int_equal(request.has_address, rows[i].symbol == NULL);
        assert_str(request.symbol, rows[i].symbol ? rows[i].symbol : "");
        if (request.has_address) assert_int_equal(request.address, rows[i].address);
    }
    free(llvm);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(reads_questions)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
