/* Mapper of JavaScript source maps as written by ECMA-426 tools and by those of React Native. */
#ifndef FM_MAPPERS_JAVASCRIPT_SOURCEMAP_SOURCEMAP_MAPPER_H
#define FM_MAPPERS_JAVASCRIPT_SOURCEMAP_SOURCEMAP_MAPPER_H

#include "mappers/mapper.h"

#define FM_SOURCEMAP_NAME "sourcemap"
extern const struct fm_mapper fm_sourcemap_mapper;

#endif
