/* Reads files of a zip archive in memory, stored or deflated. Used for R8's partitioned mappings. */
#ifndef FM_MAPPERS_JAVA_R8_ZIP_H
#define FM_MAPPERS_JAVA_R8_ZIP_H

#include "core/text/buffer.h"

struct fm_r8_zip {
    framemap_str bytes;
    size_t at; /* offset of the next directory entry */
};
struct fm_r8_zip_file {
    framemap_str name;
    unsigned method; /* 0: stored, 8: deflated */
    uint32_t stored_size, size, header_at;
};

/* Finds the directory. false: not a zip archive of less than 4 GiB. */
bool fm_r8_zip_open(framemap_str bytes, struct fm_r8_zip *out);
/* The next file. false: no more, or the directory is damaged here. */
bool fm_r8_zip_next(struct fm_r8_zip *zip, struct fm_r8_zip_file *out);
/* Appends the bytes of a file to the buffer. Errors: CORRUPT, UNSUPPORTED (another compression method), LIMIT (the
 * buffer would become much larger than the archive plausibly holds), MEMORY. */
framemap_status fm_r8_zip_read(const struct fm_r8_zip *zip, const struct fm_r8_zip_file *file, struct fm_buf *out,
                               framemap_error *error);

#endif
