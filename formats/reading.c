#include "formats/reading.h"
#include "core/word.h"
#include "formats/above.h"
#include "formats/lines.h"
#include "formats/skim.h"

/* Who reads, and how far each is. Sets of readers are bits of their places. */
struct reading {
    const struct fm_reader *readers;
    size_t count;
    struct fm_skim_walk *skim;    /* NULL: nothing is passed over */
    uint32_t by_first[256], by_last[256],
        by_lacks[256];            /* whose a line standing alone may be, by what it begins with, ends with and lacks */
    uint32_t without[256];        /* and whose it may be for all that it lacks */
    uint32_t followers;           /* those that are shown the lines below one that told them something */
    uint64_t watched[FM_READERS]; /* of a follower, the number of the last line that it is shown whatever it says */
    uint64_t last_watched;        /* of all readers */
    struct fm_kept kept;          /* the line at hand, and those above it */
    unsigned last;                /* the reader of the last frame, or any */
    uint32_t shown;               /* those that were shown the line above */
};

static void allow(uint32_t by_byte[256], const char *bytes, uint32_t reader)
{
    for (; bytes && *bytes; bytes++) by_byte[(unsigned char)*bytes] |= reader;
}

/* By what a line lacks: whose it may be, those that ask for nothing and those that ask for one of what it has; and whose it is not, those that need one of what it lacks. Each row
 * is another, with one thing less, and who asks for that or needs it. */
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
    const uint32_t any =
        reading->by_first[(unsigned char)line->first] | reading->by_last[(unsigned char)line->last] | reading->by_lacks[line->lacks];
    return any & reading->without[line->lacks];
}

static bool may_be(const struct fm_format *format, const struct fm_line *line) { return format->probe == NULL || format->probe(line); }
static bool tells(const struct fm_format *format, const struct fm_line *line) { return format->tells == NULL || format->tells(line); }

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

/* Whether a follower is shown a line: all that may go on with what it has begun, and those that say something by themselves. */
static bool wants(struct reading *reading, unsigned reader, const struct fm_line *line, bool asked_by_bytes)
{
    const struct fm_format *format = reading->readers[reader].format;
    if (line->number1 <= reading->watched[reader]) return true;
    if (!asked_by_bytes || !may_be(format, line) || !tells(format, line)) return false;
    watch(reading, reader, line->number1 + FM_WATCHED);
    return true;
}

static enum fm_line_role show(struct reading *reading, unsigned reader, struct fm_doc *doc, const struct fm_line *line)
{
    const struct fm_reader *one = &reading->readers[reader];
    doc->watched = 0;
    doc->reader = reader;
    const enum fm_line_role role = one->format->line(one->state, doc, line);
    if (role != FM_ROLE_NONE) fm_doc_watch(doc, line->number1 + FM_WATCHED);
    watch(reading, reader, doc->watched);
    return role;
}

/* Those behind the reader of a frame never learn of it, and itself it doesn't look for frames above a stack. */
static uint32_t hidden_by_frame(unsigned reader) { return UINT32_MAX << reader; }

/* The next row of a stack costs one call where its reader, who knows the line above, can say that it is nobody else's. */
static bool goes_on(struct reading *reading, struct fm_doc *doc, const struct fm_line *line)
{
    const unsigned last = reading->last;
    const struct fm_reader *one = &reading->readers[last];
    if (one->format->goes_on == NULL || (reading->shown >> last & 1) == 0) return false;
    doc->reader = last;
    if (!one->format->goes_on(one->state, doc, line)) return false;
    watch(reading, last, line->number1 + FM_WATCHED);
    fm_kept_add(&reading->kept, hidden_by_frame(last));
    reading->shown = UINT32_C(1) << last;
    return true;
}

/* Whether a reader of those that a line may be for is shown it. */
static bool is_for(struct reading *reading, unsigned reader, const struct fm_line *line, bool by_bytes, bool all)
{
    if (reading->followers >> reader & 1) return all || wants(reading, reader, line, by_bytes);
    return may_be(reading->readers[reader].format, line);
}

/* Where nothing is passed over, and within strings, all followers are shown each line: the pieces of a string share a number, so that a line can be near by its number and many
 * lines away. */
static void offer(struct reading *reading, struct fm_doc *doc, const struct fm_lines *lines, const struct fm_line *line)
{
    const bool all = reading->skim == NULL || lines->pieces.at != NULL;
    uint32_t hidden = 0, shown = 0;
    if (!all && goes_on(reading, doc, line)) return;
    const uint32_t by_bytes = asked(reading, line);
    for (uint32_t left = by_bytes | reading->followers; left; left &= left - 1) {
        const unsigned i = fm_lowest_bit(left);
        if (!is_for(reading, i, line, by_bytes >> i & 1, all)) continue;
        const enum fm_line_role role = show(reading, i, doc, line);
        shown |= UINT32_C(1) << i;
        if (role == FM_ROLE_CONTEXT) hidden |= UINT32_C(1) << i;
        if (role != FM_ROLE_FRAME) continue;
        hidden |= hidden_by_frame(i);
        reading->last = i;
        break;
    }
    reading->shown = shown;
    fm_kept_add(&reading->kept, hidden);
}

/* --- lines that say nothing --- */

/* Puts the walk where the next line begins that says something, or behind the last line. */
static void find_telling(const struct reading *reading, struct fm_lines *lines)
{
    struct fm_lines ahead = *lines;
    struct fm_line line;
    for (;;) {
        const struct fm_skimmed next = fm_skim_next(reading->skim, ahead.at);
        fm_lines_skip(&ahead, next.at, next.lines);
        lines->at = ahead.at;
        lines->number1 = ahead.number1;
        if (!fm_lines_next(&ahead, &line)) return;
        /* A line of several was a string: it ends what was known of the lines above. */
        if (ahead.pieces.at || any_tells(reading, &line)) return;
    }
}

/* Passes over what says nothing from the line on that comes next. */
static void pass_over(struct reading *reading, struct fm_lines *lines)
{
    const uint64_t first = lines->number1;
    find_telling(reading, lines);
    if (lines->number1 > first) reading->shown = 0;
    fm_kept_pass(&reading->kept, lines->number1 - first, lines->at, lines->number1 + 1);
    reading->last_watched = lines->number1 + 1 + FM_WATCHED;
}

void fm_read_text(const struct fm_reader *readers, size_t count, framemap_str text, enum fm_passing passing, struct fm_doc *doc)
{
    struct reading reading = {.readers = readers, .count = count, .kept.text = text};
    struct fm_skim skim;
    struct fm_skim_walk walk;
    struct fm_lines lines = {.text = text};
    tell_lines_apart(&reading);
    doc->kept = &reading.kept;
    if (fm_skim_pays(passing, text.size)) {
        fm_skim_make(&skim);
        fm_skim_begin(&walk, &skim, text);
        reading.skim = &walk;
    }
    while (!doc->failed) {
        if (reading.skim && lines.number1 >= reading.last_watched && lines.pieces.at == NULL) pass_over(&reading, &lines);
        struct fm_line *line = fm_kept_next(&reading.kept);
        if (!fm_lines_next(&lines, line)) break;
        if (line->first)
            offer(&reading, doc, &lines, line);
        else
            fm_kept_add(&reading.kept, 0);
    }
    doc->kept = NULL;
}
