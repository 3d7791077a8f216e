#include "formats/scan/dispatch.h"
#include "core/text/bits64.h"
#include "core/thread.h"
#include "core/thread_team.h"
#include "formats/scan/chunk_scan.h"
#include "formats/scan/look_back.h"

/* Who reads, and how far each is. Sets of readers are bits of their places. */
struct reading {
    const struct fm_byte_reader *readers;
    size_t count;
    uint32_t by_first[256], by_last[256],
        by_lacks[256];     /* whose a line standing alone may be, by what it begins with, ends with and lacks */
    uint32_t without[256]; /* and whose it may be for all that it lacks */
    uint32_t followers;    /* those that are shown the lines below one that told them something */
    uint64_t
        watched[FM_PARSERS_MOST]; /* of a follower, the number of the last line that it is shown whatever it says */
    uint64_t last_watched;        /* of all readers */
    struct fm_kept kept;          /* the line at hand, and those above it */
    struct fm_lines at;           /* the next line */
    bool skims;                   /* lines that say nothing are passed over */
    bool passes;                  /* lines are, from the one behind line `from` on, and no line has ended that yet */
    uint64_t from;
};

/* A part of the text that is read at once: all of it, or what one draft was made of. */
struct part {
    size_t to;
    struct fm_prefilter_walk *skim; /* NULL: there is a draft, or nothing is passed over */
    const struct fm_chunk_scan *draft;
    size_t next;     /* of the draft's rows */
    uint64_t before; /* lines in front of the draft */
};

static void allow(uint32_t by_byte[256], const char *bytes, uint32_t reader)
{
    for (; bytes && *bytes; bytes++) by_byte[(unsigned char)*bytes] |= reader;
}

/* By what a line lacks: whose it may be, those that ask for nothing and those that ask for one of what it has; and
 * whose it is not, those that need one of what it lacks. Each row is another, with one thing less, and who asks for
 * that or needs it. */
static void tell_by_lacks(struct reading *reading, uint32_t any, const uint32_t asking[8], const uint32_t needing[8])
{
    for (unsigned some = 0; some < 256; some++) {
        const unsigned none = ~some & 255, rest = some & (some - 1);
        reading->by_lacks[none] = some ? reading->by_lacks[~rest & 255] | asking[fm_lowest_bit(some)] : any;
        reading->without[some] = some ? reading->without[rest] & ~needing[fm_lowest_bit(some)] : UINT32_MAX;
    }
}

static void put(uint32_t by_thing[8], unsigned things, uint32_t reader)
{
    for (; things; things &= things - 1) by_thing[fm_lowest_bit(things)] |= reader;
}

static void tell_lines_apart(struct reading *reading)
{
    uint32_t any = 0, asking[8] = {0}, needing[8] = {0};
    for (size_t i = 0; i < reading->count; i++) {
        const struct fm_format *format = reading->readers[i].format;
        const uint32_t reader = UINT32_C(1) << i;
        allow(reading->by_first, format->firsts, reader);
        allow(reading->by_last, format->lasts, reader);
        if (!format->firsts && !format->lasts && !format->has) any |= reader;
        put(asking, format->has, reader);
        put(needing, format->needs, reader);
        if (format->follows) reading->followers |= reader;
    }
    tell_by_lacks(reading, any, asking, needing);
}

/* The readers that a line with a first byte may be for. */
static uint32_t asked(const struct reading *reading, const struct fm_line *line)
{
    const uint32_t any = reading->by_first[(unsigned char)line->first] | reading->by_last[(unsigned char)line->last] |
                         reading->by_lacks[line->lacks];
    return any & reading->without[line->lacks];
}

static bool may_be(const struct fm_format *format, const struct fm_line *line)
{
    return format->probe == NULL || format->probe(line);
}
static bool tells(const struct fm_format *format, const struct fm_line *line)
{
    return format->tells == NULL || format->tells(line);
}

static bool any_tells(const struct reading *reading, const struct fm_line *line)
{
    for (uint32_t left = line->first ? asked(reading, line) : 0; left; left &= left - 1) {
        const struct fm_format *format = reading->readers[fm_lowest_bit(left)].format;
        if (may_be(format, line) && tells(format, line)) return true;
    }
    return false;
}

/* --- lines that are shown --- */

static void watch(struct reading *reading, unsigned reader, uint64_t number1)
{
    if (number1 > reading->watched[reader]) reading->watched[reader] = number1;
    if (number1 > reading->last_watched) reading->last_watched = number1;
}

/* Whether a follower is shown a line: all that may go on with what it has begun, and those that say something by
 * themselves. */
static bool wants(struct reading *reading, unsigned reader, const struct fm_line *line, bool asked_by_bytes)
{
    const struct fm_format *format = reading->readers[reader].format;
    if (line->number1 <= reading->watched[reader]) return true;
    if (!asked_by_bytes || !may_be(format, line) || !tells(format, line)) return false;
    watch(reading, reader, line->number1 + FM_WATCHED);
    return true;
}

