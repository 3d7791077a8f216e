#include "tests/testing.h"

#include "cli/options.h"
#include "cli/suggest.h"

#include <string.h>

enum { HELP = 1, SYMBOLS, STYLE, ALL, FILES, FUNCTIONS, LOOK, FORMAT, OUTPUT, TO, KIND };

static const struct fm_option table[] = {
    {HELP, 'h', "help", FM_TAKES_NOTHING, NULL, "show this help and exit"},
    {SYMBOLS, 's', "symbols", FM_TAKES_VALUE, "PATH", "symbols"},
    {STYLE, 'C', "style", FM_TAKES_OPTIONAL, "STYLE", "style"},
    {ALL, 'a', "all", FM_TAKES_NOTHING, NULL, "all"},
    {FILES, 'f', "files", FM_TAKES_VALUE, "FILE", "files"},
    {FUNCTIONS, 0, "functions", FM_TAKES_NOTHING, NULL, "functions"},
    {LOOK, 'l', "look", FM_TAKES_WORD, "text|json", "look"},
    {FORMAT, 0, "format", FM_TAKES_READ_FORMAT, "FORMAT", "format"},
    {OUTPUT, 0, "output", FM_TAKES_WRITE_FORMAT, "F", "write"},
    {TO, 0, "to", FM_TAKES_MAP_OR_FORMAT, "FORM", "to"},
    {KIND, 0, "kind", FM_TAKES_KIND, "KIND", "kind"},
};

/* Parses a command line, and writes it as words "id:value"; an invalid option is written as "?" and its fault. */
static void read_all(const char *line, unsigned habits, char *out, size_t room)
{
    static const char program[] = "program";
    char copy[256], *argv[32] = {(char *)(uintptr_t)program};
    int argc = 1, id;
    struct fm_options options;

    snprintf(copy, sizeof copy, "%s", line);
    for (char *word = strtok(copy, " "); word; word = strtok(NULL, " ")) argv[argc++] = word;
    fm_options_init(&options, table, COUNT_OF(table), argc, argv);
    options.habits = habits;
    out[0] = '\0';
    while ((id = fm_options_next(&options)) != FM_OPTIONS_END) {
        size_t used = strlen(out);
        if (id == FM_OPTIONS_BAD)
            snprintf(out + used, room - used, "?%d ", (int)options.fault);
        else
            snprintf(out + used, room - used, "%d:%s ", id == FM_OPTIONS_OPERAND ? 0 : id,
                     options.value ? options.value : "");
    }
}

