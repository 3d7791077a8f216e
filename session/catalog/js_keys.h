/* Index of the source maps and scripts of a catalog: one sorted list of keys, so that a search is a binary search.
 * Called by catalog.c and js_map_choice.c. */
#ifndef FM_SESSION_CATALOG_JS_KEYS_H
#define FM_SESSION_CATALOG_JS_KEYS_H

#include "core/heap.h"
#include "core/text/text.h"

struct fm_entry;

enum fm_js_key_kind {
    FM_JS_KEY_BY_NAME = 'n',    /* maps, by the script name that is derived from the name of the map */
    FM_JS_KEY_BY_MEMBER = 'f',  /* maps, by the script name in their `file` member */
    FM_JS_KEY_BY_ID = 'i',      /* maps, by debug id */
    FM_JS_KEY_BY_HASH = 'h',    /* maps, by each hash in their names */
    FM_JS_KEY_BY_STEM = 's',    /* maps whose names contain hashes, by their names without the hashes */
    FM_JS_KEY_BY_DOUBT = 'x',   /* maps, by their names without a part that may be a hash */
    FM_JS_KEY_SCRIPTS = 't',    /* scripts, by name */
    FM_JS_KEY_SCRIPT_IDS = 'd', /* scripts, by debug id */
    FM_JS_KEY_URLS = 'u',       /* scripts, by the address in their sourceURL comment */
    FM_JS_KEY_COMPANIONS = 'c'  /* scripts, by name and folders of the map that they name */
};

struct fm_js_key {
    /* the kind, whether the key is for bytecode, the name, a NUL, and the folders, beginning with the nearest */
    framemap_str text;
    const struct fm_entry *entry;
    /* index of the first later key that may belong to another build; the keys before that index, from this key on,
     * belong to one build */
    uint32_t same;
};

struct fm_js_keys {
    struct fm_heap *heap;
    struct fm_arena arena; /* memory of the texts */
    struct fm_arena asked; /* arena for one search; the next search uses its memory again */
    struct fm_js_key *rows;
    size_t count, capacity;
    size_t map_count;   /* number of entries that are maps */
    size_t seen;        /* number of catalog entries that were processed */
    uint64_t looked_at; /* number of keys that searches compared, for tests of the cost */
};

void fm_js_keys_init(struct fm_js_keys *keys, struct fm_heap *heap);
void fm_js_keys_free(struct fm_js_keys *keys);
/* Ends the use of an arena by one search. Keeps the arena's memory for the next search if it is little. */
void fm_js_keys_drop(struct fm_arena *arena);
/* Adds keys for the entries that were added since the last update. Returns false if out of memory; then nothing was
 * changed. */
bool fm_js_keys_update(struct fm_js_keys *keys, const struct fm_entry *const *entries, size_t count);

/* A run of adjacent keys: of all keys with a given file name, the keys that have the most folders in common with the
 * query. Folders are compared from the file upwards. */
struct fm_js_key_run {
    const struct fm_js_key *rows;
    size_t count;   /* number of keys; 0: no key has the file name */
    size_t folders; /* number of folders in common */
    /* all keys belong to one build: no two of them have different ids, or are different files without ids */
    bool of_one_build;
};
/* Searches keys. folders: as fm_js_file_name.folders. bytecode: for maps, whether they are for bytecode; for scripts
 * false. Returns false if out of memory. */
bool fm_js_keys_find(struct fm_js_keys *keys, enum fm_js_key_kind kind, bool bytecode, framemap_str name,
                     framemap_str folders, struct fm_js_key_run *out);

#endif
