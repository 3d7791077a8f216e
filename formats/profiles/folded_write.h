/* Writes folded stacks; the format's row is with the reader, in folded_samples.c. */
#ifndef FM_FORMATS_PROFILES_FOLDED_WRITE_H
#define FM_FORMATS_PROFILES_FOLDED_WRITE_H

#include "formats/profiles/profile_format.h"

void fm_folded_write(struct fm_profile_out *out);
/* Returns the offset of the number that a stack or a name ends in after a blank: 5 for "main 12.5"; the size of the
 * text if there is none. */
size_t fm_folded_number(framemap_str text);

#endif
