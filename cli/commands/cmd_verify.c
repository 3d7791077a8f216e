/* framemap verify: compares an index with the symbol file that it was made from. */
#include "cli/cli.h"
#include "cli/cli_io.h"
#include "cli/compile_input.h"
#include "cli/options.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { HELP = FM_OPTION_HELP, OUTPUT, EXAMPLES };

#define EXAMPLES_SHOWN 10u

static const struct fm_option table[] = {
    {OUTPUT, 'o', "output", FM_TAKES_WORD, "text|json", "text (default); json: one object per difference, then counts"},
    {EXAMPLES, 'n', "examples", FM_TAKES_VALUE, "N", "show the first N differences (default: 10); all are counted"},
    FM_INPUT_OPTIONS("read debug info with N threads (default: one per processor)",
                     "debug info reader (default: libdwarf, if the build has it; index uses fast by default)"),
    {HELP, 'h', "help", FM_TAKES_NOTHING, NULL, "show this help and exit"},
};
enum { ROWS = sizeof table / sizeof *table };

struct verify_job {
    struct fm_compile_input input;
    const char *source, *index_path; /* the operands: the symbol file and its index */
    framemap_index *index;
    bool json;
    uint64_t examples, shown;
    framemap_verify_counts counts;
    struct fm_out out;
};

static int print_verify_help(void)
{
    struct fm_out out;
    fm_out_init(&out, STDOUT_FILENO);
    fm_put_text(
        &out,
        "usage: framemap verify [OPTION]... FILE INDEX\n\nReads a symbol file again and looks up everything in it "
        "in INDEX, which was made from FILE.\nOptions that determine how FILE is read must be those that "
        "'framemap index' was given.\n\n");
    fm_options_help(&out, table, ROWS);
    fm_put_text(&out, "\nExit codes: 0 no difference, 1 differences or failed, 2 usage.\n");
    return fm_out_flush(&out) ? FM_EXIT_DONE : FM_EXIT_FAILED;
}

/* --- printing differences and counts --- */

static void put_member(struct fm_out *out, const char *name, framemap_str text)
{
    fm_put_text(out, ",\"");
    fm_put_text(out, name);
    fm_put_text(out, "\":");
    fm_put_json(out, text);
}

static void put_number(struct fm_out *out, const char *name, uint64_t number)
{
    fm_put_text(out, ",\"");
    fm_put_text(out, name);
    fm_put_text(out, "\":");
    fm_put_dec(out, number);
}

static void print_difference_json(struct fm_out *out, const framemap_verify_difference *difference)
{
    fm_put_text(out, "{\"t\":\"difference\"");
    put_member(out, "what", framemap_str_of(difference->what));
    put_member(out, "field", framemap_str_of(difference->field));
    if (difference->place.size > 0) put_member(out, "place", difference->place);
    put_member(out, "source", difference->source);
    put_member(out, "index", difference->index);
    fm_put_text(out, "}\n");
}

static void put_side(struct fm_out *out, const char *side, framemap_str says)
{
    fm_put_text(out, side);
    if (says.size > 0)
        fm_put_str(out, says);
    else
        fm_put_text(out, "(nothing)");
    fm_put_char(out, '\n');
}

static void print_difference_text(struct fm_out *out, const framemap_verify_difference *difference)
{
    fm_put_text(out, difference->what);
    if (difference->place.size > 0) {
        fm_put_char(out, ' ');
        fm_put_str(out, difference->place);
    }
    if (strcmp(difference->what, difference->field) != 0) {
        fm_put_text(out, ": ");
        fm_put_text(out, difference->field);
    }
    fm_put_char(out, '\n');
    put_side(out, "    file:  ", difference->source);
    put_side(out, "    index: ", difference->index);
}

static bool print_difference(void *context, const framemap_verify_difference *difference)
{
    struct verify_job *job = context;
    if (job->shown == job->examples) return true;
    job->shown++;
    fm_progress_end(&job->input.progress);
    if (job->json)
        print_difference_json(&job->out, difference);
    else
        print_difference_text(&job->out, difference);
    return !job->out.failed;
}

static void print_counts_json(struct verify_job *job)
{
    const framemap_verify_counts *counts = &job->counts;
    fm_put_text(&job->out, "{\"t\":\"end\"");
    put_member(&job->out, "file", framemap_str_of(job->source));
    put_member(&job->out, "index", framemap_str_of(job->index_path));
    put_number(&job->out, "records", counts->records);
    put_number(&job->out, "questions", counts->questions);
    put_number(&job->out, "differences", counts->differences);
    fm_put_text(&job->out, counts->other_build ? ",\"other_build\":true}\n" : ",\"other_build\":false}\n");
}

static void print_counts_text(struct verify_job *job)
{
    const framemap_verify_counts *counts = &job->counts;
    struct fm_out *out = &job->out;
    fm_put_str(out, framemap_str_of(job->index_path));
    fm_put_text(out, ": ");
    fm_put_dec(out, counts->records);
    fm_put_text(out, " records, ");
    fm_put_dec(out, counts->questions);
    fm_put_text(out, " questions, ");
    fm_put_dec(out, counts->differences);
    fm_put_text(out, counts->differences == 1 ? " difference" : " differences");
    if (job->shown < counts->differences) {
        fm_put_text(out, " (");
        fm_put_dec(out, job->shown);
        fm_put_text(out, " shown)");
    }
    fm_put_text(out, counts->other_build ? "; the index is of another build\n" : "\n");
}

