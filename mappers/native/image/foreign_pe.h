/* Messages for Windows PE files, which framemap does not read, and their ids. Called by foreign.c and
 * mapper_registry.c. */
#ifndef FM_MAPPERS_NATIVE_IMAGE_FOREIGN_PE_H
#define FM_MAPPERS_NATIVE_IMAGE_FOREIGN_PE_H

#include <framemap/index.h>

/* Returns FORMAT for a file that starts with "MZ", with a message that reports where its debug info is. */
framemap_status fm_pe_refuse(framemap_str bytes, framemap_error *error);
/* Whether the bytes begin as an object file of Windows, before linking (COFF), or as a member of an import library. */
bool fm_pe_is_object(framemap_str bytes);
/* Describes a file that starts with "MZ": kind, architecture, ids, and the name of its PDB as debug_link. false: the
 * bytes are not such a file. */
bool fm_pe_describe(framemap_str bytes, framemap_image_info *out);

#endif
