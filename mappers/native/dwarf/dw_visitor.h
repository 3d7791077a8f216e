/* The interface between DWARF backends and the consumer of debug info, the visitor. A backend decodes the debug
 * sections of one image and reports their contents to a visitor (SAX style). There are two backends, with the same
 * results on sound input: fm_dw_fast and fm_dw_libdwarf.
 *
 * A backend opens an image once: it finds the units and reports the addresses that each of them claims, by ascending
 * unit number. Then each unit can be walked, in any order, and by several threads if the backend allows it, each
 * thread with its own worker. A walk calls unit(); then rows() for each sequence of the line table, whose last row
 * has end_sequence; then enter() and leave() for functions and inlined subroutines in the order of their entries,
 * parents before children; then unit_end(). file() precedes the first use of a file's number. Ranges and paths are
 * borrowed for the call; names of functions and units are valid until the backend is closed. A callback returns false
 * to stop the walk; the backend then returns FRAMEMAP_E_MEMORY, and the visitor has the reason. */
#ifndef FM_MAPPERS_NATIVE_DWARF_DW_VISITOR_H
#define FM_MAPPERS_NATIVE_DWARF_DW_VISITOR_H

#include "mappers/mapper.h"
#include "mappers/native/image/image.h"

struct fm_dw_range {
    uint64_t low,
        high; /* [low, high), as linked; never empty or reversed, and never tombstoned (discarded by the linker) */
};

/* The addresses that a unit claims to cover. Several units may claim one address; compile/unit_overlaps.h decides which
 * of them owns it. */
struct fm_dw_claim {
    uint32_t number;      /* unit number: counts from 0 over the units with code */
    uint64_t offset, end; /* start and end of the unit in .debug_info */
    const struct fm_dw_range *ranges;
    size_t range_count;
    size_t listed_count; /* number of ranges that come from .debug_aranges; they are the last ones of the array */
    /* the unit's entry has no addresses, and the ranges are those of its line sequences; a claim that is not weak
     * takes precedence */
    bool weak;
};

struct fm_dw_unit {
    uint32_t number;      /* unit number, as in the unit's claim */
    uint64_t offset, end; /* start and end in .debug_info */
    uint16_t version;
    uint8_t language;          /* FM_LANGUAGE_… of index/write/builder.h */
    framemap_str name, folder; /* DW_AT_name, DW_AT_comp_dir */
    framemap_str producer;
    /* For a skeleton unit (DWARF 5 section 3.1.3). split_file: the file with its entries, relative to `folder`.
     * lacks_functions: the image itself describes none of the unit's functions, so it is unknown what is inlined, and a
     * row may belong to another function than the symbol at its address does. */
    framemap_str split_file;
    bool lacks_functions;
    bool has_functions; /* the unit may describe functions */
    /* rows outside of functions are not code of the unit: they describe the gaps between functions that the linker
     * moved apart */
    bool lines_in_functions;
};

/* A line-table row. */
struct fm_dw_row {
    uint64_t address;
    uint32_t file;        /* number given to visitor->file, or FM_NONE if unknown */
    uint32_t line1, col1; /* line and column from 1; 0 if unknown (line 0 in DWARF: code without a source line) */
    bool is_stmt;
    bool end_sequence;
};

struct fm_dw_function {
    uint64_t offset; /* offset of the function's entry, which identifies the function */
    uint64_t origin; /* offset of the entry at which the chain of abstract origins starts: the same for all instances of
                        one function */
    framemap_str linkage_name; /* linkage name, which is mangled; may be empty */
    framemap_str name;         /* DW_AT_name */
    uint64_t home; /* offset of the entry where the function is declared, for the backend's scopes(); 0: that entry has
                      no enclosing scope */
    uint32_t decl_file; /* number of the file, as in struct fm_dw_row; FM_NONE: unknown */
    uint32_t decl_line1;
    bool artificial;
    /* functions of one unit that have the same number agree in all members above except `offset`; 0: the function has
     * no number */
    uint32_t identity;
    const struct fm_dw_range *ranges;
    size_t range_count;
    /* The following members are set for inlined subroutines only: */
    uint32_t call_file; /* file of the call, or FM_NONE */
    uint32_t call_line1, call_col1;
    uint32_t depth; /* levels of inlining: 0 for an out-of-line function, from 1 for inlined subroutines */
};

