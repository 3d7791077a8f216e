#include "session/disk_cache.h"

#include "core/content_hash.h"
#include "core/fault.h"
#include "core/mapfile.h"
#include "core/text.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#define PATH_ROOM 4096
/* A file that changed this short a time ago may change again without its times showing it: its content is not remembered. */
#define SETTLED_NS ((int64_t)2000000000)

bool fm_disk_cache_init(struct fm_disk_cache *cache, const char *path, struct fm_arena *arena)
{
    const char *tail = "";
    cache->folder = (framemap_str){NULL, 0};
    if (path == NULL) {
        const char *home = getenv("HOME");
        path = getenv("XDG_CACHE_HOME");
        tail = "/framemap";
        /* The base directory specification has relative paths ignored. */
        if (path == NULL || path[0] != '/') {
            path = home;
            tail = "/.cache/framemap";
        }
        if (path == NULL || path[0] != '/') return true;
    }
    if (path[0] == 0) return true;
    size_t room = strlen(path) + strlen(tail) + sizeof "/v1";
    if (room > PATH_ROOM - 128) return true;
    char *folder = fm_arena_alloc(arena, room);
    if (folder == NULL) return false;
    int size = snprintf(folder, room, "%s%s/v1", path, tail);
    if (size > 0) cache->folder = fm_str(folder, (size_t)size);
    return true;
}

/* --- keys --- */

static void hex_of(const unsigned char digest[32], char out[FM_CACHE_KEY_SIZE])
{
    fm_hex_put(digest, 32, out);
    out[FM_CACHE_KEY_SIZE - 1] = 0;
}

static void hex_hash(const char *text, size_t size, char out[FM_CACHE_KEY_SIZE])
{
    unsigned char digest[32];
    fm_sha256(text, size, digest);
    hex_of(digest, out);
}

static bool path_of(const struct fm_disk_cache *cache, const char *folder, const char *key, const char *tail, char out[PATH_ROOM])
{
    int size = snprintf(out, PATH_ROOM, "%s/%s/%s%s", cache->folder.data, folder, key, tail);
    return size > 0 && size < PATH_ROOM;
}

static bool settled(const struct fm_stamp *stamp)
{
    struct timespec now;
    if (clock_gettime(CLOCK_REALTIME, &now) != 0) return false;
    int64_t now_ns = (int64_t)now.tv_sec * 1000000000 + now.tv_nsec;
    return now_ns - stamp->changed_ns > SETTLED_NS && now_ns - stamp->modified_ns > SETTLED_NS;
}

static bool is_key(framemap_str text)
{
    if (text.size != FM_CACHE_KEY_SIZE - 1) return false;
    for (size_t i = 0; i < text.size; i++)
        if (!((text.data[i] >= '0' && text.data[i] <= '9') || (text.data[i] >= 'a' && text.data[i] <= 'f'))) return false;
    return true;
}

static bool read_remembered(const char *path, char content[FM_CACHE_KEY_SIZE])
{
    struct fm_mapfile file;
    if (fm_mapfile_open(path, &file, NULL) != FRAMEMAP_OK) return false;
    bool sound = is_key(file.bytes);
    if (sound) memcpy(content, file.bytes.data, file.bytes.size);
    content[FM_CACHE_KEY_SIZE - 1] = 0;
    fm_mapfile_close(&file);
    return sound;
}

/* --- writing --- */

static void warn_unwritten(const struct fm_disk_cache *cache, const char *path)
{
    framemap_error fault = {0};
    fm_fault(&fault, FRAMEMAP_E_IO, "the cache can't be written (%s): symbols are compiled again next time",
             errno == ENOSPC                                       ? "the disk is full"
             : errno == EACCES || errno == EROFS || errno == EPERM ? "no permission"
                                                                   : "system error");
    fm_fault_where(&fault, framemap_str_of(path));
    if (cache->warning) cache->warning(cache->context, &fault);
}

/* Makes every folder of a file's path. What is there already stays as it is. */
static bool make_folders(const char *file)
{
    char path[PATH_ROOM];
    size_t size = strlen(file);
    if (size >= sizeof path) return false;
    memcpy(path, file, size + 1);
    for (size_t i = 1; i < size; i++) {
        if (path[i] != '/') continue;
        path[i] = 0;
        if (mkdir(path, 0700) != 0 && errno != EEXIST && errno != EROFS && errno != EACCES) return false;
        path[i] = '/';
    }
    return true;
}

static bool write_all(int fd, framemap_str bytes)
{
    while (bytes.size) {
        ssize_t done = write(fd, bytes.data, bytes.size < (1u << 30) ? bytes.size : (1u << 30));
        if (done < 0 && errno == EINTR) continue;
        if (done <= 0) return false;
        bytes = fm_str_from(bytes, (size_t)done);
    }
    return true;
}

