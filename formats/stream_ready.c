#include "formats/stream_ready.h"
#include "core/limits.h"
#include "formats/format_registry.h"
#include "formats/scan/lines.h"
#include "formats/scan/prefilter.h"

#define HOLDS_MOST 4 /* formats with a hold slot */

/* The formats that hold text back, and what each has open. */
struct holds {
    const struct fm_format *formats[HOLDS_MOST];
    struct fm_hold of[HOLDS_MOST];
    size_t count;
};

static void find_holds(struct holds *holds)
{
    const struct fm_format *format;
    *holds = (struct holds){.count = 0};
    for (size_t i = 0; (format = fm_format_at(i)) != NULL && holds->count < HOLDS_MOST; i++)
        if (format->hold) holds->formats[holds->count++] = format;
}

static bool any_open(const struct holds *holds)
{
    for (size_t i = 0; i < holds->count; i++)
        if (holds->of[i].open) return true;
    return false;
}

/* Skips lines that open nothing. Where many lines have a hit, as in a stack, that is tried less and less often. */
struct skipping {
    struct fm_prefilter prefilter;
    struct fm_prefilter_walk walk;
    unsigned wait, left; /* lines until the next try; how many of these are to come */
};

static void start_skipping(struct skipping *skipping, const struct holds *holds, framemap_str text)
{
    fm_prefilter_init(&skipping->prefilter);
    for (size_t i = 0; i < holds->count; i++) fm_prefilter_add(&skipping->prefilter, holds->formats[i]);
    fm_prefilter_finish(&skipping->prefilter);
    fm_prefilter_start(&skipping->walk, &skipping->prefilter, text);
    skipping->wait = skipping->left = 0;
}

static void skip_lines(struct skipping *skipping, struct fm_lines *lines)
{
    enum { PAYS = 4, SELDOM = 31 };
    if (skipping->left > 0) {
        skipping->left--;
        return;
    }
    const struct fm_prefilter_line next = fm_prefilter_next(&skipping->walk, lines->at);
    fm_lines_skip(lines, next.at, next.lines);
    skipping->wait = next.lines >= PAYS ? 0 : skipping->wait < SELDOM ? 2 * skipping->wait + 1 : SELDOM;
    skipping->left = skipping->wait;
}

/* Shows the whole lines of a text to the formats that hold text back. */
static void follow_lines(struct holds *holds, framemap_str text, enum fm_prefilter_use use)
{
    struct fm_lines lines = {.text = text};
    struct skipping skipping;
    const bool skips = fm_prefilter_pays(use, text.size);
    struct fm_line line;
    size_t physical = 0;
    uint64_t number1 = 0;
    if (skips) start_skipping(&skipping, holds, text);
    for (;;) {
        if (skips && lines.pieces.at == NULL && !any_open(holds)) skip_lines(&skipping, &lines);
        const size_t at = lines.at;
        if (!fm_lines_next(&lines, &line)) return;
        if (line.number1 != number1) physical = at;
        number1 = line.number1;
        for (size_t i = 0; i < holds->count; i++) holds->formats[i]->hold(&holds->of[i], &line, physical);
    }
}

size_t fm_formats_ready_prefiltered(framemap_str text, enum fm_prefilter_use use)
{
    const size_t last = fm_str_find_last_byte(text, '\n');
    const size_t end = last == FM_NOT_FOUND ? 0 : last + 1;
    struct holds holds;
    if (text.size - end > FM_LIMIT_UNENDED) return text.size; /* so long a line also ends all that is open before it */
    if (end == 0) return 0;
    find_holds(&holds);
    follow_lines(&holds, fm_str(text.data, end), use);
    size_t ready = end;
    for (size_t i = 0; i < holds.count; i++) {
        const struct fm_hold *hold = &holds.of[i];
        if (hold->open && (hold->needs_more || end < text.size) && hold->from < ready) ready = hold->from;
    }
    return ready;
}

size_t fm_formats_ready(framemap_str text) { return fm_formats_ready_prefiltered(text, FM_PREFILTER_AUTO); }
