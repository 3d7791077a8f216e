/* Lines without what terminals, loggers and encoders put between their characters: colours, NUL bytes, entities of
 * HTML, and escapes of the string that a line is in; a blank is in the place of U+00A0. Parsers are offered such a
 * copy; what they report is mapped back to the bytes of the text. Called by lines.c, dispatch.c, look_back.c, by
 * parsers and by output/text_rows.c. */
#ifndef FM_FORMATS_SCAN_LINE_CLEAN_H
#define FM_FORMATS_SCAN_LINE_CLEAN_H

#include "formats/format.h"

/* Most bytes of a line that is cleaned; the longest names of C++ are shorter. */
#define FM_CLEAN_MOST ((size_t)8 << 10)

/* A line as each format sees it (enum fm_keeps). */
struct fm_line_views {
    const struct fm_line *of[FM_KEEPS_ALL + 1];
    struct fm_line cleaned[FM_KEEPS_ALL];
};

/* Whether the body has anything that could be removed. Takes linear time. */
bool fm_line_is_dirty(const struct fm_line *line);
/* Fills the views of a line. room: memory for FM_KEEPS_ALL times its body, if it is dirty. */
void fm_line_views_fill(const struct fm_line *line, char *room, struct fm_line_views *out);
/* Returns the line as formats with `keeps` see it: itself if it is clean for them; else *out, with a body in `room`,
 * which has as many bytes as the body. */
const struct fm_line *fm_line_clean(const struct fm_line *line, unsigned keeps, char *room, struct fm_line *out);

/* Whether U+00A0 begins at an offset: it is in the place of blanks of text that was copied from a page or a mail. */
static inline bool fm_is_hard_blank(framemap_str text, size_t at)
{
    return text.data[at] == '\xC2' && at + 1 < text.size && text.data[at + 1] == '\xA0';
}
/* Whether U+00A0 is in a text, in UTF-8. Takes linear time. */
bool fm_text_has_hard_blank(framemap_str text);
/* Cleans the text of a frame: writes it to `out`, which has room for as many bytes. Returns the number of bytes. run:
 * as in fm_line; 0: escapes stay. */
size_t fm_text_clean(framemap_str text, unsigned keeps, unsigned run, char *out);

#endif
