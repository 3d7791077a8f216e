/* Words to a person who gave a text in which no stack was found: what the text is instead, and what to do about it.
 *
 * A log without a crash is normal in a pipeline, so a text that nobody named is only spoken of where it can't have been
 * read at all. */
#ifndef FM_CLI_NOTICE_H
#define FM_CLI_NOTICE_H

#include "cli/cli_io.h"

/* How a command is used, for its notices. */
struct fm_notice_words {
    const char *command; /* what a text can be piped to: "framemap restore" */
    const char *symbols; /* how its symbol files are given: "with -s" */
    const char *stacks;  /* what it looks for: "stack trace" */
    const char
        *prefix; /* of the formats that it reads, "dart"; NULL: all, and fm_notice_file_without_stack is not for it */
};

/* Says why no stack was found. file: its path; NULL or "-": standard input. named: a person gave it, as a file or by
 * hand. head: the first bytes of the text, all of them where there is no more. format: the only one that was read
 * for; NULL: none. */
void fm_notice_no_stack(const struct fm_notice_words *words, const char *file, bool named, framemap_str head,
                        const char *format);

/* The same for a file that was read line by line: looks into it once more. false: there are stacks in it, and
 * nothing was said. */
bool fm_notice_file_without_stack(const struct fm_notice_words *words, const char *file);

/* Says what a text is that can't be read as one: compressed, of UTF-16 or UTF-32, a symbol file. false: nothing was
 * said. */
bool fm_notice_unreadable(const struct fm_notice_words *words, const char *file, framemap_str head);

/* Whether a command has changed anything in a text of whole lines, whatever their ends. */
struct fm_unchanged {
    struct fm_out *out;
    framemap_str rest; /* of the text, which is not written yet */
    bool changed;
    bool (*is_lost)(
        void *lost_context); /* whether the symbols were changed while they were read; NULL: they can't be */
    void *lost_context;
    bool lost; /* they were: what was made with them is not written */
};
/* A framemap_write onto a struct fm_unchanged: passes on what is written, while the symbols are what they were. */
bool fm_unchanged_write(void *unchanged, const char *data, size_t size);

#endif
