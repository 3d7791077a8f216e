/* The source maps and scripts of a catalog by all that they can be found by, in one sorted list: a search is a
 * bisection, whatever their number. */
#ifndef FM_SESSION_CATALOG_JS_KEYS_H
#define FM_SESSION_CATALOG_JS_KEYS_H

#include "core/heap.h"
#include "core/text/text.h"

struct fm_entry;

enum fm_js_key_kind {
    FM_JS_KEY_BY_NAME = 'n',    /* maps, by the name of their script as their own name tells it */
    FM_JS_KEY_BY_MEMBER = 'f',  /* maps, by the name of their script as they tell it inside */
    FM_JS_KEY_BY_ID = 'i',      /* maps, by debug id */
    FM_JS_KEY_BY_HASH = 'h',    /* maps, by each hash in their names */
    FM_JS_KEY_BY_STEM = 's',    /* maps whose names have hashes, by their names without them */
    FM_JS_KEY_BY_DOUBT = 'x',   /* maps, by their names without what may be a hash */
    FM_JS_KEY_SCRIPTS = 't',    /* scripts, by name */
    FM_JS_KEY_SCRIPT_IDS = 'd', /* scripts, by debug id */
    FM_JS_KEY_URLS = 'u',       /* scripts, by the whole address that they say they have */
    FM_JS_KEY_COMPANIONS = 'c'  /* scripts, by the name of the map that they name, and its folders */
};

struct fm_js_key {
    framemap_str text; /* kind, whether of bytecode, name, NUL, folders from the nearest on */
    const struct fm_entry *entry;
    uint32_t same; /* the first key behind this one that may be of another build than all between */
};

struct fm_js_keys {
    struct fm_heap *heap;
    struct fm_arena arena; /* the texts */
    struct fm_js_key *rows;
    size_t count, capacity;
    size_t map_count;   /* of them, entries that are maps */
    size_t seen;        /* of the catalog's entries */
    uint64_t looked_at; /* keys compared by searches: what a test bounds */
};

void fm_js_keys_init(struct fm_js_keys *keys, struct fm_heap *heap);
void fm_js_keys_free(struct fm_js_keys *keys);
/* Brings the list up to date with the entries, of which only more have come. false: out of memory, nothing has changed.
 */
bool fm_js_keys_update(struct fm_js_keys *keys, const struct fm_entry *const *entries, size_t count);

/* Those of a name that have the most folders with the wanted ones in common, counted from the file upwards. */
struct fm_js_key_run {
    const struct fm_js_key *rows;
    size_t count;      /* 0: the name is not there */
    size_t folders;    /* that they have in common */
    bool of_one_build; /* as far as ids and files say */
};
/* folders: as fm_js_file_name has them. bytecode: of maps only those of it, or only those that are not; of scripts
 * false. false: out of memory. */
bool fm_js_keys_find(struct fm_js_keys *keys, enum fm_js_key_kind kind, bool bytecode, framemap_str name,
                     framemap_str folders, struct fm_js_key_run *out);

#endif
