/* Whether the prefilter is used on a text. The results are the same without it; only tests leave it out. */
#ifndef FM_FORMATS_SCAN_PREFILTER_USE_H
#define FM_FORMATS_SCAN_PREFILTER_USE_H

enum fm_prefilter_use { FM_PREFILTER_ALWAYS, FM_PREFILTER_NEVER };

#endif
