/* Passes the records of a Breakpad symbol file to the index builder, as functions and symbols in the order of their
 * addresses. Called by breakpad_mapper.c. */
#ifndef FM_MAPPERS_NATIVE_BREAKPAD_BREAKPAD_COMPILE_H
#define FM_MAPPERS_NATIVE_BREAKPAD_BREAKPAD_COMPILE_H

#include "mappers/native/breakpad/breakpad_reader.h"

/* Adds the records to the scope "" of the builder. Which record answers for an address is decided as in the Rust crate
 * `breakpad-symbols`: the FUNC that covers it, of several the one that starts first; else the last PUBLIC before it, if
 * no FUNC starts between them. The crate drops line records that overlap others; here their rest remains. */
framemap_status fm_breakpad_compile(struct fm_breakpad_records *records, const struct fm_mapper_host *host,
                                    struct fm_builder *builder, framemap_error *error);

#endif
