/* Names of debug sections. Called when an ELF or Mach-O file is opened. */
#ifndef FM_MAPPERS_NATIVE_IMAGE_DEBUG_NAMES_H
#define FM_MAPPERS_NATIVE_IMAGE_DEBUG_NAMES_H

#include <framemap/base.h>

/* ".debug_info" for the stem "debug_info"; cut: the stem is only as much of it as had room. Static; absent where there
 * is no such section. */
framemap_str fm_debug_name(framemap_str stem, bool cut);

#endif
