/* Names of signals: by their numbers, which differ between systems, for texts that have only the numbers; and by their
 * spelling. */
#ifndef FM_FORMATS_SIGNAL_NAMES_H
#define FM_FORMATS_SIGNAL_NAMES_H

#include "core/text/text.h"

enum fm_signal_system {
    /* the text does not name the system: only signals with the same number on all systems have names */
    FM_SIGNALS_OF_ANY,
    FM_SIGNALS_OF_LINUX, /* Linux on x86, Arm and RISC-V */
    FM_SIGNALS_OF_APPLE  /* macOS and iOS, whose numbers are those of BSD */
};

/* Returns the name of a signal, such as "SIGSEGV" for 11. Empty if no signal that ends a process has this number, or if
 * the possible systems use the number for different signals. */
framemap_str fm_signal_name(uint64_t number, enum fm_signal_system system);
/* Whether the text is spelled like the name of a signal: "SIG" and at least three capitals. */
bool fm_is_signal_name(framemap_str text);

#endif
