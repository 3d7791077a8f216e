/* Opens, maps, reads and closes files. See mapfile.h. */
#define _DEFAULT_SOURCE /* makes the system headers declare madvise; posix_madvise does not release pages */
#include "core/mapfile.h"
#include "core/checked.h"
#include "core/error.h"
#include "core/limits.h"
#include "core/map_guard.h"
#include "core/text/text.h"
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

static framemap_status mapfile_fail(framemap_error *error, int code)
{
    const char *words = reason(code);
    if (words) return fm_error_set(error, FRAMEMAP_E_IO, "cannot open the file: %s", words);
    return fm_error_set(error, FRAMEMAP_E_IO, "cannot open the file: system error %d", code);
}

static framemap_status stat_regular_file(int descriptor, struct fm_mapfile *out, framemap_error *error)
{
    struct stat about;
    if (fstat(descriptor, &about) != 0) return mapfile_fail(error, errno);
    if (S_ISDIR(about.st_mode)) return mapfile_fail(error, EISDIR);
    if (!S_ISREG(about.st_mode)) return mapfile_fail(error, ENODEV);
    if ((uintmax_t)about.st_size > SIZE_MAX) return mapfile_fail(error, ENOMEM);
    *out = (struct fm_mapfile){.bytes = {"", 0}};
    out->stamp = fm_stamp_from(&about);
    return FRAMEMAP_OK;
}

/* Maps an open file; takes ownership of the descriptor. */
static framemap_status map_descriptor(int descriptor, struct fm_mapfile *file, framemap_error *error)
{
    file->map_size = (size_t)file->stamp.size;
    file->map = mmap(NULL, file->map_size, PROT_READ, MAP_PRIVATE, descriptor, 0);
    if (file->map == MAP_FAILED) {
        file->map = NULL;
        return mapfile_fail(error, errno);
    }
    file->bytes = (framemap_str){file->map, file->map_size};
    file->guarded = fm_guard_add(file->map, file->map_size);
    file->has_descriptor = true;
    file->descriptor = descriptor;
    return FRAMEMAP_OK;
}

/* Reads up to `size` bytes, fewer at the end of the file or after an error; errno: the cause of the error; 0: no
 * error. */
static size_t read_up_to(int descriptor, char *data, size_t size)
{
    size_t have = 0;
    errno = 0;
    while (have < size) {
        ssize_t count = read(descriptor, data + have, size - have);
        if (count < 0 && errno == EINTR) {
            errno = 0;
            continue;
        }
        if (count <= 0) break;
        have += (size_t)count;
    }
    return have;
}

static framemap_status read_descriptor(int descriptor, struct fm_heap *heap, struct fm_mapfile *file,
                                       framemap_error *error)
{
    const size_t size = (size_t)file->stamp.size;
    char *data = fm_heap_resize(heap, NULL, 0, size);
    struct stat after;
    if (data == NULL) return fm_error_memory(error);
    file->bytes = (framemap_str){data, size};
    file->heap = heap;
    file->block_size = size;
    bool whole = read_up_to(descriptor, data, size) == size;
    if (!whole && errno != 0) return mapfile_fail(error, errno);
    whole = whole && fstat(descriptor, &after) == 0;
    if (whole) {
        const struct fm_stamp now = fm_stamp_from(&after);
        whole = fm_stamp_same_content(&file->stamp, &now);
    }
    return whole ? FRAMEMAP_OK : fm_error_set(error, FRAMEMAP_E_IO, "the file changed while it was read");
}

/* Reads a file whose size is reported as 0, as the sizes of files in /proc are. A file that really is empty gives empty
 * bytes. */
static framemap_status read_unsized(int descriptor, struct fm_heap *heap, struct fm_mapfile *file,
                                    framemap_error *error)
{
    enum { FIRST = 1 << 16 };
    char *data = NULL, byte;
    size_t have = 0, room = 0;
    const ssize_t any = pread(descriptor, &byte, 1, 0);
    if (any != 1) return FRAMEMAP_OK;
    while (have == room && room <= FM_LIMIT_UNSIZED / 2) {
        const size_t more = room > 0 ? 2 * room : FIRST;
        char *const grown = fm_heap_resize(heap, data, room, more);
        if (grown == NULL) break;
        data = grown;
        room = more;
        have += read_up_to(descriptor, data + have, room - have);
    }
    char *const block = have < room && have > 0 ? fm_heap_resize(heap, data, room, have) : NULL;
    if (block == NULL) {
        fm_heap_free(heap, data, room);
        return room > FM_LIMIT_UNSIZED / 2
                   ? fm_error_set(error, FRAMEMAP_E_LIMIT, "the file has more than %zu bytes", FM_LIMIT_UNSIZED)
                   : fm_error_memory(error);
    }
    file->bytes = fm_str(block, have);
    file->heap = heap;
    file->block_size = have;
    return FRAMEMAP_OK;
}

