/* Prints the functions and trees of profiles for framemap top (top_job.h). */
#include "cli/commands/top_job.h"

#include "cli/cli.h"

#include <stdlib.h>
#include <string.h>

static bool is(framemap_str text, const char *word)
{
    return text.size == strlen(word) && memcmp(text.data, word, text.size) == 0;
}

/* Names all kinds of weights: "samples (count), cpu (nanoseconds)". */
static void list_weights(const framemap_sample_set *set, struct fm_out *out)
{
    framemap_sample_type type;
    for (uint32_t i = 0; framemap_sample_set_type(set, i, &type); i++) {
        if (i) fm_put_text(out, ", ");
        fm_put_str(out, type.type);
        if (type.unit.size == 0) continue;
        fm_put_text(out, " (");
        fm_put_str(out, type.unit);
        fm_put_char(out, ')');
    }
}

/* Reports that the requested kind of weight does not exist, and which kinds exist. */
static void report_weights(const framemap_sample_set *set, const char *wanted)
{
    struct fm_out *list = fm_cli_resize(NULL, sizeof *list);
    fm_out_init(list, -1);
    list_weights(set, list);
    if (wanted)
        fm_message("'%s' is not a kind of weight of this profile, which has: %.*s", wanted, (int)list->used,
                   list->data);
    else
        fm_message("of several kinds of weights, the first is shown; --weight chooses another: %.*s", (int)list->used,
                   list->data);
    free(list);
}

/* Finds the number of the kind of weight that was requested, by type or number. Returns false if there is none. */
static bool find_weight(const struct fm_top_job *job, uint32_t *out)
{
    framemap_sample_type type;
    uint64_t number;
    *out = 0;
    if (job->weight == NULL) {
        if (framemap_sample_set_type(job->set, 1, &type)) report_weights(job->set, NULL);
        return true;
    }
    for (uint32_t i = 0; framemap_sample_set_type(job->set, i, &type); i++) {
        *out = i;
        if (is(type.type, job->weight)) return true;
    }
    if (fm_parse_size(job->weight, &number) && number < UINT32_MAX &&
        framemap_sample_set_type(job->set, (uint32_t)number, &type)) {
        *out = (uint32_t)number;
        return true;
    }
    report_weights(job->set, job->weight);
    return false;
}

/* Restores the frames of a profile. */
static framemap_status restore_set(struct fm_top_job *job, framemap_error *error)
{
    framemap_sample_set *restored;
    if (job->input != FM_TOP_PROFILE || (job->scope.path_count == 0 && !job->store)) return FRAMEMAP_OK;
    const framemap_status status =
        framemap_session_restore_samples(job->session, job->set, job->restore.scope, &restored, error);
    if (status) return status;
    framemap_sample_set_close(job->set);
    job->set = restored;
    return FRAMEMAP_OK;
}

static framemap_status print_tree(struct fm_top_job *job, framemap_sample_tree_options *options, framemap_error *error)
{
    framemap_sample_tree *tree;
    const bool nodes = job->by && strcmp(job->by, "tree") == 0;
    const uint32_t most = job->number < UINT32_MAX ? (uint32_t)job->number : 0;
    framemap_status status = framemap_sample_tree_make(job->set, options, &tree, error);
    if (status) return status;
    status = framemap_sample_tree_print(tree, job->output, nodes ? FRAMEMAP_TREE_NODES : FRAMEMAP_TREE_FUNCTIONS, most,
                                        fm_out_write, &job->out, error);
    framemap_sample_tree_close(tree);
    return status;
}

int fm_top_print_samples(struct fm_top_job *job, bool all_read)
{
    framemap_error error;
    framemap_sample_counts counts;
    const bool asks = job->rule_options.in_app || job->rule_options.owners;
    framemap_sample_tree_options options = {.size = sizeof options, .rules = asks ? job->rules : NULL};
    framemap_sample_set_counts(job->set, &counts);
    if (counts.samples == 0 && !all_read) return FM_EXIT_FAILED;
    if (counts.samples == 0 && !job->has_reported) fm_message("no samples were found");
    if (counts.samples > 0 && !find_weight(job, &options.type)) return FM_EXIT_USAGE;
    framemap_status status = restore_set(job, &error);
    if (!status) status = print_tree(job, &options, &error);
    const bool written = fm_out_flush(&job->out);
    if (status && !job->out.failed) return fm_message_error(NULL, &error);
    return written && !status ? FM_EXIT_DONE : FM_EXIT_FAILED;
}
