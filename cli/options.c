/* Implements options.h: walks through the arguments, finds each option in the command's table, and checks values that
 * must be in a fixed list. For a misspelled option or value, the most similar one is suggested. */
#include "cli/options.h"

#include "cli/cli.h"
#include "cli/cli_io.h"
#include "cli/suggest.h"

#include <stdint.h>
#include <stdio.h>
#include <string.h>

void fm_options_init(struct fm_options *options, const struct fm_option *table, size_t count, int argc, char **argv)
{
    *options = (struct fm_options){.table = table, .count = count, .argc = argc, .argv = argv, .at = 1};
}

static int option_fault(struct fm_options *options, enum fm_option_fault fault)
{
    options->fault = fault;
    options->letters = NULL;
    return FM_OPTIONS_BAD;
}

/* --- checking options whose value must be one of a fixed set --- */

static bool takes_value(const struct fm_option *row)
{
    return row->takes != FM_TAKES_NOTHING && row->takes != FM_TAKES_OPTIONAL;
}

enum { LONGEST_WORD = 32 };
/* Returns allowed value number `at` of an option, either static or copied to `room`; NULL: there are no more. If
 * value number 0 is NULL, the option accepts any value. */

static const char *word_at(const char *words, size_t at, char room[LONGEST_WORD])
{
    for (; at > 0 && words; at--) words = strchr(words, '|') ? strchr(words, '|') + 1 : NULL;
    if (!words) return NULL;
    snprintf(room, LONGEST_WORD, "%.*s", (int)strcspn(words, "|"), words);
    return room;
}

static const char *format_at(size_t at, bool written)
{
    size_t count;
    const framemap_format_info *const *rows = framemap_format_list(&count);
    for (size_t i = 0; i < count; i++)
        if ((written ? rows[i]->writes : rows[i]->reads) && at-- == 0) return rows[i]->name;
    return NULL;
}

/* Enumerates the formats of profiles that can be read or written: returns name number `at`. Formats whose stacks can be
 * read as traces too are left out. */
static const char *sample_format_at(size_t at, bool written)
{
    size_t count;
    const framemap_sample_format *const *rows = framemap_sample_format_list(&count);
    for (size_t i = 0; i < count; i++) {
        bool known = false;
        for (size_t other = 0; !written && format_at(other, false); other++)
            known = known || strcmp(format_at(other, false), rows[i]->name) == 0;
        if (!known && (written ? rows[i]->writes : rows[i]->reads) && at-- == 0) return rows[i]->name;
    }
    return NULL;
}

/* Enumerates the formats of stacks, then the formats of profiles: returns the name of format number `at`; NULL:
 * there are no more. */
static const char *any_format_at(size_t at, bool written)
{
    size_t traces = 0;
    while (format_at(traces, written)) traces++;
    return at < traces ? format_at(at, written) : sample_format_at(at - traces, written);
}

static const char *choice_at(const struct fm_option *row, size_t at, char room[LONGEST_WORD])
{
    static const char *const others[] = {"sourcemap", "dart"};
    enum { OTHERS = sizeof others / sizeof *others };
    size_t count;
    const framemap_mapper_info *const *mappers = framemap_mapper_list(&count);
    switch (row->takes) {
    case FM_TAKES_WORD: return word_at(row->value, at, room);
    case FM_TAKES_READ_FORMAT: return format_at(at, false);
    case FM_TAKES_WRITE_FORMAT: return format_at(at, true);
    case FM_TAKES_MAP_OR_FORMAT: return at < OTHERS ? others[at] : any_format_at(at - OTHERS, true);
    case FM_TAKES_ANY_FORMAT: return any_format_at(at, false);
    case FM_TAKES_KIND: return at < count ? mappers[at]->name : NULL;
    default: return NULL;
    }
}

static bool is_choice(const struct fm_option *row, const char *value)
{
    char room[LONGEST_WORD];
    const char *choice = choice_at(row, 0, room);
    if (choice == NULL) return true;
    for (size_t i = 1; choice; choice = choice_at(row, i++, room))
        if (strcmp(choice, value) == 0) return true;
    return false;
}

