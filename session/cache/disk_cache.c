/* Computes the keys of compiled indexes, and loads and stores the indexes on disk. All access to files is in
 * cache_folder.c. */
#include "session/cache/disk_cache.h"

#include "core/error.h"
#include "core/hash/content_hash.h"
#include "core/text/text.h"
#include "session/cache/cache_folder.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#define PATH_ROOM 4096
/* If a file changed less than this time ago, the hash of its contents is not stored: the file may change again without
 * a change of its time stamps. */
#define SETTLED_NS ((int64_t)2000000000)

/* The name of an index on disk starts with this many characters of the hash of the code that makes indexes. */
enum { VERSION_SIZE = 16 };

static const char *copy_path(struct fm_arena *arena, const char *path, const char *tail)
{
    size_t size = strlen(path);
    /* Slashes at the end are removed: with a slash after its name, a symbolic link would be followed. */
    while (size > 1 && path[size - 1] == '/') size--;
    const size_t room = size + strlen(tail) + 1;
    char *copy = fm_arena_alloc(arena, room);
    if (copy) snprintf(copy, room, "%.*s%s", (int)size, path, tail);
    return copy;
}

static struct fm_cache_folder *new_folder(struct fm_arena *arena, const char *path, const char *tail, uint64_t budget)
{
    struct fm_cache_folder *folder = fm_arena_alloc(arena, sizeof *folder);
    char *version = fm_arena_alloc(arena, VERSION_SIZE + 2);
    if (folder == NULL || version == NULL) return NULL;
    snprintf(version, VERSION_SIZE + 2, "%.*s-", VERSION_SIZE, fm_code_stamp);
    *folder =
        (struct fm_cache_folder){.heap = arena->heap, .budget = budget ? budget : FM_CACHE_BYTES, .version = version};
    folder->path = copy_path(arena, path, tail);
    return folder->path ? folder : NULL;
}

