/* A reader of debug info that is as plain as can be: nothing is jumped over, kept or compiled, every entry is taken
 * apart attribute by attribute, and no code is shared with mappers/debuginfo. It is for sound debug info alone and
 * tells of no faults. What the readers of the product share can't be told by holding one against the other; it is told
 * by this one. */
#ifndef FM_TESTS_MAPPERS_NATIVE_PLAIN_READER_H
#define FM_TESTS_MAPPERS_NATIVE_PLAIN_READER_H

#include "mappers/native/dwarf/dw_visitor.h"

extern const struct fm_dw_backend plain_reader;

#endif
