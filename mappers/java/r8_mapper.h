/* The three Java mappers: R8's rules, ProGuard's rules, and R8's partitioned mappings. */
#ifndef FM_MAPPERS_JAVA_R8_MAPPER_H
#define FM_MAPPERS_JAVA_R8_MAPPER_H

#include "mappers/mapper.h"

#define FM_R8_NAME "r8"
extern const struct fm_mapper fm_r8_mapper;

/* Implements the member `inspect` of the mappers r8 and proguard. Only the head of the mapping is read, so no id is
 * reported for a mapping whose id is a hash of its content. */
framemap_status fm_r8_inspect(framemap_str bytes, framemap_str name, struct fm_heap *heap, framemap_image_info *images,
                              size_t capacity, size_t *count, framemap_error *error);

#define FM_PROGUARD_NAME "proguard"
extern const struct fm_mapper fm_proguard_mapper;

#define FM_R8_PARTITIONS_NAME "r8-partitions"
extern const struct fm_mapper fm_r8_partitions_mapper;

#endif
