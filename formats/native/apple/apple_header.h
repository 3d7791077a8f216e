/* Reads the lines that a crash report as text begins with, and the registers of its crashed thread. Called by
 * apple_crash.c. */
#ifndef FM_FORMATS_NATIVE_APPLE_HEADER_H
#define FM_FORMATS_NATIVE_APPLE_HEADER_H

#include "formats/trace_document.h"

struct fm_apple_header {
    framemap_str arch, os_version, process;
    framemap_str exception;      /* "EXC_CRASH (SIGABRT)" */
    framemap_str subtype, codes; /* subtype: "KERN_INVALID_ADDRESS at 0x0"; codes: "0x1, 0x0" */
    framemap_str termination;    /* "SIGNAL 6 Abort trap: 6" */
    /* why the system ended the process, if that was not for a signal: "Namespace DYLD, Code 1 Library missing" and the
     * lines below, or the lines "<RBSTerminateContext| …>" of a watchdog */
    framemap_str cause;
    uint64_t cause1;          /* number of the last line of `cause`; 0: no more lines are added to it */
    framemap_str information; /* the lines below "Application Specific Information:" */
    /* `information` is in the copy of a cleaned line, so the next line of the text does not follow it in memory */
    bool information_is_copy;
    framemap_str crashed_number;
    uint64_t information1; /* number of the last line of `information`; 0: no more lines are added to `information` */
    framemap_str deadlock; /* KSCrash's line about a deadlock */
    bool has_pid;
    uint64_t pid;
};

/* Parses "KEY: VALUE". Returns false if the key is not one of those that are used. */
bool fm_apple_header_line(struct fm_apple_header *header, framemap_str text, const struct fm_line *line);
/* Adds a line to the section "Application Specific Information:", or to the lines below "Termination Reason:". Returns
 * false if neither is open. */
bool fm_apple_header_information(struct fm_apple_header *header, const struct fm_line *line);
/* Whether fm_apple_header_information needs the line after this one. */
bool fm_apple_header_goes_on(const struct fm_apple_header *header, const struct fm_line *line);
/* Sets the members of a trace that the header states. crashed: the trace is that of the crashed thread; only this trace
 * gets exception and signal. */
void fm_apple_header_fill(const struct fm_apple_header *header, bool crashed, framemap_trace *trace);

/* Parses the title of a thread: "Dispatch queue: Q", "NAME", "NAME  Dispatch queue: Q". */
void fm_apple_thread_title(framemap_str title, framemap_trace *trace);

/* Parses a line of registers, "    x0: 0x0000000000000000   x1: 0x0000000000000001", and adds them to a trace, which
 * gets at most 64 registers. Returns false if the line has no registers. */
bool fm_apple_registers(framemap_str body, struct fm_document *doc, framemap_trace *trace);

#endif
