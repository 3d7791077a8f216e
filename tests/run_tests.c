/* The main function that the tests of one folder share: all test programs of the folder are linked into one program,
 * because linking the library to each of them would take longer than running them. run_tests NAME runs test_NAME.c. */
#include <stdio.h>
#include <string.h>

/* folder_tests.h has a line FOLDER_TEST(NAME) for each test program; framemap_test of tests/CMakeLists.txt writes
 * it. */
#define FOLDER_TEST(name) int run_##name(void);
#include "folder_tests.h"
#undef FOLDER_TEST

static const struct {
    const char *name;
    int (*run)(void);
} tests[] = {
#define FOLDER_TEST(name) {#name, run_##name},
#include "folder_tests.h"
};

int main(int argc, char **argv)
{
    for (size_t i = 0; argc == 2 && i < sizeof tests / sizeof *tests; i++)
        if (strcmp(tests[i].name, argv[1]) == 0) return tests[i].run();
    fprintf(stderr, "usage: %s NAME, where NAME is one of:\n", argv[0]);
    for (size_t i = 0; i < sizeof tests / sizeof *tests; i++) fprintf(stderr, "  %s\n", tests[i].name);
    return 2;
}
