/*Crashlytics' stacks of Apple's systems, as its console shows them and as they are downloaded:
 *
 *    Crashed: com.apple.main-thread
 *    0  App                            0xe12608 Store.total() + 41 (Store.swift:41)
 *    1  App                            0x6b6d84 (Missing UUID 1b67e644593a3401b48d084b8d879212)
 *    2  libdispatch.dylib              0x63094 _dispatch_client_callout
 *
 * Rows are those of apple_symbols.c, but the addresses count from the start of the image, and the line of a position
 * is also printed as a distance before it. Called by apple_symbols.c, and by android_tombstone.c for the title of a
 * downloaded native stack of Android. */
#ifndef FM_FORMATS_NATIVE_CRASHLYTICS_H
#define FM_FORMATS_NATIVE_CRASHLYTICS_H

#include "formats/format.h"

/* Whether the address of a row, parsed from body, is an offset in its image; if so, it is made one. No image of a
 * 64-bit program is as low, and other printers fill addresses up with zeros. */
bool fm_crashlytics_offset(framemap_str body, framemap_frame *frame);

/* Parses a row whose offset is too short for fm_apple_row: two to four digits after two blanks or a tab. Prose may look
 * like that, so callers accept such a row only within a stack and below a title. */
bool fm_crashlytics_short_row(framemap_str body, struct fm_document *doc, framemap_frame *frame);

enum fm_crashlytics_head {
    FM_CRASHLYTICS_NONE = 0,
    FM_CRASHLYTICS_STOPPED, /* a thread; the first address of its stack is the current instruction */
    FM_CRASHLYTICS_THROWN   /* all addresses of the stack are return addresses */
};
/* Copies values from the lines above a stack to the trace. */
enum fm_crashlytics_head fm_crashlytics_above(struct fm_document *doc, const struct fm_line *line,
                                              framemap_trace *trace);

/* Reads the thread and the signal from "Crashed: Thread: SIGABRT  0x0000000000000000" directly above a native stack of
 * Android. */
void fm_crashlytics_android_above(struct fm_document *doc, const struct fm_line *line, framemap_trace *trace);

#endif
