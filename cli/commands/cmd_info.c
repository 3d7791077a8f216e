/* framemap info: describes symbol files and indexes. info_print.c writes the descriptions. */
#include "cli/cli.h"
#include "cli/commands/info_print.h"
#include "cli/options.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { HELP = FM_OPTION_HELP, OUTPUT, VERIFY };

static const struct fm_option table[] = {
    {VERIFY, 0, "verify", FM_TAKES_NOTHING, NULL, "check every checksum and record of an index"},
    {OUTPUT, 'o', "output", FM_TAKES_WORD, "text|json", "text (default), or json: one object per image"},
    {HELP, 'h', "help", FM_TAKES_NOTHING, NULL, "show this help and exit"},
};
enum { ROWS = sizeof table / sizeof *table };

static int print_info_help(void)
{
    struct fm_out out;
    fm_out_init(&out, STDOUT_FILENO);
    fm_put_text(
        &out, "usage: framemap info [OPTION]... FILE...\n\nShows what each file is: its images with kind, architecture "
              "and id, and what each has and lacks.\nFILE is a symbol file, a dSYM bundle or an index.\n\n");
    fm_options_help(&out, table, ROWS);
    return fm_out_flush(&out) ? FM_EXIT_DONE : FM_EXIT_FAILED;
}

/* --- describing one file --- */

static framemap_status describe_images(struct fm_info_job *job, framemap_str bytes, framemap_error *error)
{
    framemap_str name = framemap_str_of(job->file);
    size_t count;
    framemap_status status = framemap_file_inspect(bytes, name, NULL, 0, &count, error);
    if (status == FRAMEMAP_E_FORMAT && fm_info_put_foreign(job, bytes, error)) return FRAMEMAP_OK;
    if (status) return status;

    framemap_image_info *images = fm_cli_resize(NULL, count * sizeof *images);
    status = framemap_file_inspect(bytes, name, images, count, &count, error);
    for (size_t i = 0; !status && i < count; i++) {
        status = framemap_file_identify(bytes, &images[i], error);
        if (!status) fm_info_put_image(job, &images[i]);
    }
    free(images);
    return status;
}

static framemap_status describe_index(struct fm_info_job *job, framemap_str bytes, framemap_error *error)
{
    framemap_index *index;
    framemap_index_info info;
    framemap_status status = framemap_index_open(bytes, NULL, &index, error);
    if (status) return status;
    if (job->verify) status = framemap_index_verify(index, error);
    if (!status) {
        framemap_index_describe(index, &info);
        fm_info_put_index(job, &info);
    }
    framemap_index_close(index);
    return status;
}

static framemap_status describe_image(struct fm_info_job *job, framemap_str bytes, framemap_error *error)
{
    framemap_error other;
    framemap_status status = describe_index(job, bytes, error);
    if (status != FRAMEMAP_E_FORMAT) return status;
    status = describe_images(job, bytes, &other);
    if (status) {
        *error = other;
    } else if (job->verify) {
        fm_message("%s: --verify applies to indexes; this is a symbol file", job->file);
    }
    return status;
}

/* A symbol file in an archive. It is described under the path by which other commands open it. */
struct archive_info {
    struct fm_info_job *job;
    const char *path;
    size_t count;
};

static framemap_status describe_member(void *context, const framemap_archive_member *member, framemap_error *error)
{
    struct archive_info *archive = context;
    struct fm_info_job *job = archive->job;
    const size_t room = strlen(archive->path) + member->name.size + 2;
    char *path = fm_cli_resize(NULL, room);
    framemap_error fault;
    (void)error;
    snprintf(path, room, "%s!%.*s", archive->path, (int)member->name.size, member->name.data);
    if (archive->count++ && !job->json) fm_put_char(&job->out, '\n');
    job->file = path;
    job->in_archive = true;
    if (describe_image(job, member->bytes, &fault)) {
        fm_out_flush(&job->out);
        fm_message_error(path, &fault);
    }
    job->file = archive->path;
    job->in_archive = false;
    free(path);
    return FRAMEMAP_OK;
}

static void warn_of_member(void *context, const framemap_error *warning)
{
    const struct archive_info *archive = context;
    fm_message("%s!%s: %s", archive->path, warning->where, warning->message);
}

