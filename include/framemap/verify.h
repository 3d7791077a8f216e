/* Compares an index with the symbol file that it was compiled from.
 *
 * framemap_index_verify (<framemap/index.h>) checks an index by itself: its checksums and its records. It finds damage
 * after the index was written, but not records that were wrong when they were written. The call below reads the symbol
 * file a second time and looks up all its contents in the index. */
#ifndef FRAMEMAP_VERIFY_H
#define FRAMEMAP_VERIFY_H

#include <framemap/index.h>

#ifdef __cplusplus
extern "C" {
#endif

/* One difference. Strings are borrowed for the call of the callback, and may contain anything that the files contain.
 */
typedef struct framemap_verify_difference {
    size_t size;         /* sizeof of the struct; later versions only add fields at the end */
    const char *what;    /* the kind of record: "id", "attribute", "position", "class", "method", "line", "field",
                            "source", "segment", "function", "offsets" */
    const char *field;   /* which member differs: "file", "line", "chain"... */
    framemap_str place;  /* where the difference is: "0x1344", ".text+0x10", "a.b.c:12", "0:348"; may be empty */
    framemap_str source; /* what the symbol file has; empty: nothing */
    framemap_str index;  /* what the index answers; empty: nothing */
} framemap_verify_difference;

/* Receives one difference. If the ids differ, that is reported first; the order of all others is not defined. Return
 * false to stop: the call then fails with FRAMEMAP_E_LIMIT. */
typedef bool (*framemap_verify_report)(void *context, const framemap_verify_difference *difference);

typedef struct framemap_verify_counts {
    uint64_t records;     /* what the symbol file has: rows, symbols, classes, members, lines, sources, segments */
    uint64_t questions;   /* number of lookups in the index */
    uint64_t differences; /* number of differences that were found */
    bool other_build;     /* the id differs: the index belongs to another build */
} framemap_verify_counts;

/* Compares an index with its source. Every row, inlined call, symbol, class, member, line range, source and segment of
 * the symbol file is looked up in the index, at each of its boundaries, and the answers must be equal.
 *
 * This tests how the index is compiled and read: numbering, joining, sorting, packing and looking up. It does not test
 * how the symbol file is read, because the same code reads it both times, except that options->reader can choose the
 * other reader of debug info ("libdwarf").
 *
 * index, bytes: borrowed. name, options: as for framemap_index_build. Options that change what is compiled (script,
 * keep_sources, companion, arch) must be those that the index was built with; otherwise the call reports differences.
 * max_memory is the ceiling of the comparison, which takes up to half as much memory again as the compilation;
 * `positions` must be NULL. report: called for each difference; NULL: they are only counted. counts: written on
 * success, and when a callback stopped the call. Returns OK also if there are differences: see counts->differences.
 * Errors: those of framemap_index_build, and LIMIT if a callback stopped it. Any thread; the index may be in use by
 * others.
 */
FRAMEMAP_API framemap_status framemap_index_verify_against(const framemap_index *index, framemap_str bytes,
                                                           framemap_str name, const framemap_build_options *options,
                                                           framemap_verify_report report, void *context,
                                                           framemap_verify_counts *counts, framemap_error *error);

#ifdef __cplusplus
}
#endif
#endif