/* The bytes of a file are on the disk. */
static bool flush_file(int fd)
{
#if defined(__APPLE__)
    return fsync(fd) == 0; /* fdatasync is not declared there */
#else
    return fdatasync(fd) == 0;
#endif
}

/* Whole or not at all, also when the machine stops in between; the last of several writers wins with the same bytes. */
static bool write_file(const char *path, framemap_str bytes)
{
    char aside[PATH_ROOM + 8];
    snprintf(aside, sizeof aside, "%s.XXXXXX", path);
    int fd = make_folders(path) ? mkstemp(aside) : -1;
    if (fd < 0) return false;
    bool ok = write_all(fd, bytes) && flush_file(fd);
    ok = close(fd) == 0 && ok;
    if (ok && rename(aside, path) == 0) return true;
    int why = errno;
    unlink(aside);
    errno = why;
    return false;
}

/* --- the calls --- */

/* Where the hash of a file's content is remembered, by its path and stamp. false: it may not be. */
static bool remembered_at(const struct fm_disk_cache *cache, const char *file, const struct fm_stamp *stamp, char path[PATH_ROOM])
{
    char text[PATH_ROOM + 200], key[FM_CACHE_KEY_SIZE];
    const int size =
        snprintf(text, sizeof text, "%llu %llu %llu %lld %lld %s", (unsigned long long)stamp->device, (unsigned long long)stamp->inode,
                 (unsigned long long)stamp->size, (long long)stamp->modified_ns, (long long)stamp->changed_ns, file);
    if (size <= 0 || (size_t)size >= sizeof text || !settled(stamp)) return false;
    hex_hash(text, (size_t)size, key);
    return path_of(cache, "contents", key, "", path);
}

static void content_of(const struct fm_disk_cache *cache, const struct fm_cache_input *file, char content[FM_CACHE_KEY_SIZE])
{
    char path[PATH_ROOM];
    unsigned char digest[32];
    const bool can_remember = remembered_at(cache, file->path, file->stamp, path);
    if (can_remember && read_remembered(path, content)) return;
    fm_content_hash(file->bytes.data, file->bytes.size, digest);
    hex_of(digest, content);
    if (can_remember && !write_file(path, fm_str(content, FM_CACHE_KEY_SIZE - 1))) warn_unwritten(cache, path);
}

/* The name is kept in the index. What only source maps have stands behind it and a slash, which no name has: keys of other files have none of it. */
static void make_key(const struct fm_entry *entry, const char *content, const char *script, bool keep_sources, char key[FM_CACHE_KEY_SIZE])
{
    char text[640];
    const int size = snprintf(text, sizeof text, "%s %.16s %s %.200s%s%s%s", content, entry->arch.size ? entry->arch.data : "",
                              fm_code_stamp, fm_str_basename(framemap_str_of(entry->path)).data, script ? "/script " : "",
                              script ? script : "", keep_sources ? "/sources" : "");
    hex_hash(text, size > 0 && (size_t)size < sizeof text ? (size_t)size : strlen(text), key);
}

void fm_disk_cache_key(const struct fm_disk_cache *cache, const struct fm_entry *entry, const struct fm_cache_input *file,
                       const struct fm_cache_input *script, bool keep_sources, char key[FM_CACHE_KEY_SIZE])
{
    char content[FM_CACHE_KEY_SIZE], other[FM_CACHE_KEY_SIZE] = "";
    content_of(cache, file, content);
    if (script) content_of(cache, script, other);
    make_key(entry, content, script ? other : NULL, keep_sources, key);
}

bool fm_disk_cache_known_key(const struct fm_disk_cache *cache, const struct fm_entry *entry, const struct fm_stamp *stamp,
                             char key[FM_CACHE_KEY_SIZE])
{
    char path[PATH_ROOM], content[FM_CACHE_KEY_SIZE];
    if (!remembered_at(cache, entry->path, stamp, path) || !read_remembered(path, content)) return false;
    make_key(entry, content, NULL, false, key);
    return true;
}

bool fm_disk_cache_load(const struct fm_disk_cache *cache, const char *key, const struct fm_entry *entry,
                        const framemap_allocator *allocator, framemap_index **out)
{
    char path[PATH_ROOM];
    framemap_index *index;
    if (!path_of(cache, "indexes", key, ".fmx", path)) return false;
    if (framemap_index_open_file(path, allocator, &index, NULL) != FRAMEMAP_OK) return false;
    framemap_index_info info;
    framemap_index_describe(index, &info);
    if (fm_str_equal(info.id, entry->id) || info.id.size == 0) {
        *out = index;
        return true;
    }
    framemap_index_close(index);
    return false;
}

void fm_disk_cache_store(const struct fm_disk_cache *cache, const char *key, framemap_str index)
{
    char path[PATH_ROOM];
    if (path_of(cache, "indexes", key, ".fmx", path) && !write_file(path, index)) warn_unwritten(cache, path);
}
