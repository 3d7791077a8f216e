/* Recomputes the checksums of an index whose bytes were changed, so that a harness gets past the first check. */
#ifndef FM_FUZZ_SUPPORT_SEAL_H
#define FM_FUZZ_SUPPORT_SEAL_H

#include <stdbool.h>
#include <stddef.h>

/* Sets every checksum that can be reached. with_sizes: also corrects the sizes of header and file. Does nothing if the
 * header is too short for its sections. */
void fm_fuzz_seal(unsigned char *data, size_t size, bool with_sizes);

#endif
