/* Recomputes the checksums of an index whose bytes were changed, so that a harness tests more than the first check. */
#ifndef FM_FUZZ_SUPPORT_SEAL_H
#define FM_FUZZ_SUPPORT_SEAL_H

#include <stdbool.h>
#include <stddef.h>

/* Corrects every checksum that can be found. with_sizes: also corrects the sizes in the header. Does nothing if the
 * bytes are too short for a header and its sections. */
void fm_fuzz_seal(unsigned char *data, size_t size, bool with_sizes);

#endif