/* --- comparing an index with its source --- */

static framemap_status refuse_index(framemap_error *error)
{
    *error = (framemap_error){.code = FRAMEMAP_E_FORMAT};
    snprintf(error->message, sizeof error->message,
             "this is an index; the first file is the symbol file of the second");
    return FRAMEMAP_E_FORMAT;
}

static framemap_status compare(void *context, framemap_str bytes, framemap_str name,
                               const framemap_build_options *build, framemap_error *error)
{
    struct verify_job *job = context;
    framemap_build_options options = *build;
    framemap_index_info info;
    framemap_index *other;
    if (framemap_index_open(bytes, NULL, &other, NULL) == FRAMEMAP_OK) {
        framemap_index_close(other);
        return refuse_index(error);
    }
    framemap_index_describe(job->index, &info);
    /* the user chose whether the index contains sources when it was made, so the comparison keeps sources
     * accordingly */
    options.keep_sources = info.has_content;
    /* `framemap index` uses the other reader of debug info by default, so libdwarf is used here */
    if (build->reader == NULL) options.reader = "libdwarf";
    framemap_status status =
        framemap_index_verify_against(job->index, bytes, name, &options, print_difference, job, &job->counts, error);
    if (status != FRAMEMAP_E_UNSUPPORTED || build->reader != NULL) return status;
    options.reader = NULL; /* this build has no libdwarf, so the default reader is used */
    return framemap_index_verify_against(job->index, bytes, name, &options, print_difference, job, &job->counts, error);
}

static int compare_with_source(struct verify_job *job)
{
    struct fm_compile_input *input = &job->input;
    char *bundled = fm_bundle_file(job->source);
    framemap_error error;
    input->file = bundled ? bundled : job->source;
    char *debug_file = fm_compile_input_debug_file(input);
    framemap_status status = fm_compile_input_with(input, debug_file ? debug_file : input->file, compare, job, &error);
    const bool changed = framemap_index_changed(job->index);
    if (changed) fm_message("%s: changed-while-read: the index was changed while it was read", job->index_path);
    if (!status && !changed) (job->json ? print_counts_json : print_counts_text)(job);
    const bool written = fm_out_flush(&job->out);
    if (status && !job->out.failed) fm_cli_symbols_complain(input->file, input->build.arch, status, &error);
    free(debug_file);
    free(bundled);
    return status || changed || !written || job->counts.differences > 0 ? FM_EXIT_FAILED : FM_EXIT_DONE;
}

/* Opens the index. If the index is damaged, this is reported once, and not again for each wrong answer. */
static framemap_status open_index(struct verify_job *job, framemap_error *error)
{
    const framemap_status status = framemap_index_open_file(job->index_path, NULL, &job->index, error);
    return status ? status : framemap_index_verify(job->index, error);
}

/* If the second file is not an index, reports that the two arguments may be in the wrong order. */
static void report_order(const struct verify_job *job)
{
    framemap_index *first = NULL;
    if (framemap_index_open_file(job->source, NULL, &first, NULL) == FRAMEMAP_OK)
        fm_message("the symbol file comes before its index: framemap verify %s %s", job->index_path, job->source);
    else
        fm_message("'framemap index' makes an index of a symbol file");
    framemap_index_close(first);
}

static int run_verify(struct verify_job *job)
{
    framemap_error error;
    if (job->index_path == NULL) {
        fm_message("verify needs a symbol file and its index");
        return fm_message_usage("verify");
    }
    if (open_index(job, &error)) {
        fm_message_error(job->index_path, &error);
        if (error.code == FRAMEMAP_E_FORMAT) report_order(job);
        return FM_EXIT_FAILED;
    }
    if (fm_compile_input_ready(&job->input, &error)) return fm_message_error(NULL, &error);
    return compare_with_source(job);
}

static bool take_verify_operand(struct verify_job *job, const char *value)
{
    if (job->index_path) {
        fm_message("verify takes a symbol file and an index: '%s' is one too many", value);
        return false;
    }
    *(job->source ? &job->index_path : &job->source) = value;
    return true;
}

static bool take_verify_option(void *context, int id, const char *value)
{
    struct verify_job *job = context;
    switch (id) {
    case OUTPUT: job->json = strcmp(value, "json") == 0; return true;
    case EXAMPLES:
        if (fm_parse_size(value, &job->examples)) return true;
        fm_message("'%s' is not a number of examples", value);
        return false;
    case FM_OPTIONS_OPERAND: return take_verify_operand(job, value);
    default: return fm_compile_input_option(&job->input, id, value);
    }
}

static const struct fm_command_line command_line = {"verify", table, ROWS, print_verify_help, take_verify_option};

int fm_cmd_verify(int argc, char **argv)
{
    struct verify_job job = {.examples = EXAMPLES_SHOWN};
    fm_out_init(&job.out, STDOUT_FILENO);
    fm_compile_input_init(&job.input, argc);
    int code = fm_command_line_take(&command_line, argc, argv, &job);
    if (code < 0) code = run_verify(&job);
    framemap_index_close(job.index);
    fm_compile_input_free(&job.input);
    return code;
}
