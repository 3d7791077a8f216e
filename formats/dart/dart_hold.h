/* What a pipe holds back for Dart: a trace whose frames need its header. The hold slot of dart_trace.c. */
#ifndef FM_FORMATS_DART_DART_HOLD_H
#define FM_FORMATS_DART_DART_HOLD_H

#include "formats/format.h"

void fm_dart_hold(struct fm_hold *hold, const struct fm_line *line, size_t physical);

#endif
