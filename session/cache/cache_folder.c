/* The files of the disk cache: checks owners and modes, writes files completely, and removes the least recently used
 * files. The contents of the files are not interpreted here. */
#include "session/cache/cache_folder.h"

#include "core/limits.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#define LAYOUT "v1"
static const char *const parts[] = {[FM_CACHE_INDEXES] = "indexes", [FM_CACHE_CONTENTS] = "contents"};
enum { PARTS = sizeof parts / sizeof *parts };

enum {
    HOUR_S = 3600,
    ASIDE_S = HOUR_S, /* a temporary file of this age is removed, since its writer must have been killed */
    /* a file of another version is removed at this age, so that two versions in use do not remove each other's files */
    OTHER_VERSION_S = 7 * 24 * HOUR_S,
    BLOCK = 4096 /* bytes that a small file occupies on disk */
};

/* --- checking which files and folders may be used --- */

/* Returns why the contents of a file or folder cannot be trusted: another user may have written it. NULL: they can be
 * trusted. */
static const char *distrust(const struct stat *about, bool folder)
{
    if (folder ? !S_ISDIR(about->st_mode) : !S_ISREG(about->st_mode))
        return folder ? "it is not a folder" : "it is not a file";
    if (about->st_uid != geteuid()) return "it belongs to another user";
    if (about->st_mode & (S_IWGRP | S_IWOTH)) return "other users may write to it; use 'chmod go-w' to prevent that";
    return NULL;
}

static int set_fault(struct fm_cache_fault *fault, int descriptor, const char *why)
{
    *fault = (struct fm_cache_fault){why, errno};
    if (descriptor >= 0) close(descriptor);
    return -1;
}

