/* A whole R8 mapping to the builder, line by line. */
#ifndef FM_MAPPERS_JAVA_R8_READ_H
#define FM_MAPPERS_JAVA_R8_READ_H

#include "mappers/mapper.h"

/* Fills the builder, all but what fm_builder_about says, of which *id is told: owned by the caller, NUL-terminated.
 * host->strict: the first fault refuses the whole (CORRUPT, with R8's message, line and column); else a faulty line is
 * told of, and passed over together with what stands under it. Errors: CORRUPT, EMPTY (not when strict: R8 takes an
 * empty mapping), LIMIT (stopped), MEMORY. */
#define FM_R8_ID_SIZE 65
framemap_status fm_r8_read(framemap_str text, const struct fm_mapper_host *host, struct fm_builder *builder,
                           char id[FM_R8_ID_SIZE], framemap_error *error);

#endif
