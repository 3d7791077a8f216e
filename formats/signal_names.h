/* Names of signals by their numbers, which differ between systems. Called by formats that print only numbers. */
#ifndef FM_FORMATS_SIGNAL_NAMES_H
#define FM_FORMATS_SIGNAL_NAMES_H

#include "core/text/text.h"

enum fm_signal_system {
    FM_SIGNALS_OF_ANY,   /* the text does not say which system: only signals with one number on all systems */
    FM_SIGNALS_OF_LINUX, /* Linux on x86, Arm and RISC-V */
    FM_SIGNALS_OF_APPLE  /* macOS and iOS, whose numbers are those of BSD */
};

/* Returns the name of a signal, "SIGSEGV" for 11. Empty if no signal that ends a process has this number, or if the
 * number differs between the systems that are possible. */
framemap_str fm_signal_name(uint64_t number, enum fm_signal_system system);

#endif
