/* The part of 'framemap convert' that writes profiles. */
#ifndef FM_CLI_CONVERT_SAMPLES_H
#define FM_CLI_CONVERT_SAMPLES_H

#include <framemap/framemap.h>

struct fm_convert_samples {
    const char *to, *format; /* format: of the input; NULL: decided by its text */
    const char **files;      /* "-": standard input */
    size_t file_count;
    const char **symbols;
    size_t symbol_count;
    bool quiet;
    framemap_write write;
    void *context; /* of write */
};

/* Whether profiles can be written in that format. */
bool fm_is_sample_format(const char *name);
/* Reads all files as one profile, and writes it. lost: set to the parts that the format cannot say. Errors are
 * reported. */
framemap_status fm_convert_samples(const struct fm_convert_samples *job, uint32_t *lost);

#endif
