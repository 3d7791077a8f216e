/* Finds the lines at the end of the text so far that a later stack may change: titles with a class that is restored. A
 * stream must hold them back until it is certain that no stack follows. Implements dispatch_leads.h. */
#include "formats/scan/dispatch_leads.h"

/* Returns the offset at which the last FM_LOOK_BACK_FAR lines of the text start, but not less than `from`. *lines:
 * how many lines follow that offset. */
static size_t first_line(framemap_str text, size_t from, uint64_t *lines)
{
    size_t at = text.size;
    for (*lines = 0; at > from && *lines < FM_LOOK_BACK_FAR; ++*lines)
        /* If there is no line end, the offset is FM_NOT_FOUND + 1, which is 0: the start of the text. */
        at = fm_str_find_last_byte(fm_str(text.data, at - 1), '\n') + 1;
    return at < from ? from : at;
}

/* Counts a new line as one more line below each held line. Drops the held lines that are too far above this line for
 * any later stack to change them. */
static void pass_line(struct fm_dispatch *dispatch, const struct fm_line *line)
{
    size_t kept = 0;
    for (size_t i = 0; i < dispatch->lead_count; i++) {
        struct fm_lead lead = dispatch->leads[i];
        const bool is_next = line->text_number1 != lead.seen1 && line->origin == lead.origin;
        if (is_next) lead.seen1 = line->text_number1;
        if (is_next && --lead.lines == 0) continue;
        if (line->text_number1 - lead.text_number1 >= FM_LOOK_BACK_FAR) continue;
        if (line->offset - lead.offset > dispatch->ring.reach) continue;
        dispatch->leads[kept++] = lead;
    }
    dispatch->lead_count = kept;
    if (dispatch->announced > 0 && line->origin == dispatch->announced_origin) dispatch->announced--;
}

/* Returns within how many lines below this one a stack must begin to make the line its title; 0: the line is not a
 * title. */
static unsigned lines_below(struct fm_dispatch *dispatch, const struct fm_line *line)
{
    const bool announced = dispatch->announced > 0 && line->origin == dispatch->announced_origin;
    unsigned most = 0;
    for (size_t i = 0; i < dispatch->parsers->count; i++) {
        const struct fm_format *format = dispatch->parsers->formats[i];
        const unsigned found = format->leads ? format->leads(line, announced) : 0;
        if ((found & ~FM_LEADS_NEXT) > most) most = found & ~FM_LEADS_NEXT;
        if ((found & FM_LEADS_NEXT) == 0) continue;
        dispatch->announced = 3;
        dispatch->announced_origin = line->origin;
    }
    return most;
}

static void look_at(struct fm_dispatch *dispatch, const struct fm_line *line)
{
    pass_line(dispatch, line);
    const unsigned lines = line->first ? lines_below(dispatch, line) : 0;
    if (lines == 0) return;
    struct fm_lead lead = {line->offset, line->origin, line->text_number1, line->text_number1, lines};
    if (dispatch->lead_count == FM_LEADS_MOST) lead.offset = dispatch->leads[--dispatch->lead_count].offset;
    dispatch->leads[dispatch->lead_count++] = lead;
}

uint64_t fm_dispatch_early_floor(struct fm_dispatch *dispatch, uint64_t from)
{
    const struct fm_lines *at = &dispatch->at;
    size_t least = from > at->base ? (size_t)(from - at->base) : 0;
    if (at->at - least > FM_EARLY_NEAR) least = at->at - FM_EARLY_NEAR;
    uint64_t count;
    const uint64_t floor = at->base + first_line(fm_str(at->text.data, at->at), least, &count);
    if (count < FM_LOOK_BACK_FAR && at->base + least > from) return fm_dispatch_floor(dispatch);
    return dispatch->held < floor ? dispatch->held : floor;
}

uint64_t fm_dispatch_last_lines(const struct fm_dispatch *dispatch, uint64_t from, uint64_t end)
{
    uint64_t count;
    return first_line(fm_str(dispatch->ring.text.data, (size_t)end), (size_t)from, &count);
}

uint64_t fm_dispatch_floor(struct fm_dispatch *dispatch)
{
    struct fm_lines lines = {.text = fm_str(dispatch->at.text.data, dispatch->at.at), .base = dispatch->at.base};
    const uint64_t base = dispatch->at.base, end = base + dispatch->at.at;
    const size_t from = dispatch->leads_at > base ? (size_t)(dispatch->leads_at - base) : 0;
    uint64_t count;
    struct fm_line line;
    lines.at = first_line(lines.text, from, &count);
    lines.number1 = dispatch->at.number1 - count;
    while (fm_lines_next(&lines, &line)) look_at(dispatch, &line);
    dispatch->leads_at = end;
    uint64_t floor = end;
    if (dispatch->held < floor) floor = dispatch->held;
    if (dispatch->lead_count > 0 && dispatch->leads[0].offset < floor) floor = dispatch->leads[0].offset;
    return floor;
}
