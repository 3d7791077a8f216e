/* One image of one symbol file, as the catalogue lists it. */
#ifndef FM_SESSION_CATALOG_SYMBOL_ENTRY_H
#define FM_SESSION_CATALOG_SYMBOL_ENTRY_H

#include "core/file_stamp.h"
#include <framemap/session.h>

/* One image in one file. Lives in the catalog's arena, never moves, never changes. */
struct fm_entry {
    const char *path;  /* NUL-terminated */
    framemap_str name; /* as stacks would print it: the base name without what symbol files append (".debug", ".fmx") */
    framemap_str id, arch;
    struct fm_stamp stamp;
    unsigned rank;           /* how much it tells: debug info before a symbol table before nothing */
    uint32_t order;          /* of being found */
    uint32_t depth;          /* folders between it and the path that was given; UINT32_MAX: not known */
    bool is_index;           /* compiled already */
    bool is_mapping;         /* of renamed classes, for frames of Java */
    bool is_source_map;      /* a source map, inline or not, or an index of one */
    bool is_script;          /* a script that names its map or has it inside (then is_source_map too) */
    bool of_bytecode;        /* a source map of Hermes' bytecode: its columns are addresses */
    framemap_str map_url;    /* of a script: what its comment names; absent where the map is inside */
    framemap_str map_path;   /* of a script: where that is, as a file of the catalog would have it; absent where nothing
                                is named */
    framemap_str source_url; /* of a script: the address that it says it has, as code given to eval does; absent */
    framemap_str of_file;    /* of a source map: the script that it says inside it is of; absent */
    framemap_str
        stated_file; /* of a source map: its `file` member, of an index that of the map that it was made of; absent */
    bool is_names;   /* an obfuscation map of Dart */
    bool is_dart;    /* a snapshot of Dart, or its debug info */
    bool one_of_several; /* a slice of a fat file: arch says which */
};

#endif
