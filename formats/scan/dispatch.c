/* Implements the line dispatcher (dispatch.h), sequential and with several threads. */
#include "formats/scan/dispatch.h"
#include "core/text/bits64.h"
#include "core/thread.h"
#include "core/thread_team.h"
#include "formats/scan/chunk_scan.h"
#include "formats/scan/look_back.h"

/* Dispatcher state. A set of parsers is a bit mask; bit i is the i-th parser. */
struct fm_dispatch {
    const struct fm_parser *parsers;
    size_t count;
    /* The parsers that a line may be for: by its first byte, by its last, and by what it has (enum fm_has). */
    uint64_t by_first[256], by_last[256], by_has[256];
    uint64_t possible[256];                 /* by what a line has: the parsers whose all_of it may meet */
    uint64_t keepers;                       /* parsers with keeps_state */
    uint64_t document_readers;              /* parsers with reads_documents */
    uint64_t offer_until1[FM_PARSERS_MOST]; /* a parser that keeps lines is offered all lines up to this number */
    uint64_t last_offer_until1;             /* the highest of these, over all parsers */
    struct fm_line_ring ring;               /* the current line and the lines above it */
    struct fm_lines at;                     /* the next line */
    bool uses_prefilter;
    bool
        skipping; /* lines from line number `from` on are being skipped, and the line that ends that is not found yet */
    uint64_t from;
};

/* A part of the text that is parsed in one go: all of it, or one chunk. */
struct text_part {
    size_t to;
    struct fm_prefilter_walk *prefilter; /* NULL if there is a chunk, or if no line is skipped */
    const struct fm_chunk_scan *chunk;
    size_t next;     /* index of the next line of the chunk */
    uint64_t before; /* number of lines before the chunk */
};

/* --- which parsers a line may be for --- */

static void allow(uint64_t by_byte[256], const char *bytes, uint64_t parser)
{
    for (; bytes && *bytes; bytes++) by_byte[(unsigned char)*bytes] |= parser;
}

/* Fills by_has and possible, each entry from one with one bit less. wanting, needing: by bit of enum fm_has, the
 * parsers that have it in any_of and in all_of. */
static void index_by_has(struct fm_dispatch *dispatch, uint64_t any, const uint64_t wanting[8],
                         const uint64_t needing[8])
{
    for (unsigned some = 0; some < 256; some++) {
        const unsigned rest = some & (some - 1), bit = some ? fm_lowest_bit(some) : 0;
        dispatch->by_has[some] = some ? dispatch->by_has[rest] | wanting[bit] : any;
        dispatch->possible[~some & 255] = some ? dispatch->possible[~rest & 255] & ~needing[bit] : UINT64_MAX;
    }
}

static void put(uint64_t by_bit[8], unsigned bits, uint64_t parser)
{
    for (; bits; bits &= bits - 1) by_bit[fm_lowest_bit(bits)] |= parser;
}

static void index_parsers(struct fm_dispatch *dispatch)
{
    uint64_t any = 0, wanting[8] = {0}, needing[8] = {0};
    for (size_t i = 0; i < dispatch->count; i++) {
        const struct fm_format *format = dispatch->parsers[i].format;
        const uint64_t parser = UINT64_C(1) << i;
        allow(dispatch->by_first, format->firsts, parser);
        allow(dispatch->by_last, format->lasts, parser);
        if (!format->firsts && !format->lasts && !format->any_of) any |= parser;
        put(wanting, format->any_of, parser);
        put(needing, format->all_of, parser);
        if (format->keeps_state) dispatch->keepers |= parser;
        if (format->reads_documents) dispatch->document_readers |= parser;
    }
    index_by_has(dispatch, any, wanting, needing);
}

static uint64_t candidates(const struct fm_dispatch *dispatch, const struct fm_line *line)
{
    if (line->is_document) return dispatch->document_readers;
    const uint64_t any = dispatch->by_first[(unsigned char)line->first] | dispatch->by_last[(unsigned char)line->last] |
                         dispatch->by_has[line->has];
    return any & dispatch->possible[line->has];
}

static bool passes_probe(const struct fm_format *format, const struct fm_line *line)
{
    return format->probe == NULL || format->probe(line);
}
static bool is_significant(const struct fm_format *format, const struct fm_line *line)
{
    return format->is_significant == NULL || format->is_significant(line);
}

