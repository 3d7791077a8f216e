/* The reader of lines of an R8 mapping: comments, classes, members, faults and the progress report. r8_read.c runs one
 * over a whole text, r8_parallel.c several over parts of it. */
#ifndef FM_MAPPERS_JAVA_R8_READER_H
#define FM_MAPPERS_JAVA_R8_READER_H

#include "core/hash/hash.h"
#include "mappers/java/r8_block.h"
#include "mappers/java/r8_head.h"
#include "mappers/java/r8_line_fast.h"
#include "mappers/mapper.h"

#define FM_R8_STEP_BYTES ((size_t)1 << 20) /* of text between two words with the host */

struct fm_r8_reader {
    const struct fm_mapper_host *host;
    struct fm_builder *builder;
    framemap_error *error;
    struct fm_r8_signatures signatures;
    struct fm_r8_infos infos;
    struct fm_r8_block block;
    const char *begin, *at, *end; /* at: behind the line */
    framemap_str line;
    struct fm_r8_fast_line
        fast_line; /* where it stands counts while such a line is read, what it knows of the text all the time */
    uint64_t line1;
    enum fm_r8_version version;
    bool has_version; /* a comment did */
    bool in_class;
    bool reports_elsewhere; /* the host is told by another */
    bool gives_up;          /* set from outside: no further line is read */
    bool expects;           /* the builder has been told how much may come */
    /* Lines that were passed over, and what hangs on them. */
    uint64_t faults;
    bool lost_class, lost_member;
    uint64_t classes;
    /* Identity. */
    struct fm_r8_head head;
    bool head_is_read, hashes;
    char *id;
    struct fm_sha256 hash;
    const char *hashed;
    const char *next_step, *class_line; /* names of the block are borrowed from there on */
};

/* host, builder, error: outlive the reader, which stays where it is. What it is to read is for the caller to set. */
void fm_r8_reader_init(struct fm_r8_reader *reader, const struct fm_mapper_host *host, struct fm_builder *builder,
                       framemap_error *error);
void fm_r8_reader_free(struct fm_r8_reader *reader);

/* Reads the lines that begin before `to`. Errors: as fm_r8_read. */
framemap_status fm_r8_reader_lines(struct fm_r8_reader *reader, const char *to);
/* Ends the class whose lines were read last, if it is open. */
framemap_status fm_r8_reader_close(struct fm_r8_reader *reader);
/* Tells the host that all before `at` is read, hashes it, and lets go of what stands before `needed`, where that is
 * due: a reader does so itself, unless it is told apart. Nothing else of the reader is looked at. LIMIT: stopped. */
framemap_status fm_r8_reader_report_progress(struct fm_r8_reader *reader, const char *at, const char *needed,
                                             framemap_error *error);
/* Tells the builder, once, how much may come by what came of the text before `at`, which is some. */
void fm_r8_reader_estimate(struct fm_r8_reader *reader, const char *at);
/* From here on text is borrowed. */
static inline const char *fm_r8_reader_needed(const struct fm_r8_reader *reader)
{
    return reader->in_class ? reader->class_line : reader->at;
}

/* Reads the lines before the first class: up to the first line that is neither empty nor a comment. Determines the id,
 * unless that depends on the content. Errors: as fm_r8_read. */
framemap_status fm_r8_reader_head(struct fm_r8_reader *reader);
/* After the last line: completes the id, and reports how many faults were not reported one by one. */
void fm_r8_reader_end(struct fm_r8_reader *reader);

#endif
