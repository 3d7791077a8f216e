/* Faults of processes that Linux logs with the registers below on CPUs other than x86. Called by kernel_fault.c; must
 * not know how a trace is made of them. */
#ifndef FM_FORMATS_NATIVE_LINUX_KERNEL_USER_FAULT_H
#define FM_FORMATS_NATIVE_LINUX_KERNEL_USER_FAULT_H

#include "core/text/scan.h"

/* The headline of a fault, from the word that names it on. */
struct fm_user_fault {
    framemap_str exception, type;
    framemap_str comm;     /* the process, if the headline names it after the fault (MIPS) */
    framemap_str image;    /* what the kernel prints after " in ": "libfoo.so[2738,ffff9a012000+1c000]"; may be empty */
    uint64_t data_address; /* the address that was accessed */
    bool has_data_address;
    uint8_t signal; /* 0: unknown */
};

/* A row of the program counter. */
struct fm_user_pc {
    uint64_t address;
    size_t head, end;   /* sizes of the row up to the counter, and with the site that follows it if it was restored */
    framemap_str site;  /* "add(int) at src/a.cc:7:3" */
    framemap_str image; /* as in the headline; MIPS prints it in this row */
};

/* Finds the word that names a fault. Returns FM_NOT_FOUND if the line is no headline. *after: how many bytes of
 * punctuation are between the process and that word. */
size_t fm_user_fault_find(framemap_str text, size_t *after);
/* Parses a headline from that word on. */
bool fm_user_fault_read(framemap_str text, struct fm_user_fault *fault);
/* Parses "pc : 0000ffff9a01e73c", "pc : [<0000007f863750d0>] lr : [<…>] pstate: …", "epc : … ra : … sp : …", and MIPS'
 * "epc = 0041f3f4 in app[400000+80000]". */
bool fm_user_pc_read(framemap_str text, struct fm_user_pc *pc);

#endif
