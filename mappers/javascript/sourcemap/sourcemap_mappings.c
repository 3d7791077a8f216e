/* Decodes `mappings` in one pass, without copying the text, and passes the segments on in batches. Regular segments
 * take a fast path; odd_segment handles the others and reports broken rules. */
#include "mappers/javascript/sourcemap/sourcemap_job.h"

#include "core/error.h"
#include "core/limits.h"
#include "mappers/javascript/sourcemap/sourcemap_mappings_avx2.h"
#include "mappers/javascript/sourcemap/sourcemap_script.h"
#include "mappers/javascript/sourcemap/sourcemap_sort.h"
#include "mappers/javascript/sourcemap/sourcemap_vlq.h"

#define BATCH ((size_t)512)

enum field { COLUMN, SOURCE, LINE, ORIGINAL_COLUMN, NAME, FIELDS };

struct decoder {
    struct fm_sourcemap_job *job;
    const char *begin, *at, *end;
    /* values to which the next numbers are relative; the column counts from the start of the map's own line */
    int64_t state[FIELDS];
    uint64_t line0;   /* line in the whole generated text, starting at job->begin */
    uint64_t shift;   /* amount that is added to the columns of the current line */
    uint64_t col_end; /* columns from here on belong to the next section */
    bool may_go_back; /* some column in the map may be less than the previous one of its line */
    bool goes_back;   /* some column of this line was less than the previous one */
    bool overran;
    struct fm_segment *segments;
    size_t count, capacity;
    struct fm_sourcemap_prefetch *prefetch; /* the thread that packs the batches; NULL: this thread packs them */
    struct fm_sourcemap_key *keys;          /* keys for sorting; the second half is scratch */
    size_t keys_capacity;
    bool fast_here;
    struct fm_sourcemap_fast fast;
    struct fm_sourcemap_window window;
};

/* --- passing on batches of segments --- */

static framemap_status push_batch(struct decoder *d)
{
    struct fm_sourcemap_segment_batch batch = {d->segments, d->count, d->capacity};
    fm_sourcemap_prefetch_push(d->prefetch, &batch);
    d->segments = batch.segments;
    d->capacity = batch.capacity;
    return FM_GROW(d->job->heap, d->segments, d->capacity, FM_SOURCEMAP_PREFETCH_BATCH)
               ? FRAMEMAP_OK
               : fm_error_memory(d->job->error);
}

static framemap_status mappings_flush(struct decoder *d)
{
    framemap_status status = FRAMEMAP_OK;
    if (d->count == 0) return status;
    if (d->job->script != NULL) fm_sourcemap_script_segments(d->job->script, d->segments, d->count);
    d->job->last_line0 = d->segments[d->count - 1].line0;
    if (d->prefetch != NULL)
        status = push_batch(d);
    else
        status = fm_builder_segments(d->job->builder, d->segments, d->count, d->job->error);
    d->count = 0;
    return status;
}

/* Sorts the segments of the batch, which are those of one line, by column. */
static framemap_status sort_line(struct decoder *d)
{
    struct fm_heap *heap = d->job->heap;
    if (d->count < 2) return FRAMEMAP_OK;
    if (!FM_GROW(heap, d->keys, d->keys_capacity, 2 * d->count)) return fm_error_memory(d->job->error);
    struct fm_segment *sorted = fm_heap_resize(heap, NULL, 0, d->capacity * sizeof *sorted);
    if (sorted == NULL) return fm_error_memory(d->job->error);
    for (size_t i = 0; i < d->count; i++) d->keys[i] = (struct fm_sourcemap_key){d->segments[i].col0, (uint32_t)i};
    fm_sourcemap_sort(d->keys, d->keys + d->count, d->count);
    for (size_t i = 0; i < d->count; i++) sorted[i] = d->segments[d->keys[i].which];
    fm_heap_free(heap, d->segments, d->capacity * sizeof *d->segments);
    d->segments = sorted;
    return FRAMEMAP_OK;
}

static framemap_status mappings_make_room(struct decoder *d)
{
    if (!d->may_go_back) return mappings_flush(d);
    if (d->count >= FM_LIMIT_SORTED)
        return fm_error_set(d->job->error, FRAMEMAP_E_LIMIT,
                            "the columns of \"mappings\" decrease, and a line has more than %u segments to be sorted",
                            (unsigned)FM_LIMIT_SORTED);
    return FM_GROW(d->job->heap, d->segments, d->capacity, d->count + 1) ? FRAMEMAP_OK : fm_error_memory(d->job->error);
}

static framemap_status end_line(struct decoder *d)
{
    if (!d->may_go_back) return FRAMEMAP_OK;
    const framemap_status status = d->goes_back ? sort_line(d) : FRAMEMAP_OK;
    d->goes_back = false;
    return status == FRAMEMAP_OK ? mappings_flush(d) : status;
}

