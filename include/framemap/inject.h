/* Debug ids for scripts: writes the same id into a script and its source map. A stack of the script then names the map
 * that belongs to it, wherever the script and the map are deployed. The form is that of Sentry's tools and of the debug
 * id proposal of ECMA-426. */
#ifndef FRAMEMAP_INJECT_H
#define FRAMEMAP_INJECT_H

#include <framemap/index.h>

#ifdef __cplusplus
extern "C" {
#endif

/* What a script says about its source map. Strings are borrowed from the script. */
typedef struct framemap_script_info {
    framemap_str map_url;  /* URL of the last sourceMappingURL comment; absent: none */
    framemap_str debug_id; /* id of the debugId comment, as written; absent: none */
    bool has_inline_map;   /* map_url is the map itself (data:) */
} framemap_script_info;

/* Reads the comments at the end of a script. script: borrowed. out: written. Any thread. */
FRAMEMAP_API void framemap_script_inspect(framemap_str script, framemap_script_info *out);

/* Options of framemap_inject. Zero the struct, set size to sizeof, then set what differs from the defaults. Later
 * versions only add fields at the end. */
typedef struct framemap_inject_options {
    size_t size;
    const framemap_allocator *allocator; /* copied; NULL: the allocator of the C library */
    uint64_t max_memory;                 /* ceiling on memory for the call, bytes; 0: none */
} framemap_inject_options;

/* The result of framemap_inject. Free the bytes with framemap_bytes_free. */
typedef struct framemap_injected {
    char debug_id[40];          /* debug id with dashes, in lower case */
    framemap_bytes script, map; /* the new script and the new map; empty: the file stays as it is */
} framemap_injected;

/* Writes a debug id into a script and its source map.
 *
 * If the script or the map has an id already, that id is used; otherwise the id is made from the bytes of both, so that
 * the same files always get the same id. The script gets a statement that registers the id for stacks at run time
 * (_sentryDebugIds), after a hashbang and directives such as "use strict", and a comment `//# debugId=`; the map gets
 * `debugId` and `debug_id`, and its mappings are moved with the code. A script that has an id already is not changed,
 * and only the members are added to its map. All other bytes are unchanged.
 *
 * script, map: borrowed; map absent: the script alone, or with the map inside it (data:), which is changed there and
 * written in base64. out: written on success. Errors: ARGUMENT; FORMAT (not a script: a binary file, JSON, HTML);
 * CORRUPT (the map is not a source map in JSON); MISMATCH (script and map have different ids); UNSUPPORTED (a map is
 * given and another is inside the script, or the map has scopes or range mappings that span the place of the
 * statement); LIMIT, MEMORY. Any thread. */
FRAMEMAP_API framemap_status framemap_inject(framemap_str script, framemap_str map,
                                             const framemap_inject_options *options, framemap_injected *out,
                                             framemap_error *error);

#ifdef __cplusplus
}
#endif
#endif
