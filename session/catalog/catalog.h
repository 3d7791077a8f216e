/* What symbol files there are: found by scanning paths, asked by id or name. One thread at a time (the session's lock).
 */
#ifndef FM_SESSION_CATALOG_CATALOG_H
#define FM_SESSION_CATALOG_CATALOG_H

#include "core/hash/hash.h"
#include "core/heap.h"
#include "session/catalog/js_keys.h"
#include "session/catalog/symbol_entry.h"
#include <framemap/session.h>

struct fm_catalog {
    struct fm_heap *heap;
    /* Whether two entries are of one build that no pair of ids says so of; NULL: what has no id is of one build with
     * itself alone. */
    bool (*same_build)(void *context, const struct fm_entry *a, const struct fm_entry *b);
    void *same_build_context;
    struct fm_arena arena;
    const struct fm_entry **entries; /* in the order of being found */
    size_t count, capacity;
    const struct fm_entry **by_id,
        **by_name; /* those that are neither source maps nor scripts, sorted; stale once `sorted` differs from count */
    const struct fm_entry **mappings; /* of by_id those that fm_catalog_mappings tells */
    size_t by_id_capacity, by_name_capacity, mapping_capacity, sorted, plain_count, mapping_count;
    bool has_dart;             /* some entry is_dart */
    struct fm_js_keys scripts; /* source maps and scripts: brought up to date before each search */
    struct fm_table paths;     /* entries by path: a path given twice is listed once */
};

void fm_catalog_init(struct fm_catalog *catalog, struct fm_heap *heap);
void fm_catalog_free(struct fm_catalog *catalog);
bool fm_catalog_has_path(const struct fm_catalog *catalog, const char *path);
/* Copies the entry. false: out of memory. */
bool fm_catalog_add(struct fm_catalog *catalog, const struct fm_entry *entry);
/* The first entry of a path, or NULL. */
const struct fm_entry *fm_catalog_at_path(const struct fm_catalog *catalog, const char *path);

/* Whether there is an entry at a path or below it. */
bool fm_catalog_has_under(const struct fm_catalog *catalog, const char *path);

/* How a search ended. Each but the first is a reason for a frame. */
enum fm_found {
    FM_FOUND = 0,
    FM_FOUND_NOTHING,
    FM_FOUND_OTHER_ID,   /* the name is there, under another id */
    FM_FOUND_NO_ID,      /* the name is there, without an id, where the stack has one */
    FM_FOUND_OTHER_ARCH, /* the name is there, for another architecture */
    FM_FOUND_SEVERAL,    /* the name is there under several ids, and the stack does not say which */
    FM_FOUND_NO_MEMORY
};
/* *out: with FOUND the entry; with OTHER_ID and NO_ID one that was refused for that, or NULL.
 * want->path, when given, must be a path that was scanned: only what is at or under it counts. Without a path source
 * maps and scripts are no images (js_map_choice.h finds them); with one, scripts that have no map inside are none. */
enum fm_found fm_catalog_find(struct fm_catalog *catalog, const framemap_image_query *want,
                              const struct fm_entry **out);

/* The images of that name, which is an entry's: the best first. *count: how many. Valid until an entry is added. NULL:
 * none, or out of memory. */
const struct fm_entry *const *fm_catalog_named(struct fm_catalog *catalog, framemap_str name, size_t *count);

/* The mappings of renamed classes by id, each build once, by its best file; those without an id first. Valid until an
 * entry is added. Amortised constant. false: out of memory. */
bool fm_catalog_mappings(struct fm_catalog *catalog, const struct fm_entry *const **out, size_t *count);

/* *out as in fm_catalog_find. The best file of a Dart program: of that id, failing that the only one of the
 * architecture that has none (NOTHING or OTHER_ID where there is neither); or without an id the only build of the
 * architecture that there is. */
enum fm_found fm_catalog_find_dart(struct fm_catalog *catalog, framemap_str id, framemap_str arch,
                                   const struct fm_entry **out);

/* The only obfuscation map: SEVERAL or NOTHING. */
enum fm_found fm_catalog_find_names(const struct fm_catalog *catalog, const struct fm_entry **out);

/* Whether a module is called as Dart programs are on phones and by Dart's compiler: "App", "libapp.so", "app.snapshot".
 */
bool fm_dart_program_name(framemap_str module);

/* Two names of one architecture, "arm64-v8a" and "aarch64". Absent ones match all. */
bool fm_arch_matches(framemap_str a, framemap_str b);
/* The module of a stack as files are called: "base.apk!lib/libfoo.so (deleted)" to "libfoo.so". */
framemap_str fm_module_name(framemap_str module);

#endif
