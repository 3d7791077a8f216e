/* Keys of values in a store (docs/kv-format.md). Called by api_kv.c and session/. */
#ifndef FM_API_VALUE_KEYS_H
#define FM_API_VALUE_KEYS_H

#include "core/text/buffer.h"
#include "index/read/view.h"

/* Writes the build's part of a key, "fm1:TENANT:FAMILY:ID". Bytes of tenant and id other than letters, digits, '.',
 * '_', '~' and '-' are written as %XX. */
void fm_build_key(struct fm_buf *out, framemap_str tenant, const char *family, framemap_str id);

/* Returns the family in the key of an index. The family shows which stacks look the index up, and by which kind of
 * id. */
const char *fm_key_family(const struct fm_view *view);
#define FM_KEY_NATIVE "native"         /* family of indexes that are queried by address, also of Dart programs */
#define FM_KEY_JAVA "java"             /* family of indexes that are queried by the name of a Java class */
#define FM_KEY_JAVASCRIPT "javascript" /* family of indexes that are queried by line and column of a script */
#define FM_KEY_DART "dart"             /* family of indexes that are queried by an obfuscated Dart name */

#endif
