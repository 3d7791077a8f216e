/* Which file it is, and in which state: what the system knows without reading it. */
#ifndef FM_CORE_FILE_STAMP_H
#define FM_CORE_FILE_STAMP_H

#include <stdbool.h>
#include <stdint.h>

struct stat;

/* Two equal stamps are the same bytes. `changed` moves with permissions, links and owners as well. */
struct fm_stamp {
    uint64_t device, inode, size;
    int64_t modified_ns, changed_ns; /* since 1970 */
};

struct fm_stamp fm_stamp_from(const struct stat *about);
/* Follows symbolic links. false: there is no such file, or it can't be asked. */
bool fm_stamp_of(const char *path, struct fm_stamp *out);
/* Whether the content is the same: `changed` does not count. */
bool fm_stamp_same_content(const struct fm_stamp *a, const struct fm_stamp *b);

#endif
