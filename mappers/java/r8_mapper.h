/* The three Java mappers: R8's rules, ProGuard's rules, and R8's partitioned mappings. */
#ifndef FM_MAPPERS_JAVA_R8_MAPPER_H
#define FM_MAPPERS_JAVA_R8_MAPPER_H

#include "mappers/mapper.h"

#define FM_R8_NAME "r8"
#define FM_R8_SUMMARY "mapping.txt of R8 and ProGuard, by the rules of R8's retrace"
extern const struct fm_mapper fm_r8_mapper;

/* The `inspect` slot of r8 and proguard. It reads only the head, so it reports no id for a mapping whose id is a hash
 * of its content. */
framemap_status fm_r8_inspect(framemap_str bytes, framemap_str name, struct fm_heap *heap, framemap_image_info *images,
                              size_t capacity, size_t *count, framemap_error *error);

#define FM_PROGUARD_NAME "proguard"
#define FM_PROGUARD_SUMMARY "mapping.txt by the rules of ProGuard's retrace; only when asked for by name"
extern const struct fm_mapper fm_proguard_mapper;

#define FM_R8_PARTITIONS_NAME "r8-partitions"
#define FM_R8_PARTITIONS_SUMMARY "R8's mapping in pieces, a class each, in a zip archive"
extern const struct fm_mapper fm_r8_partitions_mapper;

#endif
