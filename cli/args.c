/* Implements args.h: splits the text of the environment variable and of each "@file" into words, with quotes and
 * backslashes as in a shell. The words replace the argument. The number of files is limited, since a file may name
 * itself. */
#include "cli/args.h"

#include "cli/cli.h"
#include "cli/cli_io.h"

#include <stdlib.h>
#include <string.h>

/* limits for the expansion of "@file" arguments: a file may include itself */
enum { MOST_FILES = 100, MOST_ARGUMENTS = 1 << 20 };
enum { MOST_STREAMED = 16 << 20 }; /* most bytes read from a file without a size, such as a device */

/* Appends a copy of an argument, which the list owns. */
static void add_argument(struct fm_args *args, const char *text, size_t size)
{
    if ((size_t)args->argc + 1 >= args->room) {
        args->room = args->room ? args->room * 2 : 16;
        args->argv = fm_cli_resize(args->argv, args->room * sizeof *args->argv);
    }
    args->argv[args->argc++] = fm_cli_copy(text, size);
    args->argv[args->argc] = NULL;
}

static bool is_blank(char byte) { return byte != '\0' && strchr(" \t\n\r\f\v", byte) != NULL; }

static void split_words(struct fm_args *args, framemap_str text)
{
    char *word = fm_cli_resize(NULL, text.size);
    for (size_t at = 0; at < text.size && args->argc < MOST_ARGUMENTS;) {
        size_t size = 0;
        char quote = 0;
        while (at < text.size && is_blank(text.data[at])) at++;
        if (at == text.size) break;
        for (; at < text.size && (quote || !is_blank(text.data[at])); at++) {
            char byte = text.data[at];
            if (byte == '\\' && at + 1 < text.size)
                word[size++] = text.data[++at];
            else if (quote ? byte == quote : byte == '"' || byte == '\'')
                quote = quote ? 0 : byte;
            else
                word[size++] = byte;
        }
        add_argument(args, word, size);
    }
    free(word);
}

/* Replaces argument `at`, "@file", by the words of that file. Returns false and leaves the argument unchanged if the
 * file cannot be read. */
static bool expand_file(struct fm_args *args, int at)
{
    struct fm_file file;
    if (fm_file_open_within(args->argv[at] + 1, MOST_STREAMED, &file, NULL)) return false;

    struct fm_args words = {0};
    split_words(&words, file.bytes);
    fm_file_close(&file);
    for (int i = at + 1; i < args->argc; i++) add_argument(&words, args->argv[i], strlen(args->argv[i]));
    for (int i = at; i < args->argc; i++) free(args->argv[i]);
    args->argc = at;
    args->argv[at] = NULL;
    for (int i = 0; i < words.argc; i++) add_argument(args, words.argv[i], strlen(words.argv[i]));
    fm_args_free(&words);
    return true;
}

void fm_args_init(struct fm_args *args, int argc, char **argv, const char *environment)
{
    int files = 0;

    *args = (struct fm_args){0};
    add_argument(args, argv[0], strlen(argv[0]));
    if (environment) split_words(args, framemap_str_of(environment));
    for (int i = 1; i < argc; i++) add_argument(args, argv[i], strlen(argv[i]));
    for (int at = 1; at < args->argc && files < MOST_FILES;) {
        if (args->argv[at][0] == '@' && expand_file(args, at))
            files++;
        else
            at++;
    }
}

void fm_args_free(struct fm_args *args)
{
    for (int i = 0; i < args->argc; i++) free(args->argv[i]);
    free(args->argv);
    *args = (struct fm_args){0};
}
