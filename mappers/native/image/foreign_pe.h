/* Messages for Windows PE files, which are not read. Called by foreign.c. */
#ifndef FM_MAPPERS_NATIVE_IMAGE_FOREIGN_PE_H
#define FM_MAPPERS_NATIVE_IMAGE_FOREIGN_PE_H

#include <framemap/index.h>

/* Returns FORMAT for a file that starts with "MZ", with a message that reports where its debug info is. */
framemap_status fm_pe_refuse(framemap_str bytes, framemap_error *error);

#endif
