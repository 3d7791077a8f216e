/* Identity and state of a file, from the system's metadata, without reading it. */
#ifndef FM_CORE_FILE_STAMP_H
#define FM_CORE_FILE_STAMP_H

#include <stdbool.h>
#include <stdint.h>

struct stat;

/* Files with equal stamps have equal bytes. `changed` also changes with permissions, links and owners. */
struct fm_stamp {
    uint64_t device, inode, size;
    int64_t modified_ns, changed_ns; /* nanoseconds since 1970 */
};

struct fm_stamp fm_stamp_from(const struct stat *about);
/* Gets the stamp of the file at a path, to which symbolic links may lead. false: the file does not exist or its
 * metadata cannot be read. */
bool fm_stamp_of(const char *path, struct fm_stamp *out);
/* Whether the contents are the same: `changed` is ignored. */
bool fm_stamp_same_content(const struct fm_stamp *a, const struct fm_stamp *b);

#endif
