/* The sentences that Python prints between two tracebacks. Called by python_trace.c and python_pytest.c. */
#ifndef FM_FORMATS_OTHER_PYTHON_SENTENCE_H
#define FM_FORMATS_OTHER_PYTHON_SENTENCE_H

#include "core/text/text.h"

/* Whether a line states that the traceback above it is the cause of the traceback below it. */
static inline bool fm_python_is_cause(framemap_str line)
{
    return fm_str_starts(line, FM_STR("The above exception was the direct cause")) ||
           fm_str_starts(line, FM_STR("During handling of the above exception"));
}

#endif
