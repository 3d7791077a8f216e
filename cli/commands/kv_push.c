/* Implements kv_push.h: parses the options of `framemap kv push`, compiles each symbol file to an index, stores the
 * index in Redis, and prints what was stored. */
#include "cli/commands/kv_push.h"

#include "cli/cli.h"
#include "cli/compile_input.h"
#include "cli/stores.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { TENANT = FM_OPTION_HELP + 1, ID, EXPIRE, OUTPUT };

static const struct fm_option table[] = {
    {TENANT, 0, "tenant", FM_TAKES_VALUE, "T", "store the builds for this tenant; others never see them"},
    {ID, 0, "id", FM_TAKES_VALUE, "ID", "store the build under this id (default: its own, or the name of the file)"},
    {EXPIRE, 0, "expire", FM_TAKES_VALUE, "SECONDS", "remove the builds from the store after so many seconds"},
    {OUTPUT, 'o', "output", FM_TAKES_WORD, "text|json", "one line of text (default) or one JSON object per build"},
    FM_INPUT_OPTIONS("compile with N threads (default: one per processor)", "debug info reader (default: fast)"),
    {FM_OPTION_HELP, 'h', "help", FM_TAKES_NOTHING, NULL, "show this help and exit"},
};
enum { ROWS = sizeof table / sizeof *table };

struct push_job {
    struct fm_compile_input input;
    framemap_redis_push_options options;
    const char *url;
    const char **files;
    size_t file_count;
    framemap_redis *store;
    struct fm_kv_print print;
    struct fm_out out;
};

static int print_push_help(void)
{
    struct fm_out out;
    fm_out_init(&out, STDOUT_FILENO);
    fm_put_text(&out, "usage: framemap kv push [OPTION]... URL FILE...\n\n"
                      "Stores each symbol file or index as a build, which replaces an older one as a whole.\n\n");
    fm_options_help(&out, table, ROWS);
    return fm_out_flush(&out) ? FM_EXIT_DONE : FM_EXIT_FAILED;
}

static void put_member(struct fm_out *out, const char *name, framemap_str value)
{
    fm_put_text(out, name);
    fm_put_json(out, value);
}

static void print_json(struct fm_out *out, const framemap_redis_build *build)
{
    put_member(out, "{\"key\":", build->key);
    put_member(out, ",\"tenant\":", build->tenant);
    put_member(out, ",\"family\":", build->family);
    put_member(out, ",\"id\":", build->id);
    if (build->values > 0) {
        fm_put_text(out, ",\"values\":");
        fm_put_dec(out, build->values);
    }
    if (build->bytes > 0) {
        fm_put_text(out, ",\"bytes\":");
        fm_put_dec(out, build->bytes);
    }
    if (build->expires_seconds >= 0) {
        fm_put_text(out, ",\"expires_seconds\":");
        fm_put_dec(out, (uint64_t)build->expires_seconds);
    }
    fm_put_text(out, "}\n");
}

static void put_count(struct fm_out *out, uint64_t count, const char *what)
{
    fm_put_text(out, "  ");
    fm_put_dec(out, count);
    fm_put_text(out, what);
    if (count != 1) fm_put_char(out, 's');
}

void fm_kv_print(void *context, const framemap_redis_build *build)
{
    struct fm_kv_print *print = context;
    print->count++;
    if (print->json) {
        print_json(print->out, build);
        return;
    }
    fm_put_str(print->out, build->key);
    if (build->values > 0) put_count(print->out, build->values, " value");
    if (build->bytes > 0) put_count(print->out, build->bytes, " byte");
    if (build->expires_seconds >= 0) {
        fm_put_text(print->out, "  expires in ");
        fm_put_dec(print->out, (uint64_t)build->expires_seconds);
        fm_put_text(print->out, " s");
    }
    fm_put_char(print->out, '\n');
}

