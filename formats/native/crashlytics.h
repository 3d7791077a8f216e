/* Crashlytics' stacks of Apple's systems, as its console shows them and as they are downloaded:
 *
 *    Crashed: com.apple.main-thread
 *    0  App                            0xe12608 Store.total() + 41 (Store.swift:41)
 *    1  App                            0x6b6d84 (Missing UUID 1b67e644593a3401b48d084b8d879212)
 *    2  libdispatch.dylib              0x63094 _dispatch_client_callout
 *
 *    com.apple.uikit.eventfetch-thread                                              another thread, or "Thread"
 *    0  libsystem_kernel.dylib         0x7578 mach_msg_trap + 8
 *
 *    0  ???                            0x0 Shop.Cart.Total() + 12 (Cart.cs:12)      an error that an app reports itself
 *
 * The rows look like those of apple_symbols.c, but the addresses are offsets in the image, and the number after '+'
 * is the line again, not a distance. Called by apple_symbols.c, and by android_tombstone.c for the title of a
 * downloaded native stack of Android. */
#ifndef FM_FORMATS_NATIVE_CRASHLYTICS_H
#define FM_FORMATS_NATIVE_CRASHLYTICS_H

#include "formats/format.h"

/* Whether the address of a row is an offset in its image; if so, sets address_kind of the frame accordingly. An
 * offset is recognized as a small number without leading zeros: 64-bit programs have no image at so low an address, and
 * other tools pad addresses with zeros. body: the text that the row was parsed from. */
bool fm_crashlytics_offset(framemap_str body, framemap_frame *frame);

/* Parses a row whose offset is too short for fm_apple_row: two to four digits after two blanks or a tab. Ordinary
 * sentences may look the same, so callers accept such a row only within a stack and below a title. */
bool fm_crashlytics_short_row(framemap_str body, struct fm_document *doc, framemap_frame *frame);

/* Parses a row of an error that an app reports itself, as .NET, Unity and React Native do; it has a name, and no
 * address: "0  ???  0x0 Shop.Cart.Total() + 12 (Cart.cs:12)", "1  ???  0x0 Shop.Main.Run() (<unknown>)". */
bool fm_crashlytics_named_row(framemap_str body, framemap_frame *frame);

enum fm_crashlytics_head {
    FM_CRASHLYTICS_NONE = 0,
    /* a thread that was stopped: the first address of its stack is that of the current instruction */
    FM_CRASHLYTICS_STOPPED,
    FM_CRASHLYTICS_THROWN /* a thrown exception: all addresses of its stack are return addresses */
};
/* Reads an exception of Crashlytics from a line, "Fatal Exception: NSRangeException", into the trace. Returns false if
 * the line is not one. */
bool fm_crashlytics_exception(framemap_str text, framemap_trace *trace);
/* Copies thread and exception from the lines above a stack to the trace. Returns which kind of addresses the stack has,
 * according to its title. */
enum fm_crashlytics_head fm_crashlytics_above(struct fm_document *doc, const struct fm_line *line,
                                              framemap_trace *trace);

/* Reads the name of a thread that did not crash from the line directly above its stack: "com.apple.main-thread", or
 * "Thread" if it has no name. known: stacks of Crashlytics precede, so the name may be any text; otherwise it has to be
 * that of a queue. */
bool fm_crashlytics_thread_above(struct fm_document *doc, const struct fm_line *line, bool known,
                                 framemap_trace *trace);

/* Reads the thread and the signal from a line such as "Crashed: Thread: SIGABRT  0x0000000000000000" directly above a
 * native stack of Android. */
void fm_crashlytics_android_above(struct fm_document *doc, const struct fm_line *line, framemap_trace *trace);

#endif
