/* JavaScript source maps, as ECMA-426 and the tools of React Native write them. */
#ifndef FM_MAPPERS_JAVASCRIPT_SOURCEMAP_SOURCEMAP_MAPPER_H
#define FM_MAPPERS_JAVASCRIPT_SOURCEMAP_SOURCEMAP_MAPPER_H

#include "mappers/mapper.h"

#define FM_SOURCEMAP_NAME "sourcemap"
extern const struct fm_mapper fm_sourcemap_mapper;

#endif