/* Compiles the bytes to an index, unless they are one already, and stores the index. */
static framemap_status push_bytes(void *context, framemap_str bytes, framemap_str name,
                                  const framemap_build_options *build, framemap_error *error)
{
    struct push_job *job = context;
    framemap_bytes built = {0};
    framemap_index *index = NULL;
    framemap_status status = framemap_index_open(bytes, NULL, &index, error);
    if (status == FRAMEMAP_E_FORMAT) {
        status = framemap_index_build(bytes, name, build, &built, error);
        if (status == FRAMEMAP_OK) status = framemap_index_open(framemap_bytes_str(&built), NULL, &index, error);
    }
    if (status == FRAMEMAP_OK)
        status = framemap_redis_push(job->store, index, &job->options, fm_kv_print, &job->print, error);
    framemap_index_close(index);
    framemap_bytes_free(&built);
    return status;
}

static bool push_file(struct push_job *job, const char *given)
{
    struct fm_compile_input *input = &job->input;
    char *bundled = fm_bundle_file(given);
    framemap_error error;
    input->file = bundled ? bundled : given;
    char *debug_file = fm_compile_input_debug_file(input);
    const framemap_status status =
        fm_compile_input_with(input, debug_file ? debug_file : input->file, push_bytes, job, &error);
    if (status) fm_cli_symbols_complain(input->file, input->build.arch, status, &error);
    fm_out_flush(&job->out); /* the line of a build is printed as soon as the build is stored */
    free(debug_file);
    free(bundled);
    return status == FRAMEMAP_OK;
}

static int run_push(struct push_job *job)
{
    framemap_error error;
    int code = FM_EXIT_DONE;
    if (job->url == NULL || job->file_count == 0) {
        fm_message("push needs the URL of a store and a symbol file");
        return fm_message_usage("kv push");
    }
    if (job->file_count > 1 && (job->options.id.size || job->input.script)) {
        fm_message("--%s belongs to one file, but %zu files are given", job->options.id.size ? "id" : "script",
                   job->file_count);
        return fm_message_usage("kv push");
    }
    if (fm_compile_input_ready(&job->input, &error)) return fm_message_error(NULL, &error);
    if (!fm_store_open(job->url, &job->store)) return FM_EXIT_FAILED;
    for (size_t i = 0; i < job->file_count; i++)
        if (!push_file(job, job->files[i])) code = FM_EXIT_FAILED; /* after an error, continues with the other files */
    return job->out.failed ? FM_EXIT_FAILED : code;
}

static bool take_push_option(void *context, int id, const char *value)
{
    struct push_job *job = context;
    uint64_t number;
    switch (id) {
    case TENANT: job->options.tenant = framemap_str_of(value); return true;
    case ID: job->options.id = framemap_str_of(value); return true;
    case OUTPUT: job->print.json = strcmp(value, "json") == 0; return true;
    case EXPIRE:
        if (!fm_parse_size(value, &number) || number == 0 || number > INT32_MAX) {
            fm_message("'%s' is not a valid number of seconds", value);
            return false;
        }
        job->options.expire_seconds = (uint32_t)number;
        return true;
    case FM_OPTIONS_OPERAND:
        if (job->url)
            job->files[job->file_count++] = value;
        else
            job->url = value;
        return true;
    default: return fm_compile_input_option(&job->input, id, value);
    }
}

int fm_kv_push(int argc, char **argv)
{
    static const struct fm_command_line line = {"kv push", table, ROWS, print_push_help, take_push_option};
    struct push_job *job = fm_cli_resize(NULL, sizeof *job); /* the struct is too large for the stack */

    memset(job, 0, sizeof *job);
    fm_compile_input_init(&job->input, argc);
    fm_out_init(&job->out, STDOUT_FILENO);
    job->options.size = sizeof job->options;
    job->print.out = &job->out;
    job->files = fm_cli_resize(NULL, (size_t)argc * sizeof *job->files);
    int code = fm_command_line_take(&line, argc, argv, job);
    if (code < 0) code = run_push(job);
    fm_compile_input_free(&job->input);
    framemap_redis_close(job->store);
    free(job->files);
    free(job);
    return code;
}
