/* Implements dart_args.h: parses each word as a flag, as one or several short options, as a long option or as a
 * command. These are tried in the order of Dart's package:args, and the first error is reported in that package's
 * words. */
#include "cli/fronts/dart_args.h"

#include "cli/cli.h"
#include "cli/cli_io.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct dart_arg_parser {
    struct fm_dart_args *args;
    /* inner: options of the command that was given; NULL before it was read */
    const struct fm_dart_grammar *global, *inner;
    char **argv;
    int at, argc;
    size_t piece_room;
};

/* The kinds of words on a command line. */
enum dart_arg_word { WORD_OTHER, WORD_OPTION, WORD_BAD };

static enum dart_arg_word report_arg_fault(struct dart_arg_parser *parser, const char *format, ...)
    __attribute__((format(printf, 2, 3)));
static enum dart_arg_word report_arg_fault(struct dart_arg_parser *parser, const char *format, ...)
{
    va_list list, again;
    va_start(list, format);
    va_copy(again, list);
    const int size = vsnprintf(NULL, 0, format, list);
    parser->args->fault = fm_cli_resize(NULL, (size_t)size + 1);
    vsnprintf(parser->args->fault, (size_t)size + 1, format, again);
    va_end(again);
    va_end(list);
    return WORD_BAD;
}

static bool is_letter_or_digit(char byte)
{
    return (byte >= 'a' && byte <= 'z') || (byte >= 'A' && byte <= 'Z') || (byte >= '0' && byte <= '9');
}

static const struct fm_dart_option *by_letter_in(const struct fm_dart_grammar *grammar, char letter)
{
    for (size_t i = 0; grammar && i < grammar->count; i++)
        if (grammar->options[i].letter == letter) return &grammar->options[i];
    return NULL;
}

/* Finds the option with this letter. An option of the command takes precedence over one that all commands have. */
static const struct fm_dart_option *by_letter(const struct dart_arg_parser *parser, char letter)
{
    const struct fm_dart_option *option = by_letter_in(parser->inner, letter);
    return option ? option : by_letter_in(parser->global, letter);
}

static const struct fm_dart_option *by_name_in(const struct fm_dart_grammar *grammar, const char *name, size_t size)
{
    for (size_t i = 0; grammar && i < grammar->count; i++)
        if (strlen(grammar->options[i].name) == size && memcmp(grammar->options[i].name, name, size) == 0)
            return &grammar->options[i];
    return NULL;
}

static const struct fm_dart_option *dart_option_by_name(const struct dart_arg_parser *parser, const char *name,
                                                        size_t size)
{
    const struct fm_dart_option *option = by_name_in(parser->inner, name, size);
    return option ? option : by_name_in(parser->global, name, size);
}

static bool is_allowed(const struct fm_dart_option *option, const char *value)
{
    const size_t size = strlen(value);
    for (const char *at = option->allowed; at && *at;) {
        const size_t part = strcspn(at, ",");
        if (part == size && memcmp(at, value, size) == 0) return true;
        at += part + strspn(at + part, ", ");
    }
    return option->allowed == NULL;
}

/* Splits a value "A,B" into the values "A" and "B", which are parts of a copy. */
static void add_several(struct dart_arg_parser *parser, const char *value)
{
    struct fm_dart_args *args = parser->args;
    char *copy = args->pieces + parser->piece_room;
    memcpy(copy, value, strlen(value) + 1);
    parser->piece_room += strlen(value) + 1;
    for (char *part = copy; part;) {
        char *comma = strchr(part, ',');
        if (comma) *comma = '\0';
        args->several[args->several_count++] = part;
        part = comma ? comma + 1 : NULL;
    }
}

static enum dart_arg_word set_dart_option(struct dart_arg_parser *parser, const struct fm_dart_option *option,
                                          const char *value, const char *spelling)
{
    if (value && !is_allowed(option, value))
        return report_arg_fault(parser, "\"%s\" is not an allowed value for option \"%s\".", value, spelling);
    parser->args->given[option->id] = true;
    parser->args->values[option->id] = value;
    if (option->several) add_several(parser, value);
    return WORD_OPTION;
}

