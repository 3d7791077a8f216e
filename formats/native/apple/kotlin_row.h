/* Parses the rows of Kotlin/Native, without the "at" before them. Called by apple_symbols.c. */
#ifndef FM_FORMATS_NATIVE_APPLE_KOTLIN_ROW_H
#define FM_FORMATS_NATIVE_APPLE_KOTLIN_ROW_H

#include "formats/format.h"

/* Parses a row with a number: "0   app.kexe   0x104c2d1a7   kfun:run() + 50 (/a.kt:3:1)". */
bool fm_kotlin_row(framemap_str body, struct fm_document *doc, framemap_frame *frame);
/* Parses a row without a number: "kfun:run() (0x416fea)"; in_stack: also those of other functions, and of functions
 * without a name. */
bool fm_kotlin_named_row(framemap_str body, bool in_stack, framemap_frame *frame);

#endif
