/* Names of debug sections. Called when an ELF or Mach-O file is opened. */
#ifndef FM_MAPPERS_NATIVE_IMAGE_DEBUG_NAMES_H
#define FM_MAPPERS_NATIVE_IMAGE_DEBUG_NAMES_H

#include <framemap/base.h>

/* The canonical name of a debug section, static: ".debug_info" for the stem "debug_info". If `cut` is set, the stem
 * may be only the start of the name (Mach-O truncates names to 16 bytes). Absent if there is no such section. */
framemap_str fm_debug_name(framemap_str stem, bool cut);

#endif
