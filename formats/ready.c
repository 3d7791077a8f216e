/* How much of a growing text can be restored at once. */
#include "core/scan.h"
#include "formats/apple.h"
#include "formats/dart_line.h"
#include "formats/lines.h"

#define HOLD ((size_t)1 << 20) /* bytes of a report that are held back for its images, of a trace for its rows: the longest real ones have half of that */

#define HEADER_GAP 2 /* lines of other text within the header of a trace */

/* Where a report begins that wants the images at its end. */
static bool begins_report(const struct fm_line *line)
{
    if (line->first != 'I' && line->first != 'T' && line->first != 'P' && line->first != 'L') return false;
    framemap_str text = fm_str_trim(line->body);
    return fm_str_starts(text, FM_STR("Incident Identifier:")) || fm_str_starts(text, FM_STR("Last Exception Backtrace:")) ||
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
    struct fm_dart_row row;
    if (!trace->open && line->last != '*') return;
    struct fm_dart_header header = {.unit_count = 0};
    const bool is_row = trace->open && fm_dart_row(line->text, &row);
    const bool is_header = !is_row && fm_dart_header_line(&header, line->text);
    const bool begins = is_header && line->last == '*';
    if (begins) *trace = (struct dart_trace){.open = true, .from = physical};
    if (!trace->open) return;
    if (is_row || is_header) {
        trace->in_header = is_header;
        trace->number1 = line->number1;
    }
    /* Android's tombstones begin with the same stars, but go on otherwise: "pid: …" is the only line of Dart's header that is not looked at. */
    if (line->number1 - trace->number1 > HEADER_GAP) trace->in_header = false;
    if (line->number1 - trace->number1 > FM_DART_GAP || line->offset - trace->from > HOLD) trace->open = false;
}

/* Whether there is more of it to come: after a row that is there as a whole the writer may as well pause for ever. */
static bool goes_on(const struct dart_trace *trace, bool cut) { return trace->open && (trace->in_header || cut); }

size_t fm_formats_ready(framemap_str text)
{
    size_t end = fm_str_find_last_byte(text, '\n');
    if (end == FM_NOT_FOUND) return 0;
    struct fm_lines lines = {.text = fm_str(text.data, end + 1)};
    struct fm_line line;
    struct dart_trace dart = {.open = false};
    bool held = false, images = false;
    size_t from = 0, physical = 0; /* where the line at hand begins, of which `line` may be a piece */
    uint64_t number1 = 0;
    for (size_t at = 0; fm_lines_next(&lines, &line); at = lines.at) {
        if (line.number1 != number1) physical = at;
        number1 = line.number1;
        watch_dart(&dart, &line, physical);
        if (!held && begins_report(&line)) {
            held = true;
            images = false;
            from = physical;
        } else if (held && line.first == '0' && is_image(&line)) {
            images = true;
        } else if (held && (images || line.offset - from > HOLD)) {
            held = false;
        }
    }
    size_t ready = held ? from : end + 1;
    if (goes_on(&dart, end + 1 < text.size) && dart.from < ready) ready = dart.from;
    return ready;
}
