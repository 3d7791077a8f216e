/* Builds indexes with a mapper, for the harnesses of source maps and mappings. If a property does not hold, the
 * harness is aborted. */
#ifndef FM_FUZZ_SUPPORT_BUILD_HELP_H
#define FM_FUZZ_SUPPORT_BUILD_HELP_H

#include "index/write/builder.h"
#include "mappers/mapper.h"

/* Builds an index from the bytes of a file with the mapper of that name. Aborts if the mapper rejects the bytes
 * without a message or with an internal error. The caller frees *built with the host's heap. */
framemap_status fuzz_build(const struct fm_mapper_host *host, const char *mapper, const char *file, framemap_str bytes,
                           struct fm_built *built);
/* Aborts if an index is not sound. */
void fuzz_check_built(struct fm_heap *heap, const struct fm_built *built);

#endif
