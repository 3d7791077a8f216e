/* One class block: takes the lines and comments of one class one by one, then passes the class to the builder. R8's
 * rules about lines and comments that belong together (which member answers for a frame without a line, what a comment
 * applies to) are implemented here. Called by r8_reader.c. */
#ifndef FM_MAPPERS_JAVA_R8_BLOCK_H
#define FM_MAPPERS_JAVA_R8_BLOCK_H

#include "mappers/java/r8_block_model.h"
#include "mappers/java/r8_info.h"

/* Opens a block. The texts are borrowed until the block is closed. Errors of this and the following functions: those of
 * the builder, and MEMORY. */
framemap_status fm_r8_block_open(struct fm_r8_block *block, framemap_str original, framemap_str residual,
                                 framemap_error *error);

/* Returns the residual name (in stacks) of the previous member line; empty: the block has no member line yet. */
static inline framemap_str fm_r8_block_last_name(const struct fm_r8_block *block)
{
    return block->previous.there ? block->names[block->previous.name].text : (framemap_str){NULL, 0};
}

struct fm_r8_member {
    struct fm_r8_range residual, original;
    uint32_t signature;
    framemap_str name;
};
/* Adds a member line. *warnings, here and below, is increased by the number of warnings that R8 would print. */
framemap_status fm_r8_block_member(struct fm_r8_block *block, const struct fm_r8_member *member, unsigned *warnings,
                                   framemap_error *error);
framemap_status fm_r8_block_info(struct fm_r8_block *block, const struct fm_r8_info *info, unsigned *warnings,
                                 framemap_error *error);

/* Passes the class to the builder. Does nothing if no block is open. */
framemap_status fm_r8_block_close(struct fm_r8_block *block, unsigned *warnings, framemap_error *error);

#endif
