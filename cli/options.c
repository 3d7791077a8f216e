#include "cli/options.h"

#include "cli/cli.h"
#include "cli/io.h"

#include <string.h>

void fm_options_init(struct fm_options *options, const struct fm_option *table, size_t count, int argc, char **argv)
{
    *options = (struct fm_options){.table = table, .count = count, .argc = argc, .argv = argv, .at = 1};
}

static int bad(struct fm_options *options, enum fm_option_fault fault)
{
    options->fault = fault;
    options->letters = NULL;
    return FM_OPTIONS_BAD;
}

/* The row of a long name of `size` bytes; a prefix of one name only where the habit is on. *several: the prefix fits more than one. */
static const struct fm_option *named(const struct fm_options *options, const char *name, size_t size, bool *several)
{
    const struct fm_option *prefixed = NULL;
    *several = false;
    for (size_t i = 0; i < options->count; i++) {
        const struct fm_option *row = &options->table[i];
        if (!row->name || strncmp(row->name, name, size) != 0) continue;
        if (row->name[size] == '\0') {
            *several = false;
            return row;
        }
        if (!(options->habits & FM_HABIT_PREFIXES)) continue;
        if (prefixed && prefixed->id != row->id) *several = true;
        if (!prefixed) prefixed = row;
    }
    return *several ? NULL : prefixed;
}

static const struct fm_option *lettered(const struct fm_options *options, char letter)
{
    for (size_t i = 0; i < options->count; i++)
        if (options->table[i].letter == letter) return &options->table[i];
    return NULL;
}

static bool take_next(struct fm_options *options)
{
    if (options->at >= options->argc) return false;
    options->value = options->argv[options->at++];
    return true;
}

static int read_long(struct fm_options *options, const char *name)
{
    const char *equals = strchr(name, '=');
    bool several;
    const struct fm_option *row = named(options, name, equals ? (size_t)(equals - name) : strlen(name), &several);

    if (several) return bad(options, FM_FAULT_SEVERAL);
    if (!row) return bad(options, FM_FAULT_UNKNOWN);
    if (equals) {
        if (row->takes == FM_TAKES_NOTHING) return bad(options, FM_FAULT_WITH_VALUE);
        options->value = equals + 1;
    } else if (row->takes == FM_TAKES_VALUE && !take_next(options)) {
        return bad(options, FM_FAULT_NO_VALUE);
    }
    return row->id;
}

/* One letter of a bundle; options->letters stands on it. */
static int read_letter(struct fm_options *options)
{
    char letter = *options->letters++;
    const struct fm_option *row = lettered(options, letter);
    bool equals = (options->habits & FM_HABIT_LETTER_EQUALS) && *options->letters == '=';

    options->letter[0] = '-';
    options->letter[1] = letter;
    if (!row) return bad(options, FM_FAULT_UNKNOWN);
    if (row->takes == FM_TAKES_VALUE || (row->takes == FM_TAKES_OPTIONAL && equals)) {
        if (*options->letters) {
            options->value = options->letters + (equals ? 1 : 0);
        } else if (!take_next(options)) {
            return bad(options, FM_FAULT_NO_VALUE);
        }
        options->letters = NULL;
    }
    return row->id;
}

/* "-arch", "-demangle=false": a long name behind one dash. */
static bool is_single_dash(const struct fm_options *options, const char *name)
{
    const char *equals = strchr(name, '=');
    bool several;
    return (options->habits & FM_HABIT_SINGLE_DASH) && name[0] && name[1] &&
           named(options, name, equals ? (size_t)(equals - name) : strlen(name), &several) != NULL;
}

int fm_options_next(struct fm_options *options)
{
    options->value = NULL;
    memset(options->letter, 0, sizeof options->letter);
    if (options->letters && *options->letters) return read_letter(options);
    options->letters = NULL;
    if (options->at >= options->argc) return FM_OPTIONS_END;

    const char *argument = options->argv[options->at++];
    options->spelling = argument;
    if (options->operands_only || argument[0] != '-' || argument[1] == '\0') {
        options->value = argument;
        return FM_OPTIONS_OPERAND;
    }
    if (strcmp(argument, "--") == 0) {
        options->operands_only = true;
        return fm_options_next(options);
    }
    if (argument[1] == '-') return read_long(options, argument + 2);
    if (is_single_dash(options, argument + 1)) return read_long(options, argument + 1);
    options->letters = argument + 1;
    return read_letter(options);
}

static void put_value(struct fm_out *out, const struct fm_option *row, bool long_name)
{
    if (row->takes == FM_TAKES_NOTHING) return;
    fm_put_text(out, row->takes == FM_TAKES_OPTIONAL ? "[=" : long_name ? "=" : " ");
    fm_put_text(out, row->value);
    if (row->takes == FM_TAKES_OPTIONAL) fm_put_char(out, ']');
}

void fm_options_help(struct fm_out *out, const struct fm_option *table, size_t count)
{
    enum { COLUMN = 28 };
    for (size_t i = 0; i < count; i++) {
        const struct fm_option *row = &table[i];
        if (!row->help) continue;
        size_t begin = fm_put_count(out);
        fm_put_text(out, "  ");
        if (row->letter) {
            fm_put_char(out, '-');
            fm_put_char(out, row->letter);
            fm_put_text(out, row->name ? ", " : "");
        } else {
            fm_put_text(out, "    ");
        }
        if (row->name) {
            fm_put_text(out, "--");
            fm_put_text(out, row->name);
        }
        put_value(out, row, row->name != NULL);
        size_t used = fm_put_count(out) - begin;
        if (used >= COLUMN) {
            fm_put_char(out, '\n');
            used = 0;
        }
        fm_put_fill(out, ' ', COLUMN - used);
        fm_put_text(out, row->help);
        fm_put_char(out, '\n');
    }
}

int fm_options_complain(const struct fm_options *options, const char *command)
{
    const char *what = options->letter[0] ? options->letter : options->spelling;
    switch (options->fault) {
    case FM_FAULT_NO_VALUE: fm_say("the option %s needs a value", what); break;
    case FM_FAULT_WITH_VALUE: fm_say("the option %s takes no value", what); break;
    case FM_FAULT_SEVERAL: fm_say("the option %s could mean several", what); break;
    default: fm_say("there is no option %s", what); break;
    }
    return fm_say_usage(command);
}
