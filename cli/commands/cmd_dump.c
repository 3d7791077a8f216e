/* framemap dump: prints all contents of an index. */
#include "cli/cli.h"
#include "cli/cli_io.h"
#include "cli/options.h"
#include "cli/symbols.h"

#include <unistd.h>

enum { HELP = 1, OUTPUT, ARCH, NO_CACHE };

static const struct fm_option table[] = {
    {OUTPUT, 'o', "output", FM_TAKES_WORD, "text|jsonl|kv",
     "text (default); jsonl: one object per position; kv: values for a key-value store, each as key, tab and base64"},
    {ARCH, 0, "arch", FM_TAKES_VALUE, "ARCH", "use this architecture of a fat file"},
    {NO_CACHE, 0, "no-cache", FM_TAKES_NOTHING, NULL, "do not use the cache of compiled symbol files"},
    {HELP, 'h', "help", FM_TAKES_NOTHING, NULL, "show this help and exit"},
};
enum { ROWS = sizeof table / sizeof *table };

struct dump_job {
    const char *form, *arch, *cache, *file;
};

static int print_dump_help(void)
{
    struct fm_out out;
    fm_out_init(&out, STDOUT_FILENO);
    fm_put_text(&out, "usage: framemap dump [OPTION]... FILE\n\nWrites all that an index holds. FILE is an index or a "
                      "symbol file.\n\n");
    fm_options_help(&out, table, ROWS);
    return fm_out_flush(&out) ? FM_EXIT_DONE : FM_EXIT_FAILED;
}

static int run_dump(const struct dump_job *job)
{
    struct fm_cli_symbols symbols;
    struct fm_out out;
    const framemap_index *index;
    framemap_error error;
    bool changed = false;

    if (fm_cli_symbols_open(&symbols, job->cache, false, &error)) return fm_message_error(NULL, &error);
    fm_out_init(&out, STDOUT_FILENO);
    framemap_status status = fm_cli_symbols_file(&symbols, job->file, job->arch, &index, &error);
    if (!status) {
        status = framemap_index_dump(index, job->form, fm_out_write, &out, &error);
        changed = framemap_index_changed(index);
    }
    bool written = fm_out_flush(&out);
    if (changed)
        fm_message("%s: changed-while-read: the file was changed while it was read, so the dump may be wrong",
                   job->file);
    if (status && !changed && !out.failed) fm_cli_symbols_complain(job->file, job->arch, status, &error);
    fm_cli_symbols_close(&symbols);
    if (status == FRAMEMAP_E_ARGUMENT) return FM_EXIT_USAGE;
    return status || changed || !written ? FM_EXIT_FAILED : FM_EXIT_DONE;
}

int fm_cmd_dump(int argc, char **argv)
{
    struct fm_options options;
    struct dump_job job = {.form = "text"};
    int id;

    fm_options_init(&options, table, ROWS, argc, argv);
    while ((id = fm_options_next(&options)) != FM_OPTIONS_END) {
        switch (id) {
        case HELP: return print_dump_help();
        case OUTPUT: job.form = options.value; break;
        case ARCH: job.arch = options.value; break;
        case NO_CACHE: job.cache = ""; break;
        case FM_OPTIONS_OPERAND:
            if (job.file) {
                fm_message("dump takes one file: '%s' and '%s' were given", job.file, options.value);
                return fm_message_usage("dump");
            }
            job.file = options.value;
            break;
        default: return fm_options_complain(&options, "dump");
        }
    }
    if (!job.file) {
        fm_message("dump needs a file");
        return fm_message_usage("dump");
    }
    return run_dump(&job);
}
