/* Reads `rangeMappings`, a proposal at stage 2: for each generated line, the numbers of the segments that also map the
 * text after them, position by position. The index needs only the positions where such segments start. So the lines
 * that have such segments are read a second time here for their columns, and maps without ranges cost nothing. Two
 * encodings exist: the proposal's test suite counts the first segment of a line as 1, the later draft as 0. */
#include "mappers/javascript/sourcemap/sourcemap_job.h"

#include "core/error.h"
#include "mappers/javascript/sourcemap/sourcemap_sort.h"
#include "mappers/javascript/sourcemap/sourcemap_vlq.h"

/* The column of a segment, and whether the segment is a range. A segment that is not a range is stored only if an
 * earlier segment has a greater column, because it may then take the place of a range. */
struct range_segments {
    uint32_t col0;
    bool is_range;
};

struct ranges {
    struct fm_sourcemap_job *job;
    unsigned first; /* number of a line's first segment: 0 or 1 */
    const char *range, *range_end, *segment, *segment_end;
    uint64_t line0; /* line of the generated text */
    struct range_segments *line;
    size_t count, capacity;
    uint64_t col_end; /* one more than the largest column seen in this line */
    bool goes_back;
};

/* --- checking the text --- */

/* Counts the segments of the line at *at, and moves *at after the line's semicolon. */
static uint64_t segments_of_line(const char **at, const char *end)
{
    uint64_t count = *at < end && **at != ';';
    for (; *at < end && **at != ';'; (*at)++) count += **at == ',';
    if (*at < end) (*at)++;
    return count;
}

/* Reads the next number of a line, and converts it to count from 0. *before: the previous number; -1: there is none. A
 * number may be 0 only if it is the first one of the line, and numbers count from 0. */
static bool next_number(const char **at, const char *end, unsigned first, int64_t *before)
{
    uint32_t delta;
    if (fm_sourcemap_vlq_unsigned(at, end, &delta) != FM_SOURCEMAP_RULES) return false;
    if (delta == 0 && (*before >= 0 || first == 1)) return false;
    *before = *before < 0 ? (int64_t)delta - (int64_t)first : *before + delta;
    return true;
}

static bool check_line(const char **at, const char *end, unsigned first, uint64_t segments)
{
    int64_t which = -1;
    while (*at < end && **at != ';')
        if (!next_number(at, end, first, &which) || (uint64_t)which >= segments) return false;
    return true;
}

static bool check(framemap_str ranges, framemap_str mappings, unsigned first)
{
    const char *at = ranges.data, *end = at + ranges.size, *segment = mappings.data, *last = segment + mappings.size;
    bool more = true;
    while (at < end) {
        if (!more || !check_line(&at, end, first, segments_of_line(&segment, last))) return false;
        if (at == end) return true;
        at++;
        more = segment < last || (mappings.size > 0 && last[-1] == ';');
    }
    return more;
}

/* Whether some line starts with a zero. */
static bool counts_from_0(framemap_str ranges)
{
    for (size_t i = 0; i < ranges.size; i++)
        if (ranges.data[i] == 'A' && (i == 0 || ranges.data[i - 1] == ';')) return true;
    return false;
}

/* --- applying the ranges to segments --- */

/* Reads the column delta and moves after the segment. false: the segment is malformed. */
static bool read_column(struct ranges *r, int64_t *column)
{
    int64_t delta = 0;
    bool good = fm_sourcemap_digits[(unsigned char)*r->segment] < FM_SOURCEMAP_NO_DIGIT;
    for (bool first = true; r->segment < r->segment_end && *r->segment != ',' && *r->segment != ';'; first = false) {
        int64_t number;
        if (fm_sourcemap_vlq(&r->segment, r->segment_end, &number) != FM_SOURCEMAP_RULES) {
            /* A segment with an invalid number is dropped, as in `mappings`; the numbers after it are then relative to
             * the segment before it. */
            good = false;
            while (r->segment < r->segment_end && *r->segment != ',' && *r->segment != ';') r->segment++;
        } else if (first) {
            delta = number;
        }
    }
    if (good) *column += delta;
    return good;
}

static framemap_status add_range_segment(struct ranges *r, int64_t column, bool is_range)
{
    struct fm_sourcemap_job *job = r->job;
    const uint64_t shift = r->line0 == job->begin.line0 ? job->begin.col0 : 0;
    const struct fm_sourcemap_position place = {r->line0, (uint64_t)column + shift};
    if (column < 0 || place.col0 > FM_SOURCEMAP_POSITION_MAX || !fm_sourcemap_position_less(place, job->limit))
        return FRAMEMAP_OK;
    struct range_segments *last = r->count > 0 ? &r->line[r->count - 1] : NULL;
    const bool forward = place.col0 >= r->col_end;
    if (forward) r->col_end = place.col0 + 1;
    if (!is_range && (forward || last == NULL)) return FRAMEMAP_OK;
    if (last && last->col0 > place.col0) r->goes_back = true;
    if (last && last->col0 == place.col0) {
        last->is_range = is_range;
        return FRAMEMAP_OK;
    }
    if (!FM_GROW(job->heap, r->line, r->capacity, r->count + 1)) return fm_error_memory(job->error);
    r->line[r->count++] = (struct range_segments){(uint32_t)place.col0, is_range};
    return FRAMEMAP_OK;
}

