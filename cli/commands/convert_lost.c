/* Implements convert_lost.h: prints one message that names the parts which the output format of a conversion cannot
 * hold. */
#include "cli/commands/convert_lost.h"

#include "cli/cli.h"

#include <framemap/framemap.h>
#include <stdio.h>

void fm_report_lost(const char *to, const char *of, uint32_t lost)
{
    char parts[512] = "";
    size_t size = 0;
    if (lost == 0) return;
    for (uint32_t bit = 1; bit; bit <<= 1) {
        if ((lost & bit) == 0 || size >= sizeof parts) continue;
        const int more = snprintf(parts + size, sizeof parts - size, "%s%s", size ? ", " : "", framemap_part_name(bit));
        if (more > 0) size += (size_t)more;
    }
    fm_message("%s cannot hold these parts of the %s, which were left out: %s (--lossy accepts that)", to, of, parts);
}
