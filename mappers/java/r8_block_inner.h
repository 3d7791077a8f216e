/* Between the two halves of a block: its reading and its writing. */
#ifndef FM_MAPPERS_JAVA_R8_BLOCK_INNER_H
#define FM_MAPPERS_JAVA_R8_BLOCK_INNER_H

#include "mappers/java/r8_block.h"

/* The key of a line that no comment tells another of; FM_NONE: there is none, or, with `add`, no memory. */
uint32_t fm_r8_block_own_key(struct fm_r8_block *block, uint32_t name, uint32_t signature, bool add);

/* Gives what was read to the builder. */
framemap_status fm_r8_block_write(struct fm_r8_block *block, framemap_error *error);

#endif
