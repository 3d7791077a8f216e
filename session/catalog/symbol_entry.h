/* An image in a symbol file, as the catalog lists it. */
#ifndef FM_SESSION_CATALOG_SYMBOL_ENTRY_H
#define FM_SESSION_CATALOG_SYMBOL_ENTRY_H

#include "core/file_stamp.h"
#include <framemap/session.h>

struct fm_catalog;

/* One image in one file. It lives in the catalog's arena, and neither moves nor changes. */
struct fm_entry {
    const char *path;        /* NUL-terminated; "ARCHIVE!NAME" if in_archive */
    struct fm_catalog *home; /* the catalog that the entry is in */
    /* name as stacks print it: the base name without an ending of symbol files (".debug", ".fmx") */
    framemap_str name;
    framemap_str id, arch;
    framemap_str code_id; /* ELF files without a build id: 32 digits made from their code, as Breakpad and Sentry do in
                             place of one; absent: none */
    struct fm_stamp stamp;
    unsigned rank;        /* how much the file contains; higher for debug info than for a symbol table, and 0 for
                             neither */
    uint32_t order;       /* position in the order of discovery */
    uint32_t depth;       /* number of folders between the file and the given path; UINT32_MAX: unknown */
    bool is_index;        /* an index file */
    bool is_mapping;      /* a mapping of renamed Java classes */
    bool is_source_map;   /* a source map, inline or not, or an index of one */
    bool is_script;       /* a script that names its source map, or contains it (then is_source_map is set too) */
    bool of_bytecode;     /* a source map of Hermes bytecode, whose columns are addresses */
    framemap_str map_url; /* scripts: the URL in the sourceMappingURL comment; absent if the map is inside */
    /* scripts: path of the map that the script names, as the catalog would list it; absent: none */
    framemap_str map_path;
    /* Scripts: the address in the sourceURL comment of code that is passed to eval; absent: none. */
    framemap_str source_url;
    framemap_str of_file; /* source maps: the script that the map says it belongs to; absent if the map names none */
    /* source maps and indexes of source maps: the `file` member of the map; absent: the map has none */
    framemap_str stated_file;
    bool is_names;       /* an obfuscation map of Dart */
    bool is_dart;        /* a Dart snapshot, or its debug info */
    bool in_archive;     /* a file in an archive */
    size_t archive_size; /* size of the archive's path, a prefix of `path`, in bytes; 0: not in an archive */
    uint64_t offset;     /* offset of the file's bytes in the archive, if they are stored uncompressed; else 0 */
    bool one_of_several; /* the image is the slice `arch` of a fat file */
};

#endif