static enum dart_arg_word set_from_next(struct dart_arg_parser *parser, const struct fm_dart_option *option,
                                        const char *spelling)
{
    if (parser->at == parser->argc) return report_arg_fault(parser, "Missing argument for \"%s\".", spelling);
    return set_dart_option(parser, option, parser->argv[parser->at++], spelling);
}

/* Parses a word with one short option, "-x". */
static enum dart_arg_word parse_solo(struct dart_arg_parser *parser, const char *word)
{
    if (word[0] != '-' || !is_letter_or_digit(word[1]) || word[2] != '\0') return WORD_OTHER;
    const struct fm_dart_option *option = by_letter(parser, word[1]);
    if (option == NULL) return report_arg_fault(parser, "Could not find an option or flag \"%s\".", word);
    parser->at++;
    return option->value ? set_from_next(parser, option, word) : set_dart_option(parser, option, NULL, word);
}

static enum dart_arg_word parse_flags(struct dart_arg_parser *parser, const char *letters, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        const struct fm_dart_option *option = by_letter(parser, letters[i]);
        if (option == NULL)
            return report_arg_fault(parser, "Could not find an option with short name \"-%c\".", letters[i]);
        if (option->value)
            return report_arg_fault(parser, "Option \"-%c\" must be a flag to be in a collapsed \"-\".", letters[i]);
        set_dart_option(parser, option, NULL, "");
    }
    return WORD_OPTION;
}

/* Parses a word with several letters, "-xyz": flags, or an option and its value. */
static enum dart_arg_word parse_bundle(struct dart_arg_parser *parser, const char *word)
{
    size_t count = 0;
    if (word[0] != '-' || !is_letter_or_digit(word[1]) || strpbrk(word, "\r\n")) return WORD_OTHER;
    while (is_letter_or_digit(word[1 + count])) count++;
    const struct fm_dart_option *option = by_letter(parser, word[1]);
    const char spelling[] = {'-', word[1], '\0'};
    if (option == NULL) return report_arg_fault(parser, "Could not find an option with short name \"%s\".", spelling);
    if (option->value == NULL && word[1 + count])
        return report_arg_fault(parser, "Option \"%s\" is a flag and cannot handle value \"%s\".", spelling, word + 2);
    parser->at++;
    return option->value ? set_dart_option(parser, option, word + 2, spelling) : parse_flags(parser, word + 1, count);
}

static enum dart_arg_word parse_negated(struct dart_arg_parser *parser, const char *name, int size)
{
    const struct fm_dart_option *option = dart_option_by_name(parser, name + 3, (size_t)size - 3);
    if (option == NULL) return report_arg_fault(parser, "Could not find an option named \"--%.*s\".", size, name);
    return report_arg_fault(
        parser, option->value ? "Cannot negate non-flag option \"--%.*s\"." : "Cannot negate option \"--%.*s\".", size,
        name);
}

/* Parses a word with a long option, "--name" or "--name=value". */
static enum dart_arg_word parse_long(struct dart_arg_parser *parser, const char *word)
{
    if (strncmp(word, "--", 2) != 0) return WORD_OTHER;
    const char *name = word + 2;
    const int size = (int)strcspn(name, "=");
    const char *value = name[size] ? name + size + 1 : NULL;
    for (int i = 0; i < size; i++)
        if (!is_letter_or_digit(name[i]) && name[i] != '-' && name[i] != '_') return WORD_OTHER;
    if (value && strpbrk(value, "\r\n")) return WORD_OTHER;
    const struct fm_dart_option *option = dart_option_by_name(parser, name, (size_t)size);
    if (option == NULL && size >= 3 && strncmp(name, "no-", 3) == 0) return parse_negated(parser, name, size);
    if (option == NULL) return report_arg_fault(parser, "Could not find an option named \"--%.*s\".", size, name);
    if (option->value == NULL && value)
        return report_arg_fault(parser, "Flag option \"--%.*s\" should not be given a value.", size, name);
    parser->at++;
    char *spelling = fm_cli_copy(word, (size_t)size + 2);
    const enum dart_arg_word outcome = option->value && value == NULL
                                           ? set_from_next(parser, option, spelling)
                                           : set_dart_option(parser, option, value, spelling);
    free(spelling);
    return outcome;
}

