/* Messages for a text in which no stack was found: what the text probably is, and what the user can do.
 *
 * A log without a crash is normal in a pipeline, so standard input is reported only if it is unreadable as text. */
#ifndef FM_CLI_NOTICE_H
#define FM_CLI_NOTICE_H

#include "cli/cli_io.h"

/* Command-specific parts of the messages. */
struct fm_notice_words {
    const char *command; /* the command to which a text can be piped: "framemap restore" */
    const char *symbols; /* how symbol files are passed to that command: "with -s" */
    const char *stacks;  /* what the command searches for: "stack trace" */
    /* Prefix of the names of the formats that the command reads, such as "dart". NULL: all formats;
     * fm_notice_file_without_stack must not be called then. */
    const char *prefix;
    bool unpacks; /* the command reads gzip, zstd and UTF-16 */
};

/* Reports why no stack was found. Returns whether the input is unreadable as text. file: its path; NULL or "-":
 * standard input. named: the user named the file, or typed the text at a terminal. head: the first bytes of the text,
 * or all of it. format: the only format that was searched for; NULL: all. */
bool fm_notice_no_stack(const struct fm_notice_words *words, const char *file, bool named, framemap_str head,
                        const char *format);

/* Reports why a file that was read line by line has no stack; the file is read again to find that out. Returns false
 * if the file does contain stacks; nothing is reported then. */
bool fm_notice_file_without_stack(const struct fm_notice_words *words, const char *file);

/* Reports an input that is not readable as text: a compressed file, UTF-16, UTF-32, a symbol file. Returns false if
 * nothing was reported. */
bool fm_notice_unreadable(const struct fm_notice_words *words, const char *file, framemap_str head);

/* Output filter that records whether the output differs from the input text, ignoring the kind of line ends. */
struct fm_unchanged {
    struct fm_out *out;
    framemap_str rest; /* the part of the input text that has not been compared yet */
    bool changed;
    bool (*is_lost)(
        void *lost_context); /* whether the symbol files were changed while they were read; NULL: they cannot change */
    void *lost_context;
    bool lost; /* is_lost returned true: output made with these symbols is not written */
};
/* A framemap_write callback whose context is a struct fm_unchanged: it passes the output on until is_lost returns
 * true. */
bool fm_unchanged_write(void *unchanged, const char *data, size_t size);

#endif
