#include "formats/reading.h"
#include "core/word.h"
#include "formats/lines.h"
#include "formats/skim.h"

enum {
    RING = 32, /* lines that are kept: the one at hand and FM_RECALLED above it, and a power of two */
    NOBODY = 255,
};

/* Who reads, and how far each is. Sets of readers are bits of their places. */
struct reading {
    const struct fm_reader *readers;
    size_t count;
    uint32_t by_first[256], by_last[256],
        by_lacks[256];            /* whose a line standing alone may be, by what it begins with, ends with and lacks */
    uint32_t without[256];        /* and whose it may be for all that it lacks */
    uint32_t rememberers;         /* those that know the lines above: they have `recall` */
    uint64_t watched[FM_READERS]; /* of a rememberer, the number of the last line that it is shown whatever it says */
    uint64_t last_watched;        /* of all readers */
    /* The last lines, a ring: rememberers are told of those that they were not shown when they are shown the next one. */
    struct fm_line ring[RING];
    uint8_t taken[RING];       /* the reader whose frame the line is: those behind it in the table never learn of it. NOBODY */
    uint64_t lines;            /* that were in the ring */
    unsigned last;             /* the reader of the last frame, or any */
    uint64_t told[FM_READERS]; /* of these, how many the reader knows of */
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
        if (format->recall) reading->rememberers |= reader;
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

static struct fm_line *slot(struct reading *reading) { return &reading->ring[reading->lines % RING]; }

static void keep(struct reading *reading, unsigned taken) { reading->taken[reading->lines++ % RING] = (uint8_t)taken; }

static void watch(struct reading *reading, unsigned reader, uint64_t number1)
{
    if (number1 > reading->watched[reader]) reading->watched[reader] = number1;
    if (number1 > reading->last_watched) reading->last_watched = number1;
}

/* Tells a rememberer of the lines that it was not shown since it was shown one. */
static void catch_up(struct reading *reading, unsigned reader, struct fm_doc *doc)
{
    const struct fm_line *missed[FM_RECALLED];
    size_t count = 0;
    uint64_t at = reading->told[reader];
    if (reading->lines - at > FM_RECALLED) at = reading->lines - FM_RECALLED;
    for (; at < reading->lines; at++)
        if (reading->taken[at % RING] > reader) missed[count++] = &reading->ring[at % RING];
    reading->told[reader] = reading->lines + 1;
    if (count) reading->readers[reader].format->recall(reading->readers[reader].state, doc, missed, count);
}

/* Whether a rememberer is shown a line: all that may go on with what it has begun, and those that say something by themselves. */
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
    const enum fm_line_role role = one->format->line(one->state, doc, line);
    if (role != FM_ROLE_NONE) fm_doc_watch(doc, line->number1 + FM_WATCHED);
    watch(reading, reader, doc->watched);
    return role;
}

static void catch_all_up(struct reading *reading, struct fm_doc *doc)
{
    for (uint32_t left = reading->rememberers; left; left &= left - 1) catch_up(reading, fm_lowest_bit(left), doc);
}

/* The next row of a stack costs one call where its reader, who knows the line above, can say that it is nobody else's. */
static bool goes_on(struct reading *reading, struct fm_doc *doc, const struct fm_line *line)
{
    const unsigned last = reading->last;
    const struct fm_reader *one = &reading->readers[last];
    if (one->format->goes_on == NULL || reading->told[last] != reading->lines || !one->format->goes_on(one->state, doc, line)) return false;
    watch(reading, last, line->number1 + FM_WATCHED);
    keep(reading, last);
    reading->told[last] = reading->lines;
    return true;
}

/* all: rememberers are shown the line whatever it says, and are told first of those above even where another takes this one: it may be a piece of a string, whose pieces share
 * a number, so that a line can be near by its number and FM_RECALLED lines away. */
static void offer(struct reading *reading, struct fm_doc *doc, const struct fm_line *line, bool all)
{
    const uint32_t by_bytes = asked(reading, line);
    unsigned taken = NOBODY;
    if (all)
        catch_all_up(reading, doc);
    else if (goes_on(reading, doc, line))
        return;
    for (uint32_t left = by_bytes | reading->rememberers; left && taken == NOBODY; left &= left - 1) {
        const unsigned i = fm_lowest_bit(left);
        if (reading->rememberers >> i & 1) {
            if (!all) {
                if (!wants(reading, i, line, by_bytes >> i & 1)) continue;
                catch_up(reading, i, doc);
            }
        } else if (!may_be(reading->readers[i].format, line)) {
            continue;
        }
        if (show(reading, i, doc, line) == FM_ROLE_FRAME) taken = i;
    }
    if (taken != NOBODY) reading->last = taken;
    keep(reading, taken);
}

/* --- lines that say nothing --- */

/* Puts the walk where the next line begins that says something, or behind the last line. */
static void find_telling(const struct reading *reading, struct fm_skim_walk *skim, struct fm_lines *lines)
{
    struct fm_lines ahead = *lines;
    struct fm_line line;
    for (;;) {
        const struct fm_skimmed next = fm_skim_next(skim, ahead.at);
        fm_lines_skip(&ahead, next.at, next.lines);
        lines->at = ahead.at;
        lines->number1 = ahead.number1;
        if (!fm_lines_next(&ahead, &line)) return;
        /* A line of several was a string: it ends what was known of the lines above. */
        if (ahead.pieces.at || any_tells(reading, &line)) return;
    }
}

/* Keeps the last of the lines that were passed over from `from` on. */
static void keep_passed(struct reading *reading, const struct fm_lines *lines, const struct fm_lines *from)
{
    struct fm_lines back = *from;
    size_t passed;
    back.at = fm_skim_back(lines->text, from->at, lines->at, FM_RECALLED, &passed);
    back.number1 = lines->number1 - passed;
    while (back.at < lines->at && fm_lines_next(&back, slot(reading)))
        if (slot(reading)->first) keep(reading, NOBODY);
}

/* Passes over what says nothing from the line on that comes next. */
static void pass_over(struct reading *reading, struct fm_skim_walk *skim, struct fm_lines *lines)
{
    const struct fm_lines from = *lines;
    find_telling(reading, skim, lines);
    if (lines->at < lines->text.size) keep_passed(reading, lines, &from);
    reading->last_watched = lines->number1 + 1 + FM_WATCHED;
}

void fm_read_text(const struct fm_reader *readers, size_t count, framemap_str text, enum fm_passing passing, struct fm_doc *doc)
{
    struct reading reading = {.readers = readers, .count = count};
    struct fm_skim skim;
    struct fm_skim_walk walk;
    struct fm_lines lines = {.text = text};
    const bool skims = fm_skim_pays(passing, text.size);
    tell_lines_apart(&reading);
    if (skims) {
        fm_skim_make(&skim);
        fm_skim_begin(&walk, &skim, text);
    }
    while (!doc->failed) {
        if (skims && lines.number1 >= reading.last_watched && lines.pieces.at == NULL) pass_over(&reading, &walk, &lines);
        struct fm_line *line = slot(&reading);
        if (!fm_lines_next(&lines, line)) break;
        if (line->first) offer(&reading, doc, line, !skims || lines.pieces.at != NULL);
    }
}