/* Whether the line is significant to one of a set of parsers. */
static bool is_significant_to(const struct fm_dispatch *dispatch, const struct fm_line *line, uint64_t parsers)
{
    for (uint64_t left = line->first ? candidates(dispatch, line) & parsers : 0; left; left &= left - 1) {
        const struct fm_format *format = dispatch->parsers[fm_lowest_bit(left)].format;
        if (passes_probe(format, line) && is_significant(format, line)) return true;
    }
    return false;
}

/* --- offering lines --- */

static void extend_offers(struct fm_dispatch *dispatch, unsigned parser, uint64_t number1)
{
    if (number1 > dispatch->offer_until1[parser]) dispatch->offer_until1[parser] = number1;
    if (number1 > dispatch->last_offer_until1) dispatch->last_offer_until1 = number1;
}

/* Whether a keeper is offered a line: it may continue what the parser has open, or it is significant by itself. */
static bool is_for_keeper(struct fm_dispatch *dispatch, unsigned parser, const struct fm_line *line, bool is_candidate)
{
    const struct fm_format *format = dispatch->parsers[parser].format;
    if (line->number1 <= dispatch->offer_until1[parser]) return true;
    if (!is_candidate || !passes_probe(format, line) || !is_significant(format, line)) return false;
    extend_offers(dispatch, parser, line->number1 + FM_LINES_AFTER);
    return true;
}

static enum fm_line_role offer_to(struct fm_dispatch *dispatch, unsigned parser, struct fm_document *doc,
                                  const struct fm_line *line)
{
    const struct fm_parser *one = &dispatch->parsers[parser];
    doc->offer_until1 = 0;
    doc->parser = parser;
    const enum fm_line_role role = one->format->offer(one->state, doc, line);
    if (role != FM_ROLE_NONE) fm_document_offer_until(doc, line->number1 + FM_LINES_AFTER);
    extend_offers(dispatch, parser, doc->offer_until1);
    return role;
}

/* Parsers after the one that took the frame never see the line, and that parser ignores its own frames when it looks
 * back. */
static uint64_t hidden_by_frame(unsigned parser) { return UINT64_MAX << parser; }

static bool is_offered(struct fm_dispatch *dispatch, unsigned parser, const struct fm_line *line, bool is_candidate,
                       bool all)
{
    if (dispatch->keepers >> parser & 1) return all || is_for_keeper(dispatch, parser, line, is_candidate);
    return passes_probe(dispatch->parsers[parser].format, line);
}

/* Without the prefilter, and within escaped strings, keepers are offered every line: the pieces of a string share a
 * number, so a line can be close by its number and yet many lines away. */
static void offer(struct fm_dispatch *dispatch, struct fm_document *doc, const struct fm_line *line)
{
    const bool all = !dispatch->uses_prefilter || dispatch->at.pieces.at != NULL;
    uint64_t hidden = 0;
    const uint64_t by_bytes = candidates(dispatch, line);
    const uint64_t keepers = line->is_document ? 0 : dispatch->keepers;
    for (uint64_t left = by_bytes | keepers; left; left &= left - 1) {
        const unsigned i = fm_lowest_bit(left);
        if (!is_offered(dispatch, i, line, by_bytes >> i & 1, all)) continue;
        const enum fm_line_role role = offer_to(dispatch, i, doc, line);
        if (role == FM_ROLE_CONTEXT) hidden |= UINT64_C(1) << i;
        if (role != FM_ROLE_FRAME) continue;
        hidden |= hidden_by_frame(i);
        break;
    }
    fm_line_ring_push(&dispatch->ring, hidden);
}

/* --- skipping lines --- */

/* Moves to the next line that is significant to a parser. Returns false at the end of the part if there is none. */
static bool skip_by_prefilter(struct fm_dispatch *dispatch, struct text_part *part)
{
    struct fm_lines ahead = dispatch->at;
    struct fm_line line;
    for (;;) {
        const struct fm_prefilter_line next = fm_prefilter_next(part->prefilter, ahead.at);
        fm_lines_skip(&ahead, next.at, next.lines);
        dispatch->at.at = ahead.at;
        dispatch->at.number1 = ahead.number1;
        if (!fm_lines_next(&ahead, &line)) return false;
        /* An escaped string of several lines ends every open trace, so it must be parsed. */
        if (ahead.pieces.at || is_significant_to(dispatch, &line, UINT64_MAX)) return true;
    }
}

