/* Compiled indexes kept on disk between runs.
 *
 *     FOLDER/v1/indexes/VERSION-KEY.fmx   an index; KEY: SHA-256 of the symbol file's hash and name, the slice, and the
 *                                         code that makes indexes; of a source map also of the hash of the script that
 *                                         it was compiled with, and of whether the texts of its sources are kept;
 *                                         VERSION: the begin of the hash of that code
 *     FOLDER/v1/contents/KEY              the hash (core/hash/content_hash.h) of a symbol file; KEY: SHA-256 of its
 * path, device, inode, size and times
 *
 * So an index is found by what its symbol file holds, and a file of gigabytes is read for that once, not on every run.
 * Files appear whole (written aside, then renamed), are 0600 in folders of 0700, and are never trusted: a damaged one
 * is compiled again. cache_folder.h says whose files are used, and which are removed. All of it is safe to delete at
 * any time, and to share between the processes of a user. */
#ifndef FM_SESSION_CACHE_DISK_CACHE_H
#define FM_SESSION_CACHE_DISK_CACHE_H

#include "api/index_handle.h"
#include "session/catalog/catalog.h"

#define FM_CACHE_BYTES ((uint64_t)4 << 30) /* of all files of the cache, where nobody says else */

struct fm_cache_folder;

struct fm_disk_cache {
    struct fm_cache_folder *folder; /* NULL: there is none, and no call below is made */
    framemap_warning warning;       /* what could not be written; may be NULL */
    void *context;
};

/* path, budget: as framemap_session_options.cache_path and cache_bytes. Touches no disk. false: out of memory. */
bool fm_disk_cache_init(struct fm_disk_cache *cache, const char *path, uint64_t budget, struct fm_arena *arena);

/* The hash of the code that makes indexes of symbol files: one that other code made is no hit. Written by
 * cmake/CodeStamp.cmake. */
extern const char fm_code_stamp[33];

#define FM_CACHE_KEY_SIZE 65
/* A file that an index is made of: `bytes` are the whole of it, `stamp` as it is now. */
struct fm_cache_input {
    const char *path;
    const struct fm_stamp *stamp;
    framemap_str bytes;
};
/* Finds the key of a symbol file's image. script: of a source map, NULL where it is compiled without one. */
void fm_disk_cache_key(const struct fm_disk_cache *cache, const struct fm_entry *entry,
                       const struct fm_cache_input *file, const struct fm_cache_input *script, bool keep_sources,
                       char key[FM_CACHE_KEY_SIZE]);
/* The same of an image that is no source map, where it is known without reading the file; false: it is not. */
bool fm_disk_cache_known_key(const struct fm_disk_cache *cache, const struct fm_entry *entry,
                             const struct fm_stamp *stamp, char key[FM_CACHE_KEY_SIZE]);
/* false: not there, or not sound. */
bool fm_disk_cache_load(const struct fm_disk_cache *cache, const char *key, const struct fm_entry *entry,
                        const framemap_allocator *allocator, framemap_index **out);
/* A failure is a warning. */
void fm_disk_cache_store(const struct fm_disk_cache *cache, const char *key, framemap_str index);

#endif
