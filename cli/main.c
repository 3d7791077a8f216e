/* Selects the command: by the name of the program, otherwise by the first argument; the default is restore. */
#include "cli/cli.h"
#include "cli/cli_io.h"
#include "cli/command_table.h"
#include "cli/other_tools.h"
#include "cli/suggest.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

struct command {
    const char *name;
    fm_command_run *run;
    const char *summary;
    bool front; /* the command behaves like the tool of its name, and is also selected by argv[0] */
};

#define COMMAND_ROW(name, run, summary, front) {name, run, summary, front},
static const struct command commands[] = {FM_COMMAND_TABLE(COMMAND_ROW)};
enum { COMMAND_COUNT = sizeof commands / sizeof *commands };

static const struct command *command_named(const char *name)
{
    for (size_t i = 0; i < COMMAND_COUNT; i++)
        if (strcmp(commands[i].name, name) == 0) return &commands[i];
    return NULL;
}

/* Whether a program name contains a tool's name as whole words: "aarch64-linux-gnu-addr2line", "llvm-symbolizer-19". */
static bool holds_word(const char *program, const char *tool)
{
    size_t size = strlen(tool);
    for (const char *at = strstr(program, tool); at; at = strstr(at + 1, tool))
        if ((at == program || at[-1] == '-') && (at[size] == '\0' || at[size] == '-' || at[size] == '.')) return true;
    return false;
}

static const struct command *front_of(const char *program)
{
    const char *slash = strrchr(program, '/');
    for (size_t i = 0; i < COMMAND_COUNT; i++)
        if (commands[i].front && holds_word(slash ? slash + 1 : program, commands[i].name)) return &commands[i];
    return NULL;
}

/* Reports a word that is neither a command nor a file; returns FM_EXIT_USAGE. file: the word could have been the
 * name of a file. */
static int refuse_command(const char *word, bool file)
{
    struct fm_suggestion near;
    const char *no_file = file ? ", and there is no such file" : "", *instead = fm_other_tool(word);
    fm_suggest_begin(&near, word, strlen(word));
    for (size_t i = 0; i < COMMAND_COUNT; i++) fm_suggest_offer(&near, commands[i].name);
    fm_suggest_offer(&near, "help");
    if (instead)
        fm_message("'%s' is not a command%s; use: %s", word, no_file, instead);
    else if (near.best)
        fm_message("'%s' is not a command%s; did you mean '%s'?", word, no_file, near.best);
    else
        fm_message("'%s' is not a command%s", word, no_file);
    return fm_message_usage(NULL);
}

/* Whether a word was meant as a command: there is no file of that name, and unlike most file names it contains neither
 * a dot nor a slash. */
static bool is_unknown_command(const char *word)
{
    struct stat about;
    return word[0] != '-' && word[0] != '\0' && !strpbrk(word, "./") && stat(word, &about) != 0 && errno == ENOENT;
}

static void list_commands(struct fm_out *out, const char *title, bool front)
{
    fm_put_text(out, title);
    for (size_t i = 0; i < COMMAND_COUNT; i++) {
        if (commands[i].front != front) continue;
        fm_put_text(out, "  ");
        fm_put_text(out, commands[i].name);
        fm_put_fill(out, ' ', 17 - strlen(commands[i].name));
        fm_put_text(out, commands[i].summary);
        fm_put_char(out, '\n');
    }
}

static int print_help(int argc, char **argv)
{
    if (argc > 1 && strcmp(argv[1], "--help") != 0 && strcmp(argv[1], "-h") != 0) {
        const struct command *command = command_named(argv[1]);
        char option[] = "--help";
        char *arguments[] = {argv[1], option, NULL};
        if (command) return command->run(2, arguments);
        return refuse_command(argv[1], false);
    }
    struct fm_out out;
    fm_out_init(&out, STDOUT_FILENO);
    fm_put_text(&out, "usage: framemap [restore] [-s PATH]... [FILE]\n"
                      "       framemap COMMAND [OPTION]... [ARGUMENT]...\n\n"
                      "Restores the stack traces of client apps to source level.\n\n");
    list_commands(&out, "commands:\n", false);
    list_commands(&out, "\nreplacements for other tools, also selected by the name of the program:\n", true);
    fm_put_text(&out,
                "\n'framemap COMMAND --help' lists the options of a command.\n"
                "Exit codes: 0 done, 1 failed, 2 usage; with --strict 3: frames unmapped (restore), parts left out "
                "(convert).\n");
    return fm_out_flush(&out) ? FM_EXIT_DONE : FM_EXIT_FAILED;
}

static int print_version(void)
{
    struct fm_out out;
    fm_out_init(&out, STDOUT_FILENO);
    fm_put_text(&out, "framemap ");
    fm_put_text(&out, framemap_version());
    fm_put_char(&out, '\n');
    return fm_out_flush(&out) ? FM_EXIT_DONE : FM_EXIT_FAILED;
}

int main(int argc, char **argv)
{
    if (argc < 1) return FM_EXIT_USAGE;
    fm_stderr_begin();
    /* the result is ignored: without the guard, reading a truncated file ends the program, and nothing else changes */
    framemap_guard_mapped_files();
    const struct command *command = front_of(argv[0]);
    if (command) return command->run(argc, argv);
    if (argc < 2) {
        if (isatty(STDIN_FILENO)) {
            print_help(0, NULL);
            return FM_EXIT_USAGE;
        }
        return fm_cmd_restore(argc, argv);
    }
    if (strcmp(argv[1], "--version") == 0) return print_version();
    if (strcmp(argv[1], "--help") == 0 || strcmp(argv[1], "-h") == 0) return print_help(0, NULL);
    if (strcmp(argv[1], "help") == 0) return print_help(argc - 1, argv + 1);
    command = command_named(argv[1]);
    if (command) return command->run(argc - 1, argv + 1);
    if (is_unknown_command(argv[1])) return refuse_command(argv[1], true);
    return fm_cmd_restore(argc, argv); /* the first word is not a command, so it is an option or a file of `restore` */
}
