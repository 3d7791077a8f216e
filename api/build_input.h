/* The input of a compilation: checked options, the mapper that reads the bytes, and what the mapper gets from its
 * caller (struct fm_mapper_host). framemap_index_build and framemap_index_verify_against, which both run a mapper,
 * share it. */
#ifndef FM_API_BUILD_INPUT_H
#define FM_API_BUILD_INPUT_H

#include "mappers/mapper.h"

struct fm_build_input {
    framemap_str bytes, name;
    /* a copy of the caller's options, converted to the size that the struct has in this version */
    framemap_build_options options;
    const struct fm_mapper *mapper;
    struct fm_heap heap;
    struct fm_mapper_host host; /* refers to `heap`, so the struct must not be moved */
};

/* Checks what the caller gave and chooses the mapper. Errors: those of framemap_index_build that do not depend on the
 * contents of the file. */
framemap_status fm_build_input_open(framemap_str bytes, framemap_str name, const framemap_build_options *options,
                                    struct fm_build_input *out, framemap_error *error);

#endif
