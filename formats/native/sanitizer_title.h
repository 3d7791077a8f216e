/* Reads the headlines of sanitizer reports, and the titles of the stacks in them. Called by sanitizer.c. */
#ifndef FM_FORMATS_NATIVE_SANITIZER_TITLE_H
#define FM_FORMATS_NATIVE_SANITIZER_TITLE_H

#include "formats/format.h"

/* The values in a headline of a report. Headlines look like "==12==ERROR: AddressSanitizer: heap-use-after-free on
 * address …", "WARNING: ThreadSanitizer: data race (pid=12)", "a.c:1:2: runtime error: …", "==12== ERROR: libFuzzer:
 * deadly signal", "Received signal 11 SEGV_MAPERR 0000". */
struct fm_sanitizer_headline {
    framemap_str text; /* text of the headline; empty: there is no headline */
    /* type of the error, "heap-use-after-free"; its message, "heap-use-after-free on address …" */
    framemap_str type, message;
    framemap_str thread; /* name of the thread, such as "T0" */
    framemap_signal signal;
    bool has_process_id;
    bool is_error; /* the headline has "runtime error:" */
    /* only the stack of the error gets this headline; a stack that shows where the memory was freed or the thread was
     * created does not */
    bool needs_main;
    uint64_t process_id;
};

/* The title of one stack, such as "freed by thread T0 here:". */
struct fm_sanitizer_section {
    framemap_role role;
    framemap_str title, thread_id, thread_name;
};

bool fm_sanitizer_is_headline(framemap_str text);
/* Parses a headline. Returns false, and leaves *out unchanged, if the text is not a headline. */
bool fm_sanitizer_read_headline(framemap_str text, struct fm_sanitizer_headline *out);
/* Parses the title of a stack. Returns false if the text is not a title. */
bool fm_sanitizer_read_section(framemap_str text, struct fm_sanitizer_section *out);
void fm_sanitizer_put_headline(const struct fm_sanitizer_headline *headline, framemap_trace *trace);

#endif
