/* The toy mapper of check_recipes. */
#ifndef FM_TESTS_TREE_RECIPES_TOY_MAPPER_H
#define FM_TESTS_TREE_RECIPES_TOY_MAPPER_H

#include "mappers/mapper.h"

extern const struct fm_mapper fm_toy_mapper;

#endif