/* --- decoding irregular segments --- */

static framemap_status fault(struct decoder *d, enum fm_sourcemap_rule rule, const char *at)
{
    return fm_sourcemap_fault(d->job->faults, rule, at);
}

/* Checks the column of a segment, which is in `state`. *keep: whether the segment is kept. */
static framemap_status check_column(struct decoder *d, const char *at, bool *keep)
{
    *keep = false;
    if (d->state[COLUMN] < 0) {
        if (d->count > 0)
            d->goes_back =
                /* This segment is dropped. The next one may therefore be before the last kept one, even if the
                 * difference of its column is positive. */
                true;
        return fault(d, FM_SOURCEMAP_RULE_COLUMN, at);
    }
    const uint64_t col = (uint64_t)d->state[COLUMN] + d->shift;
    *keep = col < d->col_end;
    if (*keep) return FRAMEMAP_OK;
    if (d->col_end > FM_SOURCEMAP_POSITION_MAX) return fault(d, FM_SOURCEMAP_RULE_COLUMN_LIMIT, at);
    if (d->overran) return FRAMEMAP_OK;
    d->overran = true;
    return fault(d, FM_SOURCEMAP_RULE_SECTION_OVERRUN, at);
}

static framemap_status check_original(struct decoder *d, const char *at, bool *mapped)
{
    *mapped = false;
    if (d->state[SOURCE] < 0 || d->state[SOURCE] >= d->job->source_count)
        return fault(d, FM_SOURCEMAP_RULE_SOURCE_INDEX, at);
    if (d->state[LINE] < 0 || d->state[ORIGINAL_COLUMN] < 0) return fault(d, FM_SOURCEMAP_RULE_ORIGINAL, at);
    if (d->state[LINE] > FM_SOURCEMAP_POSITION_MAX || d->state[ORIGINAL_COLUMN] > FM_SOURCEMAP_POSITION_MAX)
        return fault(d, FM_SOURCEMAP_RULE_COLUMN_LIMIT, at);
    *mapped = true;
    return FRAMEMAP_OK;
}

static framemap_status check_name(struct decoder *d, const char *at, bool *named)
{
    *named = d->state[NAME] >= 0 && d->state[NAME] < d->job->name_count;
    return *named ? FRAMEMAP_OK : fault(d, FM_SOURCEMAP_RULE_NAME_INDEX, at);
}

static framemap_status mappings_put_segment(struct decoder *d, const struct fm_segment *segment)
{
    if (d->count == d->capacity) {
        const framemap_status status = mappings_make_room(d);
        if (status != FRAMEMAP_OK) return status;
    }
    if (d->count > 0 && d->segments[d->count - 1].line0 == segment->line0 &&
        d->segments[d->count - 1].col0 > segment->col0)
        d->goes_back = true;
    d->segments[d->count++] = *segment;
    return FRAMEMAP_OK;
}

/* Checks and stores the segment that started at `at` and has `fields` fields; its values are in `state`. */
static framemap_status check_and_put(struct decoder *d, unsigned fields, const char *at)
{
    bool keep, mapped = fields >= 4, named = fields >= 5;
    framemap_status status = check_column(d, at, &keep);
    if (status == FRAMEMAP_OK && mapped) status = check_original(d, at, &mapped);
    if (status == FRAMEMAP_OK && named) status = check_name(d, at, &named);
    if (status != FRAMEMAP_OK || !keep) return status;
    struct fm_segment segment = {.line0 = (uint32_t)d->line0,
                                 .col0 = (uint32_t)((uint64_t)d->state[COLUMN] + d->shift),
                                 .source = FM_NONE,
                                 .name = FM_NONE};
    if (mapped) {
        segment.source = d->job->source_base + (uint32_t)d->state[SOURCE];
        segment.original_line0 = (uint32_t)d->state[LINE];
        segment.original_col0 = (uint32_t)d->state[ORIGINAL_COLUMN];
        if (named) segment.name = d->job->name_base + (uint32_t)d->state[NAME];
    }
    return mappings_put_segment(d, &segment);
}

static bool ends_segment(const struct decoder *d, const char *at)
{
    return at == d->end || fm_sourcemap_digits[(unsigned char)*at] > FM_SOURCEMAP_NO_DIGIT;
}

/* Decodes one segment by the rules. A segment with a malformed number is dropped, and leaves the state as it was. Of a
 * segment with too many fields, the first five count; of one with two or three, only the column. */
