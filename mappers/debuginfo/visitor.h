/* What a reader of debug info tells of it, whichever library reads. One visitor serves the libdwarf reader and later ones.
 *
 * Order: for each unit with code: unit(), then its rows sequence by sequence (sequence_begin?, row…, sequence_end), then its functions and
 * inlined subroutines in the order of their entries, parents before children (enter_function … enter_inline … leave … leave), then unit_end().
 * Strings are borrowed for the call. Every callback returns false to stop the walk (the reader then returns the error the visitor stored). */
#ifndef FM_MAPPERS_DEBUGINFO_VISITOR_H
#define FM_MAPPERS_DEBUGINFO_VISITOR_H

#include "mappers/image/image.h"
#include "mappers/mapper.h"

struct fm_dw_range {
    uint64_t low, high; /* [low, high), as linked; empty, reversed and dead (tombstoned) ranges never arrive */
};

struct fm_dw_unit {
    uint64_t offset;       /* in .debug_info */
    uint16_t version;
    uint8_t language;      /* FM_LANGUAGE_… of index/builder.h */
    framemap_str name, folder; /* DW_AT_name, DW_AT_comp_dir */
    framemap_str producer;
};

/* A line-table row; file is a number of the unit's table as the reader counts it: fm_dw_visitor.file gave its path. */
struct fm_dw_row {
    uint64_t address;
    uint32_t file; /* index given to visitor->file, FM_NONE unknown */
    uint32_t line1, col1; /* 0 unknown (line 0: compiler-made code without a line) */
    bool is_stmt;
    bool end_sequence;
};

struct fm_dw_function {
    uint64_t offset;          /* of the entry: identity */
    uint64_t origin;          /* offset of the entry at the end of the origin/specification chain that names it: equal for all instances */
    framemap_str linkage_name; /* mangled; empty when there is none */
    framemap_str name;         /* DW_AT_name */
    uint32_t decl_file;        /* as row.file; FM_NONE */
    uint32_t decl_line1;
    bool artificial;
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
    /* Announces a file of the current unit before it is used: `number` counts up from 0 within the unit; path is whole (folder joined, as LLVM
     * joins: comp_dir / include dir / name, absolute parts win). */
    bool (*file)(void *context, uint32_t number, framemap_str path);
    bool (*row)(void *context, const struct fm_dw_row *row);
    bool (*enter)(void *context, const struct fm_dw_function *function);
    bool (*leave)(void *context);
    bool (*unit_end)(void *context);
    /* A fault that was passed over (one bad unit does not stop the rest). */
    void (*fault)(void *context, const framemap_error *fault);
};

/* One reader. */
struct fm_dw_reader {
    const char *name;
    framemap_status (*walk)(const struct fm_image *image, const struct fm_mapper_host *host, const struct fm_dw_visitor *visitor,
                            framemap_error *error);
};
extern const struct fm_dw_reader fm_dw_libdwarf;

/* By name; NULL: the default. Not found: NULL. */
const struct fm_dw_reader *fm_dw_reader_named(const char *name);

/* Walks the image's debug info and symbols into the builder (units flattened to positions, inline chains to nodes). */
framemap_status fm_debuginfo_compile(struct fm_image *image, const struct fm_mapper_host *host, struct fm_builder *builder,
                                     framemap_error *error);

#endif