framemap_status fm_mapfile_take(int descriptor, size_t limit, struct fm_heap *heap, struct fm_mapfile *out,
                                framemap_error *error)
{
    struct fm_mapfile file = {.map = NULL};
    framemap_status status = stat_regular_file(descriptor, &file, error);
    if (status == FRAMEMAP_OK && file.stamp.size > 0)
        status = file.stamp.size <= limit ? read_descriptor(descriptor, heap, &file, error)
                                          : map_descriptor(descriptor, &file, error);
    else if (status == FRAMEMAP_OK && heap != NULL)
        status = read_unsized(descriptor, heap, &file, error);
    if (!file.has_descriptor) close(descriptor);
    if (status == FRAMEMAP_OK)
        *out = file;
    else
        fm_mapfile_close(&file);
    return status;
}

framemap_status fm_mapfile_open_small(const char *path, size_t limit, struct fm_heap *heap, struct fm_mapfile *out,
                                      framemap_error *error)
{
    int descriptor;
    /* The file is opened without blocking, so that a pipe in a symbol folder is rejected instead of waited for. */
    do {
        descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY);
    } while (descriptor < 0 && errno == EINTR);
    framemap_status status =
        descriptor < 0 ? mapfile_fail(error, errno) : fm_mapfile_take(descriptor, limit, heap, out, error);
    if (status != FRAMEMAP_OK) fm_error_where(error, framemap_str_of(path));
    return status;
}

framemap_status fm_mapfile_open(const char *path, struct fm_mapfile *out, framemap_error *error)
{
    return fm_mapfile_open_small(path, 0, NULL, out, error);
}

bool fm_mapfile_changed(const struct fm_mapfile *file)
{
    struct stat about;
    if (file->guarded != NULL && fm_guard_changed(file->guarded)) return true;
    if (!file->has_descriptor) return false;
    if (fstat(file->descriptor, &about) != 0) return true;
    const struct fm_stamp now = fm_stamp_from(&about);
    return !fm_stamp_same_content(&file->stamp, &now);
}

/* Rounds [from, to) to whole pages within the file. Returns the end. */
static size_t release_pages(const struct fm_mapfile *file, size_t from, size_t to)
{
    const long page = sysconf(_SC_PAGESIZE);
    if (file->map == NULL || page <= 0) return 0;
    if (to > file->map_size) to = file->map_size;
    to -= to % (size_t)page;
    from -= from % (size_t)page;
    if (from >= to) return to;
#ifdef MADV_DONTNEED
    madvise((char *)file->map + from, to - from, MADV_DONTNEED); /* the call is only a hint; errors are ignored */
#endif
    return to;
}

void fm_mapfile_consumed(struct fm_mapfile *file, size_t offset)
{
    if (offset > file->map_size || !fm_add_size(offset, file->start, &offset)) return;
    if (offset > file->map_size || offset <= file->passed) return;
    const size_t end = release_pages(file, file->passed, offset);
    if (end > file->passed) file->passed = end;
}

void fm_mapfile_release_range(struct fm_mapfile *file, size_t offset, size_t size)
{
    if (!fm_add_size(offset, file->start, &offset)) return;
    if (offset < file->map_size)
        release_pages(file, offset, size < file->map_size - offset ? offset + size : file->map_size);
}

void fm_mapfile_narrow(struct fm_mapfile *file, framemap_str part)
{
    if (part.size > 0) {
        file->start += (size_t)(part.data - file->bytes.data);
        file->bytes = part;
    }
    file->bytes.size = part.size;
}

/* Releases the bytes of the file, mapped or read. */
static void drop_bytes(struct fm_mapfile *file)
{
    fm_guard_remove(file->guarded);
    if (file->map) munmap(file->map, file->map_size);
    if (file->heap) /* the bytes were allocated by this file, and only the member that points to them is const */
        fm_heap_free(file->heap, (char *)(uintptr_t)file->bytes.data - file->start, file->block_size);
    file->guarded = NULL;
    file->map = NULL;
    file->map_size = file->start = file->block_size = 0;
    file->heap = NULL;
}

void fm_mapfile_replace(struct fm_mapfile *file, struct fm_heap *heap, framemap_str bytes)
{
    drop_bytes(file);
    file->bytes = bytes;
    file->heap = bytes.size > 0 ? heap : NULL;
    file->block_size = bytes.size;
}

void fm_mapfile_close_descriptor(struct fm_mapfile *file)
{
    if (file->has_descriptor) close(file->descriptor);
    file->has_descriptor = false;
}

void fm_mapfile_close(struct fm_mapfile *file)
{
    drop_bytes(file);
    fm_mapfile_close_descriptor(file);
    *file = (struct fm_mapfile){.bytes = {"", 0}};
}
