/* What scripts are called: by stacks, by the files on disk, by the hashes that bundlers put into names. */
#ifndef FM_SESSION_CATALOG_JS_FILE_NAME_H
#define FM_SESSION_CATALOG_JS_FILE_NAME_H

#include "core/heap.h"
#include "core/text/text.h"

/* A file as stacks print it. */
struct fm_js_map_query {
    framemap_str file; /* "https://cdn.example/js/main.f6b17586.js?v=2", "index.android.bundle",
                          "/data/app/main.jsbundle"; absent: none is told */
    framemap_str id;   /* debug id, where the text tells one for the file; lower-case hex without dashes */
    bool bytecode;     /* the frame has an address instead of a column */
};

/* A file as a stack prints it, or as it stands on disk, taken apart. */
struct fm_js_file_name {
    framemap_str name; /* the last part of its path, escapes read, without query and fragment */
    framemap_str
        raw_name;         /* the same as it is printed, with query and fragment: names of files may have such letters */
    framemap_str folders; /* the folders above it and the host, the nearest first, each followed by a NUL; without "."
                             and ".." */
    framemap_str platform; /* what a query says of it, "ios"; absent */
    framemap_str module;   /* of code that webpack gives to eval: which module it is, "./src/a.js"; absent for files */
};
/* Addresses and paths of any system; "//&" is read as the '?' that it stands for. All in the arena, or borrowed from
 * the text. false: out of memory. */
bool fm_js_file_name_read(framemap_str text, struct fm_arena *arena, struct fm_js_file_name *out);

/* The name of the script that a map's or an index's name is of: "main.js.map.gz", "main.js.fmx" give "main.js". */
framemap_str fm_js_name_of_map(framemap_str name);

/* The pieces of a name that are hashes: 6 hexadecimal digits and more with a digit among them; or 8 letters and more
 * that are too mixed for a word. */
enum { FM_JS_NAME_HASHES = 4 };
unsigned fm_js_name_hashes(framemap_str name, framemap_str hashes[FM_JS_NAME_HASHES]);
/* A name without its hashes and the marks in front of them: "main.f6b17586.chunk.js" gives "main.chunk.js". Absent
 * where nothing but an ending is left, or where the name has none. false: out of memory. */
bool fm_js_bare_name(framemap_str name, struct fm_arena *arena, framemap_str *out);

/* A name without 8 letters at its end that may be a hash, too little mixed to be sure: enough to doubt a name that
 * differs in nothing else, not to find one. Absent where there are none. false: out of memory. */
bool fm_js_doubtful_name(framemap_str name, struct fm_arena *arena, framemap_str *out);

/* Other names that the same script goes by, the surest first: of Metro's server and of the bundles that apps hold, of
 * bytecode and the text that it is made of. Numbers from 0; absent: there are no more. false: out of memory. */
bool fm_js_name_alias(const struct fm_js_file_name *file, unsigned number, struct fm_arena *arena, framemap_str *out);

/* Endings of files that are scripts. */
bool fm_js_has_ending(framemap_str name);

#endif
