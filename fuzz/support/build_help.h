/* Builds indexes by a mapper, for the harnesses of source maps and mappings. A property that does not hold ends the
 * harness. */
#ifndef FM_FUZZ_SUPPORT_BUILD_HELP_H
#define FM_FUZZ_SUPPORT_BUILD_HELP_H

#include "index/write/builder.h"
#include "mappers/mapper.h"

/* Builds an index of a file's bytes by the mapper with that name. Properties: a refusal has a message, and is not an
 * internal error. The caller frees *built with the host's heap. */
framemap_status fuzz_build(const struct fm_mapper_host *host, const char *mapper, const char *file, framemap_str bytes,
                           struct fm_built *built);
/* Ends the harness if an index is not sound. */
void fuzz_check_built(struct fm_heap *heap, const struct fm_built *built);

#endif