/* Opens a folder below the open folder `at`, which may be AT_FDCWD. */
static int open_folder(int at, const char *name, bool make, struct fm_cache_fault *fault)
{
    struct stat about;
    const int refused = make && mkdirat(at, name, 0700) != 0 ? errno : 0;
    if (refused && refused != EEXIST && refused != EROFS && refused != EACCES) return set_fault(fault, -1, NULL);
    const int folder = openat(at, name, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
    if (folder < 0) {
        const int code = errno; /* if the path is a symbolic link, some systems set ELOOP, others ENOTDIR */
        const bool is_link = fstatat(at, name, &about, AT_SYMLINK_NOFOLLOW) == 0 && S_ISLNK(about.st_mode);
        errno = code == ENOENT && refused ? refused : code;
        return set_fault(fault, -1, is_link ? "it is a symbolic link; give the folder that it points to" : NULL);
    }
    if (fstat(folder, &about) != 0) return set_fault(fault, folder, NULL);
    const char *why = distrust(&about, true);
    return why ? set_fault(fault, folder, why) : folder;
}

/* Makes all folders of a path except the last one. Returns the errno of the first folder that could not be made; 0: all
 * were made. */
static int make_parents(const char *path)
{
    char copy[4096];
    int code = 0;
    const size_t size = strlen(path);
    if (size >= sizeof copy) return ENAMETOOLONG;
    memcpy(copy, path, size + 1);
    for (size_t i = 1; i < size; i++) {
        if (copy[i] != '/') continue;
        copy[i] = 0;
        if (mkdir(copy, 0700) != 0 && errno != EEXIST && code == 0) code = errno;
        copy[i] = '/';
    }
    return code;
}

static int open_part(const struct fm_cache_folder *folder, enum fm_cache_part part, bool make,
                     struct fm_cache_fault *fault)
{
    const int refused = make ? make_parents(folder->path) : 0;
    const int base = open_folder(AT_FDCWD, folder->path, make, fault);
    if (base < 0) {
        if (fault->code == ENOENT && refused) fault->code = refused;
        return -1;
    }
    const int layout = open_folder(base, LAYOUT, make, fault);
    close(base);
    if (layout < 0) return -1;
    const int opened = open_folder(layout, parts[part], make, fault);
    close(layout);
    return opened;
}

/* --- reading --- */

/* Records that a file was used by setting its time of access, at most once an hour. The time of modification is not
 * set, since it shows whether the file was changed. */
static void note_use(int descriptor, const struct stat *about)
{
    const struct timespec times[2] = {{.tv_nsec = UTIME_NOW}, {.tv_nsec = UTIME_OMIT}};
    const time_t now = time(NULL);
    if (now < about->st_atime || now - about->st_atime > HOUR_S) futimens(descriptor, times);
}

int fm_cache_open(const struct fm_cache_folder *folder, enum fm_cache_part part, const char *name,
                  struct fm_cache_fault *fault)
{
    struct stat about;
    const int at = open_part(folder, part, false, fault);
    if (at < 0) return -1;
    const int file = openat(at, name, O_RDONLY | O_NOFOLLOW | O_CLOEXEC | O_NONBLOCK | O_NOCTTY);
    close(at);
    if (file < 0 || fstat(file, &about) != 0) return set_fault(fault, file, NULL);
    const char *why = distrust(&about, false);
    if (why) return set_fault(fault, file, why);
    note_use(file, &about);
    return file;
}

/* --- writing --- */

static bool write_bytes(int fd, framemap_str bytes)
{
    while (bytes.size) {
        const ssize_t done = write(fd, bytes.data, bytes.size < (1u << 30) ? bytes.size : (1u << 30));
        if (done < 0 && errno == EINTR) continue;
        if (done <= 0) return false;
        bytes = (framemap_str){bytes.data + done, bytes.size - (size_t)done};
    }
    return true;
}

/* Waits until the bytes of a file are on the disk. */
static bool flush_file(int fd)
{
#if defined(__APPLE__)
    return fsync(fd) == 0; /* macOS does not declare fdatasync */
#else
    return fdatasync(fd) == 0;
#endif
}

/* Creates a temporary file; the contents of the file `name` are first written there. aside: set to the name of the
 * temporary file: `name`, a dot and a unique suffix. */
static int open_aside(int at, const char *name, char aside[FM_CACHE_NAME_SIZE + 32])
{
    enum { TRIES = 16 };
    struct timespec now = {0};
    int file = -1;
    for (unsigned i = 0; i < TRIES && file < 0; i++) {
        clock_gettime(CLOCK_MONOTONIC, &now);
        snprintf(aside, FM_CACHE_NAME_SIZE + 32, "%s.%x-%lx%x", name, (unsigned)getpid(), now.tv_nsec, i);
        file = openat(at, aside, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0600);
        if (file < 0 && errno != EEXIST) break;
    }
    return file;
}

/* Whether a file may be replaced: only if it belongs to the user of the process. */
static bool may_replace(int at, const char *name)
{
    struct stat about;
    if (fstatat(at, name, &about, AT_SYMLINK_NOFOLLOW) != 0) return errno == ENOENT;
    if (about.st_uid == geteuid() && S_ISREG(about.st_mode)) return true;
    errno = EPERM;
    return false;
}

static bool write_into(int at, const char *name, framemap_str bytes)
{
    char aside[FM_CACHE_NAME_SIZE + 32];
    const int file = may_replace(at, name) ? open_aside(at, name, aside) : -1;
    if (file < 0) return false;
    bool ok = write_bytes(file, bytes) && flush_file(file);
    ok = close(file) == 0 && ok;
    if (ok && renameat(at, aside, at, name) == 0) return true;
    const int why = errno;
    unlinkat(at, aside, 0);
    errno = why;
    return false;
}

static uint64_t on_disk(uint64_t size) { return (size / BLOCK + 1) * BLOCK; }

bool fm_cache_write(struct fm_cache_folder *folder, enum fm_cache_part part, const char *name, framemap_str bytes,
                    struct fm_cache_fault *fault)
{
    const uint64_t size = on_disk(bytes.size);
    if (size > folder->budget) return true;
    const int at = open_part(folder, part, true, fault);
    if (at < 0) return false;
    const bool ok = write_into(at, name, bytes);
    if (!ok) set_fault(fault, -1, NULL);
    close(at);
    const uint64_t before = atomic_fetch_add(&folder->bytes, ok ? size : 0);
    if (ok && (before == 0 || before + size > folder->budget)) fm_cache_sweep(folder);
    return ok;
}

/* --- keeping the budget --- */

struct cached_file {
    char name[FM_CACHE_NAME_SIZE];
    enum fm_cache_part part;
    bool other_version;
    int64_t used_s;
    uint64_t size;
};

struct sweep {
    struct fm_cache_folder *folder;
    int descriptors[PARTS];
    struct cached_file *rows;
    size_t count, capacity;
    uint64_t bytes;
    int64_t now_s;
};

static size_t hex_run(const char *text)
{
    size_t size = 0;
    while ((text[size] >= '0' && text[size] <= '9') || (text[size] >= 'a' && text[size] <= 'f')) size++;
    return size;
}

enum kind { STRANGE, FILE_OF_OURS, ASIDE };

/* Classifies a file by its name: KEY, KEY.fmx or VERSION-KEY.fmx, or a temporary file for one of these. Other files in
 * the folder are not touched. */
static enum kind file_kind(enum fm_cache_part part, const char *name)
{
    enum { KEY = 64, VERSION = 16 };
    size_t at = hex_run(name);
    if (at == VERSION && name[at] == '-' && part == FM_CACHE_INDEXES) {
        name += at + 1;
        at = hex_run(name);
    }
    if (at != KEY) return STRANGE;
    const char *tail = part == FM_CACHE_INDEXES ? ".fmx" : "";
    if (strncmp(name + at, tail, strlen(tail)) != 0) return STRANGE;
    name += at + strlen(tail);
    return name[0] == 0 ? FILE_OF_OURS : name[0] == '.' ? ASIDE : STRANGE;
}

/* Adds a file of the folder to the list. name: has fewer than FM_CACHE_NAME_SIZE bytes. */
static void add_cached_file(struct sweep *sweep, enum fm_cache_part part, const char *name, const struct stat *about)
{
    const int64_t used_s = about->st_atime > about->st_mtime ? about->st_atime : about->st_mtime;
    const char *version = sweep->folder->version;
    struct cached_file row = {.part = part, .used_s = used_s, .size = on_disk((uint64_t)about->st_size)};
    row.other_version = part == FM_CACHE_INDEXES && strncmp(name, version, strlen(version)) != 0;
    if (row.other_version && sweep->now_s - used_s > OTHER_VERSION_S) {
        if (unlinkat(sweep->descriptors[part], name, 0) == 0) return;
    }
    memcpy(row.name, name, strlen(name) + 1);
    sweep->bytes += row.size;
    if (FM_GROW(sweep->folder->heap, sweep->rows, sweep->capacity, sweep->count + 1)) sweep->rows[sweep->count++] = row;
}

static void look_at_file(struct sweep *sweep, enum fm_cache_part part, const char *name)
{
    struct stat about;
    const int at = sweep->descriptors[part];
    const enum kind kind = file_kind(part, name);
    if (kind == STRANGE || fstatat(at, name, &about, AT_SYMLINK_NOFOLLOW) != 0 || distrust(&about, false)) return;
    if (kind == FILE_OF_OURS && strlen(name) < FM_CACHE_NAME_SIZE)
        add_cached_file(sweep, part, name, &about);
    else if (kind == ASIDE && sweep->now_s - about.st_mtime > ASIDE_S)
        unlinkat(at, name, 0);
}

static void list_part(struct sweep *sweep, enum fm_cache_part part)
{
    const int copy = dup(sweep->descriptors[part]);
    DIR *listing = copy < 0 ? NULL : fdopendir(copy);
    const struct dirent *entry;
    uint32_t left = FM_LIMIT_CACHE_FILES;
    if (listing == NULL && copy >= 0) close(copy);
    if (listing == NULL) return;
    while (left-- > 0 && (entry = readdir(listing)) != NULL) look_at_file(sweep, part, entry->d_name);
    closedir(listing);
}

/* Compares two files for the order of removal: other versions first, then by last use, then by name so that the order
 * is unique. */
static int by_use(const void *left, const void *right)
{
    const struct cached_file *a = left, *b = right;
    if (a->other_version != b->other_version) return a->other_version ? -1 : 1;
    if (a->used_s != b->used_s) return a->used_s < b->used_s ? -1 : 1;
    return strcmp(a->name, b->name);
}

/* Removes files until at most seven eighths of the budget are in use. If it stopped at the budget, the folder would be
 * swept again for every file that is written. */
static void remove_some(struct sweep *sweep)
{
    const uint64_t budget = sweep->folder->budget;
    /* `count` is also 0 if there was no memory to list the files */
    if (sweep->bytes <= budget || sweep->count == 0) return;
    qsort(sweep->rows, sweep->count, sizeof *sweep->rows, by_use);
    for (size_t i = 0; i < sweep->count && sweep->bytes > budget - budget / 8; i++) {
        const struct cached_file *row = &sweep->rows[i];
        if (unlinkat(sweep->descriptors[row->part], row->name, 0) == 0 || errno == ENOENT) sweep->bytes -= row->size;
    }
}

void fm_cache_sweep(struct fm_cache_folder *folder)
{
    struct sweep sweep = {.folder = folder, .now_s = time(NULL)};
    struct fm_cache_fault fault;
    for (unsigned i = 0; i < PARTS; i++) {
        sweep.descriptors[i] = open_part(folder, (enum fm_cache_part)i, false, &fault);
        if (sweep.descriptors[i] >= 0) list_part(&sweep, (enum fm_cache_part)i);
    }
    remove_some(&sweep);
    for (unsigned i = 0; i < PARTS; i++)
        if (sweep.descriptors[i] >= 0) close(sweep.descriptors[i]);
    fm_heap_free(folder->heap, sweep.rows, sweep.capacity * sizeof *sweep.rows);
    atomic_store(&folder->bytes, sweep.bytes > 0 ? sweep.bytes : 1);
}
