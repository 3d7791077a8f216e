/* What a reader of debug info tells of it, whichever library reads. One visitor serves all readers.
 *
 * A reader opens an image once: it finds the units and tells which addresses each of them claims, by rising unit
 * number. Then each unit can be walked, in any order, and by several threads where the reader allows it, each with a
 * worker of its own: unit(), its rows sequence by sequence (the last row of a sequence has end_sequence), its functions
 * and inlined subroutines in the order of their entries, parents before children (enter … enter … leave … leave),
 * unit_end(). file() comes before the first use of its number. Ranges and paths are borrowed for the call; names of
 * functions and units stay until the reader is closed. Every callback returns false to stop the walk (the reader then
 * returns FRAMEMAP_E_MEMORY; the visitor knows why it stopped). */
#ifndef FM_MAPPERS_NATIVE_DWARF_DW_VISITOR_H
#define FM_MAPPERS_NATIVE_DWARF_DW_VISITOR_H

#include "mappers/mapper.h"
#include "mappers/native/image/image.h"

struct fm_dw_range {
    uint64_t low, high; /* [low, high), as linked; empty, reversed and dead (tombstoned) ranges never arrive */
};

/* The addresses that a unit says it covers. Several units may claim one address; unit_overlaps.h says which of them
 * answers for it. */
struct fm_dw_claim {
    uint32_t number;      /* of the unit: counts up from 0 over the units with code */
    uint64_t offset, end; /* of the unit in .debug_info */
    const struct fm_dw_range *ranges;
    size_t range_count;
    size_t listed_count; /* of the ranges, the last so many: those that .debug_aranges lists for the unit */
    bool weak; /* the unit says nothing of its addresses; these are its line sequences. Claims that are not weak win. */
};

struct fm_dw_unit {
    uint32_t number;      /* as in its claim */
    uint64_t offset, end; /* in .debug_info */
    uint16_t version;
    uint8_t language;          /* FM_LANGUAGE_… of index/write/builder.h */
    framemap_str name, folder; /* DW_AT_name, DW_AT_comp_dir */
    framemap_str producer;
    /* Of a skeleton unit (DWARF 5 section 3.1.3), whose entries are in another file: its name, relative to the folder.
     * blind: no function is described here, so that nobody knows what is inlined where, and a line alone may be that of
     * another function than the one whose symbol is there. */
    framemap_str split_file;
    bool blind;
};

/* A line-table row. */
struct fm_dw_row {
    uint64_t address;
    uint32_t file;        /* number given to visitor->file, FM_NONE unknown */
    uint32_t line1, col1; /* 0 unknown (line 0: compiler-made code without a line) */
    bool is_stmt;
    bool end_sequence;
};

struct fm_dw_function {
    uint64_t offset; /* of the entry: identity */
    uint64_t
        origin; /* offset of the entry that the chain of origins starts from: equal for all instances of one function */
    framemap_str linkage_name; /* mangled; empty when there is none */
    framemap_str name;         /* DW_AT_name */
    uint64_t
        home; /* offset of the entry where it is declared, for `scopes` of the reader; 0: no scope is around that */
    uint32_t decl_file; /* as row.file; FM_NONE */
    uint32_t decl_line1;
    bool artificial;
    uint32_t identity; /* functions of one unit with the same number are equal in all of the above but `offset`; 0: it
                          shares that with none */
    const struct fm_dw_range *ranges;
    size_t range_count;
    /* inlined subroutines only */
    uint32_t call_file; /* FM_NONE */
    uint32_t call_line1, call_col1;
    uint32_t depth; /* 0: out-of-line function; inlines 1.. */
};

struct fm_dw_visitor {
    void *context;
    bool (*unit)(void *context, const struct fm_dw_unit *unit);
    /* Announces a file of the current unit before it is used: `number` counts up from 0 within the unit; path is whole
     * (folder joined, as LLVM joins: comp_dir / include dir / name, absolute parts win). */
    bool (*file)(void *context, uint32_t number, framemap_str path);
    /* One row or more, one behind the other; how a reader cuts them means nothing. NULL: the line program is not run.
     */
    bool (*rows)(void *context, const struct fm_dw_row *rows, size_t count);
    /* NULL: the entries are not walked, and leave() is not called. */
    bool (*enter)(void *context, const struct fm_dw_function *function);
    bool (*leave)(void *context);
    bool (*unit_end)(void *context);
    /* A fault that was passed over (one bad line program does not lose the unit's functions). */
    void (*fault)(void *context, const framemap_error *fault);
    bool one_name; /* where there is a linkage name, the name is not asked for; it may be empty then */
    /* Whether a function with code at these places, and all that is inlined in it, is to be told of. NULL: all are. */
    bool (*wants)(void *context, const struct fm_dw_range *ranges, size_t count);
};

/* What is told while an image is opened. */
struct fm_dw_open_callbacks {
    void *context;
    bool (*claim)(void *context, const struct fm_dw_claim *claim);
    void (*fault)(void *context,
                  const framemap_error *fault); /* a unit that was left out, a section that can't be read */
};

/* One reader. The two structs are its own. */
struct fm_dw_debug;
struct fm_dw_worker;
struct fm_dw_backend {
    const char *name;
    bool threads; /* several workers may walk at the same time */
    /* The image must live until close. Errors: MEMORY, LIMIT. */
    framemap_status (*open)(const struct fm_image *image, const struct fm_mapper_host *host,
                            const struct fm_dw_open_callbacks *survey, struct fm_dw_debug **out, framemap_error *error);
    void (*close)(struct fm_dw_debug *debug); /* after its workers; NULL is allowed */
    framemap_status (*worker)(struct fm_dw_debug *debug, struct fm_dw_worker **out, framemap_error *error);
    void (*worker_free)(struct fm_dw_worker *worker); /* NULL is allowed */
    /* Errors: MEMORY, or the visitor stopped the walk. CORRUPT: the unit's entries can't be trusted, which showed only
     * now; what was told of it is to be thrown away, and its claims with it, as if it were not there. UNSUPPORTED: as
     * for CORRUPT, but another reader may read it. */
    framemap_status (*walk)(struct fm_dw_worker *worker, uint32_t number, const struct fm_dw_visitor *visitor,
                            framemap_error *error);
    /* The namespaces, classes and functions around entries: out[i] is "outer::inner" of entries[i], in the arena;
     * empty: there are none, or they can't be read. entries: offsets that rise, which `home` gave in the walk of the
     * unit `number`. NULL: the reader does not know them. Errors: MEMORY. */
    framemap_status (*scopes)(struct fm_dw_worker *worker, uint32_t number, const uint64_t *entries, size_t count,
                              struct fm_arena *arena, framemap_str *out, framemap_error *error);
};
extern const struct fm_dw_backend fm_dw_fast;     /* the default */
extern const struct fm_dw_backend fm_dw_libdwarf; /* the reference */

/* By name; NULL: the default. Not found: NULL. */
const struct fm_dw_backend *fm_dw_backend_named(const char *name);

#endif
