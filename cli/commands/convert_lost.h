/* What a conversion lost, said once. Called by the parts of 'framemap convert'. */
#ifndef FM_CLI_CONVERT_LOST_H
#define FM_CLI_CONVERT_LOST_H

#include <stdint.h>

/* Reports the parts (FRAMEMAP_PART_ bits; 0: nothing is said) that a format cannot say. of: "samples" or "stacks". */
void fm_report_lost(const char *to, const char *of, uint32_t lost);

#endif
