/* Passes a class block that was read completely to the builder. Called by r8_block.c. */
#ifndef FM_MAPPERS_JAVA_R8_BLOCK_WRITE_H
#define FM_MAPPERS_JAVA_R8_BLOCK_WRITE_H

#include "mappers/java/r8_block_model.h"

/* Writes the class, then methods in the order of their first lines, then fields. Errors: the builder's; MEMORY. */
framemap_status fm_r8_block_write(struct fm_r8_block *block, framemap_error *error);

#endif
