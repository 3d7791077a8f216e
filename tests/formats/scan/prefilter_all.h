/* A prefilter with the needles of all formats, for test_prefilter.c and test_prefilter_tables.c. */
#ifndef FM_TESTS_FORMATS_SCAN_PREFILTER_ALL_H
#define FM_TESTS_FORMATS_SCAN_PREFILTER_ALL_H

#include "formats/format_registry.h"
#include "formats/scan/prefilter_tables.h"

/* Makes a prefilter with the needles of all formats. */
static inline void make_prefilter(struct fm_prefilter *prefilter)
{
    const struct fm_format *format;
    fm_prefilter_init(prefilter);
    for (size_t i = 0; (format = fm_format_at(i)) != NULL; i++) fm_prefilter_add(prefilter, format, (unsigned)i);
    fm_prefilter_finish(prefilter);
}

#endif
