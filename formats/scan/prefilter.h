/* Prefilter: skips the lines of a text that cannot belong to a stack trace, which is most of a log. Each line that a
 * parser finds significant contains one of the parser's needles, or one of a few shapes; all are searched for in one
 * pass over the bytes of all lines. A line that contains one is only a candidate: the caller lets the parsers decide.
 * Called by dispatch.c. */
#ifndef FM_FORMATS_SCAN_PREFILTER_H
#define FM_FORMATS_SCAN_PREFILTER_H

#include "formats/scan/prefilter_simd.h"

/* A pass over a text from its start to its end, in runs of up to FM_PREFILTER_RUN bytes. */
struct fm_prefilter_walk {
    const struct fm_prefilter *prefilter;
    fm_prefilter_scan *scan;
    framemap_str text;
    size_t reach;      /* the next run has this many bytes */
    size_t begin, end; /* offsets of the run scanned last */
    /* index of the first candidate (a place that may have a needle or shape) of the current run that was not checked
     * yet */
    unsigned next;
    size_t line; /* start of the line that fm_prefilter_parsers was last called for; FM_NOT_FOUND: none */
    struct fm_parser_set parsers; /* the parsers that the last call of fm_prefilter_parsers returned */
    struct fm_prefilter_run run;
};
/* Starts a walk. prefilter and text must outlive it. */
void fm_prefilter_start(struct fm_prefilter_walk *walk, const struct fm_prefilter *prefilter, framemap_str text);

/* A line that contains a needle or a shape. */
struct fm_prefilter_line {
    /* offset of the line's start. If no line has a needle or shape: the size of the text, or the start of a last
     * line without line end */
    size_t at;
    uint64_t lines; /* line ends that were skipped */
};
/* Finds the first line with a needle or shape at or after `from`. from: the start of a line; it never decreases from
 * call to call, and is after the line that was last passed to fm_prefilter_parsers. Each byte is scanned at most once
 * by all calls together. */
struct fm_prefilter_line fm_prefilter_next(struct fm_prefilter_walk *walk, size_t from);
/* Returns the parsers that the line [from, to) may be significant to (fm_format.marks): those that own a needle or
 * shape in the line. If there is such a parser, also returns those without marks. from: not before the `from` of the
 * last call. */
struct fm_parser_set fm_prefilter_parsers(struct fm_prefilter_walk *walk, size_t from, size_t to);

/* Does the same for a line that is not a physical line of the text: a line of an escaped string, or a cleaned copy.
 * left: number of bytes that can be read from the start of the line, at least its size. */
struct fm_parser_set fm_prefilter_parsers_in(const struct fm_prefilter_walk *walk, framemap_str line, size_t left);

#endif
