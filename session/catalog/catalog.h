/* The catalog: all symbol files that were found under the session's paths, searched by id or name. Filled by
 * scan_paths.c. The caller holds the session's lock. */
#ifndef FM_SESSION_CATALOG_CATALOG_H
#define FM_SESSION_CATALOG_CATALOG_H

#include "core/hash/hash.h"
#include "core/heap.h"
#include "core/text/guid.h"
#include "session/catalog/js_keys.h"
#include "session/catalog/kept_files.h"
#include "session/catalog/symbol_entry.h"
#include <framemap/session.h>

/* The UUID of a mapping of renamed classes (mapping_uuids.h). */
struct fm_mapping_uuid {
    char digits[FM_GUID_DIGITS];
    bool is_known;
};

struct fm_catalog {
    struct fm_heap *heap;
    /* Callback that decides whether two entries come from one build when their ids do not show it. NULL: if one of two
     * entries has no id, they count as different builds. */
    bool (*same_build)(void *context, const struct fm_entry *a, const struct fm_entry *b);
    void *same_build_context;
    /* called for each new entry; returns false if out of memory. May be NULL */
    bool (*added)(void *context, const struct fm_entry *entry);
    void *added_context;
    struct fm_arena arena;
    const struct fm_entry **entries; /* entries in the order in which they were found */
    size_t count, capacity;
    const struct fm_entry **by_id,
        /* entries that are neither source maps nor scripts, sorted; outdated if `sorted` differs from `count` */
        **by_name;
    const struct fm_entry **mappings; /* the entries that fm_catalog_mappings returns, in the order of by_id */
    size_t by_id_capacity, by_name_capacity, mapping_capacity, sorted, plain_count, mapping_count;
    const struct fm_entry **stored; /* the entries that are files at a known offset in an archive */
    size_t stored_count, stored_capacity;
    bool has_dart;             /* at least one entry has `is_dart` set */
    struct fm_arena search;    /* memory of the search for one source map; the next search reuses it */
    struct fm_js_keys scripts; /* source maps and scripts; updated before each search */
    struct fm_mapping_uuid
        /* the UUID of each mapping, indexed by its entry's `order`; NULL: no UUID was computed yet */
        *uuids;
    size_t uuid_capacity;
    struct fm_kept_files kept; /* decompressed files, for the index cache */
    struct fm_table paths;     /* entries by path, so that a path that is given twice is listed only once */
};

void fm_catalog_init(struct fm_catalog *catalog, struct fm_heap *heap);
void fm_catalog_free(struct fm_catalog *catalog);
bool fm_catalog_has_path(const struct fm_catalog *catalog, const char *path);
/* Adds a copy of the entry. Returns false if out of memory. */
bool fm_catalog_add(struct fm_catalog *catalog, const struct fm_entry *entry);
/* Returns the first entry at a path, or NULL. */
const struct fm_entry *fm_catalog_at_path(const struct fm_catalog *catalog, const char *path);

/* Whether there is an entry at a path or below it. */
bool fm_catalog_has_under(const struct fm_catalog *catalog, const char *path);

/* The result of a search. */
enum fm_found {
    FM_FOUND = 0,
    FM_FOUND_NOTHING,
    FM_FOUND_OTHER_ID,   /* an entry has the name, but another id */
    FM_FOUND_NO_ID,      /* an entry has the name, but no id, while the stack has an id */
    FM_FOUND_OTHER_ARCH, /* an entry has the name, but is for another architecture */
    /* entries of several builds have the name, and the stack does not show which build it comes from */
    FM_FOUND_SEVERAL,
    FM_FOUND_NO_MEMORY
};
/* Searches for an image. *out: with FOUND the entry; with OTHER_ID and NO_ID an entry that was refused for that reason,
 * or NULL. If want->path is given, it must be a path that was scanned, and only entries at or below it are searched.
 * Without a path, source maps and scripts are not searched, since js_map_choice.h finds them. With a path, scripts
 * without a map inside are not searched. */
enum fm_found fm_catalog_find(struct fm_catalog *catalog, const framemap_image_query *want,
                              const struct fm_entry **out);

/* Returns the images with this name, the best one first. *count: the number of images. The result is valid until an
 * entry is added. Returns NULL if there are no such images, or if out of memory. */
const struct fm_entry *const *fm_catalog_named(struct fm_catalog *catalog, framemap_str name, size_t *count);

/* Does what fm_catalog_named does, for the images with this id. */
const struct fm_entry *const *fm_catalog_of_id(struct fm_catalog *catalog, framemap_str id, size_t *count);

/* Lists the mappings of renamed classes in the order of their ids, one file for each build; mappings without an id come
 * first. The result is valid until an entry is added. Takes amortized constant time. Returns false if out of memory. */
bool fm_catalog_mappings(struct fm_catalog *catalog, const struct fm_entry *const **out, size_t *count);

/* Searches for a Dart program; *out as in fm_catalog_find. With an id: finds the best file with that id, or else the
 * only file of the architecture without an id. If there is neither, the result is NOTHING or OTHER_ID. Without an id:
 * finds the only build of the architecture. */
enum fm_found fm_catalog_find_dart(struct fm_catalog *catalog, framemap_str id, framemap_str arch,
                                   const struct fm_entry **out);

/* Searches for a WebAssembly module. name: as stacks print it, with or without ".wasm"; absent: any module is accepted,
 * if all listed modules are of one build. The file with the debug info that emscripten splits off
 * ("app.wasm.debug.wasm") has the name of its module. *out: the best file; set with FOUND only. May also return NOTHING
 * and SEVERAL. */
enum fm_found fm_catalog_find_wasm(const struct fm_catalog *catalog, framemap_str name, const struct fm_entry **out);

/* Searches for the Dart obfuscation map, which must be the only one in the catalog. Returns SEVERAL if the catalog has
 * several, and NOTHING if it has none. */
enum fm_found fm_catalog_find_names(const struct fm_catalog *catalog, const struct fm_entry **out);

/* Whether a module has a name that Dart programs have on phones, or that Dart's compiler gives to its outputs: "App",
 * "libapp.so", "app.snapshot". */
bool fm_dart_program_name(framemap_str module);

/* Whether two names mean the same architecture, such as "arm64-v8a" and "aarch64". An absent name matches any
 * name. */
bool fm_arch_matches(framemap_str a, framemap_str b);
/* Name of the image that a list of the kernel's symbols (kallsyms) describes; the list also has the symbols of the
 * kernel's modules. */
#define FM_KERNEL_NAME "[kernel.kallsyms]"

/* Whether a path ends as the names of archives do, for example with ".zip". */
bool fm_is_archive_name(framemap_str path);
/* Returns the file name in the module name that a stack prints: "libfoo.so" for "base.apk!lib/libfoo.so (deleted)". */
framemap_str fm_module_name(framemap_str module);

#endif
