#include "formats/dart/dart_hold.h"
#include "formats/dart/dart_line.h"

#define HEADER_GAP 2 /* lines of other text within the header of a trace */

void fm_dart_hold(struct fm_hold *hold, const struct fm_line *line, size_t physical)
{
    if (line->last == '*' && fm_dart_begins(line->text)) {
        *hold = (struct fm_hold){.open = true, .needs_more = true, .from = physical, .number1 = line->number1};
        return;
    }
    if (!hold->open) return;
    struct fm_dart_header header = {.unit_count = 0};
    struct fm_dart_row row;
    const bool is_row = fm_dart_row_parse(line->text, &row);
    if (is_row || fm_dart_header_line(&header, line->text)) {
        hold->needs_more = !is_row; /* after a whole frame line the writer may pause for any time */
        hold->number1 = line->number1;
    }
    /* An Android tombstone begins with the same stars but continues differently: "pid: …" is the only line of Dart's
     * header that it has. */
    if (line->number1 - hold->number1 > HEADER_GAP) hold->needs_more = false;
    if (line->number1 - hold->number1 > FM_DART_GAP || line->offset - hold->from > FM_HOLD_MOST) hold->open = false;
}
