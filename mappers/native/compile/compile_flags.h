/* Options of fm_debuginfo_compile. */
#ifndef FM_MAPPERS_NATIVE_COMPILE_COMPILE_FLAGS_H
#define FM_MAPPERS_NATIVE_COMPILE_COMPILE_FLAGS_H

enum fm_debuginfo_flags {
    /* Line rows count only at addresses of functions that the debug info describes. This is for Dart, whose rows
     * continue into the gaps between functions. */
    FM_DEBUGINFO_LINES_IN_FUNCTIONS = 1u << 0,
    /* An inlined subroutine ends where the function around it ends, whether that function is inlined or not. This is
     * for Dart, whose compiler gives some inlined subroutines an end that is one byte too high; Dart's own decoder is
     * not affected, because it searches from outer functions to inner ones. */
    FM_DEBUGINFO_INLINED_INSIDE = 1u << 1,
    /* The image's symbols have not been read: read them while the debug info is opened, and drop them at the end of the
     * call. */
    FM_DEBUGINFO_READ_SYMBOLS = 1u << 2,
    /* With FM_DEBUGINFO_INLINED_INSIDE: the end of an inlined subroutine that does not end inside of the function
     * around it is not known, and the line rows decide which of the two an address belongs to. This is for WebAssembly:
     * binaryen writes 0 for an end that it lost, so that the size reaches to 2^32. */
    FM_DEBUGINFO_ENDS_LOST = 1u << 3
};

#endif
