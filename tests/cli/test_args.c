#include "tests/testing.h"

#include "cli/args.h"

#include <string.h>
#include <unistd.h>

static char folder[] = "/tmp/framemap-test-XXXXXX";

static void write_file(const char *name, const char *text)
{
    FILE *file = fopen(name, "w");
    assert_non_null(file);
    fputs(text, file);
    fclose(file);
}

static void expand(const char *environment, const char *first, const char *second, char *got, size_t room)
{
    char *argv[] = {(char *)(uintptr_t)"tool", (char *)(uintptr_t)first, (char *)(uintptr_t)second, NULL};
    struct fm_args args;
    fm_args_init(&args, first ? second ? 3 : 2 : 1, argv, environment);
    assert_null(args.argv[args.argc]);
    got[0] = '\0';
    for (int i = 0; i < args.argc; i++) {
        size_t used = strlen(got);
        snprintf(got + used, room - used, "%s|", args.argv[i]);
    }
    fm_args_free(&args);
}

static void takes_words(void **state)
{
    (void)state;
    char got[256];
    assert_non_null(mkdtemp(folder));
    assert_int_equal(chdir(folder), 0);
    write_file("words", " a 'b c'\t\"d \\\" e\"\nf\\ g\n''\n");
    write_file("more", "x @words y");
    write_file("none", "");
    write_file("itself", "z @itself");

    expand(NULL, "-a", "b", got, sizeof got);
    assert_string_equal(got, "tool|-a|b|");
    expand("-p --obj='x y'", "-a", NULL, got, sizeof got);
    assert_string_equal(got, "tool|-p|--obj=x y|-a|");
    expand(NULL, "@words", "last", got, sizeof got);
    assert_string_equal(got, "tool|a|b c|d \" e|f g||last|");
    expand(NULL, "@more", NULL, got, sizeof got);
    assert_string_equal(got, "tool|x|a|b c|d \" e|f g||y|");
    expand(NULL, "@none", "last", got, sizeof got);
    assert_string_equal(got, "tool|last|");
    expand(NULL, "@nosuch", "@", got, sizeof got);
    assert_string_equal(got, "tool|@nosuch|@|");
    expand(NULL, "@itself", NULL, got, sizeof got); /* the file names itself: the expansion stops after 100 files */
    assert_int_equal(strncmp(got, "tool|z|z|z|", 11), 0);

    static const char *const files[] = {"words", "more", "none", "itself"};
    for (size_t i = 0; i < COUNT_OF(files); i++) unlink(files[i]);
    assert_int_equal(chdir("/"), 0);
    rmdir(folder);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(takes_words)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
