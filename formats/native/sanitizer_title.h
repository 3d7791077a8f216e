/* Reads the headlines of sanitizer reports, and the titles of the stacks in them. Called by sanitizer.c. */
#ifndef FM_FORMATS_NATIVE_SANITIZER_TITLE_H
#define FM_FORMATS_NATIVE_SANITIZER_TITLE_H

#include "formats/format.h"

/* What a headline of a report states. Headlines look like "==12==ERROR: AddressSanitizer: heap-use-after-free on
 * address …", "WARNING: ThreadSanitizer: data race (pid=12)", "a.c:1:2: runtime error: …", "==12== ERROR: libFuzzer:
 * deadly signal", "Received signal 11 SEGV_MAPERR 0000". */
struct fm_sanitizer_headline {
    framemap_str text;          /* text of the headline; empty: none */
    framemap_str type, message; /* such as "heap-use-after-free" and "heap-use-after-free on address …" */
    framemap_str thread;        /* "T0" */
    framemap_signal signal;
    bool has_process_id;
    bool is_error; /* the headline has "runtime error:" */
    /* only the stack of the error gets this headline, not one that shows where the memory was freed or the thread
     * was created */
    bool needs_main;
    uint64_t process_id;
};

/* The title of one stack: "freed by thread T0 here:". */
struct fm_sanitizer_section {
    framemap_role role;
    framemap_str title, thread_id, thread_name;
};

bool fm_sanitizer_is_headline(framemap_str text);
/* Parses a headline. Returns false, and leaves *out as it is, if the text is not one. */
bool fm_sanitizer_read_headline(framemap_str text, struct fm_sanitizer_headline *out);
/* Parses the title of a stack. Returns false if the text is not one. */
bool fm_sanitizer_read_section(framemap_str text, struct fm_sanitizer_section *out);
void fm_sanitizer_put_headline(const struct fm_sanitizer_headline *headline, framemap_trace *trace);

#endif
