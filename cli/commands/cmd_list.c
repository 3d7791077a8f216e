/* framemap list: prints the library's tables of formats and symbol file kinds. */
#include "cli/cli.h"
#include "cli/cli_io.h"
#include "cli/options.h"

#include <string.h>
#include <unistd.h>

enum { HELP = 1 };
static const struct fm_option table[] = {{HELP, 'h', "help", FM_TAKES_NOTHING, NULL, "show this help and exit"}};

static void put_row(struct fm_out *out, const char *name, const char *how, const char *summary)
{
    enum { NAME = 24, HOW = 13 };
    size_t size = strlen(name);
    fm_put_text(out, "  ");
    fm_put_text(out, name);
    fm_put_fill(out, ' ', size < NAME ? NAME - size : 1);
    fm_put_text(out, how);
    fm_put_fill(out, ' ', HOW - strlen(how));
    fm_put_text(out, summary);
    fm_put_char(out, '\n');
}

static const char *directions(bool reads, bool writes) { return reads ? writes ? "reads writes" : "reads" : "writes"; }

static void put_profiles(struct fm_out *out)
{
    size_t count;
    const framemap_sample_format *const *rows = framemap_sample_format_list(&count);
    fm_put_text(out, "profiles (framemap convert --to):\n");
    for (size_t i = 0; i < count; i++)
        put_row(out, rows[i]->name, directions(rows[i]->reads, rows[i]->writes), rows[i]->summary);
}

static void put_formats(struct fm_out *out)
{
    size_t count;
    const framemap_format_info *const *rows = framemap_format_list(&count);
    fm_put_text(out, "stack formats:\n");
    for (size_t i = 0; i < count; i++)
        put_row(out, rows[i]->name, directions(rows[i]->reads, rows[i]->writes), rows[i]->summary);
}

static void put_mappers(struct fm_out *out)
{
    size_t count;
    const framemap_mapper_info *const *rows = framemap_mapper_list(&count);
    fm_put_text(out, "symbol files:\n");
    for (size_t i = 0; i < count; i++) put_row(out, rows[i]->name, "reads", rows[i]->summary);
}

int fm_cmd_list(int argc, char **argv)
{
    struct fm_options options;
    struct fm_out out;

    fm_out_init(&out, STDOUT_FILENO);
    fm_options_init(&options, table, 1, argc, argv);
    switch (fm_options_next(&options)) {
    case FM_OPTIONS_END:
        put_formats(&out);
        put_profiles(&out);
        put_mappers(&out);
        break;
    case HELP:
        fm_put_text(&out, "usage: framemap list\n\nLists the formats of stacks and profiles and the kinds of symbol "
                          "files that this build supports.\n\n");
        fm_options_help(&out, table, 1);
        break;
    case FM_OPTIONS_OPERAND: fm_message("list takes no argument: '%s'", options.value); return fm_message_usage("list");
    default: return fm_options_complain(&options, "list");
    }
    return fm_out_flush(&out) ? FM_EXIT_DONE : FM_EXIT_FAILED;
}
