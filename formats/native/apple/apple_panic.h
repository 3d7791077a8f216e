/* Panics of Apple's kernel. Called by apple_short.c, whose parser reads them too. */
#ifndef FM_FORMATS_NATIVE_APPLE_PANIC_H
#define FM_FORMATS_NATIVE_APPLE_PANIC_H

#include "formats/format.h"

/* Parser state: zeroed at the start of a text. */
struct fm_panic_state {
    framemap_str message, process, thread, version, id;
    uint64_t pid, text_base;
    uint64_t panic1;  /* line of the panic; 0: none is open */
    uint64_t number1; /* line of the title or the last row; 0: no stack is open */
    bool has_pid, is_arm, has_trace, has_image;
};

enum fm_line_role fm_panic_offer(struct fm_panic_state *state, struct fm_document *doc, const struct fm_line *line);
/* Whether a line is the first one of a panic. Depends on the line alone. */
bool fm_panic_is_significant(const struct fm_line *line);

#endif
