/* framemap list: prints which formats are read and written, from the library's tables of formats and symbol file
 * kinds. */
#include "cli/cli.h"
#include "cli/cli_io.h"
#include "cli/options.h"

#include <string.h>
#include <unistd.h>

enum { HELP = 1 };
static const struct fm_option table[] = {{HELP, 'h', "help", FM_TAKES_NOTHING, NULL, "show this help and exit"}};

/* A row of the printed table: a name, and what can be done with the format or kind of that name. */
struct list_row {
    const char *name, *kind, *summary;
    bool reads, writes;
};

static void put_column(struct fm_out *out, const char *text, size_t width)
{
    const size_t size = strlen(text);
    fm_put_text(out, text);
    fm_put_fill(out, ' ', size < width ? width - size : 1);
}

static size_t wider(size_t width, const char *name) { return strlen(name) > width ? strlen(name) : width; }

/* Returns the width of the column of names: all of them fit, with a blank after each. */
static size_t name_width(void)
{
    size_t width = 0, count;
    const framemap_format_info *const *formats = framemap_format_list(&count);
    for (size_t i = 0; i < count; i++) width = wider(width, formats[i]->name);
    const framemap_sample_format *const *profiles = framemap_sample_format_list(&count);
    for (size_t i = 0; i < count; i++) width = wider(width, profiles[i]->name);
    const framemap_mapper_info *const *mappers = framemap_mapper_list(&count);
    for (size_t i = 0; i < count; i++) width = wider(width, mappers[i]->name);
    return width + 1;
}

static void put_row(struct fm_out *out, const struct list_row *row, size_t width)
{
    fm_put_text(out, "  ");
    put_column(out, row->name, width);
    put_column(out, row->reads ? "reads" : "-", 6);
    put_column(out, row->writes ? "writes" : "-", 7);
    put_column(out, row->kind, 17);
    fm_put_text(out, row->summary);
    fm_put_char(out, '\n');
}

static const framemap_sample_format *profile_named(const char *name)
{
    size_t count;
    const framemap_sample_format *const *rows = framemap_sample_format_list(&count);
    for (size_t i = 0; i < count; i++)
        if (strcmp(rows[i]->name, name) == 0) return rows[i];
    return NULL;
}

static bool is_stack_format(const char *name)
{
    size_t count;
    const framemap_format_info *const *rows = framemap_format_list(&count);
    for (size_t i = 0; i < count; i++)
        if (strcmp(rows[i]->name, name) == 0) return true;
    return false;
}

/* Prints the formats. If a name is both a format of stacks and a format of profiles, it gets one row. */
static void put_formats(struct fm_out *out, size_t width)
{
    size_t count;
    const framemap_format_info *const *rows = framemap_format_list(&count);
    for (size_t i = 0; i < count; i++) {
        const framemap_sample_format *profile = profile_named(rows[i]->name);
        const struct list_row row = {.name = rows[i]->name,
                                     .kind = profile ? "stacks, profiles" : "stacks",
                                     .summary = rows[i]->summary,
                                     .reads = rows[i]->reads || (profile && profile->reads),
                                     .writes = rows[i]->writes || (profile && profile->writes)};
        put_row(out, &row, width);
    }
}

static void put_profiles(struct fm_out *out, size_t width)
{
    size_t count;
    const framemap_sample_format *const *rows = framemap_sample_format_list(&count);
    for (size_t i = 0; i < count; i++) {
        const struct list_row row = {rows[i]->name, "profiles", rows[i]->summary, rows[i]->reads, rows[i]->writes};
        if (!is_stack_format(row.name)) put_row(out, &row, width);
    }
}

static void put_mappers(struct fm_out *out, size_t width)
{
    size_t count;
    const framemap_mapper_info *const *rows = framemap_mapper_list(&count);
    for (size_t i = 0; i < count; i++) {
        const struct list_row row = {rows[i]->name, "symbols", rows[i]->summary, true, false};
        put_row(out, &row, width);
    }
}

int fm_cmd_list(int argc, char **argv)
{
    struct fm_options options;
    struct fm_out out;

    const size_t width = name_width();
    fm_out_init(&out, STDOUT_FILENO);
    fm_options_init(&options, table, 1, argc, argv);
    switch (fm_options_next(&options)) {
    case FM_OPTIONS_END:
        put_formats(&out, width);
        put_profiles(&out, width);
        put_mappers(&out, width);
        break;
    case HELP:
        fm_put_text(
            &out,
            "usage: framemap list\n\nLists the formats of stacks and profiles and the kinds of symbol files that this "
            "build supports: what\nit reads, and what 'framemap convert --to' writes. Any format that is "
            "read can be converted to any that is written.\n\n");
        fm_options_help(&out, table, 1);
        break;
    case FM_OPTIONS_OPERAND: fm_message("list takes no argument: '%s'", options.value); return fm_message_usage("list");
    default: return fm_options_complain(&options, "list");
    }
    return fm_out_flush(&out) ? FM_EXIT_DONE : FM_EXIT_FAILED;
}