/* The chunk's record of the next line, or of the first line after it that has one. NULL: there is none. */
static const struct fm_chunk_scan_line *chunk_line(const struct fm_dispatch *dispatch, struct text_part *part)
{
    const struct fm_chunk_scan *chunk = part->chunk;
    while (part->next < chunk->count && chunk->lines[part->next].line.offset < dispatch->at.at) part->next++;
    return part->next < chunk->count ? &chunk->lines[part->next] : NULL;
}

/* As skip_by_prefilter, with the result of a chunk scan. */
static bool skip_by_chunk(struct fm_dispatch *dispatch, struct text_part *part)
{
    const struct fm_chunk_scan_line *scanned;
    while ((scanned = chunk_line(dispatch, part)) != NULL &&
           !(scanned->has_hit && (scanned->has_pieces || is_significant_to(dispatch, &scanned->line, UINT64_MAX))))
        part->next++;
    dispatch->at.at = scanned ? (size_t)scanned->line.offset : part->to;
    dispatch->at.number1 = part->before + (scanned ? scanned->line.number1 - 1 : part->chunk->line_count);
    return scanned != NULL;
}

/* Skips lines from the next one on that are significant to no parser. Returns false at the end of the part; skipping
 * then may continue in the next part. */
static bool skip_lines(struct fm_dispatch *dispatch, struct text_part *part)
{
    if (!dispatch->skipping) dispatch->from = dispatch->at.number1;
    dispatch->skipping = !(part->chunk ? skip_by_chunk(dispatch, part) : skip_by_prefilter(dispatch, part));
    if (dispatch->skipping) return false;
    const uint64_t skipped = dispatch->at.number1 - dispatch->from;
    fm_line_ring_push_skipped(&dispatch->ring, skipped, dispatch->at.at, dispatch->at.number1 + 1);
    dispatch->last_offer_until1 = dispatch->at.number1 + 1 + FM_LINES_AFTER;
    return true;
}

/* --- the lines of a text --- */

/* The next line of a part, from the chunk scan if that has it. */
static bool next_line(struct fm_dispatch *dispatch, struct text_part *part, struct fm_line *line)
{
    const struct fm_chunk_scan_line *scanned =
        part->chunk && dispatch->at.pieces.at == NULL ? chunk_line(dispatch, part) : NULL;
    if (scanned == NULL || scanned->has_pieces || scanned->line.offset != dispatch->at.at)
        return fm_lines_next(&dispatch->at, line);
    *line = scanned->line;
    line->number1 = ++dispatch->at.number1;
    dispatch->at.at = scanned->after;
    return true;
}

static void parse_part(struct fm_dispatch *dispatch, struct text_part *part, struct fm_document *doc)
{
    while (!doc->failed) {
        const bool in_string = dispatch->at.pieces.at != NULL;
        if (!in_string && dispatch->at.at >= part->to) return;
        if (!in_string && dispatch->uses_prefilter && dispatch->at.number1 >= dispatch->last_offer_until1 &&
            !skip_lines(dispatch, part))
            return;
        struct fm_line *line = fm_line_ring_slot(&dispatch->ring);
        if (!next_line(dispatch, part, line)) return;
        if (line->first)
            offer(dispatch, doc, line);
        else
            fm_line_ring_push(&dispatch->ring, 0);
    }
}

/* --- several threads --- */

/* Chunks are scanned by all threads in parallel and parsed one after the other, in order, by the thread that scanned
 * them. */
struct ordered_chunks {
    struct fm_dispatch *dispatch;
    struct fm_document *doc;
    const struct fm_prefilter *prefilter;
    struct fm_chunks chunks;
    struct fm_chunk_scan scans[FM_THREAD_TEAM_MOST]; /* one per thread */
    fm_mutex lock;
    fm_condition moved;
    size_t turn;     /* number of the chunk that is to be parsed; guarded by lock */
    bool failed;     /* guarded by lock */
    uint64_t before; /* number of lines before that chunk: the last line of an escaped string ends with the line after
                        it, so the dispatcher may already be within the chunk */
};

static bool is_significant_to_any(const void *context, const struct fm_line *line)
{
    return is_significant_to(context, line, UINT64_MAX);
}