static const struct fm_dart_grammar *command_named(const struct fm_dart_grammar *grammars, size_t count,
                                                   const char *word)
{
    for (size_t i = 1; i < count; i++)
        if (strcmp(grammars[i].command, word) == 0) return &grammars[i];
    return NULL;
}

static enum dart_arg_word parse_word(struct dart_arg_parser *parser, const char *word)
{
    enum dart_arg_word outcome = parse_solo(parser, word);
    if (outcome == WORD_OTHER) outcome = parse_bundle(parser, word);
    if (outcome == WORD_OTHER) outcome = parse_long(parser, word);
    if (outcome != WORD_OTHER) return outcome;
    parser->args->rest[parser->args->rest_count++] = word;
    parser->at++;
    return WORD_OTHER;
}

static void make_room(struct fm_dart_args *args, int argc, char **argv)
{
    size_t bytes = 1, values = (size_t)argc + 1;
    for (int i = 0; i < argc; i++) {
        bytes += strlen(argv[i]) + 1;
        for (const char *at = argv[i]; *at; at++) values += *at == ',';
    }
    *args = (struct fm_dart_args){.several = fm_cli_resize(NULL, values * sizeof *args->several),
                                  .rest = fm_cli_resize(NULL, ((size_t)argc + 1) * sizeof *args->rest),
                                  .pieces = fm_cli_resize(NULL, bytes)};
}

bool fm_dart_args_parse(struct fm_dart_args *args, const struct fm_dart_grammar *grammars, size_t count, int argc,
                        char **argv)
{
    struct dart_arg_parser parser = {.args = args, .global = grammars, .argv = argv, .at = 1, .argc = argc};
    make_room(args, argc, argv);
    while (parser.at < argc) {
        const char *word = argv[parser.at];
        const struct fm_dart_grammar *command = args->command ? NULL : command_named(grammars, count, word);
        if (strcmp(word, "--") == 0) {
            parser.at++;
            break;
        }
        if (command && args->rest_count) {
            report_arg_fault(&parser, "Cannot specify arguments before a command.");
        } else if (command) {
            args->command = parser.inner = command;
            parser.at++;
        } else {
            parse_word(&parser, word);
        }
        if (args->fault) return false;
    }
    while (parser.at < argc) args->rest[args->rest_count++] = argv[parser.at++];
    return true;
}

void fm_dart_args_free(struct fm_dart_args *args)
{
    free(args->several);
    free(args->rest);
    free(args->pieces);
    free(args->fault);
}

/* --- printing the usage --- */

static size_t title_size(const struct fm_dart_option *option)
{
    return 2 + strlen(option->name) + (option->value ? 3 + strlen(option->value) : 0);
}

static void put_title(struct fm_out *out, const struct fm_dart_option *option)
{
    fm_put_text(out, "--");
    fm_put_text(out, option->name);
    if (option->value == NULL) return;
    fm_put_text(out, "=<");
    fm_put_text(out, option->value);
    fm_put_char(out, '>');
}

void fm_dart_args_usage(struct fm_out *out, const struct fm_dart_grammar *grammar)
{
    enum { LETTERS = 4, GUTTER = 4 };
    size_t width = 0;
    bool first = true;
    for (size_t i = 0; i < grammar->count; i++)
        if (grammar->options[i].help && title_size(&grammar->options[i]) > width)
            width = title_size(&grammar->options[i]);
    for (size_t i = 0; i < grammar->count; i++) {
        const struct fm_dart_option *option = &grammar->options[i];
        const char letter[] = {'-', option->letter, ',', ' ', '\0'};
        if (option->help == NULL) continue;
        if (!first) fm_put_char(out, '\n');
        first = false;
        fm_put_text(out, option->letter ? letter : "    ");
        put_title(out, option);
        fm_put_fill(out, ' ', width - title_size(option) + GUTTER);
        fm_put_text(out, option->help);
        if (option->allowed == NULL) continue;
        fm_put_char(out, '\n');
        fm_put_fill(out, ' ', LETTERS + width + GUTTER);
        fm_put_char(out, '[');
        fm_put_text(out, option->allowed);
        fm_put_char(out, ']');
    }
}
