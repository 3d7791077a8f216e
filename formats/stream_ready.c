/* How much of a growing text can be restored at once. */
#include "core/limits.h"
#include "core/text/scan.h"
#include "formats/dart/dart_line.h"
#include "formats/native/apple.h"
#include "formats/scan/lines.h"
#include "formats/scan/prefilter.h"

#define HOLD                                                                                                       \
    ((size_t)1 << 20) /* bytes of a report that are held back for its images, of a trace for its rows: the longest \
                         real ones have half of that */

#define HEADER_GAP 2 /* lines of other text within the header of a trace */

/* Where a report begins that wants the images at its end. */
static bool begins_report(const struct fm_line *line)
{
    if (line->first != 'I' && line->first != 'T' && line->first != 'P' && line->first != 'L') return false;
    framemap_str text = fm_str_trim(line->body);
    return fm_str_starts(text, FM_STR("Incident Identifier:")) ||
           fm_str_starts(text, FM_STR("Last Exception Backtrace:")) ||
           (fm_str_starts(text, FM_STR("Process:")) && line->last == ']') ||
           (fm_str_starts(text, FM_STR("Thread ")) && fm_str_find(text, FM_STR(" Crashed:")) != FM_NOT_FOUND);
}

/* "0x1000 - 0x1fff App …", told by its first columns: the frames between are of no interest here. */
static bool is_image(const struct fm_line *line)
{
    struct fm_scan s = fm_scan_of(line->body);
    uint64_t address;
    fm_scan_blanks(&s);
    if (!fm_scan_0xhex(&s, &address, NULL)) return false;
    fm_scan_blanks(&s);
    return fm_scan_byte(&s, '-');
}

/* A trace of Dart, whose rows count from what its header says. */
struct dart_trace {
    bool open, in_header;
    size_t from;      /* where it begins */
    uint64_t number1; /* of its last line */
};

static void watch_dart(struct dart_trace *trace, const struct fm_line *line, size_t physical)
{
    if (line->last == '*' && fm_dart_begins(line->text)) {
        *trace = (struct dart_trace){.open = true, .in_header = true, .from = physical, .number1 = line->number1};
        return;
    }
    if (!trace->open) return;
    struct fm_dart_header header = {.unit_count = 0};
    struct fm_dart_row row;
    const bool is_row = fm_dart_row(line->text, &row);
    if (is_row || fm_dart_header_line(&header, line->text)) {
        trace->in_header = !is_row;
        trace->number1 = line->number1;
    }
    /* Android's tombstones begin with the same stars, but go on otherwise: "pid: …" is the only line of Dart's header
     * that is not looked at. */
    if (line->number1 - trace->number1 > HEADER_GAP) trace->in_header = false;
    if (line->number1 - trace->number1 > FM_DART_GAP || line->offset - trace->from > HOLD) trace->open = false;
}

/* Whether there is more of it to come: after a row that is there as a whole the writer may as well pause for ever. */
static bool goes_on(const struct dart_trace *trace, bool cut) { return trace->open && (trace->in_header || cut); }

/* What is open at a line. */
struct watch {
    struct dart_trace dart;
    bool held, images; /* a report; images of it were seen */
    size_t from;       /* where the report begins */
};

/* `physical`: where the line begins, of which `line` may be a piece. */
static void watch_line(struct watch *watch, const struct fm_line *line, size_t physical)
{
    watch_dart(&watch->dart, line, physical);
    if (!watch->held && begins_report(line)) {
        watch->held = true;
        watch->images = false;
        watch->from = physical;
    } else if (watch->held && line->first == '0' && is_image(line)) {
        watch->images = true;
    } else if (watch->held && (watch->images || line->offset - watch->from > HOLD)) {
        watch->held = false;
    }
}

/* Passing over lines that nothing begins with: what does has a mark (prefilter_words.h). Where each line has one, as in
 * a stack, it is tried more and more seldom. */
struct passing {
    struct fm_prefilter skim;
    struct fm_prefilter_walk walk;
    unsigned wait, left; /* lines until it is tried again; of these, to come */
};

static void begin_passing(struct passing *passing, framemap_str text)
{
    fm_prefilter_make(&passing->skim);
    fm_prefilter_start(&passing->walk, &passing->skim, text);
    passing->wait = passing->left = 0;
}

static void pass_over(struct passing *passing, struct fm_lines *lines)
{
    enum { PAYS = 4, SELDOM = 31 };
    if (passing->left > 0) {
        passing->left--;
        return;
    }
    const struct fm_prefilter_line next = fm_prefilter_next(&passing->walk, lines->at);
    fm_lines_skip(lines, next.at, next.lines);
    passing->wait = next.lines >= PAYS ? 0 : passing->wait < SELDOM ? 2 * passing->wait + 1 : SELDOM;
    passing->left = passing->wait;
}

size_t fm_formats_ready_passing(framemap_str text, enum fm_passing passing)
{
    const size_t last = fm_str_find_last_byte(text, '\n');
    const size_t end = last == FM_NOT_FOUND ? 0 : last + 1;
    if (text.size - end > FM_LIMIT_UNENDED) return text.size; /* so long a line ends all that is open before it, too */
    if (end == 0) return 0;
    struct fm_lines lines = {.text = fm_str(text.data, end)};
    struct passing over;
    const bool skims = fm_prefilter_pays(passing, end);
    if (skims) begin_passing(&over, lines.text);
    struct watch watch = {.held = false};
    struct fm_line line;
    size_t physical = 0;
    uint64_t number1 = 0;
    for (;;) {
        if (skims && lines.pieces.at == NULL && !watch.held && !watch.dart.open) pass_over(&over, &lines);
        const size_t at = lines.at;
        if (!fm_lines_next(&lines, &line)) break;
        if (line.number1 != number1) physical = at;
        number1 = line.number1;
        watch_line(&watch, &line, physical);
    }
    size_t ready = watch.held ? watch.from : end;
    if (goes_on(&watch.dart, end < text.size) && watch.dart.from < ready) ready = watch.dart.from;
    return ready;
}

size_t fm_formats_ready(framemap_str text) { return fm_formats_ready_passing(text, FM_PASS_WHERE_IT_PAYS); }
