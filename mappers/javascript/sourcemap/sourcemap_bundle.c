/* Reads a whole document: its map or sections, then the maps of further segments of the bundle, whose generated lines
 * follow all others. */
#include "mappers/javascript/sourcemap/sourcemap_job.h"

#include "core/error.h"
#include "mappers/javascript/sourcemap/sourcemap_sections.h"

/* Reads a section. In lenient mode a section that cannot be read is skipped. */
static framemap_status bundle_read_section(struct fm_sourcemap_job *job, const struct fm_sourcemap_section *section)
{
    struct fm_json_walk walk;
    fm_json_walk_init(&walk, section->map);
    (void)fm_sourcemap_members_read(&walk, &job->members);
    job->begin = section->begin;
    job->limit = section->limit;
    const bool whole = fm_sourcemap_is(&job->members, FM_SOURCEMAP_MEMBER_SOURCES, FM_JSON_ARRAY) &&
                       fm_sourcemap_is(&job->members, FM_SOURCEMAP_MEMBER_MAPPINGS, FM_JSON_STRING);
    if (!whole) return fm_sourcemap_fault(job->faults, FM_SOURCEMAP_RULE_SECTION_MAP, section->map.data);
    return fm_sourcemap_read_map(job);
}

static framemap_status bundle_read_sections(struct fm_sourcemap_job *job)
{
    struct fm_sourcemap_sections sections = {NULL, 0, 0};
    framemap_status status = fm_sourcemap_check_members(job);
    if (status == FRAMEMAP_OK && fm_sourcemap_has(&job->members, FM_SOURCEMAP_MEMBER_MAPPINGS))
        status = fm_sourcemap_fault(job->faults, FM_SOURCEMAP_RULE_BASE_MAPPINGS,
                                    job->members.at[FM_SOURCEMAP_MEMBER_MAPPINGS].raw.data);
    if (status == FRAMEMAP_OK)
        status = fm_sourcemap_sections_read(job->members.at[FM_SOURCEMAP_MEMBER_SECTIONS].raw, job->begin, job->heap,
                                            job->faults, &sections);
    for (size_t i = 0; status == FRAMEMAP_OK && i < sections.count; i++)
        status = bundle_read_section(job, &sections.list[i]);
    fm_sourcemap_sections_free(&sections, job->heap);
    return status;
}

/* Reads the map or index map in job->members, from job->begin on. */
static framemap_status bundle_read_document(struct fm_sourcemap_job *job, uint32_t group)
{
    const framemap_status status = fm_sourcemap_read_offsets(job, group);
    if (status != FRAMEMAP_OK) return status;
    return fm_sourcemap_has(&job->members, FM_SOURCEMAP_MEMBER_SECTIONS) ? bundle_read_sections(job)
                                                                         : fm_sourcemap_read_map(job);
}

/* --- reading the maps of further bundle segments --- */

struct segments {
    struct fm_sourcemap_job *job;
    uint32_t *lines0; /* start line of each segment; UINT32_MAX: the segment does not exist */
    uint32_t *ends0;  /* for each segment (0 is the main part): the line after its last line */
    uint32_t count;   /* number of elements of both lists: one more than the largest segment number */
};

/* Reads the map of a further segment of the bundle. If several segments are at one position, the first counts. */
static framemap_status bundle_read_segment(struct segments *segments, const struct fm_json_piece *key,
                                           const struct fm_json_piece *map)
{
    struct fm_sourcemap_job *job = segments->job;
    struct fm_json_walk walk;
    uint32_t group;
    fm_json_walk_init(&walk, map->raw);
    if (!fm_sourcemap_group_of(key, &group) || group == 0 || segments->lines0[group] != UINT32_MAX ||
        !fm_sourcemap_members_read(&walk, &job->members))
        return fm_sourcemap_fault(job->faults, FM_SOURCEMAP_RULE_OFFSETS, key->raw.data);
    if (job->last_line0 >= FM_SOURCEMAP_POSITION_MAX)
        return fm_error_set(job->error, FRAMEMAP_E_LIMIT, "the maps of all segments have more than 2^32 - 1 lines");
    job->begin = (struct fm_sourcemap_position){job->last_line0 + 1, 0};
    job->limit = (struct fm_sourcemap_position){UINT64_MAX, UINT64_MAX};
    segments->lines0[group] = (uint32_t)job->begin.line0;
    if (group >= segments->count) segments->count = group + 1;
    const framemap_status status = bundle_read_document(job, group);
    segments->ends0[group] = (uint32_t)job->last_line0 + 1;
    return status;
}

static framemap_status bundle_read_segments(struct segments *segments, framemap_str object)
{
    struct fm_json_walk walk;
    struct fm_json_piece key, map;
    framemap_status status = FRAMEMAP_OK;
    memset(segments->lines0, 0xFF, FM_SOURCEMAP_MAX_GROUPS * sizeof *segments->lines0);
    memset(segments->ends0, 0xFF, FM_SOURCEMAP_MAX_GROUPS * sizeof *segments->ends0);
    segments->ends0[0] = (uint32_t)segments->job->last_line0 + 1;
    fm_json_walk_init(&walk, object);
    (void)fm_json_walk_open(&walk, FM_JSON_OBJECT);
    while (status == FRAMEMAP_OK && fm_json_walk_next(&walk, &key, &map))
        status = bundle_read_segment(segments, &key, &map);
    if (status != FRAMEMAP_OK || segments->count == 0) return status;
    status = fm_builder_offsets(segments->job->builder, FM_OFFSETS_SEGMENTS, FM_OFFSETS_STARTS, segments->lines0,
                                segments->count, segments->job->error);
    if (status != FRAMEMAP_OK) return status;
    return fm_builder_offsets(segments->job->builder, FM_OFFSETS_SEGMENTS, FM_OFFSETS_ENDS, segments->ends0,
                              segments->count, segments->job->error);
}

framemap_status fm_sourcemap_read_bundle(struct fm_sourcemap_job *job)
{
    const struct fm_json_piece further = job->members.at[FM_SOURCEMAP_MEMBER_FACEBOOK_SEGMENTS];
    struct segments segments = {.job = job};
    framemap_status status = bundle_read_document(job, 0);
    if (status != FRAMEMAP_OK || !fm_json_piece_is(&further, FM_JSON_OBJECT)) return status;
    const size_t size_bytes = 2 * FM_SOURCEMAP_MAX_GROUPS * sizeof *segments.lines0;
    segments.lines0 = fm_heap_zalloc(job->heap, 2 * FM_SOURCEMAP_MAX_GROUPS, sizeof *segments.lines0);
    if (segments.lines0 == NULL) return fm_error_memory(job->error);
    segments.ends0 = segments.lines0 + FM_SOURCEMAP_MAX_GROUPS;
    status = bundle_read_segments(&segments, further.raw);
    fm_heap_free(job->heap, segments.lines0, size_bytes);
    return status;
}
