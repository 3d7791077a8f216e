/* Writes `mappings`: the segments as base64 VLQ. */
#include "session/map_write/map_write_inner.h"

#include "core/error.h"
#include "core/limits.h"

#define VLQ_MOST INT32_MAX /* largest number that is written: it has 31 bits, and a sign */
enum { VLQ_DIGITS = 7, SEGMENT_MOST = 1 + 5 * VLQ_DIGITS };

/* These functions write a number, which must be small enough for VLQ_MOST, and return the address after it. */
static char *put_unsigned(char *at, uint64_t rest)
{
    static const char digits[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    do {
        const unsigned digit = rest & 31;
        rest >>= 5;
        *at++ = digits[rest > 0 ? digit | 32 : digit];
    } while (rest > 0);
    return at;
}

static char *put_vlq(char *at, int64_t number)
{
    return put_unsigned(at, number < 0 ? (uint64_t)-number << 1 | 1 : (uint64_t)number << 1);
}

static bool vlq_fits(int64_t number) { return number >= -VLQ_MOST && number <= VLQ_MOST; }

bool fm_convert_vlq(struct fm_buf *out, int64_t number)
{
    char text[VLQ_DIGITS];
    if (!vlq_fits(number)) return false;
    fm_buf_add(out, text, (size_t)(put_vlq(text, number) - text));
    return true;
}

bool fm_convert_vlq_unsigned(struct fm_buf *out, uint64_t number)
{
    char text[VLQ_DIGITS];
    if (number > UINT32_MAX) return false;
    fm_buf_add(out, text, (size_t)(put_unsigned(text, number) - text));
    return true;
}

/* A segment of the map that is written. Its sources and names have their numbers in the output. */
struct said {
    uint32_t line0, col0;
    uint32_t source; /* number of the source; FM_VIEW_NONE: the segment has no source */
    uint32_t original_line0, original_col0;
    uint32_t name; /* number of the name; FM_VIEW_NONE: the segment has no name */
};

struct mappings {
    struct fm_convert *convert;
    struct said last; /* last segment written; the next one is encoded relative to it */
    /* a segment that is written when the next one is known; NULL: no segment is pending */
    const struct fm_convert_hop *pending;
    /* copy of the pending segment while the batch that contained it is refilled */
    struct fm_convert_hop kept;
    bool first;          /* the next segment is the first of its line */
    bool last_is_source; /* the last segment of this line leads to a source */
    bool last_has_name;
};

static framemap_status too_far(const struct mappings *m, const struct said *said)
{
    return fm_error_set(m->convert->error, FRAMEMAP_E_LIMIT,
                        "the segment at line %lu, column %lu is more than 2^31 away from the one before it",
                        (unsigned long)said->line0 + 1, (unsigned long)said->col0 + 1);
}

static framemap_status move_to_line(struct mappings *m, uint32_t line0)
{
    struct fm_convert *convert = m->convert;
    framemap_status status = FRAMEMAP_OK;
    if (line0 > FM_LIMIT_MAP_LINES)
        return fm_error_set(convert->error, FRAMEMAP_E_LIMIT,
                            "the map has line %lu, more lines than any generated text has", (unsigned long)line0 + 1);
    while (status == FRAMEMAP_OK && m->last.line0 < line0) {
        fm_buf_byte(&convert->out, ';');
        m->last.line0++;
        m->last.col0 = 0;
        m->first = true;
        status = fm_convert_flush(convert, FM_CONVERT_FLUSH);
    }
    return status;
}

/* Lists the numbers of a segment, each as the difference from the corresponding number of the last segment written.
 * Returns how many numbers there are. */
static unsigned distances(const struct mappings *m, const struct said *said, int64_t out[5])
{
    const struct said *last = &m->last;
    out[0] = (int64_t)said->col0 - last->col0;
    if (said->source == FM_VIEW_NONE) return 1;
    out[1] = (int64_t)said->source - last->source;
    out[2] = (int64_t)said->original_line0 - last->original_line0;
    out[3] = (int64_t)said->original_col0 - last->original_col0;
    if (said->name == FM_VIEW_NONE) return 4;
    out[4] = (int64_t)said->name - last->name;
    return 5;
}

static framemap_status write_segment(struct mappings *m, const struct said *said)
{
    char text[SEGMENT_MOST], *at = text;
    int64_t numbers[5];
    framemap_status status = move_to_line(m, said->line0);
    if (status != FRAMEMAP_OK) return status;
    const unsigned count = distances(m, said, numbers);
    if (!m->first) *at++ = ',';
    for (unsigned i = 0; i < count; i++) {
        if (!vlq_fits(numbers[i])) return too_far(m, said);
        at = put_vlq(at, numbers[i]);
    }
    fm_buf_add(&m->convert->out, text, (size_t)(at - text));
    m->first = false;
    m->last_is_source = count > 1;
    m->last_has_name = count == 5;
    m->last.col0 = said->col0;
    if (count > 1) {
        m->last.source = said->source;
        m->last.original_line0 = said->original_line0;
        m->last.original_col0 = said->original_col0;
    }
    if (count == 5) m->last.name = said->name;
    return fm_convert_flush(m->convert, FM_CONVERT_FLUSH);
}

/* Whether a segment is equal to the last segment of its line. */
static bool says_the_same(const struct mappings *m, const struct said *said)
{
    const struct said *last = &m->last;
    if (m->first || last->line0 != said->line0 || m->last_is_source != (said->source != FM_VIEW_NONE)) return false;
    if (said->source == FM_VIEW_NONE) return true;
    return last->source == said->source && last->original_line0 == said->original_line0 &&
           last->original_col0 == said->original_col0 && m->last_has_name == (said->name != FM_VIEW_NONE) &&
           (!m->last_has_name || last->name == said->name);
}

/* Writes a segment, unless it equals the previous one on its line. tie: the segment is the first of several at one
 * position. Such a segment applies to exactly that position, and must be written even if it equals the previous one. */
static framemap_status write_hop(struct mappings *m, const struct fm_convert_hop *hop, bool tie)
{
    struct said said = {hop->line0, hop->col0, FM_VIEW_NONE, hop->original_line0, hop->original_col0, FM_VIEW_NONE};
    const bool composes = fm_convert_composes(m->convert), bytecode = m->convert->bytecode;
    framemap_status status = FRAMEMAP_OK;
    if (composes && bytecode && tie) return FRAMEMAP_OK;
    if (hop->source != FM_VIEW_NONE) status = fm_convert_source(m->convert, hop->map, hop->source, &said.source);
    if (status == FRAMEMAP_OK && hop->name != FM_VIEW_NONE)
        status = fm_convert_name(m->convert, hop->name_map, hop->name, &said.name);
    if (status != FRAMEMAP_OK || (composes && !bytecode && !tie && says_the_same(m, &said))) return status;
    return write_segment(m, &said);
}

static bool before(const struct fm_convert_hop *a, const struct fm_convert_hop *b)
{
    return a->line0 != b->line0 ? a->line0 < b->line0 : a->col0 < b->col0;
}

static framemap_status write_pending(struct mappings *m, const struct fm_convert_hop *next)
{
    const struct fm_convert_hop *hop = m->pending;
    m->pending = next;
    if (hop == NULL) return FRAMEMAP_OK;
    if (next != NULL && before(next, hop)) return fm_convert_damaged(m->convert, "a segment");
    return write_hop(m, hop, next != NULL && !before(hop, next));
}

/* Copies the pending segment out of the batch, which is about to be filled again. */
static void keep_pending(struct mappings *m)
{
    if (m->pending == NULL) return;
    m->kept = *m->pending;
    m->pending = &m->kept;
}

static framemap_status take_all(struct mappings *m, struct fm_convert_trace *trace)
{
    struct fm_segments_about about = {.segment_count = 0};
    framemap_status status = FRAMEMAP_OK;
    fm_view_segments(m->convert->maps[0].view, &about);
    for (uint64_t at = 0; status == FRAMEMAP_OK && at < about.segment_count; at += FM_CONVERT_BATCH) {
        const uint64_t left = about.segment_count - at;
        const uint32_t count = left < FM_CONVERT_BATCH ? (uint32_t)left : FM_CONVERT_BATCH;
        status = fm_convert_trace(m->convert, trace, at, count);
        for (uint32_t i = 0; status == FRAMEMAP_OK && i < count; i++) status = write_pending(m, &trace->hops[i]);
        keep_pending(m);
    }
    return status == FRAMEMAP_OK ? write_pending(m, NULL) : status;
}

framemap_status fm_convert_mappings(struct fm_convert *convert)
{
    struct mappings m = {.convert = convert, .first = true};
    struct fm_convert_trace *trace = fm_heap_zalloc(convert->heap, 1, sizeof *trace);
    uint32_t *heads = fm_heap_zalloc(convert->heap, convert->map_count, sizeof *heads);
    framemap_status status = trace && heads ? FRAMEMAP_OK : fm_error_memory(convert->error);
    if (status == FRAMEMAP_OK) {
        trace->heads = heads;
        fm_buf_str(&convert->out, FM_STR(",\"mappings\":\""));
        status = take_all(&m, trace);
        fm_buf_byte(&convert->out, '"');
    }
    fm_heap_free(convert->heap, heads, convert->map_count * sizeof *heads);
    fm_heap_free(convert->heap, trace, sizeof *trace);
    return status;
}
