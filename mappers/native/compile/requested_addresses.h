/* The list of addresses to compile if the caller requested only certain positions. */
#ifndef FM_MAPPERS_NATIVE_COMPILE_REQUESTED_ADDRESSES_H
#define FM_MAPPERS_NATIVE_COMPILE_REQUESTED_ADDRESSES_H

#include "mappers/native/compile/compile_job.h"

bool fm_compile_list_addresses(struct fm_compile_job *job);

#endif
