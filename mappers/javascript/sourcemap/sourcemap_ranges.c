/* `rangeMappings`, a proposal of stage 2: for each generated line the numbers of those segments that map what is behind
 * them as well, place for place. What the index needs of them is where they begin; so the lines that have any are read
 * a second time here, for their columns, and the common map pays nothing.
 *
 * Two spellings exist: the test suite counts a line's first segment as 1, the later draft as 0. Only the second has
 * zeros. */
#include "mappers/javascript/sourcemap/sourcemap_job.h"

#include "core/error.h"
#include "mappers/javascript/sourcemap/sourcemap_sort.h"
#include "mappers/javascript/sourcemap/sourcemap_vlq.h"

/* Where a segment begins, and whether it is a range. Of others only those are kept that stand left of one before them:
 * they may take a range's place. */
struct seen {
    uint32_t col0;
    bool is_range;
};

struct ranges {
    struct fm_sourcemap_job *job;
    unsigned first; /* how a line's first segment is counted */
    const char *range, *range_end, *segment, *segment_end;
    uint64_t line0; /* of the generated text */
    struct seen *line;
    size_t count, capacity;
    uint64_t col_end; /* behind the columns seen in this line */
    bool goes_back;
};

/* --- checking --- */

/* The segments of the line at `at`, which is moved behind its semicolon. */
static uint64_t segments_of_line(const char **at, const char *end)
{
    uint64_t count = *at < end && **at != ';';
    for (; *at < end && **at != ';'; (*at)++) count += **at == ',';
    if (*at < end) (*at)++;
    return count;
}

/* The next number of a line, from 0; *before: the one before it, -1 for none. Only the first of a line may be spelled
 * 0, where it counts from there. */
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

/* A line that begins with a zero. */
static bool counts_from_0(framemap_str ranges)
{
    for (size_t i = 0; i < ranges.size; i++)
        if (ranges.data[i] == 'A' && (i == 0 || ranges.data[i - 1] == ';')) return true;
    return false;
}

/* --- applying --- */

/* Behind the number at the begin of a segment, and behind the segment; false: there is no good one. */
static bool read_column(struct ranges *r, int64_t *column)
{
    int64_t delta = 0;
    bool good = fm_sourcemap_digits[(unsigned char)*r->segment] < FM_SOURCEMAP_NO_DIGIT;
    for (bool first = true; r->segment < r->segment_end && *r->segment != ',' && *r->segment != ';'; first = false) {
        int64_t number;
        if (fm_sourcemap_vlq(&r->segment, r->segment_end, &number) != FM_SOURCEMAP_RULES) {
            good = false; /* `mappings` is read so, too: such a segment is none, and moves nothing */
            while (r->segment < r->segment_end && *r->segment != ',' && *r->segment != ';') r->segment++;
        } else if (first) {
            delta = number;
        }
    }
    if (good) *column += delta;
    return good;
}

static framemap_status add_seen(struct ranges *r, int64_t column, bool is_range)
{
    struct fm_sourcemap_job *job = r->job;
    const uint64_t shift = r->line0 == job->begin.line0 ? job->begin.col0 : 0;
    const struct fm_sourcemap_place place = {r->line0, (uint64_t)column + shift};
    if (column < 0 || place.col0 > FM_SOURCEMAP_PLACE_MOST || !fm_sourcemap_place_less(place, job->limit))
        return FRAMEMAP_OK;
    struct seen *last = r->count > 0 ? &r->line[r->count - 1] : NULL;
    const bool forward = place.col0 >= r->col_end;
    if (forward) r->col_end = place.col0 + 1;
    if (!is_range && (forward || last == NULL)) return FRAMEMAP_OK;
    if (last && last->col0 > place.col0) r->goes_back = true;
    if (last && last->col0 == place.col0) {
        last->is_range = is_range;
        return FRAMEMAP_OK;
    }
    if (!FM_GROW(job->heap, r->line, r->capacity, r->count + 1)) return fm_error_memory(job->error);
    r->line[r->count++] = (struct seen){(uint32_t)place.col0, is_range};
    return FRAMEMAP_OK;
}

