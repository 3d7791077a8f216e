/* HTML entities, which pages and mails that a stack was pasted into have. Called by row_parts.c and scan/. */
#ifndef FM_FORMATS_ROW_ENTITY_H
#define FM_FORMATS_ROW_ENTITY_H

#include "core/text/text.h"

/* Reads the HTML entity at an offset, such as "&lt;": writes its character and returns its size; 0: there is none. */
size_t fm_row_entity(framemap_str text, size_t at, char *out);
/* Whether an entity begins with '&' and this byte. */
bool fm_row_begins_entity(char after);

#endif
