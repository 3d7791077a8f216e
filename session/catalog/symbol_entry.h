/* An image in a symbol file, as the catalog lists it. */
#ifndef FM_SESSION_CATALOG_SYMBOL_ENTRY_H
#define FM_SESSION_CATALOG_SYMBOL_ENTRY_H

#include "core/file_stamp.h"
#include <framemap/session.h>

struct fm_catalog;

/* One image in one file. It lives in the catalog's arena, and neither moves nor changes. */
struct fm_entry {
    const char *path;        /* path of the file, NUL-terminated; "ARCHIVE!NAME" if in_archive is set */
    struct fm_catalog *home; /* the catalog that has the entry */
    /* name of the image as stacks print it: the base name without an ending of symbol files (".debug", ".fmx") */
    framemap_str name;
    framemap_str id, arch;
    /* for ELF files without a build id: 32 digits computed from their code, which Breakpad and Sentry use in place of a
     * build id; absent for other files */
    framemap_str code_id;
    struct fm_stamp stamp;
    /* rank by content: higher for debug info than for a symbol table, and 0 if the file has neither */
    unsigned rank;
    uint32_t order;  /* position in the order of discovery */
    uint32_t depth;  /* number of folders between the file and the given path; UINT32_MAX: unknown */
    bool is_index;   /* the file is an index */
    bool is_mapping; /* the file is a mapping of renamed Java classes */
    /* the file is a source map, a script that contains its source map, or an index of a source map */
    bool is_source_map;
    bool is_script; /* the file is a script that names its source map, or contains it (then is_source_map is set too) */
    bool of_bytecode; /* the file is a source map of Hermes bytecode, whose columns are addresses */
    /* for scripts: the URL in the sourceMappingURL comment; absent if the script contains the map */
    framemap_str map_url;
    /* for scripts: path of the map that the script names, in the form in which the catalog would list it; absent: there
     * is no such map */
    framemap_str map_path;
    /* for scripts: the address in the sourceURL comment, which bundlers write into code that is passed to eval; absent:
     * there is no such comment */
    framemap_str source_url;
    /* for source maps: the script that the map states as its own; absent if the map states none */
    framemap_str of_file;
    /* for source maps and their indexes: the `file` member of the map; absent: the map has no such member */
    framemap_str stated_file;
    bool is_names;       /* the file is an obfuscation map of Dart */
    bool is_dart;        /* the file is a Dart snapshot, or has the debug info of one */
    bool has_age;        /* the id is a GUID of 32 digits with an age after it, as programs of Windows have it */
    bool in_archive;     /* the file is in an archive */
    size_t archive_size; /* size of the archive's path, which is a prefix of `path`; 0: the file is not in an archive */
    uint64_t offset;     /* offset of the file's bytes in the archive, if they are stored uncompressed; else 0 */
    bool one_of_several; /* the image is the slice `arch` of a fat file */
};

#endif
