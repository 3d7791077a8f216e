/* framemap kv: pushes symbols to a key-value store, lists and removes them. */
#include "cli/cli.h"
#include "cli/commands/kv_push.h"
#include "cli/options.h"
#include "cli/stores.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { TENANT = FM_OPTION_HELP + 1, OUTPUT };

static const struct fm_option table[] = {
    {TENANT, 0, "tenant", FM_TAKES_VALUE, "T", "builds of this tenant (default: list: of all; remove: without one)"},
    {OUTPUT, 'o', "output", FM_TAKES_WORD, "text|json", "one line of text (default) or one JSON object per build"},
    {FM_OPTION_HELP, 'h', "help", FM_TAKES_NOTHING, NULL, "show this help and exit"},
};
enum { ROWS = sizeof table / sizeof *table };

struct kv_job {
    const char *url;
    const char *tenant; /* value of --tenant; NULL: the option was not given */
    const char **ids;
    size_t id_count;
    framemap_redis *store;
    struct fm_kv_print print;
    struct fm_out out;
};

static int print_kv_help(void)
{
    struct fm_out out;
    fm_out_init(&out, STDOUT_FILENO);
    fm_put_text(
        &out,
        "usage: framemap kv push [OPTION]... URL FILE...\n"
        "       framemap kv list [OPTION]... URL\n"
        "       framemap kv remove [OPTION]... URL ID...\n\n"
        "Stores symbols in Redis, lists them and removes them. 'framemap restore -s URL' uses them.\n\n"
        "  redis://[USER:PASSWORD@]HOST[:PORT][/DATABASE][?OPTION=VALUE&...]\n\n"
        "For a cluster, HOST is any of its servers. rediss:// uses TLS. The environment variable\n"
        "REDISCLI_AUTH may hold the password. The options of a URL are ca=FILE, a file with trusted certificates,\n"
        "timeout=MS and connect_timeout=MS. 'framemap kv push --help' lists its options; list and\n"
        "remove have these:\n\n");
    fm_options_help(&out, table, ROWS);
    return fm_out_flush(&out) ? FM_EXIT_DONE : FM_EXIT_FAILED;
}

static int run_list(struct kv_job *job)
{
    framemap_error error;
    const framemap_str tenant = framemap_str_of(job->tenant);
    if (job->id_count) {
        fm_message("list takes no ids, but '%s' was given", job->ids[0]);
        return fm_message_usage("kv");
    }
    if (!fm_store_open(job->url, &job->store)) return FM_EXIT_FAILED;
    if (framemap_redis_list(job->store, job->tenant ? &tenant : NULL, fm_kv_print, &job->print, &error))
        return fm_message_error(NULL, &error);
    return FM_EXIT_DONE;
}

static int run_remove(struct kv_job *job)
{
    framemap_error error;
    int code = FM_EXIT_DONE;
    if (job->id_count == 0) {
        fm_message("remove needs the id of a build");
        return fm_message_usage("kv");
    }
    if (!fm_store_open(job->url, &job->store)) return FM_EXIT_FAILED;
    for (size_t i = 0; i < job->id_count; i++) {
        const size_t before = job->print.count;
        if (framemap_redis_remove(job->store, framemap_str_of(job->tenant), framemap_str_of(job->ids[i]), fm_kv_print,
                                  &job->print, &error))
            return fm_message_error(NULL, &error);
        if (job->print.count > before) continue;
        fm_message("the store has no build with the id '%s'", job->ids[i]);
        code = FM_EXIT_FAILED;
    }
    return code;
}

static int run_kv(struct kv_job *job, bool removes)
{
    if (job->url == NULL) {
        fm_message("%s needs the URL of a store", removes ? "remove" : "list");
        return fm_message_usage("kv");
    }
    const int code = removes ? run_remove(job) : run_list(job);
    return fm_out_flush(&job->out) ? code : FM_EXIT_FAILED;
}

static bool take_kv_option(void *context, int id, const char *value)
{
    struct kv_job *job = context;
    switch (id) {
    case TENANT: job->tenant = value; return true;
    case OUTPUT: job->print.json = strcmp(value, "json") == 0; return true;
    default:
        if (job->url)
            job->ids[job->id_count++] = value;
        else
            job->url = value;
        return true;
    }
}

static int list_or_remove(int argc, char **argv, bool removes)
{
    static const struct fm_command_line line = {"kv", table, ROWS, print_kv_help, take_kv_option};
    struct kv_job *job = fm_cli_resize(NULL, sizeof *job); /* the struct is too large for the stack */

    memset(job, 0, sizeof *job);
    fm_out_init(&job->out, STDOUT_FILENO);
    job->print.out = &job->out;
    job->ids = fm_cli_resize(NULL, (size_t)argc * sizeof *job->ids);
    int code = fm_command_line_take(&line, argc, argv, job);
    if (code < 0) code = run_kv(job, removes);
    framemap_redis_close(job->store);
    free(job->ids);
    free(job);
    return code;
}

int fm_cmd_kv(int argc, char **argv)
{
    const char *what = argc > 1 ? argv[1] : "";
    if (strcmp(what, "push") == 0) return fm_kv_push(argc - 1, argv + 1);
    if (strcmp(what, "list") == 0) return list_or_remove(argc - 1, argv + 1, false);
    if (strcmp(what, "remove") == 0) return list_or_remove(argc - 1, argv + 1, true);
    if (strcmp(what, "--help") == 0 || strcmp(what, "-h") == 0) return print_kv_help();
    if (what[0])
        fm_message("'%s' is not a command of kv; use push, list or remove", what);
    else
        fm_message("kv needs one of the commands push, list and remove");
    return fm_message_usage("kv");
}