static framemap_status odd_segment(struct decoder *d)
{
    const char *const begin = d->at;
    int64_t deltas[FIELDS] = {0}, unused;
    unsigned fields = 0;
    enum fm_sourcemap_rule rule = FM_SOURCEMAP_RULES;

    for (; rule == FM_SOURCEMAP_RULES && !ends_segment(d, d->at); fields += fields <= FIELDS)
        rule = fm_sourcemap_vlq(&d->at, d->end, fields < FIELDS ? &deltas[fields] : &unused);
    const char *const bad = d->at;
    while (!ends_segment(d, d->at)) d->at++;
    if (rule != FM_SOURCEMAP_RULES) return fault(d, rule, bad);
    if (fields != 1 && fields != 4 && fields != 5) {
        const framemap_status status = fault(d, FM_SOURCEMAP_RULE_FIELDS, begin);
        if (status != FRAMEMAP_OK || fields == 0) return status;
    }
    for (unsigned i = 0; i < FIELDS; i++) d->state[i] += deltas[i];
    return check_and_put(d, fields < FIELDS ? fields : FIELDS, begin);
}

/* --- decoding regular segments (portable fast path) --- */

/* Reads a number of one or two base64 digits; most numbers are this short. false: the number is longer, or the text is
 * not a number. */
static inline bool short_number(const char **at, int64_t *out)
{
    const unsigned char *p = (const unsigned char *)*at;
    const uint32_t first = fm_sourcemap_digits[p[0]];
    uint32_t bits = first;
    if (first >= 32) {
        const uint32_t second = first < FM_SOURCEMAP_NO_DIGIT ? fm_sourcemap_digits[p[1]] : FM_SOURCEMAP_NO_DIGIT;
        if (second >= 32) return false;
        bits = (first & 31) | second << 5;
        p++;
    }
    if (bits == 1) return false;
    const int32_t size = (int32_t)(bits >> 1), sign = -(int32_t)(bits & 1);
    *out = (size ^ sign) - sign;
    *at = (const char *)p + 1;
    return true;
}

static inline bool mappings_read_number(const char **at, const char *end, int64_t *out)
{
    return short_number(at, out) || fm_sourcemap_vlq(at, end, out) == FM_SOURCEMAP_RULES;
}

static inline bool in_range(const struct decoder *d, const int64_t *state)
{
    return (uint64_t)state[COLUMN] < d->col_end - d->shift && (uint64_t)state[SOURCE] < d->job->source_count &&
           ((uint64_t)state[LINE] | (uint64_t)state[ORIGINAL_COLUMN]) < FM_SOURCEMAP_POSITION_MAX;
}

/* Decodes one regular segment of four or five fields. false: the segment is irregular, and nothing was changed. */
static inline bool plain_segment(struct decoder *d)
{
    const char *at = d->at;
    int64_t deltas[FIELDS], state[FIELDS];
    for (unsigned i = COLUMN; i <= ORIGINAL_COLUMN; i++) {
        if (!mappings_read_number(&at, d->end, &deltas[i])) return false;
        state[i] = d->state[i] + deltas[i];
    }
    state[NAME] = d->state[NAME];
    const bool named = fm_sourcemap_digits[(unsigned char)*at] < FM_SOURCEMAP_NO_DIGIT;
    if (named) {
        if (!mappings_read_number(&at, d->end, &deltas[NAME])) return false;
        state[NAME] += deltas[NAME];
        if ((uint64_t)state[NAME] >= d->job->name_count) return false;
    }
    if (!ends_segment(d, at) || !in_range(d, state) || d->count == d->capacity ||
        (d->may_go_back && deltas[COLUMN] < 0))
        return false;
    d->segments[d->count++] = (struct fm_segment){(uint32_t)d->line0,
                                                  (uint32_t)((uint64_t)state[COLUMN] + d->shift),
                                                  d->job->source_base + (uint32_t)state[SOURCE],
                                                  (uint32_t)state[LINE],
                                                  (uint32_t)state[ORIGINAL_COLUMN],
                                                  named ? d->job->name_base + (uint32_t)state[NAME] : FM_NONE};
    memcpy(d->state, state, sizeof state);
    d->at = at;
    return true;
}

/* --- decoding regular segments with AVX2 --- */

static uint32_t to_limit(uint64_t limit) { return limit < INT32_MAX ? (uint32_t)limit : INT32_MAX; }

static void prepare_fast(struct decoder *d)
{
    struct fm_sourcemap_job *job = d->job;
    d->fast_here = fm_sourcemap_fast_here() && !job->portable_only;
    d->window.begin = NULL;
    d->fast = (struct fm_sourcemap_fast){.end = d->end,
                                         .limit = {0, to_limit(job->source_count), INT32_MAX, INT32_MAX},
                                         .base = {0, job->source_base, 0, 0},
                                         .name_limit = to_limit(job->name_count),
                                         .name_base = job->name_base,
                                         .only_forward = d->may_go_back};
}

