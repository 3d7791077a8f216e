/* File names of scripts, as stacks print them and as files on disk have them, and the hashes that bundlers insert into
 * them. Called by catalog/ and by the JavaScript restorer; opens no file. */
#ifndef FM_SESSION_CATALOG_JS_FILE_NAME_H
#define FM_SESSION_CATALOG_JS_FILE_NAME_H

#include "core/heap.h"
#include "core/text/text.h"

/* A query for the source map of a file that a stack names. */
struct fm_js_map_query {
    /* the file, such as "https://cdn.example/js/main.f6b17586.js?v=2", "index.android.bundle" or
     * "/data/app/main.jsbundle"; absent: the stack does not name a file */
    framemap_str file;
    framemap_str id; /* debug id of the file, if the text states it; lower-case hex without dashes */
    bool bytecode;   /* the frame has an address instead of a column */
};

/* The parts of a file name, which a stack prints or a file on disk has. */
struct fm_js_file_name {
    framemap_str name; /* the last part of the path, percent-decoded, without query and fragment */
    /* The last part of the path as printed, with query and fragment, since file names may contain those characters. */
    framemap_str raw_name;
    /* The folders and the host of the file, those nearest to the file first, each followed by a NUL; without "." and
     * "..". */
    framemap_str folders;
    framemap_str platform; /* the platform in the query, such as "ios"; absent if there is none */
    /* for code that webpack passes to eval: the module, "./src/a.js"; absent for files */
    framemap_str module;
};
/* Splits a URL, or a path of any system. JavaScriptCore prints "//&" in place of '?', so "//&" starts the query too.
 * Strings are in the arena, or borrowed from the text. Returns false if out of memory. */
bool fm_js_file_name_read(framemap_str text, struct fm_arena *arena, struct fm_js_file_name *out);

/* Returns the path of a module that webpack or Rspack passed to eval: "./src/a.js" for
 * "webpack-internal:///./src/a.js", and for "webpack://app/./src/a.js?", which is printed if there is no source map.
 * Absent for other names. Without the '?', or with four hexadecimal digits after it ("webpack://app/./src/a.js?199c"),
 * the name is that of a source in a map. */
framemap_str fm_js_evaluated_module(framemap_str text);
/* Whether a name is a URL that bundlers give to sources in maps, and never to scripts. */
bool fm_js_is_bundler_source(framemap_str text);

/* Returns the script name in the name of a map or an index: "main.js" for "main.js.map.gz" and "main.js.fmx". */
framemap_str fm_js_name_of_map(framemap_str name);

/* Finds the hashes in a name. A hash has 6 or more hexadecimal digits with at least one decimal digit, or 8 or more
 * characters that are too irregular for a word. Returns the number of hashes. */
enum { FM_JS_NAME_HASHES = 4 };
unsigned fm_js_name_hashes(framemap_str name, framemap_str hashes[FM_JS_NAME_HASHES]);
/* Returns a name without its hashes and the separators before them: "main.chunk.js" for "main.f6b17586.chunk.js". *out
 * is absent if the name has no hashes, or if only an ending would be left. Returns false if out of memory. */
bool fm_js_bare_name(framemap_str name, struct fm_arena *arena, framemap_str *out);

/* Removes 8 letters from the end of a name if they may be a hash; an ordinary word of 8 letters can look the same. A
 * map whose name differs only in these letters is reported as the map of another build, but not used. *out is absent if
 * the name has no such letters. Returns false if out of memory. */
bool fm_js_doubtful_name(framemap_str name, struct fm_arena *arena, framemap_str *out);

/* Returns other names of the same script, the most certain first. These are names on Metro's server and in apps for a
 * bundle; and for bytecode, the name of the script from which it was compiled. number: index of the name, from 0; *out
 * is absent if there are no more names. Returns false if out of memory. */
bool fm_js_name_alias(const struct fm_js_file_name *file, unsigned number, struct fm_arena *arena, framemap_str *out);

/* Whether the ending of a name is one that scripts have. */
bool fm_js_has_ending(framemap_str name);

#endif
