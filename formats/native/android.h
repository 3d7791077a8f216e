/* Shared by the two Android formats. */
#ifndef FM_FORMATS_NATIVE_ANDROID_H
#define FM_FORMATS_NATIVE_ANDROID_H

#include "formats/format.h"

/* Cuts "[arm64-v8a::BUILDID]" off the end of *text. Returns the ABI, the id, and the whole as printed. */
bool fm_android_bracket(framemap_str *text, framemap_str *arch, framemap_str *id, framemap_str *printed);

#endif
