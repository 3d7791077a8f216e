/* The names that Dart's compiler gave with --obfuscate (--save-obfuscation-map): a JSON array of strings, the original
 * and the obfuscated name of each pair side by side:
 *
 *     ["MaterialApp","ex","Scaffold","ey"]
 *
 * Renaming goes by identifier, whatever it names. In the index each obfuscated name is a class of the class form, with
 * the original one for its name. */
#ifndef FM_MAPPERS_DART_DART_NAMES_H
#define FM_MAPPERS_DART_DART_NAMES_H

#include "mappers/mapper.h"

#define FM_DART_NAMES_NAME "dart-names"

extern const struct fm_mapper fm_dart_names_mapper;

#endif
