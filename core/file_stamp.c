/* Reads size, times and identity of a file with stat(). See file_stamp.h. */
#include "core/file_stamp.h"
#include <sys/stat.h>
#include <time.h>

/* The fields with nanoseconds have other names on Apple systems than in POSIX. */
#if defined(__APPLE__)
#define MODIFIED(about) ((about)->st_mtimespec)
#define CHANGED(about) ((about)->st_ctimespec)
#else
#define MODIFIED(about) ((about)->st_mtim)
#define CHANGED(about) ((about)->st_ctim)
#endif

static int64_t ns_of(struct timespec time)
{
    return (int64_t)((uint64_t)time.tv_sec * 1000000000u + (uint64_t)time.tv_nsec);
}

struct fm_stamp fm_stamp_from(const struct stat *about)
{
    return (struct fm_stamp){.device = (uint64_t)about->st_dev,
                             .inode = (uint64_t)about->st_ino,
                             .size = (uint64_t)about->st_size,
                             .modified_ns = ns_of(MODIFIED(about)),
                             .changed_ns = ns_of(CHANGED(about))};
}

bool fm_stamp_of(const char *path, struct fm_stamp *out)
{
    struct stat about;
    if (stat(path, &about) != 0) return false;
    *out = fm_stamp_from(&about);
    return true;
}

bool fm_stamp_same_content(const struct fm_stamp *a, const struct fm_stamp *b)
{
    return a->device == b->device && a->inode == b->inode && a->size == b->size && a->modified_ns == b->modified_ns;
}
