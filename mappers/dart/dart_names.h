/* Mapper of the obfuscation map that Dart's compiler writes with --save-obfuscation-map: a JSON array of strings, the
 * original and the obfuscated name of each pair in turn:
 *
 *     ["MaterialApp","ex","Scaffold","ey"]
 *
 * Dart renames each identifier to the same name everywhere, whatever the identifier names. In the index each obfuscated
 * name is a class of the class form, with the original name as its name. */
#ifndef FM_MAPPERS_DART_DART_NAMES_H
#define FM_MAPPERS_DART_DART_NAMES_H

#include "mappers/mapper.h"

#define FM_DART_NAMES_NAME "dart-names"

extern const struct fm_mapper fm_dart_names_mapper;

#endif