/* Decodes until a segment is irregular. true: the line has ended. */
static bool fast_segments(struct decoder *d)
{
    struct fm_sourcemap_fast *fast = &d->fast;
    bool ended;
    for (unsigned i = COLUMN; i <= NAME; i++)
        if ((uint64_t)d->state[i] > INT32_MAX) return false;
    for (unsigned i = COLUMN; i <= ORIGINAL_COLUMN; i++) fast->state[i] = (uint32_t)d->state[i];
    fast->name = (uint32_t)d->state[NAME];
    fast->at = d->at;
    d->count += fm_sourcemap_fast_segments(fast, &d->window, d->segments + d->count, d->capacity - d->count, &ended);
    d->at = fast->at;
    for (unsigned i = COLUMN; i <= ORIGINAL_COLUMN; i++) d->state[i] = fast->state[i];
    d->state[NAME] = fast->name;
    return ended;
}

/* --- decoding lines --- */

static void begin_line(struct decoder *d)
{
    const struct fm_sourcemap_position limit = d->job->limit;
    d->state[COLUMN] = 0;
    d->shift = d->line0 == d->job->begin.line0 ? d->job->begin.col0 : 0;
    d->col_end = FM_NONE;
    if (d->line0 == limit.line0 && limit.col0 < d->col_end) d->col_end = limit.col0;
    if (d->line0 > limit.line0) d->col_end = 0;
    /* With this shift, no segment of the line is kept. It keeps the difference col_end - shift from wrapping below
     * 0. */
    if (d->col_end < d->shift) d->shift = d->col_end;
    d->fast.limit[COLUMN] = to_limit(d->col_end - d->shift);
    d->fast.base[COLUMN] = (uint32_t)d->shift;
    d->fast.line0 = (uint32_t)d->line0;
}

static framemap_status mappings_next_line(struct decoder *d)
{
    const framemap_status status = end_line(d);
    if (status != FRAMEMAP_OK) return status;
    if (++d->line0 >= FM_NONE)
        return fm_sourcemap_refuse(d->job->faults, d->at, "\"mappings\" has more than 2^32 - 1 lines");
    d->at++;
    begin_line(d);
    return FRAMEMAP_OK;
}

static framemap_status segments_of_line(struct decoder *d)
{
    framemap_status status = FRAMEMAP_OK;
    for (;;) {
        if (d->fast_here && fast_segments(d)) return FRAMEMAP_OK;
        if (!plain_segment(d)) status = odd_segment(d);
        if (status != FRAMEMAP_OK || d->at == d->end || *d->at != ',') return status;
        d->at++;
    }
}

static framemap_status decode(struct decoder *d)
{
    framemap_status status = FRAMEMAP_OK;
    begin_line(d);
    while (status == FRAMEMAP_OK && d->at < d->end) {
        if (*d->at != ';') status = segments_of_line(d);
        if (status == FRAMEMAP_OK && d->at < d->end) status = mappings_next_line(d);
    }
    if (status == FRAMEMAP_OK) status = end_line(d);
    return status == FRAMEMAP_OK ? mappings_flush(d) : status;
}

framemap_status fm_sourcemap_read_mappings(struct fm_sourcemap_job *job)
{
    const struct fm_json_piece *piece = &job->members.at[FM_SOURCEMAP_MEMBER_MAPPINGS];
    framemap_str text = piece->raw;
    struct decoder d;

    /* the member `fast` is not cleared here, because it is large; prepare_fast initialises it */
    memset(&d, 0, offsetof(struct decoder, fast));
    d.job = job;
    d.line0 = job->begin.line0;
    if (piece->type != FM_JSON_STRING)
        return fm_sourcemap_refuse(job->faults, text.data, "\"mappings\" is not a string");
    if (piece->escaped && !fm_json_piece_text(piece, &job->texts, &text)) return fm_error_memory(job->error);
    d.begin = d.at = text.data;
    d.end = text.data + text.size;
    d.may_go_back = fm_sourcemap_may_go_back(text);
    prepare_fast(&d);
    /* If some column decreases, a batch is a whole line, which may have any size. Several such batches in the queue
     * would take too much memory. */
    if (text.size >= FM_SOURCEMAP_PREFETCH_MIN_BYTES / 4 && !d.may_go_back) d.prefetch = job->prefetch;
    framemap_status status = FRAMEMAP_OK;
    if (!FM_GROW(job->heap, d.segments, d.capacity, d.prefetch != NULL ? FM_SOURCEMAP_PREFETCH_BATCH : BATCH))
        status = fm_error_memory(job->error);
    else
        status = decode(&d);
    if (d.prefetch != NULL) {
        const framemap_status packed = fm_sourcemap_prefetch_wait(d.prefetch, job->error);
        if (packed != FRAMEMAP_OK) status = packed;
    }
    fm_heap_free(job->heap, d.segments, d.capacity * sizeof *d.segments);
    fm_heap_free(job->heap, d.keys, d.keys_capacity * sizeof *d.keys);
    fm_sourcemap_job_reset_texts(job);
    return status;
}
