/* Parses command lines. The input is split at its NUL bytes into arguments; they are parsed with framemap's options
 * in all styles, with Dart's options, and as arguments from files and from the environment. Properties: every
 * argument is read once and in order; values are whole arguments or suffixes of them; an error names the argument.
 * The first byte selects the style, and whether the last argument is also the value of the environment variable. The
 * last argument is also the content of the file that "@NAME" arguments refer to; no other file is opened. */
#include "cli/args.h"
#include "cli/cli.h"
#include "cli/fronts/dart_args.h"
#include "cli/options.h"
#include "fuzz/support/harness_help.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MOST = 64, MOST_BYTES = 4096 };

static const struct fm_option table[] = {
    {1, 's', "symbols", FM_TAKES_VALUE, "PATH", "symbols"},
    {2, 'f', "functions", FM_TAKES_OPTIONAL, "HOW", "functions"},
    {3, 'i', "inlines", FM_TAKES_NOTHING, NULL, "inlines"},
    {4, 0, "input", FM_TAKES_VALUE, "FILE", "input"},
    {4, 'd', NULL, FM_TAKES_VALUE, "FILE", NULL},
    {5, 'C', "demangle", FM_TAKES_OPTIONAL, "STYLE", "names"},
    {6, 0, "demangler", FM_TAKES_NOTHING, NULL, NULL},
    {7, 'x', NULL, FM_TAKES_NOTHING, NULL, "a letter alone"},
};
enum { ROWS = sizeof table / sizeof *table };

static const struct fm_dart_option common[] = {{0, 'h', "help", NULL, "help", NULL, false},
                                               {1, 'v', "verbose", NULL, "more", NULL, false}};
static const struct fm_dart_option find[] = {{2, 'd', "debug", "FILE", "symbols", NULL, false},
                                             {3, 0, "arch", "ARCH", "which", "arm, arm64, x64", false},
                                             {4, 'l', "location", "ADDRESS", "where", NULL, true}};
static const struct fm_dart_grammar grammars[] = {{NULL, common, 2}, {"find", find, 3}, {"help", NULL, 0}};

struct words {
    int count;
    char *words[MOST + 2]; /* the arguments; words[0] is the name of the program */
    char *copies;          /* the bytes of all arguments, each followed by a NUL */
};

static void cut(struct words *words, framemap_str text)
{
    static char name[] = "framemap";
    *words = (struct words){.count = 1, .words = {name}, .copies = malloc(text.size + 1)};
    if (words->copies == NULL) return;
    memcpy(words->copies, text.data, text.size);
    words->copies[text.size] = 0;
    for (size_t at = 0; at < text.size && words->count <= MOST; at += strlen(words->copies + at) + 1)
        words->words[words->count++] = words->copies + at;
}

static bool is_end_of(const char *part, const char *whole)
{
    const size_t size = strlen(part), all = strlen(whole);
    return size <= all && strcmp(part, whole + all - size) == 0;
}

static void read_ours(const struct words *words, unsigned habits)
{
    struct fm_options options;
    int id, before = 1, letters = 0;
    fm_options_init(&options, table, ROWS, words->count, (char **)(uintptr_t)words->words);
    options.habits = habits;
    while ((id = fm_options_next(&options)) != FM_OPTIONS_END) {
        must(options.at >= before && options.at <= words->count);
        /* position of the next letter in a group of short options such as -abc */
        letters = options.at == before ? letters + 1 : 0;
        must(letters <= MOST_BYTES);
        if (id == FM_OPTIONS_BAD) {
            must(options.fault != FM_FAULT_NONE && options.spelling != NULL);
        } else {
            must(id == FM_OPTIONS_OPERAND || (id >= 1 && id <= 7));
            must(options.value == NULL || is_end_of(options.value, words->words[options.at - 1]));
            must(id != FM_OPTIONS_OPERAND || options.value != NULL);
        }
        before = options.at;
    }
    must(options.at == words->count);
}

static void read_darts(const struct words *words)
{
    struct fm_dart_args args;
    const bool good = fm_dart_args_parse(&args, grammars, sizeof grammars / sizeof *grammars, words->count,
                                         (char **)(uintptr_t)words->words);
    must(good == (args.fault == NULL));
    must(args.rest_count <= (size_t)words->count);
    size_t total = 0;
    for (size_t i = 0; i < args.several_count; i++) total += strlen(args.several[i]);
    must(total <= MOST_BYTES);
    if (good && args.given[3] && args.values[3]) must(strstr(find[1].allowed, args.values[3]) != NULL);
    fm_dart_args_free(&args);
}

/* Replaces the file name in each "@NAME" by the name of the file that belongs to the harness. */
static char *with_own_file(const char *text, const char *path)
{
    const size_t longest = strlen(text) * (strlen(path) + 2) + 1;
    char *out = malloc(longest), *at = out;
    for (; out && *text; text++) {
        *at++ = *text;
        if (*text != '@') continue;
        memcpy(at, path, strlen(path));
        at += strlen(path);
        if (text[1] && !strchr(" \t\n\r\f\v", text[1])) *at++ = ' '; /* a blank ends the name of the file */
    }
    if (out) *at = 0;
    return out;
}

static void read_files(const struct words *words, bool environment)
{
    char path[128], *changed[MOST + 2];
    struct fm_args args;
    snprintf(path, sizeof path, "%s/arguments", fuzz_folder());
    for (int i = 1; i < words->count; i++) changed[i] = with_own_file(words->words[i], path);
    const char *last = words->count > 1 ? changed[words->count - 1] : "";
    changed[0] = words->words[0];
    bool there = fuzz_put(path, framemap_str_of(last));
    for (int i = 1; i < words->count; i++) there = there && changed[i];
    if (there) {
        fm_args_init(&args, words->count, changed, environment ? last : NULL);
        must(args.argc >= 1 && args.argv[args.argc] == NULL);
        for (int i = 0; i < args.argc; i++) must(args.argv[i] != NULL);
        fm_args_free(&args);
    }
    for (int i = 1; i < words->count; i++) free(changed[i]);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct fuzz_input input = {data, size};
    struct words words;
    const unsigned choice = (unsigned)fuzz_number(&input, 1);
    uint64_t number;
    framemap_demangle style;
    if (input.size > MOST_BYTES) input.size = MOST_BYTES;
    cut(&words, fuzz_rest(&input));
    if (words.copies == NULL) return 0;
    read_ours(&words, choice & 7);
    read_darts(&words);
    if (words.count < 8) read_files(&words, (choice & 8) != 0);
    for (int i = 1; i < words.count; i++) {
        if (fm_parse_size(words.words[i], &number)) must(words.words[i][0] >= '0' && words.words[i][0] <= '9');
        if (fm_parse_demangle(words.words[i], &style)) must(style <= FRAMEMAP_DEMANGLE_FULL);
    }
    free(words.copies);
    return 0;
}