static enum fm_line_role show(struct reading *reading, unsigned reader, struct fm_document *doc,
                              const struct fm_line *line)
{
    const struct fm_byte_reader *one = &reading->readers[reader];
    doc->watched = 0;
    doc->reader = reader;
    const enum fm_line_role role = one->format->line(one->state, doc, line);
    if (role != FM_ROLE_NONE) fm_document_watch(doc, line->number1 + FM_WATCHED);
    watch(reading, reader, doc->watched);
    return role;
}

/* Those behind the reader of a frame never learn of it, and itself it doesn't look for frames above a stack. */
static uint32_t hidden_by_frame(unsigned reader) { return UINT32_MAX << reader; }

/* Whether a reader of those that a line may be for is shown it. */
static bool is_for(struct reading *reading, unsigned reader, const struct fm_line *line, bool by_bytes, bool all)
{
    if (reading->followers >> reader & 1) return all || wants(reading, reader, line, by_bytes);
    return may_be(reading->readers[reader].format, line);
}

/* Where nothing is passed over, and within strings, all followers are shown each line: the pieces of a string share a
 * number, so that a line can be near by its number and many lines away. */
static void offer(struct reading *reading, struct fm_document *doc, const struct fm_line *line)
{
    const bool all = !reading->skims || reading->at.pieces.at != NULL;
    uint32_t hidden = 0;
    const uint32_t by_bytes = asked(reading, line);
    for (uint32_t left = by_bytes | reading->followers; left; left &= left - 1) {
        const unsigned i = fm_lowest_bit(left);
        if (!is_for(reading, i, line, by_bytes >> i & 1, all)) continue;
        const enum fm_line_role role = show(reading, i, doc, line);
        if (role == FM_ROLE_CONTEXT) hidden |= UINT32_C(1) << i;
        if (role != FM_ROLE_FRAME) continue;
        hidden |= hidden_by_frame(i);
        break;
    }
    fm_kept_add(&reading->kept, hidden);
}

/* --- lines that say nothing --- */

/* Puts the reading where the next line begins that says something. false: at the end of the part, there is none. */
static bool skim_to_telling(struct reading *reading, struct part *part)
{
    struct fm_lines ahead = reading->at;
    struct fm_line line;
    for (;;) {
        const struct fm_prefilter_line next = fm_prefilter_next(part->skim, ahead.at);
        fm_lines_skip(&ahead, next.at, next.lines);
        reading->at.at = ahead.at;
        reading->at.number1 = ahead.number1;
        if (!fm_lines_next(&ahead, &line)) return false;
        /* A line of several was a string: it ends what was known of the lines above. */
        if (ahead.pieces.at || any_tells(reading, &line)) return true;
    }
}

/* The draft's row of the line that comes next, or the first behind it. NULL: there is none. */
static const struct fm_chunk_scan_line *drafted(const struct reading *reading, struct part *part)
{
    const struct fm_chunk_scan *draft = part->draft;
    while (part->next < draft->count && draft->rows[part->next].line.offset < reading->at.at) part->next++;
    return part->next < draft->count ? &draft->rows[part->next] : NULL;
}

/* The same by a draft. */
static bool turn_to_telling(struct reading *reading, struct part *part)
{
    const struct fm_chunk_scan_line *row;
    while ((row = drafted(reading, part)) != NULL && !(row->marked && (row->parts || any_tells(reading, &row->line))))
        part->next++;
    reading->at.at = row ? (size_t)row->line.offset : part->to;
    reading->at.number1 = part->before + (row ? row->line.number1 - 1 : part->draft->lines);
    return row != NULL;
}

/* Passes over what says nothing from the line on that comes next. false: up to the end of the part, and it may go on in
 * the next. */
static bool pass_over(struct reading *reading, struct part *part)
{
    if (!reading->passes) reading->from = reading->at.number1;
    reading->passes = !(part->draft ? turn_to_telling(reading, part) : skim_to_telling(reading, part));
    if (reading->passes) return false;
    const uint64_t passed = reading->at.number1 - reading->from;
    fm_kept_pass(&reading->kept, passed, reading->at.at, reading->at.number1 + 1);
    reading->last_watched = reading->at.number1 + 1 + FM_WATCHED;
    return true;
}

/* --- the lines of a text --- */

/* The next line of a part, as its draft has it where it does. */
static bool next_line(struct reading *reading, struct part *part, struct fm_line *line)
{
    const struct fm_chunk_scan_line *row = part->draft && reading->at.pieces.at == NULL ? drafted(reading, part) : NULL;
    if (row == NULL || row->parts || row->line.offset != reading->at.at) return fm_lines_next(&reading->at, line);
    *line = row->line;
    line->number1 = ++reading->at.number1;
    reading->at.at = row->after;
    return true;
}

