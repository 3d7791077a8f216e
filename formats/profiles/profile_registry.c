/* The table of profile formats, and the search for the format of a text (profile_format.h). */
#include "formats/profiles/profile_format.h"

/* The formats, in the order in which a text is tested for them. */
static const struct fm_profile_format *const table[] = {
    &fm_profile_mojo,       &fm_profile_austin,      &fm_profile_perf,       &fm_profile_folded,
    &fm_profile_speedscope, &fm_profile_otlp,        &fm_profile_pprof,      &fm_profile_firefox,
    &fm_profile_chrome,     &fm_profile_sentry,      &fm_profile_cpuprofile, &fm_profile_xctrace,
    &fm_profile_stackprof,  &fm_profile_instruments, &fm_profile_flamegraph, &fm_profile_traces};
enum { ROWS = sizeof table / sizeof *table };

static const framemap_sample_format *const infos[ROWS] = {
    &fm_profile_perf.info,    &fm_profile_folded.info, &fm_profile_speedscope.info, &fm_profile_pprof.info,
    &fm_profile_firefox.info, &fm_profile_chrome.info, &fm_profile_cpuprofile.info, &fm_profile_instruments.info,
    &fm_profile_otlp.info,    &fm_profile_sentry.info, &fm_profile_xctrace.info,    &fm_profile_stackprof.info,
    &fm_profile_mojo.info,    &fm_profile_austin.info, &fm_profile_flamegraph.info, &fm_profile_traces.info};

const framemap_sample_format *const *fm_profile_infos(size_t *count)
{
    *count = ROWS;
    return infos;
}

const struct fm_profile_format *fm_profile_named(const char *name)
{
    for (size_t i = 0; i < ROWS; i++)
        if (strcmp(table[i]->info.name, name) == 0) return table[i];
    return NULL;
}

const struct fm_profile_format *fm_profile_guess(framemap_str head)
{
    for (size_t i = 0; i < ROWS; i++)
        if (table[i]->looks && table[i]->looks(head)) return table[i];
    return &fm_profile_traces;
}
