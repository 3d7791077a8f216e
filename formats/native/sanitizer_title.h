/* Headlines and titles of sanitizer reports: what the lines around their stacks mean. Called by sanitizer.c. */
#ifndef FM_FORMATS_NATIVE_SANITIZER_TITLE_H
#define FM_FORMATS_NATIVE_SANITIZER_TITLE_H

#include "formats/format.h"

/* "==12==ERROR: AddressSanitizer: heap-use-after-free on address …", "WARNING: ThreadSanitizer: data race (pid=12)",
 * "a.c:1:2: runtime error: …", "==12== ERROR: libFuzzer: deadly signal", "Received signal 11 SEGV_MAPERR 0000". */
struct fm_sanitizer_headline {
    framemap_str text;          /* text of the headline; empty: none */
    framemap_str type, message; /* "heap-use-after-free", "heap-use-after-free on address …" */
    framemap_str thread;        /* "T0" */
    framemap_signal signal;
    bool has_process_id;
    bool is_error;   /* the headline has "runtime error:" */
    bool needs_main; /* belongs to the stack of the error, not to a stack that freed the memory or created the thread */
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
