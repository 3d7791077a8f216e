/* Whole files in: opened, mapped, and let go of. write_file.c has the way out. */
#define _DEFAULT_SOURCE /* madvise: POSIX's own call leaves the pages where they are */
#include "cli/cli.h"
#include "cli/io.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

static framemap_status refuse(framemap_error *error, const char *path, const char *what)
{
    if (!error) return FRAMEMAP_E_IO;
    *error = (framemap_error){.code = FRAMEMAP_E_IO};
    snprintf(error->where, sizeof error->where, "%s", path);
    snprintf(error->message, sizeof error->message, "%s", what);
    return FRAMEMAP_E_IO;
}

unsigned fm_processors(void)
{
    const long count = sysconf(_SC_NPROCESSORS_ONLN);
    return count < 1 ? 1 : count > 1024 ? 1024 : (unsigned)count;
}

static framemap_status read_whole(int fd, const char *path, struct fm_file *out, framemap_error *error)
{
    struct fm_in in;
    fm_in_init(&in, fd);
    while (fm_in_more(&in, NULL)) {
    }
    if (in.failed) {
        fm_in_free(&in);
        return refuse(error, path, "it could not be read to its end");
    }
    *out = (struct fm_file){.bytes = {in.data, in.end}};
    return FRAMEMAP_OK;
}

framemap_status fm_file_open(const char *path, struct fm_file *out, framemap_error *error)
{
    if (strcmp(path, "-") == 0) return read_whole(STDIN_FILENO, "standard input", out, error);

    int fd = open(path, O_RDONLY | O_CLOEXEC);
    struct stat about;
    if (fd < 0 || fstat(fd, &about) != 0) {
        int why = errno;
        if (fd >= 0) close(fd);
        return refuse(error, path, strerror(why));
    }
    framemap_status status;
    if (S_ISDIR(about.st_mode)) {
        status = refuse(error, path, "it is a directory; name a file in it");
    } else if (!S_ISREG(about.st_mode) || about.st_size == 0) {
        status = read_whole(fd, path, out, error);
    } else {
        size_t size = (size_t)about.st_size;
        void *data = mmap(NULL, size, PROT_READ, MAP_PRIVATE, fd, 0);
        *out = (struct fm_file){.bytes = {data, size}, .mapped = true};
        status = data == MAP_FAILED ? refuse(error, path, strerror(errno)) : FRAMEMAP_OK;
    }
    close(fd);
    return status;
}

/* Whole pages of [from, to). Returns where they end. */
static size_t let_go(const struct fm_file *file, size_t from, size_t to)
{
    const long page = sysconf(_SC_PAGESIZE);
    if (!file->mapped || page <= 0) return 0;
    to -= to % (size_t)page;
    from -= from % (size_t)page;
#ifdef MADV_DONTNEED
    char *data = (char *)(uintptr_t)file->bytes.data;
    if (from < to) madvise(data + from, to - from, MADV_DONTNEED); /* a wish: nothing hangs on it */
#endif
    return to;
}

void fm_file_passed(void *context, size_t offset)
{
    struct fm_file *file = context;
    if (offset > file->bytes.size || offset <= file->passed) return;
    const size_t end = let_go(file, file->passed, offset);
    if (end > file->passed) file->passed = end;
}

void fm_file_let_go(void *context, size_t offset, size_t size)
{
    const struct fm_file *file = context;
    if (offset > file->bytes.size || size > file->bytes.size - offset) return;
    let_go(file, offset, offset + size);
}

void fm_file_close(struct fm_file *file)
{
    char *data = (char *)(uintptr_t)file->bytes.data; /* ours: borrowed as const by all others */
    if (file->mapped)
        munmap(data, file->bytes.size);
    else
        free(data);
    *file = (struct fm_file){0};
}
