/* Cleans lines of what terminals, loggers and encoders put between or in place of their characters: removes colours
 * and NUL bytes, decodes HTML entities and the escapes of the string that a line is in, and replaces U+00A0 by a
 * blank. Parsers are offered the cleaned copy; the slices that they report are mapped back to the bytes of the text.
 * Called by lines.c, dispatch.c, look_back.c, by parsers and by output/text_rows.c. */
#ifndef FM_FORMATS_SCAN_LINE_CLEAN_H
#define FM_FORMATS_SCAN_LINE_CLEAN_H

#include "formats/format.h"

/* Longer lines are not cleaned; the longest names of C++ fit. */
#define FM_CLEAN_MOST ((size_t)8 << 10)

/* A line after each kind of cleaning, by enum fm_keeps. */
struct fm_line_views {
    const struct fm_line *of[FM_KEEPS_ALL + 1];
    struct fm_line cleaned[FM_KEEPS_ALL];
};

/* Whether the line's body contains anything that cleaning could change. Takes linear time. */
bool fm_line_is_dirty(const struct fm_line *line);
/* Fills the views of a line. room: memory for FM_KEEPS_ALL copies of the line's body, if cleaning changes it. */
void fm_line_views_fill(const struct fm_line *line, char *room, struct fm_line_views *out);
/* Returns the line as it is offered to formats with `keeps`: the line itself if cleaning changes nothing; otherwise
 * *out, whose body is in `room`. room: as many bytes as the body has. */
const struct fm_line *fm_line_clean(const struct fm_line *line, unsigned keeps, char *room, struct fm_line *out);

/* Whether U+00A0 (a no-break space) begins at an offset. Text copied from a page or a mail may have it in place of
 * blanks. */
static inline bool fm_is_hard_blank(framemap_str text, size_t at)
{
    return text.data[at] == '\xC2' && at + 1 < text.size && text.data[at + 1] == '\xA0';
}
/* Whether U+00A0 is in a text, in UTF-8. Takes linear time. */
bool fm_text_has_hard_blank(framemap_str text);
/* Cleans the text of a frame: writes it to `out`, which has room for as many bytes as the text. Returns the number of
 * bytes written. run: number of backslashes in an escaped line end of the string that the text is in; 0: escapes are
 * kept. */
size_t fm_text_clean(framemap_str text, unsigned keeps, unsigned run, char *out);

#endif
