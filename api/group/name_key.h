/* Removes from names and paths the parts that differ from build to build: numbers of lambdas and of anonymous classes,
 * hashes, versions, the suffixes of compilers. Called by fingerprint.c. docs/grouping.md has the rule. */
#ifndef FM_API_GROUP_NAME_KEY_H
#define FM_API_GROUP_NAME_KEY_H

#include "core/text/buffer.h"

/* Appends a function, a class or the type of an exception. native: the name may have parameters and suffixes that
 * compilers add. */
void fm_put_name_key(struct fm_buf *out, framemap_str name, bool native);
/* Appends the last two parts of the path of a source file or script. */
void fm_put_path_key(struct fm_buf *out, framemap_str path);
/* Appends the name of an image. */
void fm_put_module_key(struct fm_buf *out, framemap_str module);
/* Appends a message without numbers, ids and quoted texts. */
void fm_put_message_key(struct fm_buf *out, framemap_str message);

#endif