/* Writes the allowed values as "text, json or native", truncated to `size`. */
static void list_choices(const struct fm_option *row, char *out, size_t size)
{
    char room[LONGEST_WORD], next_room[LONGEST_WORD];
    size_t used = 0;
    const char *choice = choice_at(row, 0, room);
    for (size_t i = 1; choice && used < size; i++) {
        const char *next = choice_at(row, i, next_room);
        const char *between = used == 0 ? "" : next ? ", " : " or ";
        const int put = snprintf(out + used, size - used, "%s%s", between, choice);
        used += put > 0 ? (size_t)put : 0;
        if (next) snprintf(room, sizeof room, "%s", next);
        choice = next ? room : NULL;
    }
}

/* Returns framemap's name for an option value that other tools call `word`; NULL: there is none. */
static const char *own_name(const char *word)
{
    static const char *const names[][2] = {
        {"svg", "flamegraph"},        {"html", "flamegraph"},       {"collapsed", "folded"},
        {"brendangregg", "folded"},   {"perfetto", "chrome-trace"}, {"trace", "chrome-trace"},
        {"gecko", "firefox-profile"}, {"md", "markdown"},           {"map", "sourcemap"}};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        if (strcmp(names[i][0], word) == 0) return names[i][1];
    return NULL;
}

/* Suggests the allowed value that is most similar to a mistyped one, ignoring case. If several allowed values start
 * with the mistyped one, suggests nothing. */
static void say_near(const struct fm_option *row, const char *value)
{
    char room[LONGEST_WORD], best[LONGEST_WORD] = "", word[LONGEST_WORD];
    const size_t size = strlen(value);
    struct fm_suggestion near;
    size_t longer = 0;
    if (size >= sizeof word) return;
    for (size_t i = 0; i <= size; i++)
        word[i] = (char)(value[i] >= 'A' && value[i] <= 'Z' ? value[i] - 'A' + 'a' : value[i]);
    fm_suggest_begin(&near, word, size);
    const char *choice = choice_at(row, 0, room), *own = own_name(word);
    for (size_t i = 1; choice; choice = choice_at(row, i++, room)) {
        if (own && strcmp(choice, own) == 0) {
            fm_message("did you mean '%s'?", own);
            return;
        }
        const size_t before = near.best ? near.distance : SIZE_MAX;
        fm_suggest_offer(&near, choice);
        if (near.best && near.distance < before) snprintf(best, sizeof best, "%s", choice);
        if (strncmp(choice, word, size) == 0 && choice[size] != '\0') longer++;
    }
    if (near.best && (longer < 2 || near.distance == 0))
        fm_message("did you mean '%s'?", best);
    else if (row->takes == FM_TAKES_KIND)
        fm_message("dwarf reads ELF, Mach-O and WebAssembly, also without debug info");
}

static void say_choices(const struct fm_options *options)
{
    char list[2048] = "";
    const struct fm_option *row = options->row;
    const char dash[] = {'-', row->letter, '\0'};
    list_choices(row, list, sizeof list);
    fm_message("'%s' is not a value of %s%s: use %s", options->value, row->name ? "--" : dash,
               row->name ? row->name : "", list);
    say_near(row, options->value);
    if (row->takes == FM_TAKES_WRITE_FORMAT && strpbrk(options->value, "./"))
        fm_message("the output is written to standard output: add '> FILE' for a file");
}

/* Completes an option: returns its id, or reports a fault if its value is not allowed. */
static int option_done(struct fm_options *options, const struct fm_option *row)
{
    options->row = row;
    return options->value == NULL || is_choice(row, options->value) ? row->id : option_fault(options, FM_FAULT_WORD);
}

/* --- finding options by name --- */

/* Finds the row of a long name of `size` bytes, or, with FM_HABIT_PREFIXES, of an unambiguous prefix of a long name.
 * *several: the prefix is ambiguous. */
static const struct fm_option *option_named(const struct fm_options *options, const char *name, size_t size,
                                            bool *several)
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

static const struct fm_option *option_lettered(const struct fm_options *options, char letter)
{
    for (size_t i = 0; i < options->count; i++)
        if (options->table[i].letter == letter) return &options->table[i];
    return NULL;
}

static bool take_next_argument(struct fm_options *options)
{
    if (options->at >= options->argc) return false;
    options->value = options->argv[options->at++];
    return true;
}

