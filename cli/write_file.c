/* Writes whole files, for commands with an option -o FILE: decides how to write to a path, and replaces a regular
 * file by renaming a temporary file. */
#define _XOPEN_SOURCE 700 /* makes the system headers declare realpath() */
#include "cli/cli.h"
#include "cli/cli_io.h"
#include "cli/temporary.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

bool fm_write_fd(int fd, framemap_str bytes)
{
    while (bytes.size) {
        ssize_t count = write(fd, bytes.data, bytes.size);
        if (count < 0 && errno == EINTR) continue;
        if (count < 0) return false;
        bytes.data += count;
        bytes.size -= (size_t)count;
    }
    return true;
}

/* Closes the file; if an earlier call failed, keeps its errno. */
static bool close_after(int fd, bool good)
{
    int why = errno;
    bool closed = close(fd) == 0;
    if (!good) errno = why;
    return good && closed;
}

/* Writes to an existing file or device, without replacing it. flags: O_TRUNC for files. */
static bool write_through(const char *path, int flags, framemap_str bytes)
{
    int fd = open(path, O_WRONLY | O_CLOEXEC | flags, 0666);
    if (fd < 0) return false;
    return close_after(fd, fm_write_fd(fd, bytes));
}

/* Gives the open file the mode and owner of the old file or, if old is NULL, the mode and owner that a new file
 * gets. */
static bool take_over(int fd, const struct stat *old)
{
    if (!old) {
        mode_t mask = umask(0);
        umask(mask);
        return fchmod(fd, 0666 & ~mask) == 0;
    }
    struct stat made;
    if (fstat(fd, &made) != 0) return false;
    if ((made.st_uid != old->st_uid || made.st_gid != old->st_gid) && fchown(fd, old->st_uid, old->st_gid) != 0)
        return false;
    return fchmod(fd, old->st_mode & 07777) == 0;
}

enum replaced { REPLACED, NOT_REPLACED, CANT_BE_REPLACED };

/* Replaces a regular file or creates a new one. CANT_BE_REPLACED: the temporary file cannot be created, or cannot
 * get the owner of the old file; nothing was written. */
static enum replaced replace_file(const char *path, const struct stat *old, framemap_str bytes)
{
    size_t size = strlen(path) + sizeof ".XXXXXX";
    char *temporary = fm_cli_resize(NULL, size);
    snprintf(temporary, size, "%s.XXXXXX", path);

    enum replaced result = CANT_BE_REPLACED;
    int fd = fm_temporary_begin(temporary);
    if (fd >= 0) {
        if (take_over(fd, old)) {
            bool good = fm_write_fd(fd, bytes) && fsync(fd) == 0;
            good = close_after(fd, good) && rename(temporary, path) == 0;
            result = good ? REPLACED : NOT_REPLACED;
        } else {
            close_after(fd, false);
        }
        int why = errno;
        if (result != REPLACED) unlink(temporary);
        fm_temporary_end();
        errno = why;
    }
    free(temporary);
    return result;
}

static bool write_path(const char *path, framemap_str bytes)
{
    struct stat about;
    bool exists = stat(path, &about) == 0;
    if (!exists && lstat(path, &about) == 0)
        /* the path is a symbolic link to a file that does not exist: that file is created */
        return write_through(path, O_CREAT | O_TRUNC, bytes);
    if (exists && !S_ISREG(about.st_mode) && !S_ISDIR(about.st_mode)) return write_through(path, 0, bytes);
    if (exists && S_ISDIR(about.st_mode)) {
        errno = EISDIR;
        return false;
    }

    char *target = exists ? realpath(path, NULL) : NULL; /* path of the file to which the symbolic links lead */
    enum replaced result = replace_file(target ? target : path, exists ? &about : NULL, bytes);
    free(target);
    if (result == CANT_BE_REPLACED && exists) return write_through(path, O_TRUNC, bytes);
    return result == REPLACED;
}

framemap_status fm_file_write(const char *path, framemap_str bytes, framemap_error *error)
{
    if (strcmp(path, "-") == 0 ? fm_write_fd(STDOUT_FILENO, bytes) : write_path(path, bytes)) return FRAMEMAP_OK;
    if (error) {
        *error = (framemap_error){.code = FRAMEMAP_E_IO};
        snprintf(error->where, sizeof error->where, "%s", strcmp(path, "-") == 0 ? "standard output" : path);
        snprintf(error->message, sizeof error->message, "%s", strerror(errno));
    }
    return FRAMEMAP_E_IO;
}
