/* A library that is loaded into the command before the C library, and makes one call of the system fail. Used by
 * check_faults.
 *
 *     LD_PRELOAD=fail_call.so FAIL_CALL=open FAIL_PATH=app.js FAIL_AT=1 FAIL_WITH=13 framemap ...
 *
 * FAIL_CALL: open, opendir, readdir, stat or read. FAIL_AT: number of the call that fails, from 1; for open, opendir
 * and stat, only calls with a path that ends with FAIL_PATH are counted (empty: all paths). FAIL_WITH: the errno. */
#define _GNU_SOURCE
#include <dirent.h>
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* Programs that are compiled for large files call the functions under these names. */
#define NEXT(type, name) ((type)next(name))

typedef int open_call(const char *path, int flags, ...);
typedef int stat_call(const char *path, struct stat *out);
typedef DIR *opendir_call(const char *path);
typedef struct dirent *readdir_call(DIR *folder);
typedef ssize_t read_call(int fd, void *data, size_t size);

static void *next(const char *name) { return dlsym(RTLD_NEXT, name); }

/* Whether this call has to fail; if so, sets errno. */
static bool fails(const char *call, const char *path)
{
    static unsigned long count;
    const char *chosen = getenv("FAIL_CALL"), *end = getenv("FAIL_PATH"), *at = getenv("FAIL_AT"),
               *code = getenv("FAIL_WITH");
    if (chosen == NULL || at == NULL || code == NULL || strcmp(chosen, call) != 0) return false;
    const size_t size = path ? strlen(path) : 0, end_size = end ? strlen(end) : 0;
    if (path && end_size > 0 && (size < end_size || strcmp(path + size - end_size, end) != 0)) return false;
    if (++count != strtoul(at, NULL, 10)) return false;
    errno = (int)strtol(code, NULL, 10);
    return true;
}

int open64(const char *path, int flags, ...);
int open64(const char *path, int flags, ...)
{
    va_list rest;
    va_start(rest, flags);
    const int mode = flags & O_CREAT ? va_arg(rest, int) : 0;
    va_end(rest);
    return fails("open", path) ? -1 : NEXT(open_call *, "open64")(path, flags, mode);
}

int stat64(const char *path, struct stat64 *out);
int stat64(const char *path, struct stat64 *out)
{
    return fails("stat", path) ? -1 : NEXT(stat_call *, "stat64")(path, (struct stat *)out);
}

DIR *opendir(const char *path) { return fails("opendir", path) ? NULL : NEXT(opendir_call *, "opendir")(path); }

struct dirent64 *readdir64(DIR *folder);
struct dirent64 *readdir64(DIR *folder)
{
    return fails("readdir", NULL) ? NULL : (struct dirent64 *)NEXT(readdir_call *, "readdir64")(folder);
}

ssize_t read(int fd, void *data, size_t size)
{
    return fails("read", NULL) ? -1 : NEXT(read_call *, "read")(fd, data, size);
}