static framemap_status sort_line(struct ranges *r)
{
    struct fm_heap *heap = r->job->heap;
    struct fm_sourcemap_key *keys = fm_heap_zalloc(heap, 2 * r->count, sizeof *keys);
    struct seen *copy = fm_heap_zalloc(heap, r->count, sizeof *copy);
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

/* Of several segments at one column the last one is what goes on behind it. */
static framemap_status give_line(struct ranges *r)
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

/* The segments of a line that has ranges. */
static framemap_status read_line(struct ranges *r)
{
    framemap_status status = FRAMEMAP_OK;
    int64_t column = 0, wanted = -1;
    bool more = next_number(&r->range, r->range_end, r->first, &wanted);
    for (int64_t number = 0; status == FRAMEMAP_OK && r->segment < r->segment_end && *r->segment != ';'; number++) {
        const bool is_range = more && number == wanted;
        if (is_range)
            more =
                r->range < r->range_end && *r->range != ';' && next_number(&r->range, r->range_end, r->first, &wanted);
        if (read_column(r, &column)) status = add_seen(r, column, is_range);
        if (r->segment < r->segment_end && *r->segment == ',') r->segment++;
    }
    return status == FRAMEMAP_OK ? give_line(r) : status;
}

static const char *behind_line(const char *at, const char *end)
{
    const char *semicolon = at < end ? memchr(at, ';', (size_t)(end - at)) : NULL;
    return semicolon ? semicolon + 1 : end;
}

/* Both strings are good. */
static framemap_status apply(struct fm_sourcemap_job *job, framemap_str ranges, framemap_str mappings, unsigned first)
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
        if (*r.range != ';') status = read_line(&r);
        r.segment = behind_line(r.segment, r.segment_end);
        r.range = behind_line(r.range, r.range_end);
    }
    fm_heap_free(job->heap, r.line, r.capacity * sizeof *r.line);
    return status;
}

/* --- which spelling --- */

/* Where nothing was said, a text that can only count from 0 breaks the rule that the tests have; leniently it is read
 * all the same. */
static framemap_status read_ranges(struct fm_sourcemap_job *job, framemap_str ranges, framemap_str mappings)
{
    const char *const at = job->members.at[FM_SOURCEMAP_M_RANGES].raw.data;
    const bool unsaid = job->range_mappings == FRAMEMAP_RANGES_AUTO,
               zeros = unsaid && counts_from_0(ranges) && check(ranges, mappings, 0);
    const unsigned first = zeros || job->range_mappings == FRAMEMAP_RANGES_FROM_0 ? 0 : 1;
    if (zeros) {
        const framemap_status status = fm_sourcemap_fault(job->faults, FM_SOURCEMAP_RANGES_ZERO, at);
        if (status != FRAMEMAP_OK) return status;
    }
    if (!zeros && !check(ranges, mappings, first)) return fm_sourcemap_fault(job->faults, FM_SOURCEMAP_RANGES_TEXT, at);
    if (unsaid && !zeros && ranges.size > 0)
        fm_sourcemap_tell(job->faults, "\"rangeMappings\" is a proposal with two spellings: read as counting a line's "
                                       "segments from 1, as its tests do");
    return apply(job, ranges, mappings, first);
}

framemap_status fm_sourcemap_read_ranges(struct fm_sourcemap_job *job)
{
    const struct fm_json_piece *ranges = &job->members.at[FM_SOURCEMAP_M_RANGES];
    framemap_str text, mappings;
    if (!fm_json_piece_is(ranges, FM_JSON_STRING) || job->range_mappings == FRAMEMAP_RANGES_OFF) return FRAMEMAP_OK;
    if (!fm_json_piece_text(ranges, &job->texts, &text) ||
        !fm_json_piece_text(&job->members.at[FM_SOURCEMAP_M_MAPPINGS], &job->texts, &mappings))
        return fm_error_memory(job->error);
    const framemap_status status = read_ranges(job, text, mappings);
    fm_sourcemap_job_forget(job);
    return status;
}
