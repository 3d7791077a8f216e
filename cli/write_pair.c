/* Replaces two files together, for commands that must not change one of them alone. */
#define _XOPEN_SOURCE 700 /* makes the system headers declare realpath() */
#include "cli/cli.h"
#include "cli/cli_io.h"

#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* ending of the name under which the first file's original is kept until the second file is replaced */
#define KEPT ".inject-old"

struct replaced_file {
    char *path, *temporary; /* path: the file, after symbolic links; temporary: the file with its new contents */
};

static char *append(const char *path, const char *tail)
{
    const size_t size = strlen(path) + strlen(tail) + 1;
    char *whole = fm_cli_resize(NULL, size);
    snprintf(whole, size, "%s%s", path, tail);
    return whole;
}

/* Writes the new contents to a temporary file next to the file, with its mode and owner. */
static bool prepare(struct replaced_file *file, const char *path, framemap_str bytes)
{
    struct stat about;
    file->path = realpath(path, NULL);
    if (!file->path || stat(file->path, &about) != 0) return false;
    char *pattern = append(file->path, ".XXXXXX");
    const int fd = mkstemp(pattern);
    if (fd < 0) {
        free(pattern);
        return false;
    }
    file->temporary = pattern;
    const bool owned = fchown(fd, about.st_uid, about.st_gid) == 0 || errno == EPERM;
    const bool good = owned && fchmod(fd, about.st_mode & 07777) == 0 && fm_write_fd(fd, bytes) && fsync(fd) == 0;
    const int why = errno;
    const bool closed = close(fd) == 0;
    if (!good) errno = why;
    return good && closed;
}

static void file_end(struct replaced_file *file)
{
    const int why = errno;
    if (file->temporary) unlink(file->temporary);
    free(file->temporary);
    free(file->path);
    errno = why;
}

/* Replaces the first file while keeping its original, then the second file; if that fails, brings the original of
 * the first back. */
static bool replace_both(struct replaced_file *first, struct replaced_file *second)
{
    char *kept = append(first->path, KEPT);
    /* the original is kept as a hard link; some file systems have no hard links */
    const bool has_kept = link(first->path, kept) == 0;
    bool good = rename(first->temporary, first->path) == 0;
    if (good) {
        good = rename(second->temporary, second->path) == 0;
        const int why = errno;
        if (!good && has_kept) rename(kept, first->path);
        errno = why;
    }
    const int why = errno;
    unlink(kept);
    errno = why;
    free(kept);
    return good;
}

static framemap_status io_fault(const char *path, framemap_error *error)
{
    *error = (framemap_error){.code = FRAMEMAP_E_IO};
    snprintf(error->where, sizeof error->where, "%s", path);
    snprintf(error->message, sizeof error->message, "%s", strerror(errno));
    return FRAMEMAP_E_IO;
}

framemap_status fm_file_write_pair(const char *first, framemap_str first_bytes, const char *second,
                                   framemap_str second_bytes, framemap_error *error)
{
    struct replaced_file one = {NULL, NULL}, two = {NULL, NULL};
    framemap_status status = FRAMEMAP_OK;
    sigset_t all, before;
    sigfillset(&all);
    sigprocmask(SIG_BLOCK, &all, &before);
    if (!prepare(&one, first, first_bytes))
        status = io_fault(first, error);
    else if (!prepare(&two, second, second_bytes) || !replace_both(&one, &two))
        status = io_fault(second, error);
    file_end(&one);
    file_end(&two);
    sigprocmask(SIG_SETMASK, &before, NULL);
    return status;
}

char *fm_file_kept_of(const char *first)
{
    char *path = realpath(first, NULL);
    char *kept = path ? append(path, KEPT) : NULL;
    struct stat about;
    free(path);
    /* A symbolic link with the name of the original file is not the original: it may lead to a file outside the
     * given path. */
    if (kept && lstat(kept, &about) == 0 && S_ISREG(about.st_mode)) return kept;
    free(kept);
    return NULL;
}

framemap_status fm_file_end_pair(const char *first, const char *kept, bool bring_back, framemap_error *error)
{
    char *path = realpath(first, NULL);
    const bool good = path && (bring_back ? rename(kept, path) : unlink(kept)) == 0;
    const framemap_status status = good ? FRAMEMAP_OK : io_fault(kept, error);
    free(path);
    return status;
}
