#define _DEFAULT_SOURCE /* madvise: POSIX's own call leaves the pages where they are */
#include "core/mapfile.h"
#include "core/fault.h"
#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

static const char *reason(int code)
{
    switch (code) {
    case ENOENT: return "no such file";
    case ENOTDIR: return "a part of the path is not a folder";
    case EACCES:
    case EPERM: return "no permission to read it";
    case EISDIR: return "it is a directory, not a file";
    case ELOOP: return "too many symbolic links";
    case ENAMETOOLONG: return "the path is too long";
    case EMFILE:
    case ENFILE: return "too many files are open";
    case ENOMEM: return "not enough address space to map it";
    case EIO: return "the device reported a read error";
    case ENODEV:
    case ENXIO: return "it is not a regular file";
    default: return NULL;
    }
}

static framemap_status refuse(framemap_error *error, int code)
{
    const char *words = reason(code);
    if (words) return fm_fault(error, FRAMEMAP_E_IO, "cannot open the file: %s", words);
    return fm_fault(error, FRAMEMAP_E_IO, "cannot open the file: the system says error %d", code);
}

static framemap_status map_descriptor(int descriptor, struct fm_mapfile *out, framemap_error *error)
{
    struct stat about;
    struct fm_mapfile file = {.bytes = {"", 0}};
    if (fstat(descriptor, &about) != 0) return refuse(error, errno);
    if (S_ISDIR(about.st_mode)) return refuse(error, EISDIR);
    if (!S_ISREG(about.st_mode)) return refuse(error, ENODEV);
    if ((uintmax_t)about.st_size > SIZE_MAX) return refuse(error, ENOMEM);
    if (about.st_size > 0) {
        file.map_size = (size_t)about.st_size;
        file.map = mmap(NULL, file.map_size, PROT_READ, MAP_PRIVATE, descriptor, 0);
        if (file.map == MAP_FAILED) return refuse(error, errno);
        file.bytes = (framemap_str){file.map, file.map_size};
    }
    *out = file;
    return FRAMEMAP_OK;
}

framemap_status fm_mapfile_open(const char *path, struct fm_mapfile *out, framemap_error *error)
{
    /* Non-blocking, so that a pipe in a symbol folder is refused below instead of waited for. */
    int descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY);
    framemap_status status = descriptor < 0 ? refuse(error, errno) : map_descriptor(descriptor, out, error);
    if (descriptor >= 0) close(descriptor);
    if (status != FRAMEMAP_OK) fm_fault_where(error, framemap_str_of(path));
    return status;
}

/* Whole pages of [from, to), as far as they are of the file. Returns where they end. */
static size_t let_go(const struct fm_mapfile *file, size_t from, size_t to)
{
    const long page = sysconf(_SC_PAGESIZE);
    if (file->map == NULL || page <= 0) return 0;
    if (to > file->map_size) to = file->map_size;
    to -= to % (size_t)page;
    from -= from % (size_t)page;
    if (from >= to) return to;
#ifdef MADV_DONTNEED
    madvise((char *)file->map + from, to - from, MADV_DONTNEED); /* a wish: nothing hangs on it */
#endif
    return to;
}

void fm_mapfile_passed(struct fm_mapfile *file, size_t offset)
{
    if (offset > file->map_size || offset <= file->passed) return;
    const size_t end = let_go(file, file->passed, offset);
    if (end > file->passed) file->passed = end;
}

void fm_mapfile_let_go(struct fm_mapfile *file, size_t offset, size_t size)
{
    if (offset < file->map_size) let_go(file, offset, size < file->map_size - offset ? offset + size : file->map_size);
}

void fm_mapfile_close(struct fm_mapfile *file)
{
    if (file->map) munmap(file->map, file->map_size);
    *file = (struct fm_mapfile){.bytes = {"", 0}};
}