/* Describes the symbol files in an archive. *error: on entry, why the bytes are not a symbol file; unchanged if they
 * are not an archive either. */
static framemap_status describe_archive(struct fm_info_job *job, framemap_str bytes, framemap_error *error)
{
    struct archive_info archive = {.job = job, .path = job->file};
    framemap_error fault, nothing;
    const framemap_archive_options options = {.size = sizeof options,
                                              .context = &archive,
                                              .each = describe_member,
                                              .warning = warn_of_member,
                                              .nothing = &nothing};
    const framemap_status status = framemap_archive_symbols(bytes, &options, &fault);
    if (status == FRAMEMAP_E_FORMAT) return error->code;
    if (status) *error = fault;
    if (status || archive.count) return status;
    *error = nothing;
    return error->code;
}

/* Changes the error for a script with a source map: the script is not a symbol file, so the error names the map to
 * which the script's last lines refer. */
static void name_map(framemap_str bytes, framemap_error *error)
{
    enum { SHOWN = 100 };
    framemap_script_info script;
    framemap_script_inspect(bytes, &script);
    const int url = script.map_url.size < SHOWN ? (int)script.map_url.size : SHOWN;
    const int id = script.debug_id.size < SHOWN ? (int)script.debug_id.size : SHOWN;
    if (url > 0 && !script.has_inline_map)
        snprintf(error->message, sizeof error->message, "this is a script; its source map is %.*s", url,
                 script.map_url.data);
    else if (id > 0)
        snprintf(error->message, sizeof error->message, "this is a script, which does not name its source map");
    if (id > 0) {
        const size_t used = strlen(error->message);
        snprintf(error->message + used, sizeof error->message - used, "; its debug id is %.*s", id,
                 script.debug_id.data);
    }
}

static int describe_file(struct fm_info_job *job, const char *path)
{
    struct fm_file file;
    framemap_error error;
    char *bundled = fm_bundle_file(path);

    job->file = bundled ? bundled : path;
    framemap_status status = fm_symbol_file_open(job->file, 0, &file, &error);
    if (!status) {
        status = describe_image(job, file.bytes, &error);
        if (status == FRAMEMAP_E_FORMAT) status = describe_archive(job, file.bytes, &error);
        if (status == FRAMEMAP_E_FORMAT) name_map(file.bytes, &error);
        if (!status) status = fm_file_check(job->file, &file, &error);
        fm_file_close(&file);
    }
    if (status) {
        fm_out_flush(&job->out); /* prints the results for earlier files before the error message */
        fm_message_error(job->file, &error);
    }
    free(bundled);
    return status ? FM_EXIT_FAILED : FM_EXIT_DONE;
}

static int run_info(struct fm_info_job *job)
{
    int code = FM_EXIT_DONE;
    if (job->file_count == 0) {
        fm_message("info needs a file");
        return fm_message_usage("info");
    }
    for (size_t i = 0; i < job->file_count; i++) {
        if (i && !job->json) fm_put_char(&job->out, '\n');
        if (describe_file(job, job->files[i])) code = FM_EXIT_FAILED;
    }
    return fm_out_flush(&job->out) ? code : FM_EXIT_FAILED;
}

static bool take_info_option(void *context, int id, const char *value)
{
    struct fm_info_job *job = context;
    switch (id) {
    case VERIFY: job->verify = true; return true;
    case OUTPUT: job->json = strcmp(value, "json") == 0; return true;
    default: job->files[job->file_count++] = value; return true;
    }
}

static const struct fm_command_line command_line = {"info", table, ROWS, print_info_help, take_info_option};

int fm_cmd_info(int argc, char **argv)
{
    struct fm_info_job *job = fm_cli_resize(NULL, sizeof *job); /* the struct is too large for the stack */
    memset(job, 0, sizeof *job);
    job->files = fm_cli_resize(NULL, (size_t)argc * sizeof *job->files);
    fm_out_init(&job->out, STDOUT_FILENO);
    int code = fm_command_line_take(&command_line, argc, argv, job);
    if (code < 0) code = run_info(job);
    free(job->files);
    free(job);
    return code;
}
