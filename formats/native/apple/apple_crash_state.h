/* The parser of Apple's crash reports as text, line by line. Called by apple_crash.c for the lines of a report, and
 * by apple_one_line.c for the parts of a line that contains a whole report. */
#ifndef FM_FORMATS_NATIVE_APPLE_APPLE_CRASH_STATE_H
#define FM_FORMATS_NATIVE_APPLE_APPLE_CRASH_STATE_H

#include "formats/native/apple/apple_header.h"

enum fm_apple_section { FM_APPLE_OUTSIDE, FM_APPLE_THREAD, FM_APPLE_EXCEPTION, FM_APPLE_IMAGES, FM_APPLE_REGISTERS };

struct fm_apple_crash {
    const char *format; /* name of the format that the traces get; the string is static */
    enum fm_apple_section section;
    bool header;     /* the current line is one of the header lines of a report */
    bool fresh;      /* a title was read since the last frame; the next frame starts a stack */
    bool crashed;    /* the title marks the crashed thread */
    bool has_images; /* the report has begun to list its images */
    struct fm_apple_header report;
    framemap_str number, thread;
    /* number of the last line with a thread's name; if a row follows directly, the thread has no other title */
    uint64_t named1;
    uint64_t crash_trace; /* number of the crashed thread's trace, plus one; 0: there is no such trace */
    uint64_t number1;     /* number of the last line that belongs to `section` */
    bool after_sigtramp;  /* the last row was _sigtramp */
};

/* Parses a line of a report: the title of a thread or section, a row, an image, registers, or a line of the header.
 * For `offer` of struct fm_format. */
enum fm_line_role fm_apple_crash_offer(struct fm_apple_crash *state, struct fm_document *doc,
                                       const struct fm_line *line);
/* Begins a section. number1: number of the line with its title. */
void fm_apple_crash_enter(struct fm_apple_crash *state, enum fm_apple_section section, uint64_t number1);

#endif
