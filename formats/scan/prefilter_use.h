/* Whether the prefilter is used on a text. */
#ifndef FM_FORMATS_SCAN_PREFILTER_USE_H
#define FM_FORMATS_SCAN_PREFILTER_USE_H

#include "core/text/text.h"

enum fm_prefilter_use { FM_PREFILTER_AUTO, FM_PREFILTER_NEVER, FM_PREFILTER_ALWAYS };

/* Whether the prefilter is used. AUTO uses it on texts that are long enough to repay making the tables. */
static inline bool fm_prefilter_pays(enum fm_prefilter_use use, size_t text_size)
{
    enum { WORTH_IT = 4096 };
    return use == FM_PREFILTER_ALWAYS || (use == FM_PREFILTER_AUTO && text_size >= WORTH_IT);
}

#endif