static framemap_status sort_line(struct ranges *r)
{
    struct fm_heap *heap = r->job->heap;
    struct fm_sourcemap_key *keys = fm_heap_zalloc(heap, 2 * r->count, sizeof *keys);
    struct range_segments *copy = fm_heap_zalloc(heap, r->count, sizeof *copy);
    const bool good = keys && copy;
    for (size_t i = 0; good && i < r->count; i++) keys[i] = (struct fm_sourcemap_key){r->line[i].col0, (uint32_t)i};
    if (good) {
        memcpy(copy, r->line, r->count * sizeof *copy);
        fm_sourcemap_sort(keys, keys + r->count, r->count);
        for (size_t i = 0; i < r->count; i++) r->line[i] = copy[keys[i].which];
    }
    fm_heap_free(heap, keys, 2 * r->count * sizeof *keys);
    fm_heap_free(heap, copy, r->count * sizeof *copy);
    return good ? FRAMEMAP_OK : fm_error_memory(r->job->error);
}

/* Writes the ranges of the line. If several segments are at one column, the last of them decides whether a range starts
 * there. */
static framemap_status write_line(struct ranges *r)
{
    framemap_status status = r->goes_back ? sort_line(r) : FRAMEMAP_OK;
    for (size_t i = 0; status == FRAMEMAP_OK && i < r->count; i++) {
        if (!r->line[i].is_range || (i + 1 < r->count && r->line[i + 1].col0 == r->line[i].col0)) continue;
        status = fm_builder_segment_range(r->job->builder, (uint32_t)r->line0, r->line[i].col0, r->job->error);
    }
    r->count = 0;
    r->col_end = 0;
    r->goes_back = false;
    return status;
}

/* Reads the segments of a line that has ranges. */
static framemap_status ranges_read_line(struct ranges *r)
{
    framemap_status status = FRAMEMAP_OK;
    int64_t column = 0, wanted = -1;
    bool more = next_number(&r->range, r->range_end, r->first, &wanted);
    for (int64_t number = 0; status == FRAMEMAP_OK && r->segment < r->segment_end && *r->segment != ';'; number++) {
        const bool is_range = more && number == wanted;
        if (is_range)
            more =
                r->range < r->range_end && *r->range != ';' && next_number(&r->range, r->range_end, r->first, &wanted);
        if (read_column(r, &column)) status = add_range_segment(r, column, is_range);
        if (r->segment < r->segment_end && *r->segment == ',') r->segment++;
    }
    return status == FRAMEMAP_OK ? write_line(r) : status;
}

static const char *after_line(const char *at, const char *end)
{
    const char *semicolon = at < end ? memchr(at, ';', (size_t)(end - at)) : NULL;
    return semicolon ? semicolon + 1 : end;
}

/* Reads the ranges; both texts were checked before. */
static framemap_status ranges_apply(struct fm_sourcemap_job *job, framemap_str ranges, framemap_str mappings,
                                    unsigned first)
{
    struct ranges r = {.job = job,
                       .first = first,
                       .range = ranges.data,
                       .range_end = ranges.data + ranges.size,
                       .segment = mappings.data,
                       .segment_end = mappings.data + mappings.size,
                       .line0 = job->begin.line0};
    framemap_status status = FRAMEMAP_OK;
    for (; status == FRAMEMAP_OK && r.range < r.range_end; r.line0++) {
        if (*r.range != ';') status = ranges_read_line(&r);
        r.segment = after_line(r.segment, r.segment_end);
        r.range = after_line(r.range, r.range_end);
    }
    fm_heap_free(job->heap, r.line, r.capacity * sizeof *r.line);
    return status;
}

/* --- choosing the encoding --- */

/* Reads `rangeMappings` in the encoding that the options choose. With FRAMEMAP_RANGES_AUTO, a text that is valid only
 * if it counts from 0 breaks the rule of the test suite; lenient mode reads it anyway. */
static framemap_status read_ranges(struct fm_sourcemap_job *job, framemap_str ranges, framemap_str mappings)
{
    const char *const at = job->members.at[FM_SOURCEMAP_MEMBER_RANGES].raw.data;
    const bool automatic = job->range_mappings == FRAMEMAP_RANGES_AUTO,
               zeros = automatic && counts_from_0(ranges) && check(ranges, mappings, 0);
    const unsigned first = zeros || job->range_mappings == FRAMEMAP_RANGES_FROM_0 ? 0 : 1;
    if (zeros) {
        const framemap_status status = fm_sourcemap_fault(job->faults, FM_SOURCEMAP_RULE_RANGES_ZERO, at);
        if (status != FRAMEMAP_OK) return status;
    }
    if (!zeros && !check(ranges, mappings, first))
        return fm_sourcemap_fault(job->faults, FM_SOURCEMAP_RULE_RANGES_TEXT, at);
    if (automatic && !zeros && ranges.size > 0)
        fm_sourcemap_note(job->faults, "\"rangeMappings\" is a proposal with two spellings: read as counting a line's "
                                       "segments from 1, as its tests do");
    return ranges_apply(job, ranges, mappings, first);
}

framemap_status fm_sourcemap_read_ranges(struct fm_sourcemap_job *job)
{
    const struct fm_json_piece *ranges = &job->members.at[FM_SOURCEMAP_MEMBER_RANGES];
    framemap_str text, mappings;
    if (!fm_json_piece_is(ranges, FM_JSON_STRING) || job->range_mappings == FRAMEMAP_RANGES_OFF) return FRAMEMAP_OK;
    if (!fm_json_piece_text(ranges, &job->texts, &text) ||
        !fm_json_piece_text(&job->members.at[FM_SOURCEMAP_MEMBER_MAPPINGS], &job->texts, &mappings))
        return fm_error_memory(job->error);
    const framemap_status status = read_ranges(job, text, mappings);
    fm_sourcemap_job_reset_texts(job);
    return status;
}