static void read_part(struct reading *reading, struct part *part, struct fm_document *doc)
{
    while (!doc->failed) {
        const bool in_string = reading->at.pieces.at != NULL;
        if (!in_string && reading->at.at >= part->to) return;
        if (!in_string && reading->skims && reading->at.number1 >= reading->last_watched && !pass_over(reading, part))
            return;
        struct fm_line *line = fm_kept_next(&reading->kept);
        if (!next_line(reading, part, line)) return;
        if (line->first)
            offer(reading, doc, line);
        else
            fm_kept_add(&reading->kept, 0);
    }
}

/* --- by several threads --- */

/* A text whose drafts are made side by side, and which is read by one thread after the other, piece by piece. */
struct relay {
    struct reading *reading;
    struct fm_document *doc;
    const struct fm_prefilter *skim;
    struct fm_cut cut;
    struct fm_chunk_scan drafts[FM_THREAD_TEAM_MOST]; /* one of each thread */
    fm_mutex lock;
    fm_condition moved;
    size_t turn;     /* the piece that is to be read; with the lock held */
    bool failed;     /* with the lock held */
    uint64_t before; /* lines in front of that piece: the last line of a string ends with the one behind it, so that the
                        reading may be within the piece already */
};

static bool tells_any(const void *context, const struct fm_line *line) { return any_tells(context, line); }

/* Waits until all pieces in front are read. false: reading has failed. */
static bool take_turn(struct relay *relay, size_t piece)
{
    fm_mutex_lock(&relay->lock);
    while (relay->turn != piece && !relay->failed) fm_condition_wait(&relay->moved, &relay->lock);
    const bool failed = relay->failed;
    fm_mutex_unlock(&relay->lock);
    return !failed;
}

static bool end_turn(struct relay *relay)
{
    const bool failed = relay->doc->failed;
    fm_mutex_lock(&relay->lock);
    relay->turn++;
    relay->failed = failed;
    fm_condition_wake_all(&relay->moved);
    fm_mutex_unlock(&relay->lock);
    return !failed;
}

static bool read_piece(void *context, unsigned worker, size_t piece)
{
    struct relay *relay = context;
    struct reading *reading = relay->reading;
    struct fm_chunk_scan *draft = &relay->drafts[worker];
    size_t from, to;
    fm_cut_piece(&relay->cut, piece, &from, &to);
    const bool made = from == to || fm_chunk_scan_make(draft, relay->doc->arena->heap, relay->skim, relay->cut.text,
                                                       from, to, tells_any, reading);
    if (!take_turn(relay, piece)) return false;
    if (!made) relay->doc->failed = true;
    if (from != to) {
        struct part part = {.to = to, .draft = draft, .before = relay->before};
        read_part(reading, &part, relay->doc);
        relay->before += draft->lines;
    }
    return end_turn(relay);
}

static void read_by_pieces(struct reading *reading, const struct fm_reading_plan *plan, const struct fm_prefilter *skim,
                           struct fm_document *doc)
{
    struct fm_heap *heap = doc->arena->heap;
    struct relay *relay = fm_heap_zalloc(heap, 1, sizeof *relay);
    if (relay == NULL) {
        doc->failed = true;
        return;
    }
    relay->reading = reading;
    relay->doc = doc;
    relay->skim = skim;
    relay->cut = (struct fm_cut){reading->at.text, plan->piece};
    fm_mutex_init(&relay->lock);
    fm_condition_init(&relay->moved);
    fm_thread_team_run(plan->threads, fm_cut_pieces(&relay->cut), read_piece, relay);
    fm_condition_destroy(&relay->moved);
    fm_mutex_destroy(&relay->lock);
    for (size_t i = 0; i < FM_THREAD_TEAM_MOST; i++) fm_chunk_scan_free(&relay->drafts[i], heap);
    fm_heap_free(heap, relay, sizeof *relay);
}

void fm_read_text(const struct fm_byte_reader *readers, size_t count, framemap_str text,
                  const struct fm_reading_plan *plan, struct fm_document *doc)
{
    struct reading reading = {.readers = readers, .count = count, .kept.text = text, .at.text = text};
    struct part whole = {.to = text.size};
    struct fm_prefilter skim;
    struct fm_prefilter_walk walk;
    tell_lines_apart(&reading);
    doc->kept = &reading.kept;
    reading.skims = fm_prefilter_pays(plan->passing, text.size);
    if (reading.skims) fm_prefilter_make(&skim);
    if (reading.skims && text.size / 2 >= plan->piece) {
        read_by_pieces(&reading, plan, &skim, doc);
    } else {
        if (reading.skims) fm_prefilter_start(&walk, &skim, text);
        whole.skim = reading.skims ? &walk : NULL;
        read_part(&reading, &whole, doc);
    }
    doc->kept = NULL;
}
