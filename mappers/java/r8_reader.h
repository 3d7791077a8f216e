/* Line reader of an R8 mapping: comments, classes, members, faults, progress. r8_read.c runs one reader over a whole
 * text, r8_parallel.c several readers over parts of it. */
#ifndef FM_MAPPERS_JAVA_R8_READER_H
#define FM_MAPPERS_JAVA_R8_READER_H

#include "core/hash/hash.h"
#include "mappers/java/r8_block.h"
#include "mappers/java/r8_head.h"
#include "mappers/java/r8_line_fast.h"
#include "mappers/mapper.h"

#define FM_R8_STEP_BYTES ((size_t)1 << 20) /* bytes of text between two progress reports */

struct fm_r8_reader {
    const struct fm_mapper_host *host;
    struct fm_builder *builder;
    framemap_error *error;
    struct fm_r8_signatures signatures;
    struct fm_r8_infos infos;
    struct fm_r8_block block;
    const char *begin, *at, *end; /* at: the start of the next line */
    framemap_str line;
    struct fm_r8_fast_line fast_line; /* kept from line to line, because its mask also covers bytes after the current
                                         line */
    uint64_t line1;
    enum fm_r8_version version;
    bool has_version; /* a comment gave the version */
    bool in_class;
    bool reports_elsewhere; /* another thread reports progress to the host */
    bool gives_up;          /* set by the warning callback: no further line is read */
    bool expects;           /* the builder was given an estimate of the total (fm_builder_expect) */
    /* Number of lines that were skipped, and state that depends on these lines. */
    uint64_t faults;
    bool lost_class, lost_member;
    uint64_t classes;
    /* Identity of the mapping. */
    struct fm_r8_head head;
    bool head_is_read, hashes;
    char *id;
    struct fm_sha256 hash;
    const char *hashed;
    /* class_line: start of the line of the open class block, from which names are borrowed */
    const char *next_step, *class_line;
};

/* Initialises a reader. host, builder and error must outlive it, and it must not be moved. The caller sets the text
 * (begin, at, end, …). */
void fm_r8_reader_init(struct fm_r8_reader *reader, const struct fm_mapper_host *host, struct fm_builder *builder,
                       framemap_error *error);
void fm_r8_reader_free(struct fm_r8_reader *reader);

/* Reads the lines that start before `to`. Errors: those of fm_r8_read. */
framemap_status fm_r8_reader_lines(struct fm_r8_reader *reader, const char *to);
/* Ends the open class block, if there is one. */
framemap_status fm_r8_reader_close(struct fm_r8_reader *reader);
/* Does three things if a progress step is due: reports that the text before `at` is read, hashes that text, and reports
 * that the text before `needed` may be released. The reader calls this itself, unless reports_elsewhere is set. Uses no
 * other state of the reader. LIMIT: the host stopped the work. */
framemap_status fm_r8_reader_report_progress(struct fm_r8_reader *reader, const char *at, const char *needed,
                                             framemap_error *error);
/* Gives the builder, once, an estimate of all records, computed from those that the text before `at` produced. at >
 * begin. */
void fm_r8_reader_estimate(struct fm_r8_reader *reader, const char *at);
/* Returns the start of the text that is still borrowed. */
static inline const char *fm_r8_reader_needed(const struct fm_r8_reader *reader)
{
    return reader->in_class ? reader->class_line : reader->at;
}

/* Reads the lines before the first class: up to the first line that is neither empty nor a comment. Determines the id,
 * unless the id must be computed from the whole content. Errors: those of fm_r8_read. */
framemap_status fm_r8_reader_head(struct fm_r8_reader *reader);
/* Ends the reading after the last line: completes the id, and reports how many faults were not reported one by one. */
void fm_r8_reader_end(struct fm_r8_reader *reader);

#endif