bool fm_disk_cache_init(struct fm_disk_cache *cache, const char *path, uint64_t budget, struct fm_arena *arena)
{
    const char *tail = "";
    struct stat about;
    cache->folder = NULL;
    if (path == NULL) {
        const char *home = getenv("HOME");
        path = getenv("XDG_CACHE_HOME");
        tail = "/framemap";
        /* The XDG base directory specification says that relative paths are ignored. */
        if (path == NULL || path[0] != '/') {
            path = home;
            tail = "/.cache/framemap";
            /* A home folder that does not exist is not created: some services run as users that are meant to have no
             * home folder. */
            if (home && (stat(home, &about) != 0 || !S_ISDIR(about.st_mode))) return true;
        }
        if (path == NULL || path[0] != '/') return true;
    }
    if (path[0] == 0 || strlen(path) + strlen(tail) > PATH_ROOM - 256) return true;
    cache->folder = new_folder(arena, path, tail, budget);
    return cache->folder != NULL;
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

static void name_of_index(const struct fm_disk_cache *cache, const char *key, char name[FM_CACHE_NAME_SIZE])
{
    snprintf(name, FM_CACHE_NAME_SIZE, "%s%s.fmx", cache->folder->version, key);
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
        if (!((text.data[i] >= '0' && text.data[i] <= '9') || (text.data[i] >= 'a' && text.data[i] <= 'f')))
            return false;
    return true;
}

/* --- faults --- */

static void warn_of_cache(const struct fm_disk_cache *cache, const framemap_error *fault)
{
    framemap_error named = *fault;
    fm_error_where(&named, framemap_str_of(cache->folder->path));
    if (cache->warning) cache->warning(cache->context, &named);
}

/* If the fault is that a folder or file of the cache must not be used, returns true, and reports the fault the first
 * time. */
static bool warn_refused(const struct fm_disk_cache *cache, const struct fm_cache_fault *why)
{
    framemap_error fault = {0};
    if (why->why == NULL) return false;
    if (atomic_exchange(&cache->folder->refused, true)) return true;
    fm_error_set(&fault, FRAMEMAP_E_IO, "the cache is not used: %s", why->why);
    warn_of_cache(cache, &fault);
    return true;
}

static const char *unwritten_reason(int code)
{
    switch (code) {
    case ENOSPC:
    case EDQUOT: return "the disk is full";
    case EACCES:
    case EPERM: return "no permission";
    case EROFS: return "the file system is read-only";
    case ENOTDIR:
    case EEXIST: return "the path leads through something that is not a folder";
    case ENOENT: return "no folder can be made there";
    case ELOOP: return "too many symbolic links";
    case ENAMETOOLONG: return "the path is too long";
    case EIO: return "the device reported an error";
    default: return NULL;
    }
}

/* Reports that the cache cannot be written. Does so only once, since the reason applies to further symbol files as
 * well. */
static void warn_unwritten(const struct fm_disk_cache *cache, const struct fm_cache_fault *why)
{
    framemap_error fault = {0};
    char number[32];
    const char *reason = unwritten_reason(why->code);
    if (warn_refused(cache, why) || atomic_exchange(&cache->folder->unwritten, true)) return;
    snprintf(number, sizeof number, "system error %d", why->code);
    fm_error_set(&fault, FRAMEMAP_E_IO, "the cache cannot be written (%s); symbols will be compiled again next time",
                 reason ? reason : number);
    warn_of_cache(cache, &fault);
}

/* --- implementing the public functions of the cache --- */

static bool read_remembered(const struct fm_disk_cache *cache, const char *key, char content[FM_CACHE_KEY_SIZE])
{
    struct fm_cache_fault fault;
    char text[FM_CACHE_KEY_SIZE];
    const int file = fm_cache_open(cache->folder, FM_CACHE_CONTENTS, key, &fault);
    if (file < 0) {
        warn_refused(cache, &fault);
        return false;
    }
    const ssize_t size = read(file, text, sizeof text);
    close(file);
    if (size < 0 || !is_key(fm_str(text, (size_t)size))) return false;
    memcpy(content, text, FM_CACHE_KEY_SIZE - 1);
    content[FM_CACHE_KEY_SIZE - 1] = 0;
    return true;
}

/* Makes the path of the file that stores the hash of a symbol file's content, from the path and stamp of the symbol
 * file. Returns false if the hash must not be stored. */
static bool remembered_at(const char *file, const struct fm_stamp *stamp, char key[FM_CACHE_KEY_SIZE])
{
    char text[PATH_ROOM + 200];
    const int size = snprintf(text, sizeof text, "%llu %llu %llu %lld %lld %s", (unsigned long long)stamp->device,
                              (unsigned long long)stamp->inode, (unsigned long long)stamp->size,
                              (long long)stamp->modified_ns, (long long)stamp->changed_ns, file);
    if (size <= 0 || (size_t)size >= sizeof text || !settled(stamp)) return false;
    hex_hash(text, (size_t)size, key);
    return true;
}

static void content_of(const struct fm_disk_cache *cache, const struct fm_cache_input *file,
                       char content[FM_CACHE_KEY_SIZE])
{
    char key[FM_CACHE_KEY_SIZE];
    unsigned char digest[32];
    struct fm_cache_fault fault;
    const bool can_remember = remembered_at(file->path, file->stamp, key);
    if (can_remember && read_remembered(cache, key, content)) return;
    fm_content_hash(file->bytes.data, file->bytes.size, digest);
    hex_of(digest, content);
    const framemap_str text = fm_str(content, FM_CACHE_KEY_SIZE - 1);
    if (can_remember && !fm_cache_write(cache->folder, FM_CACHE_CONTENTS, key, text, &fault))
        warn_unwritten(cache, &fault);
}

/* Computes the key of an index: a hash of a text that contains the file name. For a source map, a slash and further
 * inputs follow the file name. File names contain no slash, so no other file can have the same text. */
static void make_key(const struct fm_entry *entry, const char *content, const char *script, bool keep_sources,
                     char key[FM_CACHE_KEY_SIZE])
{
    char text[640];
    const int size =
        snprintf(text, sizeof text, "%s %.16s %s %.200s%s%s%s", content, entry->arch.size ? entry->arch.data : "",
                 fm_code_stamp, fm_str_basename(framemap_str_of(entry->path)).data, script ? "/script " : "",
                 script ? script : "", keep_sources ? "/sources" : "");
    hex_hash(text, size > 0 && (size_t)size < sizeof text ? (size_t)size : strlen(text), key);
}

void fm_disk_cache_key(const struct fm_disk_cache *cache, const struct fm_entry *entry,
                       const struct fm_cache_input *file, const struct fm_cache_input *script, bool keep_sources,
                       char key[FM_CACHE_KEY_SIZE])
{
    char content[FM_CACHE_KEY_SIZE], other[FM_CACHE_KEY_SIZE] = "";
    content_of(cache, file, content);
    if (script) content_of(cache, script, other);
    make_key(entry, content, script ? other : NULL, keep_sources, key);
}

bool fm_disk_cache_known_key(const struct fm_disk_cache *cache, const struct fm_entry *entry,
                             const struct fm_stamp *stamp, char key[FM_CACHE_KEY_SIZE])
{
    char remembered[FM_CACHE_KEY_SIZE], content[FM_CACHE_KEY_SIZE];
    if (!remembered_at(entry->path, stamp, remembered) || !read_remembered(cache, remembered, content)) return false;
    make_key(entry, content, NULL, false, key);
    return true;
}

bool fm_disk_cache_load(const struct fm_disk_cache *cache, const char *key, const struct fm_entry *entry,
                        const framemap_allocator *allocator, framemap_index **out)
{
    char name[FM_CACHE_NAME_SIZE];
    framemap_index *index;
    framemap_index_info info;
    struct fm_cache_fault fault;
    name_of_index(cache, key, name);
    const int file = fm_cache_open(cache->folder, FM_CACHE_INDEXES, name, &fault);
    if (file < 0) {
        warn_refused(cache, &fault);
        return false;
    }
    if (fm_index_open_descriptor(file, allocator, &index, NULL) != FRAMEMAP_OK) return false;
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
    char name[FM_CACHE_NAME_SIZE];
    struct fm_cache_fault fault;
    name_of_index(cache, key, name);
    if (!fm_cache_write(cache->folder, FM_CACHE_INDEXES, name, index, &fault)) warn_unwritten(cache, &fault);
}
