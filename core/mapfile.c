#include "core/mapfile.h"
#include "core/fault.h"
#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

static framemap_status refuse(const char *path, framemap_error *error, const char *why)
{
    fm_fault(error, FRAMEMAP_E_IO, "%s", why);
    fm_fault_where(error, (framemap_str){path, strlen(path)});
    return FRAMEMAP_E_IO;
}

static const char *reason(int number)
{
    switch (number) {
    case ENOENT: return "there is no such file";
    case EACCES: return "no permission to read it";
    case ENOTDIR: return "a part of its path is not a folder";
    case ELOOP: return "its symbolic links go in a circle";
    case ENAMETOOLONG: return "its name is too long";
    case EMFILE:
    case ENFILE: return "too many files are open";
    case ENOMEM: return "there is not enough memory to map it";
    default: return "the system can't read it";
    }
}

framemap_status fm_mapfile_open(const char *path, struct fm_mapfile *out, framemap_error *error)
{
    /* O_NONBLOCK: opening a pipe that nobody writes to must not wait. */
    int fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
    if (fd < 0) return refuse(path, error, reason(errno));

    struct stat info;
    framemap_status status = FRAMEMAP_OK;
    struct fm_mapfile file = {{NULL, 0}, NULL, 0};
    if (fstat(fd, &info) != 0) status = refuse(path, error, reason(errno));
    else if (S_ISDIR(info.st_mode)) status = refuse(path, error, "it is a folder, not a file");
    else if (!S_ISREG(info.st_mode)) status = refuse(path, error, "it is not a regular file");
    else if ((uint64_t)info.st_size > SIZE_MAX / 2) status = refuse(path, error, "it is too big for this machine's addresses");
    else if (info.st_size > 0) {
        file.map_size = (size_t)info.st_size;
        file.map = mmap(NULL, file.map_size, PROT_READ, MAP_PRIVATE, fd, 0);
        if (file.map == MAP_FAILED) status = refuse(path, error, reason(errno));
        else file.bytes = (framemap_str){file.map, file.map_size};
    }
    close(fd);
    if (status == FRAMEMAP_OK) *out = file;
    return status;
}

void fm_mapfile_close(struct fm_mapfile *file)
{
    if (file->map) munmap(file->map, file->map_size);
    *file = (struct fm_mapfile){{NULL, 0}, NULL, 0};
}
