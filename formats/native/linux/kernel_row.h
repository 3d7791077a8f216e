/* Parses frame lines of the Linux kernel. Called by kernel.c. */
#ifndef FM_FORMATS_NATIVE_LINUX_KERNEL_ROW_H
#define FM_FORMATS_NATIVE_LINUX_KERNEL_ROW_H

#include "formats/format.h"

struct fm_kernel_row {
    framemap_str function, file, module, id;
    uint64_t address, offset, size, line, column;
    bool has_address, has_offset, unreliable, inlined;
    bool grouped; /* the position is printed in parentheses */
    bool sure;    /* only the kernel prints a row of this form; rows of other forms are accepted only below a title */
};

/* Parses "[<ffffffff816f030c>] ? f+0x10/0x12 [mod] fs/a.c:7", "f fs/a.c:7 [inline]", and the rest of a line after "RIP:
 * ". */
bool fm_kernel_row(framemap_str text, struct fm_kernel_row *row);
/* Cuts marks such as "<IRQ>" and "</TASK>" off the start. */
void fm_kernel_cut_marks(framemap_str *text);

#endif
