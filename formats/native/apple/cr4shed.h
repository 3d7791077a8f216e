/* Reads the header above a stack of Cr4shed, a crash reporter for jailbroken devices. Called by apple_symbols.c. */
#ifndef FM_FORMATS_NATIVE_APPLE_CR4SHED_H
#define FM_FORMATS_NATIVE_APPLE_CR4SHED_H

#include "formats/native/crashlytics.h"

/* Reads the header above a stack into its trace. Returns the kind of stack; FM_CRASHLYTICS_NONE if there is no
 * header. */
enum fm_crashlytics_head fm_cr4shed_above(struct fm_document *doc, const struct fm_line *line, framemap_trace *trace);

#endif
