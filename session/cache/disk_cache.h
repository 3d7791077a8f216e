/* Stores compiled indexes on disk between runs. Called by index_load.c and session.c.
 *
 *     FOLDER/v1/indexes/VERSION-KEY.fmx   an index. KEY: SHA-256 of the symbol file's hash and name, the slice, and the
 *                                         stamp of the code that makes indexes; for a source map also of the hash of
 *                                         the script that it was compiled with, and of whether source text is kept.
 *                                         VERSION: the start of that stamp
 *     FOLDER/v1/contents/KEY              the hash (core/hash/content_hash.h) of a symbol file. KEY: SHA-256 of its
 *                                         path, device, inode, size and times
 *
 * So an index is found by the content of its symbol file. The whole symbol file, which may have gigabytes, is read to
 * compute its hash only once, not on every run. A file is written under another name and then renamed, so it is always
 * complete. Files have mode 0600, in folders of mode 0700. A file whose size, header or sections do not fit is not
 * used, and the index is compiled again; as in any index, bytes that change within a section are not noticed.
 * cache_folder.h describes which files are used and which are removed. The whole folder may be deleted at any time, and
 * may be shared by the processes of one user. */
#ifndef FM_SESSION_CACHE_DISK_CACHE_H
#define FM_SESSION_CACHE_DISK_CACHE_H

#include "api/index_handle.h"
#include "session/catalog/catalog.h"

/* default for the most bytes of all files of the cache */
#define FM_CACHE_BYTES ((uint64_t)4 << 30)

struct fm_cache_folder;

struct fm_disk_cache {
    /* the cache's folder; NULL: there is no cache, and the functions below must not be called */
    struct fm_cache_folder *folder;
    framemap_warning warning; /* reports files that could not be written; may be NULL */
    void *context;
};

/* Sets up a cache without access to the disk. path, budget: as framemap_session_options.cache_path and cache_bytes.
 * Returns false if out of memory. */
bool fm_disk_cache_init(struct fm_disk_cache *cache, const char *path, uint64_t budget, struct fm_arena *arena);

/* Hash of the code that makes indexes; an index made by other code is not used. Written by cmake/CodeStamp.cmake. */
extern const char fm_code_stamp[33];

#define FM_CACHE_KEY_SIZE 65
/* An input of an index: `bytes` is its whole content, `stamp` its current stamp. */
struct fm_cache_input {
    const char *path;
    const struct fm_stamp *stamp;
    framemap_str bytes;
};
/* Computes the key for an image of a symbol file. script: the script of a source map; NULL if it is compiled without
 * one. */
void fm_disk_cache_key(const struct fm_disk_cache *cache, const struct fm_entry *entry,
                       const struct fm_cache_input *file, const struct fm_cache_input *script, bool keep_sources,
                       char key[FM_CACHE_KEY_SIZE]);
/* Computes the same key as fm_disk_cache_key, for an image that is not a source map, but without reading the file.
 * Returns false if that is not possible. */
bool fm_disk_cache_known_key(const struct fm_disk_cache *cache, const struct fm_entry *entry,
                             const struct fm_stamp *stamp, char key[FM_CACHE_KEY_SIZE]);
/* Loads an index. Returns false if the index is not in the cache, or is damaged. */
bool fm_disk_cache_load(const struct fm_disk_cache *cache, const char *key, const struct fm_entry *entry,
                        const framemap_allocator *allocator, framemap_index **out);
/* Stores an index. A failure is reported as a warning. */
void fm_disk_cache_store(const struct fm_disk_cache *cache, const char *key, framemap_str index);

#endif
