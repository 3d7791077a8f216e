/* Reads what Linux logs about the fault of a process on CPUs other than x86: a headline, and registers on lines
 * below it. Called by kernel_fault.c; must not know how traces are made. */
#ifndef FM_FORMATS_NATIVE_LINUX_KERNEL_USER_FAULT_H
#define FM_FORMATS_NATIVE_LINUX_KERNEL_USER_FAULT_H

#include "core/text/scan.h"

/* The values in a headline, from the word that names the fault on. */
struct fm_user_fault {
    framemap_str exception, type;
    framemap_str comm;     /* name of the process, if the headline prints it after the fault (MIPS) */
    framemap_str image;    /* the text after " in ": "libfoo.so[2738,ffff9a012000+1c000]"; may be empty */
    uint64_t data_address; /* the address that was accessed */
    bool has_data_address;
    uint8_t signal; /* number of the signal; 0: unknown */
};

/* A row of the program counter. */
struct fm_user_pc {
    uint64_t address;
    /* head: size of the row up to the end of the program counter; end: size up to the end of `site` */
    size_t head, end;
    framemap_str site;  /* the text that framemap printed when it restored the row: "add(int) at src/a.cc:7:3" */
    framemap_str image; /* the image, as in struct fm_user_fault; set for MIPS, which prints it in this row */
};

/* Finds the word that names a fault. Returns its offset, or FM_NOT_FOUND if the line is not a headline. *after: number
 * of punctuation bytes between the process and that word. */
size_t fm_user_fault_find(framemap_str text, size_t *after);
/* Parses a headline. text: begins with the word that names the fault. */
bool fm_user_fault_read(framemap_str text, struct fm_user_fault *fault);
/* Parses a row with the program counter: "pc : 0000ffff9a01e73c", "pc : [<0000007f863750d0>] lr : [<…>] pstate: …",
 * "epc : … ra : … sp : …", or "epc = 0041f3f4 in app[400000+80000]" of MIPS. */
bool fm_user_pc_read(framemap_str text, struct fm_user_pc *pc);

#endif
