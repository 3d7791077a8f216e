/* Reports once which parts a conversion lost. Called by the files of 'framemap convert'. */
#ifndef FM_CLI_CONVERT_LOST_H
#define FM_CLI_CONVERT_LOST_H

#include <stdint.h>

/* Reports the parts (FRAMEMAP_PART_ bits; 0: nothing is reported) that a format cannot express. of: "samples" or
 * "stacks". */
void fm_report_lost(const char *to, const char *of, uint32_t lost);

#endif
