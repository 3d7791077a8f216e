/* Included before each test_NAME.c by the compiler's option -include: its main function becomes run_NAME, which
 * run_tests.c calls. */
#ifndef FM_TESTS_TEST_MAIN_H
#define FM_TESTS_TEST_MAIN_H

#define main FM_TEST_MAIN
int main(void);

#endif
