/* Prefilter: skips the lines of a text that cannot belong to a stack trace, which is most of a log. Each line that a
 * parser finds significant contains one of the parser's needles, or one of a few shapes; all are searched for in one
 * pass over the bytes of all lines. A hit is only a candidate: the caller has the parsers decide. Called by dispatch.c.
 */
#ifndef FM_FORMATS_SCAN_PREFILTER_H
#define FM_FORMATS_SCAN_PREFILTER_H

#include "formats/scan/prefilter_simd.h"

/* A pass over a text, forwards. */
struct fm_prefilter_walk {
    const struct fm_prefilter *prefilter;
    fm_prefilter_scan *scan;
    framemap_str text;
    size_t reach;      /* bytes of the next run */
    size_t begin, end; /* offsets of the run scanned last */
    unsigned next;     /* the first candidate of that run that was not looked at yet */
    size_t line;       /* start of the line that fm_prefilter_parsers was last called for; FM_NOT_FOUND: none */
    struct fm_parser_set parsers; /* the parsers that the last call of fm_prefilter_parsers returned */
    struct fm_prefilter_run run;
};
/* Starts a walk. The tables and the text must outlive it. */
void fm_prefilter_start(struct fm_prefilter_walk *walk, const struct fm_prefilter *prefilter, framemap_str text);

/* A line with a hit. */
struct fm_prefilter_line {
    size_t at; /* offset of the line's start. If no line has a hit: the size of the text, or the start of a last line
               without line end */
    uint64_t lines; /* line ends that were skipped */
};
/* Finds the first line with a hit at or after `from`. from: the start of a line, not before `from` of the last call,
 * and after the last line that fm_prefilter_parsers was called for. Each byte is scanned at most once over all calls.
 */
struct fm_prefilter_line fm_prefilter_next(struct fm_prefilter_walk *walk, size_t from);
/* Returns the parsers that the line [from, to) may be significant to (fm_format.marks): those of its needles and
 * shapes; if it has any, also those without marks. from: not before that of the last call. */
struct fm_parser_set fm_prefilter_parsers(struct fm_prefilter_walk *walk, size_t from, size_t to);

#endif
