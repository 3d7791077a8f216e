/* Reads a whole R8 mapping into a builder. Called by the mappers of mapping.txt and of partitioned mappings. */
#ifndef FM_MAPPERS_JAVA_R8_READ_H
#define FM_MAPPERS_JAVA_R8_READ_H

#include "mappers/mapper.h"

#define FM_R8_ID_SIZE 65
/* Adds a whole mapping to the builder, except its identity (fm_builder_about); for that it returns `id`,
 * NUL-terminated, in the caller's memory. With host->strict, the first fault refuses the mapping (CORRUPT, with R8's
 * message, line and column). Otherwise a faulty line is reported and skipped, together with the lines that depend on
 * it. Errors: CORRUPT, EMPTY (not when strict: R8 accepts an empty mapping), LIMIT (the host stopped the work),
 * MEMORY. */
framemap_status fm_r8_read(framemap_str text, const struct fm_mapper_host *host, struct fm_builder *builder,
                           char id[FM_R8_ID_SIZE], framemap_error *error);

#endif