static int read_long(struct fm_options *options, const char *name)
{
    const char *equals = strchr(name, '=');
    bool several;
    const struct fm_option *row =
        option_named(options, name, equals ? (size_t)(equals - name) : strlen(name), &several);

    if (several) return option_fault(options, FM_FAULT_SEVERAL);
    if (!row) return option_fault(options, FM_FAULT_UNKNOWN);
    if (equals) {
        if (row->takes == FM_TAKES_NOTHING) return option_fault(options, FM_FAULT_WITH_VALUE);
        options->value = equals + 1;
    } else if (takes_value(row) && !take_next_argument(options)) {
        return option_fault(options, FM_FAULT_NO_VALUE);
    }
    return option_done(options, row);
}

/* Reads one letter of bundled short options, which starts at options->letters. */
static int read_letter(struct fm_options *options)
{
    char letter = *options->letters++;
    const struct fm_option *row = option_lettered(options, letter);
    bool equals = (options->habits & FM_HABIT_LETTER_EQUALS) && *options->letters == '=';

    options->letter[0] = '-';
    options->letter[1] = letter;
    if (!row) return option_fault(options, FM_FAULT_UNKNOWN);
    if (takes_value(row) || (row->takes == FM_TAKES_OPTIONAL && equals)) {
        if (*options->letters) {
            options->value = options->letters + (equals ? 1 : 0);
        } else if (!take_next_argument(options)) {
            return option_fault(options, FM_FAULT_NO_VALUE);
        }
        options->letters = NULL;
    }
    return option_done(options, row);
}

/* Whether an argument is a long name after a single dash: "-arch", "-demangle=false". */
static bool is_single_dash(const struct fm_options *options, const char *name)
{
    const char *equals = strchr(name, '=');
    bool several;
    return (options->habits & FM_HABIT_SINGLE_DASH) && name[0] && name[1] &&
           option_named(options, name, equals ? (size_t)(equals - name) : strlen(name), &several) != NULL;
}

/* Whether a dash is missing in an argument of framemap's own commands: "-symbols DIR" would be parsed as -s with the
 * value "ymbols", which nobody means. */
static bool is_one_dash_too_few(const struct fm_options *options, const char *name)
{
    const size_t size = strcspn(name, "=");
    bool several;
    return options->habits == 0 && size > 2 && option_named(options, name, size, &several) != NULL;
}

int fm_options_next(struct fm_options *options)
{
    options->value = NULL;
    options->row = NULL;
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
    if (is_one_dash_too_few(options, argument + 1)) return option_fault(options, FM_FAULT_ONE_DASH);
    options->letters = argument + 1;
    return read_letter(options);
}

static void put_option_value(struct fm_out *out, const struct fm_option *row, bool long_name)
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
        put_option_value(out, row, row->name != NULL);
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

/* Reports an unknown option and suggests the most similar one. */
static void say_unknown(const struct fm_options *options, const char *what)
{
    struct fm_suggestion near;
    const char *name = what + strspn(what, "-");
    fm_suggest_begin(&near, name, strcspn(name, "="));
    for (size_t i = 0; i < options->count && !options->letter[0]; i++)
        if (options->table[i].name && options->table[i].help) fm_suggest_offer(&near, options->table[i].name);
    if (near.best)
        fm_message("there is no option %.*s; did you mean --%s?", (int)strcspn(what, "="), what, near.best);
    else
        fm_message("there is no option %.*s", (int)strcspn(what, "="), what);
}

int fm_options_complain(const struct fm_options *options, const char *command)
{
    const char *what = options->letter[0] ? options->letter : options->spelling;
    switch (options->fault) {
    case FM_FAULT_WORD: say_choices(options); break;
    case FM_FAULT_ONE_DASH: fm_message("long options start with two dashes: -%s", what); break;
    case FM_FAULT_NO_VALUE: fm_message("the option %s needs a value", what); break;
    case FM_FAULT_WITH_VALUE: fm_message("the option %s takes no value", what); break;
    case FM_FAULT_SEVERAL: fm_message("the option %s is ambiguous", what); break;
    default: say_unknown(options, what); break;
    }
    return fm_message_usage(command);
}

int fm_command_line_take(const struct fm_command_line *line, int argc, char **argv, void *job)
{
    struct fm_options options;
    int id;
    fm_options_init(&options, line->table, line->rows, argc, argv);
    while ((id = fm_options_next(&options)) != FM_OPTIONS_END) {
        if (id == FM_OPTIONS_BAD) return fm_options_complain(&options, line->command);
        if (id == FM_OPTION_HELP) return line->help();
        if (!line->take(job, id, options.value)) return fm_message_usage(line->command);
    }
    return -1;
}
