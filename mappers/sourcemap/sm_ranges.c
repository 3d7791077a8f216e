/* `rangeMappings`, a proposal of which three spellings exist: checked as the tests of ECMA-426 have it, else not used. */
#include "mappers/sourcemap/sm_job.h"

#include "core/fault.h"
#include "mappers/sourcemap/sm_vlq.h"

/* The segments of the line at `at`, which is moved behind its semicolon. */
static uint64_t segments_of_line(const char **at, const char *end)
{
    uint64_t count = *at < end && **at != ';';
    for (; *at < end && **at != ';'; (*at)++) count += **at == ',';
    if (*at < end) (*at)++;
    return count;
}

/* Numbers of one line: each counts on from the one before, and none is 0. */
static bool check_line(const char **at, const char *end, uint64_t segments)
{
    uint64_t which = 0;
    uint32_t delta;
    while (*at < end && **at != ';') {
        if (fm_sm_vlq_unsigned(at, end, &delta) != FM_SM_RULES || delta == 0) return false;
        which += delta;
        if (which > segments) return false;
    }
    return true;
}

static bool check(framemap_str ranges, framemap_str mappings)
{
    const char *at = ranges.data, *end = at + ranges.size, *segment = mappings.data, *last = segment + mappings.size;
    bool more = true;
    while (at < end) {
        if (!more || !check_line(&at, end, segments_of_line(&segment, last))) return false;
        if (at == end) return true;
        at++;
        more = segment < last || (mappings.size > 0 && last[-1] == ';');
    }
    return more;
}

framemap_status fm_sm_check_ranges(struct fm_sm_job *job)
{
    const struct fm_json_piece *ranges = &job->members.at[FM_SM_M_RANGES];
    framemap_str text, mappings;
    if (!fm_json_piece_is(ranges, FM_JSON_STRING)) return FRAMEMAP_OK;
    if (!fm_json_piece_text(ranges, &job->texts, &text) || !fm_json_piece_text(&job->members.at[FM_SM_M_MAPPINGS], &job->texts, &mappings))
        return fm_fault_memory(job->error);
    const bool good = check(text, mappings);
    fm_sm_job_forget(job);
    if (!good) return fm_sm_fault(job->faults, FM_SM_RANGES_TEXT, ranges->raw.data);
    if (text.size > 0)
        fm_sm_tell(job->faults,
                   "\"rangeMappings\" is a proposal that is not used: between segments places are those of the segment before");
    return FRAMEMAP_OK;
}
