/* Writes folded stacks. The row of the format is in folded_samples.c, with the reader. */
#ifndef FM_FORMATS_PROFILES_FOLDED_WRITE_H
#define FM_FORMATS_PROFILES_FOLDED_WRITE_H

#include "formats/profiles/profile_format.h"

void fm_folded_write(struct fm_profile_out *out);
/* Returns the offset of a number at the end of a text, after a blank: 5 for "main 12.5". If it is not found, returns
 * the size of the text. */
size_t fm_folded_number(framemap_str text);

#endif
