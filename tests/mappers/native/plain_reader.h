/* A DWARF reader as simple as possible: it skips, caches and compiles nothing, and decodes every entry attribute by
 * attribute. It shares no code with mappers/native/dwarf, so it finds errors that the two backends have in common. For
 * sound debug info only; it reports no faults. */
#ifndef FM_TESTS_MAPPERS_NATIVE_PLAIN_READER_H
#define FM_TESTS_MAPPERS_NATIVE_PLAIN_READER_H

#include "mappers/native/dwarf/dw_visitor.h"

extern const struct fm_dw_backend plain_reader;

#endif
