/* Decodes HTML entities, which a stack contains if it was copied from a web page or a mail. Called by row_parts.c and
 * scan/. */
#ifndef FM_FORMATS_ROW_ENTITY_H
#define FM_FORMATS_ROW_ENTITY_H

#include "core/text/text.h"

/* Reads the HTML entity at an offset, such as "&lt;". Writes its character and returns its size; 0: there is no
 * entity. */
size_t fm_row_entity(framemap_str text, size_t at, char *out);
/* Whether '&' and this byte can be the start of an entity. */
bool fm_row_begins_entity(char after);

#endif
