/* Writes folded stacks; the format's row is with the reader, in folded_samples.c. */
#ifndef FM_FORMATS_PROFILES_FOLDED_WRITE_H
#define FM_FORMATS_PROFILES_FOLDED_WRITE_H

#include "formats/profiles/profile_format.h"

void fm_folded_write(struct fm_profile_out *out);

#endif