static void reads_lines(void **state)
{
    (void)state;
    static const struct {
        const char *why, *line;
        unsigned habits;
        const char *wanted;
    } rows[] = {
        {"nothing", "", 0, ""},
        {"a long option with its value after =", "--symbols=a=b", 0, "2:a=b "},
        {"a long option with its value apart", "--symbols x", 0, "2:x "},
        {"an empty value after = is a value", "--symbols= x", 0, "2: 0:x "},
        {"a short one with its value attached", "-sx", 0, "2:x "},
        {"a short one with its value apart", "-s x", 0, "2:x "},
        {"= is part of a short one's value", "-s=x", 0, "2:=x "},
        {"but not by LLVM's habit", "-s=x", FM_HABIT_LETTER_EQUALS, "2:x "},
        {"bundled, the last with a value", "-ahsx", 0, "4: 1: 2:x "},
        {"options after operands", "x -a y", 0, "0:x 4: 0:y "},
        {"-- ends the options", "-a -- -a --", 0, "4: 0:-a 0:-- "},
        {"- alone is an operand", "-a -", 0, "4: 0:- "},
        {"a value may look like an option", "-s -a", 0, "2:-a "},
        {"an optional value is never apart", "--style x", 0, "3: 0:x "},
        {"an optional value after =", "--style=x", 0, "3:x "},
        {"an optional value of a letter, by habit", "-C=x", FM_HABIT_LETTER_EQUALS, "3:x "},
        {"without the habit = is no letter", "-C=x", 0, "3: ?1 "},
        {"an unknown long one; the rest is still read", "--bogus -a", 0, "?1 4: "},
        {"an unknown letter ends its bundle", "-xa -h", 0, "?1 1: "},
        {"no value at the end", "-a -s", 0, "4: ?2 "},
        {"no value of a long one at the end", "--symbols", 0, "?2 "},
        {"a value where none is taken", "--all=1", 0, "?3 "},
        {"no prefixes of ours", "--sym x", 0, "?1 0:x "},
        {"a prefix of one, by habit", "--sym x", FM_HABIT_PREFIXES, "2:x "},
        {"a prefix of two", "--f x", FM_HABIT_PREFIXES, "?4 0:x "},
        {"a name that is a prefix of none but itself", "--all", FM_HABIT_PREFIXES, "4: "},
        {"a long name after one dash", "-symbols x", FM_HABIT_SINGLE_DASH, "2:x "},
        {"with =", "-symbols=x", FM_HABIT_SINGLE_DASH, "2:x "},
        {"a word of the set", "--look=json -l text -ljson", 0, "7:json 7:text 7:json "},
        {"a word that is not of it", "--look=xml -l tex -ljsonl", 0, "?5 ?5 ?5 "},
        {"an empty word, and several at once", "--look= --look=text|json", 0, "?5 ?5 "},
        {"a format that is read", "--format java --format text", 0, "8:java ?5 "},
        {"a format that is written", "--output text --output go", 0, "9:text ?5 "},
        {"a map or a format that is written", "--to sourcemap --to dart --to json --to go", 0,
         "10:sourcemap 10:dart 10:json ?5 "},
        {"a kind of symbol file", "--kind r8 --kind elf", 0, "11:r8 ?5 "},
        {"a long name after one dash is not read as letters", "-symbols x", 0, "?6 0:x "},
        {"with =", "-symbols=x", 0, "?6 "},
        {"nearly a long name is letters", "-symbol x", 0, "2:ymbol 0:x "},
        {"letters still bundle", "-ah", FM_HABIT_SINGLE_DASH, "4: 1: "},
    };
    for (size_t i = 0; i < COUNT_OF(rows); i++) {
        char got[256];
        read_all(rows[i].line, rows[i].habits, got, sizeof got);
        if (strcmp(got, rows[i].wanted) != 0)
            fail_msg("%s: \"%s\" read as \"%s\", wanted \"%s\"", rows[i].why, rows[i].line, got, rows[i].wanted);
    }
}

static void suggests_words(void **state)
{
    (void)state;
    static const char *const words[] = {"restore", "index", "info", "retrace", "symbolize", "llvm-symbolizer"};
    static const struct {
        const char *typed, *meant; /* typed: a mistyped word; meant: the expected suggestion; NULL: none */
    } rows[] = {
        {"restor", "restore"},
        {"restroe", "restore"},
        {"erstore", "restore"},
        {"retracee", "retrace"},
        {"symbolise", "symbolize"},
        {"sym", "symbolize"},
        {"idnex", "index"},
        {"inf", "info"},
        {"llvm", "llvm-symbolizer"},
        {"crash", NULL},
        {"", NULL},
        {"x", NULL},
        {"report", NULL},
        {"idno", NULL}, /* only two of the four letters are right */
        {"a word that is longer than any of ours, by far", NULL},
    };
    for (size_t i = 0; i < COUNT_OF(rows); i++) {
        struct fm_suggestion near;
        fm_suggest_begin(&near, rows[i].typed, strlen(rows[i].typed));
        for (size_t k = 0; k < COUNT_OF(words); k++) fm_suggest_offer(&near, words[k]);
        if ((near.best == NULL) != (rows[i].meant == NULL) || (near.best && strcmp(near.best, rows[i].meant) != 0))
            fail_msg("%s: %s", rows[i].typed, near.best ? near.best : "nothing");
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(reads_lines), cmocka_unit_test(suggests_words)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