/* Waits until all chunks before this one are parsed. Returns false if parsing has failed. */
static bool take_turn(struct ordered_chunks *ordered, size_t chunk)
{
    fm_mutex_lock(&ordered->lock);
    while (ordered->turn != chunk && !ordered->failed) fm_condition_wait(&ordered->moved, &ordered->lock);
    const bool failed = ordered->failed;
    fm_mutex_unlock(&ordered->lock);
    return !failed;
}

static bool end_turn(struct ordered_chunks *ordered)
{
    const bool failed = ordered->doc->failed;
    fm_mutex_lock(&ordered->lock);
    ordered->turn++;
    ordered->failed = failed;
    fm_condition_wake_all(&ordered->moved);
    fm_mutex_unlock(&ordered->lock);
    return !failed;
}

static bool parse_chunk(void *context, unsigned worker, size_t number)
{
    struct ordered_chunks *ordered = context;
    struct fm_dispatch *dispatch = ordered->dispatch;
    struct fm_chunk_scan *scan = &ordered->scans[worker];
    size_t from, to;
    fm_chunk_bounds(&ordered->chunks, number, &from, &to);
    const bool made = from == to || fm_chunk_scan_make(scan, ordered->doc->arena->heap, ordered->prefilter,
                                                       ordered->chunks.text, from, to, is_significant_to_any, dispatch);
    if (!take_turn(ordered, number)) return false;
    if (!made) ordered->doc->failed = true;
    if (from != to) {
        struct text_part part = {.to = to, .chunk = scan, .before = ordered->before};
        parse_part(dispatch, &part, ordered->doc);
        ordered->before += scan->line_count;
    }
    return end_turn(ordered);
}

static void parse_chunks(struct fm_dispatch *dispatch, const struct fm_parse_plan *plan,
                         const struct fm_prefilter *prefilter, struct fm_document *doc)
{
    struct fm_heap *heap = doc->arena->heap;
    struct ordered_chunks *ordered = fm_heap_zalloc(heap, 1, sizeof *ordered);
    if (ordered == NULL) {
        doc->failed = true;
        return;
    }
    ordered->dispatch = dispatch;
    ordered->doc = doc;
    ordered->prefilter = prefilter;
    ordered->chunks = (struct fm_chunks){dispatch->at.text, plan->chunk_size};
    fm_mutex_init(&ordered->lock);
    fm_condition_init(&ordered->moved);
    fm_thread_team_run(plan->threads, fm_chunk_count(&ordered->chunks), parse_chunk, ordered);
    fm_condition_destroy(&ordered->moved);
    fm_mutex_destroy(&ordered->lock);
    for (size_t i = 0; i < FM_THREAD_TEAM_MOST; i++) fm_chunk_scan_free(&ordered->scans[i], heap);
    fm_heap_free(heap, ordered, sizeof *ordered);
}

static void make_prefilter(struct fm_prefilter *prefilter, const struct fm_parser *parsers, size_t count)
{
    fm_prefilter_init(prefilter);
    for (size_t i = 0; i < count; i++) fm_prefilter_add(prefilter, parsers[i].format);
    fm_prefilter_finish(prefilter);
}

void fm_dispatch_text(const struct fm_parser *parsers, size_t count, framemap_str text,
                      const struct fm_parse_plan *plan, struct fm_document *doc)
{
    struct fm_dispatch dispatch = {.parsers = parsers, .count = count, .ring.text = text, .at.text = text};
    struct text_part whole = {.to = text.size};
    struct fm_prefilter prefilter;
    struct fm_prefilter_walk walk;
    index_parsers(&dispatch);
    doc->ring = &dispatch.ring;
    dispatch.uses_prefilter = fm_prefilter_pays(plan->prefilter, text.size);
    if (dispatch.uses_prefilter) make_prefilter(&prefilter, parsers, count);
    if (dispatch.uses_prefilter && text.size / 2 >= plan->chunk_size) {
        parse_chunks(&dispatch, plan, &prefilter, doc);
    } else {
        if (dispatch.uses_prefilter) fm_prefilter_start(&walk, &prefilter, text);
        whole.prefilter = dispatch.uses_prefilter ? &walk : NULL;
        parse_part(&dispatch, &whole, doc);
    }
    doc->ring = NULL;
}