struct fm_dw_visitor {
    void *context;
    bool (*unit)(void *context, const struct fm_dw_unit *unit);
    /* Reports a file of the current unit before its number is used. `number` counts from 0 in each unit. The path is
     * joined as LLVM joins it: comp_dir / include dir / name, where an absolute part replaces those before it. */
    bool (*file)(void *context, uint32_t number, framemap_str path);
    /* Reports consecutive rows, at least one; a sequence may be split over any number of calls. NULL: the line
     * program is not run. */
    bool (*rows)(void *context, const struct fm_dw_row *rows, size_t count);
    /* Reports the start of a function or inlined subroutine. NULL: the entries are not walked, and leave() is not
     * called. */
    bool (*enter)(void *context, const struct fm_dw_function *function);
    bool (*leave)(void *context);
    bool (*unit_end)(void *context);
    /* Reports a fault that did not end the walk. For example, a bad line program does not lose the unit's functions. */
    void (*fault)(void *context, const framemap_error *fault);
    bool one_name; /* the visitor does not need `name` for a function with a linkage name, so it may be empty */
    /* Whether the backend must report a function with code in these ranges, and everything inlined in the function.
     * NULL: all functions are reported. */
    bool (*needs_function)(void *context, const struct fm_dw_range *ranges, size_t count);
};

/* Callbacks that a backend calls while it opens an image. */
struct fm_dw_open_callbacks {
    void *context;
    bool (*claim)(void *context, const struct fm_dw_claim *claim);
    void (*fault)(void *context,
                  const framemap_error *fault); /* a unit that was skipped, or a section that cannot be read */
};

/* A backend, which defines struct fm_dw_debug (an opened image) and struct fm_dw_worker (the state of one thread). */
struct fm_dw_debug;
struct fm_dw_worker;
struct fm_dw_backend {
    const char *name;
    bool threads; /* several workers may walk at the same time */
    /* Opens an image, which must outlive the backend. Errors: MEMORY, LIMIT. */
    framemap_status (*open)(const struct fm_image *image, const struct fm_mapper_host *host,
                            const struct fm_dw_open_callbacks *survey, struct fm_dw_debug **out, framemap_error *error);
    void (*close)(struct fm_dw_debug *debug); /* closes the backend, after the workers were freed; accepts NULL */
    framemap_status (*worker)(struct fm_dw_debug *debug, struct fm_dw_worker **out, framemap_error *error);
    void (*worker_free)(struct fm_dw_worker *worker); /* frees a worker; accepts NULL */
    /* Walks one unit. Errors: MEMORY, or the visitor stopped the walk. CORRUPT: the unit's entries turned out to be
     * damaged; the visitor must discard the records of this unit, and the addresses that it has claimed. */
    framemap_status (*walk)(struct fm_dw_worker *worker, uint32_t number, const struct fm_dw_visitor *visitor,
                            framemap_error *error);
    /* Gets the namespaces, classes and functions that enclose entries. out[i] is "outer::inner" for entries[i], in the
     * arena, or empty if entries[i] has no scopes or they cannot be read. `entries`: offsets that `home` had in the
     * walk of the unit `number`, ascending. NULL: the backend cannot determine scopes. Errors: MEMORY. */
    framemap_status (*scopes)(struct fm_dw_worker *worker, uint32_t number, const uint64_t *entries, size_t count,
                              struct fm_arena *arena, framemap_str *out, framemap_error *error);
};
extern const struct fm_dw_backend fm_dw_fast;     /* the backend that is used by default */
extern const struct fm_dw_backend fm_dw_libdwarf; /* a slower backend, the reference in tests */

/* Returns the backend of this name ("fast", "libdwarf"), or the default backend if the name is NULL. Returns NULL if no
 * backend has the name. */
const struct fm_dw_backend *fm_dw_backend_named(const char *name);

#endif
